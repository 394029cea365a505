/* SPDX-License-Identifier: ISC */
/*
 * Orders on their way.  An order is written to games/<id>.pending before it
 * is sent and stays there until its line stands in the copy or the server
 * has signed a refusal: whatever happens in between, the same bytes are sent
 * again, and no other order is signed for the game before that.
 */
#ifndef UMPIRE_CLIENT_REPLICA_SEND_H
#define UMPIRE_CLIENT_REPLICA_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/replica/outbox.h"
#include "common/base/err.h"

struct replica;
struct link;

/*
 * Writes an order (params as the method takes them; stolen) to the game's
 * pending file.  ERR_EXISTS if one is pending already, ERR_IO.
 */
int send_store(const struct replica *c, const char *method, json_t *params,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Loads the pending order: 0, ERR_NOTFOUND if there is none, ERR_BAD,
 * ERR_IO.  send_clear() frees it.
 */
int send_load(const struct replica *c, struct send_pending *sp,
    struct errinfo *e) __attribute__((warn_unused_result));
void send_clear(struct send_pending *sp);

/*
 * Sends the pending order until there is an answer, a few times, then brings
 * the copy up to date and checks that the order stands in it.  Prints what
 * fails.  0: recorded as line *seq; else an exit status: EX_DATAERR for a
 * signed refusal (kept in games/<id>.refusals; the order is then no longer
 * pending), EX_TEMPFAIL if there is no answer, EX_UNAVAILABLE for one that
 * makes no sense, EX_PROTOCOL with evidence on the disk.  A create order that
 * is refused takes the game's files and nickname with it.
 */
int send_deliver(struct link *l, struct replica *c, int64_t *seq)
    __attribute__((warn_unused_result));

/* Removes the pending order, which has its answer.  ERR_IO. */
int send_done(const struct replica *c, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Removes the files and the nickname of a game that was never opened. */
void send_undo(struct replica *c);

/* Warns if the time of line seq is far from this machine's. */
void send_check_clock(const struct replica *c, int64_t seq);

#endif
