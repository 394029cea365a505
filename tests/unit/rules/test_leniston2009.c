/* SPDX-License-Identifier: ISC */
/*
 * leniston-2009 beyond what scenario files say (tests/rules/leniston-2009):
 * events of each step, rosters, upkeep, policies and outcomes
 * (umpire-rules.7, 12).
 */
#include "common/rules/leniston2009/leniston2009.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/leniston2009/leniston2009_facts.h"
#include "common/rules/question.h"
#include "common/rules/roster.h"
#include "common/rules/show/scenario.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/chance.h"
#include "tests/lib/facts.h"
#include "tests/lib/facts_leniston2009.h"
#include "tests/lib/quoted.h"

#define LENISTON2009_COMBATS 2000
#define LENISTON2009_SAMPLES TOP_SRCDIR "/etc/samples/leniston-2009-"

#define BRIGADE(id, more) \
	"{'id':'" id "','class':'B','fire':'B','skirmish':'B'" more "}"
#define BLOB(one, two)                                                     \
	"{'blob':'roster','system':'leniston-2009','sides':{'1':{'units':" \
	"[" one "]},'2':{'units':[" two "]}}}"
#define ROSTER                                                               \
	BLOB("{'id':'fr-1','class':'A','fire':'B','skirmish':'A'}," BRIGADE( \
		 "fr-2", ",'casualties':5,'state':'disordered'"),            \
	    BRIGADE("au-1", ",'name':'Grenz'") "," BRIGADE(                  \
		"au-2", ",'state':'shaken'"))

