/* SPDX-License-Identifier: ISC */
/*
 * One order to a tournament, in the order of checks that record S5 gives; as
 * with an order to a game (ledger_order.c), whatever fails after the dice is
 * the server's failure, never an answer.
 */
#include <stdio.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "common/record/statement.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/store/kept_former.h"
#include "server/store/kept_tournament.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* An order on its way into the record. */
struct ledger_entry {
	struct ledger *l;
	struct ledger_slot *slot;
	struct ledger_job *job;
	struct ledger_tournament *lt; /* NULL before there is one */
	struct tournament_effects fx;
	const char *given; /* who has the key that a ruling accepts; NULL */
};

/* Signs the final refusal and gives r, its reason. */
static int
ledger_entry_refuse(struct ledger_entry *le, int r)
{
	struct ledger_job *job = le->job;
	const char *why = r == ERR_STALE ? "stale"
	    : r == ERR_NONCE             ? "nonce-used"
					 : "illegal";
	int failed;

	buf_reset(&job->refusal);
	record_write_refusal(&job->refusal, RECORD_OF_TOURNAMENT,
	    job->entry.oid, job->entry.tournament, why, job->head_seq,
	    job->head, clock_wall_ms());
	failed = buf_error(&job->refusal);
	if (failed == 0)
		failed = sign_make(le->l->conf.identity, SIGN_TAG_REFUSAL,
		    job->refusal.data, job->refusal.len, job->refusal_sig);
	return (failed != 0 ? failed : r);
}

/* game_dice: the server's proof over alpha. */
static int
ledger_entry_prove_cb(void *arg, const uint8_t *alpha, size_t n,
    uint8_t proof[VRF_PROOF_LEN], uint8_t beta[VRF_BETA_LEN])
{
	const struct ledger_entry *le = arg;

	return (vrf_prove(le->l->conf.dice, alpha, n, proof, beta));
}

/* The ref that an order names; false if it names none. */
static bool
ledger_entry_ref(const struct entry *o, uint8_t ref[HASH_LEN])
{
	const char *member = entry_kind_row(o->kind)->text;
	bool has;

	return (member != NULL &&
	    js_opt_hex(o->args, member, NULL, ref, HASH_LEN, &has, NULL) == 0 &&
	    has);
}

/* Checks that the texts sent and those named are the same. */
static int
ledger_entry_check_text(struct ledger_entry *le)
{
	struct ledger_job *job = le->job;
	uint8_t ref[HASH_LEN];
	bool is_named;
	size_t i;
	int r;

	is_named = ledger_entry_ref(&job->entry, ref);
	for (i = 0; i < job->n_texts; i++) {
		r = ledger_text_check_sent(job, i, is_named ? ref : NULL);
		if (r != 0)
			return (r);
	}
	if (!is_named || job->n_texts > 0)
		return (0);
	r = store_tournament_find_text(le->l->store, le->lt->tid, ref);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_MISSING, "texts",
		    "the order names a text that was not sent with it"));
	return (r == 0 ? 0 : ledger_fault(le->l, r, "find a text"));
}

/*
 * Calls each for the blobs that the terms name, until it returns non-zero,
 * which is then returned.
 */
static int
ledger_entry_each_blob(const struct terms *terms,
    int (*each)(void *arg, const uint8_t hash[HASH_LEN]), void *arg)
{
	const struct terms_scenario *s;
	uint8_t hash[HASH_LEN];
	const json_t *v;
	size_t i, k;
	int r;

	for (i = 0; i < terms->n_scenarios; i++) {
		s = &terms->scenarios[i];
		if (json_is_string(s->roster) &&
		    hex_parse(hash, HASH_LEN, json_string_value(s->roster),
			json_string_length(s->roster)) == 0 &&
		    (r = each(arg, hash)) != 0)
			return (r);
		json_array_foreach(s->tables, k, v)
		{
			if (js_element_hex(s->tables, k, hash, HASH_LEN) == 0 &&
			    (r = each(arg, hash)) != 0)
				return (r);
		}
	}
	return (0);
}

/* Checks that a blob is here for who opens the tournament. */
static int
ledger_entry_check_blob_cb(void *arg, const uint8_t hash[HASH_LEN])
{
	const struct ledger_entry *le = arg;

	return (ledger_text_check_blob(le->l, le->job, hash));
}

/* Whose blobs are noted. */
struct ledger_entry_blobs {
	struct ledger *l;
	int64_t tid;
};

/* Notes that line 0 names a blob. */
static int
ledger_entry_blob_cb(void *arg, const uint8_t hash[HASH_LEN])
{
	const struct ledger_entry_blobs *b = arg;

	return (store_tournament_name(b->l->store, b->tid, 0, true, hash));
}

