/* SPDX-License-Identifier: ISC */
/*
 * Times as the record writes them: the calendar against the C library's,
 * the bounds, and every form that is refused (record S2).
 */
#include "common/base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "common/base/err.h"

#define LAST_MS 253402300799999

/* Fails unless ms is written as want, and want is read as ms. */
static void
is_written(int64_t ms, const char *want)
{
	char out[CLOCK_AT_LEN + 1];
	int64_t back = -1;

	memset(out, 'x', sizeof(out));
	clock_format(out, ms);
	assert_string_equal(out, want);
	assert_int_equal(clock_parse(want, strlen(want), &back), 0);
	assert_true(back == ms);
}

static void
known_times_go_there_and_back(void **state)
{
	(void)state;
	is_written(0, "1970-01-01T00:00:00.000Z");
	is_written(1, "1970-01-01T00:00:00.001Z");
	is_written(999, "1970-01-01T00:00:00.999Z");
	is_written(86399999, "1970-01-01T23:59:59.999Z");
	is_written(86400000, "1970-01-02T00:00:00.000Z");
	is_written(68169600000, "1972-02-29T00:00:00.000Z");
	is_written(951782400000, "2000-02-29T00:00:00.000Z");
	is_written(951868800000, "2000-03-01T00:00:00.000Z");
	is_written(946684799999, "1999-12-31T23:59:59.999Z");
	is_written(1000000000000, "2001-09-09T01:46:40.000Z");
	is_written(2147483648000, "2038-01-19T03:14:08.000Z");
	is_written(1795197845123, "2026-11-20T18:04:05.123Z");
	is_written(4107542400000, "2100-03-01T00:00:00.000Z");
	is_written(4107542399999, "2100-02-28T23:59:59.999Z");
	is_written(LAST_MS, "9999-12-31T23:59:59.999Z");
}

static void
every_day_until_the_year_9999_agrees_with_the_c_library(void **state)
{
	char out[CLOCK_AT_LEN + 1], want[64];
	/* Where things are slow, every 13th. */
	const int64_t step = getenv("UMPIRE_SLOW") != NULL ? 13 : 1;
	int64_t back, day;
	struct tm tm;
	time_t s;

	(void)state;
	for (day = 0; day <= LAST_MS / 86400000; day += step) {
		/* Another time of each day; 61 minutes walk through it. */
		s = (time_t)(day * 86400 + day * 3661 % 86400);
		assert_non_null(gmtime_r(&s, &tm));
		(void)snprintf(want, sizeof(want),
		    "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", tm.tm_year + 1900,
		    tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		    (int)(day % 1000));
		clock_format(out, (int64_t)s * 1000 + day % 1000);
		if (strcmp(out, want) != 0)
			fail_msg("%s is written as %s", want, out);
		if (clock_parse(out, CLOCK_AT_LEN, &back) != 0 ||
		    back != (int64_t)s * 1000 + day % 1000)
			fail_msg("%s is not read back", out);
	}
}

static void
times_out_of_range_are_held_to_it(void **state)
{
	char out[CLOCK_AT_LEN + 1];

	(void)state;
	clock_format(out, -1);
	assert_string_equal(out, "1970-01-01T00:00:00.000Z");
	clock_format(out, INT64_MIN);
	assert_string_equal(out, "1970-01-01T00:00:00.000Z");
	clock_format(out, LAST_MS + 1);
	assert_string_equal(out, "9999-12-31T23:59:59.999Z");
	clock_format(out, INT64_MAX);
	assert_string_equal(out, "9999-12-31T23:59:59.999Z");
}

/* Fails unless s is refused and nothing is written. */
static void
is_refused(const char *s, size_t len)
{
	int64_t ms = 77;

	if (clock_parse(s, len, &ms) != ERR_MALFORMED)
		fail_msg("%s is read as %lld", s, (long long)ms);
	assert_true(ms == 77);
}

