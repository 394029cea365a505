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
#include "common/rules/run.h"

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

const char *const imaginations_facts_members[] = {"id", "name", "arm", "lead",
    "battalions", "commander", "fatigue", "disordered", "morale",
    "retreat_room", NULL};

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
	static const char *const known[] = {
	    "id", "quality", "sp", "hits", NULL};
	int64_t hits = 0, sp;
	int quality, r;

	if ((r = js_members(obj, at, known, e)) != 0)
		return (r);
	if ((r = facts_id(obj, "id", at, b->id, e)) != 0)
		return (r);
	if ((r = js_get_enum(obj, "quality", at, imaginations_facts_qualities,
		 &quality, e)) != 0)
		return (r);
	if ((r = js_get_int(obj, "sp", at, 1, RULES_COUNT_MAX, &sp, e)) != 0)
		return (r);
	if ((r = js_opt_int(obj, "hits", at, 0, sp, &hits, e)) != 0)
		return (r);
	b->quality = (enum imaginations_quality)quality;
	b->sp = (int)sp;
	b->hits = (int)hits;
	return (0);
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
	size_t i;
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
		for (i = 0; i < u->end; i++) {
			if (strcmp(list[i].id, list[u->end].id) == 0)
				return (js_fail_member(&at_i, "id", e,
				    "\"%s\" is used twice", list[i].id));
		}
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
	for (u->lead = u->first; u->lead < u->end; u->lead++) {
		if (strcmp(list[u->lead].id, id) == 0)
			return (0);
	}
	return (js_fail_member(
	    at, "lead", e, "\"%s\" is not among its battalions", id));
}

/* Reads what a roster owns of a unit but for its battalions. */
static int
imaginations_facts_owned(struct imaginations_unit *u, const json_t *obj,
    const struct js_at *at, struct errinfo *e)
{
	int64_t commander = 0, fatigue = 0, morale = IMAGINATIONS_FACTS_MORALE;
	int arm = IMAGINATIONS_INFANTRY, r;

	if ((r = facts_name(obj, at, &u->name, e)) != 0)
		return (r);
	if ((r = js_opt_enum(obj, "arm", at, imaginations_bag_arms, &arm, e)) !=
	    0)
		return (r);
	if ((r = js_opt_int(obj, "commander", at, -1, 2, &commander, e)) != 0)
		return (r);
	if ((r = js_opt_int(
		 obj, "fatigue", at, 0, RULES_COUNT_MAX, &fatigue, e)) != 0)
		return (r);
	if ((r = js_opt_bool(obj, "disordered", at, &u->is_disordered, e)) != 0)
		return (r);
	if ((r = js_opt_int(obj, "morale", at, 0, IMAGINATIONS_MORALE_MAX,
		 &morale, e)) != 0)
		return (r);
	u->arm = (enum imaginations_arm)arm;
	u->commander = (int)commander;
	u->fatigue = (int)fatigue;
	u->morale = (int)morale;
	return (0);
}

