/* SPDX-License-Identifier: ISC */
/*
 * Tournaments.  A file that somebody sends is judged, never trusted.  One that
 * begins with "!" is what accounts and a server say who hold all keys and lie;
 * what they say reaches the tournament's own checks, and whatever is refused
 * must leave no trace.  Its lines:
 *
 *   ~ EVENTS       what the next line is said to have brought, as a verifier
 *                  without games has it
 *   TIME ORDER     an order, by a key that its author has
 *   TIME WHAT DATA a line of the server
 *   @ STATEMENT    a key statement, by the account's first key
 *   ^              its server has stopped: the next order is to open another,
 *                  which may continue it
 *
 * A file may hold several records, one after the other: those that the first
 * goes back to.
 */
#include <string.h>

#include "common/base/buf.h"
#include "common/base/clock.h"
#include "common/crypt/hash.h"
#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/json/js_load.h"
#include "common/record/record.h"
#include "common/tournament/tournament_int.h"
#include "common/tournament/verify_former.h"

#include "tests/fuzz/fuzz.h"

#define FUZZ_TOURNAMENT_LINES 200
#define FUZZ_TIME_LEN 24

/* A tournament as its lines are said. */
struct fuzz_tournament {
	struct tournament *t; /* NULL before the first line */
	struct tournament *old; /* that one may continue; NULL */
	struct vrf_key dice; /* of the server */
	json_t *given; /* owned; for the next line */
	struct buf state; /* as the last good line left it */
};

/* The dice key of a name: a hash of it. */
static void
fuzz_tournament_key(const char *name, struct vrf_key *k)
{
	uint8_t secret[HASH_LEN];
	struct buf b;

	buf_init(&b, 0);
	buf_printf(&b, "forged %s dice", name);
	FUZZ_MUST(hash_sha256(secret, b.data, b.len) == 0);
	FUZZ_MUST(vrf_key_from_secret(k, secret) == 0);
	buf_clear(&b);
}

/* game_dice: a proof by the server's key. */
static int
fuzz_tournament_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct fuzz_tournament *f = arg;

	return (vrf_prove(&f->dice, alpha, n, proof, beta));
}

/* tournament_games: no game is at hand. */
static int
fuzz_tournament_look_cb(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
    struct tournament_look *look, struct errinfo *e)
{
	(void)arg;
	(void)game;
	(void)seq;
	(void)look;
	return (err_set(e, ERR_MISSING, "", "a game is not at hand"));
}

/* verify_tournament_games: likewise. */
static int
fuzz_tournament_read_cb(
    void *arg, const uint8_t game[HASH_LEN], char **bytes, size_t *len)
{
	(void)arg;
	(void)game;
	(void)bytes;
	(void)len;
	return (ERR_NOTFOUND);
}

/* Writes all that a refusal must leave alone. */
static void
fuzz_tournament_state(const struct tournament *t, struct buf *out)
{
	struct tournament plain = *t;
	const struct tournament_round *rd;
	size_t i;

	buf_reset(out);
	/* What belongs to the line at hand, and where the lists are. */
	plain.at_ms = plain.now_ms = 0;
	plain.accounts = NULL;
	plain.keys = plain.dice_keys = NULL;
	plain.entrants = NULL;
	plain.rounds = NULL;
	plain.games = NULL;
	plain.protests = NULL;
	plain.aparts = NULL;
	plain.halves = NULL;
	plain.rules = NULL;
	plain.rulings = NULL;
	buf_add(out, &plain, sizeof(plain));
	buf_add(out, t->accounts, t->n_accounts * sizeof(*t->accounts));
	buf_add(out, t->keys, t->n_keys * sizeof(*t->keys));
	buf_add(out, t->dice_keys, t->n_dice_keys * sizeof(*t->dice_keys));
	buf_add(out, t->entrants, t->n_entrants * sizeof(*t->entrants));
	buf_add(out, t->games, t->n_games * sizeof(*t->games));
	buf_add(out, t->protests, t->n_protests * sizeof(*t->protests));
	buf_add(out, t->rulings, t->n_rulings * sizeof(*t->rulings));
	for (i = 0; i < t->n_rounds; i++) {
		rd = &t->rounds[i];
		buf_add(out, rd, sizeof(*rd));
		buf_add(out, rd->tables, rd->n_tables * sizeof(*rd->tables));
	}
	FUZZ_MUST(buf_error(out) == 0);
}

