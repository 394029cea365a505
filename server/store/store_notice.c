/* SPDX-License-Identifier: ISC */
/*
 * What waits for whom.  A notice is one thing by one channel.  It is sent once
 * because it is one row, which stays until the thing no longer waits.
 */
#include "server/store/store_notice.h"

#include <string.h>

#include "server/store/store_int.h"

/* Reads what a notice is: what, since, channel and until_ms, from col on. */
static int
store_notice_read(struct store_query *q, int col, struct store_notice *n)
{
	char name[17]; /* longer than any */
	int r;

	if ((r = store_query_copy(q, col, name, sizeof(name))) == 0)
		r = store_query_channel(q, col + 2, &n->channel);
	if (r == 0) {
		n->what = owed_of(name);
		n->told = told_of(name);
	}
	n->since = sqlite3_column_int64(q->s, col + 1);
	n->until_ms = store_query_opt_int(q, col + 3);
	return (r);
}

/* Reads quiet hours, which may be none, from col on. */
static void
store_notice_read_quiet(struct store_query *q, int col, struct store_quiet *out)
{
	out->has_quiet = sqlite3_column_type(q->s, col) != SQLITE_NULL;
	out->offset_min = sqlite3_column_int(q->s, col);
	out->from_min = sqlite3_column_int(q->s, col + 1);
	out->to_min = sqlite3_column_int(q->s, col + 2);
}

/* Reads a row of store_notice_each_due(). */
static int
store_notice_read_due(struct store_query *q, struct store_notice *n)
{
	const struct {
		int col;
		char *out;
		size_t size;
	} texts[] = {
	    {2, n->account, sizeof(n->account)},
	    {3, n->system, sizeof(n->system)},
	    {15, n->address, sizeof(n->address)},
	    {16, n->account_1, sizeof(n->account_1)},
	    {17, n->account_2, sizeof(n->account_2)},
	    {18, n->event, sizeof(n->event)},
	    {19, n->data, sizeof(n->data)},
	};
	size_t i;
	int r;

	memset(n, 0, sizeof(*n));
	n->id = sqlite3_column_int64(q->s, 0);
	if ((r = store_query_bytes(q, 1, n->game, HASH_LEN)) != 0 ||
	    (r = store_notice_read(q, 4, n)) != 0)
		return (r);
	n->at_ms = sqlite3_column_int64(q->s, 8);
	n->tries = sqlite3_column_int(q->s, 9);
	n->next_ms = sqlite3_column_int64(q->s, 10);
	store_notice_read_quiet(q, 11, &n->quiet);
	n->address_id = store_query_opt_int(q, 14);
	n->is_tournament = sqlite3_column_type(q->s, 19) != SQLITE_NULL;
	n->round = sqlite3_column_int(q->s, 20);
	n->table = sqlite3_column_int(q->s, 21);
	if (n->round > 0 &&
	    (r = store_query_bytes(q, 22, n->tournament, HASH_LEN)) != 0)
		return (r);
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		r = store_query_copy(
		    q, texts[i].col, texts[i].out, texts[i].size);
		if (r != 0)
			return (r);
	}
	return (0);
}

int
store_notice_each_group(struct store *st, int64_t now_ms, unsigned channels,
    int (*cb)(void *arg, const struct store_group *g), void *arg)
{
	struct store_query q;
	struct store_group g;
	int r = 0;

	/* The index alone tells what is due. */
	store_query(&q, st, STORE_NOTICE_GROUP,
	    "SELECT a.name, due.channel, q.offset_min, q.from_min, q.to_min,"
	    " coalesce(d.failed_ms, -1) > coalesce(d.sent_ms, -1)"
	    " FROM (SELECT account, channel, min(next_ms) AS first_ms"
	    " FROM notice WHERE channel IN (?, ?, ?) AND next_ms <= ?"
	    " GROUP BY account, channel) AS due"
	    " CROSS JOIN account AS a ON a.id = due.account"
	    " LEFT JOIN quiet AS q ON q.account = due.account"
	    " LEFT JOIN address AS d ON d.account = due.account"
	    " AND d.kind = due.channel AND d.confirmed = 1"
	    " WHERE due.channel = 'command' OR d.id IS NOT NULL"
	    " ORDER BY first_ms, due.account, due.channel",
	    STORE_VALUES(store_channel_if(channels, STORE_CHANNEL_COMMAND),
		store_channel_if(channels, STORE_CHANNEL_MAIL),
		store_channel_if(channels, STORE_CHANNEL_WEBHOOK),
		store_int(now_ms)));
	while (store_query_next(&q, &r)) {
		memset(&g, 0, sizeof(g));
		store_notice_read_quiet(&q, 2, &g.quiet);
		g.is_doubtful = sqlite3_column_int(q.s, 5) != 0;
		if ((r = store_query_copy(
			 &q, 0, g.account, sizeof(g.account))) == 0 &&
		    (r = store_query_channel(&q, 1, &g.channel)) == 0)
			r = cb(arg, &g);
	}
	return (r);
}

