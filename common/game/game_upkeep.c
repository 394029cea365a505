/* SPDX-License-Identifier: ISC */
/*
 * Upkeep orders: what a side does for one of its units between combats
 * (record S5), checked and carried out by the system.
 */
#include <string.h>

#include "common/crypt/expand.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_play.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/roster.h"

/* Rolls what the order needs. */
static int
game_upkeep_roll(struct game *g, const struct game_go *go,
    const struct rules_upkeep_roll *roll, uint16_t *values)
{
	struct game_throw t;
	json_t *rolls, *one;
	int r;

	if ((r = game_dice_throw(g, go, &t)) == 0)
		r = game_dice_roll(
		    &t, roll->label, roll->sides, roll->n, values, &one);
	if (r != 0)
		return (r == ERR_INVALID ? ERR_FAULT : r);
	if ((rolls = json_pack("[o]", one)) == NULL)
		return (ERR_NOMEM);
	/* The events begin with it. */
	if (json_array_append_new(go->l->fx->events,
		json_pack("{s:s, s:O, s:O, s:O}", "e", "roll", "label",
		    json_object_get(one, "label"), "sides",
		    json_object_get(one, "sides"), "dice",
		    json_object_get(one, "dice"))) != 0) {
		json_decref(rolls);
		return (ERR_NOMEM);
	}
	return (game_dice_tell(g, &t, rolls, go->l->fx));
}

/* The unit's next order that rolls has another place (S6.1). */
static int
game_upkeep_drew(struct game *g, const json_t *args)
{
	return (game_place_count(g, js_str(args, "unit"), true));
}

/* An upkeep order, or the answer to one, whose rules are not run here. */
static int
game_upkeep_trusted(
    struct game *g, const struct game_go *go, const json_t *args)
{
	const struct record_line *given = go->l->given;
	bool waits;
	int r = 0;

	if (given == NULL)
		return (
		    err_set(go->l->e, ERR_FAULT, "", "the rules are not run"));
	waits = given->owes != NULL && !go->is_answer;
	if (waits && !g->set.is_live)
		return (err_set(go->l->e, ERR_ILLEGAL, "owes",
		    "an upkeep order waits for nobody in this game"));
	if (waits)
		return (game_owe(g, go, args));
	r = game_effects_events(go->l->fx, json_deep_copy(given->events));
	if (r != 0)
		return (r);
	if (given->dice != NULL) {
		r = game_trust_roll(g, go);
		if (r == 0)
			r = game_upkeep_drew(g, args);
	} else if (go->is_answer) {
		r = err_set(go->l->e, ERR_ILLEGAL, "dice",
		    "an upkeep order that has been answered rolls dice");
	}
	if (r == 0)
		game_state_line(g);
	return (r);
}

/* Rolls what is needed and carries the order out. */
static int
game_upkeep_run(struct game *g, const struct game_go *go, const json_t *args,
    const struct rules_upkeep_roll *roll)
{
	uint16_t values[RULES_UPKEEP_DICE_MAX] = {0};
	int r = 0;

	if (roll->n > 0) {
		r = game_upkeep_roll(g, go, roll, values);
		if (r == 0)
			r = game_upkeep_drew(g, args);
	}
	if (r == 0)
		r = g->sys->game->upkeep_do(
		    g->roster, &g->settings, args, values, go->l->fx->events);
	if (r == 0)
		game_state_line(g);
	return (r);
}

int
game_upkeep_go(struct game *g, const struct game_go *go, const json_t *args)
{
	struct rules_upkeep_roll roll = {.n = 0};
	int r;

	if (g->is_rules_off)
		return (game_upkeep_trusted(g, go, args));
	/* Nothing has changed since the order was found lawful. */
	r = g->sys->game->upkeep_check(g->roster, &g->settings,
	    game_side_of(go->by), args, &roll, go->l->e);
	if (r != 0)
		return (r == ERR_NOMEM ? r : ERR_FAULT);
	return (game_upkeep_run(g, go, args, &roll));
}

int
game_upkeep(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct rules_upkeep_roll roll = {.n = 0};
	const char *text;
	struct game_go go;
	int r;

	if (js_get_str(o->args, "unit", &order_at_args, &text, l->e) != 0 ||
	    js_get_str(o->args, "do", &order_at_args, &text, l->e) != 0)
		return (ERR_ILLEGAL);
	if (!g->is_rules_off && g->sys->game->upkeep_check == NULL)
		return (err_set(l->e, ERR_ILLEGAL, "order.kind",
		    "the system \"%s\" has no upkeep orders", g->sys->id));
	if (!g->is_rules_off) {
		r = g->sys->game->upkeep_check(g->roster, &g->settings,
		    game_side_of(o->seat), o->args, &roll, l->e);
		if (r == ERR_INVALID)
			js_within(&order_at, l->e);
		if (r != 0)
			return (game_illegal(r));
	}
	if ((r = game_go_begin(g, l, &go)) != 0 ||
	    (r = game_undo_begin(g)) != 0)
		return (r);
	if (g->is_rules_off)
		return (game_upkeep_trusted(g, &go, o->args));
	if (roll.n == 0 || !g->set.is_live)
		return (game_upkeep_run(g, &go, o->args, &roll));
	return (game_owe(g, &go, o->args));
}
