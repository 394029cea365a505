/* SPDX-License-Identifier: ISC */
#include "tests/lib/facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/lib/facts_imaginations.h"
#include "tests/lib/facts_invasion1812.h"
#include "tests/lib/facts_leniston2009.h"
#include "tests/lib/facts_tlnb.h"

void
facts_put(json_t *o, const char *name, json_t *value)
{
	assert_int_equal(json_object_set_new(o, name, value), 0);
}

json_t *
facts_word(uint64_t *seed, const char *const words[], uint32_t n)
{
	return (json_string(words[chance_pick_cb(seed, n)]));
}

/* A unit of lasalle2. */
static json_t *
facts_lasalle2_unit(uint64_t *seed, const char *id, bool is_attacker)
{
	static const char *const arms[] = {"infantry", "cavalry", "artillery"};
	static const char *const infantry[] = {
	    "line", "column", "march", "square", "square", "garrison"};
	static const char *const artillery[] = {"limbered", "unlimbered"};
	static const char *const batteries[] = {"foot", "horse"};
	json_t *traits = json_array(), *u = json_object();
	uint32_t arm;

	arm = chance_pick_cb(seed, is_attacker ? 2 : 3);
	facts_put(u, "id", json_string(id));
	if (chance_pick_cb(seed, 3) == 0)
		facts_put(u, "name",
		    json_sprintf("The %s of J\xc3\xa4ger Regiment", id));
	facts_put(u, "arm", json_string(arms[arm]));
	facts_put(u, "strength",
	    json_integer((is_attacker ? 2 : 1) + chance_pick_cb(seed, 6)));
	if (arm == 0)
		facts_put(u, "formation",
		    facts_word(seed, infantry, is_attacker ? 5 : 6));
	if (arm == 1)
		facts_put(u, "formation", facts_word(seed, infantry, 3));
	if (arm == 2) {
		facts_put(u, "formation", facts_word(seed, artillery, 2));
		facts_put(u, "battery", facts_word(seed, batteries, 2));
	}
	if (chance_pick_cb(seed, 3) == 0)
		(void)json_array_append_new(traits, json_string("shock"));
	if (chance_pick_cb(seed, 2) == 0)
		(void)json_array_append_new(traits, json_string("lancers"));
	facts_put(u, "traits", traits);
	facts_put(u, "shaken", json_boolean(chance_pick_cb(seed, 5) == 0));
	facts_put(u, "difficult", json_boolean(chance_pick_cb(seed, 5) == 0));
	return (u);
}

/* Adds a contact of lasalle2, unless the pair has one. */
static void
facts_lasalle2_contact(
    uint64_t *seed, json_t *list, uint32_t attacker, uint32_t defender)
{
	static const char *const edges[] = {
	    "front", "front", "left", "right", "rear"};
	static const char *const across[] = {"wall", "earthworks"};
	json_t *k, *old;
	char a[8], d[8];
	size_t i;

	(void)snprintf(a, sizeof(a), "a%u", attacker);
	(void)snprintf(d, sizeof(d), "d%u", defender);
	json_array_foreach(list, i, old)
	{
		if (strcmp(json_string_value(json_object_get(old, "attacker")),
			a) == 0 &&
		    strcmp(json_string_value(json_object_get(old, "defender")),
			d) == 0)
			return;
	}
	k = json_pack("{s:s, s:s}", "attacker", a, "defender", d);
	facts_put(k, "edge", facts_word(seed, edges, 5));
	if (chance_pick_cb(seed, 4) == 0)
		facts_put(k, "touches",
		    json_pack("[o]", facts_word(seed, &edges[1], 4)));
	if (chance_pick_cb(seed, 3) == 0)
		facts_put(k, "uphill", json_true());
	if (chance_pick_cb(seed, 3) == 0)
		facts_put(k, "across", facts_word(seed, across, 2));
	assert_int_equal(json_array_append_new(list, k), 0);
}

/* Up to five units a side, each in one contact at least. */
static json_t *
facts_lasalle2(uint64_t *seed)
{
	uint32_t i, n[2], more;
	json_t *lists[3];
	char id[8];

	for (i = 0; i < 3; i++)
		lists[i] = json_array();
	n[0] = 1 + chance_pick_cb(seed, 5);
	n[1] = 1 + chance_pick_cb(seed, 5);
	for (i = 0; i < n[0] + n[1]; i++) {
		(void)snprintf(id, sizeof(id), "%s%u", i < n[0] ? "a" : "d",
		    i < n[0] ? i : i - n[0]);
		assert_int_equal(json_array_append_new(lists[i >= n[0]],
				     facts_lasalle2_unit(seed, id, i < n[0])),
		    0);
	}
	for (i = 0; i < n[0] || i < n[1]; i++)
		facts_lasalle2_contact(seed, lists[2], i % n[0], i % n[1]);
	more = chance_pick_cb(seed, 5);
	for (i = 0; i < more; i++)
		facts_lasalle2_contact(seed, lists[2],
		    chance_pick_cb(seed, n[0]), chance_pick_cb(seed, n[1]));
	return (json_pack("{s:o, s:o, s:o}", "attackers", lists[0], "defenders",
	    lists[1], "contacts", lists[2]));
}

json_t *
facts_random(const struct rules_system *sys, uint64_t *seed)
{
	static const struct {
		const char *id;
		json_t *(*make)(uint64_t *seed);
	} makers[] = {
	    {"lasalle2", facts_lasalle2},
	    {"imagi-nations", facts_imaginations},
	    {"invasion-1812", facts_invasion1812},
	    {"leniston-2009", facts_leniston2009},
	    {"tlnb", facts_tlnb},
	};
	size_t i;

	for (i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (strcmp(makers[i].id, sys->id) == 0)
			return (makers[i].make(seed));
	}
	fail_msg("no facts are made for \"%s\"", sys->id);
	return (NULL);
}
