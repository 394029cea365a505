/* SPDX-License-Identifier: ISC */
#include "common/tournament/verify_kept.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/base/hex.h"
#include "common/tournament/verify_shelf.h"

#define VERIFY_KEPT_CREATE 4096 /* bytes that a create order takes, about */
#define VERIFY_KEPT_TEXT 256 /* and the hash of a text that is not here */

struct verify_kept_game {
	uint8_t seal[HASH_LEN];
	struct verify_shelf_game g; /* its pointers are owned */
	size_t bytes; /* 0: it is not kept */
};

struct verify_kept {
	json_t *index; /* owned: number by id, in hex */
	struct verify_kept_game **games; /* owned, each */
	size_t n, room;
	size_t bytes, max;
	struct verify_kept_counts counts;
};

int
verify_kept_new(size_t max, struct verify_kept **out)
{
	struct verify_kept *k;

	if ((k = calloc(1, sizeof(*k))) == NULL)
		return (ERR_NOMEM);
	if ((k->index = json_object()) == NULL) {
		free(k);
		return (ERR_NOMEM);
	}
	k->max = max;
	*out = k;
	return (0);
}

/* Frees what a game owns. */
static void
verify_kept_clear(struct verify_shelf_game *g)
{
	json_decref(g->create);
	json_decref(g->texts);
	free(g->joins);
	free(g->lines);
	free(g->ends);
}

void
verify_kept_free(struct verify_kept *k)
{
	size_t i;

	if (k == NULL)
		return;
	for (i = 0; i < k->n; i++) {
		verify_kept_clear(&k->games[i]->g);
		free(k->games[i]);
	}
	free(k->games);
	json_decref(k->index);
	free(k);
}

struct verify_kept_counts
verify_kept_count(const struct verify_kept *k)
{
	return (k->counts);
}

/* A game by its id; NULL: nothing was ever kept of it. */
static struct verify_kept_game *
verify_kept_game(const struct verify_kept *k, const uint8_t game[HASH_LEN])
{
	char id[2 * HASH_LEN + 1];
	const json_t *at;

	hex_format(id, game, HASH_LEN);
	at = json_object_get(k->index, id);
	return (at == NULL ? NULL : k->games[json_integer_value(at)]);
}

/* Makes one of which nothing is kept yet; NULL: there is no memory. */
static struct verify_kept_game *
verify_kept_add(struct verify_kept *k, const uint8_t game[HASH_LEN])
{
	const size_t room = k->room == 0 ? 64 : 2 * k->room;
	char id[2 * HASH_LEN + 1];
	struct verify_kept_game *m;
	void *p;

	if (k->n == k->room) {
		p = realloc(k->games, room * sizeof(struct verify_kept_game *));
		if (p == NULL)
			return (NULL);
		k->games = p;
		k->room = room;
	}
	if ((m = calloc(1, sizeof(*m))) == NULL)
		return (NULL);
	hex_format(id, game, HASH_LEN);
	if (json_object_set_new_nocheck(
		k->index, id, json_integer((json_int_t)k->n)) != 0) {
		free(m);
		return (NULL);
	}
	k->games[k->n++] = m;
	return (m);
}

/* A copy of n members of a size, new; NULL if there are none. */
static int
verify_kept_copy(const void *from, size_t n, size_t size, void *out)
{
	void *p = NULL;

	if (n > 0 && (p = malloc(n * size)) == NULL)
		return (ERR_NOMEM);
	if (n > 0)
		memcpy(p, from, n * size);
	memcpy(out, &p, sizeof(p));
	return (0);
}

/* Makes a copy of what came out, which owns what it points to. */
static int
verify_kept_clone(
    const struct verify_shelf_game *from, struct verify_shelf_game *to)
{
	*to = *from;
	to->create = json_incref(from->create);
	to->texts = json_incref(from->texts);
	to->joins = NULL;
	to->lines = NULL;
	to->ends = NULL;
	if (verify_kept_copy(from->joins, from->n_joins, sizeof(*from->joins),
		&to->joins) == 0 &&
	    verify_kept_copy(from->lines, from->n_lines, sizeof(*from->lines),
		&to->lines) == 0 &&
	    verify_kept_copy(
		from->ends, from->n_ends, sizeof(*from->ends), &to->ends) == 0)
		return (0);
	verify_kept_clear(to);
	return (ERR_NOMEM);
}

/* One of the lines that were asked about; NULL: it was not. */
static const struct verify_shelf_line *
verify_kept_line(const struct verify_shelf_game *g, int64_t seq)
{
	size_t i;

	for (i = 0; i < g->n_lines; i++) {
		if (g->lines[i].seq == seq)
			return (&g->lines[i]);
	}
	return (NULL);
}

int
verify_kept_find(struct verify_kept *k, const uint8_t seal[HASH_LEN],
    struct verify_shelf_game *g)
{
	const struct verify_kept_game *m = verify_kept_game(k, g->game);
	const struct verify_shelf_line *line;
	struct verify_shelf_game had;
	size_t i;

	if (m == NULL || m->bytes == 0 || memcmp(m->seal, seal, HASH_LEN) != 0)
		return (ERR_NOTFOUND);
	for (i = 0; i < g->n_lines; i++) {
		if (verify_kept_line(&m->g, g->lines[i].seq) == NULL)
			return (ERR_NOTFOUND);
	}
	if (verify_kept_clone(&m->g, &had) != 0)
		return (ERR_NOMEM);
	for (i = 0; i < g->n_lines; i++) {
		line = verify_kept_line(&m->g, g->lines[i].seq);
		g->lines[i].is_there = line->is_there;
		g->lines[i].is_weighed = line->is_weighed;
		g->lines[i].look = line->look;
	}
	/* What is asked, and the caller's own, stay. */
	free(had.lines);
	had.lines = g->lines;
	had.n_lines = g->n_lines;
	had.seq = g->seq;
	had.is_counted = g->is_counted;
	*g = had;
	k->counts.found++;
	return (0);
}

int
verify_kept_put(struct verify_kept *k, const uint8_t seal[HASH_LEN],
    const struct verify_shelf_game *g)
{
	const size_t bytes = sizeof(struct verify_kept_game) + 2 * HASH_LEN +
	    (g->create == NULL ? 0 : VERIFY_KEPT_CREATE) +
	    json_object_size(g->texts) * VERIFY_KEPT_TEXT +
	    g->n_joins * sizeof(*g->joins) + g->n_lines * sizeof(*g->lines) +
	    g->n_ends * sizeof(*g->ends);
	struct verify_kept_game *m = verify_kept_game(k, g->game);
	struct verify_shelf_game copy;

	k->counts.verified++;
	/* What it was before is of no use any more. */
	if (m != NULL) {
		verify_kept_clear(&m->g);
		memset(&m->g, 0, sizeof(m->g));
		k->bytes -= m->bytes;
		m->bytes = 0;
	}
	if (k->bytes + bytes > k->max)
		return (0);
	if ((m == NULL && (m = verify_kept_add(k, g->game)) == NULL) ||
	    verify_kept_clone(g, &copy) != 0)
		return (ERR_NOMEM);
	memcpy(m->seal, seal, HASH_LEN);
	m->g = copy;
	m->bytes = bytes;
	k->bytes += bytes;
	return (0);
}
