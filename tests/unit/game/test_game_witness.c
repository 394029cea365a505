/* SPDX-License-Identifier: ISC */
/*
 * Games with a witness (umpire-record.7, S6.9): every roll waits for seat 254.
 * Each game is saved and read back at each of its lines, and a verifier must
 * find it good, and in the same state.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_ahead.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"

#include "tests/lib/claim.h"
#include "tests/lib/table.h"
#include "tests/lib/vectors.h"

#define VECTORS_KEY TOP_SRCDIR "/tests/record/key-vectors.json"
#define MINUTE INT64_C(60000)
#define HOUR INT64_C(3600000)
#define WEEK (7 * 24 * HOUR)
#define SILENCE (10 * MINUTE) /* the witness_s of who says nothing */
#define FREE "{'dice':2,'sides':6}"
#define CLOCK(more) "'clock':{'per':'order','first_s':3600," more "},"

/* Create's args of a game with a witness, `more` before its options. */
static const char *
with(const char *more, const char *options)
{
	static char args[512];
	char hex[2 * SIGN_KEY_LEN + 1];
	struct table t;

	table_init(&t);
	hex_format(
	    hex, t.keys[game_slot(GAME_WITNESS)].sign.public_key, SIGN_KEY_LEN);
	table_clear(&t);
	(void)snprintf(args, sizeof(args),
	    "{%s'scheme':'live-1','options':{%s'witness':'%s'}}", more, options,
	    hex);
	return (args);
}

/* Plays an order, signed just now, and reads the game back. */
static void
play(struct table *t, int seat, enum order_kind kind, const char *args)
{
	t->now_ms = t->at_ms;
	table_play(t, seat, kind, args);
	table_reload(t);
}

/* Args that name a line; with `say`, what is said to it. */
static const char *
to_args(int64_t to, const char *say)
{
	static char args[64];

	if (say == NULL)
		(void)snprintf(
		    args, sizeof(args), "{'to':%lld}", (long long)to);
	else
		(void)snprintf(args, sizeof(args), "{'to':%lld,'say':'%s'}",
		    (long long)to, say);
	return (args);
}

/* A seat agrees to the line that waits. */
static void
agrees(struct table *t, int seat)
{
	play(t, seat, ORDER_ANSWER, to_args(t->game->owed.seq, "agree"));
}

/* Nothing waits, or this line does and for this seat; dice fell or not. */
static void
waits(const struct table *t, int seat, bool has_dice)
{
	json_t *line = table_line(t, t->n_lines - 1), *owes;

	owes = json_object_get(line, "owes");
	assert_true((json_object_get(line, "dice") != NULL) == has_dice);
	if (seat < 0) {
		assert_null(owes);
		assert_false(t->game->owed.is_owed);
	} else {
		assert_int_equal(
		    json_integer_value(json_object_get(owes, "seat")), seat);
		assert_int_equal(t->game->owed.seq, game_seq(t->game));
		assert_int_equal(t->fx.entry.waits_for, seat);
	}
	json_decref(line);
}

/* A free roll that waits for the witness; its line. */
static int64_t
rolls(struct table *t, int seat)
{
	play(t, seat, ORDER_FREE, FREE);
	waits(t, GAME_WITNESS, false);
	assert_int_equal(game_silent_seq(t->game), game_seq(t->game));
	assert_int_equal(
	    game_silent_ms(t->game), game_at_ms(t->game) + SILENCE);
	return (game_seq(t->game));
}

/* Its silence is claimed so long after the line; true if that has an effect. */
static bool
silences(struct table *t, int seat, int64_t to, int64_t at_ms, int64_t now_ms)
{
	int64_t state_seq = t->game->state_seq;

	t->at_ms += at_ms - 1000;
	t->now_ms = t->at_ms + now_ms - at_ms;
	table_play(t, seat, ORDER_CLAIM, to_args(to, NULL));
	table_reload(t);
	assert_int_equal(t->fx.entry.to, to);
	assert_int_equal(json_array_size(t->fx.events), 0);
	assert_null(t->fx.owes);
	if (t->fx.entry.claimed == GAME_CLAIMED_NOTHING) {
		assert_int_equal(t->game->state_seq, state_seq);
		return (false);
	}
	assert_int_equal(t->fx.entry.claimed, GAME_CLAIMED_SILENCE);
	assert_int_equal(t->game->state_seq, game_seq(t->game));
	return (true);
}

