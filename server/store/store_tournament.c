/* SPDX-License-Identifier: ISC */
/*
 * Tournaments.  As with games nothing changes or deletes a line, and the unique
 * indexes keep one order from standing there twice.
 */
#include "server/store/store_tournament.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/record/order.h"
#include "server/store/store_int.h"

/* What store_tournament_read() reads. */
#define STORE_TOURNAMENT_COLUMNS                                            \
	"tid, id, event, system, format, director, private, phase, round, " \
	"rounds, entrants, seq, at_ms"

#define STORE_TOURNAMENT_ACCOUNT "(SELECT id FROM account WHERE name = ?)"

/* Reads a row. */
static int
store_tournament_read(struct store_query *q, struct store_tournament_row *row)
{
	int r;

	memset(row, 0, sizeof(*row));
	row->tid = sqlite3_column_int64(q->s, 0);
	if ((r = store_query_bytes(q, 1, row->id, HASH_LEN)) != 0 ||
	    (r = store_query_copy(q, 2, row->event, sizeof(row->event))) != 0 ||
	    (r = store_query_copy(q, 3, row->system, sizeof(row->system))) !=
		0 ||
	    (r = store_query_copy(q, 4, row->format, sizeof(row->format))) !=
		0 ||
	    (r = store_query_copy(
		 q, 5, row->director, sizeof(row->director))) != 0 ||
	    (r = store_query_copy(q, 7, row->phase, sizeof(row->phase))) != 0)
		return (r);
	row->is_private = sqlite3_column_int(q->s, 6) != 0;
	row->round = sqlite3_column_int(q->s, 8);
	row->rounds = sqlite3_column_int(q->s, 9);
	row->entrants = sqlite3_column_int(q->s, 10);
	row->seq = sqlite3_column_int64(q->s, 11);
	row->at_ms = sqlite3_column_int64(q->s, 12);
	return (0);
}

int
store_tournament_insert(
    struct store *st, const struct store_tournament_row *row, int64_t *tid)
{
	int r;

	r = store_run(st, STORE_TOURNAMENT_INSERT,
	    "INSERT INTO tournament (id, event, system, format, director,"
	    " private, phase, round, rounds, entrants, seq, at_ms)"
	    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
	    STORE_VALUES(store_blob(row->id, HASH_LEN), store_text(row->event),
		store_text(row->system), store_text(row->format),
		store_text(row->director), store_int(row->is_private),
		store_text(row->phase), store_int(row->round),
		store_int(row->rounds), store_int(row->entrants),
		store_int(row->seq), store_int(row->at_ms)));
	if (r == 0)
		*tid = sqlite3_last_insert_rowid(st->db);
	return (r);
}

int
store_tournament_update(
    struct store *st, const struct store_tournament_row *row)
{
	return (store_run(st, STORE_TOURNAMENT_UPDATE,
	    "UPDATE tournament SET phase = ?, round = ?, rounds = ?,"
	    " entrants = ?, seq = ?, at_ms = ? WHERE tid = ?",
	    STORE_VALUES(store_text(row->phase), store_int(row->round),
		store_int(row->rounds), store_int(row->entrants),
		store_int(row->seq), store_int(row->at_ms),
		store_int(row->tid))));
}

