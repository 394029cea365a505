/* SPDX-License-Identifier: ISC */
#include "common/pairing/matching.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/matching_int.h"
#include "common/pairing/matching_search.h"
#include "common/pairing/wide.h"

/* Bits of headroom: one doubles a weight, four are for sums, one is a sign. */
#define MATCHING_SPARE 6

/* Allocates what a matching of n vertices needs. */
static int
matching_alloc(struct matching *m)
{
	size_t blossoms, n, number;

	n = m->n;
	blossoms = n / 2 + 1;
	m->n_nodes = n + blossoms;
	number = m->words * sizeof(uint64_t);
	m->weight = calloc(n * n, number);
	m->edge = calloc(n * n, sizeof(*m->edge));
	m->dual = calloc(m->n_nodes, number);
	m->gap = calloc(m->n_nodes, number);
	m->room = calloc(3, number);
	m->node = calloc(m->n_nodes, sizeof(*m->node));
	m->near = calloc(blossoms * n, sizeof(*m->near));
	m->mate = calloc(n, sizeof(*m->mate));
	m->top = calloc(n, sizeof(*m->top));
	m->live = calloc(n, sizeof(*m->live));
	m->loose = calloc(n, sizeof(*m->loose));
	m->queue = calloc(n, sizeof(*m->queue));
	m->list = calloc(n, sizeof(*m->list));
	m->stack = calloc(4 * m->n_nodes, sizeof(*m->stack));
	if (m->weight == NULL || m->edge == NULL || m->dual == NULL ||
	    m->gap == NULL || m->room == NULL || m->node == NULL ||
	    m->near == NULL || m->mate == NULL || m->top == NULL ||
	    m->live == NULL || m->loose == NULL || m->queue == NULL ||
	    m->list == NULL || m->stack == NULL)
		return (ERR_NOMEM);
	return (0);
}

int
matching_new(struct matching **out, size_t n, size_t bits)
{
	struct matching *m;
	size_t v;
	int r;

	if (n == 0 || n > MATCHING_MAX)
		return (ERR_TOOBIG);
	if ((m = calloc(1, sizeof(*m))) == NULL)
		return (ERR_NOMEM);
	m->n = n;
	m->bits = bits;
	m->changed = true;
	/* A dual may be as far from zero as all weights of a path. */
	m->words = wide_words(bits + wide_bits(n) + MATCHING_SPARE);
	if ((r = matching_alloc(m)) != 0) {
		matching_free(m);
		return (r);
	}
	for (v = 0; v < n; v++) {
		m->node[v].used = true;
		m->node[v].up = -1;
		m->node[v].base = (int)v;
		m->mate[v] = -1;
		m->top[v] = (int)v;
		m->live[v] = (int)v;
	}
	m->n_live = n;
	*out = m;
	return (0);
}

void
matching_free(struct matching *m)
{
	size_t i;

	if (m == NULL)
		return;
	for (i = 0; m->node != NULL && i < m->n_nodes; i++) {
		free(m->node[i].kids);
		free(m->node[i].ties);
	}
	free(m->weight);
	free(m->edge);
	free(m->dual);
	free(m->gap);
	free(m->room);
	free(m->node);
	free(m->near);
	free(m->mate);
	free(m->top);
	free(m->live);
	free(m->loose);
	free(m->queue);
	free(m->list);
	free(m->stack);
	free(m);
}

size_t
matching_words(const struct matching *m)
{
	return (m->words);
}

/* True if a weight has no bits beyond those that were announced. */
static bool
matching_fits(const struct matching *m, const uint64_t *weight)
{
	size_t word;

	word = m->bits / WIDE_BITS;
	if (weight[word] >> m->bits % WIDE_BITS != 0)
		return (false);
	while (++word < m->words) {
		if (weight[word] != 0)
			return (false);
	}
	return (true);
}

int
matching_set(struct matching *m, size_t u, size_t v, const uint64_t *weight)
{
	uint64_t *w;

	if (weight != NULL) {
		if (!matching_fits(m, weight))
			return (ERR_TOOBIG);
		w = matching_weight(m, (int)u, (int)v);
		wide_copy(w, weight, m->words);
		wide_double(w, m->words);
		wide_copy(matching_weight(m, (int)v, (int)u), w, m->words);
	}
	m->changed = true;
	m->edge[u * m->n + v] = weight != NULL;
	m->edge[v * m->n + u] = weight != NULL;
	return (0);
}

size_t
matching_members(const struct matching *m, int node, int *list)
{
	const struct matching_node *x;
	size_t n, waiting;
	int i;

	n = 0;
	waiting = 0;
	m->stack[waiting++] = node;
	while (waiting > 0) {
		node = m->stack[--waiting];
		if ((size_t)node < m->n) {
			list[n++] = node;
			continue;
		}
		x = &m->node[node];
		for (i = 0; i < x->n_kids; i++)
			m->stack[waiting++] = x->kids[i];
	}
	return (n);
}

/*
 * Takes a blossom at the top apart before a search.  Its dual goes to its
 * vertices, so that all edges inside keep their slack; the one that matched it
 * outside gets one by that, and is given up.
 */
static void
matching_dissolve(struct matching *m, int blossom)
{
	uint64_t *half;
	size_t i, n;
	int base;

	half = matching_dual(m, blossom);
	if (!wide_is_zero(half, m->words)) {
		wide_halve(half, m->words);
		n = matching_members(m, blossom, m->list);
		for (i = 0; i < n; i++)
			wide_add(matching_dual(m, m->list[i]), half, m->words);
		base = m->node[blossom].base;
		if (m->mate[base] >= 0) {
			m->mate[m->mate[base]] = -1;
			m->mate[base] = -1;
		}
	}
	matching_search_open(m, blossom);
}

