/* SPDX-License-Identifier: ISC */
/*
 * The settings of a game that its create order may leave out: the clock and
 * the options (umpire-record.7, S3, S6.7).
 */
#include "common/record/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"

#include "tests/lib/table.h"

static struct table table;

/* Keys for create. */
static int
group_setup(void **state)
{
	(void)state;
	table_init(&table);
	return (0);
}

static int
group_teardown(void **state)
{
	(void)state;
	table_clear(&table);
	return (0);
}

/*
 * Reads a create order with these members of args (a text), which must give
 * r and, if it is refused, this place.
 */
static void
settings_give(
    const char *more, int r, const char *where, struct order_create *c)
{
	json_t *args = table_create_args(&table, table_roster), *v;
	struct order_create room;
	struct errinfo e = {.where = ""};
	struct order o;
	int got;

	v = table_json(more);
	json_object_update(args, v);
	json_decref(v);
	table_make_create(&table, args);
	assert_int_equal(
	    order_parse(table.text.data, table.text.len, &o, &e), 0);
	got = order_create_parse(&o, c == NULL ? &room : c, &e);
	if (got != r || strcmp(e.where, where) != 0)
		fail_msg("%s: %d %s: %s", more, got, e.where, e.text);
	assert_true(got == 0 || e.text[0] != '\0');
	order_clear(&o);
}

static void
a_clock_is_read(void **state)
{
	struct order_create c;

	(void)state;
	settings_give("{'clock':{'per':'side','first_s':864000,'add_s':7200,"
		      "'cap_s':1000000,'grace_s':600,'skip':['sun','mon'],"
		      "'holidays':14,'then':'director'},'options':"
		      "{'director':true}}",
	    0, "", &c);
	assert_true(c.has_clock && c.clock.is_side);
	assert_int_equal(c.clock.first_s, 864000);
	assert_int_equal(c.clock.add_s, 7200);
	assert_int_equal(c.clock.cap_s, 1000000);
	assert_int_equal(c.clock.grace_s, 600);
	assert_int_equal(c.clock.skip, 0x41);
	assert_int_equal(c.clock.holidays, 14);
	assert_int_equal(c.clock.then, ORDER_CLOCK_DIRECTOR);
	settings_give("{'clock':{'per':'order','first_s':60,"
		      "'then':'default'}}",
	    0, "", &c);
	assert_true(c.has_clock);
	assert_false(c.clock.is_side);
	assert_int_equal(c.clock.first_s, 60);
	assert_int_equal(c.clock.add_s, 0);
	assert_int_equal(c.clock.cap_s, 0);
	assert_int_equal(c.clock.grace_s, 0);
	assert_int_equal(c.clock.skip, 0);
	assert_int_equal(c.clock.holidays, 0);
	assert_int_equal(c.clock.then, ORDER_CLOCK_DEFAULT);
	/* Each day has its bit. */
	settings_give("{'clock':{'per':'order','first_s':60,'skip':['wed'],"
		      "'then':'forfeit'}}",
	    0, "", &c);
	assert_int_equal(c.clock.skip, 1 << 2);
	assert_int_equal(c.clock.then, ORDER_CLOCK_FORFEIT);
}

/* A clock per side or order with these further members. */
#define SIDE(more) "{'clock':{'per':'side','then':'forfeit'," more "}}"
#define PER_ORDER(more) "{'clock':{'per':'order','then':'forfeit'," more "}}"