int
ledger_entry_accounts(struct ledger *l, const struct ledger_tournament *lt)
{
	const struct terms *terms = tournament_terms(lt->t);
	const char *name;
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < tournament_accounts(lt->t); i++) {
		name = tournament_nth_account(lt->t, i);
		/* A name of another server may be somebody else's here. */
		if (!tournament_is_here(lt->t, name))
			continue;
		r = store_tournament_enter(
		    l->store, lt->tid, name, tournament_number(lt->t, name));
	}
	for (i = 0; r == 0 && i < terms->n_deputies; i++)
		r = store_tournament_enter(
		    l->store, lt->tid, terms->deputies[i], 0);
	return (r);
}

int
ledger_entry_rekey(struct ledger *l, struct ledger_slot *slot,
    const struct tournament *t, const char *account)
{
	const struct statement_keys *keys = tournament_keys(t, account);
	struct statement_keys had;
	int r;

	r = store_account_keys(l->store, account, &had);
	/* What it has stated since is not undone by that. */
	if (keys == NULL || r == ERR_NOTFOUND || (r == 0 && had.n > keys->n))
		return (0);
	if (r == 0)
		r = store_account_prove(
		    l->store, account, keys, tournament_at_ms(t));
	if (r == ERR_EXISTS) {
		log_errorx("the key that \"%s\" has by an operator's word is "
			   "another account's",
		    account);
		return (0);
	}
	if (r != 0)
		return (r);
	slot->is_rekeyed = true;
	memcpy(slot->rekeyed, account, strlen(account) + 1);
	return (0);
}

/* Notes what a tournament goes back to. */
static int
ledger_entry_goes_back(struct ledger *l, int64_t tid, const struct terms *terms)
{
	struct store_former_row rows[VERIFY_FORMER_MAX];
	size_t i, n;
	int r;

	if (!terms->has_continues)
		return (0);
	r = kept_former_find(l->store, &terms->continues, rows, &n);
	for (i = 0; r == 0 && i < n; i++)
		r = store_former_name(l->store, tid, rows[i].fid);
	return (r);
}

int
ledger_entry_name(struct ledger *l, int64_t tid, int64_t seq,
    const struct terms *terms, const struct entry *o)
{
	struct ledger_entry_blobs blobs = {l, tid};
	uint8_t ref[HASH_LEN];
	const char *witness;
	int r = 0;

	if (o->kind == ENTRY_CREATE) {
		r = ledger_entry_goes_back(l, tid, terms);
		return (r != 0 ? r
			       : ledger_entry_each_blob(
				     terms, ledger_entry_blob_cb, &blobs));
	}
	witness = js_str(json_object_get(o->args, "witness"), "account");
	if (o->kind == ENTRY_RULING && witness != NULL)
		r = store_tournament_enter(l->store, tid, witness, 0);
	if (r != 0 || !ledger_entry_ref(o, ref))
		return (r);
	return (store_tournament_name(l->store, tid, seq, false, ref));
}

/* Stores the texts sent, what the line names, and who is here by it. */
static int
ledger_entry_write_side(struct ledger_entry *le)
{
	const struct ledger_job *job = le->job;
	const struct entry *o = &job->entry;
	const struct tournament *tour = le->lt->t;
	struct store *st = le->l->store;
	const struct ledger_text *t;
	size_t i;
	int r = 0;

	for (i = 0; i < job->n_texts; i++) {
		t = &job->texts[i];
		r = store_tournament_text(
		    st, le->lt->tid, t->ref, t->salt, t->value, t->len);
		if (r != 0)
			return (r);
	}
	r = ledger_entry_name(
	    le->l, le->lt->tid, job->seq, tournament_terms(tour), o);
	if (r == 0 && o->kind == ENTRY_CREATE)
		r = ledger_entry_accounts(le->l, le->lt);
	if (r == 0 && le->given != NULL)
		r = ledger_entry_rekey(le->l, le->slot, tour, le->given);
	if (r == 0 && (o->kind == ENTRY_ENTER || o->kind == ENTRY_DEPUTY))
		r = store_tournament_enter(
		    st, le->lt->tid, o->by, tournament_number(tour, o->by));
	return (r);
}

