/* SPDX-License-Identifier: ISC */
/*
 * Lists of games.  Games that are not private are found through indexes that
 * hold no others; private ones through the seats and invitations of the
 * account that asks.  So nobody pays for games of which they cannot know,
 * however many there are.  SQLite merges the two in one order.
 *
 * Where no index gives that order, rows are sorted: "+" before a column keeps
 * SQLite from walking through all games by time instead.
 */
#include "server/store/store.h"

#include <string.h>

#include "common/base/hex.h"
#include "server/store/store_int.h"

/*
 * Parameters: 1 and 2 are the place to go on after, 3 the viewer, 4 the least
 * listed_ms; then, as far as a list has them, 5 the phase (of the newest
 * without one, from when on they have not lapsed), 6 the account that sits
 * there, 7 and 8 the first and the last id, 9 the system, 10 the event.
 */
#define STORE_LIST_SELECT "SELECT " STORE_GAME_COLUMNS " FROM game"
#define STORE_LIST_NEXT " listed_ms >= ?4 AND (listed_ms, gid) < (?1, ?2)"
#define STORE_LIST_SIFT " +listed_ms >= ?4 AND (+listed_ms, +gid) < (?1, ?2)"
#define STORE_LIST_ORDER " ORDER BY listed_ms DESC, gid DESC"
#define STORE_LIST_VIEWER "(SELECT account.id FROM account WHERE name = ?3)"
#define STORE_LIST_SITTER "(SELECT account.id FROM account WHERE name = ?6)"

/* The private games in which the viewer sits or to which it is invited. */
#define STORE_LIST_OWN                                                  \
	STORE_LIST_SELECT " WHERE gid IN (SELECT s.game FROM seat AS s" \
			  " WHERE s.account = " STORE_LIST_VIEWER       \
			  " AND s.private = 1 UNION ALL"                \
			  " SELECT i.game FROM invite_game AS i"        \
			  " WHERE i.account = " STORE_LIST_VIEWER       \
			  " AND i.ended = 0)"                           \
			  " AND +private = 1 AND" STORE_LIST_SIFT

/*
 * The phase and the system.  SQLite would look whether a bare parameter fits
 * the condition of an index, and so prepare the statement again whenever one is
 * bound.
 */
#define STORE_LIST_PHASE_BOUND "CAST(?5 AS TEXT)"
#define STORE_LIST_SYSTEM_BOUND "CAST(?9 AS TEXT)"

/* Filters of rows that are found in another way. */
#define STORE_LIST_PHASE_IS " AND (?5 IS NULL OR +phase = ?5)"
#define STORE_LIST_SYSTEM_IS " AND (?9 IS NULL OR +system = ?9)"
#define STORE_LIST_REST                          \
	STORE_LIST_PHASE_IS STORE_LIST_SYSTEM_IS \
	    " AND (?10 IS NULL OR +event = ?10)"
#define STORE_LIST_ID_IS " AND +id BETWEEN ?7 AND ?8"
#define STORE_LIST_SITS                          \
	" AND (?6 IS NULL OR EXISTS (SELECT 1"   \
	" FROM seat AS t WHERE t.game = gid AND" \
	" +t.account = " STORE_LIST_SITTER "))"

/*
 * There is a later one of the same account's that everybody may join; what
 * else it must be is added, then a bracket.
 */
#define STORE_LIST_LATER                                            \
	" EXISTS (SELECT 1 FROM game AS o WHERE o.phase = 'muster'" \
	" AND o.private = 0 AND o.opener = game.opener"             \
	" AND (o.listed_ms, o.gid) > (game.listed_ms, game.gid)"
#define STORE_LIST_LATER_LIKE " AND +o.system = game.system"

/* The games to which the viewer is invited and wants to be. */
#define STORE_LIST_GUEST                                           \
	"SELECT i.game FROM invite_game AS i"                      \
	" WHERE i.account = " STORE_LIST_VIEWER                    \
	" AND i.ended = 0 AND NOT EXISTS (SELECT 1 FROM seat AS s" \
	" CROSS JOIN block WHERE s.game = i.game"                  \
	" AND block.account = i.account AND block.blocked = s.account)"

