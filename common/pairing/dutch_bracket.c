/* SPDX-License-Identifier: ISC */
/*
 * A bracket is paired in two steps: who plays those from above, then the
 * remainder, as Article 3 has it.  Each is a matching of the greatest weight,
 * whose lowest digits are the order of Article 4; transpositions, which would
 * be the longest ones, are chosen player by player in what it leaves open.
 *
 * C4 asks that all others can be paired, too.  Mostly they can, so a bracket is
 * first paired as if they could, alone or with the next, and that is then
 * looked at; only if it was wrong everybody is in the graph.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/dutch_graph.h"
#include "common/pairing/dutch_int.h"
#include "common/pairing/dutch_weigh.h"
#include "common/pairing/matching.h"

/* What a bracket says where the graph was too small: try the next. */
#define DUTCH_AGAIN 1

/* Allocates the work on a bracket; its members stand in `out`. */
static int
dutch_bracket_init(struct dutch_work *b, struct dutch *d, int group,
    const struct dutch_bracket *out)
{
	size_t i, n;
	int p;

	memset(b, 0, sizeof(*b));
	n = (size_t)d->n;
	b->d = d;
	b->place_of = calloc(n, sizeof(*b->place_of));
	b->with = calloc(n, sizeof(*b->with));
	b->bsn = calloc(n, sizeof(*b->bsn));
	b->limbo = calloc(n, sizeof(*b->limbo));
	b->rest = calloc(n, sizeof(*b->rest));
	b->next_with = calloc(n, sizeof(*b->next_with));
	if (b->place_of == NULL || b->with == NULL || b->bsn == NULL ||
	    b->limbo == NULL || b->rest == NULL || b->next_with == NULL)
		return (ERR_NOMEM);
	b->place.d = d;
	b->place.group = group;
	b->place.members = out->members;
	b->place.n = out->n;
	b->place.n_down = out->n_down;
	if (group + 1 < d->n_groups)
		b->place.n_next =
		    (size_t)(d->groups[group + 2] - d->groups[group + 1]);
	for (p = 0; p < d->n; p++)
		b->place_of[p] = -1;
	for (i = 0; i < out->n; i++)
		b->place_of[out->members[i]] = (int)i;
	return (0);
}

/* Frees what dutch_bracket_init() allocated. */
static void
dutch_bracket_clear(struct dutch_work *b)
{
	free(b->place_of);
	free(b->with);
	free(b->bsn);
	free(b->limbo);
	free(b->rest);
	free(b->next_with);
}

/* Forgets what an attempt has found. */
static void
dutch_bracket_reset(struct dutch_work *b)
{
	int p;

	for (p = 0; p < b->d->n; p++) {
		b->with[p] = -1;
		b->next_with[p] = -1;
		b->bsn[p] = 0;
		b->limbo[p] = false;
	}
	b->n_rest = 0;
	b->n_pairs = 0;
}

/* Joins two in this bracket. */
static void
dutch_bracket_join(struct dutch_work *b, int p, int q)
{
	b->with[p] = q;
	b->with[q] = p;
}

/* C9 counts if one goes down and gets the bye: how many must go down? */
static int
dutch_bracket_one_bye(struct dutch_work *b)
{
	struct dutch_graph g;
	size_t down, i;
	int mate, r;

	b->place.one_bye = false;
	if (!dutch_graph_has_bye(b, DUTCH_ALONE))
		return (0);
	r = dutch_graph_solve(&g, b, DUTCH_ROWS_PAIRS, DUTCH_ORDER_NONE);
	if (r == 0) {
		for (i = 0, down = 0; i < b->place.n; i++) {
			mate = dutch_graph_mate(&g, b->place.members[i]);
			down += mate < 0 || b->place_of[mate] < 0;
		}
		b->place.one_bye = down == 1;
	}
	dutch_graph_clear(&g);
	return (r);
}

