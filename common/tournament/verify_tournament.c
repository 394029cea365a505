/* SPDX-License-Identifier: ISC */
/*
 * Verifying a tournament line by line: form, chain, mark, order, signature,
 * then the same tournament_take() that the daemon used, with the proof of the
 * lots taken from the line; what it says the line must hold is compared with
 * what the line holds.
 */
#include "common/tournament/verify_tournament.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/game_take.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/statement.h"
#include "common/tournament/entry.h"
#include "common/tournament/tournament.h"
#include "common/tournament/tournament_game.h"
#include "common/tournament/verify_shelf.h"

struct verify_tournament {
	const struct verify_tournament_options *opt;
	struct verify_tournament_report *rep;
	/* Where those are while it is taken line by line. */
	struct verify_tournament_options own_opt;
	struct verify_tournament_report own_rep;
	struct tournament *t;
	json_t *used; /* owned set: oids, and nonces by account */
	json_t *named; /* owned set: hashes that lines name */
	uint8_t (*hashes)[HASH_LEN]; /* owned: of the lines so far */
	size_t room;
	int64_t at_ms;
	uint8_t expected[SIGN_KEY_LEN]; /* the server's key, if it is known */
	uint8_t server[SIGN_KEY_LEN];
	uint8_t id[HASH_LEN];
	bool is_blind; /* met what a newer umpire made: chain only */
	bool is_closed;
	struct verify_shelf *shelf; /* owned; NULL before line 0 */
	struct tournament *old; /* owned: that it continues; NULL */
	bool trusts; /* pairings are taken as the lines have them */
	const struct record_line *ln; /* that is read */
	struct errinfo *e;
};

/*
 * Remembers why the record cannot be checked whole, and at which line of the
 * file; the first reason stays.
 */
static void
verify_tournament_uncheckable_at(
    struct verify_tournament *v, int64_t line, const struct errinfo *why)
{
	if (v->rep->is_unchecked)
		return;
	v->rep->is_unchecked = true;
	v->rep->unchecked = *why;
	v->rep->unchecked_line = line;
}

/* The same, at the line that is read. */
static void
verify_tournament_uncheckable(
    struct verify_tournament *v, const struct errinfo *why)
{
	verify_tournament_uncheckable_at(v, v->rep->lines + 1, why);
}

/* Adds a value that may be used once to the set; ERR_BAD if it is there. */
static int
verify_tournament_use(struct verify_tournament *v, const char *kind,
    const void *p, size_t n, const char *text, const char *what)
{
	struct buf b;
	int r;

	buf_init(&b, 0);
	buf_printf(&b, "%s/", kind);
	buf_hex(&b, p, n);
	buf_printf(&b, "/%s", text);
	r = buf_error(&b);
	if (r == 0 && json_object_get(v->used, buf_str(&b)) != NULL)
		r = err_set(v->e, ERR_BAD, "", "%s", what);
	if (r == 0 &&
	    json_object_set_new_nocheck(v->used, buf_str(&b), json_true()) != 0)
		r = ERR_NOMEM;
	buf_clear(&b);
	return (r);
}

/* ---- games ---- */

/* A game, verified; what it brings counts once. */
static int
verify_tournament_shelf(struct verify_tournament *v,
    const uint8_t game[HASH_LEN], struct verify_shelf_game **out)
{
	struct verify_shelf_game *s;
	int r;

	if ((r = verify_shelf_get(v->shelf, game, &s)) != 0)
		return (r);
	if (!s->is_counted && (s->r == 0 || s->r == ERR_NEWER)) {
		v->rep->games++;
		v->rep->rolls += s->rolls;
	}
	s->is_counted = true;
	*out = s;
	return (0);
}

/*
 * A line of a game that the tournament names.  ERR_BAD: there is none;
 * ERR_MISSING: the game has lost it.
 */
