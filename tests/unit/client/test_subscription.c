/* SPDX-License-Identifier: ISC */
/*
 * A server that floods whoever follows it: what is kept while an answer is
 * waited for, when games are looked at nevertheless, and how much of the
 * lobby is put off before it is told.  The server is a thread of the test,
 * which speaks TLS with the client's own connection.
 */
#include "client/play/subscription.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/base/xalloc.h"
#include "client/net/link.h"
#include "client/play/play.h"
#include "client/play/watch.h"
#include "client/replica/replica.h"
#include "client/ui/cmd.h"
#include "common/base/buf.h"
#include "common/base/frame.h"

#define WAIT_MS 20000 /* far longer than anything here takes */

/* Bounds of conn.c, subscription.c and watch.c. */
#define KEPT 16384
#define KEPT_MIB 16
#define NOTICES 256
#define EVENTS 1000

#define LONG 1000000 /* bytes of a long notice's text; 16 are kept */
#define JUNK 1000 /* notices before game.watch is answered */
#define ROWS 120 /* of the lobby */
#define ROW_EVENTS 28 /* of each: seven come and seven go, on two sides */
#define TOLD (1 + ROWS * ROW_EVENTS) /* the first row opens the game */

#define ID "1111111111111111111111111111111111111111111111111111111111111111"

/* The far end of a connection, in a thread. */
struct far {
	int listener;
	char port[8];
	pthread_t thread;
	void (*script)(struct far *far);
	SSL_CTX *ctx;
	SSL *ssl;
	struct frame in;
	int64_t id; /* of the last request */
	char method[64]; /* of the last request */
	int kept; /* notices that are sent before an answer */
	bool is_early; /* the lobby floods before its lists are answered */
	sem_t told; /* the client has told something */
	sem_t sent; /* all of the flood is in the socket */
	bool is_done; /* the script came to its end */
};

/* Sends bytes; what the client does not take any more is lost. */
static void
far_send(struct far *far, const struct buf *b)
{
	size_t done;

	(void)SSL_write_ex(far->ssl, b->data, b->len, &done);
}

/* Reads a request; false if the client is gone. */
static bool
far_read(struct far *far)
{
	char chunk[4096];
	const char *line;
	size_t done, len;
	json_t *v;

	while (frame_next(&far->in, &line, &len) != 0) {
		if (SSL_read_ex(far->ssl, chunk, sizeof(chunk), &done) != 1 ||
		    frame_feed(&far->in, chunk, done) != 0)
			return (false);
	}
	if ((v = json_loadb(line, len, 0, NULL)) == NULL)
		return (false);
	far->id = json_integer_value(json_object_get(v, "id"));
	(void)snprintf(far->method, sizeof(far->method), "%s",
	    json_string_value(json_object_get(v, "method")));
	json_decref(v);
	return (true);
}

/* Reads a request and says if it is this one. */
static bool
far_asked(struct far *far, const char *method)
{
	return (far_read(far) && strcmp(far->method, method) == 0);
}

/* Answers the last request: `what` is its result, or its error. */
static void
far_answer(struct far *far, const char *name, const char *what)
{
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "{\"jsonrpc\":\"2.0\",\"id\":%lld,\"%s\":%s}\n",
	    (long long)far->id, name, what);
	far_send(far, &b);
	buf_clear(&b);
}

/* Accepts the one connection, and goes by the script. */
static void *
far_run_cb(void *arg)
{
	const struct timeval limit = {.tv_sec = WAIT_MS / 1000};
	struct far *far = arg;
	int fd;

	fd = accept(far->listener, NULL, NULL);
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	far->ssl = SSL_new(far->ctx);
	frame_init(&far->in, 65536);
	if (far->ssl != NULL && SSL_set_fd(far->ssl, fd) == 1 &&
	    SSL_accept(far->ssl) == 1)
		far->script(far);
	if (far->ssl != NULL)
		(void)SSL_shutdown(far->ssl);
	SSL_free(far->ssl);
	(void)close(fd);
	frame_clear(&far->in);
	(void)sem_post(&far->sent); /* a script that failed sends no more */
	return (NULL);
}

/* Gives the server a key, and a certificate that nobody looks at. */
static void
far_certify(struct far *far)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *cert = X509_new();

	assert_non_null(key);
	assert_non_null(cert);
	assert_non_null(X509_gmtime_adj(X509_getm_notBefore(cert), 0));
	assert_non_null(X509_gmtime_adj(X509_getm_notAfter(cert), 86400));
	assert_int_equal(X509_set_pubkey(cert, key), 1);
	assert_int_not_equal(X509_sign(cert, key, EVP_sha256()), 0);
	assert_int_equal(SSL_CTX_use_certificate(far->ctx, cert), 1);
	assert_int_equal(SSL_CTX_use_PrivateKey(far->ctx, key), 1);
	X509_free(cert);
	EVP_PKEY_free(key);
}

