/* SPDX-License-Identifier: ISC */
#include "tests/lib/facts_invasion1812.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A unit of a stack. */
static json_t *
facts_invasion1812_unit(uint64_t *seed, struct facts_invasion1812 *s)
{
	static const char *const types[] = {
	    "infantry", "artillery", "infantry", "cavalry"};
	json_t *u = json_object();
	uint32_t type = 3;

	if (s->types > 0)
		type = chance_pick_cb(seed, s->types + 1);
	assert_int_equal(
	    json_object_set_new(
		u, "id", json_sprintf("%c%u", s->side, (unsigned)s->n_units++)),
	    0);
	if (chance_pick_cb(seed, 3) == 0)
		(void)json_object_set_new(u, "name",
		    json_sprintf(
			"%u\xc3\xa8me %s", (unsigned)s->n_units, types[type]));
	(void)json_object_set_new(u, "type", json_string(types[type]));
	if (chance_pick_cb(seed, 3) > 0)
		(void)json_object_set_new(
		    u, "cf", json_integer(chance_pick_cb(seed, 4)));
	if (!s->is_attacking && chance_pick_cb(seed, 4) < s->broken)
		(void)json_object_set_new(u, "disrupted", json_true());
	return (u);
}

/* A stack of n units. */
static json_t *
facts_invasion1812_stack(
    uint64_t *seed, struct facts_invasion1812 *s, uint32_t n)
{
	json_t *commanders = json_array(), *stack = json_object();
	json_t *units = json_array();
	uint32_t i, n_commanders;

	n_commanders = chance_pick_cb(seed, 3) + (n == 0);
	for (i = 0; i < n; i++)
		(void)json_array_append_new(
		    units, facts_invasion1812_unit(seed, s));
	for (i = 0; i < n_commanders; i++)
		(void)json_array_append_new(commanders,
		    json_pack("{s:o, s:i}", "id",
			json_sprintf(
			    "%cc%u", s->side, (unsigned)s->n_commanders++),
			"cr", (int)chance_pick_cb(seed, 5)));
	(void)json_object_set_new(stack, "units", units);
	(void)json_object_set_new(stack, "commanders", commanders);
	if (chance_pick_cb(seed, 4) == 0)
		(void)json_object_set_new(stack, "force_marched", json_true());
	if (chance_pick_cb(seed, 3) == 0)
		(void)json_object_set_new(
		    stack, "fought", json_integer(chance_pick_cb(seed, 4)));
	if (s->side == 'a' && chance_pick_cb(seed, 3) == 0)
		(void)json_object_set_new(stack, "across_river", json_true());
	if (chance_pick_cb(seed, 6) == 0)
		(void)json_object_set_new(stack, "others_in_hex", json_true());
	return (stack);
}

/* A side: its fighting stack of n units, and what supports it. */
static json_t *
facts_invasion1812_side(
    uint64_t *seed, struct facts_invasion1812 *s, uint32_t n)
{
	json_t *o = json_object(), *supports = json_array();
	uint32_t i, n_supports = chance_pick_cb(seed, 3);

	(void)json_object_set_new(
	    o, "stack", facts_invasion1812_stack(seed, s, n));
	s->is_attacking = false;
	s->types = 3;
	for (i = 0; i < n_supports; i++)
		(void)json_array_append_new(supports,
		    facts_invasion1812_stack(
			seed, s, 1 + chance_pick_cb(seed, 3)));
	(void)json_object_set_new(o, "supports", supports);
	return (o);
}

json_t *
facts_invasion1812(uint64_t *seed)
{
	static const char *const terrains[] = {
	    "clear", "forest", "marsh", "mountain", "rough", "city"};
	struct facts_invasion1812 a = {.side = 'a', .is_attacking = true};
	struct facts_invasion1812 d = {.side = 'd'};
	uint32_t n_attackers, n_defenders;
	bool slips = chance_pick_cb(seed, 6) == 0;
	json_t *attacker, *defender;

	a.types = slips ? 1 : 3;
	d.types = slips ? 0 : 3;
	a.broken = chance_pick_cb(seed, 3);
	d.broken = chance_pick_cb(seed, 5);
	n_attackers = 1 + chance_pick_cb(seed, 4);
	n_defenders = 1 + chance_pick_cb(seed, 4);
	if (chance_pick_cb(seed, 12) == 0)
		n_defenders = 0;
	if (chance_pick_cb(seed, 20) == 0)
		n_attackers = COMBAT_SIDE_UNITS_MAX - 12;
	attacker = facts_invasion1812_side(seed, &a, n_attackers);
	defender = facts_invasion1812_side(seed, &d, n_defenders);
	return (json_pack("{s:o, s:o, s:s, s:b}", "attacker", attacker,
	    "defender", defender, "terrain", terrains[chance_pick_cb(seed, 6)],
	    "fortified_city", (int)(chance_pick_cb(seed, 4) == 0)));
}
