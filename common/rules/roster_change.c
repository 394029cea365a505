/* SPDX-License-Identifier: ISC */
/*
 * How rosters change but for combats: the journal that a takeback goes back
 * by, what an adjustment makes of a unit, units that join and units that are
 * taken away for good; and what is left of a side.
 */
#include <stdint.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/roster_int.h"

#define ROSTER_JOINS "joins" /* the list that a unit joins */
#define ROSTER_SIDE "side" /* and whose */

static const char *const roster_lists[] = {"units", "commanders", NULL};

int
roster_log(struct roster *r, const char *id, const json_t *unit)
{
	if (json_object_get(r->journal, id) != NULL)
		return (0);
	if (r->journal == NULL && (r->journal = json_object()) == NULL)
		return (ERR_NOMEM);
	if (json_object_set_new(r->journal, id,
		unit == NULL ? json_null() : roster_copy(unit)) != 0)
		return (ERR_NOMEM);
	return (0);
}

json_t *
roster_journal_take(struct roster *r)
{
	json_t *journal = r->journal;

	r->journal = NULL;
	return (journal);
}

int
roster_put(struct roster *r, const char *id, const json_t *value)
{
	json_t *unit;
	int err;

	if ((unit = roster_unit(r, id, NULL)) == NULL)
		return (ERR_NOTFOUND);
	if ((err = roster_log(r, id, unit)) != 0)
		return (err);
	/* In place: the list and the index hold the same object. */
	if (json_object_clear(unit) != 0 ||
	    json_object_update(unit, (json_t *)(uintptr_t)value) != 0)
		return (ERR_NOMEM);
	return (0);
}

/*
 * Puts the members that a change sets, whose form was checked, into the plain
 * object of its unit, and says what the mark will be: *out is NULL for a unit
 * in play.
 */
