/* SPDX-License-Identifier: ISC */
/* From a line to a method: the table of the methods. */
#ifndef UMPIRE_SERVER_RPC_DISPATCH_H
#define UMPIRE_SERVER_RPC_DISPATCH_H

#include <stddef.h>

#include "server/rpc/call.h"

extern const struct call_table dispatch_table;

/* Finds a method; NULL if there is none. */
const struct call_method *dispatch_find(const char *name);

/*
 * Reads one line from a client, has it carried out and answers it, now or
 * when the ledger has.  It may close the session.
 */
void dispatch_line(struct session *s, const char *line, size_t len);

#endif
