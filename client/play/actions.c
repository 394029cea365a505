/* SPDX-License-Identifier: ISC */
/*
 * From what a game waits for to what a player can type.  Commands that need
 * facts are shown with FILE; only actions_suggest() asks the rules.
 */
#include "client/play/actions.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/answer.h"
#include "client/play/duration.h"
#include "client/play/form_may.h"
#include "client/replica/people.h"
#include "client/report/describe.h"
#include "client/report/report.h"
#include "client/report/report_end.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/game/game.h"
#include "common/rules/question.h"

#define ACTIONS_TRIES 16 /* answers that are looked at for a suggestion */
#define ACTIONS_SUGGESTED 4 /* that are shown */
#define ACTIONS_DIGITS 16 /* of a game's number, where it is cut */

/* What the parts of this file pass around. */
struct actions_ctx {
	struct actions *m;
	const json_t *view;
	int seat;
	int side;
	const char *profile;
	const char *name;
	bool has_committed; /* our side has, to the open secret question */
	bool has_theirs; /* and the other side */
	bool has_join; /* who is to join is told */
	int64_t now_ms;
};

/* A number of an object, fallback if it is not there. */
static int64_t
moves_int(const json_t *o, const char *name, int64_t fallback)
{
	const json_t *v = json_object_get(o, name);

	return (json_is_integer(v) ? json_integer_value(v) : fallback);
}

/* A text of an object, "" if it is not there. */
static const char *
moves_str(const json_t *o, const char *name)
{
	const char *s = json_string_value(json_object_get(o, name));

	return (s == NULL ? "" : s);
}

/* True if the array holds this text. */
static bool
moves_has(const json_t *list, const char *s)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (json_is_string(v) && strcmp(json_string_value(v), s) == 0)
			return (true);
	}
	return (false);
}

/* Adds "umpire VERB GAME WORDS" to the commands. */
static void
actions_command(struct actions_ctx *x, const char *verb, const char *words)
{
	char *s;

	s = xalloc_printf("umpire%s %s %s%s%s", x->profile, verb, x->name,
	    *words == '\0' ? "" : " ", words);
	xalloc_append(x->m->commands, xalloc_json_str(s));
	free(s);
}

/* Adds a sentence. */
static void __attribute__((format(printf, 2, 3)))
actions_say(struct actions_ctx *x, const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xalloc_vprintf(fmt, ap);
	va_end(ap);
	xalloc_append(x->m->says, xalloc_json_str(s));
	free(s);
}

/* Notes that something is ours to do; the first text stays. */
static void
actions_mine(struct actions_ctx *x, const char *what)
{
	if (!x->m->is_mine) {
		free(x->m->what);
		x->m->what = xalloc_str(what);
	}
	x->m->is_mine = true;
}

/* A time of an object in milliseconds; -1 if it is not there. */
static int64_t
moves_time(const json_t *o, const char *name)
{
	const char *s = moves_str(o, name);
	int64_t ms;

	return (clock_parse(s, strlen(s), &ms) == 0 ? ms : -1);
}

/* Adds "umpire VERB GAME SEQ" to the commands. */
static void
moves_command_seq(struct actions_ctx *x, const char *verb, int64_t seq)
{
	char *s;

	s = xalloc_printf("%lld", (long long)seq);
	actions_command(x, verb, s);
	free(s);
}

/*
 * Who sits in a seat (-1: on a side): "anna (French)", "anna, carl
 * (French)"; free().
 */
static char *
actions_who(const struct actions_ctx *x, int seat, int side)
{
	const json_t *seats = json_object_get(x->view, "seats"), *s;
	struct people *people = people_of_view(x->view);
	const char *account;
	struct buf b;
	char *name, *who;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(seats, i, s)
	{
		account = moves_str(s, "account");
		if (*account != '\0' &&
		    (seat >= 0 ? moves_int(s, "seat", -1) == seat
			       : moves_int(s, "side", -1) == side))
			buf_printf(&b, "%s%s", b.len == 0 ? "" : ", ",
			    people_tell(people, account));
	}
	people_free(people);
	name =
	    side == 0 ? xalloc_str("the director") : report_side(x->view, side);
	if (b.len == 0)
		who = xalloc_str(name);
	else
		who = xalloc_printf("%s (%s)", buf_str(&b), name);
	buf_clear(&b);
	free(name);
	return (who);
}

/* The open question. */
static void
moves_decide(
    struct actions_ctx *x, const json_t *owed, bool is_mine, const char *who)
{
	const json_t *options = json_object_get(owed, "options"), *v;
	const char *kind = moves_str(owed, "kind");
	json_t *list;
	size_t i;

