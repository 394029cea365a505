/* SPDX-License-Identifier: ISC */
/* What the questions about rosters and those about one unit share. */
#ifndef UMPIRE_CLIENT_PLAY_ROSTER_FORM_INT_H
#define UMPIRE_CLIENT_PLAY_ROSTER_FORM_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/play/form_tape.h"
#include "client/play/roster_form.h"

#define ROSTER_FORM_KEY 96

struct declare_member;
struct render;
struct rules_show;
struct schema_row;

/*
 * One run over all questions.  All that is there follows from the answers,
 * which are on the tape by their number and their name: going back takes the
 * last one off, and going on reads them all again.
 */
struct roster_form_run {
	const struct roster_form *form;
	struct form_tape tape;
	const struct rules_show *show;
	struct render *rd; /* owned */
	json_t *sides[2]; /* owned: {"name"?,"units","commanders"?} */
	json_t *says; /* owned: texts for before the next question */
	char key[ROSTER_FORM_KEY]; /* of the question that is asked */
};

/* Units, or commanders: how they are read and asked for. */
struct roster_form_kind {
	const char *list; /* "units" */
	const char *one; /* "unit" */
	const struct schema_row *rows;
	const struct declare_member *members;
};

/* Kind 0 are units, 1 commanders; rows is NULL if the system has none. */
struct roster_form_kind roster_form_kind(
    const struct roster_form_run *f, size_t kind);

/* Says a text before the next question that is really asked. */
void roster_form_say(struct roster_form_run *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Says at once what is wrong with the last answer. */
void roster_form_fault(struct roster_form_run *f, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The questions of form_tape.h by names; the answers are saved, and texts said
 * before them.  The list's key is set here.
 */
int roster_form_choice(struct roster_form_run *f, const char *name,
    struct form_list *list, int fallback, size_t *pick)
    __attribute__((warn_unused_result));
int roster_form_some(struct roster_form_run *f, const char *name,
    struct form_list *list, size_t *picks, size_t *n_picks)
    __attribute__((warn_unused_result));
int roster_form_yes(struct roster_form_run *f, const char *name,
    const char *question, int fallback, bool *yes)
    __attribute__((warn_unused_result));
int roster_form_number(struct roster_form_run *f, const char *name,
    const char *question, int64_t lo, int64_t hi, const int64_t *fallback,
    int64_t *out) __attribute__((warn_unused_result));
int roster_form_text(struct roster_form_run *f, const char *name,
    const char *question, const char *enter, char **out)
    __attribute__((warn_unused_result));

/* True if the next question of this name has no answer yet. */
bool roster_form_is_asked(struct roster_form_run *f, const char *name);

/* True for what people type who want no name: none, or -. */
bool roster_form_unit_is_none(const char *s);

/*
 * Asks for a unit or commander: like is what answers are assumed from, the
 * unit itself if it is changed (self, else NULL).  *out is new, and the
 * system takes it.
 */
int roster_form_unit(struct roster_form_run *f, size_t side, size_t kind,
    const json_t *like, const json_t *self, json_t **out)
    __attribute__((warn_unused_result));

/* A copy of a unit with other ids, its name counted on; new. */
json_t *roster_form_unit_copy(
    const struct roster_form_run *f, size_t kind, const json_t *unit);

#endif
