/* SPDX-License-Identifier: ISC */
/*
 * Whoever met more than once has the mean of those games: sums are counted in
 * parts of a half point that the numbers up to 16 divide.
 */
#include "common/pairing/tiebreak_direct.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/err.h"
#include "common/pairing/crosstable.h"
#include "common/pairing/tiebreak.h"

#define DIRECT_UNIT 720720 /* parts of a half point */

struct direct {
	const struct tiebreak_in *in;
	size_t *order; /* players, best first as far as it is known */
	size_t *block; /* of each place in order: where its equals begin */
	bool *is_done; /* by that beginning: nothing parts them any more */
	int *of; /* of each player of the table: their block; -1: not tied */
	int64_t *sum; /* of each player: what they scored against equals */
	int64_t *most; /* and what with the missing games won */
};

/* True for a game among equals: forfeits are one in round robins alone. */
static bool
direct_is_game(const struct direct *d, const struct cross_game *g, int block)
{
	if (g->opponent < 0 || d->of[g->opponent] != block)
		return (false);
	return (d->in->is_roundrobin ||
	    crosstable_is_played((enum cross_result)g->result));
}

/* The mean of a player's games with the opponent of a round; 0 if counted. */
static bool
direct_mean(const struct direct *d, size_t player, int round, int64_t *mean)
{
	const struct crosstable *t = d->in->table;
	const struct cross_game *g = crosstable_game(t, player, round), *o;
	int block = d->of[player], n = 0, r;
	int64_t half = 0;

	for (r = 1; r <= d->in->rounds && r <= t->n_rounds; r++) {
		o = crosstable_game(t, player, r);
		if (o->opponent != g->opponent || !direct_is_game(d, o, block))
			continue;
		if (r < round)
			return (false);
		half += crosstable_worth(t, (enum cross_result)o->result);
		n++;
	}
	*mean = half * DIRECT_UNIT / n;
	return (true);
}

/* Sums up a player's games with equals, n of them; true if they met all. */
static bool
direct_sum(struct direct *d, size_t player, size_t n)
{
	const struct crosstable *t = d->in->table;
	int block = d->of[player], r;
	size_t met = 0;
	int64_t mean;

	d->sum[player] = 0;
	for (r = 1; r <= d->in->rounds && r <= t->n_rounds; r++)
		if (direct_is_game(d, crosstable_game(t, player, r), block) &&
		    direct_mean(d, player, r, &mean)) {
			d->sum[player] += mean;
			met++;
		}
	d->most[player] = d->sum[player] +
	    (int64_t)(n - 1 - met) * t->points.win * DIRECT_UNIT;
	return (met == n - 1);
}

/* Puts the places from..to-1 in order of their sums, then as they were. */
static void
direct_sort(struct direct *d, size_t from, size_t to)
{
	size_t i, k, player;

	for (i = from + 1; i < to; i++) {
		player = d->order[i];
		for (k = i;
		     k > from && d->sum[d->order[k - 1]] < d->sum[player]; k--)
			d->order[k] = d->order[k - 1];
		d->order[k] = player;
	}
}

/*
 * True if place i is above all that follow, whatever the missing games give
 * (6.3), or, if all were played, above the next (6.2).
 */
static bool
direct_is_above(const struct direct *d, size_t i, size_t to, bool is_whole)
{
	int64_t sum = d->sum[d->order[i]];
	size_t k;

	if (is_whole)
		return (sum > d->sum[d->order[i + 1]]);
	for (k = i + 1; k < to; k++)
		if (sum <= d->most[d->order[k]])
			return (false);
	return (true);
}

/* Parts those from..to-1, who are equal so far; true if it could. */
static bool
direct_part(struct direct *d, size_t from, size_t to)
{
	bool is_whole = true, may_part = true;
	size_t begin = from, i;

	for (i = from; i < to; i++)
		is_whole = direct_sum(d, d->order[i], to - from) && is_whole;
	direct_sort(d, from, to);
	for (i = from; i < to; i++) {
		d->block[i] = begin;
		if (i + 1 == to)
			break;
		if (may_part && direct_is_above(d, i, to, is_whole))
			begin = i + 1;
		else if (!is_whole)
			may_part = false; /* and nobody below is */
	}
	for (i = from; i < to; i++)
		d->of[d->order[i]] = (int)d->block[i];
	return (begin != from);
}

/* Goes through all blocks once; true if one was parted. */
static bool
direct_pass(struct direct *d, size_t n)
{
	bool has_parted = false;
	size_t from, to;

	for (from = 0; from < n; from = to) {
		for (to = from + 1; to < n && d->block[to] == from;)
			to++;
		if (to - from == 1 || d->is_done[from])
			continue;
		if (direct_part(d, from, to))
			has_parted = true;
		else
			d->is_done[from] = true;
	}
	return (has_parted);
}

int
tiebreak_direct(
    const struct tiebreak_in *in, const size_t *group, size_t n, int64_t *place)
{
	size_t i, players = in->table->n_players;
	struct direct d = {.in = in};
	int r = ERR_NOMEM;

	d.order = calloc(n + 1, sizeof(*d.order));
	d.block = calloc(n + 1, sizeof(*d.block));
	d.is_done = calloc(n + 1, sizeof(*d.is_done));
	d.of = calloc(players + 1, sizeof(*d.of));
	d.sum = calloc(players + 1, sizeof(*d.sum));
	d.most = calloc(players + 1, sizeof(*d.most));
	if (d.order == NULL || d.block == NULL || d.is_done == NULL ||
	    d.of == NULL || d.sum == NULL || d.most == NULL)
		goto out;
	for (i = 0; i < players; i++)
		d.of[i] = -1;
	for (i = 0; i < n; i++) {
		d.order[i] = group[i];
		d.of[group[i]] = 0;
	}
	while (direct_pass(&d, n))
		continue;
	for (i = 0; i < n; i++)
		place[i] = n > 0 && d.block[n - 1] == 0
		    ? 0
		    : (int64_t)d.of[group[i]] + 1;
	r = 0;
out:
	free(d.order);
	free(d.block);
	free(d.is_done);
	free(d.of);
	free(d.sum);
	free(d.most);
	return (r);
}
