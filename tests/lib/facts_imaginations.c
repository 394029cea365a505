/* SPDX-License-Identifier: ISC */
#include "tests/lib/facts_imaginations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char *const facts_imaginations_terrains[] = {
    "open", "village", "woods", "hill", "works", "cover", "sunken road"};

static const char *const facts_imaginations_arms[] = {
    "infantry", "cavalry", "artillery"};

void
facts_imaginations_set(json_t *o, const char *name, json_t *value)
{
	assert_int_equal(json_object_set_new(o, name, value), 0);
}

/* One of the n words, by chance. */
static json_t *
facts_imaginations_word(uint64_t *seed, const char *const words[], uint32_t n)
{
	return (json_string(words[chance_pick_cb(seed, n)]));
}

/* A unit with one to five battalions. */
static json_t *
facts_imaginations_unit(uint64_t *seed, const char *id, uint32_t arm)
{
	static const char *const qualities[] = {
	    "elite", "veteran", "experienced", "trained", "raw"};
	uint32_t i, n = 1 + chance_pick_cb(seed, 5), sp;
	json_t *b, *list = json_array(), *u = json_object();

	for (i = 0; i < n; i++) {
		sp = 1 + chance_pick_cb(seed, 4);
		b = json_object();
		facts_imaginations_set(b, "id", json_sprintf("%s-%u", id, i));
		facts_imaginations_set(
		    b, "quality", facts_imaginations_word(seed, qualities, 5));
		facts_imaginations_set(b, "sp", json_integer(sp));
		if (chance_pick_cb(seed, 2) == 0)
			facts_imaginations_set(b, "hits",
			    json_integer(chance_pick_cb(seed, sp + 1)));
		assert_int_equal(json_array_append_new(list, b), 0);
	}
	facts_imaginations_set(u, "id", json_string(id));
	if (chance_pick_cb(seed, 3) == 0)
		facts_imaginations_set(
		    u, "name", json_sprintf("Brigade of F\xc3\xbcrst %s", id));
	if (arm > 0 || chance_pick_cb(seed, 2) == 0)
		facts_imaginations_set(
		    u, "arm", json_string(facts_imaginations_arms[arm]));
	facts_imaginations_set(
	    u, "lead", json_sprintf("%s-%u", id, chance_pick_cb(seed, n)));
	facts_imaginations_set(u, "battalions", list);
	if (chance_pick_cb(seed, 3) == 0)
		facts_imaginations_set(u, "commander",
		    json_integer((int)chance_pick_cb(seed, 4) - 1));
	if (chance_pick_cb(seed, 3) == 0)
		facts_imaginations_set(u, "fatigue",
		    json_integer(chance_pick_cb(seed, 8) == 0
			    ? 9999
			    : (int)chance_pick_cb(seed, 4)));
	if (chance_pick_cb(seed, 3) == 0)
		facts_imaginations_set(u, "disordered", json_true());
	if (chance_pick_cb(seed, 2) == 0)
		facts_imaginations_set(
		    u, "morale", json_integer(chance_pick_cb(seed, 7)));
	if (chance_pick_cb(seed, 2) == 0)
		facts_imaginations_set(
		    u, "retreat_room", json_integer(chance_pick_cb(seed, 3)));
	return (u);
}

/* A side with one to four units. */
static json_t *
facts_imaginations_side(uint64_t *seed, bool is_attacker)
{
	static const char *const kinds[] = {
	    "offensive", "defensive", "conditional"};
	static const char *const reasons[] = {
	    "guns", "fatigue", "score", "k\xc3\xa4lte (modifier 2)"};
	json_t *mods = json_array(), *s = json_object(), *units = json_array();
	uint32_t arm, i, n;
	char id[8];

	arm = chance_pick_cb(seed, 4); /* 1: cavalry; 3: mixed */
	n = 1 + chance_pick_cb(seed, 4);
	for (i = 0; i < n; i++) {
		(void)snprintf(
		    id, sizeof(id), "%s%u", is_attacker ? "a" : "d", i);
		assert_int_equal(
		    json_array_append_new(units,
			facts_imaginations_unit(
			    seed, id, arm < 3 ? arm : chance_pick_cb(seed, 3))),
		    0);
	}
	n = chance_pick_cb(seed, 4);
	for (i = 0; i < n; i++)
		assert_int_equal(
		    json_array_append_new(mods,
			json_pack("{s:o, s:i, s:o}", "reason",
			    facts_imaginations_word(seed, reasons, 4), "value",
			    (int)chance_pick_cb(seed, 25) - 15, "kind",
			    facts_imaginations_word(seed, kinds, 3))),
		    0);
	facts_imaginations_set(s, "units", units);
	if (n > 0 || chance_pick_cb(seed, 2) == 0)
		facts_imaginations_set(s, "modifiers", mods);
	else
		json_decref(mods);
	if (chance_pick_cb(seed, 4) == 0)
		facts_imaginations_set(s, "objective", json_true());
	if (!is_attacker && arm == 1 && chance_pick_cb(seed, 3) == 0)
		facts_imaginations_set(s, "can_evade", json_true());
	return (s);
}

