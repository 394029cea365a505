/* SPDX-License-Identifier: ISC */
/*
 * tlnb within a game (umpire-rules.7, 14.9): declared combats and rosters.
 * The functions are those of struct rules_system.
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_ROSTER_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_ROSTER_H

#include <jansson.h>

#include "common/base/err.h"

struct roster;

/* Fills in every unit and battery of a declared combat from the roster. */
int tlnb_roster_merge(const struct roster *r, int side, json_t *combat,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Writes back who was reduced, eliminated or suppressed, and which batteries
 * bombarded.
 */
int tlnb_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
    __attribute__((warn_unused_result));

/* Clears `suppressed` and `bombarded` of all units. */
int tlnb_roster_upkeep(struct roster *r, json_t *events)
    __attribute__((warn_unused_result));

/* Returns the least id among the defenders or the target, or NULL. */
const char *tlnb_roster_place_id(const json_t *combat);

#endif
