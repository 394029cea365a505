/* SPDX-License-Identifier: ISC */
#include "common/pairing/entrant.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/crosstable.h"

/* True if a round of the table is paired. */
static bool
entrant_is_paired(const struct crosstable *t, int round)
{
	size_t i;

	if (round > t->n_rounds)
		return (false);
	for (i = 0; i < t->n_players; i++) {
		if (crosstable_is_paired(crosstable_game(t, i, round)))
			return (true);
	}
	return (false);
}

/* True if somebody is to be paired in a round. */
static bool
entrant_is_here(
    const struct crosstable *t, size_t player, int round, bool paired)
{
	const struct cross_game *g;

	if (round > t->n_rounds)
		return (true);
	g = crosstable_game(t, player, round);
	return (paired ? crosstable_is_paired(g) : g->result == CROSS_NONE);
}

/* The first side, from the sides of the first round that has some. */
static int
entrant_first_side(const struct crosstable *t)
{
	const struct cross_game *g;
	int number, r, round;
	bool counts;
	size_t i;

	if (t->initial != 0)
		return (t->initial);
	for (round = 1; round <= t->n_rounds; round++) {
		for (i = 0, number = 0; i < t->n_players; i++) {
			for (r = 1, counts = false; r <= round; r++)
				counts |= crosstable_is_paired(
				    crosstable_game(t, i, r));
			number += counts;
			g = crosstable_game(t, i, round);
			if (g->side != 0)
				return (
				    number % 2 == 1 ? g->side : 3 - g->side);
		}
	}
	return (0);
}

/* Fills in what a player has done in a round before. */
static void
entrant_load_round(const struct crosstable *t, size_t player, int round,
    struct entrant_round *out)
{
	const struct cross_game *g;

	g = crosstable_game(t, player, round);
	out->opponent = g->opponent;
	out->played = crosstable_is_played((enum cross_result)g->result);
	out->side = out->played ? g->side : 0;
	out->paired = crosstable_is_paired(g);
	out->points = crosstable_worth(t, (enum cross_result)g->result);
	out->score = crosstable_score(t, player, round - 1);
}

/* Lists the pairs of all groups that are in force in a round. */
static int
entrant_load_apart(
    struct entrant_field *f, const struct crosstable *t, int round)
{
	const struct cross_apart *a;
	size_t g, i, j, n;

	for (g = n = 0; g < t->n_apart; g++)
		n += t->apart[g].n * t->apart[g].n / 2;
	f->apart = calloc(n + 1, sizeof(*f->apart));
	if (f->apart == NULL)
		return (ERR_NOMEM);
	for (g = 0; g < t->n_apart; g++) {
		a = &t->apart[g];
		if (round < a->first || round > a->last)
			continue;
		for (i = 0; i < a->n; i++) {
			for (j = 0; j < i; j++) {
				f->apart[f->n_apart].a = a->players[i];
				f->apart[f->n_apart++].b = a->players[j];
			}
		}
	}
	return (0);
}

int
entrant_field_load(
    struct entrant_field *f, const struct crosstable *t, int round)
{
	struct entrant *e;
	bool paired;
	size_t i;
	int r;

	memset(f, 0, sizeof(*f));
	if (t->n_players > ENTRANT_MAX || round - 1 > ENTRANT_ROUNDS_MAX)
		return (ERR_TOOBIG);
	f->n = t->n_players;
	f->rounds = (size_t)round - 1;
	f->rounds_all = (size_t)(t->rounds != 0 ? t->rounds : t->n_rounds);
	f->win = t->points.win;
	f->loss = t->points.loss;
	f->first_side = entrant_first_side(t);
	f->entrants = calloc(f->n + 1, sizeof(*f->entrants));
	f->store = calloc(f->n * f->rounds + 1, sizeof(*f->store));
	if (f->entrants == NULL || f->store == NULL ||
	    (r = entrant_load_apart(f, t, round)) != 0) {
		entrant_field_clear(f);
		return (ERR_NOMEM);
	}
	paired = entrant_is_paired(t, round);
	for (i = 0; i < f->n; i++) {
		e = &f->entrants[i];
		e->is_here = entrant_is_here(t, i, round, paired);
		e->score = crosstable_score(t, i, round - 1);
		e->rounds = f->store + i * f->rounds;
		for (r = 1; r < round; r++)
			entrant_load_round(t, i, r, &e->rounds[r - 1]);
	}
	return (0);
}

void
entrant_field_clear(struct entrant_field *f)
{
	free(f->entrants);
	free(f->store);
	free(f->apart);
	memset(f, 0, sizeof(*f));
}

void
entrant_number(const struct entrant_field *f, int *numbers)
{
	const struct entrant *e;
	size_t i, j;
	bool counts;
	int next;

	for (i = 0, next = 0; i < f->n; i++) {
		e = &f->entrants[i];
		counts = e->is_here;
		for (j = 0; j < f->rounds && !counts; j++)
			counts = e->rounds[j].paired;
		next += counts;
		numbers[i] = next;
	}
}
