/* SPDX-License-Identifier: ISC */
/*
 * What the page of a tournament shows beside a round: who has won, who has
 * entered, protests, the terms, and how to take the record home.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "client/report/markup.h"
#include "client/report/people.h"
#include "client/report/standings_view.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/pairing/standings.h"
#include "common/tournament/tournament.h"
#include "web/page/page_cup_int.h"

#define PAGE_CUP_SHOW_FIRST 3 /* ranks that stand above all */

/* A row of the terms. */
static void
page_cup_show_term(const struct page_cup_work *w, const char *name, char *value)
{
	markup_add(w->b, "<div><dt>%s</dt><dd>%s</dd></div>\n", name, value);
	free(value);
}

/* The terms in short: all of them are in the record. */
static void
page_cup_show_terms(const struct page_cup_work *w)
{
	const struct terms *t = w->terms;
	char at[CLOCK_AT_LEN + 1];
	struct buf list;
	size_t i;

	buf_puts(w->b,
	    "<section aria-labelledby=\"terms\"><h2 id=\"terms\">Terms</h2>\n"
	    "<dl class=\"ids terms\">\n");
	page_cup_show_term(w, "Rules", xalloc_str(t->rules));
	buf_init(&list, 0);
	for (i = 0; i < t->n_scenarios; i++)
		buf_printf(
		    &list, "%s%s", i == 0 ? "" : ", ", t->scenarios[i].name);
	page_cup_show_term(w, "Fought", xalloc_take(&list));
	for (i = 0; i < t->n_ties; i++)
		buf_printf(&list, "%s%s", i == 0 ? "" : ", ",
		    tiebreak_def(t->ties[i])->name);
	buf_printf(&list, "%s%s", t->n_ties == 0 ? "" : ", then ",
	    t->parts_by_lot ? "by lot" : "a rank is shared");
	page_cup_show_term(w, "Ties", xalloc_take(&list));
	clock_format(at, t->until_ms);
	page_cup_show_term(w, "Entries until",
	    xalloc_printf("%.10s %.5s, %d at most", at, at + 11, t->max));
	page_cup_show_term(w, "Dice",
	    xalloc_str(t->has_witness
		    ? "from three hands: the acting player's, the server's and "
		      "the witness's"
		    : t->set.is_live
		    ? "from three hands: both players' and the server's"
		    : "from two hands: the acting player's and the server's"));
	clock_format(at, tournament_at_ms(w->in->t));
	page_cup_show_term(w, "Last line",
	    xalloc_printf("%lld, %.10s %.5s",
		(long long)tournament_seq(w->in->t), at, at + 11));
	buf_puts(w->b, "<div><dt>Tournament</dt><dd><code>");
	buf_hex(w->b, tournament_id(w->in->t), HASH_LEN);
	buf_puts(w->b, "</code></dd></div>\n</dl>\n</section>\n");
}

/* How an entrant stands, in words. */
static const char *
page_cup_show_stands(const struct page_cup_work *w, const json_t *v)
{
	const bool is_admitted = json_is_true(json_object_get(v, "admitted")),
		   has_come = json_is_true(json_object_get(v, "checked_in"));

	if (json_is_true(json_object_get(v, "withdrawn")))
		return ("withdrawn");
	if (json_is_true(json_object_get(v, "waits")))
		return ("to be admitted");
	switch (tournament_phase(w->in->t)) {
	case TOURNAMENT_ENTRIES:
		return (is_admitted ? "" : "not admitted");
	case TOURNAMENT_CHECKIN:
		return (!is_admitted ? "not admitted"
			: has_come   ? "checked in"
				     : "");
	case TOURNAMENT_PLAY:
	case TOURNAMENT_OVER:
		break;
	}
	return (!is_admitted                             ? "not admitted"
		: !has_come                              ? "not checked in"
		: json_is_true(json_object_get(v, "in")) ? ""
							 : "out");
}

bool
page_cup_show_entrants(struct page_cup_work *w)
{
	static const char *const headings[] = {
	    ">No.", "Entrant", "Club", "Remarks", NULL};
	const json_t *list = json_object_get(w->view, "entrants"), *v;
	bool is_last;
	size_t i, to;

	if (json_array_size(list) == 0) {
		buf_puts(w->b,
		    "<section aria-labelledby=\"entrants\"><h2 "
		    "id=\"entrants\">Entrants</h2>\n<p>Nobody has entered "
		    "yet.</p>\n</section>\n");
		return (true);
	}
	if (w->row == 0) {
		buf_puts(w->b,
		    "<section aria-labelledby=\"entrants\"><h2 "
		    "id=\"entrants\">Entrants</h2>\n");
		page_cup_table(w->b, "Who has entered", headings);
	}
	is_last = page_cup_rows(w, json_array_size(list), &i, &to);
	for (; i < to; i++) {
		v = json_array_get(list, i);
		buf_printf(w->b,
		    "<tr><td class=\"num\">%lld</td>"
		    "<th scope=\"row\" class=\"who\">",
		    (long long)js_int(v, "number"));
		page_cup_entrant(w, (int)js_int(v, "number"));
		markup_add(w->b,
		    "</th><td class=\"who\">%s</td><td>%s</td></tr>\n",
		    text_member(v, "club"), page_cup_show_stands(w, v));
	}
	if (!is_last)
		return (false);
	page_cup_table_end(w->b);
	buf_puts(w->b, "</section>\n");
	return (true);
}

