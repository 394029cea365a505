/* SPDX-License-Identifier: ISC */
/*
 * Random facts of invasion-1812: stacks of all sizes and histories, supports
 * with and without commanders, commanders alone, cavalry that may slip away,
 * stacks that are all disrupted.
 */
#ifndef UMPIRE_TESTS_LIB_FACTS_INVASION1812_H
#define UMPIRE_TESTS_LIB_FACTS_INVASION1812_H

#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "common/rules/combat.h"

#include "tests/lib/chance.h"

/* What a stack is made of. */
struct facts_invasion1812 {
	char side; /* 'a' or 'd', the first letter of its ids */
	bool is_attacking; /* no unit is disrupted */
	uint32_t n_units; /* of the side so far */
	uint32_t n_commanders;
	uint32_t types; /* 3: any; 1: no cavalry; 0: cavalry alone */
	uint32_t broken; /* of 4 units so many are disrupted */
};

/* Facts of one combat. */
json_t *facts_invasion1812(uint64_t *seed);

#endif
