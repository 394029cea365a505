/* SPDX-License-Identifier: ISC */
/*
 * When no orders were taken, of one game or of all: nobody's clock counts that
 * time.
 */
#include "common/base/buf.h"
#include "server/store/store.h"
#include "server/store/store_int.h"

int
store_standstill_begin(
    struct store *st, int64_t gid, int64_t from_ms, const char *why)
{
	struct store_query q;

	store_query_init(&q, st, STORE_STANDSTILL_BEGIN,
	    "INSERT INTO standstill (game, from_ms, why)"
	    " SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM standstill"
	    " WHERE game IS ?1 AND to_ms IS NULL)");
	store_query_opt(&q, gid);
	store_query_int(&q, from_ms);
	store_query_text(&q, why);
	return (store_query_run(&q));
}

int
store_standstill_end(struct store *st, int64_t gid, int64_t to_ms)
{
	struct store_query q;

	store_query_init(&q, st, STORE_STANDSTILL_END,
	    "UPDATE standstill SET to_ms = ?2"
	    " WHERE game IS ?1 AND to_ms IS NULL");
	store_query_opt(&q, gid);
	store_query_int(&q, to_ms);
	return (store_query_run(&q));
}

int
store_standstill_find(struct store *st, int64_t gid)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_STANDSTILL_FIND,
	    "SELECT 1 FROM standstill WHERE game IS ? AND to_ms IS NULL");
	store_query_opt(&q, gid);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	store_query_end(&q);
	return (0);
}

int
store_standstill_games(struct store *st, struct buf *ids)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_STANDSTILL_GAMES,
	    "SELECT g.id FROM standstill AS s JOIN game AS g ON g.gid = s.game"
	    " WHERE s.to_ms IS NULL ORDER BY g.gid");
	while ((r = store_query_step(&q)) == 0) {
		r = store_query_append(&q, 0, ids);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_standstill_lost(struct store *st, int64_t gid, int64_t from_ms,
    int64_t to_ms, int64_t *lost_ms)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_STANDSTILL_LOST,
	    "SELECT coalesce((SELECT sum(min(coalesce(to_ms, ?3), ?3)"
	    " - max(from_ms, ?2)) FROM standstill WHERE game = ?1"
	    " AND from_ms < ?3 AND (to_ms IS NULL OR to_ms > ?2)), 0)"
	    " + coalesce((SELECT sum(min(coalesce(to_ms, ?3), ?3)"
	    " - max(from_ms, ?2)) FROM standstill WHERE game IS NULL"
	    " AND from_ms < ?3 AND (to_ms IS NULL OR to_ms > ?2)), 0)");
	store_query_int(&q, gid);
	store_query_int(&q, from_ms);
	store_query_int(&q, to_ms);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*lost_ms = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (0);
}
