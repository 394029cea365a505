/* SPDX-License-Identifier: ISC */
/*
 * Key statements (record S4): their form, and what they do to a set of keys.
 * A game does so for each seat and the daemon for the account, by the same
 * function, so that neither takes what the other refuses.
 */
#include "common/record/statement.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/json/js_put.h"
#include "common/record/order.h"

const char *const statement_dos[] = {"add", "drop", "reset", NULL};

static const struct js_at statement_at = {NULL, "statement", 0};

/* Reads the members, all of which are there. */
static int
statement_read(struct statement *s, struct errinfo *e)
{
	static const char *const known[] = {
	    "v", "server", "account", "n", "prev", "do", "key", "now", NULL};
	static const uint8_t zeros[HASH_LEN];
	const struct js_at *at = &statement_at;
	const char *now;
	int64_t v;
	int r, what;

	if ((r = js_members(s->root, at, known, e)) != 0 ||
	    (r = js_get_int(s->root, "v", at, 1, 1, &v, e)) != 0 ||
	    (r = js_get_hex(
		 s->root, "server", at, s->server, SIGN_KEY_LEN, e)) != 0 ||
	    (r = js_get_str(s->root, "account", at, &s->account, e)) != 0 ||
	    (r = js_get_int(s->root, "n", at, 1, JS_INT_MAX, &s->n, e)) != 0 ||
	    (r = js_get_hex(s->root, "prev", at, s->prev, HASH_LEN, e)) != 0 ||
	    (r = js_get_str(s->root, "do", at, &s->what_name, e)) != 0 ||
	    (r = js_get_str(s->root, "now", at, &now, e)) != 0)
		return (r);
	if (!order_is_account(s->account))
		return (js_fail_member(at, "account", e,
		    "not an account name ([a-z0-9][a-z0-9._-]{0,31})"));
	if (s->n == 1 && memcmp(s->prev, zeros, HASH_LEN) != 0)
		return (js_fail_member(
		    at, "prev", e, "64 zeros in an account's first statement"));
	if (clock_parse(now, strlen(now), &s->now_ms) != 0)
		return (js_fail_member(at, "now", e,
		    "not a time as \"2026-11-20T18:04:00.000Z\""));
	s->what = STATEMENT_UNKNOWN;
	if (js_get_enum(s->root, "do", at, statement_dos, &what, NULL) == 0)
		s->what = (enum statement_do)what;
	/* What a later version does may want a key of another kind (S10). */
	if (s->what == STATEMENT_UNKNOWN)
		return (0);
	r = js_get_hex(s->root, "key", at, s->key, SIGN_KEY_LEN, e);
	if (r == 0 && sign_key_check(s->key) != 0)
		r = js_fail_member(
		    at, "key", e, "not an Ed25519 key that may be used");
	return (r);
}

int
statement_parse(
    const char *text, size_t len, struct statement *s, struct errinfo *e)
{
	struct statement st = {.root = NULL};
	struct errinfo why = {.where = ""};
	int r;

	if (len < ORDER_TEXT_MIN || len > ORDER_TEXT_MAX)
		return (err_set(e, ERR_TOOBIG, "statement",
		    "a statement has %d to %d bytes", ORDER_TEXT_MIN,
		    ORDER_TEXT_MAX));
	r = js_load(text, len, JS_DEPTH_RECORD, &st.root, &why);
	if (r != 0)
		return (err_set(e, r, "statement", "%s", why.text));
	if ((r = statement_read(&st, e)) == 0)
		r = hash_tagged(st.hash, SIGN_TAG_KEY, text, len);
	if (r != 0) {
		json_decref(st.root);
		return (r);
	}
	*s = st;
	return (0);
}

void
statement_clear(struct statement *s)
{
	json_decref(s->root);
	memset(s, 0, sizeof(*s));
}

int
statement_write(const struct statement_parts *p, struct buf *out)
{
	char now[CLOCK_AT_LEN + 1];

	buf_putc(out, '{');
	js_put_int(out, "v", 1);
	js_put_hex(out, "server", p->server, SIGN_KEY_LEN);
	js_put_str(out, "account", p->account);
	js_put_int(out, "n", p->n);
	js_put_hex(out, "prev", p->prev, HASH_LEN);
	js_put_str(out, "do", statement_dos[p->what]);
	js_put_hex(out, "key", p->key, SIGN_KEY_LEN);
	clock_format(now, p->now_ms);
	js_put_str(out, "now", now);
	buf_putc(out, '}');
	return (buf_error(out));
}

