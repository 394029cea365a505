/* SPDX-License-Identifier: ISC */
/*
 * Forms: scripted people put the samples' declarations together exactly, in
 * spite of wrong answers and of going back; people who answer by chance end in
 * something lawful, whatever is asked of them.
 */
#include "client/play/form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/play/form_walk.h"
#include "common/base/err.h"
#include "common/game/game_int.h"
#include "common/game/game_make.h"
#include "common/rules/roster.h"
#include "common/rules/schema.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/facts.h"
#include "tests/lib/form.h"

#define FORMS_LINES_MAX 256
#define FORMS_BY_CHANCE 12 /* declarations of each system */
#define FORMS_BY_CHANCE_SLOW 4
#define FORMS_COMBATS 400 /* at most, until all questions of a system came */
#define FORMS_COMBATS_SLOW 6

/* How many of something to try. */
static uint64_t
forms_number(uint64_t often, uint64_t slow)
{
	return (getenv("UMPIRE_SLOW") != NULL ? slow : often);
}

/* Declares by a script; the combat, new, must be the sample's. */
static void
forms_make(const struct table *t, const char *system, const char *const *lines)
{
	const struct rules_system *sys = systems_find(system);
	json_t *combat = NULL, *sample;
	struct person p;
	struct ask_io io;
	char *text;
	int r;

	io = form_person_init(&p, lines, 0);
	r = form_declare(&io, t->game, 1, NULL, &combat);
	if (r != 0)
		fail_msg("%s: %d\n%s", system, r, buf_str(&p.said));
	sample = form_sample(sys, "evening-declare");
	if (!json_equal(combat, json_object_get(sample, "combat"))) {
		text = json_dumps(combat, 0);
		fail_msg("%s: %s\n%s", system, text, buf_str(&p.said));
	}
	assert_null(lines[p.n]);
	json_decref(sample);
	json_decref(combat);
	buf_clear(&p.said);
}

static void
scripts_give_the_samples(void **state)
{
	const char *lines[FORMS_LINES_MAX];
	struct table t;
	size_t i, n, odd;

	(void)state;
	for (i = 0; i < FORM_SCRIPTS; i++) {
		form_open(&t, &form_scripts[i]);
		/* Then with two wrong answers before each right one. */
		for (odd = 0; odd < 2; odd++) {
			const char *const *s = form_scripts[i].lines;

			for (n = 0; *s != NULL; s++) {
				if (odd == 1 && **s != '=') {
					lines[n++] = "zz?";
					lines[n++] = "99999999";
				}
				lines[n++] = form_typed(*s);
				assert_true(n + 3 < FORMS_LINES_MAX);
			}
			lines[n] = NULL;
			forms_make(&t, form_scripts[i].system, lines);
		}
		table_clear(&t);
	}
}

static void
going_back_asks_the_last_question_again(void **state)
{
	const char *lines[FORMS_LINES_MAX];
	struct table t;
	size_t i, k, n, steps, total;

	(void)state;
	for (i = 0; i < FORM_SCRIPTS; i++) {
		const char *const *s = form_scripts[i].lines;

		form_open(&t, &form_scripts[i]);
		for (total = 0; s[total] != NULL; total++)
			;
		/* At answer k back by one, and by all of them. */
		for (k = 1; k < 2 * total; k++) {
			steps = k < total ? 1 : k - total;
			for (n = 0; n < (k < total ? k : k - total); n++)
				lines[n] = form_typed(s[n]);
			for (; steps > 0; steps--)
				lines[n++] = "b";
			for (steps = k < total ? k - 1 : 0; s[steps] != NULL;
			     steps++)
				lines[n++] = form_typed(s[steps]);
			lines[n] = NULL;
			forms_make(&t, form_scripts[i].system, lines);
		}
		table_clear(&t);
	}
}