/* Starts a server with a script, and connects to it. */
static struct conn *
far_start(struct far *far, void (*script)(struct far *far))
{
	struct sockaddr_in sin = {.sin_family = AF_INET};
	socklen_t len = sizeof(sin);
	struct errinfo e = {.text = ""};
	struct conn *c = NULL;

	far->script = script;
	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	far->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(far->listener, (void *)&sin, len), 0);
	assert_int_equal(listen(far->listener, 1), 0);
	assert_int_equal(getsockname(far->listener, (void *)&sin, &len), 0);
	(void)snprintf(
	    far->port, sizeof(far->port), "%u", (unsigned)ntohs(sin.sin_port));
	far->ctx = SSL_CTX_new(TLS_server_method());
	assert_non_null(far->ctx);
	far_certify(far);
	assert_int_equal(sem_init(&far->told, 0, 0), 0);
	assert_int_equal(sem_init(&far->sent, 0, 0), 0);
	assert_int_equal(
	    pthread_create(&far->thread, NULL, far_run_cb, far), 0);
	if (conn_open("127.0.0.1", far->port, WAIT_MS, &c, &e) != 0)
		fail_msg("%s", e.text);
	return (c);
}

/* Waits for the server's end, after the client's. */
static void
far_stop(struct far *far)
{
	assert_int_equal(pthread_join(far->thread, NULL), 0);
	assert_true(far->is_done);
	SSL_CTX_free(far->ctx);
	(void)close(far->listener);
	(void)sem_destroy(&far->told);
	(void)sem_destroy(&far->sent);
}

/* ---- what is kept while an answer is waited for ---- */

/* Sends short notices, which are numbered, before each answer. */
static void
many_script(struct far *far)
{
	struct buf b;
	int i;

	while (far_read(far)) {
		buf_init(&b, 0);
		for (i = 0; i < far->kept; i++)
			buf_printf(&b,
			    "{\"jsonrpc\":\"2.0\",\"method\":\"n\","
			    "\"params\":{\"n\":%d}}\n",
			    i);
		far_send(far, &b);
		buf_clear(&b);
		far_answer(far, "result", "{}");
	}
	far->is_done = true;
}

/* Sends long notices, one for the first request and the rest for others. */
static void
long_script(struct far *far)
{
	char *text = xalloc(LONG + 1);
	struct buf b;
	int i, n;

	memset(text, 'x', LONG);
	while (far_read(far)) {
		n = strcmp(far->method, "one") == 0 ? 1 : KEPT_MIB;
		for (i = 0; i < n; i++) {
			buf_init(&b, 0);
			buf_printf(&b,
			    "{\"jsonrpc\":\"2.0\",\"method\":\"n\","
			    "\"params\":{\"n\":%d,\"text\":\"%s\"}}\n",
			    i, text);
			far_send(far, &b);
			buf_clear(&b);
		}
		far_answer(far, "result", "{}");
	}
	far->is_done = true;
	free(text);
}

/* Asks something that is answered behind what can be kept. */
static void
call_is_answered(struct conn *c, const char *method)
{
	struct conn_error ce;
	json_t *result;

	if (conn_call(c, method, NULL, &result, &ce) != 0)
		fail_msg("%s", ce.e.text);
	json_decref(result);
}

/* Asks something whose answer comes too late. */
static void
call_is_given_up(struct conn *c, const char *method)
{
	struct conn_error ce;
	json_t *result;

	assert_int_equal(conn_call(c, method, NULL, &result, &ce), ERR_CLOSED);
	assert_false(ce.is_answer);
	assert_non_null(strstr(ce.e.text, "without end"));
	conn_error_clear(&ce);
}

/* Takes notices that were kept, in order; n is their number. */
static void
kept_are(struct conn *c, int n)
{
	struct errinfo e = {.text = ""};
	char method[64];
	json_t *params;
	int i;

	for (i = 0; i < n; i++) {
		if (conn_notice(c, 0, method, &params, &e) != 0)
			fail_msg("notice %d: %s", i, e.text);
		assert_string_equal(method, "n");
		assert_int_equal(
		    json_integer_value(json_object_get(params, "n")), i);
		json_decref(params);
	}
}

