/* SPDX-License-Identifier: ISC */
/*
 * Offers, proposals of rosters, accepts and notes (umpire-record.7, S5): who
 * may give which when, when they lapse, and what an accept does.  Every game
 * is saved and read back after each order, and its record verified.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_dice.h"
#include "common/game/game_undo.h"
#include "tests/lib/agree.h"

#define CLOCK "'clock':{'per':'side','first_s':86400,'then':'forfeit'}"
#define DRAW "{'what':'draw'}"
#define DAY_MS 86400000LL

/* How the game ended, as its view says. */
static void
ended(const struct table *t, const char *how, int winner)
{
	json_t *view = game_view(t->game), *result;

	assert_int_equal(game_phase(t->game), GAME_OVER);
	result = json_object_get(view, "result");
	assert_string_equal(
	    json_string_value(json_object_get(result, "how")), how);
	assert_int_equal(
	    json_integer_value(json_object_get(result, "winner")), winner);
	json_decref(view);
}

/* Changes the order in t->text: a member is set (stolen) or, NULL, gone. */
static void
reworded(struct table *t, int seat, const char *name, json_t *value)
{
	json_t *order = table_order(t);

	if (value == NULL)
		assert_int_equal(json_object_del(order, name), 0);
	else
		assert_int_equal(json_object_set_new(order, name, value), 0);
	table_reword(t, seat, order);
	json_decref(order);
}

static void
a_draw_ends_the_game_when_the_other_side_accepts(void **state)
{
	struct table t;
	int64_t to, other;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	/* Also by the side that is not in turn; it is no state line. */
	to = t.game->state_seq;
	other = agree_play(&t, 2, ORDER_OFFER, DRAW);
	assert_int_equal(t.game->state_seq, to);
	assert_true(agree_is_offered(&t, other));
	agree_accept_no(&t, 2, other, ERR_ILLEGAL, "other side");
	agree_accept_no(&t, 1, other - 1, ERR_STALE, "open offer");
	agree_accept_no(&t, 1, 400, ERR_STALE, "open offer");
	agree_no(&t, 1, ORDER_ACCEPT, ERR_ILLEGAL, "order.args.to", "{}");
	agree_no(
	    &t, 1, ORDER_ACCEPT, ERR_ILLEGAL, "order.args.to", "{'to':-1}");
	agree_no(&t, 1, ORDER_ACCEPT, ERR_NEWER, "order.args.x",
	    "{'to':%lld,'x':1}", (long long)other);
	to = agree_play(
	    &t, 1, ORDER_OFFER, "{'what':'draw','why':" TABLE_REF "}");
	agree_accept(&t, 2, to);
	ended(&t, "draw", 0);
	assert_int_equal(t.game->state_seq, game_seq(t.game));
	/* Nothing is open any more, and nothing can be offered. */
	agree_accept_no(&t, 2, to, ERR_STALE, "open offer");
	agree_accept_no(&t, 1, other, ERR_STALE, "open offer");
	agree_no(&t, 1, ORDER_OFFER, ERR_ILLEGAL, "over", DRAW);
	agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "over",
	    "{'what':'adjust','units':[{'id':'fr-1','strength':1}]}");
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "open offer",
	    "{'to':%lld,'say':'withdraw'}", (long long)to);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	agree_done(&t);
}

static void
a_victory_is_agreed_with_its_winner(void **state)
{
	struct table t;
	int winner, seat;
	int64_t to;

	(void)state;
	for (winner = 1; winner <= 2; winner++) {
		for (seat = 1; seat <= 2; seat++) {
			agree_begun(&t, table_roster, "{}");
			/* A combat that is open is dropped. */
			table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
			to = agree_play(&t, seat, ORDER_OFFER,
			    "{'what':'victory','winner':%d}", winner);
			agree_accept(&t, 3 - seat, to);
			ended(&t, "agreed", winner);
			assert_false(t.game->combat.is_open);
			agree_done(&t);
		}
	}
}

