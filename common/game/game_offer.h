/* SPDX-License-Identifier: ISC */
/*
 * What one side has offered or proposed and the other has not answered
 * (record S5), and the director's rulings that wait for seats 1 and 2: one
 * list, by line.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_OFFER_H
#define UMPIRE_COMMON_GAME_GAME_OFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/game/game.h"

struct game;
struct game_entry;
struct order;

enum game_offer_what {
	GAME_OFFER_DRAW,
	GAME_OFFER_VICTORY,
	GAME_OFFER_TAKEBACK,
	GAME_OFFER_PAUSE,
	GAME_OFFER_TRUCE,
	GAME_OFFER_WITNESS_OUT,
	GAME_OFFER_ADJUST,
	GAME_OFFER_ROSTER,
	GAME_OFFER_RULING, /* in words, or one of the next three */
	GAME_OFFER_SEAT, /* the operator's, for somebody else (S4.2) */
};

/* The names of enum game_offer_what, NULL-ended. */
extern const char *const game_offer_names[];

struct game_offer {
	int64_t seq;
	int seat; /* whose it is; of a seat for somebody else, that seat */
	enum game_offer_what what;
	json_t *args; /* owned: of its order, or the data of its line */
	bool is_accepted[GAME_SEATS]; /* a ruling, a seat: by these seats */
};

/* What a seat may do with an offer. */
#define GAME_MAY_ACCEPT 0x1U
#define GAME_MAY_DECLINE 0x2U
#define GAME_MAY_WITHDRAW 0x4U

/* The offers that are open, *n of them, borrowed until the game changes. */
const struct game_offer *game_offers(const struct game *g, size_t *n);

/* The offer that a line is, while it is open; NULL. */
struct game_offer *game_offer_find(const struct game *g, int64_t seq);

/*
 * The side whose seats are asked for an answer; 0 for a ruling, for which
 * seats 1 and 2 are, and for a seat for somebody else, for which all others.
 */
int game_offer_asked(const struct game_offer *f);

/* True if an answer of this seat is waited for: it has not accepted. */
bool game_offer_asks(const struct game_offer *f, int seat);

/*
 * What a seat may do with it (GAME_MAY_*), whether or not the game takes that
 * just now (record S5): the other side accepts and declines, its own side
 * withdraws, and accepts by itself a change that is its own to make.
 */
unsigned game_offer_may(
    const struct game *g, const struct game_offer *f, int seat);

/* True for what takes lines back: a takeback, or a ruling that does. */
bool game_offer_is_takeback(const struct game_offer *f);

/*
 * Adds an offer that is open from the present line on, which its entry says.
 * ERR_NOMEM.
 */
int game_offer_add(struct game *g, const struct order *o,
    enum game_offer_what what, struct game_entry *en)
    __attribute__((warn_unused_result));

/* The same of any line, without its entry; given is copied.  ERR_NOMEM. */
int game_offer_put(struct game *g, int seat, const json_t *given,
    enum game_offer_what what) __attribute__((warn_unused_result));

/* Says in the entry of a line what it offers, or what it takes up. */
void game_offer_tell(
    enum game_offer_what what, const json_t *args, struct game_entry *en);

/*
 * Ends one, all, all but seats for somebody else, or those that a state line
 * of a side ends (S5, lapse).
 */
void game_offer_remove(struct game *g, int64_t seq);
void game_offer_clear(struct game *g);
void game_offer_void(struct game *g);
void game_offer_lapse(struct game *g, int side);

/* Forgets what a seat has offered, since somebody else will sit there. */
void game_offer_leave(struct game *g, int seat);

/* The roster's entry of this unit has changed: adjustments of it lapse. */
void game_offer_unit(struct game *g, const char *id);

#endif
