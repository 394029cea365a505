/* SPDX-License-Identifier: ISC */
/* The keys of accounts: stating changes (record S4), and asking for them. */
#ifndef UMPIRE_SERVER_RPC_RPC_KEY_H
#define UMPIRE_SERVER_RPC_RPC_KEY_H

#include "server/rpc/call.h"

struct io;

extern const struct call_method rpc_key_state; /* account.key */
extern const struct call_method rpc_key_list; /* account.keys */

/*
 * The keys of an account have changed: ends the sessions that logged in by one
 * that it no longer has.  Called on the ledger's thread.
 */
void rpc_key_changed(struct io *io, const char *account);

#endif
