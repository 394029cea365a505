/* SPDX-License-Identifier: ISC */
/* What a game of a tournament is worth to it (record S19). */
#include "common/game/game_worth.h"

#include <string.h>

#include "common/game/game_int.h"
#include "common/json/field.h"
#include "common/json/js.h"
#include "common/json/js_put.h"
#include "common/rules/roster.h"

static const struct field game_worth_fields[] = {
    FIELD(game_worth, first, "first", FIELD_OBJECT, .may = true),
    FIELD(game_worth, has_moved, "moved", FIELD_FLAGS),
    FIELD(game_worth, gave_up, "gave_up", FIELD_INT, .lo = 0, .hi = 2,
	.may = true),
    FIELD_END,
};

bool
game_is_of_tournament(const struct game *g)
{
	return (g->set.has_tournament);
}

int
game_gave_up(const struct game *g)
{
	return (g->worth.gave_up);
}

bool
game_is_played(const struct game *g)
{
	return (g->worth.has_moved[1] && g->worth.has_moved[2]);
}

/* The units of a side now, borrowed. */
static const json_t *
game_worth_units(const struct game *g, int side)
{
	const char name[] = {(char)('0' + side), '\0'};

	return (json_object_get(
	    json_object_get(roster_value(g->roster), name), "units"));
}

int
game_worth_begin(struct game *g)
{
	const json_t *unit;
	int side, r = 0;
	size_t i;

	if (!g->set.has_tournament || g->roster == NULL)
		return (0);
	for (side = 1; r == 0 && side <= 2; side++) {
		json_array_foreach(game_worth_units(g, side), i, unit)
		{
			r = game_worth_join(g, js_str(unit, "id"), unit);
			if (r != 0)
				break;
		}
	}
	return (r);
}

int
game_worth_join(struct game *g, const char *id, const json_t *unit)
{
	if (!g->set.has_tournament)
		return (0);
	if (g->worth.first == NULL && (g->worth.first = json_object()) == NULL)
		return (ERR_NOMEM);
	return (
	    json_object_set_new(g->worth.first, id, json_deep_copy(unit)) == 0
		? 0
		: ERR_NOMEM);
}

void
game_worth_leave(struct game *g, const char *id)
{
	/* It may be a commander, of which nothing is kept. */
	if (g->worth.first != NULL)
		(void)json_object_del(g->worth.first, id);
}

void
game_worth_moved(struct game *g, const struct order *o)
{
	g->worth.has_moved[game_side_of(o->seat)] = true;
	g->worth.has_moved[0] = false; /* the director's moves are no side's */
}

void
game_worth_cancel(struct game *g, int side)
{
	g->worth.gave_up = side;
	game_decide_end(g, 0, GAME_CANCELLED);
}

void
game_worth_clear(struct game *g)
{
	json_decref(g->worth.first);
	memset(&g->worth, 0, sizeof(g->worth));
}

void
game_worth_save(const struct game *g, struct buf *out)
{
	if (!g->set.has_tournament)
		return;
	js_put_open(out, "worth", '{');
	field_write(game_worth_fields, &g->worth, out);
	js_put_close(out, '}');
}

int
game_worth_load(struct game *g, const json_t *v, struct errinfo *e)
{
	const json_t *one = NULL;
	int r;

	if ((r = js_opt_object(v, "worth", NULL, &one, e)) != 0)
		return (r);
	if ((one != NULL) != g->set.has_tournament)
		return (err_set(e, ERR_INVALID, "worth", "bad"));
	return (one == NULL
		? 0
		: field_read(game_worth_fields, one, g->seq, &g->worth, e));
}

/* What a side has lost, in permille of what it had at first. */
static int
game_worth_loss(const struct game *g, int side)
{
	const json_t *units = game_worth_units(g, side), *unit, *first;
	int64_t had = 0, has;
	size_t i;

	json_array_foreach(units, i, unit)
	{
		first = json_object_get(g->worth.first, js_str(unit, "id"));
		if (first != NULL)
			had += roster_unit_worth(g->sys, first);
	}
	if (had <= 0)
		return (0);
	has = roster_worth(g->sys, units, g->worth.first);
	if (has >= had)
		return (0);
	return (has <= 0 ? 1000 : (int)(1000 * (had - has) / had));
}

int
game_battle_points(const struct game *g, int resign, int *bp)
{
	int lost[3], side;

	if (g->turn == 0) {
		*bp = 0;
		return (0);
	}
	if (g->is_rules_off || g->roster == NULL || g->worth.first == NULL)
		return (ERR_MISSING);
	for (side = 1; side <= 2; side++)
		lost[side] = game_worth_loss(g, side);
	if ((g->how == GAME_RESIGNED || g->how == GAME_FORFEIT) &&
	    g->winner > 0 && lost[3 - g->winner] < resign)
		lost[3 - g->winner] = resign;
	*bp = lost[2] - lost[1];
	return (0);
}