/* Opens a roster. */
static struct roster *
leniston2009_roster(const char *text)
{
	struct errinfo e = {.text = ""};
	json_t *blob = quoted_json(text);
	struct roster *r = NULL;

	if (roster_parse(&leniston2009_system, blob, &r, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(blob);
	return (r);
}

/* The present object of a unit has this text. */
static void
leniston2009_unit_is(const struct roster *r, const char *id, const char *want)
{
	quoted_is(json_deep_copy(roster_find(r, id, NULL)), want);
}

/* Merges a combat of side 1 that must be lawful; new. */
static json_t *
leniston2009_merge(const struct roster *r, const char *text)
{
	struct errinfo e = {.text = ""};
	json_t *combat = quoted_json(text), *facts = NULL;

	if (roster_merge(r, 1, combat, &facts, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(combat);
	return (facts);
}

/* Dice of a list, in turn. */
struct leniston2009_dice {
	const char *faces;
};

/* Takes the next faces of the list. */
static int
leniston2009_dice_cb(void *arg, const char *label, unsigned sides,
    unsigned count, uint16_t *dice, struct errinfo *e)
{
	struct leniston2009_dice *list = arg;
	unsigned i;

	(void)label;
	(void)sides;
	(void)e;
	for (i = 0; i < count; i++) {
		assert_true(*list->faces != '\0');
		dice[i] = (uint16_t)(*list->faces++ - '0');
	}
	return (0);
}

/* Dice by chance; arg is the seed. */
static int
leniston2009_chance_cb(void *arg, const char *label, unsigned sides,
    unsigned count, uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = (uint16_t)(1 + chance_pick_cb(arg, sides));
	return (0);
}

/* Answers with the policy's word, to which arg points. */
static int
leniston2009_decide_cb(void *arg, const struct combat *c,
    const struct question *q, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const int *word = arg;

	assert_string_equal(q->kind, leniston2009_system.policies[0].kind);
	return (leniston2009_system.policy(c, q, *word, a, room, n_room));
}

/* Fights a combat to its end by a policy and dice; it is new. */
static struct combat *
leniston2009_fight(const json_t *facts, const struct rules_settings *set,
    int word, const struct combat_dice *dice)
{
	const struct combat_policy policy = {leniston2009_decide_cb, &word};
	struct errinfo e = {.text = ""};
	struct combat *c = NULL;

	if (combat_new(&leniston2009_system, set, facts, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	combat_set_policy(c, &policy);
	if (combat_run(c, dice, &e) != 0)
		fail_msg("%s", e.text);
	assert_int_equal(combat_status(c), COMBAT_RESOLVED);
	combat_set_policy(c, NULL);
	return (c);
}

/* Declares, fights and applies a combat of side 1 with dice from a list. */
static void
leniston2009_declare(
    struct roster *r, const char *text, int word, const char *faces)
{
	struct leniston2009_dice list = {faces};
	const struct combat_dice dice = {
	    .roll = leniston2009_dice_cb, .arg = &list};
	struct rules_settings set;
	json_t *decisions, *facts, *result;
	struct combat *c;

	facts = leniston2009_merge(r, text);
	assert_int_equal(
	    rules_settings_parse(&leniston2009_system, NULL, NULL, &set, NULL),
	    0);
	c = leniston2009_fight(facts, &set, word, &dice);
	result = combat_result(c);
	/* The first word of the policy is to skirmish back. */
	decisions = json_pack(
	    "[{s:s, s:b}]", "kind", "skirmish-back", "accept", word == 0);
	assert_int_equal(roster_apply(r, facts, decisions, result), 0);
	json_decref(decisions);
	assert_string_equal(list.faces, "");
	json_decref(result);
	json_decref(facts);
	combat_free(c);
	rules_settings_clear(&set);
}

static void
the_system_is_known_by_its_version(void **state)
{
	(void)state;
	assert_ptr_equal(systems_find("leniston-2009"), &leniston2009_system);
	assert_string_equal(leniston2009_system.version, "leniston-2009/1");
}

/* 12.8. */
static void
a_roster_has_defaults_and_what_the_game_keeps(void **state)
{
	struct roster *r = leniston2009_roster(ROSTER);

	(void)state;
	leniston2009_unit_is(r, "fr-1",
	    "{'id':'fr-1','arm':'infantry','class':'A','fire':'B',"
	    "'skirmish':'A','casualties':0,'state':'formed',"
	    "'skirmished':false}");
	leniston2009_unit_is(r, "au-1",
	    "{'id':'au-1','name':'Grenz','arm':'infantry','class':'B',"
	    "'fire':'B','skirmish':'B','casualties':0,'state':'formed',"
	    "'skirmished':false}");
	roster_free(r);
}

static void
a_roster_that_breaks_the_rules_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *where;
	} cases[] = {
	    {BLOB(BRIGADE("a", ",'skirmished':false"), BRIGADE("b", "")),
		"sides.1.units[0].skirmished"},
	    {BLOB(BRIGADE("a", ",'casualties':6"), BRIGADE("b", "")),
		"sides.1.units[0].casualties"},
	    {BLOB(BRIGADE("a", ""), BRIGADE("b", ",'state':'rout'")),
		"sides.2.units[0].state"},
	    {BLOB(BRIGADE("a", ",'arm':'cavalry'"), BRIGADE("b", "")),
		"sides.1.units[0].arm"},
	    {BLOB(BRIGADE("a", ",'formation':'line'"), BRIGADE("b", "")),
		"sides.1.units[0].formation"},
	    {BLOB("{'id':'a','fire':'B','skirmish':'B'}", BRIGADE("b", "")),
		"sides.1.units[0].class"},
	};
	struct roster *r = NULL;
	struct errinfo e;
	json_t *blob;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		blob = quoted_json(cases[i].text);
		assert_int_equal(
		    roster_parse(&leniston2009_system, blob, &r, &e),
		    ERR_INVALID);
		assert_string_equal(e.where, cases[i].where);
		json_decref(blob);
	}
}

static void
a_declaration_is_filled_in_from_the_roster(void **state)
{
	struct roster *r = leniston2009_roster(ROSTER);

	(void)state;
	quoted_is(
	    leniston2009_merge(r,
		"{'rule':'melee','attacker':{'orders':'attack','id':'fr-1'},"
		"'defender':{'id':'au-1','skirmished':false,'garrison':true,"
		"'fire':'B'}}"),
	    "{'rule':'melee','attacker':{'id':'fr-1','arm':'infantry',"
	    "'class':'A','fire':'B','skirmish':'A','casualties':0,"
	    "'state':'formed','orders':'attack','skirmished':false},"
	    "'defender':{'id':'au-1','name':'Grenz','arm':'infantry',"
	    "'class':'B','fire':'B','skirmish':'B','casualties':0,"
	    "'state':'formed','skirmished':false,'garrison':true}}");
	roster_free(r);
}

static void
a_declaration_that_differs_or_is_malformed_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *where;
	} cases[] = {
	    {"{}", "combat.attacker"},
	    {"{'attacker':[]}", "combat.attacker"},
	    {"{'attacker':{}}", "combat.attacker.id"},
	    {"{'attacker':{'id':'au-1'}}", "combat.attacker.id"},
	    {"{'attacker':{'id':'fr-1'}}", "combat.defender"},
	    {"{'attacker':{'id':'fr-1'},'defender':null}", "combat.defender"},
	    {"{'attacker':{'id':'fr-1'},'defender':{'id':'fr-2'}}",
		"combat.defender.id"},
	    {"{'attacker':{'id':'fr-1','skirmished':true}}",
		"combat.attacker.skirmished"},
	    {"{'attacker':{'id':'fr-1','skirmished':0}}",
		"combat.attacker.skirmished"},
	    {"{'attacker':{'id':'fr-1','casualties':1}}",
		"combat.attacker.casualties"},
	    {"{'attacker':{'id':'fr-1','class':'B'}}", "combat.attacker.class"},
	    {"{'attacker':{'id':'fr-1','name':'Guard'}}",
		"combat.attacker.name"},
	};
	struct roster *r = leniston2009_roster(ROSTER);
	json_t *combat, *facts = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		combat = quoted_json(cases[i].text);
		assert_int_equal(
		    roster_merge(r, 1, combat, &facts, &e), ERR_INVALID);
		assert_string_equal(e.where, cases[i].where);
		json_decref(combat);
	}
	roster_free(r);
}

