/* SPDX-License-Identifier: ISC */
/*
 * What the files of the store share: the connection, its kept statements
 * and how they are run.  A statement is prepared at its first use and kept
 * until the connection is closed; each has its own number, so that two uses
 * of one statement at a time are found out.
 */
#ifndef UMPIRE_SERVER_STORE_STORE_INT_H
#define UMPIRE_SERVER_STORE_STORE_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "server/store/store.h"
#include "server/store/store_notice.h"

#define STORE_APPLICATION_ID 1970106482 /* "umpr", as in sql/0001 */

/* One migration: the text of a file of sql/, which sets user_version. */
struct store_step {
	int version;
	const char *name;
	const char *sql;
};

/* All of them in order, embedded at build time (sql/embed.awk). */
extern const struct store_step schema_steps[];
extern const size_t schema_n_steps;

/* The kept statements. */
enum store_sql {
	STORE_BEGIN,
	STORE_BEGIN_READ,
	STORE_SAVEPOINT,
	STORE_RELEASE,
	STORE_ROLLBACK_TO,
	STORE_COMMIT,
	STORE_ROLLBACK,
	STORE_ACCOUNT_INSERT,
	STORE_ACCOUNT_INVITE,
	STORE_ACCOUNT_KEY,
	STORE_ACCOUNT_FIND,
	STORE_ACCOUNT_HAS_KEY,
	STORE_ACCOUNT_NAME,
	STORE_ACCOUNT_PEOPLE,
	STORE_ACCOUNT_OF_KEY,
	STORE_ACCOUNT_SET_RECOVERY,
	STORE_ACCOUNT_KEYS,
	STORE_ACCOUNT_EACH_KEY,
	STORE_ACCOUNT_PROVE,
	STORE_ACCOUNT_PROVE_END,
	STORE_ACCOUNT_PROVE_KEY,
	STORE_ACCOUNT_END_KEYS,
	STORE_ACCOUNT_NEW_KEY,
	STORE_ACCOUNT_SET_LAST,
	STORE_ACCOUNT_STATEMENT,
	STORE_ACCOUNT_STATEMENT_GET,
	STORE_ACCOUNT_GAMES,
	STORE_BLOB_INSERT,
	STORE_BLOB_CHARGE,
	STORE_BLOB_FIND,
	STORE_BLOB_GET,
	STORE_BLOB_USED,
	STORE_BLOB_PUT,
	STORE_BLOB_WAS_PUT,
	STORE_BLOB_IS_NAMED,
	STORE_BLOB_IS_PUBLIC,
	STORE_TEXT_INSERT,
	STORE_TEXT_SHARE,
	STORE_TEXT_FIND,
	STORE_TEXT_EACH,
	STORE_TEXT_AUTHOR,
	STORE_TEXT_ERASE,
	STORE_TEXT_ERASE_NAME,
	STORE_TEXT_IS_ERASED,
	STORE_TEXT_ERASED,
	STORE_TEXT_LOSE,
	STORE_TEXT_LOST,
	STORE_TEXT_LOST_LAST,
	STORE_TEXT_ERASED_LAST,
	STORE_TEXT_LOST_SIDE,
	STORE_TEXT_ERASE_LOST,
	STORE_SIDE_NAME_TEXT,
	STORE_SIDE_NAME_BLOB,
	STORE_SIDE_NAME_PUBLIC,
	STORE_SIDE_EACH_TEXT,
	STORE_SIDE_EACH_BLOB,
	STORE_GAME_INSERT,
	STORE_GAME_UPDATE,
	STORE_GAME_SNAPSHOT,
	STORE_GAME_FIND,
	STORE_GAME_FITS,
	STORE_GAME_SET_SYSTEM,
	STORE_GAME_SET_VIEW,
	STORE_GAME_SET_SEATS,
	STORE_GAME_SEAT,
	STORE_GAME_UNSEAT,
	STORE_GAME_SEATS,
	STORE_GAME_DIGITS,
	STORE_GAME_IDS,
	STORE_GAME_OLD,
	STORE_GAME_RENEWED,
	STORE_LIST_ALL,
	STORE_LIST_PHASE,
	STORE_LIST_ACCOUNT,
	STORE_LIST_PREFIX,
	STORE_LIST_EVENT,
	STORE_LIST_SYSTEM,
	STORE_LIST_SYSTEM_PHASE,
	STORE_LIST_SYSTEM_NEWEST,
	STORE_LIST_SYSTEM_MUSTER,
	STORE_LIST_NEWEST,
	STORE_LIST_NEWEST_MUSTER,
	STORE_LIST_OTHERS,
	STORE_LIST_MUSTERS,
	STORE_LIST_OPEN,
	STORE_LIST_INVITED,
	STORE_LIST_BLOB,
	STORE_HEADS_EACH,
	STORE_HEADS_HASHES,
	STORE_HEADS_KEPT,
	STORE_HEADS_KEEP,
	STORE_STANDSTILL_BEGIN,
	STORE_STANDSTILL_BEGIN_ALL,
	STORE_STANDSTILL_TURN_ALL,
	STORE_STANDSTILL_WHY,
	STORE_STANDSTILL_EACH,
	STORE_STANDSTILL_END,
	STORE_STANDSTILL_FIND,
	STORE_STANDSTILL_LOST,
	STORE_INVITE_INSERT,
	STORE_INVITE_DELETE,
	STORE_INVITE_END,
	STORE_INVITE_FIND,
	STORE_INVITE_COUNT,
	STORE_INVITE_EACH,
	STORE_BLOCK_INSERT,
	STORE_BLOCK_DELETE,
	STORE_BLOCK_FIND,
	STORE_BLOCK_EACH,
	STORE_BLOCK_COUNT,
	STORE_TURN_INSERT,
	STORE_TURN_DELETE,
	STORE_TURN_FIND,
	STORE_TURN_AT,
	STORE_TURN_COUNT,
	STORE_SECRET_INSERT,
	STORE_SECRET_EACH,
	STORE_SECRET_DELETE,
	STORE_STANDING_INSERT,
	STORE_STANDING_EACH,
	STORE_STANDING_DELETE,
	STORE_STANDING_CLEAR,
	STORE_ADDRESS_INSERT,
	STORE_ADDRESS_DELETE,
	STORE_ADDRESS_UPDATE,
	STORE_ADDRESS_GET,
	STORE_ADDRESS_FIND,
	STORE_ADDRESS_EACH,
	STORE_ADDRESS_DUE,
	STORE_ADDRESS_NEXT,
	STORE_ADDRESS_CHANNELS,
	STORE_ADDRESS_SOONER,
	STORE_QUIET_SET,
	STORE_QUIET_DELETE,
	STORE_QUIET_GET,
	STORE_NOTICE_INSERT,
	STORE_NOTICE_DELETE,
	STORE_NOTICE_CLEAR,
	STORE_NOTICE_UPDATE,
	STORE_NOTICE_BLOCK,
	STORE_NOTICE_GET,
	STORE_NOTICE_TRIED,
	STORE_NOTICE_EACH_GAME,
	STORE_NOTICE_GROUP,
	STORE_NOTICE_DUE,
	STORE_NOTICE_NEXT,
	STORE_NOTICE_SOONER,
	STORE_TELL_INSERT,
	STORE_TELL_UPDATE,
	STORE_TELL_DELETE,
	STORE_TELL_DELETE_ID,
	STORE_TELL_EACH,
	STORE_TELL_COME,
	STORE_TELL_AWAY,
	STORE_RECORD_INSERT,
	STORE_RECORD_GET,
	STORE_RECORD_HASH,
	STORE_RECORD_LAST,
	STORE_RECORD_NEWEST,
	STORE_RECORD_AT,
	STORE_RECORD_FIND_OID,
	STORE_RECORD_FIND_NONCE,
	STORE_RECORD_EACH,
	STORE_TOURNAMENT_INSERT,
	STORE_TOURNAMENT_UPDATE,
	STORE_TOURNAMENT_FIND,
	STORE_TOURNAMENT_OF_GAME,
	STORE_TOURNAMENT_LIST,
	STORE_TOURNAMENT_LINE,
	STORE_TOURNAMENT_HASH,
	STORE_TOURNAMENT_GET,
	STORE_TOURNAMENT_FIND_OID,
	STORE_TOURNAMENT_FIND_NONCE,
	STORE_TOURNAMENT_EACH,
	STORE_TOURNAMENT_TEXT,
	STORE_TOURNAMENT_FIND_TEXT,
	STORE_TOURNAMENT_NAME_TEXT,
	STORE_TOURNAMENT_NAME_BLOB,
	STORE_TOURNAMENT_NAME_PUBLIC,
	STORE_TOURNAMENT_SIDE_TEXT,
	STORE_TOURNAMENT_SIDE_BLOB,
	STORE_TOURNAMENT_ENTER,
	STORE_TOURNAMENT_IS_HERE,
	STORE_TOURNAMENT_OF_ACCOUNT,
	STORE_TOURNAMENT_GAME,
	STORE_TOURNAMENT_HAS_GAME,
	STORE_TOURNAMENT_HAS_BLOB,
	STORE_TOURNAMENT_ACCOUNTS,
	STORE_TOURNAMENT_IDS,
	STORE_FORMER_FIND,
	STORE_FORMER_BEGUN,
	STORE_FORMER_INSERT,
	STORE_FORMER_LINE,
	STORE_FORMER_UPDATE,
	STORE_FORMER_DROP_LINES,
	STORE_FORMER_DROP,
	STORE_FORMER_UNUSED,
	STORE_FORMER_EACH,
	STORE_FORMER_NAME,
	STORE_COMEBACK_BEGIN,
	STORE_COMEBACK_TURN_ALL,
	STORE_COMEBACK_BEGIN_ALL,
	STORE_COMEBACK_END,
	STORE_COMEBACK_WHY,
	STORE_COMEBACK_EACH,
	STORE_COMEBACK_HASHES,
	STORE_COMEBACK_DIGITS,
	STORE_COMEBACK_GAMES,
	STORE_COMEBACK_AUTHOR,
	STORE_COMEBACK_ERASE_NAME,
	STORE_COMEBACK_ERASE,
	STORE_COMEBACK_ERASE_LOST,
	STORE_COMEBACK_IS_ERASED,
	STORE_COMEBACK_ERASED,
	STORE_COMEBACK_ERASED_LAST,
	STORE_SQL_COUNT,
};

