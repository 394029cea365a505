/* SPDX-License-Identifier: ISC */
/*
 * Tables as spreadsheets write them: UTF-8 with or without a byte order mark,
 * cells between commas, semicolons or tabs, which the first line shows or says
 * ("sep=;", which is no row), in quotes where needed, and any line ends.
 */
#ifndef UMPIRE_CLIENT_BASE_CSV_H
#define UMPIRE_CLIENT_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"

struct buf;

#define CSV_COLUMNS_MAX 2000
#define CSV_ROWS_MAX 4000

/* A row; one that has blanks at most is left out, but counted. */
struct csv_row {
	size_t number; /* as a spreadsheet shows it, from 1 */
	size_t first; /* of its cells */
	size_t n;
};

/* A table; csv_clear() frees what it holds. */
struct csv {
	char *room; /* owned: the texts of all cells */
	const char **cells; /* owned; in room */
	struct csv_row *rows; /* owned */
	size_t n_cells, n_rows;
};

/*
 * Reads a text.  ERR_MALFORMED, with the row in e->where, and nothing in
 * *out.
 */
int csv_read(const char *text, size_t len, struct csv *out, struct errinfo *e)
    __attribute__((warn_unused_result));
void csv_clear(struct csv *c);

/* The text of cell i of a row; "" for one that it does not reach. */
const char *csv_cell(const struct csv *c, const struct csv_row *row, size_t i);

/* True if a cell holds nothing but blanks: to people it is empty. */
bool csv_is_blank(const char *cell);

/*
 * True for a cell that is all that spreadsheets write for true or false, in
 * the languages of the table in csv.c; *value says which.
 */
bool csv_is_truth(const char *cell, bool *value);

/* Begins a table: the byte order mark, without which Excel takes it for
 * Latin. */
void csv_begin(struct buf *b);

/* Appends a cell as it is, and what comes before one unless it is the first. */
void csv_put(struct buf *b, size_t column, const char *cell);

/*
 * The same of a stranger's text, guarded by an apostrophe where a spreadsheet
 * would run it, or take it for a number, a date (in the languages of the
 * table in csv.c), true, false or nothing; also where one that splits at
 * another separator would.  csv_unguard() takes that away, in place.
 */
void csv_put_text(struct buf *b, size_t column, const char *text);
void csv_unguard(char *cell);

/* Ends a row. */
void csv_end_row(struct buf *b);

#endif