void
matching_loosen(struct matching *m, size_t v)
{
	while ((size_t)m->top[v] >= m->n)
		matching_dissolve(m, m->top[v]);
	if (m->mate[v] >= 0) {
		m->mate[m->mate[v]] = -1;
		m->mate[v] = -1;
	}
	m->loose[v] = true;
	m->changed = true;
}

void
matching_remove(struct matching *m, size_t u, size_t v)
{
	size_t i, n;

	/* Mates outside of blossoms leave the others as they are. */
	if (m->mate[u] != (int)v || m->top[u] != (int)u ||
	    m->top[v] != (int)v) {
		matching_loosen(m, u);
		matching_loosen(m, v);
	}
	m->node[u].used = false;
	m->node[v].used = false;
	for (i = n = 0; i < m->n_live; i++) {
		if ((size_t)m->live[i] != u && (size_t)m->live[i] != v)
			m->live[n++] = m->live[i];
	}
	m->n_live = n;
}

/* Lowers v's dual until an edge has no slack; *to: that edge's other end. */
static void
matching_lower(struct matching *m, int v, int *to)
{
	uint64_t *least, *slack;
	size_t i;
	int u;

	slack = m->room;
	least = m->room + m->words;
	*to = -1;
	for (i = 0; i < m->n_live; i++) {
		u = m->live[i];
		if (u == v || !matching_has_edge(m, u, v))
			continue;
		wide_slack(slack, matching_dual(m, u), matching_dual(m, v),
		    matching_weight(m, v, u), m->words);
		if (*to >= 0 && !wide_less(slack, least, m->words))
			continue;
		wide_copy(least, slack, m->words);
		*to = u;
	}
	if (*to >= 0)
		wide_sub(matching_dual(m, v), least, m->words);
}

/* Makes a dual even by adding one. */
static void
matching_even(struct matching *m, int v)
{
	uint64_t *one;

	if (!wide_is_odd(matching_dual(m, v)))
		return;
	one = m->room;
	wide_zero(one, m->words);
	one[0] = 1;
	wide_add(matching_dual(m, v), one, m->words);
}

/* Chooses the duals of a first run, and the pairs that they show at once. */
static void
matching_start(struct matching *m)
{
	uint64_t *most, *w;
	size_t i, j;
	int u, v;

	for (i = 0; i < m->n_live; i++) {
		v = m->live[i];
		most = matching_dual(m, v);
		wide_zero(most, m->words);
		for (j = 0; j < m->n_live; j++) {
			u = m->live[j];
			w = matching_weight(m, v, u);
			if (u != v && matching_has_edge(m, u, v) &&
			    wide_less(most, w, m->words))
				wide_copy(most, w, m->words);
		}
		wide_halve(most, m->words);
		matching_even(m, v);
		m->loose[v] = false;
	}
	for (i = 0; i < m->n_live; i++) {
		v = m->live[i];
		if (m->mate[v] >= 0)
			continue;
		matching_lower(m, v, &u);
		if (u >= 0 && m->mate[u] < 0) {
			m->mate[u] = v;
			m->mate[v] = u;
		}
	}
	m->started = true;
}

/* Chooses the dual of a vertex that was loosened. */
static void
matching_settle(struct matching *m, int v)
{
	size_t i;
	int to;

	m->loose[v] = false;
	matching_lower(m, v, &to);
	for (i = m->n; i < m->n_nodes; i++) {
		if (m->node[i].used)
			matching_search_near(m, (int)i, v);
	}
}

/*
 * Makes the dual of an unmatched vertex even, as all are at the first: then
 * the slack between outer nodes is even, too, and can be halved.
 */
static void
matching_level(struct matching *m, int v)
{
	uint64_t *one, *two, *z;
	size_t i, n;
	int top;

	while ((size_t)(top = m->top[v]) >= m->n &&
	    (wide_is_odd(matching_dual(m, v)) ||
		wide_is_zero(matching_dual(m, top), m->words))) {
		z = matching_dual(m, top);
		if (wide_is_zero(z, m->words)) {
			matching_search_open(m, top);
			continue;
		}
		one = m->room;
		two = m->room + m->words;
		wide_zero(one, m->words);
		wide_zero(two, m->words);
		one[0] = 1;
		two[0] = 2;
		n = matching_members(m, top, m->list);
		for (i = 0; i < n; i++)
			wide_add(matching_dual(m, m->list[i]), one, m->words);
		wide_sub(z, two, m->words);
	}
	if ((size_t)m->top[v] < m->n)
		matching_even(m, v);
}

int
matching_solve(struct matching *m)
{
	size_t i;
	bool done;
	int r, v;

	if (!m->started)
		matching_start(m);
	for (i = 0; i < m->n_live; i++) {
		v = m->live[i];
		if (m->loose[v])
			matching_settle(m, v);
	}
	for (i = 0; i < m->n_live; i++) {
		v = m->live[i];
		if (m->mate[v] < 0)
			matching_level(m, v);
	}
	if (!m->changed)
		return (0);
	for (done = false; !done;) {
		if ((r = matching_search(m, &done)) == ERR_NOTFOUND &&
		    matching_certify_none(m) != 0)
			return (ERR_INTERNAL);
		if (r != 0)
			return (r);
	}
	m->changed = false;
	return (matching_certify(m, m->mate));
}

size_t
matching_mate(const struct matching *m, size_t v)
{
	return ((size_t)m->mate[v]);
}