static void
notices_are_kept_up_to_a_number(void **state)
{
	struct far far = {.kept = KEPT};
	struct conn *c = far_start(&far, many_script);

	(void)state;
	call_is_answered(c, "x");
	kept_are(c, 3);
	conn_close(c);
	far_stop(&far);

	far = (struct far){.kept = KEPT + 1};
	c = far_start(&far, many_script);
	call_is_given_up(c, "x");
	conn_close(c);
	far_stop(&far);
}

static void
notices_are_kept_up_to_a_size(void **state)
{
	struct far far = {.kept = 0};
	struct conn *c = far_start(&far, long_script);
	struct errinfo e = {.text = ""};
	char method[64];
	json_t *params;

	(void)state;
	call_is_answered(c, "one");
	kept_are(c, 1);
	/* What was taken counts no more. */
	call_is_answered(c, "many");
	assert_true(conn_has_line(c));
	call_is_given_up(c, "one");
	kept_are(c, KEPT_MIB);
	assert_int_not_equal(conn_notice(c, 0, method, &params, &e), 0);
	conn_close(c);
	far_stop(&far);
}

/* ---- games among notices of nothing ---- */

/* Sends notices of nothing, and after them that a game is watched. */
static void
junk_script(struct far *far)
{
	static const char *const notices[] = {
	    "{\"jsonrpc\":\"2.0\",\"method\":\"game.entry\"}\n",
	    "{\"jsonrpc\":\"2.0\",\"method\":\"game.entry\",\"params\":"
	    "{\"game\":7,\"seq\":-1}}\n",
	    "{\"jsonrpc\":\"2.0\",\"method\":\"lobby.game\",\"params\":{}}\n",
	    "{\"jsonrpc\":\"2.0\",\"method\":\"of.later\",\"params\":{}}\n"};
	struct buf b;
	int i;

	if (!far_asked(far, "game.watch"))
		return;
	buf_init(&b, 0);
	for (i = 0; i < JUNK; i++)
		buf_puts(&b, notices[i % 4]);
	far_send(far, &b);
	buf_clear(&b);
	far_answer(far, "result", "{}");
	if (!far_asked(far, "game.record"))
		return;
	far_answer(far, "error", "{\"code\":-32602,\"message\":\"no\"}");
	far->is_done = true;
	(void)far_read(far); /* the client's end */
}

static void
games_are_looked_at_in_a_flood(void **state)
{
	const uint8_t id[HASH_LEN] = {1};
	char away[] = "/nonexistent", name[] = "evening";
	struct profile p = {.name = name, .config_dir = away, .data_dir = away};
	struct play pl = {.p = &p, .name = name, .seat = -1};
	struct errinfo e = {.text = ""};
	struct subscription_news news;
	struct link *l = xalloc(sizeof(*l));
	struct far far = {.kept = 0};
	struct subscription *f;
	char method[64];
	json_t *params;
	int n = 0;

	(void)state;
	assert_int_equal(replica_open(&p, id, &pl.copy, &e), 0);
	l->p = &p;
	l->conn = far_start(&far, junk_script);
	f = subscription_new(l);
	subscription_add(f, &pl);
	/* The server knows the game only to watch it: that is told. */
	assert_int_equal(subscription_next(f, &news), SUBSCRIPTION_FAILED);
	assert_ptr_equal(news.pl, &pl);
	while (conn_notice(l->conn, 0, method, &params, &e) == 0) {
		json_decref(params);
		n++;
	}
	assert_int_equal(n, JUNK - NOTICES);
	subscription_free(f);
	far_stop(&far);
	replica_close(pl.copy);
}

/* ---- the lobby ---- */

/* Appends rows of one game, in each of which all players are others. */
static void
add_rows(struct buf *b, int from, int to)
{
	int i, j;

	for (i = from; i < to; i++) {
		buf_puts(b,
		    "{\"jsonrpc\":\"2.0\",\"method\":\"lobby.game\",\"params\":"
		    "{\"game\":\"" ID "\",\"system\":\"x\",\"phase\":"
		    "\"muster\",\"players\":[[");
		for (j = 0; j < ROW_EVENTS / 2; j++)
			buf_printf(b, "%s\"%s%d\"",
			    j == 0                    ? ""
				: j == ROW_EVENTS / 4 ? "],["
						      : ",",
			    i % 2 == 0 ? "anna" : "bert", j);
		buf_printf(b,
		    "]],\"director\":\"\",\"turn\":0,\"event\":\"\",\"seq\":%d,"
		    "\"at\":\"2026-11-22T12:00:00.000Z\"}}\n",
		    i);
	}
}

