/* SPDX-License-Identifier: ISC */
/* Methods about accounts (umpire-protocol.7): account.*. */
#ifndef UMPIRE_SERVER_RPC_RPC_ACCOUNT_H
#define UMPIRE_SERVER_RPC_RPC_ACCOUNT_H

#include "server/rpc/call.h"

extern const struct call_method rpc_account_register;
extern const struct call_method rpc_account_login;

#endif
