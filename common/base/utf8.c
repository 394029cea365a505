/* SPDX-License-Identifier: ISC */
/*
 * Decodes and encodes UTF-8 by the table of RFC 3629 section 4, which leaves
 * no room for overlong forms and surrogates.  Knows nothing of locales.
 */
#include "common/base/utf8.h"

size_t
utf8_get(const char *s, size_t n, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned char lo = 0x80, hi = 0xbf;
	uint32_t c;
	size_t i, len;

	if (n == 0)
		return (0);
	if (p[0] < 0x80) {
		*cp = p[0];
		return (1);
	}
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return (0);
	len = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (n < len)
		return (0);
	/* The second byte's range is narrower after these four. */
	if (p[0] == 0xe0)
		lo = 0xa0;
	else if (p[0] == 0xed)
		hi = 0x9f;
	else if (p[0] == 0xf0)
		lo = 0x90;
	else if (p[0] == 0xf4)
		hi = 0x8f;
	if (p[1] < lo || p[1] > hi)
		return (0);
	c = p[0] & (0x7fU >> len);
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return (0);
		c = c << 6 | (p[i] & 0x3fU);
	}
	*cp = c;
	return (len);
}

bool
utf8_is_valid(const char *s, size_t n)
{
	uint32_t cp;
	size_t len;

	for (; n > 0; s += len, n -= len) {
		if ((len = utf8_get(s, n, &cp)) == 0)
			return (false);
	}
	return (true);
}

size_t
utf8_put(char out[UTF8_LEN], uint32_t cp)
{
	size_t i, len;

	if (cp < 0x80) {
		out[0] = (char)cp;
		return (1);
	}
	len = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (i = len - 1; i > 0; i--) {
		out[i] = (char)(0x80 | (cp & 0x3f));
		cp >>= 6;
	}
	out[0] = (char)((0xf00U >> len & 0xff) | cp);
	return (len);
}

bool
utf8_is_plain(uint32_t cp)
{
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0))
		return (false);
	if (cp == 0xad || cp == 0x61c || cp == 0x180e || cp == 0xfeff)
		return (false);
	if (cp >= 0x200b && cp <= 0x200f)
		return (false);
	if (cp >= 0x2028 && cp <= 0x202e)
		return (false);
	if (cp >= 0x2060 && cp <= 0x206f)
		return (false);
	if (cp >= 0xfff9 && cp <= 0xfffb) /* annotations, which hide text */
		return (false);
	return (cp < 0xe0000 || cp > 0xe0fff);
}
