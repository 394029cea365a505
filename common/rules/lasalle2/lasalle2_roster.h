/* SPDX-License-Identifier: ISC */
/*
 * lasalle2 within a game (umpire-rules.7, 10.9): declared combats and
 * rosters.  The functions are those of struct rules_system.
 */
#ifndef UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_ROSTER_H
#define UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_ROSTER_H

#include <jansson.h>

#include "common/base/err.h"

struct roster;

/* Fills in every unit of a declared combat from the roster. */
int lasalle2_roster_merge(const struct roster *r, int side, json_t *combat,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Writes strengths back, and who broke or retired. */
int lasalle2_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
    __attribute__((warn_unused_result));

/* Does nothing: the system has no upkeep. */
int lasalle2_roster_upkeep(struct roster *r, json_t *events)
    __attribute__((warn_unused_result));

/* Returns the least id among the defenders, borrowed, or NULL. */
const char *lasalle2_roster_place_id(const json_t *combat);

#endif
