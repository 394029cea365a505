/* SPDX-License-Identifier: ISC */
/*
 * Who watches the lobby, and telling them when games are opened, joined,
 * begun and so on, each as game.list would show it to them now.  What the
 * ledger publishes only names the game: nothing of it leaves without a look
 * at what the session may know (access.h).
 */
#ifndef UMPIRE_SERVER_RPC_LOBBY_FEED_H
#define UMPIRE_SERVER_RPC_LOBBY_FEED_H

#include <sys/queue.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "server/ledger/ledger.h"
#include "server/net/mailbox.h"

struct io;
struct session;
struct session_feed;

#define LOBBY_FEED_EVENTS 1024 /* that a session may be behind */

LIST_HEAD(lobby_feed_sessions, session);

/* Something that the lobby is told of. */
struct lobby_feed_event {
	struct ledger_listed listed;
	bool is_erased; /* it is this instead */
	struct ledger_erased erased;
};

/* The lobby of one io thread. */
struct lobby_feed {
	struct lobby_feed_sessions sessions; /* that watch */
	atomic_size_t watches; /* read by the ledger's thread */
	atomic_bool is_missed; /* missed is on its way */
	struct mailbox_mail missed; /* says that no memory was left to tell */
	/* Event number n is in events[n % LOBBY_FEED_EVENTS]. */
	struct lobby_feed_event events[LOBBY_FEED_EVENTS];
	uint64_t count; /* events so far */
	struct buf row; /* the notice that everybody gets */
	uint64_t row_of; /* of the event before this number; 0: of none */
};

extern const struct session_feed lobby_feed;

/* Make and free io->lobby_feed.  ERR_NOMEM. */
int lobby_feed_init(struct io *io) __attribute__((warn_unused_result));
void lobby_feed_clear(struct io *io);

/*
 * Begins to watch, from the next event on; what game.list shows afterwards
 * holds all that happened before.  is_mine may be changed so, and
 * wants_erased: whether texts that are erased are told, of games and
 * tournaments that the session may know of and does not watch.
 */
void lobby_feed_watch(struct session *s, bool is_mine, bool wants_erased);

/* Ends it; a session that does not watch is not a failure. */
void lobby_feed_unwatch(struct session *s);

/* Tells an io thread what is on disk by now; any thread may call it. */
void lobby_feed_publish(struct io *io, const struct ledger_listed *ev);
void lobby_feed_erase(struct io *io, const struct ledger_erased *ev);

#endif
