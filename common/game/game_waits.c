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

/* Adds one; there is room, but for a snapshot that nobody can have made. */
static void
game_waits_add(const struct game *g, struct game_waits *w, int seat, int side,
    enum owed what, int64_t since)
{
	if (w->n == GAME_WAITS_MAX)
		return;
	w->list[w->n++] = (struct game_wait){.seat = seat,
	    .side = side,
	    .what = what,
	    .since = since,
	    .since_ms = game_waits_since(g, since),
	    .until_ms = game_deadline_ms(g, side)};
}

/* Adds what one seat owes. */
static void
game_waits_seat(const struct game *g, struct game_waits *w, int seat,
    enum owed what, int64_t since)
{
	game_waits_add(g, w, seat, game_side_of(seat), what, since);
}

/* Adds what any seat of a side may do. */
static void
game_waits_side(const struct game *g, struct game_waits *w, int side,
    enum owed what, int64_t since)
{
	game_waits_add(g, w, -1, side, what, since);
}

/* Before the game starts. */
static void
game_waits_muster(const struct game *g, struct game_waits *w)
{
	bool is_full = game_is_full(g);
	int i;

	for (i = 0; i < GAME_SEATS; i++) {
		if (!game_is_seat(g, i))
			continue;
		if (!g->seats[i].is_joined)
			game_waits_seat(g, w, i, OWED_JOIN, 0);
		else if (is_full && !g->seats[i].is_ready)
			game_waits_seat(g, w, i, OWED_READY, g->state_seq);
	}
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
		game_waits_side(g, w, c->ask_side, OWED_DECIDE,
		    c->run == NULL ? c->declare_seq : c->ask_seq);
		return;
	}
	for (side = 1; side <= 2; side++) {
		kind = game_secret_owed(g, side, &ask);
		if (kind != ORDER_UNKNOWN)
			game_waits_side(g, w, side,
			    kind == ORDER_OPEN ? OWED_OPEN : OWED_COMMIT, ask);
	}
}

/* While the game is played. */
static void
game_waits_play(const struct game *g, struct game_waits *w)
{
	if (g->owed.is_owed)
		game_waits_seat(g, w, g->owed.seat, OWED_ANSWER, g->owed.seq);
	else if (g->combat.is_open && !g->combat.is_loose)
		game_waits_ask(g, w);
	else
		game_waits_side(g, w, game_side(g), OWED_TURN, g->state_seq);
	if (g->clock.claim_seq >= 0)
		game_waits_seat(g, w, 0, OWED_RULING, g->clock.claim_seq);
}

/* At the end: a close by one seat of each side. */
static void
game_waits_close(const struct game *g, struct game_waits *w)
{
	bool closed[3] = {false, false, false};
	int i;

	for (i = 1; i < GAME_SEATS; i++) {
		if (g->seats[i].close_seq >= 0)
			closed[game_side_of(i)] = true;
	}
	for (i = 1; i < GAME_SEATS; i++) {
		if (g->seats[i].is_joined && !closed[game_side_of(i)])
			game_waits_seat(g, w, i, OWED_CLOSE, g->state_seq);
	}
}

void
game_waits_owed(const struct game *g, struct game_waits *w)
{
	w->n = 0;
	switch (g->phase) {
	case GAME_MUSTER:
		game_waits_muster(g, w);
		break;
	case GAME_PLAY:
		game_waits_play(g, w);
		break;
	case GAME_OVER:
	case GAME_HALTED:
		game_waits_close(g, w);
		break;
	case GAME_FINISHED:
		break;
	}
}

/* The offers, each for the other side; a ruling for seats 1 and 2. */
static void
game_waits_offers(const struct game *g, struct game_waits *w)
{
	const struct game_offer *f;
	size_t i;
	int seat;

	for (i = 0; i < g->n_offers; i++) {
		f = &g->offers[i];
		if (game_offer_asked(f) != 0) {
			game_waits_side(
			    g, w, game_offer_asked(f), OWED_OFFER, f->seq);
			continue;
		}
		for (seat = 1; seat <= 2; seat++) {
			if (game_offer_asks(f, seat))
				game_waits_seat(g, w, seat, OWED_OFFER, f->seq);
		}
	}
}

void
game_waiting(const struct game *g, struct game_waits *w)
{
	size_t n, i;

	game_waits_owed(g, w);
	n = w->n;
	game_waits_offers(g, w);
	/* An offer may be let lie: no clock runs for it. */
	for (i = n; i < w->n; i++)
		w->list[i].until_ms = -1;
}

bool
game_wait_is_for(
    const struct game *g, const struct game_wait *wait, const char *account)
{
	int i;

	if (wait->seat >= 0)
		return (g->seats[wait->seat].is_joined &&
		    strcmp(g->seats[wait->seat].account, account) == 0);
	for (i = 0; i < GAME_SEATS; i++) {
		if (g->seats[i].is_joined && game_side_of(i) == wait->side &&
		    strcmp(g->seats[i].account, account) == 0)
			return (true);
	}
	return (false);
}
