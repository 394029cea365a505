/* SPDX-License-Identifier: ISC */
/*
 * The subcommands that give a small order.  Before anything is signed each
 * refuses what cannot be done, and asks where that is due; afterwards it tells
 * the result.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/place.h"
#include "client/base/xalloc.h"
#include "client/cmd/cmds.h"
#include "client/net/link.h"
#include "client/play/action.h"
#include "client/play/commit.h"
#include "client/play/duration.h"
#include "client/play/offers.h"
#include "client/play/play.h"
#include "client/play/reply.h"
#include "client/play/roll.h"
#include "client/play/show.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/game/game_clock.h"
#include "common/game/game_cup.h"
#include "common/game/game_facts.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/rules/rules.h"
#include "common/rules/show/upkeep.h"
#include "common/rules/systems/systems.h"

#define CMD_ORDERS_HOLIDAY 366 /* days */

/* An order that consists of its action's args and text. */
struct cmd_orders_row {
	const struct cmd *cmd;
	enum order_kind kind;
	const char *text; /* the member for its text, if it has one */
	bool is_opening; /* a waiting choice of ours is opened first */
	/* Refuses what cannot be done, or asks; 0, or an exit status. */
	int (*check)(struct play *pl, const struct action *a);
};

/* Checks that the game is in play and our seat is a player's. */
static int
cmd_orders_player(const struct play *pl, const char *text)
{
	const int status = offers_need_play(pl);

	return (status == 0 && pl->seat < 1 ? show_not_now(pl, text) : status);
}

/* Ready: agrees to who plays; the last one starts the game. */
static int
cmd_orders_ready(struct play *pl, const struct action *a)
{
	(void)a;
	return (show_is_owed(pl, OWED_READY)
		? 0
		: show_not_now(pl, "you cannot say that you are ready now"));
}

/* Resign: gives the game up. */
static int
cmd_orders_resign(struct play *pl, const struct action *a)
{
	const enum game_phase phase = game_phase(play_game(pl));

	(void)a;
	if (phase == GAME_OVER || phase == GAME_FINISHED) {
		out_error("this game is over already");
		return (EX_DATAERR);
	}
	return (cmd_confirm(pl->cx,
	    phase == GAME_MUSTER
		? "Cancel this game, before it has begun?"
		: "Resign?  You lose the game, and that is final."));
}

/* Cancel: calls a game off that has not begun. */
static int
cmd_orders_cancel(struct play *pl, const struct action *a)
{
	const enum game_phase phase = game_phase(play_game(pl));

	if (phase == GAME_PLAY || phase == GAME_HALTED) {
		out_error("this game has begun");
		out_note("`umpire resign %s` gives it up; `umpire close %s` "
			 "offers to stop it\nwithout a result.",
		    pl->name, pl->name);
		return (EX_DATAERR);
	}
	if (phase == GAME_MUSTER && pl->seat == 0) {
		out_error("a director cannot call a game off");
		return (EX_DATAERR);
	}
	return (cmd_orders_resign(pl, a));
}

/* Close: signs the result, or offers to stop without one. */
static int
cmd_orders_close(struct play *pl, const struct action *a)
{
	const struct game *g = play_game(pl);
	const int side = game_side_of(pl->seat);

	(void)a;
	if (game_is_finished(g)) {
		out_error("this game is finished already");
		return (EX_DATAERR);
	}
	return (cmd_confirm(pl->cx,
	    game_phase(g) == GAME_OVER || game_phase(g) == GAME_HALTED
		? "Close the game, and sign its result?"
		: side != 0 && game_has_closed(g, 3 - side)
		? "Agree to stop without a result?  That ends the game."
		: "Offer to stop without a result?"));
}

