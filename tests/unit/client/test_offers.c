/* SPDX-License-Identifier: ISC */
/*
 * What players type when they deal with each other: dice, chits, offers,
 * rulings, changes of units.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "client/play/offer_parse.h"
#include "client/play/roll.h"
#include "client/replica/adjust.h"
#include "client/report/describe.h"

#include "tests/lib/quoted.h"

#define WORDS_MAX 1100

/* Words of a text, split at spaces; they lie in *room. */
struct wordlist {
	char *room; /* owned */
	const char *list[WORDS_MAX];
	int n;
};

/* Splits a text. */
static void
split(struct wordlist *w, const char *text)
{
	char *s, *save = NULL;

	w->n = 0;
	assert_non_null(w->room = strdup(text));
	for (s = strtok_r(w->room, " ", &save); s != NULL;
	     s = strtok_r(NULL, " ", &save)) {
		assert_true(w->n < WORDS_MAX);
		w->list[w->n++] = s;
	}
}

/* Checks a value against JSON, a quoted_text(), and frees it. */
static void
equals(json_t *v, const char *wanted)
{
	json_t *w = quoted_json(wanted);

	if (!json_equal(v, w))
		fail_msg("got %s, not %s", json_dumps(v, 0), wanted);
	json_decref(v);
	json_decref(w);
}

typedef int (*parse_fn)(
    int n, const char *const *words, json_t **args, struct errinfo *e);

/* Checks what words give. */
static void
gives(parse_fn parse, const char *text, const char *wanted)
{
	struct errinfo e = {.text = ""};
	json_t *v = NULL;
	struct wordlist w;

	split(&w, text);
	if (parse(w.n, w.list, &v, &e) != 0)
		fail_msg("'%s' was refused: %s", text, e.text);
	free(w.room);
	equals(v, wanted);
}

/* Checks that words are refused with a text that has `part` in it. */
static void
refuses(parse_fn parse, const char *text, const char *part)
{
	struct errinfo e = {.text = ""};
	json_t *v = (json_t *)&e;
	struct wordlist w;

	split(&w, text);
	assert_int_equal(parse(w.n, w.list, &v, &e), ERR_INVALID);
	/* Results are written on success only. */
	assert_ptr_equal(v, &e);
	if (strstr(e.text, part) == NULL)
		fail_msg("'%s': '%s' does not say '%s'", text, e.text, part);
	free(w.room);
}

static void
dice_are_a_count_and_sides(void **state)
{
	static const struct {
		const char *word;
		int64_t dice, sides; /* 0: refused */
	} cases[] = {
	    {"2d6", 2, 6},
	    {"d6", 1, 6},
	    {"1d2", 1, 2},
	    {"1000d1000", 1000, 1000},
	    {"1d1", 0, 0},
	    {"0d6", 0, 0},
	    {"1001d6", 0, 0},
	    {"2d1001", 0, 0},
	    {"2d", 0, 0},
	    {"d", 0, 0},
	    {"", 0, 0},
	    {"2", 0, 0},
	    {"-1d6", 0, 0},
	    {"2d-6", 0, 0},
	    {"2d6d6", 0, 0},
	    {"2D6", 0, 0},
	    {"2d6+1", 0, 0},
	    {" 2d6", 0, 0},
	    {"99999999999999999999d6", 0, 0},
	};
	int64_t dice, sides;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		dice = sides = 0;
		if (roll_dice(cases[i].word, &dice, &sides) !=
		    (cases[i].dice != 0))
			fail_msg("'%s'", cases[i].word);
		assert_int_equal(dice, cases[i].dice);
		assert_int_equal(sides, cases[i].sides);
	}
}