static void
args_are_checked(void **state)
{
	static const struct {
		const char *args;
		int r;
		const char *why;
	} bad[] = {
	    {"{}", ERR_ILLEGAL, "order.args.what"},
	    {"{'what':1}", ERR_ILLEGAL, "order.args.what"},
	    {"{'what':'dance'}", ERR_NEWER, "order.args.what"},
	    {"{'what':'adjust'}", ERR_NEWER, "order.args.what"},
	    {"{'what':'draw','x':1}", ERR_NEWER, "order.args.x"},
	    {"{'what':'draw','winner':1}", ERR_ILLEGAL, "order.args.winner"},
	    {"{'what':'draw','why':'tired'}", ERR_ILLEGAL, "order.args.why"},
	    {"{'what':'victory'}", ERR_ILLEGAL, "order.args.winner"},
	    {"{'what':'victory','winner':0}", ERR_ILLEGAL, "order.args.winner"},
	    {"{'what':'victory','winner':3}", ERR_ILLEGAL, "order.args.winner"},
	    {"{'what':'victory','winner':'1'}", ERR_ILLEGAL,
		"order.args.winner"},
	    {"{'what':'takeback'}", ERR_ILLEGAL, "order.args.from"},
	    {"{'what':'takeback','from':-1}", ERR_ILLEGAL, "order.args.from"},
	    {"{'what':'takeback','from':0}", ERR_ILLEGAL, "order.args.from"},
	    {"{'what':'takeback','from':300}", ERR_ILLEGAL, "order.args.from"},
	    {"{'what':'pause'}", ERR_ILLEGAL, "order.args.days"},
	    {"{'what':'pause','days':0}", ERR_ILLEGAL, "order.args.days"},
	    {"{'what':'pause','days':367}", ERR_ILLEGAL, "order.args.days"},
	    {"{'what':'truce'}", ERR_ILLEGAL, "order.args.turns"},
	    {"{'what':'truce','turns':0}", ERR_ILLEGAL, "order.args.turns"},
	    {"{'what':'truce','turns':100}", ERR_ILLEGAL, "order.args.turns"},
	};
	struct table t;
	size_t i;

	(void)state;
	agree_begun(&t, table_roster, "{" CLOCK "}");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		table_no(&t, 1, ORDER_OFFER, bad[i].args, bad[i].r, bad[i].why);
	agree_no(&t, 1, ORDER_PROPOSE, ERR_NEWER, "order.args.what", DRAW);
	agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "order.args.what", "{}");
	agree_no(&t, 1, ORDER_NOTE, ERR_NEWER, "order.args.x",
	    "{'to':1,'say':'decline','x':1}");
	agree_no(&t, 1, ORDER_NOTE, ERR_ILLEGAL, "order.args.say",
	    "{'to':1,'say':'shrug'}");
	agree_no(&t, 1, ORDER_NOTE, ERR_ILLEGAL, "order.args.why",
	    "{'to':1,'say':'decline','why':'no'}");
	agree_no(&t, 1, ORDER_NOTE, ERR_ILLEGAL, "order.args.to",
	    "{'say':'decline'}");
	agree_play(&t, 1, ORDER_OFFER, "{'what':'truce','turns':99}");
	agree_play(&t, 1, ORDER_OFFER, "{'what':'pause','days':366}");
	agree_done(&t);
}

static void
offers_wait_for_the_start_and_rosters_do_not(void **state)
{
	uint8_t hash[HASH_LEN];
	char hex[2 * HASH_LEN + 1];
	struct table t;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	table_put(&t, table_roster, hash);
	hex_format(hex, hash, HASH_LEN);
	agree_no(&t, 1, ORDER_OFFER, ERR_ILLEGAL, "not started", DRAW);
	agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "not started",
	    "{'what':'adjust','units':[{'id':'fr-1','strength':1}]}");
	agree_start(&t);
	agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "before the game",
	    "{'what':'roster','roster':'%s'}", hex);
	agree_done(&t);
}

static void
a_director_offers_and_accepts_nothing(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	agree_begun(&t, table_roster, "{'options':{'director':true}}");
	agree_no(&t, 0, ORDER_OFFER, ERR_ILLEGAL, "order.seat", DRAW);
	agree_no(&t, 0, ORDER_PROPOSE, ERR_ILLEGAL, "order.seat",
	    "{'what':'adjust','units':[{'id':'fr-1','strength':1}]}");
	to = agree_play(&t, 1, ORDER_OFFER, DRAW);
	agree_accept_no(&t, 0, to, ERR_ILLEGAL, "other side");
	agree_no(&t, 0, ORDER_NOTE, ERR_ILLEGAL, "decline",
	    "{'to':%lld,'say':'decline'}", (long long)to);
	agree_no(&t, 0, ORDER_NOTE, ERR_ILLEGAL, "withdraw",
	    "{'to':%lld,'say':'withdraw'}", (long long)to);
	agree_done(&t);
}

