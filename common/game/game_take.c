/* SPDX-License-Identifier: ISC */
/*
 * Taking an order, in the order of checks that record S5 gives: the key of
 * the seat, the rules of its class, then what its kind does.
 */
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"
#include "common/record/record.h"

/* S5, class turn: who may give which turn order now. */
static int
game_check_turn(const struct game *g, const struct order *o, struct errinfo *e)
{
	const struct game_combat *c = &g->combat;
	bool in_combat = c->is_open && !c->is_loose;
	int r, side = game_side_of(o->seat);

	if (!(o->kind == ORDER_COMMIT && game_commit_is_fresh(g, o)) &&
	    (r = game_check_after(g, o, e)) != 0)
		return (r);
	if ((r = game_check_phase(g, e)) != 0 ||
	    (r = game_check_owed(g, ERR_STALE, e)) != 0)
		return (r);
	if ((o->kind == ORDER_COMMIT || o->kind == ORDER_DECIDE) && !c->is_open)
		return (err_set(e, ERR_STALE, "", "no decision is owed"));
	/* S8: once, where the question is asked in secret. */
	if (o->kind == ORDER_COMMIT) {
		if (!c->is_secret && !c->is_loose)
			return (err_set(e, ERR_ILLEGAL, "order.kind",
			    "this question is answered openly, with a decide"));
		if (side == 0 || c->secrets[side].is_committed)
			return (err_set(e, ERR_STALE, "order.seat",
			    "no commit is awaited from this seat"));
		return (0);
	}
	if (o->kind == ORDER_DECIDE) {
		if (c->is_secret)
			return (err_set(e, ERR_ILLEGAL, "order.kind",
			    "this question is answered in secret, with a "
			    "commit"));
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

/* Takes a ready. */
static int
game_take_ready(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct game_seat *s = &g->seats[game_slot(o->seat)];
	uint8_t beta[VRF_BETA_LEN], betas[GAME_SLOTS * VRF_BETA_LEN];
	char place[ORDER_PLACE_MAX + 1];
	size_t n = 0;
	int i, r;

	game_place_pool(g, place);
	if ((g->later.is_due ? g->later.asked_seq >= 0
			     : g->phase != GAME_MUSTER) ||
	    !game_round_has(g, o->seat) || s->is_ready ||
	    strcmp(place, o->place) != 0)
		return (err_set(l->e, ERR_STALE, "",
		    "the record does not wait for a ready from seat %d",
		    o->seat));
	if (!game_is_full(g))
		return (err_set(l->e, ERR_ILLEGAL, "",
		    "ready comes once all seats are taken; one is still free"));
	if ((r = game_dice_check_own(g, o, beta, l->e)) != 0)
		return (r);
	s->is_ready = true;
	g->has_ready = true;
	memcpy(s->ready_beta, beta, VRF_BETA_LEN);
	for (i = 0; i < GAME_SLOTS; i++) {
		if (game_round_has(g, game_slot_seat(i)) &&
		    !g->seats[i].is_ready)
			return (0);
	}
	/* The last one starts the game, or ends a later round (S6.5). */
	for (i = 0; i < GAME_SLOTS; i++) {
		if (!game_round_has(g, game_slot_seat(i)))
			continue;
		memcpy(betas + n * VRF_BETA_LEN, g->seats[i].ready_beta,
		    VRF_BETA_LEN);
		n++;
	}
	if ((r = game_place_move(g, betas, n, l->fx)) != 0)
		return (r);
	game_later_end(g);
	game_state_line(g);
	if (g->phase == GAME_PLAY)
		return (0);
	g->phase = GAME_PLAY;
	g->turn = 1;
	game_offer_clear(g);
	game_clock_start(g, g->now_ms);
	return (game_worth_begin(g));
}

/* Takes a resignation: it ends the game, or cancels one not begun. */
static int
game_take_resign(struct game *g, const struct game_line *l)
{
	int side = game_side_of(l->o->seat), r;

	if ((r = game_check_after(g, l->o, l->e)) != 0)
		return (r);
	if (g->phase == GAME_OVER)
		return (err_set(l->e, ERR_ILLEGAL, "",
		    "the game is over; only talk and close are taken"));
	if (side == 0)
		return (err_set(l->e, ERR_ILLEGAL, "order.seat",
		    "the director cannot resign for a side"));
	if (g->phase == GAME_MUSTER)
		game_worth_cancel(g, side);
	else
		game_decide_end(g, 3 - side, GAME_RESIGNED);
	return (0);
}

/* Takes a close; the second side's finishes the record. */
static int
game_take_close(struct game *g, const struct game_line *l)
{
	const int seat = l->o->seat, side = game_side_of(seat);
	int r;

	if ((r = game_check_after(g, l->o, l->e)) != 0 ||
	    (r = game_check_owed(g, ERR_ILLEGAL, l->e)) != 0)
		return (r);
	if (g->seats[seat].close_seq >= 0)
		return (err_set(l->e, ERR_ILLEGAL, "",
		    "seat %d has already closed, in line %lld", seat,
		    (long long)g->seats[seat].close_seq));
	if (side == 0 || !game_has_closed(g, 3 - side)) {
		g->seats[seat].close_seq = g->seq + 1;
		return (0);
	}
	if ((r = game_standing_open_all(g, l)) != 0)
		return (r);
	g->seats[seat].close_seq = g->seq + 1;
	if (g->how == GAME_UNDECIDED)
		g->how = GAME_STOPPED;
	g->phase = GAME_FINISHED;
	game_end_combat(g);
	game_offer_clear(g);
	game_later_end(g);
	return (0);
}

/* Takes a chat: nothing changes. */
static int
game_take_chat(struct game *g, const struct game_line *l)
{
	static const char *const to[] = {"side", NULL};
	uint8_t ref[HASH_LEN];
	int side = -1;

	(void)g;
	if (js_get_hex(
		l->o->args, "ref", &order_at_args, ref, HASH_LEN, l->e) != 0 ||
	    js_opt_enum(l->o->args, "to", &order_at_args, to, &side, l->e) != 0)
		return (ERR_ILLEGAL);
	if (side == 0 && game_side_of(l->o->seat) == 0)
		return (err_set(l->e, ERR_ILLEGAL, "order.args.to",
		    "the %s has no side of their own to talk to",
		    l->o->seat == 0 ? "director" : "witness"));
	return (0);
}

/* Takes the opening of a sealed choice. */
static int
game_take_open(struct game *g, const struct game_line *l)
{
	int r;

	if ((r = game_check_owed(g, ERR_STALE, l->e)) != 0)
		return (r);
	if (!g->combat.is_open)
		return (err_set(l->e, ERR_STALE, "order.args.ask",
		    "no choice waits to be opened"));
	if ((r = game_check_place(g, l->o, l->e)) != 0)
		return (r);
	return (game_open(g, l));
}

/*
 * What takes each kind of order.  Of those that are a turn's (is_turn) place
 * and turn are checked first.
 */
static const struct game_take_kind {
	game_take_fn *take;
	bool is_turn;
} game_take_kinds[] = {
    [ORDER_JOIN] = {game_join, false},
    [ORDER_READY] = {game_take_ready, false},
    [ORDER_DECLARE] = {game_declare, true},
    [ORDER_DECIDE] = {game_decide, true},
    [ORDER_COMMIT] = {game_commit, true},
    [ORDER_OPEN] = {game_take_open, false},
    [ORDER_ANSWER] = {game_answer, false},
    [ORDER_UPKEEP] = {game_upkeep, true},
    [ORDER_FREE] = {game_roll, true},
    [ORDER_TURN_END] = {game_end_turn, true},
    [ORDER_RULING] = {game_ruling, false},
    [ORDER_ACCEPT] = {game_accept, false},
    [ORDER_RESIGN] = {game_take_resign, false},
    [ORDER_CLAIM] = {game_claim, false},
    [ORDER_PAUSE] = {game_pause, false},
    [ORDER_CLOSE] = {game_take_close, false},
    [ORDER_CHAT] = {game_take_chat, false},
    [ORDER_PROPOSE] = {game_propose, false},
    [ORDER_OFFER] = {game_propose_offer, false},
    [ORDER_STANDING] = {game_take_standing, false},
    [ORDER_CUP] = {game_cup, false},
    [ORDER_NOTE] = {game_note, false},
    [ORDER_DICE_KEY] = {game_take_dice_key, false},
};

/* What every line does to what waits: offers lapse, clocks go on. */
static int
game_take_settle(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
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
	    is_state && o->kind != ORDER_RULING && o->kind != ORDER_DICE_KEY &&
		(o->kind != ORDER_READY || !g->later.was_due) &&
		(o->kind != ORDER_ACCEPT ||
		    (l->fx->has_pool && l->fx->given_seat < 0)));
	return (0);
}

int
game_check_known(const struct game *g, const struct order *o, struct errinfo *e)
{
	static const char *const plain[] = {"unit", "do", NULL};
	const char *const *upkeep = NULL;

	/* A system that is not here has upkeep orders of its own. */
	if (g != NULL && g->sys != NULL)
		upkeep = g->sys->game->upkeep_args != NULL
		    ? g->sys->game->upkeep_args
		    : plain;
	return (order_check_known(o, upkeep, e));
}

/*
 * Who answers a line has seen it (S3), or it is not known what their `now`
 * came after.  Orders without `now` are from before this was asked.
 */
static int
game_check_to(const struct order *o, struct errinfo *e)
{
	const json_t *to = json_object_get(o->args, "to");

	if (!o->has_now || !json_is_integer(to) ||
	    json_integer_value(to) <= o->after)
		return (0);
	return (err_set(e, ERR_ILLEGAL, "order.after",
	    "below args.to: an answer is signed upon the line that it answers, "
	    "or a later one"));
}

int
game_take(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	const struct game_line l = {o, key, dice, given, fx, e};
	const struct game_take_kind *kind;
	int r = 0;

	memset(fx, 0, sizeof(*fx));
	fx->freed_seat = fx->given_seat = -1;
	game_entry_begin(&fx->entry, g, g->seq + 1, o->at_ms, o->kind, o->seat);
	fx->entry.has_now = o->has_now;
	fx->entry.now_ms = o->now_ms;
	if ((r = game_check_known(g, o, e)) != 0)
		return (r);
	kind = &game_take_kinds[o->kind];
	if (o->kind != ORDER_JOIN && o->kind != ORDER_CREATE &&
	    !game_has_key(g, o->seat, key))
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the key does not belong to seat %d", o->seat));
	if ((r = game_check_to(o, e)) != 0)
		return (r);
	if (g->phase == GAME_FINISHED)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is closed; no line may follow"));
	if (kind->take == NULL)
		return (err_set(
		    e, ERR_ILLEGAL, "order.kind", "a game is created once"));
	g->now_ms = o->at_ms > g->at_ms ? o->at_ms : g->at_ms;
	g->later.was_due = g->later.is_due;
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	if (given != NULL)
		r = game_standing_give(g, given);
	if (r == 0)
		r = game_later_check(g, o, e);
	if (r == 0)
		r = game_witness_check(g, o, e);
	if (r == 0 && kind->is_turn && (r = game_check_turn(g, o, e)) == 0)
		r = game_check_place(g, o, e);
	if (r == 0)
		r = kind->take(g, &l);
	if (r == 0 && kind->is_turn && o->kind != ORDER_TURN_END)
		g->rounds.has_acted = game_has_activations(g);
	if (r == 0 && kind->is_turn)
		game_worth_moved(g, o);
	if (r == 0)
		r = game_take_settle(g, &l);
	if (r == 0)
		r = game_witness_spoke(g, o);
	if (r == 0)
		game_entry_end(&fx->entry, g);
	else
		game_effects_clear(fx);
	return (r);
}