/* An answer of a seat to a line is refused. */
static void
no_answer(struct table *t, int seat, int64_t to, const char *say, int r,
    const char *why)
{
	table_no(t, seat, ORDER_ANSWER, to_args(to, say), r, why);
}

static void
the_first_pool_counts_it_as_in_the_vectors(void **state)
{
	json_t *all = vectors_load(VECTORS_KEY);
	json_t *dice = vectors_load(VECTORS_DICE);
	const json_t *v = vectors_get(all, "witness", JSON_OBJECT), *s;
	uint8_t pool[HASH_LEN], want[HASH_LEN];
	struct game g = {.seq = 0};
	struct game_seat *seat;
	size_t i;

	(void)state;
	g.set.is_live = g.set.has_witness = true;
	g.set.seats = 2;
	s = json_array_get(vectors_get(dice, "scheme", JSON_ARRAY), 1);
	vectors_hex(s, "game", g.create.game, HASH_LEN);
	s = vectors_get(dice, "keys", JSON_OBJECT);
	vectors_hex(s, "server_pk", g.set.server_dice, VRF_KEY_LEN);
	json_array_foreach(vectors_get(v, "seats", JSON_ARRAY), i, s)
	{
		seat = &g.seats[game_slot((int)vectors_unsigned(s, "seat"))];
		vectors_hex(s, "dice_key", seat->dice_key, VRF_KEY_LEN);
	}
	vectors_hex(v, "pool_0", want, HASH_LEN);
	assert_int_equal(game_dice_pool0(&g, pool), 0);
	assert_memory_equal(pool, want, HASH_LEN);
	json_decref(dice);
	json_decref(all);
}

static void
every_roll_waits_for_it_and_nothing_else(void **state)
{
	struct table t;

	(void)state;
	claim_begun(&t, with("", ""));
	assert_true(game_is_ready(t.game, GAME_WITNESS));
	assert_string_equal(game_account(t.game, GAME_WITNESS), "p254");
	assert_int_equal(game_side_of(GAME_WITNESS), 0);
	(void)rolls(&t, 1);
	/* Neither side answers, nor may it object or keep its proof back. */
	no_answer(&t, 2, t.game->owed.seq, "agree", ERR_STALE, "awaited");
	no_answer(&t, 1, t.game->owed.seq, "agree", ERR_STALE, "awaited");
	no_answer(&t, GAME_WITNESS, t.game->owed.seq, "object", ERR_ILLEGAL,
	    "nothing is left");
	table_no(&t, 1, ORDER_TURN_END, "{}", ERR_STALE, "waits for an answer");
	agrees(&t, GAME_WITNESS);
	waits(&t, -1, true);
	/* A declaration waits for its dice alone. */
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	waits(&t, GAME_WITNESS, false);
	agrees(&t, GAME_WITNESS);
	table_settle(&t);
	play(&t, 1, ORDER_TURN_END, "{}");
	waits(&t, -1, false);
	claim_is_good(&t);
}

static void
questions_come_before_its_answer(void **state)
{
	struct table t;

	(void)state;
	claim_begun(&t, with("", ""));
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	waits(&t, -1, false);
	assert_true(table_is_asked(&t));
	while (!t.game->owed.is_owed)
		table_answer(&t);
	waits(&t, GAME_WITNESS, false);
	agrees(&t, GAME_WITNESS);
	waits(&t, -1, true);
	claim_is_good(&t);
}

static void
what_is_confirmed_waits_for_it_afterwards(void **state)
{
	struct table t;
	int64_t line;

	(void)state;
	claim_begun(&t, with("'confirm':true,", ""));
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	waits(&t, 2, false);
	no_answer(
	    &t, GAME_WITNESS, t.game->owed.seq, "agree", ERR_STALE, "awaited");
	play(&t, 2, ORDER_ANSWER, to_args(t.game->owed.seq, "object"));
	waits(&t, -1, false);
	play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	agrees(&t, 2);
	waits(&t, GAME_WITNESS, false);
	line = game_seq(t.game);
	agrees(&t, GAME_WITNESS);
	assert_int_equal(t.fx.entry.to, line);
	assert_non_null(t.fx.dice);
	claim_is_good(&t);
}

