/* SPDX-License-Identifier: ISC */
/*
 * Spans, clocks and delays as people write them; what the create order's
 * form (record S5) says of a clock that was taken must be the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "client/base/xalloc.h"
#include "client/play/duration.h"
#include "common/record/order.h"
#include "tests/lib/table.h"

#define DAY 86400

/* Checks that a clock is read as this JSON, which a game takes. */
static void
clock_is(const char *spec, const char *text)
{
	struct errinfo e = {.text = ""};
	json_t *clock, *wanted = table_json(text), *args;
	struct table t;
	char *got;

	if (duration_clock(spec, &clock, &e) != 0)
		fail_msg("'%s': %s", spec, e.text);
	got = xalloc_dump(clock);
	/* How long a notice stands is told below, where it is not said. */
	if (strstr(text, "notice_s") == NULL)
		(void)json_object_del(clock, "notice_s");
	if (!json_equal(clock, wanted))
		fail_msg("'%s' is %s", spec, got);
	free(got);
	table_init(&t);
	args = table_create_args(&t, table_roster);
	xalloc_set(args, "clock", clock);
	xalloc_set(args, "options", json_pack("{s:b}", "director", 1));
	table_make_create(&t, args);
	if (table_open(&t) != 0)
		fail_msg("'%s': %s: %s", spec, t.e.where, t.e.text);
	table_clear(&t);
	json_decref(wanted);
}

/* Checks that a clock is refused, and that the text names a word. */
static void
clock_is_not(const char *spec, const char *word)
{
	struct errinfo e = {.text = ""};
	json_t *clock = NULL;

	assert_int_equal(duration_clock(spec, &clock, &e), ERR_INVALID);
	assert_null(clock);
	if (strstr(e.text, word) == NULL)
		fail_msg("'%s': %s", spec, e.text);
}

static void
a_notice_is_an_hour_or_a_tenth_of_the_time_or_what_is_said(void **state)
{
	(void)state;
	clock_is("3d/order",
	    "{'per':'order','first_s':259200,'notice_s':25920,"
	    "'then':'forfeit'}");
	clock_is("5m/order",
	    "{'per':'order','first_s':300,'notice_s':300,'then':'forfeit'}");
	clock_is("2h/side",
	    "{'per':'side','first_s':7200,'notice_s':3600,'then':'forfeit'}");
	clock_is("60d/side",
	    "{'per':'side','first_s':5184000,'notice_s':86400,"
	    "'then':'forfeit'}");
	clock_is("3d/order,notice=0s",
	    "{'per':'order','first_s':259200,'notice_s':0,'then':'forfeit'}");
	clock_is_not("3d/order,notice=8d", "notice");
}

static void
a_clock_per_order_is_read(void **state)
{
	(void)state;
	clock_is(
	    "3d/order", "{'per':'order','first_s':259200,'then':'forfeit'}");
	clock_is("3d/order,grace=12h,skip=sat+sun,holidays=14,then=forfeit",
	    "{'per':'order','first_s':259200,'grace_s':43200,"
	    "'skip':['sat','sun'],'holidays':14,'then':'forfeit'}");
	clock_is("60s/order,then=director",
	    "{'per':'order','first_s':60,'then':'director'}");
	clock_is("365d/order,grace=0s,holidays=0",
	    "{'per':'order','first_s':31536000,'grace_s':0,'holidays':0,"
	    "'then':'forfeit'}");
	clock_is("1d12h/order,skip=mon",
	    "{'per':'order','first_s':129600,'skip':['mon'],'then':'forfeit'}");
}

static void
a_clock_per_side_is_read(void **state)
{
	(void)state;
	clock_is("10d+1d/side,cap=14d,then=default",
	    "{'per':'side','first_s':864000,'add_s':86400,'cap_s':1209600,"
	    "'then':'default'}");
	clock_is("90m/side", "{'per':'side','first_s':5400,'then':'forfeit'}");
	clock_is("1h+0s/side,cap=1h",
	    "{'per':'side','first_s':3600,'add_s':0,'cap_s':3600,"
	    "'then':'forfeit'}");
}