static void
a_side_has_eight_offers_open_at_most(void **state)
{
	struct table t;
	int64_t to = 0;
	int i;

	(void)state;
	agree_begun(&t, table_roster, "{'options':{'seats':4}}");
	/* Adjustments and offers count together, and so do team-mates. */
	for (i = 0; i < 4; i++) {
		to = agree_play(&t, i % 2 == 0 ? 1 : 3, ORDER_OFFER, DRAW);
		agree_play(&t, 3, ORDER_PROPOSE,
		    "{'what':'adjust','units':[{'id':'fr-1','strength':%d}]}",
		    1 + i);
	}
	agree_no(&t, 1, ORDER_OFFER, ERR_ILLEGAL, "withdrawn first", DRAW);
	agree_no(&t, 3, ORDER_PROPOSE, ERR_ILLEGAL, "withdrawn first",
	    "{'what':'adjust','units':[{'id':'fr-2','strength':1}]}");
	agree_play(&t, 4, ORDER_OFFER, DRAW);
	agree_play(
	    &t, 1, ORDER_NOTE, "{'to':%lld,'say':'withdraw'}", (long long)to);
	agree_play(&t, 1, ORDER_OFFER, DRAW);
	agree_no(&t, 1, ORDER_OFFER, ERR_ILLEGAL, "withdrawn first", DRAW);
	agree_done(&t);
}

static void
notes_decline_and_withdraw(void **state)
{
	struct table t;
	int64_t a, b, was;

	(void)state;
	agree_begun(&t, table_roster, "{'options':{'seats':4}}");
	a = agree_play(&t, 1, ORDER_OFFER, DRAW);
	b = agree_play(&t, 2, ORDER_OFFER, DRAW);
	was = t.game->state_seq;
	agree_no(&t, 3, ORDER_NOTE, ERR_ILLEGAL, "decline",
	    "{'to':%lld,'say':'decline'}", (long long)a);
	agree_no(&t, 2, ORDER_NOTE, ERR_ILLEGAL, "withdraw",
	    "{'to':%lld,'say':'withdraw'}", (long long)a);
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "not a join",
	    "{'to':%lld,'say':'refuse'}", (long long)a);
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "open offer",
	    "{'to':%lld,'say':'decline'}", (long long)b + 1);
	agree_play(&t, 4, ORDER_NOTE,
	    "{'to':%lld,'say':'decline','why':" TABLE_REF "}", (long long)a);
	assert_false(agree_is_offered(&t, a));
	agree_accept_no(&t, 2, a, ERR_STALE, "open offer");
	agree_no(&t, 2, ORDER_NOTE, ERR_STALE, "open offer",
	    "{'to':%lld,'say':'decline'}", (long long)a);
	/* A team-mate may withdraw it. */
	agree_play(
	    &t, 4, ORDER_NOTE, "{'to':%lld,'say':'withdraw'}", (long long)b);
	assert_false(agree_is_offered(&t, b));
	agree_no(&t, 2, ORDER_NOTE, ERR_STALE, "standing order",
	    "{'to':%lld,'say':'withdraw'}", (long long)b);
	assert_int_equal(t.game->state_seq, was);
	agree_done(&t);
}

static void
offers_lapse_with_the_other_sides_next_move(void **state)
{
	/* Line 4 is the end of a turn. */
	static const char *const brief[] = {DRAW,
	    "{'what':'victory','winner':1}", "{'what':'takeback','from':4}",
	    "{'what':'pause','days':3}", "{'what':'truce','turns':2}"};
	struct table t;
	int64_t ours[5], theirs[5], adjust;
	size_t i;

	(void)state;
	agree_begun(&t, table_roster, "{" CLOCK "}");
	assert_int_equal(agree_play(&t, 1, ORDER_TURN_END, "{}"), 4);
	for (i = 0; i < 5; i++) {
		ours[i] = agree_play(&t, 1, ORDER_OFFER, "%s", brief[i]);
		theirs[i] = agree_play(&t, 2, ORDER_OFFER, "%s", brief[i]);
	}
	adjust = agree_play(&t, 1, ORDER_PROPOSE,
	    "{'what':'adjust','units':[{'id':'fr-1','strength':1}]}");
	agree_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	for (i = 0; i < 5; i++)
		assert_true(agree_is_offered(&t, ours[i]));
	agree_play(&t, 2, ORDER_TURN_END, "{}");
	for (i = 0; i < 5; i++) {
		assert_false(agree_is_offered(&t, ours[i]));
		assert_true(agree_is_offered(&t, theirs[i]));
		agree_accept_no(&t, 2, ours[i], ERR_STALE, "open offer");
	}
	/* An adjustment stays while its units are as they were. */
	assert_true(agree_is_offered(&t, adjust));
	/* A reply lets nothing lapse but what it replies to. */
	agree_accept(&t, 1, theirs[4]);
	for (i = 0; i < 4; i++)
		assert_true(agree_is_offered(&t, theirs[i]));
	assert_false(agree_is_offered(&t, theirs[4]));
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	for (i = 0; i < 4; i++)
		assert_false(agree_is_offered(&t, theirs[i]));
	assert_true(agree_is_offered(&t, adjust));
	agree_done(&t);
}

