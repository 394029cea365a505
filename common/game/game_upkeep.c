/* SPDX-License-Identifier: ISC */
/*
 * Upkeep orders: what a side does for one of its units between combats
 * (record S5), checked and carried out by the system.
 */
#include <string.h>

#include "common/crypt/expand.h"
#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/roster.h"

/* The dice as they stand in the line: one roll; new, NULL without memory. */
static json_t *
game_upkeep_rolls(const struct rules_upkeep_roll *roll, const uint16_t *dice)
{
	json_t *values = json_array();
	unsigned i;
	int bad = 0;

	for (i = 0; values != NULL && i < roll->n; i++)
		bad |= json_array_append_new(values, json_integer(dice[i]));
	if (bad != 0) {
		json_decref(values);
		return (NULL);
	}
	return (json_pack("[{s:s, s:i, s:o}]", "label", roll->label, "sides",
	    (int)roll->sides, "dice", values));
}

/* Begins the events with the roll. */
static int
game_upkeep_say(json_t *events, json_t *rolls)
{
	json_t *one = json_array_get(rolls, 0), *v;

	v = json_pack("{s:s, s:O, s:O, s:O}", "e", "roll", "label",
	    json_object_get(one, "label"), "sides",
	    json_object_get(one, "sides"), "dice",
	    json_object_get(one, "dice"));
	return (json_array_append_new(events, v) == 0 ? 0 : ERR_NOMEM);
}

/* Rolls what the order needs. */
static int
game_upkeep_roll(struct game *g, const struct game_go *go,
    const struct rules_upkeep_roll *roll, uint16_t *values,
    struct game_effects *fx)
{
	struct game_throw t;
	json_t *rolls;
	int r;

	r = game_dice_throw(
	    g, go->place, go->own_beta, go->other_beta, go->dice, &t);
	if (r == 0)
		r = expand_roll(
		    t.beta, roll->label, roll->sides, roll->n, values);
	if (r != 0)
		return (r == ERR_INVALID ? ERR_FAULT : r);
	if ((rolls = game_upkeep_rolls(roll, values)) == NULL)
		return (ERR_NOMEM);
	r = game_upkeep_say(fx->events, rolls);
	fx->dice = game_dice_object(&t, rolls); /* takes the rolls over */
	if (fx->dice == NULL)
		return (ERR_NOMEM);
	return (r);
}

/* The line used up its place: the unit's next one has another (S6.1). */
static int
game_upkeep_drew(struct game *g, const struct game_go *go, const json_t *args,
    struct game_effects *fx)
{
	memcpy(fx->place, go->place, strlen(go->place) + 1);
	memcpy(fx->place_pool, g->pool, HASH_LEN);
	return (game_place_count(
	    g, json_string_value(json_object_get(args, "unit")), true));
}

/* The dice of an upkeep order whose rules are not run here. */
static int
game_upkeep_again(struct game *g, const struct game_go *go, const json_t *args,
    struct game_effects *fx, struct errinfo *e)
{
	int r = game_trust_roll(g, go, fx, e);

	return (r != 0 ? r : game_upkeep_drew(g, go, args, fx));
}

/* An upkeep order, or the answer to one, whose rules are not run here. */
static int
game_upkeep_trusted(struct game *g, const struct game_go *go,
    const json_t *args, struct game_effects *fx, struct errinfo *e)
{
	const struct record_line *given = go->given;
	bool waits;
	int r = 0;

	if (given == NULL)
		return (err_set(e, ERR_FAULT, "", "the rules are not run"));
	waits = given->owes != NULL && !go->is_answer;
	if (waits && !g->set.is_live)
		return (err_set(e, ERR_ILLEGAL, "owes",
		    "an upkeep order waits for nobody in this game"));
	fx->events = waits ? json_array() : json_deep_copy(given->events);
	if (fx->events == NULL)
		return (ERR_NOMEM);
	if (waits)
		return (game_owe(g, go, args, fx));
	if (given->dice != NULL)
		r = game_upkeep_again(g, go, args, fx, e);
	else if (go->is_answer)
		r = err_set(e, ERR_ILLEGAL, "dice",
		    "an upkeep order that has been answered rolls dice");
	if (r == 0)
		game_state_line(g);
	return (r);
}

/* Rolls what is needed and carries the order out. */
static int
game_upkeep_run(struct game *g, const struct game_go *go, const json_t *args,
    const struct rules_upkeep_roll *roll, struct game_effects *fx)
{
	uint16_t values[RULES_UPKEEP_DICE_MAX] = {0};
	int r = 0;

	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	if (roll->n > 0) {
		r = game_upkeep_roll(g, go, roll, values, fx);
		if (r == 0)
			r = game_upkeep_drew(g, go, args, fx);
	}
	if (r == 0)
		r = g->sys->upkeep_do(g->roster, args, values, fx->events);
	if (r == 0)
		game_state_line(g);
	return (r);
}

int
game_upkeep_go(struct game *g, const struct game_go *go, const json_t *args,
    struct game_effects *fx, struct errinfo *e)
{
	struct rules_upkeep_roll roll = {.n = 0};
	int r;

	if (g->is_rules_off)
		return (game_upkeep_trusted(g, go, args, fx, e));
	/* Nothing has changed since the order was found lawful. */
	r = g->sys->upkeep_check(
	    g->roster, game_side_of(go->by), args, &roll, e);
	if (r != 0)
		return (r == ERR_NOMEM ? r : ERR_FAULT);
	return (game_upkeep_run(g, go, args, &roll, fx));
}

/* Checks the args that every upkeep order has. */
static int
game_upkeep_args(const struct order *o, struct errinfo *e)
{
	const struct js_at at = {NULL, "args", 0};
	const char *text;

	if (js_get_str(o->args, "unit", &at, &text, e) != 0 ||
	    js_get_str(o->args, "do", &at, &text, e) != 0)
		return (ERR_ILLEGAL);
	return (0);
}

int
game_upkeep(struct game *g, const struct order *o, const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	struct rules_upkeep_roll roll = {.n = 0};
	struct game_go go;
	int r;

	if ((r = game_upkeep_args(o, e)) != 0)
		return (r);
	if (!g->is_rules_off && g->sys->upkeep_check == NULL)
		return (err_set(e, ERR_ILLEGAL, "order.kind",
		    "the system \"%s\" has no upkeep orders", g->sys->id));
	if (!g->is_rules_off) {
		r = g->sys->upkeep_check(
		    g->roster, game_side_of(o->seat), o->args, &roll, e);
		if (r != 0)
			return (game_illegal(r));
	}
	if ((r = game_go_begin(g, o, dice, given, &go, e)) != 0 ||
	    (r = game_undo_begin(g)) != 0)
		return (r);
	if (g->is_rules_off)
		return (game_upkeep_trusted(g, &go, o->args, fx, e));
	if (roll.n == 0 || !g->set.is_live)
		return (game_upkeep_run(g, &go, o->args, &roll, fx));
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	return (game_owe(g, &go, o->args, fx));
}
