/* SPDX-License-Identifier: ISC */
/*
 * Every address is brought into one form, 16 bytes with IPv4 mapped into
 * IPv6, before anything is asked of it: an address has then one spelling
 * only, and cannot pass in another.
 */
#include "server/base/net.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#define NET_TEXT 64 /* bytes of a network in a list, and a terminator */
#define NET_V4_BITS 96 /* before an IPv4 address in its mapped form */
#define NET_V4(a, b, c, d)                                                   \
	{                                                                    \
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, (a), (b), (c), (d) \
	}

/* Before an IPv4 address: mapped (RFC 4291), translated (RFC 6052). */
static const uint8_t net_mapped[12] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
static const uint8_t net_translated[12] = {0, 0x64, 0xff, 0x9b};

/* All of IPv4, and what of it is not public. */
static const struct net net_v4 = {NET_V4(0, 0, 0, 0), NET_V4_BITS};
static const struct net net_v4_special[] = {
    {NET_V4(0, 0, 0, 0), NET_V4_BITS + 8}, /* this network */
    {NET_V4(10, 0, 0, 0), NET_V4_BITS + 8}, /* private */
    {NET_V4(100, 64, 0, 0), NET_V4_BITS + 10}, /* shared */
    {NET_V4(127, 0, 0, 0), NET_V4_BITS + 8}, /* loopback */
    {NET_V4(169, 254, 0, 0), NET_V4_BITS + 16}, /* link-local */
    {NET_V4(172, 16, 0, 0), NET_V4_BITS + 12}, /* private */
    {NET_V4(192, 0, 0, 0), NET_V4_BITS + 24}, /* protocol assignments */
    {NET_V4(192, 0, 2, 0), NET_V4_BITS + 24}, /* documentation */
    {NET_V4(192, 88, 99, 0), NET_V4_BITS + 24}, /* 6to4 relays */
    {NET_V4(192, 168, 0, 0), NET_V4_BITS + 16}, /* private */
    {NET_V4(198, 18, 0, 0), NET_V4_BITS + 15}, /* benchmarking */
    {NET_V4(198, 51, 100, 0), NET_V4_BITS + 24}, /* documentation */
    {NET_V4(203, 0, 113, 0), NET_V4_BITS + 24}, /* documentation */
    {NET_V4(224, 0, 0, 0), NET_V4_BITS + 4}, /* multicast */
    {NET_V4(240, 0, 0, 0), NET_V4_BITS + 4}, /* reserved, broadcast */
};

/* All of IPv6 that is given out, and what of it is not public. */
static const struct net net_v6 = {{0x20}, 3};
static const struct net net_v6_special[] = {
    {{0x20, 0x01}, 23}, /* protocol assignments, Teredo among them */
    {{0x20, 0x01, 0x0d, 0xb8}, 32}, /* documentation */
    {{0x20, 0x02}, 16}, /* 6to4 */
    {{0x3f, 0xff}, 20}, /* documentation */
};

/* True if an address lies in a network. */
static bool
net_has(const struct net *net, const uint8_t addr[16])
{
	const unsigned whole = net->bits / 8, rest = net->bits % 8;

	if (memcmp(net->addr, addr, whole) != 0)
		return (false);
	return (
	    rest == 0 || (net->addr[whole] ^ addr[whole]) >> (8 - rest) == 0);
}

/* The one form of an address; false if it is of another family. */
static bool
net_read_sockaddr(const struct sockaddr *sa, uint8_t addr[16])
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	/* Copied, since nothing says how sa is aligned. */
	if (sa->sa_family == AF_INET) {
		memcpy(&in, sa, sizeof(in));
		memcpy(addr, net_mapped, sizeof(net_mapped));
		memcpy(addr + sizeof(net_mapped), &in.sin_addr, 4);
		return (true);
	}
	if (sa->sa_family != AF_INET6)
		return (false);
	memcpy(&in6, sa, sizeof(in6));
	memcpy(addr, &in6.sin6_addr, 16);
	if (memcmp(addr, net_translated, sizeof(net_translated)) == 0)
		memcpy(addr, net_mapped, sizeof(net_mapped));
	return (true);
}

/* True if a network has bits set besides those that count. */
static bool
net_has_rest(const struct net *net)
{
	unsigned i;

	for (i = net->bits; i < 128; i++) {
		if ((net->addr[i / 8] & 0x80 >> i % 8) != 0)
			return (true);
	}
	return (false);
}

