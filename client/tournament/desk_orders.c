/* SPDX-License-Identifier: ISC */
/* The small orders of entrants, and words. */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_table.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

#define DESK_ROUNDS 1000

/* Opens a tournament in which we are an entrant. */
static int
desk_orders_open(struct cmd_ctx *cx, struct desk **out)
{
	struct desk *d;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	if (d->number == 0) {
		out_error("you have not entered this tournament");
		desk_next(d);
		desk_close(d);
		return (EX_NOPERM);
	}
	*out = d;
	return (0);
}

/* Tells, for people and programs, what an order has done. */
static void
desk_orders_done(struct desk *d, int64_t seq, const char *text)
{
	out_text(&d->cx->out, 0, 0, text);
	if (d->cx->out.is_json)
		out_json(&d->cx->out,
		    xalloc_json(json_pack("{s:s, s:I}", "name", d->name, "seq",
			(json_int_t)seq)));
	else
		desk_next(d);
}

/* ---- checkin ---- */

/* Why nobody checks in now; NULL: they do. */
static const char *
desk_checkin_why(const struct desk *d)
{
	switch (tournament_phase(d->t)) {
	case TOURNAMENT_ENTRIES:
		return ("entries are still open: one checks in once they have "
			"ended");
	case TOURNAMENT_CHECKIN:
		break;
	default:
		return ("check-in is over: lots are drawn");
	}
	return (tournament_checks_in(d->t, d->number)
		? NULL
		: "you are not admitted, or have withdrawn");
}

/* How many have. */
static char *
desk_checkin_count(const struct desk *d)
{
	int i, have = 0, n = 0;

	for (i = 1; i <= tournament_entrants(d->t); i++) {
		n += tournament_checks_in(d->t, i);
		have += tournament_has_checked_in(d->t, i);
	}
	return (xalloc_printf("You have checked in; %d of %d have.%s", have, n,
	    have == n
		? ""
		: "  Lots are drawn once all have, or the time is over."));
}

/* Checks in. */
static int
desk_checkin_run(struct cmd_ctx *cx)
{
	struct desk *d;
	const char *why;
	int64_t seq = -1;
	char *count;
	int status;

	if ((status = desk_orders_open(cx, &d)) != 0)
		return (status);
	if (!tournament_has_checked_in(d->t, d->number) ||
	    tournament_phase(d->t) != TOURNAMENT_CHECKIN) {
		if ((why = desk_checkin_why(d)) != NULL) {
			out_error("%s", why);
			desk_next(d);
			status = EX_DATAERR;
		} else {
			status = desk_order(
			    d, ENTRY_CHECKIN, json_object(), NULL, 0, &seq);
		}
	}
	if (status == 0) {
		count = desk_checkin_count(d);
		desk_orders_done(d, seq, count);
		free(count);
	}
	desk_close(d);
	return (status);
}

/* ---- byes ---- */

/* Lists the rounds that we have asked to be left out of. */
static void
desk_byes_list(const struct desk *d)
{
	const struct terms *terms = tournament_terms(d->t);
	const char *sep = "You have asked to be left out of round ";
	json_t *rounds = xalloc_json(json_array());
	int n = 0, round;

	for (round = 1; round <= terms->rounds; round++) {
		if (!tournament_takes_bye(d->t, d->number, round))
			continue;
		out_print(&d->cx->out, "%s%d", sep, round);
		xalloc_append(rounds, json_integer(round));
		sep = ", ";
		n++;
	}
	if (n == 0)
		out_print(&d->cx->out, "You have asked for no bye");
	out_print(&d->cx->out, ": %d of %d.\n", n, terms->byes);
	if (d->cx->out.is_json)
		out_json(&d->cx->out, json_incref(rounds));
	json_decref(rounds);
}

/* Asks for a bye, or takes that back. */
static int
desk_byes_run(struct cmd_ctx *cx)
{
	const char *word = cmd_arg(cx, 1);
	const bool is_back = opt_has(&cx->opts, "back");
	struct desk *d;
	int64_t round, seq;
	char *words;
	int status;

	if (word == NULL && is_back)
		return (cmd_usage(cx, "--back goes with a round"));
	if (word != NULL && !opt_number(word, 1, DESK_ROUNDS, &round))
		return (cmd_usage(cx, "'%s' is no round", word));
	if ((status = desk_orders_open(cx, &d)) != 0)
		return (status);
	if (word == NULL) {
		desk_byes_list(d);
	} else if ((status = desk_order(d, ENTRY_BYE,
			xalloc_json(json_pack("{s:I, s:b}", "round",
			    (json_int_t)round, "take", !is_back)),
			NULL, 0, &seq)) == 0) {
		words = is_back
		    ? xalloc_printf("You play in round %lld.", (long long)round)
		    : xalloc_printf("You are left out of round %lld; `--back` "
				    "takes that back until it is paired.",
			  (long long)round);
		desk_orders_done(d, seq, words);
		free(words);
	}
	desk_close(d);
	return (status);
}

/* ---- withdraw ---- */

