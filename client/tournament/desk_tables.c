/* SPDX-License-Identifier: ISC */
/* umpire tournament tables, and what `pair` prints. */
#include "client/tournament/desk_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_sheet.h"
#include "client/tournament/desks.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/tournament/tournament.h"

char *
desk_tables_state(const json_t *leg)
{
	const char *result = js_str(leg, "result");
	const json_t *notice = json_object_get(leg, "notice");

	if (result == NULL && json_object_get(leg, "game") == NULL)
		return (xalloc_str(
		    notice == NULL ? "not begun" : "not begun; claimed"));
	if (result == NULL)
		return (xalloc_str(
		    notice == NULL ? "being played" : "being played; claimed"));
	if (strcmp(result, "?") == 0)
		return (xalloc_str("a ruling is awaited"));
	if (strcmp(result, "=") == 0)
		return (xalloc_str("drawn"));
	if (strcmp(result, "--") == 0)
		return (xalloc_str("both forfeit"));
	return (xalloc_printf("side %c wins%s",
	    *result == '1' || *result == '+' ? '1' : '2',
	    *result == '+' || *result == '-' ? " by forfeit" : ""));
}

/* True if a table of the round has more than one game. */
static bool
desk_tables_have_legs(const json_t *round)
{
	const json_t *table;
	size_t i;

	json_array_foreach(json_object_get(round, "tables"), i, table)
	{
		if (json_array_size(json_object_get(table, "legs")) > 1)
			return (true);
	}
	return (false);
}

/*
 * What a leg is called: its table; or, where there are tables of several
 * games, all that a command takes, since "1.2" would be another table; free().
 */
static char *
desk_tables_number(
    const json_t *round, const json_t *table, size_t leg, bool has_legs)
{
	const long long r = (long long)js_int(round, "round");
	const long long n = (long long)js_int(table, "table");

	if (!has_legs)
		return (xalloc_printf("%lld", n));
	if (leg == 0)
		return (xalloc_printf("%lld.%lld", r, n));
	return (xalloc_printf("%lld.%lld.%zu", r, n, leg + 1));
}

/* Adds the rows of a table, a leg each. */
static void
desk_tables_add(const struct desk *d, struct desk_sheet *s, const json_t *round,
    const json_t *table)
{
	const bool has_legs = desk_tables_have_legs(round);
	const json_t *leg;
	const char *cells[7];
	char *number, *state;
	char bp[24], game[9];
	int a, b, swap;
	size_t i;

	json_array_foreach(json_object_get(table, "legs"), i, leg)
	{
		swap = i > 0;
		a = (int)js_int(table, swap ? "b" : "a");
		b = (int)js_int(table, swap ? "a" : "b");
		number = desk_tables_number(round, table, i, has_legs);
		state = desk_tables_state(leg);
		(void)snprintf(
		    bp, sizeof(bp), "%+lld", (long long)js_int(leg, "bp"));
		(void)snprintf(
		    game, sizeof(game), "%.8s", text_member(leg, "game"));
		cells[0] = number;
		cells[1] = desk_called(d, a);
		cells[2] = desk_called(d, b);
		cells[3] = state;
		cells[4] = json_object_get(leg, "bp") == NULL ? "" : bp;
		cells[5] = game;
		desk_sheet_row(s, cells);
		free(number);
		free(state);
	}
}

/* Those who have no table: "Bye: anna. Not playing: bert, carl." ; free(). */
static char *
desk_tables_rest(const struct desk *d, const json_t *round)
{
	static const struct {
		const char *member, *label;
	} lists[] = {{"bye", "Bye"}, {"absent", "Not playing"}};
	const json_t *list, *v;
	struct buf b;
	size_t i, k;

	buf_init(&b, 0);
	if (json_is_true(json_object_get(round, "by_hand")))
		buf_puts(&b, "Set by a director's ruling.");
	for (i = 0; i < 2; i++) {
		list = json_object_get(round, lists[i].member);
		json_array_foreach(list, k, v) buf_printf(&b, "%s%s%s",
		    k > 0           ? ", "
			: b.len > 0 ? " "
				    : "",
		    k > 0        ? ""
			: i == 0 ? "Bye: "
				 : "Not playing: ",
		    desk_called(d, (int)json_integer_value(v)));
		if (json_array_size(list) > 0)
			buf_putc(&b, '.');
	}
	return (xalloc_take(&b));
}

void
desk_tables_print(const struct desk *d, int round)
{
	const struct terms *terms = tournament_terms(d->t);
	const json_t *rd, *table;
	struct desk_sheet *s;
	json_t *view;
	char *below, *title;
	size_t i;

	view = desk_view(d);
	rd = json_array_get(
	    json_object_get(view, "pairings"), (size_t)round - 1);
	if (d->cx->out.is_json)
		out_json(&d->cx->out, xalloc_copy(rd));
	title = xalloc_printf("%s, round %d of %d: %s", terms->event, round,
	    tournament_rounds(d->t),
	    terms->scenarios[(size_t)(round - 1) % terms->n_scenarios].name);
	below = desk_tables_rest(d, rd);
	s = desk_sheet_new(title, below,
	    (const char *const[]){/* "2.1" is no number, and no date. */
		desk_tables_have_legs(rd) ? "TABLE" : ">TABLE", "SIDE 1",
		"SIDE 2", "~STANDS", ">BP", "GAME", NULL});
	json_array_foreach(json_object_get(rd, "tables"), i, table)
	    desk_tables_add(d, s, rd, table);
	desk_sheet_end(d, s);
	free(title);
	free(below);
	json_decref(view);
}

int
desk_round(const struct desk *d, int *round)
{
	const char *word = opt_get(&d->cx->opts, "round");
	const int last = tournament_paired(d->t);
	int64_t n = last;

	if (last == 0) {
		out_error("no round is paired yet");
		desk_next(d);
		return (EX_DATAERR);
	}
	if (word != NULL && !opt_number(word, 1, last, &n))
		return (cmd_usage(d->cx,
		    "--round takes a round that is paired, 1 to %d", last));
	*round = (int)n;
	return (0);
}

/* Shows the tables of a round. */
static int
desk_tables_run(struct cmd_ctx *cx)
{
	struct desk *d;
	int round, status;

	if ((status = desk_sheet_open(cx, &d)) != 0)
		return (status);
	if ((status = desk_round(d, &round)) == 0) {
		desk_tables_print(d, round);
		desk_next_text(d);
	}
	desk_close(d);
	return (status);
}

static const struct opt_def desk_tables_opts[] = {
    {"round", 0, "R", false, "that round (default: the last one paired)"},
    DESK_SHEET_OPTS,
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_tables = {
    .opts = desk_tables_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_tables_run,
};
