/* SPDX-License-Identifier: ISC */
#include "common/pairing/dutch_graph.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/matching.h"
#include "common/pairing/wide.h"

#define DUTCH_SPARES 3 /* at first */

/* The first player of the group after the next, or where it would be. */
static int
dutch_graph_below(const struct dutch_work *b)
{
	const struct dutch *d;

	d = b->d;
	return (b->place.group + 2 < d->n_groups ? d->groups[b->place.group + 2]
						 : d->n);
}

/* The first player of the next group, or where it would be. */
static int
dutch_graph_next(const struct dutch_work *b)
{
	return (b->d->groups[b->place.group + 1]);
}

bool
dutch_graph_has_bye(const struct dutch_work *b, enum dutch_tail tail)
{
	const struct dutch *d;
	int last;

	d = b->d;
	if (!d->has_bye)
		return (false);
	if (tail == DUTCH_WHOLE)
		return (true);
	last = tail == DUTCH_NEAR ? dutch_graph_below(b) - 1
				  : dutch_graph_next(b) - 1;
	return (d->bye_score >= d->players[last].score);
}

/* The bits of a digit that says which candidate it is. */
static unsigned
dutch_graph_rank_width(const struct dutch_graph *g)
{
	return (wide_bits(g->b->place.n + 1));
}

/* The bits below the criteria. */
static size_t
dutch_graph_order_bits(const struct dutch_graph *g)
{
	const struct dutch_work *b;
	size_t m;

	b = g->b;
	m = (size_t)b->n_rest;
	switch (g->order) {
	case DUTCH_ORDER_DOWN:
		return (dutch_graph_rank_width(g) + b->place.n_down);
	case DUTCH_ORDER_REST:
		return (dutch_graph_rank_width(g) + m +
		    wide_bits((uint64_t)b->n_pairs * m) +
		    wide_bits((uint64_t)b->n_pairs));
	case DUTCH_ORDER_NONE:
		break;
	}
	return (0);
}

/* 4.4.2: who of those from above is paired, the highest first. */
static int
dutch_graph_down(struct dutch_graph *g, int high)
{
	const struct dutch_place *place;
	size_t at;

	place = &g->b->place;
	at = (size_t)g->b->place_of[high];
	if (at >= place->n_down)
		return (0);
	return (wide_put(g->weight, g->words,
	    dutch_graph_rank_width(g) + place->n_down - 1 - at, 1, 1));
}

/*
 * 4.3.2, of the remainder's players 1..m, who make k pairs: the highest k are
 * to be the high ones of pairs; then, as few others as can be, the least sum
 * of their numbers, of those who are not high the largest numbers, and of
 * those who are instead the smallest.  low is 0 where high is not paired.
 */
static int
dutch_graph_exchange(struct dutch_graph *g, int high, int low)
{
	const struct dutch_work *b;
	size_t at, k, m;
	unsigned width;
	int out, r;

	b = g->b;
	k = (size_t)b->n_pairs;
	m = (size_t)b->n_rest;
	at = dutch_graph_rank_width(g);
	/* Who is not high: of a pair, or without one. */
	out = low == 0 ? high : low;
	if ((size_t)out <= k) {
		r = wide_put(
		    g->weight, g->words, at + (m - k) + (size_t)out - 1, 1, 1);
		if (r != 0)
			return (r);
	}
	if (low == 0)
		return (0);
	if ((size_t)high > k) {
		r = wide_put(g->weight, g->words, at + m - (size_t)high, 1, 1);
		if (r != 0)
			return (r);
	}
	at += m;
	width = wide_bits(k * m);
	r = wide_put(g->weight, g->words, at, width, m - (size_t)high);
	if (r != 0 || (size_t)high > k)
		return (r);
	at += width;
	return (wide_put(g->weight, g->words, at, wide_bits(k), 1));
}

/* Adds the order's digits of a pair of players, or of one who has none. */
static int
dutch_graph_order(struct dutch_graph *g, int high, int low, bool is_in)
{
	const struct dutch_work *b;

	b = g->b;
	if (g->order == DUTCH_ORDER_DOWN)
		return (is_in ? dutch_graph_down(g, high) : 0);
	if (g->order == DUTCH_ORDER_NONE)
		return (0);
	if (is_in)
		return (dutch_graph_exchange(g, b->bsn[high], b->bsn[low]));
	return (
	    b->bsn[high] != 0 ? dutch_graph_exchange(g, b->bsn[high], 0) : 0);
}

