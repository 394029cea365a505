/* SPDX-License-Identifier: ISC */
/* Numbers by chance that are the same in every run of a test (splitmix64). */
#ifndef UMPIRE_TESTS_UNIT_CHANCE_H
#define UMPIRE_TESTS_UNIT_CHANCE_H

#include <stdint.h>

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

#endif
