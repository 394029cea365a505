/* SPDX-License-Identifier: ISC */
#include "server/base/address.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"

#define ADDRESS_LOCAL_MAX 64 /* bytes before the @ (RFC 5321) */
#define ADDRESS_LABEL_MAX 63 /* bytes between two dots (RFC 1035) */

#define ADDRESS_ALNUM \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

/* True if s is a name of at least two labels, or localhost. */
static bool
address_is_domain(const char *s)
{
	size_t labels = 0, n;

	if (strcmp(s, "localhost") == 0)
		return (true);
	for (;;) {
		n = strspn(s, ADDRESS_ALNUM "-");
		if (n == 0 || n > ADDRESS_LABEL_MAX || s[0] == '-' ||
		    s[n - 1] == '-')
			return (false);
		labels++;
		if (s[n] == '\0')
			return (labels > 1);
		if (s[n] != '.')
			return (false);
		s += n + 1;
	}
}

bool
address_is_mail(const char *s)
{
	const size_t n = strspn(s, ADDRESS_ALNUM "._%+-");

	return (strlen(s) <= ADDRESS_MAIL_MAX && n > 0 &&
	    n <= ADDRESS_LOCAL_MAX && s[0] != '-' && s[n] == '@' &&
	    address_is_domain(s + n + 1));
}

/* True for n bytes of nothing, or of a colon and a port. */
static bool
address_is_port(const char *s, size_t n)
{
	unsigned port = 0;
	size_t i;

	if (n == 0)
		return (true);
	if (s[0] != ':' || n < 2 || n > 6)
		return (false);
	for (i = 1; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return (false);
		port = 10 * port + (unsigned)(s[i] - '0');
	}
	return (port > 0 && port <= 65535);
}

bool
address_is_host(const char *s, size_t n)
{
	size_t host;

	if (n > 0 && s[0] == '[') {
		host = 1 + strspn(s + 1, "0123456789ABCDEFabcdef:.");
		if (host < 3 || host >= n || s[host] != ']')
			return (false);
		host++;
	} else {
		host = strspn(s, ADDRESS_ALNUM ".-_");
		if (host == 0 || host > n || s[0] == '.' || s[0] == '-')
			return (false);
	}
	return (address_is_port(s + host, n - host));
}

bool
address_is_url(const char *s)
{
	static const char scheme[] = "https://";
	size_t host, i;

	if (strlen(s) > ADDRESS_URL_MAX ||
	    strncmp(s, scheme, strlen(scheme)) != 0)
		return (false);
	for (i = 0; s[i] != '\0'; i++) {
		if (s[i] <= ' ' || s[i] > '~' ||
		    strchr("\"#<>\\^`{|}", s[i]) != NULL)
			return (false);
	}
	s += strlen(scheme);
	host = strcspn(s, "/?");
	return (address_is_host(s, host));
}

int
address_read_ports(const char *s, struct address_ports *out)
{
	struct address_ports p = {.n = 0};
	unsigned port;
	size_t i, n;

	for (s += strspn(s, " ,"); *s != '\0'; s += n, s += strspn(s, " ,")) {
		n = strcspn(s, " ,");
		if (n > 5 || p.n == ADDRESS_PORTS_MAX)
			return (ERR_INVALID);
		for (port = 0, i = 0; i < n; i++) {
			if (s[i] < '0' || s[i] > '9')
				return (ERR_INVALID);
			port = 10 * port + (unsigned)(s[i] - '0');
		}
		if (port < 1 || port > 65535)
			return (ERR_INVALID);
		p.list[p.n++] = (uint16_t)port;
	}
	if (p.n == 0)
		return (ERR_INVALID);
	*out = p;
	return (0);
}

bool
address_has_port(const struct address_ports *p, const char *url)
{
	const char *host = url + strlen("https://"), *colon;
	const size_t len = strcspn(host, "/?");
	const size_t skip = host[0] == '[' ? strcspn(host, "]") : 0;
	unsigned long port = 443;
	size_t i;

	colon = memchr(host + skip, ':', len - skip);
	if (colon != NULL)
		port = strtoul(colon + 1, NULL, 10);
	for (i = 0; i < p->n; i++) {
		if (p->list[i] == port)
			return (true);
	}
	return (false);
}
