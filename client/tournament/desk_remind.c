/* SPDX-License-Identifier: ISC */
/* umpire tournament remind: who owes what, since when, until when. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_sheet.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/owed.h"
#include "common/tournament/tournament.h"

/* The list being made. */
struct desk_remind {
	const struct desk *d;
	struct desk_sheet *s;
	json_t *rows; /* owned: for programs */
	int n;
};

/* A time of the wire for people, in when; "" if it is none. */
static const char *
desk_remind_time(char when[32], const char *at)
{
	int64_t ms;

	return (at != NULL && clock_parse(at, strlen(at), &ms) == 0
		? out_time(when, ms)
		: "");
}

/* Adds a row; number 0: a director.  since and until may be NULL. */
static void
desk_remind_add(struct desk_remind *x, const char *account, int number,
    const char *table, const char *what, const char *since, const char *until)
{
	char a[32], b[32];
	const char *const cells[] = {
	    number > 0 ? desk_called(x->d, number) : account, table, what,
	    desk_remind_time(a, since), desk_remind_time(b, until)};

	desk_sheet_row(x->s, cells);
	xalloc_append(x->rows,
	    json_pack("{s:s, s:s, s:s, s:s?, s:s?}", "account", account,
		"table", table, "what", what, "since", since, "until", until));
	x->n++;
}

/* Who has not checked in. */
static void
desk_remind_checkin(struct desk_remind *x)
{
	char until[CLOCK_AT_LEN + 1];
	json_t *view = desk_view(x->d);
	const json_t *v;
	size_t i;

	clock_format(until, tournament_start_ms(x->d->t));
	json_array_foreach(json_object_get(view, "entrants"), i, v)
	{
		if (json_is_true(json_object_get(v, "admitted")) &&
		    !json_is_true(json_object_get(v, "checked_in")))
			desk_remind_add(x, text_member(v, "account"),
			    (int)js_int(v, "number"), "", "check in", NULL,
			    until);
	}
	json_decref(view);
}

/* Who has not entered of those who played before the server stopped. */
static void
desk_remind_enter(struct desk_remind *x)
{
	char until[CLOCK_AT_LEN + 1];
	int i;

	clock_format(until, tournament_terms(x->d->t)->until_ms);
	for (i = 1; i <= tournament_entrants(x->d->t); i++) {
		if (tournament_is_former(x->d->t, i))
			desk_remind_add(x, tournament_account(x->d->t, i), i,
			    "", "enter", NULL, until);
	}
}

/* Until when both must have come to a leg, in until; NULL. */
static const char *
desk_remind_due(const struct desk_remind *x,
    const struct tournament_place *place, char until[CLOCK_AT_LEN + 1])
{
	struct tournament_leg_state s;

	tournament_leg_state(x->d->t, place, &s);
	if (s.due_ms[TOURNAMENT_ABSENT] < 0)
		return (NULL);
	clock_format(until, s.due_ms[TOURNAMENT_ABSENT]);
	return (until);
}

/* What a running game waits for, as the server tells it. */
static void
desk_remind_game(struct desk_remind *x, const char *game, const char *table,
    const int sides[3], const char *due)
{
	json_t *result = NULL;
	const json_t *owed, *v;
	const char *until, *what;
	size_t i;
	int side;

	if (x->d->link == NULL ||
	    link_ask(x->d->link, "game.show",
		xalloc_json(json_pack("{s:s}", "game", game)), &result) != 0) {
		return;
	}
	owed = json_object_get(result, "owed");
	json_array_foreach(owed, i, v)
	{
		side = (int)(json_object_get(v, "side") != NULL
			? js_int(v, "side")
			: js_int(v, "seat"));
		if (side != 1 && side != 2)
			continue;
		what = text_member(v, "what");
		until = js_str(v, "until");
		if (strcmp(what, "join") == 0 || strcmp(what, "ready") == 0)
			until = due;
		what = owed_words(owed_of(what))->brief;
		desk_remind_add(x, tournament_account(x->d->t, sides[side]),
		    sides[side], table,
		    *what == '\0' ? text_member(v, "what") : what,
		    js_str(v, "since_at"), until);
	}
	json_decref(result);
}

