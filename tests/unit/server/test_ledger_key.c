/* SPDX-License-Identifier: ISC */
/*
 * Key statements as the daemon takes them (umpire-record.7, S4): one for an
 * account and all of its games, or none.
 */
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/record/statement.h"

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "tests/lib/duel.h"
#include "tests/lib/quoted.h"

#define AHEAD_MS (11 * 60 * INT64_C(1000))

/* Keys of bob besides his own, and the last statement of his account. */
static struct {
	struct sign_key laptop, phone, new, recovery;
	int64_t n;
	uint8_t prev[HASH_LEN];
} mine;

/* Makes the keys; bob's account has a recovery key. */
static void
keys_make(struct duel *t)
{
	uint8_t seed[32] = {0};

	memset(&mine, 0, sizeof(mine));
	mine.laptop = t->keys[2].sign;
	seed[31] = 101;
	assert_int_equal(sign_key_from_seed(&mine.phone, seed), 0);
	seed[31] = 102;
	assert_int_equal(sign_key_from_seed(&mine.new, seed), 0);
	seed[31] = 103;
	assert_int_equal(sign_key_from_seed(&mine.recovery, seed), 0);
}

/* A job of an account's next statement: as many as bob's were made. */
static struct ledger_job *
state_job_of(struct duel *t, const char *account, enum statement_do what,
    const struct sign_key *key, const struct sign_key *by, int64_t ahead_ms)
{
	const struct statement_parts p = {t->identity.public_key, account,
	    mine.n + 1, mine.prev, what, key->public_key,
	    clock_wall_ms() + ahead_ms};
	struct ledger_job *job = ledger_job_new(LEDGER_KEY);
	struct buf b;

	assert_non_null(job);
	buf_init(&b, 0);
	assert_int_equal(statement_write(&p, &b), 0);
	assert_non_null(job->text = strdup(buf_str(&b)));
	snprintf(job->account, sizeof(job->account), "%s", account);
	memcpy(job->key, by->public_key, SIGN_KEY_LEN);
	assert_int_equal(
	    sign_make(by, SIGN_TAG_KEY, b.data, b.len, job->sig), 0);
	buf_clear(&b);
	return (job);
}

/* The same of bob. */
static struct ledger_job *
state_job(struct duel *t, enum statement_do what, const struct sign_key *key,
    const struct sign_key *by, int64_t ahead_ms)
{
	return (state_job_of(t, "bob", what, key, by, ahead_ms));
}

/* A statement that must be taken; counts how many lines came of it. */
static size_t
state(struct duel *t, enum statement_do what, const struct sign_key *key,
    const struct sign_key *by)
{
	struct ledger_job *job = state_job(t, what, key, by, 0);
	size_t before = t->n_published;

	assert_int_equal(duel_run(t, job), 0);
	mine.n++;
	assert_int_equal(job->seq, mine.n);
	assert_int_equal(
	    hash_tagged(mine.prev, SIGN_TAG_KEY, job->text, strlen(job->text)),
	    0);
	ledger_job_free(job);
	return (t->n_published - before);
}

/* A statement that must be refused. */
static void
no(struct duel *t, enum statement_do what, const struct sign_key *key,
    const struct sign_key *by, int r, const char *why)
{
	duel_must_fail(t, state_job(t, what, key, by, 0), r, why);
}

/* The join of seat 2 with the recovery key. */
static struct ledger_job *
join_job(struct duel *t, bool has_recovery)
{
	struct ledger_job *job, *plain = duel_join_job(t);
	char more[2 * SIGN_KEY_LEN + 64], hex[2 * SIGN_KEY_LEN + 1];

	if (!has_recovery)
		return (plain);
	hex_format(hex, mine.recovery.public_key, SIGN_KEY_LEN);
	snprintf(more, sizeof(more), "'recovery':'%s','kprev'", hex);
	job = duel_edited_job(t, 2, plain, "'kprev'", more);
	ledger_job_free(plain);
	return (job);
}

