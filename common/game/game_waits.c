/* SPDX-License-Identifier: ISC */
/*
 * What a game waits for: the one list from which game_view() makes `owed`,
 * and the daemon whom to tell.
 */
#include <string.h>

#include "common/game/game_int.h"

/* The time of the line since which something is owed; -1: not known. */
static int64_t
game_waits_since(const struct game *g, int64_t since)
{
	if (since == g->seq)
		return (g->at_ms);
	if (since == g->state_seq)
		return (g->state_at_ms);
	if (g->owed.is_owed && since == g->owed.seq && g->owed.at_ms > 0)
		return (g->owed.at_ms);
	if (g->combat.is_open && since == g->combat.ask_seq &&
	    g->combat.ask_at_ms > 0)
		return (g->combat.ask_at_ms);
	return (-1);
}

/*
 * Adds what one seat owes, or any seat (-1) of a side; there is room, but for a
 * snapshot that nobody can have made.
 */
static void
game_waits_add(const struct game *g, struct game_waits *w, int seat, int side,
    enum owed what, int64_t since)
{
	if (w->n == GAME_WAITS_MAX)
		return;
	if (seat >= 0)
		side = game_side_of(seat);
	w->list[w->n++] = (struct game_wait){.seat = seat,
	    .side = side,
	    .what = what,
	    .since = since,
	    .since_ms = game_waits_since(g, since),
	    .until_ms = game_deadline_ms(g, side)};
}

/* The open question of a combat. */
static void
game_waits_ask(const struct game *g, struct game_waits *w)
{
	const struct game_combat *c = &g->combat;
	enum order_kind kind;
	int64_t ask;
	int side;

	if (!c->is_secret) {
		game_waits_add(g, w, -1, c->ask_side, OWED_DECIDE,
		    c->run == NULL ? c->declare_seq : c->ask_seq);
		return;
	}
	for (side = 1; side <= 2; side++) {
		kind = game_secret_owed(g, side, &ask);
		if (kind != ORDER_UNKNOWN)
			game_waits_add(g, w, -1, side,
			    kind == ORDER_OPEN ? OWED_OPEN : OWED_COMMIT, ask);
	}
}

/* True if somebody has joined on each side. */
static bool
game_waits_has_both(const struct game *g)
{
	bool has[3] = {false, false, false};
	int i;

	for (i = 1; i < GAME_SEATS; i++)
		has[game_side_of(i)] |= g->seats[i].is_joined;
	return (has[1] && has[2]);
}

/* What a later round waits for: accepts, then readies. */
static void
game_waits_later(const struct game *g, struct game_waits *w)
{
	int i, seat;

	for (i = 0; i < GAME_SLOTS; i++) {
		seat = game_slot_seat(i);
		if (game_asks_accept(g, seat))
			game_waits_add(
			    g, w, seat, 0, OWED_ACCEPT, g->later.asked_seq);
		else if (game_later_owes(g, seat))
			game_waits_add(g, w, seat, 0, OWED_READY, g->state_seq);
	}
}

void
game_waits_owed(const struct game *g, struct game_waits *w)
{
	const bool is_full = game_is_full(g);
	int i, seat;

	w->n = 0;
	switch (g->phase) {
	case GAME_MUSTER:
		if (g->later.is_due) {
			game_waits_later(g, w);
			break;
		}
		for (i = 0; i < GAME_SLOTS; i++) {
			seat = game_slot_seat(i);
			if (!game_is_seat(g, seat))
				continue;
			if (!g->seats[i].is_joined)
				game_waits_add(g, w, seat, 0, OWED_JOIN, 0);
			else if (is_full && !g->seats[i].is_ready)
				game_waits_add(
				    g, w, seat, 0, OWED_READY, g->state_seq);
		}
		break;
	case GAME_PLAY:
		if (g->later.is_due)
			game_waits_later(g, w);
		else if (g->owed.is_owed)
			game_waits_add(
			    g, w, g->owed.seat, 0, OWED_ANSWER, g->owed.seq);
		else if (g->combat.is_open && !g->combat.is_loose)
			game_waits_ask(g, w);
		else
			game_waits_add(
			    g, w, -1, game_side(g), OWED_TURN, g->state_seq);
		if (g->clock.claim_seq >= 0)
			game_waits_add(
			    g, w, 0, 0, OWED_RULING, g->clock.claim_seq);
		break;
	case GAME_OVER:
	case GAME_HALTED:
		/*
		 * Without another side there is nobody to agree with, and
		 * nobody who has to be told of the end.
		 */
		if (g->how == GAME_CANCELLED && !game_waits_has_both(g))
			break;
		/* A close by one seat of each side. */
		for (i = 1; i < GAME_SEATS; i++) {
			if (g->seats[i].is_joined &&
			    !game_has_closed(g, game_side_of(i)))
				game_waits_add(
				    g, w, i, 0, OWED_CLOSE, g->state_seq);
		}
		break;
	case GAME_FINISHED:
		break;
	}
}

void
game_waiting(const struct game *g, struct game_waits *w)
{
	const struct game_offer *f;
	size_t n, i;
	int seat;

	game_waits_owed(g, w);
	n = w->n;
	/*
	 * The offers, each for the other side; a ruling for seats 1 and 2, a
	 * seat for all others.
	 */
	for (i = 0; i < g->n_offers; i++) {
		f = &g->offers[i];
		if (game_offer_asked(f) != 0) {
			game_waits_add(
			    g, w, -1, game_offer_asked(f), OWED_OFFER, f->seq);
			continue;
		}
		for (seat = 0; seat < GAME_SEATS; seat++) {
			if (game_is_joined(g, seat) && game_offer_asks(f, seat))
				game_waits_add(g, w, seat, 0,
				    f->what == GAME_OFFER_SEAT ? OWED_NEWCOMER
							       : OWED_OFFER,
				    f->seq);
		}
	}
	/* An offer may be let lie: no clock runs for it. */
	for (i = n; i < w->n; i++)
		w->list[i].until_ms = -1;
	/* Whoever has been given notice is told of it, and until when. */
	for (seat = 1; seat <= 2; seat++) {
		if (g->clock.notices[seat].seq < 0 || w->n == GAME_WAITS_MAX)
			continue;
		game_waits_add(g, w, -1, 3 - seat, OWED_NOTICE,
		    g->clock.notices[seat].seq);
		w->list[w->n - 1].since_ms = g->clock.notices[seat].at_ms;
		w->list[w->n - 1].until_ms = game_notice_until_ms(g, seat);
	}
}

bool
game_wait_is_for(
    const struct game *g, const struct game_wait *wait, const char *account)
{
	int i, seat;

	for (i = 0; i < GAME_SLOTS; i++) {
		seat = game_slot_seat(i);
		if ((wait->seat >= 0 ? seat == wait->seat
				     : game_side_of(seat) == wait->side) &&
		    g->seats[i].is_joined &&
		    strcmp(g->seats[i].account, account) == 0)
			return (true);
	}
	return (false);
}
