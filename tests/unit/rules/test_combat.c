/* SPDX-License-Identifier: ISC */
/*
 * The conversation: what is recorded, what is asked again, how runs end, and
 * who is told and asked on the way (umpire-rules.7, 4 and 5).
 */
#include "common/rules/combat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/json/js.h"
#include "common/rules/event.h"
#include "common/rules/question.h"
#include "common/rules/rulekit.h"

#include "tests/lib/alloc.h"
#include "tests/lib/toy.h"

static void
facts_that_the_rules_refuse_open_no_combat(void **state)
{
	json_t *facts = json_pack("{s:i}", "n", 10);
	struct combat *c = NULL;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    combat_new(&toy_system, &toy_settings, facts, &c, &e), ERR_INVALID);
	assert_string_equal(e.where, "combat.n");
	assert_null(c);
	json_decref(facts);
	combat_free(NULL);
}

static void
a_run_without_dice_stops_before_the_first_new_roll(void **state)
{
	struct combat *c = toy_new(toy_usual);

	(void)state;
	assert_ptr_equal(combat_system(c), &toy_system);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_ROLLING);
	assert_int_equal(combat_roll_count(c), 0);
	toy_events_are(c, 0, "[{'e':'combat','n':1}]");
	assert_int_equal(combat_status(c), COMBAT_ROLLING);
	combat_free(c);
}

static void
a_combat_goes_through_a_question_to_its_result(void **state)
{
	struct combat *c = toy_new(toy_usual);
	json_t *rolls;

	(void)state;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	assert_int_equal(combat_asked_side(c), COMBAT_DEFENDER);
	assert_string_equal(combat_asked_kind(c), "choose");
	/* A system need not have policies. */
	assert_int_equal(combat_policy_answer(c, 0, &rolls), ERR_NOTFOUND);
	quoted_is(combat_asked(c),
	    "{'side':'defender','kind':'choose','options':{'units':"
	    "{'some':['a','b','c']}}}");
	toy_events_are(c, 0, "[" TOY_BEGIN "]");
	assert_int_equal(combat_roll_count(c), 1);
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['c','a']}", NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_NEW);
	toy_luck.die = 5;
	/* The order is judged without dice first. */
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_ROLLING);
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_RESOLVED);
	quoted_is(combat_result(c), "{'sum':258}");
	/* What the second line adds is the tail, and the whole is the sum. */
	toy_events_are(c, 3, "[" TOY_END "]");
	toy_events_are(c, 0, "[" TOY_BEGIN "," TOY_END "]");
	toy_events_are(c, 7, "[]");
	assert_int_equal(combat_rolls(c, 1, &rolls), 0);
	quoted_is(rolls, "[{'label':'last','sides':10,'dice':[5]}]");
	/* Recorded rolls are never asked for again. */
	assert_int_equal(toy_luck.calls, 2);
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(toy_luck.calls, 2);
	quoted_is(combat_result(c), "{'sum':258}");
	combat_free(c);
}

static void
a_refused_answer_changes_nothing(void **state)
{
	struct combat *c = toy_new(toy_usual);
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':[]}", &e), ERR_INVALID);
	assert_string_equal(e.where, "decision");
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['a','d']}", &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "decision.units[1]");
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	toy_events_are(c, 0, "[" TOY_BEGIN "]");
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['b']}", &e), 0);
	/* One question takes one answer. */
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['b']}", &e), ERR_INVALID);
	combat_free(c);
}

static void
an_answer_can_be_taken_back_before_dice_fall(void **state)
{
	struct combat *c = toy_new(toy_usual);

	(void)state;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['b']}", NULL), 0);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_ROLLING);
	combat_unanswer(c);
	assert_int_equal(combat_status(c), COMBAT_NEW);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	toy_events_are(c, 0, "[" TOY_BEGIN "]");
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['c','a']}", NULL), 0);
	toy_luck.die = 5;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	toy_events_are(c, 3, "[" TOY_END "]");
	combat_free(c);
}

