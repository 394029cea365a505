/* SPDX-License-Identifier: ISC */
/*
 * Decisions that only a rule of the system can tell, by questions
 * (umpire-rules.7, 11.4 to 11.6, 13.6, 14.4); and what all questions of a
 * decision share.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_RULE_H
#define UMPIRE_CLIENT_PLAY_FORM_RULE_H

#include <stddef.h>

#include <jansson.h>

#include "client/play/form_tape.h"

struct game;
struct render;

/* A decision while it is made. */
struct form_decide {
	struct form_tape tape;
	const struct game *g; /* borrowed */
	int seat;
	const char *kind; /* borrowed from the question */
	const json_t *options; /* likewise */
	json_t *view; /* owned */
	const json_t *roster; /* borrowed from the view */
	struct render *rd; /* owned */
	json_t *suggested; /* owned: a lawful decision; NULL if there is none */
	char *suggestion; /* owned: in words; NULL */
	json_t *decision; /* owned: what was made so far */
};

/* The roster's object of an id, borrowed; NULL if there is none. */
const json_t *form_decide_unit(const struct form_decide *d, const char *id);

/* A unit, or whatever has this id, for a list; free(). */
char *form_decide_label(const struct form_decide *d, const char *id);

/* Shows a paragraph. */
void form_decide_say(const struct form_decide *d, const char *text);

/* Asks for least to most of the ids; *chosen is a new array of them. */
int form_decide_some(struct form_decide *d, const char *key, const char *title,
    const json_t *ids, size_t least, size_t most, json_t **chosen)
    __attribute__((warn_unused_result));

/*
 * Asks what the rule with this name needs, and sets the members of
 * d->decision; ERR_NEWER for a rule that is not known.
 */
int form_rule(struct form_decide *d, const char *name)
    __attribute__((warn_unused_result));

#endif
