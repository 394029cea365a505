/* SPDX-License-Identifier: ISC */
/*
 * What a stranger sends to umpire-web: the bytes of requests, whose form must
 * not depend on how they come in pieces; the target of the first, of which
 * nothing but what the table of addresses allows may come; and the values of
 * the headers that are read.
 */
#include <ctype.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/utf8.h"
#include "common/record/order.h"
#include "server/base/net.h"
#include "tests/fuzz/fuzz.h"
#include "web/web_fence.h"
#include "web/web_from.h"
#include "web/web_route.h"

#define FUZZ_WEB_MAX 16384

/* True if the bytes have the lines and bytes that HTTP has. */
static bool
is_plain(const uint8_t *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (p[i] == '\n' ? i == 0 || p[i - 1] != '\r'
				 : i > 0 && p[i - 1] == '\r')
			return (false);
		if (p[i] == 0x7f ||
		    (p[i] < 0x20 && strchr("\t\r\n", p[i]) == NULL) ||
		    p[i] == 0)
			return (false);
	}
	return (true);
}

/* The fence, whole and in pieces. */
static void
fences(const uint8_t *p, size_t n)
{
	struct web_fence one, two;
	size_t i, step;

	web_fence_init(&one);
	web_fence_take(&one, p, n);
	web_fence_init(&two);
	for (i = 0; i < n; i += step) {
		step = 1 + p[i] % 7;
		if (step > n - i)
			step = n - i;
		web_fence_take(&two, p + i, step);
	}
	FUZZ_MUST(web_fence_is_bad(&one) == web_fence_is_bad(&two));
	FUZZ_MUST(web_fence_is_bad(&one) || one.state == two.state);
	FUZZ_MUST(web_fence_is_bad(&one) || is_plain(p, n));
}

/* True for a text that a page may be asked for by. */
static bool
is_text(const char *s)
{
	const char *p;

	for (p = s; *p != '\0'; p++) {
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return (false);
	}
	return (utf8_is_valid(s, strlen(s)));
}

/* The digits of a game. */
static bool
is_id(const char *s)
{
	const size_t n = strspn(s, "0123456789abcdef");

	return (s[n] == '\0' && n >= WEB_ROUTE_DIGITS && n <= 64);
}

/* A target, and what came of it. */
static void
targets(const char *s)
{
	struct web_target t, again;
	const char *pattern;
	struct buf bare;
	const int r = web_route_read(s, &t);

	FUZZ_MUST(web_route_read(s, &again) == r);
	if (r != 0)
		return;
	FUZZ_MUST(s[0] == '/' && t.route == again.route);
	FUZZ_MUST(s[strspn(s,
		      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		      "0123456789-._~/@:!$&'()*+,;=?%")] == '\0');
	FUZZ_MUST(is_text(t.system) && is_text(t.event) && is_text(t.phase) &&
	    is_text(t.before));
	FUZZ_MUST(t.after >= -1 && t.after <= WEB_ROUTE_NUMBER);
	FUZZ_MUST(t.refresh >= 0 && t.refresh <= WEB_ROUTE_NUMBER);
	if (t.route == NULL)
		return;
	pattern = t.route->pattern;
	if (strstr(pattern, "{id}") != NULL)
		FUZZ_MUST(is_id(t.id));
	if (strstr(pattern, "{n}") != NULL)
		FUZZ_MUST(t.n >= 0 && t.n <= WEB_ROUTE_NUMBER);
	if (strstr(pattern, "{part}") != NULL)
		FUZZ_MUST(strchr("ctn", t.part) != NULL && t.part != '\0' &&
		    t.as_of >= 0 && t.as_of <= WEB_ROUTE_NUMBER && t.n >= 0);
	FUZZ_MUST(t.epoch >= 0 && t.epoch <= WEB_ROUTE_NUMBER);
	if (strstr(pattern, "{name}") != NULL)
		FUZZ_MUST(order_is_account(t.name));
	if (strstr(pattern, "{event}") != NULL)
		FUZZ_MUST(t.name[0] != '\0' && is_text(t.name));
	if (strstr(pattern, "{hash}") != NULL)
		FUZZ_MUST(strlen(t.hash) == 16 && strchr(t.file, '/') == NULL &&
		    t.file[0] != '\0');
	if (strchr(s, '?') == NULL)
		FUZZ_MUST(!t.has_stray);
	/* What it is led to is taken as it is. */
	buf_init(&bare, 0);
	web_route_bare(s, &bare);
	FUZZ_MUST(web_route_read(buf_str(&bare), &again) == 0 &&
	    !again.has_stray && again.route == t.route &&
	    (t.has_stray || strcmp(buf_str(&bare), s) == 0));
	buf_clear(&bare);
}

/* Whose a request is, as a proxy says: always the same, and of one form. */
static void
readers(const char *s)
{
	static const uint8_t zeros[8], mapped[12] = {[10] = 0xff, [11] = 0xff};
	struct web_from from, again;
	struct net_list proxies;

	FUZZ_MUST(net_list_read("10.0.0.0/8 ::1", &proxies, NULL) == 0);
	web_from_header(s, &proxies, &from);
	web_from_header(s, &proxies, &again);
	FUZZ_MUST(from.is_known == again.is_known &&
	    memcmp(from.net, again.net, sizeof(from.net)) == 0);
	FUZZ_MUST(!from.is_known || strpbrk(s, ".:") != NULL);
	FUZZ_MUST(!from.is_known || memcmp(from.net, mapped, 12) == 0 ||
	    memcmp(from.net + 8, zeros, 8) == 0);
}

/* The value of a header. */
static void
values(const char *s)
{
	static const size_t lens[] = {0, 1, 7, 100000};
	size_t from, i, n;
	int64_t id;

	readers(s);
	id = web_fence_last_id(s);
	FUZZ_MUST(id == -2 || (id >= 0 && id <= WEB_ROUTE_NUMBER));
	FUZZ_MUST(id == -2 || (isdigit((unsigned char)s[0]) && atoll(s) == id));
	if (web_fence_names(s, "d1"))
		FUZZ_MUST(s[strspn(s, " \t")] == '*' ||
		    strstr(s, "\"d1\"") != NULL ||
		    strstr(s, "\"d1-gz\"") != NULL);
	if (web_fence_takes_gzip(s))
		FUZZ_MUST(strcasestr(s, "gzip") != NULL);
	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		if (!web_fence_range(s, lens[i], &from, &n))
			continue;
		FUZZ_MUST(strncmp(s, "bytes=", 6) == 0);
		FUZZ_MUST(n == 0 || (from < lens[i] && n <= lens[i] - from));
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[FUZZ_WEB_MAX + 1];
	char *line, *next, *p;

	if (size > FUZZ_WEB_MAX)
		return (0);
	fences(data, size);
	memcpy(text, data, size);
	text[size] = '\0';
	targets(text);
	values(text);
	for (line = text; line != NULL; line = next) {
		if ((next = strchr(line, '\n')) != NULL)
			*next++ = '\0';
		line[strcspn(line, "\r")] = '\0';
		if (line == text && (p = strchr(line, ' ')) != NULL) {
			p[1 + strcspn(p + 1, " ")] = '\0';
			targets(p + 1);
		} else if ((p = strchr(line, ':')) != NULL) {
			values(p + 1 + strspn(p + 1, " \t"));
		}
	}
	return (0);
}
