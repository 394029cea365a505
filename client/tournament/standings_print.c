/* SPDX-License-Identifier: ISC */
#include "client/tournament/standings_print.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "client/base/out.h"
#include "client/base/xalloc.h"
#include "client/report/standings_view.h"
#include "client/ui/out_terminal.h"
#include "common/pairing/crosstable.h"

/* The line above all: what this is, and when. */
static void
standings_print_title(struct out *o, const struct standings_view *v)
{
	char *when = standings_view_when(v);

	if (v->title[0] == '\0')
		out_title(o, "Standings %s\n", when);
	else
		out_title(o, "%s, %s\n", v->title, when);
	free(when);
}

void
standings_print(struct out *o, const struct standings_view *v)
{
	size_t fixed = 4, i, k, n = v->in->table->n_players;
	char number[4 + TIEBREAK_N][STANDINGS_CELL], *headings;
	const char *cells[4 + TIEBREAK_N + 1] = {
	    "RANK", ">NO", "~NAME", ">POINTS"};
	struct out_table *t;
	const struct standing *s;

	standings_print_title(o, v);
	headings = xalloc(TIEBREAK_N * STANDINGS_CELL);
	cells[0] = ">RANK";
	for (k = 0; k < v->n_ties; k++) {
		(void)snprintf(&headings[k * STANDINGS_CELL], STANDINGS_CELL,
		    ">%s", tiebreak_def(v->ties[k])->code);
		cells[fixed + k] = &headings[k * STANDINGS_CELL];
	}
	t = out_table_new(cells);
	for (i = 0; i < n; i++) {
		s = &v->rows[i];
		cells[0] = standings_view_value(number[0], s->rank, 1);
		cells[1] = standings_view_value(
		    number[1], standings_view_number(v, s->player), 1);
		cells[2] = v->name(v->arg, s->player);
		cells[3] = standings_view_points(number[3], s->points);
		for (k = 0; k < v->n_ties; k++)
			cells[fixed + k] =
			    standings_view_value(number[fixed + k], s->value[k],
				tiebreak_def(v->ties[k])->unit);
		out_table_line(t, cells);
	}
	out_table_end(o, t);
	free(headings);
}

/* Members of struct standings_told; arg is the out. */
static void
standings_print_value_cb(
    void *arg, const char *code, const char *value, const char *name)
{
	if (name == NULL)
		out_print(arg, "\n%s: %s\n", code, value);
	else
		out_print(arg, "\n%s: %s (%s)\n", code, value, name);
}

static void
standings_print_addend_cb(
    void *arg, int round, const char *value, bool is_cut, const char *reason)
{
	out_print(arg, "  %5d  %6s  %s%s\n", round, value,
	    is_cut ? "cut: " : "", reason);
}

static void
standings_print_corrected_cb(void *arg, const char *text)
{
	out_print(arg, "         %s\n", text);
}

static void
standings_print_note_cb(void *arg, const char *text)
{
	out_print(arg, "  %s\n", text);
}

void
standings_print_why(
    struct out *o, const struct standings_view *v, size_t player)
{
	const struct standings_told to = {
	    .value = standings_print_value_cb,
	    .addend = standings_print_addend_cb,
	    .corrected = standings_print_corrected_cb,
	    .note = standings_print_note_cb,
	    .arg = o,
	};
	char *whom = standings_view_whom(v, (int)player);

	standings_print_title(o, v);
	out_print(
	    o, "%s: rank %d\n", whom, standings_view_row(v, player)->rank);
	free(whom);
	standings_view_why(v, player, &to);
}
