/* SPDX-License-Identifier: ISC */
#include "web/web_http.h"

#include <sys/queue.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "server/base/log.h"
#include "web/web_body.h"
#include "web/web_conf.h"
#include "web/web_fence.h"
#include "web/web_rate.h"
#include "web/web_socket.h"

#define WEB_HTTP_BACKLOG 4096
#define WEB_HTTP_HEADERS 8192 /* bytes */
#define WEB_HTTP_AHEAD 16384 /* bytes that are read before it has its reply */
#define WEB_HTTP_LAG 65536 /* bytes that a stream may leave unread */
#define WEB_HTTP_SWEEP_MS 100 /* deadlines are looked at so often */

/* What a connection must do by its deadline. */
enum web_due {
	WEB_DUE_HEADERS, /* complete a request */
	WEB_DUE_NOTHING, /* its request waits, or it is a stream */
	WEB_DUE_READ, /* read its reply */
};

/* A connection. */
struct web_conn {
	TAILQ_ENTRY(web_conn) all;
	struct web_http *http; /* borrowed */
	struct bufferevent *bev; /* evhttp's */
	struct evhttp_connection *evcon; /* evhttp's; NULL: just accepted */
	struct web_request *rq; /* that it waits for; NULL */
	struct web_wire *wire; /* that it is; NULL */
	struct web_fence fence;
	int fd;
	bool has_peer; /* the two that follow are known */
	bool is_proxy;
	struct web_from peer;
	enum web_due due;
	int64_t due_ms; /* monotonic */
};

TAILQ_HEAD(web_conns, web_conn);

struct web_http {
	struct event_base *base; /* borrowed */
	const struct web_conf *conf; /* borrowed */
	struct evhttp *evhttp; /* owned */
	struct evconnlistener *listener; /* evhttp's */
	struct event *fresh; /* owned: there are new connections */
	struct event *sweep; /* owned */
	struct web_conns conns;
	struct web_conns news; /* just accepted */
	struct web_conn **by_fd; /* owned: n_fd of them; NULL: no connection */
	size_t n_fd;
	web_http_serve *serve;
	void *arg;
	struct web_rate *rate; /* owned */
	const char *verify_csp; /* borrowed */
	struct buf lines; /* headers of the reply that is being made */
	char *unix_path; /* owned; NULL */
	uint16_t port;
	struct web_http_counts counts;
};

/* Bytes have come: they are looked at before evhttp takes them apart. */
static void
web_http_bytes_cb(
    struct evbuffer *in, const struct evbuffer_cb_info *info, void *arg)
{
	struct web_conn *cn = arg;
	unsigned char chunk[4096];
	struct evbuffer_ptr at;
	size_t n = info->n_added, from;
	ev_ssize_t got;

	if (n == 0)
		return;
	/* It is not read from before it has its reply: another request. */
	if (cn->due == WEB_DUE_READ) {
		cn->due = WEB_DUE_HEADERS;
		cn->due_ms = clock_mono_ms() + cn->http->conf->header_ms;
	}
	from = evbuffer_get_length(in) - n;
	while (
	    n > 0 && evbuffer_ptr_set(in, &at, from, EVBUFFER_PTR_SET) == 0) {
		got = evbuffer_copyout_from(
		    in, &at, chunk, n < sizeof(chunk) ? n : sizeof(chunk));
		if (got <= 0)
			break;
		web_fence_take(&cn->fence, chunk, (size_t)got);
		from += (size_t)got;
		n -= (size_t)got;
	}
}

/* A connection has ended. */
static void
web_http_closed_cb(struct evhttp_connection *evcon, void *arg)
{
	struct web_conn *cn = arg;
	struct web_request *rq = cn->rq;
	struct web_wire *w = cn->wire;

	(void)evcon;
	cn->rq = NULL;
	cn->wire = NULL;
	if (rq != NULL) {
		if (rq->gone != NULL)
			rq->gone(rq->arg);
		/* evhttp leaves one that was not replied to, to us. */
		if (evhttp_request_get_connection(rq->req) == NULL)
			evhttp_request_free(rq->req);
		free(rq);
	}
	if (w != NULL) {
		if (evhttp_request_get_connection(w->req) == NULL)
			evhttp_request_free(w->req);
		w->gone(w->arg);
	}
	cn->http->by_fd[cn->fd] = NULL;
	TAILQ_REMOVE(&cn->http->conns, cn, all);
	cn->http->counts.connections--;
	free(cn);
}

