/* SPDX-License-Identifier: ISC */
/*
 * What the ledger keeps of play by turns beside the record: standing orders,
 * turns, sides of texts, seats that are freed; and that umpired --check finds
 * it wrong when it is.
 */
#include <sqlite3.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "server/store/store_int.h"
#include "tests/lib/duel.h"

static const char stagger[] = "{\"kind\":\"stagger\",\"do\":\"path\"}";

/* Runs SQL on the database by other means; one row must change. */
static void
change(struct duel *t, const char *sql)
{
	char *why = NULL;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(t->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_busy_timeout(db, 1000), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
		fail_msg("%s: %s", sql, why);
	assert_int_equal(sqlite3_changes(db), 1);
	sqlite3_close(db);
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

/* The check must find a change, and nothing when it is undone. */
static void
check_finds(struct duel *t, const char *sql, const char *undo)
{
	struct errinfo e;

	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
	change(t, sql);
	if (ledger_check(t->path, t->identity.public_key, &e) != ERR_BAD)
		fail_msg("not found: %s", sql);
	change(t, undo);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

/* A standing order upon the present head, with this text beside it. */
static struct ledger_job *
standing_job(
    struct duel *t, int seat, const char *text, const char *beside, uint8_t n)
{
	char args[120], hex[2 * HASH_LEN + 1];
	uint8_t commit[HASH_LEN], salt[RECORD_SALT_LEN];
	struct ledger_job *job;

	memset(salt, n, sizeof(salt));
	assert_int_equal(record_secret(commit, t->game, seat, duel_last_seq(t),
			     salt, text, strlen(text)),
	    0);
	hex_format(hex, commit, HASH_LEN);
	snprintf(args, sizeof(args), "{'commit':'%s'}", hex);
	job = duel_order_job(t, seat, ORDER_STANDING, args);
	if (beside != NULL) {
		job->open = json_pack("{s:o, s:s}", "salt",
		    js_hex(salt, sizeof(salt)), "text", beside);
		assert_non_null(job->open);
	}
	return (job);
}

static void
a_standing_order_is_kept_until_the_end(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	struct errinfo e;

	duel_play(t);
	duel_must_fail(
	    t, standing_job(t, 1, stagger, NULL, 1), ERR_MISSING, "");
	duel_must_fail(
	    t, standing_job(t, 1, stagger, "{}", 1), ERR_MISSING, "");
	duel_must_fail(t,
	    standing_job(t, 1, "{\"kind\":\"x\",\"do\":\"y\"}",
		"{\"kind\":\"x\",\"do\":\"y\"}", 1),
	    ERR_MISSING, "must be one of");
	assert_int_equal(number(t, "SELECT count(*) FROM standing"), 0);
	job = standing_job(t, 1, stagger, stagger, 1);
	assert_int_equal(duel_run(t, job), 0);
	assert_null(strstr(buf_str(&job->line), "path"));
	ledger_job_free(job);
	duel_must(t, standing_job(t, 2, stagger, stagger, 2));
	assert_int_equal(number(t,
			     "SELECT count(*) FROM standing WHERE (seq, seat)"
			     " IN (VALUES (4, 1), (5, 2))"),
	    2);
	/* Neither snapshot nor record has the texts. */
	assert_int_equal(number(t,
			     "SELECT count(*) FROM snapshot WHERE"
			     " instr(bytes, CAST('path' AS BLOB)) > 0"),
	    0);
	assert_int_equal(number(t,
			     "SELECT count(*) FROM record WHERE"
			     " instr(line, CAST('path' AS BLOB)) > 0"),
	    0);
	check_finds(t, "UPDATE standing SET text = '{}' WHERE seq = 4",
	    "UPDATE standing SET text = '{\"kind\":\"stagger\",\"do\":"
	    "\"path\"}' WHERE seq = 4");
	check_finds(t, "UPDATE standing SET seq = 40 WHERE seq = 4",
	    "UPDATE standing SET seq = 4 WHERE seq = 40");
	/* A ledger that starts anew gives them back to the game. */
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_must(
	    t, duel_order_job(t, 1, ORDER_NOTE, "{'to':4,'say':'withdraw'}"));
	assert_int_equal(number(t, "SELECT count(*) FROM standing"), 2);
	duel_must(t, duel_order_job(t, 1, ORDER_RESIGN, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_CLOSE, "{}"));
	assert_int_equal(number(t, "SELECT count(*) FROM standing"), 2);
	job = duel_order_job(t, 2, ORDER_CLOSE, "{}");
	assert_int_equal(duel_run(t, job), 0);
	/* Both are opened, the withdrawn one too. */
	assert_non_null(strstr(buf_str(&job->line), "\"opened\":[{"));
	assert_non_null(strstr(buf_str(&job->line), "0101010101010101"));
	assert_non_null(strstr(buf_str(&job->line), "0202020202020202"));
	ledger_job_free(job);
	assert_int_equal(number(t, "SELECT count(*) FROM standing"), 0);
	duel_is_good(t, 10);
	assert_int_equal(ledger_check(t->path, t->identity.public_key, &e), 0);
}

static void
a_standing_order_that_is_not_stored_is_not_held(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again;

	duel_play(t);
	job = standing_job(t, 1, stagger, stagger, 1);
	again = duel_same_job(t, 1, job);
	again->open = json_incref(job->open);
	atomic_store(&faulty.disk_is_full, true);
	assert_int_equal(duel_run(t, job), ERR_STORAGE);
	atomic_store(&faulty.disk_is_full, false);
	assert_int_equal(number(t, "SELECT count(*) FROM standing"), 0);
	ledger_job_free(job);
	duel_must(t, again);
	assert_int_equal(number(t, "SELECT count(*) FROM standing"), 1);
	duel_is_good(t, 5);
}

static void
a_lost_standing_order_is_found_by_the_check(void **state)
{
	struct duel *t = *state;
	struct errinfo e;

	duel_play(t);
	duel_must(t, standing_job(t, 1, stagger, stagger, 1));
	duel_is_good(t, 5);
	change(t, "DELETE FROM standing");
	assert_int_equal(
	    ledger_check(t->path, t->identity.public_key, &e), ERR_BAD);
	/* The game can still be ended, though it never finishes. */
	duel_stop(t);
	assert_int_equal(duel_start(t), 0);
	duel_must_fail(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"),
	    ERR_DAMAGED, "its operator must repair it");
	duel_must_fail(
	    t, duel_order_job(t, 1, ORDER_CLAIM, "{}"), ERR_DAMAGED, "");
	duel_must(t, duel_chat_job(t, 2, "a pity", 1));
	duel_must(t, duel_order_job(t, 1, ORDER_RESIGN, "{}"));
}

static void
turns_are_noted_with_the_line_that_ends_them(void **state)
{
	struct duel *t = *state;

	duel_play(t);
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 1);
	assert_int_equal(
	    number(t, "SELECT seq FROM turn WHERE turn_no = 0"), 3);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_TURN_END, "{}"));
	assert_int_equal(
	    number(t, "SELECT seq FROM turn WHERE turn_no = 2"), 5);
	/* A turn that is taken back has been ended all the same. */
	duel_must(t,
	    duel_order_job(t, 2, ORDER_OFFER, "{'what':'takeback','from':5}"));
	duel_must(t, duel_order_job(t, 1, ORDER_ACCEPT, "{'to':6}"));
	assert_int_equal(number(t, "SELECT count(*) FROM turn"), 3);
	assert_int_equal(number(t, "SELECT turn FROM game"), 2);
	duel_must(t, duel_order_job(t, 2, ORDER_TURN_END, "{}"));
	assert_int_equal(
	    number(t, "SELECT seq FROM turn WHERE turn_no = 3"), 8);
	duel_is_good(t, 9);
	check_finds(t, "UPDATE turn SET seq = 6 WHERE turn_no = 1",
	    "UPDATE turn SET seq = 4 WHERE turn_no = 1");
	check_finds(t, "DELETE FROM turn WHERE turn_no = 3",
	    "INSERT INTO turn SELECT gid, 3, 8 FROM game");
	check_finds(t, "INSERT INTO turn SELECT gid, 4, 8 FROM game",
	    "DELETE FROM turn WHERE turn_no = 4");
	check_finds(
	    t, "UPDATE game SET private = 1", "UPDATE game SET private = 0");
	check_finds(t, "UPDATE game SET delay_turns = 1",
	    "UPDATE game SET delay_turns = 0");
	check_finds(t, "DELETE FROM seat WHERE seat = 2",
	    "INSERT INTO seat SELECT gid, 2, 2, 0 FROM game");
	check_finds(t, "UPDATE seat SET account = 1 WHERE seat = 2",
	    "UPDATE seat SET account = 2 WHERE seat = 2");
}

