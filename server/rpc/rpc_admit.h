/* SPDX-License-Identifier: ISC */
/* Methods about who may join a game: invitations and blocks. */
#ifndef UMPIRE_SERVER_RPC_RPC_ADMIT_H
#define UMPIRE_SERVER_RPC_RPC_ADMIT_H

#include "server/rpc/call.h"

extern const struct call_method rpc_admit_block;
extern const struct call_method rpc_admit_blocks;
extern const struct call_method rpc_admit_invite;

#endif
