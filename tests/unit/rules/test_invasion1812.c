/* SPDX-License-Identifier: ISC */
/*
 * invasion-1812 beyond what scenario files say (tests/rules/invasion-1812):
 * rosters before and after a combat and at the end of a round, answers by
 * policy, what the odds calculator is told, memory (umpire-rules.7, 11).
 */
#include "common/rules/invasion1812/invasion1812.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/invasion1812/invasion1812_ask.h"
#include "common/rules/question.h"
#include "common/rules/roster.h"

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/facts.h"
#include "tests/lib/facts_invasion1812.h"
#include "tests/lib/quoted.h"

#define SIXTY "123456789012345678901234567890123456789012345678901234567890"

#define INVASION_COMBATS 2000

#define INVASION_SIDES                                                        \
	"{'1':{'units':[{'id':'a','type':'infantry','cf':2},"                 \
	"{'id':'b','name':'Lasalle','type':'cavalry'},"                       \
	"{'id':'s','type':'artillery'}],'commanders':[{'id':'ney','cr':3}]}," \
	"'2':{'units':[{'id':'d','type':'infantry'},"                         \
	"{'id':'f','type':'infantry','disrupted':true}],"                     \
	"'commanders':[{'id':'barclay','name':'Barclay de Tolly','cr':1}]}}"

/* Reads sides as those of a roster blob. */
static int
invasion_try(const char *sides, struct roster **out, struct errinfo *e)
{
	json_t *blob;
	int r;

	memset(e, 0, sizeof(*e));
	blob = json_pack("{s:s, s:s, s:o}", "blob", "roster", "system",
	    "invasion-1812", "sides", quoted_json(sides));
	r = roster_parse(&invasion1812_system, blob, out, e);
	json_decref(blob);
	return (r);
}

/* Opens the roster of most tests. */
static struct roster *
invasion_open(void)
{
	struct roster *r = NULL;
	struct errinfo e;

	assert_int_equal(invasion_try(INVASION_SIDES, &r, &e), 0);
	return (r);
}

/* Merges a declared combat of side 1. */
static int
invasion_merge(
    const struct roster *r, const char *text, json_t **facts, struct errinfo *e)
{
	json_t *combat = quoted_json(text);
	int err;

	memset(e, 0, sizeof(*e));
	err = roster_merge(r, 1, combat, facts, e);
	json_decref(combat);
	return (err);
}

