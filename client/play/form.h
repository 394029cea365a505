/* SPDX-License-Identifier: ISC */
/*
 * Combats and decisions put together by questions, so that nobody types
 * JSON.  What a combat of a system needs stands in the system's table of
 * inputs (common/rules/show/declare.h); what a decision may be, in the options
 * of the open question.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_H
#define UMPIRE_CLIENT_PLAY_FORM_H

#include <stdint.h>

#include <jansson.h>

#include "client/ui/ask.h"

struct form_past;
struct game;

#define FORM_CHANGE 2 /* of a form's last question: something is to change */

/*
 * What a form asks at last, as ask.h: 0 if what was made (borrowed) will do,
 * ASK_BACK to return to the question before, FORM_CHANGE; anything else ends
 * the form with it.
 */
struct form_last {
	int (*ask)(void *arg, const struct ask_io *io, const json_t *made);
	void *arg;
};

/* Beside the game, what a combat is put together from; all of it may be NULL.
 */
struct form_with {
	const struct form_past *past; /* borrowed: earlier combats */
	/*
	 * What an earlier form left: {"at":line,"answers":{...},"asked":[...],
	 * "combat":{...}}, new; *draft may be NULL.  at is how many lines the
	 * record had, combat is there if it was put together.
	 */
	json_t **draft;
	int64_t at; /* how many lines the record has now */
	const struct form_last *last;
};

/*
 * Asks for a combat that side `side` would declare now: units by number out
 * of the rosters (those out of play are not offered), then the situation.
 * What is nearly always the same is assumed, and told before the person is
 * asked whether all is right.  What was said of units in their last combat is
 * proposed, the side's whole last combat first, if the rules would take it
 * again.  What the rules refuse is told in words, and the member at fault is
 * asked for again.
 *
 * A draft that was not declared is proposed before all else; one that was
 * declared and objected to is shown with the reason, and what is to change is
 * asked; one that came through is forgotten.  However the form ends, *draft is
 * then what was answered, so that the next one can go on with it: NULL, if that
 * is nothing, or the person threw it away.
 *
 * *combat is new, and game_check_combat() takes it.  As ask.h.
 */
int form_declare(const struct ask_io *io, const struct game *g, int side,
    const struct form_with *with, json_t **combat)
    __attribute__((warn_unused_result));

/*
 * Asks for a decision on the open question of our seat: asked is its entry
 * among view's owed ({"kind","options",...}).  *decision is new, and
 * game_check_decision() takes it; last (NULL: nothing) is asked about it, and
 * FORM_CHANGE is ASK_BACK there.  As ask.h.
 */
int form_decide(const struct ask_io *io, const struct game *g, int seat,
    const json_t *asked, const struct form_last *last, json_t **decision)
    __attribute__((warn_unused_result));

#endif
