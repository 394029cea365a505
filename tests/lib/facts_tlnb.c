/* SPDX-License-Identifier: ISC */
#include "tests/lib/facts_tlnb.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Sets a member. */
static void
facts_tlnb_put(json_t *o, const char *name, json_t *value)
{
	assert_int_equal(json_object_set_new(o, name, value), 0);
}

/* Sets a member to true, once in n times, and to false at times. */
static void
facts_tlnb_flag(uint64_t *seed, json_t *o, const char *name, uint32_t n)
{
	if (chance_pick_cb(seed, n) == 0)
		facts_tlnb_put(o, name, json_true());
	else if (chance_pick_cb(seed, 5) == 0)
		facts_tlnb_put(o, name, json_false());
}

/* Sets a member to one of n words, or leaves it out. */
static void
facts_tlnb_word(uint64_t *seed, json_t *o, const char *name,
    const char *const words[], uint32_t n)
{
	if (chance_pick_cb(seed, 2) == 0)
		facts_tlnb_put(
		    o, name, json_string(words[chance_pick_cb(seed, n)]));
}

/* A unit of the arm, of lo to hi strength points on the side that is up. */
static json_t *
facts_tlnb_unit(
    uint64_t *seed, const char *id, const char *arm, uint32_t lo, uint32_t hi)
{
	static const char *const hexes[] = {"0101", "0102"};
	static const char *const flags[] = {"demoralized", "suppressed",
	    "halved", "bombarded", "overrunning", "out_of_supply",
	    "out_of_command"};
	uint32_t sp = lo + chance_pick_cb(seed, hi - lo + 1);
	json_t *u = json_pack("{s:s}", "id", id);
	size_t i;

	if (chance_pick_cb(seed, 4) == 0)
		facts_tlnb_put(u, "name",
		    json_sprintf("%s. J\xc3\xa4ger \"Brigade\"", id));
	facts_tlnb_put(u, "arm", json_string(arm));
	switch (chance_pick_cb(seed, 4)) {
	case 0:
		facts_tlnb_put(u, "sp", json_integer(sp));
		facts_tlnb_put(u, "reduced_sp", json_null());
		break;
	case 1:
		facts_tlnb_put(u, "sp", json_integer(sp));
		break;
	case 2:
		facts_tlnb_put(u, "sp", json_integer(sp));
		facts_tlnb_put(u, "reduced_sp", json_integer((sp + 1) / 2));
		break;
	case 3:
		facts_tlnb_put(u, "sp", json_integer(2 * sp));
		facts_tlnb_put(u, "reduced_sp", json_integer(sp));
		facts_tlnb_put(u, "reduced", json_true());
	}
	facts_tlnb_put(u, "initiative", json_integer(chance_pick_cb(seed, 7)));
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		facts_tlnb_flag(seed, u, flags[i], 5);
	facts_tlnb_word(seed, u, "hex", hexes, 2);
	return (u);
}

/* Up to five units of any arm, or of one. */
static json_t *
facts_tlnb_units(uint64_t *seed, const char *prefix, const char *arm,
    uint32_t n, uint32_t lo, uint32_t hi)
{
	static const char *const arms[] = {
	    "infantry", "cavalry", "artillery", "vedette"};
	json_t *list = json_array();
	char id[16];
	uint32_t i;

	for (i = 0; i < n; i++) {
		(void)snprintf(id, sizeof(id), "%s%u", prefix, i);
		assert_int_equal(
		    json_array_append_new(list,
			facts_tlnb_unit(seed, id,
			    arm != NULL ? arm : arms[chance_pick_cb(seed, 4)],
			    lo, hi)),
		    0);
	}
	return (list);
}

/* Weather that all kinds have. */
static void
facts_tlnb_weather(uint64_t *seed, json_t *o)
{
	static const char *const weathers[] = {
	    "clear", "heat", "rain", "t-storm", "snow", "snow-storm"};

	facts_tlnb_word(seed, o, "weather", weathers, 6);
}

