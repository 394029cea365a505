/* SPDX-License-Identifier: ISC */
/*
 * Games with `confirm` "facts": decisions that the other side agrees to, and
 * the director who judges where they differ (umpire-record.7, S6.3, S6.7).
 * After every order the state is read back from its snapshot, and every record
 * must be good.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_facts.h"
#include "common/game/game_int.h"

#include "tests/lib/agree.h"
#include "tests/lib/table.h"

#define FACTS "'confirm':'facts'"
#define JUDGED FACTS ",'options':{'director':true}"
#define PATH                                                        \
	"{'ask':%lld,'decision':{'kind':'stagger','order':[{'unit'" \
	":'fr-1','possible':%s}]}}"

/* A seat answers what waits. */
static void
facts_answer(struct table *t, int seat, const char *say)
{
	(void)agree_play(t, seat, ORDER_ANSWER, "{'to':%lld,'say':'%s'}",
	    (long long)t->game->owed.seq, say);
}

/* Fights until side 1 is asked whether its unit that staggers has a path. */
static void
facts_asked(struct table *t, const char *more)
{
	int64_t declared;
	int i;

	agree_begun(t, table_roster, more);
	for (i = 0; i < 40; i++) {
		declared = agree_play(t, 1, ORDER_DECLARE, TABLE_FIGHT);
		facts_answer(t, 2, "agree");
		if (t->game->combat.is_open && t->game->combat.ask_side == 1 &&
		    strcmp(t->game->combat.ask_kind, "stagger") == 0)
			return;
		declared = agree_play(t, 2, ORDER_OFFER,
		    "{'what':'takeback','from':%lld}", (long long)declared);
		(void)agree_accept(t, 1, declared);
	}
	fail_msg("nobody staggers");
}

/* Side 1 says whether there is a path; its line. */
static int64_t
facts_state(struct table *t, bool is_path)
{
	return (agree_play(t, 1, ORDER_DECIDE, PATH,
	    (long long)t->game->combat.ask_seq, is_path ? "true" : "false"));
}

/* What the state says of objections, as a text to compare. */
static void
facts_objections(const struct table *t, const char *want)
{
	json_t *view = game_view(t->game), *have, *list;

	have = json_object_get(view, "objections");
	list = table_json(want);
	assert_true(json_equal(have, list));
	json_decref(list);
	json_decref(view);
}

static void
a_fact_waits_for_the_other_side(void **state)
{
	struct table t;
	int64_t ask, stated;
	json_t *line;

	(void)state;
	facts_asked(&t, "{" FACTS "}");
	ask = t.game->combat.ask_seq;
	facts_objections(&t, "[]");
	stated = facts_state(&t, true);
	assert_string_equal(game_fact_owed(t.game), "stagger");
	assert_false(game_is_judged(t.game));
	assert_int_equal(t.game->owed.seat, 2);
	line = table_line(&t, (size_t)stated);
	assert_int_equal(json_array_size(json_object_get(line, "events")), 1);
	assert_null(json_object_get(line, "dice"));
	json_decref(line);
	agree_no(&t, 1, ORDER_ANSWER, ERR_STALE, "answer",
	    "{'to':%lld,'say':'agree'}", (long long)stated);
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_STALE, "answer");
	facts_answer(&t, 2, "object");
	/* The question is open again, under the same number. */
	assert_null(game_fact_owed(t.game));
	assert_int_equal(t.game->combat.ask_seq, ask);
	assert_int_equal(t.game->combat.ask_side, 1);
	facts_objections(&t, "[{'seat':2,'kind':'stagger','n':1}]");
	(void)facts_state(&t, false);
	facts_answer(&t, 2, "agree");
	assert_false(t.game->combat.is_open);
	agree_done(&t);
}

