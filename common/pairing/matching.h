/* SPDX-License-Identifier: ISC */
/*
 * Perfect matchings of the greatest weight in any graph, over wide numbers:
 * Edmonds' blossom algorithm, primal and dual, in O(n^3) operations.  A
 * matching that was found can be gone on with: the weights of a vertex's edges
 * changed, pairs taken out; only what this upsets is then searched again.
 *
 * The algorithm is not believed: each run ends with matching_certify(), which
 * proves from the duals that no perfect matching weighs more, or from the
 * forest in which the search ended that there is none.
 */
#ifndef UMPIRE_COMMON_PAIRING_MATCHING_H
#define UMPIRE_COMMON_PAIRING_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCHING_MAX 4096 /* vertices */

struct matching;

/*
 * A graph of n vertices, 0..n-1, without edges, whose weights are below
 * 2^bits.  *m is new (matching_free).  ERR_NOMEM, ERR_TOOBIG.
 */
int matching_new(struct matching **m, size_t n, size_t bits)
    __attribute__((warn_unused_result));

void matching_free(struct matching *m);

/* The words of a weight: what wide_put() and matching_set() want. */
size_t matching_words(const struct matching *m);

/*
 * Sets the weight (at least 0) of the edge between u and v, two vertices, or
 * removes it (NULL).  After a run matching_loosen() of u or of v comes first.
 * ERR_TOOBIG if the weight has more bits than matching_new() was told.
 */
int matching_set(struct matching *m, size_t u, size_t v, const uint64_t *weight)
    __attribute__((warn_unused_result));

/*
 * Frees v of its mate and of what ties it to others, so that the weights of
 * its edges may be changed.
 */
void matching_loosen(struct matching *m, size_t v);

/* Takes two vertices out of the graph, with all their edges. */
void matching_remove(struct matching *m, size_t u, size_t v);

/*
 * Finds a perfect matching of the greatest weight.  ERR_NOTFOUND: there is no
 * perfect one, in which case only matching_free() may follow; ERR_NOMEM;
 * ERR_INTERNAL: the result does not hold, or the numbers ran over.
 */
int matching_solve(struct matching *m) __attribute__((warn_unused_result));

/* Whom v is matched to; after a run that succeeded. */
size_t matching_mate(const struct matching *m, size_t v);

/*
 * True if an edge may be part of a perfect matching of the greatest weight:
 * where this is false it is part of none.
 */
bool matching_is_tight(const struct matching *m, size_t u, size_t v);

/*
 * Proves that `mate` (an entry for each vertex; those taken out are not looked
 * at) is a perfect matching of the greatest weight: it consists of edges, no
 * edge weighs more than its duals, those of the matching weigh as much, and
 * each blossom with a dual has as many of them inside as it can.
 * ERR_INTERNAL if it is not, or if the duals are no proof of it.
 */
int matching_certify(const struct matching *m, const int *mate)
    __attribute__((warn_unused_result));

#endif
