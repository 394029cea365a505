/* SPDX-License-Identifier: ISC */
/* umpire cancel: calls a game off that has not begun. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Checks that there is something to cancel, and asks. */
static int
cmd_cancel_check(struct play *pl)
{
	switch (game_phase(play_game(pl))) {
	case GAME_MUSTER:
		break;
	case GAME_PLAY:
	case GAME_HALTED:
		out_error("this game has begun");
		out_note("`umpire resign %s` gives it up; `umpire close %s` "
			 "offers to stop it\nwithout a result.",
		    pl->name, pl->name);
		return (EX_DATAERR);
	case GAME_OVER:
	case GAME_FINISHED:
		out_error("this game is over already");
		return (EX_DATAERR);
	}
	if (pl->seat == 0) {
		out_error("a director cannot call a game off");
		return (EX_DATAERR);
	}
	return (cmd_confirm(pl->cx, "Cancel this game, before it has begun?"));
}

/* Cancels, after asking. */
static int
cmd_cancel_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int64_t seq;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	if (!play_is_sent(pl, ORDER_RESIGN, NULL, NULL))
		status = cmd_cancel_check(pl);
	if (status == 0)
		status =
		    play_order(pl, ORDER_RESIGN, json_object(), NULL, &seq);
	if (status == 0)
		tell_order(pl, seq);
	play_close(pl);
	return (status);
}

const struct cmd cmd_cancel = {
    .name = "cancel",
    .args = "GAME",
    .what = "call a game off before it begins",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "Only until everybody is ready; then there is `umpire resign`.  "
	    "You are asked\nfirst; scripts say --yes.\n",
    .examples = "  umpire cancel evening\n",
    .run = cmd_cancel_run,
};
