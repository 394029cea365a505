/* SPDX-License-Identifier: ISC */
/*
 * The transport: a socket that does not block, OpenSSL on it, and poll()
 * against a deadline.  Requests are asked one at a time; a reply that nobody
 * asked for ends the connection.
 */
#include "client/net/conn.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "client/base/xalloc.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/frame.h"
#include "common/json/js.h"
#include "common/record/rpc.h"

#define CONN_KEPT 16384 /* notices that are kept during a request */
#define CONN_KEPT_BYTES 16777216 /* in all */
#define CONN_GROUPS "X25519:P-256" /* umpire-protocol(7), Transport */
#define CONN_EXPORTER_LABEL "EXPORTER-Channel-Binding" /* RFC 9266 */

struct conn {
	int fd;
	SSL_CTX *ctx;
	SSL *ssl;
	int64_t wait_ms; /* longest wait for an answer */
	int64_t next_id;
	int64_t heard_ms; /* monotonic: when bytes came last */
	int64_t probe_id; /* of the request of conn_check(); 0: none is out */
	int64_t probe_ms; /* when it was sent */
	struct frame in;
	json_t *notices; /* owned: array of {"method","params"} */
	size_t kept; /* bytes of their lines, since there were none */
	size_t len; /* of the last line */
	bool is_dead; /* a request failed: what comes now is of no use */
	uint8_t exporter[CONN_EXPORTER_LEN];
};

/* Borrowed; NULL: nobody waits for signals. */
static const volatile sig_atomic_t *conn_is_over;

void
conn_heed(const volatile sig_atomic_t *is_over)
{
	conn_is_over = is_over;
}

void
conn_error_clear(struct conn_error *ce)
{
	json_decref(ce->data);
	memset(ce, 0, sizeof(*ce));
}

/* As poll(), in ms, but signals come through if they are heeded. */
static int
conn_ppoll(struct pollfd *pfd, nfds_t n, int64_t ms)
{
	const struct timespec ts = {
	    .tv_sec = (time_t)(ms / 1000), .tv_nsec = (ms % 1000) * 1000000};
	sigset_t none;

	(void)sigemptyset(&none);
	return (ppoll(
	    pfd, n, ms < 0 ? NULL : &ts, conn_is_over == NULL ? NULL : &none));
}

/*
 * Waits until fd is ready for events or the deadline (-1: none) passes.
 * ERR_CLOSED, too, if a signal that is heeded asks for the end.
 */
static int
conn_poll(int fd, short events, int64_t deadline, struct errinfo *e)
{
	struct pollfd pfd = {.fd = fd, .events = events};
	int64_t left = -1;
	int n;

	for (;;) {
		if (deadline >= 0) {
			left = deadline - clock_mono_ms();
			if (left < 0)
				left = 0;
			if (left > 3600000)
				left = 3600000;
		}
		if (conn_is_over != NULL && *conn_is_over != 0)
			return (err_set(e, ERR_CLOSED, NULL,
			    "gave up waiting, since a signal asks for the "
			    "end"));
		n = conn_ppoll(&pfd, 1, left);
		if (n > 0)
			return (0);
		if (n == 0 && clock_mono_ms() >= deadline)
			return (err_set(e, ERR_TIMEOUT, NULL,
			    "the server did not answer in time"));
		if (n == -1 && errno != EINTR)
			return (err_set(
			    e, ERR_IO, NULL, "poll: %s", strerror(errno)));
	}
}

/* Connects to one address; *fd is then a socket that does not block. */
static int
conn_connect(
    const struct addrinfo *ai, int64_t deadline, int *out, struct errinfo *e)
{
	int err = 0, fd, one = 1, r;
	socklen_t len = sizeof(err);

	fd = socket(ai->ai_family,
	    ai->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, ai->ai_protocol);
	if (fd == -1)
		return (
		    err_set(e, ERR_IO, NULL, "socket: %s", strerror(errno)));
	if (connect(fd, ai->ai_addr, ai->ai_addrlen) == -1) {
		err = errno;
		if (err == EINPROGRESS) {
			if ((r = conn_poll(fd, POLLOUT, deadline, e)) != 0) {
				(void)close(fd); /* never connected */
				return (r);
			}
			if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) ==
			    -1)
				err = errno;
		}
		if (err != 0) {
			(void)close(fd); /* never connected */
			return (
			    err_set(e, ERR_CLOSED, NULL, "%s", strerror(err)));
		}
	}
	/* Lines are short and waited for; a failure costs only time. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	*out = fd;
	return (0);
}

/* Connects to the first address of the host that answers. */
static int
conn_dial(const char *host, const char *port, int64_t wait_ms, int *fd,
    struct errinfo *e)
{
	const struct addrinfo hints = {
	    .ai_socktype = SOCK_STREAM, .ai_family = AF_UNSPEC};
	struct addrinfo *ai, *list = NULL;
	struct errinfo why = {.text = ""};
	int64_t deadline;
	int r, s;

