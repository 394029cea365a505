/* SPDX-License-Identifier: ISC */
/*
 * The ledger: what it answers to every kind of order and job, and what
 * `umpired --check` finds in what it stored.
 */
#include "server/ledger/ledger.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/base/hex.h"
#include "common/game/game_take.h"
#include "server/ledger/ledger_int.h"
#include "tests/lib/duel.h"

/* What a statement counts in the database. */
static int
count(struct duel *t, const char *sql)
{
	sqlite3_stmt *s;
	sqlite3 *db;
	int n;

	assert_int_equal(
	    sqlite3_open_v2(t->path, &db, SQLITE_OPEN_READONLY, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	n = sqlite3_column_int(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	return (n);
}

static void
a_game_is_played_stored_and_verified(void **state)
{
	struct duel *t = *state;
	struct store_game_row row;
	struct ledger_job *job;
	size_t i;

	duel_play(t);
	duel_must(t, duel_chat_job(t, 2, "Bonne chance", 1));
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	assert_int_equal(duel_run(t, job), 0);
	assert_int_equal(job->seq, 5);
	assert_non_null(strstr(buf_str(&job->line), "\"dice\":"));
	ledger_job_free(job);
	/* What the last guards of SQL guard: the pool's move and the roll. */
	assert_int_equal(count(t,
			     "SELECT count(*) FROM record WHERE place IS"
			     " NOT NULL"),
	    2);
	assert_int_equal(count(t,
			     "SELECT count(*) FROM record WHERE seq = 3"
			     " AND place = 'p/0' AND seat = 2"),
	    1);
	assert_int_equal(count(t,
			     "SELECT count(*) FROM record WHERE seq = 5"
			     " AND place = 'c/1/ru-a/1/1' AND seat = 1"),
	    1);
	assert_int_equal(
	    count(t, "SELECT count(DISTINCT pool) FROM record"), 2);
	duel_must(t, duel_order_job(t, 1, ORDER_RESIGN, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_CLOSE, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_CLOSE, "{}"));
	duel_must_refuse(t, duel_chat_job(t, 2, "too late", 2), ERR_ILLEGAL,
	    "illegal", "closed");
	assert_int_equal(t->n_published, 9);
	for (i = 0; i < 9; i++)
		assert_int_equal(t->published[i], i);
	assert_int_equal(store_game_find(t->rd, t->game, &row), 0);
	assert_string_equal(row.phase, "finished");
	assert_string_equal(row.accounts[0], "ann");
	assert_string_equal(row.accounts[1], "bob");
	assert_string_equal(row.system, "lasalle2");
	duel_is_good(t, 9);
}

static void
a_game_goes_on_after_a_restart(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_must(t, job);
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_must(t, duel_chat_job(t, 1, "", 1));
	duel_is_good(t, 6);
}

/* What is told of the state is what a reader would make of the snapshot. */
static void
assert_stated(struct duel *t, int64_t seq)
{
	struct game *g = duel_game(t);
	json_t *view = game_view(g);
	struct buf text;

	buf_init(&text, 0);
	assert_non_null(view);
	js_dump(view, &text);
	assert_int_equal(t->stated, seq);
	assert_int_equal(game_seq(g), seq);
	assert_string_equal(buf_str(&t->state), buf_str(&text));
	buf_clear(&text);
	json_decref(view);
	game_free(g);
}

static void
who_asks_for_the_state_is_told_it_with_the_line(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	duel_must(t, duel_chat_job(t, 1, "nobody asks", 1));
	assert_int_equal(t->stated, -1);
	t->is_wanted = true;
	job = duel_chat_job(t, 1, "now they do", 2);
	assert_int_equal(duel_run(t, job), 0);
	assert_stated(t, job->seq);
	/* A line again, or none, changes nothing. */
	t->stated = -1;
	duel_must(t, duel_same_job(t, 1, job));
	ledger_job_free(job);
	assert_int_equal(t->stated, -1);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	assert_int_equal(duel_run(t, job), 0);
	assert_stated(t, job->seq);
	ledger_job_free(job);
	duel_must(t, duel_order_job(t, 1, ORDER_RESIGN, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_CLOSE, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_CLOSE, "{}"));
	t->stated = -1;
	duel_must_refuse(t, duel_chat_job(t, 2, "too late", 3), ERR_ILLEGAL,
	    "illegal", "closed");
	assert_int_equal(t->stated, -1);
}

static void
who_is_over_the_quota_may_only_ask_again(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again;

	duel_play(t);
	job = duel_chat_job(t, 1, "the last", 1);
	assert_int_equal(duel_run(t, job), 0);
	assert_in_range(job->written, job->line.len, 2 * job->line.len);
	again = duel_same_job(t, 1, job);
	again->quota_wait_ms = 5001;
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	assert_int_equal(again->written, 0);
	ledger_job_free(again);
	ledger_job_free(job);
	job = duel_chat_job(t, 1, "one more", 2);
	job->quota_wait_ms = 300001;
	assert_int_equal(duel_run(t, job), ERR_LIMIT);
	assert_non_null(strstr(job->e.text, "wait for 6 min"));
	assert_int_equal(job->refusal.len, 0);
	ledger_job_free(job);
	job = duel_create_job(t, duel_create_args(t));
	job->quota_wait_ms = 1;
	assert_int_equal(duel_run(t, job), ERR_LIMIT);
	assert_non_null(strstr(job->e.text, "wait for 1 min"));
	ledger_job_free(job);
	job = duel_create_job(t, duel_create_args(t));
	job->quota_wait_ms = INT64_C(181) * 60000;
	assert_int_equal(duel_run(t, job), ERR_LIMIT);
	assert_non_null(strstr(job->e.text, "wait for 4 hours"));
	ledger_job_free(job);
	duel_is_good(t, 5);
}

static void
known_bytes_are_answered_with_their_line(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again;
	size_t before;

	duel_play(t);
	job = duel_create_job(t, duel_create_args(t));
	assert_int_equal(duel_run(t, job), 0);
	again = duel_same_job(t, 1, job);
	/* Whoever sends them, whenever: it is what was recorded. */
	snprintf(again->account, sizeof(again->account), "bob");
	before = t->n_published;
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	assert_int_equal(again->seq, 0);
	assert_int_equal(again->line.len, job->line.len);
	assert_memory_equal(again->line.data, job->line.data, job->line.len);
	ledger_job_free(again);
	ledger_job_free(job);
	job = duel_chat_job(t, 1, "hello", 1);
	assert_int_equal(duel_run(t, job), 0);
	assert_false(job->is_repeat);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	again = duel_same_job(t, 1, job);
	assert_int_equal(again->n_texts, 0);
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	assert_int_equal(again->seq, 4);
	assert_memory_equal(again->line.data, job->line.data, job->line.len);
	assert_int_equal(t->n_published, before + 2);
	ledger_job_free(again);
	ledger_job_free(job);
}

static void
an_order_for_others_is_no_final_answer(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	char hex[65], other[65];

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_DECLARE, duel_combat);
	memset(other, 'a', 64);
	other[64] = '\0';
	snprintf(
	    hex, sizeof(hex), "%.64s", strstr(job->text, "\"server\":\"") + 10);
	duel_must_fail(t, duel_edited_job(t, 1, job, hex, other), ERR_SERVER,
	    "another server");
	snprintf(
	    hex, sizeof(hex), "%.64s", strstr(job->text, "\"game\":\"") + 8);
	duel_must_fail(t, duel_edited_job(t, 1, job, hex, other), ERR_NOTFOUND,
	    "no such game");
	assert_int_equal(duel_last_seq(t), 3);
	ledger_job_free(job);
}

static void
another_history_is_shown_and_not_refused(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *forked;
	uint8_t head[HASH_LEN];
	struct game *g;
	char hex[65], other[65];

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	memset(other, 'b', 64);
	other[64] = '\0';
	snprintf(
	    hex, sizeof(hex), "%.64s", strstr(job->text, "\"head\":\"") + 8);
	forked = duel_edited_job(t, 1, job, hex, other);
	assert_int_equal(duel_run(t, forked), ERR_FORK);
	assert_int_equal(forked->refusal.len, 0);
	g = duel_game(t);
	memcpy(head, game_head(g), HASH_LEN);
	game_free(g);
	assert_int_equal(forked->head_seq, 3);
	assert_memory_equal(forked->head, head, HASH_LEN);
	ledger_job_free(forked);
	/* A line that is not there yet; the head of another line. */
	duel_must_fail(t, duel_edited_job(t, 1, job, "'after':3", "'after':4"),
	    ERR_FORK, "ends with line 3");
	duel_must_fail(t, duel_edited_job(t, 1, job, "'after':3", "'after':2"),
	    ERR_FORK, "different history");
	assert_int_equal(duel_last_seq(t), 3);
	duel_must(t, job);
}

static void
what_is_final_is_signed(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *late;

	duel_play(t);
	late = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	duel_must_refuse(t, duel_order_job(t, 2, ORDER_TURN_END, "{}"),
	    ERR_STALE, "stale", "other side's turn");
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	duel_must_refuse(t, late, ERR_STALE, "stale", "moved on");
	job = duel_order_job(t, 2, ORDER_CHAT, "{'ref':7}");
	duel_must_refuse(t, job, ERR_ILLEGAL, "illegal", "");
	duel_must_refuse(t, duel_order_job(t, 2, ORDER_NOTE, "{}"), ERR_ILLEGAL,
	    "illegal", "is missing");
	/* Signed by another's key. */
	job = duel_order_job(t, 2, ORDER_RESIGN, "{}");
	memcpy(job->key, t->keys[1].sign.public_key, SIGN_KEY_LEN);
	duel_must_refuse(t, job, ERR_ILLEGAL, "illegal", "key");
	assert_int_equal(duel_last_seq(t), 4);
	duel_is_good(t, 5);
}

/* What memory has no room for is read again when it is needed. */
static void
more_games_are_played_than_memory_holds(void **state)
{
	struct duel *t = *state;
	static struct ledger_job *jobs[LEDGER_GAMES + 20];
	const int n = LEDGER_GAMES + 20;
	int before, i;

	duel_play(t);
	before = t->answered;
	for (i = 0; i < n; i++) {
		jobs[i] = duel_create_job(t, duel_create_args(t));
		duel_submit(t, jobs[i]);
		/* Of one account the queue holds a few dozen. */
		if (i % 40 == 39)
			duel_await_answers(t, before + i + 1);
	}
	duel_await_answers(t, before + n);
	for (i = 0; i < n; i++) {
		assert_int_equal(jobs[i]->r, 0);
		ledger_job_free(jobs[i]);
	}
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	duel_is_good(t, 5);
}

static void
a_nonce_serves_once_for_a_seat(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *spaced;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	/* The same order in other bytes: only one of the two is taken. */
	spaced = duel_edited_job(t, 1, job, "{'v':", "{ 'v':");
	duel_must(t, job);
	duel_must_refuse(t, spaced, ERR_NONCE, "nonce-used", "nonce");
	assert_int_equal(duel_last_seq(t), 4);
}

static void
texts_come_with_their_order(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	char big[4002];

	duel_play(t);
	job = duel_chat_job(t, 1, "hello", 1);
	job->n_texts = 0;
	free(job->texts[0].value);
	duel_must_fail(t, job, ERR_MISSING, "was not sent");
	job = duel_chat_job(t, 1, "hello", 1);
	duel_add_text(job, "not named", 1);
	duel_must_fail(t, job, ERR_INVALID, "not one that the order names");
	job = duel_chat_job(t, 1, "hello", 1);
	job->texts[0].salt[5] ^= 1;
	duel_must_fail(t, job, ERR_INVALID, "hash");
	job = duel_chat_job(t, 1, "hello", 1);
	job->texts[0].value[0] = 'H';
	duel_must_fail(t, job, ERR_INVALID, "hash");
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	duel_add_text(job, "not named", 1);
	duel_must_fail(t, job, ERR_INVALID, "not one that the order names");
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	duel_must_fail(t, duel_chat_job(t, 1, big, 1), ERR_TOOBIG, "4000");
	big[4000] = '\0';
	duel_must(t, duel_chat_job(t, 1, big, 1));
	duel_must(t, duel_chat_job(t, 1, "hello", 1));
	/* What is there already need not be sent. */
	job = duel_chat_job(t, 1, "hello", 1);
	job->n_texts = 0;
	free(job->texts[0].value);
	duel_must(t, job);
	duel_is_good(t, 7);
}

static void
a_create_is_checked_against_account_and_server(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	uint8_t none[HASH_LEN] = {1};
	json_t *args;

	duel_play(t);
	args = duel_create_args(t);
	json_object_set_new(args, "account", json_string("bob"));
	duel_must_refuse(
	    t, duel_create_job(t, args), ERR_ILLEGAL, "illegal", "logged in");
	job = duel_create_job(t, duel_create_args(t));
	snprintf(job->account, sizeof(job->account), "bob");
	duel_must_refuse(t, job, ERR_ILLEGAL, "illegal", "logged in");
	args = duel_create_args(t);
	json_object_set_new(
	    args, "key", js_hex(t->keys[2].sign.public_key, SIGN_KEY_LEN));
	duel_must_refuse(t, duel_create_job(t, args), ERR_ILLEGAL, "illegal",
	    "has no such key");
	args = duel_create_args(t);
	json_object_set_new(args, "server_dice",
	    js_hex(t->keys[2].dice.public_key, VRF_KEY_LEN));
	duel_must_refuse(t, duel_create_job(t, args), ERR_ILLEGAL, "illegal",
	    "server's dice key");
	args = duel_create_args(t);
	json_object_set_new(args, "kn", json_integer(1));
	duel_must_refuse(t, duel_create_job(t, args), ERR_ILLEGAL, "illegal",
	    "last key statement is number 0");
	args = duel_create_args(t);
	json_object_set_new(args, "rounds", json_integer(1));
	duel_must_refuse(
	    t, duel_create_job(t, args), ERR_ILLEGAL, "illegal", "");
	args = duel_create_args(t);
	json_object_del(args, "roster");
	duel_must_refuse(
	    t, duel_create_job(t, args), ERR_ILLEGAL, "illegal", "");
	args = duel_create_args(t);
	json_object_set_new(args, "roster", js_hex(none, HASH_LEN));
	duel_must_fail(
	    t, duel_create_job(t, args), ERR_MISSING, "roster, table or bag");
	args = duel_create_args(t);
	json_object_set_new(args, "name", js_hex(none, HASH_LEN));
	duel_must_fail(
	    t, duel_create_job(t, args), ERR_MISSING, "was not sent");
	assert_int_equal(t->n_published, 4);
}

static void
a_join_is_checked_against_the_account(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	job = duel_create_job(t, duel_create_args(t));
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	job = duel_join_job(t);
	snprintf(job->account, sizeof(job->account), "ann");
	duel_must_refuse(t, job, ERR_ILLEGAL, "illegal", "logged in");
	duel_must(t, duel_join_job(t));
	duel_must_refuse(t, duel_join_job(t), ERR_ILLEGAL, "illegal", "taken");
}

static void
accounts_and_blobs_are_made_once(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	char big[4000];

	duel_play(t);
	duel_must_fail(t, duel_register_job("ann", t->keys[0].sign.public_key),
	    ERR_EXISTS, "\"ann\" is taken");
	duel_must_fail(t, duel_register_job("eve", t->keys[1].sign.public_key),
	    ERR_EXISTS, "another account");
	assert_int_equal(store_account_find(t->rd, "eve"), ERR_NOTFOUND);
	job = duel_register_job("eve", t->keys[0].sign.public_key);
	job->has_invite = true;
	duel_must(t, job);
	job = duel_register_job("fay", t->identity.public_key);
	job->has_invite = true;
	duel_must_fail(t, job, ERR_DENIED, "already been used");
	assert_int_equal(store_account_find(t->rd, "fay"), ERR_NOTFOUND);
	duel_must(t, duel_blob_job("bob", duel_roster));
	duel_must_fail(
	    t, duel_blob_job("nobody", "{'blob':'bag'}"), ERR_LOGIN, "");
	memset(big, ' ', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	memcpy(big, "{\"blob\":\"bag\",\"bag\":[]}", 23);
	duel_must(t, duel_blob_job("bob", big));
	big[3998] = '\0';
	duel_must_fail(t, duel_blob_job("bob", big), ERR_LIMIT, "3999 bytes");
	duel_must(t, duel_blob_job("eve", big));
}

/* Changes the database by other means, which a check must find. */
static void
assert_check_finds(struct duel *t, const char *sql)
{
	struct errinfo e;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN", NULL, NULL, NULL), 0);
	assert_int_equal(
	    sqlite3_exec(db, "PRAGMA foreign_keys = OFF", NULL, NULL, NULL), 0);
	sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	assert_int_equal(
	    sqlite3_exec(db,
		"CREATE TABLE kept AS SELECT * FROM "
		"record; CREATE TABLE kept_game AS SELECT * FROM game; CREATE "
		"TABLE kept_snapshot AS SELECT * FROM snapshot; CREATE TABLE "
		"kept_text AS SELECT * FROM text; CREATE TABLE kept_blob AS "
		"SELECT "
		"* FROM blob; CREATE TABLE kept_secret AS SELECT * FROM "
		"secret",
		NULL, NULL, NULL),
	    0);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_changes(db) > 0, 1);
	if (ledger_check(t->path, t->identity.public_key, &e) != ERR_BAD)
		fail_msg("not found: %s", sql);
	assert_int_equal(
	    sqlite3_exec(db,
		"DELETE FROM record; INSERT INTO "
		"record SELECT * FROM kept; DELETE FROM game; INSERT INTO game "
		"SELECT * FROM kept_game; DELETE FROM snapshot; INSERT INTO "
		"snapshot SELECT * FROM kept_snapshot; DELETE FROM text; "
		"INSERT "
		"INTO text SELECT * FROM kept_text; DELETE FROM blob; INSERT "
		"INTO "
		"blob SELECT * FROM kept_blob; DROP TABLE kept; DROP TABLE "
		"kept_game; DROP TABLE kept_snapshot; DROP TABLE kept_text; "
		"DROP "
		"TABLE kept_blob; DELETE FROM secret; INSERT INTO secret "
		"SELECT * FROM kept_secret; DROP TABLE kept_secret",
		NULL, NULL, NULL),
	    SQLITE_OK);
	sqlite3_close(db);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

static void
the_check_finds_what_does_not_agree(void **state)
{
	struct duel *t = *state;
	struct errinfo e;

	duel_play(t);
	duel_must(t, duel_chat_job(t, 2, "Bonne chance", 1));
	duel_must(t, duel_order_job(t, 1, ORDER_DECLARE, duel_combat));
	duel_stop(t);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	assert_int_equal(
	    ledger_check(t->path, t->keys[1].sign.public_key, &e), ERR_BAD);
	assert_check_finds(t,
	    "UPDATE record SET line = CAST(replace(CAST(line"
	    " AS TEXT), 'chat', 'note') AS BLOB) WHERE seq = 4");
	assert_check_finds(t,
	    "UPDATE record SET hash = zeroblob(32)"
	    " WHERE seq = 2");
	assert_check_finds(t,
	    "UPDATE record SET oid = zeroblob(32)"
	    " WHERE seq = 5");
	assert_check_finds(t,
	    "UPDATE record SET nonce = zeroblob(16)"
	    " WHERE seq = 3");
	assert_check_finds(t, "UPDATE record SET seq = 7 WHERE seq = 5");
	assert_check_finds(t, "DELETE FROM record WHERE seq = 5");
	assert_check_finds(t,
	    "UPDATE snapshot SET bytes = CAST(replace(CAST("
	    "bytes AS TEXT), 'ann', 'eve') AS BLOB)");
	assert_check_finds(t, "DELETE FROM snapshot");
	assert_check_finds(t, "UPDATE game SET turn = 2");
	assert_check_finds(t, "UPDATE game SET account_2 = 'eve'");
	assert_check_finds(t, "UPDATE game SET phase = 'over'");
	assert_check_finds(t, "UPDATE text SET value = CAST('x' AS BLOB)");
	assert_check_finds(t, "UPDATE blob SET bytes = CAST('{}' AS BLOB)");
	assert_int_equal(duel_start(t), 0);
}

/* ---- secret choices that are held ---- */

static const char secret_roster[] =
    "{'blob':'roster','system':'imagi-nations','sides':{'1':{'units':["
    "{'id':'a','arm':'infantry','lead':'a-1','battalions':["
    "{'id':'a-1','quality':'veteran','sp':6}]}]},'2':{'units':["
    "{'id':'b','arm':'infantry','lead':'b-1','battalions':["
    "{'id':'b-1','quality':'raw','sp':6}]}]}}}";

static const char secret_combat[] =
    "{'combat':{'attacker':{'units':[{'id':'a'}]},'defender':{'units':["
    "{'id':'b'}],'objective':true},'terrain':'village'}}";

#define SECRET_ASK 4 /* the line that asks both sides */

/* A game of imagi-nations that waits for both sides' cards. */
static void
secret_play(struct duel *t)
{
	struct ledger_job *job;
	json_t *args;

	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	duel_must(t, duel_register_job("bob", t->keys[2].sign.public_key));
	job = duel_blob_job("ann", secret_roster);
	memcpy(t->roster, job->blob_hash, HASH_LEN);
	duel_must(t, job);
	args = duel_create_args(t);
	json_object_set_new(args, "system", json_string("imagi-nations"));
	json_object_set_new(args, "rules", json_string("imagi-nations/1"));
	job = duel_create_job(t, args);
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	duel_must(t, duel_join_job(t));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_DECLARE, secret_combat));
	assert_int_equal(duel_last_seq(t), SECRET_ASK);
}

/* A seat's commit to a card, with the card of the other name beside it. */
static struct ledger_job *
commit_job(struct duel *t, int seat, const char *card, const char *beside)
{
	static const uint8_t salt[RECORD_SALT_LEN] = {7};
	uint8_t commit[HASH_LEN];
	struct ledger_job *job;
	char text[100], args[200], hex[2 * HASH_LEN + 1];

	snprintf(text, sizeof(text), "{\"kind\":\"tactic\",\"tactic\":\"%s\"}",
	    card);
	assert_int_equal(record_secret(commit, t->game, seat, SECRET_ASK, salt,
			     text, strlen(text)),
	    0);
	hex_format(hex, commit, HASH_LEN);
	snprintf(
	    args, sizeof(args), "{'ask':%d,'commit':'%s'}", SECRET_ASK, hex);
	job = duel_order_job(t, seat, ORDER_COMMIT, args);
	if (beside == NULL)
		return (job);
	snprintf(text, sizeof(text), "{\"kind\":\"tactic\",\"tactic\":\"%s\"}",
	    beside);
	job->open = json_pack(
	    "{s:o, s:s}", "salt", js_hex(salt, RECORD_SALT_LEN), "text", text);
	assert_non_null(job->open);
	return (job);
}

/* Runs SQL on the database by other means. */
static void
secret_sql(struct duel *t, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_changes(db), 1);
	sqlite3_close(db);
}

