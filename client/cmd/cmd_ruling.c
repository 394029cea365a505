/* SPDX-License-Identifier: ISC */
/* umpire ruling: what the director of a game rules. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/adjust_text.h"
#include "client/play/offer_parse.h"
#include "client/play/offers.h"
#include "client/play/show.h"
#include "client/play/takeback.h"
#include "client/replica/adjust.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/order.h"

/* Refuses what the game would refuse, and asks before what holds at once. */
static int
cmd_ruling_check(struct play *pl, json_t *args)
{
	const json_t *units = json_object_get(args, "units");
	const char *act = js_str(args, "do");
	struct errinfo e = {.text = ""};
	char *s;
	int r;

	if (json_object_get(args, "void") != NULL)
		return (
		    takeback_check(pl, "ruling", "void", js_int(args, "from")));
	if (act != NULL && game_claim_seq(play_game(pl)) < 0)
		return (show_not_now(pl, "no claim waits for a ruling"));
	if (act != NULL)
		xalloc_set(
		    args, "claim", json_integer(game_claim_seq(play_game(pl))));
	if (act != NULL && strcmp(act, "forfeit") == 0)
		return (cmd_confirm(pl->cx,
		    "Rule that the silent side has lost?  That is final."));
	if (units == NULL)
		return (0);
	/* Changes are checked as if a player proposed them. */
	r = game_check_adjust(play_game(pl), pl->seat, units, &e);
	if (r == 0 || r == ERR_MISSING)
		return (0);
	s = place_error(r, &e, args);
	if (!adjust_text_unknown(pl, units, &e))
		out_error("%s", s);
	free(s);
	out_note("Nothing was sent.");
	return (EX_DATAERR);
}

/* Rules. */
static int
cmd_ruling_play(struct play *pl, const struct action *a)
{
	const struct opt_set *set = &pl->cx->opts;
	struct errinfo e = {.text = ""};
	json_t *args, *units;
	int status;

	if (offers_is_sent(pl, ORDER_RULING, -1, NULL)) {
		show_order(pl, pl->sent_seq);
		return (0);
	}
	if (pl->seat != 0)
		return (
		    show_not_now(pl, "only the director of a game can rule"));
	if ((status = offers_need_play(pl)) != 0)
		return (status);
	if (a->args != NULL) {
		args = xalloc_copy(a->args);
	} else if (adjust_parse(game_roster(play_game(pl)), set->n_operands - 2,
		       (const char *const *)set->operands + 2, &units,
		       &e) == 0) {
		args = xalloc_json(json_pack("{s:o}", "units", units));
	} else {
		out_error("%s", e.text);
		out_note("Nothing was sent.");
		return (EX_DATAERR);
	}
	if ((status = cmd_ruling_check(pl, args)) == 0)
		status = offers_give(
		    pl, ORDER_RULING, json_incref(args), "why", a->text);
	json_decref(args);
	return (status);
}

/* Reads the words, but for changes, which the rosters explain. */
static int
cmd_ruling_parse(struct cmd_ctx *cx, struct action *a)
{
	const struct opt_set *set = &cx->opts;
	struct errinfo e = {.text = ""};
	int status;

	if ((status = offers_text(cx, "why", &a->text)) != 0)
		return (status);
	if (a->text == NULL)
		return (cmd_usage(cx, "a ruling needs a reason: --why TEXT"));
	a->kind = ACTION_RULING;
	if (strcmp(cmd_arg(cx, 1), "adjust") == 0)
		return (0);
	if (offer_parse_ruling(set->n_operands - 1,
		(const char *const *)set->operands + 1, &a->args, &e) != 0)
		return (cmd_usage(cx, "%s", e.text));
	return (0);
}

static const struct opt_def cmd_ruling_opts[] = {
    {"why", 0, "TEXT", false, "the reason; always needed"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_ruling = {
    .opts = cmd_ruling_opts,
    .min_args = 2,
    .max_args = -1,
    .need = PLAY_ORDER,
    .parse = cmd_ruling_parse,
    .play = cmd_ruling_play,
};
