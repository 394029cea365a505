/* SPDX-License-Identifier: ISC */
#include "common/pairing/dutch.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/dutch_int.h"
#include "common/pairing/matching.h"
#include "common/pairing/wide.h"

/* 1.4: the floats of a round. */
static void
dutch_float(const struct entrant_field *f, const struct entrant_round *round,
    size_t at, bool *down, bool *up)
{
	int other;

	if (!round->played) {
		*down = round->points > f->loss;
		return;
	}
	other = f->entrants[round->opponent].rounds[at].score;
	*down = round->score > other;
	*up = round->score < other;
}

/* C2: no bye for who had one, or a win's points without a game. */
static bool
dutch_may_have_bye(
    const struct entrant_field *f, const struct entrant_round *rounds)
{
	size_t i;

	for (i = 0; i < f->rounds; i++) {
		if (!rounds[i].played &&
		    (rounds[i].points >= f->win ||
			(rounds[i].paired && rounds[i].opponent < 0)))
			return (false);
	}
	return (true);
}

/* What pairing needs to know of somebody who is here. */
static void
dutch_read(const struct entrant_field *f, int who, struct dutch_player *p)
{
	const struct entrant *e;
	size_t ago;

	memset(p, 0, sizeof(*p));
	e = &f->entrants[who];
	p->entrant = who;
	p->score = e->score;
	side_read(&p->past, e->rounds, f->rounds);
	p->played = (int)p->past.games;
	p->may_bye = dutch_may_have_bye(f, e->rounds);
	/* 1.8: over half of what could be won before the last round. */
	p->is_top = f->rounds + 1 >= f->rounds_all &&
	    2 * e->score > f->win * (int)f->rounds;
	for (ago = 0; ago < 2 && ago < f->rounds; ago++)
		dutch_float(f, &e->rounds[f->rounds - 1 - ago],
		    f->rounds - 1 - ago, &p->down[ago], &p->up[ago]);
}

/* Sorts by score, the seed's order kept; numbers the groups. */
static int
dutch_sort(struct dutch *d)
{
	struct dutch_player p;
	int i, j;

	for (i = 1; i < d->n; i++) {
		p = d->players[i];
		for (j = i; j > 0 && d->players[j - 1].score < p.score; j--)
			d->players[j] = d->players[j - 1];
		d->players[j] = p;
	}
	d->groups = calloc((size_t)d->n + 1, sizeof(*d->groups));
	if (d->groups == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < d->n; i++) {
		if (i == 0 || d->players[i].score != d->players[i - 1].score)
			d->groups[d->n_groups++] = i;
		d->players[i].group = d->n_groups - 1;
	}
	d->groups[d->n_groups] = d->n;
	return (0);
}

/* Forbids a pair, or all pairs of a player but one. */
static void
dutch_forbid(struct dutch *d, int a, int b)
{
	d->may[(size_t)a * (size_t)d->n + (size_t)b] = 0;
	d->may[(size_t)b * (size_t)d->n + (size_t)a] = 0;
}

bool
dutch_same_wish(const struct dutch_player *a, const struct dutch_player *b)
{
	return (a->past.wish == SIDE_ABSOLUTE &&
	    b->past.wish == SIDE_ABSOLUTE && a->past.wants == b->past.wants &&
	    !a->is_top && !b->is_top);
}

/* Fills in who may meet whom; `of` gives the player of an entrant, or -1. */
static void
dutch_meet(struct dutch *d, const int *of)
{
	const struct entrant_field *f;
	const struct entrant_round *round;
	size_t i;
	int a, b;

	f = d->field;
	for (a = 0; a < d->n; a++) {
		for (b = 0; b < d->n; b++)
			d->may[(size_t)a * (size_t)d->n + (size_t)b] = a != b &&
			    !dutch_same_wish(&d->players[a], &d->players[b]);
	}
	/* C1: only a game that was played is a meeting. */
	for (a = 0; a < d->n; a++) {
		for (i = 0; i < f->rounds; i++) {
			round = &f->entrants[d->players[a].entrant].rounds[i];
			if (round->played && of[round->opponent] >= 0)
				dutch_forbid(d, a, of[round->opponent]);
		}
	}
	for (i = 0; i < f->n_apart; i++) {
		if (of[f->apart[i].a] >= 0 && of[f->apart[i].b] >= 0)
			dutch_forbid(d, of[f->apart[i].a], of[f->apart[i].b]);
	}
}

