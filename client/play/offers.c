/* SPDX-License-Identifier: ISC */
#include "client/play/offers.h"

#include <string.h>
#include <sysexits.h>

#include <stdlib.h>

#include "client/base/xalloc.h"
#include "client/play/show.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
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
offers_text(struct cmd_ctx *cx, const char *option, const char **text)
{
	const char *s = opt_get(&cx->opts, option);
	int status;

	if (s != NULL && *s == '\0')
		return (cmd_usage(cx, "--%s wants a text", option));
	if (s != NULL && (status = offers_check_text(s)) != 0)
		return (status);
	*text = s;
	return (0);
}

int
offers_line(struct cmd_ctx *cx, int i, int64_t *seq)
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
offers_give(struct play *pl, enum order_kind kind, json_t *args,
    const char *member, const char *text)
{
	const struct play_text one = {member, text};
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

int
offers_parse(struct cmd_ctx *cx, struct action *a)
{
	const char *why;
	int status;

	if ((status = offers_text(cx, "why", &why)) != 0)
		return (status);
	if (why != NULL)
		a->text = xalloc_str(why);
	return (cmd_arg(cx, 1) == NULL ? 0 : offers_line(cx, 1, &a->seq));
}

bool
offers_is_sent(
    const struct play *pl, enum order_kind kind, int64_t seq, const char *say)
{
	const json_t *params = json_object_get(pl->sent, "params");
	const char *said, *text;
	struct errinfo e;
	struct order o;
	bool is_it;

	text = json_string_value(json_object_get(params, "order"));
	if (text == NULL || order_parse(text, strlen(text), &o, &e) != 0)
		return (false);
	said = json_string_value(json_object_get(o.args, "say"));
	is_it = o.kind == kind &&
	    (say == NULL || (said != NULL && strcmp(said, say) == 0)) &&
	    (seq < 0 ||
		json_integer_value(json_object_get(o.args, "to")) == seq);
	order_clear(&o);
	return (is_it);
}

/* True if our seat may do this with an offer. */
static bool
offers_may(const struct play *pl, const struct game_offer *f, unsigned act)
{
	/* Who has accepted a ruling has answered it. */
	if (act == GAME_MAY_DECLINE)
		return (game_offer_asks(f, pl->seat));
	return ((game_offer_may(play_game(pl), f, pl->seat) & act) != 0);
}

int
offers_find(
    struct play *pl, int64_t seq, unsigned act, const struct game_offer **offer)
{
	const char *verb = act == GAME_MAY_ACCEPT ? "accept"
	    : act == GAME_MAY_DECLINE             ? "decline"
						  : "withdraw";
	const struct game_offer *list;
	char line[32], *command, *s, *who;
	size_t hits = 0, i, n;

	list = game_offers(play_game(pl), &n);
	for (i = 0; i < n; i++) {
		/* Own changes are accepted by themselves, not by default. */
		if (!offers_may(pl, &list[i], act) ||
		    (seq >= 0 ? list[i].seq != seq
			      : act == GAME_MAY_ACCEPT &&
				!game_offer_asks(&list[i], pl->seat)))
			continue;
		*offer = &list[i];
		hits++;
	}
	if (hits == 1)
		return (0);
	if (hits == 0 && seq < 0) {
		s = xalloc_printf("nothing %sis open that you could %s",
		    act == GAME_MAY_WITHDRAW ? "of yours " : "", verb);
		(void)show_not_now(pl, s);
		free(s);
		return (EX_DATAERR);
	}
	if (hits > 1)
		(void)cmd_usage(pl->cx, "which one?  more than one is open");
	else
		out_error("line %lld is not open, or not for you to do this",
		    (long long)seq);
	for (i = 0; i < n; i++) {
		if (!offers_may(pl, &list[i], act))
			continue;
		(void)snprintf(
		    line, sizeof(line), "%lld", (long long)list[i].seq);
		who = battle_who(replica_battle(pl->copy), list[i].seat);
		s = describe_offer(replica_battle(pl->copy), list[i].seq);
		command = play_command(pl, verb, line);
		out_note("%s\n    (%s: %s)", command, who, s);
		free(command);
		free(who);
		free(s);
	}
	return (hits > 1 ? EX_USAGE : EX_DATAERR);
}

/* Says so about the offer that an action names. */
static int
offers_note(struct play *pl, const struct action *a, unsigned act)
{
	const char *say = act == GAME_MAY_DECLINE ? "decline" : "withdraw";
	const struct game_offer *offer;
	json_t *args;
	int status;

	if (offers_is_sent(pl, ORDER_NOTE, a->seq, say)) {
		show_order(pl, pl->sent_seq);
		return (0);
	}
	if ((status = offers_find(pl, a->seq, act, &offer)) != 0)
		return (status);
	args = xalloc_json(json_object());
	xalloc_set(args, "to", json_integer(offer->seq));
	xalloc_set(args, "say", json_string(say));
	return (offers_give(pl, ORDER_NOTE, args, "why", a->text));
}

int
offers_decline(struct play *pl, const struct action *a)
{
	return (offers_note(pl, a, GAME_MAY_DECLINE));
}

int
offers_withdraw(struct play *pl, const struct action *a)
{
	return (offers_note(pl, a, GAME_MAY_WITHDRAW));
}
