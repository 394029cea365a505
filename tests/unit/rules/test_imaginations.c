/* SPDX-License-Identifier: ISC */
/*
 * imagi-nations beyond what scenario files say (tests/rules/imagi-nations):
 * policies, outcomes, the answers that
 * "allocate" takes counted, the default bag, memory (umpire-rules.7, 13).
 */
#include "common/rules/imaginations/imaginations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/data.h"
#include "common/rules/imaginations/imaginations_allocate.h"
#include "common/rules/question.h"
#include "common/rules/show/scenario.h"

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/facts_imaginations.h"
#include "tests/lib/quoted.h"

#define IMAGINATIONS_COMBATS 300

/* Dice by chance: arg is the seed. */
static int
imaginations_roll_cb(void *arg, const char *label, unsigned sides,
    unsigned count, uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = (uint16_t)(1 + chance_pick_cb(arg, sides));
	return (0);
}

/* Chits by chance. */
static int
imaginations_draw_cb(void *arg, const char *label, const char *const *ids,
    unsigned n, const uint16_t *had, unsigned nhad, uint16_t *pick,
    struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)ids;
	(void)e;
	do {
		*pick = (uint16_t)chance_pick_cb(arg, n);
		for (i = 0; i < nhad && had[i] != *pick; i++)
			;
	} while (i < nhad);
	return (0);
}

/* Answers by words of the policies that are chosen by chance. */
static int
imaginations_decide_cb(void *arg, const struct combat *c,
    const struct question *q, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const struct rules_policy *p = imaginations_system.policies;
	uint32_t n = 0;

	while (strcmp(p->kind, q->kind) != 0) {
		p++;
		assert_non_null(p->kind);
	}
	while (p->words[n] != NULL)
		n++;
	return (imaginations_system.policy(
	    c, q, (int)chance_pick_cb(arg, n), a, room, n_room));
}

/* Holds the outcome of a run against its result. */
static void
imaginations_compare(const struct rules_outcome *out, const json_t *result)
{
	json_t *fate, *hits, *units = json_object_get(result, "units");
	const char *end, *whole = "evaded";
	json_int_t a, d;
	size_t i;

	hits = json_object_get(result, "hits");
	a = json_integer_value(json_object_get(hits, "attacker"));
	d = json_integer_value(json_object_get(hits, "defender"));
	assert_int_equal(out->hits[COMBAT_ATTACKER], a);
	assert_int_equal(out->hits[COMBAT_DEFENDER], d);
	if (json_object_get(result, "evaded") == NULL)
		whole = a == d ? "equal"
		    : a > d    ? "attacker suffers more"
			       : "defender suffers more";
	assert_string_equal(out->whole, whole);
	assert_int_equal(out->n_units, json_object_size(units));
	for (i = 0; i < out->n_units; i++) {
		fate = json_object_get(units, out->units[i].id);
		assert_non_null(fate);
		assert_int_equal(out->units[i].side,
		    out->units[i].id[0] == 'a' ? COMBAT_ATTACKER
					       : COMBAT_DEFENDER);
		end = imaginations_system.ends[out->units[i].end];
		if (strcmp(end, "unhurt") == 0 || strcmp(end, "hit") == 0)
			assert_int_equal(json_integer_value(json_object_get(
					     fate, "retreated")),
			    0);
		assert_true(strcmp(end, "unhurt") == 0 ||
		    strcmp(end, "destroyed") == 0 || out->units[i].loss > 0);
		if (strcmp(end, "unhurt") == 0)
			assert_int_equal(out->units[i].loss, 0);
	}
}

/* The hits of all battalions in facts or in a result. */
static json_int_t
imaginations_hits_of_facts(const json_t *facts, const char *side)
{
	json_t *b, *battalions, *unit, *units;
	json_int_t n = 0;
	size_t i, j;

	units = json_object_get(json_object_get(facts, side), "units");
	json_array_foreach(units, i, unit)
	{
		battalions = json_object_get(unit, "battalions");
		json_array_foreach(battalions, j, b) n +=
		    json_integer_value(json_object_get(b, "hits"));
	}
	return (n);
}

