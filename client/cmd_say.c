/* SPDX-License-Identifier: ISC */
/*
 * umpire say: a chat.  The words lie beside the record, which holds only a
 * salted hash of them, so that they can be erased.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/cmds.h"
#include "client/play.h"
#include "client/tell.h"
#include "common/order.h"
#include "common/record.h"
#include "common/utf8.h"

/* True if s is well-formed UTF-8. */
static bool
cmd_say_is_utf8(const char *s)
{
	size_t len = strlen(s), n;
	uint32_t cp;

	for (; len > 0; s += n, len -= n) {
		if ((n = utf8_decode(s, len, &cp)) == 0)
			return (false);
	}
	return (true);
}

/* Says something in a game. */
static int
cmd_say_run(struct cmd_ctx *cx)
{
	struct play *pl;
	int64_t seq;
	char *text;
	int status;

	text = cmd_words(cx, 1);
	if (*text == '\0') {
		status = cmd_usage(cx, "there is nothing to say");
	} else if (strlen(text) > RECORD_TEXT_MAX) {
		out_error("a text has at most %d bytes; this one has %zu",
		    RECORD_TEXT_MAX, strlen(text));
		status = EX_DATAERR;
	} else if (!cmd_say_is_utf8(text)) {
		out_error("the text is not UTF-8");
		status = EX_DATAERR;
	} else if ((status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) ==
	    0) {
		status = play_order(pl, ORDER_CHAT, json_object(), text, &seq);
		if (status == 0)
			tell_order(pl, seq);
		play_close(pl);
	}
	free(text);
	return (status);
}

const struct cmd cmd_say = {
    .name = "say",
    .args = "GAME TEXT ...",
    .what = "say something to the others in a game",
    .opts = cmd_no_options,
    .min_args = 2,
    .max_args = -1,
    .more = "Everybody who can read the game can read it.  Words that "
	    "begin with a dash go\nafter \"--\".\n",
    .examples = "  umpire say evening \"Good evening; a moment, please\"\n",
    .run = cmd_say_run,
};
