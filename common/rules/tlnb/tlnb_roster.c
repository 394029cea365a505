/* SPDX-License-Identifier: ISC */
/*
 * What a game's rosters give to a tlnb combat and take from it (umpire-rules.7,
 * 14.9).  The game itself keeps which batteries bombarded, and what charges
 * left, until the turn is over.
 */
#include "common/rules/tlnb/tlnb_roster.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/facts.h"
#include "common/rules/roster.h"

#define TLNB_ROSTER_SUPPRESSED "suppressed"
#define TLNB_ROSTER_BOMBARDED "bombarded"
#define TLNB_ROSTER_OVERRUNNING "overrunning"
#define TLNB_ROSTER_MARKER "marker"
#define TLNB_ROSTER_MOVE "target_move"

/* Fills in a list of units that may be left out. */
static int
tlnb_roster_opt_units(const struct roster *r, int side, json_t *combat,
    const char *name, const struct js_at *at, struct errinfo *e)
{
	if (json_object_get(combat, name) == NULL)
		return (0);
	return (roster_fill_units(r, side, combat, name, at, e));
}

/* Fills in an attack. */
static int
tlnb_roster_merge_attack(const struct roster *r, int side, json_t *combat,
    const struct js_at *at, struct errinfo *e)
{
	int err;

	if ((err = roster_fill_units(r, side, combat, "attackers", at, e)) != 0)
		return (err);
	if ((err = roster_fill_units(
		 r, 3 - side, combat, "defenders", at, e)) != 0)
		return (err);
	if ((err = tlnb_roster_opt_units(
		 r, side, combat, "attacker_stacked_artillery", at, e)) != 0)
		return (err);
	return (tlnb_roster_opt_units(
	    r, 3 - side, combat, "defender_stacked_artillery", at, e));
}

/*
 * Fills in one battery: its name, and the strength of the side that is up.
 * It may state them itself if it says the same.
 */
static int
tlnb_roster_fill_battery(const struct roster *r, int side, json_t *battery,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const names[] = {"id", "name", "sp"};
	const json_t *has;
	json_t *made, *own, *v;
	const char *arm, *name;
	bool is_reduced;
	int bad = 0, err;
	size_t i;

	if ((err = roster_pick(r, side, false, battery, "id", at, &has, e)) !=
	    0)
		return (err);
	arm = json_string_value(json_object_get(has, "arm"));
	if (strcmp(arm, "artillery") != 0)
		return (
		    js_fail_member(at, "id", e, "\"%s\" is %s, and no battery",
			json_string_value(json_object_get(has, "id")), arm));
	is_reduced = json_is_true(json_object_get(has, "reduced"));
	if ((made = json_object()) == NULL)
		return (ERR_NOMEM);
	for (i = 0; err == 0 && i < sizeof(names) / sizeof(names[0]); i++) {
		name = names[i];
		v = json_object_get(battery, name);
		own = json_object_get(has,
		    is_reduced && strcmp(name, "sp") == 0 ? "reduced_sp"
							  : name);
		if (v != NULL && !json_equal(v, own))
			err = js_fail_member(
			    at, name, e, "differs from what the roster says");
		else if (own != NULL)
			bad |= json_object_set(made, name, own);
	}
	if (err == 0) {
		/* Unknown members stay, for the facts' reader to refuse. */
		json_object_foreach(battery, name, v)
		{
			if (json_object_get(made, name) == NULL)
				bad |= json_object_set(made, name, v);
		}
		bad |= json_object_clear(battery);
		bad |= json_object_update(battery, made);
		err = bad != 0 ? ERR_NOMEM : 0;
	}
	json_decref(made);
	return (err);
}

/* Fills in a bombardment. */
static int
tlnb_roster_merge_bombardment(const struct roster *r, int side, json_t *combat,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "batteries"};
	const struct js_at at_target = {.up = up, .name = "target"};
	struct js_at at_i = {.up = &at};
	const json_t *list, *target;
	int err;

	if ((err = js_get_array(combat, at.name, up, &list, e)) != 0)
		return (err);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		err = tlnb_roster_fill_battery(
		    r, side, json_array_get(list, at_i.index), &at_i, e);
		if (err != 0)
			return (err);
	}
	if ((err = js_get_object(combat, "target", up, &target, e)) != 0)
		return (err);
	return (roster_fill_units(r, 3 - side,
	    json_object_get(combat, "target"), "units", &at_target, e));
}

/* Fills in every unit and battery of a declared combat from the roster. */
static int
tlnb_roster_merge(
    const struct roster *r, int side, json_t *combat, struct errinfo *e)
{
	static const char *const kinds[] = {
	    "attack", "bombardment", "charge", NULL};
	const struct js_at at = {.name = "combat"};
	int err, kind;

	if ((err = js_get_enum(combat, "kind", &at, kinds, &kind, e)) != 0)
		return (err);
	if (kind == 0)
		return (tlnb_roster_merge_attack(r, side, combat, &at, e));
	if (kind == 1)
		return (tlnb_roster_merge_bombardment(r, side, combat, &at, e));
	if ((err = roster_fill_units(r, side, combat, "cavalry", &at, e)) != 0)
		return (err);
	return (roster_fill_units(r, 3 - side, combat, "target", &at, e));
}