int
store_tournament_find(struct store *st, const uint8_t id[HASH_LEN],
    struct store_tournament_row *row)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_TOURNAMENT_FIND,
	    "SELECT " STORE_TOURNAMENT_COLUMNS " FROM tournament WHERE id = ?",
	    STORE_VALUES(store_blob(id, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_tournament_read(&q, row);
	store_query_end(&q);
	return (r);
}

int
store_tournament_of_game(struct store *st, int64_t gid, uint8_t id[HASH_LEN])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_TOURNAMENT_OF_GAME,
	    "SELECT t.id FROM tournament_game AS g JOIN tournament AS t"
	    " ON t.tid = g.tournament WHERE g.game = ?",
	    STORE_VALUES(store_int(gid)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_bytes(&q, 0, id, HASH_LEN);
	store_query_end(&q);
	return (r);
}

int
store_tournament_list(struct store *st,
    const struct store_tournament_list *list,
    int (*each)(void *arg, const struct store_tournament_row *row), void *arg)
{
	struct store_tournament_row row;
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_TOURNAMENT_LIST,
	    "SELECT " STORE_TOURNAMENT_COLUMNS " FROM tournament"
	    " WHERE (at_ms, tid) < (?1, ?2)"
	    " AND (private = 0 OR EXISTS (SELECT 1 FROM tournament_account"
	    " WHERE tournament = tid AND account ="
	    " (SELECT id FROM account WHERE name = ?3)))"
	    " AND (?4 IS NULL OR EXISTS (SELECT 1 FROM tournament_account"
	    " WHERE tournament = tid AND account ="
	    " (SELECT id FROM account WHERE name = ?4)))"
	    " AND (?5 IS NULL OR phase = ?5)"
	    " AND (?6 IS NULL OR substr(lower(hex(tournament.id)), 1,"
	    " length(?6)) = ?6)"
	    " ORDER BY at_ms DESC, tid DESC",
	    STORE_VALUES(store_int(list->before_ms),
		store_int(list->before_tid), store_text(list->viewer),
		store_text(list->account), store_text(list->phase),
		store_text(list->prefix)));
	while (store_query_next(&q, &r)) {
		r = store_tournament_read(&q, &row);
		if (r == 0)
			r = each(arg, &row);
	}
	return (r);
}

int
store_tournament_line(
    struct store *st, const struct store_tournament_line *line)
{
	return (store_run(st, STORE_TOURNAMENT_LINE,
	    "INSERT INTO tournament_record (tournament, seq, line, hash, oid,"
	    " account, nonce) VALUES (?, ?, ?, ?, ?, ?, ?)",
	    STORE_VALUES(store_int(line->tid), store_int(line->seq),
		store_blob(line->bytes, line->len),
		store_blob(line->hash, HASH_LEN),
		store_blob(line->oid, HASH_LEN), store_text(line->account),
		store_blob(line->nonce, ORDER_NONCE_LEN))));
}

int
store_tournament_hash(
    struct store *st, int64_t tid, int64_t seq, uint8_t hash[HASH_LEN])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_TOURNAMENT_HASH,
	    "SELECT hash FROM tournament_record"
	    " WHERE tournament = ? AND seq = ?",
	    STORE_VALUES(store_int(tid), store_int(seq)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_bytes(&q, 0, hash, HASH_LEN);
	store_query_end(&q);
	return (r);
}

int
store_tournament_get(
    struct store *st, int64_t tid, int64_t seq, struct buf *line)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_TOURNAMENT_GET,
	    "SELECT line FROM tournament_record"
	    " WHERE tournament = ? AND seq = ?",
	    STORE_VALUES(store_int(tid), store_int(seq)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_append(&q, 0, line);
	store_query_end(&q);
	return (r);
}

int
store_tournament_find_oid(struct store *st, int64_t tid,
    const uint8_t oid[HASH_LEN], struct buf *line, int64_t *seq)
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_TOURNAMENT_FIND_OID,
	    "SELECT line, seq FROM tournament_record"
	    " WHERE tournament = ? AND oid = ?",
	    STORE_VALUES(store_int(tid), store_blob(oid, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_append(&q, 0, line);
	if (r == 0)
		*seq = sqlite3_column_int64(q.s, 1);
	store_query_end(&q);
	return (r);
}

int
store_tournament_find_nonce(
    struct store *st, int64_t tid, const char *account, const uint8_t *nonce)
{
	return (store_has(st, STORE_TOURNAMENT_FIND_NONCE,
	    "SELECT 1 FROM tournament_record"
	    " WHERE tournament = ? AND account = ? AND nonce = ?",
	    STORE_VALUES(store_int(tid), store_text(account),
		store_blob(nonce, ORDER_NONCE_LEN))));
}

int
store_tournament_each(struct store *st, int64_t tid, int64_t from, int64_t to,
    int (*each)(void *arg, int64_t seq, const char *bytes, size_t len),
    void *arg)
{
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_TOURNAMENT_EACH,
	    "SELECT seq, line FROM tournament_record WHERE tournament = ?"
	    " AND seq BETWEEN ? AND ? ORDER BY seq",
	    STORE_VALUES(store_int(tid), store_int(from), store_int(to)));
	while (store_query_next(&q, &r))
		r = each(arg, sqlite3_column_int64(q.s, 0),
		    sqlite3_column_blob(q.s, 1),
		    (size_t)sqlite3_column_bytes(q.s, 1));
	return (r);
}

