/* SPDX-License-Identifier: ISC */
/* Whether a combat can be put together at all, before anything is asked. */
#ifndef UMPIRE_CLIENT_PLAY_FORM_MAY_H
#define UMPIRE_CLIENT_PLAY_FORM_MAY_H

#include <jansson.h>

/*
 * Why side `side` could declare no combat, whatever it said, with the rosters
 * of a game of this system as they are (NULL: not known): none of its own can
 * attack, or no enemy is left.  NULL if it could, or if that cannot be known.
 * The text is static, and goes into a sentence.
 */
const char *form_may_not(const char *system, const json_t *roster, int side);

#endif
