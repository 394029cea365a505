/* SPDX-License-Identifier: ISC */
/*
 * VRF work that an io thread does before the ledger needs it: checking the
 * proof in an order, and making the server's own if dice may fall.  The
 * ledger is one thread, and these two are most of what an order with dice
 * costs.
 */
#ifndef UMPIRE_SERVER_RPC_PRECOMPUTE_H
#define UMPIRE_SERVER_RPC_PRECOMPUTE_H

#include <stdbool.h>

#include "common/crypt/vrf.h"
#include "server/ledger/ledger.h"
#include "server/ledger/precompute_cache.h"

/*
 * Early work of a session that may have led to nothing since the last that
 * led to a line; more is left to the ledger, which checks what can be
 * refused first.
 */
#define PRECOMPUTE_LOST_MAX 8
#define PRECOMPUTE_LOST_WITNESS 64 /* of one with many games on its way */

/*
 * Works ahead for an order job whose signature holds, and leaves what it
 * gave in the job.  False if there was nothing to do or to be known.
 */
bool precompute_work(struct precompute_cache *cache, const struct vrf_key *dice,
    struct ledger_job *job) __attribute__((warn_unused_result));

/*
 * Does so unless *lost, a session's count of early work, has come to
 * PRECOMPUTE_LOST_MAX, or to the other for a job of a witness.  cache may be
 * NULL: then nothing is done.
 */
void precompute_try(struct precompute_cache *cache, const struct vrf_key *dice,
    struct ledger_job *job, unsigned *lost);

/* Counts from the start if the job, now answered, led to a line by a proof. */
void precompute_done(const struct ledger_job *job, unsigned *lost);

#endif
