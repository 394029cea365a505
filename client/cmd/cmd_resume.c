/* SPDX-License-Identifier: ISC */
/* umpire resume: ends a pause that was agreed on, before its time. */
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/deal.h"
#include "client/play/tell.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Refuses if there is no pause. */
static int
cmd_resume_check(struct play *pl)
{
	const json_t *clocks;
	bool is_away, is_paused;
	json_t *view;
	int status;

	if ((status = deal_need_play(pl)) != 0)
		return (status);
	if (pl->seat == 0)
		return (tell_not_now(pl, "the director has no clock"));
	view = xalloc_json(game_view(play_game(pl)));
	clocks = json_object_get(view, "clocks");
	is_paused = json_object_get(clocks, "paused_until") != NULL;
	is_away = json_object_get(json_object_get(clocks,
				      game_side_of(pl->seat) == 1 ? "1" : "2"),
		      "away_until") != NULL;
	json_decref(view);
	if (is_paused)
		return (0);
	return (tell_not_now(pl,
	    is_away ? "there is no pause; a holiday is not ended early, "
		      "but you may move in it"
		    : "there is no pause"));
}

/* Ends the pause. */
static int
cmd_resume_run(struct cmd_ctx *cx)
{
	struct play *pl;
	json_t *args;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	args = xalloc_json(json_object());
	xalloc_set(args, "do", json_string("resume"));
	if (!play_is_sent(pl, ORDER_PAUSE, args, NULL))
		status = cmd_resume_check(pl);
	if (status == 0)
		status =
		    deal_give(pl, ORDER_PAUSE, json_incref(args), "why", NULL);
	json_decref(args);
	play_close(pl);
	return (status);
}

const struct cmd cmd_resume = {
    .name = "resume",
    .args = "GAME",
    .what = "end a pause before its time",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 1,
    .more = "Either side may end a pause that was agreed on; the clocks run "
	    "again.\n",
    .examples = "  umpire resume evening\n",
    .run = cmd_resume_run,
};
