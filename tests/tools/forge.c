/* SPDX-License-Identifier: ISC */
/*
 * forge [-k DIR] HOST PORT: a client that does as a test says, right or
 * wrong.  It talks on one connection, reads a command a line from standard
 * input and answers each with one line of JSON.  In order texts it fills in
 * @nonce, a fresh nonce, @now, the time, and @own, the proof for the text's
 * game, or tournament, and place under the pool that the test named.  DIR holds
 * a player's sign.key and dice.key.  It trusts whoever answers and keeps
 * nothing.
 *
 *   hello                 server.hello
 *   login ACCOUNT         logs in by the key
 *   register ACCOUNT [INVITE]
 *   credentials ACCOUNT [INVITE]
 *                         the params of both, which are not sent
 *   keys                  the public keys of DIR
 *   newkeys               makes others, which are kept nowhere, likewise
 *   statement ACCOUNT [DO KEY]
 *                         the params of its first key statement, which adds a
 *                         new key, or does so with KEY, and is not sent
 *   send BYTES            sends a line as it is, gives the next line
 *   file PATH             sends a file's bytes as they are, likewise
 *   line MS               waits for another line
 *   call METHOD PARAMS    sends a request, gives its reply
 *   pool HASH             the pool for proofs from here on
 *   texts ARRAY           what goes beside the orders from here on
 *   sign TEXT             the params of an order, which is not sent
 *   order TEXT            signs and sends an order by its own method
 *   again                 sends the last order's bytes once more
 *   vary N TEXT           sends N orders that say the same in other bytes,
 *                         and counts the answers by their names
 *   quit                  ends, without an answer
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/net/conn.h"
#include "client/profile/file.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/hash.h"
#include "common/crypt/keyfile.h"
#include "common/game/game.h"
#include "common/game/game_make.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/rpc.h"
#include "common/record/statement.h"

#define FORGE_TAG_ENTRY "umpire/entry/1" /* over orders to tournaments */
#define FORGE_WAIT_MS 60000
#define FORGE_FILE_MAX 4194304
#define FORGE_SPACES 6 /* blanks beside a token at most */

struct forge {
	struct conn *conn;
	bool has_keys;
	struct game_keys keys;
	uint8_t server[SIGN_KEY_LEN];
	uint8_t pool[HASH_LEN];
	json_t *texts; /* owned; NULL: none */
	json_t *last; /* owned: params of the last order, NULL: none */
	const char *last_method;
	int64_t id;
};

/* Ends the program: what the test asked for makes no sense. */
static void __attribute__((noreturn))
forge_die(const char *what, const char *why)
{
	(void)fprintf(stderr, "forge: %s: %s\n", what, why);
	exit(64);
}

/* Prints a value as one line; v is stolen. */
static void
forge_print(json_t *v)
{
	char *s = xalloc_dump(v);

	(void)printf("%s\n", s);
	free(s);
	json_decref(v);
}

/* Prints {"failed":name} for what happened to the connection. */
static void
forge_failed(int r, const struct errinfo *e)
{
	json_t *v = xalloc_json(json_object());

	xalloc_set(v, "failed", xalloc_json_str(err_name(r)));
	xalloc_set(v, "why", xalloc_json_str(e->text));
	forge_print(v);
}

/* Reads the player's keys. */
static void
forge_load_keys(struct forge *f, const char *dir)
{
	uint8_t secret[KEYFILE_LEN];
	struct errinfo e = {.text = ""};
	char *sign = xalloc_printf("%s/sign.key", dir);
	char *dice = xalloc_printf("%s/dice.key", dir);

	if (keyfile_read(sign, secret, &e) != 0 ||
	    sign_key_from_seed(&f->keys.sign, secret) != 0)
		forge_die(sign, e.text);
	if (keyfile_read(dice, secret, &e) != 0 ||
	    vrf_key_from_secret(&f->keys.dice, secret) != 0)
		forge_die(dice, e.text);
	f->has_keys = true;
	free(sign);
	free(dice);
}

