/* SPDX-License-Identifier: ISC */
/*
 * How offers, proposals and rulings end by an order: accept and note (record
 * S5).  What an accepted ruling does, but for taking lines back, is
 * game_claim.c's.
 */
#include <string.h>

#include "common/game/game_int.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/rules/roster.h"

static const struct js_at game_accept_at = {NULL, "args", 0};

/* True if an accept of this by the seat is the one that counts. */
static bool
game_accept_is_last(const struct game_offer *f, int seat)
{
	if (f->what != GAME_OFFER_RULING)
		return (true);
	return ((seat == 1 || seat == 2) && f->is_accepted[3 - seat]);
}

/* True for what takes lines back. */
static bool
game_accept_is_takeback(const struct game_offer *f)
{
	return (f->what == GAME_OFFER_TAKEBACK ||
	    (f->what == GAME_OFFER_RULING &&
		json_object_get(f->args, "void") != NULL));
}

bool
game_accept_moves(const struct game *g, int seat, int64_t to)
{
	const struct game_offer *f = game_offer_find(g, to);

	return (f != NULL && game_accept_is_takeback(f) &&
	    game_accept_is_last(f, seat));
}

/* Who may accept a ruling: seats 1 and 2, once each. */
static int
game_accept_ruled(
    const struct game_offer *f, const struct order *o, struct errinfo *e)
{
	if (o->seat != 1 && o->seat != 2)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "seats 1 and 2 accept rulings"));
	if (f->is_accepted[o->seat])
		return (err_set(e, ERR_STALE, "args.to",
		    "seat %d has accepted line %lld already", o->seat,
		    (long long)f->seq));
	return (0);
}

/* Who may accept an offer: the other side, or the owner (S5, propose). */
static int
game_accept_side(const struct game *g, const struct game_offer *f,
    const struct order *o, struct errinfo *e)
{
	int side = game_side_of(o->seat);

	if (f->what == GAME_OFFER_RULING)
		return (game_accept_ruled(f, o, e));
	if (side == 3 - game_side_of(f->seat))
		return (0);
	if (side != 0 && f->what == GAME_OFFER_ADJUST &&
	    game_is_own_adjust(g, f->seat, json_object_get(f->args, "units")))
		return (0);
	return (err_set(e, ERR_ILLEGAL, "order.seat",
	    "line %lld waits for a seat of the other side", (long long)f->seq));
}

/* Finds what an accept names, and checks that it may be accepted now. */
static int
game_accept_read(const struct game *g, const struct order *o,
    struct game_offer **out, struct errinfo *e)
{
	struct game_offer *f;
	int64_t to;
	int r;

	r = js_get_int(o->args, "to", &game_accept_at, 0, JS_INT_MAX, &to, e);
	if (r != 0)
		return (game_illegal(r));
	if ((f = game_offer_find(g, to)) == NULL)
		return (err_set(e, ERR_STALE, "args.to",
		    "line %lld is no offer that is open", (long long)to));
	if (g->owed.is_owed)
		return (err_set(e, ERR_STALE, "",
		    "line %lld waits for an answer first",
		    (long long)g->owed.seq));
	if ((r = game_accept_side(g, f, o, e)) != 0)
		return (r);
	if (game_accept_moves(g, o->seat, to) ? o->place == NULL || !o->has_own
					      : o->place != NULL || o->has_own)
		return (err_set(e, ERR_ILLEGAL, "order.place",
		    "place and proof stand together, in an accept that takes "
		    "lines back"));
	*out = f;
	return (0);
}

/* Takes back all from a line on; the pool moves, so that dice are new. */
static int
game_accept_back(struct game *g, const struct order *o,
    const struct game_offer *f, struct game_effects *fx, struct errinfo *e)
{
	const int64_t from =
	    json_integer_value(json_object_get(f->args, "from"));
	char place[ORDER_PLACE_MAX + 1];
	uint8_t beta[VRF_BETA_LEN];
	int r;

	game_place_pool(g, place);
	if (strcmp(place, o->place) != 0)
		return (err_set(e, ERR_STALE, "order.place",
		    "the record now calls for the place \"%s\"", place));
	if (!game_undo_reaches(g, from))
		return (err_set(e, ERR_STALE, "args.to",
		    "line %lld cannot be taken back any more",
		    (long long)from));
	if ((r = game_check_own(g, o, beta, e)) != 0 ||
	    (r = game_dice_move(g->pool, beta, 1, fx->pool)) != 0 ||
	    (r = game_undo_back(g, from)) != 0)
		return (r);
	fx->has_pool = true;
	memcpy(fx->place, place, strlen(place) + 1);
	memcpy(fx->place_pool, g->pool, HASH_LEN);
	memcpy(g->pool, fx->pool, HASH_LEN);
	g->epoch++;
	return (0);
}

