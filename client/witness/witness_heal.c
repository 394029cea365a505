/* SPDX-License-Identifier: ISC */
/*
 * Where a server has fewer lines than the witness it gets them back (record
 * S10.1), one game after the other: where it stands is found out by a line that
 * it shows, which also says whether it tells another history.
 */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/profile.h"
#include "client/witness/witness_int.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/rpc.h"

#define WITNESS_HEAL_OTHER "it is not the line that is held"
#define WITNESS_HEAL_BYTES 60000 /* of the params of one game.heal */

int
witness_heal_look(struct witness *w, const struct witness_row *row, int64_t seq)
{
	const struct witness_kind *k = witness_kind(row->is_cup);
	const struct witness_asked a = {
	    .what = WITNESS_ASK_HEAD, .gid = row->gid, .seq = seq};

	return (witness_wire_ask(&w->wire, k->record,
	    xalloc_json(json_pack("{s:o, s:I, s:I}", k->member,
		js_hex(row->id, HASH_LEN), "from", (json_int_t)seq, "to",
		(json_int_t)seq)),
	    &a, &w->e));
}

bool
witness_heal_is_behind(const struct witness *w, int64_t gid)
{
	size_t i;

	for (i = 0; i < w->n_behind; i++) {
		if (w->behind[i].gid == gid)
			return (true);
	}
	return (false);
}

/* Finds a game that was given back of late; NULL. */
static struct witness_healed *
witness_heal_find(const struct witness *w, int64_t gid)
{
	size_t i;

	for (i = 0; i < w->n_healed; i++) {
		if (w->healed[i].gid == gid)
			return (&w->healed[i]);
	}
	return (NULL);
}

void
witness_heal_kept(struct witness *w, int64_t gid)
{
	struct witness_healed *h = witness_heal_find(w, gid);

	if (h != NULL)
		*h = w->healed[--w->n_healed];
}

/* Notes that a game was given back; each time it is left alone for longer. */
static void
witness_heal_note(struct witness *w, int64_t gid)
{
	struct witness_healed *h = witness_heal_find(w, gid);

	if (h == NULL) {
		w->healed =
		    xalloc_more(w->healed, w->n_healed, sizeof(*w->healed));
		h = &w->healed[w->n_healed++];
		h->gid = gid;
		h->pause_ms = WITNESS_HEAL_MS / 2;
	}
	h->pause_ms = 2 * h->pause_ms < WITNESS_LATER_MS ? 2 * h->pause_ms
							 : WITNESS_LATER_MS;
	h->until_ms = clock_mono_ms() + h->pause_ms;
}

/* Looks at a game again when its pause is over. */
static int
witness_heal_later(
    struct witness *w, struct witness_row *row, const struct witness_healed *h)
{
	const int64_t left_ms = h->until_ms - clock_mono_ms();

	witness_log(w, "waits", row, row->n - 1,
	    "the server took its lines back and lacks them again: they are "
	    "given once more in %lld s",
	    (long long)(left_ms + 999) / 1000);
	if (witness_store_set_told(w->store, row, -1) != 0 ||
	    witness_store_set_due(
		w->store, row->gid, w->speaker.now_ms + left_ms) != 0)
		return (witness_broken(w));
	return (0);
}

/* Puts one among those to be given back; games rest on their tournaments. */
static void
witness_heal_put(struct witness *w, const struct witness_row *row)
{
	size_t i = w->n_behind;

	w->behind = xalloc_more(w->behind, w->n_behind, sizeof(*w->behind));
	/* But not before one whose lines are on their way. */
	while (row->is_cup && i > (w->heal_next >= 0 ? 1u : 0u) &&
	    !w->behind[i - 1].is_cup) {
		w->behind[i] = w->behind[i - 1];
		i--;
	}
	w->behind[i].gid = row->gid;
	w->behind[i].is_cup = row->is_cup;
	w->n_behind++;
}

