/* SPDX-License-Identifier: ISC */
/*
 * liar DIR PORT SCRIPT: a server that has the keys of the daemon in DIR, so
 * that its players take it for that, and tells them what a test likes.  It
 * prints the port of the loopback at which it listens.  Requests go on to the
 * daemon at PORT, without any login, and its replies come back, unless SCRIPT
 * says something else.  That is a file with an object, read anew at each
 * request; its members are methods, "*" being all others:
 *
 *   {"error": OBJECT}     is the answer's error
 *   {"result": VALUE}     is its result; of server.hello, which is always
 *                         signed, and of what the daemon answers: members
 *                         that take the place of what is true
 *   {"notices": ARRAY}    go out, one a line, after the answer
 *   {"before": OBJECT}    what goes for requests whose param "before" is the
 *                         name of a member
 *   {"from": OBJECT}      likewise for their param "from", a number
 */
#include <sys/socket.h>
#include <sys/wait.h>

#include <arpa/inet.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client/base/xalloc.h"
#include "client/net/conn.h"
#include "common/base/buf.h"
#include "common/crypt/keyfile.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/json/js.h"
#include "common/record/rpc.h"

#define LIAR_WAIT_MS 60000
#define LIAR_LINE 1048576
#define LIAR_EXPORTER "EXPORTER-Channel-Binding"

struct liar {
	const char *script;
	const char *port; /* of the daemon */
	struct sign_key identity;
	SSL *ssl;
	struct conn *conn; /* to the daemon */
};

/* Ends the program: it cannot do as the test asks. */
static void __attribute__((noreturn)) liar_die(const char *what)
{
	(void)fprintf(stderr, "liar: %s\n", what);
	exit(64);
}

/* Sends a line; v is stolen. */
static void
liar_say(struct liar *l, json_t *v)
{
	char *s = xalloc_dump(v), *line = xalloc_printf("%s\n", s);

	if (SSL_write(l->ssl, line, (int)strlen(line)) <= 0)
		exit(0);
	free(line);
	free(s);
	json_decref(v);
}

/* Signs this connection as the daemon would; new. */
static json_t *
liar_hello(struct liar *l)
{
	uint8_t exporter[CONN_EXPORTER_LEN], sig[SIGN_LEN];
	struct conn_error ce;
	json_t *result;

	if (conn_call(l->conn, "server.hello", NULL, &result, &ce) != 0 ||
	    SSL_export_keying_material(l->ssl, exporter, sizeof(exporter),
		LIAR_EXPORTER, strlen(LIAR_EXPORTER), NULL, 0, 0) != 1 ||
	    sign_make(&l->identity, SIGN_TAG_HELLO, exporter, sizeof(exporter),
		sig) != 0)
		liar_die("hello");
	xalloc_set(result, "sig", js_hex(sig, sizeof(sig)));
	return (result);
}

/* What the daemon says, put into the answer v. */
static void
liar_ask(struct liar *l, const char *method, const json_t *params, json_t *v)
{
	struct conn_error ce;
	json_t *result, *error;

	if (strcmp(method, "server.hello") == 0) {
		xalloc_set(v, "result", liar_hello(l));
	} else if (conn_call(l->conn, method, xalloc_copy(params), &result,
		       &ce) == 0) {
		xalloc_set(v, "result", result);
	} else {
		error = xalloc_json(json_object());
		xalloc_set(error, "code", json_integer(rpc_code(ce.r)));
		xalloc_set(error, "message", xalloc_json_str(ce.e.text));
		xalloc_set(error, "data",
		    ce.data == NULL ? json_object() : xalloc_copy(ce.data));
		xalloc_set(v, "error", error);
		conn_error_clear(&ce);
	}
}

