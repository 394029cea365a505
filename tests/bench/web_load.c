/* SPDX-License-Identifier: ISC */
/*
 * Readers of a web server, for measures.
 *
 *   web_load get PORT TARGET CONNECTIONS MS
 *	asks for a target on so many connections, again and again, and prints
 *	{"replies","bytes","ms"}
 *   web_load streams PORT TARGET CONNECTIONS
 *	opens so many streams, prints {"open"} once each has its headers, and
 *	when all have had an event {"first_us","last_us","bytes"}: when the
 *	first and the last of them had it; then it waits for the end of its
 *	input
 *
 *   web_load paced PORT TARGET MS
 *	asks for a target on one connection, so many milliseconds after each
 *	reply; at each line of its input it prints how long replies took since
 *	the last, {"replies","p50_us","p99_us","most_us"}, until that ends
 *
 * A reply that is none, a connection that ends, and a minute without any news
 * end it with a fault.
 */
#include <sys/epoll.h>
#include <sys/socket.h>

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define WEB_LOAD_HEAD 4096 /* bytes of headers at most */
#define WEB_LOAD_PIECE 65536
#define WEB_LOAD_EVENTS 512
#define WEB_LOAD_PATIENCE_MS 60000
#define WEB_LOAD_WAITS 1000000 /* replies that are remembered */
#define WEB_LOAD_OPEN 256 /* connections that are being made at a time */

/* A connection. */
struct web_load_conn {
	int fd;
	char head[WEB_LOAD_HEAD + 1]; /* headers so far */
	size_t n_head;
	bool has_head;
	bool has_event;
	long left; /* of the body */
};

struct web_load {
	int epoll;
	char request[1024];
	size_t len;
	bool is_stream;
	bool is_paced; /* it asks by itself, when it is time */
	struct web_load_conn *conns; /* owned: n of them */
	long n;
	long open; /* streams with their headers */
	long events; /* streams that have had one */
	long replies;
	long long bytes;
	int64_t first_us, last_us;
};

