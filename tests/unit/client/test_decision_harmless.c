/* SPDX-License-Identifier: ISC */
/*
 * Every question of every system, in combats of random facts: what is offered
 * first, and what a policy answers unless it is told, is lawful, and in tlnb
 * eliminates no healthy unit of the side that answers if another answer spares
 * it (umpire-rules.7, 14.4).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/wordlist.h"
#include "client/play/decision.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/chance.h"
#include "tests/lib/facts.h"

#define HARMLESS_COMBATS 400 /* of each system */
#define HARMLESS_COMBATS_SLOW 40
#define HARMLESS_WORDS 128

/* The words as a decision that is lawful now; NULL if it is none. */
static json_t *
harmless_decision(const struct combat *c, const json_t *asked, const char *text)
{
	json_t *decision = NULL, *words;
	const char *list[HARMLESS_WORDS];
	struct errinfo e = {.text = ""};
	size_t i, n;

	assert_int_equal(wordlist_split(text, &words, &e), 0);
	n = json_array_size(words);
	assert_in_range(n, 1, HARMLESS_WORDS);
	for (i = 0; i < n; i++)
		list[i] = wordlist_get(words, i);
	if (decision_parse(combat_asked_kind(c),
		json_object_get(asked, "options"), (int)n, list, &decision,
		&e) == 0 &&
	    combat_check_of(c, combat_asked_side(c), decision, &e) != 0) {
		json_decref(decision);
		decision = NULL;
	}
	json_decref(words);
	return (decision);
}

/* True if the facts have a unit with this id in a list of this name. */
static bool
harmless_is_in(const json_t *facts, const char *name, const char *id)
{
	const json_t *list = json_object_get(facts, name), *v;
	size_t i;

	if (json_is_object(list))
		list = json_object_get(list, "units");
	json_array_foreach(list, i, v)
	{
		if (strcmp(json_string_value(json_object_get(v, "id")), id) ==
		    0)
			return (true);
	}
	return (false);
}

/* How many units of the side that is asked a decision eliminates. */
static size_t
harmless_lost(struct combat *c, const json_t *facts, const json_t *decision)
{
	static const char *const lists[][3] = {
	    {"attackers", "attacker_stacked_artillery", "cavalry"},
	    {"defenders", "defender_stacked_artillery", "target"},
	};
	enum combat_side side = combat_asked_side(c);
	struct errinfo e = {.text = ""};
	size_t i, k, n = 0;
	json_t *units, *v;

	if (combat_removed_by(c, decision, &units, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_array_foreach(units, i, v)
	{
		for (k = 0; k < 3; k++)
			n += harmless_is_in(
			    facts, lists[side][k], json_string_value(v));
	}
	json_decref(units);
	return (n);
}

/* Holds what comes first against everything else that is offered. */
static void
harmless_question(struct combat *c, const json_t *facts, bool may_not_lose)
{
	json_t *asked = combat_asked(c), *best = NULL, *decision, *list, *v;
	size_t first = SIZE_MAX, i, least = SIZE_MAX, lost, usual = 0;
	int r;

	list = decision_typical(
	    combat_asked_kind(c), json_object_get(asked, "options"));
	if ((r = combat_policy_answer(c, 0, &best)) == 0)
		usual = harmless_lost(c, facts, best);
	else
		assert_int_equal(r, ERR_NOTFOUND);
	json_array_foreach(list, i, v)
	{
		decision = harmless_decision(c, asked, json_string_value(v));
		if (decision == NULL)
			continue;
		lost = harmless_lost(c, facts, decision);
		json_decref(decision);
		if (first == SIZE_MAX)
			first = lost;
		if (lost < least)
			least = lost;
	}
	if (may_not_lose && first != SIZE_MAX &&
	    (first > least || usual > least))
		fail_msg("%s: %zu lost at first, %zu usually, %zu at least",
		    combat_asked_kind(c), first, usual, least);
	json_decref(list);
	json_decref(best);
	json_decref(asked);
}

/* Plays a combat by chance, and holds every question of it. */
static void
harmless_combat(const struct rules_system *sys, uint64_t seed)
{
	const struct question_pick p = {chance_pick_cb, &seed};
	const struct combat_dice dice = {
	    .roll = chance_roll_cb, .draw = chance_draw_cb, .arg = &seed};
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	json_t *decision, *facts;
	struct combat *c;

	assert_int_equal(rules_settings_parse(sys, NULL, NULL, &set, &e), 0);
	facts = facts_random(sys, &seed);
	assert_int_equal(combat_new(sys, &set, facts, &c, &e), 0);
	for (;;) {
		assert_int_equal(combat_run(c, &dice, &e), 0);
		if (combat_status(c) != COMBAT_PENDING)
			break;
		harmless_question(c, facts, strcmp(sys->id, "tlnb") == 0);
		assert_int_equal(combat_sample(c, &p, &decision), 0);
		assert_int_equal(combat_answer(c, decision, &e), 0);
		json_decref(decision);
	}
	combat_free(c);
	rules_settings_clear(&set);
	json_decref(facts);
}

static void
nobody_is_lost_by_a_first_choice(void **state)
{
	uint64_t n = getenv("UMPIRE_SLOW") != NULL ? HARMLESS_COMBATS_SLOW
						   : HARMLESS_COMBATS;
	const struct rules_system *const *sys;
	uint64_t seed;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 1; seed <= n; seed++)
			harmless_combat(*sys, seed * 7919);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_is_lost_by_a_first_choice),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
