/* SPDX-License-Identifier: ISC */
/* Words of the command line to decisions, and the answers that are offered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "client/play/decision.h"

#include "tests/lib/quoted.h"

#define WORDS_MAX 16

static const char retire[] = "{'units':{'some':['au-3','au-4']}}";
static const char stagger[] = "{'order':{'order':['fr-a','fr-b'],"
			      "'each':{'possible':{'one':[true,false]}}}}";
static const char two[] =
    "{'mode':{'one':['hold','charge',null]},'units':{'some':['a','b']},"
    "'n':{'int':[-1,3]}}";
static const char retreat[] = "{'eliminated':{'some':['a','b']}}";
static const char hard[] = "{'hits':{'rule':'allocate','n':3}}";

/* Splits text at spaces and reads it as an answer to a quoted_text(). */
static int
parse(const char *kind, const char *options, const char *text,
    json_t **decision, struct errinfo *e)
{
	const char *words[WORDS_MAX];
	json_t *o = quoted_json(options);
	char *copy = strdup(text), *w, *save = NULL;
	int n = 0, r;

	assert_non_null(copy);
	for (w = strtok_r(copy, " ", &save); w != NULL;
	     w = strtok_r(NULL, " ", &save)) {
		assert_true(n < WORDS_MAX);
		words[n++] = w;
	}
	r = decision_parse(kind, o, n, words, decision, e);
	json_decref(o);
	free(copy);
	return (r);
}

/* Checks that words give this decision, a quoted_text(). */
static void
gives(
    const char *kind, const char *options, const char *text, const char *wanted)
{
	struct errinfo e = {.text = ""};
	json_t *decision = NULL, *w = quoted_json(wanted);

	if (parse(kind, options, text, &decision, &e) != 0)
		fail_msg("'%s' was refused: %s", text, e.text);
	if (!json_equal(decision, w))
		fail_msg("'%s' gave %s", text, json_dumps(decision, 0));
	json_decref(decision);
	json_decref(w);
}

/* Checks that words are refused with a text that has `part` in it. */
static void
refuses(
    const char *kind, const char *options, const char *text, const char *part)
{
	struct errinfo e = {.text = ""};
	json_t *decision = NULL;

	assert_int_equal(
	    parse(kind, options, text, &decision, &e), ERR_INVALID);
	assert_null(decision);
	if (strstr(e.text, part) == NULL)
		fail_msg("'%s': '%s' lacks '%s'", text, e.text, part);
}

static void
some_of_the_ids_may_be_named_in_any_order(void **state)
{
	(void)state;
	gives("retire", retire, "retire au-3",
	    "{'kind':'retire','units':['au-3']}");
	gives("retire", retire, "retire au-4 au-3",
	    "{'kind':'retire','units':['au-4','au-3']}");
	gives("retire", retire, "retire au-4,au-3",
	    "{'kind':'retire','units':['au-4','au-3']}");
	gives("retire", retire, "retire units=au-3,au-4",
	    "{'kind':'retire','units':['au-3','au-4']}");
	gives("retire", retire, "retire none", "{'kind':'retire','units':[]}");
	gives("retire", retire, "retire all",
	    "{'kind':'retire','units':['au-3','au-4']}");
}

static void
some_of_the_ids_refuses_what_is_not_there_or_twice(void **state)
{
	(void)state;
	refuses("retire", retire, "retire", "none");
	refuses("retire", retire, "retire au-5", "au-3, au-4");
	refuses("retire", retire, "retire au-3 au-3", "twice");
	refuses("retire", retire, "retire none extra",
	    "'extra' is not among: au-3, au-4");
	refuses("retire", retire, "retire au-5 none", "'au-5' is not among");
	refuses(
	    "retire", retire, "retire none all extra", "'extra' is not among");
	refuses("retire", retire, "retire none au-3",
	    "'none' stands alone: leave 'au-3' out");
	refuses("retire", retire, "retire au-3 all",
	    "'all' stands alone: leave 'au-3' out");
	refuses("retire", retire, "retire all all", "'all' is named twice");
	refuses("retire", retire, "retire ,", "none");
}

static void
a_unit_called_none_is_a_unit(void **state)
{
	const char *options = "{'units':{'some':['none','all']}}";

	(void)state;
	gives("retire", options, "retire none",
	    "{'kind':'retire','units':['none']}");
	gives("retire", options, "retire all",
	    "{'kind':'retire','units':['all']}");
}

