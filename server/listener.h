/* SPDX-License-Identifier: ISC */
/*
 * The listening sockets.  They take connections, count them, and hand them
 * to the io threads in turn.
 */
#ifndef UMPIRE_SERVER_LISTENER_H
#define UMPIRE_SERVER_LISTENER_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

struct event_base;
struct io;
struct listener;
struct peers;

/*
 * Binds all addresses of the list (struct conf's listen) and listens; an
 * IPv6 address on a machine without IPv6 is only warned of, if another can
 * be had.  ERR_IO with the reason, ERR_NOMEM.  *out is new.
 */
int listener_new(struct event_base *base, const char *addresses,
    struct peers *peers, struct listener **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Closes the sockets and frees; NULL is allowed. */
void listener_free(struct listener *l);

/* Begins to take connections for n io threads (borrowed).  ERR_NOMEM. */
int listener_start(struct listener *l, struct io *const ios[], size_t n)
    __attribute__((warn_unused_result));

/* Closes the sockets: no more connections are taken. */
void listener_stop(struct listener *l);

/* Logs what is listened on. */
void listener_log(const struct listener *l);

/* The sockets, and the port that the i'th is bound to. */
size_t listener_count(const struct listener *l);
uint16_t listener_port(const struct listener *l, size_t i);

#endif