/* Two players, bob with a recovery key, and a game that has begun. */
static void
play(struct duel *t)
{
	struct ledger_job *job;

	keys_make(t);
	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	job = duel_register_job("bob", t->keys[2].sign.public_key);
	job->has_recovery = true;
	memcpy(job->recovery, mine.recovery.public_key, SIGN_KEY_LEN);
	duel_must(t, job);
	job = duel_blob_job("ann", duel_roster);
	memcpy(t->roster, job->blob_hash, HASH_LEN);
	duel_must(t, job);
	job = duel_create_job(t, duel_create_args(t));
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	duel_must_refuse(t, join_job(t, false), ERR_ILLEGAL, "illegal",
	    "must be the account's recovery key");
	duel_must(t, join_job(t, true));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
}

static void
a_statement_counts_in_account_and_games(void **state_)
{
	struct duel *t = *state_;

	play(t);
	assert_int_equal(state(t, STATEMENT_ADD, &mine.phone, &mine.laptop), 1);
	t->keys[2].sign = mine.phone;
	duel_must(t, duel_chat_job(t, 2, "from the train", 1));
	assert_int_equal(
	    state(t, STATEMENT_DROP, &mine.laptop, &mine.phone), 1);
	assert_int_equal(
	    store_account_has_key(t->rd, "bob", mine.laptop.public_key),
	    ERR_NOTFOUND);
	/* Whoever has the laptop can do nothing from the next line on. */
	t->keys[2].sign = mine.laptop;
	duel_must_refuse(t, duel_chat_job(t, 2, "haha", 2), ERR_ILLEGAL,
	    "illegal", "the key does not belong to seat 2");
	no(t, STATEMENT_ADD, &mine.new, &mine.laptop, ERR_ILLEGAL, "not a key");
	no(t, STATEMENT_ADD, &mine.laptop, &mine.phone, ERR_EXISTS,
	    "or did once");
	no(t, STATEMENT_DROP, &mine.phone, &mine.phone, ERR_ILLEGAL,
	    "the last key");
	/* After a restart, too. */
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	t->keys[2].sign = mine.phone;
	duel_must(t, duel_chat_job(t, 2, "mine again", 3));
	assert_int_equal(
	    state(t, STATEMENT_RESET, &mine.new, &mine.recovery), 1);
	duel_must_refuse(t, duel_chat_job(t, 2, "lost", 4), ERR_ILLEGAL,
	    "illegal", "the key does not belong to seat 2");
	t->keys[2].sign = mine.new;
	duel_must(t, duel_chat_job(t, 2, "found", 5));
	duel_is_good(t, 10);
}

static void
a_statement_is_taken_once(void **state_)
{
	struct ledger_job *job, *other;
	struct duel *t = *state_;
	int64_t seq;

	play(t);
	job = state_job(t, STATEMENT_ADD, &mine.phone, &mine.laptop, 0);
	other = state_job(t, STATEMENT_ADD, &mine.new, &mine.laptop, 0);
	assert_int_equal(duel_run(t, job), 0);
	seq = duel_last_seq(t);
	/* Its answer was lost: the same bytes are answered as before. */
	assert_int_equal(duel_run(t, job), 0);
	assert_true(job->is_repeat);
	assert_int_equal(job->seq, 1);
	assert_int_equal(duel_last_seq(t), seq);
	ledger_job_free(job);
	/* Of two with one number the first counts. */
	duel_must_fail(t, other, ERR_STALE, "number 2 is due");
	assert_int_equal(duel_last_seq(t), seq);
	duel_is_good(t, seq + 1);
}

