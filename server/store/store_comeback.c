/* SPDX-License-Identifier: ISC */
/*
 * Tournaments of which lines may be missing, what is needed to take these back,
 * and texts that were erased; as with games (store_standstill.c,
 * store_erase.c).
 */
#include <string.h>

#include "common/base/buf.h"
#include "server/store/store_int.h"
#include "server/store/store_tournament.h"

int
store_tournament_wait_begin(
    struct store *st, int64_t tid, int64_t from_ms, const char *why)
{
	return (store_run(st, STORE_COMEBACK_BEGIN,
	    "INSERT INTO tournament_wait (tournament, from_ms, why)"
	    " VALUES (?, ?, ?) ON CONFLICT (tournament) DO NOTHING",
	    STORE_VALUES(store_int(tid), store_int(from_ms), store_text(why))));
}

int
store_tournament_wait_begin_all(struct store *st, int64_t from_ms)
{
	int r;

	r = store_run(st, STORE_COMEBACK_TURN_ALL,
	    "UPDATE tournament_wait SET why = '" STORE_WHY_RESTORED "'"
	    " WHERE tournament > 0",
	    NULL);
	if (r != 0)
		return (r);
	return (store_run(st, STORE_COMEBACK_BEGIN_ALL,
	    "INSERT INTO tournament_wait (tournament, from_ms, why)"
	    " SELECT tid, ?, '" STORE_WHY_RESTORED "' FROM tournament"
	    " WHERE tid > 0 AND phase <> 'over' ON CONFLICT (tournament) DO "
	    "NOTHING",
	    STORE_VALUES(store_int(from_ms))));
}

int
store_tournament_wait_end(struct store *st, int64_t tid)
{
	return (store_run(st, STORE_COMEBACK_END,
	    "DELETE FROM tournament_wait WHERE tournament = ?",
	    STORE_VALUES(store_int(tid))));
}

int
store_tournament_wait_why(
    struct store *st, int64_t tid, char why[STORE_WHY_MAX])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_COMEBACK_WHY,
	    "SELECT why FROM tournament_wait WHERE tournament = ?",
	    STORE_VALUES(store_int(tid)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_copy(&q, 0, why, STORE_WHY_MAX);
	store_query_end(&q);
	return (r);
}

int
store_tournament_wait_each(struct store *st,
    int (*each)(void *arg, const uint8_t id[HASH_LEN], int64_t from_ms,
	const char *why),
    void *arg)
{
	uint8_t id[HASH_LEN];
	char why[STORE_WHY_MAX];
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_COMEBACK_EACH,
	    "SELECT t.id, w.from_ms, w.why FROM tournament_wait AS w"
	    " CROSS JOIN tournament AS t ON t.tid = w.tournament"
	    " WHERE w.tournament > 0 ORDER BY +t.id",
	    NULL);
	while (store_query_next(&q, &r)) {
		if ((r = store_query_bytes(&q, 0, id, HASH_LEN)) == 0 &&
		    (r = store_query_copy(&q, 2, why, sizeof(why))) == 0)
			r = each(arg, id, sqlite3_column_int64(q.s, 1), why);
	}
	return (r);
}

int
store_tournament_hashes(struct store *st, int64_t tid, struct buf *hashes)
{
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_COMEBACK_HASHES,
	    "SELECT hash FROM tournament_record WHERE tournament = ?"
	    " ORDER BY seq",
	    STORE_VALUES(store_int(tid)));
	while (store_query_next(&q, &r))
		r = store_query_append(&q, 0, hashes);
	return (r == 0 ? buf_error(hashes) : r);
}

int
store_tournament_digits(
    struct store *st, const char *digits, uint8_t id[HASH_LEN])
{
	return (store_digits(st, STORE_COMEBACK_DIGITS,
	    "SELECT id FROM tournament WHERE tid > 0"
	    " AND substr(lower(hex(id)), 1, length(?1)) = ?1 LIMIT 2",
	    digits, id));
}

