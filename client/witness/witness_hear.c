/* SPDX-License-Identifier: ISC */
/* What a server says to a witness: lines above all. */
#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/profile/profile.h"
#include "client/witness/witness_int.h"
#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/order.h"
#include "common/record/record.h"

int
witness_hear_nonsense(struct witness *w, const char *what)
{
	return (err_set(&w->e, ERR_REQUEST, NULL,
	    "the server's answer makes no sense: %s", what));
}

/* Finds what a message is about; ERR_NOTFOUND if it is none of ours. */
static int
witness_hear_row(struct witness *w, bool is_cup, const json_t *params,
    struct witness_row *row)
{
	const char *member = witness_kind(is_cup)->member;
	uint8_t id[HASH_LEN];
	int r;

	if (js_get_hex(params, member, NULL, id, HASH_LEN, NULL) != 0)
		return (witness_hear_nonsense(w, member));
	r = witness_store_find(w->store, id, row);
	if (r == 0 && row->is_cup != is_cup)
		r = ERR_NOTFOUND;
	return (r == 0 || r == ERR_NOTFOUND ? r : witness_broken(w));
}

int
witness_hear_side(
    struct witness *w, int64_t gid, const json_t *side, struct verify *v)
{
	struct record_side s;
	const json_t *one;
	size_t i;
	int r = 0;

	json_array_foreach(side, i, one)
	{
		if (!json_is_string(one) ||
		    record_side_parse(json_string_value(one),
			json_string_length(one), &s, NULL) != 0)
			return (witness_hear_nonsense(w, "a side line"));
		if (s.is_blob) {
			if (v != NULL)
				r = verify_add_blob(v, s.value, s.len);
			if (r == 0 &&
			    witness_store_add_blob(
				w->store, gid, s.hash, s.value, s.len) != 0)
				r = witness_broken(w);
		}
		record_side_clear(&s);
		if (r != 0)
			return (r);
	}
	return (0);
}

/*
 * Asks for blobs that a line names and a notice has no room for.  True if the
 * line has to wait for some.
 */
static int
witness_hear_omitted(struct witness *w, const struct witness_row *row,
    const json_t *omitted, bool *must_wait)
{
	struct witness_asked a = {.what = WITNESS_ASK_BLOB, .gid = row->gid};
	const char *hex;
	json_t *v;
	size_t i;
	int r;

	*must_wait = false;
	json_array_foreach(omitted, i, v)
	{
		hex = json_string_value(v);
		if (hex == NULL ||
		    hex_parse(a.hash, HASH_LEN, hex, strlen(hex)) != 0)
			return (witness_hear_nonsense(w, "a blob"));
		r = witness_store_has_blob(w->store, row->gid, a.hash);
		if (r == 0)
			continue;
		if (r != ERR_NOTFOUND)
			return (witness_broken(w));
		*must_wait = true;
		if (!witness_wire_has_room(&w->wire, 1))
			return (0); /* it is asked for when the line is */
		r = witness_wire_ask(&w->wire, "blob.get",
		    xalloc_json(json_pack("{s:s}", "hash", hex)), &a, &w->e);
		if (r != 0)
			return (r);
	}
	return (0);
}

/*
 * A line by the witness's key: one of the words that are kept, or one that the
 * store has lost, which is to be said first.
 */
static int
witness_hear_own(struct witness *w, const struct witness_row *row, int64_t seq,
    const char *line, size_t len)
{
	struct record_line ln;
	struct witness_word word;
	struct order o;
	int r;

	if (record_parse(line, len, &ln, NULL) != 0)
		return (0); /* it was verified */
	r = order_parse(ln.text, ln.text_len, &o, NULL);
	record_clear(&ln);
	if (r != 0)
		return (0);
	r = witness_store_word_of(w->store, row->gid, o.oid, &word);
	order_clear(&o);
	if (r == 0) {
		r = witness_store_spoken(w->store, row->gid, &word, seq);
	} else if (r == ERR_NOTFOUND) {
		witness_log(w, "lost", row, seq,
		    "the record has a line of this witness that it does not "
		    "keep: its store is lost or old");
		r = witness_store_drop_all(w->store, row->gid, "anew");
		if (r == 0)
			r = witness_store_owe(
			    w->store, row->gid, "anew", seq, 0);
	}
	witness_word_clear(&word);
	return (r == 0 ? 0 : witness_broken(w));
}

