/* SPDX-License-Identifier: ISC */
/*
 * Steps that the three kinds of tlnb combat share (umpire-rules.7, 14).
 * Strengths for odds are counted in half points where any unit is halved, so
 * that all sums are whole numbers.
 */
#include "common/rules/tlnb/tlnb_step.h"

#include <stdio.h>
#include <string.h>

#include "common/rules/rulekit.h"

int
tlnb_step_strength(
    const struct tlnb_facts *f, const struct tlnb_state *st, size_t u)
{
	if (st->ends[u] == TLNB_ELIMINATED)
		return (0);
	return (tlnb_facts_strength(&f->units[u], st->ends[u] == TLNB_REDUCED));
}

size_t
tlnb_step_units(const struct tlnb *l, enum combat_side side,
    size_t units[COMBAT_SIDE_UNITS_MAX])
{
	size_t n = 0, u;

	for (u = l->f->first[side]; u < l->f->first[side + 1]; u++) {
		if (!l->f->units[u].is_stacked)
			units[n++] = u;
	}
	return (n);
}

void
tlnb_step_change(const struct tlnb *l, enum combat_side side, const char *what,
    const char *why, const struct event_field *more, size_t n)
{
	combat_change(
	    l->c, event_text("side", question_side(side)), what, why, more, n);
}

void
tlnb_step_unit_change(
    const struct tlnb *l, size_t u, const char *what, const char *why)
{
	combat_change(l->c, event_text("unit", l->f->units[u].name.id), what,
	    why, NULL, 0);
}

void
tlnb_step_begin(const struct tlnb *l)
{
	l->st->n_terms[0] = l->st->n_terms[1] = 0;
}

void
tlnb_step_add(const struct tlnb *l, const char *id, int strength, bool is_half)
{
	struct tlnb_state *st = l->st;
	size_t n = st->n_terms[is_half]++;

	if (!is_half) {
		st->terms[0][n] = event_int(id, strength);
		return;
	}
	(void)snprintf(st->halves[n], sizeof(st->halves[n]), "+%d/2", strength);
	st->terms[1][n] = event_text(id, st->halves[n]);
}

void
tlnb_step_end(const struct tlnb *l, enum combat_side side, const char *what,
    const struct event_field *more, size_t n)
{
	static const char *const names[] = {"units", "halved"};
	struct event_field fields[8];
	size_t i, n_fields = 0;

	fields[n_fields++] = event_text("side", question_side(side));
	fields[n_fields++] = event_text("what", what);
	for (i = 0; i < 2; i++) {
		if (l->st->n_terms[i] > 0)
			fields[n_fields++] = event_object(
			    names[i], l->st->terms[i], l->st->n_terms[i]);
	}
	memcpy(&fields[n_fields], more, n * sizeof(*more));
	combat_emit(l->c, "score", fields, n_fields + n);
}

/* Says how strong a side is; `half` is that in half points. */
static void
tlnb_step_side(const struct tlnb *l, enum combat_side side,
    bool counts_bombarded, bool is_doubled, int half)
{
	const struct event_field twice = event_text("half-points", "x2/1");
	size_t i, n, n_more = 0, units[COMBAT_SIDE_UNITS_MAX];
	const struct tlnb_unit *u;
	struct event_field more[2];

	tlnb_step_begin(l);
	n = tlnb_step_units(l, side, units);
	for (i = 0; i < n; i++) {
		u = &l->f->units[units[i]];
		if (!counts_bombarded && side == COMBAT_ATTACKER &&
		    u->arm == TLNB_ARTILLERY && u->flags[TLNB_HAS_BOMBARDED]) {
			tlnb_step_unit_change(
			    l, units[i], "left-out", "bombarded");
			continue;
		}
		tlnb_step_add(l, u->name.id,
		    tlnb_facts_strength(u, u->is_reduced),
		    u->flags[TLNB_IS_HALVED]);
	}
	if (is_doubled)
		more[n_more++] = event_object("modifiers", &twice, 1);
	more[n_more++] = event_int("score", is_doubled ? half : half / 2);
	tlnb_step_end(
	    l, side, is_doubled ? "half-points" : "strength", more, n_more);
}

/* A strength of so many half points as a card's holder counts it. */
static struct event_field
tlnb_step_points(const char *name, int half, char *text, size_t size)
{
	if (half % 2 == 0)
		return (event_int(name, half / 2));
	(void)snprintf(text, size, "%d.5", half / 2);
	return (event_text(name, text));
}

size_t
tlnb_step_odds(const struct tlnb *l, const struct tlnb_column *columns,
    size_t n, bool counts_bombarded)
{
	bool is_doubled = false;
	char points[2][16];
	size_t i, column = 0;
	int half[2];

	tlnb_facts_halves(l->f, counts_bombarded, half);
	for (i = 0; i < l->f->n_units; i++) {
		if (!l->f->units[i].is_stacked &&
		    l->f->units[i].flags[TLNB_IS_HALVED])
			is_doubled = true;
	}
	for (i = 0; i < 2; i++)
		tlnb_step_side(l, (enum combat_side)i, counts_bombarded,
		    is_doubled, half[i]);
	for (i = 0; i < n; i++) {
		if (half[0] * columns[i].defender >=
		    half[1] * columns[i].attacker)
			column = i;
	}
	tlnb_step_change(l, COMBAT_ATTACKER, "column", "odds",
	    EVENT_FIELDS(tlnb_step_points(
			     "attacker", half[0], points[0], sizeof(points[0])),
		tlnb_step_points(
		    "defender", half[1], points[1], sizeof(points[1])),
		event_text("column", columns[column].name)));
	return (column);
}

