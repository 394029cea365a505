/* SPDX-License-Identifier: ISC */
/*
 * Matchings: against all there are in small graphs, gone on with after changes,
 * and the certificate, which must refuse what was spoilt.
 */
#include "common/pairing/matching.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"
#include "common/pairing/matching_int.h"
#include "common/pairing/wide.h"

#define MOST 20 /* vertices */
#define BITS 100 /* of a weight: more than a word */

/* A graph, with weights that are put into a word and above it. */
struct graph {
	size_t n;
	int weight[MOST][MOST]; /* -1: no edge */
	bool gone[MOST];
};

/* The next number of a fixed sequence (xorshift64). */
static uint64_t
next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state);
}

/* Sets one edge of both. */
static void
set(struct matching *m, struct graph *g, size_t u, size_t v, int weight)
{
	uint64_t w[8] = {0};

	g->weight[u][v] = g->weight[v][u] = weight;
	if (weight < 0) {
		assert_int_equal(matching_set(m, u, v, NULL), 0);
		return;
	}
	assert_true(matching_words(m) <= 8);
	assert_int_equal(wide_put(w, 2, 60, 20, (uint64_t)weight), 0);
	assert_int_equal(matching_set(m, u, v, w), 0);
}

/* Draws a weight; few values, so that many matchings are as good. */
static int
draw(uint64_t *seed, unsigned density, unsigned values)
{
	if (next(seed) % 100 >= density)
		return (-1);
	return ((int)(next(seed) % values));
}

/* Draws a graph. */
static struct matching *
drawn(struct graph *g, size_t n, uint64_t *seed)
{
	static const unsigned densities[] = {30, 60, 100};
	static const unsigned values[] = {1, 2, 5, 1000};
	unsigned density, value;
	struct matching *m;
	size_t u, v;

	memset(g, 0, sizeof(*g));
	g->n = n;
	assert_int_equal(matching_new(&m, n, BITS), 0);
	density = densities[next(seed) % 3];
	value = values[next(seed) % 4];
	for (u = 0; u < n; u++) {
		g->weight[u][u] = -1;
		for (v = 0; v < u; v++)
			set(m, g, u, v, draw(seed, density, value));
	}
	return (m);
}

/* The greatest weight of all perfect matchings; -1: there is none. */
static int
best_of_all(const struct graph *g, const bool *paired)
{
	bool used[MOST];
	size_t u, v;
	int best, rest;

	memcpy(used, paired, sizeof(used));
	for (u = 0; u < g->n && used[u]; u++)
		continue;
	if (u == g->n)
		return (0);
	used[u] = true;
	for (v = u + 1, best = -1; v < g->n; v++) {
		if (used[v] || g->weight[u][v] < 0)
			continue;
		used[v] = true;
		rest = best_of_all(g, used);
		if (rest >= 0 && rest + g->weight[u][v] > best)
			best = rest + g->weight[u][v];
		used[v] = false;
	}
	return (best);
}

/* The weight of what was found, which must be a matching of edges. */
static int
found(const struct matching *m, const struct graph *g)
{
	size_t mate, v;
	int sum = 0;

	for (v = 0; v < g->n; v++) {
		if (g->gone[v])
			continue;
		mate = matching_mate(m, v);
		assert_true(mate < g->n && !g->gone[mate] && mate != v);
		assert_int_equal(matching_mate(m, mate), v);
		assert_true(g->weight[v][mate] >= 0);
		if (mate < v)
			sum += g->weight[v][mate];
	}
	return (sum);
}

/* Runs, and holds the result against all there are; false: there is none. */
static bool
agrees(struct matching *m, const struct graph *g)
{
	int best, r;

	best = best_of_all(g, g->gone);
	r = matching_solve(m);
	if (best < 0) {
		assert_int_equal(r, ERR_NOTFOUND);
		return (false);
	}
	assert_int_equal(r, 0);
	assert_int_equal(found(m, g), best);
	return (true);
}

