/* SPDX-License-Identifier: ISC */
#include "client/play/offers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/play/pending.h"
#include "client/play/show.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/ui/out_terminal.h"
#include "common/base/utf8.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/game/game_offer.h"
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

/* A number of an offer's args. */
static long long
offers_arg(const struct game_offer *f, const char *name)
{
	return (json_integer_value(json_object_get(f->args, name)));
}

char *
offers_words(
    const struct game *g, const struct battle *b, const struct game_offer *f)
{
	const bool is_ruling = f->what == GAME_OFFER_RULING;
	const json_t *units = json_object_get(f->args, "units");
	json_t *before = NULL;
	char *name, *s;
	long long n;

	if (units != NULL) {
		if (game_entry_former(g, units, &before) != 0)
			xalloc_die();
		name = describe_adjust(g, "to change", units, before);
		s = xalloc_printf(
		    "%s %s", is_ruling ? "rules" : "proposes", name);
		free(name);
		json_decref(before);
		return (s);
	}
	switch (f->what) {
	case GAME_OFFER_DRAW:
		return (xalloc_str("offers a draw"));
	case GAME_OFFER_TAKEBACK:
		return (xalloc_printf(
		    "asks to take back line %lld and what came after it",
		    offers_arg(f, "from")));
	case GAME_OFFER_PAUSE:
		n = offers_arg(f, "days");
		return (xalloc_printf(
		    "offers to pause for %lld day%s", n, n == 1 ? "" : "s"));
	case GAME_OFFER_TRUCE:
		n = offers_arg(f, "turns");
		return (xalloc_printf(
		    "offers a truce of %lld turn%s", n, n == 1 ? "" : "s"));
	case GAME_OFFER_WITNESS_OUT:
		return (xalloc_str("offers to play on without the witness"));
	case GAME_OFFER_ROSTER:
		return (xalloc_str("proposes other rosters"));
	case GAME_OFFER_SEAT:
		name = describe_newcomer(b, f->seq, f->args);
		s = xalloc_printf("would %s", name);
		free(name);
		return (s);
	default:
		break;
	}
	if (game_offer_is_takeback(f))
		return (xalloc_printf(
		    "rules that everything from line %lld on is void",
		    offers_arg(f, "from")));
	if (is_ruling && json_object_get(f->args, "result") == NULL)
		return (xalloc_str("gives a ruling in words"));
	n = offers_arg(f, is_ruling ? "result" : "winner");
	if (n == 0)
		return (xalloc_str("rules that the game ends in a draw"));
	name = battle_side(g, (int)n);
	s = xalloc_printf(
	    "%s that %s has won", is_ruling ? "rules" : "offers", name);
	free(name);
	return (s);
}