/* Merges a combat, gives it this result and applies it. */
static void
invasion_apply(struct roster *r, const char *combat, const char *result)
{
	json_t *facts = NULL, *v = quoted_json(result);
	struct errinfo e;

	if (invasion_merge(r, combat, &facts, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	assert_int_equal(roster_apply(r, facts, NULL, v), 0);
	json_decref(facts);
	json_decref(v);
}

/* What the roster has of a unit or commander is this text. */
static void
invasion_unit_is(const struct roster *r, const char *id, const char *text)
{
	const json_t *unit = roster_find(r, id, NULL);

	assert_non_null(unit);
	quoted_is(json_deep_copy(unit), text);
}

#define STACK(units, more) "{'units':[" units "]" more "}"
#define U(id) "{'id':'" id "'}"
#define COMBAT(attacker, supports, defender)                      \
	"{'attacker':{'stack':" attacker ",'supports':[" supports \
	"]},'defender':{'stack':" defender "},'terrain':'clear'}"
#define NEY ",'commanders':[{'id':'ney'}]"
#define FOUGHT(units, commanders) \
	"{'fav':5,'fdv':3,'units':{" units "},'commanders':{" commanders "}}"

static void
a_declared_combat_is_filled_in_from_the_roster(void **state)
{
	struct roster *r = invasion_open();
	json_t *facts = NULL;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    invasion_merge(r,
		COMBAT(STACK("{'cf':2,'id':'a'}," U("b"),
			   NEY ",'across_river':true"),
		    STACK(U("s"), ""), STACK(U("d") "," U("f"), "")),
		&facts, &e),
	    0);
	quoted_is(facts,
	    "{'attacker':{'stack':{'units':[{'id':'a','type':'infantry',"
	    "'cf':2,'disrupted':false},{'id':'b','name':'Lasalle',"
	    "'type':'cavalry','cf':1,'disrupted':false}],"
	    "'commanders':[{'id':'ney','cr':3}],"
	    "'across_river':true,'fought':0,'force_marched':false},"
	    "'supports':[{'units':[{'id':'s','type':'artillery','cf':1,"
	    "'disrupted':false}],'fought':0,'force_marched':false}]},"
	    "'defender':{'stack':{'units':[{'id':'d','type':'infantry','cf':1,"
	    "'disrupted':false},{'id':'f','type':'infantry','cf':1,"
	    "'disrupted':true}],'fought':0,'force_marched':false}},"
	    "'terrain':'clear'}");
	roster_free(r);
}

static void
what_contradicts_the_roster_is_refused(void **state)
{
	static const struct {
		const char *combat;
		const char *where;
	} cases[] = {
	    {"{}", "combat.attacker"},
	    {"{'attacker':7}", "combat.attacker"},
	    {"{'attacker':{}}", "combat.attacker.stack"},
	    {"{'attacker':{'stack':[]}}", "combat.attacker.stack"},
	    {"{'attacker':{'stack':{}}}", "combat.attacker.stack.units"},
	    {COMBAT(STACK("7", ""), "", STACK(U("d"), "")),
		"combat.attacker.stack.units[0]"},
	    {COMBAT(STACK(U("d"), ""), "", STACK(U("d"), "")),
		"combat.attacker.stack.units[0].id"},
	    {COMBAT(STACK(U("ney"), ""), "", STACK(U("d"), "")),
		"combat.attacker.stack.units[0].id"},
	    {COMBAT(STACK(U("a"), ",'commanders':[" U("b") "]"), "",
		 STACK(U("d"), "")),
		"combat.attacker.stack.commanders[0].id"},
	    {COMBAT(STACK(U("a"), ",'commanders':7"), "", STACK(U("d"), "")),
		"combat.attacker.stack.commanders"},
	    {COMBAT(STACK(U("a"), ",'commanders':[{'id':'ney','cr':4}]"), "",
		 STACK(U("d"), "")),
		"combat.attacker.stack.commanders[0].cr"},
	    {COMBAT(STACK("{'id':'a','cf':3}", ""), "", STACK(U("d"), "")),
		"combat.attacker.stack.units[0].cf"},
	    {COMBAT(STACK("{'id':'a','fought':1}", ""), "", STACK(U("d"), "")),
		"combat.attacker.stack.units[0].fought"},
	    {COMBAT(STACK(U("a"), ",'fought':1"), "", STACK(U("d"), "")),
		"combat.attacker.stack.fought"},
	    {COMBAT(STACK(U("a"), ",'fought':'1'"), "", STACK(U("d"), "")),
		"combat.attacker.stack.fought"},
	    {COMBAT(STACK(U("a"), ",'force_marched':1"), "", STACK(U("d"), "")),
		"combat.attacker.stack.force_marched"},
	    {COMBAT(STACK(U("a"), ""), STACK(U("s"), ",'fought':2"),
		 STACK(U("d"), "")),
		"combat.attacker.supports[0].fought"},
	    {COMBAT(STACK(U("a"), ""), "7", STACK(U("d"), "")),
		"combat.attacker.supports[0]"},
	    {"{'attacker':{'stack':{'units':[]},'supports':7}}",
		"combat.attacker.supports"},
	    {COMBAT(STACK(U("a"), ""), "", STACK(U("d") "," U("b"), "")),
		"combat.defender.stack.units[1].id"},
	};
	struct roster *r = invasion_open();
	struct errinfo e;
	json_t *facts;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		facts = NULL;
		assert_int_equal(invasion_merge(r, cases[i].combat, &facts, &e),
		    ERR_INVALID);
		assert_string_equal(e.where, cases[i].where);
		assert_null(facts);
	}
	roster_free(r);
}

