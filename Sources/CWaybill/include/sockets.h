#ifndef CWAYBILL_SOCKETS_H
#define CWAYBILL_SOCKETS_H

// The C library's module map does not include these headers on all systems.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#endif
