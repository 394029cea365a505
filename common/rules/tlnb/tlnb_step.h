/* SPDX-License-Identifier: ISC */
/*
 * What a run of tlnb keeps, and the steps that its three kinds of combat
 * share (umpire-rules.7, 14): odds, losses, retreats, and the events of them.
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_STEP_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "common/rules/event.h"
#include "common/rules/tlnb/tlnb_facts.h"
#include "common/rules/tlnb/tlnb_tables.h"

struct combat;

#define TLNB_STEP_SIDES 6 /* of the one die that the system knows */

/* Rulings (14.8), as indexes. */
enum tlnb_ruling {
	TLNB_DAMAGED_BRIDGE_DR,
	TLNB_BOMBARDED_IN_ODDS,
	TLNB_VEDETTES_IN_EXCHANGE,
	TLNB_RULINGS,
};

enum tlnb_end {
	TLNB_FULL,
	TLNB_REDUCED,
	TLNB_ELIMINATED,
};

/* A column of odds: attacking strength to defending strength. */
struct tlnb_column {
	const char *name;
	int attacker;
	int defender;
};

struct tlnb_state {
	enum tlnb_end ends[TLNB_UNITS_MAX];
	const char *column; /* that counted; NULL: none was looked up */
	int shift;
	struct tlnb_code table; /* as the table has it */
	struct tlnb_code code; /* what became of it */
	bool has_shock;
	int shock[2]; /* by side */
	bool has_retreat;
	enum combat_side retreats;
	int hexes;
	bool must_advance[TLNB_UNITS_MAX];
	int strength; /* of a bombardment */
	bool is_suppressed;
	enum combat_side stronger; /* in an exchange */
	int least; /* strength that it must lose */
	size_t payers[COMBAT_SIDE_UNITS_MAX]; /* its units that may be lost */
	size_t n_payers;
	/* A score in the making, from tlnb_step_begin() on. */
	struct event_field terms[2][COMBAT_SIDE_UNITS_MAX];
	size_t n_terms[2];
	char halves[COMBAT_SIDE_UNITS_MAX][16];
};

/* A run of the rules: facts, tables, state and the conversation. */
struct tlnb {
	struct combat *c;
	const struct tlnb_facts *f;
	const struct tlnb_tables *t;
	struct tlnb_state *st;
};

/* The strength of unit u as it now is: 0 once it is eliminated. */
int tlnb_step_strength(
    const struct tlnb_facts *f, const struct tlnb_state *st, size_t u);

/* Lists the units of a side that take part; returns how many. */
size_t tlnb_step_units(const struct tlnb *l, enum combat_side side,
    size_t units[COMBAT_SIDE_UNITS_MAX]);

/* Says of a side what changes and why, with n more fields. */
void tlnb_step_change(const struct tlnb *l, enum combat_side side,
    const char *what, const char *why, const struct event_field *more,
    size_t n);

/* Says the same of unit u. */
void tlnb_step_unit_change(
    const struct tlnb *l, size_t u, const char *what, const char *why);

/*
 * Makes a score of strengths in the state: begins it, adds one that counts
 * whole or half under the id, and emits it with n more fields, at most four.
 */
void tlnb_step_begin(const struct tlnb *l);
void tlnb_step_add(
    const struct tlnb *l, const char *id, int strength, bool is_half);
void tlnb_step_end(const struct tlnb *l, enum combat_side side,
    const char *what, const struct event_field *more, size_t n);

/*
 * Compares both sides and returns the index of the highest of n columns that
 * is not above the odds, 0 if all are; the events say how.
 */
size_t tlnb_step_odds(const struct tlnb *l, const struct tlnb_column *columns,
    size_t n, bool counts_bombarded);

/* Takes the code that a table has; `die` and `column` say where. */
void tlnb_step_look_up(const struct tlnb *l, const char *table, int die,
    const char *column, const struct tlnb_code *code);

/* True if to reduce unit u is to eliminate it. */
bool tlnb_step_is_last(
    const struct tlnb_facts *f, const struct tlnb_state *st, size_t u);

/*
 * Puts those of n units that reducing does not eliminate first, so that no
 * player loses one by taking what is offered first.
 */
void tlnb_step_spare(const struct tlnb *l, size_t *units, size_t n);

/* Turns unit u to its reduced side, or eliminates it. */
void tlnb_step_reduce(const struct tlnb *l, size_t u);

/* Eliminates unit u. */
void tlnb_step_eliminate(const struct tlnb *l, size_t u, const char *why);

/* Eliminates all units of a side that take part. */
void tlnb_step_eliminate_all(
    const struct tlnb *l, enum combat_side side, const char *why);

/* Notes that a side retreats; nobody is asked. */
void tlnb_step_retreat(
    const struct tlnb *l, enum combat_side side, int hexes, const char *why);

/* The same by a result: its player says who cannot, which is eliminated. */
int tlnb_step_retreat_by_result(const struct tlnb *l, enum combat_side side,
    int hexes) __attribute__((warn_unused_result));

/*
 * Asks the attacker for "reduce" of exactly `many` of these n units; those
 * that it chose stand in *chosen, in the order of the facts.
 */
int tlnb_step_choose(const struct tlnb *l, const size_t *units, size_t n,
    size_t many, size_t *chosen) __attribute__((warn_unused_result));

#endif