static void
it_gives_no_other_orders(void **state)
{
	struct table t;
	int64_t offer;

	(void)state;
	claim_begun(&t, with(CLOCK("'then':'forfeit'"), ""));
	offer = game_seq(t.game) + 1;
	play(&t, 1, ORDER_OFFER, "{'what':'draw'}");
	table_no(&t, GAME_WITNESS, ORDER_RESIGN, "{}", ERR_ILLEGAL,
	    "gives no order of the kind");
	table_no(&t, GAME_WITNESS, ORDER_CLAIM, "{}", ERR_ILLEGAL,
	    "gives no order of the kind");
	table_no(&t, GAME_WITNESS, ORDER_CLOSE, "{}", ERR_ILLEGAL,
	    "gives no order of the kind");
	table_no(&t, GAME_WITNESS, ORDER_OFFER, "{'what':'draw'}", ERR_ILLEGAL,
	    "gives no order of the kind");
	table_no(&t, GAME_WITNESS, ORDER_ACCEPT, to_args(offer, NULL),
	    ERR_ILLEGAL, "gives no order of the kind");
	claim_no_note(
	    &t, GAME_WITNESS, offer, "decline", ERR_ILLEGAL, "a witness notes");
	table_no(&t, GAME_WITNESS, ORDER_CHAT,
	    "{'ref':" TABLE_REF ",'to':'side'}", ERR_ILLEGAL, "no side");
	table_no(&t, GAME_WITNESS, ORDER_READY, "{}", ERR_STALE,
	    "does not wait for a ready");
	play(&t, GAME_WITNESS, ORDER_CHAT, TABLE_CHAT);
	claim_is_good(&t);
}

static void
silence_is_claimed_by_both_clocks(void **state)
{
	struct table t;
	int64_t line;

	(void)state;
	claim_begun(&t, with("", ""));
	line = rolls(&t, 1);
	assert_false(silences(&t, 2, line, SILENCE - 1, SILENCE - 1));
	t.at_ms = game_silent_ms(t.game) - SILENCE + 1000;
	assert_false(silences(&t, 2, line, SILENCE, SILENCE - 1));
	table_no(&t, 2, ORDER_CLAIM, to_args(line - 1, NULL), ERR_STALE,
	    "no notice of yours");
	t.now_ms = -1;
	table_no(
	    &t, 2, ORDER_CLAIM, to_args(line, NULL), ERR_ILLEGAL, "missing");
	t.now_ms = t.at_ms;
	/* The acting player may claim it as well; the other side answers. */
	assert_true(silences(&t, 1, line, SILENCE, SILENCE));
	assert_int_equal(t.fx.entry.stand_in, 2);
	assert_true(game_is_stand_in(t.game));
	assert_int_equal(game_silent_seq(t.game), -1);
	no_answer(&t, GAME_WITNESS, line, "agree", ERR_STALE, "awaited");
	no_answer(&t, 1, line, "agree", ERR_STALE, "awaited");
	no_answer(&t, 2, line, "object", ERR_ILLEGAL, "nothing is left");
	table_no(
	    &t, 2, ORDER_CLAIM, to_args(line, NULL), ERR_STALE, "no notice");
	agrees(&t, 2);
	waits(&t, -1, true);
	/* The next roll waits for the witness again. */
	(void)rolls(&t, 1);
	agrees(&t, GAME_WITNESS);
	claim_is_good(&t);
}

static void
no_clock_runs_while_it_owes(void **state)
{
	struct table t;
	int64_t line;

	(void)state;
	claim_begun(&t, with(CLOCK("'then':'forfeit'"), ""));
	line = rolls(&t, 1);
	assert_int_equal(game_deadline_ms(t.game, 1), -1);
	assert_int_equal(game_deadline_ms(t.game, 2), -1);
	assert_true(silences(&t, 1, line, 2 * HOUR, 2 * HOUR));
	/* Now it is an answer as any other, for which a clock runs. */
	assert_int_equal(
	    game_deadline_ms(t.game, 2), game_at_ms(t.game) + HOUR);
	t.at_ms += HOUR;
	play(&t, 1, ORDER_CLAIM, "{}");
	claim_result(&t, "forfeit", 1);
	claim_is_good(&t);
}

