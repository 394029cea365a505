/* SPDX-License-Identifier: ISC */
/*
 * Verifying line by line (record S10): bytes and form, chain, mark, order,
 * signature, then the same game_take() that the daemon used, with the dice's
 * proof taken from the line; what it says the line must hold is compared
 * with what the line holds.  From a part on that a newer umpire made the
 * verifier is blind: it sees form, chain, marks, heads and signatures.
 */
#include "common/game/verify_int.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/crypt/checker.h"
#include "common/game/game.h"
#include "common/game/game_facts.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/statement.h"

/* The server's part of the dice, as a line holds it. */
struct verify_dice {
	const struct verify *v;
	const struct record_line *ln;
	struct errinfo *e;
};

/*
 * Turns what game says of an order into a verdict's words, which name args by
 * themselves ("args.unit") for programs that compare them.
 */
static void
verify_why(struct errinfo *why)
{
	static const char order[] = "order.";
	const size_t n = sizeof(order) - 1;

	if (strncmp(why->where, "order.args", n + 4) == 0)
		memmove(why->where, why->where + n, strlen(why->where) - n + 1);
}

/* Remembers why the record cannot be checked whole; the first reason stays. */
static void
verify_uncheckable(struct verify *v, const struct errinfo *why)
{
	if (v->rep.is_unchecked)
		return;
	v->rep.is_unchecked = true;
	v->rep.unchecked = *why;
	verify_why(&v->rep.unchecked);
	v->rep.unchecked_line = v->rep.lines + 1;
}

int
verify_new(const struct verify_options *opt, struct verify **out)
{
	struct verify *v;

	if ((v = calloc(1, sizeof(*v))) == NULL)
		return (ERR_NOMEM);
	v->opt = *opt;
	v->blobs = json_object();
	v->used = json_object();
	v->named = json_object();
	if (v->blobs == NULL || v->used == NULL || v->named == NULL) {
		verify_free(v);
		return (ERR_NOMEM);
	}
	*out = v;
	return (0);
}

void
verify_set_checker(struct verify *v, struct checker *c)
{
	v->checker = c;
}

void
verify_set_own(struct verify *v, const struct verify_own *own)
{
	v->own = own;
}

void
verify_free(struct verify *v)
{
	size_t i;

	if (v == NULL)
		return;
	for (i = 0; i < v->n_texts; i++)
		free(v->texts[i].text);
	free(v->texts);
	game_free(v->game);
	json_decref(v->blobs);
	json_decref(v->used);
	json_decref(v->named);
	free(v->unread);
	game_entry_clear(&v->entry);
	game_history_clear(&v->history);
	free(v->hashes);
	free(v);
}

int
verify_add_blob(struct verify *v, const char *bytes, size_t len)
{
	char name[2 * HASH_LEN + 1];
	uint8_t h[HASH_LEN];
	int r;

	if (len > RECORD_BLOB_MAX)
		return (ERR_TOOBIG);
	if ((r = record_blob_hash(h, bytes, len)) != 0)
		return (r);
	hex_format(name, h, HASH_LEN);
	return (json_object_set_new(
		    v->blobs, name, json_stringn_nocheck(bytes, len)) == 0
		? 0
		: ERR_NOMEM);
}

int
verify_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char **bytes, size_t *len)
{
	const struct verify *v = arg;
	char name[2 * HASH_LEN + 1];
	const json_t *s;

	hex_format(name, hash, HASH_LEN);
	if ((s = json_object_get(v->blobs, name)) == NULL)
		return (v->opt.blobs == NULL
			? ERR_NOTFOUND
			: v->opt.blobs->get(
			      v->opt.blobs->arg, hash, bytes, len));
	*bytes = json_string_value(s);
	*len = json_string_length(s);
	return (0);
}

