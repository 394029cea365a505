/* SPDX-License-Identifier: ISC */
/*
 * What a game's rosters give to a lasalle2 combat and take from it
 * (umpire-rules.7, 10.9).  A stagger leaves no mark.
 */
#include "common/rules/lasalle2_roster.h"

#include <stdint.h>
#include <string.h>

#include "common/js.h"
#include "common/rules/roster.h"

/* Fills in the units of one side of the combat. */
static int
lasalle2_roster_merge_side(const struct roster *r, int side,
    const json_t *combat, const char *name, struct errinfo *e)
{
	const struct js_at top = {.name = "combat"};
	const struct js_at at = {.up = &top, .name = name};
	struct js_at at_i = {.up = &at};
	const json_t *list;
	int err;

	if ((err = js_get_array(combat, name, &top, &list, e)) != 0)
		return (err);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		err = roster_fill(
		    r, side, json_array_get(list, at_i.index), &at_i, e);
		if (err != 0)
			return (err);
	}
	return (0);
}

int
lasalle2_roster_merge(
    const struct roster *r, int side, json_t *combat, struct errinfo *e)
{
	int err;

	err = lasalle2_roster_merge_side(r, side, combat, "attackers", e);
	if (err != 0)
		return (err);
	return (
	    lasalle2_roster_merge_side(r, 3 - side, combat, "defenders", e));
}

int
lasalle2_roster_apply(
    struct roster *r, const json_t *facts, const json_t *result)
{
	const char *id, *state;
	json_t *fate, *units;
	int err = 0;

	(void)facts;
	units = json_object_get(result, "units");
	json_object_foreach(units, id, fate)
	{
		state = json_string_value(json_object_get(fate, "state"));
		err = roster_set(r, id, "strength",
		    json_incref(json_object_get(fate, "strength")));
		if (err != 0)
			return (err);
		if (strcmp(state, "broken") == 0 ||
		    strcmp(state, "retired") == 0)
			err = roster_set_out(r, id, state);
		if (err != 0)
			return (err);
	}
	return (0);
}

int
lasalle2_roster_upkeep(struct roster *r, json_t *events)
{
	(void)r;
	(void)events;
	return (0);
}

const char *
lasalle2_roster_place_id(const json_t *combat)
{
	const json_t *list = json_object_get(combat, "defenders");
	const char *id, *least = NULL;
	size_t i;

	for (i = 0; i < json_array_size(list); i++) {
		id = json_string_value(
		    json_object_get(json_array_get(list, i), "id"));
		if (id != NULL && (least == NULL || strcmp(id, least) < 0))
			least = id;
	}
	return (least);
}
