/* SPDX-License-Identifier: ISC */
/* Key statements and the keys that they leave (record S4). */
#include "client/net/account.h"

#include <string.h>
#include <sysexits.h>

#include "client/base/xalloc.h"
#include "client/profile/known.h"
#include "client/ui/out_terminal.h"
#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/crypt/base32.h"
#include "common/json/js.h"

/* Reads what account.keys answers. */
static int
account_read(const json_t *result, struct statement_keys *k)
{
	const json_t *keys = NULL;
	size_t i;
	int r;

	memset(k, 0, sizeof(*k));
	r = js_get_int(result, "kn", NULL, 0, JS_INT_MAX - 1, &k->n, NULL);
	if (r == 0)
		r = js_get_hex(result, "kprev", NULL, k->prev, HASH_LEN, NULL);
	if (r == 0)
		r = js_opt_hex(result, "recovery", NULL, k->recovery,
		    SIGN_KEY_LEN, &k->has_recovery, NULL);
	if (r == 0)
		r = js_opt_array(result, "keys", NULL, &keys, NULL);
	if (r == 0 && json_array_size(keys) > STATEMENT_KEYS_MAX)
		r = ERR_INVALID;
	for (i = 0; r == 0 && i < json_array_size(keys); i++)
		r = js_element_hex(keys, i, k->keys[i], SIGN_KEY_LEN);
	k->n_keys = (int)json_array_size(keys);
	return (r);
}

int
account_keys(struct link *l, bool is_logged_in, struct statement_keys *k)
{
	json_t *params = xalloc_json(json_object()), *result;
	int r, status;

	if (!is_logged_in)
		xalloc_set(params, "account", xalloc_json_str(l->p->account));
	if ((status = link_ask(l, "account.keys", params, &result)) != 0)
		return (status);
	r = account_read(result, k);
	json_decref(result);
	if (r == 0)
		return (EX_OK);
	out_error("the server's answer about the account's keys makes no "
		  "sense");
	return (EX_PROTOCOL);
}

/* Says which key of the account is not known here, and what to do. */
static void
account_tell(const struct profile *p, const uint8_t key[SIGN_KEY_LEN])
{
	char mark[FINGERPRINT_LEN + 1];

	base32_fingerprint(mark, key);
	out_error("account '%s' has a key that profile '%s' does not know; "
		  "nothing is signed\n%s",
	    p->account, p->name, mark);
	out_note("If `umpire keys` on another device of yours shows it as that "
		 "device's:\numpire keys trust %s",
	    mark);
	out_note("If it is none of yours, your keys were stolen: umpire keys "
		 "recover");
}

int
account_args(struct link *l, json_t *args)
{
	const struct profile *p = l->p;
	const uint8_t *own = p->keys.sign.public_key;
	struct statement_keys k;
	struct errinfo e = {.text = ""};
	json_t *others;
	int i, status;

	if ((status = account_keys(l, true, &k)) != 0)
		return (status);
	/* Whoever got a key of theirs in could play in our name. */
	if (!statement_has_key(&k, own) ||
	    (k.has_recovery &&
		(!p->has_recovery ||
		    memcmp(k.recovery, p->recovery, SIGN_KEY_LEN) != 0))) {
		out_error("the server knows other keys of account '%s' than "
			  "profile '%s' has; nothing is signed",
		    p->account, p->name);
		return (EX_NOPERM);
	}
	if (known_keep(p, &k, &e) != 0) {
		out_error("%s", e.text);
		return (EX_IOERR);
	}
	others = xalloc_json(json_array());
	for (i = 0; i < k.n_keys; i++) {
		if (memcmp(k.keys[i], own, SIGN_KEY_LEN) == 0)
			continue;
		if (!known_has(p, k.keys[i])) {
			account_tell(p, k.keys[i]);
			json_decref(others);
			return (EX_NOPERM);
		}
		xalloc_append(others, js_hex(k.keys[i], SIGN_KEY_LEN));
	}
	xalloc_set(args, "kn", json_integer(k.n));
	xalloc_set(args, "kprev", js_hex(k.prev, HASH_LEN));
	if (k.has_recovery)
		xalloc_set(args, "recovery", js_hex(k.recovery, SIGN_KEY_LEN));
	if (json_array_size(others) > 0)
		xalloc_set(args, "keys", others);
	else
		json_decref(others);
	return (EX_OK);
}

int
account_state(struct link *l, const struct statement_keys *k,
    enum statement_do what, const uint8_t key[SIGN_KEY_LEN],
    const struct sign_key *signer)
{
	const struct statement_parts sp = {.server = l->server,
	    .account = l->p->account,
	    .n = k->n + 1,
	    .prev = k->prev,
	    .what = what,
	    .key = key,
	    .now_ms = clock_wall_ms()};
	json_t *params, *result;
	uint8_t sig[SIGN_LEN];
	struct buf b;
	int r, status;

	buf_init(&b, 0);
	if ((r = statement_write(&sp, &b)) == 0)
		r = sign_make(signer, SIGN_TAG_KEY, b.data, b.len, sig);
	if (r != 0) {
		buf_clear(&b);
		return (EX_SOFTWARE);
	}
	params = xalloc_json(json_pack("{s:s, s:o, s:o}", "statement",
	    buf_str(&b), "key", js_hex(signer->public_key, SIGN_KEY_LEN), "sig",
	    js_hex(sig, SIGN_LEN)));
	buf_clear(&b);
	if ((status = link_ask(l, "account.key", params, &result)) == 0)
		json_decref(result);
	return (status);
}
