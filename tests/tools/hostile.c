/* SPDX-License-Identifier: ISC */
/*
 * hostile KIND HOST PORT CONNECTIONS ADDRESSES FIRST [ROSTER]: clients that
 * wish a server ill, so many at once, from so many addresses, of which the
 * first is FIRST after 127.1.0.0.  A connection that the server ends is made
 * again.  "ready" is printed once all have been made for the first time.  On a
 * line of standard input, or its end, it prints what it did and ends; if the
 * line is a number, once it has made so many connections, and has left them.
 * What is by chance comes of UMPIRE_SEED and FIRST.
 *
 *   silent      connects and says nothing
 *   hello       sends the first message of a handshake, and nothing more
 *   plain       speaks HTTP without TLS
 *   knock       shakes hands and leaves, again and again
 *   drip        sends a byte of a request a second
 *   unfinished  sends 60,000 bytes of a request that has no end
 *   endless     sends a line of a gigabyte
 *   deaf        asks for much and reads nothing
 *   pipeline    sends 10,000 requests without waiting
 *   json        sends nested, repeated and broken JSON, in long lines
 *   login       tries to log in, and to register, with wrong signatures
 *   orders      sends orders as fast as they are taken, by eight accounts
 *   dhe         says the same hello, with a share of ffdhe8192, again and again
 *               and leaves, all from one address: FIRST after 127.2.0.0
 *   p256        likewise with a share of P-256, from FIRST after 127.3.0.0
 *   all         each of those in turn
 *   visit       leaves after connecting, a hello, a handshake or an answer, in
 *               turn; no attack
 *
 * hostile good HOST PORT ROSTER: the client that must not suffer
 * (hostile_good.c).
 */
#include <sys/epoll.h>
#include <sys/socket.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/crypt/hash.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/rpc.h"
#include "tests/tools/hostile.h"
#include "tests/tools/player.h"

#define HOSTILE_TRIES 50 /* to connect, for what goes before an attack */
#define HOSTILE_AGAIN_MS 200 /* before a connection is made again */
#define HOSTILE_DRIP_MS 1000
#define HOSTILE_SEND 16384 /* bytes at once */
#define HOSTILE_MAX 20000 /* connections */
#define HOSTILE_ACCOUNTS 8
#define HOSTILE_CHATS 32 /* different orders for each connection */
#define HOSTILE_CHATS_MIN 64 /* of each account */
#define HOSTILE_CHATS_MAX 2000
#define HOSTILE_ORDERS_SEND 4096 /* bytes of orders at once */
#define HOSTILE_ENDLESS 1000000000

enum hostile_kind {
	HOSTILE_SILENT,
	HOSTILE_HELLO,
	HOSTILE_PLAIN,
	HOSTILE_KNOCK,
	HOSTILE_DRIP,
	HOSTILE_UNFINISHED,
	HOSTILE_ENDLESS_LINE,
	HOSTILE_DEAF,
	HOSTILE_PIPELINE,
	HOSTILE_JSON,
	HOSTILE_LOGIN,
	HOSTILE_ORDERS,
	HOSTILE_DHE,
	HOSTILE_P256,
	HOSTILE_VISIT,
	HOSTILE_KINDS,
};

#define HOSTILE_ATTACKS HOSTILE_VISIT /* kinds of "all" */

/* How a visit ends. */
enum hostile_visit {
	HOSTILE_VISIT_CONNECT,
	HOSTILE_VISIT_HELLO,
	HOSTILE_VISIT_SHAKE,
	HOSTILE_VISIT_ANSWER,
	HOSTILE_VISITS,
};

static const char *const hostile_names[HOSTILE_KINDS + 1] = {"silent", "hello",
    "plain", "knock", "drip", "unfinished", "endless", "deaf", "pipeline",
    "json", "login", "orders", "dhe", "p256", "visit", "all"};

/* What one kind sends after its handshake. */
struct hostile_plan {
	struct buf bytes;
	size_t total; /* sent of it, over and over; 0: without end */
	bool is_deaf; /* reads nothing */
};

/* Who gives orders. */
struct hostile_account {
	struct match *m; /* owned; its first player is the account */
	struct buf orders;
	size_t sent; /* of them, by all its connections */
};

