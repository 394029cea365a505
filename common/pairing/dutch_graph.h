/* SPDX-License-Identifier: ISC */
/*
 * A bracket as a graph: its members, the next bracket, and what is below, as
 * far as it must be looked at.  The weights have the criteria above and the
 * order of Article 4 below.
 */
#ifndef UMPIRE_COMMON_PAIRING_DUTCH_GRAPH_H
#define UMPIRE_COMMON_PAIRING_DUTCH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/pairing/dutch_weigh.h"

/* How far below a bracket its graph goes. */
enum dutch_tail {
	DUTCH_ALONE, /* nobody goes down */
	DUTCH_NEAR, /* the next bracket; anybody may stay unpaired behind it */
	DUTCH_WHOLE, /* everybody who is left */
};

/* Which order is below the criteria. */
enum dutch_order {
	DUTCH_ORDER_NONE,
	DUTCH_ORDER_DOWN, /* 4.4: who of those from above is paired */
	DUTCH_ORDER_REST, /* 4.3: the exchanges of the remainder */
};

/* A bracket while it is being paired. */
struct dutch_work {
	struct dutch *d;
	struct dutch_place place;
	enum dutch_tail tail;
	int *place_of; /* of a player: among the members; -1: no member */
	int *with; /* of a player: whom this bracket pairs them with; -1 */
	int *bsn; /* of a player: in the remainder, from 1; 0: not in it */
	bool *limbo; /* of a player: from above, and not to be paired here */
	int *rest; /* the remainder's players */
	int n_rest, n_pairs; /* they, and the pairs that they make */
	int *next_with; /* of a player: whom the next bracket would give them */
};

/* The same as a graph. */
struct dutch_graph {
	const struct dutch_work *b;
	enum dutch_order order;
	struct dutch_weigh weigh;
	struct matching *m;
	int *who; /* of a vertex: a player, or one of these */
	size_t n;
	size_t spare; /* vertices for those who stay unpaired */
	int *vertex; /* of a player; -1: not in it */
	uint64_t *weight; /* to compute with */
	size_t words;
};

#define DUTCH_BYE -1
#define DUTCH_SPARE -2

/*
 * Makes the graph of those members who are not paired yet (only the remainder
 * if it is all, for DUTCH_ROWS_SIDES) and finds its best matching.
 * *g is cleared by dutch_graph_clear() in any case.
 */
int dutch_graph_solve(struct dutch_graph *g, const struct dutch_work *b,
    enum dutch_rows rows, enum dutch_order order)
    __attribute__((warn_unused_result));

void dutch_graph_clear(struct dutch_graph *g);

/* Whom a player is matched to: a player, DUTCH_BYE or DUTCH_SPARE. */
int dutch_graph_mate(const struct dutch_graph *g, int player);

/*
 * Matches a player to the first of the candidates (in order) that the best
 * matchings allow, and takes both out; *mate says who.  At least one is
 * allowed: whom the player is matched to now.
 */
int dutch_graph_choose(struct dutch_graph *g, int player, const int *candidates,
    size_t n, int *mate) __attribute__((warn_unused_result));

/* True if the bye is between this bracket and the next. */
bool dutch_graph_has_bye(const struct dutch_work *b, enum dutch_tail tail);

#endif
