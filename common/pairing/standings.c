/* SPDX-License-Identifier: ISC */
#include "common/pairing/standings.h"

#include <stdlib.h>

#include "common/pairing/crosstable.h"
#include "common/pairing/tiebreak_direct.h"

size_t
standings_default(
    bool is_roundrobin, bool has_bp, enum tiebreak ties[TIEBREAK_N])
{
	size_t n = 0;

	ties[n++] = TIEBREAK_DE;
	if (is_roundrobin) {
		ties[n++] = TIEBREAK_SB;
		ties[n++] = TIEBREAK_WON;
	} else {
		ties[n++] = TIEBREAK_BH_C1;
		ties[n++] = TIEBREAK_BH;
	}
	if (has_bp)
		ties[n++] = TIEBREAK_BPA;
	if (!is_roundrobin)
		ties[n++] = TIEBREAK_WON;
	return (n);
}

/* Refuses tie-breaks that have no sense here. */
static int
standings_check(const struct tiebreak_in *in, const enum tiebreak *ties,
    size_t n_ties, struct errinfo *e)
{
	const struct tiebreak_def *d;
	size_t i;

	for (i = 0; i < n_ties; i++) {
		d = tiebreak_def(ties[i]);
		if (d->is_of_swiss && in->is_roundrobin)
			return (err_set(e, ERR_ILLEGAL, NULL,
			    "%s is not for a round robin, where all have the "
			    "same opponents",
			    d->code));
		if (in->games == NULL &&
		    (ties[i] == TIEBREAK_BP || ties[i] == TIEBREAK_BPA))
			return (err_set(e, ERR_ILLEGAL, NULL,
			    "%s needs battle points, and there are none",
			    d->code));
	}
	return (0);
}

/* True if a comes before b by tie-break i (n_ties: by points). */
static int
standings_compare(const struct standing *a, const struct standing *b,
    const enum tiebreak *ties, size_t i)
{
	if (a->value[i] == b->value[i])
		return (0);
	if (tiebreak_def(ties[i])->is_low_better)
		return (a->value[i] < b->value[i] ? -1 : 1);
	return (a->value[i] > b->value[i] ? -1 : 1);
}

/* The values of direct encounter of the rows from..to-1, who are equal. */
static int
standings_direct(const struct tiebreak_in *in, struct standing *rows,
    size_t from, size_t to, size_t i)
{
	size_t *group, k, n = to - from;
	int64_t *place;
	int r = ERR_NOMEM;

	group = calloc(n + 1, sizeof(*group));
	place = calloc(n + 1, sizeof(*place));
	if (group == NULL || place == NULL)
		goto out;
	for (k = 0; k < n; k++)
		group[k] = rows[from + k].player;
	r = tiebreak_direct(in, group, n, place);
	for (k = 0; k < n && r == 0; k++)
		rows[from + k].value[i] = place[k];
out:
	free(group);
	free(place);
	return (r);
}

/* A row, and what it is sorted by. */
struct standings_key {
	struct standing row;
	int64_t key; /* less is better */
	size_t at; /* where it was */
};

/* Compares two of them. */
static int
standings_order(const void *a, const void *b)
{
	const struct standings_key *x = a, *y = b;

	if (x->key != y->key)
		return (x->key < y->key ? -1 : 1);
	return (x->at < y->at ? -1 : x->at > y->at);
}

/* What rows are sorted by: points, a tie-break, or lots. */
enum standings_by { STANDINGS_BY_POINTS, STANDINGS_BY_TIE, STANDINGS_BY_LOTS };

/* Sorts rows from..to-1 by that, and leaves equals as they are. */
static int
standings_sort(struct standing *rows, size_t from, size_t to,
    enum standings_by by, const enum tiebreak *ties, size_t i,
    const size_t *lots)
{
	struct standings_key *keys;
	const struct standing *s;
	size_t k, n = to - from;

	if ((keys = calloc(n + 1, sizeof(*keys))) == NULL)
		return (ERR_NOMEM);
	for (k = 0; k < n; k++) {
		s = &rows[from + k];
		keys[k].row = *s;
		keys[k].at = k;
		if (by == STANDINGS_BY_POINTS)
			keys[k].key = -s->points;
		else if (by == STANDINGS_BY_LOTS)
			keys[k].key = (int64_t)lots[s->player];
		else
			keys[k].key = tiebreak_def(ties[i])->is_low_better
			    ? s->value[i]
			    : -s->value[i];
	}
	qsort(keys, n, sizeof(*keys), standings_order);
	for (k = 0; k < n; k++)
		rows[from + k] = keys[k].row;
	free(keys);
	return (0);
}

/* The end of those from `from` on who are equal by points and i ties. */
static size_t
standings_equal(const struct standing *rows, size_t n, size_t from,
    const enum tiebreak *ties, size_t i)
{
	size_t k, to;

	for (to = from + 1; to < n; to++) {
		if (rows[to].points != rows[from].points)
			break;
		for (k = 0; k < i; k++)
			if (standings_compare(
				&rows[to], &rows[from], ties, k) != 0)
				return (to);
	}
	return (to);
}

/* Parts equals by tie-break i. */
static int
standings_tie(const struct tiebreak_in *in, const enum tiebreak *ties, size_t i,
    struct standing *rows)
{
	size_t from, k, n = in->table->n_players, to;
	int64_t *values;
	int r;

	if ((values = calloc(n + 1, sizeof(*values))) == NULL)
		return (ERR_NOMEM);
	r = tiebreak_values(in, ties[i], values);
	for (k = 0; k < n && r == 0; k++)
		rows[k].value[i] = values[rows[k].player];
	free(values);
	for (from = 0; from < n && r == 0; from = to) {
		to = standings_equal(rows, n, from, ties, i);
		if (ties[i] == TIEBREAK_DE && to - from > 1)
			r = standings_direct(in, rows, from, to, i);
		if (r == 0)
			r = standings_sort(
			    rows, from, to, STANDINGS_BY_TIE, ties, i, NULL);
	}
	return (r);
}

int
standings_make(const struct tiebreak_in *in, const enum tiebreak *ties,
    size_t n_ties, const size_t *lots, struct standing *rows, struct errinfo *e)
{
	size_t from, i, k, n = in->table->n_players, to;
	int r;

	if ((r = standings_check(in, ties, n_ties, e)) != 0)
		return (r);
	for (i = 0; i < n; i++)
		rows[i] = (struct standing){.player = i,
		    .points = crosstable_score(in->table, i, in->rounds)};
	r = standings_sort(rows, 0, n, STANDINGS_BY_POINTS, NULL, 0, NULL);
	for (i = 0; i < n_ties && r == 0; i++)
		r = standings_tie(in, ties, i, rows);
	for (from = 0; from < n && r == 0; from = to) {
		to = standings_equal(rows, n, from, ties, n_ties);
		if (lots != NULL)
			r = standings_sort(
			    rows, from, to, STANDINGS_BY_LOTS, ties, 0, lots);
		for (k = from; k < to; k++) {
			rows[k].rank = (int)(lots != NULL ? k : from) + 1;
			rows[k].is_by_lot = lots != NULL && k > from;
		}
	}
	return (r);
}