static void
a_combat_is_put_back_from_its_rolls_and_decisions(void **state)
{
	struct combat *c = toy_new(toy_usual), *d;
	json_t *rolls = NULL;
	struct errinfo e;

	(void)state;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['c','a']}", NULL), 0);
	toy_luck.die = 5;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(combat_rolls(c, 0, &rolls), 0);
	d = toy_new(toy_usual);
	assert_int_equal(combat_restore_rolls(d, rolls, NULL), 0);
	/* All rolls are there at once; the run still stops to ask. */
	assert_int_equal(combat_run(d, NULL, NULL), 0);
	assert_int_equal(combat_status(d), COMBAT_PENDING);
	assert_int_equal(
	    toy_answer(d, "{'kind':'choose','units':['c','a']}", NULL), 0);
	assert_int_equal(combat_run(d, NULL, NULL), 0);
	assert_int_equal(combat_status(d), COMBAT_RESOLVED);
	toy_events_are(d, 0, "[" TOY_BEGIN "," TOY_END "]");
	assert_int_equal(toy_luck.calls, 0);
	json_decref(rolls);
	combat_free(d);
	/* What is no saved list leaves the combat as it was. */
	d = toy_new(toy_usual);
	rolls = json_pack("[{s:s, s:i, s:[i]}, i]", "label", "first/x", "sides",
	    6, "dice", 4, 7);
	assert_int_equal(combat_restore_rolls(d, rolls, &e), ERR_INVALID);
	assert_int_equal(combat_roll_count(d), 0);
	json_decref(rolls);
	combat_free(d);
	combat_free(c);
}

static void
a_dice_source_that_fails_ends_the_run_with_its_error(void **state)
{
	struct combat *c = toy_new(toy_usual);
	struct errinfo e;

	(void)state;
	toy_luck.error = ERR_NOMEM;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_NOMEM);
	assert_string_equal(e.text, "no luck");
	assert_int_equal(combat_status(c), COMBAT_NEW);
	assert_int_equal(combat_roll_count(c), 0);
	toy_luck.error = 0;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	/* A roll that was given stays when a later one fails. */
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':[]}", NULL), 0);
	toy_luck.error = ERR_PROOF;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_PROOF);
	assert_int_equal(combat_roll_count(c), 1);
	combat_free(c);
	/* The source's codes are not taken for the run's own. */
	c = toy_new(toy_usual);
	toy_luck.error = ERR_DICE;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_DICE);
	toy_luck.error = ERR_PENDING;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_PENDING);
	assert_int_equal(combat_status(c), COMBAT_NEW);
	combat_free(c);
}

static void
forgetting_rolls_forgets_what_was_decided_after_them(void **state)
{
	struct combat *c = toy_new(toy_usual);

	(void)state;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['c','a']}", NULL), 0);
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	/* The last roll goes; the decision was asked for before it. */
	combat_forget_rolls(c, 1);
	assert_int_equal(combat_status(c), COMBAT_NEW);
	toy_luck.die = 5;
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	toy_events_are(c, 0, "[" TOY_BEGIN "," TOY_END "]");
	combat_forget_rolls(c, 0);
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	/* After a reset nothing is left of either. */
	combat_reset(c);
	assert_int_equal(combat_roll_count(c), 0);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_int_equal(combat_status(c), COMBAT_ROLLING);
	combat_free(c);
}

static void
a_question_may_have_two_members(void **state)
{
	struct combat *c = toy_new(toy_ask);

	(void)state;
	memset(toy_members, 0, sizeof(toy_members));
	toy_members[0].name = "yes";
	toy_members[0].shape = QUESTION_ONE;
	toy_members[0].is_bool = true;
	toy_members[1].name = "many";
	toy_members[1].shape = QUESTION_INT;
	toy_members[1].lo = 1;
	toy_members[1].hi = 5;
	toy_n_members = 2;
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	quoted_is(combat_asked(c),
	    "{'side':'attacker','kind':'one','options':"
	    "{'yes':{'one':[true,false]},'many':{'int':[1,5]}}}");
	assert_int_equal(
	    toy_answer(c, "{'kind':'one','many':3,'yes':true}", NULL), 0);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	assert_string_equal(combat_asked_kind(c), "two");
	assert_int_equal(
	    toy_answer(c, "{'kind':'two','yes':false,'many':5}", NULL), 0);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	quoted_is(combat_result(c), "{'sum':81}");
	/* The event has the members in the question's order. */
	toy_events_are(c, 2,
	    "[{'e':'decision','side':'attacker','kind':'one','yes':true,"
	    "'many':3},{'e':'ask','side':'attacker','kind':'two','options':"
	    "{'yes':{'one':[true,false]},'many':{'int':[1,5]}}},"
	    "{'e':'decision','side':'attacker','kind':'two','yes':false,"
	    "'many':5},{'e':'result','sum':81}]");
	combat_free(c);
}

