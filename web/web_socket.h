/* SPDX-License-Identifier: ISC */
/* Sockets to listen at, bound; nobody listens yet. */
#ifndef UMPIRE_WEB_WEB_SOCKET_H
#define UMPIRE_WEB_WEB_SOCKET_H

#include <sys/types.h>

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

/*
 * A local socket of that mode; one that a former process left behind is
 * replaced.  ERR_CONFIG (the path), ERR_BUSY (somebody answers), ERR_IO.
 */
int web_socket_unix(const char *path, mode_t mode, int *out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * host:port, *:port or [v6]:port; *port is the one it got.  is_shared: other
 * processes of the same user may listen there, too, if all say so.  ERR_CONFIG,
 * ERR_BUSY (somebody listens), ERR_IO.
 */
int web_socket_tcp(const char *listen, bool is_shared, int *out, uint16_t *port,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
