/* SPDX-License-Identifier: ISC */
/*
 * The listening sockets, from which the io threads take connections and count
 * them.
 */
#ifndef UMPIRE_SERVER_RPC_LISTENER_H
#define UMPIRE_SERVER_RPC_LISTENER_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct io;
struct listener;
struct limits;

/*
 * Binds all addresses of the list (struct conf's listen) and listens; an
 * IPv6 address on a machine without IPv6 is only warned of, if another can
 * be had.  ERR_IO with the reason, ERR_NOMEM.  *out is new.
 */
int listener_new(const char *addresses, struct limits *limits,
    struct listener **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* As listener_stop(), and frees; NULL is allowed. */
void listener_free(struct listener *l);

/*
 * Has n io threads (borrowed) take connections.  Their loops must run.
 * ERR_NOMEM: some may take them already.
 */
int listener_start(struct listener *l, struct io *const ios[], size_t n)
    __attribute__((warn_unused_result));

/*
 * Closes the sockets: no more connections are taken.  The loops of the threads
 * that do must run still; the second time it does nothing.
 */
void listener_stop(struct listener *l);

/* Logs what is listened on. */
void listener_log(const struct listener *l);

/* The sockets, and the port that the i'th is bound to. */
size_t listener_count(const struct listener *l);
uint16_t listener_port(const struct listener *l, size_t i);

#endif
