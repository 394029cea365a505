/* SPDX-License-Identifier: ISC */
/*
 * What a run of an imagi-nations combat keeps, and what it came to: the
 * result (umpire-rules.7, 13.9) and the outcome for the odds calculator.
 */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_FATE_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_FATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/rules/combat.h"
#include "common/rules/imaginations/imaginations_allocate.h"
#include "common/rules/imaginations/imaginations_bag.h"
#include "common/rules/imaginations/imaginations_facts.h"
#include "common/rules/rules.h"

#define IMAGINATIONS_SIDES 2

/* What becomes of a unit. */
struct imaginations_fate {
	int fatigue;
	bool is_disordered;
	int morale;
	int retreated; /* spaces */
	bool has_failed; /* its morale test */
};

/* What one chit did to the hits of the sides, by enum combat_side. */
struct imaginations_drawn {
	uint16_t chit;
	int scored[IMAGINATIONS_SIDES]; /* hits on this side */
	int fewer[IMAGINATIONS_SIDES];
};

struct imaginations_state {
	struct imaginations_claim claim; /* first: see there */
	struct imaginations_fate fates[IMAGINATIONS_UNITS_MAX];
	int taken[IMAGINATIONS_BATTALIONS_MAX];
	enum imaginations_tactic cards[IMAGINATIONS_SIDES];
	int chits[IMAGINATIONS_SIDES]; /* that the cards ask for */
	bool has_evaded;
	int cdr[IMAGINATIONS_SIDES];
	char ratio[24];
	struct imaginations_drawn drawn[IMAGINATIONS_CHITS_MAX];
	size_t n_drawn;
	int fatigue; /* Fs that counted */
	int morale; /* Ms */
	int hits[IMAGINATIONS_SIDES]; /* suffered */
	size_t advanced[COMBAT_SIDE_UNITS_MAX];
	size_t n_advanced;
};

/* The strength points that battalion b, and that unit u, has left now. */
int imaginations_fate_left(const struct imaginations_facts *f,
    const struct imaginations_state *st, size_t b);
int imaginations_fate_unit_left(const struct imaginations_facts *f,
    const struct imaginations_state *st, size_t u);

/* rules_system's result: new, NULL without memory. */
json_t *imaginations_fate_result(const struct combat *c);

/* rules_system's ends. */
extern const char *const imaginations_fate_ends[];

/* rules_system's outcome. */
void imaginations_fate_outcome(
    const struct combat *c, struct rules_outcome *out);

#endif