static void
a_clock_out_of_range_is_refused_with_its_place(void **state)
{
	static const struct {
		const char *more, *where;
		int r;
	} cases[] = {
	    {"{'clock':null}", "order.args.clock", ERR_INVALID},
	    {"{'clock':{}}", "order.args.clock.per", ERR_INVALID},
	    {"{'clock':{'per':'game','first_s':60,'then':'forfeit'}}",
		"order.args.clock.per", ERR_INVALID},
	    {"{'clock':{'per':'side','first_s':60}}", "order.args.clock.then",
		ERR_INVALID},
	    {"{'clock':{'per':'side','first_s':60,'then':'draw'}}",
		"order.args.clock.then", ERR_INVALID},
	    {SIDE("'first_s':60,'byoyomi':1"), "order.args.clock.byoyomi",
		ERR_NEWER},
	    {SIDE("'add_s':1"), "order.args.clock.first_s", ERR_INVALID},
	    {SIDE("'first_s':59"), "order.args.clock.first_s", ERR_INVALID},
	    {SIDE("'first_s':60"), "", 0},
	    {SIDE("'first_s':31536000,'add_s':31536000,'cap_s':31536000,"
		  "'grace_s':31536000"),
		"", 0},
	    {SIDE("'first_s':31536001"), "order.args.clock.first_s",
		ERR_INVALID},
	    {SIDE("'first_s':'60'"), "order.args.clock.first_s", ERR_INVALID},
	    {SIDE("'first_s':600,'add_s':-1"), "order.args.clock.add_s",
		ERR_INVALID},
	    {SIDE("'first_s':600,'add_s':0"), "", 0},
	    {SIDE("'first_s':600,'add_s':31536001"), "order.args.clock.add_s",
		ERR_INVALID},
	    {SIDE("'first_s':600,'cap_s':600"), "", 0},
	    {SIDE("'first_s':600,'cap_s':599"), "order.args.clock.cap_s",
		ERR_INVALID},
	    {SIDE("'first_s':600,'cap_s':31536001"), "order.args.clock.cap_s",
		ERR_INVALID},
	    {SIDE("'first_s':600,'grace_s':-1"), "order.args.clock.grace_s",
		ERR_INVALID},
	    {SIDE("'first_s':600,'grace_s':31536001"),
		"order.args.clock.grace_s", ERR_INVALID},
	    {PER_ORDER("'first_s':600,'grace_s':0"), "", 0},
	    {PER_ORDER("'first_s':600,'add_s':0"), "order.args.clock.add_s",
		ERR_INVALID},
	    {PER_ORDER("'first_s':600,'cap_s':600"), "order.args.clock.cap_s",
		ERR_INVALID},
	    {SIDE("'first_s':60,'skip':[]"), "", 0},
	    {SIDE("'first_s':60,'skip':'sat'"), "order.args.clock.skip",
		ERR_INVALID},
	    {SIDE("'first_s':60,'skip':['sat',1]"), "order.args.clock.skip",
		ERR_INVALID},
	    {SIDE("'first_s':60,'skip':['Sat']"), "order.args.clock.skip",
		ERR_INVALID},
	    {SIDE("'first_s':60,'skip':['']"), "order.args.clock.skip",
		ERR_INVALID},
	    {SIDE("'first_s':60,'skip':['sat','sun','sat']"),
		"order.args.clock.skip", ERR_INVALID},
	    {SIDE("'first_s':60,'skip':['mon','tue','wed','thu','fri','sat']"),
		"", 0},
	    {SIDE("'first_s':60,'skip':['mon','tue','wed','thu','fri','sat',"
		  "'sun']"),
		"order.args.clock.skip", ERR_INVALID},
	    {SIDE("'first_s':60,'holidays':366"), "", 0},
	    {SIDE("'first_s':60,'holidays':367"), "order.args.clock.holidays",
		ERR_INVALID},
	    {SIDE("'first_s':60,'holidays':-1"), "order.args.clock.holidays",
		ERR_INVALID},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		settings_give(cases[i].more, cases[i].r, cases[i].where, NULL);
}

static void
what_is_left_to_a_director_needs_one(void **state)
{
	(void)state;
	settings_give(
	    "{'silence':'director'}", ERR_INVALID, "order.args.silence", NULL);
	settings_give("{'silence':'director','options':{'seats':4,"
		      "'director':false}}",
	    ERR_INVALID, "order.args.silence", NULL);
	settings_give(
	    "{'silence':'director','options':{'director':true}}", 0, "", NULL);
	settings_give("{'clock':{'per':'order','first_s':60,"
		      "'then':'director'}}",
	    ERR_INVALID, "order.args.clock.then", NULL);
	settings_give("{'seat':0}", ERR_INVALID, "order.args.seat", NULL);
}

static void
options_are_checked(void **state)
{
	static const struct {
		const char *more, *where;
		int r;
	} cases[] = {
	    {"{'delay_minutes':1}", "", 0},
	    {"{'delay_minutes':10080}", "", 0},
	    {"{'delay_minutes':0}", "order.args.options.delay_minutes",
		ERR_INVALID},
	    {"{'delay_minutes':10081}", "order.args.options.delay_minutes",
		ERR_INVALID},
	    {"{'delay_minutes':'5'}", "order.args.options.delay_minutes",
		ERR_INVALID},
	    {"{'delay':9999}", "", 0},
	    {"{'delay':10000}", "order.args.options.delay", ERR_INVALID},
	    {"{'delay':1,'delay_minutes':1}",
		"order.args.options.delay_minutes", ERR_INVALID},
	    {"{'delay':0,'delay_minutes':1}",
		"order.args.options.delay_minutes", ERR_INVALID},
	    {"{'owner_fields':['shaken','lost_hits']}", "", 0},
	    {"{'owner_fields':[]}", "order.args.options.owner_fields",
		ERR_INVALID},
	    {"{'owner_fields':['']}", "order.args.options.owner_fields",
		ERR_INVALID},
	    {"{'owner_fields':['a b']}", "order.args.options.owner_fields",
		ERR_INVALID},
	    {"{'owner_fields':['a','b','a']}",
		"order.args.options.owner_fields", ERR_INVALID},
	    {"{'owner_fields':['a',null]}", "order.args.options.owner_fields",
		ERR_INVALID},
	    {"{'hour':1}", "order.args.options.hour", ERR_NEWER},
	};
	struct order_create c;
	char more[200];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(
		    more, sizeof(more), "{'options':%s}", cases[i].more);
		settings_give(more, cases[i].r, cases[i].where, NULL);
	}
	settings_give("{'options':{'delay_minutes':90}}", 0, "", &c);
	assert_int_equal(c.delay_minutes, 90);
	assert_int_equal(c.delay, -1);
}

static void
owner_fields_are_thirty_two_at_most(void **state)
{
	json_t *names = json_array(), *v;
	char name[8], *more;
	int i;

	(void)state;
	for (i = 0; i < 33; i++) {
		(void)snprintf(name, sizeof(name), "f%d", i);
		json_array_append_new(names, json_string(name));
		if (i < 31)
			continue;
		v = json_pack("{s:{s:O}}", "options", "owner_fields", names);
		assert_non_null(more = json_dumps(v, JSON_COMPACT));
		settings_give(more, i == 31 ? 0 : ERR_INVALID,
		    i == 31 ? "" : "order.args.options.owner_fields", NULL);
		free(more);
		json_decref(v);
	}
	json_decref(names);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_clock_is_read),
	    cmocka_unit_test(a_clock_out_of_range_is_refused_with_its_place),
	    cmocka_unit_test(what_is_left_to_a_director_needs_one),
	    cmocka_unit_test(options_are_checked),
	    cmocka_unit_test(owner_fields_are_thirty_two_at_most),
	};

	return (cmocka_run_group_tests(tests, group_setup, group_teardown));
}
