/* SPDX-License-Identifier: ISC */
/*
 * `umpired --backup`: a copy of the database, beside a daemon that goes on
 * working.
 */
#ifndef UMPIRE_SERVER_BACKUP_H
#define UMPIRE_SERVER_BACKUP_H

#include "common/base/err.h"

/*
 * Copies a database into a file, which must not be there: as "<file>.new",
 * which is synced and checked and only then renamed.  Says on stdout what the
 * copy holds; and on stderr, if that is a terminal, how far it is.  SIGINT,
 * SIGTERM and SIGHUP end it in good order, and take effect when it has cleaned
 * up.  After a failure nothing of it is left.
 *
 * ERR_EXISTS if something has one of the names; ERR_BUSY while another backup
 * writes there; ERR_INVALID if file is not a name for it; ERR_CLOSED after a
 * signal by which the program did not end; ERR_IO if somebody replaces the file
 * meanwhile; ERR_BAD if the copy does not hold;
 * else as store_open_reader() and store_copy().
 */
int backup_make(const char *database, const char *file, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