static void
chits_are_distinct_ids(void **state)
{
	struct errinfo e = {.text = ""};
	json_t *v;

	(void)state;
	gives(roll_items, "rain fog mud-2", "['rain','fog','mud-2']");
	refuses(roll_items, "", "1 to 1000");
	refuses(roll_items, "rain Rain", "'Rain'");
	refuses(roll_items, "rain rain", "twice");
	refuses(roll_items, "a123456789012345678901234567890123", "at most");
	v = quoted_json("['a',1]");
	assert_int_equal(roll_check_items(v, &e), ERR_INVALID);
	json_decref(v);
	v = quoted_json("{'a':1}");
	assert_int_equal(roll_check_items(v, &e), ERR_INVALID);
	json_decref(v);
	assert_int_equal(roll_check_items(NULL, &e), ERR_INVALID);
}

static void
a_cup_has_at_most_a_thousand_chits(void **state)
{
	struct errinfo e = {.text = ""};
	json_t *v = json_array();
	char name[16];
	int i;

	(void)state;
	for (i = 0; i < ROLL_MAX; i++) {
		(void)snprintf(name, sizeof(name), "c%d", i);
		assert_int_equal(
		    json_array_append_new(v, json_string(name)), 0);
	}
	assert_int_equal(roll_check_items(v, &e), 0);
	assert_int_equal(json_array_append_new(v, json_string("more")), 0);
	assert_int_equal(roll_check_items(v, &e), ERR_INVALID);
	json_decref(v);
}

static void
offers_are_words(void **state)
{
	(void)state;
	gives(offer_parse, "draw", "{'what':'draw'}");
	gives(offer_parse, "victory", "{'what':'victory','winner':'mine'}");
	gives(offer_parse, "victory theirs",
	    "{'what':'victory','winner':'theirs'}");
	gives(offer_parse, "takeback", "{'what':'takeback'}");
	gives(offer_parse, "takeback 0", "{'what':'takeback','from':0}");
	gives(offer_parse, "takeback 14", "{'what':'takeback','from':14}");
	gives(offer_parse, "pause 366", "{'what':'pause','days':366}");
	gives(offer_parse, "truce 99", "{'what':'truce','turns':99}");
	refuses(offer_parse, "", "what");
	refuses(offer_parse, "draw now", "'now'");
	refuses(offer_parse, "victory ours", "'mine' or 'theirs'");
	refuses(offer_parse, "victory mine now", "'mine' or 'theirs'");
	refuses(offer_parse, "takeback last", "number of a line");
	refuses(offer_parse, "takeback -1", "number of a line");
	refuses(offer_parse, "takeback 1 2", "number of a line");
	refuses(offer_parse, "pause", "1 to 366");
	refuses(offer_parse, "pause 0", "1 to 366");
	refuses(offer_parse, "pause 367", "1 to 366");
	refuses(offer_parse, "truce 100", "1 to 99");
	refuses(offer_parse, "adjust", "umpire adjust GAME UNIT FIELD=VALUE");
	refuses(offer_parse, "peace", "'peace' cannot be offered");
}

static void
rulings_are_words(void **state)
{
	(void)state;
	gives(offer_parse_ruling, "void 14", "{'void':true,'from':14}");
	gives(offer_parse_ruling, "result 1", "{'result':1}");
	gives(offer_parse_ruling, "result 2", "{'result':2}");
	gives(offer_parse_ruling, "result draw", "{'result':0}");
	gives(offer_parse_ruling, "words", "{}");
	gives(offer_parse_ruling, "forfeit", "{'do':'forfeit'}");
	gives(offer_parse_ruling, "extend 2d",
	    "{'do':'extend','extend_s':172800}");
	refuses(offer_parse_ruling, "", "what");
	refuses(offer_parse_ruling, "void", "number of a line");
	refuses(offer_parse_ruling, "result 0", "1 or 2, or draw");
	refuses(offer_parse_ruling, "result 3", "1 or 2, or draw");
	refuses(offer_parse_ruling, "result", "1 or 2, or draw");
	refuses(offer_parse_ruling, "words more", "a ruling is");
	refuses(offer_parse_ruling, "forfeit 1", "'1'");
	refuses(offer_parse_ruling, "extend", "extend takes a time");
	refuses(offer_parse_ruling, "extend 30s", "time");
	refuses(offer_parse_ruling, "extend soon", "time");
	refuses(offer_parse_ruling, "shrug", "a ruling is");
}

