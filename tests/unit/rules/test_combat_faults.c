/* SPDX-License-Identifier: ISC */
/*
 * Rules code that breaks its contract, records that do not fit the rules and
 * dice that cannot be are found out: ERR_FAULT, with what fell until then
 * (umpire-rules.7, 4 and 5; umpire-record.7, S4).
 */
#include "common/rules/combat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/json/js.h"
#include "common/rules/question.h"
#include "common/rules/rulekit.h"

#include "tests/lib/toy.h"

static void
other_rolls_than_the_recorded_ones_are_a_fault(void **state)
{
	static const char *const bad[] = {
	    "[{'label':'other','sides':6,'dice':[1,1]}]",
	    "[{'label':'first/x','sides':8,'dice':[1,1]}]",
	    "[{'label':'first/x','sides':6,'dice':[1]}]",
	    "[{'label':'first/x','bag':6,'chits':['a','b']}]",
	};
	struct combat *c;
	struct errinfo e;
	json_t *rolls;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		c = toy_new(toy_usual);
		rolls = quoted_json(bad[i]);
		assert_int_equal(combat_restore_rolls(c, rolls, NULL), 0);
		json_decref(rolls);
		assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
		assert_non_null(strstr(e.text, "first/x"));
		assert_int_equal(combat_status(c), COMBAT_NEW);
		combat_free(c);
	}
}

static void
rolls_left_over_at_the_end_are_a_fault(void **state)
{
	struct combat *c = toy_new(toy_usual);
	struct errinfo e;
	json_t *rolls;

	(void)state;
	rolls = json_pack("[{s:s,s:i,s:[i,i]},{s:s,s:i,s:[i]},{s:s,s:i,s:[i]}]",
	    "label", "first/x", "sides", 6, "dice", 4, 4, "label", "last",
	    "sides", 10, "dice", 5, "label", "more", "sides", 6, "dice", 1);
	assert_int_equal(combat_restore_rolls(c, rolls, NULL), 0);
	json_decref(rolls);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':[]}", NULL), 0);
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	assert_true(e.text[0] != '\0');
	combat_free(c);
}

static void
dice_out_of_range_are_a_fault(void **state)
{
	struct combat *c = toy_new(toy_usual);
	struct errinfo e;

	(void)state;
	toy_luck.die = 0;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	toy_luck.die = 7;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	assert_int_equal(combat_roll_count(c), 0);
	toy_luck.die = 6;
	assert_int_equal(combat_run(c, &toy_dice, &e), 0);
	combat_free(c);
}

/* What toy_roll_badly() asks for. */
static struct {
	unsigned n;
	unsigned sides;
	const char *label;
} toy_bad;

/* Makes one proper roll, then the one that the test wants. */
static int
toy_roll_badly(struct combat *c)
{
	uint16_t dice[COMBAT_DICE_MAX + 1];
	int r;

	if ((r = combat_roll(c, dice, 1, 6, "once")) != 0)
		return (r);
	return (combat_roll(
	    c, dice, toy_bad.n, toy_bad.sides, "%s", toy_bad.label));
}

static void
rolls_that_cannot_be_recorded_are_a_fault(void **state)
{
	char label[COMBAT_LABEL_MAX + 20];
	const struct {
		unsigned n;
		unsigned sides;
		const char *label;
		int r;
	} cases[] = {
	    {1, 6, "other", 0},
	    {COMBAT_DICE_MAX - 1, 1000, "other", 0},
	    {COMBAT_DICE_MAX, 6, "other", ERR_FAULT},
	    {0, 6, "other", ERR_FAULT},
	    {1, 1, "other", ERR_FAULT},
	    {1, 1001, "other", ERR_FAULT},
	    {1, 6, "once", ERR_FAULT},
	    {1, 6, "Other", ERR_FAULT},
	    {1, 6, "", ERR_FAULT},
	    {1, 6, label, ERR_FAULT},
	};
	struct combat *c;
	struct errinfo e;
	json_t *events;
	size_t i;

	(void)state;
	memset(label, 'a', sizeof(label));
	label[sizeof(label) - 1] = '\0';
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		c = toy_new(toy_roll_badly);
		toy_bad.n = cases[i].n;
		toy_bad.sides = cases[i].sides;
		toy_bad.label = cases[i].label;
		assert_int_equal(combat_run(c, &toy_dice, &e), cases[i].r);
		if (cases[i].r == 0) {
			combat_free(c);
			continue;
		}
		/* The dice that fell and the events so far are there. */
		assert_true(e.text[0] != '\0');
		assert_int_equal(combat_roll_count(c), 1);
		toy_events_are(c, 0,
		    "[{'e':'combat','n':1},{'e':'roll','label':'once',"
		    "'sides':6,'dice':[4]}]");
		/* A combat of which no run failed owes an explanation. */
		combat_forget_rolls(c, 1);
		assert_int_equal(combat_events(c, 0, &events), ERR_FAULT);
		combat_free(c);
	}
}

