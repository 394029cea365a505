/* SPDX-License-Identifier: ISC */
/* What the operator does to games (umpire-record.7, S4). */
#include "tests/lib/duel.h"

/* A job that closes the test's game. */
static struct ledger_job *
close_job(struct duel *t, const char *why, size_t len)
{
	struct ledger_job *job = ledger_job_new(LEDGER_CLOSE);

	assert_non_null(job);
	memcpy(job->game, t->game, HASH_LEN);
	job->n_texts = 1;
	job->texts[0].len = len;
	assert_non_null(job->texts[0].value = malloc(len + 1));
	memcpy(job->texts[0].value, why, len);
	return (job);
}

static void
a_closed_game_takes_nothing_more(void **state_)
{
	const char words[] = "both have moved to Peru";
	struct duel *t = *state_;
	struct ledger_job *job;
	struct game *g;
	size_t before;
	int side;

	duel_play(t);
	before = t->n_published;
	job = close_job(t, words, strlen(words));
	assert_int_equal(duel_run(t, job), 0);
	assert_int_equal(job->seq, duel_last_seq(t));
	assert_int_equal(t->n_published, before + 1);
	assert_int_equal(
	    store_text_find(t->rd, 1, job->texts[0].ref, &side), 0);
	assert_int_equal(side, 0);
	ledger_job_free(job);
	g = duel_game(t);
	assert_true(game_is_finished(g));
	assert_int_equal(game_how(g), GAME_CLOSED);
	game_free(g);
	duel_must_fail(t, close_job(t, words, strlen(words)), ERR_ILLEGAL,
	    "the game is closed already, in line 4");
	duel_must_refuse(t, duel_chat_job(t, 1, "hello?", 1), ERR_ILLEGAL,
	    "illegal", "the game is closed; no line may follow");
	duel_is_good(t, 5);
}

static void
a_game_is_closed_with_a_reason_or_not(void **state_)
{
	char much[RECORD_TEXT_MAX + 1];
	struct duel *t = *state_;
	struct ledger_job *job;

	duel_play(t);
	memset(much, 'x', sizeof(much));
	duel_must_fail(t, close_job(t, "", 0), ERR_INVALID, "say why");
	duel_must_fail(
	    t, close_job(t, much, sizeof(much)), ERR_TOOBIG, "4001 bytes");
	duel_must_fail(
	    t, close_job(t, "caf\xe9", 4), ERR_INVALID, "must be UTF-8");
	job = close_job(t, "x", 1);
	job->game[0] ^= 1;
	duel_must_fail(t, job, ERR_NOTFOUND, "no such game");
	assert_int_equal(duel_last_seq(t), 3);
	duel_must(t, close_job(t, much, RECORD_TEXT_MAX));
	duel_is_good(t, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_closed_game_takes_nothing_more, duel_setup, duel_teardown),
	    cmocka_unit_test_setup_teardown(
		a_game_is_closed_with_a_reason_or_not, duel_setup,
		duel_teardown),
	};

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
