/* SPDX-License-Identifier: ISC */
/* Methods about blobs (umpire-protocol.7): blob.*. */
#ifndef UMPIRE_SERVER_RPC_RPC_BLOB_H
#define UMPIRE_SERVER_RPC_RPC_BLOB_H

#include "server/rpc/call.h"

extern const struct call_method rpc_blob_put;
extern const struct call_method rpc_blob_get;

#endif
