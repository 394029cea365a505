/* SPDX-License-Identifier: ISC */
/*
 * The ledger's batches: that nothing leaves before it is stored, and that a
 * disk or an allocation that fails leaves nothing behind and tells nothing.
 */
#include "server/ledger/ledger.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/duel.h"

static void
many_orders_share_one_fsync_and_none_leaves_before_it(void **state)
{
	struct duel *t = *state;
	struct ledger_job *jobs[40], *first;
	int answered, i, syncs;
	size_t published;

	duel_play(t);
	first = duel_chat_job(t, 1, "first", 1);
	for (i = 0; i < 40; i++)
		jobs[i] = duel_chat_job(t, 1 + i % 2, "chat", (uint8_t)i);
	answered = t->answered;
	published = t->n_published;
	syncs = atomic_load(&faulty.wal_syncs);
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, first);
	duel_await_held_sync();
	for (i = 0; i < 40; i++)
		duel_submit(t, jobs[i]);
	for (i = 0; i < 5; i++)
		duel_rest();
	/* Held before the disk: nobody has heard of it. */
	assert_int_equal(t->answered, answered);
	assert_int_equal(t->n_published, published);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + 41);
	assert_int_equal(atomic_load(&faulty.wal_syncs), syncs + 2);
	for (i = 0; i < 40; i++)
		assert_int_equal(t->n_published, published + 41);
	for (i = 0; i < 41; i++)
		assert_int_equal(t->published[published + (size_t)i], 4 + i);
	for (i = 0; i < 40; i++) {
		assert_int_equal(jobs[i]->r, 0);
		assert_int_equal(jobs[i]->seq, 5 + i);
		ledger_job_free(jobs[i]);
	}
	ledger_job_free(first);
	duel_is_good(t, 45);
}

static void
one_batch_sorts_out_repeats_and_the_late(void **state)
{
	struct duel *t = *state;
	struct ledger_job *first, *end, *again, *late, *create, *create2;
	int answered;

	duel_play(t);
	first = duel_chat_job(t, 1, "first", 1);
	end = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	again = duel_same_job(t, 1, end);
	late = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	create = duel_create_job(t, duel_create_args(t));
	create2 = duel_same_job(t, 1, create);
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, first);
	duel_await_held_sync();
	duel_submit(t, end);
	duel_submit(t, again);
	duel_submit(t, late);
	duel_submit(t, create);
	duel_submit(t, create2);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + 6);
	assert_int_equal(end->r, 0);
	assert_false(end->is_repeat);
	assert_int_equal(again->r, 0);
	assert_true(again->is_repeat);
	assert_int_equal(again->line.len, end->line.len);
	assert_memory_equal(again->line.data, end->line.data, end->line.len);
	assert_int_equal(late->r, ERR_STALE);
	assert_int_equal(late->head_seq, 5);
	assert_int_equal(create->r, 0);
	assert_true(create2->is_repeat);
	assert_memory_equal(
	    create2->line.data, create->line.data, create->line.len);
	ledger_job_free(first);
	ledger_job_free(end);
	ledger_job_free(again);
	ledger_job_free(late);
	ledger_job_free(create);
	ledger_job_free(create2);
	duel_is_good(t, 6);
}

static void
a_failed_commit_tells_nothing_and_gives_no_second_throw(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again;
	char *want, *got;
	size_t published;
	int i;

	duel_play(t);
	published = t->n_published;
	atomic_store(&faulty.disk_is_full, true);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	want = duel_expected_dice(t, job);
	for (i = 0; i < 20; i++) {
		again = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
		assert_string_not_equal(again->text, job->text);
		got = duel_expected_dice(t, again);
		assert_string_equal(got, want);
		free(got);
		duel_must_fail(
		    t, again, ERR_STORAGE, "send the same bytes again");
	}
	duel_must_fail(
	    t, duel_same_job(t, 1, job), ERR_STORAGE, "send the same");
	assert_int_equal(t->n_published, published);
	assert_int_equal(duel_last_seq(t), 3);
	atomic_store(&faulty.disk_is_full, false);
	assert_int_equal(duel_run(t, job), 0);
	assert_int_equal(job->seq, 4);
	assert_false(job->is_repeat);
	got = duel_dice_of(job);
	assert_string_equal(got, want);
	free(got);
	free(want);
	ledger_job_free(job);
	assert_int_equal(t->failures, 0);
	duel_is_good(t, 5);
}

