/* SPDX-License-Identifier: ISC */
/*
 * Order texts of a tournament: the members that S15.2 allows, kind by kind.
 * Nothing here knows the state of a tournament.
 */
#include "common/tournament/entry.h"

#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/json/js_put.h"

/* Reads what ties an order to a tournament that there is. */
static int
entry_read_head(struct entry *o, struct errinfo *e)
{
	const struct js_at *at = &order_at;
	int r;

	if ((r = js_get_hex(
		 o->root, "tournament", at, o->tournament, HASH_LEN, e)) != 0 ||
	    (r = js_get_str(o->root, "by", at, &o->by, e)) != 0 ||
	    (r = js_get_int(
		 o->root, "after", at, 0, JS_INT_MAX, &o->after, e)) != 0)
		return (r);
	if (!order_is_account(o->by))
		return (js_fail_member(at, "by", e,
		    "not an account name ([a-z0-9][a-z0-9._-]{0,31})"));
	return (js_get_hex(o->root, "head", at, o->head, HASH_LEN, e));
}

/* Reads who opens a tournament, and what makes its id. */
static int
entry_read_create(struct entry *o, struct errinfo *e)
{
	static const char *const none[] = {
	    "tournament", "by", "after", "head", NULL};
	const json_t *director = json_object_get(o->args, "director");
	int i;

	for (i = 0; none[i] != NULL; i++) {
		if (json_object_get(o->root, none[i]) != NULL)
			return (js_fail_member(&order_at, none[i], e,
			    "an order that opens a tournament has none"));
	}
	o->by = js_str(director, "account");
	if (o->by == NULL)
		o->by = "";
	o->after = -1;
	return (
	    hash_tagged(o->tournament, "umpire/tournament/1", o->text, o->len));
}

/* Checks that the order has seen the line that it names. */
static int
entry_check_seen(const struct entry *o, struct errinfo *e)
{
	static const char *const names[] = {"to", "answer", "accept", NULL};
	const json_t *v;
	int i;

	for (i = 0; names[i] != NULL; i++) {
		v = json_object_get(o->args, names[i]);
		if (json_is_integer(v) && json_integer_value(v) > o->after)
			return (js_fail_member(&order_at_args, names[i], e,
			    "a later line than the order has seen"));
	}
	return (0);
}

/* Reads the members of a text that is JSON of the profile. */
static int
entry_read(struct entry *o, struct errinfo *e)
{
	static const char *const known[] = {"v", "server", "tournament", "by",
	    "after", "head", "nonce", "now", "kind", "place", "own", "args",
	    NULL};
	const struct js_at *at = &order_at;
	const char *now;
	int64_t v;
	int r;

	if ((r = js_members(o->root, at, known, e)) != 0 ||
	    (r = js_get_int(o->root, "v", at, 1, 1, &v, e)) != 0 ||
	    (r = js_get_hex(
		 o->root, "server", at, o->server, SIGN_KEY_LEN, e)) != 0 ||
	    (r = js_get_hex(
		 o->root, "nonce", at, o->nonce, ORDER_NONCE_LEN, e)) != 0 ||
	    (r = js_get_str(o->root, "now", at, &now, e)) != 0 ||
	    (r = js_get_str(o->root, "kind", at, &o->kind_name, e)) != 0 ||
	    (r = js_get_object(o->root, "args", at, &o->args, e)) != 0 ||
	    (r = js_opt_str(o->root, "place", at, &o->place, e)) != 0 ||
	    (r = js_opt_hex(o->root, "own", at, o->own, VRF_PROOF_LEN,
		 &o->has_own, e)) != 0)
		return (r);
	if (clock_parse(now, strlen(now), &o->now_ms) != 0)
		return (js_fail_member(at, "now", e,
		    "not a time as \"2026-11-20T18:04:00.000Z\""));
	o->kind = entry_kind_of(o->kind_name);
	if (o->kind == ENTRY_CREATE)
		return (entry_read_create(o, e));
	r = entry_read_head(o, e);
	return (r != 0 ? r : entry_check_seen(o, e));
}

/* Reads nothing but what ties the text to server and tournament. */
static int
entry_read_only_head(struct entry *o, struct errinfo *e)
{
	int r;

	o->kind = ENTRY_UNKNOWN;
	o->kind_name = "";
	r = js_get_hex(
	    o->root, "server", &order_at, o->server, SIGN_KEY_LEN, e);
	return (r != 0 ? r : entry_read_head(o, e));
}

