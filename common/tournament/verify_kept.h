/* SPDX-License-Identifier: ISC */
/*
 * What came out of games that were verified, for a process that verifies their
 * tournament again when that has another line.  A game is one that was verified
 * if all its bytes are the same; nothing is taken over from elsewhere.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_VERIFY_KEPT_H
#define UMPIRE_COMMON_TOURNAMENT_VERIFY_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include "common/crypt/hash.h"

struct verify_kept;
struct verify_shelf_game;

/*
 * Room for about so many bytes: what comes when there is no more is verified
 * again each time.  *out is new.  ERR_NOMEM.
 */
int verify_kept_new(size_t max, struct verify_kept **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void verify_kept_free(struct verify_kept *k);

/*
 * Fills g in as it came out when a game of its id was verified; seal is the
 * hash of all that this depends on, but for the lines that g asks about.
 * ERR_NOTFOUND: it was another, was not asked about one of these lines, or is
 * not kept; g is then as before.  ERR_NOMEM.
 */
int verify_kept_find(struct verify_kept *k, const uint8_t seal[HASH_LEN],
    struct verify_shelf_game *g) __attribute__((warn_unused_result));

/* Keeps a copy of g, which was verified, instead of an older one.  ERR_NOMEM.
 */
int verify_kept_put(struct verify_kept *k, const uint8_t seal[HASH_LEN],
    const struct verify_shelf_game *g) __attribute__((warn_unused_result));

/* How many games were verified, and how many were found. */
struct verify_kept_counts {
	int64_t verified;
	int64_t found;
};
struct verify_kept_counts verify_kept_count(const struct verify_kept *k);

#endif
