/* SPDX-License-Identifier: ISC */
/*
 * What the files of tournaments share: web_cup has those that are there and
 * replies, web_cup_make makes their pages, web_cup_read reads one from the
 * umpire and the disk, web_cup_check has it verified with its games.
 */
#ifndef UMPIRE_WEB_WEB_CUP_INT_H
#define UMPIRE_WEB_WEB_CUP_INT_H

#include <sys/queue.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/profile/profile.h"
#include "common/base/buf.h"
#include "common/crypt/hash.h"
#include "common/tournament/verify_former.h"
#include "web/page/page.h"
#include "web/web_checker.h"
#include "web/web_cup.h"
#include "web/web_cup_named.h"
#include "web/web_game.h"

struct desk_fork;
struct event;
struct verify_tournament;
struct web_body;
struct web_cup_making;
struct web_cups;
struct web_request;
struct web_store;

#define WEB_CUP_BYTES ((size_t)64 << 20) /* of lines of one, or side lines */
#define WEB_CUP_KEY 256 /* bytes of a name in the cache */
#define WEB_CUP_FRESH_MS 2000 /* for so long one counts as up to date */

/* A request that waits for it. */
struct web_cup_wait {
	TAILQ_ENTRY(web_cup_wait) next;
	struct web_cup *cup;
	struct web_request *rq;
	int64_t until_ms; /* monotonic */
};
TAILQ_HEAD(web_cup_waits, web_cup_wait);

/* The tournaments that one goes back to, while they are verified. */
struct web_cup_old {
	struct verify_former_record chain[VERIFY_FORMER_MAX];
	size_t n; /* that are still to come, the oldest is the last */
	struct verify_tournament *v; /* owned: of the present one; NULL */
	const char *at, *end;
	int64_t line;
};

/* Where a check is. */
enum web_cup_check_state {
	WEB_CUP_CHECK_IDLE,
	WEB_CUP_CHECK_WANTED,
	WEB_CUP_CHECK_READING, /* its games */
	WEB_CUP_CHECK_SYNCING, /* the tournament, once more */
	WEB_CUP_CHECK_RUNNING,
};

/* A check of it that is under way; it stays meanwhile. */
struct web_cup_turn {
	enum web_cup_check_state state;
	struct web_game *waits_for; /* that is being read; NULL */
	bool was_here; /* it was in memory before */
	struct web_wait wait;
	struct web_checker_job job;
	uint8_t head[HASH_LEN]; /* the hash of its last line */
	int64_t began_ms; /* monotonic: when the job did */
	json_t *verdict; /* owned: bad, to be confirmed; NULL */
	int64_t read_n; /* lines that there were when its games were read */
	int times; /* that they were read */
};

/* How it was checked with its games. */
struct web_cup_check {
	struct web_cup_named named;
	size_t at; /* the next game to be read */
	int64_t after_ms; /* monotonic: not before */
	/* The last verdict: */
	bool is_done;
	bool is_bad;
	int64_t lines; /* of which it tells */
	int64_t line; /* that is bad, or could not be judged */
	int64_t dice;
	int games; /* that are named */
	int has; /* of those, that were at hand */
	char *why; /* owned; NULL */
	int64_t at_ms;
	int64_t done_ms; /* monotonic */
};

