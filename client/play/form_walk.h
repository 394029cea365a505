/* SPDX-License-Identifier: ISC */
/*
 * Walks a system's table of inputs (common/rules/show/declare.h): asks what it
 * says must be asked, and makes the combat of the answers.
 */
#ifndef UMPIRE_CLIENT_PLAY_FORM_WALK_H
#define UMPIRE_CLIENT_PLAY_FORM_WALK_H

#include <jansson.h>

#include "client/play/form_tell.h"

#define FORM_WALK_AGAIN "?again" /* key of the question for the last one */

/*
 * For a combat that side `side` declares; the roster is borrowed, and lives as
 * long as the walk, as do the earlier combats (NULL: none).
 */
void form_walk_init(struct form_walk *w, const struct ask_io *io,
    const struct rules_system *sys, const json_t *roster, int side,
    const struct form_past *past);
void form_walk_clear(struct form_walk *w);

/*
 * Asks what is not on the tape, and makes w->combat.  w->last is proposed
 * first, if there is one: w->is_again if it is taken.  As ask.h.
 */
int form_walk_run(struct form_walk *w) __attribute__((warn_unused_result));

#endif