/* Judges a line that does not hold. */
static int
witness_hear_bad(struct witness *w, struct witness_row *row, const char *line,
    size_t len, const struct errinfo *why)
{
	int r;

	/* Which it may owe to one before that does not. */
	if ((r = witness_settle(w)) != 0)
		return (r);
	witness_games_drop(&w->games, row->gid);
	if (record_check_mark(line, len, w->p->pin) != 0)
		return (
		    witness_hear_nonsense(w, "a line that it did not sign"));
	return (witness_doubt(w, row, line, len, why));
}

int
witness_hear_keep(
    struct witness *w, struct witness_row *row, const char *line, size_t len)
{
	w->heard++;
	if (witness_store_add_line(w->store, row, line, len) != 0)
		return (witness_broken(w));
	return (0);
}

int
witness_hear_after(
    struct witness *w, struct witness_row *row, const struct witness_game *g)
{
	const struct verify_report *rep = verify_report(g->v);

	if (rep->is_unchecked)
		return (
		    witness_leave(w, row, WITNESS_LEFT, rep->unchecked.text));
	if (witness_speak_heard(&w->speaker, row, g) != 0)
		return (witness_broken(w));
	if (game_is_finished(witness_game_state(g)))
		return (witness_leave(w, row, WITNESS_FINISHED, "closed"));
	witness_act(w, row);
	return (0);
}

/* Logs what a line says of the witness: that it was silent, or is out. */
static void
witness_hear_tell(struct witness *w, const struct witness_row *row,
    const struct witness_game *g, bool was_in)
{
	const struct game_entry *en = witness_game_entry(g);
	const struct game *state = witness_game_state(g);

	if (en->claimed == GAME_CLAIMED_SILENCE)
		witness_log(w, "silent", row, en->to,
		    "%s claims in line %lld that this witness has not answered",
		    game_account(state, en->seat), (long long)en->seq);
	if (was_in && game_witness(state) == NULL)
		witness_log(w, "out", row, en->seq,
		    "both sides play on without a witness");
}

/* Takes the next line of a game. */
static int
witness_hear_next(struct witness *w, struct witness_row *row, const char *line,
    size_t len, const json_t *side)
{
	struct errinfo e = {.text = ""};
	bool is_doubted, was_in;
	struct witness_game *g;
	int r;

	r = witness_doubt_hear(w, row, line, len, &is_doubted);
	if (r != 0 || is_doubted)
		return (r);
	r = witness_games_want(&w->games, row, &g, &e);
	if (r == ERR_BAD)
		return (witness_leave(w, row, WITNESS_STOPPED, e.text));
	if (r != 0)
		return (r == ERR_IO ? witness_broken(w) : r);
	if ((r = witness_hear_side(w, row->gid, side, g->v)) != 0)
		return (r);
	was_in = row->n > 0 && game_witness(witness_game_state(g)) != NULL;
	if ((r = witness_game_take(g, line, len, &e)) != 0)
		return (r == ERR_NOMEM
			? r
			: witness_hear_bad(w, row, line, len, &e));
	if ((r = witness_hear_keep(w, row, line, len)) != 0)
		return (r);
	if (!verify_report(g->v)->is_unchecked) {
		witness_hear_tell(w, row, g, was_in);
		if (witness_game_entry(g)->seat == GAME_WITNESS &&
		    (r = witness_hear_own(w, row, row->n - 1, line, len)) != 0)
			return (r);
	}
	return (witness_hear_after(w, row, g));
}

/* Takes a line that is held already: it must be the same. */
static int
witness_hear_again(struct witness *w, struct witness_row *row, int64_t seq,
    const char *line, size_t len)
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	if (witness_store_line(w->store, row->gid, seq, &b) != 0)
		r = witness_broken(w);
	else if (b.len == len && memcmp(b.data, line, len) == 0)
		r = 0;
	else if (record_check_mark(line, len, w->p->pin) != 0)
		r = witness_hear_nonsense(w, "a line that it did not sign");
	else
		r = witness_accuse(
		    w, row, seq, line, len, "it is not the line that is held");
	buf_clear(&b);
	return (r);
}

