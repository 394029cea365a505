/* SPDX-License-Identifier: ISC */
/*
 * From what a game waits for to what a player can type.  Commands that need
 * facts are shown with FILE; only moves_suggest() asks the rules.
 */
#include "client/moves.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "client/answer.h"
#include "client/report.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/game/game.h"
#include "common/rules/question.h"

#define MOVES_TRIES 16 /* answers that are looked at for a suggestion */
#define MOVES_SUGGESTED 4 /* that are shown */

/* What the parts of this file pass around. */
struct moves_ctx {
	struct moves *m;
	const json_t *view;
	int seat;
	int side;
	const char *profile;
	const char *name;
	bool has_committed; /* our side has, to the open secret question */
	bool has_theirs; /* and the other side */
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

/* Adds "umpire VERB GAME WORDS" to the commands. */
static void
moves_command(struct moves_ctx *x, const char *verb, const char *words)
{
	char *s;

	s = xalloc_printf("umpire%s %s %s%s%s", x->profile, verb, x->name,
	    *words == '\0' ? "" : " ", words);
	xalloc_append(x->m->commands, xalloc_json_str(s));
	free(s);
}

/* Adds a sentence. */
static void __attribute__((format(printf, 2, 3)))
moves_say(struct moves_ctx *x, const char *fmt, ...)
{
	struct buf b;
	va_list ap;
	char *s;

	buf_init(&b, 0);
	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	s = xalloc_take(&b);
	xalloc_append(x->m->says, xalloc_json_str(s));
	free(s);
}

/* Notes that something is ours to do; the first text stays. */
static void
moves_mine(struct moves_ctx *x, const char *what)
{
	if (!x->m->is_mine) {
		free(x->m->what);
		x->m->what = xalloc_str(what);
	}
	x->m->is_mine = true;
}

/* Who sits on a side or in a seat: "anna (French)"; free(). */
static char *
moves_who(const struct moves_ctx *x, int seat, int side)
{
	const json_t *seats = json_object_get(x->view, "seats"), *s;
	const char *account = "";
	char *name, *who;
	size_t i;

	json_array_foreach(seats, i, s)
	{
		if (*account == '\0' &&
		    (seat > 0 ? moves_int(s, "seat", -1) == seat
			      : moves_int(s, "side", -1) == side))
			account = moves_str(s, "account");
	}
	name = report_side(x->view, side);
	if (*account == '\0')
		who = xalloc_str(name);
	else
		who = xalloc_printf("%s (%s)", account, name);
	free(name);
	return (who);
}

/* The open question. */
static void
moves_decide(
    struct moves_ctx *x, const json_t *owed, bool is_mine, const char *who)
{
	const json_t *options = json_object_get(owed, "options"), *v;
	const char *kind = moves_str(owed, "kind");
	json_t *list;
	size_t i;

	if (!is_mine) {
		moves_say(x, "Waiting for %s to decide: %s.", who, kind);
		return;
	}
	moves_mine(x, "a decision");
	x->m->ask = owed;
	moves_say(x, "It is your move: a decision is owed (%s).", kind);
	list = answer_typical(kind, options);
	json_array_foreach(list, i, v)
	    moves_command(x, "decide", json_string_value(v));
	json_decref(list);
}

/* Finds out which sides have committed to the secret question. */
static void
moves_find_commits(struct moves_ctx *x, const json_t *owed)
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
moves_commit(
    struct moves_ctx *x, const json_t *owed, bool is_mine, const char *who)
{
	const json_t *options = json_object_get(owed, "options"), *v;
	const char *kind = moves_str(owed, "kind");
	json_t *list;
	size_t i;

	if (!is_mine && x->has_committed) {
		moves_say(x, "You have committed; %s has not yet.", who);
		return;
	}
	if (!is_mine) {
		moves_say(x, "%s has not committed%s.", who,
		    x->side == 0 ? "" : " either");
		return;
	}
	moves_mine(x, "a secret choice");
	x->m->ask = owed;
	x->m->is_secret = true;
	moves_say(x, "It is your move: a secret choice is owed (%s).", kind);
	moves_say(x,
	    x->has_theirs ? "Your opponent has committed; both choices are "
			    "shown once you have, too."
			  : "Neither side sees the other's before both have "
			    "committed.");
	list = answer_typical(kind, options);
	json_array_foreach(list, i, v)
	    moves_command(x, "decide", json_string_value(v));
	json_decref(list);
}

/* A sealed choice that waits to be opened by whoever made it. */
static void
moves_open(struct moves_ctx *x, bool is_mine, const char *who)
{
	if (!is_mine) {
		moves_say(x, "Waiting for %s to open the secret choice.", who);
		return;
	}
	moves_mine(x, "open your choice");
	moves_say(x,
	    "It is your move: both sides have committed, and your choice "
	    "waits to be opened.");
	moves_command(x, "open", "");
}

/* One thing that the game waits for. */
static void
moves_owed(struct moves_ctx *x, const json_t *owed)
{
	int seat = (int)moves_int(owed, "seat", 0);
	int side = (int)moves_int(owed, "side", seat % 2 == 1 ? 1 : 2);
	const char *what = moves_str(owed, "what");
	bool is_mine;
	char *who;

	is_mine =
	    x->seat >= 0 && (seat > 0 ? seat == x->seat : side == x->side);
	who = moves_who(x, seat, side);
	if (strcmp(what, "decide") == 0) {
		moves_decide(x, owed, is_mine, who);
	} else if (strcmp(what, "commit") == 0) {
		moves_commit(x, owed, is_mine, who);
	} else if (strcmp(what, "open") == 0) {
		moves_open(x, is_mine, who);
	} else if (strcmp(what, "turn") == 0 && is_mine) {
		moves_mine(x, "your turn");
		moves_say(x,
		    "It is your move: declare a combat, or end your "
		    "turn.");
		moves_command(x, "declare", "FILE");
		moves_command(x, "end-turn", "");
	} else if (strcmp(what, "ready") == 0 && is_mine) {
		moves_mine(x, "say ready");
		moves_say(x,
		    "It is your move: say that you are ready, and by "
		    "that accept your opponent.");
		moves_command(x, "ready", "");
	} else if (strcmp(what, "close") == 0 && is_mine) {
		moves_mine(x, "close");
		moves_say(x,
		    "It is your move: the game is over; close it, "
		    "by which you sign the result.");
		moves_command(x, "close", "");
	} else if (strcmp(what, "join") == 0) {
		if (x->seat < 0) {
			moves_say(x, "Waiting for somebody in seat %d (%s).",
			    seat, who);
			moves_command(x, "join", "");
		} else {
			moves_say(x,
			    "Waiting for your opponent in seat %d "
			    "(%s), who types:",
			    seat, who);
			moves_say(
			    x, "  umpire join %s", moves_str(x->view, "game"));
		}
	} else if (strcmp(what, "turn") == 0) {
		moves_say(x, "Waiting for %s, whose turn it is.", who);
	} else {
		moves_say(x, "Waiting for %s: %s.", who, what);
	}
	if (!x->m->is_mine && *x->m->what == '\0') {
		free(x->m->what);
		x->m->what = xalloc_printf("%s: %s", who, what);
	}
	free(who);
}

/* Offers to stop without a result. */
static void
moves_offers(struct moves_ctx *x)
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
		who = moves_who(x, (int)seat, seat % 2 == 1 ? 1 : 2);
		if (seat == x->seat) {
			moves_say(x,
			    "You have offered to stop without a "
			    "result; any move lets that lapse.");
		} else {
			moves_say(x,
			    "%s offers to stop without a result; "
			    "any move lets that lapse.",
			    who);
			if (x->seat >= 0)
				moves_command(x, "close", "");
		}
		free(who);
	}
}