static int
roster_overlay(const json_t *change, json_t *plain, const char **out)
{
	const char *name;
	json_t *v;

	js_foreach(change, name, v)
	{
		if (strcmp(name, ROSTER_GONE) == 0)
			continue;
		if (strcmp(name, ROSTER_OUT) == 0)
			*out = json_string_value(v);
		else if (json_object_set(plain, name, v) != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

/* The system's reader of units, or of commanders: NULL, if it knows none. */
static roster_reader
roster_reader_of(const struct roster *r, bool is_commander)
{
	return (is_commander ? r->sys->roster_commander : r->sys->roster_unit);
}

int
roster_change(const struct roster *r, const json_t *change,
    const struct js_at *at, json_t **unit, struct errinfo *e)
{
	const json_t *has;
	json_t *plain, *made = NULL;
	const char *id, *out;
	bool is_gone;
	int err;

	if ((err = js_get_str(change, "id", at, &id, e)) != 0)
		return (err);
	if ((has = roster_find(r, id, NULL)) == NULL)
		return (js_fail_member(
		    at, "id", e, "\"%s\" is in neither side's roster", id));
	if (roster_is_gone(has))
		return (js_fail_member(at, "id", e,
		    "\"%s\" was taken away for good and cannot come back; "
		    "what comes instead joins under a new id",
		    id));
	if ((err = roster_change_form(change, at, e)) != 0)
		return (err);
	if ((plain = roster_plain(has)) == NULL)
		return (ERR_NOMEM);
	out = roster_out(has);
	is_gone = roster_goes(change);
	err = roster_overlay(change, plain, &out);
	if (is_gone && out == NULL)
		out = ROSTER_GONE;
	if (err == 0)
		err = roster_read_kept(
		    roster_reader_of(r, roster_is_commander(r, has)), plain,
		    out, is_gone, at, &made, e);
	json_decref(plain);
	if (err != 0)
		return (err);
	if (json_equal(made, has)) {
		json_decref(made);
		return (js_fail(at, e, "changes nothing in \"%s\"", id));
	}
	*unit = made;
	return (0);
}

/* The list that a unit or a commander belongs to, borrowed; NULL: none. */
static json_t *
roster_list_of(const struct roster *r, int side, bool is_commander)
{
	return (
	    json_object_get(json_object_get(r->sides, roster_sides[side - 1]),
		roster_lists[is_commander]));
}

bool
roster_joins(const json_t *change)
{
	return (json_object_get(change, ROSTER_JOINS) != NULL);
}

bool
roster_goes(const json_t *change)
{
	return (json_object_get(change, ROSTER_GONE) != NULL);
}

bool
roster_is_gone(const json_t *unit)
{
	return (json_is_true(json_object_get(unit, ROSTER_GONE)));
}

/* Where a unit or commander belongs. */
struct roster_place {
	int side; /* 1 or 2 */
	bool is_commander;
};

/* Reads where one joins, whatever the roster. */
static int
roster_join_form(const json_t *change, const struct js_at *at,
    struct roster_place *place, struct errinfo *e)
{
	int64_t side;
	int list, r;

	if ((r = js_get_enum(
		 change, ROSTER_JOINS, at, roster_lists, &list, e)) != 0 ||
	    (r = js_get_int(change, ROSTER_SIDE, at, 1, 2, &side, e)) != 0)
		return (r);
	if (json_object_get(change, ROSTER_OUT) != NULL)
		return (js_fail_member(at, ROSTER_OUT, e,
		    "is not for a unit that joins, which is in play"));
	place->side = (int)side;
	place->is_commander = list == 1;
	return (0);
}

/* Checks what a change says that takes a unit away for good. */
static int
roster_gone_form(
    const json_t *change, const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {
	    "id", ROSTER_GONE, ROSTER_OUT, NULL};

	if (!json_is_true(json_object_get(change, ROSTER_GONE)))
		return (js_fail_member(at, ROSTER_GONE, e,
		    "must be true, for a unit that is taken away for good"));
	if (json_is_null(json_object_get(change, ROSTER_OUT)))
		return (js_fail_member(at, ROSTER_OUT, e,
		    "must be a word such as \"left\", as the unit is gone"));
	return (js_members(change, at, known, e));
}

int
roster_change_form(
    const json_t *change, const struct js_at *at, struct errinfo *e)
{
	const json_t *out = json_object_get(change, ROSTER_OUT);
	struct roster_place place;

	if (out != NULL && !json_is_null(out) &&
	    (!json_is_string(out) || !js_is_id(json_string_value(out))))
		return (js_fail_member(at, ROSTER_OUT, e,
		    "must be a word such as \"left\", or null for a unit that "
		    "comes back"));
	if (roster_joins(change))
		return (roster_join_form(change, at, &place, e));
	if (roster_goes(change))
		return (roster_gone_form(change, at, e));
	return (0);
}

/* What joins as a player's roster would have it, without where; or NULL. */
static json_t *
roster_joiner(const json_t *change)
{
	json_t *o;

	if ((o = roster_copy(change)) == NULL)
		return (NULL);
	(void)json_object_del(o, ROSTER_JOINS);
	(void)json_object_del(o, ROSTER_SIDE);
	return (o);
}

int
roster_join(const struct roster *r, const json_t *change, size_t more,
    const struct js_at *at, json_t **unit, struct errinfo *e)
{
	struct roster_place p;
	roster_reader read;
	const char *id;
	json_t *given;
	int err;

	if ((err = js_get_str(change, "id", at, &id, e)) != 0 ||
	    (err = roster_join_form(change, at, &p, e)) != 0)
		return (err);
	if (roster_find(r, id, NULL) != NULL)
		return (js_fail_member(at, "id", e,
		    "\"%s\" is taken; what joins needs an id that nothing has "
		    "had in this game",
		    id));
	if ((read = roster_reader_of(r, p.is_commander)) == NULL)
		return (js_fail_member(
		    at, ROSTER_JOINS, e, "this system has no commanders"));
	if (json_array_size(roster_list_of(r, p.side, p.is_commander)) + more >=
	    ROSTER_UNITS_MAX)
		return (js_fail(at, e,
		    "side %d has %d %s, counting those taken away, and no "
		    "room for more",
		    p.side, ROSTER_UNITS_MAX, roster_lists[p.is_commander]));
	if ((given = roster_joiner(change)) == NULL)
		return (ERR_NOMEM);
	/* As a player gives it first: nothing of it is the game's to keep. */
	err = read(given, RULES_ROSTER_GIVEN, at, unit, e);
	json_decref(given);
	return (err);
}

int
roster_add(struct roster *r, const json_t *change, const json_t *unit)
{
	struct roster_place p = {.side = 0};
	json_t *list, *side;
	const char *id = js_str(unit, "id");
	int err;

	if ((err = roster_join_form(change, NULL, &p, NULL)) != 0)
		return (err);
	if ((err = roster_log(r, id, NULL)) != 0)
		return (err);
	list = roster_list_of(r, p.side, p.is_commander);
	if (list == NULL) {
		side = json_object_get(r->sides, roster_sides[p.side - 1]);
		list = json_array();
		if (json_object_set_new(
			side, roster_lists[p.is_commander], list) != 0)
			return (ERR_NOMEM);
	}
	return (roster_index(
	    r, (size_t)p.side - 1, p.is_commander, list, roster_copy(unit)));
}

int
roster_drop(struct roster *r, const char *id)
{
	const json_t *unit;
	bool is_commander;
	json_t *list;
	size_t i;
	int side;

	if ((unit = roster_find(r, id, &side)) == NULL)
		return (ERR_NOTFOUND);
	is_commander = roster_is_commander(r, unit);
	list = roster_list_of(r, side, is_commander);
	for (i = 0; json_array_get(list, i) != unit; i++)
		;
	(void)json_array_remove(list, i);
	(void)json_object_del(r->commanders, id); /* units are not there */
	(void)json_object_del(r->index[side - 1], id);
	/* A list that nobody gave is there no more. */
	if (json_array_size(list) == 0)
		(void)json_object_del(
		    json_object_get(r->sides, roster_sides[side - 1]),
		    roster_lists[is_commander]);
	return (0);
}

int64_t
roster_unit_worth(const struct rules_system *sys, const json_t *unit)
{
	return (roster_out(unit) != NULL ? 0 : sys->game->worth(unit));
}

int64_t
roster_worth(
    const struct rules_system *sys, const json_t *units, const json_t *first)
{
	const json_t *began, *unit;
	int64_t most, sum = 0, worth;
	size_t i;

	json_array_foreach(units, i, unit)
	{
		worth = roster_unit_worth(sys, unit);
		began = json_object_get(first, js_str(unit, "id"));
		most = began == NULL ? worth : sys->game->worth(began);
		sum += worth < most ? worth : most;
	}
	return (sum);
}
