/* SPDX-License-Identifier: ISC */
/*
 * Lines of a tournament that come back (record S21.3), as those of a game do
 * (ledger_heal.c).  Its games are not looked at, since they come after it: what
 * they came to is taken as the lines say it, which have this server's mark; and
 * so are rounds of a Swiss, which take long to be paired.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/hex.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/tournament/verify_tournament.h"
#include "server/ledger/ledger_heal.h"
#include "server/ledger/ledger_int.h"
#include "server/store/kept_tournament.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* Keeps a text that came and that lines name. */
static int
ledger_heal_tournament_text(
    struct ledger_heal *h, const uint8_t ref[HASH_LEN], const json_t *v)
{
	struct record_side s;
	int r;

	r = record_side_parse(
	    json_string_value(v), json_string_length(v), &s, NULL);
	if (r != 0)
		return (r);
	r = store_tournament_text(
	    h->l->store, h->row.gid, ref, s.salt, s.value, s.len);
	record_side_clear(&s);
	return (r);
}

/* Makes a row for one that is gone, of which line 0 was read. */
static int
ledger_heal_tournament_open(struct ledger_heal *h, const struct tournament *t)
{
	struct store_tournament_row row;
	int r;

	ledger_tournament_row(t, &row);
	r = store_tournament_insert(h->l->store, &row, &h->row.gid);
	h->row.is_private = row.is_private;
	return (r);
}

/* Makes sure of the account that comes by an order. */
static int
ledger_heal_tournament_comer(
    struct ledger_heal *h, const struct tournament *t, const struct entry *o)
{
	struct errinfo *e = &h->job->e;
	struct order_join j;
	int r;

	if (o->kind == ENTRY_CREATE)
		return (ledger_heal_account(
		    h, &tournament_terms(t)->director, o->at_ms));
	if (o->kind == ENTRY_DEPUTY)
		r = order_account_parse(o->args, &order_at_args, &j, e);
	else if (o->kind == ENTRY_ENTER)
		r = order_player_parse(o->args, &order_at_args, &j, e);
	else
		return (0);
	if (r == 0)
		r = ledger_heal_account(h, &j, o->at_ms);
	return (r != 0 ? r
		       : store_tournament_enter(h->l->store, h->row.gid, o->by,
			     tournament_number(t, o->by)));
}

/* Stores what an order's line names, and who comes by it. */
static int
ledger_heal_tournament_order(struct ledger_heal *h, const struct tournament *t,
    const struct entry *o, int64_t seq, const char *given)
{
	struct ledger *l = h->l;
	int r;

	if ((r = ledger_heal_tournament_comer(h, t, o)) != 0 ||
	    (r = ledger_entry_name(
		 l, h->row.gid, seq, tournament_terms(t), o)) != 0)
		return (r);
	return (given == NULL ? 0 : ledger_entry_rekey(l, h->slot, t, given));
}

/* Stores what a line of the server names: a text, or a game that is here. */
static int
ledger_heal_tournament_server(
    struct ledger_heal *h, const struct record_line *ln)
{
	struct store *st = h->l->store;
	struct store_game_row row;
	uint8_t hash[HASH_LEN];
	bool has;
	int r;

	if (js_opt_hex(ln->data, "why", NULL, hash, HASH_LEN, &has, NULL) ==
		0 &&
	    has)
		return (store_tournament_name(
		    st, h->row.gid, ln->seq, false, hash));
	if (strcmp(ln->what, "game") != 0)
		return (0);
	if ((r = js_get_hex(ln->data, "game", NULL, hash, HASH_LEN, NULL)) != 0)
		return (r);
	r = store_game_find(st, hash, &row);
	return (r == ERR_NOTFOUND ? 0
		: r != 0          ? r
			 : store_tournament_game(st, h->row.gid, row.gid,
			       (int)js_int(ln->data, "round"),
			       (int)js_int(ln->data, "table"),
			       (int)js_int(ln->data, "leg")));
}

