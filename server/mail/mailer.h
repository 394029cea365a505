/* SPDX-License-Identifier: ISC */
/*
 * Telling accounts that are not connected what waits for them: reads what is
 * due, leaves out anyone who is here or has quiet hours, gives the courier one
 * message an account and way, and has the ledger note what became of it.
 * Only mailer_poke() is for any thread; the rest is for the one that runs
 * the event loop.
 */
#ifndef UMPIRE_SERVER_MAIL_MAILER_H
#define UMPIRE_SERVER_MAIL_MAILER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/store/store_notice.h"

struct conf;
struct event_base;
struct ledger;
struct mailbox;
struct mailer;
struct limits;
struct presence;
struct spawner;

/* The channels that the settings name, as bits 1 << store_channel. */
unsigned mailer_channels(const struct conf *conf);

/* True if an account does not want to be told at that time. */
bool mailer_is_quiet(const struct store_quiet *quiet, int64_t at_ms);

/*
 * When to try again after the tries'th try (from 1) failed at now_ms, as the
 * settings have it; -1: that was the last.
 */
int64_t mailer_next_ms(
    int64_t now_ms, int64_t tries, int64_t tries_max, int64_t retry_s);

/* The host that an address names, for the log: it holds nothing secret. */
void mailer_host(const char *address, char out[256]);

/*
 * Makes one that does nothing yet; spawner is borrowed, as courier_new() has
 * it.  ERR_NOMEM.  *out is new.
 */
int mailer_new(struct event_base *base, struct mailbox *mailbox,
    struct spawner *spawner, struct mailer **out)
    __attribute__((warn_unused_result));

/*
 * Frees it; NULL is allowed.  The ledger must have ended, and nobody may poke
 * any more.
 */
void mailer_free(struct mailer *n);

/*
 * Begins: opens the database.  ledger, presence and limits are borrowed.
 * ERR_NOMEM or what store_open_reader() gives, with e.
 */
int mailer_start(struct mailer *n, const struct conf *conf,
    struct ledger *ledger, struct presence *presence, struct limits *limits,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Puts other settings into force. */
void mailer_reload(struct mailer *n, const struct conf *conf);

/* Says that something may be due that was not.  Any thread may call it. */
void mailer_poke(struct mailer *n);

/*
 * Sends nothing new, lets the courier finish for timeout_s seconds at most,
 * and calls drained once all that became of it is on disk.
 */
void mailer_stop(
    struct mailer *n, int64_t timeout_s, void (*drained)(void *arg), void *arg);

#endif