/* End-turn: gives the turn to the other side. */
static int
cmd_orders_end_turn(struct play *pl, const struct action *a)
{
	const struct game *g = play_game(pl);
	const char *question = "End your turn?";

	(void)a;
	if (!show_is_owed(pl, OWED_TURN))
		return (show_not_now(pl, show_no_turn(pl)));
	if (game_would_pass(g))
		question = game_ends_round(g)
		    ? "Both sides pass then, which ends the round.  End "
		      "your turn?"
		    : "You have done nothing in this turn, and would pass.  "
		      "End it?";
	return (cmd_can_ask(pl->cx) ? cmd_confirm(pl->cx, question) : 0);
}

/* Holiday: days that our own clock does not count. */
static int
cmd_orders_holiday(struct play *pl, const struct action *a)
{
	const struct game_clock *clock = game_clock(play_game(pl));
	int64_t left;
	int status;

	if ((status = cmd_orders_player(pl, "the director has no clock")) != 0)
		return (status);
	if (clock == NULL)
		return (show_not_now(pl, "this game has no clock"));
	left = clock->sides[game_side_of(pl->seat)].holidays;
	if (js_int(a->args, "days") <= left)
		return (0);
	out_error("your side has %lld day%s of holiday left", (long long)left,
	    left == 1 ? "" : "s");
	return (EX_DATAERR);
}

/* Resume: ends a pause that was agreed on, before its time. */
static int
cmd_orders_resume(struct play *pl, const struct action *a)
{
	const struct game_clock *clock = game_clock(play_game(pl));
	const int64_t at_ms = game_at_ms(play_game(pl));
	int status;

	(void)a;
	if ((status = cmd_orders_player(pl, "the director has no clock")) != 0)
		return (status);
	if (clock != NULL && clock->paused_until > at_ms)
		return (0);
	return (show_not_now(pl,
	    clock != NULL &&
		    clock->sides[game_side_of(pl->seat)].away_until > at_ms
		? "there is no pause; a holiday is not ended early, but you "
		  "may move during it"
		: "there is no pause"));
}

/* Whether the director has had the time to judge. */
static int
cmd_orders_unjudged(struct play *pl, int64_t now)
{
	const int64_t until = game_unjudged_ms(play_game(pl));
	char when[32], *due;

	if (until <= now)
		return (0);
	due = duration_due(now, until);
	out_error(
	    "the director may judge until %s (%s)", out_time(when, until), due);
	free(due);
	out_note("Nothing was sent.  After that: umpire claim %s", pl->name);
	return (EX_DATAERR);
}

/* Whether the witness has been silent for as long as it may be. */
static int
cmd_orders_silent(struct play *pl, int64_t now)
{
	const int64_t until = game_silent_ms(play_game(pl));
	char when[32], *due;

	if (until <= now)
		return (0);
	due = duration_due(now, until);
	out_error("the witness may answer line %lld until %s (%s)",
	    (long long)game_silent_seq(play_game(pl)), out_time(when, until),
	    due);
	free(due);
	out_note("Nothing was sent.  After that: umpire claim %s", pl->name);
	return (EX_DATAERR);
}

/*
 * Claim: works out from the copy whether the other side's time has run out, by
 * our clock and the server's.
 */
