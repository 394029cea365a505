/* SPDX-License-Identifier: ISC */
/*
 * "Something else ...": what a player may do at any time or in his turn,
 * asked for step by step.  What comes of it is a command line, which is run
 * like any other.
 */
#ifndef UMPIRE_CLIENT_PLAY_MENU_MORE_H
#define UMPIRE_CLIENT_PLAY_MENU_MORE_H

#include <jansson.h>

#include "client/ui/ask.h"
#include "client/ui/ask_list.h"

struct play;

/*
 * Asks what is to be done, and for the words that it needs.  *words is a new
 * array, a command line without the game's name.  As ask.h.
 */
int menu_more_ask(const struct ask_io *io, struct play *pl, json_t **words)
    __attribute__((warn_unused_result));

/*
 * Asks for what stands in capitals in a command line of moves.h: TEXT, FILE.
 * As ask.h.
 */
int more_fill(const struct ask_io *io, json_t *words)
    __attribute__((warn_unused_result));

#endif
