/* SPDX-License-Identifier: ISC */
#include "common/pairing/wide.h"

#include "common/base/err.h"

size_t
wide_words(size_t bits)
{
	return (bits == 0 ? 1 : (bits + WIDE_BITS - 1) / WIDE_BITS);
}

unsigned
wide_bits(uint64_t max)
{
	unsigned bits;

	for (bits = 0; max != 0; bits++)
		max >>= 1;
	return (bits);
}

/* The largest value of a digit. */
static uint64_t
wide_mask(unsigned width)
{
	return (width >= WIDE_BITS ? UINT64_MAX : ((uint64_t)1 << width) - 1);
}

uint64_t
wide_get(const uint64_t *a, size_t n, size_t at, unsigned width)
{
	size_t word;
	unsigned shift;
	uint64_t v;

	word = at / WIDE_BITS;
	shift = (unsigned)(at % WIDE_BITS);
	if (width == 0 || word >= n)
		return (0);
	v = a[word] >> shift;
	if (shift != 0 && word + 1 < n)
		v |= a[word + 1] << (WIDE_BITS - shift);
	return (v & wide_mask(width));
}

int
wide_put(uint64_t *a, size_t n, size_t at, unsigned width, uint64_t value)
{
	uint64_t mask, digit;
	unsigned shift;
	size_t word;

	mask = wide_mask(width);
	if (width > WIDE_BITS || at + width > n * WIDE_BITS || value > mask)
		return (ERR_TOOBIG);
	digit = wide_get(a, n, at, width);
	if (value > mask - digit)
		return (ERR_TOOBIG);
	if (width == 0)
		return (0);
	digit += value;
	word = at / WIDE_BITS;
	shift = (unsigned)(at % WIDE_BITS);
	a[word] = (a[word] & ~(mask << shift)) | digit << shift;
	if (shift != 0 && shift + width > WIDE_BITS) {
		mask >>= WIDE_BITS - shift;
		digit >>= WIDE_BITS - shift;
		a[word + 1] = (a[word + 1] & ~mask) | digit;
	}
	return (0);
}
