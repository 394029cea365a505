/* SPDX-License-Identifier: ISC */
/*
 * How games end: resign, close, server lines, a fault of the rules
 * (umpire-record.7, S4.4, S5).
 */
#include "common/game/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_int.h"
#include "common/rules/rulekit.h"
#include "common/rules/rules.h"

#include "tests/lib/table.h"

#define CLOSED "{'why':" TABLE_REF "}"

/* How the game ended, as game_view() says. */
static void
result_is(const struct table *t, const char *how, int winner)
{
	json_t *view = game_view(t->game), *result;

	result = json_object_get(view, "result");
	assert_string_equal(
	    json_string_value(json_object_get(result, "how")), how);
	assert_int_equal(
	    json_integer_value(json_object_get(result, "winner")), winner);
	json_decref(view);
}

/* True while a combat is open. */
static bool
has_combat(const struct table *t)
{
	json_t *view = game_view(t->game);
	bool has = !json_is_null(json_object_get(view, "combat"));

	json_decref(view);
	return (has);
}

static void
resigning_ends_a_game_wherever_it_stands(void **state)
{
	struct table t;
	json_t *view;

	(void)state;
	/* Before the last ready it cancels the game. */
	table_seated(&t);
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_RESIGN, "{}");
	table_reload(&t);
	result_is(&t, "cancel", 0);
	table_clear(&t);
	/* Alone at the table, too. */
	table_init(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	assert_int_equal(table_open(&t), 0);
	table_play(&t, 1, ORDER_RESIGN, "{}");
	table_reload(&t);
	result_is(&t, "cancel", 0);
	table_clear(&t);
	/* In the other side's turn, and with a combat open. */
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(table_is_asked(&t));
	table_play(&t, 1, ORDER_RESIGN, "{}");
	table_reload(&t);
	result_is(&t, "resign", 2);
	view = game_view(t.game);
	assert_true(json_is_null(json_object_get(view, "combat")));
	json_decref(view);
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 2, ORDER_CLOSE, "{}");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	assert_true(game_is_finished(t.game));
	table_clear(&t);
}

