/* SPDX-License-Identifier: ISC */
/* The rows of the renderer, given to whoever asked for them. */
#ifndef UMPIRE_COMMON_RULES_SHOW_RENDER_ROW_H
#define UMPIRE_COMMON_RULES_SHOW_RENDER_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct buf;

/* What a row of an event is. */
enum render_row_kind {
	RENDER_ROW_GAP, /* nothing: what follows is another part */
	RENDER_ROW_TEXT, /* a sentence */
	RENDER_ROW_COMBAT, /* the combat's first: which rules it is fought by */
	RENDER_ROW_HEAD, /* the title of the rows that follow */
	RENDER_ROW_DICE, /* a roll */
	RENDER_ROW_CHITS, /* a draw */
	RENDER_ROW_SCORE, /* which score, whose, and what it is; terms follow */
	RENDER_ROW_TERM, /* one term of it */
	RENDER_ROW_TOTAL, /* the score itself, after its terms; no text */
	RENDER_ROW_RESULT, /* the word before the result's sentences */
};

/* What a term of a score is to it. */
enum render_part {
	RENDER_PART_BASE, /* what it begins with: strength, factors */
	RENDER_PART_DIE,
	RENDER_PART_MODIFIER,
	RENDER_PART_MARK, /* no addend: a bound, a division */
};

/*
 * A row of an event.  The texts are never NULL, and may hold what a stranger
 * wrote: whoever shows them makes them safe.
 */
struct render_row {
	enum render_row_kind kind;
	unsigned indent; /* columns, if it is shown as text */
	const char *text; /* the whole row in a sentence */
	/*
	 * Dice, chits: what they are for, to stand before a picture of them;
	 * score: whose it is, and which unless there is but one kind; term,
	 * total: the number, "" if it has none.
	 */
	const char *lead;
	const char *rest; /* dice, chits: what fell; term: its reason */
	const json_t *values; /* dice, chits: what fell, borrowed; any JSON */
	json_int_t sides; /* dice: 0 if the event does not say */
	enum render_part part; /* term */
	/* Score: the unit's id, "" if it is a side's; else NULL. */
	const char *unit;
	/*
	 * Score: what it is called where it is told in the line of the
	 * outcome, which may be ""; NULL if it has no place there.
	 */
	const char *against;
};

/* Takes rows. */
struct render_sink {
	void (*row_cb)(void *arg, const struct render_row *row);
	void *arg;
	int error; /* 0, ERR_NOMEM: a row lacks its text; begin with 0 */
};

/* Gives a row of this text, and clears b. */
void render_row_put(struct render_sink *out, enum render_row_kind kind,
    unsigned indent, struct buf *b);

/* Gives a row of formatted text. */
void render_row_printf(struct render_sink *out, enum render_row_kind kind,
    unsigned indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Gives a score, the texts of its row, unit and against; clears the texts. */
void render_row_score(struct render_sink *out, struct buf *text,
    struct buf *lead, const char *unit, const char *against);

/* Gives a term of a score: its value, a blank, its reason; clears b. */
void render_row_term(struct render_sink *out, enum render_part part,
    const char *value, struct buf *reason);

/* Gives a number of a score under its name: "strength 5". */
void render_row_number(struct render_sink *out, enum render_part part,
    const char *name, json_int_t n);

/*
 * Gives a term that is not an addend: in a sentence, and as a mark such as ">=
 * 1" with its reason.
 */
void render_row_mark(struct render_sink *out, const char *text,
    const char *mark, const char *reason);

/* Gives the score itself: "5", or "4.5" of points. */
void render_row_total(struct render_sink *out, const char *total);

/*
 * Gives a roll or, if sides is NULL, a draw: its sentence, which from byte n
 * on says what fell, and what it is for beside a picture.  The values are
 * borrowed and may be missing.  Clears b and lead.
 */
void render_row_dice(struct render_sink *out, struct buf *b, size_t n,
    struct buf *lead, const json_t *values, const json_t *sides);

/* Gives an empty row. */
void render_row_gap(struct render_sink *out);

#endif
