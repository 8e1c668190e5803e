#ifndef CWAYBILL_SOCKETS_H
#define CWAYBILL_SOCKETS_H

// Not every module map of the C library has these.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#endif