/* Which of the keys this is; -1: none. */
static int
statement_find(const struct statement_keys *k, const uint8_t key[SIGN_KEY_LEN])
{
	int i;

	for (i = k->n_keys - 1; i >= 0; i--) {
		if (memcmp(k->keys[i], key, SIGN_KEY_LEN) == 0)
			break;
	}
	return (i);
}

bool
statement_has_key(
    const struct statement_keys *k, const uint8_t key[SIGN_KEY_LEN])
{
	return (statement_find(k, key) >= 0);
}

/* Whether what it does can be done. */
static int
statement_check_do(const struct statement_keys *k, const struct statement *s,
    struct errinfo *e)
{
	const bool has = statement_has_key(k, s->key);

	if (k->has_recovery && memcmp(s->key, k->recovery, SIGN_KEY_LEN) == 0)
		return (err_set(e, ERR_ILLEGAL, "statement.key",
		    "the recovery key signs key statements and nothing else"));
	switch (s->what) {
	case STATEMENT_ADD:
		if (has)
			return (err_set(e, ERR_ILLEGAL, "statement.key",
			    "the account has this key already"));
		if (k->n_keys >= STATEMENT_KEYS_MAX)
			return (err_set(e, ERR_ILLEGAL, "statement.do",
			    "an account has at most %d keys; drop one first",
			    STATEMENT_KEYS_MAX));
		break;
	case STATEMENT_DROP:
		if (!has)
			return (err_set(e, ERR_ILLEGAL, "statement.key",
			    "the account has no such key"));
		if (k->n_keys == 1)
			return (err_set(e, ERR_ILLEGAL, "statement.do",
			    "the last key of an account is never dropped; add "
			    "another one first"));
		break;
	default:
		break;
	}
	return (0);
}

/* Whether the key that signed it may. */
static int
statement_check_signer(const struct statement_keys *k,
    const struct statement *s, const uint8_t signer[SIGN_KEY_LEN],
    struct errinfo *e)
{
	if (s->what != STATEMENT_RESET)
		return (statement_has_key(k, signer)
			? 0
			: err_set(e, ERR_ILLEGAL, "key",
			      "not a key of the account"));
	if (!k->has_recovery)
		return (err_set(e, ERR_ILLEGAL, "statement.do",
		    "the account has no recovery key"));
	if (memcmp(signer, k->recovery, SIGN_KEY_LEN) != 0)
		return (err_set(e, ERR_ILLEGAL, "key",
		    "a reset is signed by the account's recovery key"));
	return (0);
}

int
statement_apply(struct statement_keys *k, const struct statement *s,
    const uint8_t signer[SIGN_KEY_LEN], struct errinfo *e)
{
	int i, r;

	if (s->what == STATEMENT_UNKNOWN)
		return (err_set(e, ERR_NEWER, "statement.do",
		    "a statement that does \"%.32s\" is not in this version",
		    s->what_name));
	if (s->n != k->n + 1)
		return (err_set(e, ERR_STALE, "statement.n",
		    "number %lld is due", (long long)k->n + 1));
	if (memcmp(s->prev, k->prev, HASH_LEN) != 0)
		return (err_set(e, ERR_STALE, "statement.prev",
		    "not the hash of the account's last statement"));
	if ((r = statement_check_signer(k, s, signer, e)) != 0 ||
	    (r = statement_check_do(k, s, e)) != 0)
		return (r);
	switch (s->what) {
	case STATEMENT_ADD:
		memcpy(k->keys[k->n_keys++], s->key, SIGN_KEY_LEN);
		break;
	case STATEMENT_DROP:
		i = statement_find(k, s->key);
		k->n_keys--;
		memmove(k->keys[i], k->keys[i + 1],
		    (size_t)(k->n_keys - i) * SIGN_KEY_LEN);
		memset(k->keys[k->n_keys], 0, SIGN_KEY_LEN);
		break;
	case STATEMENT_RESET:
		memset(k->keys, 0, sizeof(k->keys));
		memcpy(k->keys[0], s->key, SIGN_KEY_LEN);
		k->n_keys = 1;
		break;
	case STATEMENT_UNKNOWN:
		return (ERR_FAULT);
	}
	k->n = s->n;
	memcpy(k->prev, s->hash, HASH_LEN);
	return (0);
}
