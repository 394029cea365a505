/* SPDX-License-Identifier: ISC */
#include "web/web_route.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/base/utf8.h"
#include "common/record/order.h"

#define HTML "text/html; charset=utf-8"
#define PLAIN "text/plain; charset=utf-8"
#define ATOM "application/atom+xml"
#define WEB_ROUTE_TARGET 2048 /* bytes of a target at most */

static const struct web_route web_routes[] = {
    {"/", WEB_LOBBY, HTML, WEB_KEEP_LIST, WEB_CSP_PAGE, false,
	"system event phase before", "all games"},
    {"/live", WEB_LIVE, HTML, WEB_KEEP_LIST, WEB_CSP_PAGE, false, "refresh",
	"games with a line in the last hour"},
    {"/g/{id}/", WEB_GAME, HTML, WEB_KEEP_GAME, WEB_CSP_PAGE, false, "refresh",
	"a game"},
    {"/g/{id}/t/{n}", WEB_TURN, HTML, WEB_KEEP_GAME, WEB_CSP_PAGE, false, "",
	"one turn of it"},
    {"/g/{id}/c/{n}", WEB_COMBAT, HTML, WEB_KEEP_GAME, WEB_CSP_PAGE, false, "",
	"one combat of it"},
    {"/g/{id}/p/{part}", WEB_PART, HTML, WEB_KEEP_WORDS, WEB_CSP_PAGE, false,
	"", "a part of its page as of a line, and of texts that were erased"},
    {"/g/{id}/{n}/dice", WEB_DICE, HTML, WEB_KEEP_EVER, WEB_CSP_PAGE, false, "",
	"the proof of each die of a line"},
    {"/g/{id}/l/{n}", WEB_LINE, "application/json", WEB_KEEP_EVER, WEB_CSP_DATA,
	true, "", "a line's own bytes"},
    {"/g/{id}/record.jsonl", WEB_RECORD, "application/jsonl", WEB_KEEP_GAME,
	WEB_CSP_DATA, true, "", "the record, to be verified"},
    {"/g/{id}/log.txt", WEB_LOG_TEXT, PLAIN, WEB_KEEP_GAME, WEB_CSP_DATA, true,
	"", "the battle as text"},
    {"/g/{id}/log.md", WEB_LOG_MARKDOWN, "text/markdown; charset=utf-8",
	WEB_KEEP_GAME, WEB_CSP_DATA, true, "", "as Markdown"},
    {"/g/{id}/log.json", WEB_LOG_JSON, "application/json", WEB_KEEP_GAME,
	WEB_CSP_DATA, true, "", "as JSON"},
    {"/g/{id}/dice.csv", WEB_CSV, "text/csv; charset=utf-8", WEB_KEEP_GAME,
	WEB_CSP_DATA, true, "", "all dice, for spreadsheets"},
    {"/g/{id}/events", WEB_EVENTS, "text/event-stream", WEB_KEEP_NOT,
	WEB_CSP_DATA, false, "after epoch", "new lines as they come"},
    {"/g/{id}/at", WEB_AT, "application/json", WEB_KEEP_AT, WEB_CSP_DATA, true,
	"", "the last line's number"},
    {"/g/{id}/feed.atom", WEB_FEED, ATOM, WEB_KEEP_FEED, WEB_CSP_DATA, true, "",
	"a feed of its combats"},
    {"/g/{id}/card.svg", WEB_CARD, "image/svg+xml", WEB_KEEP_GAME, WEB_CSP_DATA,
	true, "", "a picture of how it stands"},
    {"/g/{id}/{n}.png", WEB_PNG, "image/png", WEB_KEEP_WORDS, WEB_CSP_DATA,
	true, "",
	"the same for previews of links, as it stood after that line"},
    {"/g/{id}/embed", WEB_EMBED, HTML, WEB_KEEP_GAME, WEB_CSP_EMBED, true, "",
	"a small page for frames"},
    {"/g/{id}/evidence.jsonl", WEB_EVIDENCE, "application/jsonl",
	WEB_KEEP_BRIEF, WEB_CSP_DATA, true, "",
	"proof that the server has signed two histories of it"},
    {"/u/{name}", WEB_PLAYER, HTML, WEB_KEEP_BRIEF, WEB_CSP_PAGE, false,
	"before", "a player's games"},
    {"/u/{name}/feed.atom", WEB_PLAYER_FEED, ATOM, WEB_KEEP_FEED, WEB_CSP_DATA,
	true, "", "a feed of them"},
    {"/e/{event}", WEB_EVENT, HTML, WEB_KEEP_BRIEF, WEB_CSP_PAGE, false,
	"before", "an event's games, and its crosstable"},
    {"/e/{event}/feed.atom", WEB_EVENT_FEED, ATOM, WEB_KEEP_FEED, WEB_CSP_DATA,
	true, "", "a feed of them"},
    {"/t/{id}/", WEB_CUP, HTML, WEB_KEEP_BRIEF, WEB_CSP_PAGE, false, "",
	"a tournament"},
    {"/t/{id}/standings", WEB_CUP_STANDINGS, HTML, WEB_KEEP_BRIEF, WEB_CSP_PAGE,
	false, "", "its standings"},
    {"/t/{id}/crosstable", WEB_CUP_CROSSTABLE, HTML, WEB_KEEP_BRIEF,
	WEB_CSP_PAGE, false, "", "who met whom"},
    {"/t/{id}/r/{n}", WEB_CUP_ROUND, HTML, WEB_KEEP_BRIEF, WEB_CSP_PAGE, false,
	"", "the tables of a round"},
    {"/t/{id}/why/{n}", WEB_CUP_WHY, HTML, WEB_KEEP_BRIEF, WEB_CSP_PAGE, false,
	"", "what an entrant's tie-breaks add up"},
    {"/t/{id}/record.jsonl", WEB_CUP_RECORD, "application/jsonl",
	WEB_KEEP_BRIEF, WEB_CSP_DATA, true, "", "its record, to be verified"},
    {"/t/{id}/at", WEB_CUP_AT, "application/json", WEB_KEEP_AT, WEB_CSP_DATA,
	true, "", "how it stands"},
    {"/t/{id}/evidence.jsonl", WEB_CUP_EVIDENCE, "application/jsonl",
	WEB_KEEP_BRIEF, WEB_CSP_DATA, true, "",
	"proof that the server has signed two histories of it"},
    {"/verify", WEB_VERIFY, HTML, WEB_KEEP_HOUR, WEB_CSP_VERIFY, false, "",
	"checks records that are dropped on it"},
    {"/odds", WEB_ODDS, HTML, WEB_KEEP_HOUR, WEB_CSP_VERIFY, false, "",
	"the odds of a combat"},
    {"/s/{hash}/{file}", WEB_STATIC, "", WEB_KEEP_EVER, WEB_CSP_PAGE, false, "",
	"style, scripts and the program that checks"},
    {"/robots.txt", WEB_ROBOTS, PLAIN, WEB_KEEP_HOUR, WEB_CSP_DATA, false, "",
	"what programs may read"},
    {"/.well-known/security.txt", WEB_SECURITY, PLAIN, WEB_KEEP_HOUR,
	WEB_CSP_DATA, false, "", "where faults are told of (RFC 9116)"},
    {"/favicon.ico", WEB_ICON, "", WEB_KEEP_HOUR, WEB_CSP_DATA, false, "",
	"nothing, since browsers ask for it unasked"},
};
#define WEB_ROUTES (sizeof(web_routes) / sizeof(web_routes[0]))