/* Leaves a pair that has to be made as the only one of both. */
static int
dutch_oblige(struct dutch *d, const struct entrant_apart *must, const int *of)
{
	bool may;
	int a, b, i;

	a = of[must->a];
	b = must->b < 0 ? -1 : of[must->b];
	if (a < 0 || (must->b >= 0 && b < 0))
		return (ERR_NOTFOUND);
	if (b < 0) {
		d->bye_must = a;
		return (d->has_bye && d->players[a].may_bye ? 0 : ERR_NOTFOUND);
	}
	may = dutch_may_meet(d, a, b);
	for (i = 0; i < d->n; i++) {
		dutch_forbid(d, a, i);
		dutch_forbid(d, b, i);
	}
	d->players[a].may_bye = false;
	d->players[b].may_bye = false;
	d->may[(size_t)a * (size_t)d->n + (size_t)b] = may;
	d->may[(size_t)b * (size_t)d->n + (size_t)a] = may;
	return (may ? 0 : ERR_NOTFOUND);
}

int
dutch_enter(struct dutch *d, const struct entrant_field *field,
    const struct entrant_apart *must)
{
	size_t i;
	int k, r, *of;

	memset(d, 0, sizeof(*d));
	d->field = field;
	d->bye_must = -1;
	if (field->n > ENTRANT_MAX || field->rounds > ENTRANT_ROUNDS_MAX)
		return (ERR_TOOBIG);
	of = calloc(field->n + 1, sizeof(*of));
	d->players = calloc(field->n + 1, sizeof(*d->players));
	if (of == NULL || d->players == NULL) {
		r = ERR_NOMEM;
		goto out;
	}
	for (i = 0; i < field->n; i++) {
		of[i] = -1;
		if (field->entrants[i].is_here)
			dutch_read(field, (int)i, &d->players[d->n++]);
	}
	d->has_bye = d->n % 2 == 1;
	if ((r = dutch_sort(d)) != 0)
		goto out;
	for (k = 0; k < d->n; k++)
		of[d->players[k].entrant] = k;
	d->may = calloc((size_t)d->n * (size_t)d->n + 1, sizeof(*d->may));
	d->mate = calloc((size_t)d->n + 1, sizeof(*d->mate));
	if (d->may == NULL || d->mate == NULL) {
		r = ERR_NOMEM;
		goto out;
	}
	for (k = 0; k < d->n; k++)
		d->mate[k] = -1;
	dutch_meet(d, of);
	if (must != NULL)
		r = dutch_oblige(d, must, of);
out:
	free(of);
	return (r);
}

void
dutch_leave(struct dutch *d)
{
	free(d->players);
	free(d->may);
	free(d->groups);
	free(d->mate);
	memset(d, 0, sizeof(*d));
}

bool
dutch_may_bye(const struct dutch *d, int player)
{
	if (d->bye_must >= 0)
		return (player == d->bye_must);
	return (d->players[player].may_bye &&
	    d->players[player].score == d->bye_score);
}

int
dutch_completes(const struct dutch *d, const int *left, size_t n_left,
    bool with_bye, int *lowest)
{
	uint64_t weight[4];
	struct matching *m;
	size_t i, j, n;
	bool may;
	int r;

	n = n_left + with_bye;
	if (n == 0)
		return (1);
	if (n % 2 == 1)
		return (0);
	if ((r = matching_new(&m, n, 16)) != 0)
		return (r);
	wide_zero(weight, 4);
	for (i = 0; r == 0 && i < n_left; i++) {
		for (j = 0; r == 0 && j < i; j++) {
			if (dutch_may_meet(d, left[i], left[j]))
				r = matching_set(m, i, j, weight);
		}
	}
	for (i = 0; r == 0 && with_bye && i < n_left; i++) {
		/* Groups are numbered from the top: the last weighs most. */
		weight[0] =
		    lowest == NULL ? 0 : (uint64_t)d->players[left[i]].group;
		may = lowest == NULL   ? dutch_may_bye(d, left[i])
		    : d->bye_must >= 0 ? left[i] == d->bye_must
				       : d->players[left[i]].may_bye;
		if (may)
			r = matching_set(m, i, n_left, weight);
	}
	if (r == 0)
		r = matching_solve(m);
	if (r == 0 && lowest != NULL && with_bye)
		*lowest = d->players[left[matching_mate(m, n_left)]].score;
	matching_free(m);
	return (r == 0 ? 1 : r == ERR_NOTFOUND ? 0 : r);
}

/* C5, and whether there is a complete pairing at all. */
static int
dutch_begin(struct dutch *d)
{
	int i, r, *all;

	if ((all = calloc((size_t)d->n + 1, sizeof(*all))) == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < d->n; i++)
		all[i] = i;
	r = dutch_completes(d, all, (size_t)d->n, d->has_bye, &d->bye_score);
	free(all);
	return (r == 0 ? ERR_NOTFOUND : r < 0 ? r : 0);
}

