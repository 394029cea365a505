/* SPDX-License-Identifier: ISC */
/*
 * Reads and writes the facts of an invasion-1812 combat and the units and
 * commanders of its rosters.  All that the system refuses is refused here
 * (umpire-rules.7, 11.1), so that the rules can take the structs as they are.
 */
#include "common/rules/invasion1812/invasion1812_facts.h"

#include <stdint.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/question.h"
#include "common/rules/run.h"

static const char *const invasion1812_facts_types[] = {
    [INVASION1812_INFANTRY] = "infantry",
    [INVASION1812_CAVALRY] = "cavalry",
    [INVASION1812_ARTILLERY] = "artillery",
    NULL,
};

static const char *const invasion1812_facts_terrains[] = {
    [INVASION1812_CLEAR] = "clear",
    [INVASION1812_FOREST] = "forest",
    [INVASION1812_MARSH] = "marsh",
    [INVASION1812_MOUNTAIN] = "mountain",
    [INVASION1812_ROUGH] = "rough",
    [INVASION1812_CITY] = "city",
    NULL,
};

const char *const invasion1812_facts_members[] = {
    "id", "name", "type", "cf", "disrupted", "cr", NULL};

/* Reads a count that may be missing. */
static int
invasion1812_facts_count(const json_t *obj, const char *name,
    const struct js_at *at, int *out, struct errinfo *e)
{
	int64_t n = *out;
	int r;

	if ((r = js_opt_int(obj, name, at, 0, RULES_COUNT_MAX, &n, e)) != 0)
		return (r);
	*out = (int)n;
	return (0);
}

/* Reads the members of a unit that facts and rosters have. */
static int
invasion1812_facts_read_unit(struct invasion1812_unit *u, const json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	int r, type;

	if ((r = facts_name(unit, at, &u->name, e)) != 0)
		return (r);
	if ((r = js_get_enum(
		 unit, "type", at, invasion1812_facts_types, &type, e)) != 0)
		return (r);
	u->type = (enum invasion1812_type)type;
	u->cf = 1;
	if ((r = invasion1812_facts_count(unit, "cf", at, &u->cf, e)) != 0)
		return (r);
	return (js_opt_bool(unit, "disrupted", at, &u->is_disrupted, e));
}

/* Reads a commander. */
static int
invasion1812_facts_read_commander(struct invasion1812_commander *m,
    const json_t *commander, const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"id", "name", "cr", NULL};
	int64_t cr;
	int r;

	if ((r = js_members(commander, at, known, e)) != 0)
		return (r);
	if ((r = facts_name(commander, at, &m->name, e)) != 0)
		return (r);
	if ((r = js_get_int(commander, "cr", at, 0, RULES_COUNT_MAX, &cr, e)) !=
	    0)
		return (r);
	m->cr = (int)cr;
	return (0);
}

/* True if a unit or a commander that was read already has this id. */
static bool
invasion1812_facts_has(const struct invasion1812_facts *f, const char *id)
{
	size_t i;

	for (i = 0; i < f->n_units; i++) {
		if (strcmp(f->units[i].name.id, id) == 0)
			return (true);
	}
	for (i = 0; i < f->n_commanders; i++) {
		if (strcmp(f->commanders[i].name.id, id) == 0)
			return (true);
	}
	return (false);
}