	if (!is_mine) {
		actions_say(x, "Waiting for %s to decide: %s.", who, kind);
		return;
	}
	actions_mine(x, "a decision");
	x->m->ask = owed;
	actions_say(x, "It is your move: a decision is owed (%s).", kind);
	list = answer_typical(kind, options);
	x->m->has_answers = json_array_size(list) > 0;
	json_array_foreach(list, i, v)
	    actions_command(x, "decide", json_string_value(v));
	json_decref(list);
}

/* Finds out which sides have committed to the secret question. */
static void
moves_find_commits(struct actions_ctx *x, const json_t *owed)
{
	bool is_owed[3] = {false};
	const json_t *v;
	int64_t side;
	size_t i;

	json_array_foreach(owed, i, v)
	{
		side = moves_int(v, "side", 0);
		if (strcmp(moves_str(v, "what"), "commit") == 0 &&
		    (side == 1 || side == 2))
			is_owed[side] = true;
	}
	if (x->side == 0 || is_owed[1] == is_owed[2])
		return;
	x->has_committed = is_owed[3 - x->side];
	x->has_theirs = is_owed[x->side];
}

/* A secret question that one side has not committed to. */
static void
actions_commit(
    struct actions_ctx *x, const json_t *owed, bool is_mine, const char *who)
{
	const json_t *options = json_object_get(owed, "options"), *v;
	const char *kind = moves_str(owed, "kind");
	json_t *list;
	size_t i;

	if (!is_mine && x->has_committed) {
		actions_say(x, "You have committed; %s has not yet.", who);
		return;
	}
	if (!is_mine) {
		actions_say(x, "%s has not committed%s.", who,
		    x->side == 0 ? "" : " either");
		return;
	}
	actions_mine(x, "a secret choice");
	x->m->ask = owed;
	x->m->is_secret = true;
	actions_say(x, "It is your move: a secret choice is owed (%s).", kind);
	actions_say(x,
	    x->has_theirs ? "Your opponent has committed; both choices are "
			    "shown once you have, too."
			  : "Neither side sees the other's before both have "
			    "committed.");
	list = answer_typical(kind, options);
	x->m->has_answers = json_array_size(list) > 0;
	json_array_foreach(list, i, v)
	    actions_command(x, "decide", json_string_value(v));
	json_decref(list);
}

/* A sealed choice that waits to be opened by whoever made it. */
static void
moves_open(struct actions_ctx *x, bool is_mine, const char *who)
{
	if (!is_mine) {
		actions_say(
		    x, "Waiting for %s to open the secret choice.", who);
		return;
	}
	actions_mine(x, "open your choice");
	actions_say(x,
	    "It is your move: both sides have committed, and your choice "
	    "waits to be opened.");
	actions_command(x, "open", "");
}

/* The side in turn may declare or end its turn. */
static void
actions_turn(struct actions_ctx *x, bool is_mine, const char *who)
{
	int64_t truce = moves_int(x->view, "truce", 0);
	bool has_truce = moves_int(x->view, "turn", 0) < truce;
	const char *nobody;

	if (!is_mine) {
		actions_say(x, "Waiting for %s, whose turn it is.", who);
	} else {
		nobody = has_truce ? NULL : form_may_not(x->view, x->side);
		actions_mine(x, "your turn");
		if (nobody != NULL)
			actions_say(x,
			    "It is your move: end your turn.  No combat can "
			    "be declared: %s.",
			    nobody);
		else
			actions_say(x,
			    has_truce ? "It is your move: end your turn."
				      : "It is your move: declare a combat, "
					"or end your turn.");
		if (!has_truce && nobody == NULL)
			actions_command(x, "declare", "FILE");
		actions_command(x, "end-turn", "");
	}
	if (has_truce)
		actions_say(x,
		    "There is a truce: no combat is declared before turn "
		    "%lld.",
		    (long long)truce);
}

/* An order that waits for the other side to agree or object. */
static void
actions_answer(
    struct actions_ctx *x, const json_t *owed, bool is_mine, const char *who)
{
	bool may_object = !json_is_false(json_object_get(owed, "may_object"));
	int64_t line = moves_int(owed, "since", -1);

