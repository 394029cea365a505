/* SPDX-License-Identifier: ISC */
/*
 * Ed25519 (RFC 8032 5.1) over tagged messages (record S1): what is signed is
 * T(tag) || message.
 */
#ifndef UMPIRE_COMMON_CRYPT_SIGN_H
#define UMPIRE_COMMON_CRYPT_SIGN_H

#include <stddef.h>
#include <stdint.h>

#define SIGN_KEY_LEN 32
#define SIGN_LEN 64

#define SIGN_TAG_LOGIN "umpire/login/1"
#define SIGN_TAG_HELLO "umpire/hello/1"
#define SIGN_TAG_ORDER "umpire/order/1"
#define SIGN_TAG_KEY "umpire/key/1"
#define SIGN_TAG_MARK "umpire/mark/1"
#define SIGN_TAG_REFUSAL "umpire/refusal/1"

/* A private key; wipe it with sign_key_clear(). */
struct sign_key {
	uint8_t seed[SIGN_KEY_LEN]; /* secret: RFC 8032's 32 private bytes */
	uint8_t public_key[SIGN_KEY_LEN];
};

/* Makes a fresh key from the system's random source.  ERR_INTERNAL. */
int sign_key_make(struct sign_key *k) __attribute__((warn_unused_result));

/* Makes the key of a seed. */
int sign_key_from_seed(struct sign_key *k, const uint8_t seed[SIGN_KEY_LEN])
    __attribute__((warn_unused_result));

/* Wipes the key. */
void sign_key_clear(struct sign_key *k);

/*
 * ERR_SIGNATURE for a public key that must be refused: y not canonical
 * (y >= p), or of small order (the list of record S1, top bit cleared).
 */
int sign_key_check(const uint8_t key[SIGN_KEY_LEN])
    __attribute__((warn_unused_result));

/* Signs T(tag) || n bytes of p.  Any thread may call it. */
int sign_make(const struct sign_key *k, const char *tag, const void *p,
    size_t n, uint8_t sig[SIGN_LEN]) __attribute__((warn_unused_result));

/*
 * Checks a signature over T(tag) || n bytes of p, without cofactor, S < L,
 * the key by sign_key_check() too.  0, ERR_SIGNATURE or ERR_NOMEM.
 */
int sign_check(const uint8_t key[SIGN_KEY_LEN], const char *tag, const void *p,
    size_t n, const uint8_t sig[SIGN_LEN]) __attribute__((warn_unused_result));

#endif
