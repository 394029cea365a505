/* SPDX-License-Identifier: ISC */
#include "tests/lib/chance.h"

uint32_t
chance_pick_cb(void *arg, uint32_t n)
{
	uint64_t *state = arg, z;

	z = (*state += 0x9e3779b97f4a7c15U);
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
	return ((uint32_t)((z ^ (z >> 31)) >> 32) % n);
}

int
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

int
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
