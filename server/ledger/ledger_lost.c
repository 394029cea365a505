/* SPDX-License-Identifier: ISC */
/*
 * How much of the time that a side has used was none, since no orders were
 * taken.  The record counts it, line by line: so what of it is to be given back
 * is found by going through the lines again.  Only a claim asks for it.
 */
#include "common/game/game.h"
#include "common/game/verify.h"
#include "server/ledger/ledger_int.h"
#include "server/ledger/ledger_replay.h"
#include "server/store/store.h"

/* A clock on its way through the record. */
struct ledger_lost {
	struct ledger_replay rp;
	int side;
	bool runs; /* since the line before */
	int64_t at_ms; /* of that line */
	int64_t left_ms; /* on the clock when it began to run */
	int64_t now_ms; /* lost since then */
	int64_t before_ms; /* lost earlier, and to be given back */
};

/* Takes the time to a line, as which the game now stands. */
static int
ledger_lost_step(struct ledger_lost *ll, const struct game *g, int64_t at_ms)
{
	const bool runs = game_deadline_ms(g, ll->side) >= 0;
	int64_t left_ms, lost_ms = 0;
	bool is_whole;
	int r;

	is_whole = game_left_ms(g, ll->side, &left_ms);
	if (ll->runs &&
	    (r = store_standstill_lost(
		 ll->rp.st, ll->rp.gid, ll->at_ms, at_ms, &lost_ms)) != 0)
		return (r);
	ll->now_ms += lost_ms;
	if (ll->runs && !runs) {
		/* It cannot have lost more than it had. */
		ll->before_ms +=
		    ll->now_ms < ll->left_ms ? ll->now_ms : ll->left_ms;
		ll->now_ms = 0;
	}
	if (is_whole)
		ll->before_ms = ll->now_ms = 0;
	if (is_whole || !ll->runs)
		ll->left_ms = left_ms;
	ll->runs = runs;
	ll->at_ms = at_ms;
	return (0);
}

/* Looks at the game as the line before left it. */
static int
ledger_lost_look(
    void *arg, int64_t seq, const struct order *o, struct errinfo *e)
{
	struct ledger_lost *ll = arg;
	const struct game *g = verify_game(ll->rp.v);

	(void)seq;
	(void)o;
	(void)e;
	return (g == NULL ? 0 : ledger_lost_step(ll, g, game_at_ms(g)));
}

int
ledger_lost_ms(
    struct ledger *l, int64_t gid, int side, int64_t now_ms, int64_t *lost_ms)
{
	struct ledger_lost ll = {.rp = {.st = l->store,
				     .gid = gid,
				     .server = l->conf.identity->public_key,
				     .look = ledger_lost_look,
				     .arg = &ll},
	    .side = side};
	const struct game *g;
	int64_t all_ms, begun_ms, last_ms = 0;
	int r;

	if ((r = store_record_at(l->store, gid, 0, &begun_ms)) != 0 ||
	    (r = store_standstill_lost(
		 l->store, gid, begun_ms, now_ms, &all_ms)) != 0)
		return (r);
	*lost_ms = all_ms;
	/* Most games have lost nothing, and need no look at their lines. */
	if (all_ms == 0)
		return (0);
	r = ledger_replay_run(&ll.rp);
	if (r == 0 && (g = verify_game(ll.rp.v)) != NULL)
		r = ledger_lost_step(&ll, g, game_at_ms(g));
	if (r == 0 && ll.runs)
		r = store_standstill_lost(
		    l->store, gid, ll.at_ms, now_ms, &last_ms);
	if (r == 0)
		*lost_ms = ll.before_ms + ll.now_ms + last_ms;
	ledger_replay_clear(&ll.rp);
	return (r);
}
