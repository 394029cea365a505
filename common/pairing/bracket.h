/* SPDX-License-Identifier: ISC */
/*
 * Knockouts: a bracket in which the best two can meet only in the final, the
 * best four only in the semifinals, and so on.
 */
#ifndef UMPIRE_COMMON_PAIRING_BRACKET_H
#define UMPIRE_COMMON_PAIRING_BRACKET_H

/* The least power of two that holds n players. */
int bracket_size(int n);

/* The rounds of n players, the final among them. */
int bracket_rounds(int n);

/*
 * Fills slots, bracket_size(n) of them, with the seeds 1 to n in the order of
 * the bracket, 0 where there is nobody: neighbours meet, and the winner of
 * slots 2i and 2i + 1 has slot i in the next round.
 */
void bracket_fill(int n, int *slots);

/*
 * Who of two seeds has side 1: who had it less often so far; if both as often,
 * the lower seed if it is odd and the initial side is 1, or even and it is 2.
 * Returns that seed.
 */
int bracket_side(int a, int had_a, int b, int had_b, int initial);

#endif