/* Pairs those from above, whose set the graph has chosen: 4.4, then 4.2. */
static int
dutch_bracket_from_above(struct dutch_work *b, struct dutch_graph *g)
{
	const int *members;
	size_t i, j, n;
	int mate, p, r;

	members = b->place.members;
	for (i = 0; i < b->place.n_down; i++) {
		mate = dutch_graph_mate(g, members[i]);
		b->limbo[members[i]] = mate < 0 || b->place_of[mate] < 0;
	}
	for (i = 0; i < b->place.n_down; i++) {
		p = members[i];
		if (b->limbo[p])
			continue;
		for (j = b->place.n_down, n = 0; j < b->place.n; j++) {
			if (b->with[members[j]] < 0)
				b->rest[n++] = members[j];
		}
		if ((r = dutch_graph_choose(g, p, b->rest, n, &mate)) != 0)
			return (r);
		if (mate < 0 || b->place_of[mate] < (int)b->place.n_down)
			return (ERR_INTERNAL);
		dutch_bracket_join(b, p, mate);
	}
	/* What the last one left is to be whole. */
	return (b->place.n_down > 0 ? matching_solve(g->m) : 0);
}

/* Numbers the remainder, and counts the pairs that a matching makes of it. */
static void
dutch_bracket_remain(struct dutch_work *b, const struct dutch_graph *g)
{
	size_t i;
	int mate, p;

	b->n_rest = 0;
	b->n_pairs = 0;
	for (i = b->place.n_down; i < b->place.n; i++) {
		p = b->place.members[i];
		if (b->with[p] >= 0)
			continue;
		b->rest[b->n_rest++] = p;
		b->bsn[p] = b->n_rest;
	}
	for (i = 0; i < (size_t)b->n_rest; i++) {
		mate = dutch_graph_mate(g, b->rest[i]);
		b->n_pairs += mate >= 0 && b->bsn[mate] > (int)i + 1;
	}
}

/* The digits that a pair in the bracket has. */
static void
dutch_bracket_sum(const struct dutch_work *b, const struct dutch_weigh *w,
    int p, int q, unsigned long *sums)
{
	struct dutch_pair pair;

	pair.high = &b->d->players[p < q ? p : q];
	pair.low = &b->d->players[p < q ? q : p];
	pair.is_in = true;
	pair.is_next = false;
	dutch_weigh_sum(w, &pair, sums);
}

/*
 * 3.4.1: takes the first candidate of the remainder (the high half against the
 * low one, as they stand) if it is as good as the matching's; *taken.
 */
static int
dutch_bracket_first(
    struct dutch_work *b, const struct dutch_graph *g, bool *taken)
{
	unsigned long *best, *first;
	int i, k, mate, p;

	k = b->n_pairs;
	*taken = false;
	for (i = 0; i < b->n_rest; i++) {
		mate = dutch_graph_mate(g, b->rest[i]);
		if ((i < 2 * k) != (mate >= 0 && b->bsn[mate] != 0) ||
		    (i < k &&
			!dutch_may_meet(b->d, b->rest[i], b->rest[k + i])))
			return (0);
	}
	best = calloc(2 * g->weigh.n + 1, sizeof(*best));
	if (best == NULL)
		return (ERR_NOMEM);
	first = best + g->weigh.n;
	for (i = 0; i < 2 * k; i++) {
		p = b->rest[i];
		mate = dutch_graph_mate(g, p);
		if (mate > p)
			dutch_bracket_sum(b, &g->weigh, p, mate, best);
		if (i < k)
			dutch_bracket_sum(
			    b, &g->weigh, p, b->rest[k + i], first);
	}
	*taken = memcmp(best, first, g->weigh.n * sizeof(*best)) == 0;
	for (i = 0; *taken && i < k; i++)
		dutch_bracket_join(b, b->rest[i], b->rest[k + i]);
	free(best);
	return (0);
}

/* The remainder: the exchange by a matching, then the transposition. */
static int
dutch_bracket_rest(struct dutch_work *b, struct dutch_graph *g)
{
	int i, j, mate, p, r, *low;
	bool *is_high;
	size_t n;

	low = calloc((size_t)b->n_rest + 1, sizeof(*low));
	is_high = calloc((size_t)b->n_rest + 1, sizeof(*is_high));
	if (low == NULL || is_high == NULL) {
		r = ERR_NOMEM;
		goto out;
	}
	for (i = 0; i < b->n_rest; i++) {
		mate = dutch_graph_mate(g, b->rest[i]);
		is_high[i] = mate >= 0 && b->bsn[mate] > i + 1;
	}
	for (i = 0, r = 0; i < b->n_rest; i++) {
		if (!is_high[i])
			continue;
		p = b->rest[i];
		for (j = i + 1, n = 0; j < b->n_rest; j++) {
			if (!is_high[j] && b->with[b->rest[j]] < 0)
				low[n++] = b->rest[j];
		}
		if ((r = dutch_graph_choose(g, p, low, n, &mate)) != 0)
			goto out;
		if (mate < 0 || b->bsn[mate] <= i + 1) {
			r = ERR_INTERNAL;
			goto out;
		}
		dutch_bracket_join(b, p, mate);
	}
	r = matching_solve(g->m);
out:
	free(low);
	free(is_high);
	return (r);
}