/* Takes a notice game.entry, or tournament.entry. */
static int
witness_hear_entry(struct witness *w, bool is_cup, const json_t *params)
{
	const json_t *side = NULL, *omitted = NULL, *v;
	struct witness_row row;
	bool must_wait;
	int64_t seq;
	int r;

	r = witness_hear_row(w, is_cup, params, &row);
	if (r != 0 || row.state != WITNESS_FOLLOWED)
		return (r == ERR_NOTFOUND ? 0 : r);
	v = json_object_get(params, "line");
	if (js_get_int(params, "seq", NULL, 0, JS_INT_MAX, &seq, NULL) != 0 ||
	    js_opt_array(params, "side", NULL, &side, NULL) != 0 ||
	    js_opt_array(params, "omitted", NULL, &omitted, NULL) != 0 ||
	    !json_is_string(v))
		return (witness_hear_nonsense(w, "a line"));
	if (seq < row.n)
		return (witness_hear_again(
		    w, &row, seq, json_string_value(v), json_string_length(v)));
	/* What comes after a line that waits for a blob comes again. */
	if (seq > row.n)
		return (0);
	if ((r = witness_hear_omitted(w, &row, omitted, &must_wait)) != 0 ||
	    must_wait)
		return (r);
	return ((is_cup ? witness_cup_next : witness_hear_next)(
	    w, &row, json_string_value(v), json_string_length(v), side));
}

/* Takes a notice lobby.game. */
static int
witness_hear_lobby(struct witness *w, const json_t *params)
{
	uint8_t id[HASH_LEN];

	if (js_get_hex(params, "game", NULL, id, HASH_LEN, NULL) != 0)
		return (witness_hear_nonsense(w, "a game"));
	if (!json_is_true(json_object_get(params, "invited")))
		return (0);
	return (witness_meet(w, false, id));
}

int
witness_list(struct witness *w, int64_t which, const char *before)
{
	static const char *const phases[] = {
	    NULL, "play", "muster", "over", "halted"};
	const struct witness_asked a = {.what = WITNESS_ASK_LIST, .seq = which};
	json_t *params;

	if (which >= (int64_t)(sizeof(phases) / sizeof(phases[0])))
		return (0);
	params = xalloc_json(
	    json_pack("{s:i, s:s*}", "limit", 200, "before", before));
	if (phases[which] == NULL) {
		xalloc_set(params, "invited", json_true());
	} else {
		xalloc_set(params, "phase", json_string(phases[which]));
		xalloc_set(params, "account", json_string(w->p->account));
	}
	return (witness_wire_ask(&w->wire, "game.list", params, &a, &w->e));
}

/* Takes a part of a list of games, and asks for what follows. */
static int
witness_hear_list(struct witness *w, const struct rpc_reply *rp,
    const struct witness_asked *a)
{
	const json_t *list = NULL, *v;
	uint8_t id[HASH_LEN];
	const char *more;
	size_t i;
	int r = 0;

	if (rp->code != 0)
		return (err_set(&w->e, rp->r, NULL, "%s", rp->message));
	if (js_get_array(rp->result, "games", NULL, &list, NULL) != 0)
		return (witness_hear_nonsense(w, "a list of games"));
	/* First what goes on, for which this answer has left room. */
	if ((more = js_str(rp->result, "more")) != NULL) {
		r = witness_list(w, a->seq, more);
	} else if (a->seq > 0 || !w->has_listed) {
		/* Where it sits is known, unless the store was lost. */
		w->has_listed = true;
		r = witness_list(w, a->seq + 1, NULL);
	}
	json_array_foreach(list, i, v)
	{
		if (r == 0 &&
		    js_get_hex(v, "game", NULL, id, HASH_LEN, NULL) != 0)
			r = witness_hear_nonsense(w, "a game");
		if (r == 0)
			r = witness_meet(w, false, id);
	}
	return (r);
}

/* Tries again later; at once is of no use. */
static int
witness_hear_later(
    struct witness *w, const struct witness_row *row, int64_t wait_ms)
{
	if (witness_store_set_due(
		w->store, row->gid, w->speaker.now_ms + wait_ms) != 0)
		return (witness_broken(w));
	return (0);
}