/* Carries an adjustment out. */
static int
game_accept_adjust(
    struct game *g, const struct game_offer *f, struct errinfo *e)
{
	const json_t *units = json_object_get(f->args, "units");
	int r;

	if (g->combat.is_open && !g->combat.is_loose)
		return (err_set(e, ERR_ILLEGAL, "",
		    "a combat is open; units are adjusted when it is over"));
	if ((r = game_adjust_check(g, units, e)) != 0)
		return (game_illegal(r));
	if ((r = game_undo_begin(g)) != 0)
		return (r);
	return (game_adjust_do(g, units));
}

/* Plays with other rosters. */
static int
game_accept_roster(
    struct game *g, const struct game_offer *f, struct errinfo *e)
{
	struct roster *roster = NULL;
	uint8_t hash[HASH_LEN];
	int r;

	r = js_get_hex(f->args, "roster", &game_accept_at, hash, HASH_LEN, e);
	if (r == 0 && !g->is_rules_off && g->roster != NULL) {
		if ((r = game_offer_load(g, f->args, &roster, e)) != 0)
			return (r);
		roster_free(g->roster);
		g->roster = roster;
	}
	if (r == 0)
		memcpy(g->roster_blob, hash, HASH_LEN);
	return (r);
}

/* A ruling is in force when both seats have accepted it. */
static int
game_accept_ruling(struct game *g, const struct order *o, struct game_offer *f,
    struct game_effects *fx, struct errinfo *e)
{
	if (!game_accept_is_last(f, o->seat)) {
		f->is_accepted[o->seat] = true;
		return (0);
	}
	if (game_accept_is_takeback(f))
		return (game_accept_back(g, o, f, fx, e));
	return (game_ruling_do(g, f, e));
}

/* Does what was offered. */
static int
game_accept_do(struct game *g, const struct order *o, struct game_offer *f,
    struct game_effects *fx, struct errinfo *e)
{
	const json_t *args = f->args;

	switch (f->what) {
	case GAME_OFFER_DRAW:
		game_decide_end(g, 0, "draw");
		return (0);
	case GAME_OFFER_VICTORY:
		game_decide_end(g,
		    (int)json_integer_value(json_object_get(args, "winner")),
		    "agreed");
		return (0);
	case GAME_OFFER_TAKEBACK:
		return (game_accept_back(g, o, f, fx, e));
	case GAME_OFFER_PAUSE:
		game_clock_pause(
		    g, json_integer_value(json_object_get(args, "days")));
		return (0);
	case GAME_OFFER_TRUCE:
		g->truce = g->turn +
		    (int)json_integer_value(json_object_get(args, "turns"));
		return (0);
	case GAME_OFFER_ADJUST:
		return (game_accept_adjust(g, f, e));
	case GAME_OFFER_ROSTER:
		return (game_accept_roster(g, f, e));
	case GAME_OFFER_RULING:
		break;
	}
	return (game_accept_ruling(g, o, f, fx, e));
}

int
game_accept(struct game *g, const struct order *o, struct game_effects *fx,
    struct errinfo *e)
{
	struct game_offer *f = NULL;
	bool is_last;
	int64_t to;
	int r;

	if ((r = game_accept_read(g, o, &f, e)) != 0)
		return (r);
	/* What is done may clear the list. */
	to = f->seq;
	is_last = game_accept_is_last(f, o->seat);
	if ((r = game_accept_do(g, o, f, fx, e)) != 0)
		return (r);
	if (is_last)
		game_offer_remove(g, to);
	game_state_line(g);
	fx->events = json_array();
	return (fx->events == NULL ? ERR_NOMEM : 0);
}

