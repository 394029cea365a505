/* SPDX-License-Identifier: ISC */
/* Hex: one spelling of each value, and nothing else is read. */
#include "common/base/hex.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

static void
every_byte_goes_there_and_back(void **state)
{
	uint8_t back[256], bytes[256];
	char text[513];
	int i;

	(void)state;
	for (i = 0; i < 256; i++)
		bytes[i] = (uint8_t)i;
	memset(text, 'x', sizeof(text));
	hex_format(text, bytes, sizeof(bytes));
	assert_int_equal(strlen(text), 512);
	assert_memory_equal(text, "000102", 6);
	assert_memory_equal(text + 2 * 0x9a, "9a9b9c9d9e9fa0", 14);
	assert_string_equal(text + 506, "fdfeff");
	assert_int_equal(hex_parse(back, 256, text, 512), 0);
	assert_memory_equal(back, bytes, 256);
}

static void
nothing_encodes_to_the_empty_string(void **state)
{
	uint8_t out = 7;
	char text[] = "x";

	(void)state;
	hex_format(text, NULL, 0);
	assert_string_equal(text, "");
	assert_int_equal(hex_parse(&out, 0, "", 0), 0);
	assert_int_equal(out, 7);
}

static void
decode_refuses_all_but_lower_case_digits(void **state)
{
	uint8_t out;
	char text[2];
	int c, place;
	bool good;

	(void)state;
	for (place = 0; place < 2; place++) {
		for (c = 0; c < 256; c++) {
			text[0] = text[1] = '0';
			text[place] = (char)c;
			good = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
			out = 0xee;
			assert_int_equal(hex_parse(&out, 1, text, 2),
			    good ? 0 : ERR_MALFORMED);
			if (!good)
				assert_int_equal(out, 0xee);
		}
	}
}

static void
decode_refuses_every_other_length(void **state)
{
	static const char digits[] = "0123456789abcdef";
	uint8_t out[4];
	size_t len;

	(void)state;
	for (len = 0; len <= 16; len++) {
		memset(out, 0xee, sizeof(out));
		if (len == 8) {
			assert_int_equal(hex_parse(out, 4, digits, len), 0);
			assert_memory_equal(out, "\x01\x23\x45\x67", 4);
			continue;
		}
		assert_int_equal(hex_parse(out, 4, digits, len), ERR_MALFORMED);
		assert_memory_equal(out, "\xee\xee\xee\xee", 4);
	}
	/* 2n must not wrap round. */
	assert_int_equal(
	    hex_parse(out, SIZE_MAX / 2 + 1, digits, 0), ERR_MALFORMED);
}

static void
decode_writes_nothing_if_the_last_digit_is_wrong(void **state)
{
	uint8_t out[4] = {9, 9, 9, 9};

	(void)state;
	assert_int_equal(hex_parse(out, 4, "0000000G", 8), ERR_MALFORMED);
	assert_memory_equal(out, "\x09\x09\x09\x09", 4);
}

static void
decode_needs_no_terminator(void **state)
{
	uint8_t out[1];
	char *text = malloc(2);

	(void)state;
	assert_non_null(text);
	memcpy(text, "f0", 2);
	assert_int_equal(hex_parse(out, 1, text, 2), 0);
	assert_int_equal(out[0], 0xf0);
	free(text);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_byte_goes_there_and_back),
	    cmocka_unit_test(nothing_encodes_to_the_empty_string),
	    cmocka_unit_test(decode_refuses_all_but_lower_case_digits),
	    cmocka_unit_test(decode_refuses_every_other_length),
	    cmocka_unit_test(decode_writes_nothing_if_the_last_digit_is_wrong),
	    cmocka_unit_test(decode_needs_no_terminator),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
