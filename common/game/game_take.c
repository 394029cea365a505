/* SPDX-License-Identifier: ISC */
/*
 * Taking an order, in the order of checks that record S5 gives: the key of
 * the seat, the rules of its class, then what its kind does.
 */
#include <string.h>

#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

/* S8: a side may commit to its answer once, where it is asked in secret. */
static int
game_check_commit(
    const struct game *g, const struct order *o, struct errinfo *e)
{
	const struct game_combat *c = &g->combat;
	int side = game_side_of(o->seat);

	if (!c->is_open)
		return (err_set(e, ERR_STALE, "", "no decision is owed"));
	if (!c->is_secret && !c->is_loose)
		return (err_set(e, ERR_ILLEGAL, "order.kind",
		    "this question is answered openly, by a decide"));
	if (side == 0 || c->secrets[side].is_committed)
		return (err_set(e, ERR_STALE, "order.seat",
		    "no commit of this seat is awaited"));
	return (0);
}

int
game_check_phase(const struct game *g, struct errinfo *e)
{
	if (g->phase == GAME_MUSTER)
		return (
		    err_set(e, ERR_STALE, "", "the game has not started yet"));
	if (g->phase != GAME_PLAY)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is over; only talk and close are taken"));
	return (0);
}

/* S5, class turn: who may give which turn order now. */
static int
game_check_turn(const struct game *g, const struct order *o, struct errinfo *e)
{
	const struct game_combat *c = &g->combat;
	bool in_combat = c->is_open && !c->is_loose;
	int r, side = game_side_of(o->seat);

	if (o->kind == ORDER_COMMIT ? !game_commit_is_fresh(g, o)
				    : g->state_seq > o->after)
		return (err_set(e, ERR_STALE, "order.after",
		    "the game has moved on since line %lld",
		    (long long)o->after));
	if ((r = game_check_phase(g, e)) != 0)
		return (r);
	if (g->owed.is_owed)
		return (err_set(e, ERR_STALE, "",
		    "line %lld waits for an answer first",
		    (long long)g->owed.seq));
	if (o->kind == ORDER_COMMIT)
		return (game_check_commit(g, o, e));
	if (o->kind == ORDER_DECIDE) {
		if (c->is_open && c->is_secret)
			return (err_set(e, ERR_ILLEGAL, "order.kind",
			    "this question is answered in secret, by a "
			    "commit"));
		if (!c->is_open)
			return (
			    err_set(e, ERR_STALE, "", "no decision is owed"));
		if (side == 0 || (c->ask_side != 0 && c->ask_side != side))
			return (err_set(e, ERR_STALE, "order.seat",
			    "the decision is the other side's"));
		return (0);
	}
	if (in_combat)
		return (err_set(e, ERR_ILLEGAL, "",
		    "a combat is open; it waits for a decision first"));
	if (side != game_side(g))
		return (err_set(
		    e, ERR_STALE, "order.seat", "it is the other side's turn"));
	return (0);
}

/* The place must be the one that the record now calls for (S5, S6.1). */
static int
game_check_place(const struct game *g, const struct order *o, struct errinfo *e)
{
	char place[ORDER_PLACE_MAX + 1], id[33];
	int r;

	r = game_place(g, o->seat, o->kind, o->args, place, e);
	if (r == ERR_INVALID) {
		/* Rules that are not here may write their facts otherwise. */
		if (g->has_settings || o->kind != ORDER_DECLARE)
			return (ERR_ILLEGAL);
		if ((r = game_place_given_id(o, id, e)) == 0)
			game_place_first(g, id, place);
	}
	if (r == 0 && strcmp(place, o->place) != 0)
		r = err_set(e, ERR_STALE, "order.place",
		    "the record now calls for the place \"%s\"", place);
	return (r);
}

