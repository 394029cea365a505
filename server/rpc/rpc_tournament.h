/* SPDX-License-Identifier: ISC */
/* Methods about tournaments, and the notice (umpire-protocol.7). */
#ifndef UMPIRE_SERVER_RPC_RPC_TOURNAMENT_H
#define UMPIRE_SERVER_RPC_RPC_TOURNAMENT_H

#include "server/rpc/call.h"

extern const struct call_method rpc_tournament_create;
extern const struct call_method rpc_tournament_order;
extern const struct call_method rpc_tournament_list;
extern const struct call_method rpc_tournament_show;
extern const struct call_method rpc_tournament_record;
extern const struct call_method rpc_tournament_watch;
extern const struct call_method rpc_tournament_unwatch;
extern const struct call_method rpc_tournament_todo;
extern const struct call_method rpc_tournament_entry;

#endif
