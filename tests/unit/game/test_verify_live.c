/* SPDX-License-Identifier: ISC */
/*
 * Verifying games whose orders wait for an answer: live-1, and dual-1 with
 * confirm (umpire-record.7, S6.3).  This version does not play them, so the
 * test writes their lines by hand, and their combats have no events.
 */
#include "common/game/game_make.h"
#include "common/game/verify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/crypt/expand.h"
#include "common/game/game_take.h"

#include "tests/lib/table.h"

#define PLACE "c/1/ru-1/1/1"

static const struct verify_options no_rules = {
    .no_rules = true, .head_seq = -1};

/* Opens the game as a verifier does, with settings of a later version. */
static void
begin(struct table *t, const char *name, json_t *value)
{
	const struct game_blobs blobs = {table_blob_cb, t};
	json_t *args;
	struct order o;

	table_init(t);
	args = table_create_args(t, table_roster);
	json_object_set_new(args, name, value);
	table_make_create(t, args);
	assert_int_equal(order_parse(t->text.data, t->text.len, &o, &t->e), 0);
	assert_int_equal(game_create(&o, t->keys[1].sign.public_key, &blobs,
			     false, &t->game, &t->fx, &t->e),
	    0);
	table_write(t, &o, t->keys[1].sign.public_key);
	order_clear(&o);
	assert_int_equal(table_try(t, 2, ORDER_JOIN, table_seat_args(t, 2)), 0);
	table_play(t, 1, ORDER_READY, "{}");
	table_play(t, 2, ORDER_READY, "{}");
}

/* Writes a line for t->text that tells this, taken or not; takes events. */
static void
write_told(struct table *t, int seat, json_t *events, const json_t *dice,
    const json_t *owes)
{
	struct record_parts p = {.game = game_id(t->game),
	    .seq = game_seq(t->game) + 1,
	    .prev = game_head(t->game),
	    .at_ms = t->at_ms,
	    .kind = RECORD_ORDER,
	    .seat = seat,
	    .key = t->keys[seat].sign.public_key,
	    .text = t->text.data,
	    .text_len = t->text.len,
	    .sig = t->sig,
	    .dice = dice,
	    .owes = owes};
	uint8_t hash[HASH_LEN];

	p.events = events;
	table_append(t, &p, hash);
	game_advance(t->game, t->at_ms, hash);
	json_decref(events);
}

/* Writes a line for t->text with these members, which tells nothing. */
static void
write_line(struct table *t, int seat, const json_t *dice, const json_t *owes)
{
	write_told(t, seat, json_array(), dice, owes);
}

/* A proof of a seat over T(tag) || base of PLACE, and its beta. */
static json_t *
contribution(
    struct table *t, int seat, const char *tag, uint8_t beta[VRF_BETA_LEN])
{
	uint8_t in[64], proof[VRF_PROOF_LEN];
	size_t n = strlen(tag) + 1;

	memcpy(in, tag, n);
	assert_int_equal(
	    game_base(game_id(t->game), game_pool(t->game), PLACE, in + n), 0);
	assert_int_equal(
	    vrf_prove(&t->keys[seat].dice, in, n + HASH_LEN, proof, beta), 0);
	return (js_hex(proof, VRF_PROOF_LEN));
}

/* S6.4: dice over one or both contributions; new. */
static json_t *
dice_of(struct table *t, const uint8_t *own, const uint8_t *other)
{
	uint8_t in[14 + 32 + 64], proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	uint16_t dice[2];
	size_t n = 14 + HASH_LEN;

	memcpy(in, "umpire/dice/1", 14);
	assert_int_equal(
	    game_base(game_id(t->game), game_pool(t->game), PLACE, in + 14), 0);
	memcpy(in + n, own, VRF_BETA_LEN);
	n += VRF_BETA_LEN;
	if (other != NULL) {
		memcpy(in + n, other, VRF_BETA_LEN);
		n += VRF_BETA_LEN;
	}
	assert_int_equal(vrf_prove(&t->server_dice, in, n, proof, beta), 0);
	assert_int_equal(expand_roll(beta, "score/x", 6, 2, dice), 0);
	return (json_pack("{s:s, s:o, s:[{s:s, s:i, s:[i, i]}]}", "place",
	    PLACE, "proof", js_hex(proof, VRF_PROOF_LEN), "rolls", "label",
	    "score/x", "sides", 6, "dice", (int)dice[0], (int)dice[1]));
}