	if ((s = getaddrinfo(host, port, &hints, &list)) != 0)
		return (err_set(e, ERR_NOTFOUND, NULL,
		    "the host '%s' is not known: %s", host,
		    s == EAI_SYSTEM ? strerror(errno) : gai_strerror(s)));
	deadline = clock_mono_ms() + wait_ms;
	r = ERR_CLOSED;
	for (ai = list; ai != NULL && r != 0; ai = ai->ai_next)
		r = conn_connect(ai, deadline, fd, &why);
	freeaddrinfo(list);
	if (r != 0)
		return (err_set(e, r, NULL,
		    "no umpired answers at '%s' port %s: %s", host, port,
		    why.text));
	return (0);
}

/* Says what OpenSSL reports, and empties its queue. */
static int
conn_tls_fail(struct conn *c, int ret, struct errinfo *e)
{
	int err = SSL_get_error(c->ssl, ret), saved = errno;
	unsigned long code = ERR_peek_last_error();
	const char *why = ERR_reason_error_string(code);
	const int reason = ERR_GET_REASON(code);
	bool is_eof;

	is_eof = err == SSL_ERROR_ZERO_RETURN || err == SSL_ERROR_SYSCALL ||
	    reason == SSL_R_UNEXPECTED_EOF_WHILE_READING;
	ERR_clear_error();
	if (is_eof && saved != 0 && err == SSL_ERROR_SYSCALL)
		return (err_set(e, ERR_CLOSED, NULL,
		    "the connection was lost: %s", strerror(saved)));
	if (is_eof)
		return (err_set(
		    e, ERR_CLOSED, NULL, "the server closed the connection"));
	/* Alerts by which a server says that it is itself in need. */
	if (ERR_GET_LIB(code) == ERR_LIB_SSL &&
	    (reason == SSL_R_TLSV1_ALERT_INTERNAL_ERROR ||
		reason == SSL_R_TLSV1_ALERT_USER_CANCELLED))
		return (err_set(e, ERR_BUSY, NULL,
		    "the server gave up the connection, perhaps for want of "
		    "memory"));
	return (err_set(e, ERR_TLS, NULL, "TLS failed: %s",
	    why == NULL ? "no reason given" : why));
}

/* After an SSL call that gave ret: 0 to call again, or why not. */
static int
conn_wait(struct conn *c, int ret, int64_t deadline, struct errinfo *e)
{
	switch (SSL_get_error(c->ssl, ret)) {
	case SSL_ERROR_WANT_READ:
		return (conn_poll(c->fd, POLLIN, deadline, e));
	case SSL_ERROR_WANT_WRITE:
		return (conn_poll(c->fd, POLLOUT, deadline, e));
	default:
		return (conn_tls_fail(c, ret, e));
	}
}

