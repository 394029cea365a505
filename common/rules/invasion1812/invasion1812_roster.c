/* SPDX-License-Identifier: ISC */
/*
 * What a game's rosters give to an invasion-1812 combat and take from it
 * (umpire-rules.7, 11.9).  Of each unit the game keeps how many combats of this
 * round it was in (fought) and whether it force marched; a declared stack has
 * the most combats of any of its units, and force marched if any did.
 * Declarations may be malformed: the reader of the facts refuses what is
 * strange.
 */
#include "common/rules/invasion1812/invasion1812_roster.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/facts.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"

#define INVASION1812_ROSTER_FOUGHT "fought"
#define INVASION1812_ROSTER_MARCHED "force_marched"

/* Returns what the roster has of element i of a list, or NULL. */
static const json_t *
invasion1812_roster_unit(const struct roster *r, const json_t *list, size_t i)
{
	const char *id;

	id = json_string_value(json_object_get(json_array_get(list, i), "id"));
	return (id == NULL ? NULL : roster_find(r, id, NULL));
}

/* Finds what is kept of the units of a stack. */
static void
invasion1812_roster_kept(const struct roster *r, const json_t *stack,
    json_int_t *fought, bool *has_marched)
{
	const json_t *list = json_object_get(stack, "units"), *unit;
	json_int_t n;
	size_t i;

	*fought = 0;
	*has_marched = false;
	for (i = 0; i < json_array_size(list); i++) {
		unit = invasion1812_roster_unit(r, list, i);
		n = json_integer_value(
		    json_object_get(unit, INVASION1812_ROSTER_FOUGHT));
		if (n > *fought)
			*fought = n;
		if (json_is_true(
			json_object_get(unit, INVASION1812_ROSTER_MARCHED)))
			*has_marched = true;
	}
}

