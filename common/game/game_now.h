/* SPDX-License-Identifier: ISC */
/*
 * A game in a few words, for lists and for whoever looks in: its title, and
 * how it stands after its last line.  Both follow from the record alone.
 */
#ifndef UMPIRE_COMMON_GAME_GAME_NOW_H
#define UMPIRE_COMMON_GAME_GAME_NOW_H

#include <stdbool.h>

#include "common/game/game.h"

struct buf;

/* Bytes of a title, and of how a game stands, that are kept in lists. */
#define GAME_TITLE_MAX 319
#define GAME_NOW_MAX 255

/*
 * Appends the title: what the create order says of the event, then the sides:
 * "Waterloo Cup, round 2, table 3: French against Austrians".  A side is
 * called as the roster calls it; else it is the account that first sat there.
 * Failures stay in *out.
 */
void game_title_write(const struct game *g, struct buf *out);

/*
 * Appends how the game stands, a sentence without its end: "turn 3, French to
 * move; 53 against 47 left", "French won the game, as both sides agreed; 53
 * against 12 left".  What is left is the worth of both sides (umpire-rules.7,
 * 3).  Failures stay in *out.
 */
void game_now_write(const struct game *g, struct buf *out);

/*
 * How a game ended, static: what follows a winner's "won the game" (": the
 * other side resigned"), or a sentence about one without a winner ("the game
 * ended in a draw, ...").  how is not GAME_UNDECIDED.
 */
const char *game_now_outcome(enum game_how how, bool has_winner);

#endif
