/* SPDX-License-Identifier: ISC */
/*
 * Questions and answers: the form of the options, what is taken as an answer
 * and what is refused, and lawful answers by chance (umpire-rules.7, 4).
 */
#include "common/rules/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/quoted.h"

static const char *const question_ids[] = {"a", "b", "c"};

/* A question with the members given. */
static struct question
question_of(const struct question_member *m, size_t n)
{
	struct question q = {.side = COMBAT_DEFENDER, .kind = "test"};
	size_t i;

	for (i = 0; i < n; i++)
		q.members[i] = m[i];
	q.n_members = n;
	return (q);
}

/* A member that is one of the three ids, or null. */
static struct question_member
question_one(bool has_null)
{
	const struct question_member m = {
	    .name = "unit",
	    .shape = QUESTION_ONE,
	    .ids = question_ids,
	    .n_ids = 3,
	    .has_null = has_null,
	};

	return (m);
}

static const struct question_member question_bool = {
    .name = "withdraw",
    .shape = QUESTION_ONE,
    .is_bool = true,
};

static const struct question_member question_int = {
    .name = "number",
    .shape = QUESTION_INT,
    .lo = 2,
    .hi = 5,
};

/* The options of a question have this form, a quoted_text(). */
static void
question_options_are(const struct question *q, const char *text)
{
	json_t *asked = json_object(), *want = quoted_json(text);

	assert_int_equal(question_ask(NULL, q, asked), 0);
	assert_string_equal(
	    json_string_value(json_object_get(asked, "side")), "defender");
	assert_string_equal(
	    json_string_value(json_object_get(asked, "kind")), "test");
	if (!json_equal(json_object_get(asked, "options"), want))
		fail_msg("not %s", text);
	json_decref(asked);
	json_decref(want);
}

/* Reads a decision, a quoted_text(); items lie in a static room. */
static int
question_try(const struct question *q, const char *text,
    struct question_answer *a, struct errinfo *e)
{
	static struct question_item room[8];
	json_t *v = quoted_json(text);
	int r;

	memset(e, 0, sizeof(*e));
	r = question_read(NULL, q, v, a, room, 8, e);
	json_decref(v);
	return (r);
}

/* A decision is refused at a place. */
static void
question_refuses(const struct question *q, const char *text, const char *where)
{
	struct question_answer a = {.n_items = 77};
	struct errinfo e;

	assert_int_equal(question_try(q, text, &a, &e), ERR_INVALID);
	assert_string_equal(e.where, where);
	assert_true(e.text[0] != '\0');
	/* Results are written only on success. */
	assert_int_equal(a.n_items, 77);
}

/* A decision is taken, holds, and is written back as it was. */
static struct question_answer
question_takes(const struct question *q, const char *text)
{
	struct question_answer a;
	json_t *back = json_object(), *want = quoted_json(text);
	struct errinfo e;

	assert_int_equal(question_try(q, text, &a, &e), 0);
	assert_true(question_holds(NULL, q, &a));
	assert_int_equal(question_write(NULL, q, &a, back), 0);
	assert_true(json_equal(back, want));
	json_decref(back);
	json_decref(want);
	return (a);
}

static void
some_of_the_ids_are_read_in_their_order(void **state)
{
	const struct question_member m =
	    question_some("units", question_ids, 3, 0, 3);
	const struct question q = question_of(&m, 1);
	struct question_answer a;

	(void)state;
	question_options_are(&q, "{'units':{'some':['a','b','c']}}");
	a = question_takes(&q, "{'kind':'test','units':['c','a']}");
	assert_int_equal(a.n_items, 2);
	assert_int_equal(a.items[0].id, 2);
	assert_int_equal(a.items[1].id, 0);
	a = question_takes(&q, "{'units':[],'kind':'test'}");
	assert_int_equal(a.n_items, 0);
	question_takes(&q, "{'kind':'test','units':['a','b','c']}");
}

static void
some_of_the_ids_are_as_many_as_is_said(void **state)
{
	const struct question_member m =
	    question_some("units", question_ids, 3, 1, 2);
	const struct question q = question_of(&m, 1);

	(void)state;
	question_options_are(
	    &q, "{'units':{'some':['a','b','c'],'min':1,'max':2}}");
	question_takes(&q, "{'kind':'test','units':['a']}");
	question_takes(&q, "{'kind':'test','units':['a','c']}");
	question_refuses(&q, "{'kind':'test','units':[]}", "decision.units");
	question_refuses(
	    &q, "{'kind':'test','units':['a','b','c']}", "decision.units");
}