/* game_dice: the proof of the line, checked with the server's dice key. */
static int
verify_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct verify_dice *d = arg;
	const json_t *s;
	int r;

	s = json_object_get(d->ln->dice, "proof");
	if (s == NULL)
		return (err_set(d->e, ERR_PROOF, "dice",
		    "the rules ask for dice, and the line has none"));
	if (!json_is_string(s) ||
	    hex_parse(proof, VRF_PROOF_LEN, json_string_value(s),
		json_string_length(s)) != 0)
		return (err_set(
		    d->e, ERR_PROOF, "dice.proof", "not a proof in hex"));
	r = checker_vrf(
	    d->v->checker, game_server_dice(d->v->game), alpha, n, proof, beta);
	if (r == ERR_PROOF)
		r = err_set(d->e, r, "dice.proof",
		    "the server's proof does not hold for this place and "
		    "these players' proofs");
	return (r);
}

/* Adds a value that may be used once to the set; ERR_BAD if it is there. */
static int
verify_use(struct verify *v, const char *kind, const void *p, size_t n,
    const char *text, const char *what, struct errinfo *e)
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_printf(&b, "%s/", kind);
	buf_hex(&b, p, n);
	buf_printf(&b, "/%s", text);
	r = buf_error(&b);
	if (r == 0 && json_object_get(v->used, buf_str(&b)) != NULL)
		r = err_set(e, ERR_BAD, "", "%s", what);
	if (r == 0 &&
	    json_object_set_new_nocheck(v->used, buf_str(&b), json_true()) != 0)
		r = ERR_NOMEM;
	buf_clear(&b);
	return (r);
}

/* The rules failed in the line before, and this one is no `fault` line. */
static int
verify_no_fault(struct verify *v, struct errinfo *e)
{
	v->is_dead = true;
	return (err_set(e, ERR_BAD, "",
	    "the rules failed in the line before; a fault line is due"));
}

/* Room for one more hash. */
static int
verify_grow(struct verify *v)
{
	size_t room;
	void *p;

	if ((size_t)v->rep.lines < v->hash_room)
		return (0);
	room = v->hash_room == 0 ? 64 : 2 * v->hash_room;
	if ((p = realloc(v->hashes, room * HASH_LEN)) == NULL)
		return (ERR_NOMEM);
	v->hashes = p;
	v->hash_room = room;
	return (0);
}

/* Takes the line over as the last good one. */
static void
verify_accept(struct verify *v, const uint8_t hash[HASH_LEN], int64_t at_ms)
{
	/* There is room: verify_grow() comes before. */
	memcpy(v->hashes[v->rep.lines], hash, HASH_LEN);
	memcpy(v->rep.head, hash, HASH_LEN);
	v->at_ms = at_ms;
	v->rep.lines++;
	if (v->game != NULL && !v->is_blind) {
		game_advance(v->game, at_ms, hash);
		v->rep.is_finished = game_is_finished(v->game);
	}
}

/* Keeps what a line did; of what a newer umpire made it is not known. */
static int
verify_tell(struct verify *v, const struct record_line *ln)
{
	const struct game_entry *to;

	if (v->is_resumed) {
		game_entry_clear(&v->entry);
		return (0);
	}
	if (!v->is_blind) {
		/* What was objected to was no combat. */
		to = game_history_get(&v->history, v->entry.to);
		if (v->entry.to_fate == GAME_FATE_OBJECTED && to != NULL &&
		    to->kind == ORDER_DECLARE)
			v->rep.combats--;
		if (to != NULL && to->is_restored &&
		    v->entry.to_fate == GAME_FATE_ACCEPTED)
			v->rep.is_restored_accepted = true;
		if (v->entry.is_restored) {
			v->rep.restored++;
			v->rep.restored_seq = v->entry.seq;
			v->rep.is_restored_accepted = false;
		}
		return (game_history_add(&v->history, &v->entry, v->game));
	}
	game_entry_begin(
	    &v->entry, NULL, ln->seq, ln->at_ms, ORDER_UNKNOWN, ln->seat);
	v->entry.turn = v->game == NULL ? 0 : game_turn(v->game);
	return (game_history_add(&v->history, &v->entry, NULL));
}

