/* SPDX-License-Identifier: ISC */
/* umpire holiday: days that do not count for the own clock. */
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/deal.h"
#include "client/play/tell.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

#define CMD_HOLIDAY_MAX 366

/* Refuses more days than are left. */
static int
cmd_holiday_check(struct play *pl, int64_t days)
{
	const json_t *clocks;
	int64_t left;
	json_t *view;
	int status;

	if ((status = deal_need_play(pl)) != 0)
		return (status);
	if (pl->seat < 1)
		return (tell_not_now(pl, "the director has no clock"));
	view = xalloc_json(game_view(play_game(pl)));
	clocks = json_object_get(view, "clocks");
	left = json_integer_value(json_object_get(
	    json_object_get(clocks, game_side_of(pl->seat) == 1 ? "1" : "2"),
	    "holidays"));
	if (!json_is_object(clocks)) {
		status = tell_not_now(pl, "this game has no clock");
	} else if (days > left) {
		out_error("your side has %lld day%s of holiday left",
		    (long long)left, left == 1 ? "" : "s");
		status = EX_DATAERR;
	}
	json_decref(view);
	return (status);
}

/* Takes the days. */
static int
cmd_holiday_run(struct cmd_ctx *cx)
{
	struct play *pl;
	json_t *args;
	int64_t days;
	int status;

	if (!opt_number(cmd_arg(cx, 1), 1, CMD_HOLIDAY_MAX, &days))
		return (cmd_usage(cx, "'%s' is no number of days, 1 to %d",
		    cmd_arg(cx, 1), CMD_HOLIDAY_MAX));
	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	args = xalloc_json(json_object());
	xalloc_set(args, "do", json_string("holiday"));
	xalloc_set(args, "days", json_integer(days));
	if (!play_is_sent(pl, ORDER_PAUSE, args, NULL))
		status = cmd_holiday_check(pl, days);
	if (status == 0)
		status =
		    deal_give(pl, ORDER_PAUSE, json_incref(args), "why", NULL);
	json_decref(args);
	play_close(pl);
	return (status);
}

const struct cmd cmd_holiday = {
    .name = "holiday",
    .args = "GAME DAYS",
    .what = "take days off: your clock stands still",
    .opts = cmd_no_options,
    .min_args = 2,
    .max_args = 2,
    .more = "In games with a clock, as many days as the game has given each "
	    "side.  They begin\nat once, or behind those that run already.  "
	    "For more, `umpire offer GAME pause`.\n",
    .examples = "  umpire holiday evening 3\n",
    .run = cmd_holiday_run,
};
