/* SPDX-License-Identifier: ISC */
/*
 * Memos of VRF work.  Nothing is ever looked up by a part of the input: the
 * whole of it is compared, so that a memo of anything else is as good as
 * none.
 */
#include "common/crypt/vrf_memo.h"

#include <string.h>

#include "common/base/err.h"

/* Keeps an input whose result is known. */
static void
vrf_memo_set(struct vrf_memo *m, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n)
{
	memcpy(m->key, key, VRF_KEY_LEN);
	if (n > 0)
		memcpy(m->alpha, alpha, n);
	m->n = n;
	m->is_set = true;
}

/* True if a memo is of this input under this key. */
static bool
vrf_memo_is_of(const struct vrf_memo *m, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n)
{
	return (m != NULL && m->is_set && m->n == n &&
	    memcmp(m->key, key, VRF_KEY_LEN) == 0 &&
	    (n == 0 || memcmp(m->alpha, alpha, n) == 0));
}

int
vrf_memo_check(struct vrf_memo *m, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN])
{
	int r;

	vrf_memo_clear(m);
	if (n > VRF_MEMO_MAX)
		return (ERR_TOOBIG);
	if ((r = vrf_check(key, alpha, n, proof, m->beta)) != 0)
		return (r);
	memcpy(m->proof, proof, VRF_PROOF_LEN);
	vrf_memo_set(m, key, alpha, n);
	return (0);
}

int
vrf_memo_prove(
    struct vrf_memo *m, const struct vrf_key *k, const void *alpha, size_t n)
{
	int r;

	vrf_memo_clear(m);
	if (n > VRF_MEMO_MAX)
		return (ERR_TOOBIG);
	if ((r = vrf_prove(k, alpha, n, m->proof, m->beta)) != 0) {
		vrf_memo_clear(m);
		return (r);
	}
	vrf_memo_set(m, k->public_key, alpha, n);
	return (0);
}

bool
vrf_memo_find_check(const struct vrf_memo *m, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN])
{
	if (!vrf_memo_is_of(m, key, alpha, n) ||
	    memcmp(m->proof, proof, VRF_PROOF_LEN) != 0)
		return (false);
	memcpy(beta, m->beta, VRF_BETA_LEN);
	return (true);
}

bool
vrf_memo_find_proof(const struct vrf_memo *m, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN])
{
	if (!vrf_memo_is_of(m, key, alpha, n))
		return (false);
	memcpy(proof, m->proof, VRF_PROOF_LEN);
	memcpy(beta, m->beta, VRF_BETA_LEN);
	return (true);
}

void
vrf_memo_clear(struct vrf_memo *m)
{
	explicit_bzero(m, sizeof(*m));
}
