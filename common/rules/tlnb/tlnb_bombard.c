/* SPDX-License-Identifier: ISC */
/*
 * A bombardment of tlnb: strength, die, table, and what it does to the target
 * (umpire-rules.7, 14.5).  Fractions are counted in forty-eighths of a point
 * and dropped once, at the end.
 */
#include "common/rules/tlnb/tlnb_bombard.h"

#include <stdio.h>

#include "common/rules/rulekit.h"
#include "common/rules/tlnb/tlnb_step.h"

/* Whole for a half of a half or a third of a half, and for quarters of it. */
#define TLNB_BOMBARD_PARTS 48

static const struct {
	const char *name;
	int least;
} tlnb_bombard_columns[TLNB_TABLES_FIRE_COLUMNS] = {
    {"1", 1},
    {"2-3", 2},
    {"4-5", 4},
    {"6-7", 6},
    {"8+", 8},
};

/* How many batteries fire from less than three hexes. */
static size_t
tlnb_bombard_near(const struct tlnb *l)
{
	size_t i, n = 0;

	for (i = 0; i < l->f->n_batteries; i++) {
		if (l->f->batteries[i].range < 3)
			n++;
	}
	return (n);
}

/* The strength of the artillery in the target hex. */
static int
tlnb_bombard_return_fire(const struct tlnb *l)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];
	int sum = 0;

	n = tlnb_step_units(l, COMBAT_DEFENDER, units);
	for (i = 0; i < n; i++) {
		if (l->f->units[units[i]].arm == TLNB_ARTILLERY)
			sum += tlnb_step_strength(l->f, l->st, units[i]);
	}
	return (sum);
}

/* 14.5: works out the strength, and says so. */
static void
tlnb_bombard_find_strength(const struct tlnb *l)
{
	const struct tlnb_facts *f = l->f;
	struct event_field mods[3], more[4];
	char arf[16];
	size_t i, n = 0, n_more = 0;
	int parts = 0, returned;

	tlnb_step_begin(l);
	for (i = 0; i < f->n_batteries; i++) {
		parts += TLNB_BOMBARD_PARTS * f->batteries[i].sp /
		    (f->batteries[i].range == 3 ? 2 : 1);
		tlnb_step_add(l, f->batteries[i].name.id, f->batteries[i].sp,
		    f->batteries[i].range == 3);
	}
	if (f->terrain == TLNB_MARSH) {
		parts /= 2;
		mods[n++] = event_text("marsh", "x1/2");
	}
	if (f->terrain == TLNB_TOWN) {
		parts = parts * 2 / 3;
		mods[n++] = event_text("town", "x2/3");
	}
	if (f->weather == TLNB_HEAT || f->weather == TLNB_RAIN ||
	    f->weather == TLNB_T_STORM) {
		parts = parts * 3 / 4;
		mods[n++] = event_text("weather", "x3/4");
	}
	if (f->has[TLNB_ARF]) {
		returned = tlnb_bombard_return_fire(l);
		parts -= TLNB_BOMBARD_PARTS / 2 * returned;
		(void)snprintf(arf, sizeof(arf), "-%d/2", returned);
		mods[n++] = event_text("arf", arf);
	}
	l->st->strength = parts < 0 ? 0 : parts / TLNB_BOMBARD_PARTS;
	if (n > 0)
		more[n_more++] = event_object("modifiers", mods, n);
	more[n_more++] = event_bool("round", true);
	if (parts < 0)
		more[n_more++] = event_int("least", 0);
	more[n_more++] = event_int("score", l->st->strength);
	tlnb_step_end(l, COMBAT_ATTACKER, "bombardment", more, n_more);
}

