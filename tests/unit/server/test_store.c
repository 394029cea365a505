/* SPDX-License-Identifier: ISC */
/*
 * The store: whose files it opens, who may write, what it keeps and guards,
 * and how what it keeps is found again.
 */
#include "server/store/store.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/base/buf.h"
#include "tests/lib/db.h"

/* Runs SQL on another connection, as another program would. */
static void
run_elsewhere(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void
a_new_database_has_the_settings_that_must_hold(void **state)
{
	struct db *p = *state;
	struct stat sb;

	assert_int_equal(stat(p->path, &sb), 0);
	assert_int_equal(sb.st_mode & 0777, 0600);
	assert_int_equal(
	    db_ask(p->st, "PRAGMA application_id"), STORE_APPLICATION_ID);
	assert_int_equal(db_ask(p->st, "PRAGMA user_version"), store_version());
	assert_int_equal(db_ask(p->st, "PRAGMA foreign_keys"), 1);
	assert_int_equal(db_ask(p->st, "PRAGMA synchronous"), 2);
	assert_int_equal(db_ask(p->st, "PRAGMA mmap_size"), 0);
	assert_int_equal(db_ask(p->st, "PRAGMA trusted_schema"), 0);
	assert_int_equal(db_ask(p->st, "PRAGMA cell_size_check"), 1);
	assert_int_equal(db_ask(p->st, "PRAGMA wal_autocheckpoint"), 0);
	assert_int_equal(db_ask(p->st,
			     "SELECT journal_mode = 'wal'"
			     " FROM pragma_journal_mode"),
	    1);
	assert_int_equal(
	    db_ask(p->st,
		"SELECT count(*) FROM pragma_table_list"
		" WHERE type = 'table' AND schema = 'main' AND NOT strict"
		" AND name NOT LIKE 'sqlite%'"),
	    0);
	/* Defensive: the schema cannot be written by hand. */
	assert_int_not_equal(
	    sqlite3_exec(p->st->db,
		"PRAGMA writable_schema = ON; DELETE FROM sqlite_schema", NULL,
		NULL, NULL),
	    SQLITE_OK);
}

static void
an_empty_or_missing_file_is_only_made_when_asked(void **state)
{
	struct db *p = *state;
	struct store *st;
	struct errinfo e;
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/other.db", p->dir);
	st = NULL;
	assert_int_equal(store_open_writer(path, false, &st, &e), ERR_IO);
	assert_non_null(strstr(e.text, "No such file"));
	assert_int_equal(store_open_reader(path, &st, &e), ERR_IO);
	assert_int_not_equal(access(path, F_OK), 0);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_int_not_equal(fd, -1);
	close(fd);
	assert_int_equal(store_open_writer(path, false, &st, &e), ERR_CONFIG);
	assert_non_null(strstr(e.text, "umpired --init"));
	assert_int_equal(store_open_reader(path, &st, &e), ERR_CONFIG);
	assert_null(st);
	assert_int_equal(store_open_writer(path, true, &st, &e), 0);
	store_close(st);
	assert_int_equal(store_open_writer(path, false, &st, &e), 0);
	store_close(st);
	assert_int_equal(store_open_writer(p->dir, true, &st, &e), ERR_IO);
	assert_int_equal(
	    store_open_writer("file:x?mode=memory", true, &st, &e), ERR_CONFIG);
	assert_int_equal(access("file:x?mode=memory", F_OK), -1);
}

/* Both ways of opening refuse the file, and leave it as it is. */
static void
assert_refused(struct db *p, const char *path, const char *why)
{
	struct store *st = NULL;
	struct errinfo e;
	struct buf before, after;
	char bytes[4096];
	size_t n;
	FILE *f;
	int i;

	(void)p;
	buf_init(&before, 0);
	buf_init(&after, 0);
	for (i = 0; i < 2; i++) {
		f = fopen(path, "rb");
		assert_non_null(f);
		while ((n = fread(bytes, 1, sizeof(bytes), f)) > 0)
			buf_add(i == 0 ? &before : &after, bytes, n);
		fclose(f);
		if (i == 1)
			break;
		assert_int_equal(
		    store_open_writer(path, true, &st, &e), ERR_CONFIG);
		assert_non_null(strstr(e.text, why));
		assert_int_equal(store_open_reader(path, &st, &e), ERR_CONFIG);
		assert_non_null(strstr(e.text, why));
	}
	assert_int_equal(before.len, after.len);
	assert_memory_equal(before.data, after.data, after.len);
	assert_null(st);
	buf_clear(&before);
	buf_clear(&after);
}

static void
what_is_not_ours_or_newer_is_refused_and_left_alone(void **state)
{
	struct db *p = *state;
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/other.db", p->dir);
	run_elsewhere(path,
	    "PRAGMA application_id = 77;"
	    "PRAGMA user_version = 1; CREATE TABLE t (x)");
	assert_refused(p, path, "another application");
	run_elsewhere(path, "PRAGMA application_id = 0;");
	assert_refused(p, path, "another application");
	run_elsewhere(path,
	    "PRAGMA application_id = 1970106482;"
	    "PRAGMA user_version = 0;");
	assert_refused(p, path, "another application");
	run_elsewhere(path, "PRAGMA user_version = 1000;");
	assert_refused(p, path, "schema version 1000");
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fputs("[daemon]\nthis is no database, but it is long "
			       "enough to be looked at as if it had the header "
			       "of one, which is "
			       "of a hundred bytes\n",
			     f) >= 0,
	    1);
	fclose(f);
	assert_refused(p, path, "not an SQLite database");
}