static void
its_notes_say_what_happened(void **state)
{
	struct table t;
	int64_t line, answer;

	(void)state;
	claim_begun(&t, with("", ""));
	line = rolls(&t, 1);
	claim_no_note(
	    &t, GAME_WITNESS, line, "answered", ERR_ILLEGAL, "no silence");
	assert_true(silences(&t, 2, line, SILENCE, SILENCE));
	claim_no_note(&t, 1, line, "answered", ERR_ILLEGAL, "only the witness");
	play(&t, GAME_WITNESS, ORDER_NOTE, to_args(line, "answered"));
	assert_int_equal(t.fx.entry.said, GAME_SAID_ANSWERED);
	claim_no_note(
	    &t, GAME_WITNESS, line, "answered", ERR_ILLEGAL, "before");
	agrees(&t, 2);
	(void)rolls(&t, 1);
	agrees(&t, GAME_WITNESS);
	answer = game_seq(t.game);
	claim_no_note(
	    &t, GAME_WITNESS, answer - 1, "anew", ERR_ILLEGAL, "not the");
	play(&t, GAME_WITNESS, ORDER_NOTE, to_args(answer, "anew"));
	assert_int_equal(t.fx.entry.said, GAME_SAID_ANEW);
	/* It may say so again, and of its notes. */
	play(&t, GAME_WITNESS, ORDER_NOTE, to_args(answer + 1, "anew"));
	claim_no_note(
	    &t, GAME_WITNESS, answer, "passed", ERR_STALE, "no notice");
	play(&t, 1, ORDER_RESIGN, "{}");
	play(&t, GAME_WITNESS, ORDER_NOTE, to_args(answer, "anew"));
	claim_is_good(&t);
}

static void
a_claim_in_two_lines_needs_its_word_or_a_week(void **state)
{
	struct table t;
	int64_t to;
	int by_note;

	(void)state;
	for (by_note = 0; by_note < 2; by_note++) {
		claim_begun(
		    &t, with(CLOCK("'notice_s':600,'then':'forfeit'"), ""));
		t.at_ms = game_deadline_ms(t.game, 1);
		play(&t, 2, ORDER_CLAIM, "{}");
		to = game_seq(t.game);
		assert_int_equal(game_notice_seq(t.game, 2), to);
		assert_true(game_notice_is_unwitnessed(t.game, 2));
		t.at_ms += 10 * MINUTE;
		play(&t, 2, ORDER_CLAIM, to_args(to, NULL));
		assert_int_equal(t.fx.entry.claimed, GAME_CLAIMED_NOTHING);
		claim_no_note(
		    &t, 2, to, "passed", ERR_ILLEGAL, "only the witness");
		if (by_note == 1) {
			play(&t, GAME_WITNESS, ORDER_NOTE,
			    to_args(to, "passed"));
			assert_int_equal(t.fx.entry.said, GAME_SAID_PASSED);
			assert_false(game_notice_is_unwitnessed(t.game, 2));
			claim_no_note(&t, GAME_WITNESS, to, "passed",
			    ERR_ILLEGAL, "before");
		} else {
			t.at_ms = t.game->clock.notices[2].at_ms + WEEK - 1;
			play(&t, 2, ORDER_CLAIM, to_args(to, NULL));
			assert_int_equal(
			    t.fx.entry.claimed, GAME_CLAIMED_NOTHING);
		}
		play(&t, 2, ORDER_CLAIM, to_args(to, NULL));
		claim_result(&t, "forfeit", 2);
		claim_is_good(&t);
	}
}

