/* SPDX-License-Identifier: ISC */
/*
 * The tournaments of a witness that are at hand: verifiers, which are made of
 * the lines that the store keeps when another one comes.  Only a few are kept
 * in memory, as of games (witness_game.h).
 */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_CUPS_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_CUPS_H

#include <stddef.h>
#include <stdint.h>

#include "client/witness/witness_store.h"
#include "common/base/err.h"

struct tournament;
struct verify_tournament;

#define WITNESS_CUPS 4 /* in memory at a time */

struct witness_cups {
	struct witness_store *store; /* borrowed */
	const uint8_t *server; /* borrowed: the key that marks lines */
	int64_t count; /* of what was wanted */
	struct {
		int64_t gid; /* 0: this place is free */
		struct verify_tournament *v; /* owned; as the lines leave it */
		int64_t used; /* when it was wanted last: greater is later */
	} list[WITNESS_CUPS];
};

/* Frees them. */
void witness_cups_clear(struct witness_cups *cs);

/*
 * Gives the verifier of a tournament, borrowed until the next is wanted; made
 * of the store, which may put another away.  ERR_IO; ERR_BAD if its own lines
 * do not hold.
 */
int witness_cups_want(struct witness_cups *cs, const struct witness_row *row,
    struct verify_tournament **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Drops one, whose verifier has refused a line or which is not followed on. */
void witness_cups_drop(struct witness_cups *cs, int64_t gid);

#endif
