/* SPDX-License-Identifier: ISC */
/*
 * Who stands where in a tournament: the standings with what each value is the
 * sum of, and the crosstable.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/report/markup.h"
#include "client/report/standings_view.h"
#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/json/js.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/standings.h"
#include "common/tournament/tournament.h"
#include "common/tournament/tournament_sheet.h"
#include "web/page/page_cup_int.h"

/* A number of the rows of tournament_view(). */
static int64_t
page_cup_rank_number(const json_t *row, size_t i)
{
	return (json_integer_value(json_array_get(row, i)));
}

/* What stands above the standings, and their head. */
static void
page_cup_rank_head(const struct page_cup_work *w)
{
	const struct terms *terms = w->terms;
	const char *headings[4 + TIEBREAK_N + 1] = {
	    ">Rank", "Entrant", ">No.", ">Points"};
	char codes[TIEBREAK_N][STANDINGS_CELL];
	size_t k;

	for (k = 0; k < terms->n_ties; k++) {
		(void)snprintf(codes[k], sizeof(codes[k]), ">%s",
		    tiebreak_def(terms->ties[k])->code);
		headings[4 + k] = codes[k];
	}
	buf_puts(w->b,
	    "<h2>Standings</h2>\n<p>Each rank leads to what its values are the "
	    "sum of.");
	if (terms_has_knockout(terms))
		buf_puts(w->b,
		    " How far one has come in the knockout counts first.");
	buf_puts(w->b, "</p>\n");
	page_cup_table(w->b,
	    tournament_phase(w->in->t) == TOURNAMENT_OVER
		? "The final standings; each rank leads to what its values are "
		  "the sum of"
		: "The standings so far; each rank leads to what its values "
		  "are the sum of",
	    headings);
}

/* A row of them. */
static void
page_cup_rank_row(const struct page_cup_work *w, const json_t *row)
{
	const int number = (int)page_cup_rank_number(row, 1);
	char cell[STANDINGS_CELL];
	size_t k;

	markup_add(w->b,
	    "<tr><td class=\"num\"><a href=\"/t/%s/why/%d\">%lld"
	    "<span class=\"sr\">, why</span></a></td>"
	    "<th scope=\"row\" class=\"who\">",
	    w->in->id, number, (long long)page_cup_rank_number(row, 0));
	page_cup_entrant(w, number);
	buf_printf(w->b,
	    "</th><td class=\"num\">%d</td><td class=\"num\">%s</td>", number,
	    standings_view_points(cell, (int)page_cup_rank_number(row, 2)));
	for (k = 0; k < w->terms->n_ties; k++)
		buf_printf(w->b, "<td class=\"num\">%s</td>",
		    standings_view_value(cell, page_cup_rank_number(row, 3 + k),
			tiebreak_def(w->terms->ties[k])->unit));
	buf_puts(w->b, "</tr>\n");
}

bool
page_cup_rank_standings(struct page_cup_work *w)
{
	const json_t *list = json_object_get(w->view, "standings");
	const struct terms *terms = w->terms;
	bool is_last;
	size_t i, k, to;

	if (w->row == 0)
		page_cup_rank_head(w);
	is_last = page_cup_rows(w, json_array_size(list), &i, &to);
	for (; i < to; i++)
		page_cup_rank_row(w, json_array_get(list, i));
	if (!is_last)
		return (false);
	page_cup_table_end(w->b);
	if (terms->n_ties > 0)
		buf_puts(w->b, "<ul class=\"small\">\n");
	for (k = 0; k < terms->n_ties; k++)
		markup_add(w->b, "<li><b>%s</b>: %s</li>\n",
		    tiebreak_def(terms->ties[k])->code,
		    tiebreak_def(terms->ties[k])->name);
	if (terms->n_ties > 0)
		buf_puts(w->b, "</ul>\n");
	return (true);
}

