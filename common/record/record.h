/* SPDX-License-Identifier: ISC */
/*
 * Lines of a game's record, byte by byte (record S2, S9): reading them
 * strictly, writing them, marking them.  What a line means is game.h's.
 */
#ifndef UMPIRE_COMMON_RECORD_RECORD_H
#define UMPIRE_COMMON_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

struct buf;

#define RECORD_LINE_MAX 262144 /* bytes of a line with its LF */
#define RECORD_SIDE_MAX 1300000 /* bytes of a side line with its LF */
#define RECORD_TEXT_MAX 4000 /* bytes of a text that a ref names */
#define RECORD_BLOB_MAX 40000 /* bytes of a blob */
#define RECORD_SALT_LEN 32
#define RECORD_SEAT_MAX 16 /* 0 the director, 1 .. 16 players */
#define RECORD_WITNESS 254 /* the seat of the witness (S6.9) */
#define RECORD_MARK_TAIL 139 /* ,"mark":"<128 hex>"} */

enum record_kind {
	RECORD_ORDER,
	RECORD_KEY,
	RECORD_SERVER,
};

/* Whose record a line is of. */
enum record_of {
	RECORD_OF_GAME,
	RECORD_OF_TOURNAMENT, /* S15.1 */
};

/* A line as read; record_clear() frees it.  Pointers are borrowed from root. */
struct record_line {
	json_t *root; /* owned */
	uint8_t game[HASH_LEN]; /* the id: the game's, or the tournament's */
	int64_t seq;
	uint8_t prev[HASH_LEN];
	int64_t at_ms;
	enum record_kind kind;
	int seat; /* of a game's record: order, key */
	const char *by; /* of a tournament's: likewise, the account; or NULL */
	uint8_t key[SIGN_KEY_LEN]; /* order, key */
	const char *text; /* order's or statement's text; or NULL */
	size_t text_len;
	uint8_t sig[SIGN_LEN]; /* order, key */
	const char *what; /* server */
	const json_t *data; /* server */
	const json_t *dice; /* NULL if absent; likewise owes, opened */
	const json_t *owes;
	const json_t *opened;
	bool has_pool;
	uint8_t pool[HASH_LEN];
	const json_t *events; /* NULL for key lines */
	uint8_t mark[SIGN_LEN];
	uint8_t hash[HASH_LEN]; /* of the whole line without LF */
};

/*
 * Reads a line, len bytes without LF: size, profile, members in their order
 * and of their types, the exact compact form.  Neither chain nor mark is
 * checked.  ERR_TOOBIG, ERR_MALFORMED (e says what), ERR_NEWER for v or kind
 * of a later format, ERR_NOMEM.
 */
int record_parse(const char *bytes, size_t len, struct record_line *ln,
    struct errinfo *e) __attribute__((warn_unused_result));