/* Takes the answer to game.watch. */
static int
witness_hear_watch(
    struct witness *w, struct witness_row *row, const struct rpc_reply *rp)
{
	uint8_t head[HASH_LEN];
	struct witness_word word;
	int64_t seq;
	int r;

	if (rp->r == ERR_NOTFOUND && row->n > 0)
		return (witness_heal_gone(w, row));
	if (rp->r == ERR_NOTFOUND)
		return (witness_leave(
		    w, row, WITNESS_LEFT, "the server no longer shows it"));
	if (rp->r == ERR_INVALID)
		return (witness_heal_look(w, row, 0));
	if (rp->code != 0) {
		witness_log(w, "waits", row, -1, "%s", rp->message);
		if (witness_store_set_told(w->store, row, -1) != 0)
			return (witness_broken(w));
		return (witness_hear_later(w, row, 10 * WITNESS_RETRY_MS));
	}
	if (js_get_int(rp->result, "seq", NULL, 0, JS_INT_MAX, &seq, NULL) !=
		0 ||
	    js_get_hex(rp->result, "head", NULL, head, HASH_LEN, NULL) != 0)
		return (witness_hear_nonsense(w, "a watch"));
	if (row->n > 0 && seq == row->n - 1 &&
	    memcmp(head, row->head, HASH_LEN) != 0)
		return (witness_heal_look(w, row, seq));
	if (witness_store_set_told(w->store, row, seq) != 0)
		return (witness_broken(w));
	if (seq >= row->n - 1)
		witness_heal_kept(w, row->gid);
	if (seq >= row->n)
		return (0); /* the lines follow */
	/* What was due was done with the last line, but for a word's answer. */
	r = witness_store_open_word(w->store, row->gid, &word);
	if (r == 0)
		witness_push(w, row, &word);
	witness_word_clear(&word);
	return (r == 0 || r == ERR_NOTFOUND ? 0 : witness_broken(w));
}

/* True if an error's data has a refusal of this order that the server signed.
 */
static bool
witness_hear_is_refusal(
    const struct witness *w, const struct rpc_reply *rp, const uint8_t *oid)
{
	const json_t *refusal = json_object_get(rp->data, "refusal");
	const char *text = js_str(refusal, "text");
	uint8_t id[HASH_LEN], sig[SIGN_LEN];
	json_t *o = NULL;
	bool is_it;

	if (text == NULL ||
	    js_get_hex(refusal, "sig", NULL, sig, SIGN_LEN, NULL) != 0 ||
	    sign_check(w->p->pin, SIGN_TAG_REFUSAL, text, strlen(text), sig) !=
		0 ||
	    js_load(text, strlen(text), JS_DEPTH_RECORD, &o, NULL) != 0)
		return (false);
	is_it = js_get_hex(o, "oid", NULL, id, HASH_LEN, NULL) == 0 &&
	    memcmp(id, oid, HASH_LEN) == 0;
	json_decref(o);
	return (is_it);
}

/* True for errors after which the same bytes are sent again soon. */
static bool
witness_hear_passes(int r)
{
	return (r == ERR_STORAGE || r == ERR_BUSY || r == ERR_LIMIT ||
	    r == ERR_INTERNAL || r == ERR_CLOCK || r == ERR_TIMEOUT ||
	    r == ERR_LOGIN);
}

