/* SPDX-License-Identifier: ISC */
/*
 * Databases of former versions, opened by this one: what is new beside the
 * records is built from them, and the games go on.
 */
#include <sqlite3.h>

#include "common/base/hex.h"
#include "server/store/store_int.h"
#include "tests/lib/duel.h"

/* Puts a stored database in the place of the table's, and starts on it. */
static void
migrate(struct duel *t, const char *name)
{
	static const char *const names[] = {"", "-wal", "-shm", ".heads"};
	char path[256], *sql, *why = NULL;
	struct errinfo e;
	sqlite3 *db;
	size_t i, n;
	FILE *f;

	duel_stop(t);
	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", t->path, names[i]);
		(void)unlink(path);
	}
	snprintf(path, sizeof(path), "%s/tests/migrate/%s", TOP_SRCDIR, name);
	f = fopen(path, "r");
	assert_non_null(f);
	sql = calloc(1, 1 << 20);
	assert_non_null(sql);
	n = fread(sql, 1, (1 << 20) - 1, f);
	assert_in_range(n, 1000, (1 << 20) - 2);
	fclose(f);
	assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
	sqlite3_close(db);
	free(sql);
	/* A reader alone does not bring it up to date. */
	assert_int_equal(store_open_reader(t->path, &t->rd, &e), ERR_CONFIG);
	assert_int_equal(duel_start(t), 0);
}

