/* SPDX-License-Identifier: ISC */
/*
 * The arithmetic of clocks (umpire-record.7, S6.7) against a model that
 * counts seconds one by one, and what lines do to the clocks of a game that
 * stands still but for the time.
 */
#include "common/game/game_int.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/clock.h"

#define DAY_S 86400
#define SAT (1U << 5)
#define SUN (1U << 6)

/* Numbers that look like chance and are the same in every run. */
static uint32_t chance_state = 1;

static uint32_t
chance(uint32_t n)
{
	chance_state = chance_state * 1664525U + 1013904223U;
	return ((uint32_t)(((uint64_t)chance_state * n) >> 32));
}

/* The time that a text tells, in milliseconds. */
static int64_t
at(const char *text)
{
	char full[CLOCK_AT_LEN + 1] = "0000-00-00T00:00:00.000Z";
	int64_t ms = 0;

	memcpy(full, text, strlen(text));
	assert_int_equal(clock_parse(full, CLOCK_AT_LEN, &ms), 0);
	return (ms);
}

/* The day of the week of a time, Monday 0, from its date (Sakamoto). */
static int
weekday(int64_t ms)
{
	static const int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
	char text[CLOCK_AT_LEN + 1];
	int y, m, d;

	clock_format(text, ms);
	y = (int)strtol(text, NULL, 10);
	m = (int)strtol(text + 5, NULL, 10);
	d = (int)strtol(text + 8, NULL, 10);
	if (m < 3)
		y--;
	/* 0 would be Sunday. */
	return ((y + y / 4 - y / 100 + y / 400 + t[m - 1] + d + 6) % 7);
}

/* A second that counts, each asked for the day that it lies in. */
static bool
counts(unsigned skip, int64_t s)
{
	static int64_t day = -1;
	static int of = 0;

	if (s / DAY_S != day) {
		day = s / DAY_S;
		of = weekday(s * 1000);
	}
	return ((skip >> of & 1) == 0);
}

static void
days_of_the_week_are_those_of_the_calendar(void **state)
{
	(void)state;
	assert_int_equal(weekday(at("1970-01-01")), 3);
	assert_int_equal(weekday(at("2000-02-29")), 1);
	assert_int_equal(weekday(at("2026-11-21")), 5);
	assert_int_equal(weekday(at("2100-03-01")), 0);
}

/* Compares both ways round with the count of seconds from a time on. */
static void
compare(unsigned skip, int64_t from_s, int64_t seconds)
{
	int64_t n = 0, s, t;

	for (s = from_s; s < from_s + seconds; s++) {
		if (!counts(skip, s))
			continue;
		n++;
		/* Every second would take too long. */
		if (n % 3607 != 1 && n % DAY_S != 0)
			continue;
		t = game_clock_reach(skip, from_s * 1000, n * 1000);
		if (t != (s + 1) * 1000)
			fail_msg("skip %x from %lld: %lld s reached at %lld",
			    skip, (long long)from_s, (long long)n,
			    (long long)t);
		t = game_clock_counted(skip, from_s * 1000, (s + 1) * 1000);
		if (t != n * 1000)
			fail_msg("skip %x from %lld to %lld: %lld", skip,
			    (long long)from_s, (long long)s, (long long)t);
	}
	assert_int_equal(
	    game_clock_counted(skip, from_s * 1000, (from_s + seconds) * 1000),
	    n * 1000);
}