	if (!is_mine) {
		actions_say(x,
		    "Waiting for %s to agree to line %lld, or object.", who,
		    (long long)line);
		return;
	}
	actions_mine(x, "agree or object");
	actions_say(x, "It is your move: line %lld waits for you to agree%s.",
	    (long long)line, may_object ? " or to object" : "");
	actions_command(x, "answer", "agree");
	if (may_object)
		actions_command(x, "answer", "object");
}

/* A claim that the director rules on. */
static void
moves_ruling(struct actions_ctx *x, bool is_mine, const char *who)
{
	int64_t claim = moves_int(x->view, "adjudication", -1);

	if (!is_mine) {
		actions_say(x,
		    "Waiting for %s to rule on the claim of line %lld.", who,
		    (long long)claim);
		return;
	}
	actions_mine(x, "a ruling");
	actions_say(x, "It is your move: rule on the claim of line %lld.",
	    (long long)claim);
	actions_command(x, "ruling", "forfeit --why TEXT");
	actions_command(x, "ruling", "extend 1d --why TEXT");
}

/* The director's seat, which nobody has taken. */
static void
moves_join_director(struct actions_ctx *x)
{
	actions_say(x, "Waiting for a director in seat 0%s",
	    x->seat < 0 ? "." : ", who types:");
	/* The whole number and --seat 0 are too long for one line. */
	if (x->seat >= 0)
		actions_say(x, "  umpire join %.*s --seat 0", ACTIONS_DIGITS,
		    moves_str(x->view, "game"));
	else
		actions_command(x, "join", "--seat 0");
}

/* The players' seats that nobody has taken, all at once. */
static void
actions_join(struct actions_ctx *x)
{
	const json_t *owed = json_object_get(x->view, "owed"), *v;
	struct buf b;
	size_t i, n = 0;
	int64_t seat;
	char *name;

	buf_init(&b, 0);
	json_array_foreach(owed, i, v)
	{
		seat = moves_int(v, "seat", 0);
		if (strcmp(moves_str(v, "what"), "join") != 0 || seat < 1)
			continue;
		name = report_side(x->view, game_side_of((int)seat));
		buf_printf(&b, "%s%lld (%s)", n == 0 ? "" : ", ",
		    (long long)seat, name);
		free(name);
		n++;
	}
	actions_say(x, "Waiting for %s %s%s",
	    n == 1 ? "a player in seat" : "players in seats", buf_str(&b),
	    x->seat < 0  ? "."
		: n == 1 ? ", who types:"
			 : ", who type:");
	buf_clear(&b);
	if (x->seat >= 0)
		actions_say(x, "  umpire join %s", moves_str(x->view, "game"));
	else
		actions_command(x, "join", "");
}

/* A seat that nobody has taken; players' seats are told together. */
static void
moves_free(struct actions_ctx *x, int seat)
{
	if (seat == 0) {
		moves_join_director(x);
	} else if (!x->has_join) {
		x->has_join = true;
		actions_join(x);
	}
}

/* What is ours alone to do, by one word and one command; false if not such. */
static bool
moves_simple(struct actions_ctx *x, const char *what)
{
	static const struct {
		const char *what;
		const char *brief;
		const char *say;
	} all[] = {
	    {"ready", "say ready",
		"It is your move: say that you are ready, and by that accept "
		"who plays."},
	    {"close", "close",
		"It is your move: the game is over; close it, by which you "
		"sign the result."},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(what, all[i].what) != 0)
			continue;
		actions_mine(x, all[i].brief);
		actions_say(x, "%s", all[i].say);
		actions_command(x, what, "");
		return (true);
	}
	return (false);
}

/* What somebody else is waited for to do, in words. */
static const char *
moves_to(const char *what)
{
	static const char *const all[][2] = {
	    {"ready", "to say that they are ready"},
	    {"close", "to close the game"},
	};
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(what, all[i][0]) == 0)
			return (all[i][1]);
	}
	return (what);
}

/* Until when it is to be done, where a clock runs. */
static void
actions_until(struct actions_ctx *x, const json_t *owed, bool is_mine, int side)
{
	int64_t until = moves_time(owed, "until");
	char when[32], *due;

	if (until < 0)
		return;
	clock_local(when, until);
	due = duration_due(x->now_ms, until);
	if (is_mine) {
		x->m->until_ms = until;
		if (until > x->now_ms)
			actions_say(
			    x, "Your time runs until %s, %s.", when, due);
		else
			actions_say(x,
			    "Your time is over since %s, %s: the other side "
			    "may claim it.",
			    when, due);
	} else if (until > x->now_ms) {
		actions_say(
		    x, "That side's time runs until %s, %s.", when, due);
	} else if (x->side != 0 && side == 3 - x->side) {
		actions_say(x,
		    "That side's time is over since %s, %s: you may claim.",
		    when, due);
		actions_command(x, "claim", "");
	} else {
		actions_say(
		    x, "That side's time is over since %s, %s.", when, due);
	}
	free(due);
}

