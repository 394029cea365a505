/* SPDX-License-Identifier: ISC */
/*
 * A round of a Swiss (record S18.2): what the tournament's lines are to the
 * Dutch system, and its pairing as numbers of entrants.
 */
#include <stdlib.h>
#include <string.h>

#include "common/json/js.h"
#include "common/pairing/dutch.h"
#include "common/pairing/entrant.h"
#include "common/tournament/tournament_int.h"

/* All that the Dutch system is asked with. */
struct tournament_swiss {
	struct entrant_field field;
	int *order; /* numbers by pairing number */
	int *index; /* by number: place in order, or -1 */
	struct entrant *entrants;
	struct entrant_round *rounds; /* of all, one after the other */
	struct entrant_apart *apart;
	size_t n_apart;
};

/* True for who asked to be left out of the round. */
static bool
tournament_asked(const struct tournament_entrant *x, int round)
{
	return (round < TOURNAMENT_ROUNDS_SWISS && x->takes_bye[round]);
}

/* True if a round has taken somebody into account, or will. */
static bool
tournament_counts(
    const struct tournament *t, const struct tournament_entrant *x, int round)
{
	const int number = tournament_number_of(t, x);
	bool has_bye;
	int i;

	if (tournament_is_in(x, round) && !tournament_asked(x, round))
		return (true);
	for (i = 1; i < round; i++) {
		if (tournament_table_of(
			tournament_round(t, i), number, &has_bye) != NULL ||
		    has_bye)
			return (true);
	}
	return (false);
}

/* By rating, then by lot, then by number; who has no lot comes behind. */
int
tournament_rank(const struct tournament *t, int a, int b)
{
	const struct tournament_entrant *x = tournament_entrant(t, a),
					*y = tournament_entrant(t, b);

	if (t->terms.is_rated && x->rating != y->rating)
		return (x->rating > y->rating ? -1 : 1);
	if ((x->lot == 0) != (y->lot == 0))
		return (x->lot != 0 ? -1 : 1);
	if (x->lot != y->lot)
		return (x->lot < y->lot ? -1 : 1);
	return (a < b ? -1 : 1);
}

size_t
tournament_swiss_numbers(const struct tournament *t, int round, int *order)
{
	size_t i, k, n = 0;
	int number;

	for (i = 0; i < t->n_entrants; i++) {
		if (!tournament_counts(t, &t->entrants[i], round))
			continue;
		number = (int)i + 1;
		for (k = n++;
		     k > 0 && tournament_rank(t, number, order[k - 1]) < 0; k--)
			order[k] = order[k - 1];
		order[k] = number;
	}
	return (n);
}

/* What a round was for somebody. */
static void
tournament_swiss_past(const struct tournament *t,
    const struct tournament_swiss *s, int number, int round,
    struct entrant_round *out)
{
	const struct tournament_round *rd = tournament_round(t, round);
	const struct tournament_table *table;
	bool has_bye;

	*out = (struct entrant_round){.opponent = -1};
	out->score = tournament_points(t, number, round);
	out->points = tournament_round_points(t, number, round);
	table = tournament_table_of(rd, number, &has_bye);
	out->paired = table != NULL || has_bye;
	if (table == NULL)
		return;
	out->opponent = s->index[table->a == number ? table->b : table->a];
	out->played = tournament_is_played(tournament_table_result(t, table));
	if (out->played)
		out->side = table->a == number ? 1 : 2;
}

/* Adds a pair that must not be made. */
static int
tournament_swiss_apart(struct tournament_swiss *s, int a, int b)
{
	struct entrant_apart *grown;

	if (s->index[a] < 0 || s->index[b] < 0)
		return (0);
	grown = tournament_grow(s->apart, &s->n_apart, sizeof(*grown));
	if (grown == NULL)
		return (ERR_NOMEM);
	s->apart = grown;
	grown[s->n_apart - 1].a = s->index[a];
	grown[s->n_apart - 1].b = s->index[b];
	return (0);
}

/* Pairs that rulings keep apart in a round. */
static int
tournament_swiss_ruled(
    const struct tournament *t, struct tournament_swiss *s, int round)
{
	const struct tournament_apart *p;
	size_t i, j, k;
	int r;

	for (i = 0; i < t->n_aparts; i++) {
		p = &t->aparts[i];
		if (round < p->from || round > p->to)
			continue;
		for (j = 0; j < p->n; j++) {
			for (k = 0; k < j; k++) {
				r = tournament_swiss_apart(
				    s, p->numbers[k], p->numbers[j]);
				if (r != 0)
					return (r);
			}
		}
	}
	return (0);
}

/* Pairs of one club. */
static int
tournament_swiss_clubs(const struct tournament *t, struct tournament_swiss *s)
{
	const char *club;
	size_t i, k;
	int r;

	for (i = 0; i < s->field.n; i++) {
		club = tournament_entrant(t, s->order[i])->club;
		for (k = 0; *club != '\0' && k < i; k++) {
			if (strcmp(tournament_entrant(t, s->order[k])->club,
				club) != 0)
				continue;
			r = tournament_swiss_apart(s, s->order[k], s->order[i]);
			if (r != 0)
				return (r);
		}
	}
	return (0);
}

/* Frees what tournament_swiss_read() made. */
static void
tournament_swiss_clear(struct tournament_swiss *s)
{
	free(s->order);
	free(s->index);
	free(s->entrants);
	free(s->rounds);
	free(s->apart);
}

