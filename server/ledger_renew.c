/* SPDX-License-Identifier: ISC */
/*
 * After a migration: states that an older umpired has kept say less than
 * this one wants to know, and are made again from their records, once.  A
 * game that does not hold is left as it is, for umpired --check to tell.
 */
#include <inttypes.h>

#include "common/game/game.h"
#include "common/game/verify.h"
#include "common/hex.h"
#include "common/log.h"
#include "server/ledger_int.h"
#include "server/ledger_replay.h"
#include "server/store.h"

/* Stores what the record gives of a game. */
static int
ledger_renew_store(struct ledger *l, const struct ledger_replay *rp,
    const struct store_game_row *row)
{
	const json_t *v;
	size_t i;
	int r;

	buf_reset(&l->snapshot);
	if ((r = game_save(verify_game(rp->v), &l->snapshot)) != 0 ||
	    (r = store_game_update(
		 l->store, row, l->snapshot.data, l->snapshot.len)) != 0 ||
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

/* Makes one game's state again, in a transaction that is open. */
static int
ledger_renew_game(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct ledger_replay rp = {
	    .st = l->store, .server = l->conf.identity->public_key};
	char hex[2 * HASH_LEN + 1];
	struct store_game_row row;
	int r;

	if ((r = store_game_find(l->store, id, &row, NULL)) != 0)
		return (r);
	rp.gid = row.gid;
	hex_encode(hex, id, HASH_LEN);
	r = ledger_replay_run(&rp);
	if (r == 0 && !verify_report(rp.v)->is_unchecked) {
		r = ledger_renew_store(l, &rp, &row);
	} else if (r == 0 || r == ERR_BAD || r == ERR_MALFORMED ||
	    r == ERR_TOOBIG || r == ERR_INVALID || r == ERR_NEWER) {
		log_errorx("game %.16s cannot be built again from its record, "
			   "line %" PRId64 ": %s; run umpired --check",
		    hex, rp.at, r == 0 ? err_text(ERR_NEWER) : rp.e.text);
		r = 0;
	}
	ledger_replay_clear(&rp);
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
		r = ledger_renew_game(l, (const uint8_t *)ids.data + i);
		if (r == 0)
			r = store_commit(l->store);
		if (r != 0)
			store_rollback(l->store);
	}
	buf_clear(&ids);
	if (r != 0)
		return (err_set(e, r, NULL,
		    "cannot build the games again from their records: %s (%s)",
		    err_text(r), store_reason(l->store)));
	return (0);
}