/* The lowest and the highest id with a prefix of 1 to 64 hex digits. */
static int
store_list_range(const char *prefix, uint8_t lo[HASH_LEN], uint8_t hi[HASH_LEN])
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
	r = hex_parse(lo, HASH_LEN, digits[0], 2 * HASH_LEN);
	if (r == 0)
		r = hex_parse(hi, HASH_LEN, digits[1], 2 * HASH_LEN);
	return (r == 0 ? 0 : ERR_INVALID);
}

/* Prepares a list of games of all systems, or of one phase or the newest. */
static void
store_list_select_all(
    struct store_query *q, struct store *st, const struct store_list *list)
{
	if (list->is_newest && list->phase != NULL)
		store_query_init(q, st, STORE_LIST_NEWEST_MUSTER,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND phase = 'muster'"
		    " AND" STORE_LIST_NEXT " AND NOT" STORE_LIST_LATER
		    ") UNION ALL " STORE_LIST_OWN
		    " AND +phase = 'muster'" STORE_LIST_ORDER);
	else if (list->is_newest)
		store_query_init(q, st, STORE_LIST_NEWEST,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND" STORE_LIST_NEXT
		    " AND NOT (+phase = 'muster' AND +listed_ms >= ?5"
		    " AND" STORE_LIST_LATER
		    ")) UNION ALL " STORE_LIST_OWN STORE_LIST_ORDER);
	else if (list->phase != NULL)
		store_query_init(q, st, STORE_LIST_PHASE,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND phase = " STORE_LIST_PHASE_BOUND
		    " AND" STORE_LIST_NEXT
		    " UNION ALL " STORE_LIST_OWN STORE_LIST_PHASE_IS
			STORE_LIST_ORDER);
	else
		store_query_init(q, st, STORE_LIST_ALL,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND" STORE_LIST_NEXT
		    " UNION ALL " STORE_LIST_OWN STORE_LIST_ORDER);
}

/* The same of the games of a system. */
static void
store_list_select_system(
    struct store_query *q, struct store *st, const struct store_list *list)
{
	if (list->is_newest && list->phase != NULL)
		store_query_init(q, st, STORE_LIST_SYSTEM_MUSTER,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND system = " STORE_LIST_SYSTEM_BOUND
		    " AND phase = 'muster' AND" STORE_LIST_NEXT
		    " AND NOT" STORE_LIST_LATER STORE_LIST_LATER_LIKE
		    ") UNION ALL " STORE_LIST_OWN
		    " AND +phase = 'muster'" STORE_LIST_SYSTEM_IS
			STORE_LIST_ORDER);
	else if (list->is_newest)
		store_query_init(q, st, STORE_LIST_SYSTEM_NEWEST,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND system = " STORE_LIST_SYSTEM_BOUND
		    " AND" STORE_LIST_NEXT
		    " AND NOT (+phase = 'muster' AND +listed_ms >= ?5"
		    " AND" STORE_LIST_LATER STORE_LIST_LATER_LIKE
		    ")) UNION ALL " STORE_LIST_OWN STORE_LIST_SYSTEM_IS
			STORE_LIST_ORDER);
	else if (list->phase != NULL)
		store_query_init(q, st, STORE_LIST_SYSTEM_PHASE,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND system = " STORE_LIST_SYSTEM_BOUND
		    " AND phase = " STORE_LIST_PHASE_BOUND
		    " AND" STORE_LIST_NEXT
		    " UNION ALL " STORE_LIST_OWN STORE_LIST_PHASE_IS
			STORE_LIST_SYSTEM_IS STORE_LIST_ORDER);
	else
		store_query_init(q, st, STORE_LIST_SYSTEM,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND system = " STORE_LIST_SYSTEM_BOUND
		    " AND" STORE_LIST_NEXT
		    " UNION ALL " STORE_LIST_OWN STORE_LIST_SYSTEM_IS
			STORE_LIST_ORDER);
}

