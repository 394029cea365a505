/* SPDX-License-Identifier: ISC */
/*
 * Answering a line that waits for our side (record S6.3): a declaration that
 * is to be confirmed, or dice of a live-1 game.
 */
#ifndef UMPIRE_CLIENT_PLAY_REPLY_H
#define UMPIRE_CLIENT_PLAY_REPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/record/order.h"

struct play;

/*
 * True if our seat owes an answer; *seq is the line that waits for it and
 * *kind its order's kind.
 */
bool reply_is_owed(const struct play *pl, int64_t *seq, enum order_kind *kind);

/*
 * Answers line `to`: agrees, or objects with a reason (NULL: none).  Prints
 * what fails.  0 with the number of the answer's line, or an exit status.
 */
int reply_send(struct play *pl, int64_t to, bool is_agreed, const char *why,
    int64_t *seq) __attribute__((warn_unused_result));

#endif
