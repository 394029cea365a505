/* SPDX-License-Identifier: ISC */
/* umpire claim: claims that the other side's time has run out. */
#include <stdlib.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/commit.h"
#include "client/play/deal.h"
#include "client/play/duration.h"
#include "client/play/tell.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Says from when on it may be claimed; nothing is sent. */
static int
cmd_claim_early(const struct play *pl, int64_t deadline, int64_t now)
{
	char when[32], *due;

	due = duration_due(now, deadline);
	out_error("the other side's time runs until %s (%s)",
	    out_time(when, deadline), due);
	free(due);
	out_note("Nothing was sent.  From then on: umpire claim %s", pl->name);
	if (deadline - now < 120000)
		out_note("The server's clock decides; --anyway claims now.");
	return (EX_DATAERR);
}

/* Works out from the copy whether the deadline has passed. */
static int
cmd_claim_check(struct play *pl)
{
	const struct game *g = play_game(pl);
	int64_t deadline, now = clock_wall_ms();
	json_t *view;
	bool has_clock;
	int side, status;

	if ((status = deal_need_play(pl)) != 0)
		return (status);
	view = xalloc_json(game_view(g));
	has_clock = json_is_object(json_object_get(view, "clock"));
	json_decref(view);
	if (!has_clock)
		return (tell_not_now(pl, "this game has no clock"));
	if (pl->seat < 1)
		return (tell_not_now(pl, "the director claims nothing"));
	side = game_side_of(pl->seat);
	if (game_deadline_ms(g, side) >= 0)
		return (tell_not_now(pl, "your own clock runs"));
	deadline = game_deadline_ms(g, 3 - side);
	if (deadline < 0)
		return (tell_not_now(pl, "no clock runs now"));
	if (deadline > now)
		return (cmd_claim_early(pl, deadline, now));
	return (0);
}

/* Claims. */
static int
cmd_claim_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int64_t seq;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = commit_open(pl, &seq);
	if (status == 0 && !opt_has(&cx->opts, "anyway") &&
	    !play_is_sent(pl, ORDER_CLAIM, NULL, NULL))
		status = cmd_claim_check(pl);
	if (status == 0)
		status = deal_give(
		    pl, ORDER_CLAIM, xalloc_json(json_object()), "why", NULL);
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_claim_opts[] = {
    {"anyway", 0, NULL, false, "send it whatever this machine's clock says"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_claim = {
    .name = "claim",
    .args = "GAME",
    .what = "claim that the other side's time has run out",
    .opts = cmd_claim_opts,
    .min_args = 1,
    .max_args = 1,
    .more = "Nothing happens by itself when a deadline passes: the opponent "
	    "claims it.  What\n"
	    "follows the game has agreed on: the silent side loses, the usual "
	    "answer is\n"
	    "taken for it, or the director rules.  A claim that comes too "
	    "early is not sent;\n"
	    "one that the server finds too early stands in the record and does "
	    "nothing.\n",
    .examples = "  umpire claim evening\n",
    .run = cmd_claim_run,
};
