/* SPDX-License-Identifier: ISC */
/*
 * What game.show has answered, kept so that it need not be made again.  The
 * state of a game follows from its record up to the last line, and is the same
 * for all who may see it; so a text is kept under the game and the number of
 * that line.  Who asks must have read that number from the database in the
 * same transaction in which it was found that the session may see the game:
 * then nothing is shown that is old, and nothing to whom it is not for.
 *
 * Each io thread has its own.  Making a text out of the snapshot on disk costs
 * many times what keeping it does; so where somebody has asked for a game since
 * its last line, the ledger, which has the game in memory, makes the text with
 * the next line, and sends it here.  That wakes nobody: what was sent waits
 * under a lock until the thread looks for a text.
 */
#ifndef UMPIRE_SERVER_RPC_SHOW_CACHE_H
#define UMPIRE_SERVER_RPC_SHOW_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

#define SHOW_CACHE_WANTED 1024 /* games that can be wanted at once */

struct show_cache;

/*
 * Makes an empty one that takes max bytes at most, all that it allocates
 * counted, and two eighths more of what was sent and not looked for. ERR_NOMEM.
 * *out is new.
 */
int show_cache_new(size_t max, struct show_cache **out)
    __attribute__((warn_unused_result));

/* Frees it; NULL is allowed. */
void show_cache_free(struct show_cache *sh);

/*
 * Finds the text of a game (store's gid) as of a line: *text is borrowed until
 * the next show_cache_put().
 */
bool show_cache_find(struct show_cache *sh, int64_t gid, int64_t seq,
    const char **text, size_t *len);

/*
 * Keeps a copy of a text in place of that of an earlier line of the game; those
 * that were not asked for the longest make way.  One that is longer than an
 * eighth of all there may be is not kept, nor any when there is no memory.
 */
void show_cache_put(struct show_cache *sh, int64_t gid, int64_t seq,
    const char *text, size_t len);

/*
 * Notes that somebody asks for the state of a game.  Of games whose gids leave
 * the same remainder by SHOW_CACHE_WANTED the last one is noted.
 */
void show_cache_want(struct show_cache *sh, int64_t gid);

/*
 * True if somebody has asked for it, and nothing was sent since.  Any thread
 * may call it.
 */
bool show_cache_is_wanted(struct show_cache *sh, int64_t gid);

/*
 * Sends a copy of a text that is wanted, to be kept; nothing is sent if it is
 * not, without memory, or while too much waits.  Any thread may call it.
 */
void show_cache_send(struct show_cache *sh, int64_t gid, int64_t seq,
    const char *text, size_t len);

/* Bytes that it takes now, without those of what waits. */
size_t show_cache_bytes(const struct show_cache *sh);

#endif