/* The weight of the edge between two players; *has: there is one. */
static int
dutch_graph_pair(struct dutch_graph *g, int high, int low, bool *has)
{
	const struct dutch_work *b;
	struct dutch_pair pair;
	int place_high, place_low, r;

	b = g->b;
	*has = false;
	if (!dutch_may_meet(b->d, high, low))
		return (0);
	place_high = b->place_of[high];
	place_low = b->place_of[low];
	pair.high = &b->d->players[high];
	pair.low = &b->d->players[low];
	pair.is_in = place_low >= 0;
	pair.is_next = !pair.is_in && low < dutch_graph_below(b);
	/* Two from above were not paired there: they stay so. */
	if (pair.is_in && (size_t)place_low < b->place.n_down)
		return (0);
	if (pair.is_in && place_high >= 0 && b->limbo[high])
		return (0);
	*has = true;
	if ((r = dutch_weigh_pair(&g->weigh, &pair, g->weight, g->words)) != 0)
		return (r);
	return (dutch_graph_order(g, high, low, pair.is_in));
}

/* The weight of the edge to the bye or to nobody; *has: there is one. */
static int
dutch_graph_single(struct dutch_graph *g, int player, int what, bool *has)
{
	struct dutch_pair pair;
	int r;

	if (what == DUTCH_BYE) {
		*has = dutch_may_bye(g->b->d, player);
		if (!*has)
			return (0);
		memset(&pair, 0, sizeof(pair));
		pair.high = &g->b->d->players[player];
		r = dutch_weigh_pair(&g->weigh, &pair, g->weight, g->words);
		if (r != 0)
			return (r);
	}
	*has = true;
	return (dutch_graph_order(g, player, -1, false));
}

/* Sets the edge between two vertices, the first of which is a player. */
static int
dutch_graph_edge(struct dutch_graph *g, size_t u, size_t v, uint64_t rank)
{
	bool has;
	int r;

	wide_zero(g->weight, g->words);
	if (g->who[v] >= 0)
		r = dutch_graph_pair(g, g->who[u], g->who[v], &has);
	else if (g->who[u] >= 0)
		r = dutch_graph_single(g, g->who[u], g->who[v], &has);
	else {
		/* Spares that are not needed have each other. */
		has = g->who[u] == DUTCH_SPARE && g->who[v] == DUTCH_SPARE;
		r = 0;
	}
	if (r == 0 && has && rank != 0)
		r = wide_put(
		    g->weight, g->words, 0, dutch_graph_rank_width(g), rank);
	if (r != 0)
		return (r);
	return (matching_set(g->m, u, v, has ? g->weight : NULL));
}

/* Adds a vertex. */
static void
dutch_graph_add(struct dutch_graph *g, int who)
{
	if (who >= 0)
		g->vertex[who] = (int)g->n;
	g->who[g->n++] = who;
}

/* Lists the vertices: players by rank, then the bye, then spares. */
static void
dutch_graph_list(struct dutch_graph *g, enum dutch_rows rows)
{
	const struct dutch_work *b;
	size_t i;
	int end, p;

	b = g->b;
	for (p = 0; p < b->d->n; p++)
		g->vertex[p] = -1;
	if (rows == DUTCH_ROWS_SIDES && g->order == DUTCH_ORDER_REST) {
		for (i = 0; i < (size_t)b->n_rest; i++)
			dutch_graph_add(g, b->rest[i]);
		return;
	}
	for (i = 0; i < b->place.n; i++) {
		if (b->with[b->place.members[i]] < 0)
			dutch_graph_add(g, b->place.members[i]);
	}
	end = b->tail == DUTCH_ALONE ? dutch_graph_next(b)
	    : b->tail == DUTCH_NEAR  ? dutch_graph_below(b)
				     : b->d->n;
	for (p = dutch_graph_next(b); p < end; p++)
		dutch_graph_add(g, p);
	if (dutch_graph_has_bye(b, b->tail))
		dutch_graph_add(g, DUTCH_BYE);
	if (b->tail != DUTCH_NEAR || dutch_graph_below(b) == b->d->n)
		return;
	g->spare += (g->n + g->spare) % 2;
	for (i = 0; i < g->spare; i++)
		dutch_graph_add(g, DUTCH_SPARE);
}

