/* SPDX-License-Identifier: ISC */
/*
 * Games: the state beside the record, and the columns that the lobby lists.
 * A list is always found through an index; a filter that an index does not
 * serve works on the few rows that another one gives.
 */
#include "server/store.h"

#include <string.h>

#include "common/buf.h"
#include "common/hex.h"
#include "server/store_int.h"

#define STORE_GAME_COLUMNS                                                 \
	"gid, id, system, event, phase, account_1, account_2, turn, seq, " \
	"at_ms, private, invited, delay_turns, delay_minutes, listed_ms"
#define STORE_GAME_N_COLUMNS 15
/*
 * Parameters of every list: 1 listed_ms, 2 gid, 3 limit, 4 account; then those
 * of its own.
 */
#define STORE_GAME_NEXT                \
	" (listed_ms, gid) < (?1, ?2)" \
	" ORDER BY listed_ms DESC, gid DESC LIMIT ?3"
/* The same by sorting: the index on time would go through other games. */
#define STORE_GAME_SORT                  \
	" (+listed_ms, +gid) < (?1, ?2)" \
	" ORDER BY +listed_ms DESC, +gid DESC LIMIT ?3"
/*
 * Leaves out, unless ?4 is NULL, private games of which account ?4 cannot know:
 * else whoever makes many has everybody else look at each of them.  view_get()
 * has the last word.
 */
#define STORE_GAME_KNOWN                                          \
	" (?4 IS NULL OR private = 0 OR gid IN (SELECT seat.game" \
	" FROM seat WHERE seat.account ="                         \
	" (SELECT account.id FROM account WHERE name = ?4)"       \
	" UNION ALL SELECT i.game FROM invite_game AS i"          \
	" WHERE i.account ="                                      \
	" (SELECT account.id FROM account WHERE name = ?4)))"
/* The games to which account ?4 is invited, but for those it wants not. */
#define STORE_GAME_INVITED                                          \
	"SELECT i.game FROM invite_game AS i WHERE i.account ="     \
	" (SELECT account.id FROM account WHERE name = ?4)"         \
	" AND NOT EXISTS (SELECT 1 FROM seat AS s CROSS JOIN block" \
	" WHERE s.game = i.game AND block.account = i.account"      \
	" AND block.blocked = s.account)"

/* Reads the columns of STORE_GAME_COLUMNS. */
static int
store_game_read(struct store_query *q, struct store_game_row *row)
{
	const struct {
		char *out;
		size_t n;
	} texts[] = {
	    {row->system, sizeof(row->system)},
	    {row->event, sizeof(row->event)},
	    {row->phase, sizeof(row->phase)},
	    {row->accounts[0], sizeof(row->accounts[0])},
	    {row->accounts[1], sizeof(row->accounts[1])},
	};
	size_t i;
	int r;

	memset(row, 0, sizeof(*row));
	row->gid = sqlite3_column_int64(q->s, 0);
	if ((r = store_query_bytes(q, 1, row->id, HASH_LEN)) != 0)
		return (r);
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		r = store_query_copy(q, 2 + (int)i, texts[i].out, texts[i].n);
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
	return (0);
}

int
store_game_insert(struct store *st, const uint8_t id[HASH_LEN],
    const char *system, const char *event, int64_t at_ms, int64_t *gid)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_GAME_INSERT,
	    "INSERT INTO game (id, system, event, at_ms, listed_ms, phase,"
	    " account_1, account_2, turn, seq)"
	    " VALUES (?1, ?2, ?3, ?4, ?4, '', '', '', 0, -1)");
	store_query_blob(&q, id, HASH_LEN);
	store_query_text(&q, system);
	store_query_text(&q, event);
	store_query_int(&q, at_ms);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	*gid = sqlite3_last_insert_rowid(st->db);
	return (0);
}

