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

#include "client/play/form_past.h"
#include "client/play/form_tell.h"
#include "common/rules/show/render.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/form.h"

static void
the_list_of_changes_is_always_the_same(void **state)
{
	/* After a refusal, and after a no: 3 are the defenders. */
	static const char *const lines[] = {"fr-1 fr-c1", "column", "line",
	    "ru-1 ru-2", "line", "1", "1", "5", "1", "2", "n", "3", "ru-1 ru-2",
	    "square", "", NULL};
	static const char *const texts[] = {"That is not lawful",
	    "What do you want to change?\n  1  The attackers\n"
	    "  2  The attackers: anything special (in terrain that is "
	    "difficult "
	    "for it)\n  3  The defenders\n"
	    "  4  The defenders: anything special (in terrain that is "
	    "difficult "
	    "for it)\n  5  The contacts\n"
	    "  6  The contacts: edge\n  7  The contacts: anything special "
	    "(also "
	    "touches another edge; the defender is uphill; across a wall or "
	    "earthworks)\n"
	    "  8  Everything: begin again\n",
	    "Is this right?",
	    "What do you want to change?\n  1  The attackers\n"
	    "  2  The attackers: anything special (in terrain that is "
	    "difficult "
	    "for it)\n  3  The defenders\n"
	    "  4  The defenders: anything special (in terrain that is "
	    "difficult "
	    "for it)\n  5  The contacts\n"
	    "  6  The contacts: edge\n  7  The contacts: anything special "
	    "(also "
	    "touches another edge; the defender is uphill; across a wall or "
	    "earthworks)\n"
	    "  8  Everything: begin again\n",
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
	static const char *const lines[] = {"fr-1", "column", "ru-1", "line",
	    "n", "5 6", "left", "1 3", "left", "1", "1", "y", NULL};
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

/* Declares by lines after one combat (NULL: none); new. */
static json_t *
forms_after(const struct table *t, const char *past, const char *const *lines,
    const char *const *texts)
{
	struct form_past before = {.n = 0};
	json_t *combat = NULL;
	struct person p;
	struct ask_io io;
	const char *at;
	int r;

	if (past != NULL) {
		before.list[0].side = 1;
		before.list[0].combat = table_json(past);
		before.n = 1;
	}
	io = form_person_init(&p, lines, 0);
	r = form_declare(
	    &io, t->game, 1, &(struct form_with){.past = &before}, &combat);
	if (r != 0)
		fail_msg("%d: %s", r, buf_str(&p.said));
	for (at = buf_str(&p.said); *texts != NULL; texts++) {
		if ((at = strstr(at, *texts)) == NULL)
			fail_msg("no \"%s\" in %s", *texts, buf_str(&p.said));
	}
	buf_clear(&p.said);
	form_past_clear(&before);
	return (combat);
}

/* Two that stood otherwise, on two edges; "ru-9" is in no roster now. */
#define FORMS_PAST                                                         \
	"{'attackers':[{'id':'fr-1','formation':'column'},"                \
	"{'id':'fr-2','formation':'line'}],'defenders':[{'id':'ru-1',"     \
	"'formation':'square'},{'id':'ru-9','formation':'line'}],"         \
	"'contacts':[{'attacker':'fr-1','defender':'ru-1','edge':'left'}," \
	"{'attacker':'fr-2','defender':'ru-1','edge':'front'}]}"

static void
what_was_before_is_proposed_for_each(void **state)
{
	/* Enter is what it was: they differed; edges are as they were. */
	static const char *const lines[] = {
	    "fr-1 fr-2", "", "", "", "ru-1", "", "", NULL};
	static const char *const texts[] = {"Formation of 1er Ligne, fr-2?",
	    "5  not all the same", "[5]", "Formation of 1er Ligne?", "[2]",
	    "Formation of fr-2?", "[1]", "Formation of ru-1?", "[3]",
	    "1er Ligne on ru-1: left flank of the defender",
	    "fr-2 on ru-1: front of the defender",
	    "Assumed (n changes it): edge of 1er Ligne on ru-1: left flank of "
	    "the "
	    "defender (as last time); edge of fr-2 on ru-1: front of the "
	    "defender; nothing special",
	    NULL};
	/* Nobody knows anything of others, nor of fr-1 on another enemy. */
	static const char *const others[] = {
	    "fr-1 fr-3", "line", "ru-2", "line", "", NULL};
	static const char *const nothing[] = {
	    "1-5, b: back, q: quit, ?: help> ", "Formation of ru-2?", "help> ",
	    "Assumed (n changes it): edge: front of the defender; nothing",
	    NULL};
	/* What the rules would not take again is not proposed whole. */
	static const char *const same[] = {"y", NULL};
	static const char *const again[] = {
	    "Your last combat was:\n", "The same again?", NULL};
	json_t *combat, *v;
	struct table t;

	(void)state;
	table_begun(&t);
	combat = forms_after(&t, FORMS_PAST, lines, texts);
	v = table_json(
	    "[{'id':'fr-1','formation':'column'},{'id':'fr-2','formation':"
	    "'line'}]");
	assert_true(json_equal(json_object_get(combat, "attackers"), v));
	json_decref(v);
	json_decref(combat);
	json_decref(forms_after(&t, FORMS_PAST, others, nothing));
	v = table_json(
	    "{'attackers':[{'id':'fr-1','formation':'column'}],'defenders':["
	    "{'id':'ru-1','formation':'square'}],'contacts':[{'attacker':"
	    "'fr-1','defender':'ru-1','edge':'left'}]}");
	combat = forms_after(&t,
	    "{'attackers':[{'id':'fr-1','formation':'column'}],'defenders':["
	    "{'id':'ru-1','formation':'square'}],'contacts':[{'attacker':"
	    "'fr-1','defender':'ru-1','edge':'left'}]}",
	    same, again);
	assert_true(json_equal(combat, v));
	json_decref(v);
	json_decref(combat);
	table_clear(&t);
}

static void
a_battery_s_range_is_proposed(void **state)
{
	static const char *const lines[] = {
	    "", "fr-drouot-2", "", "al-rech", "", NULL};
	static const char *const texts[] = {"Which kind of combat is it?",
	    "[2]", "Range in hexes of Guard Horse Artillery?", "1-3", "[1]",
	    "the target's terrain: town (as last time)", NULL};
	const struct rules_system *sys = systems_find("tlnb");
	json_t *roster = form_sample(sys, "evening");
	struct table t;

	(void)state;
	form_begin(&t, sys, roster);
	json_decref(forms_after(&t,
	    "{'kind':'bombardment','batteries':[{'id':'fr-drouot-2','range':1},"
	    "{'id':'gone','range':1}],'target':{'units':[{'id':'al-rech'}],"
	    "'terrain':'town'}}",
	    lines, texts));
	json_decref(roster);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_list_of_changes_is_always_the_same),
	    cmocka_unit_test(another_edge_is_not_the_same_edge),
	    cmocka_unit_test(what_cannot_be_declared_is_known_before),
	    cmocka_unit_test(what_is_true_of_a_unit_ends_its_words),
	    cmocka_unit_test(what_was_before_is_proposed_for_each),
	    cmocka_unit_test(a_battery_s_range_is_proposed),
	};

	return (cmocka_run_group_tests_name("form traps", tests, NULL, NULL));
}
