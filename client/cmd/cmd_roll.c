/* SPDX-License-Identifier: ISC */
/* umpire roll: free dice, or chits out of a cup, for whatever is needed. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/actions.h"
#include "client/play/commit.h"
#include "client/play/offers.h"
#include "client/play/roll.h"
#include "client/play/show.h"
#include "common/game/game.h"
#include "common/game/game_cup.h"
#include "common/record/order.h"

/* The args of a roll: "2d6". */
static int
cmd_roll_dice(struct cmd_ctx *cx, json_t **args)
{
	const char *word = cmd_arg(cx, 1);
	int64_t dice, sides;

	if (word == NULL || cmd_arg(cx, 2) != NULL)
		return (cmd_usage(cx,
		    "what is rolled?  dice such as 2d6, or --cup NAME and "
		    "perhaps a number"));
	if (!roll_dice(word, &dice, &sides))
		return (cmd_usage(cx,
		    "'%s' are no dice: 1 to %d dice of 2 to %d sides, such as "
		    "2d6",
		    word, ROLL_MAX, ROLL_MAX));
	*args = xalloc_json(json_object());
	xalloc_set(*args, "dice", json_integer(dice));
	xalloc_set(*args, "sides", json_integer(sides));
	return (0);
}

/* The args of a draw: --cup NAME [N]. */
static int
cmd_roll_draw(struct cmd_ctx *cx, const char *cup, json_t **args)
{
	const char *word = cmd_arg(cx, 1);
	int64_t n = 1;

	if (cmd_arg(cx, 2) != NULL ||
	    (word != NULL && !opt_number(word, 1, ROLL_MAX, &n)))
		return (
		    cmd_usage(cx, "out of a cup come 1 to %d chits: --cup %s 2",
			ROLL_MAX, cup));
	*args = xalloc_json(json_object());
	xalloc_set(*args, "cup", xalloc_json_str(cup));
	xalloc_set(*args, "draw", json_integer(n));
	return (0);
}

/* Says what a cup lacks before anything is signed. */
static int
cmd_roll_check(struct play *pl, const json_t *args)
{
	const char *name = json_string_value(json_object_get(args, "cup"));
	const struct game_cup *cup;
	size_t left;

	if (!show_is_owed(pl, OWED_TURN))
		return (show_not_now(pl,
		    "free dice are rolled in your own turn, while no combat "
		    "is open"));
	if (name == NULL)
		return (0);
	if ((cup = game_cup_find(play_game(pl), name)) == NULL) {
		out_error("there is no cup '%s'; `umpire cup %s` lists them",
		    name, pl->name);
		return (EX_DATAERR);
	}
	left = json_array_size(cup->in);
	if ((size_t)json_integer_value(json_object_get(args, "draw")) <= left)
		return (0);
	out_error("the cup %s has %zu left", name, left);
	return (EX_DATAERR);
}

/* Rolls. */
static int
cmd_roll_play(struct play *pl, const struct action *a)
{
	const struct play_text one = {"for", a->text};
	int64_t seq;
	int status;

	status = commit_open(pl, &seq);
	if (status == 0 && !play_is_sent_with(pl, ORDER_FREE, a->args, &one, 1))
		status = cmd_roll_check(pl, a->args);
	if (status != 0)
		return (status);
	return (
	    offers_give(pl, ORDER_FREE, xalloc_copy(a->args), "for", a->text));
}

/* Reads the words. */
static int
cmd_roll_parse(struct cmd_ctx *cx, struct action *a)
{
	const char *cup = opt_get(&cx->opts, "cup"), *why;
	int status;

	if ((status = offers_text(cx, "for", &why)) != 0)
		return (status);
	a->kind = ACTION_ROLL;
	if (why != NULL)
		a->text = xalloc_str(why);
	return (cup == NULL ? cmd_roll_dice(cx, &a->args)
			    : cmd_roll_draw(cx, cup, &a->args));
}

static const struct opt_def cmd_roll_opts[] = {
    {"cup", 0, "NAME", false, "draw from this cup instead"},
    {"for", 0, "TEXT", false, "what it is for; it stands beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_roll = {
    .name = "roll",
    .args = "GAME 2d6 | GAME --cup NAME [N]",
    .what = "roll free dice, or draw from a cup",
    .opts = cmd_roll_opts,
    .min_args = 1,
    .max_args = 3,
    .need = PLAY_ORDER,
    .parse = cmd_roll_parse,
    .play = cmd_roll_play,
};
