/* SPDX-License-Identifier: ISC */
/* Methods about tournaments, and the notice (umpire-protocol.7). */
#ifndef UMPIRE_SERVER_RPC_RPC_TOURNAMENT_H
#define UMPIRE_SERVER_RPC_RPC_TOURNAMENT_H

#include "server/rpc/call.h"

struct store_tournament_row;

extern const struct call_method rpc_tournament_create;
extern const struct call_method rpc_tournament_order;
extern const struct call_method rpc_tournament_list;
extern const struct call_method rpc_tournament_show;
extern const struct call_method rpc_tournament_record;
extern const struct call_method rpc_tournament_watch;
extern const struct call_method rpc_tournament_unwatch;
extern const struct call_method rpc_tournament_todo;
extern const struct call_method rpc_tournament_entry;

/*
 * Finds the tournament that params.tournament names, by its id or a prefix of
 * it.  ERR_NOTFOUND, also for a private one of others.
 */
int rpc_tournament_find(const struct call_request *rq,
    struct store_tournament_row *row, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
