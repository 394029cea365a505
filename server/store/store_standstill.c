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
	return (store_run(st, STORE_STANDSTILL_BEGIN,
	    "INSERT INTO standstill (game, from_ms, why)"
	    " SELECT ?1, ?2, ?3 WHERE NOT EXISTS (SELECT 1 FROM standstill"
	    " WHERE game IS ?1 AND to_ms IS NULL)",
	    STORE_VALUES(store_opt(gid), store_int(from_ms), store_text(why))));
}

int
store_standstill_end(struct store *st, int64_t gid, int64_t to_ms)
{
	return (store_run(st, STORE_STANDSTILL_END,
	    "UPDATE standstill SET to_ms = ?2"
	    " WHERE game IS ?1 AND to_ms IS NULL",
	    STORE_VALUES(store_opt(gid), store_int(to_ms))));
}

int
store_standstill_find(struct store *st, int64_t gid)
{
	return (store_has(st, STORE_STANDSTILL_FIND,
	    "SELECT 1 FROM standstill WHERE game IS ? AND to_ms IS NULL",
	    STORE_VALUES(store_opt(gid))));
}

int
store_standstill_games(struct store *st, struct buf *ids)
{
	return (store_append_all(st, STORE_STANDSTILL_GAMES,
	    "SELECT g.id FROM standstill AS s JOIN game AS g ON g.gid = s.game"
	    " WHERE s.to_ms IS NULL ORDER BY g.gid",
	    ids));
}

int
store_standstill_lost(struct store *st, int64_t gid, int64_t from_ms,
    int64_t to_ms, int64_t *lost_ms)
{
	return (store_number(st, STORE_STANDSTILL_LOST,
	    "SELECT coalesce((SELECT sum(min(coalesce(to_ms, ?3), ?3)"
	    " - max(from_ms, ?2)) FROM standstill WHERE game = ?1"
	    " AND from_ms < ?3 AND (to_ms IS NULL OR to_ms > ?2)), 0)"
	    " + coalesce((SELECT sum(min(coalesce(to_ms, ?3), ?3)"
	    " - max(from_ms, ?2)) FROM standstill WHERE game IS NULL"
	    " AND from_ms < ?3 AND (to_ms IS NULL OR to_ms > ?2)), 0)",
	    STORE_VALUES(store_int(gid), store_int(from_ms), store_int(to_ms)),
	    lost_ms));
}
