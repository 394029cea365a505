/* SPDX-License-Identifier: ISC */
/*
 * Keys that come and go while a game is played (umpire-record.7, S4): key
 * lines as a daemon writes them, and what a thief or a server could try.
 */
#include "common/game/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_ahead.h"
#include "common/record/statement.h"

#include "tests/lib/table.h"

/* Keys of seat 2 besides its own, and the last statement of its account. */
static struct keys {
	struct sign_key phone, new, recovery;
	int64_t n;
	uint8_t prev[HASH_LEN];
	char text[1024];
} mine;

/* Makes the keys. */
static void
keys_make(void)
{
	uint8_t seed[32] = {0};

	memset(&mine, 0, sizeof(mine));
	seed[31] = 101;
	assert_int_equal(sign_key_from_seed(&mine.phone, seed), 0);
	seed[31] = 102;
	assert_int_equal(sign_key_from_seed(&mine.new, seed), 0);
	seed[31] = 103;
	assert_int_equal(sign_key_from_seed(&mine.recovery, seed), 0);
}

/* A game of seats 1 and 2 that has begun; seat 2 has a recovery key, or not. */
static void
begin(struct table *t, bool has_recovery)
{
	json_t *args;

	keys_make();
	table_init(t);
	table_make_create(t, table_create_args(t, table_roster));
	assert_int_equal(table_open(t), 0);
	args = table_seat_args(t, 2);
	if (has_recovery)
		json_object_set_new(args, "recovery",
		    js_hex(mine.recovery.public_key, SIGN_KEY_LEN));
	assert_int_equal(table_try(t, 2, ORDER_JOIN, args), 0);
	table_play(t, 2, ORDER_READY, "{}");
	table_play(t, 1, ORDER_READY, "{}");
}

/* The text of the next statement of seat 2's account, with one edit. */
static size_t
statement_text(const struct table *t, enum statement_do what,
    const uint8_t *key, const char *member, json_t *value)
{
	const struct statement_parts p = {t->server.public_key, "p2",
	    mine.n + 1, mine.prev, what, key, t->at_ms};
	struct buf b;
	json_t *v;
	size_t len;

	buf_init(&b, 0);
	assert_int_equal(statement_write(&p, &b), 0);
	if (member != NULL) {
		assert_int_equal(
		    js_load(b.data, b.len, JS_DEPTH_RECORD, &v, NULL), 0);
		json_object_set_new(v, member, value);
		buf_reset(&b);
		js_dump(v, &b);
		json_decref(v);
	}
	len = b.len;
	assert_true(len < sizeof(mine.text));
	memcpy(mine.text, b.data, len);
	buf_clear(&b);
	return (len);
}

/* Writes the line of a statement, whether or not the game takes it. */
static void
write_line(struct table *t, int seat, size_t len, const struct sign_key *by,
    const uint8_t *pool)
{
	uint8_t sig[SIGN_LEN], hash[HASH_LEN];
	const struct record_parts p = {.game = game_id(t->game),
	    .seq = game_seq(t->game) + 1,
	    .prev = game_head(t->game),
	    .at_ms = t->at_ms,
	    .kind = RECORD_KEY,
	    .seat = seat,
	    .key = by->public_key,
	    .text = mine.text,
	    .text_len = len,
	    .sig = sig,
	    .pool = pool};

	assert_int_equal(sign_make(by, SIGN_TAG_KEY, mine.text, len, sig), 0);
	table_append(t, &p, hash);
	game_advance(t->game, t->at_ms, hash);
	t->at_ms += 1000;
}