int
store_game_set_view(struct store *st, const struct store_game_row *row)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_GAME_SET_VIEW,
	    "UPDATE game SET private = ?, invited = ?, delay_turns = ?,"
	    " delay_minutes = ? WHERE gid = ?");
	store_query_int(&q, row->is_private);
	store_query_int(&q, row->is_invited);
	store_query_int(&q, row->delay_turns);
	store_query_int(&q, row->delay_minutes);
	store_query_int(&q, row->gid);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	return (sqlite3_changes(st->db) == 0 ? ERR_NOTFOUND : 0);
}

int
store_game_update(struct store *st, const struct store_game_row *row,
    const char *snapshot, size_t len)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_GAME_UPDATE,
	    "UPDATE game SET phase = ?1, account_1 = ?2, account_2 = ?3,"
	    " turn = ?4, seq = ?5, at_ms = ?6, listed_ms = CASE"
	    " WHEN ?1 = 'play' AND delay_turns + delay_minutes > 0"
	    " THEN listed_ms ELSE ?6 END WHERE gid = ?7");
	store_query_text(&q, row->phase);
	store_query_text(&q, row->accounts[0]);
	store_query_text(&q, row->accounts[1]);
	store_query_int(&q, row->turn);
	store_query_int(&q, row->seq);
	store_query_int(&q, row->at_ms);
	store_query_int(&q, row->gid);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	if (sqlite3_changes(st->db) == 0)
		return (ERR_NOTFOUND);
	store_query_init(&q, st, STORE_GAME_SNAPSHOT,
	    "INSERT INTO snapshot (game, bytes) VALUES (?, ?)"
	    " ON CONFLICT (game) DO UPDATE SET bytes = excluded.bytes");
	store_query_int(&q, row->gid);
	store_query_blob(&q, snapshot, len);
	return (store_query_run(&q));
}

int
store_game_find(struct store *st, const uint8_t id[HASH_LEN],
    struct store_game_row *row, struct buf *snapshot)
{
	struct store_query q;
	struct store_game_row got;
	int r;

	if (snapshot == NULL)
		store_query_init(&q, st, STORE_GAME_FIND,
		    "SELECT " STORE_GAME_COLUMNS " FROM game WHERE id = ?");
	else
		store_query_init(&q, st, STORE_GAME_LOAD,
		    "SELECT " STORE_GAME_COLUMNS ", bytes FROM game"
		    " CROSS JOIN snapshot ON game = gid WHERE id = ?");
	store_query_blob(&q, id, HASH_LEN);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_game_read(&q, &got);
	if (r == 0 && snapshot != NULL)
		r = store_query_append(&q, STORE_GAME_N_COLUMNS, snapshot);
	if (r == 0)
		*row = got;
	store_query_end(&q);
	return (r);
}

int
store_game_seat(struct store *st, int64_t gid, int seat, const char *account)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_GAME_SEAT,
	    "INSERT INTO seat (game, seat, account)"
	    " SELECT ?, ?, id FROM account WHERE name = ?");
	store_query_int(&q, gid);
	store_query_int(&q, seat);
	store_query_text(&q, account);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	return (sqlite3_changes(st->db) == 0 ? ERR_NOTFOUND : 0);
}

int
store_game_unseat(struct store *st, int64_t gid, int seat)
{
	struct store_query q;

	store_query_init(&q, st, STORE_GAME_UNSEAT,
	    "DELETE FROM seat WHERE game = ? AND seat = ?");
	store_query_int(&q, gid);
	store_query_int(&q, seat);
	return (store_query_run(&q));
}