static int
cmd_orders_claim(struct play *pl, const struct action *a)
{
	const struct game *g = play_game(pl);
	int64_t deadline, now;
	char when[32], *due;
	int side, status;

	(void)a;
	if (opt_has(&pl->cx->opts, "anyway"))
		return (0);
	if ((status = offers_need_play(pl)) != 0)
		return (status);
	now = pl->link == NULL ? clock_wall_ms() : link_earlier_ms(pl->link);
	if (game_is_judged(g) && pl->seat > 0)
		return (cmd_orders_unjudged(pl, now));
	if (game_silent_seq(g) >= 0 && pl->seat > 0)
		return (cmd_orders_silent(pl, now));
	if (!game_settings(g)->has_clock)
		return (show_not_now(pl, "this game has no clock"));
	if (pl->seat < 1)
		return (show_not_now(pl, "the director cannot claim"));
	side = game_side_of(pl->seat);
	if (game_deadline_ms(g, side) >= 0)
		return (show_not_now(pl, "your own clock runs"));
	deadline = game_deadline_ms(g, 3 - side);
	if (deadline < 0)
		return (show_not_now(pl, "no clock runs now"));
	if (deadline <= now && game_notice_until_ms(g, side) <= now)
		return (0);
	if (deadline <= now) {
		deadline = game_notice_until_ms(g, side);
		due = duration_due(now, deadline);
		out_error("your notice, line %lld, leaves the other side until "
			  "%s to move (%s)",
		    (long long)game_notice_seq(g, side),
		    out_time(when, deadline), due);
		free(due);
		out_note(
		    "Nothing was sent.  After that: umpire claim %s", pl->name);
		return (EX_DATAERR);
	}
	due = duration_due(now, deadline);
	out_error("the other side's time runs until %s (%s)",
	    out_time(when, deadline), due);
	free(due);
	out_note("Nothing was sent.  After that: umpire claim %s", pl->name);
	/* A notice goes by our clock, too. */
	if (deadline - now < 120000 && game_settings(g)->clock.notice_s == 0)
		out_note("The server's clock decides; --anyway claims now.");
	return (EX_DATAERR);
}

/*
 * Say: a chat.  The words lie beside the record, which holds only a salted
 * hash of them, so that they can be erased.
 */
static int
cmd_orders_say(struct play *pl, const struct action *a)
{
	return (pl->seat == 0 && json_object_get(a->args, "to") != NULL
		? show_not_now(pl, "the director has no side")
		: 0);
}

/* Asks inside of `umpire play`, where a word is soon typed. */
static int
cmd_orders_sure(
    const struct play *pl, const char *question, const struct action *a)
{
	char *s, *words;
	int status;

	if (pl->cx->io == NULL)
		return (0);
	words = action_words(a);
	s = xalloc_printf("%s: %s?", question, words + strcspn(words, " ") + 1);
	status = cmd_confirm(pl->cx, s);
	free(s);
	free(words);
	return (status);
}

/* Roll: free dice, or chits out of a cup. */
static int
cmd_orders_roll(struct play *pl, const struct action *a)
{
	const char *name = js_str(a->args, "cup");
	const struct game_cup *cup;
	size_t left;

	if (!show_is_owed(pl, OWED_TURN))
		return (show_not_now(pl,
		    "free dice are rolled in your own turn, while no combat "
		    "is open"));
	if (name == NULL)
		return (cmd_orders_sure(pl, "Roll", a));
	if ((cup = game_cup_find(play_game(pl), name)) == NULL) {
		out_error("there is no cup '%s'; `umpire cup %s` lists them",
		    name, pl->name);
		return (EX_DATAERR);
	}
	left = json_array_size(cup->in);
	if ((size_t)js_int(a->args, "draw") <= left)
		return (cmd_orders_sure(pl, "Roll", a));
	out_error("the cup %s has %zu left", name, left);
	return (EX_DATAERR);
}

/* Lists the system's upkeep orders after one that was refused. */
static void
cmd_orders_upkeep_help(const struct play *pl)
{
	const struct rules_system *sys =
	    systems_find(game_system(play_game(pl)));
	const struct upkeep_order *o;
	char *s;

	if (sys == NULL || (o = upkeep_orders(sys))->name == NULL)
		return;
	out_note("umpire upkeep %s UNIT and one of:", pl->name);
	for (; o->name != NULL; o++) {
		s = xalloc_printf(
		    "%s%s", o->name, o->has_battalion ? " BATTALION" : "");
		out_note("  %-16s %s", s, o->what);
		free(s);
	}
}

/* Upkeep: what one unit does between combats. */
static int
cmd_orders_upkeep(struct play *pl, const struct action *a)
{
	struct errinfo e = {.text = ""};
	char *s;
	int r;

	r = game_check_upkeep(play_game(pl), pl->seat, a->args, &e);
	if (r == ERR_MISSING || r == 0) {
		if (show_is_owed(pl, OWED_TURN))
			return (cmd_orders_sure(pl, "Give this order", a));
		return (show_not_now(pl, "no upkeep order can be given now"));
	}
	s = place_error(r, &e, a->args);
	out_error("%s", s);
	free(s);
	cmd_orders_upkeep_help(pl);
	out_note("Nothing was sent.");
	return (EX_DATAERR);
}