/* Waits for a line and prints it. */
static void
forge_line(struct forge *f, int64_t wait_ms)
{
	struct errinfo e = {.text = ""};
	const char *line;
	size_t len;
	int r;

	if ((r = conn_line(f->conn, wait_ms, &line, &len, &e)) != 0)
		forge_failed(r, &e);
	else
		(void)printf("%.*s\n", (int)len, line);
}

/* Sends bytes and prints the line that comes. */
static void
forge_send(struct forge *f, const void *p, size_t n)
{
	struct errinfo e = {.text = ""};

	/* A server that has closed already may still have said why. */
	if (conn_send(f->conn, p, n, &e) != 0)
		(void)fprintf(stderr, "forge: send: %s\n", e.text);
	forge_line(f, FORGE_WAIT_MS);
}

/* Sends a file's bytes. */
static void
forge_file(struct forge *f, const char *path)
{
	struct errinfo e = {.text = ""};
	struct buf b;

	buf_init(&b, 0);
	if (file_read(path, FORGE_FILE_MAX, &b, &e) != 0)
		forge_die(path, e.text);
	forge_send(f, b.data, b.len);
	buf_clear(&b);
}

/*
 * Sends a request (params is borrowed) and gives its reply, new; notices
 * that come before are dropped.  NULL: it was printed that none came.
 */
static json_t *
forge_ask(struct forge *f, const char *method, const json_t *params)
{
	struct errinfo e = {.text = ""};
	const char *line;
	struct buf b;
	json_t *v = NULL;
	size_t len;
	int r;

	buf_init(&b, 0);
	rpc_write_request(&b, ++f->id, method, params);
	if ((r = buf_error(&b)) == 0)
		r = conn_send(f->conn, b.data, b.len, &e);
	buf_clear(&b);
	while (r == 0) {
		r = conn_line(f->conn, FORGE_WAIT_MS, &line, &len, &e);
		if (r != 0)
			break;
		v = json_loadb(line, len, JSON_ALLOW_NUL, NULL);
		if (v == NULL)
			forge_die("reply", "it is no JSON");
		if (json_object_get(v, "method") == NULL)
			return (v);
		json_decref(v);
	}
	forge_failed(r, &e);
	return (NULL);
}

/* As forge_ask(), and prints the reply. */
static void
forge_call(struct forge *f, const char *method, const json_t *params)
{
	json_t *v = forge_ask(f, method, params);

	if (v != NULL)
		forge_print(v);
}

/* Learns the server's key. */
static void
forge_hello(struct forge *f)
{
	json_t *v = forge_ask(f, "server.hello", NULL);

	if (v == NULL ||
	    js_get_hex(json_object_get(v, "result"), "server", NULL, f->server,
		SIGN_KEY_LEN, NULL) != 0)
		forge_die("server.hello", "no answer");
	json_decref(v);
}

/* Params to log in or register with, new: "ACCOUNT" or "ACCOUNT INVITE". */
static json_t *
forge_credentials(struct forge *f, const char *words)
{
	size_t n = strcspn(words, " ");
	uint8_t sig[SIGN_LEN];
	json_t *params;
	struct buf b;

	if (!f->has_keys)
		forge_die(words, "there are no keys");
	forge_hello(f);
	buf_init(&b, 0);
	buf_add(&b, conn_exporter(f->conn), CONN_EXPORTER_LEN);
	buf_add(&b, f->server, SIGN_KEY_LEN);
	buf_u8(&b, (unsigned)n);
	buf_add(&b, words, n);
	if (buf_error(&b) != 0 ||
	    sign_make(&f->keys.sign, SIGN_TAG_LOGIN, b.data, b.len, sig) != 0)
		forge_die(words, "cannot sign");
	buf_clear(&b);
	params = xalloc_json(json_object());
	xalloc_set(params, "account", json_stringn(words, n));
	xalloc_set(
	    params, "key", js_hex(f->keys.sign.public_key, SIGN_KEY_LEN));
	xalloc_set(params, "sig", js_hex(sig, SIGN_LEN));
	if (words[n] != '\0')
		xalloc_set(params, "invite", xalloc_json_str(words + n + 1));
	return (params);
}

