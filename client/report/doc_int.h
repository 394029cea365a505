/* SPDX-License-Identifier: ISC */
/* What the writers of documents implement. */
#ifndef UMPIRE_CLIENT_REPORT_DOC_INT_H
#define UMPIRE_CLIENT_REPORT_DOC_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#define DOC_DAY 11 /* bytes of "2026-11-20"; "" for none yet */

struct doc_entry;
struct doc_head;
struct doc_title;
struct render_row;

/* Every member is there; each has its contract in doc.h. */
struct doc_ops {
	void (*title)(void *st, const struct doc_title *t);
	void (*warn)(void *st, const char *text);
	void (*turn)(void *st, const char *text);
	void (*combat)(void *st, const struct doc_head *head);
	void (*combat_more)(void *st, const struct doc_head *head);
	void (*combat_end)(void *st);
	void (*entry)(void *st, const struct doc_entry *en);
	void (*more)(void *st, const char *text);
	void (*row)(void *st, const struct render_row *row);
	void (*dice)(void *st, json_int_t sides, const json_t *values);
	void (*gap)(void *st);
	void (*section)(void *st, const char *heading);
	void (*paragraph)(void *st, const char *text);
	void (*field)(void *st, const char *name, const char *value);
	void (*table)(void *st, const char *caption, size_t n,
	    const char *const headings[]);
	void (*cells)(void *st, const char *const cells[]);
	void (*table_end)(void *st);
	void (*finish)(void *st);
	void (*free)(void *st);
	bool is_whole;
};

struct doc {
	const struct doc_ops *ops;
	void *st; /* owned: the writer's own */
};

/*
 * When a game was played, and on whose clock: "2026-11-20, times in UTC"; or
 * two days with "to"; free().
 */
char *doc_days(const struct doc_title *t);

/*
 * When a line was written, for entries below each other: with the day only
 * where it is another than in `day`, which is then this one.  Returns buf.
 */
const char *doc_when(char buf[32], char day[DOC_DAY], int64_t at_ms);

/* Makes a document of a writer; st is stolen. */
struct doc *doc_new(const struct doc_ops *ops, void *st);

#endif