/* Prepares the list for the most selective of its filters. */
static void
store_list_select(
    struct store_query *q, struct store *st, const struct store_list *list)
{
	if (list->prefix != NULL)
		store_query_init(q, st, STORE_LIST_PREFIX,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND id BETWEEN ?7 AND ?8"
		    " AND" STORE_LIST_SIFT STORE_LIST_REST STORE_LIST_SITS
		    " UNION ALL " STORE_LIST_OWN STORE_LIST_REST
			STORE_LIST_ID_IS STORE_LIST_SITS STORE_LIST_ORDER);
	else if (list->account != NULL)
		store_query_init(q, st, STORE_LIST_ACCOUNT,
		    STORE_LIST_SELECT
		    " WHERE gid IN (SELECT s.game FROM seat AS s"
		    " WHERE s.account = " STORE_LIST_SITTER
		    " AND s.private = 0)"
		    " AND" STORE_LIST_SIFT STORE_LIST_REST
		    " UNION ALL " STORE_LIST_OWN STORE_LIST_REST STORE_LIST_SITS
			STORE_LIST_ORDER);
	else if (list->event != NULL)
		store_query_init(q, st, STORE_LIST_EVENT,
		    STORE_LIST_SELECT
		    " WHERE private = 0 AND event <> ''"
		    " AND event = CAST(?10 AS TEXT) AND" STORE_LIST_NEXT
			STORE_LIST_PHASE_IS STORE_LIST_SYSTEM_IS
		    " UNION ALL " STORE_LIST_OWN STORE_LIST_REST
			STORE_LIST_ORDER);
	else if (list->system != NULL)
		store_list_select_system(q, st, list);
	else
		store_list_select_all(q, st, list);
}

/* Gives the rows of a list whose parameters are bound. */
static int
store_list_rows(struct store_query *q, store_each_row *each, void *arg)
{
	struct store_game_row row;
	int r = 0;

	while (store_query_next(q, &r)) {
		r = store_game_read(q, &row);
		if (r == 0)
			r = each(arg, &row);
	}
	return (r);
}

/* Binds one more parameter, if the list has as many. */
static void
store_list_bind(struct store_query *q, struct store_value v)
{
	if (q->s != NULL && q->n < sqlite3_bind_parameter_count(q->s))
		store_query_bind(q, v);
}

int
store_list_each(struct store *st, const struct store_list *list,
    store_each_row *each, void *arg)
{
	const bool is_muster =
	    list->phase != NULL && strcmp(list->phase, "muster") == 0;
	const bool is_lapsed =
	    list->phase != NULL && strcmp(list->phase, "lapsed") == 0;
	const bool is_before = is_lapsed && list->before_ms >= list->lapsed_ms;
	const bool is_newest = list->is_newest && list->prefix == NULL &&
	    list->account == NULL && list->event == NULL;
	struct store_query q;
	uint8_t lo[HASH_LEN], hi[HASH_LEN];
	int r;

	if (list->prefix != NULL &&
	    (r = store_list_range(list->prefix, lo, hi)) != 0)
		return (r);
	store_list_select(&q, st, list);
	store_query_bind(
	    &q, store_int(is_before ? list->lapsed_ms : list->before_ms));
	store_query_bind(&q, store_int(is_before ? 0 : list->before_gid));
	store_query_bind(&q, store_text(list->viewer));
	store_query_bind(
	    &q, store_int(is_muster ? list->lapsed_ms : INT64_MIN));
	store_list_bind(&q,
	    is_newest && list->phase == NULL
		? store_int(list->lapsed_ms)
		: store_text(is_lapsed ? "muster" : list->phase));
	store_list_bind(&q, store_text(list->account));
	store_list_bind(&q,
	    list->prefix == NULL ? store_opt(-1) : store_blob(lo, HASH_LEN));
	store_list_bind(&q,
	    list->prefix == NULL ? store_opt(-1) : store_blob(hi, HASH_LEN));
	store_list_bind(&q, store_text(list->system));
	store_list_bind(&q, store_text(list->event));
	return (store_list_rows(&q, each, arg));
}

