/* SPDX-License-Identifier: ISC */
/* umpire send: sends an order again that waits for its answer. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/play.h"
#include "client/play/tell.h"

/* Opens the game, which sends the order, and tells what came of it. */
static int
cmd_send_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_SEND, &pl)) != 0)
		return (status);
	if (pl->sent != NULL)
		tell_order(pl, pl->sent_seq);
	else
		out_print(&cx->out, "No order of yours waits in this game.\n");
	play_close(pl);
	return (EX_OK);
}

const struct cmd cmd_send = {
    .name = "send",
    .args = "GAME",
    .what = "send the order again that waits for its answer",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "An order without an answer is kept; it may have been recorded or "
	    "not, so it\ncannot be withdrawn.  This shows it, asks, and sends "
	    "the same bytes: they count\nonce.  Where nobody can be asked it "
	    "is sent at once.\n",
    .examples = "  umpire send evening\n",
    .run = cmd_send_run,
};