/* Floods the lobby when its lists are answered, or just before. */
static void
lobby_script(struct far *far)
{
	struct buf b;
	int i;

	if (!far_asked(far, "lobby.watch"))
		return;
	far_answer(far, "result", "{}");
	for (i = 0; i < 3; i++) {
		if (!far_asked(far, "game.list"))
			return;
		far_answer(far, "result", "{\"games\":[]}");
	}
	if (!far_asked(far, "game.list"))
		return;
	buf_init(&b, 0);
	if (!far->is_early) {
		far_answer(far, "result", "{\"games\":[]}");
		add_rows(&b, 0, 1);
		far_send(far, &b);
		buf_clear(&b);
		(void)sem_wait(&far->told);
	}
	add_rows(&b, far->is_early ? 0 : 1, ROWS + 1);
	far_send(far, &b);
	buf_clear(&b);
	if (far->is_early)
		far_answer(far, "result", "{\"games\":[]}");
	(void)sem_post(&far->sent);
	far->is_done = true;
}

/* What a watch has told. */
struct heard {
	struct far *far;
	size_t lines;
	size_t most; /* lines at once */
};

/* Takes what was told at once; the first time a flood is waited for. */
static ssize_t
heard_write_cb(void *arg, const char *s, size_t n)
{
	struct heard *h = arg;
	size_t i, lines = 0;

	for (i = 0; i < n; i++)
		lines += s[i] == '\n';
	if (h->lines == 0) {
		(void)sem_post(&h->far->told);
		(void)sem_wait(&h->far->sent);
	}
	h->lines += lines;
	if (lines > h->most)
		h->most = lines;
	return ((ssize_t)n);
}

/* Watches a lobby that floods until the server has gone. */
static void
watch_lobby(bool is_early)
{
	static const struct opt_def defs[] = {
	    {"wait", 0, "SECONDS", false, ""}, {NULL, 0, NULL, false, NULL}};
	const cookie_io_functions_t io = {.write = heard_write_cb};
	const size_t size = 1 << 20; /* nothing but a flush writes */
	char away[] = "/nonexistent", wait[] = "--wait", none[] = "0";
	char *argv[] = {wait, none}, *room = xalloc(size);
	struct profile p = {.name = away, .config_dir = away, .data_dir = away};
	struct far far = {.is_early = is_early};
	struct heard h = {.far = &far};
	struct link *l = xalloc(sizeof(*l));
	struct cmd_ctx cx = {.out = {.width = 10000}};
	struct errinfo e;
	struct watch *w;

	opt_init(&cx.opts);
	assert_int_equal(
	    opt_parse(&cx.opts, 2, argv, defs, NULL, false, NULL, &e), 0);
	cx.out.f = fopencookie(&h, "w", io);
	assert_non_null(cx.out.f);
	assert_int_equal(setvbuf(cx.out.f, room, _IOFBF, size), 0);
	l->p = &p;
	l->conn = far_start(&far, lobby_script);
	w = watch_new(&cx, &p, l, WATCH_LOBBY);
	/* It is told to the end, and the server does not come back. */
	assert_int_equal(watch_run(w), EX_UNAVAILABLE);
	watch_free(w);
	(void)sem_post(&far.told); /* if nothing was, the server waits */
	far_stop(&far);
	assert_int_equal(fclose(cx.out.f), 0);
	opt_clear(&cx.opts);
	free(room);
	assert_int_equal(h.lines, TOLD);
	assert_in_range(h.most, EVENTS, EVENTS + ROW_EVENTS);
}

static void
a_flood_of_the_lobby_is_told_bit_by_bit(void **state)
{
	(void)state;
	watch_lobby(false);
}

static void
so_is_one_before_its_lists(void **state)
{
	(void)state;
	watch_lobby(true);
}

/* ---- a connection that is lost ---- */

static void
who_has_given_a_command_does_not_wait_for_the_pause(void **state)
{
	struct profile p = {.name = NULL};
	struct subscription_news news;
	struct link *l = xalloc(sizeof(*l));
	struct subscription *f;

	(void)state;
	l->p = &p;
	f = subscription_new(l);
	assert_int_equal(subscription_next(f, &news), SUBSCRIPTION_LOST);
	assert_true(subscription_wait_ms(f) > 0);
	assert_int_equal(subscription_next(f, &news), SUBSCRIPTION_NOTHING);
	subscription_look(f);
	assert_int_equal(subscription_wait_ms(f), 0);
	subscription_free(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(notices_are_kept_up_to_a_number),
	    cmocka_unit_test(notices_are_kept_up_to_a_size),
	    cmocka_unit_test(games_are_looked_at_in_a_flood),
	    cmocka_unit_test(a_flood_of_the_lobby_is_told_bit_by_bit),
	    cmocka_unit_test(so_is_one_before_its_lists),
	    cmocka_unit_test(
		who_has_given_a_command_does_not_wait_for_the_pause),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
