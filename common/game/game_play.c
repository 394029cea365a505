/* SPDX-License-Identifier: ISC */
/*
 * Rules that go on (record S5, S6): whatever order or answer lets the open
 * combat continue comes through game_go_on().  The combat has been run
 * without dice before, so that nothing can refuse any longer; standing orders
 * answer, dice fall once with one beta, or an answer is owed first.  A fault
 * of the rules code is recorded with the dice that fell.
 */
#include <stdio.h>
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_facts.h"
#include "common/game/game_int.h"
#include "common/game/game_play.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/combat.h"
#include "common/rules/roster.h"

/* ---- decisions ---- */

/* Gives a decision to the open question and keeps it. */
static int
game_play_give(struct game *g, const json_t *decision, struct errinfo *e)
{
	struct game_combat *c = &g->combat;
	int r;

	if ((r = combat_answer(c->run, decision, e)) != 0)
		return (r);
	return (
	    json_array_append_new(c->decisions, json_deep_copy(decision)) == 0
		? 0
		: ERR_NOMEM);
}

int
game_play_undecide(struct game *g, size_t n)
{
	struct game_combat *c = &g->combat;
	size_t i;

	for (i = json_array_size(c->decisions); i > n; i--) {
		combat_unanswer(c->run);
		(void)json_array_remove(c->decisions, i - 1);
	}
	if (combat_run(c->run, NULL, NULL) != 0 ||
	    combat_status(c->run) != COMBAT_PENDING)
		return (ERR_FAULT);
	return (0);
}

int
game_play_decide(struct game *g, const json_t *decision, struct errinfo *e)
{
	struct game_combat *c = &g->combat;
	int r;

	if ((r = game_play_give(g, decision, e)) != 0)
		return (r);
	r = combat_run(c->run, NULL, e);
	if (r == ERR_INVALID &&
	    game_play_undecide(g, json_array_size(c->decisions) - 1) != 0)
		r = ERR_FAULT;
	return (r);
}

/* The side of the game that a side of the open combat is. */
static int
game_play_side(const struct game *g, bool is_attacker)
{
	return (is_attacker ? g->combat.side : 3 - g->combat.side);
}

/* The side that owes the open question of a run. */
static int
game_play_asked(const struct game *g, const struct combat *run)
{
	return (game_play_side(g, combat_asked_side(run) == COMBAT_ATTACKER));
}

/* ---- questions ---- */

/* A question is open from this line on: one side's, or both sides'. */
static int
game_ask(struct game *g, bool is_secret, int side, const char *kind)
{
	struct game_combat *c = &g->combat;
	size_t n = kind == NULL ? 0 : strlen(kind);

	c->ask_seq = g->seq + 1;
	c->is_secret = is_secret;
	c->ask_side = is_secret ? 0 : side;
	memset(c->ask_kind, 0, sizeof(c->ask_kind));
	if (n <= GAME_KIND_MAX && n > 0)
		memcpy(c->ask_kind, kind, n);
	memset(c->secrets, 0, sizeof(c->secrets));
	c->n_objections = 0;
	if (is_secret || n == 0 || game_fact_is(g, kind))
		return (0);
	return (game_standing_pass(g, side, kind));
}

/* No question is open. */
static void
game_ask_none(struct game *g)
{
	struct game_combat *c = &g->combat;

	c->ask_seq = -1;
	c->ask_side = 0;
	c->is_secret = false;
	memset(c->secrets, 0, sizeof(c->secrets));
}

bool
game_has_default(const struct game *g)
{
	const struct game_combat *c = &g->combat;

	return (c->is_open && !g->owed.is_owed && c->ask_seq >= 0 &&
	    !c->is_secret && g->has_settings &&
	    rules_policy_find(g->sys, c->ask_kind) != NULL &&
	    !rules_is_secret(g->sys, c->ask_kind));
}

/* ---- waiting for an answer ---- */