/* game, seq, prev, at (S2). */
static int
verify_chain(
    const struct verify *v, const struct record_line *ln, struct errinfo *e)
{
	static const uint8_t zeros[HASH_LEN];
	const uint8_t *prev;

	if (v->has_id && memcmp(ln->game, v->id, HASH_LEN) != 0)
		return (
		    err_set(e, ERR_BAD, "game", "not the game of the record"));
	if (ln->seq != v->rep.lines)
		return (err_set(e, ERR_BAD, "seq",
		    "line number %lld where %lld is due", (long long)ln->seq,
		    (long long)v->rep.lines));
	prev = ln->seq == 0 ? zeros : v->hashes[ln->seq - 1];
	if (memcmp(ln->prev, prev, HASH_LEN) != 0)
		return (err_set(
		    e, ERR_BAD, "prev", "not the hash of the line before"));
	if (ln->at_ms < v->at_ms)
		return (
		    err_set(e, ERR_BAD, "at", "earlier than the line before"));
	return (0);
}

/* Checks the mark of a line; at the first the key comes from the order. */
static int
verify_mark(struct verify *v, const char *bytes, size_t len, struct errinfo *e)
{
	uint8_t mark[SIGN_LEN], hash[HASH_LEN];
	int r;

	if (v->rep.lines == 0 &&
	    record_first_server(bytes, len, v->server) != 0)
		return (err_set(e, ERR_BAD, "order",
		    "the first line does not name its server"));
	if (v->opt.server != NULL &&
	    memcmp(v->opt.server, v->server, SIGN_KEY_LEN) != 0)
		return (err_set(e, ERR_BAD, "order.server",
		    "the record is of another server"));
	if ((r = record_read_mark(bytes, len, hash, mark)) == 0)
		r = checker_sign(
		    v->checker, v->server, SIGN_TAG_MARK, hash, HASH_LEN, mark);
	if (r == ERR_SIGNATURE || r == ERR_MALFORMED)
		r = err_set(e, ERR_BAD, "mark",
		    "not signed by the server's identity key");
	return (r);
}

/* Keeps the game id that the first line names. */
static void
verify_take_id(struct verify *v, const uint8_t id[HASH_LEN])
{
	if (v->rep.lines > 0)
		return;
	memcpy(v->id, id, HASH_LEN);
	v->has_id = true;
}

/* S5: no line follows the end of a game, neither an order nor the server's. */
static int
verify_is_over(struct verify *v, struct errinfo *e)
{
	if (v->is_blind || !v->rep.is_finished)
		return (0);
	v->is_dead = true;
	return (
	    err_set(e, ERR_BAD, "", "the game is closed; no line may follow"));
}

/* A line of a newer format: its mark holds, so it is what it says. */
static int
verify_newer_line(struct verify *v, const char *bytes, size_t len,
    const struct errinfo *why, struct errinfo *e)
{
	struct record_line ln = {.at_ms = 0};
	int r;

	r = record_parse_newer(bytes, len, RECORD_OF_GAME, &ln, e);
	if (r != 0 && r != ERR_NOMEM)
		r = ERR_BAD;
	if (r != 0 || (r = verify_chain(v, &ln, e)) != 0 ||
	    (r = verify_mark(v, bytes, len, e)) != 0 ||
	    (r = verify_is_over(v, e)) != 0 || (r = verify_grow(v)) != 0 ||
	    (r = hash_sha256(ln.hash, bytes, len)) != 0)
		return (r);
	if (v->wants_fault)
		return (verify_no_fault(v, e));
	verify_uncheckable(v, why);
	v->is_blind = true;
	v->next_is_fault = false;
	if ((r = verify_tell(v, &ln)) != 0)
		return (r);
	verify_take_id(v, ln.game);
	verify_accept(v, ln.hash, ln.at_ms);
	return (0);
}

/*
 * The order names this server, this game and a line before it (S3).  create
 * names its game by being what it is, and its seat in its args.
 */