const struct web_route *
web_route_all(size_t *n)
{
	*n = WEB_ROUTES;
	return (web_routes);
}

/* True for what may stand in a target as it is. */
static bool
web_route_is_plain(char c)
{
	return ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') ||
	    (c != '\0' && strchr("-._~/@:!$&'()*+,;=?", c) != NULL));
}

/* The value of a hex digit of either case; -1. */
static int
web_route_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (c - '0');
	if (c >= 'a' && c <= 'f')
		return (c - 'a' + 10);
	return (c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1);
}

/*
 * Copies n bytes to out (room for max and a terminator), percent signs read;
 * a plus is a blank if is_query.  False, and out is "": too long, no UTF-8, or
 * control characters.
 */
static bool
web_route_decode(char *out, size_t max, const char *s, size_t n, bool is_query)
{
	size_t i, len = 0;
	int c;

	for (i = 0; i < n; i++) {
		c = (unsigned char)s[i];
		if (c == '%') {
			c = web_route_digit(s[i + 1]) * 16 +
			    web_route_digit(s[i + 2]);
			i += 2;
		} else if (c == '+' && is_query) {
			c = ' ';
		}
		if (len == max || c < 0x20 || c == 0x7f)
			break;
		out[len++] = (char)c;
	}
	out[len] = '\0';
	if (i == n && utf8_is_valid(out, len))
		return (true);
	out[0] = '\0';
	return (false);
}

