/* SPDX-License-Identifier: ISC */
/*
 * What a matching is made of; for its own files and its tests.
 *
 * A node is a vertex (0..n-1) or a blossom (n..), an odd cycle of nodes.  A
 * node in no other is at the top.  Weights are kept doubled, so that duals
 * stay integers: a vertex's is y, a blossom's z, and the slack of an edge is
 * y(u) + y(v) + the z of the blossoms that hold both - 2 * its weight.
 */
#ifndef UMPIRE_COMMON_PAIRING_MATCHING_INT_H
#define UMPIRE_COMMON_PAIRING_MATCHING_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum matching_label {
	MATCHING_FREE, /* the search has not come here */
	MATCHING_OUTER, /* an even number of edges from an unmatched vertex */
	MATCHING_INNER, /* an odd number */
};

/* An edge by its ends. */
struct matching_tie {
	int u, v;
};

struct matching_node {
	bool used; /* is a node now */
	enum matching_label label; /* of one at the top */
	int up; /* the blossom that holds it, -1 at the top */
	int base; /* the vertex that is not matched inside */
	int *kids; /* a blossom's nodes, along the cycle; owned */
	struct matching_tie *ties; /* from each kid to the next; owned */
	int n_kids; /* odd; 0 for a vertex */
	struct matching_tie entry; /* inner: the edge by which it was reached */
	struct matching_tie least; /* the edge from outer nodes with the */
	bool has_least; /* least slack, which is gap */
	unsigned mark; /* the last walk that came by */
};

struct matching {
	size_t n, words;
	size_t n_nodes; /* vertices and room for blossoms */
	size_t bits; /* of a weight */
	uint64_t *weight; /* n * n numbers, doubled */
	uint8_t *edge; /* n * n: is there one */
	uint64_t *dual; /* a number a node */
	uint64_t *gap; /* a number a node */
	uint64_t *room; /* numbers for computing with */
	struct matching_node *node;
	int *near; /* blossom, vertex: its end of their least edge, or -1 */
	int *mate; /* of a vertex; -1 none */
	int *top; /* of a vertex: the node at the top that holds it */
	int *live; /* vertices that are not taken out */
	size_t n_live;
	bool *loose; /* vertex: its dual is to be chosen */
	int *queue, *stack, *list; /* of vertices; of nodes; of either */
	size_t n_queue;
	unsigned mark;
	bool changed; /* since the last run */
	bool started; /* a run has chosen all duals */
};

/* A node's number among duals or gaps. */
static inline uint64_t *
matching_dual(const struct matching *m, int node)
{
	return (m->dual + (size_t)node * m->words);
}

/* An edge's doubled weight. */
static inline uint64_t *
matching_weight(const struct matching *m, int u, int v)
{
	return (m->weight + ((size_t)u * m->n + (size_t)v) * m->words);
}

static inline bool
matching_has_edge(const struct matching *m, int u, int v)
{
	return (m->edge[(size_t)u * m->n + (size_t)v] != 0);
}

/* Lists the vertices of a node, in `list` of the matching; returns how many. */
size_t matching_members(const struct matching *m, int node, int *list);

/*
 * Proves from where a search ended that there is no perfect matching: more
 * outer nodes than inner ones, and from outer nodes edges to inner ones alone.
 */
int matching_certify_none(const struct matching *m)
    __attribute__((warn_unused_result));

#endif
