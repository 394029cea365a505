/* SPDX-License-Identifier: ISC */
/*
 * Secrets of 32 bytes in files of mode 0600, as 64 hex digits and a line
 * end.  Secrets never reach a log, an argument list or a core file.
 */
#ifndef UMPIRE_COMMON_CRYPT_KEYFILE_H
#define UMPIRE_COMMON_CRYPT_KEYFILE_H

#include <stdint.h>

#include "common/base/err.h"

#define KEYFILE_LEN 32

/*
 * Writes a new file of mode 0600 and syncs it and its folder.  ERR_EXISTS if
 * there is one already (it is never overwritten), ERR_IO.
 */
int keyfile_write(const char *path, const uint8_t secret[KEYFILE_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Reads a file that keyfile_write() made.  ERR_NOTFOUND, ERR_IO,
 * ERR_MALFORMED; ERR_DENIED if others than its owner may read it.
 */
int keyfile_read(const char *path, uint8_t secret[KEYFILE_LEN],
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
