/* SPDX-License-Identifier: ISC */
/*
 * What waits is asked of the server; what of it needs nobody's judgement is
 * done, each by the code that the subcommands have.  Then it sleeps until a
 * tournament or a game has a new line, or for a minute, since time may bring
 * something, too.
 */
#include "client/tournament/desk_watch.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/net/backoff.h"
#include "client/net/conn.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/play/watch.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_table.h"
#include "client/tournament/desk_todo.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

#define DESK_WATCH_MS 60000 /* between two looks at what waits */

struct desk_watch {
	struct cmd_ctx *cx; /* borrowed */
	const struct desk_watch_does *does;
	struct profile *p; /* owned */
	struct link *l; /* owned: to ask, and to be told */
	bool has_only;
	uint8_t only[HASH_LEN];
	json_t *told; /* owned set: tournaments whose lines are told, by id */
	int64_t lost_ms; /* monotonic: since when there is no connection; -1 */
	struct backoff pause; /* before the next connection */
};

/* Tells what was done, for people and programs; more is stolen. */
static void
desk_watch_tell(struct desk *d, const char *did, const char *text, json_t *more)
{
	char when[32];

	if (more == NULL)
		more = xalloc_json(json_object());
	xalloc_set(more, "did", json_string(did));
	xalloc_set(more, "tournament", js_hex(tournament_id(d->t), HASH_LEN));
	if (d->cx->out.is_json)
		out_json(&d->cx->out, more);
	else
		json_decref(more);
	if (*text != '\0')
		out_print(&d->cx->out, "%s  %s: %s\n",
		    out_time(when, clock_wall_ms()), d->name, text);
	(void)fflush(d->cx->out.f);
}

/* Comes to a table. */
static int
desk_watch_sit(struct desk *d, const json_t *row, int seat)
{
	const struct tournament_place place = desk_table_of(row);
	struct desk_sat sat;
	int status;

	/* The server says it; the record has to know of it. */
	if (!desk_table_is_there(d, &place) ||
	    (seat > 0 && (seat = desk_table_seat(d, &place)) == 0))
		return (EX_DATAERR);
	if ((status = desk_table_settle(d)) != 0)
		return (status);
	status = desk_table_sit(d, &place, seat, &sat);
	if (status == 0 && !sat.was_here) {
		desk_watch_tell(
		    d, "came", "", desk_table_json(&place, seat, &sat));
		desk_table_tell(d, &place, seat, &sat);
		(void)fflush(d->cx->out.f);
	}
	desk_sat_clear(&sat);
	return (status);
}

/* Gives an order that has no choice in it. */
static int
desk_watch_give(struct desk *d, enum entry_kind kind, json_t *args,
    const char *did, const char *text)
{
	int64_t seq;
	int status;

	status = desk_order(d, kind, args, NULL, 0, &seq);
	if (status == 0)
		desk_watch_tell(d, did, text,
		    xalloc_json(json_pack("{s:I}", "seq", (json_int_t)seq)));
	return (status);
}

/* True if somebody at their program has nothing to decide about a row. */
static bool
desk_watch_is_due(const struct desk_watch *w, const char *what, bool directs)
{
	static const char *const directed[] = {
	    "shut", "start", "pair", "finish", NULL};
	int i;

	if (strcmp(what, "play") == 0 || strcmp(what, "umpire") == 0)
		return (true);
	if (strcmp(what, "checkin") == 0)
		return (w->does->checks_in);
	for (i = 0; directed[i] != NULL; i++) {
		if (strcmp(what, directed[i]) == 0)
			return (w->does->directs && directs);
	}
	return (false);
}

