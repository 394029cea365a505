/* SPDX-License-Identifier: ISC */
/* umpire end-turn: gives the turn to the other side. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/commit.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Ends the turn. */
static int
cmd_end_turn_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int64_t seq;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = commit_open(pl, &seq);
	if (status == 0 && !play_is_sent(pl, ORDER_TURN_END, NULL, NULL) &&
	    !tell_is_owed(pl, "turn"))
		status = tell_not_now(pl,
		    game_side(play_game(pl)) == game_side_of(pl->seat)
			? "the turn cannot be ended now"
			: "it is not your turn");
	if (status == 0)
		status =
		    play_order(pl, ORDER_TURN_END, json_object(), NULL, &seq);
	if (status == 0)
		tell_order(pl, seq);
	play_close(pl);
	return (status);
}

const struct cmd cmd_end_turn = {
    .name = "end-turn",
    .args = "GAME",
    .what = "end your turn",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "Two turns are a round.  While a combat is open the turn "
	    "cannot end.\n",
    .examples = "  umpire end-turn evening\n",
    .run = cmd_end_turn_run,
};