/* An attack. */
static void
facts_tlnb_attack(uint64_t *seed, json_t *o)
{
	static const char *const terrains[] = {
	    "clear", "town", "woods", "orchard", "marsh"};
	static const char *const acrosses[] = {
	    "none", "crest", "bridge", "damaged-bridge"};
	static const char *const sides[] = {"attacker", "defender"};
	json_t *guard = json_array();
	uint32_t i;

	facts_tlnb_put(o, "attackers",
	    facts_tlnb_units(
		seed, "a", NULL, 1 + chance_pick_cb(seed, 5), 1, 9));
	facts_tlnb_put(o, "defenders",
	    facts_tlnb_units(
		seed, "d", NULL, 1 + chance_pick_cb(seed, 4), 1, 7));
	if (chance_pick_cb(seed, 2) == 0)
		facts_tlnb_put(o, "attacker_stacked_artillery",
		    facts_tlnb_units(seed, "as", "artillery",
			chance_pick_cb(seed, 3), 1, 4));
	if (chance_pick_cb(seed, 2) == 0)
		facts_tlnb_put(o, "defender_stacked_artillery",
		    facts_tlnb_units(seed, "ds", "artillery",
			chance_pick_cb(seed, 3), 1, 4));
	facts_tlnb_word(seed, o, "terrain", terrains, 5);
	facts_tlnb_word(seed, o, "across", acrosses, 4);
	facts_tlnb_word(seed, o, "napoleon", sides, 2);
	facts_tlnb_flag(seed, o, "chateau", 6);
	facts_tlnb_flag(seed, o, "improved_position", 6);
	facts_tlnb_flag(seed, o, "mud", 4);
	facts_tlnb_flag(seed, o, "failed_repulse", 8);
	for (i = 0; i < 2; i++) {
		if (chance_pick_cb(seed, 3) == 0)
			assert_int_equal(
			    json_array_append_new(guard, json_string(sides[i])),
			    0);
	}
	facts_tlnb_put(o, "guard", guard);
}

/* A bombardment. */
static void
facts_tlnb_bombardment(uint64_t *seed, json_t *o)
{
	static const char *const terrains[] = {"clear", "marsh", "town"};
	static const char *const flags[] = {"mud", "arf", "enfilade",
	    "ammo_shortage", "grand_battery", "point_blank"};
	bool is_town = chance_pick_cb(seed, 4) == 0;
	uint32_t i, n = 1 + chance_pick_cb(seed, 4);
	json_t *list = json_array(), *target = json_object();

	for (i = 0; i < n; i++)
		assert_int_equal(
		    json_array_append_new(list,
			json_pack("{s:o, s:i, s:i}", "id",
			    json_sprintf("b%u", i), "sp",
			    1 + (int)chance_pick_cb(seed, 6), "range",
			    1 + (int)chance_pick_cb(seed, is_town ? 2 : 3))),
		    0);
	facts_tlnb_put(o, "batteries", list);
	facts_tlnb_put(target, "units",
	    facts_tlnb_units(
		seed, "t", NULL, 1 + chance_pick_cb(seed, 4), 1, 5));
	if (is_town)
		facts_tlnb_put(target, "terrain", json_string("town"));
	else
		facts_tlnb_word(seed, target, "terrain", terrains, 2);
	facts_tlnb_put(o, "target", target);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		facts_tlnb_flag(seed, o, flags[i], 4);
}

/* A charge, at odds that allow it. */
static void
facts_tlnb_charge(uint64_t *seed, json_t *o)
{
	static const char *const terrains[] = {"clear", "marsh"};
	static const char *const acrosses[] = {"none", "crest", "bridge"};

	facts_tlnb_put(o, "cavalry",
	    facts_tlnb_units(
		seed, "c", "cavalry", 1 + chance_pick_cb(seed, 3), 6, 8));
	facts_tlnb_put(o, "target",
	    facts_tlnb_units(
		seed, "t", NULL, 1 + chance_pick_cb(seed, 3), 1, 4));
	facts_tlnb_word(seed, o, "terrain", terrains, 2);
	facts_tlnb_word(seed, o, "across", acrosses, 3);
}

json_t *
facts_tlnb(uint64_t *seed)
{
	static const char *const kinds[] = {"attack", "bombardment", "charge"};
	static const size_t which[] = {0, 0, 0, 1, 1, 2};
	size_t kind = which[chance_pick_cb(seed, 6)];
	json_t *o = json_pack("{s:s}", "kind", kinds[kind]);

	if (kind == 0)
		facts_tlnb_attack(seed, o);
	else if (kind == 1)
		facts_tlnb_bombardment(seed, o);
	else
		facts_tlnb_charge(seed, o);
	facts_tlnb_weather(seed, o);
	return (o);
}