static void
whoever_leaves_declares_nothing(void **state)
{
	const char *lines[FORMS_LINES_MAX];
	json_t *combat = NULL;
	struct ask_io io;
	struct person p;
	struct table t;
	size_t i, n;
	int r;

	(void)state;
	for (i = 0; i < FORM_SCRIPTS; i++) {
		const char *const *s = form_scripts[i].lines;

		form_open(&t, &form_scripts[i]);
		for (n = 0; s[n] != NULL; n++) {
			/* The input ends; or they go back over everything. */
			lines[n] = NULL;
			io = form_person_init(&p, lines, 0);
			r = form_declare(&io, t.game, 1, NULL, &combat);
			assert_int_equal(r, ERR_CLOSED);
			buf_clear(&p.said);
			lines[n] = form_typed(s[n]);
		}
		lines[0] = "b";
		lines[1] = NULL;
		io = form_person_init(&p, lines, 0);
		assert_int_equal(
		    form_declare(&io, t.game, 1, NULL, &combat), ASK_BACK);
		buf_clear(&p.said);
		assert_null(combat);
		table_clear(&t);
	}
}

static void
a_refusal_is_told_and_asked_again(void **state)
{
	/* ru-2 is attacked by nobody; then it is left out. */
	static const char *const lines[] = {"fr-1 fr-c1", "column", "line",
	    "ru-1 ru-2", "line", "1", "1", "", "ru-1", "line", "y", NULL};
	static const char *const texts[] = {
	    "That is not lawful (the defenders): \"ru-2\" is in no contact.",
	    "What do you want to change?", "3  The defenders", "[3]",
	    "Which enemy units are they in contact with?",
	    "This is the combat:", "1er Ligne: column",
	    "fr-c1 on ru-1: front of the defender", "Is this right?", NULL};
	/*
	 * At the review the formation is changed, what else was said stays; who
	 * goes back out of a change is at the list again, then at the review.
	 */
	static const char *const change[] = {"fr-1", "column", "ru-1", "line",
	    "n", "the contacts: edge", "left", "n", "3", "b", "b", "n",
	    "the defenders", "ru-1", "square", "", NULL};
	static const char *const changed[] = {"1er Ligne on ru-1: front",
	    "Assumed (n changes it): edge of 1er Ligne on ru-1: front of the "
	    "defender; nothing special about the attackers, the defenders and "
	    "the contacts.\n",
	    "On which edge", "ru-1: line", "left flank of the defender",
	    "Assumed (n changes it): nothing special about",
	    "Which enemy units", "What do you want to change?", "ru-1: line",
	    "left flank of the defender", "Which enemy units", "ru-1: square",
	    "left flank of the defender", NULL};
	static const char expected[] =
	    "{'attackers':[{'id':'fr-1','formation':'column'}],'defenders':["
	    "{'id':'ru-1','formation':'square'}],'contacts':["
	    "{'attacker':'fr-1','defender':'ru-1','edge':'left'}]}";
	json_t *combat, *v;
	struct table t;

	(void)state;
	table_begun(&t);
	combat = form_hears(&t, 1, lines, texts);
	assert_int_equal(
	    json_array_size(json_object_get(combat, "defenders")), 1);
	assert_int_equal(
	    json_array_size(json_object_get(combat, "contacts")), 2);
	json_decref(combat);
	combat = form_hears(&t, 1, change, changed);
	v = table_json(expected);
	assert_true(json_equal(combat, v));
	json_decref(v);
	json_decref(combat);
	table_clear(&t);
}

