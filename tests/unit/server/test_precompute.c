/* SPDX-License-Identifier: ISC */
/*
 * Work done ahead of the ledger: that it is used, that it never makes dice
 * other than the keys alone give, and that it is not done for orders that
 * will be refused.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/duel.h"

#include "server/rpc/precompute.h"

#define FREE "{'dice':3,'sides':6}"

static int
setup(void **state)
{
	struct duel *t;

	if (duel_setup(state) != 0)
		return (-1);
	t = *state;
	duel_stop(t);
	if (precompute_cache_new(
		PRECOMPUTE_CACHE_GAMES, &t->precompute_cache) != 0)
		return (-1);
	return (duel_start(t));
}

static int
teardown(void **state)
{
	struct duel *t = *state;
	struct precompute_cache *cache = t->precompute_cache;
	int r;

	r = duel_teardown(state); /* the ledger has them until then */
	precompute_cache_free(cache);
	return (r);
}

/* Runs an order, which must be taken, and compares its dice. */
static void
must_roll(struct duel *t, struct ledger_job *job, const char *want, bool same)
{
	char *got;

	if (duel_run(t, job) != 0)
		fail_msg("%s: %s", job->e.where, job->e.text);
	got = duel_dice_of(job);
	if (same)
		assert_string_equal(got, want);
	else
		assert_string_not_equal(got, want);
	free(got);
	ledger_job_free(job);
}

static void
work_ahead_gives_the_dice_of_the_keys(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	struct game_ahead a;
	int64_t lines = 4;
	uint32_t dry;
	char *want;
	int i;

	duel_play(t);
	assert_int_equal(precompute_cache_count(t->precompute_cache), 1);
	assert_true(
	    precompute_cache_find(t->precompute_cache, t->game, &a, &dry));
	for (i = 0; i < 3; i++, lines++) {
		job = duel_order_job(t, 1, i < 2 ? ORDER_FREE : ORDER_DECLARE,
		    i < 2 ? FREE : duel_combat);
		want = duel_expected_dice(t, job);
		assert_true(
		    precompute_work(t->precompute_cache, &t->dice, job));
		assert_true(job->checked.is_set);
		assert_true(job->thrown.is_set);
		must_roll(t, job, want, true);
		free(want);
	}
	duel_is_good(t, lines);
}

static void
work_ahead_is_used(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	char *want;

	/* An output that is not the proof's shows in the dice. */
	duel_play(t);
	job = duel_order_job(t, 1, ORDER_FREE, "{'dice':40,'sides':6}");
	want = duel_expected_dice(t, job);
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	memset(job->thrown.beta, 0xee, sizeof(job->thrown.beta));
	must_roll(t, job, want, false);
	free(want);
}

static void
work_upon_other_bytes_is_not_used(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	char *want;
	int i;

	duel_play(t);
	for (i = 0; i < 6; i++) {
		job = duel_order_job(t, 1, ORDER_FREE, FREE);
		want = duel_expected_dice(t, job);
		assert_true(
		    precompute_work(t->precompute_cache, &t->dice, job));
		memset(job->thrown.beta, 0xee, sizeof(job->thrown.beta));
		if (i == 0)
			job->thrown.key[32] ^= 1;
		else if (i == 1)
			job->thrown.alpha[0] ^= 1;
		else if (i == 2)
			job->thrown.alpha[job->thrown.n - 1] ^= 0x80;
		else if (i == 3)
			job->thrown.n--;
		else if (i == 4)
			job->thrown.is_set = false;
		else
			vrf_memo_clear(&job->thrown);
		/* The same of the player's: another output of another proof. */
		memset(job->checked.beta, 0xdd, sizeof(job->checked.beta));
		job->checked.proof[i] ^= 4;
		must_roll(t, job, want, true);
		free(want);
	}
	duel_is_good(t, 10);
}