static int
verify_order_head(const struct verify *v, const struct record_line *ln,
    const struct order *o, struct errinfo *e)
{
	if (memcmp(o->server, v->server, SIGN_KEY_LEN) != 0)
		return (err_set(e, ERR_BAD, "order.server",
		    "not the server of this record"));
	if (memcmp(o->game, ln->game, HASH_LEN) != 0)
		return (err_set(
		    e, ERR_BAD, "order.game", "not the game of the line"));
	if (ln->seq == 0)
		return (0);
	if (o->kind == ORDER_CREATE)
		return (err_set(
		    e, ERR_BAD, "order.kind", "a game is created once"));
	if (o->seat != ln->seat)
		return (err_set(
		    e, ERR_BAD, "order.seat", "not the seat of the line"));
	if (o->after >= ln->seq)
		return (err_set(e, ERR_BAD, "order.after",
		    "not the number of an earlier line"));
	if (memcmp(o->head, v->hashes[o->after], HASH_LEN) != 0)
		return (err_set(e, ERR_BAD, "order.head",
		    "not the hash of line %lld", (long long)o->after));
	return (0);
}

/* The signature of an order, or of a statement. */
static int
verify_author(
    const struct verify *v, const struct record_line *ln, struct errinfo *e)
{
	bool is_order = ln->kind == RECORD_ORDER;
	int r;

	r = checker_sign(v->checker, ln->key,
	    is_order ? SIGN_TAG_ORDER : SIGN_TAG_KEY, ln->text, ln->text_len,
	    ln->sig);
	if (r == ERR_SIGNATURE)
		r = err_set(e, ERR_BAD, "sig",
		    "the %s is not signed by the line's key",
		    is_order ? "order" : "statement");
	return (r);
}

/* Compares one JSON member of the line with what it must be. */
static int
verify_same(
    const char *name, const json_t *is, const json_t *must, struct errinfo *e)
{
	if (is == NULL && must == NULL)
		return (0);
	if (is == NULL)
		return (err_set(e, ERR_BAD, name, "missing"));
	if (must == NULL)
		return (err_set(
		    e, ERR_BAD, name, "there, and nothing calls for it"));
	if (!json_equal(is, must))
		return (err_set(e, ERR_BAD, name,
		    "not what the orders and the rules give"));
	return (0);
}

/* Says which roll differs, for a person. */
static int
verify_same_dice(const json_t *is, const json_t *must, struct errinfo *e)
{
	const json_t *a, *b, *roll, *want;
	const char *label;
	size_t i;
	int r;

	if ((r = verify_same("dice", is, must, e)) == 0 || is == NULL ||
	    must == NULL)
		return (r);
	a = json_object_get(is, "rolls");
	b = json_object_get(must, "rolls");
	json_array_foreach(b, i, want)
	{
		roll = json_array_get(a, i);
		label = js_str(want, "label");
		if (roll == NULL || !json_equal(roll, want))
			return (err_set(e, ERR_BAD, "dice",
			    "the roll \"%.96s\" is not what its proof gives",
			    label));
	}
	return (r);
}

/* Notes where the line draws. */
static void
verify_note_place(struct verify *v, const struct game_effects *fx)
{
	memcpy(v->place, fx->place, sizeof(v->place));
	memcpy(v->place_pool, fx->place_pool, sizeof(v->place_pool));
}

/* Compares all that the line holds beyond its order. */
static int
verify_effects(const struct record_line *ln, const struct game_effects *fx,
    struct errinfo *e)
{
	int r;

	if ((r = verify_same_dice(ln->dice, fx->dice, e)) != 0 ||
	    (r = verify_same("owes", ln->owes, fx->owes, e)) != 0 ||
	    (r = verify_same("opened", ln->opened, fx->opened, e)) != 0 ||
	    (r = verify_same("events", ln->events, fx->events, e)) != 0)
		return (r);
	if (ln->has_pool != fx->has_pool ||
	    (ln->has_pool && memcmp(ln->pool, fx->pool, HASH_LEN) != 0))
		return (err_set(
		    e, ERR_BAD, "pool", "not the pool that these orders make"));
	return (0);
}

/* The first line: opens the game. */
static int
verify_create(struct verify *v, const struct record_line *ln,
    const struct order *o, struct game_effects *fx, struct errinfo *e)
{
	const struct game_blobs blobs = {verify_blob_cb, v};
	struct errinfo why = {0};
	int r;

	r = game_create(o, ln->key, &blobs, false, &v->game, fx, e);
	if (r != 0)
		return (r);
	if (v->opt.no_rules) {
		(void)err_set(
		    &why, ERR_NEWER, "", "the rules were not run (--no-rules)");
		verify_uncheckable(v, &why);
		game_set_rules_off(v->game);
	}
	return (0);
}

