/* SPDX-License-Identifier: ISC */
#include "tests/lib/facts_leniston2009.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Some of the flags for morale, each said or unsaid, true or false. */
static json_t *
facts_leniston2009_morale(uint64_t *seed)
{
	static const char *const flags[] = {"general_attached",
	    "supports_within_4", "in_bua", "behind_formed_supports",
	    "no_general_within_8", "no_supports_within_8", "rout_within_4",
	    "routed_through", "pursuit"};
	json_t *o = json_object();
	size_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (chance_pick_cb(seed, 3) == 0)
			facts_put(o, flags[i],
			    json_boolean(chance_pick_cb(seed, 4) != 0));
	}
	return (o);
}

/* A brigade as it may stand on either side, perhaps without a formation. */
static json_t *
facts_leniston2009_brigade(uint64_t *seed, const char *id, bool has_formation)
{
	static const char *const grades[] = {"A", "B", "C"};
	static const char *const formations[] = {"line", "column", "square"};
	static const char *const flags[] = {"skirmished", "deployed_artillery"};
	json_t *b = json_pack("{s:s}", "id", id);
	size_t i;

	if (chance_pick_cb(seed, 3) == 0)
		facts_put(b, "name",
		    json_sprintf("The %s of J\xc3\xa4ger Brigade", id));
	if (chance_pick_cb(seed, 3) == 0)
		facts_put(b, "arm", json_string("infantry"));
	facts_put(b, "class", facts_word(seed, grades, 3));
	facts_put(b, "fire", facts_word(seed, grades, 3));
	facts_put(b, "skirmish", facts_word(seed, grades, 3));
	if (chance_pick_cb(seed, 3) != 0)
		facts_put(
		    b, "casualties", json_integer(chance_pick_cb(seed, 6)));
	if (has_formation || chance_pick_cb(seed, 3) != 0)
		facts_put(b, "formation", facts_word(seed, formations, 3));
	for (i = 0; i < 2; i++) {
		if (chance_pick_cb(seed, 2) == 0)
			facts_put(b, flags[i],
			    json_boolean(chance_pick_cb(seed, 2) == 0));
	}
	if (chance_pick_cb(seed, 2) == 0)
		facts_put(b, "morale", facts_leniston2009_morale(seed));
	return (b);
}

/* What the rule asks of the attacker. */
static void
facts_leniston2009_attacker(uint64_t *seed, uint32_t rule, json_t *b)
{
	static const char *const orders[] = {
	    "attack", "engage", "hold", "attack", "engage"};
	/* First of those that allow it, and how many: see the rules below. */
	static const uint32_t first[] = {0, 1, 0, 0, 1}, n[] = {1, 2, 2, 1, 2};
	static const char *const positions[] = {"open", "bua", "woods"};

	facts_put(b, "orders", facts_word(seed, &orders[first[rule]], n[rule]));
	if (rule == 1)
		facts_put(b, "skirmished", json_false());
	if (rule == 2 && chance_pick_cb(seed, 3) == 0)
		facts_put(b, "state", json_string("disordered"));
	if (rule == 4)
		facts_put(b, "skirmish",
		    facts_word(seed, (const char *const[]){"A", "B"}, 2));
	if (chance_pick_cb(seed, 2) == 0)
		facts_put(b, "position", facts_word(seed, positions, 3));
}

/* What the rule asks of the defender. */
static void
facts_leniston2009_defender(
    uint64_t *seed, uint32_t rule, const json_t *attacker, json_t *b)
{
	static const char *const states[] = {"formed", "disordered", "shaken"};
	static const char *const orders[] = {
	    "attack", "engage", "hold", "retire"};
	static const char *const positions[] = {"open", "bua", "woods"};
	/* melee, firefight, bua-inside, bua-edge, skirmish */
	static const uint32_t first[] = {0, 0, 1, 1, 0}, n[] = {1, 1, 2, 1, 3};
	const char *grade;

	facts_put(b, "state", facts_word(seed, states, 3));
	facts_put(
	    b, "position", facts_word(seed, &positions[first[rule]], n[rule]));
	if (chance_pick_cb(seed, 2) == 0)
		facts_put(b, "orders", facts_word(seed, orders, 4));
	if (chance_pick_cb(seed, 2) == 0)
		facts_put(b, "garrison", json_true());
	grade = json_string_value(json_object_get(attacker, "skirmish"));
	if (rule == 4)
		facts_put(b, "skirmish",
		    json_string(grade[0] == 'A' && chance_pick_cb(seed, 2) == 0
			    ? "B"
			    : "C"));
}

json_t *
facts_leniston2009(uint64_t *seed)
{
	static const char *const rules[] = {
	    "melee", "firefight", "bua-inside", "bua-edge", "skirmish"};
	uint32_t outnumbered, rule = chance_pick_cb(seed, 5);
	const bool is_inside = rule == 2 || rule == 3;
	json_t *attacker, *defender, *facts;

	attacker = facts_leniston2009_brigade(seed, "a0", !is_inside);
	defender = facts_leniston2009_brigade(seed, "d0", !is_inside);
	facts_leniston2009_attacker(seed, rule, attacker);
	facts_leniston2009_defender(seed, rule, attacker, defender);
	outnumbered = chance_pick_cb(seed, 4);
	if (outnumbered < 2)
		facts_put(outnumbered == 0 ? attacker : defender, "outnumbered",
		    json_true());
	facts = json_pack("{s:s, s:o, s:o}", "rule", rules[rule], "attacker",
	    attacker, "defender", defender);
	if (rule == 2)
		facts_put(facts, "follows_edge", json_true());
	return (facts);
}
