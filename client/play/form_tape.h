/* SPDX-License-Identifier: ISC */
/*
 * The answers of a form while it is filled in.  A form is straight-line code
 * that asks for one thing after the other; each question has a key.  To go
 * back, or to change something, answers are taken off the tape and the form
 * is run again from its start: what is still on the tape is not asked again.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_TAPE_H
#define UMPIRE_CLIENT_PLAY_FORM_TAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/ui/ask.h"

struct form_tape {
	const struct ask_io *io; /* borrowed */
	json_t *answers; /* owned: key -> value */
	json_t *steps; /* owned: keys in the order of this run */
	/* Owned: paths of what would be assumed, but is to be asked. */
	json_t *asked;
	/*
	 * Owned: answers that were taken off, key -> value, which are proposed
	 * where they are asked for again; NULL: nothing is proposed so.
	 */
	json_t *former;
};

/* A question, and what may be chosen. */
struct form_list {
	const char *key; /* borrowed, as the title; NULL: it is on no tape */
	const char *title;
	char **labels; /* owned, as the texts; for people */
	char **values; /* likewise; no two the same */
	size_t n;
	bool is_typed; /* some: an empty line does not mean none */
};

/* Adds copies, and frees all. */
void form_list_add(struct form_list *list, const char *label, const char *v);
void form_list_clear(struct form_list *list);

/* An empty tape, and frees it. */
void form_tape_init(struct form_tape *t, const struct ask_io *io);
void form_tape_clear(struct form_tape *t);

/* From now on what is taken off is proposed when it is asked for again. */
void form_tape_propose(struct form_tape *t);

/*
 * What is on the tape, as {"answers":{...},"asked":[...]}, new; NULL: nothing
 * was answered.
 */
json_t *form_tape_save(const struct form_tape *t);

/*
 * Puts back on an empty tape what form_tape_save() gave, or a file says that it
 * did.  False, and the tape stays empty, if it is not of that shape; whether an
 * answer is still one is seen where its question comes.
 */
bool form_tape_load(struct form_tape *t, const json_t *saved);

/* A run of the form begins. */
void form_tape_rewind(struct form_tape *t);

/*
 * Takes the answer off that was given last, of those before the place where
 * this run stopped; false if there is none.
 */
bool form_tape_back(struct form_tape *t);

/* Takes the last answer of this run off, to ask for it again at once. */
void form_tape_undo(struct form_tape *t);

/*
 * Takes off all answers whose keys are path or continue it ("a" has "a.b",
 * "a[0]", "a:x" and "a!", not "ab").  "" begins again: what was to be asked
 * may be assumed again, too.
 */
void form_tape_drop(struct form_tape *t, const char *path);

/* From now on what path covers is asked, even if it could be assumed. */
void form_tape_ask(struct form_tape *t, const char *path);

/* True if a question has no answer, and need not be asked. */
bool form_tape_may_assume(const struct form_tape *t, const char *key);

/*
 * The questions of ask.h, answered from the tape where it has a value that
 * is offered still.  Choices are by index into the list.
 */
int form_tape_choice(struct form_tape *t, const struct form_list *list,
    int fallback, size_t *pick) __attribute__((warn_unused_result));
int form_tape_some(struct form_tape *t, const struct form_list *list,
    size_t least, size_t most, size_t *picks, size_t *n_picks)
    __attribute__((warn_unused_result));
int form_tape_yes(struct form_tape *t, const char *key, const char *question,
    int fallback, bool *yes) __attribute__((warn_unused_result));
int form_tape_number(struct form_tape *t, const char *key, const char *question,
    int64_t lo, int64_t hi, const int64_t *fallback, int64_t *out)
    __attribute__((warn_unused_result));
/* *out is new; "" only if may_be_empty. */
int form_tape_text(struct form_tape *t, const char *key, const char *question,
    size_t max, bool may_be_empty, char **out)
    __attribute__((warn_unused_result));

/* The same; enter is ask_text_or()'s. */
int form_tape_text_or(struct form_tape *t, const char *key,
    const char *question, size_t max, const char *enter, char **out)
    __attribute__((warn_unused_result));

#endif
