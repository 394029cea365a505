/* SPDX-License-Identifier: ISC */
/* A seat for somebody else (umpire-record.7, S4.2), as the ledger keeps it. */
#include "common/base/hex.h"
#include "tests/lib/duel.h"

/* Somebody who is to have a seat, as the account "new". */
static struct game_keys fresh;

/* Makes the keys and the account. */
static void
enter(struct duel *t)
{
	uint8_t seed[32] = {0};

	seed[31] = 77;
	assert_int_equal(sign_key_from_seed(&fresh.sign, seed), 0);
	assert_int_equal(vrf_key_from_secret(&fresh.dice, seed), 0);
	duel_must(t, duel_register_job("new", fresh.sign.public_key));
}

/* A job that proposes that account for a seat of another. */
static struct ledger_job *
seat_job(struct duel *t, const char *former, const char *to, size_t digits)
{
	struct ledger_job *job = ledger_job_new(LEDGER_SEAT);
	char hex[2 * HASH_LEN + 1];

	assert_non_null(job);
	snprintf(job->former, sizeof(job->former), "%s", former);
	snprintf(job->other, sizeof(job->other), "%s", to);
	memcpy(job->dice_key, fresh.dice.public_key, VRF_KEY_LEN);
	hex_format(hex, t->game, HASH_LEN);
	snprintf(job->digits, sizeof(job->digits), "%.*s", (int)digits, hex);
	job->n_texts = 1;
	job->texts[0].len = 4;
	assert_non_null(job->texts[0].value = strdup("lost"));
	return (job);
}

/* An accept of a line by a seat. */
static struct ledger_job *
accept_job(struct duel *t, int seat, int64_t to)
{
	char args[40];

	snprintf(args, sizeof(args), "{'to':%lld}", (long long)to);
	return (duel_order_job(t, seat, ORDER_ACCEPT, args));
}

/* Who sits in a seat, by the table of seats. */
static int
seat_cb(void *arg, int seat, const char *account)
{
	char *all = arg;

	(void)seat;
	strcat(all, account);
	strcat(all, " ");
	return (0);
}

/* The accounts of the game, by seat. */
static const char *
seats(struct duel *t)
{
	static char all[200];

	all[0] = '\0';
	assert_int_equal(store_game_seats(t->rd, 1, seat_cb, all), 0);
	return (all);
}

static void
the_seats_follow_the_record(void **state_)
{
	struct duel *t = *state_;
	struct ledger_job *job;
	struct game *g;
	int64_t line;

	enter(t);
	duel_play(t);
	job = seat_job(t, "bob", "new", 8);
	assert_int_equal(duel_run(t, job), 0);
	line = duel_last_seq(t);
	assert_int_equal(json_array_size(job->given), 1);
	assert_int_equal(json_array_size(job->skipped), 0);
	assert_memory_equal(job->game, t->game, HASH_LEN);
	assert_memory_equal(job->new_key, fresh.sign.public_key, SIGN_KEY_LEN);
	ledger_job_free(job);
	assert_string_equal(seats(t), "ann bob ");
	duel_must(t, accept_job(t, 1, line));
	assert_string_equal(seats(t), "ann new ");
	g = duel_game(t);
	assert_string_equal(game_account(g, 2), "new");
	assert_true(game_is_round(g));
	game_free(g);
	duel_must_refuse(t, duel_chat_job(t, 2, "it is me", 1), ERR_ILLEGAL,
	    "illegal", "the key does not belong to seat 2");
	t->keys[2] = fresh;
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	/* Also for a ledger that reads it all again. */
	duel_stop(t);
	duel_start(t);
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	assert_string_equal(seats(t), "ann new ");
	duel_is_good(t, 8);
}

static void
who_and_where_are_checked(void **state_)
{
	struct duel *t = *state_;
	struct ledger_job *job;

	enter(t);
	/* The game has not begun; in all of them it is left out. */
	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	duel_must(t, duel_register_job("bob", t->keys[2].sign.public_key));
	job = duel_blob_job("ann", duel_roster);
	memcpy(t->roster, job->blob_hash, HASH_LEN);
	duel_must(t, job);
	job = duel_create_job(t, duel_create_args(t));
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	duel_must(t, duel_join_job(t));
	duel_must_fail(t, seat_job(t, "bob", "new", 64), ERR_ILLEGAL,
	    "in play, and only then");
	job = seat_job(t, "bob", "new", 0);
	assert_int_equal(duel_run(t, job), 0);
	assert_int_equal(json_array_size(job->given), 0);
	assert_int_equal(json_array_size(job->skipped), 1);
	ledger_job_free(job);
	assert_int_equal(duel_last_seq(t), 1);
	duel_must_fail(t, seat_job(t, "carl", "new", 8), ERR_NOTFOUND,
	    "no account \"carl\"");
	duel_must_fail(
	    t, seat_job(t, "bob", "carl", 8), ERR_NOTFOUND, "registers first");
	duel_must_fail(t, seat_job(t, "bob", "bob", 8), ERR_INVALID,
	    "has the seat already");
	duel_must_fail(t, seat_job(t, "new", "ann", 8), ERR_NOTFOUND,
	    "has no seat in this game");
	duel_must_fail(t, seat_job(t, "new", "ann", 0), ERR_NOTFOUND,
	    "has no seat in a game that goes on");
	job = seat_job(t, "bob", "new", 8);
	job->digits[0] = job->digits[0] == '0' ? '1' : '0';
	duel_must_fail(
	    t, job, ERR_NOTFOUND, "no game or tournament here begins with");
	job = seat_job(t, "bob", "new", 8);
	job->n_texts = 0;
	free(job->texts[0].value);
	job->texts[0].value = NULL;
	duel_must_fail(t, job, ERR_INVALID, "say why");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		the_seats_follow_the_record, duel_setup, duel_teardown),
	    cmocka_unit_test_setup_teardown(
		who_and_where_are_checked, duel_setup, duel_teardown),
	};

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
