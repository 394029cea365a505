/* SPDX-License-Identifier: ISC */
#include "common/pairing/berger.h"

#include <stdbool.h>

int
berger_rounds(int n, int cycles)
{
	return ((n + n % 2 - 1) * cycles);
}

/* Which round of the table is played as round r, and with sides swapped. */
static int
berger_which(int per_cycle, int cycles, int r, bool *is_swapped)
{
	*is_swapped = r > per_cycle;
	if (*is_swapped)
		r -= per_cycle;
	/* Else somebody would have a side three times in a row (C.05). */
	else if (cycles == 2 && per_cycle > 1 && r >= per_cycle - 1)
		r = r == per_cycle ? per_cycle - 1 : per_cycle;
	return (r);
}

/* Adds a table, unless one of the two is nobody: above n. */
static size_t
berger_add(struct berger_pair *pairs, size_t k, int n, int one, int two,
    bool is_swapped, int *rests)
{
	if (one > n || two > n) {
		*rests = one > n ? two : one;
		return (k);
	}
	pairs[k].side[is_swapped ? 1 : 0] = one;
	pairs[k].side[is_swapped ? 0 : 1] = two;
	return (k + 1);
}

size_t
berger_round(
    int n, int cycles, int round, struct berger_pair *pairs, int *rests)
{
	int all = n + n % 2, d, half = all / 2, leader, r;
	bool is_swapped;
	size_t k = 0;

	*rests = 0;
	r = berger_which(all - 1, cycles, round, &is_swapped);
	if (r % 2 == 1) {
		leader = (r + 1) / 2;
		k = berger_add(pairs, k, n, leader, all, is_swapped, rests);
	} else {
		leader = half + r / 2;
		k = berger_add(pairs, k, n, all, leader, is_swapped, rests);
	}
	for (d = 1; d < half; d++)
		k = berger_add(pairs, k, n, (leader + d - 1) % (all - 1) + 1,
		    (leader - d - 1 + all - 1) % (all - 1) + 1, is_swapped,
		    rests);
	return (k);
}
