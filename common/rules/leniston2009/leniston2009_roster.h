/* SPDX-License-Identifier: ISC */
/*
 * leniston-2009 within a game (umpire-rules.7, 12.8): declared combats and
 * rosters.  The functions are those of struct rules_system.
 */
#ifndef UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_ROSTER_H
#define UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_ROSTER_H

#include <jansson.h>

#include "common/base/err.h"

struct roster;

/* Fills in both brigades of a declared combat from the roster. */
int leniston2009_roster_merge(const struct roster *r, int side, json_t *combat,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Writes casualties and states back, who routed and who skirmished. */
int leniston2009_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
    __attribute__((warn_unused_result));

/* Forms disordered brigades, and forgets who skirmished. */
int leniston2009_roster_upkeep(struct roster *r, json_t *events)
    __attribute__((warn_unused_result));

/* Returns the defender's id, borrowed, or NULL. */
const char *leniston2009_roster_place_id(const json_t *combat);

#endif