/* How the game ended, if it did. */
static void
moves_result(struct moves_ctx *x)
{
	const json_t *result = json_object_get(x->view, "result");
	const char *phase = moves_str(x->view, "phase");
	int winner = (int)moves_int(result, "winner", 0);
	char *who;

	if (strcmp(phase, "halted") == 0)
		moves_say(x,
		    "The game is halted: the rules code failed on "
		    "the server, and its record says so.");
	if (json_is_object(result) && winner != 0) {
		who = moves_who(x, 0, winner);
		moves_say(x, "%s has won (%s).", who, moves_str(result, "how"));
		free(who);
	} else if (json_is_object(result)) {
		moves_say(x, "The game ended without a winner (%s).",
		    moves_str(result, "how"));
	}
	if (strcmp(phase, "finished") == 0)
		moves_say(x, "The game is finished; its record is complete.");
}

void
moves_find(struct moves *m, const json_t *view, int seat, const char *profile,
    const char *name)
{
	struct moves_ctx x = {.m = m,
	    .view = view,
	    .seat = seat,
	    .side = seat < 1 ? 0 : (seat % 2 == 1 ? 1 : 2),
	    .profile = profile,
	    .name = name};
	const json_t *owed = json_object_get(view, "owed"), *v;
	size_t i;

	memset(m, 0, sizeof(*m));
	m->says = xalloc_json(json_array());
	m->commands = xalloc_json(json_array());
	m->what = xalloc_str("");
	m->since = -1;
	moves_result(&x);
	moves_find_commits(&x, owed);
	json_array_foreach(owed, i, v)
	{
		moves_owed(&x, v);
		if (m->since < 0)
			m->since = moves_int(v, "since", -1);
	}
	moves_offers(&x);
	if (*m->what == '\0') {
		free(m->what);
		m->what = xalloc_str(moves_str(view, "phase"));
	}
}

/* How an answer is picked among all. */
struct moves_pick {
	int how; /* 0: always the first, 1: always the last, else by steps */
	uint32_t n; /* picks so far */
};

/* question_pick: the same picks in every run. */
static uint32_t
moves_pick_cb(void *arg, uint32_t n)
{
	struct moves_pick *p = arg;

	p->n++;
	if (p->how == 0)
		return (0);
	if (p->how == 1)
		return (n - 1);
	return ((p->n * 7 + (uint32_t)p->how * 5) % n);
}

/* True if the array holds this text. */
static bool
moves_has(const json_t *list, const char *s)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (strcmp(json_string_value(v), s) == 0)
			return (true);
	}
	return (false);
}

void
moves_suggest(struct moves *m, const struct game *g, int seat,
    const char *profile, const char *name)
{
	struct moves_pick picks = {.how = 0};
	const struct question_pick p = {moves_pick_cb, &picks};
	json_t *decision;
	char *s, *text;

	if (m->ask == NULL || m->is_secret || json_array_size(m->commands) > 0)
		return;
	for (; picks.how < MOVES_TRIES &&
	     json_array_size(m->commands) < MOVES_SUGGESTED;
	     picks.how++) {
		picks.n = 0;
		if (game_sample_decision(g, seat, &p, &decision) != 0)
			return;
		text = xalloc_dump(decision);
		/* Ids and kinds have no quote of the shell's. */
		s = xalloc_printf(
		    "umpire%s decide %s --decision '%s'", profile, name, text);
		if (!moves_has(m->commands, s))
			xalloc_append(m->commands, xalloc_json_str(s));
		free(s);
		free(text);
		json_decref(decision);
	}
}

void
moves_clear(struct moves *m)
{
	free(m->what);
	json_decref(m->says);
	json_decref(m->commands);
	memset(m, 0, sizeof(*m));
}
