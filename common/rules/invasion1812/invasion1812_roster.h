/* SPDX-License-Identifier: ISC */
/*
 * invasion-1812 within a game (umpire-rules.7, 11.9): declared combats,
 * rosters and the end of a round.  The functions are those of struct
 * rules_system.
 */
#ifndef UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_ROSTER_H
#define UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_ROSTER_H

#include <jansson.h>

#include "common/base/err.h"

struct roster;

/*
 * Fills in units and commanders of a declared combat from the roster, and
 * what its stacks have done from what the game keeps of their units.
 */
int invasion1812_roster_merge(const struct roster *r, int side, json_t *combat,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Writes back who is disrupted or eliminated, who fought and who force
 * marched.
 */
int invasion1812_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
    __attribute__((warn_unused_result));

/* Forgets who fought and who force marched. */
int invasion1812_roster_upkeep(struct roster *r, json_t *events)
    __attribute__((warn_unused_result));

/*
 * Returns the least id among the units of the defending stack, else among
 * its commanders, borrowed, or NULL.
 */
const char *invasion1812_roster_place_id(const json_t *combat);

#endif