/* True if something that is owed is ours to do. */
static bool
actions_is_ours(const struct actions_ctx *x, const json_t *owed)
{
	int64_t seat = moves_int(owed, "seat", -1);

	if (x->seat < 0)
		return (false);
	if (seat >= 0)
		return (seat == x->seat);
	return (moves_int(owed, "side", 0) == x->side);
}

/* One thing that the game waits for. */
static void
actions_owed(struct actions_ctx *x, const json_t *owed)
{
	int seat = (int)moves_int(owed, "seat", -1);
	int side =
	    (int)moves_int(owed, "side", seat < 1 ? 0 : game_side_of(seat));
	const char *what = moves_str(owed, "what");
	bool is_mine;
	char *who;

	is_mine = actions_is_ours(x, owed);
	who = actions_who(x, seat, side);
	if (strcmp(what, "decide") == 0)
		moves_decide(x, owed, is_mine, who);
	else if (strcmp(what, "commit") == 0)
		actions_commit(x, owed, is_mine, who);
	else if (strcmp(what, "open") == 0)
		moves_open(x, is_mine, who);
	else if (strcmp(what, "turn") == 0)
		actions_turn(x, is_mine, who);
	else if (strcmp(what, "answer") == 0)
		actions_answer(x, owed, is_mine, who);
	else if (strcmp(what, "ruling") == 0)
		moves_ruling(x, is_mine, who);
	else if (strcmp(what, "join") == 0)
		moves_free(x, seat);
	else if (!is_mine || !moves_simple(x, what))
		actions_say(x, "Waiting for %s %s.", who, moves_to(what));
	if (!x->m->is_mine && *x->m->what == '\0') {
		free(x->m->what);
		x->m->what = xalloc_printf("%s: %s", who, what);
	}
	actions_until(x, owed, is_mine, side);
	free(who);
}

/* What an offer is about, for "anna offers ..."; free(). */
static char *
actions_offered(const struct actions_ctx *x, const json_t *f)
{
	const char *what = moves_str(f, "what");
	char *name, *s;
	int64_t n;

	if (strcmp(what, "draw") == 0)
		return (xalloc_str("offers a draw"));
	if (strcmp(what, "victory") == 0) {
		name = report_side(x->view, (int)moves_int(f, "winner", 1));
		s = xalloc_printf("offers that %s has won", name);
		free(name);
		return (s);
	}
	if (strcmp(what, "takeback") == 0)
		return (
		    xalloc_printf("offers to take back all from line %lld on",
			(long long)moves_int(f, "from", -1)));
	if (strcmp(what, "pause") == 0) {
		n = moves_int(f, "days", 0);
		return (xalloc_printf("offers to pause for %lld day%s",
		    (long long)n, n == 1 ? "" : "s"));
	}
	if (strcmp(what, "truce") == 0) {
		n = moves_int(f, "turns", 0);
		return (xalloc_printf("offers a truce of %lld turn%s",
		    (long long)n, n == 1 ? "" : "s"));
	}
	if (strcmp(what, "adjust") == 0) {
		name = describe_units(json_object_get(f, "units"), NULL);
		s = xalloc_printf("proposes to change %s", name);
		free(name);
		return (s);
	}
	if (strcmp(what, "roster") == 0)
		return (xalloc_str("proposes other rosters"));
	if (json_is_true(json_object_get(f, "void")))
		return (
		    xalloc_printf("rules that all from line %lld on is void",
			(long long)moves_int(f, "from", -1)));
	if (json_object_get(f, "units") != NULL) {
		name = describe_units(json_object_get(f, "units"), NULL);
		s = xalloc_printf("rules to change %s", name);
		free(name);
		return (s);
	}
	if (json_object_get(f, "result") == NULL)
		return (xalloc_str("gives a ruling in words"));
	if ((n = moves_int(f, "result", 0)) == 0)
		return (
		    xalloc_str("rules that the game ends without a winner"));
	name = report_side(x->view, (int)n);
	s = xalloc_printf("rules that %s has won", name);
	free(name);
	return (s);
}