static void
a_commit_that_fails_fails_the_whole_batch(void **state)
{
	struct duel *t = *state;
	struct ledger_job *first, *jobs[6];
	int answered, i;

	duel_play(t);
	first = duel_chat_job(t, 1, "first", 1);
	jobs[0] = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	jobs[1] = duel_order_job(t, 1, ORDER_DECLARE, duel_combat); /* stale */
	jobs[2] = duel_same_job(t, 1, jobs[0]);
	jobs[3] = duel_create_job(t, duel_create_args(t));
	jobs[4] = duel_register_job("eve", t->keys[0].sign.public_key);
	jobs[5] = duel_chat_job(t, 2, "second", 2);
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, first);
	duel_await_held_sync();
	for (i = 0; i < 6; i++)
		duel_submit(t, jobs[i]);
	/* The first is written already; the batch after it is not. */
	atomic_store(&faulty.disk_is_full, true);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + 7);
	assert_int_equal(first->r, 0);
	for (i = 0; i < 6; i++) {
		assert_int_equal(jobs[i]->r, ERR_STORAGE);
		assert_int_equal(jobs[i]->line.len, 0);
		assert_int_equal(jobs[i]->refusal.len, 0);
		assert_false(jobs[i]->is_repeat);
	}
	assert_int_equal(duel_last_seq(t), 4);
	assert_int_equal(t->published[t->n_published - 1], 4);
	atomic_store(&faulty.disk_is_full, false);
	/* Now each has its own answer. */
	for (i = 0; i < 6; i++)
		(void)duel_run(t, jobs[i]);
	assert_int_equal(jobs[0]->r, 0);
	assert_int_equal(jobs[1]->r, ERR_STALE);
	assert_true(jobs[2]->is_repeat);
	assert_int_equal(jobs[3]->r, 0);
	assert_int_equal(jobs[4]->r, 0);
	assert_int_equal(jobs[5]->r, 0);
	for (i = 0; i < 6; i++)
		ledger_job_free(jobs[i]);
	ledger_job_free(first);
	duel_is_good(t, 7);
}

static void
a_failed_fsync_ends_the_work(void **state)
{
	struct duel *t = *state;
	struct ledger_job *first, *job, *again, *waiting;
	int answered;

	duel_play(t);
	first = duel_chat_job(t, 1, "first", 1);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	again = duel_same_job(t, 1, job);
	waiting = duel_same_job(t, 1, job);
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	atomic_store(&faulty.sync_rc, SQLITE_IOERR_FSYNC);
	duel_submit(t, first);
	duel_await_held_sync();
	duel_submit(t, job);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + 2);
	assert_int_equal(first->r, ERR_STORAGE);
	assert_int_equal(job->r, ERR_STORAGE);
	while (ledger_submit(t->l, waiting) == 0)
		fail_msg("the ledger still takes jobs");
	atomic_store(&faulty.sync_rc, 0);
	duel_stop(t);
	assert_int_equal(t->failures, 1);
	assert_int_equal(duel_start(t), 0);
	/* What is on disk is known again, and so is the answer. */
	assert_int_equal(duel_run(t, again), 0);
	ledger_job_free(first);
	ledger_job_free(job);
	ledger_job_free(again);
	ledger_job_free(waiting);
	duel_is_good(t, duel_last_seq(t) + 1);
}

/* A job of an account that need not be there; it does nothing. */
static struct ledger_job *
idle_job(struct duel *t, const char *account)
{
	struct ledger_job *job;

	job = ledger_job_new(LEDGER_BLOCK);
	assert_non_null(job);
	snprintf(job->account, sizeof(job->account), "%s", account);
	snprintf(job->other, sizeof(job->other), "%s", account);
	job->done = duel_done_cb;
	job->arg = t;
	return (job);
}

static void
a_full_queue_and_a_stopping_ledger_are_busy(void **state)
{
	struct duel *t = *state;
	struct ledger_job *jobs[600];
	int answered, i, n;
	char name[20];

	duel_play(t);
	for (i = 0; i < 600; i++) {
		snprintf(name, sizeof(name), "x%d", i);
		jobs[i] = idle_job(t, name);
	}
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	/* This one is in hand, and then 512 may wait. */
	ledger_job_free(jobs[0]);
	jobs[0] = duel_register_job("eve", t->keys[0].sign.public_key);
	duel_submit(t, jobs[0]);
	duel_await_held_sync();
	for (i = 1, n = 1; i < 600; i++) {
		/* Two may share a flow, and then the second has no room. */
		if (ledger_submit(t->l, jobs[i]) == 0)
			n++;
	}
	assert_int_equal(n, 513);
	atomic_store(&faulty.syncs_are_held, false);
	/* Stopping finishes what is in hand and what waits. */
	duel_stop(t);
	assert_int_equal(t->answered, answered + 513);
	assert_int_equal(jobs[0]->r, 0);
	for (i = 0; i < 600; i++)
		ledger_job_free(jobs[i]);
	assert_int_equal(duel_start(t), 0);
}