/* What was taken is there; what was refused has left no trace. */
static void
fuzz_tournament_after(struct fuzz_tournament *f, int r)
{
	const uint8_t hash[HASH_LEN] = {0};
	struct buf now;

	FUZZ_MUST(r == 0 || r == ERR_ILLEGAL || r == ERR_STALE ||
	    r == ERR_NEWER || r == ERR_MISSING || r == ERR_INVALID ||
	    r == ERR_MALFORMED);
	if (r == 0) {
		tournament_advance(f->t, f->t->at_ms, hash);
		fuzz_tournament_state(f->t, &f->state);
		return;
	}
	buf_init(&now, 0);
	fuzz_tournament_state(f->t, &now);
	FUZZ_MUST(now.len == f->state.len &&
	    memcmp(now.data, f->state.data, now.len) == 0);
	buf_clear(&now);
}

/* Gives a check-in the proof that is called for. */
static void
fuzz_tournament_own(const struct fuzz_tournament *f, struct entry *o)
{
	uint8_t alpha[sizeof("umpire/own/1") + HASH_LEN], beta[VRF_BETA_LEN];
	struct vrf_key k;

	if (!o->has_own || o->place == NULL || f->t == NULL)
		return;
	memcpy(alpha, "umpire/own/1", sizeof("umpire/own/1"));
	if (game_base(tournament_id(f->t), f->t->pool, o->place,
		alpha + sizeof("umpire/own/1")) != 0)
		return;
	fuzz_tournament_key(o->by, &k);
	FUZZ_MUST(vrf_prove(&k, alpha, sizeof(alpha), o->own, beta) == 0);
	vrf_key_clear(&k);
}

/* A key that may sign an order: the author's, or the one that it brings. */
static void
fuzz_tournament_signer(const struct fuzz_tournament *f, const struct entry *o,
    uint8_t key[SIGN_KEY_LEN])
{
	const struct tournament_account *a =
	    f->t == NULL ? NULL : tournament_author(f->t, o);
	const json_t *from = o->args;

	memset(key, 0, SIGN_KEY_LEN);
	if (a != NULL) {
		memcpy(key, a->keys.keys[0], SIGN_KEY_LEN);
		return;
	}
	if (o->kind == ENTRY_CREATE)
		from = json_object_get(o->args, "director");
	if (js_get_hex(from, "key", NULL, key, SIGN_KEY_LEN, NULL) != 0)
		memset(key, 0, SIGN_KEY_LEN);
}

/* Opens a tournament; what it continues is then what was there. */
static void
fuzz_tournament_create(struct fuzz_tournament *f, struct tournament_line *l)
{
	struct terms terms;
	int r;

	if (f->old != NULL && terms_parse(l->o, &terms, NULL) == 0 &&
	    terms.has_continues) {
		memcpy(f->old->create.tournament, terms.continues.tournament,
		    HASH_LEN);
		memcpy(f->old->create.server, terms.continues.server,
		    SIGN_KEY_LEN);
		memcpy(f->old->head, terms.continues.line, HASH_LEN);
		f->old->seq = terms.continues.seq;
	}
	l->before = f->old;
	if ((r = tournament_create(l, &f->t)) != 0)
		return;
	/* It is taken over by one that continues it alone. */
	if (tournament_former(f->t) == NULL)
		tournament_free(f->old);
	f->old = NULL;
	fuzz_tournament_after(f, r);
}

/* Says an order. */
static void
fuzz_tournament_order(struct fuzz_tournament *f, int64_t at_ms,
    const char *text, size_t len, struct tournament_line *l)
{
	const struct game_dice dice = {fuzz_tournament_prove_cb, f};
	uint8_t key[SIGN_KEY_LEN];
	struct entry o;

	if (entry_parse(text, len, &o, l->e) != 0)
		return;
	o.at_ms = at_ms;
	fuzz_tournament_own(f, &o);
	fuzz_tournament_signer(f, &o, key);
	l->o = &o;
	l->key = key;
	l->dice = &dice;
	if (f->t != NULL)
		fuzz_tournament_after(f, tournament_take(f->t, l));
	else
		fuzz_tournament_create(f, l);
	entry_clear(&o);
}

/* Says a line of the server. */
static void
fuzz_tournament_server(struct fuzz_tournament *f, const char *text, size_t len,
    struct tournament_line *l)
{
	const char *space = memchr(text, ' ', len);
	char what[32] = "";
	json_t *data;

	if (space == NULL || (size_t)(space - text) >= sizeof(what))
		return;
	memcpy(what, text, (size_t)(space - text));
	len -= (size_t)(space + 1 - text);
	if (js_load(space + 1, len, JS_DEPTH_RECORD - 1, &data, NULL) != 0)
		return;
	if (json_is_object(data))
		fuzz_tournament_after(
		    f, tournament_take_server(f->t, what, data, l));
	json_decref(data);
}

