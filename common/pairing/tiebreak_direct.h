/* SPDX-License-Identifier: ISC */
/*
 * Direct encounter (C.07, article 6): the tied in a table of their own, out of
 * the games among them.
 */
#ifndef UMPIRE_COMMON_PAIRING_TIEBREAK_DIRECT_H
#define UMPIRE_COMMON_PAIRING_TIEBREAK_DIRECT_H

#include <stddef.h>
#include <stdint.h>

struct tiebreak_in;

/*
 * The places of n tied players (indexes) among them, 1 the best, in the order
 * of group; all 0 where it parts nobody.  ERR_NOMEM.
 */
int tiebreak_direct(const struct tiebreak_in *in, const size_t *group, size_t n,
    int64_t *place) __attribute__((warn_unused_result));

#endif