/* Withdraws, once that is confirmed. */
static int
desk_withdraw_run(struct cmd_ctx *cx)
{
	const char *from = opt_get(&cx->opts, "from");
	int64_t round = 0, seq;
	struct desk *d;
	char *question;
	int status;

	if (from != NULL && !opt_number(from, 1, DESK_ROUNDS, &round))
		return (cmd_usage(cx, "--from takes a round"));
	if ((status = desk_orders_open(cx, &d)) != 0)
		return (status);
	if (from == NULL)
		round = tournament_paired(d->t) + 1;
	question = tournament_phase(d->t) < TOURNAMENT_PLAY
	    ? xalloc_str("Withdraw from the tournament?  You cannot enter it "
			 "again.")
	    : xalloc_printf("Withdraw from round %lld on?  Games that go on, "
			    "go on; only a director can take you back.",
		  (long long)round);
	if (tournament_phase(d->t) == TOURNAMENT_OVER) {
		out_error("the tournament is over");
		desk_next(d);
		status = EX_DATAERR;
	} else if (tournament_phase(d->t) == TOURNAMENT_PLAY &&
	    round > tournament_rounds(d->t)) {
		out_error("there is no later round to withdraw from");
		if (tournament_terms(d->t)->is_concurrent)
			out_note("--from ROUND leaves the tables of that "
				 "round and later ones: who has no result "
				 "there loses them.");
		else
			out_note("A game that goes on is given up in itself: "
				 "`umpire resign GAME`.");
		desk_next(d);
		status = EX_DATAERR;
	} else if ((status = cmd_confirm(cx, question)) == 0) {
		status = desk_order(d, ENTRY_WITHDRAW,
		    xalloc_json(json_pack("{s:I}", "from", (json_int_t)round)),
		    NULL, 0, &seq);
		if (status == 0)
			desk_orders_done(d, seq, "You have withdrawn.");
	}
	free(question);
	desk_close(d);
	return (status);
}

/* ---- protest, say ---- */

/* Protests about a round, and perhaps a table of it. */
static int
desk_protest_run(struct cmd_ctx *cx)
{
	const char *table = opt_get(&cx->opts, "table");
	struct tournament_place place = {0};
	struct outbox_text why = {.member = "why"};
	json_t *args;
	struct desk *d;
	int64_t seq;
	char *words;
	int status;

	if ((status = desk_orders_open(cx, &d)) != 0)
		return (status);
	if (tournament_paired(d->t) == 0) {
		out_error("one protests about a round, and none is paired yet");
		desk_next(d);
		status = EX_DATAERR;
	} else if (table != NULL) {
		status = desk_table_read(d, table, &place);
	} else {
		place.round = tournament_paired(d->t);
	}
	if (status == 0) {
		words = cmd_words(cx, 1);
		why.value = words;
		args = xalloc_json(json_pack("{s:i}", "round", place.round));
		if (place.table > 0)
			xalloc_set(args, "table", json_integer(place.table));
		status = desk_order(d, ENTRY_PROTEST, args, &why, 1, &seq);
		if (status == 0)
			desk_orders_done(d, seq,
			    "You have protested.  Nothing is paired or "
			    "finished until a director has answered, or the "
			    "time for that is over.");
		free(words);
	}
	desk_close(d);
	return (status);
}

/* Says something to all who are in it. */
static int
desk_say_run(struct cmd_ctx *cx)
{
	struct outbox_text text = {.member = "ref"};
	struct desk *d;
	char *words;
	int64_t seq;
	int status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_ORDER, &d)) != 0)
		return (status);
	words = cmd_words(cx, 1);
	text.value = words;
	status = desk_order(d, ENTRY_SAY, json_object(), &text, 1, &seq);
	if (status == 0 && cx->out.is_json)
		desk_orders_done(d, seq, "");
	else if (status == 0)
		out_print(&cx->out, "Said, in line %lld.\n", (long long)seq);
	free(words);
	desk_close(d);
	return (status);
}

static const struct opt_def desk_byes_opts[] = {
    {"back", 0, NULL, false, "play in that round after all"},
    {NULL, 0, NULL, false, NULL},
};

static const struct opt_def desk_withdraw_opts[] = {
    {"from", 0, "ROUND", false, "from this round on (default: the next)"},
    {NULL, 0, NULL, false, NULL},
};

static const struct opt_def desk_protest_opts[] = {
    {"table", 0, "ROUND.TABLE", false, "about this table"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_checkin = {
    .min_args = 1,
    .max_args = 1,
    .run = desk_checkin_run,
};

const struct cmd desk_cmd_byes = {
    .opts = desk_byes_opts,
    .min_args = 1,
    .max_args = 2,
    .run = desk_byes_run,
};

const struct cmd desk_cmd_withdraw = {
    .opts = desk_withdraw_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_withdraw_run,
};

const struct cmd desk_cmd_protest = {
    .opts = desk_protest_opts,
    .min_args = 2,
    .max_args = -1,
    .run = desk_protest_run,
};

const struct cmd desk_cmd_say = {
    .min_args = 2,
    .max_args = -1,
    .run = desk_say_run,
};
