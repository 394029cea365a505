/* SPDX-License-Identifier: ISC */
/*
 * Games: the state beside the record, who sits in them, and the columns that
 * the lobby lists (store_list.c).
 */
#include "server/store/store.h"

#include <string.h>

#include "common/base/buf.h"
#include "server/store/store_int.h"

/* STORE_GAME_COLUMNS in a query of other tables, too, in which game is g. */
#define STORE_GAME_QUALIFIED                                            \
	"g.gid, g.id, g.system, g.event, g.phase, g.account_1, "        \
	"g.account_2, g.turn, g.seq, g.at_ms, g.private, g.invited, "   \
	"g.delay_turns, g.delay_minutes, g.listed_ms, g.title, g.now, " \
	"g.how, g.winner"

int
store_game_read(struct store_query *q, struct store_game_row *row)
{
	const struct {
		int column;
		char *out;
		size_t n;
	} texts[] = {
	    {2, row->system, sizeof(row->system)},
	    {3, row->event, sizeof(row->event)},
	    {4, row->phase, sizeof(row->phase)},
	    {5, row->accounts[0], sizeof(row->accounts[0])},
	    {6, row->accounts[1], sizeof(row->accounts[1])},
	    {15, row->title, sizeof(row->title)},
	    {16, row->now, sizeof(row->now)},
	    {17, row->how, sizeof(row->how)},
	};
	size_t i;
	int r;

	memset(row, 0, sizeof(*row));
	row->gid = sqlite3_column_int64(q->s, 0);
	if ((r = store_query_bytes(q, 1, row->id, HASH_LEN)) != 0)
		return (r);
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		r = store_query_copy(
		    q, texts[i].column, texts[i].out, texts[i].n);
		if (r != 0)
			return (r);
	}
	row->turn = sqlite3_column_int(q->s, 7);
	row->seq = sqlite3_column_int64(q->s, 8);
	row->at_ms = sqlite3_column_int64(q->s, 9);
	row->is_private = sqlite3_column_int(q->s, 10) != 0;
	row->is_invited = sqlite3_column_int(q->s, 11) != 0;
	row->delay_turns = sqlite3_column_int(q->s, 12);
	row->delay_minutes = sqlite3_column_int(q->s, 13);
	row->listed_ms = sqlite3_column_int64(q->s, 14);
	row->winner = sqlite3_column_int(q->s, 18);
	return (0);
}

int
store_game_insert(struct store *st, const uint8_t id[HASH_LEN],
    const char *system, const char *event, const char *opener, int64_t at_ms,
    int64_t *gid)
{
	int r;

	r = store_run(st, STORE_GAME_INSERT,
	    "INSERT INTO game (id, system, event, at_ms, listed_ms, phase,"
	    " account_1, account_2, turn, seq, opener)"
	    " VALUES (?1, ?2, ?3, ?4, ?4, '', '', '', 0, -1,"
	    " (SELECT account.id FROM account WHERE name = ?5))",
	    STORE_VALUES(store_blob(id, HASH_LEN), store_text(system),
		store_text(event), store_int(at_ms), store_text(opener)));
	if (r != 0)
		return (r);
	*gid = sqlite3_last_insert_rowid(st->db);
	return (0);
}

int
store_game_set_view(struct store *st, const struct store_game_row *row)
{
	int r;

	r = store_run(st, STORE_GAME_SET_VIEW,
	    "UPDATE game SET private = ?, invited = ?, delay_turns = ?,"
	    " delay_minutes = ? WHERE gid = ?",
	    STORE_VALUES(store_int(row->is_private), store_int(row->is_invited),
		store_int(row->delay_turns), store_int(row->delay_minutes),
		store_int(row->gid)));
	if (r != 0)
		return (r);
	if (sqlite3_changes(st->db) == 0)
		return (ERR_NOTFOUND);
	return (store_run(st, STORE_GAME_SET_SEATS,
	    "UPDATE seat SET private = ?1"
	    " WHERE game = ?2 AND private <> ?1",
	    STORE_VALUES(store_int(row->is_private), store_int(row->gid))));
}

