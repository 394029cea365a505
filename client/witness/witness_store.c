/* SPDX-License-Identifier: ISC */
/*
 * One file in the mode WAL: a commit is one fsync of the log, and the log is
 * moved into the file when nobody waits.  Statements are prepared at their
 * first use and kept.
 */
#include "client/witness/witness_store.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <sqlite3.h>

#include "client/base/xalloc.h"
#include "common/base/hex.h"

#define WITNESS_STORE_ID 1970106231 /* "umpw" */
#define WITNESS_STORE_VERSION 2
#define WITNESS_STORE_STATEMENTS 64
#define WITNESS_STORE_WAL 1000 /* pages in the log that are worth a move */

#define WITNESS_STORE_INDEX \
	"CREATE INDEX game_state ON game (is_cup, state, gid);"

/*
 * A word is one for each kind and line: that there is no second is the file's
 * own rule.  `aside` counts how often lines were set aside under it.  What is
 * called a game is a tournament where is_cup is not 0.
 */
static const char witness_store_schema[] =
    "CREATE TABLE owner (server TEXT NOT NULL, key TEXT NOT NULL) STRICT;"
    "CREATE TABLE game (gid INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,"
    " n INTEGER NOT NULL DEFAULT 0, head BLOB NOT NULL,"
    " told INTEGER NOT NULL DEFAULT -1, state INTEGER NOT NULL DEFAULT 0,"
    " why TEXT NOT NULL DEFAULT '', due_ms INTEGER,"
    " aside INTEGER NOT NULL DEFAULT 0,"
    " is_cup INTEGER NOT NULL DEFAULT 0) STRICT;"
    "CREATE INDEX game_due ON game (due_ms) WHERE due_ms IS NOT "
    "NULL;" WITNESS_STORE_INDEX
    "CREATE TABLE line (gid INTEGER NOT NULL, seq INTEGER NOT NULL,"
    " bytes TEXT NOT NULL, PRIMARY KEY (gid, seq)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE blob (gid INTEGER NOT NULL, hash BLOB NOT NULL,"
    " value TEXT NOT NULL, PRIMARY KEY (gid, hash)) STRICT;"
    "CREATE TABLE saved (gid INTEGER PRIMARY KEY, n INTEGER NOT NULL,"
    " bytes BLOB NOT NULL) STRICT;"
    "CREATE TABLE word (gid INTEGER NOT NULL, what TEXT NOT NULL,"
    " about INTEGER NOT NULL, aside INTEGER NOT NULL DEFAULT 0,"
    " oid BLOB NOT NULL, text TEXT NOT NULL, sig BLOB NOT NULL,"
    " sent_ms INTEGER NOT NULL DEFAULT 0, seq INTEGER NOT NULL DEFAULT -1,"
    " refusal TEXT, PRIMARY KEY (gid, what, about, aside)) STRICT;"
    "CREATE INDEX word_open ON word (gid)"
    " WHERE seq = -1 AND refusal IS NULL;"
    "CREATE INDEX word_oid ON word (gid, oid);"
    "CREATE TABLE owe (gid INTEGER NOT NULL, what TEXT NOT NULL,"
    " about INTEGER NOT NULL, due_ms INTEGER NOT NULL,"
    " PRIMARY KEY (gid, what, about)) STRICT, WITHOUT ROWID;"
    "CREATE TABLE other (gid INTEGER NOT NULL, seq INTEGER NOT NULL,"
    " bytes TEXT NOT NULL, at_ms INTEGER NOT NULL, why TEXT NOT NULL,"
    " PRIMARY KEY (gid, seq, bytes)) STRICT;"
    "CREATE TABLE gone (gid INTEGER NOT NULL, aside INTEGER NOT NULL,"
    " seq INTEGER NOT NULL, bytes TEXT NOT NULL,"
    " PRIMARY KEY (gid, aside, seq)) STRICT, WITHOUT ROWID;";

/* What makes such a file of one of version 1, which had games alone. */
static const char witness_store_migration[] =
    "BEGIN IMMEDIATE;"
    "ALTER TABLE game ADD COLUMN is_cup INTEGER NOT NULL DEFAULT 0;"
    "DROP INDEX game_state;" WITNESS_STORE_INDEX
    "PRAGMA user_version=2; COMMIT;";

