/* SPDX-License-Identifier: ISC */
/*
 * Rosters put together by questions, so that nobody types JSON.  What a unit
 * has are the system's tables: types and bounds are the schema's
 * (common/rules/schema.h), the questions those of declare.h.
 */
#ifndef UMPIRE_CLIENT_PLAY_ROSTER_FORM_H
#define UMPIRE_CLIENT_PLAY_ROSTER_FORM_H

#include <jansson.h>

#include "client/ui/ask.h"

struct rules_system;

struct roster_form {
	const struct ask_io *io;
	const struct rules_system *sys;
	int only; /* 1 or 2: that side alone, to join a game; 0: both */
	/*
	 * What was answered: an object, borrowed and changed.  The questions
	 * go on where an earlier run left off, with what it left in here.
	 */
	json_t *answers;
	/* Called whenever they have changed; non-zero ends the questions. */
	int (*save)(void *arg, const json_t *answers);
	/* Shows the blob as it would be written. */
	void (*show)(void *arg, const json_t *blob);
	void *arg;
};

/*
 * Asks for the rosters of both sides, or of one.  *blob is new, and
 * roster_parse() takes it, or adjust_join().  As ask.h; or what save()
 * returned.
 */
int roster_form_ask(const struct roster_form *form, json_t **blob)
    __attribute__((warn_unused_result));

#endif
