/* SPDX-License-Identifier: ISC */
/* Lines out of a stream, however it is cut up, and the limit on them. */
#include "common/base/frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

/* Feeds a copy that is gone afterwards, so that nothing may point to it. */
static int
feed(struct frame *f, const char *p, size_t n)
{
	char *copy = malloc(n == 0 ? 1 : n);
	int r;

	assert_non_null(copy);
	memcpy(copy, p, n);
	r = frame_feed(f, copy, n);
	free(copy);
	return (r);
}

/* Fails unless the next line is want. */
static void
gives(struct frame *f, const char *want)
{
	const char *line;
	size_t len;

	assert_int_equal(frame_next(f, &line, &len), 0);
	assert_int_equal(len, strlen(want));
	assert_memory_equal(line, want, len);
}

/* Fails unless the next line gives r and nothing is written. */
static void
gives_no_line(struct frame *f, int r)
{
	const char *line = "before";
	size_t len = 77;

	assert_int_equal(frame_next(f, &line, &len), r);
	assert_string_equal(line, "before");
	assert_int_equal(len, 77);
}

static void
an_empty_stream_has_no_line(void **state)
{
	struct frame f;

	(void)state;
	frame_init(&f, 10);
	gives_no_line(&f, ERR_NOTFOUND);
	assert_int_equal(frame_feed(&f, NULL, 0), 0);
	gives_no_line(&f, ERR_NOTFOUND);
	frame_clear(&f);
}

static void
lines_come_in_order_and_only_when_whole(void **state)
{
	struct frame f;

	(void)state;
	frame_init(&f, 10);
	assert_int_equal(feed(&f, "ab\ncd\n\nef", 9), 0);
	gives(&f, "ab");
	gives(&f, "cd");
	gives(&f, "");
	gives_no_line(&f, ERR_NOTFOUND);
	assert_int_equal(feed(&f, "g", 1), 0);
	gives_no_line(&f, ERR_NOTFOUND);
	assert_int_equal(feed(&f, "h\n", 2), 0);
	gives(&f, "efgh");
	gives_no_line(&f, ERR_NOTFOUND);
	frame_clear(&f);
}

static void
a_cr_before_the_lf_is_dropped_and_no_other(void **state)
{
	struct frame f;

	(void)state;
	frame_init(&f, 10);
	assert_int_equal(feed(&f, "a\r\n\r\na\rb\n\ra\n\r\r\n", 15), 0);
	gives(&f, "a");
	gives(&f, "");
	gives(&f, "a\rb");
	gives(&f, "\ra");
	gives(&f, "\r");
	/* Also when the two come apart. */
	assert_int_equal(feed(&f, "x\r", 2), 0);
	gives_no_line(&f, ERR_NOTFOUND);
	assert_int_equal(feed(&f, "\n", 1), 0);
	gives(&f, "x");
	frame_clear(&f);
}

static void
nul_is_a_byte_like_others(void **state)
{
	const char *line;
	struct frame f;
	size_t len;

	(void)state;
	frame_init(&f, 10);
	assert_int_equal(feed(&f, "a\0b\n", 4), 0);
	assert_int_equal(frame_next(&f, &line, &len), 0);
	assert_int_equal(len, 3);
	assert_memory_equal(line, "a\0b", 3);
	frame_clear(&f);
}

static void
any_cut_of_the_stream_gives_the_same_lines(void **state)
{
	static const char stream[] = "one\n\ntwo\r\nthree and more\nx\n";
	const size_t n = sizeof(stream) - 1;
	size_t a, b;
	struct frame f;

	(void)state;
	for (a = 0; a <= n; a++) {
		for (b = a; b <= n; b++) {
			frame_init(&f, 14);
			assert_int_equal(feed(&f, stream, a), 0);
			assert_int_equal(feed(&f, stream + a, b - a), 0);
			assert_int_equal(feed(&f, stream + b, n - b), 0);
			gives(&f, "one");
			gives(&f, "");
			gives(&f, "two");
			gives(&f, "three and more");
			gives(&f, "x");
			gives_no_line(&f, ERR_NOTFOUND);
			frame_clear(&f);
		}
	}
}

