/* SPDX-License-Identifier: ISC */
/* address.list, address.set, address.confirm, address.drop, address.quiet. */
#ifndef UMPIRE_SERVER_RPC_RPC_ADDRESS_H
#define UMPIRE_SERVER_RPC_RPC_ADDRESS_H

#include "server/rpc/call.h"

extern const struct call_method rpc_address_list;
extern const struct call_method rpc_address_set;
extern const struct call_method rpc_address_confirm;
extern const struct call_method rpc_address_drop;
extern const struct call_method rpc_address_quiet;

#endif
