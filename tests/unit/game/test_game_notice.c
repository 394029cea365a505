/* SPDX-License-Identifier: ISC */
/*
 * Claims in two lines, in whole games, each of which a verifier must find good
 * and in the same state (umpire-record.7, S6.7).
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

#include "tests/lib/claim.h"
#include "tests/lib/table.h"

#define MINUTE INT64_C(60000)
#define HOUR INT64_C(3600000)
#define DAY INT64_C(86400000)
/* An hour for each order; a notice stands for ten minutes. */
#define CLOCK(more) \
	"{'clock':{'per':'order','first_s':3600,'notice_s':600," more "}}"

/* An order at these two times, the server's and its author's. */
static void
plays(struct table *t, int seat, enum order_kind kind, const char *args,
    int64_t at_ms, int64_t now_ms)
{
	t->at_ms = at_ms;
	t->now_ms = now_ms;
	table_play(t, seat, kind, args);
	table_reload(t);
}

/* A claim, which names a notice unless `to` is below 0. */
static void
claims(struct table *t, int seat, int64_t to, int64_t at_ms, int64_t now_ms)
{
	char args[40] = "{}";

	if (to >= 0)
		(void)snprintf(
		    args, sizeof(args), "{'to':%lld}", (long long)to);
	plays(t, seat, ORDER_CLAIM, args, at_ms, now_ms);
}

/* Side 2 gives notice at these times; its line. */
static int64_t
notices(struct table *t, int64_t at_ms, int64_t now_ms)
{
	claims(t, 2, -1, at_ms, now_ms);
	assert_int_equal(game_notice_seq(t->game, 2), game_seq(t->game));
	assert_int_equal(t->fx.entry.claimed, GAME_CLAIMED_NOTICE);
	return (game_seq(t->game));
}

static void
a_claim_takes_a_notice_and_a_second_line(void **state)
{
	struct table t;
	int64_t due, to;

	(void)state;
	claim_begun(&t, CLOCK("'then':'forfeit'"));
	due = game_deadline_ms(t.game, 1);
	/* Early by either clock it is no notice, and says nothing. */
	claims(&t, 2, -1, due - 1, due);
	claims(&t, 2, -1, due, due - 1);
	claims(&t, 1, -1, due, due);
	assert_int_equal(game_notice_seq(t.game, 2), -1);
	assert_int_equal(game_notice_until_ms(t.game, 2), -1);
	to = notices(&t, due + 5, due);
	assert_int_equal(t.game->phase, GAME_PLAY);
	assert_int_not_equal(t.game->state_seq, to);
	assert_int_equal(game_notice_until_ms(t.game, 2), due + 5 + 600000);
	/* Another changes nothing, nor does a second line that is early. */
	claims(&t, 2, -1, due + 1000, due + 1000);
	claims(&t, 2, to, due + 5 + 599999, due + 600000);
	claims(&t, 2, to, due + 5 + 600000, due + 599999);
	assert_int_equal(game_notice_seq(t.game, 2), to);
	claims(&t, 2, to, due + 5 + 600000, due + 600000);
	claim_result(&t, "forfeit", 2);
	assert_int_equal(t.game->state_seq, t.game->seq);
	assert_int_equal(game_notice_seq(t.game, 2), -1);
	claim_is_good(&t);
}

static void
what_a_claim_in_two_lines_must_have(void **state)
{
	struct table t;
	int64_t due, to;

	(void)state;
	claim_begun(&t, CLOCK("'then':'forfeit'"));
	due = game_deadline_ms(t.game, 1);
	t.at_ms = due;
	table_no(&t, 2, ORDER_CLAIM, "{}", ERR_ILLEGAL, "missing");
	t.now_ms = due;
	table_no(&t, 2, ORDER_CLAIM, "{'to':3}", ERR_STALE, "no notice");
	to = notices(&t, due, due);
	t.at_ms = t.now_ms = due + HOUR;
	table_no(&t, 2, ORDER_CLAIM, "{'to':3}", ERR_STALE, "no notice");
	table_no(&t, 1, ORDER_CLAIM, "{'to':4}", ERR_STALE, "no notice");
	assert_int_equal(to, 4);
	t.now_ms = -1;
	table_no(&t, 2, ORDER_CLAIM, "{'to':4}", ERR_ILLEGAL, "missing");
	claim_is_good(&t);
}