static void
a_second_writer_is_refused_under_any_name(void **state)
{
	struct db *p = *state;
	struct store *st = NULL;
	struct errinfo e;
	char path[128];

	assert_int_equal(store_open_writer(p->path, true, &st, &e), ERR_BUSY);
	assert_non_null(strstr(e.text, "in use by another umpired"));
	snprintf(path, sizeof(path), "%s/link.db", p->dir);
	assert_int_equal(symlink(p->path, path), 0);
	assert_int_equal(store_open_writer(path, false, &st, &e), ERR_BUSY);
	assert_non_null(strstr(e.text, "in use by another umpired"));
	assert_null(st);
	/* What was refused has let go of nothing that the first one holds. */
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_commit(p->st), 0);
	store_close(p->st);
	p->st = NULL;
	assert_int_equal(store_open_writer(path, false, &st, &e), 0);
	assert_int_equal(store_account_find(st, "ann"), 0);
	store_close(st);
}

static void
a_second_writer_is_refused_without_the_lock_file_too(void **state)
{
	struct db *p = *state;
	struct store *st = NULL;
	struct errinfo e;
	char lock[160], other[128];
	int fd;

	snprintf(lock, sizeof(lock), "%s.lock", p->path);
	assert_int_equal(unlink(lock), 0);
	assert_int_equal(store_open_writer(p->path, false, &st, &e), ERR_BUSY);
	assert_non_null(strstr(e.text, "in use by another umpired"));
	/* What was refused made another. */
	assert_int_equal(unlink(lock), 0);
	assert_int_not_equal(fd = open(lock, O_CREAT | O_EXCL, 0600), -1);
	assert_int_equal(close(fd), 0);
	assert_int_equal(store_open_writer(p->path, false, &st, &e), ERR_BUSY);
	snprintf(other, sizeof(other), "%s/other.db", p->dir);
	assert_int_equal(link(p->path, other), 0);
	assert_int_equal(store_open_writer(other, false, &st, &e), ERR_BUSY);
	assert_null(st);
	store_close(p->st);
	p->st = NULL;
	assert_int_equal(store_open_writer(p->path, false, &p->st, &e), 0);
}

