/* SPDX-License-Identifier: ISC */
/* What web_game.c, web_game_ask.c and web_games.c share. */
#ifndef UMPIRE_WEB_WEB_GAME_INT_H
#define UMPIRE_WEB_WEB_GAME_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "client/profile/profile.h"
#include "common/crypt/hash.h"
#include "web/web_game.h"
#include "web/web_games.h"

struct event;
struct event_base;
struct web_conf;
struct web_link;
struct web_store;
struct web_watches;

#define WEB_GAME_FRESH_MS 2000 /* for so long a game counts as up to date */

struct web_games {
	struct event_base *base; /* borrowed */
	const struct web_conf *conf; /* borrowed */
	struct web_link *link; /* borrowed; NULL: not yet */
	struct web_games_calls calls;
	struct web_store *store; /* owned */
	struct web_store *gone; /* owned: what was erased of games */
	struct profile profile; /* for evidence: its folder and the key */
	struct event *pump; /* owned: something is to be verified */
	struct event *tick; /* owned */
	struct web_watches *watches; /* owned */
	struct web_game **slots; /* owned: heads of chains */
	size_t n_slots; /* a power of two */
	struct web_game_list used;
	struct web_game_list due;
	size_t bytes;
	struct web_games_counts counts;
};

/* ---- web_game.c: one game ---- */

/*
 * A game with what the disk has of it, in its queue; it is in no list and no
 * table yet.  New; NULL: it cannot be kept.
 */
struct web_game *web_game_new(struct web_games *gs, const uint8_t id[HASH_LEN]);

/* How many texts of a game are known to be erased by what the disk has. */
int64_t web_game_recalled(struct web_games *gs, const char *hex);

/* Frees one that is in no list and no table any more. */
void web_game_free(struct web_game *g);

/* Reckons what it takes. */
void web_game_weigh(struct web_game *g);

/* True if nobody has to do with it, and no answer is on its way. */
bool web_game_is_idle(const struct web_game *g);

/* True if waiting is of no use: there is nothing, and nothing will come. */
bool web_game_is_hopeless(const struct web_game *g);

/*
 * Calls those who wait, if it is time: all, or those whose time is over.  They
 * stand in the list until each is called, since one may take another out; those
 * that come meanwhile wait for the next time.
 */
void web_game_wake(struct web_game *g, bool all);

/* Notes what is wrong with the server's account. */
void web_game_trouble(struct web_game *g, const char *why);

/* The server's record does not continue ours: proof of that is kept. */
void web_game_fork(struct web_game *g);

/* Takes the next entry of the queue; false if there is none to be taken. */
bool web_game_take(struct web_game *g);

/* Reads on from the disk where its next entry is not whole in the queue. */
void web_game_fill(struct web_game *g);

/*
 * Writes what was verified since to the disk, or a part of all of it, where
 * that is written anew.
 */
void web_game_save(struct web_game *g);

/* It is too long for what it may take: ends with the lines that are here. */
void web_game_fill_up(struct web_game *g);

/* All that came was taken: goes on, or all is well. */
void web_game_caught_up(struct web_game *g);

/* ---- web_game_ask.c: what is asked of the umpire ---- */

/* Asks for what is missing. */
void web_game_ask(struct web_game *g);

/* Asks, unless it is being read already. */
void web_game_ask_news(struct web_game *g);

/* ---- web_games.c: all of them ---- */

/* A game that is in memory; NULL.  Borrowed. */
struct web_game *web_games_find(
    struct web_games *gs, const uint8_t id[HASH_LEN]);

/* Has one verified soon. */
void web_games_queue(struct web_game *g);

#endif
