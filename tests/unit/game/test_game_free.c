/* SPDX-License-Identifier: ISC */
/* Free rolls, draws from cups, and orders about cups (record S5.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/game/game_make.h"
#include "tests/lib/agree.h"
#include "tests/lib/tamper.h"

#define FREE_LIVE "{'scheme':'live-1'}"

/* The one roll of the line that was written last; borrowed. */
static const json_t *
free_roll(const struct table *t)
{
	const json_t *rolls = json_object_get(t->fx.dice, "rolls");

	assert_int_equal(json_array_size(rolls), 1);
	assert_int_equal(json_array_size(t->fx.events), 0);
	assert_string_equal(json_string_value(json_object_get(
				json_array_get(rolls, 0), "label")),
	    "free");
	return (json_array_get(rolls, 0));
}

/* The place of the dice that fell last. */
static const char *
free_place(const struct table *t)
{
	assert_string_equal(
	    json_string_value(json_object_get(t->fx.dice, "place")),
	    t->fx.place);
	return (t->fx.place);
}

/* How many items a cup holds, and how many are out. */
static void
cup_is(const struct table *t, const char *name, size_t in, size_t out)
{
	const struct game_cup *c = game_cup_find(t->game, name);

	assert_non_null(c);
	assert_int_equal(json_array_size(c->in), in);
	assert_int_equal(json_array_size(c->out), out);
}

/* Args that make a cup of n items, p0, p1 ...; new. */
static json_t *
cup_of(const char *name, int n)
{
	json_t *items = json_array();
	char id[16];
	int i;

	for (i = 0; i < n; i++) {
		(void)snprintf(id, sizeof(id), "p%d", i);
		assert_int_equal(
		    json_array_append_new(items, json_string(id)), 0);
	}
	return (json_pack(
	    "{s:s, s:s, s:o}", "do", "make", "cup", name, "items", items));
}

/* Makes a cup that must be taken. */
static void
make_cup(struct table *t, int seat, const char *name, int n)
{
	if (table_try(t, seat, ORDER_CUP, cup_of(name, n)) != 0)
		fail_msg("%s: %s: %s", name, t->e.where, t->e.text);
	table_reload(t);
}

/* The same that must be refused. */
static void
make_cup_no(struct table *t, int seat, const char *name, int n, const char *why)
{
	assert_int_equal(table_make(t, seat, ORDER_CUP, cup_of(name, n)), 0);
	table_refuses(t, seat, ERR_ILLEGAL, why);
}

static void
dice_fall_at_the_place_of_their_seat(void **state)
{
	const json_t *roll, *die;
	struct table t;
	size_t i;

	(void)state;
	table_begun(&t);
	agree_play(&t, 1, ORDER_FREE, "{'dice':1000,'sides':6}");
	assert_string_equal(free_place(&t), "f/1/1");
	roll = free_roll(&t);
	assert_int_equal(json_array_size(json_object_get(roll, "dice")), 1000);
	json_array_foreach(json_object_get(roll, "dice"), i, die)
	{
		assert_in_range(json_integer_value(die), 1, 6);
	}
	assert_int_equal(t.game->state_seq, game_seq(t.game));
	agree_play(
	    &t, 1, ORDER_FREE, "{'dice':1,'sides':1000,'for':" TABLE_REF "}");
	assert_string_equal(free_place(&t), "f/1/2");
	agree_no(&t, 2, ORDER_FREE, ERR_STALE, "turn", "{'dice':1,'sides':2}");
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	agree_play(&t, 2, ORDER_FREE, "{'dice':2,'sides':2}");
	assert_string_equal(free_place(&t), "f/2/1");
	assert_int_equal(t.game->frees[1], 2);
	assert_int_equal(t.game->frees[2], 1);
	table_verify(&t);
	table_clear(&t);
}