/* In a child: whether a process of its own may lock byte n of a file. */
static bool
others_may_lock(const char *path, off_t n)
{
	struct flock one = {
	    .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = n, .l_len = 1};
	int status;
	pid_t pid;

	if ((pid = fork()) == 0)
		_exit(fcntl(open(path, O_RDWR), F_SETLK, &one) == 0 ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void
the_lock_of_a_writer_leaves_sqlite_its_own(void **state)
{
	const off_t shared = 0x40000000 + 2; /* SQLite's, of each who reads */
	struct db *p = *state;
	struct store *rd, *st = NULL;
	struct errinfo e;
	char lock[160];

	assert_true(others_may_lock(p->path, 0));
	assert_false(others_may_lock(p->path, shared));
	assert_int_equal(store_open_reader(p->path, &rd, &e), 0);
	/* One who is refused lets go of nothing that this process holds. */
	snprintf(lock, sizeof(lock), "%s.lock", p->path);
	assert_int_equal(unlink(lock), 0);
	assert_int_equal(store_open_writer(p->path, false, &st, &e), ERR_BUSY);
	assert_false(others_may_lock(p->path, shared));
	/* Nor does the writer when it ends before a reader. */
	store_close(p->st);
	p->st = NULL;
	assert_false(others_may_lock(p->path, shared));
	store_close(rd);
	assert_true(others_may_lock(p->path, shared));
}

static void
a_link_in_the_place_of_the_lock_is_not_followed(void **state)
{
	struct db *p = *state;
	struct store *st = NULL;
	struct errinfo e;
	char lock[160], other[128];

	snprintf(lock, sizeof(lock), "%s.lock", p->path);
	snprintf(other, sizeof(other), "%s/other.db", p->dir);
	store_close(p->st);
	p->st = NULL;
	assert_int_equal(unlink(lock), 0);
	assert_int_equal(symlink(other, lock), 0);
	assert_int_equal(store_open_writer(p->path, false, &st, &e), ERR_IO);
	assert_non_null(strstr(e.text, ".lock"));
	assert_int_equal(access(other, F_OK), -1);
}

static void
a_reader_sees_what_is_committed_and_cannot_write(void **state)
{
	struct db *p = *state;
	struct store *rd;
	struct errinfo e;

	assert_int_equal(store_open_reader(p->path, &rd, &e), 0);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_account_find(rd, "ann"), ERR_NOTFOUND);
	assert_int_equal(store_commit(p->st), 0);
	assert_int_equal(store_account_find(rd, "ann"), 0);
	assert_int_not_equal(db_add_account(rd, "bob", 2), 0);
	assert_int_equal(db_ask(rd, "PRAGMA query_only"), 1);
	assert_int_equal(db_ask(rd, "PRAGMA wal_autocheckpoint"), 0);
	/* One state for several questions. */
	assert_int_equal(store_begin(rd), 0);
	assert_int_equal(store_account_find(rd, "bob"), ERR_NOTFOUND);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	assert_int_equal(store_account_find(rd, "bob"), ERR_NOTFOUND);
	store_rollback(rd);
	assert_int_equal(store_account_find(rd, "bob"), 0);
	store_close(rd);
}

static void
a_reader_that_is_closed_last_leaves_the_wal_alone(void **state)
{
	struct db *p = *state;
	struct store *rd;
	struct errinfo e;
	struct stat sb;
	char wal[160];

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_open_reader(p->path, &rd, &e), 0);
	assert_int_equal(store_account_find(rd, "ann"), 0);
	store_close(p->st);
	p->st = NULL;
	store_close(rd);
	snprintf(wal, sizeof(wal), "%s-wal", p->path);
	assert_int_equal(stat(wal, &sb), 0);
	assert_true(sb.st_size > 0);
	assert_int_equal(store_open_writer(p->path, false, &p->st, &e), 0);
	assert_int_equal(store_account_find(p->st, "ann"), 0);
	store_close(p->st);
	p->st = NULL;
	assert_int_equal(stat(wal, &sb), -1);
}

static void
names_keys_and_invites_serve_once(void **state)
{
	struct db *p = *state;
	uint8_t key[SIGN_KEY_LEN], invite[HASH_LEN];

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(db_add_account(p->st, "ann", 2), ERR_EXISTS);
	assert_int_equal(store_rollback_savepoint(p->st), 0);
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(db_add_account(p->st, "bob", 1), ERR_EXISTS);
	assert_int_equal(store_rollback_savepoint(p->st), 0);
	assert_int_equal(store_account_find(p->st, "bob"), ERR_NOTFOUND);
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(
	    store_account_insert(p->st, "cat", "C", db_hash_of(key, 3), NULL,
		db_hash_of(invite, 9), 5),
	    0);
	assert_int_equal(store_release(p->st), 0);
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(
	    store_account_insert(p->st, "dan", "D", db_hash_of(key, 4), NULL,
		db_hash_of(invite, 9), 5),
	    ERR_DENIED);
	assert_int_equal(store_rollback_savepoint(p->st), 0);
	assert_int_equal(store_commit(p->st), 0);
	assert_int_equal(store_account_find(p->st, "dan"), ERR_NOTFOUND);
	assert_int_equal(
	    store_account_has_key(p->st, "cat", db_hash_of(key, 3)), 0);
	assert_int_equal(
	    store_account_has_key(p->st, "ann", db_hash_of(key, 3)),
	    ERR_NOTFOUND);
	assert_int_equal(
	    store_account_has_key(p->st, "cat", db_hash_of(key, 1)),
	    ERR_NOTFOUND);
	assert_int_equal(
	    store_account_has_key(p->st, "eve", db_hash_of(key, 8)),
	    ERR_NOTFOUND);
	/* Names are told apart byte by byte. */
	assert_int_equal(store_account_find(p->st, "ANN"), ERR_NOTFOUND);
}

