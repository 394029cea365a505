/* SPDX-License-Identifier: ISC */
/*
 * Whole daemons in threads of the test, and clients of their own: a blocking
 * connection over OpenSSL, logins, and a game to talk in.  One program
 * includes this once.
 */
#ifndef UMPIRE_TESTS_LIB_PEER_H
#define UMPIRE_TESTS_LIB_PEER_H

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/frame.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/order_kind.h"
#include "common/record/record.h"
#include "common/record/rpc.h"
#include "server/base/conf.h"
#include "server/init.h"
#include "server/server.h"

#define WAIT_MS 20000 /* far longer than anything here takes */
#define PEER_TEXTS 30 /* chats of the game that is watched */

static const char peer_roster[] =
    "{\"blob\":\"roster\",\"system\":\"lasalle2\",\"sides\":{\"1\":{"
    "\"units\":[{\"id\":\"fr-a\",\"arm\":\"infantry\",\"strength\":5}]},"
    "\"2\":{\"units\":[{\"id\":\"ru-a\",\"arm\":\"infantry\",\"strength\":5}]"
    "}}}";

/* A daemon that runs in a thread. */
struct daemon {
	char base[64];
	char dir[96];
	char conf_path[128];
	struct conf *conf;
	struct server *sv;
	uint8_t identity[SIGN_KEY_LEN];
	pthread_t thread;
	int r; /* what server_run() returned */
	bool is_running;
};

/* A client's end. */
struct peer {
	int fd;
	SSL_CTX *ctx;
	SSL *ssl;
	struct frame in;
	int64_t id;
	uint8_t exporter[32];
	struct buf *heard; /* all bytes that came; NULL: not kept */
};

/* ---- daemons ---- */

static inline void *
run_cb(void *arg)
{
	struct daemon *d = arg;
	struct errinfo e = {.text = ""};

	d->r = server_run(d->sv, NULL, NULL, &e);
	return (NULL);
}

/* Makes a daemon with settings of its own and starts it. */
static inline void
start(struct daemon *d, const char *const overrides[], size_t n)
{
	struct errinfo e = {.text = ""};

	memset(d, 0, sizeof(*d));
	(void)snprintf(d->base, sizeof(d->base), "/tmp/umpire-sv.XXXXXX");
	assert_non_null(mkdtemp(d->base));
	(void)snprintf(d->dir, sizeof(d->dir), "%s/d", d->base);
	if (init_make(d->dir, overrides, n, d->identity, &e) != 0)
		fail_msg("%s", e.text);
	(void)snprintf(
	    d->conf_path, sizeof(d->conf_path), "%s/umpired.conf", d->dir);
	assert_int_equal(conf_load(d->conf_path, NULL, 0, &d->conf, &e), 0);
	if (server_new(d->conf, NULL, &d->sv, &e) != 0)
		fail_msg("%s", e.text);
	assert_int_equal(pthread_create(&d->thread, NULL, run_cb, d), 0);
	d->is_running = true;
}

/* Ends the loop of a daemon; what it returned. */
static inline int
stop(struct daemon *d)
{
	if (d->is_running) {
		server_stop(d->sv);
		server_stop(d->sv);
		assert_int_equal(pthread_join(d->thread, NULL), 0);
		d->is_running = false;
	}
	return (d->r);
}

/* Stops a daemon and removes all of it. */
static inline void
end(struct daemon *d)
{
	static const char *const names[] = {"umpired.conf", "identity.key",
	    "dice.key", "invite.key", "tls.crt", "tls.key", "umpired.db",
	    "umpired.db-wal", "umpired.db-shm", "umpired.db.lock"};
	char path[160];
	size_t i;

	assert_int_equal(stop(d), 0);
	server_free(d->sv);
	conf_free(d->conf);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", d->dir, names[i]);
		(void)unlink(path);
	}
	assert_int_equal(rmdir(d->dir), 0);
	assert_int_equal(rmdir(d->base), 0);
}

static const char *const plain[] = {"listen=127.0.0.1:0"};

static inline int
daemon_start_plain(void **state)
{
	struct daemon *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	start(d, plain, 1);
	*state = d;
	return (0);
}

static inline int
daemon_end_plain(void **state)
{
	end(*state);
	free(*state);
	return (0);
}

/* ---- clients ---- */

/* Connects a socket to a daemon. */
static inline int
peer_dial(const struct daemon *d)
{
	const struct timeval tv = {.tv_sec = WAIT_MS / 1000};
	struct sockaddr_in sin = {.sin_family = AF_INET,
	    .sin_port = htons(server_port(d->sv)),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_int_not_equal(fd, -1);
	assert_int_equal(
	    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&sin, sizeof(sin)), 0);
	return (fd);
}

static inline void
part(struct peer *p)
{
	SSL_free(p->ssl);
	SSL_CTX_free(p->ctx);
	(void)close(p->fd);
	frame_clear(&p->in);
}