/* One number that SQL gives. */
static int64_t
number(struct duel *t, const char *sql)
{
	sqlite3_stmt *s;
	int64_t v;

	assert_int_equal(
	    sqlite3_prepare_v2(t->rd->db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	v = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return (v);
}

/* Makes the game with that rowid the table's. */
static void
choose(struct duel *t, int gid)
{
	sqlite3_stmt *s;

	assert_int_equal(sqlite3_prepare_v2(t->rd->db,
			     "SELECT id FROM game WHERE gid = ?", -1, &s, NULL),
	    SQLITE_OK);
	assert_int_equal(sqlite3_bind_int(s, 1, gid), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	assert_int_equal(sqlite3_column_bytes(s, 0), HASH_LEN);
	memcpy(t->game, sqlite3_column_blob(s, 0), HASH_LEN);
	sqlite3_finalize(s);
}

static void
version_2_is_built_again_from_its_records(void **state)
{
	struct duel *t = *state;
	struct errinfo e;

	migrate(t, "version-2.sql");
	assert_int_equal(number(t, "PRAGMA user_version"), store_version());
	assert_int_equal(number(t, "SELECT count(*) FROM game"), 4);
	assert_int_equal(
	    number(t, "SELECT count(*) FROM snapshot WHERE old = 1"), 0);
	/* Lines 0 .. 3 are create, join, ready, ready; 4 ends turn 1. */
	assert_int_equal(number(t,
			     "SELECT count(*) FROM turn WHERE turn_no = 0"
			     " AND seq = 3"),
	    3);
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 6);
	assert_int_equal(
	    number(t, "SELECT seq FROM turn WHERE game = 2 AND turn_no = 2"),
	    5);
	assert_int_equal(number(t,
			     "SELECT count(*) FROM blob_put JOIN blob USING"
			     " (hash) WHERE blob.account = blob_put.account"),
	    2);
	assert_int_equal(number(t, "SELECT sum(side) FROM text"), 0);
	assert_int_equal(
	    number(t, "SELECT count(*) FROM game WHERE listed_ms <> at_ms"), 0);
	assert_int_equal(number(t,
			     "SELECT sum(private + invited + delay_turns"
			     " + delay_minutes) FROM game"),
	    0);
	assert_int_equal(
	    number(t,
		"SELECT count(*) FROM game WHERE (gid, now, how,"
		" winner) IN (VALUES (1, 'bob won the game: the"
		" other side resigned; 9 against 8 left',"
		" 'resign', 2), (2, 'turn 3, French"
		" to move; 9 against 3 left', '', 0), (3, 'a seat is"
		" free', '', 0))"),
	    3);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	/* The next start has nothing to do. */
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

static void
games_of_version_2_go_on(void **state)
{
	struct duel *t = *state;
	struct game *g;

	migrate(t, "version-2.sql");
	choose(t, 2);
	g = duel_game(t);
	assert_int_equal(game_turns_ended(g), 2);
	assert_int_equal(game_turn(g), 3);
	game_free(g);
	/* What had not been: a line of the time before can be taken back. */
	duel_must(t,
	    duel_order_job(t, 2, ORDER_OFFER, "{'what':'takeback','from':7}"));
	duel_must(t, duel_order_job(t, 1, ORDER_ACCEPT, "{'to':8}"));
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	assert_int_equal(
	    number(t, "SELECT seq FROM turn WHERE game = 2 AND turn_no = 3"),
	    10);
	duel_is_good(t, 11);
	choose(t, 3);
	duel_must(t, duel_join_job(t));
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	duel_is_good(t, 4);
	assert_int_equal(
	    number(t, "SELECT seq FROM turn WHERE game = 3 AND turn_no = 0"),
	    3);
}

static void
version_3_learns_whom_its_games_wait_for(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	struct errinfo e;
	int i;

	t->channels = 1u << STORE_CHANNEL_MAIL;
	migrate(t, "version-3.sql");
	assert_int_equal(number(t, "PRAGMA user_version"), store_version());
	assert_int_equal(number(t, "SELECT count(*) FROM game"), 4);
	assert_int_equal(number(t, "SELECT count(*) FROM standing"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM notice"), 0);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	/* Bob confirms an address: all of his games are looked at. */
	for (i = 0; i < 2; i++) {
		job = ledger_job_new(LEDGER_ADDRESS);
		assert_non_null(job);
		snprintf(job->account, sizeof(job->account), "bob");
		snprintf(job->value, sizeof(job->value), "bob@b.example");
		snprintf(job->code, sizeof(job->code), "23456789");
		job->kind = STORE_CHANNEL_MAIL;
		job->address_op =
		    i == 0 ? LEDGER_ADDRESS_SET : LEDGER_ADDRESS_CONFIRM;
		duel_must(t, job);
	}
	/* Line 5 ended the turn before his, line 6 offers a draw. */
	assert_int_equal(number(t, "SELECT count(*) FROM notice"), 4);
	assert_int_equal(number(t,
			     "SELECT count(*) FROM notice WHERE account = 2"
			     " AND (game, what, since) IN (VALUES"
			     " (2, 'turn', 5), (2, 'offer', 6),"
			     " (3, 'close', 5), (4, 'invitation', 0))"),
	    4);
	assert_int_equal(number(t,
			     "SELECT count(*) FROM notice AS n JOIN record"
			     " AS r ON r.game = n.game AND r.seq = n.since"
			     " WHERE instr(CAST(line AS TEXT),"
			     " strftime('%Y-%m-%dT%H:%M:%S', n.at_ms / 1000,"
			     " 'unixepoch')) > 0 AND since > 0"),
	    3);
	choose(t, 2);
	duel_must(t, duel_order_job(t, 2, ORDER_TURN_END, "{}"));
	/* The turn is ann's, and the offer has lapsed. */
	assert_int_equal(
	    number(t, "SELECT count(*) FROM notice WHERE game = 2"), 0);
	duel_is_good(t, 9);
}

static void
version_4_learns_who_opened_its_games(void **state)
{
	struct duel *t = *state;
	struct errinfo e;

	migrate(t, "version-4.sql");
	assert_int_equal(number(t, "PRAGMA user_version"), store_version());
	assert_int_equal(
	    number(t, "SELECT opener FROM game WHERE phase = 'muster'"), 1);
	assert_int_equal(
	    number(t, "SELECT count(*) FROM game WHERE opener IS NULL"), 3);
	assert_int_equal(number(t,
			     "SELECT count(*) FROM seat JOIN game ON gid = game"
			     " WHERE seat.private = game.private"),
	    7);
	assert_int_equal(
	    number(t, "SELECT count(*) FROM seat WHERE private = 1"), 1);
	/* Of three invitations that to a game that is over is void. */
	assert_int_equal(number(t,
			     "SELECT sum(game) FROM invite_game"
			     " WHERE ended = 1"),
	    3);
	assert_int_equal(
	    number(t, "SELECT count(*) FROM invite_game WHERE ended = 0"), 2);
	assert_int_equal(
	    number(
		t, "SELECT count(*) FROM blob_public JOIN blob USING (hash)"),
	    1);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

static void
version_5_is_built_again_and_fits(void **state)
{
	struct duel *t = *state;
	struct errinfo e;

	migrate(t, "version-5.sql");
	assert_int_equal(number(t, "PRAGMA user_version"), store_version());
	assert_int_equal(
	    number(t, "SELECT count(*) FROM snapshot WHERE old = 1"), 0);
	assert_int_equal(number(t,
			     "SELECT count(*) FROM snapshot"
			     " WHERE length(hash) = 32"),
	    4);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	choose(t, 2);
	duel_must(t, duel_chat_job(t, 1, "and on", 1));
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

/* Rules may have changed since: what was kept under them is not believed. */
static void
rebuilds(struct duel *t, const char *file)
{
	struct errinfo e;

	migrate(t, file);
	assert_int_equal(number(t, "PRAGMA user_version"), store_version());
	assert_int_equal(
	    number(t, "SELECT count(*) FROM snapshot WHERE old = 1"), 0);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	choose(t, 2);
	duel_must(t, duel_chat_job(t, 1, "and on", 1));
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

static void
version_6_is_built_again_from_its_records(void **state)
{
	rebuilds(*state, "version-6.sql");
}

static void
version_7_is_built_again_from_its_records(void **state)
{
	rebuilds(*state, "version-7.sql");
}

/* A commit of the secret game of version 2, whose question is line 4. */
static struct ledger_job *
commit_job(struct duel *t, int seat, const char *text)
{
	static const uint8_t salt[RECORD_SALT_LEN] = {3};
	char args[200], hex[2 * HASH_LEN + 1];
	uint8_t commit[HASH_LEN];
	struct ledger_job *job;

	assert_int_equal(
	    record_secret(commit, t->game, seat, 4, salt, text, strlen(text)),
	    0);
	hex_format(hex, commit, HASH_LEN);
	snprintf(args, sizeof(args), "{'ask':4,'commit':'%s'}", hex);
	job = duel_order_job(t, seat, ORDER_COMMIT, args);
	job->open = json_pack(
	    "{s:o, s:s}", "salt", js_hex(salt, RECORD_SALT_LEN), "text", text);
	assert_non_null(job->open);
	return (job);
}

static void
a_choice_that_version_2_held_is_opened(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	migrate(t, "version-2.sql");
	choose(t, 4);
	job = commit_job(t, 2, "{\"kind\":\"tactic\",\"tactic\":\"hold\"}");
	assert_int_equal(duel_run(t, job), 0);
	assert_non_null(strstr(buf_str(&job->line), "feint"));
	ledger_job_free(job);
	assert_int_equal(number(t, "SELECT count(*) FROM secret"), 0);
	duel_is_good(t, 7);
}

static void
a_game_that_does_not_hold_is_left_as_it_is(void **state)
{
	struct duel *t = *state;
	struct store_game_row row;

	/* Its server was another: no line has a mark that counts here. */
	migrate(t, "version-1.sql");
	assert_int_equal(number(t, "PRAGMA user_version"), store_version());
	assert_int_equal(
	    number(t, "SELECT count(*) FROM snapshot WHERE old = 1"), 1);
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 0);
	choose(t, 1);
	assert_int_equal(store_game_find(t->rd, t->game, &row), 0);
	assert_string_equal(row.phase, "finished");
	assert_int_equal(row.seq, 8);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(version_2_is_built_again_from_its_records),
	    CASE(games_of_version_2_go_on),
	    CASE(a_choice_that_version_2_held_is_opened),
	    CASE(a_game_that_does_not_hold_is_left_as_it_is),
	    CASE(version_3_learns_whom_its_games_wait_for),
	    CASE(version_4_learns_who_opened_its_games),
	    CASE(version_5_is_built_again_and_fits),
	    CASE(version_6_is_built_again_from_its_records),
	    CASE(version_7_is_built_again_from_its_records),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