static void
policies_are_lawful_and_outcomes_are_as_the_results(void **state)
{
	const struct combat_policy policy = {
	    imaginations_decide_cb, &(uint64_t){3}};
	static struct rules_outcome out;
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	struct combat_dice dice = {
	    .roll = imaginations_roll_cb, .draw = imaginations_draw_cb};
	json_t *facts, *fate, *hits, *result, *v;
	json_int_t after, before, loss;
	struct combat *c = NULL;
	uint64_t seed, chance;
	const char *id, *name;
	size_t i;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&imaginations_system, NULL, NULL, &set, NULL),
	    0);
	dice.arg = &chance;
	for (seed = 0; seed < IMAGINATIONS_COMBATS; seed++) {
		chance = seed;
		facts = facts_imaginations(&chance);
		assert_int_equal(
		    combat_new(&imaginations_system, &set, facts, &c, &e), 0);
		combat_set_policy(c, &policy);
		for (i = 0; i < 10; i++) {
			combat_reset(c);
			if (combat_run(c, &dice, &e) != 0)
				fail_msg("%s", e.text);
			assert_int_equal(combat_status(c), COMBAT_RESOLVED);
			imaginations_system.outcome(c, &out);
			result = combat_result(c);
			imaginations_compare(&out, result);
			/* Losses are what the battalions have more. */
			after = loss = 0;
			before = imaginations_hits_of_facts(facts, "attacker");
			before += imaginations_hits_of_facts(facts, "defender");
			json_object_foreach(
			    json_object_get(result, "units"), id, fate)
			{
				hits = json_object_get(fate, "hits");
				json_object_foreach(hits, name, v) after +=
				    json_integer_value(v);
			}
			while (out.n_units > 0)
				loss += out.units[--out.n_units].loss;
			assert_int_equal(after - before, loss);
			json_decref(result);
		}
		combat_free(c);
		json_decref(facts);
	}
	rules_settings_clear(&set);
}

#define BLANKS                                                 \
	"{'id':'x1','front':null,'back':null,'takes':'both'}," \
	"{'id':'x2','front':null,'back':null,'takes':'both'}," \
	"{'id':'x3','front':null,'back':null,'takes':'both'}," \
	"{'id':'x4','front':null,'back':null,'takes':'both'}," \
	"{'id':'x5','front':null,'back':null,'takes':'both'}," \
	"{'id':'x6','front':null,'back':null,'takes':'both'}," \
	"{'id':'x7','front':null,'back':null,'takes':'both'}"

/*
 * Opens a combat up to its question "allocate" of the defender, who has two
 * units of two battalions each: 4 and 2, 1 and 1 strength points.
 */
static struct combat *
imaginations_allocate(const struct rules_settings *set, int hits)
{
	static const char *const answers[] = {
	    "{'kind':'tactic','tactic':'feint'}",
	    "{'kind':'tactic','tactic':'hold'}",
	    "{'kind':'chits','number':1}",
	};
	static uint64_t chance = 1;
	static const struct combat_dice dice = {
	    .roll = imaginations_roll_cb,
	    .draw = imaginations_draw_cb,
	    .arg = &chance,
	};
	json_t *answer, *bag, *facts;
	struct combat *c = NULL;
	char id[8];
	size_t i;

	facts = quoted_json(
	    "{'attacker':{'units':[{'id':'a','lead':'a1','battalions':["
	    "{'id':'a1','quality':'raw','sp':4}]}]},'defender':{'units':["
	    "{'id':'d','lead':'d1','battalions':["
	    "{'id':'d1','quality':'raw','sp':4},"
	    "{'id':'d2','quality':'raw','sp':2}]},"
	    "{'id':'e','lead':'e1','retreat_room':1,'battalions':["
	    "{'id':'e1','quality':'raw','sp':1},"
	    "{'id':'e2','quality':'raw','sp':1}]}]}}");
	/* Whatever is drawn hits as often. */
	bag = json_array();
	for (i = 0; i < 8; i++) {
		(void)snprintf(id, sizeof(id), "k%zu", i);
		assert_int_equal(
		    json_array_append_new(bag,
			json_pack("{s:s, s:{s:[o]}, s:n, s:s}", "id", id,
			    "front", "effects", json_sprintf("A%d", hits),
			    "back", "takes", "front")),
		    0);
	}
	facts_imaginations_set(facts, "bag", bag);
	assert_int_equal(
	    combat_new(&imaginations_system, set, facts, &c, NULL), 0);
	json_decref(facts);
	assert_int_equal(combat_run(c, &dice, NULL), 0);
	for (i = 0; i < 3; i++) {
		answer = quoted_json(answers[i]);
		assert_int_equal(combat_answer(c, answer, NULL), 0);
		json_decref(answer);
		assert_int_equal(combat_run(c, &dice, NULL), 0);
	}
	assert_string_equal(combat_asked_kind(c), "allocate");
	return (c);
}

