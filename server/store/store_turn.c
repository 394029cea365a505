/* SPDX-License-Identifier: ISC */
/*
 * The line that ended each turn: it shows what a spectator may see so far
 * without a look at the lines.
 */
#include "server/store/store.h"

#include "server/store/store_int.h"

int
store_turn_insert(struct store *st, int64_t gid, int turn_no, int64_t seq)
{
	return (store_run(st, STORE_TURN_INSERT,
	    "INSERT INTO turn (game, turn_no, seq) VALUES (?, ?, ?)",
	    STORE_VALUES(store_int(gid), store_int(turn_no), store_int(seq))));
}

int
store_turn_delete(struct store *st, int64_t gid)
{
	return (store_run(st, STORE_TURN_DELETE,
	    "DELETE FROM turn WHERE game = ?", STORE_VALUES(store_int(gid))));
}

int
store_turn_find(struct store *st, int64_t gid, int turn_no, int64_t *seq)
{
	return (store_number(st, STORE_TURN_FIND,
	    "SELECT seq FROM turn WHERE game = ? AND turn_no = ?",
	    STORE_VALUES(store_int(gid), store_int(turn_no)), seq));
}

int
store_turn_at(struct store *st, int64_t gid, int64_t seq, int *turn_no)
{
	struct store_query q;
	int r;

	/* Turns and lines ascend together. */
	store_query(&q, st, STORE_TURN_AT,
	    "SELECT turn_no FROM turn WHERE game = ? AND seq <= ?"
	    " ORDER BY turn_no DESC LIMIT 1",
	    STORE_VALUES(store_int(gid), store_int(seq)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*turn_no = sqlite3_column_int(q.s, 0);
	store_query_end(&q);
	return (0);
}

int
store_turn_count(struct store *st, int64_t gid, int64_t *n)
{
	return (store_number(st, STORE_TURN_COUNT,
	    "SELECT count(*) FROM turn WHERE game = ?",
	    STORE_VALUES(store_int(gid)), n));
}