static void
a_refusal_leads_to_what_it_is_about(void **state)
{
	/* A word of one's own that has no such form; then one that has. */
	static const char *const terrain[] = {"pr-gren", "au-wurtt", "n",
	    "the defenders' terrain", "another", "Quarry", "", "another",
	    "quarry", "y", NULL};
	static const char *const told[] = {
	    "That is not lawful (the defenders' terrain): \"Quarry\" must be",
	    "What do you want to change?", "The defenders' terrain\n",
	    "Which terrain are the defenders in?",
	    "The defenders' terrain: quarry", NULL};
	/* A skirmish is begun by the better grade only; the foe is changed. */
	static const char *const grade[] = {"skirmish", "pr-lw", "hold",
	    "fr-morand", "", "pr-5", "engage", "y", NULL};
	static const char *const better[] = {
	    "That is not lawful (the attacker): only the side with the better",
	    "Which of your brigades begins it?", "pr-5", NULL};
	/* Nobody is attacked; then commanders alone are. */
	static const char *const empty[] = {"davout-inf1", "", "", "none",
	    "none", "the defending stack: comm", "bagration", "y", NULL};
	static const char *const nobody[] = {
	    "Which enemy units are attacked (none: commanders alone)?",
	    "all, none, b: back, q: quit, ?: help> \n"
	    "Type numbers, such as 1 3-5, or none;",
	    "That is not lawful (the defending stack: units): a stack must",
	    "The defending stack: commanders",
	    "Which enemy commanders are with them?", "Bagration", NULL};
	const struct {
		size_t script;
		const char *const *lines, *const *texts;
	} cases[] = {
	    {3, terrain, told}, {2, grade, better}, {1, empty, nobody}};
	struct table t;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		form_open(&t, &form_scripts[cases[i].script]);
		json_decref(form_hears(&t, 1, cases[i].lines, cases[i].texts));
		table_clear(&t);
	}
}

static void
changes_are_listed_only_after_a_no(void **state)
{
	static const char *const change[] = {
	    "n", "the weather", "snow", "n", "b", "y", NULL};
	static const char *const texts[] = {
	    "This is the combat:", "The weather: rain", "Is this right?",
	    "What do you want to change?", "7  The weather",
	    "What is the weather like?", "The weather: snow", "Is this right?",
	    "What do you want to change?", "Is this right?", NULL};
	const char *lines[FORMS_LINES_MAX];
	struct table t;
	json_t *combat;
	size_t i, n = 0;

	(void)state;
	for (i = 0; form_scripts[4].lines[i + 1] != NULL; i++)
		lines[n++] = form_typed(form_scripts[4].lines[i]);
	for (i = 0; change[i] != NULL; i++)
		lines[n++] = change[i];
	lines[n] = NULL;
	form_open(&t, &form_scripts[4]);
	combat = form_hears(&t, 1, lines, texts);
	assert_string_equal(
	    json_string_value(json_object_get(combat, "weather")), "snow");
	json_decref(combat);
	table_clear(&t);
}

static void
nobody_who_could_be_named_is_told(void **state)
{
	/* Side 2 has no cavalry that could charge; it attacks instead. */
	static const char roster[] =
	    "{'blob':'roster','system':'tlnb','sides':{'1':{'units':["
	    "{'id':'f','arm':'infantry','sp':3,'initiative':3}]},'2':"
	    "{'units':[{'id':'a','arm':'infantry','sp':4,'initiative':3}]}}}";
	static const char *const lines[] = {
	    "charge", "attack", "a", "f", "", NULL};
	static const char *const texts[] = {
	    "Nobody is left to name here: the charging cavalry.",
	    "Which kind of combat is it?", "Which of your units attack?",
	    "This is the combat:", NULL};
	json_t *combat, *v;
	struct table t;

	(void)state;
	v = table_json(roster);
	form_begin(&t, systems_find("tlnb"), v);
	json_decref(v);
	combat = form_hears(&t, 2, lines, texts);
	v = table_json("{'kind':'attack','attackers':[{'id':'a'}],"
		       "'defenders':[{'id':'f'}],'terrain':'clear'}");
	assert_true(json_equal(combat, v));
	json_decref(v);
	json_decref(combat);
	table_clear(&t);
}

static void
many_units_are_soon_declared(void **state)
{
	/* Twelve against thirteen; each attacker is asked for once. */
	static const char *const lines[] = {"all", "column", "line", "1-13",
	    "line", "column", "1 2", "3", "4", "5", "6", "7", "8", "9", "10",
	    "11", "12", "13", "y", NULL};
	const struct rules_system *sys = systems_find("lasalle2");
	json_t *combat, *roster = form_sample(sys, "evening");
	static const char *const texts[] = {
	    "Formation of these 8?", "Is this right?", NULL};
	struct table t;

	(void)state;
	form_begin(&t, sys, roster);
	combat = form_hears(&t, 1, lines, texts);
	assert_int_equal(
	    json_array_size(json_object_get(combat, "attackers")), 12);
	assert_int_equal(
	    json_array_size(json_object_get(combat, "contacts")), 13);
	json_decref(combat);
	json_decref(roster);
	table_clear(&t);
}

