/* SPDX-License-Identifier: ISC */
/*
 * Who is invited to which game, and who does not want to play with whom.
 * What follows from it is access.h's and the ledger's.
 */
#include "server/store/store.h"

#include "server/store/store_int.h"

int
store_invite(struct store *st, int64_t gid, const char *account, int64_t at_ms)
{
	struct store_query q;
	int r;

	if ((r = store_account_find(st, account)) != 0)
		return (r);
	store_query_init(&q, st, STORE_INVITE_INSERT,
	    "INSERT INTO invite_game (game, at_ms, account)"
	    " SELECT ?, ?, id FROM account WHERE name = ?"
	    " ON CONFLICT (game, account) DO NOTHING");
	store_query_int(&q, gid);
	store_query_int(&q, at_ms);
	store_query_text(&q, account);
	return (store_query_run(&q));
}

int
store_uninvite(struct store *st, int64_t gid, const char *account)
{
	struct store_query q;

	store_query_init(&q, st, STORE_INVITE_DELETE,
	    "DELETE FROM invite_game WHERE game = ? AND account ="
	    " (SELECT id FROM account WHERE name = ?)");
	store_query_int(&q, gid);
	store_query_text(&q, account);
	return (store_query_run(&q));
}

int
store_invite_find(
    struct store *st, int64_t gid, const char *account, int64_t *at_ms)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_INVITE_FIND,
	    "SELECT at_ms FROM invite_game WHERE game = ? AND account ="
	    " (SELECT id FROM account WHERE name = ?)");
	store_query_int(&q, gid);
	store_query_text(&q, account);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*at_ms = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (0);
}

int
store_invite_end(struct store *st, int64_t gid)
{
	struct store_query q;

	store_query_init(&q, st, STORE_INVITE_END,
	    "UPDATE invite_game SET ended = 1 WHERE game = ? AND ended = 0");
	store_query_int(&q, gid);
	return (store_query_run(&q));
}

int
store_invite_count(struct store *st, int64_t gid, int64_t *n)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_INVITE_COUNT,
	    "SELECT count(*) FROM invite_game WHERE game = ?");
	store_query_int(&q, gid);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*n = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (0);
}

int
store_invite_each(struct store *st, int64_t gid,
    int (*each)(void *arg, const char *account, int64_t at_ms), void *arg)
{
	struct store_query q;
	const char *name;
	int r;

	store_query_init(&q, st, STORE_INVITE_EACH,
	    "SELECT name, i.at_ms FROM invite_game AS i"
	    " CROSS JOIN account AS a ON a.id = i.account WHERE i.game = ?"
	    " AND NOT EXISTS (SELECT 1 FROM seat AS s"
	    " WHERE s.game = i.game AND s.account = i.account)"
	    " AND NOT EXISTS (SELECT 1 FROM seat AS s CROSS JOIN block"
	    " WHERE s.game = i.game AND block.account = i.account"
	    " AND block.blocked = s.account)");
	store_query_int(&q, gid);
	while ((r = store_query_step(&q)) == 0) {
		name = (const char *)sqlite3_column_text(q.s, 0);
		r = name == NULL
		    ? ERR_NOMEM
		    : each(arg, name, sqlite3_column_int64(q.s, 1));
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_block(struct store *st, const char *account, const char *blocked)
{
	struct store_query q;
	int r;

	if ((r = store_account_find(st, account)) != 0 ||
	    (r = store_account_find(st, blocked)) != 0)
		return (r);
	store_query_init(&q, st, STORE_BLOCK_INSERT,
	    "INSERT INTO block (account, blocked) VALUES"
	    " ((SELECT id FROM account WHERE name = ?),"
	    " (SELECT id FROM account WHERE name = ?))"
	    " ON CONFLICT (account, blocked) DO NOTHING");
	store_query_text(&q, account);
	store_query_text(&q, blocked);
	return (store_query_run(&q));
}

int
store_unblock(struct store *st, const char *account, const char *blocked)
{
	struct store_query q;

	store_query_init(&q, st, STORE_BLOCK_DELETE,
	    "DELETE FROM block WHERE account ="
	    " (SELECT id FROM account WHERE name = ?) AND blocked ="
	    " (SELECT id FROM account WHERE name = ?)");
	store_query_text(&q, account);
	store_query_text(&q, blocked);
	return (store_query_run(&q));
}

int
store_block_find(struct store *st, const char *account, const char *blocked)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_BLOCK_FIND,
	    "SELECT 1 FROM block WHERE account ="
	    " (SELECT id FROM account WHERE name = ?) AND blocked ="
	    " (SELECT id FROM account WHERE name = ?)");
	store_query_text(&q, account);
	store_query_text(&q, blocked);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	store_query_end(&q);
	return (0);
}

int
store_block_each(struct store *st, const char *account,
    int (*each)(void *arg, const char *blocked), void *arg)
{
	struct store_query q;
	const char *name;
	int r;

	store_query_init(&q, st, STORE_BLOCK_EACH,
	    "SELECT name FROM block JOIN account ON id = blocked"
	    " WHERE block.account ="
	    " (SELECT a.id FROM account AS a WHERE a.name = ?)"
	    " ORDER BY name");
	store_query_text(&q, account);
	while ((r = store_query_step(&q)) == 0) {
		name = (const char *)sqlite3_column_text(q.s, 0);
		r = name == NULL ? ERR_NOMEM : each(arg, name);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_block_count(struct store *st, const char *account, int64_t *n)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_BLOCK_COUNT,
	    "SELECT count(*) FROM block WHERE account ="
	    " (SELECT id FROM account WHERE name = ?)");
	store_query_text(&q, account);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	*n = sqlite3_column_int64(q.s, 0);
	store_query_end(&q);
	return (0);
}
