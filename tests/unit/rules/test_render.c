/* SPDX-License-Identifier: ISC */
/*
 * The sentences for people: a whole combat as it is read, lines of at most
 * 80 columns, words for all that happens, questions of every form, and
 * events that are strange.
 */
#include "common/rules/show/render.h"
#include "common/rules/show/render_question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/base/utf8.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"
#include "common/rules/show/scenario.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/facts.h"
#include "tests/lib/quoted.h"

/* A renderer for the system of most tests. */
static struct render *
render_open(void)
{
	struct render *rd = render_new(systems_find("lasalle2"));

	assert_non_null(rd);
	return (rd);
}

/* Every line has at most 80 columns, and nothing but plain text. */
static void
render_fits(struct buf *b)
{
	const char *s = buf_str(b);
	size_t i, len, column = 0;
	uint32_t cp;

	assert_int_equal(buf_error(b), 0);
	for (i = 0; i < b->len; i += len) {
		len = utf8_get(s + i, b->len - i, &cp);
		assert_true(len > 0);
		if (cp == '\n') {
			column = 0;
			continue;
		}
		assert_true(utf8_is_plain(cp));
		if (++column > 80)
			fail_msg("longer than 80: %s", s);
	}
	assert_true(b->len == 0 || s[b->len - 1] == '\n');
}

/* The events, a list and a quoted_text(), are rendered like this. */
static void
render_is(const char *events, const char *want)
{
	json_t *list = quoted_json(events), *event;
	struct render *rd = render_open();
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(list, i, event) render_event(rd, event, &b);
	render_fits(&b);
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
	render_free(rd);
	json_decref(list);
}

/* The question, a quoted_text(), is rendered like this. */
static void
render_asks(const char *asked, const char *want)
{
	json_t *v = quoted_json(asked);
	struct render *rd = render_open();
	struct buf b;

	buf_init(&b, 0);
	render_question(rd, v, &b);
	render_fits(&b);
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
	render_free(rd);
	json_decref(v);
}