static void
only_those_in_play_are_offered(void **state)
{
	static const char *const lines[] = {"skirmish", "c", "hold", NULL};
	struct form_walk w;
	struct ask_io io;
	struct person p;
	json_t *roster;

	(void)state;
	roster = table_json(
	    "{'1':{'units':[{'id':'a','state':'rout','out':'routed'},"
	    "{'id':'b','state':'shaken'},{'id':'c','state':'formed'}]},'2':"
	    "{'units':[{'id':'d'},{'id':'e','out':'routed'}]}}");
	io = form_person_init(&p, lines, 0);
	form_walk_init(&w, &io, systems_find("leniston-2009"), roster, 1, NULL);
	assert_int_equal(form_walk_run(&w), ERR_CLOSED);
	if (strstr(buf_str(&p.said), "1  c  formed") == NULL ||
	    strstr(buf_str(&p.said), "1  d") == NULL ||
	    strstr(buf_str(&p.said), "routed") != NULL ||
	    strstr(buf_str(&p.said), "shaken") != NULL)
		fail_msg("%s", buf_str(&p.said));
	form_walk_clear(&w);
	buf_clear(&p.said);
	json_decref(roster);
}

static void
whatever_is_answered_ends_in_something_lawful(void **state)
{
	const uint64_t n = forms_number(FORMS_BY_CHANCE, FORMS_BY_CHANCE_SLOW);
	struct errinfo e = {.text = ""};
	json_t *combat, *facts;
	struct ask_io io;
	struct person p;
	struct table t;
	uint64_t seed;
	size_t i, lawful;
	int r;

	(void)state;
	for (i = 0; i < FORM_SCRIPTS; i++) {
		form_open(&t, &form_scripts[i]);
		lawful = 0;
		for (seed = 1; seed <= n; seed++) {
			io = form_person_init(&p, NULL, 77 * seed + i);
			p.is_eager = seed % 4 != 0;
			combat = NULL;
			r = form_declare(
			    &io, t.game, 1 + (int)(seed % 2), NULL, &combat);
			if (r == 0) {
				r = game_check_combat(t.game,
				    1 + (int)(seed % 2), combat, &facts, &e);
				assert_int_equal(r, 0);
				json_decref(facts);
				lawful++;
			} else {
				assert_true(r == ASK_BACK || r == ERR_CLOSED);
				assert_null(combat);
			}
			json_decref(combat);
			buf_clear(&p.said);
		}
		if (2 * lawful < n)
			fail_msg("%s: only %zu are lawful",
			    form_scripts[i].system, lawful);
		table_clear(&t);
	}
}

/* ---- decisions ---- */

/* What is owed by a side that is to decide or to commit; new, or NULL. */
static json_t *
forms_asked(const struct table *t, int *side)
{
	json_t *view = game_view(t->game), *found = NULL, *v;
	const char *what;
	size_t i;

	json_array_foreach(json_object_get(view, "owed"), i, v)
	{
		what = json_string_value(json_object_get(v, "what"));
		if (found == NULL &&
		    (strcmp(what, "decide") == 0 ||
			strcmp(what, "commit") == 0)) {
			found = json_incref(v);
			*side =
			    (int)json_integer_value(json_object_get(v, "side"));
		}
	}
	json_decref(view);
	return (found);
}

