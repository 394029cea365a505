/* SPDX-License-Identifier: ISC */
/*
 * What is kept beside a record rots: the game is made again from its lines, or
 * it is damaged and takes no orders, and no other game hears of it.
 */
#include <sqlite3.h>

#include "common/base/hex.h"
#include "server/store/store_int.h"
#include "tests/lib/duel.h"

/* Changes the database as a failing disk might, while nobody has it open. */
static void
rot(struct duel *t, const char *sql)
{
	char *why = NULL;
	sqlite3 *db;

	duel_stop(t);
	assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s", why);
	if (sqlite3_changes(db) == 0)
		fail_msg("nothing changed: %s", sql);
	sqlite3_close(db);
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

/* A second game beside the table's, of which both players are ready. */
static void
other_game(struct duel *t, uint8_t id[HASH_LEN])
{
	uint8_t first[HASH_LEN];
	struct ledger_job *job;

	memcpy(first, t->game, HASH_LEN);
	job = duel_create_job(t, duel_create_args(t));
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	duel_must(t, duel_join_job(t));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	memcpy(id, t->game, HASH_LEN);
	memcpy(t->game, first, HASH_LEN);
}

static void
what_does_not_fit_is_made_again(void **state)
{
	static const char *const rots[] = {
	    "DELETE FROM snapshot",
	    "UPDATE snapshot SET bytes = CAST('{}' AS BLOB)",
	    "UPDATE snapshot SET bytes = CAST(replace(CAST(bytes AS TEXT),"
	    " '\"strength\":5', '\"strength\":2') AS BLOB)",
	    "UPDATE snapshot SET hash = NULL",
	    "UPDATE snapshot SET hash = zeroblob(32)",
	    "UPDATE game SET seq = seq - 1",
	    "UPDATE game SET seq = seq + 1",
	    "UPDATE game SET turn = 7",
	    "UPDATE game SET phase = 'over'",
	    "UPDATE game SET private = 1",
	    "UPDATE game SET delay_turns = 3",
	    "UPDATE game SET system = 'lasalle1'",
	    "DELETE FROM seat WHERE seat = 2",
	    "UPDATE seat SET account = 1",
	    "DELETE FROM turn",
	    "INSERT INTO turn VALUES (1, 1, 2)",
	};
	const size_t n = sizeof(rots) / sizeof(*rots);
	struct duel *t = *state;
	struct ledger_job *job;
	struct errinfo e;
	size_t i;

	duel_play(t);
	for (i = 0; i < n; i++) {
		job = duel_chat_job(t, 1, "still here", (uint8_t)i);
		rot(t, rots[i]);
		assert_int_equal(
		    ledger_check(t->path, t->identity.public_key, &e), ERR_BAD);
		if (duel_run(t, job) != 0)
			fail_msg("%s: %s", rots[i], job->e.text);
		ledger_job_free(job);
		duel_is_good(t, 5 + (int64_t)i);
	}
	duel_must(t, duel_order_job(t, 1, ORDER_DECLARE, duel_combat));
	duel_is_good(t, 5 + (int64_t)n);
	assert_int_equal(number(t, "SELECT count(*) FROM standstill"), 0);
}

static void
it_is_made_again_though_the_order_is_refused(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	struct errinfo e;

	duel_play(t);
	job = duel_order_job(t, 2, ORDER_TURN_END, "{}");
	rot(t, "DELETE FROM snapshot");
	assert_int_equal(duel_run(t, job), ERR_STALE);
	ledger_job_free(job);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

static void
a_snapshot_of_an_earlier_line_is_not_believed(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	rot(t,
	    "CREATE TABLE aside AS SELECT * FROM snapshot;"
	    "UPDATE snapshot SET old = 0");
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	job = duel_order_job(t, 2, ORDER_TURN_END, "{}");
	rot(t,
	    "DELETE FROM snapshot;"
	    "INSERT INTO snapshot SELECT * FROM aside;"
	    "DROP TABLE aside; UPDATE snapshot SET old = 0");
	assert_int_equal(duel_run(t, job), 0);
	ledger_job_free(job);
	duel_is_good(t, 6);
}

/* Rots a game so that its lines do not hold, and sees that it is damaged. */
static void
be_damaged(struct duel *t, const char *sql)
{
	uint8_t game[HASH_LEN], other[HASH_LEN];
	struct ledger_job *again, *job, *move;
	struct errinfo e;

	duel_play(t);
	job = duel_chat_job(t, 1, "before", 1);
	assert_int_equal(duel_run(t, job), 0);
	other_game(t, other);
	move = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	again = duel_same_job(t, 1, job);
	ledger_job_free(job);
	rot(t, sql);
	duel_must_fail(t, move, ERR_DAMAGED, "its operator must repair it");
	duel_must_fail(
	    t, duel_order_job(t, 1, ORDER_TURN_END, "{}"), ERR_DAMAGED, "");
	duel_must_fail(
	    t, duel_order_job(t, 1, ORDER_RESIGN, "{}"), ERR_DAMAGED, "");
	assert_int_equal(number(t,
			     "SELECT count(*) FROM standstill WHERE game = 1"
			     " AND to_ms IS NULL"),
	    1);
	/* What was recorded is, and other games go on. */
	assert_int_equal(duel_run(t, again), 0);
	assert_true(again->is_repeat);
	ledger_job_free(again);
	memcpy(game, t->game, HASH_LEN);
	memcpy(t->game, other, HASH_LEN);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	memcpy(t->game, game, HASH_LEN);
	assert_int_equal(
	    ledger_check(t->path, t->identity.public_key, &e), ERR_BAD);
	/* It is still so after a start. */
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_must_fail(
	    t, duel_order_job(t, 1, ORDER_TURN_END, "{}"), ERR_DAMAGED, "");
}

static void
a_game_whose_lines_do_not_hold_is_damaged(void **state)
{
	struct duel *t = *state;

	be_damaged(t,
	    "CREATE TABLE aside AS SELECT * FROM record;"
	    "UPDATE snapshot SET hash = zeroblob(32) WHERE game = 1;"
	    "UPDATE record SET line = CAST(replace(CAST(line AS TEXT),"
	    " 'ready', 'resdy') AS BLOB) WHERE game = 1 AND seq = 2");
	/* Its operator puts the line back. */
	rot(t,
	    "UPDATE record SET line = (SELECT line FROM aside AS f"
	    " WHERE f.game = record.game AND f.seq = record.seq)"
	    " WHERE game = 1; DROP TABLE aside");
	assert_int_equal(number(t,
			     "SELECT count(*) FROM standstill WHERE to_ms >="
			     " from_ms AND game = 1"),
	    1);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
}

static void
a_game_whose_last_line_is_gone_is_damaged(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	uint8_t other[HASH_LEN];

	duel_play(t);
	other_game(t, other);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	/* Nor is it told that the player's history is another one. */
	rot(t,
	    "UPDATE record SET hash = zeroblob(32) WHERE game = 1"
	    " AND seq = 3");
	duel_must_fail(t, job, ERR_DAMAGED, "");
}

static void
no_other_history_is_seen_where_a_hash_has_rotted(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	job = duel_chat_job(t, 1, "upon line 3", 1);
	duel_must(t, duel_chat_job(t, 2, "meanwhile", 2));
	rot(t, "UPDATE record SET hash = zeroblob(32) WHERE seq = 3");
	duel_must_fail(t, job, ERR_DAMAGED, "");
}

static void
a_line_that_has_rotted_is_no_answer(void **state)
{
	struct duel *t = *state;
	struct ledger_job *again, *job;

	duel_play(t);
	job = duel_chat_job(t, 1, "said once", 1);
	assert_int_equal(duel_run(t, job), 0);
	again = duel_same_job(t, 1, job);
	ledger_job_free(job);
	rot(t,
	    "UPDATE record SET line = CAST(replace(CAST(line AS TEXT),"
	    " 'chat', 'chut') AS BLOB) WHERE seq = 4");
	duel_must_fail(t, again, ERR_DAMAGED, "");
	/* From then on there is none, though the state is whole. */
	duel_must_fail(t, duel_chat_job(t, 1, "and more", 2), ERR_DAMAGED, "");
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_must_fail(t, duel_chat_job(t, 2, "and more", 3), ERR_DAMAGED, "");
}

static void
a_line_that_cannot_be_read_damages_its_game_alone(void **state)
{
	uint8_t game[HASH_LEN], other[HASH_LEN];
	struct duel *t = *state;
	struct ledger_job *job;
	struct errinfo e;

	duel_play(t);
	other_game(t, other);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	rot(t,
	    "PRAGMA ignore_check_constraints = ON;"
	    "UPDATE snapshot SET hash = zeroblob(32) WHERE game = 1;"
	    "UPDATE record SET hash = x'00' WHERE game = 1 AND seq = 2");
	duel_must_fail(t, job, ERR_DAMAGED, "");
	memcpy(game, t->game, HASH_LEN);
	memcpy(t->game, other, HASH_LEN);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	memcpy(t->game, game, HASH_LEN);
	assert_int_equal(
	    ledger_check(t->path, t->identity.public_key, &e), ERR_BAD);
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_must_fail(
	    t, duel_order_job(t, 1, ORDER_TURN_END, "{}"), ERR_DAMAGED, "");
}

static void
a_last_line_that_cannot_be_read_is_damage(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	rot(t,
	    "PRAGMA ignore_check_constraints = ON;"
	    "UPDATE record SET hash = x'00' WHERE seq = 3");
	duel_must_fail(t, job, ERR_DAMAGED, "");
}

static void
a_rotten_roster_makes_no_game(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	rot(t,
	    "DELETE FROM snapshot;"
	    "UPDATE blob SET bytes = CAST(replace(CAST(bytes AS TEXT),"
	    " '\"strength\":5', '\"strength\":9') AS BLOB)");
	duel_must_fail(t, job, ERR_DAMAGED, "");
}

/* Ends the recovery of all games, as its operator would. */
static void
go_on(struct duel *t)
{
	struct ledger_job *job = ledger_job_new(LEDGER_RESTORED);

	assert_non_null(job);
	job->is_all = job->is_operator = true;
	duel_must(t, job);
}

static void
a_game_that_is_made_again_gives_no_other_a_line_twice(void **state)
{
	uint8_t first[HASH_LEN], other[HASH_LEN];
	struct duel *t = *state;
	struct errinfo e;

	duel_play(t);
	other_game(t, other);
	memcpy(first, t->game, HASH_LEN);
	/* That which comes second, when the other has had its line. */
	assert_int_equal(ledger_recovery_declare(t->path, &e), 0);
	rot(t,
	    memcmp(first, other, HASH_LEN) < 0
		? "DELETE FROM snapshot WHERE game = 2"
		: "DELETE FROM snapshot WHERE game = 1");
	go_on(t);
	duel_is_good(t, 5);
	duel_must(t, duel_chat_job(t, 1, "well", 1));
	duel_is_good(t, 6);
	memcpy(t->game, other, HASH_LEN);
	duel_is_good(t, 5);
	duel_must(t, duel_chat_job(t, 1, "well", 1));
	duel_is_good(t, 6);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(what_does_not_fit_is_made_again),
	    CASE(it_is_made_again_though_the_order_is_refused),
	    CASE(a_snapshot_of_an_earlier_line_is_not_believed),
	    CASE(a_game_whose_lines_do_not_hold_is_damaged),
	    CASE(a_game_whose_last_line_is_gone_is_damaged),
	    CASE(no_other_history_is_seen_where_a_hash_has_rotted),
	    CASE(a_line_that_has_rotted_is_no_answer),
	    CASE(a_line_that_cannot_be_read_damages_its_game_alone),
	    CASE(a_last_line_that_cannot_be_read_is_damage),
	    CASE(a_rotten_roster_makes_no_game),
	    CASE(a_game_that_is_made_again_gives_no_other_a_line_twice),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