static void
without_it_the_sides_answer_each_other(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	claim_begun(&t, with("", ""));
	play(&t, 1, ORDER_OFFER, "{'what':'witness-out'}");
	to = game_seq(t.game);
	(void)rolls(&t, 1);
	claim_no_accept(&t, 2, to, ERR_STALE, "waits for an answer");
	agrees(&t, GAME_WITNESS);
	claim_accept(&t, 2, to);
	table_reload(&t);
	assert_null(game_witness(t.game));
	assert_true(game_had_witness(t.game));
	assert_false(t.fx.has_pool);
	assert_false(t.game->later.is_due);
	table_no(&t, 2, ORDER_OFFER, "{'what':'witness-out'}", ERR_ILLEGAL,
	    "out already");
	table_no(&t, GAME_WITNESS, ORDER_DICE_KEY, "{}", ERR_ILLEGAL,
	    "without its witness");
	/* A question is shown first, as in live-1. */
	play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	waits(&t, 2, false);
	agrees(&t, 2);
	play(&t, GAME_WITNESS, ORDER_CHAT, TABLE_CHAT);
	while (!t.game->owed.is_owed)
		table_answer(&t);
	assert_in_range(t.game->owed.seat, 1, 2);
	agrees(&t, t.game->owed.seat);
	assert_non_null(t.fx.dice);
	claim_is_good(&t);
}

static void
only_its_key_takes_its_seat(void **state)
{
	json_t *args;
	struct table t;

	(void)state;
	claim_seated(&t, "{'scheme':'live-1'}");
	table_no(&t, GAME_WITNESS, ORDER_CHAT, TABLE_CHAT, ERR_ILLEGAL,
	    "does not belong");
	args = table_seat_args(&t, GAME_WITNESS);
	assert_int_equal(table_make(&t, GAME_WITNESS, ORDER_JOIN, args), 0);
	table_refuses(&t, GAME_WITNESS, ERR_ILLEGAL, "no seat 254");
	table_clear(&t);

	table_init(&t);
	args = table_create_args(&t, table_roster);
	json_object_update_new(args, table_json(with("", "")));
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), 0);
	/* Neither another key there, nor its key elsewhere. */
	args = table_seat_args(&t, 2);
	json_object_set_new(args, "seat", json_integer(GAME_WITNESS));
	t.keys[game_slot(GAME_WITNESS)].sign = t.keys[2].sign;
	assert_int_equal(table_make(&t, GAME_WITNESS, ORDER_JOIN, args), 0);
	table_refuses(&t, GAME_WITNESS, ERR_ILLEGAL, "and no other");
	table_clear(&t);

	claim_seated(&t, with("", ""));
	/* Whoever made the game may refuse it, as any joiner. */
	claim_note(&t, 1, 2, "refuse");
	table_reload(&t);
	assert_false(game_is_joined(t.game, GAME_WITNESS));
	assert_int_equal(t.fx.freed_seat, GAME_WITNESS);
	table_clear(&t);
}

static void
what_it_may_be_is_bounded(void **state)
{
	static const struct {
		const char *more;
		const char *why;
	} bad[] = {
	    {"{'options':{'witness_s':60}}", "no witness"},
	    {"{'options':{'witness':'00'}}", "witness"},
	    {"{'options':{'witness_s':59}}", "60"},
	    {"{'options':{'witness_s':86401}}", "86400"},
	    {"{'scheme':'dual-1'}", "only \"live-1\""},
	};
	json_t *args, *v;
	struct table t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		table_init(&t);
		args = table_create_args(&t, table_roster);
		json_object_update_new(args, table_json(with("", "")));
		v = table_json(bad[i].more);
		if (strstr(bad[i].why, "no witness") != NULL)
			json_object_update(args, v);
		else
			json_object_update_recursive(args, v);
		json_decref(v);
		table_make_create(&t, args);
		assert_int_equal(table_open(&t), ERR_ILLEGAL);
		if (strstr(t.e.text, bad[i].why) == NULL &&
		    strstr(t.e.where, bad[i].why) == NULL)
			fail_msg(
			    "%s: %s: %s", bad[i].more, t.e.where, t.e.text);
		table_clear(&t);
	}
	/* It does not play. */
	table_init(&t);
	args = table_create_args(&t, table_roster);
	json_object_update_new(args, table_json(with("", "")));
	json_object_set_new(json_object_get(args, "options"), "witness",
	    js_hex(t.keys[1].sign.public_key, SIGN_KEY_LEN));
	table_make_create(&t, args);
	assert_int_equal(table_open(&t), ERR_ILLEGAL);
	assert_non_null(strstr(t.e.text, "does not play"));
	table_clear(&t);
}