/* Decides by lines; the decision must be this, and heard these texts. */
static void
forms_decides(const struct table *t, const char *const *lines,
    const char *expected, const char *const *texts)
{
	json_t *asked, *decision = NULL, *v;
	struct person p;
	struct ask_io io;
	const char *at;
	int r, side = 0;
	char *text;

	asked = forms_asked(t, &side);
	assert_non_null(asked);
	io = form_person_init(&p, lines, 0);
	r = form_decide(&io, t->game, side, asked, NULL, &decision);
	if (r != 0)
		fail_msg("%d: %s", r, buf_str(&p.said));
	v = table_json(expected);
	text = json_dumps(decision, JSON_COMPACT);
	if (!json_equal(v, decision))
		fail_msg("%s: %s", text, buf_str(&p.said));
	for (at = buf_str(&p.said); *texts != NULL; texts++) {
		if ((at = strstr(at, *texts)) == NULL)
			fail_msg("no \"%s\" in %s", *texts, buf_str(&p.said));
	}
	free(text);
	json_decref(v);
	json_decref(decision);
	json_decref(asked);
	buf_clear(&p.said);
}

static void
a_decision_is_asked_in_words(void **state)
{
	static const char *const none[] = {"", NULL};
	static const char *const texts[] = {
	    "The defender (you) is asked which of its engaged artillery tries",
	    "Your answer?", "1  as suggested: none", "2  choose yourself",
	    "[1]", "Your answer: none.", NULL};
	static const char *const one[] = {
	    "choose", "zz", "3", "b", "2", "ru-a1", NULL};
	static const char *const chosen[] = {"Which of these?",
	    "'zz' is not among them", "There is no 3: the last is 2.",
	    "Your answer?", "Which of these?", "Your answer: ru-a1.", NULL};
	static const char *const away[] = {"b", NULL};
	json_t *asked, *decision = NULL;
	struct person p;
	struct ask_io io;
	struct table t;
	int side = 0;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	forms_decides(&t, none, "{'kind':'retire','units':[]}", texts);
	forms_decides(&t, one, "{'kind':'retire','units':['ru-a1']}", chosen);
	asked = forms_asked(&t, &side);
	io = form_person_init(&p, away, 0);
	assert_int_equal(
	    form_decide(&io, t.game, side, asked, NULL, &decision), ASK_BACK);
	buf_clear(&p.said);
	io = form_person_init(&p, away + 1, 0);
	assert_int_equal(
	    form_decide(&io, t.game, side, asked, NULL, &decision), ERR_CLOSED);
	buf_clear(&p.said);
	/* What is not asked of anybody is not answered. */
	json_object_del(asked, "options");
	assert_int_equal(
	    form_decide(&io, t.game, side, asked, NULL, &decision), ERR_STALE);
	assert_null(decision);
	json_decref(asked);
	table_clear(&t);
}

/* form_last: goes back, then is unsure, then content. */
static int
forms_last_cb(void *arg, const struct ask_io *io, const json_t *made)
{
	static const int says[] = {ASK_BACK, FORM_CHANGE, 0};
	size_t *n = arg;

	(void)io;
	assert_non_null(made);
	return (says[(*n)++]);
}

static void
an_answer_that_is_not_given_is_asked_again(void **state)
{
	static const char *const lines[] = {
	    "choose", "ru-a1", "none", "b", "choose", "ru-a1", NULL};
	size_t n = 0;
	const struct form_last last = {forms_last_cb, &n};
	json_t *asked, *decision = NULL;
	struct person p;
	struct ask_io io;
	struct table t;
	int side = 0;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	asked = forms_asked(&t, &side);
	io = form_person_init(&p, lines, 0);
	assert_int_equal(
	    form_decide(&io, t.game, side, asked, &last, &decision), 0);
	assert_int_equal(n, 3);
	assert_null(lines[p.n]);
	assert_int_equal(
	    json_array_size(json_object_get(decision, "units")), 1);
	json_decref(decision);
	json_decref(asked);
	buf_clear(&p.said);
	table_clear(&t);
}