/* 14.5: the row of the table that the die comes to. */
static int
tlnb_bombard_find_row(const struct tlnb *l, int die)
{
	const int last = TLNB_TABLES_FIRE_LEAST + TLNB_TABLES_FIRE_ROWS - 1;
	const struct tlnb_facts *f = l->f;
	struct event_field fields[6], mods[5];
	size_t i, n = 0, n_fields = 0;
	int row = die;

	if (f->has[TLNB_MUD])
		mods[n++] = event_int("mud", -2);
	if (f->has[TLNB_ENFILADE] && tlnb_bombard_near(l) >= 2 &&
	    f->terrain != TLNB_TOWN)
		mods[n++] = event_int("enfilade", 1);
	if (f->has[TLNB_AMMO_SHORTAGE])
		mods[n++] = event_int("ammo-shortage", -2);
	if (f->has[TLNB_GRAND_BATTERY])
		mods[n++] = event_int("grand-battery", 1);
	if (f->has[TLNB_POINT_BLANK])
		mods[n++] = event_int("point-blank", 2);
	for (i = 0; i < n; i++)
		row += (int)mods[i].number;
	fields[n_fields++] = event_text("side", question_side(COMBAT_ATTACKER));
	fields[n_fields++] = event_text("what", "row");
	fields[n_fields++] = event_int("die", die);
	if (n > 0)
		fields[n_fields++] = event_object("modifiers", mods, n);
	if (row < TLNB_TABLES_FIRE_LEAST) {
		row = TLNB_TABLES_FIRE_LEAST;
		fields[n_fields++] = event_int("least", row);
	}
	if (row > last) {
		row = last;
		fields[n_fields++] = event_int("most", row);
	}
	fields[n_fields++] = event_int("score", row);
	combat_emit(l->c, "score", fields, n_fields);
	return (row);
}

/* 14.5: a unit rolls against its initiative to convert the retreat. */
static int
tlnb_bombard_check(const struct tlnb *l, size_t u)
{
	const struct tlnb_unit *unit = &l->f->units[u];
	struct event_field fields[5], less;
	struct tlnb_code one = {.effect = TLNB_REDUCE, .n = 1, .text = "1R"};
	int r, rating = unit->initiative;
	size_t n = 0;
	uint16_t die;

	if ((r = combat_roll(l->c, &die, 1, TLNB_STEP_SIDES, "initiative")) !=
	    0)
		return (r);
	fields[n++] = event_text("unit", unit->name.id);
	fields[n++] = event_text("what", "initiative");
	fields[n++] = event_int("initiative", rating);
	if (tlnb_facts_is_demoralized(unit)) {
		rating--;
		less =
		    event_int(unit->flags[TLNB_IS_DEMORALIZED] ? "demoralized"
							       : "suppressed",
			-1);
		fields[n++] = event_object("modifiers", &less, 1);
	}
	fields[n++] = event_int("score", rating);
	combat_emit(l->c, "score", fields, n);
	tlnb_step_change(l, COMBAT_DEFENDER, "convert",
	    die > rating ? "failed" : "passed",
	    EVENT_FIELDS(event_int("die", die), event_int("rating", rating)));
	if (die <= rating)
		l->st->code = one;
	return (0);
}

/* 14.5: the defender may try to convert the retreat to a loss. */
static int
tlnb_bombard_convert(const struct tlnb *l)
{
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];
	struct question_answer a;
	struct question_member m;
	int r;

	n = tlnb_step_units(l, COMBAT_DEFENDER, units);
	for (i = 0; i < n; i++)
		ids[i] = l->f->units[units[i]].name.id;
	m = question_one_of("unit", ids, n);
	m.has_null = true;
	if ((r = combat_decide(l->c, COMBAT_DEFENDER, "convert", &m, 1, &a)) !=
	    0)
		return (r);
	if (a.number[0] == -1)
		return (0);
	return (tlnb_bombard_check(l, units[a.number[0]]));
}