/* Shakes hands and takes the exporter. */
static int
conn_handshake(struct conn *c, const char *host, struct errinfo *e)
{
	int64_t deadline = clock_mono_ms() + c->wait_ms;
	struct in6_addr address;
	int r, ret;

	ERR_clear_error();
	c->ctx = SSL_CTX_new(TLS_client_method());
	if (c->ctx == NULL ||
	    SSL_CTX_set_min_proto_version(c->ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set1_groups_list(c->ctx, CONN_GROUPS) != 1 ||
	    (c->ssl = SSL_new(c->ctx)) == NULL ||
	    SSL_set_fd(c->ssl, c->fd) != 1)
		return (err_set(e, ERR_TLS, NULL, "cannot set up TLS"));
	/*
	 * The certificate proves nothing here; server.hello does, by a
	 * signature over this connection's exporter.
	 */
	SSL_set_verify(c->ssl, SSL_VERIFY_NONE, NULL);
	/* Addresses are no names (RFC 6066 3); one that fails is not sent. */
	if (inet_pton(AF_INET, host, &address) != 1 &&
	    inet_pton(AF_INET6, host, &address) != 1)
		(void)SSL_set_tlsext_host_name(c->ssl, host);
	for (;;) {
		errno = 0;
		if ((ret = SSL_connect(c->ssl)) == 1)
			break;
		if ((r = conn_wait(c, ret, deadline, e)) != 0)
			return (r);
	}
	if (SSL_export_keying_material(c->ssl, c->exporter, sizeof(c->exporter),
		CONN_EXPORTER_LABEL, strlen(CONN_EXPORTER_LABEL), NULL, 0,
		0) != 1) {
		ERR_clear_error();
		return (err_set(e, ERR_TLS, NULL, "no TLS exporter"));
	}
	return (0);
}

int
conn_open(const char *host, const char *port, int64_t wait_ms,
    struct conn **out, struct errinfo *e)
{
	struct conn *c;
	int r;

	c = xalloc(sizeof(*c));
	c->fd = -1;
	c->wait_ms = wait_ms;
	c->next_id = 1;
	c->heard_ms = clock_mono_ms();
	c->notices = xalloc_json(json_array());
	frame_init(&c->in, RPC_REPLY_MAX);
	if ((r = conn_dial(host, port, wait_ms, &c->fd, e)) != 0 ||
	    (r = conn_handshake(c, host, e)) != 0) {
		conn_close(c);
		return (r);
	}
	*out = c;
	return (0);
}

void
conn_close(struct conn *c)
{
	if (c == NULL)
		return;
	if (c->ssl != NULL) {
		/* The other end may be gone; nothing waits for its answer. */
		(void)SSL_shutdown(c->ssl);
		SSL_free(c->ssl);
		ERR_clear_error();
	}
	SSL_CTX_free(c->ctx);
	if (c->fd != -1)
		(void)close(c->fd); /* nothing is waiting in it */
	frame_clear(&c->in);
	json_decref(c->notices);
	free(c);
}

const uint8_t *
conn_exporter(const struct conn *c)
{
	return (c->exporter);
}

int
conn_send(struct conn *c, const void *p, size_t n, struct errinfo *e)
{
	int64_t deadline = clock_mono_ms() + c->wait_ms;
	const char *bytes = p;
	size_t done;
	int r, ret;

	while (n > 0) {
		errno = 0;
		ERR_clear_error();
		ret = SSL_write_ex(c->ssl, bytes, n, &done);
		if (ret == 1) {
			bytes += done;
			n -= done;
			continue;
		}
		if ((r = conn_wait(c, ret, deadline, e)) != 0)
			return (r);
	}
	return (0);
}

int
conn_line(struct conn *c, int64_t wait_ms, const char **line, size_t *len,
    struct errinfo *e)
{
	int64_t deadline = wait_ms < 0 ? -1 : clock_mono_ms() + wait_ms;
	char chunk[16384];
	size_t done;
	int r, ret;

	for (;;) {
		if ((r = frame_next(&c->in, line, len)) == 0)
			return (0);
		if (r != ERR_NOTFOUND)
			return (err_set(e, r, NULL,
			    "the server sent a line that is too long"));
		errno = 0;
		ERR_clear_error();
		ret = SSL_read_ex(c->ssl, chunk, sizeof(chunk), &done);
		if (ret != 1) {
			if ((r = conn_wait(c, ret, deadline, e)) != 0)
				return (r);
			continue;
		}
		c->heard_ms = clock_mono_ms();
		if ((r = frame_feed(&c->in, chunk, done)) != 0)
			return (err_set(e, r, NULL,
			    "the server sent a line that is too long"));
	}
}

/* Reads one reply or notice, but for the answer that conn_check() awaits. */
static int
conn_reply(
    struct conn *c, int64_t wait_ms, struct rpc_reply *rp, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	const char *line;
	size_t len;
	int r;

	for (;;) {
		if ((r = conn_line(c, wait_ms, &line, &len, e)) != 0)
			return (r);
		c->len = len;
		if (rpc_reply_parse(line, len, rp, &why) != 0)
			return (err_set(e, ERR_REQUEST, NULL,
			    "the server's answer is not JSON-RPC 2.0: %s",
			    why.text));
		if (c->probe_id == 0 || rp->method != NULL ||
		    rp->id != c->probe_id)
			return (0);
		c->probe_id = 0;
		rpc_reply_clear(rp);
	}
}

/*
 * Keeps a notice for conn_notice().  ERR_CLOSED if there are too many: no
 * server has so much to tell while it answers.
 */
static int
conn_keep(struct conn *c, const struct rpc_reply *rp, struct errinfo *e)
{
	if (json_array_size(c->notices) == 0)
		c->kept = 0;
	c->kept += c->len;
	if (json_array_size(c->notices) >= CONN_KEPT ||
	    c->kept > CONN_KEPT_BYTES)
		return (err_set(e, ERR_CLOSED, NULL,
		    "gave up the connection: the server sends notices without "
		    "end"));
	xalloc_append(c->notices,
	    json_pack("{s:o, s:o}", "method", xalloc_json_str(rp->method),
		"params",
		rp->params == NULL ? json_object() : xalloc_copy(rp->params)));
	return (0);
}

/* Sends the request number next_id. */
static int
conn_request(
    struct conn *c, const char *method, const json_t *params, struct errinfo *e)
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	rpc_write_request(&b, c->next_id, method, params);
	if ((r = buf_error(&b)) == 0)
		r = conn_send(c, b.data, b.len, e);
	buf_clear(&b);
	return (r);
}

