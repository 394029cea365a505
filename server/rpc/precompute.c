/* SPDX-License-Identifier: ISC */
/*
 * Why this bends no roll.  A proof and its output follow from key and input
 * alone (RFC 9381): made early, late or twice they are the same bytes, and
 * the ledger takes a result only where every byte of key, input and proof is
 * the same as in its own (common/crypt/vrf_memo.h), else it does the work
 * itself. Whether an order is taken depends on neither.  The server's output
 * for an order that is not yet on disk stays in the job: it is not logged, not
 * looked at here, and wiped with the job, whether the order was taken,
 * refused or lost.
 */
#include "server/rpc/precompute.h"

#include <string.h>

bool
precompute_work(struct precompute_cache *cache, const struct vrf_key *dice,
    struct ledger_job *job)
{
	const struct order *o = &job->order;
	struct game_ahead_input in;
	struct game_ahead a;
	uint32_t dry;

	if (!o->has_own && !o->has_other)
		return (false);
	if (!precompute_cache_find(cache, o->game, &a, &dry) ||
	    game_ahead_check(&a, o, job->key, &in) != 0)
		return (false);
	if (vrf_memo_check(&job->checked, in.key, in.alpha, in.n,
		o->has_own ? o->own : o->other) != 0)
		return (true);
	/* An old game may have been made with another dice key. */
	if ((dry & UINT32_C(1) << o->kind) != 0 ||
	    game_ahead_throw(&a, o, job->checked.beta, &in) != 0 ||
	    memcmp(in.key, dice->public_key, VRF_KEY_LEN) != 0)
		return (true);
	/* Without a proof made here the ledger makes it. */
	if (vrf_memo_prove(&job->thrown, dice, in.alpha, in.n) != 0)
		vrf_memo_clear(&job->thrown);
	return (true);
}

void
precompute_try(struct precompute_cache *cache, const struct vrf_key *dice,
    struct ledger_job *job, unsigned *lost)
{
	const unsigned most =
	    job->is_witness ? PRECOMPUTE_LOST_WITNESS : PRECOMPUTE_LOST_MAX;

	if (cache != NULL && *lost < most && precompute_work(cache, dice, job))
		++*lost;
}

void
precompute_done(const struct ledger_job *job, unsigned *lost)
{
	if (job->r == 0 && !job->is_repeat &&
	    (job->order.has_own || job->order.has_other))
		*lost = 0;
}
