/* SPDX-License-Identifier: ISC */
/*
 * Tie-breaks of small tournaments, which can be added up by hand; the numbers
 * of articles are those of C.07.
 */
#include "common/pairing/tiebreak.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/pairing/crosstable.h"
#include "common/pairing/tiebreak_direct.h"

/*
 * Makes a table of rows such as "2w1 3b= --U": opponent from 1 to 9 (-: none),
 * side, result as in TRF, a blank.
 */
static struct crosstable *
made(size_t n, const char *const rows[])
{
	static const char codes[] = " 1=0+-UFHZ";
	struct crosstable *t;
	struct cross_game *g;
	const char *p;
	struct errinfo e;
	size_t i, player;
	int r;

	t = crosstable_new(n, (int)(strlen(rows[0]) + 1) / 4);
	assert_non_null(t);
	for (i = 0; i < n; i++)
		for (r = 1; r <= t->n_rounds; r++) {
			p = rows[i] + 4 * (r - 1);
			g = crosstable_game(t, i, r);
			g->opponent = (int16_t)(p[0] == '-' ? -1 : p[0] - '1');
			g->side = p[1] == 'w' ? 1 : p[1] == 'b' ? 2 : 0;
			g->result = (int8_t)(strchr(codes, p[2]) - codes);
		}
	assert_int_equal(crosstable_check(t, &player, &e), 0);
	return (t);
}

/* Expects the value of a player, counted from 1. */
static void
is(const struct tiebreak_in *in, enum tiebreak tie, size_t player,
    int64_t value)
{
	int64_t all[9], v = -99; /* players are 1 to 9 */

	assert_int_equal(tiebreak_value(in, tie, player - 1, &v), 0);
	assert_int_equal(tiebreak_values(in, tie, all), 0);
	assert_int_equal(all[player - 1], v);
	if (v != value)
		fail_msg("%s of %zu is %lld, not %lld", tiebreak_def(tie)->code,
		    player, (long long)v, (long long)value);
}

static void
codes_are_found_in_any_case(void **state)
{
	enum tiebreak tie;

	(void)state;
	assert_int_equal(tiebreak_find("bh/c1,x", 5, &tie), 0);
	assert_int_equal(tie, TIEBREAK_BH_C1);
	assert_int_equal(tiebreak_find("BPA", 3, &tie), 0);
	assert_int_equal(tie, TIEBREAK_BPA);
	assert_int_equal(tiebreak_find("BPA", 2, &tie), 0);
	assert_int_equal(tie, TIEBREAK_BP);
	assert_int_equal(tiebreak_find("SB/C1", 5, &tie), ERR_NOTFOUND);
	assert_int_equal(tiebreak_find("", 0, &tie), ERR_NOTFOUND);
}