/*
 * Sends a request and waits for its reply until deadline.  Any failure other
 * than an answer ends the use of the connection: a late answer would be taken
 * for the answer to the next request.
 */
static int
conn_ask(struct conn *c, const char *method, const json_t *params,
    int64_t deadline, json_t **result, struct conn_error *ce)
{
	struct rpc_reply rp;
	int64_t left;

	memset(ce, 0, sizeof(*ce));
	if (c->is_dead) {
		ce->r = err_set(
		    &ce->e, ERR_CLOSED, NULL, "the connection was given up");
		return (ce->r);
	}
	ce->r = conn_request(c, method, params, &ce->e);
	while (ce->r == 0) {
		left = deadline - clock_mono_ms();
		ce->r = conn_reply(c, left < 0 ? 0 : left, &rp, &ce->e);
		if (ce->r != 0)
			break;
		if (rp.method != NULL) {
			ce->r = conn_keep(c, &rp, &ce->e);
			rpc_reply_clear(&rp);
			continue;
		}
		/* An error without an id is about what was sent last. */
		if (rp.id != c->next_id && !(rp.id == -1 && rp.code != 0)) {
			rpc_reply_clear(&rp);
			ce->r = err_set(&ce->e, ERR_REQUEST, NULL,
			    "the server answered something that was not asked");
			break;
		}
		if (rp.code == 0) {
			*result = xalloc_copy(rp.result);
		} else {
			ce->is_answer = true;
			ce->r =
			    err_set(&ce->e, rp.r, rp.where, "%s", rp.message);
			if (rp.data != NULL)
				ce->data = xalloc_copy(rp.data);
		}
		rpc_reply_clear(&rp);
		break;
	}
	c->next_id++;
	c->is_dead = ce->r != 0 && !ce->is_answer;
	return (ce->r);
}

bool
conn_is_dead(const struct conn *c)
{
	return (c->is_dead);
}

int
conn_call(struct conn *c, const char *method, json_t *params, json_t **result,
    struct conn_error *ce)
{
	const int64_t deadline = clock_mono_ms() + c->wait_ms;
	int64_t hold_ms;
	int r;

	while ((r = conn_ask(c, method, params, deadline, result, ce)) != 0) {
		/* A request that was not looked at may come again later. */
		hold_ms = js_int(ce->data, "wait_ms");
		if (!ce->is_answer || r != ERR_LIMIT || hold_ms < 1 ||
		    hold_ms >= deadline - clock_mono_ms())
			break;
		conn_error_clear(ce);
		(void)conn_ppoll(NULL, 0, hold_ms); /* sooner is harmless */
	}
	json_decref(params);
	return (r);
}

int
conn_notice(struct conn *c, int64_t wait_ms, char method[64], json_t **params,
    struct errinfo *e)
{
	struct rpc_reply rp;
	const char *name;
	json_t *o;
	int r;

	while (json_array_size(c->notices) == 0) {
		if ((r = conn_reply(c, wait_ms, &rp, e)) != 0)
			return (r);
		if (rp.method == NULL)
			r = err_set(e, ERR_REQUEST, NULL, "%s",
			    rp.code == 0 ? "the server answered something that "
					   "was not asked"
					 : rp.message);
		else
			r = conn_keep(c, &rp, e);
		rpc_reply_clear(&rp);
		if (r != 0)
			return (r);
	}
	o = json_array_get(c->notices, 0);
	name = js_str(o, "method");
	memset(method, 0, 64);
	strncpy(method, name, 63);
	*params = json_incref(json_object_get(o, "params"));
	(void)json_array_remove(c->notices, 0); /* it was there */
	return (0);
}

int
conn_fd(const struct conn *c)
{
	return (c->fd);
}

bool
conn_has_line(const struct conn *c)
{
	const struct frame *in = &c->in;

	return (json_array_size(c->notices) > 0 || SSL_has_pending(c->ssl) ||
	    in->is_lost ||
	    (in->in.len > in->taken &&
		memchr(in->in.data + in->taken, '\n', in->in.len - in->taken) !=
		    NULL));
}

int64_t
conn_check_ms(const struct conn *c)
{
	if (c->probe_id == 0)
		return (c->heard_ms + 2 * c->wait_ms);
	return ((c->heard_ms > c->probe_ms ? c->heard_ms : c->probe_ms) +
	    c->wait_ms);
}

int
conn_check(struct conn *c, struct errinfo *e)
{
	int r;

	if (clock_mono_ms() < conn_check_ms(c))
		return (0);
	if (c->probe_id != 0)
		return (err_set(
		    e, ERR_TIMEOUT, NULL, "the server no longer answers"));
	if ((r = conn_request(c, "server.hello", NULL, e)) == 0) {
		c->probe_id = c->next_id++;
		c->probe_ms = clock_mono_ms();
	}
	return (r);
}