struct witness_store {
	sqlite3 *db;
	struct {
		const char *sql; /* static */
		sqlite3_stmt *stmt;
	} kept[WITNESS_STORE_STATEMENTS];
	size_t n;
	bool is_dirty;
	int pages; /* in the log, after the last commit */
	char why[WITNESS_STORE_WHY];
};

/* Notes what SQLite says; ERR_IO. */
static int
witness_store_fail(struct witness_store *st)
{
	(void)snprintf(st->why, sizeof(st->why), "%s", sqlite3_errmsg(st->db));
	return (ERR_IO);
}

/* The statement of a text, ready to be bound. */
static int
witness_store_prepare(
    struct witness_store *st, const char *sql, sqlite3_stmt **out)
{
	size_t i;

	for (i = 0; i < st->n; i++) {
		if (st->kept[i].sql == sql) {
			*out = st->kept[i].stmt;
			return (0);
		}
	}
	if (st->n == WITNESS_STORE_STATEMENTS ||
	    sqlite3_prepare_v3(st->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out,
		NULL) != SQLITE_OK)
		return (witness_store_fail(st));
	st->kept[st->n].sql = sql;
	st->kept[st->n++].stmt = *out;
	return (0);
}

/*
 * Binds what `types` names, a letter each: i a number (int64_t), t a text, b
 * bytes (pointer, size_t), h a hash, s bytes as text (pointer, size_t).
 */
static int
witness_store_bind(
    struct witness_store *st, sqlite3_stmt *stmt, const char *types, va_list ap)
{
	const void *p;
	size_t n;
	int i, rc = SQLITE_OK;

	for (i = 1; rc == SQLITE_OK && types[i - 1] != '\0'; i++) {
		switch (types[i - 1]) {
		case 'i':
			rc = sqlite3_bind_int64(stmt, i, va_arg(ap, int64_t));
			break;
		case 't':
			p = va_arg(ap, const char *);
			rc = sqlite3_bind_text(stmt, i, p, -1, SQLITE_STATIC);
			break;
		case 'h':
			p = va_arg(ap, const uint8_t *);
			rc = sqlite3_bind_blob(
			    stmt, i, p, HASH_LEN, SQLITE_STATIC);
			break;
		default:
			p = va_arg(ap, const void *);
			n = va_arg(ap, size_t);
			rc = types[i - 1] == 's'
			    ? sqlite3_bind_text64(
				  stmt, i, p, n, SQLITE_STATIC, SQLITE_UTF8)
			    : sqlite3_bind_blob64(stmt, i, p, n, SQLITE_STATIC);
			break;
		}
	}
	return (rc == SQLITE_OK ? 0 : witness_store_fail(st));
}

/* The next row of a statement; it is reset unless there is one. */
static int
witness_store_step(struct witness_store *st, sqlite3_stmt *stmt)
{
	int r, rc = sqlite3_step(stmt);

	if (rc == SQLITE_ROW)
		return (0);
	r = rc == SQLITE_DONE ? ERR_NOTFOUND : witness_store_fail(st);
	(void)sqlite3_reset(stmt); /* said so already */
	return (r);
}

/* Asks for the first row; whoever has it resets the statement. */
static int
witness_store_ask(struct witness_store *st, const char *sql, sqlite3_stmt **out,
    const char *types, ...)
{
	va_list ap;
	int r;

	if ((r = witness_store_prepare(st, sql, out)) != 0)
		return (r);
	va_start(ap, types);
	r = witness_store_bind(st, *out, types, ap);
	va_end(ap);
	return (r == 0 ? witness_store_step(st, *out) : r);
}

/* Runs what writes, in the transaction. */
static int
witness_store_run(
    struct witness_store *st, const char *sql, const char *types, ...)
{
	sqlite3_stmt *stmt;
	va_list ap;
	int r;

