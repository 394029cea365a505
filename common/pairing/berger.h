/* SPDX-License-Identifier: ISC */
/*
 * Round robins by the Berger tables (FIDE C.05): all meet all, once or twice,
 * and the sides of each differ by one at most.
 */
#ifndef UMPIRE_COMMON_PAIRING_BERGER_H
#define UMPIRE_COMMON_PAIRING_BERGER_H

#include <stddef.h>

/* A table: the numbers on side 1 and on side 2. */
struct berger_pair {
	int side[2];
};

/* The rounds of n players, 2 or more, who meet once or twice (cycles). */
int berger_rounds(int n, int cycles);

/*
 * The tables of a round from 1 on: fills pairs, which has room for n / 2, and
 * returns how many there are.  Players are 1 to n; *rests is who has nobody
 * to meet, 0 if n is even.
 */
size_t berger_round(
    int n, int cycles, int round, struct berger_pair *pairs, int *rests);

#endif
