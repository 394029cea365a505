/* SPDX-License-Identifier: ISC */
/* Tables of plain text: cells below each other, long ones on several lines. */
#include "client/report/doc_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "client/base/text.h"
#include "client/base/xalloc.h"
#include "common/base/buf.h"

#define DOC_TABLE_GAP 2 /* columns between two columns */
#define DOC_TABLE_LEAST 8 /* columns that a cell which breaks keeps */

struct doc_table {
	const char *headings[DOC_TABLE_COLUMNS]; /* borrowed */
	bool is_right[DOC_TABLE_COLUMNS];
	size_t n;
	char **cells; /* owned, row after row */
	size_t n_cells;
};

/* How a table is laid out. */
struct doc_table_look {
	unsigned indent;
	unsigned widths[DOC_TABLE_COLUMNS];
	int (*columns)(const char *s, size_t n);
};

struct doc_table *
doc_table_new(size_t n, const char *const headings[])
{
	struct doc_table *t;
	size_t i;

	t = xalloc(sizeof(*t));
	t->n = n < DOC_TABLE_COLUMNS ? n : DOC_TABLE_COLUMNS;
	for (i = 0; i < t->n; i++) {
		t->is_right[i] = headings[i][0] == '>';
		t->headings[i] = headings[i] + (t->is_right[i] ? 1 : 0);
	}
	return (t);
}

void
doc_table_cells(struct doc_table *t, const char *const cells[])
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		t->cells = xalloc_more(t->cells, t->n_cells, sizeof(*t->cells));
		t->cells[t->n_cells++] = text_safe(cells[i]);
	}
}

void
doc_table_free(struct doc_table *t)
{
	size_t i;

	if (t == NULL)
		return;
	for (i = 0; i < t->n_cells; i++)
		free(t->cells[i]);
	free(t->cells);
	free(t);
}

/* How wide n bytes are. */
static unsigned
doc_table_wide(int (*columns)(const char *s, size_t n), const char *s, size_t n)
{
	unsigned wide = 0;
	size_t i;

	if (columns != NULL)
		return ((unsigned)columns(s, n));
	for (i = 0; i < n; i++)
		wide += ((unsigned char)s[i] & 0xc0) != 0x80;
	return (wide);
}

/* Gives each column the width of its widest cell, and then takes some back. */
static void
doc_table_fit(
    const struct doc_table *t, unsigned width, struct doc_table_look *look)
{
	unsigned sum = look->indent, wide;
	size_t i, widest = 0;

	for (i = 0; i < t->n; i++) {
		look->widths[i] = doc_table_wide(
		    look->columns, t->headings[i], strlen(t->headings[i]));
		sum += i == 0 ? 0 : DOC_TABLE_GAP;
	}
	for (i = 0; i < t->n_cells; i++) {
		wide = doc_table_wide(
		    look->columns, t->cells[i], strlen(t->cells[i]));
		if (look->widths[i % t->n] < wide)
			look->widths[i % t->n] = wide;
	}
	for (i = 0; i < t->n; i++)
		sum += look->widths[i];
	for (; sum > width; sum--) {
		for (i = 0; i < t->n; i++) {
			if (!t->is_right[i] &&
			    (t->is_right[widest] ||
				look->widths[i] > look->widths[widest]))
				widest = i;
		}
		if (t->is_right[widest] ||
		    look->widths[widest] <= DOC_TABLE_LEAST)
			break;
		look->widths[widest]--;
	}
}

size_t
doc_table_part(
    const char *s, unsigned width, int (*columns)(const char *s, size_t n))
{
	size_t fits = 0, n = 0, word = 0;

	if (doc_table_wide(columns, s, strlen(s)) <= width)
		return (strlen(s));
	while (s[n] != '\0') {
		do {
			n++;
		} while (((unsigned char)s[n] & 0xc0) == 0x80);
		if (fits > 0 && doc_table_wide(columns, s, n) > width)
			break;
		fits = n;
		if (s[n] == ' ')
			word = n;
	}
	return (word > 0 ? word : fits);
}

/* Appends the next line of a row; at[] is what is left of each cell. */
static bool
doc_table_line(const struct doc_table *t, const struct doc_table_look *look,
    const char *at[], struct buf *out)
{
	unsigned blanks = look->indent, pad;
	bool is_more = false;
	size_t i, n;

	for (i = 0; i < t->n; i++) {
		n = doc_table_part(at[i], look->widths[i], look->columns);
		pad = doc_table_wide(look->columns, at[i], n);
		pad = pad < look->widths[i] ? look->widths[i] - pad : 0;
		blanks += t->is_right[i] ? pad : 0;
		/* No blanks at the end of a line. */
		if (n > 0)
			buf_printf(out, "%*s", (int)blanks, "");
		blanks = n > 0 ? 0 : blanks;
		buf_add(out, at[i], n);
		blanks += (t->is_right[i] ? 0 : pad) + DOC_TABLE_GAP;
		at[i] += n;
		at[i] += strspn(at[i], " ");
		is_more = is_more || *at[i] != '\0';
	}
	buf_putc(out, '\n');
	return (is_more);
}

void
doc_table_write(const struct doc_table *t, struct buf *out, unsigned indent,
    unsigned width, int (*columns)(const char *s, size_t n))
{
	struct doc_table_look look = {.indent = indent, .columns = columns};
	const char *at[DOC_TABLE_COLUMNS];
	size_t i;

	doc_table_fit(t, width, &look);
	memcpy(at, t->headings, sizeof(at));
	while (doc_table_line(t, &look, at, out))
		continue;
	for (i = 0; i < t->n_cells; i += t->n) {
		memcpy(at, &t->cells[i], t->n * sizeof(*at));
		while (doc_table_line(t, &look, at, out))
			continue;
	}
}