struct hostile_conn {
	enum hostile_kind kind;
	unsigned n;
	int fd; /* -1: none */
	SSL *ssl; /* owned; NULL before TLS */
	bool is_open; /* the handshake is done */
	struct buf own; /* sent first: a login */
	size_t sent;
	const char *orders; /* borrowed: the next to send, of its account */
	size_t orders_len;
	unsigned visits; /* says how the next one ends */
	int64_t next_ms; /* connects, or sends the next byte */
};

struct hostile {
	SSL_CTX *ctx;
	struct sockaddr_in to;
	unsigned addresses;
	unsigned first;
	struct hostile_plan plans[HOSTILE_KINDS];
	struct hostile_account accounts[HOSTILE_ACCOUNTS];
	struct hostile_conn *conns; /* owned */
	size_t n;
	int epoll;
	long long until; /* connections to make; 0: without end */
	/* What was done; missed: for want of a descriptor or a port. */
	long long made, missed, ended, shaken, sent, received;
};

/* Adds a request of some method as often as is said. */
static void
hostile_add(struct buf *b, const char *method, const char *params, int times)
{
	int i;

	for (i = 0; i < times; i++)
		buf_printf(b,
		    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\","
		    "\"params\":%s}\n",
		    i, method, params);
}

/* Adds a line of so many times the same, between two others. */
static void
hostile_line(struct buf *b, const char *head, const char *piece, int times,
    const char *tail)
{
	int i;

	buf_puts(b, head);
	for (i = 0; i < times; i++)
		buf_puts(b, piece);
	buf_puts(b, tail);
}

/* What the kind "json" sends. */
static void
hostile_plan_json(struct buf *b)
{
	const char *head =
	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"game.list\","
	    "\"params\":";
	int i;

	hostile_line(b, head, "[", 60000, "}\n");
	hostile_line(b, head, "[],", 21000, "1]}\n");
	buf_puts(b, head);
	buf_puts(b, "{\"x\":[");
	hostile_line(b, "", "[],", 21000, "1]}}\n");
	buf_puts(b, head);
	buf_putc(b, '{');
	for (i = 0; i < 5000; i++)
		buf_printf(b, "\"k%d\":%d,", i, i);
	buf_puts(b, "\"k0\":1}}\n");
	buf_puts(b, head);
	hostile_line(b, "\"", "\\u00e4", 10000, "\"}\n");
	hostile_line(b, "{", "\"a\":1,", 10000, "\"a\":2}\n");
}

/* What the kind "login" sends. */
static void
hostile_plan_login(struct buf *b)
{
	const char *key = "d75a980182b10ab7d54bfed3c964073a"
			  "0ee172f3daa62325af021a68f707511a";
	char params[512];

	(void)snprintf(params, sizeof(params),
	    "{\"account\":\"nobody\",\"key\":\"%s\",\"sig\":\"%s%s\"}", key,
	    key, key);
	hostile_add(b, "account.login", params, 4);
	hostile_add(b, "account.register", params, 4);
}

/* Records the hello of a client that wants one group and has a share of it. */
static void
hostile_record(const char *group, struct buf *out)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());
	BIO *in = BIO_new(BIO_s_mem()), *sent = BIO_new(BIO_s_mem());
	SSL *ssl;
	char *p;
	long n;

	if (ctx == NULL || in == NULL || sent == NULL ||
	    SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set1_groups_list(ctx, group) != 1 ||
	    (ssl = SSL_new(ctx)) == NULL)
		player_die(group, "no hello can be made");
	SSL_set_bio(ssl, in, sent);
	(void)SSL_connect(ssl);
	n = BIO_get_mem_data(sent, &p);
	buf_add(out, p, (size_t)n);
	if (n <= 0 || buf_error(out) != 0)
		player_die(group, "no hello was made");
	SSL_free(ssl);
	SSL_CTX_free(ctx);
	ERR_clear_error();
}

