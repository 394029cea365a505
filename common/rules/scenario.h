/* SPDX-License-Identifier: ISC */
/*
 * A combat from a scenario file (umpire-rules.7, 2): facts, settings and a
 * script of dice, chits and decisions, run without a server.
 */
#ifndef UMPIRE_COMMON_RULES_SCENARIO_H
#define UMPIRE_COMMON_RULES_SCENARIO_H

#include <jansson.h>

#include "common/err.h"

struct combat_dice;

/*
 * Runs the scenario.  Rolls that the script does not govern come from
 * fallback (NULL: they are ERR_DICE).  *output is new: {"system","status":
 * "resolved","events","result"} or {"system","status":"pending","pending",
 * "events"}.  ERR_INVALID with the place ("combat.contacts[2].edge",
 * "script.decisions[0].units[1]") for what is malformed or what the rules
 * refuse; the fallback's own error; ERR_FAULT, ERR_NOMEM.
 */
int scenario_run(const json_t *file, const struct combat_dice *fallback,
    json_t **output, struct errinfo *e) __attribute__((warn_unused_result));

#endif