static int
verify_tournament_line_of(struct verify_tournament *v,
    const struct verify_shelf_game *s, int64_t seq,
    const struct verify_shelf_line **out, struct errinfo *e)
{
	const struct verify_shelf_line *line = NULL;
	char id[2 * HASH_LEN + 1];
	struct errinfo why;
	size_t i;

	for (i = 0; i < s->n_lines && line == NULL; i++) {
		if (s->lines[i].seq == seq)
			line = &s->lines[i];
	}
	if (line != NULL && line->is_there &&
	    memcmp(line->line, line->look.line, HASH_LEN) == 0) {
		*out = line;
		return (0);
	}
	hex_format(id, s->game, HASH_LEN);
	if (s->is_restored && line != NULL) {
		(void)err_set(&why, ERR_MISSING, "",
		    "it names a line that game %.12s has lost", id);
		verify_tournament_uncheckable(v, &why);
		return (ERR_MISSING);
	}
	if (line == NULL || !line->is_there)
		return (err_set(e, ERR_BAD, "", "game %.12s has no line %lld%s",
		    id, (long long)seq,
		    v->opt->is_whole ? ": is its file from before that line?"
				     : ""));
	return (err_set(e, ERR_BAD, "", "line %lld of game %.12s is another",
	    (long long)seq, id));
}

/* tournament_games: a game at one of its lines. */
static int
verify_tournament_look_cb(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
    struct tournament_look *look, struct errinfo *e)
{
	struct verify_tournament *v = arg;
	const struct verify_shelf_line *line;
	struct verify_shelf_game *s;
	char id[2 * HASH_LEN + 1];
	int r;

	/* Line by line the games are left out. */
	if (v->shelf == NULL)
		return (ERR_MISSING);
	if ((r = verify_tournament_shelf(v, game, &s)) != 0)
		return (r);
	if (s->r == ERR_BAD) {
		hex_format(id, game, HASH_LEN);
		return (
		    err_set(e, ERR_BAD, "", "game %.12s: %s", id, s->why.text));
	}
	if (s->r != 0) {
		verify_tournament_uncheckable(v, &s->why);
		return (s->r);
	}
	line = &s->last;
	if (seq >= 0 &&
	    (r = verify_tournament_line_of(v, s, seq, &line, e)) != 0)
		return (r);
	*look = line->look;
	look->begun_ms = s->begun_ms;
	return (line->is_weighed ? 0 : ERR_MISSING);
}

/* Checks a game's create against the terms as its line `game` is taken. */
static int
verify_tournament_game(struct verify_tournament *v, const json_t *data)
{
	uint8_t game[HASH_LEN], key[SIGN_KEY_LEN];
	struct tournament_place place, want = {0};
	struct verify_shelf_game *s;
	int64_t seat;
	int r;

	if (v->shelf == NULL ||
	    js_get_hex(data, "game", NULL, game, HASH_LEN, NULL) != 0)
		return (0); /* taking the line says so */
	if ((r = verify_tournament_shelf(v, game, &s)) != 0)
		return (r);
	if (s->seq < 0)
		s->seq = v->rep->lines;
	if (s->r == ERR_BAD)
		return (err_set(v->e, ERR_BAD, "data.game", "%s", s->why.text));
	if (s->r != 0)
		verify_tournament_uncheckable(v, &s->why);
	/* What is there of it must be right even so. */
	if (s->create == NULL && s->r != 0)
		return (0);
	if (js_get_int(s->create, "seat", NULL, 0, 2, &seat, NULL) != 0 ||
	    js_get_hex(s->create, "key", NULL, key, SIGN_KEY_LEN, NULL) != 0)
		return (err_set(v->e, ERR_BAD, "data.game",
		    "its create order is of no tournament"));
	r = tournament_check_create(
	    v->t, s->create, (int)seat, key, &place, v->e);
	if (r != 0)
		return (r == ERR_NOMEM ? r : ERR_BAD);
	want.round = (int)js_int(data, "round");
	want.table = (int)js_int(data, "table");
	want.leg = (int)js_int(data, "leg");
	if (memcmp(&place, &want, sizeof(place)) != 0)
		return (err_set(v->e, ERR_BAD, "data",
		    "not the round, table and leg that the game names"));
	if (s->opened_ms > v->ln->at_ms)
		return (err_set(
		    v->e, ERR_BAD, "at", "earlier than the line of the game"));
	verify_shelf_checked(s);
	return (0);
}

/* Says of a game, at its line in the tournament, what is wrong with it. */
static int
verify_tournament_game_bad(struct verify_tournament *v,
    const struct verify_shelf_game *s, const char *what)
{
	v->rep->file_line = s->seq + 1;
	return (err_set(v->e, ERR_BAD, "data.game", "%s", what));
}

