/* SPDX-License-Identifier: ISC */
/*
 * Reading and telling times.  What a clock may hold is said twice: here for
 * whoever types it, and in the form of the create order (record S5), which
 * alone judges what is given as JSON.
 */
#include "client/play/duration.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "client/base/xalloc.h"
#include "client/ui/opt.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/order.h"

#define DURATION_MINUTE 60
#define DURATION_HOUR 3600
#define DURATION_DAY 86400
#define DURATION_FIRST 60 /* a clock's shortest time */
#define DURATION_HOLIDAYS 366
#define DURATION_NOTICE_S 604800
#define DURATION_DIGITS 9 /* of a number in a span */

/* Reads numbers with units; false for anything else. */
static bool
duration_read(const char *s, int64_t *out)
{
	static const char letters[] = "smhd";
	static const int64_t units[] = {
	    1, DURATION_MINUTE, DURATION_HOUR, DURATION_DAY};
	int64_t sum = 0, unit, last = INT64_MAX, n;
	const char *letter;
	size_t digits;

	if (*s == '\0')
		return (false);
	while (*s != '\0') {
		digits = strspn(s, "0123456789");
		if (digits > DURATION_DIGITS ||
		    !opt_number_in(s, digits, 0, INT32_MAX, &n))
			return (false);
		letter = s[digits] == '\0' ? NULL : strchr(letters, s[digits]);
		unit = letter == NULL ? last : units[letter - letters];
		if (unit >= last)
			return (false);
		sum += n * unit;
		last = unit;
		s += digits + 1;
	}
	*out = sum;
	return (true);
}

int
duration_span(const char *s, const char *what, int64_t lo, int64_t hi,
    int64_t *out, struct errinfo *e)
{
	char *least, *most;
	int64_t n;

	if (!duration_read(s, &n))
		return (err_set(e, ERR_INVALID, NULL,
		    "%s is a time like 3d, 12h, 90m or 1d12h, not '%s'", what,
		    s));
	if (n < lo || n > hi) {
		least = duration_words(lo);
		most = duration_words(hi);
		(void)err_set(e, ERR_INVALID, NULL,
		    "%s is from %s to %s, not '%s'", what, least, most, s);
		free(least);
		free(most);
		return (ERR_INVALID);
	}
	*out = n;
	return (0);
}

/* True if s has the form, in which 0 stands for a digit, T also for a blank. */
static bool
duration_has_form(const char *s, const char *form)
{
	size_t i;

	for (i = 0; form[i] != '\0'; i++) {
		if (form[i] == '0'
			? s[i] < '0' || s[i] > '9'
			: s[i] != form[i] && (form[i] != 'T' || s[i] != ' '))
			return (false);
	}
	return (s[i] == '\0');
}

/* Two digits. */
static int
duration_two(const char *s)
{
	return (10 * (s[0] - '0') + s[1] - '0');
}

int
duration_instant(
    const char *s, const char *what, int64_t *ms, struct errinfo *e)
{
	const bool has_hour = duration_has_form(s, "0000-00-00T00:00");
	struct tm tm = {.tm_isdst = -1}, is;
	time_t t;

	if (clock_parse(s, strlen(s), ms) == 0)
		return (0);
	if (has_hour || duration_has_form(s, "0000-00-00")) {
		tm.tm_year = 100 * duration_two(s) + duration_two(s + 2) - 1900;
		tm.tm_mon = duration_two(s + 5) - 1;
		tm.tm_mday = duration_two(s + 8);
		tm.tm_hour = has_hour ? duration_two(s + 11) : 0;
		tm.tm_min = has_hour ? duration_two(s + 14) : 0;
		is = tm;
		t = mktime(&is);
		/* What is no date or hour becomes another one. */
		if (t > 0 && is.tm_mon == tm.tm_mon &&
		    is.tm_mday == tm.tm_mday && is.tm_hour == tm.tm_hour &&
		    is.tm_min == tm.tm_min) {
			*ms = 1000 * (int64_t)t;
			return (0);
		}
	}
	return (err_set(e, ERR_INVALID, NULL,
	    "%s is a date as 2026-12-05 or \"2026-12-05 18:00\", not '%s'",
	    what, s));
}

char *
duration_words(int64_t seconds)
{
	static const struct {
		int64_t s;
		const char *one;
		const char *many;
	} units[] = {
	    {DURATION_DAY, "day", "days"},
	    {DURATION_HOUR, "h", "h"},
	    {DURATION_MINUTE, "min", "min"},
	    {1, "s", "s"},
	};
	struct buf b;
	size_t i, told = 0;
	int64_t n;

	buf_init(&b, 0);
	for (i = 0; i < sizeof(units) / sizeof(units[0]) && told < 2; i++) {
		n = seconds / units[i].s;
		seconds %= units[i].s;
		/* In "1 day 5 min" the minutes are of no interest. */
		if (told == 1 && n == 0)
			break;
		if (n == 0)
			continue;
		buf_printf(&b, "%s%lld %s", told == 0 ? "" : " ", (long long)n,
		    n == 1 ? units[i].one : units[i].many);
		told++;
	}
	if (told == 0)
		buf_puts(&b, "0 s");
	return (xalloc_take(&b));
}