static void
a_move_ends_a_notice_and_talk_does_not(void **state)
{
	struct table t;
	int64_t due, to;

	(void)state;
	claim_begun(&t, CLOCK("'then':'forfeit'"));
	due = game_deadline_ms(t.game, 1);
	to = notices(&t, due, due);
	plays(&t, 1, ORDER_CHAT, TABLE_CHAT, due + 1, due + 1);
	plays(&t, 1, ORDER_OFFER, "{'what':'draw'}", due + 2, due + 2);
	assert_int_equal(game_notice_seq(t.game, 2), to);
	/* A move is taken, however late, until the second line. */
	plays(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}", due + HOUR - 1,
	    due + HOUR - 1);
	assert_int_equal(game_notice_seq(t.game, 2), -1);
	t.at_ms = t.now_ms = due + HOUR;
	table_no(&t, 2, ORDER_CLAIM, "{'to':4}", ERR_STALE, "no notice");
	claims(&t, 2, -1, due + HOUR, due + HOUR);
	assert_int_equal(game_notice_seq(t.game, 2), -1);
	assert_int_equal(t.game->phase, GAME_PLAY);
	claim_is_good(&t);
}

static void
one_wrong_clock_decides_no_game(void **state)
{
	struct table t;
	int64_t begun, leapt, to;

	(void)state;
	claim_begun(&t, CLOCK("'then':'forfeit'"));
	begun = t.game->at_ms;
	/* The server's leaps by four hours: an honest claimant's does not. */
	claims(&t, 2, -1, begun + 4 * HOUR, begun + MINUTE);
	assert_int_equal(game_notice_seq(t.game, 2), -1);
	/* One who lies can give notice; then the server's is right again. */
	leapt = begun + 4 * HOUR + 1000;
	to = notices(&t, leapt, leapt);
	claims(&t, 2, to, leapt, leapt + DAY);
	assert_int_equal(t.game->phase, GAME_PLAY);
	/* Whoever was robbed moves, dated no earlier, and that was it. */
	plays(&t, 1, ORDER_TURN_END, "{}", leapt, begun + 2 * MINUTE);
	assert_int_equal(game_notice_seq(t.game, 2), -1);
	/* A claimant's own, days ahead, is not enough either. */
	begun = t.game->at_ms;
	claims(&t, 1, -1, begun + MINUTE, begun + 5 * DAY);
	assert_int_equal(game_notice_seq(t.game, 1), -1);
	claims(&t, 1, -1, begun + HOUR, begun + 5 * DAY);
	to = game_notice_seq(t.game, 1);
	assert_true(to >= 0);
	claims(&t, 1, to, begun + HOUR + 9 * MINUTE, begun + 9 * DAY);
	/* A clock that goes back makes a second line early, not a fault. */
	claims(&t, 1, to, begun + 2 * HOUR, begun);
	assert_int_equal(t.game->phase, GAME_PLAY);
	assert_int_equal(game_notice_seq(t.game, 1), to);
	claim_is_good(&t);
}