int
witness_heal_add(struct witness *w, const struct witness_row *row, int64_t seq)
{
	const struct witness_healed *h = witness_heal_find(w, row->gid);
	struct witness_row at = *row;

	if (witness_heal_is_behind(w, row->gid))
		return (0);
	if (h != NULL && clock_mono_ms() < h->until_ms)
		return (witness_heal_later(w, &at, h));
	witness_log(w, "behind", row, row->n - 1,
	    "the server has lost lines from %lld on", (long long)seq + 1);
	if (witness_store_set_told(w->store, &at, seq) != 0)
		return (witness_broken(w));
	witness_heal_put(w, row);
	return (0);
}

int
witness_heal_gone(struct witness *w, const struct witness_row *row)
{
	return (witness_heal_add(w, row, -1));
}

/* Forgets the line that differs. */
static void
witness_heal_forget(struct witness *w)
{
	buf_clear(&w->odd);
	w->odd_gid = 0;
}

/* Takes the server's line of a number that is not the one that is held. */
static int
witness_heal_differs(
    struct witness *w, struct witness_row *row, int64_t seq, const json_t *v)
{
	if (record_check_mark(
		json_string_value(v), json_string_length(v), w->p->pin) != 0)
		return (err_set(&w->e, ERR_REQUEST, NULL,
		    "the server's answer makes no sense: a line that it did "
		    "not sign"));
	if (seq == 0)
		return (witness_accuse(w, row, seq, json_string_value(v),
		    json_string_length(v), WITNESS_HEAL_OTHER));
	/* The first one that differs tells what happened. */
	witness_heal_forget(w);
	w->odd_gid = row->gid;
	w->odd_seq = seq;
	buf_add(&w->odd, json_string_value(v), json_string_length(v));
	return (witness_heal_look(w, row, seq - 1));
}

/* Takes one that is, the server's last being number `last`. */
static int
witness_heal_agrees(
    struct witness *w, struct witness_row *row, int64_t seq, int64_t last)
{
	int r;

	if (w->odd_gid == row->gid && w->odd_seq == seq + 1) {
		r = witness_accuse(w, row, w->odd_seq, w->odd.data, w->odd.len,
		    WITNESS_HEAL_OTHER);
		witness_heal_forget(w);
		return (r);
	}
	if (last < row->n - 1)
		return (witness_heal_add(w, row, last));
	return (witness_watch(w, row));
}

int
witness_heal_looked(struct witness *w, struct witness_row *row,
    const struct rpc_reply *rp, const struct witness_asked *a)
{
	const json_t *lines = NULL, *v;
	int64_t last, seq;
	struct buf b;
	int r = 0;

	if (rp->r == ERR_NOTFOUND)
		return (witness_heal_gone(w, row));
	if (rp->code != 0)
		return (err_set(&w->e, rp->r, NULL, "%s", rp->message));
	if (js_get_int(rp->result, "seq", NULL, 0, JS_INT_MAX, &last, NULL) !=
		0 ||
	    js_get_array(rp->result, "lines", NULL, &lines, NULL) != 0)
		return (err_set(&w->e, ERR_REQUEST, NULL,
		    "the server's answer makes no sense: a record"));
	seq = last < row->n ? last : row->n - 1;
	v = json_array_get(lines, 0);
	if (json_is_string(v) && w->odd_gid == row->gid && a->seq < w->odd_seq)
		seq = a->seq;
	if (seq != a->seq || !json_is_string(v))
		return (witness_heal_look(w, row, seq));
	buf_init(&b, 0);
	if (witness_store_line(w->store, row->gid, seq, &b) != 0)
		r = witness_broken(w);
	else if (b.len == json_string_length(v) &&
	    memcmp(b.data, json_string_value(v), b.len) == 0)
		r = witness_heal_agrees(w, row, seq, last);
	else
		r = witness_heal_differs(w, row, seq, v);
	buf_clear(&b);
	return (r);
}

/* Ends with the first game of those to be given back. */
static void
witness_heal_end(struct witness *w)
{
	w->n_behind--;
	memmove(w->behind, w->behind + 1, w->n_behind * sizeof(*w->behind));
	json_decref(w->heal_blobs);
	w->heal_blobs = NULL;
	w->heal_next = -1;
}

/* Notes a blob to be given. */
static int
witness_heal_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char *value, size_t len)
{
	(void)hash;
	xalloc_append(arg, json_stringn(value, len));
	return (0);
}