/* Declines or withdraws an offer. */
static int
game_note_offer(struct game *g, const struct order *o,
    const struct game_offer *f, bool is_decline, struct errinfo *e)
{
	int side = game_side_of(o->seat), of = game_side_of(f->seat);
	bool may;

	if (f->what == GAME_OFFER_RULING)
		may = is_decline ? o->seat == 1 || o->seat == 2 : o->seat == 0;
	else
		may = is_decline ? side == 3 - of : side == of;
	if (!may)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "line %lld is not this seat's to %s", (long long)f->seq,
		    is_decline ? "decline" : "withdraw"));
	game_offer_remove(g, f->seq);
	return (0);
}

/* Withdraws a standing order, which its own seat alone may. */
static int
game_note_standing(
    struct game *g, const struct order *o, int64_t to, struct errinfo *e)
{
	const struct game_standing *s = NULL;
	size_t i;

	for (i = 0; i < g->n_standings; i++) {
		if (g->standings[i].seq == to)
			s = &g->standings[i];
	}
	if (s == NULL || s->is_withdrawn ||
	    (g->phase != GAME_MUSTER && g->phase != GAME_PLAY))
		return (err_set(e, ERR_STALE, "args.to",
		    "line %lld is no offer that is open and no order that "
		    "stands",
		    (long long)to));
	if (s->seat != o->seat)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the standing order is seat %d's", s->seat));
	return (game_standing_withdraw(g, o->seat, to));
}

/* Whose join stands in a line; -1: nobody's. */
static int
game_note_joined(const struct game *g, int64_t to)
{
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (g->seats[i].is_joined && g->seats[i].join_seq > 0 &&
		    g->seats[i].join_seq == to)
			return (i);
	}
	return (-1);
}

/* Shows a joiner the door: the seat is free again. */
static int
game_note_refuse(struct game *g, const struct order *o, int64_t to,
    struct game_effects *fx, struct errinfo *e)
{
	int seat = game_note_joined(g, to), r;
	struct game_seat *s;

	if (g->phase != GAME_MUSTER || g->has_ready || seat < 0)
		return (err_set(e, ERR_STALE, "args.to",
		    "line %lld is no join that can be refused", (long long)to));
	if (o->seat != g->set.seat)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "who made the game may refuse who joins it"));
	s = &g->seats[seat];
	if (g->refused == NULL && (g->refused = json_object()) == NULL)
		return (ERR_NOMEM);
	if (json_object_set_new(g->refused, s->account, json_true()) != 0)
		return (ERR_NOMEM);
	if ((r = game_standing_leave(g, seat, fx)) != 0)
		return (r);
	game_offer_leave(g, seat);
	memset(s, 0, sizeof(*s));
	s->close_seq = -1;
	fx->freed_seat = seat;
	return (0);
}

int
game_note(struct game *g, const struct order *o, struct game_effects *fx,
    struct errinfo *e)
{
	static const char *const says[] = {
	    "decline", "withdraw", "refuse", NULL};
	const struct game_offer *f;
	uint8_t why[HASH_LEN];
	int64_t to;
	int r, say;
	bool has;

	if ((r = js_get_int(
		 o->args, "to", &game_accept_at, 0, JS_INT_MAX, &to, e)) != 0 ||
	    (r = js_get_enum(o->args, "say", &game_accept_at, says, &say, e)) !=
		0 ||
	    (r = js_opt_hex(
		 o->args, "why", &game_accept_at, why, HASH_LEN, &has, e)) != 0)
		return (game_illegal(r));
	f = game_offer_find(g, to);
	if (say == 2)
		r = game_note_refuse(g, o, to, fx, e);
	else if (f != NULL)
		r = game_note_offer(g, o, f, say == 0, e);
	else if (say == 1)
		r = game_note_standing(g, o, to, e);
	else
		r = err_set(e, ERR_STALE, "args.to",
		    "line %lld is no offer that is open", (long long)to);
	if (r != 0)
		return (r);
	fx->events = json_array();
	return (fx->events == NULL ? ERR_NOMEM : 0);
}