static const struct cmd_orders_row cmd_orders_rows[] = {
    {&cmd_ready, ORDER_READY, "ref", false, cmd_orders_ready},
    {&cmd_resign, ORDER_RESIGN, "ref", false, cmd_orders_resign},
    {&cmd_cancel, ORDER_RESIGN, "ref", false, cmd_orders_cancel},
    {&cmd_close, ORDER_CLOSE, "ref", false, cmd_orders_close},
    {&cmd_end_turn, ORDER_TURN_END, "ref", true, cmd_orders_end_turn},
    {&cmd_holiday, ORDER_PAUSE, "ref", false, cmd_orders_holiday},
    {&cmd_resume, ORDER_PAUSE, "ref", false, cmd_orders_resume},
    {&cmd_claim, ORDER_CLAIM, "ref", true, cmd_orders_claim},
    {&cmd_say, ORDER_CHAT, "ref", false, cmd_orders_say},
    {&cmd_roll, ORDER_FREE, "for", true, cmd_orders_roll},
    {&cmd_upkeep, ORDER_UPKEEP, "ref", true, cmd_orders_upkeep},
};

/* Gives the order of the subcommand's row. */
static int
cmd_orders_play(struct play *pl, const struct action *a)
{
	const struct cmd_orders_row *row = cmd_orders_rows;
	struct outbox_text one;
	int64_t seq;
	int status = 0;

	while (row->cmd != pl->cx->cmd->cmd)
		row++;
	one = (struct outbox_text){row->text, a->text};
	/* An agreed result is closed without a question. */
	if (row->kind == ORDER_CLOSE && play_finish_is_due(pl)) {
		if ((status = play_finish(pl, &seq)) == 0)
			show_order(pl, seq);
		return (status);
	}
	if (row->is_opening)
		status = commit_open(pl, &seq);
	if (status == 0 && !play_is_sent_with(pl, row->kind, a->args, &one, 1))
		status = row->check(pl, a);
	if (status == 0)
		status = offers_give(pl, row->kind,
		    a->args == NULL ? xalloc_json(json_object())
				    : xalloc_copy(a->args),
		    row->text, a->text);
	return (status);
}

/*
 * A claim names the line that director or witness have not answered, if one
 * waits, or our notice, if one stands; else it may be one.
 */
static int
cmd_orders_play_claim(struct play *pl, const struct action *a)
{
	const int side = game_side_of(pl->seat);
	struct action with = *a;
	int64_t to;
	int status;

	with.args = NULL;
	to = game_is_judged(play_game(pl)) ? game_unjudged_seq(play_game(pl))
	    : game_silent_seq(play_game(pl)) >= 0
	    ? game_silent_seq(play_game(pl))
	    : game_notice_seq(play_game(pl), side);
	if (to >= 0)
		with.args =
		    xalloc_json(json_pack("{s:I}", "to", (json_int_t)to));
	status = cmd_orders_play(pl, &with);
	json_decref(with.args);
	if (status == 0 && to < 0 && game_notice_seq(play_game(pl), side) >= 0)
		out_note("The other side is told.");
	return (status);
}

/* Opens a secret choice to which both sides have committed. */
static int
cmd_orders_play_open(struct play *pl, const struct action *a)
{
	int64_t seq;
	int status;

	(void)a;
	if ((status = commit_open(pl, &seq)) != 0)
		return (status);
	/* The order of an earlier run may just have got through. */
	if (seq < 0 && play_is_sent(pl, ORDER_OPEN, NULL, NULL))
		seq = pl->sent_seq;
	if (seq < 0)
		return (
		    show_not_now(pl, "no choice of yours waits to be opened"));
	show_order(pl, seq);
	return (0);
}

