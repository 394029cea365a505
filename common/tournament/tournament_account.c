/* SPDX-License-Identifier: ISC */
/*
 * Who is here, and by which keys (record S15.3): an account has one set of
 * them, whatever it is in the tournament.
 */
#include <string.h>

#include "common/json/js.h"
#include "common/tournament/tournament_int.h"

struct tournament_account *
tournament_account_find(const struct tournament *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->n_accounts; i++) {
		if (!t->accounts[i].is_former &&
		    strcmp(t->accounts[i].name, name) == 0)
			return (&t->accounts[i]);
	}
	return (NULL);
}

struct tournament_account *
tournament_author(const struct tournament *t, const struct entry *o)
{
	return (tournament_account_find(t, o->by));
}

int
tournament_account_index(
    const struct tournament *t, const struct tournament_account *a)
{
	return ((int)(a - t->accounts));
}

/* Checks that a key was nobody's but this account's (-1: a new one). */
static int
tournament_key_check(const struct tournament *t,
    const uint8_t key[SIGN_KEY_LEN], int account, const char *name,
    const struct js_at *at, struct errinfo *e)
{
	const struct tournament_account *a;
	size_t i;

	for (i = 0; i < t->n_keys; i++) {
		if (t->keys[i].account != account &&
		    memcmp(t->keys[i].key, key, SIGN_KEY_LEN) == 0)
			return (js_fail_member(at, name, e,
			    "the key is, or was, that of the account \"%s\"",
			    t->accounts[t->keys[i].account].name));
	}
	for (i = 0; i < t->n_accounts; i++) {
		a = &t->accounts[i];
		if ((int)i != account && a->keys.has_recovery &&
		    memcmp(a->keys.recovery, key, SIGN_KEY_LEN) == 0)
			return (js_fail_member(at, name, e,
			    "the key is the recovery key of the account "
			    "\"%s\"",
			    a->name));
	}
	return (0);
}

int
tournament_key_check_new(const struct tournament *t,
    const uint8_t key[SIGN_KEY_LEN], const struct js_at *at, struct errinfo *e)
{
	return (tournament_key_check(t, key, -1, "key", at, e));
}

/* Remembers that a key was an account's. */
static int
tournament_key_keep(
    struct tournament *t, const uint8_t key[SIGN_KEY_LEN], int account)
{
	struct tournament_key *grown;
	size_t i;