/* A chat of a seat to its side; with its text, or by its ref alone. */
static struct ledger_job *
side_job(struct duel *t, int seat, const char *words, uint8_t salt, bool sent)
{
	struct ledger_job *chat = duel_chat_job(t, seat, words, salt), *job;
	char args[100], hex[2 * HASH_LEN + 1];

	hex_format(hex, chat->texts[0].ref, HASH_LEN);
	ledger_job_free(chat);
	snprintf(args, sizeof(args), "{'ref':'%s','to':'side'}", hex);
	job = duel_order_job(t, seat, ORDER_CHAT, args);
	if (sent)
		duel_add_text(job, words, salt);
	return (job);
}

static void
a_text_is_kept_for_the_side_that_it_is_for(void **state)
{
	struct duel *t = *state;

	duel_play(t);
	duel_must(t, side_job(t, 1, "to side 1", 1, true));
	duel_must(t, side_job(t, 2, "to side 2", 2, true));
	duel_must(t, duel_chat_job(t, 2, "to all", 3));
	assert_int_equal(number(t,
			     "SELECT sum(side = 1) + 10 * sum(side = 2)"
			     " + 100 * sum(side = 0) FROM text"),
	    111);
	duel_must_fail(t, side_job(t, 2, "to side 1", 1, false), ERR_MISSING,
	    "was not sent");
	duel_must(t, side_job(t, 1, "to side 1", 1, false));
	assert_int_equal(
	    number(t, "SELECT count(*) FROM text WHERE side = 1"), 1);
	check_finds(t, "UPDATE text SET side = 0 WHERE side = 1",
	    "UPDATE text SET side = 1 WHERE side = 0 AND value ="
	    " CAST('to side 1' AS BLOB)");
	/* Somebody who knows it may tell it; then it is everybody's. */
	duel_must(t, side_job(t, 2, "to side 1", 1, true));
	assert_int_equal(
	    number(t, "SELECT count(*) FROM text WHERE side = 1"), 0);
	/* What all may read does not become a side's own. */
	duel_must(t, side_job(t, 1, "to all", 3, false));
	assert_int_equal(
	    number(t, "SELECT count(*) FROM text WHERE side = 0"), 2);
	duel_is_good(t, 10);
}