/* The players of a group's bracket who came from above: all without a mate. */
static size_t
dutch_down(const struct dutch *d, int group, int *down)
{
	size_t n;
	int i;

	for (i = 0, n = 0; i < d->groups[group]; i++) {
		if (d->mate[i] < 0)
			down[n++] = i;
	}
	return (n);
}

/* The tables of a finished round, without order. */
static int
dutch_seat(const struct dutch *d, const int *number, struct dutch_round *round)
{
	const struct dutch_player *high, *low;
	const struct entrant_field *f;
	struct dutch_table *t;
	int i, side;

	f = d->field;
	round->bye = -1;
	round->bye_score = d->has_bye ? d->bye_score : 0;
	round->tables = calloc((size_t)d->n / 2 + 1, sizeof(*round->tables));
	if (round->tables == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < d->n; i++) {
		high = &d->players[i];
		if (d->mate[i] < 0) {
			round->bye = high->entrant;
			continue;
		}
		if (d->mate[i] < i)
			continue;
		low = &d->players[d->mate[i]];
		side = side_of(&high->past, f->entrants[high->entrant].rounds,
		    &low->past, f->entrants[low->entrant].rounds, f->rounds,
		    number[high->entrant], f->first_side);
		t = &round->tables[round->n_tables++];
		t->a = side == 1 ? high->entrant : low->entrant;
		t->b = side == 1 ? low->entrant : high->entrant;
	}
	return (0);
}

/*
 * True if table a stands before b: the higher score of a table's players, then
 * the lower one, then the seed of the higher.
 */
static bool
dutch_before(const struct entrant_field *f, const struct dutch_table *a,
    const struct dutch_table *b)
{
	const struct dutch_table *t[2];
	int high[2], low[2], other, i;

	t[0] = a;
	t[1] = b;
	for (i = 0; i < 2; i++) {
		high[i] = t[i]->a;
		low[i] = t[i]->b;
		if (f->entrants[low[i]].score > f->entrants[high[i]].score ||
		    (f->entrants[low[i]].score == f->entrants[high[i]].score &&
			low[i] < high[i])) {
			other = high[i];
			high[i] = low[i];
			low[i] = other;
		}
	}
	if (f->entrants[high[0]].score != f->entrants[high[1]].score)
		return (
		    f->entrants[high[0]].score > f->entrants[high[1]].score);
	if (f->entrants[low[0]].score != f->entrants[low[1]].score)
		return (f->entrants[low[0]].score > f->entrants[low[1]].score);
	return (high[0] < high[1]);
}

/* Puts the tables in order. */
static void
dutch_order(const struct entrant_field *f, struct dutch_round *round)
{
	struct dutch_table t;
	size_t i, j;

	for (i = 1; i < round->n_tables; i++) {
		t = round->tables[i];
		for (j = i; j > 0 && dutch_before(f, &t, &round->tables[j - 1]);
		     j--)
			round->tables[j] = round->tables[j - 1];
		round->tables[j] = t;
	}
}

int
dutch_pair(const struct entrant_field *field, const struct entrant_apart *must,
    struct dutch_round *out)
{
	struct dutch_round round;
	int *down, group, *number, r;
	struct dutch d;
	size_t n;

	memset(&round, 0, sizeof(round));
	down = NULL;
	number = NULL;
	if ((r = dutch_enter(&d, field, must)) != 0 ||
	    (r = dutch_begin(&d)) != 0)
		goto out;
	down = calloc((size_t)d.n + 1, sizeof(*down));
	number = calloc(field->n + 1, sizeof(*number));
	round.brackets =
	    calloc((size_t)d.n_groups + 1, sizeof(*round.brackets));
	if (down == NULL || number == NULL || round.brackets == NULL) {
		r = ERR_NOMEM;
		goto out;
	}
	entrant_number(field, number);
	for (group = 0; group < d.n_groups; group++) {
		n = dutch_down(&d, group, down);
		r = dutch_bracket_pair(
		    &d, group, down, n, &round.brackets[round.n_brackets++]);
		if (r != 0)
			goto out;
	}
	if ((r = dutch_seat(&d, number, &round)) != 0)
		goto out;
	dutch_order(field, &round);
	*out = round;
	memset(&round, 0, sizeof(round));
out:
	dutch_clear(&round);
	dutch_leave(&d);
	free(down);
	free(number);
	return (r);
}

void
dutch_clear(struct dutch_round *round)
{
	size_t i;

	for (i = 0; i < round->n_brackets; i++) {
		free(round->brackets[i].members);
		free(round->brackets[i].mates);
		free(round->brackets[i].values);
	}
	free(round->brackets);
	free(round->tables);
	memset(round, 0, sizeof(*round));
}
