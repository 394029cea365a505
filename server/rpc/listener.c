/* SPDX-License-Identifier: ISC */
/*
 * Binding, in the main thread, and accepting, in the io threads: each waits
 * for the same sockets, and whoever is free takes a connection for itself.  To
 * hand it to another thread would cost a tenth of what its handshake does.
 * When descriptors or memory run out a thread leaves the sockets alone for a
 * while: they stay readable, and a loop that tried again at once would only
 * spin.
 */
#include "server/rpc/listener.h"

#include <sys/socket.h>

#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/base/clock.h"
#include "common/crypt/hash.h"
#include "server/base/conf.h"
#include "server/base/log.h"
#include "server/net/limits.h"
#include "server/net/mailbox.h"
#include "server/rpc/io.h"
#include "server/rpc/session.h"

#define LISTENER_SOCKETS 64
#define LISTENER_BACKLOG 1024
#define LISTENER_BATCH 8 /* connections taken in one turn */
#define LISTENER_PAUSE_MS 200 /* without descriptors or memory */
#define LISTENER_QUIET_MS 10000 /* between two warnings of one kind */
#define LISTENER_KEEPALIVE_S 60
#define LISTENER_LOTS 64 /* drawn at once */
/*
 * Bytes that the system keeps for one connection (it doubles them for its own
 * needs); what it would choose grows to megabytes for whoever does not read,
 * or is not read from.
 */
#define LISTENER_RECEIVE 131072
#define LISTENER_SEND 262144

struct listener_socket {
	int fd;
	uint16_t port;
};

/* What an io thread has of the listener; its own once it has begun. */
struct listener_ear {
	struct mailbox_mail mail; /* what listener_tell() has it do */
	struct listener *l;
	struct io *io; /* borrowed */
	struct event events[LISTENER_SOCKETS]; /* of l->sockets */
	struct event resume;
	int r; /* what beginning gave */
	uint32_t lots[LISTENER_LOTS]; /* random; the first n_lots are left */
	size_t n_lots;
	int64_t quiet_ms; /* no warning before; likewise full_ms */
	int64_t full_ms;
};

