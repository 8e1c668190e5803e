#if defined(__linux__)

#define _GNU_SOURCE
#include "network.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

static int open_socket(unsigned groups, int flags) {
  int number = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, NETLINK_ROUTE);
  if (number < 0) return -1;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
  if (bind(number, (struct sockaddr *)&address, sizeof(address)) != 0) {
    close(number);
    return -1;
  }
  return number;
}

int waybill_network_open(void) {
  return open_socket(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE,
                     SOCK_NONBLOCK);
}

void waybill_network_drain(int socket) {
  char buffer[8192];
  // ENOBUFS reports lost messages, but their content is not needed.
  while (recv(socket, buffer, sizeof(buffer), 0) > 0 || errno == EINTR || errno == ENOBUFS) {
  }
}

/// Whether a link is up and is not the loopback.
static int is_usable(int socket, int index) {
  struct ifreq request = {0};
  if (if_indextoname((unsigned)index, request.ifr_name) == NULL) return 0;
  if (ioctl(socket, SIOCGIFFLAGS, &request) != 0) return 0;
  return (request.ifr_flags & IFF_UP) && (request.ifr_flags & IFF_RUNNING) && !(request.ifr_flags & IFF_LOOPBACK);
}

/// Whether a destination is link-local: fe80::/10 or 169.254.0.0/16.
static int is_link_local(const struct rtmsg *route, const unsigned char *destination) {
  if (destination == NULL) return 0;
  if (route->rtm_family == AF_INET6) return destination[0] == 0xFE && (destination[1] & 0xC0) == 0x80;
  return destination[0] == 169 && destination[1] == 254;
}

/// Whether a route leads to other machines over a usable link.
static int leads_to_network(int socket, const struct nlmsghdr *message) {
  const struct rtmsg *route = NLMSG_DATA(message);
  if (route->rtm_type != RTN_UNICAST || route->rtm_table == RT_TABLE_LOCAL) return 0;
  if (route->rtm_flags & (RTNH_F_DEAD | RTNH_F_LINKDOWN | RTM_F_CLONED)) return 0;
  int link = 0, is_multipath = 0;
  const unsigned char *destination = NULL;
  int length = (int)RTM_PAYLOAD(message);
  for (const struct rtattr *part = RTM_RTA(route); RTA_OK(part, length); part = RTA_NEXT(part, length)) {
    if (part->rta_type == RTA_OIF) link = *(const int *)RTA_DATA(part);
    if (part->rta_type == RTA_DST) destination = RTA_DATA(part);
    if (part->rta_type == RTA_MULTIPATH) is_multipath = 1;
  }
  if (is_link_local(route, destination)) return 0;
  return is_multipath || (link != 0 && is_usable(socket, link));
}

static int has_route(int socket, int links, unsigned char family) {
  struct {
    struct nlmsghdr header;
    struct rtmsg route;
  } request = {0};
  request.header.nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg));
  request.header.nlmsg_type = RTM_GETROUTE;
  request.header.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
  request.route.rtm_family = family;
  if (send(socket, &request, request.header.nlmsg_len, 0) < 0) return -1;
  int found = 0;
  // A union, to align the buffer for the messages.
  union {
    struct nlmsghdr header;
    char bytes[32768];
  } buffer;
  while (1) {
    ssize_t count = recv(socket, &buffer, sizeof(buffer), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return -1;
    int rest = (int)count;
    for (struct nlmsghdr *message = &buffer.header; NLMSG_OK(message, rest); message = NLMSG_NEXT(message, rest)) {
      if (message->nlmsg_type == NLMSG_DONE) return found;
      if (message->nlmsg_type == NLMSG_ERROR) return -1;
      if (message->nlmsg_type == RTM_NEWROUTE && leads_to_network(links, message)) found = 1;
    }
  }
}

int waybill_network_has_route(void) {
  int netlink = open_socket(0, 0);
  if (netlink < 0) return -1;
  // The kernel responds at once, but a sandbox may never respond.
  struct timeval limit = {.tv_sec = 1};
  setsockopt(netlink, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  int links = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (links < 0) links = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int result = -1;
  if (links >= 0) {
    int first = has_route(netlink, links, AF_INET);
    // A kernel without IPv6 reports an error; the result for IPv4 then applies.
    int second = first == 1 ? 1 : has_route(netlink, links, AF_INET6);
    result = second == 1 ? 1 : first;
    close(links);
  }
  close(netlink);
  return result;
}

#endif
