/* SPDX-License-Identifier: ISC */
/* The methods lobby.watch and lobby.unwatch, and the notice lobby.game. */
#ifndef UMPIRE_SERVER_RPC_RPC_LOBBY_H
#define UMPIRE_SERVER_RPC_RPC_LOBBY_H

#include "server/rpc/call.h"

extern const struct call_method rpc_lobby_watch;
extern const struct call_method rpc_lobby_unwatch;
extern const struct call_method rpc_lobby_game;

#endif
