/* SPDX-License-Identifier: ISC */
/*
 * Who plays side 1: the preferences of 1.6 and 1.7 and their order in Article 5
 * of the Dutch system (C.04.3), with side 1 for white.
 */
#ifndef UMPIRE_COMMON_PAIRING_SIDE_H
#define UMPIRE_COMMON_PAIRING_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/pairing/entrant.h"

enum side_wish {
	SIDE_NONE, /* no game was played */
	SIDE_MILD, /* as many of each */
	SIDE_STRONG, /* one more of the other */
	SIDE_ABSOLUTE, /* two more of the other, or the other twice in a row */
};

/* What somebody's games leave them to wish. */
struct side_past {
	int difference; /* games with side 1 less those with side 2 */
	int twice; /* the side of both last games, 0: they differ */
	int wants; /* 1, 2, 0: either */
	enum side_wish wish;
	size_t games;
};

/* Fills *past from the rounds that an entrant has behind them. */
void side_read(
    struct side_past *past, const struct entrant_round *rounds, size_t n);

/* True if both can have the side that they want. */
bool side_both(const struct side_past *a, const struct side_past *b);

/*
 * The side (1 or 2) of the higher ranked of a pair, whose pairing number is
 * `number`, counted from 1; rounds are those of both.
 */
int side_of(const struct side_past *high,
    const struct entrant_round *high_rounds, const struct side_past *low,
    const struct entrant_round *low_rounds, size_t n_rounds, int number,
    int first_side);

#endif