/* What is owed at a leg. */
static void
desk_remind_leg(struct desk_remind *x, const json_t *round, const json_t *table,
    size_t leg, const json_t *v)
{
	const char *result = js_str(v, "result");
	const char *director = tournament_terms(x->d->t)->director.account;
	const struct tournament_place place = {
	    .round = (int)js_int(round, "round"),
	    .table = (int)js_int(table, "table"),
	    .leg = (int)leg + 1};
	char until[CLOCK_AT_LEN + 1];
	const char *due;
	const int swap = leg > 0;
	const int sides[3] = {0, (int)js_int(table, swap ? "b" : "a"),
	    (int)js_int(table, swap ? "a" : "b")};
	char name[48];
	int i;

	(void)snprintf(name, sizeof(name),
	    leg == 0 ? "%lld.%lld" : "%lld.%lld.%zu",
	    (long long)js_int(round, "round"),
	    (long long)js_int(table, "table"), leg + 1);
	if (result != NULL && strcmp(result, "?") == 0)
		desk_remind_add(x, director, 0, name, "a ruling", NULL, NULL);
	if (result != NULL)
		return;
	due = desk_remind_due(x, &place, until);
	if (json_object_get(v, "game") != NULL) {
		desk_remind_game(x, text_member(v, "game"), name, sides, due);
		return;
	}
	for (i = 1; i <= 2; i++)
		desk_remind_add(x, tournament_account(x->d->t, sides[i]),
		    sides[i], name, "come to the table", js_str(round, "at"),
		    due);
}

/* What is owed in the rounds that are played. */
static void
desk_remind_play(struct desk_remind *x)
{
	const char *director = tournament_terms(x->d->t)->director.account;
	json_t *view = desk_view(x->d);
	const json_t *leg, *legs, *round, *table, *v;
	char line[32];
	size_t i, k, m;

	json_array_foreach(json_object_get(view, "pairings"), i, round)
	{
		json_array_foreach(json_object_get(round, "tables"), k, table)
		{
			legs = json_object_get(table, "legs");
			json_array_foreach(legs, m, leg)
			    desk_remind_leg(x, round, table, m, leg);
		}
	}
	json_array_foreach(json_object_get(view, "protests"), i, v)
	{
		if (json_is_true(json_object_get(v, "answered")))
			continue;
		(void)snprintf(line, sizeof(line), "line %lld",
		    (long long)js_int(v, "line"));
		desk_remind_add(
		    x, director, 0, line, "answer a protest", NULL, NULL);
	}
	json_decref(view);
}

/* Lists it. */
static int
desk_remind_run(struct cmd_ctx *cx)
{
	struct desk_remind x = {.n = 0};
	struct desk *d;
	char *title;
	int status;

	if ((status = desk_sheet_open(cx, &d)) != 0)
		return (status);
	x.d = d;
	x.rows = xalloc_json(json_array());
	title =
	    xalloc_printf("%s: who owes what", tournament_terms(d->t)->event);
	x.s = desk_sheet_new(title, "",
	    (const char *const[]){
		"WHO", "TABLE", "~WHAT", "@SINCE", "@UNTIL", NULL});
	free(title);
	if (tournament_phase(d->t) == TOURNAMENT_ENTRIES)
		desk_remind_enter(&x);
	else if (tournament_phase(d->t) == TOURNAMENT_CHECKIN)
		desk_remind_checkin(&x);
	else if (tournament_phase(d->t) == TOURNAMENT_PLAY)
		desk_remind_play(&x);
	if (cx->out.is_json)
		out_json(&cx->out, x.rows);
	else
		json_decref(x.rows);
	desk_sheet_end(d, x.s);
	if (x.n == 0 && !opt_has(&cx->opts, "html") &&
	    !opt_has(&cx->opts, "csv"))
		out_print(&cx->out, "Nobody owes anything.\n");
	if (x.n > 0 && tournament_phase(d->t) != TOURNAMENT_ENTRIES &&
	    !opt_has(&cx->opts, "html") && !opt_has(&cx->opts, "csv"))
		out_print(&cx->out,
		    "The server reminds them by mail, where they have asked "
		    "for it.\n");
	desk_next_text(d);
	desk_close(d);
	return (0);
}

static const struct opt_def desk_remind_opts[] = {
    DESK_SHEET_OPTS,
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_remind = {
    .opts = desk_remind_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_remind_run,
};
