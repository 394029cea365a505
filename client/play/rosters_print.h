/* SPDX-License-Identifier: ISC */
/* Rosters with losses on a screen. */
#ifndef UMPIRE_CLIENT_PLAY_ROSTERS_PRINT_H
#define UMPIRE_CLIENT_PLAY_ROSTERS_PRINT_H

#include <stdbool.h>

struct out;
struct rosters;

/*
 * Prints each side's units in play, and those that are not; last, where a
 * screen ends, the totals of both sides.  seat is the reader's (-1: none).  A
 * side of more than ROSTERS_LONG units is told in two columns without ids and
 * ratings, and that is said, unless is_long.  Of rosters that no game has the
 * totals are what there is.
 */
#define ROSTERS_LONG 24
void rosters_print(
    struct out *o, const struct rosters *rs, int seat, bool is_long);

#endif