int
store_tournament_text(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN], const uint8_t salt[32], const char *text,
    size_t len)
{
	return (store_run(st, STORE_TOURNAMENT_TEXT,
	    "INSERT INTO tournament_text (tournament, ref, salt, value)"
	    " VALUES (?, ?, ?, ?) ON CONFLICT (tournament, ref) DO NOTHING",
	    STORE_VALUES(store_int(tid), store_blob(ref, HASH_LEN),
		store_blob(salt, 32), store_blob(len == 0 ? "" : text, len))));
}

int
store_tournament_find_text(
    struct store *st, int64_t tid, const uint8_t ref[HASH_LEN])
{
	return (store_has(st, STORE_TOURNAMENT_FIND_TEXT,
	    "SELECT 1 FROM tournament_text WHERE tournament = ? AND ref = ?"
	    " AND erased IS NULL",
	    STORE_VALUES(store_int(tid), store_blob(ref, HASH_LEN))));
}

int
store_tournament_name(struct store *st, int64_t tid, int64_t seq, bool is_blob,
    const uint8_t hash[HASH_LEN])
{
	const struct store_value *names = STORE_VALUES(
	    store_int(tid), store_int(seq), store_blob(hash, HASH_LEN));
	int r;

	if (!is_blob)
		return (store_run(st, STORE_TOURNAMENT_NAME_TEXT,
		    "INSERT INTO tournament_line_text (tournament, seq, ref)"
		    " VALUES (?, ?, ?)"
		    " ON CONFLICT (tournament, seq, ref) DO NOTHING",
		    names));
	r = store_run(st, STORE_TOURNAMENT_NAME_BLOB,
	    "INSERT INTO tournament_line_blob (tournament, seq, hash)"
	    " VALUES (?, ?, ?)"
	    " ON CONFLICT (tournament, seq, hash) DO NOTHING",
	    names);
	if (r != 0)
		return (r);
	return (store_run(st, STORE_TOURNAMENT_NAME_PUBLIC,
	    "INSERT INTO blob_public (hash) SELECT ?2 FROM tournament"
	    " WHERE tid = ?1 AND private = 0"
	    " ON CONFLICT (hash) DO NOTHING",
	    STORE_VALUES(store_int(tid), store_blob(hash, HASH_LEN))));
}

/* Gives one row of texts or blobs: hash, salt, value. */
static int
store_tournament_side_row(struct store_query *q, bool is_blob,
    int (*each)(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
	const uint8_t *salt, const char *value, size_t len),
    void *arg)
{
	uint8_t hash[HASH_LEN], salt[32];
	const void *value;
	int r;

	if ((r = store_query_bytes(q, 0, hash, sizeof(hash))) != 0 ||
	    (!is_blob &&
		(r = store_query_bytes(q, 1, salt, sizeof(salt))) != 0))
		return (r);
	value = sqlite3_column_blob(q->s, 2);
	return (each(arg, is_blob, hash, is_blob ? NULL : salt,
	    value == NULL ? "" : value, (size_t)sqlite3_column_bytes(q->s, 2)));
}

int
store_tournament_side_each(struct store *st, int64_t tid, int64_t from,
    int64_t to,
    int (*each)(void *arg, bool is_blob, const uint8_t hash[HASH_LEN],
	const uint8_t *salt, const char *value, size_t len),
    void *arg)
{
	const struct store_value *lines =
	    STORE_VALUES(store_int(tid), store_int(from), store_int(to));
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_TOURNAMENT_SIDE_TEXT,
	    "SELECT ref, salt, value FROM tournament_text"
	    " WHERE tournament = ?1 AND erased IS NULL AND ref IN (SELECT ref"
	    " FROM tournament_line_text WHERE tournament = ?1"
	    " AND seq BETWEEN ?2 AND ?3) ORDER BY ref",
	    lines);
	while (store_query_next(&q, &r))
		r = store_tournament_side_row(&q, false, each, arg);
	if (r != 0)
		return (r);
	store_query(&q, st, STORE_TOURNAMENT_SIDE_BLOB,
	    "SELECT hash, NULL, bytes FROM blob WHERE hash IN (SELECT hash"
	    " FROM tournament_line_blob WHERE tournament = ?"
	    " AND seq BETWEEN ? AND ?) ORDER BY hash",
	    lines);
	while (store_query_next(&q, &r))
		r = store_tournament_side_row(&q, true, each, arg);
	return (r);
}

