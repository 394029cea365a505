/* SPDX-License-Identifier: ISC */
/*
 * The tables of rolls and draws: labels, limits, and the way into JSON and
 * back (umpire-rules.7, 5; umpire-record.7, S6.4).
 */
#include "common/rules/rolls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

static struct rolls rolls;

/* Begins each test with empty tables. */
static int
rolls_setup(void **state)
{
	(void)state;
	memset(&rolls, 0, sizeof(rolls));
	return (0);
}

/* Adds a roll of n dice that all show `value`. */
static void
rolls_put(const char *label, unsigned sides, size_t n, uint16_t value)
{
	size_t i;

	assert_true(rolls_fits(&rolls, label, sides, n));
	for (i = 0; i < n; i++)
		rolls.dice[rolls.n_dice + i] = value;
	rolls_add(&rolls, label, sides, n);
}

/* The tables from record `from` on have this form, a quoted_text(). */
static void
rolls_are(size_t from, const char *text)
{
	quoted_is(rolls_json(&rolls, from), text);
}

/* Reads a saved list, a quoted_text(). */
static int
rolls_try(const char *text, struct errinfo *e)
{
	json_t *list = quoted_json(text);
	int r;

	memset(e, 0, sizeof(*e));
	r = rolls_restore(&rolls, list, e);
	json_decref(list);
	return (r);
}

static void
labels_have_their_form_and_stand_once(void **state)
{
	char label[COMBAT_LABEL_MAX + 2];

	(void)state;
	assert_true(rolls_fits(&rolls, "a", 6, 1));
	assert_true(rolls_fits(&rolls, "0/score/fr-a_1.x", 6, 1));
	assert_false(rolls_fits(&rolls, "", 6, 1));
	assert_false(rolls_fits(&rolls, "/a", 6, 1));
	assert_false(rolls_fits(&rolls, ".a", 6, 1));
	assert_false(rolls_fits(&rolls, "-a", 6, 1));
	assert_false(rolls_fits(&rolls, "_a", 6, 1));
	assert_false(rolls_fits(&rolls, "A", 6, 1));
	assert_false(rolls_fits(&rolls, "a b", 6, 1));
	assert_false(rolls_fits(&rolls, "a\xc3\xa4", 6, 1));
	memset(label, 'a', sizeof(label));
	label[COMBAT_LABEL_MAX] = '\0';
	assert_true(rolls_fits(&rolls, label, 6, 1));
	rolls_put(label, 6, 1, 3);
	assert_false(rolls_fits(&rolls, label, 6, 1));
	assert_false(rolls_fits(&rolls, label, 0, 1));
	label[COMBAT_LABEL_MAX] = 'a';
	label[COMBAT_LABEL_MAX + 1] = '\0';
	assert_false(rolls_fits(&rolls, label, 6, 1));
}

static void
the_tables_have_limits(void **state)
{
	char label[16];
	size_t i;

	(void)state;
	assert_true(rolls_fits(&rolls, "a", 6, COMBAT_DICE_MAX));
	assert_false(rolls_fits(&rolls, "a", 6, COMBAT_DICE_MAX + 1));
	assert_true(rolls_fits(&rolls, "a", 0, COMBAT_CHITS_MAX));
	assert_false(rolls_fits(&rolls, "a", 0, COMBAT_CHITS_MAX + 1));
	rolls_put("many", 6, COMBAT_DICE_MAX - COMBAT_ROLLS_MAX + 1, 1);
	for (i = 1; i < COMBAT_ROLLS_MAX; i++) {
		(void)snprintf(label, sizeof(label), "l%zu", i);
		rolls_put(label, 6, 1, 1);
	}
	assert_false(rolls_fits(&rolls, "one-more", 6, 1));
	assert_false(rolls_fits(&rolls, "one-more", 0, 1));
	rolls_forget(&rolls, COMBAT_ROLLS_MAX - 1);
	assert_true(rolls_fits(&rolls, "one-more", 6, 1));
	assert_false(rolls_fits(&rolls, "one-more", 6, 2));
}

static void
rolls_and_draws_are_written_in_order(void **state)
{
	(void)state;
	rolls_are(0, "[]");
	rolls_put("score/fr-a", 6, 1, 4);
	rolls_add_draw(&rolls, "chits", 40);
	rolls_add_chit(&rolls, "c07");
	rolls_add_chit(&rolls, "c31");
	rolls_put("cdr/attacker", 20, 2, 19);
	rolls_are(0,
	    "[{'label':'score/fr-a','sides':6,'dice':[4]},"
	    "{'label':'chits','bag':40,'chits':['c07','c31']},"
	    "{'label':'cdr/attacker','sides':20,'dice':[19,19]}]");
	rolls_are(2, "[{'label':'cdr/attacker','sides':20,'dice':[19,19]}]");
	rolls_are(3, "[]");
}

