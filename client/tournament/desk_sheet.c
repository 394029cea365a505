/* SPDX-License-Identifier: ISC */
#include "client/tournament/desk_sheet.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/csv.h"
#include "client/base/xalloc.h"
#include "client/profile/profile.h"
#include "client/report/svg.h"
#include "client/tournament/desk.h"
#include "client/tournament/desk_copy.h"
#include "client/ui/cmd.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"

struct desk_sheet {
	char *title, *below; /* owned */
	char **headings; /* owned, each too */
	size_t n_columns;
	char **cells; /* owned, each too: row by row */
	size_t n_rows;
};

int
desk_sheet_open(struct cmd_ctx *cx, struct desk **out)
{
	if (opt_has(&cx->opts, "csv") && opt_has(&cx->opts, "html"))
		return (cmd_usage(cx, "--csv or --html, not both"));
	return (desk_open(cx, cmd_arg(cx, 0), DESK_READ, out));
}

struct desk_sheet *
desk_sheet_new(
    const char *title, const char *below, const char *const headings[])
{
	struct desk_sheet *s = xalloc(sizeof(*s));

	s->title = xalloc_str(title);
	s->below = xalloc_str(below);
	for (; headings[s->n_columns] != NULL; s->n_columns++) {
		s->headings = xalloc_more(
		    s->headings, s->n_columns, sizeof(*s->headings));
		s->headings[s->n_columns] = xalloc_str(headings[s->n_columns]);
	}
	return (s);
}

void
desk_sheet_row(struct desk_sheet *s, const char *const cells[])
{
	const size_t first = s->n_rows * s->n_columns;
	size_t i;

	for (i = 0; i < s->n_columns; i++) {
		s->cells = xalloc_more(s->cells, first + i, sizeof(*s->cells));
		s->cells[first + i] = xalloc_str(cells[i]);
	}
	s->n_rows++;
}

/* A heading without the marks that say how its column is set. */
static const char *
desk_sheet_heading(const struct desk_sheet *s, size_t column)
{
	const char *h = s->headings[column];

	return (*h == '>' || *h == '~' || *h == '@' ? h + 1 : h);
}

/* True if a column is set to the right. */
static bool
desk_sheet_is_right(const struct desk_sheet *s, size_t column)
{
	return (s->headings[column][0] == '>');
}

/* For a terminal. */
static void
desk_sheet_text(struct out *o, const struct desk_sheet *s)
{
	const char **headings, **cells;
	struct out_table *t;
	size_t i, k;

	out_title(o, "%s", s->title);
	if (*s->below != '\0')
		out_print(o, "%s\n", s->below);
	headings = xalloc((s->n_columns + 1) * sizeof(*headings));
	cells = xalloc((s->n_columns + 1) * sizeof(*cells));
	for (k = 0; k < s->n_columns; k++)
		headings[k] = s->headings[k][0] == '@'
		    ? desk_sheet_heading(s, k)
		    : s->headings[k];
	t = out_table_new(headings);
	for (i = 0; i < s->n_rows; i++) {
		for (k = 0; k < s->n_columns; k++)
			cells[k] = s->cells[i * s->n_columns + k];
		out_table_line(t, cells);
	}
	out_table_end(o, t);
	free(headings);
	free(cells);
}

/*
 * For a spreadsheet: numbers, times and what is empty as they are, all else
 * guarded.
 */
static void
desk_sheet_csv(const struct desk_sheet *s, struct buf *b)
{
	const char *cell;
	size_t i, k;

	csv_begin(b);
	for (k = 0; k < s->n_columns; k++)
		csv_put_text(b, k, desk_sheet_heading(s, k));
	csv_end_row(b);
	for (i = 0; i < s->n_rows; i++) {
		for (k = 0; k < s->n_columns; k++) {
			cell = s->cells[i * s->n_columns + k];
			if (*cell == '\0')
				csv_put(b, k, "");
			else if (desk_sheet_is_right(s, k) &&
			    strspn(cell, "0123456789.+-") == strlen(cell))
				csv_put(b, k, *cell == '+' ? cell + 1 : cell);
			else if (s->headings[k][0] == '@')
				csv_put(b, k, cell);
			else
				csv_put_text(b, k, cell);
		}
		csv_end_row(b);
	}
}

