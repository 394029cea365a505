/* SPDX-License-Identifier: ISC */
/*
 * A store in a folder of its own for each test, rows to put into it, and
 * faults that the test sets.  One program includes this once and calls
 * faults_install(&ops) first.
 */
#ifndef UMPIRE_TESTS_LIB_DB_H
#define UMPIRE_TESTS_LIB_DB_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "server/store/store_int.h"
#include "tests/faults.h"

/* A folder of its own for each test, and a store in it. */
struct db {
	char dir[64];
	char path[128];
	struct store *st;
};

static atomic_long alloc_left = -1; /* allocations that succeed; -1: all */
static atomic_bool alloc_sticks; /* all after a failure fail too */
static atomic_long alloc_failures; /* so far */
static atomic_bool disk_is_full;
static atomic_int sync_rc; /* what each fsync of a WAL returns */
static atomic_int wal_syncs;

static bool
alloc_fails(void)
{
	long left;

	left = atomic_load(&alloc_left);
	if (left == -1)
		return (false);
	if (left > 0) {
		atomic_store(&alloc_left, left - 1);
		return (false);
	}
	atomic_fetch_add(&alloc_failures, 1);
	if (!atomic_load(&alloc_sticks))
		atomic_store(&alloc_left, -1);
	return (true);
}

static int
write_fails(bool is_wal)
{
	(void)is_wal;
	return (atomic_load(&disk_is_full) ? SQLITE_FULL : 0);
}

static int
sync_fails(bool is_wal)
{
	if (!is_wal)
		return (0);
	atomic_fetch_add(&wal_syncs, 1);
	return (atomic_load(&sync_rc));
}

static const struct faults_ops ops = {alloc_fails, write_fails, sync_fails};

/* Fills 32 bytes that are told apart by n. */
static const uint8_t *
hash_of(uint8_t out[HASH_LEN], int n)
{
	memset(out, 0, HASH_LEN);
	out[0] = (uint8_t)(n >> 8);
	out[1] = (uint8_t)n;
	out[31] = 0x5a;
	return (out);
}

static int
setup(void **state)
{
	const char *tmp;
	struct db *p;
	struct errinfo e;

	p = calloc(1, sizeof(*p));
	if (p == NULL)
		return (-1);
	tmp = getenv("TMPDIR");
	snprintf(p->dir, sizeof(p->dir), "%.40s/store.XXXXXX",
	    tmp != NULL && strlen(tmp) < 40 ? tmp : "/tmp");
	if (mkdtemp(p->dir) == NULL)
		return (-1);
	snprintf(p->path, sizeof(p->path), "%s/u.db", p->dir);
	if (store_open_writer(p->path, true, &p->st, &e) != 0) {
		print_error("%s\n", e.text);
		return (-1);
	}
	*state = p;
	return (0);
}

static int
teardown(void **state)
{
	static const char *const names[] = {"u.db", "u.db-wal", "u.db-shm",
	    "u.db.lock", "other.db", "link.db", "other.db.lock", "other.db-wal",
	    "other.db-shm"};
	struct db *p = *state;
	char path[128];
	size_t i;

	atomic_store(&alloc_left, -1);
	atomic_store(&disk_is_full, false);
	atomic_store(&sync_rc, 0);
	store_close(p->st);
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", p->dir, names[i]);
		(void)unlink(path);
	}
	if (rmdir(p->dir) != 0) {
		print_error("files are left in %s\n", p->dir);
		return (-1);
	}
	free(p);
	return (0);
}

/* One number that SQL gives. */
static inline int64_t
ask(struct store *st, const char *sql)
{
	sqlite3_stmt *s;
	int64_t v;

	assert_int_equal(
	    sqlite3_prepare_v2(st->db, sql, -1, &s, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	v = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return (v);
}

/* Makes an account whose key is told apart by n. */
static int
db_add_account(struct store *st, const char *name, int n)
{
	uint8_t key[SIGN_KEY_LEN];

	return (store_account_insert(
	    st, name, "A Person", hash_of(key, n), NULL, 1000));
}

/* Makes a game and gives its number. */
static int64_t
db_add_game(struct store *st, int n, const char *phase, int64_t at_ms)
{
	struct store_game_row row;
	uint8_t id[HASH_LEN];
	int64_t gid;

	assert_int_equal(store_game_insert(st, hash_of(id, n), "lasalle2",
			     "Cup", "ann", at_ms, &gid),
	    0);
	memset(&row, 0, sizeof(row));
	row.gid = gid;
	snprintf(row.phase, sizeof(row.phase), "%s", phase);
	row.at_ms = at_ms;
	row.turn = 2;
	assert_int_equal(store_game_update(st, &row, row.id, "{}", 2), 0);
	return (gid);
}

/* A line with all that an order has, told apart by n. */
static inline int
add_line(struct store *st, int64_t gid, int64_t seq, int n, const char *place)
{
	uint8_t oid[HASH_LEN], nonce[HASH_LEN], pool[HASH_LEN];
	struct store_line line;
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "{\"line\":%d}", n);
	line = (struct store_line){.gid = gid,
	    .seq = seq,
	    .bytes = bytes,
	    .len = strlen(bytes),
	    .oid = hash_of(oid, n),
	    .seat = 1,
	    .nonce = hash_of(nonce, n),
	    .pool = hash_of(pool, 7),
	    .place = place};
	hash_of(line.hash, n);
	return (store_record_insert(st, &line));
}

#endif
