/* SPDX-License-Identifier: ISC */
/*
 * The director's rulings in whole games, each of which a verifier must find
 * good and in the same state (umpire-record.7, S6.8).
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
#include "common/rules/roster.h"

#include "tests/lib/claim.h"
#include "tests/lib/table.h"

#define WHY "'why':" TABLE_REF
#define DIRECTED "'options':{'director':true}"
#define WEAK "{'units':[{'id':'fr-1','strength':4}]," WHY "}"

/* What a unit's strength is now. */
static int
strength(const struct table *t, const char *id)
{
	const json_t *unit = roster_find(t->game->roster, id, NULL);

	assert_non_null(unit);
	return ((int)json_integer_value(json_object_get(unit, "strength")));
}

/* Gives a ruling that must be taken; its line. */
static int64_t
rule(struct table *t, const char *args)
{
	table_play(t, 0, ORDER_RULING, args);
	assert_int_equal(t->game->state_seq, t->game->seq);
	assert_int_equal(json_array_size(t->fx.events), 0);
	return (game_seq(t->game));
}

/* Rules on a claim. */
static void
rule_claim(
    struct table *t, int64_t claim, const char *more, int r, const char *why)
{
	char args[200];

	(void)snprintf(args, sizeof(args), "{'claim':%lld,%s," WHY "}",
	    (long long)claim, more);
	if (r == 0)
		(void)rule(t, args);
	else
		table_no(t, 0, ORDER_RULING, args, r, why);
}

/* A game whose side 1 was claimed against when it was due; the claim. */
static int64_t
claimed(struct table *t, const char *clock)
{
	char more[300];

	(void)snprintf(more, sizeof(more), "{'clock':%s," DIRECTED "}", clock);
	claim_begun(t, more);
	t->at_ms = game_deadline_ms(t->game, 1);
	table_play(t, 2, ORDER_CLAIM, "{}");
	assert_int_equal(game_phase(t->game), GAME_PLAY);
	assert_int_equal(t->game->clock.claim_seq, game_seq(t->game));
	assert_int_equal(t->game->state_seq, t->game->seq);
	/* Clocks stand still, and one claim is enough. */
	assert_int_equal(game_deadline_ms(t->game, 1), -1);
	table_reload(t);
	claim_fails(t, 2, t->at_ms + 900000000);
	return (t->game->clock.claim_seq);
}

static const char per_order[] = "{'per':'order','first_s':600,'grace_s':60,"
				"'then':'director'}";
static const char per_side[] =
    "{'per':'side','first_s':600,'add_s':50,'cap_s':600,'grace_s':60,"
    "'then':'director'}";

static void
the_director_gives_more_time(void **state)
{
	static const char *const clocks[] = {per_order, per_side};
	struct table t;
	int64_t claim;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		claim = claimed(&t, clocks[i]);
		rule_claim(&t, claim - 1, "'do':'forfeit'", ERR_STALE,
		    "order.args.claim");
		rule_claim(&t, claim, "'do':'extend'", ERR_ILLEGAL, "extend_s");
		rule_claim(&t, claim, "'do':'extend','extend_s':59",
		    ERR_ILLEGAL, "extend_s");
		rule_claim(&t, claim, "'do':'extend','extend_s':31536001",
		    ERR_ILLEGAL, "extend_s");
		rule_claim(&t, claim, "'do':'forfeit','extend_s':60",
		    ERR_ILLEGAL, "one thing");
		rule_claim(
		    &t, claim, "'do':'wait'", ERR_ILLEGAL, "order.args.do");
		rule_claim(&t, claim, "'do':'extend','extend_s':100", 0, NULL);
		/* Nothing was left, the grace is new. */
		assert_int_equal(
		    game_deadline_ms(t.game, 1), t.game->at_ms + 160000);
		table_reload(&t);
		rule_claim(
		    &t, claim, "'do':'forfeit'", ERR_STALE, "order.args.claim");
		claim_fails(&t, 2, t.game->at_ms + 159999);
		t.at_ms = game_deadline_ms(t.game, 1);
		table_play(&t, 2, ORDER_CLAIM, "{}");
		claim = game_seq(t.game);
		assert_int_equal(t.game->clock.claim_seq, claim);
		rule_claim(&t, claim, "'do':'forfeit'", 0, NULL);
		claim_result(&t, "forfeit", 2);
		table_reload(&t);
		claim_is_good(&t);
	}
}

