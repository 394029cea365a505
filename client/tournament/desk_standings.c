/* SPDX-License-Identifier: ISC */
/*
 * umpire tournament standings and crosstable: who stands where, why, and who
 * met whom; trf: the same as FIDE's file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "client/report/standings_view.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/tournament/desk_sheet.h"
#include "client/tournament/desks.h"
#include "client/tournament/standings_print.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/standings.h"
#include "common/pairing/trf.h"
#include "common/tournament/tournament.h"
#include "common/tournament/tournament_sheet.h"

/* What a player of the sheet is called; arg is the desk with its sheet. */
struct desk_named {
	const struct desk *d;
	const struct tournament_sheet *s;
};

static const char *
desk_standings_name_cb(const void *arg, size_t player)
{
	const struct desk_named *named = arg;

	return (desk_called(named->d, named->s->numbers[player]));
}

/* True while the standings are those after all that was played. */
static bool
desk_standings_is_last(const struct desk *d, int round)
{
	return (round == tournament_paired(d->t));
}

/* "Autumn cup: final standings", "... after 3 of 5 rounds"; free(). */
static char *
desk_standings_title(const struct desk *d, const char *what, int round)
{
	const char *event = tournament_terms(d->t)->event;
	int all, open;

	if (tournament_phase(d->t) == TOURNAMENT_OVER &&
	    desk_standings_is_last(d, round))
		return (xalloc_printf("%s: final %s", event, what));
	open = desk_standings_is_last(d, round) ? desk_open_legs(d, &all) : 0;
	if (open > 0)
		return (xalloc_printf("%s: %s in round %d of %d, %d of %d "
				      "games without a result",
		    event, what, round, tournament_rounds(d->t), open, all));
	return (xalloc_printf("%s: %s after %d of %d rounds", event, what,
	    round, tournament_rounds(d->t)));
}

/* Opens what is shown: the desk, the round, the sheet and its ranks. */
static int
desk_standings_open(struct cmd_ctx *cx, struct desk **d, int *round,
    struct tournament_sheet *s, struct standing **rows)
{
	struct errinfo e = {.text = ""};
	int status;

	if ((status = desk_sheet_open(cx, d)) != 0)
		return (status);
	if ((status = desk_round(*d, round)) != 0) {
		desk_close(*d);
		return (status);
	}
	if (tournament_sheet_make((*d)->t, *round, s) != 0)
		xalloc_die();
	*rows = xalloc((s->n + 1) * sizeof(**rows));
	if (tournament_sheet_rank((*d)->t, s,
		tournament_terms((*d)->t)->parts_by_lot, *rows, &e) != 0)
		xalloc_die();
	return (0);
}

/*
 * Ranks where a knockout has been played: the tournament's own, by how far one
 * came; new, of *n rows.  NULL: those of the sheet hold.
 */
static json_t *
desk_standings_own(const struct desk *d, int round)
{
	json_t *rows, *view;

	if (!terms_has_knockout(tournament_terms(d->t)) ||
	    !desk_standings_is_last(d, round))
		return (NULL);
	view = desk_view(d);
	rows = json_incref(json_object_get(view, "standings"));
	json_decref(view);
	return (rows);
}

/* The standings as rows of numbers, as tournament_view() has them; new. */
static json_t *
desk_standings_rows(const struct desk *d, const struct tournament_sheet *s,
    const struct standing *rows, int round)
{
	const size_t n_ties = tournament_terms(d->t)->n_ties;
	json_t *list, *row;
	size_t i, k;

	if ((list = desk_standings_own(d, round)) != NULL)
		return (list);
	list = xalloc_json(json_array());
	for (i = 0; i < s->n; i++) {
		row = xalloc_json(json_pack("[i, i, i]", rows[i].rank,
		    s->numbers[rows[i].player], rows[i].points));
		for (k = 0; k < n_ties; k++)
			xalloc_append(
			    row, json_integer((json_int_t)rows[i].value[k]));
		xalloc_append(list, row);
	}
	return (list);
}

