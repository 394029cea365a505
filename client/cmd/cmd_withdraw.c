/* SPDX-License-Identifier: ISC */
/* umpire withdraw: takes an own offer off the table. */
#include "client/cmd/cmds.h"
#include "client/play/deal.h"

/* Finds the offer and gives the order. */
static int
cmd_withdraw_run(struct cmd_ctx *cx)
{
	return (deal_note(cx, DEAL_WITHDRAW, "withdraw"));
}

static const struct opt_def cmd_withdraw_opts[] = {
    {"why", 0, "TEXT", false, "the reason; it stands beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_withdraw = {
    .name = "withdraw",
    .args = "GAME [LINE]",
    .what = "withdraw an offer or a ruling of your own",
    .opts = cmd_withdraw_opts,
    .min_args = 1,
    .max_args = 2,
    .more = "Without LINE the one that is open; if there are more they are "
	    "listed.  A\nstanding order is withdrawn by `umpire standing "
	    "--withdraw`.\n",
    .examples = "  umpire withdraw evening 14\n",
    .run = cmd_withdraw_run,
};
