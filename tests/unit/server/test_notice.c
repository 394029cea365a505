/* SPDX-License-Identifier: ISC */
/*
 * Notices beside the games: whom each line makes wait, for whom it ends a
 * wait, and by what they are told.
 */
#include "tests/lib/notice.h"

/* The same, of the command alone and without saying so. */
static void
owed_is(struct duel *t, const char *want)
{
	notice_text_is(t,
	    "SELECT group_concat(s, ', ') FROM (SELECT name || ' ' || what"
	    " || ' ' || since AS s FROM notice"
	    " JOIN account ON account.id = notice.account"
	    " WHERE channel = 'command' ORDER BY game, name, what, since)",
	    want);
}

static struct ledger_job *
other_job(struct duel *t, enum ledger_op op, const char *account,
    const char *other, bool is_on)
{
	struct ledger_job *job = ledger_job_new(op);

	assert_non_null(job);
	snprintf(job->account, sizeof(job->account), "%s", account);
	snprintf(job->other, sizeof(job->other), "%s", other);
	memcpy(job->game, t->game, HASH_LEN);
	job->is_on = is_on;
	return (job);
}

/* A game of ann's, with guests or not. */
static void
open_game(struct duel *t, json_t *guests)
{
	struct ledger_job *job = duel_create_job(t, duel_create_args(t));

	job->guests = guests;
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
}

/* ---- what waits ---- */

static void
each_line_says_whom_it_makes_wait(void **state)
{
	struct duel *t = *state;
	const int64_t begun_ms = clock_wall_ms();
	int64_t id;

	notice_tell_by(t, NOTICE_COMMAND);
	notice_people(t);
	open_game(t, NULL);
	/* A seat that is free waits for nobody. */
	owed_is(t, "");
	assert_int_equal(t->waitings, 0);
	duel_must(t, duel_join_job(t));
	owed_is(t, "ann ready 0, bob ready 0");
	assert_int_equal(t->waitings, 1);
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	owed_is(t, "bob ready 0");
	assert_int_equal(t->waitings, 1);
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	owed_is(t, "ann turn 3");
	assert_int_equal(notice_number(t,
			     "SELECT at_ms = (SELECT at_ms FROM game) AND"
			     " until_ms IS NULL AND tries = 0 FROM notice"),
	    1);
	assert_in_range(notice_number(t, "SELECT next_ms FROM notice"),
	    begun_ms + NOTICE_DELAY_MS, clock_wall_ms() + NOTICE_DELAY_MS);
	/* Whatever follows it is the same row. */
	id = notice_number(t, "SELECT id FROM notice");
	notice_told(t, "SELECT id FROM notice", true, -1);
	duel_must(t, duel_chat_job(t, 2, "well?", 1));
	duel_must(t, duel_order_job(t, 1, ORDER_FREE, "{'dice':1,'sides':6}"));
	owed_is(t, "ann turn 5");
	assert_int_equal(notice_number(t,
			     "SELECT id FROM notice WHERE tries = 1 AND"
			     " next_ms IS NULL"),
	    id);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	owed_is(t, "bob turn 6");
	duel_must(t, duel_order_job(t, 2, ORDER_OFFER, "{'what':'draw'}"));
	owed_is(t, "ann offer 7, bob turn 6");
	duel_must(
	    t, duel_order_job(t, 2, ORDER_NOTE, "{'to':7,'say':'withdraw'}"));
	owed_is(t, "bob turn 6");
	duel_must(t, duel_order_job(t, 1, ORDER_RESIGN, "{}"));
	owed_is(t, "ann close 9, bob close 9");
	duel_must(t, duel_order_job(t, 1, ORDER_CLOSE, "{}"));
	owed_is(t, "bob close 9");
	duel_must(t, duel_order_job(t, 2, ORDER_CLOSE, "{}"));
	owed_is(t, "");
	duel_is_good(t, 12);
}