/* Stores all of an order that was taken. */
static int
ledger_entry_write(struct ledger_entry *le)
{
	struct ledger_job *job = le->job;
	const struct entry *o = &job->entry;
	struct ledger_slot *slot = le->slot;
	struct record_parts p = {.at_ms = o->at_ms,
	    .kind = RECORD_ORDER,
	    .by = o->by,
	    .key = job->key,
	    .text = o->text,
	    .text_len = o->len,
	    .sig = job->sig};
	const char *phase = tournament_phases[tournament_phase(le->lt->t)];
	size_t i;
	int r;

	r = ledger_tournament_line(le->l, slot, le->lt, &p, o, &le->fx);
	if (r == 0) {
		job->seq = p.seq;
		job->has_dice = le->fx.dice != NULL;
		buf_reset(&job->line);
		buf_add(&job->line, slot->more[slot->n_more - 1].line.data,
		    slot->more[slot->n_more - 1].line.len);
		r = buf_error(&job->line);
	}
	if (r == 0)
		r = ledger_entry_write_side(le);
	if (r != 0) {
		ledger_tournament_drop(le->l, le->lt);
		return (ledger_fault(le->l, r, "store an order"));
	}
	for (i = 0; i < job->n_texts; i++)
		job->written += (int64_t)job->texts[i].len;
	job->phase = phase;
	return (0);
}

/* Gives the line its time. */
static int
ledger_entry_now(struct ledger_entry *le)
{
	struct ledger_job *job = le->job;
	int64_t now_ms;
	int r;

	r = ledger_recovery_check(le->l, job->entry.tournament, &job->e);
	if (r != 0)
		return (r);
	if ((r = ledger_clock_read(&le->l->clock, &now_ms)) != 0)
		return (err_set(&job->e, r, "", "%s", err_text(r)));
	r = ledger_order_check_now(job->entry.now_ms, now_ms, &job->e);
	if (r != 0)
		return (r);
	job->entry.at_ms = now_ms;
	if (le->lt != NULL && now_ms < tournament_at_ms(le->lt->t))
		job->entry.at_ms = tournament_at_ms(le->lt->t);
	return (0);
}

/* The checks of terms that only the daemon can make. */
static int
ledger_entry_check_terms(struct ledger_entry *le, const struct terms *terms)
{
	static const char args[] = "order.args.";
	struct ledger_job *job = le->job;
	char where[sizeof(job->e.where)];
	int r;

	r = ledger_order_check_account(le->l, job, &terms->director);
	if (r == ERR_ILLEGAL &&
	    strncmp(job->e.where, args, sizeof(args) - 1) == 0) {
		(void)snprintf(where, sizeof(where), "%sdirector.%.32s", args,
		    job->e.where + sizeof(args) - 1);
		memcpy(job->e.where, where, sizeof(where));
	}
	if (r == 0 &&
	    memcmp(terms->set.server_dice, le->l->conf.dice->public_key,
		VRF_KEY_LEN) != 0)
		r = err_set(&job->e, ERR_ILLEGAL, "order.args.server_dice",
		    "this is not the server's dice key");
	return (r);
}

/* Finds what the terms continue, which must have been brought. */
static int
ledger_entry_former(
    struct ledger_entry *le, const struct terms *terms, struct tournament **old)
{
	struct ledger_job *job = le->job;
	int r;

	if (!terms->has_continues)
		return (0);
	r = kept_tournament_former(
	    le->l->store, &terms->continues, old, &job->e);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, ERR_MISSING, "order.args.continues",
		    "the record of that tournament, up to that line, is not "
		    "here; send it with tournament.former first"));
	return (r == 0 ? 0 : ledger_fault(le->l, r, "read a tournament"));
}

/* Opens a tournament. */
static int
ledger_entry_open(struct ledger_entry *le)
{
	const struct game_dice dice = {ledger_entry_prove_cb, le};
	struct ledger_job *job = le->job;
	struct tournament_line l = {.o = &job->entry,
	    .key = job->key,
	    .dice = &dice,
	    .fx = &le->fx,
	    .e = &job->e};
	struct store_tournament_row row;
	struct tournament *t = NULL;
	struct terms terms;
	int64_t tid;
	int r;

	if ((r = ledger_entry_now(le)) != 0)
		return (r);
	l.at_ms = job->entry.at_ms;
	r = entry_check_known(&job->entry, &job->e);
	if (r == 0)
		r = terms_parse(&job->entry, &terms, &job->e);
	if (r == 0)
		r = ledger_entry_check_terms(le, &terms);
	if (r == 0 &&
	    (r = ledger_entry_each_blob(
		 &terms, ledger_entry_check_blob_cb, le)) == 0 &&
	    (r = ledger_limit_disk(le->l, &job->e)) == 0 &&
	    (r = ledger_entry_former(le, &terms, &l.before)) == 0 &&
	    (r = tournament_create(&l, &t)) != 0)
		tournament_free(l.before);
	if (r == ERR_INVALID || r == ERR_NEWER || r == ERR_ILLEGAL)
		return (ledger_entry_refuse(le, ERR_ILLEGAL));
	if (r == ERR_MISSING || r == ERR_LIMIT)
		return (r);
	if (r != 0)
		return (ledger_fault(le->l, r, "open a tournament"));
	ledger_tournament_row(t, &row);
	row.seq = 0;
	row.at_ms = job->entry.at_ms;
	r = store_tournament_insert(le->l->store, &row, &tid);
	if (r != 0) {
		tournament_free(t);
		return (ledger_fault(le->l, r, "store a tournament"));
	}
	if ((r = ledger_tournament_put(le->l, tid, t, &le->lt)) != 0)
		return (r);
	return (ledger_entry_write(le));
}

