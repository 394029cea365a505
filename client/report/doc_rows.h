/* SPDX-License-Identifier: ISC */
/*
 * What stands within the entries and parts of a document in HTML: sentences,
 * dice, scores, fields, tables.  Writers of whole pages (doc_html.c) and of
 * parts of them share it: struct doc_rows is the first member of theirs, and
 * these are members of its struct doc.
 */
#ifndef UMPIRE_CLIENT_REPORT_DOC_ROWS_H
#define UMPIRE_CLIENT_REPORT_DOC_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "client/report/doc.h"
#include "common/base/buf.h"

#define DOC_ROWS_COLUMNS 8 /* of a table */

struct doc_rows {
	struct doc doc;
	struct buf body;
	size_t n_columns; /* of the open table */
	bool is_right[DOC_ROWS_COLUMNS];
	bool in_list; /* what is open */
	bool in_score;
	bool in_fields;
};

/* Ends the list or table of an event. */
void doc_rows_end(struct doc_rows *h);

/* Members of struct doc. */
void doc_rows_more_cb(void *st, const char *text);
void doc_rows_row_cb(void *st, const struct render_row *row);
void doc_rows_dice_cb(void *st, json_int_t sides, const json_t *values);
void doc_rows_paragraph_cb(void *st, const char *text);
void doc_rows_field_cb(void *st, const char *name, const char *value);
void doc_rows_table_cb(
    void *st, const char *caption, size_t n, const char *const headings[]);
void doc_rows_cells_cb(void *st, const char *const cells[]);
void doc_rows_table_end_cb(void *st);

#endif
