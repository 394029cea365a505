/* SPDX-License-Identifier: ISC */
/*
 * ECVRF-P256-SHA256-TAI (RFC 9381, suite 01), the dice's source of what
 * nobody can bend (record S1, S14).  The salt of encode-to-curve is the
 * public key.  The input alpha is public; secret are only x and k.
 */
#ifndef UMPIRE_COMMON_CRYPT_VRF_H
#define UMPIRE_COMMON_CRYPT_VRF_H

#include <stddef.h>
#include <stdint.h>

#define VRF_SECRET_LEN 32
#define VRF_KEY_LEN 33 /* SEC1 compressed point */
#define VRF_PROOF_LEN 81
#define VRF_BETA_LEN 32

/* A dice key; wipe it with vrf_key_clear(). */
struct vrf_key {
	uint8_t secret[VRF_SECRET_LEN]; /* big-endian, 1 <= x < q */
	uint8_t public_key[VRF_KEY_LEN];
};

/* Makes a fresh key from the system's random source. */
int vrf_key_make(struct vrf_key *k) __attribute__((warn_unused_result));

/* Makes the key of a secret scalar; ERR_PROOF if it is 0 or not below q. */
int vrf_key_from_secret(struct vrf_key *k, const uint8_t secret[VRF_SECRET_LEN])
    __attribute__((warn_unused_result));

/* Wipes the key. */
void vrf_key_clear(struct vrf_key *k);

/* ERR_PROOF unless key is a point on the curve, compressed, not infinity. */
int vrf_key_check(const uint8_t key[VRF_KEY_LEN])
    __attribute__((warn_unused_result));

/*
 * Proves over n bytes of alpha and gives the proof and its output.  The
 * proof is verified before it is returned, since a memory fault in s would
 * give the key away: ERR_FAULT if that fails.  ERR_NOMEM.
 */
int vrf_prove(const struct vrf_key *k, const void *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
    __attribute__((warn_unused_result));

/*
 * Verifies a proof over n bytes of alpha with key validation and gives its
 * output.  ERR_PROOF if it does not hold (beta is then unchanged), ERR_NOMEM.
 */
int vrf_check(const uint8_t key[VRF_KEY_LEN], const void *alpha, size_t n,
    const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
    __attribute__((warn_unused_result));

/* The output of a proof that holds, without checking it.  ERR_NOMEM. */
int vrf_output(const uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
    __attribute__((warn_unused_result));

#endif