static void
a_takeback_makes_a_turn_wait_anew(void **state)
{
	struct duel *t = *state;
	int64_t id;

	notice_tell_by(t, NOTICE_COMMAND);
	duel_play(t);
	id = notice_number(t, "SELECT id FROM notice");
	notice_told(t, "SELECT id FROM notice", true, -1);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	duel_must(t,
	    duel_order_job(t, 1, ORDER_OFFER, "{'what':'takeback','from':4}"));
	owed_is(t, "bob offer 5, bob turn 4");
	duel_must(t, duel_order_job(t, 2, ORDER_ACCEPT, "{'to':5}"));
	owed_is(t, "ann turn 6");
	/* Another row, under a number that was never used. */
	assert_true(notice_number(t, "SELECT id FROM notice") > id + 2);
	assert_int_equal(notice_number(t, "SELECT tries FROM notice"), 0);
}

static void
a_refused_order_changes_nothing(void **state)
{
	struct duel *t = *state;
	int64_t id;

	notice_tell_by(t, NOTICE_COMMAND);
	duel_play(t);
	id = notice_number(t, "SELECT id FROM notice");
	duel_must_refuse(t, duel_order_job(t, 2, ORDER_TURN_END, "{}"),
	    ERR_STALE, "stale", "");
	owed_is(t, "ann turn 3");
	assert_int_equal(notice_number(t, "SELECT id FROM notice"), id);
}

static void
a_clock_that_changes_changes_the_deadline(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	json_t *args;
	int64_t id, until_ms;

	notice_tell_by(t, NOTICE_COMMAND);
	notice_people(t);
	args = duel_create_args(t);
	json_object_set_new(args, "clock",
	    json_pack("{s:s, s:i, s:i, s:s}", "per", "order", "first_s", 600,
		"holidays", 3, "then", "forfeit"));
	job = duel_create_job(t, args);
	memcpy(t->game, job->order.game, HASH_LEN);
	duel_must(t, job);
	duel_must(t, duel_join_job(t));
	duel_must(t, duel_order_job(t, 1, ORDER_READY, "{}"));
	duel_must(t, duel_order_job(t, 2, ORDER_READY, "{}"));
	id = notice_number(t, "SELECT id FROM notice");
	until_ms = notice_number(t, "SELECT until_ms FROM notice");
	assert_int_equal(
	    until_ms, notice_number(t, "SELECT at_ms FROM game") + 600000);
	duel_must(
	    t, duel_order_job(t, 1, ORDER_PAUSE, "{'do':'holiday','days':1}"));
	owed_is(t, "ann turn 3");
	assert_int_equal(notice_number(t, "SELECT id FROM notice"), id);
	assert_true(notice_number(t, "SELECT until_ms FROM notice") >
	    until_ms + 80000000);
}

/*
 * Joins seat 2 with the account of seat 1, by another key of its: all of its
 * keys are named, or only that one.
 */
static struct ledger_job *
same_person_job(struct duel *t, bool names_all)
{
	struct ledger_job *job;
	struct buf b;
	json_t *v;

	v = duel_seat_args(t, 2);
	json_object_set_new(v, "account", json_string("ann"));
	if (names_all)
		json_object_set_new(v, "keys",
		    json_pack("[o]",
			js_hex(t->keys[1].sign.public_key, SIGN_KEY_LEN)));
	buf_init(&b, 0);
	js_dump(v, &b);
	json_decref(v);
	job = duel_order_job(t, 2, ORDER_JOIN, buf_str(&b));
	snprintf(job->account, sizeof(job->account), "ann");
	buf_clear(&b);
	return (job);
}

