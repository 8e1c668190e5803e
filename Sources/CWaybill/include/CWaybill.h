/// System libraries, loaded at first use, so that building requires no installed packages.

#include "compression.h"
#include "curl.h"
#include "network.h"
#include "sockets.h"
#include "threads.h"
