/* SPDX-License-Identifier: ISC */
/*
 * Order texts of a tournament (record S15.2): the exact bytes that somebody
 * signs.  This checks their form; whether an order is lawful is tournament.h's.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_ENTRY_H
#define UMPIRE_COMMON_TOURNAMENT_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"
#include "common/crypt/vrf.h"
#include "common/record/order.h"
#include "common/tournament/entry_kind.h"

struct buf;

#define ENTRY_TAG "umpire/entry/1"

/* An order as read; entry_clear() frees it.  text is borrowed. */
struct entry {
	json_t *root; /* owned */
	const char *text;
	size_t len;
	uint8_t oid[HASH_LEN];
	uint8_t server[SIGN_KEY_LEN];
	uint8_t nonce[ORDER_NONCE_LEN];
	int64_t now_ms; /* by the author's clock */
	enum entry_kind kind;
	const char *kind_name; /* as written; borrowed from root */
	const json_t *args; /* borrowed from root */
	uint8_t tournament[HASH_LEN]; /* of create: the id that it makes */
	const char *by; /* borrowed; of create: args.director.account */
	int64_t after; /* of create: -1 */
	uint8_t head[HASH_LEN]; /* of create: zeros */
	const char *place; /* NULL if absent; borrowed */
	bool has_own;
	uint8_t own[VRF_PROOF_LEN];
	/* The time of the line that it will be; set by the caller. */
	int64_t at_ms;
};

/*
 * Reads an order text: size, profile, the members of S15.2 with their types.
 * The inside of args is not looked at, but for create's director.account and
 * the numbers to, answer and accept, which `after` must not be below.
 * ERR_TOOBIG, ERR_MALFORMED, ERR_INVALID (with the place, "order.head"),
 * ERR_NOMEM.
 */
int entry_parse(const char *text, size_t len, struct entry *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * Checks what depends on the kind: whether place and own are there.
 * ERR_INVALID.
 */
int entry_check_kind(const struct entry *o, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Reads of an order text only what ties it to a tournament: server,
 * tournament, by, after and head.  Whatever else it holds may be of a newer
 * umpire.  Errors as above.
 */
int entry_parse_head(const char *text, size_t len, struct entry *o,
    struct errinfo *e) __attribute__((warn_unused_result));

/*
 * ERR_NEWER, with the place, if the kind or a member of its args is not of this
 * version; of create's options and clock, too.
 */
int entry_check_known(const struct entry *o, struct errinfo *e)
    __attribute__((warn_unused_result));

/* Frees what entry_parse() gave. */
void entry_clear(struct entry *o);

/* What a new order is made of; pointers are borrowed. */
struct entry_parts {
	const uint8_t *server;
	int64_t now_ms;
	const uint8_t *tournament; /* NULL for create; then by, head, too */
	const char *by;
	int64_t after;
	const uint8_t *head;
	enum entry_kind kind;
	const char *place; /* NULL: none */
	const uint8_t *own; /* NULL: none */
	const json_t *args;
};

/* Appends an order text with a fresh nonce.  ERR_TOOBIG, ERR_NOMEM. */
int entry_write(const struct entry_parts *p, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * Adds to a set, an object, what a line names (record S9): a text or blob by
 * its hash, no other value; and all that an order names.  ERR_NOMEM.
 */
int entry_name_hash(const json_t *hash, json_t *set)
    __attribute__((warn_unused_result));
int entry_name_hashes(const struct entry *o, json_t *set)
    __attribute__((warn_unused_result));

#endif
