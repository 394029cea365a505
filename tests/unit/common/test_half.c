/* SPDX-License-Identifier: ISC */
/* Points in halves, as people write and read them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/half.h"

static void
halves_are_read(void **state)
{
	static const struct {
		const char *s;
		int half; /* -1: refused */
	} rows[] = {{"0", 0}, {"0.5", 1}, {"1/2", 1}, {"1", 2}, {"1.0", 2},
	    {"9.5", 19}, {"10", 20}, {"10.0", 20}, {"010", 20}, {"10.5", -1},
	    {"11", -1}, {"99999999999", -1}, {"", -1}, {".5", -1}, {"1.", -1},
	    {"1.25", -1}, {"1.5 ", -1}, {"-1", -1}, {"3/2", -1}, {"x", -1}};
	size_t i;
	int half;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		half = -1;
		if (half_read(rows[i].s, strlen(rows[i].s), 20, &half) !=
			(rows[i].half >= 0) ||
		    half != rows[i].half)
			fail_msg("'%s' is %d", rows[i].s, half);
	}
	assert_true(half_read("1,5", 1, 20, &half));
	assert_false(half_read("1/2", 3, 0, &half));
}

static void
what_is_told_is_what_is_read(void **state)
{
	char text[HALF_TEXT];
	int half, read;

	(void)state;
	for (half = 0; half <= 200; half++) {
		(void)half_text(text, half);
		assert_true(half_read(text, strlen(text), 200, &read));
		assert_int_equal(read, half);
	}
	assert_string_equal(half_text(text, 5), "2.5");
	assert_string_equal(half_text(text, -1), "-0.5");
	assert_string_equal(half_text(text, -4), "-2");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(halves_are_read),
	    cmocka_unit_test(what_is_told_is_what_is_read),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
