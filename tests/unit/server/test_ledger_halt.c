/* SPDX-License-Identifier: ISC */
/*
 * The ledger when the rules fail after the dice: the order stands with its
 * dice, a fault line follows in the same commit, and the game is halted.
 * The failure is put between the ledger and the real game_take(), which is
 * therefore compiled into this program under another name.
 */
#include "common/game/game_take.h"

int real_game_take(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx,
    struct errinfo *e);

#define game_take real_game_take
#include "common/game/game_take.c"
#undef game_take

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/duel.h"

static atomic_bool rules_fail;
static atomic_int take_rc; /* what the next take returns after the dice */

int
game_take(struct game *g, const struct order *o,
    const uint8_t key[SIGN_KEY_LEN], const struct game_dice *dice,
    const struct record_line *given, struct game_effects *fx, struct errinfo *e)
{
	int r;

	r = real_game_take(g, o, key, dice, given, fx, e);
	if (r != 0 || given != NULL)
		return (r);
	if (atomic_load(&rules_fail)) {
		fx->is_fault = true;
		snprintf(fx->fault, sizeof(fx->fault), "a test \"fault\"");
	}
	r = atomic_exchange(&take_rc, 0);
	if (r != 0)
		game_effects_clear(fx);
	return (r);
}

static void
a_fault_of_the_rules_is_recorded_and_halts_the_game(void **state)
{
	struct duel *t = *state;
	struct store_game_row row;
	struct record_line ln;
	struct ledger_job *job, *again;
	uint8_t hash[HASH_LEN];
	const char *text;
	struct errinfo e;
	struct buf line;
	int64_t seq;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	atomic_store(&rules_fail, true);
	assert_int_equal(duel_run(t, job), 0);
	atomic_store(&rules_fail, false);
	assert_int_equal(job->seq, 4);
	assert_int_equal(t->n_published, 6);
	assert_int_equal(t->published[4], 4);
	assert_int_equal(t->published[5], 5);
	assert_int_equal(store_game_find(t->rd, t->game, &row), 0);
	assert_int_equal(row.seq, 5);
	assert_string_equal(row.phase, "halted");
	buf_init(&line, 0);
	assert_int_equal(store_record_get(t->rd, row.gid, 5, &line, hash), 0);
	assert_int_equal(record_parse(line.data, line.len, &ln, &e), 0);
	assert_int_equal(
	    record_check_mark(line.data, line.len, t->identity.public_key), 0);
	assert_memory_equal(ln.hash, hash, HASH_LEN);
	assert_int_equal(hash_sha256(hash, job->line.data, job->line.len), 0);
	assert_memory_equal(ln.prev, hash, HASH_LEN);
	assert_string_equal(ln.what, "fault");
	assert_int_equal(js_get_int(ln.data, "seq", NULL, 0, 99, &seq, &e), 0);
	assert_int_equal(seq, 4);
	assert_int_equal(js_get_str(ln.data, "text", NULL, &text, &e), 0);
	assert_string_equal(text, "a test \"fault\"");
	assert_int_equal(json_array_size(ln.events), 0);
	record_clear(&ln);
	buf_clear(&line);
	/* The same bytes still find their line; nothing is played any more. */
	again = duel_text_job(t, 1, job->order.text, job->order.len);
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	ledger_job_free(again);
	ledger_job_free(job);
	duel_must_refuse(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"),
	    ERR_ILLEGAL, "illegal", "");
	duel_must(t, duel_chat_job(t, 2, "what now?", 1));
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

static void
a_failure_after_the_dice_is_no_refusal(void **state)
{
	static const int codes[] = {ERR_FAULT, ERR_PROOF, ERR_INVALID,
	    ERR_NOMEM, ERR_INTERNAL, ERR_TOOBIG};
	struct duel *t = *state;
	struct ledger_job *job;
	char *want, *got;
	size_t i;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	want = duel_expected_dice(t, job);
	for (i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		/* The state in memory has moved, and must not be built upon. */
		atomic_store(&take_rc, codes[i]);
		duel_must_fail(
		    t, duel_same_job(t, 1, job), ERR_STORAGE, "same bytes");
	}
	assert_int_equal(duel_last_seq(t), 3);
	assert_int_equal(duel_run(t, job), 0);
	assert_false(job->is_repeat);
	got = duel_dice_of(job);
	assert_string_equal(got, want);
	free(got);
	free(want);
	ledger_job_free(job);
	duel_is_good(t, 5);
}

static void
a_failure_after_the_dice_spares_the_rest_of_the_batch(void **state)
{
	struct duel *t = *state;
	struct ledger_job *first, *jobs[4];
	int answered, i;

	duel_play(t);
	first = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	jobs[0] = duel_chat_job(t, 1, "before", 1);
	jobs[1] = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	jobs[2] = duel_chat_job(t, 2, "after", 2);
	jobs[3] = duel_order_job(t, 1, ORDER_RESIGN, "{}");
	ledger_job_free(first);
	first = duel_register_job("eve", t->keys[0].sign.public_key);
	answered = t->answered;
	atomic_store(&faulty.syncs_are_held, true);
	duel_submit(t, first);
	duel_await_held_sync();
	duel_submit(t, jobs[1]);
	duel_submit(t, jobs[0]);
	duel_submit(t, jobs[2]);
	duel_submit(t, jobs[3]);
	atomic_store(&take_rc, ERR_INTERNAL);
	atomic_store(&faulty.syncs_are_held, false);
	duel_await_answers(t, answered + 5);
	assert_int_equal(jobs[1]->r, ERR_STORAGE);
	assert_int_equal(jobs[0]->r, 0);
	assert_int_equal(jobs[2]->r, 0);
	assert_int_equal(jobs[3]->r, 0);
	assert_int_equal(jobs[3]->seq, 6);
	for (i = 0; i < 4; i++)
		ledger_job_free(jobs[i]);
	ledger_job_free(first);
	duel_is_good(t, 7);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(a_fault_of_the_rules_is_recorded_and_halts_the_game),
	    CASE(a_failure_after_the_dice_is_no_refusal),
	    CASE(a_failure_after_the_dice_spares_the_rest_of_the_batch),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