/* What toy_decide_cb() answers. */
static struct {
	int16_t id;
	size_t n;
	int r;
} toy_policy;

static int
toy_decide_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	(void)arg;
	(void)c;
	assert_string_equal(q->kind, "choose");
	assert_true(n_room >= 3);
	room[0].id = toy_policy.id;
	a->n_items = toy_policy.n;
	return (toy_policy.r);
}

/* Counts events. */
static int
toy_sink_cb(void *arg, const struct combat *c, const struct event *ev)
{
	int *count = arg;

	(void)c;
	(void)ev;
	return (++*count == 100 ? ERR_TOOBIG : 0);
}

static void
a_policy_answers_while_the_combat_runs(void **state)
{
	const struct combat_policy policy = {.decide = toy_decide_cb};
	struct combat *c = toy_new(toy_usual);
	struct errinfo e;
	int i;

	(void)state;
	memset(&toy_policy, 0, sizeof(toy_policy));
	toy_policy.id = 2;
	toy_policy.n = 1;
	combat_set_policy(c, &policy);
	for (i = 0; i < 1000; i++) {
		combat_reset(c);
		assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
		assert_int_equal(combat_status(c), COMBAT_RESOLVED);
	}
	quoted_is(combat_result(c), "{'sum':148}");
	/* The answers are recorded: the events show them. */
	toy_events_are(c, 3,
	    "[{'e':'decision','side':'defender','kind':'choose',"
	    "'units':['c']},{'e':'roll','label':'last','sides':10,"
	    "'dice':[4]},{'e':'note','why':null,'is':true},{'e':'result',"
	    "'sum':148}]");
	combat_reset(c);
	toy_policy.id = 3;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_FAULT);
	toy_policy.r = ERR_NOTFOUND;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_NOTFOUND);
	combat_set_policy(c, NULL);
	assert_int_equal(combat_run(c, &toy_dice, &e), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	combat_free(c);
}

static void
a_sink_is_told_of_every_event(void **state)
{
	struct combat *c = toy_new(toy_usual);
	struct errinfo e;
	int count = 0;

	(void)state;
	combat_set_sink(c, toy_sink_cb, &count);
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	assert_int_equal(count, 3);
	toy_events_are(c, 0, "[" TOY_BEGIN "]");
	assert_int_equal(count, 3);
	count = 97;
	assert_int_equal(combat_run(c, &toy_dice, &e), ERR_TOOBIG);
	assert_int_equal(combat_status(c), COMBAT_NEW);
	combat_set_sink(c, NULL, NULL);
	assert_int_equal(combat_run(c, &toy_dice, &e), 0);
	combat_free(c);
}

/* ---- A question with a rule: {"parts":[n,n]}, which add up to the facts' n,
 * the second no more than the first ---- */

static int
toy_rule_options_cb(const struct combat *c, json_t *options)
{
	const struct toy_facts *f = combat_facts(c);

	return (json_object_set_new(options, "parts",
		    json_pack("{s:s, s:I}", "rule", "parts", "sum",
			(json_int_t)f->n)) == 0
		? 0
		: ERR_NOMEM);
}

static size_t
toy_rule_count_cb(const struct combat *c)
{
	(void)c;
	return (2);
}

static bool
toy_rule_may_cb(const struct combat *c, const struct question_picks *p,
    size_t i, struct question_why *why)
{
	const struct toy_facts *f = combat_facts(c);

	if (i == 1 && p->of[1] == p->of[0])
		return (question_refuse(
		    why, "parts", "second", "is more than the first"));
	return (
	    p->n < f->n || question_refuse(why, "parts", NULL, "are too many"));
}