/* 14.5: 1R and 2R, then the choice to retreat for whoever is left. */
static int
tlnb_bombard_reduce(const struct tlnb *l)
{
	size_t chosen[COMBAT_SIDE_UNITS_MAX], i, many, n;
	size_t units[COMBAT_SIDE_UNITS_MAX];
	bool is_left = false, use;
	int r;

	n = tlnb_step_units(l, COMBAT_DEFENDER, units);
	many = (size_t)l->st->code.n < n ? (size_t)l->st->code.n : n;
	if ((r = tlnb_step_choose(l, units, n, many, chosen)) != 0)
		return (r);
	for (i = 0; i < many; i++)
		tlnb_step_reduce(l, chosen[i]);
	for (i = 0; i < n; i++) {
		if (l->st->ends[units[i]] != TLNB_ELIMINATED)
			is_left = true;
	}
	if (!is_left)
		return (0);
	if ((r = combat_decide_bool(
		 l->c, COMBAT_DEFENDER, "retreat-option", "use", &use)) != 0)
		return (r);
	if (use)
		tlnb_step_retreat(l, COMBAT_DEFENDER, 1, "chosen");
	return (0);
}

/* 14.5: 1E, which no vedette suffers. */
static int
tlnb_bombard_lose_one(const struct tlnb *l)
{
	size_t chosen[COMBAT_SIDE_UNITS_MAX], i, may[COMBAT_SIDE_UNITS_MAX];
	size_t n, n_may = 0, units[COMBAT_SIDE_UNITS_MAX];
	int r;

	n = tlnb_step_units(l, COMBAT_DEFENDER, units);
	for (i = 0; i < n; i++) {
		if (l->f->units[units[i]].arm != TLNB_VEDETTE)
			may[n_may++] = units[i];
	}
	if (n_may == 0) {
		tlnb_step_change(
		    l, COMBAT_DEFENDER, "spared", "vedettes", NULL, 0);
		return (0);
	}
	if ((r = tlnb_step_choose(l, may, n_may, 1, chosen)) != 0)
		return (r);
	tlnb_step_eliminate(l, chosen[0], "fire");
	return (0);
}

/* 14.5: carries out the code. */
static int
tlnb_bombard_apply(const struct tlnb *l)
{
	int r;

	if (l->st->code.effect == TLNB_DEFENDER_BACK) {
		if ((r = tlnb_bombard_convert(l)) != 0)
			return (r);
		if (l->st->code.effect == TLNB_DEFENDER_BACK)
			return (
			    tlnb_step_retreat_by_result(l, COMBAT_DEFENDER, 1));
	}
	switch (l->st->code.effect) {
	case TLNB_NOTHING:
		return (0);
	case TLNB_SUPPRESSED:
		l->st->is_suppressed = true;
		tlnb_step_change(
		    l, COMBAT_DEFENDER, "suppressed", "result", NULL, 0);
		return (0);
	case TLNB_REDUCE:
		return (tlnb_bombard_reduce(l));
	case TLNB_LOSE_ONE:
		return (tlnb_bombard_lose_one(l));
	default:
		return (combat_fault(l->c, "no result of a bombardment: \"%s\"",
		    l->st->code.text));
	}
}

int
tlnb_bombard_run(const struct tlnb *l)
{
	struct tlnb_code none = {.effect = TLNB_NOTHING, .text = "-"};
	size_t column = 0, i;
	uint16_t die;
	int r, row;

	tlnb_bombard_find_strength(l);
	if (l->st->strength < 1) {
		l->st->code = none;
		tlnb_step_change(
		    l, COMBAT_ATTACKER, "no-fire", "strength", NULL, 0);
		return (0);
	}
	for (i = 0; i < TLNB_TABLES_FIRE_COLUMNS; i++) {
		if (l->st->strength >= tlnb_bombard_columns[i].least)
			column = i;
	}
	if ((r = combat_roll(l->c, &die, 1, TLNB_STEP_SIDES, "bombardment")) !=
	    0)
		return (r);
	row = tlnb_bombard_find_row(l, die);
	tlnb_step_look_up(l, "bombardment", row,
	    tlnb_bombard_columns[column].name,
	    &l->t->fire[row - TLNB_TABLES_FIRE_LEAST][column]);
	return (tlnb_bombard_apply(l));
}
