#ifndef WAYBILL_NETWORK_H
#define WAYBILL_NETWORK_H

/// Opens a socket on which the kernel reports changes to links, addresses and routes (rtnetlink).
///
/// Returns -1 if the system does not allow it, as in some sandboxes.
int waybill_network_open(void);

/// Discards all received messages without waiting.
void waybill_network_drain(int socket);

/// Asks the kernel whether there is a route to another machine.
///
/// Routes over the loopback or over links that are down, and routes to link-local addresses, do not count. Returns 1 if
/// there is a route, 0 if there is not, and -1 if the kernel does not respond.
int waybill_network_has_route(void);

#endif