char *
duration_due(int64_t now_ms, int64_t due_ms)
{
	int64_t off = due_ms - now_ms;
	char *words, *s;

	words = duration_words((off < 0 ? -off : off) / 1000);
	if (off < 0)
		s = xalloc_printf("%s ago", words);
	else
		s = xalloc_printf("in %s", words);
	free(words);
	return (s);
}

/* The days of "sat+sun"; new. */
static int
duration_skip(const char *s, json_t **out, struct errinfo *e)
{
	json_t *list;
	size_t i, len;
	unsigned seen = 0;
	int r = 0;

	list = xalloc_json(json_array());
	for (;;) {
		len = strcspn(s, "+");
		for (i = 0; order_days[i] != NULL; i++) {
			if (len == 3 && strncmp(s, order_days[i], 3) == 0)
				break;
		}
		if (order_days[i] == NULL || (seen & (1U << i)) != 0) {
			r = err_set(e, ERR_INVALID, NULL,
			    "skip names days, each once, as in skip=sat+sun: "
			    "mon, tue, wed, thu, fri, sat, sun");
			break;
		}
		seen |= 1U << i;
		xalloc_append(list, json_string(order_days[i]));
		if (s[len] == '\0')
			break;
		s += len + 1;
	}
	if (r == 0 && json_array_size(list) == 7)
		r = err_set(e, ERR_INVALID, NULL,
		    "skip cannot name all seven days: no time would pass");
	if (r != 0) {
		json_decref(list);
		return (r);
	}
	*out = list;
	return (0);
}

/* Reads one of the settings after the first part, NAME=VALUE. */
static int
duration_setting(
    json_t *clock, const char *name, const char *value, struct errinfo *e)
{
	const int64_t first =
	    json_integer_value(json_object_get(clock, "first_s"));
	json_t *v = NULL;
	int64_t n;
	int r = 0;

	if (strcmp(name, "notice") == 0) {
		r = duration_span(value, "notice", 0, DURATION_NOTICE_S, &n, e);
		name = "notice_s";
	} else if (strcmp(name, "grace") == 0) {
		r = duration_span(value, "grace", 0, DURATION_YEAR_S, &n, e);
		name = "grace_s";
	} else if (strcmp(name, "cap") == 0) {
		r = duration_span(value, "cap", first, DURATION_YEAR_S, &n, e);
		name = "cap_s";
	} else if (strcmp(name, "holidays") == 0) {
		if (!opt_number(value, 0, DURATION_HOLIDAYS, &n))
			r = err_set(e, ERR_INVALID, NULL,
			    "holidays is a number of days from 0 to %d, not "
			    "'%s'",
			    DURATION_HOLIDAYS, value);
	} else if (strcmp(name, "skip") == 0) {
		r = duration_skip(value, &v, e);
	} else if (strcmp(name, "then") == 0) {
		if (strcmp(value, "forfeit") != 0 &&
		    strcmp(value, "default") != 0 &&
		    strcmp(value, "director") != 0)
			r = err_set(e, ERR_INVALID, NULL,
			    "then is forfeit, default or director, not '%s'",
			    value);
		else
			v = json_string(value);
	} else {
		r = err_set(e, ERR_INVALID, NULL,
		    "a clock has no '%s': it has grace, notice, cap, skip, "
		    "holidays and then",
		    name);
	}
	if (r == 0 && json_object_get(clock, name) != NULL)
		r = err_set(e, ERR_INVALID, NULL,
		    "a clock says the same thing twice: '%s'", value);
	if (r != 0) {
		json_decref(v);
		return (r);
	}
	xalloc_set(clock, name, v != NULL ? v : json_integer(n));
	return (0);
}

/* Reads all parts, which it cuts apart, into *clock. */
static int
duration_parts(json_t *clock, char *spec, struct errinfo *e)
{
	char *add, *next, *part, *per, *value;
	int64_t n;
	int r;

	if ((next = strchr(spec, ',')) != NULL)
		*next++ = '\0';
	/* First "3d/order" or "10d+1d/side". */
	per = strchr(spec, '/');
	if (per == NULL ||
	    (strcmp(per, "/order") != 0 && strcmp(per, "/side") != 0))
		return (err_set(e, ERR_INVALID, NULL,
		    "a clock begins with TIME/order or TIME[+TIME]/side, as "
		    "in 3d/order or 10d+1d/side"));
	*per++ = '\0';
	xalloc_set(clock, "per", json_string(per));
	if ((add = strchr(spec, '+')) != NULL)
		*add++ = '\0';
	r = duration_span(spec, "the time of a clock", DURATION_FIRST,
	    DURATION_YEAR_S, &n, e);
	if (r != 0)
		return (r);
	xalloc_set(clock, "first_s", json_integer(n));
	if (add != NULL && strcmp(per, "order") == 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "only a clock per side adds a time for each move: "
		    "TIME+TIME/side"));
	if (add != NULL) {
		r = duration_span(add, "the time that is added for each move",
		    0, DURATION_YEAR_S, &n, e);
		if (r != 0)
			return (r);
		xalloc_set(clock, "add_s", json_integer(n));
	}
	while ((part = next) != NULL) {
		if ((next = strchr(part, ',')) != NULL)
			*next++ = '\0';
		if ((value = strchr(part, '=')) == NULL)
			return (err_set(e, ERR_INVALID, NULL,
			    "'%s' is not a setting of a clock: each is "
			    "NAME=VALUE, as in grace=12h",
			    part));
		*value++ = '\0';
		if ((r = duration_setting(clock, part, value, e)) != 0)
			return (r);
	}
	if (json_object_get(clock, "cap_s") != NULL &&
	    strcmp(per, "order") == 0)
		return (err_set(e, ERR_INVALID, NULL,
		    "only a clock per side has a cap: "
		    "TIME+TIME/side,cap=TIME"));
	return (0);
}

