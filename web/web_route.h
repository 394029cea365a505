/* SPDX-License-Identifier: ISC */
/*
 * The addresses of the site.  One table says of each what it holds, its type,
 * how long it may be kept and which policies go with it; `umpire-web --routes`
 * prints it.  What is not in it does not exist.
 */
#ifndef UMPIRE_WEB_WEB_ROUTE_H
#define UMPIRE_WEB_WEB_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

struct buf;

#define WEB_ROUTE_DIGITS 8 /* of a game's id, at least */
#define WEB_ROUTE_EVENT 64 /* bytes of an event's name */
#define WEB_ROUTE_NUMBER 999999999

/* What an address holds. */
enum web_what {
	WEB_LOBBY,
	WEB_LIVE,
	WEB_GAME,
	WEB_TURN,
	WEB_COMBAT,
	WEB_PART,
	WEB_DICE,
	WEB_LINE,
	WEB_RECORD,
	WEB_LOG_TEXT,
	WEB_LOG_MARKDOWN,
	WEB_LOG_JSON,
	WEB_CSV,
	WEB_EVENTS,
	WEB_AT,
	WEB_FEED,
	WEB_CARD,
	WEB_PNG,
	WEB_EMBED,
	WEB_EVIDENCE,
	WEB_PLAYER,
	WEB_PLAYER_FEED,
	WEB_EVENT,
	WEB_EVENT_FEED,
	WEB_CUP,
	WEB_CUP_STANDINGS,
	WEB_CUP_CROSSTABLE,
	WEB_CUP_ROUND,
	WEB_CUP_WHY,
	WEB_CUP_AT,
	WEB_CUP_EVIDENCE,
	WEB_CUP_RECORD,
	WEB_VERIFY,
	WEB_ODDS,
	WEB_STATIC,
	WEB_ROBOTS,
	WEB_SECURITY,
	WEB_ICON,
};

/* How long it may be kept. */
enum web_keep {
	WEB_KEEP_NOT, /* no-store */
	WEB_KEEP_LIST, /* 5 s */
	WEB_KEEP_GAME, /* 2 s while it is played, 300 s after */
	WEB_KEEP_WORDS, /* 60 s: as long as an erased word may live */
	WEB_KEEP_EVER, /* a year, immutable */
	WEB_KEEP_AT, /* 2 s, and stale for ten */
	WEB_KEEP_BRIEF, /* 10 s */
	WEB_KEEP_FEED, /* 60 s */
	WEB_KEEP_HOUR,
};

/* Its Content-Security-Policy. */
enum web_csp {
	WEB_CSP_PAGE,
	WEB_CSP_EMBED, /* it may stand in frames */
	WEB_CSP_VERIFY, /* it has a frame of its own, with a style */
	WEB_CSP_DATA, /* nothing in it runs: as strict as can be */
};

/* A row. */
struct web_route {
	/*
	 * {id}: 8 to 64 digits of a game or tournament; {n}: a number; {part}:
	 * c4@17, t3@17, now@17, or c4@17.2 once two texts were erased; {hash}:
	 * 16 digits; {file}, {name}, {event}: a piece between slashes, of their
	 * own alphabets.
	 */
	const char *pattern;
	enum web_what what;
	const char *type; /* Content-Type */
	enum web_keep keep;
	enum web_csp csp;
	bool is_open; /* other sites may read it */
	const char *query; /* names that it takes, separated by blanks */
	const char *about;
};

/* What a target asks for; all terminated. */
struct web_target {
	const struct web_route *route; /* borrowed; NULL: there is no such */
	char id[2 * HASH_LEN + 1];
	char hash[17];
	char file[33];
	char name[WEB_ROUTE_EVENT + 1]; /* an account, or an event */
	char raw[3 * WEB_ROUTE_EVENT + 1]; /* the same as the target has it */
	char part; /* 'c', 't', 'n' */
	int64_t n; /* number; of a part, too */
	int64_t as_of; /* of a part */
	int64_t epoch; /* of it, or query: texts that were erased; 0 */
	bool has_epoch; /* it is that query */
	bool wants_slash; /* it is that of a game, without its last slash */
	bool has_stray; /* it has a query that does not belong to it */
	char system[33]; /* queries; "" : not given */
	char event[WEB_ROUTE_EVENT + 1];
	char phase[17];
	char before[129];
	int64_t after; /* -1 */
	int64_t refresh; /* seconds; 0 */
};

/* The table; *n is the number of its rows. */
const struct web_route *web_route_all(size_t *n);

/*
 * Reads a request's target.  ERR_MALFORMED: it has bytes that no address here
 * has; t->route is NULL for one that is well formed, but is not there.
 */
int web_route_read(const char *target, struct web_target *t)
    __attribute__((warn_unused_result));

/* Appends a target that was read, without queries that it does not take. */
void web_route_bare(const char *target, struct buf *out);

/* The values of Cache-Control and Content-Security-Policy; borrowed. */
const char *web_route_keep(enum web_keep keep, bool is_over);
const char *web_route_csp(enum web_csp csp);

/* Names of those for people. */
const char *web_route_keep_name(enum web_keep keep);
const char *web_route_csp_name(enum web_csp csp);

#endif
