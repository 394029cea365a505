/* SPDX-License-Identifier: ISC */
/*
 * The searches of a matching: one looks for a path along which one more pair
 * can be made, and lowers and raises duals until there is one.
 */
#ifndef UMPIRE_COMMON_PAIRING_MATCHING_SEARCH_H
#define UMPIRE_COMMON_PAIRING_MATCHING_SEARCH_H

#include <stdbool.h>

struct matching;

/*
 * Makes one more pair, if a vertex is unmatched; *done: none is.
 * ERR_NOTFOUND: there is no perfect matching, ERR_NOMEM, ERR_INTERNAL: the
 * duals ran over.
 */
int matching_search(struct matching *m, bool *done)
    __attribute__((warn_unused_result));

/* Makes v the vertex of a node that is not matched inside. */
void matching_search_rebase(struct matching *m, int node, int v);

/*
 * Takes a blossom at the top apart; what was in it is at the top then.  Duals
 * and mates stay.
 */
void matching_search_open(struct matching *m, int blossom);

/*
 * Finds anew which vertex of a blossom v's least edge leads to; its edges or
 * duals have changed.
 */
void matching_search_near(struct matching *m, int blossom, int v);

#endif
