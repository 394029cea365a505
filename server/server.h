/* SPDX-License-Identifier: ISC */
/*
 * The daemon as an object: keys, ledger, io threads and listener, started
 * and stopped in their order.  There is no other state in the program, so
 * that several can run in one process.
 */
#ifndef UMPIRE_SERVER_SERVER_H
#define UMPIRE_SERVER_SERVER_H

#include <stdint.h>

#include "common/base/err.h"

struct admin;
struct conf;
struct event_base;
struct presence;
struct server;
struct spawner;

/*
 * Reads the keys and the certificate, binds the addresses, opens the
 * database and starts the threads; it does not take connections yet.  conf
 * and spawner are borrowed and must outlive the server; without a spawner
 * (NULL) no courier can run.  SIGPIPE must be ignored.  What
 * fails is told in e: ERR_CONFIG, ERR_NOTFOUND, ERR_DENIED, ERR_BUSY, ERR_IO,
 * ERR_STORAGE, ERR_NOMEM.  *out is new.
 */
int server_new(const struct conf *conf, struct spawner *spawner,
    struct server **out, struct errinfo *e) __attribute__((warn_unused_result));

/* Frees a server that is not running; NULL is allowed. */
void server_free(struct server *sv);

/*
 * Has it answer on the operator's socket, which is borrowed and must outlive
 * the server; before server_run().  ERR_NOMEM.
 */
int server_admit(struct server *sv, struct admin *admin, struct errinfo *e)
    __attribute__((warn_unused_result));

/* The loop of the thread that runs it, for signals. */
struct event_base *server_base(struct server *sv);

/*
 * Takes connections until server_stop(); before the first one, `begin` is
 * called, when all is open that a running server needs: 0, or an ERR_* with e
 * that ends it.  It may be NULL.  0 after an orderly stop; ERR_IO or
 * ERR_STORAGE if the ledger failed; ERR_* with e if it could not begin.
 */
int server_run(struct server *sv, int (*begin)(void *arg, struct errinfo *e),
    void *arg, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Takes no more connections or requests, answers what is in hand, and ends
 * server_run().  Any thread may call it, any number of times.
 */
void server_stop(struct server *sv);

/*
 * Puts other settings and the certificate into force without dropping
 * anybody; what needs a restart is logged and left alone.  conf is only
 * borrowed for the call.  Only for the thread that runs the server.
 */
void server_reload(struct server *sv, const struct conf *conf);

/* Who is connected; borrowed, for any thread. */
struct presence *server_presence(const struct server *sv);

/* The port of the first address. */
uint16_t server_port(const struct server *sv);

#endif