/* Says what went wrong, and ends. */
static void __attribute__((noreturn)) web_load_die(const char *what)
{
	(void)fprintf(stderr, "web_load: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Microseconds of a clock that only goes on. */
static int64_t
web_load_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
}

/* Asks for the target. */
static void
web_load_ask(struct web_load *l, struct web_load_conn *c)
{
	c->has_head = false;
	c->n_head = 0;
	if (write(c->fd, l->request, l->len) != (ssize_t)l->len)
		web_load_die("write");
}

/* Makes a connection. */
static void
web_load_connect(struct web_load *l, struct web_load_conn *c, int port)
{
	const struct sockaddr_in in4 = {.sin_family = AF_INET,
	    .sin_port = htons((uint16_t)port),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct epoll_event ev = {.events = EPOLLIN, .data.ptr = c};
	const int on = 1;

	if ((c->fd = socket(AF_INET, SOCK_STREAM, 0)) == -1 ||
	    connect(c->fd, (const struct sockaddr *)&in4, sizeof(in4)) != 0)
		web_load_die("connect");
	(void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (fcntl(c->fd, F_SETFL, O_NONBLOCK) != 0 ||
	    epoll_ctl(l->epoll, EPOLL_CTL_ADD, c->fd, &ev) != 0)
		web_load_die("epoll");
	web_load_ask(l, c);
}

/* Takes headers; the bytes after them that are there already. */
static size_t
web_load_head(
    struct web_load *l, struct web_load_conn *c, const char *p, size_t n)
{
	const size_t before = c->n_head;
	const char *end, *length;
	size_t room = WEB_LOAD_HEAD - c->n_head;

	if (room > n)
		room = n;
	memcpy(c->head + c->n_head, p, room);
	c->n_head += room;
	c->head[c->n_head] = '\0';
	end = strstr(c->head, "\r\n\r\n");
	if (end == NULL && c->n_head == WEB_LOAD_HEAD)
		web_load_die("headers");
	if (end == NULL)
		return (0);
	if (strncmp(c->head, "HTTP/1.1 200 ", 13) != 0) {
		(void)fprintf(stderr, "%.200s\n", c->head);
		web_load_die("status");
	}
	c->has_head = true;
	l->open++;
	length = strcasestr(c->head, "\r\ncontent-length: ");
	c->left = length == NULL ? -1 : strtol(length + 18, NULL, 10);
	if (!l->is_stream && c->left < 0)
		web_load_die("length");
	return (n - ((size_t)(end + 4 - c->head) - before));
}

/* Takes bytes that came. */
static void
web_load_take(
    struct web_load *l, struct web_load_conn *c, const char *p, size_t n)
{
	size_t rest = n;

	l->bytes += (long long)n;
	if (!c->has_head)
		rest = web_load_head(l, c, p, n);
	if (!c->has_head || rest == 0)
		return;
	if (!l->is_stream) {
		c->left -= (long)rest;
		if (c->left < 0)
			web_load_die("body");
		if (c->left == 0) {
			l->replies++;
			if (!l->is_paced)
				web_load_ask(l, c);
		}
	} else if (!c->has_event &&
	    memmem(p + n - rest, rest, "event: line", 11) != NULL) {
		c->has_event = true;
		l->last_us = web_load_us();
		if (l->events++ == 0)
			l->first_us = l->last_us;
	}
}

/* Waits for something, and takes it. */
static void
web_load_turn(struct web_load *l)
{
	static char piece[WEB_LOAD_PIECE];
	struct epoll_event events[WEB_LOAD_EVENTS];
	struct web_load_conn *c;
	ssize_t got;
	int i, n;

	n = epoll_wait(l->epoll, events, WEB_LOAD_EVENTS, WEB_LOAD_PATIENCE_MS);
	if (n <= 0)
		web_load_die("nothing comes");
	for (i = 0; i < n; i++) {
		c = events[i].data.ptr;
		got = read(c->fd, piece, sizeof(piece));
		if (got == 0 || (got < 0 && errno != EAGAIN))
			web_load_die("a connection has ended");
		if (got > 0)
			web_load_take(l, c, piece, (size_t)got);
	}
}

/* Streams, until each has had an event. */
static void
web_load_streams(struct web_load *l, int port)
{
	long i;

	for (i = 0; i < l->n; i++) {
		web_load_connect(l, &l->conns[i], port);
		while (i + 1 - l->open >= WEB_LOAD_OPEN)
			web_load_turn(l);
	}
	while (l->open < l->n)
		web_load_turn(l);
	(void)printf("{\"open\":%ld}\n", l->open);
	(void)fflush(stdout);
	l->bytes = 0;
	while (l->events < l->n)
		web_load_turn(l);
	(void)printf("{\"first_us\":%lld,\"last_us\":%lld,\"bytes\":%lld}\n",
	    (long long)l->first_us, (long long)l->last_us, l->bytes);
	(void)fflush(stdout);
	while (getchar() != EOF)
		continue;
}

/* Compares numbers. */
static int
web_load_cmp(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x < y ? -1 : x > y);
}

/* Prints how long replies took. */
static void
web_load_waits(int64_t *us, size_t n)
{
	qsort(us, n, sizeof(*us), web_load_cmp);
	if (n == 0)
		(void)printf("{\"replies\":0}\n");
	else
		(void)printf("{\"replies\":%zu,\"p50_us\":%lld,\"p99_us\":"
			     "%lld,\"most_us\":%lld}\n",
		    n, (long long)us[n / 2], (long long)us[n * 99 / 100],
		    (long long)us[n - 1]);
	(void)fflush(stdout);
}

/* Asks each so often, until the input ends. */
static void
web_load_paced(struct web_load *l, int port, long pause_ms)
{
	static int64_t us[WEB_LOAD_WAITS];
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	int64_t from_us;
	char c = '\0';
	size_t n = 0;
	long before;

	from_us = web_load_us();
	web_load_connect(l, &l->conns[0], port);
	for (;;) {
		before = l->replies;
		while (l->replies == before)
			web_load_turn(l);
		if (n < WEB_LOAD_WAITS)
			us[n++] = web_load_us() - from_us;
		while (poll(&in, 1, (int)pause_ms) > 0) {
			if (read(STDIN_FILENO, &c, 1) != 1)
				return;
			if (c == '\n') {
				web_load_waits(us, n);
				n = 0;
			}
		}
		from_us = web_load_us();
		web_load_ask(l, &l->conns[0]);
	}
}

int
main(int argc, char *argv[])
{
	struct web_load l = {.n = 0};
	int64_t begun_us, ms;
	long i;

	if (argc < 5)
		web_load_die(
		    "usage: web_load get|streams|paced PORT TARGET N [MS]");
	l.is_stream = strcmp(argv[1], "streams") == 0;
	l.is_paced = strcmp(argv[1], "paced") == 0;
	l.n = l.is_paced ? 1 : strtol(argv[4], NULL, 10);
	l.len = (size_t)snprintf(l.request, sizeof(l.request),
	    "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: "
	    "gzip\r\n\r\n",
	    argv[3]);
	if ((l.epoll = epoll_create1(0)) == -1 ||
	    (l.conns = calloc((size_t)l.n, sizeof(*l.conns))) == NULL)
		web_load_die("memory");
	if (l.is_stream) {
		web_load_streams(&l, (int)strtol(argv[2], NULL, 10));
		return (0);
	}
	if (l.is_paced) {
		web_load_paced(&l, (int)strtol(argv[2], NULL, 10),
		    strtol(argv[4], NULL, 10));
		return (0);
	}
	for (i = 0; i < l.n; i++)
		web_load_connect(
		    &l, &l.conns[i], (int)strtol(argv[2], NULL, 10));
	ms = argc > 5 ? strtol(argv[5], NULL, 10) : 1000;
	begun_us = web_load_us();
	while (web_load_us() - begun_us < 1000 * ms)
		web_load_turn(&l);
	(void)printf("{\"replies\":%ld,\"bytes\":%lld,\"ms\":%.3f}\n",
	    l.replies, l.bytes, (double)(web_load_us() - begun_us) / 1000);
	return (0);
}
