/* SPDX-License-Identifier: ISC */
/* The words of an offer as the args of its order (record S5, offer). */
#ifndef UMPIRE_CLIENT_PLAY_OFFER_PARSE_H
#define UMPIRE_CLIENT_PLAY_OFFER_PARSE_H

#include <jansson.h>

#include "common/base/err.h"

/*
 * Reads "draw", "victory theirs", "takeback 14", "pause 7", "truce 2".  A
 * victory has its winner as "mine" or "theirs", and a takeback may lack its
 * line: both are for the caller to fill in.  ERR_INVALID with a text that
 * says what may be said.  *args is new.
 */
int offer_parse(int n, const char *const *words, json_t **args,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same for the ruling of a director: "void 14", "result 1", "result
 * draw", "words", "forfeit", "extend 2d"; a claim is for the caller to fill
 * in.
 */
int offer_parse_ruling(int n, const char *const *words, json_t **args,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
