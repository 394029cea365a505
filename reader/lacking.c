/* SPDX-License-Identifier: ISC */
/*
 * What libraries ask of a system and a page has not: files, arguments, an
 * environment, users.  Each call says so here, so that the page gives no more
 * than a clock, a place for messages and an end (page.js).
 *
 * The names are those of WASI's calls as wasi-libc imports them; what is
 * defined here is not imported.
 */
#include <errno.h>
#include <stdint.h>

#define LACKING_BADF 8 /* WASI's errno: bad file descriptor */
#define LACKING_NOSYS 52 /* and: not supported */

#define LACKING(name, code, ...)                                       \
	int32_t __imported_wasi_snapshot_preview1_##name(__VA_ARGS__); \
	int32_t __imported_wasi_snapshot_preview1_##name(__VA_ARGS__)  \
	{                                                              \
		return (code);                                         \
	}

/* Unnamed parameters are what C23 has, and clang takes already. */
#pragma clang diagnostic ignored "-Wc2x-extensions"

LACKING(fd_close, LACKING_BADF, int32_t)
LACKING(fd_fdstat_get, LACKING_BADF, int32_t, int32_t)
LACKING(fd_fdstat_set_flags, LACKING_BADF, int32_t, int32_t)
LACKING(fd_filestat_get, LACKING_BADF, int32_t, int32_t)
LACKING(fd_prestat_get, LACKING_BADF, int32_t, int32_t)
LACKING(fd_prestat_dir_name, LACKING_BADF, int32_t, int32_t, int32_t)
LACKING(fd_read, LACKING_BADF, int32_t, int32_t, int32_t, int32_t)
LACKING(fd_readdir, LACKING_BADF, int32_t, int32_t, int32_t, int64_t, int32_t)
LACKING(fd_seek, LACKING_BADF, int32_t, int64_t, int32_t, int32_t)
LACKING(path_filestat_get, LACKING_NOSYS, int32_t, int32_t, int32_t, int32_t,
    int32_t)
LACKING(path_open, LACKING_NOSYS, int32_t, int32_t, int32_t, int32_t, int32_t,
    int64_t, int64_t, int32_t, int32_t)

/* There are none of these, and to say so is no error. */
static int32_t
lacking_none(uint32_t *count, uint32_t *bytes)
{
	*count = 0;
	*bytes = 0;
	return (0);
}

int32_t __imported_wasi_snapshot_preview1_environ_sizes_get(
    int32_t count, int32_t bytes);
int32_t __imported_wasi_snapshot_preview1_environ_get(int32_t, int32_t);

int32_t
__imported_wasi_snapshot_preview1_environ_sizes_get(
    int32_t count, int32_t bytes)
{
	return (lacking_none(
	    (uint32_t *)(uintptr_t)count, (uint32_t *)(uintptr_t)bytes));
}

int32_t
__imported_wasi_snapshot_preview1_environ_get(int32_t list, int32_t bytes)
{
	(void)list;
	(void)bytes;
	return (0);
}

/* OpenSSL's users, too (openssl.conf): nobody in particular. */
int getpagesize(void);

int
getpagesize(void)
{
	return (65536);
}
