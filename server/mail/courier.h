/* SPDX-License-Identifier: ISC */
/*
 * The daemon's half of umpired-courier: has it started, and started again
 * when it dies, and passes jobs and answers, without ever waiting.  Only for
 * the thread that runs the event loop.
 */
#ifndef UMPIRE_SERVER_MAIL_COURIER_H
#define UMPIRE_SERVER_MAIL_COURIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "server/store/store_notice.h"

struct conf;
struct courier;
struct event_base;
struct spawner;

/* A message to carry. */
struct courier_job {
	int64_t id; /* 0 and up; of no other job in hand */
	enum store_channel channel;
	const char *to; /* address or URL; not for COMMAND */
	const char *subject; /* MAIL */
	const char *body; /* MAIL: text; else JSON */
};

/* What became of it. */
struct courier_answer {
	int64_t id;
	bool ok;
	bool may_retry; /* not ok: another try may succeed */
	bool is_own; /* not ok by this server's fault, not the address's */
	char error[STORE_ERROR_MAX + 1]; /* not ok: plain text for people */
	char cause[STORE_ERROR_MAX + 1]; /* what the log says; "": the same */
};

/* What the courier calls, in the loop's thread. */
struct courier_events {
	/* An answer; its id is checked by nobody before. */
	void (*answered)(void *arg, const struct courier_answer *a);
	/* It can be given jobs: it was started. */
	void (*ready)(void *arg);
	/* It ended; jobs in hand will have no answer. */
	void (*ended)(void *arg);
	void *arg;
};

/*
 * Reads a line of the program's, LF not included.  ERR_NOMEM, or what js_load()
 * and its like give for what is no answer.
 */
int courier_read_answer(const char *line, size_t len,
    struct courier_answer *out) __attribute__((warn_unused_result));

/*
 * Makes one that does not run; with jobs in hand it may be silent for
 * silent_ms before it is killed.  The starter is borrowed, and has no other
 * program to start; NULL: none can be started.  ERR_NOMEM.  *out is new.
 */
int courier_new(struct event_base *base, struct spawner *spawner,
    const struct courier_events *events, int64_t silent_ms,
    struct courier **out) __attribute__((warn_unused_result));

/*
 * Kills the program if it runs, and frees; the starter waits for its end.
 * NULL is allowed.
 */
void courier_free(struct courier *c);

/*
 * Starts the program, if these settings name a way to tell; else none runs.
 * The first ones are those that the starter has, for later ones it is told to
 * read its own again.  One that runs is first told to finish, for timeout_s
 * seconds at most.  ERR_NOMEM or ERR_CONFIG, with the reason: it goes on as it
 * was.
 */
int courier_configure(struct courier *c, const struct conf *conf,
    int64_t timeout_s, struct errinfo *e) __attribute__((warn_unused_result));

/* True if it takes jobs now. */
bool courier_is_ready(const struct courier *c);

/* Gives it a job; ERR_BUSY if it does not run, ERR_NOMEM. */
int courier_send(struct courier *c, const struct courier_job *job)
    __attribute__((warn_unused_result));

/*
 * Lets it finish what it has, for timeout_s seconds at most, and not be
 * started again; `ended` is called even if it does not run.
 */
void courier_finish(struct courier *c, int64_t timeout_s);

#endif
