/* SPDX-License-Identifier: ISC */
/* Lines broken between words: nothing is lost but what has no room. */
#include "common/base/fold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Expects what a text becomes. */
static void
folds(const char *s, int column, int hang, int width, const char *becomes)
{
	char out[128];
	size_t n;

	memset(out, 'x', sizeof(out));
	n = fold_text(out, sizeof(out), s, column, hang, width);
	assert_int_equal(n, strlen(becomes));
	assert_memory_equal(out, becomes, n);
	assert_int_equal(out[n], 'x');
}

static void
a_text_that_fits_stays_as_it_is(void **state)
{
	(void)state;
	folds("", 0, 2, 20, "");
	folds("one two", 0, 2, 7, "one two");
	folds("  one   two  ", 0, 2, 20, "  one   two  ");
}

static void
a_word_that_would_end_behind_the_width_begins_a_line(void **state)
{
	(void)state;
	folds("one two", 0, 2, 6, "one\n  two");
	folds("one two three", 0, 0, 7, "one two\nthree");
	folds("one   two", 0, 2, 6, "one\n  two");
	folds("one two three four", 0, 2, 9, "one two\n  three\n  four");
}

static void
the_column_where_a_text_begins_counts(void **state)
{
	(void)state;
	folds("one two", 3, 2, 10, "one two");
	folds("one two", 4, 2, 10, "one\n  two");
	folds("one", 8, 2, 10, "\n  one");
}

static void
a_word_longer_than_a_line_is_not_broken(void **state)
{
	(void)state;
	folds("abcdefghij", 0, 2, 5, "abcdefghij");
	folds("a bcdefghij k", 0, 0, 5, "a\nbcdefghij\nk");
	/* A line that is no longer than the blanks gains nothing. */
	folds("a bcdefghij k", 0, 2, 5, "a bcdefghij\n  k");
}

static void
a_character_of_more_bytes_takes_one_column(void **state)
{
	(void)state;
	folds("\303\204\303\226 \303\234b", 0, 2, 5,
	    "\303\204\303\226 \303\234b");
	folds("\303\204\303\226 \303\234b", 0, 1, 4,
	    "\303\204\303\226\n \303\234b");
}

static void
what_has_no_room_is_left_out(void **state)
{
	char out[16];
	size_t max;

	(void)state;
	for (max = 0; max < 12; max++) {
		memset(out, 'x', sizeof(out));
		/* Words go in whole: "one", "\n  two", "\n  six". */
		assert_int_equal(fold_text(out, max, "one two six", 0, 2, 5),
		    max < 3       ? 0
			: max < 9 ? 3
				  : 9);
		assert_int_equal(out[max], 'x');
	}
	assert_int_equal(fold_text(out, 15, "one two six", 0, 2, 5), 15);
	assert_memory_equal(out, "one\n  two\n  six", 15);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_text_that_fits_stays_as_it_is),
	    cmocka_unit_test(
		a_word_that_would_end_behind_the_width_begins_a_line),
	    cmocka_unit_test(the_column_where_a_text_begins_counts),
	    cmocka_unit_test(a_word_longer_than_a_line_is_not_broken),
	    cmocka_unit_test(a_character_of_more_bytes_takes_one_column),
	    cmocka_unit_test(what_has_no_room_is_left_out),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
