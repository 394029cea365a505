/* SPDX-License-Identifier: ISC */
/*
 * Rounds of a system whose turns are activations (umpire-rules.7, 13.11): two
 * turns in a row in which their sides give no order end the round, and only
 * then is there upkeep.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/lib/agree.h"
#include "tests/lib/quoted.h"

static const char rounds_roster[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','lead':'a-1','battalions':[{'id':'a-1','quality':'veteran',"
    "'sp':6,'hits':2}],'fatigue':9,'disordered':true}]},'2':{'units':["
    "{'id':'b','lead':'b-1','battalions':[{'id':'b-1','quality':'raw',"
    "'sp':6}],'fatigue':1}]}}}";

#define ROUNDS(more)                                           \
	"{'system':'imagi-nations','rules':'imagi-nations/1'," \
	"'rulings':{'rally_target':'automatic'}" more "}"
#define ROUNDS_RALLY "{'unit':'a','do':'rally','battalion':'a-1'}"
#define ROUNDS_DECLARE                                                       \
	"{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':[" \
	"{'id':'b'}]},'terrain':'open'}}"
#define ROUNDS_END(a) "[{'e':'upkeep','unit':'a','what':'fatigue','fatigue':" a
#define ROUNDS_BOTH     \
	ROUNDS_END("8") \
	"},{'e':'upkeep','unit':'b','what':'fatigue','fatigue':0}]"

/* The side in turn ends it; these are the events, and the round it then is. */
static int64_t
rounds_end(struct table *t, const char *events, int round)
{
	int64_t seq;
	json_t *line, *view;

	assert_true(game_ends_round(t->game) == (events[1] != ']'));
	seq = agree_play(t, game_side(t->game), ORDER_TURN_END, "{}");
	line = table_line(t, (size_t)seq);
	quoted_is(json_incref(json_object_get(line, "events")), events);
	json_decref(line);
	assert_int_equal(game_round(t->game), round);
	view = game_view(t->game);
	assert_int_equal(
	    json_integer_value(json_object_get(view, "round")), round);
	json_decref(view);
	return (seq);
}

/* The side in turn rolls dice for nothing, which is an order all the same. */
static void
rounds_act(struct table *t)
{
	assert_true(game_would_pass(t->game));
	agree_play(t, game_side(t->game), ORDER_FREE, "{'dice':1,'sides':6}");
	assert_false(game_would_pass(t->game));
}

static void
two_passes_in_a_row_end_the_round(void **state)
{
	struct table t;

	(void)state;
	agree_begun(&t, rounds_roster, ROUNDS(""));
	assert_int_equal(game_round(t.game), 1);
	agree_play(&t, 1, ORDER_UPKEEP, ROUNDS_RALLY);
	assert_false(game_would_pass(t.game));
	rounds_end(&t, "[]", 1);
	/* Side 2 ends its turn, and the round goes on: it alone passed. */
	rounds_end(&t, "[]", 1);
	rounds_act(&t);
	rounds_end(&t, "[]", 1);
	rounds_act(&t);
	rounds_end(&t, "[]", 1);
	/* Side 1 may pass first, or last. */
	rounds_end(&t, "[]", 1);
	rounds_end(&t, ROUNDS_BOTH, 2);
	rounds_act(&t);
	rounds_end(&t, "[]", 2);
	rounds_end(&t, "[]", 2);
	rounds_end(&t, ROUNDS_END("7") "}]", 3);
	/* A third pass is the first of the next round. */
	rounds_end(&t, "[]", 3);
	rounds_end(&t, ROUNDS_END("6") "}]", 4);
	assert_int_equal(game_turns_ended(t.game), 11);
	agree_done(&t);
}

static void
talk_and_replies_are_no_orders_of_a_turn(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	agree_begun(&t, rounds_roster, ROUNDS(""));
	agree_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	to = agree_play(&t, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'a','morale':1}]}");
	agree_accept(&t, 2, to);
	agree_play(&t, 1, ORDER_CUP, "{'do':'make','cup':'c','items':['a']}");
	assert_true(game_would_pass(t.game));
	/* Who is not in turn gives none either. */
	agree_no(&t, 2, ORDER_FREE, ERR_STALE, "turn", "{'dice':1,'sides':6}");
	assert_true(game_would_pass(t.game));
	agree_done(&t);
}

static void
what_is_taken_back_was_not_done(void **state)
{
	struct table t;
	int64_t from;

	(void)state;
	agree_begun(&t, rounds_roster, ROUNDS(""));
	from = agree_play(&t, 1, ORDER_UPKEEP, ROUNDS_RALLY);
	agree_accept(&t, 2,
	    agree_play(&t, 1, ORDER_OFFER, "{'what':'takeback','from':%lld}",
		(long long)from));
	assert_true(game_would_pass(t.game));
	rounds_end(&t, "[]", 1);
	/* The end of a round is, too, with what it did. */
	from = rounds_end(&t, ROUNDS_BOTH, 2);
	agree_accept(&t, 1,
	    agree_play(&t, 2, ORDER_OFFER, "{'what':'takeback','from':%lld}",
		(long long)from));
	assert_int_equal(game_round(t.game), 1);
	assert_int_equal(json_integer_value(agree_unit(&t, "a", "fatigue")), 9);
	assert_true(game_ends_round(t.game));
	rounds_act(&t);
	rounds_end(&t, "[]", 1);
	agree_done(&t);
}

static void
what_is_objected_to_was_not_given(void **state)
{
	static const struct {
		enum order_kind kind;
		const char *args;
	} cases[] = {
	    {ORDER_DECLARE, ROUNDS_DECLARE},
	    {ORDER_UPKEEP, "{'unit':'a','do':'rest'}"},
	    {ORDER_FREE, "{'dice':1,'sides':6}"},
	};
	struct table t;
	int64_t to;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		agree_begun(&t, rounds_roster, ROUNDS(",'scheme':'live-1'"));
		to = agree_play(&t, 1, cases[i].kind, "%s", cases[i].args);
		assert_false(game_would_pass(t.game));
		agree_play(&t, 2, ORDER_ANSWER, "{'to':%lld,'say':'object'}",
		    (long long)to);
		assert_true(game_would_pass(t.game));
		rounds_end(&t, "[]", 1);
		rounds_end(&t, ROUNDS_BOTH, 2);
		agree_done(&t);
	}
}

static void
other_systems_have_rounds_of_two_turns(void **state)
{
	struct table t;

	(void)state;
	table_begun(&t);
	assert_false(game_would_pass(t.game));
	assert_false(game_ends_round(t.game));
	table_play(&t, 1, ORDER_TURN_END, "{}");
	assert_int_equal(game_round(t.game), 1);
	assert_true(game_ends_round(t.game));
	table_play(&t, 2, ORDER_FREE, "{'dice':1,'sides':6}");
	table_play(&t, 2, ORDER_TURN_END, "{}");
	assert_int_equal(game_round(t.game), 2);
	table_verify(&t);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_passes_in_a_row_end_the_round),
	    cmocka_unit_test(talk_and_replies_are_no_orders_of_a_turn),
	    cmocka_unit_test(what_is_taken_back_was_not_done),
	    cmocka_unit_test(what_is_objected_to_was_not_given),
	    cmocka_unit_test(other_systems_have_rounds_of_two_turns),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
