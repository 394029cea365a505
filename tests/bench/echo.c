/* SPDX-License-Identifier: ISC */
/*
 * The reference of measures: a server that does what any server of JSON lines
 * upon TLS 1.3 must do, and nothing else.  usage: echo PORTFILE CERT KEY
 * [--threads N].  It listens on a free port of the loopback, which it writes
 * to PORTFILE.  A request is one JSON object a line; its answer has the same
 * "id" and as many bytes, LF included, as its "n" says.  The settings of TLS
 * are those of server/net/tls.c.  SIGTERM ends it.
 */
#include <sys/resource.h>
#include <sys/socket.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>
#include <openssl/ssl.h>

#define ECHO_THREADS 16
#define ECHO_READ 16384 /* bytes of a TLS record */
#define ECHO_LINE_MAX 1048576
#define ECHO_REPLY_MAX 4194304
#define ECHO_KEEP 16384 /* memory that an empty buffer may keep */

/* Bytes on their way. */
struct echo_buf {
	char *data; /* owned */
	size_t len, cap;
};

/* A loop and its thread. */
struct echo_thread {
	pthread_t id;
	struct event_base *base;
	struct event accept_ev;
	SSL_CTX *ctx; /* borrowed */
	char *filling; /* ECHO_REPLY_MAX bytes, borrowed */
};

/* A connection. */
struct echo_conn {
	struct echo_thread *t;
	SSL *ssl; /* owned, as is fd */
	int fd;
	struct event read_ev, write_ev;
	bool is_shaken;
	struct echo_buf in, out;
	size_t sent;
};