static bool
toy_rule_ends_cb(const struct combat *c, const struct question_picks *p,
    struct question_why *why)
{
	const struct toy_facts *f = combat_facts(c);

	return (
	    p->n == f->n || question_refuse(why, "parts", NULL, "are too few"));
}

static int
toy_rule_read_cb(const struct combat *c, const json_t *decision,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const json_t *list;
	size_t i;
	int r;

	(void)c;
	if ((r = js_get_array(decision, "parts", at, &list, e)) != 0)
		return (r);
	for (i = 0; i < 2 && i < n_room; i++) {
		room[i].id = (int16_t)i;
		room[i].value =
		    (int16_t)json_integer_value(json_array_get(list, i));
		if (room[i].value != 0)
			a->n_items = i + 1;
	}
	return (0);
}

static int
toy_rule_write_cb(
    const struct combat *c, const struct question_picks *p, json_t *decision)
{
	(void)c;
	return (json_object_set_new(decision, "parts",
		    json_pack("[i, i]", p->of[0], p->of[1])) == 0
		? 0
		: ERR_NOMEM);
}

static const struct question_rule toy_rule = {
    .name = "parts",
    .options = toy_rule_options_cb,
    .count = toy_rule_count_cb,
    .may = toy_rule_may_cb,
    .ends = toy_rule_ends_cb,
    .read = toy_rule_read_cb,
    .write = toy_rule_write_cb,
};

static int
toy_by_rule(struct combat *c)
{
	struct toy_state *st = combat_state(c);
	struct question_answer a;
	size_t i;
	int r;

	if ((r = combat_decide_rule(
		 c, COMBAT_ATTACKER, "split", &toy_rule, &a)) != 0)
		return (r);
	for (i = 0; i < a.n_items; i++)
		st->sum = 10 * st->sum + a.items[i].value;
	return (0);
}

/* Chance that always takes the first. */
static uint32_t
toy_first_cb(void *arg, uint32_t n)
{
	(void)arg;
	(void)n;
	return (0);
}

/* Opens a combat whose question has the rule, for parts that make n. */
static struct combat *
toy_parts(int n)
{
	json_t *facts = json_pack("{s:i}", "n", n);
	struct combat *c = NULL;

	combat_free(toy_new(toy_by_rule)); /* sets the rules */
	assert_int_equal(
	    combat_new(&toy_system, &toy_settings, facts, &c, NULL), 0);
	json_decref(facts);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	return (c);
}

/* An answer to the parts; the place and the text if it is refused. */
static void
toy_parts_are(
    struct combat *c, const char *text, const char *where, const char *error)
{
	struct errinfo e;

	assert_int_equal(toy_answer(c, text, &e), ERR_INVALID);
	assert_string_equal(e.where, where);
	assert_string_equal(e.text, error);
}

static void
a_question_may_have_a_rule_of_its_own(void **state)
{
	const struct question_pick chance = {toy_first_cb, NULL};
	struct combat *c = toy_parts(3);
	json_t *decision = NULL;
	struct errinfo e;

	(void)state;
	quoted_is(combat_asked(c),
	    "{'side':'attacker','kind':'split','options':{'parts':"
	    "{'rule':'parts','sum':3}}}");
	/* What an answer lacks, has too much of, and has out of order. */
	toy_parts_are(c, "{'kind':'split','parts':[1,1]}", "decision.parts",
	    "are too few");
	toy_parts_are(c, "{'kind':'split','parts':[2,2]}", "decision.parts",
	    "are too many");
	toy_parts_are(c, "{'kind':'split','parts':[1,2]}",
	    "decision.parts.second", "is more than the first");
	assert_int_equal(
	    toy_answer(c, "{'kind':'split','parts':[2,1]}", &e), 0);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	quoted_is(combat_result(c), "{'sum':21}");
	toy_events_are(c, 2,
	    "[{'e':'decision','side':'attacker','kind':'split',"
	    "'parts':[2,1]},{'e':'result','sum':21}]");
	combat_reset(c);
	assert_int_equal(combat_run(c, NULL, NULL), 0);
	/* The first of those that may be next, each time. */
	assert_int_equal(combat_sample(c, &chance, &decision), 0);
	quoted_is(decision, "{'kind':'split','parts':[3,0]}");
	combat_free(c);
}

