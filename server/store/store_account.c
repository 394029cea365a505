/* SPDX-License-Identifier: ISC */
/*
 * Accounts, their keys, and the one-time codes that were used.  The caller
 * judges whether a code is good; here it is only used up.
 */
#include "server/store/store.h"

#include <string.h>

#include "common/base/buf.h"
#include "server/store/store_int.h"

int
store_account_insert(struct store *st, const char *name, const char *display,
    const uint8_t key[SIGN_KEY_LEN], const uint8_t *recovery,
    const uint8_t *invite, int64_t at_ms)
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
	if (r == 0 && recovery != NULL)
		r = store_run(st, STORE_ACCOUNT_SET_RECOVERY,
		    "UPDATE account SET recovery = ? WHERE id = ?",
		    STORE_VALUES(store_blob(recovery, SIGN_KEY_LEN),
			store_int(account)));
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
	    " ON a.id = k.account WHERE k.key = ? AND a.name = ?"
	    " AND k.ended = 0",
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
	    " ON a.id = k.account WHERE k.key = ?1 UNION ALL"
	    " SELECT name FROM account WHERE recovery = ?1",
	    STORE_VALUES(store_blob(key, SIGN_KEY_LEN)));
	if ((r = store_query_step(&q)) == 0)
		r = store_query_copy(&q, 0, name, ORDER_ACCOUNT_MAX + 1);
	store_query_end(&q);
	return (r);
}

int
store_account_keys(
    struct store *st, const char *name, struct statement_keys *keys)
{
	struct statement_keys k = {.n_keys = 0};
	struct store_query q;
	int r;

	store_query(&q, st, STORE_ACCOUNT_KEYS,
	    "SELECT kn, kprev, recovery FROM account WHERE name = ?",
	    STORE_VALUES(store_text(name)));
	if ((r = store_query_step(&q)) == 0) {
		k.n = sqlite3_column_int64(q.s, 0);
		if (k.n > 0)
			r = store_query_bytes(&q, 1, k.prev, HASH_LEN);
		k.has_recovery = sqlite3_column_type(q.s, 2) != SQLITE_NULL;
		if (r == 0 && k.has_recovery)
			r = store_query_bytes(&q, 2, k.recovery, SIGN_KEY_LEN);
	}
	store_query_end(&q);
	if (r != 0)
		return (r);
	store_query(&q, st, STORE_ACCOUNT_EACH_KEY,
	    "SELECT key FROM account_key WHERE account ="
	    " (SELECT id FROM account WHERE name = ?) AND ended = 0"
	    " ORDER BY key",
	    STORE_VALUES(store_text(name)));
	while (store_query_next(&q, &r)) {
		r = k.n_keys == STATEMENT_KEYS_MAX
		    ? ERR_STORAGE
		    : store_query_bytes(&q, 0, k.keys[k.n_keys], SIGN_KEY_LEN);
		k.n_keys++;
	}
	store_query_end(&q);
	if (r == 0)
		*keys = k;
	return (r);
}

int
store_account_state(struct store *st, const struct statement *s,
    const struct store_statement *as, int64_t at_ms)
{
	int r;

	r = store_run(st, STORE_ACCOUNT_STATEMENT,
	    "INSERT INTO statement (account, n, key, text, sig, at_ms)"
	    " SELECT id, ?, ?, ?, ?, ? FROM account WHERE name = ?",
	    STORE_VALUES(store_int(s->n), store_blob(as->key, SIGN_KEY_LEN),
		store_text(as->text), store_blob(as->sig, SIGN_LEN),
		store_int(at_ms), store_text(s->account)));
	if (r == 0)
		r = store_run(st, STORE_ACCOUNT_SET_LAST,
		    "UPDATE account SET kn = ?, kprev = ? WHERE name = ?",
		    STORE_VALUES(store_int(s->n), store_blob(s->hash, HASH_LEN),
			store_text(s->account)));
	if (r == 0 && s->what != STATEMENT_ADD)
		r = store_run(st, STORE_ACCOUNT_END_KEYS,
		    "UPDATE account_key SET ended = 1 WHERE account ="
		    " (SELECT id FROM account WHERE name = ?1)"
		    " AND (?2 IS NULL OR key = ?2)",
		    STORE_VALUES(store_text(s->account),
			store_blob(s->what == STATEMENT_DROP ? s->key : NULL,
			    SIGN_KEY_LEN)));
	if (r == 0 && s->what != STATEMENT_DROP)
		r = store_run(st, STORE_ACCOUNT_NEW_KEY,
		    "INSERT INTO account_key (key, account, at_ms)"
		    " VALUES (?, (SELECT id FROM account WHERE name = ?), ?)",
		    STORE_VALUES(store_blob(s->key, SIGN_KEY_LEN),
			store_text(s->account), store_int(at_ms)));
	return (r);
}

