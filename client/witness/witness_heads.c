/* SPDX-License-Identifier: ISC */
/*
 * The last lines of all tournaments that are held, and then of all games, are
 * told to the server (record S10.1) on each connection, before any word is sent
 * there, again after lines were given back, and each hour: so lines that it has
 * lost are found out where no line comes, and a game that recovers need not
 * wait for this seat.
 */
#include "client/base/xalloc.h"
#include "client/witness/witness_int.h"
#include "common/base/clock.h"
#include "common/json/js.h"
#include "common/record/rpc.h"

#define WITNESS_HEADS_MOST 100 /* of one request */
#define WITNESS_HEADS_MS 3600000 /* between two times */
#define WITNESS_HEADS_FAILED_MS 60000 /* likewise after one that failed */

void
witness_heads_begin(struct witness *w)
{
	w->is_telling = w->told_cup = true;
	w->told_gid = 0;
	w->told_state = WITNESS_FOLLOWED;
	w->tell_ms = clock_mono_ms() + WITNESS_HEADS_MS;
}

/* Finds the next of its kind to be told of; ERR_NOTFOUND: that was all. */
static int
witness_heads_next(struct witness *w, struct witness_row *row)
{
	int r;

	do {
		r = witness_store_next(
		    w->store, w->told_cup, w->told_gid, w->told_state, row);
		if (r == ERR_NOTFOUND && w->told_state == WITNESS_FOLLOWED) {
			w->told_state = WITNESS_FINISHED;
			w->told_gid = 0;
			row->n = 0;
			continue;
		}
		if (r != 0)
			return (r == ERR_NOTFOUND ? r : witness_broken(w));
		w->told_gid = row->gid;
	} while (row->n == 0);
	return (0);
}

/* Ends with tournaments, after which come games, or with all. */
static void
witness_heads_end(struct witness *w, bool is_cup)
{
	if (is_cup) {
		w->told_cup = false;
		w->told_gid = 0;
		w->told_state = WITNESS_FOLLOWED;
		return;
	}
	w->is_telling = false;
	w->has_told = true;
}

/* Tells the next of one kind; *is_end: there are no more of it. */
static int
witness_heads_some(struct witness *w, bool *is_end)
{
	const struct witness_kind *k = witness_kind(w->told_cup);
	const struct witness_asked a = {
	    .what = WITNESS_ASK_HEADS, .seq = w->told_cup};
	json_t *list = xalloc_json(json_array());
	struct witness_row row;
	int r = 0;

	while (json_array_size(list) < WITNESS_HEADS_MOST &&
	    (r = witness_heads_next(w, &row)) == 0)
		xalloc_append(list,
		    xalloc_json(json_pack("{s:o, s:I, s:o}", k->member,
			js_hex(row.id, HASH_LEN), "seq", (json_int_t)row.n - 1,
			"head", js_hex(row.head, HASH_LEN))));
	*is_end = r == ERR_NOTFOUND && json_array_size(list) == 0;
	if (*is_end || (r != 0 && r != ERR_NOTFOUND)) {
		json_decref(list);
		return (*is_end ? 0 : r);
	}
	return (witness_wire_ask(&w->wire, k->heads,
	    xalloc_json(json_pack("{s:o}", k->list, list)), &a, &w->e));
}

int
witness_heads(struct witness *w)
{
	bool is_cup, is_end = true;
	int r = 0;

	if (!w->is_telling && clock_mono_ms() >= w->tell_ms)
		witness_heads_begin(w);
	while (r == 0 && is_end && w->is_telling &&
	    witness_wire_has_room(&w->wire, 1) &&
	    !witness_wire_waits(&w->wire, WITNESS_ASK_HEADS, 0)) {
		is_cup = w->told_cup;
		r = witness_heads_some(w, &is_end);
		if (r == 0 && is_end)
			witness_heads_end(w, is_cup);
	}
	return (r);
}

/* Takes what the server says of one. */
static int
witness_heads_row(
    struct witness *w, const struct witness_kind *k, const json_t *v)
{
	static const char *const states[] = {
	    "same", "behind", "ahead", "other", "unknown", NULL};
	struct witness_row row;
	uint8_t id[HASH_LEN];
	int64_t seq = -1;
	int is, r;

	if (js_get_hex(v, k->member, NULL, id, HASH_LEN, NULL) != 0 ||
	    js_get_enum(v, "is", NULL, states, &is, NULL) != 0 ||
	    (is == 2 &&
		js_get_int(v, "seq", NULL, 0, JS_INT_MAX, &seq, NULL) != 0))
		return (witness_hear_nonsense(w, "last lines"));
	r = witness_store_find(w->store, id, &row);
	if (r == ERR_NOTFOUND || (r == 0 && row.n == 0))
		return (0);
	if (r != 0)
		return (witness_broken(w));
	if (row.state != WITNESS_FOLLOWED && row.state != WITNESS_FINISHED)
		return (0);
	if (is == 2)
		return (witness_heal_add(w, &row, seq));
	if (is == 3)
		return (witness_heal_look(w, &row, row.n - 1));
	if (is == 4)
		return (witness_heal_gone(w, &row));
	witness_heal_kept(w, row.gid);
	if (json_is_true(json_object_get(v, "recovering")))
		witness_log(w, "waits", &row, -1,
		    "an old backup of the server was put back: the %s takes "
		    "no orders until what is missing has come back",
		    k->noun);
	return (0);
}

int
witness_heads_told(struct witness *w, const struct rpc_reply *rp,
    const struct witness_asked *a)
{
	const struct witness_kind *k = witness_kind(a->seq != 0);
	const json_t *rows = NULL, *v;
	size_t i;
	int r = 0;

	if (rp->code != 0) {
		/* An older server does not know this; others may later. */
		witness_heads_end(w, a->seq != 0);
		if (rp->r == ERR_METHOD)
			return (0);
		w->tell_ms = clock_mono_ms() + WITNESS_HEADS_FAILED_MS;
		witness_log(w, "waits", NULL, -1,
		    "the server does not compare last lines: %s", rp->message);
		return (0);
	}
	if (js_get_array(rp->result, k->list, NULL, &rows, NULL) != 0)
		return (witness_hear_nonsense(w, "last lines"));
	json_array_foreach(rows, i, v)
	{
		if (r == 0 && witness_wire_has_room(&w->wire, 1))
			r = witness_heads_row(w, k, v);
	}
	return (r);
}
