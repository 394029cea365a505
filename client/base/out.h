/* SPDX-License-Identifier: ISC */
/*
 * What the client says: text for people or JSON for programs.  Whatever is
 * printed here cannot drive the terminal: of control characters and of those
 * that hide text or change its direction only line ends are left, the others
 * become '?', in JSON "\uXXXX".  Lines that are too long for the terminal
 * break between words.
 */
#ifndef UMPIRE_CLIENT_BASE_OUT_H
#define UMPIRE_CLIENT_BASE_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#define OUT_WIDTH 80 /* columns of text for people at most */
#define OUT_HANG 2 /* indent of what is left of a line that was too long */

struct out {
	FILE *f; /* standard output; nobody prints to it but out.c */
	/* How wide n bytes of text are; NULL: a column a character. */
	int (*columns)(const char *s, size_t n);
	bool is_json; /* --json */
	bool has_color; /* terminal, no NO_COLOR, no --no-color */
	bool is_tty; /* standard output is a terminal */
	int width; /* columns at which text is wrapped */
	int column; /* at which the next text begins */
	int hang; /* indent of what is left of the line, if it is too long */
	char *page; /* owned: what out_page_end() shows */
	size_t page_len;
};

/*
 * Prints text for people; nothing with --json.  On a terminal what is too long
 * for a line goes on in the next, with a deeper indent.
 */
void out_print(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints a line in bold, where there are colours; nothing with --json. */
void out_title(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Prints once more what an out has made, as into a stream of memory. */
void out_again(struct out *o, const char *s);

/*
 * Prints bytes as they are, whatever o->is_json says: only to what is no
 * terminal, or what no stranger wrote.
 */
void out_bytes(struct out *o, const void *p, size_t n);

/*
 * Prints a stranger's text, words wrapped at o->width, each line after the
 * first indented by `indent` spaces (the first is begun by the caller, at
 * column `column`); what is not plain becomes '?'.  Ends the line.
 */
void out_text(struct out *o, int column, int indent, const char *s);

/* The same after a label of up to eight letters. */
void out_row(struct out *o, const char *label, const char *s);

/*
 * The same for what somebody should look at: with a mark before the label, and
 * red where there are colours.
 */
void out_mark(struct out *o, const char *label, const char *s);

/*
 * The same of our own text, from the first column on: a command after a colon
 * or a question mark stays whole.
 */
void out_own(struct out *o, int indent, const char *s);

/*
 * Prints v (stolen) as one line of JSON, whatever o->is_json says; what is not
 * plain is escaped, also where no terminal is.
 */
void out_json(struct out *o, json_t *v);

/* Writes ms for people in local time: "2026-11-20 18:04". */
const char *out_time(char buf[32], int64_t ms);

#endif