/* True if our roster has a unit or commander of this id. */
static bool
moves_has_unit(const struct actions_ctx *x, const char *id)
{
	static const char *const lists[] = {"units", "commanders"};
	const json_t *side, *v;
	size_t i, j;

	side = json_object_get(
	    json_object_get(x->view, "roster"), x->side == 1 ? "1" : "2");
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		json_array_foreach(json_object_get(side, lists[i]), j, v)
		{
			if (strcmp(moves_str(v, "id"), id) == 0)
				return (true);
		}
	}
	return (false);
}

/* True for a change of our own units that our side may agree to itself. */
static bool
moves_is_own(const struct actions_ctx *x, const json_t *f)
{
	const json_t *fields, *unit;
	const char *name;
	json_t *v;
	size_t i;

	fields = json_object_get(
	    json_object_get(x->view, "options"), "owner_fields");
	if (x->side == 0 || strcmp(moves_str(f, "what"), "adjust") != 0 ||
	    moves_int(f, "side", 0) != x->side || !json_is_array(fields))
		return (false);
	json_array_foreach(json_object_get(f, "units"), i, unit)
	{
		if (!moves_has_unit(x, moves_str(unit, "id")))
			return (false);
		/* jansson's iterators know no const. */
		json_object_foreach((json_t *)(uintptr_t)unit, name, v)
		{
			if (strcmp(name, "id") != 0 && !moves_has(fields, name))
				return (false);
		}
	}
	return (true);
}

/* True if this seat is asked to accept or decline the offer. */
static bool
moves_is_asked(const struct actions_ctx *x, const json_t *f)
{
	const json_t *accepted = json_object_get(f, "accepted"), *v;
	size_t i;

	if (strcmp(moves_str(f, "what"), "ruling") != 0)
		return (x->side != 0 && moves_int(f, "side", 0) != x->side);
	json_array_foreach(accepted, i, v)
	{
		if (json_integer_value(v) == x->seat)
			return (false);
	}
	return (x->seat == 1 || x->seat == 2);
}

/* Why an offer cannot be accepted just now; NULL if it can (S5, S7). */
static const char *
actions_not_yet(const struct actions_ctx *x, const json_t *f)
{
	const json_t *v;
	size_t i;

	json_array_foreach(json_object_get(x->view, "owed"), i, v)
	{
		if (strcmp(moves_str(v, "what"), "answer") == 0)
			return ("once the answer is given");
	}
	if (json_object_get(f, "units") != NULL &&
	    json_is_object(json_object_get(x->view, "combat")))
		return ("once the combat is over");
	return (NULL);
}

/* An offer that we may accept, decline or withdraw, or only see. */
static void
actions_offer(struct actions_ctx *x, const json_t *f)
{
	const char *later = actions_not_yet(x, f), *may = ".";
	int64_t seq = moves_int(f, "seq", -1);
	int seat = (int)moves_int(f, "seat", -1);
	bool is_asked = moves_is_asked(x, f), is_ours;
	char *about, *who;

	is_ours = seat >= 0 && x->seat >= 0 &&
	    (x->side == 0 ? seat == 0 : moves_int(f, "side", 0) == x->side);
	about = actions_offered(x, f);
	who = actions_who(x, seat, seat < 1 ? 0 : game_side_of(seat));
	if (is_asked)
		may = ": accept or decline it.";
	else if (strcmp(moves_str(f, "what"), "ruling") == 0 && x->seat > 2)
		may = "; seats 1 and 2 accept or decline it.";
	else if (is_ours)
		may = moves_is_own(x, f) ? ": accept or withdraw it."
					 : ": you may withdraw it.";
	actions_say(x, "%s %s (line %lld)%s", who, about, (long long)seq, may);
	if (is_asked || moves_is_own(x, f)) {
		x->m->has_offer = x->m->has_offer || is_asked;
		if (later == NULL)
			moves_command_seq(x, "accept", seq);
		else
			actions_say(x, "It can be accepted %s.", later);
	}
	if (is_asked)
		moves_command_seq(x, "decline", seq);
	else if (is_ours)
		moves_command_seq(x, "withdraw", seq);
	free(about);
	free(who);
}

/* The offers, proposals and rulings that are open. */
static void
moves_offers(struct actions_ctx *x)
{
	const json_t *f;
	size_t i;

	json_array_foreach(json_object_get(x->view, "offers"), i, f)
	    actions_offer(x, f);
	if (x->m->has_offer && !x->m->is_mine) {
		free(x->m->what);
		x->m->what = xalloc_str("an offer");
	}
}

