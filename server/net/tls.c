/* SPDX-License-Identifier: ISC */
/*
 * The wrapper around OpenSSL.  It empties the library's error queue of the
 * thread before each call and after each failure, so that no connection is
 * blamed for another's.  Events and deadlines are the session's.
 */
#include "server/net/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TLS_EXPORTER_LABEL "EXPORTER-Channel-Binding" /* RFC 9266 4.2 */
/*
 * All others cost more, finite fields a hundred times as much, and a client
 * has the server compute what it asks for without computing anything itself.
 */
#define TLS_GROUPS "X25519:P-256"
#define TLS_RECORD_HANDSHAKE 22 /* RFC 8446 5.1 */
#define TLS_NAME_MAX 64 /* characters of a common name, X.520 */
#define TLS_SERIAL_LEN 16
#define TLS_KEY_MAX 65536 /* bytes of a private key's file */
#define TLS_WIPE_MAX 4096 /* bytes of a piece of freed memory */

struct tls_config {
	SSL_CTX *ctx; /* owned */
	atomic_int refs;
};

/* Fills e with OpenSSL's own reason, empties its queue and returns r. */
static int
tls_fail(int r, struct errinfo *e, const char *what)
{
	const char *reason;
	unsigned long code = ERR_peek_error();

	ERR_clear_error();
	if (code != 0 && ERR_GET_REASON(code) == ERR_R_MALLOC_FAILURE)
		return (err_set(e, ERR_NOMEM, "", "out of memory"));
	if (code == 0)
		reason = NULL;
	else if (ERR_SYSTEM_ERROR(code))
		reason = strerror(ERR_GET_REASON(code));
	else
		reason = ERR_reason_error_string(code);
	return (err_set(e, r, "", "%s%s%s", what, reason == NULL ? "" : ": ",
	    reason == NULL ? "" : reason));
}