static void
a_combat_is_told_from_its_facts_to_its_result(void **state)
{
	static const char scenario[] =
	    "{'system':'lasalle2','combat':{'attackers':["
	    "{'id':'fr-l','name':'1er Lanciers','arm':'cavalry','strength':5,"
	    "'formation':'line','traits':['lancers']},"
	    "{'id':'fr-i','name':'85e Ligne','arm':'infantry','strength':6,"
	    "'formation':'march','difficult':true}],'defenders':["
	    "{'id':'au-s','name':'Leiningen','arm':'infantry','strength':5,"
	    "'formation':'square'},{'id':'au-g','arm':'artillery','strength':1,"
	    "'formation':'unlimbered','battery':'foot','shaken':true}],"
	    "'contacts':[{'attacker':'fr-l','defender':'au-s','edge':'front',"
	    "'uphill':true},{'attacker':'fr-i','defender':'au-g','edge':'left',"
	    "'touches':['left','rear'],'across':'wall'}]},"
	    "'script':{'dice':{'retire/au-g/attacker':[5],"
	    "'retire/au-g/defender':[2],'score/fr-l':[2],'score/fr-i':[4],"
	    "'score/au-s':[1],'score/au-g':[1],'reroll/fr-l':[3]},'decisions':["
	    "{'kind':'retire','units':['au-g']},"
	    "{'kind':'reroll','units':['fr-l']},{'kind':'stagger','order':["
	    "{'unit':'fr-l','possible':false}]}]}}";
	static const char want[] =
	    "Combat: Lasalle, 2nd edition\n"
	    "Attackers\n"
	    "  1er Lanciers (fr-l): cavalry, strength 5, line, lancers\n"
	    "  85e Ligne (fr-i): infantry, strength 6, march formation, in "
	    "difficult terrain\n"
	    "Defenders\n"
	    "  Leiningen (au-s): infantry, strength 5, square\n"
	    "  au-g: artillery, strength 1, unlimbered, foot battery, shaken\n"
	    "Contacts\n"
	    "  1er Lanciers on the front of Leiningen, the defender is "
	    "uphill\n"
	    "  85e Ligne on the left flank of au-g, touching left flank, "
	    "rear, across a wall\n"
	    "\n"
	    "The defender is asked which of its engaged artillery tries to "
	    "retire: au-g.\n"
	    "The defender tries to retire: au-g.\n"
	    "Roll 1d6 (retiring guns, au-g, the attacker): 5\n"
	    "Roll 1d6 (retiring guns, au-g, the defender): 2\n"
	    "au-g fails to retire: best die 2 against 5.\n"
	    "\n"
	    "Roll 1d6 (score, 1er Lanciers): 2\n"
	    "Score of 1er Lanciers: 7\n"
	    "  strength 5\n"
	    "  die 2\n"
	    "Roll 1d6 (score, 85e Ligne): 4\n"
	    "Score of 85e Ligne: 5\n"
	    "  strength 6\n"
	    "  die 4\n"
	    "  -1 in difficult terrain\n"
	    "  -4 in a poor formation: march formation\n"
	    "Roll 1d6 (score, Leiningen): 1\n"
	    "Score of Leiningen: 7\n"
	    "  strength 5\n"
	    "  die 1\n"
	    "  +1 defends a strong position: it is uphill from 1er "
	    "Lanciers\n"
	    "Roll 1d6 (score, au-g): 1\n"
	    "Score of au-g: 1\n"
	    "  strength 1\n"
	    "  die 1\n"
	    "  -4 in a poor formation: 85e Ligne on its left flank\n"
	    "  -2 in all, and no score is below 1\n"
	    "\n"
	    "The attacker is asked which of its lancers roll again against a "
	    "square: 1er\n"
	    "    Lanciers.\n"
	    "The attacker rolls again for: 1er Lanciers.\n"
	    "Roll 1d6 (re-roll, 1er Lanciers): 3\n"
	    "Score of 1er Lanciers: 8\n"
	    "  strength 5\n"
	    "  die 3\n"
	    "\n"
	    "Leiningen has 7, 1er Lanciers has 8: outscored by 1, less than "
	    "three.\n"
	    "Leiningen takes a DISR for it: strength 4.\n"
	    "au-g has 1, 85e Ligne has 5: outscored by 4, three or more. au-g "
	    "breaks.\n"
	    "Leiningen is still in place before 1er Lanciers, which must "
	    "stagger.\n"
	    "1er Lanciers takes a DISR for it: strength 4.\n"
	    "No enemy is left before 85e Ligne; its score is odd, so it takes "
	    "a DISR:\n"
	    "    strength 5.\n"
	    "\n"
	    "The attacker is asked in what order its units stagger, and "
	    "whether each has a\n"
	    "    path that touches no enemy: 1er Lanciers.\n"
	    "The attacker staggers: 1er Lanciers (no path).\n"
	    "1er Lanciers must stagger, but has no path: it breaks.\n"
	    "\n"
	    "Result\n"
	    "  1er Lanciers: broken at strength 4 and out of play, 1 DISR in "
	    "this combat\n"
	    "  85e Ligne: in place, strength 5, 1 DISR in this combat\n"
	    "  Leiningen: in place, strength 4, 1 DISR in this combat\n"
	    "  au-g: broken at strength 1 and out of play, 0 DISR in this "
	    "combat\n";
	json_t *file = quoted_json(scenario), *out = NULL, *event;
	struct render *rd = render_open();
	struct buf b;
	size_t i;

	(void)state;
	assert_int_equal(scenario_run(file, NULL, NULL, &out, NULL), 0);
	buf_init(&b, 0);
	json_array_foreach(json_object_get(out, "events"), i, event)
	    render_event(rd, event, &b);
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
	render_free(rd);
	render_free(NULL);
	json_decref(out);
	json_decref(file);
}

