/* SPDX-License-Identifier: ISC */
/*
 * What out.h leaves to a terminal: its size and colours, errors and questions
 * on standard error, a pager, tables.
 */
#ifndef UMPIRE_CLIENT_UI_OUT_TERMINAL_H
#define UMPIRE_CLIENT_UI_OUT_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

struct out;

/* Sets the locale for letters and fills *o. */
void out_init(struct out *o, bool is_json, bool may_color);

/*
 * Flushes standard output.  0, or ERR_IO if what was printed did not get out;
 * *is_pipe says that the reader just went away.
 */
int out_flush(struct out *o, bool *is_pipe) __attribute__((warn_unused_result));

/*
 * What is printed between these, errors and notes with it, goes through the
 * reader's pager if it is longer than the terminal; nothing happens where
 * there is none, with --json, or if they do not want one.  Not nested; *o
 * must outlive both.
 */
void out_page_begin(struct out *o);
void out_page_end(struct out *o);

/*
 * True if what is printed may be drawn: on a terminal that is wide enough and
 * not, by its name, a dumb one, as those are called that read lines aloud.
 */
bool out_can_draw(const struct out *o);

/* Rings a terminal's bell; nothing with --json. */
void out_ring(struct out *o);

/*
 * A copy of s that is safe for a terminal, with line ends between words, so
 * that no line is longer than width; free().
 */
char *out_fold(const char *s, int width);

/*
 * Prints "umpire: ..." and a line end to standard error; bytes that are not
 * plain become '?', but line ends stay: what follows them is indented.  Only
 * on a terminal long lines are broken.
 */
void out_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints a further line of an error, indented, or a note. */
void out_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * From now on commands of this program that errors, notes and hints name have
 * the profile (borrowed; NULL: none), where is_command knows the subcommand and
 * the line does not name a profile itself.
 */
void out_set_profile(const char *profile,
    bool (*is_command)(const void *arg, const char *word, size_t n),
    const void *arg);

/* out_print() of a text that names commands. */
void out_hint(struct out *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* True if a question can be asked: standard input and error are terminals. */
bool out_can_ask(void);

/*
 * Asks on standard error until a line says "y", "yes", "n", "no" or nothing;
 * true for the first two, false also where reading ends.  Only if
 * out_can_ask().
 */
bool out_ask(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Asks on standard error for a line, and leaves its end away; what is too long
 * for it is left out.  False where reading ends.  Only if out_can_ask().
 */
bool out_ask_line(char *line, size_t size, const char *question);

/*
 * Notes that Ctrl-C left a question, and says whether it did: the exit status
 * is that of a program which it ends.
 */
void out_drop(void);
bool out_is_dropped(void);

/*
 * If what follows takes over a second and standard error is a terminal,
 * shows `what` there until out_progress_end().  Not nested.
 */
void out_progress(const char *what);
void out_progress_end(void);

/* Shows something else there, if it shows something; else it will. */
void out_progress_now(const char *what);

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

/*
 * Prints the table, each line after two spaces, and frees it.  Where it is too
 * wide for the terminal each cell has a line, after its heading.
 */
void out_table_end(struct out *o, struct out_table *t);

#endif
