/* SPDX-License-Identifier: ISC */
/*
 * load HOST PORT CLIENTS ORDERS ROSTER: that many clients at once, each with
 * keys, an account, a connection and a game of its own.  It prints "ready"
 * when all have created their games, waits for a line on standard input,
 * and then lets each send its orders, chats, one after the other.  At the
 * end it prints how many were recorded as {"recorded":n,"failed":n}.
 * ROSTER is a file with the blob.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/conn.h"
#include "client/file.h"
#include "client/xalloc.h"
#include "common/buf.h"
#include "common/game/game.h"
#include "common/hash.h"
#include "common/hex.h"
#include "common/js.h"
#include "common/order.h"
#include "common/record.h"

#define LOAD_WAIT_MS 60000
#define LOAD_MAX 200 /* clients */

/* What all clients share; it does not change while they run. */
struct load {
	const char *host;
	const char *port;
	char *roster; /* owned: the blob */
	int orders;
	pthread_barrier_t *gate; /* passed twice: ready, go */
};

struct load_client {
	const struct load *l;
	int n;
	pthread_t thread;
	struct conn *conn;
	struct game_keys keys;
	uint8_t server[SIGN_KEY_LEN];
	char server_dice[2 * VRF_KEY_LEN + 1];
	uint8_t game[HASH_LEN];
	uint8_t head[HASH_LEN]; /* of line 0 */
	int recorded;
	int failed;
};

/* Ends the program. */
static void __attribute__((noreturn))
load_die(const char *what, const char *why)
{
	(void)fprintf(stderr, "load: %s: %s\n", what, why);
	exit(1);
}

/* Calls a method, which must work; params is stolen, the result new. */
static json_t *
load_call(struct load_client *c, const char *method, json_t *params)
{
	struct conn_error ce;
	json_t *result;

	if (conn_call(c->conn, method, params, &result, &ce) != 0)
		load_die(method, ce.e.text);
	return (result);
}

/* Sets a member to bytes in hex. */
static void
load_set_hex(json_t *o, const char *name, const void *p, size_t n)
{
	xalloc_set(o, name, js_hex(p, n));
}

/* The account's name; free(). */
static char *
load_account(const struct load_client *c)
{
	return (xalloc_printf("load-%d", c->n));
}

/* Connects and makes the account. */
static void
load_register(struct load_client *c)
{
	char *account = load_account(c);
	json_t *hello, *params = xalloc_json(json_object());
	struct errinfo e = {.text = ""};
	uint8_t sig[SIGN_LEN];
	const char *dice;
	struct buf b;

	if (conn_open(c->l->host, c->l->port, LOAD_WAIT_MS, &c->conn, &e) !=
		0 ||
	    sign_key_make(&c->keys.sign) != 0 ||
	    vrf_key_make(&c->keys.dice) != 0)
		load_die("connect", e.text);
	hello = load_call(c, "server.hello", NULL);
	if (js_get_hex(hello, "server", NULL, c->server, SIGN_KEY_LEN, &e) !=
		0 ||
	    js_get_str(hello, "server_dice", NULL, &dice, &e) != 0 ||
	    strlen(dice) != 2 * VRF_KEY_LEN)
		load_die("server.hello", e.text);
	memcpy(c->server_dice, dice, sizeof(c->server_dice));
	json_decref(hello);
	buf_init(&b, 0);
	buf_add(&b, conn_exporter(c->conn), CONN_EXPORTER_LEN);
	buf_add(&b, c->server, SIGN_KEY_LEN);
	buf_u8(&b, (unsigned)strlen(account));
	buf_puts(&b, account);
	if (buf_error(&b) != 0 ||
	    sign_make(&c->keys.sign, SIGN_TAG_LOGIN, b.data, b.len, sig) != 0)
		load_die("login", "cannot sign");
	buf_clear(&b);
	xalloc_set(params, "account", xalloc_json_str(account));
	load_set_hex(params, "key", c->keys.sign.public_key, SIGN_KEY_LEN);
	load_set_hex(params, "sig", sig, SIGN_LEN);
	json_decref(load_call(c, "account.register", params));
	free(account);
}

/* The arguments of the create order, new; roster is its blob's hash. */
static json_t *
load_create_args(const struct load_client *c, const char *roster)
{
	static const char zeros[2 * HASH_LEN + 1] =
	    "00000000000000000000000000000000"
	    "00000000000000000000000000000000";
	char *account = load_account(c);
	json_t *args;

	args = xalloc_json(json_pack(
	    "{s:i, s:s, s:s, s:s, s:i, s:s, s:{}, s:[], s:s, s:s, s:s, s:s, "
	    "s:s}",
	    "seat", 1, "system", "lasalle2", "rules", "lasalle2/1", "account",
	    account, "kn", 0, "kprev", zeros, "rulings", "tables", "roster",
	    roster, "scheme", "dual-1", "server_dice", c->server_dice, "secret",
	    "held", "silence", "forfeit"));
	load_set_hex(args, "key", c->keys.sign.public_key, SIGN_KEY_LEN);
	load_set_hex(args, "dice_key", c->keys.dice.public_key, VRF_KEY_LEN);
	free(account);
	return (args);
}

