/* SPDX-License-Identifier: ISC */
/*
 * What is said of units, pairs and objects in a form: words, numbers, texts.
 * Units with the same choices are asked about together, and what is rare is
 * asked only of those that it is true of.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_SAY_H
#define UMPIRE_CLIENT_PLAY_FORM_SAY_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "client/play/form_tell.h"

/* An object that is being made, and those that it is part of. */
struct form_place {
	const struct form_place *up; /* NULL: the whole combat */
	json_t *obj; /* borrowed */
	const char *path; /* of its keys: "attacker.stack"; "" for the combat */
	const char *label; /* for people */
};

/*
 * True if a condition (NULL: always) holds at a place, of a unit or pair that
 * is being made or of a roster's unit (element, NULL: of none).
 */
bool form_say_holds(const struct form_walk *w, const char *when,
    const struct form_place *at, const json_t *element);

/*
 * True if a question is not asked, but what is usual is assumed: outside of
 * lists, unless it was answered or is to be asked.
 */
bool form_say_may_assume(const struct form_walk *w, const char *key);

/* Notes that something is assumed; value NULL: there is nothing special. */
void form_say_assume(struct form_walk *w, const char *what, const char *value);

/*
 * Notes a question that may be assumed as one to be changed by itself; of:
 * the object or the list that it belongs to (NULL: the whole combat).  Both
 * are for people.
 */
void form_say_soft(
    struct form_walk *w, const char *path, const char *of, const char *label);

/* The same of n special members, which the list of changes then names. */
void form_say_soft_specials(struct form_walk *w, const char *path,
    const char *of, const char *label, const struct declare_field *const *found,
    size_t n);

/* The question with the subject in place of {}; free(). */
char *form_say_title(const char *question, const char *subject);

/*
 * Asks which of *n special members there are: found then holds those *n alone,
 * in the order in which they were named.  None are assumed until it is asked.
 */
int form_say_specials(struct form_walk *w, const char *label, const char *key,
    const struct declare_field **found, size_t *n)
    __attribute__((warn_unused_result));

/* Asks for one member of the object at a place, and sets it. */
int form_say_member(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path)
    __attribute__((warn_unused_result));

/*
 * Asks for what in->members say of each element of an array, and sets it;
 * path is that of the array's answers.
 */
int form_say_members(struct form_walk *w, const struct declare_field *in,
    const struct form_place *at, const char *path, json_t *elements)
    __attribute__((warn_unused_result));

#endif