/* Who joined a game, and that its result is not missing. */
static int
verify_tournament_game_end(
    struct verify_tournament *v, const struct verify_shelf_game *s)
{
	json_t *data;
	size_t i;
	int r;

	for (i = 0; i < s->n_joins; i++) {
		if (!tournament_was_join(v->t, s->game, &s->joins[i]))
			return (verify_tournament_game_bad(v, s,
			    "somebody joined it who is not of its table, or "
			    "with keys that were not theirs"));
	}
	for (i = 0; i < s->n_ends; i++) {
		r = tournament_result_data(v->t, s->game, &s->ends[i], &data);
		if (r != 0)
			return (r);
		if (data == NULL)
			continue;
		json_decref(data);
		return (verify_tournament_game_bad(v, s,
		    v->opt->is_whole &&
			    tournament_at_ms(v->t) < s->last.look.at_ms
			? "the game is over, and its result is missing: is the "
			  "tournament's file from before that?"
			: "the game is over, and its result is missing"));
	}
	return (0);
}

/* Compares two games by their lines in the tournament, for qsort(). */
static int
verify_tournament_order_cb(const void *a, const void *b)
{
	const struct verify_shelf_game *const *x = a, *const *y = b;

	return (((*x)->seq > (*y)->seq) - ((*x)->seq < (*y)->seq));
}

/* Tells of a game. */
static void
verify_tournament_tell(
    const struct verify_tournament *v, const struct verify_shelf_game *s)
{
	const struct verify_tournament_seen seen = {.game = s->game,
	    .seq = s->seq,
	    .r = s->r,
	    .why = &s->why,
	    .is_restored = s->is_restored,
	    .is_faulty = s->is_faulty,
	    .is_closed = s->is_closed,
	    .changes = s->changes,
	    .texts_missing = (int64_t)json_object_size(s->texts)};

	v->opt->seen(v->opt->seen_arg, &seen);
}

/* The same, of a tournament that may have gone on before the games ended. */
static int
verify_tournament_game_end_perhaps(
    struct verify_tournament *v, const struct verify_shelf_game *s)
{
	int r = verify_tournament_game_end(v, s);

	if (r != ERR_BAD || !v->opt->may_be_cut)
		return (r);
	verify_tournament_uncheckable_at(v, v->rep->file_line, v->e);
	*v->e = (struct errinfo){.where = ""};
	return (0);
}

/* What can be seen of games only at the end, by the lines `game`. */
static int
verify_tournament_games_end(struct verify_tournament *v)
{
	const bool is_judged = !v->is_blind && !v->opt->is_cut;
	const size_t n = verify_shelf_games(v->shelf);
	const struct verify_shelf_game **list;
	size_t i, k = 0;
	int r = 0;

	if (n == 0)
		return (0);
	if ((list = calloc(n, sizeof(*list))) == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < n; i++) {
		list[k] = verify_shelf_at(v->shelf, i);
		k += list[k]->seq >= 0;
	}
	qsort(list, k, sizeof(*list), verify_tournament_order_cb);
	for (i = 0; r == 0 && is_judged && i < k; i++) {
		if (list[i]->r == 0)
			r = verify_tournament_game_end_perhaps(v, list[i]);
	}
	for (i = 0; r == 0 && v->opt->seen != NULL && i < k; i++)
		verify_tournament_tell(v, list[i]);
	free(list);
	return (r);
}

/* Makes the shelf, and has the games of all lines read ahead. */
static int
verify_tournament_begin(
    struct verify_tournament *v, const char *bytes, size_t len)
{
	const int resign = v->t == NULL ? 0 : tournament_terms(v->t)->resign;
	const char *end = bytes + len;
	struct record_span s;
	int r;

	r = verify_shelf_new(v->opt, v->server, resign, &v->shelf);
	while (r == 0 && record_next(&bytes, end, &s) &&
	    !record_is_side(s.bytes, s.len))
		r = verify_shelf_expect(v->shelf, s.bytes, s.len);
	return (r == 0 ? verify_shelf_begin(v->shelf) : r);
}

/* ---- lines ---- */

