/* SPDX-License-Identifier: ISC */
/*
 * Walks a system's table of inputs (common/rules/show/declare.h): asks what it
 * says must be asked, and makes the combat of the answers.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_WALK_H
#define UMPIRE_CLIENT_PLAY_FORM_WALK_H

#include <jansson.h>

#include "client/play/form_tape.h"
#include "common/rules/show/declare.h"

struct rules_system;

struct form_walk {
	struct form_tape tape;
	const struct rules_system *sys;
	const json_t *rosters[2]; /* borrowed: the attacker's, the defender's */
	struct render *rd; /* owned */
	json_t *combat; /* owned: what was made so far */
	/* Owned: {"path","label"} of what can be changed by itself. */
	json_t *sections;
	unsigned lists; /* how many lists we are in */
	enum combat_side side; /* whose member of the combat we are in */
};

/* rosters are borrowed, and live as long as the walk. */
void form_walk_init(struct form_walk *w, const struct ask_io *io,
    const struct rules_system *sys, const json_t *attacker,
    const json_t *defender);
void form_walk_clear(struct form_walk *w);

/* Asks what is not on the tape, and makes w->combat.  As ask.h. */
int form_walk_run(struct form_walk *w) __attribute__((warn_unused_result));

/* The object of a unit or commander in the rosters, borrowed; NULL. */
const json_t *form_walk_unit(const struct form_walk *w, const char *id);

#endif
