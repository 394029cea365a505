/* SPDX-License-Identifier: ISC */
/* When notices are sent, and what of an address may be logged. */
#include "server/mail/mailer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/clock.h"
#include "server/base/conf.h"

#define MINUTE_MS 60000

/* The wall clock time of a text such as 2026-11-22T23:59:59.999Z. */
static int64_t
at(const char *text)
{
	int64_t ms;

	assert_int_equal(clock_parse(text, strlen(text), &ms), 0);
	return (ms);
}

/* Counts by brute force: which minutes of a day are quiet. */
static bool
is_between(int minute, int from, int to)
{
	int m;

	for (m = from; m != to; m = (m + 1) % 1440) {
		if (m == minute)
			return (true);
	}
	return (false);
}

static void
every_minute_of_a_day_is_quiet_or_not(void **state)
{
	static const struct store_quiet all[] = {
	    {true, 0, 0, 1439},
	    {true, 0, 1439, 0},
	    {true, 0, 540, 1020},
	    {true, 120, 1320, 420},
	    {true, -300, 1320, 420},
	    {true, 840, 0, 60},
	    {true, -840, 1380, 30},
	    {true, 345, 700, 701},
	};
	const int64_t day = at("2026-11-22T00:00:00.000Z");
	size_t i;
	int m, local;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (m = 0; m < 1440; m++) {
			local = (m + all[i].offset_min + 1440) % 1440;
			assert_int_equal(
			    mailer_is_quiet(&all[i], day + MINUTE_MS * m),
			    is_between(local, all[i].from_min, all[i].to_min));
		}
	}
}

static void
quiet_hours_begin_and_end_to_the_millisecond(void **state)
{
	/* 22:00 to 07:00 two hours ahead of UTC. */
	const struct store_quiet q = {true, 120, 1320, 420};

	(void)state;
	assert_false(mailer_is_quiet(&q, at("2026-11-22T19:59:59.999Z")));
	assert_true(mailer_is_quiet(&q, at("2026-11-22T20:00:00.000Z")));
	assert_true(mailer_is_quiet(&q, at("2026-11-22T21:59:59.999Z")));
	assert_true(mailer_is_quiet(&q, at("2026-11-22T22:00:00.000Z")));
	assert_true(mailer_is_quiet(&q, at("2026-11-23T04:59:59.999Z")));
	assert_false(mailer_is_quiet(&q, at("2026-11-23T05:00:00.000Z")));
}

static void
without_quiet_hours_or_with_empty_ones_nothing_is_quiet(void **state)
{
	const struct store_quiet none = {false, 0, 0, 1439};
	const struct store_quiet empty = {true, 60, 600, 600};
	int m;

	(void)state;
	for (m = 0; m < 1440; m++) {
		assert_false(mailer_is_quiet(&none, MINUTE_MS * (int64_t)m));
		assert_false(mailer_is_quiet(&empty, MINUTE_MS * (int64_t)m));
	}
}

static void
pauses_double_up_to_six_hours(void **state)
{
	static const int64_t want_s[] = {
	    60, 120, 240, 480, 960, 1920, 3840, 7680, 15360, 21600, 21600};
	int64_t i;

	(void)state;
	for (i = 0; i < 11; i++)
		assert_int_equal(
		    mailer_next_ms(5, i + 1, 100, 60), 5 + 1000 * want_s[i]);
	assert_int_equal(mailer_next_ms(0, 1, 2, 21600), 21600000);
	assert_int_equal(mailer_next_ms(0, 99, 100, 1), 21600000);
}

static void
after_the_last_try_there_is_none(void **state)
{
	(void)state;
	assert_int_equal(mailer_next_ms(5, 1, 1, 60), -1);
	assert_int_equal(mailer_next_ms(5, 7, 8, 60), 5 + 3840000);
	assert_int_equal(mailer_next_ms(5, 8, 8, 60), -1);
	/* The settings may have been lowered meanwhile. */
	assert_int_equal(mailer_next_ms(5, 9, 8, 60), -1);
}

static void
only_the_host_of_an_address_is_logged(void **state)
{
	static const char *const rows[][2] = {
	    {"", ""},
	    {"a@b.c", "b.c"},
	    {"https://h", "h"},
	    {"https://h:8443/secret?key=1", "h:8443"},
	    {"https://h?token=x", "h"},
	    {"https://h/a@b", "h"},
	    {"https://[::1]/x", "[::1]"},
	};
	char host[256], url[600] = "https://";
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		mailer_host(rows[i][0], host);
		assert_string_equal(host, rows[i][1]);
	}
	memset(url + 8, 'x', sizeof(url) - 9);
	url[sizeof(url) - 1] = '\0';
	mailer_host(url, host);
	assert_int_equal(strlen(host), 255);
}

static void
channels_are_those_of_the_settings(void **state)
{
	const char *const overrides[] = {"notify_command=/bin/true",
	    "webhooks=yes", "smtp_from=a@b.c", "smtp_url=smtp://h:25"};
	static const unsigned want[] = {0, 1, 5, 5, 7};
	struct errinfo e;
	struct conf *c;
	size_t n;

	(void)state;
	for (n = 0; n <= 4; n++) {
		assert_int_equal(conf_load(NULL, overrides, n, &c, &e), 0);
		assert_int_equal(mailer_channels(c), want[n]);
		assert_int_equal(c->live.offers_mail, n == 4);
		assert_int_equal(c->live.offers_webhooks, n >= 2);
		conf_free(c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_minute_of_a_day_is_quiet_or_not),
	    cmocka_unit_test(quiet_hours_begin_and_end_to_the_millisecond),
	    cmocka_unit_test(
		without_quiet_hours_or_with_empty_ones_nothing_is_quiet),
	    cmocka_unit_test(pauses_double_up_to_six_hours),
	    cmocka_unit_test(after_the_last_try_there_is_none),
	    cmocka_unit_test(only_the_host_of_an_address_is_logged),
	    cmocka_unit_test(channels_are_those_of_the_settings),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