/* Nobody is lost by a word that could mean the opposite. */
static void
those_lost_are_named_behind_a_word_of_their_own(void **state)
{
	json_t *list, *o = quoted_json(retreat);
	char *s;

	(void)state;
	gives("retreat", retreat, "retreat all",
	    "{'kind':'retreat','eliminated':[]}");
	gives("retreat", retreat, "retreat lost b a",
	    "{'kind':'retreat','eliminated':['b','a']}");
	gives("retreat", retreat, "retreat eliminated=lost,b",
	    "{'kind':'retreat','eliminated':['b']}");
	refuses("retreat", retreat, "retreat", "nobody is eliminated");
	refuses("retreat", retreat, "retreat none", "nobody is eliminated");
	refuses("retreat", retreat, "retreat a", "nobody is eliminated");
	refuses("retreat", retreat, "retreat all a", "nobody is eliminated");
	refuses("retreat", retreat, "retreat lost", "nobody is eliminated");
	refuses("retreat", retreat, "retreat lost all", "not among");
	refuses("retreat", retreat, "retreat lost a all",
	    "'all' is not among: a, b");
	refuses("retreat", retreat, "retreat lost none a", "'none' is not");
	refuses("retreat", retreat, "retreat lost none", "not among");
	refuses("retreat", retreat, "retreat lost a a", "twice");
	list = decision_typical("retreat", o);
	assert_string_equal(
	    json_string_value(json_array_get(list, 0)), "retreat all");
	assert_string_equal(
	    json_string_value(json_array_get(list, 2)), "retreat lost b");
	assert_int_equal(json_array_size(list), 3);
	json_decref(list);
	s = decision_form("retreat", o);
	assert_string_equal(s, "retreat all|lost UNIT ...");
	free(s);
	json_decref(o);
}

static void
an_order_takes_every_id_once_with_a_word_on_each(void **state)
{
	(void)state;
	gives("stagger", stagger, "stagger fr-a fr-b=no",
	    "{'kind':'stagger','order':[{'unit':'fr-a','possible':true},"
	    "{'unit':'fr-b','possible':false}]}");
	gives("stagger", stagger, "stagger fr-b=false fr-a=y",
	    "{'kind':'stagger','order':[{'unit':'fr-b','possible':false},"
	    "{'unit':'fr-a','possible':true}]}");
	gives("stagger", stagger, "stagger fr-b all",
	    "{'kind':'stagger','order':[{'unit':'fr-b','possible':true},"
	    "{'unit':'fr-a','possible':true}]}");
	gives("stagger", stagger, "stagger all",
	    "{'kind':'stagger','order':[{'unit':'fr-a','possible':true},"
	    "{'unit':'fr-b','possible':true}]}");
	gives("stagger", stagger, "stagger order=fr-b=no,fr-a",
	    "{'kind':'stagger','order':[{'unit':'fr-b','possible':false},"
	    "{'unit':'fr-a','possible':true}]}");
}

static void
an_order_refuses_gaps_repeats_and_odd_words(void **state)
{
	(void)state;
	refuses("stagger", stagger, "stagger", "fr-a");
	refuses("stagger", stagger, "stagger fr-a", "'fr-b' is not named");
	refuses("stagger", stagger, "stagger fr-a fr-a fr-b", "twice");
	refuses("stagger", stagger, "stagger fr-a=maybe fr-b", "yes, no");
	refuses("stagger", stagger, "stagger fr-a= fr-b", "not among");
	refuses("stagger", stagger, "stagger fr-c", "not among");
	refuses("stagger", stagger, "stagger all fr-a", "not among");
}

static void
several_members_are_said_by_name(void **state)
{
	(void)state;
	gives("x", two, "x n=-1 mode=charge units=b,a",
	    "{'kind':'x','mode':'charge','units':['b','a'],'n':-1}");
	gives("x", two, "x mode=none units=none n=3",
	    "{'kind':'x','mode':null,'units':[],'n':3}");
	refuses("x", two, "x mode=hold units=a", "say n=");
	refuses("n", "{'n':{'int':[0,9]}}", "n", "from 0 to 9");
	refuses("n", "{'n':{'int':[0,9]}}", "n 1 2", "from 0 to 9");
	refuses("x", two, "x mode=hold units=a n=4", "from -1 to 3");
	refuses("x", two, "x mode=hold units=a n=1x", "from -1 to 3");
	refuses("x", two, "x mode=hold units=a n=--1", "from -1 to 3");
	refuses("x", two, "x mode=run units=a n=1", "hold, charge, none");
	refuses("x", two, "x hold units=a n=1", "member=value");
	refuses("x", two, "x mode=hold mode=hold units=a n=1", "twice");
	refuses("x", two, "x mode=hold units=a n=1 y=2", "member=value");
}

static void
another_kind_than_the_open_one_is_refused(void **state)
{
	struct errinfo e = {.text = ""};
	json_t *o = quoted_json(retire), *d = NULL;

	(void)state;
	refuses("retire", retire, "stagger au-3", "is 'retire'");
	assert_int_equal(
	    decision_parse("retire", o, 0, NULL, &d, &e), ERR_INVALID);
	json_decref(o);
}

