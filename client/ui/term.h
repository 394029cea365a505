/* SPDX-License-Identifier: ISC */
/*
 * The terminal: lines that are edited while they are typed (libedit), with
 * a history and completion, and something else that is waited for at the
 * same time, whose output goes above the line that is being typed.
 */
#ifndef UMPIRE_CLIENT_UI_TERM_H
#define UMPIRE_CLIENT_UI_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/ui/ask.h"
#include "common/base/err.h"

struct cmd_ctx;
struct out;
struct term;

/* What else is waited for while a line is typed. */
struct term_wait {
	/*
	 * The descriptor that becomes readable (-1: none now), and after how
	 * many milliseconds ready() is to be called anyway (-1: never).
	 */
	int (*fd)(void *arg, int64_t *wait_ms);
	/*
	 * Does what is to be done.  What is to be printed above the line is
	 * returned, new and safe for a terminal; NULL: nothing.
	 */
	char *(*ready)(void *arg);
	void *arg;
};

/*
 * Takes hold of standard input and output, which must be a terminal
 * (out_can_ask()).  o, borrowed, is where ask_io's texts go.  ERR_IO.  *out
 * is new.
 */
int term_open(struct out *o, struct term **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Gives the terminal back as it was; NULL is allowed. */
void term_close(struct term *t);

/* Sets what else is waited for (borrowed); NULL: nothing. */
void term_set_wait(struct term *t, const struct term_wait *wait);

/*
 * Keeps a history in this file (mode 0600), whose lines are read now; one
 * that cannot be read or written is done without.
 */
void term_set_history(struct term *t, const char *path);

/* Adds a line to the history and its file. */
void term_remember(struct term *t, const char *line);

/*
 * Reads a line after a prompt: *line is new, without its end and blanks
 * around.  words (borrowed, may be NULL) is an array of texts; one that
 * begins with what was typed completes it.  ERR_CLOSED at Ctrl-D on an
 * empty line, or when the terminal is gone; ERR_BUSY when Ctrl-C or
 * term_drop() dropped the line.
 */
int term_line(struct term *t, const char *prompt, const json_t *words,
    char **line) __attribute__((warn_unused_result));

/*
 * For term_wait's ready(): another prompt for the line that is being typed,
 * which is shown when it returns;
 * whether anything is typed in it; an end of this line, which is then erased,
 * with ERR_BUSY; an end of it, as if the terminal were gone.
 */
void term_set_prompt(struct term *t, const char *prompt);
bool term_has_text(const struct term *t);
void term_drop(struct term *t);
void term_end(struct term *t);

/*
 * As what asks through this terminal; Ctrl-C means back there, but leaves all
 * questions of one that term_begin() opened, and out_drop() notes it.
 */
void term_ask(struct term *t, struct ask_io *io);

/*
 * For a subcommand that asks: through `umpire play` if it runs inside
 * (*out NULL), else through a terminal of its own, *out new.  Prints what
 * fails, such as that there is no terminal: `what` then says what to type
 * instead.  0, or an exit status.
 */
int term_begin(struct cmd_ctx *cx, const char *what, struct term **out,
    struct ask_io *io) __attribute__((warn_unused_result));

#endif