static void
what_the_game_keeps_is_refused_in_a_roster_that_is_given(void **state)
{
	static const struct {
		const char *unit;
		const char *where;
	} cases[] = {
	    {"'fought':0", "sides.1.units[0].fought"},
	    {"'force_marched':false", "sides.1.units[0].force_marched"},
	    {"'cf':10000", "sides.1.units[0].cf"},
	    {"'disrupted':1", "sides.1.units[0].disrupted"},
	};
	struct roster *r = NULL;
	struct errinfo e;
	char sides[512];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(sides, sizeof(sides),
		    "{'1':{'units':[{'id':'a','type':'cavalry',%s}]},"
		    "'2':{'units':[{'id':'d','type':'cavalry'}]}}",
		    cases[i].unit);
		assert_int_equal(invasion_try(sides, &r, &e), ERR_INVALID);
		assert_string_equal(e.where, cases[i].where);
		assert_null(r);
	}
	assert_int_equal(
	    invasion_try("{'1':{'units':[{'id':'a','type':'cavalry'}],"
			 "'commanders':[{'id':'m'}]},'2':{}}",
		&r, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "sides.1.commanders[0].cr");
}

static void
results_are_written_back(void **state)
{
	struct roster *r = invasion_open();

	(void)state;
	invasion_apply(r,
	    COMBAT(STACK(U("a") "," U("b"), NEY ",'force_marched':true"),
		STACK(U("s"), ""),
		STACK(U("d") "," U("f"), ",'commanders':[{'id':'barclay'}]")),
	    FOUGHT("'a':'disrupted','b':'good','s':'good','d':'eliminated',"
		   "'f':'eliminated'",
		"'ney':'escaped','barclay':'eliminated'"));
	invasion_unit_is(r, "a",
	    "{'id':'a','type':'infantry','cf':2,'disrupted':true,'fought':1,"
	    "'force_marched':true}");
	invasion_unit_is(r, "b",
	    "{'id':'b','name':'Lasalle','type':'cavalry','cf':1,"
	    "'disrupted':false,'fought':1,'force_marched':true}");
	invasion_unit_is(r, "s",
	    "{'id':'s','type':'artillery','cf':1,'disrupted':false,'fought':1,"
	    "'force_marched':false}");
	invasion_unit_is(r, "d",
	    "{'id':'d','type':'infantry','cf':1,'disrupted':false,'fought':1,"
	    "'force_marched':false,'out':'eliminated'}");
	invasion_unit_is(r, "ney", "{'id':'ney','cr':3}");
	invasion_unit_is(r, "barclay",
	    "{'id':'barclay','name':'Barclay de Tolly','cr':1,"
	    "'out':'eliminated'}");
	roster_free(r);
}

static void
no_combat_is_counted_without_values(void **state)
{
	struct roster *r = invasion_open();

	(void)state;
	invasion_apply(r,
	    COMBAT(
		STACK(U("b"), ",'force_marched':true"), "", STACK(U("d"), "")),
	    "{'fav':null,'units':{'b':'good','d':'good'},'commanders':{}}");
	invasion_unit_is(r, "b",
	    "{'id':'b','name':'Lasalle','type':'cavalry','cf':1,"
	    "'disrupted':false,'fought':0,'force_marched':true}");
	invasion_unit_is(r, "d",
	    "{'id':'d','type':'infantry','cf':1,'disrupted':false,'fought':0,"
	    "'force_marched':false}");
	roster_free(r);
}