/* Counts a choice. */
static int
secret_count_cb(void *arg, const struct game_held *held)
{
	int *n = arg;

	assert_int_equal(held->ask, SECRET_ASK);
	(*n)++;
	return (0);
}

/* How many choices are held for the game. */
static int
secret_count(struct duel *t)
{
	struct store_game_row row;
	int n = 0;

	assert_int_equal(store_game_find(t->rd, t->game, &row), 0);
	assert_int_equal(
	    store_secret_each(t->rd, row.gid, secret_count_cb, &n), 0);
	return (n);
}

static void
a_choice_is_held_until_it_is_opened(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again, *late;

	secret_play(t);
	duel_must_fail(
	    t, commit_job(t, 1, "feint", NULL), ERR_MISSING, "comes beside");
	duel_must_fail(t, commit_job(t, 1, "feint", "hasty-attack"),
	    ERR_MISSING, "committed");
	duel_must_refuse(
	    t, commit_job(t, 1, "hold", "hold"), ERR_ILLEGAL, "illegal", "");
	assert_int_equal(secret_count(t), 0);
	/* Written before the other side's line, and given after it. */
	late = commit_job(t, 2, "hold", "hold");
	job = commit_job(t, 1, "feint", "feint");
	assert_int_equal(duel_run(t, job), 0);
	assert_null(strstr(buf_str(&job->line), "feint"));
	assert_int_equal(secret_count(t), 1);
	/* The same bytes find their line, whatever is beside them. */
	again = duel_same_job(t, 1, job);
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	ledger_job_free(again);
	again = duel_same_job(t, 1, job);
	again->open = json_pack("{s:s}", "text", "x");
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	ledger_job_free(again);
	duel_must_refuse(t, commit_job(t, 1, "hasty-attack", "hasty-attack"),
	    ERR_STALE, "stale", "awaited");
	duel_must(t, duel_chat_job(t, 1, "well?", 1));
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_is_good(t, 7);
	duel_must(t, late);
	assert_int_equal(secret_count(t), 0);
	/* After both are open the first one's bytes still are known. */
	again = duel_same_job(t, 1, job);
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	assert_int_equal(again->seq, SECRET_ASK + 1);
	ledger_job_free(again);
	ledger_job_free(job);
	duel_is_good(t, 8);
}

