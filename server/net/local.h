/* SPDX-License-Identifier: ISC */
/*
 * A local socket: bound where the settings say, and who is at its other end by
 * the word of the kernel (SO_PEERCRED).
 */
#ifndef UMPIRE_SERVER_NET_LOCAL_H
#define UMPIRE_SERVER_NET_LOCAL_H

#include <sys/types.h>

#include <stdbool.h>

#include "common/base/err.h"

struct local {
	int fd; /* listens, and does not block; -1: none */
	char *path; /* owned */
	dev_t dev; /* of the socket's file */
	ino_t ino;
};

struct local_peer {
	uid_t uid;
	pid_t pid;
};

/*
 * Binds a socket and listens.  One that a daemon left behind, at which nobody
 * answers, is replaced; whatever else is there is left alone.  Its mode is
 * 0666 if everybody may connect, else 0600.  ERR_TOOBIG (the path), ERR_BUSY
 * (somebody answers), ERR_EXISTS (no socket), ERR_IO, ERR_NOMEM.
 */
int local_bind(struct local *l, const char *path, bool is_open,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Ends it, and removes its file if that is still ours. */
void local_close(struct local *l);

/* Who has connected.  ERR_IO. */
int local_peer(int fd, struct local_peer *out)
    __attribute__((warn_unused_result));

#endif