static void
a_standing_order_states_no_facts(void **state)
{
	struct table t;

	(void)state;
	facts_asked(&t, "{" FACTS "}");
	assert_int_not_equal(
	    table_stand(&t, 1, "{'kind':'stagger','do':'path'}"), 0);
	assert_non_null(strstr(t.e.text, "agrees to \"stagger\" each time"));
	assert_int_not_equal(
	    table_stand(&t, 1, "{'kind':'nothing','do':'path'}"), 0);
	assert_non_null(strstr(t.e.text, "retire, reroll"));
	assert_null(strstr(t.e.text, "stagger"));
	assert_int_equal(table_stand(&t, 1, "{'kind':'reroll','do':'all'}"), 0);
	agree_done(&t);
	/* Where declarations alone wait it answers as ever. */
	facts_asked(&t, "{'confirm':true}");
	assert_int_equal(
	    table_stand(&t, 1, "{'kind':'stagger','do':'path'}"), 0);
	facts_state(&t, true);
	assert_false(t.game->owed.is_owed);
	agree_done(&t);
}

static void
the_director_judges_after_two_objections(void **state)
{
	struct table t;
	int i;

	(void)state;
	facts_asked(&t, "{" JUDGED "}");
	for (i = 0; i < 4; i++) {
		(void)facts_state(&t, true);
		assert_true(game_is_judged(t.game) == (i >= 2));
		assert_int_equal(t.game->owed.seat, i < 2 ? 2 : 0);
		facts_answer(&t, i < 2 ? 2 : 0, "object");
	}
	(void)facts_state(&t, true);
	agree_no(&t, 2, ORDER_ANSWER, ERR_STALE, "answer",
	    "{'to':%lld,'say':'agree'}", (long long)t.game->owed.seq);
	facts_answer(&t, 0, "agree");
	assert_false(t.game->combat.is_open);
	facts_objections(&t,
	    "[{'seat':0,'kind':'stagger','n':2},"
	    "{'seat':2,'kind':'stagger','n':2}]");
	agree_done(&t);
	/* Without a director the game stands while they differ. */
	facts_asked(&t, "{" FACTS "}");
	for (i = 0; i < 4; i++) {
		(void)facts_state(&t, true);
		assert_int_equal(t.game->owed.seat, 2);
		facts_answer(&t, 2, "object");
	}
	agree_done(&t);
}

static void
declarations_of_one_place_are_judged_until_the_pool_moves(void **state)
{
	struct table t;
	int i;

	(void)state;
	agree_begun(&t, table_roster, "{" JUDGED "}");
	for (i = 0; i < 2; i++) {
		(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		assert_int_equal(t.game->owed.seat, 2);
		facts_answer(&t, 2, "object");
	}
	/* Another place, another count. */
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_int_equal(t.game->owed.seat, 2);
	facts_answer(&t, 2, "object");
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 0);
	facts_answer(&t, 0, "object");
	(void)agree_play(&t, 1, ORDER_TURN_END, "{}");
	(void)agree_play(&t, 2, ORDER_TURN_END, "{}");
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 2);
	facts_answer(&t, 2, "agree");
	agree_done(&t);
}

static void
objections_are_counted_under_one_pool(void **state)
{
	struct table t;
	int64_t rolled, offer;
	int i;

	(void)state;
	agree_begun(&t, table_roster, "{" JUDGED "}");
	rolled = agree_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	for (i = 0; i < 2; i++) {
		(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		facts_answer(&t, 2, "object");
	}
	/* The place stays what it was. */
	offer = agree_play(&t, 1, ORDER_OFFER,
	    "{'what':'takeback','from':%lld}", (long long)rolled);
	(void)agree_accept(&t, 2, offer);
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 2);
	facts_answer(&t, 2, "agree");
	agree_done(&t);
}