static void
a_blob_is_kept_once_and_charged_once(void **state)
{
	struct db *p = *state;
	uint8_t h[HASH_LEN];
	struct buf out;
	int64_t used;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	buf_init(&out, 0);
	db_hash_of(h, 5);
	assert_int_equal(store_blob_find(p->st, h), ERR_NOTFOUND);
	assert_int_equal(store_blob_get(p->st, h, &out), ERR_NOTFOUND);
	assert_int_equal(
	    store_blob_insert(p->st, h, "{}", 2, "eve", 1), ERR_NOTFOUND);
	assert_int_equal(store_blob_find(p->st, h), ERR_NOTFOUND);
	assert_int_equal(store_blob_insert(p->st, h, "{}", 2, "ann", 1), 0);
	assert_int_equal(store_blob_insert(p->st, h, "{}", 2, "ann", 1), 0);
	assert_int_equal(store_blob_insert(p->st, h, "other", 5, "bob", 1), 0);
	assert_int_equal(store_blob_get(p->st, h, &out), 0);
	assert_int_equal(out.len, 2);
	assert_memory_equal(out.data, "{}", 2);
	assert_int_equal(store_blob_used(p->st, "ann", &used), 0);
	assert_int_equal(used, 2);
	assert_int_equal(store_blob_used(p->st, "bob", &used), 0);
	assert_int_equal(used, 0);
	assert_int_equal(store_blob_used(p->st, "eve", &used), ERR_NOTFOUND);
	buf_clear(&out);
	/* A maximum that is too small is the buffer's to say. */
	buf_init(&out, 1);
	assert_int_equal(store_blob_get(p->st, h, &out), ERR_TOOBIG);
	buf_clear(&out);
}

static void
a_line_is_kept_as_its_bytes_and_found_every_way(void **state)
{
	struct db *p = *state;
	uint8_t h[HASH_LEN], got[HASH_LEN];
	struct store_line server;
	struct buf out;
	int64_t gid, seq;

	gid = db_add_game(p->st, 1, "play", 5);
	assert_int_equal(db_add_line(p->st, gid, 0, 10, NULL), 0);
	assert_int_equal(db_add_line(p->st, gid, 1, 11, "c/1/a/1/1"), 0);
	server = (struct store_line){
	    .gid = gid, .seq = 2, .bytes = "\0x\n", .len = 3};
	db_hash_of(server.hash, 12);
	assert_int_equal(store_record_insert(p->st, &server), 0);
	buf_init(&out, 0);
	assert_int_equal(store_record_get(p->st, gid, 2, &out, got), 0);
	assert_int_equal(out.len, 3);
	assert_memory_equal(out.data, "\0x\n", 3);
	assert_memory_equal(got, db_hash_of(h, 12), HASH_LEN);
	buf_reset(&out);
	assert_int_equal(
	    store_record_find_oid(p->st, gid, db_hash_of(h, 11), &out, &seq),
	    0);
	assert_int_equal(seq, 1);
	assert_string_equal(buf_str(&out), "{\"line\":11}");
	assert_int_equal(store_record_hash(p->st, gid, 0, got), 0);
	assert_memory_equal(got, db_hash_of(h, 10), HASH_LEN);
	assert_int_equal(
	    store_record_find_nonce(p->st, gid, 1, db_hash_of(h, 10)), 0);
	assert_int_equal(
	    store_record_find_nonce(p->st, gid, 2, db_hash_of(h, 10)),
	    ERR_NOTFOUND);
	assert_int_equal(
	    store_record_find_nonce(p->st, gid + 1, 1, db_hash_of(h, 10)),
	    ERR_NOTFOUND);
	assert_int_equal(
	    store_record_find_oid(p->st, gid, db_hash_of(h, 12), &out, &seq),
	    ERR_NOTFOUND);
	assert_int_equal(
	    store_record_get(p->st, gid, 3, &out, got), ERR_NOTFOUND);
	assert_int_equal(store_record_hash(p->st, gid, -1, got), ERR_NOTFOUND);
	buf_clear(&out);
}

