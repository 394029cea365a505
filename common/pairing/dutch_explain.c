/* SPDX-License-Identifier: ISC */
/*
 * Why not another pair: the round is paired once more with that pair in it, and
 * the two are compared bracket by bracket, digit by digit.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/err.h"
#include "common/pairing/dutch_int.h"
#include "common/pairing/dutch_weigh.h"

/* Fills in a reason that is no sum of a criterion. */
static int
dutch_explain_by(struct dutch_reason *why, const char *criterion,
    const char *text, int score)
{
	memset(why, 0, sizeof(*why));
	why->criterion = criterion;
	why->text = text;
	why->score = score;
	return (0);
}

/* The player of an entrant who is here; -1: they are not. */
static int
dutch_explain_find(const struct dutch *d, int entrant)
{
	int p;

	for (p = 0; p < d->n; p++) {
		if (d->players[p].entrant == entrant)
			return (p);
	}
	return (-1);
}

/* C1 to C3: what forbids the pair as such; ERR_NOTFOUND: nothing does. */
static int
dutch_explain_absolute(const struct dutch *d, const struct entrant_apart *pair,
    struct dutch_reason *why)
{
	const struct entrant_round *rounds;
	size_t i;
	int a, b;

	a = dutch_explain_find(d, pair->a);
	if (pair->b < 0)
		return (d->players[a].may_bye
			? ERR_NOTFOUND
			: dutch_explain_by(why, "C2",
			      "no bye after a bye, or after a win's points "
			      "without a game",
			      -1));
	b = dutch_explain_find(d, pair->b);
	if (dutch_may_meet(d, a, b))
		return (ERR_NOTFOUND);
	rounds = d->field->entrants[pair->a].rounds;
	for (i = 0; i < d->field->rounds; i++) {
		if (rounds[i].played && rounds[i].opponent == pair->b)
			return (
			    dutch_explain_by(why, "C1", "they have met", -1));
	}
	if (dutch_same_wish(&d->players[a], &d->players[b]))
		return (dutch_explain_by(why, "C3",
		    "both must get the same side, and neither is a topscorer",
		    -1));
	return (dutch_explain_by(
	    why, "C1", "they are not to be paired in this round", -1));
}

/* The place of an entrant in a bracket; -1: none. */
static int
dutch_explain_place(const struct dutch_bracket *b, int entrant)
{
	size_t i;

	for (i = 0; entrant >= 0 && i < b->n; i++) {
		if (b->members[i] == entrant)
			return ((int)i);
	}
	return (-1);
}

/*
 * Brackets of the same members, equal by all criteria: in which order of
 * Article 4 do they part?  NULL: they do not.
 */
static const char *
dutch_explain_order(const struct dutch_bracket *x,
    const struct dutch_bracket *y, const char **text)
{
	int place_x, place_y;
	size_t i;

	for (i = 0; i < x->n_down; i++) {
		if ((x->mates[i] < 0) != (y->mates[i] < 0)) {
			*text = "of who came down the highest are paired";
			return ("4.4");
		}
	}
	for (i = 0; i < x->n_down; i++) {
		if (x->mates[i] != y->mates[i]) {
			*text = "who came down gets the first that goes";
			return ("4.2");
		}
	}
	for (i = x->n_down; i < x->n; i++) {
		place_x = dutch_explain_place(x, x->mates[i]);
		place_y = dutch_explain_place(y, y->mates[i]);
		if ((place_x > (int)i) != (place_y > (int)i)) {
			*text = "fewer and smaller exchanges go first";
			return ("4.3");
		}
	}
	for (i = x->n_down; i < x->n; i++) {
		if (x->mates[i] != y->mates[i]) {
			*text = "the high half gets the first that go";
			return ("4.2");
		}
	}
	return (NULL);
}

/* Compares two rounds; ERR_INTERNAL: they do not part. */
static int
dutch_explain_compare(const struct dutch_round *x, const struct dutch_round *y,
    struct dutch_reason *why)
{
	const struct dutch_bracket *a, *b;
	const char *criterion, *text;
	size_t i, j;

	if (x->bye >= 0 && x->bye_score != y->bye_score)
		return (dutch_explain_by(why, "C5",
		    "the bye goes to the lowest score that it can", -1));
	for (i = 0; i < x->n_brackets && i < y->n_brackets; i++) {
		a = &x->brackets[i];
		b = &y->brackets[i];
		for (j = 0; j < a->n_values && j < b->n_values; j++) {
			if (a->values[j].value == b->values[j].value)
				continue;
			(void)dutch_explain_by(why,
			    dutch_weigh_name(a->values[j].row),
			    dutch_weigh_text(a->values[j].row), a->score);
			why->better = a->values[j].value;
			why->worse = b->values[j].value;
			return (why->better > why->worse ? 0 : ERR_INTERNAL);
		}
		if ((criterion = dutch_explain_order(a, b, &text)) != NULL)
			return (
			    dutch_explain_by(why, criterion, text, a->score));
	}
	return (ERR_INTERNAL);
}

/* True if a round has the pair. */
static bool
dutch_explain_has(
    const struct dutch_round *round, const struct entrant_apart *pair)
{
	const struct dutch_table *t;
	size_t i;

	if (pair->b < 0)
		return (round->bye == pair->a);
	for (i = 0; i < round->n_tables; i++) {
		t = &round->tables[i];
		if ((t->a == pair->a && t->b == pair->b) ||
		    (t->a == pair->b && t->b == pair->a))
			return (true);
	}
	return (false);
}

int
dutch_explain(const struct entrant_field *field,
    const struct dutch_round *result, const struct entrant_apart *pair,
    struct dutch_reason *why)
{
	struct dutch_round round;
	struct dutch d;
	int r;

	if (dutch_explain_has(result, pair))
		return (ERR_EXISTS);
	if ((r = dutch_enter(&d, field, NULL)) != 0)
		goto out;
	if (dutch_explain_find(&d, pair->a) < 0 ||
	    (pair->b >= 0 && dutch_explain_find(&d, pair->b) < 0) ||
	    (pair->b < 0 && !d.has_bye)) {
		r = ERR_INVALID;
		goto out;
	}
	if ((r = dutch_explain_absolute(&d, pair, why)) != ERR_NOTFOUND)
		goto out;
	r = dutch_pair(field, pair, &round);
	if (r == ERR_NOTFOUND)
		r = dutch_explain_by(
		    why, "C4", "not everybody else could be paired", -1);
	else if (r == 0) {
		r = dutch_explain_compare(result, &round, why);
		dutch_clear(&round);
	}
out:
	dutch_leave(&d);
	return (r);
}