static void
holidays_and_pauses_do_not_count_to_a_notice(void **state)
{
	struct table t;
	int64_t due, to, until;

	(void)state;
	claim_begun(&t, CLOCK("'holidays':3,'then':'forfeit'"));
	due = game_deadline_ms(t.game, 1);
	to = notices(&t, due, due);
	/* The claimant's own holiday is nobody's. */
	plays(&t, 2, ORDER_PAUSE, "{'do':'holiday','days':1}", due + MINUTE,
	    due + MINUTE);
	assert_int_equal(game_notice_until_ms(t.game, 2), due + 10 * MINUTE);
	plays(&t, 1, ORDER_PAUSE, "{'do':'holiday','days':1}", due + 2 * MINUTE,
	    due + 2 * MINUTE);
	until = due + DAY + 10 * MINUTE;
	assert_int_equal(game_notice_until_ms(t.game, 2), until);
	assert_int_equal(game_notice_seq(t.game, 2), to);
	/* A pause for a week, ended after a day, which begins within it. */
	plays(&t, 1, ORDER_OFFER,
	    "{'what':'pause','days':7,'why':" TABLE_REF "}", due + DAY,
	    due + DAY);
	claim_accept(&t, 2, game_seq(t.game));
	assert_int_equal(game_notice_seq(t.game, 2), to);
	assert_true(game_notice_until_ms(t.game, 2) > due + 7 * DAY);
	plays(&t, 1, ORDER_PAUSE, "{'do':'resume'}", due + 2 * DAY,
	    due + 2 * DAY);
	until = due + 2 * DAY + 8 * MINUTE;
	assert_int_equal(game_notice_until_ms(t.game, 2), until);
	claims(&t, 2, to, until - 1, until);
	claims(&t, 2, to, until, until - 1);
	assert_int_equal(t.game->phase, GAME_PLAY);
	claims(&t, 2, to, until, until);
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

static void
an_accepted_takeback_ends_a_notice(void **state)
{
	struct table t;
	int64_t due, offer;

	(void)state;
	claim_begun(&t, CLOCK("'then':'forfeit'"));
	plays(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}", t.at_ms, t.at_ms);
	plays(&t, 1, ORDER_OFFER, "{'what':'takeback','from':4}", t.at_ms,
	    t.at_ms);
	offer = game_seq(t.game);
	due = game_deadline_ms(t.game, 1);
	(void)notices(&t, due, due);
	t.at_ms = t.now_ms = due + MINUTE;
	claim_accept(&t, 2, offer);
	assert_int_equal(game_notice_seq(t.game, 2), -1);
	claim_is_good(&t);
}

static void
the_second_line_has_the_dice_of_a_default(void **state)
{
	struct table t;
	int64_t due, to;

	(void)state;
	claim_begun(&t, CLOCK("'then':'default'"));
	plays(&t, 1, ORDER_DECLARE, TABLE_GUNS, t.at_ms, t.at_ms);
	due = game_deadline_ms(t.game, 2);
	t.at_ms = t.now_ms = due;
	assert_int_equal(table_make(&t, 1, ORDER_CLAIM, table_json("{}")), 0);
	claim_add(&t, 1, "place", "c/1/ru-a1/1/1");
	table_refuses(&t, 1, ERR_ILLEGAL, "order.own");
	claims(&t, 1, -1, due, due);
	to = game_notice_seq(t.game, 1);
	assert_true(to >= 0);
	claims(&t, 1, to, due + HOUR, due + HOUR);
	assert_int_equal(t.fx.entry.claimed, GAME_CLAIMED_DEFAULT);
	assert_int_equal(game_notice_seq(t.game, 1), -1);
	claim_is_good(&t);
}

static void
games_without_a_notice_keep_the_claim_in_one_line(void **state)
{
	struct table t;
	int64_t due;

	(void)state;
	claim_begun(&t,
	    "{'clock':{'per':'order','first_s':3600,'notice_s':0,"
	    "'then':'forfeit'}}");
	due = game_deadline_ms(t.game, 1);
	claims(&t, 2, -1, due, due - HOUR);
	claim_result(&t, "forfeit", 2);
	claim_is_good(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_claim_takes_a_notice_and_a_second_line),
	    cmocka_unit_test(what_a_claim_in_two_lines_must_have),
	    cmocka_unit_test(a_move_ends_a_notice_and_talk_does_not),
	    cmocka_unit_test(one_wrong_clock_decides_no_game),
	    cmocka_unit_test(holidays_and_pauses_do_not_count_to_a_notice),
	    cmocka_unit_test(an_accepted_takeback_ends_a_notice),
	    cmocka_unit_test(the_second_line_has_the_dice_of_a_default),
	    cmocka_unit_test(games_without_a_notice_keep_the_claim_in_one_line),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