/* Sets a member of all units of a list to a value (borrowed). */
static int
tlnb_roster_set_all(
    struct roster *r, const json_t *list, const char *name, json_t *value)
{
	const json_t *v;
	size_t i;
	int err;

	json_array_foreach(list, i, v)
	{
		err = roster_set(r, json_string_value(json_object_get(v, "id")),
		    name, json_incref(value));
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Writes back what a charge leaves: cavalry that overran, and markers. */
static int
tlnb_roster_apply_charge(
    struct roster *r, const json_t *facts, const json_t *result)
{
	const json_t *target = json_object_get(facts, "target");
	json_t *move = json_object_get(result, TLNB_ROSTER_MOVE);
	int err = 0;

	if (json_is_true(json_object_get(result, "overrun")))
		err = tlnb_roster_set_all(r, json_object_get(facts, "cavalry"),
		    TLNB_ROSTER_OVERRUNNING, json_true());
	if (err == 0)
		err = tlnb_roster_set_all(r, target, TLNB_ROSTER_MARKER,
		    json_object_get(result, TLNB_ROSTER_MARKER));
	if (err == 0 && json_is_integer(move))
		err = tlnb_roster_set_all(r, target, TLNB_ROSTER_MOVE, move);
	return (err);
}

/*
 * Writes back which units were reduced, eliminated or suppressed, and which
 * batteries bombarded.
 */
static int
tlnb_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
{
	const char *id, *end;
	json_t *batteries, *units, *v;
	bool is_suppressed;
	int err = 0;
	size_t i;

	(void)decisions;
	is_suppressed = json_is_true(json_object_get(result, "suppressed"));
	units = json_object_get(result, "units");
	json_object_foreach(units, id, v)
	{
		end = json_string_value(v);
		if (strcmp(end, "reduced") == 0)
			err = roster_set(r, id, "reduced", json_true());
		if (strcmp(end, "eliminated") == 0)
			err = roster_set_out(r, id, "eliminated");
		if (err == 0 && is_suppressed)
			err = roster_set(
			    r, id, TLNB_ROSTER_SUPPRESSED, json_true());
		if (err != 0)
			return (err);
	}
	batteries = json_object_get(facts, "batteries");
	json_array_foreach(batteries, i, v)
	{
		id = json_string_value(json_object_get(v, "id"));
		err = roster_set(r, id, TLNB_ROSTER_BOMBARDED, json_true());
		if (err != 0)
			return (err);
	}
	if (json_object_get(facts, "cavalry") != NULL)
		return (tlnb_roster_apply_charge(r, facts, result));
	return (0);
}

/* The end of a turn: clears what is so for the turn alone, of all units. */
static int
tlnb_roster_upkeep(struct roster *r, json_t *events)
{
	static const struct {
		const char *name;
		bool is_flag; /* cleared to false, else to null */
	} rows[] = {
	    {TLNB_ROSTER_SUPPRESSED, true},
	    {TLNB_ROSTER_BOMBARDED, true},
	    {TLNB_ROSTER_OVERRUNNING, true},
	    {TLNB_ROSTER_MARKER, false},
	    {TLNB_ROSTER_MOVE, false},
	};
	const json_t *unit, *v;
	const char *id;
	size_t i, k;
	int err;

	for (i = 0; (unit = roster_unit_at(r, i)) != NULL; i++) {
		id = json_string_value(json_object_get(unit, "id"));
		for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
			v = json_object_get(unit, rows[k].name);
			if (v == NULL || json_is_false(v) || json_is_null(v))
				continue;
			if (json_array_append_new(events,
				json_pack("{s:s, s:s, s:s, s:s}", "e", "upkeep",
				    "unit", id, "what", "cleared", "why",
				    rows[k].name)) != 0)
				return (ERR_NOMEM);
			err = roster_set(r, id, rows[k].name,
			    rows[k].is_flag ? json_false() : json_null());
			if (err != 0)
				return (err);
		}
	}
	return (0);
}

/* Returns the least id among the defenders or the target, or NULL. */
static const char *
tlnb_roster_place_id(const json_t *combat)
{
	const json_t *target = json_object_get(combat, "target");
	const char *least;

	least = facts_least_id(json_object_get(combat, "defenders"), NULL);
	least = facts_least_id(target, least);
	return (facts_least_id(json_object_get(target, "units"), least));
}

/* The strength points of the side that is up. */
static int64_t
tlnb_roster_worth(const json_t *unit)
{
	const bool is_reduced = json_is_true(json_object_get(unit, "reduced"));

	return (js_int(unit, is_reduced ? "reduced_sp" : "sp"));
}

const struct rules_game tlnb_roster_game = {
    .merge = tlnb_roster_merge,
    .apply = tlnb_roster_apply,
    .upkeep = tlnb_roster_upkeep,
    .has_upkeep_each_turn = true,
    .worth = tlnb_roster_worth,
    .removed = "eliminated",
    .place_id = tlnb_roster_place_id,
};