static void
rounds_without_a_game_count_a_dummy(void **state)
{
	/* 1 wins by forfeit, 2 has half a point on request, 4 leaves. */
	static const char *const rows[] = {
	    "2w1 3b1 4w+",
	    "1b0 --H 3w=",
	    "4w1 1w0 2b=",
	    "3b0 --U 1b-",
	};
	struct tiebreak_in in = {.rounds = 3};
	struct tiebreak_addend *a;
	size_t n;

	(void)state;
	in.table = made(4, rows);
	/* 16.4.1: 1 had 3.0, but who was to be met has only 1.0. */
	is(&in, TIEBREAK_BH, 1, 2 + 3 + 2);
	assert_int_equal(tiebreak_addends(&in, TIEBREAK_BH, 0, &a, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(a[2].why, TIEBREAK_DUMMY_OPPONENT);
	free(a);
	/* 2: their own 1.0 is less than three draws (16.4.2). */
	is(&in, TIEBREAK_BH, 2, 6 + 2 + 3);
	is(&in, TIEBREAK_SB, 2, 0 + 2 * 1 + 3 * 1);
	/* 16.5: that of a voluntary unplayed round is cut first. */
	is(&in, TIEBREAK_BH_C1, 2, 6 + 3);
	is(&in, TIEBREAK_BH_C2, 2, 6);
	is(&in, TIEBREAK_BH_M1, 2, 3);
	/* 4: a bye and a forfeit, which is cut, though equal. */
	is(&in, TIEBREAK_BH, 4, 3 + 2 + 2);
	assert_int_equal(tiebreak_addends(&in, TIEBREAK_BH_C1, 3, &a, &n), 0);
	assert_true(a[2].is_cut);
	assert_false(a[1].is_cut);
	free(a);
	is(&in, TIEBREAK_WIN, 1, 3);
	is(&in, TIEBREAK_WON, 1, 2);
	is(&in, TIEBREAK_BPG, 1, 1);
	is(&in, TIEBREAK_BPG, 4, 1);
	is(&in, TIEBREAK_WIN, 4, 1);
	is(&in, TIEBREAK_REP, 1, 3);
	is(&in, TIEBREAK_REP, 2, 2);
	is(&in, TIEBREAK_REP, 4, 2);
	is(&in, TIEBREAK_PS, 2, 0 + 1 + 2);
	is(&in, TIEBREAK_PS, 1, 2 + 4 + 6);
	crosstable_free((struct crosstable *)(uintptr_t)in.table);
}

static void
byes_at_the_end_count_as_draws_for_others(void **state)
{
	/* 4: a zero-point bye before a forfeit lost, both open at the end. */
	static const char *const rows[] = {
	    "2w1 --F 4w+",
	    "1b0 --H --Z",
	    "4b0 --U --H",
	    "3w1 --Z 1b-",
	};
	struct tiebreak_in in = {.rounds = 3};

	(void)state;
	in.table = made(4, rows);
	assert_int_equal(tiebreak_adjusted(&in, 3, false), 2 + 1 + 0);
	assert_int_equal(tiebreak_adjusted(&in, 1, false), 0 + 1 + 1);
	assert_int_equal(tiebreak_adjusted(&in, 2, false), 0 + 2 + 1);
	/* 8.3: 4 is paired in the last round: then nothing is open. */
	assert_int_equal(tiebreak_adjusted(&in, 3, true), 2 + 0 + 1);
	assert_int_equal(tiebreak_adjusted(&in, 0, true), 2 + 2 + 1);
	assert_int_equal(tiebreak_adjusted(&in, 1, true), 0 + 1 + 1);
	/* 1: 2 as adjusted, a dummy with a draw a round, 4 as adjusted. */
	is(&in, TIEBREAK_BH, 1, 2 + 3 + 3);
	is(&in, TIEBREAK_FB, 1, 2 + 3 + 3);
	/* A full-point bye is no voluntary unplayed round. */
	is(&in, TIEBREAK_REP, 1, 3);
	crosstable_free((struct crosstable *)(uintptr_t)in.table);
}

static void
corrections_count_in_no_tie_break(void **state)
{
	static const char *const rows[] = {"2w1 --U", "1b0 --Z"};
	struct tiebreak_in in = {.rounds = 2};
	struct crosstable *t;

	(void)state;
	in.table = t = made(2, rows);
	assert_int_equal(crosstable_add_correction(t, 0, 2, -3), 0);
	assert_int_equal(crosstable_add_correction(t, 1, 3, 4), 0);
	assert_int_equal(tiebreak_adjusted(&in, 0, false), 4);
	is(&in, TIEBREAK_BH, 2, 4 + 0);
	is(&in, TIEBREAK_PS, 1, 2 + 4);
	assert_int_equal(crosstable_score(t, 0, 2), 1);
	crosstable_free(t);
}

static void
forfeits_are_games_in_a_round_robin(void **state)
{
	static const char *const rows[] = {
	    "--Z 3b1 2w+",
	    "3w= --Z 1b-",
	    "2b= 1w0 --Z",
	};
	struct tiebreak_in in = {.rounds = 3, .is_roundrobin = true};

	(void)state;
	in.table = made(3, rows);
	is(&in, TIEBREAK_SB, 1, 2 * 1 + 2 * 1);
	is(&in, TIEBREAK_SB, 2, 1 * 1 + 0);
	is(&in, TIEBREAK_WON, 1, 2);
	is(&in, TIEBREAK_BPG, 1, 1);
	/* 15.2: one lost by forfeit is none of one's own record. */
	is(&in, TIEBREAK_BPG, 2, 0);
	is(&in, TIEBREAK_BPG, 3, 1);
	crosstable_free((struct crosstable *)(uintptr_t)in.table);
}

static void
battle_points_are_compared_with_those_of_the_same_side(void **state)
{
	static const struct tiebreak_game games[] = {
	    {1, 1, {0, 1}, 100},
	    {1, 1, {2, 3}, -301},
	    {1, 1, {4, 5}, 700},
	    {1, 2, {1, 0}, 50},
	    {2, 1, {3, 0}, 900},
	};
	struct tiebreak_in in = {.rounds = 1, .games = games, .n_games = 5};

	(void)state;
	in.table = made(6,
	    (const char *const[]){"--Z --Z", "--Z --Z", "--Z --Z", "--Z --Z",
		"--Z --Z", "--Z --Z"});
	is(&in, TIEBREAK_BP, 1, 100 - 50);
	is(&in, TIEBREAK_BP, 2, -100 + 50);
	is(&in, TIEBREAK_BP, 4, 301);
	/* The three on side 1 have 499: a third is 166 and a bit. */
	is(&in, TIEBREAK_BPA, 1, -67 + 0);
	is(&in, TIEBREAK_BPA, 2, 66 + 0);
	is(&in, TIEBREAK_BPA, 3, -468);
	is(&in, TIEBREAK_BPA, 4, 467);
	is(&in, TIEBREAK_BPA, 5, 533);
	is(&in, TIEBREAK_BPA, 6, -534);
	in.rounds = 2;
	is(&in, TIEBREAK_BP, 1, 100 - 50 - 900);
	is(&in, TIEBREAK_BPA, 1, -67 + 0 + 0);
	crosstable_free((struct crosstable *)(uintptr_t)in.table);
}

/* Expects the places of all, who are tied. */
static void
parts(size_t n, const char *const rows[], bool is_roundrobin,
    const int64_t places[])
{
	struct tiebreak_in in = {.is_roundrobin = is_roundrobin};
	size_t group[9], i;
	int64_t place[9];

	in.table = made(n, rows);
	in.rounds = in.table->n_rounds;
	for (i = 0; i < n; i++)
		group[i] = i;
	assert_int_equal(tiebreak_direct(&in, group, n, place), 0);
	for (i = 0; i < n; i++)
		if (place[i] != places[i])
			fail_msg("%zu has place %lld, not %lld", i + 1,
			    (long long)place[i], (long long)places[i]);
	crosstable_free((struct crosstable *)(uintptr_t)in.table);
}

static void
direct_encounter_parts_whom_games_part(void **state)
{
	(void)state;
	/* Two: one beat the other; a draw parts nobody. */
	parts(2, (const char *const[]){"2w0", "1b1"}, false,
	    (const int64_t[]){2, 1});
	parts(2, (const char *const[]){"2w=", "1b="}, false,
	    (const int64_t[]){0, 0});
	/* 6.1.1: a forfeit is no game, but in a round robin it is. */
	parts(2, (const char *const[]){"2w+", "1b-"}, false,
	    (const int64_t[]){0, 0});
	parts(2, (const char *const[]){"2w+", "1b-"}, true,
	    (const int64_t[]){1, 2});
	/* A circle of three parts nobody. */
	parts(3,
	    (const char *const[]){"2w1 3b0 --Z", "1b0 --Z 3w1", "--Z 1w1 2b0"},
	    false, (const int64_t[]){0, 0, 0});
	/* Who beat both is first; the two left are parted by their game. */
	parts(3,
	    (const char *const[]){"2w0 3b0 --Z", "1b1 --Z 3w=", "--Z 1w1 2b="},
	    false, (const int64_t[]){3, 1, 1});
	/* 6.2: those who stay equal have a table of their own again. */
	parts(4,
	    (const char *const[]){
		"2w1 3b0 4w1", "1b0 4w1 3b1", "4b= 1w1 2w0", "3w= 2b0 1b0"},
	    false, (const int64_t[]){1, 2, 3, 4});
}

static void
missing_games_may_not_change_who_is_first(void **state)
{
	(void)state;
	/* 6.3: 1 beat 2 and 3, who have not met: first whatever that gives. */
	parts(3, (const char *const[]){"2w1 3b1", "1b0 --U", "--U 1w0"}, false,
	    (const int64_t[]){1, 2, 2});
	/* 1 beat 2 alone: 3 could beat both. */
	parts(3, (const char *const[]){"2w1", "1b0", "--U"}, false,
	    (const int64_t[]){0, 0, 0});
	/* Nor does it help to be last for sure: places go from the top. */
	parts(3, (const char *const[]){"3w1 --U", "--U 3b1", "1b0 2w0"}, false,
	    (const int64_t[]){0, 0, 0});
}

static void
who_met_twice_has_the_mean(void **state)
{
	(void)state;
	/* 6.1.2: 1.5 of two games against 2 counts 0.75, as 2 has in all. */
	parts(3,
	    (const char *const[]){
		"2w1 2b= 3w0 --U", "1b0 1w= --Z 3b=", "--Z --Z 1b1 2w="},
	    false, (const int64_t[]){2, 3, 1});
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(codes_are_found_in_any_case),
	    cmocka_unit_test(rounds_without_a_game_count_a_dummy),
	    cmocka_unit_test(byes_at_the_end_count_as_draws_for_others),
	    cmocka_unit_test(corrections_count_in_no_tie_break),
	    cmocka_unit_test(forfeits_are_games_in_a_round_robin),
	    cmocka_unit_test(
		battle_points_are_compared_with_those_of_the_same_side),
	    cmocka_unit_test(direct_encounter_parts_whom_games_part),
	    cmocka_unit_test(missing_games_may_not_change_who_is_first),
	    cmocka_unit_test(who_met_twice_has_the_mean),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