static void
free_orders_are_refused_for_what_is_wrong_in_them(void **state)
{
	static const struct {
		const char *args;
		int r;
		const char *why;
	} rows[] = {
	    {"{}", ERR_ILLEGAL, "dice"},
	    {"{'dice':0,'sides':6}", ERR_ILLEGAL, "dice"},
	    {"{'dice':1001,'sides':6}", ERR_ILLEGAL, "dice"},
	    {"{'dice':'1','sides':6}", ERR_ILLEGAL, "dice"},
	    {"{'dice':1,'sides':1}", ERR_ILLEGAL, "sides"},
	    {"{'dice':1,'sides':1001}", ERR_ILLEGAL, "sides"},
	    {"{'dice':1}", ERR_ILLEGAL, "sides"},
	    {"{'dice':1,'sides':6,'why':" TABLE_REF "}", ERR_NEWER, "why"},
	    {"{'dice':1,'sides':6,'for':'a fire'}", ERR_ILLEGAL, "for"},
	    {"{'dice':1,'sides':6,'draw':1}", ERR_ILLEGAL, "not both"},
	    {"{'dice':1,'cup':'c','draw':1}", ERR_ILLEGAL, "not both"},
	    {"{'cup':'c','draw':0}", ERR_ILLEGAL, "draw"},
	    {"{'cup':'c','draw':1001}", ERR_ILLEGAL, "draw"},
	    {"{'cup':'c'}", ERR_ILLEGAL, "draw"},
	    {"{'draw':1}", ERR_ILLEGAL, "cup"},
	    {"{'cup':'C','draw':1}", ERR_ILLEGAL, "cup"},
	    {"{'cup':7,'draw':1}", ERR_ILLEGAL, "cup"},
	    {"{'cup':'d','draw':1}", ERR_ILLEGAL, "no cup \"d\""},
	    {"{'cup':'c','draw':4}", ERR_ILLEGAL, "more than the 3"},
	};
	struct table t;
	json_t *order;
	size_t i;

	(void)state;
	table_seated(&t);
	agree_no(&t, 1, ORDER_FREE, ERR_STALE, "not started",
	    "{'dice':1,'sides':6}");
	agree_start(&t);
	make_cup(&t, 1, "c", 3);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		table_no(
		    &t, 1, ORDER_FREE, rows[i].args, rows[i].r, rows[i].why);
	/* Another seat's place, and a proof for another place. */
	assert_int_equal(
	    table_make(&t, 1, ORDER_FREE, table_json("{'dice':1,'sides':6}")),
	    0);
	order = table_order(&t);
	json_object_set_new(order, "place", json_string("f/2/1"));
	table_reword(&t, 1, order);
	table_refuses(&t, 1, ERR_STALE, "f/1/1");
	json_decref(order);
	assert_int_equal(
	    table_make(&t, 1, ORDER_FREE, table_json("{'dice':1,'sides':6}")),
	    0);
	order = table_order(&t);
	t.game->frees[1]++;
	json_object_set_new(order, "place", json_string("f/1/2"));
	table_reword(&t, 1, order);
	table_refuses(&t, 1, ERR_ILLEGAL, "proof");
	json_decref(order);
	t.game->frees[1]--;
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	agree_no(&t, 1, ORDER_FREE, ERR_ILLEGAL, "a combat is open",
	    "{'dice':1,'sides':6}");
	table_play(&t, 1, ORDER_RESIGN, "{}");
	agree_no(
	    &t, 1, ORDER_FREE, ERR_ILLEGAL, "over", "{'dice':1,'sides':6}");
	table_clear(&t);
}

static void
cup_orders_are_refused_for_what_is_wrong_in_them(void **state)
{
	static const struct {
		const char *args;
		int r;
		const char *why;
	} rows[] = {
	    {"{}", ERR_ILLEGAL, "do"},
	    {"{'do':'burn','cup':'c'}", ERR_ILLEGAL, "do"},
	    {"{'do':'make','cup':'d'}", ERR_ILLEGAL, "items"},
	    {"{'do':'make','items':['a']}", ERR_ILLEGAL, "cup"},
	    {"{'do':'make','cup':'d','items':[]}", ERR_ILLEGAL, "1 to 1000"},
	    {"{'do':'make','cup':'d','items':{}}", ERR_ILLEGAL, "items"},
	    {"{'do':'make','cup':'d','items':[1]}", ERR_ILLEGAL, "not an id"},
	    {"{'do':'make','cup':'d','items':['a','B']}", ERR_ILLEGAL,
		"item 2"},
	    {"{'do':'make','cup':'d','items':['a','b','a']}", ERR_ILLEGAL,
		"\"a\" is listed twice"},
	    {"{'do':'make','cup':'-d','items':['a']}", ERR_ILLEGAL, "cup"},
	    {"{'do':'make','cup':'','items':['a']}", ERR_ILLEGAL, "cup"},
	    {"{'do':'make','cup':'d23456789012345678901234567890123',"
	     "'items':['a']}",
		ERR_ILLEGAL, "cup"},
	    {"{'do':'make','cup':'c','items':['a']}", ERR_ILLEGAL, "already"},
	    {"{'do':'make','cup':'d','items':['a'],'why':1}", ERR_NEWER, "why"},
	    {"{'do':'make','cup':'d','items':['a'],'for':1}", ERR_ILLEGAL,
		"for"},
	    {"{'do':'shuffle','cup':'c','items':['p0']}", ERR_ILLEGAL, "items"},
	    {"{'do':'shuffle','cup':'d'}", ERR_ILLEGAL, "no cup"},
	    {"{'do':'return','cup':'d','items':['p0']}", ERR_ILLEGAL, "no cup"},
	    {"{'do':'return','cup':'c','items':['p0']}", ERR_ILLEGAL,
		"\"p0\" is not out"},
	    {"{'do':'return','cup':'c','items':['q']}", ERR_ILLEGAL,
		"\"q\" is not out"},
	};
	struct table t;
	size_t i;

	(void)state;
	table_begun(&t);
	make_cup(&t, 1, "c", 3);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		table_no(
		    &t, 1, ORDER_CUP, rows[i].args, rows[i].r, rows[i].why);
	table_play(&t, 1, ORDER_RESIGN, "{}");
	make_cup_no(&t, 1, "d", 1, "over");
	agree_no(&t, 1, ORDER_CUP, ERR_ILLEGAL, "over",
	    "{'do':'shuffle','cup':'c'}");
	table_clear(&t);
}

