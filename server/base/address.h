/* SPDX-License-Identifier: ISC */
/*
 * Addresses that strangers name and that messages are sent to.  Both forms
 * are narrower than the standards allow: nothing that they take could be
 * misread in a header, an SMTP command or a log.
 */
#ifndef UMPIRE_SERVER_BASE_ADDRESS_H
#define UMPIRE_SERVER_BASE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS_MAIL_MAX 254 /* bytes */
#define ADDRESS_URL_MAX 512

/*
 * True for local@domain: local is 1 to 64 of [A-Za-z0-9._%+-] and begins with
 * no "-"; domain is labels of letters, digits and inner hyphens with at least
 * one dot between them, or "localhost".
 */
bool address_is_mail(const char *s);

/*
 * True for n bytes of HOST[:PORT]: letters, digits, ".", "-" and "_", or an
 * address of IPv6 in brackets; and a port from 1 to 65535.
 */
bool address_is_host(const char *s, size_t n);

/*
 * True for https://HOST[:PORT][/...] in printable ASCII without blanks,
 * quotes, backslash, user or fragment.
 */
bool address_is_url(const char *s);

#define ADDRESS_PORTS_MAX 16

/* Ports that URLs may have. */
struct address_ports {
	size_t n;
	uint16_t list[ADDRESS_PORTS_MAX];
};

/*
 * Reads one to ADDRESS_PORTS_MAX ports, separated by blanks or commas.
 * ERR_INVALID.
 */
int address_read_ports(const char *s, struct address_ports *out)
    __attribute__((warn_unused_result));

/* True if a URL, for which address_is_url() holds, has one of them; without one
 * it is 443. */
bool address_has_port(const struct address_ports *p, const char *url);

#endif
