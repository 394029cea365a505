/* SPDX-License-Identifier: ISC */
/* Tables of plain text, for writers whose readers see letters of one width. */
#ifndef UMPIRE_CLIENT_REPORT_DOC_TABLE_H
#define UMPIRE_CLIENT_REPORT_DOC_TABLE_H

#include <stddef.h>

struct buf;

struct doc_table;

/*
 * Begins a table of n columns, 1 to DOC_TABLE_COLUMNS; '>' before a heading
 * sets its column to the right.  The headings, our own words, are borrowed.
 */
#define DOC_TABLE_COLUMNS 8
struct doc_table *doc_table_new(size_t n, const char *const headings[]);

/* Adds a row of n cells, copied; what is not plain becomes '?'. */
void doc_table_cells(struct doc_table *t, const char *const cells[]);

/*
 * Appends the table: a line of headings and a line or more a row, each
 * indented by `indent` blanks and in `width` columns if they are enough for a
 * word in each cell.  The widest column breaks between words.  columns() says
 * how wide n bytes are; NULL: as many as there are characters.
 */
void doc_table_write(const struct doc_table *t, struct buf *out,
    unsigned indent, unsigned width, int (*columns)(const char *s, size_t n));

/*
 * How many bytes of s, at most `width` columns, go on one line: up to the end
 * of a word if there is one; at least one character.
 */
size_t doc_table_part(
    const char *s, unsigned width, int (*columns)(const char *s, size_t n));

/* Frees it; NULL is allowed. */
void doc_table_free(struct doc_table *t);

#endif
