/* SPDX-License-Identifier: ISC */
/*
 * The growing buffer: contents, the maximum, failures that stay, and hands
 * that memory goes through.
 */
#include "common/base/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"

const char *__asan_default_options(void);

/* Lets the address sanitizer, where there is one, return NULL as malloc does.
 */
const char *
__asan_default_options(void)
{
	return ("allocator_may_return_null=1");
}

static void
a_new_buffer_is_empty_and_allocates_nothing(void **state)
{
	struct buf b;

	(void)state;
	memset(&b, 'x', sizeof(b));
	buf_init(&b, 12);
	assert_null(b.data);
	assert_int_equal(b.len, 0);
	assert_int_equal(b.max, 12);
	assert_int_equal(buf_error(&b), 0);
	/* Nothing appended is nothing allocated. */
	buf_add(&b, NULL, 0);
	buf_puts(&b, "");
	buf_hex(&b, NULL, 0);
	buf_drain(&b, 0);
	assert_null(b.data);
	buf_clear(&b);
	buf_clear(&b);
}

static void
appended_bytes_stand_in_order(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	buf_add(&b, "a\0b", 3);
	buf_puts(&b, "cd");
	buf_putc(&b, 'e');
	buf_putc(&b, 0xff);
	buf_printf(&b, "%d%%%s", -5, "f");
	buf_hex(&b, "\x00\xaf", 2);
	assert_int_equal(buf_error(&b), 0);
	assert_int_equal(b.len, 15);
	assert_memory_equal(b.data, "a\0bcde\xff-5%f00af", 15);
	buf_clear(&b);
}

static void
integers_are_big_endian(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	buf_u8(&b, 0xab);
	buf_u16(&b, 0x0102);
	buf_u32(&b, 0x03040506);
	buf_u64(&b, 0x0708090a0b0c0d0e);
	assert_int_equal(b.len, 15);
	assert_memory_equal(b.data,
	    "\xab\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e", 15);
	buf_reset(&b);
	buf_u8(&b, 0);
	buf_u8(&b, 255);
	buf_u16(&b, 65535);
	buf_u32(&b, UINT32_MAX);
	buf_u64(&b, UINT64_MAX);
	buf_u64(&b, 1);
	assert_int_equal(b.len, 24);
	assert_memory_equal(b.data,
	    "\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"
	    "\x00\x00\x00\x00\x00\x00\x00\x01",
	    24);
	buf_clear(&b);
}

static void
it_grows_byte_by_byte_without_losing_any(void **state)
{
	struct buf b;
	size_t i;

	(void)state;
	buf_init(&b, 0);
	for (i = 0; i < 100000; i++)
		buf_putc(&b, (int)(i % 251));
	assert_int_equal(buf_error(&b), 0);
	assert_int_equal(b.len, 100000);
	for (i = 0; i < b.len; i++) {
		if ((unsigned char)b.data[i] != i % 251)
			fail_msg("byte %zu", i);
	}
	buf_clear(&b);
}

static void
formatted_text_of_every_length_near_a_growth_is_whole(void **state)
{
	struct buf b;
	int first, n;

	(void)state;
	for (first = 0; first < 140; first += 7) {
		for (n = 0; n < 300; n++) {
			buf_init(&b, 0);
			buf_printf(&b, "%*s", first, "");
			buf_printf(&b, "%0*d", n, 0);
			assert_int_equal(buf_error(&b), 0);
			assert_int_equal(b.len, first + (n == 0 ? 1 : n));
			assert_int_equal(buf_str(&b)[b.len], '\0');
			buf_clear(&b);
		}
	}
}

static void
the_maximum_itself_fits_and_one_more_does_not(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 4);
	buf_puts(&b, "abcd");
	assert_int_equal(buf_error(&b), 0);
	assert_string_equal(buf_str(&b), "abcd");
	buf_putc(&b, 'e');
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	assert_string_equal(buf_str(&b), "");
	buf_clear(&b);

	buf_init(&b, 4);
	buf_puts(&b, "abcde");
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	assert_int_equal(b.len, 0);
	buf_clear(&b);

	buf_init(&b, 4);
	buf_printf(&b, "%s", "abcd");
	assert_int_equal(buf_error(&b), 0);
	buf_printf(&b, "%s", "");
	assert_int_equal(buf_error(&b), 0);
	buf_printf(&b, "%c", 'e');
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);

	buf_init(&b, 4);
	buf_hex(&b, "\x12\x34", 2);
	assert_int_equal(buf_error(&b), 0);
	buf_reset(&b);
	buf_hex(&b, "\x12\x34\x56", 3);
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
}

static void
after_a_failure_nothing_is_appended(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 4);
	buf_puts(&b, "abc");
	buf_puts(&b, "de");
	buf_puts(&b, "d");
	buf_putc(&b, 'd');
	buf_u8(&b, 1);
	buf_hex(&b, "", 0);
	buf_printf(&b, "d");
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	assert_int_equal(b.len, 3);
	buf_clear(&b);
}

static void
sizes_near_the_end_of_size_t_are_refused(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	buf_add(&b, "x", 1);
	buf_add(&b, "x", SIZE_MAX);
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_reset(&b);
	buf_hex(&b, "x", SIZE_MAX / 2 + 1);
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
	buf_init(&b, 10);
	buf_puts(&b, "12345");
	buf_add(&b, "x", SIZE_MAX - 4);
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
}

