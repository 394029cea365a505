/* SPDX-License-Identifier: ISC */
/* The method game.list. */
#ifndef UMPIRE_SERVER_RPC_RPC_LIST_H
#define UMPIRE_SERVER_RPC_RPC_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/crypt/hash.h"
#include "server/rpc/call.h"

struct session;
struct store;
struct store_game_row;
struct access;

extern const struct call_method rpc_list_games;

/* True for lower-case hex digits, at least one and at most 64. */
bool rpc_list_is_prefix(const char *s);

/* Games in muster whose last line is older have lapsed; INT64_MIN: none. */
int64_t rpc_list_lapsed_ms(const struct session *s);

/* The phase of a game as the list has it: that of the record, or "lapsed". */
const char *rpc_list_phase(
    const struct session *s, const struct store_game_row *row);

/* A game as the list has it, as far as it may be seen; *out is new. */
int rpc_list_row(struct session *s, const struct store_game_row *row,
    const struct access *see, json_t **out) __attribute__((warn_unused_result));

/* Where a list of games goes on: after a game that it has shown. */
struct rpc_list_cursor {
	int64_t listed_ms;
	uint8_t id[HASH_LEN];
};

/* Room for what rpc_list_write_cursor() writes. */
#define RPC_LIST_CURSOR 96

/*
 * Writes a cursor, which names the game by its id: rowids would tell how many
 * games there are that are not shown.
 */
void rpc_list_write_cursor(
    char out[RPC_LIST_CURSOR], const struct rpc_list_cursor *c);

/*
 * Reads one, and finds what the store goes on after.  ERR_INVALID at
 * params.before.
 */
int rpc_list_read_cursor(struct store *st, const char *s, int64_t *listed_ms,
    int64_t *gid, struct errinfo *e) __attribute__((warn_unused_result));

#endif
