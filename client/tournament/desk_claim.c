/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament claim: a claim is two lines, a notice and its effect once
 * that has stood (record S19.3).  The same command gives whichever is due.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_table.h"
#include "client/tournament/desk_todo.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

/* Finds the leg that may be claimed: that of the word, or the only one. */
static int
desk_claim_find(struct desk *d, const char *word, struct tournament_place *at,
    const char **ground, json_t **rows)
{
	struct tournament_place place;
	const json_t *v;
	int n = 0, status;
	size_t i;

	*ground = NULL;
	if (word != NULL && (status = desk_table_read(d, word, at)) != 0)
		return (status);
	if ((status = desk_todo_fetch(d, rows)) != 0)
		return (status);
	json_array_foreach(*rows, i, v)
	{
		place = desk_table_of(v);
		if (strcmp(text_member(v, "what"), "claim") != 0 ||
		    *text_member(v, "ground") == '\0' ||
		    !desk_table_is_there(d, &place) ||
		    (word != NULL &&
			(place.round != at->round || place.table != at->table ||
			    (at->leg > 0 && place.leg != at->leg))))
			continue;
		if (n++ > 0)
			continue;
		*ground = text_member(v, "ground");
		*at = place;
	}
	if (n <= 1 || word != NULL)
		return (0);
	out_error("%d tables may be claimed: say which, such as %d.%d", n,
	    at->round, at->table);
	return (EX_USAGE);
}

/* Says a time and how far off it is. */
static void
desk_claim_when(const char *text, int64_t ms)
{
	char when[32], *words = duration_due(clock_wall_ms(), ms);

	out_note("%s %s, %s.", text, out_time(when, ms), words);
	free(words);
}

/* What a leg came to, in words; free(). */
static char *
desk_claim_result(const struct desk *d, const struct tournament_leg_state *s)
{
	switch (s->result) {
	case TOURNAMENT_1:
		return (xalloc_printf("%s wins", desk_called(d, s->sides[1])));
	case TOURNAMENT_2:
		return (xalloc_printf("%s wins", desk_called(d, s->sides[2])));
	case TOURNAMENT_PLUS:
		return (xalloc_printf(
		    "%s wins by forfeit", desk_called(d, s->sides[1])));
	case TOURNAMENT_MINUS:
		return (xalloc_printf(
		    "%s wins by forfeit", desk_called(d, s->sides[2])));
	case TOURNAMENT_BOTH:
		return (xalloc_str("both have forfeited it"));
	case TOURNAMENT_AWAITED:
		return (xalloc_str("a director has to rule now"));
	default:
		return (xalloc_str("it is a draw"));
	}
}

/* Why there is nothing to claim; returns the exit status. */
static int
desk_claim_none(const struct desk *d, const struct tournament_place *at)
{
	struct tournament_place place = *at;
	struct tournament_leg_state s;
	const int64_t now = clock_wall_ms();
	char *words;

	if (place.leg == 0)
		place.leg = 1;
	/* Without a word: our own table. */
	if (place.round == 0) {
		place = (struct tournament_place){0};
		if (!desk_table_next(d, &place)) {
			out_error(d->number == 0
				? "you play at no table here: say which is "
				  "claimed, such as 2.1"
				: "you have no table that may be claimed");
			desk_next(d);
			return (EX_DATAERR);
		}
	}
	tournament_leg_state(d->t, &place, &s);
	if (s.has_result) {
		words = desk_claim_result(d, &s);
		out_error("that table has its result: %s", words);
		free(words);
		desk_next(d);
		return (EX_DATAERR);
	}
	out_error("there is nothing to claim there now");
	if (s.notice_seq >= 0 && s.notice_until_ms > now)
		desk_claim_when(
		    "A notice stands; it counts from", s.notice_until_ms);
	else if (s.due_ms[TOURNAMENT_ABSENT] > now)
		desk_claim_when("Whoever has not come has until",
		    s.due_ms[TOURNAMENT_ABSENT]);
	else if (s.due_ms[TOURNAMENT_LATE] > now)
		desk_claim_when("Who plays it has come; the round ends",
		    s.due_ms[TOURNAMENT_LATE]);
	else if (s.due_ms[TOURNAMENT_UNRULED] > now)
		desk_claim_when("A director has for a ruling until",
		    s.due_ms[TOURNAMENT_UNRULED]);
	desk_next(d);
	return (EX_DATAERR);
}