static void
the_next_state_line_ends_a_claim_that_waits(void **state)
{
	struct table t;
	int64_t claim;

	(void)state;
	claim = claimed(&t, per_side);
	/* Talk does not. */
	table_play(&t, 1, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 1, ORDER_OFFER, "{'what':'draw'}");
	assert_int_equal(t.game->clock.claim_seq, claim);
	/* A late order does; what was spent is spent. */
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	assert_int_equal(t.game->clock.claim_seq, -1);
	assert_int_equal(game_deadline_ms(t.game, 1), t.game->at_ms + 60000);
	rule_claim(&t, claim, "'do':'forfeit'", ERR_STALE, "order.args.claim");
	table_reload(&t);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	assert_int_equal(t.game->clock.sides[1].left, 50000);
	claim_is_good(&t);
	/* So does a ruling of another kind, and the grace runs again. */
	claim = claimed(&t, per_order);
	(void)rule(&t, "{" WHY "}");
	assert_int_equal(t.game->clock.claim_seq, -1);
	assert_int_equal(game_deadline_ms(t.game, 1), t.game->at_ms + 60000);
	claim_is_good(&t);
	/* And so does the end of the game. */
	claim = claimed(&t, per_order);
	table_play(&t, 2, ORDER_RESIGN, "{}");
	claim_result(&t, "resign", 1);
	assert_int_equal(t.game->clock.claim_seq, -1);
	claim_is_good(&t);
}

static void
a_ruling_waits_for_seats_1_and_2(void **state)
{
	struct table t;
	int64_t seq;

	(void)state;
	claim_begun(&t, "{'options':{'director':true,'seats':4}}");
	seq = rule(&t, WEAK);
	table_reload(&t);
	claim_no_accept(&t, 3, seq, ERR_ILLEGAL, "seats 1 and 2");
	claim_no_accept(&t, 0, seq, ERR_ILLEGAL, "seats 1 and 2");
	claim_accept(&t, 2, seq);
	assert_int_equal(t.game->state_seq, t.game->seq);
	assert_int_equal(strength(&t, "fr-1"), 5);
	table_reload(&t);
	claim_no_accept(&t, 2, seq, ERR_STALE, "already");
	/* It stays over state lines. */
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_play(&t, 2, ORDER_TURN_END, "{}");
	claim_accept(&t, 1, seq);
	assert_int_equal(strength(&t, "fr-1"), 4);
	table_reload(&t);
	claim_no_accept(&t, 1, seq, ERR_STALE, "open offer");
	/* Words alone. */
	seq = rule(&t, "{" WHY "}");
	claim_accept(&t, 1, seq);
	claim_accept(&t, 2, seq);
	claim_no_accept(&t, 1, seq, ERR_STALE, "open offer");
	assert_int_equal(game_phase(t.game), GAME_PLAY);
	claim_is_good(&t);
}

static void
a_ruling_is_declined_or_withdrawn(void **state)
{
	static const unsigned may[] = {GAME_MAY_WITHDRAW, GAME_MAY_DECLINE,
	    GAME_MAY_ACCEPT | GAME_MAY_DECLINE, 0, 0};
	const struct game_offer *f;
	struct table t;
	int64_t seq;
	int seat;

	(void)state;
	claim_begun(&t, "{'options':{'director':true,'seats':4}}");
	seq = rule(&t, "{'result':1," WHY "}");
	claim_accept(&t, 1, seq);
	/* Who has accepted may think better of it. */
	for (seat = 0; seat <= 4; seat++) {
		f = game_offer_find(t.game, seq);
		assert_int_equal(game_offer_may(t.game, f, seat), may[seat]);
		assert_int_equal(game_offer_asks(f, seat), seat == 2);
	}
	claim_no_note(&t, 4, seq, "decline", ERR_ILLEGAL, "decline");
	claim_no_note(&t, 2, seq, "withdraw", ERR_ILLEGAL, "withdraw");
	claim_no_note(&t, 0, seq, "decline", ERR_ILLEGAL, "decline");
	claim_note(&t, 2, seq, "decline");
	claim_no_accept(&t, 2, seq, ERR_STALE, "open offer");
	seq = rule(&t, "{'result':1," WHY "}");
	claim_note(&t, 0, seq, "withdraw");
	claim_no_accept(&t, 2, seq, ERR_STALE, "open offer");
	assert_int_equal(game_phase(t.game), GAME_PLAY);
	claim_is_good(&t);
}

