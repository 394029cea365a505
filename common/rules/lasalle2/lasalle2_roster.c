/* SPDX-License-Identifier: ISC */
/*
 * What a game's rosters give to a lasalle2 combat and take from it
 * (umpire-rules.7, 10.9).  A stagger leaves no mark.
 */
#include "common/rules/lasalle2/lasalle2_roster.h"

#include <stdint.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/facts.h"
#include "common/rules/roster.h"

/* Fills in every unit of a declared combat from the roster. */
static int
lasalle2_roster_merge(
    const struct roster *r, int side, json_t *combat, struct errinfo *e)
{
	const struct js_at at = {.name = "combat"};
	int err;

	err = roster_fill_units(r, side, combat, "attackers", &at, e);
	if (err != 0)
		return (err);
	return (roster_fill_units(r, 3 - side, combat, "defenders", &at, e));
}

/* Writes strengths back, and who broke or retired. */
static int
lasalle2_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
{
	const char *id, *state;
	json_t *fate, *units;
	int err = 0;

	(void)decisions;
	(void)facts;
	units = json_object_get(result, "units");
	json_object_foreach(units, id, fate)
	{
		state = json_string_value(json_object_get(fate, "state"));
		err = roster_set(r, id, "strength",
		    json_incref(json_object_get(fate, "strength")));
		if (err != 0)
			return (err);
		if (strcmp(state, "broken") == 0 ||
		    strcmp(state, "retired") == 0)
			err = roster_set_out(r, id, state);
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Does nothing: the system has no upkeep. */
static int
lasalle2_roster_upkeep(struct roster *r, json_t *events)
{
	(void)r;
	(void)events;
	return (0);
}

/* Returns the least id among the defenders, borrowed, or NULL. */
static const char *
lasalle2_roster_place_id(const json_t *combat)
{
	return (facts_least_id(json_object_get(combat, "defenders"), NULL));
}

/* What its strength still shows. */
static int64_t
lasalle2_roster_worth(const json_t *unit)
{
	return (js_int(unit, "strength"));
}

const struct rules_game lasalle2_roster_game = {
    .merge = lasalle2_roster_merge,
    .apply = lasalle2_roster_apply,
    .upkeep = lasalle2_roster_upkeep,
    .worth = lasalle2_roster_worth,
    .removed = "broken",
    .place_id = lasalle2_roster_place_id,
};
