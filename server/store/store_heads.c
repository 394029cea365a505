/* SPDX-License-Identifier: ISC */
/* The last lines of all games and tournaments, and whether they are kept in a
 * file, too. */
#include "common/base/buf.h"
#include "server/store/store.h"
#include "server/store/store_int.h"

int
store_heads_each(struct store *st, store_each_head *each, void *arg)
{
	struct store_head head;
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_HEADS_EACH,
	    "SELECT g.gid, g.id, r.seq, r.hash, 0 FROM game AS g"
	    " JOIN record AS r ON r.game = g.gid AND r.seq ="
	    " (SELECT max(seq) FROM record WHERE game = g.gid)"
	    " WHERE g.id >= x'' AND length(r.hash) = 32"
	    " UNION ALL SELECT t.tid, t.id, r.seq, r.hash, 1"
	    " FROM tournament AS t JOIN tournament_record AS r"
	    " ON r.tournament = t.tid AND r.seq = (SELECT max(seq)"
	    " FROM tournament_record WHERE tournament = t.tid)"
	    " WHERE t.id >= x'' ORDER BY 2",
	    NULL);
	while (store_query_next(&q, &r)) {
		head.gid = sqlite3_column_int64(q.s, 0);
		head.seq = sqlite3_column_int64(q.s, 2);
		head.is_tournament = sqlite3_column_int(q.s, 4) != 0;
		if ((r = store_query_bytes(&q, 1, head.game, HASH_LEN)) == 0 &&
		    (r = store_query_bytes(&q, 3, head.hash, HASH_LEN)) == 0)
			r = each(arg, &head);
	}
	return (r);
}

int
store_heads_hashes(struct store *st, int64_t gid, struct buf *hashes)
{
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_HEADS_HASHES,
	    "SELECT hash FROM record WHERE game = ? ORDER BY seq",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r))
		r = store_query_append(&q, 0, hashes);
	return (r == 0 ? buf_error(hashes) : r);
}

int
store_heads_kept(struct store *st)
{
	return (store_has(
	    st, STORE_HEADS_KEPT, "SELECT 1 FROM heads WHERE id = 1", NULL));
}

int
store_heads_keep(struct store *st, int64_t at_ms)
{
	return (store_run(st, STORE_HEADS_KEEP,
	    "INSERT OR REPLACE INTO heads (id, kept_ms) VALUES (1, ?)",
	    STORE_VALUES(store_int(at_ms))));
}