/* Keeps whom a graph would pair below the bracket. */
static void
dutch_bracket_keep(struct dutch_work *b, const struct dutch_graph *g)
{
	int mate, p;

	for (p = 0; p < b->d->n; p++) {
		if (g->vertex[p] < 0 || b->with[p] >= 0)
			continue;
		mate = dutch_graph_mate(g, p);
		b->next_with[p] = mate == DUTCH_SPARE ? -1
		    : mate == DUTCH_BYE               ? p
						      : mate;
	}
}

/* True (1) if everybody whom the graph left out can be paired; else 0. */
static int
dutch_bracket_completes(const struct dutch_work *b)
{
	const struct dutch *d;
	bool with_bye;
	size_t n;
	int p, r, *left;

	d = b->d;
	if ((left = calloc((size_t)d->n + 1, sizeof(*left))) == NULL)
		return (ERR_NOMEM);
	with_bye = d->has_bye && !dutch_graph_has_bye(b, b->tail);
	for (p = 0, n = 0; p < d->n; p++) {
		if (d->mate[p] < 0 && b->with[p] < 0 && b->next_with[p] < 0)
			left[n++] = p;
	}
	r = dutch_completes(d, left, n, with_bye, NULL);
	free(left);
	return (r);
}

/* 3.4.1: alone, and the first candidate leaves no wish open. */
static bool
dutch_bracket_perfect(struct dutch_work *b)
{
	const struct dutch_player *high, *low;
	const int *members;
	size_t half, i;

	half = b->place.n / 2;
	members = b->place.members;
	if (b->tail != DUTCH_ALONE || b->place.n_down > 0)
		return (false);
	for (i = 0; i < half; i++) {
		high = &b->d->players[members[i]];
		low = &b->d->players[members[half + i]];
		if (!dutch_may_meet(b->d, members[i], members[half + i]) ||
		    !side_both(&high->past, &low->past))
			return (false);
	}
	for (i = 0; i < half; i++)
		dutch_bracket_join(b, members[i], members[half + i]);
	return (true);
}

/* Pairs a bracket whose graph goes as far as its tail says. */
static int
dutch_bracket_find(struct dutch_work *b)
{
	struct dutch_graph above, rest;
	bool alone, taken;
	int r;

	memset(&rest, 0, sizeof(rest));
	alone = b->tail == DUTCH_ALONE && b->place.n_down == 0;
	r = dutch_graph_solve(&above, b,
	    alone ? DUTCH_ROWS_SIDES : DUTCH_ROWS_ALL, DUTCH_ORDER_DOWN);
	if (r != 0 || (r = dutch_bracket_from_above(b, &above)) != 0)
		goto out;
	dutch_bracket_remain(b, &above);
	if ((r = dutch_bracket_first(b, &above, &taken)) != 0)
		goto out;
	alone = b->n_rest == 2 * b->n_pairs;
	if (!taken && b->n_pairs > 0) {
		r = dutch_graph_solve(&rest, b,
		    alone ? DUTCH_ROWS_SIDES : DUTCH_ROWS_ALL,
		    DUTCH_ORDER_REST);
		if (r != 0 || (r = dutch_bracket_rest(b, &rest)) != 0)
			goto out;
		if (!alone)
			dutch_bracket_keep(b, &rest);
	}
	if (taken || alone || b->n_pairs == 0)
		dutch_bracket_keep(b, &above);
out:
	dutch_graph_clear(&rest);
	dutch_graph_clear(&above);
	return (r);
}

/* Tries a bracket with one tail; DUTCH_AGAIN: that was not enough. */
static int
dutch_bracket_try(struct dutch_work *b, enum dutch_tail tail)
{
	int r;

	b->tail = tail;
	dutch_bracket_reset(b);
	b->place.one_bye = false;
	if (!dutch_bracket_perfect(b)) {
		if (tail != DUTCH_ALONE && (r = dutch_bracket_one_bye(b)) != 0)
			return (r == ERR_NOTFOUND ? DUTCH_AGAIN : r);
		if ((r = dutch_bracket_find(b)) != 0)
			return (r == ERR_NOTFOUND ? DUTCH_AGAIN : r);
	}
	if (tail == DUTCH_WHOLE)
		return (0);
	r = dutch_bracket_completes(b);
	return (r < 0 ? r : r == 0 ? DUTCH_AGAIN : 0);
}