/* A create order: its tournament, and so the order, may be there already. */
static int
ledger_entry_create(struct ledger_entry *le)
{
	struct ledger_job *job = le->job;
	struct store_tournament_row row;
	int r;

	job->head_seq = -1;
	memset(job->head, 0, HASH_LEN);
	r = store_tournament_find(le->l->store, job->entry.tournament, &row);
	if (r == 0)
		r = store_tournament_get(le->l->store, row.tid, 0, &job->line);
	if (r == 0) {
		job->seq = 0;
		job->is_repeat = true;
		return (0);
	}
	if (r != ERR_NOTFOUND)
		return (ledger_fault(le->l, r, "find a tournament"));
	if (job->n_texts > 0)
		return (err_set(&job->e, ERR_INVALID, "texts",
		    "a create order names no text"));
	if ((r = ledger_order_admit(job)) != 0)
		return (r);
	return (ledger_entry_open(le));
}

/* The order's head must be the hash of its line `after`. */
static int
ledger_entry_check_head(struct ledger_entry *le)
{
	struct ledger_job *job = le->job;
	const struct entry *o = &job->entry;
	uint8_t hash[HASH_LEN];
	int r;

	if (o->after > job->head_seq)
		return (err_set(&job->e, ERR_FORK, "order.after",
		    "the record here ends with line %lld",
		    (long long)job->head_seq));
	r = store_tournament_hash(le->l->store, le->lt->tid, o->after, hash);
	if (r != 0)
		return (ledger_fault(le->l, r, "read a line's hash"));
	if (memcmp(hash, o->head, HASH_LEN) == 0)
		return (0);
	return (err_set(&job->e, ERR_FORK, "order.head",
	    "line %lld has a different hash here: one of us has a different "
	    "history of this tournament",
	    (long long)o->after));
}

/* Whoever comes names the keys of the account that is logged in. */
static int
ledger_entry_check_comer(struct ledger_entry *le)
{
	const struct entry *o = &le->job->entry;
	struct order_join j = {0};
	int r;

	if (o->kind == ENTRY_DEPUTY)
		r = order_account_parse(
		    o->args, &order_at_args, &j, &le->job->e);
	else if (o->kind == ENTRY_ENTER)
		r = order_player_parse(
		    o->args, &order_at_args, &j, &le->job->e);
	else
		return (0);
	if (r == 0)
		r = ledger_order_check_account(le->l, le->job, &j);
	return (r == ERR_INVALID || r == ERR_NEWER ? ERR_ILLEGAL : r);
}

/* Lets the tournament take an order that is new, and stores what comes of it.
 */
static int
ledger_entry_take(struct ledger_entry *le)
{
	const struct game_dice dice = {ledger_entry_prove_cb, le};
	struct ledger_look look = {.l = le->l, .lt = le->lt};
	const struct tournament_games games = {
	    ledger_tournament_look_cb, &look};
	struct ledger_job *job = le->job;
	const bool is_paired = job->paired != NULL &&
	    job->rests_seq == tournament_rests_seq(le->lt->t);
	const struct tournament_line l = {.o = &job->entry,
	    .key = job->key,
	    .dice = &dice,
	    .games = &games,
	    .at_ms = job->entry.at_ms,
	    .paired = is_paired ? job->paired : NULL,
	    .is_hasty = true,
	    .fx = &le->fx,
	    .e = &job->e};
	int r;

	if (job->entry.kind == ENTRY_RULING &&
	    json_is_integer(json_object_get(job->entry.args, "accept")))
		le->given = tournament_proposed(
		    le->lt->t, js_int(job->entry.args, "accept"));
	if ((r = ledger_entry_check_comer(le)) == 0)
		r = tournament_take(le->lt->t, &l);
	if (r == ERR_STALE || r == ERR_ILLEGAL)
		return (ledger_entry_refuse(le, r));
	if (r == ERR_NEWER || r == ERR_INVALID)
		return (ledger_entry_refuse(le, ERR_ILLEGAL));
	if (r == ERR_MISSING)
		return (r);
	if (r == ERR_BUSY) {
		le->slot->is_parked = job->pairings < LEDGER_PAIRINGS;
		return (err_set(&job->e, r, "",
		    "what the pairing rests upon has changed each time that it "
		    "was worked out; send the order again"));
	}
	if (r != 0) {
		/* Nothing may be built on what was left half done. */
		ledger_tournament_drop(le->l, le->lt);
		return (ledger_fault(le->l, r, "take an order"));
	}
	return (ledger_entry_write(le));
}

