/* SPDX-License-Identifier: ISC */
/*
 * How a tournament goes on of which lines were lost (record S21.3).  While they
 * may come back it takes no orders, and its games write no lines into it,
 * though they go on.  Then it has what its games still say: the lines `game`
 * and `result` that it lacks, by round, table and leg.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/json/js.h"
#include "common/record/record.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/ledger/ledger_replay.h"
#include "server/store/store.h"
#include "server/store/store_tournament.h"

/* A tournament that gets lines out of its games. */
struct ledger_comeback {
	struct ledger *l;
	struct ledger_slot *slot;
	struct ledger_tournament *lt;
	int64_t now_ms;
	struct ledger_replay rp; /* of the game that is gone through */
	int failed; /* what writing a result of it gave; 0 */
	struct store_tournament_game *games; /* owned */
	size_t n_games;
};

/* ---- what games say ---- */

/* Writes the result that a game had as one of its lines left it. */
static int
ledger_comeback_look_cb(
    void *arg, int64_t seq, const struct order *o, struct errinfo *e)
{
	struct ledger_comeback *cb = arg;
	const struct game *g = verify_game(cb->rp.v);

	(void)seq;
	(void)o;
	(void)e;
	if (g != NULL)
		cb->failed = ledger_tournament_result(
		    cb->l, cb->slot, cb->lt, g, cb->now_ms);
	return (cb->failed);
}

/*
 * Writes the results that a game has had: each after the line that made it so,
 * which the game may have left behind.
 */
static int
ledger_comeback_results(struct ledger_comeback *cb, struct ledger_game *lg)
{
	const uint8_t *id = game_id(lg->game);
	char hex[2 * HASH_LEN + 1];
	int r;

	if (!tournament_awaits_result(cb->lt->t, id) ||
	    (!game_is_halted(lg->game) && game_phase(lg->game) <= GAME_PLAY))
		return (0);
	memset(&cb->rp, 0, sizeof(cb->rp));
	cb->rp.st = cb->l->store;
	cb->rp.gid = lg->gid;
	cb->rp.server = cb->l->conf.identity->public_key;
	cb->rp.look = ledger_comeback_look_cb;
	cb->rp.arg = cb;
	cb->failed = 0;
	r = ledger_replay_run(&cb->rp);
	if (r == 0)
		r = ledger_comeback_look_cb(cb, 0, NULL, NULL);
	/* The reading takes all that went wrong for a fault of the record. */
	if (cb->failed != 0) {
		r = cb->failed;
	} else if (ledger_replay_is_bad(r)) {
		hex_format(hex, id, HASH_LEN);
		log_errorx("game %.16s does not say how it ended: %s", hex,
		    cb->rp.e.text);
		r = 0;
	}
	ledger_replay_clear(&cb->rp);
	return (r);
}

/* Writes the line of a game that has none, if it may belong to its leg. */
static int
ledger_comeback_open(struct ledger_comeback *cb, struct ledger_game *lg)
{
	struct errinfo why = {.text = ""};
	struct tournament_place place;
	uint8_t hash[HASH_LEN];
	struct record_line ln;
	struct order o;
	struct buf line;
	int r;

	if (tournament_find_game(cb->lt->t, game_id(lg->game), &place) == 0)
		return (0);
	buf_init(&line, RECORD_LINE_MAX);
	r = store_record_get(cb->l->store, lg->gid, 0, &line, hash);
	if (r == 0)
		r = record_parse(line.data, line.len, &ln, &why);
	buf_clear(&line);
	if (r != 0)
		return (r);
	if ((r = order_parse(ln.text, ln.text_len, &o, &why)) == 0) {
		r = tournament_check_create(cb->lt->t, o.args,
		    (int)js_int(o.args, "seat"), ln.key, &place, &why);
		order_clear(&o);
		if (r == 0)
			r = ledger_tournament_game(cb->l, cb->slot, cb->lt,
			    &place, game_id(lg->game), cb->now_ms);
		else if (r == ERR_ILLEGAL || r == ERR_NOTFOUND)
			r = 0; /* it counts for nothing */
	}
	record_clear(&ln);
	return (r);
}