/* Takes the order as the server did and compares. */
static int
verify_take(struct verify *v, const struct record_line *ln,
    const struct order *o, struct errinfo *e)
{
	struct verify_dice d = {v, ln, e};
	const struct game_dice dice = {verify_prove_cb, &d};
	struct game_effects fx = {0};
	struct errinfo why = {0};
	bool is_silence;
	int r;

	if (v->next_is_fault && v->game != NULL)
		game_set_rules_off(v->game);
	is_silence =
	    o->kind == ORDER_ANSWER && o->seat == 0 && !game_is_judged(v->game);
	if (ln->seq == 0)
		r = verify_create(v, ln, o, &fx, e);
	else
		r = game_take(v->game, o, ln->key, &dice, ln, &fx, e);
	/* A roster that is not at hand may be named by any line (S9). */
	if (r == 0 && game_is_checkable(v->game, &why) != 0)
		verify_uncheckable(v, &why);
	if (r == 0)
		r = verify_effects(ln, &fx, e);
	if (r == 0 && fx.place[0] != '\0')
		r = verify_use(v, "place", fx.place_pool, HASH_LEN, fx.place,
		    "this place has drawn under this pool before", e);
	if (r == 0 && is_silence)
		v->rep.director_answers++;
	v->wants_fault = fx.is_fault || v->next_is_fault;
	verify_note_place(v, &fx);
	v->entry = fx.entry;
	fx.entry.before = NULL;
	game_effects_clear(&fx);
	return (r);
}

/* True if the line has the order that the caller has made, as it was made. */
static bool
verify_is_own(
    const struct verify *v, const struct record_line *ln, const struct order *o)
{
	return (v->own != NULL && memcmp(v->own->oid, o->oid, HASH_LEN) == 0 &&
	    memcmp(v->own->key, ln->key, SIGN_KEY_LEN) == 0 &&
	    memcmp(v->own->sig, ln->sig, SIGN_LEN) == 0);
}

/* An order of which all parts are known. */
static int
verify_order_known(struct verify *v, const struct record_line *ln,
    const struct order *o, struct errinfo *e)
{
	char seat[8];
	int r;

	if ((r = order_check_kind(o, e)) != 0)
		return (r);
	if (o->seat != ln->seat)
		return (err_set(
		    e, ERR_BAD, "order.args.seat", "not the seat of the line"));
	/* Both may be used once. */
	(void)snprintf(seat, sizeof(seat), "%d", o->seat);
	if ((r = verify_use(v, "oid", o->oid, HASH_LEN, "",
		 "the order stands in the record already", e)) != 0 ||
	    (r = verify_use(v, "nonce", o->nonce, ORDER_NONCE_LEN, seat,
		 "the seat has used this nonce before", e)) != 0 ||
	    (r = record_name_hashes(o->args, v->named)) != 0)
		return (r);
	return (verify_take(v, ln, o, e));
}

/* An order line, its form and mark checked. */
static int
verify_order(struct verify *v, const struct record_line *ln, struct errinfo *e)
{
	struct errinfo why = {0};
	struct order o;
	int r;

	if (v->is_blind)
		r = order_parse_head(ln->text, ln->text_len, &o, e);
	else
		r = order_parse_members(ln->text, ln->text_len, &o, e);
	if (r != 0)
		return (r);
	if (ln->seq == 0 && o.kind != ORDER_CREATE)
		r = err_set(e, ERR_BAD, "order.kind",
		    "the first line must be a create order");
	if (r == 0)
		r = verify_order_head(v, ln, &o, e);
	if (r == 0 && verify_is_own(v, ln, &o))
		o.memo = &v->own->memo;
	else if (r == 0)
		r = verify_author(v, ln, e);
	if (r != 0 || v->is_blind)
		goto out;
	o.at_ms = ln->at_ms;
	o.checker = v->checker;
	if ((r = game_check_known(v->game, &o, &why)) == 0)
		r = verify_order_known(v, ln, &o, &why);
	if (r == ERR_NEWER) {
		verify_uncheckable(v, &why);
		v->is_blind = true;
		r = 0;
	} else if (r != 0 && e != NULL) {
		*e = why;
		verify_why(e);
	}
	if (r == 0 && o.kind == ORDER_DECLARE && !v->is_blind)
		v->rep.combats++;
out:
	order_clear(&o);
	return (r);
}