/* The hash of a line; new. */
static json_t *
hash_of_line(const struct table *t, size_t i)
{
	uint8_t h[HASH_LEN];

	assert_int_equal(hash_sha256(h, t->record.data + t->starts[i],
			     t->starts[i + 1] - t->starts[i] - 1),
	    0);
	return (js_hex(h, HASH_LEN));
}

/* Makes an answer to line `to`; place and other as given (stolen). */
static void
make_answer(struct table *t, int seat, int64_t to, const char *say,
    json_t *place, json_t *other)
{
	json_t *order;

	assert_int_equal(
	    table_make(t, seat, ORDER_ANSWER,
		json_pack("{s:I, s:s}", "to", (json_int_t)to, "say", say)),
	    0);
	order = table_order(t);
	if (place != NULL)
		json_object_set_new(order, "place", place);
	if (other != NULL)
		json_object_set_new(order, "other", other);
	table_reword(t, seat, order);
	json_decref(order);
}

/* Verifies the record as it stands; why it is bad, or NULL if it is not. */
static void
verify_says(struct table *t, int64_t line, const char *why)
{
	struct verify_report rep;
	struct errinfo e = {0};
	struct buf b;
	int r;

	buf_init(&b, 0);
	table_export(t, &b);
	r = verify_bytes(b.data, b.len, &no_rules, &rep, NULL, &e);
	buf_clear(&b);
	if (why == NULL && r == 0)
		return;
	if (why == NULL || r != ERR_BAD || rep.file_line != line ||
	    (strstr(e.text, why) == NULL && strstr(e.where, why) == NULL))
		fail_msg("%d in line %d, %s: %s; not %s", r, (int)rep.file_line,
		    e.where, e.text, why == NULL ? "good" : why);
}

/* What an answer in live-1 may look like. */
struct answer {
	int seat;
	int to; /* beside the owing line's number */
	const char *say;
	const char *place; /* NULL: none */
	const char *tag; /* of other; NULL: none */
	bool has_dice;
	const char *why; /* NULL: good */
};

/* A declare that waits, then this answer. */
static void
play_answer(const char *name, json_t *value, const struct answer *a)
{
	uint8_t own[VRF_BETA_LEN], beta[VRF_BETA_LEN];
	json_t *owes, *other = NULL, *dice = NULL;
	bool is_live = strcmp(name, "scheme") == 0;
	struct table t;

	begin(&t, name, value);
	assert_int_equal(
	    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)), 0);
	json_decref(contribution(&t, 1, "umpire/own/1", own));
	owes = json_pack("{s:i, s:s}", "seat", 2, "place", PLACE);
	write_told(&t, 1,
	    is_live ? json_array() : json_pack("[{s:s}]", "e", "combat"), NULL,
	    owes);
	json_decref(owes);
	verify_says(&t, 0, NULL);
	memset(beta, 0, sizeof(beta));
	if (a->tag != NULL)
		other = contribution(&t, a->seat, a->tag, beta);
	make_answer(&t, a->seat, game_seq(t.game) + a->to, a->say,
	    a->place == NULL ? NULL : json_string(a->place), other);
	if (a->has_dice)
		dice =
		    dice_of(&t, own, is_live && a->tag != NULL ? beta : NULL);
	write_line(&t, a->seat, dice, NULL);
	json_decref(dice);
	verify_says(&t, 6, a->why);
	table_clear(&t);
}

