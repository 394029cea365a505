/* SPDX-License-Identifier: ISC */
/* What units have comes from their system, and from the rosters. */
#include "client/play/adjust_text.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/play.h"
#include "client/replica/adjust.h"
#include "client/report/rosters.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

/* Appends ", name", or "name" if it is the first. */
static void
adjust_text_add(struct buf *b, const char *name)
{
	buf_printf(b, "%s%s", b->len == 0 ? "" : ", ", name);
}

/* True for the id of a unit, rather than a commander. */
static bool
adjust_text_is_unit(const json_t *roster, const char *id)
{
	const json_t *one = json_object_get(roster, "1");
	const json_t *two = json_object_get(roster, "2");

	return (rosters_find(json_object_get(one, "units"), id) != NULL ||
	    rosters_find(json_object_get(two, "units"), id) != NULL);
}

/* The members that something that joins can have; free(). */
static char *
adjust_text_joining(const struct rules_system *sys, const json_t *change)
{
	const char *list = js_str(change, "joins");
	const struct schema_row *row, *rows;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	rows = list != NULL && strcmp(list, "commanders") == 0 ? sys->commander
							       : sys->unit;
	for (i = 0; rows != NULL && (row = schema_field(rows, i)) != NULL; i++)
		adjust_text_add(&b, row->name);
	return (xalloc_take(&b));
}

/* The members that a unit or commander can have; free(). */
static char *
adjust_text_members(
    const struct rules_system *sys, const json_t *roster, const char *id)
{
	/* jansson's iterators know no const. */
	json_t *entry = (json_t *)(uintptr_t)adjust_entry(roster, id), *v;
	bool is_unit = adjust_text_is_unit(roster, id);
	const struct schema_row *row;
	const char *name;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	for (i = 0; is_unit && (row = schema_field(sys->unit, i)) != NULL; i++)
		adjust_text_add(&b, row->name);
	json_object_foreach(entry, name, v)
	{
		row = is_unit ? schema_find(sys->unit, name) : NULL;
		if ((row == NULL || (row->in & SCHEMA_GIVEN) == 0) &&
		    strcmp(name, "id") != 0 && strcmp(name, "out") != 0)
			adjust_text_add(&b, name);
	}
	adjust_text_add(&b, "out");
	return (xalloc_take(&b));
}

bool
adjust_text_unknown(
    const struct play *pl, const json_t *units, const struct errinfo *e)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	const char *id, *member = strrchr(e->where, '.');
	const char *at = strchr(e->where, '[');
	const json_t *change;
	const json_t *roster = game_roster(play_game(pl));
	char *has;

	if (sys == NULL || at == NULL || member == NULL || member < at ||
	    strcmp(e->text, "is not a known member") != 0)
		return (false);
	change = json_array_get(units, strtoul(at + 1, NULL, 10));
	id = js_str(change, "id");
	if (id == NULL)
		return (false);
	if (json_object_get(change, "gone") != NULL) {
		out_error("'%s' is to go for good: its '%s' cannot change", id,
		    member + 1);
		out_note("Leave out %s; out= can say why it goes.", member + 1);
		return (true);
	}
	if (roster_joins(change))
		has = adjust_text_joining(sys, change);
	else if (adjust_entry(roster, id) != NULL)
		has = adjust_text_members(sys, roster, id);
	else
		return (false);
	out_error("'%s' has no '%s'", id, member + 1);
	out_note("It has: %s.", has);
	free(has);
	return (true);
}