/* Says what cannot be had, and ends. */
static void __attribute__((noreturn)) echo_die(const char *what)
{
	(void)fprintf(stderr, "echo: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Makes room for n more bytes. */
static void
echo_room(struct echo_buf *b, size_t n)
{
	if (b->cap - b->len >= n)
		return;
	b->cap = b->cap * 2 > b->len + n ? b->cap * 2 : b->len + n;
	if ((b->data = realloc(b->data, b->cap)) == NULL)
		echo_die("memory");
}

/* Empties a buffer; no more memory is kept than is asked for. */
static void
echo_empty(struct echo_buf *b, size_t keep)
{
	b->len = 0;
	if (b->cap <= keep)
		return;
	free(b->data);
	*b = (struct echo_buf){.data = NULL};
}

/* Ends a connection; RFC 8446 6.1 wants it said. */
static void
echo_close(struct echo_conn *c)
{
	if (c->is_shaken)
		(void)SSL_shutdown(c->ssl);
	(void)event_del(&c->read_ev);
	(void)event_del(&c->write_ev);
	SSL_free(c->ssl);
	(void)close(c->fd);
	free(c->in.data);
	free(c->out.data);
	free(c);
}

/* Answers one line; false if it is no request. */
static bool
echo_answer(struct echo_conn *c, const char *line, size_t len)
{
	json_t *rq, *answer = NULL;
	json_int_t n;
	char *text = NULL;
	size_t frame;

	if ((rq = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL)) == NULL)
		return (false);
	n = json_integer_value(json_object_get(rq, "n"));
	frame = (size_t)snprintf(NULL, 0, "{\"id\":%lld,\"x\":\"\"}\n",
	    (long long)json_integer_value(json_object_get(rq, "id")));
	if (n >= 0 && n <= ECHO_REPLY_MAX)
		answer = json_pack("{s:O, s:s#}", "id",
		    json_object_get(rq, "id"), "x", c->t->filling,
		    (size_t)n > frame ? (int)((size_t)n - frame) : 0);
	if (answer != NULL)
		text = json_dumps(answer, JSON_COMPACT);
	if (text != NULL) {
		len = strlen(text);
		echo_room(&c->out, len + 1);
		memcpy(c->out.data + c->out.len, text, len);
		c->out.len += len;
		c->out.data[c->out.len++] = '\n';
	}
	json_decref(answer);
	json_decref(rq);
	free(text);
	return (text != NULL);
}

/* Takes whole lines; false if one is no request. */
static bool
echo_lines(struct echo_conn *c)
{
	size_t at = 0, len;
	char *end;

	while (at < c->in.len &&
	    (end = memchr(c->in.data + at, '\n', c->in.len - at)) != NULL) {
		len = (size_t)(end - (c->in.data + at));
		if (!echo_answer(c, c->in.data + at, len))
			return (false);
		at += len + 1;
	}
	if (at > 0)
		memmove(c->in.data, c->in.data + at, c->in.len - at);
	c->in.len -= at;
	if (c->in.len == 0)
		echo_empty(&c->in, 0);
	return (c->in.len <= ECHO_LINE_MAX);
}

/* True if a call of OpenSSL only waits for the socket. */
static bool
echo_waits(const struct echo_conn *c, int returned)
{
	const int error = SSL_get_error(c->ssl, returned);

	return (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE);
}

/* Writes what waits; false if the connection is broken. */
static bool
echo_flush(struct echo_conn *c)
{
	size_t n;
	int r;

	while (c->sent < c->out.len) {
		r = SSL_write_ex(
		    c->ssl, c->out.data + c->sent, c->out.len - c->sent, &n);
		if (r != 1) {
			if (!echo_waits(c, r))
				return (false);
			return (event_add(&c->write_ev, NULL) == 0);
		}
		c->sent += n;
	}
	if (c->sent > 0) {
		c->sent = 0;
		echo_empty(&c->out, ECHO_KEEP);
		(void)event_del(&c->write_ev);
	}
	return (true);
}

/* Goes on with the handshake or with requests; false at its end. */
static bool
echo_run(struct echo_conn *c)
{
	char piece[ECHO_READ];
	size_t n;
	int r;

	if (!c->is_shaken) {
		if ((r = SSL_do_handshake(c->ssl)) != 1)
			return (echo_waits(c, r));
		c->is_shaken = true;
	}
	for (;;) {
		r = SSL_read_ex(c->ssl, piece, sizeof(piece), &n);
		if (r != 1)
			return (echo_waits(c, r) && echo_flush(c));
		echo_room(&c->in, n);
		memcpy(c->in.data + c->in.len, piece, n);
		c->in.len += n;
		if (!echo_lines(c))
			return (false);
	}
}

/* The socket is ready. */
static void
echo_ready_cb(int fd, short what, void *arg)
{
	struct echo_conn *c = arg;

	(void)fd;
	if (!((what & EV_WRITE) != 0 ? echo_flush(c) : echo_run(c)))
		echo_close(c);
}

/* Begins a connection. */
static void
echo_open(struct echo_thread *t, int fd)
{
	const int on = 1;
	struct echo_conn *c;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if ((c = calloc(1, sizeof(*c))) == NULL ||
	    (c->ssl = SSL_new(t->ctx)) == NULL || SSL_set_fd(c->ssl, fd) != 1)
		echo_die("memory");
	c->t = t;
	c->fd = fd;
	SSL_set_accept_state(c->ssl);
	if (event_assign(&c->read_ev, t->base, fd, EV_READ | EV_PERSIST,
		echo_ready_cb, c) == -1 ||
	    event_assign(&c->write_ev, t->base, fd, EV_WRITE | EV_PERSIST,
		echo_ready_cb, c) == -1 ||
	    event_add(&c->read_ev, NULL) == -1)
		echo_die("events");
}

/* Takes connections. */
static void
echo_accept_cb(int fd, short what, void *arg)
{
	int conn;

	(void)what;
	while ((conn = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) !=
	    -1)
		echo_open(arg, conn);
	if (errno != EAGAIN && errno != ECONNABORTED && errno != EINTR)
		echo_die("accept");
}

/* A thread's work. */
static void *
echo_loop(void *arg)
{
	struct echo_thread *t = arg;

	(void)event_base_loop(t->base, EVLOOP_NO_EXIT_ON_EMPTY);
	return (NULL);
}

/* TLS as server/net/tls.c sets it up. */
static SSL_CTX *
echo_tls(const char *cert, const char *key)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());

	if (ctx == NULL ||
	    SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set_num_tickets(ctx, 0) != 1 ||
	    SSL_CTX_use_certificate_chain_file(ctx, cert) != 1 ||
	    SSL_CTX_use_PrivateKey_file(ctx, key, SSL_FILETYPE_PEM) != 1)
		echo_die("tls");
	(void)SSL_CTX_set_options(ctx,
	    SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
	(void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	(void)SSL_CTX_set_mode(ctx,
	    SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
		SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	(void)SSL_CTX_clear_mode(ctx, SSL_MODE_AUTO_RETRY);
	return (ctx);
}

/* Listens on a free port and writes it down. */
static int
echo_listen(const char *path)
{
	struct sockaddr_in sin = {.sin_family = AF_INET};
	socklen_t len = sizeof(sin);
	FILE *f;
	int fd;

	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd == -1 || bind(fd, (struct sockaddr *)&sin, sizeof(sin)) == -1 ||
	    listen(fd, SOMAXCONN) == -1 ||
	    getsockname(fd, (struct sockaddr *)&sin, &len) == -1)
		echo_die("listen");
	if ((f = fopen(path, "w")) == NULL ||
	    fprintf(f, "%d\n", ntohs(sin.sin_port)) < 0 || fclose(f) != 0)
		echo_die(path);
	return (fd);
}

/* Makes a thread's loop, which takes connections by itself. */
static void
echo_thread_init(struct echo_thread *t, int fd, SSL_CTX *ctx, char *filling)
{
	struct event_config *config = event_config_new();

	t->ctx = ctx;
	t->filling = filling;
	if (config == NULL ||
	    event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK) != 0 ||
	    (t->base = event_base_new_with_config(config)) == NULL ||
	    event_assign(&t->accept_ev, t->base, fd, EV_READ | EV_PERSIST,
		echo_accept_cb, t) == -1 ||
	    event_add(&t->accept_ev, NULL) == -1)
		echo_die("events");
	event_config_free(config);
}

/* As many connections as may be. */
static void
echo_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == -1)
		echo_die("limits");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) == -1)
		echo_die("limits");
}

int
main(int argc, char **argv)
{
	struct echo_thread threads[ECHO_THREADS] = {{.base = NULL}};
	long i, n = 2;
	char *filling;
	SSL_CTX *ctx;
	int fd;

	if (argc == 6 && strcmp(argv[4], "--threads") == 0)
		n = strtol(argv[5], NULL, 10);
	if ((argc != 4 && argc != 6) || n < 1 || n > ECHO_THREADS) {
		(void)fprintf(
		    stderr, "usage: echo PORTFILE CERT KEY [--threads N]\n");
		return (64);
	}
	(void)signal(SIGPIPE, SIG_IGN);
	echo_raise_limit();
	if ((filling = malloc(ECHO_REPLY_MAX)) == NULL)
		echo_die("memory");
	memset(filling, 'x', ECHO_REPLY_MAX);
	ctx = echo_tls(argv[2], argv[3]);
	fd = echo_listen(argv[1]);
	for (i = 0; i < n; i++)
		echo_thread_init(&threads[i], fd, ctx, filling);
	for (i = 1; i < n; i++) {
		if (pthread_create(
			&threads[i].id, NULL, echo_loop, &threads[i]) != 0)
			echo_die("threads");
	}
	(void)echo_loop(&threads[0]);
	return (0);
}