/* Makes room for a descriptor in the table, and notes its connection. */
static void
web_http_note(struct web_http *h, struct web_conn *cn)
{
	size_t n = h->n_fd == 0 ? 256 : h->n_fd;

	cn->fd = bufferevent_getfd(cn->bev);
	while (n <= (size_t)cn->fd)
		n *= 2;
	if (n > h->n_fd) {
		h->by_fd = realloc(h->by_fd, n * sizeof(*h->by_fd));
		if (h->by_fd == NULL)
			xalloc_die();
		memset(
		    h->by_fd + h->n_fd, 0, (n - h->n_fd) * sizeof(*h->by_fd));
		h->n_fd = n;
	}
	h->by_fd[cn->fd] = cn;
}

/*
 * Takes hold of new connections: evhttp tells of a connection when it has a
 * request, and a slow one may never have any.
 */
static void
web_http_fresh_cb(evutil_socket_t fd, short what, void *arg)
{
	struct web_http *h = arg;
	struct web_conn *cn;
	void *evcon;

	(void)fd;
	(void)what;
	while ((cn = TAILQ_FIRST(&h->news)) != NULL) {
		TAILQ_REMOVE(&h->news, cn, all);
		TAILQ_INSERT_TAIL(&h->conns, cn, all);
		bufferevent_getcb(cn->bev, NULL, NULL, NULL, &evcon);
		cn->evcon = evcon;
		web_http_note(h, cn);
		evhttp_connection_set_closecb(
		    cn->evcon, web_http_closed_cb, cn);
		if (h->counts.connections > h->conf->max_connections) {
			h->counts.turned_away++;
			evhttp_connection_free(cn->evcon);
		}
	}
}

/* Makes the bufferevent of a connection that is being accepted. */
static struct bufferevent *
web_http_bev_cb(struct event_base *base, void *arg)
{
	struct web_http *h = arg;
	struct web_conn *cn = xalloc(sizeof(*cn));

	cn->http = h;
	cn->due = WEB_DUE_HEADERS;
	cn->due_ms = clock_mono_ms() + h->conf->header_ms;
	cn->bev = bufferevent_socket_new(base, -1, BEV_OPT_CLOSE_ON_FREE);
	if (cn->bev == NULL ||
	    evbuffer_add_cb(
		bufferevent_get_input(cn->bev), web_http_bytes_cb, cn) == NULL)
		xalloc_die();
	/* Nothing else bounds what is pushed into a stream. */
	bufferevent_setwatermark(cn->bev, EV_READ, 0, WEB_HTTP_AHEAD);
	web_fence_init(&cn->fence);
	TAILQ_INSERT_TAIL(&h->news, cn, all);
	h->counts.connections++;
	h->counts.accepted++;
	event_active(h->fresh, EV_TIMEOUT, 0);
	return (cn->bev);
}

/* The connection of a request. */
static struct web_conn *
web_http_conn(struct web_http *h, struct evhttp_request *req)
{
	struct evhttp_connection *evcon = evhttp_request_get_connection(req);

	web_http_fresh_cb(-1, 0, h);
	return (h->by_fd[bufferevent_getfd(
	    evhttp_connection_get_bufferevent(evcon))]);
}

/* Ends what is late. */
static void
web_http_sweep_cb(evutil_socket_t fd, short what, void *arg)
{
	const int64_t now_ms = clock_mono_ms();
	struct web_http *h = arg;
	struct web_conn *cn, *next;

	(void)fd;
	(void)what;
	for (cn = TAILQ_FIRST(&h->conns); cn != NULL; cn = next) {
		next = TAILQ_NEXT(cn, all);
		if (cn->due == WEB_DUE_NOTHING || cn->due_ms > now_ms)
			continue;
		/* The reply was read; idle_s bounds how long it may wait. */
		if (cn->due == WEB_DUE_READ &&
		    evbuffer_get_length(bufferevent_get_output(cn->bev)) == 0)
			continue;
		h->counts.late++;
		evhttp_connection_free(cn->evcon);
	}
}

/* Notes whose a request is, by its connection. */
static void
web_http_from(struct web_request *rq)
{
	struct web_conn *cn = rq->conn;

	if (!cn->has_peer) {
		cn->has_peer = true;
		cn->is_proxy = web_from_peer(
		    cn->fd, &rq->http->conf->proxy_nets, &cn->peer);
	}
	rq->from = cn->peer;
}

