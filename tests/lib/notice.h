/* SPDX-License-Identifier: ISC */
/*
 * What is stored of notices and addresses, and the jobs that change it: on
 * top of duel.h.
 */
#ifndef UMPIRE_TESTS_LIB_NOTICE_H
#define UMPIRE_TESTS_LIB_NOTICE_H

#include <sqlite3.h>

#include "common/base/clock.h"
#include "server/store/store_int.h"
#include "tests/lib/duel.h"

#define NOTICE_COMMAND (1u << STORE_CHANNEL_COMMAND)
#define NOTICE_MAIL (1u << STORE_CHANNEL_MAIL)
#define NOTICE_WEBHOOK (1u << STORE_CHANNEL_WEBHOOK)
#define NOTICE_DELAY_MS 5000

/* The code of every address. */
extern const char notice_code[];

/* Starts the ledger anew with these channels. */
void notice_tell_by(struct duel *t, unsigned channels);

/* Runs SQL on the database by other means; one row must change. */
void notice_change(struct duel *t, const char *sql);

/* One number that SQL gives. */
int64_t notice_number(struct duel *t, const char *sql);

/* The one text that SQL gives must be this. */
void notice_text_is(struct duel *t, const char *sql, const char *want);

/* All that waits: "ann turn 3 mail, bob offer 5 mail". */
void notice_waits_are(struct duel *t, const char *want);

/* ---- jobs ---- */

struct ledger_job *notice_address_job(const char *account,
    enum ledger_address op, enum store_channel kind, const char *said);

/* Sets an address and confirms it. */
void notice_confirm(
    struct duel *t, const char *account, enum store_channel kind);

/* A job that says what became of n tries; ok, or when to try again. */
struct ledger_job *notice_told_job(
    const int64_t *ids, size_t n, bool is_address, bool ok, int64_t next_ms);

/* Says so of the one notice or address that SQL gives. */
void notice_told(struct duel *t, const char *sql, bool ok, int64_t next_ms);

/* Accounts and a roster, but no game. */
void notice_people(struct duel *t);

#endif
