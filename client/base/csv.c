/* SPDX-License-Identifier: ISC */
/* Tables of spreadsheets: nothing here knows what they mean. */
#include "client/base/csv.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/utf8.h"

#define CSV_BOM "\xef\xbb\xbf"
#define CSV_SEPARATORS ",;\t"
#define CSV_DANGEROUS "=+-@"

/* A text that is read. */
struct csv_scan {
	const char *text;
	size_t len;
	size_t pos;
	char separator;
	size_t number; /* of the row */
	size_t used; /* of room */
	size_t cells_room, rows_room;
	struct csv *out;
	struct errinfo *e;
};

/* Says what is wrong in the row that is read. */
static int
csv_fail(const struct csv_scan *s, const char *what)
{
	char where[32];

	(void)snprintf(where, sizeof(where), "row %zu", s->number);
	return (err_set(s->e, ERR_MALFORMED, where, "%s", what));
}

/* The character that comes, '\n' at the end. */
static char
csv_peek(const struct csv_scan *s)
{
	return (s->pos < s->len ? s->text[s->pos] : '\n');
}

/* True where a cell ends. */
static bool
csv_is_end(const struct csv_scan *s)
{
	char c = csv_peek(s);

	return (c == s->separator || c == '\n' || c == '\r');
}

/* The separator that the first line has most of, outside of quotes. */
static char
csv_separator(const char *text, size_t len)
{
	size_t counts[sizeof(CSV_SEPARATORS)] = {0}, i, best = 0;
	bool is_quoted = false;
	const char *p;

	for (i = 0; i < len; i++) {
		if (text[i] == '"')
			is_quoted = !is_quoted;
		if (is_quoted || text[i] == '\0')
			continue;
		if (text[i] == '\n' || text[i] == '\r')
			break;
		if ((p = strchr(CSV_SEPARATORS, text[i])) != NULL)
			counts[p - CSV_SEPARATORS]++;
	}
	for (i = 1; CSV_SEPARATORS[i] != '\0'; i++) {
		if (counts[i] > counts[best])
			best = i;
	}
	return (CSV_SEPARATORS[best]);
}

/* Reads a cell into the room. */
static int
csv_read_cell(struct csv_scan *s)
{
	struct csv *c = s->out;
	char *out = c->room + s->used;
	size_t n = 0;

	if (csv_peek(s) == '"' && s->pos < s->len) {
		for (s->pos++;; s->pos++) {
			if (s->pos >= s->len)
				return (csv_fail(
				    s, "a quote is opened and never closed"));
			if (s->text[s->pos] == '"' &&
			    (++s->pos >= s->len || s->text[s->pos] != '"'))
				break;
			out[n++] = s->text[s->pos];
		}
		if (!csv_is_end(s))
			return (csv_fail(s,
			    "text follows a closing quote; write a quote "
			    "inside a cell twice"));
	}
	while (!csv_is_end(s))
		out[n++] = s->text[s->pos++];
	out[n] = '\0';
	if (c->n_cells == s->cells_room) {
		s->cells_room = s->cells_room == 0 ? 64 : 2 * s->cells_room;
		c->cells = realloc(c->cells, s->cells_room * sizeof(*c->cells));
		if (c->cells == NULL)
			xalloc_die();
	}
	c->cells[c->n_cells++] = out;
	s->used += n + 1;
	return (0);
}

/* Reads a row, and takes it in unless it is empty. */
static int
csv_read_row(struct csv_scan *s)
{
	struct csv *c = s->out;
	struct csv_row row = {.number = ++s->number, .first = c->n_cells};
	bool is_empty = true;
	size_t used = s->used;
	int r;

	for (;; s->pos++) {
		if (c->n_cells - row.first == CSV_COLUMNS_MAX)
			return (csv_fail(s, "has too many columns"));
		if ((r = csv_read_cell(s)) != 0)
			return (r);
		is_empty = is_empty && c->cells[c->n_cells - 1][0] == '\0';
		if (csv_peek(s) != s->separator || s->pos >= s->len)
			break;
	}
	if (csv_peek(s) == '\r' && s->pos + 1 < s->len &&
	    s->text[s->pos + 1] == '\n')
		s->pos++;
	s->pos++;
	row.n = c->n_cells - row.first;
	if (is_empty) {
		c->n_cells = row.first;
		s->used = used;
		return (0);
	}
	if (c->n_rows == CSV_ROWS_MAX)
		return (csv_fail(s, "is one row too many"));
	c->rows = xalloc_more(c->rows, c->n_rows, sizeof(*c->rows));
	c->rows[c->n_rows++] = row;
	return (0);
}

