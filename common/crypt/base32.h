/* SPDX-License-Identifier: ISC */
/*
 * Bits as people read, type and compare them: Crockford's base 32, in groups.
 */
#ifndef UMPIRE_COMMON_CRYPT_BASE32_H
#define UMPIRE_COMMON_CRYPT_BASE32_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

#define FINGERPRINT_BITS 100
#define FINGERPRINT_LEN                                      \
	23 /* four groups of five, with hyphens between them \
	    */

/*
 * Writes the first n digits of the bytes, five bits each, the highest first,
 * with a hyphen after each group and a NUL.  The bytes hold 5 n bits or more.
 */
void base32_write(char *out, const uint8_t *bytes, size_t n, size_t group);

/*
 * Reads exactly n digits as people type them into (5 n + 7) / 8 bytes: case,
 * spaces and hyphens do not matter, O is 0, I and L are 1; bits that are left
 * are zeros.  ERR_INVALID; out then holds what was read so far.
 */
int base32_read(const char *s, uint8_t *out, size_t n)
    __attribute__((warn_unused_result));

/*
 * The fingerprint of a hash or a key, by which people compare it: its first
 * 100 bits, with a NUL.  It has 13 bytes or more.  Fewer bits will
 * not do: whoever makes both of two heads finds a pair that agree in n bits
 * with 2^(n/2) tries.
 */
void base32_fingerprint(char out[FINGERPRINT_LEN + 1], const uint8_t *bytes);

#endif
