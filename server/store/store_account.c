/* SPDX-License-Identifier: ISC */
/*
 * Accounts, their keys, and the one-time codes that were used.  Whether a
 * code is good is the caller's to know; here it can only be used up.
 */
#include "server/store/store.h"

#include "server/store/store_int.h"

/* Uses up a one-time code. */
static int
store_account_use_invite(
    struct store *st, const uint8_t *invite, int64_t account, int64_t at_ms)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_ACCOUNT_INVITE,
	    "INSERT INTO invite (hash, account, at_ms) VALUES (?, ?, ?)");
	store_query_blob(&q, invite, HASH_LEN);
	store_query_int(&q, account);
	store_query_int(&q, at_ms);
	r = store_query_run(&q);
	return (r == ERR_EXISTS ? ERR_DENIED : r);
}

int
store_account_insert(struct store *st, const char *name, const char *display,
    const uint8_t key[SIGN_KEY_LEN], const uint8_t *invite, int64_t at_ms)
{
	struct store_query q;
	int64_t account;
	int r;

	store_query_init(&q, st, STORE_ACCOUNT_INSERT,
	    "INSERT INTO account (name, display, at_ms) VALUES (?, ?, ?)");
	store_query_text(&q, name);
	store_query_text(&q, display);
	store_query_int(&q, at_ms);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	account = sqlite3_last_insert_rowid(st->db);
	store_query_init(&q, st, STORE_ACCOUNT_KEY,
	    "INSERT INTO account_key (key, account, at_ms) VALUES (?, ?, ?)");
	store_query_blob(&q, key, SIGN_KEY_LEN);
	store_query_int(&q, account);
	store_query_int(&q, at_ms);
	if ((r = store_query_run(&q)) != 0)
		return (r);
	if (invite == NULL)
		return (0);
	return (store_account_use_invite(st, invite, account, at_ms));
}

int
store_account_find(struct store *st, const char *name)
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_ACCOUNT_FIND,
	    "SELECT id FROM account WHERE name = ?");
	store_query_text(&q, name);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	store_query_end(&q);
	return (0);
}

int
store_account_has_key(
    struct store *st, const char *name, const uint8_t key[SIGN_KEY_LEN])
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_ACCOUNT_HAS_KEY,
	    "SELECT a.id FROM account_key AS k CROSS JOIN account AS a"
	    " ON a.id = k.account WHERE k.key = ? AND a.name = ?");
	store_query_blob(&q, key, SIGN_KEY_LEN);
	store_query_text(&q, name);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	store_query_end(&q);
	return (0);
}

int
store_account_name(struct store *st, const char *account, char out[STORE_NAME])
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_ACCOUNT_NAME,
	    "SELECT display FROM account WHERE name = ?");
	store_query_text(&q, account);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_copy(&q, 0, out, STORE_NAME);
	store_query_end(&q);
	return (r);
}

int
store_account_people(struct store *st, int64_t gid,
    int (*each)(void *arg, int seat, const char *account, const char *name),
    void *arg)
{
	char account[33], name[STORE_NAME];
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_ACCOUNT_PEOPLE,
	    "SELECT seat, name, display FROM seat JOIN account"
	    " ON id = seat.account WHERE game = ? ORDER BY seat");
	store_query_int(&q, gid);
	while ((r = store_query_step(&q)) == 0) {
		r = store_query_copy(&q, 1, account, sizeof(account));
		if (r == 0)
			r = store_query_copy(&q, 2, name, sizeof(name));
		if (r == 0)
			r = each(
			    arg, sqlite3_column_int(q.s, 0), account, name);
		if (r != 0) {
			store_query_end(&q);
			return (r);
		}
	}
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
store_account_of_key(struct store *st, const uint8_t key[SIGN_KEY_LEN],
    char name[ORDER_ACCOUNT_MAX + 1])
{
	struct store_query q;
	int r;

	store_query_init(&q, st, STORE_ACCOUNT_OF_KEY,
	    "SELECT a.name FROM account_key AS k CROSS JOIN account AS a"
	    " ON a.id = k.account WHERE k.key = ?");
	store_query_blob(&q, key, SIGN_KEY_LEN);
	if ((r = store_query_step(&q)) != 0)
		return (r);
	r = store_query_copy(&q, 0, name, ORDER_ACCOUNT_MAX + 1);
	store_query_end(&q);
	return (r);
}