/* Reads the units of a stack behind those that were read already. */
static int
invasion1812_facts_read_units(struct invasion1812_facts *f, const json_t *stack,
    bool is_attacking, size_t most, const struct js_at *up, struct errinfo *e)
{
	static const char *const known[] = {
	    "id", "name", "type", "cf", "disrupted", NULL};
	const struct js_at at = {.up = up, .name = "units"};
	struct js_at at_i = {.up = &at};
	struct invasion1812_unit *u;
	const json_t *list, *unit;
	int r;

	if ((r = js_get_array(stack, "units", up, &list, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		if (f->n_units == most)
			return (js_fail(&at_i, e,
			    "a side must have at most %d units",
			    COMBAT_SIDE_UNITS_MAX));
		u = &f->units[f->n_units];
		unit = json_array_get(list, at_i.index);
		if ((r = js_members(unit, &at_i, known, e)) != 0)
			return (r);
		if ((r = invasion1812_facts_read_unit(u, unit, &at_i, e)) != 0)
			return (r);
		if (invasion1812_facts_has(f, u->name.id))
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", u->name.id));
		if (is_attacking && u->is_disrupted)
			return (js_fail_member(&at_i, "disrupted", e,
			    "a stack with a disrupted unit cannot attack"));
		f->n_units++;
	}
	return (0);
}

/* Reads the commanders of a stack behind those that were read already. */
static int
invasion1812_facts_read_commanders(struct invasion1812_facts *f,
    const json_t *stack, size_t most, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "commanders"};
	struct js_at at_i = {.up = &at};
	struct invasion1812_commander *m;
	const json_t *list = NULL;
	int r;

	if ((r = js_opt_array(stack, "commanders", up, &list, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		if (f->n_commanders == most)
			return (js_fail(&at_i, e,
			    "a side must have at most %d commanders",
			    INVASION1812_SIDE_COMMANDERS_MAX));
		m = &f->commanders[f->n_commanders];
		r = invasion1812_facts_read_commander(
		    m, json_array_get(list, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
		if (invasion1812_facts_has(f, m->name.id))
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", m->name.id));
		f->n_commanders++;
	}
	return (0);
}

/* Reads what a stack has done and how it stands. */
static int
invasion1812_facts_read_history(struct invasion1812_stack *s,
    const json_t *stack, enum combat_side side, const struct js_at *at,
    struct errinfo *e)
{
	int r;

	if ((r = js_opt_bool(stack, "force_marched", at, &s->has_marched, e)) !=
	    0)
		return (r);
	if ((r = invasion1812_facts_count(
		 stack, "fought", at, &s->fought, e)) != 0)
		return (r);
	if (side == COMBAT_DEFENDER &&
	    json_object_get(stack, "across_river") != NULL)
		return (js_fail_member(
		    at, "across_river", e, "is for the attacking side only"));
	if ((r = js_opt_bool(stack, "across_river", at, &s->is_across, e)) != 0)
		return (r);
	return (js_opt_bool(stack, "others_in_hex", at, &s->has_others, e));
}

/* Reads one stack of a side; the side's fighting stack comes first. */
static int
invasion1812_facts_read_stack(struct invasion1812_facts *f, const json_t *stack,
    enum combat_side side, const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"units", "commanders",
	    "force_marched", "fought", "across_river", "others_in_hex", NULL};
	const struct invasion1812_side *of = &f->sides[side];
	bool is_support = f->n_stacks > of->stacks;
	struct invasion1812_stack *s = &f->stacks[f->n_stacks];
	int r;

	if ((r = js_members(stack, at, known, e)) != 0)
		return (r);
	s->units = f->n_units;
	if ((r = invasion1812_facts_read_units(f, stack,
		 side == COMBAT_ATTACKER && !is_support,
		 of->units + COMBAT_SIDE_UNITS_MAX, at, e)) != 0)
		return (r);
	s->end_units = f->n_units;
	s->commanders = f->n_commanders;
	if ((r = invasion1812_facts_read_commanders(f, stack,
		 of->commanders + INVASION1812_SIDE_COMMANDERS_MAX, at, e)) !=
	    0)
		return (r);
	s->end_commanders = f->n_commanders;
	if (s->units == s->end_units &&
	    (side == COMBAT_ATTACKER || is_support ||
		s->commanders == s->end_commanders))
		return (js_fail_member(at, "units", e,
		    side == COMBAT_DEFENDER && !is_support
			? "a stack must have a unit or a commander"
			: "the stack must have a unit"));
	if ((r = invasion1812_facts_read_history(s, stack, side, at, e)) != 0)
		return (r);
	f->n_stacks++;
	return (0);
}

/* Reads one side: its fighting stack, then those that support it. */
static int
invasion1812_facts_read_side(struct invasion1812_facts *f, const json_t *combat,
    enum combat_side side, const struct js_at *up, struct errinfo *e)
{
	static const char *const known[] = {"stack", "supports", NULL};
	const struct js_at at = {.up = up, .name = question_side(side)};
	const struct js_at at_stack = {.up = &at, .name = "stack"};
	const struct js_at at_list = {.up = &at, .name = "supports"};
	struct js_at at_i = {.up = &at_list};
	struct invasion1812_side *of = &f->sides[side];
	const json_t *from, *list = NULL, *stack;
	int r;

	if ((r = js_get_object(combat, at.name, up, &from, e)) != 0)
		return (r);
	if ((r = js_members(from, &at, known, e)) != 0)
		return (r);
	of->stacks = f->n_stacks;
	of->units = f->n_units;
	of->commanders = f->n_commanders;
	if ((r = js_get_object(from, "stack", &at, &stack, e)) != 0)
		return (r);
	if ((r = invasion1812_facts_read_stack(f, stack, side, &at_stack, e)) !=
	    0)
		return (r);
	if ((r = js_opt_array(from, "supports", &at, &list, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		r = invasion1812_facts_read_stack(
		    f, json_array_get(list, at_i.index), side, &at_i, e);
		if (r != 0)
			return (r);
	}
	of->end_stacks = f->n_stacks;
	of->end_units = f->n_units;
	of->end_commanders = f->n_commanders;
	return (0);
}

int
invasion1812_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	static const char *const known[] = {
	    "attacker", "defender", "terrain", "fortified_city", NULL};
	const struct js_at at = {.name = "combat"};
	struct invasion1812_facts *f = facts;
	int r, terrain;

	(void)set; /* no ruling bears on what is refused */
	if ((r = js_members(combat, &at, known, e)) != 0)
		return (r);
	if ((r = invasion1812_facts_read_side(
		 f, combat, COMBAT_ATTACKER, &at, e)) != 0)
		return (r);
	if ((r = invasion1812_facts_read_side(
		 f, combat, COMBAT_DEFENDER, &at, e)) != 0)
		return (r);
	if ((r = js_get_enum(combat, "terrain", &at,
		 invasion1812_facts_terrains, &terrain, e)) != 0)
		return (r);
	f->terrain = (enum invasion1812_terrain)terrain;
	return (
	    js_opt_bool(combat, "fortified_city", &at, &f->is_fortified, e));
}

/* Returns a unit as a new object, or NULL. */
static json_t *
invasion1812_facts_unit_json(const struct invasion1812_unit *u)
{
	json_t *o;
	int bad;

	if ((o = facts_name_json(&u->name)) == NULL)
		return (NULL);
	bad = json_object_set_new(
	    o, "type", json_string(invasion1812_facts_types[u->type]));
	bad |= json_object_set_new(o, "cf", json_integer(u->cf));
	bad |=
	    json_object_set_new(o, "disrupted", json_boolean(u->is_disrupted));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Returns a commander as a new object, or NULL. */
static json_t *
invasion1812_facts_commander_json(const struct invasion1812_commander *m)
{
	json_t *o;

	if ((o = facts_name_json(&m->name)) == NULL)
		return (NULL);
	if (json_object_set_new(o, "cr", json_integer(m->cr)) != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Returns a stack as a new object, or NULL. */
static json_t *
invasion1812_facts_stack_json(const struct invasion1812_facts *f,
    const struct invasion1812_stack *s, enum combat_side side)
{
	json_t *commanders = json_array(), *o, *units = json_array();
	size_t i;
	int bad = 0;

	for (i = s->units; i < s->end_units; i++)
		bad |= json_array_append_new(
		    units, invasion1812_facts_unit_json(&f->units[i]));
	for (i = s->commanders; i < s->end_commanders; i++)
		bad |= json_array_append_new(commanders,
		    invasion1812_facts_commander_json(&f->commanders[i]));
	o = json_pack("{s:o, s:o, s:b, s:i}", "units", units, "commanders",
	    commanders, "force_marched", (int)s->has_marched, "fought",
	    s->fought);
	if (side == COMBAT_ATTACKER)
		bad |= json_object_set_new(
		    o, "across_river", json_boolean(s->is_across));
	bad |= json_object_set_new(
	    o, "others_in_hex", json_boolean(s->has_others));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Returns a side as a new object, or NULL. */
static json_t *
invasion1812_facts_side_json(
    const struct invasion1812_facts *f, enum combat_side side)
{
	const struct invasion1812_side *of = &f->sides[side];
	json_t *supports = json_array();
	size_t i;
	int bad = 0;

	for (i = of->stacks + 1; i < of->end_stacks; i++)
		bad |= json_array_append_new(supports,
		    invasion1812_facts_stack_json(f, &f->stacks[i], side));
	if (bad != 0) {
		json_decref(supports);
		return (NULL);
	}
	return (json_pack("{s:o, s:o}", "stack",
	    invasion1812_facts_stack_json(f, &f->stacks[of->stacks], side),
	    "supports", supports));
}

json_t *
invasion1812_facts_json(const struct combat *c)
{
	const struct invasion1812_facts *f = combat_facts(c);

	return (json_pack("{s:o, s:o, s:s, s:b}", "attacker",
	    invasion1812_facts_side_json(f, COMBAT_ATTACKER), "defender",
	    invasion1812_facts_side_json(f, COMBAT_DEFENDER), "terrain",
	    invasion1812_facts_terrains[f->terrain], "fortified_city",
	    (int)f->is_fortified));
}

int
invasion1812_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	static const char *const given[] = {
	    "id", "name", "type", "cf", "disrupted", NULL};
	static const char *const kept[] = {"id", "name", "type", "cf",
	    "disrupted", "fought", "force_marched", NULL};
	struct invasion1812_unit u;
	bool has_marched = false;
	int bad, fought = 0, r;
	json_t *made;

	memset(&u, 0, sizeof(u));
	r = js_members(unit, at, how == RULES_ROSTER_GIVEN ? given : kept, e);
	if (r != 0)
		return (r);
	if ((r = invasion1812_facts_read_unit(&u, unit, at, e)) != 0)
		return (r);
	if ((r = invasion1812_facts_count(unit, "fought", at, &fought, e)) != 0)
		return (r);
	if ((r = js_opt_bool(unit, "force_marched", at, &has_marched, e)) != 0)
		return (r);
	if ((made = invasion1812_facts_unit_json(&u)) == NULL)
		return (ERR_NOMEM);
	bad = json_object_set_new(made, "fought", json_integer(fought));
	bad |= json_object_set_new(
	    made, "force_marched", json_boolean(has_marched));
	if (bad != 0) {
		json_decref(made);
		return (ERR_NOMEM);
	}
	*out = made;
	return (0);
}

int
invasion1812_facts_roster_commander(const json_t *commander,
    enum rules_roster how, const struct js_at *at, json_t **out,
    struct errinfo *e)
{
	struct invasion1812_commander m;
	json_t *made;
	int r;

	(void)how; /* the game keeps nothing of a commander */
	memset(&m, 0, sizeof(m));
	r = invasion1812_facts_read_commander(&m, commander, at, e);
	if (r != 0)
		return (r);
	if ((made = invasion1812_facts_commander_json(&m)) == NULL)
		return (ERR_NOMEM);
	*out = made;
	return (0);
}