static void
a_truce_forbids_combats_for_its_turns(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	to = agree_play(&t, 2, ORDER_OFFER, "{'what':'truce','turns':2}");
	agree_accept(&t, 1, to);
	assert_int_equal(t.game->truce, 3);
	assert_int_equal(t.game->state_seq, game_seq(t.game));
	table_no(&t, 1, ORDER_DECLARE, TABLE_FIGHT, ERR_ILLEGAL, "truce");
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	agree_play(&t, 2, ORDER_TURN_END, "{}");
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	agree_done(&t);
}

static void
a_pause_stops_clocks_from_the_accept_on(void **state)
{
	struct table t;
	int64_t to, at;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	agree_no(&t, 1, ORDER_OFFER, ERR_ILLEGAL, "no clock",
	    "{'what':'pause','days':1}");
	agree_done(&t);
	agree_begun(&t, table_roster, "{" CLOCK "}");
	to = agree_play(&t, 2, ORDER_OFFER, "{'what':'pause','days':2}");
	/* A time in which side 1, whose turn it is, loses some of its own. */
	t.at_ms += 3600000;
	at = t.at_ms;
	agree_accept(&t, 1, to);
	assert_int_equal(t.game->clock.paused_until, at + 2 * DAY_MS);
	assert_true(t.game->clock.sides[1].left <= DAY_MS - 3600000);
	agree_done(&t);
}

static void
an_accept_has_a_place_exactly_if_it_moves_the_pool(void **state)
{
	uint8_t own[VRF_PROOF_LEN];
	struct table t;
	int64_t from, draw, back;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	from = agree_play(&t, 1, ORDER_TURN_END, "{}");
	draw = agree_play(&t, 1, ORDER_OFFER, DRAW);
	back = agree_play(&t, 1, ORDER_OFFER, "{'what':'takeback','from':%lld}",
	    (long long)from);
	assert_false(game_accept_moves(t.game, 2, draw));
	assert_true(game_accept_moves(t.game, 2, back));
	assert_false(game_accept_moves(t.game, 2, back + 1));
	assert_int_equal(game_dice_make(t.game, &t.keys[2].dice, "umpire/own/1",
			     "p/2", NULL, own),
	    0);
	/* A draw with them. */
	assert_int_equal(table_make(&t, 2, ORDER_ACCEPT,
			     json_pack("{s:I}", "to", (json_int_t)draw)),
	    0);
	reworded(&t, 2, "place", json_string("p/2"));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.place");
	reworded(&t, 2, "own", js_hex(own, sizeof(own)));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.place");
	reworded(&t, 2, "place", NULL);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.place");
	/* A takeback without one, with another place, with another proof. */
	assert_int_equal(table_make(&t, 2, ORDER_ACCEPT,
			     json_pack("{s:I}", "to", (json_int_t)back)),
	    0);
	reworded(&t, 2, "place", json_string("p/1"));
	table_refuses(&t, 2, ERR_STALE, "p/2");
	reworded(&t, 2, "place", json_string("p/2"));
	assert_int_equal(game_dice_make(t.game, &t.keys[1].dice, "umpire/own/1",
			     "p/2", NULL, own),
	    0);
	reworded(&t, 2, "own", js_hex(own, sizeof(own)));
	table_refuses(&t, 2, ERR_ILLEGAL, "order.own");
	reworded(&t, 2, "own", NULL);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.place");
	reworded(&t, 2, "place", NULL);
	table_refuses(&t, 2, ERR_ILLEGAL, "order.place");
	agree_accept(&t, 2, back);
	agree_done(&t);
}

static void
nothing_is_accepted_while_an_answer_is_owed(void **state)
{
	struct table t;
	int64_t draw, owing;

	(void)state;
	agree_begun(&t, table_roster, "{'confirm':true}");
	draw = agree_play(&t, 2, ORDER_OFFER, DRAW);
	agree_play(&t, 1, ORDER_OFFER, DRAW);
	owing = agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	/* It lapsed with the declare; a new one may be made, and waits. */
	agree_accept_no(&t, 1, draw, ERR_STALE, "open offer");
	draw = agree_play(&t, 2, ORDER_OFFER, DRAW);
	agree_accept_no(&t, 1, draw, ERR_STALE, "answer first");
	agree_play(&t, 2, ORDER_ANSWER, "{'to':%lld,'say':'object'}",
	    (long long)owing);
	agree_accept(&t, 1, draw);
	ended(&t, "draw", 0);
	agree_done(&t);
}

