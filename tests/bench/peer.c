/* SPDX-License-Identifier: ISC */
/*
 * The other end of measures.  Each prints JSON objects, a line each.
 *
 *   peer ask HOST PORT CONNECTIONS FILE
 *	sends the lines of FILE, one on each connection in turn, and waits for
 *	the answers; as often as a number on its standard input says, once for
 *	each such line.  "sizes" are those of the answers, LF included, and
 *	"answer" is the first one if it is short
 *   peer shake HOST PORT COUNT
 *	full handshakes, one after the other
 *   peer idle HOST PORT CONNECTIONS
 *	keeps connections until its standard input ends, and says when they
 *	are there
 *
 * With --login at the end each connection logs in, as one of a few accounts.
 */
#include <sys/resource.h>

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/conn.h"
#include "client/file.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/clock.h"

#include "tests/tools/player.h"

#define PEER_ACCOUNTS 64
#define PEER_SEED 1815
#define PEER_SHOWN 400 /* bytes of an answer that is short */
#define PEER_MAX 1048576

/* What is asked of it. */
struct peer {
	const char *host, *port;
	bool is_login;
	size_t n; /* connections */
	struct conn **conns; /* owned, and each of them */
	struct player *players; /* likewise, those with a login */
};

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
		if (!p->is_login) {
			p->conns[i] = peer_open(p);
			continue;
		}
		(void)snprintf(
		    account, sizeof(account), "peer-%zu", i % PEER_ACCOUNTS);
		player_init(
		    &p->players[i], p->host, p->port, account, PEER_SEED);
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
	const char **lines; /* owned; borrowed from text, one a connection */
	size_t *lens; /* owned: with the LF */
	size_t *sizes; /* owned: of the last answers */
	struct buf first; /* the first answer */
};

/* Asks on each connection, and takes each answer. */
static void
peer_round(struct peer *p, struct peer_asking *a)
{
	struct errinfo e = {.text = ""};
	const char *line;
	size_t i, len;

	for (i = 0; i < p->n; i++) {
		if (conn_send(p->conns[i], a->lines[i], a->lens[i], &e) != 0)
			player_die("ask", e.text);
	}
	for (i = 0; i < p->n; i++) {
		if (conn_line(p->conns[i], PLAYER_WAIT_MS, &line, &len, &e) !=
		    0)
			player_die("answer", e.text);
		if (a->first.len == 0)
			buf_add(&a->first, line, len);
		a->sizes[i] = len + 1;
	}
}

/* Reads the requests: the lines of a file, one for each connection. */
static void
peer_requests(const struct peer *p, struct peer_asking *a, const char *path)
{
	struct errinfo e = {.text = ""};
	const char *at, *end;
	size_t i;

	if (file_read(path, PEER_MAX, &a->text, &e) != 0)
		player_die(path, e.text);
	at = buf_str(&a->text);
	for (i = 0; i < p->n; i++) {
		if (*at == '\0')
			at = a->text.data;
		if ((end = strchr(at, '\n')) == NULL)
			player_die(path, "its last line does not end");
		a->lines[i] = at;
		a->lens[i] = (size_t)(end + 1 - at);
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
	for (i = 0; i < p->n; i++)
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
	struct peer_asking a;
	char line[32];
	int64_t began_ms;
	long i, rounds;

	buf_init(&a.text, 0);
	buf_init(&a.first, 0);
	a.lines = xalloc(p->n * sizeof(*a.lines));
	a.lens = xalloc(p->n * sizeof(*a.lens));
	a.sizes = xalloc(p->n * sizeof(*a.sizes));
	peer_requests(p, &a, path);
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

int
main(int argc, char **argv)
{
	struct peer p = {.host = NULL};
	long n;

	p.is_login = argc > 1 && strcmp(argv[argc - 1], "--login") == 0;
	argc -= p.is_login;
	if (argc < 5 || (n = strtol(argv[4], NULL, 10)) < 1)
		player_die("usage", "ask, shake or idle HOST PORT COUNT ...");
	p.host = argv[2];
	p.port = argv[3];
	p.n = (size_t)n;
	(void)signal(SIGPIPE, SIG_IGN);
	peer_raise_limit();
	if (strcmp(argv[1], "ask") == 0 && argc == 6)
		peer_ask(&p, argv[5]);
	else if (strcmp(argv[1], "shake") == 0 && argc == 5)
		peer_shake(&p, n);
	else if (strcmp(argv[1], "idle") == 0 && argc == 5)
		peer_idle(&p);
	else
		player_die("usage", "ask, shake or idle HOST PORT COUNT ...");
	return (0);
}
