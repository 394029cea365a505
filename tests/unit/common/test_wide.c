/* SPDX-License-Identifier: ISC */
/* Wide numbers: their sums and order, and digits that never run over. */
#include "common/pairing/wide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

/* The next number of a fixed sequence (xorshift64). */
static uint64_t
next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (*state);
}

/* A number of two words as the compiler has it. */
static __int128
whole(const uint64_t *a)
{
	return ((__int128)((unsigned __int128)a[1] << 64 | a[0]));
}

/* Two words, small or of the other sign as often as not. */
static void
draw(uint64_t *a, uint64_t *state)
{
	a[0] = next(state);
	a[1] = next(state) >> 3;
	if (next(state) % 2 == 0)
		a[1] = 0;
	if (next(state) % 2 == 0)
		a[0] = next(state) % 4;
	if (next(state) % 2 == 0) {
		a[0] = ~a[0];
		a[1] = ~a[1];
	}
}

static void
two_words_count_as_the_compiler_does(void **state)
{
	uint64_t a[2], b[2], c[2], out[2], seed = 88172645463325252U;
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		draw(a, &seed);
		draw(b, &seed);
		draw(c, &seed);
		wide_slack(out, a, b, c, 2);
		assert_true(whole(out) == whole(a) + whole(b) - whole(c));
		wide_copy(out, a, 2);
		wide_add(out, b, 2);
		assert_true(whole(out) == whole(a) + whole(b));
		wide_sub(out, b, 2);
		assert_true(whole(out) == whole(a));
		wide_double(out, 2);
		assert_true(whole(out) == whole(a) * 2);
		wide_halve(out, 2);
		assert_true(whole(out) == whole(a));
		assert_int_equal(wide_less(a, b, 2), whole(a) < whole(b));
		assert_int_equal(wide_is_negative(a, 2), whole(a) < 0);
		assert_int_equal(wide_is_zero(a, 2), whole(a) == 0);
		assert_int_equal(wide_is_odd(a), (int)(a[0] & 1));
	}
}

static void
one_word_is_a_number_too(void **state)
{
	uint64_t a[1] = {5}, b[1] = {7}, out[1];

	(void)state;
	wide_slack(out, a, a, b, 1);
	assert_int_equal(out[0], 3);
	wide_double(a, 1);
	assert_int_equal(a[0], 10);
	wide_halve(a, 1);
	wide_sub(a, b, 1);
	assert_true(wide_is_negative(a, 1) && wide_less(a, b, 1));
}

static void
widths_hold_what_they_are_for(void **state)
{
	(void)state;
	assert_int_equal(wide_bits(0), 0);
	assert_int_equal(wide_bits(1), 1);
	assert_int_equal(wide_bits(255), 8);
	assert_int_equal(wide_bits(256), 9);
	assert_int_equal(wide_bits(UINT64_MAX), 64);
	assert_int_equal(wide_words(0), 1);
	assert_int_equal(wide_words(64), 1);
	assert_int_equal(wide_words(65), 2);
}

static void
a_digit_is_read_as_it_was_put_wherever_it_is(void **state)
{
	uint64_t a[3], value, seed = 42;
	unsigned width;
	size_t at;

	(void)state;
	for (at = 0; at < 192; at++) {
		for (width = 1; width <= 64 && at + width <= 192; width++) {
			memset(a, 0, sizeof(a));
			value = next(&seed) >> (64 - width);
			assert_int_equal(wide_put(a, 3, at, width, value), 0);
			assert_true(wide_get(a, 3, at, width) == value);
			assert_true(at == 0 || wide_get(a, 3, 0, 1) == 0);
			assert_true(at + width == 192 ||
			    wide_get(a, 3, at + width, 1) == 0);
		}
	}
}

static void
a_digit_never_runs_over(void **state)
{
	uint64_t a[2] = {0, 0}, before[2];

	(void)state;
	assert_int_equal(wide_put(a, 2, 62, 4, 9), 0);
	assert_int_equal(wide_put(a, 2, 62, 4, 6), 0);
	assert_int_equal(wide_get(a, 2, 62, 4), 15);
	wide_copy(before, a, 2);
	assert_int_equal(wide_put(a, 2, 62, 4, 1), ERR_TOOBIG);
	assert_int_equal(wide_put(a, 2, 0, 4, 16), ERR_TOOBIG);
	assert_int_equal(wide_put(a, 2, 125, 4, 0), ERR_TOOBIG);
	assert_int_equal(wide_put(a, 2, 0, 65, 0), ERR_TOOBIG);
	assert_int_equal(wide_put(a, 2, 0, 0, 1), ERR_TOOBIG);
	assert_memory_equal(a, before, sizeof(a));
	assert_int_equal(wide_put(a, 2, 0, 0, 0), 0);
	assert_int_equal(wide_put(a, 2, 66, 62, 3), 0);
	assert_int_equal(wide_get(a, 2, 62, 4), 15);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_words_count_as_the_compiler_does),
	    cmocka_unit_test(one_word_is_a_number_too),
	    cmocka_unit_test(widths_hold_what_they_are_for),
	    cmocka_unit_test(a_digit_is_read_as_it_was_put_wherever_it_is),
	    cmocka_unit_test(a_digit_never_runs_over),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
