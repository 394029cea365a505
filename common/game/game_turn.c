/* SPDX-License-Identifier: ISC */
/*
 * The turn orders: declare, decide, turn.end (record S5).  Up to the first
 * new roll an order may be refused; what follows is game_play.c's.
 */
#include <stdio.h>
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/game/game_play.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

/* Opens g->combat for a declare. */
static int
game_open_combat(struct game *g, const struct order *o, const char *id)
{
	struct game_combat *c = &g->combat;

	game_end_combat(g);
	if ((c->decisions = json_array()) == NULL)
		return (ERR_NOMEM);
	c->is_open = true;
	c->declare_seq = g->seq + 1;
	c->side = game_side_of(o->seat);
	(void)snprintf(c->id, sizeof(c->id), "%s", id);
	c->k = game_place_k(g, id, false);
	c->step = 1;
	return (0);
}

/* A declare whose rules are not run here. */
static int
game_declare_trusted(struct game *g, const struct game_line *l)
{
	struct game_go go;
	const char *known;
	char id[33];
	int r;

	if ((r = game_go_begin(g, l, &go)) != 0)
		return (r);
	if ((known = game_place_id(g, l->o->args)) != NULL)
		(void)snprintf(id, sizeof(id), "%s", known);
	else if ((r = game_place_given_id(l->o, id, l->e)) != 0)
		return (r);
	if ((r = game_undo_begin(g)) != 0 ||
	    (r = game_open_combat(g, l->o, id)) != 0)
		return (r);
	go.n_decisions = 0;
	return (game_go_on(g, &go));
}

int
game_make_combat(const struct game *g, int side, const json_t *combat,
    json_t **facts, struct combat **run, struct errinfo *e)
{
	json_t *merged;
	int r;

	if (g->roster == NULL || g->sys == NULL)
		return (err_set(e, ERR_INVALID, "combat",
		    "the game's roster or rules are not at hand"));
	r = roster_merge(g->roster, side, combat, &merged, e);
	if (r != 0)
		return (r);
	if ((r = combat_new(g->sys, &g->settings, merged, run, e)) != 0) {
		json_decref(merged);
		return (r);
	}
	*facts = merged;
	return (0);
}

int
game_check_combat(const struct game *g, int side, const json_t *combat,
    json_t **facts, struct errinfo *e)
{
	struct combat *run;
	int r;

	if ((r = game_make_combat(g, side, combat, facts, &run, e)) == 0)
		combat_free(run);
	return (r);
}

int
game_declare(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	const json_t *declared;
	struct combat *run = NULL;
	json_t *facts = NULL;
	struct game_go go;
	int r;

	r = js_get_object(o->args, "combat", &order_at_args, &declared, l->e);
	if (r != 0)
		return (game_illegal(r));
	if (g->truce > g->turn)
		return (err_set(l->e, ERR_ILLEGAL, "",
		    "a truce holds until turn %d", g->truce));
	if (g->is_rules_off)
		return (game_declare_trusted(g, l));
	r = roster_merge(
	    g->roster, game_side_of(o->seat), declared, &facts, l->e);
	if (r == 0)
		r = combat_new(g->sys, &g->settings, facts, &run, l->e);
	if (r == 0)
		r = combat_run(run, NULL, l->e);
	if (r == ERR_INVALID)
		js_within(&order_at_args, l->e);
	if (r == 0)
		r = game_go_begin(g, l, &go);
	if (r == 0)
		r = game_undo_begin(g);
	if (r == 0)
		r = game_open_combat(g, o, game_place_id(g, o->args));
	if (r != 0) {
		combat_free(run);
		json_decref(facts);
		return (game_illegal(r));
	}
	g->combat.run = run;
	g->combat.facts = facts;
	go.n_decisions = 0;
	return (game_go_on(g, &go));
}

int
game_decide(struct game *g, const struct game_line *l)
{
	const json_t *decision;
	struct game_go go;
	int64_t ask;
	size_t n;
	int r;

	if ((r = js_get_int(l->o->args, "ask", &order_at_args, 0, JS_INT_MAX,
		 &ask, l->e)) != 0 ||
	    (r = js_get_object(
		 l->o->args, "decision", &order_at_args, &decision, l->e)) != 0)
		return (game_illegal(r));
	if (g->combat.ask_seq >= 0 && ask != g->combat.ask_seq)
		return (err_set(l->e, ERR_STALE, "order.args.ask",
		    "the open question is that of line %lld",
		    (long long)g->combat.ask_seq));
	n = json_array_size(g->combat.decisions);
	if (!g->is_rules_off &&
	    (r = game_play_decide(g, decision, l->e)) != 0) {
		if (r == ERR_INVALID)
			js_within(&order_at_args, l->e);
		return (game_illegal(r));
	}
	if ((r = game_go_begin(g, l, &go)) != 0) {
		if (r == ERR_ILLEGAL && !g->is_rules_off &&
		    game_play_undecide(g, n) != 0)
			r = ERR_FAULT;
		return (r);
	}
	go.n_decisions = n;
	go.is_fact = game_fact_waits(g, l);
	return (game_go_on(g, &go));
}

/*
 * What the end of a turn did, as the line says it, where the rules are not
 * run: nothing but upkeep is taken as it stands.  New, NULL without memory.
 */
static json_t *
game_upkeep_given(const json_t *events)
{
	const json_t *v;
	const char *e;
	size_t i;

	json_array_foreach(events, i, v)
	{
		e = js_str(v, "e");
		if (e == NULL || strcmp(e, "upkeep") != 0)
			return (json_array());
	}
	return (json_deep_copy(events));
}

/*
 * True if there may be upkeep at the end of this turn: of a system that is not
 * known here, at the end of any.
 */
static bool
game_has_upkeep(const struct game *g)
{
	return (g->sys == NULL || game_ends_round(g) ||
	    g->sys->game->has_upkeep_each_turn);
}

/* The turn goes to the other side; two that passed in a row end the round. */
static void
game_end_activation(struct game *g, struct game_entry *en)
{
	struct game_rounds *r = &g->rounds;

	if (!game_has_activations(g))
		return;
	en->has_passed = !r->has_acted;
	if (game_ends_round(g)) {
		en->ends_round = game_round(g);
		r->ended++;
		r->passes = 0;
	} else {
		r->passes = r->has_acted ? 0 : 1;
	}
	r->has_acted = false;
}

int
game_end_turn(struct game *g, const struct game_line *l)
{
	struct game_effects *fx = l->fx;
	uint8_t beta[VRF_BETA_LEN];
	int r;

	if ((r = game_dice_check_own(g, l->o, beta, l->e)) != 0 ||
	    (r = game_undo_begin(g)) != 0)
		return (r);
	if (!g->is_rules_off && (r = roster_turn_end(g->roster)) != 0)
		return (r);
	if (game_has_upkeep(g) && !g->is_rules_off)
		r = roster_upkeep(g->roster, fx->events);
	else if (game_has_upkeep(g) && l->given != NULL)
		r = game_effects_events(
		    fx, game_upkeep_given(l->given->events));
	if (r != 0 || (r = game_place_move(g, beta, 1, fx)) != 0 ||
	    (r = game_rekey_waiting(g, fx)) != 0)
		return (r);
	game_end_activation(g, &fx->entry);
	g->turn++;
	g->turns_ended++;
	fx->is_turn_end = true;
	g->n_counts = 0;
	game_end_combat(g);
	game_state_line(g);
	return (0);
}