/* Counts in how many ways "allocate" may be answered; marks them. */
static unsigned
imaginations_count(struct combat *c, bool *is_lawful)
{
	unsigned i, n = 0;
	json_t *d;
	int r;

	for (i = 0; i < 5 * 3 * 2 * 2 * 3 * 3; i++) {
		d = json_pack(
		    "{s:s, s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:{s:i, s:i}}",
		    "kind", "allocate", "hits", "d", "d1", i % 5, "d2",
		    i / 5 % 3, "e", "e1", i / 15 % 2, "e2", i / 30 % 2,
		    "retreat", "d", i / 60 % 3, "e", i / 180);
		r = combat_answer(c, d, NULL);
		json_decref(d);
		is_lawful[i] = r == 0;
		if (r != 0)
			continue;
		n++;
		combat_unanswer(c);
		assert_int_equal(combat_run(c, NULL, NULL), 0);
	}
	return (n);
}

/* A number of a unit in a decision. */
static unsigned
imaginations_of(const json_t *d, const char *member, const char *unit,
    const char *battalion)
{
	const json_t *v = json_object_get(json_object_get(d, member), unit);

	if (battalion != NULL)
		v = json_object_get(v, battalion);
	return ((unsigned)json_integer_value(v));
}

static void
answers_to_allocate_are_those_counted_by_hand(void **state)
{
	/*
	 * With d1 4, d2 2 (room 2) and e1 1, e2 1 (room 1).  1: d1 or e1.
	 * 2: d1 twice, d1 and d2, d1 and a retreat, e1 and e2, e1 and a
	 * retreat, d1 and e1.
	 */
	static const unsigned counts[] = {0, 2, 6};
	const struct question_pick p = {chance_pick_cb, &(uint64_t){9}};
	bool is_had[540], is_lawful[540];
	struct rules_settings set;
	json_t *d = NULL;
	struct combat *c;
	unsigned i, n;
	int hits;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&imaginations_system, NULL, NULL, &set, NULL),
	    0);
	for (hits = 1; hits <= 12; hits++) {
		c = imaginations_allocate(&set, hits);
		n = imaginations_count(c, is_lawful);
		if (hits < 3)
			assert_int_equal(n, counts[hits]);
		if (hits == 12) /* all is lost, and who is left retreats not */
			assert_int_equal(n, 1);
		/* Chance finds all of them and no others. */
		memset(is_had, 0, sizeof(is_had));
		for (i = 0; i < 6000; i++) {
			assert_int_equal(combat_sample(c, &p, &d), 0);
			n = imaginations_of(d, "hits", "d", "d1") +
			    5 * imaginations_of(d, "hits", "d", "d2") +
			    15 * imaginations_of(d, "hits", "e", "e1") +
			    30 * imaginations_of(d, "hits", "e", "e2") +
			    60 * imaginations_of(d, "retreat", "d", NULL) +
			    180 * imaginations_of(d, "retreat", "e", NULL);
			assert_true(n < 540);
			is_had[n] = true;
			json_decref(d);
		}
		assert_memory_equal(is_had, is_lawful, sizeof(is_had));
		combat_free(c);
	}
	rules_settings_clear(&set);
}