/* What is claimed, as a question; free(). */
static char *
desk_claim_question(const struct desk *d, const struct tournament_place *at,
    const char *ground, bool is_notice)
{
	char *table = desk_table_words(d, at), *s;
	const char *why = strcmp(ground, "absent") == 0
	    ? "somebody has not come in time, who then forfeits it"
	    : strcmp(ground, "late") == 0
	    ? "the round is over time, and the terms say what that brings"
	    : "no director has ruled, and the terms say what that brings";

	s = xalloc_printf("%s: %s.  %s", table, why,
	    is_notice ? "Give notice that it will be claimed?" : "Claim it?");
	free(table);
	return (s);
}

/* Gives the notice of a claim, or its effect. */
static int
desk_claim_give(
    struct desk *d, const struct tournament_place *at, const char *ground)
{
	struct tournament_leg_state s;
	char *question, *words;
	bool is_notice;
	json_t *args;
	int64_t seq;
	int status;

	tournament_leg_state(d->t, at, &s);
	is_notice = s.notice_seq < 0;
	question = desk_claim_question(d, at, ground, is_notice);
	status = cmd_confirm(d->cx, question);
	free(question);
	if (status != 0)
		return (status);
	if (is_notice) {
		args = json_pack("{s:i, s:i, s:i}", "round", at->round, "table",
		    at->table, "leg", at->leg);
		status = desk_order(
		    d, ENTRY_CLAIM, xalloc_json(args), NULL, 0, &seq);
		if (status != 0)
			return (status);
		tournament_leg_state(d->t, at, &s);
		if (s.notice_until_ms > clock_wall_ms()) {
			out_print(&d->cx->out,
			    "Notice is given, in line "
			    "%lld.\n",
			    (long long)seq);
			if (d->cx->out.is_json)
				out_json(&d->cx->out,
				    xalloc_json(json_pack("{s:I, s:b}", "seq",
					(json_int_t)seq, "notice", true)));
			else
				desk_claim_when("Type the same again when it "
						"counts, from",
				    s.notice_until_ms);
			return (0);
		}
	}
	args = json_pack("{s:I}", "to", (json_int_t)s.notice_seq);
	status = desk_order(d, ENTRY_CLAIM, xalloc_json(args), NULL, 0, &seq);
	if (status != 0)
		return (status);
	tournament_leg_state(d->t, at, &s);
	words = desk_claim_result(d, &s);
	out_print(&d->cx->out, "Line %lld: %s.\n", (long long)seq, words);
	free(words);
	if (d->cx->out.is_json)
		out_json(&d->cx->out,
		    xalloc_json(json_pack("{s:I, s:b, s:s}", "seq",
			(json_int_t)seq, "notice", false, "result",
			tournament_result_word(s.result))));
	else
		desk_next(d);
	return (0);
}

/* Finds what may be claimed, and claims it. */
static int
desk_claim_run(struct cmd_ctx *cx)
{
	struct tournament_place at = {0};
	const char *ground;
	json_t *rows = NULL;
	struct desk *d;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	status = desk_claim_find(d, cmd_arg(cx, 1), &at, &ground, &rows);
	if (status == 0)
		status = ground == NULL ? desk_claim_none(d, &at)
					: desk_claim_give(d, &at, ground);
	json_decref(rows);
	desk_close(d);
	return (status);
}

const struct cmd desk_cmd_claim = {
    .min_args = 1,
    .max_args = 2,
    .run = desk_claim_run,
};