/* Stores a line that was verified, and what it names. */
static int
ledger_heal_tournament_put(struct ledger_heal *h, const struct tournament *t,
    const struct record_line *ln, const struct entry *o, const char *given,
    const char *bytes, size_t len)
{
	struct store_tournament_line line = {
	    .seq = ln->seq, .bytes = bytes, .len = len};
	struct ledger_more *more;
	int r;

	if (ln->seq == 0 && (r = ledger_heal_tournament_open(h, t)) != 0)
		return (r);
	line.tid = h->row.gid;
	memcpy(line.hash, ln->hash, HASH_LEN);
	if (o != NULL) {
		line.oid = o->oid;
		line.account = o->by;
		line.nonce = o->nonce;
	}
	if ((r = store_tournament_line(h->l->store, &line)) != 0)
		return (r);
	r = o != NULL ? ledger_heal_tournament_order(h, t, o, ln->seq, given)
	    : ln->kind == RECORD_KEY ? ledger_heal_statement(h, ln)
				     : ledger_heal_tournament_server(h, ln);
	if (r != 0)
		return (r);
	if ((more = ledger_server_more(h->slot)) == NULL)
		return (ERR_NOMEM);
	more->is_tournament = true;
	memcpy(more->game, ln->game, HASH_LEN);
	more->seq = ln->seq;
	buf_add(&more->line, bytes, len);
	return (buf_error(&more->line));
}

/* Whose key an order makes that of the operator's line that it accepts; NULL.
 */
static const char *
ledger_heal_tournament_given(const struct tournament *t, const struct entry *o)
{
	const json_t *v;

	if (t == NULL || o->kind != ENTRY_RULING)
		return (NULL);
	v = json_object_get(o->args, "accept");
	return (json_is_integer(v)
		? tournament_proposed(t, json_integer_value(v))
		: NULL);
}

/* Finds what it continues, by its line 0, which is an order if it is any. */
static int
ledger_heal_tournament_former(
    struct ledger_heal *h, struct verify_tournament *v, const struct entry *o)
{
	struct errinfo *e = &h->job->e;
	struct tournament *old;
	struct terms terms;
	int r;

	if (o == NULL || o->kind != ENTRY_CREATE ||
	    terms_parse(o, &terms, NULL) != 0 || !terms.has_continues)
		return (0); /* what is wrong with it is found next */
	r = kept_tournament_former(h->l->store, &terms.continues, &old, e);
	if (r == 0)
		verify_tournament_continue(v, old);
	return (r != ERR_NOTFOUND
		? r
		: err_set(e, ERR_MISSING, "lines",
		      "it continues a tournament whose record is not here; "
		      "send it with tournament.former first"));
}

/* Verifies and stores one line. */
static int
ledger_heal_tournament_take(
    struct ledger_heal *h, struct verify_tournament *v, size_t i)
{
	struct errinfo *e = &h->job->e;
	struct errinfo why = {.text = ""};
	char given[ORDER_ACCOUNT_MAX + 1] = "";
	const char *line, *name = NULL;
	struct record_line ln;
	struct entry o;
	bool is_order;
	size_t len;
	int r;

	line = ledger_heal_line(h, i, &len);
	if ((r = ledger_heal_parse(h, line, len, &ln, e)) != 0)
		return (r);
	is_order = ln.kind == RECORD_ORDER;
	if (is_order && (r = entry_parse(ln.text, ln.text_len, &o, e)) != 0) {
		record_clear(&ln);
		return (r);
	}
	if (is_order) {
		o.at_ms = ln.at_ms;
		name = ledger_heal_tournament_given(
		    verify_tournament_state(v), &o);
		if (name != NULL)
			memcpy(given, name, strlen(name) + 1);
	}
	if (ln.seq == 0 &&
	    (r = ledger_heal_tournament_former(h, v, is_order ? &o : NULL)) !=
		0)
		goto out;
	r = verify_tournament_add(v, line, len, &why);
	if (r == 0 && verify_tournament_state(v) == NULL)
		r = err_set(
		    &why, ERR_MISSING, "", "this umpired is too old for it");
	if (r != 0 && r != ERR_NOMEM) {
		r = r == ERR_MISSING ? r : ERR_ILLEGAL;
		(void)err_set(e, r, "lines", "line %" PRId64 ": %s%s%.120s",
		    ln.seq, why.where, why.where[0] == '\0' ? "" : ": ",
		    why.text);
	}
	if (r == 0)
		r = ledger_heal_tournament_put(h, verify_tournament_state(v),
		    &ln, is_order ? &o : NULL, name == NULL ? NULL : given,
		    line, len);
	h->job->added += r == 0;
out:
	if (is_order)
		entry_clear(&o);
	record_clear(&ln);
	return (r);
}

/* Goes on from the state that is here. */
static int
ledger_heal_tournament_begin(struct ledger_heal *h, struct verify_tournament *v)
{
	struct ledger_tournament *lt;
	struct tournament *t;
	struct buf hashes;
	size_t len, n;
	int r;

	if (h->row.gid < 0)
		return (0);
	r = ledger_tournament_get(h->l, h->job->game, &lt, &h->job->e);
	if (r != 0)
		return (r);
	buf_init(&hashes, 0);
	r = store_tournament_hashes(h->l->store, h->row.gid, &hashes);
	n = hashes.len / HASH_LEN;
	if (r == 0 && n != (size_t)tournament_seq(lt->t) + 1)
		r = ERR_STORAGE;
	if (r == 0) {
		t = lt->t;
		lt->t = NULL;
		ledger_tournament_drop(h->l, lt);
		verify_tournament_resume(v, t,
		    (uint8_t(*)[HASH_LEN])(void *)buf_take(&hashes, &len), n);
	}
	buf_clear(&hashes);
	return (r);
}