static void
lists_that_are_not_lawful_are_refused_at_their_place(void **state)
{
	const struct question_member m =
	    question_some("units", question_ids, 3, 0, 3);
	const struct question q = question_of(&m, 1);

	(void)state;
	question_refuses(&q, "[]", "decision");
	question_refuses(&q, "{'units':[]}", "decision.kind");
	question_refuses(&q, "{'kind':1,'units':[]}", "decision.kind");
	question_refuses(&q, "{'kind':'other','units':[]}", "decision.kind");
	question_refuses(&q, "{'kind':'test'}", "decision.units");
	question_refuses(&q, "{'kind':'test','units':{}}", "decision.units");
	question_refuses(&q, "{'kind':'test','units':null}", "decision.units");
	question_refuses(
	    &q, "{'kind':'test','units':['a',1]}", "decision.units[1]");
	question_refuses(
	    &q, "{'kind':'test','units':['a','d']}", "decision.units[1]");
	question_refuses(
	    &q, "{'kind':'test','units':['a','b','a']}", "decision.units[2]");
	question_refuses(
	    &q, "{'kind':'test','units':[],'more':1}", "decision.more");
	question_refuses(&q, "{'kind':'test','side':'defender','units':[]}",
	    "decision.side");
}

static void
an_order_names_each_once_and_says_a_word_of_it(void **state)
{
	const struct question_member m =
	    question_order("order", question_ids, 2, "possible");
	const struct question q = question_of(&m, 1);
	struct question_answer a;

	(void)state;
	question_options_are(&q,
	    "{'order':{'order':['a','b'],'each':{'possible':{'one':[true,"
	    "false]}}}}");
	a = question_takes(&q,
	    "{'kind':'test','order':[{'unit':'b','possible':true},"
	    "{'unit':'a','possible':false}]}");
	assert_int_equal(a.n_items, 2);
	assert_int_equal(a.items[0].id, 1);
	assert_int_equal(a.items[0].value, 1);
	assert_int_equal(a.items[1].id, 0);
	assert_int_equal(a.items[1].value, 0);
	question_refuses(&q,
	    "{'kind':'test','order':[{'unit':'b','possible':true}]}",
	    "decision.order");
	question_refuses(&q, "{'kind':'test','order':[]}", "decision.order");
	question_refuses(
	    &q, "{'kind':'test','order':['a','b']}", "decision.order[0]");
	question_refuses(&q,
	    "{'kind':'test','order':[{'unit':'c','possible':true}]}",
	    "decision.order[0].unit");
	question_refuses(&q, "{'kind':'test','order':[{'possible':true}]}",
	    "decision.order[0].unit");
	question_refuses(&q,
	    "{'kind':'test','order':[{'unit':'a','possible':true},"
	    "{'unit':'a','possible':true}]}",
	    "decision.order[1].unit");
	question_refuses(&q,
	    "{'kind':'test','order':[{'unit':'a','possible':1},"
	    "{'unit':'b','possible':true}]}",
	    "decision.order[0].possible");
	question_refuses(&q,
	    "{'kind':'test','order':[{'unit':'a'},"
	    "{'unit':'b','possible':true}]}",
	    "decision.order[0].possible");
	question_refuses(&q,
	    "{'kind':'test','order':[{'unit':'a','possible':true,'way':1}]}",
	    "decision.order[0].way");
}

static void
one_value_is_an_id_a_boolean_or_null(void **state)
{
	struct question_member m[2] = {question_one(false), question_bool};
	struct question q = question_of(m, 2);
	struct question_answer a;

	(void)state;
	question_options_are(&q,
	    "{'unit':{'one':['a','b','c']},'withdraw':{'one':[true,false]}}");
	a = question_takes(&q, "{'kind':'test','unit':'b','withdraw':true}");
	assert_int_equal(a.number[0], 1);
	assert_int_equal(a.number[1], 1);
	a = question_takes(&q, "{'kind':'test','unit':'a','withdraw':false}");
	assert_int_equal(a.number[1], 0);
	question_refuses(&q, "{'kind':'test','unit':'b'}", "decision.withdraw");
	question_refuses(
	    &q, "{'kind':'test','unit':'d','withdraw':true}", "decision.unit");
	question_refuses(
	    &q, "{'kind':'test','unit':1,'withdraw':true}", "decision.unit");
	question_refuses(
	    &q, "{'kind':'test','unit':null,'withdraw':true}", "decision.unit");
	question_refuses(&q, "{'kind':'test','unit':'b','withdraw':'true'}",
	    "decision.withdraw");
	m[0] = question_one(true);
	q = question_of(m, 1);
	question_options_are(&q, "{'unit':{'one':['a','b','c',null]}}");
	a = question_takes(&q, "{'kind':'test','unit':null}");
	assert_int_equal(a.number[0], -1);
}