static void
a_clock_may_be_json(void **state)
{
	static const char text[] =
	    "{\"per\":\"order\",\"first_s\":77,\"then\":\"forfeit\"}";

	(void)state;
	clock_is(text, text);
	clock_is_not("{\"per\":", "not JSON");
	clock_is_not("{} x", "not JSON");
}

static void
what_is_no_clock_is_refused_with_a_reason(void **state)
{
	(void)state;
	clock_is_not("", "begins with");
	clock_is_not("3d", "begins with");
	clock_is_not("3d/move", "begins with");
	clock_is_not("3d/order/side", "begins with");
	clock_is_not("/order", "time like");
	clock_is_not("3/order", "time like");
	clock_is_not("3w/order", "time like");
	clock_is_not("-3d/order", "time like");
	clock_is_not("3d /order", "time like");
	clock_is_not("12h1d/order", "time like");
	clock_is_not("1d1d/order", "time like");
	clock_is_not("9999999999d/order", "time like");
	clock_is_not("99999999999999999999s/order", "time like");
	clock_is_not("59s/order", "from 1 min to 365 days");
	clock_is_not("366d/order", "from 1 min to 365 days");
	clock_is_not("3d+1d/order", "only a clock per side");
	clock_is_not("3d+/side", "time like");
	clock_is_not("3d/order,cap=4d", "only a clock per side");
	clock_is_not("3d/side,cap=2d", "cap is from 3 days");
	clock_is_not("3d/order,grace", "NAME=VALUE");
	clock_is_not("3d/order,", "NAME=VALUE");
	clock_is_not("3d/order,,grace=1h", "NAME=VALUE");
	clock_is_not("3d/order,grace=", "time like");
	clock_is_not("3d/order,pace=1h", "has no 'pace'");
	clock_is_not("3d/order,skip=", "skip names days");
	clock_is_not("3d/order,skip=sat+sat", "skip names days");
	clock_is_not("3d/order,skip=saturday", "skip names days");
	clock_is_not("3d/order,skip=sat+", "skip names days");
	clock_is_not(
	    "3d/order,skip=mon+tue+wed+thu+fri+sat+sun", "all seven days");
	clock_is_not("3d/order,holidays=367", "from 0 to 366");
	clock_is_not("3d/order,holidays=3d", "from 0 to 366");
	clock_is_not("3d/order,then=win", "forfeit, default or director");
	clock_is_not("3d/order,grace=1h,grace=2h", "twice");
}

/* Checks that a clock is told so. */
static void
told(const struct order_clock *clock, const char *words)
{
	char *s = duration_clock_words(clock);

	assert_string_equal(s, words);
	free(s);
}

static void
a_clock_is_told_in_words(void **state)
{
	const int64_t day = 86400;
	const struct order_clock plain = {.first_s = 3 * day};
	const struct order_clock weekend = {.first_s = 3 * day,
	    .grace_s = day / 2,
	    .skip = 1U << 5 | 1U << 6,
	    .holidays = 14};
	const struct order_clock bank = {.is_side = true,
	    .first_s = 10 * day,
	    .add_s = day,
	    .cap_s = 14 * day,
	    .holidays = 1,
	    .then = ORDER_CLOCK_DEFAULT};
	const struct order_clock ruled = {
	    .first_s = day + day / 2, .then = ORDER_CLOCK_DIRECTOR};

	(void)state;
	told(&plain, "3 days for each move; then the game is forfeit");
	told(&weekend,
	    "3 days for each move, 12 h of grace, not counting sat+sun, 14 "
	    "days of holiday a side; then the game is forfeit");
	told(&bank,
	    "10 days for each side, 1 day more for each move, at most 14 days, "
	    "1 day of holiday a side; then the usual answer stands, or the "
	    "game is forfeit");
	told(&ruled, "1 day 12 h for each move; then the director rules");
}

/* Checks the words of a span. */
static void
words_are(int64_t seconds, const char *words)
{
	char *s = duration_words(seconds);

	assert_string_equal(s, words);
	free(s);
}

static void
spans_have_at_most_two_units(void **state)
{
	(void)state;
	words_are(0, "0 s");
	words_are(59, "59 s");
	words_are(60, "1 min");
	words_are(61, "1 min 1 s");
	words_are(3600, "1 h");
	words_are(3661, "1 h 1 min");
	words_are(DAY, "1 day");
	words_are(2 * DAY + 3 * 3600 + 59 * 60, "2 days 3 h");
	words_are(DAY + 59 * 60, "1 day");
	words_are(INT64_C(400) * DAY, "400 days");
}

