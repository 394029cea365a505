/* SPDX-License-Identifier: ISC */
/*
 * Invitations to games, and accounts that block others.  access.h and the
 * ledger decide what follows.
 */
#include "server/store/store.h"

#include "server/store/store_int.h"

int
store_invite(struct store *st, int64_t gid, const char *account, int64_t at_ms)
{
	int r;

	if ((r = store_account_find(st, account)) != 0)
		return (r);
	return (store_run(st, STORE_INVITE_INSERT,
	    "INSERT INTO invite_game (game, at_ms, account)"
	    " SELECT ?, ?, id FROM account WHERE name = ?"
	    " ON CONFLICT (game, account) DO NOTHING",
	    STORE_VALUES(
		store_int(gid), store_int(at_ms), store_text(account))));
}

int
store_uninvite(struct store *st, int64_t gid, const char *account)
{
	return (store_run(st, STORE_INVITE_DELETE,
	    "DELETE FROM invite_game WHERE game = ? AND account ="
	    " (SELECT id FROM account WHERE name = ?)",
	    STORE_VALUES(store_int(gid), store_text(account))));
}

int
store_invite_find(
    struct store *st, int64_t gid, const char *account, int64_t *at_ms)
{
	return (store_number(st, STORE_INVITE_FIND,
	    "SELECT at_ms FROM invite_game WHERE game = ? AND account ="
	    " (SELECT id FROM account WHERE name = ?)",
	    STORE_VALUES(store_int(gid), store_text(account)), at_ms));
}

int
store_invite_end(struct store *st, int64_t gid)
{
	return (store_run(st, STORE_INVITE_END,
	    "UPDATE invite_game SET ended = 1 WHERE game = ? AND ended = 0",
	    STORE_VALUES(store_int(gid))));
}

int
store_invite_count(struct store *st, int64_t gid, int64_t *n)
{
	return (store_number(st, STORE_INVITE_COUNT,
	    "SELECT count(*) FROM invite_game WHERE game = ?",
	    STORE_VALUES(store_int(gid)), n));
}

int
store_invite_each(struct store *st, int64_t gid,
    int (*each)(void *arg, const char *account, int64_t at_ms), void *arg)
{
	struct store_query q;
	const char *name;
	int r = 0;

	store_query(&q, st, STORE_INVITE_EACH,
	    "SELECT name, i.at_ms FROM invite_game AS i"
	    " CROSS JOIN account AS a ON a.id = i.account WHERE i.game = ?"
	    " AND NOT EXISTS (SELECT 1 FROM seat AS s"
	    " WHERE s.game = i.game AND s.account = i.account)"
	    " AND NOT EXISTS (SELECT 1 FROM seat AS s CROSS JOIN block"
	    " WHERE s.game = i.game AND block.account = i.account"
	    " AND block.blocked = s.account)",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r)) {
		name = (const char *)sqlite3_column_text(q.s, 0);
		r = name == NULL
		    ? ERR_NOMEM
		    : each(arg, name, sqlite3_column_int64(q.s, 1));
	}
	return (r);
}

int
store_block(struct store *st, const char *account, const char *blocked)
{
	int r;

	if ((r = store_account_find(st, account)) != 0 ||
	    (r = store_account_find(st, blocked)) != 0)
		return (r);
	return (store_run(st, STORE_BLOCK_INSERT,
	    "INSERT INTO block (account, blocked) VALUES"
	    " ((SELECT id FROM account WHERE name = ?),"
	    " (SELECT id FROM account WHERE name = ?))"
	    " ON CONFLICT (account, blocked) DO NOTHING",
	    STORE_VALUES(store_text(account), store_text(blocked))));
}

int
store_unblock(struct store *st, const char *account, const char *blocked)
{
	return (store_run(st, STORE_BLOCK_DELETE,
	    "DELETE FROM block WHERE account ="
	    " (SELECT id FROM account WHERE name = ?) AND blocked ="
	    " (SELECT id FROM account WHERE name = ?)",
	    STORE_VALUES(store_text(account), store_text(blocked))));
}

int
store_block_find(struct store *st, const char *account, const char *blocked)
{
	return (store_has(st, STORE_BLOCK_FIND,
	    "SELECT 1 FROM block WHERE account ="
	    " (SELECT id FROM account WHERE name = ?) AND blocked ="
	    " (SELECT id FROM account WHERE name = ?)",
	    STORE_VALUES(store_text(account), store_text(blocked))));
}

int
store_block_each(struct store *st, const char *account,
    int (*each)(void *arg, const char *blocked), void *arg)
{
	struct store_query q;
	const char *name;
	int r = 0;

	store_query(&q, st, STORE_BLOCK_EACH,
	    "SELECT name FROM block JOIN account ON id = blocked"
	    " WHERE block.account ="
	    " (SELECT a.id FROM account AS a WHERE a.name = ?)"
	    " ORDER BY name",
	    STORE_VALUES(store_text(account)));
	while (store_query_next(&q, &r)) {
		name = (const char *)sqlite3_column_text(q.s, 0);
		r = name == NULL ? ERR_NOMEM : each(arg, name);
	}
	return (r);
}

int
store_block_count(struct store *st, const char *account, int64_t *n)
{
	return (store_number(st, STORE_BLOCK_COUNT,
	    "SELECT count(*) FROM block WHERE account ="
	    " (SELECT id FROM account WHERE name = ?)",
	    STORE_VALUES(store_text(account)), n));
}
