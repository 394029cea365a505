/* SPDX-License-Identifier: ISC */
/*
 * TLS 1.3 on a non-blocking socket, server side: only X25519 and P-256,
 * no tickets, no resumption, no early data, no renegotiation (RFC 8446; record
 * S12).  The only file of the daemon's network half that knows OpenSSL.
 */
#ifndef UMPIRE_SERVER_NET_TLS_H
#define UMPIRE_SERVER_NET_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct ssl_st;
struct tls_config;

/* A connection, embedded in its owner; tls_clear() frees what it holds. */
struct tls {
	struct ssl_st *ssl; /* owned; NULL: none */
	bool is_broken; /* nothing more may be said */
};

#define TLS_EXPORTER_LEN 32

/* What a call that returned ERR_PENDING waits for. */
enum tls_want {
	TLS_WANT_READ,
	TLS_WANT_WRITE,
};

/*
 * Has OpenSSL wipe the memory that it frees, in which there may be keys.  It
 * must not have been used before.
 */
void tls_wipe_freed(void);

/*
 * Reads a certificate (with its chain) and its key from PEM files.
 * ERR_CONFIG with the reason, ERR_NOMEM.  *out is new.
 */
int tls_config_new(const char *cert, const char *key, struct tls_config **out,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Adds a reference; returns c.  Any thread may call it. */
struct tls_config *tls_config_ref(struct tls_config *c);

/* Takes a reference away, and frees with the last; NULL is allowed. */
void tls_config_unref(struct tls_config *c);

/* Opens a connection on a socket, which stays the caller's.  ERR_NOMEM. */
int tls_init(struct tls *t, struct tls_config *c, int fd)
    __attribute__((warn_unused_result));

/* Frees what it holds without a word to the peer. */
void tls_clear(struct tls *t);

/*
 * Goes on with the handshake.  0 when it is done; ERR_PENDING with *want;
 * ERR_CLOSED; ERR_TLS with the reason.
 */
int tls_handshake(struct tls *t, enum tls_want *want, struct errinfo *e)
    __attribute__((warn_unused_result));

/* True once the peer's hello has come, which costs most of a handshake. */
bool tls_is_begun(const struct tls *t);

/* True if a peer's first byte can begin a TLS record. */
bool tls_is_hello(uint8_t first);

/* The channel binding of RFC 9266, after the handshake.  ERR_TLS. */
int tls_exporter(struct tls *t, uint8_t out[TLS_EXPORTER_LEN])
    __attribute__((warn_unused_result));

/*
 * Reads up to n bytes: 0 with *got > 0; ERR_PENDING with *want; ERR_CLOSED;
 * ERR_TLS with the reason.
 */
int tls_read(struct tls *t, void *p, size_t n, size_t *got, enum tls_want *want,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Writes up to n > 0 bytes: 0 with *done > 0; else as tls_read().  After
 * ERR_PENDING the next call must begin with the same bytes.
 */
int tls_write(struct tls *t, const void *p, size_t n, size_t *done,
    enum tls_want *want, struct errinfo *e) __attribute__((warn_unused_result));

/* Tells the peer that nothing more will come; as far as it can be said. */
void tls_shutdown(struct tls *t);

/*
 * Makes a P-256 key and a certificate for it, signed by itself, valid for
 * `days`, in two new PEM files of mode 0600.  ERR_EXISTS, ERR_IO, ERR_TLS.
 */
int tls_make_certificate(const char *cert, const char *key, const char *host,
    int days, struct errinfo *e) __attribute__((warn_unused_result));

#endif
