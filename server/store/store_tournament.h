/* SPDX-License-Identifier: ISC */
/* Tournaments: their lines, and what is found without making them of these. */
#ifndef UMPIRE_SERVER_STORE_STORE_TOURNAMENT_H
#define UMPIRE_SERVER_STORE_STORE_TOURNAMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/crypt/hash.h"
#include "common/record/order.h"
#include "server/store/store.h"

struct buf;

/* What lists tell of a tournament. */
struct store_tournament_row {
	int64_t tid; /* rowid, inside the store */
	uint8_t id[HASH_LEN];
	char event[65];
	char system[33];
	char format[17];
	char director[33];
	bool is_private;
	char phase[17];
	int round; /* that was paired last; 0 */
	int rounds;
	int entrants;
	int64_t seq; /* of the last line */
	int64_t at_ms; /* of the last line */
};

/* A line to store. */
struct store_tournament_line {
	int64_t tid;
	int64_t seq;
	const char *bytes; /* without LF */
	size_t len;
	uint8_t hash[HASH_LEN];
	const uint8_t *oid; /* NULL for lines without an order; as the rest */
	const char *account;
	const uint8_t *nonce;
};

/* Adds a tournament; *tid is its rowid.  All of row but tid is stored. */
int store_tournament_insert(
    struct store *st, const struct store_tournament_row *row, int64_t *tid)
    __attribute__((warn_unused_result));

/* Stores what may change: phase, round, rounds, entrants, seq, at_ms. */
int store_tournament_update(struct store *st,
    const struct store_tournament_row *row) __attribute__((warn_unused_result));

/* Finds a row by the id, or the id's tournament of a game.  ERR_NOTFOUND. */
int store_tournament_find(struct store *st, const uint8_t id[HASH_LEN],
    struct store_tournament_row *row) __attribute__((warn_unused_result));
int store_tournament_of_game(struct store *st, int64_t gid,
    uint8_t id[HASH_LEN]) __attribute__((warn_unused_result));

/* Which tournaments are listed, that with the newest line first. */
struct store_tournament_list {
	const char *viewer; /* private ones only if they are there; "" */
	const char *account; /* who is there; NULL: anybody */
	const char *phase; /* NULL: any */
	const char *prefix; /* digits that the id begins with; NULL */
	int64_t before_ms; /* only those that come after this place */
	int64_t before_tid;
};

/* Calls each until it returns non-zero, which is then returned. */
int store_tournament_list(struct store *st,
    const struct store_tournament_list *list,
    int (*each)(void *arg, const struct store_tournament_row *row), void *arg)
    __attribute__((warn_unused_result));

/* As store_record_insert() and the like (store.h). */
int store_tournament_line(
    struct store *st, const struct store_tournament_line *line)
    __attribute__((warn_unused_result));
int store_tournament_hash(struct store *st, int64_t tid, int64_t seq,
    uint8_t hash[HASH_LEN]) __attribute__((warn_unused_result));
int store_tournament_get(struct store *st, int64_t tid, int64_t seq,
    struct buf *line) __attribute__((warn_unused_result));
int store_tournament_find_oid(struct store *st, int64_t tid,
    const uint8_t oid[HASH_LEN], struct buf *line, int64_t *seq)
    __attribute__((warn_unused_result));
int store_tournament_find_nonce(
    struct store *st, int64_t tid, const char *account, const uint8_t *nonce)
    __attribute__((warn_unused_result));
int store_tournament_each(struct store *st, int64_t tid, int64_t from,
    int64_t to,
    int (*each)(void *arg, int64_t seq, const char *bytes, size_t len),
    void *arg) __attribute__((warn_unused_result));

/* Keeps a text; one that is there stays as it is. */
int store_tournament_text(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN], const uint8_t salt[32], const char *text,
    size_t len) __attribute__((warn_unused_result));
int store_tournament_find_text(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN]) __attribute__((warn_unused_result));

/* Notes that a line names a text, or a blob, which is then public or not. */
int store_tournament_name(struct store *st, int64_t tid, int64_t seq,
    bool is_blob, const uint8_t hash[HASH_LEN])
    __attribute__((warn_unused_result));

/* Texts and blobs that lines name, as store_side_each(). */
int store_tournament_side_each(struct store *st, int64_t tid, int64_t from,
    int64_t to,
    int (*each)(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
	const uint8_t *salt, const char *value, size_t len),
    void *arg) __attribute__((warn_unused_result));