struct store {
	sqlite3 *db;
	bool is_writer;
	bool is_broken; /* an fsync failed: nothing may be written again */
	bool is_unfit; /* the last failure was of what is kept */
	int lock_fd; /* of the writer; -1 */
	int file_fd; /* likewise: of the database itself */
	int wal_pages; /* in the WAL after the last commit */
	int wal_waited; /* and when readers were last waited for; 0: not yet */
	char reason[160]; /* of the last failure, for the log */
	sqlite3_stmt *stmts[STORE_SQL_COUNT];
};

/*
 * Runs one statement without parameters that is needed once; the number in
 * its first row, if there is one, goes into *value (NULL: not wanted).
 */
int store_once(struct store *st, const char *sql, int64_t *value)
    __attribute__((warn_unused_result));

/* A parameter of a statement; bytes are borrowed until it has run. */
struct store_value {
	enum store_value_kind {
		STORE_VALUE_END, /* ends a list of them */
		STORE_VALUE_NULL,
		STORE_VALUE_INT,
		STORE_VALUE_TEXT,
		STORE_VALUE_BLOB,
	} kind;
	int64_t number;
	const void *bytes;
	size_t len; /* of a blob */
};

/* The parameters of a statement in their order. */
#define STORE_VALUES(...) \
	((const struct store_value[]){__VA_ARGS__, {.kind = STORE_VALUE_END}})