static void
cups_are_anybodys_and_their_items_the_side_in_turns(void **state)
{
	struct table t;
	json_t *made;
	size_t n;

	(void)state;
	agree_seated(
	    &t, table_roster, "{'options':{'seats':4,'director':true}}");
	make_cup(&t, 0, "z", 2);
	make_cup(&t, 4, "a", 3);
	agree_no(&t, 1, ORDER_CUP, ERR_ILLEGAL, "not started",
	    "{'do':'shuffle','cup':'a'}");
	assert_int_equal(t.game->state_seq, 0);
	agree_start(&t);
	make_cup(&t, 2, "m", 1);
	assert_string_equal(t.game->cups[0].name, "a");
	assert_string_equal(t.game->cups[1].name, "m");
	assert_string_equal(t.game->cups[2].name, "z");
	agree_play(&t, 3, ORDER_FREE, "{'cup':'a','draw':3}");
	assert_string_equal(free_place(&t), "f/3/1");
	assert_int_equal(
	    json_integer_value(json_object_get(free_roll(&t), "bag")), 3);
	cup_is(&t, "a", 0, 3);
	agree_no(&t, 1, ORDER_FREE, ERR_ILLEGAL, "more than the 0",
	    "{'cup':'a','draw':1}");
	agree_no(&t, 2, ORDER_CUP, ERR_ILLEGAL, "side in turn",
	    "{'do':'shuffle','cup':'a'}");
	agree_no(&t, 0, ORDER_CUP, ERR_ILLEGAL, "side in turn",
	    "{'do':'return','cup':'a','items':['p1']}");
	agree_play(
	    &t, 1, ORDER_CUP, "{'do':'return','cup':'a','items':['p2','p0']}");
	cup_is(&t, "a", 2, 1);
	agree_no(&t, 1, ORDER_CUP, ERR_ILLEGAL, "\"p0\" is not out",
	    "{'do':'return','cup':'a','items':['p1','p0']}");
	cup_is(&t, "a", 2, 1);
	/* An order made before the cup was changed is stale. */
	assert_int_equal(
	    table_make(&t, 3, ORDER_FREE, table_json("{'cup':'a','draw':1}")),
	    0);
	made = table_order(&t);
	agree_play(&t, 1, ORDER_CUP, "{'do':'shuffle','cup':'a'}");
	cup_is(&t, "a", 3, 0);
	table_reword(&t, 3, made);
	json_decref(made);
	table_refuses(&t, 3, ERR_STALE, "was changed");
	/* One about another cup, or talk, does not make it so. */
	assert_int_equal(
	    table_make(&t, 3, ORDER_FREE, table_json("{'cup':'a','draw':1}")),
	    0);
	made = table_order(&t);
	agree_play(&t, 1, ORDER_CUP, "{'do':'shuffle','cup':'z'}");
	n = t.n_lines;
	table_reword(&t, 3, made);
	json_decref(made);
	assert_int_equal(table_take(&t, 3), 0);
	assert_int_equal(t.n_lines, n + 1);
	cup_is(&t, "a", 2, 1);
	table_reload(&t);
	table_verify(&t);
	table_clear(&t);
}

