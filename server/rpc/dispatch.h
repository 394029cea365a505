/* SPDX-License-Identifier: ISC */
/*
 * The methods of umpire-protocol.7: one table that says what each is called,
 * takes, gives and wants, and from which the OpenRPC document is made.
 */
#ifndef UMPIRE_SERVER_RPC_DISPATCH_H
#define UMPIRE_SERVER_RPC_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "server/net/mailbox.h"

struct js_at;
struct ledger_job;
struct session;

#define DISPATCH_PARAMS_MAX 8

/* What a handler returns beside 0 and ERR_*. */
#define DISPATCH_LATER 1 /* the ledger has it; the answer comes later */
#define DISPATCH_RAW 2 /* the result is JSON text in the io's raw buffer */

/* One param or member of a result; schema is JSON Schema as JSON text. */
struct dispatch_field {
	const char *name;
	const char *schema;
	bool is_optional;
	const char *what; /* for people */
};

/* A request on its way through a handler. */
struct dispatch_request {
	struct session *s;
	const struct dispatch_method *method;
	const json_t *id; /* borrowed; NULL for a notification */
	const json_t *params; /* borrowed: an object */
	json_t *data; /* owned: more members for an error's data, or NULL */
};

/* One method; lists are ended by a NULL name or a 0, or are NULL. */
struct dispatch_method {
	const char *name;
	const char *what; /* for people */
	const struct dispatch_field *params; /* DISPATCH_PARAMS_MAX at most */
	const struct dispatch_field *result; /* NULL: any object */
	const int *errors; /* beside those that any may give */
	bool needs_login;
	/*
	 * Does it: 0 with *result new, DISPATCH_RAW, DISPATCH_LATER, or ERR_*
	 * with e and rq->data.
	 */
	int (*handle)(
	    struct dispatch_request *rq, json_t **result, struct errinfo *e);
};

/* The table; *n is the number of its rows. */
const struct dispatch_method *const *dispatch_methods(size_t *n);

/* Finds a method; NULL if there is none. */
const struct dispatch_method *dispatch_find(const char *name);

/* The notices, which have neither result nor handler. */
const struct dispatch_method *const *dispatch_notices(size_t *n);

/*
 * Reads one line from a client, has it carried out and answers it, now or
 * when the ledger has.  It may close the session.
 */
void dispatch_line(struct session *s, const char *line, size_t len);

/* Answers with an error that belongs to no request. */
void dispatch_fail(struct session *s, int r, const struct errinfo *e);

/* The place of the request's params, for the readers of js.h. */
const struct js_at *dispatch_at(void);

/* Puts text before the place in e, if there is one: "params." */
void dispatch_place(struct errinfo *e, const char *before);

/*
 * What becomes of a job's answer, in the session's thread: as
 * dispatch_method's handle.  rq has no params; the session may be closed.
 */
typedef int dispatch_finish(struct dispatch_request *rq,
    const struct ledger_job *job, json_t **result, struct errinfo *e);

/*
 * Gives a job to the ledger, all of it filled in but done and arg; job is
 * taken, also upon failure.  is_held: the session takes no other request before
 * the answer.  DISPATCH_LATER, ERR_BUSY, ERR_NOMEM.
 */
int dispatch_submit(struct dispatch_request *rq, struct ledger_job *job,
    bool is_held, dispatch_finish *finish) __attribute__((warn_unused_result));

#endif