static void
a_statement_that_does_not_hold_changes_nothing(void **state_)
{
	struct duel *t = *state_;
	struct ledger_job *job;
	int64_t seq;

	play(t);
	seq = duel_last_seq(t);
	no(t, STATEMENT_ADD, &mine.phone, &mine.recovery, ERR_ILLEGAL,
	    "not a key of the account");
	no(t, STATEMENT_RESET, &mine.phone, &mine.laptop, ERR_ILLEGAL,
	    "recovery key");
	no(t, STATEMENT_ADD, &mine.recovery, &mine.laptop, ERR_ILLEGAL,
	    "nothing else");
	no(t, STATEMENT_ADD, &t->keys[1].sign, &mine.laptop, ERR_EXISTS,
	    "belongs to an account");
	duel_must_fail(t,
	    state_job(t, STATEMENT_ADD, &mine.phone, &mine.laptop, AHEAD_MS),
	    ERR_CLOCK, "ten minutes");
	job = state_job(t, STATEMENT_ADD, &mine.phone, &mine.laptop, 0);
	snprintf(job->account, sizeof(job->account), "carl");
	duel_must_fail(t, job, ERR_DENIED, "no account \"carl\"");
	assert_int_equal(duel_last_seq(t), seq);
	duel_is_good(t, seq + 1);
}

static void
the_recovery_key_of_another_is_nobody_s(void **state_)
{
	struct duel *t = *state_;
	int64_t seq;

	play(t);
	seq = duel_last_seq(t);
	/* It stands in the record, so that ann can try. */
	duel_must_fail(t,
	    state_job_of(
		t, "ann", STATEMENT_ADD, &mine.recovery, &t->keys[1].sign, 0),
	    ERR_EXISTS, "belongs to an account");
	assert_int_equal(duel_last_seq(t), seq);
	assert_int_equal(
	    store_account_has_key(t->rd, "ann", mine.recovery.public_key),
	    ERR_NOTFOUND);
	assert_int_equal(
	    state(t, STATEMENT_RESET, &mine.new, &mine.recovery), 1);
	duel_is_good(t, seq + 2);
}

static void
no_account_takes_a_recovery_key_from_another(void **state_)
{
	struct duel *t = *state_;
	struct ledger_job *job;

	keys_make(t);
	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	job = duel_register_job("bob", t->keys[2].sign.public_key);
	job->has_recovery = true;
	memcpy(job->recovery, mine.recovery.public_key, SIGN_KEY_LEN);
	duel_must(t, job);
	job = duel_register_job("carl", mine.phone.public_key);
	job->has_recovery = true;
	memcpy(job->recovery, mine.recovery.public_key, SIGN_KEY_LEN);
	duel_must_fail(t, job, ERR_EXISTS, "the recovery key belongs");
	job = duel_register_job("carl", mine.phone.public_key);
	job->has_recovery = true;
	memcpy(job->recovery, t->keys[1].sign.public_key, SIGN_KEY_LEN);
	duel_must_fail(t, job, ERR_EXISTS, "the recovery key belongs");
	duel_must_fail(t, duel_register_job("carl", mine.recovery.public_key),
	    ERR_EXISTS, "the key belongs");
	assert_int_equal(store_account_find(t->rd, "carl"), ERR_NOTFOUND);
	duel_must(t, duel_register_job("carl", mine.phone.public_key));
}

static void
a_new_game_names_all_keys(void **state_)
{
	struct duel *t = *state_;
	json_t *args;

	play(t);
	assert_int_equal(state(t, STATEMENT_ADD, &mine.phone, &mine.laptop), 1);
	duel_must(t, duel_order_job(t, 1, ORDER_RESIGN, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_CLOSE, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_CLOSE, "{}"));
	/* No line follows in a game that is closed. */
	assert_int_equal(
	    state(t, STATEMENT_DROP, &mine.phone, &mine.laptop), 0);
	args = duel_create_args(t);
	json_object_set_new(args, "keys",
	    json_pack("[o]", js_hex(mine.phone.public_key, SIGN_KEY_LEN)));
	duel_must_refuse(t, duel_create_job(t, args), ERR_ILLEGAL, "illegal",
	    "all other keys of the account");
}