static void
one_account_cannot_fill_the_queue(void **state)
{
	struct duel *t = *state;
	struct ledger_job *jobs[80], *first, *last;
	int answered, i, n;

	duel_play(t);
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	first = duel_register_job("eve", t->keys[0].sign.public_key);
	duel_submit(t, first);
	duel_await_held_sync();
	for (i = 0; i < 80; i++) {
		jobs[i] = duel_chat_job(t, 1, "again", (uint8_t)i);
		jobs[i]->done = duel_done_cb;
		jobs[i]->arg = t;
	}
	for (n = 0; n < 80 && ledger_submit(t->l, jobs[n]) == 0; n++)
		continue;
	/* An eighth of the room that they leave of 512. */
	assert_int_equal(n, 57);
	assert_int_equal(ledger_submit(t->l, jobs[n]), ERR_BUSY);
	last = duel_chat_job(t, 2, "and I", 200);
	duel_submit(t, last);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + n + 2);
	for (i = 0; i < n; i++)
		assert_int_equal(jobs[i]->r, 0);
	assert_int_equal(last->r, 0);
	/* What is done does not count any more. */
	assert_int_equal(duel_run(t, jobs[n]), 0);
	ledger_job_free(first);
	ledger_job_free(last);
	for (i = 0; i < 80; i++)
		ledger_job_free(jobs[i]);
}

static void
many_accounts_cannot_fill_the_queue(void **state)
{
	struct duel *t = *state;
	static struct ledger_job *jobs[600];
	struct ledger_job *first, *last, *spare, *stranger;
	char name[20];
	int answered, i, n = 0;

	duel_play(t);
	first = duel_register_job("eve", t->keys[0].sign.public_key);
	last = duel_chat_job(t, 2, "and I", 200);
	spare = idle_job(t, "");
	stranger = duel_register_job("fay", t->identity.public_key);
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, first);
	duel_await_held_sync();
	/* Thirty who never stop: each has another go until none gets one. */
	for (i = 0; i < 600; i++) {
		snprintf(name, sizeof(name), "x%d", i % 30);
		jobs[n] = idle_job(t, name);
		if (ledger_submit(t->l, jobs[n]) == 0)
			n++;
		else
			ledger_job_free(jobs[n]);
	}
	assert_in_range(n, 300, 500);
	duel_submit(t, last);
	duel_submit(t, spare);
	duel_submit(t, stranger);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + n + 4);
	assert_int_equal(last->r, 0);
	assert_int_equal(stranger->r, 0);
	ledger_job_free(first);
	ledger_job_free(last);
	ledger_job_free(spare);
	ledger_job_free(stranger);
	for (i = 0; i < n; i++)
		ledger_job_free(jobs[i]);
}

static void
strangers_cannot_fill_the_queue(void **state)
{
	struct duel *t = *state;
	static struct ledger_job *jobs[600];
	struct ledger_job *last;
	int answered, i, n;

	duel_play(t);
	last = duel_chat_job(t, 2, "and I", 200);
	answered = t->answered;
	for (i = 0; i < 600; i++) {
		jobs[i] = duel_register_job("x", t->keys[1].sign.public_key);
		jobs[i]->done = duel_done_cb;
		jobs[i]->arg = t;
	}
	ledger_job_free(jobs[0]);
	jobs[0] = duel_register_job("eve", t->keys[0].sign.public_key);
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, jobs[0]);
	duel_await_held_sync();
	for (n = 1; n < 600 && ledger_submit(t->l, jobs[n]) == 0; n++)
		continue;
	assert_in_range(n, 10, 100);
	duel_submit(t, last);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + n + 1);
	assert_int_equal(last->r, 0);
	ledger_job_free(last);
	for (i = 0; i < 600; i++)
		ledger_job_free(jobs[i]);
}

