/* SPDX-License-Identifier: ISC */
/* umpire offer: a draw, victory, a takeback, a pause, a truce. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/cmds.h"
#include "client/copy.h"
#include "client/deal.h"
#include "client/offer.h"
#include "client/past.h"
#include "client/story.h"
#include "client/tell.h"
#include "client/xalloc.h"
#include "common/game/game.h"
#include "common/order.h"

/* Sets the line of a takeback that names none: the last undoable one. */
static int
cmd_offer_last(struct play *pl, json_t *args)
{
	struct story *st;
	int64_t seq;

	if (json_object_get(args, "from") != NULL)
		return (0);
	st = story_new(pl->copy);
	seq = past_undoable(story_past(st));
	story_free(st);
	if (seq < 0) {
		out_error("there is nothing that could be taken back");
		return (EX_DATAERR);
	}
	xalloc_set(args, "from", json_integer(seq));
	return (0);
}

/* Says in words what is asked for. */
static int
cmd_offer_tell(struct play *pl, const json_t *args)
{
	const json_t *from = json_object_get(args, "from");
	struct story *st;
	char *s;

	if (!json_is_integer(from))
		return (0);
	if (json_integer_value(from) >= pl->copy->n) {
		out_error("there is no line %lld yet",
		    (long long)json_integer_value(from));
		return (EX_DATAERR);
	}
	st = story_new(pl->copy);
	s = story_brief(st, json_integer_value(from));
	out_note("You ask to take back line %lld (%s) and what came after it.",
	    (long long)json_integer_value(from), s);
	free(s);
	story_free(st);
	return (0);
}

/* Refuses what the game would refuse, and asks where it may be lost. */
static int
cmd_offer_check(struct play *pl, const json_t *args)
{
	const char *what = json_string_value(json_object_get(args, "what"));
	const json_t *options;
	json_t *view;
	int status;

	if ((status = deal_need_play(pl)) != 0)
		return (status);
	view = xalloc_json(game_view(play_game(pl)));
	options = json_object_get(view, "options");
	if (pl->seat == 0)
		status = tell_not_now(pl,
		    "the director offers nothing; he rules (`umpire ruling`)");
	else if (strcmp(what, "pause") == 0 &&
	    !json_is_object(json_object_get(view, "clock")))
		status = tell_not_now(pl, "this game has no clock");
	else if (strcmp(what, "takeback") == 0 &&
	    json_is_false(json_object_get(options, "takeback")))
		status = tell_not_now(pl, "this game knows no takebacks");
	else if (strcmp(what, "victory") == 0 &&
	    json_integer_value(json_object_get(args, "winner")) !=
		game_side_of(pl->seat))
		status = cmd_confirm(pl->cx,
		    "Offer victory to the other side?  Once "
		    "it accepts you have lost.");
	else
		status = cmd_offer_tell(pl, args);
	json_decref(view);
	return (status);
}

/* Offers; args is stolen. */
static int
cmd_offer_give(struct play *pl, json_t *args, const char *why)
{
	const char *winner = json_string_value(json_object_get(args, "winner"));
	const struct play_text one = {"why", why};
	int side = pl->seat < 1 ? 1 : game_side_of(pl->seat), status;

	/* Whose victory it is depends on where we sit. */
	if (winner != NULL)
		xalloc_set(args, "winner",
		    json_integer(
			strcmp(winner, "theirs") == 0 ? 3 - side : side));
	if (json_object_get(args, "from") == NULL &&
	    strcmp(json_string_value(json_object_get(args, "what")),
		"takeback") == 0 &&
	    (status = cmd_offer_last(pl, args)) != 0) {
		json_decref(args);
		return (status);
	}
	if (!play_is_sent_with(pl, ORDER_OFFER, args, &one, 1) &&
	    (status = cmd_offer_check(pl, args)) != 0) {
		json_decref(args);
		return (status);
	}
	return (deal_give(pl, ORDER_OFFER, args, "why", why));
}

/* Reads the words, opens the game and offers. */
static int
cmd_offer_run(struct cmd_ctx *cx)
{
	const struct opt_set *set = &cx->opts;
	struct errinfo e = {.text = ""};
	const char *why;
	json_t *args = NULL;
	struct play *pl;
	int status;

	if ((status = deal_text(cx, "why", &why)) != 0)
		return (status);
	if (offer_parse(set->n_operands - 1,
		(const char *const *)set->operands + 1, &args, &e) != 0)
		return (cmd_usage(cx, "%s", e.text));
	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0) {
		json_decref(args);
		return (status);
	}
	status = cmd_offer_give(pl, args, why);
	play_close(pl);
	return (status);
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
    .more = "  draw                 the game ends without a winner\n"
	    "  victory mine|theirs  the game ends with this winner (mine)\n"
	    "  takeback [LINE]      this line and all after it are taken back; "
	    "without LINE\n                       the last one that can be\n"
	    "  pause DAYS           the clocks stand still\n"
	    "  truce TURNS          no combat is declared for so many turns\n\n"
	    "It holds when the other side accepts it, and lapses with the "
	    "other side's next\nmove.\n",
    .examples = "  umpire offer evening draw\n"
		"  umpire offer evening takeback --why \"wrong unit\"\n"
		"  umpire offer evening pause 7 --why holiday\n",
    .run = cmd_offer_run,
};