/* Questions of every form, and what is made of the answers to them. */
static const struct {
	const char *asked; /* kind and options */
	const char *lines[12];
	const char *decision; /* NULL: it cannot be asked here */
	const char *said; /* the last words */
} forms_questions[] = {
    /* An order of three, not all of whom have a path. */
    {"{'kind':'stagger','options':{'order':{'order':['a','b','c'],'each':"
     "{'possible':{'one':[true,false]}}}}}",
	{"c a", "3 1 2", "n", "1 2"},
	"{'kind':'stagger','order':[{'unit':'c','possible':true},{'unit':'a',"
	"'possible':true},{'unit':'b','possible':false}]}",
	"Your answer: c (possible), a (possible), b (not possible)."},
    {"{'kind':'stagger','options':{'order':{'order':['a'],'each':{'possible':"
     "{'one':[true,false]}}}}}",
	{"n"}, "{'kind':'stagger','order':[{'unit':'a','possible':false}]}",
	"Your answer: a (not possible)."},
    /* Two members, a step back between them. */
    {"{'kind':'x','options':{'unit':{'one':['a','b',null]},'number':"
     "{'int':[-1,3]}}}",
	{"a", "b", "none", "4", "-1"}, "{'kind':'x','unit':null,'number':-1}",
	"Your answer: unit: none; number: -1."},
    {"{'kind':'x','options':{'units':{'some':['a','b','c'],'min':1,'max':2}}}",
	{"", "all", "c a"}, "{'kind':'x','units':['c','a']}",
	"Your answer: c, a."},
    {"{'kind':'x','options':{'use':{'one':[true,false]}}}", {"no"},
	"{'kind':'x','use':false}", "Your answer: no."},
    {"{'kind':'x','options':{'y':{'rule':'of tomorrow'}}}", {NULL}, NULL, NULL},
};

static void
every_form_of_question_is_asked(void **state)
{
	json_t *asked, *decision, *v;
	struct person p;
	struct ask_io io;
	struct table t;
	size_t i;
	int r;

	(void)state;
	table_begun(&t);
	table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	/* As a game of newer rules: nobody can judge answers here. */
	combat_free(t.game->combat.run);
	t.game->combat.run = NULL;
	t.game->unchecked = ERR_NEWER;
	for (i = 0; i < sizeof(forms_questions) / sizeof(forms_questions[0]);
	     i++) {
		asked = table_json(forms_questions[i].asked);
		io = form_person_init(&p, forms_questions[i].lines, 0);
		decision = NULL;
		r = form_decide(&io, t.game, 2, asked, NULL, &decision);
		if (forms_questions[i].decision == NULL) {
			assert_int_equal(r, ERR_NEWER);
		} else {
			v = table_json(forms_questions[i].decision);
			if (r != 0 || !json_equal(v, decision) ||
			    strstr(buf_str(&p.said), forms_questions[i].said) ==
				NULL)
				fail_msg("%zu: %d %s", i, r, buf_str(&p.said));
			json_decref(v);
		}
		json_decref(decision);
		json_decref(asked);
		buf_clear(&p.said);
	}
	/* Nor is a combat put together. */
	decision = NULL;
	assert_int_equal(
	    form_declare(&io, t.game, 1, NULL, &decision), ERR_NEWER);
	assert_null(decision);
	table_clear(&t);
}

/* Adds the units in v, a part of some facts, to the lists of a side. */
static void
forms_gather(const struct rules_system *sys, json_t *v, json_t *side)
{
	static const char *const kept[] = {
	    "fought", "skirmished", "bombarded", "overrunning", NULL};
	const char *name, *list = "units";
	json_t *item, *unit;
	size_t i;

	for (i = 0; kept[i] != NULL; i++) {
		if (json_is_object(v))
			(void)json_object_del(v, kept[i]);
	}
	json_array_foreach(v, i, item) forms_gather(sys, item, side);
	if (json_object_get(v, "id") == NULL) {
		json_object_foreach(v, name, item)
		    forms_gather(sys, item, side);
		return;
	}
	unit = json_pack("{s:O}", "id", json_object_get(v, "id"));
	if (json_object_get(v, "cr") != NULL) {
		list = "commanders";
		json_object_update(unit, v);
	}
	for (i = 0; *list == 'u' && schema_field(sys->unit, i) != NULL; i++) {
		name = schema_field(sys->unit, i)->name;
		item = json_object_get(v, name);
		if (item != NULL)
			json_object_set(unit, name, item);
	}
	/* A battery says less than its unit does. */
	if (json_object_get(v, "range") != NULL) {
		json_object_set_new(unit, "arm", json_string("artillery"));
		json_object_set_new(unit, "initiative", json_integer(3));
	}
	if (json_object_get(side, list) == NULL)
		json_object_set_new(side, list, json_array());
	json_array_append_new(json_object_get(side, list), unit);
}

