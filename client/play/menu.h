/* SPDX-License-Identifier: ISC */
/*
 * What a player may do now, by number: the actions of actions.h, each with a
 * label, and what the game waits for.
 */
#ifndef UMPIRE_CLIENT_PLAY_MENU_H
#define UMPIRE_CLIENT_PLAY_MENU_H

#include <stdbool.h>

#include "client/play/actions.h"

struct play;

struct menu {
	struct actions actions; /* what its numbers stand for */
	char **labels; /* owned: of each */
	bool is_over; /* nothing more will be done */
};

/*
 * Finds it for our seat.  *old is the one before, whose labels of offers are
 * used again: they may tell of lines far back.  It may be zero.
 */
void menu_find(struct menu *m, struct play *pl, const struct menu *old);

/* Frees what menu_find() gave; *m may be zero. */
void menu_clear(struct menu *m);

/*
 * Prints the turn, the sentences and the numbered list, with a blank line
 * between them.
 */
void menu_show(const struct menu *m, struct play *pl);

/* True if both say the same and offer it under the same numbers. */
bool menu_is_same(const struct menu *a, const struct menu *b);

#endif
