/* SPDX-License-Identifier: ISC */
/*
 * UTF-8: every code point there and back, and every byte sequence that RFC
 * 3629 forbids, found by trying them all against its definition.
 */
#include "common/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
every_code_point_goes_there_and_back(void **state)
{
	uint32_t back, cp;
	char bytes[UTF8_LEN];
	size_t n;

	(void)state;
	for (cp = 0; cp <= 0x10ffff; cp++) {
		if (cp >= 0xd800 && cp <= 0xdfff)
			continue;
		n = utf8_put(bytes, cp);
		back = UINT32_MAX;
		if (utf8_get(bytes, n, &back) != n || back != cp)
			fail_msg("U+%04X", cp);
		if (n !=
		    (cp < 0x80             ? 1U
			    : cp < 0x800   ? 2U
			    : cp < 0x10000 ? 3U
					   : 4U))
			fail_msg("U+%04X has %zu bytes", cp, n);
	}
}

/*
 * Decodes as RFC 3629 section 3 describes it: the bits of the form, then the
 * forbidden values.
 */
static size_t
decode_slowly(const unsigned char *p, uint32_t *cp)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	uint32_t c;
	size_t i, n;

	if (p[0] < 0x80) {
		*cp = p[0];
		return (1);
	}
	if ((p[0] & 0xe0) == 0xc0)
		n = 2, c = p[0] & 0x1f;
	else if ((p[0] & 0xf0) == 0xe0)
		n = 3, c = p[0] & 0x0f;
	else if ((p[0] & 0xf8) == 0xf0)
		n = 4, c = p[0] & 0x07;
	else
		return (0);
	for (i = 1; i < n; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return (0);
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return (0);
	*cp = c;
	return (n);
}

static void
every_sequence_of_bytes_is_judged_by_the_definition(void **state)
{
	static const unsigned char tails[] = {
	    0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
	const size_t n_tails = sizeof(tails);
	uint32_t got, want;
	unsigned char p[4];
	unsigned a, b;
	size_t c, d, n;

	(void)state;
	for (a = 0; a < 256; a++) {
		for (b = 0; b < 256; b++) {
			for (c = 0; c < n_tails * n_tails; c++) {
				d = c / n_tails;
				p[0] = (unsigned char)a;
				p[1] = (unsigned char)b;
				p[2] = tails[c % n_tails];
				p[3] = tails[d];
				got = want = 7777777;
				n = utf8_get((const char *)p, 4, &got);
				if (n != decode_slowly(p, &want) || got != want)
					fail_msg("%02x %02x %02x %02x", p[0],
					    p[1], p[2], p[3]);
			}
		}
	}
}

static void
a_character_cut_short_is_not_well_formed(void **state)
{
	static const char *const whole[] = {
	    "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
	uint32_t cp = 1;
	size_t i, n;

	(void)state;
	for (i = 0; i < 3; i++) {
		for (n = 0; n < strlen(whole[i]); n++)
			assert_int_equal(utf8_get(whole[i], n, &cp), 0);
	}
	assert_int_equal(cp, 1);
	assert_int_equal(utf8_get(NULL, 0, &cp), 0);
}

static void
a_text_is_valid_if_each_of_its_characters_is(void **state)
{
	static const char text[] = "a\xc3\xa9\0\xe2\x82\xac\xf0\x9f\x98\x80";
	static const size_t ends[] = {0, 1, 3, 4, 7, 11};
	static const char *const bad[] = {
	    "\xff", "ab\xc3", "\xc3\xa9\x80", "\xc0\x80", "a\xed\xa0\x80z"};
	size_t i, n;

	(void)state;
	assert_true(utf8_is_valid(NULL, 0));
	for (i = n = 0; n < sizeof(text); n++) {
		assert_int_equal(utf8_is_valid(text, n), n == ends[i]);
		i += n == ends[i] && i < 5;
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(utf8_is_valid(bad[i], strlen(bad[i])));
}

static void
controls_and_hidden_characters_are_not_plain(void **state)
{
	static const uint32_t not_plain[] = {0, 0x0a, 0x1b, 0x1f, 0x7f, 0x80,
	    0x9b, 0x9f, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0x2028,
	    0x2029, 0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0xfeff,
	    0xfff9, 0xfffb, 0xe0000, 0xe0020, 0xe007f, 0xe0fff};
	static const uint32_t plain[] = {0x20, 0x7e, 0xa0, 0xe9, 0x200a, 0x2010,
	    0x2027, 0x202f, 0x205f, 0x2070, 0x20ac, 0xfff8, 0xfffd, 0x1f600,
	    0xe1000};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(not_plain) / sizeof(not_plain[0]); i++)
		assert_false(utf8_is_plain(not_plain[i]));
	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		assert_true(utf8_is_plain(plain[i]));
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_code_point_goes_there_and_back),
	    cmocka_unit_test(
		every_sequence_of_bytes_is_judged_by_the_definition),
	    cmocka_unit_test(a_character_cut_short_is_not_well_formed),
	    cmocka_unit_test(a_text_is_valid_if_each_of_its_characters_is),
	    cmocka_unit_test(controls_and_hidden_characters_are_not_plain),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
