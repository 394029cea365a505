/* SPDX-License-Identifier: ISC */
/* Methods by which lines that were lost come back (record S10.1). */
#ifndef UMPIRE_SERVER_RPC_RPC_HEAL_H
#define UMPIRE_SERVER_RPC_RPC_HEAL_H

#include "server/rpc/call.h"

extern const struct call_method rpc_heal_heads;
extern const struct call_method rpc_heal_heal;
extern const struct call_method rpc_heal_tournament_heads;
extern const struct call_method rpc_heal_tournament;

#endif