int
store_game_set_system(struct store *st, int64_t gid, const char *system)
{
	return (store_run(st, STORE_GAME_SET_SYSTEM,
	    "UPDATE game SET system = ?1 WHERE gid = ?2 AND system <> ?1",
	    STORE_VALUES(store_text(system), store_int(gid))));
}

/* The hash that is kept with a snapshot: of it and of its last line's hash. */
static int
store_game_hash(const uint8_t head[HASH_LEN], const char *snapshot, size_t len,
    uint8_t hash[HASH_LEN])
{
	static const char tag[] = "umpire/snapshot/1";
	const struct hash_part parts[] = {
	    {tag, sizeof(tag)}, {head, HASH_LEN}, {snapshot, len}};

	return (hash_parts(hash, parts, 3));
}

int
store_game_update(struct store *st, const struct store_game_row *row,
    const uint8_t head[HASH_LEN], const char *snapshot, size_t len)
{
	uint8_t hash[HASH_LEN];
	int r;

	if ((r = store_game_hash(head, snapshot, len, hash)) != 0)
		return (r);
	r = store_run(st, STORE_GAME_UPDATE,
	    "UPDATE game SET phase = ?1, account_1 = ?2, account_2 = ?3,"
	    " turn = ?4, seq = ?5, at_ms = ?6, listed_ms = CASE"
	    " WHEN ?1 = 'play' AND delay_turns + delay_minutes > 0"
	    " THEN listed_ms ELSE ?6 END, title = ?8, now = ?9, how = ?10,"
	    " winner = ?11 WHERE gid = ?7",
	    STORE_VALUES(store_text(row->phase), store_text(row->accounts[0]),
		store_text(row->accounts[1]), store_int(row->turn),
		store_int(row->seq), store_int(row->at_ms), store_int(row->gid),
		store_text(row->title), store_text(row->now),
		store_text(row->how), store_int(row->winner)));
	if (r != 0)
		return (r);
	if (sqlite3_changes(st->db) == 0)
		return (ERR_NOTFOUND);
	return (store_run(st, STORE_GAME_SNAPSHOT,
	    "INSERT INTO snapshot (game, bytes, hash) VALUES (?, ?, ?)"
	    " ON CONFLICT (game) DO UPDATE SET bytes = excluded.bytes,"
	    " hash = excluded.hash",
	    STORE_VALUES(store_int(row->gid), store_blob(snapshot, len),
		store_blob(hash, HASH_LEN))));
}

int
store_game_find(
    struct store *st, const uint8_t id[HASH_LEN], struct store_game_row *row)
{
	struct store_query q;
	struct store_game_row got;
	int r;