/* Logs in or registers. */
static void
forge_login(struct forge *f, const char *method, const char *words)
{
	json_t *params = forge_credentials(f, words);

	forge_call(f, method, params);
	json_decref(params);
}

/* Makes keys. */
static void
forge_new_keys(struct forge *f)
{
	sign_key_clear(&f->keys.sign);
	vrf_key_clear(&f->keys.dice);
	if (sign_key_make(&f->keys.sign) != 0 ||
	    vrf_key_make(&f->keys.dice) != 0)
		forge_die("newkeys", "no keys can be made");
	f->has_keys = true;
}

/* Prints the public keys. */
static void
forge_keys(const struct forge *f)
{
	json_t *v = xalloc_json(json_object());

	xalloc_set(v, "sign", js_hex(f->keys.sign.public_key, SIGN_KEY_LEN));
	xalloc_set(v, "dice", js_hex(f->keys.dice.public_key, VRF_KEY_LEN));
	forge_print(v);
}

/*
 * The params of an account's first key statement, which adds a new key, or does
 * what the words say; new.
 */
static json_t *
forge_statement(struct forge *f, char *account)
{
	char *what = account + strcspn(account, " ");
	const uint8_t prev[HASH_LEN] = {0};
	struct statement_parts parts = {.server = f->server,
	    .account = account,
	    .n = 1,
	    .prev = prev,
	    .what = STATEMENT_ADD,
	    .now_ms = clock_wall_ms()};
	struct sign_key key;
	uint8_t sig[SIGN_LEN], named[SIGN_KEY_LEN];
	char *hex;
	json_t *params = xalloc_json(json_object());
	struct buf b;

	forge_hello(f);
	buf_init(&b, 0);
	if (!f->has_keys || sign_key_make(&key) != 0)
		forge_die("statement", "there are no keys");
	parts.key = key.public_key;
	if (*what != '\0') {
		*what++ = '\0';
		hex = what + strcspn(what, " ");
		if (*hex != '\0')
			*hex++ = '\0';
		if (hex_parse(named, SIGN_KEY_LEN, hex, strlen(hex)) != 0)
			forge_die("statement", "no such key");
		parts.key = named;
		if (strcmp(what, "reset") == 0)
			parts.what = STATEMENT_RESET;
		else if (strcmp(what, "drop") == 0)
			parts.what = STATEMENT_DROP;
	}
	if (statement_write(&parts, &b) != 0 ||
	    sign_make(&f->keys.sign, SIGN_TAG_KEY, b.data, b.len, sig) != 0)
		forge_die("statement", "cannot sign");
	xalloc_set(params, "statement", json_string(buf_str(&b)));
	xalloc_set(
	    params, "key", js_hex(f->keys.sign.public_key, SIGN_KEY_LEN));
	xalloc_set(params, "sig", js_hex(sig, SIGN_LEN));
	sign_key_clear(&key);
	buf_clear(&b);
	return (params);
}

/* True if an order is to a tournament: the one has `by`, or a director. */
static bool
forge_is_entry(const json_t *o)
{
	return (json_object_get(o, "by") != NULL ||
	    json_object_get(json_object_get(o, "args"), "director") != NULL);
}

