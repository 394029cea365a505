/* SPDX-License-Identifier: ISC */
/*
 * What a witness keeps, in one SQLite file: the lines of its games and of its
 * tournaments, where each stands, and each word that it has given, which is in
 * here before it is sent.
 *
 * Whatever is written is on the disk after witness_store_commit() alone: it
 * belongs to a transaction that the first write begins.  All functions that can
 * fail give ERR_IO, with what SQLite says in witness_store_why(), and besides
 * only what is named.  A failure ends the use of the store.
 */
#ifndef UMPIRE_CLIENT_WITNESS_WITNESS_STORE_H
#define UMPIRE_CLIENT_WITNESS_WITNESS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/buf.h"
#include "common/base/err.h"
#include "common/crypt/hash.h"
#include "common/crypt/sign.h"

#define WITNESS_STORE_WHAT 12 /* bytes of a word's kind, with terminator */
#define WITNESS_STORE_WHY 200 /* likewise of a reason */

struct witness_store;

/* How a game stands. */
enum witness_state {
	WITNESS_FOLLOWED,
	WITNESS_FINISHED, /* no line may follow */
	WITNESS_LEFT, /* not joined, or its rules are not known here */
	WITNESS_STOPPED, /* until a person decides: another line was shown */
};

/* A game, or a tournament, of which there are lines and blobs alone. */
struct witness_row {
	int64_t gid;
	bool is_cup; /* a tournament */
	uint8_t id[HASH_LEN];
	int64_t n; /* lines that are held */
	uint8_t head[HASH_LEN]; /* of the last; zeros if there is none */
	int64_t told; /* the server's last line, as it said */
	int64_t state; /* enum witness_state */
};

/* A word that was given: an order. */
struct witness_word {
	char what[WITNESS_STORE_WHAT]; /* "answer", or another kind of word */
	int64_t about; /* the line that it is about */
	uint8_t oid[HASH_LEN];
	struct buf text; /* owned, the order */
	uint8_t sig[SIGN_LEN];
	int64_t sent_ms; /* when its bytes left first; 0: not known to have */
	int64_t seq; /* its line, once that is held; -1 */
	bool is_refused; /* the server signed that it is no line */
};

/*
 * Opens the file, made if it is not there, of a witness with this key at a
 * server with this one.  ERR_CONFIG if it is of others, or of a newer umpire;
 * e says why.  *out is new.
 */
int witness_store_open(const char *path, const uint8_t server[SIGN_KEY_LEN],
    const uint8_t key[SIGN_KEY_LEN], struct witness_store **out,
    struct errinfo *e) __attribute__((warn_unused_result));

/* Closes it; what was not committed is lost.  NULL is allowed. */
void witness_store_close(struct witness_store *st);

/* What SQLite said of the last failure. */
const char *witness_store_why(const struct witness_store *st);

/* Ends the transaction, if one has begun: what was written is on the disk. */
int witness_store_commit(struct witness_store *st)
    __attribute__((warn_unused_result));

/* Undoes all since the last one. */
int witness_store_rollback(struct witness_store *st)
    __attribute__((warn_unused_result));

/* True while something that was written is not on the disk. */
bool witness_store_is_dirty(const struct witness_store *st);

/*
 * Moves what was committed out of the log, if that is long: when nobody waits,
 * since it takes syncs of its own.
 */
int witness_store_tidy(struct witness_store *st)
    __attribute__((warn_unused_result));

/*
 * Games, and tournaments: by id, by number, and the first one of the two kinds
 * after gid that is in a state.  ERR_NOTFOUND.
 */
int witness_store_find(struct witness_store *st, const uint8_t id[HASH_LEN],
    struct witness_row *row) __attribute__((warn_unused_result));
int witness_store_get(struct witness_store *st, int64_t gid,
    struct witness_row *row) __attribute__((warn_unused_result));
int witness_store_next(struct witness_store *st, bool is_cup, int64_t gid,
    enum witness_state state, struct witness_row *row)
    __attribute__((warn_unused_result));

/* Adds one of them without lines. */
int witness_store_add(struct witness_store *st, bool is_cup,
    const uint8_t id[HASH_LEN], struct witness_row *row)
    __attribute__((warn_unused_result));

/* Sets how it stands, and why; row is set, too.  why is cut if it is long. */
int witness_store_set_state(struct witness_store *st, struct witness_row *row,
    enum witness_state state, const char *why)
    __attribute__((warn_unused_result));

/* Why it stands so, "" if nothing was said. */
int witness_store_reason(struct witness_store *st, int64_t gid,
    char why[WITNESS_STORE_WHY]) __attribute__((warn_unused_result));

/* How many games, or tournaments, are in a state. */
int witness_store_count(struct witness_store *st, bool is_cup,
    enum witness_state state, int64_t *n) __attribute__((warn_unused_result));