int
game_owe(struct game *g, const struct game_go *go, const json_t *args)
{
	/* With a witness nothing else waits for an answer but what is shown. */
	const bool is_witness =
	    game_witness(g) != NULL && !game_go_is_shown(g, go);
	const bool is_judged = !is_witness && game_fact_is_judged(g, go);
	struct game_combat *c = &g->combat;
	struct game_owed *w = &g->owed;

	game_owed_clear(g);
	w->seat = go->is_answer ? go->answerer : 3 - game_side_of(go->by);
	if (is_judged)
		w->seat = 0;
	if (is_witness)
		w->seat = GAME_WITNESS;
	go->l->fx->owes =
	    json_pack("{s:i, s:s}", "seat", w->seat, "place", go->place);
	if (go->l->fx->owes == NULL ||
	    (args != NULL && (w->args = json_deep_copy(args)) == NULL))
		return (ERR_NOMEM);
	w->is_owed = true;
	w->seq = g->seq + 1;
	memcpy(w->place, go->place, strlen(go->place) + 1);
	memcpy(w->own_beta, go->own_beta, VRF_BETA_LEN);
	w->kind = go->kind;
	w->by = go->by;
	w->is_final = go->is_final || is_witness;
	w->is_witness = is_witness;
	w->is_facts = go->is_fact || is_judged;
	w->is_judged = is_judged;
	w->is_dated = go->l->o->has_now;
	w->ask_seq = c->ask_seq;
	w->ask_side = c->ask_side;
	w->n_decisions = go->n_decisions;
	w->n_events = c->n_events;
	if (game_is_combat(go->kind))
		game_ask_none(g);
	game_state_line(g);
	return (0);
}

/* ---- the rules run ---- */

int
game_go_begin(
    const struct game *g, const struct game_line *l, struct game_go *go)
{
	const struct order *o = l->o;

	memset(go, 0, sizeof(*go));
	go->kind = o->kind;
	go->by = o->seat;
	go->place = o->place;
	go->l = l;
	go->n_decisions = json_array_size(g->combat.decisions);
	return (game_dice_check_own(g, o, go->own_beta, l->e));
}

/*
 * Has a standing order answer the open question and runs on: 1, or 0 if
 * none answers it.  Its answer is lawful, or the rules code is at fault.
 */
static int
game_go_standing(
    struct game *g, const struct game_go *go, const struct combat_dice *src)
{
	struct combat *run = g->combat.run;
	struct game_standing *s;
	const char *kind;
	json_t *decision;
	int r, word;

	kind = combat_asked_kind(run);
	if (combat_asked_secret(run) || game_fact_is(g, kind))
		return (0);
	/* A verifier learns what acts; the daemon must know all texts. */
	if (go->l->given == NULL &&
	    game_standing_is_lost(g, game_play_asked(g, run)))
		return (err_set(go->l->e, ERR_STORAGE, "",
		    "the text of a standing order is not at hand"));
	r = game_standing_find(g, game_play_asked(g, run), kind, &s, &word);
	if (r != 1)
		return (r);
	if ((r = combat_policy_answer(run, word, &decision)) == 0) {
		r = game_play_give(g, decision, go->l->e);
		json_decref(decision);
	}
	if (r != 0)
		return (r == ERR_NOMEM ? r : ERR_FAULT);
	if ((r = game_standing_act(g, go->l, s, kind)) != 0)
		return (r);
	r = combat_run(run, src, go->l->e);
	if (r == ERR_INVALID)
		r = ERR_FAULT;
	return (r == 0 ? 1 : r);
}

/*
 * Runs on until a question is left open, the combat is over, the rules fail,
 * or a roll must wait for the other side.
 */
static int
game_go_run(
    struct game *g, const struct game_go *go, struct game_throw *t, bool *waits)
{
	const struct combat_dice *from = NULL;
	struct game_effects *fx = go->l->fx;
	struct combat *run = g->combat.run;
	struct combat_dice src;
	int r;