static void
a_result_sets_casualties_and_state_and_routs(void **state)
{
	struct roster *r = leniston2009_roster(ROSTER), *back = NULL;
	json_t *combat, *facts = NULL, *saved;
	struct errinfo e;

	(void)state;
	/* +1 class, +1 skirmishers: 6 + 6 + 2 routs the defender. */
	leniston2009_declare(r,
	    "{'rule':'melee','attacker':{'id':'fr-1','formation':'line',"
	    "'orders':'attack'},'defender':{'id':'au-1','formation':'line'}}",
	    0, "66");
	leniston2009_unit_is(r, "fr-1",
	    "{'id':'fr-1','arm':'infantry','class':'A','fire':'B',"
	    "'skirmish':'A','casualties':1,'state':'disordered',"
	    "'skirmished':false}");
	leniston2009_unit_is(r, "au-1",
	    "{'id':'au-1','name':'Grenz','arm':'infantry','class':'B',"
	    "'fire':'B','skirmish':'B','casualties':3,'state':'rout',"
	    "'skirmished':false,'out':'routed'}");
	combat = quoted_json("{'rule':'melee','attacker':{'id':'fr-1'},"
			     "'defender':{'id':'au-1'}}");
	assert_int_equal(roster_merge(r, 1, combat, &facts, &e), ERR_INVALID);
	assert_string_equal(e.where, "combat.defender.id");
	json_decref(combat);
	/* What is out of play is read back although it has routed. */
	saved = roster_json(r);
	assert_int_equal(
	    roster_restore(&leniston2009_system, saved, &back, &e), 0);
	leniston2009_unit_is(back, "au-1",
	    "{'id':'au-1','name':'Grenz','arm':'infantry','class':'B',"
	    "'fire':'B','skirmish':'B','casualties':3,'state':'rout',"
	    "'skirmished':false,'out':'routed'}");
	json_decref(saved);
	roster_free(back);
	roster_free(r);
}

#define SKIRMISH                                                         \
	"{'rule':'skirmish','attacker':{'id':'fr-1','formation':'line'," \
	"'orders':'hold'},'defender':{'id':'au-1','formation':'line'}}"

/* Whether the roster says that this brigade skirmished. */
static bool
leniston2009_has_skirmished(const struct roster *r, const char *id)
{
	return (json_is_true(
	    json_object_get(roster_find(r, id, NULL), "skirmished")));
}

static void
a_skirmish_is_remembered_of_who_began_it(void **state)
{
	struct roster *r = leniston2009_roster(ROSTER), *back = NULL;
	struct rules_settings set;
	struct combat *c = NULL;
	json_t *facts, *saved;
	struct errinfo e;

	(void)state;
	leniston2009_declare(r, SKIRMISH, 1, "1");
	assert_true(leniston2009_has_skirmished(r, "fr-1"));
	assert_false(leniston2009_has_skirmished(r, "au-1"));
	assert_false(leniston2009_has_skirmished(r, "fr-2"));
	leniston2009_declare(r, SKIRMISH, 0, "11");
	/* It skirmished back, in the enemy's turn. */
	assert_false(leniston2009_has_skirmished(r, "au-1"));
	saved = roster_json(r);
	assert_int_equal(
	    roster_restore(&leniston2009_system, saved, &back, &e), 0);
	assert_true(leniston2009_has_skirmished(back, "fr-1"));
	json_decref(saved);
	roster_free(back);
	/* It is filled in, and the firefight refused for it. */
	facts = leniston2009_merge(r,
	    "{'rule':'firefight','attacker':{'id':'fr-1','orders':'engage',"
	    "'formation':'line'},'defender':{'id':'au-1','formation':'line'}}");
	assert_int_equal(
	    rules_settings_parse(&leniston2009_system, NULL, NULL, &set, NULL),
	    0);
	assert_int_equal(
	    combat_new(&leniston2009_system, &set, facts, &c, &e), ERR_INVALID);
	assert_string_equal(e.where, "combat.attacker.skirmished");
	json_decref(facts);
	rules_settings_clear(&set);
	roster_free(r);
}

#define INSIDE(attacker, defender, more)                   \
	"{'rule':'bua-inside','attacker':{'id':'" attacker \
	"','orders':'attack'},'defender':{'id':'" defender \
	"','position':'bua'}" more "}"
#define EDGE                                                             \
	"{'rule':'bua-edge','attacker':{'id':'fr-1','orders':'attack'}," \
	"'defender':{'id':'au-1','position':'bua'}}"

/*
 * What becomes of a declaration of this side in a game: which fight it goes on
 * with, or where it is refused.
 */
