/* SPDX-License-Identifier: ISC */
/*
 * Secret choices (record S8): both sides commit to an answer, then both are
 * opened at once.  What is held of a choice whose counterpart is not in yet
 * never enters an effect, a view or an error of the other side.
 */
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/game/game_play.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/rules/combat.h"

bool
game_commit_is_fresh(const struct game *g, const struct order *o)
{
	const struct game_combat *c = &g->combat;
	const int side = game_side_of(o->seat);
	const struct game_secret *other;

	if (g->state_seq <= o->after)
		return (true);
	if (side == 0 || !c->is_open)
		return (false);
	other = &c->secrets[3 - side];
	return (other->is_committed && other->seq == g->state_seq &&
	    o->after >= other->state_before);
}

/* The combat's side that a side of the game fights on. */
static enum combat_side
game_secret_part(const struct game *g, int side)
{
	return (side == g->combat.side ? COMBAT_ATTACKER : COMBAT_DEFENDER);
}

enum order_kind
game_secret_owed(const struct game *g, int seat, int64_t *ask)
{
	const struct game_combat *c = &g->combat;
	const struct game_secret *own, *other;
	int side = game_side_of(seat);

	if (g->phase != GAME_PLAY || !c->is_open || !c->is_secret || side == 0)
		return (ORDER_UNKNOWN);
	own = &c->secrets[side];
	other = &c->secrets[3 - side];
	*ask = c->ask_seq;
	if (!own->is_committed)
		return (ORDER_COMMIT);
	if (g->set.is_sealed && other->is_committed && !own->is_open)
		return (ORDER_OPEN);
	return (ORDER_UNKNOWN);
}

int
game_check_decision(
    const struct game *g, int seat, const json_t *decision, struct errinfo *e)
{
	const struct game_combat *c = &g->combat;
	const int side = game_side_of(seat);

	if (g->phase != GAME_PLAY || !c->is_open || c->ask_seq < 0 ||
	    side == 0 || (!c->is_secret && c->ask_side != side))
		return (err_set(e, ERR_STALE, "",
		    "no decision is awaited from seat %d", seat));
	if (c->run == NULL)
		return (ERR_MISSING);
	return (
	    combat_check_of(c->run, game_secret_part(g, side), decision, e));
}

/* Checks that the text of a choice is a lawful decision of its side. */
static int
game_secret_check(const struct game *g, int side, const char *text,
    const struct js_at *at, struct errinfo *e)
{
	const struct js_at text_at = {at, "text", 0};
	struct errinfo why = {.text = ""};
	json_t *decision;
	int r;

	r = js_load(text, strlen(text), JS_DEPTH_RECORD, &decision, &why);
	if (r == ERR_NOMEM)
		return (r);
	if (r != 0) {
		(void)js_fail_member(
		    at, "text", e, "%s: %s", why.where, why.text);
		return (ERR_ILLEGAL);
	}
	if (!json_is_object(decision)) {
		r = js_fail_member(at, "text", e, "a choice is an object");
	} else if (!g->is_rules_off) {
		r = combat_check_of(
		    g->combat.run, game_secret_part(g, side), decision, e);
		if (r == ERR_INVALID)
			js_within(&text_at, e);
	}
	json_decref(decision);
	return (game_illegal(r));
}

/* Opens one choice: it must be what was committed, and lawful. */
static int
game_secret_open(struct game *g, struct game_secret *s, int side,
    const uint8_t *salt, const char *text, const struct js_at *at,
    struct errinfo *e)
{
	uint8_t commit[HASH_LEN];
	size_t len = strlen(text);
	int r;

	if (len > GAME_HELD_MAX) {
		(void)js_fail_member(at, "text", e,
		    "a choice has at most %d bytes", GAME_HELD_MAX);
		return (ERR_ILLEGAL);
	}
	r = record_secret(commit, g->create.game, s->seat, g->combat.ask_seq,
	    salt, text, len);
	if (r != 0)
		return (r);
	if (memcmp(commit, s->commit, HASH_LEN) != 0) {
		(void)js_fail(
		    at, e, "this is not the choice that was committed");
		return (ERR_MISSING);
	}
	if ((r = game_secret_check(g, side, text, at, e)) != 0)
		return (r);
	s->is_open = true;
	memcpy(s->salt, salt, RECORD_SALT_LEN);
	memcpy(s->text, text, len + 1);
	return (0);
}

/* A signed opening, or one in the record, that does not hold is unlawful. */
static int
game_secret_unlawful(int r)
{
	return (r == ERR_MISSING ? ERR_ILLEGAL : game_illegal(r));
}