/* A roster that differs from table_roster in one strength. */
static char *
other_roster(char strength)
{
	char *text = strdup(table_roster);
	char *p = strstr(text, "\"strength\":5");

	assert_non_null(p);
	p[strlen("\"strength\":")] = strength;
	return (text);
}

/* Adds a roster; hex is its hash. */
static void
put_roster(struct table *t, char strength, char hex[2 * HASH_LEN + 1])
{
	uint8_t hash[HASH_LEN];
	char *text = other_roster(strength);

	table_put(t, text, hash);
	hex_format(hex, hash, HASH_LEN);
	free(text);
}

static void
rosters_change_until_the_last_ready(void **state)
{
	char hex[2 * HASH_LEN + 1], again[2 * HASH_LEN + 1];
	uint8_t hash[HASH_LEN];
	struct table t;
	int64_t to, late;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	agree_no(&t, 2, ORDER_PROPOSE, ERR_MISSING, "order.args.roster",
	    "{'what':'roster',"
	    "'roster':'222222222222222222222222222222222222222222222222222222"
	    "2222222222'}");
	agree_no(&t, 2, ORDER_PROPOSE, ERR_ILLEGAL, "order.args.roster",
	    "{'what':'roster','roster':'22'}");
	agree_no(&t, 2, ORDER_PROPOSE, ERR_ILLEGAL, "order.args.units",
	    "{'what':'roster','roster':'22','units':[]}");
	put_roster(&t, '7', hex);
	to = agree_play(&t, 2, ORDER_PROPOSE,
	    "{'what':'roster','roster':'%s','why':" TABLE_REF "}", hex);
	assert_int_equal(
	    json_integer_value(agree_unit(&t, "fr-1", "strength")), 5);
	agree_accept_no(&t, 2, to, ERR_ILLEGAL, "other side");
	agree_accept(&t, 1, to);
	assert_int_equal(
	    json_integer_value(agree_unit(&t, "fr-1", "strength")), 7);
	hex_format(again, t.game->roster_blob, HASH_LEN);
	assert_string_equal(again, hex);
	assert_int_equal(t.game->state_seq, game_seq(t.game));
	agree_accept_no(&t, 1, to, ERR_STALE, "open offer");
	/* Between the readies, and with one that is never accepted. */
	table_play(&t, 1, ORDER_READY, "{}");
	put_roster(&t, '8', hex);
	to = agree_play(
	    &t, 1, ORDER_PROPOSE, "{'what':'roster','roster':'%s'}", hex);
	put_roster(&t, '9', hex);
	late = agree_play(
	    &t, 1, ORDER_PROPOSE, "{'what':'roster','roster':'%s'}", hex);
	agree_accept(&t, 2, to);
	table_play(&t, 2, ORDER_READY, "{}");
	table_reload(&t);
	assert_int_equal(game_phase(t.game), GAME_PLAY);
	agree_accept_no(&t, 2, late, ERR_STALE, "open offer");
	assert_int_equal(
	    json_integer_value(agree_unit(&t, "fr-1", "strength")), 8);
	memcpy(hash, t.game->roster_blob, HASH_LEN);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	table_reload(&t);
	assert_memory_equal(hash, t.game->roster_blob, HASH_LEN);
	agree_done(&t);
}

static void
a_roster_that_does_not_hold_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} bad[] = {
	    {"{'blob':'tables','tables':{}}", ""},
	    {"{'system':'lasalle2','blob':'roster'}", "first member"},
	    {"{'blob':'roster','system':'tlnb','sides':{}}", "lasalle2"},
	    {"{'blob':'roster','system':'lasalle2','sides':{'1':{'units':["
	     "{'id':'a','arm':'infantry','strength':0}]},'2':{'units':["
	     "{'id':'b','arm':'infantry','strength':1}]}}}",
		"strength"},
	    {"{'blob':", ""},
	};
	char hex[2 * HASH_LEN + 1];
	uint8_t hash[HASH_LEN];
	struct table t;
	size_t i;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		table_put(&t, bad[i].text, hash);
		hex_format(hex, hash, HASH_LEN);
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, bad[i].why,
		    "{'what':'roster','roster':'%s'}", hex);
	}
	table_clear(&t);
}

