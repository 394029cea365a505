/* SPDX-License-Identifier: ISC */
/*
 * Points and standings (record S20): what each round was worth, and the order
 * of a knockout.  tournament_sheet.c has the rounds as tie-breaks see them.
 */
#include <stdlib.h>
#include <string.h>

#include "common/pairing/crosstable.h"
#include "common/pairing/standings.h"
#include "common/tournament/tournament_int.h"
#include "common/tournament/tournament_sheet.h"

int
tournament_ranked(const struct tournament *t)
{
	int n = (int)t->n_rounds;

	if (t->terms.format == TERMS_SWISS_KNOCKOUT && n > t->rounds_swiss)
		n = t->rounds_swiss;
	return (n);
}

/* True for an element of a list of numbers. */
static bool
tournament_has(const int *list, size_t n, int number)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (list[i] == number)
			return (true);
	}
	return (false);
}

/* What a table's result is for one of the two. */
static enum cross_result
tournament_cross_result(enum tournament_result result)
{
	static const enum cross_result results[] = {
	    [TOURNAMENT_NONE] = CROSS_NONE,
	    [TOURNAMENT_1] = CROSS_WIN,
	    [TOURNAMENT_2] = CROSS_LOSS,
	    [TOURNAMENT_DRAW] = CROSS_DRAW,
	    [TOURNAMENT_PLUS] = CROSS_FORFEIT_WIN,
	    [TOURNAMENT_MINUS] = CROSS_FORFEIT_LOSS,
	    [TOURNAMENT_BOTH] = CROSS_FORFEIT_LOSS,
	    [TOURNAMENT_AWAITED] = CROSS_NONE,
	};

	return (results[result]);
}

/* What a round was for somebody without a table in it. */
static enum cross_result
tournament_cross_rest(const struct tournament *t, int number, int round)
{
	const struct tournament_round *rd = tournament_round(t, round);
	const struct tournament_entrant *x = tournament_entrant(t, number);

	if (tournament_is_knockout(t, round) ||
	    t->terms.format == TERMS_ROUNDROBIN)
		return (CROSS_NONE);
	if (tournament_has(rd->byes, rd->n_byes, number))
		return (CROSS_BYE);
	if (x->is_late_half && x->since == round + 1)
		return (CROSS_HALF_BYE);
	if (t->terms.points.asked > 0 && round < TOURNAMENT_ROUNDS_SWISS &&
	    x->takes_bye[round] &&
	    tournament_has(rd->absent, rd->n_absent, number))
		return (CROSS_HALF_BYE);
	return (CROSS_ZERO_BYE);
}

struct cross_game
tournament_cross(
    const struct tournament *t, int number, int round, int *opponent)
{
	struct cross_game game = {.opponent = -1};
	const struct tournament_table *table;
	enum tournament_result result;
	bool has_bye;

	table =
	    tournament_table_of(tournament_round(t, round), number, &has_bye);
	*opponent = 0;
	if (table == NULL) {
		game.result = (int8_t)tournament_cross_rest(t, number, round);
		return (game);
	}
	result = tournament_table_result(t, table);
	if (table->b == number)
		result = tournament_result_swapped(result);
	game.result = (int8_t)tournament_cross_result(result);
	if (game.result == CROSS_NONE)
		return (game);
	*opponent = table->a == number ? table->b : table->a;
	if (tournament_is_played(result))
		game.side = table->a == number ? 1 : 2;
	return (game);
}

void
tournament_cross_points(const struct tournament *t, struct cross_points *p)
{
	const struct terms_points *from = &t->terms.points;

	p->win = from->win;
	p->draw = from->draw;
	p->loss = from->loss;
	p->forfeit_loss = 0;
	p->absent = 0;
	p->bye = from->bye;
}

int
tournament_round_points(const struct tournament *t, int number, int round)
{
	struct crosstable worth = {.n_players = 0};
	struct cross_game game;
	int opponent;

	tournament_cross_points(t, &worth.points);
	game = tournament_cross(t, number, round, &opponent);
	return (crosstable_worth(&worth, game.result));
}

int
tournament_points(const struct tournament *t, int number, int round)
{
	int i, sum = 0, last = tournament_ranked(t);
	size_t k;

	if (round - 1 < last)
		last = round - 1;
	for (i = 1; i <= last; i++)
		sum += tournament_round_points(t, number, i);
	for (k = 0; k < t->n_halves; k++) {
		if (t->halves[k].number == number && t->halves[k].round <= last)
			sum += t->halves[k].half;
	}
	return (sum < 0 ? 0 : sum);
}

