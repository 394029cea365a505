/* SPDX-License-Identifier: ISC */
/* umpire send: sends an order again that waits for its answer. */
#include <sysexits.h>

#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/play.h"
#include "client/play/show.h"

/* Tells what came of the order that was sent by opening the game. */
static int
cmd_send_play(struct play *pl, const struct action *a)
{
	(void)a;
	if (pl->sent != NULL)
		show_order(pl, pl->sent_seq);
	else
		out_print(&pl->cx->out,
		    "No order of yours waits for an answer in this game.\n");
	return (EX_OK);
}

const struct cmd cmd_send = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_SEND,
    .play = cmd_send_play,
};