/* Sees that a text is UTF-8 without zeros. */
static int
csv_check(struct csv_scan *s)
{
	size_t i, n;
	uint32_t cp;

	s->number = 1;
	for (i = 0; i < s->len; i += n) {
		n = utf8_get(s->text + i, s->len - i, &cp);
		if (n == 0 || cp == 0)
			return (csv_fail(s,
			    "is not UTF-8: have the spreadsheet save it as "
			    "\"CSV UTF-8\""));
		s->number += cp == '\n' ? 1 : 0;
	}
	s->number = 0;
	return (0);
}

int
csv_read(const char *text, size_t len, struct csv *out, struct errinfo *e)
{
	struct csv_scan s = {.text = text, .len = len, .out = out, .e = e};
	int r;

	memset(out, 0, sizeof(*out));
	if (len >= strlen(CSV_BOM) &&
	    memcmp(text, CSV_BOM, strlen(CSV_BOM)) == 0) {
		s.text += strlen(CSV_BOM);
		s.len -= strlen(CSV_BOM);
	}
	if ((r = csv_check(&s)) != 0)
		return (r);
	s.separator = csv_separator(s.text, s.len);
	/* A cell needs no more than its text and what ends it. */
	out->room = xalloc(s.len + 1);
	while (r == 0 && s.pos < s.len)
		r = csv_read_row(&s);
	if (r != 0)
		csv_clear(out);
	return (r);
}

void
csv_clear(struct csv *c)
{
	free(c->room);
	free(c->cells);
	free(c->rows);
	memset(c, 0, sizeof(*c));
}

const char *
csv_cell(const struct csv *c, const struct csv_row *row, size_t i)
{
	return (i < row->n ? c->cells[row->first + i] : "");
}

void
csv_begin(struct buf *b)
{
	buf_puts(b, CSV_BOM);
}

void
csv_put(struct buf *b, size_t column, const char *cell)
{
	size_t n = strlen(cell);

	if (column > 0)
		buf_putc(b, CSV_SEPARATORS[0]);
	if (cell[strcspn(cell, CSV_SEPARATORS "\"\r\n")] == '\0' &&
	    (n == 0 || (cell[0] != ' ' && cell[n - 1] != ' '))) {
		buf_puts(b, cell);
		return;
	}
	buf_putc(b, '"');
	for (; *cell != '\0'; cell++) {
		if (*cell == '"')
			buf_putc(b, '"');
		buf_putc(b, *cell);
	}
	buf_putc(b, '"');
}

/* True for a character at which some spreadsheet may begin another cell. */
static bool
csv_splits(char c)
{
	return (c != '\0' && strchr(CSV_SEPARATORS "\r\n", c) != NULL);
}

/* True for the beginning of a cell that a spreadsheet would run. */
static bool
csv_is_run(const char *s)
{
	s += strspn(s, " \"");
	return (*s != '\0' && strchr(CSV_DANGEROUS, *s) != NULL);
}

/* True for a text that has to be guarded. */
static bool
csv_is_risky(const char *s)
{
	/* A number, a date or nothing would come back as something else. */
	if (s[strspn(s, "0123456789.,:/eE+- ")] == '\0')
		return (true);
	if (strcasecmp(s, "true") == 0 || strcasecmp(s, "false") == 0)
		return (true);
	if (*s == '\'' || csv_splits(*s) || csv_is_run(s))
		return (true);
	for (; *s != '\0'; s++) {
		if (csv_splits(*s) && csv_is_run(s + 1))
			return (true);
	}
	return (false);
}

void
csv_put_text(struct buf *b, size_t column, const char *text)
{
	struct buf guarded;

	if (!csv_is_risky(text)) {
		csv_put(b, column, text);
		return;
	}
	buf_init(&guarded, 0);
	buf_putc(&guarded, '\'');
	for (; *text != '\0'; text++) {
		buf_putc(&guarded, *text);
		if (csv_splits(*text))
			buf_putc(&guarded, '\'');
	}
	if (buf_error(&guarded) != 0)
		xalloc_die();
	csv_put(b, column, buf_str(&guarded));
	buf_clear(&guarded);
}

void
csv_unguard(char *cell)
{
	const char *from = cell + 1;

	if (*cell != '\'')
		return;
	for (; *from != '\0'; from++) {
		*cell++ = *from;
		if (csv_splits(*from) && from[1] == '\'')
			from++;
	}
	*cell = '\0';
}

void
csv_end_row(struct buf *b)
{
	buf_puts(b, "\r\n");
}