static void
forgetting_frees_the_room_and_the_labels(void **state)
{
	(void)state;
	rolls_put("a", 6, 3, 1);
	rolls_add_draw(&rolls, "b", 5);
	rolls_add_chit(&rolls, "x");
	rolls_put("c", 6, 2, 2);
	rolls_forget(&rolls, 7);
	assert_int_equal(rolls.n_recs, 3);
	rolls_forget(&rolls, 1);
	assert_int_equal(rolls.n_dice, 3);
	assert_int_equal(rolls.n_chits, 0);
	rolls_put("c", 6, 1, 5);
	rolls_are(0,
	    "[{'label':'a','sides':6,'dice':[1,1,1]},"
	    "{'label':'c','sides':6,'dice':[5]}]");
	rolls_forget(&rolls, 0);
	assert_int_equal(rolls.n_dice, 0);
	rolls_are(0, "[]");
}

static void
what_was_written_is_read_again(void **state)
{
	static const char text[] = "[{'label':'a','sides':6,'dice':[1,6]},"
				   "{'label':'b','bag':2,'chits':['x','y']},"
				   "{'label':'c','sides':1000,'dice':[1000]}]";
	struct errinfo e;

	(void)state;
	assert_int_equal(rolls_try(text, &e), 0);
	rolls_are(0, text);
	/* What was there before is gone. */
	assert_int_equal(rolls_try("[]", &e), 0);
	rolls_are(0, "[]");
}

static void
what_is_no_saved_roll_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *where;
	} bad[] = {
	    {"{}", "rolls"},
	    {"[1]", "rolls[0]"},
	    {"[{}]", "rolls[0].label"},
	    {"[{'label':'a'}]", "rolls[0].sides"},
	    {"[{'label':'a','sides':6}]", "rolls[0].dice"},
	    {"[{'label':'a','sides':1,'dice':[1]}]", "rolls[0].sides"},
	    {"[{'label':'a','sides':1001,'dice':[1]}]", "rolls[0].sides"},
	    {"[{'label':'a','sides':6,'dice':[]}]", "rolls[0]"},
	    {"[{'label':'a','sides':6,'dice':[0]}]", "rolls[0].dice"},
	    {"[{'label':'a','sides':6,'dice':[7]}]", "rolls[0].dice"},
	    {"[{'label':'a','sides':6,'dice':['1']}]", "rolls[0].dice"},
	    {"[{'label':'A','sides':6,'dice':[1]}]", "rolls[0]"},
	    {"[{'label':'a','sides':6,'dice':[1],'x':1}]", "rolls[0].x"},
	    {"[{'label':'a','sides':6,'dice':[1]},"
	     "{'label':'a','sides':6,'dice':[1]}]",
		"rolls[1]"},
	    {"[{'label':'a','bag':0,'chits':['x']}]", "rolls[0].bag"},
	    {"[{'label':'a','bag':1}]", "rolls[0].chits"},
	    {"[{'label':'a','bag':1,'chits':[]}]", "rolls[0]"},
	    {"[{'label':'a','bag':1,'chits':['x','y']}]", "rolls[0]"},
	    {"[{'label':'a','bag':2,'chits':['X']}]", "rolls[0].chits"},
	    {"[{'label':'a','bag':2,'chits':[7]}]", "rolls[0].chits"},
	    {"[{'label':'a','bag':2,'chits':['x'],'sides':6}]",
		"rolls[0].sides"},
	};
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(rolls_try(bad[i].text, &e), ERR_INVALID);
		assert_string_equal(e.where, bad[i].where);
	}
}

static void
failing_allocations_are_reported(void **state)
{
	json_t *list;
	long nth;

	(void)state;
	rolls_put("a", 6, 3, 1);
	rolls_add_draw(&rolls, "b", 5);
	rolls_add_chit(&rolls, "x");
	for (nth = 0;; nth++) {
		alloc_start(nth);
		list = rolls_json(&rolls, 0);
		json_decref(list);
		if (!alloc_stop())
			break;
		assert_null(list);
	}
	assert_true(nth > 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(
		labels_have_their_form_and_stand_once, rolls_setup),
	    cmocka_unit_test_setup(the_tables_have_limits, rolls_setup),
	    cmocka_unit_test_setup(
		rolls_and_draws_are_written_in_order, rolls_setup),
	    cmocka_unit_test_setup(
		forgetting_frees_the_room_and_the_labels, rolls_setup),
	    cmocka_unit_test_setup(what_was_written_is_read_again, rolls_setup),
	    cmocka_unit_test_setup(
		what_is_no_saved_roll_is_refused, rolls_setup),
	    cmocka_unit_test_setup(
		failing_allocations_are_reported, rolls_setup),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
