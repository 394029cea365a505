/* SPDX-License-Identifier: ISC */
#include "common/pairing/crosstable.h"

#include <stdlib.h>
#include <string.h>

struct crosstable *
crosstable_new(size_t n_players, int n_rounds)
{
	struct crosstable *t;
	size_t i, n = n_players * (size_t)n_rounds;

	if ((t = calloc(1, sizeof(*t))) == NULL)
		return (NULL);
	t->players = calloc(n_players + 1, sizeof(*t->players));
	t->games = calloc(n + 1, sizeof(*t->games));
	if (t->players == NULL || t->games == NULL) {
		crosstable_free(t);
		return (NULL);
	}
	t->n_players = n_players;
	t->n_rounds = n_rounds;
	for (i = 0; i < n_players; i++)
		t->players[i].number = (int)i + 1;
	for (i = 0; i < n; i++)
		t->games[i].opponent = -1;
	t->points = (struct cross_points){.win = 2, .draw = 1, .bye = 2};
	return (t);
}

void
crosstable_free(struct crosstable *t)
{
	size_t i;

	if (t == NULL)
		return;
	for (i = 0; i < t->n_apart; i++)
		free(t->apart[i].players);
	free(t->apart);
	free(t->corrections);
	free(t->players);
	free(t->games);
	free(t);
}

int
crosstable_widen(struct crosstable *t, int n_rounds)
{
	struct cross_game *games;
	size_t i, n = t->n_players * (size_t)n_rounds;

	if (n_rounds <= t->n_rounds)
		return (0);
	if ((games = calloc(n + 1, sizeof(*games))) == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < n; i++)
		games[i].opponent = -1;
	for (i = 0; i < t->n_players && t->n_rounds > 0; i++)
		memcpy(&games[i * (size_t)n_rounds], crosstable_game(t, i, 1),
		    (size_t)t->n_rounds * sizeof(*games));
	free(t->games);
	t->games = games;
	t->n_rounds = n_rounds;
	return (0);
}

struct cross_game *
crosstable_game(const struct crosstable *t, size_t player, int round)
{
	return (&t->games[player * (size_t)t->n_rounds + (size_t)round - 1]);
}

bool
crosstable_is_played(enum cross_result result)
{
	return (result == CROSS_WIN || result == CROSS_DRAW ||
	    result == CROSS_LOSS);
}

bool
crosstable_is_paired(const struct cross_game *g)
{
	return (g->opponent >= 0 || g->result == CROSS_BYE);
}

int
crosstable_worth(const struct crosstable *t, enum cross_result result)
{
	switch (result) {
	case CROSS_WIN:
	case CROSS_FORFEIT_WIN:
	case CROSS_FULL_BYE:
		return (t->points.win);
	case CROSS_DRAW:
	case CROSS_HALF_BYE:
		return (t->points.draw);
	case CROSS_LOSS:
		return (t->points.loss);
	case CROSS_FORFEIT_LOSS:
		return (t->points.forfeit_loss);
	case CROSS_BYE:
		return (t->points.bye);
	case CROSS_NONE:
	case CROSS_ZERO_BYE:
		return (t->points.absent);
	}
	return (0);
}

int
crosstable_corrected(const struct crosstable *t, size_t player, int round)
{
	const struct cross_correction *c;
	size_t i;
	int half = 0;

	for (i = 0; i < t->n_corrections; i++) {
		c = &t->corrections[i];
		if (c->player == (int)player && c->round <= round)
			half += c->half;
	}
	return (half);
}

int
crosstable_score(const struct crosstable *t, size_t player, int round)
{
	int half = crosstable_corrected(t, player, round);
	int r;

	for (r = 1; r <= round && r <= t->n_rounds; r++)
		half += crosstable_worth(t,
		    (enum cross_result)crosstable_game(t, player, r)->result);
	return (half < 0 ? 0 : half);
}

/* True if the round is a bye on request, of any worth, for everybody. */
static bool
crosstable_is_idle(const struct crosstable *t, int round)
{
	size_t i;

	for (i = 0; i < t->n_players; i++)
		if (crosstable_game(t, i, round)->result == CROSS_NONE)
			return (false);
	return (t->n_players > 0);
}