struct listener {
	struct limits *limits; /* borrowed */
	struct listener_socket sockets[LISTENER_SOCKETS];
	size_t n;
	struct listener_ear *ears; /* owned: n_ears, while it is started */
	size_t n_ears;
	sem_t done; /* by ears that were told something */
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

/*
 * Sets what every connection has, which takes it over from its listener: small
 * replies at once, dead limits found, and bounded buffers.
 */
static void
listener_tune(int fd)
{
	const int idle_s = LISTENER_KEEPALIVE_S, on = 1;
	const int receive = LISTENER_RECEIVE, send = LISTENER_SEND;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	(void)setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
	(void)setsockopt(
	    fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
	(void)setsockopt(
	    fd, IPPROTO_TCP, TCP_KEEPINTVL, &idle_s, sizeof(idle_s));
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive, sizeof(receive));
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send, sizeof(send));
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
	listener_tune(fd);
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
			    .fd = fd, .port = listener_bound_port(fd)};
		} else if (ai->ai_family == AF_INET6 &&
		    (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL)) {
			/* The machine has no IPv6, that is all. */
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
listener_pause(struct listener_ear *ear)
{
	const struct timeval tv = {.tv_usec = 1000 * LISTENER_PAUSE_MS};
	const int64_t now_ms = clock_mono_ms();
	size_t i;

	if (now_ms >= ear->quiet_ms) {
		ear->quiet_ms = now_ms + LISTENER_QUIET_MS;
		log_warn("connections are waiting, but none can be accepted");
	}
	if (event_add(&ear->resume, &tv) == -1)
		return;
	for (i = 0; i < ear->l->n; i++)
		(void)event_del(&ear->events[i]);
}

/* Listens again. */
static void
listener_resume_cb(int fd, short what, void *arg)
{
	struct listener_ear *ear = arg;
	size_t i;

	(void)fd;
	(void)what;
	for (i = 0; i < ear->l->n; i++) {
		if (event_add(&ear->events[i], NULL) == -1)
			listener_pause(ear);
	}
}

/* Says that a connection was turned away, but not too often. */
static void
listener_turn_away(struct listener_ear *ear, const char *peer, const char *why)
{
	const int64_t now_ms = clock_mono_ms();

	log_debug("%s: turned away: %s", peer, why);
	if (now_ms < ear->full_ms)
		return;
	ear->full_ms = now_ms + LISTENER_QUIET_MS;
	log_warnx("%s: turned away: %s", peer, why);
}

/*
 * Draws 0 to 99; without randomness it is the worst of lots.  Many are drawn
 * at once, which costs as much as one.
 */
static unsigned
listener_draw(struct listener_ear *ear)
{
	if (ear->n_lots == 0) {
		if (hash_random(ear->lots, sizeof(ear->lots)) != 0)
			return (0);
		ear->n_lots = LISTENER_LOTS;
	}
	return (ear->lots[--ear->n_lots] % 100);
}

/* Asks whether a connection may be had, and counts it. */
static int
listener_admit(struct listener_ear *ear, const struct sockaddr *sa,
    struct session_socket *sock)
{
	struct limits *limits = ear->l->limits;
	struct limits_caller c = {
	    .is_exempt = limits_is_exempt(limits, sa),
	    .chance = listener_draw(ear),
	    .now_ms = clock_mono_ms(),
	};
	const char *why = "";
	int r;

	limits_address(limits, sa, sock->address);
	memcpy(c.address, sock->address, sizeof(c.address));
	sock->is_exempt = c.is_exempt;
	if ((r = limits_admit(limits, &c, &why)) != 0)
		listener_turn_away(ear, sock->peer, why);
	return (r);
}

/* Takes connections. */
static void
listener_accept_cb(int fd, short what, void *arg)
{
	struct listener_ear *ear = arg;
	struct sockaddr_storage ss;
	struct sockaddr *sa = (struct sockaddr *)&ss;
	struct session_socket sock;
	socklen_t len;
	int n;

	(void)what;
	for (n = 0; n < LISTENER_BATCH; n++) {
		len = sizeof(ss);
		memset(&sock, 0, sizeof(sock));
		sock.fd = accept4(fd, sa, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (sock.fd != -1) {
			listener_name(sa, len, sock.peer);
			if (listener_admit(ear, sa, &sock) == 0)
				session_open(ear->io, &sock);
			else
				(void)close(sock.fd);
			continue;
		}
		if (errno == EAGAIN || errno == EWOULDBLOCK)
			return;
		/* A connection that is gone again is nobody's fault. */
		if (errno == EINTR || errno == ECONNABORTED ||
		    errno == EPROTO || errno == EPERM)
			continue;
		listener_pause(ear);
		return;
	}
}

int
listener_new(const char *addresses, struct limits *limits,
    struct listener **out, struct errinfo *e)
{
	char one[CONF_HOST_MAX + 16];
	struct listener *l;
	size_t n;
	int r;

	if ((l = calloc(1, sizeof(*l))) == NULL)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	if (sem_init(&l->done, 0, 0) == -1) {
		free(l);
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	}
	l->limits = limits;
	for (; *addresses != '\0'; addresses += n) {
		addresses += strspn(addresses, " ");
		n = strcspn(addresses, " ");
		(void)snprintf(one, sizeof(one), "%.*s", (int)n, addresses);
		if ((r = listener_add(l, one, e)) != 0)
			goto fail;
	}
	if (l->n == 0) {
		r = err_set(e, ERR_IO, "", "cannot listen on any address");
		goto fail;
	}
	*out = l;
	return (0);
fail:
	listener_free(l);
	return (r);
}

/* Begins to listen, in the thread. */
static void
listener_begin(struct mailbox_mail *mail, void *arg)
{
	struct listener_ear *ear = arg;
	struct event_base *base = ear->io->base;
	struct listener *l = ear->l;
	size_t i;

	(void)mail;
	ear->r = ERR_NOMEM;
	if (event_assign(&ear->resume, base, -1, 0, listener_resume_cb, ear) ==
	    -1)
		goto out;
	for (i = 0; i < l->n; i++) {
		if (event_assign(&ear->events[i], base, l->sockets[i].fd,
			EV_READ | EV_PERSIST, listener_accept_cb, ear) == -1)
			goto out;
	}
	ear->r = 0;
	for (i = 0; i < l->n && ear->r == 0; i++) {
		if (event_add(&ear->events[i], NULL) == -1)
			ear->r = ERR_NOMEM;
	}
out:
	(void)sem_post(&l->done);
}

/* Ends listening, in the thread. */
static void
listener_leave(struct mailbox_mail *mail, void *arg)
{
	struct listener_ear *ear = arg;
	struct listener *l = ear->l;
	size_t i;

	(void)mail;
	/* An event that was never assigned is all zeros. */
	if (event_initialized(&ear->resume))
		(void)event_del(&ear->resume);
	for (i = 0; i < l->n; i++) {
		if (event_initialized(&ear->events[i]))
			(void)event_del(&ear->events[i]);
	}
	(void)sem_post(&l->done);
}

/* Has all ears do something, and waits until they have. */
static void
listener_tell(
    struct listener *l, void (*take)(struct mailbox_mail *mail, void *arg))
{
	struct listener_ear *ear;
	size_t i;

	for (i = 0; i < l->n_ears; i++) {
		ear = &l->ears[i];
		ear->mail.take = take;
		ear->mail.arg = ear;
		mailbox_post(ear->io->mailbox, &ear->mail);
	}
	for (i = 0; i < l->n_ears; i++) {
		while (sem_wait(&l->done) == -1)
			continue;
	}
}

void
listener_stop(struct listener *l)
{
	size_t i;

	listener_tell(l, listener_leave);
	free(l->ears);
	l->ears = NULL;
	l->n_ears = 0;
	for (i = 0; i < l->n; i++)
		(void)close(l->sockets[i].fd);
	l->n = 0;
}

void
listener_free(struct listener *l)
{
	if (l == NULL)
		return;
	listener_stop(l);
	(void)sem_destroy(&l->done);
	free(l);
}

int
listener_start(struct listener *l, struct io *const ios[], size_t n)
{
	size_t i;
	int r = 0;

	if ((l->ears = calloc(n, sizeof(*l->ears))) == NULL)
		return (ERR_NOMEM);
	l->n_ears = n;
	for (i = 0; i < n; i++) {
		l->ears[i].l = l;
		l->ears[i].io = ios[i];
	}
	listener_tell(l, listener_begin);
	for (i = 0; i < n && r == 0; i++)
		r = l->ears[i].r;
	return (r);
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