static void
a_record_whose_roster_is_missing_cannot_be_checked(void **state)
{
	struct verify_options opt = {.server = NULL};
	struct verify_report rep;
	char hex[2 * HASH_LEN + 1];
	struct errinfo e = {.text = ""};
	struct buf out;
	struct table t;
	int64_t to;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	put_roster(&t, '7', hex);
	to = agree_play(
	    &t, 2, ORDER_PROPOSE, "{'what':'roster','roster':'%s'}", hex);
	agree_accept(&t, 1, to);
	agree_start(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	agree_verify(&t);
	assert_int_equal(json_object_del(t.blobs, hex), 0);
	buf_init(&out, 0);
	table_export(&t, &out);
	if (verify_bytes(out.data, out.len, &opt, &rep, NULL, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	assert_true(rep.is_unchecked);
	assert_string_equal(rep.unchecked.where, "args.roster");
	assert_int_equal(rep.lines, game_seq(t.game) + 1);
	buf_clear(&out);
	table_clear(&t);
}

static void
a_joiner_is_refused_before_the_first_ready(void **state)
{
	char hex[2 * HASH_LEN + 1];
	struct table t;
	json_t *args;
	int64_t join, was, roster;

	(void)state;
	agree_seated(&t, table_roster, "{'options':{'seats':4}}");
	join = t.game->seats[2].join_seq;
	assert_int_equal(join, 1);
	was = t.game->state_seq;
	put_roster(&t, '7', hex);
	roster = agree_play(
	    &t, 2, ORDER_PROPOSE, "{'what':'roster','roster':'%s'}", hex);
	agree_no(&t, 3, ORDER_NOTE, ERR_ILLEGAL, "made the game",
	    "{'to':%lld,'say':'refuse'}", (long long)join);
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "not a join",
	    "{'to':0,'say':'refuse'}");
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "not a join",
	    "{'to':%lld,'say':'refuse'}", (long long)roster);
	table_play(&t, 1, ORDER_NOTE, "{'to':1,'say':'refuse'}");
	assert_int_equal(t.fx.freed_seat, 2);
	table_reload(&t);
	assert_false(game_is_joined(t.game, 2));
	assert_true(game_is_refused(t.game, "p2"));
	assert_false(game_is_refused(t.game, "p1"));
	assert_int_equal(t.game->state_seq, was);
	/* What was proposed from the seat is gone, too. */
	agree_accept_no(&t, 1, roster, ERR_STALE, "open offer");
	/* Once is enough. */
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "not a join",
	    "{'to':1,'say':'refuse'}");
	/* Not with the same account, in whatever seat. */
	assert_int_equal(
	    table_make(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
	table_refuses(&t, 2, ERR_ILLEGAL, "refused");
	args = table_seat_args(&t, 2);
	json_object_set_new(args, "account", json_string("p9"));
	assert_int_equal(table_try(&t, 2, ORDER_JOIN, args), 0);
	assert_int_equal(t.fx.freed_seat, -1);
	table_reload(&t);
	agree_start(&t);
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "not a join",
	    "{'to':%lld,'say':'refuse'}", (long long)t.game->seats[2].join_seq);
	agree_done(&t);
}

static void
a_ready_ends_refusing(void **state)
{
	struct table t;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	table_play(&t, 2, ORDER_READY, "{}");
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "not a join",
	    "{'to':1,'say':'refuse'}");
	table_clear(&t);
}

/* A standing order that is taken; its line. */
static int64_t
stands(struct table *t, int seat)
{
	int r = table_stand(t, seat, "{'kind':'retire','do':'all'}");

	if (r != 0)
		fail_msg("%d %s: %s", r, t->e.where, t->e.text);
	table_reload(t);
	return (game_seq(t->game));
}

static void
a_standing_order_is_withdrawn_by_its_seat_alone(void **state)
{
	struct table t;
	int64_t a, was;

	(void)state;
	agree_begun(&t, table_roster, "{'options':{'seats':4}}");
	a = stands(&t, 2);
	was = t.game->state_seq;
	agree_no(&t, 4, ORDER_NOTE, ERR_ILLEGAL, "seat 2's",
	    "{'to':%lld,'say':'withdraw'}", (long long)a);
	agree_no(&t, 1, ORDER_NOTE, ERR_STALE, "open offer",
	    "{'to':%lld,'say':'decline'}", (long long)a);
	agree_accept_no(&t, 1, a, ERR_STALE, "open offer");
	agree_play(
	    &t, 2, ORDER_NOTE, "{'to':%lld,'say':'withdraw'}", (long long)a);
	assert_true(t.game->standings[0].is_withdrawn);
	assert_int_equal(t.game->state_seq, was);
	agree_no(&t, 2, ORDER_NOTE, ERR_STALE, "standing order",
	    "{'to':%lld,'say':'withdraw'}", (long long)a);
	/* Of a game that is over nothing is withdrawn. */
	a = stands(&t, 2);
	agree_play(&t, 1, ORDER_RESIGN, "{}");
	agree_no(&t, 2, ORDER_NOTE, ERR_STALE, "standing order",
	    "{'to':%lld,'say':'withdraw'}", (long long)a);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	agree_done(&t);
}

