/* SPDX-License-Identifier: ISC */
/*
 * How offers, proposals and rulings end by an order: accept and note (record
 * S5).  What an accepted ruling does, except for taking lines back, is
 * game_claim.c's.
 */
#include <string.h>

#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/game/game_newcomer.h"
#include "common/game/game_undo.h"
#include "common/json/js.h"
#include "common/rules/roster.h"

/* True if an accept of this by the seat is the one that counts. */
static bool
game_accept_is_last(const struct game_offer *f, int seat)
{
	if (f->what != GAME_OFFER_RULING)
		return (true);
	return ((seat == 1 || seat == 2) && f->is_accepted[3 - seat]);
}

bool
game_accept_moves(const struct game *g, int seat, int64_t to)
{
	const struct game_offer *f = game_offer_find(g, to);

	return (f != NULL && game_offer_is_takeback(f) &&
	    game_accept_is_last(f, seat));
}

/* Who may accept: the other side, the owner, seats 1 and 2 a ruling (S5). */
static int
game_accept_seat(const struct game *g, const struct game_offer *f,
    const struct order *o, struct errinfo *e)
{
	const bool is_ruling = f->what == GAME_OFFER_RULING;

	if ((game_offer_may(g, f, o->seat) & GAME_MAY_ACCEPT) != 0)
		return (0);
	if (is_ruling && (o->seat == 1 || o->seat == 2))
		return (err_set(e, ERR_STALE, "order.args.to",
		    "seat %d has already accepted line %lld", o->seat,
		    (long long)f->seq));
	if (is_ruling)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "seats 1 and 2 accept rulings"));
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

	r = js_get_int(o->args, "to", &order_at_args, 0, JS_INT_MAX, &to, e);
	if (r != 0)
		return (game_illegal(r));
	if ((f = game_offer_find(g, to)) == NULL)
		return (err_set(e, ERR_STALE, "order.args.to",
		    "line %lld is not an open offer", (long long)to));
	if ((r = game_check_owed(g, ERR_STALE, e)) != 0 ||
	    (r = game_accept_seat(g, f, o, e)) != 0)
		return (r);
	if (game_accept_moves(g, o->seat, to) ? o->place == NULL || !o->has_own
					      : o->place != NULL || o->has_own)
		return (err_set(e, ERR_ILLEGAL, "order.place",
		    "place and proof go together, in an accept that takes "
		    "lines back"));
	*out = f;
	return (0);
}

/* Takes back all from a line on; the pool moves, so that dice are new. */
static int
game_accept_back(
    struct game *g, const struct game_line *l, const struct game_offer *f)
{
	const int64_t from = js_int(f->args, "from");
	char place[ORDER_PLACE_MAX + 1];
	uint8_t beta[VRF_BETA_LEN];
	int r;

	game_place_pool(g, place);
	if (strcmp(place, l->o->place) != 0)
		return (err_set(l->e, ERR_STALE, "order.place",
		    "the record now calls for the place \"%s\"", place));
	if (!game_undo_reaches(g, from))
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "line %lld cannot be taken back any more",
		    (long long)from));
	if ((r = game_dice_check_own(g, l->o, beta, l->e)) != 0 ||
	    (r = game_undo_back(g, from)) != 0)
		return (r);
	return (game_place_move(g, beta, 1, l->fx));
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

	r = js_get_hex(f->args, "roster", &order_at_args, hash, HASH_LEN, e);
	if (r == 0 && !g->is_rules_off && g->roster != NULL) {
		if ((r = game_propose_load(g, f->args, &roster, e)) != 0)
			return (r);
		roster_free(g->roster);
		g->roster = roster;
	}
	if (r == 0)
		memcpy(g->roster_blob, hash, HASH_LEN);
	return (r);
}

/* Does what was offered. */
static int
game_accept_do(struct game *g, const struct game_line *l, struct game_offer *f)
{
	const json_t *args = f->args;

	switch (f->what) {
	case GAME_OFFER_DRAW:
		game_decide_end(g, 0, GAME_DRAWN);
		return (0);
	case GAME_OFFER_VICTORY:
		game_decide_end(g, (int)js_int(args, "winner"), GAME_AGREED);
		return (0);
	case GAME_OFFER_TAKEBACK:
		return (game_accept_back(g, l, f));
	case GAME_OFFER_PAUSE:
		return (game_clock_pause(g, js_int(args, "days")));
	case GAME_OFFER_TRUCE:
		g->truce = g->turn + (int)js_int(args, "turns");
		return (0);
	case GAME_OFFER_ADJUST:
		return (game_accept_adjust(g, f, l->e));
	case GAME_OFFER_ROSTER:
		return (game_accept_roster(g, f, l->e));
	case GAME_OFFER_WITNESS_OUT:
		g->witness.is_out = true;
		return (0);
	case GAME_OFFER_RULING:
	case GAME_OFFER_SEAT:
		break;
	}
	if (!game_accept_is_last(f, l->o->seat)) {
		f->is_accepted[l->o->seat] = true;
		return (0);
	}
	/* In force: both seats have accepted the ruling. */
	return (game_offer_is_takeback(f) ? game_accept_back(g, l, f)
					  : game_ruling_do(g, f, l->e));
}

