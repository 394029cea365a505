/* SPDX-License-Identifier: ISC */
/*
 * What vrf_check() and vrf_prove() gave for one input, so that the work can
 * be done early and in another thread.  Both are pure functions: a memo is
 * what they would give again, and it is used only where key, input and proof
 * are the same in every byte.  One of a proof that the server made holds an
 * output that nobody else may know yet: wipe it.
 */
#ifndef UMPIRE_COMMON_CRYPT_VRF_MEMO_H
#define UMPIRE_COMMON_CRYPT_VRF_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/crypt/vrf.h"

#define VRF_MEMO_MAX 128 /* bytes of an input; longer ones are not kept */

/* All zeros is an empty one. */
struct vrf_memo {
	bool is_set;
	uint8_t key[VRF_KEY_LEN]; /* public */
	uint8_t alpha[VRF_MEMO_MAX];
	size_t n;
	uint8_t proof[VRF_PROOF_LEN];
	uint8_t beta[VRF_BETA_LEN];
};

/*
 * Verifies a proof and keeps what that gave; the memo stays empty if the
 * proof does not hold.  ERR_PROOF, ERR_NOMEM, ERR_TOOBIG.
 */
int vrf_memo_check(struct vrf_memo *m, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN])
    __attribute__((warn_unused_result));

/* Proves over alpha and keeps the proof.  As vrf_prove(); ERR_TOOBIG. */
int vrf_memo_prove(struct vrf_memo *m, const struct vrf_key *k,
    const void *alpha, size_t n) __attribute__((warn_unused_result));

/*
 * True, and what vrf_check() of these very bytes gives, if the memo is of
 * them.  m may be NULL.
 */
bool vrf_memo_find_check(const struct vrf_memo *m,
    const uint8_t key[VRF_KEY_LEN], const void *alpha, size_t n,
    const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN]);

/* Likewise what vrf_prove() gives. */
bool vrf_memo_find_proof(const struct vrf_memo *m,
    const uint8_t key[VRF_KEY_LEN], const void *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN]);

/* Wipes and empties it. */
void vrf_memo_clear(struct vrf_memo *m);

#endif
