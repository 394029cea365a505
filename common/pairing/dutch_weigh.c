/* SPDX-License-Identifier: ISC */
#include "common/pairing/dutch_weigh.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/wide.h"

/* True if the high one of a pair came from above. */
static bool
dutch_weigh_is_down(const struct dutch_pair *p)
{
	return (p->high->score > p->low->score);
}

/* C6, and C7 by the score of the high one. */
static unsigned
dutch_weigh_in(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (p->is_in);
}

/* C8: the same of the next bracket. */
static unsigned
dutch_weigh_next(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (p->is_next);
}

/* C9: the more games, the better. */
static unsigned
dutch_weigh_bye(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	return (p->low == NULL ? (unsigned)w->rank[p->high->played] : 0);
}

/* C10: only one of two can be kept from a third game more of a side. */
static unsigned
dutch_weigh_beyond(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	const struct side_past *a, *b;

	(void)w;
	if (!p->is_in)
		return (0);
	a = &p->high->past;
	b = &p->low->past;
	return (side_both(a, b) || abs(a->difference) < 2 ||
	    abs(b->difference) < 2);
}

/* C11: who does not get their side had not the other one twice. */
static unsigned
dutch_weigh_thrice(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	const struct side_past *a, *b, *loses;

	(void)w;
	if (!p->is_in)
		return (0);
	a = &p->high->past;
	b = &p->low->past;
	if (side_both(a, b) || a->wish != SIDE_ABSOLUTE ||
	    b->wish != SIDE_ABSOLUTE)
		return (1);
	if (abs(a->difference) == abs(b->difference))
		return (a->twice == 0 || a->twice != b->twice);
	loses = abs(a->difference) > abs(b->difference) ? b : a;
	return (loses->twice != 3 - loses->wants);
}

/* C12 */
static unsigned
dutch_weigh_wishes(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (p->is_in && side_both(&p->high->past, &p->low->past));
}

/* C13: of two absolute ones it is no strong one that is not granted. */
static unsigned
dutch_weigh_strong(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	const struct side_past *a, *b;

	(void)w;
	if (!p->is_in)
		return (0);
	a = &p->high->past;
	b = &p->low->past;
	return (side_both(a, b) || a->wish < SIDE_STRONG ||
	    b->wish < SIDE_STRONG ||
	    (a->wish == SIDE_ABSOLUTE && b->wish == SIDE_ABSOLUTE));
}

/* Residents who floated down are paired: `ago` rounds before, from 0. */
static unsigned
dutch_weigh_stays(const struct dutch_pair *p, int ago)
{
	if (!p->is_in)
		return (0);
	return ((unsigned)p->low->down[ago] +
	    (unsigned)(p->high->down[ago] && !dutch_weigh_is_down(p)));
}

/* Who plays somebody from above did not float up. */
static unsigned
dutch_weigh_not_up(const struct dutch_pair *p, int ago)
{
	return (p->is_in && !(dutch_weigh_is_down(p) && p->low->up[ago]));
}

/* Somebody from above who floated down is paired. */
static unsigned
dutch_weigh_lands(const struct dutch_pair *p, int ago)
{
	return (p->is_in && dutch_weigh_is_down(p) && p->high->down[ago]);
}

/* C14 */
static unsigned
dutch_weigh_stays_1(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (dutch_weigh_stays(p, 0));
}

/* C16 */
static unsigned
dutch_weigh_stays_2(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (dutch_weigh_stays(p, 1));
}

/* C15, and C19 by score */
static unsigned
dutch_weigh_not_up_1(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (dutch_weigh_not_up(p, 0));
}

/* C17, and C21 by score */
static unsigned
dutch_weigh_not_up_2(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (dutch_weigh_not_up(p, 1));
}

/* C18 */
static unsigned
dutch_weigh_lands_1(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (dutch_weigh_lands(p, 0));
}

/* C20 */
static unsigned
dutch_weigh_lands_2(const struct dutch_weigh *w, const struct dutch_pair *p)
{
	(void)w;
	return (dutch_weigh_lands(p, 1));
}

enum dutch_kind {
	DUTCH_PAIRS, /* one digit, of pairs */
	DUTCH_SCORES, /* a digit for each score of the bracket */
	DUTCH_NEXT, /* ... and of the next */
	DUTCH_BYE, /* one digit, of the bye alone */
};