/* Writes what one game says. */
static int
ledger_comeback_one(struct ledger_comeback *cb, const uint8_t game[HASH_LEN])
{
	struct ledger_job *job = cb->slot->job;
	struct ledger_game *lg;
	int r;

	r = ledger_game_get(cb->l, game, &lg, &job->e);
	if (r == ERR_DAMAGED) {
		memset(&job->e, 0, sizeof(job->e));
		return (0);
	}
	if (r == 0 && (r = ledger_comeback_open(cb, lg)) == 0)
		r = ledger_comeback_results(cb, lg);
	return (r);
}

/* Adds a game to the list. */
static int
ledger_comeback_game_cb(void *arg, const struct store_tournament_game *g)
{
	struct ledger_comeback *cb = arg;
	struct store_tournament_game *games;
	struct tournament_place place;

	/* Most have all their lines, and need not be looked at. */
	if (tournament_find_game(cb->lt->t, g->game, &place) == 0 &&
	    !tournament_awaits_result(cb->lt->t, g->game))
		return (0);
	games = realloc(cb->games, (cb->n_games + 1) * sizeof(*games));
	if (games == NULL)
		return (ERR_NOMEM);
	cb->games = games;
	games[cb->n_games++] = *g;
	return (0);
}

/* Writes what all games of a tournament say. */
static int
ledger_comeback_all(struct ledger_comeback *cb)
{
	size_t i;
	int r;

	r = store_tournament_games(
	    cb->l->store, cb->lt->tid, ledger_comeback_game_cb, cb);
	for (i = 0; r == 0 && i < cb->n_games; i++)
		r = ledger_comeback_one(cb, cb->games[i].game);
	free(cb->games);
	return (r);
}

int
ledger_comeback_game(
    struct ledger *l, struct ledger_slot *slot, struct ledger_game *lg)
{
	struct ledger_comeback cb = {.l = l, .slot = slot};
	int r;

	r = ledger_tournament_of(l, lg, &cb.lt, &slot->job->e);
	if (r != 0 || cb.lt == NULL ||
	    ledger_recovery_find(l, tournament_id(cb.lt->t)) != NULL)
		return (r);
	/* While there is no time to be trusted it is that of the game. */
	if (ledger_clock_read(&l->clock, &cb.now_ms) != 0)
		cb.now_ms = game_at_ms(lg->game);
	if ((r = ledger_comeback_open(&cb, lg)) == 0)
		r = ledger_comeback_results(&cb, lg);
	if (r != 0)
		ledger_tournament_drop(l, cb.lt);
	return (r);
}

/* ---- the end of a recovery ---- */

/* Writes what was stated meanwhile, and notes who is here. */
static int
ledger_comeback_accounts(struct ledger_comeback *cb)
{
	const struct tournament *t = cb->lt->t;
	struct errinfo *e = &cb->slot->job->e;
	char hex[2 * HASH_LEN + 1];
	const char *account;
	size_t i;
	int r;

	if ((r = ledger_entry_accounts(cb->l, cb->lt)) != 0)
		return (r);
	for (i = 0; i < tournament_accounts(t); i++) {
		account = tournament_nth_account(t, i);
		if (!tournament_takes_keys(t, account))
			continue;
		r = ledger_tournament_catch_up(
		    cb->l, cb->slot, cb->lt, account, cb->now_ms);
		if (r == ERR_STALE || r == ERR_ILLEGAL) {
			hex_format(hex, tournament_id(t), HASH_LEN);
			log_errorx("tournament %.16s: \"%s\" has other key "
				   "statements here",
			    hex, account);
			memset(e, 0, sizeof(*e));
		} else if (r != 0) {
			return (r);
		}
	}
	return (0);
}

