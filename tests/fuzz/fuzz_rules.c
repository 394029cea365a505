/* SPDX-License-Identifier: ISC */
/*
 * Scenarios: facts that a system takes are played to their end, with dice
 * and answers by chance, and no fault of the rules code shows.
 */
#include "common/js.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rolls.h"
#include "common/rules/rules.h"
#include "common/rules/scenario.h"

#include "tests/fuzz/fuzz.h"

/* The next number below n of a fixed sequence. */
static uint32_t
fuzz_rules_pick(void *arg, uint32_t n)
{
	uint64_t *state = arg;

	*state = *state * 6364136223846793005U + 1442695040888963407U;
	return ((uint32_t)(*state >> 33) % n);
}

/* Dice by chance. */
static int
fuzz_rules_roll(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = (uint16_t)(1 + fuzz_rules_pick(arg, sides));
	return (0);
}

/* Chits by chance. */
static int
fuzz_rules_draw(void *arg, const char *label, const char *const *ids,
    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
    struct errinfo *e)
{
	unsigned left = fuzz_rules_pick(arg, n - nhad);

	(void)label;
	(void)ids;
	(void)e;
	*pick = rolls_chit_left(n, had, nhad, left);
	return (0);
}

/* Plays a combat to its end. */
static void
fuzz_rules_play(struct combat *c)
{
	uint64_t state = 1;
	struct question_pick pick = {fuzz_rules_pick, &state};
	struct combat_dice dice = {fuzz_rules_roll, fuzz_rules_draw, &state};
	json_t *decision, *v;
	struct errinfo e;
	int asked;

	for (asked = 0; asked <= COMBAT_GIVEN_MAX; asked++) {
		FUZZ_MUST(combat_run(c, &dice, &e) == 0);
		if (combat_status(c) == COMBAT_RESOLVED)
			break;
		FUZZ_MUST(combat_status(c) == COMBAT_PENDING);
		FUZZ_MUST(combat_sample(c, &pick, &decision) == 0);
		FUZZ_MUST(combat_answer(c, decision, &e) == 0);
		json_decref(decision);
	}
	FUZZ_MUST(combat_status(c) == COMBAT_RESOLVED);
	FUZZ_MUST((v = combat_result(c)) != NULL);
	json_decref(v);
	FUZZ_MUST(combat_events(c, 0, &v) == 0);
	json_decref(v);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rules_system *sys;
	struct rules_settings set;
	struct combat *c;
	struct errinfo e;
	json_t *root, *output;
	const char *id;
	int r;

	if (js_load((const char *)data, size, JS_DEPTH_RECORD, &root, &e) != 0)
		return (0);
	r = scenario_run(root, NULL, NULL, &output, &e);
	FUZZ_MUST(r == 0 || r == ERR_INVALID || r == ERR_DICE);
	if (r == 0)
		json_decref(output);
	id = json_string_value(json_object_get(root, "system"));
	sys = id == NULL ? NULL : rules_find(id);
	if (sys == NULL ||
	    rules_settings_parse(sys, json_object_get(root, "rulings"),
		json_object_get(root, "tables"), &set, &e) != 0) {
		json_decref(root);
		return (0);
	}
	if (combat_new(sys, &set, json_object_get(root, "combat"), &c, &e) ==
	    0) {
		fuzz_rules_play(c);
		combat_free(c);
	}
	rules_settings_clear(&set);
	json_decref(root);
	return (0);
}