/* The standings by points and tie-breaks; with_lots: then by lot. */
static int
tournament_rank_all(const struct tournament *t, bool with_lots,
    struct tournament_standing **rows, size_t *n, struct errinfo *e)
{
	struct tournament_standing *out = NULL;
	struct tournament_sheet s;
	struct standing *made;
	size_t i, k;
	int r;

	if ((r = tournament_sheet_make(t, 0, &s)) != 0)
		return (r);
	made = calloc(s.n + 1, sizeof(*made));
	out = calloc(s.n + 1, sizeof(*out));
	r = made == NULL || out == NULL
	    ? ERR_NOMEM
	    : tournament_sheet_rank(t, &s, with_lots, made, e);
	for (i = 0; r == 0 && i < s.n; i++) {
		out[i].number = s.numbers[made[i].player];
		out[i].rank = made[i].rank;
		out[i].points = made[i].points;
		for (k = 0; k < t->terms.n_ties; k++)
			out[i].values[k] = made[i].value[k];
	}
	*n = s.n;
	free(made);
	tournament_sheet_clear(&s);
	if (r != 0) {
		free(out);
		return (r);
	}
	*rows = out;
	return (0);
}

/* Orders those of equal rank by the pairing numbers that are given. */
static void
tournament_order_equals(struct tournament_standing *rows, size_t n,
    const int *order, size_t n_order)
{
	struct tournament_standing row;
	size_t i, k;

	for (i = 1; i < n; i++) {
		row = rows[i];
		for (k = i; k > 0 && rows[k - 1].rank == row.rank &&
		     tournament_sheet_index(
			 order, n_order, rows[k - 1].number) >
			 tournament_sheet_index(order, n_order, row.number);
		     k--)
			rows[k] = rows[k - 1];
		rows[k] = row;
	}
}

int
tournament_standings_swiss(const struct tournament *t,
    struct tournament_standing **rows, size_t *n, struct errinfo *e)
{
	size_t n_order;
	int *order, r;

	if ((order = calloc(t->n_entrants + 1, sizeof(*order))) == NULL)
		return (ERR_NOMEM);
	if ((r = tournament_rank_all(t, false, rows, n, e)) == 0) {
		n_order = tournament_swiss_numbers(
		    t, tournament_ranked(t) + 1, order);
		tournament_order_equals(*rows, *n, order, n_order);
	}
	free(order);
	return (r);
}

/* How far somebody came in the knockout: a rank; who was not in it is last. */
static int
tournament_far(const struct tournament_bracket_end *ends, size_t n, int number)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (ends[i].number == number)
			return (ends[i].rank);
	}
	return (INT32_MAX);
}

/* Orders by how far one came, then as it was, and numbers the ranks anew. */
static int
tournament_order_knockout(
    const struct tournament *t, struct tournament_standing *rows, size_t n)
{
	struct tournament_bracket_end *ends =
	    calloc(t->n_seeds + 1, sizeof(*ends));
	int *far = calloc(n + 1, sizeof(*far)),
	    *was = calloc(n + 1, sizeof(*was));
	struct tournament_standing row;
	int at, r = ERR_NOMEM;
	size_t i, k;

	if (ends == NULL || far == NULL || was == NULL)
		goto out;
	tournament_bracket_ends(t, ends);
	for (i = 0; i < n; i++) {
		row = rows[i];
		at = tournament_far(ends, t->n_seeds, row.number);
		for (k = i; k > 0 && far[k - 1] > at; k--) {
			far[k] = far[k - 1];
			was[k] = was[k - 1];
			rows[k] = rows[k - 1];
		}
		far[k] = at;
		was[k] = row.rank;
		rows[k] = row;
	}
	for (i = 0; i < n; i++)
		rows[i].rank =
		    i > 0 && far[i] == far[i - 1] && was[i] == was[i - 1]
		    ? rows[i - 1].rank
		    : (int)i + 1;
	r = 0;
out:
	free(ends);
	free(far);
	free(was);
	return (r);
}

int
tournament_standings(const struct tournament *t,
    struct tournament_standing **rows, size_t *n, struct errinfo *e)
{
	int r;

	r = tournament_rank_all(t, t->terms.parts_by_lot, rows, n, e);
	if (r != 0 || t->n_seeds == 0)
		return (r);
	if ((r = tournament_order_knockout(t, *rows, *n)) != 0)
		free(*rows);
	return (r);
}