static void
who_has_two_keys_does_not_play_both_sides(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	notice_tell_by(t, NOTICE_COMMAND);
	notice_people(t);
	open_game(t, NULL);
	notice_change(
	    t, "UPDATE account_key SET account = 1 WHERE account = 2");
	job = same_person_job(t, true);
	assert_int_equal(duel_run(t, job), ERR_ILLEGAL);
	assert_string_equal(job->e.where, "order.args.key");
	ledger_job_free(job);
	job = same_person_job(t, false);
	assert_int_equal(duel_run(t, job), ERR_ILLEGAL);
	assert_string_equal(job->e.where, "order.args.keys");
	ledger_job_free(job);
	/* Nobody waits for her: the other seat is free. */
	owed_is(t, "");
}

static void
guests_are_told_while_there_is_a_seat_for_them(void **state)
{
	struct duel *t = *state;

	notice_tell_by(t, NOTICE_COMMAND);
	notice_people(t);
	open_game(t, json_pack("[s]", "bob"));
	owed_is(t, "bob invitation 0");
	duel_must(t, other_job(t, LEDGER_INVITE, "ann", "cat", true));
	owed_is(t, "bob invitation 0, cat invitation 0");
	assert_int_equal(notice_number(t,
			     "SELECT count(*) FROM notice AS n JOIN invite_game"
			     " AS i USING (game, account)"
			     " WHERE n.at_ms = i.at_ms"),
	    2);
	/* Twice is once. */
	notice_told(t, "SELECT id FROM notice WHERE account = 3", true, -1);
	duel_must(t, other_job(t, LEDGER_INVITE, "ann", "cat", true));
	assert_int_equal(
	    notice_number(t, "SELECT sum(tries) FROM notice WHERE account = 3"),
	    1);
	duel_must(t, other_job(t, LEDGER_INVITE, "ann", "cat", false));
	owed_is(t, "bob invitation 0");
	duel_must(t, other_job(t, LEDGER_INVITE, "ann", "cat", true));
	/* Cat wants none of ann, and then again. */
	duel_must(t, other_job(t, LEDGER_BLOCK, "cat", "bob", true));
	owed_is(t, "bob invitation 0, cat invitation 0");
	duel_must(t, other_job(t, LEDGER_BLOCK, "cat", "ann", true));
	owed_is(t, "bob invitation 0");
	duel_must(t, duel_chat_job(t, 1, "who comes?", 1));
	owed_is(t, "bob invitation 0");
	duel_must(t, other_job(t, LEDGER_BLOCK, "cat", "ann", false));
	duel_must(t, duel_chat_job(t, 1, "who comes now?", 2));
	owed_is(t, "bob invitation 0, cat invitation 0");
	/* The last seat is taken. */
	duel_must(t, duel_join_job(t));
	owed_is(t, "ann ready 0, bob ready 0");
}

/* ---- by what ---- */

static void
only_confirmed_addresses_are_told(void **state)
{
	struct duel *t = *state;
	int waitings;

	notice_tell_by(t, NOTICE_MAIL | NOTICE_WEBHOOK);
	duel_play(t);
	notice_waits_are(t, "");
	assert_int_equal(t->waitings, 0);
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	assert_int_equal(t->waitings, 1);
	notice_waits_are(t, "");
	duel_must(t, duel_order_job(t, 1, ORDER_FREE, "{'dice':1,'sides':6}"));
	notice_waits_are(t, "");
	waitings = t->waitings;
	duel_must(t,
	    notice_address_job("ann", LEDGER_ADDRESS_CONFIRM,
		STORE_CHANNEL_MAIL, notice_code));
	/* What waits now is told, since its own line. */
	notice_waits_are(t, "ann turn 4 mail");
	assert_int_equal(t->waitings, waitings + 1);
	assert_int_equal(notice_number(t,
			     "SELECT n.at_ms = g.at_ms FROM notice AS n"
			     " JOIN game AS g ON gid = game"),
	    1);
	notice_confirm(t, "ann", STORE_CHANNEL_WEBHOOK);
	notice_confirm(t, "bob", STORE_CHANNEL_WEBHOOK);
	notice_waits_are(t, "ann turn 4 mail, ann turn 4 webhook");
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	notice_waits_are(t, "bob turn 5 webhook");
	duel_must(t, duel_order_job(t, 2, ORDER_OFFER, "{'what':'draw'}"));
	notice_waits_are(
	    t, "ann offer 6 mail, ann offer 6 webhook, bob turn 5 webhook");
	/* Another address of the kind begins anew. */
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	notice_waits_are(t, "ann offer 6 webhook, bob turn 5 webhook");
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_DROP, STORE_CHANNEL_WEBHOOK, ""));
	notice_waits_are(t, "bob turn 5 webhook");
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_DROP, STORE_CHANNEL_WEBHOOK, ""));
	assert_int_equal(notice_number(t, "SELECT count(*) FROM address"), 2);
}

