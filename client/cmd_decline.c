/* SPDX-License-Identifier: ISC */
/* umpire decline: says no to what was offered. */
#include <sysexits.h>

#include "client/cmds.h"
#include "client/deal.h"
#include "client/tell.h"
#include "client/xalloc.h"
#include "common/order.h"

/* Finds the offer and gives the order. */
static int
cmd_decline_play(struct play *pl, const char *why)
{
	json_t *args, *offer;
	int status;

	if (deal_is_sent(pl, ORDER_NOTE, 1, "decline")) {
		tell_order(pl, pl->sent_seq);
		return (0);
	}
	if ((status = deal_find(pl, 1, DEAL_DECLINE, &offer)) != 0)
		return (status);
	args = xalloc_json(json_object());
	xalloc_set(args, "to", xalloc_copy(json_object_get(offer, "seq")));
	xalloc_set(args, "say", json_string("decline"));
	json_decref(offer);
	return (deal_give(pl, ORDER_NOTE, args, "why", why));
}

/* Opens the game. */
static int
cmd_decline_run(struct cmd_ctx *cx)
{
	const char *why;
	struct play *pl;
	int status;

	if ((status = deal_text(cx, "why", &why)) != 0 ||
	    (status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = cmd_decline_play(pl, why);
	play_close(pl);
	return (status);
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