static void
a_choice_that_is_not_stored_is_not_held(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	secret_play(t);
	job = commit_job(t, 1, "feint", "feint");
	atomic_store(&faulty.disk_is_full, true);
	duel_must_fail(t, commit_job(t, 1, "feint", "feint"), ERR_STORAGE, "");
	atomic_store(&faulty.disk_is_full, false);
	assert_int_equal(secret_count(t), 0);
	/* The commitment is not used up, neither is any other. */
	duel_must(t, commit_job(t, 1, "hasty-attack", "hasty-attack"));
	duel_must_refuse(t, job, ERR_STALE, "stale", "moved on");
	job = commit_job(t, 2, "hold", "hold");
	atomic_store(&faulty.disk_is_full, true);
	duel_must_fail(t, commit_job(t, 2, "hold", "hold"), ERR_STORAGE, "");
	atomic_store(&faulty.disk_is_full, false);
	assert_int_equal(secret_count(t), 1);
	duel_must(t, job);
	assert_int_equal(secret_count(t), 0);
	duel_is_good(t, 7);
}

static void
what_is_held_goes_with_the_end_of_the_game(void **state)
{
	struct duel *t = *state;

	secret_play(t);
	duel_must(t, commit_job(t, 2, "hold", "hold"));
	duel_must(t, duel_order_job(t, 1, ORDER_CLOSE, "{}"));
	assert_int_equal(secret_count(t), 1);
	duel_must(t, duel_order_job(t, 2, ORDER_CLOSE, "{}"));
	assert_int_equal(secret_count(t), 0);
	duel_is_good(t, 8);
}

