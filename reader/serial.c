/* SPDX-License-Identifier: ISC */
/* The checker (common/crypt/checker.h) where there are no threads. */
#include "common/crypt/checker.h"

int
checker_new(struct checker **out)
{
	*out = NULL;
	return (0);
}

int
checker_end(struct checker *c)
{
	(void)c;
	return (0);
}

int
checker_sign(struct checker *c, const uint8_t key[SIGN_KEY_LEN],
    const char *tag, const void *p, size_t n, const uint8_t sig[SIGN_LEN])
{
	(void)c;
	return (sign_check(key, tag, p, n, sig));
}

int
checker_vrf(struct checker *c, const uint8_t key[VRF_KEY_LEN],
    const void *alpha, size_t n, const uint8_t proof[VRF_PROOF_LEN],
    uint8_t beta[VRF_BETA_LEN])
{
	(void)c;
	return (vrf_check(key, alpha, n, proof, beta));
}