/* An order whose args name a text by "@", with the text or without it. */
static struct ledger_job *
named_job(struct duel *t, int seat, enum order_kind kind, const char *args,
    uint8_t salt, bool sent)
{
	struct ledger_job *chat = duel_chat_job(t, seat, "a reason", salt),
			  *job;
	const char *at = strchr(args, '@');
	struct buf b;

	assert_non_null(at);
	buf_init(&b, 0);
	buf_add(&b, args, (size_t)(at - args));
	buf_hex(&b, chat->texts[0].ref, HASH_LEN);
	buf_puts(&b, at + 1);
	ledger_job_free(chat);
	job = duel_order_job(t, seat, kind, buf_str(&b));
	buf_clear(&b);
	if (sent)
		duel_add_text(job, "a reason", salt);
	return (job);
}

static void
texts_of_every_kind_come_with_their_orders(void **state)
{
	static const struct {
		int seat;
		enum order_kind kind;
		const char *args;
	} orders[] = {
	    {1, ORDER_FREE, "{'dice':1,'sides':6,'for':'@'}"},
	    {1, ORDER_CUP, "{'do':'make','cup':'c','items':['a'],'for':'@'}"},
	    {1, ORDER_OFFER, "{'what':'draw','why':'@'}"},
	    {1, ORDER_NOTE, "{'to':6,'say':'withdraw','why':'@'}"},
	    {2, ORDER_PROPOSE,
		"{'what':'adjust','units':[{'id':'ru-a','out':'left'}],"
		"'why':'@'}"},
	};
	struct duel *t = *state;
	const size_t n = sizeof(orders) / sizeof(*orders);
	size_t i;

	duel_play(t);
	for (i = 0; i < n; i++) {
		duel_must_fail(t,
		    named_job(t, orders[i].seat, orders[i].kind, orders[i].args,
			(uint8_t)i, false),
		    ERR_MISSING, "was not sent");
		duel_must(t,
		    named_job(t, orders[i].seat, orders[i].kind, orders[i].args,
			(uint8_t)i, true));
	}
	assert_int_equal(number(t, "SELECT count(*) FROM text"), n);
	assert_int_equal(number(t, "SELECT count(*) FROM line_text"), n);
	/* A kind that names none takes none. */
	duel_must_fail(t,
	    named_job(t, 1, ORDER_TURN_END, "{'why':'@'}", 77, true),
	    ERR_INVALID, "is not one that the order names");
	duel_is_good(t, 4 + (int64_t)n);
}