/* Plays a combat and renders all of it, questions too. */
static void
render_play(const struct rules_system *sys, uint64_t seed, struct buf *b)
{
	const struct question_pick p = {chance_pick_cb, &seed};
	const struct combat_dice dice = {
	    .roll = chance_roll_cb, .draw = chance_draw_cb, .arg = &seed};
	struct render *rd = render_new(sys);
	struct rules_settings set;
	json_t *facts, *v, *event;
	struct combat *c;
	size_t i, n = 0;

	assert_int_equal(rules_settings_parse(sys, NULL, NULL, &set, NULL), 0);
	facts = facts_random(sys, &seed);
	assert_int_equal(combat_new(sys, &set, facts, &c, NULL), 0);
	json_decref(facts);
	do {
		assert_int_equal(combat_run(c, &dice, NULL), 0);
		assert_int_equal(combat_events(c, n, &v), 0);
		json_array_foreach(v, i, event) render_event(rd, event, b);
		n += json_array_size(v);
		json_decref(v);
		if (combat_status(c) != COMBAT_PENDING)
			break;
		v = combat_asked(c);
		render_question(rd, v, b);
		json_decref(v);
		assert_int_equal(combat_sample(c, &p, &v), 0);
		assert_int_equal(combat_answer(c, v, NULL), 0);
		json_decref(v);
	} while (combat_status(c) != COMBAT_RESOLVED);
	combat_free(c);
	rules_settings_clear(&set);
	render_free(rd);
}

static void
every_system_has_words_for_all_that_happens(void **state)
{
	/* What an event or a member without words of its own begins with. */
	static const char *const bare[] = {
	    "\nchange", "\ndecision", "\nask", "_"};
	const struct rules_system *const *sys;
	struct buf b;
	uint64_t seed;
	size_t i;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (seed = 0; seed < 100; seed++) {
			buf_init(&b, 0);
			render_play(*sys, seed, &b);
			render_fits(&b);
			for (i = 0; i < sizeof(bare) / sizeof(bare[0]); i++)
				assert_null(strstr(buf_str(&b), bare[i]));
			assert_null(strstr(buf_str(&b), "none has"));
			assert_null(strstr(buf_str(&b), "{"));
			buf_clear(&b);
		}
	}
}

static void
units_that_share_a_name_are_told_apart(void **state)
{
	(void)state;
	render_is("[{'e':'combat','attackers':[{'id':'a','name':'Ligne'},"
		  "{'id':'b','name':'Ligne'},{'id':'c','name':''},"
		  "{'id':'front','name':'Garde'}],'contacts':["
		  "{'attacker':'front','defender':'b','edge':'front'}]},"
		  "{'e':'change','unit':'a','what':'staggered','why':'path'},"
		  "{'e':'change','unit':'c','what':'staggered','why':'path'}]",
	    "Combat: Lasalle, 2nd edition\n"
	    "Attackers\n"
	    "  Ligne (a)\n"
	    "  Ligne (b)\n"
	    "  c\n"
	    "  Garde (front)\n"
	    "Contacts\n"
	    "  Garde on the front of Ligne (b)\n"
	    "Ligne (a) staggers.\n"
	    "c staggers.\n");
}

static void
who_shares_a_name_need_not_fight(void **state)
{
	struct render *rd = render_open();
	json_t *facts, *roster;
	struct buf b;

	(void)state;
	roster = quoted_json("[{'units':[{'id':'a','name':'Ligne'},"
			     "{'id':'b','name':'Ligne'},"
			     "{'id':'c','name':'Garde'}]}]");
	facts = quoted_json("{'e':'combat','attackers':["
			    "{'id':'a','name':'Ligne'},"
			    "{'id':'c','name':'Garde'}],'leader':"
			    "{'id':'c','name':'Garde'}}");
	render_know(rd, roster);
	buf_init(&b, 0);
	render_event(rd, facts, &b);
	buf_clear(&b);
	assert_string_equal(render_name(rd, "a"), "Ligne (a)");
	/* Nobody shares a name with themselves. */
	assert_string_equal(render_name(rd, "c"), "Garde");
	json_decref(facts);
	json_decref(roster);
	render_free(rd);
}