static void
dates_that_do_not_exist_are_refused(void **state)
{
	static const char *const texts[] = {"2026-00-10T00:00:00.000Z",
	    "2026-13-10T00:00:00.000Z", "2026-01-00T00:00:00.000Z",
	    "2026-01-32T00:00:00.000Z", "2026-04-31T00:00:00.000Z",
	    "2026-06-31T00:00:00.000Z", "2026-09-31T00:00:00.000Z",
	    "2026-11-31T00:00:00.000Z", "2026-02-29T00:00:00.000Z",
	    "2024-02-30T00:00:00.000Z", "2100-02-29T00:00:00.000Z",
	    "2200-02-29T00:00:00.000Z", "2000-02-30T00:00:00.000Z",
	    "1969-12-31T23:59:59.999Z", "1900-01-01T00:00:00.000Z",
	    "0000-01-01T00:00:00.000Z", "2026-01-01T24:00:00.000Z",
	    "2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z",
	    "2016-12-31T23:59:60.000Z", "2026-99-99T99:99:99.999Z"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		is_refused(texts[i], strlen(texts[i]));
}

static void
leap_days_exist_in_leap_years_only(void **state)
{
	char text[32];
	int64_t ms;
	int year;
	bool leap;

	(void)state;
	for (year = 1970; year <= 9999; year++) {
		leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
		(void)snprintf(
		    text, sizeof(text), "%04d-02-29T12:00:00.000Z", year);
		assert_int_equal(clock_parse(text, CLOCK_AT_LEN, &ms),
		    leap ? 0 : ERR_MALFORMED);
	}
}

static void
every_other_byte_at_any_place_is_refused_or_read_as_written(void **state)
{
	static const char good[] = "2026-11-20T18:04:05.123Z";
	char out[CLOCK_AT_LEN + 1], text[sizeof(good)];
	int64_t ms;
	size_t i;
	int c;

	(void)state;
	for (i = 0; i < CLOCK_AT_LEN; i++) {
		for (c = 0; c < 256; c++) {
			memcpy(text, good, sizeof(good));
			text[i] = (char)c;
			if (clock_parse(text, CLOCK_AT_LEN, &ms) != 0)
				continue;
			clock_format(out, ms);
			assert_memory_equal(out, text, CLOCK_AT_LEN);
		}
	}
}

static void
every_other_length_is_refused(void **state)
{
	static const char long_text[] = "2026-11-20T18:04:05.123Z0";
	size_t len;

	(void)state;
	for (len = 0; len < sizeof(long_text); len++) {
		if (len != CLOCK_AT_LEN)
			is_refused(long_text, len);
	}
	is_refused("2026-11-20T18:04:05.123z", 24);
	is_refused("2026-11-20t18:04:05.123Z", 24);
	is_refused("2026-11-20 18:04:05.123Z", 24);
	is_refused("2026-11-20T18:04:05,123Z", 24);
	is_refused("2026-11-20T18:04:05.12 Z", 24);
	is_refused("+026-11-20T18:04:05.123Z", 24);
	is_refused("2026-11-20T18:04:05+0100", 24);
	is_refused("2026-11-20T18:04:05Z", 20);
	is_refused("", 0);
}

static void
the_clocks_run(void **state)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	int64_t mono, wall;

	(void)state;
	wall = clock_wall_ms();
	assert_true(llabs((long long)(wall / 1000 - (int64_t)time(NULL))) <= 2);
	mono = clock_mono_ms();
	assert_int_equal(nanosleep(&pause, NULL), 0);
	assert_true(clock_mono_ms() - mono >= 4);
}

static void
local_time_follows_the_time_zone(void **state)
{
	char out[32];

	(void)state;
	assert_int_equal(setenv("TZ", "XST-5:30", 1), 0);
	tzset();
	clock_local(out, 1795197845123);
	assert_string_equal(out, "2026-11-20 23:34");
	assert_int_equal(setenv("TZ", "UTC0", 1), 0);
	tzset();
	clock_local(out, 1795197845123);
	assert_string_equal(out, "2026-11-20 18:04");
	clock_local(out, INT64_MIN);
	assert_string_equal(out, "1970-01-01 00:00");
	clock_local(out, INT64_MAX);
	assert_string_equal(out, "9999-12-31 23:59");
}

/* Checks what a time zone is called at a time. */
static void
zone_is(const char *tz, int64_t ms, int minutes, const char *want)
{
	char out[CLOCK_ZONE_LEN + 1];

	assert_int_equal(setenv("TZ", tz, 1), 0);
	tzset();
	assert_int_equal(clock_ahead(ms), minutes);
	clock_zone(out, minutes);
	assert_string_equal(out, want);
}

static void
zones_are_told_by_their_distance_from_utc(void **state)
{
	static const char central[] = "CET-1CEST,M3.5.0,M10.5.0/3";
	char out[CLOCK_ZONE_LEN + 1];

	(void)state;
	zone_is("XST-5:30", 1795197845123, 330, "UTC+05:30");
	zone_is("XST3:15", 1795197845123, -195, "UTC-03:15");
	/* November, and July. */
	zone_is(central, 1795197845123, 60, "UTC+01:00");
	zone_is(central, 1784000000000, 120, "UTC+02:00");
	zone_is("UTC0", INT64_MAX, 0, "UTC");
	clock_zone(out, -30);
	assert_string_equal(out, "UTC-00:30");
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(known_times_go_there_and_back),
	    cmocka_unit_test(
		every_day_until_the_year_9999_agrees_with_the_c_library),
	    cmocka_unit_test(times_out_of_range_are_held_to_it),
	    cmocka_unit_test(dates_that_do_not_exist_are_refused),
	    cmocka_unit_test(leap_days_exist_in_leap_years_only),
	    cmocka_unit_test(
		every_other_byte_at_any_place_is_refused_or_read_as_written),
	    cmocka_unit_test(every_other_length_is_refused),
	    cmocka_unit_test(the_clocks_run),
	    cmocka_unit_test(local_time_follows_the_time_zone),
	    cmocka_unit_test(zones_are_told_by_their_distance_from_utc),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
