/* SPDX-License-Identifier: ISC */
/*
 * Server lines (record S4.4), and the later round that follows one of them
 * (S4.3, S6.5).
 */
#include <string.h>

#include "common/game/game_int.h"
#include "common/game/game_newcomer.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"

int64_t
game_restored_seq(const struct game *g)
{
	return (g->later.asked_seq);
}

bool
game_asks_accept(const struct game *g, int seat)
{
	return (g->later.asked_seq >= 0 && seat != GAME_WITNESS &&
	    game_is_joined(g, seat) && !g->later.is_accepted[seat]);
}

bool
game_is_round(const struct game *g)
{
	return (
	    g->phase == GAME_PLAY && g->later.is_due && g->later.asked_seq < 0);
}

bool
game_round_has(const struct game *g, int seat)
{
	return (game_is_seat(g, seat) &&
	    (seat != GAME_WITNESS || g->phase == GAME_MUSTER));
}

bool
game_later_owes(const struct game *g, int seat)
{
	return (g->later.is_due && g->later.asked_seq < 0 &&
	    game_round_has(g, seat) && !g->seats[game_slot(seat)].is_ready);
}

void
game_later_end(struct game *g)
{
	g->later.is_due = false;
	g->later.asked_seq = -1;
	memset(g->later.is_accepted, 0, sizeof(g->later.is_accepted));
}

/* True for a ruling on the claim that waits for one. */
static bool
game_later_is_ruling(const struct game *g, const struct order *o)
{
	const json_t *claim = json_object_get(o->args, "claim");

	return (o->kind == ORDER_RULING && g->clock.claim_seq >= 0 &&
	    json_is_integer(claim) &&
	    json_integer_value(claim) == g->clock.claim_seq);
}

int
game_later_check(const struct game *g, const struct order *o, struct errinfo *e)
{
	if (!g->later.is_due || order_class_of(o->kind) == ORDER_CLASS_TALK ||
	    o->kind == ORDER_READY || o->kind == ORDER_RESIGN ||
	    o->kind == ORDER_CLAIM || o->kind == ORDER_CLOSE ||
	    (o->kind == ORDER_ACCEPT &&
		(g->later.asked_seq >= 0 ||
		    game_newcomer_find(g, js_int(o->args, "to")) != NULL)) ||
	    game_later_is_ruling(g, o))
		return (0);
	if (g->later.asked_seq < 0)
		return (err_set(e, ERR_STALE, "",
		    "the game waits until all players are ready"));
	return (err_set(e, ERR_STALE, "",
	    "lines were lost: the game waits until all have accepted line %lld",
	    (long long)g->later.asked_seq));
}

int
game_later_accept(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct game_entry *en = &l->fx->entry;
	int64_t to;
	int i, r;

	r = js_get_int(o->args, "to", &order_at_args, 0, JS_INT_MAX, &to, l->e);
	if (r != 0)
		return (game_illegal(r));
	if (to != g->later.asked_seq)
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "the game waits until all have accepted line %lld",
		    (long long)g->later.asked_seq));
	if (!game_asks_accept(g, o->seat))
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "seat %d has already accepted line %lld", o->seat,
		    (long long)to));
	if (o->place != NULL || o->has_own)
		return (err_set(l->e, ERR_ILLEGAL, "order.place",
		    "place and proof go together, in an accept that takes "
		    "lines back"));
	g->later.is_accepted[o->seat] = true;
	en->to = to;
	game_state_line(g);
	for (i = 0; i < GAME_SEATS; i++) {
		if (game_asks_accept(g, i))
			return (0);
	}
	/* Of the round that was due all the time readies are now taken. */
	en->to_fate = GAME_FATE_ACCEPTED;
	game_later_end(g);
	g->later.is_due = true;
	return (0);
}

/* A server line stops play: nothing waits for anything any longer. */
static void
game_stop(struct game *g)
{
	game_owed_clear(g);
	game_end_combat(g);
	game_offer_clear(g);
	game_later_end(g);
	game_state_line(g);
	game_clock_settle(g, g->at_ms, true, true);
}

/* The operator ends the record. */
static int
game_server_closed(struct game *g, const json_t *data, const struct js_at *at,
    struct errinfo *e)
{
	static const char *const names[] = {"why", NULL};
	uint8_t why[HASH_LEN];

	if (js_members_ordered(data, at, names, e) != 0 ||
	    js_get_hex(data, "why", at, why, sizeof(why), e) != 0)
		return (ERR_ILLEGAL);
	if (g->how == GAME_UNDECIDED)
		g->how = GAME_CLOSED;
	g->phase = GAME_FINISHED;
	game_stop(g);
	return (0);
}