/* Prints the standings. */
static void
desk_standings_print(const struct desk *d, const json_t *rows, int round)
{
	const struct terms *terms = tournament_terms(d->t);
	char values[4 + TIEBREAK_N][STANDINGS_CELL];
	char codes[TIEBREAK_N][STANDINGS_CELL];
	const char *cells[4 + TIEBREAK_N + 1] = {
	    ">RANK", "~ENTRANT", ">NO.", ">POINTS"};
	struct desk_sheet *s;
	const json_t *row;
	char *title;
	size_t i, k;

	for (k = 0; k < terms->n_ties; k++) {
		(void)snprintf(codes[k], sizeof(codes[k]), ">%s",
		    tiebreak_def(terms->ties[k])->code);
		cells[4 + k] = codes[k];
	}
	title = desk_standings_title(d, "standings", round);
	s = desk_sheet_new(title, "", cells);
	json_array_foreach(rows, i, row)
	{
		const int number =
		    (int)json_integer_value(json_array_get(row, 1));

		(void)snprintf(values[0], sizeof(values[0]), "%lld",
		    (long long)json_integer_value(json_array_get(row, 0)));
		(void)snprintf(values[2], sizeof(values[2]), "%d", number);
		cells[0] = values[0];
		cells[1] = desk_called(d, number);
		cells[2] = values[2];
		cells[3] = standings_view_points(
		    values[3], (int)json_integer_value(json_array_get(row, 2)));
		for (k = 0; k < terms->n_ties; k++)
			cells[4 + k] = standings_view_value(values[4 + k],
			    json_integer_value(json_array_get(row, 3 + k)),
			    tiebreak_def(terms->ties[k])->unit);
		desk_sheet_row(s, cells);
	}
	desk_sheet_end(d, s);
	free(title);
}

/* The standings for programs; new. */
static json_t *
desk_standings_json(const struct desk *d, const json_t *rows, int round)
{
	const struct terms *terms = tournament_terms(d->t);
	json_t *list = xalloc_json(json_array()), *ties, *v;
	const json_t *row;
	size_t i, k;

	json_array_foreach(rows, i, row)
	{
		const int number =
		    (int)json_integer_value(json_array_get(row, 1));

		ties = xalloc_json(json_object());
		for (k = 0; k < terms->n_ties; k++) {
			const struct tiebreak_def *def =
			    tiebreak_def(terms->ties[k]);

			xalloc_set(ties, def->code,
			    standings_view_json_value(
				json_integer_value(json_array_get(row, 3 + k)),
				def->unit));
		}
		v = json_pack("{s:O, s:i, s:s, s:o, s:f, s:o}", "rank",
		    json_array_get(row, 0), "number", number, "account",
		    tournament_account(d->t, number), "name",
		    xalloc_json_str(desk_called(d, number)), "points",
		    (double)json_integer_value(json_array_get(row, 2)) / 2,
		    "ties", ties);
		xalloc_append(list, v);
	}
	return (xalloc_json(json_pack("{s:o, s:s, s:i, s:i, s:b, s:o}",
	    "tournament", js_hex(d->copy->id, HASH_LEN), "event", terms->event,
	    "round", round, "rounds", tournament_rounds(d->t), "final",
	    tournament_phase(d->t) == TOURNAMENT_OVER &&
		desk_standings_is_last(d, round),
	    "standings", list)));
}

/* Takes over the ranks of a list of rows of numbers. */
static void
desk_standings_take(
    const struct tournament_sheet *s, const json_t *list, struct standing *rows)
{
	const json_t *row;
	size_t i, k;

	json_array_foreach(list, i, row)
	{
		for (k = 0; k < s->n; k++) {
			if (s->numbers[rows[k].player] ==
			    json_integer_value(json_array_get(row, 1)))
				rows[k].rank = (int)json_integer_value(
				    json_array_get(row, 0));
		}
	}
}

/* Tells why somebody stands where they do. */
static int
desk_standings_why(struct desk *d, const struct tournament_sheet *s,
    struct standing *rows, int round, const char *word)
{
	const struct terms *terms = tournament_terms(d->t);
	const struct desk_named named = {d, s};
	const struct standings_view v = {.in = &s->in,
	    .ties = terms->ties,
	    .n_ties = terms->n_ties,
	    .rows = rows,
	    .title = terms->event,
	    .name = desk_standings_name_cb,
	    .arg = &named};
	const int number = desk_entrant(d, word);
	json_t *o, *own;
	size_t i;
	int player;

	if (number == 0)
		return (EX_DATAERR);
	player = tournament_sheet_index(s->numbers, s->n, number);
	if (player < 0) {
		out_error("%s was never in", desk_called(d, number));
		return (EX_DATAERR);
	}
	for (i = 0; i < s->n; i++)
		s->table->players[i].number = s->numbers[i];
	/* The sheet knows of the rounds that are paired. */
	if (terms->format != TERMS_SWISS_KNOCKOUT)
		s->table->rounds = tournament_rounds(d->t);
	own = desk_standings_own(d, round);
	desk_standings_take(s, own, rows);
	if (d->cx->out.is_json) {
		o = standings_view_json_why(&v, (size_t)player);
		xalloc_set(o, "tournament", js_hex(d->copy->id, HASH_LEN));
		xalloc_set(o, "event", xalloc_json_str(terms->event));
		out_json(&d->cx->out, o);
	} else {
		standings_print_why(&d->cx->out, &v, (size_t)player);
		if (own != NULL)
			out_print(&d->cx->out,
			    "\nHow far one has come in the knockout counts "
			    "first.\n");
	}
	json_decref(own);
	return (0);
}

