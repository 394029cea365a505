/* SPDX-License-Identifier: ISC */
/*
 * umpire offer: a draw, victory, a takeback, a pause, a truce; and what becomes
 * of offers, proposals and rulings: accept, decline, withdraw.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/play/action.h"
#include "client/play/commit.h"
#include "client/play/lost_show.h"
#include "client/play/offer_parse.h"
#include "client/play/offers.h"
#include "client/play/show.h"
#include "client/play/takeback.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "common/crypt/base32.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/record/order.h"

/* Says what is to be taken back, and asks for confirmation. */
static int
cmd_offer_takeback(struct play *pl, const json_t *args)
{
	int64_t from = js_int(args, "from");
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
	    "you confirm first what is to be taken back: without a terminal to "
	    "ask on, add --yes");
	free(safe);
	free(question);
	free(words);
	return (status);
}

/* Refuses what the game would refuse; asks before the game may be lost. */
static int
cmd_offer_check(struct play *pl, const json_t *args)
{
	const char *what = js_str(args, "what");
	const struct order_create *set = game_settings(play_game(pl));
	int status;

	if ((status = offers_need_play(pl)) != 0)
		return (status);
	if (pl->seat == 0)
		status = show_not_now(pl,
		    "a director makes no offers, but rulings (`umpire "
		    "ruling`)");
	else if (strcmp(what, "pause") == 0 && !set->has_clock)
		status = show_not_now(pl, "this game has no clock");
	else if (strcmp(what, "witness-out") == 0 &&
	    game_witness(play_game(pl)) == NULL)
		status = show_not_now(pl,
		    set->has_witness ? "the witness is out already"
				     : "this game has no witness");
	else if (strcmp(what, "takeback") == 0 && !set->may_take_back)
		status = show_not_now(pl, "this game has no takebacks");
	else if (strcmp(what, "victory") == 0 &&
	    js_int(args, "winner") != game_side_of(pl->seat))
		status = cmd_confirm(pl->cx,
		    "Offer victory to the other side?  Once "
		    "it accepts you have lost.");
	else if (strcmp(what, "takeback") == 0)
		status = cmd_offer_takeback(pl, args);
	return (status);
}

/* Offers. */
static int
cmd_offer_play(struct play *pl, const struct action *a)
{
	const char *winner = js_str(a->args, "winner");
	const char *what = js_str(a->args, "what");
	const struct outbox_text one = {"why", a->text};
	int side = pl->seat < 1 ? 1 : game_side_of(pl->seat), status = 0;
	json_t *args = xalloc_copy(a->args);
	int64_t from;

	/* Our seat says which side is ours. */
	if (winner != NULL)
		xalloc_set(args, "winner",
		    json_integer(
			strcmp(winner, "theirs") == 0 ? 3 - side : side));
	/* A takeback without a line is of the last line that can be. */
	if (strcmp(what, "takeback") == 0 &&
	    json_object_get(args, "from") == NULL &&
	    (status = offers_need_play(pl)) == 0 &&
	    (status = takeback_last(pl, "offer", "takeback", &from)) == 0)
		xalloc_set(args, "from", json_integer(from));
	if (status == 0 && !play_is_sent_with(pl, ORDER_OFFER, args, &one, 1))
		status = cmd_offer_check(pl, args);
	if (status == 0)
		status = offers_give(
		    pl, ORDER_OFFER, json_incref(args), "why", a->text);
	json_decref(args);
	return (status);
}

/* Reads the words. */
static int
cmd_offer_parse(struct cmd_ctx *cx, struct action *a)
{
	const struct opt_set *set = &cx->opts;
	struct errinfo e = {.text = ""};
	int status;

	a->kind = ACTION_OFFER;
	if ((status = offers_text(cx, "why", &a->text)) == 0 &&
	    offer_parse(set->n_operands - 1,
		(const char *const *)set->operands + 1, &a->args, &e) != 0)
		status = cmd_usage(cx, "%s", e.text);
	return (status);
}

/* Reads the line of an offer (none: -1), and --why where there is one. */
static int
cmd_offer_parse_line(struct cmd_ctx *cx, struct action *a)
{
	int status = offers_text(cx, "why", &a->text);

	if (status == 0 && cmd_arg(cx, 1) != NULL)
		status = offers_line(cx, 1, &a->seq);
	return (status);
}

