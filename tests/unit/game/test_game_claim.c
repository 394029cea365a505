/* SPDX-License-Identifier: ISC */
/*
 * Claims, holidays and pauses in whole games, each of which a verifier must
 * find good and in the same state (umpire-record.7, S6.7).
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

#include "common/base/clock.h"
#include "common/game/game_int.h"

#include "tests/lib/claim.h"
#include "tests/lib/table.h"
#include "tests/lib/tamper.h"

#define ORDER_CLOCK(more) "'clock':{'per':'order','first_s':600," more
#define BANK_CLOCK(more) "'clock':{'per':'side','first_s':600," more
#define DIRECTED "'options':{'director':true}"

static void
a_claim_takes_effect_at_the_deadline_and_not_before(void **state)
{
	struct table t;
	int64_t deadline;

	(void)state;
	claim_begun(&t, "{" ORDER_CLOCK("'grace_s':60,'then':'forfeit'}") "}");
	deadline = game_deadline_ms(t.game, 1);
	assert_int_equal(deadline, t.game->at_ms + 660000);
	assert_int_equal(game_deadline_ms(t.game, 2), -1);
	/* At once, in the grace, and a millisecond early: nothing. */
	claim_fails(&t, 2, t.at_ms);
	table_reload(&t);
	claim_fails(&t, 2, deadline - 30000);
	claim_fails(&t, 2, deadline - 1);
	table_reload(&t);
	assert_int_equal(game_deadline_ms(t.game, 1), deadline);
	/* The side that is late claims nothing. */
	claim_fails(&t, 1, deadline);
	t.at_ms = deadline;
	table_play(&t, 2, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 2);
	assert_int_equal(t.game->state_seq, t.game->seq);
	assert_int_equal(game_deadline_ms(t.game, 1), -1);
	table_no(&t, 1, ORDER_CLAIM, "{}", ERR_ILLEGAL, "over");
	table_no(&t, 1, ORDER_PAUSE, "{'do':'resume'}", ERR_ILLEGAL, "over");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	claim_is_good(&t);
}

static void
a_late_order_is_taken_as_long_as_nobody_has_claimed(void **state)
{
	struct table t;

	(void)state;
	claim_begun(&t, "{" ORDER_CLOCK("'then':'forfeit'}") "}");
	t.at_ms = game_deadline_ms(t.game, 1) + 100000000;
	table_play(&t, 1, ORDER_TURN_END, "{}");
	claim_fails(&t, 2, t.at_ms);
	claim_fails(&t, 1, t.at_ms);
	assert_int_equal(game_deadline_ms(t.game, 1), -1);
	/* Each order of a turn has its own time. */
	t.at_ms += 590000;
	table_play(&t, 2, ORDER_FREE, "{'dice':1,'sides':6}");
	assert_int_equal(game_deadline_ms(t.game, 2), t.game->at_ms + 600000);
	claim_fails(&t, 1, t.at_ms + 590000);
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
}

