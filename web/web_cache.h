/* SPDX-License-Identifier: ISC */
/*
 * What was made, by a key.  Bodies that were not asked for longest go first
 * when there are more bytes than the maximum.
 */
#ifndef UMPIRE_WEB_WEB_CACHE_H
#define UMPIRE_WEB_WEB_CACHE_H

#include <stddef.h>

#include "common/crypt/hash.h"

struct web_body;
struct web_cache;

/* Makes one for so many bytes. */
struct web_cache *web_cache_new(size_t max);
void web_cache_free(struct web_cache *c);

/* The body of a key, as the newest that was asked for; borrowed; NULL. */
struct web_body *web_cache_find(struct web_cache *c, const char *key);

/*
 * Keeps a body (borrowed: it gets a reference) under a key, in the place of
 * another.
 */
void web_cache_put(struct web_cache *c, const char *key, struct web_body *b);

/* Forgets all of a game: those under whose key its whole id is. */
void web_cache_drop(struct web_cache *c, const char gid[2 * HASH_LEN + 1]);

/* Bytes that are held, and how many bodies. */
size_t web_cache_bytes(const struct web_cache *c);
size_t web_cache_count(const struct web_cache *c);

#endif
