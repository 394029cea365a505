/* SPDX-License-Identifier: ISC */
/*
 * The lines of games, or of tournaments, on the disk, a file each: side lines,
 * and lines, in the order in which they were verified.  Those that were not
 * used for longest go first when there are more bytes than the maximum.  What
 * it holds may be lost at any time: nothing is synced, and failures are
 * ignored.
 */
#ifndef UMPIRE_WEB_WEB_STORE_H
#define UMPIRE_WEB_WEB_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"

struct buf;
struct web_store;

/* Opens a folder below another, and makes it.  New.  ERR_IO. */
int web_store_new(const char *name, const char *folder, size_t max,
    struct web_store **out, struct errinfo *e)
    __attribute__((warn_unused_result));
void web_store_free(struct web_store *s);

/* Bytes that are held of a game, which is then in use; 0: there are none. */
size_t web_store_size(struct web_store *s, const char *hex);

/* Appends all of them, up to the last whole line; returns how many. */
size_t web_store_read(struct web_store *s, const char *hex, struct buf *out);

/*
 * Appends so many of them at most, from an offset on, as they are; 0 where
 * there are no more, or they cannot be read.
 */
size_t web_store_part(struct web_store *s, const char *hex, size_t from,
    size_t most, struct buf *out);

/* The number of the last line that is held of a game; -1: not known. */
int64_t web_store_last(struct web_store *s, const char *hex);

/* Adds lines to a game's file; puts others in their place; returns its bytes.
 */
size_t web_store_add(
    struct web_store *s, const char *hex, const char *p, size_t n);
size_t web_store_put(
    struct web_store *s, const char *hex, const char *p, size_t n);

/* Removes a game's file. */
void web_store_drop(struct web_store *s, const char *hex);

/* Removes files until there are no more bytes than the maximum. */
void web_store_trim(struct web_store *s);

/* How many games begin with these digits, and the id of one of them. */
int web_store_find(
    const struct web_store *s, const char *digits, char hex[2 * HASH_LEN + 1]);

/* The ids of all that have a file, *n of them; new. */
struct web_store_id {
	char hex[2 * HASH_LEN + 1];
};
struct web_store_id *web_store_ids(const struct web_store *s, size_t *n);

/* Bytes of all files. */
size_t web_store_bytes(const struct web_store *s);

#endif
