/// Libraries of the system that are loaded when they are first needed, so that nothing has to be installed to build.

#include "compression.h"
#include "curl.h"
#include "sockets.h"