/* True if there were enough spares: two of them have each other. */
static bool
dutch_graph_enough(const struct dutch_graph *g)
{
	size_t v;

	for (v = g->n; v-- > 0 && g->who[v] == DUTCH_SPARE;) {
		if (g->who[matching_mate(g->m, v)] == DUTCH_SPARE)
			return (true);
	}
	return (v + 1 == g->n || g->spare >= v);
}

/* Makes the graph with so many spares, and solves it. */
static int
dutch_graph_make(struct dutch_graph *g, enum dutch_rows rows)
{
	size_t u, v;
	int r;

	g->n = 0;
	dutch_graph_list(g, rows);
	if (g->n % 2 == 1)
		return (ERR_NOTFOUND);
	if ((r = matching_new(&g->m, g->n, g->weigh.bits)) != 0)
		return (r);
	g->words = matching_words(g->m);
	free(g->weight);
	if ((g->weight = calloc(g->words, sizeof(*g->weight))) == NULL)
		return (ERR_NOMEM);
	for (v = 0; v < g->n; v++) {
		for (u = 0; u < v; u++) {
			if ((r = dutch_graph_edge(g, u, v, 0)) != 0)
				return (r);
		}
	}
	return (matching_solve(g->m));
}

int
dutch_graph_solve(struct dutch_graph *g, const struct dutch_work *b,
    enum dutch_rows rows, enum dutch_order order)
{
	size_t most;
	int r;

	memset(g, 0, sizeof(*g));
	g->b = b;
	g->order = order;
	most = 2 * (size_t)b->d->n + DUTCH_SPARES + 3;
	g->who = calloc(most, sizeof(*g->who));
	g->vertex = calloc((size_t)b->d->n + 1, sizeof(*g->vertex));
	if (g->who == NULL || g->vertex == NULL)
		return (ERR_NOMEM);
	r = dutch_weigh_plan(
	    &g->weigh, &b->place, rows, dutch_graph_order_bits(g));
	if (r != 0)
		return (r);
	for (g->spare = DUTCH_SPARES;;) {
		if ((r = dutch_graph_make(g, rows)) != 0)
			return (r);
		if (dutch_graph_enough(g))
			return (0);
		matching_free(g->m);
		g->m = NULL;
		g->spare *= 2;
		if (g->spare > (size_t)b->d->n)
			g->spare = (size_t)b->d->n;
	}
}

void
dutch_graph_clear(struct dutch_graph *g)
{
	matching_free(g->m);
	dutch_weigh_clear(&g->weigh);
	free(g->who);
	free(g->vertex);
	free(g->weight);
	memset(g, 0, sizeof(*g));
}

int
dutch_graph_mate(const struct dutch_graph *g, int player)
{
	return (g->who[matching_mate(g->m, (size_t)g->vertex[player])]);
}

int
dutch_graph_choose(struct dutch_graph *g, int player, const int *candidates,
    size_t n, int *mate)
{
	size_t i, u, v;
	bool better;
	int r;

	if ((r = matching_solve(g->m)) != 0)
		return (r);
	u = (size_t)g->vertex[player];
	for (i = 0, better = false; i < n && !better; i++) {
		v = (size_t)g->vertex[candidates[i]];
		if (matching_mate(g->m, u) == v)
			break;
		better = matching_is_tight(g->m, u, v);
	}
	if (better) {
		matching_loosen(g->m, u);
		for (i = 0; i < n; i++) {
			v = (size_t)g->vertex[candidates[i]];
			if ((r = dutch_graph_edge(g, u, v, n - i)) != 0)
				return (r);
		}
		if ((r = matching_solve(g->m)) != 0)
			return (r);
	}
	v = matching_mate(g->m, u);
	*mate = g->who[v];
	matching_remove(g->m, u, v);
	return (0);
}
