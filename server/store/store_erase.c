/* SPDX-License-Identifier: ISC */
/*
 * Texts that are not there any more: erased (record S9), or lost.  The row
 * stays and says that there was one, in less room than before: a row that goes
 * would have SQLite move those beside it, which can leave their bytes where
 * they were.  secure_delete has what is given up overwritten, and the
 * write-ahead log is emptied after that.
 */
#include <string.h>

#include "common/base/hex.h"
#include "server/store/store.h"
#include "server/store/store_int.h"

int
store_text_author(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN],
    int64_t *seq, char account[ORDER_ACCOUNT_MAX + 1])
{
	uint8_t key[SIGN_KEY_LEN];
	struct store_query q;
	const char *hex;
	int r;

	store_query(&q, st, STORE_TEXT_AUTHOR,
	    "SELECT l.seq, json_extract(CAST(r.line AS TEXT), '$.key')"
	    " FROM line_text AS l JOIN record AS r"
	    " ON r.game = l.game AND r.seq = l.seq"
	    " WHERE l.game = ? AND l.ref = ? ORDER BY l.seq LIMIT 1",
	    STORE_VALUES(store_int(gid), store_blob(ref, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*seq = sqlite3_column_int64(q.s, 0);
	hex = (const char *)sqlite3_column_text(q.s, 1);
	account[0] = '\0';
	if (hex != NULL && hex_parse(key, sizeof(key), hex, strlen(hex)) != 0)
		r = ERR_STORAGE;
	if (r == 0 && hex != NULL)
		r = store_account_of_key(st, key, account);
	store_query_end(&q);
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_text_erase(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN],
    const char *account)
{
	const struct store_value *which =
	    STORE_VALUES(store_int(gid), store_blob(ref, HASH_LEN));
	int r;

	/* A name is that of the account as well, if it has no other now. */
	r = store_run(st, STORE_TEXT_ERASE_NAME,
	    "UPDATE account SET display = '' WHERE name = ?3"
	    " AND CAST(display AS BLOB) = (SELECT value FROM text"
	    " WHERE game = ?1 AND ref = ?2 AND erased IS NULL)",
	    STORE_VALUES(store_int(gid), store_blob(ref, HASH_LEN),
		store_text(account)));
	if (r != 0)
		return (r);
	/* One that was lost must not come back. */
	r = store_run(st, STORE_TEXT_ERASE_LOST,
	    "INSERT INTO text (game, ref, salt, value, side)"
	    " SELECT ?1, ?2, zeroblob(32), x'', side FROM lost_text"
	    " WHERE game = ?1 AND ref = ?2 ON CONFLICT (game, ref) DO NOTHING",
	    which);
	if (r != 0)
		return (r);
	return (store_run(st, STORE_TEXT_ERASE,
	    "UPDATE text SET salt = zeroblob(32), value = x'', erased ="
	    " (SELECT coalesce(max(erased), 0) + 1 FROM text"
	    " WHERE game = ?1 AND erased IS NOT NULL)"
	    " WHERE game = ?1 AND ref = ?2 AND erased IS NULL",
	    which));
}

int
store_text_is_erased(struct store *st, int64_t gid, const uint8_t ref[HASH_LEN])
{
	return (store_has(st, STORE_TEXT_IS_ERASED,
	    "SELECT 1 FROM text WHERE game = ? AND ref = ?"
	    " AND erased IS NOT NULL",
	    STORE_VALUES(store_int(gid), store_blob(ref, HASH_LEN))));
}

/* Texts of game 1 that were erased and that sides 2 may read, up to line 3. */
#define STORE_TEXT_ERASED_WHERE                                       \
	" FROM text AS t WHERE game = ?1"                             \
	" AND erased IS NOT NULL AND ((1 << side) & ?2) <> 0"         \
	" AND EXISTS (SELECT 1 FROM line_text AS l WHERE l.game = ?1" \
	" AND l.ref = t.ref AND l.seq <= ?3)"

int
store_text_erased(struct store *st, int64_t gid, int64_t last, unsigned sides,
    int64_t from, int most,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_TEXT_ERASED,
	    "SELECT erased, ref" STORE_TEXT_ERASED_WHERE
	    " AND erased > ?4 ORDER BY erased LIMIT ?5",
	    STORE_VALUES(store_int(gid), store_int(sides), store_int(last),
		store_int(from), store_int(most)));
	return (store_query_refs(&q, each, arg));
}

int
store_text_erased_last(
    struct store *st, int64_t gid, int64_t last, unsigned sides, int64_t *n)
{
	return (store_number(st, STORE_TEXT_ERASED_LAST,
	    "SELECT coalesce((SELECT erased" STORE_TEXT_ERASED_WHERE
	    " ORDER BY erased DESC LIMIT 1), 0)",
	    STORE_VALUES(store_int(gid), store_int(sides), store_int(last)),
	    n));
}

int
store_text_lose(
    struct store *st, int64_t gid, const uint8_t ref[HASH_LEN], int side)
{
	return (store_run(st, STORE_TEXT_LOSE,
	    "INSERT INTO lost_text (game, ref, side) SELECT ?1, ?2, ?3"
	    " WHERE NOT EXISTS (SELECT 1 FROM text"
	    " WHERE game = ?1 AND ref = ?2)"
	    " ON CONFLICT (game, ref) DO NOTHING",
	    STORE_VALUES(
		store_int(gid), store_blob(ref, HASH_LEN), store_int(side))));
}

/* Texts of game 1 that were lost and that sides 2 may read, in lines up to 3.
 */
#define STORE_TEXT_LOST_WHERE                                         \
	" FROM lost_text AS t WHERE game = ?1"                        \
	" AND ((1 << side) & ?2) <> 0"                                \
	" AND EXISTS (SELECT 1 FROM line_text AS l WHERE l.game = ?1" \
	" AND l.ref = t.ref AND l.seq <= ?3)"                         \
	" AND NOT EXISTS (SELECT 1 FROM text AS h WHERE h.game = ?1"  \
	" AND h.ref = t.ref)"

int
store_text_lost(struct store *st, int64_t gid, int64_t last, unsigned sides,
    int64_t from, int most,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_TEXT_LOST,
	    "SELECT n, ref" STORE_TEXT_LOST_WHERE
	    " AND n > ?4 ORDER BY n LIMIT ?5",
	    STORE_VALUES(store_int(gid), store_int(sides), store_int(last),
		store_int(from), store_int(most)));
	return (store_query_refs(&q, each, arg));
}

int
store_text_lost_side(
    struct store *st, int64_t gid, const uint8_t ref[HASH_LEN], int *side)
{
	int64_t n;
	int r;

	r = store_number(st, STORE_TEXT_LOST_SIDE,
	    "SELECT side FROM lost_text AS t WHERE game = ?1 AND ref = ?2"
	    " AND NOT EXISTS (SELECT 1 FROM text AS h WHERE h.game = ?1"
	    " AND h.ref = t.ref)",
	    STORE_VALUES(store_int(gid), store_blob(ref, HASH_LEN)), &n);
	if (r == 0)
		*side = (int)n;
	return (r);
}

int
store_text_lost_last(
    struct store *st, int64_t gid, int64_t last, unsigned sides, int64_t *n)
{
	return (store_number(st, STORE_TEXT_LOST_LAST,
	    "SELECT n" STORE_TEXT_LOST_WHERE " ORDER BY n DESC LIMIT 1",
	    STORE_VALUES(store_int(gid), store_int(sides), store_int(last)),
	    n));
}

int
store_wipe(struct store *st)
{
	int rc;

	rc = sqlite3_wal_checkpoint_v2(
	    st->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	if (rc == SQLITE_OK)
		st->wal_pages = st->wal_waited = 0;
	if ((rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED)
		return (ERR_BUSY);
	return (rc == SQLITE_OK ? 0 : store_fail(st, rc));
}