static const char *
leniston2009_follows(const struct roster *r, int side, const char *text)
{
	static char refused[sizeof(((struct errinfo *)NULL)->where)];
	json_t *combat = quoted_json(text), *facts = NULL;
	struct errinfo e = {.text = ""};
	struct rules_settings set;
	struct combat *c = NULL;
	const char *which = "none";
	int err;

	assert_int_equal(
	    rules_settings_parse(&leniston2009_system, NULL, NULL, &set, NULL),
	    0);
	err = roster_merge(r, side, combat, &facts, &e);
	json_decref(combat);
	if (err == 0)
		err = combat_new(&leniston2009_system, &set, facts, &c, &e);
	json_decref(facts);
	if (err != 0) {
		assert_int_equal(err, ERR_INVALID);
		(void)snprintf(refused, sizeof(refused), "%s", e.where);
		rules_settings_clear(&set);
		return (refused);
	}
	facts = leniston2009_facts_json(c);
	if (json_is_true(json_object_get(facts, "follows_edge")))
		which = "edge";
	if (json_is_true(json_object_get(facts, "follows_inside")))
		which = "inside";
	json_decref(facts);
	combat_free(c);
	rules_settings_clear(&set);
	return (which);
}

/* 12.8: the game knows whom an attacker drove from the edge. */
static void
who_won_at_the_edge_goes_on_inside(void **state)
{
	static const struct {
		const char *text, *is;
	} cases[] = {
	    {INSIDE("fr-1", "au-1", ""), "edge"},
	    {INSIDE("fr-1", "au-1", ",'follows_edge':true"), "edge"},
	    {INSIDE("fr-1", "au-1", ",'follows_edge':false"),
		"combat.attacker.state"},
	    {INSIDE("fr-1", "au-1", ",'follows_inside':true"),
		"combat.follows_inside"},
	    {INSIDE("fr-1", "au-2", ""), "combat.attacker.state"},
	    {INSIDE("fr-2", "au-1", ""), "combat.attacker.state"},
	};
	struct roster *r = leniston2009_roster(ROSTER);
	size_t i;

	(void)state;
	/* 3 + 3 + 1: both are disordered, and the garrison stays. */
	leniston2009_declare(r, EDGE, 0, "33");
	assert_string_equal(
	    leniston2009_follows(r, 1, cases[0].text), "combat.attacker.state");
	roster_free(r);
	r = leniston2009_roster(ROSTER);
	/* 3 + 4 + 1: it retires. */
	leniston2009_declare(r, EDGE, 0, "34");
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(
		    leniston2009_follows(r, 1, cases[i].text), cases[i].is);
	/* The second round is one inside. */
	/* 1 + 1 + 4: a draw against a shaken enemy. */
	leniston2009_declare(r, INSIDE("fr-1", "au-1", ""), 0, "11");
	assert_string_equal(
	    leniston2009_follows(r, 1, INSIDE("fr-1", "au-1", "")), "inside");
	leniston2009_unit_is(r, "fr-1",
	    "{'id':'fr-1','arm':'infantry','class':'A','fire':'B',"
	    "'skirmish':'A','casualties':2,'state':'disordered',"
	    "'skirmished':false,'fought_inside':'au-1'}");
	roster_free(r);
}

/* 12.8: and whom a brigade fought inside, wherever that began. */
static void
who_fought_inside_goes_on_without_an_edge(void **state)
{
	static const struct {
		int side;
		const char *text, *is;
	} cases[] = {
	    {1, INSIDE("fr-1", "au-1", ""), "inside"},
	    {1, INSIDE("fr-1", "au-1", ",'follows_inside':true"), "inside"},
	    {1, INSIDE("fr-1", "au-1", ",'follows_edge':false"), "inside"},
	    {1, INSIDE("fr-1", "au-1", ",'follows_inside':false"),
		"combat.follows_inside"},
	    {1, INSIDE("fr-1", "au-1", ",'follows_inside':1"),
		"combat.follows_inside"},
	    /* It had to be stated once, and is taken as it was. */
	    {1, INSIDE("fr-1", "au-1", ",'follows_edge':true"), "edge"},
	    {2, INSIDE("au-1", "fr-1", ""), "inside"},
	    {1, INSIDE("fr-1", "au-2", ""), "combat.attacker.state"},
	    {2, INSIDE("au-1", "fr-2", ""), "combat.attacker.state"},
	    {1, EDGE, "combat.attacker.state"},
	};
	struct roster *r = leniston2009_roster(ROSTER), *back = NULL;
	json_t *events = json_array(), *saved;
	struct errinfo e;
	size_t i;

	(void)state;
	/* 2 + 2 + 2: both are disordered. */
	leniston2009_declare(r, INSIDE("fr-1", "au-1", ""), 0, "22");
	saved = roster_json(r);
	assert_int_equal(
	    roster_restore(&leniston2009_system, saved, &back, &e), 0);
	json_decref(saved);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_string_equal(
		    leniston2009_follows(r, cases[i].side, cases[i].text),
		    cases[i].is);
		assert_string_equal(
		    leniston2009_follows(back, cases[i].side, cases[i].text),
		    cases[i].is);
	}
	roster_free(back);
	/* The end of the round makes an end of it. */
	assert_int_equal(roster_upkeep(r, events), 0);
	json_decref(events);
	assert_string_equal(
	    leniston2009_follows(r, 1, INSIDE("fr-1", "au-1", "")), "none");
	leniston2009_unit_is(r, "fr-1",
	    "{'id':'fr-1','arm':'infantry','class':'A','fire':'B',"
	    "'skirmish':'A','casualties':1,'state':'formed',"
	    "'skirmished':false}");
	roster_free(r);
}

