/* SPDX-License-Identifier: ISC */
/*
 * TLS as the protocol wants it: 1.3 alone, no tickets, no early data, the
 * exporter of RFC 9266 the same at both ends, and bytes that come through.
 */
#include "server/net/tls.h"

#include <sys/socket.h>
#include <sys/stat.h>

#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Two ends of a socket: ours and a client of OpenSSL's own. */
struct pair {
	char dir[64];
	char cert[96];
	char key[96];
	struct tls_config *config;
	struct tls tls;
	SSL_CTX *ctx;
	SSL *client;
	int fds[2];
	int tickets;
};

static int
make_pair(void **state)
{
	struct pair *p = calloc(1, sizeof(*p));
	struct errinfo e;

	if (p == NULL)
		return (-1);
	(void)snprintf(p->dir, sizeof(p->dir), "/tmp/umpire-tls.XXXXXX");
	if (mkdtemp(p->dir) == NULL)
		return (-1);
	(void)snprintf(p->cert, sizeof(p->cert), "%s/tls.crt", p->dir);
	(void)snprintf(p->key, sizeof(p->key), "%s/tls.key", p->dir);
	if (tls_make_certificate(p->cert, p->key, "host.example", 10, &e) !=
		0 ||
	    tls_config_new(p->cert, p->key, &p->config, &e) != 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, p->fds) == -1 ||
	    tls_init(&p->tls, p->config, p->fds[0]) != 0 ||
	    (p->ctx = SSL_CTX_new(TLS_client_method())) == NULL)
		return (-1);
	*state = p;
	return (0);
}

static int
free_pair(void **state)
{
	struct pair *p = *state;

	SSL_free(p->client);
	SSL_CTX_free(p->ctx);
	tls_clear(&p->tls);
	tls_config_unref(p->config);
	(void)close(p->fds[0]);
	(void)close(p->fds[1]);
	(void)unlink(p->cert);
	(void)unlink(p->key);
	(void)rmdir(p->dir);
	free(p);
	return (0);
}

/* Counts tickets that the client is given. */
static int
ticket_cb(SSL *ssl, SSL_SESSION *session)
{
	(void)session;
	++*(int *)SSL_get_app_data(ssl);
	return (0);
}

/* Makes the client's end. */
static void
open_client(struct pair *p)
{
	SSL_CTX_set_session_cache_mode(p->ctx, SSL_SESS_CACHE_CLIENT);
	SSL_CTX_sess_set_new_cb(p->ctx, ticket_cb);
	p->client = SSL_new(p->ctx);
	assert_non_null(p->client);
	SSL_set_app_data(p->client, (char *)&p->tickets);
	assert_int_equal(SSL_set_fd(p->client, p->fds[1]), 1);
	SSL_set_connect_state(p->client);
}

/* Lets both ends work until ours is done or fails. */
static int
shake(struct pair *p, struct errinfo *e)
{
	enum tls_want want;
	int i, r = ERR_PENDING;

	for (i = 0; i < 20 && r == ERR_PENDING; i++) {
		(void)SSL_do_handshake(p->client);
		r = tls_handshake(&p->tls, &want, e);
		if (r == ERR_PENDING)
			assert_int_equal(want, TLS_WANT_READ);
	}
	return (r);
}

/* Does the whole handshake. */
static void
meet(struct pair *p)
{
	struct errinfo e;

	open_client(p);
	assert_int_equal(shake(p, &e), 0);
	assert_int_equal(SSL_is_init_finished(p->client), 1);
}

static void
both_ends_have_the_same_exporter(void **state)
{
	uint8_t ours[TLS_EXPORTER_LEN], theirs[TLS_EXPORTER_LEN];
	struct pair *p = *state;

	meet(p);
	assert_int_equal(tls_exporter(&p->tls, ours), 0);
	assert_int_equal(
	    SSL_export_keying_material(p->client, theirs, sizeof(theirs),
		"EXPORTER-Channel-Binding", 24, NULL, 0, 0),
	    1);
	assert_memory_equal(ours, theirs, sizeof(ours));
}

static void
only_tls_1_3_is_spoken(void **state)
{
	struct pair *p = *state;
	struct errinfo e = {.text = ""};

	assert_int_equal(
	    SSL_CTX_set_max_proto_version(p->ctx, TLS1_2_VERSION), 1);
	open_client(p);
	assert_int_equal(shake(p, &e), ERR_TLS);
	assert_true(p->tls.is_broken);
	assert_non_null(strstr(e.text, "unsupported protocol"));
}