static void
cups_have_bounds(void **state)
{
	struct table t;
	char name[16];
	int i;

	(void)state;
	table_begun(&t);
	make_cup_no(&t, 1, "big", 1001, "1 to 1000");
	make_cup(&t, 1, "big", 1000);
	make_cup(&t, 2, "more", 999);
	make_cup_no(&t, 1, "two", 2, "2000");
	make_cup(&t, 1, "one", 1);
	make_cup_no(&t, 1, "none", 1, "2000");
	agree_play(&t, 1, ORDER_FREE, "{'cup':'big','draw':1000}");
	cup_is(&t, "big", 0, 1000);
	agree_play(&t, 1, ORDER_CUP, "{'do':'shuffle','cup':'big'}");
	agree_play(&t, 1, ORDER_FREE, "{'cup':'big','draw':1}");
	/* Items that are out count too. */
	make_cup_no(&t, 1, "none", 1, "2000");
	table_verify(&t);
	table_clear(&t);

	table_begun(&t);
	for (i = 0; i < 16; i++) {
		(void)snprintf(name, sizeof(name), "c%d", i);
		make_cup(&t, 1 + i % 2, name, 1);
	}
	make_cup_no(&t, 1, "c16", 1, "at most 16");
	table_verify(&t);
	table_clear(&t);
}

static void
a_takeback_puts_chits_back(void **state)
{
	struct table t;
	int64_t draw, offer;
	char place[ORDER_PLACE_MAX + 1];

	(void)state;
	table_begun(&t);
	make_cup(&t, 1, "c", 5);
	draw = agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':2}");
	agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':1}");
	agree_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	cup_is(&t, "c", 2, 3);
	offer = agree_play(&t, 1, ORDER_OFFER,
	    "{'what':'takeback','from':%lld}", (long long)draw);
	agree_accept(&t, 2, offer);
	cup_is(&t, "c", 5, 0);
	/* The places that were used stay used. */
	assert_int_equal(
	    game_place(t.game, 1, ORDER_FREE, NULL, place, &t.e), 0);
	assert_string_equal(place, "f/1/4");
	/* What went back by itself does not go back twice. */
	draw = agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':5}");
	agree_play(
	    &t, 1, ORDER_CUP, "{'do':'return','cup':'c','items':['p3']}");
	offer = agree_play(&t, 1, ORDER_OFFER,
	    "{'what':'takeback','from':%lld}", (long long)draw);
	agree_accept(&t, 2, offer);
	cup_is(&t, "c", 5, 0);
	agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':5}");
	assert_string_equal(free_place(&t), "f/1/5");
	table_verify(&t);
	table_clear(&t);
}

static void
in_live_1_free_rolls_wait(void **state)
{
	struct table t;
	json_t *line;
	int64_t owing;

	(void)state;
	agree_begun(&t, table_roster, FREE_LIVE);
	make_cup(&t, 1, "c", 4);
	make_cup(&t, 1, "d", 4);
	owing = agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':3}");
	assert_null(t.fx.dice);
	assert_string_equal(t.fx.place, "");
	line = table_line(&t, (size_t)owing);
	assert_int_equal(json_integer_value(json_object_get(
			     json_object_get(line, "owes"), "seat")),
	    2);
	assert_string_equal(json_string_value(json_object_get(
				json_object_get(line, "owes"), "place")),
	    "f/1/1");
	json_decref(line);
	cup_is(&t, "c", 4, 0);
	agree_no(&t, 1, ORDER_CUP, ERR_ILLEGAL, "waits for an answer",
	    "{'do':'shuffle','cup':'c'}");
	make_cup_no(&t, 2, "c", 1, "waits for an answer");
	agree_play(&t, 1, ORDER_CUP, "{'do':'shuffle','cup':'d'}");
	make_cup(&t, 2, "e", 1);
	agree_no(&t, 1, ORDER_FREE, ERR_STALE, "waits for an answer",
	    "{'dice':1,'sides':6}");
	/* Objected: nothing fell, the place is what it was. */
	agree_play(&t, 2, ORDER_ANSWER, "{'to':%lld,'say':'object'}",
	    (long long)owing);
	assert_null(t.fx.dice);
	cup_is(&t, "c", 4, 0);
	assert_int_equal(t.game->frees[1], 0);
	agree_no(&t, 1, ORDER_OFFER, ERR_ILLEGAL, "cannot be taken back",
	    "{'what':'takeback','from':%lld}", (long long)owing);
	owing = agree_play(&t, 1, ORDER_FREE, "{'cup':'c','draw':3}");
	agree_play(
	    &t, 2, ORDER_ANSWER, "{'to':%lld,'say':'agree'}", (long long)owing);
	assert_string_equal(free_place(&t), "f/1/1");
	assert_int_equal(
	    json_array_size(json_object_get(free_roll(&t), "chits")), 3);
	cup_is(&t, "c", 1, 3);
	assert_int_equal(t.game->frees[1], 1);
	assert_int_equal(t.game->frees[2], 0);
	agree_play(&t, 1, ORDER_FREE, "{'dice':7,'sides':20}");
	agree_play(&t, 2, ORDER_ANSWER, "{'to':%lld,'say':'agree'}",
	    (long long)game_seq(t.game));
	assert_string_equal(free_place(&t), "f/1/2");
	/* The line that a takeback names is the order's, not the answer's. */
	owing = agree_play(&t, 1, ORDER_OFFER,
	    "{'what':'takeback','from':%lld}", (long long)owing);
	agree_accept(&t, 2, owing);
	cup_is(&t, "c", 4, 0);
	table_verify(&t);
	table_clear(&t);
}

