/* SPDX-License-Identifier: ISC */
/*
 * Makes the state kept beside a record again from its lines: after a migration,
 * since an older umpired has kept less, and where it does not fit them.  A game
 * whose lines do not hold either is damaged: it takes no orders, so that no
 * line is built on what may be wrong, until somebody has repaired it and
 * umpired starts again.
 */
#include <inttypes.h>
#include <string.h>

#include "common/base/clock.h"
#include "common/base/hex.h"
#include "common/game/game.h"
#include "common/game/verify.h"
#include "server/base/log.h"
#include "server/ledger/ledger_int.h"
#include "server/ledger/ledger_replay.h"
#include "server/store/store.h"

#define LEDGER_RENEW_TELL_MS 10000

int
ledger_renew_seats(struct ledger *l, int64_t gid, const struct game *g)
{
	int i, r, seat;

	if ((r = store_game_unseat(l->store, gid, -1)) != 0)
		return (r);
	for (i = 0; i < GAME_SLOTS && r == 0; i++) {
		seat = game_slot_seat(i);
		if (game_is_joined(g, seat))
			r = store_game_seat(
			    l->store, gid, seat, game_account(g, seat));
	}
	return (r == ERR_NOTFOUND ? ERR_BAD : r);
}

/* Stores what the record gives of a game. */
static int
ledger_renew_store(
    struct ledger *l, struct ledger_replay *rp, struct store_game_row *row)
{
	const struct game *g = verify_game(rp->v);
	const json_t *v;
	size_t i;
	int r;

	row->is_private = game_is_private(g);
	row->delay_turns = game_delay_turns(g);
	row->delay_minutes = game_delay_minutes(g);
	if ((r = store_game_set_system(l->store, row->gid, game_system(g))) !=
		0 ||
	    (r = store_game_set_view(l->store, row)) != 0 ||
	    (r = ledger_game_store(l, row->gid, g)) != 0 ||
	    (r = ledger_renew_seats(l, row->gid, g)) != 0 ||
	    (r = store_turn_delete(l->store, row->gid)) != 0)
		return (r);
	json_array_foreach(rp->turns, i, v)
	{
		r = store_turn_insert(
		    l->store, row->gid, (int)i, json_integer_value(v));
		if (r != 0)
			return (r);
	}
	return (store_game_renewed(l->store, row->gid));
}

/* Whether the record gives a state: to its end, and by rules known here. */
static int
ledger_renew_judge(struct ledger_replay *rp)
{
	const struct game *g = verify_game(rp->v);

	/* Where the rules halted a game there is nothing more to run. */
	if (g != NULL && game_seq(g) == rp->seq - 1 &&
	    (!verify_report(rp->v)->is_unchecked || game_is_halted(g)))
		return (0);
	return (err_set(&rp->e, ERR_NEWER, NULL, "%s", err_text(ERR_NEWER)));
}

/*
 * Makes one game's state again, in a transaction that is open.  ERR_BAD, with
 * the reason, if the record does not give it.
 */
static int
ledger_renew_game(
    struct ledger *l, const uint8_t id[HASH_LEN], struct errinfo *why)
{
	struct ledger_replay rp = {
	    .st = l->store, .server = l->conf.identity->public_key};
	struct store_game_row row;
	int r;

	if ((r = store_game_find(l->store, id, &row)) != 0)
		return (r);
	rp.gid = row.gid;
	if ((r = ledger_replay_run(&rp)) == 0 &&
	    (r = ledger_renew_judge(&rp)) == 0)
		r = ledger_renew_store(l, &rp, &row);
	if (ledger_replay_is_bad(r) || r == ERR_EXISTS)
		r = err_set(why, ERR_BAD, NULL, "line %" PRId64 ": %s", rp.at,
		    rp.e.text[0] == '\0' ? err_text(r) : rp.e.text);
	ledger_replay_clear(&rp);
	return (r);
}

/*
 * Makes the state of a game of an older umpired again, in a transaction that is
 * open.  ERR_BAD, which is logged, if that cannot be done.
 */
static int
ledger_renew_old(struct ledger *l, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	struct errinfo why;
	int r;

	hex_format(hex, id, HASH_LEN);
	if ((r = ledger_renew_game(l, id, &why)) == ERR_BAD)
		log_errorx("game %.16s cannot be rebuilt from its record, "
			   "%s; run umpired --check",
		    hex, why.text);
	return (r);
}

/* Notes that a game is damaged, and says so. */
static int
ledger_renew_give_up(
    struct ledger *l, const uint8_t id[HASH_LEN], const struct errinfo *why)
{
	char hex[2 * HASH_LEN + 1];
	struct store_game_row row;
	struct ledger_game *lg;
	int r;