	for (i = 0; i < t->n_keys; i++) {
		if (t->keys[i].account == account &&
		    memcmp(t->keys[i].key, key, SIGN_KEY_LEN) == 0) {
			t->keys[i].dropped_seq = INT64_MAX;
			return (0);
		}
	}
	grown = tournament_grow(t->keys, &t->n_keys, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->keys = grown;
	memcpy(grown[t->n_keys - 1].key, key, SIGN_KEY_LEN);
	grown[t->n_keys - 1].account = account;
	grown[t->n_keys - 1].dropped_seq = INT64_MAX;
	return (0);
}

/* Notes which keys of an account the line that is taken takes away. */
static void
tournament_keys_drop(struct tournament *t, const struct tournament_account *a)
{
	const int account = tournament_account_index(t, a);
	size_t i;

	for (i = 0; i < t->n_keys; i++) {
		if (t->keys[i].account == account &&
		    t->keys[i].dropped_seq == INT64_MAX &&
		    !statement_has_key(&a->keys, t->keys[i].key))
			t->keys[i].dropped_seq = t->seq + 1;
	}
}

/* True if both have the same keys, by their statements so far. */
static bool
tournament_keys_same(
    const struct statement_keys *a, const struct statement_keys *b)
{
	int i;

	if (a->n_keys != b->n_keys || a->has_recovery != b->has_recovery ||
	    a->n != b->n || memcmp(a->prev, b->prev, HASH_LEN) != 0 ||
	    (a->has_recovery &&
		memcmp(a->recovery, b->recovery, SIGN_KEY_LEN) != 0))
		return (false);
	for (i = 0; i < a->n_keys; i++) {
		if (!statement_has_key(b, a->keys[i]))
			return (false);
	}
	return (true);
}

int
tournament_account_check(const struct tournament *t, const struct order_join *j,
    const struct js_at *at, struct errinfo *e)
{
	const struct tournament_account *a =
	    tournament_account_find(t, j->account);
	int i, r;

	if (a != NULL && a->is_witness)
		return (js_fail_member(
		    at, "account", e, "the account is the witness's"));
	if (a != NULL)
		return (tournament_keys_same(&a->keys, &j->keys)
			? 0
			: js_fail_member(at, "key", e,
			      "not the keys that the account has here by now"));
	for (i = 0; i < j->keys.n_keys; i++) {
		r = tournament_key_check(
		    t, j->keys.keys[i], -1, i == 0 ? "key" : "keys", at, e);
		if (r != 0)
			return (r);
	}
	return (j->keys.has_recovery ? tournament_key_check(t, j->keys.recovery,
					   -1, "recovery", at, e)
				     : 0);
}

/* Adds an account. */
static int
tournament_account_add(struct tournament *t, const char *name,
    const struct statement_keys *keys, struct tournament_account **out)
{
	struct tournament_account *grown, *a;
	int i, r;

	grown = tournament_grow(t->accounts, &t->n_accounts, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->accounts = grown;
	a = &grown[t->n_accounts - 1];
	memcpy(a->name, name, strlen(name) + 1);
	a->keys = *keys;
	a->proposed_seq = -1;
	for (i = 0; i < keys->n_keys; i++) {
		r = tournament_key_keep(
		    t, keys->keys[i], tournament_account_index(t, a));
		if (r != 0)
			return (r);
	}
	*out = a;
	return (0);
}

int
tournament_account_name(struct tournament *t, const struct order_join *j,
    const struct js_at *at, struct tournament_account **a, struct errinfo *e)
{
	struct tournament_account *known;
	int r;

	if ((r = tournament_account_check(t, j, at, e)) != 0)
		return (r);
	if ((known = tournament_account_find(t, j->account)) == NULL)
		return (tournament_account_add(t, j->account, &j->keys, a));
	*a = known;
	return (0);
}

int
tournament_witness_name(struct tournament *t, const struct terms_witness *w,
    const struct js_at *at, struct errinfo *e)
{
	struct tournament_account *a = tournament_account_find(t, w->account);
	struct statement_keys keys = {.n_keys = 1};
	int account = -1, r;

	if (a != NULL && !a->is_witness)
		return (js_fail_member(
		    at, "account", e, "a witness neither directs nor plays"));
	if (a != NULL)
		account = tournament_account_index(t, a);
	if ((r = tournament_key_check(t, w->key, account, "key", at, e)) != 0 ||
	    (r = tournament_dice_check(t, w->dice_key, account, at, e)) != 0)
		return (r);
	memcpy(keys.keys[0], w->key, SIGN_KEY_LEN);
	if (a == NULL) {
		if ((r = tournament_account_add(t, w->account, &keys, &a)) != 0)
			return (r);
		a->is_witness = true;
		account = tournament_account_index(t, a);
	}
	a->keys = keys;
	if ((r = tournament_key_keep(t, w->key, account)) != 0 ||
	    (r = tournament_dice_take(t, w->dice_key, account)) != 0)
		return (r);
	memcpy(t->witness_account, w->account, strlen(w->account) + 1);
	t->witness = *w;
	t->witness.account = t->witness_account;
	return (0);
}

int
tournament_dice_check(const struct tournament *t,
    const uint8_t key[VRF_KEY_LEN], int account, const struct js_at *at,
    struct errinfo *e)
{
	size_t i;

	for (i = 0; i < t->n_dice_keys; i++) {
		if (t->dice_keys[i].account != account &&
		    memcmp(t->dice_keys[i].key, key, VRF_KEY_LEN) == 0)
			return (js_fail_member(at, "dice_key", e,
			    "the dice key is, or was, another's here"));
	}
	return (0);
}

int
tournament_dice_take(
    struct tournament *t, const uint8_t key[VRF_KEY_LEN], int account)
{
	struct tournament_key *grown;
	size_t i;

	for (i = 0; i < t->n_dice_keys; i++) {
		if (t->dice_keys[i].account == account &&
		    t->dice_keys[i].dropped_seq == INT64_MAX)
			t->dice_keys[i].dropped_seq = t->seq + 1;
	}
	grown = tournament_grow(t->dice_keys, &t->n_dice_keys, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	t->dice_keys = grown;
	memcpy(grown[t->n_dice_keys - 1].key, key, VRF_KEY_LEN);
	grown[t->n_dice_keys - 1].account = account;
	grown[t->n_dice_keys - 1].dropped_seq = INT64_MAX;
	return (0);
}

int
tournament_account_replace(struct tournament *t, struct tournament_account *a)
{
	int r;

	r = tournament_key_keep(t, a->proposed, tournament_account_index(t, a));
	if (r != 0)
		return (r);
	a->keys.n_keys = 1;
	memcpy(a->keys.keys[0], a->proposed, SIGN_KEY_LEN);
	a->proposed_seq = -1;
	tournament_keys_drop(t, a);
	return (0);
}

int
tournament_take_key(struct tournament *t, const char *by,
    const struct statement *s, const uint8_t signer[SIGN_KEY_LEN],
    const struct tournament_line *l)
{
	static const struct js_at at = {NULL, "statement", 0};
	struct tournament_account *a = tournament_account_find(t, by);
	struct statement_keys keys;
	int r;

	memset(l->fx, 0, sizeof(*l->fx));
	if (t->is_closed)
		return (tournament_illegal(l, "", "the record has ended"));
	if (a == NULL || a->is_witness)
		return (tournament_illegal(l, "statement.account",
		    "no statement of this account is awaited here"));
	if (strcmp(s->account, by) != 0)
		return (tournament_illegal(
		    l, "statement.account", "not the account of the line"));
	if (memcmp(s->server, t->create.server, SIGN_KEY_LEN) != 0)
		return (tournament_illegal(
		    l, "statement.server", "not the server of this record"));
	keys = a->keys;
	if ((r = statement_apply(&keys, s, signer, l->e)) != 0)
		return (r);
	if (s->what != STATEMENT_DROP) {
		r = tournament_final(tournament_key_check(t, s->key,
		    tournament_account_index(t, a), "key", &at, l->e));
		if (r != 0)
			return (r);
		r = tournament_key_keep(
		    t, s->key, tournament_account_index(t, a));
		if (r != 0)
			return (r);
	}
	a->keys = keys;
	tournament_keys_drop(t, a);
	t->at_ms = l->at_ms;
	return (0);
}

bool
tournament_takes_keys(const struct tournament *t, const char *account)
{
	const struct tournament_account *a =
	    tournament_account_find(t, account);

	return (!t->is_closed && a != NULL && !a->is_witness);
}
