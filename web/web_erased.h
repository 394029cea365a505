/* SPDX-License-Identifier: ISC */
/*
 * What people have had erased of a game: which of its texts, in which order,
 * and which lines name them.
 */
#ifndef UMPIRE_WEB_WEB_ERASED_H
#define UMPIRE_WEB_WEB_ERASED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct replica;
struct web_erased;

#define WEB_ERASED_MAX 65536 /* texts of a game that are noted */

struct web_erased *web_erased_new(void);
void web_erased_free(struct web_erased *we);

/*
 * Notes a text by its hash in hex, and its number: how many of the game were
 * erased with it, or later than it.  What is no hash, or is there, is left out.
 */
void web_erased_add(struct web_erased *we, const char *hex, int64_t number);

/* Appends what is noted, a line each, for web_erased_read(). */
void web_erased_write(const struct web_erased *we, struct buf *out);

/*
 * Notes what that has written, into an empty one; false: the bytes are no such
 * lines, and some may be noted.
 */
bool web_erased_read(struct web_erased *we, const char *p, size_t n);

/*
 * The number of the last text that lines from..to of a copy show: they name it,
 * or lines that they are about, or somebody was called that; 0: none of those
 * was erased.
 */
int64_t web_erased_of(
    struct web_erased *we, const struct replica *c, int64_t from, int64_t to);

/*
 * The first line from `from` on that names a text with a number above `since`,
 * or is about a line that does; -1: there is none.  *is_name: it is what
 * somebody is called, which stands wherever they do.
 */
int64_t web_erased_next(struct web_erased *we, const struct replica *c,
    int64_t from, int64_t since, bool *is_name);

#endif
