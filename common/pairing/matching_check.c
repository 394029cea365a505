/* SPDX-License-Identifier: ISC */
/*
 * The proof that a matching is one of the greatest weight.  It reads duals,
 * blossoms and mates, and shares nothing with the search that made them.
 */
#include <stdlib.h>

#include "common/base/err.h"
#include "common/pairing/matching.h"
#include "common/pairing/matching_int.h"
#include "common/pairing/wide.h"

/* The number of blossoms that hold a node. */
static size_t
matching_check_depth(const struct matching *m, int node)
{
	size_t depth;

	for (depth = 0; (node = m->node[node].up) >= 0;)
		depth++;
	return (depth);
}

/* The innermost blossom that holds both; -1: none does. */
static int
matching_check_common(const struct matching *m, int u, int v)
{
	size_t depth_u, depth_v;

	depth_u = matching_check_depth(m, u);
	depth_v = matching_check_depth(m, v);
	for (; depth_u > depth_v; depth_u--)
		u = m->node[u].up;
	for (; depth_v > depth_u; depth_v--)
		v = m->node[v].up;
	while (u != v) {
		u = m->node[u].up;
		v = m->node[v].up;
	}
	return (u);
}

/* The slack of an edge whose ends the blossom `in`, if any, holds. */
static void
matching_check_slack(
    const struct matching *m, int u, int v, int in, uint64_t *slack)
{
	wide_slack(slack, matching_dual(m, u), matching_dual(m, v),
	    matching_weight(m, u, v), m->words);
	for (; in >= 0; in = m->node[in].up)
		wide_add(slack, matching_dual(m, in), m->words);
}

bool
matching_is_tight(const struct matching *m, size_t u, size_t v)
{
	if (!matching_has_edge(m, (int)u, (int)v))
		return (false);
	matching_check_slack(m, (int)u, (int)v,
	    matching_check_common(m, (int)u, (int)v), m->room);
	return (wide_is_zero(m->room, m->words));
}

/* The pairs are edges, and each vertex has one mate, whose mate it is. */
static int
matching_check_pairs(const struct matching *m, const int *mate)
{
	size_t i;
	int u, v;

	for (i = 0; i < m->n_live; i++) {
		u = m->live[i];
		v = mate[u];
		if (v < 0 || (size_t)v >= m->n || v == u || mate[v] != u ||
		    !m->node[v].used || !matching_has_edge(m, u, v))
			return (ERR_INTERNAL);
	}
	return (0);
}

/*
 * For each vertex, the innermost blossom that holds it and u; -1: none.  What
 * is inside a node on the way up stands together in its blossom's list, so
 * only the other kids' vertices are new.
 */
static void
matching_check_commons(const struct matching *m, int u, int *in)
{
	const struct matching_node *b;
	int from, i, up;
	size_t j, n;

	for (j = 0; j < m->n_live; j++)
		in[m->live[j]] = -1;
	for (from = u; (up = m->node[from].up) >= 0; from = up) {
		b = &m->node[up];
		for (i = 0; i < b->n_kids; i++) {
			if (b->kids[i] == from)
				continue;
			n = matching_members(m, b->kids[i], m->list);
			for (j = 0; j < n; j++)
				in[m->list[j]] = up;
		}
	}
}

/* Adds up the duals of a blossom and of all that hold it. */
static void
matching_check_sum(const struct matching *m, int blossom, uint64_t *sum)
{
	wide_zero(sum, m->words);
	for (; blossom >= 0; blossom = m->node[blossom].up)
		wide_add(sum, matching_dual(m, blossom), m->words);
}

/* No edge weighs more than its duals; those of the matching weigh as much. */
static int
matching_check_edges(const struct matching *m, const int *mate)
{
	uint64_t *slack, *sums;
	int *in, r, u, v;
	size_t i, j;

	in = calloc(m->n, sizeof(*in));
	sums = calloc(m->n_nodes * m->words, sizeof(*sums));
	if (in == NULL || sums == NULL) {
		r = ERR_NOMEM;
		goto out;
	}
	for (i = m->n; i < m->n_nodes; i++) {
		if (m->node[i].used)
			matching_check_sum(m, (int)i, sums + i * m->words);
	}
	slack = m->room;
	r = ERR_INTERNAL;
	for (i = 0; i < m->n_live; i++) {
		u = m->live[i];
		matching_check_commons(m, u, in);
		for (j = 0; j < i; j++) {
			v = m->live[j];
			if (!matching_has_edge(m, u, v))
				continue;
			matching_check_slack(m, u, v, -1, slack);
			if (in[v] >= 0)
				wide_add(slack, sums + (size_t)in[v] * m->words,
				    m->words);
			if (wide_is_negative(slack, m->words) ||
			    (mate[u] == v && !wide_is_zero(slack, m->words)))
				goto out;
		}
	}
	r = 0;
out:
	free(in);
	free(sums);
	return (r);
}

/* A blossom whose dual counts is odd and has one vertex's mate outside. */
static int
matching_check_blossom(const struct matching *m, int blossom, const int *mate)
{
	size_t i, n, outside;
	int up;

	if (wide_is_negative(matching_dual(m, blossom), m->words))
		return (ERR_INTERNAL);
	if (wide_is_zero(matching_dual(m, blossom), m->words))
		return (0);
	n = matching_members(m, blossom, m->list);
	for (i = outside = 0; i < n; i++) {
		for (up = mate[m->list[i]]; up >= 0 && up != blossom;)
			up = m->node[up].up;
		outside += up < 0;
	}
	return (n % 2 == 1 && outside == 1 ? 0 : ERR_INTERNAL);
}

int
matching_certify(const struct matching *m, const int *mate)
{
	size_t i;
	int r;

	if ((r = matching_check_pairs(m, mate)) != 0 ||
	    (r = matching_check_edges(m, mate)) != 0)
		return (r);
	for (i = m->n; i < m->n_nodes; i++) {
		if (m->node[i].used &&
		    (r = matching_check_blossom(m, (int)i, mate)) != 0)
			return (r);
	}
	return (0);
}

int
matching_certify_none(const struct matching *m)
{
	const struct matching_node *x;
	size_t i, inner, j, outer;
	int u, v;

	for (i = inner = outer = 0; i < m->n_nodes; i++) {
		x = &m->node[i];
		if (!x->used || x->up >= 0)
			continue;
		outer += x->label == MATCHING_OUTER;
		inner += x->label == MATCHING_INNER;
		/* Taking them out must leave the outer nodes alone. */
		if (x->label == MATCHING_INNER && i >= m->n)
			return (ERR_INTERNAL);
		if (x->label == MATCHING_OUTER &&
		    matching_members(m, (int)i, m->list) % 2 == 0)
			return (ERR_INTERNAL);
	}
	for (i = 0; i < m->n_live; i++) {
		u = m->live[i];
		if (m->node[m->top[u]].label != MATCHING_OUTER)
			continue;
		for (j = 0; j < m->n_live; j++) {
			v = m->live[j];
			if (m->top[u] != m->top[v] &&
			    m->node[m->top[v]].label != MATCHING_INNER &&
			    matching_has_edge(m, u, v))
				return (ERR_INTERNAL);
		}
	}
	return (outer > inner ? 0 : ERR_INTERNAL);
}