static void
upkeep_forms_the_disordered_and_forgets_skirmishes(void **state)
{
	struct roster *r = leniston2009_roster(ROSTER);
	json_t *events = json_array();

	(void)state;
	/* 4 + 3 hits the defender, who passes; 5 + 2 hits the attacker. */
	leniston2009_declare(r, SKIRMISH, 0, "4564");
	assert_int_equal(
	    roster_set(r, "fr-1", "state", json_string("disordered")), 0);
	assert_int_equal(roster_set_out(r, "fr-2", "routed"), 0);
	assert_int_equal(roster_upkeep(r, events), 0);
	quoted_is(json_incref(events),
	    "[{'e':'upkeep','unit':'fr-1','what':'formed'},"
	    "{'e':'upkeep','unit':'fr-1','what':'rested'}]");
	leniston2009_unit_is(r, "fr-1",
	    "{'id':'fr-1','arm':'infantry','class':'A','fire':'B',"
	    "'skirmish':'A','casualties':1,'state':'formed',"
	    "'skirmished':false}");
	/* Who is out of play does not form, nor do the shaken. */
	assert_string_equal(json_string_value(json_object_get(
				roster_find(r, "fr-2", NULL), "state")),
	    "disordered");
	assert_string_equal(json_string_value(json_object_get(
				roster_find(r, "au-2", NULL), "state")),
	    "shaken");
	assert_int_equal(json_array_clear(events), 0);
	assert_int_equal(roster_upkeep(r, events), 0);
	assert_int_equal(json_array_size(events), 0);
	json_decref(events);
	roster_free(r);
}

static void
upkeep_and_apply_survive_the_lack_of_memory(void **state)
{
	static const struct {
		const char *facts, *result;
	} cases[] = {
	    {SKIRMISH,
		"{'units':{'fr-1':{'casualties':1,'state':'rout'},"
		"'au-1':{'casualties':2,'state':'disordered'}}}"},
	    {EDGE,
		"{'units':{'fr-1':{'casualties':1,'state':'disordered'},"
		"'au-1':{'casualties':2,'state':'shaken','retires':4}}}"},
	    {INSIDE("fr-1", "au-1", ""),
		"{'units':{'fr-1':{'casualties':1,'state':'disordered'},"
		"'au-1':{'casualties':1,'state':'disordered'}}}"},
	};
	json_t *done, *events, *facts, *inside, *merged;
	struct roster *r;
	bool has_failed;
	struct errinfo e;
	size_t i;
	long nth;
	int err;

	(void)state;
	inside = quoted_json(INSIDE("fr-1", "au-1", ""));
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		facts = quoted_json(cases[i].facts);
		done = quoted_json(cases[i].result);
		nth = 0;
		do {
			r = leniston2009_roster(ROSTER);
			events = json_array();
			merged = NULL;
			alloc_start(nth++);
			err = roster_apply(r, facts, NULL, done);
			if (err == 0 && i > 0)
				err = roster_merge(r, 1, inside, &merged, &e);
			if (err == 0)
				err = roster_upkeep(r, events);
			has_failed = alloc_stop();
			assert_int_equal(err, has_failed ? ERR_NOMEM : 0);
			json_decref(merged);
			json_decref(events);
			roster_free(r);
		} while (has_failed);
		assert_true(nth > 4);
		json_decref(facts);
		json_decref(done);
	}
	json_decref(inside);
}

static void
the_place_is_the_defenders_id(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
	    {SKIRMISH, "au-1"},
	    {"{'defender':{}}", NULL},
	    {"{'defender':{'id':7}}", NULL},
	    {"{'defender':[]}", NULL},
	    {"{}", NULL},
	    {"[]", NULL},
	};
	const char *id;
	json_t *combat;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		combat = quoted_json(cases[i].text);
		id = leniston2009_system.game->place_id(combat);
		if (cases[i].want == NULL)
			assert_null(id);
		else
			assert_string_equal(id, cases[i].want);
		json_decref(combat);
	}
}

