/* SPDX-License-Identifier: ISC */
/* Why a change of a roster is refused, where that can be said better. */
#ifndef UMPIRE_CLIENT_PLAY_ADJUST_TEXT_H
#define UMPIRE_CLIENT_PLAY_ADJUST_TEXT_H

#include <stdbool.h>

#include <jansson.h>

#include "common/base/err.h"

struct play;

/*
 * Says which members a unit has if a change names another one; false if the
 * refusal is about something else.
 */
bool adjust_text_unknown(
    const struct play *pl, const json_t *units, const struct errinfo *e);

#endif