int
store_list_others(struct store *st, int64_t gid, int64_t lapsed_ms, int64_t *n,
    char opener[STORE_ACCOUNT_MAX + 1])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_LIST_OTHERS,
	    "SELECT name, (SELECT count(*) FROM game AS o"
	    " WHERE o.phase = 'muster' AND o.private = 0"
	    " AND o.opener = game.opener AND o.listed_ms >= ?2)"
	    " FROM game CROSS JOIN account ON account.id = opener"
	    " WHERE gid = ?1",
	    STORE_VALUES(store_int(gid), store_int(lapsed_ms)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_copy(&q, 0, opener, STORE_ACCOUNT_MAX + 1);
	if (r == 0)
		*n = sqlite3_column_int64(q.s, 1) - 1;
	store_query_end(&q);
	return (r);
}

int
store_list_musters(struct store *st, const char *opener, int64_t lapsed_ms,
    int64_t *n, uint8_t oldest[HASH_LEN])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_LIST_MUSTERS,
	    "SELECT count(*), id, min(listed_ms) FROM game"
	    " WHERE phase = 'muster' AND private IN (0, 1) AND opener ="
	    " (SELECT account.id FROM account WHERE name = ?)"
	    " AND listed_ms >= ?",
	    STORE_VALUES(store_text(opener), store_int(lapsed_ms)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*n = sqlite3_column_int64(q.s, 0);
	if (*n > 0)
		r = store_query_bytes(&q, 1, oldest, HASH_LEN);
	store_query_end(&q);
	return (r);
}

int
store_list_open(struct store *st, const char *account, int64_t before_ms,
    int64_t before_gid, store_each_row *each, void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_LIST_OPEN,
	    STORE_LIST_SELECT " WHERE gid IN (SELECT s.game FROM seat AS s"
			      " WHERE s.account = " STORE_LIST_VIEWER
			      " UNION " STORE_LIST_GUEST ")"
			      " AND +phase NOT IN ('finished', 'halted')"
			      " AND" STORE_LIST_SIFT STORE_LIST_ORDER,
	    STORE_VALUES(store_int(before_ms), store_int(before_gid),
		store_text(account), store_int(INT64_MIN)));
	return (store_list_rows(&q, each, arg));
}

int
store_list_invited(struct store *st, const char *account, int64_t before_ms,
    int64_t before_gid, store_each_row *each, void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_LIST_INVITED,
	    STORE_LIST_SELECT " WHERE gid IN (" STORE_LIST_GUEST ")"
			      " AND" STORE_LIST_SIFT STORE_LIST_ORDER,
	    STORE_VALUES(store_int(before_ms), store_int(before_gid),
		store_text(account), store_int(INT64_MIN)));
	return (store_list_rows(&q, each, arg));
}

int
store_list_blob(struct store *st, const uint8_t hash[HASH_LEN],
    const char *account, store_each_row *each, void *arg)
{
	struct store_query q;

	store_query(&q, st, STORE_LIST_BLOB,
	    STORE_LIST_SELECT
	    " WHERE gid IN (SELECT s.game FROM seat AS s WHERE s.account ="
	    " (SELECT account.id FROM account WHERE name = ?2)"
	    " AND s.private = 1 UNION ALL"
	    " SELECT i.game FROM invite_game AS i WHERE i.account ="
	    " (SELECT account.id FROM account WHERE name = ?2)"
	    " AND i.ended = 0)"
	    " AND EXISTS (SELECT 1 FROM line_blob"
	    " WHERE line_blob.game = gid AND +hash = ?1)",
	    STORE_VALUES(store_blob(hash, HASH_LEN), store_text(account)));
	return (store_list_rows(&q, each, arg));
}
