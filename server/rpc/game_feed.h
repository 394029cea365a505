/* SPDX-License-Identifier: ISC */
/*
 * Who watches which game, and sending them its lines as far as they may see
 * it (view.h).  Lines are always read from the database: what the ledger
 * publishes only says up to where, so that nothing is sent twice or left
 * out, however slowly a client reads.
 */
#ifndef UMPIRE_SERVER_RPC_GAME_FEED_H
#define UMPIRE_SERVER_RPC_GAME_FEED_H

#include <sys/queue.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/event_struct.h>

#include "common/crypt/hash.h"
#include "server/net/mailbox.h"

#define GAME_FEED_BUCKETS 4096

struct io;
struct game_feed_watch;
struct session;

LIST_HEAD(game_feed_bucket, game_feed_watch);
TAILQ_HEAD(notify_list, game_feed_watch);

/* The watchers of one io thread, embedded there. */
struct game_feed {
	struct game_feed_bucket buckets[GAME_FEED_BUCKETS]; /* by game */
	atomic_size_t watches; /* read by the ledger's thread */
	atomic_bool is_missed; /* missed is on its way */
	struct mailbox_mail missed; /* says that no memory was left to tell */
	struct event delay; /* looks for lines that time alone lets out */
	size_t delayed; /* watches that wait for such lines */
};

/* What one session watches, embedded there. */
struct notify_session {
	struct notify_list current; /* all that is there was sent */
	struct notify_list behind; /* lines wait to be read */
	size_t count;
};

/* Make them empty.  io->base is there.  ERR_NOMEM. */
int game_feed_init(struct io *io) __attribute__((warn_unused_result));
void notify_session_init(struct notify_session *ns);

/*
 * Begins to watch a game whose rowid is gid; it must be called before the
 * database is asked for the game's last line, which game_feed_begin() is then
 * told.  *is_new is false if it was watched already.  ERR_LIMIT, ERR_NOMEM.
 */
int game_feed_watch(struct session *s, const uint8_t game[HASH_LEN],
    int64_t gid, bool *is_new) __attribute__((warn_unused_result));

/*
 * Sends lines from number `next` on; the last one there is, is `last`.  Up to
 * that one they are asked for, later ones come by themselves.
 */
void game_feed_begin(struct session *s, const uint8_t game[HASH_LEN],
    int64_t next, int64_t last);

/* Looks anew at what a session may see: another has logged in on it. */
void game_feed_refresh(struct session *s);

/* Ends watching a game; one that is not watched is no failure. */
void game_feed_unwatch(struct session *s, const uint8_t game[HASH_LEN]);

/* Ends all that a session watches. */
void game_feed_clear(struct session *s);

/* True if lines of a watched game wait to be written. */
bool game_feed_is_behind(const struct session *s);

/*
 * Writes waiting lines into the session's output while it has room, a few at a
 * time.  What time of the processor those took that were asked for is added to
 * *asked_us.  ERR_STORAGE if the database cannot be read, ERR_NOMEM: the
 * session should be closed, since a line may not be left out.
 */
int game_feed_pump(struct session *s, int64_t *asked_us)
    __attribute__((warn_unused_result));

/* Tells an io thread of a line that is on disk; any thread may call it. */
void game_feed_publish(
    struct io *io, const uint8_t game[HASH_LEN], int64_t seq);

#endif