/* Connects; false if that is turned away. */
static inline bool
peer_try_to_meet(struct peer *p, const struct daemon *d)
{
	memset(p, 0, sizeof(*p));
	p->fd = peer_dial(d);
	frame_init(&p->in, RPC_REPLY_MAX);
	p->ctx = SSL_CTX_new(TLS_client_method());
	assert_non_null(p->ctx);
	assert_int_equal(SSL_CTX_set1_groups_list(p->ctx, "X25519:P-256"), 1);
	p->ssl = SSL_new(p->ctx);
	assert_non_null(p->ssl);
	assert_int_equal(SSL_set_fd(p->ssl, p->fd), 1);
	if (SSL_connect(p->ssl) != 1) {
		part(p);
		return (false);
	}
	assert_int_equal(SSL_export_keying_material(p->ssl, p->exporter, 32,
			     "EXPORTER-Channel-Binding", 24, NULL, 0, 0),
	    1);
	return (true);
}

static inline void
meet(struct peer *p, const struct daemon *d)
{
	assert_true(peer_try_to_meet(p, d));
}

static inline void
say(struct peer *p, const void *bytes, size_t n)
{
	assert_int_equal(SSL_write(p->ssl, bytes, (int)n), n);
}

/* Waits for a line; false at the end of the connection. */
static inline bool
hear(struct peer *p, struct rpc_reply *rp)
{
	char piece[16384];
	const char *line;
	struct errinfo e;
	size_t len;
	int n;

	while (frame_next(&p->in, &line, &len) == ERR_NOTFOUND) {
		if ((n = SSL_read(p->ssl, piece, sizeof(piece))) <= 0)
			return (false);
		assert_int_equal(frame_feed(&p->in, piece, (size_t)n), 0);
		if (p->heard != NULL)
			buf_add(p->heard, piece, (size_t)n);
	}
	if (rpc_reply_parse(line, len, rp, &e) != 0)
		fail_msg("%s: %.*s", e.text, (int)len, line);
	return (true);
}

/* Sends a request without waiting; params is stolen.  Its id. */
static inline int64_t
ask(struct peer *p, const char *method, json_t *params)
{
	struct buf b;

	buf_init(&b, 0);
	rpc_write_request(&b, ++p->id, method, params);
	json_decref(params);
	assert_int_equal(buf_error(&b), 0);
	say(p, b.data, b.len);
	buf_clear(&b);
	return (p->id);
}

/* Sends a request and takes its reply; no notice may come before it. */
static inline void
call(struct peer *p, const char *method, json_t *params, struct rpc_reply *rp)
{
	const int64_t id = ask(p, method, params);

	assert_true(hear(p, rp));
	assert_int_equal(rp->id, id);
}

/* As call(), which must give that error, 0: none. */
static inline void
gives(struct peer *p, const char *method, json_t *params, int r)
{
	struct rpc_reply rp;

	call(p, method, params, &rp);
	if (rp.r != r)
		fail_msg("%s: %s, not %s: %s", method, err_name(rp.r),
		    err_name(r), rp.message == NULL ? "" : rp.message);
	rpc_reply_clear(&rp);
}

/* Params that prove a login; exporter is that of some connection. */
static inline json_t *
proof(const struct daemon *d, const uint8_t exporter[32],
    const struct sign_key *key, const char *account)
{
	uint8_t sig[SIGN_LEN];
	struct buf b;

	buf_init(&b, 0);
	buf_add(&b, exporter, 32);
	buf_add(&b, d->identity, SIGN_KEY_LEN);
	buf_u8(&b, (unsigned)strlen(account));
	buf_puts(&b, account);
	assert_int_equal(sign_make(key, SIGN_TAG_LOGIN, b.data, b.len, sig), 0);
	buf_clear(&b);
	return (json_pack("{s:s, s:o, s:o}", "account", account, "key",
	    js_hex(key->public_key, SIGN_KEY_LEN), "sig",
	    js_hex(sig, SIGN_LEN)));
}

/* As proof(), with a code. */
static inline json_t *
invited(const struct daemon *d, const struct peer *p,
    const struct sign_key *key, const char *account, const char *code)
{
	json_t *params = proof(d, p->exporter, key, account);

	assert_int_equal(
	    json_object_set_new(params, "invite", json_string(code)), 0);
	return (params);
}

/* Makes a key from a number. */
static inline void
key_of(struct sign_key *key, uint8_t n)
{
	const uint8_t seed[SIGN_KEY_LEN] = {n, 7};

	assert_int_equal(sign_key_from_seed(key, seed), 0);
}

/* ---- games ---- */

/* A player with a game. */
struct player {
	struct game_keys keys;
	uint8_t game[HASH_LEN];
	uint8_t head[HASH_LEN];
	char id[2 * HASH_LEN + 1];
};