static void
a_close_stops_a_game_and_lapses_when_it_goes_on(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_reload(&t);
	/* Talk does not take it back; a turn order does. */
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_reload(&t);
	table_play(&t, 2, ORDER_CLOSE, "{}");
	assert_false(game_is_finished(t.game));
	table_reload(&t);
	/* In the middle of a combat. */
	table_play(&t, 2, ORDER_TURN_END, "{}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_play(&t, 2, ORDER_CLOSE, "{}");
	table_reload(&t);
	table_answer(&t);
	table_settle(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	assert_false(game_is_finished(t.game));
	table_play(&t, 2, ORDER_CLOSE, "{}");
	assert_true(game_is_finished(t.game));
	result_is(&t, "stopped", 0);
	table_reload(&t);
	table_clear(&t);
	/* Before it began: the last ready takes it back. */
	table_seated(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	assert_false(game_is_finished(t.game));
	table_clear(&t);
	table_seated(&t);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 1, ORDER_READY, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	assert_true(game_is_finished(t.game));
	table_clear(&t);
	/* With a combat open both may stop. */
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	table_play(&t, 2, ORDER_CLOSE, "{}");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	assert_true(game_is_finished(t.game));
	assert_false(has_combat(&t));
	table_reload(&t);
	table_clear(&t);
}

static void
a_server_can_close_a_game(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_int_equal(table_server(&t, "weather", "{}"), ERR_NEWER);
	assert_non_null(strstr(t.e.text, "weather"));
	assert_int_equal(table_server(&t, "closed", "{}"), ERR_ILLEGAL);
	assert_int_equal(
	    table_server(&t, "closed", "{'why':'we move'}"), ERR_ILLEGAL);
	assert_int_equal(
	    table_server(&t, "closed", "{'why':" TABLE_REF ",'by':'us'}"),
	    ERR_ILLEGAL);
	assert_int_equal(table_server(&t, "fault", "{}"), ERR_ILLEGAL);
	assert_int_equal(
	    table_server(&t, "fault", "{'seq':1,'text':'x'}"), ERR_ILLEGAL);
	table_reload(&t);
	assert_true(has_combat(&t));
	assert_int_equal(table_server(&t, "closed", CLOSED), 0);
	assert_true(game_is_finished(t.game));
	assert_false(has_combat(&t));
	result_is(&t, "closed", 0);
	table_reload(&t);
	assert_int_equal(table_server(&t, "closed", CLOSED), ERR_ILLEGAL);
	table_clear(&t);
}

/* Rules that fail after their first roll. */
static int
faulty_run(struct combat *c)
{
	uint16_t die;
	int r;

	if ((r = combat_roll(c, &die, 1, 6, "score/x")) != 0)
		return (r);
	return (combat_fault(c, "the book has lost a page"));
}

/* S4.4: the line holds what fell, and the game is halted, also on disk. */
static void
a_fault_of_the_rules_is_recorded_and_halts_the_game(void **state)
{
	struct rules_system faulty;
	struct table t;
	json_t *order;
	char data[64];
	int ending;

	(void)state;
	for (ending = 0; ending < 3; ending++) {
		table_begun(&t);
		faulty = *t.game->sys;
		faulty.run = faulty_run;
		t.game->sys = t.game->settings.sys = &faulty;
		table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		assert_true(t.fx.is_fault);
		assert_string_equal(t.fx.fault, "the book has lost a page");
		assert_string_equal(t.fx.place, "c/1/ru-1/1/1");
		assert_int_equal(json_array_size(t.fx.events), 2);
		assert_string_equal(json_string_value(json_object_get(
					json_array_get(t.fx.events, 1), "e")),
		    "roll");
		assert_int_equal(
		    json_array_size(json_object_get(t.fx.dice, "rolls")), 1);
		(void)snprintf(data, sizeof(data), "{'seq':%d,'text':'x'}",
		    (int)game_seq(t.game));
		assert_int_equal(table_server(&t, "fault", data), 0);
		assert_int_equal(game_phase(t.game), GAME_HALTED);
		assert_int_equal(game_is_checkable(t.game, &t.e), ERR_NEWER);
		table_reload(&t);
		assert_int_equal(game_phase(t.game), GAME_HALTED);
		/* Its line is a state line. */
		assert_int_equal(
		    table_make(&t, 1, ORDER_RESIGN, table_json("{}")), 0);
		order = table_order(&t);
		json_object_set_new(
		    order, "after", json_integer(game_seq(t.game) - 1));
		table_reword(&t, 1, order);
		json_decref(order);
		table_refuses(&t, 1, ERR_STALE, "moved on");
		table_no(&t, 1, ORDER_TURN_END, "{}", ERR_ILLEGAL, "over");
		table_no(&t, 1, ORDER_DECLARE, TABLE_GUNS, ERR_ILLEGAL, "over");
		table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
		table_reload(&t);
		(void)snprintf(data, sizeof(data), "{'seq':%d,'text':'x'}",
		    (int)game_seq(t.game));
		assert_int_equal(table_server(&t, "fault", data), ERR_ILLEGAL);
		if (ending == 0) {
			table_play(&t, 1, ORDER_RESIGN, "{}");
			table_reload(&t);
			assert_int_equal(game_phase(t.game), GAME_OVER);
			result_is(&t, "resign", 2);
		}
		if (ending == 2) {
			assert_int_equal(table_server(&t, "closed", CLOSED), 0);
			table_reload(&t);
		} else {
			table_play(&t, 1, ORDER_CLOSE, "{}");
			table_reload(&t);
			table_play(&t, 2, ORDER_CLOSE, "{}");
			table_reload(&t);
		}
		assert_true(game_is_finished(t.game));
		assert_int_equal(game_is_checkable(t.game, &t.e), ERR_NEWER);
		table_clear(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(resigning_ends_a_game_wherever_it_stands),
	    cmocka_unit_test(a_close_stops_a_game_and_lapses_when_it_goes_on),
	    cmocka_unit_test(a_server_can_close_a_game),
	    cmocka_unit_test(
		a_fault_of_the_rules_is_recorded_and_halts_the_game),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
