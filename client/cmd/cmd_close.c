/* SPDX-License-Identifier: ISC */
/* umpire close: signs the result, or offers to stop without one. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/finish.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* The question before it. */
static const char *
cmd_close_question(const struct game *g)
{
	if (game_phase(g) == GAME_OVER || game_phase(g) == GAME_HALTED)
		return ("Close the game, and sign its result?");
	return ("Offer to stop without a result?");
}

/* Closes, after asking where the result is not one that we agreed to. */
static int
cmd_close_play(struct play *pl, int64_t *seq)
{
	int status = 0;

	if (finish_is_due(pl))
		return (finish_close(pl, seq));
	if (!play_is_sent(pl, ORDER_CLOSE, NULL, NULL)) {
		if (game_is_finished(play_game(pl))) {
			out_error("this game is finished already");
			status = EX_DATAERR;
		} else {
			status = cmd_confirm(
			    pl->cx, cmd_close_question(play_game(pl)));
		}
	}
	if (status == 0)
		status = play_order(pl, ORDER_CLOSE, json_object(), NULL, seq);
	return (status);
}

/* Opens the game and closes it. */
static int
cmd_close_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int64_t seq;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	if ((status = cmd_close_play(pl, &seq)) == 0)
		tell_order(pl, seq);
	play_close(pl);
	return (status);
}

const struct cmd cmd_close = {
    .name = "close",
    .args = "GAME",
    .what = "sign the result, or offer to stop without one",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "A decided game is finished when both sides have closed it.  "
	    "Before that it is an\noffer to stop without a result, which "
	    "lapses with the next move.  You are asked\nfirst; scripts say "
	    "--yes.\n",
    .examples = "  umpire close evening\n",
    .run = cmd_close_run,
};