static void
a_ruling_ends_the_game(void **state)
{
	struct table t;
	int64_t seq, other;
	int i;

	(void)state;
	for (i = 0; i <= 2; i++) {
		claim_begun(&t,
		    "{" DIRECTED
		    ",'clock':{'per':'side','first_s':60,'then':'forfeit'}}");
		if (i == 1)
			table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
		other = rule(&t, "{" WHY "}");
		seq = rule(&t,
		    i == 0       ? "{'result':0," WHY "}"
			: i == 1 ? "{'result':1," WHY "}"
				 : "{'result':2," WHY "}");
		claim_accept(&t, 1, seq);
		claim_accept(&t, 2, seq);
		claim_result(&t, "ruling", i);
		assert_false(t.game->combat.is_open);
		assert_int_equal(game_deadline_ms(t.game, 1), -1);
		table_reload(&t);
		claim_no_accept(&t, 1, other, ERR_STALE, "open offer");
		table_no(&t, 0, ORDER_RULING, "{" WHY "}", ERR_ILLEGAL, "over");
		table_play(&t, 1, ORDER_CLOSE, "{}");
		table_play(&t, 2, ORDER_CLOSE, "{}");
		claim_is_good(&t);
	}
}

/* The text of a ruling that voids a line and all after it. */
static const char *
void_from(int64_t from)
{
	static char args[200];

	(void)snprintf(args, sizeof(args), "{'void':true,'from':%lld," WHY "}",
	    (long long)from);
	return (args);
}

static void
a_ruling_voids_lines_and_moves_the_pool(void **state)
{
	uint8_t pool[HASH_LEN];
	struct table t;
	int64_t from, seq, other;

	(void)state;
	/* Also where the players may take nothing back. */
	claim_begun(&t, "{'options':{'director':true,'takeback':false}}");
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	table_play(&t, 1, ORDER_TURN_END, "{}");
	from = game_seq(t.game);
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	table_no(&t, 0, ORDER_RULING, void_from(game_seq(t.game)), ERR_STALE,
	    "order.args.from");
	table_no(&t, 0, ORDER_RULING, void_from(game_seq(t.game) + 9),
	    ERR_STALE, "order.args.from");
	other = rule(&t, "{" WHY "}");
	seq = rule(&t, void_from(from));
	memcpy(pool, game_pool(t.game), HASH_LEN);
	/* The first accept moves nothing, the last one does. */
	claim_accept(&t, 2, seq);
	assert_memory_equal(pool, game_pool(t.game), HASH_LEN);
	assert_int_equal(game_side(t.game), 2);
	table_reload(&t);
	claim_accept(&t, 1, seq);
	assert_memory_not_equal(pool, game_pool(t.game), HASH_LEN);
	assert_int_equal(game_side(t.game), 1);
	assert_true(t.fx.has_pool);
	table_reload(&t);
	/* All else that waited has lapsed. */
	claim_no_accept(&t, 1, other, ERR_STALE, "open offer");
	/* Out of reach at the last accept. */
	table_play(&t, 1, ORDER_FREE, "{'dice':1,'sides':6}");
	seq = rule(&t, void_from(game_seq(t.game)));
	claim_accept(&t, 1, seq);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	table_play(&t, 2, ORDER_TURN_END, "{}");
	claim_no_accept(&t, 2, seq, ERR_STALE, "taken back");
	table_no(
	    &t, 0, ORDER_RULING, void_from(from), ERR_STALE, "order.args.from");
	claim_is_good(&t);
}

