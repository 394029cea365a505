/* SPDX-License-Identifier: ISC */
/*
 * Methods about one game that is read, the notice (umpire-protocol.7), and
 * how a game is found for whoever asks.
 */
#ifndef UMPIRE_SERVER_RPC_GAME_H
#define UMPIRE_SERVER_RPC_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "common/hash.h"
#include "server/dispatch.h"

struct store;
struct store_game_row;
struct view;

extern const struct dispatch_method rpc_game_show;
extern const struct dispatch_method rpc_game_record;
extern const struct dispatch_method rpc_game_watch;
extern const struct dispatch_method rpc_game_unwatch;
extern const struct dispatch_method rpc_game_entry;

/* True for lower-case hex digits, at least one and at most 64. */
bool rpc_game_is_prefix(const char *s);

/* The view that a session has of a game now (view.h). */
int rpc_game_look(struct session *s, const struct store_game_row *row,
    struct view *v) __attribute__((warn_unused_result));

/*
 * Finds the game that params.game names, by its id or a prefix, among those
 * that the session may know of.  ERR_INVALID, ERR_NOTFOUND.
 */
int rpc_game_find(const struct dispatch_request *rq, struct store_game_row *row,
    struct view *v, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * What a game as it is on disk waits for (game_view_waits()), if the session
 * may see its state; *view is new.  ERR_NOTFOUND, ERR_DENIED for a spectator of
 * a game with a delay, ERR_INTERNAL if what is on disk cannot be read.
 */
int rpc_game_view_waits(struct session *s, const uint8_t id[HASH_LEN],
    json_t **view, struct errinfo *e) __attribute__((warn_unused_result));

#endif