/* Notes the server's last line; row is set, too. */
int witness_store_set_told(struct witness_store *st, struct witness_row *row,
    int64_t told) __attribute__((warn_unused_result));

/*
 * When a game is to be looked at without a line (INT64_MAX: never).  The first
 * such time of all games and which one; ERR_NOTFOUND.
 */
int witness_store_set_due(struct witness_store *st, int64_t gid, int64_t due_ms)
    __attribute__((warn_unused_result));
int witness_store_due(struct witness_store *st, int64_t *gid, int64_t *due_ms)
    __attribute__((warn_unused_result));

/* Adds the next line; row is set, too. */
int witness_store_add_line(struct witness_store *st, struct witness_row *row,
    const char *line, size_t len) __attribute__((warn_unused_result));

/* Appends a line; ERR_NOTFOUND. */
int witness_store_line(struct witness_store *st, int64_t gid, int64_t seq,
    struct buf *out) __attribute__((warn_unused_result));

/* Blobs that a game's lines name: adds one, has one, goes over all. */
int witness_store_add_blob(struct witness_store *st, int64_t gid,
    const uint8_t hash[HASH_LEN], const char *value, size_t len)
    __attribute__((warn_unused_result));
int witness_store_has_blob(struct witness_store *st, int64_t gid,
    const uint8_t hash[HASH_LEN]) __attribute__((warn_unused_result));
typedef int witness_store_blob(
    void *arg, const uint8_t hash[HASH_LEN], const char *value, size_t len);
int witness_store_each_blob(struct witness_store *st, int64_t gid,
    witness_store_blob *each, void *arg) __attribute__((warn_unused_result));

/* What verify_save() gave after n lines; ERR_NOTFOUND. */
int witness_store_save(struct witness_store *st, int64_t gid, int64_t n,
    const void *bytes, size_t len) __attribute__((warn_unused_result));
int witness_store_saved(struct witness_store *st, int64_t gid, int64_t *n,
    struct buf *out) __attribute__((warn_unused_result));

/*
 * Words: adds one, ERR_EXISTS if there is one of that kind about that line; the
 * one that has neither line nor refusal; one of a kind about a line; one by its
 * order.  ERR_NOTFOUND.  witness_word_clear() frees what they fill.
 */
int witness_store_add_word(struct witness_store *st, int64_t gid,
    const struct witness_word *w) __attribute__((warn_unused_result));
int witness_store_open_word(struct witness_store *st, int64_t gid,
    struct witness_word *w) __attribute__((warn_unused_result));
int witness_store_word(struct witness_store *st, int64_t gid, const char *what,
    int64_t about, struct witness_word *w) __attribute__((warn_unused_result));
int witness_store_word_of(struct witness_store *st, int64_t gid,
    const uint8_t oid[HASH_LEN], struct witness_word *w)
    __attribute__((warn_unused_result));
void witness_word_clear(struct witness_word *w);

/* What became of a word: its bytes left, it is a line, it is refused. */
int witness_store_sent(struct witness_store *st, int64_t gid,
    const struct witness_word *w, int64_t at_ms)
    __attribute__((warn_unused_result));
int witness_store_spoken(struct witness_store *st, int64_t gid,
    const struct witness_word *w, int64_t seq)
    __attribute__((warn_unused_result));
int witness_store_refused(struct witness_store *st, int64_t gid,
    const struct witness_word *w, const char *refusal)
    __attribute__((warn_unused_result));

/*
 * Notes that are to be given: adds one that is due from then on (one that is
 * there stays as it is), the first that is due (ERR_NOTFOUND, and *next_ms is
 * when another will be, INT64_MAX: none), drops one, or all of a kind.
 */
int witness_store_owe(struct witness_store *st, int64_t gid, const char *what,
    int64_t about, int64_t due_ms) __attribute__((warn_unused_result));
int witness_store_owed(struct witness_store *st, int64_t gid, int64_t now_ms,
    char what[WITNESS_STORE_WHAT], int64_t *about, int64_t *next_ms)
    __attribute__((warn_unused_result));
int witness_store_drop(struct witness_store *st, int64_t gid, const char *what,
    int64_t about) __attribute__((warn_unused_result));
int witness_store_drop_all(struct witness_store *st, int64_t gid,
    const char *what) __attribute__((warn_unused_result));

/* Keeps a line that contradicts what is held; one that is kept is harmless. */
int witness_store_add_other(struct witness_store *st, int64_t gid, int64_t seq,
    const char *line, size_t len, int64_t at_ms, const char *why)
    __attribute__((warn_unused_result));

/*
 * Sets the lines from number n on aside, with the words about them, so that
 * others can take their place; the game is followed again.
 */
int witness_store_rewind(struct witness_store *st, struct witness_row *row,
    int64_t n) __attribute__((warn_unused_result));

#endif