/* Begins with a game: a new one needs its blobs first. */
static int
witness_heal_begin(struct witness *w, const struct witness_row *row)
{
	w->heal_next = row->told + 1;
	w->heal_blobs = xalloc_json(json_array());
	if (row->told < 0 &&
	    witness_store_each_blob(
		w->store, row->gid, witness_heal_blob_cb, w->heal_blobs) != 0)
		return (witness_broken(w));
	return (0);
}

/* Gives lines from the next one on, as many as a request takes. */
static int
witness_heal_lines(struct witness *w, const struct witness_row *row)
{
	const struct witness_kind *k = witness_kind(row->is_cup);
	struct witness_asked a = {.what = WITNESS_ASK_HEAL, .gid = row->gid};
	json_t *lines = xalloc_json(json_array());
	size_t bytes = 0;
	struct buf b;
	int r = 0;

	buf_init(&b, 0);
	for (a.seq = w->heal_next; a.seq < row->n; a.seq++) {
		buf_reset(&b);
		r = witness_store_line(w->store, row->gid, a.seq, &b);
		/* Quotes and the like take two bytes each. */
		if (r != 0 ||
		    (bytes > 0 &&
			bytes + b.len + b.len / 4 > WITNESS_HEAL_BYTES))
			break;
		bytes += b.len + b.len / 4;
		xalloc_append(lines, json_stringn(b.data, b.len));
	}
	buf_clear(&b);
	if (r != 0) {
		json_decref(lines);
		return (witness_broken(w));
	}
	w->heal_next = a.seq;
	return (witness_wire_ask(&w->wire, k->heal,
	    xalloc_json(json_pack("{s:o, s:o}", k->member,
		js_hex(row->id, HASH_LEN), "lines", lines)),
	    &a, &w->e));
}

int
witness_heal(struct witness *w)
{
	const struct witness_asked a = {.what = WITNESS_ASK_HEAL};
	struct witness_row row;
	json_t *v;
	int r;

	if (w->n_behind == 0 || !witness_wire_has_room(&w->wire, 1) ||
	    witness_wire_waits(&w->wire, WITNESS_ASK_HEAL, w->behind[0].gid) ||
	    witness_wire_waits(&w->wire, WITNESS_ASK_HEAL, 0))
		return (0);
	if (witness_store_get(w->store, w->behind[0].gid, &row) != 0)
		return (witness_broken(w));
	if (w->heal_next < 0 && (r = witness_heal_begin(w, &row)) != 0)
		return (r);
	if ((v = json_array_get(w->heal_blobs, 0)) != NULL) {
		v = json_pack("{s:O}", "value", v);
		(void)json_array_remove(w->heal_blobs, 0); /* it is there */
		return (witness_wire_ask(
		    &w->wire, "blob.put", xalloc_json(v), &a, &w->e));
	}
	if (w->heal_next < row.n)
		return (witness_heal_lines(w, &row));
	witness_log(
	    w, "healed", &row, row.n - 1, "the server has its lines back");
	witness_heal_end(w);
	witness_heal_note(w, row.gid);
	/* Whoever recovers wants to know that this was all. */
	if (w->n_behind == 0)
		witness_heads_begin(w);
	return (row.state == WITNESS_FOLLOWED ? witness_watch(w, &row) : 0);
}

int
witness_heal_given(struct witness *w, const struct rpc_reply *rp)
{
	struct witness_row row;

	if (rp->code == 0 || w->n_behind == 0)
		return (0);
	if (witness_store_get(w->store, w->behind[0].gid, &row) != 0)
		return (witness_broken(w));
	witness_log(w, "waits", &row, -1, "the server takes no lines back: %s",
	    rp->message);
	witness_heal_end(w);
	/* It is another history, or the server cannot do that. */
	if (rp->r == ERR_FORK)
		return (witness_heal_look(w, &row, 0));
	if (witness_store_set_told(w->store, &row, -1) != 0 ||
	    witness_store_set_due(w->store, row.gid,
		w->speaker.now_ms +
		    (rp->r == ERR_METHOD ? WITNESS_LATER_MS
					 : 10 * WITNESS_RETRY_MS)) != 0)
		return (witness_broken(w));
	return (0);
}