/* The proof in hex for the game and place that an order text names. */
static void
forge_own(const struct forge *f, const char *text, char hex[])
{
	uint8_t game[HASH_LEN], base[HASH_LEN];
	uint8_t proof[VRF_PROOF_LEN], beta[VRF_BETA_LEN];
	json_t *o = json_loads(text, 0, NULL);
	const char *place = json_string_value(json_object_get(o, "place"));
	struct buf alpha;

	if (place == NULL ||
	    js_get_hex(o, forge_is_entry(o) ? "tournament" : "game", NULL, game,
		HASH_LEN, NULL) != 0 ||
	    game_base(game, f->pool, place, base) != 0)
		forge_die("@own", "the text names no game and place");
	buf_init(&alpha, 0);
	buf_puts(&alpha, "umpire/own/1");
	buf_putc(&alpha, '\0');
	buf_add(&alpha, base, HASH_LEN);
	if (buf_error(&alpha) != 0 ||
	    vrf_prove(&f->keys.dice, alpha.data, alpha.len, proof, beta) != 0)
		forge_die("@own", "cannot prove");
	hex_format(hex, proof, VRF_PROOF_LEN);
	buf_clear(&alpha);
	json_decref(o);
}

/* Fills in @nonce, @now and @own; free() frees the result. */
static char *
forge_fill(const struct forge *f, const char *text)
{
	char own[2 * VRF_PROOF_LEN + 1], nonce[2 * ORDER_NONCE_LEN + 1];
	char now[CLOCK_AT_LEN + 1];
	uint8_t bytes[ORDER_NONCE_LEN];
	struct buf b;

	if (hash_random(bytes, sizeof(bytes)) != 0)
		forge_die("@nonce", "no randomness");
	hex_format(nonce, bytes, sizeof(bytes));
	clock_format(now, clock_wall_ms());
	if (strstr(text, "@own") != NULL)
		forge_own(f, text, own);
	buf_init(&b, 0);
	while (*text != '\0') {
		if (strncmp(text, "@nonce", 6) == 0) {
			buf_puts(&b, nonce);
			text += 6;
		} else if (strncmp(text, "@now", 4) == 0) {
			buf_puts(&b, now);
			text += 4;
		} else if (strncmp(text, "@own", 4) == 0) {
			buf_puts(&b, own);
			text += 4;
		} else {
			buf_putc(&b, *text++);
		}
	}
	return (xalloc_take(&b));
}

/* The params of a signed order, new. */
static json_t *
forge_sign(const struct forge *f, const char *text)
{
	uint8_t sig[SIGN_LEN];
	json_t *params = xalloc_json(json_object());
	json_t *o = json_loads(text, 0, NULL);
	const char *tag = forge_is_entry(o) ? FORGE_TAG_ENTRY : SIGN_TAG_ORDER;

	json_decref(o);
	if (!f->has_keys ||
	    sign_make(&f->keys.sign, tag, text, strlen(text), sig) != 0)
		forge_die("sign", "cannot sign");
	xalloc_set(params, "order", json_string(text));
	xalloc_set(params, "sig", js_hex(sig, SIGN_LEN));
	xalloc_set(
	    params, "key", js_hex(f->keys.sign.public_key, SIGN_KEY_LEN));
	if (json_array_size(f->texts) > 0)
		xalloc_set(params, "texts", xalloc_copy(f->texts));
	return (params);
}

/* Which method takes an order. */
static const char *
forge_method(const char *text)
{
	json_t *o = json_loads(text, 0, NULL);
	const char *kind = json_string_value(json_object_get(o, "kind"));
	const char *method = "game.order";

	if (forge_is_entry(o))
		method = "tournament.order";
	if (kind != NULL && strcmp(kind, "create") == 0 && forge_is_entry(o))
		method = "tournament.create";
	else if (kind != NULL && strcmp(kind, "create") == 0)
		method = "game.create";
	else if (kind != NULL && strcmp(kind, "join") == 0)
		method = "game.join";
	json_decref(o);
	return (method);
}

/* Signs and sends an order whose text is complete. */
static json_t *
forge_order(struct forge *f, const char *text)
{
	json_decref(f->last);
	f->last = forge_sign(f, text);
	f->last_method = forge_method(text);
	return (forge_ask(f, f->last_method, f->last));
}