/* Reads a text of the profile: size and JSON, then what `read` reads. */
static int
entry_load(const char *text, size_t len,
    int (*read)(struct entry *o, struct errinfo *e), struct entry *o,
    struct errinfo *e)
{
	struct entry entry = {.text = text, .len = len};
	int r;

	r = order_load_text(text, len, &entry.root, e);
	if (r != 0)
		return (r);
	if ((r = read(&entry, e)) == 0)
		r = hash_tagged(entry.oid, ENTRY_TAG, text, len);
	if (r != 0) {
		json_decref(entry.root);
		return (r);
	}
	*o = entry;
	return (0);
}

int
entry_parse(const char *text, size_t len, struct entry *o, struct errinfo *e)
{
	return (entry_load(text, len, entry_read, o, e));
}

int
entry_parse_head(
    const char *text, size_t len, struct entry *o, struct errinfo *e)
{
	return (entry_load(text, len, entry_read_only_head, o, e));
}

int
entry_check_kind(const struct entry *o, struct errinfo *e)
{
	const enum order_need need = entry_kind_row(o->kind)->proof;

	if ((o->place != NULL) != o->has_own)
		return (js_fail_member(
		    &order_at, "own", e, "place and own come together"));
	if (need == ORDER_MUST && !o->has_own)
		return (js_fail_member(&order_at, "own", e,
		    "missing; an order of the kind \"%.32s\" has one",
		    o->kind_name));
	if (need == ORDER_NO && o->has_own)
		return (js_fail_member(&order_at, "own", e,
		    "an order of the kind \"%.32s\" has none", o->kind_name));
	return (0);
}

int
entry_check_known(const struct entry *o, struct errinfo *e)
{
	int r;

	if (o->kind == ENTRY_UNKNOWN)
		return (err_set(e, ERR_NEWER, "order.kind",
		    "an order of the kind \"%.32s\" is not in this version",
		    o->kind_name));
	r = order_check_args(o->args, entry_kind_row(o->kind)->args, e);
	if (r != 0 || o->kind != ENTRY_CREATE)
		return (r);
	return (order_check_settings(o->args, e));
}

void
entry_clear(struct entry *o)
{
	json_decref(o->root);
	memset(o, 0, sizeof(*o));
}

int
entry_write(const struct entry_parts *p, struct buf *out)
{
	uint8_t nonce[ORDER_NONCE_LEN];
	struct buf b;
	int r;

	if ((r = hash_random(nonce, sizeof(nonce))) != 0)
		return (r);
	buf_init(&b, ORDER_TEXT_MAX);
	buf_puts(&b, "{\"v\":1");
	js_put_hex(&b, "server", p->server, SIGN_KEY_LEN);
	if (p->kind != ENTRY_CREATE) {
		js_put_hex(&b, "tournament", p->tournament, HASH_LEN);
		js_put_str(&b, "by", p->by);
		js_put_int(&b, "after", p->after);
		js_put_hex(&b, "head", p->head, HASH_LEN);
	}
	js_put_hex(&b, "nonce", nonce, sizeof(nonce));
	js_put_at(&b, "now", p->now_ms);
	js_put_str(&b, "kind", entry_kind_name(p->kind));
	if (p->place != NULL)
		js_put_str(&b, "place", p->place);
	if (p->own != NULL)
		js_put_hex(&b, "own", p->own, VRF_PROOF_LEN);
	js_put_json(&b, "args", p->args);
	buf_putc(&b, '}');
	if ((r = buf_error(&b)) == 0)
		buf_add(out, b.data, b.len);
	buf_clear(&b);
	return (r != 0 ? r : buf_error(out));
}

int
entry_name_hash(const json_t *hash, json_t *set)
{
	if (!json_is_string(hash))
		return (0); /* whoever takes the line says so */
	return (json_object_set_new_nocheck(
		    set, json_string_value(hash), json_true()) == 0
		? 0
		: ERR_NOMEM);
}

int
entry_name_hashes(const struct entry *o, json_t *set)
{
	const char *text = entry_kind_row(o->kind)->text;
	const json_t *scenario, *table;
	size_t i, k;
	int r = 0;

	if (text != NULL)
		r = entry_name_hash(json_object_get(o->args, text), set);
	if (o->kind != ENTRY_CREATE)
		return (r);
	json_array_foreach(json_object_get(o->args, "scenarios"), i, scenario)
	{
		if (r == 0)
			r = entry_name_hash(
			    json_object_get(scenario, "roster"), set);
		json_array_foreach(
		    json_object_get(scenario, "tables"), k, table)
		{
			if (r == 0)
				r = entry_name_hash(table, set);
		}
	}
	return (r);
}
