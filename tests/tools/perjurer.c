/* SPDX-License-Identifier: ISC */
/*
 * perjurer DIR RECORD MODE: a server that has the keys of DIR, and the mind to
 * lie: it shows the lines of the file RECORD, an export, and takes no order.
 * It listens on a port of the loopback, which it prints, and serves one
 * connection after the other.  Both files are read anew for each request;
 * MODE has one word:
 *
 *   plain      what stands in RECORD
 *   lossy      the same, and takes back by game.heal what it lacks
 *   waiting    the same, and says that it still recovers
 *   hollow     says that it takes back by game.heal what it lacks, and keeps
 *              nothing; for a witness, who is told of its games nonetheless
 *   gone       no such game
 *   head       another hash of the last line than it has
 *   empty      a result without members
 *   text       an answer that is no JSON
 *   id         an answer to what was not asked
 *   fork       says so of every order, and shows what stands in RECORD
 *   recorded   says that every order is line 0
 *   refused    refuses every order as stale, and does not sign that
 *   busy       no handshake: an alert by which a server says that it is in need
 *   unproved   a hello by another key than the one that it names
 *   garbage    no handshake, but bytes
 *
 * perjurer mark DIR: gives the lines of standard input marks by the key of DIR,
 * whatever they say.
 */
#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/frame.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/crypt/keyfile.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/json/js.h"
#include "common/record/record.h"

#define PERJURER_MAX 16777216 /* bytes of RECORD */
#define PERJURER_EXPORTER_LEN 32

struct perjurer {
	const char *record; /* borrowed paths */
	const char *mode_path;
	struct sign_key key;
	struct vrf_key dice;
	SSL_CTX *ctx;
	char login[2 * SIGN_KEY_LEN + 1]; /* the key of the last one */
	SSL *ssl; /* of the present connection */
	struct frame in;
	char mode[32];
};

/* Ends the program. */
static void __attribute__((noreturn)) perjurer_die(const char *why)
{
	(void)fprintf(stderr, "perjurer: %s\n", why);
	exit(1);
}

/* Reads a file whole; the caller clears b. */
static void
perjurer_read(const char *path, struct buf *b)
{
	struct errinfo e = {.text = ""};

	buf_init(b, 0);
	if (file_read(path, PERJURER_MAX, b, &e) != 0)
		perjurer_die(e.text);
}

/* Reads the keys of a server's folder. */
static void
perjurer_keys(struct perjurer *l, const char *dir)
{
	uint8_t secret[KEYFILE_LEN];
	struct errinfo e = {.text = ""};
	char *identity, *dice;

	identity = xalloc_printf("%s/identity.key", dir);
	dice = xalloc_printf("%s/dice.key", dir);
	if (keyfile_read(identity, secret, &e) != 0 ||
	    sign_key_from_seed(&l->key, secret) != 0 ||
	    keyfile_read(dice, secret, &e) != 0 ||
	    vrf_key_from_secret(&l->dice, secret) != 0)
		perjurer_die(e.text);
	free(identity);
	free(dice);
}

/* Marks what comes by standard input. */
static int
perjurer_mark(struct perjurer *l)
{
	uint8_t hash[HASH_LEN], sig[SIGN_LEN];
	char *line = NULL, hex[2 * SIGN_LEN + 1];
	size_t room = 0;
	ssize_t n;

	while ((n = getline(&line, &room, stdin)) > 0) {
		n -= line[n - 1] == '\n' ? 1 : 0;
		if (n < RECORD_MARK_TAIL)
			perjurer_die("no line of a record");
		n -= RECORD_MARK_TAIL;
		if (hash_sha256(hash, line, (size_t)n) != 0 ||
		    sign_make(&l->key, SIGN_TAG_MARK, hash, HASH_LEN, sig) != 0)
			perjurer_die("cannot sign");
		hex_format(hex, sig, SIGN_LEN);
		(void)printf("%.*s,\"mark\":\"%s\"}\n", (int)n, line, hex);
	}
	free(line);
	return (0);
}

/* Sends bytes; who is gone does not get them. */
static void
perjurer_send(struct perjurer *l, const char *s)
{
	size_t done;

	(void)SSL_write_ex(l->ssl, s, strlen(s), &done);
}

/* Sends a reply (o stolen) under `name`; to the hello it is a plain one. */
static void
perjurer_reply(struct perjurer *l, int64_t id, const char *name, json_t *o)
{
	const bool is_odd = json_object_get(o, "protocol") == NULL;
	char *text;
	json_t *v;

	if (is_odd && strcmp(l->mode, "id") == 0)
		id += 1000;
	v = json_pack("{s:s,s:I,s:o}", "jsonrpc", "2.0", "id", (json_int_t)id,
	    name, xalloc_json(o));
	text = json_dumps(xalloc_json(v), JSON_COMPACT);
	perjurer_send(
	    l, is_odd && strcmp(l->mode, "text") == 0 ? "here you are" : text);
	perjurer_send(l, "\n");
	free(text);
	json_decref(v);
}

