/* SPDX-License-Identifier: ISC */
/*
 * Reads and writes the facts of an imagi-nations combat (umpire-rules.7,
 * 13.1), and the units of its rosters.  What is read here is lawful: the run
 * trusts it.
 */
#include "common/rules/imaginations/imaginations_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/rulekit.h"

#define IMAGINATIONS_FACTS_MORALE 4 /* where a unit does not say */

const char *const imaginations_facts_qualities[] = {
    [IMAGINATIONS_ELITE] = "elite",
    [IMAGINATIONS_VETERAN] = "veteran",
    [IMAGINATIONS_EXPERIENCED] = "experienced",
    [IMAGINATIONS_TRAINED] = "trained",
    [IMAGINATIONS_RAW] = "raw",
    NULL,
};

static const char *const imaginations_facts_kinds[] = {
    [IMAGINATIONS_OFFENSIVE] = "offensive",
    [IMAGINATIONS_DEFENSIVE] = "defensive",
    [IMAGINATIONS_CONDITIONAL] = "conditional",
    NULL,
};

#define IMAGINATIONS_BATTALION(member, name, type) \
	SCHEMA_ROW(imaginations_battalion, member, name, type, PRINTED)
static const struct schema_row imaginations_facts_battalion_rows[] = {
    {IMAGINATIONS_BATTALION(id, "id", ID)},
    {IMAGINATIONS_BATTALION(quality, "quality", WORD),
	.words = imaginations_facts_qualities, .is_required = true},
    {IMAGINATIONS_BATTALION(sp, "sp", COUNT), .lo = 1, .hi = RULES_COUNT_MAX,
	.is_required = true},
    {IMAGINATIONS_BATTALION(hits, "hits", COUNT), .hi = RULES_COUNT_MAX},
    {.name = NULL},
};

const char *const imaginations_facts_tried[] = {
    [IMAGINATIONS_RALLIED] = "rally",
    [IMAGINATIONS_RECOVERED] = "recover",
    NULL,
};

/* 13.1, 13.11. */
#define IMAGINATIONS_UNIT(member, name, type, in) \
	SCHEMA_ROW(imaginations_unit, member, name, type, in)
const struct schema_row imaginations_facts_unit[] = {
    {IMAGINATIONS_UNIT(name.id, "id", ID, PRINTED)},
    {IMAGINATIONS_UNIT(name.name, "name", TEXT, PRINTED),
	.what = "a name for people, at most 64 bytes"},
    {IMAGINATIONS_UNIT(arm, "arm", WORD, PRINTED),
	.words = imaginations_bag_arms,
	.what = "\"infantry\", \"cavalry\" or \"artillery\": infantry if "
		"left out"},
    {IMAGINATIONS_UNIT(lead, "lead", OWN, PRINTED), .is_required = true,
	.what = "the id of its lead battalion"},
    {IMAGINATIONS_UNIT(first, "battalions", OWN, PRINTED), .is_required = true,
	.rows = imaginations_facts_battalion_rows,
	.what = "its battalions or squadrons: {\"id\", \"quality\" "
		"(\"elite\", \"veteran\", \"experienced\", \"trained\" or "
		"\"raw\"), \"sp\" (1 to 9999), \"hits\" (0 to sp, 0 if left "
		"out)}"},
    {IMAGINATIONS_UNIT(commander, "commander", COUNT, PRINTED), .lo = -1,
	.hi = 2, .what = "-1 to 2: 0 if left out"},
    {IMAGINATIONS_UNIT(fatigue, "fatigue", COUNT, PRINTED),
	.hi = RULES_COUNT_MAX, .what = "0 to 9999: 0 if left out"},
    {IMAGINATIONS_UNIT(is_disordered, "disordered", BOOL, PRINTED),
	.what = "true or false"},
    {IMAGINATIONS_UNIT(morale, "morale", COUNT, PRINTED),
	.hi = IMAGINATIONS_MORALE_MAX, .fallback = IMAGINATIONS_FACTS_MORALE,
	.what = "0 to 6: 4 if left out"},
    {IMAGINATIONS_UNIT(room, "retreat_room", COUNT, STATED),
	.hi = IMAGINATIONS_ROOM_MAX, .fallback = IMAGINATIONS_ROOM_MAX},
    {IMAGINATIONS_UNIT(lead_free, "lead_free", COUNT, NOTED),
	.hi = IMAGINATIONS_LEAD_FREE},
    {IMAGINATIONS_UNIT(tried, "tried", WORD, NOTED),
	.words = imaginations_facts_tried, .has_null = true, .fallback = -1},
    {IMAGINATIONS_UNIT(next_lead, "next_lead", TEXT, NOTED)},
    {.name = NULL},
};

#define IMAGINATIONS_MODIFIER(member, name, type) \
	SCHEMA_ROW(imaginations_modifier, member, name, type, STATED)
