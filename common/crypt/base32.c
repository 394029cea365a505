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

int
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

void
base32_fingerprint(char out[FINGERPRINT_LEN + 1], const uint8_t *bytes)
{
	base32_write(
	    out, bytes, FINGERPRINT_BITS / 5, BASE32_FINGERPRINT_GROUP);
}