/* A tournament. */
struct web_cup {
	TAILQ_ENTRY(web_cup) used; /* the newest first */
	TAILQ_ENTRY(web_cup) due; /* has lines to verify */
	struct web_cups *cs; /* borrowed */
	uint8_t id[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	int digits; /* of its address */
	struct verify_tournament *v; /* owned */
	struct buf lines; /* verified, with LF */
	int64_t n;
	int64_t total; /* lines that the server has, as far as is known */
	json_t *sides; /* owned: hash in hex -> side line */
	json_t *values; /* owned: hash in hex -> its value */
	size_t side_bytes; /* of sides: about as much as those of values */
	struct buf before; /* lines of those that it goes back to, with LF */
	struct web_cup_old *old; /* owned: they are being verified; NULL */
	bool went_back; /* it is known what it goes back to */
	struct buf queue; /* to be verified, with LF */
	size_t taken;
	struct buf unsaved; /* what the file has yet to get */
	int64_t next; /* line to go on with; -1 */
	int64_t asked;
	int64_t erasures;
	int64_t at_ms;
	int64_t synced_ms; /* monotonic; 0: never */
	char *trouble; /* owned; NULL: all is well */
	char *evidence; /* owned: the file; NULL */
	struct page_cup_view *view; /* owned: for pages; NULL: not begun */
	int making; /* pages: meanwhile it takes no lines, and stays */
	size_t bytes; /* about what it takes in memory */
	bool from_disk; /* queue is what the disk had */
	bool starts_over; /* the server has lost lines: it is read anew */
	bool is_gone; /* the server does not know it */
	bool is_forked; /* it takes no more lines */
	bool is_asking; /* an answer is to come: it stays */
	bool is_due;
	int omitted; /* blobs that are still to come: it stays */
	/* Of the one that it goes back to, which is being fetched: */
	int back; /* so many steps away; 0: none is */
	struct terms_continues back_to;
	size_t back_at; /* where it begins in before */
	int64_t back_from; /* line to go on with */
	struct web_cup_check check;
	struct web_cup_turn turn;
	struct web_cup_waits waits;
};
TAILQ_HEAD(web_cup_list, web_cup);
TAILQ_HEAD(web_cup_makings, web_cup_making);

struct web_cups {
	struct web_site *s; /* borrowed */
	struct web_cup_list used;
	struct web_cup_list due;
	struct web_store *store; /* owned */
	struct profile profile; /* for evidence: its folder and the key */
	struct web_cup_makings makings; /* pages, whose turn comes first */
	struct event *pump; /* owned */
	struct event *maker; /* owned: the next turn of a page */
	struct event *tick; /* owned */
	struct event *step; /* owned: the next game of each check */
	/* Those that are being checked; NULL: there is room. */
	struct web_cup *checking[WEB_CHECKER_JOBS];
	size_t bytes;
	struct web_cup_counts counts;
};

/* ---- web_cup ---- */

/* The tournament of an id; NULL: it is not here. */
struct web_cup *web_cup_find(struct web_cups *cs, const char *hex);

/* Calls those who wait: all, or those whose time is over. */
void web_cup_wake(struct web_cup *c, bool all);

/* Drops what pages need of its state: it has another line. */
void web_cup_view_drop(struct web_cup *c);

/* Reckons what it takes. */
void web_cup_weigh(struct web_cup *c);

/* Has it verified soon. */
void web_cup_queue(struct web_cup *c);

/* Forgets what was made of it. */
void web_cup_stale(struct web_cup *c);

/*
 * Has pages in the making go on soon: by a timer, so that who comes has their
 * turn before.
 */
void web_cup_make_soon(struct web_cups *cs);

/* Has checks go on, so much later. */
void web_cup_check_later(struct web_cups *cs, int64_t ms);

/* Replies with a body; is_short: lines are missing still. */
void web_cup_send(struct web_cup *c, struct web_request *rq,
    struct web_body *body, bool is_short);

/* Replies that nothing can be said of it. */
void web_cup_nothing(struct web_cup *c, struct web_request *rq);

/* What changes with all that pages of it tell. */
void web_cup_mark(const struct web_cup *c, char *out, size_t max);

/* ---- web_cup_make ---- */

/* Has a page made, or what scripts are told, which is kept under that key. */
void web_cup_make_ask(struct web_cup *c, struct web_request *rq,
    const char *key, const char *etag);

/* A text was erased: pages in the making begin anew. */
void web_cup_make_anew(struct web_cup *c);

/* The event of web_cups.maker; the end. */
void web_cup_make_turn(struct web_cups *cs);
void web_cup_make_stop(struct web_cups *cs);

/* ---- web_cup_check ---- */

/* It has no lines any more; frees what it has. */
void web_cup_check_reset(struct web_cup *c);
void web_cup_check_clear(struct web_cup *c);

/* Somebody looks at it: it is checked in its turn, if there is need. */
void web_cup_check_want(struct web_cup *c);

/* What was found of a game. */
enum page_cup_game web_cup_check_told(const struct web_cup *c, const char *hex);

/* It is up to date, or cannot be. */
void web_cup_check_synced(struct web_cup *c);

/* True if it is being checked. */
bool web_cup_check_is_on(const struct web_cup *c);

/* The event of web_cups.step; each so often, whose turn it is; the end. */
void web_cup_check_step(struct web_cups *cs);
void web_cup_check_tick(struct web_cups *cs);
void web_cup_check_stop(struct web_cups *cs);

/* ---- web_cup_read ---- */

/* Begins with what the disk has, else by asking. */
void web_cup_read_begin(struct web_cup *c);

/* Asks for what is missing, unless that is being done. */
void web_cup_read_ask(struct web_cup *c);

/* True if lines are known to be missing, or may well be. */
bool web_cup_read_is_short(const struct web_cup *c);

/* A text was erased: it is dropped, and goes from the disk. */
void web_cup_read_erase(struct web_cup *c, const char *hex);

/* Keeps proof that a line contradicts the first len bytes of lines. */
void web_cup_read_prove(
    struct web_cup *c, const struct desk_fork *f, size_t len);

/* Frees what reading has made. */
void web_cup_read_clear(struct web_cup *c);

/* Verifies for a slice of time. */
void web_cup_read_slice(struct web_cup *c);

#endif
