/* SPDX-License-Identifier: ISC */
/* A cavalry charge of tlnb: odds, die, table, losses (umpire-rules.7, 14.6). */
#include "common/rules/tlnb/tlnb_charge.h"

#include "common/rules/rulekit.h"
#include "common/rules/tlnb/tlnb_step.h"

/* From the weakest odds on; the table has them the other way round. */
static const struct tlnb_column
    tlnb_charge_columns[TLNB_TABLES_CHARGE_COLUMNS] = {
	{"1:4", 1, 4},
	{"1:3", 1, 3},
	{"1:2", 1, 2},
	{"1:1", 1, 1},
};

/* 14.6: the row of the table that the die comes to. */
static int
tlnb_charge_find_row(const struct tlnb *l, int die)
{
	const struct event_field weather = event_int("weather", 1);
	struct event_field fields[6];
	int row = die;
	size_t n = 0;

	fields[n++] = event_text("side", question_side(COMBAT_ATTACKER));
	fields[n++] = event_text("what", "row");
	fields[n++] = event_int("die", die);
	if (l->f->weather == TLNB_HEAT || l->f->weather == TLNB_SNOW ||
	    l->f->weather == TLNB_T_STORM || l->f->weather == TLNB_SNOW_STORM) {
		row++;
		fields[n++] = event_object("modifiers", &weather, 1);
	}
	if (row > TLNB_TABLES_CHARGE_ROWS) {
		row = TLNB_TABLES_CHARGE_ROWS;
		fields[n++] = event_int("most", row);
	}
	fields[n++] = event_int("score", row);
	combat_emit(l->c, "score", fields, n);
	return (row);
}

/* 14.6: the cavalry goes back, and some of it is reduced. */
static int
tlnb_charge_repulse(const struct tlnb *l)
{
	size_t chosen[COMBAT_SIDE_UNITS_MAX], i, many, n;
	size_t units[COMBAT_SIDE_UNITS_MAX];
	int r;

	tlnb_step_change(l, COMBAT_ATTACKER, "repulsed", "result", NULL, 0);
	n = tlnb_step_units(l, COMBAT_ATTACKER, units);
	many = (size_t)l->st->code.n < n ? (size_t)l->st->code.n : n;
	if (many == 0)
		return (0);
	tlnb_step_spare(l, units, n);
	if ((r = tlnb_step_choose(l, units, n, many, chosen)) != 0)
		return (r);
	for (i = 0; i < many; i++)
		tlnb_step_reduce(l, chosen[i]);
	return (0);
}

/* 14.6: carries out the code. */
static int
tlnb_charge_apply(const struct tlnb *l)
{
	switch (l->st->code.effect) {
	case TLNB_OVERRUN:
		tlnb_step_change(
		    l, COMBAT_ATTACKER, "overrun", "result", NULL, 0);
		return (0);
	case TLNB_ATTACKER_GONE:
		tlnb_step_eliminate_all(l, COMBAT_ATTACKER, "result");
		if (l->st->code.n == -1)
			return (0);
		tlnb_step_change(l, COMBAT_DEFENDER, "target-move", "result",
		    EVENT_FIELDS(event_int("points", l->st->code.n)));
		return (0);
	case TLNB_REPULSED:
		return (tlnb_charge_repulse(l));
	default:
		return (combat_fault(
		    l->c, "no result of a charge: \"%s\"", l->st->code.text));
	}
}

int
tlnb_charge_run(const struct tlnb *l)
{
	size_t column;
	uint16_t die;
	int r, row;

	column = tlnb_step_odds(
	    l, tlnb_charge_columns, TLNB_TABLES_CHARGE_COLUMNS, true);
	if ((r = combat_roll(l->c, &die, 1, TLNB_STEP_SIDES, "charge")) != 0)
		return (r);
	row = tlnb_charge_find_row(l, die);
	tlnb_step_look_up(l, "charge", row, tlnb_charge_columns[column].name,
	    &l->t->charge[row - 1][TLNB_TABLES_CHARGE_COLUMNS - 1 - column]);
	if ((r = tlnb_charge_apply(l)) != 0)
		return (r);
	tlnb_step_change(l, COMBAT_DEFENDER, "marker",
	    l->st->code.effect == TLNB_REPULSED ? "square" : "charge", NULL, 0);
	return (0);
}