/* A server line, its form and mark checked. */
static int
verify_server(struct verify *v, const struct record_line *ln, struct errinfo *e)
{
	struct game_effects fx = {0};
	struct errinfo why = {0};
	int r;

	v->wants_fault = false;
	if ((r = record_name_hashes(ln->data, v->named)) != 0)
		return (r);
	if (v->is_blind)
		return (0);
	r = game_take_server(v->game, ln->what, ln->data, ln->at_ms, &fx, &why);
	if (r == ERR_NEWER) {
		verify_uncheckable(v, &why);
		v->is_blind = true;
		return (0);
	}
	if (r != 0) {
		if (e != NULL)
			*e = why;
		return (r);
	}
	if (game_is_checkable(v->game, &why) != 0)
		verify_uncheckable(v, &why);
	r = verify_effects(ln, &fx, e);
	verify_note_place(v, &fx);
	v->entry = fx.entry;
	fx.entry.before = NULL;
	game_effects_clear(&fx);
	return (r);
}

/* A key line, its form and mark checked. */
static int
verify_key(struct verify *v, const struct record_line *ln, struct errinfo *e)
{
	struct errinfo why = {0};
	struct statement s;
	int r;

	if ((r = verify_author(v, ln, e)) != 0 || v->is_blind)
		return (r);
	r = statement_parse(ln->text, ln->text_len, &s, &why);
	if (r == 0) {
		r = game_take_key(
		    v->game, ln->seat, &s, ln->key, ln->at_ms, &v->entry, &why);
		statement_clear(&s);
	}
	if (r == ERR_NEWER) {
		verify_uncheckable(v, &why);
		v->is_blind = true;
		return (0);
	}
	if (r == 0 && ln->has_pool)
		r = err_set(
		    &why, ERR_BAD, "pool", "there, and nothing calls for it");
	if (r != 0 && e != NULL)
		*e = why;
	return (r);
}

/* A line whose form, chain and mark hold. */
static int
verify_meaning(
    struct verify *v, const struct record_line *ln, struct errinfo *e)
{
	v->place[0] = '\0';
	if (v->wants_fault &&
	    (ln->kind != RECORD_SERVER || strcmp(ln->what, "fault") != 0))
		return (verify_no_fault(v, e));
	switch (ln->kind) {
	case RECORD_ORDER:
		return (verify_order(v, ln, e));
	case RECORD_SERVER:
		return (verify_server(v, ln, e));
	case RECORD_KEY:
		break;
	}
	return (verify_key(v, ln, e));
}

bool
verify_is_fault(const char *line, size_t len)
{
	static const char fault[] = "\"kind\":\"server\",\"what\":\"fault\"";

	/* These stand within the fixed beginning of a line (S2). */
	return (memmem(line, len < 512 ? len : 512, fault, sizeof(fault) - 1) !=
	    NULL);
}

void
verify_peek(struct verify *v, const char *next, size_t len)
{
	v->next_is_fault = verify_is_fault(next, len);
}

