/* SPDX-License-Identifier: ISC */
/*
 * Lines that a server says it has lost (`restored`, record S4.3) and that our
 * copy holds: they are set aside, with the proof that the server had signed
 * them, and the copy follows the server.  Whether that is accepted is for its
 * owner to decide.  games/<id>.lost-N is the record as it was, N the number of
 * the line `restored`.
 */
#ifndef UMPIRE_CLIENT_REPLICA_LOST_H
#define UMPIRE_CLIENT_REPLICA_LOST_H

#include <stdint.h>

#include "client/net/conn.h"
#include "common/crypt/hash.h"

struct link;
struct profile;
struct replica;

/*
 * After sync_copy() has found such a line (fork.is_restored): keeps evidence
 * and the record as it was, drops the lines that are lost, and an order that
 * waits and rests on them; says so, and brings the copy up to date.  Returns
 * what sync_copy() does, or ERR_IO with *ce filled.
 */
int lost_set_aside(struct link *l, struct replica *c, struct conn_error *ce)
    __attribute__((warn_unused_result));

/*
 * The file of the lines that line seq says are lost, new; NULL if we held
 * none.
 */
char *lost_find(
    const struct profile *p, const uint8_t id[HASH_LEN], int64_t seq);

#endif