/* Reads the number after the slash, at most max. */
static int
net_read_bits(const char *s, unsigned max, unsigned *out)
{
	unsigned n = 0;
	size_t i;

	for (i = 0; i < 3 && s[i] >= '0' && s[i] <= '9'; i++)
		n = 10 * n + (unsigned)(s[i] - '0');
	if (i == 0 || s[i] != '\0' || n > max)
		return (ERR_INVALID);
	*out = n;
	return (0);
}

/* Reads one network; s is cut at its slash. */
static int
net_read(char *s, struct net *out)
{
	char *slash = strchr(s, '/');
	struct net net = {.bits = 128};
	unsigned bits;

	if (slash != NULL)
		*slash = '\0';
	if (inet_pton(AF_INET, s, net.addr + sizeof(net_mapped)) == 1) {
		memcpy(net.addr, net_mapped, sizeof(net_mapped));
		bits = 32;
		if (slash != NULL && net_read_bits(slash + 1, 32, &bits) != 0)
			return (ERR_INVALID);
		net.bits = NET_V4_BITS + bits;
	} else if (inet_pton(AF_INET6, s, net.addr) == 1) {
		if (slash != NULL &&
		    net_read_bits(slash + 1, 128, &net.bits) != 0)
			return (ERR_INVALID);
		if (net.bits >= NET_V4_BITS &&
		    memcmp(net.addr, net_translated, sizeof(net_translated)) ==
			0)
			memcpy(net.addr, net_mapped, sizeof(net_mapped));
	} else {
		return (ERR_INVALID);
	}
	*out = net;
	return (0);
}

int
net_list_read(const char *text, struct net_list *out, struct errinfo *e)
{
	const char *blanks = " \t,", *s = text;
	char one[NET_TEXT], cut[NET_TEXT];
	struct net_list list = {.n = 0};
	size_t n;

	for (s += strspn(s, blanks); *s != '\0'; s += strspn(s, blanks)) {
		n = strcspn(s, blanks);
		if (list.n == NET_LIST_MAX)
			return (err_set(e, ERR_INVALID, "",
			    "more than %d networks", NET_LIST_MAX));
		(void)memset(one, 0, sizeof(one));
		memcpy(one, s, n < sizeof(one) ? n : sizeof(one) - 1);
		memcpy(cut, one, sizeof(cut));
		if (n >= sizeof(one) || net_read(cut, &list.nets[list.n]) != 0)
			return (err_set(e, ERR_INVALID, "",
			    "\"%s\" is not a network such as 192.168.1.0/24",
			    one));
		if (net_has_rest(&list.nets[list.n]))
			return (err_set(e, ERR_INVALID, "",
			    "\"%s\" has bits set after its first %s", one,
			    strchr(one, '/') + 1));
		list.n++;
		s += n;
	}
	*out = list;
	return (0);
}

bool
net_list_has(const struct net_list *list, const struct sockaddr *sa)
{
	uint8_t addr[16];
	size_t i;

	if (!net_read_sockaddr(sa, addr))
		return (false);
	for (i = 0; i < list->n; i++) {
		if (net_has(&list->nets[i], addr))
			return (true);
	}
	return (false);
}

bool
net_is_within(const struct sockaddr *sa, const struct sockaddr *net,
    const struct sockaddr *mask)
{
	uint8_t a[16], m[16], n[16];
	size_t i;

	if (!net_read_sockaddr(sa, a) || !net_read_sockaddr(net, n) ||
	    !net_read_sockaddr(mask, m))
		return (false);
	if (mask->sa_family == AF_INET)
		memset(m, 0xff, sizeof(net_mapped));
	for (i = 0; i < sizeof(a); i++) {
		if (((a[i] ^ n[i]) & m[i]) != 0)
			return (false);
	}
	return (true);
}

bool
net_is_public(const struct sockaddr *sa)
{
	const struct net *special;
	uint8_t addr[16];
	size_t i, n;

	if (!net_read_sockaddr(sa, addr))
		return (false);
	if (net_has(&net_v4, addr)) {
		special = net_v4_special;
		n = sizeof(net_v4_special) / sizeof(net_v4_special[0]);
	} else if (net_has(&net_v6, addr)) {
		special = net_v6_special;
		n = sizeof(net_v6_special) / sizeof(net_v6_special[0]);
	} else {
		return (false);
	}
	for (i = 0; i < n; i++) {
		if (net_has(&special[i], addr))
			return (false);
	}
	return (true);
}