static void
its_dice_key_and_rounds_without_it(void **state)
{
	uint8_t secret[32] = {9};
	struct table t;
	struct vrf_key key;
	json_t *args;

	(void)state;
	claim_begun(&t, with("", ""));
	assert_int_equal(vrf_key_from_secret(&key, secret), 0);
	args =
	    json_pack("{s:o}", "dice_key", js_hex(key.public_key, VRF_KEY_LEN));
	assert_int_equal(table_try(&t, GAME_WITNESS, ORDER_DICE_KEY, args), 0);
	table_reload(&t);
	(void)rolls(&t, 1);
	agrees(&t, GAME_WITNESS);
	play(&t, 1, ORDER_TURN_END, "{}");
	assert_true(game_is_round(t.game));
	t.keys[game_slot(GAME_WITNESS)].dice = key;
	table_no(&t, GAME_WITNESS, ORDER_READY, "{}", ERR_STALE,
	    "does not wait for a ready");
	play(&t, 1, ORDER_READY, "{}");
	play(&t, 2, ORDER_READY, "{}");
	assert_false(game_is_round(t.game));
	(void)rolls(&t, 2);
	/* Lines that were lost it does not accept, nor say ready to. */
	assert_int_equal(table_server(&t, "restored", "{'seq':13}"), 0);
	table_reload(&t);
	assert_false(t.game->owed.is_owed);
	assert_false(game_asks_accept(t.game, GAME_WITNESS));
	claim_accept(&t, 1, 13);
	claim_accept(&t, 2, 13);
	play(&t, 2, ORDER_READY, "{}");
	play(&t, 1, ORDER_READY, "{}");
	(void)rolls(&t, 2);
	agrees(&t, GAME_WITNESS);
	claim_is_good(&t);
}

static void
work_ahead_knows_whose_answer_comes(void **state)
{
	struct game_ahead_input in;
	struct game_ahead a;
	struct table t;
	struct order o;

	(void)state;
	claim_begun(&t, with("", ""));
	(void)rolls(&t, 1);
	game_ahead_get(t.game, &a);
	assert_int_equal(a.owed_seat, GAME_WITNESS);
	assert_int_equal(table_make(&t, GAME_WITNESS, ORDER_ANSWER,
			     table_json(to_args(t.game->owed.seq, "agree"))),
	    0);
	assert_int_equal(order_parse(t.text.data, t.text.len, &o, &t.e), 0);
	assert_int_equal(
	    game_ahead_check(
		&a, &o, t.keys[game_slot(GAME_WITNESS)].sign.public_key, &in),
	    0);
	assert_memory_equal(
	    in.key, game_dice_key(t.game, GAME_WITNESS), VRF_KEY_LEN);
	assert_int_equal(
	    game_ahead_check(&a, &o, t.keys[1].sign.public_key, &in),
	    ERR_STALE);
	order_clear(&o);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_pool_counts_it_as_in_the_vectors),
	    cmocka_unit_test(every_roll_waits_for_it_and_nothing_else),
	    cmocka_unit_test(questions_come_before_its_answer),
	    cmocka_unit_test(what_is_confirmed_waits_for_it_afterwards),
	    cmocka_unit_test(it_gives_no_other_orders),
	    cmocka_unit_test(silence_is_claimed_by_both_clocks),
	    cmocka_unit_test(no_clock_runs_while_it_owes),
	    cmocka_unit_test(its_notes_say_what_happened),
	    cmocka_unit_test(a_claim_in_two_lines_needs_its_word_or_a_week),
	    cmocka_unit_test(without_it_the_sides_answer_each_other),
	    cmocka_unit_test(only_its_key_takes_its_seat),
	    cmocka_unit_test(what_it_may_be_is_bounded),
	    cmocka_unit_test(its_dice_key_and_rounds_without_it),
	    cmocka_unit_test(work_ahead_knows_whose_answer_comes),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
