/* SPDX-License-Identifier: ISC */
/*
 * What the running process may ask of the system: its sockets, its folder, and
 * no programs.  It cannot be taken off again.
 */
#ifndef UMPIRE_WEB_WEB_SANDBOX_H
#define UMPIRE_WEB_WEB_SANDBOX_H

#include "common/base/err.h"
#include "web/web_conf.h"

/*
 * Gives up all files but those in the folder, and all system calls that are
 * not in the list.  What the system does not have is warned of in the log.
 * ERR_INTERNAL.
 */
int web_sandbox_enter(enum web_conf_sandbox how, const char *folder,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same for the painter (web_painter), and what it starts: no file can be
 * written, none read but the system's own and the program, and there are no new
 * sockets.
 */
int web_sandbox_enter_painter(enum web_conf_sandbox how, const char *program,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * The same for the checker (web_checker): it can write no file, read only those
 * of the folder, and there are no new sockets.
 */
int web_sandbox_enter_checker(enum web_conf_sandbox how, const char *folder,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