/* Whoever has little waiting is not behind all of those who have much. */
static void
accounts_have_turns_and_keep_their_order(void **state)
{
	struct duel *t = *state;
	struct ledger_job *jobs[40], *first, *last[2];
	int answered, i;

	duel_play(t);
	first = duel_chat_job(t, 1, "first", 1);
	for (i = 0; i < 40; i++)
		jobs[i] = duel_chat_job(t, 1, "chat", (uint8_t)i);
	for (i = 0; i < 2; i++)
		last[i] = duel_chat_job(t, 2, "and I", (uint8_t)i);
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, first);
	duel_await_held_sync();
	for (i = 0; i < 40; i++)
		duel_submit(t, jobs[i]);
	for (i = 0; i < 2; i++)
		duel_submit(t, last[i]);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + 43);
	for (i = 0; i < 40; i++)
		assert_int_equal(jobs[i]->seq, 5 + i + (i > 0) + (i > 1));
	for (i = 0; i < 2; i++)
		assert_int_equal(last[i]->seq, 6 + 2 * i);
	ledger_job_free(first);
	for (i = 0; i < 40; i++)
		ledger_job_free(jobs[i]);
	for (i = 0; i < 2; i++)
		ledger_job_free(last[i]);
	duel_is_good(t, 47);
}

/* Notes as how many-eth a job is answered. */
static void
note_done_cb(struct ledger_job *job, void *arg)
{
	static atomic_int count;

	job->seq = atomic_fetch_add(&count, 1);
	duel_done_cb(job, arg);
}

/* What a witness says in one game does not wait for all it says in another. */
static void
games_have_turns_with_a_witness(void **state)
{
	struct duel *t = *state;
	struct ledger_job *jobs[21], *first;
	int answered, i, is_witness;

	duel_play(t);
	for (is_witness = 0; is_witness <= 1; is_witness++) {
		first = duel_chat_job(t, 1, "first", (uint8_t)is_witness);
		for (i = 0; i < 21; i++) {
			jobs[i] = idle_job(t, "club");
			jobs[i]->done = note_done_cb;
			jobs[i]->is_witness = is_witness == 1;
			jobs[i]->order.game[0] = i == 20 ? 2 : 1;
		}
		answered = t->answered;
		atomic_store(&faulty.syncs_are_held, true);
		duel_submit(t, first);
		duel_await_held_sync();
		for (i = 0; i < 21; i++)
			assert_int_equal(ledger_submit(t->l, jobs[i]), 0);
		atomic_store(&faulty.syncs_are_held, false);
		duel_await_answers(t, answered + 22);
		assert_int_equal(
		    jobs[20]->seq - jobs[0]->seq, is_witness == 1 ? 1 : 20);
		for (i = 0; i < 19; i++)
			assert_true(jobs[i]->seq < jobs[i + 1]->seq);
		ledger_job_free(first);
		for (i = 0; i < 21; i++)
			ledger_job_free(jobs[i]);
	}
}

/* A batch is not answered before its last job: dear ones must not be many. */
static void
a_batch_ends_when_its_time_is_over(void **state)
{
	struct duel *t = *state;
	struct ledger_job *jobs[10], *first;
	int answered, i, syncs;

	duel_play(t);
	duel_stop(t);
	t->batch_us = 1;
	assert_int_equal(duel_start(t), 0);
	first = duel_chat_job(t, 1, "first", 1);
	for (i = 0; i < 10; i++)
		jobs[i] = duel_chat_job(t, 1 + i % 2, "chat", (uint8_t)i);
	answered = t->answered;
	syncs = atomic_load(&faulty.wal_syncs);
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, first);
	duel_await_held_sync();
	for (i = 0; i < 10; i++)
		duel_submit(t, jobs[i]);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + 11);
	/* A new file of the log has one of its own. */
	assert_true(atomic_load(&faulty.wal_syncs) >= syncs + 11);
	for (i = 0; i < 10; i++) {
		assert_int_equal(jobs[i]->r, 0);
		assert_int_equal(jobs[i]->seq, 5 + i);
		assert_true(jobs[i]->spent_us > 0);
		ledger_job_free(jobs[i]);
	}
	ledger_job_free(first);
	duel_is_good(t, 15);
}

/*
 * Gives the bytes of an order to a ledger that has read nothing yet, with
 * the n-th allocation failing.  True if it was stored.
 */
static bool
stored_with_failure(struct duel *t, const struct ledger_job *job, long n)
{
	struct ledger_job *again;
	bool is_stored;
	size_t i;

	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	again = duel_same_job(t, job->order.seat, job);
	for (i = 0; i < job->n_texts; i++)
		duel_add_text(
		    again, job->texts[i].value, job->texts[i].salt[0]);
	atomic_store(&faulty.alloc_left, n);
	(void)duel_run(t, again);
	atomic_store(&faulty.alloc_left, -1);
	is_stored = again->r == 0;
	if (is_stored) {
		assert_true(again->line.len > 0);
	} else {
		assert_int_equal(again->r, ERR_STORAGE);
		assert_int_equal(again->line.len, 0);
		assert_int_equal(again->refusal.len, 0);
	}
	ledger_job_free(again);
	return (is_stored);
}

