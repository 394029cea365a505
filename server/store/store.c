/* SPDX-License-Identifier: ISC */
/*
 * Opening, migrating and closing the database, and its transactions.  The
 * settings of a connection are made here and nowhere else.
 */
#include "server/store/store.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/store/store_int.h"

#define STORE_WAL_PAGES 1000 /* checkpoint from here on */
#define STORE_WAL_PAGES_MAX 20000 /* then wait for readers to make way */
#define STORE_WAL_PAGES_STEP 10000 /* and again when there are so many more */
#define STORE_WRITER_BUSY_MS 200
#define STORE_READER_BUSY_MS 5000
#define STORE_CHECK_STEPS 100 /* of SQLite's machine between questions */

static const char store_release_sql[] = "RELEASE job";
static const char store_rollback_to_sql[] = "ROLLBACK TO job";
static const char store_rollback_sql[] = "ROLLBACK";

/* What a check asks whether to go on. */
struct store_check {
	bool (*goes_on)(void *arg);
	void *arg;
};

/* What is read of a database before anything is done to it. */
struct store_identity {
	int64_t application_id;
	int64_t version;
	int64_t tables;
};

int
store_version(void)
{
	return (schema_steps[schema_n_steps - 1].version);
}

const char *
store_reason(const struct store *st)
{
	return (st->reason);
}

int
store_once(struct store *st, const char *sql, int64_t *value)
{
	sqlite3_stmt *s;
	int rc;

	rc = sqlite3_prepare_v2(st->db, sql, -1, &s, NULL);
	if (rc != SQLITE_OK)
		return (store_fail(st, rc));
	rc = sqlite3_step(s);
	if (rc == SQLITE_ROW && value != NULL)
		*value = sqlite3_column_int64(s, 0);
	if (rc != SQLITE_ROW && rc != SQLITE_DONE) {
		rc = store_fail(st, rc);
		sqlite3_finalize(s);
		return (rc);
	}
	sqlite3_finalize(s);
	return (0);
}

