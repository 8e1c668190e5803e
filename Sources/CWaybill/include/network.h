#ifndef WAYBILL_NETWORK_H
#define WAYBILL_NETWORK_H

/// Opens a socket on which the kernel tells of changes of links, addresses and routes (rtnetlink).
///
/// Returns -1 if the system does not open it, as in some sandboxes.
int waybill_network_open(void);

/// Reads what has come, without waiting.
void waybill_network_drain(int socket);

/// Asks the kernel whether there is a route to another machine.
///
/// Routes of the loopback, of links that are down, and to link-local addresses do not count. Returns 1 with a route, 0
/// without one, and -1 if the kernel does not say.
int waybill_network_has_route(void);

#endif