/* Reads a number without leading zeros from *s on; false if there is none. */
static bool
web_route_number(const char **s, const char *end, int64_t *out)
{
	const char *p = *s;
	int64_t n = 0;

	if (p == end || *p < '0' || *p > '9' ||
	    (*p == '0' && p + 1 < end && p[1] >= '0' && p[1] <= '9'))
		return (false);
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if ((n = n * 10 + (*p - '0')) > WEB_ROUTE_NUMBER)
			return (false);
	}
	*s = p;
	*out = n;
	return (true);
}

/* Reads c4@17, t3@17 or now@17, and what follows a dot. */
static bool
web_route_part(const char *s, const char *end, struct web_target *t)
{
	t->part = *s;
	if (end - s > 3 && memcmp(s, "now", 3) == 0) {
		s += 3;
	} else if ((*s == 'c' || *s == 't') && end - s > 1) {
		s++;
		if (!web_route_number(&s, end, &t->n))
			return (false);
	} else {
		return (false);
	}
	if (s == end || *s != '@')
		return (false);
	s++;
	if (!web_route_number(&s, end, &t->as_of))
		return (false);
	if (s < end && *s == '.') {
		s++;
		/* None has one address, without a dot. */
		if (!web_route_number(&s, end, &t->epoch) || t->epoch == 0)
			return (false);
	}
	return (s == end);
}

/* Copies lower-case hex digits; false if they are others, or not so many. */
static bool
web_route_hex(char *out, const char *s, size_t n, size_t lo, size_t hi)
{
	size_t i;

	if (n < lo || n > hi)
		return (false);
	for (i = 0; i < n; i++) {
		if (web_route_digit(s[i]) == -1 || (s[i] >= 'A' && s[i] <= 'F'))
			return (false);
	}
	memcpy(out, s, n);
	out[n] = '\0';
	return (true);
}

/* Reads one {piece} of a pattern, n bytes at s. */
static bool
web_route_piece(
    const char *piece, const char *s, size_t n, struct web_target *t)
{
	const char *p = s;

	if (strncmp(piece, "{id}", 4) == 0)
		return (
		    web_route_hex(t->id, s, n, WEB_ROUTE_DIGITS, 2 * HASH_LEN));
	if (strncmp(piece, "{hash}", 6) == 0)
		return (web_route_hex(t->hash, s, n, 16, 16));
	if (strncmp(piece, "{n}", 3) == 0)
		return (web_route_number(&p, s + n, &t->n) && p == s + n);
	if (strncmp(piece, "{part}", 6) == 0)
		return (web_route_part(s, s + n, t));
	if (n < sizeof(t->raw) && piece[1] != 'f') {
		memcpy(t->raw, s, n);
		t->raw[n] = '\0';
	}
	if (strncmp(piece, "{event}", 7) == 0)
		return (n > 0 && n < sizeof(t->raw) &&
		    web_route_decode(t->name, WEB_ROUTE_EVENT, s, n, false));
	if (memchr(s, '%', n) != NULL)
		return (false);
	if (strncmp(piece, "{name}", 6) == 0)
		return (
		    web_route_decode(t->name, ORDER_ACCOUNT_MAX, s, n, false) &&
		    order_is_account(t->name));
	return (n > 0 &&
	    web_route_decode(t->file, sizeof(t->file) - 1, s, n, false));
}

