/* SPDX-License-Identifier: ISC */
/*
 * What a game's rosters give to an imagi-nations combat and take from it,
 * the end of a round, and the orders between combats (umpire-rules.7,
 * 13.11).
 */
#include "common/rules/imaginations/imaginations_roster.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/facts.h"
#include "common/rules/imaginations/imaginations.h"
#include "common/rules/imaginations/imaginations_facts.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"

#define IMAGINATIONS_REST_DIE 3
#define IMAGINATIONS_RALLY_DIE 6

/* Orders between combats. */
enum imaginations_order {
	IMAGINATIONS_REST,
	IMAGINATIONS_RALLY,
	IMAGINATIONS_RECOVER,
	IMAGINATIONS_LEAD,
};

static const char *const imaginations_roster_orders[] = {
    [IMAGINATIONS_REST] = "rest",
    [IMAGINATIONS_RALLY] = "rally",
    [IMAGINATIONS_RECOVER] = "recover",
    [IMAGINATIONS_LEAD] = "lead",
    NULL,
};

/* Returns a number of a roster's object. */
static int
imaginations_roster_int(const json_t *o, const char *name)
{
	return ((int)json_integer_value(json_object_get(o, name)));
}

/* Fills in every unit of a declared combat; refuses a bag. */
static int
imaginations_roster_merge(
    const struct roster *r, int side, json_t *combat, struct errinfo *e)
{
	static const char *const names[] = {"attacker", "defender"};
	const struct js_at at = {.name = "combat"};
	struct js_at at_side = {.up = &at};
	const json_t *obj;
	int err, i;

	if (json_object_get(combat, "bag") != NULL)
		return (js_fail_member(
		    &at, "bag", e, "the bag is the game's: leave it out"));
	for (i = 0; i < 2; i++) {
		at_side.name = names[i];
		err = js_get_object(combat, names[i], &at, &obj, e);
		if (err != 0)
			return (err);
		err = roster_fill_units(r, i == 0 ? side : 3 - side,
		    json_object_get(combat, names[i]), "units", &at_side, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

/*
 * Makes the battalions of a roster's unit with new hits by battalion; *left
 * is the strength left, *taken how many hits they are more.  New or NULL.
 */
static json_t *
imaginations_roster_hits(
    const json_t *unit, const json_t *hits, int *left, int *taken)
{
	json_t *b, *list, *now;
	size_t i;

	list = json_deep_copy(json_object_get(unit, "battalions"));
	*left = *taken = 0;
	json_array_foreach(list, i, b)
	{
		now = json_object_get(
		    hits, json_string_value(json_object_get(b, "id")));
		*taken += (int)json_integer_value(now) -
		    imaginations_roster_int(b, "hits");
		*left += imaginations_roster_int(b, "sp") -
		    (int)json_integer_value(now);
		if (json_object_set(b, "hits", now) != 0) {
			json_decref(list);
			return (NULL);
		}
	}
	return (list);
}

/* Writes back what became of one unit. */
static int
imaginations_roster_apply_unit(
    struct roster *r, const char *id, const json_t *fate)
{
	static const char *const names[] = {"fatigue", "disordered", "morale"};
	int err, left, taken;
	json_t *list;
	size_t i;

	list = imaginations_roster_hits(roster_find(r, id, NULL),
	    json_object_get(fate, "hits"), &left, &taken);
	if (list == NULL)
		return (ERR_NOMEM);
	if ((err = roster_set(r, id, "battalions", list)) != 0)
		return (err);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		err = roster_set(r, id, names[i],
		    json_incref(json_object_get(fate, names[i])));
		if (err != 0)
			return (err);
	}
	if (taken > 0 &&
	    (err = roster_set(r, id, "lead_free",
		 json_integer(IMAGINATIONS_LEAD_FREE))) != 0)
		return (err);
	return (left > 0 ? 0 : roster_set_out(r, id, "destroyed"));
}

/* Writes hits, fatigue, disorder and morale back; notes who took hits. */
static int
imaginations_roster_apply(struct roster *r, const json_t *facts,
    const json_t *decisions, const json_t *result)
{
	json_t *fate, *units;
	const char *id;
	int err;

	(void)decisions;
	(void)facts;
	units = json_object_get(result, "units");
	json_object_foreach(units, id, fate)
	{
		err = imaginations_roster_apply_unit(r, id, fate);
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Lowers a number of a unit by one, if it can, and says so. */
static int
imaginations_roster_lower(
    struct roster *r, const json_t *unit, const char *name, json_t *events)
{
	const char *id = json_string_value(json_object_get(unit, "id"));
	int err, n = imaginations_roster_int(unit, name);

	if (n == 0)
		return (0);
	if ((err = roster_set(r, id, name, json_integer(n - 1))) != 0)
		return (err);
	if (json_array_append_new(events,
		json_pack("{s:s, s:s, s:s, s:i}", "e", "upkeep", "unit", id,
		    "what", name, name, n - 1)) != 0)
		return (ERR_NOMEM);
	return (0);
}

/* Returns the battalion of a unit with this id, or NULL. */
static const json_t *
imaginations_roster_battalion(const json_t *unit, const char *id)
{
	const json_t *b, *list = json_object_get(unit, "battalions");
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		b = json_array_get(list, i);
		if (strcmp(json_string_value(json_object_get(b, "id")), id) ==
		    0)
			return (b);
	}
	return (NULL);
}

/*
 * The lead battalion that was named comes into force, and says so, if it has
 * strength left.
 */
static int
imaginations_roster_lead(struct roster *r, const json_t *unit, json_t *events)
{
	const char *id = json_string_value(json_object_get(unit, "id"));
	const char *next =
	    json_string_value(json_object_get(unit, "next_lead"));
	const json_t *b;
	int err;

	if (next == NULL)
		return (0);
	b = imaginations_roster_battalion(unit, next);
	if (b != NULL && roster_out(unit) == NULL &&
	    imaginations_roster_int(b, "hits") <
		imaginations_roster_int(b, "sp") &&
	    strcmp(json_string_value(json_object_get(unit, "lead")), next) !=
		0) {
		if (json_array_append_new(events,
			json_pack("{s:s, s:s, s:s, s:s}", "e", "upkeep", "unit",
			    id, "what", "leads", "battalion", next)) != 0)
			return (ERR_NOMEM);
		err = roster_set(r, id, "lead", json_string(next));
		if (err != 0)
			return (err);
	}
	return (roster_unset(r, id, "next_lead"));
}

/*
 * The end of a game turn: every unit recovers from one point of fatigue, and
 * new lead battalions come into force.
 */
static int
imaginations_roster_upkeep(struct roster *r, json_t *events)
{
	const json_t *unit;
	size_t i;
	int err;

	for (i = 0; (unit = roster_unit_at(r, i)) != NULL; i++) {
		if (roster_out(unit) == NULL &&
		    (err = imaginations_roster_lower(
			 r, unit, "fatigue", events)) != 0)
			return (err);
		if ((err = imaginations_roster_lead(r, unit, events)) != 0)
			return (err);
		if (roster_out(unit) != NULL)
			continue;
		err = imaginations_roster_lower(r, unit, "lead_free", events);
		if (err != 0)
			return (err);
	}
	return (0);
}

/* The end of an activation: what units have tried in it no longer counts. */
static int
imaginations_roster_turn_end(struct roster *r)
{
	const json_t *unit;
	size_t i;
	int err;

	for (i = 0; (unit = roster_unit_at(r, i)) != NULL; i++) {
		if (!json_is_string(json_object_get(unit, "tried")))
			continue;
		err = roster_set(r,
		    json_string_value(json_object_get(unit, "id")), "tried",
		    json_null());
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Checks the battalion of a rally or of a change of lead. */
static int
imaginations_roster_check_battalion(const json_t *unit, const json_t *args,
    enum imaginations_order order, const struct js_at *at, struct errinfo *e)
{
	const char *id, *lead;
	const json_t *b;
	int err;

	if ((err = js_get_str(args, "battalion", at, &id, e)) != 0)
		return (err);
	if ((b = imaginations_roster_battalion(unit, id)) == NULL)
		return (js_fail_member(at, "battalion", e,
		    "\"%s\" is not among its battalions", id));
	if (order == IMAGINATIONS_RALLY) {
		if (imaginations_roster_int(b, "hits") < 2)
			return (js_fail_member(at, "battalion", e,
			    "\"%s\" has no hit to take back: its last one "
			    "stays",
			    id));
		return (0);
	}
	if (imaginations_roster_int(unit, "lead_free") == 0)
		return (js_fail_member(at, "unit", e,
		    "took no hits in this round: its lead battalion "
		    "stays"));
	/* Naming the present one takes back that another was named. */
	lead = json_string_value(json_object_get(unit, "lead"));
	if (json_object_get(unit, "next_lead") == NULL && strcmp(lead, id) == 0)
		return (js_fail_member(
		    at, "battalion", e, "\"%s\" leads already", id));
	if (imaginations_roster_int(b, "hits") ==
	    imaginations_roster_int(b, "sp"))
		return (js_fail_member(
		    at, "battalion", e, "\"%s\" has no strength left", id));
	return (0);
}

/* The args that upkeep orders may have, ended by NULL. */
static const char *const imaginations_roster_args[] = {
    "unit", "do", "battalion", NULL};

/* Asks for one die under the label WHAT/UNIT. */
static void
imaginations_roster_ask(struct rules_upkeep_roll *roll, const char *what,
    const json_t *unit, unsigned sides)
{
	(void)snprintf(roll->label, sizeof(roll->label), "%s/%s", what,
	    json_string_value(json_object_get(unit, "id")));
	roll->sides = sides;
	roll->n = 1;
}

/* Checks whether a unit may rally or recover still, and what it rolls. */
static int
imaginations_roster_check_try(const json_t *unit, enum imaginations_order order,
    int target, const struct js_at *at, struct rules_upkeep_roll *roll,
    struct errinfo *e)
{
	static const char *const others[] = {
	    [IMAGINATIONS_RALLY] = "recover",
	    [IMAGINATIONS_RECOVER] = "rally",
	};
	const char *tried = json_string_value(json_object_get(unit, "tried"));

	if (tried != NULL && strcmp(tried, others[order]) == 0)
		return (js_fail_member(at, "unit", e,
		    "has tried to %s in this turn, and may try to %s in "
		    "another",
		    others[order], imaginations_roster_orders[order]));
	if (order == IMAGINATIONS_RECOVER &&
	    !json_is_true(json_object_get(unit, "disordered")))
		return (js_fail_member(at, "unit", e, "is not disordered"));
	if (target != IMAGINATIONS_RALLY_AUTOMATIC)
		imaginations_roster_ask(
		    roll, "rally", unit, IMAGINATIONS_RALLY_DIE);
	return (0);
}

/* Checks an order rest, rally, recover or lead, and asks for its die. */
static int
imaginations_roster_check(const struct roster *r,
    const struct rules_settings *set, int side, const json_t *args,
    struct rules_upkeep_roll *roll, struct errinfo *e)
{
	static const char *const plain[] = {"unit", "do", NULL};
	const struct js_at at = {.name = "args"};
	const json_t *unit = NULL;
	int err, order;
	bool needs;

	memset(roll, 0, sizeof(*roll));
	if ((err = js_get_enum(
		 args, "do", &at, imaginations_roster_orders, &order, e)) != 0)
		return (err);
	needs = order == IMAGINATIONS_RALLY || order == IMAGINATIONS_LEAD;
	if ((err = js_members(
		 args, &at, needs ? imaginations_roster_args : plain, e)) != 0)
		return (err);
	err = roster_pick(r, side, false, args, "unit", &at, &unit, e);
	if (err == 0 && needs)
		err = imaginations_roster_check_battalion(
		    unit, args, (enum imaginations_order)order, &at, e);
	if (err != 0 || order == IMAGINATIONS_LEAD)
		return (err);
	if (order != IMAGINATIONS_REST)
		return (imaginations_roster_check_try(unit,
		    (enum imaginations_order)order,
		    set->rulings[IMAGINATIONS_RALLY_TARGET], &at, roll, e));
	if (imaginations_roster_int(unit, "fatigue") == 0)
		return (js_fail_member(&at, "unit", e, "has no fatigue"));
	imaginations_roster_ask(roll, "rest", unit, IMAGINATIONS_REST_DIE);
	return (0);
}

/* Takes one hit of a battalion back; *hits is what it then has. */
static int
imaginations_roster_rally(
    struct roster *r, const json_t *unit, const char *battalion, int *hits)
{
	const char *id = json_string_value(json_object_get(unit, "id"));
	json_t *b, *list;
	size_t i;

	list = json_deep_copy(json_object_get(unit, "battalions"));
	json_array_foreach(list, i, b)
	{
		if (strcmp(json_string_value(json_object_get(b, "id")),
			battalion) != 0)
			continue;
		*hits = imaginations_roster_int(b, "hits") - 1;
		if (json_object_set_new(b, "hits", json_integer(*hits)) != 0) {
			json_decref(list);
			return (ERR_NOMEM);
		}
	}
	if (list == NULL)
		return (ERR_NOMEM);
	return (roster_set(r, id, "battalions", list));
}

/*
 * Notes that a unit tries to rally or to recover, and adds the die and the
 * target to its event; *works says whether it does.
 */
static int
imaginations_roster_try(struct roster *r, const char *id,
    enum imaginations_order order, int target, int die, json_t *event,
    bool *works)
{
	static const struct {
		enum imaginations_tried tried;
		const char *rolled, *failed;
	} tries[] = {
	    [IMAGINATIONS_RALLY] = {IMAGINATIONS_RALLIED, "rallied",
		"not-rallied"},
	    [IMAGINATIONS_RECOVER] = {IMAGINATIONS_RECOVERED, "recovered",
		"not-recovered"},
	};
	int err;

	err = roster_set(r, id, "tried",
	    json_string(imaginations_facts_tried[tries[order].tried]));
	*works = target == IMAGINATIONS_RALLY_AUTOMATIC || die >= target;
	if (target == IMAGINATIONS_RALLY_AUTOMATIC)
		return (err);
	err |= json_object_set_new(event, "what",
	    json_string(*works ? tries[order].rolled : tries[order].failed));
	err |= json_object_set_new(event, "die", json_integer(die));
	err |= json_object_set_new(event, "target", json_integer(target));
	return (err);
}

/* Carries out a rest. */
static int
imaginations_roster_rest(
    struct roster *r, const char *id, int die, json_t *event)
{
	int err, n;

	n = imaginations_roster_int(roster_find(r, id, NULL), "fatigue") - die;
	if (n < 0)
		n = 0;
	err = roster_set(r, id, "fatigue", json_integer(n));
	err |= json_object_set_new(event, "die", json_integer(die));
	err |= json_object_set_new(event, "fatigue", json_integer(n));
	return (err);
}

/* Carries out an order that was checked. */
static int
imaginations_roster_do(struct roster *r, const struct rules_settings *set,
    const json_t *args, const uint16_t *dice, json_t *events)
{
	const char *battalion, *id;
	bool works = true;
	json_t *event;
	int err, n = 0, order;

	if ((err = js_get_enum(args, "do", NULL, imaginations_roster_orders,
		 &order, NULL)) != 0)
		return (err);
	id = json_string_value(json_object_get(args, "unit"));
	battalion = json_string_value(json_object_get(args, "battalion"));
	event = json_pack("{s:s, s:s, s:s}", "e", "upkeep", "unit", id, "what",
	    imaginations_roster_orders[order]);
	if (order == IMAGINATIONS_RALLY || order == IMAGINATIONS_RECOVER)
		err = imaginations_roster_try(r, id,
		    (enum imaginations_order)order,
		    set->rulings[IMAGINATIONS_RALLY_TARGET], dice[0], event,
		    &works);
	else if (order == IMAGINATIONS_REST)
		err = imaginations_roster_rest(r, id, dice[0], event);
	else
		err = roster_set(r, id, "next_lead", json_string(battalion));
	if (order == IMAGINATIONS_RECOVER && works)
		err |= roster_set(r, id, "disordered", json_false());
	if (battalion != NULL)
		err |= json_object_set_new(
		    event, "battalion", json_string(battalion));
	if (order == IMAGINATIONS_RALLY && works) {
		err |= imaginations_roster_rally(
		    r, roster_find(r, id, NULL), battalion, &n);
		err |= json_object_set_new(event, "hits", json_integer(n));
	}
	err |= json_array_append_new(events, event);
	return (err != 0 ? ERR_NOMEM : 0);
}

/* Returns the least id among the defenders, borrowed, or NULL. */
static const char *
imaginations_roster_place_id(const json_t *combat)
{
	return (facts_least_id(
	    json_object_get(json_object_get(combat, "defender"), "units"),
	    NULL));
}

/* The strength points that its battalions have left. */
static int64_t
imaginations_roster_worth(const json_t *unit)
{
	const json_t *battalion;
	int64_t n, sum = 0;
	size_t i;

	json_array_foreach(json_object_get(unit, "battalions"), i, battalion)
	{
		n = js_int(battalion, "sp") - js_int(battalion, "hits");
		sum += n > 0 ? n : 0;
	}
	return (sum);
}

const struct rules_game imaginations_roster_game = {
    .merge = imaginations_roster_merge,
    .apply = imaginations_roster_apply,
    .turn_end = imaginations_roster_turn_end,
    .upkeep = imaginations_roster_upkeep,
    .has_activations = true,
    .upkeep_args = imaginations_roster_args,
    .upkeep_check = imaginations_roster_check,
    .upkeep_do = imaginations_roster_do,
    .worth = imaginations_roster_worth,
    .removed = "destroyed",
    .place_id = imaginations_roster_place_id,
};