/* More ids than one member may offer. */
static const char *toy_many[QUESTION_IDS_MAX + 1];

static void
questions_that_cannot_be_kept_are_a_fault(void **state)
{
	struct combat *c;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < QUESTION_IDS_MAX + 1; i++)
		toy_many[i] = "a";
	toy_members[0] = question_some("u", toy_many, QUESTION_IDS_MAX, 0, 1);
	toy_n_members = 1;
	c = toy_new(toy_ask);
	assert_int_equal(combat_run(c, NULL, &e), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	toy_members[0].n_ids++;
	assert_int_equal(combat_run(c, NULL, &e), ERR_FAULT);
	toy_n_members = 3;
	assert_int_equal(combat_run(c, NULL, &e), ERR_FAULT);
	combat_free(c);
}

/* Asks one thing at first and another one later. */
static int
toy_fickle(struct combat *c)
{
	static const struct question_member m = {
	    .name = "yes",
	    .shape = QUESTION_ONE,
	    .is_bool = true,
	};
	struct question_answer a;

	return (combat_decide(c, COMBAT_ATTACKER, toy_bad.label, &m, 1, &a));
}

static void
asking_for_another_decision_than_the_recorded_one_is_a_fault(void **state)
{
	struct combat *c = toy_new(toy_fickle);
	struct errinfo e;

	(void)state;
	toy_bad.label = "one";
	assert_int_equal(combat_run(c, NULL, &e), 0);
	assert_int_equal(toy_answer(c, "{'kind':'one','yes':true}", NULL), 0);
	assert_int_equal(combat_run(c, NULL, &e), 0);
	toy_bad.label = "two";
	assert_int_equal(combat_run(c, NULL, &e), ERR_FAULT);
	assert_non_null(strstr(e.text, "two"));
	assert_non_null(strstr(e.text, "one"));
	combat_free(c);
}

static const char *const toy_bag[] = {"c1", "c2", "c3", "c4"};

/* Draws three chits and rolls a die. */
static int
toy_draw(struct combat *c)
{
	struct toy_state *st = combat_state(c);
	uint16_t pick = 0, die;
	int i, r;

	for (i = 0; i < 3; i++) {
		if ((r = combat_draw(c, "chits", toy_bag, 4, &pick)) != 0)
			return (r);
		st->sum = 10 * st->sum + pick;
	}
	return (combat_roll(c, &die, 1, 6, "end"));
}

/* Draws, rolls and draws under the same label. */
static int
toy_draw_late(struct combat *c)
{
	uint16_t pick, die;
	int r;

	if ((r = combat_draw(c, "chits", toy_bag, 4, &pick)) != 0)
		return (r);
	if ((r = combat_roll(c, &die, 1, 6, "between")) != 0)
		return (r);
	return (combat_draw(c, "chits", toy_bag, 4, &pick));
}

/* Draws more than there is. */
static int
toy_draw_all(struct combat *c)
{
	uint16_t pick;
	int i, r;

	for (i = 0; i < 3; i++) {
		if ((r = combat_draw(c, "chits", toy_bag, 2, &pick)) != 0)
			return (r);
	}
	return (0);
}