static void
small_graphs_have_the_best_of_all(void **state)
{
	uint64_t seed = 1815;
	struct matching *m;
	struct graph g;
	int i, none = 0;

	(void)state;
	for (i = 0; i < 3000; i++) {
		m = drawn(&g, 1 + next(&seed) % 10, &seed);
		none += !agrees(m, &g);
		matching_free(m);
	}
	assert_true(none > 500 && none < 2500);
}

static void
an_edge_that_is_not_tight_is_in_no_best_matching(void **state)
{
	uint64_t seed = 16;
	struct matching *m;
	struct graph g;
	bool paired[MOST];
	int best, i, tight = 0, with;
	size_t u, v;

	(void)state;
	for (i = 0; i < 300; i++) {
		m = drawn(&g, 8, &seed);
		if (matching_solve(m) == 0) {
			best = best_of_all(&g, g.gone);
			for (u = 0; u < g.n; u++) {
				for (v = 0; v < u; v++) {
					if (g.weight[u][v] < 0)
						continue;
					memset(paired, 0, sizeof(paired));
					paired[u] = paired[v] = true;
					with = best_of_all(&g, paired);
					if (with >= 0 &&
					    with + g.weight[u][v] == best)
						assert_true(
						    matching_is_tight(m, u, v));
					tight += matching_is_tight(m, u, v);
				}
			}
		}
		matching_free(m);
	}
	assert_true(tight > 300);
}

static void
a_matching_is_gone_on_with(void **state)
{
	uint64_t seed = 1806;
	struct matching *m;
	struct graph g;
	size_t mate, u, v;
	int i, steps = 0;

	(void)state;
	for (i = 0; i < 600; i++) {
		m = drawn(&g, 10, &seed);
		while (agrees(m, &g)) {
			for (u = 0; u < g.n && g.gone[u]; u++)
				continue;
			if (u == g.n)
				break;
			steps++;
			if (next(&seed) % 3 == 0) {
				mate = matching_mate(m, u);
				matching_remove(m, u, mate);
				g.gone[u] = g.gone[mate] = true;
				continue;
			}
			u = next(&seed) % g.n;
			if (g.gone[u])
				continue;
			matching_loosen(m, u);
			for (v = 0; v < g.n; v++) {
				if (v != u && !g.gone[v])
					set(m, &g, u, v, draw(&seed, 70, 6));
			}
		}
		matching_free(m);
	}
	assert_true(steps > 2000);
}

/*
 * Spoils a matching: two pairs change partners; false if what comes out is no
 * worse, or not made of edges.
 */
static bool
spoil(const struct graph *g, int *mate, uint64_t *seed)
{
	int a, b, c, d;

	a = (int)(next(seed) % g->n);
	b = mate[a];
	c = (int)(next(seed) % g->n);
	d = mate[c];
	if (a == c || a == d || g->weight[a][c] < 0 || g->weight[b][d] < 0 ||
	    g->weight[a][c] + g->weight[b][d] >=
		g->weight[a][b] + g->weight[c][d])
		return (false);
	mate[a] = c;
	mate[c] = a;
	mate[b] = d;
	mate[d] = b;
	return (true);
}

static void
the_certificate_refuses_worse_matchings(void **state)
{
	uint64_t seed = 1812;
	struct matching *m;
	int mate[MOST], refused = 0;
	struct graph g;

	(void)state;
	while (refused < 1000) {
		m = drawn(&g, 6 + 2 * (next(&seed) % 8), &seed);
		if (matching_solve(m) == 0) {
			assert_int_equal(matching_certify(m, m->mate), 0);
			memcpy(mate, m->mate, g.n * sizeof(*mate));
			if (spoil(&g, mate, &seed)) {
				assert_int_equal(
				    matching_certify(m, mate), ERR_INTERNAL);
				refused++;
			}
		}
		matching_free(m);
	}
}