int
store_account_prove(struct store *st, const char *name,
    const struct statement_keys *k, int64_t at_ms)
{
	char other[ORDER_ACCOUNT_MAX + 1];
	int i, r;

	r = store_run(st, STORE_ACCOUNT_PROVE,
	    "INSERT INTO account (name, display, at_ms, recovery, kn, kprev)"
	    " VALUES (?1, '', ?2, ?3, ?4, ?5)"
	    " ON CONFLICT (name) DO UPDATE SET kn = ?4, kprev = ?5",
	    STORE_VALUES(store_text(name), store_int(at_ms),
		store_blob(k->has_recovery ? k->recovery : NULL, SIGN_KEY_LEN),
		store_int(k->n),
		store_blob(k->n > 0 ? k->prev : NULL, HASH_LEN)));
	if (r == 0)
		r = store_run(st, STORE_ACCOUNT_PROVE_END,
		    "UPDATE account_key SET ended = 1 WHERE account ="
		    " (SELECT id FROM account WHERE name = ?)",
		    STORE_VALUES(store_text(name)));
	for (i = 0; r == 0 && i < k->n_keys; i++) {
		r = store_account_of_key(st, k->keys[i], other);
		if (r == 0 && strcmp(other, name) != 0)
			return (ERR_EXISTS);
		if (r != 0 && r != ERR_NOTFOUND)
			return (r);
		r = store_run(st, STORE_ACCOUNT_PROVE_KEY,
		    "INSERT INTO account_key (key, account, at_ms)"
		    " SELECT ?1, id, ?2 FROM account WHERE name = ?3"
		    " ON CONFLICT (key) DO UPDATE SET ended = 0",
		    STORE_VALUES(store_blob(k->keys[i], SIGN_KEY_LEN),
			store_int(at_ms), store_text(name)));
	}
	return (r);
}

int
store_account_statement(struct store *st, const char *name, int64_t n,
    struct buf *text, uint8_t key[SIGN_KEY_LEN], uint8_t sig[SIGN_LEN])
{
	struct store_query q;
	int r;

	store_query(&q, st, STORE_ACCOUNT_STATEMENT_GET,
	    "SELECT text, key, sig FROM statement WHERE account ="
	    " (SELECT id FROM account WHERE name = ?) AND n = ?",
	    STORE_VALUES(store_text(name), store_int(n)));
	if ((r = store_query_step(&q)) == 0 &&
	    (r = store_query_bytes(&q, 1, key, SIGN_KEY_LEN)) == 0 &&
	    (r = store_query_bytes(&q, 2, sig, SIGN_LEN)) == 0)
		r = store_query_append(&q, 0, text);
	store_query_end(&q);
	return (r == 0 ? buf_error(text) : r);
}

int
store_account_games(struct store *st, const char *name,
    int (*each)(void *arg, const uint8_t game[HASH_LEN], int seat), void *arg)
{
	uint8_t game[HASH_LEN];
	struct store_query q;
	int r = 0;

	store_query(&q, st, STORE_ACCOUNT_GAMES,
	    "SELECT g.id, s.seat FROM seat AS s CROSS JOIN game AS g"
	    " ON g.gid = s.game WHERE s.account ="
	    " (SELECT id FROM account WHERE name = ?)"
	    " AND g.phase <> 'finished' AND s.seat <> ?2"
	    " ORDER BY g.gid, s.seat",
	    STORE_VALUES(store_text(name), store_int(RECORD_WITNESS)));
	while (store_query_next(&q, &r)) {
		r = store_query_bytes(&q, 0, game, HASH_LEN);
		if (r == 0)
			r = each(arg, game, sqlite3_column_int(q.s, 1));
	}
	store_query_end(&q);
	return (r);
}
