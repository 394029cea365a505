/* SPDX-License-Identifier: ISC */
/*
 * Signatures and proofs that other threads check, while the caller goes on as
 * if they held.  At the end it learns whether all did; which one did not it
 * finds out by checking them again, one after the other.
 */
#ifndef UMPIRE_COMMON_CRYPT_CHECKER_H
#define UMPIRE_COMMON_CRYPT_CHECKER_H

#include <stddef.h>
#include <stdint.h>

#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"

struct checker;

/* Other work for a thread: 0, or ERR_*, which counts as a check's. */
typedef int checker_work(void *arg);

/*
 * Starts a thread for each CPU but one that this process may run on.  *out is
 * new; NULL if there is but one.  ERR_NOMEM.
 */
int checker_new(struct checker **out) __attribute__((warn_unused_result));

/*
 * Waits for all that is still due, while it helps.  0 if all has held since the
 * last time; else what the first one that failed gave.  c may be NULL.
 */
int checker_wait(struct checker *c) __attribute__((warn_unused_result));

/*
 * The same, ends the threads and frees it.
 */
int checker_end(struct checker *c) __attribute__((warn_unused_result));

/*
 * As sign_check() if c is NULL.  Else 0, and the bytes, which are copied, are
 * checked by the end.  tag is static.
 */
int checker_sign(struct checker *c, const uint8_t key[SIGN_KEY_LEN],
    const char *tag, const void *p, size_t n, const uint8_t sig[SIGN_LEN])
    __attribute__((warn_unused_result));

/* Likewise as vrf_check(); beta is the output of a proof that holds. */
int checker_vrf(struct checker *c, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN]) __attribute__((warn_unused_result));

/*
 * Has work done with arg, which is not touched until checker_wait(): 0.  At
 * once, and what it gives, if c is NULL.
 */
int checker_do(struct checker *c, checker_work *work, void *arg)
    __attribute__((warn_unused_result));

#endif