	if (!st->is_dirty) {
		if (sqlite3_exec(st->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) !=
		    SQLITE_OK)
			return (witness_store_fail(st));
		st->is_dirty = true;
	}
	if ((r = witness_store_prepare(st, sql, &stmt)) != 0)
		return (r);
	va_start(ap, types);
	r = witness_store_bind(st, stmt, types, ap);
	va_end(ap);
	if (r == 0)
		r = witness_store_step(st, stmt);
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* Notes how long the log is. */
static int
witness_store_wal_cb(void *arg, sqlite3 *db, const char *name, int pages)
{
	struct witness_store *st = arg;

	(void)db;
	(void)name;
	st->pages = pages;
	return (SQLITE_OK);
}

/* Copies a column of exactly n bytes. */
static int
witness_store_bytes(struct witness_store *st, sqlite3_stmt *stmt, int column,
    uint8_t *out, size_t n)
{
	const void *p = sqlite3_column_blob(stmt, column);

	if (p == NULL || (size_t)sqlite3_column_bytes(stmt, column) != n) {
		(void)snprintf(
		    st->why, sizeof(st->why), "a column is not as it was");
		return (ERR_IO);
	}
	memcpy(out, p, n);
	return (0);
}

/* Makes the tables of a new file. */
static int
witness_store_make(
    struct witness_store *st, const char *server, const char *key)
{
	char pragmas[80];
	int r = 0;

	(void)snprintf(pragmas, sizeof(pragmas),
	    "PRAGMA application_id=%d;PRAGMA user_version=%d;",
	    WITNESS_STORE_ID, WITNESS_STORE_VERSION);
	if (sqlite3_exec(st->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) !=
		SQLITE_OK ||
	    sqlite3_exec(st->db, witness_store_schema, NULL, NULL, NULL) !=
		SQLITE_OK ||
	    sqlite3_exec(st->db, pragmas, NULL, NULL, NULL) != SQLITE_OK)
		return (witness_store_fail(st));
	st->is_dirty = true;
	r = witness_store_run(
	    st, "INSERT INTO owner VALUES (?, ?)", "tt", server, key);
	return (r == 0 ? witness_store_commit(st) : r);
}

/* Looks whose file it is; ERR_CONFIG. */
static int
witness_store_check(struct witness_store *st, const char *path,
    const char *server, const char *key, struct errinfo *e)
{
	sqlite3_stmt *stmt;
	int64_t id, version;
	int r;

	if ((r = witness_store_ask(st, "PRAGMA application_id", &stmt, "")) !=
	    0)
		return (r);
	id = sqlite3_column_int64(stmt, 0);
	(void)sqlite3_reset(stmt);
	if ((r = witness_store_ask(st, "PRAGMA user_version", &stmt, "")) != 0)
		return (r);
	version = sqlite3_column_int64(stmt, 0);
	(void)sqlite3_reset(stmt);
	if (id == 0 && version == 0)
		return (witness_store_make(st, server, key));
	if (id != WITNESS_STORE_ID)
		return (err_set(
		    e, ERR_CONFIG, NULL, "'%s' is not a witness's file", path));
	if (version > WITNESS_STORE_VERSION)
		return (err_set(e, ERR_CONFIG, NULL,
		    "'%s' was made by a newer umpire", path));
	if (version < WITNESS_STORE_VERSION &&
	    sqlite3_exec(st->db, witness_store_migration, NULL, NULL, NULL) !=
		SQLITE_OK)
		return (witness_store_fail(st));
	if ((r = witness_store_ask(
		 st, "SELECT server, key FROM owner", &stmt, "")) != 0)
		return (r);
	if (strcmp((const char *)sqlite3_column_text(stmt, 0), server) != 0 ||
	    strcmp((const char *)sqlite3_column_text(stmt, 1), key) != 0)
		r = err_set(e, ERR_CONFIG, NULL,
		    "'%s' is of another server, or of another key", path);
	(void)sqlite3_reset(stmt);
	return (r);
}

/* Opens the file, and has SQLite sync what is committed. */
static int
witness_store_connect(struct witness_store *st, const char *path)
{
	static const char pragmas[] =
	    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
	    "PRAGMA wal_autocheckpoint=0; PRAGMA cache_size=-4096;";
	int fd;

	/* For its owner alone; SQLite's other files have the same mode. */
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd == -1) {
		(void)snprintf(st->why, sizeof(st->why), "cannot open '%s': %s",
		    path, strerror(errno));
		return (ERR_IO);
	}
	(void)close(fd); /* nothing was written */
	if (sqlite3_open_v2(path, &st->db, SQLITE_OPEN_READWRITE, NULL) !=
		SQLITE_OK ||
	    sqlite3_busy_timeout(st->db, 10000) != SQLITE_OK ||
	    sqlite3_exec(st->db, pragmas, NULL, NULL, NULL) != SQLITE_OK)
		return (witness_store_fail(st));
	(void)sqlite3_wal_hook(st->db, witness_store_wal_cb, st);
	return (0);
}

