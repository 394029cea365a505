/* SPDX-License-Identifier: ISC */
/*
 * Blobs, texts, and which line names which of them (record S9).  The caller
 * checks hashes; a hash that is stored already keeps its bytes.
 */
#include "server/store/store.h"

#include "common/base/buf.h"
#include "server/store/store_int.h"

int
store_blob_find(struct store *st, const uint8_t hash[HASH_LEN])
{
	return (
	    store_has(st, STORE_BLOB_FIND, "SELECT 1 FROM blob WHERE hash = ?",
		STORE_VALUES(store_blob(hash, HASH_LEN))));
}

/* Notes that an account has put a blob. */
static int
store_blob_put(
    struct store *st, const uint8_t hash[HASH_LEN], const char *account)
{
	return (store_run(st, STORE_BLOB_PUT,
	    "INSERT INTO blob_put (hash, account)"
	    " SELECT ?, id FROM account WHERE name = ?"
	    " ON CONFLICT (hash, account) DO NOTHING",
	    STORE_VALUES(store_blob(hash, HASH_LEN), store_text(account))));
}

int
store_blob_insert(struct store *st, const uint8_t hash[HASH_LEN],
    const char *bytes, size_t len, const char *account, int64_t at_ms)
{
	int r;

	if ((r = store_blob_find(st, hash)) == 0)
		return (store_blob_put(st, hash, account));
	if (r != ERR_NOTFOUND)
		return (r);
	r = store_run(st, STORE_BLOB_CHARGE,
	    "UPDATE account SET blob_bytes = blob_bytes + ? WHERE name = ?",
	    STORE_VALUES(store_int((int64_t)len), store_text(account)));
	if (r != 0)
		return (r);
	if (sqlite3_changes(st->db) == 0)
		return (ERR_NOTFOUND);
	r = store_run(st, STORE_BLOB_INSERT,
	    "INSERT INTO blob (hash, bytes, at_ms, account) VALUES"
	    " (?, ?, ?, (SELECT id FROM account WHERE name = ?))",
	    STORE_VALUES(store_blob(hash, HASH_LEN), store_blob(bytes, len),
		store_int(at_ms), store_text(account)));
	if (r != 0)
		return (r);
	return (store_blob_put(st, hash, account));
}

int
store_blob_was_put(
    struct store *st, const uint8_t hash[HASH_LEN], const char *account)
{
	return (store_has(st, STORE_BLOB_WAS_PUT,
	    "SELECT 1 FROM blob_put WHERE hash = ? AND account ="
	    " (SELECT id FROM account WHERE name = ?)",
	    STORE_VALUES(store_blob(hash, HASH_LEN), store_text(account))));
}

int
store_blob_is_named(struct store *st, const uint8_t hash[HASH_LEN])
{
	return (store_has(st, STORE_BLOB_IS_NAMED,
	    "SELECT 1 FROM line_blob WHERE hash = ?1 UNION ALL"
	    " SELECT 1 FROM tournament_line_blob WHERE hash = ?1 LIMIT 1",
	    STORE_VALUES(store_blob(hash, HASH_LEN))));
}

int
store_blob_is_public(struct store *st, const uint8_t hash[HASH_LEN])
{
	return (store_has(st, STORE_BLOB_IS_PUBLIC,
	    "SELECT 1 FROM blob_public WHERE hash = ?",
	    STORE_VALUES(store_blob(hash, HASH_LEN))));
}

int
store_blob_get(struct store *st, const uint8_t hash[HASH_LEN], struct buf *out)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_BLOB_GET,
	    "SELECT bytes FROM blob WHERE hash = ?",
	    STORE_VALUES(store_blob(hash, HASH_LEN)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_append(&q, 0, out);
	store_query_end(&q);
	return (r);
}

int
store_blob_used(struct store *st, const char *account, int64_t *bytes)
{
	return (store_number(st, STORE_BLOB_USED,
	    "SELECT blob_bytes FROM account WHERE name = ?",
	    STORE_VALUES(store_text(account)), bytes));
}

int
store_text_insert(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN],
    const uint8_t salt[32], const char *text, size_t len, int side)
{
	/* A text may be empty, which is not the same as NULL. */
	return (store_run(st, STORE_TEXT_INSERT,
	    "INSERT INTO text (game, ref, salt, value, side)"
	    " VALUES (?, ?, ?, ?, ?) ON CONFLICT (game, ref) DO NOTHING",
	    STORE_VALUES(store_int(gid), store_blob(ref, HASH_LEN),
		store_blob(salt, 32), store_blob(len == 0 ? "" : text, len),
		store_int(side))));
}

