/// Libraries of the system that are loaded at the first use, so that nothing has to be installed to build.

#include "compression.h"
#include "curl.h"
#include "network.h"
#include "sockets.h"
#include "threads.h"