static void
an_address_is_told_of_all_games(void **state)
{
	struct duel *t = *state;

	notice_tell_by(t, NOTICE_MAIL);
	duel_play(t);
	duel_must(t, duel_register_job("cat", t->keys[0].sign.public_key));
	open_game(t, json_pack("[s, s]", "bob", "cat"));
	open_game(t, NULL);
	duel_must(t, duel_join_job(t));
	duel_must(t, duel_order_job(t, 1, ORDER_RESIGN, "{}"));
	notice_confirm(t, "bob", STORE_CHANNEL_MAIL);
	notice_waits_are(t, "bob invitation 0 mail, bob close 2 mail");
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	notice_waits_are(t,
	    "ann turn 3 mail, bob invitation 0 mail, ann close 2 mail, "
	    "bob close 2 mail");
	notice_confirm(t, "cat", STORE_CHANNEL_MAIL);
	assert_int_equal(notice_number(t, "SELECT count(*) FROM notice"), 5);
}

static void
a_game_that_cannot_be_read_hides_no_other(void **state)
{
	struct duel *t = *state;

	notice_tell_by(t, NOTICE_MAIL);
	duel_play(t);
	open_game(t, NULL);
	duel_must(t, duel_join_job(t));
	notice_change(t,
	    "UPDATE record SET line = CAST('x' AS BLOB) WHERE game = 2;"
	    "UPDATE snapshot SET bytes = CAST('x' AS BLOB) WHERE game = 2");
	notice_tell_by(t, NOTICE_MAIL);
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	notice_waits_are(t, "ann turn 3 mail");
}

static void
channels_change_while_it_runs(void **state)
{
	struct duel *t = *state;

	notice_tell_by(t, NOTICE_COMMAND);
	duel_play(t);
	notice_confirm(t, "bob", STORE_CHANNEL_MAIL);
	owed_is(t, "ann turn 3");
	ledger_set_notify(t->l, NOTICE_MAIL, 0);
	duel_must(t, duel_chat_job(t, 1, "nothing", 1));
	notice_waits_are(t, "");
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	notice_waits_are(t, "bob turn 5 mail");
	assert_true(
	    notice_number(t, "SELECT next_ms FROM notice") <= clock_wall_ms());
	ledger_set_notify(t->l, 0, 0);
	duel_must(t, duel_chat_job(t, 1, "nothing", 2));
	notice_waits_are(t, "");
	ledger_set_notify(t->l, NOTICE_MAIL | NOTICE_COMMAND, 0);
	duel_must(t, duel_chat_job(t, 1, "nothing", 3));
	notice_waits_are(t, "bob turn 5 command, bob turn 5 mail");
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(each_line_says_whom_it_makes_wait),
	    CASE(a_takeback_makes_a_turn_wait_anew),
	    CASE(a_refused_order_changes_nothing),
	    CASE(a_clock_that_changes_changes_the_deadline),
	    CASE(who_has_two_keys_does_not_play_both_sides),
	    CASE(guests_are_told_while_there_is_a_seat_for_them),
	    CASE(only_confirmed_addresses_are_told),
	    CASE(an_address_is_told_of_all_games),
	    CASE(a_game_that_cannot_be_read_hides_no_other),
	    CASE(channels_change_while_it_runs),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
