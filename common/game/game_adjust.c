/* SPDX-License-Identifier: ISC */
/*
 * Adjustments: lists of changes to units and commanders of either side, some
 * of which join or go for good (record S5, propose and ruling).  What a change
 * may set is the system's affair, whose reader of rosters sees each unit as it
 * would become.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/roster.h"

#define GAME_ADJUST_MAX 64 /* units of one adjustment */

static const struct js_at game_adjust_at = {&order_at_args, "units", 0};

bool
game_adjust_is_blind(const struct game *g)
{
	return (g->is_rules_off || g->roster == NULL);
}

/* True for what nobody's side does alone: a unit joins, or goes for good. */
static bool
game_adjust_is_for_both(const json_t *change)
{
	return (roster_joins(change) || roster_goes(change));
}

/* Checks the form of one change, whose id no earlier one may have. */
static int
game_adjust_form(const json_t *units, const struct js_at *at, struct errinfo *e)
{
	const json_t *change = json_array_get(units, at->index);
	const char *id, *other;
	size_t i;
	int r;

	if ((r = js_get_str(change, "id", at, &id, e)) != 0)
		return (r);
	if (!js_is_id(id))
		return (js_fail_member(at, "id", e, "must be an id"));
	for (i = 0; i < at->index; i++) {
		other = js_str(json_array_get(units, i), "id");
		if (strcmp(other, id) == 0)
			return (js_fail_member(
			    at, "id", e, "\"%s\" is listed twice", id));
	}
	if (json_object_size(change) < 2)
		return (js_fail(
		    at, e, "does not say what is to change in \"%s\"", id));
	return (roster_change_form(change, at, e));
}

/* How many of the changes before this one join the list that it joins. */
static size_t
game_adjust_joiners(const json_t *units, size_t index)
{
	const json_t *change = json_array_get(units, index), *other;
	size_t i, n = 0;

	for (i = 0; i < index; i++) {
		other = json_array_get(units, i);
		n += json_equal(json_object_get(other, "joins"),
			 json_object_get(change, "joins")) &&
		    json_equal(json_object_get(other, "side"),
			json_object_get(change, "side"));
	}
	return (n);
}

/*
 * Works out what a change makes, which stands at `at`; more join its list
 * before it.
 */
static int
game_adjust_make(const struct game *g, const json_t *change, size_t more,
    const struct js_at *at, json_t **made, struct errinfo *e)
{
	const char *id = js_str(change, "id");

	if (!roster_joins(change))
		return (roster_change(g->roster, change, at, made, e));
	if (json_object_get(g->spent, id) != NULL)
		return (js_fail_member(at, "id", e,
		    "\"%s\" had joined before that was taken back; what joins "
		    "needs an id that nothing has had in this game",
		    id));
	return (roster_join(g->roster, change, more, at, made, e));
}

/* The bytes of all that joins by these changes, in compact form. */
static int
game_adjust_size(const json_t *units, int64_t *size)
{
	const json_t *change;
	struct buf b;
	size_t i;
	int r;

	buf_init(&b, 0);
	json_array_foreach(units, i, change)
	{
		if (roster_joins(change))
			js_dump(change, &b);
	}
	*size = (int64_t)b.len;
	r = buf_error(&b);
	buf_clear(&b);
	return (r);
}

int
game_adjust_check(const struct game *g, const json_t *units, struct errinfo *e)
{
	struct js_at at = {.up = &game_adjust_at};
	size_t n = json_array_size(units);
	int64_t size = 0;
	json_t *made;
	int r;

	if (!json_is_array(units) || n == 0 || n > GAME_ADJUST_MAX)
		return (js_fail(&game_adjust_at, e,
		    "must be a list of 1 to %d changes", GAME_ADJUST_MAX));
	for (; at.index < n; at.index++) {
		if ((r = game_adjust_form(units, &at, e)) != 0)
			return (r);
		if (game_adjust_is_blind(g))
			continue;
		r = game_adjust_make(g, json_array_get(units, at.index),
		    game_adjust_joiners(units, at.index), &at, &made, e);
		if (r != 0)
			return (r);
		json_decref(made);
	}
	if ((r = game_adjust_size(units, &size)) != 0)
		return (r);
	if (g->joined + size > RECORD_BLOB_MAX)
		return (js_fail(&game_adjust_at, e,
		    "%lld bytes of units and commanders would have joined in "
		    "this game, and %d is the most",
		    (long long)(g->joined + size), RECORD_BLOB_MAX));
	return (0);
}

int
game_adjust_do(struct game *g, const json_t *units)
{
	const json_t *change;
	int64_t size = 0;
	json_t *made;
	size_t i;
	int r;

	if (game_adjust_is_blind(g))
		return (0);
	if ((r = game_adjust_size(units, &size)) != 0)
		return (r);
	g->joined += size;
	for (i = 0; r == 0 && i < json_array_size(units); i++) {
		change = json_array_get(units, i);
		/* Those before it are there by now. */
		r = game_adjust_make(g, change, 0, NULL, &made, NULL);
		if (r != 0)
			break;
		r = roster_joins(change)
		    ? roster_add(g->roster, change, made)
		    : roster_put(g->roster, js_str(change, "id"), made);
		if (r == 0 && roster_joins(change))
			r = game_worth_join(g, js_str(change, "id"), made);
		json_decref(made);
	}
	/* All was checked before, so that no refusal is left. */
	return (r == 0 || r == ERR_NOMEM ? r : ERR_FAULT);
}

/* True if the settings let an owner set this member without consent. */
static bool
game_adjust_is_owners(const struct game *g, const char *name)
{
	const json_t *v;
	size_t i;

	json_array_foreach(g->set.owner_fields, i, v)
	{
		if (strcmp(json_string_value(v), name) == 0)
			return (true);
	}
	return (false);
}

bool
game_is_own_adjust(const struct game *g, int seat, const json_t *units)
{
	const char *id, *name;
	json_t *change, *v;
	int side;
	size_t i;

	if (g->set.owner_fields == NULL || game_side_of(seat) == 0 ||
	    json_array_size(units) == 0)
		return (false);
	json_array_foreach(units, i, change)
	{
		if (game_adjust_is_for_both(change))
			return (false);
		id = js_str(change, "id");
		side = 0;
		if (!game_adjust_is_blind(g) &&
		    (id == NULL || roster_find(g->roster, id, &side) == NULL ||
			side != game_side_of(seat)))
			return (false);
		json_object_foreach(change, name, v)
		{
			if (strcmp(name, "id") != 0 &&
			    !game_adjust_is_owners(g, name))
				return (false);
		}
	}
	return (true);
}

int
game_check_adjust(
    const struct game *g, int seat, const json_t *units, struct errinfo *e)
{
	(void)seat; /* either side's units may be named */
	if (game_adjust_is_blind(g))
		return (err_set(e, ERR_MISSING, "", "the rules are not run"));
	return (game_adjust_check(g, units, e));
}
