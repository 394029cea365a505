/* SPDX-License-Identifier: ISC */
/*
 * A process that is forked before there are threads, keys and a filter of
 * system calls, and which alone starts programs: umpired-courier, with the
 * settings of the configuration file, which it reads itself.  The daemon can
 * say when, not what.  It ends when the daemon does.
 */
#ifndef UMPIRE_SERVER_MAIL_SPAWNER_H
#define UMPIRE_SERVER_MAIL_SPAWNER_H

#include <sys/types.h>

#include "common/base/err.h"

struct conf;
struct spawner;

/*
 * Forks it, with these settings; load reads them again, as conf_load() does,
 * in the new process.  The caller has no memory that the process must not
 * have.  ERR_NOMEM, ERR_IO.  *out is new.
 */
int spawner_new(const struct conf *conf,
    int (*load)(void *arg, struct conf **out, struct errinfo *e), void *arg,
    struct spawner **out) __attribute__((warn_unused_result));

/*
 * Ends it, and the program that it has started, and waits for both, but not for
 * ever: one that is stuck ends when it can.  NULL is allowed.
 */
void spawner_free(struct spawner *s);

/*
 * The path of the program that these settings name: beside our own if they
 * name none.  ERR_NOMEM; ERR_CONFIG: our own is not to be found, so that they
 * must.  *out is new.
 */
int starter_find(const struct conf *conf, char **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The process. */
pid_t starter_pid(const struct spawner *s);

/* A descriptor that is readable when starter_take() has something to say. */
int starter_fd(const struct spawner *s);

/*
 * Starts the program: 0, with its number and with a socket that is its
 * standard input and on which its settings have been written; or an errno.
 * EBUSY: another runs still.  EMFILE: we have no descriptor left for the
 * socket; the program was started, and ends because it finds nobody.
 */
int spawner_start(struct spawner *s, pid_t *pid, int *fd)
    __attribute__((warn_unused_result));

/*
 * Whether the program has ended: 0, with its status as waitpid(2) has it;
 * ERR_PENDING; ERR_CLOSED: the starter itself is gone, for good.
 */
int starter_take(struct spawner *s, int *status)
    __attribute__((warn_unused_result));

/* Kills the program, if it runs; its end is told as any other. */
void starter_kill(struct spawner *s);

/* Has the settings read again, for the programs that are started from now. */
void starter_reload(struct spawner *s);

#endif