int
store_game_seats(struct store *st, int64_t gid,
    int (*each)(void *arg, int seat, const char *account), void *arg)
{
	struct store_query q;
	char account[33];
	int r;

	store_query_init(&q, st, STORE_GAME_SEATS,
	    "SELECT seat, name FROM seat JOIN account ON id = seat.account"
	    " WHERE game = ? ORDER BY seat");
	store_query_int(&q, gid);
	while ((r = store_query_step(&q)) == 0) {
		r = store_query_copy(&q, 1, account, sizeof(account));
		if (r == 0)
			r = each(arg, sqlite3_column_int(q.s, 0), account);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* The lowest and the highest id with a prefix of 1 to 64 hex digits. */
static int
store_game_range(const char *prefix, uint8_t lo[HASH_LEN], uint8_t hi[HASH_LEN])
{
	char digits[2][2 * HASH_LEN];
	size_t n;
	int r;

	n = strlen(prefix);
	if (n < 1 || n > 2 * HASH_LEN)
		return (ERR_INVALID);
	memset(digits[0], '0', sizeof(digits[0]));
	memset(digits[1], 'f', sizeof(digits[1]));
	memcpy(digits[0], prefix, n);
	memcpy(digits[1], prefix, n);
	r = hex_decode(lo, HASH_LEN, digits[0], 2 * HASH_LEN);
	if (r == 0)
		r = hex_decode(hi, HASH_LEN, digits[1], 2 * HASH_LEN);
	return (r == 0 ? 0 : ERR_INVALID);
}

/* Prepares the list for the most selective of the filters. */
static void
store_game_select(struct store_query *q, struct store *st, const char *account,
    const char *phase, const char *prefix)
{
	if (prefix != NULL)
		store_query_init(q, st, STORE_GAME_EACH_PREFIX,
		    "SELECT " STORE_GAME_COLUMNS " FROM game"
		    " WHERE id BETWEEN ?7 AND ?8"
		    " AND (?5 IS NULL OR +phase = ?5)"
		    " AND (?6 IS NULL OR EXISTS (SELECT 1 FROM seat"
		    " WHERE seat.game = gid AND +seat.account ="
		    " (SELECT account.id FROM account WHERE name = ?6)))"
		    " AND" STORE_GAME_KNOWN " AND" STORE_GAME_SORT);
	else if (account != NULL)
		store_query_init(q, st, STORE_GAME_EACH_ACCOUNT,
		    "SELECT " STORE_GAME_COLUMNS " FROM game"
		    " WHERE gid IN (SELECT seat.game FROM seat"
		    " WHERE seat.account ="
		    " (SELECT account.id FROM account WHERE name = ?6))"
		    " AND (?5 IS NULL OR +phase = ?5)"
		    " AND" STORE_GAME_KNOWN " AND" STORE_GAME_SORT);
	else if (phase != NULL)
		store_query_init(q, st, STORE_GAME_EACH_PHASE,
		    "SELECT " STORE_GAME_COLUMNS " FROM game"
		    " WHERE phase = ?5"
		    " AND" STORE_GAME_KNOWN " AND" STORE_GAME_NEXT);
	else
		store_query_init(q, st, STORE_GAME_EACH,
		    "SELECT " STORE_GAME_COLUMNS " FROM game"
		    " WHERE" STORE_GAME_KNOWN " AND" STORE_GAME_NEXT);
}

/* Gives the rows of a list whose parameters are bound. */
static int
store_game_rows(struct store_query *q,
    int (*each)(void *arg, const struct store_game_row *row), void *arg)
{
	struct store_game_row row;
	int r;

	while ((r = store_query_step(q)) == 0) {
		r = store_game_read(q, &row);
		if (r == 0)
			r = each(arg, &row);
		if (r != 0) {
			store_query_end(q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_game_each(struct store *st, const char *viewer, const char *account,
    const char *phase, const char *prefix, int limit, int64_t before_ms,
    int64_t before_gid,
    int (*each)(void *arg, const struct store_game_row *row), void *arg)
{
	struct store_query q;
	uint8_t lo[HASH_LEN], hi[HASH_LEN];
	int r;

	if (prefix != NULL && (r = store_game_range(prefix, lo, hi)) != 0)
		return (r);
	store_game_select(&q, st, account, phase, prefix);
	store_query_int(&q, before_ms);
	store_query_int(&q, before_gid);
	store_query_int(&q, limit);
	store_query_text(&q, viewer);
	if (prefix != NULL || account != NULL || phase != NULL)
		store_query_text(&q, phase);
	if (prefix != NULL || account != NULL)
		store_query_text(&q, account);
	if (prefix != NULL) {
		store_query_blob(&q, lo, HASH_LEN);
		store_query_blob(&q, hi, HASH_LEN);
	}
	return (store_game_rows(&q, each, arg));
}

int
store_game_each_open(struct store *st, const char *account, int64_t before_ms,
    int64_t before_gid,
    int (*each)(void *arg, const struct store_game_row *row), void *arg)
{
	struct store_query q;

	store_query_init(&q, st, STORE_GAME_EACH_OPEN,
	    "SELECT " STORE_GAME_COLUMNS " FROM game"
	    " WHERE gid IN (SELECT seat.game FROM seat WHERE seat.account ="
	    " (SELECT account.id FROM account WHERE name = ?4)"
	    " UNION " STORE_GAME_INVITED ")"
	    " AND +phase NOT IN ('finished', 'halted')"
	    " AND (+phase = 'muster' OR EXISTS (SELECT 1 FROM seat"
	    " WHERE seat.game = gid AND seat.account ="
	    " (SELECT account.id FROM account WHERE name = ?4)))"
	    " AND" STORE_GAME_SORT);
	store_query_int(&q, before_ms);
	store_query_int(&q, before_gid);
	store_query_int(&q, -1);
	store_query_text(&q, account);
	return (store_game_rows(&q, each, arg));
}

int
store_game_each_invited(struct store *st, const char *account,
    int64_t before_ms, int64_t before_gid,
    int (*each)(void *arg, const struct store_game_row *row), void *arg)
{
	struct store_query q;

	store_query_init(&q, st, STORE_GAME_EACH_INVITED,
	    "SELECT " STORE_GAME_COLUMNS " FROM game"
	    " WHERE gid IN (" STORE_GAME_INVITED ")"
	    " AND" STORE_GAME_SORT);
	store_query_int(&q, before_ms);
	store_query_int(&q, before_gid);
	store_query_int(&q, -1);
	store_query_text(&q, account);
	return (store_game_rows(&q, each, arg));
}

int
store_game_each_blob(struct store *st, const uint8_t hash[HASH_LEN],
    const char *account,
    int (*each)(void *arg, const struct store_game_row *row), void *arg)
{
	struct store_query q;

	store_query_init(&q, st, STORE_GAME_EACH_BLOB,
	    "SELECT " STORE_GAME_COLUMNS " FROM game WHERE gid IN"
	    " (SELECT game FROM line_blob WHERE hash = ?1)"
	    " AND (private = 0 OR EXISTS (SELECT 1 FROM seat"
	    " WHERE seat.game = gid AND +seat.account ="
	    " (SELECT account.id FROM account WHERE name = ?2))"
	    " OR EXISTS (SELECT 1 FROM invite_game AS i"
	    " WHERE i.game = gid AND i.account ="
	    " (SELECT account.id FROM account WHERE name = ?2)))");
	store_query_blob(&q, hash, HASH_LEN);
	store_query_text(&q, account);
	return (store_game_rows(&q, each, arg));
}

int
store_game_old(struct store *st, struct buf *ids)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_GAME_OLD,
	    "SELECT id FROM game JOIN snapshot ON snapshot.game = gid"
	    " WHERE old = 1 ORDER BY gid");
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
store_game_renewed(struct store *st, int64_t gid)
{
	struct store_query q;

	store_query_init(&q, st, STORE_GAME_RENEWED,
	    "UPDATE snapshot SET old = 0 WHERE game = ?");
	store_query_int(&q, gid);
	return (store_query_run(&q));
}