/* Verifies the record whose last line has these rolls (stolen) instead. */
static void
rolls_are_bad(json_t *rolls)
{
	const struct verify_options *const opts[] = {
	    &tamper_plain, &tamper_no_rules};
	struct table *t = &tamper_table;
	size_t last = t->n_lines - 1, i;
	struct verify_report rep;
	json_t *line, *dice;
	struct errinfo e;
	struct buf b;

	for (i = 0; i < 2; i++) {
		line = tamper_line_value(last);
		dice = json_object_get(line, "dice");
		assert_non_null(dice);
		if (rolls != NULL)
			json_object_set(dice, "rolls", rolls);
		else
			json_object_del(line, "dice");
		buf_init(&b, 0);
		tamper_put_lines(&b, last);
		tamper_put_marked(&b, line);
		tamper_put_roster(&b);
		json_decref(line);
		if (tamper_verify(&b, opts[i], &rep, &e) != ERR_BAD ||
		    (size_t)rep.file_line != last + 1)
			fail_msg("line %lld: %s: %s", (long long)rep.file_line,
			    e.where, e.text);
	}
	json_decref(rolls);
}

static void
what_a_free_order_gave_cannot_be_changed(void **state)
{
	struct table *t = &tamper_table;
	json_t *roll, *chits, *v;

	(void)state;
	table_begun(t);
	make_cup(t, 1, "c", 5);
	agree_play(t, 1, ORDER_FREE, "{'cup':'c','draw':2}");
	table_verify(t);
	/* None, more, another bag, another order, another chit. */
	rolls_are_bad(NULL);
	roll = json_deep_copy(free_roll(t));
	rolls_are_bad(json_pack("[O, {s:s, s:i, s:[i]}]", roll, "label",
	    "free2", "sides", 6, "dice", 1));
	v = json_deep_copy(roll);
	json_object_set_new(v, "bag", json_integer(6));
	rolls_are_bad(json_pack("[o]", v));
	v = json_deep_copy(roll);
	chits = json_object_get(v, "chits");
	json_array_append(chits, json_array_get(chits, 0));
	json_array_remove(chits, 0);
	rolls_are_bad(json_pack("[o]", v));
	v = json_deep_copy(roll);
	json_array_set_new(json_object_get(v, "chits"), 1, json_string("p9"));
	rolls_are_bad(json_pack("[o]", v));
	v = json_deep_copy(roll);
	json_array_remove(json_object_get(v, "chits"), 1);
	rolls_are_bad(json_pack("[o]", v));
	json_decref(roll);
	agree_play(t, 1, ORDER_FREE, "{'dice':2,'sides':6}");
	v = json_deep_copy(free_roll(t));
	json_object_set_new(v, "sides", json_integer(8));
	rolls_are_bad(json_pack("[o]", v));
	v = json_deep_copy(free_roll(t));
	json_array_append_new(json_object_get(v, "dice"), json_integer(1));
	rolls_are_bad(json_pack("[o]", v));
	table_clear(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(dice_fall_at_the_place_of_their_seat),
	    cmocka_unit_test(free_orders_are_refused_for_what_is_wrong_in_them),
	    cmocka_unit_test(cup_orders_are_refused_for_what_is_wrong_in_them),
	    cmocka_unit_test(
		cups_are_anybodys_and_their_items_the_side_in_turns),
	    cmocka_unit_test(cups_have_bounds),
	    cmocka_unit_test(a_takeback_puts_chits_back),
	    cmocka_unit_test(in_live_1_free_rolls_wait),
	    cmocka_unit_test(what_a_free_order_gave_cannot_be_changed),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