static void
no_line_order_nonce_or_roll_is_there_twice(void **state)
{
	struct db *p = *state;
	struct store_line line;
	uint8_t hash[HASH_LEN], nonce[HASH_LEN];
	int64_t gid, other;

	gid = db_add_game(p->st, 1, "play", 5);
	other = db_add_game(p->st, 2, "play", 5);
	assert_int_equal(db_add_line(p->st, gid, 0, 10, "c/1/a/1/1"), 0);
	/* The same in another game is another thing. */
	assert_int_equal(db_add_line(p->st, other, 0, 10, "c/1/a/1/1"), 0);
	assert_int_equal(db_add_line(p->st, gid, 0, 11, NULL), ERR_EXISTS);
	assert_int_equal(
	    db_add_line(p->st, gid, 1, 11, "c/1/a/1/1"), ERR_EXISTS);
	assert_int_equal(db_add_line(p->st, gid, 1, 10, NULL), ERR_EXISTS);
	line = (struct store_line){.gid = gid,
	    .seq = 1,
	    .bytes = "x",
	    .len = 1,
	    .seat = 1,
	    .nonce = db_hash_of(nonce, 10),
	    .oid = db_hash_of(hash, 55)};
	assert_int_equal(store_record_insert(p->st, &line), ERR_EXISTS);
	line.seat = 2;
	assert_int_equal(store_record_insert(p->st, &line), 0);
	/* Lines that draw nothing have no place to share. */
	assert_int_equal(db_add_line(p->st, gid, 2, 12, NULL), 0);
	assert_int_equal(db_add_line(p->st, gid, 3, 13, NULL), 0);
	/* No line without its game. */
	assert_int_equal(db_add_line(p->st, 99, 0, 14, NULL), ERR_STORAGE);
	assert_non_null(strstr(store_reason(p->st), "FOREIGN KEY"));
	assert_int_equal(db_ask(p->st, "SELECT count(*) FROM record"), 5);
}

/* Lines that record_each gave, and where it should stop. */
struct seen {
	int64_t seqs[64];
	size_t n;
	int64_t stop_at;
};

static int
see_line(void *arg, int64_t seq, const char *bytes, size_t len)
{
	struct seen *seen = arg;

	assert_true(len > 2);
	assert_int_equal(bytes[0], '{');
	seen->seqs[seen->n++] = seq;
	return (seq == seen->stop_at ? ERR_BUSY : 0);
}

static void
lines_come_in_order_by_range_and_stop_when_told(void **state)
{
	struct db *p = *state;
	struct seen seen;
	int64_t gid;
	int i;

	gid = db_add_game(p->st, 1, "play", 5);
	for (i = 9; i >= 0; i--)
		assert_int_equal(db_add_line(p->st, gid, i, i, NULL), 0);
	seen = (struct seen){.stop_at = -1};
	assert_int_equal(
	    store_record_each(p->st, gid, 3, 5, see_line, &seen), 0);
	assert_int_equal(seen.n, 3);
	assert_int_equal(seen.seqs[0], 3);
	assert_int_equal(seen.seqs[2], 5);
	seen = (struct seen){.stop_at = 4};
	assert_int_equal(
	    store_record_each(p->st, gid, 0, INT64_MAX, see_line, &seen),
	    ERR_BUSY);
	assert_int_equal(seen.n, 5);
	seen = (struct seen){.stop_at = -1};
	assert_int_equal(
	    store_record_each(p->st, gid, 5, 4, see_line, &seen), 0);
	assert_int_equal(
	    store_record_each(p->st, gid, 10, 90, see_line, &seen), 0);
	assert_int_equal(seen.n, 0);
}

/* Appends what store_side_each() gives as one line a row. */
static int
see_side(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
    const uint8_t *salt, const char *value, size_t len)
{
	struct buf *out = arg;

	assert_true(is_blob == (salt == NULL));
	buf_printf(out, "%s %d %.*s\n", is_blob ? "blob" : "text", hash[1],
	    (int)len, value);
	return (0);
}