static void
units_are_ruled_on_between_combats(void **state)
{
	struct table t;
	int64_t first, seq;

	(void)state;
	claim_begun(&t, "{" DIRECTED "}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	/* Given in a combat, in force after it. */
	seq = rule(&t, WEAK);
	claim_accept(&t, 1, seq);
	claim_no_accept(&t, 2, seq, ERR_ILLEGAL, "combat");
	table_settle(&t);
	claim_accept(&t, 2, seq);
	assert_int_equal(strength(&t, "fr-1"), 4);
	first = game_seq(t.game);
	/* What would change nothing any more is refused. */
	table_no(&t, 0, ORDER_RULING, WEAK, ERR_ILLEGAL, "order.args.units");
	/* It can itself be voided, by the line of its last accept. */
	seq = rule(&t, void_from(first));
	claim_accept(&t, 1, seq);
	claim_accept(&t, 2, seq);
	assert_int_equal(strength(&t, "fr-1"), 5);
	table_reload(&t);
	/* Two rulings for the same; the second changes nothing. */
	first = rule(&t, WEAK);
	seq = rule(&t, WEAK);
	claim_accept(&t, 1, first);
	claim_accept(&t, 1, seq);
	claim_accept(&t, 2, first);
	claim_no_accept(&t, 2, seq, ERR_ILLEGAL, "order.args.units");
	claim_is_good(&t);
}

static void
a_ruling_that_is_none_is_refused(void **state)
{
	static const struct {
		const char *args, *why;
		int r;
	} bad[] = {
	    {"{}", "order.args.why", ERR_ILLEGAL},
	    {"{'why':'because'}", "order.args.why", ERR_ILLEGAL},
	    {"{'result':1}", "order.args.why", ERR_ILLEGAL},
	    {"{'result':3," WHY "}", "order.args.result", ERR_ILLEGAL},
	    {"{'result':null," WHY "}", "order.args.result", ERR_ILLEGAL},
	    {"{'void':false,'from':4," WHY "}", "order.args.void", ERR_ILLEGAL},
	    {"{'void':1,'from':4," WHY "}", "order.args.void", ERR_ILLEGAL},
	    {"{'void':true," WHY "}", "order.args.from", ERR_ILLEGAL},
	    {"{'void':true,'from':-1," WHY "}", "order.args.from", ERR_ILLEGAL},
	    {"{'from':4," WHY "}", "one thing", ERR_ILLEGAL},
	    {"{'do':'extend'," WHY "}", "one thing", ERR_ILLEGAL},
	    {"{'extend_s':60," WHY "}", "one thing", ERR_ILLEGAL},
	    {"{'void':true,'from':4,'result':1," WHY "}", "one thing",
		ERR_ILLEGAL},
	    {"{'units':[],'result':1," WHY "}", "one thing", ERR_ILLEGAL},
	    {"{'claim':3,'do':'forfeit','result':1," WHY "}", "one thing",
		ERR_ILLEGAL},
	    {"{'units':[]," WHY "}", "order.args.units", ERR_ILLEGAL},
	    {"{'units':{}," WHY "}", "order.args.units", ERR_ILLEGAL},
	    {"{'units':[{'id':'xx','strength':1}]," WHY "}", "order.args.units",
		ERR_ILLEGAL},
	    {"{'units':[{'id':'fr-1','strength':'a'}]," WHY "}",
		"order.args.units", ERR_ILLEGAL},
	    {"{'claim':3,'do':'forfeit'," WHY "}", "order.args.claim",
		ERR_STALE},
	    {"{'claim':-1,'do':'forfeit'," WHY "}", "order.args.claim",
		ERR_ILLEGAL},
	    {"{'claim':3," WHY "}", "order.args.do", ERR_ILLEGAL},
	    {"{'fine':3," WHY "}", "order.args.fine", ERR_NEWER},
	};
	struct table t;
	size_t i;

	(void)state;
	claim_begun(&t, "{" DIRECTED "}");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		table_no(
		    &t, 0, ORDER_RULING, bad[i].args, bad[i].r, bad[i].why);
	table_no(&t, 1, ORDER_RULING, "{" WHY "}", ERR_ILLEGAL, "director");
	/* Four wait, no fifth. */
	for (i = 0; i < 4; i++)
		(void)rule(&t, "{" WHY "}");
	table_no(&t, 0, ORDER_RULING, WEAK, ERR_ILLEGAL, "4 rulings");
	claim_note(&t, 1, game_seq(t.game), "decline");
	(void)rule(&t, WEAK);
	/* Stale behind a state line. */
	assert_int_equal(
	    table_make(&t, 0, ORDER_RULING, table_json("{" WHY "}")), 0);
	claim_keep(&t);
	table_play(&t, 1, ORDER_TURN_END, "{}");
	claim_again(&t, 0);
	table_refuses(&t, 0, ERR_STALE, "moved on");
	claim_is_good(&t);
	/* Before the game. */
	claim_seated(&t, "{" DIRECTED "}");
	table_no(&t, 0, ORDER_RULING, "{" WHY "}", ERR_STALE, "not started");
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_director_gives_more_time),
	    cmocka_unit_test(the_next_state_line_ends_a_claim_that_waits),
	    cmocka_unit_test(a_ruling_waits_for_seats_1_and_2),
	    cmocka_unit_test(a_ruling_is_declined_or_withdrawn),
	    cmocka_unit_test(a_ruling_ends_the_game),
	    cmocka_unit_test(a_ruling_voids_lines_and_moves_the_pool),
	    cmocka_unit_test(units_are_ruled_on_between_combats),
	    cmocka_unit_test(a_ruling_that_is_none_is_refused),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