void
tlnb_step_look_up(const struct tlnb *l, const char *table, int die,
    const char *column, const struct tlnb_code *code)
{
	l->st->column = column;
	l->st->table = *code;
	l->st->code = *code;
	tlnb_step_change(l, COMBAT_ATTACKER, "code", table,
	    EVENT_FIELDS(event_int("row", die), event_text("column", column),
		event_text("code", code->text)));
}

bool
tlnb_step_is_last(
    const struct tlnb_facts *f, const struct tlnb_state *st, size_t u)
{
	return (st->ends[u] != TLNB_FULL || f->units[u].reduced_sp == -1);
}

void
tlnb_step_spare(const struct tlnb *l, size_t *units, size_t n)
{
	size_t i, last[COMBAT_SIDE_UNITS_MAX], n_last = 0, n_first = 0;

	for (i = 0; i < n; i++) {
		if (tlnb_step_is_last(l->f, l->st, units[i]))
			last[n_last++] = units[i];
		else
			units[n_first++] = units[i];
	}
	memcpy(&units[n_first], last, n_last * sizeof(last[0]));
}

void
tlnb_step_reduce(const struct tlnb *l, size_t u)
{
	if (l->st->ends[u] == TLNB_REDUCED) {
		tlnb_step_eliminate(l, u, "reduced");
		return;
	}
	if (l->f->units[u].reduced_sp == -1) {
		tlnb_step_eliminate(l, u, "no-reduced-side");
		return;
	}
	l->st->ends[u] = TLNB_REDUCED;
	tlnb_step_unit_change(l, u, "reduced", "chosen");
}

void
tlnb_step_eliminate(const struct tlnb *l, size_t u, const char *why)
{
	l->st->ends[u] = TLNB_ELIMINATED;
	tlnb_step_unit_change(l, u, "eliminated", why);
}

void
tlnb_step_eliminate_all(
    const struct tlnb *l, enum combat_side side, const char *why)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];

	n = tlnb_step_units(l, side, units);
	for (i = 0; i < n; i++)
		tlnb_step_eliminate(l, units[i], why);
}

void
tlnb_step_retreat(
    const struct tlnb *l, enum combat_side side, int hexes, const char *why)
{
	l->st->has_retreat = true;
	l->st->retreats = side;
	l->st->hexes = hexes;
	tlnb_step_change(
	    l, side, "retreat", why, EVENT_FIELDS(event_int("hexes", hexes)));
}

/*
 * Asks a side for exactly lo to hi of these n units, a list under this name;
 * chosen receives them in the order of the facts.
 */
static int
tlnb_step_ask(const struct tlnb *l, enum combat_side side, const char *kind,
    const char *name, const size_t *units, size_t n, size_t lo, size_t hi,
    size_t *chosen, size_t *n_chosen)
{
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	bool is_chosen[COMBAT_SIDE_UNITS_MAX] = {false};
	struct question_answer a;
	struct question_member m;
	size_t i;
	int r;

	for (i = 0; i < n; i++)
		ids[i] = l->f->units[units[i]].name.id;
	m = question_some(name, ids, n, (int)lo, (int)hi);
	if ((r = combat_decide(l->c, side, kind, &m, 1, &a)) != 0)
		return (r);
	for (i = 0; i < a.n_items; i++)
		is_chosen[a.items[i].id] = true;
	*n_chosen = 0;
	for (i = 0; i < n; i++) {
		if (is_chosen[i])
			chosen[(*n_chosen)++] = units[i];
	}
	return (0);
}

int
tlnb_step_retreat_by_result(
    const struct tlnb *l, enum combat_side side, int hexes)
{
	size_t chosen[COMBAT_SIDE_UNITS_MAX], i, n, n_chosen;
	size_t units[COMBAT_SIDE_UNITS_MAX];
	int r;

	tlnb_step_retreat(l, side, hexes, "result");
	n = tlnb_step_units(l, side, units);
	if ((r = tlnb_step_ask(l, side, "retreat", "eliminated", units, n, 0, n,
		 chosen, &n_chosen)) != 0)
		return (r);
	for (i = 0; i < n_chosen; i++)
		tlnb_step_eliminate(l, chosen[i], "no-retreat");
	return (0);
}

int
tlnb_step_choose(const struct tlnb *l, const size_t *units, size_t n,
    size_t many, size_t *chosen)
{
	size_t n_chosen;

	return (tlnb_step_ask(l, COMBAT_ATTACKER, "reduce", "units", units, n,
	    many, many, chosen, &n_chosen));
}