/* Shows who stands where. */
static int
desk_standings_run(struct cmd_ctx *cx)
{
	const char *why = opt_get(&cx->opts, "why");
	struct tournament_sheet s;
	struct standing *rows;
	struct desk *d;
	json_t *list;
	int round, status;

	if (why != NULL &&
	    (opt_has(&cx->opts, "csv") || opt_has(&cx->opts, "html")))
		return (cmd_usage(
		    cx, "--why makes no table: leave out --csv and --html"));
	status = desk_standings_open(cx, &d, &round, &s, &rows);
	if (status != 0)
		return (status);
	if (why != NULL) {
		status = desk_standings_why(d, &s, rows, round, why);
	} else {
		list = desk_standings_rows(d, &s, rows, round);
		if (cx->out.is_json)
			out_json(&cx->out, desk_standings_json(d, list, round));
		desk_standings_print(d, list, round);
		json_decref(list);
		desk_next_text(d);
	}
	free(rows);
	tournament_sheet_clear(&s);
	desk_close(d);
	return (status);
}

static const struct opt_def desk_standings_opts[] = {
    {"round", 0, "R", false, "after that round (default: the last)"},
    {"why", 0, "N", false, "what the values of entrant N are the sum of"},
    DESK_SHEET_OPTS,
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_standings = {
    .opts = desk_standings_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_standings_run,
};

/* ---- crosstable ---- */

/* A round in the crosstable: "7+1" is a win against 7 on side 1. */
static const char *
desk_cross_cell(char cell[STANDINGS_CELL], const struct tournament_sheet *s,
    const struct cross_game *g)
{
	static const char *const signs[] = {
	    [CROSS_NONE] = "",
	    [CROSS_WIN] = "+",
	    [CROSS_DRAW] = "=",
	    [CROSS_LOSS] = "-",
	    [CROSS_FORFEIT_WIN] = "+f",
	    [CROSS_FORFEIT_LOSS] = "-f",
	    [CROSS_BYE] = "bye",
	    [CROSS_FULL_BYE] = "full",
	    [CROSS_HALF_BYE] = "half",
	    [CROSS_ZERO_BYE] = ".",
	};

	if (g->opponent < 0)
		(void)snprintf(cell, STANDINGS_CELL, "%s", signs[g->result]);
	else if (g->side == 0)
		(void)snprintf(cell, STANDINGS_CELL, "%d%s",
		    s->numbers[g->opponent], signs[g->result]);
	else
		(void)snprintf(cell, STANDINGS_CELL, "%d%s%d",
		    s->numbers[g->opponent], signs[g->result], g->side);
	return (cell);
}

/* The headings of a crosstable of so many rounds, and its rows. */
static void
desk_cross_print(const struct desk *d, const struct tournament_sheet *s,
    const json_t *list, int round)
{
	const size_t n = (size_t)s->in.rounds;
	char(*values)[STANDINGS_CELL] = xalloc((n + 4) * STANDINGS_CELL);
	const char **cells = xalloc((n + 5) * sizeof(*cells));
	struct desk_sheet *sheet;
	const json_t *row;
	char *title;
	size_t i, k;
	int number;

	cells[0] = ">RANK";
	cells[1] = ">NO.";
	cells[2] = "~ENTRANT";
	cells[3] = ">POINTS";
	for (k = 0; k < n; k++) {
		(void)snprintf(values[4 + k], STANDINGS_CELL, ">R%zu", k + 1);
		cells[4 + k] = values[4 + k];
	}
	title = desk_standings_title(d, "crosstable", round);
	sheet = desk_sheet_new(title,
	    "7+1: beat 7 on side 1; = drew, - lost, f by forfeit; . not there",
	    cells);
	json_array_foreach(list, i, row)
	{
		number = (int)json_integer_value(json_array_get(row, 1));
		(void)snprintf(values[0], STANDINGS_CELL, "%lld",
		    (long long)json_integer_value(json_array_get(row, 0)));
		(void)snprintf(values[1], STANDINGS_CELL, "%d", number);
		cells[0] = values[0];
		cells[1] = values[1];
		cells[2] = desk_called(d, number);
		cells[3] = standings_view_points(
		    values[3], (int)json_integer_value(json_array_get(row, 2)));
		for (k = 0; k < n; k++)
			cells[4 + k] = desk_cross_cell(values[4 + k], s,
			    crosstable_game(s->table,
				(size_t)tournament_sheet_index(
				    s->numbers, s->n, number),
				(int)k + 1));
		desk_sheet_row(sheet, cells);
	}
	desk_sheet_end(d, sheet);
	free(title);
	free(values);
	free(cells);
}

/* The same for programs: the standings, each with its rounds; new. */
static json_t *
desk_cross_json(const struct desk *d, const struct tournament_sheet *s,
    const json_t *list, int round)
{
	json_t *o = desk_standings_json(d, list, round), *rounds, *v;
	const struct cross_game *g;
	char cell[STANDINGS_CELL];
	size_t i;
	int k, player;

	json_array_foreach(json_object_get(o, "standings"), i, v)
	{
		player = tournament_sheet_index(
		    s->numbers, s->n, (int)js_int(v, "number"));
		rounds = xalloc_json(json_array());
		for (k = 1; k <= s->in.rounds; k++) {
			g = crosstable_game(s->table, (size_t)player, k);
			xalloc_append(rounds,
			    json_pack("{s:o, s:i, s:f, s:s}", "opponent",
				g->opponent < 0
				    ? json_null()
				    : json_integer(s->numbers[g->opponent]),
				"side", (int)g->side, "points",
				crosstable_worth(
				    s->table, (enum cross_result)g->result) /
				    2.0,
				"text", desk_cross_cell(cell, s, g)));
		}
		xalloc_set(v, "rounds", rounds);
	}
	return (o);
}

/* Shows who met whom. */
static int
desk_cross_run(struct cmd_ctx *cx)
{
	struct tournament_sheet s;
	struct standing *rows;
	struct desk *d;
	json_t *list;
	int round, status;

	status = desk_standings_open(cx, &d, &round, &s, &rows);
	if (status != 0)
		return (status);
	list = desk_standings_rows(d, &s, rows, round);
	if (cx->out.is_json)
		out_json(&cx->out, desk_cross_json(d, &s, list, round));
	desk_cross_print(d, &s, list, round);
	desk_next_text(d);
	json_decref(list);
	free(rows);
	tournament_sheet_clear(&s);
	desk_close(d);
	return (0);
}

static const struct opt_def desk_cross_opts[] = {
    {"round", 0, "R", false, "after that round (default: the last)"},
    DESK_SHEET_OPTS,
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_crosstable = {
    .opts = desk_cross_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_cross_run,
};

/* ---- trf ---- */

int
desk_trf(const struct desk *d, int rounds, bool with_next, struct trf **out,
    int **numbers)
{
	const int n = tournament_entrants(d->t);
	char **names = xalloc(((size_t)n + 1) * sizeof(*names));
	int i, r;

	for (i = 0; i < n; i++)
		names[i] = text_safe(desk_called(d, i + 1));
	r = tournament_sheet_trf(d->t, rounds, with_next, names, out, numbers);
	for (i = 0; i < n; i++)
		free(names[i]);
	free(names);
	return (r);
}

/* Prints it. */
static int
desk_trf_run(struct cmd_ctx *cx)
{
	struct errinfo e = {.text = ""};
	struct desk *d;
	struct trf *f;
	struct buf b;
	int r, round, status;

	if ((status = desk_open(cx, cmd_arg(cx, 0), DESK_READ, &d)) != 0)
		return (status);
	if (tournament_phase(d->t) < TOURNAMENT_PLAY) {
		out_error("lots are not drawn yet: there is nothing to export");
		desk_next(d);
		desk_close(d);
		return (EX_DATAERR);
	}
	buf_init(&b, 0);
	if ((status = desk_round(d, &round)) == 0) {
		if ((r = desk_trf(
			 d, round, opt_has(&cx->opts, "next"), &f, NULL)) != 0)
			xalloc_die();
		trf_write(f, &b);
		trf_free(f);
		if ((r = buf_error(&b)) != 0)
			status = cmd_fail(r,
			    (err_set(&e, r, NULL,
				 "somebody has more points than such a file "
				 "can hold"),
				&e));
		else
			out_bytes(&cx->out, b.data, b.len);
	}
	buf_clear(&b);
	desk_close(d);
	return (status);
}

static const struct opt_def desk_trf_opts[] = {
    {"round", 0, "R", false, "after that round (default: the last)"},
    {"next", 0, NULL, false, "and who is not there in the next one"},
    {NULL, 0, NULL, false, NULL},
};

const struct cmd desk_cmd_trf = {
    .opts = desk_trf_opts,
    .min_args = 1,
    .max_args = 1,
    .run = desk_trf_run,
};