static void
what_a_refused_joiner_ordered_stands_no_more(void **state)
{
	struct table t;
	json_t *args;

	(void)state;
	agree_seated(&t, table_roster, "{}");
	(void)stands(&t, 2);
	(void)stands(&t, 1);
	agree_play(&t, 1, ORDER_NOTE, "{'to':1,'say':'refuse'}");
	assert_int_equal(t.game->n_standings, 1);
	assert_int_equal(t.game->standings[0].seat, 1);
	args = table_seat_args(&t, 2);
	json_object_set_new(args, "account", json_string("p9"));
	assert_int_equal(table_try(&t, 2, ORDER_JOIN, args), 0);
	agree_start(&t);
	/* Side 2 is asked all the same. */
	agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(table_is_asked(&t));
	agree_play(&t, 1, ORDER_RESIGN, "{}");
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	agree_done(&t);
}

static void
a_director_who_made_the_game_refuses(void **state)
{
	struct table t;
	json_t *args, *more;

	(void)state;
	table_init(&t);
	args = table_create_args(&t, table_roster);
	/* He signs with seat 1's key, and another sits there. */
	more = table_json("{'seat':0,'account':'p0','options':"
			  "{'director':true}}");
	assert_int_equal(json_object_update(args, more), 0);
	json_decref(more);
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), 0);
	t.keys[0] = t.keys[1];
	t.keys[1] = t.keys[3];
	assert_int_equal(
	    table_try(&t, 1, ORDER_JOIN, table_seat_args(&t, 1)), 0);
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
	table_reload(&t);
	agree_no(&t, 1, ORDER_NOTE, ERR_ILLEGAL, "made the game",
	    "{'to':2,'say':'refuse'}");
	agree_no(&t, 1, ORDER_NOTE, ERR_ILLEGAL, "made the game",
	    "{'to':1,'say':'refuse'}");
	agree_play(&t, 0, ORDER_NOTE, "{'to':1,'say':'refuse'}");
	assert_false(game_is_joined(t.game, 1));
	agree_done(&t);
}

static void
a_ruling_waits_for_seats_1_and_2(void **state)
{
	struct table t;
	int64_t a, b;

	(void)state;
	agree_begun(
	    &t, table_roster, "{'options':{'director':true,'seats':4}}");
	a = agree_play(&t, 0, ORDER_RULING, "{'result':2,'why':" TABLE_REF "}");
	agree_accept_no(&t, 0, a, ERR_ILLEGAL, "seats 1 and 2");
	agree_accept_no(&t, 3, a, ERR_ILLEGAL, "seats 1 and 2");
	agree_no(&t, 3, ORDER_NOTE, ERR_ILLEGAL, "decline",
	    "{'to':%lld,'say':'decline'}", (long long)a);
	agree_no(&t, 1, ORDER_NOTE, ERR_ILLEGAL, "withdraw",
	    "{'to':%lld,'say':'withdraw'}", (long long)a);
	agree_no(&t, 0, ORDER_NOTE, ERR_ILLEGAL, "decline",
	    "{'to':%lld,'say':'decline'}", (long long)a);
	agree_play(
	    &t, 2, ORDER_NOTE, "{'to':%lld,'say':'decline'}", (long long)a);
	agree_accept_no(&t, 1, a, ERR_STALE, "open offer");
	a = agree_play(&t, 0, ORDER_RULING, "{'why':" TABLE_REF "}");
	agree_play(
	    &t, 0, ORDER_NOTE, "{'to':%lld,'say':'withdraw'}", (long long)a);
	agree_accept_no(&t, 1, a, ERR_STALE, "open offer");
	/* It stays open over state lines, and offers do not. */
	a = agree_play(&t, 0, ORDER_RULING, "{'result':2,'why':" TABLE_REF "}");
	b = agree_play(&t, 1, ORDER_OFFER, DRAW);
	agree_accept(&t, 2, a);
	assert_int_equal(t.game->state_seq, game_seq(t.game));
	assert_true(agree_is_offered(&t, a));
	assert_true(agree_is_offered(&t, b));
	agree_accept_no(&t, 2, a, ERR_STALE, "already");
	agree_play(&t, 1, ORDER_TURN_END, "{}");
	agree_play(&t, 2, ORDER_TURN_END, "{}");
	assert_false(agree_is_offered(&t, b));
	agree_accept(&t, 1, a);
	ended(&t, "ruling", 2);
	agree_accept_no(&t, 1, a, ERR_STALE, "open offer");
	agree_done(&t);
}

