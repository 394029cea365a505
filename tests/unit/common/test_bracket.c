/* SPDX-License-Identifier: ISC */
/* Brackets: the usual orders, and the best meet last. */
#include "common/pairing/bracket.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#define MOST 1024

static void
orders_are_the_usual_ones(void **state)
{
	int n, orders = 0, slots[MOST];
	json_t *all, *list, *seed;
	const char *name;
	size_t i;

	(void)state;
	all = json_load_file(TOP_SRCDIR "/tests/pairing/bracket.json", 0, NULL);
	assert_non_null(all);
	json_object_foreach(all, name, list)
	{
		n = (int)strtol(name, NULL, 10);
		assert_int_equal(bracket_size(n), n);
		assert_int_equal(json_array_size(list), n);
		bracket_fill(n, slots);
		json_array_foreach(list, i, seed)
		    assert_int_equal(slots[i], json_integer_value(seed));
		orders++;
	}
	assert_true(orders >= 6);
	json_decref(all);
}

/* The better seeds win: the best of each round must be left, 1 .. n. */
static void
play(int n)
{
	int i, left, r, slots[MOST], size = bracket_size(n);

	bracket_fill(n, slots);
	for (r = 0; r < bracket_rounds(n); r++) {
		left = size / 2;
		for (i = 0; i < left; i++) {
			int a = slots[2 * i], b = slots[2 * i + 1];

			assert_true(a != 0 || b != 0);
			/* The best meets the worst of those in the round. */
			if (a != 0 && b != 0)
				assert_int_equal(a + b, size + 1);
			slots[i] = a == 0 || (b != 0 && b < a) ? b : a;
			assert_in_range(slots[i], 1, left);
		}
		size = left;
	}
	assert_int_equal(size, 1);
	assert_int_equal(slots[0], 1);
}

static void
the_best_meet_last_and_the_best_have_byes(void **state)
{
	int n;

	(void)state;
	assert_int_equal(bracket_size(1), 1);
	assert_int_equal(bracket_rounds(1), 0);
	assert_int_equal(bracket_size(5), 8);
	assert_int_equal(bracket_rounds(5), 3);
	for (n = 1; n <= 260; n++)
		play(n);
	play(1000);
}

static void
side_1_is_whose_turn_it_is(void **state)
{
	(void)state;
	assert_int_equal(bracket_side(1, 2, 8, 1, 1), 8);
	assert_int_equal(bracket_side(8, 0, 1, 1, 2), 8);
	assert_int_equal(bracket_side(1, 1, 8, 1, 1), 1);
	assert_int_equal(bracket_side(8, 0, 1, 0, 2), 8);
	assert_int_equal(bracket_side(2, 0, 7, 0, 1), 7);
	assert_int_equal(bracket_side(7, 3, 2, 3, 2), 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(orders_are_the_usual_ones),
	    cmocka_unit_test(the_best_meet_last_and_the_best_have_byes),
	    cmocka_unit_test(side_1_is_whose_turn_it_is),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
