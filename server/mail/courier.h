/* SPDX-License-Identifier: ISC */
/*
 * The daemon's end of umpired-courier: passes jobs and answers, without ever
 * waiting.  Only for the thread that runs the event loop.
 */
#ifndef UMPIRE_SERVER_MAIL_COURIER_H
#define UMPIRE_SERVER_MAIL_COURIER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/courier/courier_message.h"

struct courier;
struct event_base;
struct spawner;

/* What the courier calls, in the loop's thread. */
struct courier_events {
	/* An answer; its id is checked by nobody before. */
	void (*answered)(void *arg, const struct courier_message *answer);
	/* It can be given jobs: it was started. */
	void (*ready)(void *arg);
	/* It ended; jobs in hand will have no answer. */
	void (*ended)(void *arg);
	void *arg;
};

/*
 * Makes one for the program that the spawner starts, which is borrowed; NULL:
 * none runs.  With jobs in hand the program may be silent for silent_ms before
 * it is killed.  ERR_NOMEM.  *out is new.
 */
int courier_new(struct event_base *base, struct spawner *spawner,
    const struct courier_events *events, int64_t silent_ms,
    struct courier **out) __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void courier_free(struct courier *c);

/* True if it takes jobs now. */
bool courier_is_ready(const struct courier *c);

/* Gives it a job; ERR_BUSY if it takes none now, ERR_NOMEM, ERR_TOOBIG. */
int courier_send(struct courier *c, const struct courier_message *job)
    __attribute__((warn_unused_result));

/*
 * Lets it finish what it has, for timeout_s seconds at most, and has another
 * one started with the settings as they then are, if they name a way to send.
 */
void courier_renew(struct courier *c, int64_t timeout_s);

/*
 * Lets it finish what it has, for timeout_s seconds at most, and not be
 * started again; `ended` is called even if it does not run.
 */
void courier_finish(struct courier *c, int64_t timeout_s);

#endif