/* A damaged database must not keep the players from ending the game. */
static void
a_game_whose_held_choice_is_damaged_can_be_resigned(void **state)
{
	static const char *const damages[] = {"UPDATE secret SET text = 'x'",
	    "UPDATE secret SET ask = 3", "UPDATE secret SET seat = 2",
	    "DELETE FROM secret"};
	struct duel *t = *state;
	size_t i;

	secret_play(t);
	duel_must(t, commit_job(t, 1, "feint", "feint"));
	for (i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		duel_stop(t);
		secret_sql(t, damages[i]);
		assert_int_equal(duel_start(t), 0);
		duel_must_fail(t, commit_job(t, 2, "hold", "hold"), ERR_DAMAGED,
		    "its operator must repair it");
		duel_must(t, duel_chat_job(t, 2, "what now?", (uint8_t)i));
	}
	duel_must(t, duel_order_job(t, 2, ORDER_RESIGN, "{}"));
	duel_is_good(t, 11);
}

static void
the_check_looks_at_what_is_held(void **state)
{
	struct duel *t = *state;
	struct errinfo e;

	secret_play(t);
	duel_must(t, commit_job(t, 1, "feint", "feint"));
	duel_stop(t);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	assert_check_finds(t, "DELETE FROM secret");
	assert_check_finds(t, "UPDATE secret SET seat = 2");
	assert_check_finds(t, "UPDATE secret SET ask = 3");
	assert_check_finds(t, "UPDATE secret SET salt = zeroblob(32)");
	assert_check_finds(
	    t, "UPDATE secret SET text = replace(text, 'feint', 'hold')");
	assert_check_finds(t,
	    "INSERT INTO secret SELECT game, 2, ask, salt, text FROM secret");
	assert_int_equal(duel_start(t), 0);
	duel_must(t, commit_job(t, 2, "hold", "hold"));
	duel_stop(t);
	/* Nothing is waited for. */
	assert_check_finds(t,
	    "INSERT INTO secret SELECT gid, 1, 4, zeroblob(32), '{}'"
	    " FROM game");
	assert_int_equal(duel_start(t), 0);
}