static void
bytes_one_by_one_with_lines_taken_at_once(void **state)
{
	struct frame f;
	int i, lines = 0;
	const char *line;
	size_t len;

	(void)state;
	frame_init(&f, 5);
	for (i = 0; i < 60000; i++) {
		assert_int_equal(feed(&f, i % 6 == 5 ? "\n" : "x", 1), 0);
		while (frame_next(&f, &line, &len) == 0) {
			assert_int_equal(len, 5);
			lines++;
		}
	}
	assert_int_equal(lines, 10000);
	/* What was taken does not pile up. */
	assert_true(f.in.cap < 1000);
	frame_clear(&f);
}

static void
many_lines_of_one_feed_all_come(void **state)
{
	struct frame f;
	char *text = malloc(300000);
	int i;

	(void)state;
	assert_non_null(text);
	for (i = 0; i < 100000; i++)
		memcpy(text + 3 * i, "ab\n", 3);
	frame_init(&f, 2);
	assert_int_equal(feed(&f, text, 300000), 0);
	for (i = 0; i < 100000; i++) {
		gives(&f, "ab");
		/* Feeding in between must not disturb those that wait. */
		if (i % 1000 == 0)
			assert_int_equal(feed(&f, "cd\n", 3), 0);
	}
	for (i = 0; i < 100; i++)
		gives(&f, "cd");
	gives_no_line(&f, ERR_NOTFOUND);
	frame_clear(&f);
	free(text);
}

static void
a_line_of_just_the_limit_passes(void **state)
{
	struct frame f;

	(void)state;
	frame_init(&f, 4);
	assert_int_equal(feed(&f, "abcd\nabcd\r\n", 11), 0);
	gives(&f, "abcd");
	gives(&f, "abcd");
	assert_int_equal(feed(&f, "abcd", 4), 0);
	gives_no_line(&f, ERR_NOTFOUND);
	assert_int_equal(feed(&f, "\r", 1), 0);
	gives_no_line(&f, ERR_NOTFOUND);
	assert_int_equal(feed(&f, "\n", 1), 0);
	gives(&f, "abcd");
	frame_clear(&f);
}

static void
a_line_over_the_limit_loses_the_framing_for_good(void **state)
{
	static const char *const streams[] = {"abcde\n", "abcde", "abcde\r\n",
	    "abcd\r\r\n", "abcd\rx", "abcdefghijkl\nab\n"};
	struct frame f;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
		frame_init(&f, 4);
		assert_int_equal(
		    feed(&f, streams[i], strlen(streams[i])), ERR_TOOBIG);
		gives_no_line(&f, ERR_TOOBIG);
		assert_int_equal(feed(&f, "\nab\n", 4), ERR_TOOBIG);
		gives_no_line(&f, ERR_TOOBIG);
		frame_clear(&f);
		/* A reader that was cleared starts afresh. */
		assert_int_equal(feed(&f, "ab\n", 3), 0);
		gives(&f, "ab");
		frame_clear(&f);
	}
}

static void
whole_lines_before_one_over_the_limit_still_come(void **state)
{
	struct frame f;

	(void)state;
	frame_init(&f, 4);
	assert_int_equal(feed(&f, "ab\ncd\nabcdefgh", 14), 0);
	gives(&f, "ab");
	gives(&f, "cd");
	gives_no_line(&f, ERR_TOOBIG);
	assert_int_equal(feed(&f, "\n", 1), ERR_TOOBIG);
	frame_clear(&f);
}

static void
an_endless_line_is_noticed_at_the_limit(void **state)
{
	struct frame f;
	int i, r = 0;

	(void)state;
	frame_init(&f, 100);
	for (i = 0; i < 1000 && r == 0; i++)
		r = feed(&f, "x", 1);
	assert_int_equal(r, ERR_TOOBIG);
	assert_int_equal(i, 101);
	frame_clear(&f);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_empty_stream_has_no_line),
	    cmocka_unit_test(lines_come_in_order_and_only_when_whole),
	    cmocka_unit_test(a_cr_before_the_lf_is_dropped_and_no_other),
	    cmocka_unit_test(nul_is_a_byte_like_others),
	    cmocka_unit_test(any_cut_of_the_stream_gives_the_same_lines),
	    cmocka_unit_test(bytes_one_by_one_with_lines_taken_at_once),
	    cmocka_unit_test(many_lines_of_one_feed_all_come),
	    cmocka_unit_test(a_line_of_just_the_limit_passes),
	    cmocka_unit_test(a_line_over_the_limit_loses_the_framing_for_good),
	    cmocka_unit_test(whole_lines_before_one_over_the_limit_still_come),
	    cmocka_unit_test(an_endless_line_is_noticed_at_the_limit),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
