/* SPDX-License-Identifier: ISC */
/* How a number that is made of steps is told: a score, odds, hits. */
#ifndef UMPIRE_COMMON_RULES_SHOW_RENDER_SCORE_H
#define UMPIRE_COMMON_RULES_SHOW_RENDER_SCORE_H

#include <jansson.h>

struct render;
struct render_sink;

/*
 * Gives the rows of a `score` event (umpire-record.7, S2): what number it is,
 * whose, and what it is made of, a row each in the order of the event's
 * members, so that the reader finds the same number.  A bound has a row only
 * where it changes what stands.
 */
void render_score(
    const struct render *rd, const json_t *event, struct render_sink *out);

#endif
