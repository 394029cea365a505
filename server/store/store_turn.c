/* SPDX-License-Identifier: ISC */
/*
 * Which line ended which turn, so that what a spectator may see so far is
 * found without reading lines.
 */
#include "server/store/store.h"

#include "server/store/store_int.h"

int
store_turn_insert(struct store *st, int64_t gid, int turn_no, int64_t seq)
{
	struct store_query q;

	store_query_init(&q, st, STORE_TURN_INSERT,
	    "INSERT INTO turn (game, turn_no, seq) VALUES (?, ?, ?)");
	store_query_int(&q, gid);
	store_query_int(&q, turn_no);
	store_query_int(&q, seq);
	return (store_query_run(&q));
}

int
store_turn_delete(struct store *st, int64_t gid)
{
	struct store_query q;

	store_query_init(
	    &q, st, STORE_TURN_DELETE, "DELETE FROM turn WHERE game = ?");
	store_query_int(&q, gid);
	return (store_query_run(&q));
}

int
store_turn_find(struct store *st, int64_t gid, int turn_no, int64_t *seq)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_TURN_FIND,
	    "SELECT seq FROM turn WHERE game = ? AND turn_no = ?");
	store_query_int(&q, gid);
	store_query_int(&q, turn_no);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*seq = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (0);
}

int
store_turn_at(struct store *st, int64_t gid, int64_t seq, int *turn_no)
{
	struct store_query q;
	int r;

	/* Turns and lines ascend together. */
	store_query_init(&q, st, STORE_TURN_AT,
	    "SELECT turn_no FROM turn WHERE game = ? AND seq <= ?"
	    " ORDER BY turn_no DESC LIMIT 1");
	store_query_int(&q, gid);
	store_query_int(&q, seq);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*turn_no = sqlite3_column_int(q.s, 0);
	store_query_end(&q);
	return (0);
}

int
store_turn_count(struct store *st, int64_t gid, int64_t *n)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_TURN_COUNT,
	    "SELECT count(*) FROM turn WHERE game = ?");
	store_query_int(&q, gid);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*n = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (0);
}
