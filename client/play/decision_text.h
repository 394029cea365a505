/* SPDX-License-Identifier: ISC */
/*
 * Answers to the open question as the record will tell them: what "convert
 * none" means only a sentence says.
 */
#ifndef UMPIRE_CLIENT_PLAY_DECISION_TEXT_H
#define UMPIRE_CLIENT_PLAY_DECISION_TEXT_H

#include <jansson.h>

struct game;
struct render;
struct rules_system;

/*
 * What knows the names of the units of a game's rosters; render_free().  NULL
 * if its system is not known, or if g is NULL: a game that is not open yet.
 */
struct render *decision_text_names(const struct game *g);

/*
 * "  It eliminates: NAME, NAME.", or breaks, for a decision of seat's on the
 * open question that would, empty for one that would not, or where that is not
 * known; free().  It holds units' names: strangers' text.
 */
char *decision_text_losses(
    const struct game *g, int seat, const json_t *decision);

/*
 * The sentence, without its full stop, for a decision on the question asked
 * (its `as` is the side's part); free().  NULL if the system (sys NULL) or the
 * rosters are not known.  It holds units' names: strangers' text.
 */
char *decision_text(const struct rules_system *sys, const json_t *roster,
    const json_t *asked, const json_t *decision);

#endif
