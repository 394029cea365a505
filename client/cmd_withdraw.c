/* SPDX-License-Identifier: ISC */
/* umpire withdraw: takes an own offer off the table. */
#include <sysexits.h>

#include "client/cmds.h"
#include "client/deal.h"
#include "client/tell.h"
#include "client/xalloc.h"
#include "common/order.h"

/* Finds the offer and gives the order. */
static int
cmd_withdraw_play(struct play *pl, const char *why)
{
	json_t *args, *offer;
	int status;

	if (deal_is_sent(pl, ORDER_NOTE, 1, "withdraw")) {
		tell_order(pl, pl->sent_seq);
		return (0);
	}
	if ((status = deal_find(pl, 1, DEAL_WITHDRAW, &offer)) != 0)
		return (status);
	args = xalloc_json(json_object());
	xalloc_set(args, "to", xalloc_copy(json_object_get(offer, "seq")));
	xalloc_set(args, "say", json_string("withdraw"));
	json_decref(offer);
	return (deal_give(pl, ORDER_NOTE, args, "why", why));
}

/* Opens the game. */
static int
cmd_withdraw_run(struct cmd_ctx *cx)
{
	const char *why;
	struct play *pl;
	int status;

	if ((status = deal_text(cx, "why", &why)) != 0 ||
	    (status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = cmd_withdraw_play(pl, why);
	play_close(pl);
	return (status);
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
