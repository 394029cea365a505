/* SPDX-License-Identifier: ISC */
/*
 * A forest grows from all unmatched vertices at once.  Nodes at an even
 * distance from their root are outer, the others inner; an edge without slack
 * from an outer node reaches a free node and its mate, closes a blossom in one
 * tree, or joins two trees: then the pairs along it change places, and there
 * is one more.  Where no edge is without slack the duals of outer nodes go
 * down and those of inner ones up, by what makes the next edge so.
 *
 * Each node keeps the edge of least slack that leads to it from outer nodes,
 * and each blossom the vertex that its least edge to any other vertex leads
 * to: all of a blossom's duals change alike, so that stays so.  This is what
 * keeps a search within O(n^2).
 */
#include "common/pairing/matching_search.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/matching_int.h"
#include "common/pairing/wide.h"

/* The slack of an edge between two nodes at the top. */
static void
matching_search_slack(const struct matching *m, int u, int v, uint64_t *slack)
{
	wide_slack(slack, matching_dual(m, u), matching_dual(m, v),
	    matching_weight(m, u, v), m->words);
}

/* The kid of a blossom that holds v; *place: where along the cycle. */
static int
matching_search_kid(const struct matching *m, int blossom, int v, int *place)
{
	const struct matching_node *b;
	int kid;

	b = &m->node[blossom];
	for (kid = v; m->node[kid].up != blossom; kid = m->node[kid].up)
		continue;
	for (*place = 0; b->kids[*place] != kid; (*place)++)
		continue;
	return (kid);
}

void
matching_search_rebase(struct matching *m, int node, int v)
{
	const struct matching_node *x;
	const struct matching_tie *tie;
	int i, k, kid, n, place, to;

	n = 0;
	m->stack[n++] = node;
	m->stack[n++] = v;
	while (n > 0) {
		v = m->stack[--n];
		node = m->stack[--n];
		if (m->node[node].base == v)
			continue;
		m->node[node].base = v;
		x = &m->node[node];
		k = x->n_kids;
		kid = matching_search_kid(m, node, v, &place);
		m->stack[n++] = kid;
		m->stack[n++] = v;
		/* The others pair up along the cycle, from the kid on. */
		for (i = 1; i < k; i += 2) {
			tie = &x->ties[(place + i) % k];
			to = x->kids[(place + i + 1) % k];
			m->mate[tie->u] = tie->v;
			m->mate[tie->v] = tie->u;
			m->stack[n++] = x->kids[(place + i) % k];
			m->stack[n++] = tie->u;
			m->stack[n++] = to;
			m->stack[n++] = tie->v;
		}
	}
}

/* Puts a node, which is at the top, above its vertices. */
static void
matching_search_raise(struct matching *m, int node)
{
	size_t i, n;

	m->node[node].up = -1;
	n = matching_members(m, node, m->list);
	for (i = 0; i < n; i++)
		m->top[m->list[i]] = node;
}

void
matching_search_open(struct matching *m, int blossom)
{
	struct matching_node *b;
	int i;

	b = &m->node[blossom];
	for (i = 0; i < b->n_kids; i++)
		matching_search_raise(m, b->kids[i]);
	free(b->kids);
	free(b->ties);
	memset(b, 0, sizeof(*b));
}

/* Makes a node outer: its vertices are still to be looked at. */
static void
matching_search_outer(struct matching *m, int node)
{
	size_t n;

	m->node[node].label = MATCHING_OUTER;
	m->node[node].has_least = false;
	n = matching_members(m, node, m->queue + m->n_queue);
	m->n_queue += n;
}

/* Offers the edge from u, in an outer node, to v as a node's least. */
static void
matching_search_offer(struct matching *m, int node, int u, int v)
{
	struct matching_node *x;
	uint64_t *gap;

	x = &m->node[node];
	gap = m->gap + (size_t)node * m->words;
	matching_search_slack(m, u, v, m->room);
	if (x->has_least && !wide_less(m->room, gap, m->words))
		return;
	wide_copy(gap, m->room, m->words);
	x->has_least = true;
	x->least.u = u;
	x->least.v = v;
}

/* The end in a node of u's least edge to it; -1: there is none. */
static int
matching_search_end(const struct matching *m, int node, int u)
{
	if ((size_t)node >= m->n)
		return (m->near[((size_t)node - m->n) * m->n + (size_t)u]);
	return (matching_has_edge(m, u, node) ? node : -1);
}

/* Finds a node's least edge anew. */
static void
matching_search_least(struct matching *m, int node)
{
	size_t i;
	int u, v;

	m->node[node].has_least = false;
	for (i = 0; i < m->n_live; i++) {
		u = m->live[i];
		if (m->top[u] == node ||
		    m->node[m->top[u]].label != MATCHING_OUTER)
			continue;
		if ((v = matching_search_end(m, node, u)) >= 0)
			matching_search_offer(m, node, u, v);
	}
}

