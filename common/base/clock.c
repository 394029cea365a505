/* SPDX-License-Identifier: ISC */
/*
 * Reads the clocks and writes times.  The calendar is the proleptic
 * Gregorian one in UTC, computed here, so that the record's times depend on
 * no library and no time zone.  Tests replace clock_wall_ms() at link time.
 */
#include "common/base/clock.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/err.h"

#define CLOCK_DAY_MS 86400000
#define CLOCK_MAX_MS 253402300799999 /* 9999-12-31T23:59:59.999Z */

/* A date and a time of day in UTC. */
struct clock_date {
	int year;
	int month; /* 1..12 */
	int day; /* 1..31 */
	int hour;
	int minute;
	int second;
	int ms;
};

/* Reads a clock, in milliseconds. */
static int64_t
clock_read(clockid_t id)
{
	struct timespec ts = {0};

	/* Fails only for a clock that does not exist. */
	(void)clock_gettime(id, &ts);
	return ((int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000);
}

/* The same in microseconds. */
static int64_t
clock_read_us(clockid_t id)
{
	struct timespec ts = {0};

	(void)clock_gettime(id, &ts);
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

int64_t
clock_wall_ms(void)
{
	return (clock_read(CLOCK_REALTIME));
}

int64_t
clock_mono_ms(void)
{
	return (clock_read(CLOCK_MONOTONIC));
}

int64_t
clock_boot_ms(void)
{
	return (clock_read(CLOCK_BOOTTIME));
}

int64_t
clock_mono_us(void)
{
	return (clock_read_us(CLOCK_MONOTONIC));
}

int64_t
clock_thread_us(void)
{
	return (clock_read_us(CLOCK_THREAD_CPUTIME_ID));
}

/* Tells whether a year has 366 days. */
static bool
clock_is_leap(int year)
{
	return (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
}

/* Returns the number of days of a month. */
static int
clock_month_days(int year, int month)
{
	static const int days[] = {
	    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

	return (days[month - 1] + (month == 2 && clock_is_leap(year)));
}

/* Returns the number of days from 1970-01-01 to the first of a year. */
static int64_t
clock_year_start(int year)
{
	const int y = year - 1;

	return (365 * (int64_t)(year - 1970) + (y / 4 - 1969 / 4) -
	    (y / 100 - 1969 / 100) + (y / 400 - 1969 / 400));
}

/* Holds a time to the years that have four digits. */
static int64_t
clock_hold(int64_t ms)
{
	return (ms < 0 ? 0 : ms > CLOCK_MAX_MS ? CLOCK_MAX_MS : ms);
}

/* Takes a time, which is in range, apart. */
static void
clock_split(struct clock_date *d, int64_t ms)
{
	int64_t day = ms / CLOCK_DAY_MS;
	int rest = (int)(ms % CLOCK_DAY_MS);

	/* No year is shorter than 365 days, so this is never too early. */
	d->year = 1970 + (int)(day / 365);
	while (clock_year_start(d->year) > day)
		d->year--;
	day -= clock_year_start(d->year);
	for (d->month = 1; day >= clock_month_days(d->year, d->month);
	     d->month++)
		day -= clock_month_days(d->year, d->month);
	d->day = (int)day + 1;
	d->ms = rest % 1000;
	d->second = rest / 1000 % 60;
	d->minute = rest / 60000 % 60;
	d->hour = rest / 3600000;
}

/* Writes v with n digits. */
static void
clock_digits(char *out, int v, int n)
{
	while (n-- > 0) {
		out[n] = (char)('0' + v % 10);
		v /= 10;
	}
}

void
clock_format(char out[CLOCK_AT_LEN + 1], int64_t ms)
{
	struct clock_date d;

	clock_split(&d, clock_hold(ms));
	memcpy(out, "0000-00-00T00:00:00.000Z", CLOCK_AT_LEN + 1);
	clock_digits(out, d.year, 4);
	clock_digits(out + 5, d.month, 2);
	clock_digits(out + 8, d.day, 2);
	clock_digits(out + 11, d.hour, 2);
	clock_digits(out + 14, d.minute, 2);
	clock_digits(out + 17, d.second, 2);
	clock_digits(out + 20, d.ms, 3);
}

/* Returns the number that n digits make; they were checked before. */
static int
clock_number(const char *s, int n)
{
	int v = 0;

	while (n-- > 0)
		v = 10 * v + (*s++ - '0');
	return (v);
}

/* True if s, of CLOCK_AT_LEN bytes, has digits and signs in their places. */
static bool
clock_has_form(const char *s)
{
	static const char form[] = "0000-00-00T00:00:00.000Z";
	size_t i;

	for (i = 0; i < CLOCK_AT_LEN; i++) {
		if (form[i] == '0' ? s[i] < '0' || s[i] > '9' : s[i] != form[i])
			return (false);
	}
	return (true);
}

int
clock_parse(const char *s, size_t len, int64_t *ms)
{
	struct clock_date d;
	int64_t day;
	int month;

	if (len != CLOCK_AT_LEN || !clock_has_form(s))
		return (ERR_MALFORMED);
	d.year = clock_number(s, 4);
	d.month = clock_number(s + 5, 2);
	d.day = clock_number(s + 8, 2);
	d.hour = clock_number(s + 11, 2);
	d.minute = clock_number(s + 14, 2);
	d.second = clock_number(s + 17, 2);
	d.ms = clock_number(s + 20, 3);
	if (d.year < 1970 || d.month < 1 || d.month > 12 || d.day < 1 ||
	    d.day > clock_month_days(d.year, d.month) || d.hour > 23 ||
	    d.minute > 59 || d.second > 59)
		return (ERR_MALFORMED);
	day = clock_year_start(d.year) + d.day - 1;
	for (month = 1; month < d.month; month++)
		day += clock_month_days(d.year, month);
	*ms = day * CLOCK_DAY_MS + d.hour * 3600000LL + d.minute * 60000LL +
	    d.second * 1000LL + d.ms;
	return (0);
}

void
clock_local(char out[32], int64_t ms)
{
	time_t s = (time_t)(clock_hold(ms) / 1000);
	struct tm tm;

	if (localtime_r(&s, &tm) == NULL ||
	    strftime(out, 32, "%Y-%m-%d %H:%M", &tm) == 0)
		(void)snprintf(out, 32, "-");
}

int
clock_ahead(int64_t ms)
{
	time_t s = (time_t)(clock_hold(ms) / 1000);
	struct tm tm;

	return (localtime_r(&s, &tm) == NULL ? 0 : (int)(tm.tm_gmtoff / 60));
}

void
clock_zone(char out[CLOCK_ZONE_LEN + 1], int minutes)
{
	int n = abs(minutes);

	if (n == 0)
		(void)snprintf(out, CLOCK_ZONE_LEN + 1, "UTC");
	else
		(void)snprintf(out, CLOCK_ZONE_LEN + 1, "UTC%c%02d:%02d",
		    minutes < 0 ? '-' : '+', n / 60, n % 60);
}
