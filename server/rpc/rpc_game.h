/* SPDX-License-Identifier: ISC */
/*
 * Methods about one game that is read, the notice (umpire-protocol.7), and
 * how a game is found for whoever asks.
 */
#ifndef UMPIRE_SERVER_RPC_RPC_GAME_H
#define UMPIRE_SERVER_RPC_RPC_GAME_H

#include <stdbool.h>
#include <stdint.h>

#include "common/crypt/hash.h"
#include "server/rpc/call.h"

struct store;
struct store_game_row;
struct access;
struct game;

/* The param that names a game, as rpc_game_find() reads it. */
#define RPC_GAME_PARAM              \
	"game", SCHEMA_GAME, false, \
	    "the game's id, or a prefix of it that no other has"

extern const struct call_method rpc_game_show;
extern const struct call_method rpc_game_record;
extern const struct call_method rpc_game_watch;
extern const struct call_method rpc_game_unwatch;
extern const struct call_method rpc_game_entry;

/*
 * Finds the game that params.game names, by its id or a prefix, among those
 * that the session may know of.  ERR_INVALID, ERR_NOTFOUND.
 */
int rpc_game_find(const struct call_request *rq, struct store_game_row *row,
    struct access *v, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Makes of its snapshot a game as it is on disk, if the session may see its
 * state; *out is new.  ERR_NOTFOUND, ERR_DENIED for a spectator of a game with
 * a delay, ERR_BAD if what is kept of it does not fit its record, ERR_DAMAGED
 * if that is known and could not be mended.
 */
int rpc_game_load(struct session *s, const uint8_t id[HASH_LEN],
    struct game **out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Has the ledger make again what is kept of n games (LEDGER_MEND_MAX at most),
 * and then finish() the request; before is kept with them.  As
 * call_submit().
 */
int rpc_game_mend(struct call_request *rq, const uint8_t (*ids)[HASH_LEN],
    size_t n, const int64_t before[2], call_finish *finish)
    __attribute__((warn_unused_result));

#endif
