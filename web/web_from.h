/* SPDX-License-Identifier: ISC */
/*
 * Whose a request is, for limits alone: the address of its connection or, if
 * that is a proxy's that the settings name, what the proxy says of it.
 */
#ifndef UMPIRE_WEB_WEB_FROM_H
#define UMPIRE_WEB_WEB_FROM_H

#include <stdbool.h>
#include <stdint.h>

struct net_list;

/* A reader. */
struct web_from {
	bool is_known; /* false: a proxy's, which does not say whose it is */
	/* IPv4 mapped into IPv6, or a /64 network of IPv6. */
	uint8_t net[16];
};

/*
 * The other end of a connection; true if it is a proxy: one of those, or
 * somebody at a local socket.
 */
bool web_from_peer(
    int fd, const struct net_list *proxies, struct web_from *out);

/*
 * What a proxy's header says: an address, or several with commas between them,
 * of which the last that is no proxy's is meant, since those before it are what
 * the reader has sent; if all are proxies', the first.
 */
void web_from_header(
    const char *value, const struct net_list *proxies, struct web_from *out);

#endif