static void
plain_answers_of_no_form_are_not_lawful(void **state)
{
	static const struct question_item items[][2] = {
	    /* d1, d2, e1 and e2 are picks 0 to 3, d and e 4 and 5. */
	    {{0, 2}, {1, 1}}, /* too many */
	    {{0, 2}, {1, -1}}, /* less than none */
	    {{0, 2}, {1, 0}}, /* none, which has no item */
	    {{4, 1}, {5, 1}}, /* retreats without a hit */
	    {{6, 1}, {0, 1}}, /* no unit */
	    {{0, 1}, {1, 3}}, /* the lead has too few */
	    {{-1, 2}, {0, 1}}, {{1, 1}, {2, 1}}, /* the lead has none */
	};
	struct question_answer a = {.n_items = 2};
	struct question q = {.kind = "allocate"};
	struct rules_settings set;
	struct question_item room[8];
	struct combat *c;
	size_t i;

	(void)state;
	q.rule = &imaginations_allocate_rule;
	assert_int_equal(
	    rules_settings_parse(&imaginations_system, NULL, NULL, &set, NULL),
	    0);
	c = imaginations_allocate(&set, 2);
	for (i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		a.items = items[i];
		assert_false(question_holds(c, &q, &a));
	}
	a.items = (const struct question_item[]){{4, 1}, {0, 1}};
	assert_true(question_holds(c, &q, &a));
	assert_int_equal(
	    imaginations_system.policy(c, &q, 0, &a, room, 0), ERR_TOOBIG);
	assert_int_equal(
	    imaginations_system.policy(c, &q, 2, &a, room, 1), ERR_TOOBIG);
	assert_int_equal(imaginations_system.policy(c, &q, 2, &a, room, 2), 0);
	assert_true(question_holds(c, &q, &a));
	combat_free(c);
	rules_settings_clear(&set);
}

static void
scores_keep_reasons_that_are_the_same(void **state)
{
	json_t *event, *file, *out = NULL;

	(void)state;
	file = quoted_json(
	    "{'system':'imagi-nations','combat':{'attacker':{'units':["
	    "{'id':'a','lead':'a1','commander':2,'battalions':["
	    "{'id':'a1','quality':'elite','sp':1},"
	    "{'id':'a2','quality':'experienced','sp':1},"
	    "{'id':'a3','quality':'raw','sp':1,'hits':1}]}],"
	    "'modifiers':[{'reason':'mud','value':-1,'kind':'conditional'},"
	    "{'reason':'guns','value':9,'kind':'offensive'},"
	    "{'reason':'mud','value':-1,'kind':'conditional'}]},"
	    "'defender':{'units':[{'id':'d','lead':'d1','battalions':["
	    "{'id':'d1','quality':'raw','sp':1}]}]},'bag':["
	    "{'id':'k','front':{'effects':['A2','D1','A-2','D-3']},"
	    "'back':null,'takes':'front'}," BLANKS "]},"
	    "'script':{'dice':{'cdr/attacker':[5],'cdr/defender':[1]},"
	    "'chits':['k'],'decisions':[{'kind':'tactic','tactic':'feint'},"
	    "{'kind':'tactic','tactic':'hold'},"
	    "{'kind':'chits','number':1}]}}");
	assert_int_equal(scenario_run(file, NULL, NULL, &out, NULL), 0);
	event = json_array_get(json_object_get(out, "events"), 8);
	quoted_is(json_incref(event),
	    "{'e':'score','side':'attacker','what':'cdr','die':5,"
	    "'battalions':{'elite':2,'experienced':0},'commanders':{'a':2},"
	    "'modifiers':{'mud (modifier 1)':-1,'mud (modifier 3)':-1},"
	    "'least':1,'score':7}");
	event = json_array_get(json_object_get(out, "events"), 10);
	quoted_is(json_incref(event),
	    "{'e':'score','side':'defender','what':'cdr','die':1,"
	    "'battalions':{'raw':-2},'commanders':{},'modifiers':{},"
	    "'least':1,'score':1}");
	event = json_array_get(json_object_get(out, "events"), 11);
	quoted_is(json_incref(event),
	    "{'e':'change','side':'attacker','what':'ratio','why':'cdr',"
	    "'attacker':7,'defender':1,'ratio':'7:1'}");
	event = json_array_get(json_object_get(out, "events"), 16);
	quoted_is(json_incref(event),
	    "{'e':'change','side':'attacker','what':'chit','why':'front',"
	    "'chit':'k','takes':'front','front':'always: A2 D1 A-2 D-3',"
	    "'back':null,'effects':['A2','D1','A-2','D-3']}");
	event = json_array_get(json_object_get(out, "events"), 17);
	quoted_is(json_incref(event),
	    "{'e':'score','side':'defender','what':'hits',"
	    "'suffered':{'k':2},'spared':{'k':-3},'least':0,'score':0}");
	json_decref(out);
	json_decref(file);
}