static void
a_bank_runs_down_over_turns(void **state)
{
	struct table t;
	int64_t begun;
	int i;

	(void)state;
	claim_begun(&t,
	    "{" BANK_CLOCK("'add_s':100,'cap_s':650,'grace_s':5,"
			   "'then':'forfeit'}") "}");
	/* Side 2 moves at once and stays at its cap. */
	for (i = 0; i < 3; i++) {
		t.at_ms = t.game->at_ms + 250000;
		table_play(&t, 1, ORDER_TURN_END, "{}");
		table_reload(&t);
		t.at_ms = t.game->at_ms;
		table_play(&t, 2, ORDER_TURN_END, "{}");
		assert_int_equal(t.game->clock.sides[2].left, 650000);
		assert_int_equal(
		    t.game->clock.sides[1].left, 600000 - (i + 1) * 150000);
	}
	begun = t.game->at_ms;
	assert_int_equal(game_deadline_ms(t.game, 1), begun + 155000);
	/* Talk takes time and gives none, nor does it renew the grace. */
	t.at_ms = begun + 152000;
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	table_reload(&t);
	t.at_ms = begun + 154500;
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	assert_int_equal(game_deadline_ms(t.game, 1), begun + 155000);
	claim_fails(&t, 2, begun + 154999);
	t.at_ms = begun + 155000;
	table_play(&t, 2, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

static void
days_that_are_skipped_do_not_count(void **state)
{
	struct table t;
	char text[CLOCK_AT_LEN + 1];

	(void)state;
	/* The game begins on Friday 20 November 2026 at 12:01:04. */
	claim_begun(&t,
	    "{'clock':{'per':'order','first_s':86400,'skip':['sat','sun'],"
	    "'then':'forfeit'}}");
	clock_format(text, game_deadline_ms(t.game, 1));
	assert_string_equal(text, "2026-11-23T12:01:04.042Z");
	claim_fails(&t, 2, t.at_ms + 2 * 86400000);
	/* What is given on Saturday runs from Monday. */
	table_play(&t, 1, ORDER_TURN_END, "{}");
	clock_format(text, game_deadline_ms(t.game, 2));
	assert_string_equal(text, "2026-11-24T00:00:00.000Z");
	table_reload(&t);
	claim_fails(&t, 1, game_deadline_ms(t.game, 2) - 1);
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
}

static void
holidays_are_taken_from_a_budget(void **state)
{
	struct table t;
	int64_t begun, seq;

	(void)state;
	claim_begun(&t,
	    "{" BANK_CLOCK("'holidays':5,'then':'forfeit'}") ",'options':"
							     "{'seats':4}}");
	begun = t.game->at_ms;
	seq = t.game->state_seq;
	t.at_ms = begun + 400000;
	/* By any seat of a side; it is no state line. */
	table_play(&t, 3, ORDER_PAUSE, "{'do':'holiday','days':2}");
	assert_int_equal(t.game->state_seq, seq);
	table_reload(&t);
	assert_int_equal(game_deadline_ms(t.game, 1),
	    begun + 400000 + 2 * 86400000LL + 200000);
	claim_fails(&t, 2, begun + 2 * 86400000LL);
	table_no(&t, 1, ORDER_PAUSE, "{'do':'holiday','days':4}", ERR_ILLEGAL,
	    "3 days");
	table_play(&t, 1, ORDER_PAUSE, "{'do':'holiday','days':3}");
	assert_int_equal(game_deadline_ms(t.game, 1),
	    begun + 400000 + 5 * 86400000LL + 200000);
	table_no(&t, 1, ORDER_PAUSE, "{'do':'holiday','days':1}", ERR_ILLEGAL,
	    "0 days");
	/* The other side's are its own, also out of its turn. */
	table_play(&t, 4, ORDER_PAUSE, "{'do':'holiday','days':5}");
	table_play(&t, 1, ORDER_TURN_END, "{}");
	/* Nothing of the time on holiday was used. */
	assert_int_equal(t.game->clock.sides[1].left, 200000);
	t.at_ms = game_deadline_ms(t.game, 2) - 1;
	table_play(&t, 2, ORDER_TURN_END, "{}");
	assert_int_equal(t.game->clock.sides[2].left, 1);
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 4, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

static void
a_pause_is_agreed_and_ended(void **state)
{
	struct table t;
	int64_t begun, paused;

	(void)state;
	claim_begun(&t, "{" BANK_CLOCK("'then':'forfeit'}") "}");
	begun = t.game->at_ms;
	table_no(
	    &t, 1, ORDER_PAUSE, "{'do':'resume'}", ERR_ILLEGAL, "no pause");
	table_play(&t, 1, ORDER_OFFER, "{'what':'pause','days':10}");
	t.at_ms = begun + 100000;
	claim_accept(&t, 2, game_seq(t.game));
	paused = t.game->at_ms;
	/* The time before it is used. */
	assert_int_equal(t.game->clock.sides[1].left, 500000);
	assert_int_equal(
	    game_deadline_ms(t.game, 1), paused + 10 * 86400000LL + 500000);
	table_reload(&t);
	claim_fails(&t, 2, paused + 5 * 86400000LL);
	/* Either side ends it. */
	table_play(&t, 2, ORDER_PAUSE, "{'do':'resume'}");
	assert_int_equal(game_deadline_ms(t.game, 1), t.game->at_ms + 500000);
	table_no(
	    &t, 1, ORDER_PAUSE, "{'do':'resume'}", ERR_ILLEGAL, "no pause");
	/* One that has run out is over. */
	table_play(&t, 1, ORDER_OFFER, "{'what':'pause','days':1}");
	claim_accept(&t, 2, game_seq(t.game));
	t.at_ms = t.game->at_ms + 86400000;
	table_no(
	    &t, 1, ORDER_PAUSE, "{'do':'resume'}", ERR_ILLEGAL, "no pause");
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 2, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

static void
a_pause_that_is_no_pause_is_refused(void **state)
{
	static const struct {
		const char *args, *why;
		int r;
	} bad[] = {
	    {"{}", "order.args.do", ERR_ILLEGAL},
	    {"{'do':'sleep'}", "order.args.do", ERR_ILLEGAL},
	    {"{'do':'holiday'}", "order.args.days", ERR_ILLEGAL},
	    {"{'do':'holiday','days':0}", "order.args.days", ERR_ILLEGAL},
	    {"{'do':'holiday','days':367}", "order.args.days", ERR_ILLEGAL},
	    {"{'do':'holiday','days':'1'}", "order.args.days", ERR_ILLEGAL},
	    {"{'do':'holiday','days':1,'why':1}", "order.args.why", ERR_NEWER},
	};
	struct table t;
	size_t i;

	(void)state;
	claim_begun(&t,
	    "{" BANK_CLOCK("'holidays':366,'then':'forfeit'}") "," DIRECTED
							       "}");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		table_no(&t, 1, ORDER_PAUSE, bad[i].args, bad[i].r, bad[i].why);
	table_play(&t, 1, ORDER_OFFER, "{'what':'pause','days':1}");
	claim_accept(&t, 2, game_seq(t.game));
	table_no(&t, 1, ORDER_PAUSE, "{'do':'resume','days':1}", ERR_ILLEGAL,
	    "no days");
	table_no(
	    &t, 0, ORDER_PAUSE, "{'do':'resume'}", ERR_ILLEGAL, "director");
	table_no(&t, 0, ORDER_CLAIM, "{}", ERR_ILLEGAL, "director");
	table_no(&t, 2, ORDER_CLAIM, "{'why':1}", ERR_NEWER, "args");
	/* A whole leap year of holiday, in one. */
	table_play(&t, 1, ORDER_PAUSE, "{'do':'holiday','days':366}");
	claim_is_good(&t);
}

static void
claims_and_pauses_need_a_clock_and_a_game(void **state)
{
	static const char holiday[] = "{'do':'holiday','days':1}";
	struct table t;

	(void)state;
	table_begun(&t);
	table_no(&t, 2, ORDER_CLAIM, "{}", ERR_ILLEGAL, "no clock");
	table_no(&t, 2, ORDER_PAUSE, holiday, ERR_ILLEGAL, "no clock");
	assert_int_equal(game_deadline_ms(t.game, 1), -1);
	table_clear(&t);
	claim_seated(&t, "{" BANK_CLOCK("'holidays':3,'then':'forfeit'}") "}");
	table_no(&t, 2, ORDER_CLAIM, "{}", ERR_STALE, "not started");
	table_no(&t, 2, ORDER_PAUSE, holiday, ERR_STALE, "not started");
	table_play(&t, 2, ORDER_READY, "{}");
	t.at_ms += 900000000;
	table_play(&t, 1, ORDER_READY, "{}");
	/* The time before the last ready is nobody's. */
	assert_int_equal(game_deadline_ms(t.game, 1), t.game->at_ms + 600000);
	/* Stale behind a state line, whatever it says. */
	assert_int_equal(table_make(&t, 2, ORDER_CLAIM, table_json("{}")), 0);
	claim_keep(&t);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	claim_again(&t, 2);
	table_refuses(&t, 2, ERR_STALE, "moved on");
	assert_int_equal(
	    table_make(&t, 1, ORDER_PAUSE, table_json(holiday)), 0);
	claim_keep(&t);
	table_play(&t, 2, ORDER_TURN_END, "{}");
	claim_again(&t, 1);
	table_refuses(&t, 1, ERR_STALE, "moved on");
	claim_is_good(&t);
}

/* Changes one digit of `own` in t->text. */
static void
spoil_own(struct table *t, int seat)
{
	json_t *order = table_order(t);
	char *own;

	own = strdup(json_string_value(json_object_get(order, "own")));
	assert_non_null(own);
	own[20] = own[20] == '0' ? '1' : '0';
	json_object_set_new(order, "own", json_string(own));
	free(own);
	table_reword(t, seat, order);
	json_decref(order);
}

/* Takes a member out of the order in t->text. */
static void
drop_member(struct table *t, int seat, const char *name)
{
	json_t *order = table_order(t);

	assert_int_equal(json_object_del(order, name), 0);
	table_reword(t, seat, order);
	json_decref(order);
}

static void
a_default_answers_and_the_claimants_dice_fall(void **state)
{
	struct table t;
	int64_t deadline;
	json_t *order, *first;

	(void)state;
	claim_begun(&t, "{" ORDER_CLOCK("'then':'default'}") "}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(table_is_asked(&t));
	deadline = game_deadline_ms(t.game, 2);
	assert_int_equal(deadline, t.game->at_ms + 600000);
	/* Place and proof are there, and are verified, also too early. */
	assert_int_equal(table_make(&t, 1, ORDER_CLAIM, table_json("{}")), 0);
	spoil_own(&t, 1);
	table_refuses(&t, 1, ERR_ILLEGAL, "order.own");
	assert_int_equal(table_make(&t, 1, ORDER_CLAIM, table_json("{}")), 0);
	drop_member(&t, 1, "own");
	table_refuses(&t, 1, ERR_ILLEGAL, "order.own");
	drop_member(&t, 1, "place");
	table_refuses(&t, 1, ERR_ILLEGAL, "order.own");
	assert_int_equal(table_make(&t, 1, ORDER_CLAIM, table_json("{}")), 0);
	order = table_order(&t);
	assert_string_equal(json_string_value(json_object_get(order, "place")),
	    "c/1/ru-a1/1/1");
	json_object_set_new(order, "place", json_string("c/1/ru-a1/1/2"));
	table_reword(&t, 1, order);
	json_decref(order);
	table_refuses(&t, 1, ERR_ILLEGAL, "order.place");
	claim_fails(&t, 1, deadline - 1);
	assert_null(t.fx.dice);
	table_reload(&t);
	/* The side that is asked has none to give. */
	claim_fails(&t, 2, deadline);
	t.at_ms = deadline;
	table_play(&t, 1, ORDER_CLAIM, "{}");
	assert_non_null(t.fx.dice);
	assert_string_equal(t.fx.place, "c/1/ru-a1/1/1");
	first = json_array_get(t.fx.events, 0);
	assert_string_equal(
	    json_string_value(json_object_get(first, "e")), "decision");
	assert_int_equal(json_array_size(json_object_get(first, "units")), 0);
	table_settle(&t);
	assert_int_equal(game_phase(t.game), GAME_PLAY);
	table_reload(&t);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	claim_is_good(&t);
}

static void
where_there_is_no_default_the_game_is_forfeit(void **state)
{
	struct table t;

	(void)state;
	/* A turn. */
	claim_begun(&t, "{" ORDER_CLOCK("'then':'default'}") "}");
	table_play(&t, 1, ORDER_TURN_END, "{}");
	claim_fails(&t, 1, game_deadline_ms(t.game, 2) - 1);
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
	/* A claim for a turn has no place, nor has one that decides not. */
	claim_begun(&t, "{" ORDER_CLOCK("'then':'forfeit'}") "}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_int_equal(table_make(&t, 1, ORDER_CLAIM, table_json("{}")), 0);
	claim_add(&t, 1, "place", "c/1/ru-a1/1/1");
	table_refuses(&t, 1, ERR_ILLEGAL, "no place");
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
}

static void
an_answer_that_does_not_come_is_silence(void **state)
{
	struct table t;

	(void)state;
	/* Forfeit, whatever the clock says of other things. */
	claim_begun(
	    &t, "{'confirm':true," ORDER_CLOCK("'then':'default'}") "}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(t.game->owed.is_owed);
	assert_int_equal(game_deadline_ms(t.game, 2), t.game->at_ms + 600000);
	table_no(&t, 2, ORDER_PAUSE, "{'do':'resume'}", ERR_STALE, "answer");
	claim_fails(&t, 1, t.at_ms);
	claim_fails(&t, 2, game_deadline_ms(t.game, 2));
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	assert_false(t.game->owed.is_owed);
	assert_false(t.game->combat.is_open);
	claim_is_good(&t);
	/* A clock that asks the director does not ask him about silence. */
	claim_begun(&t,
	    "{'confirm':true," ORDER_CLOCK("'then':'director'}") "," DIRECTED
								 "}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
	/* Nor does he answer what is no answer. */
	claim_begun(&t,
	    "{'silence':'director'," ORDER_CLOCK(
		"'then':'forfeit'}") "," DIRECTED "}");
	t.at_ms = game_deadline_ms(t.game, 1);
	table_play(&t, 2, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

/* The director answers in the place of side 2. */
static void
director_answers(const char *more, bool is_live)
{
	char args[64];
	struct table t;
	int64_t declared;

	claim_begun(&t, more);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	declared = game_seq(t.game);
	assert_true(t.game->owed.is_owed);
	(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'agree'}",
	    (long long)declared);
	table_no(&t, 0, ORDER_ANSWER, args, ERR_STALE, "answer");
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	assert_int_equal(t.game->state_seq, t.game->seq);
	assert_int_equal(t.game->owed.seat, 0);
	assert_int_equal(t.game->owed.seq, declared);
	table_reload(&t);
	/* Nobody's clock runs now, and nobody else answers. */
	assert_int_equal(game_deadline_ms(t.game, 1), -1);
	assert_int_equal(game_deadline_ms(t.game, 2), -1);
	claim_fails(&t, 1, t.at_ms + 900000000);
	claim_fails(&t, 2, t.at_ms);
	table_no(&t, 2, ORDER_ANSWER, args, ERR_STALE, "answer");
	table_no(
	    &t, 0, ORDER_RULING, "{'why':" TABLE_REF "}", ERR_STALE, "answer");
	table_play(&t, 0, ORDER_ANSWER, args);
	assert_non_null(t.fx.dice);
	assert_true(is_live == t.game->set.is_live);
	table_reload(&t);
	assert_true(
	    game_deadline_ms(t.game, 1) > 0 || game_deadline_ms(t.game, 2) > 0);
	claim_is_good(&t);
}

static void
the_director_answers_for_a_silent_side(void **state)
{
	(void)state;
	director_answers("{'confirm':true,'silence':'director'," ORDER_CLOCK(
			     "'then':'forfeit'}") "," DIRECTED "}",
	    false);
	director_answers("{'scheme':'live-1','silence':'director'," BANK_CLOCK(
			     "'then':'director'}") "," DIRECTED "}",
	    true);
}

static void
a_default_in_live_1_waits_for_the_silent_side(void **state)
{
	char args[64];
	struct table t;

	(void)state;
	claim_begun(
	    &t, "{'scheme':'live-1'," ORDER_CLOCK("'then':'default'}") "}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'agree'}",
	    (long long)game_seq(t.game));
	table_play(&t, 2, ORDER_ANSWER, args);
	assert_true(table_is_asked(&t));
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	assert_null(t.fx.dice);
	assert_non_null(t.fx.owes);
	assert_int_equal(t.game->owed.seat, 2);
	table_reload(&t);
	/* Silent again: it is lost. */
	assert_int_equal(game_deadline_ms(t.game, 2), t.game->at_ms + 600000);
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
}

static const char cards_roster[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','arm':'infantry','lead':'a-1','battalions':[{'id':'a-1',"
    "'quality':'veteran','sp':6}]}]},'2':{'units':[{'id':'b',"
    "'arm':'cavalry','lead':'b-1','battalions':[{'id':'b-1','quality':'raw',"
    "'sp':6}]}]}}}";

/* Commits to a tactic of the open question; its salt is zeros. */
static void
commit_card(struct table *t, int seat)
{
	static const char text[] = "{\"kind\":\"tactic\",\"tactic\":\"feint\"}";
	const uint8_t salt[RECORD_SALT_LEN] = {0};
	int64_t ask = t->game->combat.ask_seq;
	uint8_t commit[HASH_LEN];
	int r;

	assert_int_equal(record_secret(commit, game_id(t->game), seat, ask,
			     salt, text, strlen(text)),
	    0);
	r = table_try(t, seat, ORDER_COMMIT,
	    json_pack("{s:I, s:o}", "ask", (json_int_t)ask, "commit",
		js_hex(commit, HASH_LEN)));
	if (r != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
}

/* The args of the opening of that. */
static const char *
open_args(const struct table *t)
{
	static char args[300];

	(void)snprintf(args, sizeof(args),
	    "{'ask':%lld,'salt':'%064d','text':'{\\'kind\\':\\'tactic\\',"
	    "\\'tactic\\':\\'feint\\'}'}",
	    (long long)t->game->combat.ask_seq, 0);
	return (args);
}

static void
a_secret_choice_has_no_default(void **state)
{
	struct table t;

	(void)state;
	claim_seated_by(&t, cards_roster,
	    "{'system':'imagi-nations','rules':'imagi-nations/1',"
	    "'secret':'sealed'," BANK_CLOCK("'then':'default'}") "}");
	claim_ready(&t);
	table_play(&t, 1, ORDER_DECLARE,
	    "{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':"
	    "{'units':[{'id':'b'}],'objective':true,'can_evade':true},"
	    "'terrain':'village'}}");
	assert_true(t.game->combat.is_secret);
	/* Both clocks run: nobody can claim. */
	assert_true(game_deadline_ms(t.game, 1) > 0);
	assert_true(game_deadline_ms(t.game, 2) > game_deadline_ms(t.game, 1));
	claim_fails(&t, 2, game_deadline_ms(t.game, 2));
	claim_fails(&t, 1, t.at_ms);
	commit_card(&t, 1);
	assert_int_equal(game_deadline_ms(t.game, 1), -1);
	table_reload(&t);
	t.at_ms = t.game->at_ms;
	commit_card(&t, 2);
	/* Both owe the opening; the claim of one that does not is too early. */
	claim_fails(&t, 1, t.at_ms + 900000);
	table_no(
	    &t, 1, ORDER_PAUSE, "{'do':'resume'}", ERR_ILLEGAL, "no pause");
	table_play(&t, 1, ORDER_OPEN, open_args(&t));
	t.at_ms = game_deadline_ms(t.game, 2);
	table_play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
}

static void
dice_of_a_claim_that_came_too_early_are_found(void **state)
{
	struct table *t = &tamper_table;
	char at[CLOCK_AT_LEN + 1];
	size_t n;

	(void)state;
	claim_begun(t, "{" ORDER_CLOCK("'then':'default'}") "}");
	table_play(t, 1, ORDER_DECLARE, TABLE_GUNS);
	t->at_ms = game_deadline_ms(t->game, 2);
	clock_format(at, t->at_ms - 1);
	table_play(t, 1, ORDER_CLAIM, "{}");
	assert_non_null(t->fx.dice);
	n = t->n_lines - 1;
	tamper_good(n, tamper_line_value(n));
	tamper_bad(n, tamper_with(n, "at", json_string(at)), "dice",
	    "nothing calls for it");
	claim_is_good(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		a_claim_takes_effect_at_the_deadline_and_not_before),
	    cmocka_unit_test(
		a_late_order_is_taken_as_long_as_nobody_has_claimed),
	    cmocka_unit_test(a_bank_runs_down_over_turns),
	    cmocka_unit_test(days_that_are_skipped_do_not_count),
	    cmocka_unit_test(holidays_are_taken_from_a_budget),
	    cmocka_unit_test(a_pause_is_agreed_and_ended),
	    cmocka_unit_test(a_pause_that_is_no_pause_is_refused),
	    cmocka_unit_test(claims_and_pauses_need_a_clock_and_a_game),
	    cmocka_unit_test(a_default_answers_and_the_claimants_dice_fall),
	    cmocka_unit_test(where_there_is_no_default_the_game_is_forfeit),
	    cmocka_unit_test(an_answer_that_does_not_come_is_silence),
	    cmocka_unit_test(the_director_answers_for_a_silent_side),
	    cmocka_unit_test(a_default_in_live_1_waits_for_the_silent_side),
	    cmocka_unit_test(a_secret_choice_has_no_default),
	    cmocka_unit_test(dice_of_a_claim_that_came_too_early_are_found),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