/* A face of a chit, or null. */
static json_t *
facts_imaginations_face(uint64_t *seed)
{
	static const char *const effects[] = {
	    "A1", "A2", "D1", "D2", "A-1", "D-1", "F", "M", "A9", "D12"};
	static const char *const sides[] = {"attacker", "defender"};
	static const char *const tactics[] = {"feint", "cavalry-charge",
	    "prepared-attack", "hasty-attack", "pinning-attack", "hold",
	    "defend", "evade", "counter-attack"};
	json_t *face = json_object(), *list = json_array(), *when;
	uint32_t i, n;

	if (chance_pick_cb(seed, 4) == 0) {
		json_decref(face);
		json_decref(list);
		return (json_null());
	}
	when = json_object();
	if (chance_pick_cb(seed, 5) == 0)
		facts_imaginations_set(
		    when, "ratio", json_integer(1 + chance_pick_cb(seed, 4)));
	if (chance_pick_cb(seed, 5) == 0)
		facts_imaginations_set(when, "ratio_against",
		    json_integer(1 + chance_pick_cb(seed, 4)));
	if (chance_pick_cb(seed, 5) == 0)
		facts_imaginations_set(when, "terrain",
		    facts_imaginations_word(
			seed, facts_imaginations_terrains, 7));
	if (chance_pick_cb(seed, 5) == 0)
		facts_imaginations_set(
		    when, "power", facts_imaginations_word(seed, sides, 2));
	if (chance_pick_cb(seed, 5) == 0)
		facts_imaginations_set(
		    when, "tactic", facts_imaginations_word(seed, tactics, 9));
	if (chance_pick_cb(seed, 5) == 0)
		facts_imaginations_set(when, "arm",
		    facts_imaginations_word(seed, facts_imaginations_arms, 3));
	if (json_object_size(when) > 0)
		facts_imaginations_set(face, "when", when);
	else
		json_decref(when);
	n = chance_pick_cb(seed, 4);
	for (i = 0; i < n; i++)
		assert_int_equal(
		    json_array_append_new(
			list, facts_imaginations_word(seed, effects, 10)),
		    0);
	facts_imaginations_set(face, "effects", list);
	return (face);
}

json_t *
facts_imaginations(uint64_t *seed)
{
	static const char *const takes[] = {"front", "back", "both"};
	json_t *bag = json_array(), *o = json_object();
	uint32_t i, n = 8 + chance_pick_cb(seed, 20);

	facts_imaginations_set(
	    o, "attacker", facts_imaginations_side(seed, true));
	facts_imaginations_set(
	    o, "defender", facts_imaginations_side(seed, false));
	if (chance_pick_cb(seed, 3) > 0)
		facts_imaginations_set(o, "terrain",
		    facts_imaginations_word(
			seed, facts_imaginations_terrains, 7));
	for (i = 0; i < n; i++)
		assert_int_equal(
		    json_array_append_new(bag,
			json_pack("{s:o, s:o, s:o, s:o}", "id",
			    json_sprintf("chit.%u", i), "front",
			    facts_imaginations_face(seed), "back",
			    facts_imaginations_face(seed), "takes",
			    facts_imaginations_word(seed, takes, 3))),
		    0);
	if (chance_pick_cb(seed, 2) == 0)
		facts_imaginations_set(o, "bag", bag);
	else
		json_decref(bag);
	return (o);
}
