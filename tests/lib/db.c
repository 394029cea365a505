/* SPDX-License-Identifier: ISC */
#include "tests/lib/db.h"

const uint8_t *
db_hash_of(uint8_t out[HASH_LEN], int n)
{
	memset(out, 0, HASH_LEN);
	out[0] = (uint8_t)(n >> 8);
	out[1] = (uint8_t)n;
	out[31] = 0x5a;
	return (out);
}

int
db_setup(void **state)
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

int
db_teardown(void **state)
{
	static const char *const names[] = {"u.db", "u.db-wal", "u.db-shm",
	    "u.db.lock", "other.db", "link.db", "other.db.lock", "other.db-wal",
	    "other.db-shm"};
	struct db *p = *state;
	char path[128];
	size_t i;

	faulty_clear();
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

int64_t
db_ask(struct store *st, const char *sql)
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

int
db_add_account(struct store *st, const char *name, int n)
{
	uint8_t key[SIGN_KEY_LEN];

	return (store_account_insert(
	    st, name, "A Person", db_hash_of(key, n), NULL, NULL, 1000));
}

int64_t
db_add_game(struct store *st, int n, const char *phase, int64_t at_ms)
{
	struct store_game_row row;
	uint8_t id[HASH_LEN];
	int64_t gid;

	assert_int_equal(store_game_insert(st, db_hash_of(id, n), "lasalle2",
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

int
db_add_line(
    struct store *st, int64_t gid, int64_t seq, int n, const char *place)
{
	uint8_t oid[HASH_LEN], nonce[HASH_LEN], pool[HASH_LEN];
	struct store_line line;
	char bytes[32];

	snprintf(bytes, sizeof(bytes), "{\"line\":%d}", n);
	line = (struct store_line){.gid = gid,
	    .seq = seq,
	    .bytes = bytes,
	    .len = strlen(bytes),
	    .oid = db_hash_of(oid, n),
	    .seat = 1,
	    .nonce = db_hash_of(nonce, n),
	    .pool = db_hash_of(pool, 7),
	    .place = place};
	db_hash_of(line.hash, n);
	return (store_record_insert(st, &line));
}

/* Takes a text that is not there. */
static int
db_drop_gone(void *arg, int64_t n, const uint8_t ref[HASH_LEN])
{
	(void)arg;
	(void)n;
	(void)ref;
	return (0);
}

int
db_use_gone(
    struct store *st, int64_t gid, int64_t seq, const uint8_t ref[HASH_LEN])
{
	int64_t n;
	int r, side;

	if ((r = store_text_erased(st, gid, seq, STORE_SIDE_ALL, 0, 9,
		 db_drop_gone, NULL)) != 0 ||
	    (r = store_text_erased_last(st, gid, seq, STORE_SIDE_ALL, &n)) !=
		0 ||
	    (r = store_text_lose(st, gid, ref, 0)) != 0 ||
	    (r = store_text_lost(
		 st, gid, seq, STORE_SIDE_ALL, 0, 9, db_drop_gone, NULL)) != 0)
		return (r);
	r = store_text_lost_last(st, gid, seq, STORE_SIDE_ALL, &n);
	if (r == 0 || r == ERR_NOTFOUND)
		r = store_text_lost_side(st, gid, ref, &side);
	return (r == ERR_NOTFOUND ? 0 : r);
}