int
witness_store_open(const char *path, const uint8_t server[SIGN_KEY_LEN],
    const uint8_t key[SIGN_KEY_LEN], struct witness_store **out,
    struct errinfo *e)
{
	char server_hex[2 * SIGN_KEY_LEN + 1], key_hex[2 * SIGN_KEY_LEN + 1];
	struct witness_store *st = xalloc(sizeof(*st));
	int r;

	hex_format(server_hex, server, SIGN_KEY_LEN);
	hex_format(key_hex, key, SIGN_KEY_LEN);
	if ((r = witness_store_connect(st, path)) == 0)
		r = witness_store_check(st, path, server_hex, key_hex, e);
	if (r == ERR_IO)
		r = err_set(e, r, NULL, "'%s': %s", path, st->why);
	if (r == 0)
		*out = st;
	else
		witness_store_close(st);
	return (r);
}

void
witness_store_close(struct witness_store *st)
{
	size_t i;

	if (st == NULL)
		return;
	for (i = 0; i < st->n; i++)
		(void)sqlite3_finalize(st->kept[i].stmt);
	(void)sqlite3_close(st->db); /* no statement is left */
	free(st);
}

const char *
witness_store_why(const struct witness_store *st)
{
	return (st->why);
}

int
witness_store_commit(struct witness_store *st)
{
	if (!st->is_dirty)
		return (0);
	if (sqlite3_exec(st->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
		return (witness_store_fail(st));
	st->is_dirty = false;
	return (0);
}

int
witness_store_rollback(struct witness_store *st)
{
	if (!st->is_dirty)
		return (0);
	if (sqlite3_exec(st->db, "ROLLBACK", NULL, NULL, NULL) != SQLITE_OK)
		return (witness_store_fail(st));
	st->is_dirty = false;
	return (0);
}

bool
witness_store_is_dirty(const struct witness_store *st)
{
	return (st->is_dirty);
}

int
witness_store_tidy(struct witness_store *st)
{
	if (st->is_dirty || st->pages < WITNESS_STORE_WAL)
		return (0);
	st->pages = 0;
	if (sqlite3_wal_checkpoint_v2(st->db, NULL, SQLITE_CHECKPOINT_PASSIVE,
		NULL, NULL) != SQLITE_OK)
		return (witness_store_fail(st));
	return (0);
}

#define WITNESS_STORE_ROW \
	"SELECT gid, id, n, head, told, state, is_cup FROM game WHERE "

/* Reads a game out of a row of those columns, and ends the statement. */
static int
witness_store_row(
    struct witness_store *st, sqlite3_stmt *stmt, struct witness_row *row)
{
	struct witness_row got = {.gid = sqlite3_column_int64(stmt, 0),
	    .n = sqlite3_column_int64(stmt, 2),
	    .told = sqlite3_column_int64(stmt, 4),
	    .state = sqlite3_column_int64(stmt, 5),
	    .is_cup = sqlite3_column_int64(stmt, 6) != 0};
	int r;

	r = witness_store_bytes(st, stmt, 1, got.id, HASH_LEN);
	if (r == 0)
		r = witness_store_bytes(st, stmt, 3, got.head, HASH_LEN);
	(void)sqlite3_reset(stmt);
	if (r == 0)
		*row = got;
	return (r);
}

int
witness_store_find(struct witness_store *st, const uint8_t id[HASH_LEN],
    struct witness_row *row)
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(st, WITNESS_STORE_ROW "id = ?", &stmt, "h", id);
	return (r == 0 ? witness_store_row(st, stmt, row) : r);
}

int
witness_store_get(
    struct witness_store *st, int64_t gid, struct witness_row *row)
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(st, WITNESS_STORE_ROW "gid = ?", &stmt, "i", gid);
	return (r == 0 ? witness_store_row(st, stmt, row) : r);
}