static void
what_is_known_too_late_makes_no_other_dice(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	struct game_ahead now, old;
	uint32_t dry;
	char *want;
	int i;

	duel_play(t);
	for (i = 0; i < 4; i++) {
		job = duel_order_job(t, 1, ORDER_FREE, FREE);
		want = duel_expected_dice(t, job);
		assert_true(precompute_cache_find(
		    t->precompute_cache, t->game, &now, &dry));
		old = now;
		if (i == 0) /* another pool, as before a turn's end */
			old.pool[0] ^= 1;
		else if (i == 1) /* another dice key of the seat */
			memcpy(old.seats[1].dice_key,
			    t->keys[2].dice.public_key, VRF_KEY_LEN);
		else if (i == 2) /* a game of another dice key of the server */
			memcpy(old.server_dice, t->keys[2].dice.public_key,
			    VRF_KEY_LEN);
		else /* another key of the seat: nothing is done */
			old.seats[1].keys[0][0] ^= 1;
		precompute_cache_put(t->precompute_cache, &old);
		assert_int_equal(
		    precompute_work(t->precompute_cache, &t->dice, job), i < 3);
		assert_int_equal(job->checked.is_set, i == 2);
		assert_false(job->thrown.is_set);
		must_roll(t, job, want, true);
		free(want);
		/* The commit has put right what is known. */
		assert_true(precompute_cache_find(
		    t->precompute_cache, t->game, &old, &dry));
		assert_memory_equal(old.pool, now.pool, HASH_LEN);
		assert_memory_equal(old.seats, now.seats, sizeof(old.seats));
	}
	duel_is_good(t, 8);
}

static void
the_pool_is_that_of_the_last_commit(void **state)
{
	struct duel *t = *state;
	struct game_ahead a, b;
	uint32_t dry;
	struct ledger_job *job, *late;
	char *want;

	duel_play(t);
	assert_true(
	    precompute_cache_find(t->precompute_cache, t->game, &a, &dry));
	late = duel_order_job(t, 1, ORDER_FREE, FREE);
	assert_true(precompute_work(t->precompute_cache, &t->dice, late));
	assert_true(late->thrown.is_set);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	assert_true(job->checked.is_set);
	assert_false(job->thrown.is_set); /* no dice fall */
	duel_must(t, job);
	assert_true(
	    precompute_cache_find(t->precompute_cache, t->game, &b, &dry));
	assert_memory_not_equal(a.pool, b.pool, HASH_LEN);
	assert_int_equal(b.epoch, a.epoch + 1);
	/* Refused, and nothing of what was worked out is in the answer. */
	duel_must_refuse(t, late, ERR_STALE, "stale", "");
	job = duel_order_job(t, 2, ORDER_FREE, FREE);
	want = duel_expected_dice(t, job);
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	must_roll(t, job, want, true);
	free(want);
	duel_is_good(t, 6);
}

static void
the_same_bytes_are_not_worked_upon_twice(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	assert_int_equal(duel_run(t, job), 0);
	again = duel_same_job(t, 1, job);
	assert_false(precompute_work(t->precompute_cache, &t->dice, again));
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	assert_int_equal(again->line.len, job->line.len);
	assert_memory_equal(again->line.data, job->line.data, job->line.len);
	ledger_job_free(again);
	ledger_job_free(job);
	/* Nor those of who does not sit there, nor a chat. */
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	memcpy(job->key, t->keys[2].sign.public_key, SIGN_KEY_LEN);
	assert_false(precompute_work(t->precompute_cache, &t->dice, job));
	assert_false(job->checked.is_set || job->thrown.is_set);
	ledger_job_free(job);
	job = duel_chat_job(t, 1, "well?", 3);
	assert_false(precompute_work(t->precompute_cache, &t->dice, job));
	ledger_job_free(job);
}

static void
a_kind_that_drew_no_dice_is_checked_only(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	char *want;

	duel_play(t);
	precompute_cache_note(t->precompute_cache, t->game, ORDER_FREE, false);
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	want = duel_expected_dice(t, job);
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	assert_true(job->checked.is_set);
	assert_false(job->thrown.is_set);
	must_roll(t, job, want, true);
	free(want);
	/* That line had dice. */
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	assert_true(job->thrown.is_set);
	duel_must(t, job);
	duel_is_good(t, 6);
}

