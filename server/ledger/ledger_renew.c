/* SPDX-License-Identifier: ISC */
/*
 * What is kept beside a record is made again from its lines: after a migration,
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

/* Stores who sits where. */
static int
ledger_renew_seats(struct ledger *l, int64_t gid, const struct game *g)
{
	int i, r;

	if ((r = store_game_unseat(l->store, gid, -1)) != 0)
		return (r);
	for (i = 0; i < GAME_SEATS && r == 0; i++) {
		if (game_is_joined(g, i))
			r = store_game_seat(
			    l->store, gid, i, game_account(g, i));
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
	if ((r = store_game_set_view(l->store, row)) != 0 ||
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

	if ((r = store_game_find(l->store, id, &row, NULL)) != 0)
		return (r);
	rp.gid = row.gid;
	r = ledger_replay_run(&rp);
	if (r == 0)
		r = ledger_renew_judge(&rp);
	if (r == 0)
		r = ledger_renew_store(l, &rp, &row);
	if (r == ERR_BAD || r == ERR_MALFORMED || r == ERR_TOOBIG ||
	    r == ERR_INVALID || r == ERR_NEWER || r == ERR_EXISTS)
		r = err_set(why, ERR_BAD, NULL, "line %" PRId64 ": %s", rp.at,
		    rp.e.text[0] == '\0' ? err_text(r) : rp.e.text);
	ledger_replay_clear(&rp);
	return (r);
}

/* Makes the state of a game of an older umpired again. */
static int
ledger_renew_old(struct ledger *l, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	struct errinfo why;
	int r;

	hex_format(hex, id, HASH_LEN);
	if ((r = ledger_renew_game(l, id, &why)) != ERR_BAD)
		return (r);
	log_errorx("game %.16s cannot be built again from its record, %s; run "
		   "umpired --check",
	    hex, why.text);
	return (0);
}

/* Notes that a game is damaged, and says so. */
static int
ledger_renew_give_up(
    struct ledger *l, const uint8_t id[HASH_LEN], const struct errinfo *why)
{
	char hex[2 * HASH_LEN + 1];
	struct store_game_row row;
	int r;

	if ((r = store_game_find(l->store, id, &row, NULL)) != 0)
		return (r);
	hex_format(hex, id, HASH_LEN);
	log_errorx(
	    "game %.16s is damaged: %s; it takes no orders until it is "
	    "repaired and umpired started again: see \"Damaged games\" in "
	    "umpired(8)",
	    hex, why->text);
	return (store_standstill_begin(
	    l->store, row.gid, clock_wall_ms(), "damaged"));
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
	log_warnx("game %.16s: %s; what is kept of it is built again from its "
		  "lines",
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

/* Looks whether a damaged game was repaired, in a transaction that is open. */
static int
ledger_renew_again(struct ledger *l, const uint8_t id[HASH_LEN])
{
	char hex[2 * HASH_LEN + 1];
	struct store_game_row row;
	struct ledger_game *lg;
	struct errinfo why = {.text = ""};
	int i, r;

	if ((r = store_game_find(l->store, id, &row, NULL)) != 0 ||
	    (r = store_standstill_end(l->store, row.gid, clock_wall_ms())) != 0)
		return (r);
	hex_format(hex, id, HASH_LEN);
	/* As an order would find it; twice, if it has to be built first. */
	for (i = 0; i < 2; i++) {
		l->misfit.is_set = false;
		if ((r = ledger_game_get(l, id, &lg, &why)) == 0) {
			log_info("game %.16s is whole again", hex);
			return (0);
		}
		if (!l->misfit.is_set)
			return (r);
		why = l->misfit.why;
		if (l->misfit.is_lost ||
		    (r = ledger_renew_game(l, id, &why)) != 0)
			break;
	}
	l->misfit.is_set = false;
	log_errorx("game %.16s is still damaged: %s", hex, why.text);
	return (ERR_BAD);
}

/* Looks at the games that are damaged, each in a transaction. */
static int
ledger_renew_damaged(struct ledger *l)
{
	struct buf ids;
	size_t i;
	int r;

	buf_init(&ids, 0);
	r = store_standstill_games(l->store, &ids);
	for (i = 0; r == 0 && i < ids.len; i += HASH_LEN) {
		if ((r = store_begin(l->store)) != 0)
			break;
		r = ledger_renew_again(l, (const uint8_t *)ids.data + i);
		if (r == 0)
			r = store_commit(l->store);
		if (r != 0)
			store_rollback(l->store);
		if (r == ERR_BAD)
			r = 0;
	}
	buf_clear(&ids);
	return (r);
}

int
ledger_renew(struct ledger *l, struct errinfo *e)
{
	struct buf ids;
	size_t i;
	int r;

	buf_init(&ids, 0);
	r = store_game_old(l->store, &ids);
	if (r == 0 && ids.len > 0)
		log_info("building %zu games again from their records",
		    ids.len / HASH_LEN);
	for (i = 0; r == 0 && i < ids.len; i += HASH_LEN) {
		if ((r = store_begin(l->store)) != 0)
			break;
		r = ledger_renew_old(l, (const uint8_t *)ids.data + i);
		if (r == 0)
			r = store_commit(l->store);
		if (r != 0)
			store_rollback(l->store);
	}
	buf_clear(&ids);
	if (r == 0)
		r = ledger_renew_damaged(l);
	if (r != 0)
		return (err_set(e, r, NULL,
		    "cannot build the games again from their records: %s (%s)",
		    err_text(r), store_reason(l->store)));
	return (0);
}
