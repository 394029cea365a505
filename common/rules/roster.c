/* SPDX-License-Identifier: ISC */
/*
 * The rosters of both sides.  Each unit is kept as the object that its system
 * writes, with "out" behind where it is out of play; an index by id leads to
 * it.  Only the system knows what the members of a unit mean.
 */
#include "common/rules/roster.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/facts.h"
#include "common/rules/roster_int.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

#define ROSTER_MENDS_MAX 1000 /* faults of one unit that are put right */

const char *const roster_sides[2] = {"1", "2"};

void
roster_free(struct roster *r)
{
	if (r == NULL)
		return;
	json_decref(r->sides);
	json_decref(r->index[0]);
	json_decref(r->index[1]);
	json_decref(r->commanders);
	json_decref(r->journal);
	free(r);
}

/*
 * What a fault means to who reads: its end, or, where all of them are wanted,
 * that it is told.
 */
static int
roster_bad(const struct roster *r, int err, const struct errinfo *e)
{
	if (err != ERR_INVALID || r->faults == NULL)
		return (err);
	schema_tell(r->faults, e, false);
	return (0);
}

/* Sees that an object has no members but those that are known. */
static int
roster_members(const struct roster *r, const json_t *v, const struct js_at *at,
    const char *const known[], struct errinfo *e)
{
	if (r->faults != NULL && json_is_object(v))
		return (schema_check_members(v, at, known, r->faults));
	return (js_members(v, at, known, e));
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
	r->commanders = json_object();
	if (r->sides == NULL || r->index[0] == NULL || r->index[1] == NULL ||
	    r->commanders == NULL) {
		roster_free(r);
		return (NULL);
	}
	return (r);
}

json_t *
roster_copy(const json_t *unit)
{
	json_t *o = json_object();

	/* json_copy() does not say when memory runs out. */
	return (js_made(o, json_object_update(o, (json_t *)(uintptr_t)unit)));
}

json_t *
roster_plain(const json_t *unit)
{
	json_t *o;

	if ((o = roster_copy(unit)) == NULL)
		return (NULL);
	/* Either may be missing. */
	(void)json_object_del(o, ROSTER_OUT);
	(void)json_object_del(o, ROSTER_GONE);
	return (o);
}

/* What stands in one list of a roster. */
struct roster_list {
	const char *name; /* member of a side */
	size_t side; /* 0 or 1 */
	bool is_saved;
	roster_reader read; /* of one element */
};

int
roster_read_kept(roster_reader read, const json_t *plain, const char *why,
    bool is_gone, const struct js_at *at, json_t **out, struct errinfo *e)
{
	json_t *made = NULL;
	int bad = 0, r;

	r = read(plain, why != NULL ? RULES_ROSTER_OUT : RULES_ROSTER_KEPT, at,
	    &made, e);
	if (r != 0)
		return (r);
	if (why != NULL)
		bad |= json_object_set_new(made, ROSTER_OUT, json_string(why));
	if (is_gone)
		bad |= json_object_set_new(made, ROSTER_GONE, json_true());
	if (bad != 0) {
		json_decref(made);
		return (ERR_NOMEM);
	}
	*out = made;
	return (0);
}

/* Reads a saved unit with its marks. */
static int
roster_read_saved(const struct roster_list *list, const json_t *unit,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	const char *why = NULL;
	bool is_gone = false;
	json_t *plain;
	int r;

	if ((r = js_opt_str(unit, ROSTER_OUT, at, &why, e)) != 0 ||
	    (r = js_opt_bool(unit, ROSTER_GONE, at, &is_gone, e)) != 0)
		return (r);
	if (is_gone && why == NULL)
		return (js_fail_member(
		    at, ROSTER_GONE, e, "is for what is out of play"));
	if ((plain = roster_plain(unit)) == NULL)
		return (ERR_NOMEM);
	r = roster_read_kept(list->read, plain, why, is_gone, at, out, e);
	json_decref(plain);
	return (r);
}

/*
 * Puts right, in a copy, what the system has refused at `where`, which is
 * within the unit, so that it reads on: false if that is not known how.  What
 * need not be there goes, and an id gets another that nobody has.
 */