/* Adds chits that hit both sides by nine, up to eight in all. */
static void
imaginations_fill_bag(json_t *bag)
{
	size_t n;

	while ((n = json_array_size(bag)) < 8)
		assert_int_equal(
		    json_array_append_new(bag,
			json_pack("{s:o, s:{s:[s, s]}, s:n, s:s}", "id",
			    json_sprintf("x%zu", n), "front", "effects", "A9",
			    "D9", "back", "takes", "front")),
		    0);
}

/*
 * Draws the chit and four that hit both sides by nine, so that what it takes
 * off shows as well, and adds what it does to the sums of both sides.
 */
static void
imaginations_weigh_one(json_t *chit, const char *card, const char *arm,
    int attacker, int defender, int sums[2])
{
	json_t *event, *events, *facts, *file, *out = NULL;
	struct errinfo e = {.text = ""};
	const char *side, *what;
	size_t i;

	facts = json_pack("{s:{s:[{s:s, s:s, s:s, s:[{s:s, s:s, s:i}]}]},"
			  " s:{s:[{s:s, s:s, s:[{s:s, s:s, s:i}]}], s:b},"
			  " s:[O]}",
	    "attacker", "units", "id", "a", "arm", arm, "lead", "a1",
	    "battalions", "id", "a1", "quality", "experienced", "sp", 9,
	    "defender", "units", "id", "d", "lead", "d1", "battalions", "id",
	    "d1", "quality", "experienced", "sp", 9, "objective", 1, "bag",
	    chit);
	imaginations_fill_bag(json_object_get(facts, "bag"));
	file = json_pack("{s:s, s:o, s:{s:{s:[i], s:[i]},"
			 " s:[O, s, s, s, s],"
			 " s:[{s:s, s:s}, {s:s, s:s}, {s:s, s:i}]}}",
	    "system", "imagi-nations", "combat", facts, "script", "dice",
	    "cdr/attacker", attacker, "cdr/defender", defender, "chits",
	    json_object_get(chit, "id"), "x1", "x2", "x3", "x4", "decisions",
	    "kind", "tactic", "tactic", "prepared-attack", "kind", "tactic",
	    "tactic", card, "kind", "chits", "number", 5);
	if (scenario_run(file, NULL, NULL, &out, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(file);
	events = json_object_get(out, "events");
	json_array_foreach(events, i, event)
	{
		side = json_string_value(json_object_get(event, "side"));
		what = json_string_value(json_object_get(event, "what"));
		if (what != NULL && strcmp(what, "hits") == 0)
			sums[strcmp(side, "attacker") != 0] +=
			    (int)json_integer_value(
				json_object_get(event, "score")) -
			    36;
	}
	json_decref(out);
}

/* Adds up what all chits of the default bag do to both sides. */
static void
imaginations_weigh(
    const char *card, const char *arm, int attacker, int defender, int sums[2])
{
	json_t *bag = NULL, *chit, *list;
	size_t i;

	assert_int_equal(js_load(data_imagi_nations, strlen(data_imagi_nations),
			     JS_DEPTH_RECORD, &bag, NULL),
	    0);
	list = json_object_get(bag, "bag");
	assert_int_equal(json_array_size(list), 40);
	sums[0] = sums[1] = 0;
	json_array_foreach(list, i, chit)
	{
		imaginations_weigh_one(
		    chit, card, arm, attacker, defender, sums);
	}
	json_decref(bag);
}

static void
the_default_bag_gives_neither_side_an_edge(void **state)
{
	static const char *const cards[] = {"hold", "defend", "counter-attack"};
	static const char *const arms[] = {"infantry", "cavalry", "artillery"};
	int sums[2], mirror[2];
	size_t i, j;

	(void)state;
	for (i = 0; i < 3; i++) {
		for (j = 0; j < 3; j++) {
			imaginations_weigh(cards[i], arms[j], 7, 7, sums);
			assert_int_equal(sums[0], sums[1]);
			assert_true(sums[0] > 0);
		}
	}
	for (i = 1; i <= 4; i++) {
		imaginations_weigh("hold", "infantry", 3 * (int)i, 3, sums);
		imaginations_weigh("hold", "infantry", 3, 3 * (int)i, mirror);
		assert_int_equal(sums[0], mirror[1]);
		assert_int_equal(sums[1], mirror[0]);
		if (i > 1)
			assert_true(sums[1] > sums[0]);
	}
}

static void
the_default_bag_uses_every_condition_and_effect(void **state)
{
	static const char *const uses[] = {"\"ratio\"", "\"ratio_against\"",
	    "\"terrain\"", "\"open\"", "\"cover\"", "\"power\"", "\"tactic\"",
	    "\"arm\"", "\"A1\"", "\"A2\"", "\"D1\"", "\"D2\"", "\"A-1\"",
	    "\"D-1\"", "\"F\"", "\"M\"", "\"both\"", "\"back\"", "\"c01\"",
	    "\"c40\"", "the umpire project's own making"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(uses) / sizeof(uses[0]); i++)
		assert_non_null(strstr(data_imagi_nations, uses[i]));
}

static void
a_game_may_bring_its_own_bag(void **state)
{
	const struct js_at at = {.name = "bag"};
	json_t *bag, *combat, *out;
	struct rules_settings set;
	struct combat *c = NULL;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&imaginations_system, NULL, NULL, &set, NULL),
	    0);
	bag = quoted_json("[{'id':'k','front':null,'back':{'effects':["
			  "'F']},'takes':'back'}," BLANKS "]");
	assert_int_equal(rules_settings_data(&set, "bag", bag, &at, &e), 0);
	combat = quoted_json(
	    "{'attacker':{'units':[{'id':'a','lead':'a1','battalions':["
	    "{'id':'a1','quality':'raw','sp':4}]}]},'defender':{'units':["
	    "{'id':'d','lead':'d1','battalions':["
	    "{'id':'d1','quality':'raw','sp':4}]}]}}");
	assert_int_equal(
	    combat_new(&imaginations_system, &set, combat, &c, &e), 0);
	out = imaginations_system.facts(c);
	assert_true(json_equal(json_object_get(out, "bag"), bag));
	json_decref(out);
	json_decref(bag);
	combat_free(c);
	/* A game's bag that two cards may empty is refused at once. */
	bag =
	    quoted_json("[{'id':'k','front':null,'back':null,'takes':'back'}]");
	assert_int_equal(
	    rules_settings_data(&set, "bag", bag, &at, &e), ERR_INVALID);
	assert_string_equal(e.where, "bag");
	json_decref(bag);
	bag = quoted_json("[{'id':'k'}]");
	assert_int_equal(
	    rules_settings_data(&set, "bag", bag, &at, &e), ERR_INVALID);
	assert_string_equal(e.where, "bag[0].front");
	json_decref(bag);
	json_decref(combat);
	rules_settings_clear(&set);
}

