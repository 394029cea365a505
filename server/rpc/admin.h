/* SPDX-License-Identifier: ISC */
/*
 * What an operator asks of the running daemon, on a local socket: requests as
 * on TLS, a table of methods of its own, and no login but who the kernel says
 * is there.  It lives in the main thread; the ledger does what is asked.
 */
#ifndef UMPIRE_SERVER_RPC_ADMIN_H
#define UMPIRE_SERVER_RPC_ADMIN_H

#include <sys/types.h>

#include <stdbool.h>

#include "common/base/err.h"

struct admin;
struct conf;
struct event_base;
struct ledger;
struct mailbox;

/*
 * Binds the socket that the settings name and looks up who may use it, before
 * the sandbox, which allows neither.  *out is new; NULL if the settings name
 * none.  ERR_CONFIG (a user that there is not), and local_bind()'s.
 */
int admin_open(const struct conf *conf, struct admin **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes connections in this loop, whose mailbox that is; all are borrowed, the
 * ledger until admin_stop().  ERR_NOMEM.
 */
int admin_start(struct admin *a, struct event_base *base,
    struct mailbox *mailbox, struct ledger *ledger)
    __attribute__((warn_unused_result));

/*
 * Takes no more connections and requests; what the ledger has is answered when
 * its mail comes.  NULL is allowed.
 */
void admin_stop(struct admin *a);

/*
 * Closes everything, after the ledger has ended and the mailbox was emptied;
 * NULL is allowed.
 */
void admin_free(struct admin *a);

/* The name of a user who may use the socket; NULL: this one may not. */
const char *admin_user(const struct admin *a, uid_t uid);

#endif
