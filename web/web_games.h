/* SPDX-License-Identifier: ISC */
/*
 * All games that are shown (web_game): which there are in memory, whose turn it
 * is to be verified, a few milliseconds at a time, and which go when there is
 * no room.  What was verified lies on the disk, too, so that a game that was
 * given up comes back without the umpire, and so that a server that tells
 * another history is found out.
 */
#ifndef UMPIRE_WEB_WEB_GAMES_H
#define UMPIRE_WEB_WEB_GAMES_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct event_base;
struct web_conf;
struct web_game;
struct web_games;
struct web_link;
struct web_store_id;
struct web_watch_counts;

/* What is told of games. */
struct web_games_calls {
	void *arg;
	/* There are new lines, from number `from` on, after the first sync. */
	void (*lines)(void *arg, struct web_game *g, int64_t from);
	/* A text was erased: nothing that was made of the game is true. */
	void (*erased)(void *arg, struct web_game *g);
	/* It goes: whatever points to it must not any more. */
	void (*going)(void *arg, struct web_game *g);
};

/*
 * Opens the cache; calls is borrowed for the call.  The link is set later, by
 * web_games_set_link().  New.  ERR_IO.
 */
int web_games_open(struct event_base *base, const struct web_conf *conf,
    const struct web_games_calls *calls, struct web_games **out,
    struct errinfo *e) __attribute__((warn_unused_result));
void web_games_close(struct web_games *gs);

/* l is borrowed; NULL: it has gone. */
void web_games_set_link(struct web_games *gs, struct web_link *l);

/* The server's key, without which no game is read. */
void web_games_set_key(struct web_games *gs, const uint8_t key[SIGN_KEY_LEN]);

/* Ends further connections, and asks for nothing any more. */
void web_games_stop(struct web_games *gs);

/* The connection stands, or has ended. */
void web_games_link_up(struct web_games *gs);
void web_games_link_down(struct web_games *gs);

/* A notice about a game. */
void web_games_notice(
    struct web_games *gs, const char *method, const json_t *params);

/*
 * A game by its whole id, which is read if it is not there; NULL: there is no
 * room now.  Borrowed.
 */
struct web_game *web_games_get(struct web_games *gs, const char *hex);

/* True if it is in memory. */
bool web_games_has(struct web_games *gs, const char *hex);

/* Nobody looks at it: it goes before all others when there is no room. */
void web_games_yield(struct web_games *gs, struct web_game *g);

/* The same if it is there, and nothing is read; hex may be NULL. */
struct web_game *web_games_held(struct web_games *gs, const char *hex);

/*
 * The ids of all games on the disk, *n of them, new; and that so many texts
 * were erased of one by now, as many of which may be known here.
 */
struct web_store_id *web_games_ids(const struct web_games *gs, size_t *n);
void web_games_erased(struct web_games *gs, const char *hex, int64_t erasures);

/*
 * The games on the disk whose ids begin with these digits: how many, and the
 * whole id of one of them.
 */
int web_games_kept(
    struct web_games *gs, const char *digits, char hex[2 * HASH_LEN + 1]);

/* For /metrics. */
struct web_games_counts {
	int64_t games;
	int64_t bytes;
	int64_t disk;
	int64_t verified; /* lines */
	int64_t notices; /* of lines, however they came */
	int64_t forks;
	int64_t slowest_us; /* slice */
};
void web_games_count(struct web_games *gs, struct web_games_counts *out,
    struct web_watch_counts *watches);

#endif
