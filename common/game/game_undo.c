/* SPDX-License-Identifier: ISC */
/*
 * Takebacks (record S5): of each line that may be taken back, what the
 * roster, the turn and the cups were before it.  An entry holds what changes
 * from its line on up to the next entry, so that a combat that goes on over
 * several lines goes back as one.  Nothing here moves the pool, and no
 * counter of places goes back: dice that fell stay.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/game/game_int.h"
#include "common/game/game_undo.h"
#include "common/rules/roster.h"

#define GAME_UNDO_MAX 256 /* entries that are kept */

/* Frees what one entry holds. */
static void
game_undo_release(struct game_undo *u)
{
	json_decref(u->units);
	json_decref(u->chits);
}

/* The newest entry; NULL if there is none. */
static struct game_undo *
game_undo_newest(const struct game *g)
{
	return (g->n_undos == 0 ? NULL : &g->undos[g->n_undos - 1]);
}

/* Makes room: what is out of reach when another line comes stays so. */
static void
game_undo_forget(struct game *g)
{
	size_t i, n = 0;

	while (n < g->n_undos && g->undos[n].turn < g->turn - 1)
		n++;
	if (n == 0 && g->n_undos == GAME_UNDO_MAX)
		n = 1;
	for (i = 0; i < n; i++)
		game_undo_release(&g->undos[i]);
	g->n_undos -= n;
	if (n > 0)
		memmove(g->undos, g->undos + n, g->n_undos * sizeof(*g->undos));
}

int
game_undo_begin(struct game *g)
{
	struct game_undo *u = game_undo_newest(g), *undos;

	if (u != NULL && u->seq == g->seq + 1)
		return (0);
	game_undo_forget(g);
	undos = realloc(g->undos, (g->n_undos + 1) * sizeof(*undos));
	if (undos == NULL)
		return (ERR_NOMEM);
	g->undos = undos;
	u = &undos[g->n_undos++];
	memset(u, 0, sizeof(*u));
	u->seq = g->seq + 1;
	u->turn = g->turn;
	u->truce = g->truce;
	u->rounds = g->rounds;
	return (0);
}

int
game_undo_drew(struct game *g, const char *cup, const json_t *chits)
{
	struct game_undo *u = game_undo_newest(g);
	json_t *copy;

	if (u == NULL)
		return (ERR_FAULT);
	if ((copy = json_deep_copy(chits)) == NULL)
		return (ERR_NOMEM);
	json_decref(u->chits);
	u->chits = copy;
	(void)snprintf(u->cup, sizeof(u->cup), "%s", cup);
	return (0);
}

int
game_undo_note(struct game *g)
{
	struct game_undo *u = game_undo_newest(g);
	json_t *journal, *former;
	const char *id;
	int r = 0;

	journal = g->roster == NULL ? NULL : roster_journal_take(g->roster);
	json_object_foreach(journal, id, former)
	{
		if (json_equal(former, roster_find(g->roster, id, NULL)))
			continue;
		game_offer_unit(g, id);
		/* Its first former object counts. */
		if (r != 0 || u == NULL ||
		    json_object_get(u->units, id) != NULL)
			continue;
		if ((u->units == NULL && (u->units = json_object()) == NULL) ||
		    json_object_set(u->units, id, former) != 0)
			r = ERR_NOMEM;
	}
	json_decref(journal);
	return (r);
}

void
game_undo_void(struct game *g, int64_t seq)
{
	const struct game_undo *u = game_undo_newest(g);

	if (u == NULL || u->seq != seq)
		return;
	g->rounds = u->rounds;
	game_undo_drop(g, seq);
}

void
game_undo_drop(struct game *g, int64_t seq)
{
	struct game_undo *u = game_undo_newest(g);

	if (u == NULL || u->seq != seq)
		return;
	game_undo_release(u);
	g->n_undos--;
}

/* The entry of a line; g->n_undos if there is none. */
static size_t
game_undo_find(const struct game *g, int64_t seq)
{
	size_t i;

	for (i = 0; i < g->n_undos; i++) {
		if (g->undos[i].seq == seq)
			break;
	}
	return (i);
}

bool
game_undo_reaches(const struct game *g, int64_t seq)
{
	size_t i = game_undo_find(g, seq);

	/*
	 * A turn.end that stands makes the game's turn one more, so that
	 * what stands behind the last but one was given in this turn or the
	 * one before it.
	 */
	return (i < g->n_undos && g->undos[i].turn >= g->turn - 1);
}

int64_t
game_undoable(const struct game *g, int64_t before)
{
	size_t i;

	for (i = g->n_undos; i > 0; i--) {
		if (g->undos[i - 1].seq < before &&
		    game_undo_reaches(g, g->undos[i - 1].seq))
			return (g->undos[i - 1].seq);
	}
	return (-1);
}

/* Puts the chits that a line drew back into their cup, if they are out. */
static int
game_undo_return(struct game *g, const struct game_undo *u)
{
	struct game_cup *cup = game_cup_find(g, u->cup);
	json_t *chit;
	size_t i, j;

	if (cup == NULL)
		return (0);
	json_array_foreach(u->chits, i, chit)
	{
		for (j = 0; j < json_array_size(cup->out); j++) {
			if (json_equal(json_array_get(cup->out, j), chit))
				break;
		}
		if (j == json_array_size(cup->out))
			continue;
		if (json_array_append(cup->in, chit) != 0 ||
		    json_array_remove(cup->out, j) != 0)
			return (ERR_NOMEM);
	}
	return (0);
}

/* Takes out what had joined; its id is not used again (S5.2). */
static int
game_undo_leave(struct game *g, const char *id)
{
	int r;

	if (g->spent == NULL && (g->spent = json_object()) == NULL)
		return (ERR_NOMEM);
	if (json_object_set_new(g->spent, id, json_true()) != 0)
		return (ERR_NOMEM);
	game_worth_leave(g, id);
	r = roster_drop(g->roster, id);
	return (r == 0 || r == ERR_NOMEM ? r : ERR_FAULT);
}

int
game_undo_back(struct game *g, int64_t seq)
{
	size_t first = game_undo_find(g, seq);
	struct game_undo *u;
	const char *id;
	json_t *former;
	int r;

	game_end_combat(g);
	while (g->n_undos > first) {
		u = game_undo_newest(g);
		json_object_foreach(u->units, id, former)
		{
			r = json_is_null(former)
			    ? game_undo_leave(g, id)
			    : roster_put(g->roster, id, former);
			if (r != 0)
				return (r == ERR_NOMEM ? r : ERR_FAULT);
		}
		if ((r = game_undo_return(g, u)) != 0)
			return (r);
		g->turn = u->turn;
		g->truce = u->truce;
		g->rounds = u->rounds;
		game_undo_drop(g, u->seq);
	}
	/* Putting something back is not a change that could be taken back. */
	if (g->roster != NULL)
		json_decref(roster_journal_take(g->roster));
	game_offer_void(g);
	return (0);
}

void
game_undo_clear(struct game *g)
{
	size_t i;

	for (i = 0; i < g->n_undos; i++)
		game_undo_release(&g->undos[i]);
	free(g->undos);
	g->undos = NULL;
	g->n_undos = 0;
}