static void
chits_are_drawn_one_by_one_into_one_record(void **state)
{
	struct combat *c = toy_new(toy_draw);
	json_t *rolls = NULL;

	(void)state;
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_ROLLING);
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_RESOLVED);
	assert_int_equal(toy_luck.had, 2);
	quoted_is(combat_result(c), "{'sum':12}");
	assert_int_equal(combat_rolls(c, 0, &rolls), 0);
	quoted_is(json_incref(rolls),
	    "[{'label':'chits','bag':4,'chits':['c1','c2','c3']},"
	    "{'label':'end','sides':6,'dice':[4]}]");
	toy_events_are(c, 2,
	    "[{'e':'draw','label':'chits','bag':4,'chits':['c2']},"
	    "{'e':'draw','label':'chits','bag':4,'chits':['c3']},{'e':'roll',"
	    "'label':'end','sides':6,'dice':[4]},{'e':'result','sum':12}]");
	combat_free(c);
	c = toy_new(toy_draw);
	assert_int_equal(combat_restore_rolls(c, rolls, NULL), 0);
	json_decref(rolls);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	quoted_is(combat_result(c), "{'sum':12}");
	combat_free(c);
}

static void
a_draw_goes_on_where_the_source_failed(void **state)
{
	struct combat *c = toy_new(toy_draw);
	struct errinfo e;

	(void)state;
	toy_luck.error = ERR_PROOF;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_PROOF);
	assert_int_equal(combat_roll_count(c), 0);
	toy_luck.error = 0;
	toy_luck.pick = 2;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	/* c3 and c4 fell, then the bag had no fifth chit. */
	assert_int_equal(combat_roll_count(c), 1);
	toy_luck.pick = 0;
	assert_int_equal(combat_run(c, &toy_dice, &e), 0);
	quoted_is(combat_result(c), "{'sum':230}");
	combat_free(c);
}

static void
draws_that_break_the_contract_are_faults(void **state)
{
	struct combat *c = toy_new(toy_draw_late);
	struct errinfo e;

	(void)state;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	combat_free(c);
	c = toy_new(toy_draw_all);
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	assert_int_equal(combat_roll_count(c), 1);
	combat_free(c);
	/* The source draws the same chit again. */
	c = toy_new(toy_draw);
	assert_int_equal(combat_run(c, &toy_dice, &e), 0);
	combat_reset(c);
	toy_luck.pick = 3;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	toy_luck.pick = 3;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	assert_non_null(strstr(e.text, "twice"));
	combat_free(c);
}

static void
recorded_draws_that_do_not_fit_are_faults(void **state)
{
	static const char *const bad[] = {
	    "[{'label':'other','bag':4,'chits':['c1']}]",
	    "[{'label':'chits','bag':5,'chits':['c1']}]",
	    "[{'label':'chits','bag':4,'chits':['c9']}]",
	    "[{'label':'chits','bag':4,'chits':['c1','c1']}]",
	    "[{'label':'chits','sides':4,'dice':[1]}]",
	    /* Too few before another roll, and too many. */
	    "[{'label':'chits','bag':4,'chits':['c1']},{'label':'end',"
	    "'sides':6,'dice':[1]}]",
	    "[{'label':'chits','bag':4,'chits':['c1','c2','c3','c4']},"
	    "{'label':'end','sides':6,'dice':[1]}]",
	    "[{'label':'chits','bag':4,'chits':['c1','c2','c3','c4']}]",
	};
	struct combat *c;
	struct errinfo e;
	json_t *rolls;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		c = toy_new(toy_draw);
		rolls = quoted_json(bad[i]);
		assert_int_equal(combat_restore_rolls(c, rolls, NULL), 0);
		json_decref(rolls);
		assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
		combat_free(c);
	}
}

/* A bag of more chits than one combat may draw, and one that has no id. */
static const char *const toy_bad_bag[] = {"c1", "No Id"};
static char toy_ids_of_many[COMBAT_CHITS_MAX + 1][8];
static const char *toy_big_bag[COMBAT_CHITS_MAX + 1];

/* Draws one chit under each of two labels. */
static int
toy_draw_twice(struct combat *c)
{
	uint16_t pick;
	int r;

	if ((r = combat_draw(c, "one", toy_bag, 4, &pick)) != 0)
		return (r);
	return (combat_draw(c, "two", toy_bag, 4, &pick));
}

