/* SPDX-License-Identifier: ISC */
/*
 * The operator proposes that somebody else has a seat, or somebody with new
 * keys (record S4.2): in one game, or in all in which an account plays.  The
 * keys are those of an account of this server, so that what it states later
 * follows what the record says.
 */
#include <stdlib.h>
#include <string.h>

#include "common/game/game_newcomer.h"
#include "common/game/game_offer.h"
#include "common/game/game_take.h"
#include "common/json/js.h"
#include "server/ledger/ledger_int.h"
#include "server/store/store.h"

/* A game in which an account has a seat. */
struct ledger_seat_game {
	uint8_t id[HASH_LEN];
	int seat;
};

/* A proposal on its way into the games. */
struct ledger_seat {
	struct ledger *l;
	struct ledger_slot *slot;
	struct statement_keys keys; /* of who comes */
	int64_t at_ms;
	struct ledger_seat_game *games; /* owned */
	size_t n_games;
};

/* Adds one game to the list. */
static int
ledger_seat_game_cb(void *arg, const uint8_t game[HASH_LEN], int seat)
{
	struct ledger_seat *ls = arg;
	struct ledger_seat_game *games;

	games = realloc(ls->games, (ls->n_games + 1) * sizeof(*games));
	if (games == NULL)
		return (ERR_NOMEM);
	ls->games = games;
	games += ls->n_games++;
	memcpy(games->id, game, HASH_LEN);
	games->seat = seat;
	return (0);
}

/* What the line says, its members in their order; new, NULL: no memory. */
static json_t *
ledger_seat_data(const struct ledger_seat *ls, int seat)
{
	const struct ledger_job *job = ls->slot->job;
	const struct statement_keys *k = &ls->keys;
	json_t *v, *more = NULL;
	int i, bad = 0;

	v = json_pack("{s:i, s:s, s:o, s:o, s:I, s:o}", "seat", seat, "account",
	    job->other, "key", js_hex(k->keys[0], SIGN_KEY_LEN), "dice_key",
	    js_hex(job->dice_key, VRF_KEY_LEN), "kn", (json_int_t)k->n, "kprev",
	    js_hex(k->prev, HASH_LEN));
	if (k->n_keys > 1) {
		more = json_array();
		for (i = 1; i < k->n_keys; i++)
			bad |= json_array_append_new(
			    more, js_hex(k->keys[i], SIGN_KEY_LEN));
		bad |= json_object_set_new(v, "keys", more);
	}
	if (k->has_recovery)
		bad |= json_object_set_new(
		    v, "recovery", js_hex(k->recovery, SIGN_KEY_LEN));
	bad |=
	    json_object_set_new(v, "why", js_hex(job->texts[0].ref, HASH_LEN));
	if (bad == 0)
		return (v);
	json_decref(v);
	return (NULL);
}

/* Adds to the answer a game that has the line, and whom it waits for. */
static int
ledger_seat_tell(struct ledger_seat *ls, const struct game *g, int seat)
{
	const struct game_offer *f = game_newcomer_find(g, game_seq(g));
	json_t *waits = json_array();
	int i, bad = 0;

	for (i = 0; f != NULL && i < GAME_SEATS; i++) {
		if (game_is_joined(g, i) && game_offer_asks(f, i))
			bad |= json_array_append_new(
			    waits, json_string(game_account(g, i)));
	}
	if (json_array_append_new(ls->slot->job->given,
		json_pack("{s:o, s:i, s:I, s:o}", "game",
		    js_hex(game_id(g), HASH_LEN), "seat", seat, "seq",
		    (json_int_t)game_seq(g), "waits_for", waits)) != 0)
		bad = -1;
	return (bad == 0 ? 0 : ERR_NOMEM);
}

/* Adds to the answer a game that does not take it, and why. */
static int
ledger_seat_skip(struct ledger_seat *ls, const struct ledger_seat_game *sg)
{
	struct ledger_job *job = ls->slot->job;
	int r;

	r = json_array_append_new(job->skipped,
	    json_pack("{s:o, s:i, s:s}", "game", js_hex(sg->id, HASH_LEN),
		"seat", sg->seat, "why", job->e.text));
	memset(&job->e, 0, sizeof(job->e));
	return (r == 0 ? 0 : ERR_NOMEM);
}

/* Writes the line into one game. */
static int
ledger_seat_write(struct ledger_seat *ls, struct ledger_game *lg, int seat)
{
	struct ledger_server sl = {.what = "operator-key",
	    .at_ms = ls->at_ms,
	    .text = &ls->slot->job->texts[0]};
	int r;

	if ((sl.data = ledger_seat_data(ls, seat)) == NULL)
		return (ERR_NOMEM);
	r = ledger_server_write(ls->l, ls->slot, lg, &sl);
	json_decref(sl.data);
	return (r == 0 ? ledger_seat_tell(ls, lg->game, seat) : r);
}

