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
#include "common/rules/rulekit.h"

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

/* 11.1, 11.9. */
#define INVASION1812_UNIT(member, name, type, in) \
	SCHEMA_ROW(invasion1812_unit, member, name, type, in)
const struct schema_row invasion1812_facts_unit[] = {
    {INVASION1812_UNIT(name.id, "id", ID, PRINTED)},
    {INVASION1812_UNIT(name.name, "name", TEXT, PRINTED),
	.what = "a name for people, at most 64 bytes"},
    {INVASION1812_UNIT(type, "type", WORD, PRINTED),
	.words = invasion1812_facts_types, .is_required = true,
	.what = "\"infantry\", \"cavalry\" or \"artillery\""},
    {INVASION1812_UNIT(cf, "cf", COUNT, PRINTED), .hi = RULES_COUNT_MAX,
	.fallback = 1, .what = "combat factors, 0 to 9999, 1 if left out"},
    {INVASION1812_UNIT(is_disrupted, "disrupted", BOOL, PRINTED),
	.what = "true or false"},
    {INVASION1812_UNIT(fought, "fought", COUNT, NOTED), .hi = RULES_COUNT_MAX},
    {INVASION1812_UNIT(has_marched, "force_marched", BOOL, NOTED)},
    {.name = NULL},
};

#define INVASION1812_COMMANDER(member, name, type) \
	SCHEMA_ROW(invasion1812_commander, member, name, type, PRINTED)
const struct schema_row invasion1812_facts_commander[] = {
    {INVASION1812_COMMANDER(name.id, "id", ID)},
    {INVASION1812_COMMANDER(name.name, "name", TEXT)},
    {INVASION1812_COMMANDER(cr, "cr", COUNT), .hi = RULES_COUNT_MAX,
	.is_required = true},
    {.name = NULL},
};

#define INVASION1812_STACK(member, name, type, in) \
	SCHEMA_ROW(invasion1812_stack, member, name, type, in)
static const struct schema_row invasion1812_facts_stack[] = {
    {INVASION1812_STACK(units, "units", OWN, STATED)},
    {INVASION1812_STACK(commanders, "commanders", OWN, STATED)},
    {INVASION1812_STACK(has_marched, "force_marched", BOOL, STATED)},
    {INVASION1812_STACK(fought, "fought", COUNT, STATED),
	.hi = RULES_COUNT_MAX},
    {INVASION1812_STACK(is_across, "across_river", BOOL, ATTACKER)},
    {INVASION1812_STACK(has_others, "others_in_hex", BOOL, STATED)},
    {.name = NULL},
};

/* True if a unit or a commander that was read already has this id. */
static bool
invasion1812_facts_has(const struct invasion1812_facts *f, const char *id)
{
	return (facts_find(f->units, f->n_units, sizeof(f->units[0]), id) <
		f->n_units ||
	    facts_find(f->commanders, f->n_commanders, sizeof(f->commanders[0]),
		id) < f->n_commanders);
}

/* Reads the units of a stack behind those that were read already. */
static int
invasion1812_facts_read_units(struct invasion1812_facts *f, const json_t *stack,
    bool is_attacking, size_t most, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "units"};
	struct js_at at_i = {.up = &at};
	struct invasion1812_unit *u;
	const json_t *list;
	int r;

	if ((r = js_get_array(stack, "units", up, &list, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		if (f->n_units == most)
			return (js_fail(&at_i, e,
			    "a side must have at most %d units",
			    COMBAT_SIDE_UNITS_MAX));
		u = &f->units[f->n_units];
		r = schema_read(invasion1812_facts_unit, SCHEMA_FACTS,
		    json_array_get(list, at_i.index), &at_i, u, e);
		if (r != 0)
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
		r = schema_read(invasion1812_facts_commander, SCHEMA_FACTS,
		    json_array_get(list, at_i.index), &at_i, m, e);
		if (r != 0)
			return (r);
		if (invasion1812_facts_has(f, m->name.id))
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", m->name.id));
		f->n_commanders++;
	}
	return (0);
}

/* Reads one stack of a side; the side's fighting stack comes first. */
static int
invasion1812_facts_read_stack(struct invasion1812_facts *f, const json_t *stack,
    enum combat_side side, const struct js_at *at, struct errinfo *e)
{
	const struct invasion1812_side *of = &f->sides[side];
	bool is_support = f->n_stacks > of->stacks;
	struct invasion1812_stack *s = &f->stacks[f->n_stacks];
	int r;

	if (side == COMBAT_DEFENDER &&
	    json_object_get(stack, "across_river") != NULL)
		return (js_fail_member(
		    at, "across_river", e, "is for the attacking side only"));
	if ((r = schema_read(invasion1812_facts_stack, SCHEMA_SIDE(side), stack,
		 at, s, e)) != 0)
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

/* Returns a stack as a new object, or NULL. */
static json_t *
invasion1812_facts_stack_json(const struct invasion1812_facts *f,
    const struct invasion1812_stack *s, enum combat_side side)
{
	json_t *o;
	int bad;

	o = schema_json(invasion1812_facts_stack, SCHEMA_SIDE(side), s);
	bad = json_object_set_new(o, "units",
	    schema_list(invasion1812_facts_unit, SCHEMA_FACTS,
		&f->units[s->units], s->end_units - s->units,
		sizeof(f->units[0])));
	bad |= json_object_set_new(o, "commanders",
	    schema_list(invasion1812_facts_commander, SCHEMA_FACTS,
		&f->commanders[s->commanders],
		s->end_commanders - s->commanders, sizeof(f->commanders[0])));
	return (js_made(o, bad));
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
	return (json_pack("{s:o, s:o}", "stack",
	    invasion1812_facts_stack_json(f, &f->stacks[of->stacks], side),
	    "supports", js_made(supports, bad)));
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
	struct invasion1812_unit u;
	int r;

	memset(&u, 0, sizeof(u));
	r = schema_read(
	    invasion1812_facts_unit, SCHEMA_ROSTER(how), unit, at, &u, e);
	return (r != 0 ? r : schema_roster(invasion1812_facts_unit, &u, out));
}

int
invasion1812_facts_roster_commander(const json_t *commander,
    enum rules_roster how, const struct js_at *at, json_t **out,
    struct errinfo *e)
{
	struct invasion1812_commander m;
	int r;

	memset(&m, 0, sizeof(m));
	r = schema_read(invasion1812_facts_commander, SCHEMA_ROSTER(how),
	    commander, at, &m, e);
	return (
	    r != 0 ? r : schema_roster(invasion1812_facts_commander, &m, out));
}