/* The rules failed in the line before. */
static int
game_server_fault(struct game *g, const json_t *data, const struct js_at *at,
    struct errinfo *e)
{
	static const char *const names[] = {"seq", "text", NULL};
	struct errinfo why;
	const char *text;
	int64_t seq;

	if (js_members_ordered(data, at, names, e) != 0 ||
	    js_get_int(data, "seq", at, 0, JS_INT_MAX, &seq, e) != 0 ||
	    js_get_str(data, "text", at, &text, e) != 0)
		return (ERR_ILLEGAL);
	if (g->is_halted)
		return (err_set(e, ERR_ILLEGAL, "what",
		    "the game is halted; no rules fail any more"));
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

/* What waits is void: the open combat, or another order (S4.3). */
static int
game_server_void(struct game *g, struct game_entry *en)
{
	int r = 0;

	if (g->combat.is_open && !g->combat.is_loose) {
		en->from = g->combat.declare_seq;
		r = game_undo_back(g, en->from);
	} else if (g->owed.is_owed) {
		en->from = g->owed.seq;
		game_undo_void(g, en->from);
	}
	game_end_combat(g);
	game_owed_clear(g);
	return (r);
}

/* Lines were lost from this one on: what was begun is begun anew. */
static int
game_server_restored(struct game *g, const json_t *data, const struct js_at *at,
    struct game_effects *fx, struct errinfo *e)
{
	static const char *const names[] = {"seq", NULL};
	int64_t seq;
	int i, r;

	if (js_members_ordered(data, at, names, e) != 0 ||
	    js_get_int(data, "seq", at, 0, JS_INT_MAX, &seq, e) != 0)
		return (ERR_ILLEGAL);
	if (seq != g->seq + 1)
		return (err_set(e, ERR_ILLEGAL, "data.seq",
		    "must be the number of the line itself"));
	if (!g->has_ready || g->phase > GAME_PLAY)
		return (err_set(e, ERR_ILLEGAL, "what",
		    "it stands between the first ready and the end of play"));
	fx->entry.is_restored = true;
	fx->entry.fate = GAME_FATE_OPEN;
	if ((r = game_server_void(g, &fx->entry)) != 0 ||
	    (r = game_standing_lose(g, fx)) != 0 ||
	    (r = game_place_restore(g, fx)) != 0)
		return (r);
	for (i = 0; i < GAME_SLOTS; i++) {
		if (game_round_has(g, game_slot_seat(i)))
			g->seats[i].is_ready = false;
	}
	game_offer_void(g);
	game_clock_restored(g);
	game_later_end(g);
	g->later.is_due = true;
	g->later.asked_seq = seq;
	game_state_line(g);
	return (0);
}

/* Somebody else is to have a seat. */
static int
game_server_newcomer(struct game *g, const json_t *data, const struct js_at *at,
    int64_t at_ms, struct game_effects *fx, struct errinfo *e)
{
	static const char *const names[] = {"seat", "account", "key",
	    "dice_key", "kn", "kprev", "keys", "recovery", "why", NULL};

	if (js_members_ordered(data, at, names, e) != 0)
		return (ERR_ILLEGAL);
	return (game_newcomer_propose(g, data, at_ms, fx, e));
}

int
game_take_server(struct game *g, const char *what, const json_t *data,
    int64_t at_ms, struct game_effects *fx, struct errinfo *e)
{
	const struct js_at at = {NULL, "data", 0};
	int r;

	memset(fx, 0, sizeof(*fx));
	fx->freed_seat = fx->given_seat = -1;
	game_entry_begin(&fx->entry, g, g->seq + 1, at_ms, ORDER_UNKNOWN, -1);
	if (g->phase == GAME_FINISHED)
		return (err_set(e, ERR_ILLEGAL, "",
		    "the game is closed; no line may follow"));
	if ((fx->events = json_array()) == NULL)
		return (ERR_NOMEM);
	if (strcmp(what, "closed") == 0)
		r = game_server_closed(g, data, &at, e);
	else if (strcmp(what, "fault") == 0)
		r = game_server_fault(g, data, &at, e);
	else if (strcmp(what, "operator-key") == 0)
		r = game_server_newcomer(g, data, &at, at_ms, fx, e);
	else if (strcmp(what, "restored") == 0)
		r = game_server_restored(g, data, &at, fx, e);
	else
		r = err_set(e, ERR_NEWER, "what",
		    "server lines of the kind \"%.32s\" are not in this "
		    "version",
		    what);
	if (r == 0)
		game_entry_end(&fx->entry, g);
	else
		game_effects_clear(fx);
	return (r);
}
