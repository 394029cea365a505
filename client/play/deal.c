/* SPDX-License-Identifier: ISC */
/*
 * Which offers are open is the game's to say (game_view()); who may do what
 * with one is worked out here, so that nothing is sent that must be refused.
 */
#include "client/play/deal.h"

#include <string.h>
#include <sysexits.h>

#include <stdlib.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/tell.h"
#include "client/replica/copy.h"
#include "client/report/describe.h"
#include "common/base/utf8.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"

int
deal_check_text(const char *text)
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
deal_text(struct cmd_ctx *cx, const char *option, const char **text)
{
	const char *s = opt_get(&cx->opts, option);
	int status;

	if (s != NULL && *s == '\0')
		return (cmd_usage(cx, "--%s wants a text", option));
	if (s != NULL && (status = deal_check_text(s)) != 0)
		return (status);
	*text = s;
	return (0);
}

int
deal_line(struct cmd_ctx *cx, int i, int64_t *seq)
{
	const char *s = cmd_arg(cx, i);

	if (s == NULL)
		return (cmd_usage(cx, "which line?  `umpire log %s` has them",
		    cmd_arg(cx, 0)));
	if (opt_number(s, 0, JS_INT_MAX, seq))
		return (0);
	return (cmd_usage(cx, "'%s' is not the number of a line", s));
}

int
deal_give(struct play *pl, enum order_kind kind, json_t *args,
    const char *member, const char *text)
{
	const struct play_text one = {member, text};
	int64_t seq;
	int status;

	status = play_order_with(pl, kind, args, &one, 1, NULL, &seq);
	if (status == 0)
		tell_order(pl, seq);
	return (status);
}

int
deal_need_play(const struct play *pl)
{
	if (game_phase(play_game(pl)) == GAME_PLAY)
		return (0);
	return (tell_not_now(pl,
	    game_phase(play_game(pl)) == GAME_MUSTER
		? "the game has not begun yet"
		: "the game is over"));
}

bool
deal_is_sent(
    const struct play *pl, enum order_kind kind, int i, const char *say)
{
	const json_t *params = json_object_get(pl->sent, "params");
	const char *said, *text;
	struct errinfo e;
	struct order o;
	int64_t seq;
	bool is_it;

	text = json_string_value(json_object_get(params, "order"));
	if (text == NULL || order_parse(text, strlen(text), &o, &e) != 0)
		return (false);
	said = json_string_value(json_object_get(o.args, "say"));
	is_it = o.kind == kind &&
	    (say == NULL || (said != NULL && strcmp(said, say) == 0));
	if (is_it && i >= 0 && cmd_arg(pl->cx, i) != NULL)
		is_it = opt_number(cmd_arg(pl->cx, i), 0, JS_INT_MAX, &seq) &&
		    json_integer_value(json_object_get(o.args, "to")) == seq;
	order_clear(&o);
	return (is_it);
}

/* A number of an object, -1 if it is not there. */
static int64_t
deal_int(const json_t *o, const char *name)
{
	const json_t *v = json_object_get(o, name);

	return (json_is_integer(v) ? json_integer_value(v) : -1);
}

/* True if the array holds the number. */
static bool
deal_holds(const json_t *list, int n)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (json_integer_value(v) == n)
			return (true);
	}
	return (false);
}

bool
deal_may(const struct play *pl, const json_t *offer, enum deal_act act)
{
	int by = (int)deal_int(offer, "seat");
	bool is_ruling = by == 0;
	bool is_ours = by > 0 && pl->seat > 0 &&
	    game_side_of(by) == game_side_of(pl->seat);

	if (act == DEAL_WITHDRAW)
		return (is_ruling ? pl->seat == 0 : is_ours);
	if (is_ruling)
		return ((pl->seat == 1 || pl->seat == 2) &&
		    !deal_holds(json_object_get(offer, "accepted"), pl->seat));
	if (pl->seat < 1)
		return (false);
	if (is_ours)
		return (act == DEAL_ACCEPT &&
		    json_object_get(offer, "units") != NULL &&
		    game_is_own_adjust(
			play_game(pl), by, json_object_get(offer, "units")));
	return (true);
}

