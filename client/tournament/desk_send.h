/* SPDX-License-Identifier: ISC */
/*
 * Orders to tournaments on their way, as client/replica/send.h has those to
 * games: games/<id>.tournament-pending holds the bytes until their line stands
 * in the copy or the server has signed a refusal
 * (<id>.tournament-refusals).
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_DESK_SEND_H
#define UMPIRE_CLIENT_TOURNAMENT_DESK_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "client/replica/outbox.h"
#include "common/tournament/entry_kind.h"

struct desk_copy;
struct link;
struct profile;

/* Loads the order that waits: as outbox_load(). */
int desk_send_load(const struct desk_copy *c, struct send_pending *sp,
    struct errinfo *e) __attribute__((warn_unused_result));

/* True if an order waits. */
bool desk_send_waits(const struct desk_copy *c);

/* Drops the order that waits, if it rests on a line from number seq on. */
int desk_send_drop(const struct desk_copy *c, int64_t seq, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Makes an order on the present head, signs it and writes it down; the copy is
 * locked.  texts (borrowed, NULL: none) goes beside it.  Prints what fails; 0,
 * or an exit status.
 */
int desk_send_make(struct link *l, const struct desk_copy *c,
    enum entry_kind kind, const json_t *args, const json_t *texts)
    __attribute__((warn_unused_result));

/*
 * The same for the order that opens a tournament: *out is its copy, new, which
 * has no line yet.
 */
int desk_send_create(struct link *l, const struct profile *p,
    const json_t *terms, struct desk_copy **out)
    __attribute__((warn_unused_result));

/*
 * Sends the order until there is an answer, a few times, then brings the copy
 * up to date and checks that the order stands in it.  Prints what fails.  0:
 * it is line *seq; else an exit status: EX_DATAERR for a signed refusal,
 * EX_TEMPFAIL if there is no answer, EX_UNAVAILABLE for one that makes no
 * sense, EX_PROTOCOL with evidence on the disk.
 */
int desk_send(struct link *l, struct desk_copy *c, int64_t *seq)
    __attribute__((warn_unused_result));

#endif