static void
rulings_in_words_and_on_units_come_in_force(void **state)
{
	struct table t;
	int64_t a;

	(void)state;
	agree_begun(&t, table_roster, "{'options':{'director':true}}");
	a = agree_play(&t, 0, ORDER_RULING, "{'why':" TABLE_REF "}");
	agree_accept(&t, 1, a);
	agree_accept(&t, 2, a);
	assert_false(agree_is_offered(&t, a));
	a = agree_play(&t, 0, ORDER_RULING,
	    "{'units':[{'id':'ru-1','strength':2},{'id':'fr-1',"
	    "'out':'left'}],'why':" TABLE_REF "}");
	agree_accept(&t, 2, a);
	assert_int_equal(
	    json_integer_value(agree_unit(&t, "ru-1", "strength")), 5);
	agree_accept(&t, 1, a);
	assert_int_equal(
	    json_integer_value(agree_unit(&t, "ru-1", "strength")), 2);
	assert_non_null(agree_unit(&t, "fr-1", "out"));
	assert_true(game_undo_reaches(t.game, game_seq(t.game)));
	agree_done(&t);
}

static void
a_ruling_takes_lines_back_with_its_last_accept(void **state)
{
	struct table t;
	uint8_t pool[HASH_LEN];
	struct buf before, after;
	int64_t from, a, draw;

	(void)state;
	buf_init(&before, 0);
	buf_init(&after, 0);
	agree_begun(
	    &t, table_roster, "{'options':{'director':true,'takeback':false}}");
	agree_roster(&t, &before);
	from = agree_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	/* The option forbids offers; the director may still rule. */
	agree_no(&t, 1, ORDER_OFFER, ERR_ILLEGAL, "does not allow takebacks",
	    "{'what':'takeback','from':%lld}", (long long)from);
	a = agree_play(&t, 0, ORDER_RULING,
	    "{'void':true,'from':%lld,'why':" TABLE_REF "}", (long long)from);
	draw = agree_play(&t, 1, ORDER_OFFER, DRAW);
	assert_false(game_accept_moves(t.game, 1, a));
	assert_false(game_accept_moves(t.game, 3, a));
	memcpy(pool, t.game->pool, HASH_LEN);
	agree_accept(&t, 1, a);
	assert_memory_equal(pool, t.game->pool, HASH_LEN);
	assert_true(agree_is_offered(&t, draw));
	assert_false(game_accept_moves(t.game, 1, a));
	assert_true(game_accept_moves(t.game, 2, a));
	agree_accept(&t, 2, a);
	assert_memory_not_equal(pool, t.game->pool, HASH_LEN);
	assert_string_equal(buf_str(&before), agree_roster(&t, &after));
	assert_int_equal(t.game->n_offers, 0);
	agree_accept_no(&t, 2, draw, ERR_STALE, "open offer");
	buf_clear(&before);
	buf_clear(&after);
	agree_done(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_draw_ends_the_game_when_the_other_side_accepts),
	    cmocka_unit_test(a_victory_is_agreed_with_its_winner),
	    cmocka_unit_test(args_are_checked),
	    cmocka_unit_test(offers_wait_for_the_start_and_rosters_do_not),
	    cmocka_unit_test(a_director_offers_and_accepts_nothing),
	    cmocka_unit_test(a_side_has_eight_offers_open_at_most),
	    cmocka_unit_test(notes_decline_and_withdraw),
	    cmocka_unit_test(offers_lapse_with_the_other_sides_next_move),
	    cmocka_unit_test(a_truce_forbids_combats_for_its_turns),
	    cmocka_unit_test(a_pause_stops_clocks_from_the_accept_on),
	    cmocka_unit_test(
		an_accept_has_a_place_exactly_if_it_moves_the_pool),
	    cmocka_unit_test(nothing_is_accepted_while_an_answer_is_owed),
	    cmocka_unit_test(rosters_change_until_the_last_ready),
	    cmocka_unit_test(a_roster_that_does_not_hold_is_refused),
	    cmocka_unit_test(
		a_record_whose_roster_is_missing_cannot_be_checked),
	    cmocka_unit_test(a_joiner_is_refused_before_the_first_ready),
	    cmocka_unit_test(a_ready_ends_refusing),
	    cmocka_unit_test(a_standing_order_is_withdrawn_by_its_seat_alone),
	    cmocka_unit_test(what_a_refused_joiner_ordered_stands_no_more),
	    cmocka_unit_test(a_director_who_made_the_game_refuses),
	    cmocka_unit_test(a_ruling_waits_for_seats_1_and_2),
	    cmocka_unit_test(rulings_in_words_and_on_units_come_in_force),
	    cmocka_unit_test(a_ruling_takes_lines_back_with_its_last_accept),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