/* Fills in what a stack has done, or refuses what is stated differently. */
static int
invasion1812_roster_history(const struct roster *r, json_t *stack,
    const struct js_at *at, struct errinfo *e)
{
	bool has_marched, says;
	json_int_t fought;
	int64_t stated;
	int bad = 0, err;

	invasion1812_roster_kept(r, stack, &fought, &has_marched);
	stated = fought;
	err = js_opt_int(stack, INVASION1812_ROSTER_FOUGHT, at, 0,
	    RULES_COUNT_MAX, &stated, e);
	if (err != 0)
		return (err);
	if (stated != fought)
		return (js_fail_member(at, INVASION1812_ROSTER_FOUGHT, e,
		    "differs from what the game keeps, which is "
		    "%" JSON_INTEGER_FORMAT,
		    fought));
	says = has_marched;
	err = js_opt_bool(stack, INVASION1812_ROSTER_MARCHED, at, &says, e);
	if (err != 0)
		return (err);
	if (has_marched && !says)
		return (js_fail_member(at, INVASION1812_ROSTER_MARCHED, e,
		    "must be true, as a unit of the stack force marched"));
	bad = json_object_set_new(
	    stack, INVASION1812_ROSTER_FOUGHT, json_integer(fought));
	bad |= json_object_set_new(
	    stack, INVASION1812_ROSTER_MARCHED, json_boolean(says));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Fills in one stack of a declared combat. */
static int
invasion1812_roster_merge_stack(const struct roster *r, int side, json_t *stack,
    const struct js_at *at, struct errinfo *e)
{
	int err;

	err = roster_fill_units(r, side, stack, "units", at, e);
	if (err != 0)
		return (err);
	if (json_object_get(stack, "commanders") != NULL) {
		err =
		    roster_fill_commanders(r, side, stack, "commanders", at, e);
		if (err != 0)
			return (err);
	}
	return (invasion1812_roster_history(r, stack, at, e));
}

/* Fills in one side of a declared combat. */
static int
invasion1812_roster_merge_side(const struct roster *r, int side, json_t *combat,
    const char *name, struct errinfo *e)
{
	const struct js_at top = {.name = "combat"};
	const struct js_at at = {.up = &top, .name = name};
	const struct js_at at_stack = {.up = &at, .name = "stack"};
	const struct js_at at_list = {.up = &at, .name = "supports"};
	struct js_at at_i = {.up = &at_list};
	const json_t *list = NULL, *of;
	int err;

	if ((err = js_get_object(combat, name, &top, &of, e)) != 0)
		return (err);
	err = invasion1812_roster_merge_stack(
	    r, side, json_object_get(of, "stack"), &at_stack, e);
	if (err != 0)
		return (err);
	if ((err = js_opt_array(of, "supports", &at, &list, e)) != 0)
		return (err);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		err = invasion1812_roster_merge_stack(
		    r, side, json_array_get(list, at_i.index), &at_i, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

/*
 * Fills in units and commanders of a declared combat from the roster, and
 * what its stacks have done from what the game keeps of their units.
 */
static int
invasion1812_roster_merge(
    const struct roster *r, int side, json_t *combat, struct errinfo *e)
{
	int err;

	err = invasion1812_roster_merge_side(r, side, combat, "attacker", e);
	if (err != 0)
		return (err);
	return (
	    invasion1812_roster_merge_side(r, 3 - side, combat, "defender", e));
}

/*
 * Writes back what a stack did.  Where a unit was known to have force
 * marched it explains the stack's flag; else the declaration meant them all.
 */
static int
invasion1812_roster_apply_stack(
    struct roster *r, const json_t *stack, bool was_fought)
{
	const json_t *list = json_object_get(stack, "units"), *unit;
	bool has_marched, must_mark;
	json_int_t fought;
	const char *id;
	size_t i;
	int err;

	invasion1812_roster_kept(r, stack, &fought, &has_marched);
	must_mark = !has_marched &&
	    json_is_true(json_object_get(stack, INVASION1812_ROSTER_MARCHED));
	for (i = 0; i < json_array_size(list); i++) {
		if ((unit = invasion1812_roster_unit(r, list, i)) == NULL)
			return (ERR_NOTFOUND);
		id = json_string_value(json_object_get(unit, "id"));
		fought = json_integer_value(
		    json_object_get(unit, INVASION1812_ROSTER_FOUGHT));
		if (was_fought && fought < RULES_COUNT_MAX &&
		    (err = roster_set(r, id, INVASION1812_ROSTER_FOUGHT,
			 json_integer(fought + 1))) != 0)
			return (err);
		if (must_mark &&
		    (err = roster_set(
			 r, id, INVASION1812_ROSTER_MARCHED, json_true())) != 0)
			return (err);
	}
	return (0);
}

/* Writes back what the stacks of one side did. */
static int
invasion1812_roster_apply_side(
    struct roster *r, const json_t *side, bool was_fought)
{
	const json_t *list = json_object_get(side, "supports");
	size_t i;
	int err;

	err = invasion1812_roster_apply_stack(
	    r, json_object_get(side, "stack"), was_fought);
	for (i = 0; err == 0 && i < json_array_size(list); i++)
		err = invasion1812_roster_apply_stack(
		    r, json_array_get(list, i), was_fought);
	return (err);
}

/*
 * Writes back who is disrupted or eliminated, who fought and who force
 * marched.
 */
static int
invasion1812_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
{
	/* Without values there was no combat. */
	bool was_fought = json_is_integer(json_object_get(result, "fav"));
	json_t *end, *o;
	const char *id, *state;
	int err;

	(void)decisions;
	err = invasion1812_roster_apply_side(
	    r, json_object_get(facts, "attacker"), was_fought);
	if (err != 0)
		return (err);
	err = invasion1812_roster_apply_side(
	    r, json_object_get(facts, "defender"), was_fought);
	if (err != 0)
		return (err);
	o = json_object_get(result, "units");
	json_object_foreach(o, id, end)
	{
		state = json_string_value(end);
		if (strcmp(state, "disrupted") == 0)
			err = roster_set(r, id, "disrupted", json_true());
		else if (strcmp(state, "eliminated") == 0)
			err = roster_set_out(r, id, state);
		if (err != 0)
			return (err);
	}
	o = json_object_get(result, "commanders");
	json_object_foreach(o, id, end)
	{
		state = json_string_value(end);
		if (strcmp(state, "eliminated") == 0 &&
		    (err = roster_set_out(r, id, state)) != 0)
			return (err);
	}
	return (0);
}

/* Forgets who fought and who force marched. */
static int
invasion1812_roster_upkeep(struct roster *r, json_t *events)
{
	const json_t *unit;
	json_int_t fought;
	const char *id;
	bool has_marched;
	size_t i;
	int err;

	for (i = 0; (unit = roster_unit_at(r, i)) != NULL; i++) {
		id = json_string_value(json_object_get(unit, "id"));
		fought = json_integer_value(
		    json_object_get(unit, INVASION1812_ROSTER_FOUGHT));
		has_marched = json_is_true(
		    json_object_get(unit, INVASION1812_ROSTER_MARCHED));
		if (fought == 0 && !has_marched)
			continue;
		if (json_array_append_new(events,
			json_pack("{s:s, s:s, s:s, s:I, s:b}", "e", "upkeep",
			    "unit", id, "what", "cleared",
			    INVASION1812_ROSTER_FOUGHT, fought,
			    INVASION1812_ROSTER_MARCHED, (int)has_marched)) !=
		    0)
			return (ERR_NOMEM);
		err = roster_set(
		    r, id, INVASION1812_ROSTER_FOUGHT, json_integer(0));
		if (err != 0)
			return (err);
		err = roster_set(
		    r, id, INVASION1812_ROSTER_MARCHED, json_false());
		if (err != 0)
			return (err);
	}
	return (0);
}

/*
 * Returns the least id among the units of the defending stack, else among
 * its commanders, borrowed, or NULL.
 */
static const char *
invasion1812_roster_place_id(const json_t *combat)
{
	const json_t *stack;
	const char *id;

	stack = json_object_get(json_object_get(combat, "defender"), "stack");
	id = facts_least_id(json_object_get(stack, "units"), NULL);
	if (id != NULL)
		return (id);
	return (facts_least_id(json_object_get(stack, "commanders"), NULL));
}

/* Its combat factors, disrupted or not; 1 where the roster does not say. */
static int64_t
invasion1812_roster_worth(const json_t *unit)
{
	const json_t *cf = json_object_get(unit, "cf");

	return (cf == NULL ? 1 : json_integer_value(cf));
}

const struct rules_game invasion1812_roster_game = {
    .merge = invasion1812_roster_merge,
    .apply = invasion1812_roster_apply,
    .upkeep = invasion1812_roster_upkeep,
    .worth = invasion1812_roster_worth,
    .removed = "eliminated",
    .place_id = invasion1812_roster_place_id,
};