/* Switches off all of TLS that this protocol does without. */
static int
tls_config_restrict(SSL_CTX *ctx)
{
	if (SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set_max_proto_version(ctx, TLS1_3_VERSION) != 1 ||
	    SSL_CTX_set1_groups_list(ctx, TLS_GROUPS) != 1 ||
	    SSL_CTX_set_num_tickets(ctx, 0) != 1 ||
	    SSL_CTX_set_max_early_data(ctx, 0) != 1 ||
	    SSL_CTX_set_recv_max_early_data(ctx, 0) != 1)
		return (ERR_TLS);
	(void)SSL_CTX_set_options(ctx,
	    SSL_OP_NO_TICKET | SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
	(void)SSL_CTX_set_session_cache_mode(ctx, SSL_SESS_CACHE_OFF);
	(void)SSL_CTX_set_mode(ctx,
	    SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
		SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	/*
	 * Without this a peer that sends nothing but key updates would keep
	 * SSL_read() busy for as long as it likes.
	 */
	(void)SSL_CTX_clear_mode(ctx, SSL_MODE_AUTO_RETRY);
	return (0);
}

/* Frees a piece of OpenSSL's memory. */
static void
tls_free_cb(void *p, const char *file, int line)
{
	size_t n;

	(void)file;
	(void)line;
	if (p == NULL)
		return;
	/* Keys are short; what is longer is records on their way. */
	n = malloc_usable_size(p);
	explicit_bzero(p, n > TLS_WIPE_MAX ? TLS_WIPE_MAX : n);
	free(p);
}

void
tls_wipe_freed(void)
{
	(void)CRYPTO_set_mem_functions(NULL, NULL, tls_free_cb);
}

/* Never asks for a password: there is no terminal. */
static int
tls_password_cb(char *out, int max, int is_writing, void *arg)
{
	(void)out;
	(void)max;
	(void)is_writing;
	(void)arg;
	return (-1);
}

/*
 * Reads the text of a private key's file into p; its length, or -1, with errno.
 * By hand, since what stdio has read is not wiped.
 */
static ssize_t
tls_read_file(const char *path, char p[TLS_KEY_MAX])
{
	ssize_t n = 1, used = 0;
	int fd, saved;

	if ((fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)) == -1)
		return (-1);
	while (n != 0 && used < TLS_KEY_MAX) {
		n = read(fd, p + used, (size_t)(TLS_KEY_MAX - used));
		if (n == -1 && errno != EINTR)
			break;
		used += n == -1 ? 0 : n;
	}
	saved = errno;
	(void)close(fd);
	errno = saved;
	return (n == -1 ? -1 : used);
}

/* Has a context use the private key of a file; false with OpenSSL's reason. */
static bool
tls_use_key(SSL_CTX *ctx, const char *path)
{
	EVP_PKEY *pkey = NULL;
	BIO *bio = NULL;
	bool ok = false;
	ssize_t n;
	char *text;

	if ((text = malloc(TLS_KEY_MAX)) == NULL) {
		ERR_raise(ERR_LIB_SYS, errno);
		return (false);
	}
	if ((n = tls_read_file(path, text)) == -1)
		ERR_raise(ERR_LIB_SYS, errno);
	else if ((bio = BIO_new_mem_buf(text, (int)n)) != NULL &&
	    (pkey = PEM_read_bio_PrivateKey(
		 bio, NULL, tls_password_cb, NULL)) != NULL)
		ok = SSL_CTX_use_PrivateKey(ctx, pkey) == 1 &&
		    SSL_CTX_check_private_key(ctx) == 1;
	EVP_PKEY_free(pkey);
	BIO_free(bio);
	/* A part may have been read before it failed. */
	explicit_bzero(text, TLS_KEY_MAX);
	free(text);
	return (ok);
}

int
tls_config_new(const char *cert, const char *key, struct tls_config **out,
    struct errinfo *e)
{
	char what[160];
	struct tls_config *c;
	SSL_CTX *ctx;
	int r;

	ERR_clear_error();
	if ((ctx = SSL_CTX_new(TLS_server_method())) == NULL)
		return (tls_fail(ERR_TLS, e, "tls cannot be set up"));
	if (tls_config_restrict(ctx) != 0) {
		r = tls_fail(ERR_TLS, e, "tls cannot be set up");
		goto fail;
	}
	if (SSL_CTX_use_certificate_chain_file(ctx, cert) != 1) {
		(void)snprintf(what, sizeof(what),
		    "tls_cert \"%.100s\" cannot be used", cert);
		r = tls_fail(ERR_CONFIG, e, what);
		goto fail;
	}
	if (!tls_use_key(ctx, key)) {
		(void)snprintf(what, sizeof(what),
		    "tls_key \"%.100s\" cannot be used", key);
		r = tls_fail(ERR_CONFIG, e, what);
		goto fail;
	}
	if ((c = malloc(sizeof(*c))) == NULL) {
		r = err_set(e, ERR_NOMEM, "", "out of memory");
		goto fail;
	}
	c->ctx = ctx;
	atomic_init(&c->refs, 1);
	*out = c;
	return (0);
fail:
	SSL_CTX_free(ctx);
	return (r);
}

struct tls_config *
tls_config_ref(struct tls_config *c)
{
	(void)atomic_fetch_add(&c->refs, 1);
	return (c);
}

void
tls_config_unref(struct tls_config *c)
{
	if (c == NULL || atomic_fetch_sub(&c->refs, 1) > 1)
		return;
	SSL_CTX_free(c->ctx);
	free(c);
}

int
tls_init(struct tls *t, struct tls_config *c, int fd)
{
	SSL *ssl;

	ERR_clear_error();
	if ((ssl = SSL_new(c->ctx)) == NULL)
		return (ERR_NOMEM);
	if (SSL_set_fd(ssl, fd) != 1) {
		SSL_free(ssl);
		ERR_clear_error();
		return (ERR_NOMEM);
	}
	SSL_set_accept_state(ssl);
	*t = (struct tls){.ssl = ssl};
	return (0);
}

void
tls_clear(struct tls *t)
{
	SSL_free(t->ssl);
	*t = (struct tls){.ssl = NULL};
}

bool
tls_is_begun(const struct tls *t)
{
	return (SSL_get_state(t->ssl) != TLS_ST_BEFORE);
}

bool
tls_is_hello(uint8_t first)
{
	return (first == TLS_RECORD_HANDSHAKE);
}

/* Turns what a call of OpenSSL returned into our codes. */
static int
tls_result(struct tls *t, int returned, enum tls_want *want, struct errinfo *e)
{
	const int saved = errno;
	int r;

	switch (SSL_get_error(t->ssl, returned)) {
	case SSL_ERROR_WANT_READ:
		*want = TLS_WANT_READ;
		return (ERR_PENDING);
	case SSL_ERROR_WANT_WRITE:
		*want = TLS_WANT_WRITE;
		return (ERR_PENDING);
	case SSL_ERROR_ZERO_RETURN:
		return (err_set(e, ERR_CLOSED, "", "closed by the peer"));
	case SSL_ERROR_SYSCALL:
		t->is_broken = true;
		ERR_clear_error();
		return (err_set(e, ERR_CLOSED, "", "%s",
		    saved == 0 ? "closed by the peer" : strerror(saved)));
	default:
		t->is_broken = true;
		if (ERR_GET_REASON(ERR_peek_error()) ==
		    SSL_R_UNEXPECTED_EOF_WHILE_READING) {
			ERR_clear_error();
			return (
			    err_set(e, ERR_CLOSED, "", "closed by the peer"));
		}
		r = tls_fail(ERR_TLS, e, "tls failed");
		return (r);
	}
}

int
tls_handshake(struct tls *t, enum tls_want *want, struct errinfo *e)
{
	int n;

	ERR_clear_error();
	errno = 0;
	if ((n = SSL_do_handshake(t->ssl)) == 1)
		return (0);
	return (tls_result(t, n, want, e));
}

int
tls_exporter(struct tls *t, uint8_t out[TLS_EXPORTER_LEN])
{
	ERR_clear_error();
	if (SSL_export_keying_material(t->ssl, out, TLS_EXPORTER_LEN,
		TLS_EXPORTER_LABEL, strlen(TLS_EXPORTER_LABEL), NULL, 0,
		0) == 1)
		return (0);
	ERR_clear_error();
	return (ERR_TLS);
}

int
tls_read(struct tls *t, void *p, size_t n, size_t *got, enum tls_want *want,
    struct errinfo *e)
{
	int r;

	ERR_clear_error();
	errno = 0;
	if ((r = SSL_read_ex(t->ssl, p, n, got)) == 1)
		return (0);
	return (tls_result(t, r, want, e));
}

int
tls_write(struct tls *t, const void *p, size_t n, size_t *done,
    enum tls_want *want, struct errinfo *e)
{
	int r;

	ERR_clear_error();
	errno = 0;
	if ((r = SSL_write_ex(t->ssl, p, n, done)) == 1)
		return (0);
	r = tls_result(t, r, want, e);
	/* OpenSSL tells of a failed write after the peer's end as of an end. */
	if (r != ERR_PENDING)
		t->is_broken = true;
	return (r);
}

void
tls_shutdown(struct tls *t)
{
	if (t->ssl == NULL || t->is_broken || !SSL_is_init_finished(t->ssl))
		return;
	ERR_clear_error();
	(void)SSL_shutdown(t->ssl);
	ERR_clear_error();
}

/* Adds one extension, its value in OpenSSL's words. */
static bool
tls_add_extension(X509 *x, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509_EXTENSION *ext;
	bool ok;

	X509V3_set_ctx(&ctx, x, x, NULL, NULL, 0);
	if ((ext = X509V3_EXT_conf_nid(NULL, &ctx, nid, value)) == NULL)
		return (false);
	ok = X509_add_ext(x, ext, -1) == 1;
	X509_EXTENSION_free(ext);
	return (ok);
}

/* Sets a random serial number of 127 bits. */
static bool
tls_set_serial(X509 *x)
{
	BIGNUM *bn = BN_new();
	bool ok;

	ok = bn != NULL &&
	    BN_rand(bn, 8 * TLS_SERIAL_LEN - 1, BN_RAND_TOP_ONE,
		BN_RAND_BOTTOM_ANY) == 1 &&
	    BN_to_ASN1_INTEGER(bn, X509_get_serialNumber(x)) != NULL;
	BN_free(bn);
	return (ok);
}

/* Fills in and signs a certificate. */
static bool
tls_fill_certificate(X509 *x, EVP_PKEY *pkey, const char *host, int days)
{
	X509_NAME *name = X509_get_subject_name(x);
	char san[TLS_NAME_MAX + 8];

	/* A day back, for clocks that are not quite right. */
	(void)snprintf(san, sizeof(san), "DNS:%s", host);
	return (X509_set_version(x, X509_VERSION_3) == 1 && tls_set_serial(x) &&
	    X509_time_adj_ex(X509_getm_notBefore(x), -1, 0, NULL) != NULL &&
	    X509_time_adj_ex(X509_getm_notAfter(x), days, 0, NULL) != NULL &&
	    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
		(const unsigned char *)host, -1, -1, 0) == 1 &&
	    X509_set_issuer_name(x, name) == 1 &&
	    X509_set_pubkey(x, pkey) == 1 &&
	    tls_add_extension(x, NID_subject_alt_name, san) &&
	    tls_add_extension(x, NID_basic_constraints, "critical,CA:FALSE") &&
	    tls_add_extension(x, NID_key_usage, "critical,digitalSignature") &&
	    tls_add_extension(x, NID_ext_key_usage, "serverAuth") &&
	    X509_sign(x, pkey, EVP_sha256()) > 0);
}

