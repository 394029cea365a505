/* SPDX-License-Identifier: ISC */
/*
 * The words of game_now.h.  Nothing is said of what only some may know: who
 * has made a secret choice is in the lines, what it is is not asked for.
 */
#include "common/game/game_now.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/game/game_int.h"
#include "common/rules/roster.h"

const char *
game_now_outcome(enum game_how how, bool has_winner)
{
	static const struct {
		const char *won, *drawn;
	} words[] = {
	    [GAME_RESIGNED] = {": the other side resigned",
		"the game ended without a winner"},
	    [GAME_AGREED] = {", as both sides agreed",
		"the game ended without a winner, as both sides agreed"},
	    [GAME_DRAWN] = {", as both sides agreed",
		"the game ended in a draw, as both sides agreed"},
	    [GAME_FORFEIT] = {": the other side forfeited it",
		"the game was forfeited without a winner"},
	    [GAME_RULED] = {", as the director ruled",
		"the game ended in a draw, as the director ruled"},
	    [GAME_CANCELLED] = {", which was called off",
		"the game was called off before it began"},
	    [GAME_STOPPED] = {", which was closed",
		"both sides closed the game without a winner"},
	    [GAME_CLOSED] = {", which the server closed",
		"the server closed the game without a winner"},
	};

	return (has_winner ? words[how].won : words[how].drawn);
}

/* What a side is called: by the roster, else by its first seat's account. */
static const char *
game_now_side(const struct game *g, int side)
{
	static const char *const fallback[] = {"nobody", "side 1", "side 2"};
	const char *name = game_side_name(g, side);
	int seat;

	if (name != NULL && *name != '\0')
		return (name);
	for (seat = side; seat < GAME_SEATS; seat += 2) {
		if (*game_account(g, seat) != '\0')
			return (game_account(g, seat));
	}
	return (fallback[side]);
}

void
game_title_write(const struct game *g, struct buf *out)
{
	const struct order_create *c = &g->set;
	const size_t before = out->len;

	if (c->event != NULL)
		buf_puts(out, c->event);
	if (c->round >= 0)
		buf_printf(out, "%sround %lld", out->len == before ? "" : ", ",
		    (long long)c->round);
	if (c->table >= 0)
		buf_printf(out, "%stable %lld", out->len == before ? "" : ", ",
		    (long long)c->table);
	buf_printf(out, "%s%s against %s", out->len == before ? "" : ": ",
	    game_now_side(g, 1), game_now_side(g, 2));
}

/* What a game waits for before it is played, the first of the list. */
static void
game_now_muster(
    const struct game *g, const struct game_waits *waits, struct buf *out)
{
	int n = 0, n_others = 0;
	size_t i;

	if (waits->n == 0) {
		buf_puts(out, "not yet played");
		return;
	}
	for (i = 0; i < waits->n; i++) {
		if (waits->list[i].what != waits->list[0].what)
			continue;
		n++;
		n_others += waits->list[i].side == 0;
	}
	switch (waits->list[0].what) {
	case OWED_JOIN:
		if (n == n_others)
			buf_printf(out, "waiting for the %s",
			    waits->list[0].seat == 0 ? "director" : "witness");
		else if (n - n_others == 1)
			buf_puts(out, "a seat is free");
		else
			buf_printf(out, "%d seats are free", n - n_others);
		break;
	case OWED_ACCEPT:
		buf_puts(out, "lines were lost: players are to accept that");
		break;
	default:
		if (n > 1)
			buf_printf(out, "%d players are to say ready", n);
		else
			buf_printf(out, "%s is to say ready",
			    game_account(g, waits->list[0].seat));
		break;
	}
}

/* Who is to do something in play, and what. */
static void
game_now_play(
    const struct game *g, const struct game_waits *waits, struct buf *out)
{
	const struct game_wait *w = &waits->list[0];
	const bool is_both = waits->n > 1 && waits->list[1].what == w->what;
	const char *who = w->seat == 0 ? "the director"
	    : w->seat == GAME_WITNESS  ? "the witness"
				       : game_now_side(g, w->side);

	if (waits->n == 0)
		return;
	switch (w->what) {
	case OWED_TURN:
		buf_printf(out, "%s to move", who);
		break;
	case OWED_DECIDE:
		buf_printf(out, "%s to decide", who);
		break;
	case OWED_COMMIT:
		buf_printf(
		    out, "%s to choose in secret", is_both ? "both" : who);
		break;
	case OWED_OPEN:
		buf_printf(
		    out, "%s to open what was chosen", is_both ? "both" : who);
		break;
	case OWED_ANSWER:
		buf_printf(out, "%s to answer", who);
		break;
	default:
		game_now_muster(g, waits, out);
		break;
	}
	if (waits->list[waits->n - 1].what == OWED_RULING)
		buf_puts(out, "; the director to rule on a claim");
}

/* What both sides have left, where the rules are run. */
static void
game_now_left(const struct game *g, struct buf *out)
{
	const json_t *roster = game_roster(g);
	int64_t left[2];
	int i;

	if (g->turn == 0 || g->is_rules_off || roster == NULL)
		return;
	for (i = 0; i < 2; i++)
		left[i] = roster_worth(g->sys,
		    json_object_get(
			json_object_get(roster, i == 0 ? "1" : "2"), "units"),
		    NULL);
	buf_printf(out, "; %lld against %lld left", (long long)left[0],
	    (long long)left[1]);
}

void
game_now_write(const struct game *g, struct buf *out)
{
	struct game_waits waits;

	if (g->how != GAME_UNDECIDED) {
		if (g->winner != 0)
			buf_printf(out, "%s won the game",
			    game_now_side(g, g->winner));
		buf_puts(out, game_now_outcome(g->how, g->winner != 0));
		game_now_left(g, out);
		return;
	}
	game_waits_owed(g, &waits);
	switch (g->phase) {
	case GAME_MUSTER:
		game_now_muster(g, &waits, out);
		break;
	case GAME_HALTED:
		buf_puts(out, "halted: the rules code failed");
		break;
	default:
		buf_printf(out, "turn %d, ", g->turn);
		game_now_play(g, &waits, out);
		game_now_left(g, out);
		break;
	}
}