static void
what_words_cannot_say_is_left_to_json(void **state)
{
	json_t *o = quoted_json(hard), *list;

	(void)state;
	refuses("hits", hard, "hits a", "--decision");
	list = decision_typical("hits", o);
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
	json_decref(o);
}

/* Checks that every offered answer is understood, and how many there are. */
static void
offers(const char *kind, const char *options, size_t n)
{
	struct errinfo e = {.text = ""};
	json_t *o = quoted_json(options), *list, *v, *d;
	size_t i;

	list = decision_typical(kind, o);
	assert_int_equal(json_array_size(list), n);
	json_array_foreach(list, i, v)
	{
		if (parse(kind, options, json_string_value(v), &d, &e) != 0)
			fail_msg("'%s': %s", json_string_value(v), e.text);
		json_decref(d);
	}
	json_decref(list);
	json_decref(o);
}

static void
every_offered_answer_is_understood(void **state)
{
	(void)state;
	offers("retire", retire, 4);
	offers("retire", "{'units':{'some':['a']}}", 2);
	offers("retire", "{'units':{'some':['a'],'min':1}}", 1);
	offers("stagger", stagger, 2);
	offers("stagger",
	    "{'order':{'order':['a'],'each':{'possible':{'one':"
	    "[true,false]}}}}",
	    2);
	offers("go", "{'to':{'one':['left',true,null,4]}}", 4);
	offers("count", "{'n':{'int':[0,9]}}", 2);
}

static void
an_order_of_many_units_is_offered_in_short(void **state)
{
	json_t *ids = json_array(), *o, *list;
	char id[16];
	int i;

	(void)state;
	for (i = 0; i < 40; i++) {
		(void)snprintf(id, sizeof(id), "u%d", i);
		assert_int_equal(
		    json_array_append_new(ids, json_string(id)), 0);
	}
	o = json_pack("{s:{s:o,s:{s:{s:[b,b]}}}}", "order", "order", ids,
	    "each", "possible", "one", 1, 0);
	assert_non_null(o);
	list = decision_typical("stagger", o);
	assert_string_equal(
	    json_string_value(json_array_get(list, 0)), "stagger all");
	json_decref(list);
	json_decref(o);
}

static void
the_form_of_an_answer_is_told(void **state)
{
	json_t *o = quoted_json(stagger);
	char *s = decision_form("stagger", o);

	(void)state;
	assert_string_equal(s, "stagger UNIT[=yes|no] ... [all]");
	free(s);
	json_decref(o);
	o = quoted_json(two);
	s = decision_form("x", o);
	assert_string_equal(
	    s, "x mode=hold|charge|none units=none|all|UNIT,... n=NUMBER");
	free(s);
	json_decref(o);
}

static void
a_question_with_a_rule_of_its_own_has_no_words(void **state)
{
	static const char *const words[] = {"allocate", "hits=a"};
	struct errinfo e = {.text = ""};
	json_t *o, *decision = NULL;
	char *s;

	(void)state;
	o = json_pack("{s:{s:s, s:i}, s:{s:[s]}}", "hits", "rule", "allocate",
	    "count", 2, "retreat", "some", "a");
	assert_false(decision_has_words(o));
	assert_int_equal(decision_parse("allocate", o, 2, words, &decision, &e),
	    ERR_INVALID);
	assert_non_null(strstr(e.text, "--decision JSON"));
	assert_null(decision);
	s = decision_form("allocate", o);
	assert_string_equal(s, "--decision JSON");
	free(s);
	json_decref(o);
	o = quoted_json(two);
	assert_true(decision_has_words(o));
	json_decref(o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(some_of_the_ids_may_be_named_in_any_order),
	    cmocka_unit_test(
		some_of_the_ids_refuses_what_is_not_there_or_twice),
	    cmocka_unit_test(a_unit_called_none_is_a_unit),
	    cmocka_unit_test(those_lost_are_named_behind_a_word_of_their_own),
	    cmocka_unit_test(an_order_takes_every_id_once_with_a_word_on_each),
	    cmocka_unit_test(an_order_refuses_gaps_repeats_and_odd_words),
	    cmocka_unit_test(several_members_are_said_by_name),
	    cmocka_unit_test(another_kind_than_the_open_one_is_refused),
	    cmocka_unit_test(what_words_cannot_say_is_left_to_json),
	    cmocka_unit_test(every_offered_answer_is_understood),
	    cmocka_unit_test(an_order_of_many_units_is_offered_in_short),
	    cmocka_unit_test(the_form_of_an_answer_is_told),
	    cmocka_unit_test(a_question_with_a_rule_of_its_own_has_no_words),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