/* A witness answers for many games before it hears of any. */
static void
a_witness_may_have_more_on_its_way(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	unsigned i, lost = 0;

	duel_play(t);
	for (i = 0; i < PRECOMPUTE_LOST_WITNESS + 1; i++) {
		job = duel_order_job(t, 1, ORDER_FREE, FREE);
		job->is_witness = true;
		precompute_try(t->precompute_cache, &t->dice, job, &lost);
		assert_int_equal(
		    job->checked.is_set, i < PRECOMPUTE_LOST_WITNESS);
		ledger_job_free(job);
	}
}

static void
work_that_leads_to_nothing_comes_to_an_end(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *late;
	unsigned lost = 0;
	int i;

	duel_play(t);
	for (i = 0; i < PRECOMPUTE_LOST_MAX + 2; i++) {
		job = duel_order_job(t, 1, ORDER_FREE, FREE);
		if (i == 0)
			precompute_try(NULL, &t->dice, job, &lost);
		assert_int_equal(
		    lost, i < PRECOMPUTE_LOST_MAX ? i : PRECOMPUTE_LOST_MAX);
		precompute_try(t->precompute_cache, &t->dice, job, &lost);
		assert_int_equal(job->checked.is_set, i < PRECOMPUTE_LOST_MAX);
		job->r = ERR_STALE;
		precompute_done(job, &lost);
		ledger_job_free(job);
	}
	/* A chat that is taken gives no new credit, nor do known bytes. */
	job = duel_chat_job(t, 1, "so?", 1);
	precompute_try(t->precompute_cache, &t->dice, job, &lost);
	assert_int_equal(duel_run(t, job), 0);
	precompute_done(job, &lost);
	assert_int_equal(lost, PRECOMPUTE_LOST_MAX);
	ledger_job_free(job);
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	late = duel_same_job(t, 1, job);
	precompute_try(t->precompute_cache, &t->dice, job, &lost);
	assert_false(job->checked.is_set);
	assert_int_equal(duel_run(t, late), 0);
	assert_int_equal(duel_run(t, job), 0);
	assert_true(job->is_repeat);
	precompute_done(job, &lost);
	assert_int_equal(lost, PRECOMPUTE_LOST_MAX);
	precompute_done(late, &lost);
	assert_int_equal(lost, 0);
	ledger_job_free(late);
	ledger_job_free(job);
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	precompute_try(t->precompute_cache, &t->dice, job, &lost);
	assert_int_equal(lost, 1);
	duel_must(t, job);
	duel_is_good(t, 7);
}

static void
a_false_proof_leaves_nothing(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	job->order.own[60] ^= 1;
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	assert_false(job->checked.is_set || job->thrown.is_set);
	duel_must_refuse(t, job, ERR_ILLEGAL, "illegal", "proof");
}

static void
a_batch_that_fails_takes_its_games_out(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again;
	char *want;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_FREE, FREE);
	want = duel_expected_dice(t, job);
	assert_true(precompute_work(t->precompute_cache, &t->dice, job));
	again = duel_same_job(t, 1, job);
	atomic_store(&faulty.disk_is_full, true);
	duel_must_fail(t, job, ERR_STORAGE, "same bytes");
	atomic_store(&faulty.disk_is_full, false);
	assert_int_equal(precompute_cache_count(t->precompute_cache), 0);
	assert_false(precompute_work(t->precompute_cache, &t->dice, again));
	must_roll(t, again, want, true);
	free(want);
	assert_int_equal(precompute_cache_count(t->precompute_cache), 1);
	duel_is_good(t, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		work_ahead_gives_the_dice_of_the_keys, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		work_ahead_is_used, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		work_upon_other_bytes_is_not_used, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		what_is_known_too_late_makes_no_other_dice, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		the_pool_is_that_of_the_last_commit, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		the_same_bytes_are_not_worked_upon_twice, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_kind_that_drew_no_dice_is_checked_only, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_witness_may_have_more_on_its_way, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		work_that_leads_to_nothing_comes_to_an_end, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_false_proof_leaves_nothing, setup, teardown),
	    cmocka_unit_test_setup_teardown(
		a_batch_that_fails_takes_its_games_out, setup, teardown),
	};

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
