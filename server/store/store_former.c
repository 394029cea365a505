/* SPDX-License-Identifier: ISC */
#include "server/store/store_former.h"

#include <string.h>

#include "server/store/store_int.h"

/* What store_former_read() reads. */
#define STORE_FORMER_COLUMNS "fid, id, seq, head, lines, bytes, good"

#define STORE_FORMER_ACCOUNT "(SELECT id FROM account WHERE name = ?)"

/* Reads the row of a query. */
static int
store_former_read(struct store_query *q, struct store_former_row *row)
{
	int r;

	memset(row, 0, sizeof(*row));
	if ((r = store_query_step(q)) != 0)
		return (r);
	row->fid = sqlite3_column_int64(q->s, 0);
	row->seq = sqlite3_column_int64(q->s, 2);
	row->lines = sqlite3_column_int64(q->s, 4);
	row->bytes = sqlite3_column_int64(q->s, 5);
	row->is_good = sqlite3_column_int(q->s, 6) != 0;
	if ((r = store_query_bytes(q, 1, row->id, HASH_LEN)) == 0)
		r = store_query_bytes(q, 3, row->head, HASH_LEN);
	store_query_end(q);
	return (r);
}

int
store_former_find(struct store *st, const uint8_t id[HASH_LEN],
    const uint8_t head[HASH_LEN], struct store_former_row *row)
{
	struct store_query q;

	store_query(&q, st, STORE_FORMER_FIND,
	    "SELECT " STORE_FORMER_COLUMNS " FROM former"
	    " WHERE id = ? AND head = ? AND good = 1",
	    STORE_VALUES(store_blob(id, HASH_LEN), store_blob(head, HASH_LEN)));
	return (store_former_read(&q, row));
}

int
store_former_begun(
    struct store *st, const char *account, struct store_former_row *row)
{
	struct store_query q;

	store_query(&q, st, STORE_FORMER_BEGUN,
	    "SELECT " STORE_FORMER_COLUMNS " FROM former"
	    " WHERE account = " STORE_FORMER_ACCOUNT " AND good = 0",
	    STORE_VALUES(store_text(account)));
	return (store_former_read(&q, row));
}

int
store_former_insert(
    struct store *st, const char *account, struct store_former_row *row)
{
	int r;

	r = store_run(st, STORE_FORMER_INSERT,
	    "INSERT INTO former (id, seq, head, lines, bytes, good, account)"
	    " VALUES (?, ?, ?, 0, 0, 0, " STORE_FORMER_ACCOUNT ")",
	    STORE_VALUES(store_blob(row->id, HASH_LEN), store_int(row->seq),
		store_blob(row->head, HASH_LEN), store_text(account)));
	if (r == 0)
		row->fid = sqlite3_last_insert_rowid(st->db);
	return (r);
}

int
store_former_line(
    struct store *st, int64_t fid, int64_t seq, const char *bytes, size_t len)
{
	return (store_run(st, STORE_FORMER_LINE,
	    "INSERT INTO former_line (former, seq, line) VALUES (?, ?, ?)",
	    STORE_VALUES(
		store_int(fid), store_int(seq), store_blob(bytes, len))));
}

int
store_former_update(struct store *st, const struct store_former_row *row)
{
	return (store_run(st, STORE_FORMER_UPDATE,
	    "UPDATE former SET lines = ?, bytes = ?, good = ? WHERE fid = ?",
	    STORE_VALUES(store_int(row->lines), store_int(row->bytes),
		store_int(row->is_good), store_int(row->fid))));
}

int
store_former_drop(struct store *st, int64_t fid)
{
	int r;

	r = store_run(st, STORE_FORMER_DROP_LINES,
	    "DELETE FROM former_line WHERE former = ?",
	    STORE_VALUES(store_int(fid)));
	if (r != 0)
		return (r);
	return (store_run(st, STORE_FORMER_DROP,
	    "DELETE FROM former WHERE fid = ?", STORE_VALUES(store_int(fid))));
}

int
store_former_unused(struct store *st, const char *account, int64_t *n,
    int64_t *bytes, int64_t *oldest)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_FORMER_UNUSED,
	    "SELECT count(*), coalesce(sum(bytes), 0), coalesce(min(fid), 0)"
	    " FROM former WHERE account = " STORE_FORMER_ACCOUNT
	    " AND NOT EXISTS (SELECT 1 FROM tournament_former"
	    " WHERE former = fid)",
	    STORE_VALUES(store_text(account)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*n = sqlite3_column_int64(q.s, 0);
	*bytes = sqlite3_column_int64(q.s, 1);
	*oldest = sqlite3_column_int64(q.s, 2);
	store_query_end(&q);
	return (0);
}

int
store_former_each(struct store *st, int64_t fid, int64_t from, int64_t to,
    int (*each)(void *arg, int64_t seq, const char *bytes, size_t len),
    void *arg)
{
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_FORMER_EACH,
	    "SELECT seq, line FROM former_line WHERE former = ?"
	    " AND seq BETWEEN ? AND ? ORDER BY seq",
	    STORE_VALUES(store_int(fid), store_int(from), store_int(to)));
	while (store_query_next(&q, &r))
		r = each(arg, sqlite3_column_int64(q.s, 0),
		    sqlite3_column_blob(q.s, 1),
		    (size_t)sqlite3_column_bytes(q.s, 1));
	return (r);
}

int
store_former_name(struct store *st, int64_t tid, int64_t fid)
{
	return (store_run(st, STORE_FORMER_NAME,
	    "INSERT INTO tournament_former (tournament, former) VALUES (?, ?)"
	    " ON CONFLICT (tournament, former) DO NOTHING",
	    STORE_VALUES(store_int(tid), store_int(fid))));
}