/*
 * Opens a game of rosters that have the units of these facts; false if no
 * roster may have them.
 */
static bool
forms_begin(struct table *t, const struct rules_system *sys, json_t *facts)
{
	static const char *const mine[] = {"attacker", "attackers", "cavalry",
	    "batteries", "attacker_stacked_artillery", NULL};
	json_t *roster, *sides[2], *v;
	struct roster *read = NULL;
	struct errinfo e;
	const char *name;
	size_t i;
	int r;

	(void)json_object_del(facts, "bag"); /* it is the game's */
	sides[0] = json_object();
	sides[1] = json_object();
	json_object_foreach(facts, name, v)
	{
		if (strcmp(name, "contacts") == 0)
			continue;
		for (i = 0; mine[i] != NULL; i++) {
			if (strcmp(mine[i], name) == 0)
				break;
		}
		if (json_is_object(v) || json_is_array(v))
			forms_gather(sys, v, sides[mine[i] == NULL]);
	}
	roster = json_pack("{s:s, s:s, s:{s:o, s:o}}", "blob", "roster",
	    "system", sys->id, "sides", "1", sides[0], "2", sides[1]);
	assert_non_null(roster);
	r = roster_parse(sys, roster, &read, &e);
	roster_free(read);
	if (r == 0)
		form_begin(t, sys, roster);
	json_decref(roster);
	return (r == 0);
}

/* Commits to a decision of a side in secret; it is told beside the order. */
static void
forms_commit(
    struct table *t, int side, const json_t *asked, const json_t *decision)
{
	uint8_t salt[RECORD_SALT_LEN] = {0}, commit[HASH_LEN];
	json_int_t ask = json_integer_value(json_object_get(asked, "ask"));
	json_t *open;
	struct buf b;
	int r;

	salt[0] = (uint8_t)side;
	buf_init(&b, 0);
	js_dump(decision, &b);
	assert_int_equal(record_secret(commit, game_id(t->game), side, ask,
			     salt, b.data, b.len),
	    0);
	open = json_pack("{s:o, s:s}", "salt", js_hex(salt, sizeof(salt)),
	    "text", buf_str(&b));
	t->open = open;
	r = table_try(t, side, ORDER_COMMIT,
	    json_pack(
		"{s:I, s:o}", "ask", ask, "commit", js_hex(commit, HASH_LEN)));
	if (r != 0)
		fail_msg("%d %s: %s", r, t->e.where, t->e.text);
	t->open = NULL;
	json_decref(open);
	buf_clear(&b);
}

/* Sees that what is suggested is lawful, and nothing of a secret. */
static void
forms_suggests(struct table *t, int side, const json_t *asked)
{
	bool is_secret =
	    strcmp(json_string_value(json_object_get(asked, "what")),
		"commit") == 0;
	json_t *decision = NULL;
	int r;

	r = game_suggest_decision(t->game, side, &decision);
	assert_int_equal(r, is_secret ? ERR_STALE : 0);
	if (r == 0)
		assert_int_equal(
		    game_check_decision(t->game, side, decision, &t->e), 0);
	json_decref(decision);
	assert_int_equal(
	    game_suggest_decision(t->game, 3 - side, &decision), ERR_STALE);
}

