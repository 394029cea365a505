/* SPDX-License-Identifier: ISC */
/*
 * Who stands where: by points, then by tie-breaks in their order among those
 * who are equal so far (C.07, 4.2), then by lot, or on a shared rank.
 */
#ifndef UMPIRE_COMMON_PAIRING_STANDINGS_H
#define UMPIRE_COMMON_PAIRING_STANDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/pairing/tiebreak.h"

struct standing {
	size_t player; /* index */
	int rank; /* from 1; equals share one, and the next are left out */
	int points; /* half points */
	int64_t value[TIEBREAK_N]; /* of each tie-break, in their order */
	bool is_by_lot; /* from the one above only their lots part them */
};

/*
 * The n tie-breaks for a kind of tournament where nothing else is said, those
 * of battle points only if there are some.
 */
size_t standings_default(
    bool is_roundrobin, bool has_bp, enum tiebreak ties[TIEBREAK_N]);

/*
 * Fills rows, one a player of the table, best first; who are equal stand in
 * the order of the table.  lots, if not NULL, has each player's place in the
 * drawing of lots, which then parts equals.  A tie-break must not be named
 * twice.  ERR_ILLEGAL: one is not for this kind of tournament, or wants
 * battle points where there are none; e says which.  ERR_NOMEM.
 */
int standings_make(const struct tiebreak_in *in, const enum tiebreak *ties,
    size_t n_ties, const size_t *lots, struct standing *rows, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