int
store_tournament_enter(
    struct store *st, int64_t tid, const char *account, int number)
{
	/* Of an account that is not on this server there is nothing to note. */
	return (store_run(st, STORE_TOURNAMENT_ENTER,
	    "INSERT INTO tournament_account (tournament, account, number)"
	    " SELECT ?1, id, ?3 FROM account WHERE name = ?2"
	    " ON CONFLICT (tournament, account) DO UPDATE"
	    " SET number = coalesce(number, excluded.number)",
	    STORE_VALUES(store_int(tid), store_text(account),
		store_opt(number == 0 ? -1 : number))));
}

int
store_tournament_is_here(struct store *st, int64_t tid, const char *account)
{
	return (store_has(st, STORE_TOURNAMENT_IS_HERE,
	    "SELECT 1 FROM tournament_account WHERE tournament = ?"
	    " AND account = " STORE_TOURNAMENT_ACCOUNT,
	    STORE_VALUES(store_int(tid), store_text(account))));
}

int
store_tournament_accounts(struct store *st, int64_t tid,
    int (*each)(void *arg, const char *account, int number), void *arg)
{
	char account[ORDER_ACCOUNT_MAX + 1];
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_TOURNAMENT_ACCOUNTS,
	    "SELECT name, coalesce(number, 0) FROM tournament_account AS t"
	    " JOIN account AS a ON a.id = t.account WHERE t.tournament = ?"
	    " ORDER BY a.id",
	    STORE_VALUES(store_int(tid)));
	while (store_query_next(&q, &r)) {
		r = store_query_copy(&q, 0, account, sizeof(account));
		if (r == 0)
			r = each(arg, account, sqlite3_column_int(q.s, 1));
	}
	return (r);
}

int
store_tournament_ids(struct store *st, struct buf *ids)
{
	return (store_append_all(st, STORE_TOURNAMENT_IDS,
	    "SELECT id FROM tournament WHERE tid > 0 ORDER BY tid", ids));
}

int
store_tournament_of_account(struct store *st, const char *account,
    int (*each)(void *arg, const uint8_t id[HASH_LEN]), void *arg)
{
	uint8_t id[HASH_LEN];
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_TOURNAMENT_OF_ACCOUNT,
	    "SELECT t.id FROM tournament_account AS a JOIN tournament AS t"
	    " ON t.tid = a.tournament"
	    " WHERE a.account = " STORE_TOURNAMENT_ACCOUNT " ORDER BY t.tid",
	    STORE_VALUES(store_text(account)));
	while (store_query_next(&q, &r)) {
		r = store_query_bytes(&q, 0, id, HASH_LEN);
		if (r == 0)
			r = each(arg, id);
	}
	return (r);
}

int
store_tournament_game(
    struct store *st, int64_t tid, int64_t gid, int round, int table, int leg)
{
	return (store_run(st, STORE_TOURNAMENT_GAME,
	    "INSERT INTO tournament_game (game, tournament, round, table_no,"
	    " leg) VALUES (?, ?, ?, ?, ?)",
	    STORE_VALUES(store_int(gid), store_int(tid), store_int(round),
		store_int(table), store_int(leg))));
}

int
store_tournament_has_game(struct store *st, int64_t gid, const char *account)
{
	return (store_has(st, STORE_TOURNAMENT_HAS_GAME,
	    "SELECT 1 FROM tournament_game AS g JOIN tournament_account AS a"
	    " ON a.tournament = g.tournament WHERE g.game = ?"
	    " AND a.account = " STORE_TOURNAMENT_ACCOUNT,
	    STORE_VALUES(store_int(gid), store_text(account))));
}

int
store_tournament_has_blob(
    struct store *st, const uint8_t hash[HASH_LEN], const char *account)
{
	return (store_has(st, STORE_TOURNAMENT_HAS_BLOB,
	    "SELECT 1 FROM tournament_line_blob AS b JOIN tournament_account"
	    " AS a ON a.tournament = b.tournament WHERE b.hash = ?"
	    " AND a.account = " STORE_TOURNAMENT_ACCOUNT,
	    STORE_VALUES(store_blob(hash, HASH_LEN), store_text(account))));
}
