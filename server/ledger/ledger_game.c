/* SPDX-License-Identifier: ISC */
/* The games that the ledger has in memory, the last used first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/game/game_take.h"
#include "server/ledger/ledger_int.h"
#include "server/store/kept.h"
#include "server/store/store.h"

/* The bucket of an id; ids are hashes, so their bytes are spread well. */
static struct ledger_bucket *
ledger_game_bucket(struct ledger *l, const uint8_t id[HASH_LEN])
{
	return (&l->buckets[(id[0] << 8 | id[1]) % LEDGER_BUCKETS]);
}

struct ledger_game *
ledger_game_find(struct ledger *l, const uint8_t id[HASH_LEN])
{
	struct ledger_game *lg;

	LIST_FOREACH(lg, ledger_game_bucket(l, id), bucket)
	{
		if (memcmp(game_id(lg->game), id, HASH_LEN) == 0) {
			lg->batch = l->batch;
			TAILQ_REMOVE(&l->games, lg, used);
			TAILQ_INSERT_HEAD(&l->games, lg, used);
			return (lg);
		}
	}
	return (NULL);
}

/*
 * Gives a game back a choice that is held for it.  One that is not what was
 * committed is left out, and so is missed.
 */
static int
ledger_game_hold_cb(void *arg, const struct game_held *held)
{
	const int r = game_hold(arg, held);

	return (r == ERR_NOMEM ? r : 0);
}

/* Gives a game back the text of a standing order, likewise. */
static int
ledger_game_standing_cb(void *arg, const struct game_standing_text *t)
{
	const int r = game_hold_standing(arg, t);

	return (r == ERR_NOMEM ? r : 0);
}

/* The seats of a game, held against its state. */
struct ledger_game_seats {
	const struct game *g;
	int n; /* rows that are right */
};

/* Looks at one; 1 ends it. */
static int
ledger_game_seat_cb(void *arg, int seat, const char *account)
{
	struct ledger_game_seats *seats = arg;

	if (strcmp(game_account(seats->g, seat), account) != 0)
		return (1);
	seats->n++;
	return (0);
}

/* Gives a game what is held for it; *is_lost if some of that is not there. */
static int
ledger_game_fill(struct ledger *l, int64_t gid, struct game *g, bool *is_lost,
    struct errinfo *e)
{
	struct ledger_game_seats seats = {.g = g};
	int64_t turns;
	int64_t n;
	int i;
	int r;

	turns = game_turn(g) > 0 ? game_turns_ended(g) + 1 : 0;
	r = store_game_seats(l->store, gid, ledger_game_seat_cb, &seats);
	if (r < 0)
		return (r);
	for (i = 0; i < GAME_SLOTS; i++)
		seats.n -= game_is_joined(g, game_slot_seat(i));
	if (r != 0 || seats.n != 0)
		return (err_set(e, ERR_BAD, "",
		    "who sits in it is not what its lines say"));
	if ((r = store_turn_count(l->store, gid, &n)) != 0)
		return (r);
	if (n != turns)
		return (err_set(e, ERR_BAD, "",
		    "when its turns ended is not what its lines say"));
	if (game_has_held(g))
		r = store_secret_each(l->store, gid, ledger_game_hold_cb, g);
	if (r == 0)
		r = store_standing_each(
		    l->store, gid, ledger_game_standing_cb, g);
	if (r == 0 && (r = game_check_held(g, e)) != 0)
		*is_lost = true;
	return (r);
}

/* ERR_DAMAGED if a game is known to be damaged, though its state may fit. */
static int
ledger_game_check_damage(struct ledger *l, int64_t gid, struct errinfo *e)
{
	char why[STORE_WHY_MAX];
	int r;

	r = store_standstill_why(l->store, gid, why);
	if (r == 0 && strcmp(why, STORE_WHY_DAMAGED) != 0)
		return (0);
	if (r == 0)
		return (
		    err_set(e, ERR_DAMAGED, "", "%s", err_text(ERR_DAMAGED)));
	return (r == ERR_NOTFOUND ? 0 : r);
}

