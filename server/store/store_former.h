/* SPDX-License-Identifier: ISC */
/*
 * Records of tournaments of other servers, which tournaments here continue
 * (record S21.4).  They are no tournaments of this server: nothing lists them.
 */
#ifndef UMPIRE_SERVER_STORE_STORE_FORMER_H
#define UMPIRE_SERVER_STORE_STORE_FORMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

struct store;

/* One of them. */
struct store_former_row {
	int64_t fid; /* rowid, inside the store */
	uint8_t id[HASH_LEN];
	int64_t seq; /* of the line that is continued, the last one; */
	uint8_t head[HASH_LEN]; /* its hash */
	int64_t lines; /* that are here */
	int64_t bytes; /* of these */
	bool is_good; /* they are all, and were verified */
};

/* Finds a good one by id and head.  ERR_NOTFOUND. */
int store_former_find(struct store *st, const uint8_t id[HASH_LEN],
    const uint8_t head[HASH_LEN], struct store_former_row *row)
    __attribute__((warn_unused_result));

/* Finds the one that an account brings and that is not good yet, likewise. */
int store_former_begun(struct store *st, const char *account,
    struct store_former_row *row) __attribute__((warn_unused_result));

/* Adds one, without lines, that an account brings; row->fid is set. */
int store_former_insert(struct store *st, const char *account,
    struct store_former_row *row) __attribute__((warn_unused_result));

/* Adds the next line, and stores lines, bytes and is_good of a row. */
int store_former_line(struct store *st, int64_t fid, int64_t seq,
    const char *bytes, size_t len) __attribute__((warn_unused_result));
int store_former_update(struct store *st, const struct store_former_row *row)
    __attribute__((warn_unused_result));

/* Deletes one that no tournament goes back to. */
int store_former_drop(struct store *st, int64_t fid)
    __attribute__((warn_unused_result));

/*
 * Tells of those that an account has brought and that no tournament goes back
 * to: how many there are, their bytes, and the oldest.
 */
int store_former_unused(struct store *st, const char *account, int64_t *n,
    int64_t *bytes, int64_t *oldest) __attribute__((warn_unused_result));

/* As store_tournament_each(). */
int store_former_each(struct store *st, int64_t fid, int64_t from, int64_t to,
    int (*each)(void *arg, int64_t seq, const char *bytes, size_t len),
    void *arg) __attribute__((warn_unused_result));

/* Notes that a tournament goes back to one. */
int store_former_name(struct store *st, int64_t tid, int64_t fid)
    __attribute__((warn_unused_result));

#endif