/* A roster as the view has it, a quoted_text(). */
static const char roster[] =
    "{'1':{'units':[{'id':'fr-1','arm':'infantry','strength':5,"
    "'traits':['elite'],'disordered':false}],'commanders':["
    "{'id':'ney','rating':2}]},'2':{'units':["
    "{'id':'ru-1','name':'7','strength':4}]}}";

/* adjust_parse() upon that roster. */
static int
parse_units(int n, const char *const *words, json_t **units, struct errinfo *e)
{
	json_t *r = quoted_json(roster);
	int result;

	result = adjust_parse(r, n, words, units, e);
	json_decref(r);
	return (result);
}

static void
changes_are_units_and_their_members(void **state)
{
	(void)state;
	gives(parse_units, "fr-1 strength=4", "[{'id':'fr-1','strength':4}]");
	gives(parse_units, "fr-1 strength=0 out=left ru-1 out=none",
	    "[{'id':'fr-1','strength':0,'out':'left'},"
	    "{'id':'ru-1','out':null}]");
	gives(parse_units, "fr-1 strength=4 -- ru-1 strength=3",
	    "[{'id':'fr-1','strength':4},{'id':'ru-1','strength':3}]");
	gives(parse_units, "ney rating=3", "[{'id':'ney','rating':3}]");
}

static void
a_value_has_the_type_that_the_member_has(void **state)
{
	(void)state;
	gives(parse_units, "fr-1 disordered=yes",
	    "[{'id':'fr-1','disordered':true}]");
	gives(parse_units, "fr-1 traits=elite,shock",
	    "[{'id':'fr-1','traits':['elite','shock']}]");
	gives(parse_units, "fr-1 arm=yes", "[{'id':'fr-1','arm':'yes'}]");
	gives(parse_units, "ru-1 name=8", "[{'id':'ru-1','name':'8'}]");
	/* Where there is none it is what it looks like. */
	gives(parse_units, "fr-1 hits=2 tired=no battery=foot",
	    "[{'id':'fr-1','hits':2,'tired':false,'battery':'foot'}]");
	gives(parse_units, "fr-1 battalions=[{\"id\":\"a\",\"sp\":3}]",
	    "[{'id':'fr-1','battalions':[{'id':'a','sp':3}]}]");
	refuses(parse_units, "fr-1 strength=five", "'five'");
	refuses(parse_units, "fr-1 strength=-1", "'-1'");
	refuses(parse_units, "fr-1 disordered=2", "'2'");
	refuses(parse_units, "fr-1 traits=[\"elite\"", "traits");
}

static void
units_join_and_go_in_words(void **state)
{
	(void)state;
	gives(parse_units, "don joins=units side=2 arm=cavalry strength=3",
	    "[{'id':'don','joins':'units','side':2,'arm':'cavalry',"
	    "'strength':3}]");
	gives(parse_units, "fr-1 gone=yes murat joins=commanders side=1",
	    "[{'id':'fr-1','gone':true},"
	    "{'id':'murat','joins':'commanders','side':1}]");
	gives(parse_units, "fr-1 hits=1 don side=2 joins=units",
	    "[{'id':'fr-1','hits':1},"
	    "{'id':'don','side':2,'joins':'units'}]");
	gives(parse_units, "don joins=units side=2 name=1812 strength=3",
	    "[{'id':'don','joins':'units','side':2,'name':'1812',"
	    "'strength':3}]");
	refuses(parse_units, "don side=2 murat joins=units", "'don'");
	refuses(parse_units, "don joins=units joins=units", "twice");
	refuses(parse_units, "don joins=units side=2 don gone=yes", "'don'");
}

