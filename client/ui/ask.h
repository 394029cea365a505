/* SPDX-License-Identifier: ISC */
/*
 * Questions to a person, asked one after the other: what `umpire play` and
 * the forms for combats and decisions are made of.  struct ask_io hides
 * what answers, a terminal or a test.  A wrong answer is told and asked for
 * again, so that what comes back is always one of what was offered.
 */
#ifndef UMPIRE_CLIENT_UI_ASK_H
#define UMPIRE_CLIENT_UI_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/ui/ask_list.h"

/*
 * How a prompt begins where an empty line shows more: a terminal takes a space
 * for one there.
 */
#define ASK_MORE "Enter: more"

#define ASK_BACK 1 /* the person wants to go back: nothing was answered */

/*
 * What all questions return: 0 with the answer; ASK_BACK for "b" or "back";
 * ERR_CLOSED for "q", "quit" or "exit", which leave all questions, and at the
 * end of the input.  "?" or "help" says what may be typed.  That is so at
 * every question, and every prompt says it.
 */

/*
 * Lists n choices by number and reads one: *pick is its index.  A label may
 * also be typed, or enough of its beginning; "?" lists them again, in full.
 * fallback >= 0: what an empty line means, shown in the prompt; where there is
 * but one choice, it means that.
 */
int ask_choice(const struct ask_io *io, const char *title,
    const char *const labels[], size_t n, int fallback, size_t *pick)
    __attribute__((warn_unused_result));

/*
 * Reads any number of them: "1 3-5", "guard*" (all whose labels begin so),
 * "all", "none", in the order typed: picks has room for n, *n_picks says how
 * many; each at most once.  least and most bound their number.  An empty line
 * means all where all are needed, and none if least is 0 and may_enter says
 * so: where none is a rare answer it has to be typed.
 */
int ask_some(const struct ask_io *io, const char *title,
    const char *const labels[], size_t n, size_t least, size_t most,
    bool may_enter, size_t *picks, size_t *n_picks)
    __attribute__((warn_unused_result));

/*
 * The same; enter: the line that an empty one stands for ("2 4-6"), shown in
 * the prompt; NULL: something has to be typed.
 */
int ask_some_or(const struct ask_io *io, const char *title,
    const char *const labels[], size_t n, size_t least, size_t most,
    const char *enter, size_t *picks, size_t *n_picks)
    __attribute__((warn_unused_result));

/* Waits for an empty line before more is shown. */
int ask_more(const struct ask_io *io) __attribute__((warn_unused_result));

/* Yes or no; fallback: 1 yes, 0 no, -1 an empty line is asked again. */
int ask_yes(const struct ask_io *io, const char *question, int fallback,
    bool *yes) __attribute__((warn_unused_result));

/* Something else that a yes-or-no question offers: it is asked again. */
struct ask_extra {
	char letter;
	const char *word;
	void (*tell)(void *arg);
	void *arg;
};

/* The same with one (borrowed). */
int ask_yes_or(const struct ask_io *io, const char *question, int fallback,
    const struct ask_extra *extra, bool *yes)
    __attribute__((warn_unused_result));

/* A whole number from lo to hi; has_fallback: an empty line means *out. */
int ask_number(const struct ask_io *io, const char *question, int64_t lo,
    int64_t hi, bool has_fallback, int64_t *out)
    __attribute__((warn_unused_result));

/*
 * A line of text of 1 to max bytes of UTF-8 without control characters;
 * may_be_empty: 0 bytes too.  *out is new.
 */
int ask_text(const struct ask_io *io, const char *question, size_t max,
    bool may_be_empty, char **out) __attribute__((warn_unused_result));

/*
 * The same; enter: what an empty line means ("": none), shown in the prompt;
 * NULL: something has to be typed.
 */
int ask_text_or(const struct ask_io *io, const char *question, size_t max,
    const char *enter, char **out) __attribute__((warn_unused_result));

#endif