/*
 * The order's head, by who may know of the tournament: of a private one whose
 * entries have ended those who are here, and who would enter late and gives a
 * line of it.  ERR_NOTFOUND: anybody else.
 */
static int
ledger_entry_check_known(struct ledger_entry *le)
{
	const struct tournament *t = le->lt->t;
	struct ledger_job *job = le->job;
	int r = 0;

	if (tournament_terms(t)->set.is_private &&
	    tournament_phase(t) != TOURNAMENT_ENTRIES)
		r = store_tournament_is_here(
		    le->l->store, le->lt->tid, job->account);
	if (r != 0 && r != ERR_NOTFOUND)
		return (ledger_fault(le->l, r, "find who is in a tournament"));
	if (r == 0) {
		if (job->entry.after > job->head_seq &&
		    (r = ledger_recovery_check(
			 le->l, job->entry.tournament, &job->e)) != 0)
			return (r);
		return (ledger_entry_check_head(le));
	}
	if (job->entry.kind == ENTRY_ENTER)
		r = ledger_entry_check_head(le);
	return (r == ERR_FORK || r == ERR_NOTFOUND
		? err_set(&job->e, ERR_NOTFOUND, "order.tournament",
		      "no such tournament")
		: r);
}

/* Any order but create. */
static int
ledger_entry_next(struct ledger_entry *le)
{
	struct ledger_job *job = le->job;
	const struct entry *o = &job->entry;
	int r;

	if (ledger_tournament_await(le->l, le->slot, o->tournament))
		return (ERR_BUSY);
	r = ledger_tournament_get(le->l, o->tournament, &le->lt, &job->e);
	if (r == ERR_NOTFOUND &&
	    ledger_recovery_check(le->l, o->tournament, &job->e) != 0)
		return (ERR_RECOVERING);
	if (r == ERR_NOTFOUND)
		return (err_set(
		    &job->e, r, "order.tournament", "no such tournament"));
	if (r != 0)
		return (ledger_fault(le->l, r, "read a tournament"));
	job->head_seq = tournament_seq(le->lt->t);
	memcpy(job->head, tournament_head(le->lt->t), HASH_LEN);
	if ((r = ledger_entry_check_known(le)) != 0)
		return (r);
	r = store_tournament_find_oid(
	    le->l->store, le->lt->tid, o->oid, &job->line, &job->seq);
	if (r == 0) {
		job->is_repeat = true;
		return (0);
	}
	if (r != ERR_NOTFOUND)
		return (ledger_fault(le->l, r, "find an order"));
	if ((r = ledger_entry_now(le)) != 0 ||
	    (r = ledger_order_admit(job)) != 0 ||
	    (r = ledger_entry_check_text(le)) != 0)
		return (r);
	r = store_tournament_find_nonce(
	    le->l->store, le->lt->tid, o->by, o->nonce);
	if (r == 0) {
		(void)err_set(&job->e, ERR_NONCE, "order.nonce",
		    "\"%s\" has already used this nonce in the tournament",
		    o->by);
		return (ledger_entry_refuse(le, ERR_NONCE));
	}
	if (r != ERR_NOTFOUND)
		return (ledger_fault(le->l, r, "find a nonce"));
	return (ledger_entry_take(le));
}

int
ledger_entry_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_job *job = slot->job;
	struct ledger_entry le = {.l = l, .slot = slot, .job = job};
	int r;

	ledger_key_clear(slot);
	if (memcmp(job->entry.server, l->conf.identity->public_key,
		SIGN_KEY_LEN) != 0)
		return (err_set(&job->e, ERR_SERVER, "order.server",
		    "the order is for another server"));
	r = job->entry.kind == ENTRY_CREATE ? ledger_entry_create(&le)
					    : ledger_entry_next(&le);
	tournament_effects_clear(&le.fx);
	if (r != 0)
		ledger_key_clear(slot);
	return (r);
}