/* Does what a row asks for. */
static int
desk_watch_row(const struct desk_watch *w, struct desk *d, const json_t *row)
{
	const char *what = text_member(row, "what");
	const struct terms *terms = tournament_terms(d->t);

	if (strcmp(what, "start") == 0 && terms->has_witness &&
	    tournament_is_witness(d->t, d->account))
		return (desk_watch_give(
		    d, ENTRY_START, json_object(), what, "the lots are drawn"));
	if (!desk_watch_is_due(w, what, d->is_director))
		return (0);
	if (strcmp(what, "play") == 0)
		return (desk_watch_sit(d, row, 1));
	if (strcmp(what, "umpire") == 0)
		return (desk_watch_sit(d, row, 0));
	if (strcmp(what, "checkin") == 0)
		return (desk_watch_give(d, ENTRY_CHECKIN, json_object(), what,
		    "you have checked in"));
	if (strcmp(what, "shut") == 0)
		return (desk_watch_give(
		    d, ENTRY_SHUT, json_object(), what, "entries have ended"));
	if (strcmp(what, "start") == 0)
		return (desk_watch_give(
		    d, ENTRY_START, json_object(), what, "the lots are drawn"));
	if (strcmp(what, "pair") == 0)
		return (desk_watch_give(d, ENTRY_PAIR,
		    xalloc_json(json_pack("{s:o}", "round",
			xalloc_copy(json_object_get(row, "round")))),
		    what, "a round is paired"));
	return (desk_watch_give(
	    d, ENTRY_FINISH, json_object(), what, "it is finished"));
}

/* Opens the tournament of a row and does what it asks for. */
static int
desk_watch_do(const struct desk_watch *w, const json_t *row)
{
	const char *hex = text_member(row, "tournament");
	const bool was_sure = w->cx->is_sure;
	uint8_t id[HASH_LEN];
	struct profile *p;
	struct desk *d;
	int status;

	if (hex_parse(id, HASH_LEN, hex, strlen(hex)) != 0)
		return (0);
	if ((status = play_profile(w->cx, &p)) != 0 ||
	    (status = desk_open_id(w->cx, p, NULL, id, DESK_ORDER, &d)) != 0)
		return (status);
	w->cx->is_sure = true;
	status = desk_watch_row(w, d, row);
	w->cx->is_sure = was_sure;
	desk_close(d);
	return (status);
}

/* Asks to be told of a tournament's lines, once on a connection. */
static int
desk_watch_ask(struct desk_watch *w, const char *hex)
{
	json_t *result;
	int status;

	if (json_object_get(w->told, hex) != NULL)
		return (0);
	status = link_ask(w->l, "tournament.watch",
	    xalloc_json(json_pack("{s:s}", "tournament", hex)), &result);
	if (status != 0)
		return (status);
	json_decref(result);
	xalloc_set(w->told, hex, json_true());
	return (0);
}

/* Makes a connection, and asks for the notices of it. */
static int
desk_watch_begin(struct desk_watch *w)
{
	struct conn_error ce;
	char hex[2 * HASH_LEN + 1];
	json_t *result;
	int status;

	if ((status = link_open(w->cx, w->p, &w->l)) != 0 ||
	    (status = link_login(w->l)) != 0)
		return (status);
	json_object_clear(w->told);
	if (link_call(w->l, "lobby.watch",
		xalloc_json(json_pack("{s:b}", "mine", true)), &result,
		&ce) == 0)
		json_decref(result);
	conn_error_clear(&ce);
	if (!w->has_only)
		return (0);
	hex_format(hex, w->only, HASH_LEN);
	return (desk_watch_ask(w, hex));
}

/* One look at what waits; *n says how much was done. */
static int
desk_watch_look(struct desk_watch *w, int *n)
{
	json_t *rows = xalloc_json(json_array());
	char only[2 * HASH_LEN + 1];
	const json_t *row;
	const char *hex;
	int status;
	size_t i;

	hex_format(only, w->only, HASH_LEN);
	*n = 0;
	status = desk_todo_ask(w->l, w->p, rows);
	json_array_foreach(rows, i, row)
	{
		hex = text_member(row, "tournament");
		if (status != 0 || (w->has_only && strcmp(hex, only) != 0))
			continue;
		if ((status = desk_watch_ask(w, hex)) != 0)
			break;
		/* What fails was told, and is tried again later. */
		if (desk_watch_do(w, row) == 0)
			++*n;
	}
	json_decref(rows);
	return (status);
}