bool
page_cup_rank_sheet(struct page_cup_work *w)
{
	if (tournament_sheet_make(w->in->t, 0, &w->sheet) != 0)
		xalloc_die();
	return (true);
}

/* A round in the crosstable. */
static void
page_cup_rank_met(const struct page_cup_work *w,
    const struct tournament_sheet *s, const struct cross_game *g)
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
		buf_printf(w->b, "<td class=\"num\">%s</td>", signs[g->result]);
	else if (g->side == 0)
		buf_printf(w->b, "<td class=\"num\">%d%s</td>",
		    s->numbers[g->opponent], signs[g->result]);
	else
		buf_printf(w->b, "<td class=\"num\">%d%s%d</td>",
		    s->numbers[g->opponent], signs[g->result], g->side);
}

/* What stands above the crosstable, and its head. */
static void
page_cup_rank_cross_head(const struct page_cup_work *w)
{
	const size_t n = (size_t)w->sheet.in.rounds;
	const char **headings = xalloc((n + 5) * sizeof(*headings));
	char(*rounds)[STANDINGS_CELL] = xalloc((n + 1) * STANDINGS_CELL);
	size_t k;

	headings[0] = ">Rank";
	headings[1] = ">No.";
	headings[2] = "Entrant";
	headings[3] = ">Points";
	for (k = 0; k < n; k++) {
		(void)snprintf(rounds[k], STANDINGS_CELL, ">%zu", k + 1);
		headings[4 + k] = rounds[k];
	}
	buf_puts(w->b,
	    "<h2>Crosstable</h2>\n<p>A column a round. 7+1 has beaten number "
	    "7, on side 1; = drew, - lost, f by forfeit; . was not "
	    "there.</p>\n");
	page_cup_table(w->b,
	    "Who met whom in each round: 7+1 has beaten number 7, on side 1; = "
	    "drew, - lost, f by forfeit; . was not there",
	    headings);
	free(rounds);
	free(headings);
}

bool
page_cup_rank_cross(struct page_cup_work *w)
{
	const json_t *list = json_object_get(w->view, "standings"), *row;
	const struct tournament_sheet *s = &w->sheet;
	char cell[STANDINGS_CELL];
	int k, number, player;
	bool is_last;
	size_t i, to;

	if (w->row == 0)
		page_cup_rank_cross_head(w);
	is_last = page_cup_rows(w, json_array_size(list), &i, &to);
	for (; i < to; i++) {
		row = json_array_get(list, i);
		number = (int)page_cup_rank_number(row, 1);
		player = tournament_sheet_index(s->numbers, s->n, number);
		buf_printf(w->b,
		    "<tr><td class=\"num\">%lld</td><td class=\"num\">%d</td>"
		    "<th scope=\"row\" class=\"who\">",
		    (long long)page_cup_rank_number(row, 0), number);
		page_cup_entrant(w, number);
		buf_printf(w->b, "</th><td class=\"num\">%s</td>",
		    standings_view_points(
			cell, (int)page_cup_rank_number(row, 2)));
		for (k = 1; k <= s->in.rounds && player >= 0; k++)
			page_cup_rank_met(
			    w, s, crosstable_game(s->table, (size_t)player, k));
		buf_puts(w->b, "</tr>\n");
	}
	if (!is_last)
		return (false);
	page_cup_table_end(w->b);
	return (true);
}

/* ---- why ---- */

/* A sheet whose players have names. */
struct page_cup_rank_named {
	const struct page_cup_work *w;
	const struct tournament_sheet *s;
	bool in_table; /* of addends */
};

/* struct standings_view's name. */
static const char *
page_cup_rank_name_cb(const void *arg, size_t player)
{
	const struct page_cup_rank_named *named = arg;

	return (page_cup_called(named->w, named->s->numbers[player]));
}

/* Ends the addends of a value. */
static void
page_cup_rank_why_end(struct page_cup_rank_named *named)
{
	if (named->in_table)
		page_cup_table_end(named->w->b);
	named->in_table = false;
}