int
store_text_share(
    struct store *st, int64_t gid, const uint8_t ref[HASH_LEN], int side)
{
	return (store_run(st, STORE_TEXT_SHARE,
	    "UPDATE text SET side = 0"
	    " WHERE game = ? AND ref = ? AND side <> ?",
	    STORE_VALUES(
		store_int(gid), store_blob(ref, HASH_LEN), store_int(side))));
}

int
store_text_find(
    struct store *st, int64_t gid, const uint8_t ref[HASH_LEN], int *side)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_TEXT_FIND,
	    "SELECT side FROM text WHERE game = ? AND ref = ?"
	    " AND erased IS NULL",
	    STORE_VALUES(store_int(gid), store_blob(ref, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*side = sqlite3_column_int(q.s, 0);
	store_query_end(&q);
	return (0);
}

int
store_text_each(struct store *st, int64_t gid,
    int (*each)(void *arg, const uint8_t ref[HASH_LEN], int side), void *arg)
{
	uint8_t ref[HASH_LEN];
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_TEXT_EACH,
	    "SELECT ref, side FROM text WHERE game = ? ORDER BY ref",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r)) {
		r = store_query_bytes(&q, 0, ref, sizeof(ref));
		if (r == 0)
			r = each(arg, ref, sqlite3_column_int(q.s, 1));
	}
	return (r);
}

int
store_side_name(struct store *st, int64_t gid, int64_t seq, bool is_blob,
    const uint8_t hash[HASH_LEN])
{
	const struct store_value *names = STORE_VALUES(
	    store_int(gid), store_int(seq), store_blob(hash, HASH_LEN));
	int r;

	if (!is_blob)
		return (store_run(st, STORE_SIDE_NAME_TEXT,
		    "INSERT INTO line_text (game, seq, ref) VALUES (?, ?, ?)"
		    " ON CONFLICT (game, seq, ref) DO NOTHING",
		    names));
	r = store_run(st, STORE_SIDE_NAME_BLOB,
	    "INSERT INTO line_blob (game, seq, hash) VALUES (?, ?, ?)"
	    " ON CONFLICT (game, seq, hash) DO NOTHING",
	    names);
	if (r != 0)
		return (r);
	/* It is public if the game is not private. */
	return (store_run(st, STORE_SIDE_NAME_PUBLIC,
	    "INSERT INTO blob_public (hash) SELECT ?2 FROM game"
	    " WHERE gid = ?1 AND private = 0"
	    " ON CONFLICT (hash) DO NOTHING",
	    STORE_VALUES(store_int(gid), store_blob(hash, HASH_LEN))));
}

/* Gives one row of texts or blobs: hash, salt, value. */
static int
store_side_row(struct store_query *q, bool is_blob,
    int (*each)(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
	const uint8_t *salt, const char *value, size_t len),
    void *arg)
{
	uint8_t hash[HASH_LEN], salt[32];
	const void *value;
	int r;

	if ((r = store_query_bytes(q, 0, hash, sizeof(hash))) != 0)
		return (r);
	if (!is_blob && (r = store_query_bytes(q, 1, salt, sizeof(salt))) != 0)
		return (r);
	value = sqlite3_column_blob(q->s, 2);
	return (each(arg, is_blob, hash, is_blob ? NULL : salt,
	    value == NULL ? "" : value, (size_t)sqlite3_column_bytes(q->s, 2)));
}

int
store_side_each(struct store *st, int64_t gid, int64_t from, int64_t to,
    unsigned sides,
    int (*each)(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
	const uint8_t *salt, const char *value, size_t len),
    void *arg)
{
	struct store_query q;
	int is_blob, r = 0;

	for (is_blob = 0; is_blob <= 1; is_blob++) {
		if (is_blob)
			store_query(&q, st, STORE_SIDE_EACH_BLOB,
			    "SELECT hash, NULL, bytes FROM blob"
			    " WHERE hash IN (SELECT hash FROM line_blob"
			    " WHERE game = ? AND seq BETWEEN ? AND ?)"
			    " ORDER BY hash",
			    STORE_VALUES(store_int(gid), store_int(from),
				store_int(to)));
		else
			store_query(&q, st, STORE_SIDE_EACH_TEXT,
			    "SELECT ref, salt, value FROM text"
			    " WHERE game = ?1 AND ref IN (SELECT ref"
			    " FROM line_text WHERE game = ?1"
			    " AND seq BETWEEN ?2 AND ?3)"
			    " AND ((1 << side) & ?4) <> 0"
			    " AND erased IS NULL ORDER BY ref",
			    STORE_VALUES(store_int(gid), store_int(from),
				store_int(to), store_int(sides)));
		while (store_query_next(&q, &r))
			r = store_side_row(&q, is_blob, each, arg);
		if (r != 0)
			return (r);
	}
	return (0);
}