/* Reads what the headers say; false if they are not of the form. */
static bool
web_http_headers(struct web_request *rq)
{
	const struct evkeyvalq *headers =
	    evhttp_request_get_input_headers(rq->req);
	const struct web_conf *conf = rq->http->conf;
	const bool asks_proxy =
	    rq->conn->is_proxy && conf->address_header[0] != '\0';
	const struct evkeyval *kv;
	int hosts = 0;

	rq->last_id = -1;
	TAILQ_FOREACH(kv, headers, next)
	{
		if (strcasecmp(kv->key, "host") == 0) {
			hosts++;
			if (kv->value[0] == '\0')
				return (false);
		} else if (strcasecmp(kv->key, "accept-encoding") == 0) {
			rq->takes_gzip = web_fence_takes_gzip(kv->value);
		} else if (strcasecmp(kv->key, "last-event-id") == 0) {
			rq->last_id = web_fence_last_id(kv->value);
		} else if (asks_proxy &&
		    strcasecmp(kv->key, conf->address_header) == 0) {
			/* The last is what the proxy has added. */
			web_from_header(
			    kv->value, &conf->proxy_nets, &rq->from);
		} else if (strcasecmp(kv->key, "content-length") == 0) {
			if (strcmp(kv->value, "0") != 0)
				return (false);
		} else if (strcasecmp(kv->key, "transfer-encoding") == 0) {
			return (false);
		}
	}
	return (hosts == 1);
}

/* Replies with a sentence, and ends the connection. */
static void
web_http_refuse(struct web_request *rq, int status, const char *why)
{
	const struct web_head head = {.status = status,
	    .type = "text/plain; charset=utf-8",
	    .keep = "no-store",
	    .csp = WEB_CSP_DATA};
	struct web_body *body;
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "%s\n", why);
	body = web_body_plain(&b);
	if (status == 405)
		(void)evhttp_add_header(
		    evhttp_request_get_output_headers(rq->req), "Allow",
		    "GET, HEAD");
	(void)evhttp_add_header(
	    evhttp_request_get_output_headers(rq->req), "Connection", "close");
	rq->http->counts.refused++;
	web_http_reply(rq, &head, body);
	web_body_unref(body);
}

/* A request is complete. */
static void
web_http_request_cb(struct evhttp_request *req, void *arg)
{
	const enum evhttp_cmd_type how = evhttp_request_get_command(req);
	struct web_http *h = arg;
	struct web_request *rq = xalloc(sizeof(*rq));

	rq->http = h;
	rq->req = req;
	rq->conn = web_http_conn(h, req);
	rq->conn->rq = rq;
	rq->conn->due = WEB_DUE_NOTHING;
	rq->is_head = how == EVHTTP_REQ_HEAD;
	rq->began_us = clock_mono_us();
	web_http_from(rq);
	h->counts.requests++;
	if (how != EVHTTP_REQ_GET && how != EVHTTP_REQ_HEAD)
		web_http_refuse(rq, 405, "Only GET and HEAD are answered.");
	else if (web_fence_is_bad(&rq->conn->fence) || !web_http_headers(rq) ||
	    web_route_read(evhttp_request_get_uri(req), &rq->t) != 0)
		web_http_refuse(rq, 400, "This is no request of HTTP.");
	else
		h->serve(h->arg, rq);
}