/* Holds one unit of an outcome against facts and result. */
static void
leniston2009_check_unit(const json_t *facts, const json_t *result,
    const struct rules_outcome *out, size_t i)
{
	const char *const names[] = {"attacker", "defender"};
	const json_t *unit = json_object_get(facts, names[i]);
	const json_t *fate;
	json_int_t lost;

	assert_int_equal(out->units[i].side, i);
	assert_string_equal(
	    out->units[i].id, json_string_value(json_object_get(unit, "id")));
	fate =
	    json_object_get(json_object_get(result, "units"), out->units[i].id);
	assert_string_equal(leniston2009_system.ends[out->units[i].end],
	    json_string_value(json_object_get(fate, "state")));
	lost = json_integer_value(json_object_get(fate, "casualties")) -
	    json_integer_value(json_object_get(unit, "casualties"));
	assert_int_equal(out->units[i].loss, lost);
	assert_int_equal(out->hits[i], lost);
}

/* The outcome as a whole, as 12.3 has it, from the result alone. */
static const char *
leniston2009_whole(const json_t *result, const struct rules_outcome *out)
{
	static const char *const rows[][2] = {
	    {"attacker routs", "defender routs"},
	    {"attacker retires", "defender retires"},
	    {"both disordered", "both disordered"},
	    {"defender retires", "attacker retires"},
	    {"defender routs", "attacker routs"},
	};
	const json_t *total = json_object_get(result, "total");
	size_t higher, row;

	if (total == NULL && out->hits[0] != 0)
		return (out->hits[1] != 0 ? "both hit" : "attacker hit");
	if (total == NULL)
		return (out->hits[1] != 0 ? "defender hit" : "no casualty");
	higher = strcmp(out->units[0].id,
		     json_string_value(json_object_get(result, "higher"))) != 0;
	row = (size_t)(json_integer_value(total) / 2);
	row = row < 2 ? 0 : row > 5 ? 4 : row - 1;
	return (rows[row][higher]);
}

/* 12.9. */
static void
outcomes_agree_with_results_for_every_policy(void **state)
{
	uint64_t chance, seed;
	const struct combat_dice dice = {
	    .roll = leniston2009_chance_cb, .arg = &chance};
	struct rules_outcome out;
	struct rules_settings set;
	json_t *facts, *result;
	struct combat *c;
	int word;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&leniston2009_system, NULL, NULL, &set, NULL),
	    0);
	for (seed = 0; seed < LENISTON2009_COMBATS; seed++) {
		chance = seed;
		facts = facts_leniston2009(&chance);
		for (word = 0;
		     leniston2009_system.policies[0].words[word] != NULL;
		     word++) {
			c = leniston2009_fight(facts, &set, word, &dice);
			result = combat_result(c);
			memset(&out, 0, sizeof(out));
			leniston2009_system.outcome(c, &out);
			assert_int_equal(out.n_units, 2);
			leniston2009_check_unit(facts, result, &out, 0);
			leniston2009_check_unit(facts, result, &out, 1);
			assert_string_equal(
			    out.whole, leniston2009_whole(result, &out));
			json_decref(result);
			combat_free(c);
		}
		json_decref(facts);
	}
	rules_settings_clear(&set);
}

static void
facts_and_results_survive_the_lack_of_memory(void **state)
{
	uint64_t chance = 3;
	const struct combat_dice dice = {
	    .roll = leniston2009_chance_cb, .arg = &chance};
	struct rules_settings set;
	json_t *facts, *made;
	struct combat *c;
	long nth = 0;
	int i;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&leniston2009_system, NULL, NULL, &set, NULL),
	    0);
	for (i = 0; i < 20; i++) {
		facts = facts_leniston2009(&chance);
		c = leniston2009_fight(facts, &set, 0, &dice);
		for (nth = 0;; nth++) {
			alloc_start(nth);
			made = leniston2009_system.facts(c);
			if (!alloc_stop())
				break;
			assert_null(made);
		}
		json_decref(made);
		for (nth = 0;; nth++) {
			alloc_start(nth);
			made = leniston2009_system.result(c);
			if (!alloc_stop())
				break;
			assert_null(made);
		}
		json_decref(made);
		combat_free(c);
		json_decref(facts);
	}
	rules_settings_clear(&set);
}

/* The events of a scenario from number `from` on, one a line. */
static void
leniston2009_events_are(
    const char *text, const char *faces, size_t from, const char *want)
{
	struct leniston2009_dice list = {faces};
	const struct combat_dice dice = {
	    .roll = leniston2009_dice_cb, .arg = &list};
	json_t *events = NULL, *facts = quoted_json(text);
	struct rules_settings set;
	struct combat *c;

	assert_int_equal(
	    rules_settings_parse(&leniston2009_system, NULL, NULL, &set, NULL),
	    0);
	c = leniston2009_fight(facts, &set, 0, &dice);
	assert_int_equal(combat_events(c, from, &events), 0);
	quoted_lines_are(events, 0, want);
	json_decref(events);
	json_decref(facts);
	combat_free(c);
	rules_settings_clear(&set);
}

