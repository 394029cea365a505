/* SPDX-License-Identifier: ISC */
/* Brings a copy of a game up to the server's record. */
#ifndef UMPIRE_CLIENT_REPLICA_SYNC_H
#define UMPIRE_CLIENT_REPLICA_SYNC_H

#include "client/net/conn.h"

struct replica;
struct link;

/*
 * Fetches the lines that the copy lacks, and their side lines, and checks
 * that the server's record continues the copy.  0, or *ce is filled: the
 * server's answer, the connection's fault, or r ERR_FORK without an answer:
 * copy->fork then says what differs; ERR_IO.
 */
int sync_copy(struct link *l, struct replica *c, struct conn_error *ce)
    __attribute__((warn_unused_result));

#endif
