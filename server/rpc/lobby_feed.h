/* SPDX-License-Identifier: ISC */
/*
 * Who watches the lobby, and telling them when games are opened, joined,
 * begun and so on, each as game.list would show it to them now.  What the
 * ledger publishes only names the game: nothing of it leaves without a look
 * at what the session may know (view.h).
 */
#ifndef UMPIRE_SERVER_RPC_LOBBY_FEED_H
#define UMPIRE_SERVER_RPC_LOBBY_FEED_H

#include <sys/queue.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "common/crypt/hash.h"
#include "common/record/order.h"
#include "server/net/mailbox.h"

#define LOBBY_FEED_EVENTS 1024 /* that a session may be behind */

struct io;
struct session;

/* That something in game.list has changed for a game. */
struct lobby_event {
	uint8_t game[HASH_LEN];
	/* Who is invited by it, or not any more, or refused; "": nobody. */
	char account[ORDER_ACCOUNT_MAX + 1];
	bool is_invite; /* it is nobody else's affair */
	bool has_begun; /* the game cannot be joined any more */
};

LIST_HEAD(lobby_feed_sessions, session);

/* The lobby of one io thread, embedded there. */
struct lobby_feed {
	struct lobby_feed_sessions sessions; /* that watch */
	atomic_size_t watches; /* read by the ledger's thread */
	atomic_bool is_missed; /* missed is on its way */
	struct mailbox_mail missed; /* says that no memory was left to tell */
	/* Event number n stands in events[n % LOBBY_FEED_EVENTS]. */
	struct lobby_event events[LOBBY_FEED_EVENTS];
	uint64_t count; /* events so far */
	struct buf row; /* the notice that everybody gets */
	uint64_t row_of; /* of the event before this number; 0: of none */
};

/* What one session watches, embedded there; zeros: nothing. */
struct lobby_session {
	LIST_ENTRY(session) link;
	bool is_on;
	bool is_mine; /* only games of the account that is logged in */
	uint64_t next; /* number of the event to look at next */
};

/* Makes it empty; lobby_feed_clear() frees what it holds. */
void lobby_feed_init(struct io *io);
void lobby_feed_clear(struct io *io);

/*
 * Begins to watch, from the next event on; what game.list shows afterwards
 * holds all that happened before.  is_mine may be changed so.
 */
void lobby_feed_watch(struct session *s, bool is_mine);

/* Ends it; a session that does not watch is no failure. */
void lobby_feed_unwatch(struct session *s);

/* True if the session watches, and if events wait to be looked at. */
bool lobby_is_watched(const struct session *s);
bool lobby_feed_is_behind(const struct session *s);

/*
 * Writes waiting notices into the session's output while it has room, a few
 * at a time.  ERR_LIMIT if more has happened than is remembered, ERR_STORAGE,
 * ERR_NOMEM: the session should be closed, since nothing may be left out.
 */
int lobby_feed_pump(struct session *s) __attribute__((warn_unused_result));

/* Tells an io thread what is on disk by now; any thread may call it. */
void lobby_feed_publish(struct io *io, const struct lobby_event *ev);

#endif