/* Keeps for u the better one of two vertices of a blossom. */
static void
matching_search_nearer(struct matching *m, int *near, int u, int v)
{
	uint64_t *a, *b;

	if (v < 0)
		return;
	if (*near < 0) {
		*near = v;
		return;
	}
	a = m->room;
	b = m->room + m->words;
	matching_search_slack(m, u, *near, a);
	matching_search_slack(m, u, v, b);
	if (wide_less(b, a, m->words))
		*near = v;
}

void
matching_search_near(struct matching *m, int blossom, int v)
{
	size_t i, n;
	int *near;

	near = m->near + ((size_t)blossom - m->n) * m->n + (size_t)v;
	*near = -1;
	n = matching_members(m, blossom, m->list);
	for (i = 0; i < n; i++) {
		if (matching_has_edge(m, v, m->list[i]))
			matching_search_nearer(m, near, v, m->list[i]);
	}
}

/* The inner node above an outer one in its tree; -1: this is the root. */
static int
matching_search_above(const struct matching *m, int outer)
{
	int mate;

	mate = m->mate[m->node[outer].base];
	return (mate < 0 ? -1 : m->top[mate]);
}

/* The outer node in which the trees' paths from x and y meet; -1: none. */
static int
matching_search_meet(struct matching *m, int x, int y)
{
	int inner;

	m->mark++;
	for (;;) {
		m->node[x].mark = m->mark;
		if ((inner = matching_search_above(m, x)) < 0)
			break;
		x = m->top[m->node[inner].entry.u];
	}
	while (m->node[y].mark != m->mark) {
		if ((inner = matching_search_above(m, y)) < 0)
			return (-1);
		y = m->top[m->node[inner].entry.u];
	}
	return (y);
}

/* Adds a kid to a cycle, and the tie that leads on from it. */
static void
matching_search_add(struct matching_node *b, int kid, int u, int v)
{
	b->kids[b->n_kids] = kid;
	b->ties[b->n_kids].u = u;
	b->ties[b->n_kids].v = v;
	b->n_kids++;
}

/* Turns kids [from, n_kids) round, and the ties between them. */
static void
matching_search_turn(struct matching_node *b, int from)
{
	struct matching_tie tie;
	int i, j, kid;

	for (i = from, j = b->n_kids - 1; i < j; i++, j--) {
		kid = b->kids[i];
		b->kids[i] = b->kids[j];
		b->kids[j] = kid;
	}
	for (i = from, j = b->n_kids - 2; i <= j; i++, j--) {
		tie = b->ties[i];
		b->ties[i].u = b->ties[j].v;
		b->ties[i].v = b->ties[j].u;
		b->ties[j].u = tie.v;
		b->ties[j].v = tie.u;
	}
}

/* Adds to a cycle the path from an outer node up to one above it. */
static void
matching_search_path(
    struct matching *m, struct matching_node *b, int x, int until)
{
	int base, inner;

	while (x != until) {
		base = m->node[x].base;
		inner = m->top[m->mate[base]];
		matching_search_add(b, x, base, m->mate[base]);
		matching_search_add(
		    b, inner, m->node[inner].entry.v, m->node[inner].entry.u);
		x = m->top[m->node[inner].entry.u];
	}
}

/* Makes the cycle that the edge (u, v) closes: from the node on top round. */
static void
matching_search_cycle(
    struct matching *m, struct matching_node *b, int u, int v, int meet)
{
	int last;

	/* Up from u to below the top, turned: down from the top to u. */
	matching_search_path(m, b, m->top[u], meet);
	matching_search_add(b, meet, -1, -1);
	matching_search_turn(b, 0);
	last = b->n_kids - 1;
	b->ties[last].u = u;
	b->ties[last].v = v;
	matching_search_path(m, b, m->top[v], meet);
}

/* For each vertex outside a new blossom, whom its least edge leads to. */
static void
matching_search_nears(struct matching *m, int blossom)
{
	const struct matching_node *b;
	size_t i;
	int j, u, *near;

	b = &m->node[blossom];
	near = m->near + ((size_t)blossom - m->n) * m->n;
	for (i = 0; i < m->n_live; i++) {
		u = m->live[i];
		near[u] = -1;
		for (j = 0; m->top[u] != blossom && j < b->n_kids; j++)
			matching_search_nearer(m, &near[u], u,
			    matching_search_end(m, b->kids[j], u));
	}
}