/* Draws from the bag that has no ids. */
static int
toy_draw_no_id(struct combat *c)
{
	uint16_t pick;

	return (combat_draw(c, "bad", toy_bad_bag, 2, &pick));
}

/* Empties the big bag. */
static int
toy_draw_many(struct combat *c)
{
	uint16_t pick;
	size_t i;
	int r;

	for (i = 0; i < COMBAT_CHITS_MAX + 1; i++) {
		if ((r = combat_draw(c, "many", toy_big_bag,
			 COMBAT_CHITS_MAX + 1, &pick)) != 0)
			return (r);
	}
	return (0);
}

static void
labels_of_draws_follow_each_other(void **state)
{
	struct combat *c = toy_new(toy_draw_twice);
	struct errinfo e;
	json_t *rolls;

	(void)state;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(combat_rolls(c, 0, &rolls), 0);
	quoted_is(rolls,
	    "[{'label':'one','bag':4,'chits':['c1']},{'label':'two','bag':4,"
	    "'chits':['c2']}]");
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	combat_free(c);
	/* The first label has a chit more than the rules draw. */
	c = toy_new(toy_draw_twice);
	rolls = json_pack("[{s:s, s:i, s:[s, s]}]", "label", "one", "bag", 4,
	    "chits", "c1", "c2");
	assert_int_equal(combat_restore_rolls(c, rolls, NULL), 0);
	json_decref(rolls);
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	combat_free(c);
}

static void
chits_that_cannot_be_recorded_are_a_fault(void **state)
{
	struct combat *c = toy_new(toy_draw_no_id);
	struct errinfo e;
	size_t i;

	(void)state;
	toy_luck.pick = 1;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	assert_int_equal(combat_roll_count(c), 0);
	combat_free(c);
	c = toy_new(toy_draw_many);
	for (i = 0; i < COMBAT_CHITS_MAX + 1; i++) {
		(void)snprintf(toy_ids_of_many[i], 8, "c%zu", i);
		toy_big_bag[i] = toy_ids_of_many[i];
	}
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	assert_int_equal(toy_luck.had, COMBAT_CHITS_MAX - 1);
	combat_free(c);
}

/* Asks one question more than a combat may. */
static int
toy_ask_without_end(struct combat *c)
{
	const struct question_member m = question_some("u", toy_ids, 3, 0, 3);
	struct question_answer a;
	int i, r;

	for (i = 0; i < COMBAT_GIVEN_MAX + 1; i++) {
		if ((r = combat_decide(
			 c, COMBAT_ATTACKER, "more", &m, 1, &a)) != 0)
			return (r);
	}
	return (0);
}

static void
there_is_an_end_to_decisions(void **state)
{
	struct combat *c = toy_new(toy_ask_without_end);
	struct errinfo e;
	int i;

	(void)state;
	for (i = 0; i < COMBAT_GIVEN_MAX; i++) {
		assert_int_equal(combat_run(c, NULL, NULL), 0);
		assert_int_equal(
		    toy_answer(c, "{'kind':'more','u':['a']}", &e), 0);
	}
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	assert_int_equal(
	    toy_answer(c, "{'kind':'more','u':[]}", &e), ERR_FAULT);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	combat_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(other_rolls_than_the_recorded_ones_are_a_fault),
	    cmocka_unit_test(rolls_left_over_at_the_end_are_a_fault),
	    cmocka_unit_test(dice_out_of_range_are_a_fault),
	    cmocka_unit_test(rolls_that_cannot_be_recorded_are_a_fault),
	    cmocka_unit_test(questions_that_cannot_be_kept_are_a_fault),
	    cmocka_unit_test(
		asking_for_another_decision_than_the_recorded_one_is_a_fault),
	    cmocka_unit_test(chits_are_drawn_one_by_one_into_one_record),
	    cmocka_unit_test(a_draw_goes_on_where_the_source_failed),
	    cmocka_unit_test(draws_that_break_the_contract_are_faults),
	    cmocka_unit_test(recorded_draws_that_do_not_fit_are_faults),
	    cmocka_unit_test(labels_of_draws_follow_each_other),
	    cmocka_unit_test(chits_that_cannot_be_recorded_are_a_fault),
	    cmocka_unit_test(there_is_an_end_to_decisions),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