int
witness_store_next(struct witness_store *st, bool is_cup, int64_t gid,
    enum witness_state state, struct witness_row *row)
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(st,
	    WITNESS_STORE_ROW "is_cup = ? AND state = ? AND gid > ?"
			      " ORDER BY gid LIMIT 1",
	    &stmt, "iii", (int64_t)is_cup, (int64_t)state, gid);
	return (r == 0 ? witness_store_row(st, stmt, row) : r);
}

int
witness_store_add(struct witness_store *st, bool is_cup,
    const uint8_t id[HASH_LEN], struct witness_row *row)
{
	static const uint8_t zeros[HASH_LEN];
	int r;

	r = witness_store_run(st,
	    "INSERT INTO game (id, head, is_cup) VALUES (?, ?, ?)", "hhi", id,
	    zeros, (int64_t)is_cup);
	return (r == 0 ? witness_store_find(st, id, row) : r);
}

int
witness_store_set_state(struct witness_store *st, struct witness_row *row,
    enum witness_state state, const char *why)
{
	char text[WITNESS_STORE_WHY];

	(void)snprintf(text, sizeof(text), "%s", why);
	row->state = state;
	return (witness_store_run(st,
	    "UPDATE game SET state = ?, why = ?, due_ms = NULL WHERE gid = ?",
	    "iti", (int64_t)state, text, row->gid));
}

int
witness_store_reason(
    struct witness_store *st, int64_t gid, char why[WITNESS_STORE_WHY])
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(
	    st, "SELECT why FROM game WHERE gid = ?", &stmt, "i", gid);
	if (r != 0)
		return (r);
	(void)snprintf(why, WITNESS_STORE_WHY, "%s",
	    (const char *)sqlite3_column_text(stmt, 0));
	(void)sqlite3_reset(stmt);
	return (0);
}

int
witness_store_count(
    struct witness_store *st, bool is_cup, enum witness_state state, int64_t *n)
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(st,
	    "SELECT count(*) FROM game WHERE is_cup = ? AND state = ?", &stmt,
	    "ii", (int64_t)is_cup, (int64_t)state);
	if (r != 0)
		return (r);
	*n = sqlite3_column_int64(stmt, 0);
	(void)sqlite3_reset(stmt);
	return (0);
}

int
witness_store_set_told(
    struct witness_store *st, struct witness_row *row, int64_t told)
{
	if (row->told == told)
		return (0);
	row->told = told;
	return (witness_store_run(st, "UPDATE game SET told = ? WHERE gid = ?",
	    "ii", told, row->gid));
}

int
witness_store_set_due(struct witness_store *st, int64_t gid, int64_t due_ms)
{
	sqlite3_stmt *stmt;
	int64_t had;
	int r;

	r = witness_store_ask(st,
	    "SELECT ifnull(due_ms, 9223372036854775807) FROM game"
	    " WHERE gid = ?",
	    &stmt, "i", gid);
	if (r != 0)
		return (r);
	had = sqlite3_column_int64(stmt, 0);
	(void)sqlite3_reset(stmt);
	if (had == due_ms)
		return (0);
	return (witness_store_run(st,
	    "UPDATE game SET due_ms = nullif(?, 9223372036854775807)"
	    " WHERE gid = ?",
	    "ii", due_ms, gid));
}

int
witness_store_due(struct witness_store *st, int64_t *gid, int64_t *due_ms)
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(st,
	    "SELECT gid, due_ms FROM game WHERE due_ms IS NOT NULL"
	    " ORDER BY due_ms LIMIT 1",
	    &stmt, "");
	if (r != 0)
		return (r);
	*gid = sqlite3_column_int64(stmt, 0);
	*due_ms = sqlite3_column_int64(stmt, 1);
	(void)sqlite3_reset(stmt);
	return (0);
}

