/* SPDX-License-Identifier: ISC */
/*
 * The tournaments that were asked for last, of one io thread, as their lines
 * make them.  One that has more lines by now goes on from where it was.
 */
#ifndef UMPIRE_SERVER_RPC_TOURNAMENT_CACHE_H
#define UMPIRE_SERVER_RPC_TOURNAMENT_CACHE_H

#include "common/base/err.h"

struct buf;
struct store;
struct store_tournament_row;
struct tournament;
struct tournament_cache;

/* Makes an empty one.  ERR_NOMEM. */
int tournament_cache_new(struct tournament_cache **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void tournament_cache_free(struct tournament_cache *c);

/*
 * Gives the tournament of a row as it is at line row->seq, borrowed until the
 * next call; the caller takes no line.  ERR_DAMAGED if its lines do not hold,
 * which is logged.
 */
int tournament_cache_get(struct tournament_cache *c, struct store *reader,
    const struct store_tournament_row *row, struct tournament **t,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Likewise its view as JSON, whole, borrowed likewise. */
int tournament_cache_view(struct tournament_cache *c, struct store *reader,
    const struct store_tournament_row *row, const struct buf **view,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