int
game_accept(struct game *g, const struct game_line *l)
{
	struct game_entry *en = &l->fx->entry;
	struct game_offer *f = NULL;
	int r;

	f = game_newcomer_find(g, js_int(l->o->args, "to"));
	if (f != NULL)
		return (game_newcomer_accept(g, l, f));
	if (g->later.asked_seq >= 0)
		return (game_later_accept(g, l));
	if ((r = game_accept_read(g, l->o, &f, l->e)) != 0)
		return (r);
	en->to = f->seq;
	en->offer = f->what;
	if (game_accept_is_last(f, l->o->seat)) {
		en->to_fate = GAME_FATE_ACCEPTED;
		game_offer_tell(f->what, f->args, en);
	}
	if (en->is_adjust &&
	    (r = game_entry_former(
		 g, json_object_get(f->args, "units"), &en->before)) != 0)
		return (r);
	/* What is done may clear the list. */
	if ((r = game_accept_do(g, l, f)) != 0)
		return (r);
	if (en->to_fate == GAME_FATE_ACCEPTED)
		game_offer_remove(g, en->to);
	game_state_line(g);
	return (0);
}

/* Withdraws a standing order, which only its own seat may. */
static int
game_note_standing(
    struct game *g, const struct order *o, int64_t to, struct errinfo *e)
{
	struct game_standing *s = NULL;
	size_t i;

	for (i = 0; i < g->n_standings; i++) {
		if (g->standings[i].seq == to)
			s = &g->standings[i];
	}
	if (s == NULL || s->is_withdrawn ||
	    (g->phase != GAME_MUSTER && g->phase != GAME_PLAY))
		return (err_set(e, ERR_STALE, "order.args.to",
		    "line %lld is neither an open offer nor a standing order",
		    (long long)to));
	if (s->seat != o->seat)
		return (err_set(e, ERR_ILLEGAL, "order.seat",
		    "the standing order is seat %d's", s->seat));
	s->is_withdrawn = true;
	return (0);
}

/* Shows a joiner the door: the seat is free again. */
static int
game_note_refuse(struct game *g, const struct game_line *l, int64_t to)
{
	int slot = 0, seat, r;
	struct game_seat *s;

	while (slot < GAME_SLOTS &&
	    (!g->seats[slot].is_joined || g->seats[slot].join_seq != to))
		slot++;
	seat = game_slot_seat(slot);
	if (g->phase != GAME_MUSTER || g->has_ready || slot == GAME_SLOTS ||
	    to == 0)
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "line %lld is not a join that can be refused",
		    (long long)to));
	if (l->o->seat != g->set.who.seat)
		return (err_set(l->e, ERR_ILLEGAL, "order.seat",
		    "only whoever made the game may refuse a joiner"));
	if (game_is_of_tournament(g))
		return (err_set(l->e, ERR_ILLEGAL, "order.args.say",
		    "the tournament says who plays whom"));
	s = &g->seats[slot];
	if (g->refused == NULL && (g->refused = json_object()) == NULL)
		return (ERR_NOMEM);
	if (json_object_set_new(g->refused, s->account, json_true()) != 0)
		return (ERR_NOMEM);
	if ((r = game_standing_leave(g, seat, l->fx)) != 0)
		return (r);
	if ((r = game_dice_key_leave(g, seat)) != 0)
		return (r);
	game_offer_leave(g, seat);
	memset(s, 0, sizeof(*s));
	s->close_seq = -1;
	l->fx->freed_seat = seat;
	l->fx->entry.to_fate = GAME_FATE_REFUSED;
	return (0);
}

int
game_note(struct game *g, const struct game_line *l)
{
	const struct order *o = l->o;
	struct game_effects *fx = l->fx;
	static const char *const says[] = {"decline", "withdraw", "refuse",
	    "passed", "answered", "anew", NULL};
	const struct game_offer *f;
	uint8_t why[HASH_LEN];
	unsigned may;
	int64_t to;
	int r, say;
	bool has;

	if ((r = js_get_int(o->args, "to", &order_at_args, 0, JS_INT_MAX, &to,
		 l->e)) != 0 ||
	    (r = js_get_enum(
		 o->args, "say", &order_at_args, says, &say, l->e)) != 0 ||
	    (r = js_opt_hex(o->args, "why", &order_at_args, why, HASH_LEN, &has,
		 l->e)) != 0)
		return (game_illegal(r));
	fx->entry.to = to;
	if (say > 2 || o->seat == GAME_WITNESS)
		return (game_witness_note(g, l,
		    say > 2 ? (enum game_said)(say - 2) : GAME_SAID_NOTHING,
		    to));
	f = game_offer_find(g, to);
	if (say == 2)
		return (game_note_refuse(g, l, to));
	if (f == NULL && say == 1)
		return (game_note_standing(g, o, to, l->e));
	if (f == NULL)
		return (err_set(l->e, ERR_STALE, "order.args.to",
		    "line %lld is not an open offer", (long long)to));
	may = game_offer_may(g, f, o->seat);
	if ((may & (say == 0 ? GAME_MAY_DECLINE : GAME_MAY_WITHDRAW)) == 0)
		return (err_set(l->e, ERR_ILLEGAL, "order.seat",
		    "line %lld is not this seat's to %s", (long long)to,
		    says[say]));
	fx->entry.offer = f->what;
	fx->entry.to_fate = say == 0 ? GAME_FATE_DECLINED : GAME_FATE_WITHDRAWN;
	game_offer_remove(g, to);
	return (0);
}
