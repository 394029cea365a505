/* SPDX-License-Identifier: ISC */
/*
 * HTTP, by libevent's evhttp and with the fences that it lacks: connections
 * are counted, a request must be complete by a deadline and a reply read by
 * one, headers must have the form of RFC 9112, and only GET and HEAD are
 * answered.  What is replied depends on the path and the query alone, unless a
 * reader asks for too much.
 */
#ifndef UMPIRE_WEB_WEB_HTTP_H
#define UMPIRE_WEB_WEB_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "web/web_from.h"
#include "web/web_route.h"

struct event_base;
struct evhttp_request;
struct web_body;
struct web_conf;
struct web_http;

/* A request that waits for its reply. */
struct web_request {
	struct web_http *http; /* borrowed */
	struct web_conn *conn; /* borrowed: its connection */
	struct evhttp_request *req; /* borrowed until it is replied to */
	struct web_target t;
	bool is_head;
	bool takes_gzip;
	struct web_from from; /* whose it is */
	int64_t last_id; /* Last-Event-ID; -1: none; -2: it is no number */
	int64_t began_us; /* monotonic */
	/* Called if its connection ends before; it is freed then. */
	void (*gone)(void *arg);
	void *arg;
};

/* What goes with a body. */
struct web_head {
	int status;
	const char *type; /* NULL: no body */
	const char *keep; /* Cache-Control */
	enum web_csp csp;
	bool is_open; /* other sites may read it */
	bool is_noindex;
	bool takes_range; /* parts of it may be asked for */
	const char *etag; /* without quotes; NULL */
	const char *location; /* NULL */
	const char *file; /* that it may be saved as; NULL */
	int64_t retry_s; /* Retry-After; 0: none */
	int64_t refresh_s; /* Refresh; 0: none */
};

/* What a request is given to, which replies now or later, once. */
typedef void web_http_serve(void *arg, struct web_request *rq);

/* A stream of events on a connection, from web_http_stream() on. */
struct web_wire {
	struct evhttp_request *req; /* borrowed */
	struct web_conn *conn; /* borrowed */
	void (*gone)(void *arg); /* its connection has ended */
	void *arg;
};

/* Listens where the settings say; serve is given each request.  New. */
int web_http_new(struct event_base *base, const struct web_conf *conf,
    web_http_serve *serve, void *arg, struct web_http **out, struct errinfo *e)
    __attribute__((warn_unused_result));
void web_http_free(struct web_http *h);

/* Writes the port to port_file, if there is one.  ERR_IO. */
int web_http_announce(struct web_http *h, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Accepts no more. */
void web_http_stop(struct web_http *h);

/*
 * Replies, and frees rq.  body is borrowed, NULL: none; what the request says
 * of ETag, parts and HEAD is seen to here.
 */
void web_http_reply(
    struct web_request *rq, const struct web_head *head, struct web_body *body);

/*
 * Begins a stream instead, and frees rq.  w is the caller's, filled but for
 * gone and arg.
 */
void web_http_stream(struct web_request *rq, struct web_wire *w);

/*
 * Sends to it.  False: it does not read, and was cut off; w->gone was called.
 */
bool web_http_send(struct web_wire *w, const char *p, size_t n);

/* Bytes of a stream that were not taken yet. */
size_t web_http_pending(const struct web_wire *w);

/* Cuts a stream off that does not read; w->gone is called. */
void web_http_cut(struct web_wire *w);

/* Ends a stream; w is not used any more. */
void web_http_end(struct web_wire *w);

/* Its target, as it came; borrowed from it. */
const char *web_http_uri(const struct web_request *rq);

/*
 * Counts a request against what its reader may ask for: 0, or after how many
 * seconds there is room for it again.
 */
int64_t web_http_late_s(const struct web_request *rq);

/* The Content-Security-Policy of /verify; s is borrowed for good. */
void web_http_verify_csp(struct web_http *h, const char *s);

/* Counts for /metrics. */
struct web_http_counts {
	int64_t connections; /* now */
	int64_t accepted;
	int64_t turned_away; /* too many connections */
	int64_t requests;
	int64_t refused; /* 400 */
	int64_t limited; /* 429 */
	int64_t late; /* cut off by a deadline */
	int64_t dropped; /* streams that did not read */
	int64_t status[6]; /* replies 1xx .. 5xx */
	int64_t slowest_us; /* since it was read last */
};
struct web_http_counts *web_http_counts(struct web_http *h);

#endif