/* Notes that an account is here; number 0: not as an entrant. */
int store_tournament_enter(struct store *st, int64_t tid, const char *account,
    int number) __attribute__((warn_unused_result));

/* ERR_NOTFOUND if it is not. */
int store_tournament_is_here(struct store *st, int64_t tid, const char *account)
    __attribute__((warn_unused_result));

/*
 * Calls each with the accounts that are here and their numbers, 0 for those who
 * did not enter, until it returns not 0, which is then returned.
 */
int store_tournament_accounts(struct store *st, int64_t tid,
    int (*each)(void *arg, const char *account, int number), void *arg)
    __attribute__((warn_unused_result));

/* Appends the ids of all tournaments, HASH_LEN bytes each. */
int store_tournament_ids(struct store *st, struct buf *ids)
    __attribute__((warn_unused_result));

/* Calls each for the tournaments where an account is, the ids. */
int store_tournament_of_account(struct store *st, const char *account,
    int (*each)(void *arg, const uint8_t id[HASH_LEN]), void *arg)
    __attribute__((warn_unused_result));

/* Notes that a game is one of a tournament. */
int store_tournament_game(struct store *st, int64_t tid, int64_t gid, int round,
    int table, int leg) __attribute__((warn_unused_result));

/* Calls each for the games so noted, by round, table and leg. */
struct store_tournament_game {
	int64_t gid;
	uint8_t game[HASH_LEN];
};

typedef int store_tournament_each_game(
    void *arg, const struct store_tournament_game *g);

int store_tournament_games(
    struct store *st, int64_t tid, store_tournament_each_game *each, void *arg)
    __attribute__((warn_unused_result));

/* ERR_NOTFOUND unless an account is where a game, or a blob, belongs. */
int store_tournament_has_game(struct store *st, int64_t gid,
    const char *account) __attribute__((warn_unused_result));
int store_tournament_has_blob(struct store *st, const uint8_t hash[HASH_LEN],
    const char *account) __attribute__((warn_unused_result));

/* ---- lines that may be missing, and erasing (store_comeback.c) ---- */

/*
 * Notes that a tournament waits for lines that it had, since a time and why
 * (STORE_WHY_BEHIND, _RESTORED), or that it no longer does.  Of all that are
 * not over it is STORE_WHY_RESTORED.
 */
int store_tournament_wait_begin(struct store *st, int64_t tid, int64_t from_ms,
    const char *why) __attribute__((warn_unused_result));
int store_tournament_wait_begin_all(struct store *st, int64_t from_ms)
    __attribute__((warn_unused_result));
int store_tournament_wait_end(struct store *st, int64_t tid)
    __attribute__((warn_unused_result));

/* Why one waits, ERR_NOTFOUND if it does not; calls each for those that do. */
int store_tournament_wait_why(struct store *st, int64_t tid,
    char why[STORE_WHY_MAX]) __attribute__((warn_unused_result));
int store_tournament_wait_each(struct store *st,
    int (*each)(void *arg, const uint8_t id[HASH_LEN], int64_t from_ms,
	const char *why),
    void *arg) __attribute__((warn_unused_result));

/* Appends the hashes of all lines. */
int store_tournament_hashes(struct store *st, int64_t tid, struct buf *hashes)
    __attribute__((warn_unused_result));

/* As store_game_digits(). */
int store_tournament_digits(struct store *st, const char *digits,
    uint8_t id[HASH_LEN]) __attribute__((warn_unused_result));

/*
 * As those of games: store_text_author(), _erase(), _is_erased(), _erased(),
 * _erased_last().
 */
int store_tournament_author(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN], int64_t *seq,
    char account[ORDER_ACCOUNT_MAX + 1]) __attribute__((warn_unused_result));
int store_tournament_erase(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN], const char *account)
    __attribute__((warn_unused_result));
int store_tournament_is_erased(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN]) __attribute__((warn_unused_result));
int store_tournament_erased(struct store *st, int64_t tid, int64_t from,
    int most, int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]),
    void *arg) __attribute__((warn_unused_result));
int store_tournament_erased_last(struct store *st, int64_t tid, int64_t *n)
    __attribute__((warn_unused_result));

#endif
