/* SPDX-License-Identifier: ISC */
/*
 * What an io thread has: one event loop, the sessions that live in it, a
 * read-only connection to the database.  Nothing in it blocks; what must be
 * written goes to the ledger, whose answers come back through the thread's
 * mailbox.  What is done with it is in worker.h.
 */
#ifndef UMPIRE_SERVER_RPC_IO_H
#define UMPIRE_SERVER_RPC_IO_H

#include <sys/queue.h>

#include <stdbool.h>
#include <stdint.h>

#include <event2/event_struct.h>

#include "common/base/buf.h"
#include "common/crypt/keyfile.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "server/base/conf.h"

/*
 * Priorities of the loop's events: all but those of sessions that ask for
 * much have libevent's default, in the middle.
 */
#define IO_PRIORITIES 3
#define IO_PRIORITY 1
#define IO_PRIORITY_HEAVY 2

struct call_table;
struct ledger;
struct lobby_feed;
struct mailbox;
struct game_feed;
struct limits;
struct precompute_cache;
struct presence;
struct session;
struct session_feed;
struct show_cache;
struct store;
struct tls_config;
struct tournament_cache;

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
	struct limits *limits;
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
	    *show_cache; /* answers of game.show; the ledger sends some */
	struct conf_live live;
	struct tls_config *tls; /* a reference of our own */
	struct io_sessions sessions; /* open or ending */
	struct io_sessions dead; /* closed, to be freed by reap */
	struct event reap;
	struct game_feed *game_feed;
	struct lobby_feed *lobby_feed;
	struct tournament_cache *tournament_cache;
	const struct call_table *table; /* what is told of all methods */
	const struct session_feed *const *feeds; /* ended by NULL */
	/* Carries out one line of a client's; it may close the session. */
	void (*take_line)(struct session *s, const char *line, size_t len);
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

#endif