/* Says what a bracket came to. */
static int
dutch_bracket_tell(const struct dutch_work *b, struct dutch_bracket *out)
{
	unsigned long games, *sums;
	struct dutch_pair pair;
	struct dutch_weigh w;
	size_t i;
	int mate, p, r;

	sums = NULL;
	if ((r = dutch_weigh_plan(&w, &b->place, DUTCH_ROWS_ALL, 0)) != 0)
		return (r);
	sums = calloc(w.n + 1, sizeof(*sums));
	out->values = calloc(w.n + 1, sizeof(*out->values));
	if (sums == NULL || out->values == NULL) {
		r = ERR_NOMEM;
		goto out;
	}
	for (p = 0, games = 0; p < b->d->n; p++) {
		if ((mate = b->with[p]) > p)
			dutch_bracket_sum(b, &w, p, mate, sums);
		if ((mate = b->next_with[p]) < p)
			continue;
		memset(&pair, 0, sizeof(pair));
		pair.high = &b->d->players[p];
		pair.low = mate == p ? NULL : &b->d->players[mate];
		pair.is_next = mate != p &&
		    b->d->players[mate].group == b->place.group + 1;
		if (mate != p || b->place_of[p] >= 0)
			dutch_weigh_sum(&w, &pair, sums);
		if (mate == p && w.first[DUTCH_WEIGH_BYE] >= 0)
			games = (unsigned long)pair.high->played;
	}
	/* People want to hear of games, and not of their rank. */
	if (w.first[DUTCH_WEIGH_BYE] >= 0)
		sums[w.first[DUTCH_WEIGH_BYE]] = games;
	for (i = 0; i < w.n; i++) {
		out->values[i].row = w.digits[i].row;
		out->values[i].score = w.digits[i].score;
		out->values[i].value = sums[i];
	}
	out->n_values = w.n;
	for (i = 0; i < out->n; i++) {
		p = out->members[i];
		mate = b->with[p];
		out->mates[i] = mate < 0 ? -1 : b->d->players[mate].entrant;
	}
out:
	free(sums);
	dutch_weigh_clear(&w);
	return (r);
}

int
dutch_bracket_pair(struct dutch *d, int group, const int *down, size_t n_down,
    struct dutch_bracket *out)
{
	struct dutch_work b;
	size_t i;
	int p, r;

	memset(&b, 0, sizeof(b));
	out->score = d->players[d->groups[group]].score;
	out->n_down = n_down;
	out->n = n_down + (size_t)(d->groups[group + 1] - d->groups[group]);
	out->members = calloc(out->n, sizeof(*out->members));
	out->mates = calloc(out->n, sizeof(*out->mates));
	if (out->members == NULL || out->mates == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < n_down; i++)
		out->members[i] = down[i];
	for (p = d->groups[group]; p < d->groups[group + 1]; p++)
		out->members[i++] = p;
	if ((r = dutch_bracket_init(&b, d, group, out)) != 0)
		goto out;
	r = DUTCH_AGAIN;
	if (out->n % 2 == 0 && !dutch_graph_has_bye(&b, DUTCH_ALONE))
		r = dutch_bracket_try(&b, DUTCH_ALONE);
	if (r == DUTCH_AGAIN)
		r = dutch_bracket_try(&b, DUTCH_NEAR);
	if (r == DUTCH_AGAIN)
		r = dutch_bracket_try(&b, DUTCH_WHOLE);
	/* C4 held before this bracket, so it can be paired. */
	if (r == DUTCH_AGAIN)
		r = ERR_INTERNAL;
	if (r != 0 || (r = dutch_bracket_tell(&b, out)) != 0)
		goto out;
	for (i = 0; i < out->n; i++) {
		p = out->members[i];
		d->mate[p] = b.with[p];
	}
	for (i = 0; i < out->n; i++)
		out->members[i] = d->players[out->members[i]].entrant;
out:
	dutch_bracket_clear(&b);
	return (r);
}