static void
no_ticket_is_given_and_no_session_resumed(void **state)
{
	struct pair *p = *state;
	struct errinfo e;
	enum tls_want want;
	char byte;
	size_t n;

	meet(p);
	assert_string_equal(SSL_get_version(p->client), "TLSv1.3");
	/* A ticket would come with the first bytes after the handshake. */
	assert_int_equal(tls_write(&p->tls, "x", 1, &n, &want, &e), 0);
	assert_int_equal(SSL_read(p->client, &byte, 1), 1);
	assert_int_equal(SSL_read(p->client, &byte, 1), -1);
	assert_int_equal(p->tickets, 0);
	assert_int_equal(SSL_SESSION_has_ticket(SSL_get_session(p->client)), 0);
	assert_int_equal(
	    SSL_SESSION_is_resumable(SSL_get_session(p->client)), 0);
	assert_int_equal(SSL_session_reused(p->client), 0);
}

static void
no_early_data_is_taken(void **state)
{
	struct pair *p = *state;

	meet(p);
	assert_int_equal(
	    SSL_SESSION_get_max_early_data(SSL_get_session(p->client)), 0);
	assert_int_equal(SSL_get_max_early_data(p->tls.ssl), 0);
	assert_int_equal(SSL_get_recv_max_early_data(p->tls.ssl), 0);
	assert_int_equal(
	    SSL_get_early_data_status(p->tls.ssl), SSL_EARLY_DATA_NOT_SENT);
}

static void
bytes_come_through_whole_in_both_directions(void **state)
{
	static uint8_t in[300000], out[300000];
	struct pair *p = *state;
	enum tls_want want;
	struct errinfo e;
	size_t done, got = 0, i, sent = 0;
	int r;

	meet(p);
	for (i = 0; i < sizeof(out); i++)
		out[i] = (uint8_t)(i * 7 + i / 256);
	while (got < sizeof(out)) {
		if (sent < sizeof(out)) {
			r = tls_write(&p->tls, out + sent, sizeof(out) - sent,
			    &done, &want, &e);
			if (r == 0)
				sent += done;
			else
				assert_int_equal(r, ERR_PENDING);
		}
		if (SSL_read_ex(p->client, in + got, sizeof(in) - got, &done))
			got += done;
	}
	assert_memory_equal(in, out, sizeof(out));
	assert_int_equal(SSL_write(p->client, "hello", 5), 5);
	assert_int_equal(tls_read(&p->tls, in, sizeof(in), &got, &want, &e), 0);
	assert_int_equal(got, 5);
	assert_memory_equal(in, "hello", 5);
	assert_int_equal(
	    tls_read(&p->tls, in, sizeof(in), &got, &want, &e), ERR_PENDING);
	assert_int_equal(want, TLS_WANT_READ);
}

static void
an_end_is_told_from_a_break(void **state)
{
	struct pair *p = *state;
	enum tls_want want;
	struct errinfo e;
	char byte;
	size_t n;

	meet(p);
	assert_int_equal(SSL_shutdown(p->client), 0);
	assert_int_equal(
	    tls_read(&p->tls, &byte, 1, &n, &want, &e), ERR_CLOSED);
	assert_false(p->tls.is_broken);
	/* Its end is shut, ours is not. */
	assert_int_equal(tls_write(&p->tls, "x", 1, &n, &want, &e), 0);
	assert_int_equal(close(p->fds[1]), 0);
	assert_int_equal(tls_write(&p->tls, "x", 1, &n, &want, &e), ERR_CLOSED);
	assert_true(p->tls.is_broken);
	/* Harmless. */
	tls_shutdown(&p->tls);
	p->fds[1] = dup(p->fds[0]);
}

static void
a_connection_that_just_stops_is_closed(void **state)
{
	struct pair *p = *state;
	enum tls_want want;
	struct errinfo e;
	char byte;
	size_t n;

	meet(p);
	assert_int_equal(shutdown(p->fds[1], SHUT_WR), 0);
	assert_int_equal(
	    tls_read(&p->tls, &byte, 1, &n, &want, &e), ERR_CLOSED);
	assert_true(p->tls.is_broken);
}

static void
rubbish_breaks_the_connection(void **state)
{
	struct pair *p = *state;
	enum tls_want want;
	struct errinfo e = {.text = ""};
	char byte;
	size_t n;

	meet(p);
	assert_int_equal(write(p->fds[1], "GET / HTTP/1.1\r\n", 16), 16);
	assert_int_equal(tls_read(&p->tls, &byte, 1, &n, &want, &e), ERR_TLS);
	assert_true(p->tls.is_broken);
	assert_string_not_equal(e.text, "");
}