static void
an_answer_of_live_1_brings_the_dice(void **state)
{
	static const struct answer answers[] = {
	    {2, 0, "agree", PLACE, "umpire/other/1", true, NULL},
	    {2, 0, "object", NULL, NULL, false, NULL},
	    /* A decision comes first: nothing is drawn. */
	    {2, 0, "agree", NULL, NULL, false, NULL},
	    {2, 0, "agree", NULL, NULL, true, "only upon an answer"},
	    {2, 0, "agree", PLACE, NULL, false, "order.other"},
	    {2, 0, "agree", NULL, "umpire/other/1", true, "order.other"},
	    {2, 0, "agree", "c/1/ru-1/1/2", "umpire/other/1", true,
		"order.place"},
	    {2, 0, "agree", PLACE, "umpire/own/1", true, "order.other"},
	    {2, 0, "object", PLACE, "umpire/other/1", false, "order.other"},
	    {2, 0, "object", PLACE, NULL, false, "order.other"},
	    {2, 0, "object", NULL, NULL, true, "dice"},
	    {2, -1, "agree", PLACE, "umpire/other/1", true, "args.to"},
	    {1, 0, "agree", PLACE, "umpire/other/1", true, "args.to"},
	    {2, 0, "perhaps", NULL, NULL, false, "args.say"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		play_answer("scheme", json_string("live-1"), &answers[i]);
}

static void
an_answer_of_confirm_has_no_proof(void **state)
{
	static const struct answer answers[] = {
	    {2, 0, "agree", NULL, NULL, true, NULL},
	    {2, 0, "object", NULL, NULL, false, NULL},
	    {2, 0, "agree", PLACE, "umpire/other/1", true, "order.other"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		play_answer("confirm", json_true(), &answers[i]);
}

/* Nobody can agree to what is not told; what they agree to is not done yet. */
static void
a_declare_to_confirm_tells_its_combat_alone(void **state)
{
	static const char *const told[] = {
	    "[]",
	    "[{\"e\": \"chat\"}]",
	    "[{\"e\": \"combat\"}, {\"e\": \"combat\"}]",
	    "[{\"e\": \"combat\"}, {\"e\": \"result\"}]",
	};
	struct table t;
	json_t *owes;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		begin(&t, "confirm", json_true());
		assert_int_equal(
		    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)),
		    0);
		owes = json_pack("{s:i, s:s}", "seat", 2, "place", PLACE);
		write_told(&t, 1, table_json(told[i]), NULL, owes);
		json_decref(owes);
		verify_says(&t, 5, "owes");
		table_clear(&t);
	}
}

static void
a_declare_must_wait_for_its_answer(void **state)
{
	uint8_t own[VRF_BETA_LEN];
	json_t *dice, *owes;
	struct table t;
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		begin(&t, i == 0 ? "scheme" : "confirm",
		    i == 0 ? json_string("live-1") : json_true());
		assert_int_equal(
		    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)),
		    0);
		json_decref(contribution(&t, 1, "umpire/own/1", own));
		dice = dice_of(&t, own, NULL);
		write_line(&t, 1, dice, NULL);
		json_decref(dice);
		verify_says(&t, 5, "waits for an answer");
		table_clear(&t);
	}
	/* By the first seat of the other side, for this place. */
	for (i = 0; i < 2; i++) {
		begin(&t, "scheme", json_string("live-1"));
		assert_int_equal(
		    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)),
		    0);
		owes = json_pack("{s:i, s:s}", "seat", i == 0 ? 1 : 2, "place",
		    i == 0 ? PLACE : "c/1/ru-1/1/2");
		write_line(&t, 1, NULL, owes);
		json_decref(owes);
		verify_says(&t, 5, "owes");
		table_clear(&t);
	}
}