/* Writes the line that says that others were lost. */
static int
ledger_comeback_restored(struct ledger_comeback *cb)
{
	struct ledger_server sl = {.what = "restored", .at_ms = cb->now_ms};
	struct ledger_look look = {.l = cb->l, .lt = cb->lt};
	int r;

	sl.data = json_pack(
	    "{s:I}", "seq", (json_int_t)(tournament_seq(cb->lt->t) + 1));
	if (sl.data == NULL)
		return (ERR_NOMEM);
	r = ledger_tournament_server(
	    cb->l, cb->slot, cb->lt, &sl, &look, &cb->slot->job->e);
	json_decref(sl.data);
	return (r);
}

/* Lets one that is damaged be: nothing can be written into it. */
static int
ledger_comeback_damaged(struct ledger *l, struct ledger_missing *m)
{
	struct store_tournament_row row;
	int r;

	if ((r = store_tournament_find(l->store, m->game, &row)) != 0 ||
	    (r = store_tournament_hash(
		 l->store, row.tid, row.seq, m->end_hash)) != 0 ||
	    (r = store_tournament_wait_end(l->store, row.tid)) != 0)
		return (ledger_fault(l, r, "end a recovery"));
	m->end_seq = row.seq;
	m->is_over = true;
	l->recovery.is_changed = true;
	return (0);
}

/* Does it, once the tournament is at hand. */
static int
ledger_comeback_end(struct ledger_comeback *cb, struct ledger_missing *m,
    bool is_well, bool *is_written)
{
	const struct tournament *t = cb->lt->t;
	int r;

	*is_written = !is_well && !tournament_is_closed(t);
	if (*is_written && (r = ledger_comeback_restored(cb)) != 0)
		return (r);
	r = store_tournament_wait_end(cb->l->store, cb->lt->tid);
	if (r != 0)
		return (r);
	m->is_over = true;
	cb->l->recovery.is_changed = true;
	if ((r = ledger_comeback_accounts(cb)) != 0 ||
	    (r = ledger_comeback_all(cb)) != 0 ||
	    (r = ledger_tell(cb->l, cb->lt, NULL)) != 0)
		return (r);
	m->end_seq = tournament_seq(t);
	memcpy(m->end_hash, tournament_head(t), HASH_LEN);
	return (0);
}

int
ledger_comeback_finish(struct ledger *l, struct ledger_slot *slot,
    struct ledger_missing *m, bool is_well)
{
	struct ledger_comeback cb = {.l = l, .slot = slot};
	struct ledger_job *job = slot->job;
	bool is_written;
	int r;

	if ((r = ledger_clock_read(&l->clock, &cb.now_ms)) != 0)
		return (err_set(&job->e, r, "", "%s", err_text(r)));
	r = ledger_tournament_get(l, m->game, &cb.lt, &job->e);
	if (r == ERR_DAMAGED) {
		memset(&job->e, 0, sizeof(job->e));
		return (ledger_comeback_damaged(l, m));
	}
	if (r != 0)
		return (ledger_fault(l, r, "read a tournament"));
	if ((r = ledger_comeback_end(&cb, m, is_well, &is_written)) != 0) {
		/* A game that has to be mended first: then all again. */
		ledger_tournament_drop(l, cb.lt);
		return (l->misfit.is_set ? r
					 : ledger_fault(l, r,
					       "end the recovery of a "
					       "tournament"));
	}
	ledger_recovery_told(l, m, is_well, is_written);
	return (0);
}

int
ledger_comeback_tell(struct ledger_missing *m, const struct tournament *t,
    const char *account, bool *is_told)
{
	bool has_director = false;
	const char *name;
	size_t i;

	*is_told = false;
	if (!tournament_is_here(t, account))
		return (0);
	if (m->accounts == NULL && (m->accounts = json_object()) == NULL)
		return (ERR_NOMEM);
	if (json_object_set_new(m->accounts, account, json_true()) != 0)
		return (ERR_NOMEM);
	for (i = 0; i < tournament_accounts(t); i++) {
		name = tournament_nth_account(t, i);
		if (json_object_get(m->accounts, name) != NULL)
			has_director |= tournament_is_director(t, name);
		else if (tournament_plays(t, name))
			return (0);
	}
	*is_told = has_director;
	return (0);
}