static void
each_question_has_its_own_count(void **state)
{
	static const char *const units[] = {"ru-a1", "ru-a2"};
	struct table t;
	int i;

	(void)state;
	/* Two batteries, which are asked one after the other. */
	agree_begun(&t, table_roster, "{'scheme':'live-1'," JUDGED "}");
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	facts_answer(&t, 2, "agree");
	for (i = 0; i < 4; i++) {
		(void)agree_play(&t, 2, ORDER_DECIDE,
		    "{'ask':%lld,'decision':{'kind':'retire','units':['%s']}}",
		    (long long)t.game->combat.ask_seq, units[i / 3]);
		assert_true(t.game->owed.is_owed);
		assert_int_equal(t.game->owed.seat, i == 2 ? 0 : 1);
		facts_answer(&t, t.game->owed.seat, i < 2 ? "object" : "agree");
		if (i == 2)
			facts_answer(&t, 1, "agree");
	}
	agree_done(&t);
}

static void
the_director_for_a_silent_player_is_no_side(void **state)
{
	struct table t;
	int i;

	(void)state;
	agree_begun(&t, table_roster,
	    "{" JUDGED ",'silence':'director','clock':{'per':'order',"
	    "'first_s':600,'then':'forfeit'}}");
	for (i = 0; i < 2; i++) {
		(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
		assert_int_equal(t.game->owed.seat, 2);
		if (i == 0) {
			t.at_ms = game_deadline_ms(t.game, 2);
			(void)agree_play(&t, 1, ORDER_CLAIM, "{}");
			assert_int_equal(t.game->owed.seat, 0);
			assert_false(game_is_judged(t.game));
			agree_no(&t, 1, ORDER_CLAIM, ERR_STALE, "judgement",
			    "{'to':%lld}", (long long)t.game->owed.seq);
		}
		facts_answer(&t, i == 0 ? 0 : 2, "object");
	}
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 2);
	facts_answer(&t, 2, "object");
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 0);
	agree_done(&t);
}

/* Lets the director owe a judgement in a game that has begun; its line. */
static int64_t
facts_differ(struct table *t)
{
	int i;

	for (i = 0; i < 2; i++) {
		(void)agree_play(t, 1, ORDER_DECLARE, TABLE_FIGHT);
		facts_answer(t, 2, "object");
	}
	(void)agree_play(t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_true(game_is_judged(t->game));
	return (t->game->owed.seq);
}

/* The same in a new game with these members in its create order. */
static int64_t
facts_unjudged(struct table *t, const char *more)
{
	agree_begun(t, table_roster, more);
	return (facts_differ(t));
}

static void
what_is_not_judged_is_claimed_after_a_week(void **state)
{
	static const char *const settings[] = {"{" JUDGED "}",
	    "{" JUDGED ",'clock':{'per':'order','first_s':600,"
	    "'then':'forfeit'}}"};
	struct table t;
	int64_t to, until;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		to = facts_unjudged(&t, settings[i]);
		until = game_unjudged_ms(t.game);
		assert_int_equal(until, t.game->at_ms + 604800000);
		agree_no(&t, 1, ORDER_CLAIM, ERR_STALE, "judgement",
		    "{'to':%lld}", (long long)to - 1);
		agree_no(&t, 0, ORDER_CLAIM, ERR_ILLEGAL, "director",
		    "{'to':%lld}", (long long)to);
		/* No clock runs meanwhile. */
		assert_int_equal(game_deadline_ms(t.game, 1), -1);
		assert_int_equal(game_deadline_ms(t.game, 2), -1);
		t.at_ms = until - 1;
		(void)agree_play(
		    &t, 2, ORDER_CLAIM, "{'to':%lld}", (long long)to);
		assert_true(game_is_judged(t.game));
		t.at_ms = until;
		(void)agree_play(
		    &t, 2, ORDER_CLAIM, "{'to':%lld}", (long long)to);
		assert_false(t.game->owed.is_owed);
		assert_int_equal(t.game->state_seq, t.game->seq);
		agree_no(&t, 2, ORDER_CLAIM, ERR_STALE, "judgement",
		    "{'to':%lld}", (long long)to);
		agree_done(&t);
	}
}