/* True if our seat may do this with an offer. */
static bool
cmd_offer_may(const struct play *pl, const struct game_offer *f, unsigned act)
{
	/* A side that accepted a ruling has answered it. */
	if (act == GAME_MAY_DECLINE && f->what != GAME_OFFER_SEAT)
		return (game_offer_asks(f, pl->seat));
	return ((game_offer_may(play_game(pl), f, pl->seat) & act) != 0);
}

/*
 * Finds the offer of line seq, or if that is -1 the only one, with which our
 * seat may do this, one of GAME_MAY_*; *offer is borrowed until the game
 * changes.  Prints what fails; 0, or an exit status.
 */
static int
cmd_offer_find(
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
		/* Our own changes are accepted if named, not by default. */
		if (!cmd_offer_may(pl, &list[i], act) ||
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
		if (!cmd_offer_may(pl, &list[i], act))
			continue;
		(void)snprintf(
		    line, sizeof(line), "%lld", (long long)list[i].seq);
		who = list[i].what == GAME_OFFER_SEAT
		    ? xalloc_str("the operator")
		    : battle_who(replica_battle(pl->copy), list[i].seat);
		s = describe_offer(replica_battle(pl->copy), list[i].seq);
		command = play_command(pl, verb, line);
		out_note("%s\n    (%s: %s)", command, who, s);
		free(command);
		free(who);
		free(s);
	}
	return (hits > 1 ? EX_USAGE : EX_DATAERR);
}

/* Declines or withdraws the offer that an action names. */
static int
cmd_offer_play_note(struct play *pl, const struct action *a)
{
	const bool is_decline = pl->cx->cmd->cmd == &cmd_decline;
	const char *say = is_decline ? "decline" : "withdraw";
	const struct game_offer *offer;
	int status;

	if (offers_is_sent(pl, ORDER_NOTE, a->seq, say)) {
		show_order(pl, pl->sent_seq);
		return (0);
	}
	status = cmd_offer_find(pl, a->seq,
	    is_decline ? GAME_MAY_DECLINE : GAME_MAY_WITHDRAW, &offer);
	if (status != 0)
		return (status);
	return (offers_give(pl, ORDER_NOTE,
	    xalloc_json(json_pack(
		"{s:I, s:s}", "to", (json_int_t)offer->seq, "say", say)),
	    "why", a->text));
}

/* Asks before somebody else gets a seat. */
static int
cmd_offer_newcomer(struct play *pl, const struct game_offer *f)
{
	const struct battle *b = replica_battle(pl->copy);
	char mark[FINGERPRINT_LEN + 1] = "";
	uint8_t key[SIGN_KEY_LEN];
	char *about = describe_newcomer(b, f->seq, f->args), *question, *safe;
	int status;

	if (js_get_hex(f->args, "key", NULL, key, sizeof(key), NULL) == 0)
		base32_fingerprint(mark, key);
	question = xalloc_printf(
	    "The operator would %s.  Once all others have accepted, the key %s "
	    "alone plays there, what the seat owes is void, and other dice "
	    "fall.  Ask the player, not the operator, whether that key is "
	    "theirs.  Accept line %lld?",
	    about, mark, (long long)f->seq);
	safe = text_safe(question);
	status = cmd_confirm_as(pl->cx, safe,
	    "you confirm first who gets a seat: without a terminal to ask on, "
	    "add --yes");
	free(question);
	free(safe);
	free(about);
	return (status);
}

/* Says what is accepted, and asks if that changes the game itself. */
static int
cmd_offer_confirm(struct play *pl, const struct game_offer *f)
{
	const bool is_final = f->what == GAME_OFFER_TAKEBACK ||
	    f->what == GAME_OFFER_VICTORY || f->what == GAME_OFFER_DRAW ||
	    f->what == GAME_OFFER_RULING;
	char *about, *question, *s, *safe;
	int status;

	/* Changes of units can be taken back later. */
	if (f->what == GAME_OFFER_SEAT)
		return (cmd_offer_newcomer(pl, f));
	if (!is_final && f->what != GAME_OFFER_ADJUST)
		return (0);
	if (game_offer_is_takeback(f)) {
		s = takeback_words(pl, js_int(f->args, "from"));
		about = xalloc_printf("taking back %s", s);
		free(s);
	} else {
		about = describe_offer(replica_battle(pl->copy), f->seq);
	}
	question = xalloc_printf("You accept %s.  Accept line %lld?%s", about,
	    (long long)f->seq, is_final ? "  That is final." : "");
	safe = text_safe(question);
	status = is_final ? cmd_confirm(pl->cx, safe)
			  : cmd_confirm_as(pl->cx, safe,
				"you confirm changes to units first: without a "
				"terminal to ask on, add --yes");
	free(question);
	free(safe);
	free(about);
	return (status);
}