static bool
roster_mend(
    const struct schema_row *rows, const char *where, size_t nth, json_t *copy)
{
	char name[sizeof(((struct errinfo *)0)->where)], id[FACTS_ID_MAX];
	const struct schema_row *row;
	json_t *list;
	size_t n;

	for (;; where += n) {
		where += *where == '.' ? 1 : 0;
		n = strcspn(where, ".[");
		(void)snprintf(name, sizeof(name), "%.*s", (int)n, where);
		if ((row = schema_find(rows, name)) == NULL)
			return (false);
		if (where[n] != '[' || row->rows == NULL)
			break;
		rows = row->rows;
		list = json_object_get(copy, name);
		copy = json_array_get(list, strtoul(where + n + 1, NULL, 10));
		n += strcspn(where + n, "]") + 1;
	}
	if (where[n] != '\0' || json_object_get(copy, name) == NULL)
		return (false);
	if (row->type == SCHEMA_ID) {
		/* Nobody has called a unit so. */
		(void)snprintf(id, sizeof(id), "0.mended.%zu", nth);
		return (json_object_set_new(copy, name, json_string(id)) == 0);
	}
	return (!row->is_required && json_object_del(copy, name) == 0);
}

/*
 * Tells of what is wrong with a unit whose members are right by themselves.
 */
static int
roster_check_whole(const struct roster *r, const struct roster_list *list,
    const struct schema_row *rows, const json_t *unit, const struct js_at *at)
{
	char mended[sizeof(((struct errinfo *)0)->where)] = "";
	struct errinfo e, full;
	json_t *copy, *made = NULL;
	size_t nth = 0;
	int err;

	if ((copy = json_deep_copy(unit)) == NULL)
		return (ERR_NOMEM);
	for (;;) {
		memset(&e, 0, sizeof(e));
		err = list->read(copy, RULES_ROSTER_GIVEN, NULL, &made, &e);
		/* What follows from a fault that was told is none. */
		if (err != ERR_INVALID ||
		    (nth > 0 && strncmp(e.where, mended, strlen(e.where)) == 0))
			break;
		(void)memcpy(mended, e.where, sizeof(mended));
		full = e;
		js_within(at, &full);
		schema_tell(r->faults, &full, false);
		if (nth == ROSTER_MENDS_MAX ||
		    !roster_mend(rows, e.where, nth++, copy))
			break;
	}
	json_decref(made);
	json_decref(copy);
	return (err == ERR_INVALID ? 0 : err);
}

/*
 * Tells of all that is wrong with a unit.  *out, NULL before, is something
 * that has its id, which others may have, however wrong the unit is; it stays
 * NULL where there is none.
 */
static int
roster_check_unit(const struct roster *r, const struct roster_list *list,
    const json_t *unit, const struct js_at *at, json_t **out)
{
	const bool is_commander = list->read == r->sys->roster_commander;
	const struct schema_row *rows =
	    is_commander ? r->sys->commander : r->sys->unit;
	const size_t had = r->faults->n;
	const char *id = js_str(unit, "id");
	int err;

	err = schema_check(rows, SCHEMA_GIVEN, unit, at, r->faults);
	if (err == 0 && r->faults->n == had)
		err = roster_check_whole(r, list, rows, unit, at);
	if (err != 0 || id == NULL || !js_is_id(id))
		return (err);
	*out = json_pack("{s:s}", "id", id);
	return (*out == NULL ? ERR_NOMEM : 0);
}

