/* SPDX-License-Identifier: ISC */
/* The games that the ledger has in memory, the last used first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"
#include "server/ledger_int.h"
#include "server/store.h"

/* The bucket of an id; ids are hashes, so their bytes are spread well. */
static struct ledger_bucket *
ledger_game_bucket(struct ledger *l, const uint8_t id[HASH_LEN])
{
	return (&l->buckets[(id[0] << 8 | id[1]) % LEDGER_BUCKETS]);
}

/* Notes that the present batch uses the game. */
static void
ledger_game_touch(struct ledger *l, struct ledger_game *lg)
{
	lg->batch = l->batch;
	TAILQ_REMOVE(&l->games, lg, used);
	TAILQ_INSERT_HEAD(&l->games, lg, used);
}

struct ledger_game *
ledger_game_find(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct ledger_game *lg;

	LIST_FOREACH(lg, ledger_game_bucket(l, id), bucket)
	{
		if (memcmp(game_id(lg->game), id, HASH_LEN) == 0) {
			ledger_game_touch(l, lg);
			return (lg);
		}
	}
	return (NULL);
}

/*
 * Gives a game back a choice that is held for it.  One that is not what was
 * committed, in a damaged database, is left out: the other side's commit
 * then finds none and fails, but the game can still be ended.
 */
static int
ledger_game_hold_cb(void *arg, const struct game_held *held)
{
	int r;

	r = game_hold(arg, held);
	if (r == 0 || r == ERR_NOMEM)
		return (r);
	log_errorx("the secret choice held for seat %d of a game is not what "
		   "was committed: %s; run umpired --check",
	    held->seat, err_name(r));
	return (0);
}

/* Gives a game back the text of a standing order, likewise. */
static int
ledger_game_standing_cb(void *arg, const struct game_standing_text *t)
{
	int r;

	r = game_hold_standing(arg, t);
	if (r == 0 || r == ERR_NOMEM)
		return (r);
	log_errorx("the standing order held for line %lld of a game is not "
		   "what was committed: %s; run umpired --check",
	    (long long)t->seq, err_name(r));
	return (0);
}

int
ledger_game_get(struct ledger *l, const uint8_t id[HASH_LEN],
    struct ledger_game **out, struct errinfo *e)
{
	struct store_game_row row;
	struct game *g;
	int r;

	*out = ledger_game_find(l, id);
	if (*out != NULL)
		return (0);
	buf_reset(&l->snapshot);
	r = store_game_find(l->store, id, &row, &l->snapshot);
	if (r != 0)
		return (r);
	r = game_load(l->snapshot.data, l->snapshot.len, &l->blobs, &g, e);
	if (r != 0)
		return (r);
	if (game_has_held(g))
		r = store_secret_each(
		    l->store, row.gid, ledger_game_hold_cb, g);
	if (r == 0)
		r = store_standing_each(
		    l->store, row.gid, ledger_game_standing_cb, g);
	if (r != 0) {
		game_free(g);
		return (r);
	}
	return (ledger_game_put(l, row.gid, g, out));
}

int
ledger_game_put(
    struct ledger *l, int64_t gid, struct game *g, struct ledger_game **out)
{
	struct ledger_game *lg;

	lg = calloc(1, sizeof(*lg));
	if (lg == NULL) {
		game_free(g);
		return (ERR_NOMEM);
	}
	if (l->n_games >= LEDGER_GAMES)
		ledger_game_drop(l, TAILQ_LAST(&l->games, ledger_games));
	lg->gid = gid;
	lg->game = g;
	lg->batch = l->batch;
	TAILQ_INSERT_HEAD(&l->games, lg, used);
	LIST_INSERT_HEAD(ledger_game_bucket(l, game_id(g)), lg, bucket);
	l->n_games++;
	*out = lg;
	return (0);
}

void
ledger_game_drop(struct ledger *l, struct ledger_game *lg)
{
	TAILQ_REMOVE(&l->games, lg, used);
	LIST_REMOVE(lg, bucket);
	l->n_games--;
	game_free(lg->game);
	free(lg);
}

void
ledger_game_drop_batch(struct ledger *l)
{
	struct ledger_game *lg, *next;

	/* Those that the batch used are in front. */
	for (lg = TAILQ_FIRST(&l->games); lg != NULL && lg->batch == l->batch;
	     lg = next) {
		next = TAILQ_NEXT(lg, used);
		ledger_game_drop(l, lg);
	}
}

void
ledger_game_drop_all(struct ledger *l)
{
	struct ledger_game *lg, *next;

	for (lg = TAILQ_FIRST(&l->games); lg != NULL; lg = next) {
		next = TAILQ_NEXT(lg, used);
		ledger_game_drop(l, lg);
	}
}

int
ledger_game_store(struct ledger *l, const struct ledger_game *lg)
{
	const struct game *g = lg->game;
	struct store_game_row row = {.gid = lg->gid};
	int i, r;

	buf_reset(&l->snapshot);
	r = game_save(g, &l->snapshot);
	if (r != 0)
		return (r);
	snprintf(
	    row.phase, sizeof(row.phase), "%s", game_phase_name(game_phase(g)));
	for (i = 0; i < 2; i++)
		snprintf(row.accounts[i], sizeof(row.accounts[i]), "%s",
		    game_account(g, i + 1));
	row.seq = game_seq(g);
	row.at_ms = game_at_ms(g);
	row.turn = game_turn(g);
	return (store_game_update(
	    l->store, &row, l->snapshot.data, l->snapshot.len));
}