static void
counting_by_weeks_is_counting_by_seconds(void **state)
{
	static const char *const starts[] = {
	    "1970-01-01", /* a Thursday, the first of all */
	    "1999-12-31T23:59:59", "2000-02-28T12:00:00", "2024-02-28T23:00:00",
	    "2025-02-28T23:00:00", "2026-12-24T00:00:01", "2100-02-28T18:30:00",
	    "2026-11-20T23:59:59", /* a Friday's last second */
	    "2026-11-21T00:00:00", "2026-11-22T12:00:00",
	    "2026-11-23T00:00:00"};
	const unsigned step = getenv("UMPIRE_SLOW") != NULL ? 5 : 1;
	unsigned skip;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		compare(0, at(starts[i]) / 1000, 9 * DAY_S);
		compare(SAT | SUN, at(starts[i]) / 1000, 16 * DAY_S);
	}
	/* Every set of days but all seven, from anywhere in forty years. */
	for (skip = 0; skip < 0x7f; skip += step)
		compare(skip,
		    (int64_t)chance(40U * 366) * DAY_S + chance(DAY_S),
		    DAY_S * (1 + chance(15)) + chance(DAY_S));
}

static void
milliseconds_count_at_midnight_and_nothing_before(void **state)
{
	const int64_t sat = at("2026-11-21"), mon = at("2026-11-23");

	(void)state;
	assert_int_equal(game_clock_counted(SAT | SUN, sat - 1, mon + 1), 2);
	assert_int_equal(game_clock_counted(SAT | SUN, sat, mon), 0);
	assert_int_equal(game_clock_counted(SAT | SUN, mon, sat), 0);
	assert_int_equal(game_clock_counted(0, sat, sat), 0);
	/* Earliest: at the end of Friday, not at the start of Monday. */
	assert_int_equal(game_clock_reach(SAT | SUN, sat - 1, 1), sat);
	assert_int_equal(game_clock_reach(SAT | SUN, sat - 1, 2), mon + 1);
	assert_int_equal(game_clock_reach(SAT | SUN, sat, 1), mon + 1);
	/* Nothing is needed: at once, also in the middle of a Saturday. */
	assert_int_equal(game_clock_reach(SAT | SUN, sat + 5, 0), sat + 5);
	/* One day a week, for 300 years. */
	assert_int_equal(
	    game_clock_reach(0x7e, at("2026-11-23"), 15653 * 86400000LL),
	    at("2026-11-23") + 15652 * 7 * 86400000LL + 86400000LL);
	assert_int_equal(
	    game_clock_counted(0x7e, at("1970-01-01"), at("9999-12-31")),
	    418985 * 86400000LL);
}

/* ---- a game of nothing but time ---- */

/* A game in play, turn 1, at a time. */
static void
begin(struct game *g, const struct order_clock *k, int64_t at_ms)
{
	memset(g, 0, sizeof(*g));
	g->set.has_clock = true;
	g->set.clock = *k;
	g->set.seats = 2;
	g->phase = GAME_PLAY;
	g->turn = 1;
	g->seq = 10;
	g->combat.ask_seq = -1;
	game_clock_start(g, at_ms);
	game_clock_settle(g, at_ms, true, true);
	g->seq++;
	g->at_ms = at_ms;
}

/* A line that changes nothing, or gives the turn to the other side. */
static void
line(struct game *g, int64_t at_ms, bool is_move)
{
	g->now_ms = at_ms;
	g->turn += is_move;
	if (is_move)
		g->state_seq = g->seq + 1;
	game_clock_settle(g, at_ms, is_move, is_move);
	g->seq++;
	g->at_ms = at_ms;
}

/* The model: the same in seconds, counted one by one. */
struct model {
	int64_t left[3], away[3], paused, since;
};

static int64_t
model_used(const struct model *m, unsigned skip, int side, int64_t to)
{
	int64_t n = 0, s;

	for (s = m->since; s < to; s++)
		n += s >= m->away[side] && s >= m->paused && counts(skip, s);
	return (n);
}

static int64_t
model_deadline(const struct model *m, unsigned skip, int side, int64_t need)
{
	int64_t s = m->since;

	while (need > 0) {
		need -= s >= m->away[side] && s >= m->paused && counts(skip, s);
		s++;
	}
	return (s);
}

