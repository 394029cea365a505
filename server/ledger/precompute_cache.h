/* SPDX-License-Identifier: ISC */
/*
 * What io threads may know of games to do VRF work ahead of the ledger: a
 * copy of common/game/game_ahead.h for each of the games that were written
 * to last.  The ledger puts it in after the commit; a game that is not here,
 * or is here as it was before another order, costs speed and nothing else.
 * Any thread may call any of these.
 */
#ifndef UMPIRE_SERVER_LEDGER_PRECOMPUTE_CACHE_H
#define UMPIRE_SERVER_LEDGER_PRECOMPUTE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/game/game_ahead.h"

#define PRECOMPUTE_CACHE_GAMES 1024 /* of a server, some 2 KB each */

struct precompute_cache;

/* A table of so many games at most; *out is new.  ERR_NOMEM. */
int precompute_cache_new(size_t max, struct precompute_cache **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void precompute_cache_free(struct precompute_cache *p);

/*
 * Puts a game in, or in place of what was known of it; the one that was used
 * longest ago goes if the table is full.  Without memory the game is simply
 * not in it.
 */
void precompute_cache_put(
    struct precompute_cache *p, const struct game_ahead *a);

/*
 * Notes whether a line of the game, whose order was of that kind, drew dice.
 * Whether the next of the kind will is not known before the rules have run;
 * it is taken to be as the last one.
 */
void precompute_cache_note(struct precompute_cache *p,
    const uint8_t game[HASH_LEN], enum order_kind kind, bool has_dice);

/* Takes a game out, if it is in. */
void precompute_cache_drop(
    struct precompute_cache *p, const uint8_t game[HASH_LEN]);

/*
 * Copies what is known of a game; false if nothing is.  Bit 1 << kind of *dry
 * is set if the last line of that kind drew no dice.
 */
bool precompute_cache_find(struct precompute_cache *p,
    const uint8_t game[HASH_LEN], struct game_ahead *a, uint32_t *dry);

/* How many games are in. */
size_t precompute_cache_count(struct precompute_cache *p);

#endif