static void
what_is_due_is_before_or_after_now(void **state)
{
	char *s;

	(void)state;
	s = duration_due(1000000, 1000000 + 7200000);
	assert_string_equal(s, "in 2 h");
	free(s);
	s = duration_due(10000000, 10000000 - 300000);
	assert_string_equal(s, "5 min ago");
	free(s);
}

/* Checks what a delay sets. */
static void
delay_is(const char *s, const char *member, int64_t n)
{
	struct errinfo e;
	const char *got;
	int64_t number;

	assert_int_equal(duration_delay(s, &got, &number, &e), 0);
	assert_string_equal(got, member);
	assert_int_equal(number, n);
}

static void
a_delay_is_turns_or_minutes(void **state)
{
	static const char *const bad[] = {"", "t", "0t", "2", "-1t", "10000t",
	    "30s", "0m", "90s", "8d", "10081m", "2t3m", "2 t", "m", NULL};
	struct errinfo e;
	const char *member;
	int64_t n;
	size_t i;

	(void)state;
	delay_is("2t", "delay", 2);
	delay_is("9999t", "delay", 9999);
	delay_is("90m", "delay_minutes", 90);
	delay_is("120s", "delay_minutes", 2);
	delay_is("1h30m", "delay_minutes", 90);
	delay_is("7d", "delay_minutes", 10080);
	for (i = 0; bad[i] != NULL; i++) {
		if (duration_delay(bad[i], &member, &n, &e) != ERR_INVALID)
			fail_msg("'%s' is taken", bad[i]);
		assert_true(strlen(e.text) > 0);
	}
}

static void
an_instant_is_of_the_clock_here(void **state)
{
	static const struct {
		const char *s;
		int64_t ms; /* -1: refused */
	} rows[] = {{"2026-12-05", INT64_C(1796425200000)},
	    {"2026-12-05 18:00", INT64_C(1796490000000)},
	    {"2026-12-05T18:00", INT64_C(1796490000000)},
	    {"2026-07-05 18:00", INT64_C(1783267200000)}, /* summer */
	    {"2026-12-05T18:00:00.000Z", INT64_C(1796493600000)},
	    {"2026-03-29 02:30", -1}, /* clocks go from 2 to 3 */
	    {"2026-02-30", -1}, {"2026-13-01", -1}, {"2026-00-01", -1},
	    {"2026-12-05 24:00", -1}, {"2026-12-05 18:60", -1},
	    {"2026-12-05 ", -1}, {"2026-12-05 18:00 ", -1}, {"2026-12-5", -1},
	    {"5.12.2026", -1}, {"", -1}, {"1900-01-01", -1}, {"3d", -1}};
	struct errinfo e;
	int64_t ms;
	size_t i;
	int r;

	(void)state;
	assert_int_equal(setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1), 0);
	tzset();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e = (struct errinfo){.text = ""};
		ms = -1;
		r = duration_instant(rows[i].s, "it", &ms, &e);
		if (ms != rows[i].ms || (r != 0) != (ms == -1))
			fail_msg("'%s' is %lld: %s", rows[i].s, (long long)ms,
			    e.text);
		assert_true(
		    r == 0 || strstr(e.text, "it is a date as") != NULL);
	}
	assert_int_equal(setenv("TZ", "UTC", 1), 0);
	tzset();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		a_notice_is_an_hour_or_a_tenth_of_the_time_or_what_is_said),
	    cmocka_unit_test(a_clock_per_order_is_read),
	    cmocka_unit_test(a_clock_per_side_is_read),
	    cmocka_unit_test(a_clock_may_be_json),
	    cmocka_unit_test(what_is_no_clock_is_refused_with_a_reason),
	    cmocka_unit_test(a_clock_is_told_in_words),
	    cmocka_unit_test(spans_have_at_most_two_units),
	    cmocka_unit_test(what_is_due_is_before_or_after_now),
	    cmocka_unit_test(a_delay_is_turns_or_minutes),
	    cmocka_unit_test(an_instant_is_of_the_clock_here),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