int
store_notice_each_due(struct store *st, int64_t now_ms, const char *account,
    enum store_channel channel,
    int (*cb)(void *arg, const struct store_notice *n), void *arg)
{
	struct store_query q;
	struct store_notice n;
	int r = 0;

	store_query(&q, st, STORE_NOTICE_DUE,
	    "SELECT n.id, coalesce(g.id, t.id), a.name,"
	    " coalesce(g.system, t.system), n.what, n.since, n.channel,"
	    " n.until_ms, n.at_ms, n.tries, n.next_ms, q.offset_min,"
	    " q.from_min, q.to_min, d.id, d.value, g.account_1, g.account_2,"
	    " coalesce(t.event, u.event), n.data, p.round, p.table_no, u.id"
	    " FROM account AS a"
	    " CROSS JOIN notice AS n ON n.account = a.id"
	    " LEFT JOIN game AS g ON g.gid = n.game"
	    " LEFT JOIN tournament AS t ON t.tid = n.tournament"
	    " LEFT JOIN tournament_game AS p ON p.game = n.game"
	    " LEFT JOIN tournament AS u ON u.tid = p.tournament"
	    " LEFT JOIN quiet AS q ON q.account = n.account"
	    " LEFT JOIN address AS d ON d.account = n.account"
	    " AND d.kind = n.channel AND d.confirmed = 1"
	    " WHERE a.name = ? AND n.channel = ? AND n.next_ms <= ?"
	    " AND (n.channel = 'command' OR d.id IS NOT NULL)"
	    " ORDER BY n.id",
	    STORE_VALUES(store_text(account),
		store_text(store_channel_names[channel]), store_int(now_ms)));
	while (store_query_next(&q, &r)) {
		r = store_notice_read_due(&q, &n);
		if (r == 0)
			r = cb(arg, &n);
	}
	return (r);
}

/* Lowers *next_ms to what a query finds for a channel, if it finds any. */
static int
store_notice_sooner(struct store *st, enum store_sql id, const char *sql,
    int channel, int64_t *next_ms)
{
	struct store_query q;
	int64_t got;
	int r;

	store_query(&q, st, id, sql,
	    STORE_VALUES(store_text(store_channel_names[channel])));
	if ((r = store_query_step(&q)) != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	got = store_query_opt_int(&q, 0);
	if (got >= 0 && (*next_ms < 0 || got < *next_ms))
		*next_ms = got;
	store_query_end(&q);
	return (0);
}

int
store_notice_next(struct store *st, unsigned channels, int64_t *next_ms)
{
	int64_t got = -1;
	int i, r;

	for (i = 0; i < STORE_CHANNELS; i++) {
		if ((channels & 1u << i) == 0)
			continue;
		r = store_notice_sooner(st, STORE_NOTICE_NEXT,
		    "SELECT min(next_ms) FROM notice"
		    " WHERE channel = ? AND next_ms IS NOT NULL",
		    i, &got);
		if (r == 0)
			r = store_notice_sooner(st, STORE_ADDRESS_NEXT,
			    "SELECT min(next_ms) FROM address"
			    " WHERE kind = ? AND next_ms IS NOT NULL",
			    i, &got);
		if (r != 0)
			return (r);
	}
	*next_ms = got;
	return (0);
}

int
store_notice_each_game(struct store *st, int64_t gid,
    int (*each)(void *arg, const struct store_notice *n), void *arg)
{
	struct store_query q;
	struct store_notice n;
	int r = 0;

	store_query(&q, st, STORE_NOTICE_EACH_GAME,
	    "SELECT n.id, name, what, since, channel, until_ms"
	    " FROM notice AS n CROSS JOIN account AS a ON a.id = n.account"
	    " WHERE n.game = ?",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r)) {
		memset(&n, 0, sizeof(n));
		n.id = sqlite3_column_int64(q.s, 0);
		r = store_query_copy(&q, 1, n.account, sizeof(n.account));
		if (r == 0)
			r = store_notice_read(&q, 2, &n);
		if (r == 0)
			r = each(arg, &n);
	}
	return (r);
}