/* Plays lines at random against the model. */
static void
play(bool is_side, unsigned skip)
{
	struct order_clock k = {.is_side = is_side,
	    .first_s = 3 * DAY_S,
	    .add_s = is_side ? 20000 : 0,
	    .cap_s = is_side ? 5 * DAY_S / 2 + DAY_S : 0,
	    .grace_s = 3600,
	    .skip = skip,
	    .holidays = 60};
	int64_t t = at("2026-11-18") / 1000 + chance(40 * DAY_S), used;
	struct model m = {{0, 3 * DAY_S, 3 * DAY_S}, {0}, 0, t};
	struct game g;
	int side = 1, i, what, days;

	begin(&g, &k, t * 1000);
	for (i = 0; i < 40; i++) {
		assert_int_equal(game_deadline_ms(&g, 3 - side), -1);
		assert_int_equal(game_deadline_ms(&g, side),
		    1000 *
			model_deadline(
			    &m, skip, side, m.left[side] + k.grace_s));
		t += chance(6) == 0 ? 0 : 1 + chance(DAY_S);
		used = model_used(&m, skip, side, t);
		/* Grace is for the next test. */
		if (used >= m.left[side])
			break;
		m.left[side] -= used;
		m.since = t;
		what = (int)chance(6);
		g.now_ms = t * 1000;
		days = 1 + (int)chance(3);
		if (what == 0) {
			assert_int_equal(game_clock_holiday(&g, side, days), 0);
			if (m.away[side] < t)
				m.away[side] = t;
			m.away[side] += (int64_t)days * DAY_S;
		} else if (what == 1) {
			assert_int_equal(game_clock_pause(&g, days), 0);
			m.paused = t + (int64_t)days * DAY_S;
		} else if (what == 2 && t < m.paused) {
			assert_int_equal(game_clock_resume(&g), 0);
			m.paused = t;
		}
		line(&g, t * 1000, what >= 3);
		if (what < 3)
			continue;
		if (is_side) {
			m.left[side] += k.add_s;
			if (m.left[side] > k.cap_s)
				m.left[side] = k.cap_s;
		}
		side = 3 - side;
		if (!is_side)
			m.left[side] = k.first_s;
	}
	if (is_side)
		assert_int_equal(
		    g.clock.sides[3 - side].left, 1000 * m.left[3 - side]);
	assert_true(i > 4);
}

static void
clocks_with_holidays_and_pauses_are_those_counted_by_seconds(void **state)
{
	const int games = getenv("UMPIRE_SLOW") != NULL ? 6 : 24;
	int i;

	(void)state;
	chance_state = 4;
	for (i = 0; i < games; i++)
		play(i % 2 == 0, chance(2) == 0 ? SAT | SUN : chance(0x7f));
}

static const struct order_clock bank = {
    .is_side = true, .first_s = 600, .add_s = 60, .cap_s = 630, .grace_s = 30};

static void
a_bank_gets_its_increment_up_to_its_cap(void **state)
{
	struct game g;

	(void)state;
	begin(&g, &bank, 1000000);
	assert_int_equal(g.clock.sides[1].left, 600000);
	assert_int_equal(g.clock.sides[1].since, 1000000);
	assert_int_equal(g.clock.sides[2].since, -1);
	assert_int_equal(game_deadline_ms(&g, 1), 1630000);
	assert_int_equal(game_deadline_ms(&g, 0), -1);
	assert_int_equal(game_deadline_ms(&g, 3), -1);
	/* 100 s used, and 60 given back. */
	line(&g, 1100000, true);
	assert_int_equal(g.clock.sides[1].left, 560000);
	assert_int_equal(g.clock.sides[1].since, -1);
	assert_int_equal(g.clock.sides[2].since, 1100000);
	/* Nothing used: the cap. */
	line(&g, 1100000, true);
	assert_int_equal(g.clock.sides[2].left, 630000);
	/* A move that leaves the turn gets no increment. */
	g.turn--;
	line(&g, 1101000, true);
	g.turn--;
	line(&g, 1102000, true);
	assert_int_equal(g.clock.sides[1].left, 558000);
	/* Time spent is not below nothing, and comes back by increments. */
	line(&g, 2000000, true);
	assert_int_equal(g.clock.sides[1].left, 60000);
}