/* Puts together all that the Dutch system asks for. */
static int
tournament_swiss_read(
    const struct tournament *t, struct tournament_swiss *s, int round)
{
	const size_t past = (size_t)round - 1;
	struct entrant_field *f = &s->field;
	struct tournament_entrant *x;
	size_t i, k;

	s->order = calloc(t->n_entrants + 1, sizeof(*s->order));
	s->index = calloc(t->n_entrants + 1, sizeof(*s->index));
	s->entrants = calloc(t->n_entrants + 1, sizeof(*s->entrants));
	s->rounds = calloc(t->n_entrants * past + 1, sizeof(*s->rounds));
	if (s->order == NULL || s->index == NULL || s->entrants == NULL ||
	    s->rounds == NULL)
		return (ERR_NOMEM);
	f->n = tournament_swiss_numbers(t, round, s->order);
	for (i = 0; i <= t->n_entrants; i++)
		s->index[i] = -1;
	for (i = 0; i < f->n; i++)
		s->index[s->order[i]] = (int)i;
	for (i = 0; i < f->n; i++) {
		x = tournament_entrant(t, s->order[i]);
		s->entrants[i].is_here =
		    tournament_is_in(x, round) && !tournament_asked(x, round);
		s->entrants[i].score = tournament_points(t, s->order[i], round);
		s->entrants[i].rounds = &s->rounds[i * past];
		for (k = 0; k < past; k++)
			tournament_swiss_past(t, s, s->order[i], (int)k + 1,
			    &s->rounds[i * past + k]);
	}
	f->entrants = s->entrants;
	f->rounds = past;
	f->rounds_all = (size_t)t->rounds_swiss;
	f->win = t->terms.points.win;
	f->loss = t->terms.points.loss;
	f->first_side = t->initial;
	return (tournament_swiss_ruled(t, s, round));
}

/* The result of the Dutch system as numbers. */
static void
tournament_swiss_take(const struct tournament *t,
    const struct tournament_swiss *s, const struct dutch_round *d, int round,
    struct tournament_pairing *p)
{
	const struct tournament_entrant *x;
	size_t i;

	for (i = 0; i < d->n_tables; i++) {
		p->tables[i].a = s->order[d->tables[i].a];
		p->tables[i].b = s->order[d->tables[i].b];
	}
	p->n_tables = d->n_tables;
	if (d->bye >= 0)
		p->byes[p->n_byes++] = s->order[d->bye];
	for (i = 0; i < t->n_entrants; i++) {
		x = &t->entrants[i];
		if (tournament_is_in(x, round) && tournament_asked(x, round))
			p->absent[p->n_absent++] = (int)i + 1;
	}
}

int
tournament_swiss_pair(const struct tournament *t, int round,
    struct tournament_pairing *p, struct errinfo *e)
{
	struct tournament_swiss s = {.order = NULL};
	struct dutch_round d;
	size_t n_ruled;
	int r;

	(void)e;
	if ((r = tournament_pairing_make(p, t->n_entrants)) != 0)
		return (r);
	if ((r = tournament_swiss_read(t, &s, round)) != 0)
		goto out;
	n_ruled = s.n_apart;
	if (round <= t->terms.apart && (r = tournament_swiss_clubs(t, &s)) != 0)
		goto out;
	s.field.apart = s.apart;
	s.field.n_apart = s.n_apart;
	r = dutch_pair(&s.field, NULL, &d);
	if (r == ERR_NOTFOUND && s.n_apart > n_ruled) {
		/* Clubs cannot be kept apart. */
		p->is_apart = false;
		s.field.n_apart = n_ruled;
		r = dutch_pair(&s.field, NULL, &d);
	}
	if (r == 0) {
		tournament_swiss_take(t, &s, &d, round, p);
		dutch_clear(&d);
	}
out:
	tournament_swiss_clear(&s);
	return (r);
}

/* Reads the number of an entrant who was not read before. */
static int
tournament_swiss_number(
    const struct tournament *t, const json_t *v, bool *seen, int *out)
{
	const json_int_t number = json_integer_value(v);

	if (tournament_entrant(t, number) == NULL || seen[number])
		return (ERR_BAD);
	seen[number] = true;
	*out = (int)number;
	return (0);
}

/* Reads a list of such numbers. */
static int
tournament_swiss_list(const struct tournament *t, const json_t *list,
    bool *seen, int *out, size_t *n)
{
	const json_t *v;
	size_t i;
	int r;

	json_array_foreach(list, i, v)
	{
		r = tournament_swiss_number(t, v, seen, &out[i]);
		if (r != 0)
			return (r);
		*n = i + 1;
	}
	return (0);
}

int
tournament_swiss_told(const struct tournament *t, int round,
    const json_t *event, struct tournament_pairing *p)
{
	const json_t *tables = json_object_get(event, "tables"), *v;
	bool *seen;
	size_t i;
	int r;

	if (js_int(event, "round") != round)
		return (ERR_BAD);
	if ((r = tournament_pairing_make(p, t->n_entrants)) != 0)
		return (r);
	if ((seen = calloc(t->n_entrants + 1, sizeof(*seen))) == NULL)
		return (ERR_NOMEM);
	p->is_apart = json_is_true(json_object_get(event, "apart"));
	json_array_foreach(tables, i, v)
	{
		r = tournament_swiss_number(
		    t, json_array_get(v, 0), seen, &p->tables[i].a);
		if (r == 0)
			r = tournament_swiss_number(
			    t, json_array_get(v, 1), seen, &p->tables[i].b);
		if (r != 0)
			break;
		p->n_tables = i + 1;
	}
	if (r == 0)
		r = tournament_swiss_list(t, json_object_get(event, "bye"),
		    seen, p->byes, &p->n_byes);
	if (r == 0)
		r = tournament_swiss_list(t, json_object_get(event, "absent"),
		    seen, p->absent, &p->n_absent);
	free(seen);
	return (r);
}