/* Makes a blossom of the cycle that the edge (u, v) closes below `meet`. */
static int
matching_search_close(struct matching *m, int u, int v, int meet)
{
	struct matching_node *b;
	size_t id;
	int i, kid;

	for (id = m->n; id < m->n_nodes && m->node[id].used; id++)
		continue;
	if (id == m->n_nodes)
		return (ERR_INTERNAL);
	b = &m->node[id];
	b->kids = malloc(m->n * sizeof(*b->kids));
	b->ties = malloc(m->n * sizeof(*b->ties));
	if (b->kids == NULL || b->ties == NULL) {
		free(b->kids);
		free(b->ties);
		b->kids = NULL;
		b->ties = NULL;
		return (ERR_NOMEM);
	}
	b->used = true;
	matching_search_cycle(m, b, u, v, meet);
	b->base = m->node[meet].base;
	wide_zero(matching_dual(m, (int)id), m->words);
	for (i = 0; i < b->n_kids; i++) {
		kid = b->kids[i];
		if (m->node[kid].label == MATCHING_INNER)
			matching_search_outer(m, kid);
		m->node[kid].up = (int)id;
	}
	b->label = MATCHING_OUTER;
	matching_search_raise(m, (int)id);
	matching_search_nears(m, (int)id);
	matching_search_least(m, (int)id);
	return (0);
}

/* Changes the pairs from s, in an outer node, up to its root. */
static void
matching_search_flip(struct matching *m, int s, int other)
{
	struct matching_tie entry;
	int mate, x;

	for (;;) {
		x = m->top[s];
		mate = m->mate[m->node[x].base];
		matching_search_rebase(m, x, s);
		m->mate[s] = other;
		if (mate < 0)
			return;
		x = m->top[mate];
		entry = m->node[x].entry;
		matching_search_rebase(m, x, entry.v);
		m->mate[entry.v] = entry.u;
		s = entry.u;
		other = entry.v;
	}
}

/* Uses an edge without slack from an outer node; *found: it made a pair. */
static int
matching_search_join(struct matching *m, int u, int v, bool *found)
{
	int meet, x, y;

	x = m->top[u];
	y = m->top[v];
	if (m->node[y].label == MATCHING_FREE) {
		m->node[y].label = MATCHING_INNER;
		m->node[y].has_least = false;
		m->node[y].entry.u = u;
		m->node[y].entry.v = v;
		matching_search_outer(m, m->top[m->mate[m->node[y].base]]);
		return (0);
	}
	if (m->node[y].label == MATCHING_INNER)
		return (0);
	if ((meet = matching_search_meet(m, x, y)) >= 0)
		return (matching_search_close(m, u, v, meet));
	matching_search_flip(m, u, v);
	matching_search_flip(m, v, u);
	*found = true;
	return (0);
}

/* Opens an inner blossom without a dual: the way through it stays. */
static void
matching_search_expand(struct matching *m, int blossom)
{
	struct matching_node *b, *x;
	struct matching_tie entry, tie;
	int *kids, i, k, base, first, kid, last, outer, place, step;
	struct matching_tie *ties;

	b = &m->node[blossom];
	entry = b->entry;
	k = b->n_kids;
	base = b->base;
	kids = b->kids;
	ties = b->ties;
	(void)matching_search_kid(m, blossom, entry.v, &first);
	(void)matching_search_kid(m, blossom, base, &last);
	for (i = 0; i < k; i++) {
		m->node[kids[i]].label = MATCHING_FREE;
		m->node[kids[i]].has_least = false;
	}
	/* Pairs start behind the base: the first kid's is towards it. */
	step = (first - last + k) % k % 2 == 1 ? 1 : k - 1;
	place = first;
	m->node[kids[place]].entry = entry;
	for (i = 0; i < k; i++)
		matching_search_raise(m, kids[i]);
	for (;;) {
		kid = kids[place];
		m->node[kid].label = MATCHING_INNER;
		if (place == last)
			break;
		outer = (place + step) % k;
		matching_search_outer(m, kids[outer]);
		place = (outer + step) % k;
		x = &m->node[kids[place]];
		tie = step == 1 ? ties[outer] : ties[place];
		x->entry.u = step == 1 ? tie.u : tie.v;
		x->entry.v = step == 1 ? tie.v : tie.u;
	}
	for (i = 0; i < k; i++) {
		if (m->node[kids[i]].label == MATCHING_FREE)
			matching_search_least(m, kids[i]);
	}
	free(kids);
	free(ties);
	memset(b, 0, sizeof(*b));
}

/* Looks at all edges of u, which is in an outer node. */
static int
matching_search_scan(struct matching *m, int u, bool *found)
{
	struct matching_node *x;
	size_t i;
	int r, v;

	for (i = 0; i < m->n_live && !*found; i++) {
		v = m->live[i];
		x = &m->node[m->top[v]];
		if (x->label == MATCHING_INNER || m->top[u] == m->top[v] ||
		    !matching_has_edge(m, u, v))
			continue;
		matching_search_slack(m, u, v, m->room);
		if (!wide_is_zero(m->room, m->words)) {
			matching_search_offer(m, m->top[v], u, v);
			continue;
		}
		if ((r = matching_search_join(m, u, v, found)) != 0)
			return (r);
	}
	return (0);
}