static void
a_number_lies_in_its_range(void **state)
{
	const struct question q = question_of(&question_int, 1);
	struct question_answer a;

	(void)state;
	question_options_are(&q, "{'number':{'int':[2,5]}}");
	a = question_takes(&q, "{'kind':'test','number':2}");
	assert_int_equal(a.number[0], 2);
	question_takes(&q, "{'kind':'test','number':5}");
	question_refuses(&q, "{'kind':'test','number':1}", "decision.number");
	question_refuses(&q, "{'kind':'test','number':6}", "decision.number");
	question_refuses(&q, "{'kind':'test','number':'3'}", "decision.number");
}

static void
a_list_longer_than_its_room_is_refused(void **state)
{
	const struct question_member m =
	    question_some("units", question_ids, 3, 0, 3);
	const struct question q = question_of(&m, 1);
	json_t *v;
	struct question_item room[1];
	struct question_answer a;
	struct errinfo e;

	(void)state;
	v = quoted_json("{'kind':'test','units':['a','b']}");
	assert_int_equal(
	    question_read(NULL, &q, v, &a, room, 1, &e), ERR_INVALID);
	assert_string_equal(e.where, "decision.units");
	json_decref(v);
}

static void
a_plain_answer_that_is_not_lawful_does_not_hold(void **state)
{
	struct question_member m = question_some("u", question_ids, 3, 1, 2);
	struct question_item items[3] = {{0, 0}, {1, 0}, {2, 0}};
	struct question_answer a = {.items = items, .n_items = 2};
	struct question q = question_of(&m, 1);

	(void)state;
	assert_true(question_holds(NULL, &q, &a));
	items[1].id = 0; /* twice */
	assert_false(question_holds(NULL, &q, &a));
	items[1].id = 3;
	assert_false(question_holds(NULL, &q, &a));
	items[1].id = -1;
	assert_false(question_holds(NULL, &q, &a));
	items[1].id = 1;
	a.n_items = 3;
	assert_false(question_holds(NULL, &q, &a));
	a.n_items = 0;
	assert_false(question_holds(NULL, &q, &a));
	m = question_order("o", question_ids, 3, "w");
	q = question_of(&m, 1);
	a.n_items = 2;
	assert_false(question_holds(NULL, &q, &a));
	a.n_items = 3;
	assert_true(question_holds(NULL, &q, &a));
	q = question_of(&question_int, 1);
	a.number[0] = 1;
	assert_false(question_holds(NULL, &q, &a));
	a.number[0] = 6;
	assert_false(question_holds(NULL, &q, &a));
	a.number[0] = 5;
	assert_true(question_holds(NULL, &q, &a));
	q = question_of(&question_bool, 1);
	a.number[0] = 2;
	assert_false(question_holds(NULL, &q, &a));
	a.number[0] = -1;
	assert_false(question_holds(NULL, &q, &a));
	m = question_one(true);
	q = question_of(&m, 1);
	assert_true(question_holds(NULL, &q, &a));
	a.number[0] = 3;
	assert_false(question_holds(NULL, &q, &a));
}

