/* SPDX-License-Identifier: ISC */
/*
 * A game made of what is kept beside its record, by whoever reads it: only if
 * that fits the record.  What does not is the ledger's to make again.
 */
#ifndef UMPIRE_SERVER_STORE_KEPT_H
#define UMPIRE_SERVER_STORE_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/game/game_take.h"

struct buf;
struct game;
struct game_blobs;
struct store;
struct store_game_row;

/*
 * Appends a blob's bytes to *out.  ERR_BAD if they do not have the hash that
 * they are kept under; ERR_NOTFOUND, ERR_STORAGE.
 */
int kept_blob(struct store *st, const uint8_t hash[HASH_LEN], struct buf *out)
    __attribute__((warn_unused_result));

/*
 * Makes a game of a row and a snapshot of which store_game_load() has said
 * whether it fits; *out is new.  ERR_BAD, with the reason, if nothing can be
 * made of them; ERR_NOMEM, ERR_STORAGE, ERR_IO.
 */
int kept_make(const struct store_game_row *row, const struct buf *snapshot,
    bool fits, const struct game_blobs *blobs, struct game **out,
    struct errinfo *e) __attribute__((warn_unused_result));

/* True if a row of the list of games says of a game what its state says. */
bool kept_is_row(const struct store_game_row *row, const struct game *g);

/* Fills in what lists say of a game in words (game_now.h).  ERR_NOMEM. */
int kept_words(const struct game *g, struct store_game_row *row)
    __attribute__((warn_unused_result));

#endif