/* Holds n bytes of a path against a pattern. */
static bool
web_route_fits(
    const char *pattern, const char *path, size_t n, struct web_target *t)
{
	const char *end = path + n;
	char stop;
	size_t len;

	while (*pattern != '\0') {
		if (*pattern != '{') {
			if (path == end || *path++ != *pattern++)
				return (false);
			continue;
		}
		stop = strchr(pattern, '}')[1];
		for (len = 0;
		     path + len < end && path[len] != '/' && path[len] != stop;
		     len++)
			;
		if (!web_route_piece(pattern, path, len, t))
			return (false);
		path += len;
		pattern = strchr(pattern, '}') + 1;
	}
	return (path == end);
}

/* True if a list of names has one of n bytes. */
static bool
web_route_takes(const char *list, const char *name, size_t n)
{
	size_t len;

	for (; *list != '\0'; list += len + strspn(list + len, " ")) {
		len = strcspn(list, " ");
		if (len == n && memcmp(list, name, n) == 0)
			return (true);
	}
	return (false);
}

/* Reads one name=value of the query; false if it does not belong there. */
static bool
web_route_query(struct web_target *t, const char *s, size_t n)
{
	const char *sign = memchr(s, '=', n), *v, *end = s + n;
	size_t len, left;

	if (sign == NULL || t->route == NULL)
		return (false);
	len = (size_t)(sign - s);
	v = sign + 1;
	left = (size_t)(end - v);
	if (left == 0 || !web_route_takes(t->route->query, s, len))
		return (false);
	/* Those that there are differ by their first two letters. */
	switch (s[0] == 'e' && s[1] == 'p' ? 'n' : s[0]) {
	case 's':
		return (web_route_decode(
		    t->system, sizeof(t->system) - 1, v, left, true));
	case 'e':
		return (web_route_decode(
		    t->event, sizeof(t->event) - 1, v, left, true));
	case 'p':
		return (web_route_decode(
		    t->phase, sizeof(t->phase) - 1, v, left, true));
	case 'b':
		return (web_route_decode(
		    t->before, sizeof(t->before) - 1, v, left, true));
	case 'a':
		return (web_route_number(&v, end, &t->after) && v == end);
	case 'n':
		t->has_epoch = true;
		return (web_route_number(&v, end, &t->epoch) && v == end);
	default:
		return (web_route_number(&v, end, &t->refresh) && v == end);
	}
}

int
web_route_read(const char *target, struct web_target *t)
{
	const char *end, *mark, *s;
	size_t i, n;

	memset(t, 0, sizeof(*t));
	t->after = -1;
	if (target == NULL || target[0] != '/')
		return (ERR_MALFORMED);
	for (s = target; *s != '\0'; s++) {
		if (*s == '%') {
			if (web_route_digit(s[1]) == -1 ||
			    web_route_digit(s[2]) == -1)
				return (ERR_MALFORMED);
		} else if (!web_route_is_plain(*s)) {
			return (ERR_MALFORMED);
		}
		if (s - target >= WEB_ROUTE_TARGET)
			return (ERR_MALFORMED);
	}
	end = s;
	mark = strchr(target, '?');
	n = (size_t)((mark == NULL ? end : mark) - target);
	for (i = 0; t->route == NULL && i < WEB_ROUTES; i++) {
		if (web_route_fits(web_routes[i].pattern, target, n, t))
			t->route = &web_routes[i];
		/* A game's address as people type it. */
		else if ((web_routes[i].what == WEB_GAME ||
			     web_routes[i].what == WEB_CUP) &&
		    web_route_fits(
			web_routes[i].what == WEB_GAME ? "/g/{id}" : "/t/{id}",
			target, n, t)) {
			t->route = &web_routes[i];
			t->wants_slash = true;
		}
	}
	for (s = mark; s != NULL && s < end; s += 1 + n) {
		n = strcspn(s + 1, "&");
		if (!web_route_query(t, s + 1, n))
			t->has_stray = true;
	}
	return (0);
}