	for (;;) {
		switch (combat_status(run)) {
		case COMBAT_ROLLING:
			if (g->set.is_live && go->other_beta == NULL) {
				*waits = true;
				return (0);
			}
			if ((r = game_dice_throw(g, go, t)) != 0)
				return (r);
			game_dice_source(t, &src);
			from = &src;
			r = combat_run(run, from, go->l->e);
			break;
		case COMBAT_PENDING:
			r = game_go_standing(g, go, from);
			if (r == 0)
				return (0);
			break;
		default:
			return (0);
		}
		if (r == ERR_FAULT && from != NULL) {
			/* The dice that fell are in the record. */
			fx->is_fault = true;
			(void)snprintf(fx->fault, sizeof(fx->fault), "%s",
			    go->l->e == NULL ? "" : go->l->e->text);
			return (0);
		}
		if (r < 0)
			return (r);
	}
}

/* The open combat has drawn: its next line that does has another place. */
static int
game_go_drew(struct game *g)
{
	struct game_combat *c = &g->combat;
	int r;

	if (c->step == 1 && (r = game_place_count(g, c->id, false)) != 0)
		return (r);
	c->step++;
	return (0);
}

/* Puts what a run drew into the effects, and counts its place as used. */
static int
game_go_collect(
    struct game *g, const struct game_go *go, const struct game_throw *t)
{
	struct game_combat *c = &g->combat;
	json_t *rolls;
	int r;

	if (combat_roll_count(c->run) == c->n_rolls)
		return (0);
	if ((r = combat_rolls(c->run, c->n_rolls, &rolls)) != 0 ||
	    (r = game_dice_tell(g, t, rolls, go->l->fx)) != 0)
		return (r);
	c->n_rolls = combat_roll_count(c->run);
	return (game_go_drew(g));
}

/* Takes over what a line did to the open combat. */
static int
game_go_settle(struct game *g, const struct game_effects *fx)
{
	struct game_combat *c = &g->combat;
	json_t *result;
	int r;

	game_ask_none(g);
	game_state_line(g);
	if (fx->is_fault)
		return (0);
	if (combat_status(c->run) == COMBAT_PENDING)
		return (game_ask(g, combat_asked_secret(c->run),
		    game_play_asked(g, c->run), combat_asked_kind(c->run)));
	if ((result = combat_result(c->run)) == NULL)
		return (ERR_NOMEM);
	r = roster_apply(g->roster, c->facts, c->decisions, result);
	json_decref(result);
	if (r == 0)
		game_end_combat(g);
	return (r);
}

bool
game_go_is_shown(const struct game *g, const struct game_go *go)
{
	if (go->is_answer || go->kind != ORDER_DECLARE)
		return (go->is_fact);
	return (g->set.is_confirm ||
	    (game_sides_answer(g) && g->combat.run != NULL &&
		combat_status(g->combat.run) == COMBAT_PENDING));
}

/* game_go_on() where the rules are run. */
static int
game_go_rules(struct game *g, const struct game_go *go)
{
	struct game_effects *fx = go->l->fx;
	struct game_combat *c = &g->combat;
	struct game_throw t = {.place = ""};
	bool is_shown = game_go_is_shown(g, go), waits = is_shown;
	json_t *events;
	int r;

	if (!is_shown && (r = game_go_run(g, go, &t, &waits)) != 0)
		return (r);
	if ((r = combat_events(c->run, c->n_events, &events)) != 0 ||
	    (r = game_effects_events(fx, events)) != 0)
		return (r);
	while (is_shown && json_array_size(fx->events) > 1)
		(void)json_array_remove(fx->events, 1);
	if (waits && (r = game_owe(g, go, NULL)) != 0)
		return (r);
	c->n_events += json_array_size(fx->events);
	if (waits)
		return (0);
	if ((r = game_go_collect(g, go, &t)) != 0)
		return (r);
	return (game_go_settle(g, fx));
}

