/* SPDX-License-Identifier: ISC */
/* Words for free dice and cups. */
#ifndef UMPIRE_CLIENT_PLAY_ROLL_H
#define UMPIRE_CLIENT_PLAY_ROLL_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

#define ROLL_MAX 1000 /* dice, sides, chits of one order */

/* Reads "2d6" or "d6": 1 to 1000 dice of 2 to 1000 sides. */
bool roll_dice(const char *word, int64_t *dice, int64_t *sides);

/*
 * Checks a list of chits, or makes one of n words: distinct ids, 1 to 1000.
 * ERR_INVALID with a text that names the wrong one.  *items is new.
 */
int roll_items(int n, const char *const *words, json_t **items,
    struct errinfo *e) __attribute__((warn_unused_result));
int roll_check_items(const json_t *items, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