int
crosstable_paired(const struct crosstable *t)
{
	size_t i;
	int r;

	for (r = t->n_rounds; r > 0; r--)
		for (i = 0; i < t->n_players; i++)
			if (crosstable_is_paired(crosstable_game(t, i, r)))
				goto out;
out:
	if (r < t->n_rounds && crosstable_is_idle(t, r + 1))
		r++;
	return (r);
}

int
crosstable_find(const struct crosstable *t, int number)
{
	size_t low = 0, high = t->n_players, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (t->players[mid].number < number)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < t->n_players && t->players[low].number == number)
		return ((int)low);
	return (-1);
}

int
crosstable_add_apart(
    struct crosstable *t, int first, int last, const int *players, size_t n)
{
	struct cross_apart *a;
	int *copy;

	a = realloc(t->apart, (t->n_apart + 1) * sizeof(*a));
	if (a == NULL)
		return (ERR_NOMEM);
	t->apart = a;
	if ((copy = malloc((n + 1) * sizeof(*copy))) == NULL)
		return (ERR_NOMEM);
	if (n > 0)
		memcpy(copy, players, n * sizeof(*copy));
	a[t->n_apart++] = (struct cross_apart){first, last, n, copy};
	return (0);
}

int
crosstable_add_correction(struct crosstable *t, int player, int round, int half)
{
	struct cross_correction *c;

	c = realloc(t->corrections, (t->n_corrections + 1) * sizeof(*c));
	if (c == NULL)
		return (ERR_NOMEM);
	t->corrections = c;
	c[t->n_corrections++] = (struct cross_correction){player, round, half};
	return (0);
}

/* True if the group has the player. */
static bool
crosstable_has(const struct cross_apart *g, int player)
{
	size_t i;

	for (i = 0; i < g->n; i++)
		if (g->players[i] == player)
			return (true);
	return (false);
}

bool
crosstable_is_apart(const struct crosstable *t, int a, int b, int round)
{
	const struct cross_apart *g;
	size_t i;

	for (i = 0; i < t->n_apart; i++) {
		g = &t->apart[i];
		if (g->first <= round && round <= g->last &&
		    crosstable_has(g, a) && crosstable_has(g, b))
			return (true);
	}
	return (false);
}

/* True if the two results can be those of one game. */
static bool
crosstable_fits(enum cross_result a, enum cross_result b)
{
	switch (a) {
	case CROSS_WIN:
		return (b == CROSS_LOSS);
	case CROSS_DRAW: /* half to one and nothing to the other: by ruling */
		return (b == CROSS_DRAW || b == CROSS_LOSS);
	case CROSS_LOSS:
		return (crosstable_is_played(b));
	case CROSS_FORFEIT_WIN:
		return (b == CROSS_FORFEIT_LOSS);
	case CROSS_FORFEIT_LOSS:
		return (b == CROSS_FORFEIT_WIN || b == CROSS_FORFEIT_LOSS);
	case CROSS_NONE:
	case CROSS_BYE:
	case CROSS_FULL_BYE:
	case CROSS_HALF_BYE:
	case CROSS_ZERO_BYE:
		break;
	}
	return (false);
}

int
crosstable_check(const struct crosstable *t, size_t *player, struct errinfo *e)
{
	const struct cross_game *g, *o;
	const char *what;
	size_t i;
	int r;

	for (i = 0; i < t->n_players; i++)
		for (r = 1; r <= t->n_rounds; r++) {
			g = crosstable_game(t, i, r);
			if (g->opponent < 0)
				continue;
			o = crosstable_game(t, (size_t)g->opponent, r);
			if (o->opponent != (int)i)
				what = "another opponent";
			else if (g->side + o->side != 3 &&
			    (crosstable_is_played(
				 (enum cross_result)g->result) ||
				g->side + o->side != 0))
				what = "no other side";
			else if (!crosstable_fits((enum cross_result)g->result,
				     (enum cross_result)o->result))
				what = "a result that does not fit";
			else
				continue;
			*player = i;
			return (err_set(e, ERR_INVALID, NULL,
			    "round %d of player %d is against player %d, "
			    "whose line has %s",
			    r, t->players[i].number,
			    t->players[g->opponent].number, what));
		}
	return (0);
}