/* Agrees or objects to the line that waits for our answer. */
static int
cmd_orders_play_answer(struct play *pl, const struct action *a)
{
	const bool is_agreed = a->kind == ACTION_AGREE;
	enum order_kind kind;
	int64_t seq, to;
	int status;

	if (offers_is_sent(
		pl, ORDER_ANSWER, a->seq, is_agreed ? "agree" : "object")) {
		show_order(pl, pl->sent_seq);
		return (0);
	}
	if (!reply_is_owed(pl, &to, &kind))
		return (show_not_now(pl, "nothing waits for your answer"));
	if (a->seq >= 0 && a->seq != to)
		return (show_asked_anew(pl));
	if (!is_agreed && !game_may_object(play_game(pl)))
		return (show_not_now(pl, "it is too late to object"));
	if ((status = reply_send(pl, to, is_agreed, a->text, &seq)) != 0)
		return (status);
	/* What follows may be a choice that was sealed. */
	status = commit_open(pl, &to);
	show_order(pl, seq);
	return (status);
}

/* Reads the word and --why. */
static int
cmd_orders_parse_answer(struct cmd_ctx *cx, struct action *a)
{
	const char *word = cmd_arg(cx, 1);
	int status;

	if (strcmp(word, "agree") != 0 && strcmp(word, "object") != 0)
		return (
		    cmd_usage(cx, "'%s' is neither agree nor object", word));
	if ((status = offers_text(cx, "why", &a->text)) != 0)
		return (status);
	a->kind = strcmp(word, "agree") == 0 ? ACTION_AGREE : ACTION_OBJECT;
	if (a->text != NULL && a->kind == ACTION_AGREE)
		return (cmd_usage(cx, "only an objection has a reason"));
	return (0);
}

/* Reads the number of days. */
static int
cmd_orders_parse_holiday(struct cmd_ctx *cx, struct action *a)
{
	int64_t days;

	if (!opt_number(cmd_arg(cx, 1), 1, CMD_ORDERS_HOLIDAY, &days))
		return (cmd_usage(cx, "'%s' is not a number of days, 1 to %d",
		    cmd_arg(cx, 1), CMD_ORDERS_HOLIDAY));
	a->kind = ACTION_HOLIDAY;
	a->args = xalloc_json(
	    json_pack("{s:s, s:I}", "do", "holiday", "days", (json_int_t)days));
	return (0);
}

/* There are no words to read. */
static int
cmd_orders_parse_resume(struct cmd_ctx *cx, struct action *a)
{
	(void)cx;
	a->args = xalloc_json(json_pack("{s:s}", "do", "resume"));
	return (0);
}

/* Reads the words. */
static int
cmd_orders_parse_say(struct cmd_ctx *cx, struct action *a)
{
	const char *to = opt_get(&cx->opts, "to");

	if (to != NULL && strcmp(to, "side") != 0 && strcmp(to, "all") != 0)
		return (cmd_usage(cx, "--to takes all or side, not '%s'", to));
	a->kind = ACTION_SAY;
	if (to != NULL && strcmp(to, "side") == 0)
		a->args = xalloc_json(json_pack("{s:s}", "to", "side"));
	a->text = cmd_words(cx, 1);
	if (*a->text == '\0')
		return (cmd_usage(cx, "there is nothing to say"));
	return (offers_check_text(a->text));
}

