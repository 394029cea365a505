/* SPDX-License-Identifier: ISC */
/* tournament.former, and the lines of those that tournaments go back to. */
#ifndef UMPIRE_SERVER_RPC_RPC_FORMER_H
#define UMPIRE_SERVER_RPC_RPC_FORMER_H

#include <stdint.h>

#include "server/rpc/call.h"

struct store_former_row;
struct store_tournament_row;

extern const struct call_method rpc_former;

/*
 * Finds what a tournament goes back to: 1 the one that it continues, 2 the one
 * which that continues, and so on.  ERR_NOTFOUND.
 */
int rpc_former_find(const struct call_request *rq,
    const struct store_tournament_row *row, int64_t back,
    struct store_former_row *former, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