static void
a_proposed_roster_is_put_before(void **state)
{
	static const char other[] =
	    "{'blob':'roster','system':'lasalle2','sides':{'1':{'units':["
	    "{'id':'a','arm':'infantry','strength':5}]},'2':{'units':["
	    "{'id':'b','arm':'infantry','strength':5}]}}}";
	char args[160], hex[2 * HASH_LEN + 1];
	struct duel *t = *state;
	struct ledger_job *job;

	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	duel_must(t, duel_register_job("bob", t->keys[2].sign.public_key));
	job = duel_blob_job("ann", duel_roster);
	memcpy(t->roster, job->blob_hash, HASH_LEN);
	duel_must(t, job);
	job = duel_create_job(t, duel_create_args(t));
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	duel_must(t, duel_join_job(t));
	job = duel_blob_job("bob", other);
	hex_format(hex, job->blob_hash, HASH_LEN);
	snprintf(args, sizeof(args), "{'what':'roster','roster':'%s'}", hex);
	duel_must_fail(
	    t, duel_order_job(t, 2, ORDER_PROPOSE, args), ERR_MISSING, "");
	duel_must(t, job);
	duel_must(t, duel_order_job(t, 2, ORDER_PROPOSE, args));
	assert_int_equal(
	    number(t, "SELECT count(*) FROM line_blob WHERE seq = 2"), 1);
	duel_must(t, duel_order_job(t, 1, ORDER_ACCEPT, "{'to':2}"));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	duel_is_good(t, 6);
}

static void
a_line_has_the_time_that_its_order_was_judged_by(void **state)
{
	struct duel *t = *state;
	struct store_game_row row;
	struct ledger_job *job;
	int64_t at_ms;

	duel_play(t);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	assert_int_equal(duel_run(t, job), 0);
	assert_int_equal(store_game_find(t->rd, t->game, &row), 0);
	assert_int_equal(store_record_at(t->rd, row.gid, 4, &at_ms), 0);
	assert_int_equal(at_ms, job->order.at_ms);
	assert_int_equal(at_ms, row.at_ms);
	assert_in_range(clock_wall_ms() - at_ms, 0, 60000);
	assert_int_equal(
	    store_record_at(t->rd, row.gid, 5, &at_ms), ERR_NOTFOUND);
	ledger_job_free(job);
}

