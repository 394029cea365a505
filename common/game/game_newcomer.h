/* SPDX-License-Identifier: ISC */
/* A seat for somebody else, by the operator and all other seats (record S4.2).
 */
#ifndef UMPIRE_COMMON_GAME_GAME_NEWCOMER_H
#define UMPIRE_COMMON_GAME_GAME_NEWCOMER_H

#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

struct game;
struct game_effects;
struct game_line;
struct game_offer;

/* The server line operator-key that a line is, while it waits; NULL. */
struct game_offer *game_newcomer_find(const struct game *g, int64_t seq);

/*
 * Takes the data of such a line, its members known.  ERR_ILLEGAL, ERR_NOMEM.
 */
int game_newcomer_propose(struct game *g, const json_t *data, int64_t at_ms,
    struct game_effects *fx, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes an accept of one, and if it is the last seats the newcomer.  If
 * ERR_STALE or ERR_ILLEGAL, nothing is changed.
 */
int game_newcomer_accept(struct game *g, const struct game_line *l,
    struct game_offer *f) __attribute__((warn_unused_result));

#endif
