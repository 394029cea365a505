/* SPDX-License-Identifier: ISC */
/* Only what must be named in every combat of a system is looked at. */
#include "client/play/form_may.h"

#include <stdint.h>

#include "common/rules/rules.h"
#include "common/rules/show/declare.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

/* How many of a roster's list are in play and meet a condition. */
static int64_t
form_may_count(const json_t *roster, const char *list, const char *only)
{
	const json_t *v;
	int64_t n = 0;
	size_t i;

	json_array_foreach(json_object_get(roster, list), i, v)
	{
		if (!json_is_string(json_object_get(v, "out")) &&
		    declare_holds(only, COMBAT_ATTACKER, &v, 1))
			n++;
	}
	return (n);
}

/*
 * The side that has too few for one of these inputs, which are a side's or
 * (-1) the whole combat's; -1: none.
 */
static int
form_may_inputs(const json_t *const rosters[2], /* by combat_side */
    const struct declare_field *inputs, int of)
{
	const struct declare_field *in;
	int64_t least;
	int side;

	for (in = inputs; in != NULL && in->name != NULL; in++) {
		side = of == -1 ? (int)in->side : of;
		/* What depends on an answer is not looked at. */
		if (in->is_special ||
		    !declare_holds(in->when, (enum combat_side)side, NULL, 0))
			continue;
		if (in->type == DECLARE_OBJECT &&
		    (side = form_may_inputs(rosters, in->members, side)) >= 0)
			return (side);
		if (in->type != DECLARE_UNIT && in->type != DECLARE_UNITS &&
		    in->type != DECLARE_COMMANDERS)
			continue;
		least = in->type == DECLARE_UNIT ? 1 : in->lo;
		if (form_may_count(rosters[in->side],
			in->type == DECLARE_COMMANDERS ? "commanders" : "units",
			in->only) < least)
			return ((int)in->side);
	}
	return (-1);
}

const char *
form_may_not(const char *system, const json_t *roster, int side)
{
	const struct rules_system *sys = systems_find(system);
	const json_t *rosters[2];
	int lacks, i;

	if (sys == NULL || !json_is_object(roster))
		return (NULL);
	rosters[COMBAT_ATTACKER] =
	    json_object_get(roster, side == 1 ? "1" : "2");
	rosters[COMBAT_DEFENDER] =
	    json_object_get(roster, side == 1 ? "2" : "1");
	lacks = form_may_inputs(rosters, show_list_find(sys)->inputs, -1);
	for (i = 0; i < 2 && lacks < 0; i++) {
		if (form_may_count(rosters[i], "units", NULL) +
			form_may_count(rosters[i], "commanders", NULL) ==
		    0)
			lacks = i;
	}
	if (lacks < 0)
		return (NULL);
	return (lacks == COMBAT_ATTACKER
		? "none of your units can attack"
		: "the other side has nobody left to attack");
}
