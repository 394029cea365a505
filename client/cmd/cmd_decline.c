/* SPDX-License-Identifier: ISC */
/* umpire decline: says no to what was offered. */
#include "client/cmd/cmds.h"
#include "client/play/deal.h"

/* Finds the offer and gives the order. */
static int
cmd_decline_run(struct cmd_ctx *cx)
{
	return (deal_note(cx, DEAL_DECLINE, "decline"));
}

static const struct opt_def cmd_decline_opts[] = {
    {"why", 0, "TEXT", false, "the reason; it stands beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_decline = {
    .name = "decline",
    .args = "GAME [LINE]",
    .what = "decline an offer, a proposal or a ruling",
    .opts = cmd_decline_opts,
    .min_args = 1,
    .max_args = 2,
    .more = "Without LINE the one that is open; if there are more they are "
	    "listed.\n",
    .examples = "  umpire decline evening 14 --why \"not this time\"\n",
    .run = cmd_decline_run,
};