int
store_notice_insert(struct store *st, int64_t gid, const struct store_notice *n)
{
	return (store_run(st, STORE_NOTICE_INSERT,
	    "INSERT INTO notice (game, what, since, channel, at_ms, until_ms,"
	    " next_ms, account)"
	    " SELECT ?, ?, ?, ?, ?, ?, ?, id FROM account WHERE name = ?"
	    " ON CONFLICT (game, account, what, since, channel) DO NOTHING",
	    STORE_VALUES(store_int(gid), store_text(owed_words(n->what)->name),
		store_int(n->since),
		store_text(store_channel_names[n->channel]),
		store_int(n->at_ms), store_opt(n->until_ms),
		store_opt(n->next_ms), store_text(n->account))));
}

int
store_notice_update(
    struct store *st, int64_t id, int64_t since, int64_t until_ms)
{
	return (store_run(st, STORE_NOTICE_UPDATE,
	    "UPDATE OR REPLACE notice SET since = ?, until_ms = ? WHERE id = "
	    "?",
	    STORE_VALUES(
		store_int(since), store_opt(until_ms), store_int(id))));
}

int
store_notice_delete(struct store *st, int64_t id)
{
	return (store_run(st, STORE_NOTICE_DELETE,
	    "DELETE FROM notice WHERE id = ?", STORE_VALUES(store_int(id))));
}

int
store_notice_clear(
    struct store *st, const char *account, enum store_channel channel)
{
	return (store_run(st, STORE_NOTICE_CLEAR,
	    "DELETE FROM notice WHERE account ="
	    " (SELECT a.id FROM account AS a WHERE name = ?) AND channel = ?",
	    STORE_VALUES(store_text(account),
		store_text(store_channel_names[channel]))));
}

int
store_notice_block(struct store *st, const char *account, const char *blocked)
{
	return (store_run(st, STORE_NOTICE_BLOCK,
	    "DELETE FROM notice WHERE what = 'invitation' AND account ="
	    " (SELECT a.id FROM account AS a WHERE name = ?) AND EXISTS"
	    " (SELECT 1 FROM seat AS s WHERE s.game = notice.game"
	    " AND s.account ="
	    " (SELECT b.id FROM account AS b WHERE name = ?))",
	    STORE_VALUES(store_text(account), store_text(blocked))));
}

int
store_notice_tried(struct store *st, int64_t id, int64_t next_ms, bool is_try,
    char *account, enum store_channel *channel)
{
	struct store_query q;
	char name[ORDER_ACCOUNT_MAX + 1];
	enum store_channel got;
	int r;

	store_query(&q, st, STORE_NOTICE_GET,
	    "SELECT name, channel FROM notice AS n"
	    " CROSS JOIN account AS a ON a.id = n.account WHERE n.id = ?",
	    STORE_VALUES(store_int(id)));
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_copy(&q, 0, name, sizeof(name));
	if (r == 0)
		r = store_query_channel(&q, 1, &got);
	store_query_end(&q);
	if (r != 0)
		return (r);
	r = store_run(st, STORE_NOTICE_TRIED,
	    "UPDATE notice SET tries = tries + ?, next_ms = ? WHERE id = ?",
	    STORE_VALUES(store_int(is_try), store_opt(next_ms), store_int(id)));
	if (r != 0)
		return (r);
	memcpy(account, name, sizeof(name));
	*channel = got;
	return (0);
}

int
store_notice_bring(struct store *st, int64_t last_ms, int64_t now_ms, bool *any)
{
	int notices;
	int r;

	/* The channels are there for the index. */
	r = store_run(st, STORE_NOTICE_SOONER,
	    "UPDATE notice SET next_ms = ?1"
	    " WHERE channel IN ('command', 'mail', 'webhook') AND next_ms > ?2"
	    /* What has a time of its own is late only after that. */
	    " AND (due_ms IS NULL OR next_ms > due_ms + (?2 - ?1))",
	    STORE_VALUES(store_int(now_ms), store_int(last_ms)));
	if (r != 0)
		return (r);
	notices = sqlite3_changes(st->db);
	r = store_run(st, STORE_ADDRESS_SOONER,
	    "UPDATE address SET next_ms = ?"
	    " WHERE kind IN ('mail', 'webhook') AND next_ms > ?",
	    STORE_VALUES(store_int(now_ms), store_int(last_ms)));
	if (r != 0)
		return (r);
	*any = notices > 0 || sqlite3_changes(st->db) > 0;
	return (0);
}
