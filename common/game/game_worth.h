/* SPDX-License-Identifier: ISC */
/*
 * What a game of a tournament is worth to it (record S19): whether it was
 * played, and the battle points of its sides.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_WORTH_H
#define UMPIRE_COMMON_GAME_GAME_WORTH_H

#include <stdbool.h>

#include <jansson.h>

#include "common/base/err.h"

struct buf;
struct game;
struct order;

/* Kept in games of tournaments alone. */
struct game_worth {
	/*
	 * Owned: id -> the object of each unit as it was at the last ready, or
	 * when it joined; NULL before that.
	 */
	json_t *first;
	bool has_moved[3]; /* by side: has given a turn order in play */
	int gave_up; /* side that resigned before play; 0 */
};

/* True if the create order names a tournament. */
bool game_is_of_tournament(const struct game *g);

/* The side that resigned before play, and so called the game off; 0. */
int game_gave_up(const struct game *g);

/* True if each side has given an accepted turn order in play (S19.1). */
bool game_is_played(const struct game *g);

/*
 * The battle points of side 1 as the game now is, -1000 to 1000 (S19.2): what
 * the other lost less what it lost, in permille.  Who has resigned or forfeited
 * what was played has lost at least `resign`.  0 before play.  ERR_MISSING
 * where the rules are not run.
 */
int game_battle_points(const struct game *g, int resign, int *bp)
    __attribute__((warn_unused_result));

/* For the files of this folder: play begins, a unit joins, or never did. */
int game_worth_begin(struct game *g) __attribute__((warn_unused_result));
int game_worth_join(struct game *g, const char *id, const json_t *unit)
    __attribute__((warn_unused_result));
void game_worth_leave(struct game *g, const char *id);
void game_worth_cancel(struct game *g, int side);
void game_worth_moved(struct game *g, const struct order *o);
void game_worth_clear(struct game *g);
void game_worth_save(const struct game *g, struct buf *out);
int game_worth_load(struct game *g, const json_t *v, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