/* Asks before it is accepted that lines were lost, and gives its args. */
static int
cmd_offer_restored(struct play *pl, json_t **args)
{
	const int64_t seq = game_restored_seq(play_game(pl));
	const int64_t held = lost_show_count(pl);
	char *question;
	int status;

	if (held > 0) {
		if (!pl->cx->out.is_json)
			lost_show(pl);
		question = xalloc_printf(
		    "The server says that the lines from %lld on were lost, "
		    "and you hold %lld of them.  Once you accept, the game "
		    "goes on without them; as long as you do not, it stands "
		    "still.  Accept that they are lost?",
		    (long long)seq, (long long)held);
	} else {
		question = xalloc_printf(
		    "The server has lost lines that stood from line %lld on, "
		    "and you hold none of them.  Accept that they are lost?",
		    (long long)seq);
	}
	status = cmd_confirm_as(pl->cx, question,
	    "you confirm first that lines were lost: without a terminal to ask "
	    "on, add --yes");
	free(question);
	if (status == 0)
		*args = xalloc_json(json_pack("{s:I}", "to", (json_int_t)seq));
	return (status);
}

/* Finds the offer that is accepted, asks, and gives the order's args. */
static int
cmd_offer_accept_args(struct play *pl, int64_t seq, json_t **args)
{
	const struct game *g = play_game(pl);
	const struct game_offer *offer;
	json_t *v;
	int status;

	if (game_asks_accept(g, pl->seat) &&
	    (seq < 0 || seq == game_restored_seq(g)))
		return (cmd_offer_restored(pl, args));
	status = cmd_offer_find(pl, seq, GAME_MAY_ACCEPT, &offer);
	if (status != 0)
		return (status);
	/* The question may bring another list, and free this. */
	v = xalloc_json(json_pack("{s:I}", "to", (json_int_t)offer->seq));
	if ((status = cmd_offer_confirm(pl, offer)) == 0)
		*args = v;
	else
		json_decref(v);
	return (status);
}

/*
 * Accepts, closes the game if that decides it, and tells both.  The acceptance
 * holds even if the close fails.
 */
static int
cmd_offer_play_accept(struct play *pl, const struct action *a)
{
	json_t *args;
	int64_t seq;
	int status;

	if (offers_is_sent(pl, ORDER_ACCEPT, a->seq, NULL)) {
		seq = pl->sent_seq;
	} else {
		if ((status = commit_open(pl, &seq)) != 0 ||
		    (status = cmd_offer_accept_args(pl, a->seq, &args)) != 0 ||
		    (status = play_order(pl, ORDER_ACCEPT, args, NULL, &seq)) !=
			0)
			return (status);
	}
	play_finish_try(pl);
	show_order(pl, seq);
	return (0);
}

static const struct opt_def cmd_offer_opts[] = {
    {"why", 0, "TEXT", false, "the reason; kept beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_offer = {
    .opts = cmd_offer_opts,
    .min_args = 2,
    .max_args = 3,
    .need = PLAY_ORDER,
    .parse = cmd_offer_parse,
    .play = cmd_offer_play,
};

const struct cmd cmd_accept = {
    .min_args = 1,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_offer_parse_line,
    .play = cmd_offer_play_accept,
};

const struct cmd cmd_decline = {
    .opts = cmd_offer_opts,
    .min_args = 1,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_offer_parse_line,
    .play = cmd_offer_play_note,
};

const struct cmd cmd_withdraw = {
    .opts = cmd_offer_opts,
    .min_args = 1,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_offer_parse_line,
    .play = cmd_offer_play_note,
};
