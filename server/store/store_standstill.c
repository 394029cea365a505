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
store_standstill_begin_all(struct store *st, int64_t from_ms)
{
	int r;

	r = store_run(st, STORE_STANDSTILL_BEGIN_ALL,
	    "INSERT INTO standstill (game, from_ms, why)"
	    " SELECT gid, ?, '" STORE_WHY_RESTORED "' FROM game"
	    " WHERE gid > 0 AND phase <> 'finished' AND NOT EXISTS (SELECT 1"
	    " FROM standstill WHERE standstill.game = gid AND to_ms IS NULL)",
	    STORE_VALUES(store_int(from_ms)));
	if (r != 0)
		return (r);
	return (store_run(st, STORE_STANDSTILL_TURN_ALL,
	    "UPDATE standstill SET why = '" STORE_WHY_RESTORED "'"
	    " WHERE to_ms IS NULL AND why = '" STORE_WHY_BEHIND "'",
	    NULL));
}

int
store_standstill_why(struct store *st, int64_t gid, char why[STORE_WHY_MAX])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_STANDSTILL_WHY,
	    "SELECT why FROM standstill WHERE game = ? AND to_ms IS NULL",
	    STORE_VALUES(store_int(gid)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_copy(&q, 0, why, STORE_WHY_MAX);
	store_query_end(&q);
	return (r);
}

int
store_standstill_each(struct store *st,
    int (*each)(void *arg, const uint8_t game[HASH_LEN], int64_t from_ms,
	const char *why),
    void *arg)
{
	uint8_t game[HASH_LEN];
	char why[STORE_WHY_MAX];
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_STANDSTILL_EACH,
	    "SELECT g.id, s.from_ms, s.why FROM standstill AS s"
	    " JOIN game AS g ON g.gid = s.game WHERE s.to_ms IS NULL"
	    " ORDER BY g.id",
	    NULL);
	while (store_query_next(&q, &r)) {
		if ((r = store_query_bytes(&q, 0, game, HASH_LEN)) == 0 &&
		    (r = store_query_copy(&q, 2, why, sizeof(why))) == 0)
			r = each(arg, game, sqlite3_column_int64(q.s, 1), why);
	}
	return (r);
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
