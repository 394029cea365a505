/* SPDX-License-Identifier: ISC */
/* Methods about games that are read, and the notice (umpire-protocol.7). */
#ifndef UMPIRE_SERVER_RPC_GAME_H
#define UMPIRE_SERVER_RPC_GAME_H

#include "server/dispatch.h"

extern const struct dispatch_method rpc_game_list;
extern const struct dispatch_method rpc_game_show;
extern const struct dispatch_method rpc_game_record;
extern const struct dispatch_method rpc_game_watch;
extern const struct dispatch_method rpc_game_unwatch;
extern const struct dispatch_method rpc_game_entry;

#endif