/* Values; NULL pointers are NULL. */
struct store_value store_int(int64_t v);
struct store_value store_opt(int64_t v); /* -1 is NULL */
struct store_value store_text(const char *s);
struct store_value store_blob(const void *p, size_t n);

/* The name of a channel if it is one of channels, else NULL. */
struct store_value store_channel_if(
    unsigned channels, enum store_channel channel);

/*
 * Runs a kept statement that gives no rows, with these parameters (NULL:
 * none).
 */
int store_run(struct store *st, enum store_sql id, const char *sql,
    const struct store_value *values) __attribute__((warn_unused_result));

/* 0 if a kept statement gives a row; ERR_NOTFOUND. */
int store_has(struct store *st, enum store_sql id, const char *sql,
    const struct store_value *values) __attribute__((warn_unused_result));

/*
 * The one id that a kept statement gives for the digits that it begins with, of
 * two at most.  ERR_NOTFOUND, ERR_EXISTS.
 */
int store_digits(struct store *st, enum store_sql id, const char *sql,
    const char *digits, uint8_t out[HASH_LEN])
    __attribute__((warn_unused_result));

/* The number in the first row of a kept statement.  ERR_NOTFOUND. */
int store_number(struct store *st, enum store_sql id, const char *sql,
    const struct store_value *values, int64_t *number)
    __attribute__((warn_unused_result));

