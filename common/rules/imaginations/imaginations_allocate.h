/* SPDX-License-Identifier: ISC */
/*
 * How a side of an imagi-nations combat takes its hits (umpire-rules.7, 13.6):
 * the question "allocate", whose lawful answers cannot be listed.
 */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_ALLOCATE_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_ALLOCATE_H

#include <stddef.h>

#include "common/rules/combat.h"
#include "common/rules/imaginations/imaginations_facts.h"
#include "common/rules/question.h"

/*
 * The side that is asked, and its hits: the first member of the system's state,
 * set before the question is asked.
 */
struct imaginations_claim {
	enum combat_side side;
	int hits;
};

/* What an answer comes to, by indexes into the facts. */
struct imaginations_toll {
	int taken[IMAGINATIONS_BATTALIONS_MAX];
	int spaces[IMAGINATIONS_UNITS_MAX]; /* that units retreat */
};

extern const struct question_rule imaginations_allocate_rule;

/* Words of the policy, the first being the default; ended by NULL. */
extern const char *const imaginations_allocate_words[];

/* The strength points that a side had left before the combat. */
int imaginations_allocate_strength(
    const struct imaginations_facts *f, enum combat_side side);

/* Reads a lawful answer into *toll. */
void imaginations_allocate_toll(const struct combat *c,
    const struct question_answer *a, struct imaginations_toll *toll);

#endif
