/* SPDX-License-Identifier: ISC */
/* Answers in the record's words, and decisions in short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "client/base/wordlist.h"
#include "client/base/xalloc.h"
#include "client/play/decision.h"
#include "client/play/decision_text.h"
#include "client/play/form_tell.h"
#include "client/replica/recordfile.h"
#include "client/report/battle.h"
#include "common/game/game.h"
#include "common/rules/lasalle2/lasalle2.h"
#include "common/rules/show/render.h"
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
	struct render *rd;
	json_t *units, *v;
	size_t i;
	char *s;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		v = table_json(all[i].decision);
		s = form_tell_decision(NULL, v);
		assert_string_equal(s, all[i].words);
		free(s);
		json_decref(v);
	}
	rd = render_new(&lasalle2_system);
	assert_non_null(rd);
	units = table_json("{'1':{'units':[{'id':'u1','name':'Ney'},"
			   "{'id':'u2'},{'id':'b1','name':'1st'}]}}");
	render_know(rd, units);
	v = table_json("{'kind':'k','h':{'u1':{'b1':2}},'o':[{'unit':'u1'}],"
		       "'u':['u2','b1']}");
	s = form_tell_decision(rd, v);
	assert_string_equal(s, "h: Ney: 1st 2; o: Ney; u: u2, 1st");
	free(s);
	json_decref(v);
	json_decref(units);
	render_free(rd);
}

/*
 * Opens a played game of lasalle2 as it was after line 4: two units of the
 * attacker's have to stagger.
 */
static struct recordfile *
open_at_stagger(void)
{
	char from[] = "/tmp/umpire-decision-XXXXXX", *line = NULL;
	FILE *in, *out;
	struct recordfile *pa;
	int64_t seq;
	size_t size = 0;
	char *path;

	path =
	    xalloc_printf("%s/tests/rules/lasalle2/played.jsonl", TOP_SRCDIR);
	in = fopen(path, "r");
	assert_non_null(in);
	free(path);
	out = fdopen(mkstemp(from), "w");
	assert_non_null(out);
	/* What is no line goes beside them: the rosters. */
	for (seq = 0; getline(&line, &size, in) > 0;) {
		if (strncmp(line, "{\"v\"", 4) != 0 || seq++ <= 4)
			assert_true(fputs(line, out) >= 0);
	}
	free(line);
	(void)fclose(in);
	assert_int_equal(fclose(out), 0);
	assert_int_equal(recordfile_open(from, &pa), 0);
	(void)unlink(from);
	return (pa);
}

static void
an_answer_that_breaks_a_unit_says_so(void **state)
{
	static const struct {
		const char *order;
		const char *told;
	} all[] = {
	    {"[{'unit':'fr-line-1','possible':true},"
	     "{'unit':'fr-line-2','possible':true}]",
		""},
	    {"[{'unit':'fr-line-1','possible':true},"
	     "{'unit':'fr-line-2','possible':false}]",
		"  It breaks: 61st Line, 2nd battalion."},
	    {"[{'unit':'fr-line-2','possible':false},"
	     "{'unit':'fr-line-1','possible':false}]",
		"  It breaks: 61st Line, 2nd battalion, 61st Line, 1st "
		"battalion."},
	};
	struct recordfile *pa = open_at_stagger();
	const struct game *g = battle_game(pa->b);
	json_t *decision;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		decision = json_pack("{s:s, s:o}", "kind", "stagger", "order",
		    table_json(all[i].order));
		assert_non_null(decision);
		text = decision_text_losses(g, 1, decision);
		assert_string_equal(text, all[i].told);
		free(text);
		json_decref(decision);
	}
	recordfile_close(pa);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_is_told_as_the_record_does),
	    cmocka_unit_test(a_decision_is_told_whatever_it_holds),
	    cmocka_unit_test(an_answer_that_breaks_a_unit_says_so),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