/* Reads dice, such as 2d6, or --cup NAME [N]. */
static int
cmd_orders_parse_roll(struct cmd_ctx *cx, struct action *a)
{
	const char *cup = opt_get(&cx->opts, "cup"), *word = cmd_arg(cx, 1);
	int64_t dice, n = 1, sides;
	int status;

	if ((status = offers_text(cx, "for", &a->text)) != 0)
		return (status);
	a->kind = ACTION_ROLL;
	if (cup != NULL) {
		if (cmd_arg(cx, 2) != NULL ||
		    (word != NULL && !opt_number(word, 1, ROLL_MAX, &n)))
			return (cmd_usage(cx,
			    "you draw 1 to %d chits from a cup: --cup %s 2",
			    ROLL_MAX, cup));
		a->args = xalloc_json(json_pack("{s:o, s:I}", "cup",
		    xalloc_json_str(cup), "draw", (json_int_t)n));
		return (0);
	}
	if (word == NULL || cmd_arg(cx, 2) != NULL)
		return (cmd_usage(cx,
		    "what do you roll?  Dice such as 2d6, or --cup NAME and "
		    "perhaps a number"));
	if (!roll_dice(word, &dice, &sides))
		return (cmd_usage(cx,
		    "'%s' is not a roll of dice: type 1 to %d dice of 2 to %d "
		    "sides, such as 2d6",
		    word, ROLL_MAX, ROLL_MAX));
	a->args = xalloc_json(json_pack("{s:I, s:I}", "dice", (json_int_t)dice,
	    "sides", (json_int_t)sides));
	return (0);
}

/* Reads the unit, the order and perhaps a battalion. */
static int
cmd_orders_parse_upkeep(struct cmd_ctx *cx, struct action *a)
{
	const char *battalion = cmd_arg(cx, 3);

	a->kind = ACTION_UPKEEP;
	a->args = xalloc_json(
	    json_pack("{s:o, s:o}", "unit", xalloc_json_str(cmd_arg(cx, 1)),
		"do", xalloc_json_str(cmd_arg(cx, 2))));
	if (battalion != NULL)
		xalloc_set(a->args, "battalion", xalloc_json_str(battalion));
	return (0);
}

const struct cmd cmd_ready = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .play = cmd_orders_play,
};

const struct cmd cmd_cancel = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .play = cmd_orders_play,
};

const struct cmd cmd_open = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .play = cmd_orders_play_open,
};

const struct cmd cmd_end_turn = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .play = cmd_orders_play,
};

static const struct opt_def cmd_orders_answer_opts[] = {
    {"why", 0, "TEXT", false, "what is wrong, if you object"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_answer = {
    .opts = cmd_orders_answer_opts,
    .min_args = 2,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_orders_parse_answer,
    .play = cmd_orders_play_answer,
};

static const struct opt_def cmd_orders_claim_opts[] = {
    {"anyway", 0, NULL, false, "send it whatever this machine's clock says"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_claim = {
    .opts = cmd_orders_claim_opts,
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .play = cmd_orders_play_claim,
};

const struct cmd cmd_holiday = {
    .min_args = 2,
    .max_args = 2,
    .need = PLAY_ORDER,
    .parse = cmd_orders_parse_holiday,
    .play = cmd_orders_play,
};

const struct cmd cmd_resume = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .parse = cmd_orders_parse_resume,
    .play = cmd_orders_play,
};

static const struct opt_def cmd_orders_say_opts[] = {
    {"to", 0, "all|side", false, "who may read it (all)"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_say = {
    .opts = cmd_orders_say_opts,
    .min_args = 2,
    .max_args = -1,
    .need = PLAY_ORDER,
    .parse = cmd_orders_parse_say,
    .play = cmd_orders_play,
};

const struct cmd cmd_resign = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .play = cmd_orders_play,
};

const struct cmd cmd_close = {
    .min_args = 1,
    .max_args = 1,
    .need = PLAY_ORDER,
    .play = cmd_orders_play,
};

static const struct opt_def cmd_orders_roll_opts[] = {
    {"cup", 0, "NAME", false, "draw from this cup instead"},
    {"for", 0, "TEXT", false, "what it is for; kept beside the record"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd cmd_roll = {
    .opts = cmd_orders_roll_opts,
    .min_args = 1,
    .max_args = 3,
    .need = PLAY_ORDER,
    .parse = cmd_orders_parse_roll,
    .play = cmd_orders_play,
};

const struct cmd cmd_upkeep = {
    .min_args = 3,
    .max_args = 4,
    .need = PLAY_ORDER,
    .parse = cmd_orders_parse_upkeep,
    .play = cmd_orders_play,
};
