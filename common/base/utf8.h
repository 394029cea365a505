/* SPDX-License-Identifier: ISC */
/* Well-formed UTF-8 (RFC 3629), one character at a time. */
#ifndef UMPIRE_COMMON_BASE_UTF8_H
#define UMPIRE_COMMON_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_LEN 4 /* bytes of a character at most */

/*
 * Reads the character at the start of s, which has n bytes: returns its
 * length, 1 to 4, and its code point in *cp.  Returns 0, and leaves *cp
 * alone, if the bytes are not well formed (overlong, a surrogate, above
 * U+10FFFF, cut short) or n is 0.
 */
size_t utf8_get(const char *s, size_t n, uint32_t *cp);

/* True if all n bytes of s are well-formed characters; none are, too. */
bool utf8_is_valid(const char *s, size_t n);

/* Writes cp, a code point that is not a surrogate, and returns its length. */
size_t utf8_put(char out[UTF8_LEN], uint32_t cp);

/*
 * True unless cp is a control character or one that hides text, breaks the
 * line or changes its direction: a stranger's text with those could pass for
 * what it is not on a terminal.
 */
bool utf8_is_plain(uint32_t cp);

#endif