static void
failing_allocations_are_reported(void **state)
{
	const struct js_at at = {.name = "bag"};
	json_t *bag, *facts, *v;
	struct rules_settings set;
	uint64_t seed = 5;
	struct combat *c = NULL;
	long nth;
	int err;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&imaginations_system, NULL, NULL, &set, NULL),
	    0);
	facts = facts_imaginations(&seed);
	assert_int_equal(
	    combat_new(&imaginations_system, &set, facts, &c, NULL), 0);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = imaginations_system.facts(c);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_null(v);
	}
	assert_true(nth > 100);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = imaginations_system.result(c);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_null(v);
	}
	assert_true(nth > 10);
	bag = quoted_json(
	    "[{'id':'k','front':null,'back':null,'takes':'back'}," BLANKS "]");
	alloc_start(0);
	err = rules_settings_data(&set, "bag", bag, &at, NULL);
	/* Sanitizers let only jansson's fail. */
	assert_int_equal(err, alloc_stop() ? ERR_NOMEM : 0);
	json_decref(bag);
	combat_free(c);
	json_decref(facts);
	rules_settings_clear(&set);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		policies_are_lawful_and_outcomes_are_as_the_results),
	    cmocka_unit_test(answers_to_allocate_are_those_counted_by_hand),
	    cmocka_unit_test(plain_answers_of_no_form_are_not_lawful),
	    cmocka_unit_test(scores_keep_reasons_that_are_the_same),
	    cmocka_unit_test(the_default_bag_gives_neither_side_an_edge),
	    cmocka_unit_test(the_default_bag_uses_every_condition_and_effect),
	    cmocka_unit_test(a_game_may_bring_its_own_bag),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