static void
answers_by_chance_are_lawful(void **state)
{
	struct question_member m[] = {
	    question_some("units", question_ids, 3, 0, 3),
	    question_some("units", question_ids, 3, 2, 3),
	    question_order("order", question_ids, 3, "possible"),
	    question_one(false),
	    question_one(true),
	    question_bool,
	    question_int,
	};
	struct question_item room[3];
	struct question_answer a;
	uint64_t seed = 1;
	const struct question_pick p = {chance_pick_cb, &seed};
	unsigned seen[7] = {0};
	struct question q;
	size_t i, j;

	(void)state;
	for (i = 0; i < 7; i++) {
		q = question_of(&m[i], 1);
		for (j = 0; j < 200; j++) {
			assert_int_equal(
			    question_sample(NULL, &q, &p, &a, room, 3), 0);
			assert_true(question_holds(NULL, &q, &a));
			if (m[i].shape == QUESTION_ONE ||
			    m[i].shape == QUESTION_INT)
				seen[i] |= 1U << (a.number[0] + 1);
			else
				seen[i] |= 1U << a.n_items;
		}
	}
	/* Every lawful count and value comes up. */
	assert_int_equal(seen[0], 0xf);
	assert_int_equal(seen[1], 0xc);
	assert_int_equal(seen[2], 0x8);
	assert_int_equal(seen[3], 0xe);
	assert_int_equal(seen[4], 0xf);
	assert_int_equal(seen[5], 0x6);
	assert_int_equal(seen[6], 0x78);
	q = question_of(&m[2], 1);
	assert_int_equal(
	    question_sample(NULL, &q, &p, &a, room, 2), ERR_TOOBIG);
}

/* Three ids to pick, and each of them once more behind the list. */
static size_t
rule_count(const struct combat *c)
{
	(void)c;
	return (3);
}

static const char *
rule_id(const struct combat *c, size_t id)
{
	(void)c;
	return (question_ids[id]);
}

static void
picks_behind_the_list_are_written_whole_or_not(void **state)
{
	static const struct question_rule rule = {.name = "rule",
	    .count = rule_count,
	    .id = rule_id,
	    .list = "units",
	    .last = "extra"};
	static const struct {
		size_t n;
		const char *text;
	} cases[] = {
	    {1, "{'kind':'q','units':['a']}"},
	    {2, "{'kind':'q','units':['a'],'extra':'a'}"},
	    {4, "{'kind':'q','units':['a'],'extra':['a','b','c']}"},
	};
	const struct question q = {.kind = "q", .rule = &rule};
	const struct question_item items[] = {{0, 1}, {3, 1}, {4, 1}, {5, 1}};
	struct question_answer a = {.items = items};
	bool has_failed;
	json_t *obj;
	size_t i;
	long nth;
	int r;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		a.n_items = cases[i].n;
		for (nth = 0, has_failed = true; has_failed; nth++) {
			obj = json_object();
			alloc_start(nth);
			r = question_write(NULL, &q, &a, obj);
			has_failed = alloc_stop();
			assert_int_equal(r, has_failed ? ERR_NOMEM : 0);
			if (has_failed)
				json_decref(obj);
		}
		quoted_is(obj, cases[i].text);
	}
}

static void
failing_allocations_are_reported(void **state)
{
	struct question_member m[] = {
	    question_some("units", question_ids, 3, 1, 2),
	    question_order("order", question_ids, 3, "possible"),
	    question_one(true),
	    question_int,
	};
	struct question_item items[3] = {{0, 0}, {1, 0}, {2, 0}};
	struct question_answer a = {.items = items, .n_items = 3};
	struct question q;
	json_t *obj;
	size_t i;
	long nth;
	int r;

	(void)state;
	for (i = 0; i < 4; i++) {
		q = question_of(&m[i], 1);
		for (nth = 0;; nth++) {
			obj = json_object();
			alloc_start(nth);
			r = question_ask(NULL, &q, obj);
			json_decref(obj);
			if (!alloc_stop())
				break;
			assert_int_equal(r, ERR_NOMEM);
		}
		assert_int_equal(r, 0);
		for (nth = 0;; nth++) {
			obj = json_object();
			alloc_start(nth);
			r = question_write(NULL, &q, &a, obj);
			json_decref(obj);
			if (!alloc_stop())
				break;
			assert_int_equal(r, ERR_NOMEM);
		}
		assert_int_equal(r, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(some_of_the_ids_are_read_in_their_order),
	    cmocka_unit_test(some_of_the_ids_are_as_many_as_is_said),
	    cmocka_unit_test(
		lists_that_are_not_lawful_are_refused_at_their_place),
	    cmocka_unit_test(an_order_names_each_once_and_says_a_word_of_it),
	    cmocka_unit_test(one_value_is_an_id_a_boolean_or_null),
	    cmocka_unit_test(a_number_lies_in_its_range),
	    cmocka_unit_test(a_list_longer_than_its_room_is_refused),
	    cmocka_unit_test(a_plain_answer_that_is_not_lawful_does_not_hold),
	    cmocka_unit_test(answers_by_chance_are_lawful),
	    cmocka_unit_test(picks_behind_the_list_are_written_whole_or_not),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