/* Offers to stop without a result. */
static void
actions_stop(struct actions_ctx *x)
{
	const json_t *seats = json_object_get(x->view, "seats"), *s;
	int64_t seat;
	char *who;
	size_t i;

	if (strcmp(moves_str(x->view, "phase"), "play") != 0)
		return;
	json_array_foreach(seats, i, s)
	{
		if (!json_is_true(json_object_get(s, "closed")))
			continue;
		seat = moves_int(s, "seat", 0);
		who = actions_who(x, (int)seat, game_side_of((int)seat));
		if (seat == x->seat) {
			actions_say(x,
			    "You have offered to stop without a "
			    "result; any move lets that lapse.");
		} else {
			actions_say(x,
			    "%s offers to stop without a result; "
			    "any move lets that lapse.",
			    who);
			if (x->side != 0 && game_side_of((int)seat) != x->side)
				actions_command(x, "close", "");
		}
		free(who);
	}
}

/* How the game ended, if it did. */
static void
moves_result(struct actions_ctx *x)
{
	const json_t *result = json_object_get(x->view, "result");
	const char *phase = moves_str(x->view, "phase");
	int winner = (int)moves_int(result, "winner", 0);
	char *s, *who;

	if (json_is_object(result) || strcmp(phase, "halted") == 0) {
		who = winner == 0 ? NULL : actions_who(x, -1, winner);
		s = report_end_result(x->view, who);
		actions_say(x, "%s", s);
		free(s);
		free(who);
	}
	if (strcmp(phase, "finished") == 0)
		actions_say(x, "The game is finished; its record is complete.");
}

void
actions_find(struct actions *m, const json_t *view, int seat,
    const char *profile, const char *name)
{
	struct actions_ctx x = {.m = m,
	    .view = view,
	    .seat = seat,
	    .side = seat < 1 ? 0 : game_side_of(seat),
	    .profile = profile,
	    .name = name,
	    .now_ms = clock_wall_ms()};
	const json_t *owed = json_object_get(view, "owed"), *v;
	size_t i;

	memset(m, 0, sizeof(*m));
	m->says = xalloc_json(json_array());
	m->commands = xalloc_json(json_array());
	m->what = xalloc_str("");
	m->since = -1;
	m->until_ms = -1;
	moves_result(&x);
	moves_find_commits(&x, owed);
	/* What is ours is said first: others are told about beside it. */
	json_array_foreach(owed, i, v)
	{
		if (actions_is_ours(&x, v))
			actions_owed(&x, v);
		if (m->since < 0)
			m->since = moves_int(v, "since", -1);
	}
	json_array_foreach(owed, i, v)
	{
		if (!actions_is_ours(&x, v))
			actions_owed(&x, v);
	}
	moves_offers(&x);
	actions_stop(&x);
	if (*m->what == '\0') {
		free(m->what);
		m->what = xalloc_str(moves_str(view, "phase"));
	}
}

/* How an answer is picked among all. */
struct actions_pick {
	int how; /* 0: always the first, 1: always the last, else by steps */
	uint32_t n; /* picks so far */
};

/* question_pick: the same picks in every run. */
static uint32_t
actions_pick_cb(void *arg, uint32_t n)
{
	struct actions_pick *p = arg;

	p->n++;
	if (p->how == 0)
		return (0);
	if (p->how == 1)
		return (n - 1);
	return ((p->n * 7 + (uint32_t)p->how * 5) % n);
}

void
actions_suggest(struct actions *m, const struct game *g, int seat,
    const char *profile, const char *name)
{
	struct actions_pick picks = {.how = 0};
	const struct question_pick p = {actions_pick_cb, &picks};
	json_t *decision;
	int found = 0;
	char *s, *text;

	if (m->ask == NULL || m->is_secret || m->has_answers)
		return;
	for (; picks.how < ACTIONS_TRIES && found < ACTIONS_SUGGESTED;
	     picks.how++) {
		picks.n = 0;
		if (game_sample_decision(g, seat, &p, &decision) != 0)
			return;
		text = xalloc_dump(decision);
		/* Ids and kinds have no quote of the shell's. */
		s = xalloc_printf(
		    "umpire%s decide %s --decision '%s'", profile, name, text);
		if (!moves_has(m->commands, s)) {
			xalloc_append(m->commands, xalloc_json_str(s));
			found++;
		}
		free(s);
		free(text);
		json_decref(decision);
	}
	m->has_answers = found > 0;
}

void
actions_clear(struct actions *m)
{
	free(m->what);
	json_decref(m->says);
	json_decref(m->commands);
	memset(m, 0, sizeof(*m));
}
