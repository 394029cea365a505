/* SPDX-License-Identifier: ISC */
/*
 * Binding and accepting, in the main thread.  When descriptors or memory run
 * out the sockets are left alone for a while: they stay readable, and a loop
 * that tried again at once would only spin.
 */
#include "server/listener.h"

#include <sys/socket.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "server/conf.h"
#include "server/io.h"
#include "server/mailbox.h"
#include "server/peers.h"
#include "server/session.h"

#define LISTENER_SOCKETS 64
#define LISTENER_BACKLOG 1024
#define LISTENER_BATCH 64 /* connections taken in one turn */
#define LISTENER_PAUSE_MS 200 /* without descriptors or memory */
#define LISTENER_QUIET_MS 10000 /* between two warnings of one kind */
#define LISTENER_KEEPALIVE_S 60

struct listener_socket {
	struct listener *l;
	int fd;
	uint16_t port;
	struct event event;
};

struct listener {
	struct event_base *base; /* borrowed, as peers and ios */
	struct peers *peers;
	struct io *const *ios;
	size_t n_ios;
	size_t turn; /* of the io threads */
	struct listener_socket sockets[LISTENER_SOCKETS];
	size_t n;
	bool is_started;
	struct event resume;
	int64_t quiet_ms; /* no warning before; likewise full_ms */
	int64_t full_ms;
};

/* A connection on its way to its thread. */
struct listener_mail {
	struct mailbox_mail mail;
	struct session_socket sock;
};

/* Writes an address as "a.b.c.d:port" or "[v6]:port". */
static void
listener_name(const struct sockaddr *sa, socklen_t len, char out[SESSION_PEER])
{
	char host[INET6_ADDRSTRLEN + 20], port[8];

	if (getnameinfo(sa, len, host, sizeof(host), port, sizeof(port),
		NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		(void)snprintf(out, SESSION_PEER, "?");
	else
		(void)snprintf(out, SESSION_PEER,
		    sa->sa_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host,
		    port);
}

/* The port of a bound socket. */
static uint16_t
listener_bound_port(int fd)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);
	const struct sockaddr_in *in4 = (const void *)&ss;
	const struct sockaddr_in6 *in6 = (const void *)&ss;

	if (getsockname(fd, (struct sockaddr *)&ss, &len) == -1)
		return (0);
	return (
	    ntohs(ss.ss_family == AF_INET6 ? in6->sin6_port : in4->sin_port));
}

/* Opens one listening socket; -1 with errno. */
static int
listener_bind(const struct addrinfo *ai)
{
	const int on = 1;
	int fd, saved;

	fd = socket(ai->ai_family,
	    ai->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, ai->ai_protocol);
	if (fd == -1)
		return (-1);
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
	    (ai->ai_family != AF_INET6 ||
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on)) ==
		    0) &&
	    bind(fd, ai->ai_addr, ai->ai_addrlen) == 0 &&
	    listen(fd, LISTENER_BACKLOG) == 0)
		return (fd);
	saved = errno;
	(void)close(fd);
	errno = saved;
	return (-1);
}

/* True if this says only that the machine has no IPv6. */
static bool
listener_is_no_ipv6(const struct addrinfo *ai, int error)
{
	return (ai->ai_family == AF_INET6 &&
	    (error == EAFNOSUPPORT || error == EADDRNOTAVAIL));
}

/* Listens on all that one address of the list stands for. */
static int
listener_add(struct listener *l, const char *address, struct errinfo *e)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC,
	    .ai_socktype = SOCK_STREAM,
	    .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
	char host[CONF_HOST_MAX + 1], name[SESSION_PEER], port[8];
	struct addrinfo *ai, *all;
	uint16_t number;
	int fd, r;

	if (conf_split_address(address, host, &number) != 0)
		return (err_set(e, ERR_IO, "", "bad address \"%s\"", address));
	(void)snprintf(port, sizeof(port), "%u", number);
	r = getaddrinfo(host[0] == '\0' ? NULL : host, port, &hints, &all);
	if (r != 0)
		return (err_set(e, ERR_IO, "", "cannot listen on %s: %s",
		    address, gai_strerror(r)));
	r = 0;
	for (ai = all; ai != NULL && r == 0; ai = ai->ai_next) {
		listener_name(ai->ai_addr, ai->ai_addrlen, name);
		if (l->n == LISTENER_SOCKETS) {
			r = err_set(e, ERR_IO, "", "more than %d addresses",
			    LISTENER_SOCKETS);
		} else if ((fd = listener_bind(ai)) != -1) {
			l->sockets[l->n++] = (struct listener_socket){
			    .l = l, .fd = fd, .port = listener_bound_port(fd)};
		} else if (listener_is_no_ipv6(ai, errno)) {
			log_warn("not listening on %s", name);
		} else {
			r = err_set(e, ERR_IO, "", "cannot listen on %s: %s",
			    name, strerror(errno));
		}
	}
	freeaddrinfo(all);
	return (r);
}

/* Stops listening for a while. */
static void
listener_pause(struct listener *l)
{
	const struct timeval tv = {.tv_usec = 1000 * LISTENER_PAUSE_MS};
	const int64_t now_ms = clock_mono_ms();
	size_t i;

	if (now_ms >= l->quiet_ms) {
		l->quiet_ms = now_ms + LISTENER_QUIET_MS;
		log_warn("connections wait: none can be taken");
	}
	if (event_add(&l->resume, &tv) == -1)
		return;
	for (i = 0; i < l->n; i++)
		(void)event_del(&l->sockets[i].event);
}

/* Listens again. */
static void
listener_resume_cb(int fd, short what, void *arg)
{
	struct listener *l = arg;
	size_t i;

	(void)fd;
	(void)what;
	for (i = 0; i < l->n; i++) {
		if (event_add(&l->sockets[i].event, NULL) == -1)
			listener_pause(l);
	}
}

