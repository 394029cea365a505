/* SPDX-License-Identifier: ISC */
/*
 * The rosters of both sides.  Each unit is kept as the object that its
 * system writes, with "out" behind where it is out of play; an index by id
 * leads to it.  What the members of a unit mean only the system knows.
 */
#include "common/rules/roster.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/js.h"
#include "common/rules/rules.h"

#define ROSTER_OUT "out"

static const char *const roster_sides[] = {"1", "2"};

struct roster {
	const struct rules_system *sys;
	json_t *sides; /* owned: what roster_json() gives a copy of */
	json_t *index[2]; /* owned: id -> the unit's object in sides */
};

void
roster_free(struct roster *r)
{
	if (r == NULL)
		return;
	json_decref(r->sides);
	json_decref(r->index[0]);
	json_decref(r->index[1]);
	free(r);
}

/* Makes a roster without sides. */
static struct roster *
roster_new(const struct rules_system *sys)
{
	struct roster *r;

	if ((r = calloc(1, sizeof(*r))) == NULL)
		return (NULL);
	r->sys = sys;
	r->sides = json_object();
	r->index[0] = json_object();
	r->index[1] = json_object();
	if (r->sides == NULL || r->index[0] == NULL || r->index[1] == NULL) {
		roster_free(r);
		return (NULL);
	}
	return (r);
}

/*
 * Returns the unit's object without its mark as a new one, or NULL.
 * json_copy() does not tell when memory ran out.
 */
static json_t *
roster_plain(const json_t *unit)
{
	json_t *o;

	if ((o = json_object()) == NULL)
		return (NULL);
	if (json_object_update(o, (json_t *)(uintptr_t)unit) != 0) {
		json_decref(o);
		return (NULL);
	}
	(void)json_object_del(o, ROSTER_OUT); /* may be missing */
	return (o);
}

/*
 * Makes of a saved unit what its system makes of it, and keeps the mark that
 * it is out of play.
 */
static int
roster_read_saved(const struct rules_system *sys, const json_t *unit,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	const char *why = NULL;
	json_t *plain, *made = NULL;
	int r;

	if ((r = js_opt_str(unit, ROSTER_OUT, at, &why, e)) != 0)
		return (r);
	if ((plain = roster_plain(unit)) == NULL)
		return (ERR_NOMEM);
	r = sys->roster_unit(plain, why != NULL, at, &made, e);
	json_decref(plain);
	if (r != 0)
		return (r);
	if (why != NULL &&
	    json_object_set_new(made, ROSTER_OUT, json_string(why)) != 0) {
		json_decref(made);
		return (ERR_NOMEM);
	}
	*out = made;
	return (0);
}

/* Reads one unit and adds it to units and the index. */
static int
roster_read_unit(struct roster *r, size_t side, const json_t *unit,
    bool is_saved, const struct js_at *at, json_t *units, struct errinfo *e)
{
	json_t *made = NULL;
	const char *id;
	int err;

	if (is_saved)
		err = roster_read_saved(r->sys, unit, at, &made, e);
	else
		err = r->sys->roster_unit(unit, false, at, &made, e);
	if (err != 0)
		return (err);
	id = json_string_value(json_object_get(made, "id"));
	if (roster_find(r, id, NULL) != NULL) {
		err = js_fail_member(at, "id", e, "\"%s\" is used twice", id);
		json_decref(made);
		return (err);
	}
	/* The index and the list hold a reference each. */
	if (json_object_set(r->index[side], id, made) != 0)
		err = ERR_NOMEM;
	if (json_array_append_new(units, made) != 0)
		err = ERR_NOMEM;
	return (err);
}

