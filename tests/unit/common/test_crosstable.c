/* SPDX-License-Identifier: ISC */
/* Results by round: what they are worth, and that both sides agree on them. */
#include "common/pairing/crosstable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Sets what a round was for one. */
static void
entry(struct crosstable *t, size_t player, int round, int opponent, int side,
    enum cross_result result)
{
	struct cross_game *g = crosstable_game(t, player, round);

	g->opponent = (int16_t)opponent;
	g->side = (int8_t)side;
	g->result = (int8_t)result;
}

/* Sets a game for both. */
static void
game(struct crosstable *t, int a, int b, int round, enum cross_result of_a,
    enum cross_result of_b)
{
	entry(t, (size_t)a, round, b, 1, of_a);
	entry(t, (size_t)b, round, a, 2, of_b);
}

static void
each_result_has_its_worth(void **state)
{
	static const int worth[] = {7, 6, 3, 1, 6, 5, 8, 6, 3, 7};
	struct crosstable *t;
	int r;

	(void)state;
	t = crosstable_new(1, 10);
	assert_non_null(t);
	t->points = (struct cross_points){.win = 6,
	    .draw = 3,
	    .loss = 1,
	    .forfeit_loss = 5,
	    .absent = 7,
	    .bye = 8};
	for (r = 0; r < 10; r++) {
		assert_int_equal(
		    crosstable_worth(t, (enum cross_result)r), worth[r]);
		crosstable_game(t, 0, r + 1)->result = (int8_t)r;
	}
	assert_int_equal(crosstable_score(t, 0, 0), 0);
	assert_int_equal(crosstable_score(t, 0, 2), 13);
	assert_int_equal(crosstable_score(t, 0, 10), 52);
	assert_int_equal(crosstable_score(t, 0, 11), 52);
	crosstable_free(t);
}

static void
corrections_count_from_their_round_and_never_below_nothing(void **state)
{
	struct crosstable *t;

	(void)state;
	t = crosstable_new(2, 2);
	game(t, 0, 1, 1, CROSS_WIN, CROSS_LOSS);
	assert_int_equal(crosstable_add_correction(t, 0, 2, -1), 0);
	assert_int_equal(crosstable_add_correction(t, 1, 0, -3), 0);
	assert_int_equal(crosstable_score(t, 0, 1), 2);
	assert_int_equal(crosstable_score(t, 0, 2), 1);
	assert_int_equal(crosstable_score(t, 1, 2), 0);
	assert_int_equal(crosstable_corrected(t, 1, 1), -3);
	crosstable_free(t);
}

static void
rounds_are_paired_up_to_the_last_with_a_pairing(void **state)
{
	struct crosstable *t;

	(void)state;
	t = crosstable_new(2, 3);
	assert_int_equal(crosstable_paired(t), 0);
	entry(t, 0, 2, -1, 0, CROSS_HALF_BYE);
	assert_int_equal(crosstable_paired(t), 0);
	game(t, 0, 1, 1, CROSS_WIN, CROSS_LOSS);
	assert_int_equal(crosstable_paired(t), 1);
	/* Once nobody can be paired the round is over. */
	entry(t, 1, 2, -1, 0, CROSS_ZERO_BYE);
	assert_int_equal(crosstable_paired(t), 2);
	entry(t, 1, 3, -1, 0, CROSS_BYE);
	assert_int_equal(crosstable_paired(t), 3);
	crosstable_free(t);
}

static void
more_rounds_leave_what_is_there(void **state)
{
	struct crosstable *t;

	(void)state;
	t = crosstable_new(3, 0);
	assert_int_equal(crosstable_widen(t, 1), 0);
	game(t, 1, 2, 1, CROSS_DRAW, CROSS_DRAW);
	assert_int_equal(crosstable_widen(t, 3), 0);
	assert_int_equal(crosstable_widen(t, 2), 0);
	assert_int_equal(t->n_rounds, 3);
	assert_int_equal(crosstable_game(t, 1, 1)->opponent, 2);
	assert_int_equal(crosstable_game(t, 2, 1)->side, 2);
	assert_int_equal(crosstable_game(t, 2, 3)->opponent, -1);
	assert_int_equal(crosstable_game(t, 0, 1)->result, CROSS_NONE);
	crosstable_free(t);
}

