/* SPDX-License-Identifier: ISC */
/*
 * The other end of measures.  Each prints JSON objects, a line each.
 *
 *   peer ask HOST PORT CONNECTIONS FILE
 *	sends the next lines of FILE, one on each connection in turn, and waits
 *	for the answers; as often as a number on its standard input says, once
 *	for each such line.  After the last line of FILE comes the first.
 *	"sizes" are those of the last answers to each line, LF included, and
 *	"answer" is the very first one if it is short
 *   peer shake HOST PORT COUNT
 *	full handshakes, one after the other
 *   peer idle HOST PORT CONNECTIONS FIRST
 *	keeps connections until its standard input ends, and says when they
 *	are there.  Each comes from an address of its own, the first from the
 *	FIRST after 127.1.0.0
 *
 * With --login at the end each connection logs in, with an account of its own;
 * with --register it makes that first, if need be.  The accounts are counted
 * like the addresses.
 */
#include <sys/resource.h>
#include <sys/socket.h>

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/net/conn.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/clock.h"

#include "tests/tools/player.h"

#define PEER_SEED 1815
#define PEER_SHOWN 400 /* bytes of an answer that is short */
#define PEER_MAX 8388608
#define PEER_NET 0x7f010000 /* 127.1.0.0 */
#define PEER_ADDRESSES 65535 /* in it */

/* What is asked of it. */
struct peer {
	const char *host, *port;
	bool is_login, is_new; /* with accounts; that may not be there yet */
	size_t n; /* connections */
	size_t first; /* number of the first account, and of its address */
	bool is_spread; /* over addresses */
	struct conn **conns; /* owned, and each of them */
	struct player *players; /* likewise, those with a login */
};

int __real_connect(int fd, const struct sockaddr *sa, socklen_t len);
int __wrap_connect(int fd, const struct sockaddr *sa, socklen_t len);

static uint32_t peer_from; /* where the next connection comes from; 0 */

/* What the client's library calls: connects from an address that was chosen. */
int
__wrap_connect(int fd, const struct sockaddr *sa, socklen_t len)
{
	struct sockaddr_in from = {.sin_family = AF_INET};

	from.sin_addr.s_addr = htonl(peer_from);
	if (peer_from != 0 && bind(fd, (const void *)&from, sizeof(from)) == -1)
		player_die("bind", strerror(errno));
	return (__real_connect(fd, sa, len));
}

/* Opens one connection. */
static struct conn *
peer_open(const struct peer *p)
{
	struct errinfo e = {.text = ""};
	struct conn *c;

	if (conn_open(p->host, p->port, PLAYER_WAIT_MS, &c, &e) != 0)
		player_die("connect", e.text);
	return (c);
}

/* Opens all of them. */
static void
peer_open_all(struct peer *p)
{
	struct errinfo e = {.text = ""};
	char account[32];
	size_t i;

	p->conns = xalloc(p->n * sizeof(*p->conns));
	if (p->is_login)
		p->players = xalloc(p->n * sizeof(*p->players));
	for (i = 0; i < p->n; i++) {
		if (p->is_spread)
			peer_from = (uint32_t)(PEER_NET + p->first + i);
		if (!p->is_login) {
			p->conns[i] = peer_open(p);
			continue;
		}
		(void)snprintf(
		    account, sizeof(account), "peer-%zu", p->first + i);
		player_init(
		    &p->players[i], p->host, p->port, account, PEER_SEED);
		p->players[i].is_registered = !p->is_new;
		if (player_connect(&p->players[i], &e) != 0)
			player_die("login", e.text);
		p->conns[i] = p->players[i].conn;
	}
}

/* Closes all of them. */
static void
peer_close_all(struct peer *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		if (p->is_login)
			player_clear(&p->players[i]);
		else
			conn_close(p->conns[i]);
	}
	free(p->players);
	free(p->conns);
}

/* What is asked, and what came. */
struct peer_asking {
	struct buf text; /* the file */
	size_t n, next; /* lines, and the one to be asked next */
	const char **lines; /* owned; borrowed from text */
	size_t *lens; /* owned: with the LF */
	size_t *sizes; /* owned: of the last answers; 0: none yet */
	struct buf first; /* the first answer */
};

/* Asks on each connection, and takes each answer. */
static void
peer_round(struct peer *p, struct peer_asking *a)
{
	struct errinfo e = {.text = ""};
	const char *line;
	size_t i, k, len;

	for (i = 0; i < p->n; i++) {
		k = (a->next + i) % a->n;
		if (conn_send(p->conns[i], a->lines[k], a->lens[k], &e) != 0)
			player_die("ask", e.text);
	}
	for (i = 0; i < p->n; i++) {
		if (conn_line(p->conns[i], PLAYER_WAIT_MS, &line, &len, &e) !=
		    0)
			player_die("answer", e.text);
		if (a->first.len == 0)
			buf_add(&a->first, line, len);
		a->sizes[(a->next + i) % a->n] = len + 1;
	}
	a->next = (a->next + p->n) % a->n;
}