/* Answers a request as the script says. */
static void
liar_answer(struct liar *l, const json_t *request)
{
	const char *method =
	    json_string_value(json_object_get(request, "method"));
	const json_t *params = json_object_get(request, "params");
	json_t *script, *say, *page = NULL, *v, *own;
	const char *before = js_str(params, "before");
	char from[24];
	size_t i;

	if ((script = json_load_file(l->script, 0, NULL)) == NULL)
		liar_die(l->script);
	say = json_object_get(script, method == NULL ? "" : method);
	if (say == NULL)
		say = json_object_get(script, "*");
	(void)snprintf(
	    from, sizeof(from), "%lld", (long long)js_int(params, "from"));
	if (before != NULL)
		page = json_object_get(json_object_get(say, "before"), before);
	else if (json_is_integer(json_object_get(params, "from")))
		page = json_object_get(json_object_get(say, "from"), from);
	if (page != NULL)
		say = page;
	v = xalloc_json(json_object());
	xalloc_set(v, "jsonrpc", json_string("2.0"));
	xalloc_set(v, "id", xalloc_copy(json_object_get(request, "id")));
	if (json_object_get(say, "error") != NULL) {
		xalloc_set(
		    v, "error", xalloc_copy(json_object_get(say, "error")));
	} else {
		own = json_object_get(say, "result");
		if (own == NULL || strcmp(method, "server.hello") == 0)
			liar_ask(
			    l, method, json_object_get(request, "params"), v);
		else
			xalloc_set(v, "result", json_object());
		if (own != NULL &&
		    json_object_update(json_object_get(v, "result"), own) != 0)
			liar_die("result");
	}
	liar_say(l, v);
	json_array_foreach(json_object_get(say, "notices"), i, v)
	    liar_say(l, xalloc_copy(v));
	json_decref(script);
}

/* Talks to one client until it leaves. */
static void
liar_serve(struct liar *l, SSL_CTX *tls, int fd)
{
	static char line[LIAR_LINE];
	struct errinfo e;
	json_t *request;
	size_t n = 0;
	char *end;
	int got;

	l->ssl = SSL_new(tls);
	if (l->ssl == NULL || SSL_set_fd(l->ssl, fd) != 1 ||
	    SSL_accept(l->ssl) != 1)
		exit(0);
	if (conn_open("127.0.0.1", l->port, LIAR_WAIT_MS, &l->conn, &e) != 0)
		liar_die(e.text);
	while (
	    (got = SSL_read(l->ssl, line + n, (int)(sizeof(line) - n))) > 0) {
		n += (size_t)got;
		while ((end = memchr(line, '\n', n)) != NULL) {
			request =
			    json_loadb(line, (size_t)(end - line), 0, NULL);
			if (request == NULL)
				liar_die("a request that is no JSON");
			liar_answer(l, request);
			json_decref(request);
			n -= (size_t)(end + 1 - line);
			memmove(line, end + 1, n);
		}
	}
	exit(0);
}

/* Makes what TLS needs of the daemon's files. */
static SSL_CTX *
liar_tls(const char *dir)
{
	char *cert = xalloc_printf("%s/tls.crt", dir);
	char *key = xalloc_printf("%s/tls.key", dir);
	SSL_CTX *tls = SSL_CTX_new(TLS_server_method());

	if (tls == NULL || SSL_CTX_use_certificate_chain_file(tls, cert) != 1 ||
	    SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) != 1)
		liar_die("tls.crt or tls.key");
	free(cert);
	free(key);
	return (tls);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in sin = {.sin_family = AF_INET};
	struct liar l = {.ssl = NULL};
	socklen_t len = sizeof(sin);
	uint8_t seed[KEYFILE_LEN];
	struct errinfo e;
	SSL_CTX *tls;
	char *path;
	int fd, s;

	if (argc != 4)
		liar_die("usage: liar DIR PORT SCRIPT");
	l.port = argv[2];
	l.script = argv[3];
	path = xalloc_printf("%s/identity.key", argv[1]);
	if (keyfile_read(path, seed, &e) != 0 ||
	    sign_key_from_seed(&l.identity, seed) != 0)
		liar_die(path);
	tls = liar_tls(argv[1]);
	(void)signal(SIGCHLD, SIG_IGN);
	(void)signal(SIGPIPE, SIG_IGN);
	sin.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if ((s = socket(AF_INET, SOCK_STREAM, 0)) == -1 ||
	    bind(s, (struct sockaddr *)&sin, sizeof(sin)) == -1 ||
	    listen(s, 16) == -1 ||
	    getsockname(s, (struct sockaddr *)&sin, &len) == -1)
		liar_die("socket");
	(void)printf("%d\n", ntohs(sin.sin_port));
	(void)fflush(stdout);
	while ((fd = accept(s, NULL, NULL)) != -1) {
		if (fork() == 0) {
			(void)close(s);
			liar_serve(&l, tls, fd);
		}
		(void)close(fd);
	}
	free(path);
	return (0);
}
