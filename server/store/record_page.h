/* SPDX-License-Identifier: ISC */
/*
 * Lines of a record and the side lines that they name, as JSON text for
 * replies and notices, no more than fits into one.
 */
#ifndef UMPIRE_SERVER_STORE_RECORD_PAGE_H
#define UMPIRE_SERVER_STORE_RECORD_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"

struct store;

/* What record_page_read() gives; record_page_clear() frees it. */
struct record_page {
	struct buf lines; /* JSON strings of the lines, parted by commas */
	struct buf side; /* likewise the side lines; empty if not asked */
	struct buf omitted; /* likewise hashes of blobs that did not fit */
	int64_t next; /* number after the last line that was read */
};

/* Makes it empty. */
void record_page_init(struct record_page *ln);

/* Frees what it holds. */
void record_page_clear(struct record_page *ln);

/*
 * Reads lines from .. to (both included) of the game with that rowid, as
 * many as fit into a message of RPC_REPLY_MAX bytes beside a few hundred
 * others; at least one, if there is one.  sides: whose side lines are given
 * too (access.h); 0: none at all.  A text of another side is as if it were not
 * there.  ERR_STORAGE, ERR_NOMEM.
 */
int record_page_read(struct store *st, int64_t gid, int64_t from, int64_t to,
    unsigned sides, struct record_page *ln) __attribute__((warn_unused_result));

/* The same of a tournament; texts and blobs are for all who may see it. */
int record_page_read_tournament(struct store *st, int64_t tid, int64_t from,
    int64_t to, bool with_side, struct record_page *ln)
    __attribute__((warn_unused_result));

/* Of one that tournaments here continue; it has no side lines. */
int record_page_read_former(struct store *st, int64_t fid, int64_t from,
    int64_t to, struct record_page *ln) __attribute__((warn_unused_result));

/* Appends the member "side", if that is wanted, and "omitted" if not empty. */
void record_page_write_side(
    const struct record_page *ln, bool with_side, struct buf *out);

#endif