/* game_dice: the proof of the line, checked with the server's dice key. */
static int
verify_tournament_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	struct verify_tournament *v = arg;
	const json_t *s = json_object_get(v->ln->dice, "proof");
	int r;

	if (!json_is_string(s) ||
	    hex_parse(proof, VRF_PROOF_LEN, json_string_value(s),
		json_string_length(s)) != 0)
		return (err_set(v->e, ERR_BAD, "dice.proof",
		    "missing, or not a proof in hex"));
	r = vrf_check(
	    tournament_terms(v->t)->set.server_dice, alpha, n, proof, beta);
	if (r == ERR_PROOF)
		r = err_set(v->e, ERR_BAD, "dice.proof",
		    "the server's proof does not hold for these lots");
	return (r);
}

/* tournament, seq, prev, at (S15.1). */
static int
verify_tournament_chain(const struct verify_tournament *v)
{
	static const uint8_t zeros[HASH_LEN];
	const struct record_line *ln = v->ln;
	const int64_t n = v->rep->lines;

	if (v->is_closed)
		return (err_set(v->e, ERR_BAD, "",
		    "the record is closed, and no line may follow"));
	if (n > 0 && memcmp(ln->game, v->id, HASH_LEN) != 0)
		return (err_set(v->e, ERR_BAD, "tournament",
		    "not the tournament of the record"));
	if (ln->seq != n)
		return (err_set(v->e, ERR_BAD, "seq",
		    "line number %lld where %lld is due", (long long)ln->seq,
		    (long long)n));
	if (memcmp(ln->prev, n == 0 ? zeros : v->hashes[n - 1], HASH_LEN) != 0)
		return (err_set(
		    v->e, ERR_BAD, "prev", "not the hash of the line before"));
	if (ln->at_ms < v->at_ms)
		return (err_set(
		    v->e, ERR_BAD, "at", "earlier than the line before"));
	return (0);
}

/* Checks the mark of a line; at the first the key comes from the order. */
static int
verify_tournament_mark(
    struct verify_tournament *v, const char *bytes, size_t len)
{
	int r;

	if (v->rep->lines == 0 &&
	    record_first_server(bytes, len, v->server) != 0)
		return (err_set(v->e, ERR_BAD, "order",
		    "the first line does not name its server"));
	if (v->opt->server != NULL &&
	    memcmp(v->opt->server, v->server, SIGN_KEY_LEN) != 0)
		return (err_set(v->e, ERR_BAD, "order.server",
		    "the record is of another server"));
	r = record_check_mark(bytes, len, v->server);
	if (r == ERR_SIGNATURE || r == ERR_MALFORMED)
		r = err_set(v->e, ERR_BAD, "mark",
		    "not signed by the server's identity key");
	return (r);
}

/* Checks a value of the line against what it must be. */
static int
verify_tournament_same(const struct verify_tournament *v, const char *name,
    const json_t *has, const json_t *want)
{
	if (has == NULL && want == NULL)
		return (0);
	if (want == NULL)
		return (err_set(
		    v->e, ERR_BAD, name, "there, and nothing calls for it"));
	if (has == NULL)
		return (err_set(v->e, ERR_BAD, name, "missing"));
	if (!js_same(has, want))
		return (err_set(v->e, ERR_BAD, name,
		    "not what the lines before and the rules give"));
	return (0);
}

/* Checks what a line holds beyond its order. */
static int
verify_tournament_effects(
    const struct verify_tournament *v, const struct tournament_effects *fx)
{
	const struct record_line *ln = v->ln;
	int r;

	if ((r = verify_tournament_same(v, "dice", ln->dice, fx->dice)) != 0 ||
	    (r = verify_tournament_same(v, "events", ln->events, fx->events)) !=
		0)
		return (r);
	if (ln->has_pool != fx->has_pool ||
	    (ln->has_pool && memcmp(ln->pool, fx->pool, HASH_LEN) != 0))
		return (err_set(v->e, ERR_BAD, "pool",
		    "not the pool that these lines make"));
	return (0);
}