	if ((r = store_game_find(l->store, id, &row)) != 0)
		return (r);
	if ((lg = ledger_game_find(l, id)) != NULL)
		ledger_game_drop(l, lg);
	hex_format(hex, id, HASH_LEN);
	log_errorx("game %.16s is damaged: %s; it takes no orders until it is "
		   "repaired and umpired is restarted: see \"Damaged games\" "
		   "in umpired(8)",
	    hex, why->text);
	/* Nor does it recover any longer. */
	if (ledger_recovery_find(l, id) != NULL) {
		l->recovery.is_changed = true;
		if ((r = store_standstill_end(
			 l->store, row.gid, clock_wall_ms())) != 0)
			return (r);
	}
	r = store_standstill_begin(
	    l->store, row.gid, clock_wall_ms(), STORE_WHY_DAMAGED);
	return (r != 0 ? r : ledger_recovery_undo(l));
}

int
ledger_renew_misfit(struct ledger *l)
{
	struct ledger_misfit mf = l->misfit;
	char hex[2 * HASH_LEN + 1];
	int r, undone;

	l->misfit.is_set = false;
	if (mf.is_lost)
		return (ledger_renew_give_up(l, mf.game, &mf.why));
	hex_format(hex, mf.game, HASH_LEN);
	log_warnx("game %.16s: %s; what is kept of it is being rebuilt from "
		  "its lines",
	    hex, mf.why.text);
	if ((r = store_savepoint(l->store)) != 0)
		return (r);
	if ((r = ledger_renew_game(l, mf.game, &mf.why)) == 0)
		return (store_release(l->store));
	if (r == ERR_NOMEM || r == ERR_IO)
		return (r);
	if ((undone = store_rollback_savepoint(l->store)) != 0)
		return (undone);
	return (r == ERR_BAD ? ledger_renew_give_up(l, mf.game, &mf.why) : r);
}

/*
 * Looks whether a damaged game was repaired, in a transaction that is open.
 * ERR_BAD, which is logged, if not.
 */
static int
ledger_renew_damaged(struct ledger *l, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	struct store_game_row row;
	struct ledger_game *lg;
	struct errinfo why = {.text = ""};
	int r;

	if ((r = store_game_find(l->store, id, &row)) != 0 ||
	    (r = store_standstill_end(l->store, row.gid, clock_wall_ms())) != 0)
		return (r);
	l->misfit.is_set = false;
	/* All its lines first, then as an order would find it. */
	if ((r = ledger_renew_game(l, id, &why)) == 0)
		r = ledger_game_get(l, id, &lg, &why);
	if (l->misfit.is_set)
		why = l->misfit.why;
	l->misfit.is_set = false;
	hex_format(hex, id, HASH_LEN);
	if (r == 0)
		log_info("game %.16s is whole again", hex);
	if (r == ERR_BAD)
		log_errorx("game %.16s is still damaged: %s", hex, why.text);
	return (r);
}

/* Adds the id of a game that is damaged. */
static int
ledger_renew_damaged_cb(
    void *arg, const uint8_t game[HASH_LEN], int64_t from_ms, const char *why)
{
	struct buf *ids = arg;

	(void)from_ms;
	if (strcmp(why, STORE_WHY_DAMAGED) == 0)
		buf_add(ids, game, HASH_LEN);
	return (buf_error(ids));
}

/*
 * Calls renew for each of some games, in a transaction of its own; what takes
 * long is told of.
 */
static int
ledger_renew_each(struct ledger *l, const struct buf *ids,
    int (*renew)(struct ledger *l, const uint8_t id[HASH_LEN]))
{
	int64_t told_ms = clock_mono_ms();
	size_t i;
	int r = 0;

	for (i = 0; r == 0 && i < ids->len; i += HASH_LEN) {
		if (clock_mono_ms() - told_ms >= LEDGER_RENEW_TELL_MS) {
			told_ms = clock_mono_ms();
			log_info("%zu of %zu games are rebuilt", i / HASH_LEN,
			    ids->len / HASH_LEN);
		}
		if ((r = store_begin(l->store)) != 0)
			break;
		r = renew(l, (const uint8_t *)ids->data + i);
		if (r == 0)
			r = store_commit(l->store);
		if (r != 0)
			store_rollback(l->store);
		if (r == ERR_BAD)
			r = 0;
	}
	return (r);
}

int
ledger_renew(struct ledger *l, struct errinfo *e)
{
	struct buf ids;
	int r;

	buf_init(&ids, 0);
	r = store_game_old(l->store, &ids);
	if (r == 0 && ids.len > 0)
		log_info("rebuilding %zu games from their records",
		    ids.len / HASH_LEN);
	if (r == 0)
		r = ledger_renew_each(l, &ids, ledger_renew_old);
	buf_reset(&ids);
	if (r == 0)
		r = store_standstill_each(
		    l->store, ledger_renew_damaged_cb, &ids);
	if (r == 0)
		r = ledger_renew_each(l, &ids, ledger_renew_damaged);
	buf_clear(&ids);
	if (r != 0)
		return (err_set(e, r, NULL,
		    "cannot rebuild the games from their records: %s (%s)",
		    err_text(r), store_reason(l->store)));
	return (0);
}