static void
facts_of_other_systems_are_laid_out_too(void **state)
{
	(void)state;
	render_is("[{'e':'combat','terrain':'open','mud':true,'weather':null,"
		  "'attacker':{'objective':true,'force_marched':2,'units':["
		  "{'id':'r1','name':'First','battalions':[{'id':'b1','sp':3},"
		  "{'id':'b2','sp':2}]}]},'bag':[[1]]},"
		  "{'e':'draw','label':'chits','bag':40,'chits':['c07']},"
		  "{'e':'score','side':'attacker','modifiers':{'commander':2},"
		  "'die':20,'score':22},{'e':'upkeep','unit':'r1','fatigue':1,"
		  "'is_over':false},{'e':'result','units':{'r1':'eliminated'},"
		  "'ratio':'2:1','advanced':['b1','b2']}]",
	    "Combat: Lasalle, 2nd edition\n"
	    "open, mud\n"
	    "attacker\n"
	    "objective, force marched 2\n"
	    "  units\n"
	    "    First (r1)\n"
	    "      battalions\n"
	    "        b1: sp 3\n"
	    "        b2: sp 2\n"
	    "bag\n"
	    "Draw from a bag of 40: c07\n"
	    "Score of the attacker: 22\n"
	    "  +2 commander\n"
	    "  die 20\n"
	    "\n"
	    "upkeep: First, fatigue 1\n"
	    "\n"
	    "Result\n"
	    "  First: eliminated\n"
	    "  2:1, b1, b2\n");
}

/* A step that says what it counts for has a sign, and not the whole legend. */
static void
a_tie_is_called_one(void **state)
{
	(void)state;
	render_is("[{'e':'change','unit':'a','what':'in-place','why':'score',"
		  "'score':8,'by':'b','by_score':8},{'e':'change','unit':'a',"
		  "'what':'in-place','why':'score','score':8,'by':'b',"
		  "'by_score':7}]",
	    "a and b both have 8, a tie: a holds its place.\n"
	    "a has 8, b has 7: a holds its place.\n");
}

static void
a_number_says_what_it_is_for(void **state)
{
	static const struct {
		const char *event, *line;
	} cases[] = {
	    {"{'e':'score','side':'attacker','what':'stack','cf':{'a':4},"
	     "'types':2,'score':6}",
		"\n  +2 two types of units\n"},
	    {"{'e':'score','side':'attacker','what':'stack','cf':{'a':4},"
	     "'types':4,'score':8}",
		"\n  +4 three types of units\n"},
	};
	struct render *rd = render_new(systems_find("invasion-1812"));
	json_t *event;
	struct buf b;
	size_t i;

	(void)state;
	assert_non_null(rd);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		event = quoted_json(cases[i].event);
		buf_init(&b, 0);
		render_event(rd, event, &b);
		render_fits(&b);
		assert_non_null(strstr(buf_str(&b), cases[i].line));
		buf_clear(&b);
		json_decref(event);
	}
	render_free(rd);
}

static void
a_roster_s_names_hold_where_no_facts_have_others(void **state)
{
	struct render *rd = render_new(systems_find("leniston-2009"));
	json_t *facts, *roster, *upkeep;
	struct buf b;

	(void)state;
	assert_non_null(rd);
	roster = quoted_json("[{'units':[{'id':'a','name':'Foot'},"
			     "{'id':'b','name':'Foot'},"
			     "{'id':'c','name':'Horse'}]}]");
	facts = quoted_json("{'e':'combat','attacker':{'id':'c',"
			    "'name':'Hussars'}}");
	upkeep = quoted_json("{'e':'upkeep','unit':'a','what':'formed'}");
	render_know(rd, NULL);
	render_know(rd, roster);
	buf_init(&b, 0);
	render_event(rd, upkeep, &b);
	assert_string_equal(
	    buf_str(&b), "Foot (a) was disordered and is formed again.\n");
	assert_string_equal(render_name(rd, "c"), "Horse");
	render_event(rd, facts, &b);
	assert_string_equal(render_name(rd, "c"), "Hussars");
	assert_string_equal(render_name(rd, "d"), "d");
	buf_clear(&b);
	json_decref(upkeep);
	json_decref(facts);
	json_decref(roster);
	render_free(rd);
}

