/* SPDX-License-Identifier: ISC */
/*
 * Lines that come back (record S10.1): what the server has lost it takes from
 * whoever holds it, unchanged.  They are read by the verifier, as by any
 * stranger, from the state that is kept on, and stored with all that follows
 * from them: texts and blobs, seats, accounts and keys, turns, secrets.  All of
 * a call, or nothing.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game_take.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "server/ledger/ledger_heal.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

const char *
ledger_heal_line(const struct ledger_heal *h, size_t i, size_t *len)
{
	const json_t *v = json_array_get(h->job->lines, i);

	*len = json_string_length(v);
	return (json_string_value(v));
}

int
ledger_heal_parse(const struct ledger_heal *h, const char *line, size_t len,
    struct record_line *ln, struct errinfo *e)
{
	return (h->is_tournament ? record_parse_tournament(line, len, ln, e)
				 : record_parse(line, len, ln, e));
}

/* The hash of a line that is here. */
static int
ledger_heal_hash(
    const struct ledger_heal *h, int64_t seq, uint8_t hash[HASH_LEN])
{
	struct store *st = h->l->store;

	return (h->is_tournament
		? store_tournament_hash(st, h->row.gid, seq, hash)
		: store_record_hash(st, h->row.gid, seq, hash));
}

/* The line itself. */
static int
ledger_heal_get(const struct ledger_heal *h, int64_t seq, struct buf *line)
{
	struct store *st = h->l->store;
	uint8_t hash[HASH_LEN];

	return (h->is_tournament
		? store_tournament_get(st, h->row.gid, seq, line)
		: store_record_get(st, h->row.gid, seq, line, hash));
}

/* True if a line that was read says that lines were lost. */
static bool
ledger_heal_is_restored(const struct record_line *ln)
{
	return (ln->kind == RECORD_SERVER && strcmp(ln->what, "restored") == 0);
}

/*
 * Says that two lines of one number were signed, of which ln (NULL: it is not
 * known, but its hash) is not ours.
 */
static int
ledger_heal_contradict(struct ledger_heal *h, int64_t seq,
    const uint8_t theirs[HASH_LEN], const struct record_line *ln)
{
	char id[2 * HASH_LEN + 1], hex[2][2 * HASH_LEN + 1];
	struct ledger_job *job = h->job;
	bool is_ours = false, is_theirs;
	uint8_t ours[HASH_LEN];
	struct record_line own;
	struct buf line;
	int r;

	buf_init(&line, RECORD_LINE_MAX);
	r = ledger_heal_hash(h, seq, ours);
	if (r == 0)
		r = ledger_heal_get(h, seq, &line);
	if (r == 0 &&
	    ledger_heal_parse(h, line.data, line.len, &own, NULL) == 0) {
		is_ours = ledger_heal_is_restored(&own);
		record_clear(&own);
	}
	buf_clear(&line);
	if (r != 0)
		return (ledger_fault(h->l, r, "read a line"));
	is_theirs = ln != NULL && ledger_heal_is_restored(ln);
	hex_format(id, job->game, HASH_LEN);
	hex_format(hex[0], ours, HASH_LEN);
	hex_format(hex[1], theirs, HASH_LEN);
	log_errorx("%s: %s %.16s, line %" PRId64 ": it is %s here, and \"%s\" "
		   "brought %s",
	    is_ours != is_theirs ? "lost" : "equivocation",
	    h->is_tournament ? "tournament" : "game", id, seq, hex[0],
	    job->account, hex[1]);
	return (err_set(&job->e, ERR_FORK, "lines",
	    "line %" PRId64 " is %.64s here, not %.64s", seq, hex[0], hex[1]));
}

