/* SPDX-License-Identifier: ISC */
#include "web/web_fence.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "web/web_route.h"

void
web_fence_init(struct web_fence *f)
{
	memset(f, 0, sizeof(*f));
}

bool
web_fence_is_bad(const struct web_fence *f)
{
	return (f->is_bad);
}

/* True for what a header's name is made of (RFC 9110 5.6.2). */
static bool
web_fence_is_token(unsigned char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') ||
	    (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL));
}

/* A line has ended. */
static void
web_fence_line(struct web_fence *f)
{
	switch ((enum web_fence_state)f->state) {
	case WEB_FENCE_START:
		/* One empty line before a request is harmless. */
		break;
	case WEB_FENCE_REQUEST:
	case WEB_FENCE_VALUE:
		f->state = WEB_FENCE_LINE;
		break;
	case WEB_FENCE_LINE:
		f->state = WEB_FENCE_START;
		break;
	default:
		/* A name without its colon. */
		f->is_bad = true;
	}
}

/* Looks at a byte that ends no line. */
static void
web_fence_byte(struct web_fence *f, unsigned char c)
{
	if ((c < 0x20 && c != '\t') || c == 0x7f)
		f->is_bad = true;
	switch ((enum web_fence_state)f->state) {
	case WEB_FENCE_START:
		f->state = WEB_FENCE_REQUEST;
		break;
	case WEB_FENCE_LINE:
		/* It begins with its name: it goes on from no other line. */
		if (!web_fence_is_token(c))
			f->is_bad = true;
		f->state = WEB_FENCE_NAME;
		break;
	case WEB_FENCE_NAME:
		if (c == ':')
			f->state = WEB_FENCE_VALUE;
		else if (!web_fence_is_token(c))
			f->is_bad = true;
		break;
	default:
		break;
	}
}

void
web_fence_take(struct web_fence *f, const unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && !f->is_bad; i++) {
		if (p[i] == '\n') {
			if (!f->has_cr)
				f->is_bad = true;
			web_fence_line(f);
			f->has_cr = false;
		} else if (f->has_cr) {
			f->is_bad = true;
		} else if (p[i] == '\r') {
			f->has_cr = true;
		} else {
			web_fence_byte(f, p[i]);
		}
	}
}

bool
web_fence_takes_gzip(const char *value)
{
	const char *q;
	size_t n;

	for (; *value != '\0'; value += n + (value[n] == ',')) {
		value += strspn(value, " \t");
		n = strcspn(value, ",");
		if (n < 4 || strncasecmp(value, "gzip", 4) != 0 ||
		    (n > 4 && strchr(" \t;", value[4]) == NULL))
			continue;
		q = memchr(value, '=', n);
		/* q=0, q=0.0 and so on: it is refused. */
		return (q == NULL ||
		    strspn(q + 1, "0. \t") < (size_t)(value + n - q) - 1);
	}
	return (false);
}

int64_t
web_fence_last_id(const char *value)
{
	long long n;
	char *end;

	if (value[0] < '0' || value[0] > '9')
		return (-2);
	n = strtoll(value, &end, 10);
	return (*end != '\0' || n > WEB_ROUTE_NUMBER ? -2 : n);
}

bool
web_fence_range(const char *s, size_t len, size_t *from, size_t *n)
{
	unsigned long long a = 0, b = len == 0 ? 0 : len - 1;
	char *end;

	if (s == NULL || strncmp(s, "bytes=", 6) != 0 || len == 0 ||
	    strchr(s, ',') != NULL)
		return (false);
	s += 6;
	if (*s == '-') {
		a = strtoull(s + 1, &end, 10);
		if (end == s + 1 || *end != '\0' || a == 0)
			return (false);
		a = a > len ? 0 : len - a;
	} else {
		if (*s < '0' || *s > '9')
			return (false);
		a = strtoull(s, &end, 10);
		if (*end++ != '-')
			return (false);
		if (*end != '\0') {
			s = end;
			if (*s < '0' || *s > '9')
				return (false);
			b = strtoull(s, &end, 10);
			if (*end != '\0' || b < a)
				return (false);
		}
		if (b > len - 1)
			b = len - 1;
	}
	*from = (size_t)a;
	*n = a > b ? 0 : (size_t)(b - a + 1);
	return (true);
}

bool
web_fence_names(const char *value, const char *etag)
{
	const size_t len = strlen(etag);
	const char *p = value + strspn(value, " \t");
	size_t n;

	if (*p == '*')
		return (p[1 + strspn(p + 1, " \t")] == '\0');
	while (*p != '\0') {
		if (strncmp(p, "W/", 2) == 0)
			p += 2;
		if (*p++ != '"')
			return (false);
		n = strcspn(p, "\"");
		if (p[n] == '\0')
			return (false);
		if (strncmp(p, etag, len) == 0 &&
		    (n == len ||
			(n == len + 3 && memcmp(p + len, "-gz", 3) == 0)))
			return (true);
		p += n + 1;
		p += strspn(p, " \t,");
	}
	return (false);
}