int
ledger_game_misfit(struct ledger *l, const struct store_game_row *row,
    bool is_lost, const struct errinfo *why, struct errinfo *e)
{
	int r;

	if ((r = ledger_game_check_damage(l, row->gid, e)) != 0)
		return (r);
	l->misfit.is_set = true;
	l->misfit.is_lost = is_lost;
	memcpy(l->misfit.game, row->id, HASH_LEN);
	l->misfit.why = *why;
	return (ERR_BAD);
}

int
ledger_game_get(struct ledger *l, const uint8_t id[HASH_LEN],
    struct ledger_game **out, struct errinfo *e)
{
	struct errinfo why = {.text = ""};
	bool fits, is_lost = false;
	struct store_game_row row;
	struct game *g = NULL;
	int r;

	*out = ledger_game_find(l, id);
	if (*out != NULL)
		return (0);
	buf_reset(&l->snapshot);
	r = store_game_load(l->store, id, &row, &l->snapshot, &fits);
	if (r != 0)
		return (r);
	r = kept_make(&row, &l->snapshot, fits, &l->blobs, &g, &why);
	if (r == 0)
		r = ledger_game_fill(l, row.gid, g, &is_lost, &why);
	/* What a game that recovers lacks may come back. */
	if (r == ERR_BAD && is_lost && ledger_recovery_find(l, id) != NULL)
		r = 0;
	else if (r == ERR_BAD)
		r = ledger_game_misfit(l, &row, is_lost, &why, e);
	else if (r == 0)
		r = ledger_game_check_damage(l, row.gid, e);
	/* What is lost is known: it can still be ended. */
	if (r == ERR_DAMAGED && is_lost)
		r = 0;
	if (r != 0) {
		game_free(g);
		return (r);
	}
	if ((r = ledger_game_put(l, row.gid, g, out)) == 0)
		(*out)->is_lost = is_lost;
	return (r);
}

int
ledger_game_mend(struct ledger *l, struct ledger_job *job)
{
	struct ledger_game *lg;
	size_t i;
	int r;

	for (i = 0; i < job->n_games; i++) {
		lg = ledger_game_find(l, job->games[i]);
		if (lg != NULL)
			ledger_game_drop(l, lg);
		r = ledger_game_get(l, job->games[i], &lg, &job->e);
		if (r == ERR_NOTFOUND || (r == ERR_DAMAGED && job->n_games > 1))
			continue;
		if (r != 0)
			return (ledger_fault(l, r, "read a game"));
	}
	return (0);
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

	ledger_tournament_drop_batch(l);
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

	ledger_tournament_drop_all(l);
	for (lg = TAILQ_FIRST(&l->games); lg != NULL; lg = next) {
		next = TAILQ_NEXT(lg, used);
		ledger_game_drop(l, lg);
	}
}

int
ledger_game_store(struct ledger *l, int64_t gid, const struct game *g)
{
	const char *how = game_how_name(game_how(g));
	struct store_game_row row = {.gid = gid, .winner = game_winner(g)};
	int i, r;

	if ((r = kept_words(g, &row)) != 0)
		return (r);
	buf_reset(&l->snapshot);
	r = game_save(g, &l->snapshot);
	if (r != 0)
		return (r);
	snprintf(
	    row.phase, sizeof(row.phase), "%s", game_phase_name(game_phase(g)));
	for (i = 0; i < 2; i++)
		snprintf(row.accounts[i], sizeof(row.accounts[i]), "%s",
		    game_account(g, i + 1));
	snprintf(row.how, sizeof(row.how), "%s", how == NULL ? "" : how);
	row.seq = game_seq(g);
	row.at_ms = game_at_ms(g);
	row.turn = game_turn(g);
	return (store_game_update(
	    l->store, &row, game_head(g), l->snapshot.data, l->snapshot.len));
}