/* Appends the first column of all rows of a kept statement. */
int store_append_all(struct store *st, enum store_sql id, const char *sql,
    struct buf *out) __attribute__((warn_unused_result));

/*
 * One use of a kept statement that gives rows: init, then its parameters in
 * order, then step() or next() for each row, and end() if not all were read.
 * The first failure is kept in rc and comes out of step() or next().
 */
struct store_query {
	struct store *st;
	sqlite3_stmt *s;
	int n; /* parameters bound */
	int rc;
};

void store_query_init(struct store_query *q, struct store *st,
    enum store_sql id, const char *sql);

/* Binds the next parameter. */
void store_query_bind(struct store_query *q, struct store_value v);

/* Begins, with all of its parameters. */
void store_query(struct store_query *q, struct store *st, enum store_sql id,
    const char *sql, const struct store_value *values);

/*
 * Steps to the next row: 0; ERR_NOTFOUND after the last one, when the
 * statement is reset, as after any failure.
 */
int store_query_step(struct store_query *q) __attribute__((warn_unused_result));

/*
 * For a loop over the rows: true if there is one more.  *r, 0 at first, is
 * what the loop made of the row before: if that failed the loop ends, as it
 * does when a step fails, which is then in *r.
 */
bool store_query_next(struct store_query *q, int *r);

/*
 * Resets the statement, unless that was done; what was read from its row is
 * gone then.
 */
void store_query_end(struct store_query *q);

/* Copies a column of exactly n bytes; ERR_STORAGE if it has not. */
int store_query_bytes(struct store_query *q, int col, uint8_t *out, size_t n)
    __attribute__((warn_unused_result));

/*
 * Copies a column of text, "" for NULL, into an array of n bytes; ERR_STORAGE
 * if it is too long.
 */
int store_query_copy(struct store_query *q, int col, char *out, size_t n)
    __attribute__((warn_unused_result));

/* A column's number; -1 for NULL. */
int64_t store_query_opt_int(struct store_query *q, int col);

/* Reads a column that names a channel; ERR_STORAGE if it does not. */
int store_query_channel(struct store_query *q, int col,
    enum store_channel *channel) __attribute__((warn_unused_result));

/* Appends a column's bytes.  ERR_NOMEM, ERR_TOOBIG. */
int store_query_append(struct store_query *q, int col, struct buf *out)
    __attribute__((warn_unused_result));

/*
 * Calls each with the number and the hash of all rows, until it returns not 0,
 * which is then returned.
 */
int store_query_refs(struct store_query *q,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg)
    __attribute__((warn_unused_result));

/* The columns of a game that store_game_read() reads, the first of a row. */
#define STORE_GAME_COLUMNS                                                 \
	"gid, id, system, event, phase, account_1, account_2, turn, seq, " \
	"at_ms, private, invited, delay_turns, delay_minutes, listed_ms, " \
	"title, now, how, winner"
#define STORE_GAME_N_COLUMNS 19

/* Reads them.  ERR_STORAGE if one is not what was stored. */
int store_game_read(struct store_query *q, struct store_game_row *row)
    __attribute__((warn_unused_result));

/*
 * The ERR_* code of an SQLite result that is neither OK, ROW nor DONE; keeps
 * the reason, and breaks the store after a failed fsync.
 */
int store_fail(struct store *st, int rc);

/* Gives ERR_STORAGE for what has not its form, as st->reason says. */
int store_unfit(struct store *st);

#endif