/* Reads the units of one side into the array units. */
static int
roster_read_units(struct roster *r, size_t side, const json_t *list,
    bool is_saved, const struct js_at *up, json_t *units, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "units"};
	struct js_at at_i = {.up = &at};
	int err;

	if (json_array_size(list) == 0 ||
	    json_array_size(list) > ROSTER_UNITS_MAX)
		return (js_fail(
		    &at, e, "must have 1 to %d units", ROSTER_UNITS_MAX));
	for (; at_i.index < json_array_size(list); at_i.index++) {
		err =
		    roster_read_unit(r, side, json_array_get(list, at_i.index),
			is_saved, &at_i, units, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Reads one side: its name and its units. */
static int
roster_read_side(struct roster *r, size_t side, const json_t *sides,
    bool is_saved, const struct js_at *up, struct errinfo *e)
{
	static const char *const known[] = {"name", "units", NULL};
	const struct js_at at = {.up = up, .name = roster_sides[side]};
	const json_t *from, *list;
	const char *name = NULL;
	json_t *o, *units;
	int bad = 0, err;

	if ((err = js_get_object(sides, at.name, up, &from, e)) != 0)
		return (err);
	if ((err = js_members(from, &at, known, e)) != 0)
		return (err);
	if ((err = js_opt_str(from, "name", &at, &name, e)) != 0)
		return (err);
	if (name != NULL && !rules_is_name(name))
		return (js_fail_member(&at, "name", e,
		    "must have at most %d bytes and no control characters",
		    RULES_NAME_MAX));
	if ((err = js_get_array(from, "units", &at, &list, e)) != 0)
		return (err);
	if ((o = json_object()) == NULL ||
	    json_object_set_new(r->sides, at.name, o) != 0)
		return (ERR_NOMEM);
	if (name != NULL)
		bad |= json_object_set_new(o, "name", json_string(name));
	units = json_array();
	bad |= json_object_set_new(o, "units", units);
	if (bad != 0)
		return (ERR_NOMEM);
	return (roster_read_units(r, side, list, is_saved, &at, units, e));
}

/* Reads both sides into a new roster. */
static int
roster_read(const struct rules_system *sys, const json_t *sides, bool is_saved,
    struct roster **out, struct errinfo *e)
{
	static const char *const known[] = {"1", "2", NULL};
	const struct js_at at = {.name = "sides"};
	struct roster *r;
	size_t side;
	int err;

	if ((err = js_members(sides, &at, known, e)) != 0)
		return (err);
	if ((r = roster_new(sys)) == NULL)
		return (ERR_NOMEM);
	for (side = 0; side < 2; side++) {
		err = roster_read_side(r, side, sides, is_saved, &at, e);
		if (err != 0) {
			roster_free(r);
			return (err);
		}
	}
	*out = r;
	return (0);
}

int
roster_parse(const struct rules_system *sys, const json_t *blob,
    struct roster **out, struct errinfo *e)
{
	static const char *const known[] = {"blob", "system", "sides", NULL};
	const char *text;
	const json_t *sides;
	int err;

	if ((err = js_members(blob, NULL, known, e)) != 0)
		return (err);
	if ((err = js_get_str(blob, "blob", NULL, &text, e)) != 0)
		return (err);
	if (strcmp(text, "roster") != 0)
		return (js_fail_member(NULL, "blob", e, "must be \"roster\""));
	if ((err = js_get_str(blob, "system", NULL, &text, e)) != 0)
		return (err);
	if (strcmp(text, sys->id) != 0)
		return (js_fail_member(
		    NULL, "system", e, "must be \"%s\"", sys->id));
	if ((err = js_get_object(blob, "sides", NULL, &sides, e)) != 0)
		return (err);
	return (roster_read(sys, sides, false, out, e));
}

json_t *
roster_json(const struct roster *r)
{
	return (json_deep_copy(r->sides));
}

int
roster_restore(const struct rules_system *sys, const json_t *saved,
    struct roster **out, struct errinfo *e)
{
	return (roster_read(sys, saved, true, out, e));
}

/* Finds a unit to change it. */
static json_t *
roster_unit(const struct roster *r, const char *id, int *side)
{
	json_t *unit;
	int i;

	for (i = 0; i < 2; i++) {
		if ((unit = json_object_get(r->index[i], id)) == NULL)
			continue;
		if (side != NULL)
			*side = i + 1;
		return (unit);
	}
	return (NULL);
}

const json_t *
roster_find(const struct roster *r, const char *id, int *side)
{
	return (roster_unit(r, id, side));
}

int
roster_merge(const struct roster *r, int side, const json_t *combat,
    json_t **facts, struct errinfo *e)
{
	const struct js_at at = {.name = "combat"};
	json_t *copy;
	int err;

	assert(side == 1 || side == 2);
	if (!json_is_object(combat))
		return (js_fail(&at, e, "must be an object"));
	if ((copy = json_deep_copy(combat)) == NULL)
		return (ERR_NOMEM);
	if ((err = r->sys->merge(r, side, copy, e)) != 0) {
		json_decref(copy);
		return (err);
	}
	*facts = copy;
	return (0);
}

/* Says that a member is stated differently from the roster. */
static int
roster_fail_differs(const json_t *has, const char *name, const struct js_at *at,
    struct errinfo *e)
{
	const json_t *v = json_object_get(has, name);

	if (json_is_string(v))
		return (js_fail_member(at, name, e,
		    "differs from the roster, which says \"%s\"",
		    json_string_value(v)));
	if (json_is_integer(v))
		return (js_fail_member(at, name, e,
		    "differs from the roster, which says %" JSON_INTEGER_FORMAT,
		    json_integer_value(v)));
	return (js_fail_member(at, name, e, "differs from the roster"));
}

/*
 * Sees that one member that a declared unit states is what the roster says:
 * what the system makes of the roster's unit with this member put in must be
 * the same, since a list may be a set.
 */
static int
roster_compare_member(const struct roster *r, const json_t *has,
    const char *name, json_t *v, const struct js_at *at, struct errinfo *e)
{
	const json_t *own = json_object_get(has, name);
	json_t *plain, *made = NULL;
	int err = 0;

	if (json_equal(v, own))
		return (0);
	if (own != NULL && json_typeof(own) == json_typeof(v) &&
	    !json_is_array(v) && !json_is_object(v))
		return (roster_fail_differs(has, name, at, e));
	if ((plain = roster_plain(has)) == NULL)
		return (ERR_NOMEM);
	if (json_object_set(plain, name, v) != 0)
		err = ERR_NOMEM;
	if (err == 0)
		err = r->sys->roster_unit(plain, false, at, &made, e);
	json_decref(plain);
	if (err != 0)
		return (err);
	if (!json_equal(json_object_get(made, name), own))
		err = roster_fail_differs(has, name, at, e);
	json_decref(made);
	return (err);
}

/* Sees that what a declared unit states is what the roster says. */
static int
roster_compare(const struct roster *r, const json_t *has, const json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	const char *name;
	json_t *v;
	size_t i;
	int err;

	for (i = 0; i < r->sys->n_fields; i++) {
		name = r->sys->fields[i].name;
		if ((v = json_object_get(unit, name)) == NULL)
			continue;
		err = roster_compare_member(r, has, name, v, at, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Puts the members of both into unit, in the system's order. */
static int
roster_order(const struct roster *r, const json_t *has, json_t *unit)
{
	const char *const *names = r->sys->unit_members;
	const char *name;
	json_t *made, *v;
	int bad = 0;

	if ((made = json_object()) == NULL)
		return (ERR_NOMEM);
	for (; *names != NULL; names++) {
		if ((v = json_object_get(has, *names)) == NULL)
			v = json_object_get(unit, *names);
		if (v != NULL)
			bad |= json_object_set(made, *names, v);
	}
	/* What the system does not know stays, for it to refuse. */
	json_object_foreach(unit, name, v)
	{
		if (json_object_get(made, name) == NULL)
			bad |= json_object_set(made, name, v);
	}
	bad |= json_object_clear(unit);
	bad |= json_object_update(unit, made);
	json_decref(made);
	return (bad != 0 ? ERR_NOMEM : 0);
}

int
roster_fill(const struct roster *r, int side, json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	const json_t *has;
	const char *id, *out;
	int of = 0, err;

	if ((err = js_get_str(unit, "id", at, &id, e)) != 0)
		return (err);
	if ((has = roster_find(r, id, &of)) == NULL || of != side)
		return (js_fail_member(at, "id", e,
		    "\"%s\" is not in the roster of side %d", id, side));
	out = json_string_value(json_object_get(has, ROSTER_OUT));
	if (out != NULL)
		return (js_fail_member(
		    at, "id", e, "\"%s\" is out of play: %s", id, out));
	if ((err = roster_compare(r, has, unit, at, e)) != 0)
		return (err);
	return (roster_order(r, has, unit));
}

int
roster_set(struct roster *r, const char *id, const char *name, json_t *value)
{
	json_t *unit;

	if ((unit = roster_unit(r, id, NULL)) == NULL) {
		json_decref(value);
		return (ERR_NOTFOUND);
	}
	if (json_object_set_new(unit, name, value) != 0)
		return (ERR_NOMEM);
	return (0);
}

int
roster_set_out(struct roster *r, const char *id, const char *why)
{
	return (roster_set(r, id, ROSTER_OUT, json_string(why)));
}

int
roster_apply(struct roster *r, const json_t *facts, const json_t *result)
{
	return (r->sys->apply(r, facts, result));
}

int
roster_upkeep(struct roster *r, json_t *events)
{
	return (r->sys->upkeep(r, events));
}
