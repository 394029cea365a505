/* SPDX-License-Identifier: ISC */
/*
 * A line is taken by the function that let it be written, and must then be the
 * next of its chain, name its tournament and give what it says.  Signatures and
 * marks were checked when it was written; umpire verify checks them again.
 */
#include "server/store/kept_tournament.h"

#include <string.h>

#include "common/base/hex.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/statement.h"
#include "common/tournament/tournament.h"
#include "server/store/kept_former.h"
#include "server/store/store_tournament.h"

/* A tournament being made. */
struct kept_tournament {
	const uint8_t *id;
	struct store *st;
	struct tournament *t; /* NULL before the first line */
	/* Owned: that line 0 continues; NULL: it is looked for. */
	struct tournament *old;
	const struct record_line *ln;
	bool trusts;
	struct errinfo *e;
};

/* game_dice: the proof that the line has, checked. */
static int
kept_tournament_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct kept_tournament *k = arg;
	const json_t *s = json_object_get(k->ln->dice, "proof");

	if (!json_is_string(s) ||
	    hex_parse(proof, VRF_PROOF_LEN, json_string_value(s),
		json_string_length(s)) != 0)
		return (ERR_BAD);
	return (vrf_check(
	    tournament_terms(k->t)->set.server_dice, alpha, n, proof, beta));
}

/* tournament_games: none is at hand. */
static int
kept_tournament_look_cb(void *arg, const uint8_t game[HASH_LEN], int64_t seq,
    struct tournament_look *look, struct errinfo *e)
{
	(void)arg;
	(void)game;
	(void)seq;
	(void)look;
	return (err_set(e, ERR_MISSING, "", "games are not looked at"));
}

/* Opens the tournament by its first line, and what it continues before it. */
static int
kept_tournament_open(struct kept_tournament *k, struct tournament_line *l)
{
	struct errinfo *e = k->e;
	struct terms terms;
	int r;

	if ((r = terms_parse(l->o, &terms, e)) != 0)
		return (r);
	if (terms.has_continues && k->old == NULL &&
	    (r = kept_tournament_former(k->st, &terms.continues, &k->old, e)) !=
		0)
		return (r != ERR_NOTFOUND
			? r
			: err_set(e, ERR_BAD, "",
			      "the tournament that it continues is not kept"));
	l->before = k->old;
	if ((r = tournament_create(l, &k->t)) == 0)
		k->old = NULL;
	return (r);
}

/* Takes the order of a line. */
static int
kept_tournament_order(
    struct kept_tournament *k, const struct tournament_line *with)
{
	const struct record_line *ln = k->ln;
	struct tournament_line l = *with;
	struct entry o;
	int r;

	if ((r = entry_parse(ln->text, ln->text_len, &o, k->e)) != 0)
		return (r);
	o.at_ms = ln->at_ms;
	l.o = &o;
	l.key = ln->key;
	if (k->t == NULL)
		r = kept_tournament_open(k, &l);
	else
		r = tournament_take(k->t, &l);
	entry_clear(&o);
	return (r);
}

/* Takes the statement of a line. */
static int
kept_tournament_key(struct kept_tournament *k, const struct tournament_line *l)
{
	struct statement s;
	int r;

	r = statement_parse(k->ln->text, k->ln->text_len, &s, k->e);
	if (r != 0)
		return (r);
	r = tournament_take_key(k->t, k->ln->by, &s, k->ln->key, l);
	statement_clear(&s);
	return (r);
}

