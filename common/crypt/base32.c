/* SPDX-License-Identifier: ISC */
/* Crockford's base 32. */
#include "common/crypt/base32.h"

#include <ctype.h>
#include <string.h>

#define BASE32_FINGERPRINT_GROUP 5

static const char base32_digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

void
base32_write(char *out, const uint8_t *bytes, size_t n, size_t group)
{
	size_t i, bit;
	unsigned v;

	for (i = 0; i < n; i++) {
		bit = 5 * i;
		v = (unsigned)bytes[bit / 8] << 8;
		/* The last digit may end where the bytes do. */
		if (bit % 8 > 3)
			v |= bytes[bit / 8 + 1];
		if (i > 0 && i % group == 0)
			*out++ = '-';
		*out++ = base32_digits[v >> (11 - bit % 8) & 31];
	}
	*out = '\0';
}

/* The value of a digit as people type it; -1: it is none. */
static int
base32_digit(char c)
{
	const char *at;

	c = (char)toupper((unsigned char)c);
	if (c == 'O')
		c = '0';
	else if (c == 'I' || c == 'L')
		c = '1';
	at = c == '\0' ? NULL : strchr(base32_digits, c);
	return (at == NULL ? -1 : (int)(at - base32_digits));
}

int
base32_read(const char *s, uint8_t *out, size_t n)
{
	const size_t len = (5 * n + 7) / 8;
	size_t i = 0, b;
	int v, k;

	memset(out, 0, len);
	for (; *s != '\0'; s++) {
		if (*s == ' ' || *s == '-')
			continue;
		v = base32_digit(*s);
		if (v < 0 || i == n)
			return (ERR_INVALID);
		for (k = 0; k < 5; k++) {
			b = 5 * i + (size_t)k;
			out[b / 8] |=
			    (uint8_t)((v >> (4 - k) & 1) << (7 - b % 8));
		}
		i++;
	}
	return (i == n ? 0 : ERR_INVALID);
}

void
base32_fingerprint(char out[FINGERPRINT_LEN + 1], const uint8_t *bytes)
{
	base32_write(
	    out, bytes, FINGERPRINT_BITS / 5, BASE32_FINGERPRINT_GROUP);
}