/* The least change of the duals that brings something new. */
static int
matching_search_step(struct matching *m, uint64_t *step)
{
	const struct matching_node *x;
	uint64_t *what;
	bool has;
	size_t i;

	what = m->room;
	for (i = 0, has = false; i < m->n_nodes; i++) {
		x = &m->node[i];
		if (!x->used || x->up >= 0)
			continue;
		if (x->label == MATCHING_INNER) {
			if (i < m->n)
				continue;
			wide_copy(what, matching_dual(m, (int)i), m->words);
			wide_halve(what, m->words);
		} else {
			if (!x->has_least)
				continue;
			wide_copy(what, m->gap + i * m->words, m->words);
			if (x->label == MATCHING_OUTER) {
				/* Outer duals are all odd or all even. */
				if (wide_is_odd(what))
					return (ERR_INTERNAL);
				wide_halve(what, m->words);
			}
		}
		if (!has || wide_less(what, step, m->words))
			wide_copy(step, what, m->words);
		has = true;
	}
	return (has ? 0 : ERR_NOTFOUND);
}

/* Changes all duals of the forest by a step, and the gaps with them. */
static int
matching_search_move(struct matching *m, const uint64_t *step)
{
	const struct matching_node *x;
	uint64_t *dual, *twice, high;
	size_t i;

	twice = m->room;
	wide_copy(twice, step, m->words);
	wide_double(twice, m->words);
	for (i = 0; i < m->n_live; i++) {
		x = &m->node[m->top[m->live[i]]];
		dual = matching_dual(m, m->live[i]);
		if (x->label == MATCHING_OUTER)
			wide_sub(dual, step, m->words);
		else if (x->label == MATCHING_INNER)
			wide_add(dual, step, m->words);
		/* Three bits are left for sums of duals and a weight. */
		high = dual[m->words - 1] >> (WIDE_BITS - 4);
		if (high != 0 && high != 15)
			return (ERR_INTERNAL);
	}
	for (i = 0; i < m->n_nodes; i++) {
		x = &m->node[i];
		if (!x->used || x->up >= 0)
			continue;
		dual = matching_dual(m, (int)i);
		if (i >= m->n && x->label == MATCHING_OUTER)
			wide_add(dual, twice, m->words);
		else if (i >= m->n && x->label == MATCHING_INNER)
			wide_sub(dual, twice, m->words);
		if (!x->has_least)
			continue;
		if (x->label == MATCHING_OUTER)
			wide_sub(m->gap + i * m->words, twice, m->words);
		else if (x->label == MATCHING_FREE)
			wide_sub(m->gap + i * m->words, step, m->words);
	}
	return (0);
}

/* Does what a change of the duals has made possible. */
static int
matching_search_use(struct matching *m, bool *found)
{
	struct matching_node *x;
	size_t i;
	int r;

	for (i = 0; i < m->n_nodes && !*found; i++) {
		x = &m->node[i];
		if (!x->used || x->up >= 0 || !x->has_least ||
		    !wide_is_zero(m->gap + i * m->words, m->words))
			continue;
		x->has_least = false;
		r = matching_search_join(m, x->least.u, x->least.v, found);
		if (r != 0)
			return (r);
	}
	for (i = m->n; i < m->n_nodes && !*found; i++) {
		x = &m->node[i];
		if (x->used && x->up < 0 && x->label == MATCHING_INNER &&
		    wide_is_zero(matching_dual(m, (int)i), m->words))
			matching_search_expand(m, (int)i);
	}
	return (0);
}

/* Starts the forest: its roots are the unmatched nodes. */
static void
matching_search_plant(struct matching *m)
{
	size_t i;
	int v;

	m->n_queue = 0;
	for (i = 0; i < m->n_nodes; i++) {
		m->node[i].label = MATCHING_FREE;
		m->node[i].has_least = false;
	}
	for (i = 0; i < m->n_live; i++) {
		v = m->live[i];
		if (m->mate[v] < 0)
			matching_search_outer(m, m->top[v]);
	}
}

int
matching_search(struct matching *m, bool *done)
{
	uint64_t *step;
	size_t next;
	bool found;
	int r;

	matching_search_plant(m);
	if (m->n_queue == 0) {
		*done = true;
		return (0);
	}
	*done = false;
	step = m->room + 2 * m->words;
	for (found = false, next = 0;;) {
		while (next < m->n_queue) {
			r = matching_search_scan(m, m->queue[next++], &found);
			if (r != 0 || found)
				return (r);
		}
		if ((r = matching_search_step(m, step)) != 0 ||
		    (r = matching_search_move(m, step)) != 0 ||
		    (r = matching_search_use(m, &found)) != 0 || found)
			return (r);
	}
}
