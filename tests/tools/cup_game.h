/* SPDX-License-Identifier: ISC */
/* A game of a tournament, from its first order to its end. */
#ifndef UMPIRE_TESTS_TOOLS_CUP_GAME_H
#define UMPIRE_TESTS_TOOLS_CUP_GAME_H

#include <jansson.h>

struct player;

/* How it ends. */
enum cup_game_end {
	CUP_GAME_ONE, /* side 2 resigns */
	CUP_GAME_TWO, /* side 1 does */
	CUP_GAME_DRAW, /* they agree to one */
};

/*
 * Plays a game between two who are connected, in sides 1 and 2: both are there,
 * each ends a turn, and it ends so.  args, which is stolen, has what the create
 * order has beside who gives it; roster is the blob's text.  Returns how many
 * orders that took.
 */
int cup_game_play(struct player *one, struct player *two, json_t *args,
    const char *roster, enum cup_game_end end);

#endif
