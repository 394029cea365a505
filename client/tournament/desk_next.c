/* SPDX-License-Identifier: ISC */
/*
 * What may be done next in a tournament, as commands to type.  Lines begin
 * with "Next:", or "Next, from TIME:" for what is not due yet, and others with
 * "  or:"; what stands behind a # is for people.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

#define DESK_NEXT_MAX 4 /* of one kind; the rest is counted */

/* The lines so far. */
struct desk_next {
	const struct desk *d;
	int64_t now_ms;
	int n; /* commands */
	bool has_waited; /* it was told that nothing waits */
};

json_t *
desk_owed(const struct desk *d)
{
	json_t *rows = NULL;
	struct buf b;

	buf_init(&b, 0);
	if (tournament_owed_write(
		d->t, d->account, clock_wall_ms(), NULL, &b) != 0 ||
	    js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &rows, NULL) != 0)
		xalloc_die();
	buf_clear(&b);
	return (rows);
}

json_t *
desk_view(const struct desk *d)
{
	json_t *view = NULL;
	struct buf b;

	buf_init(&b, 0);
	if (tournament_view(d->t, &b) != 0 ||
	    js_load(buf_str(&b), b.len, JS_DEPTH_RPC, &view, NULL) != 0)
		xalloc_die();
	buf_clear(&b);
	return (view);
}

int
desk_count(const struct desk *d, const char *member)
{
	json_t *view = desk_view(d);
	const json_t *v;
	size_t i;
	int n = 0;

	json_array_foreach(json_object_get(view, "entrants"), i, v) n +=
	    json_is_true(json_object_get(v, member));
	json_decref(view);
	return (n);
}

/* Prints a line of what may be done, from a time on (0: now). */
static void __attribute__((format(printf, 5, 6)))
desk_next_line(struct desk_next *x, int64_t from_ms, const char *verb,
    const char *words, const char *why, ...)
{
	char *note, *profile, *s, when[32];
	va_list ap;

	/* A player need not do what time brings, and somebody will. */
	if (from_ms > x->now_ms && !x->d->is_director) {
		profile = cmd_profile_words(x->d->cx);
		if (x->n == 0 && !x->has_waited)
			out_print(&x->d->cx->out,
			    "Nothing waits for you now; `umpire%s todo` says "
			    "when something does.\n",
			    profile);
		x->has_waited = true;
		free(profile);
		return;
	}
	va_start(ap, why);
	note = xalloc_vprintf(why, ap);
	va_end(ap);
	s = desk_command(x->d, verb, words);
	if (x->n++ > 0)
		out_print(&x->d->cx->out, "  or: %s", s);
	else if (from_ms > x->now_ms)
		out_print(&x->d->cx->out, "Next, from %s:\n  %s",
		    out_time(when, from_ms), s);
	else
		out_print(&x->d->cx->out, "Next: %s", s);
	out_print(&x->d->cx->out, "%s%s\n", *note == '\0' ? "" : "   # ", note);
	free(s);
	free(note);
}

int
desk_open_legs(const struct desk *d, int *all)
{
	const bool is_concurrent = tournament_terms(d->t)->is_concurrent;
	const size_t last = (size_t)tournament_paired(d->t);
	json_t *view = desk_view(d);
	const json_t *leg, *legs, *round, *table;
	const char *result;
	size_t i, k, m;
	int n = 0;

	*all = 0;
	json_array_foreach(json_object_get(view, "pairings"), m, round)
	{
		if (!is_concurrent && m + 1 != last)
			continue;
		json_array_foreach(json_object_get(round, "tables"), i, table)
		{
			legs = json_object_get(table, "legs");
			json_array_foreach(legs, k, leg)
			{
				result = js_str(leg, "result");
				++*all;
				n += result == NULL || strcmp(result, "?") == 0;
			}
		}
	}
	json_decref(view);
	return (n);
}

/* What a row of what is owed asks for. */
static void
desk_next_row(struct desk_next *x, const json_t *row)
{
	const char *what = text_member(row, "what");
	const int entrant = (int)js_int(row, "entrant");
	char words[64] = "";

	if (strcmp(what, "admit") == 0) {
		(void)snprintf(words, sizeof(words), "%d%s", entrant,
		    tournament_terms(x->d->t)->is_rated ? " --rating N" : "");
		desk_next_line(
		    x, 0, "admit", words, "%s", desk_called(x->d, entrant));
	} else if (strcmp(what, "rule") == 0) {
		(void)snprintf(words, sizeof(words), "result %lld.%lld",
		    (long long)js_int(row, "round"),
		    (long long)js_int(row, "table"));
		desk_next_line(
		    x, 0, "rule", words, "a ruling is awaited at this table");
	} else if (strcmp(what, "answer") == 0) {
		(void)snprintf(words, sizeof(words), "answer %lld",
		    (long long)js_int(row, "line"));
		desk_next_line(x, 0, "rule", words, "a protest");
	} else if (strcmp(what, "checkin") == 0) {
		desk_next_line(x, 0, "checkin", "",
		    "who does not, does not "
		    "play");
	} else if (strcmp(what, "play") == 0) {
		desk_next_line(x, 0, "play", "", "against %s",
		    text_member(row, "opponent"));
	} else if (strcmp(what, "claim") == 0) {
		desk_next_line(
		    x, 0, "claim", "", "%s", text_member(row, "ground"));
	}
}

