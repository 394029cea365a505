/* SPDX-License-Identifier: ISC */
/*
 * The connection to the umpire: TLS 1.3, one JSON object a line, without a
 * login (umpire-protocol.7).  It never blocks.  The server must prove that
 * the identity key is its own, and that must be the one that is pinned.
 * When the connection ends another is made, later each time.
 */
#ifndef UMPIRE_WEB_WEB_LINK_H
#define UMPIRE_WEB_WEB_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/sign.h"

struct event_base;
struct web_link;

/* What is told of the connection. */
struct web_link_calls {
	void *arg; /* given to each */
	/* It stands: the server has proved who it is. */
	void (*up)(void *arg);
	/* It has ended, or could not be made; why is for the log. */
	void (*down)(void *arg, const struct errinfo *why);
	/* A notice; params is borrowed. */
	void (*notice)(void *arg, const char *method, const json_t *params);
};

/*
 * What a request comes to: r is 0 and result (borrowed) is there, or r is the
 * server's answer, or ERR_CLOSED or ERR_TIMEOUT without one.
 */
typedef void web_link_answer(void *arg, int r, const json_t *result);

/*
 * Begins to connect to host and port; pin is the server's key, NULL if any
 * will do, which is then the one from now on.  New.  ERR_TLS, ERR_NOMEM.
 */
int web_link_new(struct event_base *base, const char *host, const char *port,
    const uint8_t *pin, const struct web_link_calls *calls,
    struct web_link **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Begins to make another connection to the same server as l, which has been
 * up and must be freed after it.  New.  ERR_TLS, ERR_NOMEM.
 */
int web_link_another(struct web_link *l, const struct web_link_calls *calls,
    struct web_link **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Makes no attempt any more, once it has ended. */
void web_link_stop(struct web_link *l);

/* Frees it; requests that wait are answered before.  NULL is allowed. */
void web_link_free(struct web_link *l);

/* True while the connection stands. */
bool web_link_is_up(const struct web_link *l);

/* Since when it does not, monotonic ms; 0: it stands. */
int64_t web_link_down_ms(const struct web_link *l);

/* The server's key, borrowed; NULL before it was told and none is pinned. */
const uint8_t *web_link_key(const struct web_link *l);

/*
 * Sends a request (params is stolen, NULL for none).  It is answered later in
 * any case, once, ERR_CLOSED if there is no connection.
 */
void web_link_call(struct web_link *l, const char *method, json_t *params,
    web_link_answer *answer, void *arg);

/* An answer that nobody waits for. */
void web_link_none(void *arg, int r, const json_t *result);

#endif