	store_query(&q, st, STORE_GAME_FIND,
	    "SELECT " STORE_GAME_COLUMNS " FROM game WHERE id = ?",
	    STORE_VALUES(store_blob(id, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	if ((r = store_game_read(&q, &got)) == 0)
		*row = got;
	store_query_end(&q);
	return (r);
}

/* Appends the snapshot of a row of store_game_load() and says if it fits. */
static int
store_game_fit(struct store_query *q, const struct store_game_row *row,
    struct buf *snapshot, bool *fits)
{
	uint8_t hash[HASH_LEN], head[HASH_LEN], kept[HASH_LEN];
	const size_t before = snapshot->len;
	const int col = STORE_GAME_N_COLUMNS;
	int r;

	*fits = false;
	if (sqlite3_column_bytes(q->s, col + 1) != HASH_LEN ||
	    sqlite3_column_bytes(q->s, col + 3) != HASH_LEN ||
	    store_query_opt_int(q, col + 2) != row->seq)
		return (0);
	if ((r = store_query_append(q, col, snapshot)) != 0 ||
	    (r = store_query_bytes(q, col + 1, kept, HASH_LEN)) != 0 ||
	    (r = store_query_bytes(q, col + 3, head, HASH_LEN)) != 0 ||
	    (r = store_game_hash(head, snapshot->data + before,
		 snapshot->len - before, hash)) != 0)
		return (r);
	*fits = memcmp(hash, kept, HASH_LEN) == 0;
	return (0);
}

int
store_game_load(struct store *st, const uint8_t id[HASH_LEN],
    struct store_game_row *row, struct buf *snapshot, bool *fits)
{
	struct store_query q;
	struct store_game_row got;
	bool is_fit;
	int r;

	store_query(&q, st, STORE_GAME_FITS,
	    "SELECT " STORE_GAME_QUALIFIED ", s.bytes, s.hash, r.seq, r.hash"
	    " FROM game AS g LEFT JOIN snapshot AS s ON s.game = g.gid"
	    " LEFT JOIN record AS r ON r.game = g.gid AND r.seq ="
	    " (SELECT max(seq) FROM record WHERE record.game = g.gid)"
	    " WHERE g.id = ?",
	    STORE_VALUES(store_blob(id, HASH_LEN)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_game_read(&q, &got);
	if (r == 0)
		r = store_game_fit(&q, &got, snapshot, &is_fit);
	if (r == 0) {
		*row = got;
		*fits = is_fit;
	}
	store_query_end(&q);
	return (r);
}

int
store_game_seat(struct store *st, int64_t gid, int seat, const char *account)
{
	int r;

	r = store_run(st, STORE_GAME_SEAT,
	    "INSERT INTO seat (game, seat, account, private)"
	    " SELECT gid, ?2, account.id, private FROM game CROSS JOIN account"
	    " WHERE gid = ?1 AND name = ?3",
	    STORE_VALUES(store_int(gid), store_int(seat), store_text(account)));
	if (r != 0)
		return (r);
	return (sqlite3_changes(st->db) == 0 ? ERR_NOTFOUND : 0);
}

int
store_game_unseat(struct store *st, int64_t gid, int seat)
{
	return (store_run(st, STORE_GAME_UNSEAT,
	    "DELETE FROM seat WHERE game = ?1 AND ?2 IN (seat, -1)",
	    STORE_VALUES(store_int(gid), store_int(seat))));
}

int
store_game_seats(struct store *st, int64_t gid,
    int (*each)(void *arg, int seat, const char *account), void *arg)
{
	struct store_query q;
	char account[33];
	int r = 0;

	store_query(&q, st, STORE_GAME_SEATS,
	    "SELECT seat, name FROM seat JOIN account ON id = seat.account"
	    " WHERE game = ? ORDER BY seat",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r)) {
		r = store_query_copy(&q, 1, account, sizeof(account));
		if (r == 0)
			r = each(arg, sqlite3_column_int(q.s, 0), account);
	}
	return (r);
}

int
store_game_digits(struct store *st, const char *digits, uint8_t id[HASH_LEN])
{
	return (store_digits(st, STORE_GAME_DIGITS,
	    "SELECT id FROM game WHERE gid > 0"
	    " AND substr(lower(hex(id)), 1, length(?1)) = ?1 LIMIT 2",
	    digits, id));
}

int
store_game_ids(struct store *st, struct buf *ids)
{
	return (store_append_all(st, STORE_GAME_IDS,
	    "SELECT id FROM game WHERE gid > 0 ORDER BY gid", ids));
}

int
store_game_old(struct store *st, struct buf *ids)
{
	return (store_append_all(st, STORE_GAME_OLD,
	    "SELECT id FROM game JOIN snapshot ON snapshot.game = gid"
	    " WHERE old = 1 ORDER BY gid",
	    ids));
}

int
store_game_renewed(struct store *st, int64_t gid)
{
	return (store_run(st, STORE_GAME_RENEWED,
	    "UPDATE snapshot SET old = 0 WHERE game = ?",
	    STORE_VALUES(store_int(gid))));
}