int
witness_store_add_line(struct witness_store *st, struct witness_row *row,
    const char *line, size_t len)
{
	uint8_t head[HASH_LEN];
	int r;

	if ((r = hash_sha256(head, line, len)) != 0)
		return (r);
	r = witness_store_run(st, "INSERT INTO line VALUES (?, ?, ?)", "iis",
	    row->gid, row->n, line, len);
	if (r == 0)
		r = witness_store_run(st,
		    "UPDATE game SET n = ?, head = ? WHERE gid = ?", "ihi",
		    row->n + 1, head, row->gid);
	if (r != 0)
		return (r);
	row->n++;
	memcpy(row->head, head, HASH_LEN);
	return (0);
}

/* Appends a column's bytes, and ends the statement. */
static int
witness_store_take(sqlite3_stmt *stmt, int column, struct buf *out)
{
	const void *p = sqlite3_column_blob(stmt, column);

	if (p != NULL)
		buf_add(out, p, (size_t)sqlite3_column_bytes(stmt, column));
	(void)sqlite3_reset(stmt);
	return (buf_error(out));
}

int
witness_store_line(
    struct witness_store *st, int64_t gid, int64_t seq, struct buf *out)
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(st,
	    "SELECT bytes FROM line WHERE gid = ? AND seq = ?", &stmt, "ii",
	    gid, seq);
	return (r == 0 ? witness_store_take(stmt, 0, out) : r);
}

int
witness_store_add_blob(struct witness_store *st, int64_t gid,
    const uint8_t hash[HASH_LEN], const char *value, size_t len)
{
	return (
	    witness_store_run(st, "INSERT OR IGNORE INTO blob VALUES (?, ?, ?)",
		"ihs", gid, hash, value, len));
}

int
witness_store_has_blob(
    struct witness_store *st, int64_t gid, const uint8_t hash[HASH_LEN])
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(st,
	    "SELECT 1 FROM blob WHERE gid = ? AND hash = ?", &stmt, "ih", gid,
	    hash);
	if (r == 0)
		(void)sqlite3_reset(stmt);
	return (r);
}