/* 12.3: rule 13, with factors of every kind it knows but two. */
static void
events_of_a_melee_stand_in_the_order_of_the_rule(void **state)
{
	(void)state;
	leniston2009_events_are(
	    "{'rule':'melee','attacker':{'id':'a','class':'A','fire':'A',"
	    "'skirmish':'A','formation':'line','orders':'attack',"
	    "'morale':{'pursuit':true,'in_bua':true,"
	    "'routed_through':false}},"
	    "'defender':{'id':'d','name':'J\xc3\xa4ger','class':'C',"
	    "'fire':'B','skirmish':'B','casualties':4,'state':'shaken',"
	    "'formation':'column','outnumbered':true}}",
	    "12", 0,
	    "{'e':'combat','rule':'melee','attacker':{'id':'a',"
	    "'arm':'infantry','class':'A','fire':'A','skirmish':'A',"
	    "'casualties':0,'state':'formed','formation':'line',"
	    "'orders':'attack','position':'open','outnumbered':false,"
	    "'skirmished':false,'garrison':false,'deployed_artillery':false,"
	    "'morale':{'in_bua':true,'pursuit':true}},"
	    "'defender':{'id':'d','name':'J\xc3\xa4ger','arm':'infantry',"
	    "'class':'C','fire':'B','skirmish':'B','casualties':4,"
	    "'state':'shaken','formation':'column','position':'open',"
	    "'outnumbered':true,'skirmished':false,'garrison':false,"
	    "'deployed_artillery':false},'follows_edge':false}\n"
	    "{'e':'score','unit':'a','what':'factors',"
	    "'modifiers':{'class-a':1,'better-skirmishers':1,"
	    "'better-firepower':1,'line-v-column':2},'score':5}\n"
	    "{'e':'score','unit':'d','what':'factors',"
	    "'modifiers':{'class-c':-1,'outnumbered':-2,'casualties':-4,"
	    "'shaken':-2},'score':-9}\n"
	    "{'e':'change','unit':'a','what':'higher','why':'factors',"
	    "'factors':5,'by':'d','by_factors':-9}\n"
	    "{'e':'roll','label':'combat','sides':6,'dice':[1,2]}\n"
	    "{'e':'score','unit':'a','what':'total','difference':14,'die1':1,"
	    "'die2':2,'score':17}\n"
	    "{'e':'change','unit':'a','what':'row','why':'10-or-more',"
	    "'total':17,'by':'d'}\n"
	    "{'e':'change','unit':'a','what':'casualties','why':'table',"
	    "'taken':1,'casualties':1}\n"
	    "{'e':'change','unit':'a','what':'disordered',"
	    "'why':'hand-to-hand'}\n"
	    "{'e':'change','unit':'d','what':'casualties','why':'table',"
	    "'taken':3,'casualties':7}\n"
	    "{'e':'change','unit':'d','what':'rout','why':'table'}\n"
	    "{'e':'result','units':{'a':{'casualties':1,'state':'disordered',"
	    "'retires':0},'d':{'casualties':7,'state':'rout','retires':0}},"
	    "'total':17,'higher':'a','factors':{'a':5,'d':-9}}\n");
}

/* 12.4 and 12.5: rule 11, then rule 17. */
static void
events_of_a_skirmish_stand_in_the_order_of_the_rule(void **state)
{
	(void)state;
	leniston2009_events_are(
	    "{'rule':'skirmish','attacker':{'id':'a','class':'B','fire':'B',"
	    "'skirmish':'A','formation':'line','orders':'engage',"
	    "'casualties':5},'defender':{'id':'d','class':'A','fire':'B',"
	    "'skirmish':'B','formation':'line','state':'disordered',"
	    "'morale':{'pursuit':true,"
	    "'general_attached':true}}}",
	    "646", 1,
	    "{'e':'ask','side':'defender','kind':'skirmish-back',"
	    "'options':{'accept':{'one':[true,false]}}}\n"
	    "{'e':'decision','side':'defender','kind':'skirmish-back',"
	    "'accept':true}\n"
	    "{'e':'roll','label':'skirmish/a','sides':6,'dice':[6]}\n"
	    "{'e':'score','unit':'a','what':'skirmish','die':6,"
	    "'modifiers':{'skirmish-a':3,'casualties':-5},'score':4}\n"
	    "{'e':'roll','label':'skirmish/d','sides':6,'dice':[4]}\n"
	    "{'e':'score','unit':'d','what':'skirmish','die':4,"
	    "'modifiers':{'skirmish-b':2,'disordered':-1},'score':5}\n"
	    "{'e':'change','unit':'a','what':'missed','why':'skirmish'}\n"
	    "{'e':'change','unit':'d','what':'missed','why':'skirmish'}\n"
	    "{'e':'roll','label':'morale/a','sides':6,'dice':[6]}\n"
	    "{'e':'score','unit':'a','what':'morale','die':6,"
	    "'modifiers':{'casualties':-5},'score':1}\n"
	    "{'e':'change','unit':'a','what':'shaken','why':'morale',"
	    "'score':1}\n"
	    "{'e':'result','units':{'a':{'casualties':5,'state':'shaken',"
	    "'morale':{'total':1,'result':'shaken'}},"
	    "'d':{'casualties':0,'state':'disordered'}}}\n");
}

