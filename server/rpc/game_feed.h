/* SPDX-License-Identifier: ISC */
/*
 * Who watches which game, and sending them its lines as far as they may see
 * it (access.h).  Lines are always read from the database: what the ledger
 * publishes only says up to where, so that nothing is sent twice or left
 * out, however slowly a client reads.
 */
#ifndef UMPIRE_SERVER_RPC_GAME_FEED_H
#define UMPIRE_SERVER_RPC_GAME_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "common/crypt/hash.h"

struct io;
struct ledger_erased;
struct session;
struct session_feed;

extern const struct session_feed game_feed;

/* Make and free io->game_feed, while io->base is there.  ERR_NOMEM. */
int game_feed_init(struct io *io) __attribute__((warn_unused_result));
void game_feed_free(struct io *io);

/*
 * Begins to watch a game whose rowid is gid, or a tournament; it must be called
 * before the database is asked for the game's last line, which
 * game_feed_begin() is then told.  *is_new is false if it was watched already.
 * ERR_LIMIT, ERR_NOMEM.
 */
int game_feed_watch(struct session *s, const uint8_t game[HASH_LEN],
    int64_t gid, bool is_tournament, bool *is_new)
    __attribute__((warn_unused_result));

/*
 * Sends lines from number `next` on; the last one there is, is `last`.  Up to
 * that one they are asked for, later ones come by themselves.
 */
void game_feed_begin(struct session *s, const uint8_t game[HASH_LEN],
    int64_t next, int64_t last);

/* Looks again at what a session may see: another has logged in on it. */
void game_feed_refresh(struct session *s);

/* Ends watching a game; one that is not watched is not a failure. */
void game_feed_unwatch(struct session *s, const uint8_t game[HASH_LEN]);

/* Tells an io thread of a line that is on disk; any thread may call it. */
void game_feed_publish(
    struct io *io, const uint8_t game[HASH_LEN], int64_t seq);

/*
 * Tells those in an io thread who watch the game, and could read it, that a
 * text was erased; any thread may call it.
 */
void game_feed_erase(struct io *io, const struct ledger_erased *ev);

/* How many games a session may watch, unless it is a witness's. */
int64_t game_feed_most(const struct session *s);

/* True if a session watches the game, or tournament. */
bool game_feed_is_watched(struct session *s, const uint8_t game[HASH_LEN]);

/* Tells a session of a text that was erased; as session_send(). */
int game_feed_say_erased(struct session *s, const struct ledger_erased *ev)
    __attribute__((warn_unused_result));

#endif
