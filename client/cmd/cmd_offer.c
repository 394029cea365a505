/* SPDX-License-Identifier: ISC */
/* umpire offer: a draw, victory, a takeback, a pause, a truce. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/actions.h"
#include "client/play/offer_parse.h"
#include "client/play/offers.h"
#include "client/play/show.h"
#include "client/play/takeback.h"
#include "common/game/game.h"
#include "common/record/order.h"

/* Says what is asked back, and asks whether that is meant. */
static int
cmd_offer_takeback(struct play *pl, const json_t *args)
{
	int64_t from = json_integer_value(json_object_get(args, "from"));
	char *question, *safe, *words;
	int status;

	status = takeback_check(pl, "offer", "takeback", from);
	if (status != 0)
		return (status);
	words = takeback_words(pl, from);
	question =
	    xalloc_printf("You ask to take back %s.  Ask for that?", words);
	safe = text_safe(question);
	status = cmd_confirm_as(pl->cx, safe,
	    "which line is asked back is confirmed first: without a terminal "
	    "to ask on, add --yes");
	free(safe);
	free(question);
	free(words);
	return (status);
}

/* Refuses what the game would refuse, and asks where it may be lost. */
static int
cmd_offer_check(struct play *pl, const json_t *args)
{
	const char *what = json_string_value(json_object_get(args, "what"));
	const struct order_create *set = game_settings(play_game(pl));
	int status;

	if ((status = offers_need_play(pl)) != 0)
		return (status);
	if (pl->seat == 0)
		status = show_not_now(pl,
		    "the director offers nothing; he rules (`umpire ruling`)");
	else if (strcmp(what, "pause") == 0 && !set->has_clock)
		status = show_not_now(pl, "this game has no clock");
	else if (strcmp(what, "takeback") == 0 && !set->may_take_back)
		status = show_not_now(pl, "this game knows no takebacks");
	else if (strcmp(what, "victory") == 0 &&
	    json_integer_value(json_object_get(args, "winner")) !=
		game_side_of(pl->seat))
		status = cmd_confirm(pl->cx,
		    "Offer victory to the other side?  Once "
		    "it accepts you have lost.");
	else if (strcmp(what, "takeback") == 0)
		status = cmd_offer_takeback(pl, args);
	return (status);
}

/* The line of a takeback that names none: the last that can be. */
static int
cmd_offer_last(struct play *pl, int64_t *from)
{
	int status;

	if ((status = offers_need_play(pl)) != 0)
		return (status);
	return (takeback_last(pl, "offer", "takeback", from));
}

/* Offers; args is stolen. */
static int
cmd_offer_give(struct play *pl, json_t *args, const char *why)
{
	const char *winner = json_string_value(json_object_get(args, "winner"));
	const struct play_text one = {"why", why};
	int side = pl->seat < 1 ? 1 : game_side_of(pl->seat), status;
	int64_t from;

	/* Whose victory it is depends on where we sit. */
	if (winner != NULL)
		xalloc_set(args, "winner",
		    json_integer(
			strcmp(winner, "theirs") == 0 ? 3 - side : side));
	if (json_object_get(args, "from") == NULL &&
	    strcmp(json_string_value(json_object_get(args, "what")),
		"takeback") == 0) {
		if ((status = cmd_offer_last(pl, &from)) != 0) {
			json_decref(args);
			return (status);
		}
		xalloc_set(args, "from", json_integer(from));
	}
	if (!play_is_sent_with(pl, ORDER_OFFER, args, &one, 1) &&
	    (status = cmd_offer_check(pl, args)) != 0) {
		json_decref(args);
		return (status);
	}
	return (offers_give(pl, ORDER_OFFER, args, "why", why));
}

/* Offers. */
static int
cmd_offer_play(struct play *pl, const struct action *a)
{
	return (cmd_offer_give(pl, xalloc_copy(a->args), a->text));
}

/* Reads the words. */
static int
cmd_offer_parse(struct cmd_ctx *cx, struct action *a)
{
	const struct opt_set *set = &cx->opts;
	struct errinfo e = {.text = ""};
	const char *why;
	int status;

	if ((status = offers_text(cx, "why", &why)) != 0)
		return (status);
	a->kind = ACTION_OFFER;
	if (why != NULL)
		a->text = xalloc_str(why);
	if (offer_parse(set->n_operands - 1,
		(const char *const *)set->operands + 1, &a->args, &e) != 0)
		return (cmd_usage(cx, "%s", e.text));
	return (0);
}

static const struct opt_def cmd_offer_opts[] = {
    {"why", 0, "TEXT", false, "the reason; it stands beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_offer = {
    .name = "offer",
    .args = "GAME draw|victory|takeback|pause|truce [WORD]",
    .what = "offer a draw, victory, a takeback, a pause or a truce",
    .opts = cmd_offer_opts,
    .min_args = 2,
    .max_args = 3,
    .need = PLAY_ORDER,
    .parse = cmd_offer_parse,
    .play = cmd_offer_play,
};