static void
the_certificate_refuses_what_is_no_matching(void **state)
{
	uint64_t seed = 1796;
	struct matching *m;
	int mate[MOST];
	struct graph g;
	int i, tried = 0;

	(void)state;
	for (i = 0; i < 300; i++) {
		m = drawn(&g, 10, &seed);
		if (matching_solve(m) == 0) {
			tried++;
			memcpy(mate, m->mate, g.n * sizeof(*mate));
			mate[0] = -1;
			assert_int_equal(
			    matching_certify(m, mate), ERR_INTERNAL);
			mate[0] = 0;
			assert_int_equal(
			    matching_certify(m, mate), ERR_INTERNAL);
			mate[0] = MOST;
			assert_int_equal(
			    matching_certify(m, mate), ERR_INTERNAL);
			mate[0] = mate[1] == 0 ? 2 : mate[1];
			assert_int_equal(
			    matching_certify(m, mate), ERR_INTERNAL);
		}
		matching_free(m);
	}
	assert_true(tried > 100);
}

static void
the_certificate_refuses_spoilt_duals(void **state)
{
	uint64_t seed = 1792, *dual;
	struct matching *m;
	struct graph g;
	size_t blossom;
	int i, tried = 0, z = 0;

	(void)state;
	for (i = 0; i < 400; i++) {
		m = drawn(&g, 16, &seed);
		if (matching_solve(m) == 0) {
			tried++;
			/* Its pair has slack now, or weighs too much. */
			dual = matching_dual(m, (int)(next(&seed) % g.n));
			dual[0] ^= (uint64_t)1 << next(&seed) % 60;
			assert_int_equal(
			    matching_certify(m, m->mate), ERR_INTERNAL);
		}
		matching_free(m);
	}
	assert_true(tried > 100);
	/* A blossom's own: less is not enough, and negative is no dual. */
	for (i = 0; i < 2000 && z < 100; i++) {
		m = drawn(&g, 16, &seed);
		if (matching_solve(m) == 0) {
			for (blossom = g.n; blossom < m->n_nodes; blossom++) {
				dual = matching_dual(m, (int)blossom);
				if (!m->node[blossom].used ||
				    wide_is_zero(dual, m->words))
					continue;
				memset(dual, 0xff, m->words * sizeof(*dual));
				assert_int_equal(
				    matching_certify(m, m->mate), ERR_INTERNAL);
				z++;
				break;
			}
		}
		matching_free(m);
	}
	assert_int_equal(z, 100);
}

static void
what_does_not_fit_is_refused(void **state)
{
	uint64_t w[4] = {0};
	struct matching *m;

	(void)state;
	assert_int_equal(matching_new(&m, 0, 1), ERR_TOOBIG);
	assert_int_equal(matching_new(&m, MATCHING_MAX + 1, 1), ERR_TOOBIG);
	assert_int_equal(matching_new(&m, 4, 66), 0);
	w[1] = 3;
	assert_int_equal(matching_set(m, 0, 1, w), 0);
	w[1] = 4;
	assert_int_equal(matching_set(m, 0, 1, w), ERR_TOOBIG);
	matching_free(m);
	matching_free(NULL);
}

static void
a_graph_without_edges_has_no_perfect_matching(void **state)
{
	struct matching *m;

	(void)state;
	assert_int_equal(matching_new(&m, 1, 1), 0);
	assert_int_equal(matching_solve(m), ERR_NOTFOUND);
	matching_free(m);
	assert_int_equal(matching_new(&m, 2, 1), 0);
	assert_int_equal(matching_solve(m), ERR_NOTFOUND);
	matching_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(small_graphs_have_the_best_of_all),
	    cmocka_unit_test(an_edge_that_is_not_tight_is_in_no_best_matching),
	    cmocka_unit_test(a_matching_is_gone_on_with),
	    cmocka_unit_test(the_certificate_refuses_worse_matchings),
	    cmocka_unit_test(the_certificate_refuses_what_is_no_matching),
	    cmocka_unit_test(the_certificate_refuses_spoilt_duals),
	    cmocka_unit_test(what_does_not_fit_is_refused),
	    cmocka_unit_test(a_graph_without_edges_has_no_perfect_matching),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
