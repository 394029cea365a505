/* SPDX-License-Identifier: ISC */
/*
 * Texts and blobs that an order names (record S9).  A text that one side
 * wrote for itself is for the other as if it were not there: its ref, which
 * stands in the record, must not be a way to it.
 */
#include <string.h>

#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "server/ledger/ledger_int.h"
#include "server/store/access.h"
#include "server/store/store.h"

bool
ledger_text_ref(const struct order *o, uint8_t ref[HASH_LEN], int *side)
{
	const char *member = order_kind_row(o->kind)->text, *to;
	bool has;

	/* A ref of the wrong form names nothing; game_take() refuses it. */
	if (member == NULL ||
	    js_opt_hex(o->args, member, NULL, ref, HASH_LEN, &has, NULL) != 0 ||
	    !has)
		return (false);
	to = json_string_value(json_object_get(o->args, "to"));
	*side = o->kind == ORDER_CHAT && to != NULL && strcmp(to, "side") == 0
	    ? game_side_of(o->seat)
	    : 0;
	return (true);
}

int
ledger_text_check_sent(struct ledger_job *job, size_t n, const uint8_t *named)
{
	const struct ledger_text *t = &job->texts[n];
	uint8_t ref[HASH_LEN];
	int r;

	if (named == NULL || memcmp(t->ref, named, HASH_LEN) != 0)
		return (err_set(&job->e, ERR_INVALID, "texts",
		    "text %zu is not one that the order names", n));
	if (t->len > RECORD_TEXT_MAX)
		return (err_set(&job->e, ERR_TOOBIG, "texts",
		    "a text has at most %d bytes", RECORD_TEXT_MAX));
	r = record_text_ref(ref, t->salt, t->value, t->len);
	if (r == 0 && memcmp(ref, t->ref, HASH_LEN) != 0)
		r = err_set(&job->e, ERR_INVALID, "texts",
		    "text %zu does not have the hash that names it", n);
	return (r);
}

int
ledger_text_check(struct ledger_order *lo)
{
	struct ledger_job *job = lo->job;
	uint8_t ref[HASH_LEN];
	bool is_named;
	int r, side;
	size_t i;

	is_named = ledger_text_ref(&job->order, ref, &side);
	for (i = 0; i < job->n_texts; i++) {
		r = ledger_text_check_sent(job, i, is_named ? ref : NULL);
		if (r != 0)
			return (r);
	}
	if (!is_named || job->n_texts > 0)
		return (0);
	r = lo->gid == -1 ? ERR_NOTFOUND
			  : store_text_find(lo->l->store, lo->gid, ref, &side);
	if (r == 0 && side != 0 && side != game_side_of(job->order.seat))
		r = ERR_NOTFOUND;
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_MISSING, "texts",
		    "the order names a text that was not sent with it"));
	return (r == 0 ? 0 : ledger_fault(lo->l, r, "find a text"));
}

/*
 * Calls each for the blobs that an order names, until it returns non-zero,
 * which is then returned.  What has not the form of a hash names nothing.
 */
static int
ledger_text_each_blob(const struct order *o,
    int (*each)(void *arg, const uint8_t hash[HASH_LEN]), void *arg)
{
	const json_t *tables, *v;
	uint8_t hash[HASH_LEN];
	bool has;
	size_t i;
	int r;

	if (o->kind != ORDER_CREATE && o->kind != ORDER_PROPOSE)
		return (0);
	if (js_opt_hex(o->args, "roster", NULL, hash, HASH_LEN, &has, NULL) ==
		0 &&
	    has && (r = each(arg, hash)) != 0)
		return (r);
	tables = json_object_get(o->args, "tables");
	json_array_foreach(tables, i, v)
	{
		if (js_element_hex(tables, i, hash, HASH_LEN) == 0 &&
		    (r = each(arg, hash)) != 0)
			return (r);
	}
	return (0);
}

