/* SPDX-License-Identifier: ISC */
/*
 * The turn orders: declare, decide, turn.end; and answer, which lets an
 * order that waits for the other side go on (record S5, S6.3).  Up to the
 * first new roll an order may be refused; after it nothing refuses, and a
 * fault of the rules code is recorded with the dice that fell.
 */
#include <stdio.h>
#include <string.h>

#include "common/game/game_int.h"
#include "common/js.h"
#include "common/record.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

int
game_illegal(int r)
{
	return (r == ERR_INVALID ? ERR_ILLEGAL : r);
}

int
game_check_own(const struct game *g, const struct order *o,
    uint8_t beta[VRF_BETA_LEN], struct errinfo *e)
{
	int r;

	r = game_dice_check(g, o->seat, "umpire/own/1", o->place, o->own, beta);
	if (r == ERR_PROOF)
		r = err_set(e, ERR_ILLEGAL, "order.own",
		    "the proof does not hold for this place and dice key");
	return (r);
}

/* Puts what a run drew and said into the effects. */
static int
game_collect(
    struct game_fight *f, const struct game_throw *t, struct game_effects *fx)
{
	json_t *rolls;
	int r;

	r = combat_events(f->run, f->n_events, &fx->events);
	if (r != 0)
		return (r);
	if (combat_roll_count(f->run) == f->n_rolls)
		return (0);
	if ((r = combat_rolls(f->run, f->n_rolls, &rolls)) != 0)
		return (r);
	if ((fx->dice = game_dice_object(t, rolls)) == NULL)
		return (ERR_NOMEM);
	f->has_drawn = true;
	return (0);
}

int
game_fight_on(struct game *g, struct game_fight *f,
    const struct game_dice *dice, struct game_effects *fx, struct errinfo *e)
{
	struct game_throw t = {.place = ""};
	struct combat_dice src;
	int r;

	if (combat_status(f->run) == COMBAT_ROLLING) {
		r = game_dice_throw(g, f->place, f->own_beta, NULL, dice, &t);
		if (r != 0)
			return (r);
		game_dice_source(&t, &src);
		r = combat_run(f->run, &src, e);
		if (r == ERR_FAULT) {
			fx->is_fault = true;
			(void)snprintf(fx->fault, sizeof(fx->fault), "%s",
			    e != NULL ? e->text : "");
		} else if (r != 0) {
			return (r);
		}
	}
	if ((r = game_collect(f, &t, fx)) != 0)
		return (r);
	if (f->has_drawn) {
		memcpy(fx->place, f->place, strlen(f->place) + 1);
		memcpy(fx->place_pool, g->pool, HASH_LEN);
	}
	return (0);
}

/* A question is open from this line on: the attacker's, or both sides'. */
static void
game_ask(struct game *g, bool is_secret, bool is_attackers)
{
	struct game_combat *c = &g->combat;

	c->ask_seq = g->seq + 1;
	c->is_secret = is_secret;
	if (is_secret)
		c->ask_side = 0;
	else
		c->ask_side = is_attackers ? c->side : 3 - c->side;
	memset(c->secrets, 0, sizeof(c->secrets));
}

int
game_settle(
    struct game *g, const struct game_fight *f, const struct game_effects *fx)
{
	struct game_combat *c = &g->combat;
	json_t *result;
	int r;

	c->n_events += json_array_size(fx->events);
	c->n_rolls = combat_roll_count(f->run);
	c->ask_seq = -1;
	if (f->has_drawn) {
		if (c->step == 1 &&
		    (r = game_place_count(g, c->id, false)) != 0)
			return (r);
		c->step++;
	}
	game_state_line(g);
	if (fx->is_fault)
		return (0);
	if (combat_status(f->run) == COMBAT_PENDING) {
		game_ask(g, combat_asked_secret(f->run),
		    combat_asked_side(f->run) == COMBAT_ATTACKER);
		return (0);
	}
	if ((result = combat_result(f->run)) == NULL)
		return (ERR_NOMEM);
	r = roster_apply(g->roster, c->facts, c->decisions, result);
	json_decref(result);
	if (r == 0)
		game_end_combat(g);
	return (r);
}

