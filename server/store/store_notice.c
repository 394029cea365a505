/* SPDX-License-Identifier: ISC */
/*
 * What waits for whom.  A notice is one thing by one channel; that it is sent
 * once follows from its being one row, which stays until the thing no longer
 * waits.
 */
#include "server/store/store_notice.h"

#include <string.h>

#include "server/store/store_int.h"

/* Reads what a notice is: what, since, channel and until_ms, from col on. */
static int
store_notice_read(struct store_query *q, int col, struct store_notice *n)
{
	char name[17]; /* the schema lets no longer one in */
	int r;

	if ((r = store_query_copy(q, col, name, sizeof(name))) == 0)
		r = store_query_channel(q, col + 2, &n->channel);
	if (r == 0)
		n->what = owed_of(name);
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
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		r = store_query_copy(
		    q, texts[i].col, texts[i].out, texts[i].size);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Reads a row of store_notice_each_group(). */
static int
store_notice_read_group(struct store_query *q, struct store_group *g)
{
	int r;

	memset(g, 0, sizeof(*g));
	if ((r = store_query_copy(q, 0, g->account, sizeof(g->account))) != 0 ||
	    (r = store_query_channel(q, 1, &g->channel)) != 0)
		return (r);
	store_notice_read_quiet(q, 2, &g->quiet);
	g->is_doubtful = sqlite3_column_int(q->s, 5) != 0;
	return (0);
}

int
store_notice_each_group(struct store *st, int64_t now_ms, unsigned channels,
    int (*cb)(void *arg, const struct store_group *g), void *arg)
{
	struct store_query q;
	struct store_group g;
	int i, r;

	/* What is due is found in the index alone. */
	store_query_init(&q, st, STORE_NOTICE_GROUP,
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
	    " ORDER BY first_ms, due.account, due.channel");
	for (i = 0; i < STORE_CHANNELS; i++)
		store_query_channel_if(&q, channels, (enum store_channel)i);
	store_query_int(&q, now_ms);
	while ((r = store_query_step(&q)) == 0) {
		r = store_notice_read_group(&q, &g);
		if (r == 0)
			r = cb(arg, &g);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_notice_each_due(struct store *st, int64_t now_ms, const char *account,
    enum store_channel channel,
    int (*cb)(void *arg, const struct store_notice *n), void *arg)
{
	struct store_query q;
	struct store_notice n;
	int r;

	store_query_init(&q, st, STORE_NOTICE_DUE,
	    "SELECT n.id, g.id, a.name, g.system, n.what, n.since, n.channel,"
	    " n.until_ms, n.at_ms, n.tries, n.next_ms, q.offset_min,"
	    " q.from_min, q.to_min, d.id, d.value, g.account_1, g.account_2"
	    " FROM account AS a"
	    " CROSS JOIN notice AS n ON n.account = a.id"
	    " CROSS JOIN game AS g ON g.gid = n.game"
	    " LEFT JOIN quiet AS q ON q.account = n.account"
	    " LEFT JOIN address AS d ON d.account = n.account"
	    " AND d.kind = n.channel AND d.confirmed = 1"
	    " WHERE a.name = ? AND n.channel = ? AND n.next_ms <= ?"
	    " AND (n.channel = 'command' OR d.id IS NOT NULL)"
	    " ORDER BY n.id");
	store_query_text(&q, account);
	store_query_text(&q, store_channel_names[channel]);
	store_query_int(&q, now_ms);
	while ((r = store_query_step(&q)) == 0) {
		r = store_notice_read_due(&q, &n);
		if (r == 0)
			r = cb(arg, &n);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* Lowers *next_ms to the one row of a query, if it has any. */
static int
store_notice_sooner(struct store_query *q, int64_t *next_ms)
{
	int64_t got;
	int r;

	if ((r = store_query_step(q)) != 0)
		return (r == ERR_NOTFOUND ? 0 : r);
	got = store_query_opt_int(q, 0);
	if (got >= 0 && (*next_ms < 0 || got < *next_ms))
		*next_ms = got;
	store_query_end(q);
	return (0);
}

int
store_notice_next(struct store *st, unsigned channels, int64_t *next_ms)
{
	struct store_query q;
	int64_t got = -1;
	int i, r;

	for (i = 0; i < STORE_CHANNELS; i++) {
		if ((channels & 1u << i) == 0)
			continue;
		store_query_init(&q, st, STORE_NOTICE_NEXT,
		    "SELECT min(next_ms) FROM notice"
		    " WHERE channel = ? AND next_ms IS NOT NULL");
		store_query_text(&q, store_channel_names[i]);
		if ((r = store_notice_sooner(&q, &got)) != 0)
			return (r);
		store_query_init(&q, st, STORE_ADDRESS_NEXT,
		    "SELECT min(next_ms) FROM address"
		    " WHERE kind = ? AND next_ms IS NOT NULL");
		store_query_text(&q, store_channel_names[i]);
		if ((r = store_notice_sooner(&q, &got)) != 0)
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
	int r;

	store_query_init(&q, st, STORE_NOTICE_EACH_GAME,
	    "SELECT n.id, name, what, since, channel, until_ms"
	    " FROM notice AS n CROSS JOIN account AS a ON a.id = n.account"
	    " WHERE n.game = ?");
	store_query_int(&q, gid);
	while ((r = store_query_step(&q)) == 0) {
		memset(&n, 0, sizeof(n));
		n.id = sqlite3_column_int64(q.s, 0);
		r = store_query_copy(&q, 1, n.account, sizeof(n.account));
		if (r == 0)
			r = store_notice_read(&q, 2, &n);
		if (r == 0)
			r = each(arg, &n);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_notice_insert(struct store *st, int64_t gid, const struct store_notice *n)
{
	struct store_query q;

	store_query_init(&q, st, STORE_NOTICE_INSERT,
	    "INSERT INTO notice (game, what, since, channel, at_ms, until_ms,"
	    " next_ms, account)"
	    " SELECT ?, ?, ?, ?, ?, ?, ?, id FROM account WHERE name = ?"
	    " ON CONFLICT (game, account, what, since, channel) DO NOTHING");
	store_query_int(&q, gid);
	store_query_text(&q, owed_words(n->what)->name);
	store_query_int(&q, n->since);
	store_query_text(&q, store_channel_names[n->channel]);
	store_query_int(&q, n->at_ms);
	store_query_opt(&q, n->until_ms);
	store_query_opt(&q, n->next_ms);
	store_query_text(&q, n->account);
	return (store_query_run(&q));
}

int
store_notice_update(
    struct store *st, int64_t id, int64_t since, int64_t until_ms)
{
	struct store_query q;

	store_query_init(&q, st, STORE_NOTICE_UPDATE,
	    "UPDATE OR REPLACE notice SET since = ?, until_ms = ? WHERE id = "
	    "?");
	store_query_int(&q, since);
	store_query_opt(&q, until_ms);
	store_query_int(&q, id);
	return (store_query_run(&q));
}

int
store_notice_delete(struct store *st, int64_t id)
{
	struct store_query q;

	store_query_init(
	    &q, st, STORE_NOTICE_DELETE, "DELETE FROM notice WHERE id = ?");
	store_query_int(&q, id);
	return (store_query_run(&q));
}

int
store_notice_clear(
    struct store *st, const char *account, enum store_channel channel)
{
	struct store_query q;

	store_query_init(&q, st, STORE_NOTICE_CLEAR,
	    "DELETE FROM notice WHERE account ="
	    " (SELECT a.id FROM account AS a WHERE name = ?) AND channel = ?");
	store_query_text(&q, account);
	store_query_text(&q, store_channel_names[channel]);
	return (store_query_run(&q));
}

int
store_notice_block(struct store *st, const char *account, const char *blocked)
{
	struct store_query q;

	store_query_init(&q, st, STORE_NOTICE_BLOCK,
	    "DELETE FROM notice WHERE what = 'invitation' AND account ="
	    " (SELECT a.id FROM account AS a WHERE name = ?) AND EXISTS"
	    " (SELECT 1 FROM seat AS s WHERE s.game = notice.game"
	    " AND s.account ="
	    " (SELECT b.id FROM account AS b WHERE name = ?))");
	store_query_text(&q, account);
	store_query_text(&q, blocked);
	return (store_query_run(&q));
}

int
store_notice_tried(struct store *st, int64_t id, int64_t next_ms, bool is_try,
    char *account, enum store_channel *channel)
{
	struct store_query q;
	char name[ORDER_ACCOUNT_MAX + 1];
	enum store_channel got;
	int r;

	store_query_init(&q, st, STORE_NOTICE_GET,
	    "SELECT name, channel FROM notice AS n"
	    " CROSS JOIN account AS a ON a.id = n.account WHERE n.id = ?");
	store_query_int(&q, id);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_copy(&q, 0, name, sizeof(name));
	if (r == 0)
		r = store_query_channel(&q, 1, &got);
	store_query_end(&q);
	if (r != 0)
		return (r);
	store_query_init(&q, st, STORE_NOTICE_TRIED,
	    "UPDATE notice SET tries = tries + ?, next_ms = ? WHERE id = ?");
	store_query_int(&q, is_try);
	store_query_opt(&q, next_ms);
	store_query_int(&q, id);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	memcpy(account, name, sizeof(name));
	*channel = got;
	return (0);
}

int
store_notice_bring(struct store *st, int64_t last_ms, int64_t now_ms, bool *any)
{
	struct store_query q;
	int notices;
	int r;

	/* The channels are there for the index. */
	store_query_init(&q, st, STORE_NOTICE_SOONER,
	    "UPDATE notice SET next_ms = ?"
	    " WHERE channel IN ('command', 'mail', 'webhook') AND next_ms > ?");
	store_query_int(&q, now_ms);
	store_query_int(&q, last_ms);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	notices = sqlite3_changes(st->db);
	store_query_init(&q, st, STORE_ADDRESS_SOONER,
	    "UPDATE address SET next_ms = ?"
	    " WHERE kind IN ('mail', 'webhook') AND next_ms > ?");
	store_query_int(&q, now_ms);
	store_query_int(&q, last_ms);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	*any = notices > 0 || sqlite3_changes(st->db) > 0;
	return (0);
}