/* Opens a choice from an object {...,"salt","text"}. */
static int
game_secret_open_json(struct game *g, struct game_secret *s, int side,
    const json_t *open, const struct js_at *at, struct errinfo *e)
{
	uint8_t salt[RECORD_SALT_LEN];
	const char *text;
	int r;

	if ((r = js_get_hex(open, "salt", at, salt, sizeof(salt), e)) != 0 ||
	    (r = js_get_str(open, "text", at, &text, e)) != 0)
		return (r);
	return (game_secret_open(g, s, side, salt, text, at, e));
}

int
game_hold(struct game *g, const struct game_held *held)
{
	static const struct js_at at = {NULL, "open", 0};
	const int side = game_side_of(held->seat);
	struct game_secret *s;

	if (side == 0 || !game_has_held(g))
		return (ERR_INVALID);
	s = &g->combat.secrets[side];
	if (!s->is_committed || s->seat != held->seat ||
	    held->ask != g->combat.ask_seq)
		return (ERR_INVALID);
	return (
	    game_secret_open(g, s, side, held->salt, held->text, &at, NULL));
}

/* Reads commit's args and proof into *s. */
static int
game_commit_read(const struct game *g, const struct order *o,
    struct game_secret *s, struct errinfo *e)
{
	const struct game_combat *c = &g->combat;
	bool is_attacker = game_side_of(o->seat) == c->side;
	int64_t ask;
	int r;

	if ((r = js_get_int(o->args, "ask", &order_at_args, 0, JS_INT_MAX, &ask,
		 e)) != 0 ||
	    (r = js_get_hex(o->args, "commit", &order_at_args, s->commit,
		 HASH_LEN, e)) != 0)
		return (game_illegal(r));
	if (c->ask_seq >= 0 && ask != c->ask_seq)
		return (err_set(e, ERR_STALE, "order.args.ask",
		    "the open question is that of line %lld",
		    (long long)c->ask_seq));
	if (o->has_own != is_attacker)
		return (err_set(e, ERR_ILLEGAL, "order.own",
		    "the attacker's commit carries a proof, the defender's "
		    "none"));
	s->is_committed = true;
	s->seq = g->seq + 1;
	s->state_before = g->state_seq;
	s->seat = o->seat;
	return (is_attacker ? game_dice_check_own(g, o, s->own_beta, e) : 0);
}

/* One element of `opened`; new, NULL without memory. */
static json_t *
game_opened_one(const struct game_secret *s)
{
	return (json_pack("{s:i, s:o, s:s}", "seat", s->seat, "salt",
	    js_hex(s->salt, RECORD_SALT_LEN), "text", s->text));
}

/* Gives the rules one side's choice. */
static int
game_secret_answer(struct game *g, int side, struct errinfo *e)
{
	const struct game_secret *s = &g->combat.secrets[side];
	json_t *decision;
	int r;

	r = js_load(s->text, strlen(s->text), JS_DEPTH_RECORD, &decision, e);
	if (r != 0)
		return (r);
	r = game_play_decide(g, decision, e);
	json_decref(decision);
	return (r);
}

/*
 * Both choices are known: the rules go on from them, with the attacker's
 * contribution, in whatever order they came (S8).
 */
static int
game_secret_go(struct game *g, const struct game_line *l)
{
	const struct game_secret *s = &g->combat.secrets[g->combat.side];
	struct game_go go = {.kind = l->o->kind,
	    .by = s->seat,
	    .place = l->o->place,
	    .is_final = true,
	    .n_decisions = json_array_size(g->combat.decisions),
	    .l = l};
	int r;

	memcpy(go.own_beta, s->own_beta, VRF_BETA_LEN);
	/* Each was found lawful by itself, so a failure is not a refusal. */
	if (!g->is_rules_off &&
	    ((r = game_secret_answer(g, g->combat.side, l->e)) != 0 ||
		(r = game_secret_answer(g, 3 - g->combat.side, l->e)) != 0))
		return (r == ERR_INVALID || r == ERR_ILLEGAL ? ERR_FAULT : r);
	return (game_go_on(g, &go));
}

/* A verifier finds both openings in the line of the second commit. */
static int
game_commit_given(
    struct game *g, const struct game_line *l, struct game_secret s[3])
{
	const struct js_at list = {NULL, "opened", 0};
	struct js_at at = {.up = &list};
	const json_t *one;
	int64_t seat, last = 0;
	int r, side;