/* ---- the result ---- */

/* The rank, number and half points of a row of the standings. */
static int
page_cup_show_cell(const json_t *row, size_t i)
{
	return ((int)json_integer_value(json_array_get(row, i)));
}

/* Whether a table of any round has a result. */
static bool
page_cup_show_has_result(const struct page_cup_work *w)
{
	const json_t *rounds = json_object_get(w->view, "pairings");
	const json_t *table, *leg;
	size_t i, k;

	if (json_array_size(rounds) > 1)
		return (true);
	json_array_foreach(
	    json_object_get(json_array_get(rounds, 0), "tables"), i, table)
	{
		json_array_foreach(json_object_get(table, "legs"), k, leg)
		{
			if (json_object_get(leg, "result") != NULL)
				return (true);
		}
	}
	return (false);
}

bool
page_cup_show_result(struct page_cup_work *w)
{
	const bool is_over = tournament_phase(w->in->t) == TOURNAMENT_OVER;
	const json_t *rows = json_object_get(w->view, "standings"), *row;
	char cell[STANDINGS_CELL];
	size_t i;
	int more;

	/* A bye alone makes nobody the first. */
	if (json_array_size(rows) == 0 || !page_cup_show_has_result(w))
		return (true);
	markup_add(w->b,
	    "<section aria-labelledby=\"result\"><h2 id=\"result\">%s</h2>\n"
	    "<ol class=\"podium\">\n",
	    is_over                            ? "Result"
		: terms_has_knockout(w->terms) ? "Farthest so far"
					       : "In front");
	json_array_foreach(rows, i, row)
	{
		if (page_cup_show_cell(row, 0) > PAGE_CUP_SHOW_FIRST ||
		    i >= 2 * PAGE_CUP_SHOW_FIRST)
			break;
		buf_printf(
		    w->b, "<li value=\"%d\">", page_cup_show_cell(row, 0));
		page_cup_entrant(w, page_cup_show_cell(row, 1));
		/* In a knockout they do not count. */
		if (!terms_has_knockout(w->terms))
			buf_printf(w->b, ", %s %s",
			    standings_view_points(
				cell, page_cup_show_cell(row, 2)),
			    page_cup_show_cell(row, 2) == 2 ? "point"
							    : "points");
		buf_puts(w->b, "</li>\n");
	}
	buf_puts(w->b, "</ol>\n");
	for (more = 0; i < json_array_size(rows) &&
	     page_cup_show_cell(json_array_get(rows, i), 0) <=
		 PAGE_CUP_SHOW_FIRST;
	     i++)
		more++;
	if (more > 0)
		buf_printf(
		    w->b, "<p>And %d more share these ranks.</p>\n", more);
	markup_add(w->b,
	    "<p><a href=\"/t/%s/standings\">All standings</a></p>\n"
	    "</section>\n",
	    w->in->id);
	return (true);
}

/* Protests. */
static void
page_cup_show_protests(const struct page_cup_work *w)
{
	const json_t *list = json_object_get(w->view, "protests"), *v;
	size_t i;

	if (json_array_size(list) == 0)
		return;
	buf_puts(w->b,
	    "<section aria-labelledby=\"protests\"><h2 id=\"protests\">"
	    "Protests</h2>\n<ul>\n");
	json_array_foreach(list, i, v)
	{
		buf_puts(w->b, "<li>");
		page_cup_entrant(w, (int)js_int(v, "entrant"));
		buf_printf(w->b, ", in line %lld, about round %lld",
		    (long long)js_int(v, "line"),
		    (long long)js_int(v, "round"));
		if (json_object_get(v, "table") != NULL)
			buf_printf(w->b, ", table %lld",
			    (long long)js_int(v, "table"));
		buf_puts(w->b,
		    json_is_true(json_object_get(v, "answered"))
			? ": answered</li>\n"
			: ": <strong>not answered</strong></li>\n");
	}
	buf_puts(w->b, "</ul>\n</section>\n");
}

/* How to take it home. */
static void
page_cup_show_take(const struct page_cup_work *w)
{
	markup_add(w->b,
	    "<section aria-labelledby=\"take\"><h2 id=\"take\">Take the "
	    "record</h2>\n<p><a href=\"/t/%s/record.jsonl\" download>The "
	    "tournament, signed by the umpire</a>. With an account, "
	    "<code>umpire tournament export</code> brings it and all its games "
	    "in a folder, and <code>umpire verify</code> checks that on your "
	    "own machine.</p>\n</section>\n",
	    w->in->id);
}

bool
page_cup_show_rest(struct page_cup_work *w)
{
	page_cup_show_protests(w);
	page_cup_show_terms(w);
	page_cup_show_take(w);
	return (true);
}