/* Writes one PEM file: the key if x is NULL, else the certificate. */
static int
tls_write_pem(const char *path, EVP_PKEY *pkey, X509 *x, struct errinfo *e)
{
	FILE *f = NULL;
	bool ok = false;
	int fd, saved;

	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd == -1)
		return (err_set(e, errno == EEXIST ? ERR_EXISTS : ERR_IO, "",
		    "cannot create \"%s\": %s", path, strerror(errno)));
	errno = 0;
	if ((f = fdopen(fd, "w")) != NULL) {
		/* A buffer of stdio's would keep the key when it is freed. */
		if (x == NULL)
			(void)setvbuf(f, NULL, _IONBF, 0);
		ok = (x != NULL ? PEM_write_X509(f, x)
				: PEM_write_PrivateKey(
				      f, pkey, NULL, NULL, 0, NULL, NULL)) == 1;
		ok = ok && fflush(f) == 0 && fsync(fd) == 0;
	}
	saved = errno;
	if (f == NULL)
		(void)close(fd);
	else if (fclose(f) != 0)
		ok = false;
	if (ok)
		return (0);
	(void)unlink(path);
	return (err_set(e, ERR_IO, "", "cannot write \"%s\": %s", path,
	    strerror(saved == 0 ? EIO : saved)));
}

/* The host's name if it can stand in a certificate as it is. */
static const char *
tls_host_name(const char *host)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
	const size_t len = strlen(host);

	if (len == 0 || len > TLS_NAME_MAX || strspn(host, plain) != len)
		return ("umpired");
	return (host);
}

int
tls_make_certificate(const char *cert, const char *key, const char *host,
    int days, struct errinfo *e)
{
	EVP_PKEY *pkey;
	X509 *x;
	int r;

	ERR_clear_error();
	pkey = EVP_EC_gen("P-256");
	x = X509_new();
	if (pkey == NULL || x == NULL ||
	    !tls_fill_certificate(x, pkey, tls_host_name(host), days)) {
		r = tls_fail(ERR_TLS, e, "cannot make a certificate");
		goto out;
	}
	if ((r = tls_write_pem(key, pkey, NULL, e)) != 0)
		goto out;
	if ((r = tls_write_pem(cert, NULL, x, e)) != 0)
		(void)unlink(key);
out:
	X509_free(x);
	EVP_PKEY_free(pkey);
	return (r);
}