int
web_http_new(struct event_base *base, const struct web_conf *conf,
    web_http_serve *serve, void *arg, struct web_http **out, struct errinfo *e)
{
	const struct timeval often = {.tv_usec = WEB_HTTP_SWEEP_MS * 1000};
	struct web_http *h = xalloc(sizeof(*h));
	int fd = -1, r;

	h->base = base;
	h->conf = conf;
	h->serve = serve;
	h->arg = arg;
	h->rate = web_rate_new(conf->address_rate, conf->address_burst);
	buf_init(&h->lines, 0);
	TAILQ_INIT(&h->conns);
	TAILQ_INIT(&h->news);
	h->fresh = event_new(base, -1, 0, web_http_fresh_cb, h);
	h->sweep = event_new(base, -1, EV_PERSIST, web_http_sweep_cb, h);
	h->evhttp = evhttp_new(base);
	if (h->fresh == NULL || h->sweep == NULL || h->evhttp == NULL ||
	    event_add(h->sweep, &often) != 0)
		xalloc_die();
	evhttp_set_timeout(h->evhttp, (int)conf->idle_s);
	evhttp_set_max_headers_size(h->evhttp, WEB_HTTP_HEADERS);
	evhttp_set_max_body_size(h->evhttp, 0);
	evhttp_set_allowed_methods(h->evhttp,
	    EVHTTP_REQ_GET | EVHTTP_REQ_HEAD | EVHTTP_REQ_POST |
		EVHTTP_REQ_PUT | EVHTTP_REQ_DELETE | EVHTTP_REQ_OPTIONS |
		EVHTTP_REQ_TRACE | EVHTTP_REQ_PATCH);
	evhttp_set_default_content_type(h->evhttp, NULL);
	evhttp_set_bevcb(h->evhttp, web_http_bev_cb, h);
	evhttp_set_gencb(h->evhttp, web_http_request_cb, h);
	if (strncmp(conf->listen, "unix:", 5) == 0) {
		r = web_socket_unix(conf->listen + 5, 0660, &fd, e);
		if (r == 0)
			h->unix_path = xalloc_str(conf->listen + 5);
	} else {
		r = web_socket_tcp(
		    conf->listen, conf->share_port != 0, &fd, &h->port, e);
	}
	if (r == 0) {
		h->listener = evconnlistener_new(base, NULL, NULL,
		    LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC,
		    WEB_HTTP_BACKLOG, fd);
		if (h->listener == NULL ||
		    evhttp_bind_listener(h->evhttp, h->listener) == NULL)
			r = err_set(e, ERR_IO, "listen", "cannot listen: %s",
			    strerror(errno));
	}
	if (r != 0)
		web_http_free(h);
	else
		*out = h;
	return (r);
}

void
web_http_free(struct web_http *h)
{
	struct web_conn *cn;

	if (h == NULL)
		return;
	web_http_fresh_cb(-1, 0, h);
	while ((cn = TAILQ_FIRST(&h->conns)) != NULL)
		evhttp_connection_free(cn->evcon);
	evhttp_free(h->evhttp);
	event_free(h->fresh);
	event_free(h->sweep);
	free(h->by_fd);
	buf_clear(&h->lines);
	web_rate_free(h->rate);
	if (h->unix_path != NULL)
		(void)unlink(h->unix_path); /* the next one replaces it */
	free(h->unix_path);
	free(h);
}

void
web_http_stop(struct web_http *h)
{
	(void)evconnlistener_disable(h->listener); /* it ends soon */
}

int
web_http_announce(struct web_http *h, struct errinfo *e)
{
	char port[16];
	int n;

	if (h->conf->port_file[0] == '\0')
		return (0);
	n = snprintf(port, sizeof(port), "%u\n", h->port);
	return (file_write(h->conf->port_file, port, (size_t)n, 0644, e));
}

void
web_http_verify_csp(struct web_http *h, const char *s)
{
	h->verify_csp = s;
}

struct web_http_counts *
web_http_counts(struct web_http *h)
{
	return (&h->counts);
}

const char *
web_http_uri(const struct web_request *rq)
{
	return (evhttp_request_get_uri(rq->req));
}

int64_t
web_http_late_s(const struct web_request *rq)
{
	const int64_t us =
	    web_rate_take(rq->http->rate, &rq->from, rq->began_us);

	if (us == 0)
		return (0);
	rq->http->counts.limited++;
	return (us / 1000000 + 1);
}

/* Adds a header to those of the reply that is being made. */
static void
web_http_add(struct web_request *rq, const char *name, const char *value)
{
	struct buf *b = &rq->http->lines;

	if (strpbrk(value, "\r\n") != NULL) {
		log_errorx("header %s was not sent: it has line ends", name);
		return;
	}
	if (b->len > 0)
		buf_puts(b, "\r\n");
	buf_puts(b, name);
	buf_puts(b, ": ");
	buf_puts(b, value);
}

/*
 * Gives evhttp all that were added, as one: it allocates three times for each
 * header, and formats it, which took a third of the time of a reply.  The
 * length is not among them, since evhttp looks for that one.
 */
static void
web_http_put(struct web_request *rq)
{
	struct evkeyvalq *out = evhttp_request_get_output_headers(rq->req);
	struct buf *b = &rq->http->lines;
	struct evkeyval *kv;
	const char *sep;

	if (buf_error(b) != 0)
		xalloc_die();
	if ((sep = strstr(buf_str(b), ": ")) == NULL)
		return;
	/* evhttp frees the three by free(). */
	kv = xalloc(sizeof(*kv));
	kv->key = xalloc_strn(b->data, (size_t)(sep - b->data));
	kv->value = xalloc_strn(sep + 2, b->len - (size_t)(sep + 2 - b->data));
	TAILQ_INSERT_TAIL(out, kv, next);
	buf_reset(b);
}

