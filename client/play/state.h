/* SPDX-License-Identifier: ISC */
/*
 * How a game stands beside its combat, for people: who sits where, clocks,
 * cups, standing orders.  All out of the state that game_view() gives.
 */
#ifndef UMPIRE_CLIENT_PLAY_STATE_H
#define UMPIRE_CLIENT_PLAY_STATE_H

#include <stdbool.h>

#include <jansson.h>

struct out;

/* Prints who sits where, a line each. */
void state_players(struct out *o, const json_t *view);

/* True if there are more players than two, or a director. */
bool state_has_more(const json_t *view);

/* Prints what time each side has, holidays and a pause; nothing without. */
void state_clocks(struct out *o, const json_t *view);

/* Prints what is in the cups, a line each; nothing where there are none. */
void state_cups(struct out *o, const json_t *view);

/*
 * Prints the standing orders that were not withdrawn, a line each.  own:
 * texts of ours that are not open, line of the order in decimal -> text;
 * NULL: none are known.
 */
void state_standing(struct out *o, const json_t *view, const json_t *own);

#endif
