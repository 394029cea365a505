/* SPDX-License-Identifier: ISC */
/*
 * The knockout (record S18.4): its draw, who goes on, and how far each came.
 */
#include <stdlib.h>
#include <string.h>

#include "common/pairing/bracket.h"
#include "common/tournament/tournament_int.h"

/* Battle points of a over the legs that make the table's result. */
static int
tournament_margin(const struct tournament_table *table)
{
	int leg, bp = 0;

	for (leg = 0; leg < table->n_base; leg++)
		bp += leg == 0 ? table->legs[leg].bp : -table->legs[leg].bp;
	return (bp);
}

bool
tournament_bracket_plays_off(
    const struct tournament *t, const struct tournament_table *table)
{
	bool is_of_game = false;
	int leg;

	for (leg = 0; leg < table->n_base; leg++)
		is_of_game |= table->legs[leg].is_of_game;
	return (is_of_game && tournament_margin(table) == 0 &&
	    tournament_table_result(t, table) == TOURNAMENT_DRAW);
}

/* The better seed of a table. */
static int
tournament_better(
    const struct tournament *t, const struct tournament_table *table)
{
	return (tournament_entrant(t, table->a)->seed <
		    tournament_entrant(t, table->b)->seed
		? table->a
		: table->b);
}

/* Who goes on from a table, by number; 0: nobody, or it is open. */
static int
tournament_winner(
    const struct tournament *t, const struct tournament_table *table)
{
	enum tournament_result result = tournament_table_result(t, table);
	const struct tournament_leg *more;
	int bp = tournament_margin(table);

	if (result == TOURNAMENT_DRAW && table->n_legs > table->n_base) {
		more = &table->legs[table->n_base];
		if (!tournament_is_result(more->result))
			return (0);
		/* In it b has side 1. */
		result = tournament_result_swapped(more->result);
		bp = -more->bp;
	}
	switch (result) {
	case TOURNAMENT_1:
	case TOURNAMENT_PLUS:
		return (table->a);
	case TOURNAMENT_2:
	case TOURNAMENT_MINUS:
		return (table->b);
	case TOURNAMENT_DRAW:
		return (bp > 0   ? table->a
			: bp < 0 ? table->b
				 : tournament_better(t, table));
	default:
		return (0);
	}
}

/* The table of two in a round; NULL. */
static const struct tournament_table *
tournament_bracket_table(const struct tournament_round *rd, int a, int b)
{
	const struct tournament_table *table;
	bool has_bye;

	table = rd == NULL ? NULL : tournament_table_of(rd, a, &has_bye);
	return (
	    table != NULL && (table->a == b || table->b == b) ? table : NULL);
}

/* How many places round k of the knockout has. */
static size_t
tournament_places(const struct tournament *t, int k)
{
	return ((size_t)bracket_size((int)t->n_seeds) >> (k - 1));
}

/*
 * Who stands where before round k of the knockout: numbers in the order of the
 * draw, 0 where nobody does; new.
 */
static int *
tournament_slots(const struct tournament *t, int k)
{
	const size_t size = tournament_places(t, 1);
	const struct tournament_table *table;
	int *slots, i, a, b;
	size_t j, n;

	if ((slots = calloc(size + 1, sizeof(*slots))) == NULL)
		return (NULL);
	bracket_fill((int)t->n_seeds, slots);
	for (j = 0; j < size; j++) {
		for (n = 0; slots[j] > 0 && n < t->n_entrants &&
		     t->entrants[n].seed != slots[j];
		     n++)
			continue;
		slots[j] = slots[j] > 0 ? (int)n + 1 : 0;
	}
	for (i = 1; i < k; i++) {
		for (j = 0; j < tournament_places(t, i + 1); j++) {
			a = slots[2 * j];
			b = slots[2 * j + 1];
			table = a > 0 && b > 0
			    ? tournament_bracket_table(
				  tournament_round(t, t->rounds_swiss + i), a,
				  b)
			    : NULL;
			slots[j] =
			    table != NULL ? tournament_winner(t, table) : a + b;
			if (a > 0 && b > 0 && table == NULL)
				slots[j] = 0;
		}
	}
	return (slots);
}

int
tournament_bracket_left(const struct tournament *t)
{
	const int k = tournament_next(t) - t->rounds_swiss;
	int *slots, left = 0;
	size_t j;

	if ((slots = tournament_slots(t, k)) == NULL)
		return (0);
	for (j = 0; j < tournament_places(t, k); j++)
		left += slots[j] > 0;
	free(slots);
	return (left);
}

/* The seeds after a Swiss: the first of its standings who are in. */
static int
tournament_seed_standings(struct tournament *t, int round, struct errinfo *e)
{
	struct tournament_standing *rows;
	struct tournament_entrant *x;
	size_t i, n;
	int r;

	if ((r = tournament_standings_swiss(t, &rows, &n, e)) != 0)
		return (r);
	for (i = 0; i < n && (int)t->n_seeds < t->cut; i++) {
		x = tournament_entrant(t, rows[i].number);
		if (tournament_is_in(x, round))
			x->seed = (int)++t->n_seeds;
	}
	free(rows);
	return (0);
}

