/* SPDX-License-Identifier: ISC */
/*
 * What a director does step by step, each an order with little to it: admit,
 * shut, start, stop, finish, deputy; and send, for an order that waits.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/net/account.h"
#include "client/net/link.h"
#include "client/profile/profile.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

/* Tells what an order did, and what is next; --json has its line. */
static void
desk_direct_done(const struct desk *d, int64_t seq, const char *what)
{
	if (d->cx->out.is_json)
		out_json(&d->cx->out,
		    json_pack("{s:o, s:I}", "tournament",
			js_hex(d->copy->id, HASH_LEN), "seq", (json_int_t)seq));
	out_print(&d->cx->out, "%s\n", what);
	desk_next(d);
}

/* Gives an order and tells what it did; args is stolen. */
static int
desk_direct(struct desk *d, enum entry_kind kind, json_t *args,
    const struct outbox_text *why, const char *what)
{
	int64_t seq;
	int status;

	status = desk_order(d, kind, xalloc_json(args), why, why != NULL, &seq);
	if (status == 0)
		desk_direct_done(d, seq, what);
	return (status);
}

int
desk_need_director(const struct desk *d, const char *what)
{
	if (d->is_director)
		return (0);
	out_error("only a director %s: that is %s here", what,
	    tournament_terms(d->t)->director.account);
	desk_next(d);
	return (EX_NOPERM);
}

int
desk_need_phase(
    const struct desk *d, enum tournament_phase phase, const char *what)
{
	static const char *const words[] = {
	    [TOURNAMENT_ENTRIES] = "entries are still open",
	    [TOURNAMENT_CHECKIN] = "entries have ended, and check-in runs",
	    [TOURNAMENT_PLAY] = "it is being played",
	    [TOURNAMENT_OVER] = "it is over",
	};

	if (tournament_phase(d->t) == phase)
		return (0);
	out_error("%s: %s", what, words[tournament_phase(d->t)]);
	desk_next(d);
	return (EX_DATAERR);
}

int
desk_entrant(struct desk *d, const char *word)
{
	int64_t n;
	int i;

	if (opt_number(word, 1, tournament_entrants(d->t), &n))
		return ((int)n);
	if ((i = tournament_number(d->t, word)) > 0)
		return (i);
	for (i = 1; i <= tournament_entrants(d->t); i++) {
		if (strcmp(desk_called(d, i), word) == 0)
			return (i);
	}
	out_error("'%s' is no entrant: type a number or an account", word);
	out_note("`umpire tournament show %s` lists them.", d->name);
	return (0);
}

/* ---- admit ---- */

/* Admits one, or refuses. */
static int
desk_admit_one(struct desk *d, int number)
{
	const bool is_no = opt_has(&d->cx->opts, "no");
	const struct outbox_text why = {"why", opt_get(&d->cx->opts, "why")};
	const char *rating = opt_get(&d->cx->opts, "rating");
	int64_t n = 0, seq;
	json_t *args;
	int status;

	if (rating != NULL && !opt_number(rating, 0, 9999, &n))
		return (
		    cmd_usage(d->cx, "--rating takes a number from 0 to 9999"));
	if (!is_no && (rating != NULL) != tournament_terms(d->t)->is_rated)
		return (cmd_usage(d->cx,
		    rating != NULL
			? "this tournament seeds by lots: leave out --rating"
			: "this tournament seeds by rating: add --rating N"));
	args = xalloc_json(json_pack(
	    "{s:i, s:s}", "entrant", number, "say", is_no ? "no" : "yes"));
	if (!is_no && rating != NULL)
		xalloc_set(args, "rating", json_integer(n));
	status = desk_order(d, ENTRY_ADMIT, args, &why, 1, &seq);
	if (status == 0)
		out_print(&d->cx->out, "%s (number %d) is %s.\n",
		    desk_called(d, number), number,
		    is_no ? "refused" : "admitted");
	return (status);
}

/* Admits all who wait for it. */
static int
desk_admit_all(struct desk *d)
{
	json_t *rows = desk_owed(d);
	const json_t *row;
	int n = 0, status = 0;
	const char *what;
	size_t i;

	json_array_foreach(rows, i, row)
	{
		what = js_str(row, "what");
		if (status != 0 || what == NULL || strcmp(what, "admit") != 0)
			continue;
		n++;
		status = desk_admit_one(d, (int)js_int(row, "entrant"));
	}
	json_decref(rows);
	if (n == 0)
		out_print(&d->cx->out, "Nobody waits to be admitted.\n");
	return (status);
}

/* umpire tournament admit. */
static int
desk_admit_run(struct cmd_ctx *cx)
{
	struct desk *d;
	int i, number, status;

	if ((cmd_arg(cx, 1) != NULL) == opt_has(&cx->opts, "all"))
		return (cmd_usage(cx,
		    "whom?  ENTRANT is a number or an account; --all: all who "
		    "wait"));
	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	status = desk_need_director(d, "admits");
	if (status == 0 && opt_has(&cx->opts, "all"))
		status = desk_admit_all(d);
	for (i = 1; status == 0 && cmd_arg(cx, i) != NULL; i++) {
		number = desk_entrant(d, cmd_arg(cx, i));
		status = number == 0 ? EX_DATAERR : desk_admit_one(d, number);
	}
	if (status == 0 && cx->out.is_json)
		out_json(&cx->out,
		    json_pack("{s:o, s:I}", "tournament",
			js_hex(d->copy->id, HASH_LEN), "seq",
			(json_int_t)tournament_seq(d->t)));
	if (status == 0)
		desk_next(d);
	desk_close(d);
	return (status);
}

