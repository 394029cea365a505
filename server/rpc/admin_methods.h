/* SPDX-License-Identifier: ISC */
/* The methods of the operator's socket (umpire-protocol.7, THE OPERATOR). */
#ifndef UMPIRE_SERVER_RPC_ADMIN_METHODS_H
#define UMPIRE_SERVER_RPC_ADMIN_METHODS_H

#include <jansson.h>

#include "common/base/err.h"
#include "server/ledger/ledger.h"

struct buf;

struct admin_method {
	const char *name;
	const char *const *params; /* ended by NULL */
	enum ledger_op op;
	/* Fills in a job.  ERR_INVALID and so on, with the place. */
	int (*fill)(
	    const json_t *params, struct ledger_job *job, struct errinfo *e);
	/* What a job that was done is answered with; new, NULL: no memory. */
	json_t *(*finish)(const struct ledger_job *job);
};

/* Finds a method; NULL if there is none. */
const struct admin_method *admin_method_find(const char *name);

/* Why an operator does it, of the params; NULL if they do not say. */
const char *admin_method_why(const json_t *params);

/* Appends, for the log, what a job is about: "close 12ab34cd". */
void admin_method_tell(const struct admin_method *m,
    const struct ledger_job *job, struct buf *out);

#endif