/* While dice are owed only the answer, talk and resign are taken. */
static void
nothing_else_goes_on_while_dice_are_owed(void **state)
{
	static const struct {
		enum order_kind kind;
		int seat;
		const char *args, *why;
	} orders[] = {
	    {ORDER_CHAT, 1, TABLE_CHAT, NULL},
	    {ORDER_RESIGN, 1, "{}", NULL},
	    {ORDER_RESIGN, 2, "{}", NULL},
	    {ORDER_TURN_END, 1, "{}", "waits for an answer"},
	    {ORDER_DECLARE, 1, TABLE_GUNS, "waits for an answer"},
	    {ORDER_CLOSE, 2, "{}", "waits for an answer"},
	};
	struct table t;
	json_t *owes;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		begin(&t, "scheme", json_string("live-1"));
		assert_int_equal(
		    table_make(&t, 1, ORDER_DECLARE, table_json(TABLE_FIGHT)),
		    0);
		owes = json_pack("{s:i, s:s}", "seat", 2, "place", PLACE);
		write_line(&t, 1, NULL, owes);
		json_decref(owes);
		assert_int_equal(table_make(&t, orders[i].seat, orders[i].kind,
				     table_json(orders[i].args)),
		    0);
		write_line(&t, orders[i].seat, NULL, NULL);
		verify_says(&t, 6, orders[i].why);
		table_clear(&t);
	}
}

/* Makes a declare of this combat for this place, whatever the game thinks. */
static void
make_declare(struct table *t, const char *args, const char *place)
{
	uint8_t in[64], proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	json_t *order;

	assert_int_equal(table_make(t, 1, ORDER_TURN_END, table_json("{}")), 0);
	order = table_order(t);
	json_object_set_new(order, "kind", json_string("declare"));
	json_object_set_new(order, "args", table_json(args));
	json_object_set_new(order, "place", json_string(place));
	memcpy(in, "umpire/own/1", 13);
	assert_int_equal(
	    game_base(game_id(t->game), game_pool(t->game), place, in + 13), 0);
	assert_int_equal(
	    vrf_prove(&t->keys[1].dice, in, 13 + HASH_LEN, proof, beta), 0);
	json_object_set_new(order, "own", js_hex(proof, VRF_PROOF_LEN));
	table_reword(t, 1, order);
	json_decref(order);
}

/* Writes the line of t->text, which waits for seat 2. */
static void
write_owing(struct table *t, const char *place)
{
	json_t *owes = json_pack("{s:i, s:s}", "seat", 2, "place", place);

	write_line(t, 1, NULL, owes);
	json_decref(owes);
}

/* The line before this one is a state line: who did not see it is stale. */
static void
stale_resign(struct table *t)
{
	json_t *order;
	size_t seen = t->n_lines - 2;

	assert_int_equal(table_make(t, 1, ORDER_RESIGN, table_json("{}")), 0);
	order = table_order(t);
	json_object_set_new(order, "after", json_integer((json_int_t)seen));
	json_object_set_new(order, "head", hash_of_line(t, seen));
	table_reword(t, 1, order);
	json_decref(order);
	write_line(t, 1, NULL, NULL);
	verify_says(t, (int64_t)t->n_lines, "moved on");
}

/* Owing lines and answers are state lines. */
static void
an_owing_line_and_its_answer_make_orders_stale(void **state)
{
	uint8_t own[VRF_BETA_LEN], other[VRF_BETA_LEN];
	json_t *dice, *proof;
	struct table t;
	int is_answered;

	(void)state;
	for (is_answered = 0; is_answered < 2; is_answered++) {
		begin(&t, "scheme", json_string("live-1"));
		make_declare(&t, TABLE_FIGHT, PLACE);
		write_owing(&t, PLACE);
		if (is_answered) {
			json_decref(contribution(&t, 1, "umpire/own/1", own));
			proof = contribution(&t, 2, "umpire/other/1", other);
			make_answer(&t, 2, game_seq(t.game), "agree",
			    json_string(PLACE), proof);
			dice = dice_of(&t, own, other);
			write_line(&t, 2, dice, NULL);
			json_decref(dice);
		}
		stale_resign(&t);
		table_clear(&t);
	}
}