/*
 * Whether the account may bring lines of it: of a private one those may who are
 * here as the lines leave it.
 */
static int
ledger_heal_tournament_admit(
    const struct ledger_heal *h, const struct tournament *t)
{
	return (tournament_terms(t)->set.is_private &&
		    !tournament_is_here(t, h->job->account)
		? ERR_NOTFOUND
		: 0);
}

/* Verifies and stores all lines that are new. */
static int
ledger_heal_tournament_lines(struct ledger_heal *h)
{
	struct store_tournament_row row;
	struct ledger_tournament *lt;
	struct verify_tournament *v;
	struct tournament *t;
	size_t i;
	int r;

	r = verify_tournament_new(h->l->conf.identity->public_key, &v);
	if (r != 0)
		return (r);
	/* All games wait for this thread, and the lines have our mark. */
	verify_tournament_trust(v, true);
	r = ledger_heal_tournament_begin(h, v);
	for (i = h->first; r == 0 && i < json_array_size(h->job->lines); i++)
		r = ledger_heal_tournament_take(h, v, i);
	t = r == 0 ? verify_tournament_take_state(v) : NULL;
	verify_tournament_free(v);
	if (r != 0)
		return (r);
	if ((r = ledger_heal_tournament_admit(h, t)) != 0) {
		tournament_free(t);
		return (r);
	}
	ledger_tournament_row(t, &row);
	row.tid = h->row.gid;
	r = store_tournament_update(h->l->store, &row);
	if (r != 0)
		tournament_free(t);
	return (r == 0 ? ledger_tournament_put(h->l, row.tid, t, &lt) : r);
}

/* Lets the new lines in, and what follows from them. */
static int
ledger_heal_tournament_add(struct ledger_heal *h)
{
	const uint8_t *id = h->job->game;
	const bool is_expected = ledger_recovery_find(h->l, id) != NULL;
	const bool was_gone = h->row.gid < 0;
	int r;

	if ((r = ledger_heal_tournament_lines(h)) != 0)
		return (r);
	if (!is_expected && (r = ledger_recovery_all(h->l)) != 0)
		return (r);
	return (
	    was_gone ? ledger_recovery_back(h->l, id, true, h->row.gid) : 0);
}

/* Keeps texts that lines name; others, and those that were erased, it lets be.
 */
static int
ledger_heal_tournament_texts(struct ledger_heal *h)
{
	char author[ORDER_ACCOUNT_MAX + 1];
	struct store *st = h->l->store;
	uint8_t ref[HASH_LEN];
	const char *hex;
	int64_t seq;
	json_t *v;
	int r;

	json_object_foreach(h->texts, hex, v)
	{
		if (hex_parse(ref, HASH_LEN, hex, strlen(hex)) != 0)
			continue;
		r = store_tournament_author(st, h->row.gid, ref, &seq, author);
		if (r == ERR_NOTFOUND)
			continue; /* nobody names it */
		if (r == 0)
			r = ledger_heal_tournament_text(h, ref, v);
		if (r != 0)
			return (r);
	}
	return (0);
}

int
ledger_heal_tournament(struct ledger_heal *h)
{
	struct ledger_job *job = h->job;
	struct ledger_tournament *lt;
	int r;

	if ((r = ledger_heal_read_side(h)) != 0 ||
	    (r = ledger_heal_compare(h)) != 0)
		return (r);
	if (h->first < json_array_size(job->lines)) {
		if ((r = ledger_heal_tournament_add(h)) != 0)
			return (r);
	} else if (h->row.gid < 0 || h->is_hidden) {
		return (ERR_NOTFOUND);
	}
	if ((r = ledger_heal_tournament_texts(h)) != 0 ||
	    (r = ledger_recovery_settle_one(h->l, h->slot, job->game)) != 0 ||
	    (r = ledger_tournament_get(h->l, job->game, &lt, &job->e)) != 0)
		return (r);
	job->is_recovering = ledger_recovery_find(h->l, job->game) != NULL;
	job->seq = job->head_seq = tournament_seq(lt->t);
	memcpy(job->head, tournament_head(lt->t), HASH_LEN);
	return (0);
}
