/* SPDX-License-Identifier: ISC */
/* Whether a combat can be put together at all, before anything is asked. */
#ifndef UMPIRE_CLIENT_PLAY_FORM_MAY_H
#define UMPIRE_CLIENT_PLAY_FORM_MAY_H

#include <jansson.h>

/*
 * Why side `side` could declare no combat, whatever it said, out of a game's
 * state (game_view()): nobody of its own can attack, or no enemy is left.
 * NULL if it could, or if that cannot be known.  The text is static, and goes
 * into a sentence.
 */
const char *form_may_not(const json_t *view, int side);

#endif