/* Gives what is in mine.text to the game, as signed by a key. */
static int
try_text(struct table *t, int seat, size_t len, const struct sign_key *by)
{
	struct game_entry en;
	struct statement s;
	int r;

	memset(&t->e, 0, sizeof(t->e));
	if ((r = statement_parse(mine.text, len, &s, &t->e)) != 0)
		return (r);
	r = game_take_key(
	    t->game, seat, &s, by->public_key, t->at_ms, &en, &t->e);
	if (r == 0) {
		assert_int_equal(en.seat, seat);
		mine.n = s.n;
		memcpy(mine.prev, s.hash, HASH_LEN);
		game_entry_clear(&en);
	}
	statement_clear(&s);
	return (r);
}

/* A statement of seat 2 that must be taken. */
static void
state(struct table *t, enum statement_do what, const struct sign_key *key,
    const struct sign_key *by)
{
	size_t len = statement_text(t, what, key->public_key, NULL, NULL);

	if (try_text(t, 2, len, by) != 0)
		fail_msg("%s: %s", t->e.where, t->e.text);
	write_line(t, 2, len, by, NULL);
}

/*
 * A statement of seat 2 that the game must refuse, and which, when its server
 * writes it all the same, makes the record bad.
 */
static void
no(struct table *t, enum statement_do what, const struct sign_key *key,
    const struct sign_key *by, int r, const char *why)
{
	const size_t n_lines = t->n_lines, room = t->record.len;
	size_t len = statement_text(t, what, key->public_key, NULL, NULL);
	struct game *g = table_copy(t);

	assert_int_equal(try_text(t, 2, len, by), r);
	if (strstr(t->e.text, why) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", why, t->e.text);
	write_line(t, 2, len, by, NULL);
	table_is_bad(t, n_lines, why);
	game_free(t->game);
	t->game = g;
	t->n_lines = n_lines;
	t->record.len = room;
}

static void
keys_come_and_go(void **state_)
{
	struct sign_key laptop;
	struct game_ahead ahead;
	struct table t;
	int64_t seq;

	(void)state_;
	begin(&t, true);
	laptop = t.keys[2].sign;
	assert_false(game_has_key(t.game, 2, mine.phone.public_key));
	seq = game_state_seq(t.game);
	state(&t, STATEMENT_ADD, &mine.phone, &laptop);
	/* It moves nothing, and no order grows stale by it. */
	assert_int_equal(game_state_seq(t.game), seq);
	assert_true(game_has_key(t.game, 2, mine.phone.public_key));
	game_ahead_get(t.game, &ahead);
	assert_int_equal(ahead.seats[2].n_keys, 2);
	assert_memory_equal(
	    ahead.seats[2].keys[1], mine.phone.public_key, GAME_AHEAD_KEY_LEN);
	table_reload(&t);
	t.keys[2].sign = mine.phone;
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	t.keys[2].sign = laptop;
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	/* The stolen laptop goes: refused from the next line on. */
	state(&t, STATEMENT_DROP, &laptop, &mine.phone);
	table_reload(&t);
	table_no(&t, 2, ORDER_CHAT, TABLE_CHAT, ERR_ILLEGAL, "the key");
	no(&t, STATEMENT_ADD, &mine.new, &laptop, ERR_ILLEGAL, "not a key");
	no(&t, STATEMENT_DROP, &mine.phone, &laptop, ERR_ILLEGAL, "not a key");
	t.keys[2].sign = mine.phone;
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	no(&t, STATEMENT_ADD, &laptop, &mine.phone, ERR_ILLEGAL,
	    "was valid in this game before");
	no(&t, STATEMENT_RESET, &mine.phone, &mine.recovery, ERR_ILLEGAL,
	    "was valid in this game before");
	no(&t, STATEMENT_DROP, &mine.phone, &mine.phone, ERR_ILLEGAL,
	    "the last key of an account is never dropped");
	/* All keys are gone: who has the words has the account. */
	state(&t, STATEMENT_RESET, &mine.new, &mine.recovery);
	table_no(&t, 2, ORDER_CHAT, TABLE_CHAT, ERR_ILLEGAL, "the key");
	t.keys[2].sign = mine.new;
	table_play(&t, 2, ORDER_CHAT, TABLE_CHAT);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_verify(&t);
	table_clear(&t);
}

static void
keys_come_while_an_answer_is_owed_and_after_the_end(void **state_)
{
	struct sign_key laptop;
	struct table t;

	(void)state_;
	begin(&t, true);
	laptop = t.keys[2].sign;
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(table_is_asked(&t));
	state(&t, STATEMENT_ADD, &mine.phone, &laptop);
	t.keys[2].sign = mine.phone;
	table_settle(&t);
	table_play(&t, 1, ORDER_RESIGN, "{}");
	state(&t, STATEMENT_DROP, &laptop, &mine.phone);
	table_play(&t, 1, ORDER_CLOSE, "{}");
	table_play(&t, 2, ORDER_CLOSE, "{}");
	no(&t, STATEMENT_ADD, &mine.new, &mine.phone, ERR_ILLEGAL,
	    "the game is closed; no line may follow");
	table_verify(&t);
	table_clear(&t);
}

static void
the_recovery_key_signs_nothing_else(void **state_)
{
	struct sign_key laptop;
	struct table t;

	(void)state_;
	begin(&t, true);
	laptop = t.keys[2].sign;
	no(&t, STATEMENT_ADD, &mine.phone, &mine.recovery, ERR_ILLEGAL,
	    "not a key of the account");
	no(&t, STATEMENT_RESET, &mine.phone, &laptop, ERR_ILLEGAL,
	    "signed by the account's recovery key");
	no(&t, STATEMENT_ADD, &mine.recovery, &laptop, ERR_ILLEGAL,
	    "signs key statements and nothing else");
	no(&t, STATEMENT_RESET, &mine.recovery, &mine.recovery, ERR_ILLEGAL,
	    "signs key statements and nothing else");
	t.keys[2].sign = mine.recovery;
	table_no(&t, 2, ORDER_CHAT, TABLE_CHAT, ERR_ILLEGAL, "the key");
	table_verify(&t);
	table_clear(&t);
	/* Who has none gets none. */
	begin(&t, false);
	no(&t, STATEMENT_RESET, &mine.new, &mine.recovery, ERR_ILLEGAL,
	    "has no recovery key");
	no(&t, STATEMENT_RESET, &mine.new, &t.keys[2].sign, ERR_ILLEGAL,
	    "has no recovery key");
	table_clear(&t);
}

static void
of_two_statements_with_one_number_the_first_counts(void **state_)
{
	uint8_t prev[HASH_LEN];
	struct sign_key laptop;
	struct table t;
	int64_t n;

	(void)state_;
	begin(&t, true);
	laptop = t.keys[2].sign;
	state(&t, STATEMENT_ADD, &mine.phone, &laptop);
	n = mine.n;
	memcpy(prev, mine.prev, HASH_LEN);
	mine.n = 0;
	memset(mine.prev, 0, HASH_LEN);
	no(&t, STATEMENT_DROP, &laptop, &mine.phone, ERR_STALE,
	    "number 2 is due");
	mine.n = n;
	memset(mine.prev, 7, HASH_LEN);
	no(&t, STATEMENT_DROP, &laptop, &mine.phone, ERR_STALE,
	    "not the hash of the account's last statement");
	mine.n = n + 1;
	memcpy(mine.prev, prev, HASH_LEN);
	no(&t, STATEMENT_DROP, &laptop, &mine.phone, ERR_STALE,
	    "number 2 is due");
	mine.n = n;
	no(&t, STATEMENT_ADD, &mine.phone, &laptop, ERR_ILLEGAL,
	    "has this key already");
	no(&t, STATEMENT_DROP, &mine.new, &laptop, ERR_ILLEGAL, "no such key");
	no(&t, STATEMENT_ADD, &t.keys[1].sign, &laptop, ERR_ILLEGAL,
	    "already sits in seat 1");
	state(&t, STATEMENT_DROP, &laptop, &mine.phone);
	table_verify(&t);
	table_clear(&t);
}

static void
a_statement_is_of_its_account_seat_and_server(void **state_)
{
	uint8_t pool[HASH_LEN] = {1};
	struct table t;
	size_t len;

	(void)state_;
	begin(&t, true);
	len = statement_text(
	    &t, STATEMENT_ADD, mine.phone.public_key, NULL, NULL);
	assert_int_equal(try_text(&t, 1, len, &t.keys[2].sign), ERR_ILLEGAL);
	assert_int_equal(try_text(&t, 3, len, &t.keys[2].sign), ERR_ILLEGAL);
	len = statement_text(&t, STATEMENT_ADD, mine.phone.public_key,
	    "account", json_string("p1"));
	assert_int_equal(try_text(&t, 2, len, &t.keys[2].sign), ERR_ILLEGAL);
	len = statement_text(&t, STATEMENT_ADD, mine.phone.public_key, "server",
	    js_hex(mine.new.public_key, SIGN_KEY_LEN));
	assert_int_equal(try_text(&t, 2, len, &t.keys[2].sign), ERR_ILLEGAL);
	/* No key line moves the pool. */
	len = statement_text(
	    &t, STATEMENT_ADD, mine.phone.public_key, NULL, NULL);
	assert_int_equal(try_text(&t, 2, len, &t.keys[2].sign), 0);
	write_line(&t, 2, len, &t.keys[2].sign, pool);
	table_is_bad(&t, t.n_lines - 1, "nothing calls for it");
	table_clear(&t);
}

static void
who_joins_brings_all_keys_of_the_account(void **state_)
{
	struct sign_key laptop;
	struct table t;
	json_t *args;

	(void)state_;
	keys_make();
	table_init(&t);
	table_make_create(&t, table_create_args(&t, table_roster));
	assert_int_equal(table_open(&t), 0);
	laptop = t.keys[2].sign;
	mine.n = 7;
	memset(mine.prev, 9, HASH_LEN);
	args = table_seat_args(&t, 2);
	json_object_set_new(args, "kn", json_integer(mine.n));
	json_object_set_new(args, "kprev", js_hex(mine.prev, HASH_LEN));
	json_object_set_new(args, "keys",
	    json_pack("[o]", js_hex(t.keys[1].sign.public_key, SIGN_KEY_LEN)));
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, json_deep_copy(args)), ERR_ILLEGAL);
	json_object_set_new(
	    args, "recovery", js_hex(t.keys[1].sign.public_key, SIGN_KEY_LEN));
	json_object_set_new(args, "keys",
	    json_pack("[o]", js_hex(mine.phone.public_key, SIGN_KEY_LEN)));
	assert_int_equal(
	    table_try(&t, 2, ORDER_JOIN, json_deep_copy(args)), ERR_ILLEGAL);
	json_object_del(args, "recovery");
	json_object_set_new(args, "keys",
	    json_pack("[o]", js_hex(mine.phone.public_key, SIGN_KEY_LEN)));
	assert_int_equal(table_try(&t, 2, ORDER_JOIN, args), 0);
	t.keys[2].sign = mine.phone;
	table_play(&t, 2, ORDER_READY, "{}");
	state(&t, STATEMENT_DROP, &laptop, &mine.phone);
	table_reload(&t);
	table_play(&t, 1, ORDER_READY, "{}");
	table_verify(&t);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(keys_come_and_go),
	    cmocka_unit_test(
		keys_come_while_an_answer_is_owed_and_after_the_end),
	    cmocka_unit_test(the_recovery_key_signs_nothing_else),
	    cmocka_unit_test(
		of_two_statements_with_one_number_the_first_counts),
	    cmocka_unit_test(a_statement_is_of_its_account_seat_and_server),
	    cmocka_unit_test(who_joins_brings_all_keys_of_the_account),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
