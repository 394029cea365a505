/* SPDX-License-Identifier: ISC */
/* Methods that give orders to games (umpire-protocol.7). */
#ifndef UMPIRE_SERVER_RPC_RPC_ORDER_H
#define UMPIRE_SERVER_RPC_RPC_ORDER_H

#include <jansson.h>

#include "server/rpc/call.h"

struct buf;
struct ledger_job;

/*
 * What orders to games and to tournaments have in common: reads the texts that
 * go with one, finds the error of one that failed, writes the result of one.
 */
int rpc_order_read_texts(const json_t *params, struct ledger_job *job,
    struct errinfo *e) __attribute__((warn_unused_result));
int rpc_order_failed(struct call_request *rq, const struct ledger_job *job,
    struct errinfo *e) __attribute__((warn_unused_result));
void rpc_order_write(const struct ledger_job *job, struct buf *out);

extern const struct call_field rpc_order_result[];

extern const struct call_method rpc_order_create;
extern const struct call_method rpc_order_join;
extern const struct call_method rpc_order_order;

#endif
