/* SPDX-License-Identifier: ISC */
/*
 * Forms for tests: a game of a sample's rosters, and a person whose answers
 * are a script, or come by chance.
 */
#ifndef UMPIRE_TESTS_LIB_FORM_H
#define UMPIRE_TESTS_LIB_FORM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/play/form.h"
#include "client/ui/ask.h"
#include "common/base/buf.h"
#include "common/rules/rules.h"

#include "tests/lib/chance.h"
#include "tests/lib/table.h"

#define FORM_FILE_MAX (1U << 20)
#define FORM_ASKED_MAX 4000 /* lines until a person gives up */

/* A person at a form. */
struct person {
	const char *const *lines; /* ended by NULL; NULL: by chance */
	size_t n; /* lines read so far */
	uint64_t seed;
	size_t choices; /* numbered lines of the last list */
	bool is_eager; /* takes what is offered where they can */
	bool is_advised; /* the last list had a suggestion */
	bool is_own; /* they did not follow it, or there was none */
	struct buf said; /* all that was shown, prompts too */
};

/* A person with a script (NULL: by chance); buf_clear(&p->said) ends it. */
struct ask_io form_person_init(
    struct person *p, const char *const lines[], uint64_t seed);

/* Reads a sample; new. */
json_t *form_sample(const struct rules_system *sys, const char *what);

/* A game of a system that has begun, with this roster (borrowed). */
void form_begin(
    struct table *t, const struct rules_system *sys, const json_t *roster);

/* A person's answers; '=' stands before a text, where anything goes. */
struct form_script {
	const char *system;
	const char *const *lines; /* that give the sample's declaration */
};

#define FORM_SCRIPTS 5

extern const struct form_script form_scripts[FORM_SCRIPTS];

/* A line as it is typed. */
const char *form_typed(const char *line);

/* Opens the game of a script. */
void form_open(struct table *t, const struct form_script *s);

/* Declares by lines; what was said must have these texts, in order. */
json_t *form_hears(const struct table *t, int side, const char *const *lines,
    const char *const *texts);

#endif
