/* SPDX-License-Identifier: ISC */
/* umpire ruling: what the director of a game rules. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/adjust_tell.h"
#include "client/play/deal.h"
#include "client/play/offer.h"
#include "client/play/takeback.h"
#include "client/play/tell.h"
#include "client/replica/adjust.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Reads changes and checks them, as if a player proposed them. */
static int
cmd_ruling_adjust(struct play *pl, json_t **args)
{
	const struct opt_set *set = &pl->cx->opts;
	struct errinfo e = {.text = ""};
	json_t *units = NULL, *of, *view;
	char *s;
	int r;

	view = xalloc_json(game_view(play_game(pl)));
	r = adjust_parse(json_object_get(view, "roster"), set->n_operands - 2,
	    (const char *const *)set->operands + 2, &units, &e);
	json_decref(view);
	if (r == 0)
		r = game_check_adjust(play_game(pl), pl->seat, units, &e);
	if (r != 0 && r != ERR_MISSING) {
		of = xalloc_json(json_pack("{s:O?}", "units", units));
		s = place_error(r, &e, of);
		if (units == NULL || !adjust_tell_unknown(pl, units, &e))
			out_error("%s", s);
		free(s);
		json_decref(of);
		out_note("Nothing was sent.");
		json_decref(units);
		return (EX_DATAERR);
	}
	*args = xalloc_json(json_object());
	xalloc_set(*args, "units", units);
	return (0);
}

/* Names the claim that waits for a ruling. */
static int
cmd_ruling_claim(struct play *pl, json_t *args)
{
	const json_t *claim;
	json_t *view;
	int status = 0;

	if (json_object_get(args, "do") == NULL)
		return (0);
	view = xalloc_json(game_view(play_game(pl)));
	claim = json_object_get(view, "adjudication");
	if (json_is_integer(claim))
		xalloc_set(args, "claim", xalloc_copy(claim));
	else
		status = tell_not_now(pl, "no claim waits for a ruling");
	json_decref(view);
	return (status);
}

/* Reads the words; 0, or an exit status. */
static int
cmd_ruling_read(struct play *pl, json_t **args)
{
	const struct opt_set *set = &pl->cx->opts;
	struct errinfo e = {.text = ""};
	int status;

	if (strcmp(cmd_arg(pl->cx, 1), "adjust") == 0)
		return (cmd_ruling_adjust(pl, args));
	if (offer_parse_ruling(set->n_operands - 1,
		(const char *const *)set->operands + 1, args, &e) != 0)
		return (cmd_usage(pl->cx, "%s", e.text));
	if (json_is_true(json_object_get(*args, "void")))
		status = takeback_check(pl, "ruling", "void",
		    json_integer_value(json_object_get(*args, "from")));
	else
		status = cmd_ruling_claim(pl, *args);
	if (status != 0)
		json_decref(*args);
	return (status);
}

/* Asks before a ruling that is in force at once. */
static int
cmd_ruling_confirm(struct play *pl, const json_t *args)
{
	const char *act = json_string_value(json_object_get(args, "do"));

	if (act == NULL || strcmp(act, "forfeit") != 0)
		return (0);
	return (cmd_confirm(
	    pl->cx, "Rule that the silent side has lost?  That stays."));
}

/* Rules. */
static int
cmd_ruling_play(struct play *pl, const char *why)
{
	json_t *args = NULL;
	int status;

	if (deal_is_sent(pl, ORDER_RULING, -1, NULL)) {
		tell_order(pl, pl->sent_seq);
		return (0);
	}
	if (pl->seat != 0)
		return (tell_not_now(pl, "only the director of a game rules"));
	if ((status = deal_need_play(pl)) != 0 ||
	    (status = cmd_ruling_read(pl, &args)) != 0)
		return (status);
	if ((status = cmd_ruling_confirm(pl, args)) != 0) {
		json_decref(args);
		return (status);
	}
	return (deal_give(pl, ORDER_RULING, args, "why", why));
}

/* Opens the game and rules. */
static int
cmd_ruling_run(struct cmd_ctx *cx)
{
	const char *why;
	struct play *pl;
	int status;

	if ((status = deal_text(cx, "why", &why)) != 0)
		return (status);
	if (why == NULL)
		return (cmd_usage(cx, "a ruling gives its reason: --why TEXT"));
	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = cmd_ruling_play(pl, why);
	play_close(pl);
	return (status);
}

static const struct opt_def cmd_ruling_opts[] = {
    {"why", 0, "TEXT", false, "the reason; it is always given"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_ruling = {
    .name = "ruling",
    .args = "GAME RULING [WORD ...]",
    .what = "rule in a game that you direct",
    .opts = cmd_ruling_opts,
    .min_args = 2,
    .max_args = -1,
    .more = "  void LINE            the line and all after it are taken back\n"
	    "  adjust UNIT F=V ...  units are changed\n"
	    "  result 1|2|draw      the game ends so\n"
	    "  words                what --why says\n"
	    "These hold when seats 1 and 2 have accepted them.  Two answer a "
	    "claim that waits\nfor you, and hold at once:\n"
	    "  extend TIME          the silent side gets more, such as 2d\n"
	    "  forfeit              the silent side loses\n",
    .examples = "  umpire ruling evening void 14 --why \"wrong unit\"\n"
		"  umpire ruling evening extend 2d --why \"he is ill\"\n",
    .run = cmd_ruling_run,
};