/* Reads one unit of the facts and its battalions behind the others. */
static int
imaginations_facts_unit(struct imaginations_facts *f, enum combat_side side,
    const json_t *obj, const struct js_at *at, struct errinfo *e)
{
	struct imaginations_unit *u = &f->units[f->n_units];
	int64_t room = IMAGINATIONS_ROOM_MAX;
	size_t i;
	int r;

	if ((r = js_members(obj, at, imaginations_facts_members, e)) != 0)
		return (r);
	if ((r = imaginations_facts_owned(u, obj, at, e)) != 0)
		return (r);
	if ((r = imaginations_facts_battalions(u, f->n_units, f->battalions,
		 f->n_battalions,
		 f->sides[side].first_battalion +
		     IMAGINATIONS_SIDE_BATTALIONS_MAX,
		 obj, at, e)) != 0)
		return (r);
	if ((r = imaginations_facts_lead(u, f->battalions, obj, at, e)) != 0)
		return (r);
	if ((r = js_opt_int(obj, "retreat_room", at, 0, IMAGINATIONS_ROOM_MAX,
		 &room, e)) != 0)
		return (r);
	for (i = 0; i < f->n_units; i++) {
		if (strcmp(f->units[i].name.id, u->name.id) == 0)
			return (js_fail_member(
			    at, "id", e, "\"%s\" is used twice", u->name.id));
	}
	u->side = side;
	u->room = (int)room;
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
		r = imaginations_facts_unit(
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
	static const char *const known[] = {"reason", "value", "kind", NULL};
	const char *reason;
	int64_t value;
	int kind, r;

	if ((r = js_members(obj, at, known, e)) != 0)
		return (r);
	if ((r = js_get_str(obj, "reason", at, &reason, e)) != 0)
		return (r);
	if (reason[0] == '\0' || !rules_is_name(reason))
		return (js_fail_member(at, "reason", e,
		    "must have 1 to %d bytes and no control characters",
		    RULES_NAME_MAX));
	if ((r = js_get_int(obj, "value", at, -RULES_COUNT_MAX, RULES_COUNT_MAX,
		 &value, e)) != 0)
		return (r);
	if ((r = js_get_enum(
		 obj, "kind", at, imaginations_facts_kinds, &kind, e)) != 0)
		return (r);
	memcpy(m->reason, reason, strlen(reason) + 1);
	(void)snprintf(
	    m->key, sizeof(m->key), "%s (modifier %zu)", reason, nth);
	m->value = (int)value;
	m->kind = (enum imaginations_kind)kind;
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
	const char *const known[] = {"units", "modifiers", "objective",
	    side == COMBAT_DEFENDER ? "can_evade" : NULL, NULL};
	const struct js_at at = {
	    .up = up,
	    .name = side == COMBAT_ATTACKER ? "attacker" : "defender",
	};
	struct imaginations_side *s = &f->sides[side];
	const json_t *obj;
	int r;

	if ((r = js_get_object(combat, at.name, up, &obj, e)) != 0)
		return (r);
	if ((r = js_members(obj, &at, known, e)) != 0)
		return (r);
	if ((r = imaginations_facts_units(f, side, obj, &at, e)) != 0)
		return (r);
	if ((r = imaginations_facts_modifiers(s, obj, &at, e)) != 0)
		return (r);
	if ((r = js_opt_bool(obj, "objective", &at, &s->has_objective, e)) != 0)
		return (r);
	return (js_opt_bool(obj, "can_evade", &at, &s->can_evade, e));
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
	return (0);
}

/* Returns battalions from list[first] to list[end - 1] as a new array. */
static json_t *
imaginations_facts_battalions_json(
    const struct imaginations_battalion *list, size_t first, size_t end)
{
	json_t *made;
	size_t i;

	if ((made = json_array()) == NULL)
		return (NULL);
	for (i = first; i < end; i++) {
		if (json_array_append_new(made,
			json_pack("{s:s, s:s, s:i, s:i}", "id", list[i].id,
			    "quality",
			    imaginations_facts_qualities[list[i].quality], "sp",
			    list[i].sp, "hits", list[i].hits)) != 0) {
			json_decref(made);
			return (NULL);
		}
	}
	return (made);
}

/* Returns what a roster owns of a unit as a new object, or NULL. */
static json_t *
imaginations_facts_unit_json(const struct imaginations_unit *u,
    const struct imaginations_battalion *list)
{
	json_t *o;
	int bad;

	if ((o = facts_name_json(&u->name)) == NULL)
		return (NULL);
	bad = json_object_set_new(
	    o, "arm", json_string(imaginations_bag_arms[u->arm]));
	bad |= json_object_set_new(o, "lead", json_string(list[u->lead].id));
	bad |= json_object_set_new(o, "battalions",
	    imaginations_facts_battalions_json(list, u->first, u->end));
	bad |= json_object_set_new(o, "commander", json_integer(u->commander));
	bad |= json_object_set_new(o, "fatigue", json_integer(u->fatigue));
	bad |= json_object_set_new(
	    o, "disordered", json_boolean(u->is_disordered));
	bad |= json_object_set_new(o, "morale", json_integer(u->morale));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Returns the units of a side as a new array, or NULL. */
static json_t *
imaginations_facts_units_json(
    const struct imaginations_facts *f, const struct imaginations_side *s)
{
	json_t *list, *o;
	size_t u;
	int bad = 0;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (u = s->first; u < s->end; u++) {
		o = imaginations_facts_unit_json(&f->units[u], f->battalions);
		bad |= json_array_append_new(list, o);
		if (bad == 0)
			bad = json_object_set_new(
			    o, "retreat_room", json_integer(f->units[u].room));
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Returns a side as a new object, or NULL. */
static json_t *
imaginations_facts_side_json(
    const struct imaginations_facts *f, enum combat_side side)
{
	const struct imaginations_side *s = &f->sides[side];
	const struct imaginations_modifier *m;
	json_t *list, *o;
	size_t i;
	int bad;

	o = json_object();
	list = json_array();
	bad = json_object_set_new(
	    o, "units", imaginations_facts_units_json(f, s));
	for (i = 0; i < s->n_modifiers; i++) {
		m = &s->modifiers[i];
		bad |= json_array_append_new(list,
		    json_pack("{s:s, s:i, s:s}", "reason", m->reason, "value",
			m->value, "kind", imaginations_facts_kinds[m->kind]));
	}
	bad |= json_object_set_new(o, "modifiers", list);
	bad |=
	    json_object_set_new(o, "objective", json_boolean(s->has_objective));
	if (side == COMBAT_DEFENDER)
		bad |= json_object_set_new(
		    o, "can_evade", json_boolean(s->can_evade));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
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
    int64_t *lead_free, const json_t *unit, const struct js_at *at,
    struct errinfo *e)
{
	const char *const known[] = {"id", "name", "arm", "lead", "battalions",
	    "commander", "fatigue", "disordered", "morale",
	    how != RULES_ROSTER_GIVEN ? "lead_free" : NULL, NULL};
	int left = 0, r;
	size_t i;

	if ((r = js_members(unit, at, known, e)) != 0)
		return (r);
	if ((r = imaginations_facts_owned(u, unit, at, e)) != 0)
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
	return (js_opt_int(
	    unit, "lead_free", at, 0, IMAGINATIONS_LEAD_FREE, lead_free, e));
}

int
imaginations_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	struct imaginations_unit u = {.arm = IMAGINATIONS_INFANTRY};
	struct imaginations_battalion *list;
	int64_t lead_free = 0;
	json_t *made = NULL;
	int r;

	list = calloc(IMAGINATIONS_SIDE_BATTALIONS_MAX, sizeof(*list));
	if (list == NULL)
		return (ERR_NOMEM);
	r = imaginations_facts_roster_read(
	    &u, list, how, &lead_free, unit, at, e);
	if (r != 0)
		goto out;
	made = imaginations_facts_unit_json(&u, list);
	if (made == NULL ||
	    json_object_set_new(made, "lead_free", json_integer(lead_free)) !=
		0) {
		json_decref(made);
		r = ERR_NOMEM;
		goto out;
	}
	*out = made;
out:
	free(list);
	return (r);
}
