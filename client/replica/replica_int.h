/* SPDX-License-Identifier: ISC */
/* What the parts of a copy share: lines (replica.c), side lines. */
#ifndef UMPIRE_CLIENT_REPLICA_REPLICA_INT_H
#define UMPIRE_CLIENT_REPLICA_REPLICA_INT_H

#include "client/replica/replica.h"

/* Appends a line with LF. */
void replica_put_line(struct buf *b, const char *line, size_t len);

/*
 * Notes where and why the server's record does not continue the copy; there is
 * the hash that it gives, or NULL.  Returns ERR_FORK.
 */
int replica_forked(struct replica *c, enum replica_what what, int64_t seq,
    const uint8_t *there, const char *why, struct errinfo *e);

/*
 * Ends what was read of a file at the last line that was taken: half a line is
 * what a crash left, and it is written again in full.
 */
int replica_end_file(const struct replica *c, const char *suffix, struct buf *b,
    size_t end, int r, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Notes the side line that begins at `at` in c->side, whose form was checked;
 * false if it says nothing new.
 */
bool replica_note_side(struct replica *c, size_t at);

/* Checks a side line, and gives it to the verifier if it is a blob. */
int replica_check_side(struct replica *c, const char *line, size_t len,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Takes in the side lines that were read, from byte `at` on; if r says that
 * something failed, it forgets them.
 */
int replica_take_sides(struct replica *c, size_t at, int r, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Adds a side line that was checked; false if it says nothing new. */
bool replica_put_side(struct replica *c, const char *line, size_t len);

#endif