/* Answers all questions of the open combat by chance; notes their kinds. */
static void
forms_fight(struct table *t, uint64_t seed, json_t *kinds)
{
	json_t *asked, *decision;
	const char *kind;
	struct person p;
	struct ask_io io;
	int r, side = 0;

	for (; (asked = forms_asked(t, &side)) != NULL; seed++) {
		kind = json_string_value(json_object_get(asked, "kind"));
		forms_suggests(t, side, asked);
		do {
			io = form_person_init(&p, NULL, seed);
			p.is_eager = true;
			r = form_decide(
			    &io, t->game, side, asked, NULL, &decision);
			if (r != 0 && r != ASK_BACK)
				fail_msg(
				    "%s: %d %s", kind, r, buf_str(&p.said));
			/* Hits are offered so that they cannot be wrong. */
			if ((strcmp(kind, "hits") == 0 ||
				strcmp(kind, "allocate") == 0) &&
			    strstr(buf_str(&p.said), "not lawful") != NULL)
				fail_msg("%s: %s", kind, buf_str(&p.said));
			buf_clear(&p.said);
			seed += 1000;
		} while (r == ASK_BACK);
		if (p.is_own)
			facts_put(kinds, kind, json_true());
		assert_int_equal(
		    game_check_decision(t->game, side, decision, &t->e), 0);
		if (strcmp(json_string_value(json_object_get(asked, "what")),
			"commit") == 0) {
			forms_commit(t, side, asked, decision);
			json_decref(decision);
		} else if (table_try(t, side, ORDER_DECIDE,
			       json_pack("{s:O, s:o}", "ask",
				   json_object_get(asked, "ask"), "decision",
				   decision)) != 0) {
			fail_msg("%s: %s", kind, t->e.text);
		}
		json_decref(asked);
	}
}

/* True if each kind of question of a system was asked. */
static bool
forms_has_all(const struct rules_system *sys, const json_t *kinds)
{
	const struct rules_policy *p;

	for (p = sys->policies; p->kind != NULL; p++) {
		if (json_object_get(kinds, p->kind) == NULL)
			return (false);
	}
	return (true);
}

/* Plays a combat of random facts by forms; false if it cannot be declared. */
static bool
forms_combat(const struct rules_system *sys, uint64_t chance, json_t *kinds)
{
	json_t *facts = facts_random(sys, &chance);
	bool is_declared = false;
	struct table t;

	if (forms_begin(&t, sys, facts)) {
		is_declared = table_try(&t, 1, ORDER_DECLARE,
				  json_pack("{s:O}", "combat", facts)) == 0;
		if (is_declared)
			forms_fight(&t, chance, kinds);
		table_clear(&t);
	}
	json_decref(facts);
	return (is_declared);
}

static void
every_question_is_answered_lawfully_by_chance(void **state)
{
	const uint64_t most = forms_number(FORMS_COMBATS, FORMS_COMBATS_SLOW);
	const struct rules_system *const *sys;
	uint64_t fought, seed;
	json_t *kinds;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		kinds = json_object();
		fought = 0;
		for (seed = 1; seed <= most &&
		     (seed <= FORMS_COMBATS_SLOW ||
			 !forms_has_all(*sys, kinds));
		     seed++)
			fought += forms_combat(*sys, 31 * seed, kinds);
		assert_true(2 * fought >= seed - 1);
		if (most == FORMS_COMBATS && !forms_has_all(*sys, kinds))
			fail_msg("%s: not every question came", (*sys)->id);
		json_decref(kinds);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(scripts_give_the_samples),
	    cmocka_unit_test(going_back_asks_the_last_question_again),
	    cmocka_unit_test(whoever_leaves_declares_nothing),
	    cmocka_unit_test(a_refusal_is_told_and_asked_again),
	    cmocka_unit_test(a_refusal_leads_to_what_it_is_about),
	    cmocka_unit_test(changes_are_listed_only_after_a_no),
	    cmocka_unit_test(nobody_who_could_be_named_is_told),
	    cmocka_unit_test(many_units_are_soon_declared),
	    cmocka_unit_test(only_those_in_play_are_offered),
	    cmocka_unit_test(whatever_is_answered_ends_in_something_lawful),
	    cmocka_unit_test(a_decision_is_asked_in_words),
	    cmocka_unit_test(an_answer_that_is_not_given_is_asked_again),
	    cmocka_unit_test(every_form_of_question_is_asked),
	    cmocka_unit_test(every_question_is_answered_lawfully_by_chance),
	};

	return (cmocka_run_group_tests_name("form", tests, NULL, NULL));
}
