/* SPDX-License-Identifier: ISC */
/*
 * The list of systems and the settings of one: rulings with their values,
 * tables, names for people (umpire-rules.7, 1 and 2).
 */
#include "common/rules/rules.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/show_list.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/rules/combat.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

static const char *const test_words[] = {"shock", "retreat", NULL};
static const int test_numbers[] = {6, 8, -3};

static const struct rules_ruling test_rulings[] = {
    {.name = "flag", .is_bool = true, .fallback = 1},
    {.name = "word", .words = test_words, .fallback = 1},
    {.name = "number", .numbers = test_numbers, .n_numbers = 3, .fallback = 8},
};

/* A system of which only the rulings matter. */
static const struct rules_system test_system = {
    .id = "test",
    .rulings = test_rulings,
    .n_rulings = 3,
};

/* Parses JSON of a test, a quoted_text(), or gives NULL for NULL. */
static json_t *
test_json(const char *text)
{
	return (text == NULL ? NULL : quoted_json(text));
}

/* Reads settings from text. */
static int
test_parse(const char *rulings, const char *tables, struct rules_settings *set,
    struct errinfo *e)
{
	json_t *r = test_json(rulings), *t = test_json(tables);
	int result;

	memset(e, 0, sizeof(*e));
	result = rules_settings_parse(&test_system, r, t, set, e);
	json_decref(r);
	json_decref(t);
	return (result);
}

/* The settings that a text sets are these, a quoted_text(). */
static void
test_settings_are(const char *rulings, const char *want)
{
	struct rules_settings set;
	struct errinfo e;

	assert_int_equal(test_parse(rulings, NULL, &set, &e), 0);
	quoted_is(rules_settings_rulings(&set), want);
	rules_settings_clear(&set);
	assert_null(set.data);
}

static void
systems_are_found_by_their_id(void **state)
{
	(void)state;
	assert_non_null(systems_find("lasalle2"));
	assert_null(systems_find("lasalle3"));
	assert_null(systems_find(""));
	assert_null(systems_find("LASALLE2"));
}

static void
systems_stand_in_the_order_of_their_ids(void **state)
{
	const struct rules_system *const *all = systems_all();
	size_t i;

	(void)state;
	assert_non_null(all[0]);
	for (i = 0; all[i] != NULL; i++) {
		assert_ptr_equal(systems_find(all[i]->id), all[i]);
		if (i > 0)
			assert_true(strcmp(all[i - 1]->id, all[i]->id) < 0);
	}
}

static void
every_system_is_complete(void **state)
{
	const struct rules_system *const *all = systems_all(), *sys;
	const struct rules_ruling *ruling;
	const struct rules_show *show;
	size_t i, k, n;

	(void)state;
	for (i = 0; all[i] != NULL; i++) {
		sys = all[i];
		n = strlen(sys->id);
		assert_memory_equal(sys->version, sys->id, n);
		assert_int_equal(sys->version[n], '/');
		assert_true(rules_is_name(sys->name));
		assert_true(sys->n_rulings <= RULES_RULINGS_MAX);
		for (k = 0; k < sys->n_rulings; k++) {
			ruling = &sys->rulings[k];
			assert_non_null(ruling->name);
			assert_true(strlen(ruling->question) > 0);
			assert_true(ruling->is_bool || ruling->words != NULL ||
			    ruling->n_numbers > 0);
		}
		for (k = 0; schema_field(sys->unit, k) != NULL; k++)
			assert_true(
			    strlen(schema_field(sys->unit, k)->what) > 0);
		assert_true(k > 0);
		show = show_list_find(sys);
		assert_ptr_equal(show->sys, sys);
		assert_non_null(show->words);
		assert_non_null(show->inputs);
		assert_non_null(show->loss);
		assert_true(sys->facts_size > 0 && sys->state_size > 0);
		assert_true(sys->parse && sys->facts && sys->run &&
		    sys->result && sys->roster_unit && sys->game->merge &&
		    sys->game->apply && sys->game->upkeep && sys->game->worth &&
		    sys->game->place_id && sys->game->removed);
		assert_non_null(show->template_text);
		assert_true(show->rolls != NULL && show->rolls[0].form != NULL);
		for (k = 0; show->rolls[k].form != NULL; k++) {
			/* "free roll d1000" has as many columns. */
			assert_in_range(strlen(show->rolls[k].what), 1, 15);
			assert_int_equal(
			    show->rolls[k].roller == RULES_ROLLER_LABEL,
			    strstr(show->rolls[k].form, "/") != NULL);
		}
		assert_true(show->losses != NULL &&
		    show->losses->what != NULL &&
		    show->losses->removes != NULL);
	}
}

