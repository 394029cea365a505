/* SPDX-License-Identifier: ISC */
/*
 * A connection to umpired: TLS 1.3, one JSON object a line (umpire-protocol.7).
 * It blocks, with a deadline on everything.  link.h judges who the server
 * is: the certificate is not looked at.
 */
#ifndef UMPIRE_CLIENT_NET_CONN_H
#define UMPIRE_CLIENT_NET_CONN_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"

#define CONN_EXPORTER_LEN 32

struct conn;

/* What went wrong with a request; conn_error_clear() frees it. */
struct conn_error {
	int r; /* ERR_*: the server's answer, or the connection's fault */
	struct errinfo e;
	bool is_answer; /* the server said it */
	json_t *data; /* owned: the error's data; NULL if none */
};

void conn_error_clear(struct conn_error *ce);

/*
 * Connects and shakes hands; each of the two within wait_ms.  ERR_NOTFOUND:
 * no such host; ERR_CLOSED: nobody answers there; ERR_BUSY: the server says
 * that it is in need; ERR_TIMEOUT, ERR_TLS, ERR_IO.  *out is new; conn_close()
 * frees it.
 */
int conn_open(const char *host, const char *port, int64_t wait_ms,
    struct conn **out, struct errinfo *e) __attribute__((warn_unused_result));

/*
 * For a program that blocks the signals by which it ends: from here on all
 * connections let them through while they wait, and wait no more, ERR_CLOSED,
 * once their handler has set this number, which stays the caller's.
 */
void conn_heed(const volatile sig_atomic_t *is_over);

/* Closes and frees; NULL is allowed. */
void conn_close(struct conn *c);

/* The exporter of RFC 9266, 32 bytes. */
const uint8_t *conn_exporter(const struct conn *c);

/*
 * Sends a request (params is stolen, NULL for none) and waits for its reply;
 * notices that come before are kept.  A request that the server refuses
 * to look at for now is sent again as soon as it may be.  0: *result is new.
 * Otherwise *ce is filled.  After anything but an answer the connection is
 * dead: ERR_CLOSED.
 */
int conn_call(struct conn *c, const char *method, json_t *params,
    json_t **result, struct conn_error *ce) __attribute__((warn_unused_result));

/*
 * True after a request that was not answered, in time or at all, or not by
 * what answers it: no further one is sent, only a new connection will do.
 */
bool conn_is_dead(const struct conn *c);

/*
 * Waits for a notice up to wait_ms (-1: without end): *params is new,
 * *method is copied.  ERR_TIMEOUT, ERR_CLOSED, ERR_MALFORMED.
 */
int conn_notice(struct conn *c, int64_t wait_ms, char method[64],
    json_t **params, struct errinfo *e) __attribute__((warn_unused_result));

/* The socket, to wait on for reading beside other things. */
int conn_fd(const struct conn *c);

/*
 * True if a line may be had without waiting, since TLS and we hold bytes that
 * the socket no longer tells of.
 */
bool conn_has_line(const struct conn *c);

/*
 * Finds out whether the server is still there: when nothing has come for twice
 * the longest wait for an answer it is asked server.hello, whose answer
 * whoever reads next takes out.  ERR_TIMEOUT if no answer came in time; after
 * that, and other failures, the connection is of no further use.
 */
int conn_check(struct conn *c, struct errinfo *e)
    __attribute__((warn_unused_result));

/* When conn_check() has something to do next, monotonic ms. */
int64_t conn_check_ms(const struct conn *c);

/* Sends bytes as they are, for tests that send what no client would. */
int conn_send(struct conn *c, const void *p, size_t n, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Takes the next line as it comes, borrowed until the next call; wait_ms as
 * in conn_notice().
 */
int conn_line(struct conn *c, int64_t wait_ms, const char **line, size_t *len,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
