/* SPDX-License-Identifier: ISC */
/*
 * Key statements (record S4): the exact bytes by which an account gains or
 * loses a key.  This checks their form; whether one holds is the game's, and
 * for an account the daemon's.
 */
#ifndef UMPIRE_COMMON_RECORD_STATEMENT_H
#define UMPIRE_COMMON_RECORD_STATEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct buf;

#define STATEMENT_KEYS_MAX 16 /* that an account has at a time */

enum statement_do {
	STATEMENT_ADD, /* `key` is one more */
	STATEMENT_DROP, /* `key` is none any longer */
	STATEMENT_RESET, /* `key` is the only one; signed by the recovery key */
	STATEMENT_UNKNOWN, /* of a later version */
};

/* The names of those that are known, NULL-ended. */
extern const char *const statement_dos[];

/* A statement as read; statement_clear() frees it. */
struct statement {
	json_t *root; /* owned */
	uint8_t server[SIGN_KEY_LEN]; /* its identity key */
	const char *account; /* borrowed from root */
	int64_t n; /* 1, 2 ... of the account */
	uint8_t prev[HASH_LEN]; /* hash of the one before; zeros for 1 */
	const char *what_name; /* as written; borrowed from root */
	enum statement_do what;
	uint8_t key[SIGN_KEY_LEN]; /* not read for STATEMENT_UNKNOWN */
	int64_t now_ms; /* by the author's clock */
	uint8_t hash[HASH_LEN]; /* its own: H(T("umpire/key/1") || text) */
};

/*
 * Reads a statement: size, profile, members with their types, a key that may
 * be used.  ERR_TOOBIG, ERR_MALFORMED, ERR_INVALID (with the place,
 * "statement.key"); ERR_NOMEM.
 */
int statement_parse(const char *text, size_t len, struct statement *s,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Frees what statement_parse() gave. */
void statement_clear(struct statement *s);

/* What a new statement is made of; pointers are borrowed. */
struct statement_parts {
	const uint8_t *server;
	const char *account;
	int64_t n;
	const uint8_t *prev;
	enum statement_do what;
	const uint8_t *key;
	int64_t now_ms;
};

/* Appends the text of a statement.  ERR_NOMEM. */
int statement_write(const struct statement_parts *p, struct buf *out)
    __attribute__((warn_unused_result));

/* The keys of an account, or of its seat in a game (record S4). */
struct statement_keys {
	uint8_t keys[STATEMENT_KEYS_MAX][SIGN_KEY_LEN];
	int n_keys;
	bool has_recovery;
	uint8_t recovery[SIGN_KEY_LEN];
	int64_t n; /* number of the last statement; 0: none */
	uint8_t prev[HASH_LEN]; /* its hash; zeros */
};

/* True if this is one of the keys; the recovery key is none of them. */
bool statement_has_key(
    const struct statement_keys *k, const uint8_t key[SIGN_KEY_LEN]);

/*
 * Takes a statement whose signature by `signer` the caller checked: it is the
 * next one, whoever signed it may, and what it does can be done.  ERR_NEWER;
 * ERR_STALE if another number is due, or the one before was another;
 * ERR_ILLEGAL; k is then as before.
 */
int statement_apply(struct statement_keys *k, const struct statement *s,
    const uint8_t signer[SIGN_KEY_LEN], struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