int
roster_index(struct roster *r, size_t side, bool is_commander, json_t *list,
    json_t *made)
{
	const char *id = json_string_value(json_object_get(made, "id"));
	int bad = 0;

	/* The index and the list hold a reference each. */
	bad |= json_object_set(r->index[side], id, made);
	if (is_commander)
		bad |= json_object_set_new(r->commanders, id, json_true());
	bad |= json_array_append_new(list, made);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Reads one unit or commander and adds it to units and the index. */
static int
roster_read_unit(struct roster *r, const struct roster_list *list,
    const json_t *unit, const struct js_at *at, json_t *units,
    struct errinfo *e)
{
	json_t *made = NULL;
	const char *id;
	int err;

	if (r->faults != NULL)
		err = roster_check_unit(r, list, unit, at, &made);
	else if (list->is_saved)
		err = roster_read_saved(list, unit, at, &made, e);
	else
		err = list->read(unit, RULES_ROSTER_GIVEN, at, &made, e);
	if (err != 0 || made == NULL)
		return (err);
	id = json_string_value(json_object_get(made, "id"));
	if (roster_find(r, id, NULL) != NULL) {
		err = js_fail_member(at, "id", e, "\"%s\" is used twice", id);
		json_decref(made);
		return (roster_bad(r, err, e));
	}
	return (roster_index(r, list->side,
	    list->read == r->sys->roster_commander, units, made));
}

/* Reads one list of one side into the object o. */
static int
roster_read_list(struct roster *r, const struct roster_list *list,
    const json_t *from, const struct js_at *up, json_t *o, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = list->name};
	struct js_at at_i = {.up = &at};
	const json_t *given;
	json_t *units;
	size_t n;
	int err;

	if ((err = js_get_array(from, list->name, up, &given, e)) != 0)
		return (roster_bad(r, err, e));
	n = json_array_size(given);
	if (n == 0 || n > ROSTER_UNITS_MAX) {
		err = js_fail(&at, e, "must have 1 to %d %s", ROSTER_UNITS_MAX,
		    list->name);
		if ((err = roster_bad(r, err, e)) != 0)
			return (err);
	}
	units = json_array();
	if (json_object_set_new(o, list->name, units) != 0)
		return (ERR_NOMEM);
	for (; at_i.index < n; at_i.index++) {
		err = roster_read_unit(r, list,
		    json_array_get(given, at_i.index), &at_i, units, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Reads one side: its name, its units and its commanders. */
static int
roster_read_side(struct roster *r, size_t side, const json_t *sides,
    bool is_saved, const struct js_at *up, struct errinfo *e)
{
	const char *const known[] = {"name", "units",
	    r->sys->roster_commander != NULL ? "commanders" : NULL, NULL};
	const struct js_at at = {.up = up, .name = roster_sides[side]};
	struct roster_list list = {
	    "units", side, is_saved, r->sys->roster_unit};
	const char *name = NULL;
	const json_t *from;
	json_t *o;
	int err;

	if ((err = js_get_object(sides, at.name, up, &from, e)) != 0)
		return (roster_bad(r, err, e));
	if ((err = roster_members(r, from, &at, known, e)) != 0)
		return (err);
	err = facts_opt_text(from, "name", &at, &name, e);
	if ((err = roster_bad(r, err, e)) != 0)
		return (err);
	if ((o = json_object()) == NULL ||
	    json_object_set_new(r->sides, at.name, o) != 0)
		return (ERR_NOMEM);
	if (name != NULL &&
	    json_object_set_new(o, "name", json_string(name)) != 0)
		return (ERR_NOMEM);
	if ((err = roster_read_list(r, &list, from, &at, o, e)) != 0)
		return (err);
	if (json_object_get(from, "commanders") == NULL ||
	    r->sys->roster_commander == NULL)
		return (0); /* that they are not known was said */
	list.name = "commanders";
	list.read = r->sys->roster_commander;
	return (roster_read_list(r, &list, from, &at, o, e));
}

/* Reads both sides. */
static int
roster_read(
    struct roster *r, const json_t *sides, bool is_saved, struct errinfo *e)
{
	static const char *const known[] = {"1", "2", NULL};
	const struct js_at at = {.name = "sides"};
	size_t side;
	int err;

	err = roster_members(r, sides, &at, known, e);
	for (side = 0; err == 0 && side < 2; side++)
		err = roster_read_side(r, side, sides, is_saved, &at, e);
	return (err);
}

/* Sees that a member of a blob is this text. */
static int
roster_read_word(const struct roster *r, const json_t *blob, const char *name,
    const char *word, struct errinfo *e)
{
	const char *text = "";
	int err;

	if ((err = js_get_str(blob, name, NULL, &text, e)) == 0 &&
	    strcmp(text, word) != 0)
		err = js_fail_member(NULL, name, e, "must be \"%s\"", word);
	return (roster_bad(r, err, e));
}

/* Reads a blob. */
static int
roster_read_blob(struct roster *r, const json_t *blob, struct errinfo *e)
{
	static const char *const known[] = {"blob", "system", "sides", NULL};
	const json_t *sides;
	int err;

	if ((err = roster_members(r, blob, NULL, known, e)) != 0)
		return (roster_bad(r, err, e));
	if ((err = roster_read_word(r, blob, "blob", "roster", e)) != 0 ||
	    (err = roster_read_word(r, blob, "system", r->sys->id, e)) != 0)
		return (err);
	if ((err = js_get_object(blob, "sides", NULL, &sides, e)) != 0)
		return (roster_bad(r, err, e));
	return (roster_read(r, sides, false, e));
}

int
roster_parse(const struct rules_system *sys, const json_t *blob,
    struct roster **out, struct errinfo *e)
{
	struct roster *r;
	int err;

	if ((r = roster_new(sys)) == NULL)
		return (ERR_NOMEM);
	if ((err = roster_read_blob(r, blob, e)) == 0)
		*out = r;
	else
		roster_free(r);
	return (err);
}

int
roster_check(
    const struct rules_system *sys, const json_t *blob, struct schema_faults *f)
{
	struct errinfo e = {.text = ""};
	struct roster *r;
	int err;

	if ((r = roster_new(sys)) == NULL)
		return (ERR_NOMEM);
	r->faults = f;
	err = roster_read_blob(r, blob, &e);
	roster_free(r);
	return (err);
}

json_t *
roster_json(const struct roster *r)
{
	return (json_deep_copy(r->sides));
}

const json_t *
roster_value(const struct roster *r)
{
	return (r->sides);
}

int
roster_restore(const struct rules_system *sys, const json_t *saved,
    struct roster **out, struct errinfo *e)
{
	struct roster *r;
	int err;

	if ((r = roster_new(sys)) == NULL)
		return (ERR_NOMEM);
	if ((err = roster_read(r, saved, true, e)) == 0)
		*out = r;
	else
		roster_free(r);
	return (err);
}

json_t *
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
	if ((err = r->sys->game->merge(r, side, copy, e)) != 0) {
		json_decref(copy);
		return (err);
	}
	*facts = copy;
	return (0);
}

bool
roster_is_commander(const struct roster *r, const json_t *has)
{
	const char *id = json_string_value(json_object_get(has, "id"));

	return (json_object_get(r->commanders, id) != NULL);
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
	roster_reader read;
	json_t *plain, *made = NULL;
	int err = 0;

	read = roster_is_commander(r, has) ? r->sys->roster_commander
					   : r->sys->roster_unit;
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
		err = read(plain, RULES_ROSTER_KEPT, at, &made, e);
	json_decref(plain);
	if (err != 0)
		return (err);
	if (!json_equal(json_object_get(made, name), own))
		err = roster_fail_differs(has, name, at, e);
	json_decref(made);
	return (err);
}

/*
 * Sees that what a declared unit states is what the roster says, of all that
 * the roster owns or keeps.
 */
static int
roster_compare(const struct roster *r, const json_t *has, const json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	json_t *o = (json_t *)(uintptr_t)unit, *v; /* only read */
	const struct schema_row *row;
	const char *name;
	int err;

	json_object_foreach(o, name, v)
	{
		row = schema_find(r->sys->unit, name);
		if (json_object_get(has, name) == NULL &&
		    (row == NULL || (row->in & SCHEMA_GIVEN) == 0))
			continue;
		err = roster_compare_member(r, has, name, v, at, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

/* Puts the members of both into unit, in the system's order. */
static int
roster_order(const struct schema_row *rows, const json_t *has, json_t *unit)
{
	const char *name;
	json_t *made, *v;
	int bad = 0;

	if ((made = json_object()) == NULL)
		return (ERR_NOMEM);
	for (; rows->name != NULL; rows++) {
		if ((v = json_object_get(has, rows->name)) == NULL)
			v = json_object_get(unit, rows->name);
		if (v != NULL && (rows->in & SCHEMA_FACTS) != 0)
			bad |= json_object_set(made, rows->name, v);
	}
	/* Members that the system does not know stay, for it to refuse. */
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
roster_pick(const struct roster *r, int side, bool is_commander,
    const json_t *obj, const char *name, const struct js_at *at,
    const json_t **has, struct errinfo *e)
{
	const char *id, *out;
	int of = 0, err;

	if ((err = js_get_str(obj, name, at, &id, e)) != 0)
		return (err);
	if ((*has = roster_find(r, id, &of)) == NULL || of != side)
		return (js_fail_member(at, name, e,
		    "\"%s\" is not in the roster of side %d", id, side));
	if (roster_is_commander(r, *has) != is_commander)
		return (js_fail_member(at, name, e,
		    is_commander ? "\"%s\" is not a commander"
				 : "\"%s\" is a commander, not a unit",
		    id));
	if ((out = roster_out(*has)) != NULL)
		return (js_fail_member(
		    at, name, e, "\"%s\" is out of play: %s", id, out));
	return (0);
}

/* Fills in a unit or a commander. */
static int
roster_fill_any(const struct roster *r, int side, bool is_commander,
    json_t *unit, const struct js_at *at, struct errinfo *e)
{
	const json_t *has;
	int err;

	if ((err = roster_pick(
		 r, side, is_commander, unit, "id", at, &has, e)) != 0)
		return (err);
	if ((err = roster_compare(r, has, unit, at, e)) != 0)
		return (err);
	return (roster_order(
	    is_commander ? r->sys->commander : r->sys->unit, has, unit));
}

int
roster_fill(const struct roster *r, int side, json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	return (roster_fill_any(r, side, false, unit, at, e));
}

int
roster_fill_commander(const struct roster *r, int side, json_t *commander,
    const struct js_at *at, struct errinfo *e)
{
	return (roster_fill_any(r, side, true, commander, at, e));
}

/* Fills in all objects of a list. */
static int
roster_fill_list(const struct roster *r, int side, bool is_commander,
    json_t *obj, const char *name, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = name};
	struct js_at at_i = {.up = &at};
	const json_t *list;
	int err;

	if ((err = js_get_array(obj, name, up, &list, e)) != 0)
		return (err);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		err = roster_fill_any(r, side, is_commander,
		    json_array_get(list, at_i.index), &at_i, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

int
roster_fill_units(const struct roster *r, int side, json_t *obj,
    const char *name, const struct js_at *at, struct errinfo *e)
{
	return (roster_fill_list(r, side, false, obj, name, at, e));
}

int
roster_fill_commanders(const struct roster *r, int side, json_t *obj,
    const char *name, const struct js_at *at, struct errinfo *e)
{
	return (roster_fill_list(r, side, true, obj, name, at, e));
}

const json_t *
roster_unit_at(const struct roster *r, size_t i)
{
	const json_t *list;
	size_t side;

	for (side = 0; side < 2; side++) {
		list = json_object_get(
		    json_object_get(r->sides, roster_sides[side]), "units");
		if (i < json_array_size(list))
			return (json_array_get(list, i));
		i -= json_array_size(list);
	}
	return (NULL);
}

const char *
roster_out(const json_t *unit)
{
	return (json_string_value(json_object_get(unit, ROSTER_OUT)));
}

int
roster_set(struct roster *r, const char *id, const char *name, json_t *value)
{
	json_t *unit;
	int err = 0;

	if ((unit = roster_unit(r, id, NULL)) == NULL)
		err = ERR_NOTFOUND;
	if (err == 0)
		err = roster_log(r, id, unit);
	if (err != 0) {
		json_decref(value);
		return (err);
	}
	if (json_object_set_new(unit, name, value) != 0)
		return (ERR_NOMEM);
	return (0);
}

int
roster_unset(struct roster *r, const char *id, const char *name)
{
	json_t *unit;
	int err;

	if ((unit = roster_unit(r, id, NULL)) == NULL)
		return (ERR_NOTFOUND);
	if (json_object_get(unit, name) == NULL)
		return (0);
	if ((err = roster_log(r, id, unit)) != 0)
		return (err);
	(void)json_object_del(unit, name);
	return (0);
}

int
roster_set_out(struct roster *r, const char *id, const char *why)
{
	return (roster_set(r, id, ROSTER_OUT, json_string(why)));
}

int
roster_apply(struct roster *r, const json_t *facts, const json_t *decisions,
    const json_t *result)
{
	return (r->sys->game->apply(r, facts, decisions, result));
}

int
roster_turn_end(struct roster *r)
{
	if (r->sys->game->turn_end == NULL)
		return (0);
	return (r->sys->game->turn_end(r));
}

int
roster_upkeep(struct roster *r, json_t *events)
{
	return (r->sys->game->upkeep(r, events));
}
