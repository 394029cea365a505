/* SPDX-License-Identifier: ISC */
/*
 * The end of a game that both sides agreed on.  A player who offers a draw or
 * a victory, or accepts one, has consented to that result: the game is closed
 * for them without another question.  Every other result is closed by hand.
 * The record says who agreed: it has the offer, and who accepted it.
 */
#include "client/play/play.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/replica/send.h"
#include "client/report/battle.h"
#include "client/ui/out_terminal.h"
#include "common/game/game.h"
#include "common/record/order.h"

/* How a game was decided by agreement. */
struct play_finish {
	int64_t offer, accept; /* lines */
	int by, with; /* the seats that offered and accepted */
	bool is_draw;
};

/* As play_finish_is_due(), with how it came to that. */
static bool
play_finish_find(const struct play *pl, struct play_finish *f)
{
	const struct battle *b = replica_battle(pl->copy);
	const struct game *g = play_game(pl);
	const struct game_entry *en, *offer;
	int64_t i = pl->copy->n - 1;

	if (pl->seat <= 0 || game_phase(g) != GAME_OVER || game_is_halted(g) ||
	    (game_how(g) != GAME_DRAWN && game_how(g) != GAME_AGREED) ||
	    !show_is_owed(pl, OWED_CLOSE))
		return (false);
	while (i > 0 && battle_entry(b, i)->how == GAME_UNDECIDED)
		i--;
	en = battle_entry(b, i);
	offer = battle_entry(b, en->to);
	f->accept = i;
	f->with = en->seat;
	f->offer = en->to;
	f->by = offer->seat;
	f->is_draw = offer->offer == GAME_OFFER_DRAW;
	return (en->kind == ORDER_ACCEPT && offer->kind == ORDER_OFFER &&
	    (f->by == pl->seat || f->with == pl->seat));
}

bool
play_finish_is_due(const struct play *pl)
{
	struct play_finish f;

	return (play_finish_find(pl, &f));
}

/* Says that the game was closed for us, and why. */
static void
play_finish_tell(
    const struct play *pl, const struct play_finish *f, int64_t seq)
{
	const char *what = f->is_draw ? "draw" : "victory";
	char *other;

	other = battle_who(
	    replica_battle(pl->copy), f->by == pl->seat ? f->with : f->by);
	if (f->by == pl->seat)
		out_note("%s accepted the %s that you offered in '%s' (line "
			 "%lld),\nso umpire has closed the game for you (line "
			 "%lld).",
		    other, what, pl->name, (long long)f->accept,
		    (long long)seq);
	else
		out_note("You accepted the %s that %s offered in '%s' (line "
			 "%lld),\nso umpire has closed the game for you (line "
			 "%lld).",
		    what, other, pl->name, (long long)f->accept,
		    (long long)seq);
	free(other);
}

int
play_finish(struct play *pl, int64_t *seq)
{
	struct play_finish f;
	int status;

	if (!play_finish_find(pl, &f))
		return (show_not_now(pl, "no agreed result waits for you"));
	/* It rests on what was found just now, whatever was asked before. */
	pl->rests_on = pl->copy->n - 1;
	status =
	    play_order(pl, ORDER_CLOSE, xalloc_json(json_object()), NULL, seq);
	if (status == 0)
		play_finish_tell(pl, &f, *seq);
	return (status);
}

void
play_finish_try(struct play *pl)
{
	struct send_pending sp;
	struct errinfo e;
	int64_t seq;
	char *command;

	if (pl->link == NULL || !pl->link->is_logged_in ||
	    !play_finish_is_due(pl))
		return;
	/* What waits to be sent goes first, and nothing beside it. */
	if (send_load(pl->copy, &sp, &e) == 0) {
		send_clear(&sp);
		return;
	}
	if (play_finish(pl, &seq) == 0)
		return;
	if (send_load(pl->copy, &sp, &e) == 0) {
		send_clear(&sp);
		out_note("The agreed result stands; that order closes the "
			 "game for you.");
		return;
	}
	command = play_command(pl, "close", "");
	out_note("The agreed result stands; only closing the game for you "
		 "failed.\nNext: %s",
	    command);
	free(command);
}
