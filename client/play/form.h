/* SPDX-License-Identifier: ISC */
/*
 * Combats and decisions put together by questions, so that nobody types
 * JSON.  What a combat of a system needs stands in the system's table of
 * inputs (common/rules/show/declare.h); what a decision may be, in the options
 * of the open question.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_H
#define UMPIRE_CLIENT_PLAY_FORM_H

#include <jansson.h>

#include "client/ui/ask.h"

struct form_past;
struct game;

/*
 * Asks for a combat that side `side` would declare now: units by number out
 * of the rosters (those out of play are not offered), then the situation.
 * What is nearly always the same is assumed, and told before the person is
 * asked whether all is right.  What was said of units in their last combat is
 * proposed (past, borrowed; NULL: nothing is), the side's whole last combat
 * first, if the rules would take it again.  What the rules refuse is told in
 * words, and the member at fault is asked for again.  *combat is new, and
 * game_check_combat() takes it.  As ask.h.
 */
int form_declare(const struct ask_io *io, const struct game *g, int side,
    const struct form_past *past, json_t **combat)
    __attribute__((warn_unused_result));

/*
 * Asks for a decision on the open question of our seat: asked is its entry
 * among view's owed ({"kind","options",...}).  *decision is new, and
 * game_check_decision() takes it.  As ask.h.
 */
int form_decide(const struct ask_io *io, const struct game *g, int seat,
    const json_t *asked, json_t **decision) __attribute__((warn_unused_result));

#endif