/* Prints the offers with which something may be done. */
static void
deal_list(struct play *pl, const json_t *offers, enum deal_act act)
{
	static const char *const verbs[] = {"accept", "decline", "withdraw"};
	struct story *st = story_new(pl->copy);
	char line[32], *command, *s, *who;
	const json_t *v;
	size_t i;

	json_array_foreach(offers, i, v)
	{
		if (!deal_may(pl, v, act))
			continue;
		(void)snprintf(
		    line, sizeof(line), "%lld", (long long)deal_int(v, "seq"));
		who = story_who(st, (int)deal_int(v, "seat"));
		s = describe_offer(st, deal_int(v, "seq"));
		command = play_command(pl, verbs[act], line);
		out_note("%s\n    (%s: %s)", command, who, s);
		free(command);
		free(who);
		free(s);
	}
	story_free(st);
}

/* Picks the offer; *hits counts those that would do. */
static const json_t *
deal_pick(const struct play *pl, const json_t *offers, enum deal_act act,
    int64_t seq, int *hits)
{
	const json_t *found = NULL, *v;
	size_t i;

	*hits = 0;
	json_array_foreach(offers, i, v)
	{
		if (!deal_may(pl, v, act) ||
		    (seq >= 0 && deal_int(v, "seq") != seq))
			continue;
		/* Own changes are accepted by themselves, not by default. */
		if (seq < 0 && act == DEAL_ACCEPT && pl->seat > 0 &&
		    deal_int(v, "seat") > 0 &&
		    game_side_of((int)deal_int(v, "seat")) ==
			game_side_of(pl->seat))
			continue;
		found = v;
		++*hits;
	}
	return (found);
}

int
deal_find(struct play *pl, int i, enum deal_act act, json_t **offer)
{
	static const char *const none[] = {
	    "nothing is open that you could accept",
	    "nothing is open that you could decline",
	    "nothing of yours is open that you could withdraw"};
	const json_t *found, *offers;
	int64_t seq = -1;
	json_t *view;
	int hits, status = 0;

	if (cmd_arg(pl->cx, i) != NULL &&
	    (status = deal_line(pl->cx, i, &seq)) != 0)
		return (status);
	view = xalloc_json(game_view(play_game(pl)));
	offers = json_object_get(view, "offers");
	found = deal_pick(pl, offers, act, seq, &hits);
	if (hits == 1) {
		*offer = xalloc_copy(found);
	} else if (hits > 1) {
		status = cmd_usage(pl->cx, "which one?  more than one is open");
		deal_list(pl, offers, act);
	} else if (seq >= 0) {
		out_error("line %lld is not open, or not for you to do this",
		    (long long)seq);
		deal_list(pl, offers, act);
		status = EX_DATAERR;
	} else {
		status = tell_not_now(pl, none[act]);
	}
	json_decref(view);
	return (status);
}

/* The same in a game that is open. */
static int
deal_note_play(
    struct play *pl, enum deal_act act, const char *say, const char *why)
{
	json_t *args, *offer;
	int status;

	if (deal_is_sent(pl, ORDER_NOTE, 1, say)) {
		tell_order(pl, pl->sent_seq);
		return (0);
	}
	if ((status = deal_find(pl, 1, act, &offer)) != 0)
		return (status);
	args = xalloc_json(json_object());
	xalloc_set(args, "to", xalloc_copy(json_object_get(offer, "seq")));
	xalloc_set(args, "say", json_string(say));
	json_decref(offer);
	return (deal_give(pl, ORDER_NOTE, args, "why", why));
}

int
deal_note(struct cmd_ctx *cx, enum deal_act act, const char *say)
{
	const char *why;
	struct play *pl;
	int status;

	if ((status = deal_text(cx, "why", &why)) != 0 ||
	    (status = play_open(cx, cmd_arg(cx, 0), PLAY_ORDER, &pl)) != 0)
		return (status);
	status = deal_note_play(pl, act, say, why);
	play_close(pl);
	return (status);
}