/* Checks how a label is read; form NULL: it is not. */
static void
label_is(const char *system, const char *label, const char *form,
    const char *id, int side)
{
	struct rules_rolled r;
	bool is_read =
	    rules_show_roll(show_list_find(systems_find(system)), label, &r);

	if (is_read != (form != NULL))
		fail_msg(
		    "%s: '%s' is%s read", system, label, is_read ? "" : " not");
	if (form == NULL)
		return;
	assert_string_equal(r.roll->form, form);
	assert_string_equal(r.id, id);
	assert_int_equal(r.has_side, side >= 0);
	if (side >= 0)
		assert_int_equal(r.side, side);
}

static void
labels_of_rolls_are_read(void **state)
{
	char *longest = malloc(300);

	(void)state;
	assert_non_null(longest);
	label_is("lasalle2", "score/fr-a", "score/ID", "fr-a", -1);
	label_is("lasalle2", "retire/au-1/attacker", "retire/ID/SIDE", "au-1",
	    COMBAT_ATTACKER);
	label_is("lasalle2", "retire/au-1/defender", "retire/ID/SIDE", "au-1",
	    COMBAT_DEFENDER);
	/* Ids that look like something else. */
	label_is("lasalle2", "score/attacker", "score/ID", "attacker", -1);
	label_is("lasalle2", "retire/defender/attacker", "retire/ID/SIDE",
	    "defender", COMBAT_ATTACKER);
	label_is("lasalle2", "score/score", "score/ID", "score", -1);
	label_is(
	    "leniston-2009", "morale/attacker", "morale/ID", "attacker", -1);
	label_is("tlnb", "shock/defender", "shock/SIDE", "", COMBAT_DEFENDER);
	label_is("tlnb", "combat", "combat", "", -1);
	label_is("imagi-nations", "rest/pr-a", "rest/ID", "pr-a", -1);
	/* What no form has. */
	label_is("lasalle2", "", NULL, "", -1);
	label_is("lasalle2", "score", NULL, "", -1);
	label_is("lasalle2", "score/", NULL, "", -1);
	label_is("lasalle2", "score/a/b", NULL, "", -1);
	label_is("lasalle2", "scores/a", NULL, "", -1);
	label_is("lasalle2", "retire/a", NULL, "", -1);
	label_is("lasalle2", "retire/a/both", NULL, "", -1);
	label_is("lasalle2", "retire/a/attacker/b", NULL, "", -1);
	label_is("tlnb", "shock/fr-a", NULL, "", -1);
	label_is("tlnb", "combat/attacker", NULL, "", -1);
	label_is("tlnb", "free", NULL, "", -1);
	memset(longest, 'x', 299);
	longest[299] = '\0';
	memcpy(longest, "score/", 6);
	label_is("lasalle2", longest, NULL, "", -1);
	free(longest);
}

static void
every_template_is_valid_facts(void **state)
{
	const struct rules_system *const *all = systems_all();
	struct rules_settings set;
	struct combat *c;
	struct errinfo e;
	json_t *facts;
	size_t i;

	(void)state;
	for (i = 0; all[i] != NULL; i++) {
		facts = test_json(show_list_find(all[i])->template_text);
		assert_int_equal(
		    rules_settings_parse(all[i], NULL, NULL, &set, &e), 0);
		assert_int_equal(combat_new(all[i], &set, facts, &c, &e), 0);
		assert_non_null(all[i]->game->place_id(facts));
		combat_free(c);
		json_decref(facts);
		rules_settings_clear(&set);
	}
}