/* A job of a seat's new dice key. */
static struct ledger_job *
dice_key_job(struct duel *t, int seat, const uint8_t key[VRF_KEY_LEN])
{
	char hex[2 * VRF_KEY_LEN + 1], args[sizeof(hex) + 32];

	hex_format(hex, key, VRF_KEY_LEN);
	(void)snprintf(args, sizeof(args), "{'dice_key':'%s'}", hex);
	return (duel_order_job(t, seat, ORDER_DICE_KEY, args));
}

/* A seat's dice key that must be refused. */
static void
no_dice_key(
    struct duel *t, int seat, const uint8_t key[VRF_KEY_LEN], const char *why)
{
	duel_must_refuse(
	    t, dice_key_job(t, seat, key), ERR_ILLEGAL, "illegal", why);
}

/* The daemon starts again, from what it keeps. */
static void
start_again(struct duel *t)
{
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
}

/* With a dice key that is not the game's no order is made. */
static void
no_order(struct duel *t, int seat, enum order_kind kind, const char *args)
{
	struct game *g = duel_game(t);
	json_t *v = quoted_json(args);
	uint8_t sig[SIGN_LEN];
	struct errinfo e;
	struct buf text;

	buf_init(&text, 0);
	assert_int_equal(game_make_order(g, seat, &t->keys[seat], kind, v,
			     clock_wall_ms(), &text, sig, &e),
	    ERR_MISSING);
	buf_clear(&text);
	json_decref(v);
	game_free(g);
}

static void
a_new_dice_key_makes_the_dice_of_the_next_turn(void **state_)
{
	static const char roll[] = "{'dice':2,'sides':6}";
	struct duel *t = *state_;
	uint8_t secret[32] = {9};
	struct vrf_key old, keys[3];
	struct ledger_job *job;
	size_t i;

	for (i = 0; i < 3; i++) {
		secret[31] = (uint8_t)i;
		assert_int_equal(vrf_key_from_secret(&keys[i], secret), 0);
	}
	duel_play(t);
	old = t->keys[2].dice;
	duel_must(t, dice_key_job(t, 2, keys[0].public_key));
	no_dice_key(t, 2, t->keys[1].dice.public_key, "is or was");
	no_dice_key(t, 1, keys[0].public_key, "is or was");
	no_dice_key(t, 1, t->dice.public_key, "is or was");
	duel_must(t, dice_key_job(t, 2, keys[1].public_key));
	no_dice_key(t, 2, keys[2].public_key, "third");
	start_again(t);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	no_order(t, 2, ORDER_READY, "{}");
	t->keys[2].dice = keys[1];
	duel_must_refuse(t, duel_order_job(t, 2, ORDER_FREE, roll), ERR_STALE,
	    "stale", "ready");
	start_again(t);
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	t->keys[2].dice = old;
	no_order(t, 2, ORDER_FREE, roll);
	t->keys[2].dice = keys[1];
	job = duel_order_job(t, 2, ORDER_FREE, roll);
	assert_int_equal(duel_run(t, job), 0);
	assert_true(job->has_dice);
	ledger_job_free(job);
	duel_is_good(t, 10);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_statement_counts_in_account_and_games, duel_setup,
		duel_teardown),
	    cmocka_unit_test_setup_teardown(
		a_statement_is_taken_once, duel_setup, duel_teardown),
	    cmocka_unit_test_setup_teardown(
		a_statement_that_does_not_hold_changes_nothing, duel_setup,
		duel_teardown),
	    cmocka_unit_test_setup_teardown(
		the_recovery_key_of_another_is_nobody_s, duel_setup,
		duel_teardown),
	    cmocka_unit_test_setup_teardown(
		no_account_takes_a_recovery_key_from_another, duel_setup,
		duel_teardown),
	    cmocka_unit_test_setup_teardown(
		a_new_game_names_all_keys, duel_setup, duel_teardown),
	    cmocka_unit_test_setup_teardown(
		a_new_dice_key_makes_the_dice_of_the_next_turn, duel_setup,
		duel_teardown),
	};

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