static void
side_lines_are_sorted_once_and_those_of_the_range(void **state)
{
	struct db *p = *state;
	uint8_t h[HASH_LEN], salt[HASH_LEN];
	struct buf out;
	int64_t gid, other;
	int i, side;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	gid = db_add_game(p->st, 1, "play", 5);
	other = db_add_game(p->st, 2, "play", 5);
	for (i = 0; i < 4; i++)
		assert_int_equal(db_add_line(p->st, gid, i, i, NULL), 0);
	db_hash_of(salt, 77);
	assert_int_equal(store_text_insert(p->st, gid, db_hash_of(h, 30), salt,
			     "thirty", 6, 0),
	    0);
	assert_int_equal(
	    store_text_insert(p->st, gid, db_hash_of(h, 20), salt, "", 0, 0),
	    0);
	assert_int_equal(store_text_insert(p->st, gid, db_hash_of(h, 20), salt,
			     "again", 5, 0),
	    0);
	assert_int_equal(store_text_insert(p->st, other, db_hash_of(h, 10),
			     salt, "elsewhere", 9, 0),
	    0);
	assert_int_equal(
	    store_text_find(p->st, gid, db_hash_of(h, 20), &side), 0);
	assert_int_equal(store_text_find(p->st, gid, db_hash_of(h, 10), &side),
	    ERR_NOTFOUND);
	assert_int_equal(
	    store_blob_insert(p->st, db_hash_of(h, 9), "{9}", 3, "ann", 1), 0);
	assert_int_equal(
	    store_blob_insert(p->st, db_hash_of(h, 8), "{8}", 3, "ann", 1), 0);
	assert_int_equal(
	    store_side_name(p->st, gid, 0, true, db_hash_of(h, 9)), 0);
	assert_int_equal(
	    store_side_name(p->st, gid, 0, true, db_hash_of(h, 8)), 0);
	assert_int_equal(
	    store_side_name(p->st, gid, 2, true, db_hash_of(h, 9)), 0);
	assert_int_equal(
	    store_side_name(p->st, gid, 1, false, db_hash_of(h, 30)), 0);
	assert_int_equal(
	    store_side_name(p->st, gid, 1, false, db_hash_of(h, 30)), 0);
	assert_int_equal(
	    store_side_name(p->st, gid, 3, false, db_hash_of(h, 30)), 0);
	assert_int_equal(
	    store_side_name(p->st, gid, 3, false, db_hash_of(h, 20)), 0);
	/* Of an erased text only the name is left. */
	assert_int_equal(
	    store_side_name(p->st, gid, 3, false, db_hash_of(h, 40)), 0);
	/* A name needs its line, and a blob must be there. */
	assert_int_equal(
	    store_side_name(p->st, gid, 4, false, db_hash_of(h, 20)),
	    ERR_STORAGE);
	assert_int_equal(store_side_name(p->st, gid, 3, true, db_hash_of(h, 1)),
	    ERR_STORAGE);
	buf_init(&out, 0);
	assert_int_equal(
	    store_side_each(p->st, gid, 0, 3, STORE_SIDE_NONE, see_side, &out),
	    0);
	assert_string_equal(buf_str(&out),
	    "text 20 \ntext 30 thirty\nblob 8 {8}\nblob 9 {9}\n");
	buf_reset(&out);
	assert_int_equal(
	    store_side_each(p->st, gid, 1, 2, STORE_SIDE_NONE, see_side, &out),
	    0);
	assert_string_equal(buf_str(&out), "text 30 thirty\nblob 9 {9}\n");
	buf_reset(&out);
	assert_int_equal(store_side_each(p->st, other, 0, 9, STORE_SIDE_NONE,
			     see_side, &out),
	    0);
	assert_string_equal(buf_str(&out), "");
	buf_clear(&out);
}

/* Notes the number and the ref of a text that is not there. */
static int
see_gone(void *arg, int64_t n, const uint8_t ref[HASH_LEN])
{
	buf_printf(arg, "%lld:%d ", (long long)n, ref[1]);
	return (0);
}

/* What is lost of a game to who may read sides, after number `from`. */
static void
lost_is(
    struct db *p, int64_t gid, unsigned sides, int64_t from, const char *wanted)
{
	struct buf out;

	buf_init(&out, 0);
	assert_int_equal(
	    store_text_lost(p->st, gid, 9, sides, from, 9, see_gone, &out), 0);
	assert_string_equal(buf_str(&out), wanted);
	buf_clear(&out);
}

