/* SPDX-License-Identifier: ISC */
#include "common/pairing/side.h"

#include <stdlib.h>
#include <string.h>

void
side_read(struct side_past *past, const struct entrant_round *rounds, size_t n)
{
	int in_a_row, last;
	size_t i;

	memset(past, 0, sizeof(*past));
	for (i = 0, in_a_row = last = 0; i < n; i++) {
		if (!rounds[i].played)
			continue;
		past->games++;
		past->difference += rounds[i].side == 1 ? 1 : -1;
		in_a_row = rounds[i].side == last ? in_a_row + 1 : 1;
		last = rounds[i].side;
	}
	if (past->games == 0)
		return;
	past->twice = in_a_row > 1 ? last : 0;
	/* 1.7: the difference goes first, then what was last. */
	if (abs(past->difference) > 1 || past->twice != 0)
		past->wish = SIDE_ABSOLUTE;
	else
		past->wish = past->difference != 0 ? SIDE_STRONG : SIDE_MILD;
	if (abs(past->difference) > 1 ||
	    (past->difference != 0 && past->twice == 0))
		past->wants = past->difference > 0 ? 2 : 1;
	else
		past->wants = 3 - last;
}

bool
side_both(const struct side_past *a, const struct side_past *b)
{
	return (a->wants == 0 || b->wants == 0 || a->wants != b->wants);
}

/* The side of the last game before round *i; 0: there is none. */
static int
side_before(const struct entrant_round *rounds, size_t *i)
{
	while (*i > 0) {
		(*i)--;
		if (rounds[*i].played)
			return (rounds[*i].side);
	}
	return (0);
}

/*
 * 5.2.3: the side that `a` gets to alternate the last time that the two had
 * different ones, rounds without a game left out; 0: they never had.
 */
static int
side_alternate(
    const struct entrant_round *a, const struct entrant_round *b, size_t n)
{
	int side_a, side_b;
	size_t i, j;

	i = j = n;
	do {
		side_a = side_before(a, &i);
		side_b = side_before(b, &j);
		if (side_a == 0 || side_b == 0)
			return (0);
	} while (side_a == side_b);
	return (side_b);
}

int
side_of(const struct side_past *high, const struct entrant_round *high_rounds,
    const struct side_past *low, const struct entrant_round *low_rounds,
    size_t n_rounds, int number, int first_side)
{
	int side;

	/* 5.2.1 */
	if (side_both(high, low)) {
		if (high->wants != 0)
			return (high->wants);
		if (low->wants != 0)
			return (3 - low->wants);
		/* 5.2.5 */
		return (number % 2 == 1 ? first_side : 3 - first_side);
	}
	/* 5.2.2 */
	if (high->wish != low->wish)
		return (high->wish > low->wish ? high->wants : 3 - low->wants);
	if (high->wish == SIDE_ABSOLUTE &&
	    abs(high->difference) != abs(low->difference))
		return (abs(high->difference) > abs(low->difference)
			? high->wants
			: 3 - low->wants);
	side = side_alternate(high_rounds, low_rounds, n_rounds);
	if (side != 0)
		return (side);
	/* 5.2.4 */
	return (high->wants);
}