static void
rulings_stand_over_their_defaults(void **state)
{
	(void)state;
	test_settings_are(NULL, "{'flag':true,'word':'retreat','number':8}");
	test_settings_are("{}", "{'flag':true,'word':'retreat','number':8}");
	test_settings_are(
	    "{'flag':false}", "{'flag':false,'word':'retreat','number':8}");
	test_settings_are("{'number':-3,'word':'shock'}",
	    "{'flag':true,'word':'shock','number':-3}");
}

static void
rulings_that_do_not_exist_are_refused_at_their_place(void **state)
{
	static const struct {
		const char *rulings;
		const char *tables;
		const char *where;
	} bad[] = {
	    {"[]", NULL, "rulings"},
	    {"{'flags':true}", NULL, "rulings.flags"},
	    {"{'flag':1}", NULL, "rulings.flag"},
	    {"{'flag':'true'}", NULL, "rulings.flag"},
	    {"{'flag':null}", NULL, "rulings.flag"},
	    {"{'word':'Shock'}", NULL, "rulings.word"},
	    {"{'word':0}", NULL, "rulings.word"},
	    {"{'word':true}", NULL, "rulings.word"},
	    {"{'number':7}", NULL, "rulings.number"},
	    {"{'number':'8'}", NULL, "rulings.number"},
	    {"{'number':true}", NULL, "rulings.number"},
	    {NULL, "[]", "tables"},
	    {NULL, "{'crt':[]}", "tables.crt"},
	};
	struct rules_settings set;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		set.sys = NULL;
		assert_int_equal(
		    test_parse(bad[i].rulings, bad[i].tables, &set, &e),
		    ERR_INVALID);
		assert_string_equal(e.where, bad[i].where);
		assert_null(set.sys); /* written only on success */
	}
	assert_int_equal(test_parse("{}", "{}", &set, &e), 0);
}

static void
names_are_short_and_without_control_characters(void **state)
{
	char name[RULES_NAME_MAX + 2];

	(void)state;
	assert_true(rules_is_name(""));
	assert_true(rules_is_name("1/2nd J\xc3\xa4ger"));
	assert_false(rules_is_name("a\nb"));
	assert_false(rules_is_name("a\x1b[31m"));
	assert_false(rules_is_name("a\x7f"));
	assert_false(rules_is_name("a\xc2\x9b"));
	assert_true(rules_is_name("a\xc2\xa0"));
	assert_false(rules_is_name("a\xff"));
	memset(name, 'n', sizeof(name));
	name[RULES_NAME_MAX] = '\0';
	assert_true(rules_is_name(name));
	name[RULES_NAME_MAX] = 'n';
	name[RULES_NAME_MAX + 1] = '\0';
	assert_false(rules_is_name(name));
}

static void
failing_allocations_are_reported(void **state)
{
	struct rules_settings set;
	struct errinfo e;
	json_t *v;
	long nth;

	(void)state;
	assert_int_equal(test_parse(NULL, NULL, &set, &e), 0);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = rules_settings_rulings(&set);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_null(v);
	}
	assert_true(nth > 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(systems_are_found_by_their_id),
	    cmocka_unit_test(systems_stand_in_the_order_of_their_ids),
	    cmocka_unit_test(every_system_is_complete),
	    cmocka_unit_test(labels_of_rolls_are_read),
	    cmocka_unit_test(every_template_is_valid_facts),
	    cmocka_unit_test(rulings_stand_over_their_defaults),
	    cmocka_unit_test(
		rulings_that_do_not_exist_are_refused_at_their_place),
	    cmocka_unit_test(names_are_short_and_without_control_characters),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