/* The criteria; most is what one pair can count. */
static const struct {
	const char *name;
	const char *text;
	enum dutch_kind kind;
	unsigned most;
	bool of_sides;
	unsigned (*value)(
	    const struct dutch_weigh *, const struct dutch_pair *);
} dutch_weigh_rows[DUTCH_WEIGH_ROWS] = {
    {"C6", "as many pairs as can be", DUTCH_PAIRS, 1, false, dutch_weigh_in},
    {"C7", "downfloaters' scores as low as can be", DUTCH_SCORES, 1, false,
	dutch_weigh_in},
    {"C8", "as many pairs as can be in the next bracket", DUTCH_PAIRS, 1, false,
	dutch_weigh_next},
    {"C8", "downfloaters' scores as low there as can be", DUTCH_NEXT, 1, false,
	dutch_weigh_next},
    {"C9", "the bye to who has played most games", DUTCH_BYE, 0, false,
	dutch_weigh_bye},
    {"C10", "nobody with three games more of a side", DUTCH_PAIRS, 1, true,
	dutch_weigh_beyond},
    {"C11", "nobody with the same side three times in a row", DUTCH_PAIRS, 1,
	true, dutch_weigh_thrice},
    {"C12", "sides as preferred", DUTCH_PAIRS, 1, true, dutch_weigh_wishes},
    {"C13", "sides as strongly preferred", DUTCH_PAIRS, 1, true,
	dutch_weigh_strong},
    {"C14", "nobody down again who floated down a round ago", DUTCH_PAIRS, 2,
	false, dutch_weigh_stays_1},
    {"C15", "nobody up again who floated up a round ago", DUTCH_PAIRS, 1, false,
	dutch_weigh_not_up_1},
    {"C16", "nobody down again who floated down two rounds ago", DUTCH_PAIRS, 2,
	false, dutch_weigh_stays_2},
    {"C17", "nobody up again who floated up two rounds ago", DUTCH_PAIRS, 1,
	false, dutch_weigh_not_up_2},
    {"C18", "small differences for who floated down a round ago", DUTCH_SCORES,
	1, false, dutch_weigh_lands_1},
    {"C19", "small differences for who floated up a round ago", DUTCH_SCORES, 1,
	false, dutch_weigh_not_up_1},
    {"C20", "small differences for who floated down two rounds ago",
	DUTCH_SCORES, 1, false, dutch_weigh_lands_2},
    {"C21", "small differences for who floated up two rounds ago", DUTCH_SCORES,
	1, false, dutch_weigh_not_up_2},
};

const char *
dutch_weigh_name(int row)
{
	return (dutch_weigh_rows[row].name);
}

const char *
dutch_weigh_text(int row)
{
	return (dutch_weigh_rows[row].text);
}

/* Adds a digit whose sum is at most `most`. */
static void
dutch_weigh_add(struct dutch_weigh *w, int row, int score, uint64_t most)
{
	struct dutch_digit *digit;

	digit = &w->digits[w->n++];
	digit->row = row;
	digit->score = score;
	digit->width = wide_bits(most);
}

/* Adds a row's digits for the scores of those who can be high in a pair. */
static void
dutch_weigh_add_scores(struct dutch_weigh *w, int row, unsigned most)
{
	const struct dutch_place *p;
	const struct dutch_player *players;
	size_t i, n;
	int score;

	p = w->place;
	players = p->d->players;
	for (i = 0; i < p->n; i += n) {
		score = players[p->members[i]].score;
		for (n = 0;
		     i + n < p->n && players[p->members[i + n]].score == score;)
			n++;
		dutch_weigh_add(w, row, score, n * most);
	}
	if (dutch_weigh_rows[row].kind == DUTCH_NEXT && p->n_next > 0)
		dutch_weigh_add(w, row,
		    players[p->d->groups[p->group + 1]].score,
		    p->n_next * most);
}

