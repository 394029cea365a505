/* SPDX-License-Identifier: ISC */
/* The method game.todo: what waits for an account in all its games. */
#ifndef UMPIRE_SERVER_RPC_RPC_TODO_H
#define UMPIRE_SERVER_RPC_RPC_TODO_H

#include "server/rpc/call.h"

extern const struct call_method rpc_todo_list;

#endif