/* ---- the rules are off ---- */

/* The kind of event number i, "" if there is none. */
static const char *
game_event_kind(const json_t *events, size_t i)
{
	const char *kind;

	kind = js_str(json_array_get(events, i), "e");
	return (kind == NULL ? "" : kind);
}

/* Reads side and kind of a question that an event tells of. */
static int
game_event_ask(const struct game *g, const json_t *ask, const char **kind)
{
	const char *side;

	*kind = js_str(ask, "kind");
	side = js_str(ask, "side");
	return (
	    game_play_side(g, side != NULL && strcmp(side, "attacker") == 0));
}

/* Whether and whom a line that the rules did not run leaves a question to. */
static int
game_trust_events(struct game *g, const json_t *events)
{
	struct game_combat *c = &g->combat;
	size_t n = json_array_size(events);
	const char *kind;
	int side;

	game_ask_none(g);
	c->is_loose = n == 0;
	if (n == 0)
		return (0);
	if (strcmp(game_event_kind(events, n - 1), "result") == 0) {
		game_end_combat(g);
		return (0);
	}
	if (strcmp(game_event_kind(events, n - 1), "ask") != 0)
		return (0);
	side = game_event_ask(g, json_array_get(events, n - 1), &kind);
	/* Two questions at once are a secret choice. */
	return (game_ask(g,
	    n > 1 && strcmp(game_event_kind(events, n - 2), "ask") == 0, side,
	    kind));
}

/* Standing orders act on the questions that a line both asks and answers. */
static int
game_trust_standing(
    struct game *g, const struct game_line *l, const json_t *events)
{
	struct game_standing *s;
	const char *kind;
	size_t i;
	int r, side, word;

	for (i = 0; i + 1 < json_array_size(events); i++) {
		if (strcmp(game_event_kind(events, i), "ask") != 0 ||
		    strcmp(game_event_kind(events, i + 1), "decision") != 0)
			continue;
		side = game_event_ask(g, json_array_get(events, i), &kind);
		if (kind == NULL)
			continue;
		r = game_fact_is(g, kind)
		    ? 0
		    : game_standing_find(g, side, kind, &s, &word);
		if (r == 0 && g->has_settings)
			return (err_set(l->e, ERR_ILLEGAL, "opened",
			    "no standing order answers the question "
			    "\"%.40s\"",
			    kind));
		if (r == 1)
			r = game_standing_act(g, l, s, kind);
		if (r != 0)
			return (r);
	}
	return (0);
}

int
game_trust_roll(struct game *g, const struct game_go *go)
{
	struct game_throw t;
	json_t *rolls;
	int r;

	if (g->set.is_live && go->other_beta == NULL)
		return (err_set(go->l->e, ERR_ILLEGAL, "dice",
		    "in live-1 dice fall only upon an answer"));
	if ((r = game_dice_throw(g, go, &t)) != 0 ||
	    (r = game_dice_again(&t, go->l->given->dice, &rolls, go->l->e)) !=
		0)
		return (r);
	return (game_dice_tell(g, &t, rolls, go->l->fx));
}

