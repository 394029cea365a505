/* SPDX-License-Identifier: ISC */
/* umpire resign: gives the game up. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Resigns, after asking. */
static int
cmd_resign_run(struct cmd_ctx *cx)
{
	const struct game *g;
	struct play *pl;
	int64_t seq;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	g = play_game(pl);
	if (!play_is_sent(pl, ORDER_RESIGN, NULL, NULL)) {
		if (game_phase(g) == GAME_OVER ||
		    game_phase(g) == GAME_FINISHED) {
			out_error("this game is over already");
			status = EX_DATAERR;
		} else {
			status = cmd_confirm(cx,
			    game_phase(g) == GAME_MUSTER
				? "Cancel this game, before it has begun?"
				: "Resign?  You lose the game, and that "
				  "stays.");
		}
	}
	if (status == 0)
		status =
		    play_order(pl, ORDER_RESIGN, json_object(), NULL, &seq);
	if (status == 0)
		tell_order(pl, seq);
	play_close(pl);
	return (status);
}

const struct cmd cmd_resign = {
    .name = "resign",
    .args = "GAME",
    .what = "resign: the other side wins",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "Before everybody is ready it cancels the game.  You are "
	    "asked first; scripts\nsay --yes.\n",
    .examples = "  umpire resign evening\n",
    .run = cmd_resign_run,
};