/* Sends the create order with the args, and learns game and head. */
static void
load_send_create(struct load_client *c, const json_t *args)
{
	json_t *params = xalloc_json(json_object()), *result;
	struct record_line ln;
	uint8_t sig[SIGN_LEN];
	const char *line;
	struct errinfo e;
	struct buf text;

	buf_init(&text, 0);
	if (game_make_create(c->server, &c->keys, args, &text, sig) != 0)
		load_die("create", "cannot be made");
	xalloc_set(params, "order", xalloc_json_str(buf_str(&text)));
	load_set_hex(params, "sig", sig, SIGN_LEN);
	result = load_call(c, "game.create", params);
	if (js_get_str(result, "line", NULL, &line, &e) != 0 ||
	    record_parse(line, strlen(line), &ln, &e) != 0)
		load_die("create", e.text);
	memcpy(c->game, ln.game, HASH_LEN);
	memcpy(c->head, ln.hash, HASH_LEN);
	record_clear(&ln);
	json_decref(result);
	buf_clear(&text);
}

/* Makes the client's game. */
static void
load_create(struct load_client *c)
{
	json_t *params = xalloc_json(json_object()), *result, *args;
	struct errinfo e = {.text = ""};
	const char *hash;

	xalloc_set(params, "value", xalloc_json_str(c->l->roster));
	result = load_call(c, "blob.put", params);
	if (js_get_str(result, "hash", NULL, &hash, &e) != 0)
		load_die("blob.put", e.text);
	args = load_create_args(c, hash);
	load_send_create(c, args);
	json_decref(args);
	json_decref(result);
}

/* The params of a chat, new. */
static json_t *
load_chat(const struct load_client *c, int i)
{
	uint8_t ref[HASH_LEN], salt[RECORD_SALT_LEN], sig[SIGN_LEN];
	json_t *args, *text, *params = xalloc_json(json_object());
	char *words = xalloc_printf("chat %d of client %d", i, c->n);
	struct order_parts p = {.server = c->server,
	    .game = c->game,
	    .seat = 1,
	    .head = c->head,
	    .kind = ORDER_CHAT};
	struct buf b;

	if (hash_random(salt, sizeof(salt)) != 0 ||
	    record_text_ref(ref, salt, words, strlen(words)) != 0)
		load_die("chat", "no reference");
	args = xalloc_json(json_object());
	load_set_hex(args, "ref", ref, HASH_LEN);
	p.args = args;
	buf_init(&b, 0);
	if (order_write(&p, &b) != 0 ||
	    sign_make(&c->keys.sign, SIGN_TAG_ORDER, b.data, b.len, sig) != 0)
		load_die("chat", "cannot be made");
	text = xalloc_json(json_object());
	load_set_hex(text, "salt", salt, sizeof(salt));
	xalloc_set(text, "value", xalloc_json_str(words));
	xalloc_set(params, "order", xalloc_json_str(buf_str(&b)));
	load_set_hex(params, "sig", sig, SIGN_LEN);
	xalloc_set(params, "texts", json_pack("[o]", text));
	buf_clear(&b);
	json_decref(args);
	free(words);
	return (params);
}

/* One client. */
static void *
load_client_cb(void *arg)
{
	struct load_client *c = arg;
	struct conn_error ce;
	json_t *result;
	int i;

	load_register(c);
	load_create(c);
	(void)pthread_barrier_wait(c->l->gate);
	(void)pthread_barrier_wait(c->l->gate);
	for (i = 0; i < c->l->orders; i++) {
		if (conn_call(c->conn, "game.order", load_chat(c, i), &result,
			&ce) != 0) {
			c->failed++;
			conn_error_clear(&ce);
			continue;
		}
		c->recorded++;
		json_decref(result);
	}
	conn_close(c->conn);
	sign_key_clear(&c->keys.sign);
	vrf_key_clear(&c->keys.dice);
	return (NULL);
}

/* Starts the clients, lets them go at a word, and adds up. */
static void
load_run(struct load *l, int n)
{
	struct load_client *clients = xalloc((size_t)n * sizeof(*clients));
	pthread_barrier_t gate;
	int failed = 0, i, recorded = 0;
	char word[16];

	if (pthread_barrier_init(&gate, NULL, (unsigned)n + 1) != 0)
		load_die("barrier", "cannot be had");
	l->gate = &gate;
	for (i = 0; i < n; i++) {
		clients[i].l = l;
		clients[i].n = i;
		if (pthread_create(&clients[i].thread, NULL, load_client_cb,
			&clients[i]) != 0)
			load_die("thread", "cannot be had");
	}
	(void)pthread_barrier_wait(&gate);
	(void)printf("ready\n");
	(void)fflush(stdout);
	if (fgets(word, sizeof(word), stdin) == NULL)
		load_die("standard input", "it ended");
	(void)pthread_barrier_wait(&gate);
	for (i = 0; i < n; i++) {
		(void)pthread_join(clients[i].thread, NULL);
		recorded += clients[i].recorded;
		failed += clients[i].failed;
	}
	(void)printf("{\"recorded\":%d,\"failed\":%d}\n", recorded, failed);
	(void)pthread_barrier_destroy(&gate);
	free(clients);
}

int
main(int argc, char **argv)
{
	struct errinfo e = {.text = ""};
	struct load l = {.host = NULL};
	struct buf roster;
	long n;

	if (argc != 6)
		load_die("usage", "load HOST PORT CLIENTS ORDERS ROSTER");
	l.host = argv[1];
	l.port = argv[2];
	n = strtol(argv[3], NULL, 10);
	l.orders = (int)strtol(argv[4], NULL, 10);
	if (n < 1 || n > LOAD_MAX)
		load_die("usage", "1 to 200 clients");
	(void)signal(SIGPIPE, SIG_IGN);
	buf_init(&roster, 0);
	if (file_read(argv[5], RECORD_BLOB_MAX, &roster, &e) != 0)
		load_die(argv[5], e.text);
	l.roster = xalloc_take(&roster);
	load_run(&l, (int)n);
	free(l.roster);
	return (0);
}