int
verify_line(struct verify *v, const char *bytes, size_t len, struct errinfo *e)
{
	struct errinfo why = {0};
	struct record_line ln;
	const json_t *roll;
	size_t i;
	int r;

	if (v->is_dead)
		return (
		    err_set(e, ERR_BAD, "", "a line before this one is bad"));
	if ((r = verify_recall(v)) != 0)
		return (r);
	if ((r = record_parse(bytes, len, &ln, &why)) == ERR_NEWER)
		return (verify_newer_line(v, bytes, len, &why, e));
	if (r != 0) {
		if (e != NULL)
			*e = why;
		return (r == ERR_NOMEM ? r : ERR_BAD);
	}
	r = verify_chain(v, &ln, e);
	if (r == 0 && ln.seq == 0 && ln.kind != RECORD_ORDER)
		r = err_set(e, ERR_BAD, "kind",
		    "the first line must be a create order");
	if (r == 0)
		r = verify_mark(v, bytes, len, e);
	if (r == 0)
		r = verify_is_over(v, e);
	if (r != 0)
		goto out;
	if ((r = verify_grow(v)) == 0)
		r = verify_meaning(v, &ln, e);
	if (r == 0 && v->opt.head_seq == ln.seq && v->opt.head != NULL &&
	    memcmp(v->opt.head, ln.hash, HASH_LEN) != 0)
		r = err_set(e, ERR_BAD, "",
		    "line %lld is not the one that --head names",
		    (long long)ln.seq);
	if (r == 0 && v->game != NULL && !v->is_blind)
		r = verify_check_texts(v, ln.seq, e);
	if (r == 0)
		r = verify_tell(v, &ln);
	if (r != 0) {
		/* After its mark a refusal shuts the verifier. */
		v->is_dead = true;
		r = r == ERR_NOMEM ? r : ERR_BAD;
		goto out;
	}
	/* Dice that were checked. */
	json_array_foreach(
	    v->is_blind ? NULL : json_object_get(ln.dice, "rolls"), i, roll)
	{
		v->rep.rolls +=
		    (int64_t)json_array_size(json_object_get(roll, "dice")) +
		    (int64_t)json_array_size(json_object_get(roll, "chits"));
	}
	verify_take_id(v, ln.game);
	verify_accept(v, ln.hash, ln.at_ms);
	v->next_is_fault = false;
out:
	record_clear(&ln);
	return (r);
}

int
verify_end(struct verify *v, struct errinfo *e)
{
	if (v->rep.lines == 0)
		return (err_set(e, ERR_BAD, "", "the record is empty"));
	if (v->wants_fault)
		return (err_set(e, ERR_BAD, "",
		    "the rules failed in the last line; a fault line is due"));
	if (v->opt.head != NULL && v->opt.head_seq >= v->rep.lines)
		return (err_set(e, ERR_BAD, "",
		    "the record ends at line %lld, before the one that --head "
		    "names",
		    (long long)v->rep.lines - 1));
	return (0);
}

bool
verify_is_named(struct verify *v, const uint8_t hash[HASH_LEN])
{
	char name[2 * HASH_LEN + 1];

	hex_format(name, hash, HASH_LEN);
	return (v->is_blind || verify_recall(v) != 0 ||
	    json_object_get(v->named, name) != NULL);
}

void
verify_resume(
    struct verify *v, struct game *g, uint8_t (*hashes)[HASH_LEN], size_t n)
{
	v->game = g;
	v->hashes = hashes;
	v->hash_room = n;
	v->rep.lines = (int64_t)n;
	v->rep.is_finished = game_is_finished(g);
	memcpy(v->rep.head, game_head(g), HASH_LEN);
	v->at_ms = game_at_ms(g);
	memcpy(v->server, game_server(g), SIGN_KEY_LEN);
	verify_take_id(v, game_id(g));
	v->is_resumed = true;
}

bool
verify_place(const struct verify *v, const char **place, const uint8_t **pool)
{
	*place = v->place;
	*pool = v->place_pool;
	return (v->place[0] != '\0');
}

const uint8_t *
verify_hash(const struct verify *v, int64_t seq)
{
	return (v->hashes[seq]);
}

const struct game *
verify_game(const struct verify *v)
{
	return (v->game);
}

struct game *
verify_take_game(struct verify *v)
{
	struct game *g = v->game;

	v->game = NULL;
	v->is_dead = true;
	if (g != NULL)
		game_forget_blobs(g);
	return (g);
}

const struct game_history *
verify_history(const struct verify *v)
{
	return (&v->history);
}

const struct verify_report *
verify_report(struct verify *v)
{
	size_t i;

	v->rep.stray_opened = 0;
	/* Beyond what is not known here it may have its line. */
	for (i = v->is_blind ? 0 : v->n_texts; i-- > 0;) {
		if (!v->texts[i].is_known)
			v->rep.stray_opened = i + 1;
	}
	return (&v->rep);
}
