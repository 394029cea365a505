/* SPDX-License-Identifier: ISC */
/*
 * Networks as an operator writes them, and which addresses belong to the
 * public internet: what may be connected to for a stranger.
 */
#ifndef UMPIRE_SERVER_BASE_NET_H
#define UMPIRE_SERVER_BASE_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

#define NET_LIST_MAX 64 /* networks of a list */

struct sockaddr;

/*
 * A network.  IPv4 is kept as it is mapped into IPv6 (::ffff:0:0/96), so that
 * there is one kind of address.
 */
struct net {
	uint8_t addr[16];
	unsigned bits; /* of addr that count: 0 to 128 */
};

/* Networks, plain data. */
struct net_list {
	struct net nets[NET_LIST_MAX];
	size_t n;
};

/*
 * Reads networks, ADDRESS/BITS or ADDRESS each, separated by blanks or commas;
 * the text may be empty.  ERR_INVALID, with the reason in e, for what is not a
 * network, has bits besides its own, or is more than NET_LIST_MAX.
 */
int net_list_read(const char *text, struct net_list *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * True if an address lies in one of the networks.  An IPv4 address that is
 * mapped or translated into IPv6 (::ffff:0:0/96, 64:ff9b::/96) is judged as
 * the IPv4 address, here and below.  Addresses of other families are in none.
 */
bool net_list_has(const struct net_list *list, const struct sockaddr *sa);

/*
 * True if an address lies in the network of `net`, another address, and mask,
 * as getifaddrs(3) gives them.
 */
bool net_is_within(const struct sockaddr *sa, const struct sockaddr *net,
    const struct sockaddr *mask);

/*
 * True if an address is global unicast, after the special-purpose registries
 * of IANA (RFC 6890): neither loopback, private, link-local, shared,
 * multicast, documentation, benchmarking, 6to4, Teredo nor reserved.
 */
bool net_is_public(const struct sockaddr *sa);

#endif
