/* SPDX-License-Identifier: ISC */
/*
 * What a game's rosters give to a leniston-2009 combat and take from it
 * (umpire-rules.7, 12.8).  The game itself keeps which brigades skirmished this
 * turn, and whom they fought at the edge and inside.
 */
#include "common/rules/leniston2009/leniston2009_roster.h"

#include <stdbool.h>
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

/* Returns a text member of the brigade that is the member `name` of facts. */
static const char *
leniston2009_roster_text(
    const json_t *facts, const char *name, const char *member)
{
	return (json_string_value(
	    json_object_get(json_object_get(facts, name), member)));
}

/* True if what the game keeps of a brigade under a name is this enemy. */
static bool
leniston2009_roster_knows(
    const struct roster *r, const char *id, const char *name, const char *enemy)
{
	const char *kept =
	    json_string_value(json_object_get(roster_find(r, id, NULL), name));

	return (kept != NULL && strcmp(kept, enemy) == 0);
}

/*
 * Says of a disordered attacker which fight it goes on with, so that nobody
 * has to (rule 10).  Whoever states "follows_edge" is believed.
 */
static int
leniston2009_roster_follow(
    const struct roster *r, json_t *combat, struct errinfo *e)
{
	const struct js_at at = {.name = "combat"};
	const char *attacker, *defender, *name, *state;
	const json_t *stated = json_object_get(combat, "follows_inside");
	bool is_inside;

	state = leniston2009_roster_text(combat, "attacker", "state");
	attacker = leniston2009_roster_text(combat, "attacker", "id");
	defender = leniston2009_roster_text(combat, "defender", "id");
	is_inside = strcmp(state, "disordered") == 0 &&
	    leniston2009_roster_knows(r, attacker, "fought_inside", defender);
	if (stated != NULL && json_is_true(stated) != is_inside)
		return (js_fail_member(&at, "follows_inside", e,
		    is_inside ? "must be true or left out: \"%s\" has fought "
				"\"%s\" inside"
			      : "must be false or left out: \"%s\" is not "
				"disordered, or has not fought \"%s\" inside",
		    attacker, defender));
	if (json_is_true(json_object_get(combat, "follows_edge")) ||
	    strcmp(state, "disordered") != 0)
		return (0);
	if (is_inside)
		name = "follows_inside";
	else if (json_object_get(combat, "follows_edge") == NULL &&
	    leniston2009_roster_knows(r, attacker, "edge_won", defender))
		name = "follows_edge";
	else
		return (0);
	return (json_object_set_new(combat, name, json_true()) != 0 ? ERR_NOMEM
								    : 0);
}

/* Fills in both brigades of a declared combat from the roster. */
static int
leniston2009_roster_merge(
    const struct roster *r, int side, json_t *combat, struct errinfo *e)
{
	const char *rule;
	int err;

	err = leniston2009_roster_merge_one(r, side, combat, "attacker", e);
	if (err != 0)
		return (err);
	err = leniston2009_roster_merge_one(r, 3 - side, combat, "defender", e);
	rule = json_string_value(json_object_get(combat, "rule"));
	if (err != 0 || rule == NULL || strcmp(rule, "bua-inside") != 0)
		return (err);
	return (leniston2009_roster_follow(r, combat, e));
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
leniston2009_roster_note_skirmish(struct roster *r, const json_t *facts)
{
	return (roster_set(r, leniston2009_roster_text(facts, "attacker", "id"),
	    "skirmished", json_true()));
}

/* Forgets whom a brigade drove from the edge or fought inside. */
static int
leniston2009_roster_forget_fight(struct roster *r, const char *id)
{
	int err;

	if ((err = roster_unset(r, id, "edge_won")) != 0)
		return (err);
	return (roster_unset(r, id, "fought_inside"));
}

/*
 * Notes whom both fought inside, or whom the attacker drove from the edge: with
 * that enemy it may go on although it is disordered (rule 10).  A fight that
 * routs a brigade is over.
 */
static int
leniston2009_roster_note_fight(
    struct roster *r, const json_t *facts, const json_t *units, bool is_inside)
{
	const char *a = leniston2009_roster_text(facts, "attacker", "id");
	const char *d = leniston2009_roster_text(facts, "defender", "id");
	int err;

	if ((err = leniston2009_roster_forget_fight(r, a)) != 0 ||
	    (err = leniston2009_roster_forget_fight(r, d)) != 0)
		return (err);
	if (roster_out(roster_find(r, a, NULL)) != NULL ||
	    roster_out(roster_find(r, d, NULL)) != NULL)
		return (0);
	if (!is_inside) {
		if (json_integer_value(json_object_get(
			json_object_get(units, d), "retires")) == 0)
			return (0);
		return (roster_set(r, a, "edge_won", json_string(d)));
	}
	if ((err = roster_set(r, a, "fought_inside", json_string(d))) != 0)
		return (err);
	return (roster_set(r, d, "fought_inside", json_string(a)));
}

/* Notes what the game keeps of a combat. */
static int
leniston2009_roster_note(
    struct roster *r, const json_t *facts, const json_t *units)
{
	const char *rule = json_string_value(json_object_get(facts, "rule"));
	bool is_inside = strcmp(rule, "bua-inside") == 0;

	if (strcmp(rule, "skirmish") == 0)
		return (leniston2009_roster_note_skirmish(r, facts));
	if (is_inside || strcmp(rule, "bua-edge") == 0)
		return (
		    leniston2009_roster_note_fight(r, facts, units, is_inside));
	return (0);
}

/* Writes casualties and states back, who routed, and what the game keeps. */
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
	return (leniston2009_roster_note(r, facts, units));
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

/* Forms disordered brigades, and forgets who skirmished and whom they fought.
 */
static int
leniston2009_roster_upkeep(struct roster *r, json_t *events)
{
	const char *id, *state;
	const json_t *unit;
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
		id = json_string_value(json_object_get(unit, "id"));
		if ((err = leniston2009_roster_forget_fight(r, id)) != 0)
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