/* Makes what each kind sends. */
static void
hostile_plan(struct hostile *h)
{
	struct hostile_plan *p = h->plans;
	int i;

	for (i = 0; i < HOSTILE_KINDS; i++)
		buf_init(&p[i].bytes, 0);
	buf_puts(&p[HOSTILE_PLAIN].bytes, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
	p[HOSTILE_PLAIN].total = p[HOSTILE_PLAIN].bytes.len;
	hostile_add(&p[HOSTILE_DRIP].bytes, "game.list", "{}", 100);
	hostile_line(&p[HOSTILE_UNFINISHED].bytes, "{", " ", 59999, "");
	p[HOSTILE_UNFINISHED].total = p[HOSTILE_UNFINISHED].bytes.len;
	hostile_line(
	    &p[HOSTILE_ENDLESS_LINE].bytes, "{\"x\":\"", "x", 65536, "");
	p[HOSTILE_ENDLESS_LINE].total = HOSTILE_ENDLESS;
	hostile_add(&p[HOSTILE_DEAF].bytes, "rpc.discover", "{}", 32);
	p[HOSTILE_DEAF].is_deaf = true;
	hostile_add(&p[HOSTILE_PIPELINE].bytes, "rpc.discover", "{}", 2000);
	hostile_add(&p[HOSTILE_PIPELINE].bytes, "server.hello", "{}", 2000);
	hostile_add(
	    &p[HOSTILE_PIPELINE].bytes, "game.list", "{\"limit\":200}", 6000);
	hostile_plan_json(&p[HOSTILE_JSON].bytes);
	hostile_plan_login(&p[HOSTILE_LOGIN].bytes);
	hostile_record("ffdhe8192", &p[HOSTILE_DHE].bytes);
	hostile_record("P-256", &p[HOSTILE_P256].bytes);
	hostile_add(&p[HOSTILE_VISIT].bytes, "server.hello", "{}", 1);
	p[HOSTILE_VISIT].total = p[HOSTILE_VISIT].bytes.len;
	for (i = 0; i < HOSTILE_KINDS; i++) {
		if (buf_error(&p[i].bytes) != 0)
			player_die("plan", "out of memory");
	}
}

uint64_t
hostile_seed(void)
{
	const char *word = getenv("UMPIRE_SEED");
	uint64_t seed;

	if (word != NULL)
		return (strtoull(word, NULL, 10));
	if (hash_random(&seed, sizeof(seed)) != 0)
		player_die("random", "none");
	return (seed >> 1);
}

char *
hostile_file(const char *path)
{
	struct errinfo e = {.text = ""};
	struct buf b;

	buf_init(&b, 0);
	if (file_read(path, RECORD_BLOB_MAX, &b, &e) != 0)
		player_die(path, e.text);
	return (xalloc_take(&b));
}

/*
 * Makes accounts that have a game, and n orders to send in it, each of which is
 * another: who sends one again is only told what came of it.
 */
static void
hostile_enlist(struct hostile *h, const char *host, const char *port,
    const char *roster, int n)
{
	const uint64_t seed = hostile_seed() + h->first;
	struct errinfo e = {.text = ""};
	struct hostile_account *a;
	struct player_order o;
	struct player *p;
	int i, k, tries;

	for (i = 0; i < HOSTILE_ACCOUNTS; i++) {
		a = &h->accounts[i];
		a->m = match_new(host, port, i + 1, seed, roster);
		/* Those of an attack just before may still be in the way. */
		tries = 0;
		while (match_connect(a->m, &e) != 0) {
			if (++tries == HOSTILE_TRIES)
				player_die("connect", e.text);
			(void)poll(NULL, 0, HOSTILE_AGAIN_MS);
		}
		while (!match_is_play(a->m)) {
			if (match_play(a->m, NULL, &e) != 0)
				player_die("order", e.text);
		}
		p = match_player(a->m, 1);
		buf_init(&a->orders, 0);
		for (k = 0; k < n; k++) {
			player_chat(p, game_id(match_game(a->m)), 1,
			    match_seq(a->m), game_head(match_game(a->m)),
			    "again and again", &o);
			rpc_write_request(&a->orders, k, o.method, o.params);
			player_order_clear(&o);
		}
		if (buf_error(&a->orders) != 0)
			player_die("orders", "out of memory");
		player_disconnect(p);
		player_disconnect(match_player(a->m, 2));
	}
}

/* Writes a login of the connection's account as its first bytes. */
static void
hostile_login(struct hostile *h, struct hostile_conn *c)
{
	const struct player *p =
	    match_player(h->accounts[c->n % HOSTILE_ACCOUNTS].m, 1);
	const char *label = "EXPORTER-Channel-Binding";
	uint8_t exporter[CONN_EXPORTER_LEN], sig[SIGN_LEN];
	struct buf b;

	buf_init(&b, 0);
	if (SSL_export_keying_material(c->ssl, exporter, sizeof(exporter),
		label, strlen(label), NULL, 0, 0) != 1)
		player_die("login", "no exporter");
	buf_add(&b, exporter, sizeof(exporter));
	buf_add(&b, p->server, SIGN_KEY_LEN);
	buf_u8(&b, (unsigned)strlen(p->account));
	buf_puts(&b, p->account);
	if (buf_error(&b) != 0 ||
	    sign_make(&p->keys.sign, SIGN_TAG_LOGIN, b.data, b.len, sig) != 0)
		player_die("login", "cannot sign");
	buf_clear(&b);
	buf_printf(&c->own,
	    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"account.login\","
	    "\"params\":{\"account\":\"%s\",\"key\":\"",
	    p->account);
	buf_hex(&c->own, p->keys.sign.public_key, SIGN_KEY_LEN);
	buf_puts(&c->own, "\",\"sig\":\"");
	buf_hex(&c->own, sig, sizeof(sig));
	buf_puts(&c->own, "\"}}\n");
}

/* True for what only says hello, by a share of some group, and leaves. */
static bool
hostile_is_greeter(enum hostile_kind kind)
{
	return (kind == HOSTILE_DHE || kind == HOSTILE_P256);
}

/* Ends a connection; it is made again after a while. */
static void
hostile_end(struct hostile *h, struct hostile_conn *c)
{
	SSL_free(c->ssl);
	c->ssl = NULL;
	if (c->fd != -1) {
		(void)close(c->fd);
		h->ended++;
	}
	c->fd = -1;
	c->is_open = false;
	c->sent = 0;
	c->orders_len = 0;
	c->visits++;
	buf_clear(&c->own);
	c->next_ms = clock_mono_ms() +
	    (c->kind == HOSTILE_KNOCK || c->kind == HOSTILE_DHE ||
			c->kind == HOSTILE_VISIT
		    ? 1
		    : HOSTILE_AGAIN_MS);
}

/* The address that a connection comes from. */
static uint32_t
hostile_address(const struct hostile *h, const struct hostile_conn *c)
{
	const uint32_t net = 0x7f010000; /* 127.1.0.0 */

	/* They must not spend what others may have. */
	if (hostile_is_greeter(c->kind))
		return (net + (c->kind == HOSTILE_DHE ? 0x10000 : 0x20000) +
		    h->first);
	return (net + h->first + c->n % h->addresses);
}

/* Connects from the connection's own address. */
static void
hostile_connect(struct hostile *h, struct hostile_conn *c)
{
	struct sockaddr_in from = {.sin_family = AF_INET};
	struct epoll_event ev = {
	    .events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.ptr = c};
	const int little = 4096;

	from.sin_addr.s_addr = htonl(hostile_address(h, c));
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (c->fd == -1 ||
	    bind(c->fd, (const void *)&from, sizeof(from)) == -1 ||
	    (connect(c->fd, (const void *)&h->to, sizeof(h->to)) == -1 &&
		errno != EINPROGRESS) ||
	    epoll_ctl(h->epoll, EPOLL_CTL_ADD, c->fd, &ev) == -1) {
		h->missed++;
		hostile_end(h, c);
		return;
	}
	h->made++;
	c->next_ms = 0;
	/* Nor shall the system take much for who reads nothing. */
	if (h->plans[c->kind].is_deaf)
		(void)setsockopt(
		    c->fd, SOL_SOCKET, SO_RCVBUF, &little, sizeof(little));
	if (c->kind == HOSTILE_SILENT || c->kind == HOSTILE_PLAIN ||
	    hostile_is_greeter(c->kind))
		return;
	if ((c->ssl = SSL_new(h->ctx)) == NULL ||
	    SSL_set_fd(c->ssl, c->fd) != 1)
		player_die("tls", "cannot be had");
	SSL_set_connect_state(c->ssl);
}

/* Reads and forgets; false once there is nothing, or the end (c->fd -1). */
static bool
hostile_read(struct hostile *h, struct hostile_conn *c)
{
	char piece[HOSTILE_SEND];
	ssize_t n;
	int r;

	if (c->ssl == NULL) {
		n = recv(c->fd, piece, sizeof(piece), 0);
		if (n == 0 || (n == -1 && errno != EAGAIN))
			hostile_end(h, c);
	} else {
		n = SSL_read(c->ssl, piece, sizeof(piece));
		r = SSL_get_error(c->ssl, (int)n);
		if (n <= 0 && r != SSL_ERROR_WANT_READ &&
		    r != SSL_ERROR_WANT_WRITE)
			hostile_end(h, c);
	}
	if (n > 0)
		h->received += n;
	return (n > 0);
}

/* The next orders of the connection's account, whole ones at first. */
static size_t
hostile_next_orders(struct hostile *h, struct hostile_conn *c, const char **p)
{
	struct hostile_account *a = &h->accounts[c->n % HOSTILE_ACCOUNTS];
	const char *end;

	if (c->orders_len == 0) {
		c->orders = a->orders.data + a->sent;
		c->orders_len = a->orders.len - a->sent;
		if (c->orders_len > HOSTILE_ORDERS_SEND) {
			end = memrchr(c->orders, '\n', HOSTILE_ORDERS_SEND);
			c->orders_len = (size_t)(end + 1 - c->orders);
		}
		a->sent = (a->sent + c->orders_len) % a->orders.len;
	}
	*p = c->orders;
	return (c->orders_len);
}

/* The next bytes to send; 0: none now. */
static size_t
hostile_next(struct hostile *h, struct hostile_conn *c, const char **p)
{
	const struct hostile_plan *plan = &h->plans[c->kind];
	const struct buf *b = &plan->bytes;
	size_t at, left;

	if (c->sent < c->own.len) {
		*p = c->own.data + c->sent;
		return (c->own.len - c->sent);
	}
	if (c->kind == HOSTILE_ORDERS)
		return (hostile_next_orders(h, c, p));
	at = c->sent - c->own.len;
	if (b->len == 0 || (plan->total != 0 && at >= plan->total))
		return (0);
	if (c->kind == HOSTILE_DRIP) {
		if (clock_mono_ms() < c->next_ms)
			return (0);
		c->next_ms = clock_mono_ms() + HOSTILE_DRIP_MS;
	}
	at %= b->len;
	*p = b->data + at;
	left = b->len - at;
	if (c->kind == HOSTILE_DRIP)
		left = 1;
	return (left < HOSTILE_SEND ? left : HOSTILE_SEND);
}

/* Sends; false if no more can be sent now. */
static bool
hostile_write(struct hostile *h, struct hostile_conn *c)
{
	const char *p;
	ssize_t done;
	size_t n;
	int r;

	if ((n = hostile_next(h, c, &p)) == 0)
		return (false);
	if (c->ssl == NULL) {
		done = send(c->fd, p, n, MSG_NOSIGNAL);
		if (done == -1 && errno != EAGAIN && errno != ENOTCONN)
			hostile_end(h, c);
	} else {
		done = SSL_write(c->ssl, p, (int)n);
		r = SSL_get_error(c->ssl, (int)done);
		if (done <= 0 && r != SSL_ERROR_WANT_READ &&
		    r != SSL_ERROR_WANT_WRITE)
			hostile_end(h, c);
	}
	if (done <= 0)
		return (false);
	if (c->kind == HOSTILE_ORDERS && c->sent >= c->own.len) {
		c->orders += done;
		c->orders_len -= (size_t)done;
	}
	c->sent += (size_t)done;
	h->sent += done;
	return (true);
}

/* Goes on with a handshake; false unless it is done. */
static bool
hostile_shake(struct hostile *h, struct hostile_conn *c)
{
	int n, r;

	if (c->ssl == NULL || c->is_open)
		return (true);
	/* Who only says hello does not look at the answer. */
	if (c->kind == HOSTILE_HELLO && SSL_get_state(c->ssl) != TLS_ST_BEFORE)
		return (false);
	if ((n = SSL_do_handshake(c->ssl)) != 1) {
		r = SSL_get_error(c->ssl, n);
		if (r != SSL_ERROR_WANT_READ && r != SSL_ERROR_WANT_WRITE)
			hostile_end(h, c);
		return (false);
	}
	c->is_open = true;
	h->shaken++;
	if (c->kind == HOSTILE_ORDERS)
		hostile_login(h, c);
	return (true);
}

/* True once a visit has come to its end. */
static bool
hostile_is_over(struct hostile *h, struct hostile_conn *c)
{
	switch (c->visits % HOSTILE_VISITS) {
	case HOSTILE_VISIT_CONNECT:
		return (true);
	case HOSTILE_VISIT_HELLO:
		(void)SSL_do_handshake(c->ssl);
		return (true);
	case HOSTILE_VISIT_SHAKE:
		return (hostile_shake(h, c));
	default:
		if (!hostile_shake(h, c))
			return (false);
		(void)hostile_write(h, c);
		return (c->fd != -1 && hostile_read(h, c));
	}
}

/* Says hello, as it was recorded, and leaves without waiting. */
static void
hostile_greet(struct hostile *h, struct hostile_conn *c)
{
	const struct buf *b = &h->plans[c->kind].bytes;
	const ssize_t done = send(c->fd, b->data, b->len, MSG_NOSIGNAL);

	if (done == -1 && (errno == EAGAIN || errno == ENOTCONN))
		return;
	h->sent += done > 0 ? done : 0;
	hostile_end(h, c);
}

/* One turn of a connection. */
static void
hostile_run(struct hostile *h, struct hostile_conn *c)
{
	int i;

	ERR_clear_error();
	if (c->fd != -1 && c->kind == HOSTILE_VISIT) {
		if (hostile_is_over(h, c))
			hostile_end(h, c);
		return;
	}
	if (c->fd != -1 && hostile_is_greeter(c->kind)) {
		hostile_greet(h, c);
		return;
	}
	if (c->fd == -1 || !hostile_shake(h, c))
		return;
	if (c->kind == HOSTILE_KNOCK) {
		hostile_end(h, c);
		return;
	}
	if (!h->plans[c->kind].is_deaf) {
		for (i = 0; i < 64 && c->fd != -1 && hostile_read(h, c); i++)
			continue;
	}
	/* No one starves the others of the attack. */
	for (i = 0; i < 8 && c->fd != -1 && hostile_write(h, c); i++)
		continue;
}

/* Connects and sends what is due by time; false if that was all. */
static bool
hostile_tick(struct hostile *h)
{
	const int64_t now_ms = clock_mono_ms();
	bool is_there = false;
	size_t i;

	for (i = 0; i < h->n; i++) {
		if (h->conns[i].fd != -1)
			hostile_run(h, &h->conns[i]);
		else if (now_ms >= h->conns[i].next_ms &&
		    (h->until == 0 || h->made < h->until))
			hostile_connect(h, &h->conns[i]);
		is_there = is_there || h->conns[i].fd != -1;
	}
	return (is_there || h->until == 0 || h->made < h->until);
}

/* Reads the line that says when to end; false: now. */
static bool
hostile_goes_on(struct hostile *h)
{
	char line[32];
	ssize_t n;

	if ((n = read(0, line, sizeof(line) - 1)) <= 0)
		return (false);
	line[n] = '\0';
	h->until = strtoll(line, NULL, 10);
	return (h->until > 0);
}

/* Takes one event of a connection. */
static void
hostile_event(struct hostile *h, struct hostile_conn *c, uint32_t events)
{
	/* Who reads nothing would not come to see the end. */
	if (c->fd != -1 && (events & (EPOLLRDHUP | EPOLLHUP)) != 0 &&
	    (c->kind == HOSTILE_HELLO || h->plans[c->kind].is_deaf))
		hostile_end(h, c);
	else
		hostile_run(h, c);
}

/* Attacks until standard input says so. */
static void
hostile_attack(struct hostile *h)
{
	struct epoll_event evs[256];
	struct pollfd in = {.fd = 0, .events = POLLIN};
	int64_t tick_ms = 0;
	int i, n;

	(void)hostile_tick(h);
	(void)printf("ready\n");
	(void)fflush(stdout);
	for (;;) {
		if (h->until == 0 && poll(&in, 1, 0) != 0 &&
		    !hostile_goes_on(h))
			break;
		if (clock_mono_ms() >= tick_ms) {
			if (!hostile_tick(h))
				break;
			tick_ms = clock_mono_ms() + 20;
		}
		n = epoll_wait(h->epoll, evs, 256, 10);
		for (i = 0; i < n; i++)
			hostile_event(h, evs[i].data.ptr, evs[i].events);
	}
	(void)printf("{\"made\":%lld,\"missed\":%lld,\"ended\":%lld,"
		     "\"shaken\":%lld,\"sent\":%lld,\"received\":%lld}\n",
	    h->made, h->missed, h->ended, h->shaken, h->sent, h->received);
}

/* Sets up the connections, of one kind or all in turn. */
static void
hostile_people(struct hostile *h, int kind, size_t n)
{
	struct hostile_conn *c;
	size_t i;

	h->n = n;
	h->conns = xalloc(n * sizeof(*h->conns));
	for (i = 0; i < n; i++) {
		c = &h->conns[i];
		memset(c, 0, sizeof(*c));
		c->kind = (enum hostile_kind)(
		    kind == HOSTILE_KINDS ? (int)(i % HOSTILE_ATTACKS) : kind);
		c->n = (unsigned)i;
		c->visits = (unsigned)i;
		c->fd = -1;
		buf_init(&c->own, 0);
	}
}

/* Frees what an attack holds. */
static void
hostile_clear(struct hostile *h)
{
	size_t i;

	for (i = 0; i < h->n; i++)
		hostile_end(h, &h->conns[i]);
	for (i = 0; i < HOSTILE_KINDS; i++)
		buf_clear(&h->plans[i].bytes);
	for (i = 0; i < HOSTILE_ACCOUNTS; i++) {
		match_free(h->accounts[i].m);
		buf_clear(&h->accounts[i].orders);
	}
	SSL_CTX_free(h->ctx);
	(void)close(h->epoll);
	free(h->conns);
}

/* The kind of a name; HOSTILE_KINDS is all of them. */
static int
hostile_kind(const char *name)
{
	int i;

	for (i = 0; i <= HOSTILE_KINDS; i++) {
		if (strcmp(name, hostile_names[i]) == 0)
			return (i);
	}
	player_die("no such kind", name);
}

/* The attack of a command line. */
static void
hostile_main(int argc, char **argv)
{
	struct hostile h = {.addresses = 1};
	int kind = hostile_kind(argv[1]);
	long n = strtol(argv[4], NULL, 10);
	long addresses = strtol(argv[5], NULL, 10);
	long first = strtol(argv[6], NULL, 10), chats;
	char *roster;

	if (n < 1 || n > HOSTILE_MAX || addresses < 1 || first < 1 ||
	    addresses + first > 60000)
		player_die("usage", "too many or too few");
	h.addresses = (unsigned)addresses;
	h.first = (unsigned)first;
	h.to.sin_family = AF_INET;
	h.to.sin_port = htons((uint16_t)strtol(argv[3], NULL, 10));
	if (inet_pton(AF_INET, argv[2], &h.to.sin_addr) != 1)
		player_die("address", argv[2]);
	h.ctx = SSL_CTX_new(TLS_client_method());
	if (h.ctx == NULL || (h.epoll = epoll_create1(EPOLL_CLOEXEC)) == -1)
		player_die("set up", "cannot be done");
	(void)SSL_CTX_set_mode(h.ctx,
	    SSL_MODE_ENABLE_PARTIAL_WRITE |
		SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	hostile_plan(&h);
	if (kind == HOSTILE_ORDERS || kind == HOSTILE_KINDS) {
		if (argc != 8)
			player_die("usage", "orders want a roster");
		roster = hostile_file(argv[7]);
		chats = HOSTILE_CHATS * n / HOSTILE_ACCOUNTS;
		if (kind == HOSTILE_KINDS)
			chats /= HOSTILE_ATTACKS;
		if (chats < HOSTILE_CHATS_MIN)
			chats = HOSTILE_CHATS_MIN;
		if (chats > HOSTILE_CHATS_MAX)
			chats = HOSTILE_CHATS_MAX;
		hostile_enlist(&h, argv[2], argv[3], roster, (int)chats);
		free(roster);
	}
	hostile_people(&h, kind, (size_t)n);
	hostile_attack(&h);
	hostile_clear(&h);
}

int
main(int argc, char **argv)
{
	(void)signal(SIGPIPE, SIG_IGN);
	if (argc == 5 && strcmp(argv[1], "good") == 0)
		hostile_good(argv[2], argv[3], argv[4]);
	else if (argc == 7 || argc == 8)
		hostile_main(argc, argv);
	else
		player_die("usage",
		    "hostile KIND HOST PORT CONNECTIONS ADDRESSES FIRST "
		    "[ROSTER]");
	return (0);
}