/* The same in the game that the job names. */
static int
ledger_seat_one(struct ledger_seat *ls)
{
	struct ledger_job *job = ls->slot->job;
	struct ledger_game *lg;
	int r, seat = 0;

	if ((r = ledger_server_find(ls->l, job, &lg)) != 0)
		return (r);
	while (seat < GAME_SEATS &&
	    (!game_is_joined(lg->game, seat) ||
		strcmp(game_account(lg->game, seat), job->former) != 0))
		seat++;
	if (seat == GAME_SEATS)
		return (err_set(&job->e, ERR_NOTFOUND, "account",
		    "\"%s\" has no seat in this game", job->former));
	return (ledger_seat_write(ls, lg, seat));
}

/* The same in every game in which the account plays. */
static int
ledger_seat_all(struct ledger_seat *ls)
{
	struct ledger_job *job = ls->slot->job;
	const struct ledger_seat_game *sg;
	struct ledger_game *lg;
	size_t i;
	int r;

	r = store_account_games(
	    ls->l->store, job->former, ledger_seat_game_cb, ls);
	for (i = 0; r == 0 && i < ls->n_games; i++) {
		sg = &ls->games[i];
		r = ledger_game_get(ls->l, sg->id, &lg, &job->e);
		if (r == 0 && game_phase(lg->game) > GAME_PLAY)
			continue;
		if (r == 0)
			r = ledger_seat_write(ls, lg, sg->seat);
		if (r == ERR_ILLEGAL || r == ERR_DAMAGED || r == ERR_RECOVERING)
			r = ledger_seat_skip(ls, sg);
	}
	if (r == 0 && json_array_size(job->given) == 0 &&
	    json_array_size(job->skipped) == 0)
		return (err_set(&job->e, ERR_NOTFOUND, "account",
		    "\"%s\" has no seat in a game that goes on", job->former));
	return (r);
}

/* Reads who comes, and whether there is who leaves. */
static int
ledger_seat_accounts(struct ledger_seat *ls)
{
	struct ledger_job *job = ls->slot->job;
	struct statement_keys had;
	int r;

	if (job->other[0] == '\0')
		return (err_set(&job->e, ERR_INVALID, "key",
		    "in a game somebody else gets the seat: give their "
		    "account and dice key"));
	r = store_account_keys(ls->l->store, job->former, &had);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "account",
		    "there is no account \"%s\"", job->former));
	if (r == 0)
		r = store_account_keys(ls->l->store, job->other, &ls->keys);
	if (r == ERR_NOTFOUND)
		return (err_set(&job->e, r, "to",
		    "there is no account \"%s\": whoever is to have the seat "
		    "registers first",
		    job->other));
	if (r != 0)
		return (ledger_fault(ls->l, r, "find the keys of an account"));
	memcpy(job->new_key, ls->keys.keys[0], SIGN_KEY_LEN);
	if (strcmp(job->former, job->other) != 0)
		return (0);
	return (err_set(&job->e, ERR_INVALID, "to",
	    "\"%s\" has the seat already, with the keys of the account",
	    job->other));
}

int
ledger_seat_run(struct ledger *l, struct ledger_slot *slot)
{
	struct ledger_seat ls = {.l = l, .slot = slot};
	struct ledger_job *job = slot->job;
	int r;

	ledger_key_clear(slot);
	if ((r = ledger_clock_read(&l->clock, &ls.at_ms)) != 0)
		return (err_set(&job->e, r, "", "%s", err_text(r)));
	job->given = json_array();
	job->skipped = json_array();
	if (job->given == NULL || job->skipped == NULL)
		return (ERR_NOMEM);
	if ((r = ledger_server_why(job)) != 0 ||
	    (r = ledger_server_resolve(l, job)) != 0)
		return (r);
	if (job->is_tournament)
		return (ledger_operator_key(l, slot));
	if ((r = ledger_seat_accounts(&ls)) != 0)
		return (r);
	r = job->digits[0] == '\0' ? ledger_seat_all(&ls)
				   : ledger_seat_one(&ls);
	free(ls.games);
	if (r == 0)
		return (0);
	/* Some games may have gone on to lines that there will not be. */
	ledger_key_clear(slot);
	ledger_game_drop_batch(l);
	if (l->misfit.is_set || r == ERR_ILLEGAL || r == ERR_NOTFOUND ||
	    r == ERR_INVALID || r == ERR_DAMAGED || r == ERR_RECOVERING)
		return (r);
	return (ledger_fault(l, r, "propose who is to have a seat"));
}
