/* SPDX-License-Identifier: ISC */
/* Files of the client: read whole, replaced atomically, appended and synced. */
#ifndef UMPIRE_CLIENT_PROFILE_FILE_H
#define UMPIRE_CLIENT_PROFILE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"

struct buf;

/*
 * As file_read(), of an ordinary file only: a pipe that nobody writes to is not
 * waited for.  ERR_BAD, too.
 */
int file_read_regular(const char *path, size_t max, struct buf *out,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Appends the bytes of a file of at most max bytes; "-" is standard input.
 * ERR_NOTFOUND, ERR_IO, ERR_TOOBIG, with the path in e.
 */
int file_read(const char *path, size_t max, struct buf *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The same from byte `from` on; ERR_BAD if it ends before. */
int file_read_from(const char *path, size_t from, size_t max, struct buf *out,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Replaces a file's content: a new file beside it, synced, renamed over it,
 * the folder synced.  mode is a new file's.  ERR_IO; the old one then stays.
 */
int file_write(const char *path, const void *p, size_t n, unsigned mode,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Overwrites bytes of a file, from byte `at` on, and syncs.  ERR_IO. */
int file_patch(const char *path, size_t at, const void *p, size_t n,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Appends to a file (made with mode 0600 if needed) and syncs.  ERR_IO. */
int file_append(const char *path, const void *p, size_t n, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Appends to a file (made with mode 0600 if needed) bytes that may get lost:
 * nothing is synced, and failures are ignored.
 */
void file_jot(const char *path, const void *p, size_t n);

/*
 * Replaces a file's content (mode 0600) by bytes that may get lost or be torn
 * by a crash: nothing is synced, and failures are ignored.
 */
void file_cache(const char *path, const void *p, size_t n);

/* Makes a folder and those above it, mode 0700.  ERR_IO. */
int file_make_dirs(const char *path, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Removes a file and syncs its folder; one that is not there is no error. */
int file_remove(const char *path, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True if the path exists. */
bool file_exists(const char *path);

/* True if the path is that of a folder. */
bool file_is_folder(const char *path);

/*
 * Takes an exclusive lock on a file (made if needed), waiting for another
 * process up to 30 seconds; close *fd to give it up.  ERR_BUSY, ERR_IO.
 */
int file_lock(const char *path, int *fd, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * As file_lock(), without waiting.  The holder may remove the file before it
 * closes *fd.
 */
int file_lock_now(const char *path, int *fd, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