/* After its answer a declare is over, or void; then the game goes on. */
static void
answers_let_the_game_go_on(void **state)
{
	uint8_t own[VRF_BETA_LEN], other[VRF_BETA_LEN];
	json_t *dice, *proof;
	struct table t;
	int objects;

	(void)state;
	for (objects = 0; objects < 2; objects++) {
		begin(&t, "scheme", json_string("live-1"));
		make_declare(&t, TABLE_FIGHT, PLACE);
		write_owing(&t, PLACE);
		if (objects) {
			make_answer(
			    &t, 2, game_seq(t.game), "object", NULL, NULL);
			write_line(&t, 2, NULL, NULL);
		} else {
			json_decref(contribution(&t, 1, "umpire/own/1", own));
			proof = contribution(&t, 2, "umpire/other/1", other);
			make_answer(&t, 2, game_seq(t.game), "agree",
			    json_string(PLACE), proof);
			dice = dice_of(&t, own, other);
			write_line(&t, 2, dice, NULL);
			json_decref(dice);
		}
		verify_says(&t, 0, NULL);
		/* What objected declares were for stays unused. */
		make_declare(&t, TABLE_FIGHT, objects ? PLACE : "c/1/ru-1/2/1");
		write_owing(&t, objects ? PLACE : "c/1/ru-1/2/1");
		verify_says(&t, 0, NULL);
		make_answer(&t, 2, game_seq(t.game), "object", NULL, NULL);
		write_line(&t, 2, NULL, NULL);
		verify_says(&t, 0, NULL);
		stale_resign(&t);
		table_clear(&t);
	}
}

/* Who resigns while dice are owed ends the game, which can be closed. */
static void
a_game_ends_while_dice_are_owed(void **state)
{
	struct table t;
	int seat;

	(void)state;
	begin(&t, "scheme", json_string("live-1"));
	make_declare(&t, TABLE_FIGHT, PLACE);
	write_owing(&t, PLACE);
	for (seat = 0; seat < 3; seat++) {
		assert_int_equal(table_make(&t, seat == 0 ? 2 : seat,
				     seat == 0 ? ORDER_RESIGN : ORDER_CLOSE,
				     table_json("{}")),
		    0);
		write_line(&t, seat == 0 ? 2 : seat, NULL, NULL);
		verify_says(&t, 0, NULL);
	}
	table_clear(&t);
}

/* Their ids are not known, but all else of their places is. */
static void
places_of_unknown_systems_are_checked(void **state)
{
	static const struct {
		const char *place, *why;
	} places[] = {
	    {"c/1/pawn.a_2/1/1", NULL},
	    {"c/1/a/1/1", NULL},
	    {"c/2/a/1/1", "c/1/a/1/1"},
	    {"c/1/a/2/1", "c/1/a/1/1"},
	    {"c/1/a/1/2", "c/1/a/1/1"},
	    {"u/1/a/1/1", "c/1/a/1/1"},
	    {"c/1/A/1/1", "not the place of a combat"},
	    {"c/1//1/1", "not the place of a combat"},
	    {"c/1/abcdefghijabcdefghijabcdefghijabc/1/1", "not the place"},
	    {"c/1", "not the place of a combat"},
	    {"c/1/a", "not the place of a combat"},
	    {"", "not the place of a combat"},
	};
	json_t *facts = NULL;
	struct table t;
	size_t i;
	int of;

	(void)state;
	for (of = 0; of < 2; of++) {
		for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			begin(&t, of == 0 ? "system" : "rules",
			    json_string("chess"));
			make_declare(
			    &t, "{'combat':{'pawns':[1]}}", places[i].place);
			write_line(&t, 1, NULL, NULL);
			verify_says(&t, 5, places[i].why);
			table_clear(&t);
		}
	}
	/* Nor can facts be checked beforehand. */
	begin(&t, "system", json_string("chess"));
	assert_int_equal(
	    game_check_combat(t.game, 1, NULL, &facts, &t.e), ERR_INVALID);
	assert_non_null(strstr(t.e.text, "not at hand"));
	table_clear(&t);
}