/* Sends an error. */
static void
perjurer_error(struct perjurer *l, int64_t id, int code, const char *name)
{
	perjurer_reply(l, id, "error",
	    json_pack("{s:i,s:s,s:{s:s}}", "code", code, "message", name,
		"data", "name", name));
}

/* The lines of RECORD, in order: texts; side lines go into *side. */
static json_t *
perjurer_lines(const struct perjurer *l, json_t *side)
{
	const char *end, *p;
	json_t *lines;
	struct buf b;

	lines = xalloc_json(json_array());
	perjurer_read(l->record, &b);
	for (p = buf_str(&b); (end = strchr(p, '\n')) != NULL; p = end + 1)
		xalloc_append(
		    record_is_side(p, (size_t)(end - p)) ? side : lines,
		    json_stringn(p, (size_t)(end - p)));
	buf_clear(&b);
	return (lines);
}

/* Answers game.record and game.watch. */
static void
perjurer_tell(struct perjurer *l, int64_t id, const json_t *params)
{
	json_t *all, *lines, *side = xalloc_json(json_array());
	uint8_t hash[HASH_LEN];
	const char *last;
	size_t i, n, to;

	all = perjurer_lines(l, side);
	n = json_array_size(all);
	lines = xalloc_json(json_array());
	to = json_object_get(params, "to") == NULL
	    ? n
	    : 1 + (size_t)json_integer_value(json_object_get(params, "to"));
	for (i = (size_t)json_integer_value(json_object_get(params, "from"));
	     i < n && i < to; i++)
		xalloc_append(lines, json_incref(json_array_get(all, i)));
	last = json_string_value(json_array_get(all, n - 1));
	if (hash_sha256(hash, last, strlen(last)) != 0)
		perjurer_die("cannot hash");
	if (strcmp(l->mode, "head") == 0)
		hash[0] ^= 1;
	perjurer_reply(l, id, "result",
	    json_pack("{s:O,s:o,s:o,s:i,s:o}", "game",
		json_object_get(params, "game"), "lines", lines, "side", side,
		"seq", (int)n - 1, "head", js_hex(hash, HASH_LEN)));
	json_decref(all);
}

/* Answers server.hello. */
static void
perjurer_hello(struct perjurer *l, int64_t id)
{
	uint8_t exporter[PERJURER_EXPORTER_LEN], sig[SIGN_LEN];

	if (SSL_export_keying_material(l->ssl, exporter, sizeof(exporter),
		"EXPORTER-Channel-Binding", 24, NULL, 0, 0) != 1 ||
	    sign_make(
		&l->key, SIGN_TAG_HELLO, exporter, sizeof(exporter), sig) != 0)
		perjurer_die("cannot sign");
	if (strcmp(l->mode, "unproved") == 0)
		sig[0] ^= 1;
	perjurer_reply(l, id, "result",
	    json_pack("{s:i,s:o,s:o,s:o}", "protocol", 1, "server",
		js_hex(l->key.public_key, SIGN_KEY_LEN), "server_dice",
		js_hex(l->dice.public_key, VRF_KEY_LEN), "sig",
		js_hex(sig, SIGN_LEN)));
}

/* Answers game.heads: how each game's last line stands to that of RECORD. */
static void
perjurer_heads(struct perjurer *l, int64_t id, const json_t *params)
{
	json_t *all, *rows = xalloc_json(json_array()), *side, *v;
	int64_t last, seq;
	const char *line;
	uint8_t hash[HASH_LEN], head[HASH_LEN];
	size_t i;

	side = xalloc_json(json_array());
	all = perjurer_lines(l, side);
	last = (int64_t)json_array_size(all) - 1;
	json_array_foreach(json_object_get(params, "games"), i, v)
	{
		seq = json_integer_value(json_object_get(v, "seq"));
		line = json_string_value(
		    json_array_get(all, (size_t)(seq < last ? seq : last)));
		if (hash_sha256(hash, line, strlen(line)) != 0 ||
		    js_get_hex(v, "head", NULL, head, HASH_LEN, NULL) != 0)
			perjurer_die("cannot hash");
		xalloc_append(rows,
		    xalloc_json(json_pack("{s:O,s:s,s:I,s:o,s:b}", "game",
			json_object_get(v, "game"), "is",
			seq > last                              ? "ahead"
			    : memcmp(head, hash, HASH_LEN) != 0 ? "other"
			    : seq < last                        ? "behind"
								: "same",
			"seq", (json_int_t)last, "head", js_hex(hash, HASH_LEN),
			"recovering", strcmp(l->mode, "waiting") == 0)));
	}
	perjurer_reply(l, id, "result", json_pack("{s:o}", "games", rows));
	json_decref(all);
	json_decref(side);
}