/* 12.3: the row disorders a brigade that is shaken. */
static void
a_state_that_stays_is_told_of(void **state)
{
	(void)state;
	leniston2009_events_are(
	    "{'rule':'firefight','attacker':{'id':'a','class':'B','fire':'B',"
	    "'skirmish':'B','formation':'line','orders':'hold'},"
	    "'defender':{'id':'d','class':'B','fire':'B','skirmish':'B',"
	    "'formation':'line','state':'shaken'}}",
	    "13", 7,
	    "{'e':'change','unit':'a','what':'casualties','why':'table',"
	    "'taken':1,'casualties':1}\n"
	    "{'e':'change','unit':'a','what':'disordered','why':'table'}\n"
	    "{'e':'change','unit':'d','what':'casualties','why':'table',"
	    "'taken':1,'casualties':1}\n"
	    "{'e':'change','unit':'d','what':'unimproved','why':'table',"
	    "'state':'shaken'}\n"
	    "{'e':'result','units':{'a':{'casualties':1,'state':'disordered',"
	    "'retires':0},'d':{'casualties':1,'state':'shaken','retires':0}},"
	    "'total':6,'higher':'a','factors':{'a':0,'d':-2}}\n");
}

/* Reads one of the samples. */
static json_t *
leniston2009_sample(const char *path)
{
	char text[16384];
	size_t n;
	FILE *f;

	assert_non_null(f = fopen(path, "rb"));
	n = fread(text, 1, sizeof(text) - 1, f);
	assert_int_equal(fclose(f), 0);
	text[n] = '\0';
	return (quoted_json(text));
}

static void
the_samples_are_lawful(void **state)
{
	struct errinfo e = {.text = ""};
	json_t *blob, *declared, *facts = NULL, *file, *out = NULL;
	struct rules_settings set;
	struct roster *r = NULL;
	struct combat *c = NULL;

	(void)state;
	file = leniston2009_sample(LENISTON2009_SAMPLES "played.json");
	assert_int_equal(scenario_run(file, NULL, NULL, &out, &e), 0);
	assert_string_equal(
	    json_string_value(json_object_get(out, "status")), "resolved");
	json_decref(out);
	json_decref(file);
	blob = leniston2009_sample(LENISTON2009_SAMPLES "evening.json");
	if (roster_parse(&leniston2009_system, blob, &r, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	declared =
	    leniston2009_sample(LENISTON2009_SAMPLES "evening-declare.json");
	if (roster_merge(
		r, 1, json_object_get(declared, "combat"), &facts, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	assert_int_equal(
	    rules_settings_parse(&leniston2009_system, NULL, NULL, &set, NULL),
	    0);
	if (combat_new(&leniston2009_system, &set, facts, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	combat_free(c);
	rules_settings_clear(&set);
	json_decref(facts);
	json_decref(declared);
	json_decref(blob);
	roster_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_system_is_known_by_its_version),
	    cmocka_unit_test(a_roster_has_defaults_and_what_the_game_keeps),
	    cmocka_unit_test(a_roster_that_breaks_the_rules_is_refused),
	    cmocka_unit_test(a_declaration_is_filled_in_from_the_roster),
	    cmocka_unit_test(
		a_declaration_that_differs_or_is_malformed_is_refused),
	    cmocka_unit_test(a_result_sets_casualties_and_state_and_routs),
	    cmocka_unit_test(a_skirmish_is_remembered_of_who_began_it),
	    cmocka_unit_test(who_won_at_the_edge_goes_on_inside),
	    cmocka_unit_test(who_fought_inside_goes_on_without_an_edge),
	    cmocka_unit_test(
		upkeep_forms_the_disordered_and_forgets_skirmishes),
	    cmocka_unit_test(upkeep_and_apply_survive_the_lack_of_memory),
	    cmocka_unit_test(the_place_is_the_defenders_id),
	    cmocka_unit_test(outcomes_agree_with_results_for_every_policy),
	    cmocka_unit_test(facts_and_results_survive_the_lack_of_memory),
	    cmocka_unit_test(events_of_a_melee_stand_in_the_order_of_the_rule),
	    cmocka_unit_test(
		events_of_a_skirmish_stand_in_the_order_of_the_rule),
	    cmocka_unit_test(a_state_that_stays_is_told_of),
	    cmocka_unit_test(the_samples_are_lawful),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