static void
long_and_wide_words_are_broken(void **state)
{
	struct render *rd = render_open();
	char label[97];
	json_t *event;
	struct buf b;

	(void)state;
	memset(label, 'x', sizeof(label));
	label[96] = '\0';
	event = json_pack("{s:s, s:s, s:i, s:[i]}", "e", "roll", "label", label,
	    "sides", 6, "dice", 3);
	buf_init(&b, 0);
	render_event(rd, event, &b);
	render_fits(&b);
	json_decref(event);
	buf_reset(&b);
	/* 39 characters of two columns fit behind an indent of two. */
	event = json_pack("{s:s, s:{s:{s:s}}}", "e", "result", "units",
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d"
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d"
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d"
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d"
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d"
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d"
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d"
	    "\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d\xe8\xbb\x8d",
	    "state", "broken");
	render_event(rd, event, &b);
	render_fits(&b);
	/* LF, "Result" LF, two blanks, 39 characters of three bytes. */
	assert_int_equal(buf_str(&b)[8 + 2 + 39 * 3], '\n');
	json_decref(event);
	buf_clear(&b);
	render_free(rd);
}

static void
nothing_but_plain_text_comes_out(void **state)
{
	struct render *rd = render_open();
	json_t *event;
	struct buf b;

	(void)state;
	event =
	    quoted_json("{'e':'ch\\u001bange\\n','what':'a\\u009bb\\u202ec',"
			"'why':'\\t{unit}','unit':'{what}'}");
	buf_init(&b, 0);
	render_event(rd, event, &b);
	render_fits(&b);
	assert_string_equal(buf_str(&b), "ch?ange?: a?b?c, ?{unit}, {what}\n");
	buf_clear(&b);
	json_decref(event);
	render_free(rd);
}

static void
strange_events_do_no_harm(void **state)
{
	static const char *const strange[] = {
	    "7",
	    "[]",
	    "{}",
	    "{'e':7}",
	    "{'e':'combat'}",
	    "{'e':'combat','attackers':7,'defenders':[[[[[[[[[[{}]]]]]]]]]],"
	    "'contacts':[{'attacker':{}},7,null]}",
	    "{'e':'roll'}",
	    "{'e':'roll','dice':{},'sides':[],'label':7}",
	    "{'e':'draw','chits':[null,{}]}",
	    "{'e':'score'}",
	    "{'e':'score','modifiers':{'a':9007199254740991,'b':'x'},"
	    "'strength':9007199254740991}",
	    "{'e':'score','modifiers':{'a':true,'b':'','c':'+','d':'x1',"
	    "'e':'x1/0','f':'+9999/999','g':'x9999/999','h':'x9999/999'},"
	    "'divide':0,'least':-9007199254740991,'most':9007199254740991,"
	    "'round':true,'score':1}",
	    "{'e':'score','unit':7,'what':'half-points','divide':-3,"
	    "'score':-1}",
	    "{'e':'ask'}",
	    "{'e':'ask','side':'defender','kind':'retire'}",
	    "{'e':'ask','side':'defender','kind':'retire','options':{'units':7,"
	    "'more':{'some':{}}}}",
	    "{'e':'decision'}",
	    "{'e':'decision','kind':'retire'}",
	    "{'e':'decision','kind':'stagger','order':[7,{},[]]}",
	    "{'e':'change'}",
	    "{'e':'change','what':'broken','why':'upset'}",
	    "{'e':'result'}",
	    "{'e':'result','units':{'a':7,'b':[],'c':{}}}",
	    "{'e':'upkeep','e\\u0000x':1}",
	};
	struct render *rd = render_open();
	json_t *event;
	struct buf b;
	size_t i;

	(void)state;
	buf_init(&b, 0);
	for (i = 0; i + 1 < sizeof(strange) / sizeof(strange[0]); i++) {
		event = quoted_json(strange[i]);
		render_event(rd, event, &b);
		render_question(rd, event, &b);
		json_decref(event);
	}
	render_fits(&b);
	buf_clear(&b);
	render_free(rd);
}