/* Makes the args of the create order. */
static inline json_t *
create_args(struct peer *p, const struct player *pl)
{
	static const char zeros[] = "00000000000000000000000000000000"
				    "00000000000000000000000000000000";
	struct rpc_reply blob, hello;
	json_t *args;

	call(p, "blob.put", json_pack("{s:s}", "value", peer_roster), &blob);
	call(p, "server.hello", NULL, &hello);
	args = json_pack("{s:i, s:o, s:o, s:s, s:s, s:s, s:i, s:s, s:{}, s:[],"
			 " s:O, s:s, s:O, s:s, s:s}",
	    "seat", 1, "key", js_hex(pl->keys.sign.public_key, SIGN_KEY_LEN),
	    "dice_key", js_hex(pl->keys.dice.public_key, VRF_KEY_LEN), "system",
	    "lasalle2", "rules", "lasalle2/1", "account", "anna", "kn", 0,
	    "kprev", zeros, "rulings", "tables", "roster",
	    json_object_get(blob.result, "hash"), "scheme", "dual-1",
	    "server_dice", json_object_get(hello.result, "server_dice"),
	    "secret", "held", "silence", "forfeit");
	rpc_reply_clear(&blob);
	rpc_reply_clear(&hello);
	assert_non_null(args);
	return (args);
}

/* Reads an order's line out of its reply. */
static inline void
read_line(const struct rpc_reply *rp, struct record_line *ln)
{
	const char *line;
	struct errinfo e;

	if (rp->r != 0)
		fail_msg("%s at %s", rp->message, rp->where);
	assert_int_equal(js_get_str(rp->result, "line", NULL, &line, &e), 0);
	assert_int_equal(record_parse(line, strlen(line), ln, &e), 0);
}

/* Makes account and game. */
static inline void
create(struct peer *p, const struct daemon *d, struct player *pl)
{
	uint8_t sig[SIGN_LEN];
	struct record_line ln;
	struct rpc_reply rp;
	struct buf text;
	json_t *args;

	key_of(&pl->keys.sign, 1);
	assert_int_equal(vrf_key_make(&pl->keys.dice), 0);
	gives(p, "account.register",
	    proof(d, p->exporter, &pl->keys.sign, "anna"), 0);
	args = create_args(p, pl);
	buf_init(&text, 0);
	assert_int_equal(
	    game_make_create(d->identity, &pl->keys, args, &text, sig), 0);
	call(p, "game.create",
	    json_pack("{s:s, s:o}", "order", buf_str(&text), "sig",
		js_hex(sig, SIGN_LEN)),
	    &rp);
	read_line(&rp, &ln);
	memcpy(pl->game, ln.game, HASH_LEN);
	memcpy(pl->head, ln.hash, HASH_LEN);
	hex_format(pl->id, ln.game, HASH_LEN);
	record_clear(&ln);
	rpc_reply_clear(&rp);
	json_decref(args);
	buf_clear(&text);
}

/* The params of a chat order. */
static inline json_t *
chat(const struct daemon *d, const struct player *pl, const char *words)
{
	const uint8_t salt[RECORD_SALT_LEN] = {9};
	uint8_t ref[HASH_LEN], sig[SIGN_LEN];
	struct order_parts parts = {.server = d->identity,
	    .game = pl->game,
	    .seat = 1,
	    .head = pl->head,
	    .kind = ORDER_CHAT};
	json_t *args, *params;
	struct buf b;

	assert_int_equal(record_text_ref(ref, salt, words, strlen(words)), 0);
	args = json_pack("{s:o}", "ref", js_hex(ref, HASH_LEN));
	parts.args = args;
	buf_init(&b, 0);
	assert_int_equal(order_write(&parts, &b), 0);
	assert_int_equal(
	    sign_make(&pl->keys.sign, SIGN_TAG_ORDER, b.data, b.len, sig), 0);
	params = json_pack("{s:s, s:o, s:[{s:o, s:s}]}", "order", buf_str(&b),
	    "sig", js_hex(sig, SIGN_LEN), "texts", "salt",
	    js_hex(salt, sizeof(salt)), "value", words);
	buf_clear(&b);
	json_decref(args);
	assert_non_null(params);
	return (params);
}

/* Takes a notice, which must be of that line. */
static inline void
peer_hear_entry(struct peer *p, const struct player *pl, int64_t seq)
{
	struct rpc_reply rp;
	const char *game;
	struct errinfo e;
	int64_t n;

	assert_true(hear(p, &rp));
	assert_non_null(rp.method);
	assert_string_equal(rp.method, "game.entry");
	assert_int_equal(js_get_str(rp.params, "game", NULL, &game, &e), 0);
	assert_string_equal(game, pl->id);
	assert_int_equal(
	    js_get_int(rp.params, "seq", NULL, 0, JS_INT_MAX, &n, &e), 0);
	assert_int_equal(n, seq);
	assert_int_equal(
	    json_array_size(json_object_get(rp.params, "side")), 1);
	rpc_reply_clear(&rp);
}

#endif
