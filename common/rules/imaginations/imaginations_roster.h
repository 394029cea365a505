/* SPDX-License-Identifier: ISC */
/*
 * imagi-nations within a game (umpire-rules.7, 13.11): declared combats,
 * rosters and upkeep orders.  The functions are those of struct
 * rules_system.
 */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_ROSTER_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_ROSTER_H

#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct roster;
struct rules_upkeep_roll;

/* Fills in every unit of a declared combat; refuses a bag. */
int imaginations_roster_merge(const struct roster *r, int side, json_t *combat,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Writes hits, fatigue, disorder and morale back; who took hits is kept. */
int imaginations_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
    __attribute__((warn_unused_result));

/* Every unit recovers from one point of fatigue. */
int imaginations_roster_upkeep(struct roster *r, json_t *events)
    __attribute__((warn_unused_result));

/* The args that upkeep orders may have, ended by NULL. */
extern const char *const imaginations_roster_args[];

/* Checks an order rest, rally, recover or lead; a rest rolls one die. */
int imaginations_roster_check(const struct roster *r, int side,
    const json_t *args, struct rules_upkeep_roll *roll, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Carries out an order that was checked. */
int imaginations_roster_do(struct roster *r, const json_t *args,
    const uint16_t *dice, json_t *events) __attribute__((warn_unused_result));

/* Returns the least id among the defenders, borrowed, or NULL. */
const char *imaginations_roster_place_id(const json_t *combat);

#endif