/* The member of the attacking stack after a merge. */
static void
invasion_stack_has(
    const struct roster *r, const char *combat, int fought, bool has_marched)
{
	json_t *facts = NULL, *stack;
	struct errinfo e;

	if (invasion_merge(r, combat, &facts, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	stack = json_object_get(json_object_get(facts, "attacker"), "stack");
	assert_int_equal(
	    json_integer_value(json_object_get(stack, "fought")), fought);
	assert_int_equal(
	    json_is_true(json_object_get(stack, "force_marched")), has_marched);
	json_decref(facts);
}

static void
a_stack_has_the_worst_history_of_its_units(void **state)
{
	struct roster *r = invasion_open();
	struct errinfo e;
	json_t *facts = NULL;
	int i;

	(void)state;
	for (i = 0; i < 2; i++)
		invasion_apply(r,
		    COMBAT(STACK(U("b"), ",'force_marched':true"), "",
			STACK(U("d"), "")),
		    FOUGHT("'b':'good','d':'good'", ""));
	invasion_stack_has(
	    r, COMBAT(STACK(U("a"), ""), "", STACK(U("d"), "")), 0, false);
	invasion_stack_has(r,
	    COMBAT(STACK(U("a") "," U("b"), ""), "", STACK(U("d"), "")), 2,
	    true);
	invasion_stack_has(r,
	    COMBAT(STACK(U("a") "," U("b"), ",'fought':2,'force_marched':true"),
		"", STACK(U("d"), "")),
	    2, true);
	assert_int_equal(
	    invasion_merge(r,
		COMBAT(STACK(U("a") "," U("b"), ",'force_marched':false"), "",
		    STACK(U("d"), "")),
		&facts, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "combat.attacker.stack.force_marched");
	assert_int_equal(invasion_merge(r,
			     COMBAT(STACK(U("a") "," U("b"), ",'fought':0"), "",
				 STACK(U("d"), "")),
			     &facts, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "combat.attacker.stack.fought");
	/* Unit b explains the march of the stack: a did not march. */
	invasion_apply(r,
	    COMBAT(STACK(U("a") "," U("b"), ""), "", STACK(U("d"), "")),
	    FOUGHT("'a':'good','b':'good','d':'good'", ""));
	invasion_stack_has(
	    r, COMBAT(STACK(U("a"), ""), "", STACK(U("d"), "")), 1, false);
	roster_free(r);
}

static void
the_end_of_a_round_clears_what_was_kept(void **state)
{
	struct roster *r = invasion_open();
	json_t *before, *events = json_array();

	(void)state;
	before = roster_json(r);
	assert_int_equal(roster_upkeep(r, events), 0);
	assert_int_equal(json_array_size(events), 0);
	invasion_apply(r,
	    COMBAT(STACK(U("a"), ",'force_marched':true"), STACK(U("s"), ""),
		STACK(U("d"), "")),
	    FOUGHT("'a':'good','s':'good','d':'good'", ""));
	invasion_apply(r,
	    COMBAT(
		STACK(U("b"), ",'force_marched':true"), "", STACK(U("d"), "")),
	    "{'fav':null,'units':{},'commanders':{}}");
	assert_int_equal(roster_upkeep(r, events), 0);
	quoted_is(events,
	    "[{'e':'upkeep','unit':'a','what':'cleared','fought':1,"
	    "'force_marched':true},{'e':'upkeep','unit':'b','what':'cleared',"
	    "'fought':0,'force_marched':true},"
	    "{'e':'upkeep','unit':'s','what':'cleared','fought':1,"
	    "'force_marched':false},{'e':'upkeep','unit':'d','what':'cleared',"
	    "'fought':1,'force_marched':false}]");
	events = roster_json(r);
	assert_true(json_equal(events, before));
	json_decref(events);
	json_decref(before);
	roster_free(r);
}

static void
what_is_kept_survives_saving(void **state)
{
	struct roster *r = invasion_open(), *again = NULL;
	json_t *saved, *second;
	struct errinfo e;

	(void)state;
	invasion_apply(r,
	    COMBAT(STACK(U("a"), ",'force_marched':true"), "",
		STACK(U("d"), ",'commanders':[{'id':'barclay'}]")),
	    FOUGHT(
		"'a':'disrupted','d':'eliminated'", "'barclay':'eliminated'"));
	saved = roster_json(r);
	assert_int_equal(
	    roster_restore(&invasion1812_system, saved, &again, &e), 0);
	second = roster_json(again);
	assert_true(json_equal(saved, second));
	json_decref(saved);
	json_decref(second);
	roster_free(r);
	roster_free(again);
}

static void
the_place_is_of_the_defending_stack(void **state)
{
	static const struct {
		const char *combat;
		const char *id;
	} cases[] = {
	    {COMBAT(STACK(U("a"), ""), "", STACK(U("d9") "," U("d10"), "")),
		"d10"},
	    {COMBAT(STACK(U("a"), ""), "",
		 STACK(U("d"), ",'commanders':[" U("c") "]")),
		"d"},
	    {COMBAT(STACK(U("a"), ""), "",
		 STACK("", ",'commanders':[" U("q") "," U("p") "]")),
		"p"},
	    {"{'defender':{'supports':[{'units':[{'id':'s'}]}]}}", NULL},
	    {"{'defender':{'stack':{'units':{'id':'d'}}}}", NULL},
	    {"{'defender':{'stack':{'units':[7,{'id':7},{}]}}}", NULL},
	    {"{'defender':[]}", NULL},
	    {"[]", NULL},
	};
	json_t *combat;
	const char *id;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		combat = quoted_json(cases[i].combat);
		id = invasion1812_system.game->place_id(combat);
		if (cases[i].id == NULL)
			assert_null(id);
		else
			assert_string_equal(id, cases[i].id);
		json_decref(combat);
	}
}

/* Reads a file of etc/samples. */
static json_t *
invasion_sample(const char *name)
{
	char path[512], *text;
	json_t *v;
	size_t len;
	FILE *f;

	(void)snprintf(path, sizeof(path),
	    TOP_SRCDIR "/etc/samples/invasion-1812-%s.json", name);
	if ((f = fopen(path, "rb")) == NULL)
		fail_msg("%s: cannot be opened", path);
	assert_non_null(text = calloc(1, 65536));
	len = fread(text, 1, 65535, f);
	assert_true(len > 0);
	assert_int_equal(fclose(f), 0);
	v = quoted_json(text);
	free(text);
	return (v);
}

static void
the_samples_fit_each_other(void **state)
{
	json_t *blob = invasion_sample("evening"), *facts = NULL;
	json_t *declared = invasion_sample("evening-declare");
	struct rules_settings set;
	struct combat *c = NULL;
	struct roster *r = NULL;
	struct errinfo e;

	(void)state;
	if (roster_parse(&invasion1812_system, blob, &r, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	if (roster_merge(
		r, 1, json_object_get(declared, "combat"), &facts, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	assert_int_equal(
	    rules_settings_parse(&invasion1812_system, NULL, NULL, &set, NULL),
	    0);
	if (combat_new(&invasion1812_system, &set, facts, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	combat_free(c);
	rules_settings_clear(&set);
	roster_free(r);
	json_decref(facts);
	json_decref(declared);
	json_decref(blob);
}

/* Dice by chance: arg is the seed. */
static int
invasion_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	(void)label;
	(void)e;
	assert_int_equal(sides, 6);
	assert_int_equal(count, 1);
	dice[0] = (uint16_t)(1 + chance_pick_cb(arg, sides));
	return (0);
}

/* How the questions of a test are answered. */
struct invasion_player {
	uint64_t *seed;
	int word; /* of every kind; -1: by chance */
	unsigned asked[RULES_POLICIES_MAX]; /* how often, by policy */
};

/* Answers by a word of the question's policy. */
static int
invasion_decide_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct rules_policy *p = invasion1812_system.policies;
	struct invasion_player *player = arg;
	int n = 0, word = player->word;
	size_t i;

	for (i = 0; strcmp(p[i].kind, q->kind) != 0; i++)
		assert_non_null(p[i + 1].kind);
	while (p[i].words[n] != NULL)
		n++;
	if (word == -1)
		word = (int)chance_pick_cb(player->seed, (uint32_t)n);
	player->asked[i]++;
	return (invasion1812_system.policy(
	    c, q, word < n ? word : n - 1, a, room, n_room));
}

/* The outcome says what the result says. */
static void
invasion_outcome_is(const struct combat *c)
{
	struct rules_outcome out;
	json_t *hits, *result = combat_result(c), *units;
	const char *state, *winner;
	size_t i;

	memset(&out, 0xff, sizeof(out));
	invasion1812_system.outcome(c, &out);
	hits = json_object_get(result, "hits");
	assert_int_equal(out.hits[COMBAT_ATTACKER],
	    json_integer_value(json_object_get(hits, "attacker")));
	assert_int_equal(out.hits[COMBAT_DEFENDER],
	    json_integer_value(json_object_get(hits, "defender")));
	units = json_object_get(result, "units");
	assert_int_equal(out.n_units, json_object_size(units));
	for (i = 0; i < out.n_units; i++) {
		state =
		    json_string_value(json_object_get(units, out.units[i].id));
		assert_string_equal(
		    state, invasion1812_system.ends[out.units[i].end]);
		assert_int_equal(out.units[i].side,
		    out.units[i].id[0] == 'a' ? COMBAT_ATTACKER
					      : COMBAT_DEFENDER);
		if (strcmp(state, "eliminated") != 0)
			assert_int_equal(out.units[i].loss, 0);
	}
	winner = json_string_value(json_object_get(result, "winner"));
	if (winner == NULL)
		assert_string_equal(out.whole,
		    json_is_true(json_object_get(result, "defender_withdrew"))
			? "slipped away"
			: "commanders alone");
	else
		assert_memory_equal(out.whole, winner, strlen(winner));
	json_decref(result);
}

static void
every_policy_is_lawful_and_outcomes_are_the_results(void **state)
{
	uint64_t seed = 1812;
	struct invasion_player player = {.seed = &seed};
	const struct combat_policy policy = {invasion_decide_cb, &player};
	const struct combat_dice dice = {
	    .roll = invasion_roll_cb, .arg = &seed};
	struct rules_settings set;
	struct errinfo e;
	struct combat *c;
	json_t *facts;
	size_t i;
	int n;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&invasion1812_system, NULL, NULL, &set, NULL),
	    0);
	for (n = 0; n < INVASION_COMBATS; n++) {
		player.word = n % 4 - 1;
		facts = facts_invasion1812(&seed);
		assert_int_equal(
		    combat_new(&invasion1812_system, &set, facts, &c, &e), 0);
		combat_set_policy(c, &policy);
		if (combat_run(c, &dice, &e) != 0)
			fail_msg("%s", e.text);
		assert_int_equal(combat_status(c), COMBAT_RESOLVED);
		invasion_outcome_is(c);
		combat_free(c);
		json_decref(facts);
	}
	for (i = 0; invasion1812_system.policies[i].kind != NULL; i++)
		assert_true(player.asked[i] > 10);
	rules_settings_clear(&set);
}

/* Every die shows 3. */
static int
invasion_three_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	(void)arg;
	(void)label;
	(void)sides;
	(void)count;
	(void)e;
	dice[0] = 3;
	return (0);
}

/* Opens a combat whose questions are answered by one word of every policy. */
static struct combat *
invasion_by_word(const char *text, const struct combat_policy *policy,
    struct rules_settings *set)
{
	static const struct combat_dice dice = {.roll = invasion_three_cb};
	json_t *facts = quoted_json(text);
	struct combat *c = NULL;
	struct errinfo e;

	assert_int_equal(
	    rules_settings_parse(&invasion1812_system, NULL, NULL, set, NULL),
	    0);
	if (combat_new(&invasion1812_system, set, facts, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(facts);
	combat_set_policy(c, policy);
	if (combat_run(c, &dice, &e) != 0)
		fail_msg("%s", e.text);
	return (c);
}

#define INF(id, cf) "{'id':'" id "','type':'infantry','cf':" cf "}"
#define CAV(id, cf) "{'id':'" id "','type':'cavalry','cf':" cf "}"
/* 18 against 6: three units, three hits; of 12 / 2 the loser's three count. */
#define BY_WORD                                          \
	COMBAT(STACK(INF("a", "3") "," CAV("b", "9"),    \
		   ",'commanders':[{'id':'m','cr':0}]"), \
	    STACK(INF("s", "1"), ""),                    \
	    STACK(INF("d", "2") "," INF("f", "0") "," INF("h", "1"), ""))

#define OUT(id, cf) \
	"{'id':'" id "','type':'infantry','cf':" cf ",'disrupted':true}"
/* 2 + 9 + 2 + 3 against 7 + 3: by 6, so that the defender must go. */
#define FORCED                                                               \
	COMBAT(STACK(INF("a", "2") "," CAV("b", "9"), ""), "",               \
	    STACK(INF("d", "7") "," OUT("f", "2") "," OUT("h", "1") "," OUT( \
		      "k", "9"),                                             \
		""))
/* 2 + 3 + 2 + 3 against 5 + 3: by 2, so that he may stay. */
#define NEAR                                                                 \
	COMBAT(STACK(INF("a", "2") "," CAV("b", "3"), ""), "",               \
	    STACK(INF("d", "5") "," OUT("f", "2") "," OUT("k", "9") "," OUT( \
		      "h", "1") "," OUT("j", "4"),                           \
		""))

static void
policies_do_what_their_words_say(void **state)
{
	static const struct {
		const char *facts;
		int word;
		const char *result;
	} cases[] = {
	    /* The attacker's third hit is the weakest disrupted one's. */
	    {BY_WORD, 0,
		"{'fav':18,'fdv':6,'winner':'attacker','hits':{'attacker':3,"
		"'defender':3},'defender_withdrew':true,'advanced':[],"
		"'units':{'a':'disrupted','b':'disrupted','s':'disrupted',"
		"'d':'disrupted','f':'disrupted','h':'disrupted'},"
		"'commanders':{}}"},
	    /* f twice, then h; he cannot withdraw; a twice, then s. */
	    {BY_WORD, 1,
		"{'fav':18,'fdv':6,'winner':'attacker','hits':{'attacker':3,"
		"'defender':3},'defender_withdrew':false,'advanced':['b'],"
		"'units':{'a':'eliminated','b':'good','s':'disrupted',"
		"'d':'eliminated','f':'eliminated','h':'eliminated'},"
		"'commanders':{}}"},
	    /* Two hits: d, then h; the weakest disrupted one, f, is ridden
	     * down. */
	    {FORCED, 0,
		"{'fav':16,'fdv':10,'winner':'attacker','hits':{'attacker':1,"
		"'defender':2},'defender_withdrew':true,'advanced':['b'],"
		"'units':{'a':'disrupted','b':'good','d':'disrupted',"
		"'f':'eliminated','h':'eliminated','k':'disrupted'},"
		"'commanders':{}}"},
	    /* Two hits: h and f; the strongest of k and j is ridden down. */
	    {NEAR, 1,
		"{'fav':10,'fdv':8,'winner':'attacker','hits':{'attacker':1,"
		"'defender':2},'defender_withdrew':true,'advanced':['b'],"
		"'units':{'a':'disrupted','b':'good','d':'good',"
		"'f':'eliminated','k':'eliminated','h':'eliminated',"
		"'j':'disrupted'},'commanders':{}}"},
	    {NEAR, 2,
		"{'fav':10,'fdv':8,'winner':'attacker','hits':{'attacker':1,"
		"'defender':2},'defender_withdrew':true,'advanced':[],"
		"'units':{'a':'disrupted','b':'good','d':'good',"
		"'f':'eliminated','k':'eliminated','h':'eliminated',"
		"'j':'disrupted'},'commanders':{}}"},
	};
	struct invasion_player player;
	const struct combat_policy policy = {invasion_decide_cb, &player};
	struct rules_settings set;
	struct combat *c;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&player, 0, sizeof(player));
		player.word = cases[i].word;
		c = invasion_by_word(cases[i].facts, &policy, &set);
		quoted_is(combat_result(c), cases[i].result);
		combat_free(c);
		rules_settings_clear(&set);
	}
}

static void
the_name_of_a_stack_must_be_whole(void **state)
{
	static const struct {
		const char *to; /* as JSON */
		const char *text; /* as it is answered; NULL for null */
		int r;
	} cases[] = {
	    {"null", NULL, 0},
	    {"'ab\xc3\xa9'", "ab\xc3\xa9", 0},
	    {"'" SIXTY "1234'", SIXTY "1234", 0},
	    {"'" SIXTY "12345'", NULL, ERR_INVALID},
	    {"'a\\u0000bc'", NULL, ERR_INVALID},
	    {"'a\\n"
	     "b'",
		NULL, ERR_INVALID},
	    {"''", NULL, ERR_INVALID},
	    {"1", NULL, ERR_INVALID},
	};
	const char *id = "k";
	struct question q = {
	    .kind = INVASION1812_COMMANDER_ESCAPE,
	    .n_members = 1,
	    .members = {{
		.name = "to",
		.shape = QUESTION_TEXT,
		.ids = &id,
		.n_ids = 1,
		.has_null = true,
		.each = "commander",
		.what = "a stack",
	    }},
	};
	struct question_answer a;
	struct errinfo e;
	char text[128], *bytes;
	json_t *v;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		(void)snprintf(text, sizeof(text), "{'kind':'%s','to':%s}",
		    q.kind, cases[i].to);
		bytes = quoted_text(text);
		v = json_loads(bytes, JSON_ALLOW_NUL, NULL);
		free(bytes);
		assert_non_null(v);
		assert_int_equal(
		    question_read(NULL, &q, v, &a, NULL, 0, &e), cases[i].r);
		if (cases[i].r != 0) {
			assert_string_equal(e.where, "decision.to");
		} else {
			assert_true(question_holds(NULL, &q, &a));
			if (cases[i].text == NULL)
				assert_null(a.text);
			else
				assert_string_equal(a.text, cases[i].text);
		}
		json_decref(v);
	}
	a.text = ""; /* a policy's answer is judged as a player's */
	assert_false(question_holds(NULL, &q, &a));
	a.text = "ab\xc3"; /* half of a character */
	assert_false(question_holds(NULL, &q, &a));
	a.text = SIXTY "12345";
	assert_false(question_holds(NULL, &q, &a));
	q.members[0].has_null = false;
	a.text = NULL;
	assert_false(question_holds(NULL, &q, &a));
}

static void
failing_allocations_are_reported(void **state)
{
	struct invasion_player player = {.word = 0};
	const struct combat_policy policy = {invasion_decide_cb, &player};
	struct rules_settings set;
	struct combat *c;
	json_t *v;
	long nth;
	int r;

	(void)state;
	/* Hits, an advance with a commander and an escape are asked for. */
	c = invasion_by_word(
	    COMBAT(STACK(INF("a", "1") "," CAV("b", "1") "," INF("i", "0"),
		       ",'commanders':[{'id':'m','cr':1}]"),
		STACK(INF("s", "1"), ""),
		STACK("{'id':'d','type':'infantry','disrupted':true}",
		    ",'commanders':[{'id':'p','cr':1}]")),
	    &policy, &set);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = combat_result(c);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_null(v);
	}
	assert_true(nth > 10);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = NULL;
		r = combat_events(c, 0, &v);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(r, 0);
	assert_true(nth > 100);
	combat_free(c);
	rules_settings_clear(&set);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_declared_combat_is_filled_in_from_the_roster),
	    cmocka_unit_test(what_contradicts_the_roster_is_refused),
	    cmocka_unit_test(
		what_the_game_keeps_is_refused_in_a_roster_that_is_given),
	    cmocka_unit_test(results_are_written_back),
	    cmocka_unit_test(no_combat_is_counted_without_values),
	    cmocka_unit_test(a_stack_has_the_worst_history_of_its_units),
	    cmocka_unit_test(the_end_of_a_round_clears_what_was_kept),
	    cmocka_unit_test(what_is_kept_survives_saving),
	    cmocka_unit_test(the_place_is_of_the_defending_stack),
	    cmocka_unit_test(the_samples_fit_each_other),
	    cmocka_unit_test(
		every_policy_is_lawful_and_outcomes_are_the_results),
	    cmocka_unit_test(policies_do_what_their_words_say),
	    cmocka_unit_test(the_name_of_a_stack_must_be_whole),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
