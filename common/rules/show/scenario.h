/* SPDX-License-Identifier: ISC */
/*
 * A combat from a scenario file (umpire-rules.7, 2): facts, settings and a
 * script of dice, chits and decisions, run without a server.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_SCENARIO_H
#define UMPIRE_COMMON_RULES_SHOW_SCENARIO_H

#include <jansson.h>

#include "common/base/err.h"

struct combat;
struct combat_dice;
struct rules_settings;
struct rules_system;

/* Where a system's default data lies if it is not the built-in one. */
struct scenario_data {
	/*
	 * Gives the value of sys->data_name as a new one; *value stays NULL
	 * where there is none.  A negative ERR_*.
	 */
	int (*find)(void *arg, const struct rules_system *sys, json_t **value,
	    struct errinfo *e);
	void *arg;
};

/*
 * Opens the combat of a scenario, without running its script.  data may be
 * NULL.  *set and *c are new; *set must outlive *c.  Errors as of
 * scenario_run().
 */
int scenario_open(const json_t *file, const struct scenario_data *data,
    struct rules_settings *set, struct combat **c, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Runs the scenario.  data may be NULL.  Rolls that the script does not govern
 * come from fallback (NULL: they are ERR_DICE).  *output is new:
 * {"system","status": "resolved","events","result"} or
 * {"system","status":"pending","pending", "events"}.  ERR_INVALID with the
 * place ("combat.contacts[2].edge", "script.decisions[0].units[1]") for what is
 * malformed or what the rules refuse; the fallback's own error; ERR_FAULT,
 * ERR_NOMEM.
 */
int scenario_run(const json_t *file, const struct scenario_data *data,
    const struct combat_dice *fallback, json_t **output, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