/* Fixes the seeds of the knockout with its first pairing. */
static int
tournament_bracket_seed(struct tournament *t, int round, struct errinfo *e)
{
	size_t i, n;
	int *order;

	if (t->n_seeds > 0)
		return (0);
	if (t->terms.format == TERMS_SWISS_KNOCKOUT)
		return (tournament_seed_standings(t, round, e));
	if ((order = calloc(t->n_entrants + 1, sizeof(*order))) == NULL)
		return (ERR_NOMEM);
	n = tournament_swiss_numbers(t, round, order);
	for (i = 0; i < n; i++)
		tournament_entrant(t, order[i])->seed = (int)i + 1;
	t->n_seeds = n;
	free(order);
	return (0);
}

/* How often somebody had side 1 in leg 1 of a table that was played. */
static int
tournament_had_first(const struct tournament *t, int number)
{
	const struct tournament_table *table;
	bool has_bye;
	int n = 0;
	size_t i;

	for (i = 0; i < t->n_rounds; i++) {
		table = tournament_table_of(&t->rounds[i], number, &has_bye);
		n += table != NULL && table->a == number &&
		    tournament_is_played(tournament_table_result(t, table));
	}
	return (n);
}

/* Adds a table of two, with their sides. */
static void
tournament_bracket_add(
    const struct tournament *t, struct tournament_pairing *p, int one, int two)
{
	const int first = tournament_entrant(t, one)->seed,
		  second = tournament_entrant(t, two)->seed;
	const int side = bracket_side(first, tournament_had_first(t, one),
	    second, tournament_had_first(t, two), t->initial);
	struct tournament_table *table = &p->tables[p->n_tables++];

	table->a = side == first ? one : two;
	table->b = side == first ? two : one;
}

/* Who lost a table that somebody won; 0. */
static int
tournament_loser(
    const struct tournament *t, const struct tournament_table *table)
{
	const int winner = tournament_winner(t, table);

	return (winner == 0 ? 0 : table->a + table->b - winner);
}

/* The table for the third place, if each semi-final has one loser. */
static void
tournament_bracket_third(
    const struct tournament *t, struct tournament_pairing *p)
{
	const struct tournament_round *semi =
	    tournament_round(t, (int)t->n_rounds);
	int one, two;

	if (semi == NULL || semi->n_tables != 2)
		return;
	one = tournament_loser(t, &semi->tables[0]);
	two = tournament_loser(t, &semi->tables[1]);
	if (one > 0 && two > 0)
		tournament_bracket_add(t, p, one, two);
}

int
tournament_bracket_pair(struct tournament *t, int round,
    struct tournament_pairing *p, struct errinfo *e)
{
	const int k = round - t->rounds_swiss;
	int *slots, r;
	size_t j, n;

	if ((r = tournament_bracket_seed(t, round, e)) != 0 ||
	    (r = tournament_pairing_make(p, t->n_seeds)) != 0)
		return (r);
	if ((slots = tournament_slots(t, k)) == NULL)
		return (ERR_NOMEM);
	n = tournament_places(t, k);
	for (j = 0; j + 1 < n; j += 2) {
		if (slots[j] > 0 && slots[j + 1] > 0)
			tournament_bracket_add(t, p, slots[j], slots[j + 1]);
		else if (slots[j] + slots[j + 1] > 0)
			p->byes[p->n_byes++] = slots[j] + slots[j + 1];
	}
	if (n == 2 && k > 1 && t->terms.has_third)
		tournament_bracket_third(t, p);
	free(slots);
	tournament_sort(p->byes, p->n_byes);
	return (0);
}

/* In which round of the knockout somebody lost; 0: not. */
static int
tournament_lost_in(const struct tournament *t, int number, int rounds)
{
	const struct tournament_table *table;
	bool has_bye;
	int k;

	for (k = 1; k <= rounds; k++) {
		table = tournament_table_of(
		    tournament_round(t, t->rounds_swiss + k), number, &has_bye);
		if (table != NULL && tournament_winner(t, table) != number &&
		    tournament_is_complete_table(table))
			return (k);
	}
	return (0);
}

/* How far somebody came, the less the better. */
static int
tournament_how_far(const struct tournament *t, int number)
{
	const int rounds = (int)t->n_rounds - t->rounds_swiss;
	const struct tournament_round *last =
	    tournament_round(t, (int)t->n_rounds);
	const int lost = tournament_lost_in(t, number, rounds);
	const struct tournament_table *third;

	if (lost == 0)
		return (0);
	/* The winner of the third place is before the other semi-finalist. */
	third = t->terms.has_third && last->n_tables == 2 &&
		tournament_places(t, rounds) == 2
	    ? &last->tables[1]
	    : NULL;
	if (third != NULL && lost == rounds - 1 &&
	    tournament_winner(t, third) == number)
		return (4 * (rounds - lost));
	return (4 * (rounds - lost) + 1);
}

void
tournament_bracket_ends(
    const struct tournament *t, struct tournament_bracket_end *ends)
{
	size_t i, k, n = 0;
	int far[TERMS_ENTRANTS_MAX + 1], at;

	for (i = 0; i < t->n_entrants && n < TERMS_ENTRANTS_MAX; i++) {
		if (t->entrants[i].seed == 0)
			continue;
		at = tournament_how_far(t, (int)i + 1);
		for (k = n++; k > 0 && far[k - 1] > at; k--) {
			far[k] = far[k - 1];
			ends[k] = ends[k - 1];
		}
		far[k] = at;
		ends[k].number = (int)i + 1;
	}
	for (i = 0; i < n; i++)
		ends[i].rank = i > 0 && far[i] == far[i - 1] ? ends[i - 1].rank
							     : (int)i + 1;
}