int
store_tournament_games(
    struct store *st, int64_t tid, store_tournament_each_game *each, void *arg)
{
	struct store_tournament_game g;
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_COMEBACK_GAMES,
	    "SELECT g.gid, g.id FROM tournament_game AS t JOIN game AS g"
	    " ON g.gid = t.game WHERE t.tournament = ?"
	    " ORDER BY t.round, t.table_no, t.leg, g.gid",
	    STORE_VALUES(store_int(tid)));
	while (store_query_next(&q, &r)) {
		g.gid = sqlite3_column_int64(q.s, 0);
		if ((r = store_query_bytes(&q, 1, g.game, HASH_LEN)) == 0)
			r = each(arg, &g);
	}
	return (r);
}

int
store_tournament_author(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN], int64_t *seq,
    char account[ORDER_ACCOUNT_MAX + 1])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_COMEBACK_AUTHOR,
	    "SELECT l.seq, coalesce(r.account, '') FROM tournament_line_text"
	    " AS l JOIN tournament_record AS r"
	    " ON r.tournament = l.tournament AND r.seq = l.seq"
	    " WHERE l.tournament = ? AND l.ref = ? ORDER BY l.seq LIMIT 1",
	    STORE_VALUES(store_int(tid), store_blob(ref, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*seq = sqlite3_column_int64(q.s, 0);
	r = store_query_copy(&q, 1, account, ORDER_ACCOUNT_MAX + 1);
	store_query_end(&q);
	return (r);
}

int
store_tournament_erase(struct store *st, int64_t tid,
    const uint8_t ref[HASH_LEN], const char *account)
{
	int r;

	/* A name is that of the account as well, if it has no other now. */
	r = store_run(st, STORE_COMEBACK_ERASE_NAME,
	    "UPDATE account SET display = '' WHERE name = ?3"
	    " AND CAST(display AS BLOB) = (SELECT value FROM tournament_text"
	    " WHERE tournament = ?1 AND ref = ?2 AND erased IS NULL)",
	    STORE_VALUES(store_int(tid), store_blob(ref, HASH_LEN),
		store_text(account)));
	if (r != 0)
		return (r);
	/* One that was lost must not come back. */
	r = store_run(st, STORE_COMEBACK_ERASE_LOST,
	    "INSERT INTO tournament_text (tournament, ref, salt, value)"
	    " VALUES (?1, ?2, zeroblob(32), x'')"
	    " ON CONFLICT (tournament, ref) DO NOTHING",
	    STORE_VALUES(store_int(tid), store_blob(ref, HASH_LEN)));
	if (r != 0)
		return (r);
	return (store_run(st, STORE_COMEBACK_ERASE,
	    "UPDATE tournament_text SET salt = zeroblob(32), value = x'',"
	    " erased = (SELECT coalesce(max(erased), 0) + 1"
	    " FROM tournament_text WHERE tournament = ?1"
	    " AND erased IS NOT NULL)"
	    " WHERE tournament = ?1 AND ref = ?2 AND erased IS NULL",
	    STORE_VALUES(store_int(tid), store_blob(ref, HASH_LEN))));
}

int
store_tournament_is_erased(
    struct store *st, int64_t tid, const uint8_t ref[HASH_LEN])
{
	return (store_has(st, STORE_COMEBACK_IS_ERASED,
	    "SELECT 1 FROM tournament_text WHERE tournament = ? AND ref = ?"
	    " AND erased IS NOT NULL",
	    STORE_VALUES(store_int(tid), store_blob(ref, HASH_LEN))));
}

int
store_tournament_erased(struct store *st, int64_t tid, int64_t from, int most,
    int (*each)(void *arg, int64_t n, const uint8_t ref[HASH_LEN]), void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_COMEBACK_ERASED,
	    "SELECT erased, ref FROM tournament_text WHERE tournament = ?"
	    " AND erased > ? ORDER BY erased LIMIT ?",
	    STORE_VALUES(store_int(tid), store_int(from), store_int(most)));
	return (store_query_refs(&q, each, arg));
}

int
store_tournament_erased_last(struct store *st, int64_t tid, int64_t *n)
{
	return (store_number(st, STORE_COMEBACK_ERASED_LAST,
	    "SELECT coalesce((SELECT erased FROM tournament_text"
	    " WHERE tournament = ? AND erased IS NOT NULL"
	    " ORDER BY erased DESC LIMIT 1), 0)",
	    STORE_VALUES(store_int(tid)), n));
}
