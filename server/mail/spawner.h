/* SPDX-License-Identifier: ISC */
/*
 * A process that is forked before there are threads, keys and a filter of
 * system calls, and the only one that starts programs: umpired-courier, again
 * when it ends.  It reads in the configuration which program that is.  The
 * daemon can only send SPAWNER_RENEW and SPAWNER_KILL, or fall silent: then the
 * process has the program finish, and ends.
 */
#ifndef UMPIRE_SERVER_MAIL_SPAWNER_H
#define UMPIRE_SERVER_MAIL_SPAWNER_H

#include <sys/types.h>

#include <stddef.h>

/* The words on the socket `control`, a byte each. */
#define SPAWNER_RENEW 'r' /* have it finish, and read the settings again */
#define SPAWNER_KILL 'k' /* kill it; another is started after a while */
#define SPAWNER_STARTED 's' /* told by the spawner: it takes jobs */
#define SPAWNER_ENDED 'e' /* likewise: it takes no more of them */

/* The daemon's end; both descriptors are its own. */
struct spawner {
	pid_t pid;
	int control;
	int wire; /* to the program: packets; it is the same for each */
};

/*
 * Forks it; the program is started with these settings, as conf_load() takes
 * them.  The caller has no memory that the process must not have.  ERR_NOMEM,
 * ERR_IO with errno.  *out is new.
 */
int spawner_new(const char *path, const char *const overrides[],
    size_t n_overrides, struct spawner **out)
    __attribute__((warn_unused_result));

/*
 * Ends it, and the program that it has started, and waits for both, but not for
 * ever: one that is stuck ends when it can.  NULL is allowed.
 */
void spawner_free(struct spawner *s);

#endif