static const struct schema_row imaginations_facts_modifier_rows[] = {
    {IMAGINATIONS_MODIFIER(reason, "reason", TEXT)},
    {IMAGINATIONS_MODIFIER(value, "value", COUNT), .lo = -RULES_COUNT_MAX,
	.hi = RULES_COUNT_MAX, .is_required = true},
    {IMAGINATIONS_MODIFIER(kind, "kind", WORD),
	.words = imaginations_facts_kinds, .is_required = true},
    {.name = NULL},
};

#define IMAGINATIONS_SIDE(member, name, type, in) \
	SCHEMA_ROW(imaginations_side, member, name, type, in)
static const struct schema_row imaginations_facts_side_rows[] = {
    {IMAGINATIONS_SIDE(first, "units", OWN, STATED)},
    {IMAGINATIONS_SIDE(modifiers, "modifiers", OWN, STATED)},
    {IMAGINATIONS_SIDE(has_objective, "objective", BOOL, STATED)},
    {IMAGINATIONS_SIDE(can_evade, "can_evade", BOOL, DEFENDER)},
    {.name = NULL},
};

int
imaginations_facts_left(const struct imaginations_battalion *battalion)
{
	return (battalion->sp - battalion->hits);
}

/* Reads one battalion. */
static int
imaginations_facts_battalion(struct imaginations_battalion *b,
    const json_t *obj, const struct js_at *at, struct errinfo *e)
{
	int64_t hits = 0;
	int r;

	if ((r = schema_read(imaginations_facts_battalion_rows, SCHEMA_FACTS,
		 obj, at, b, e)) != 0)
		return (r);
	return (js_opt_int(obj, "hits", at, 0, b->sp, &hits, e));
}

/*
 * Reads the battalions of unit number `unit` into list, which has n already
 * and space for the rest of a side: at most max in all.
 */
