/* SPDX-License-Identifier: ISC */
/*
 * Accounts, their keys, and the one-time codes that were used.  The caller
 * judges whether a code is good; here it is only used up.
 */
#include "server/store/store.h"

#include "server/store/store_int.h"

int
store_account_insert(struct store *st, const char *name, const char *display,
    const uint8_t key[SIGN_KEY_LEN], const uint8_t *invite, int64_t at_ms)
{
	int64_t account;
	int r;

	r = store_run(st, STORE_ACCOUNT_INSERT,
	    "INSERT INTO account (name, display, at_ms) VALUES (?, ?, ?)",
	    STORE_VALUES(
		store_text(name), store_text(display), store_int(at_ms)));
	if (r != 0)
		return (r);
	account = sqlite3_last_insert_rowid(st->db);
	r = store_run(st, STORE_ACCOUNT_KEY,
	    "INSERT INTO account_key (key, account, at_ms) VALUES (?, ?, ?)",
	    STORE_VALUES(store_blob(key, SIGN_KEY_LEN), store_int(account),
		store_int(at_ms)));
	if (r != 0 || invite == NULL)
		return (r);
	r = store_run(st, STORE_ACCOUNT_INVITE,
	    "INSERT INTO invite (hash, account, at_ms) VALUES (?, ?, ?)",
	    STORE_VALUES(store_blob(invite, HASH_LEN), store_int(account),
		store_int(at_ms)));
	return (r == ERR_EXISTS ? ERR_DENIED : r);
}

int
store_account_find(struct store *st, const char *name)
{
	return (store_has(st, STORE_ACCOUNT_FIND,
	    "SELECT id FROM account WHERE name = ?",
	    STORE_VALUES(store_text(name))));
}

int
store_account_has_key(
    struct store *st, const char *name, const uint8_t key[SIGN_KEY_LEN])
{
	return (store_has(st, STORE_ACCOUNT_HAS_KEY,
	    "SELECT a.id FROM account_key AS k CROSS JOIN account AS a"
	    " ON a.id = k.account WHERE k.key = ? AND a.name = ?",
	    STORE_VALUES(store_blob(key, SIGN_KEY_LEN), store_text(name))));
}

int
store_account_name(struct store *st, const char *account, char out[STORE_NAME])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_ACCOUNT_NAME,
	    "SELECT display FROM account WHERE name = ?",
	    STORE_VALUES(store_text(account)));
	if ((r = store_query_step(&q)) == 0)
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
	int r = 0;

	store_query(&q, st, STORE_ACCOUNT_PEOPLE,
	    "SELECT seat, name, display FROM seat JOIN account"
	    " ON id = seat.account WHERE game = ? ORDER BY seat",
	    STORE_VALUES(store_int(gid)));
	while (store_query_next(&q, &r)) {
		r = store_query_copy(&q, 1, account, sizeof(account));
		if (r == 0)
			r = store_query_copy(&q, 2, name, sizeof(name));
		if (r == 0)
			r = each(
			    arg, sqlite3_column_int(q.s, 0), account, name);
	}
	return (r);
}

int
store_account_of_key(struct store *st, const uint8_t key[SIGN_KEY_LEN],
    char name[ORDER_ACCOUNT_MAX + 1])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_ACCOUNT_OF_KEY,
	    "SELECT a.name FROM account_key AS k CROSS JOIN account AS a"
	    " ON a.id = k.account WHERE k.key = ?",
	    STORE_VALUES(store_blob(key, SIGN_KEY_LEN)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_copy(&q, 0, name, ORDER_ACCOUNT_MAX + 1);
	store_query_end(&q);
	return (r);
}
