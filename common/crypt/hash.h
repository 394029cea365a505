/* SPDX-License-Identifier: ISC */
/*
 * SHA-256, plain and behind the record's tags, HMAC-SHA256 (record S1), and
 * random bytes.  Any thread may call any of them.
 */
#ifndef UMPIRE_COMMON_CRYPT_HASH_H
#define UMPIRE_COMMON_CRYPT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_LEN 32

/* A piece of a message; p may be NULL when n is 0. */
struct hash_part {
	const void *p; /* borrowed */
	size_t n;
};

/* SHA-256 of n bytes.  ERR_NOMEM if the library fails. */
int hash_sha256(uint8_t out[HASH_LEN], const void *p, size_t n)
    __attribute__((warn_unused_result));

/*
 * H(T(tag) || p): the tag's ASCII bytes, one byte 00, then n bytes of p.
 * ERR_NOMEM if the library fails.
 */
int hash_tagged(uint8_t out[HASH_LEN], const char *tag, const void *p, size_t n)
    __attribute__((warn_unused_result));

/* SHA-256 of count parts, one after the other.  ERR_NOMEM as above. */
int hash_parts(uint8_t out[HASH_LEN], const struct hash_part *parts,
    size_t count) __attribute__((warn_unused_result));

/*
 * HMAC-SHA256 of n bytes under key (RFC 2104); neither a key nor a message
 * need have any bytes.  out may be one of the inputs.  ERR_NOMEM if the
 * library fails, ERR_TOOBIG for a key over 2^31 - 1 bytes.
 */
int hash_mac(uint8_t out[HASH_LEN], const void *key, size_t keylen,
    const void *p, size_t n) __attribute__((warn_unused_result));

/*
 * Fills n bytes from the library's generator for secrets: nonces, salts,
 * invite codes, seeds of keys.  ERR_INTERNAL if it has no randomness to
 * give; the bytes must not be used then.
 */
int hash_random(void *p, size_t n) __attribute__((warn_unused_result));

#endif
