/* SPDX-License-Identifier: ISC */
/* Methods about the server (umpire-protocol.7): server.*, rpc.*. */
#ifndef UMPIRE_SERVER_RPC_RPC_SERVER_H
#define UMPIRE_SERVER_RPC_RPC_SERVER_H

#include "server/rpc/dispatch.h"

extern const struct dispatch_method rpc_server_hello;
extern const struct dispatch_method rpc_server_discover;

#endif