/* S4.1, S6.5: he is in the pool and sends ready, but he does not play. */
static void
a_director_sits_in_the_pool_and_does_not_play(void **state)
{
	static const struct {
		enum order_kind kind;
		const char *args, *why;
	} orders[] = {
	    {ORDER_CHAT, TABLE_CHAT, NULL},
	    {ORDER_TURN_END, "{}", "other side's turn"},
	    {ORDER_RESIGN, "{}", "cannot resign"},
	};
	uint8_t in[32 + 1 + 33 + 1 + 3 * 34], pool[HASH_LEN];
	struct game_blobs blobs = {table_blob_cb, NULL};
	struct table t;
	struct order o;
	json_t *args;
	size_t i;
	int seat;

	(void)state;
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		table_init(&t);
		blobs.arg = &t;
		args = table_create_args(&t, table_roster);
		json_object_set_new(
		    args, "options", table_json("{'director':true}"));
		table_make_create(&t, args);
		assert_int_equal(
		    order_parse(t.text.data, t.text.len, &o, &t.e), 0);
		assert_int_equal(game_create(&o, t.keys[1].sign.public_key,
				     &blobs, false, &t.game, &t.fx, &t.e),
		    0);
		table_write(&t, &o, t.keys[1].sign.public_key);
		order_clear(&o);
		assert_int_equal(
		    table_try(&t, 2, ORDER_JOIN, table_seat_args(&t, 2)), 0);
		/* Two are not all. */
		assert_int_equal(
		    table_try(&t, 2, ORDER_READY, table_json("{}")),
		    ERR_ILLEGAL);
		assert_int_equal(
		    table_try(&t, 0, ORDER_JOIN, table_seat_args(&t, 0)), 0);
		memcpy(in, game_id(t.game), 32);
		in[32] = 1;
		memcpy(in + 33, t.server_dice.public_key, 33);
		in[66] = 3;
		for (seat = 0; seat < 3; seat++) {
			in[67 + 34 * seat] = (uint8_t)seat;
			memcpy(in + 68 + 34 * seat,
			    t.keys[seat].dice.public_key, 33);
		}
		assert_int_equal(
		    hash_tagged(pool, "umpire/start/1", in, sizeof(in)), 0);
		assert_memory_equal(game_pool(t.game), pool, HASH_LEN);
		for (seat = 2; seat >= 0; seat--)
			table_play(&t, seat, ORDER_READY, "{}");
		verify_says(&t, 0, NULL);
		assert_int_equal(table_make(&t, 0, orders[i].kind,
				     table_json(orders[i].args)),
		    0);
		write_line(&t, 0, NULL, NULL);
		verify_says(&t, 7, orders[i].why);
		table_clear(&t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_of_live_1_brings_the_dice),
	    cmocka_unit_test(an_answer_of_confirm_has_no_proof),
	    cmocka_unit_test(a_declare_to_confirm_tells_its_combat_alone),
	    cmocka_unit_test(a_declare_must_wait_for_its_answer),
	    cmocka_unit_test(nothing_else_goes_on_while_dice_are_owed),
	    cmocka_unit_test(an_owing_line_and_its_answer_make_orders_stale),
	    cmocka_unit_test(answers_let_the_game_go_on),
	    cmocka_unit_test(a_game_ends_while_dice_are_owed),
	    cmocka_unit_test(places_of_unknown_systems_are_checked),
	    cmocka_unit_test(a_director_sits_in_the_pool_and_does_not_play),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