/* C9: gives a rank to each number of games that candidates have played. */
static int
dutch_weigh_ranks(struct dutch_weigh *w)
{
	bool has[ENTRANT_ROUNDS_MAX + 1];
	const struct dutch_place *p;
	int games, rank;
	size_t i;

	p = w->place;
	memset(has, 0, sizeof(has));
	for (i = 0; i < p->n; i++) {
		if (dutch_may_bye(p->d, p->members[i]))
			has[p->d->players[p->members[i]].played] = true;
	}
	for (games = rank = 0; games <= ENTRANT_ROUNDS_MAX; games++) {
		w->rank[games] = rank;
		rank += has[games];
	}
	return (rank);
}

/* True if a row counts in this plan. */
static bool
dutch_weigh_has(const struct dutch_place *p, enum dutch_rows rows, int row)
{
	if (rows == DUTCH_ROWS_PAIRS)
		return (row == 0);
	if (rows == DUTCH_ROWS_SIDES)
		return (dutch_weigh_rows[row].of_sides);
	return (dutch_weigh_rows[row].kind != DUTCH_BYE || p->one_bye);
}

int
dutch_weigh_plan(struct dutch_weigh *w, const struct dutch_place *place,
    enum dutch_rows rows, size_t below)
{
	size_t i, most, pairs;
	int row;

	memset(w, 0, sizeof(*w));
	w->place = place;
	/* A row has at most a digit for each member and the next score. */
	w->digits =
	    calloc(DUTCH_WEIGH_ROWS * (place->n + 1), sizeof(*w->digits));
	if (w->digits == NULL)
		return (ERR_NOMEM);
	pairs = (place->n + place->n_next) / 2 + 1;
	for (row = 0; row < DUTCH_WEIGH_ROWS; row++) {
		w->first[row] = -1;
		if (!dutch_weigh_has(place, rows, row))
			continue;
		w->first[row] = (int)w->n;
		most = dutch_weigh_rows[row].most;
		switch (dutch_weigh_rows[row].kind) {
		case DUTCH_PAIRS:
			dutch_weigh_add(w, row, -1, pairs * most);
			break;
		case DUTCH_SCORES:
		case DUTCH_NEXT:
			dutch_weigh_add_scores(w, row, (unsigned)most);
			break;
		case DUTCH_BYE:
			dutch_weigh_add(
			    w, row, -1, (uint64_t)dutch_weigh_ranks(w));
			break;
		}
	}
	for (i = w->n, w->bits = below; i-- > 0;) {
		w->digits[i].at = w->bits;
		w->bits += w->digits[i].width;
	}
	return (0);
}

void
dutch_weigh_clear(struct dutch_weigh *w)
{
	free(w->digits);
	memset(w, 0, sizeof(*w));
}

/* The digit in which a pair's value of a row counts; NULL: in none. */
static const struct dutch_digit *
dutch_weigh_digit(
    const struct dutch_weigh *w, int row, const struct dutch_pair *pair)
{
	const struct dutch_digit *digit;

	digit = &w->digits[w->first[row]];
	if (digit->score < 0)
		return (digit);
	for (; digit < w->digits + w->n && digit->row == row; digit++) {
		if (digit->score == pair->high->score)
			return (digit);
	}
	return (NULL);
}

int
dutch_weigh_pair(const struct dutch_weigh *w, const struct dutch_pair *pair,
    uint64_t *weight, size_t n)
{
	const struct dutch_digit *digit;
	unsigned value;
	int r, row;

	for (row = 0; row < DUTCH_WEIGH_ROWS; row++) {
		if (w->first[row] < 0 ||
		    (value = dutch_weigh_rows[row].value(w, pair)) == 0)
			continue;
		if ((digit = dutch_weigh_digit(w, row, pair)) == NULL)
			return (ERR_INTERNAL);
		r = wide_put(weight, n, digit->at, digit->width, value);
		if (r != 0)
			return (r);
	}
	return (0);
}

void
dutch_weigh_sum(const struct dutch_weigh *w, const struct dutch_pair *pair,
    unsigned long *sums)
{
	const struct dutch_digit *digit;
	unsigned value;
	int row;

	for (row = 0; row < DUTCH_WEIGH_ROWS; row++) {
		if (w->first[row] < 0 ||
		    (value = dutch_weigh_rows[row].value(w, pair)) == 0 ||
		    (digit = dutch_weigh_digit(w, row, pair)) == NULL)
			continue;
		sums[digit - w->digits] += value;
	}
}
