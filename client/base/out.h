/* SPDX-License-Identifier: ISC */
/*
 * What the client says: text for people or JSON for programs on standard
 * output, errors and questions on standard error.  Whatever is printed here
 * cannot drive the terminal: of control characters and of those that hide
 * text or change its direction only line ends are left, the others become
 * '?', in JSON "\uXXXX".  Lines that are too long for the terminal break
 * between words.
 */
#ifndef UMPIRE_CLIENT_BASE_OUT_H
#define UMPIRE_CLIENT_BASE_OUT_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

#define OUT_WIDTH 80 /* columns of text for people at most */

struct out {
	FILE *f; /* standard output; nobody prints to it but out.c */
	bool is_json; /* --json */
	bool has_color; /* terminal, no NO_COLOR, no --no-color */
	bool is_tty; /* standard output is a terminal */
	int width; /* columns at which text is wrapped */
	int column; /* at which the next text begins */
	int hang; /* indent of what is left of the line, if it is too long */
	char *page; /* owned: what out_page_end() shows */
	size_t page_len;
};

/* Sets the locale for letters and fills *o. */
void out_init(struct out *o, bool is_json, bool may_color);

/*
 * Flushes standard output.  0, or ERR_IO if what was printed did not get
 * out; *is_pipe says that the reader only went away.
 */
int out_flush(struct out *o, bool *is_pipe) __attribute__((warn_unused_result));

/*
 * Prints text for people; nothing with --json.  On a terminal what is too
 * long for a line goes on in the next, behind a deeper indent.
 */
void out_print(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a line in bold, where there are colours; nothing with --json. */
void out_title(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * What is printed between these, errors and notes with it, goes through the
 * reader's pager if it is longer than the terminal; nothing happens where
 * there is none, with --json, or if they do not want one.  Not nested; *o
 * must outlive both.
 */
void out_page_begin(struct out *o);
void out_page_end(struct out *o);

/* Prints once more what an out has made, as into a stream of memory. */
void out_again(struct out *o, const char *s);

/*
 * Prints bytes as they are, whatever o->is_json says: only to what is no
 * terminal, or what no stranger wrote.
 */
void out_bytes(struct out *o, const void *p, size_t n);

/* Rings a terminal's bell; nothing with --json. */
void out_ring(struct out *o);

/*
 * Prints a stranger's text, words wrapped at o->width, each line after
 * the first behind `indent` spaces (the first is begun by the caller, at
 * column `column`); what is not plain becomes '?'.  Ends the line.
 */
void out_text(struct out *o, int column, int indent, const char *s);

/* A copy of s that is safe for a terminal and has no line ends; free(). */
char *out_safe(const char *s);

/*
 * The same, with line ends between words, so that no line is longer than
 * width; free().
 */
char *out_fold(const char *s, int width);

/*
 * Prints v (stolen) as one line of JSON, whatever o->is_json says; what is not
 * plain is escaped, also where no terminal is.
 */
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
 * Asks on standard error and reads a line; true for
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
