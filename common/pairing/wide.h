/* SPDX-License-Identifier: ISC */
/*
 * Integers of n words, least significant word first, for weights whose digits
 * are criteria: one word is too narrow for them, and a digit that ran over
 * would change the criterion above it without a sign.  So digits are put in by
 * wide_put(), which refuses what does not fit.
 *
 * Numbers are two's complement; the caller keeps the top bits free, so that
 * a sum of two cannot run over.
 */
#ifndef UMPIRE_COMMON_PAIRING_WIDE_H
#define UMPIRE_COMMON_PAIRING_WIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIDE_BITS 64 /* of a word */

/* The words that so many bits take; at least one. */
size_t wide_words(size_t bits);

/* The bits that the values 0..max take; 0 for none. */
unsigned wide_bits(uint64_t max);

/*
 * Adds value to the digit of `width` bits (up to 64) at bit `at` of a number
 * that has n words.  ERR_TOOBIG if the value does not fit into the digit, the
 * digit into the number, or if the sum would run over into the digit above;
 * the number is then unchanged.
 */
int wide_put(uint64_t *a, size_t n, size_t at, unsigned width, uint64_t value)
    __attribute__((warn_unused_result));

/* The digit of `width` bits (up to 64) at bit `at`; the digit is in a. */
uint64_t wide_get(const uint64_t *a, size_t n, size_t at, unsigned width);

/* a = 0. */
static inline void
wide_zero(uint64_t *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		a[i] = 0;
}

/* a = b. */
static inline void
wide_copy(uint64_t *a, const uint64_t *b, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		a[i] = b[i];
}

/* a += b. */
static inline void
wide_add(uint64_t *a, const uint64_t *b, size_t n)
{
	unsigned __int128 sum;
	uint64_t carry;
	size_t i;

	for (i = 0, carry = 0; i < n; i++) {
		sum = (unsigned __int128)a[i] + b[i] + carry;
		a[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> WIDE_BITS);
	}
}

/* a -= b. */
static inline void
wide_sub(uint64_t *a, const uint64_t *b, size_t n)
{
	unsigned __int128 sum;
	uint64_t carry;
	size_t i;

	for (i = 0, carry = 1; i < n; i++) {
		sum = (unsigned __int128)a[i] + ~b[i] + carry;
		a[i] = (uint64_t)sum;
		carry = (uint64_t)(sum >> WIDE_BITS);
	}
}

/* out = a + b - c. */
static inline void
wide_slack(uint64_t *out, const uint64_t *a, const uint64_t *b,
    const uint64_t *c, size_t n)
{
	__int128 sum;
	size_t i;

	for (i = 0, sum = 0; i < n; i++) {
		sum += (__int128)a[i] + b[i] - c[i];
		out[i] = (uint64_t)sum;
		sum >>= WIDE_BITS;
	}
}

/* a *= 2. */
static inline void
wide_double(uint64_t *a, size_t n)
{
	size_t i;

	for (i = n - 1; i > 0; i--)
		a[i] = a[i] << 1 | a[i - 1] >> (WIDE_BITS - 1);
	a[0] <<= 1;
}

/* a /= 2, of an even number; its sign stays. */
static inline void
wide_halve(uint64_t *a, size_t n)
{
	size_t i;

	for (i = 0; i + 1 < n; i++)
		a[i] = a[i] >> 1 | a[i + 1] << (WIDE_BITS - 1);
	a[n - 1] = a[n - 1] >> 1 | (a[n - 1] & (uint64_t)1 << (WIDE_BITS - 1));
}

/* True if a < b. */
static inline bool
wide_less(const uint64_t *a, const uint64_t *b, size_t n)
{
	size_t i;

	if (a[n - 1] != b[n - 1])
		return ((int64_t)a[n - 1] < (int64_t)b[n - 1]);
	for (i = n - 1; i-- > 0;) {
		if (a[i] != b[i])
			return (a[i] < b[i]);
	}
	return (false);
}

static inline bool
wide_is_zero(const uint64_t *a, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (a[i] != 0)
			return (false);
	}
	return (true);
}

static inline bool
wide_is_negative(const uint64_t *a, size_t n)
{
	return (a[n - 1] >> (WIDE_BITS - 1) != 0);
}

static inline bool
wide_is_odd(const uint64_t *a)
{
	return ((a[0] & 1) != 0);
}

#endif
