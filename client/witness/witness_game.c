/* SPDX-License-Identifier: ISC */
#include "client/witness/witness_game.h"

#include <string.h>

#include "common/base/buf.h"
#include "common/game/game.h"
#include "common/game/game_entry.h"
#include "common/game/verify.h"

#define WITNESS_GAME_UNSAVED 32 /* lines that a crash may have read again */

/* Frees a place. */
static void
witness_game_clear(struct witness_game *g)
{
	verify_free(g->v);
	explicit_bzero(g, sizeof(*g));
}

void
witness_games_clear(struct witness_games *gs)
{
	size_t i;

	for (i = 0; i < WITNESS_GAMES; i++)
		witness_game_clear(&gs->list[i]);
}

/* Saves a game, if it has so many lines that are not. */
static int
witness_games_save_one(
    struct witness_games *gs, struct witness_game *g, int64_t least)
{
	struct buf b;
	int r;

	if (g->gid == 0 || g->n - g->saved < least)
		return (0);
	buf_init(&b, 0);
	r = verify_save(g->v, &b);
	if (r == 0)
		r = witness_store_save(gs->store, g->gid, g->n, b.data, b.len);
	if (r == 0)
		g->saved = g->n;
	buf_clear(&b);
	/* What a newer umpire made is read from its lines. */
	return (r == ERR_STALE ? 0 : r);
}

int
witness_games_save(struct witness_games *gs)
{
	size_t i;
	int r = 0;

	for (i = 0; i < WITNESS_GAMES && r == 0; i++)
		r = witness_games_save_one(gs, &gs->list[i], 1);
	return (r);
}

/* Gives a blob of the store to the verifier. */
static int
witness_game_blob_cb(
    void *arg, const uint8_t hash[HASH_LEN], const char *value, size_t len)
{
	(void)hash;
	return (verify_add_blob(arg, value, len));
}

/* Makes an empty verifier that has the game's blobs. */
static int
witness_games_new(struct witness_games *gs, int64_t gid, struct verify **out)
{
	const struct verify_options opt = {
	    .head_seq = -1, .server = gs->server};
	struct verify *v;
	int r;

	if ((r = verify_new(&opt, &v)) != 0)
		return (r);
	verify_set_checker(v, gs->checker);
	r = witness_store_each_blob(gs->store, gid, witness_game_blob_cb, v);
	if (r != 0)
		verify_free(v);
	else
		*out = v;
	return (r);
}

/* Makes a verifier of what was saved; ERR_NOTFOUND if that is of no use. */
static int
witness_games_resume(
    struct witness_games *gs, int64_t gid, struct witness_game *g)
{
	struct errinfo e;
	struct buf b;
	int r;

	buf_init(&b, 0);
	r = witness_store_saved(gs->store, gid, &g->n, &b);
	if (r == 0 && (r = witness_games_new(gs, gid, &g->v)) == 0 &&
	    verify_load(g->v, b.data, b.len, &e) != 0) {
		/* Another umpire has saved it. */
		verify_free(g->v);
		g->v = NULL;
		r = ERR_NOTFOUND;
	}
	buf_clear(&b);
	return (r);
}

/* Reads what the store holds of a game. */
static int
witness_games_read(struct witness_games *gs, const struct witness_row *row,
    struct witness_game *g, struct errinfo *e)
{
	struct buf line, next;
	int r;

	r = witness_games_resume(gs, row->gid, g);
	if (r == ERR_NOTFOUND) {
		g->n = 0;
		r = witness_games_new(gs, row->gid, &g->v);
	}
	g->saved = g->n;
	buf_init(&line, 0);
	buf_init(&next, 0);
	if (r == 0 && g->n < row->n)
		r = witness_store_line(gs->store, row->gid, g->n, &next);
	for (; r == 0 && g->n < row->n; g->n++) {
		buf_reset(&line);
		buf_add(&line, next.data, next.len);
		buf_reset(&next);
		if (g->n + 1 < row->n)
			r = witness_store_line(
			    gs->store, row->gid, g->n + 1, &next);
		/* It may say that the rules failed. */
		verify_peek(g->v, buf_str(&next), next.len);
		if (r == 0)
			r = buf_error(&line);
		if (r == 0 &&
		    (r = verify_line(g->v, line.data, line.len, e)) != 0)
			r = err_set(e, r == ERR_NOMEM ? r : ERR_BAD, NULL,
			    "what is kept of line %lld does not hold",
			    (long long)g->n);
		gs->read++;
	}
	buf_clear(&line);
	buf_clear(&next);
	return (r);
}

int
witness_games_want(struct witness_games *gs, const struct witness_row *row,
    struct witness_game **out, struct errinfo *e)
{
	struct witness_game *g = &gs->list[0];
	size_t i;
	int r;

	for (i = 0; i < WITNESS_GAMES; i++) {
		if (gs->list[i].gid == row->gid) {
			g = &gs->list[i];
			break;
		}
		if (gs->list[i].used < g->used)
			g = &gs->list[i];
	}
	if (g->gid != row->gid) {
		if ((r = witness_games_save_one(gs, g, 1)) != 0)
			return (r);
		witness_game_clear(g);
		if ((r = witness_games_read(gs, row, g, e)) != 0) {
			witness_game_clear(g);
			return (r);
		}
		g->gid = row->gid;
	}
	g->used = ++gs->count;
	verify_set_checker(g->v, gs->checker);
	verify_set_own(g->v, &g->own);
	if ((r = witness_games_save_one(gs, g, WITNESS_GAME_UNSAVED)) != 0)
		return (r);
	*out = g;
	return (0);
}

void
witness_games_drop(struct witness_games *gs, int64_t gid)
{
	size_t i;

	for (i = 0; i < WITNESS_GAMES; i++) {
		if (gs->list[i].gid == gid)
			witness_game_clear(&gs->list[i]);
	}
}

const struct game *
witness_game_state(const struct witness_game *g)
{
	return (verify_game(g->v));
}

const struct game_entry *
witness_game_entry(const struct witness_game *g)
{
	return (game_history_get(verify_history(g->v), g->n - 1));
}

int
witness_game_take(
    struct witness_game *g, const char *line, size_t len, struct errinfo *e)
{
	int r;

	if ((r = verify_line(g->v, line, len, e)) == 0)
		g->n++;
	return (r);
}