/* What waits for us alone, of each kind a few. */
static void
desk_next_rows(struct desk_next *x)
{
	json_t *rows = desk_owed(x->d);
	int admits = 0, shown = 0;
	const json_t *row;
	const char *what;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		what = text_member(row, "what");
		admits += strcmp(what, "admit") == 0;
		if (strcmp(what, "admit") != 0 && ++shown <= DESK_NEXT_MAX)
			desk_next_row(x, row);
	}
	if (admits == 1 || tournament_terms(x->d->t)->is_rated) {
		json_array_foreach(rows, i, row)
		{
			if (strcmp(text_member(row, "what"), "admit") == 0)
				desk_next_row(x, row);
		}
	} else if (admits > 1) {
		desk_next_line(
		    x, 0, "admit", "--all", "%d wait to be admitted", admits);
	}
	json_decref(rows);
}

/* Keys that the operator proposed, and that wait for a director. */
static void
desk_next_proposed(struct desk_next *x)
{
	static const char mark[] = "\"what\":\"operator-key\"";
	const char *account, *line;
	char words[64];
	int64_t i;
	size_t len;

	for (i = 0; x->d->is_director && i < x->d->copy->n; i++) {
		line = desk_copy_get(x->d->copy, i, &len);
		if (memmem(line, len, mark, sizeof(mark) - 1) == NULL ||
		    (account = tournament_proposed(x->d->t, i)) == NULL ||
		    strcmp(account, x->d->account) == 0)
			continue;
		(void)snprintf(
		    words, sizeof(words), "accept %lld", (long long)i);
		desk_next_line(x, 0, "rule", words,
		    "a new key for %s, as the operator proposes", account);
	}
}

/* Whom the terms name as a deputy, and who has not come yet: to come. */
static void
desk_next_deputy(struct desk_next *x)
{
	const struct terms *terms = tournament_terms(x->d->t);
	size_t i;

	for (i = 0; !x->d->is_director && i < terms->n_deputies; i++) {
		if (strcmp(terms->deputies[i], x->d->account) == 0)
			desk_next_line(x, 0, "deputy", "",
			    "the terms name you as a deputy");
	}
}

/* Before play: what moves it on. */
static void
desk_next_before(struct desk_next *x)
{
	const struct desk *d = x->d;
	const struct terms *terms = tournament_terms(d->t);
	const int admitted = desk_count(d, "admitted");
	const int there = desk_count(d, "checked_in");
	int64_t from;

	if (tournament_phase(d->t) == TOURNAMENT_ENTRIES) {
		if (!tournament_is_here(d->t, d->account))
			desk_next_line(x, 0, "enter", "", "%s", "");
		else if (d->is_director)
			desk_next_line(x, 0, "shut", "",
			    "ends the entries; %d admitted", admitted);
		else
			desk_next_line(
			    x, terms->until_ms, "shut", "", "%s", "");
		return;
	}
	from = tournament_start_ms(d->t);
	if (terms->has_witness && !tournament_is_witness(d->t, d->account)) {
		if (x->n == 0)
			out_print(&d->cx->out,
			    "The witness draws the lots once all have checked "
			    "in; %d of %d have.\n",
			    there, admitted);
		from += INT64_C(86400) * 1000;
	}
	desk_next_line(x, from, "start", "", "%d of %d checked in%s", there,
	    admitted, there < admitted ? "; once all have, at once" : "");
	if (d->is_director && there < admitted)
		desk_next_line(x, 0, "remind", "", "who has not");
}

/* During play: what moves it on. */
static void
desk_next_play(struct desk_next *x)
{
	const struct desk *d = x->d;
	const int next = tournament_paired(d->t) + 1;
	const int64_t pair = tournament_pair_ms(d->t);
	const int64_t finish = tournament_finish_ms(d->t);
	int all, open;

	if (pair >= 0 &&
	    (d->is_director || !tournament_terms(d->t)->pairs_director)) {
		desk_next_line(x, pair, "pair", "", "round %d of %d", next,
		    tournament_rounds(d->t));
		if (d->is_director && pair > x->now_ms)
			desk_next_line(
			    x, 0, "standings", "", "after round %d", next - 1);
	} else if (finish >= 0) {
		desk_next_line(x, finish, "finish", "", "makes it final");
		if (finish > x->now_ms)
			desk_next_line(x, 0, "standings", "", "as they are");
	} else if (tournament_paired(d->t) > 0) {
		open = desk_open_legs(d, &all);
		if (tournament_terms(d->t)->is_concurrent)
			desk_next_line(x, 0, "tables", "",
			    "all rounds: %d of %d without a result", open, all);
		else
			desk_next_line(x, 0, "tables", "",
			    "round %d: %d of %d without a result", next - 1,
			    open, all);
		if (d->is_director && open > 0)
			desk_next_line(x, 0, "remind", "", "who owes what");
	}
}

void
desk_next(const struct desk *d)
{
	struct desk_next x = {.d = d, .now_ms = clock_wall_ms()};

	if (d->cx->out.is_json || tournament_is_closed(d->t) ||
	    tournament_is_halted(d->t))
		return;
	desk_next_rows(&x);
	desk_next_proposed(&x);
	if (tournament_phase(d->t) != TOURNAMENT_OVER)
		desk_next_deputy(&x);
	switch (tournament_phase(d->t)) {
	case TOURNAMENT_ENTRIES:
	case TOURNAMENT_CHECKIN:
		desk_next_before(&x);
		break;
	case TOURNAMENT_PLAY:
		desk_next_play(&x);
		break;
	case TOURNAMENT_OVER:
		desk_next_line(&x, 0, "standings", "", "final");
		desk_next_line(&x, 0, "crosstable", "", "who met whom");
		desk_next_line(&x, 0, "export", d->name, "for umpire verify");
		break;
	}
}

void
desk_next_text(const struct desk *d)
{
	if (!opt_has(&d->cx->opts, "csv") && !opt_has(&d->cx->opts, "html"))
		desk_next(d);
}
