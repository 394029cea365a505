/* SPDX-License-Identifier: ISC */
/* Standings on a terminal, and why a player stands where they do. */
#ifndef UMPIRE_CLIENT_TOURNAMENT_STANDINGS_PRINT_H
#define UMPIRE_CLIENT_TOURNAMENT_STANDINGS_PRINT_H

#include <stddef.h>

struct out;
struct standings_view;

/* Prints the table. */
void standings_print(struct out *o, const struct standings_view *v);

/* Prints how the values of a player (index) come about. */
void standings_print_why(
    struct out *o, const struct standings_view *v, size_t player);

#endif