static void
those_apart_may_not_meet_in_their_rounds(void **state)
{
	static const int group[] = {0, 2};
	struct crosstable *t;

	(void)state;
	t = crosstable_new(3, 0);
	assert_int_equal(crosstable_add_apart(t, 2, 3, group, 2), 0);
	assert_true(crosstable_is_apart(t, 0, 2, 2));
	assert_true(crosstable_is_apart(t, 2, 0, 3));
	assert_false(crosstable_is_apart(t, 0, 2, 1));
	assert_false(crosstable_is_apart(t, 0, 2, 4));
	assert_false(crosstable_is_apart(t, 0, 1, 2));
	crosstable_free(t);
}

static void
players_are_found_by_number(void **state)
{
	struct crosstable *t;

	(void)state;
	t = crosstable_new(3, 0);
	t->players[1].number = 7;
	t->players[2].number = 9;
	assert_int_equal(crosstable_find(t, 1), 0);
	assert_int_equal(crosstable_find(t, 7), 1);
	assert_int_equal(crosstable_find(t, 9), 2);
	assert_int_equal(crosstable_find(t, 8), -1);
	assert_int_equal(crosstable_find(t, 10), -1);
	crosstable_free(t);
}

static void
opponents_must_agree(void **state)
{
	static const struct {
		int opponent;
		int side;
		enum cross_result a, b;
		const char *text; /* NULL: it can be */
	} cases[] = {
	    {0, 2, CROSS_WIN, CROSS_LOSS, NULL},
	    {0, 2, CROSS_DRAW, CROSS_DRAW, NULL},
	    {0, 2, CROSS_DRAW, CROSS_LOSS, NULL},
	    {0, 2, CROSS_LOSS, CROSS_LOSS, NULL},
	    {0, 2, CROSS_FORFEIT_WIN, CROSS_FORFEIT_LOSS, NULL},
	    {0, 2, CROSS_FORFEIT_LOSS, CROSS_FORFEIT_LOSS, NULL},
	    {2, 2, CROSS_WIN, CROSS_LOSS, "another opponent"},
	    {-1, 0, CROSS_WIN, CROSS_BYE, "another opponent"},
	    {0, 1, CROSS_WIN, CROSS_LOSS, "no other side"},
	    {0, 0, CROSS_WIN, CROSS_LOSS, "no other side"},
	    {0, 2, CROSS_WIN, CROSS_WIN, "that does not fit"},
	    {0, 2, CROSS_WIN, CROSS_DRAW, "that does not fit"},
	    {0, 2, CROSS_FORFEIT_WIN, CROSS_FORFEIT_WIN, "that does not fit"},
	    {0, 2, CROSS_FORFEIT_WIN, CROSS_LOSS, "that does not fit"},
	    {0, 2, CROSS_LOSS, CROSS_FORFEIT_LOSS, "that does not fit"},
	    {0, 2, CROSS_HALF_BYE, CROSS_HALF_BYE, "that does not fit"},
	};
	struct crosstable *t;
	struct errinfo e;
	size_t i, player;
	int r;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		t = crosstable_new(3, 1);
		entry(t, 0, 1, 1, 1, cases[i].a);
		entry(t, 1, 1, cases[i].opponent, cases[i].side, cases[i].b);
		player = 99;
		r = crosstable_check(t, &player, &e);
		if (cases[i].text == NULL) {
			assert_int_equal(r, 0);
		} else {
			assert_int_equal(r, ERR_INVALID);
			assert_int_equal(player, 0);
			assert_non_null(strstr(e.text, cases[i].text));
			assert_non_null(strstr(e.text,
			    "round 1 of player 1 is against player 2, whose "
			    "line has"));
		}
		crosstable_free(t);
	}
}

static void
a_forfeit_may_have_no_sides(void **state)
{
	struct crosstable *t;
	struct errinfo e;
	size_t player;

	(void)state;
	t = crosstable_new(2, 1);
	entry(t, 0, 1, 1, 0, CROSS_FORFEIT_WIN);
	entry(t, 1, 1, 0, 0, CROSS_FORFEIT_LOSS);
	assert_int_equal(crosstable_check(t, &player, &e), 0);
	crosstable_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_result_has_its_worth),
	    cmocka_unit_test(
		corrections_count_from_their_round_and_never_below_nothing),
	    cmocka_unit_test(rounds_are_paired_up_to_the_last_with_a_pairing),
	    cmocka_unit_test(more_rounds_leave_what_is_there),
	    cmocka_unit_test(those_apart_may_not_meet_in_their_rounds),
	    cmocka_unit_test(players_are_found_by_number),
	    cmocka_unit_test(opponents_must_agree),
	    cmocka_unit_test(a_forfeit_may_have_no_sides),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
