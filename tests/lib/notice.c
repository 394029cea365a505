/* SPDX-License-Identifier: ISC */
#include "tests/lib/notice.h"

const char notice_code[] = "23456789";

void
notice_tell_by(struct duel *t, unsigned channels)
{
	duel_stop(t);
	t->channels = channels;
	t->delay_ms = NOTICE_DELAY_MS;
	assert_int_equal(duel_start(t), 0);
}

void
notice_change(struct duel *t, const char *sql)
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

int64_t
notice_number(struct duel *t, const char *sql)
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

void
notice_text_is(struct duel *t, const char *sql, const char *want)
{
	const char *got;
	sqlite3_stmt *s;

	assert_int_equal(
	    sqlite3_prepare_v2(t->rd->db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	got = (const char *)sqlite3_column_text(s, 0);
	if (strcmp(got == NULL ? "" : got, want) != 0)
		fail_msg("\"%s\", not \"%s\"", got == NULL ? "" : got, want);
	sqlite3_finalize(s);
}

void
notice_waits_are(struct duel *t, const char *want)
{
	notice_text_is(t,
	    "SELECT group_concat(s, ', ') FROM (SELECT name || ' ' || what"
	    " || ' ' || since || ' ' || channel AS s FROM notice"
	    " JOIN account ON account.id = notice.account"
	    " ORDER BY game, name, what, since, channel)",
	    want);
}

/* ---- jobs ---- */

struct ledger_job *
notice_address_job(const char *account, enum ledger_address op,
    enum store_channel kind, const char *said)
{
	struct ledger_job *job = ledger_job_new(LEDGER_ADDRESS);

	assert_non_null(job);
	snprintf(job->account, sizeof(job->account), "%s", account);
	job->address_op = op;
	job->kind = kind;
	snprintf(job->code, sizeof(job->code), "%s", said);
	snprintf(job->value, sizeof(job->value), "%s",
	    kind == STORE_CHANNEL_MAIL ? "a@b.example" : "https://b.example/");
	return (job);
}

void
notice_confirm(struct duel *t, const char *account, enum store_channel kind)
{
	duel_must(t,
	    notice_address_job(account, LEDGER_ADDRESS_SET, kind, notice_code));
	duel_must(t,
	    notice_address_job(
		account, LEDGER_ADDRESS_CONFIRM, kind, notice_code));
}

struct ledger_job *
notice_told_job(
    const int64_t *ids, size_t n, bool is_address, bool ok, int64_t next_ms)
{
	struct ledger_job *job = ledger_job_new(LEDGER_NOTICE);
	size_t i;

	assert_non_null(job);
	job->told = calloc(n, sizeof(*job->told));
	assert_non_null(job->told);
	job->n_told = n;
	job->is_code = is_address;
	job->is_sent = ok;
	if (!ok)
		snprintf(job->error, sizeof(job->error), "it is away");
	for (i = 0; i < n; i++)
		job->told[i] = (struct ledger_told){ids[i], next_ms};
	return (job);
}

void
notice_told(struct duel *t, const char *sql, bool ok, int64_t next_ms)
{
	const int64_t id = notice_number(t, sql);

	duel_must(t,
	    notice_told_job(
		&id, 1, strstr(sql, "FROM address") != NULL, ok, next_ms));
}

void
notice_people(struct duel *t)
{
	struct ledger_job *job;

	duel_must(t, duel_register_job("ann", t->keys[1].sign.public_key));
	duel_must(t, duel_register_job("bob", t->keys[2].sign.public_key));
	duel_must(t, duel_register_job("cat", t->keys[0].sign.public_key));
	job = duel_blob_job("ann", duel_roster);
	memcpy(t->roster, job->blob_hash, HASH_LEN);
	duel_must(t, job);
}