static void
questions_say_who_is_asked_and_what_may_be_said(void **state)
{
	(void)state;
	render_asks("{'side':'defender','kind':'retire',"
		    "'options':{'units':{'some':['d','f']}}}",
	    "The defender is asked which of its engaged artillery tries to "
	    "retire.\n"
	    "  kind: retire\n"
	    "  units: any of these, or none\n"
	    "    d\n"
	    "    f\n");
	render_asks("{'side':'attacker','kind':'stagger',"
		    "'options':{'order':{'order':['b','a'],"
		    "'each':{'possible':{'one':[true,false]}}}}}",
	    "The attacker is asked in what order its units stagger, and "
	    "whether each has a\n"
	    "    path that touches no enemy.\n"
	    "  kind: stagger\n"
	    "  order: all of these, each once, in the order wanted, with "
	    "\"possible\": true or\n"
	    "      false\n"
	    "    b\n"
	    "    a\n");
	render_asks(
	    "{'side':'attacker','kind':'any','options':{'units':{'some':['a',"
	    "'b','c'],'min':1},'least':{'some':['a','b'],'max':1},"
	    "'withdraw':{'one':[true,false]},'unit':{'one':['a',null]},"
	    "'number':{'int':[1,5]},'hits':{'rule':'allocate','sum':3},"
	    "'odd':{}}}",
	    "The attacker is asked any.\n"
	    "  kind: any\n"
	    "  units: 1 to 3 of these\n"
	    "    a\n"
	    "    b\n"
	    "    c\n"
	    "  least: 0 to 1 of these\n"
	    "    a\n"
	    "    b\n"
	    "  withdraw: one of these\n"
	    "    true\n"
	    "    false\n"
	    "  unit: one of these\n"
	    "    a\n"
	    "    null\n"
	    "  number: a number from 1 to 5\n"
	    "  hits: as the rule \"allocate\" says; sum 3\n"
	    "  odd: as the rule \"\" says\n");
}

static void
a_question_names_units_that_the_facts_named(void **state)
{
	struct render *rd = render_open();
	json_t *asked, *facts;
	struct buf b;

	(void)state;
	facts = quoted_json(
	    "{'e':'combat','defenders':[{'id':'g','name':'Batterie 7'}]}");
	asked = quoted_json("{'side':'defender','kind':'retire',"
			    "'options':{'units':{'some':['g']}}}");
	buf_init(&b, 0);
	render_event(rd, facts, &b);
	buf_reset(&b);
	render_question(rd, asked, &b);
	assert_string_equal(buf_str(&b),
	    "The defender is asked which of its engaged artillery tries to "
	    "retire.\n"
	    "  kind: retire\n"
	    "  units: any of these, or none\n"
	    "    g = Batterie 7\n");
	buf_clear(&b);
	json_decref(facts);
	json_decref(asked);
	render_free(rd);
}

static void
failing_allocations_show_in_the_buffer_or_as_ids(void **state)
{
	struct render *rd;
	json_t *facts;
	struct buf b;
	long nth;

	(void)state;
	facts = quoted_json(
	    "{'e':'combat','defenders':[{'id':'g','name':'Batterie 7'}]}");
	for (nth = 0;; nth++) {
		buf_init(&b, 0);
		alloc_start(nth);
		if ((rd = render_new(systems_find("lasalle2"))) != NULL)
			render_event(rd, facts, &b);
		render_free(rd);
		if (!alloc_stop())
			break;
		/* Either it is told, or nothing but the name is missing. */
		if (rd != NULL && buf_error(&b) == 0)
			render_fits(&b);
		buf_clear(&b);
	}
	assert_true(nth > 5);
	render_fits(&b);
	buf_clear(&b);
	json_decref(facts);
}