/* The same for a line of a tournament's record (S15.1). */
int record_parse_tournament(
    const char *bytes, size_t len, struct record_line *ln, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Reads what ties a line of a later format or kind, ERR_NEWER, to the one
 * before: id, seq, prev and at of *ln, which owns nothing.  A first line must
 * be an order's.  ERR_MALFORMED, ERR_NOMEM.
 */
int record_parse_newer(const char *bytes, size_t len, enum record_of of,
    struct record_line *ln, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * Checks that bytes are the one way of writing a value (S2), of at most max
 * bytes with an LF.  ERR_MALFORMED, ERR_NOMEM.
 */
int record_check_compact(const json_t *root, const char *bytes, size_t len,
    size_t max, struct errinfo *e) __attribute__((warn_unused_result));

/* Frees what record_parse() gave. */
void record_clear(struct record_line *ln);

/*
 * Reads the mark of a line (len bytes without LF), and the hash of which it is
 * the signature, behind SIGN_TAG_MARK.  ERR_MALFORMED if there is no mark at
 * the end.
 */
int record_read_mark(const char *bytes, size_t len, uint8_t hash[HASH_LEN],
    uint8_t mark[SIGN_LEN]) __attribute__((warn_unused_result));

/*
 * Checks the mark of a line (len bytes without LF) by the server's identity
 * key: 0, ERR_SIGNATURE, ERR_MALFORMED if there is no mark at the end.
 */
int record_check_mark(const char *bytes, size_t len,
    const uint8_t server[SIGN_KEY_LEN]) __attribute__((warn_unused_result));

/* True for the number of a seat. */
bool record_is_seat(int64_t n);

/* What a new line is made of; all pointers are borrowed. */
struct record_parts {
	enum record_of of;
	const uint8_t *game; /* the id: the game's, or the tournament's */
	int64_t seq;
	const uint8_t *prev;
	int64_t at_ms;
	enum record_kind kind;
	int seat; /* of a game's record */
	const char *by; /* of a tournament's */
	const uint8_t *key;
	const char *text; /* order or statement */
	size_t text_len;
	const uint8_t *sig;
	const char *what;
	const json_t *data;
	const json_t *dice; /* NULL: absent; likewise the next ones */
	const json_t *owes;
	const json_t *opened;
	const uint8_t *pool;
	const json_t *events;
};

/*
 * Appends the line without LF, marked with the server's key, and gives its
 * hash.  ERR_TOOBIG if it is longer than a line may be; out is then as it
 * was.  ERR_NOMEM.
 */
int record_write(const struct record_parts *p, const struct sign_key *server,
    struct buf *out, uint8_t hash[HASH_LEN])
    __attribute__((warn_unused_result));

/* The bytes that the mark covers, for a verifier that rebuilds a line. */
int record_write_unmarked(const struct record_parts *p, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * The commitment of a secret choice (S8): H(T("umpire/secret/1") || game ||
 * u8 seat || u64 ask || salt || text).
 */
int record_secret(uint8_t commit[HASH_LEN], const uint8_t game[HASH_LEN],
    int seat, int64_t ask, const uint8_t salt[RECORD_SALT_LEN],
    const char *text, size_t len) __attribute__((warn_unused_result));

/* Text ref: H(T("umpire/text/1") || salt || text) (record S9). */
int record_text_ref(uint8_t ref[HASH_LEN], const uint8_t salt[RECORD_SALT_LEN],
    const char *text, size_t len) __attribute__((warn_unused_result));

/* Blob hash: H(T("umpire/blob/1") || bytes) (record S9). */
int record_blob_hash(uint8_t hash[HASH_LEN], const char *bytes, size_t len)
    __attribute__((warn_unused_result));

/* Appends the side line {"text":ref,"salt":...,"value":...} without LF. */
void record_write_text(struct buf *out, const uint8_t ref[HASH_LEN],
    const uint8_t salt[RECORD_SALT_LEN], const char *text, size_t len);

/* Appends the side line {"blob":hash,"value":"..."} without LF. */
void record_write_blob(struct buf *out, const uint8_t hash[HASH_LEN],
    const char *bytes, size_t len);

/* A side line as read; record_side_clear() frees it. */
struct record_side {
	json_t *root; /* owned */
	bool is_blob; /* else a text */
	uint8_t hash[HASH_LEN];
	uint8_t salt[RECORD_SALT_LEN];
	const char *value; /* borrowed */
	size_t len;
};

/*
 * Reads a side line (len bytes without LF): form, sizes, and that its hash
 * is its value's.  ERR_TOOBIG, ERR_MALFORMED, ERR_NOMEM.
 */
int record_side_parse(const char *bytes, size_t len, struct record_side *s,
    struct errinfo *e) __attribute__((warn_unused_result));
void record_side_clear(struct record_side *s);

/*
 * True if a side line may follow another (root NULL: there is none): texts
 * come first, then blobs, each sorted by hash, each once (S9).
 */
bool record_side_follows(
    const struct record_side *last, const struct record_side *s);

/*
 * Adds to a set (hash in hex -> true) whatever in args, or in data, has the
 * form of a hash: what the side lines may hold.  ERR_NOMEM.
 */
int record_name_hashes(const json_t *args, json_t *set)
    __attribute__((warn_unused_result));

/* One line of a file in memory. */
struct record_span {
	const char *bytes;
	size_t len; /* without LF */
};

/* Takes the next line of what begins at *at; false at the end. */
bool record_next(const char **at, const char *end, struct record_span *s);

/*
 * The identity key of the server in a first line, read as leniently as can be,
 * so that a line of a newer format is told from one that was tampered with.
 * ERR_MALFORMED, ERR_NOMEM.
 */
int record_first_server(const char *bytes, size_t len,
    uint8_t server[SIGN_KEY_LEN]) __attribute__((warn_unused_result));

/* True if a file begins as a tournament's record does. */
bool record_is_tournament(const char *bytes, size_t len);

/* True if the bytes begin as a side line does ({"text": or {"blob":). */
bool record_is_side(const char *bytes, size_t len);

/*
 * Refusal text (record S5, S15.5), appended; why is "stale", "illegal", ...;
 * game is the id of what the record is of.
 */
void record_write_refusal(struct buf *out, enum record_of of,
    const uint8_t oid[HASH_LEN], const uint8_t game[HASH_LEN], const char *why,
    int64_t seq, const uint8_t head[HASH_LEN], int64_t at_ms);

#endif
