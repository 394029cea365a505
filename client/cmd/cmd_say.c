/* SPDX-License-Identifier: ISC */
/*
 * umpire say: a chat.  The words lie beside the record, which holds only a
 * salted hash of them, so that they can be erased.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/deal.h"
#include "client/play/play.h"
#include "client/play/tell.h"
#include "common/record/order.h"
#include "common/record/order_kind.h"

/* Sends the words; args is stolen. */
static int
cmd_say_send(struct play *pl, json_t *args, const char *text)
{
	int64_t seq;
	int status;

	if (json_object_get(args, "to") != NULL && pl->seat == 0) {
		json_decref(args);
		return (tell_not_now(pl, "the director has no side"));
	}
	status = play_order(pl, ORDER_CHAT, args, text, &seq);
	if (status == 0)
		tell_order(pl, seq);
	return (status);
}

/* Says something in a game. */
static int
cmd_say_run(struct cmd_ctx *cx)
{
	const char *to = opt_get(&cx->opts, "to");
	struct play *pl;
	json_t *args;
	char *text;
	int status;

	if (to != NULL && strcmp(to, "side") != 0 && strcmp(to, "all") != 0)
		return (cmd_usage(cx, "--to wants all or side, not '%s'", to));
	args = xalloc_json(json_object());
	if (to != NULL && strcmp(to, "side") == 0)
		xalloc_set(args, "to", json_string("side"));
	text = cmd_words(cx, 1);
	if (*text == '\0')
		status = cmd_usage(cx, "there is nothing to say");
	else if ((status = deal_check_text(text)) == 0 &&
	    (status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) == 0) {
		status = cmd_say_send(pl, json_incref(args), text);
		play_close(pl);
	}
	json_decref(args);
	free(text);
	return (status);
}

static const struct opt_def cmd_say_opts[] = {
    {"to", 0, "all|side", false, "who may read it (all)"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_say = {
    .name = "say",
    .args = "GAME TEXT ...",
    .what = "say something to the others in a game",
    .opts = cmd_say_opts,
    .min_args = 2,
    .max_args = -1,
    .more = "Everybody who can read the game can read it; with --to side "
	    "only the players of\nyour side.  Words that begin with a dash "
	    "go after \"--\".\n",
    .examples = "  umpire say evening \"Good evening; a moment, please\"\n"
		"  umpire say evening --to side \"hold the left\"\n",
    .run = cmd_say_run,
};
