/* SPDX-License-Identifier: ISC */
/* Answers in the record's words, and decisions in short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/base/wordlist.h"
#include "client/base/xalloc.h"
#include "client/play/decision.h"
#include "client/play/decision_text.h"
#include "client/play/form_tell.h"
#include "common/game/game.h"
#include "common/rules/systems/systems.h"
#include "tests/lib/table.h"

#define ROSTER                                                                 \
	"{'roster':{'1':{'units':[{'id':'a1','name':'Alte Garde'},"            \
	"{'id':'a2'}],'commanders':[{'id':'c1','name':'Ney'}]},'2':{'units':[" \
	"{'id':'b1','name':'Twin'},{'id':'b2','name':'Twin'}]}}}"

/* Questions, answers to them, and what those are told as (NULL: not at all). */
static const struct {
	const char *system;
	const char *asked;
	const char *words;
	const char *told;
} rows[] = {
    {"lasalle2",
	"{'kind':'retire','as':'defender',"
	"'options':{'units':{'some':['a1','a2']}}}",
	"retire all", "The defender tries to retire: Alte Garde, a2"},
    {"lasalle2",
	"{'kind':'retire','as':'defender',"
	"'options':{'units':{'some':['a1','a2']}}}",
	"retire none", "The defender tries to retire: none"},
    {"tlnb",
	"{'kind':'retreat','as':'attacker','options':{"
	"'eliminated':{'some':['b1','b2']}}}",
	"retreat lost b2",
	"The attacker retreats; unable to, and eliminated: Twin (b2)"},
    {"tlnb",
	"{'kind':'retreat','as':'attacker','options':{"
	"'eliminated':{'some':['b1','b2']}}}",
	"retreat all",
	"All units of the attacker retreat; nobody is eliminated"},
    /* What would be misread is refused. */
    {"tlnb",
	"{'kind':'retreat','as':'attacker','options':{"
	"'eliminated':{'some':['b1','b2']}}}",
	"retreat none", NULL},
    {"tlnb",
	"{'kind':'napoleon-shift','as':'attacker',"
	"'options':{'use':{'one':[true,false]}}}",
	"napoleon-shift no", "Napoleon shifts a column: no"},
    {"imagi-nations",
	"{'kind':'chits','as':'attacker','options':{'number':{'int':[5,7]}}}",
	"chits 6", "The attacker asks for 6 chits"},
    /* No answers. */
    {"imagi-nations",
	"{'kind':'chits','as':'attacker','options':{'number':{'int':[5,7]}}}",
	"chits 8", NULL},
    {"tlnb",
	"{'kind':'napoleon-shift','as':'attacker',"
	"'options':{'use':{'one':[true,false]}}}",
	"guard-shift no", NULL},
    /* Nobody is asked, and nothing. */
    {"tlnb", "{'kind':'napoleon-shift','options':{'use':{'one':[true,false]}}}",
	"napoleon-shift no", NULL},
    {"tlnb", "{}", "napoleon-shift no", NULL},
    {"no-system",
	"{'kind':'napoleon-shift','as':'attacker',"
	"'options':{'use':{'one':[true,false]}}}",
	"napoleon-shift no", NULL},
};

#define WORDS_MAX 64

/* What the words say; NULL if they are no answer. */
static char *
told(const char *system, const json_t *roster, const json_t *asked,
    const json_t *words)
{
	const char *kind = json_string_value(json_object_get(asked, "kind"));
	const char *list[WORDS_MAX];
	size_t i, n = json_array_size(words);
	json_t *decision;
	struct errinfo e;
	char *s;

	assert_in_range(n, 1, WORDS_MAX);
	for (i = 0; i < n; i++)
		list[i] = wordlist_get(words, i);
	if (kind == NULL ||
	    decision_parse(kind, json_object_get(asked, "options"), (int)n,
		list, &decision, &e) != 0)
		return (NULL);
	s = decision_text(systems_find(system), roster, asked, decision);
	json_decref(decision);
	return (s);
}

static void
an_answer_is_told_as_the_record_does(void **state)
{
	json_t *asked, *none, *view, *words;
	struct errinfo e;
	char *s;
	size_t i;

	(void)state;
	view = table_json(ROSTER);
	none = table_json("{}");
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		asked = table_json(rows[i].asked);
		assert_int_equal(wordlist_split(rows[i].words, &words, &e), 0);
		s = told(rows[i].system, json_object_get(view, "roster"), asked,
		    words);
		if (rows[i].told == NULL)
			assert_null(s);
		else
			assert_string_equal(s, rows[i].told);
		free(s);
		/* Without rosters nobody knows what the units are called. */
		assert_null(told(rows[i].system,
		    json_object_get(none, "roster"), asked, words));
		json_decref(words);
		json_decref(asked);
	}
	json_decref(view);
	json_decref(none);
}

static void
a_decision_is_told_whatever_it_holds(void **state)
{
	static const struct {
		const char *decision, *words;
	} all[] = {
	    {"{'kind':'card','card':'feint'}", "feint"},
	    {"{'kind':'k','a':true,'b':[],'c':3}", "a: yes; b: none; c: 3"},
	    {"{'kind':'k','o':[{'unit':'u1','far':false,'up':true},"
	     "{'unit':'u2'}]}",
		"u1 (not far, up), u2"},
	    {"{'kind':'k','h':{'u1':{'b1':2,'b2':1}}}", "u1: b1 2, b2 1"},
	    /* What no rules ask for, but anybody can type. */
	    {"{'kind':'k','o':[{'unit':7},{}]}", "?, ?"},
	    {"{'kind':'k','o':null}", "none"},
	    {"{}", ""},
	};
	json_t *v;
	size_t i;
	char *s;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		v = table_json(all[i].decision);
		s = form_tell_decision(v);
		assert_string_equal(s, all[i].words);
		free(s);
		json_decref(v);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_told_as_the_record_does),
	    cmocka_unit_test(a_decision_is_told_whatever_it_holds),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
