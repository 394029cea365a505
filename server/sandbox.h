/* SPDX-License-Identifier: ISC */
/*
 * What the running daemon may ask of the system: the calls that it makes, and
 * no other.  A filter cannot be taken off again.
 */
#ifndef UMPIRE_SERVER_SANDBOX_H
#define UMPIRE_SERVER_SANDBOX_H

#include <stdbool.h>

#include "common/base/err.h"

/*
 * Irrevocably sets no_new_privs: programs that are started gain no privileges
 * by set-user-ID and the like.  ERR_INTERNAL, with errno.
 */
int sandbox_give_up(void) __attribute__((warn_unused_result));

/*
 * Keeps this thread, and those that it makes, away from all other processes,
 * even of the same user: they can neither be traced nor their memory read or
 * written.  Nor can it execute files, or make any but plain ones.  After
 * sandbox_give_up().  ERR_NOTFOUND: the system has no Landlock; ERR_INTERNAL;
 * both with e.
 */
int sandbox_part(struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Puts all threads, and those to come, under the filter.  Other calls fail
 * with EPERM or, if is_deadly, end the process by SIGSYS; the kernel's log
 * has either.  After sandbox_give_up().  ERR_NOTFOUND: the system or the
 * program has no filters; ERR_NOMEM, ERR_INTERNAL; all with e.
 */
int sandbox_enter(bool is_deadly, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
