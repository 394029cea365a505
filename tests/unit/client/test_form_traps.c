/* SPDX-License-Identifier: ISC */
/*
 * What goes wrong in a form without being unlawful: a list whose numbers
 * change, an answer that says nothing new, questions that lead nowhere.
 */
#include "client/play/form_may.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/play/form_tell.h"
#include "common/rules/show/render.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/form.h"

static void
the_list_of_changes_is_always_the_same(void **state)
{
	/* After a refusal, and after a no: 2 are the defenders. */
	static const char *const lines[] = {"fr-1 fr-c1", "column", "line",
	    "none", "ru-1 ru-2", "line", "none", "1", "1", "front", "none", "2",
	    "ru-1", "line", "none", "n", "2", "ru-1", "square", "none", "",
	    NULL};
	static const char *const texts[] = {"That is not lawful",
	    "What do you want to change?\n  1  The attackers\n"
	    "  2  The defenders\n  3  The contacts\n"
	    "  4  Everything: begin again\n",
	    "Is this right?",
	    "What do you want to change?\n  1  The attackers\n"
	    "  2  The defenders\n  3  The contacts\n"
	    "  4  Everything: begin again\n",
	    "Which enemy units", "Is this right?", NULL};
	struct table t;

	(void)state;
	table_begun(&t);
	json_decref(form_hears(&t, 1, lines, texts));
	table_clear(&t);
}

static void
another_edge_is_not_the_same_edge(void **state)
{
	static const char *const lines[] = {"fr-1", "column", "none", "ru-1",
	    "line", "none", "left", "1 3", "left", "1", "1", "y", NULL};
	static const char *const texts[] = {"  1  Also touches another edge",
	    "Which edges does the attacker touch",
	    "  1  front of the defender\n"
	    "  2  right flank of the defender\n"
	    "  3  rear of the defender\n",
	    "What does the attack cross", "  1  a wall\n",
	    "touches left flank of the defender, front of the defender; "
	    "across a wall\n",
	    NULL};
	json_t *combat, *v;
	struct table t;

	(void)state;
	table_begun(&t);
	combat = form_hears(&t, 1, lines, texts);
	v = table_json("['left','front']");
	assert_true(json_equal(
	    json_object_get(
		json_array_get(json_object_get(combat, "contacts"), 0),
		"touches"),
	    v));
	json_decref(v);
	json_decref(combat);
	table_clear(&t);
}

/* What keeps side 1 from declaring, with these units; NULL if nothing does. */
static const char *
forms_not(const char *system, const char *mine, const char *theirs)
{
	json_t *roster, *one = table_json(mine), *two = table_json(theirs);
	const char *text;

	assert_non_null(roster = json_pack("{s:o, s:o}", "1", one, "2", two));
	text = form_may_not(system, roster, 1);
	json_decref(roster);
	return (text);
}

static void
what_cannot_be_declared_is_known_before(void **state)
{
	static const char *const foot =
	    "{'units':[{'id':'a','arm':'infantry','strength':5}]}";
	static const char *const guns =
	    "{'units':[{'id':'a','arm':'artillery'},"
	    "{'id':'b','arm':'infantry','out':'broken'}]}";
	static const char *const gone = "{'units':[{'id':'a','out':'broken'}]}";
	static const char *const marshal =
	    "{'units':[{'id':'a','out':'eliminated'}],'commanders':["
	    "{'id':'c'}]}";
	static const char *const tired =
	    "{'units':[{'id':'a','disrupted':true}]}";

	(void)state;
	assert_null(forms_not("lasalle2", foot, guns));
	assert_string_equal(
	    forms_not("lasalle2", guns, foot), "none of your units can attack");
	assert_string_equal(forms_not("lasalle2", foot, gone),
	    "the other side has nobody left to attack");
	assert_string_equal(
	    forms_not("tlnb", gone, foot), "none of your units can attack");
	/* Commanders alone may be attacked, but do not attack. */
	assert_null(forms_not("invasion-1812", foot, marshal));
	assert_non_null(forms_not("invasion-1812", marshal, foot));
	assert_non_null(forms_not("invasion-1812", foot, gone));
	assert_non_null(forms_not("invasion-1812", tired, foot));
	assert_null(forms_not("no such system", gone, gone));
}

static void
what_is_true_of_a_unit_ends_its_words(void **state)
{
	struct render *rd = render_new(systems_find("invasion-1812"));
	json_t *unit = table_json(
	    "{'id':'a','name':'A','type':'infantry','disrupted':true}");
	char *s;

	(void)state;
	assert_non_null(rd);
	s = form_tell_unit(rd, unit);
	assert_string_equal(s, "a  A: infantry, disrupted");
	free(s);
	json_decref(unit);
	render_free(rd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_list_of_changes_is_always_the_same),
	    cmocka_unit_test(another_edge_is_not_the_same_edge),
	    cmocka_unit_test(what_cannot_be_declared_is_known_before),
	    cmocka_unit_test(what_is_true_of_a_unit_ends_its_words),
	};

	return (cmocka_run_group_tests_name("form traps", tests, NULL, NULL));
}
