/* SPDX-License-Identifier: ISC */
/*
 * What becomes of codes and notices: when they are due, tries to send them,
 * addresses that end, and that nothing of it is half done.
 */
#include <fcntl.h>

#include "common/base/buf.h"
#include "tests/lib/notice.h"

/* A wrong code, which must be counted. */
static void
say_wrong(struct duel *t, const char *said, const char *why)
{
	struct ledger_job *job = notice_address_job(
	    "ann", LEDGER_ADDRESS_CONFIRM, STORE_CHANNEL_MAIL, said);

	assert_int_equal(duel_run(t, job), 0);
	assert_true(job->is_wrong);
	if (strstr(job->e.text, why) == NULL)
		fail_msg("%s", job->e.text);
	ledger_job_free(job);
}

/* ---- codes ---- */

static void
a_code_is_void_when_it_was_wrong_too_often(void **state)
{
	struct duel *t = *state;
	int i;

	notice_tell_by(t, NOTICE_MAIL);
	duel_play(t);
	duel_must_fail(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_CONFIRM, STORE_CHANNEL_MAIL, notice_code),
	    ERR_NOTFOUND, "set one first");
	duel_must_fail(t,
	    notice_address_job(
		"eve", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code),
	    ERR_LOGIN, "no account");
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	/* Each letter counts. */
	say_wrong(t, "23456788", "4 more tries");
	say_wrong(t, "33456789", "3 more tries");
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	for (i = 0; i < 3; i++)
		say_wrong(t, "aaaaaaaa", "more tries");
	say_wrong(t, "aaaaaaaa", "1 more try");
	say_wrong(t, "aaaaaaaa", "no longer valid");
	duel_must_fail(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_CONFIRM, STORE_CHANNEL_MAIL, notice_code),
	    ERR_DENIED, "has expired");
	assert_int_equal(notice_number(t,
			     "SELECT confirmed = 0 AND code IS NULL AND"
			     " next_ms IS NULL FROM address"),
	    1);
	notice_waits_are(t, "");
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	notice_waits_are(t, "ann turn 3 mail");
	duel_must_fail(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_CONFIRM, STORE_CHANNEL_MAIL, notice_code),
	    ERR_EXISTS, "already");
}

static void
a_code_lives_a_day(void **state)
{
	struct duel *t = *state;

	notice_tell_by(t, NOTICE_MAIL);
	notice_people(t);
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	notice_change(t, "UPDATE address SET at_ms = at_ms - 86401000");
	duel_must_fail(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_CONFIRM, STORE_CHANNEL_MAIL, notice_code),
	    ERR_DENIED, "has expired");
	notice_change(t, "UPDATE address SET at_ms = at_ms + 60000");
	duel_must(t,
	    notice_address_job("ann", LEDGER_ADDRESS_CONFIRM,
		STORE_CHANNEL_MAIL, notice_code));
}

/* Takes a code that is due. */
static int
code_cb(void *arg, const struct store_address *a)
{
	assert_string_equal(a->account, "ann");
	assert_string_equal(a->value, "a@b.example");
	assert_string_equal(a->code, notice_code);
	assert_int_equal(a->kind, STORE_CHANNEL_MAIL);
	assert_false(a->is_confirmed);
	return (++*(int *)arg == 2 ? 7 : 0);
}

