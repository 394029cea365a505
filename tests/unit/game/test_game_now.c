/* SPDX-License-Identifier: ISC */
/*
 * What a game is called and how it is said to stand, from its first line to its
 * end.
 */
#include "common/game/game_now.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/lib/claim.h"

/* How the table's game is said to stand. */
static void
stands(const struct table *t, const char *want)
{
	struct buf b;

	buf_init(&b, 0);
	game_now_write(t->game, &b);
	assert_string_equal(buf_str(&b), want);
	assert_in_range(b.len, 1, GAME_NOW_MAX);
	buf_clear(&b);
}

/* What it is called. */
static void
is_called(const struct table *t, const char *want)
{
	struct buf b;

	buf_init(&b, 0);
	game_title_write(t->game, &b);
	assert_string_equal(buf_str(&b), want);
	assert_in_range(b.len, 1, GAME_TITLE_MAX);
	buf_clear(&b);
}

/* Opens a game whose create order also says this. */
static void
opens(struct table *t, const char *more)
{
	json_t *args, *v;

	table_init(t);
	args = table_create_args(t, table_roster);
	v = table_json(more);
	assert_int_equal(json_object_update(args, v), 0);
	json_decref(v);
	table_make_create(t, args);
	assert_int_equal(table_open(t), 0);
}

static void
a_game_stands_in_words_from_its_first_line_to_its_last(void **state)
{
	struct table t;

	(void)state;
	opens(&t, "{}");
	stands(&t, "a seat is free");
	table_clear(&t);
	opens(&t, "{'options':{'seats':4,'director':true}}");
	stands(&t, "3 seats are free");
	table_clear(&t);
	claim_seated(&t, "{}");
	stands(&t, "2 players are to say ready");
	table_play(&t, 2, ORDER_READY, "{}");
	stands(&t, "p1 is to say ready");
	table_play(&t, 1, ORDER_READY, "{}");
	stands(&t, "turn 1, French to move; 17 against 23 left");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	stands(&t, "turn 1, p2 to decide; 17 against 23 left");
	/* Nothing is said of an offer, which may be let lie. */
	table_play(&t, 2, ORDER_OFFER, "{'what':'draw'}");
	stands(&t, "turn 1, p2 to decide; 17 against 23 left");
	table_play(&t, 2, ORDER_RESIGN, "{}");
	stands(&t,
	    "French won the game: the other side resigned; 17 against 23 left");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	stands(&t,
	    "French won the game: the other side resigned; 17 against 23 left");
	table_clear(&t);
}

static void
who_is_no_side_is_named_too(void **state)
{
	struct table t;

	(void)state;
	claim_begun(&t,
	    "{'options':{'seats':4,'director':true},'clock':{'per':'order',"
	    "'first_s':600,'then':'director'}}");
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 4, ORDER_CLAIM, "{}");
	stands(&t,
	    "turn 1, French to move; the director to rule on a claim; 17 "
	    "against 23 left");
	table_clear(&t);
	claim_seated(&t, "{'scheme':'live-1'}");
	claim_ready(&t);
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	stands(&t, "turn 1, p2 to answer; 17 against 23 left");
	table_clear(&t);
}

static void
a_game_that_never_began_was_called_off(void **state)
{
	struct table t;

	(void)state;
	opens(&t, "{}");
	table_play(&t, 1, ORDER_RESIGN, "{}");
	stands(&t, "the game was called off before it began");
	table_clear(&t);
}

static void
a_ruled_draw_is_a_draw(void **state)
{
	struct table t;
	int64_t seq;

	(void)state;
	claim_begun(&t, "{'options':{'director':true}}");
	table_play(&t, 0, ORDER_RULING, "{'result':0,'why':" TABLE_REF "}");
	seq = game_seq(t.game);
	claim_accept(&t, 1, seq);
	claim_accept(&t, 2, seq);
	stands(&t,
	    "the game ended in a draw, as the director ruled; 17 against 23 "
	    "left");
	table_clear(&t);
}

static void
a_title_says_what_the_game_is_part_of_and_who_fights(void **state)
{
	struct table t;

	(void)state;
	opens(&t, "{}");
	is_called(&t, "French against side 2");
	table_clear(&t);
	opens(&t, "{'event':'Waterloo Cup','round':2,'table':3}");
	is_called(&t, "Waterloo Cup, round 2, table 3: French against side 2");
	table_clear(&t);
	opens(&t, "{'table':0}");
	is_called(&t, "table 0: French against side 2");
	table_clear(&t);
	/* Nothing that a create order may say is too long. */
	opens(&t,
	    "{'event':'0123456789012345678901234567890123456789"
	    "012345678901234567890123','round':9007199254740991,"
	    "'table':9007199254740991}");
	is_called(&t,
	    "0123456789012345678901234567890123456789012345678901234567890123"
	    ", round 9007199254740991, table 9007199254740991: French against "
	    "side "
	    "2");
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		a_game_stands_in_words_from_its_first_line_to_its_last),
	    cmocka_unit_test(who_is_no_side_is_named_too),
	    cmocka_unit_test(a_game_that_never_began_was_called_off),
	    cmocka_unit_test(a_ruled_draw_is_a_draw),
	    cmocka_unit_test(
		a_title_says_what_the_game_is_part_of_and_who_fights),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
