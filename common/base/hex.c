/* SPDX-License-Identifier: ISC */
/*
 * Lower-case hex.  Only one spelling of a value is read, since the record
 * compares bytes.  Not in constant time: secrets are read from hex only out
 * of files that their owner wrote.
 */
#include "common/base/hex.h"

#include "common/base/err.h"

/* Returns the value of a lower-case digit, or -1. */
static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (c - '0');
	if (c >= 'a' && c <= 'f')
		return (c - 'a' + 10);
	return (-1);
}

void
hex_format(char *out, const void *p, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	const uint8_t *b = p;
	size_t i;

	for (i = 0; i < n; i++) {
		*out++ = digits[b[i] >> 4];
		*out++ = digits[b[i] & 15];
	}
	*out = '\0';
}

int
hex_parse(uint8_t *out, size_t n, const char *s, size_t len)
{
	size_t i;

	if (len % 2 != 0 || len / 2 != n)
		return (ERR_MALFORMED);
	for (i = 0; i < len; i++) {
		if (hex_digit(s[i]) == -1)
			return (ERR_MALFORMED);
	}
	for (i = 0; i < n; i++)
		out[i] = (uint8_t)(hex_digit(s[2 * i]) << 4 |
		    hex_digit(s[2 * i + 1]));
	return (0);
}
