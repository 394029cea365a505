/* SPDX-License-Identifier: ISC */
/*
 * What a game's rosters give to a leniston-2009 combat and take from it
 * (umpire-rules.7, 12.8).  The game itself keeps which brigades skirmished this
 * turn.
 */
#include "common/rules/leniston2009/leniston2009_roster.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/leniston2009/leniston2009_facts.h"
#include "common/rules/roster.h"

/* Fills in one brigade. */
static int
leniston2009_roster_merge_one(const struct roster *r, int side, json_t *combat,
    const char *name, struct errinfo *e)
{
	const struct js_at up = {.name = "combat"};
	const struct js_at at = {.up = &up, .name = name};
	const json_t *unit;
	int err;

	if ((err = js_get_object(combat, name, &up, &unit, e)) != 0)
		return (err);
	return (roster_fill(r, side, json_object_get(combat, name), &at, e));
}

/* Fills in both brigades of a declared combat from the roster. */
static int
leniston2009_roster_merge(
    const struct roster *r, int side, json_t *combat, struct errinfo *e)
{
	int err;

	err = leniston2009_roster_merge_one(r, side, combat, "attacker", e);
	if (err != 0)
		return (err);
	return (
	    leniston2009_roster_merge_one(r, 3 - side, combat, "defender", e));
}

/* Returns the defender's id, borrowed, or NULL. */
static const char *
leniston2009_roster_place_id(const json_t *combat)
{
	return (json_string_value(
	    json_object_get(json_object_get(combat, "defender"), "id")));
}

/*
 * Notes that the attacker skirmished.  The defender does so in the enemy's
 * turn, which does not keep it from a firefight in its own next one (rule 12).
 */
static int
leniston2009_roster_note(struct roster *r, const json_t *facts)
{
	const char *rule = json_string_value(json_object_get(facts, "rule"));
	const char *id = json_string_value(
	    json_object_get(json_object_get(facts, "attacker"), "id"));

	if (strcmp(rule, "skirmish") != 0)
		return (0);
	return (roster_set(r, id, "skirmished", json_true()));
}

/* Writes casualties and states back, who routed and who skirmished. */
static int
leniston2009_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
{
	const char *id, *name;
	json_t *fate, *units;
	int err;
	size_t i;

	(void)decisions;
	units = json_object_get(result, "units");
	json_object_foreach(units, id, fate)
	{
		for (i = 0; i < 2; i++) {
			name = i == 0 ? "casualties" : "state";
			err = roster_set(r, id, name,
			    json_incref(json_object_get(fate, name)));
			if (err != 0)
				return (err);
		}
		name = json_string_value(json_object_get(fate, "state"));
		if (strcmp(name, "rout") == 0 &&
		    (err = roster_set_out(r, id, "routed")) != 0)
			return (err);
	}
	return (leniston2009_roster_note(r, facts));
}

/* Sets one member of a brigade (value is stolen), and says so. */
static int
leniston2009_roster_change(struct roster *r, const json_t *unit,
    const char *name, json_t *value, const char *what, json_t *events)
{
	const char *id = json_string_value(json_object_get(unit, "id"));
	int err;

	if ((err = roster_set(r, id, name, value)) != 0)
		return (err);
	if (json_array_append_new(events,
		json_pack("{s:s, s:s, s:s}", "e", "upkeep", "unit", id, "what",
		    what)) != 0)
		return (ERR_NOMEM);
	return (0);
}

/* Forms disordered brigades, and forgets who skirmished. */
static int
leniston2009_roster_upkeep(struct roster *r, json_t *events)
{
	const json_t *unit;
	const char *state;
	size_t i;
	int err;

	for (i = 0; (unit = roster_unit_at(r, i)) != NULL; i++) {
		state = json_string_value(json_object_get(unit, "state"));
		if (roster_out(unit) == NULL &&
		    strcmp(state, "disordered") == 0 &&
		    (err = leniston2009_roster_change(r, unit, "state",
			 json_string("formed"), "formed", events)) != 0)
			return (err);
		if (json_is_true(json_object_get(unit, "skirmished")) &&
		    (err = leniston2009_roster_change(r, unit, "skirmished",
			 json_false(), "rested", events)) != 0)
			return (err);
	}
	return (0);
}

/* The casualties that it can still take before it routs. */
static int64_t
leniston2009_roster_worth(const json_t *unit)
{
	const int64_t n =
	    LENISTON2009_CASUALTIES_ROUT - js_int(unit, "casualties");

	return (n > 0 ? n : 0);
}

const struct rules_game leniston2009_roster_game = {
    .merge = leniston2009_roster_merge,
    .apply = leniston2009_roster_apply,
    .upkeep = leniston2009_roster_upkeep,
    .worth = leniston2009_roster_worth,
    .removed = "routed",
    .place_id = leniston2009_roster_place_id,
};
