/* SPDX-License-Identifier: ISC */
/*
 * The sentences for people: one renderer over events (umpire-record.7).  It
 * is no part of the rules version; a reader must be able to redo the combat
 * by hand from what it prints.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_RENDER_H
#define UMPIRE_COMMON_RULES_SHOW_RENDER_H

#include <jansson.h>

struct buf;
struct rules_system;

struct render; /* remembers names of units between events of one combat */

/* Makes a renderer for one combat; NULL without memory. */
struct render *render_new(const struct rules_system *sys);

/* Has units shown by their names alone, but those that share one. */
void render_hide_ids(struct render *rd);

/* Frees it; NULL is allowed. */
void render_free(struct render *rd);

/* What a row of an event is. */
enum render_row_kind {
	RENDER_ROW_GAP, /* nothing: what follows is another part */
	RENDER_ROW_TEXT, /* a sentence */
	RENDER_ROW_COMBAT, /* the combat's first: which rules it is fought by */
	RENDER_ROW_HEAD, /* what the rows that follow are a list of */
	RENDER_ROW_DICE, /* a roll */
	RENDER_ROW_CHITS, /* a draw */
	RENDER_ROW_SCORE, /* whose score; its terms follow */
	RENDER_ROW_TERM, /* one term of it */
	RENDER_ROW_TOTAL, /* the score itself, after its terms; no text */
	RENDER_ROW_RESULT, /* the word before the result's sentences */
};

/*
 * A row of an event.  The texts are never NULL, and may hold what a stranger
 * wrote: who shows them makes them safe.
 */
struct render_row {
	enum render_row_kind kind;
	unsigned indent; /* columns, if it is shown as text */
	const char *text; /* the whole row in a sentence */
	/*
	 * Dice, chits: what they are for, to stand before a picture of them;
	 * term, total: the number, "" if it has none.
	 */
	const char *lead;
	const char *rest; /* dice, chits: what fell; term: its reason */
	const json_t *values; /* dice, chits: what fell, borrowed; any JSON */
	json_int_t sides; /* dice: 0 if the event does not say */
};

/* Who takes rows. */
struct render_sink {
	void (*row_cb)(void *arg, const struct render_row *row);
	void *arg;
	int error; /* 0, ERR_NOMEM: a row lacks its text; begin with 0 */
};

/* Gives the rows of one event, in the order in which they are read. */
void render_rows(
    struct render *rd, const json_t *event, struct render_sink *out);

/* Appends the lines of one event, each ended by LF and at most 80 columns. */
void render_event(struct render *rd, const json_t *event, struct buf *out);

/*
 * Appends an open question {"side","kind","options"} and the ways to answer
 * it, in words: what is asked, by whom, and what may be said.
 */
void render_question(struct render *rd, const json_t *asked, struct buf *out);

#endif
