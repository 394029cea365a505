/* SPDX-License-Identifier: ISC */
/*
 * What every method is made of: what it takes and gives, as data, and how its
 * answer comes about, now or when the ledger has done what was asked for.
 */
#ifndef UMPIRE_SERVER_RPC_CALL_H
#define UMPIRE_SERVER_RPC_CALL_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"
#include "server/ledger/ledger.h"

struct js_at;
struct session;

#define CALL_PARAMS_MAX 16

/* What a handler returns besides 0 and ERR_*. */
#define CALL_LATER 1 /* the ledger has it; the answer comes later */
#define CALL_RAW 2 /* the result is JSON text in the io's raw buffer */

/* One param or member of a result; schema is JSON Schema as JSON text. */
struct call_field {
	const char *name;
	const char *schema;
	bool is_optional;
	const char *what; /* for people */
};

/* A request on its way through a handler. */
struct call_request {
	struct session *s;
	const struct call_method *method;
	const json_t *id; /* borrowed; NULL for a notification */
	const json_t *params; /* borrowed: an object */
	json_t *data; /* owned: more members for an error's data, or NULL */
};

/*
 * What becomes of a job's answer, in the session's thread: as
 * handle of struct call_method.  rq has no params.  Of orders and of games that
 * were mended it is told whatever became of them, of other jobs only if that is
 * no error.
 */
typedef int call_finish(struct call_request *rq, const struct ledger_job *job,
    json_t **result, struct errinfo *e);

/* The lists of a method. */
#define CALL_FIELDS(...) \
	((const struct call_field[]){__VA_ARGS__, {.name = NULL}})
#define CALL_ERRORS(...) ((const int[]){__VA_ARGS__, 0})

/* One method; lists are ended by a NULL name or a 0, or are NULL. */
struct call_method {
	const char *name;
	const char *what; /* for people */
	const struct call_field *params; /* CALL_PARAMS_MAX at most */
	const struct call_field *result; /* NULL: any object */
	const int *errors; /* besides those that any may give */
	bool needs_login;
	/*
	 * Does it: 0 with *result new, CALL_RAW, CALL_LATER, or ERR_*
	 * with e and rq->data.
	 */
	int (*handle)(
	    struct call_request *rq, json_t **result, struct errinfo *e);
	/*
	 * Or it is the ledger's: fills in a job of that kind for the session's
	 * account, and answers when it is done.  is_held as in call_submit().
	 */
	int (*fill)(
	    struct call_request *rq, struct ledger_job *job, struct errinfo *e);
	call_finish *finish;
	enum ledger_op op;
	bool is_held;
};

/* All methods; and the notices, which have neither result nor handler. */
struct call_table {
	const struct call_method *const *methods;
	size_t n_methods;
	const struct call_method *const *notices;
	size_t n_notices;
};

/* Appends to a list; what fails leaves NULL for it, which stays so. */
void call_append(json_t **list, json_t *v);

/* The place of the request's params, for the readers of js.h. */
const struct js_at *call_at(void);

/*
 * Gives a job to the ledger, all of it filled in but done and arg; job is
 * taken, even on failure.  is_held: the session takes no other request before
 * the answer.  CALL_LATER, ERR_BUSY, ERR_NOMEM.
 */
int call_submit(struct call_request *rq, struct ledger_job *job, bool is_held,
    call_finish *finish) __attribute__((warn_unused_result));

/*
 * Answers a request whose handler returned r, and logs what failed; takes
 * result and rq->data.  The reply of a notification is left out.
 */
void call_answer(
    struct call_request *rq, int r, json_t *result, struct errinfo *e);

#endif
