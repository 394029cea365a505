/* SPDX-License-Identifier: ISC */
/* A combat is one move: all that was decided in it goes with its line. */
#include "client/play/takeback.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/play/form_tape.h"
#include "client/play/play.h"
#include "client/replica/replica.h"
#include "client/report/battle.h"
#include "client/report/describe.h"
#include "client/ui/out_terminal.h"
#include "common/game/game.h"

#define TAKEBACK_LISTED 8 /* lines that are listed at most */

/* What a line of a combat is, for "line 7 is ..."; free(). */
static char *
takeback_part(const struct battle *b, int64_t seq)
{
	const struct game_entry *en = battle_entry(b, seq);
	const char *what = "answer";
	char *s, *who;

	if (en->kind == ORDER_DECIDE)
		what = "decision";
	else if (en->kind != ORDER_ANSWER)
		what = "secret choice";
	who = battle_who(b, en->seat);
	s = xalloc_printf("%s's %s", who, what);
	free(who);
	return (s);
}

/* Why a line cannot be taken back, as a sentence without a stop; free(). */
static char *
takeback_why(struct play *pl, int64_t seq)
{
	const struct battle *b = replica_battle(pl->copy);
	const struct game_entry *en = battle_entry(b, seq);
	char *part, *s;

	if (seq >= pl->copy->n)
		return (xalloc_printf("there is no line %lld yet: the last is "
				      "line %lld",
		    (long long)seq, (long long)pl->copy->n - 1));
	if (en->taken_back >= 0)
		return (xalloc_printf(
		    "line %lld was already taken back, by line %lld",
		    (long long)seq, (long long)en->taken_back));
	if (en->combat >= 0 && en->combat != seq && en->kind != ORDER_CLAIM) {
		part = takeback_part(b, seq);
		s = xalloc_printf(
		    "line %lld is %s and belongs to the combat of "
		    "line %lld: a combat is taken back from its "
		    "declaration on",
		    (long long)seq, part, (long long)en->combat);
		free(part);
		return (s);
	}
	part = describe_brief(b, seq);
	if (battle_is_undoable(b, seq))
		s = xalloc_printf(
		    "line %lld (%s) is too long ago: a takeback reaches back "
		    "over this turn and the one before it",
		    (long long)seq, part);
	else
		s = xalloc_printf("line %lld (%s) cannot be taken back",
		    (long long)seq, part);
	free(part);
	return (s);
}

/* Lists the lines before one that can be taken back, with their commands. */
static void
takeback_list(struct play *pl, const char *verb, const char *words,
    int64_t before, const char *heading)
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
		s = describe_brief(replica_battle(pl->copy), before);
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
	char *why;

	if (from < pl->copy->n && game_undoable(g, from + 1) == from)
		return (0);
	why = takeback_why(pl, from);
	out_error("%s", why);
	if (game_undoable(g, INT64_MAX) < 0)
		out_note("Nothing can be taken back now.");
	else
		takeback_list(pl, verb, words, INT64_MAX,
		    "What can be taken back, with everything that came after "
		    "it:");
	out_note("Nothing was sent.");
	free(why);
	return (EX_DATAERR);
}

int
takeback_last(
    struct play *pl, const char *verb, const char *words, int64_t *from)
{
	const struct game *g = play_game(pl);
	char *s;

	if ((*from = game_undoable(g, INT64_MAX)) < 0) {
		out_error("there is nothing that can be taken back");
		return (EX_DATAERR);
	}
	s = describe_brief(replica_battle(pl->copy), *from);
	out_note("The last that can be taken back is line %lld (%s).",
	    (long long)*from, s);
	takeback_list(pl, verb, words, *from, "Earlier ones:");
	free(s);
	return (0);
}

char *
takeback_words(struct play *pl, int64_t from)
{
	const struct battle *b = replica_battle(pl->copy);
	bool has_dice = false;
	enum order_kind kind;
	char *brief, *s;
	int64_t i;

	for (i = from; i < pl->copy->n; i++) {
		kind = battle_entry(b, i)->kind;
		has_dice = has_dice || kind == ORDER_DECLARE ||
		    kind == ORDER_UPKEEP || kind == ORDER_FREE;
	}
	brief = describe_brief(b, from);
	s = xalloc_printf("line %lld (%s) and what came after it%s",
	    (long long)from, brief,
	    has_dice ? ".  What is fought or rolled again then gets new dice"
		     : "");
	free(brief);
	return (s);
}

void
takeback_choices(struct play *pl, struct form_list *list)
{
	const struct game *g = play_game(pl);
	int64_t seq = INT64_MAX;
	char *brief, *label, *value;

	while ((seq = game_undoable(g, seq)) >= 0) {
		brief = describe_brief(replica_battle(pl->copy), seq);
		label = xalloc_printf("line %lld  %s", (long long)seq, brief);
		value = xalloc_printf("%lld", (long long)seq);
		form_list_add(list, label, value);
		free(value);
		free(label);
		free(brief);
	}
}