/* Reads the requests: the lines of a file. */
static void
peer_requests(struct peer_asking *a, const char *path)
{
	struct errinfo e = {.text = ""};
	const char *at, *end;
	size_t i;

	if (file_read(path, PEER_MAX, &a->text, &e) != 0)
		player_die(path, e.text);
	for (at = buf_str(&a->text); (at = strchr(at, '\n')) != NULL; at++)
		a->n++;
	if (a->n == 0)
		player_die(path, "it has no line");
	a->lines = xalloc(a->n * sizeof(*a->lines));
	a->lens = xalloc(a->n * sizeof(*a->lens));
	a->sizes = xalloc(a->n * sizeof(*a->sizes));
	at = buf_str(&a->text);
	for (i = 0; i < a->n; i++) {
		end = strchr(at, '\n');
		a->lines[i] = at;
		a->lens[i] = (size_t)(end + 1 - at);
		a->sizes[i] = 0;
		at = end + 1;
	}
}

/* Tells of so many rounds in so long. */
static void
peer_tell(struct peer *p, struct peer_asking *a, long rounds, int64_t wall_ms)
{
	size_t i;

	(void)printf("{\"requests\":%zu,\"wall_ms\":%lld,\"sizes\":[",
	    (size_t)rounds * p->n, (long long)wall_ms);
	for (i = 0; i < a->n; i++)
		(void)printf("%s%zu", i == 0 ? "" : ",", a->sizes[i]);
	(void)printf("]");
	if (a->first.len <= PEER_SHOWN)
		(void)printf(",\"answer\":%s", buf_str(&a->first));
	(void)printf("}\n");
	(void)fflush(stdout);
}

/* Asks. */
static void
peer_ask(struct peer *p, const char *path)
{
	struct peer_asking a = {.n = 0};
	char line[32];
	int64_t began_ms;
	long i, rounds;

	buf_init(&a.text, 0);
	buf_init(&a.first, 0);
	peer_requests(&a, path);
	peer_open_all(p);
	while (fgets(line, sizeof(line), stdin) != NULL) {
		rounds = strtol(line, NULL, 10);
		began_ms = clock_mono_ms();
		for (i = 0; i < rounds; i++)
			peer_round(p, &a);
		peer_tell(p, &a, rounds, clock_mono_ms() - began_ms);
	}
	peer_close_all(p);
	free(a.lines);
	free(a.lens);
	free(a.sizes);
	buf_clear(&a.text);
	buf_clear(&a.first);
}

/* Shakes hands. */
static void
peer_shake(struct peer *p, long count)
{
	const int64_t began_ms = clock_mono_ms();
	long i;

	for (i = 0; i < count; i++)
		conn_close(peer_open(p));
	(void)printf("{\"handshakes\":%ld,\"wall_ms\":%lld}\n", count,
	    (long long)(clock_mono_ms() - began_ms));
}

/* Keeps connections. */
static void
peer_idle(struct peer *p)
{
	char word[16];

	peer_open_all(p);
	(void)printf("{\"connections\":%zu}\n", p->n);
	(void)fflush(stdout);
	while (fgets(word, sizeof(word), stdin) != NULL)
		continue;
	/* The end of the process closes them sooner than we could. */
	_exit(0);
}

/* As many connections as may be. */
static void
peer_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == -1)
		player_die("limits", "cannot be read");
	limit.rlim_cur = limit.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &limit) == -1)
		player_die("limits", "cannot be set");
}

/* Reads a number of the command line. */
static size_t
peer_number(const char *text, long least)
{
	const long n = strtol(text, NULL, 10);

	if (n < least || n > PEER_ADDRESSES)
		player_die(text, "a number is out of range");
	return ((size_t)n);
}

int
main(int argc, char **argv)
{
	struct peer p = {.host = NULL};
	const char *last = argc > 1 ? argv[argc - 1] : "";

	p.is_new = strcmp(last, "--register") == 0;
	p.is_login = p.is_new || strcmp(last, "--login") == 0;
	argc -= p.is_login;
	if (argc < 5)
		player_die("usage", "ask, shake or idle HOST PORT COUNT ...");
	p.host = argv[2];
	p.port = argv[3];
	p.n = peer_number(argv[4], 1);
	(void)signal(SIGPIPE, SIG_IGN);
	peer_raise_limit();
	if (strcmp(argv[1], "ask") == 0 && argc == 6) {
		peer_ask(&p, argv[5]);
	} else if (strcmp(argv[1], "shake") == 0 && argc == 5) {
		peer_shake(&p, (long)p.n);
	} else if (strcmp(argv[1], "idle") == 0 && argc == 6) {
		p.first = peer_number(argv[5], 0) + 1;
		p.is_spread = true;
		peer_idle(&p);
	} else {
		player_die("usage", "ask, shake or idle HOST PORT COUNT ...");
	}
	return (0);
}
