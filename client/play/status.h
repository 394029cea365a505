/* SPDX-License-Identifier: ISC */
/*
 * How a game stands beside its combat, for people: who sits where, clocks,
 * cups, standing orders.
 */
#ifndef UMPIRE_CLIENT_PLAY_STATUS_H
#define UMPIRE_CLIENT_PLAY_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

struct battle;
struct game;
struct out;

/* Prints who sits where, a line each. */
void status_players(struct out *o, const struct battle *b);

/* Prints the fingerprints of the keys that sign for each, a line each. */
void status_keys(struct out *o, const struct battle *b);

/* True if there are more players than two, or a director. */
bool status_has_more(const struct game *g);

/* Prints what time each side has, holidays and a pause; nothing without. */
void status_clocks(struct out *o, const struct game *g);

/* Prints what is in the cups, a line each; nothing where there are none. */
void status_cups(struct out *o, const struct game *g);

/*
 * Prints the standing orders that were not withdrawn, a line each.  own gives
 * what the order of a line says that is not open, if it is known here: free(),
 * or NULL.
 */
void status_standing(struct out *o, const struct game *g,
    char *(*own)(void *arg, int64_t seq), void *arg);

#endif