static void
codes_are_sent_again_until_given_up(void **state)
{
	static const char address[] = "SELECT id FROM address";
	struct duel *t = *state;
	const int64_t now_ms = clock_wall_ms() + 1000;
	int64_t next_ms;
	int n = 0;

	notice_tell_by(t, NOTICE_MAIL);
	notice_people(t);
	assert_int_equal(store_notice_next(t->rd, NOTICE_MAIL, &next_ms), 0);
	assert_int_equal(next_ms, -1);
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	assert_int_equal(store_notice_next(t->rd, NOTICE_MAIL, &next_ms), 0);
	assert_in_range(next_ms, now_ms - 1000, clock_wall_ms());
	assert_int_equal(store_notice_next(t->rd, NOTICE_WEBHOOK, &next_ms), 0);
	assert_int_equal(next_ms, -1);
	assert_int_equal(store_address_each_due(
			     t->rd, now_ms + 1000, NOTICE_WEBHOOK, code_cb, &n),
	    0);
	assert_int_equal(n, 0);
	assert_int_equal(store_address_each_due(
			     t->rd, now_ms + 1000, NOTICE_MAIL, code_cb, &n),
	    0);
	assert_int_equal(n, 1);
	notice_told(t, address, false, now_ms + 90000);
	assert_int_equal(store_address_each_due(
			     t->rd, now_ms + 89999, NOTICE_MAIL, code_cb, &n),
	    0);
	assert_int_equal(n, 1);
	/* What cb returns ends it. */
	assert_int_equal(store_address_each_due(
			     t->rd, now_ms + 90000, NOTICE_MAIL, code_cb, &n),
	    7);
	notice_text_is(t, "SELECT error FROM address", "it is away");
	assert_int_equal(notice_number(t,
			     "SELECT tries = 1 AND failed_ms >= at_ms AND"
			     " sent_ms IS NULL AND failures = 0 FROM address"),
	    1);
	/* Not after it has died; but it may have been said by then. */
	notice_told(t, address, false, now_ms + 86400000);
	assert_int_equal(
	    notice_number(t, "SELECT next_ms IS NULL FROM address"), 1);
	duel_must(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	notice_told(t, address, false, -1);
	assert_int_equal(
	    notice_number(t, "SELECT next_ms IS NULL FROM address"), 1);
	notice_told(t, address, true, -1);
	duel_must(t,
	    notice_address_job("ann", LEDGER_ADDRESS_CONFIRM,
		STORE_CHANNEL_MAIL, notice_code));
	/* A late failure does not bring a code back that was said. */
	notice_told(t, address, false, now_ms + 90000);
	assert_int_equal(notice_number(t,
			     "SELECT next_ms IS NULL AND confirmed = 1 AND"
			     " sent_ms >= at_ms FROM address"),
	    1);
}

/* ---- what becomes of tries ---- */

static void
three_messages_that_do_not_arrive_end_an_address(void **state)
{
	static const char notice[] = "SELECT max(id) FROM notice";
	struct duel *t = *state;
	int64_t ids[3], retry_ms;

	notice_tell_by(t, NOTICE_MAIL | NOTICE_COMMAND);
	duel_play(t);
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	notice_waits_are(t, "ann turn 3 command, ann turn 3 mail");
	retry_ms = clock_wall_ms() + 60000;
	notice_told(t, notice, false, retry_ms);
	assert_int_equal(notice_number(t,
			     "SELECT tries = 1 AND next_ms > 0 FROM notice"
			     " WHERE channel = 'mail'"),
	    1);
	assert_int_equal(notice_number(t, "SELECT failures FROM address"), 0);
	/* Several in one message are one failure. */
	ids[0] = ids[2] = notice_number(t, notice);
	ids[1] = 999;
	duel_must(t, notice_told_job(ids, 3, false, false, -1));
	assert_int_equal(notice_number(t, "SELECT failures FROM address"), 1);
	notice_told(t, notice, false, -1);
	assert_int_equal(notice_number(t, "SELECT failures FROM address"), 2);
	notice_told(t, notice, true, -1);
	assert_int_equal(notice_number(t,
			     "SELECT failures = 0 AND sent_ms >= failed_ms"
			     " AND confirmed = 1 FROM address"),
	    1);
	notice_text_is(t, "SELECT error FROM address", "it is away");
	notice_told(t, notice, false, -1);
	notice_told(t, notice, false, -1);
	notice_waits_are(t, "ann turn 3 command, ann turn 3 mail");
	notice_told(t, notice, false, -1);
	notice_waits_are(t, "ann turn 3 command");
	assert_int_equal(
	    notice_number(
		t, "SELECT confirmed = 0 AND code IS NULL FROM address"),
	    1);
	duel_must_fail(t,
	    notice_address_job(
		"ann", LEDGER_ADDRESS_CONFIRM, STORE_CHANNEL_MAIL, notice_code),
	    ERR_DENIED, "set the address again");
	/* The command has no address that could end. */
	notice_told(t, notice, false, -1);
	notice_told(t, notice, false, -1);
	notice_told(t, notice, false, -1);
	notice_waits_are(t, "ann turn 3 command");
	assert_int_equal(notice_number(t, "SELECT tries FROM notice"), 3);
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	notice_waits_are(t, "ann turn 3 command, ann turn 3 mail");
}

static void
what_is_this_servers_fault_ends_no_address(void **state)
{
	static const char notice[] = "SELECT max(id) FROM notice";
	struct duel *t = *state;
	struct ledger_job *job;
	int64_t ids[1];
	int i;

	notice_tell_by(t, NOTICE_MAIL);
	duel_play(t);
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	ids[0] = notice_number(t, notice);
	for (i = 0; i < 4; i++) {
		job = notice_told_job(ids, 1, false, false, -1);
		job->is_own = true;
		duel_must(t, job);
	}
	assert_int_equal(notice_number(t,
			     "SELECT confirmed = 1 AND failures = 0 AND"
			     " failed_ms > 0 FROM address"),
	    1);
	notice_text_is(t, "SELECT error FROM address", "it is away");
	assert_int_equal(notice_number(t, "SELECT tries FROM notice"), 4);
}

static void
what_was_lost_on_the_way_was_no_try(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;
	int64_t ids[1];
	int i;

	notice_tell_by(t, NOTICE_MAIL);
	duel_play(t);
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	duel_must(t,
	    notice_address_job(
		"bob", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	for (i = 0; i < 4; i++) {
		ids[0] = notice_number(t, "SELECT max(id) FROM notice");
		job = notice_told_job(
		    ids, 1, false, false, clock_wall_ms() + 60000);
		job->is_own = job->is_lost = true;
		duel_must(t, job);
		ids[0] = notice_number(t, "SELECT max(id) FROM address");
		job = notice_told_job(
		    ids, 1, true, false, clock_wall_ms() + 60000);
		job->is_own = job->is_lost = true;
		duel_must(t, job);
	}
	/* But not before that time. */
	assert_int_equal(notice_number(t,
			     "SELECT count(*) FROM address AS d, notice AS n"
			     " WHERE d.tries + n.tries = 0 AND n.next_ms >"
			     " n.at_ms + 59000 AND d.failed_ms IS NULL AND"
			     " d.error IS NULL AND coalesce(d.next_ms >"
			     " d.at_ms + 59000, d.confirmed)"),
	    2);
}

static void
an_answer_that_comes_late_is_for_nobody_else(void **state)
{
	struct duel *t = *state;
	int64_t ids[2];

	notice_tell_by(t, NOTICE_MAIL);
	duel_play(t);
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	notice_confirm(t, "bob", STORE_CHANNEL_MAIL);
	ids[0] = notice_number(t, "SELECT id FROM notice");
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	notice_waits_are(t, "bob turn 4 mail");
	duel_must(t, notice_told_job(ids, 1, false, true, -1));
	assert_int_equal(
	    notice_number(t, "SELECT tries = 0 AND next_ms > 0 FROM notice"),
	    1);
	/* The same with an address that was replaced. */
	ids[1] = notice_number(t, "SELECT max(id) FROM address");
	duel_must(t,
	    notice_address_job(
		"bob", LEDGER_ADDRESS_SET, STORE_CHANNEL_MAIL, notice_code));
	duel_must(t, notice_told_job(ids + 1, 1, true, false, -1));
	assert_int_equal(
	    notice_number(
		t, "SELECT next_ms > 0 FROM address WHERE account = 2"),
	    1);
}

/* What each_due() gave, and where it stops. */
struct due {
	struct store_notice list[8];
	int n;
	int stop;
};

static int
due_cb(void *arg, const struct store_notice *n)
{
	struct due *due = arg;

	assert_true(due->n < 8);
	due->list[due->n++] = *n;
	return (due->n == due->stop ? 3 : 0);
}

/* What is due to bob by one way. */
static int
due_of(struct duel *t, int64_t now_ms, unsigned way, struct due *due)
{
	enum store_channel channel = STORE_CHANNEL_COMMAND;

	while (way != 1u << channel)
		channel++;
	return (
	    store_notice_each_due(t->rd, now_ms, "bob", channel, due_cb, due));
}

/* Appends an account and a channel that something is due to. */
static int
group_cb(void *arg, const struct store_group *g)
{
	struct buf *out = arg;

	buf_printf(out, "%s %s%s%s, ", g->account,
	    store_channel_names[g->channel], g->is_doubtful ? " doubtful" : "",
	    g->quiet.has_quiet ? " quiet" : "");
	return (out->len > 200 ? 9 : 0);
}

/* Fails unless this is due, and in this order. */
static void
groups_are(struct duel *t, unsigned channels, const char *want)
{
	const int64_t now_ms = clock_wall_ms() + NOTICE_DELAY_MS;
	struct buf out;

	buf_init(&out, 0);
	assert_int_equal(
	    store_notice_each_group(t->rd, now_ms, channels, group_cb, &out),
	    0);
	assert_string_equal(buf_str(&out), want);
	buf_clear(&out);
}

static void
who_waits_for_longest_comes_first(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job;

	notice_tell_by(t, NOTICE_MAIL | NOTICE_COMMAND);
	duel_play(t);
	notice_confirm(t, "ann", STORE_CHANNEL_MAIL);
	notice_confirm(t, "bob", STORE_CHANNEL_MAIL);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_OFFER, "{'what':'draw'}"));
	notice_change(t,
	    "UPDATE notice SET next_ms = 5 WHERE channel = 'mail' AND what ="
	    " 'offer'");
	notice_change(t,
	    "UPDATE notice SET next_ms = 7 WHERE channel = 'command' AND"
	    " what = 'turn'");
	groups_are(t, NOTICE_MAIL | NOTICE_COMMAND, "bob mail, bob command, ");
	groups_are(t, NOTICE_COMMAND, "bob command, ");
	groups_are(t, NOTICE_WEBHOOK, "");
	notice_change(t,
	    "UPDATE notice SET account = 1 WHERE channel = 'command' AND what"
	    " = 'turn'");
	groups_are(t, NOTICE_MAIL | NOTICE_COMMAND,
	    "bob mail, ann command, bob command, ");
	/* What went there last has failed. */
	notice_told(t,
	    "SELECT id FROM notice WHERE channel = 'mail' AND what = 'turn'",
	    false, 6);
	groups_are(t, NOTICE_MAIL, "bob mail doubtful, ");
	notice_told(t,
	    "SELECT id FROM notice WHERE channel = 'mail' AND what = 'turn'",
	    true, -1);
	groups_are(t, NOTICE_MAIL, "bob mail, ");
	job = notice_address_job(
	    "bob", LEDGER_ADDRESS_QUIET, STORE_CHANNEL_COMMAND, "");
	job->quiet = (struct store_quiet){true, -90, 1320, 420};
	duel_must(t, job);
	groups_are(t, NOTICE_MAIL, "bob mail quiet, ");
	notice_change(t, "UPDATE address SET confirmed = 0 WHERE account = 2");
	groups_are(t, NOTICE_MAIL, "");
}

static void
what_is_due_comes_with_all_that_is_told(void **state)
{
	struct duel *t = *state;
	struct store_quiet quiet = {true, -90, 1320, 420};
	struct ledger_job *job;
	struct due due = {.n = 0};
	int64_t due_ms, next_ms;

	notice_tell_by(t, NOTICE_MAIL | NOTICE_COMMAND);
	duel_play(t);
	notice_confirm(t, "bob", STORE_CHANNEL_MAIL);
	job = notice_address_job(
	    "bob", LEDGER_ADDRESS_QUIET, STORE_CHANNEL_COMMAND, "");
	job->quiet = quiet;
	duel_must(t, job);
	duel_must(t, duel_order_job(t, 1, ORDER_TURN_END, "{}"));
	duel_must(t, duel_order_job(t, 1, ORDER_OFFER, "{'what':'draw'}"));
	due_ms = notice_number(t, "SELECT max(next_ms) FROM notice");
	assert_int_equal(store_notice_next(t->rd, NOTICE_MAIL, &next_ms), 0);
	assert_int_equal(
	    next_ms, notice_number(t, "SELECT min(next_ms) FROM notice"));
	assert_int_equal(due_of(t, next_ms - 1, NOTICE_COMMAND, &due), 0);
	assert_int_equal(due_of(t, next_ms - 1, NOTICE_MAIL, &due), 0);
	assert_int_equal(due.n, 0);
	assert_int_equal(due_of(t, due_ms, NOTICE_COMMAND, &due), 0);
	assert_int_equal(due_of(t, due_ms, NOTICE_MAIL, &due), 0);
	/* As they came. */
	assert_int_equal(due.n, 4);
	assert_int_equal(due.list[0].what, OWED_TURN);
	assert_int_equal(due.list[0].channel, STORE_CHANNEL_COMMAND);
	assert_int_equal(due.list[0].address_id, -1);
	assert_string_equal(due.list[0].address, "");
	assert_int_equal(due.list[1].what, OWED_OFFER);
	assert_int_equal(due.list[1].channel, STORE_CHANNEL_COMMAND);
	assert_int_equal(due.list[2].channel, STORE_CHANNEL_MAIL);
	assert_string_equal(due.list[2].address, "a@b.example");
	assert_int_equal(
	    due.list[2].address_id, notice_number(t, "SELECT id FROM address"));
	assert_memory_equal(due.list[2].game, t->game, HASH_LEN);
	assert_string_equal(due.list[2].account, "bob");
	assert_string_equal(due.list[2].system, "lasalle2");
	assert_string_equal(due.list[2].account_1, "ann");
	assert_string_equal(due.list[2].account_2, "bob");
	assert_int_equal(due.list[2].since, 4);
	assert_int_equal(due.list[2].until_ms, -1);
	assert_int_equal(due.list[2].tries, 0);
	assert_true(due.list[2].quiet.has_quiet);
	assert_int_equal(due.list[2].quiet.offset_min, -90);
	assert_int_equal(due.list[2].quiet.from_min, 1320);
	assert_int_equal(due.list[2].quiet.to_min, 420);
	due.n = 0;
	due.stop = 1;
	assert_int_equal(due_of(t, due_ms, NOTICE_MAIL, &due), 3);
	assert_int_equal(due.list[0].channel, STORE_CHANNEL_MAIL);
	due.n = due.stop = 0;
	assert_int_equal(due_of(t, due_ms, NOTICE_WEBHOOK, &due), 0);
	assert_int_equal(due.n, 0);
	job = notice_address_job(
	    "bob", LEDGER_ADDRESS_QUIET, STORE_CHANNEL_COMMAND, "");
	duel_must(t, job);
	assert_int_equal(store_quiet_get(t->rd, "bob", &quiet), 0);
	assert_false(quiet.has_quiet);
}

/* ---- when it cannot be stored ---- */

static void
a_line_that_is_not_stored_makes_nobody_wait(void **state)
{
	struct duel *t = *state;
	struct ledger_job *job, *again;
	int waitings;

	notice_tell_by(t, NOTICE_COMMAND);
	duel_play(t);
	waitings = t->waitings;
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	again = duel_same_job(t, 1, job);
	atomic_store(&faulty.disk_is_full, true);
	duel_must_fail(t, job, ERR_STORAGE, "");
	atomic_store(&faulty.disk_is_full, false);
	notice_waits_are(t, "ann turn 3 command");
	assert_int_equal(t->waitings, waitings);
	duel_must(t, again);
	notice_waits_are(t, "bob turn 4 command");
	assert_int_equal(t->waitings, waitings + 1);
}

/* All that is stored of notices and addresses, as one number. */
static int64_t
digest(struct duel *t)
{
	return (notice_number(t,
	    "SELECT (SELECT total(id * (1 + tries) + ifnull(next_ms, 7))"
	    " FROM notice) + (SELECT total(id * (1 + tries + wrong * 5 +"
	    " failures * 11 + confirmed * 17) + length(ifnull(code, '')) +"
	    " ifnull(next_ms, 7)) FROM address)"));
}

/*
 * Runs a job of make's, one after the other, each with a later allocation
 * failing; until one succeeds nothing may have changed.
 */
static void
fail_until_done(struct duel *t,
    struct ledger_job *(*make)(struct duel *t, void *arg), void *arg)
{
	const long every = getenv("UMPIRE_SLOW") == NULL ? 5 : 23;
	const int64_t before = digest(t);
	struct ledger_job *job;
	long n;
	int r;

	for (n = 0;; n += every) {
		/* The ledger reads game and statements anew at times. */
		if (n % (10 * every) == 0)
			notice_tell_by(t, NOTICE_COMMAND | NOTICE_MAIL);
		job = make(t, arg);
		atomic_store(&faulty.alloc_left, n);
		r = duel_run(t, job);
		atomic_store(&faulty.alloc_left, -1);
		ledger_job_free(job);
		if (r == 0)
			break;
		assert_int_equal(r, ERR_STORAGE);
		assert_int_equal(digest(t), before);
	}
	assert_true(n > 20);
	assert_int_not_equal(digest(t), before);
}

static struct ledger_job *
make_same_cb(struct duel *t, void *arg)
{
	return (duel_same_job(t, 1, arg));
}

static struct ledger_job *
make_address_cb(struct duel *t, void *arg)
{
	(void)t;
	return (notice_address_job("bob", *(enum ledger_address *)arg,
	    STORE_CHANNEL_MAIL, notice_code));
}

static struct ledger_job *
make_told_cb(struct duel *t, void *arg)
{
	(void)t;
	return (notice_told_job(arg, 1, false, false, -1));
}

static void
a_failed_allocation_changes_nothing(void **state)
{
	static const enum ledger_address each[] = {
	    LEDGER_ADDRESS_SET, LEDGER_ADDRESS_CONFIRM, LEDGER_ADDRESS_DROP};
	struct duel *t = *state;
	enum ledger_address op;
	struct ledger_job *job;
	int64_t id;
	int kept, silent;
	size_t i;

	/* It is logged each time. */
	silent = open("/dev/null", O_WRONLY);
	kept = dup(STDERR_FILENO);
	assert_true(silent != -1 && kept != -1);
	notice_tell_by(t, NOTICE_COMMAND | NOTICE_MAIL);
	duel_play(t);
	notice_confirm(t, "bob", STORE_CHANNEL_MAIL);
	job = duel_order_job(t, 1, ORDER_TURN_END, "{}");
	dup2(silent, STDERR_FILENO);
	fail_until_done(t, make_same_cb, job);
	ledger_job_free(job);
	notice_waits_are(t, "bob turn 4 command, bob turn 4 mail");
	id = notice_number(t, "SELECT id FROM notice WHERE channel = 'mail'");
	fail_until_done(t, make_told_cb, &id);
	for (i = 0; i < 3; i++) {
		op = each[i];
		fail_until_done(t, make_address_cb, &op);
		notice_waits_are(t,
		    op == LEDGER_ADDRESS_CONFIRM
			? "bob turn 4 command, bob turn 4 mail"
			: "bob turn 4 command");
	}
	dup2(kept, STDERR_FILENO);
	close(kept);
	close(silent);
	duel_is_good(t, 5);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, duel_setup, duel_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(a_code_is_void_when_it_was_wrong_too_often),
	    CASE(a_code_lives_a_day),
	    CASE(codes_are_sent_again_until_given_up),
	    CASE(three_messages_that_do_not_arrive_end_an_address),
	    CASE(what_is_this_servers_fault_ends_no_address),
	    CASE(what_was_lost_on_the_way_was_no_try),
	    CASE(an_answer_that_comes_late_is_for_nobody_else),
	    CASE(who_waits_for_longest_comes_first),
	    CASE(what_is_due_comes_with_all_that_is_told),
	    CASE(a_line_that_is_not_stored_makes_nobody_wait),
	    CASE(a_failed_allocation_changes_nothing),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