/* Says how long the body is. */
static void
web_http_length(struct web_request *rq, size_t n)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%zu", n);
	if (evhttp_add_header(evhttp_request_get_output_headers(rq->req),
		"Content-Length", text) != 0)
		xalloc_die();
}

/* Adds those that say how much a reader may do with what is sent. */
static void
web_http_policies(struct web_request *rq, const struct web_head *head)
{
	web_http_add(rq, "Content-Security-Policy",
	    head->csp == WEB_CSP_VERIFY && rq->http->verify_csp != NULL
		? rq->http->verify_csp
		: web_route_csp(head->csp));
	web_http_add(rq, "X-Content-Type-Options", "nosniff");
	web_http_add(rq, "Referrer-Policy", "no-referrer");
	web_http_add(rq, "Cross-Origin-Opener-Policy", "same-origin");
	web_http_add(rq, "Cross-Origin-Resource-Policy",
	    head->is_open ? "cross-origin" : "same-origin");
	web_http_add(rq, "Permissions-Policy",
	    "camera=(), geolocation=(), microphone=(), payment=(), usb=(), "
	    "browsing-topics=()");
	if (head->is_open && head->csp == WEB_CSP_DATA)
		web_http_add(rq, "Access-Control-Allow-Origin", "*");
}

/* Adds those about the body. */
static void
web_http_about(struct web_request *rq, const struct web_head *head,
    const struct web_body *body, bool is_gzip)
{
	char etag[WEB_ETAG + 16], text[128];

	if (head->type != NULL)
		web_http_add(rq, "Content-Type", head->type);
	if (head->keep != NULL)
		web_http_add(rq, "Cache-Control", head->keep);
	if (head->etag != NULL) {
		(void)snprintf(etag, sizeof(etag), "\"%s%s\"", head->etag,
		    is_gzip ? "-gz" : "");
		web_http_add(rq, "ETag", etag);
	}
	if (body != NULL && !head->takes_range)
		web_http_add(rq, "Vary", "Accept-Encoding");
	if (is_gzip)
		web_http_add(rq, "Content-Encoding", "gzip");
	if (head->takes_range)
		web_http_add(rq, "Accept-Ranges", "bytes");
	if (head->is_noindex)
		web_http_add(rq, "X-Robots-Tag", "noindex");
	if (head->location != NULL)
		web_http_add(rq, "Location", head->location);
	if (head->file != NULL) {
		(void)snprintf(text, sizeof(text),
		    "attachment; filename=\"%s\"", head->file);
		web_http_add(rq, "Content-Disposition", text);
	}
	if (head->retry_s > 0) {
		(void)snprintf(
		    text, sizeof(text), "%lld", (long long)head->retry_s);
		web_http_add(rq, "Retry-After", text);
	}
	if (head->refresh_s > 0) {
		(void)snprintf(
		    text, sizeof(text), "%lld", (long long)head->refresh_s);
		web_http_add(rq, "Refresh", text);
	}
}

/* evbuffer_ref_cleanup_cb: the bytes of a body have been sent. */
static void
web_http_sent_cb(const void *data, size_t n, void *arg)
{
	(void)data;
	(void)n;
	web_body_unref(arg);
}

/* Puts the bytes of a body into the reply: all, or the part asked for. */
static int
web_http_bytes(struct web_request *rq, const struct web_head *head,
    struct web_body *body, bool is_gzip, struct evbuffer *out)
{
	struct evkeyvalq *in = evhttp_request_get_input_headers(rq->req);
	const char *range = evhttp_find_header(in, "Range"), *only;
	size_t from = 0, n;
	int status = head->status;
	struct web_body *plain;
	char text[96], etag[WEB_ETAG + 16];

