/* SPDX-License-Identifier: ISC */
/* The bytes of a mail. */
#include "server/courier/courier_mail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/clock.h"

static const uint8_t id[COURIER_MAIL_ID] = {
    0xab, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xff};
static const struct courier_message job = {
    .to = "b@c.d", .subject = "umpire: your move", .body = "one\n\n.two\n"};

static void
a_mail_is_these_bytes(void **state)
{
	struct buf out;
	int64_t at_ms;

	(void)state;
	assert_int_equal(
	    clock_parse("2026-11-22T01:02:03.999Z", CLOCK_AT_LEN, &at_ms), 0);
	buf_init(&out, 0);
	courier_mail_write(&out, "umpire@example.org", &job, at_ms, id);
	assert_string_equal(buf_str(&out),
	    "Date: Sun, 22 Nov 2026 01:02:03 +0000\r\n"
	    "From: umpire <umpire@example.org>\r\n"
	    "To: <b@c.d>\r\n"
	    "Subject: umpire: your move\r\n"
	    "Message-ID: <ab0102030405060708090a0b0c0d0eff@example.org>\r\n"
	    "Auto-Submitted: auto-generated\r\n"
	    "MIME-Version: 1.0\r\n"
	    "Content-Type: text/plain; charset=UTF-8\r\n"
	    "Content-Transfer-Encoding: 7bit\r\n"
	    "\r\n"
	    "one\r\n\r\n.two\r\n");
	buf_clear(&out);
}

static void
dates_are_those_of_the_calendar(void **state)
{
	static const char *const rows[][2] = {
	    {"1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 +0000"},
	    {"2024-02-29T23:59:59.999Z", "Thu, 29 Feb 2024 23:59:59 +0000"},
	    {"2026-12-31T12:00:00.000Z", "Thu, 31 Dec 2026 12:00:00 +0000"},
	    {"2027-01-01T00:00:00.000Z", "Fri, 01 Jan 2027 00:00:00 +0000"},
	    {"2030-06-08T09:08:07.000Z", "Sat, 08 Jun 2030 09:08:07 +0000"},
	};
	struct buf out;
	int64_t at_ms;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(
		    clock_parse(rows[i][0], CLOCK_AT_LEN, &at_ms), 0);
		buf_init(&out, 0);
		courier_mail_write(&out, "a@b.c", &job, at_ms, id);
		assert_memory_equal(
		    out.data + 6, rows[i][1], strlen(rows[i][1]));
		buf_clear(&out);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_mail_is_these_bytes),
	    cmocka_unit_test(dates_are_those_of_the_calendar),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
