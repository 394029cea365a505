/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament pair: has the next round paired by the rule, shows what it
 * would be, or says why somebody meets whom they meet.
 */
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/cmd/cmd_pair.h"
#include "client/cmd/cmds.h"
#include "client/play/duration.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_tables.h"
#include "client/tournament/desk_try.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/trf.h"
#include "common/tournament/tournament.h"
#include "common/tournament/tournament_sheet.h"

/* Shows the round as it would be paired; nothing is sent. */
static int
pair_dry_run(struct desk *d, json_t *args)
{
	int64_t at = tournament_pair_ms(d->t), now = clock_wall_ms();
	struct errinfo e = {.text = ""};
	struct tournament *was = d->t;
	struct desk_try y;
	int r;

	r = desk_try(d, ENTRY_PAIR, args, at > now ? at : now, &y, &e);
	if (r != 0) {
		out_error("round %d cannot be paired: %s",
		    tournament_paired(d->t) + 1, e.text);
		desk_next(d);
		return (EX_DATAERR);
	}
	d->t = y.t;
	if (!d->cx->out.is_json)
		out_print(
		    &d->cx->out, "If it were paired by what is known now:\n");
	desk_tables_print(d, tournament_paired(d->t));
	d->t = was;
	desk_try_clear(&y);
	if (!d->cx->out.is_json)
		out_print(&d->cx->out, "Nothing was sent.\n");
	desk_next(d);
	return (0);
}

/* Says why an entrant has their opponent. */
static int
pair_explain(struct desk *d, const char *word)
{
	const struct terms *terms = tournament_terms(d->t);
	int *numbers, number, player, round, status;
	struct trf *f;
	size_t i;

	if (!terms_has_swiss(terms)) {
		out_error("only rounds of a Swiss are chosen among pairings; "
			  "here it is %s",
		    terms->format == TERMS_KNOCKOUT
			? "the draw of the knockout"
			: "the table of the round robin");
		return (EX_DATAERR);
	}
	if ((number = desk_entrant(d, word)) == 0)
		return (EX_DATAERR);
	if ((status = desk_round(d, &round)) != 0)
		return (status);
	if (desk_trf(d, round, false, &f, &numbers) != 0)
		xalloc_die();
	if (round > f->table->rounds) {
		out_error("round %d is of the knockout, which leaves no "
			  "choice: --round takes one of the Swiss, 1 to %d",
		    round, f->table->rounds);
		free(numbers);
		trf_free(f);
		return (EX_DATAERR);
	}
	for (i = 0; i < f->table->n_players; i++)
		f->table->players[i].number = numbers[i];
	player = tournament_sheet_index(numbers, f->table->n_players, number);
	free(numbers);
	if (player < 0) {
		out_error("%s was never in", desk_called(d, number));
		status = EX_DATAERR;
	} else {
		if (!d->cx->out.is_json)
			out_print(&d->cx->out, "%s is number %d.\n",
			    desk_called(d, number), number);
		status = cmd_pair_tell(d->cx, f, round, player);
	}
	trf_free(f);
	return (status);
}

/* Says from when on it can be paired, if that is known and not now. */
static int
pair_check(const struct desk *d)
{
	const int64_t at = tournament_pair_ms(d->t), now = clock_wall_ms();
	const int next = tournament_paired(d->t) + 1;
	char when[32];
	int all, open;

	if (at > now) {
		out_error(
		    "round %d can be paired from %s on: until then there "
		    "is time to protest, to withdraw and to ask for a bye",
		    next, out_time(when, at));
		desk_next(d);
		return (EX_DATAERR);
	}
	if (at >= 0)
		return (0);
	if (next > tournament_rounds(d->t)) {
		out_error("all %d rounds are paired", tournament_rounds(d->t));
	} else if (next > 1 && (open = desk_open_legs(d, &all)) > 0) {
		out_error("round %d is not complete: %d of %d games have no "
			  "result",
		    next - 1, open, all);
	} else {
		return (0); /* the umpire has the words */
	}
	desk_next(d);
	return (EX_DATAERR);
}

/* Pairs the next round. */
static int
pair_do(struct desk *d, json_t *args)
{
	int64_t seq;
	int status;

	if ((status = pair_check(d)) != 0) {
		json_decref(args);
		return (status);
	}
	status = desk_order(d, ENTRY_PAIR, args, NULL, 0, &seq);
	if (status != 0)
		return (status);
	desk_tables_print(d, tournament_paired(d->t));
	desk_next(d);
	return (0);
}

/* Does what was asked for. */
static int
pair_run(struct cmd_ctx *cx)
{
	const char *explain = opt_get(&cx->opts, "explain");
	const bool is_dry = opt_has(&cx->opts, "dry-run");
	struct desk *d;
	json_t *args;
	int status;

	if (explain == NULL && opt_has(&cx->opts, "round"))
		return (cmd_usage(cx, "--round goes with --explain"));
	status = desk_open(
	    cx, cmd_arg(cx, 0), explain == NULL ? DESK_ORDER : DESK_READ, &d);
	if (status != 0)
		return (status);
	args = xalloc_json(
	    json_pack("{s:i}", "round", tournament_paired(d->t) + 1));
	if (explain != NULL)
		status = pair_explain(d, explain);
	else if ((status = desk_need_phase(
		      d, TOURNAMENT_PLAY, "no round can be paired")) != 0)
		;
	else if (is_dry)
		status = pair_dry_run(d, args);
	else
		status = pair_do(d, json_incref(args));
	json_decref(args);
	desk_close(d);
	return (status);
}

static const struct opt_def pair_opts[] = {
    {"dry-run", 0, NULL, false, "show the round, and send nothing"},
    {"explain", 0, "N", false, "why entrant N meets whom they meet"},
    {"round", 0, "R", false, "in that round (default: the last)"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_pair = {
    .opts = pair_opts,
    .min_args = 1,
    .max_args = 1,
    .run = pair_run,
};