static const struct opt_def desk_admit_opts[] = {
    {"all", 0, NULL, false, "all who wait to be admitted"},
    {"no", 0, NULL, false, "refuse them"},
    {"rating", 0, "N", false, "their rating, where it seeds"},
    {"why", 0, "TEXT", false, "a reason, which all can read"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_admit = {
    .opts = desk_admit_opts,
    .min_args = 1,
    .max_args = -1,
    .run = desk_admit_run,
};

/* ---- shut, start, finish ---- */

/* Ends the entries. */
static int
desk_shut_run(struct cmd_ctx *cx)
{
	struct desk *d;
	char *question;
	int n, status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	n = desk_count(d, "admitted");
	status =
	    desk_need_phase(d, TOURNAMENT_ENTRIES, "entries cannot be ended");
	if (status == 0 && n < 2) {
		question = xalloc_printf(
		    "%d %s admitted: with fewer than two the tournament is "
		    "over at once.  End the entries?",
		    n, n == 1 ? "is" : "are");
		status = cmd_confirm(cx, question);
		free(question);
	}
	if (status == 0)
		status = desk_direct(d, ENTRY_SHUT, json_object(), NULL,
		    "Entries have ended.  All who are admitted now check in.");
	desk_close(d);
	return (status);
}

const struct cmd desk_cmd_shut = {
    .min_args = 1,
    .max_args = 1,
    .run = desk_shut_run,
};

/* Draws the lots. */
static int
desk_start_run(struct cmd_ctx *cx)
{
	struct desk *d;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	status = desk_need_phase(d, TOURNAMENT_CHECKIN, "it cannot be started");
	if (status == 0)
		status = desk_direct(
		    d, ENTRY_START, json_object(), NULL, "Lots are drawn.");
	desk_close(d);
	return (status);
}

const struct cmd desk_cmd_start = {
    .min_args = 1,
    .max_args = 1,
    .run = desk_start_run,
};

/* Ends the tournament. */
static int
desk_finish_run(struct cmd_ctx *cx)
{
	struct desk *d;
	char when[32];
	int64_t from;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	status = desk_need_phase(d, TOURNAMENT_PLAY, "it cannot be finished");
	from = status == 0 ? tournament_finish_ms(d->t) : -1;
	if (from > clock_wall_ms()) {
		out_error("it can be finished from %s on: until then there is "
			  "time to look at the last results",
		    out_time(when, from));
		desk_next(d);
		status = EX_DATAERR;
	}
	if (status == 0)
		status = desk_direct(d, ENTRY_FINISH, json_object(), NULL,
		    "It is over: the standings are final.");
	desk_close(d);
	return (status);
}

const struct cmd desk_cmd_finish = {
    .min_args = 1,
    .max_args = 1,
    .run = desk_finish_run,
};

/* ---- stop ---- */

/* Makes a round the last. */
static int
desk_stop_run(struct cmd_ctx *cx)
{
	const struct outbox_text why = {"why", opt_get(&cx->opts, "why")};
	const char *after = opt_get(&cx->opts, "after");
	char *question;
	struct desk *d;
	int64_t round = 0;
	int status;

	if (why.value == NULL)
		return (cmd_usage(cx, "a reason is needed: add --why TEXT"));
	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	round = tournament_paired(d->t);
	status = desk_need_director(d, "stops a tournament");
	if (status == 0)
		status = desk_need_phase(
		    d, TOURNAMENT_PLAY, "there is nothing to stop");
	if (status == 0 && after == NULL && round == 0)
		status =
		    cmd_usage(cx, "no round is paired yet: add --after ROUND");
	if (status == 0 && after != NULL &&
	    !opt_number(
		after, round > 0 ? round : 1, tournament_rounds(d->t), &round))
		status = cmd_usage(cx,
		    "--after takes a round that was paired last or is to come, "
		    "up to %d",
		    tournament_rounds(d->t));
	if (status == 0) {
		question = xalloc_printf("Round %lld will be the last, of %d.  "
					 "Stop it so?",
		    (long long)round, tournament_rounds(d->t));
		status = cmd_confirm(cx, question);
		free(question);
	}
	if (status == 0)
		status = desk_direct(d, ENTRY_STOP,
		    json_pack("{s:I}", "round", (json_int_t)round), &why,
		    "No later round is paired.");
	desk_close(d);
	return (status);
}

static const struct opt_def desk_stop_opts[] = {
    {"after", 0, "R", false, "this round is the last (default: the present)"},
    {"why", 0, "TEXT", false, "the reason, which all can read; needed"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_stop = {
    .opts = desk_stop_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_stop_run,
};

/* ---- deputy ---- */

/* Takes the place of a deputy that the terms name. */
static int
desk_deputy_run(struct cmd_ctx *cx)
{
	struct desk *d;
	json_t *args;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	args = xalloc_json(json_pack("{s:s, s:o}", "account", d->p->account,
	    "key", js_hex(d->p->keys.sign.public_key, SIGN_KEY_LEN)));
	status = account_args(d->link, args);
	if (status == 0)
		status = desk_direct(d, ENTRY_DEPUTY, args, NULL,
		    "You are a director now, as the terms name you.");
	else
		json_decref(args);
	desk_close(d);
	return (status);
}

const struct cmd desk_cmd_deputy = {
    .min_args = 1,
    .max_args = 1,
    .run = desk_deputy_run,
};

/* ---- send ---- */

/* Opening it for orders sends what waits. */
static int
desk_send_run(struct cmd_ctx *cx)
{
	struct desk *d;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	if (d->sent == NULL)
		out_print(&cx->out, "No order of yours waits here.\n");
	desk_next(d);
	desk_close(d);
	return (0);
}

const struct cmd desk_cmd_send = {
    .min_args = 1,
    .max_args = 1,
    .run = desk_send_run,
};
