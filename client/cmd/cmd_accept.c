/* SPDX-License-Identifier: ISC */
/* umpire accept: accepts what the other side, or the director, has offered. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/commit.h"
#include "client/play/deal.h"
#include "client/play/finish.h"
#include "client/play/takeback.h"
#include "client/play/tell.h"
#include "client/replica/copy.h"
#include "client/report/describe.h"
#include "common/game/game.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* True for what is not taken back once it holds. */
static bool
cmd_accept_is_final(const json_t *offer)
{
	const char *what = json_string_value(json_object_get(offer, "what"));

	return (what == NULL || strcmp(what, "takeback") == 0 ||
	    strcmp(what, "victory") == 0 || strcmp(what, "draw") == 0 ||
	    strcmp(what, "ruling") == 0);
}

/* True for an offer to take something back. */
static bool
cmd_accept_is_takeback(const json_t *offer)
{
	const char *what = json_string_value(json_object_get(offer, "what"));

	return ((what != NULL && strcmp(what, "takeback") == 0) ||
	    json_is_true(json_object_get(offer, "void")));
}

/* What is accepted, for a question; free(). */
static char *
cmd_accept_words(struct play *pl, const json_t *offer)
{
	struct story *st;
	char *s, *words;

	if (cmd_accept_is_takeback(offer)) {
		words = takeback_words(
		    pl, json_integer_value(json_object_get(offer, "from")));
		s = xalloc_printf("taking back %s", words);
		free(words);
		return (s);
	}
	st = story_new(pl->copy);
	s = describe_offer(
	    st, json_integer_value(json_object_get(offer, "seq")));
	story_free(st);
	return (s);
}

/* Says what is accepted, and asks where that cannot be undone. */
static int
cmd_accept_confirm(struct play *pl, const json_t *offer)
{
	int64_t seq = json_integer_value(json_object_get(offer, "seq"));
	char *question, *s, *safe;
	int status;

	if (!cmd_accept_is_final(offer))
		return (0);
	s = cmd_accept_words(pl, offer);
	question =
	    xalloc_printf("You accept %s.  Accept line %lld?  That stays.", s,
		(long long)seq);
	safe = out_safe(question);
	status = cmd_confirm(pl->cx, safe);
	free(question);
	free(safe);
	free(s);
	return (status);
}

/*
 * Sends it, closes the game if it is decided by that, and tells both.  What
 * was accepted holds also if the close fails.
 */
static int
cmd_accept_give(struct play *pl, const json_t *offer)
{
	json_t *args;
	int64_t seq;
	int status;

	args = xalloc_json(json_object());
	xalloc_set(args, "to", xalloc_copy(json_object_get(offer, "seq")));
	status = play_order(pl, ORDER_ACCEPT, args, NULL, &seq);
	if (status == 0) {
		finish_try(pl);
		tell_order(pl, seq);
	}
	return (status);
}

/* Accepts the offer. */
static int
cmd_accept_play(struct play *pl)
{
	json_t *offer;
	int64_t seq;
	int status;

	if (deal_is_sent(pl, ORDER_ACCEPT, 1, NULL)) {
		finish_try(pl);
		tell_order(pl, pl->sent_seq);
		return (0);
	}
	if ((status = commit_open(pl, &seq)) != 0 ||
	    (status = deal_find(pl, 1, DEAL_ACCEPT, &offer)) != 0)
		return (status);
	if ((status = cmd_accept_confirm(pl, offer)) == 0)
		status = cmd_accept_give(pl, offer);
	json_decref(offer);
	return (status);
}

/* Opens the game and accepts. */
static int
cmd_accept_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int status;

	if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = cmd_accept_play(pl);
	play_close(pl);
	return (status);
}

const struct cmd cmd_accept = {
    .name = "accept",
    .args = "GAME [LINE]",
    .what = "accept an offer, a proposal or a ruling",
    .opts = cmd_no_options,
    .min_args = 1,
    .max_args = 2,
    .more = "Without LINE the one that is open; if there are more they are "
	    "listed.  You are\nasked before what ends the game, takes "
	    "something back or is ruled; scripts say\n--yes.  A draw or "
	    "victory closes the game for you at once, and for who offered\n"
	    "it when they next open it.\n",
    .examples = "  umpire accept evening\n"
		"  umpire accept evening 14\n",
    .run = cmd_accept_run,
};
