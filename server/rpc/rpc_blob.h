/* SPDX-License-Identifier: ISC */
/* Methods about blobs (umpire-protocol.7): blob.*. */
#ifndef UMPIRE_SERVER_RPC_RPC_BLOB_H
#define UMPIRE_SERVER_RPC_RPC_BLOB_H

#include "server/rpc/dispatch.h"

extern const struct dispatch_method rpc_blob_put;
extern const struct dispatch_method rpc_blob_get;

#endif
