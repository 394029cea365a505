/* SPDX-License-Identifier: ISC */
/* Numbers by chance that are the same in every run of a test (splitmix64). */
#ifndef UMPIRE_TESTS_LIB_CHANCE_H
#define UMPIRE_TESTS_LIB_CHANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/rules/combat.h"

/* Returns the next number below n; arg is a uint64_t. */
static inline uint32_t
chance_pick_cb(void *arg, uint32_t n)
{
	uint64_t *state = arg, z;

	z = (*state += 0x9e3779b97f4a7c15U);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return ((uint32_t)((z ^ (z >> 31)) >> 32) % n);
}

/* combat_dice: rolls; arg as above. */
static inline int
chance_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = (uint16_t)(1 + chance_pick_cb(arg, sides));
	return (0);
}

/* combat_dice: draws; arg as above. */
static inline int
chance_draw_cb(void *arg, const char *label, const char *const *ids, unsigned n,
    const uint16_t *had, unsigned nhad, uint16_t *pick, struct errinfo *e)
{
	bool is_had;
	unsigned i;

	(void)label;
	(void)ids;
	(void)e;
	do {
		*pick = (uint16_t)chance_pick_cb(arg, n);
		is_had = false;
		for (i = 0; i < nhad; i++)
			is_had = is_had || had[i] == *pick;
	} while (is_had);
	return (0);
}

#endif