/* server, tournament, by, after and head of an order (S15.2). */
static int
verify_tournament_order_head(
    const struct verify_tournament *v, const struct entry *o)
{
	const struct record_line *ln = v->ln;

	if (memcmp(o->server, v->server, SIGN_KEY_LEN) != 0)
		return (err_set(v->e, ERR_BAD, "order.server",
		    "not the server of this record"));
	if (memcmp(o->tournament, ln->game, HASH_LEN) != 0)
		return (err_set(v->e, ERR_BAD, "order.tournament",
		    "not the tournament of the line"));
	if (strcmp(o->by, ln->by) != 0)
		return (err_set(
		    v->e, ERR_BAD, "order.by", "not the account of the line"));
	if (ln->seq == 0)
		return (0);
	if (o->after >= ln->seq || o->after < 0)
		return (err_set(v->e, ERR_BAD, "order.after",
		    "not the number of an earlier line"));
	if (memcmp(o->head, v->hashes[o->after], HASH_LEN) != 0)
		return (err_set(v->e, ERR_BAD, "order.head",
		    "not the hash of line %lld", (long long)o->after));
	return (0);
}

/* What an order, or a line of the server, is taken with. */
static struct tournament_line
verify_tournament_with(struct verify_tournament *v, const struct entry *o,
    const struct game_dice *dice, const struct tournament_games *games,
    struct tournament_effects *fx)
{
	return ((struct tournament_line){.o = o,
	    .key = v->ln->key,
	    .dice = dice,
	    .games = games,
	    .at_ms = v->ln->at_ms,
	    .given = v->ln->events,
	    .paired = v->trusts ? tournament_told_pairing(v->ln->events) : NULL,
	    .fx = fx,
	    .e = v->e});
}

/* What cannot be judged here ends the judging, not the reading. */
static int
verify_tournament_judged(struct verify_tournament *v, int r)
{
	if (r != ERR_NEWER)
		return (r);
	verify_tournament_uncheckable(v, v->e);
	v->is_blind = true;
	return (0);
}

/* Takes the order as the server did and compares. */
static int
verify_tournament_take(struct verify_tournament *v, const struct entry *o)
{
	const struct game_dice dice = {verify_tournament_prove_cb, v};
	const struct tournament_games games = {verify_tournament_look_cb, v};
	struct tournament_effects fx = {0};
	struct tournament_line l =
	    verify_tournament_with(v, o, &dice, &games, &fx);
	int r;

	if ((r = verify_tournament_use(v, "oid", o->oid, HASH_LEN, "",
		 "the order stands in the record already")) != 0 ||
	    (r = verify_tournament_use(v, "nonce", o->nonce, ORDER_NONCE_LEN,
		 o->by, "the account has used this nonce before")) != 0 ||
	    (r = entry_name_hashes(o, v->named)) != 0)
		return (r);
	if (v->ln->seq == 0) {
		l.before = v->old;
		if ((r = tournament_create(&l, &v->t)) == 0)
			v->old = NULL;
	} else
		r = tournament_take(v->t, &l);
	if (r == 0)
		r = verify_tournament_effects(v, &fx);
	tournament_effects_clear(&fx);
	return (r);
}

/* An order line, its form and mark checked. */
static int
verify_tournament_order(struct verify_tournament *v)
{
	const struct record_line *ln = v->ln;
	struct entry o;
	int r;

	if (v->is_blind)
		r = entry_parse_head(ln->text, ln->text_len, &o, v->e);
	else
		r = entry_parse(ln->text, ln->text_len, &o, v->e);
	if (r != 0)
		return (r);
	if (ln->seq == 0 && o.kind != ENTRY_CREATE)
		r = err_set(v->e, ERR_BAD, "order.kind",
		    "the first line must be a create order");
	if (r == 0)
		r = verify_tournament_order_head(v, &o);
	if (r == 0 &&
	    (r = sign_check(ln->key, ENTRY_TAG, ln->text, ln->text_len,
		 ln->sig)) == ERR_SIGNATURE)
		r = err_set(v->e, ERR_BAD, "sig",
		    "the order is not signed by the line's key");
	if (r == 0 && !v->is_blind) {
		o.at_ms = ln->at_ms;
		r = verify_tournament_judged(v, verify_tournament_take(v, &o));
	}
	entry_clear(&o);
	return (r);
}

