/* SPDX-License-Identifier: ISC */
#include "client/play/offers.h"

#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/play/pending.h"
#include "client/play/show.h"
#include "client/ui/out_terminal.h"
#include "common/base/utf8.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/record.h"

int
offers_check_text(const char *text)
{
	if (strlen(text) > RECORD_TEXT_MAX) {
		out_error("a text has at most %d bytes; this one has %zu",
		    RECORD_TEXT_MAX, strlen(text));
		return (EX_DATAERR);
	}
	if (!utf8_is_valid(text, strlen(text))) {
		out_error("the text is not UTF-8");
		return (EX_DATAERR);
	}
	return (0);
}

int
offers_text(struct cmd_ctx *cx, const char *option, char **text)
{
	const char *s = opt_get(&cx->opts, option);
	int status;

	if (s == NULL)
		return (0);
	if (*s == '\0')
		return (cmd_usage(cx, "--%s needs a text", option));
	if ((status = offers_check_text(s)) == 0)
		*text = xalloc_str(s);
	return (status);
}

int
offers_line(struct cmd_ctx *cx, int i, int64_t *seq)
{
	const char *s = cmd_arg(cx, i);

	if (s == NULL)
		return (cmd_usage(cx, "which line?  `umpire log %s` lists them",
		    cmd_arg(cx, 0)));
	if (opt_number(s, 0, JS_INT_MAX, seq))
		return (0);
	return (cmd_usage(cx, "'%s' is not the number of a line", s));
}

int
offers_give(struct play *pl, enum order_kind kind, json_t *args,
    const char *member, const char *text)
{
	const struct outbox_text one = {member, text};
	int64_t seq;
	int status;

	status = play_order_with(pl, kind, args, &one, 1, NULL, &seq);
	if (status == 0)
		show_order(pl, seq);
	return (status);
}

int
offers_need_play(const struct play *pl)
{
	if (game_phase(play_game(pl)) == GAME_PLAY)
		return (0);
	return (show_not_now(pl,
	    game_phase(play_game(pl)) == GAME_MUSTER
		? "the game has not begun yet"
		: "the game is over"));
}

bool
offers_is_sent(
    const struct play *pl, enum order_kind kind, int64_t seq, const char *say)
{
	const char *said;
	struct order o;
	bool is_it;

	if (!pending_read(pl->sent, &o))
		return (false);
	said = json_string_value(json_object_get(o.args, "say"));
	is_it = o.kind == kind &&
	    (say == NULL || (said != NULL && strcmp(said, say) == 0)) &&
	    (seq < 0 ||
		json_integer_value(json_object_get(o.args, "to")) == seq);
	order_clear(&o);
	return (is_it);
}
