/* SPDX-License-Identifier: ISC */
/*
 * Scenario files: what a script may hold, where dice come from without one,
 * and the form of the output (umpire-rules.7, 2).
 */
#include "common/rules/show/scenario.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/rules/combat.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

/* Two infantry units, front to front: one question, to the attacker. */
#define SCENARIO_COMBAT                                                 \
	"{'attackers':[{'id':'a','arm':'infantry','strength':5,"        \
	"'formation':'line'}],'defenders':[{'id':'d','arm':'infantry'," \
	"'strength':5,'formation':'line'}],'contacts':["                \
	"{'attacker':'a','defender':'d','edge':'front'}]}"
#define SCENARIO_DICE "'dice':{'score/a':[3],'score/d':[3]}"
#define SCENARIO_STAGGER \
	"{'kind':'stagger','order':[{'unit':'a','possible':true}]}"

/* Runs a scenario, a quoted_text(). */
static int
scenario_try(const char *text, const struct combat_dice *dice, json_t **out,
    struct errinfo *e)
{
	json_t *file = quoted_json(text);
	int r;

	memset(e, 0, sizeof(*e));
	*out = NULL;
	r = scenario_run(file, NULL, dice, out, e);
	json_decref(file);
	return (r);
}

/* Runs SCENARIO_COMBAT with further members. */
static int
scenario_try_with(const char *more, const struct combat_dice *dice,
    json_t **out, struct errinfo *e)
{
	char text[2048];

	(void)snprintf(text, sizeof(text),
	    "{'system':'lasalle2','combat':" SCENARIO_COMBAT "%s}", more);
	return (scenario_try(text, dice, out, e));
}

static void
a_resolved_scenario_has_events_and_a_result(void **state)
{
	static const char *const keys[] = {
	    "system", "status", "events", "result"};
	struct errinfo e;
	const char *key;
	json_t *out, *v;
	size_t i = 0;

	(void)state;
	assert_int_equal(
	    scenario_try_with(",'script':{" SCENARIO_DICE
			      ",'decisions':[" SCENARIO_STAGGER "]}",
		NULL, &out, &e),
	    0);
	json_object_foreach(out, key, v) assert_string_equal(key, keys[i++]);
	assert_int_equal(i, 4);
	assert_string_equal(
	    json_string_value(json_object_get(out, "status")), "resolved");
	v = json_object_get(out, "events");
	v = json_array_get(v, json_array_size(v) - 1);
	assert_string_equal(
	    json_string_value(json_object_get(v, "e")), "result");
	/* The last event is the result. */
	assert_int_equal(json_object_del(v, "e"), 0);
	assert_true(json_equal(v, json_object_get(out, "result")));
	json_decref(out);
}

static void
a_pending_scenario_has_the_open_question(void **state)
{
	static const char *const keys[] = {
	    "system", "status", "pending", "events"};
	struct errinfo e;
	const char *key;
	json_t *out, *v;
	size_t i = 0;

	(void)state;
	assert_int_equal(
	    scenario_try_with(",'script':{" SCENARIO_DICE "}", NULL, &out, &e),
	    0);
	json_object_foreach(out, key, v) assert_string_equal(key, keys[i++]);
	assert_int_equal(i, 4);
	v = json_object_get(out, "events");
	v = json_array_get(v, json_array_size(v) - 1);
	assert_string_equal(json_string_value(json_object_get(v, "e")), "ask");
	assert_int_equal(json_object_del(v, "e"), 0);
	assert_true(json_equal(v, json_object_get(out, "pending")));
	json_decref(out);
}

static void
files_of_another_form_are_refused(void **state)
{
	static const struct {
		const char *text;
		const char *where;
	} bad[] = {
	    {"[]", ""},
	    {"{}", "system"},
	    {"{'system':7}", "system"},
	    {"{'system':'lasalle3'}", "system"},
	    {"{'system':'lasalle2'}", "combat"},
	    {"{'system':'lasalle2','combat':[]}", "combat"},
	    {"{'system':'lasalle2','combats':{}}", "combats"},
	    {"{'system':'lasalle2','combat':{},'rulings':null}", "rulings"},
	    {"{'system':'lasalle2','combat':{},'rulings':[]}", "rulings"},
	    {"{'system':'lasalle2','combat':{},'tables':[]}", "tables"},
	    {"{'system':'lasalle2','combat':{},'tables':{'x':1}}", "tables.x"},
	    {"{'system':'lasalle2','combat':{},'script':[]}", "script"},
	    {"{'system':'lasalle2','combat':{},'script':{'die':1}}",
		"script.die"},
	    {"{'system':'lasalle2','combat':{},'script':{'dice':[]}}",
		"script.dice"},
	    {"{'system':'lasalle2','combat':{},'script':{'chits':{}}}",
		"script.chits"},
	    {"{'system':'lasalle2','combat':{},'script':{'decisions':{}}}",
		"script.decisions"},
	};
	struct errinfo e;
	json_t *out;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(
		    scenario_try(bad[i].text, NULL, &out, &e), ERR_INVALID);
		assert_string_equal(e.where, bad[i].where);
		assert_null(out);
	}
}