int
ledger_text_check_blob(
    struct ledger *l, struct ledger_job *job, const uint8_t hash[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	int r;

	r = access_blob(l->store, hash, job->account);
	hex_format(hex, hash, HASH_LEN);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_MISSING, "order.args",
		    "the blob %.16s is not here; send it with blob.put first",
		    hex));
	return (r == 0 ? 0 : ledger_fault(l, r, "find a blob"));
}

/* The same, of one that is here; another is left to the game. */
static int
ledger_text_check_blob_cb(void *arg, const uint8_t hash[HASH_LEN])
{
	struct ledger_order *lo = arg;
	int r;

	r = store_blob_find(lo->l->store, hash);
	if (r == 0)
		return (ledger_text_check_blob(lo->l, lo->job, hash));
	return (r == ERR_NOTFOUND ? 0 : ledger_fault(lo->l, r, "find a blob"));
}

int
ledger_text_check_blobs(struct ledger_order *lo)
{
	return (ledger_text_each_blob(
	    &lo->job->order, ledger_text_check_blob_cb, lo));
}

/* A line that is being written. */
struct ledger_text_line {
	struct store *st;
	int64_t gid;
	int64_t seq;
	struct errinfo *e; /* for a blob that is not here */
};

/* Notes that the line names a blob. */
static int
ledger_text_blob_cb(void *arg, const uint8_t hash[HASH_LEN])
{
	const struct ledger_text_line *line = arg;

	return (store_side_name(line->st, line->gid, line->seq, true, hash));
}

/* The same, if it is here. */
static int
ledger_text_back_cb(void *arg, const uint8_t hash[HASH_LEN])
{
	const struct ledger_text_line *line = arg;
	char hex[2 * HASH_LEN + 1];
	int r;

	if ((r = store_blob_find(line->st, hash)) == 0)
		return (ledger_text_blob_cb(arg, hash));
	if (r != ERR_NOTFOUND)
		return (r);
	hex_format(hex, hash, HASH_LEN);
	return (err_set(line->e, ERR_MISSING, "lines",
	    "line %lld names the blob %.16s, which is not here; send it with "
	    "blob.put first",
	    (long long)line->seq, hex));
}

int
ledger_text_name_blobs(struct ledger *l, int64_t gid, int64_t seq,
    const struct order *o, struct errinfo *e)
{
	struct ledger_text_line line = {l->store, gid, seq, e};

	return (ledger_text_each_blob(o, ledger_text_back_cb, &line));
}

int
ledger_text_name(struct ledger *l, int64_t gid, int64_t seq,
    const uint8_t ref[HASH_LEN], int side, const struct ledger_text *t)
{
	int r;

	if (t != NULL &&
	    (r = store_text_insert(
		 l->store, gid, ref, t->salt, t->value, t->len, side)) != 0)
		return (r);
	if ((r = store_text_share(l->store, gid, ref, side)) != 0)
		return (r);
	return (store_side_name(l->store, gid, seq, false, ref));
}

int
ledger_text_write(struct ledger_order *lo, int64_t seq)
{
	struct ledger_text_line line = {lo->l->store, lo->gid, seq, NULL};
	const struct ledger_job *job = lo->job;
	struct store *st = lo->l->store;
	const struct ledger_text *t;
	uint8_t ref[HASH_LEN];
	size_t i;
	int r, side;

	if (ledger_text_ref(&job->order, ref, &side)) {
		for (i = 0; i < job->n_texts; i++) {
			t = &job->texts[i];
			r = store_text_insert(st, lo->gid, t->ref, t->salt,
			    t->value, t->len, side);
			if (r != 0)
				return (r);
		}
		if ((r = store_text_share(st, lo->gid, ref, side)) != 0 ||
		    (r = store_side_name(st, lo->gid, seq, false, ref)) != 0)
			return (r);
	}
	return (ledger_text_each_blob(&job->order, ledger_text_blob_cb, &line));
}
