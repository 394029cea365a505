/* SPDX-License-Identifier: ISC */
/*
 * Scenarios: facts that a system takes are played to their end, with dice
 * and answers by chance, and no fault of the rules code shows.
 */
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/show/scenario.h"
#include "common/rules/systems/systems.h"

#include "tests/fuzz/play.h"

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
	sys = id == NULL ? NULL : systems_find(id);
	if (sys == NULL ||
	    rules_settings_parse(sys, json_object_get(root, "rulings"),
		json_object_get(root, "tables"), &set, &e) != 0) {
		json_decref(root);
		return (0);
	}
	if (combat_new(sys, &set, json_object_get(root, "combat"), &c, &e) ==
	    0) {
		(void)play_to_end(c, NULL);
		combat_free(c);
	}
	rules_settings_clear(&set);
	json_decref(root);
	return (0);
}
