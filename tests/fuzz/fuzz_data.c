/* SPDX-License-Identifier: ISC */
/*
 * The data that games bring: the first byte says which, "t" the tables of
 * TLNB, "b" a bag of imagi-nations, "r" a roster of the system that it names.
 * A combat with data that is taken comes to its end; a roster that is taken
 * is one that can be put away and read again.
 */
#include "common/json/js.h"
#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

#include "tests/fuzz/play.h"

/* A combat of each system in which the data counts. */
static const char fuzz_data_bombardment[] =
    "{\"kind\":\"bombardment\",\"batteries\":[{\"id\":\"b\",\"sp\":8,"
    "\"range\":2}],\"target\":{\"units\":[{\"id\":\"t\",\"arm\":\"infantry\","
    "\"sp\":4,\"initiative\":3}]}}";
static const char fuzz_data_assault[] =
    "{\"terrain\":\"village\",\"attacker\":{\"units\":[{\"id\":\"a\",\"lead\":"
    "\"a1\",\"battalions\":[{\"id\":\"a1\",\"quality\":\"experienced\","
    "\"sp\":4,\"hits\":0}],\"morale\":4}]},\"defender\":{\"units\":[{\"id\":"
    "\"d\",\"lead\":\"d1\",\"battalions\":[{\"id\":\"d1\",\"quality\":"
    "\"experienced\",\"sp\":4,\"hits\":0}],\"morale\":4}]}}";

/* Reads JSON that is known to be right; new. */
static json_t *
fuzz_data_read(const char *text)
{
	struct errinfo e;
	json_t *v;

	FUZZ_MUST(js_load(text, strlen(text), JS_DEPTH_RECORD, &v, &e) == 0);
	return (v);
}

/* Fights with data of a system. */
static void
fuzz_data_fight(
    const char *id, const char *name, const json_t *value, const char *combat)
{
	const struct rules_system *sys = systems_find(id);
	const struct js_at at = {.name = name};
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	struct combat *c;
	json_t *facts;
	int r;

	FUZZ_MUST(sys != NULL);
	FUZZ_MUST(rules_settings_parse(sys, NULL, NULL, &set, &e) == 0);
	r = rules_settings_data(&set, name, value, &at, &e);
	FUZZ_MUST(r == 0 || (r == ERR_INVALID && e.text[0] != '\0'));
	if (r == 0) {
		facts = fuzz_data_read(combat);
		FUZZ_MUST(combat_new(sys, &set, facts, &c, &e) == 0);
		FUZZ_MUST(play_to_end(c, NULL));
		combat_free(c);
		json_decref(facts);
	}
	rules_settings_clear(&set);
}

/* schema_faults: each has a text. */
static void
fuzz_data_tell_cb(void *arg, const struct errinfo *e, bool is_name)
{
	(void)arg;
	(void)is_name;
	FUZZ_MUST(e->text[0] != '\0');
}

/*
 * Reads a roster, puts it away and reads it again; one that is refused has
 * faults, and no other has.
 */
static void
fuzz_data_roster(const json_t *blob)
{
	struct schema_faults faults = {.tell = fuzz_data_tell_cb};
	const char *id = json_string_value(json_object_get(blob, "system"));
	const struct rules_system *sys = id == NULL ? NULL : systems_find(id);
	struct errinfo e = {.text = ""};
	struct roster *first, *second;
	json_t *saved, *again;
	int r;

	if (sys == NULL)
		return;
	r = roster_parse(sys, blob, &first, &e);
	FUZZ_MUST(r == 0 || (r == ERR_INVALID && e.text[0] != '\0'));
	FUZZ_MUST(roster_check(sys, blob, &faults) == 0);
	FUZZ_MUST((r == 0) == (faults.n == 0));
	if (r != 0)
		return;
	FUZZ_MUST((saved = roster_json(first)) != NULL);
	FUZZ_MUST(roster_restore(sys, saved, &second, &e) == 0);
	FUZZ_MUST((again = roster_json(second)) != NULL);
	FUZZ_MUST(json_equal(saved, again));
	json_decref(again);
	json_decref(saved);
	roster_free(second);
	roster_free(first);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct errinfo e;
	json_t *v;

	if (size == 0 ||
	    js_load(
		(const char *)data + 1, size - 1, JS_DEPTH_RECORD, &v, &e) != 0)
		return (0);
	if (data[0] == 't')
		fuzz_data_fight("tlnb", "tables", v, fuzz_data_bombardment);
	else if (data[0] == 'b')
		fuzz_data_fight("imagi-nations", "bag", v, fuzz_data_assault);
	else if (data[0] == 'r')
		fuzz_data_roster(v);
	json_decref(v);
	return (0);
}
