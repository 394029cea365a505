/* SPDX-License-Identifier: ISC */
/* umpire ready: agrees to the opponent; the last one starts the game. */
#include <sysexits.h>

#include "client/cmds.h"
#include "client/play.h"
#include "client/tell.h"
#include "common/order.h"

/* Says ready. */
static int
cmd_ready_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int64_t seq;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	if (!play_is_sent(pl, ORDER_READY, NULL, NULL) &&
	    !tell_is_owed(pl, "ready"))
		status = tell_not_now(pl, "your `ready` is not asked for now");
	if (status == 0)
		status = play_order(pl, ORDER_READY, json_object(), NULL, &seq);
	if (status == 0)
		tell_order(pl, seq);
	play_close(pl);
	return (status);
}

const struct cmd cmd_ready = {
    .name = "ready",
    .args = "GAME",
    .what = "say that you are ready: agree to your opponent",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "Whoever opened the game says so when the opponent has "
	    "joined.  The last one to\nbe ready starts the game.\n",
    .examples = "  umpire ready evening\n",
    .run = cmd_ready_run,
};
