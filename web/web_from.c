/* SPDX-License-Identifier: ISC */
#include "web/web_from.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "server/base/net.h"

#define WEB_FROM_TEXT 46 /* bytes of an address, and a terminator */
#define WEB_FROM_NET 8 /* bytes of a network of IPv6 */

/* Takes an address; false if it is none of a network. */
static bool
web_from_take(const struct sockaddr_storage *ss, struct web_from *out)
{
	const struct sockaddr_in6 *in6 = (const void *)ss;
	const struct sockaddr_in *in = (const void *)ss;

	memset(out, 0, sizeof(*out));
	if (ss->ss_family == AF_INET) {
		out->net[10] = out->net[11] = 0xff;
		memcpy(out->net + 12, &in->sin_addr, 4);
	} else if (ss->ss_family != AF_INET6) {
		return (false);
	} else if (IN6_IS_ADDR_V4MAPPED(&in6->sin6_addr)) {
		memcpy(out->net, &in6->sin6_addr, 16);
	} else {
		memcpy(out->net, &in6->sin6_addr, WEB_FROM_NET);
	}
	out->is_known = true;
	return (true);
}

bool
web_from_peer(int fd, const struct net_list *proxies, struct web_from *out)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);

	memset(&ss, 0, sizeof(ss));
	memset(out, 0, sizeof(*out));
	if (getpeername(fd, (struct sockaddr *)&ss, &len) == -1)
		return (false); /* it has ended */
	if (web_from_take(&ss, out) &&
	    !net_list_has(proxies, (struct sockaddr *)&ss))
		return (false);
	out->is_known = false;
	return (true);
}

/* Reads n bytes as an address; false: they are none. */
static bool
web_from_read(const char *s, size_t n, struct sockaddr_storage *ss)
{
	struct sockaddr_in6 *in6 = (void *)ss;
	struct sockaddr_in *in = (void *)ss;
	char text[WEB_FROM_TEXT];

	memset(ss, 0, sizeof(*ss));
	if (n >= sizeof(text))
		return (false);
	memcpy(text, s, n);
	text[n] = '\0';
	if (inet_pton(AF_INET, text, &in->sin_addr) == 1)
		ss->ss_family = AF_INET;
	else if (inet_pton(AF_INET6, text, &in6->sin6_addr) == 1)
		ss->ss_family = AF_INET6;
	return (ss->ss_family != 0);
}

void
web_from_header(
    const char *value, const struct net_list *proxies, struct web_from *out)
{
	const char *end = value + strlen(value), *p;
	struct sockaddr_storage ss;

	memset(out, 0, sizeof(*out));
	for (;;) {
		while (end > value && strchr(" \t", end[-1]) != NULL)
			end--;
		for (p = end; p > value && strchr(" \t,", p[-1]) == NULL; p--)
			;
		if (!web_from_read(p, (size_t)(end - p), &ss)) {
			out->is_known = false;
			return;
		}
		(void)web_from_take(&ss, out);
		while (p > value && strchr(" \t", p[-1]) != NULL)
			p--;
		if (p == value || p[-1] != ',' ||
		    !net_list_has(proxies, (struct sockaddr *)&ss))
			return;
		end = p - 1;
	}
}