static void
a_failed_allocation_ends_the_batch_and_nothing_else(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	/* Not every allocation has its turn, unless there is time. */
	const long every = getenv("UMPIRE_LONG") != NULL ? 1
	    : getenv("UMPIRE_SLOW") != NULL              ? 23
							 : 5;
	long failures, n, stored;
	char *want, *got;
	int silent, kept;

	/* It is logged each time. */
	silent = open("/dev/null", O_WRONLY);
	kept = dup(STDERR_FILENO);
	assert_true(silent != -1 && kept != -1);
	duel_play(t);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	want = duel_expected_dice(t, job);
	dup2(silent, STDERR_FILENO);
	for (n = 0; !stored_with_failure(t, job, n); n += every)
		continue;
	dup2(kept, STDERR_FILENO);
	assert_true(n > 200);
	assert_int_equal(duel_run(t, job), 0);
	assert_true(job->is_repeat);
	got = duel_dice_of(job);
	assert_string_equal(got, want);
	free(got);
	free(want);
	ledger_job_free(job);
	stored = 0;
	dup2(silent, STDERR_FILENO);
	for (n = 0;; n += every) {
		job = duel_chat_job(t, 1, "more", 1);
		failures = atomic_load(&faulty.alloc_failures);
		if (stored_with_failure(t, job, n))
			stored++;
		ledger_job_free(job);
		if (atomic_load(&faulty.alloc_failures) == failures)
			break;
	}
	dup2(kept, STDERR_FILENO);
	close(kept);
	close(silent);
	assert_true(n > 200);
	duel_is_good(t, 5 + stored);
}

/* One of several threads that give orders. */
struct crowd {
	struct duel *t;
	struct ledger_job *jobs[30];
	pthread_t thread;
};

static void *
crowd_thread_cb(void *arg)
{
	struct crowd *c = arg;
	size_t i;

	for (i = 0; i < 30; i++)
		while (ledger_submit(c->t->l, c->jobs[i]) != 0)
			duel_rest();
	return (NULL);
}

static void
several_threads_may_give_orders(void **state)
{
	struct duel *t = *state;
	struct crowd crowd[4];
	int answered, i, k;

	duel_play(t);
	for (i = 0; i < 4; i++) {
		crowd[i].t = t;
		for (k = 0; k < 30; k++) {
			crowd[i].jobs[k] = duel_chat_job(
			    t, 1 + i % 2, "all at once", (uint8_t)(i * 30 + k));
			crowd[i].jobs[k]->done = duel_done_cb;
			crowd[i].jobs[k]->arg = t;
		}
	}
	answered = t->answered;
	for (i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&crowd[i].thread, NULL,
				     crowd_thread_cb, &crowd[i]),
		    0);
	for (i = 0; i < 4; i++)
		pthread_join(crowd[i].thread, NULL);
	duel_await_answers(t, answered + 120);
	for (i = 0; i < 4; i++) {
		for (k = 0; k < 30; k++) {
			assert_int_equal(crowd[i].jobs[k]->r, 0);
			ledger_job_free(crowd[i].jobs[k]);
		}
	}
	assert_int_equal(duel_last_seq(t), 123);
	duel_is_good(t, 124);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(many_orders_share_one_fsync_and_none_leaves_before_it),
	    CASE(one_batch_sorts_out_repeats_and_the_late),
	    CASE(a_failed_commit_tells_nothing_and_gives_no_second_throw),
	    CASE(a_commit_that_fails_fails_the_whole_batch),
	    CASE(a_failed_fsync_ends_the_work),
	    CASE(a_full_queue_and_a_stopping_ledger_are_busy),
	    CASE(one_account_cannot_fill_the_queue),
	    CASE(many_accounts_cannot_fill_the_queue),
	    CASE(strangers_cannot_fill_the_queue),
	    CASE(accounts_have_turns_and_keep_their_order),
	    CASE(games_have_turns_with_a_witness),
	    CASE(a_batch_ends_when_its_time_is_over),
	    CASE(a_failed_allocation_ends_the_batch_and_nothing_else),
	    CASE(several_threads_may_give_orders),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
