/* SPDX-License-Identifier: ISC */
/*
 * An io thread: one event loop, the sessions that live in it, a read-only
 * connection to the database.  Nothing in it blocks; what must be written
 * goes to the ledger, whose answers come back through the thread's mailbox.
 */
#ifndef UMPIRE_SERVER_RPC_IO_H
#define UMPIRE_SERVER_RPC_IO_H

#include <sys/queue.h>

#include <stdbool.h>
#include <stdint.h>

#include <event2/event_struct.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/crypt/keyfile.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "server/base/conf.h"
#include "server/rpc/game_feed.h"
#include "server/rpc/lobby_feed.h"

/*
 * Priorities of the loop's events: all but those of sessions that ask for
 * much have libevent's default, in the middle.
 */
#define IO_PRIORITIES 3
#define IO_PRIORITY 1
#define IO_PRIORITY_HEAVY 2

struct ledger;
struct mailbox;
struct mailbox_mail;
struct limits;
struct precompute_cache;
struct presence;
struct session;
struct show_cache;
struct store;
struct tls_config;

/*
 * What all io threads share.  The members are set before the threads start
 * and not changed while they run; what they point to may be used by any
 * thread.
 */
struct io_shared {
	struct sign_key identity;
	struct vrf_key dice;
	uint8_t invite_key[KEYFILE_LEN];
	struct ledger *ledger;
	struct limits *peers;
	struct precompute_cache *precompute_cache;
	struct presence *presence;
};

TAILQ_HEAD(io_sessions, session);

/* Members are the thread's own once it runs. */
struct io {
	const struct io_shared *shared;
	struct event_base *base;
	struct mailbox *mailbox;
	struct store *reader;
	struct show_cache
	    *shown; /* answers of game.show; the ledger sends some */
	struct conf_live live;
	struct tls_config *tls; /* a reference of our own */
	struct io_sessions sessions; /* open or ending */
	struct io_sessions dead; /* closed, to be freed by reap */
	struct event reap;
	struct game_feed notify;
	struct lobby_feed lobby;
	struct buf reply; /* one message on its way into a session's output */
	struct buf raw; /* the result of a handler that writes bytes */
	struct buf discover; /* rpc.discover's result, once it was asked for */
	uint64_t next_id; /* of a session, for the log */
	uint64_t id_step;
	int64_t starved_ms; /* no starved session is served before */
	bool is_stopping;
	/* Called in the thread when it is stopping and the last one went. */
	void (*drained)(void *arg);
	void *drained_arg;
};

/*
 * Makes the number'th of count threads' state, but does not run it; the
 * database is opened here.  tls is referenced.  *out is new.  ERR_NOMEM or
 * what store_open_reader() gives.
 */
int worker_new(const struct io_shared *shared, const struct conf *conf,
    struct tls_config *tls, int64_t number, struct io **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Frees it after its loop ended; NULL is allowed. */
void worker_free(struct io *io);

/*
 * Runs the loop until worker_quit(): the body of the thread.  What waits in the
 * mailbox then is still taken, and all sessions are closed.
 */
void worker_run(struct io *io);

/* Posts to the loop; any thread may call it. */
void io_post(struct io *io, struct mailbox_mail *mail);

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

/* Tells the loop that a session was closed and is to be freed. */
void io_reap(struct io *io);

#endif