static void
a_ledger_that_cannot_start_says_why(void **state)
{
	struct duel *t = *state;
	struct ledger_config conf = {.database = t->path,
	    .identity = &t->identity,
	    .dice = &t->dice,
	    .queue_max = 1};
	struct ledger *l = NULL;
	struct errinfo e;

	assert_int_equal(ledger_start(&conf, &l, &e), ERR_BUSY);
	assert_non_null(strstr(e.text, "in use by another"));
	conf.database = "/nonexistent/u.db";
	assert_int_equal(ledger_start(&conf, &l, &e), ERR_IO);
	assert_null(l);
	ledger_stop(NULL);
	ledger_job_free(NULL);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(a_game_is_played_stored_and_verified),
	    CASE(a_game_goes_on_after_a_restart),
	    CASE(who_asks_for_the_state_is_told_it_with_the_line),
	    CASE(who_is_over_the_quota_may_only_ask_again),
	    CASE(known_bytes_are_answered_with_their_line),
	    CASE(an_order_for_others_is_no_final_answer),
	    CASE(another_history_is_shown_and_not_refused),
	    CASE(what_is_final_is_signed),
	    CASE(more_games_are_played_than_memory_holds),
	    CASE(a_nonce_serves_once_for_a_seat),
	    CASE(texts_come_with_their_order),
	    CASE(a_create_is_checked_against_account_and_server),
	    CASE(a_join_is_checked_against_the_account),
	    CASE(accounts_and_blobs_are_made_once),
	    CASE(the_check_finds_what_does_not_agree),
	    CASE(a_choice_is_held_until_it_is_opened),
	    CASE(a_choice_that_is_not_stored_is_not_held),
	    CASE(what_is_held_goes_with_the_end_of_the_game),
	    CASE(a_game_whose_held_choice_is_damaged_can_be_resigned),
	    CASE(the_check_looks_at_what_is_held),
	    CASE(a_ledger_that_cannot_start_says_why),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
