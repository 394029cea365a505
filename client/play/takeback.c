/* SPDX-License-Identifier: ISC */
/* A combat is one move: all that was decided in it goes with its line. */
#include "client/play/takeback.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/play/form_say.h"
#include "client/play/past.h"
#include "client/play/play.h"
#include "client/replica/copy.h"
#include "client/report/describe.h"
#include "client/ui/ask.h"
#include "client/ui/ask_list.h"
#include "common/game/game.h"
#include "common/record/order_kind.h"

#define TAKEBACK_LISTED 8 /* lines that are listed at most */

/* The declaration of the combat that a line belongs to; -1: of none. */
static int64_t
takeback_combat(const struct past *past, int64_t seq)
{
	enum order_kind kind = past_kind(past, seq);
	int64_t i;

	if (kind != ORDER_DECIDE && kind != ORDER_COMMIT &&
	    kind != ORDER_OPEN && kind != ORDER_ANSWER)
		return (-1);
	for (i = seq - 1; i >= 0; i--) {
		kind = past_kind(past, i);
		if (kind == ORDER_DECLARE)
			return (i);
		/* What is answered may be something else. */
		if (kind == ORDER_TURN_END || kind == ORDER_UPKEEP ||
		    kind == ORDER_FREE)
			return (-1);
	}
	return (-1);
}

/* What a line of a combat is, for "line 7 is ..."; free(). */
static char *
takeback_part(struct story *st, int64_t seq)
{
	const struct past *past = story_past(st);
	const char *what = "answer";
	char *s, *who;

	if (past_kind(past, seq) == ORDER_DECIDE)
		what = "decision";
	else if (past_kind(past, seq) != ORDER_ANSWER)
		what = "secret choice";
	who = story_who(st, past_seat(past, seq));
	s = xalloc_printf("%s's %s", who, what);
	free(who);
	return (s);
}

/* Why a line cannot be taken back, as a sentence without a stop; free(). */
static char *
takeback_why(struct play *pl, struct story *st, int64_t seq)
{
	const struct past *past = story_past(st);
	int64_t combat, by;
	char *part, *s;

	if (seq >= pl->copy->n)
		return (xalloc_printf("there is no line %lld yet: the last is "
				      "line %lld",
		    (long long)seq, (long long)pl->copy->n - 1));
	if ((by = past_taken_back(past, seq)) >= 0)
		return (xalloc_printf("line %lld was taken back already, by "
				      "line %lld",
		    (long long)seq, (long long)by));
	if ((combat = takeback_combat(past, seq)) >= 0) {
		part = takeback_part(st, seq);
		s = xalloc_printf(
		    "line %lld is %s and belongs to the combat of "
		    "line %lld: a combat is taken back from its "
		    "declaration on",
		    (long long)seq, part, (long long)combat);
		free(part);
		return (s);
	}
	part = describe_brief(st, seq);
	if (past_is_undoable(past, seq))
		s = xalloc_printf("line %lld (%s) is too long ago: a takeback "
				  "reaches back over the present turn and the "
				  "one before it",
		    (long long)seq, part);
	else
		s = xalloc_printf("line %lld (%s) is nothing that could be "
				  "taken back",
		    (long long)seq, part);
	free(part);
	return (s);
}

/* Lists the lines before one that can be taken back, with their commands. */
static void
takeback_list(struct play *pl, struct story *st, const char *verb,
    const char *words, int64_t before, const char *heading)
{
	const struct game *g = play_game(pl);
	char *command, *s, *with;
	int n = 0;

	for (; (before = game_undoable(g, before)) >= 0; n++) {
		if (n == TAKEBACK_LISTED) {
			out_note("and earlier ones");
			return;
		}
		if (n == 0)
			out_note("%s", heading);
		with = xalloc_printf("%s %lld", words, (long long)before);
		command = play_command(pl, verb, with);
		s = describe_brief(st, before);
		out_note("  %s\n      (%s)", command, s);
		free(s);
		free(command);
		free(with);
	}
}

int
takeback_check(
    struct play *pl, const char *verb, const char *words, int64_t from)
{
	const struct game *g = play_game(pl);
	struct story *st;
	char *why;

	if (from < pl->copy->n && game_undoable(g, from + 1) == from)
		return (0);
	st = story_new(pl->copy);
	why = takeback_why(pl, st, from);
	out_error("%s", why);
	if (game_undoable(g, INT64_MAX) < 0)
		out_note("Nothing can be taken back now.");
	else
		takeback_list(pl, st, verb, words, INT64_MAX,
		    "What can be taken back, with all that came after it:");
	out_note("Nothing was sent.");
	free(why);
	story_free(st);
	return (EX_DATAERR);
}

int
takeback_last(
    struct play *pl, const char *verb, const char *words, int64_t *from)
{
	const struct game *g = play_game(pl);
	struct story *st;
	char *s;

	if ((*from = game_undoable(g, INT64_MAX)) < 0) {
		out_error("there is nothing that could be taken back");
		return (EX_DATAERR);
	}
	st = story_new(pl->copy);
	s = describe_brief(st, *from);
	out_note("The last that can be taken back is line %lld (%s).",
	    (long long)*from, s);
	takeback_list(pl, st, verb, words, *from, "Earlier ones:");
	free(s);
	story_free(st);
	return (0);
}

/* True if from this line on there is something that dice may hang on. */
static bool
takeback_has_dice(const struct past *past, int64_t from, int64_t n)
{
	enum order_kind kind;

	for (; from < n; from++) {
		kind = past_kind(past, from);
		if (kind == ORDER_DECLARE || kind == ORDER_UPKEEP ||
		    kind == ORDER_FREE)
			return (true);
	}
	return (false);
}

char *
takeback_words(struct play *pl, int64_t from)
{
	struct story *st = story_new(pl->copy);
	bool has_dice;
	char *brief, *s;

	brief = describe_brief(st, from);
	has_dice = takeback_has_dice(story_past(st), from, pl->copy->n);
	s = xalloc_printf("line %lld (%s) and what came after it%s",
	    (long long)from, brief,
	    has_dice ? ".  What is fought or rolled again then has other dice"
		     : "");
	free(brief);
	story_free(st);
	return (s);
}

int
takeback_pick(const struct ask_io *io, struct play *pl, int64_t *from)
{
	const struct game *g = play_game(pl);
	struct form_list list = {.n = 0};
	int64_t seq = INT64_MAX;
	char *brief, *label, *value;
	struct story *st;
	size_t pick;
	int r = ASK_BACK;

	st = story_new(pl->copy);
	while ((seq = game_undoable(g, seq)) >= 0) {
		brief = describe_brief(st, seq);
		label = xalloc_printf("line %lld  %s", (long long)seq, brief);
		value = xalloc_printf("%lld", (long long)seq);
		form_list_add(&list, label, value);
		free(value);
		free(label);
		free(brief);
	}
	story_free(st);
	if (list.n == 0)
		io->say(io->arg, 0, "Nothing can be taken back now.");
	else
		r = ask_choice(io,
		    "From where on (with all that came after it)?",
		    (const char *const *)list.labels, list.n, -1, &pick);
	if (r == 0)
		*from = strtoll(list.values[pick], NULL, 10);
	form_list_clear(&list);
	return (r);
}