/* Whether and whom a line that the rules did not run leaves a question to. */
static void
game_read_events(struct game *g, const json_t *events)
{
	struct game_combat *c = &g->combat;
	const json_t *last;
	const char *before, *kind, *side;
	size_t n = json_array_size(events);

	c->is_loose = n == 0;
	c->is_secret = false;
	c->ask_seq = -1;
	c->ask_side = 0;
	memset(c->secrets, 0, sizeof(c->secrets));
	last = json_array_get(events, n - 1);
	kind = json_string_value(json_object_get(last, "e"));
	if (kind == NULL)
		return;
	if (strcmp(kind, "result") == 0) {
		game_end_combat(g);
	} else if (strcmp(kind, "ask") == 0) {
		side = json_string_value(json_object_get(last, "side"));
		before = n < 2 ? NULL
			       : json_string_value(json_object_get(
				     json_array_get(events, n - 2), "e"));
		/* Two questions at once are a secret choice. */
		game_ask(g, before != NULL && strcmp(before, "ask") == 0,
		    side != NULL && strcmp(side, "attacker") == 0);
	}
}

/*
 * A line of a combat whose rules are not run here: its dice are rolled again
 * from what it says was asked, its events are taken as they stand.
 */
static int
game_trust(struct game *g, const char *place,
    const uint8_t own_beta[VRF_BETA_LEN], const uint8_t *other_beta,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
{
	struct game_combat *c = &g->combat;
	struct game_throw t;
	json_t *rolls;
	int r;

	if (given == NULL)
		return (err_set(e, ERR_FAULT, "", "the rules are not run"));
	if ((fx->events = json_deep_copy(given->events)) == NULL)
		return (ERR_NOMEM);
	if (given->dice != NULL) {
		if (g->set.is_live && other_beta == NULL)
			return (err_set(e, ERR_ILLEGAL, "dice",
			    "in live-1 dice fall only upon an answer"));
		r = game_dice_throw(g, place, own_beta, other_beta, dice, &t);
		if (r != 0)
			return (r);
		if ((r = game_dice_again(&t, given->dice, &rolls, e)) != 0)
			return (r);
		if ((fx->dice = game_dice_object(&t, rolls)) == NULL)
			return (ERR_NOMEM);
		memcpy(fx->place, place, strlen(place) + 1);
		memcpy(fx->place_pool, g->pool, HASH_LEN);
		if (c->step == 1 &&
		    (r = game_place_count(g, c->id, false)) != 0)
			return (r);
		c->step++;
	}
	game_state_line(g);
	game_read_events(g, given->events);
	return (0);
}

/*
 * live-1 and confirm: the order stands, and the first seat of the other side
 * owes an answer before its dice, or its run (S6.3).
 */
static int
game_owe(struct game *g, const struct order *o, int side,
    const uint8_t own_beta[VRF_BETA_LEN], const struct record_line *given,
    struct game_effects *fx)
{
	struct game_owed *w = &g->owed;
	int to = 3 - side;

	fx->owes = json_pack("{s:i, s:s}", "seat", to, "place", o->place);
	fx->events = json_deep_copy(given->events);
	if (fx->owes == NULL || fx->events == NULL)
		return (ERR_NOMEM);
	w->is_owed = true;
	w->seq = g->seq + 1;
	w->seat = to;
	memcpy(w->place, o->place, strlen(o->place) + 1);
	memcpy(w->own_beta, own_beta, VRF_BETA_LEN);
	w->is_declare = o->kind == ORDER_DECLARE;
	game_state_line(g);
	return (0);
}

/* True for an order that can wait for an answer; a declare then must. */
static bool
game_may_owe(const struct game *g, const struct order *o)
{
	return (
	    g->set.is_live || (g->set.is_confirm && o->kind == ORDER_DECLARE));
}

/* True if this line must stand with `owes` before anything is drawn. */
static bool
game_must_owe(const struct game *g, const struct order *o,
    const struct record_line *given)
{
	return (given != NULL && given->owes != NULL && game_may_owe(g, o));
}

int
game_trust_order(struct game *g, const struct order *o, int side,
    const uint8_t own_beta[VRF_BETA_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	if (game_must_owe(g, o, given))
		return (game_owe(g, o, side, own_beta, given, fx));
	return (game_trust(g, o->place, own_beta, NULL, dice, given, fx, e));
}

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

/* Reads declare's args. */
static int
game_declare_args(
    const struct order *o, const json_t **facts, struct errinfo *e)
{
	static const char *const known[] = {"combat", NULL};
	const struct js_at at = {NULL, "args", 0};

	if (js_members(o->args, &at, known, e) != 0)
		return (ERR_NEWER);
	return (game_illegal(js_get_object(o->args, "combat", &at, facts, e)));
}

/* A declare whose rules are not run here. */
static int
game_declare_trusted(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
{
	uint8_t beta[VRF_BETA_LEN];
	const char *known;
	char id[33];
	int r;

	if ((r = game_check_own(g, o, beta, e)) != 0)
		return (r);
	if ((known = game_place_id(g, o->args)) != NULL)
		(void)snprintf(id, sizeof(id), "%s", known);
	else if ((r = game_place_given_id(o, id, e)) != 0)
		return (r);
	if ((r = game_open_combat(g, o, id)) != 0)
		return (r);
	if (game_may_owe(g, o) && given != NULL && given->owes == NULL)
		return (err_set(e, ERR_ILLEGAL, "owes",
		    "a declare waits for an answer in this game"));
	if (game_must_owe(g, o, given))
		return (game_owe(g, o, game_side_of(o->seat), beta, given, fx));
	return (game_trust(g, o->place, beta, NULL, dice, given, fx, e));
}

int
game_check_combat(const struct game *g, int side, const json_t *combat,
    json_t **facts, struct errinfo *e)
{
	struct combat *run;
	json_t *merged;
	int r;

	if (g->roster == NULL || g->sys == NULL)
		return (err_set(e, ERR_INVALID, "combat",
		    "the game's roster or rules are not at hand"));
	r = roster_merge(g->roster, side, combat, &merged, e);
	if (r != 0)
		return (r);
	r = combat_new(g->sys, &g->settings, merged, &run, e);
	if (r != 0) {
		json_decref(merged);
		return (r);
	}
	combat_free(run);
	*facts = merged;
	return (0);
}

int
game_declare(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
{
	struct game_fight f = {.place = o->place};
	const json_t *declared;
	json_t *facts = NULL;
	int r;

	if ((r = game_declare_args(o, &declared, e)) != 0)
		return (r);
	if (g->is_rules_off)
		return (game_declare_trusted(g, o, dice, given, fx, e));
	r = roster_merge(g->roster, game_side_of(o->seat), declared, &facts, e);
	if (r == 0)
		r = combat_new(g->sys, &g->settings, facts, &f.run, e);
	if (r == 0)
		r = combat_run(f.run, NULL, e);
	if (r == 0)
		r = game_check_own(g, o, f.own_beta, e);
	if (r == 0)
		r = game_fight_on(g, &f, dice, fx, e);
	if (r == 0)
		r = game_open_combat(g, o, game_place_id(g, o->args));
	if (r != 0) {
		combat_free(f.run);
		json_decref(facts);
		return (game_illegal(r));
	}
	g->combat.run = f.run;
	g->combat.facts = facts;
	return (game_settle(g, &f, fx));
}

/* Reads decide's args and checks that this is the question that is open. */
static int
game_decide_args(const struct game *g, const struct order *o,
    const json_t **decision, struct errinfo *e)
{
	static const char *const known[] = {"ask", "decision", NULL};
	const struct js_at at = {NULL, "args", 0};
	int64_t ask;
	int r;

	if (js_members(o->args, &at, known, e) != 0)
		return (ERR_NEWER);
	if ((r = js_get_int(o->args, "ask", &at, 0, JS_INT_MAX, &ask, e)) !=
		0 ||
	    (r = js_get_object(o->args, "decision", &at, decision, e)) != 0)
		return (game_illegal(r));
	if (g->combat.ask_seq >= 0 && ask != g->combat.ask_seq)
		return (err_set(e, ERR_STALE, "args.ask",
		    "the open question is that of line %lld",
		    (long long)g->combat.ask_seq));
	return (0);
}

int
game_decide(struct game *g, const struct order *o, const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	struct game_combat *c = &g->combat;
	struct game_fight f = {
	    c->run, c->n_events, c->n_rolls, o->place, {0}, false};
	const json_t *decision;
	json_t *kept;
	int r;

	if ((r = game_decide_args(g, o, &decision, e)) != 0)
		return (r);
	if (g->is_rules_off) {
		if ((r = game_check_own(g, o, f.own_beta, e)) != 0)
			return (r);
		return (game_trust_order(g, o, game_side_of(o->seat),
		    f.own_beta, dice, given, fx, e));
	}
	if ((r = combat_answer(c->run, decision, e)) != 0)
		return (game_illegal(r));
	if ((r = combat_run(c->run, NULL, e)) == 0)
		r = game_check_own(g, o, f.own_beta, e);
	if (r != 0) {
		combat_unanswer(c->run);
		if (r == ERR_ILLEGAL && combat_run(c->run, NULL, NULL) != 0)
			r = ERR_FAULT;
		return (r);
	}
	if ((r = game_fight_on(g, &f, dice, fx, e)) != 0)
		return (r);
	if ((kept = json_deep_copy(decision)) == NULL ||
	    json_array_append_new(c->decisions, kept) != 0)
		return (ERR_NOMEM);
	return (game_settle(g, &f, fx));
}

/*
 * What the end of a round did, as the line says it, where the rules are not
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
		e = json_string_value(json_object_get(v, "e"));
		if (e == NULL || strcmp(e, "upkeep") != 0)
			return (json_array());
	}
	return (json_deep_copy(events));
}

int
game_end_turn(struct game *g, const struct order *o,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	uint8_t beta[VRF_BETA_LEN];
	int r;

	if (json_object_size(o->args) != 0)
		return (err_set(e, ERR_NEWER, "args",
		    "turn.end has no arguments in this version"));
	if ((r = game_check_own(g, o, beta, e)) != 0 ||
	    (r = game_dice_move(g->pool, beta, 1, fx->pool)) != 0)
		return (r);
	fx->events = g->is_rules_off && given != NULL && game_side(g) == 2
	    ? game_upkeep_given(given->events)
	    : json_array();
	if (fx->events == NULL)
		return (ERR_NOMEM);
	if (game_side(g) == 2 && !g->is_rules_off &&
	    (r = roster_upkeep(g->roster, fx->events)) != 0)
		return (r);
	fx->has_pool = true;
	memcpy(fx->place, o->place, strlen(o->place) + 1);
	memcpy(fx->place_pool, g->pool, HASH_LEN);
	memcpy(g->pool, fx->pool, HASH_LEN);
	g->epoch++;
	g->turn++;
	g->n_counts = 0;
	game_end_combat(g);
	game_state_line(g);
	return (0);
}

/*
 * S3, S6.3: place and other stand together, in an answer of live-1 that
 * agrees, and there alone.
 */
static int
game_answer_proof(const struct game *g, const struct order *o, bool agrees,
    uint8_t beta[VRF_BETA_LEN], struct errinfo *e)
{
	int r;

	if (o->has_other != (o->place != NULL) ||
	    (o->has_other && (!agrees || !g->set.is_live)))
		return (err_set(e, ERR_ILLEGAL, "order.other",
		    "place and proof stand together, in an answer of "
		    "\"live-1\" that agrees"));
	if (!o->has_other)
		return (0);
	if (strcmp(o->place, g->owed.place) != 0)
		return (err_set(e, ERR_ILLEGAL, "order.place",
		    "the line that waits has the place \"%s\"", g->owed.place));
	r = game_dice_check(
	    g, o->seat, "umpire/other/1", o->place, o->other, beta);
	if (r == ERR_PROOF)
		r = err_set(e, ERR_ILLEGAL, "order.other",
		    "the proof does not hold for this place and dice key");
	return (r);
}

/* Reads answer's args and checks that this is the line that waits. */
static int
game_answer_args(const struct game *g, const struct order *o, bool *agrees,
    struct errinfo *e)
{
	static const char *const known[] = {"to", "say", "why", NULL};
	static const char *const says[] = {"agree", "object", NULL};
	const struct js_at at = {NULL, "args", 0};
	int64_t to;
	int say, r;

	if (js_members(o->args, &at, known, e) != 0)
		return (ERR_NEWER);
	if ((r = js_get_int(o->args, "to", &at, 0, JS_INT_MAX, &to, e)) != 0 ||
	    (r = js_get_enum(o->args, "say", &at, says, &say, e)) != 0)
		return (game_illegal(r));
	if (!g->owed.is_owed || to != g->owed.seq || o->seat != g->owed.seat)
		return (err_set(e, ERR_STALE, "args.to",
		    "no answer of this seat to this line is awaited"));
	*agrees = say == 0;
	return (0);
}

int
game_answer(struct game *g, const struct order *o, const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	struct game_owed *w = &g->owed;
	uint8_t other[VRF_BETA_LEN];
	bool agrees = false;
	int r;

	if ((r = game_answer_args(g, o, &agrees, e)) != 0)
		return (r);
	if ((r = game_answer_proof(g, o, agrees, other, e)) != 0)
		return (r);
	w->is_owed = false;
	if (agrees)
		return (game_trust(g, w->place, w->own_beta,
		    o->has_other ? other : NULL, dice, given, fx, e));
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	if (w->is_declare)
		game_end_combat(g);
	game_state_line(g);
	return (0);
}