static int
imaginations_facts_battalions(struct imaginations_unit *u, size_t unit,
    struct imaginations_battalion *list, size_t n, size_t max,
    const json_t *obj, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "battalions"};
	struct js_at at_i = {.up = &at};
	const json_t *given;
	int r;

	if ((r = js_get_array(obj, "battalions", up, &given, e)) != 0)
		return (r);
	if (json_array_size(given) == 0)
		return (js_fail(&at, e, "must have a battalion"));
	u->first = u->end = n;
	for (; at_i.index < json_array_size(given); at_i.index++) {
		if (u->end == max)
			return (js_fail(&at_i, e,
			    "no side has more than %d battalions",
			    IMAGINATIONS_SIDE_BATTALIONS_MAX));
		r = imaginations_facts_battalion(
		    &list[u->end], json_array_get(given, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
		if (facts_find(list, u->end, sizeof(*list), list[u->end].id) <
		    u->end)
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", list[u->end].id));
		list[u->end++].unit = unit;
	}
	return (0);
}

/* Reads which of its battalions, read already, leads a unit. */
static int
imaginations_facts_lead(struct imaginations_unit *u,
    const struct imaginations_battalion *list, const json_t *obj,
    const struct js_at *at, struct errinfo *e)
{
	char id[FACTS_ID_MAX + 1];
	int r;

	if ((r = facts_id(obj, "lead", at, id, e)) != 0)
		return (r);
	u->lead = u->first +
	    facts_find(&list[u->first], u->end - u->first, sizeof(*list), id);
	if (u->lead == u->end)
		return (js_fail_member(
		    at, "lead", e, "\"%s\" is not among its battalions", id));
	return (0);
}

/* Reads one unit of the facts and its battalions behind the others. */
static int
imaginations_facts_read_unit(struct imaginations_facts *f,
    enum combat_side side, const json_t *obj, const struct js_at *at,
    struct errinfo *e)
{
	struct imaginations_unit *u = &f->units[f->n_units];
	int r;

	if ((r = schema_read(
		 imaginations_facts_unit, SCHEMA_FACTS, obj, at, u, e)) != 0)
		return (r);
	if ((r = imaginations_facts_battalions(u, f->n_units, f->battalions,
		 f->n_battalions,
		 f->sides[side].first_battalion +
		     IMAGINATIONS_SIDE_BATTALIONS_MAX,
		 obj, at, e)) != 0)
		return (r);
	if ((r = imaginations_facts_lead(u, f->battalions, obj, at, e)) != 0)
		return (r);
	if (facts_find(f->units, f->n_units, sizeof(*u), u->name.id) <
	    f->n_units)
		return (js_fail_member(
		    at, "id", e, "\"%s\" is used twice", u->name.id));
	u->side = side;
	f->n_battalions = u->end;
	f->n_units++;
	return (0);
}

/* Reads the units of a side. */
static int
imaginations_facts_units(struct imaginations_facts *f, enum combat_side side,
    const json_t *obj, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "units"};
	struct js_at at_i = {.up = &at};
	const json_t *list;
	int r;

	if ((r = js_get_array(obj, "units", up, &list, e)) != 0)
		return (r);
	if (json_array_size(list) == 0 ||
	    json_array_size(list) > COMBAT_SIDE_UNITS_MAX)
		return (js_fail(
		    &at, e, "must have 1 to %d units", COMBAT_SIDE_UNITS_MAX));
	f->sides[side].first = f->n_units;
	f->sides[side].first_battalion = f->n_battalions;
	for (; at_i.index < json_array_size(list); at_i.index++) {
		r = imaginations_facts_read_unit(
		    f, side, json_array_get(list, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
	}
	f->sides[side].end = f->n_units;
	f->sides[side].end_battalion = f->n_battalions;
	return (0);
}

/* Reads one modifier, the nth of its side from 1. */
static int
imaginations_facts_modifier(struct imaginations_modifier *m, size_t nth,
    const json_t *obj, const struct js_at *at, struct errinfo *e)
{
	const char *reason;
	int r;

	if ((r = schema_read(imaginations_facts_modifier_rows, SCHEMA_FACTS,
		 obj, at, m, e)) != 0)
		return (r);
	if ((r = js_get_str(obj, "reason", at, &reason, e)) != 0)
		return (r);
	if (reason[0] == '\0')
		return (js_fail_member(at, "reason", e,
		    "must have 1 to %d bytes and no control characters",
		    RULES_NAME_MAX));
	(void)snprintf(
	    m->key, sizeof(m->key), "%s (modifier %zu)", reason, nth);
	return (0);
}

/* Reads the modifiers of a side. */
static int
imaginations_facts_modifiers(struct imaginations_side *s, const json_t *obj,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "modifiers"};
	struct js_at at_i = {.up = &at};
	const json_t *list = NULL;
	int r;

	if ((r = js_opt_array(obj, "modifiers", up, &list, e)) != 0)
		return (r);
	if (json_array_size(list) > IMAGINATIONS_MODIFIERS_MAX)
		return (js_fail(&at, e, "must have at most %d modifiers",
		    IMAGINATIONS_MODIFIERS_MAX));
	for (; at_i.index < json_array_size(list); at_i.index++) {
		r = imaginations_facts_modifier(&s->modifiers[at_i.index],
		    at_i.index + 1, json_array_get(list, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
	}
	s->n_modifiers = json_array_size(list);
	return (0);
}

/* Reads one side. */
static int
imaginations_facts_side(struct imaginations_facts *f, enum combat_side side,
    const json_t *combat, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {
	    .up = up,
	    .name = side == COMBAT_ATTACKER ? "attacker" : "defender",
	};
	struct imaginations_side *s = &f->sides[side];
	const json_t *obj;
	int r;

	if ((r = js_get_object(combat, at.name, up, &obj, e)) != 0)
		return (r);
	if ((r = schema_read(imaginations_facts_side_rows, SCHEMA_SIDE(side),
		 obj, &at, s, e)) != 0)
		return (r);
	if ((r = imaginations_facts_units(f, side, obj, &at, e)) != 0)
		return (r);
	return (imaginations_facts_modifiers(s, obj, &at, e));
}

int
imaginations_facts_bag(
    const json_t *value, const struct js_at *at, void *bag, struct errinfo *e)
{
	int r;

	if ((r = imaginations_bag_read(value, at, bag, e)) != 0)
		return (r);
	/*
	 * A combat's own bag is held against the cards when both are in.  A
	 * game's is refused before any card, so that it tells nothing of them.
	 */
	if (json_array_size(value) < IMAGINATIONS_CHITS_MAX)
		return (js_fail(at, e,
		    "must have at least %d chits, which two cards may ask for",
		    IMAGINATIONS_CHITS_MAX));
	return (0);
}

/* Only cavalry is able to evade. */
static int
imaginations_facts_evader(const struct imaginations_facts *f,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "defender"};
	const struct imaginations_side *s = &f->sides[COMBAT_DEFENDER];
	size_t u;

	for (u = s->first; s->can_evade && u < s->end; u++) {
		if (f->units[u].arm != IMAGINATIONS_CAVALRY)
			return (js_fail_member(&at, "can_evade", e,
			    "must be left out unless all defending units are "
			    "cavalry: \"%s\" is not",
			    f->units[u].name.id));
	}
	return (0);
}

int
imaginations_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	static const char *const known[] = {
	    "attacker", "defender", "terrain", "bag", NULL};
	const struct js_at at = {.name = "combat"};
	const struct js_at at_bag = {.up = &at, .name = "bag"};
	struct imaginations_facts *f = facts;
	const json_t *bag = json_object_get(combat, "bag");
	size_t i;
	int r;

	if ((r = js_members(combat, &at, known, e)) != 0)
		return (r);
	if ((r = imaginations_facts_side(f, COMBAT_ATTACKER, combat, &at, e)) !=
	    0)
		return (r);
	if ((r = imaginations_facts_side(f, COMBAT_DEFENDER, combat, &at, e)) !=
	    0)
		return (r);
	memcpy(f->terrain, IMAGINATIONS_OPEN, sizeof(IMAGINATIONS_OPEN));
	if (json_object_get(combat, "terrain") != NULL &&
	    (r = imaginations_bag_terrain(
		 combat, "terrain", &at, f->terrain, e)) != 0)
		return (r);
	memcpy(&f->bag, set->data, sizeof(f->bag));
	if (bag != NULL &&
	    (r = imaginations_bag_read(bag, &at_bag, &f->bag, e)) != 0)
		return (r);
	for (i = 0; i < f->bag.n; i++)
		f->chits[i] = f->bag.chits[i].id;
	return (imaginations_facts_evader(f, &at, e));
}

/* Returns a unit as a new object, or NULL. */
static json_t *
imaginations_facts_unit_json(const struct imaginations_unit *u,
    const struct imaginations_battalion *list, unsigned in)
{
	json_t *o;
	int bad;

	o = schema_json(imaginations_facts_unit, in, u);
	bad = json_object_set_new(o, "lead", json_string(list[u->lead].id));
	bad |= json_object_set_new(o, "battalions",
	    schema_list(imaginations_facts_battalion_rows, SCHEMA_FACTS,
		&list[u->first], u->end - u->first, sizeof(*list)));
	return (js_made(o, bad));
}

/* Returns a side as a new object, or NULL. */
static json_t *
imaginations_facts_side_json(
    const struct imaginations_facts *f, enum combat_side side)
{
	const struct imaginations_side *s = &f->sides[side];
	json_t *o, *units = json_array();
	size_t i;
	int bad = 0;

	for (i = s->first; i < s->end; i++)
		bad |= json_array_append_new(units,
		    imaginations_facts_unit_json(
			&f->units[i], f->battalions, SCHEMA_FACTS));
	o = schema_json(imaginations_facts_side_rows, SCHEMA_SIDE(side), s);
	bad |= json_object_set_new(o, "units", units);
	bad |= json_object_set_new(o, "modifiers",
	    schema_list(imaginations_facts_modifier_rows, SCHEMA_FACTS,
		s->modifiers, s->n_modifiers, sizeof(s->modifiers[0])));
	return (js_made(o, bad));
}

json_t *
imaginations_facts_json(const struct combat *c)
{
	const struct imaginations_facts *f = combat_facts(c);

	return (json_pack("{s:o, s:o, s:s, s:o}", "attacker",
	    imaginations_facts_side_json(f, COMBAT_ATTACKER), "defender",
	    imaginations_facts_side_json(f, COMBAT_DEFENDER), "terrain",
	    f->terrain, "bag", imaginations_bag_json(&f->bag)));
}

/* Reads the unit of a roster into *u and list, which has the space. */
static int
imaginations_facts_roster_read(struct imaginations_unit *u,
    struct imaginations_battalion *list, enum rules_roster how,
    const json_t *unit, const struct js_at *at, struct errinfo *e)
{
	int left = 0, r;
	size_t i;

	if ((r = schema_read(imaginations_facts_unit, SCHEMA_ROSTER(how), unit,
		 at, u, e)) != 0)
		return (r);
	if ((r = imaginations_facts_battalions(u, 0, list, 0,
		 IMAGINATIONS_SIDE_BATTALIONS_MAX, unit, at, e)) != 0)
		return (r);
	if ((r = imaginations_facts_lead(u, list, unit, at, e)) != 0)
		return (r);
	for (i = u->first; i < u->end; i++)
		left += imaginations_facts_left(&list[i]);
	if (left == 0 && how != RULES_ROSTER_OUT)
		return (js_fail_member(at, "battalions", e,
		    "a unit in play has a strength point left"));
	return (0);
}

int
imaginations_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	struct imaginations_unit u = {
	    .arm = IMAGINATIONS_INFANTRY, .tried = -1};
	struct imaginations_battalion *list;
	json_t *made;
	int r;

	list = calloc(IMAGINATIONS_SIDE_BATTALIONS_MAX, sizeof(*list));
	if (list == NULL)
		return (ERR_NOMEM);
	r = imaginations_facts_roster_read(&u, list, how, unit, at, e);
	if (r == 0) {
		made = imaginations_facts_unit_json(&u, list, SCHEMA_KEPT);
		if (made == NULL)
			r = ERR_NOMEM;
		else
			*out = made;
	}
	free(list);
	return (r);
}