/* Takes a line that was read. */
static int
kept_tournament_take(struct kept_tournament *k)
{
	const struct record_line *ln = k->ln;
	const struct game_dice dice = {kept_tournament_prove_cb, k};
	const struct tournament_games games = {kept_tournament_look_cb, k};
	struct tournament_effects fx = {0};
	const struct tournament_line l = {.dice = &dice,
	    .games = &games,
	    .at_ms = ln->at_ms,
	    .given = ln->events,
	    .paired = k->trusts ? tournament_told_pairing(ln->events) : NULL,
	    .fx = &fx,
	    .e = k->e};
	int r;

	if (ln->kind == RECORD_ORDER)
		r = kept_tournament_order(k, &l);
	else if (ln->kind == RECORD_KEY)
		r = kept_tournament_key(k, &l);
	else
		r = tournament_take_server(k->t, ln->what, ln->data, &l);
	if (r == 0 && fx.events != NULL && !json_equal(fx.events, ln->events))
		r = err_set(k->e, ERR_BAD, "",
		    "its events are not what the lines before give");
	tournament_effects_clear(&fx);
	if (r == 0)
		tournament_advance(k->t, ln->at_ms, ln->hash);
	return (r);
}

/* Takes one line of the store. */
static int
kept_tournament_line_cb(void *arg, int64_t seq, const char *bytes, size_t len)
{
	static const uint8_t zeros[HASH_LEN];
	struct kept_tournament *k = arg;
	struct record_line ln;
	int r;

	if ((r = record_parse_tournament(bytes, len, &ln, k->e)) != 0)
		return (r);
	k->ln = &ln;
	if (ln.seq != seq || memcmp(ln.game, k->id, HASH_LEN) != 0 ||
	    ln.seq != (k->t == NULL ? 0 : tournament_seq(k->t) + 1) ||
	    memcmp(ln.prev, k->t == NULL ? zeros : tournament_head(k->t),
		HASH_LEN) != 0)
		r = err_set(k->e, ERR_BAD, "",
		    "it does not follow upon the line before");
	else
		r = kept_tournament_take(k);
	if (r != 0 && r != ERR_NOMEM)
		r = err_set(k->e, ERR_BAD, "", "line %lld: %s", (long long)seq,
		    k->e->text[0] == '\0' ? err_text(r) : k->e->text);
	record_clear(&ln);
	return (r);
}

int
kept_tournament(struct store *st, const struct store_tournament_row *row,
    bool trusts, struct tournament **t, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	struct kept_tournament k = {
	    .id = row->id, .st = st, .t = *t, .trusts = trusts, .e = &why};
	int r;

	r = store_tournament_each(st, row->tid,
	    k.t == NULL ? 0 : tournament_seq(k.t) + 1, row->seq,
	    kept_tournament_line_cb, &k);
	if (r == 0 && (k.t == NULL || tournament_seq(k.t) != row->seq))
		r = err_set(&why, ERR_BAD, "", "lines of it are missing");
	*t = r == 0 ? k.t : NULL;
	tournament_free(k.old);
	if (r == 0)
		return (0);
	tournament_free(k.t);
	if (r == ERR_BAD && e != NULL)
		*e = why;
	return (r);
}

int
kept_tournament_former(struct store *st, const struct terms_continues *c,
    struct tournament **old, struct errinfo *e)
{
	struct store_former_row rows[VERIFY_FORMER_MAX];
	struct kept_tournament k = {.st = st, .trusts = true, .e = e};
	size_t n;
	int r;

	r = kept_former_find(st, c, rows, &n);
	/* From the oldest on, each upon the one before it. */
	while (r == 0 && n > 0) {
		n--;
		k.id = rows[n].id;
		k.old = k.t;
		k.t = NULL;
		r = store_former_each(st, rows[n].fid, 0, rows[n].seq,
		    kept_tournament_line_cb, &k);
		if (r == 0 &&
		    (k.t == NULL || tournament_seq(k.t) != rows[n].seq))
			r = err_set(e, ERR_BAD, "", "lines of it are missing");
		if (r == 0 && k.old != NULL)
			r = err_set(
			    e, ERR_BAD, "", "it continues nothing, or another");
	}
	tournament_free(k.old);
	if (r == 0)
		*old = k.t;
	else
		tournament_free(k.t);
	return (r);
}
