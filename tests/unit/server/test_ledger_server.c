/* SPDX-License-Identifier: ISC */
/* What the operator does to games (umpire-record.7, S4), and erasing (S9). */
#include "tests/lib/duel.h"

#define TEXTS 120

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

/* How often bytes stand in a file; 0 if there is none. */
static int
count_in(const char *path, const void *what, size_t n)
{
	struct buf b;
	char piece[4096];
	int found = 0;
	const char *p;
	size_t got;
	FILE *f;

	if ((f = fopen(path, "r")) == NULL)
		return (0);
	buf_init(&b, 0);
	while ((got = fread(piece, 1, sizeof(piece), f)) > 0)
		buf_add(&b, piece, got);
	fclose(f);
	assert_int_equal(buf_error(&b), 0);
	for (p = b.data; b.len > 0 &&
	     (p = memmem(p, b.len - (size_t)(p - b.data), what, n)) != NULL;
	     p++)
		found++;
	buf_clear(&b);
	return (found);
}

/* The same in all files of the database. */
static int
count_all(struct duel *t, const void *what, size_t n)
{
	char log[160];

	snprintf(log, sizeof(log), "%s-wal", t->path);
	return (count_in(t->path, what, n) + count_in(log, what, n));
}

/* A job that erases a text. */
static struct ledger_job *
erase_job(struct duel *t, const char *account, const uint8_t ref[HASH_LEN])
{
	struct ledger_job *job = ledger_job_new(LEDGER_ERASE);

	assert_non_null(job);
	memcpy(job->game, t->game, HASH_LEN);
	memcpy(job->ref, ref, HASH_LEN);
	snprintf(job->account, sizeof(job->account), "%s", account);
	job->is_operator = account[0] == '\0';
	return (job);
}

/* A chat of seat 1 that no other text holds, and its ref. */
static void
say(struct duel *t, int i, size_t len, uint8_t ref[HASH_LEN])
{
	char words[RECORD_TEXT_MAX + 1];
	struct ledger_job *job;
	size_t n = 0;

	while (n < len)
		n += (size_t)snprintf(
		    words + n, sizeof(words) - n, "<%03d:%zu>", i, n);
	words[len] = '\0';
	job = duel_chat_job(t, 1, words, (uint8_t)(128 + i));
	memcpy(ref, job->texts[0].ref, HASH_LEN);
	duel_must(t, job);
}

/* True for every copy of a text and its salt. */
static bool
is_there(struct duel *t, int i)
{
	char words[16];
	uint8_t salt[32];

	snprintf(words, sizeof(words), "<%03d:0>", i);
	memset(salt, 128 + i, sizeof(salt));
	return (count_all(t, words, strlen(words)) > 0 ||
	    count_all(t, salt, sizeof(salt)) > 0);
}

/* Has a copy go on. */
static bool
goes_on(void *arg, int64_t pages, int64_t total)
{
	(void)arg;
	(void)pages;
	(void)total;
	return (true);
}

/* Copies the database as a backup does, and looks for bytes in it. */
static int
count_in_backup(struct duel *t, const void *what, size_t n)
{
	struct errinfo e;
	struct store *st;
	char path[160];
	int found;

	snprintf(path, sizeof(path), "%s/copy.db", t->dir);
	assert_int_equal(store_open_source(t->path, &st, &e), 0);
	assert_int_equal(store_copy(st, path, goes_on, NULL, &e), 0);
	store_close(st);
	found = count_in(path, what, n);
	assert_int_equal(unlink(path), 0);
	return (found);
}