/* Takes the answer to a word: its line comes as all lines do. */
static int
witness_hear_word(struct witness *w, struct witness_row *row,
    const struct rpc_reply *rp, const struct witness_asked *a)
{
	struct witness_word word;
	int64_t wait_ms;
	bool is_held;
	int r;

	r = witness_store_word_of(w->store, row->gid, a->hash, &word);
	is_held = r == 0 && word.seq >= 0;
	if (r != 0 || is_held || rp->code == 0) {
		witness_word_clear(&word);
		if (r != 0)
			return (r == ERR_NOTFOUND ? 0 : witness_broken(w));
		/* If its line came first, what is due since waits for this. */
		if (is_held)
			witness_act(w, row);
		return (0);
	}
	witness_log(
	    w, "refused", row, word.about, "%s: %s", word.what, rp->message);
	if (witness_hear_is_refusal(w, rp, a->hash)) {
		r = witness_store_refused(w->store, row->gid, &word,
		    js_str(json_object_get(rp->data, "refusal"), "text"));
		witness_word_clear(&word);
		if (r != 0)
			return (witness_broken(w));
		witness_act(w, row);
		return (0);
	}
	witness_word_clear(&word);
	/* It has another history, or had to forget some of this. */
	if (rp->r == ERR_FORK || rp->r == ERR_NOTFOUND)
		return (witness_watch(w, row));
	wait_ms = js_int(rp->data, "wait_ms");
	if (rp->r == ERR_RECOVERING)
		wait_ms = WITNESS_RECOVERING_MS;
	else if (witness_hear_passes(rp->r))
		wait_ms =
		    wait_ms > WITNESS_RETRY_MS ? wait_ms : WITNESS_RETRY_MS;
	else
		wait_ms = WITNESS_LATER_MS;
	return (witness_hear_later(w, row, wait_ms));
}

/* Takes a blob that did not fit in. */
static int
witness_hear_blob(struct witness *w, struct witness_row *row,
    const struct rpc_reply *rp, const struct witness_asked *a)
{
	const json_t *v = json_object_get(rp->result, "value");
	uint8_t hash[HASH_LEN];

	if (rp->code != 0 || !json_is_string(v))
		return (witness_leave(w, row, WITNESS_LEFT,
		    "the server does not give what it names"));
	if (record_blob_hash(
		hash, json_string_value(v), json_string_length(v)) != 0 ||
	    memcmp(hash, a->hash, HASH_LEN) != 0)
		return (witness_hear_nonsense(w, "a blob"));
	if (witness_store_add_blob(w->store, row->gid, hash,
		json_string_value(v), json_string_length(v)) != 0)
		return (witness_broken(w));
	/* The verifier is made with all of them. */
	witness_games_drop(&w->games, row->gid);
	if (witness_wire_waits(&w->wire, WITNESS_ASK_BLOB, row->gid))
		return (0);
	return (witness_watch(w, row));
}

/* Takes an answer. */
static int
witness_hear_answer(struct witness *w, const struct rpc_reply *rp,
    const struct witness_asked *a)
{
	struct witness_row row;

	switch (a->what) {
	case WITNESS_ASK_NOTHING:
	case WITNESS_ASK_PING:
		return (0);
	case WITNESS_ASK_LOBBY:
		return (rp->code == 0
			? 0
			: err_set(&w->e, rp->r, NULL, "%s", rp->message));
	case WITNESS_ASK_LIST:
		return (witness_hear_list(w, rp, a));
	case WITNESS_ASK_HEAL:
		return (witness_heal_given(w, rp));
	case WITNESS_ASK_HEADS:
		return (witness_heads_told(w, rp, a));
	case WITNESS_ASK_CUP:
		return (witness_cup_heard(w, rp));
	default:
		break;
	}
	if (witness_store_get(w->store, a->gid, &row) != 0)
		return (witness_broken(w));
	if (row.state != WITNESS_FOLLOWED &&
	    (a->what != WITNESS_ASK_HEAD || row.state != WITNESS_FINISHED))
		return (0);
	switch (a->what) {
	case WITNESS_ASK_WATCH:
		return (witness_hear_watch(w, &row, rp));
	case WITNESS_ASK_WORD:
		return (witness_hear_word(w, &row, rp, a));
	case WITNESS_ASK_BLOB:
		return (witness_hear_blob(w, &row, rp, a));
	case WITNESS_ASK_AHEAD:
		return (witness_doubt_looked(w, &row, rp));
	default:
		return (witness_heal_looked(w, &row, rp, a));
	}
}

int
witness_hear(struct witness *w, const struct rpc_reply *rp,
    const struct witness_asked *a)
{
	if (rp->method == NULL)
		return (witness_hear_answer(w, rp, a));
	if (strcmp(rp->method, "game.entry") == 0)
		return (witness_hear_entry(w, false, rp->params));
	if (strcmp(rp->method, "tournament.entry") == 0)
		return (witness_hear_entry(w, true, rp->params));
	if (strcmp(rp->method, "lobby.game") == 0)
		return (witness_hear_lobby(w, rp->params));
	return (0); /* a newer server's, or about a text */
}
