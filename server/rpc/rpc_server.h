/* SPDX-License-Identifier: ISC */
/* Methods about the server (umpire-protocol.7): server.*, rpc.*. */
#ifndef UMPIRE_SERVER_RPC_RPC_SERVER_H
#define UMPIRE_SERVER_RPC_RPC_SERVER_H

#include "server/rpc/call.h"

extern const struct call_method rpc_server_hello;
extern const struct call_method rpc_server_discover;

#endif