	for (; at.index < 2; at.index++) {
		one = json_array_get(l->given->opened, at.index);
		r = js_get_int(
		    one, "seat", &at, 1, GAME_SEATS - 1, &seat, l->e);
		if (r != 0)
			return (ERR_ILLEGAL);
		side = game_side_of((int)seat);
		if (s[side].seat != (int)seat || seat <= last)
			return (err_set(l->e, ERR_ILLEGAL, "opened",
			    "not both choices, ascending by seat"));
		last = seat;
		r = game_secret_open_json(g, &s[side], side, one, &at, l->e);
		if (r != 0)
			return (game_secret_unlawful(r));
	}
	return (0);
}

int
game_commit(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	static const struct js_at at = {NULL, "open", 0};
	const int side = game_side_of(o->seat);
	struct game_combat *c = &g->combat;
	struct game_secret s[3];
	bool is_second;
	int r, first;

	/* On a copy, so that a refusal changes nothing. */
	memcpy(s, c->secrets, sizeof(s));
	is_second = s[3 - side].is_committed;
	if ((r = game_commit_read(g, o, &s[side], l->e)) != 0)
		return (r);
	if (g->set.is_sealed && o->open != NULL)
		return (err_set(l->e, ERR_MISSING, "open",
		    "secrets are sealed in this game: the choice stays with "
		    "its player"));
	if (!g->set.is_sealed && l->given == NULL) {
		if (o->open == NULL)
			return (err_set(l->e, ERR_MISSING, "open",
			    "secrets are held in this game: the choice comes "
			    "beside the order"));
		r = game_secret_open_json(
		    g, &s[side], side, o->open, &at, l->e);
		if (r != 0)
			return (game_illegal(r));
	}
	if (!g->set.is_sealed && is_second && l->given != NULL &&
	    (r = game_commit_given(g, l, s)) != 0)
		return (r);
	if (!g->set.is_sealed && is_second && !s[3 - side].is_open)
		return (err_set(l->e, ERR_STORAGE, "",
		    "the other side's choice is not at hand"));
	if ((r = game_commit_note(g, o->seat, s[side].commit, l->e)) != 0)
		return (r);
	memcpy(c->secrets, s, sizeof(s));
	if (!is_second || g->set.is_sealed) {
		/* The other side's must follow: nothing is told. */
		if (s[side].is_open) {
			l->fx->has_held = true;
			l->fx->held.seat = s[side].seat;
			l->fx->held.ask = c->ask_seq;
			memcpy(l->fx->held.salt, s[side].salt, RECORD_SALT_LEN);
			memcpy(l->fx->held.text, s[side].text,
			    sizeof(s[side].text));
		}
		game_state_line(g);
		return (0);
	}
	/* Both are opened, ascending by seat. */
	first = s[1].seat < s[2].seat ? 1 : 2;
	l->fx->opened = json_pack("[o, o]", game_opened_one(&s[first]),
	    game_opened_one(&s[3 - first]));
	return (l->fx->opened == NULL ? ERR_NOMEM : game_secret_go(g, l));
}

/* Reads open's args; the choice must be one that is waited for. */
static int
game_open_read(struct game *g, const struct order *o, struct game_secret *s,
    struct errinfo *e)
{
	uint8_t beta[VRF_BETA_LEN];
	int64_t ask, owed = -1;
	int r;

	if ((r = js_get_int(
		 o->args, "ask", &order_at_args, 0, JS_INT_MAX, &ask, e)) != 0)
		return (game_illegal(r));
	if (game_secret_owed(g, o->seat, &owed) != ORDER_OPEN || ask != owed)
		return (err_set(e, ERR_STALE, "order.args.ask",
		    "no choice of this seat to this line waits to be opened"));
	if (s->seat != o->seat)
		return (err_set(e, ERR_STALE, "order.seat",
		    "seat %d has committed, so it is the one to open",
		    s->seat));
	if (o->has_own && game_side_of(o->seat) != g->combat.side)
		return (err_set(e, ERR_ILLEGAL, "order.own",
		    "only the attacker has a proof here"));
	if (o->has_own && (r = game_dice_check_own(g, o, beta, e)) != 0)
		return (r);
	return (game_secret_unlawful(game_secret_open_json(
	    g, s, game_side_of(o->seat), o->args, &order_at_args, e)));
}

int
game_open(struct game *g, const struct game_line *l)
{
	const int side = game_side_of(l->o->seat);
	struct game_secret s = g->combat.secrets[side];
	int r;

	if ((r = game_open_read(g, l->o, &s, l->e)) != 0)
		return (r);
	g->combat.secrets[side] = s;
	if (g->combat.secrets[3 - side].is_open)
		return (game_secret_go(g, l));
	game_state_line(g);
	return (0);
}