static void
reset_forgets_bytes_and_failure_and_keeps_the_memory(void **state)
{
	struct buf b;
	char *data;

	(void)state;
	buf_init(&b, 4);
	buf_puts(&b, "abcd");
	data = b.data;
	buf_puts(&b, "e");
	buf_reset(&b);
	assert_int_equal(buf_error(&b), 0);
	assert_int_equal(b.len, 0);
	assert_ptr_equal(b.data, data);
	buf_puts(&b, "wxyz");
	assert_string_equal(buf_str(&b), "wxyz");
	assert_ptr_equal(b.data, data);
	buf_clear(&b);
}

static void
clear_keeps_the_maximum(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 2);
	buf_puts(&b, "abc");
	buf_clear(&b);
	assert_int_equal(buf_error(&b), 0);
	assert_null(b.data);
	buf_puts(&b, "abc");
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
}

static void
drain_takes_from_the_front(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 6);
	buf_puts(&b, "abcdef");
	buf_drain(&b, 2);
	assert_string_equal(buf_str(&b), "cdef");
	buf_drain(&b, 0);
	assert_int_equal(b.len, 4);
	/* What was drained makes room below the maximum. */
	buf_puts(&b, "gh");
	assert_string_equal(buf_str(&b), "cdefgh");
	buf_drain(&b, 6);
	assert_int_equal(b.len, 0);
	assert_string_equal(buf_str(&b), "");
	buf_clear(&b);
}

static void
str_terminates_and_does_not_count_the_terminator(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	assert_string_equal(buf_str(&b), "");
	assert_int_equal(b.len, 0);
	buf_puts(&b, "ab");
	assert_string_equal(buf_str(&b), "ab");
	buf_puts(&b, "c");
	assert_string_equal(buf_str(&b), "abc");
	assert_int_equal(b.len, 3);
	buf_clear(&b);
}

static void
take_hands_over_and_leaves_an_empty_buffer(void **state)
{
	size_t len = 99;
	struct buf b;
	char *s;

	(void)state;
	buf_init(&b, 5);
	buf_add(&b, "a\0b", 3);
	s = buf_take(&b, &len);
	assert_non_null(s);
	assert_int_equal(len, 3);
	assert_memory_equal(s, "a\0b", 4);
	free(s);
	assert_null(b.data);
	assert_int_equal(b.max, 5);
	buf_puts(&b, "again!");
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
}

static void
take_of_nothing_is_an_empty_string(void **state)
{
	struct buf b;
	char *s;

	(void)state;
	buf_init(&b, 0);
	s = buf_take(&b, NULL);
	assert_non_null(s);
	assert_string_equal(s, "");
	free(s);
	buf_clear(&b);
}

static void
take_after_a_failure_is_null_and_the_failure_stays(void **state)
{
	size_t len = 99;
	struct buf b;

	(void)state;
	buf_init(&b, 3);
	buf_puts(&b, "abc");
	buf_puts(&b, "d");
	assert_null(buf_take(&b, &len));
	assert_int_equal(len, 99);
	assert_int_equal(buf_error(&b), ERR_TOOBIG);
	buf_clear(&b);
}

static void
no_memory_is_a_failure_that_leaves_the_bytes_alone(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b, 0);
	buf_puts(&b, "abc");
	/* More than any machine has; the bytes are not looked at. */
	buf_add(&b, "x", SIZE_MAX / 8);
	assert_int_equal(buf_error(&b), ERR_NOMEM);
	assert_int_equal(b.len, 3);
	assert_memory_equal(b.data, "abc", 3);
	assert_null(buf_take(&b, NULL));
	buf_reset(&b);
	buf_puts(&b, "de");
	assert_string_equal(buf_str(&b), "de");
	buf_clear(&b);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_new_buffer_is_empty_and_allocates_nothing),
	    cmocka_unit_test(appended_bytes_stand_in_order),
	    cmocka_unit_test(integers_are_big_endian),
	    cmocka_unit_test(it_grows_byte_by_byte_without_losing_any),
	    cmocka_unit_test(
		formatted_text_of_every_length_near_a_growth_is_whole),
	    cmocka_unit_test(the_maximum_itself_fits_and_one_more_does_not),
	    cmocka_unit_test(after_a_failure_nothing_is_appended),
	    cmocka_unit_test(sizes_near_the_end_of_size_t_are_refused),
	    cmocka_unit_test(
		reset_forgets_bytes_and_failure_and_keeps_the_memory),
	    cmocka_unit_test(clear_keeps_the_maximum),
	    cmocka_unit_test(drain_takes_from_the_front),
	    cmocka_unit_test(str_terminates_and_does_not_count_the_terminator),
	    cmocka_unit_test(take_hands_over_and_leaves_an_empty_buffer),
	    cmocka_unit_test(take_of_nothing_is_an_empty_string),
	    cmocka_unit_test(
		take_after_a_failure_is_null_and_the_failure_stays),
	    cmocka_unit_test(
		no_memory_is_a_failure_that_leaves_the_bytes_alone),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