static void
scripts_that_do_not_fit_are_refused(void **state)
{
	static const struct {
		const char *script;
		const char *where;
	} bad[] = {
	    {"'dice':{}", "script.dice.score/a"},
	    {"'dice':{'score/a':[3]}", "script.dice.score/d"},
	    {"'dice':{'score/a':3}", "script.dice.score/a"},
	    {"'dice':{'score/a':[]}", "script.dice.score/a"},
	    {"'dice':{'score/a':[3,3]}", "script.dice.score/a"},
	    {"'dice':{'score/a':[0]}", "script.dice.score/a[0]"},
	    {"'dice':{'score/a':[7]}", "script.dice.score/a[0]"},
	    {"'dice':{'score/a':['3']}", "script.dice.score/a[0]"},
	    {SCENARIO_DICE ",'decisions':[{'kind':'retire','units':[]}]",
		"script.decisions[0].kind"},
	    {SCENARIO_DICE ",'decisions':[7]", "script.decisions[0]"},
	    {SCENARIO_DICE ",'decisions':[{'kind':'stagger','order':["
			   "{'unit':'d','possible':true}]}]",
		"script.decisions[0].order[0].unit"},
	    {SCENARIO_DICE ",'decisions':[" SCENARIO_STAGGER
			   "," SCENARIO_STAGGER "]",
		"script.decisions[1]"},
	};
	struct errinfo e;
	char text[1024];
	json_t *out;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(
		    text, sizeof(text), ",'script':{%s}", bad[i].script);
		assert_int_equal(
		    scenario_try_with(text, NULL, &out, &e), ERR_INVALID);
		assert_string_equal(e.where, bad[i].where);
	}
	assert_int_equal(scenario_try_with(",'script':{'dice':{'score/a':[]}}",
			     NULL, &out, &e),
	    ERR_INVALID);
	assert_string_equal(e.text, "must have 1 die");
	/* Dice and chits that nothing asks for are not looked at. */
	assert_int_equal(
	    scenario_try_with(
		",'script':{'dice':{'score/a':[3],'score/d':[3],'more':[99]},"
		"'chits':[7]}",
		NULL, &out, &e),
	    0);
	json_decref(out);
}

/* Dice that show what arg points to; ERR_PROOF for 0. */
static int
scenario_test_roll_cb(void *arg, const char *label, unsigned sides,
    unsigned count, uint16_t *dice, struct errinfo *e)
{
	const uint16_t *die = arg;
	unsigned i;

	(void)label;
	assert_int_equal(sides, 6);
	if (*die == 0)
		return (err_set(e, ERR_PROOF, NULL, "no dice today"));
	for (i = 0; i < count; i++)
		dice[i] = *die;
	return (0);
}

static void
without_dice_in_the_script_they_come_from_the_caller(void **state)
{
	uint16_t die = 2;
	const struct combat_dice dice = {
	    .roll = scenario_test_roll_cb,
	    .arg = &die,
	};
	struct errinfo e;
	json_t *out;

	(void)state;
	assert_int_equal(scenario_try_with("", &dice, &out, &e), 0);
	assert_string_equal(
	    json_string_value(json_object_get(out, "status")), "pending");
	json_decref(out);
	assert_int_equal(
	    scenario_try_with(",'script':{'decisions':[" SCENARIO_STAGGER "]}",
		&dice, &out, &e),
	    0);
	assert_string_equal(
	    json_string_value(json_object_get(out, "status")), "resolved");
	json_decref(out);
	/* A script that has dice has all of them. */
	assert_int_equal(scenario_try_with(",'script':{'dice':{'score/a':[3]}}",
			     &dice, &out, &e),
	    ERR_INVALID);
	die = 0;
	assert_int_equal(scenario_try_with("", &dice, &out, &e), ERR_PROOF);
	assert_string_equal(e.text, "no dice today");
	assert_int_equal(scenario_try_with("", NULL, &out, &e), ERR_DICE);
}

static void
notes_and_expectations_are_not_looked_at(void **state)
{
	struct errinfo e;
	json_t *out;

	(void)state;
	assert_int_equal(
	    scenario_try_with(
		",'note':7,'expect':[],'expect_error':1,'expect_where':2,"
		"'expect_pending':3,'script':{" SCENARIO_DICE "}",
		NULL, &out, &e),
	    0);
	json_decref(out);
}

static void
failing_allocations_are_reported(void **state)
{
	static const char text[] =
	    "{'system':'lasalle2','combat':" SCENARIO_COMBAT
	    ",'script':{" SCENARIO_DICE ",'decisions':[%s]}}";
	struct errinfo e;
	json_t *file, *out;
	char full[1024];
	long nth;
	int i, r;

	(void)state;
	for (i = 0; i < 2; i++) {
		(void)snprintf(
		    full, sizeof(full), text, i == 0 ? "" : SCENARIO_STAGGER);
		file = quoted_json(full);
		for (nth = 0;; nth++) {
			out = NULL;
			alloc_start(nth);
			r = scenario_run(file, NULL, NULL, &out, &e);
			json_decref(out);
			if (!alloc_stop())
				break;
			assert_int_equal(r, ERR_NOMEM);
		}
		assert_int_equal(r, 0);
		assert_true(nth > 50);
		json_decref(file);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_resolved_scenario_has_events_and_a_result),
	    cmocka_unit_test(a_pending_scenario_has_the_open_question),
	    cmocka_unit_test(files_of_another_form_are_refused),
	    cmocka_unit_test(scripts_that_do_not_fit_are_refused),
	    cmocka_unit_test(
		without_dice_in_the_script_they_come_from_the_caller),
	    cmocka_unit_test(notes_and_expectations_are_not_looked_at),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