static void
a_clock_per_order_starts_anew_with_each_state_line(void **state)
{
	struct order_clock k = {.first_s = 600};
	struct game g;

	(void)state;
	begin(&g, &k, 0);
	line(&g, 100000, false);
	assert_int_equal(g.clock.sides[1].left, 500000);
	assert_int_equal(game_deadline_ms(&g, 1), 600000);
	/* A further order of the same side has all its time again. */
	g.turn--;
	line(&g, 200000, true);
	assert_int_equal(game_deadline_ms(&g, 1), 800000);
	line(&g, 799999, true);
	assert_int_equal(game_deadline_ms(&g, 1), -1);
	assert_int_equal(game_deadline_ms(&g, 2), 1399999);
}

static void
grace_is_used_once_and_talk_does_not_renew_it(void **state)
{
	struct game g;
	int64_t t;

	(void)state;
	begin(&g, &bank, 0);
	for (t = 0; t < 629000; t += 7000) {
		line(&g, t, false);
		assert_int_equal(game_deadline_ms(&g, 1), 630000);
	}
	assert_int_equal(g.clock.sides[1].left, 0);
	/* Nor does it after the deadline, with no claim. */
	line(&g, 900000, false);
	assert_int_equal(game_deadline_ms(&g, 1), 630000);
	/* A state line that leaves the side to move does. */
	g.turn--;
	line(&g, 1000000, true);
	assert_int_equal(game_deadline_ms(&g, 1), 1030000);
}

static void
a_holiday_lies_behind_the_line_that_takes_it(void **state)
{
	struct order_clock k = bank;
	struct game g;

	(void)state;
	k.holidays = 9;
	begin(&g, &k, 0);
	g.now_ms = 500000;
	assert_int_equal(game_clock_holiday(&g, 1, 2), 0);
	line(&g, 500000, false);
	/* The 500 s before it are spent. */
	assert_int_equal(g.clock.sides[1].left, 100000);
	assert_int_equal(g.clock.sides[1].holidays, 7);
	assert_int_equal(
	    game_deadline_ms(&g, 1), 500000 + 2 * 86400000LL + 130000);
	/* A second one, in the first, lies behind it. */
	g.now_ms = 600000;
	assert_int_equal(game_clock_holiday(&g, 1, 1), 0);
	line(&g, 600000, false);
	assert_int_equal(g.clock.sides[1].left, 100000);
	assert_int_equal(
	    game_deadline_ms(&g, 1), 500000 + 3 * 86400000LL + 130000);
	/* A side may go on holiday in the other's turn. */
	g.now_ms = 700000;
	assert_int_equal(game_clock_holiday(&g, 2, 9), 0);
	line(&g, 700000, true);
	assert_int_equal(g.clock.sides[2].holidays, 0);
	assert_int_equal(
	    game_deadline_ms(&g, 2), 700000 + 9 * 86400000LL + 630000);
}

static void
a_pause_stops_both_and_ends_when_it_is_ended(void **state)
{
	struct game g;

	(void)state;
	begin(&g, &bank, 0);
	g.now_ms = 200000;
	assert_int_equal(game_clock_pause(&g, 366), 0);
	g.turn--;
	line(&g, 200000, true);
	assert_int_equal(g.clock.sides[1].left, 400000);
	line(&g, 86400000, true);
	/* Nothing was used, so that the increment is all. */
	assert_int_equal(g.clock.sides[1].left, 460000);
	assert_int_equal(
	    game_deadline_ms(&g, 2), 200000 + 366 * 86400000LL + 630000);
	g.now_ms = 86400000 + 5;
	assert_int_equal(game_clock_resume(&g), 0);
	line(&g, 86400000 + 5, false);
	assert_int_equal(game_deadline_ms(&g, 2), 86400000 + 5 + 630000);
}