/* A server line, its form and mark checked. */
static int
verify_tournament_server(struct verify_tournament *v)
{
	const struct tournament_games games = {verify_tournament_look_cb, v};
	struct tournament_effects fx = {0};
	const struct tournament_line l =
	    verify_tournament_with(v, NULL, NULL, &games, &fx);
	const struct record_line *ln = v->ln;
	int r;

	if ((r = entry_name_hash(json_object_get(ln->data, "why"), v->named)) !=
	    0)
		return (r);
	if (v->is_blind)
		return (0);
	if (strcmp(ln->what, "game") == 0)
		r = verify_tournament_game(v, ln->data);
	if (r == 0)
		r = tournament_take_server(v->t, ln->what, ln->data, &l);
	if (r == 0)
		r = verify_tournament_effects(v, &fx);
	tournament_effects_clear(&fx);
	if (r == 0 && strcmp(ln->what, "fault") == 0) {
		(void)err_set(v->e, ERR_NEWER, "",
		    "the code failed in the line before this one");
		return (verify_tournament_judged(v, ERR_NEWER));
	}
	v->is_closed = r == 0 && strcmp(ln->what, "closed") == 0;
	return (verify_tournament_judged(v, r));
}

/* A key line, its form and mark checked. */
static int
verify_tournament_key(struct verify_tournament *v)
{
	const struct record_line *ln = v->ln;
	struct tournament_effects fx = {0};
	const struct tournament_line l =
	    verify_tournament_with(v, NULL, NULL, NULL, &fx);
	struct statement s;
	int r;

	r = sign_check(ln->key, SIGN_TAG_KEY, ln->text, ln->text_len, ln->sig);
	if (r == ERR_SIGNATURE)
		r = err_set(v->e, ERR_BAD, "sig",
		    "the statement is not signed by the line's key");
	if (r != 0 || v->is_blind)
		return (r);
	if ((r = statement_parse(ln->text, ln->text_len, &s, v->e)) != 0)
		return (verify_tournament_judged(v, r));
	r = tournament_take_key(v->t, ln->by, &s, ln->key, &l);
	statement_clear(&s);
	if (r == 0 && ln->has_pool)
		r = err_set(
		    v->e, ERR_BAD, "pool", "there, and nothing calls for it");
	return (verify_tournament_judged(v, r));
}

/* Takes the line over as the last good one. */
static int
verify_tournament_accept(struct verify_tournament *v)
{
	const size_t n = (size_t)v->rep->lines;
	size_t room;
	void *p;

	if (n == v->room) {
		room = v->room == 0 ? 64 : 2 * v->room;
		if ((p = realloc(v->hashes, room * HASH_LEN)) == NULL)
			return (ERR_NOMEM);
		v->hashes = p;
		v->room = room;
	}
	memcpy(v->hashes[n], v->ln->hash, HASH_LEN);
	memcpy(v->rep->head, v->ln->hash, HASH_LEN);
	memcpy(v->id, v->ln->game, HASH_LEN);
	v->at_ms = v->ln->at_ms;
	v->rep->lines++;
	if (!v->is_blind && v->t != NULL)
		tournament_advance(v->t, v->ln->at_ms, v->ln->hash);
	return (0);
}

/* What a line of a later format or kind tells: it is the next, and marked. */
static int
verify_tournament_newer(
    struct verify_tournament *v, const char *bytes, size_t len)
{
	const struct errinfo why = *v->e;
	struct record_line ln = {.at_ms = 0};
	int r;

	r = record_parse_newer(bytes, len, RECORD_OF_TOURNAMENT, &ln, v->e);
	if (r != 0)
		return (r);
	v->ln = &ln;
	if ((r = verify_tournament_chain(v)) == 0 &&
	    (r = verify_tournament_mark(v, bytes, len)) == 0 &&
	    (r = hash_sha256(ln.hash, bytes, len)) == 0) {
		verify_tournament_uncheckable(v, &why);
		v->is_blind = true;
		r = verify_tournament_accept(v);
	}
	v->ln = NULL;
	return (r);
}

/* One record line, without LF. */
static int
verify_tournament_line(
    struct verify_tournament *v, const char *bytes, size_t len)
{
	struct record_line ln;
	const json_t *roll;
	size_t i;
	int r;