/* Takes a turn order. */
static int
game_take_turn(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
{
	int r;

	if ((r = game_check_turn(g, o, e)) != 0 ||
	    (r = game_check_place(g, o, e)) != 0)
		return (r);
	switch (o->kind) {
	case ORDER_DECLARE:
		return (game_declare(g, o, dice, given, fx, e));
	case ORDER_DECIDE:
		return (game_decide(g, o, dice, given, fx, e));
	case ORDER_COMMIT:
		return (game_commit(g, o, dice, given, fx, e));
	case ORDER_UPKEEP:
		return (game_upkeep(g, o, dice, given, fx, e));
	case ORDER_FREE:
		return (game_free_roll(g, o, dice, given, fx, e));
	default:
		return (game_end_turn(g, o, given, fx, e));
	}
}

/* The last ready starts the game: the pool moves (S6.5). */
static int
game_start(struct game *g, struct game_effects *fx)
{
	uint8_t betas[GAME_SEATS * VRF_BETA_LEN];
	size_t n = 0;
	int i, r;

	for (i = 0; i < GAME_SEATS; i++) {
		if (!game_is_seat(g, i))
			continue;
		memcpy(betas + n * VRF_BETA_LEN, g->seats[i].ready_beta,
		    VRF_BETA_LEN);
		n++;
	}
	if ((r = game_dice_move(g->pool, betas, n, fx->pool)) != 0)
		return (r);
	fx->has_pool = true;
	game_place_pool(g, fx->place);
	memcpy(fx->place_pool, g->pool, HASH_LEN);
	memcpy(g->pool, fx->pool, HASH_LEN);
	g->epoch++;
	g->phase = GAME_PLAY;
	g->turn = 1;
	game_offer_clear(g);
	game_state_line(g);
	game_clock_start(g, g->now_ms);
	return (0);
}

/* Takes a ready. */
static int
game_take_ready(struct game *g, const struct order *o, struct game_effects *fx,
    struct errinfo *e)
{
	struct game_seat *s = &g->seats[o->seat];
	char place[ORDER_PLACE_MAX + 1];
	uint8_t beta[VRF_BETA_LEN];
	int i, r;

	game_place_pool(g, place);
	if (g->phase != GAME_MUSTER || s->is_ready ||
	    strcmp(place, o->place) != 0)
		return (err_set(e, ERR_STALE, "",
		    "the record does not wait for a ready of seat %d",
		    o->seat));
	if (!game_is_full(g))
		return (err_set(e, ERR_ILLEGAL, "",
		    "ready comes when all seats are taken; one is free"));
	r = game_dice_check(g, o, GAME_DICE_OWN, place, o->own, beta);
	if (r == ERR_PROOF)
		return (err_set(e, ERR_ILLEGAL, "order.own",
		    "the proof does not hold for this place and dice key"));
	if (r != 0)
		return (r);
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	s->is_ready = true;
	g->has_ready = true;
	memcpy(s->ready_beta, beta, VRF_BETA_LEN);
	for (i = 0; i < GAME_SEATS; i++) {
		if (game_is_seat(g, i) && !g->seats[i].is_ready)
			return (0);
	}
	return (game_start(g, fx));
}

/* Takes a resignation: it ends the game, or cancels one not begun. */
static int
game_take_resign(struct game *g, const struct order *o, struct errinfo *e)
{
	int side = game_side_of(o->seat);

	if (g->phase == GAME_OVER)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is over; only talk and close are taken"));
	if (side == 0)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the director cannot resign for a side"));
	if (g->phase == GAME_MUSTER)
		game_decide_end(g, 0, "cancel");
	else
		game_decide_end(g, 3 - side, "resign");
	return (0);
}

/* True if this close would be the one of the second side. */
static bool
game_is_last_close(const struct game *g, int seat)
{
	int i, side = game_side_of(seat);

	for (i = 1; i < GAME_SEATS; i++) {
		if (g->seats[i].close_seq >= 0 && side != 0 &&
		    game_side_of(i) != side)
			return (true);
	}
	return (false);
}

/* Takes a close; the second side's finishes the record. */
static int
game_take_close(struct game *g, const struct order *o,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	int r;

	if (g->owed.is_owed)
		return (err_set(e, ERR_ILLEGAL, "",
		    "line %lld waits for an answer first",
		    (long long)g->owed.seq));
	if (g->seats[o->seat].close_seq >= 0)
		return (err_set(e, ERR_ILLEGAL, "",
		    "seat %d has closed already, in line %lld", o->seat,
		    (long long)g->seats[o->seat].close_seq));
	if (!game_is_last_close(g, o->seat)) {
		g->seats[o->seat].close_seq = g->seq + 1;
		return (0);
	}
	if ((r = game_standing_open_all(g, given, fx, e)) != 0)
		return (r);
	g->seats[o->seat].close_seq = g->seq + 1;
	if (g->how == NULL)
		g->how = "stopped";
	g->phase = GAME_FINISHED;
	game_end_combat(g);
	game_offer_clear(g);
	return (0);
}

/* Takes resign and close. */
static int
game_take_end(struct game *g, const struct order *o,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	if (g->state_seq > o->after)
		return (err_set(e, ERR_STALE, "order.after",
		    "the game has moved on since line %lld",
		    (long long)o->after));
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	if (o->kind == ORDER_RESIGN)
		return (game_take_resign(g, o, e));
	return (game_take_close(g, o, given, fx, e));
}

/* Takes a chat: nothing changes. */
static int
game_take_chat(
    const struct order *o, struct game_effects *fx, struct errinfo *e)
{
	static const char *const to[] = {"side", NULL};
	const struct js_at at = {NULL, "args", 0};
	uint8_t ref[HASH_LEN];
	int side = -1;

	if (js_get_hex(o->args, "ref", &at, ref, HASH_LEN, e) != 0 ||
	    js_opt_enum(o->args, "to", &at, to, &side, e) != 0)
		return (ERR_ILLEGAL);
	if (side == 0 && o->seat == 0)
		return (err_set(e, ERR_ILLEGAL, "args.to",
		    "the director has no side to talk to alone"));
	fx->events = json_array();
	return (fx->events == NULL ? ERR_NOMEM : 0);
}

/* Takes the opening of a sealed choice. */
static int
game_take_open(struct game *g, const struct order *o,
    const struct game_dice *dice, const struct record_line *given,
    struct game_effects *fx, struct errinfo *e)
{
	int r;

	if (g->owed.is_owed)
		return (err_set(e, ERR_STALE, "",
		    "line %lld waits for an answer first",
		    (long long)g->owed.seq));
	if (!g->combat.is_open)
		return (err_set(
		    e, ERR_STALE, "args.ask", "no choice waits to be opened"));
	if ((r = game_check_place(g, o, e)) != 0)
		return (r);
	return (game_open(g, o, dice, given, fx, e));
}

/* Takes what a side says to the other, or both to the director. */
static int
game_take_talk(struct game *g, const struct order *o,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	switch (o->kind) {
	case ORDER_CHAT:
		return (game_take_chat(o, fx, e));
	case ORDER_PROPOSE:
		return (game_propose(g, o, given, fx, e));
	case ORDER_OFFER:
		return (game_make_offer(g, o, fx, e));
	case ORDER_STANDING:
		return (game_take_standing(g, o, given, fx, e));
	case ORDER_CUP:
		return (game_cup(g, o, fx, e));
	default:
		return (game_note(g, o, fx, e));
	}
}

/* Takes an order by its kind. */
static int
game_take_kind(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	switch (o->kind) {
	case ORDER_CREATE:
		return (err_set(
		    e, ERR_ILLEGAL, "order.kind", "a game is created once"));
	case ORDER_JOIN:
		if ((fx->events = json_array()) == NULL)
			return (ERR_NOMEM);
		return (game_join(g, o, key, given == NULL, e));
	case ORDER_READY:
		return (game_take_ready(g, o, fx, e));
	case ORDER_DECLARE:
	case ORDER_DECIDE:
	case ORDER_COMMIT:
	case ORDER_UPKEEP:
	case ORDER_FREE:
	case ORDER_TURN_END:
		return (game_take_turn(g, o, dice, given, fx, e));
	case ORDER_RULING:
		return (game_ruling(g, o, fx, e));
	case ORDER_RESIGN:
	case ORDER_CLOSE:
		return (game_take_end(g, o, given, fx, e));
	case ORDER_CLAIM:
		return (game_claim(g, o, dice, given, fx, e));
	case ORDER_PAUSE:
		return (game_pause(g, o, fx, e));
	case ORDER_OPEN:
		return (game_take_open(g, o, dice, given, fx, e));
	case ORDER_ANSWER:
		return (game_answer(g, o, dice, given, fx, e));
	case ORDER_ACCEPT:
		return (game_accept(g, o, fx, e));
	default:
		return (game_take_talk(g, o, given, fx, e));
	}
}

/* What every line does to what waits: offers lapse, clocks go on. */
static int
game_take_settle(
    struct game *g, const struct order *o, const struct game_effects *fx)
{
	bool is_state = g->state_seq == g->seq + 1;
	bool is_move = order_class_of(o->kind) == ORDER_CLASS_TURN ||
	    o->kind == ORDER_OPEN;
	int r;

	if ((r = game_undo_note(g)) != 0)
		return (r);
	/* Replies let no offer lapse: both sides may have several. */
	if (is_move && game_side_of(o->seat) != 0)
		game_offer_lapse(g, game_side_of(o->seat));
	game_clock_settle(g, g->now_ms, is_state,
	    is_state && o->kind != ORDER_RULING &&
		(o->kind != ORDER_ACCEPT || fx->has_pool));
	return (0);
}

int
game_check_known(const struct game *g, const struct order *o, struct errinfo *e)
{
	static const char *const plain[] = {"unit", "do", NULL};
	const char *const *upkeep = NULL;

	/* A system that is not here has upkeep orders of its own. */
	if (g != NULL && g->sys != NULL)
		upkeep =
		    g->sys->upkeep_args != NULL ? g->sys->upkeep_args : plain;
	return (order_check_known(o, upkeep, e));
}

int
game_take(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	int r = 0;

	memset(fx, 0, sizeof(*fx));
	fx->freed_seat = -1;
	if ((r = game_check_known(g, o, e)) != 0)
		return (r);
	if (o->kind != ORDER_JOIN && o->kind != ORDER_CREATE &&
	    !game_has_key(g, o->seat, key))
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the key is not one of seat %d", o->seat));
	if (g->phase == GAME_FINISHED)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is closed; no line may follow"));
	g->now_ms = o->at_ms > g->at_ms ? o->at_ms : g->at_ms;
	if (given != NULL)
		r = game_standing_give(g, given);
	if (r == 0)
		r = game_take_kind(g, o, key, dice, given, fx, e);
	if (r == 0)
		r = game_take_settle(g, o, fx);
	if (r != 0)
		game_effects_clear(fx);
	return (r);
}

/* Play stops by a server line: nothing waits for anything any more. */
static void
game_stop(struct game *g)
{
	game_owed_clear(g);
	game_end_combat(g);
	game_offer_clear(g);
	game_state_line(g);
	game_clock_settle(g, g->at_ms, true, true);
}

int
game_take_server(
    struct game *g, const char *what, const json_t *data, struct errinfo *e)
{
	static const char *const fault_names[] = {"seq", "text", NULL};
	const struct js_at at = {NULL, "data", 0};
	struct errinfo why;
	const char *text;
	int64_t seq;

	if (g->phase == GAME_FINISHED)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is closed; no line may follow"));
	if (strcmp(what, "closed") == 0) {
		if (g->how == NULL)
			g->how = "closed";
		g->phase = GAME_FINISHED;
		game_stop(g);
		return (0);
	}
	if (strcmp(what, "fault") != 0)
		return (err_set(e, ERR_NEWER, "what",
		    "server lines of the kind \"%.32s\" are not in this "
		    "version",
		    what));
	if (js_members(data, &at, fault_names, e) != 0 ||
	    js_get_int(data, "seq", &at, 0, JS_INT_MAX, &seq, e) != 0 ||
	    js_get_str(data, "text", &at, &text, e) != 0)
		return (ERR_ILLEGAL);
	if (seq != g->seq)
		return (err_set(e, ERR_ILLEGAL, "data.seq",
		    "a fault stands right after its line"));
	(void)err_set(&why, ERR_NEWER, "",
	    "the rules code failed in line %lld, which halted the game",
	    (long long)seq);
	game_uncheckable(g, ERR_NEWER, &why);
	g->is_halted = true;
	g->phase = GAME_HALTED;
	game_stop(g);
	return (0);
}