void
web_route_bare(const char *target, struct buf *out)
{
	const char *s = target + strcspn(target, "?");
	struct web_target t;
	char sep = '?';
	size_t n;

	buf_add(out, target, (size_t)(s - target));
	if (web_route_read(target, &t) != 0)
		s = "";
	for (; *s != '\0'; s += 1 + n) {
		n = strcspn(s + 1, "&");
		if (!web_route_query(&t, s + 1, n))
			continue;
		buf_putc(out, sep);
		buf_add(out, s + 1, n);
		sep = '&';
	}
}

const char *
web_route_keep(enum web_keep keep, bool is_over)
{
	switch (keep) {
	case WEB_KEEP_NOT:
		break;
	case WEB_KEEP_LIST:
		return ("public, max-age=5");
	case WEB_KEEP_GAME:
		return (is_over
			? "public, max-age=300, stale-while-revalidate=30"
			: "public, max-age=2, stale-while-revalidate=30");
	case WEB_KEEP_WORDS:
	case WEB_KEEP_FEED:
		return ("public, max-age=60");
	case WEB_KEEP_EVER:
		return ("public, max-age=31536000, immutable");
	case WEB_KEEP_AT:
		return ("public, max-age=2, stale-while-revalidate=10");
	case WEB_KEEP_BRIEF:
		return ("public, max-age=10");
	case WEB_KEEP_HOUR:
		return ("public, max-age=3600");
	}
	return ("no-store");
}

const char *
web_route_keep_name(enum web_keep keep)
{
	static const char *const names[] = {
	    [WEB_KEEP_NOT] = "not",
	    [WEB_KEEP_LIST] = "list",
	    [WEB_KEEP_GAME] = "game",
	    [WEB_KEEP_WORDS] = "words",
	    [WEB_KEEP_EVER] = "ever",
	    [WEB_KEEP_AT] = "at",
	    [WEB_KEEP_BRIEF] = "brief",
	    [WEB_KEEP_FEED] = "feed",
	    [WEB_KEEP_HOUR] = "hour",
	};

	return (names[keep]);
}

#define WEB_CSP_SELF                                                          \
	"default-src 'none'; style-src 'self'; script-src 'self' "            \
	"'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; img-src " \
	"'self'; base-uri 'none'; form-action 'none'; "

const char *
web_route_csp(enum web_csp csp)
{
	switch (csp) {
	case WEB_CSP_PAGE:
	case WEB_CSP_VERIFY:
		return (WEB_CSP_SELF "frame-ancestors 'none'");
	case WEB_CSP_EMBED:
		return (WEB_CSP_SELF "frame-ancestors *");
	case WEB_CSP_DATA:
		break;
	}
	return ("default-src 'none'; frame-ancestors 'none'; sandbox");
}

const char *
web_route_csp_name(enum web_csp csp)
{
	static const char *const names[] = {
	    [WEB_CSP_PAGE] = "page",
	    [WEB_CSP_EMBED] = "embed",
	    [WEB_CSP_VERIFY] = "verify",
	    [WEB_CSP_DATA] = "data",
	};

	return (names[csp]);
}