	r = record_parse_tournament(bytes, len, &ln, v->e);
	if (r == ERR_NEWER)
		return (verify_tournament_newer(v, bytes, len));
	if (r != 0)
		return (r);
	v->ln = &ln;
	r = verify_tournament_chain(v);
	if (r == 0 && ln.seq == 0 && ln.kind != RECORD_ORDER)
		r = err_set(v->e, ERR_BAD, "kind",
		    "the first line must be a create order");
	if (r == 0)
		r = verify_tournament_mark(v, bytes, len);
	if (r == 0)
		r = ln.kind == RECORD_ORDER ? verify_tournament_order(v)
		    : ln.kind == RECORD_KEY ? verify_tournament_key(v)
					    : verify_tournament_server(v);
	if (r == 0 && v->opt->head != NULL && v->opt->head_seq == ln.seq &&
	    memcmp(v->opt->head, ln.hash, HASH_LEN) != 0)
		r = err_set(v->e, ERR_BAD, "",
		    "line %lld is not the one that --head names",
		    (long long)ln.seq);
	if (r == 0)
		r = verify_tournament_accept(v);
	json_array_foreach(r != 0 ? NULL : json_object_get(ln.dice, "rolls"), i,
	    roll) v->rep->rolls +=
	    (int64_t)(json_array_size(json_object_get(roll, "dice")) +
		json_array_size(json_object_get(roll, "chits")));
	record_clear(&ln);
	v->ln = NULL;
	return (r);
}

/* Checks one side line; *last is the one before it and becomes this one. */
static int
verify_tournament_side(struct verify_tournament *v,
    const struct record_span *span, struct record_side *last)
{
	char name[2 * HASH_LEN + 1];
	struct record_side s;
	int r;

	if (!record_is_side(span->bytes, span->len))
		return (err_set(v->e, ERR_BAD, "",
		    "neither a text nor a blob, and the record has ended"));
	if ((r = record_side_parse(span->bytes, span->len, &s, v->e)) != 0)
		return (r);
	hex_format(name, s.hash, HASH_LEN);
	if (!record_side_follows(last, &s))
		r = err_set(v->e, ERR_BAD, "",
		    "side lines stand sorted by their hashes, each once");
	else if (!v->is_blind && json_object_get(v->named, name) == NULL)
		r = err_set(v->e, ERR_BAD, "",
		    "no line of the record names this %s",
		    s.is_blob ? "blob" : "text");
	record_side_clear(last);
	*last = s;
	return (r);
}

/* Goes through the whole file. */
static int
verify_tournament_run(
    struct verify_tournament *v, const char *bytes, size_t len)
{
	const char *at = bytes, *end = bytes + len;
	struct record_side last = {0};
	struct record_span s;
	bool in_side = false;
	int64_t line = 0;
	int r = 0;

	while (r == 0 && record_next(&at, end, &s)) {
		line++;
		if (s.bytes + s.len == end) {
			r = err_set(
			    v->e, ERR_BAD, "", "the last line is not ended");
			break;
		}
		in_side =
		    in_side || (line > 1 && record_is_side(s.bytes, s.len));
		v->trusts = v->rep->lines < v->opt->trusts;
		r = in_side ? verify_tournament_side(v, &s, &last)
			    : verify_tournament_line(v, s.bytes, s.len);
		if (r == 0 && v->shelf == NULL)
			r = verify_tournament_begin(v, at, (size_t)(end - at));
		if (r == 0 && v->opt->progress != NULL)
			v->opt->progress(v->opt->progress_arg, v->rep->lines,
			    verify_shelf_read(v->shelf),
			    verify_shelf_games(v->shelf));
	}
	record_side_clear(&last);
	v->rep->file_line = r != 0 ? line : 0;
	if (r == 0 && v->rep->lines == 0)
		r = err_set(v->e, ERR_BAD, "", "the record is empty");
	if (r == 0 && v->opt->head != NULL && v->opt->head_seq >= v->rep->lines)
		r = err_set(v->e, ERR_BAD, "",
		    "the record ends at line %lld, before the one that "
		    "--head names",
		    (long long)v->rep->lines - 1);
	if (r == 0)
		r = verify_tournament_games_end(v);
	return (r);
}

/* Frees what a verifier owns, but for the tournament. */
static void
verify_tournament_clear(struct verify_tournament *v)
{
	verify_shelf_free(v->shelf);
	tournament_free(v->old);
	free(v->hashes);
	json_decref(v->used);
	json_decref(v->named);
}

