/* SPDX-License-Identifier: ISC */
/*
 * What a tournament goes back to, out of the records of other servers that are
 * kept (store_former.h).
 */
#ifndef UMPIRE_SERVER_STORE_KEPT_FORMER_H
#define UMPIRE_SERVER_STORE_KEPT_FORMER_H

#include <stddef.h>

#include "common/tournament/verify_former.h"
#include "server/store/store_former.h"

struct buf;
struct store;

/*
 * Finds all that something goes back to that continues c, that itself first;
 * rows has room for VERIFY_FORMER_MAX.  ERR_NOTFOUND if not all of it is here.
 */
int kept_former_find(struct store *st, const struct terms_continues *c,
    struct store_former_row *rows, size_t *n)
    __attribute__((warn_unused_result));

/* What a row continues itself.  ERR_NOTFOUND: nothing. */
int kept_former_named(struct store *st, const struct store_former_row *row,
    struct terms_continues *c) __attribute__((warn_unused_result));

/* Appends the lines of some rows, each with its LF, one row after the other. */
int kept_former_read(struct store *st, const struct store_former_row *rows,
    size_t n, struct buf *out) __attribute__((warn_unused_result));

#endif