/* Writes what a row says, its parts set off by bars. */
static void
render_row_cb(void *arg, const struct render_row *row)
{
	struct buf *b = arg;

	buf_printf(b, "%d %u|%s|%s|%s|%zu|%" JSON_INTEGER_FORMAT "\n",
	    (int)row->kind, row->indent, row->text, row->lead, row->rest,
	    json_array_size(row->values), row->sides);
}

/* The event, a quoted_text(), gives these rows. */
static void
render_gives(struct render *rd, const char *event, const char *want)
{
	struct render_sink sink = {.row_cb = render_row_cb};
	json_t *v = quoted_json(event);
	struct buf b;

	buf_init(&b, 0);
	sink.arg = &b;
	render_rows(rd, v, &sink);
	assert_int_equal(sink.error, 0);
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
	json_decref(v);
}

static void
rows_say_what_they_are(void **state)
{
	struct render *rd = render_open();

	(void)state;
	render_gives(rd, "{'e':'combat','attackers':[{'id':'a','name':'85e'}]}",
	    "2 0|Combat: Lasalle, 2nd edition||Combat: Lasalle, 2nd edition|"
	    "0|0\n"
	    "3 0|Attackers||Attackers|0|0\n"
	    "1 2|85e (a)||85e (a)|0|0\n");
	/* A label of the system's is told in words beside the sentence. */
	render_gives(rd,
	    "{'e':'roll','label':'score/a','sides':6,'dice':[2,5]}",
	    "0 0||||0|0\n"
	    "4 0|Roll 2d6 (score, 85e): 2, 5|Score, 85e (2d6)|2, 5|2|6\n");
	render_gives(rd,
	    "{'e':'roll','label':'retire/a/defender','sides':6,'dice':[4]}",
	    "4 0|Roll 1d6 (retiring guns, 85e, the defender): 4|Retiring guns, "
	    "85e, the defender (1d6)|4|1|6\n");
	render_gives(rd, "{'e':'roll','label':'luck/a','sides':'x','dice':'y'}",
	    "4 0|Roll 0dx for luck/a: y|Roll 0dx for luck/a|y|0|0\n");
	render_gives(rd, "{'e':'draw','bag':40,'chits':['p','q']}",
	    "5 0|Draw from a bag of 40: p, q|Draw from a bag of 40|p, q|2|"
	    "0\n");
	/* The sum is told apart: its sentence stands before the terms. */
	render_gives(rd,
	    "{'e':'score','unit':'a','strength':6,'die':2,"
	    "'modifiers':{'outnumber':1},'score':9}",
	    "6 0|Score of 85e: 9|85e||0|0\n"
	    "7 2|strength 6|6|strength|0|0\n"
	    "7 2|die 2|2|die|0|0\n"
	    "7 2|+1 outnumbers an enemy|+1|outnumbers an enemy|0|0\n"
	    "8 2||9||0|0\n");
	render_gives(rd, "{'e':'score','unit':'a'}",
	    "6 0|Score of 85e: none|85e||0|0\n");
	render_free(rd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_combat_is_told_from_its_facts_to_its_result),
	    cmocka_unit_test(every_system_has_words_for_all_that_happens),
	    cmocka_unit_test(units_that_share_a_name_are_told_apart),
	    cmocka_unit_test(who_shares_a_name_need_not_fight),
	    cmocka_unit_test(facts_of_other_systems_are_laid_out_too),
	    cmocka_unit_test(a_tie_is_called_one),
	    cmocka_unit_test(a_number_says_what_it_is_for),
	    cmocka_unit_test(a_roster_s_names_hold_where_no_facts_have_others),
	    cmocka_unit_test(long_and_wide_words_are_broken),
	    cmocka_unit_test(nothing_but_plain_text_comes_out),
	    cmocka_unit_test(strange_events_do_no_harm),
	    cmocka_unit_test(questions_say_who_is_asked_and_what_may_be_said),
	    cmocka_unit_test(a_question_names_units_that_the_facts_named),
	    cmocka_unit_test(rows_say_what_they_are),
	    cmocka_unit_test(failing_allocations_show_in_the_buffer_or_as_ids),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