/* Answers game.heal: RECORD has the lines and side lines, too. */
static void
perjurer_heal(struct perjurer *l, int64_t id, const json_t *params)
{
	json_t *all, *side = xalloc_json(json_array()), *v;
	struct errinfo e = {.text = ""};
	struct buf b;
	size_t i;

	all = perjurer_lines(l, side);
	buf_init(&b, 0);
	json_array_foreach(json_object_get(params, "lines"), i, v)
	    xalloc_append(all, json_incref(v));
	json_array_foreach(json_object_get(params, "side"), i, v)
	    xalloc_append(side, json_incref(v));
	json_array_foreach(all, i, v)
	    buf_printf(&b, "%s\n", json_string_value(v));
	json_array_foreach(side, i, v)
	    buf_printf(&b, "%s\n", json_string_value(v));
	if (file_write(l->record, buf_str(&b), b.len, 0600, &e) != 0)
		perjurer_die(e.text);
	buf_clear(&b);
	perjurer_reply(l, id, "result",
	    json_pack("{s:O,s:i}", "game", json_object_get(params, "game"),
		"seq", (int)json_array_size(all) - 1));
	json_decref(all);
	json_decref(side);
}

/* Answers game.heal as if it had the lines now. */
static void
perjurer_swallow(struct perjurer *l, int64_t id, const json_t *params)
{
	perjurer_reply(l, id, "result",
	    json_pack("{s:O,s:i}", "game", json_object_get(params, "game"),
		"seq", 1000000));
}

/* Answers account.keys: whoever logged in has the one key. */
static void
perjurer_account(struct perjurer *l, int64_t id)
{
	static const uint8_t zeros[HASH_LEN];

	perjurer_reply(l, id, "result",
	    json_pack("{s:i,s:o,s:[s]}", "kn", 0, "kprev",
		js_hex(zeros, HASH_LEN), "keys", l->login));
}

/* Answers an order. */
static void
perjurer_order(struct perjurer *l, int64_t id)
{
	if (strcmp(l->mode, "fork") == 0)
		perjurer_error(l, id, 10, "fork");
	else if (strcmp(l->mode, "recorded") == 0)
		perjurer_reply(l, id, "result", json_pack("{s:i}", "seq", 0));
	else if (strcmp(l->mode, "refused") == 0)
		perjurer_error(l, id, 11, "stale");
	else
		perjurer_error(l, id, 2, "busy");
}

/* Answers a request. */
static void
perjurer_answer(struct perjurer *l, const json_t *rq)
{
	const json_t *params = json_object_get(rq, "params");
	const char *method = json_string_value(json_object_get(rq, "method"));
	int64_t id = json_integer_value(json_object_get(rq, "id"));
	const bool is_record = strcmp(method, "game.record") == 0 ||
	    strcmp(method, "game.watch") == 0;
	const bool is_hollow = strcmp(l->mode, "hollow") == 0;
	const bool is_lossy = strcmp(l->mode, "lossy") == 0 || is_hollow ||
	    strcmp(l->mode, "waiting") == 0;

	(void)fprintf(stderr, "%s\n", method);
	if (strcmp(method, "account.login") == 0)
		(void)snprintf(l->login, sizeof(l->login), "%s",
		    json_string_value(json_object_get(params, "key")));
	if (strcmp(method, "server.hello") == 0)
		perjurer_hello(l, id);
	else if (is_hollow && strcmp(method, "account.keys") == 0)
		perjurer_account(l, id);
	else if (is_hollow && strcmp(method, "lobby.watch") == 0)
		perjurer_reply(l, id, "result", json_object());
	else if (is_hollow && strcmp(method, "game.heal") == 0)
		perjurer_swallow(l, id, params);
	else if (strcmp(method, "account.login") == 0)
		perjurer_reply(l, id, "result",
		    json_pack("{s:O}", "account",
			json_object_get(params, "account")));
	else if (is_record && strcmp(l->mode, "gone") == 0)
		perjurer_error(l, id, 7, "not-found");
	else if (is_record && strcmp(l->mode, "empty") == 0)
		perjurer_reply(l, id, "result", json_object());
	else if (is_record)
		perjurer_tell(l, id, params);
	else if (strcmp(method, "game.order") == 0)
		perjurer_order(l, id);
	else if (is_lossy && strcmp(method, "game.heads") == 0)
		perjurer_heads(l, id, params);
	else if (is_lossy && strcmp(method, "game.heal") == 0)
		perjurer_heal(l, id, params);
	else if (strcmp(method, "game.todo") == 0)
		perjurer_reply(l, id, "result", json_pack("{s:[]}", "todo"));
	else if (strcmp(method, "tournament.todo") == 0)
		perjurer_reply(
		    l, id, "result", json_pack("{s:[]}", "tournaments"));
	else if (strcmp(method, "game.list") == 0)
		perjurer_reply(l, id, "result", json_pack("{s:[]}", "games"));
	else
		perjurer_error(l, id, -32601, "method");
}