int
verify_tournament_bytes(const char *bytes, size_t len,
    const struct verify_tournament_options *opt,
    struct verify_tournament_report *rep, struct tournament **state,
    struct errinfo *e)
{
	struct errinfo why = {.where = ""};
	struct verify_tournament v = {
	    .opt = opt, .rep = rep, .e = &why, .old = opt->old};
	int r = ERR_NOMEM;

	memset(rep, 0, sizeof(*rep));
	v.used = json_object();
	v.named = json_object();
	if (v.used != NULL && v.named != NULL)
		r = verify_tournament_run(&v, bytes, len);
	verify_tournament_clear(&v);
	if (r != 0 && r != ERR_NOMEM && r != ERR_IO && r != ERR_STORAGE)
		r = ERR_BAD;
	if (e != NULL)
		*e = why;
	if (v.t != NULL)
		rep->is_over = tournament_phase(v.t) == TOURNAMENT_OVER ||
		    tournament_is_closed(v.t);
	/* What cannot be judged whole can be continued by nothing. */
	if (state != NULL && (r == 0 || r == ERR_BAD) &&
	    !(opt->is_cut && v.is_blind))
		*state = v.t;
	else
		tournament_free(v.t);
	return (r);
}

int
verify_tournament_new(
    const uint8_t server[SIGN_KEY_LEN], struct verify_tournament **out)
{
	struct verify_tournament *v;

	if ((v = calloc(1, sizeof(*v))) == NULL)
		return (ERR_NOMEM);
	v->own_opt.no_games = true;
	v->own_opt.head_seq = -1;
	if (server != NULL) {
		memcpy(v->expected, server, SIGN_KEY_LEN);
		v->own_opt.server = v->expected;
	}
	v->opt = &v->own_opt;
	v->rep = &v->own_rep;
	v->used = json_object();
	v->named = json_object();
	if (v->used == NULL || v->named == NULL) {
		verify_tournament_free(v);
		return (ERR_NOMEM);
	}
	*out = v;
	return (0);
}

void
verify_tournament_free(struct verify_tournament *v)
{
	if (v == NULL)
		return;
	verify_tournament_clear(v);
	tournament_free(v->t);
	free(v);
}

int
verify_tournament_add(struct verify_tournament *v, const char *bytes,
    size_t len, struct errinfo *e)
{
	int r;

	v->e = e;
	/* The games are left out: it is empty, and says so. */
	if (v->t != NULL && v->shelf == NULL &&
	    (r = verify_shelf_new(v->opt, v->server,
		 tournament_terms(v->t)->resign, &v->shelf)) != 0)
		return (r);
	r = verify_tournament_line(v, bytes, len);
	return (r == 0 || r == ERR_NOMEM ? r : ERR_BAD);
}

void
verify_tournament_continue(struct verify_tournament *v, struct tournament *old)
{
	tournament_free(v->old);
	v->old = old;
}

void
verify_tournament_resume(struct verify_tournament *v, struct tournament *t,
    uint8_t (*hashes)[HASH_LEN], size_t n)
{
	v->t = t;
	v->hashes = hashes;
	v->room = n;
	v->rep->lines = (int64_t)n;
	memcpy(v->rep->head, hashes[n - 1], HASH_LEN);
	memcpy(v->id, tournament_id(t), HASH_LEN);
	memcpy(v->server, tournament_server(t), SIGN_KEY_LEN);
	v->at_ms = tournament_at_ms(t);
	v->is_closed = tournament_is_closed(t);
}

void
verify_tournament_trust(struct verify_tournament *v, bool trusts)
{
	v->trusts = trusts;
}

struct tournament *
verify_tournament_take_state(struct verify_tournament *v)
{
	struct tournament *t = v->t;

	v->t = NULL;
	return (t);
}

struct tournament *
verify_tournament_state(const struct verify_tournament *v)
{
	return (v->is_blind ? NULL : v->t);
}

const uint8_t *
verify_tournament_hash(const struct verify_tournament *v, int64_t seq)
{
	return (v->hashes[seq]);
}

bool
verify_tournament_names(const struct verify_tournament *v, const char *hex)
{
	return (json_object_get(v->named, hex) != NULL);
}
