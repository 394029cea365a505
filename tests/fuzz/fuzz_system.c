/* SPDX-License-Identifier: ISC */
/*
 * The facts and the decisions of one system, which FUZZ_SYSTEM names: an
 * object with the members combat, decisions, rulings and the system's data,
 * as scenarios have them.  What is taken is played to its end twice, with
 * the same events, and the facts that the combat tells of itself are facts
 * that make it again.
 */
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#include "tests/fuzz/play.h"

/* The facts of a combat with their defaults, written out; new. */
static json_t *
fuzz_system_facts(const struct combat *c)
{
	json_t *facts = combat_system(c)->facts(c);

	FUZZ_MUST(facts != NULL);
	return (facts);
}

/* Plays a combat of these facts, and gives its events; new. */
static char *
fuzz_system_play(const struct rules_system *sys,
    const struct rules_settings *set, const json_t *facts,
    const json_t *decisions)
{
	struct combat *c;
	struct errinfo e = {.text = ""};
	char *events;

	FUZZ_MUST(combat_new(sys, set, facts, &c, &e) == 0);
	FUZZ_MUST(play_to_end(c, decisions));
	events = play_events(c);
	combat_free(c);
	return (events);
}

/* Holds a combat to what must be true of each. */
static void
fuzz_system_check(const struct rules_system *sys,
    const struct rules_settings *set, struct combat *c, const json_t *decisions)
{
	json_t *facts = fuzz_system_facts(c), *again;
	char *first, *second;
	struct combat *copy;
	struct errinfo e;

	if (play_to_end(c, decisions)) {
		first = play_events(c);
		second = fuzz_system_play(sys, set, facts, decisions);
		FUZZ_MUST(strcmp(first, second) == 0);
		free(second);
		free(first);
	}
	FUZZ_MUST(combat_new(sys, set, facts, &copy, &e) == 0);
	again = fuzz_system_facts(copy);
	FUZZ_MUST(json_equal(facts, again));
	combat_free(copy);
	json_decref(again);
	json_decref(facts);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct rules_system *sys = systems_find(FUZZ_SYSTEM);
	struct rules_settings set;
	struct combat *c;
	struct errinfo e = {.text = ""};
	json_t *root;
	int r;

	FUZZ_MUST(sys != NULL);
	if (js_load((const char *)data, size, JS_DEPTH_RECORD, &root, &e) != 0)
		return (0);
	r = rules_settings_parse(sys, json_object_get(root, "rulings"),
	    json_object_get(root, "tables"), &set, &e);
	FUZZ_MUST(r == 0 || (r == ERR_INVALID && e.text[0] != '\0'));
	if (r != 0) {
		json_decref(root);
		return (0);
	}
	r = combat_new(sys, &set, json_object_get(root, "combat"), &c, &e);
	FUZZ_MUST(r == 0 || (r == ERR_INVALID && e.text[0] != '\0'));
	if (r == 0) {
		fuzz_system_check(
		    sys, &set, c, json_object_get(root, "decisions"));
		combat_free(c);
	}
	rules_settings_clear(&set);
	json_decref(root);
	return (0);
}