/* Opens a session, in its thread. */
static void
listener_take(struct mailbox_mail *mail, void *arg)
{
	struct listener_mail *lm = (struct listener_mail *)(void *)mail;

	session_open(arg, &lm->sock);
	free(lm);
}

/* Sets what every connection has: small replies at once, dead peers found. */
static void
listener_tune(int fd)
{
	const int idle_s = LISTENER_KEEPALIVE_S, on = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	(void)setsockopt(
	    fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
	(void)setsockopt(
	    fd, IPPROTO_TCP, TCP_KEEPINTVL, &idle_s, sizeof(idle_s));
}

/* Says that a connection was turned away, but not too often. */
static void
listener_turn_away(struct listener *l, const char *peer, int r)
{
	const int64_t now_ms = clock_mono_ms();

	log_debug("%s: turned away: %s", peer, err_text(r));
	if (now_ms < l->full_ms)
		return;
	l->full_ms = now_ms + LISTENER_QUIET_MS;
	log_warnx("%s: turned away: %s", peer,
	    r == ERR_LIMIT      ? "max_per_address connections from there"
		: r == ERR_BUSY ? "max_connections are open"
				: err_text(r));
}

/* Hands one connection to a thread. */
static void
listener_hand_over(
    struct listener *l, int fd, const struct sockaddr *sa, socklen_t len)
{
	struct listener_mail *lm;
	struct io *io;
	int r;

	if ((lm = calloc(1, sizeof(*lm))) == NULL) {
		log_warn("a connection is closed");
		(void)close(fd);
		return;
	}
	lm->sock.fd = fd;
	listener_name(sa, len, lm->sock.peer);
	peers_address(sa, lm->sock.address);
	if ((r = peers_connect(l->peers, lm->sock.address)) != 0) {
		listener_turn_away(l, lm->sock.peer, r);
		(void)close(fd);
		free(lm);
		return;
	}
	listener_tune(fd);
	io = l->ios[l->turn++ % l->n_ios];
	lm->mail.take = listener_take;
	lm->mail.arg = io;
	io_post(io, &lm->mail);
}

/* Takes connections. */
static void
listener_accept_cb(int fd, short what, void *arg)
{
	struct listener_socket *sock = arg;
	struct sockaddr_storage ss;
	socklen_t len;
	int conn, n;

	(void)what;
	for (n = 0; n < LISTENER_BATCH; n++) {
		len = sizeof(ss);
		conn = accept4(fd, (struct sockaddr *)&ss, &len,
		    SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (conn != -1) {
			listener_hand_over(
			    sock->l, conn, (struct sockaddr *)&ss, len);
			continue;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK)
			return;
		/* A connection that is gone again is nobody's fault. */
		if (errno == EINTR || errno == ECONNABORTED ||
		    errno == EPROTO || errno == EPERM)
			continue;
		listener_pause(sock->l);
		return;
	}
}

int
listener_new(struct event_base *base, const char *addresses,
    struct peers *peers, struct listener **out, struct errinfo *e)
{
	char one[CONF_HOST_MAX + 16];
	struct listener *l;
	size_t n;
	int r;

	if ((l = calloc(1, sizeof(*l))) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	l->base = base;
	l->peers = peers;
	for (; *addresses != '\0'; addresses += n) {
		addresses += strspn(addresses, " ");
		n = strcspn(addresses, " ");
		(void)snprintf(one, sizeof(one), "%.*s", (int)n, addresses);
		if ((r = listener_add(l, one, e)) != 0)
			goto fail;
	}
	if (l->n == 0) {
		r = err_set(e, ERR_IO, "", "no address could be listened on");
		goto fail;
	}
	*out = l;
	return (0);
fail:
	listener_free(l);
	return (r);
}

void
listener_stop(struct listener *l)
{
	size_t i;

	if (l->is_started)
		(void)event_del(&l->resume);
	for (i = 0; i < l->n; i++) {
		if (l->is_started)
			(void)event_del(&l->sockets[i].event);
		(void)close(l->sockets[i].fd);
	}
	l->is_started = false;
	l->n = 0;
}

void
listener_free(struct listener *l)
{
	if (l == NULL)
		return;
	listener_stop(l);
	free(l);
}

int
listener_start(struct listener *l, struct io *const ios[], size_t n)
{
	struct listener_socket *sock;
	size_t i;

	l->ios = ios;
	l->n_ios = n;
	if (event_assign(&l->resume, l->base, -1, 0, listener_resume_cb, l) ==
	    -1)
		return (ERR_NOMEM);
	for (i = 0; i < l->n; i++) {
		sock = &l->sockets[i];
		if (event_assign(&sock->event, l->base, sock->fd,
			EV_READ | EV_PERSIST, listener_accept_cb, sock) == -1)
			return (ERR_NOMEM);
	}
	l->is_started = true;
	for (i = 0; i < l->n; i++) {
		if (event_add(&l->sockets[i].event, NULL) == -1)
			return (ERR_NOMEM);
	}
	return (0);
}

size_t
listener_count(const struct listener *l)
{
	return (l->n);
}

uint16_t
listener_port(const struct listener *l, size_t i)
{
	return (l->sockets[i].port);
}

void
listener_log(const struct listener *l)
{
	struct sockaddr_storage ss;
	char name[SESSION_PEER];
	socklen_t len;
	size_t i;

	for (i = 0; i < l->n; i++) {
		len = sizeof(ss);
		if (getsockname(
			l->sockets[i].fd, (struct sockaddr *)&ss, &len) == -1)
			continue;
		listener_name((struct sockaddr *)&ss, len, name);
		log_info("listening on %s", name);
	}
}
