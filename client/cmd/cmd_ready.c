/* SPDX-License-Identifier: ISC */
/* umpire ready: agrees to who plays; the last one starts the game. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

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
    .what = "say that you are ready: agree to who plays",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "Possible once every seat is taken.  By it you accept all who "
	    "play; before that\nwhoever opened the game may `umpire refuse` "
	    "one.  The last one to be ready\nstarts the game.\n",
    .examples = "  umpire ready evening\n",
    .run = cmd_ready_run,
};