/* Says a key statement. */
static void
fuzz_tournament_statement(struct fuzz_tournament *f, const char *text,
    size_t len, struct tournament_line *l)
{
	const struct tournament_account *a;
	uint8_t key[SIGN_KEY_LEN] = {0};
	struct statement s;

	if (statement_parse(text, len, &s, NULL) != 0)
		return;
	if ((a = tournament_account_find(f->t, s.account)) != NULL)
		memcpy(key, a->keys.keys[0], SIGN_KEY_LEN);
	fuzz_tournament_after(
	    f, tournament_take_key(f->t, s.account, &s, key, l));
	statement_clear(&s);
}

/* Says one line. */
static void
fuzz_tournament_line(struct fuzz_tournament *f, const char *p, size_t len)
{
	const struct tournament_games games = {.look = fuzz_tournament_look_cb};
	struct errinfo e = {.where = ""};
	struct tournament_effects fx = {0};
	struct tournament_line l = {.games = &games, .fx = &fx, .e = &e};
	int64_t at_ms;

	if (len > 2 && p[0] == '~' && p[1] == ' ') {
		json_decref(f->given);
		f->given = NULL;
		if (js_load(p + 2, len - 2, JS_DEPTH_RECORD - 1, &f->given,
			NULL) != 0)
			f->given = NULL;
		return;
	}
	if (len == 1 && p[0] == '^' && f->t != NULL) {
		tournament_free(f->old);
		f->old = f->t;
		f->t = NULL;
		return;
	}
	l.given = f->given;
	if (len > 2 && p[0] == '@' && p[1] == ' ' && f->t != NULL) {
		l.at_ms = tournament_at_ms(f->t);
		fuzz_tournament_statement(f, p + 2, len - 2, &l);
	} else if (len > FUZZ_TIME_LEN + 1 && p[FUZZ_TIME_LEN] == ' ' &&
	    clock_parse(p, FUZZ_TIME_LEN, &at_ms) == 0 &&
	    (f->t == NULL || at_ms >= tournament_at_ms(f->t))) {
		l.at_ms = at_ms;
		p += FUZZ_TIME_LEN + 1;
		len -= FUZZ_TIME_LEN + 1;
		if (p[0] == '{')
			fuzz_tournament_order(f, at_ms, p, len, &l);
		else if (f->t != NULL)
			fuzz_tournament_server(f, p, len, &l);
	}
	tournament_effects_clear(&fx);
	json_decref(f->given);
	f->given = NULL;
}

/* Says all lines, and looks at what has become of it. */
static void
fuzz_tournament_said(const char *p, const char *end)
{
	struct fuzz_tournament f = {.t = NULL};
	struct record_span s;
	struct buf view;
	int n = 0;

	fuzz_tournament_key("server", &f.dice);
	buf_init(&f.state, 0);
	while (n++ < FUZZ_TOURNAMENT_LINES && record_next(&p, end, &s))
		fuzz_tournament_line(&f, s.bytes, s.len);
	if (f.t != NULL) {
		buf_init(&view, 0);
		FUZZ_MUST(tournament_view(f.t, &view) == 0);
		buf_clear(&view);
	}
	tournament_free(f.t);
	tournament_free(f.old);
	json_decref(f.given);
	buf_clear(&f.state);
	vrf_key_clear(&f.dice);
}

/* Judges a file without its games, by two ways to have none. */
static void
fuzz_tournament_judge(const char *bytes, size_t len)
{
	struct verify_tournament_options opt = {
	    .head_seq = -1, .games.read = fuzz_tournament_read_cb};
	struct verify_former_record all = {bytes, len};
	struct verify_tournament_report rep;
	struct verify_former_set set;
	struct record_line ln;
	struct tournament *t;
	struct errinfo e;
	struct entry o;
	int r;

	if (verify_former_split(bytes, len, &set) != 0)
		set.n = 0;
	else if (set.n > 0)
		all = set.records[0];
	for (opt.no_games = false;; opt.no_games = true) {
		t = NULL;
		r = verify_former_bytes(
		    all.bytes, all.len, &set, &opt, &rep, &t, &e);
		FUZZ_MUST(r == 0 || r == ERR_BAD);
		FUZZ_MUST(r == 0 || len == 0 || rep.file_line > 0);
		FUZZ_MUST(r != 0 || rep.lines > 0);
		tournament_free(t);
		if (opt.no_games)
			break;
	}
	if (record_parse_tournament(bytes, len, &ln, &e) == 0)
		record_clear(&ln);
	if (entry_parse(bytes, len, &o, &e) == 0)
		entry_clear(&o);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *p = (const char *)data;

	if (size > 1 && p[0] == '!' && p[1] == '\n')
		fuzz_tournament_said(p + 2, p + size);
	else
		fuzz_tournament_judge(p, size);
	return (0);
}