static void
clocks_stand_still_before_and_after_play(void **state)
{
	struct game g;

	(void)state;
	begin(&g, &bank, 0);
	g.phase = GAME_MUSTER;
	assert_int_equal(game_deadline_ms(&g, 1), -1);
	g.phase = GAME_PLAY;
	g.phase = GAME_OVER;
	line(&g, 100000, true);
	assert_int_equal(g.clock.sides[1].left, 500000);
	assert_int_equal(g.clock.sides[1].since, -1);
	assert_int_equal(game_deadline_ms(&g, 1), -1);
	assert_int_equal(game_deadline_ms(&g, 2), -1);
	/* Where there is none, nothing runs. */
	begin(&g, &bank, 0);
	g.set.has_clock = false;
	assert_false(game_clock_owes(&g, 1));
	assert_int_equal(game_deadline_ms(&g, 1), -1);
}

static void
the_side_that_the_game_waits_for_runs(void **state)
{
	struct game g;

	(void)state;
	begin(&g, &bank, 0);
	/* An open question. */
	g.combat.is_open = true;
	g.combat.ask_side = 2;
	assert_false(game_clock_owes(&g, 1));
	assert_true(game_clock_owes(&g, 2));
	/* A secret one: whoever has not chosen. */
	g.combat.is_secret = true;
	g.combat.ask_side = 0;
	assert_true(game_clock_owes(&g, 1) && game_clock_owes(&g, 2));
	g.combat.secrets[2].is_committed = true;
	assert_true(game_clock_owes(&g, 1));
	assert_false(game_clock_owes(&g, 2));
	/* Sealed: who has not opened yet. */
	g.set.is_sealed = true;
	g.combat.secrets[1].is_committed = true;
	assert_true(game_clock_owes(&g, 1) && game_clock_owes(&g, 2));
	g.combat.secrets[1].is_open = true;
	assert_false(game_clock_owes(&g, 1));
	assert_true(game_clock_owes(&g, 2));
	/* An answer before all. */
	g.owed.is_owed = true;
	g.owed.seat = 1;
	assert_true(game_clock_owes(&g, 1));
	assert_false(game_clock_owes(&g, 2));
	/* The director has no clock, and nobody else's runs for him. */
	g.owed.seat = 0;
	assert_false(game_clock_owes(&g, 1) || game_clock_owes(&g, 2));
	/* A claim that waits for him stops them. */
	g.owed.is_owed = false;
	g.clock.claim_seq = 4;
	assert_false(game_clock_owes(&g, 1) || game_clock_owes(&g, 2));
}

static void
time_grows_without_end_but_within_bounds(void **state)
{
	struct order_clock k = bank;
	struct game g;
	int i;

	(void)state;
	k.cap_s = 0;
	k.add_s = 31536000;
	begin(&g, &k, 0);
	for (i = 0; i < 1000; i++)
		line(&g, i, true);
	assert_int_equal(g.clock.sides[1].left, 10000000000000);
	assert_true(game_deadline_ms(&g, 1) > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(days_of_the_week_are_those_of_the_calendar),
	    cmocka_unit_test(counting_by_weeks_is_counting_by_seconds),
	    cmocka_unit_test(milliseconds_count_at_midnight_and_nothing_before),
	    cmocka_unit_test(
		clocks_with_holidays_and_pauses_are_those_counted_by_seconds),
	    cmocka_unit_test(a_bank_gets_its_increment_up_to_its_cap),
	    cmocka_unit_test(
		a_clock_per_order_starts_anew_with_each_state_line),
	    cmocka_unit_test(grace_is_used_once_and_talk_does_not_renew_it),
	    cmocka_unit_test(a_holiday_lies_behind_the_line_that_takes_it),
	    cmocka_unit_test(a_pause_stops_both_and_ends_when_it_is_ended),
	    cmocka_unit_test(clocks_stand_still_before_and_after_play),
	    cmocka_unit_test(the_side_that_the_game_waits_for_runs),
	    cmocka_unit_test(time_grows_without_end_but_within_bounds),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