/* True if the one that is watched is over; says so. */
static bool
desk_watch_is_over(const struct desk_watch *w)
{
	struct profile *p;
	struct desk *d;
	bool is_over;

	if (!w->has_only || play_profile(w->cx, &p) != 0 ||
	    desk_open_id(w->cx, p, NULL, w->only, DESK_READ, &d) != 0)
		return (false);
	is_over = tournament_phase(d->t) == TOURNAMENT_OVER;
	if (is_over)
		desk_watch_tell(
		    d, "over", "it is over, and nothing is left to do", NULL);
	desk_close(d);
	return (is_over);
}

/*
 * Sleeps until there is news, or for as long as that; takes what has come:
 * *has_news, if anything has.
 */
static int
desk_watch_wait(struct desk_watch *w, int64_t ms, bool *has_news)
{
	struct errinfo e = {.text = ""};
	json_t *params;
	char method[64];
	int r;

	*has_news = false;
	if (conn_is_dead(w->l->conn))
		return (ERR_CLOSED);
	while ((r = conn_notice(w->l->conn, ms, method, &params, &e)) == 0) {
		json_decref(params);
		*has_news = true;
		ms = 0;
	}
	return (r == ERR_TIMEOUT ? 0 : r);
}

/* Pauses before the next connection; false: it has been lost for too long. */
static bool
desk_watch_pause(struct desk_watch *w)
{
	const int64_t now = clock_mono_ms();

	link_close(w->l);
	w->l = NULL;
	if (w->lost_ms < 0) {
		w->lost_ms = now;
		backoff_begin(&w->pause);
		out_note("The connection is lost; trying again ...");
	}
	if (w->does->wait_s >= 0 && now - w->lost_ms > 1000 * w->does->wait_s) {
		out_error("the connection did not come back in time");
		return (false);
	}
	(void)poll(NULL, 0, (int)backoff_next(&w->pause));
	return (true);
}

/* True for failures that another connection may not meet. */
static bool
desk_watch_is_passing(int status)
{
	return (status == EX_UNAVAILABLE || status == EX_NOHOST ||
	    status == EX_TEMPFAIL);
}

/* Looks, does and sleeps. */
static int
desk_watch_loop(struct desk_watch *w)
{
	int n = 0, status = 0;
	bool has_news;

	for (has_news = true;;) {
		if (w->l == NULL) {
			status = desk_watch_begin(w);
			has_news = true; /* for all that is known */
		}
		if (status == 0 && w->lost_ms >= 0) {
			w->lost_ms = -1;
			out_note("Connected again.");
		}
		if (status == 0)
			status = desk_watch_look(w, &n);
		if (status == 0 && has_news && desk_watch_is_over(w))
			return (0);
		if (status == 0 &&
		    desk_watch_wait(w, DESK_WATCH_MS, &has_news) != 0)
			status = EX_UNAVAILABLE;
		if (status == 0)
			continue;
		if (!desk_watch_is_passing(status) || !desk_watch_pause(w))
			return (status);
		status = 0;
	}
}

int
desk_watch(
    struct cmd_ctx *cx, const char *word, const struct desk_watch_does *does)
{
	struct desk_watch w = {.cx = cx, .does = does, .lost_ms = -1};
	struct sigaction old;
	struct desk *d;
	int status;

	if (word != NULL) {
		if ((status = desk_open(cx, word, DESK_ORDER, &d)) != 0)
			return (status);
		memcpy(w.only, tournament_id(d->t), HASH_LEN);
		w.has_only = true;
		if (out_can_ask())
			out_note("Watching %s; Ctrl-C ends it.", d->name);
		desk_close(d);
	}
	if ((status = play_profile(cx, &w.p)) != 0)
		return (status);
	w.told = xalloc_json(json_object());
	watch_interruptible(&old);
	status = desk_watch_loop(&w);
	(void)sigaction(SIGINT, &old, NULL);
	link_close(w.l);
	json_decref(w.told);
	profile_free(w.p);
	return (status);
}