	/* Its length is known without unpacking it. */
	if (is_gzip || rq->is_head)
		plain = web_body_ref(body);
	else if (web_body_unpack(body, &plain) != 0)
		xalloc_die();
	n = is_gzip ? plain->n : plain->len;
	only = evhttp_find_header(in, "If-Range");
	(void)snprintf(
	    etag, sizeof(etag), "\"%s\"", head->etag == NULL ? "" : head->etag);
	if (head->takes_range && status == 200 && !rq->is_head &&
	    (only == NULL || strcmp(only, etag) == 0) &&
	    web_fence_range(range, plain->n, &from, &n)) {
		if (n == 0) {
			(void)snprintf(
			    text, sizeof(text), "bytes */%zu", plain->n);
			status = 416;
			from = 0;
		} else {
			(void)snprintf(text, sizeof(text), "bytes %zu-%zu/%zu",
			    from, from + n - 1, plain->n);
			status = 206;
		}
		web_http_add(rq, "Content-Range", text);
	}
	web_http_length(rq, n);
	if (rq->is_head || n == 0) {
		web_body_unref(plain);
	} else if (evbuffer_add_reference(out, plain->data + from, n,
		       web_http_sent_cb, plain) != 0)
		xalloc_die();
	return (status);
}

/* True if the reader has it already. */
static bool
web_http_is_same(struct web_request *rq, const struct web_head *head)
{
	const char *s = evhttp_find_header(
	    evhttp_request_get_input_headers(rq->req), "If-None-Match");

	return (s != NULL && head->etag != NULL && head->status == 200 &&
	    web_fence_names(s, head->etag));
}

void
web_http_reply(
    struct web_request *rq, const struct web_head *head, struct web_body *body)
{
	struct web_http *h = rq->http;
	struct web_conn *cn = rq->conn;
	struct evbuffer *out = evbuffer_new();
	const int64_t now_ms = clock_mono_ms();
	int status = head->status;
	bool is_gzip;

	if (out == NULL)
		xalloc_die();
	is_gzip = body != NULL && body->is_gzip && rq->takes_gzip &&
	    !head->takes_range;
	web_http_policies(rq, head);
	web_http_about(rq, head, body, is_gzip);
	if (web_http_is_same(rq, head))
		status = 304;
	else if (body != NULL)
		status = web_http_bytes(rq, head, body, is_gzip, out);
	else if (status != 204 && !rq->is_head)
		web_http_length(rq, 0);
	h->counts.status[status / 100]++;
	if (clock_mono_us() - rq->began_us > h->counts.slowest_us)
		h->counts.slowest_us = clock_mono_us() - rq->began_us;
	cn->rq = NULL;
	cn->due = WEB_DUE_READ;
	cn->due_ms = now_ms + h->conf->reply_s * 1000;
	web_http_put(rq);
	/* It may free the connection. */
	evhttp_send_reply(rq->req, status, NULL, out);
	evbuffer_free(out);
	free(rq);
}

void
web_http_stream(struct web_request *rq, struct web_wire *w)
{
	const struct web_head head = {.status = 200,
	    .type = "text/event-stream",
	    .keep = "no-store",
	    .csp = WEB_CSP_DATA};
	w->req = rq->req;
	w->conn = rq->conn;
	web_http_policies(rq, &head);
	web_http_about(rq, &head, NULL, false);
	/* nginx would keep it back. */
	web_http_add(rq, "X-Accel-Buffering", "no");
	web_http_put(rq);
	rq->http->counts.status[2]++;
	rq->conn->rq = NULL;
	rq->conn->wire = w;
	/* What it has asked with is of no use any more. */
	evhttp_clear_headers(evhttp_request_get_input_headers(rq->req));
	evhttp_send_reply_start(rq->req, 200, NULL);
	free(rq);
}

size_t
web_http_pending(const struct web_wire *w)
{
	return (evbuffer_get_length(bufferevent_get_output(w->conn->bev)));
}

void
web_http_cut(struct web_wire *w)
{
	w->conn->http->counts.dropped++;
	/* It comes again, with the last id that it has read. */
	evhttp_connection_free(w->conn->evcon);
}

bool
web_http_send(struct web_wire *w, const char *p, size_t n)
{
	struct evbuffer *b;

	if (web_http_pending(w) > WEB_HTTP_LAG) {
		web_http_cut(w);
		return (false);
	}
	if ((b = evbuffer_new()) == NULL || evbuffer_add(b, p, n) != 0)
		xalloc_die();
	evhttp_send_reply_chunk(w->req, b);
	evbuffer_free(b);
	return (true);
}

void
web_http_end(struct web_wire *w)
{
	struct web_conn *cn = w->conn;

	cn->wire = NULL;
	cn->due = WEB_DUE_READ;
	cn->due_ms = clock_mono_ms() + cn->http->conf->reply_s * 1000;
	evhttp_send_reply_end(w->req);
}
