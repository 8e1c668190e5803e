#ifndef CWAYBILL_SOCKETS_H
#define CWAYBILL_SOCKETS_H

// Some module maps of the C library do not include these headers.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#endif