/* A number below n, by chance. */
static unsigned
forge_chance(unsigned n)
{
	uint8_t bytes[2];

	if (hash_random(bytes, sizeof(bytes)) != 0)
		forge_die("chance", "no randomness");
	return (((unsigned)bytes[0] << 8 | bytes[1]) % n);
}

/* Adds blanks, tabs and line ends, as JSON allows between tokens. */
static void
forge_vary_space(struct buf *b)
{
	unsigned n = forge_chance(FORGE_SPACES);

	while (n-- > 0)
		buf_putc(b, " \t\n\r"[forge_chance(4)]);
}

/* The names of an object's members in an order by chance; free(). */
static const char **
forge_vary_names(json_t *o)
{
	size_t i = 0, n = json_object_size(o), k;
	const char **names = xalloc((n + 1) * sizeof(*names)), *name;
	json_t *v;

	json_object_foreach(o, name, v)
	{
		k = forge_chance((unsigned)i + 1);
		names[i++] = names[k];
		names[k] = name;
	}
	return (names);
}

/* Writes a value in bytes of its own; the depth is that of orders. */
static void
forge_vary(const json_t *v, struct buf *b)
{
	size_t i, n;
	const char **names;

	forge_vary_space(b);
	if (json_is_object(v)) {
		names = forge_vary_names((json_t *)(uintptr_t)v);
		n = json_object_size(v);
		buf_putc(b, '{');
		for (i = 0; i < n; i++) {
			forge_vary_space(b);
			buf_printf(b, "%s\"%s\"", i > 0 ? "," : "", names[i]);
			forge_vary_space(b);
			buf_putc(b, ':');
			forge_vary(json_object_get(v, names[i]), b);
		}
		buf_putc(b, '}');
		free(names);
	} else if (json_is_array(v)) {
		n = json_array_size(v);
		buf_putc(b, '[');
		for (i = 0; i < n; i++) {
			buf_puts(b, i > 0 ? "," : "");
			forge_vary(json_array_get(v, i), b);
		}
		buf_putc(b, ']');
	} else {
		js_dump(v, b);
	}
	forge_vary_space(b);
}

/* The name of an answer: "line" or the error's. */
static const char *
forge_name(const json_t *reply)
{
	const json_t *e = json_object_get(reply, "error");
	const char *name;

	if (e == NULL)
		return ("line");
	name = json_string_value(
	    json_object_get(json_object_get(e, "data"), "name"));
	return (name == NULL ? "?" : name);
}

/* Sends `count` variations of an order and prints how often which answer. */
static void
forge_vary_all(struct forge *f, const char *words)
{
	char *end, *text, *varied;
	long i, count = strtol(words, &end, 10);
	json_t *o, *reply, *sums = xalloc_json(json_object());
	const char *name;
	struct buf b;

	for (i = 0; i < count; i++) {
		text = forge_fill(f, end);
		if ((o = json_loads(text, 0, NULL)) == NULL)
			forge_die("vary", "the text is no JSON");
		buf_init(&b, 0);
		forge_vary(o, &b);
		json_decref(o);
		free(text);
		varied = xalloc_take(&b);
		reply = forge_order(f, varied);
		free(varied);
		if (reply == NULL) {
			json_decref(sums);
			return;
		}
		name = forge_name(reply);
		xalloc_set(sums, name,
		    json_integer(
			1 + json_integer_value(json_object_get(sums, name))));
		json_decref(reply);
	}
	forge_print(sums);
}

/* Reads JSON that the test gave; new. */
static json_t *
forge_json(const char *text)
{
	json_t *v = json_loads(text, JSON_DECODE_ANY, NULL);

	if (v == NULL)
		forge_die(text, "no JSON");
	return (v);
}

