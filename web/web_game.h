/* SPDX-License-Identifier: ISC */
/*
 * A game that is shown: every line was verified before anybody sees it.  Those
 * who need it whole wait for it, and nothing changes while it is held.
 */
#ifndef UMPIRE_WEB_WEB_GAME_H
#define UMPIRE_WEB_WEB_GAME_H

#include <sys/queue.h>

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/crypt/hash.h"
#include "web/page/page.h"

struct replica;
struct web_erased;
struct report_sheets;
struct web_game;
struct web_games;
struct web_watcher;

/* Who waits for a game; in a list of its, until called. */
struct web_wait {
	TAILQ_ENTRY(web_wait) next;
	int64_t until_ms; /* monotonic: called then in any case */
	int64_t born; /* web_game.c's own */
	void (*ready)(void *arg, struct web_game *g);
	void *arg;
};
TAILQ_HEAD(web_waits, web_wait);

/* A game. */
struct web_game {
	TAILQ_ENTRY(web_game) used; /* the newest first */
	TAILQ_ENTRY(web_game) due; /* has something to verify */
	TAILQ_ENTRY(web_game) wanting; /* a watch (web_watch) */
	struct web_game *chain; /* in its slot of the table */
	struct web_games *gs; /* borrowed */
	uint8_t id[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	char *title; /* owned; "" */
	int digits; /* of its address */
	struct replica *c; /* owned: its verified lines */
	int64_t total; /* lines that the server has, as far as is known */
	int64_t at_ms; /* when the last line came */
	int64_t used_ms; /* monotonic */
	int64_t synced_ms; /* monotonic: when it was up to date; 0: never */
	int64_t renewed_ms; /* monotonic: web_game_renew() asked */
	int64_t erasures; /* texts that were erased: the epoch of its pages */
	int64_t told; /* the same, with those that are to be dropped still */
	struct web_erased *gone; /* owned: which of them were named here */
	int busy; /* while anything is made of it its lines stay */
	int readers; /* streams */
	bool is_gone; /* the server does not know it */
	bool is_damaged; /* it takes no orders of it, as its record is bad */
	bool is_recovering; /* likewise, as it may have lost lines */
	bool is_forked; /* it takes no more lines */
	bool is_full; /* likewise, as it is too long; texts may still go */
	char *evidence; /* owned: the file; NULL */
	char *trouble; /* owned: what the server's account lacks; NULL */
	struct web_watcher *watcher; /* web_watch's: that it is told of on */
	int64_t watch_serial;
	bool is_granted; /* it is watched, as the umpire says */
	bool wants_watch;
	/* Owned: of combats, as pages made them. */
	struct report_sheets *sheets;
	void *streams; /* web_stream's; NULL */
	/* How the dice of each side fell in the first so many lines. */
	struct page_luck lucky[2];
	int64_t lucky_n;
	/* the rest is web_game_int.h's own */
	struct web_waits waits;
	int64_t wakes; /* how often they were called */
	/* Lines with LF: side lines, and those from c->n on. */
	struct buf queue;
	size_t taken; /* bytes of queue */
	bool is_due;
	bool is_held; /* it would have had its turn, but is busy */
	bool from_disk; /* queue is what the disk has, of which come these: */
	size_t disk_at, disk_end;
	bool is_torn; /* the disk has half a line at its end */
	bool is_unkept; /* the disk has no room for it */
	bool is_rewriting; /* the file gets all of the copy, up to these: */
	size_t side_at, side_end, lines_at, lines_end;
	bool starts_over; /* the server has lost lines: it is read anew */
	bool is_asking; /* game.record is not answered yet */
	bool wants_more; /* something happened since it was asked */
	int omitted; /* blobs that are still to come; */
	struct buf blobs; /* those that came, as side lines */
	int64_t next; /* line to go on with; -1 */
	int64_t asked; /* from which line on it was asked */
	json_t *erased; /* owned: refs that were told of */
	bool is_recalled; /* `erasures`, `gone` are the disk's still */
	bool is_renumbered; /* they were, and the disk is to get others */
	struct buf unsaved; /* what the file has yet to get */
	size_t bytes; /* about what it takes in memory */
	size_t disk; /* and on the disk */
};
TAILQ_HEAD(web_game_list, web_game);

/* True if all that is known of lines was verified, and not long ago. */
bool web_game_is_whole(const struct web_game *g);

/* True if lines are known to be missing, or may well be. */
bool web_game_is_short(const struct web_game *g);

/*
 * Another gateway may have told somebody of more than is known here: asks for
 * it if this one is not told of it by itself, and has not asked a moment ago.
 * True: it is worth waiting for.
 */
bool web_game_renew(struct web_game *g);

/* Waits until it is whole, or can not be, or a time is over. */
void web_game_wait(struct web_game *g, struct web_wait *w);
void web_game_unwait(struct web_game *g, struct web_wait *w);

/* It is shown as it stands, until web_game_release(). */
void web_game_hold(struct web_game *g);
void web_game_release(struct web_game *g);

/* Somebody follows it, or does not any more. */
void web_game_follow(struct web_game *g);
void web_game_unfollow(struct web_game *g);

#endif
