/* SPDX-License-Identifier: ISC */
/* An io thread's life. */
#ifndef UMPIRE_SERVER_RPC_WORKER_H
#define UMPIRE_SERVER_RPC_WORKER_H

#include <stdint.h>

#include "common/base/err.h"
#include "server/rpc/io.h"

/*
 * Makes the number'th of count threads' state, but does not run it; the
 * database is opened here.  tls is referenced.  *out is new.  ERR_NOMEM or
 * what store_open_reader() gives.
 */
int worker_new(const struct io_shared *shared, const struct conf *conf,
    struct tls_config *tls, int64_t number, struct io **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Binds a thread's state to the methods and feeds; worker_new() does. */
void worker_bind(struct io *io);

/* Frees it after its loop ended; NULL is allowed. */
void worker_free(struct io *io);

/*
 * Runs the loop until worker_quit(): the body of the thread.  What waits in the
 * mailbox then is still taken, and all sessions are closed.
 */
void worker_run(struct io *io);

/*
 * The following are called in the loop's own thread.  worker_stop() lets
 * sessions finish what they were asked and takes no more; worker_quit() ends
 * the loop; worker_reload() gives other settings and another certificate (which
 * is referenced).
 */
void worker_stop(struct io *io);
void worker_quit(struct io *io);
void worker_reload(
    struct io *io, const struct conf_live *live, struct tls_config *tls);

#endif