int
ledger_heal_compare(struct ledger_heal *h)
{
	struct ledger_job *job = h->job;
	uint8_t hash[HASH_LEN];
	struct record_line ln;
	const char *line;
	size_t i, len;
	int r = 0;

	for (i = 0; r == 0 && i < json_array_size(job->lines); i++) {
		line = ledger_heal_line(h, i, &len);
		r = ledger_heal_parse(h, line, len, &ln, &job->e);
		if (r != 0)
			return (r);
		if (ln.seq > h->row.seq + 1) {
			r = err_set(&job->e, ERR_STALE, "lines",
			    "begin with line %" PRId64 ", but the record here "
			    "ends with line %" PRId64,
			    ln.seq, h->row.seq);
		} else if (ln.seq == h->row.seq + 1) {
			if (ln.seq > 0 &&
			    memcmp(ln.prev, h->head, HASH_LEN) != 0)
				r = ledger_heal_contradict(
				    h, h->row.seq, ln.prev, NULL);
			record_clear(&ln);
			break;
		} else {
			r = ledger_heal_hash(h, ln.seq, hash);
			if (r != 0)
				r = ledger_fault(h->l, r, "read a line's hash");
			else if (memcmp(hash, ln.hash, HASH_LEN) != 0)
				r = ledger_heal_contradict(
				    h, ln.seq, ln.hash, &ln);
		}
		record_clear(&ln);
	}
	h->first = i;
	return (r);
}

/* Finds the tournament. */
static int
ledger_heal_find_tournament(struct ledger_heal *h)
{
	struct store_tournament_row row;
	int r;

	r = store_tournament_find(h->l->store, h->job->game, &row);
	if (r != 0)
		return (r);
	h->row.gid = row.tid;
	h->row.seq = row.seq;
	h->row.is_private = row.is_private;
	return (0);
}

/* Finds the game. */
static int
ledger_heal_find(struct ledger_heal *h)
{
	struct ledger *l = h->l;
	int r;

	r = h->is_tournament ? ledger_heal_find_tournament(h)
			     : store_game_find(l->store, h->job->game, &h->row);
	if (r == ERR_NOTFOUND) {
		h->row.gid = -1;
		h->row.seq = -1;
		return (0);
	}
	if (r == 0)
		r = ledger_heal_hash(h, h->row.seq, h->head);
	return (r == 0 ? 0 : ledger_fault(l, r, "find what has lost lines"));
}