/* A cell of the page. */
static void
desk_sheet_html_cell(const struct desk_sheet *s, struct buf *b,
    const char *element, size_t column, const char *text)
{
	buf_printf(b, "<%s%s>", element,
	    desk_sheet_is_right(s, column) ? " class=\"n\"" : "");
	svg_text(b, text);
	buf_printf(b, "</%.2s>", element);
}

/* A page. */
static void
desk_sheet_html(const struct desk *d, const struct desk_sheet *s, struct buf *b)
{
	static const char style[] =
	    "body{font:12pt/1.35 Georgia,\"Times New Roman\",serif;"
	    "margin:2em auto;max-width:60em;padding:0 1em;color:#1b1b1b;"
	    "background:#fff}"
	    "h1{font-size:1.5em;margin:0 0 .2em}"
	    "p{margin:.2em 0 1em}"
	    "div{overflow-x:auto}"
	    "table{border-collapse:collapse;width:100%}"
	    "th,td{text-align:left;padding:.25em .6em;"
	    "border-bottom:1px solid #bbb;vertical-align:top}"
	    "th{border-bottom:2px solid #1b1b1b}"
	    ".n{text-align:right;font-variant-numeric:tabular-nums}"
	    "footer{margin-top:1.5em;font-size:.8em;color:#444;"
	    "overflow-wrap:anywhere}"
	    "@media print{body{margin:0;max-width:none}"
	    "tr{break-inside:avoid}thead{display:table-header-group}}";
	char at[CLOCK_AT_LEN + 1];
	size_t i, k;

	buf_puts(b,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n"
	    "<title>");
	svg_text(b, s->title);
	buf_printf(b,
	    "</title>\n<style>%s</style>\n</head>\n<body>\n"
	    "<main>\n<h1>",
	    style);
	svg_text(b, s->title);
	buf_puts(b, "</h1>\n");
	if (*s->below != '\0') {
		buf_puts(b, "<p>");
		svg_text(b, s->below);
		buf_puts(b, "</p>\n");
	}
	buf_puts(b, "<div tabindex=\"0\">\n<table>\n<thead><tr>");
	for (k = 0; k < s->n_columns; k++)
		desk_sheet_html_cell(
		    s, b, "th scope=\"col\"", k, desk_sheet_heading(s, k));
	buf_puts(b, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < s->n_rows; i++) {
		buf_puts(b, "<tr>");
		for (k = 0; k < s->n_columns; k++)
			desk_sheet_html_cell(
			    s, b, "td", k, s->cells[i * s->n_columns + k]);
		buf_puts(b, "</tr>\n");
	}
	clock_format(at, tournament_at_ms(d->t));
	buf_printf(b,
	    "</tbody>\n</table>\n</div>\n</main>\n<footer>"
	    "As of line %lld of the tournament's record, %.10s %.5s UTC. "
	    "Anybody can check it: number ",
	    (long long)tournament_seq(d->t), at, at + 11);
	buf_hex(b, d->copy->id, HASH_LEN);
	buf_puts(b, ".</footer>\n</body>\n</html>\n");
}

/* Frees it. */
static void
desk_sheet_free(struct desk_sheet *s)
{
	size_t i;

	for (i = 0; i < s->n_rows * s->n_columns; i++)
		free(s->cells[i]);
	for (i = 0; i < s->n_columns; i++)
		free(s->headings[i]);
	free(s->cells);
	free(s->headings);
	free(s->title);
	free(s->below);
	free(s);
}

void
desk_sheet_end(const struct desk *d, struct desk_sheet *s)
{
	struct out *o = &d->cx->out;
	struct buf b;

	buf_init(&b, 0);
	if (o->is_json) {
		; /* the caller has said it */
	} else if (opt_has(&d->cx->opts, "csv")) {
		desk_sheet_csv(s, &b);
	} else if (opt_has(&d->cx->opts, "html")) {
		desk_sheet_html(d, s, &b);
	} else {
		desk_sheet_text(o, s);
	}
	if (buf_error(&b) != 0)
		xalloc_die();
	if (b.len > 0)
		out_bytes(o, b.data, b.len);
	buf_clear(&b);
	desk_sheet_free(s);
}