static void
only_a_handshake_record_begins_tls(void **state)
{
	int c;

	(void)state;
	for (c = 0; c < 256; c++)
		assert_int_equal(tls_is_hello((uint8_t)c), c == 22);
}

static void
a_certificate_is_made_in_the_name_of_the_host(void **state)
{
	struct pair *p = *state;
	const X509 *x;
	X509 *cert;
	struct stat sb;

	meet(p);
	cert = SSL_get1_peer_certificate(p->client);
	x = cert;
	assert_non_null(cert);
	assert_int_equal(X509_check_host(cert, "host.example", 0, 0, NULL), 1);
	assert_int_equal(X509_cmp_current_time(X509_get0_notBefore(x)), -1);
	assert_int_equal(X509_cmp_current_time(X509_get0_notAfter(x)), 1);
	assert_int_equal(X509_verify(cert, X509_get0_pubkey(x)), 1);
	X509_free(cert);
	assert_int_equal(stat(p->key, &sb), 0);
	assert_int_equal(sb.st_mode & 0777, 0600);
}

static void
nothing_is_overwritten_by_a_certificate(void **state)
{
	struct pair *p = *state;
	struct errinfo e;

	assert_int_equal(
	    tls_make_certificate(p->cert, p->key, "x", 10, &e), ERR_EXISTS);
	assert_int_equal(unlink(p->key), 0);
	/* The new key goes again when the certificate cannot be written. */
	assert_int_equal(
	    tls_make_certificate(p->cert, p->key, "x", 10, &e), ERR_EXISTS);
	assert_int_equal(access(p->key, F_OK), -1);
}

static void
a_name_that_no_certificate_can_hold_is_replaced(void **state)
{
	const char *names[] = {"", "a,DNS:b", "a b", "\xc3\xa4", "a\nb", NULL};
	struct pair *p = *state;
	struct tls_config *config;
	char longest[66];
	struct errinfo e;
	size_t i;

	memset(longest, 'a', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i] == NULL)
			names[i] = longest;
		assert_int_equal(unlink(p->cert) | unlink(p->key), 0);
		assert_int_equal(
		    tls_make_certificate(p->cert, p->key, names[i], 10, &e), 0);
		assert_int_equal(
		    tls_config_new(p->cert, p->key, &config, &e), 0);
		tls_config_unref(config);
	}
}

static void
files_that_cannot_be_used_are_named(void **state)
{
	struct pair *p = *state;
	struct tls_config *config = NULL;
	struct errinfo e;

	assert_int_equal(
	    tls_config_new("/nonexistent", p->key, &config, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, "tls_cert"));
	assert_non_null(strstr(e.text, "No such file"));
	assert_int_equal(
	    tls_config_new(p->cert, p->cert, &config, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, "tls_key"));
	assert_null(config);
	tls_config_unref(NULL);
}

static void
a_key_of_another_certificate_is_refused(void **state)
{
	struct pair *p = *state;
	struct tls_config *config = NULL;
	struct errinfo e;
	char cert[96];

	(void)snprintf(cert, sizeof(cert), "%s/x", p->dir);
	assert_int_equal(unlink(p->key), 0);
	assert_int_equal(tls_make_certificate(cert, p->key, "x", 10, &e), 0);
	assert_int_equal(
	    tls_config_new(p->cert, p->key, &config, &e), ERR_CONFIG);
	assert_null(config);
	assert_int_equal(unlink(cert), 0);
}

int
main(void)
{
#define WITH_PAIR(test) \
	cmocka_unit_test_setup_teardown(test, make_pair, free_pair)
	const struct CMUnitTest tests[] = {
	    WITH_PAIR(both_ends_have_the_same_exporter),
	    WITH_PAIR(only_tls_1_3_is_spoken),
	    WITH_PAIR(no_ticket_is_given_and_no_session_resumed),
	    WITH_PAIR(no_early_data_is_taken),
	    WITH_PAIR(bytes_come_through_whole_in_both_directions),
	    WITH_PAIR(an_end_is_told_from_a_break),
	    WITH_PAIR(a_connection_that_just_stops_is_closed),
	    WITH_PAIR(rubbish_breaks_the_connection),
	    cmocka_unit_test(only_a_handshake_record_begins_tls),
	    WITH_PAIR(a_certificate_is_made_in_the_name_of_the_host),
	    WITH_PAIR(nothing_is_overwritten_by_a_certificate),
	    WITH_PAIR(a_name_that_no_certificate_can_hold_is_replaced),
	    WITH_PAIR(files_that_cannot_be_used_are_named),
	    WITH_PAIR(a_key_of_another_certificate_is_refused),
	};

	(void)signal(SIGPIPE, SIG_IGN);
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