/* Runs each of a list of such statements, ended by NULL. */
static int
store_once_all(struct store *st, const char *const sql[])
{
	size_t i;
	int r;

	for (i = 0; sql[i] != NULL; i++) {
		r = store_once(st, sql[i], NULL);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Notes the size of the WAL after a commit (sqlite3_wal_hook). */
static int
store_wal_cb(void *arg, sqlite3 *db, const char *name, int pages)
{
	struct store *st = arg;

	(void)db;
	(void)name;
	st->wal_pages = pages;
	return (SQLITE_OK);
}

/* Opens the connection with the settings that come before any reading. */
static int
store_connect(struct store *st, const char *path, struct errinfo *e)
{
	static const struct {
		int op;
		int on;
	} settings[] = {
	    {SQLITE_DBCONFIG_DEFENSIVE, 1},
	    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
	    {SQLITE_DBCONFIG_ENABLE_FKEY, 1},
	    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
	    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
	    {SQLITE_DBCONFIG_DQS_DDL, 0},
	    {SQLITE_DBCONFIG_DQS_DML, 0},
	};
	size_t i;
	int flags, rc;

	flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
	flags |= st->is_writer ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
	rc = sqlite3_open_v2(path, &st->db, flags, NULL);
	if (st->db == NULL || rc == SQLITE_NOMEM)
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	for (i = 0; rc == SQLITE_OK && i < sizeof(settings) / sizeof(*settings);
	     i++)
		rc = sqlite3_db_config(
		    st->db, settings[i].op, settings[i].on, NULL);
	if (rc == SQLITE_OK && !st->is_writer)
		rc = sqlite3_db_config(
		    st->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_busy_timeout(st->db,
		    st->is_writer ? STORE_WRITER_BUSY_MS
				  : STORE_READER_BUSY_MS);
	if (rc == SQLITE_OK)
		rc = sqlite3_wal_autocheckpoint(st->db, 0);
	if (rc != SQLITE_OK) {
		(void)store_fail(st, rc);
		rc = sqlite3_system_errno(st->db);
		return (err_set(e, ERR_IO, NULL, "cannot open \"%s\": %s", path,
		    rc != 0 ? strerror(rc) : st->reason));
	}
	/* SQLite falls back to reading where it must not write. */
	if (st->is_writer && sqlite3_db_readonly(st->db, "main") == 1)
		return (err_set(
		    e, ERR_IO, NULL, "cannot open \"%s\" for writing", path));
	if (st->is_writer)
		sqlite3_wal_hook(st->db, store_wal_cb, st);
	return (0);
}

/* Says why a lock was not had. */
static int
store_lock_fail(const char *path, const char *name, struct errinfo *e)
{
	if (errno == EWOULDBLOCK)
		return (err_set(e, ERR_BUSY, NULL,
		    "\"%s\" is in use by another umpired; stop that one first",
		    path));
	return (err_set(
	    e, ERR_IO, NULL, "cannot lock \"%s\": %s", name, strerror(errno)));
}

/*
 * True if flock() takes locks of fcntl(), as on NFS, so that one upon the
 * database would keep SQLite out.  SQLite itself never locks the first byte.
 */
static bool
store_lock_is_emulated(int fd)
{
	struct flock first = {
	    .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};

	return (fcntl(fd, F_GETLK, &first) == 0 && first.l_type != F_UNLCK);
}

/*
 * Keeps every other writer away: by a file beside the database, through the
 * name with links resolved, and by the database itself.
 */
static int
store_lock(struct store *st, const char *path, struct errinfo *e)
{
	const char *full;
	char name[4096];
	int n;

	full = sqlite3_db_filename(st->db, "main");
	if (full == NULL || full[0] == '\0')
		return (err_set(e, ERR_CONFIG, NULL,
		    "\"%s\" does not name a database file", path));
	n = snprintf(name, sizeof(name), "%s.lock", full);
	if (n < 0 || (size_t)n >= sizeof(name))
		return (err_set(e, ERR_CONFIG, NULL,
		    "the path of the database is too long"));
	st->lock_fd =
	    open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (st->lock_fd == -1)
		return (err_set(e, ERR_IO, NULL, "cannot open \"%s\": %s", name,
		    strerror(errno)));
	if (flock(st->lock_fd, LOCK_EX | LOCK_NB) == -1)
		return (store_lock_fail(path, name, e));
	/*
	 * The database's file itself, too, since the one beside it may be
	 * removed or replaced, or the database may have a second name.
	 */
	st->file_fd = open(full, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (st->file_fd == -1)
		return (err_set(e, ERR_IO, NULL, "cannot open \"%s\": %s", full,
		    strerror(errno)));
	if (flock(st->file_fd, LOCK_EX | LOCK_NB) == -1)
		return (store_lock_fail(path, full, e));
	if (store_lock_is_emulated(st->file_fd) &&
	    flock(st->file_fd, LOCK_UN) == -1)
		return (store_lock_fail(path, full, e));
	return (0);
}

/* Reads whose the file is, and which schema it has. */
static int
store_identify(struct store *st, const char *path, struct store_identity *id,
    struct errinfo *e)
{
	int r;

	if ((r = store_once(
		 st, "PRAGMA application_id", &id->application_id)) != 0 ||
	    (r = store_once(st, "PRAGMA user_version", &id->version)) != 0 ||
	    (r = store_once(
		 st, "SELECT count(*) FROM sqlite_schema", &id->tables)) != 0) {
		if (sqlite3_errcode(st->db) == SQLITE_NOTADB)
			return (err_set(e, ERR_CONFIG, NULL,
			    "\"%s\" is not an SQLite database", path));
		return (err_set(
		    e, r, NULL, "cannot read \"%s\": %s", path, st->reason));
	}
	return (0);
}

/* Refuses a file that this program must not touch, or cannot read. */
static int
store_judge(const struct store_identity *id, const char *path, bool may_create,
    bool may_be_old, struct errinfo *e)
{
	if (id->application_id == 0 && id->version == 0 && id->tables == 0) {
		if (may_create)
			return (0);
		return (err_set(e, ERR_CONFIG, NULL,
		    "\"%s\" is empty; make the database with umpired --init",
		    path));
	}
	if (id->application_id != STORE_APPLICATION_ID || id->version < 1)
		return (err_set(e, ERR_CONFIG, NULL,
		    "\"%s\" is a database of another application", path));
	if (id->version > store_version())
		return (err_set(e, ERR_CONFIG, NULL,
		    "\"%s\" has schema version %lld, this umpired knows at "
		    "most %d; use a newer umpired",
		    path, (long long)id->version, store_version()));
	if (!may_be_old && id->version < store_version())
		return (err_set(e, ERR_CONFIG, NULL,
		    "\"%s\" has schema version %lld; start this umpired on it"
		    " once to bring it to version %d",
		    path, (long long)id->version, store_version()));
	return (0);
}

/* Applies one migration as one transaction. */
static int
store_step_apply(struct store *st, const struct store_step *step)
{
	int64_t version;
	int r, rc;

	r = store_begin(st);
	if (r != 0)
		return (r);
	rc = sqlite3_exec(st->db, step->sql, NULL, NULL, NULL);
	r = rc == SQLITE_OK ? 0 : store_fail(st, rc);
	if (r == 0)
		r = store_once(st, "PRAGMA user_version", &version);
	if (r == 0 && version != step->version)
		r = ERR_INTERNAL;
	if (r == 0)
		r = store_commit(st);
	if (r != 0)
		store_rollback(st);
	return (r);
}

/* Brings the schema to this program's version. */
static int
store_migrate(
    struct store *st, const char *path, int64_t version, struct errinfo *e)
{
	size_t i;
	int r;

	for (i = 0; i < schema_n_steps; i++) {
		if (schema_steps[i].version <= version)
			continue;
		r = store_step_apply(st, &schema_steps[i]);
		if (r != 0)
			return (err_set(e, r, NULL,
			    "cannot bring \"%s\" to schema version %d (%s): %s",
			    path, schema_steps[i].version, schema_steps[i].name,
			    st->reason));
	}
	return (0);
}

/*
 * Prepares what ends a transaction: it must work when there is no memory.
 */
static int
store_prepare_ends(struct store *st)
{
	static const struct {
		enum store_sql id;
		const char *sql;
	} ends[] = {
	    {STORE_ROLLBACK, store_rollback_sql},
	    {STORE_ROLLBACK_TO, store_rollback_to_sql},
	    {STORE_RELEASE, store_release_sql},
	};
	struct store_query q;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		store_query_init(&q, st, ends[i].id, ends[i].sql);
		if (q.rc != SQLITE_OK)
			return (store_fail(st, q.rc));
		store_query_end(&q);
	}
	return (0);
}

/* The settings that are made once the file is known to be ours. */
static int
store_settle(struct store *st, const char *path, struct errinfo *e)
{
	static const char *const both[] = {"PRAGMA mmap_size = 0",
	    "PRAGMA cell_size_check = ON", "PRAGMA temp_store = MEMORY", NULL};
	static const char *const reader[] = {
	    "PRAGMA query_only = ON", "PRAGMA cache_size = -4096", NULL};
	static const char *const writer[] = {"PRAGMA synchronous = FULL",
	    "PRAGMA secure_delete = ON", "PRAGMA cache_size = -16384",
	    "PRAGMA journal_size_limit = 67108864", NULL};
	int64_t is_wal;
	int r;

	r = store_once_all(st, both);
	if (r == 0)
		r = store_once_all(st, st->is_writer ? writer : reader);
	if (r == 0 && st->is_writer)
		r = store_once(st, "PRAGMA journal_mode = WAL", NULL);
	if (r != 0)
		return (err_set(
		    e, r, NULL, "cannot set up \"%s\": %s", path, st->reason));
	r = store_once(st,
	    "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &is_wal);
	if (r != 0)
		return (err_set(
		    e, r, NULL, "cannot set up \"%s\": %s", path, st->reason));
	/* A reader may be given a backup, which has no log of its own. */
	if (st->is_writer && !is_wal)
		return (err_set(e, ERR_CONFIG, NULL,
		    "\"%s\" cannot have a write-ahead log; put it on a local"
		    " file system",
		    path));
	if (st->is_writer && (r = store_prepare_ends(st)) != 0)
		return (err_set(e, r, NULL, "out of memory"));
	return (0);
}

/*
 * Has the names of the database and its log written.  SQLite does so as well
 * when a log is new, but tells nobody if it fails.
 */
static int
store_sync_folder(const struct store *st, const char *path, struct errinfo *e)
{
	const char *full = sqlite3_db_filename(st->db, "main");
	const char *slash = strrchr(full, '/');
	char name[4096];
	int fd, r = 0;

	if (slash == NULL || (size_t)(slash - full) + 2 > sizeof(name))
		return (err_set(e, ERR_CONFIG, NULL,
		    "the path of the database is too long"));
	memcpy(name, full, (size_t)(slash - full) + 1);
	name[slash - full + 1] = '\0';
	fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Some file systems cannot sync a folder; that is no fault. */
	if (fd == -1 || (fsync(fd) == -1 && errno != EINVAL))
		r = err_set(e, ERR_IO, NULL,
		    "cannot write to the folder of \"%s\": %s", path,
		    strerror(errno));
	if (fd != -1)
		close(fd);
	return (r);
}

/* Opens the database any way. */
static int
store_open(const char *path, bool is_writer, bool may_create, bool may_be_old,
    struct store **out, struct errinfo *e)
{
	struct store_identity id;
	struct store *st;
	int r;

	if (strncmp(path, "file:", 5) == 0)
		return (err_set(e, ERR_CONFIG, NULL,
		    "the database must be a path, not the address \"%s\"",
		    path));
	st = calloc(1, sizeof(*st));
	if (st == NULL)
		return (err_set(e, ERR_NOMEM, NULL, "out of memory"));
	st->is_writer = is_writer;
	st->lock_fd = st->file_fd = -1;
	if ((r = store_connect(st, path, e)) != 0)
		goto fail;
	if (is_writer && (r = store_lock(st, path, e)) != 0)
		goto fail;
	if ((r = store_identify(st, path, &id, e)) != 0)
		goto fail;
	if ((r = store_judge(&id, path, may_create, may_be_old, e)) != 0)
		goto fail;
	if ((r = store_settle(st, path, e)) != 0)
		goto fail;
	if (is_writer &&
	    ((r = store_sync_folder(st, path, e)) != 0 ||
		(r = store_migrate(st, path, id.version, e)) != 0))
		goto fail;
	*out = st;
	return (0);
fail:
	store_close(st);
	return (r);
}

int
store_open_writer(
    const char *path, bool may_create, struct store **out, struct errinfo *e)
{
	int fd;

	/* A new file can be read by its owner alone. */
	if (may_create && strncmp(path, "file:", 5) != 0) {
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd == -1 && errno != EEXIST)
			return (err_set(e, ERR_IO, NULL,
			    "cannot create \"%s\": %s", path, strerror(errno)));
		if (fd != -1)
			close(fd);
	}
	return (store_open(path, true, may_create, true, out, e));
}

int
store_open_reader(const char *path, struct store **out, struct errinfo *e)
{
	return (store_open(path, false, false, false, out, e));
}

int
store_open_source(const char *path, struct store **out, struct errinfo *e)
{
	return (store_open(path, false, false, true, out, e));
}

void
store_close(struct store *st)
{
	size_t i;

	if (st == NULL)
		return;
	for (i = 0; i < STORE_SQL_COUNT; i++)
		sqlite3_finalize(st->stmts[i]);
	/* Closing must not copy pages of which nobody knows the state. */
	if (st->is_broken)
		sqlite3_db_config(
		    st->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	sqlite3_close(st->db);
	/*
	 * The descriptor of the database stays open as long as the process:
	 * closing one lets go of all locks of fcntl() that the process has upon
	 * that file, and so of those of SQLite's connections
	 * (https://www.sqlite.org/howtocorrupt.html, 2.2).  A process has one
	 * writer, and ends with it.
	 */
	if (st->file_fd != -1)
		(void)flock(st->file_fd, LOCK_UN);
	if (st->lock_fd != -1)
		close(st->lock_fd);
	free(st);
}

int
store_begin(struct store *st)
{
	struct store_query q;

	if (st->is_broken)
		return (ERR_IO);
	st->reason[0] = '\0';
	/* The statement that ends it must be there when memory is out. */
	store_query_init(&q, st, STORE_ROLLBACK, store_rollback_sql);
	if (q.rc != SQLITE_OK)
		return (store_fail(st, q.rc));
	if (!st->is_writer)
		return (store_run(st, STORE_BEGIN_READ, "BEGIN", NULL));
	return (store_run(st, STORE_BEGIN, "BEGIN IMMEDIATE", NULL));
}

int
store_savepoint(struct store *st)
{
	return (store_run(st, STORE_SAVEPOINT, "SAVEPOINT job", NULL));
}

int
store_release(struct store *st)
{
	return (store_run(st, STORE_RELEASE, store_release_sql, NULL));
}

int
store_rollback_savepoint(struct store *st)
{
	int r;

	r = store_run(st, STORE_ROLLBACK_TO, store_rollback_to_sql, NULL);
	if (r != 0)
		return (r);
	return (store_release(st));
}

int
store_commit(struct store *st)
{
	return (store_run(st, STORE_COMMIT, "COMMIT", NULL));
}

void
store_rollback(struct store *st)
{
	/* Without a transaction there is nothing to undo. */
	if (store_is_open_transaction(st) &&
	    store_run(st, STORE_ROLLBACK, store_rollback_sql, NULL) != 0)
		return;
}

bool
store_is_open_transaction(const struct store *st)
{
	return (sqlite3_get_autocommit(st->db) == 0);
}

/*
 * Whether a checkpoint shall wait for readers.  While it waits no order goes
 * on, so that one who reads for long, as a backup does, is not waited for
 * after every batch.
 */
static bool
store_waits(struct store *st)
{
	int from;

	/* The log has begun anew. */
	if (st->wal_pages < st->wal_waited)
		st->wal_waited = 0;
	from = st->wal_waited == 0 ? STORE_WAL_PAGES_MAX
				   : st->wal_waited + STORE_WAL_PAGES_STEP;
	if (st->wal_pages < from)
		return (false);
	st->wal_waited = st->wal_pages;
	return (true);
}

int
store_checkpoint(struct store *st)
{
	int mode, rc;

	if (st->wal_pages < STORE_WAL_PAGES)
		return (0);
	mode = store_waits(st) ? SQLITE_CHECKPOINT_RESTART
			       : SQLITE_CHECKPOINT_PASSIVE;
	rc = sqlite3_wal_checkpoint_v2(st->db, "main", mode, NULL, NULL);
	/* A reader in the way is no failure: the next checkpoint goes on. */
	if (rc == SQLITE_OK || rc == SQLITE_BUSY)
		return (0);
	return (store_fail(st, rc));
}

/* Asks whether to go on (sqlite3_progress_handler); not 0 ends it. */
static int
store_check_cb(void *arg)
{
	const struct store_check *c = arg;

	return (c->goes_on(c->arg) ? 0 : 1);
}

/* Runs a check that gives rows of text; the first that is not `good` fails. */
static int
store_check_run(
    struct store *st, const char *sql, const char *good, struct errinfo *e)
{
	sqlite3_stmt *s;
	const char *text;
	int r = 0, rc;

	rc = sqlite3_prepare_v2(st->db, sql, -1, &s, NULL);
	while (r == 0 && (rc == SQLITE_OK || rc == SQLITE_ROW) &&
	    (rc = sqlite3_step(s)) == SQLITE_ROW) {
		text = (const char *)sqlite3_column_text(s, 0);
		if (text == NULL || strcmp(text, good) != 0)
			r = err_set(e, ERR_BAD, NULL, "%s finds: %s", sql,
			    text == NULL ? "?" : text);
	}
	if (r == 0 && rc == SQLITE_INTERRUPT)
		r = err_set(e, ERR_CLOSED, NULL, "interrupted");
	else if (r == 0 && rc != SQLITE_DONE)
		r = err_set(e, store_fail(st, rc), NULL, "%s", st->reason);
	sqlite3_finalize(s);
	return (r);
}

int
store_check(
    struct store *st, bool (*goes_on)(void *arg), void *arg, struct errinfo *e)
{
	struct store_check c = {.goes_on = goes_on, .arg = arg};
	int r;

	if (goes_on != NULL)
		sqlite3_progress_handler(
		    st->db, STORE_CHECK_STEPS, store_check_cb, &c);
	r = store_check_run(st, "PRAGMA integrity_check(10)", "ok", e);
	if (r == 0)
		r = store_check_run(st, "PRAGMA foreign_key_check", "", e);
	sqlite3_progress_handler(st->db, 0, NULL, NULL);
	return (r);
}
