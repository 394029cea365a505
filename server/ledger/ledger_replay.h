/* SPDX-License-Identifier: ISC */
/*
 * A stored game built again from its lines, as a stranger with the exported
 * record would do it; what is kept beside the record can be held against it
 * or made from it.
 */
#ifndef UMPIRE_SERVER_LEDGER_LEDGER_REPLAY_H
#define UMPIRE_SERVER_LEDGER_LEDGER_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/crypt/sign.h"

struct order;
struct store;
struct verify;

/* The upper part is the caller's; ledger_replay_clear() frees the rest. */
struct ledger_replay {
	struct store *st;
	int64_t gid;
	const uint8_t *server; /* identity key that must have marked */
	/*
	 * Called for each line before it is verified; NULL: not at all.  o
	 * is NULL for lines that are not orders.
	 */
	int (*look)(
	    void *arg, int64_t seq, const struct order *o, struct errinfo *e);
	void *arg;

	struct verify *v;
	struct buf last; /* the line read last, not verified yet */
	int64_t seq; /* of the next line */
	int64_t at; /* the line that is looked at; -1: none */
	json_t *turns; /* line that ended turn [i]; [0]: play began */
	json_t *texts; /* side that may read a text, by its ref */
	struct errinfo e;
};

/*
 * Verifies all lines and side lines of the game.  ERR_BAD, ERR_MALFORMED,
 * ERR_TOOBIG, ERR_INVALID, ERR_NEWER if they do not hold, with rp->e and
 * rp->at; else what reading fails with.
 */
int ledger_replay_run(struct ledger_replay *rp)
    __attribute__((warn_unused_result));

/* True if what that gave says that they do not hold. */
bool ledger_replay_is_bad(int r);

/* Frees what it holds. */
void ledger_replay_clear(struct ledger_replay *rp);

#endif
