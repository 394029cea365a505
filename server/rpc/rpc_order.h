/* SPDX-License-Identifier: ISC */
/* Methods that give orders to games (umpire-protocol.7). */
#ifndef UMPIRE_SERVER_RPC_RPC_ORDER_H
#define UMPIRE_SERVER_RPC_RPC_ORDER_H

#include "server/rpc/call.h"

extern const struct call_method rpc_order_create;
extern const struct call_method rpc_order_join;
extern const struct call_method rpc_order_order;

#endif