int
witness_store_each_blob(
    struct witness_store *st, int64_t gid, witness_store_blob *each, void *arg)
{
	uint8_t hash[HASH_LEN];
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(
	    st, "SELECT hash, value FROM blob WHERE gid = ?", &stmt, "i", gid);
	while (r == 0) {
		r = witness_store_bytes(st, stmt, 0, hash, HASH_LEN);
		if (r == 0)
			r = each(arg, hash,
			    (const char *)sqlite3_column_text(stmt, 1),
			    (size_t)sqlite3_column_bytes(stmt, 1));
		if (r != 0) {
			(void)sqlite3_reset(stmt);
			return (r);
		}
		r = witness_store_step(st, stmt);
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
witness_store_save(struct witness_store *st, int64_t gid, int64_t n,
    const void *bytes, size_t len)
{
	return (witness_store_run(st, "REPLACE INTO saved VALUES (?, ?, ?)",
	    "iib", gid, n, bytes, len));
}

int
witness_store_saved(
    struct witness_store *st, int64_t gid, int64_t *n, struct buf *out)
{
	sqlite3_stmt *stmt;
	int r;

	r = witness_store_ask(
	    st, "SELECT n, bytes FROM saved WHERE gid = ?", &stmt, "i", gid);
	if (r != 0)
		return (r);
	*n = sqlite3_column_int64(stmt, 0);
	return (witness_store_take(stmt, 1, out));
}

int
witness_store_add_word(
    struct witness_store *st, int64_t gid, const struct witness_word *w)
{
	struct witness_word had;
	int r;

	r = witness_store_word(st, gid, w->what, w->about, &had);
	witness_word_clear(&had);
	if (r != ERR_NOTFOUND)
		return (r == 0 ? ERR_EXISTS : r);
	return (witness_store_run(st,
	    "INSERT INTO word (gid, what, about, oid, text, sig)"
	    " VALUES (?, ?, ?, ?, ?, ?)",
	    "itihsb", gid, w->what, w->about, w->oid, w->text.data, w->text.len,
	    w->sig, sizeof(w->sig)));
}

#define WITNESS_STORE_WORD                                                 \
	"SELECT what, about, oid, text, sig, sent_ms, seq, refusal IS NOT" \
	" NULL FROM word WHERE gid = ? AND "

/* Reads a word out of a row of those columns, and ends the statement. */
static int
witness_store_read_word(
    struct witness_store *st, sqlite3_stmt *stmt, struct witness_word *w)
{
	int r;

	(void)snprintf(w->what, sizeof(w->what), "%s",
	    (const char *)sqlite3_column_text(stmt, 0));
	w->about = sqlite3_column_int64(stmt, 1);
	w->sent_ms = sqlite3_column_int64(stmt, 5);
	w->seq = sqlite3_column_int64(stmt, 6);
	w->is_refused = sqlite3_column_int(stmt, 7) != 0;
	r = witness_store_bytes(st, stmt, 2, w->oid, HASH_LEN);
	if (r == 0)
		r = witness_store_bytes(st, stmt, 4, w->sig, SIGN_LEN);
	if (r == 0)
		return (witness_store_take(stmt, 3, &w->text));
	(void)sqlite3_reset(stmt);
	return (r);
}

int
witness_store_open_word(
    struct witness_store *st, int64_t gid, struct witness_word *w)
{
	sqlite3_stmt *stmt;
	int r;

	memset(w, 0, sizeof(*w));
	buf_init(&w->text, 0);
	r = witness_store_ask(st,
	    WITNESS_STORE_WORD "seq = -1 AND refusal IS NULL LIMIT 1", &stmt,
	    "i", gid);
	return (r == 0 ? witness_store_read_word(st, stmt, w) : r);
}

int
witness_store_word(struct witness_store *st, int64_t gid, const char *what,
    int64_t about, struct witness_word *w)
{
	sqlite3_stmt *stmt;
	int r;

	memset(w, 0, sizeof(*w));
	buf_init(&w->text, 0);
	r = witness_store_ask(st,
	    WITNESS_STORE_WORD "what = ? AND about = ? AND aside = 0", &stmt,
	    "iti", gid, what, about);
	return (r == 0 ? witness_store_read_word(st, stmt, w) : r);
}

int
witness_store_word_of(struct witness_store *st, int64_t gid,
    const uint8_t oid[HASH_LEN], struct witness_word *w)
{
	sqlite3_stmt *stmt;
	int r;

	memset(w, 0, sizeof(*w));
	buf_init(&w->text, 0);
	r = witness_store_ask(
	    st, WITNESS_STORE_WORD "oid = ?", &stmt, "ih", gid, oid);
	return (r == 0 ? witness_store_read_word(st, stmt, w) : r);
}

void
witness_word_clear(struct witness_word *w)
{
	buf_clear(&w->text);
}

int
witness_store_sent(struct witness_store *st, int64_t gid,
    const struct witness_word *w, int64_t at_ms)
{
	return (witness_store_run(st,
	    "UPDATE word SET sent_ms = ? WHERE gid = ? AND oid = ?"
	    " AND sent_ms = 0",
	    "iih", at_ms, gid, w->oid));
}

int
witness_store_spoken(struct witness_store *st, int64_t gid,
    const struct witness_word *w, int64_t seq)
{
	return (witness_store_run(st,
	    "UPDATE word SET seq = ? WHERE gid = ? AND oid = ?", "iih", seq,
	    gid, w->oid));
}

int
witness_store_refused(struct witness_store *st, int64_t gid,
    const struct witness_word *w, const char *refusal)
{
	return (witness_store_run(st,
	    "UPDATE word SET refusal = ? WHERE gid = ? AND oid = ?", "tih",
	    refusal, gid, w->oid));
}

int
witness_store_owe(struct witness_store *st, int64_t gid, const char *what,
    int64_t about, int64_t due_ms)
{
	return (witness_store_run(st,
	    "INSERT OR IGNORE INTO owe VALUES (?, ?, ?, ?)", "itii", gid, what,
	    about, due_ms));
}

int
witness_store_owed(struct witness_store *st, int64_t gid, int64_t now_ms,
    char what[WITNESS_STORE_WHAT], int64_t *about, int64_t *next_ms)
{
	sqlite3_stmt *stmt;
	int r;

	*next_ms = INT64_MAX;
	/* What was lost comes before who kept what back. */
	r = witness_store_ask(st,
	    "SELECT what, about, due_ms FROM owe WHERE gid = ?"
	    " ORDER BY due_ms > ?, what, due_ms LIMIT 1",
	    &stmt, "ii", gid, now_ms);
	if (r != 0)
		return (r);
	*next_ms = sqlite3_column_int64(stmt, 2);
	if (*next_ms > now_ms) {
		r = ERR_NOTFOUND;
	} else {
		(void)snprintf(what, WITNESS_STORE_WHAT, "%s",
		    (const char *)sqlite3_column_text(stmt, 0));
		*about = sqlite3_column_int64(stmt, 1);
	}
	(void)sqlite3_reset(stmt);
	return (r);
}

int
witness_store_drop(
    struct witness_store *st, int64_t gid, const char *what, int64_t about)
{
	return (witness_store_run(st,
	    "DELETE FROM owe WHERE gid = ? AND what = ? AND about = ?", "iti",
	    gid, what, about));
}

int
witness_store_drop_all(struct witness_store *st, int64_t gid, const char *what)
{
	return (witness_store_run(
	    st, "DELETE FROM owe WHERE gid = ? AND what = ?", "it", gid, what));
}

int
witness_store_add_other(struct witness_store *st, int64_t gid, int64_t seq,
    const char *line, size_t len, int64_t at_ms, const char *why)
{
	return (witness_store_run(st,
	    "INSERT OR IGNORE INTO other VALUES (?, ?, ?, ?, ?)", "iisit", gid,
	    seq, line, len, at_ms, why));
}

int
witness_store_rewind(
    struct witness_store *st, struct witness_row *row, int64_t n)
{
	static const uint8_t zeros[HASH_LEN];
	struct buf line;
	int r;

	if ((r = witness_store_run(st,
		 "UPDATE game SET aside = aside + 1 WHERE gid = ?", "i",
		 row->gid)) != 0 ||
	    (r = witness_store_run(st,
		 "INSERT INTO gone SELECT line.gid, game.aside, seq, bytes"
		 " FROM line JOIN game USING (gid) WHERE gid = ? AND seq >= ?",
		 "ii", row->gid, n)) != 0 ||
	    (r = witness_store_run(st,
		 "DELETE FROM line WHERE gid = ? AND seq >= ?", "ii", row->gid,
		 n)) != 0 ||
	    (r = witness_store_run(st,
		 "DELETE FROM saved WHERE gid = ? AND n > ?", "ii", row->gid,
		 n)) != 0 ||
	    (r = witness_store_run(st,
		 "DELETE FROM owe WHERE gid = ? AND about >= ?", "ii", row->gid,
		 n)) != 0 ||
	    (r = witness_store_run(st,
		 "UPDATE word SET aside = (SELECT aside FROM game WHERE gid ="
		 " word.gid), refusal = ifnull(refusal, 'set aside')"
		 " WHERE gid = ? AND aside = 0 AND about >= ?",
		 "ii", row->gid, n)) != 0)
		return (r);
	buf_init(&line, 0);
	memcpy(row->head, zeros, HASH_LEN);
	if (n > 0 && (r = witness_store_line(st, row->gid, n - 1, &line)) == 0)
		r = hash_sha256(row->head, line.data, line.len);
	buf_clear(&line);
	if (r == 0)
		r = witness_store_run(st,
		    "UPDATE game SET n = ?, head = ?, told = -1 WHERE gid = ?",
		    "ihi", n, row->head, row->gid);
	row->n = n;
	row->told = -1;
	return (r == 0 ? witness_store_set_state(st, row, WITNESS_FOLLOWED, "")
		       : r);
}