/* Carries out what is about orders; false if the verb is another. */
static bool
forge_do_order(struct forge *f, const char *verb, const char *words)
{
	char *text;
	json_t *v;

	if (strcmp(verb, "again") == 0) {
		if (f->last == NULL)
			forge_die("again", "there was no order");
		forge_call(f, f->last_method, f->last);
	} else if (strcmp(verb, "vary") == 0) {
		forge_vary_all(f, words);
	} else if (strcmp(verb, "sign") == 0) {
		text = forge_fill(f, words);
		forge_print(forge_sign(f, text));
		free(text);
	} else if (strcmp(verb, "order") == 0) {
		text = forge_fill(f, words);
		if ((v = forge_order(f, text)) != NULL)
			forge_print(v);
		free(text);
	} else if (strcmp(verb, "pool") == 0) {
		if (hex_parse(f->pool, HASH_LEN, words, strlen(words)) != 0)
			forge_die(words, "no hash");
		forge_print(json_true());
	} else if (strcmp(verb, "texts") == 0) {
		json_decref(f->texts);
		f->texts = forge_json(words);
		forge_print(json_true());
	} else {
		return (false);
	}
	return (true);
}

/* Carries out one command. */
static void
forge_do(struct forge *f, char *line)
{
	char *words = line + strcspn(line, " "), *params;
	json_t *v;

	if (*words != '\0')
		*words++ = '\0';
	if (forge_do_order(f, line, words))
		return;
	if (strcmp(line, "hello") == 0) {
		forge_call(f, "server.hello", NULL);
	} else if (strcmp(line, "login") == 0) {
		forge_login(f, "account.login", words);
	} else if (strcmp(line, "register") == 0) {
		forge_login(f, "account.register", words);
	} else if (strcmp(line, "credentials") == 0) {
		forge_print(forge_credentials(f, words));
	} else if (strcmp(line, "newkeys") == 0) {
		forge_new_keys(f);
		forge_keys(f);
	} else if (strcmp(line, "statement") == 0) {
		forge_print(forge_statement(f, words));
	} else if (strcmp(line, "keys") == 0) {
		forge_keys(f);
	} else if (strcmp(line, "send") == 0) {
		params = xalloc_printf("%s\n", words);
		forge_send(f, params, strlen(params));
		free(params);
	} else if (strcmp(line, "file") == 0) {
		forge_file(f, words);
	} else if (strcmp(line, "line") == 0) {
		forge_line(f, strtol(words, NULL, 10));
	} else if (strcmp(line, "call") == 0) {
		params = words + strcspn(words, " ");
		if (*params != '\0')
			*params++ = '\0';
		v = *params == '\0' ? NULL : forge_json(params);
		forge_call(f, words, v);
		json_decref(v);
	} else {
		forge_die(line, "no such command");
	}
}

int
main(int argc, char **argv)
{
	struct forge f = {.id = 0};
	struct errinfo e = {.text = ""};
	size_t cap = 0;
	ssize_t len;
	char *line = NULL;
	int c, r;

	while ((c = getopt(argc, argv, "k:")) != -1) {
		if (c != 'k')
			forge_die("usage", "forge [-k DIR] HOST PORT");
		forge_load_keys(&f, optarg);
	}
	if (argc - optind != 2)
		forge_die("usage", "forge [-k DIR] HOST PORT");
	r = conn_open(
	    argv[optind], argv[optind + 1], FORGE_WAIT_MS, &f.conn, &e);
	if (r != 0)
		forge_die("connect", e.text);
	(void)signal(SIGPIPE, SIG_IGN);
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	while ((len = getline(&line, &cap, stdin)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (strcmp(line, "quit") == 0)
			break;
		forge_do(&f, line);
	}
	free(line);
	conn_close(f.conn);
	json_decref(f.texts);
	json_decref(f.last);
	sign_key_clear(&f.keys.sign);
	vrf_key_clear(&f.keys.dice);
	return (0);
}
