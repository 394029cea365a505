/* SPDX-License-Identifier: ISC */
/* umpire open: opens a secret choice to which both sides have committed. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/commit.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Opens the game, then the choice. */
static int
cmd_open_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int64_t seq;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	if ((status = commit_open(pl, &seq)) == 0) {
		/* The order of an earlier run may just have got through. */
		if (seq < 0 && play_is_sent(pl, ORDER_OPEN, NULL, NULL))
			seq = pl->sent_seq;
		if (seq < 0)
			status = tell_not_now(
			    pl, "no choice of yours waits to be opened");
		else
			tell_order(pl, seq);
	}
	play_close(pl);
	return (status);
}

const struct cmd cmd_open = {
    .name = "open",
    .args = "GAME",
    .what = "open your secret choice, once both sides have committed",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "Needed only in games whose secrets are sealed, and only if "
	    "nothing else does it:\ndecide, declare, upkeep, end-turn and "
	    "watch open a choice that waits for it.\n",
    .examples = "  umpire open evening\n",
    .run = cmd_open_run,
};