/* Reads what there is to do. */
static void
perjurer_mode(struct perjurer *l)
{
	struct buf b;

	perjurer_read(l->mode_path, &b);
	(void)snprintf(l->mode, sizeof(l->mode), "%.*s",
	    (int)strcspn(buf_str(&b), "\n"), buf_str(&b));
	buf_clear(&b);
}

/* Serves one connection. */
static void
perjurer_serve(struct perjurer *l)
{
	char chunk[4096];
	const char *line;
	size_t done, len;
	json_t *rq;

	frame_init(&l->in, 1048576);
	while (SSL_read_ex(l->ssl, chunk, sizeof(chunk), &done) == 1 &&
	    frame_feed(&l->in, chunk, done) == 0) {
		while (frame_next(&l->in, &line, &len) == 0) {
			perjurer_mode(l);
			rq = xalloc_json(json_loadb(line, len, 0, NULL));
			perjurer_answer(l, rq);
			json_decref(rq);
		}
	}
	frame_clear(&l->in);
}

/* Takes a connection, or what the mode has in the place of one. */
static void
perjurer_accept(struct perjurer *l, int fd)
{
	static const char alert[] = "\x15\x03\x03\x00\x02\x02\x50";
	static const char garbage[] = "SSH-2.0-OpenSSH_9.2\r\n";
	char hello[4096];

	perjurer_mode(l);
	if (strcmp(l->mode, "busy") == 0 || strcmp(l->mode, "garbage") == 0) {
		if (read(fd, hello, sizeof(hello)) == -1)
			return;
		if (*l->mode == 'b')
			(void)send(fd, alert, sizeof(alert) - 1, MSG_NOSIGNAL);
		else
			(void)send(
			    fd, garbage, sizeof(garbage) - 1, MSG_NOSIGNAL);
		return;
	}
	l->ssl = SSL_new(l->ctx);
	if (l->ssl == NULL || SSL_set_fd(l->ssl, fd) != 1)
		perjurer_die("cannot set up TLS");
	if (SSL_accept(l->ssl) == 1)
		perjurer_serve(l);
	SSL_free(l->ssl);
}

/* Gives the server a key, and a certificate that nobody looks at. */
static void
perjurer_certify(struct perjurer *l)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *cert = X509_new();

	l->ctx = SSL_CTX_new(TLS_server_method());
	if (key == NULL || cert == NULL || l->ctx == NULL ||
	    X509_gmtime_adj(X509_getm_notBefore(cert), 0) == NULL ||
	    X509_gmtime_adj(X509_getm_notAfter(cert), 86400) == NULL ||
	    X509_set_pubkey(cert, key) != 1 ||
	    X509_sign(cert, key, EVP_sha256()) == 0 ||
	    SSL_CTX_use_certificate(l->ctx, cert) != 1 ||
	    SSL_CTX_use_PrivateKey(l->ctx, key) != 1)
		perjurer_die("cannot make a certificate");
	X509_free(cert);
	EVP_PKEY_free(key);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in sin = {.sin_family = AF_INET};
	socklen_t len = sizeof(sin);
	struct perjurer l = {.mode = ""};
	int fd, listener;

	if (argc == 3 && strcmp(argv[1], "mark") == 0) {
		perjurer_keys(&l, argv[2]);
		return (perjurer_mark(&l));
	}
	if (argc != 4)
		perjurer_die(
		    "usage: perjurer DIR RECORD MODE | perjurer mark DIR");
	(void)signal(SIGPIPE, SIG_IGN);
	perjurer_keys(&l, argv[1]);
	l.record = argv[2];
	l.mode_path = argv[3];
	perjurer_certify(&l);
	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(listener, (void *)&sin, len) != 0 ||
	    listen(listener, 16) != 0 ||
	    getsockname(listener, (void *)&sin, &len) != 0)
		perjurer_die("cannot listen");
	(void)printf("%u\n", (unsigned)ntohs(sin.sin_port));
	(void)fflush(stdout);
	for (;;) {
		if ((fd = accept(listener, NULL, NULL)) == -1)
			perjurer_die("cannot accept");
		perjurer_accept(&l, fd);
		(void)close(fd);
	}
}