static void
a_roster_joins(void **state)
{
	static const struct {
		const char *file;
		const char *units; /* NULL: refused, with why */
		const char *why;
	} list[] = {
	    {"{'sides':{'2':{'units':[{'id':'a','cf':3},{'id':'b'}],"
	     "'commanders':[{'id':'c','cr':2}]}}}",
		"[{'id':'a','joins':'units','side':2,'cf':3},"
		"{'id':'b','joins':'units','side':2},"
		"{'id':'c','joins':'commanders','side':2,'cr':2}]",
		NULL},
	    {"{'blob':'roster','system':'x','sides':{'1':{'name':'N','units':"
	     "[{'id':'a'}]},'2':{'units':[{'id':'b'}]}}}",
		"[{'id':'a','joins':'units','side':1},"
		"{'id':'b','joins':'units','side':2}]",
		NULL},
	    /* What a unit says of its own does not lead elsewhere. */
	    {"{'sides':{'1':{'units':[{'id':'a','side':2,'joins':'x'}]}}}",
		NULL, "side"},
	    {"{'system':'y','sides':{'1':{'units':[{'id':'a'}]}}}", NULL,
		"roster of y"},
	    {"{'sides':{'1':{'units':[{'arm':'a'}]}}}", NULL, "has no id"},
	    {"{'sides':{'1':{'units':[1]}}}", NULL, "has no id"},
	    {"{'sides':{'1':{'units':[]}}}", NULL, "no unit"},
	    {"{'sides':[]}", NULL, "file of rosters"},
	    {"[]", NULL, "file of rosters"},
	};
	struct errinfo e;
	json_t *root, *v;
	size_t i;
	int r;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		root = quoted_json(list[i].file);
		memset(&e, 0, sizeof(e));
		r = adjust_join(root, "x", &v, &e);
		json_decref(root);
		if (list[i].units != NULL) {
			assert_int_equal(r, 0);
			equals(v, list[i].units);
			continue;
		}
		assert_int_equal(r, ERR_INVALID);
		assert_non_null(strstr(e.text, list[i].why));
	}
}

static void
wrong_changes_are_named(void **state)
{
	(void)state;
	refuses(parse_units, "", "which unit");
	refuses(parse_units, "strength=4", "no unit");
	refuses(parse_units, "fr-9 strength=4", "'fr-9'");
	refuses(parse_units, "fr-1", "last unit");
	refuses(parse_units, "fr-1 ru-1 strength=4", "'fr-1'");
	refuses(parse_units, "fr-1 strength=4 strength=3", "twice");
	refuses(parse_units, "fr-1 strength=4 fr-1 out=left", "twice");
	refuses(parse_units, "fr-1 id=x", "id");
	refuses(parse_units, "fr-1 strength=", "FIELD=VALUE");
	refuses(parse_units, "fr-1 =4", "FIELD=VALUE");
}

static void
at_most_64_units_are_named(void **state)
{
	struct errinfo e = {.text = ""};
	const char *words[2 * 65];
	char names[65][16];
	json_t *v;
	int i;

	(void)state;
	for (i = 0; i < 65; i++) {
		(void)snprintf(names[i], sizeof(names[i]), "u-%d", i);
		words[2 * i] = names[i];
		words[2 * i + 1] = "out=left";
	}
	/* Without a roster every id is taken. */
	assert_int_equal(adjust_parse(NULL, 128, words, &v, &e), 0);
	assert_int_equal(json_array_size(v), 64);
	json_decref(v);
	assert_int_equal(adjust_parse(NULL, 130, words, &v, &e), ERR_INVALID);
}