/* Members of struct standings_told. */
static void
page_cup_rank_value_cb(
    void *arg, const char *code, const char *value, const char *name)
{
	struct page_cup_rank_named *named = arg;

	page_cup_rank_why_end(named);
	markup_add(named->w->b, "<h3>%s: %s</h3>\n", code, value);
	if (name != NULL)
		markup_add(named->w->b, "<p class=\"small\">%s</p>\n", name);
}

static void
page_cup_rank_addend_cb(
    void *arg, int round, const char *value, bool is_cut, const char *reason)
{
	static const char *const headings[] = {
	    ">Round", ">Adds", "Because", NULL};
	struct page_cup_rank_named *named = arg;
	struct buf *b = named->w->b;

	if (!named->in_table)
		page_cup_table(b, "What it is the sum of", headings);
	named->in_table = true;
	markup_add(b,
	    "<tr><th scope=\"row\" class=\"num\">%d</th>"
	    "<td class=\"num\">%s</td><td>%s%s</td></tr>\n",
	    round, value, is_cut ? "not counted: " : "", reason);
}

static void
page_cup_rank_note_cb(void *arg, const char *text)
{
	struct page_cup_rank_named *named = arg;

	page_cup_rank_why_end(named);
	markup_add(named->w->b, "<p>%s</p>\n", text);
}

/* Where the ranks are those of the tournament: how far a knockout was. */
static void
page_cup_rank_ranks(const struct page_cup_work *w)
{
	const struct tournament_sheet *s = &w->sheet;
	struct standing *rows = w->rows;
	const json_t *row;
	size_t i, k;

	json_array_foreach(json_object_get(w->view, "standings"), i, row)
	{
		for (k = 0; k < s->n; k++) {
			if (s->numbers[rows[k].player] ==
			    page_cup_rank_number(row, 1))
				rows[k].rank =
				    (int)page_cup_rank_number(row, 0);
		}
	}
}

bool
page_cup_rank_make(struct page_cup_work *w)
{
	const struct tournament_sheet *s = &w->sheet;
	struct errinfo e;
	size_t i;

	w->rows = xalloc((s->n + 1) * sizeof(*w->rows));
	if (tournament_sheet_rank(
		w->in->t, s, w->terms->parts_by_lot, w->rows, &e) != 0)
		xalloc_die();
	for (i = 0; i < s->n; i++)
		s->table->players[i].number = s->numbers[i];
	if (terms_has_knockout(w->terms))
		page_cup_rank_ranks(w);
	return (true);
}

bool
page_cup_rank_why(struct page_cup_work *w)
{
	const struct tournament_sheet *s = &w->sheet;
	const struct terms *terms = w->terms;
	struct page_cup_rank_named named = {.w = w, .s = s};
	const struct standings_view v = {.in = &s->in,
	    .ties = terms->ties,
	    .n_ties = terms->n_ties,
	    .rows = w->rows,
	    .title = terms->event,
	    .name = page_cup_rank_name_cb,
	    .arg = &named};
	const struct standings_told to = {.value = page_cup_rank_value_cb,
	    .addend = page_cup_rank_addend_cb,
	    .corrected = page_cup_rank_note_cb,
	    .note = page_cup_rank_note_cb,
	    .arg = &named};
	const int player = tournament_sheet_index(s->numbers, s->n, w->n);

	if (player < 0) {
		w->r = ERR_NOTFOUND;
		return (true);
	}
	markup_add(w->b, "<h2>Why <bdi>%s</bdi> has rank %d</h2>\n",
	    page_cup_called(w, w->n),
	    standings_view_row(&v, (size_t)player)->rank);
	if (terms_has_knockout(terms))
		buf_puts(w->b,
		    "<p>How far one has come in the knockout counts first."
		    "</p>\n");
	standings_view_why(&v, (size_t)player, &to);
	page_cup_rank_why_end(&named);
	return (true);
}