int64_t
duration_notice(int64_t first_s)
{
	const int64_t least = first_s < DURATION_HOUR ? first_s : DURATION_HOUR;
	const int64_t tenth =
	    first_s / 10 < DURATION_DAY ? first_s / 10 : DURATION_DAY;

	return (least > tenth ? least : tenth);
}

int
duration_clock(const char *spec, json_t **clock, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	json_t *v = NULL;
	char *copy;
	int r;

	if (*spec == '{') {
		r = js_load(spec, strlen(spec), JS_DEPTH_RPC, &v, &why);
		if (r != 0)
			return (err_set(e, ERR_INVALID, NULL,
			    "the clock is not JSON: %s", why.text));
		*clock = v;
		return (0);
	}
	copy = xalloc_str(spec);
	v = xalloc_json(json_object());
	if ((r = duration_parts(v, copy, e)) == 0) {
		if (json_object_get(v, "then") == NULL)
			xalloc_set(v, "then", json_string("forfeit"));
		if (json_object_get(v, "notice_s") == NULL)
			xalloc_set(v, "notice_s",
			    json_integer(
				duration_notice(js_int(v, "first_s"))));
		*clock = v;
	} else {
		json_decref(v);
	}
	free(copy);
	return (r);
}

/* Appends ", PREFIX TIME SUFFIX" for a number of seconds above 0. */
static void
duration_tell(
    struct buf *b, int64_t seconds, const char *prefix, const char *suffix)
{
	char *s;

	if (seconds == 0)
		return;
	s = duration_words(seconds);
	buf_printf(b, ", %s%s%s", prefix, s, suffix);
	free(s);
}

char *
duration_clock_words(const struct order_clock *clock)
{
	static const char *const then[] = {
	    [ORDER_CLOCK_FORFEIT] = "the game is forfeit",
	    [ORDER_CLOCK_DEFAULT] =
		"the usual answer stands, or the game is forfeit",
	    [ORDER_CLOCK_DIRECTOR] = "the director rules",
	};
	const char *label = ", not counting ";
	struct buf b;
	size_t i;
	char *s;

	buf_init(&b, 0);
	s = duration_words(clock->first_s);
	buf_printf(&b, "%s for each %s", s, clock->is_side ? "side" : "move");
	free(s);
	duration_tell(&b, clock->add_s, "", " more for each move");
	duration_tell(&b, clock->cap_s, "at most ", "");
	duration_tell(&b, clock->grace_s, "", " of grace");
	duration_tell(&b, clock->notice_s, "", " of notice");
	for (i = 0; order_days[i] != NULL; i++) {
		if ((clock->skip & 1U << i) == 0)
			continue;
		buf_printf(&b, "%s%s", label, order_days[i]);
		label = "+";
	}
	if (clock->holidays > 0)
		buf_printf(&b, ", %lld day%s of holiday a side",
		    (long long)clock->holidays,
		    clock->holidays == 1 ? "" : "s");
	buf_printf(&b, "; then %s", then[clock->then]);
	return (xalloc_take(&b));
}

int
duration_delay(
    const char *s, const char **member, int64_t *n, struct errinfo *e)
{
	size_t len = strlen(s);
	int64_t number;

	if (len > 1 && s[len - 1] == 't') {
		if (opt_number_in(
			s, len - 1, 1, DURATION_DELAY_TURNS, &number)) {
			*member = "delay";
			*n = number;
			return (0);
		}
	} else if (duration_read(s, &number) && number % DURATION_MINUTE == 0 &&
	    number >= DURATION_MINUTE &&
	    number <= (int64_t)DURATION_DELAY_MINUTES * DURATION_MINUTE) {
		*member = "delay_minutes";
		*n = number / DURATION_MINUTE;
		return (0);
	}
	return (err_set(e, ERR_INVALID, NULL,
	    "a delay is turns, as 2t (up to %d), or a time, as 90m (1m to "
	    "7d), not '%s'",
	    DURATION_DELAY_TURNS, s));
}
