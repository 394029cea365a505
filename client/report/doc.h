/* SPDX-License-Identifier: ISC */
/*
 * A told game as a document: title, turns, combats, entries, dice, scores.
 * Whoever tells it (client/report/report.h) does not know how it looks; the
 * writers for text, Markdown, BBCode and HTML do.  All texts may hold what
 * strangers wrote: each writer makes them safe in its own way.
 */
#ifndef UMPIRE_CLIENT_REPORT_DOC_H
#define UMPIRE_CLIENT_REPORT_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

struct out;
struct render_row;
struct scene;

/* What a document is about; all borrowed. */
struct doc_title {
	const char *name; /* how commands call the game, or its file */
	const char *system; /* "lasalle2" */
	const char *rules; /* "Lasalle, second edition" */
	const char *event; /* "Waterloo Cup, round 2, table 3"; "" if none */
	const char *sides[2];
	const char *players[2]; /* of each side: "anna, carl" */
	const char *director; /* "" if there is none */
	const char *result; /* who won and how, a sentence or more */
	int64_t from_ms; /* when its first line was written */
	int64_t to_ms; /* and its last */
};

/* A combat; all borrowed. */
struct doc_head {
	int n; /* its number */
	const char *text; /* its heading */
	/* Why it does not count: "taken back by line 9"; NULL: it does. */
	const char *fate;
	const char *outcome; /* how it came out, in a line; "" if not yet */
	const struct scene *scene; /* what there is to draw; NULL: nothing */
};

/* A line of the record; all borrowed. */
struct doc_entry {
	int64_t seq;
	int64_t at_ms;
	bool has_now; /* it says when it was signed, */
	int64_t now_ms; /* by its author's clock */
	const char *who; /* of speech: whose; else NULL */
	const char *text; /* a sentence, or what was said */
	bool is_undone; /* it was taken back, or objected to */
	bool is_raw; /* further lines of text hang no deeper than the first */
};

/*
 * A writer, and what it is told; the writer is the first argument of each.
 * One that is made keeps its own state after this.
 */
struct doc {
	/* Begins the document. */
	void (*title)(void *d, const struct doc_title *t);
	/* Says at its top that something is wrong with what is told. */
	void (*warn)(void *d, const char *text);
	/* Begins a part: a turn, or what comes before the first. */
	void (*turn)(void *d, const char *text);
	/*
	 * Begins a combat; goes on with it after other entries; ends it, so
	 * that what follows stands beside it.  Ending none is harmless.  One
	 * that does not count is struck, and folded where that can be.
	 */
	void (*combat)(void *d, const struct doc_head *head);
	void (*combat_more)(void *d, const struct doc_head *head);
	void (*combat_end)(void *d);
	/* Tells a line; what follows belongs to it until the next one. */
	void (*entry)(void *d, const struct doc_entry *en);
	/* Tells a further sentence of the entry. */
	void (*more)(void *d, const char *text);
	/* Tells a row of an event of the entry. */
	void (*row)(void *d, const struct render_row *row);
	/* Draws dice that a sentence has told in words; text does nothing. */
	void (*dice)(void *d, json_int_t sides, const json_t *values);
	/* An empty line, where empty lines set parts off. */
	void (*gap)(void *d);
	/* Begins a part at the end, which is about the game as a whole. */
	void (*section)(void *d, const char *heading);
	/* A paragraph of such a part. */
	void (*paragraph)(void *d, const char *text);
	/* A name and a value in such a part, where n may be many in a row. */
	void (*field)(void *d, const char *name, const char *value);
	/*
	 * A table: n headings; '>' before one sets its column to the right.  A
	 * row has n cells.  A combat's score sheet has no caption (NULL).
	 */
	void (*table)(void *d, const char *caption, size_t n,
	    const char *const headings[]);
	void (*cells)(void *d, const char *const cells[]);
	void (*table_end)(void *d);
	/* Writes what is still to be written; nothing may be told after it. */
	void (*finish)(void *d);
	void (*free)(void *d);
	bool is_whole; /* it has room for what text leaves to other commands */
};

/*
 * Makes a writer to o, which must outlive it: text as ever; Markdown; BBCode
 * for forums; one HTML page, which is written by finish().
 */
struct doc *doc_text_new(struct out *o);
struct doc *doc_markdown_new(struct out *o);
struct doc *doc_bbcode_new(struct out *o);
struct doc *doc_html_new(struct out *o);

#endif