/* Of all lengths, in any order: none leaves a byte, and none takes another. */
static void
a_text_that_is_erased_is_nowhere(void **state_)
{
	static uint8_t refs[TEXTS][HASH_LEN];
	struct duel *t = *state_;
	struct ledger_job *job;
	char words[16];
	int i, k;

	duel_play(t);
	for (i = 0; i < TEXTS; i++)
		say(t, i, i % 5 == 4 ? 3900 : 8 + (size_t)i * 5, refs[i]);
	for (i = 0; i < TEXTS; i++)
		assert_true(is_there(t, i));
	for (i = 0; i < TEXTS; i++) {
		k = i * 77 % TEXTS;
		if (k % 3 == 2)
			continue;
		job = erase_job(t, k % 3 == 0 ? "ann" : "", refs[k]);
		assert_int_equal(duel_run(t, job), 0);
		assert_true(job->is_wiped);
		assert_false(job->is_repeat);
		ledger_job_free(job);
		assert_false(is_there(t, k));
	}
	for (i = 0; i < TEXTS; i++) {
		snprintf(words, sizeof(words), "<%03d:0>", i);
		assert_int_equal(is_there(t, i), i % 3 == 2);
		if (i < 9)
			assert_int_equal(
			    count_in_backup(t, words, strlen(words)) > 0,
			    i % 3 == 2);
	}
	/* More is written, and the rest erased. */
	say(t, 200, 3000, refs[0]);
	for (i = 2; i < TEXTS; i += 3) {
		duel_must(t, erase_job(t, "ann", refs[i]));
		assert_false(is_there(t, i));
	}
	assert_true(is_there(t, 200));
	duel_is_good(t, 4 + TEXTS + 1);
}

static void
who_may_have_a_text_erased(void **state_)
{
	struct duel *t = *state_;
	struct ledger_job *job;
	uint8_t ref[HASH_LEN];

	duel_play(t);
	say(t, 0, 40, ref);
	duel_must_fail(t, erase_job(t, "bob", ref), ERR_DENIED,
	    "only who wrote a text can have it erased");
	job = erase_job(t, "ann", ref);
	job->ref[0] ^= 1;
	duel_must_fail(t, job, ERR_NOTFOUND, "no such text");
	job = erase_job(t, "ann", ref);
	job->game[0] ^= 1;
	duel_must_fail(t, job, ERR_NOTFOUND, "no such game");
	assert_true(is_there(t, 0));
	duel_must(t, erase_job(t, "ann", ref));
	/* An answer that was lost: it is asked for again. */
	job = erase_job(t, "ann", ref);
	assert_int_equal(duel_run(t, job), 0);
	assert_true(job->is_repeat);
	ledger_job_free(job);
	duel_must_fail(t, erase_job(t, "bob", ref), ERR_DENIED, "only who");
	/* It comes back neither with an order that brings it nor without. */
	say(t, 0, 40, ref);
	assert_int_equal(store_text_is_erased(t->rd, 1, ref), 0);
	duel_is_good(t, 6);
}

/* A reader, as of a backup, keeps the log; it goes when the reader has. */
static void
a_reader_puts_off_the_end_of_a_text(void **state_)
{
	struct duel *t = *state_;
	struct ledger_job *job;
	uint8_t ref[HASH_LEN];
	int64_t games, lines;
	int side;

	duel_play(t);
	say(t, 0, 40, ref);
	assert_int_equal(store_begin(t->rd), 0);
	assert_int_equal(store_count(t->rd, &games, &lines), 0);
	job = erase_job(t, "ann", ref);
	assert_int_equal(duel_run(t, job), 0);
	assert_false(job->is_wiped);
	ledger_job_free(job);
	assert_true(is_there(t, 0));
	store_rollback(t->rd);
	assert_int_equal(store_text_find(t->rd, 1, ref, &side), ERR_NOTFOUND);
	duel_must(t, duel_chat_job(t, 2, "go on", 7));
	assert_false(is_there(t, 0));
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
	    cmocka_unit_test_setup_teardown(
		a_text_that_is_erased_is_nowhere, duel_setup, duel_teardown),
	    cmocka_unit_test_setup_teardown(
		who_may_have_a_text_erased, duel_setup, duel_teardown),
	    cmocka_unit_test_setup_teardown(
		a_reader_puts_off_the_end_of_a_text, duel_setup, duel_teardown),
	};

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