int
ledger_heal_read_side(struct ledger_heal *h)
{
	struct ledger_job *job = h->job;
	char hex[2 * HASH_LEN + 1];
	struct record_side s;
	json_t *v;
	size_t i;
	int r;

	if ((h->texts = json_object()) == NULL)
		return (ERR_NOMEM);
	json_array_foreach(job->side, i, v)
	{
		r = record_side_parse(
		    json_string_value(v), json_string_length(v), &s, &job->e);
		if (r != 0)
			return (r);
		hex_format(hex, s.hash, HASH_LEN);
		r = s.is_blob ? 0 : json_object_set(h->texts, hex, v);
		record_side_clear(&s);
		if (r != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

/* ---- a line ---- */

/*
 * Finds the leg that a game of a tournament belongs to.  ERR_MISSING unless the
 * tournament has the line of the pairing: the game would count for nothing.
 */
static int
ledger_heal_place(
    struct ledger_heal *h, const struct order *o, const struct order_create *c)
{
	struct ledger_job *job = h->job;
	struct ledger_tournament *lt;
	uint8_t line[HASH_LEN], hash[HASH_LEN];
	int64_t paired = 0;
	int r;

	r = ledger_tournament_get(h->l, c->tournament, &lt, &job->e);
	if (r == 0 && tournament_find_game(lt->t, o->game, &h->place) == 0) {
		h->tid = lt->tid;
		return (0);
	}
	if (r == 0 &&
	    ((r = js_get_int(o->args, "paired", &order_at_args, 0, JS_INT_MAX,
		  &paired, &job->e)) != 0 ||
		(r = js_get_hex(o->args, "line", &order_at_args, line, HASH_LEN,
		     &job->e)) != 0))
		return (r);
	if (r == 0)
		r = store_tournament_hash(h->l->store, lt->tid, paired, hash);
	if (r == ERR_NOTFOUND || (r == 0 && memcmp(line, hash, HASH_LEN) != 0))
		return (err_set(&job->e, ERR_MISSING, "lines",
		    "the line of the tournament that pairs this game is not "
		    "here: bring the tournament's lines first"));
	if (r != 0)
		return (r);
	h->tid = lt->tid;
	h->place.round = (int)js_int(o->args, "round");
	h->place.table = (int)js_int(o->args, "table");
	h->place.leg = (int)js_int(o->args, "leg");
	return (0);
}

/* Makes a row for a game that is gone, before its first line. */
static int
ledger_heal_open(struct ledger_heal *h, const struct order *o)
{
	struct store *st = h->l->store;
	struct order_create c;
	int r;

	if ((r = order_create_parse(o, &c, &h->job->e)) != 0 ||
	    (r = ledger_heal_account(h, &c.who, o->at_ms)) != 0)
		return (r);
	if (c.has_tournament && (r = ledger_heal_place(h, o, &c)) != 0)
		return (r);
	r = store_game_insert(st, o->game, c.system,
	    c.event == NULL ? "" : c.event, c.who.account, o->at_ms,
	    &h->row.gid);
	if (r == 0 && c.has_tournament)
		r = store_tournament_game(st, h->tid, h->row.gid,
		    h->place.round, h->place.table, h->place.leg);
	if (r != 0)
		return (r);
	h->row.is_private = c.is_private;
	h->row.delay_turns = c.delay > 0 ? (int)c.delay : 0;
	h->row.delay_minutes = c.delay_minutes > 0 ? (int)c.delay_minutes : 0;
	return (store_game_set_view(st, &h->row));
}

/*
 * Notes a text that a line names, and keeps it if it came, too; else somebody
 * may bring it later.
 */
static int
ledger_heal_text(
    struct ledger_heal *h, int64_t seq, const uint8_t ref[HASH_LEN], int side)
{
	struct ledger_text t = {.value = NULL};
	char hex[2 * HASH_LEN + 1];
	struct record_side s;
	const json_t *v;
	int r;

	hex_format(hex, ref, HASH_LEN);
	if ((v = json_object_get(h->texts, hex)) == NULL) {
		r = ledger_text_name(h->l, h->row.gid, seq, ref, side, NULL);
		return (r != 0
			? r
			: store_text_lose(h->l->store, h->row.gid, ref, side));
	}
	r = record_side_parse(
	    json_string_value(v), json_string_length(v), &s, NULL);
	if (r != 0)
		return (r);
	memcpy(t.salt, s.salt, sizeof(t.salt));
	t.value = (char *)(uintptr_t)s.value;
	t.len = s.len;
	r = ledger_text_name(h->l, h->row.gid, seq, ref, side, &t);
	record_side_clear(&s);
	return (r);
}

/* Stores what an order's line names and who sits down by it. */
static int
ledger_heal_order(struct ledger_heal *h, const struct order *o, int64_t seq)
{
	struct order_join j;
	uint8_t ref[HASH_LEN];
	int r, side;

	if (o->kind == ORDER_JOIN &&
	    ((r = order_join_parse(o, &j, &h->job->e)) != 0 ||
		(r = ledger_heal_account(h, &j, o->at_ms)) != 0))
		return (r);
	if (ledger_text_ref(o, ref, &side) &&
	    (r = ledger_heal_text(h, seq, ref, side)) != 0)
		return (r);
	return (ledger_text_name_blobs(h->l, h->row.gid, seq, o, &h->job->e));
}

/*
 * What a line of the server names: the text of a reason, and an account that is
 * to have a seat.
 */
static int
ledger_heal_server(struct ledger_heal *h, const struct record_line *ln)
{
	static const struct js_at at = {.name = "data"};
	uint8_t ref[HASH_LEN];
	struct order_join j;
	bool has;
	int r;

	if (strcmp(ln->what, "operator-key") == 0 &&
	    ((r = order_newcomer_parse(ln->data, &at, &j, &h->job->e)) != 0 ||
		(r = ledger_heal_account(h, &j, ln->at_ms)) != 0))
		return (r);

	if (js_opt_hex(ln->data, "why", NULL, ref, HASH_LEN, &has, NULL) != 0 ||
	    !has)
		return (0);
	return (ledger_heal_text(h, ln->seq, ref, 0));
}

/* Stores a line that was verified, and what it names. */
static int
ledger_heal_put(struct ledger_heal *h, const struct record_line *ln,
    struct order *o, const char *bytes, size_t len)
{
	struct store_line line = {.seq = ln->seq, .bytes = bytes, .len = len};
	struct ledger_more *more;
	int r;

	if (o != NULL) {
		o->at_ms = ln->at_ms;
		if (ln->seq == 0 && (r = ledger_heal_open(h, o)) != 0)
			return (r);
		line.oid = o->oid;
		line.seat = ln->seat;
		line.nonce = o->nonce;
	}
	line.gid = h->row.gid;
	memcpy(line.hash, ln->hash, HASH_LEN);
	if (!verify_place(h->v, &line.place, &line.pool))
		line.place = NULL;
	if ((r = store_record_insert(h->l->store, &line)) != 0)
		return (r);
	if (o != NULL)
		r = ledger_heal_order(h, o, ln->seq);
	else if (ln->kind == RECORD_KEY)
		r = ledger_heal_statement(h, ln);
	else
		r = ledger_heal_server(h, ln);
	if (r != 0)
		return (r);
	if ((more = ledger_server_more(h->slot)) == NULL)
		return (ERR_NOMEM);
	memcpy(more->game, ln->game, HASH_LEN);
	more->seq = ln->seq;
	buf_add(&more->line, bytes, len);
	return (buf_error(&more->line));
}

/* Notes that play began with the line, or a turn ended. */
static int
ledger_heal_turn(struct ledger_heal *h, int64_t seq, int64_t *turns)
{
	const struct game *g = verify_game(h->v);
	int64_t n;

	n = game_turn(g) > 0 ? game_turns_ended(g) + 1 : 0;
	if (n <= *turns)
		return (0);
	*turns = n;
	return (store_turn_insert(h->l->store, h->row.gid, (int)n - 1, seq));
}

/* Verifies and stores one line. */
static int
ledger_heal_take(struct ledger_heal *h, size_t i, int64_t *turns)
{
	struct ledger_job *job = h->job;
	const char *line, *next = "";
	size_t len, next_len = 0;
	struct record_line ln;
	struct errinfo why = {.text = ""};
	struct order o;
	bool is_order;
	int r;

	line = ledger_heal_line(h, i, &len);
	if (i + 1 < json_array_size(job->lines))
		next = ledger_heal_line(h, i + 1, &next_len);
	if ((r = record_parse(line, len, &ln, &job->e)) != 0)
		return (r);
	verify_peek(h->v, next, next_len);
	r = verify_line(h->v, line, len, &why);
	if (r == 0 && verify_report(h->v)->is_unchecked) {
		why = verify_report(h->v)->unchecked;
		r = ERR_MISSING;
	}
	if (r != 0) {
		r = r == ERR_NOMEM || r == ERR_MISSING ? r : ERR_ILLEGAL;
		(void)err_set(&job->e, r, "lines",
		    "line %" PRId64 ": %s%s%.120s", ln.seq, why.where,
		    why.where[0] == '\0' ? "" : ": ", why.text);
		goto out;
	}
	is_order = ln.kind == RECORD_ORDER;
	if (is_order &&
	    (r = order_parse(ln.text, ln.text_len, &o, &job->e)) != 0)
		goto out;
	r = ledger_heal_put(h, &ln, is_order ? &o : NULL, line, len);
	if (is_order)
		order_clear(&o);
	if (r == 0)
		r = ledger_heal_turn(h, ln.seq, turns);
	job->added += r == 0;
out:
	record_clear(&ln);
	return (r);
}

/* Begins to verify, from the state that is kept on. */
static int
ledger_heal_begin(struct ledger_heal *h)
{
	const struct verify_options opt = {
	    .server = h->l->conf.identity->public_key,
	    .head_seq = -1,
	    .blobs = &h->l->blobs};
	struct ledger_game *lg;
	struct buf hashes;
	size_t len, n;
	int r;

	if ((r = verify_new(&opt, &h->v)) != 0 || h->row.gid < 0)
		return (r);
	r = ledger_game_get(h->l, h->job->game, &lg, &h->job->e);
	if (r != 0)
		return (r);
	buf_init(&hashes, 0);
	r = store_heads_hashes(h->l->store, h->row.gid, &hashes);
	n = hashes.len / HASH_LEN;
	if (r == 0 && n != (size_t)game_seq(lg->game) + 1)
		r = ERR_STORAGE;
	if (r == 0) {
		h->phase = game_phase(lg->game);
		verify_resume(h->v, lg->game,
		    (uint8_t(*)[HASH_LEN])(void *)buf_take(&hashes, &len), n);
		lg->game = NULL;
		ledger_game_drop(h->l, lg);
	}
	buf_clear(&hashes);
	return (r);
}

/* Verifies and stores all lines that are new. */
static int
ledger_heal_lines(struct ledger_heal *h)
{
	struct store *st = h->l->store;
	int64_t turns = 0;
	size_t i;
	int r;

	if ((r = ledger_heal_begin(h)) != 0)
		return (r);
	if (h->row.gid >= 0 &&
	    (r = store_turn_count(st, h->row.gid, &turns)) != 0)
		return (r);
	for (i = h->first; r == 0 && i < json_array_size(h->job->lines); i++)
		r = ledger_heal_take(h, i, &turns);
	if (r == 0 && (r = verify_end(h->v, &h->job->e)) != 0)
		r = ERR_ILLEGAL;
	if (r == 0)
		h->game = verify_take_game(h->v);
	return (r);
}

/* ---- what follows ---- */

/* What is held for a game that it still waits with. */
struct ledger_heal_keep {
	struct game *game;
	struct game_held held[2];
	size_t n_held;
	struct buf gone; /* int64_t: lines of standing orders */
};

/* Keeps a choice if it is still waited with. */
static int
ledger_heal_held_cb(void *arg, const struct game_held *held)
{
	struct ledger_heal_keep *k = arg;
	const int r = game_hold(k->game, held);

	if (r == 0 && k->n_held < 2)
		k->held[k->n_held++] = *held;
	return (r == ERR_NOMEM ? r : 0);
}

/* Notes a standing order that is no longer under seal. */
static int
ledger_heal_standing_cb(void *arg, const struct game_standing_text *t)
{
	struct ledger_heal_keep *k = arg;
	const int r = game_hold_standing(k->game, t);

	if (r == ERR_NOTFOUND)
		buf_add(&k->gone, &t->seq, sizeof(t->seq));
	return (r == ERR_NOMEM ? r : buf_error(&k->gone));
}

/* Forgets what the lines have opened. */
static int
ledger_heal_forget(struct ledger_heal *h)
{
	struct ledger_heal_keep k = {.game = h->game};
	struct store *st = h->l->store;
	const int64_t gid = h->row.gid;
	int64_t seq;
	size_t i;
	int r;

	buf_init(&k.gone, 0);
	if (game_is_finished(h->game))
		r = store_standing_clear(st, gid);
	else
		r = store_standing_each(st, gid, ledger_heal_standing_cb, &k);
	for (i = 0; r == 0 && i < k.gone.len; i += sizeof(seq)) {
		memcpy(&seq, k.gone.data + i, sizeof(seq));
		r = store_standing_delete(st, gid, seq);
	}
	buf_clear(&k.gone);
	if (r == 0)
		r = store_secret_each(st, gid, ledger_heal_held_cb, &k);
	if (r == 0)
		r = store_secret_delete(st, gid);
	for (i = 0; r == 0 && i < k.n_held; i++)
		r = store_secret_insert(st, gid, &k.held[i]);
	explicit_bzero(k.held, sizeof(k.held));
	return (r);
}

/* Stores the game as the lines leave it. */
static int
ledger_heal_store(struct ledger_heal *h)
{
	const enum game_phase phase = game_phase(h->game);
	struct ledger_slot *slot = h->slot;
	int r;

	if ((r = ledger_game_store(h->l, h->row.gid, h->game)) != 0 ||
	    (r = ledger_renew_seats(h->l, h->row.gid, h->game)) != 0 ||
	    (r = ledger_heal_forget(h)) != 0)
		return (r);
	if (phase != GAME_MUSTER &&
	    (r = store_invite_end(h->l->store, h->row.gid)) != 0)
		return (r);
	memcpy(slot->listed.game, h->job->game, HASH_LEN);
	slot->listed.has_begun =
	    h->phase == GAME_MUSTER && phase != GAME_MUSTER;
	slot->is_listed = h->first == 0 || phase != h->phase;
	return (0);
}

/* Takes one text that the server held; what nobody waits for is let be. */
static int
ledger_heal_give(struct ledger_heal *h, const json_t *v)
{
	struct ledger_job *job = h->job;
	struct game_standing_text t = {.seat = 0};
	struct game_held held = {.seat = 0};
	struct game_lack lack;
	const char *text;
	int64_t seq;
	size_t i;
	int r;

	if ((r = js_get_int(v, "seq", NULL, 0, JS_INT_MAX, &seq, &job->e)) !=
		0 ||
	    (r = js_get_hex(
		 v, "salt", NULL, t.salt, sizeof(t.salt), &job->e)) != 0 ||
	    (r = js_get_str(v, "text", NULL, &text, &job->e)) != 0)
		return (r);
	for (i = 0; game_lack(h->game, i, &lack) && lack.seq != seq;)
		i++;
	if (!game_lack(h->game, i, &lack))
		return (0);
	if (strlen(text) > GAME_HELD_MAX)
		r = ERR_MISSING;
	if (r == 0 && lack.is_standing) {
		t.seat = lack.seat;
		t.seq = seq;
		memcpy(t.text, text, strlen(text) + 1);
		if ((r = game_hold_standing(h->game, &t)) == 0)
			return (
			    store_standing_insert(h->l->store, h->row.gid, &t));
	} else if (r == 0) {
		held.seat = lack.seat;
		held.ask = lack.ask;
		memcpy(held.salt, t.salt, sizeof(held.salt));
		memcpy(held.text, text, strlen(text) + 1);
		if ((r = game_hold(h->game, &held)) == 0)
			r = store_secret_insert(h->l->store, h->row.gid, &held);
		explicit_bzero(&held, sizeof(held));
		if (r == 0)
			return (0);
	}
	if (r == ERR_NOMEM || r == ERR_IO || r == ERR_STORAGE)
		return (r);
	return (err_set(&job->e, ERR_INVALID, "held",
	    "the text for line %" PRId64 " is not what that line committed to",
	    seq));
}

/* Takes what the server held; a damaged game that lacked that is whole. */
static int
ledger_heal_held(struct ledger_heal *h)
{
	struct store *st = h->l->store;
	char why[STORE_WHY_MAX];
	struct game_lack lack;
	struct ledger_game *lg;
	bool was_lacking;
	json_t *v;
	size_t i;
	int r;

	if (json_array_size(h->job->held) == 0)
		return (0);
	if (h->game == NULL) {
		r = ledger_game_get(h->l, h->job->game, &lg, &h->job->e);
		if (r != 0)
			return (r);
		h->game = lg->game;
		lg->game = NULL;
		ledger_game_drop(h->l, lg);
	}
	was_lacking = game_lack(h->game, 0, &lack);
	json_array_foreach(h->job->held, i, v)
	{
		if ((r = ledger_heal_give(h, v)) != 0)
			return (r);
	}
	if (!was_lacking || game_lack(h->game, 0, &lack))
		return (0);
	r = store_standstill_why(st, h->row.gid, why);
	if (r == 0 && strcmp(why, STORE_WHY_DAMAGED) == 0)
		r = store_standstill_end(st, h->row.gid, clock_wall_ms());
	return (r == ERR_NOTFOUND ? 0 : r);
}

/* Keeps texts that lines name which were here before. */
static int
ledger_heal_texts(struct ledger_heal *h)
{
	char author[ORDER_ACCOUNT_MAX + 1];
	uint8_t ref[HASH_LEN], hash[HASH_LEN], named[HASH_LEN];
	struct record_line ln;
	struct order o;
	struct buf line;
	const char *hex;
	int64_t seq;
	json_t *v;
	int r, side;

	json_object_foreach(h->texts, hex, v)
	{
		if (hex_parse(ref, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		r = store_text_find(h->l->store, h->row.gid, ref, &side);
		if (r == ERR_NOTFOUND)
			r = store_text_author(
			    h->l->store, h->row.gid, ref, &seq, author);
		else if (r == 0)
			continue;
		if (r == ERR_NOTFOUND)
			continue; /* nobody names it */
		buf_init(&line, RECORD_LINE_MAX);
		if (r == 0)
			r = store_record_get(
			    h->l->store, h->row.gid, seq, &line, hash);
		if (r == 0)
			r = record_parse(line.data, line.len, &ln, NULL);
		if (r == 0) {
			side = 0;
			if (ln.kind == RECORD_ORDER &&
			    order_parse(ln.text, ln.text_len, &o, NULL) == 0) {
				(void)ledger_text_ref(&o, named, &side);
				order_clear(&o);
			}
			r = ledger_heal_text(h, seq, ref, side);
			record_clear(&ln);
		}
		buf_clear(&line);
		if (r != 0)
			return (r);
	}
	return (0);
}

/*
 * Only those who sit in a private game, as the lines leave it, may bring lines
 * of it; others learn nothing of it.
 */
static int
ledger_heal_admit(struct ledger_heal *h)
{
	int i;

	for (i = 0; i < GAME_SLOTS; i++) {
		if (game_is_joined(h->game, game_slot_seat(i)) &&
		    strcmp(game_account(h->game, game_slot_seat(i)),
			h->job->account) == 0)
			return (0);
	}
	return (game_is_private(h->game) ? ERR_NOTFOUND : 0);
}

/* Lets the new lines in, and what follows from them. */
static int
ledger_heal_add(struct ledger_heal *h)
{
	struct ledger *l = h->l;
	const bool is_expected = ledger_recovery_find(l, h->job->game) != NULL;
	const bool was_gone = h->row.gid < 0;
	int r;

	if ((r = ledger_heal_lines(h)) != 0 ||
	    (r = ledger_heal_admit(h)) != 0 || (r = ledger_heal_store(h)) != 0)
		return (r);
	if (!is_expected && (r = ledger_recovery_all(l)) != 0)
		return (r);
	if (was_gone)
		return (
		    ledger_recovery_back(l, h->job->game, false, h->row.gid));
	return (0);
}

/* Finds whether the account may know of the game, before anything else. */
static int
ledger_heal_seat_cb(void *arg, int seat, const char *account)
{
	const struct ledger_heal *h = arg;

	(void)seat;
	return (strcmp(account, h->job->account) == 0 ? 1 : 0);
}

/* Notes whether what is private is none of the account's business so far. */
static int
ledger_heal_hide(struct ledger_heal *h)
{
	int r;

	if (h->row.gid < 0 || !h->row.is_private)
		return (0);
	if (h->is_tournament) {
		r = store_tournament_is_here(
		    h->l->store, h->row.gid, h->job->account);
		h->is_hidden = r == ERR_NOTFOUND;
		return (h->is_hidden ? 0 : r);
	}
	r = store_game_seats(h->l->store, h->row.gid, ledger_heal_seat_cb, h);
	h->is_hidden = r == 0;
	return (r > 0 ? 0 : r);
}

/* Does all of it for a game. */
static int
ledger_heal_do(struct ledger_heal *h)
{
	struct ledger_job *job = h->job;
	struct ledger_game *lg;
	int64_t seq;
	int r;

	if ((r = ledger_heal_read_side(h)) != 0 ||
	    (r = ledger_heal_compare(h)) != 0)
		return (r);
	if (h->first < json_array_size(job->lines)) {
		if ((r = ledger_heal_add(h)) != 0)
			return (r);
	} else if (h->row.gid < 0 || h->is_hidden) {
		return (ERR_NOTFOUND);
	}
	if ((r = ledger_heal_texts(h)) != 0 || (r = ledger_heal_held(h)) != 0)
		return (r);
	game_free(h->game);
	h->game = NULL;
	if ((r = ledger_recovery_settle_one(h->l, h->slot, job->game)) != 0)
		return (r);
	if ((r = ledger_game_get(h->l, job->game, &lg, &job->e)) != 0)
		return (r);
	job->is_recovering = ledger_recovery_find(h->l, job->game) != NULL;
	if (job->added > 0 &&
	    (r = ledger_comeback_game(h->l, h->slot, lg)) != 0)
		return (r);
	if (job->added > 0 && !job->is_recovering &&
	    (r = ledger_notice_game(h->l, lg, -1)) != 0)
		return (r);
	seq = game_seq(lg->game);
	job->seq = job->head_seq = seq;
	memcpy(job->head, game_head(lg->game), HASH_LEN);
	return (0);
}

int
ledger_heal_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_heal h = {.l = l,
	    .slot = slot,
	    .job = slot->job,
	    .is_tournament = slot->job->is_tournament};
	struct ledger_job *job = slot->job;
	int r;

	ledger_key_clear(slot);
	if ((r = ledger_heal_find(&h)) == 0 && (r = ledger_heal_hide(&h)) == 0)
		r = h.is_tournament ? ledger_heal_tournament(&h)
				    : ledger_heal_do(&h);
	verify_free(h.v);
	game_free(h.game);
	json_decref(h.texts);
	if (r == 0)
		return (0);
	if (r == ERR_NOMEM || r == ERR_IO || l->misfit.is_set)
		return (r);
	if (h.is_hidden || r == ERR_NOTFOUND)
		return (h.is_tournament
			? err_set(&job->e, ERR_NOTFOUND, "tournament",
			      "no such tournament")
			: err_set(
			      &job->e, ERR_NOTFOUND, "game", "no such game"));
	/* Two lines that draw in one place, say, of which one is there. */
	if (r == ERR_EXISTS && job->e.text[0] == '\0')
		return (err_set(&job->e, ERR_ILLEGAL, "lines",
		    "a line repeats what the record has once"));
	if (r == ERR_MALFORMED || r == ERR_TOOBIG || r == ERR_INVALID ||
	    r == ERR_STALE || r == ERR_ILLEGAL || r == ERR_MISSING ||
	    r == ERR_FORK || r == ERR_EXISTS || r == ERR_DAMAGED ||
	    r == ERR_NEWER)
		return (r);
	return (ledger_fault(l, r, "take lines back"));
}