static void
a_week_of_silence_is_one_by_both_clocks(void **state)
{
	struct table t;
	int64_t to, until;

	(void)state;
	to = facts_unjudged(&t, "{" JUDGED "}");
	until = game_unjudged_ms(t.game);
	/* Whose order has no time, as the owing one: by the server's. */
	t.at_ms = until;
	t.now_ms = until - 1;
	(void)agree_play(&t, 2, ORDER_CLAIM, "{'to':%lld}", (long long)to);
	assert_true(game_is_judged(t.game));
	t.now_ms = -1;
	(void)agree_play(&t, 2, ORDER_CLAIM, "{'to':%lld}", (long long)to);
	assert_false(game_is_judged(t.game));
	agree_done(&t);
	/* A claimant may not leave out a clock that the author told. */
	agree_begun(&t, table_roster, "{" JUDGED "}");
	t.now_ms = TABLE_AT_MS;
	to = facts_differ(&t);
	until = game_unjudged_ms(t.game);
	t.at_ms = until;
	t.now_ms = -1;
	agree_no(&t, 2, ORDER_CLAIM, ERR_ILLEGAL, "missing", "{'to':%lld}",
	    (long long)to);
	t.now_ms = until;
	t.at_ms = until - 1;
	(void)agree_play(&t, 2, ORDER_CLAIM, "{'to':%lld}", (long long)to);
	assert_true(game_is_judged(t.game));
	t.at_ms = until;
	(void)agree_play(&t, 2, ORDER_CLAIM, "{'to':%lld}", (long long)to);
	assert_false(game_is_judged(t.game));
	agree_done(&t);
}

static void
in_live_1_dice_wait_for_the_other_side_then(void **state)
{
	struct table t;
	int64_t to;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		to = facts_unjudged(&t, "{'scheme':'live-1'," JUDGED "}");
		assert_int_equal(game_answer_rolls(t.game), 0);
		if (i == 0) {
			facts_answer(&t, 0, "agree");
		} else {
			t.at_ms = game_unjudged_ms(t.game);
			(void)agree_play(
			    &t, 1, ORDER_CLAIM, "{'to':%lld}", (long long)to);
		}
		assert_int_equal(t.game->owed.seat, 2);
		assert_int_equal(t.game->owed.seq, t.game->seq);
		assert_false(game_may_object(t.game));
		assert_int_equal(game_answer_rolls(t.game), 1);
		facts_answer(&t, 2, "agree");
		assert_false(t.game->owed.is_owed);
		agree_done(&t);
	}
}

static void
a_takeback_begins_anew(void **state)
{
	struct table t;
	int64_t offer;
	int i;

	(void)state;
	facts_asked(&t, "{" JUDGED "}");
	offer =
	    agree_play(&t, 1, ORDER_OFFER, "{'what':'takeback','from':%lld}",
		(long long)game_combat_seq(t.game));
	(void)facts_state(&t, true);
	agree_accept_no(&t, 2, offer, ERR_STALE, "answer");
	for (i = 0; i < 2; i++) {
		facts_answer(&t, 2, "object");
		(void)facts_state(&t, true);
	}
	assert_true(game_is_judged(t.game));
	facts_answer(&t, 0, "object");
	(void)agree_accept(&t, 2, offer);
	assert_false(t.game->combat.is_open);
	assert_int_equal(t.game->combat.n_objections, 0);
	(void)agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	assert_int_equal(t.game->owed.seat, 2);
	agree_done(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_fact_waits_for_the_other_side),
	    cmocka_unit_test(a_standing_order_states_no_facts),
	    cmocka_unit_test(the_director_judges_after_two_objections),
	    cmocka_unit_test(
		declarations_of_one_place_are_judged_until_the_pool_moves),
	    cmocka_unit_test(objections_are_counted_under_one_pool),
	    cmocka_unit_test(each_question_has_its_own_count),
	    cmocka_unit_test(the_director_for_a_silent_player_is_no_side),
	    cmocka_unit_test(what_is_not_judged_is_claimed_after_a_week),
	    cmocka_unit_test(a_week_of_silence_is_one_by_both_clocks),
	    cmocka_unit_test(in_live_1_dice_wait_for_the_other_side_then),
	    cmocka_unit_test(a_takeback_begins_anew),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