/* game_go_on() where the rules are off. */
static int
game_go_trust(struct game *g, const struct game_go *go)
{
	const struct record_line *given = go->l->given;
	struct errinfo *e = go->l->e;
	const char *last;
	bool may_owe, waits;
	size_t n;
	int r;

	if (given == NULL)
		return (err_set(e, ERR_FAULT, "", "the rules are not run"));
	n = json_array_size(given->events);
	last = game_event_kind(given->events, n - 1);
	may_owe = !go->is_answer &&
	    (g->set.is_live || go->is_fact ||
		(g->set.is_confirm && go->kind == ORDER_DECLARE));
	/* An answer's line waits again where a standing order led to a roll. */
	waits = given->owes != NULL &&
	    (may_owe ||
		(go->is_answer && g->set.is_live && go->other_beta == NULL));
	/* In live-1 a combat without a roll or a question waits for nobody. */
	if (may_owe && !waits && go->kind == ORDER_DECLARE &&
	    (g->set.is_confirm || given->dice != NULL ||
		(game_sides_answer(g) && strcmp(last, "result") != 0)))
		return (err_set(e, ERR_ILLEGAL, "owes",
		    "a declare waits for an answer in this game"));
	if (go->is_fact && (!waits || n != 1 || strcmp(last, "decision") != 0))
		return (err_set(e, ERR_ILLEGAL, "owes",
		    "a decision of this kind waits for an answer in this game, "
		    "and tells of itself alone"));
	if ((r = game_effects_events(
		 go->l->fx, json_deep_copy(given->events))) != 0 ||
	    (r = game_trust_standing(g, go->l, given->events)) != 0)
		return (r);
	/*
	 * A declaration that must be confirmed tells only the facts, and
	 * nothing that waits tells a question or a result.
	 */
	if (waits &&
	    ((g->set.is_confirm && go->kind == ORDER_DECLARE &&
		 !go->is_answer && (n != 1 || strcmp(last, "combat") != 0)) ||
		strcmp(last, "ask") == 0 || strcmp(last, "result") == 0))
		return (err_set(e, ERR_ILLEGAL, "owes",
		    "the line tells other things than what waits for an "
		    "answer"));
	if (waits)
		return (game_owe(g, go, NULL));
	if (given->dice != NULL) {
		r = game_trust_roll(g, go);
		if (r == 0)
			r = game_go_drew(g);
	} else if (go->other_beta != NULL) {
		r = err_set(e, ERR_ILLEGAL, "order.other",
		    "the answer carries a proof, and no dice fall");
	}
	if (r != 0)
		return (r);
	game_state_line(g);
	return (game_trust_events(g, given->events));
}

int
game_go_on(struct game *g, const struct game_go *go)
{
	return (g->is_rules_off ? game_go_trust(g, go) : game_go_rules(g, go));
}

/* ---- claim by default ---- */

int
game_go_default(struct game *g, const struct game_line *l)
{
	struct game_go go;
	json_t *decision;
	int r;

	if ((r = game_go_begin(g, l, &go)) != 0)
		return (r);
	/* The silent side could object for ever. */
	go.is_final = true;
	if (g->is_rules_off)
		return (game_go_on(g, &go));
	if ((r = combat_policy_answer(g->combat.run, 0, &decision)) != 0)
		return (r == ERR_NOMEM ? r : ERR_FAULT);
	r = game_play_decide(g, decision, l->e);
	json_decref(decision);
	if (r != 0)
		return (r == ERR_NOMEM ? r : ERR_FAULT);
	return (game_go_on(g, &go));
}

/* ---- reading back ---- */

int
game_play_rebuild(struct game *g, const json_t *rolls, struct errinfo *e)
{
	struct game_combat *c = &g->combat;
	const json_t *decision;
	size_t i;
	int r;

	r = combat_new(g->sys, &g->settings, c->facts, &c->run, e);
	if (r == 0)
		r = combat_restore_rolls(c->run, rolls, e);
	if (r == 0)
		r = combat_run(c->run, NULL, e);
	json_array_foreach(c->decisions, i, decision)
	{
		if (r == 0)
			r = combat_answer(c->run, decision, e);
		if (r == 0)
			r = combat_run(c->run, NULL, e);
	}
	if (r != 0)
		return (r);
	c->n_rolls = combat_roll_count(c->run);
	if (g->owed.is_owed)
		return (0);
	if (combat_status(c->run) != COMBAT_PENDING)
		return (err_set(e, ERR_INVALID, "combat", "does not wait"));
	(void)snprintf(
	    c->ask_kind, sizeof(c->ask_kind), "%s", combat_asked_kind(c->run));
	return (0);
}