static void
a_text_is_lost_until_it_is_there_or_was_erased(void **state)
{
	struct db *p = *state;
	uint8_t h[HASH_LEN], salt[32];
	int64_t gid, n;
	int i, side;

	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	gid = db_add_game(p->st, 1, "play", 5);
	db_hash_of(salt, 77);
	for (i = 0; i < 4; i++) {
		assert_int_equal(db_add_line(p->st, gid, i, i, NULL), 0);
		assert_int_equal(store_side_name(p->st, gid, i, false,
				     db_hash_of(h, 10 + i)),
		    0);
	}
	lost_is(p, gid, STORE_SIDE_ALL, 0, "");
	assert_int_equal(
	    store_text_lost_last(p->st, gid, 9, STORE_SIDE_ALL, &n),
	    ERR_NOTFOUND);
	for (i = 3; i >= 0; i--)
		assert_int_equal(
		    store_text_lose(p->st, gid, db_hash_of(h, 10 + i), i == 2),
		    0);
	assert_int_equal(store_text_lose(p->st, gid, db_hash_of(h, 13), 0), 0);
	lost_is(p, gid, STORE_SIDE_ALL, 0, "1:13 2:12 3:11 4:10 ");
	lost_is(p, gid, STORE_SIDE_ALL, 2, "3:11 4:10 ");
	lost_is(p, gid, STORE_SIDE_NONE, 0, "1:13 3:11 4:10 ");
	assert_int_equal(
	    store_text_lost_last(p->st, gid, 2, STORE_SIDE_ALL, &n), 0);
	assert_int_equal(n, 4);
	/* It came back. */
	assert_int_equal(store_text_insert(
			     p->st, gid, db_hash_of(h, 10), salt, "back", 4, 0),
	    0);
	lost_is(p, gid, STORE_SIDE_ALL, 0, "1:13 2:12 3:11 ");
	/* One that is lost is erased. */
	assert_int_equal(
	    store_text_lost_side(p->st, gid, db_hash_of(h, 12), &side), 0);
	assert_int_equal(side, 1);
	assert_int_equal(store_text_erase(p->st, gid, h, "ann"), 0);
	assert_int_equal(store_text_is_erased(p->st, gid, h), 0);
	assert_int_equal(
	    store_text_lost_side(p->st, gid, h, &side), ERR_NOTFOUND);
	assert_int_equal(
	    store_text_insert(p->st, gid, h, salt, "late", 4, 0), 0);
	assert_int_equal(store_text_find(p->st, gid, h, &side), ERR_NOTFOUND);
	db_hash_of(h, 10);
	/* It was erased, and is so for good. */
	assert_int_equal(store_text_erase(p->st, gid, h, "ann"), 0);
	assert_int_equal(store_text_lose(p->st, gid, h, 0), 0);
	lost_is(p, gid, STORE_SIDE_ALL, 2, "3:11 ");
	/* Two were erased, the first of them for side 1 in line 2. */
	assert_int_equal(
	    store_text_erased_last(p->st, gid, 9, STORE_SIDE_ALL, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(
	    store_text_erased_last(p->st, gid, 0, STORE_SIDE_ALL, &n), 0);
	assert_int_equal(n, 2);
	assert_int_equal(
	    store_text_erased_last(p->st, gid + 1, 9, STORE_SIDE_ALL, &n), 0);
	assert_int_equal(n, 0);
	assert_int_equal(
	    store_text_lost_last(p->st, gid, 1, STORE_SIDE_ALL, &n), 0);
	assert_int_equal(n, 3);
}

static void
a_game_is_found_with_its_snapshot(void **state)
{
	struct db *p = *state;
	struct store_game_row row;
	uint8_t id[HASH_LEN], head[HASH_LEN];
	bool fits;
	struct buf out;
	int64_t gid;

	buf_init(&out, 0);
	assert_int_equal(store_game_insert(p->st, db_hash_of(id, 1), "lasalle2",
			     "", "ann", 9, &gid),
	    0);
	assert_int_equal(store_game_insert(p->st, db_hash_of(id, 1), "lasalle2",
			     "", "ann", 9, &gid),
	    ERR_EXISTS);
	assert_int_equal(store_game_find(p->st, id, &row), 0);
	assert_int_equal(row.seq, -1);
	assert_int_equal(store_game_load(p->st, id, &row, &out, &fits), 0);
	assert_false(fits);
	row = (struct store_game_row){.gid = gid,
	    .phase = "play",
	    .accounts = {"ann", "bob"},
	    .seq = 7,
	    .at_ms = 1815,
	    .turn = 3};
	assert_int_equal(db_add_line(p->st, gid, 7, 41, NULL), 0);
	db_hash_of(head, 41);
	assert_int_equal(store_game_update(p->st, &row, head, "old", 3), 0);
	assert_int_equal(
	    store_game_update(p->st, &row, head, "{\"s\":1}", 7), 0);
	memset(&row, 'x', sizeof(row));
	assert_int_equal(store_game_load(p->st, id, &row, &out, &fits), 0);
	assert_true(fits);
	assert_string_equal(buf_str(&out), "{\"s\":1}");
	assert_int_equal(row.gid, gid);
	assert_memory_equal(row.id, id, HASH_LEN);
	assert_string_equal(row.accounts[0], "ann");
	assert_string_equal(row.accounts[1], "bob");
	assert_string_equal(row.event, "");
	assert_int_equal(row.seq, 7);
	assert_int_equal(row.at_ms, 1815);
	assert_int_equal(row.turn, 3);
	assert_int_equal(
	    store_game_find(p->st, db_hash_of(id, 2), &row), ERR_NOTFOUND);
	row.gid = 99;
	assert_int_equal(
	    store_game_update(p->st, &row, row.id, "{}", 2), ERR_NOTFOUND);
	buf_clear(&out);
}

static void
a_savepoint_undoes_only_itself(void **state)
{
	struct db *p = *state;

	assert_false(store_is_open_transaction(p->st));
	store_rollback(p->st);
	assert_int_equal(store_begin(p->st), 0);
	assert_true(store_is_open_transaction(p->st));
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(db_add_account(p->st, "ann", 1), 0);
	assert_int_equal(store_release(p->st), 0);
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(db_add_account(p->st, "bob", 2), 0);
	assert_int_equal(store_rollback_savepoint(p->st), 0);
	assert_int_equal(store_savepoint(p->st), 0);
	assert_int_equal(db_add_account(p->st, "cat", 3), 0);
	assert_int_equal(store_release(p->st), 0);
	assert_int_equal(store_commit(p->st), 0);
	assert_int_equal(store_account_find(p->st, "ann"), 0);
	assert_int_equal(store_account_find(p->st, "bob"), ERR_NOTFOUND);
	assert_int_equal(store_account_find(p->st, "cat"), 0);
	assert_int_equal(store_begin(p->st), 0);
	assert_int_equal(db_add_account(p->st, "dan", 4), 0);
	store_rollback(p->st);
	assert_false(store_is_open_transaction(p->st));
	assert_int_equal(store_account_find(p->st, "dan"), ERR_NOTFOUND);
}

int
main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, db_setup, db_teardown)
	const struct CMUnitTest tests[] = {
	    CASE(a_new_database_has_the_settings_that_must_hold),
	    CASE(an_empty_or_missing_file_is_only_made_when_asked),
	    CASE(what_is_not_ours_or_newer_is_refused_and_left_alone),
	    CASE(a_second_writer_is_refused_under_any_name),
	    CASE(a_second_writer_is_refused_without_the_lock_file_too),
	    CASE(the_lock_of_a_writer_leaves_sqlite_its_own),
	    CASE(a_link_in_the_place_of_the_lock_is_not_followed),
	    CASE(a_reader_sees_what_is_committed_and_cannot_write),
	    CASE(a_reader_that_is_closed_last_leaves_the_wal_alone),
	    CASE(names_keys_and_invites_serve_once),
	    CASE(a_blob_is_kept_once_and_charged_once),
	    CASE(a_line_is_kept_as_its_bytes_and_found_every_way),
	    CASE(no_line_order_nonce_or_roll_is_there_twice),
	    CASE(lines_come_in_order_by_range_and_stop_when_told),
	    CASE(side_lines_are_sorted_once_and_those_of_the_range),
	    CASE(a_text_is_lost_until_it_is_there_or_was_erased),
	    CASE(a_game_is_found_with_its_snapshot),
	    CASE(a_savepoint_undoes_only_itself),
	};
#undef CASE

	faulty_install();
	return (cmocka_run_group_tests(tests, NULL, NULL));
}
