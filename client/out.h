/* SPDX-License-Identifier: ISC */
/*
 * What the client says: text for people or JSON for programs on standard
 * output, errors and questions on standard error.  Text from strangers goes
 * through out_text() or a table, so that it cannot drive the terminal.
 */
#ifndef UMPIRE_CLIENT_OUT_H
#define UMPIRE_CLIENT_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#define OUT_WIDTH 80 /* columns of text for people */

struct out {
	FILE *f; /* standard output */
	bool is_json; /* --json */
	bool has_color; /* terminal, no NO_COLOR, no --no-color */
	bool is_tty; /* standard output is a terminal */
	int width; /* columns at which text is wrapped */
};

/* Sets the locale for letters and fills *o. */
void out_init(struct out *o, bool is_json, bool may_color);

/*
 * Flushes standard output.  0, or ERR_IO if what was printed did not get
 * out; *is_pipe says that the reader only went away.
 */
int out_flush(struct out *o, bool *is_pipe) __attribute__((warn_unused_result));

/* Prints text for people; nothing with --json. */
void out_print(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a line in bold, where there are colours; nothing with --json. */
void out_title(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * Prints a stranger's text, words wrapped at 80 columns, each line after
 * the first behind `indent` spaces (the first is begun by the caller, at
 * column `column`); what is not plain becomes '?'.  Ends the line.
 */
void out_text(struct out *o, int column, int indent, const char *s);

/* A copy of s that is safe for a terminal and has no line ends; free(). */
char *out_safe(const char *s);

/* Prints v (stolen) as one line of JSON, whatever o->is_json says. */
void out_json(struct out *o, json_t *v);

/*
 * Prints "umpire: ..." and a line end to standard error; bytes that are not
 * plain become '?', but line ends stay: what follows them is indented.  Only
 * on a terminal long lines are broken.
 */
void out_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints a further line of an error, indented, or a note. */
void out_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* True if a question can be asked: standard input and error are terminals. */
bool out_can_ask(void);

/*
 * Asks on standard error (fmt gives plain text) and reads a line; true for
 * "y" or "yes".  Only if out_can_ask().
 */
bool out_ask(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Writes ms for people in local time: "2026-11-20 18:04". */
const char *out_time(char buf[32], int64_t ms);

/*
 * If what follows takes over a second and standard error is a terminal,
 * shows `what` there until out_progress_end().  Not nested.
 */
void out_progress(const char *what);
void out_progress_end(void);

/* ---- tables ---- */

struct out_table;

/*
 * Makes a table with n columns of these headings (ended by NULL).  A heading
 * that begins with '>' is set to the right, with '~' may be cut when the
 * line is too long.
 */
struct out_table *out_table_new(const char *const headings[]);

/* Adds a line; as many cells as there are headings. */
void out_table_line(struct out_table *t, const char *const cells[]);

/* Prints the table, each line behind two spaces, and frees it. */
void out_table_end(struct out *o, struct out_table *t);

#endif