/* A job of an account about another. */
static struct ledger_job *
other_job(struct duel *t, enum ledger_op op, const char *other, bool is_on)
{
	struct ledger_job *job = ledger_job_new(op);

	assert_non_null(job);
	memcpy(job->game, t->game, HASH_LEN);
	snprintf(job->account, sizeof(job->account), "ann");
	snprintf(job->other, sizeof(job->other), "%s", other);
	job->is_on = is_on;
	return (job);
}

static void
invitations_and_blocks_have_limits(void **state)
{
	struct duel *t = *state;
	uint8_t key[SIGN_KEY_LEN] = {9};
	static struct ledger_job *jobs[LEDGER_BLOCKS + 1];
	struct ledger_job *job;
	char name[24];
	int i;

	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	duel_must(t, duel_register_job("bob", t->keys[2].sign.public_key));
	for (i = 0; i <= LEDGER_BLOCKS; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		key[1] = (uint8_t)(i >> 8);
		key[2] = (uint8_t)i;
		jobs[i] = duel_register_job(name, key);
		duel_submit(t, jobs[i]);
		if (i % 40 == 39 || i == LEDGER_BLOCKS)
			duel_await_answers(t, 2 + i + 1);
	}
	for (i = 0; i <= LEDGER_BLOCKS; i++) {
		assert_int_equal(jobs[i]->r, 0);
		ledger_job_free(jobs[i]);
	}
	job = duel_blob_job("ann", duel_roster);
	memcpy(t->roster, job->blob_hash, HASH_LEN);
	duel_must(t, job);
	job = duel_create_job(t, duel_create_args(t));
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	for (i = 0; i < LEDGER_INVITES; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		duel_must(t, other_job(t, LEDGER_INVITE, name, true));
	}
	duel_must_fail(t, other_job(t, LEDGER_INVITE, "bob", true), ERR_LIMIT,
	    "64 accounts");
	duel_must(t, other_job(t, LEDGER_INVITE, "p7", true));
	duel_must(t, other_job(t, LEDGER_INVITE, "p7", false));
	duel_must(t, other_job(t, LEDGER_INVITE, "bob", true));
	assert_int_equal(number(t, "SELECT count(*) FROM invite_game"), 64);
	for (i = 0; i < LEDGER_BLOCKS; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		duel_must(t, other_job(t, LEDGER_BLOCK, name, true));
	}
	snprintf(name, sizeof(name), "p%d", LEDGER_BLOCKS);
	duel_must_fail(t, other_job(t, LEDGER_BLOCK, name, true), ERR_LIMIT,
	    "1000 accounts");
	duel_must(t, other_job(t, LEDGER_BLOCK, "p0", true));
	duel_must(t, other_job(t, LEDGER_BLOCK, "p0", false));
	duel_must(t, other_job(t, LEDGER_BLOCK, name, true));
	assert_int_equal(
	    number(t, "SELECT count(*) FROM block"), LEDGER_BLOCKS);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(a_standing_order_is_kept_until_the_end),
	    CASE(a_standing_order_that_is_not_stored_is_not_held),
	    CASE(a_lost_standing_order_is_found_by_the_check),
	    CASE(turns_are_noted_with_the_line_that_ends_them),
	    CASE(a_text_is_kept_for_the_side_that_it_is_for),
	    CASE(texts_of_every_kind_come_with_their_orders),
	    CASE(a_proposed_roster_is_put_before),
	    CASE(a_line_has_the_time_that_its_order_was_judged_by),
	    CASE(invitations_and_blocks_have_limits),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
