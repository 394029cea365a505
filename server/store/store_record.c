/* SPDX-License-Identifier: ISC */
/*
 * The lines.  Nothing here changes or deletes one; what keeps two lines from
 * being the same roll, order or number is the unique indexes.
 */
#include "server/store/store.h"

#include <stdio.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/record/order.h"
#include "server/store/store_int.h"

int
store_record_insert(struct store *st, const struct store_line *line)
{
	return (store_run(st, STORE_RECORD_INSERT,
	    "INSERT INTO record (game, seq, line, hash, oid, nonce, pool,"
	    " place, seat) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    STORE_VALUES(store_int(line->gid), store_int(line->seq),
		store_blob(line->bytes, line->len),
		store_blob(line->hash, HASH_LEN),
		store_blob(line->oid, HASH_LEN),
		store_blob(line->nonce, ORDER_NONCE_LEN),
		store_blob(line->place == NULL ? NULL : line->pool, HASH_LEN),
		store_text(line->place),
		store_opt(line->oid == NULL ? -1 : line->seat))));
}

int
store_record_get(struct store *st, int64_t gid, int64_t seq, struct buf *line,
    uint8_t hash[HASH_LEN])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_RECORD_GET,
	    "SELECT line, hash FROM record WHERE game = ? AND seq = ?",
	    STORE_VALUES(store_int(gid), store_int(seq)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_append(&q, 0, line);
	if (r == 0)
		r = store_query_bytes(&q, 1, hash, HASH_LEN);
	store_query_end(&q);
	return (r);
}

int
store_record_hash(
    struct store *st, int64_t gid, int64_t seq, uint8_t hash[HASH_LEN])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_RECORD_HASH,
	    "SELECT hash FROM record WHERE game = ? AND seq = ?",
	    STORE_VALUES(store_int(gid), store_int(seq)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_bytes(&q, 0, hash, HASH_LEN);
	store_query_end(&q);
	return (r);
}

int
store_record_last(
    struct store *st, int64_t gid, int64_t *seq, uint8_t hash[HASH_LEN])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_RECORD_LAST,
	    "SELECT seq, hash FROM record WHERE game = ?"
	    " ORDER BY seq DESC LIMIT 1",
	    STORE_VALUES(store_int(gid)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_bytes(&q, 1, hash, HASH_LEN);
	if (r == 0)
		*seq = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (r);
}

int
store_record_at(struct store *st, int64_t gid, int64_t seq, int64_t *at_ms)
{
	struct store_query q;
	const char *at;
	int r;

	store_query(&q, st, STORE_RECORD_AT,
	    "SELECT json_extract(CAST(line AS TEXT), '$.at') FROM record"
	    " WHERE game = ? AND seq = ?",
	    STORE_VALUES(store_int(gid), store_int(seq)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	at = (const char *)sqlite3_column_text(q.s, 0);
	if (at == NULL ||
	    clock_parse(at, (size_t)sqlite3_column_bytes(q.s, 0), at_ms) != 0) {
		(void)snprintf(st->reason, sizeof(st->reason),
		    "line %lld of a game has no time", (long long)seq);
		r = store_unfit(st);
	}
	store_query_end(&q);
	return (r);
}

int
store_record_newest(struct store *st, int64_t *at_ms)
{
	struct store_query q;
	const char *at;
	int r;

	/* Rows are never deleted, so that the last one has the highest id. */
	store_query(&q, st, STORE_RECORD_NEWEST,
	    "SELECT CASE WHEN json_valid(CAST(line AS TEXT))"
	    " THEN json_extract(CAST(line AS TEXT), '$.at') END FROM record"
	    " WHERE rowid = (SELECT max(rowid) FROM record)",
	    NULL);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	at = (const char *)sqlite3_column_text(q.s, 0);
	if (at == NULL ||
	    clock_parse(at, (size_t)sqlite3_column_bytes(q.s, 0), at_ms) != 0)
		r = ERR_STORAGE;
	store_query_end(&q);
	return (r);
}

int
store_record_find_oid(struct store *st, int64_t gid,
    const uint8_t oid[HASH_LEN], struct buf *line, int64_t *seq)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_RECORD_FIND_OID,
	    "SELECT line, seq FROM record WHERE game = ? AND oid = ?",
	    STORE_VALUES(store_int(gid), store_blob(oid, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_append(&q, 0, line);
	if (r == 0)
		*seq = sqlite3_column_int64(q.s, 1);
	store_query_end(&q);
	return (r);
}

int
store_record_find_nonce(
    struct store *st, int64_t gid, int seat, const uint8_t nonce[16])
{
	return (store_has(st, STORE_RECORD_FIND_NONCE,
	    "SELECT 1 FROM record WHERE game = ? AND seat = ? AND nonce = ?",
	    STORE_VALUES(store_int(gid), store_int(seat),
		store_blob(nonce, ORDER_NONCE_LEN))));
}

int
store_record_each(struct store *st, int64_t gid, int64_t from, int64_t to,
    int (*each)(void *arg, int64_t seq, const char *bytes, size_t len),
    void *arg)
{
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_RECORD_EACH,
	    "SELECT seq, line FROM record WHERE game = ?"
	    " AND seq BETWEEN ? AND ? ORDER BY seq",
	    STORE_VALUES(store_int(gid), store_int(from), store_int(to)));
	while (store_query_next(&q, &r))
		r = each(arg, sqlite3_column_int64(q.s, 0),
		    sqlite3_column_blob(q.s, 1),
		    (size_t)sqlite3_column_bytes(q.s, 1));
	return (r);
}