static void
a_file_holds_a_list_of_units(void **state)
{
	struct errinfo e = {.text = ""};
	json_t *root, *v;

	(void)state;
	root = quoted_json("[{'id':'a','out':null}]");
	assert_int_equal(adjust_take(root, &v, &e), 0);
	equals(v, "[{'id':'a','out':null}]");
	json_decref(root);
	root = quoted_json("{'units':[{'id':'a'}]}");
	assert_int_equal(adjust_take(root, &v, &e), 0);
	equals(v, "[{'id':'a'}]");
	json_decref(root);
	root = quoted_json("{'unit':[{'id':'a'}]}");
	assert_int_equal(adjust_take(root, &v, &e), ERR_INVALID);
	json_decref(root);
	root = quoted_json("[]");
	assert_int_equal(adjust_take(root, &v, &e), ERR_INVALID);
	json_decref(root);
}

static void
changes_are_told_from_what_to_what(void **state)
{
	json_t *units = quoted_json("[{'id':'a','strength':4,'out':'left'},"
				    "{'id':'b','out':null,'tired':true}]"),
	       *before = quoted_json(
		   "{'a':{'id':'a','strength':5},'b':{'id':'b','out':'broken',"
		   "'tired':true}}");
	char *s;

	(void)state;
	s = describe_units(NULL, units, NULL);
	assert_string_equal(
	    s, "a: strength 4, out left; b: out none, tired yes");
	free(s);
	s = describe_units(NULL, units, before);
	assert_string_equal(s,
	    "a: strength 5 -> 4, out none -> left; "
	    "b: out broken -> none, tired yes");
	free(s);
	json_decref(units);
	json_decref(before);
}

static void
what_joins_and_goes_is_told_in_sentences(void **state)
{
	static const struct {
		const char *units;
		const char *told;
	} list[] = {
	    {"[{'id':'a','strength':4}]", "to change a: strength 5 -> 4"},
	    {"[{'id':'don','joins':'units','side':2,'arm':'cavalry',"
	     "'strength':3,'shaken':true}]",
		"that don joins side 2: arm cavalry, strength 3, shaken yes"},
	    {"[{'id':'ney','joins':'commanders','side':1,'cr':3}]",
		"that ney joins side 1 as a commander: cr 3"},
	    {"[{'id':'a','gone':true},{'id':'b','gone':true,'out':'left'}]",
		"that a is taken away for good; b is taken away for good: "
		"left"},
	    {"[{'id':'a','strength':4},{'id':'b','gone':true}]",
		"that a changes: strength 5 -> 4; b is taken away for good"},
	    {"[{'id':'p','joins':'units','side':1,'lead':'p-1','battalions':"
	     "[{'id':'p-1','quality':'elite','sp':4},"
	     "{'id':'p-2','quality':'raw','sp':3,'hits':1}]}]",
		"that p joins side 1: lead p-1, battalions (p-1 elite sp 4, "
		"p-2 raw sp 3 hits 1)"},
	};
	json_t *before = quoted_json("{'a':{'id':'a','strength':5}}"), *units;
	size_t i;
	char *s;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		units = quoted_json(list[i].units);
		s = describe_adjust(NULL, "to change", units, before);
		assert_string_equal(s, list[i].told);
		free(s);
		json_decref(units);
	}
	json_decref(before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(dice_are_a_count_and_sides),
	    cmocka_unit_test(chits_are_distinct_ids),
	    cmocka_unit_test(a_cup_has_at_most_a_thousand_chits),
	    cmocka_unit_test(offers_are_words),
	    cmocka_unit_test(rulings_are_words),
	    cmocka_unit_test(changes_are_units_and_their_members),
	    cmocka_unit_test(a_value_has_the_type_that_the_member_has),
	    cmocka_unit_test(units_join_and_go_in_words),
	    cmocka_unit_test(a_roster_joins),
	    cmocka_unit_test(wrong_changes_are_named),
	    cmocka_unit_test(at_most_64_units_are_named),
	    cmocka_unit_test(a_file_holds_a_list_of_units),
	    cmocka_unit_test(changes_are_told_from_what_to_what),
	    cmocka_unit_test(what_joins_and_goes_is_told_in_sentences),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