static void
what_may_be_picked_next_is_what_the_rule_says(void **state)
{
	struct combat *c = toy_parts(3);
	struct question_picks p = {.n = 0};
	struct question_answer a = {.n_items = 0};
	struct question_item room[2];
	int16_t ids[QUESTION_PICKS_MAX];

	(void)state;
	assert_int_equal(question_next(c, &toy_rule, &p, ids), 1);
	assert_int_equal(ids[0], 0);
	assert_int_equal(question_add(&toy_rule, 0, &a, &p, room, 2), 0);
	assert_int_equal(question_next(c, &toy_rule, &p, ids), 2);
	assert_int_equal(ids[1], 1);
	assert_int_equal(
	    question_add(&toy_rule, 1, &a, &p, room, 1), ERR_TOOBIG);
	assert_int_equal(question_add(&toy_rule, 1, &a, &p, room, 2), 0);
	assert_int_equal(question_next(c, &toy_rule, &p, ids), 1);
	/* What is picked again is one item that counts. */
	assert_int_equal(question_add(&toy_rule, 0, &a, &p, room, 2), 0);
	assert_int_equal(question_next(c, &toy_rule, &p, ids), 0);
	assert_int_equal(a.n_items, 2);
	assert_int_equal(room[0].value, 2);
	assert_true(question_holds(c, combat_question(c), &a));
	/* The order of an answer does not matter. */
	room[1] = room[0];
	room[0] = (struct question_item){.id = 1, .value = 1};
	assert_true(question_holds(c, combat_question(c), &a));
	room[0].value = 2;
	assert_false(question_holds(c, combat_question(c), &a));
	room[0].id = 2;
	assert_false(question_holds(c, combat_question(c), &a));
	combat_free(c);
}

static void
failing_allocations_are_reported(void **state)
{
	struct combat *c = toy_new(toy_usual), *d;
	json_t *facts = json_pack("{s:i}", "n", 1), *v;
	const struct question_pick first = {toy_first_cb, NULL};
	long nth;
	int r;

	(void)state;
	for (nth = 0;; nth++) {
		d = NULL;
		alloc_start(nth);
		r = combat_new(&toy_system, &toy_settings, facts, &d, NULL);
		combat_free(d);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = combat_asked(c);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_null(v);
	}
	assert_int_equal(
	    toy_answer(c, "{'kind':'choose','units':['a']}", NULL), 0);
	assert_int_equal(combat_run(c, &toy_dice, NULL), 0);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = NULL;
		r = combat_events(c, 0, &v);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(combat_status(c), COMBAT_RESOLVED);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = NULL;
		r = combat_rolls(c, 0, &v);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	combat_free(c);
	c = toy_parts(1);
	for (nth = 0; nth < 3; nth++) {
		alloc_start(nth);
		v = NULL;
		r = combat_sample(c, &first, &v);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	combat_free(c);
	json_decref(facts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(facts_that_the_rules_refuse_open_no_combat),
	    cmocka_unit_test(
		a_run_without_dice_stops_before_the_first_new_roll),
	    cmocka_unit_test(a_combat_goes_through_a_question_to_its_result),
	    cmocka_unit_test(a_refused_answer_changes_nothing),
	    cmocka_unit_test(an_answer_can_be_taken_back_before_dice_fall),
	    cmocka_unit_test(a_combat_is_put_back_from_its_rolls_and_decisions),
	    cmocka_unit_test(
		a_dice_source_that_fails_ends_the_run_with_its_error),
	    cmocka_unit_test(
		forgetting_rolls_forgets_what_was_decided_after_them),
	    cmocka_unit_test(a_question_may_have_two_members),
	    cmocka_unit_test(a_policy_answers_while_the_combat_runs),
	    cmocka_unit_test(a_sink_is_told_of_every_event),
	    cmocka_unit_test(a_question_may_have_a_rule_of_its_own),
	    cmocka_unit_test(what_may_be_picked_next_is_what_the_rule_says),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
