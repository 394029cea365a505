/* SPDX-License-Identifier: ISC */
/*
 * imagi-nations within a game: rosters, what a result leaves on them, the
 * end of a round, orders between combats (umpire-rules.7, 13.11).
 */
#include "common/rules/imaginations/imaginations_roster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/json/js.h"
#include "common/rules/imaginations/imaginations.h"
#include "common/rules/roster.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

#define ROSTER                                                               \
	"{'blob':'roster','system':'imagi-nations','sides':{"                \
	"'1':{'units':[{'id':'a','name':'Artois','lead':'a1','battalions':[" \
	"{'id':'a1','quality':'elite','sp':3,'hits':1},"                     \
	"{'id':'a2','quality':'raw','sp':2}],'commander':1},"                \
	"{'id':'b','arm':'cavalry','lead':'b1','battalions':["               \
	"{'id':'b1','quality':'trained','sp':1}],'fatigue':2,"               \
	"'disordered':true,'morale':3}]},"                                   \
	"'2':{'units':[{'id':'d','lead':'d1','battalions':["                 \
	"{'id':'d1','quality':'veteran','sp':2},"                            \
	"{'id':'d2','quality':'veteran','sp':2}]}]}}}"

#define UNIT_A                                                         \
	"{'id':'a','name':'Artois','arm':'infantry','lead':'a1',"      \
	"'battalions':[{'id':'a1','quality':'elite','sp':3,'hits':1}," \
	"{'id':'a2','quality':'raw','sp':2,'hits':0}],'commander':1,"  \
	"'fatigue':0,'disordered':false,'morale':4"
#define UNIT_D                                                            \
	"{'id':'d','arm':'infantry','lead':'d1',"                         \
	"'battalions':[{'id':'d1','quality':'veteran','sp':2,'hits':0},"  \
	"{'id':'d2','quality':'veteran','sp':2,'hits':0}],'commander':0," \
	"'fatigue':0,'disordered':false,'morale':4"

/* What is needed to rally: 4 on a die, or no die. */
static const struct rules_settings set = {
    .sys = &imaginations_system,
    .rulings = {[IMAGINATIONS_RALLY_TARGET] = 4},
};
static const struct rules_settings automatic = {
    .sys = &imaginations_system,
    .rulings = {[IMAGINATIONS_RALLY_TARGET] = IMAGINATIONS_RALLY_AUTOMATIC},
};

/* Opens the roster of the tests. */
static struct roster *
imaginations_roster(void)
{
	json_t *blob = quoted_json(ROSTER);
	struct errinfo e = {.text = ""};
	struct roster *r = NULL;

	if (roster_parse(&imaginations_system, blob, &r, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(blob);
	return (r);
}

/* The unit of the roster has this text. */
static void
imaginations_unit_is(const struct roster *r, const char *id, const char *want)
{
	quoted_is(json_deep_copy(roster_find(r, id, NULL)), want);
}

static void
a_roster_is_written_with_its_defaults_and_restored_the_same(void **state)
{
	struct roster *again, *r = imaginations_roster();
	json_t *saved = roster_json(r), *second;

	(void)state;
	imaginations_unit_is(r, "a", UNIT_A ",'lead_free':0,'tried':null}");
	imaginations_unit_is(r, "d", UNIT_D ",'lead_free':0,'tried':null}");
	assert_int_equal(
	    roster_restore(&imaginations_system, saved, &again, NULL), 0);
	second = roster_json(again);
	assert_true(json_equal(saved, second));
	json_decref(saved);
	json_decref(second);
	roster_free(again);
	roster_free(r);
}

static void
rosters_refuse_what_is_not_theirs(void **state)
{
	static const struct {
		const char *unit;
		enum rules_roster how;
		const char *where;
	} cases[] = {
	    {"{'id':'a','lead':'x','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1}],'lead_free':0}",
		RULES_ROSTER_GIVEN, "u.lead_free"},
	    {"{'id':'a','lead':'x','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1}],'lead_free':2}",
		RULES_ROSTER_KEPT, "u.lead_free"},
	    {"{'id':'a','lead':'x','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1}],'retreat_room':1}",
		RULES_ROSTER_GIVEN, "u.retreat_room"},
	    {"{'id':'a','lead':'x','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1,'hits':1}]}",
		RULES_ROSTER_GIVEN, "u.battalions"},
	    {"{'id':'a','lead':'x','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1,'hits':1}]}",
		RULES_ROSTER_KEPT, "u.battalions"},
	    {"{'id':'a','lead':'x','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1,'hits':1}]}",
		RULES_ROSTER_OUT, NULL},
	    {"{'id':'a','lead':'y','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1}]}",
		RULES_ROSTER_GIVEN, "u.lead"},
	    {"{'id':'a','lead':'x','battalions':[{'id':'x','quality':'raw',"
	     "'sp':1},{'id':'x','quality':'raw','sp':1}]}",
		RULES_ROSTER_GIVEN, "u.battalions[1].id"},
	    {"{'id':'A'}", RULES_ROSTER_GIVEN, "u.id"},
	    {"7", RULES_ROSTER_GIVEN, "u"},
	};
	const struct js_at at = {.name = "u"};
	json_t *made, *unit;
	struct errinfo e;
	size_t i;
	int r;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unit = i + 1 < sizeof(cases) / sizeof(cases[0])
		    ? quoted_json(cases[i].unit)
		    : json_integer(7);
		made = NULL;
		r = imaginations_system.roster_unit(
		    unit, cases[i].how, &at, &made, &e);
		if (cases[i].where == NULL) {
			assert_int_equal(r, 0);
			json_decref(made);
		} else {
			assert_int_equal(r, ERR_INVALID);
			assert_string_equal(e.where, cases[i].where);
			assert_null(made);
		}
		json_decref(unit);
	}
}

static void
a_declaration_is_filled_in_from_the_rosters(void **state)
{
	json_t *combat, *facts = NULL;
	struct roster *r = imaginations_roster();
	struct errinfo e = {.text = ""};

	(void)state;
	combat =
	    quoted_json("{'attacker':{'units':[{'id':'a','retreat_room':1}]},"
			"'defender':{'units':[{'id':'d'}],'can_evade':true},"
			"'terrain':'hill'}");
	assert_int_equal(roster_merge(r, 1, combat, &facts, &e), 0);
	quoted_is(facts,
	    "{'attacker':{'units':[" UNIT_A ",'retreat_room':1}]},"
	    "'defender':{'units':[" UNIT_D "}],'can_evade':true},"
	    "'terrain':'hill'}");
	json_decref(combat);
	roster_free(r);
}

static void
declarations_that_do_not_fit_are_refused(void **state)
{
	static const struct {
		const char *combat;
		const char *where;
	} cases[] = {
	    {"{}", "combat.attacker"},
	    {"{'attacker':[],'defender':{}}", "combat.attacker"},
	    {"{'attacker':{},'defender':{}}", "combat.attacker.units"},
	    {"{'attacker':{'units':{}}}", "combat.attacker.units"},
	    {"{'attacker':{'units':[7]}}", "combat.attacker.units[0]"},
	    {"{'attacker':{'units':[{'id':'a'}]}}", "combat.defender"},
	    {"{'attacker':{'units':[{'id':'a'}]},'defender':null}",
		"combat.defender"},
	    {"{'attacker':{'units':[{'id':'d'}]},'defender':{}}",
		"combat.attacker.units[0].id"},
	    {"{'attacker':{'units':[{'id':'a','morale':5}]}}",
		"combat.attacker.units[0].morale"},
	    {"{'attacker':{'units':[{'id':'a','battalions':[]}]}}",
		"combat.attacker.units[0].battalions"},
	    {"{'attacker':{'units':[{'id':'a'}]},"
	     "'defender':{'units':[{'id':'d','lead':'d2'}]}}",
		"combat.defender.units[0].lead"},
	    {"{'bag':[],'attacker':{'units':[{'id':'a'}]}}", "combat.bag"},
	    {"{'bag':null}", "combat.bag"},
	};
	struct roster *r = imaginations_roster();
	json_t *combat, *facts = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		combat = quoted_json(cases[i].combat);
		assert_int_equal(
		    roster_merge(r, 1, combat, &facts, &e), ERR_INVALID);
		assert_string_equal(e.where, cases[i].where);
		assert_null(facts);
		json_decref(combat);
	}
	roster_free(r);
}

static void
a_result_is_written_back(void **state)
{
	struct roster *again = NULL, *r = imaginations_roster();
	json_t *combat, *facts = NULL, *result, *saved;
	struct errinfo e;

	(void)state;
	result = quoted_json(
	    "{'units':{'a':{'hits':{'a1':2,'a2':0},'fatigue':1,"
	    "'disordered':true,'morale':3,'retreated':2},"
	    "'b':{'hits':{'b1':1},'fatigue':2,'disordered':true,'morale':3,"
	    "'retreated':0},'d':{'hits':{'d1':0,'d2':0},'fatigue':0,"
	    "'disordered':false,'morale':4,'retreated':0}}}");
	assert_int_equal(roster_apply(r, NULL, NULL, result), 0);
	imaginations_unit_is(r, "a",
	    "{'id':'a','name':'Artois','arm':'infantry','lead':'a1',"
	    "'battalions':[{'id':'a1','quality':'elite','sp':3,'hits':2},"
	    "{'id':'a2','quality':'raw','sp':2,'hits':0}],'commander':1,"
	    "'fatigue':1,'disordered':true,'morale':3,'lead_free':1,'tried':"
	    "null}");
	imaginations_unit_is(r, "d", UNIT_D ",'lead_free':0,'tried':null}");
	assert_string_equal(roster_out(roster_find(r, "b", NULL)), "destroyed");
	/* What is destroyed is kept, and may not be declared. */
	saved = roster_json(r);
	assert_int_equal(
	    roster_restore(&imaginations_system, saved, &again, NULL), 0);
	assert_string_equal(
	    roster_out(roster_find(again, "b", NULL)), "destroyed");
	combat = quoted_json("{'attacker':{'units':[{'id':'b'}]}}");
	assert_int_equal(
	    roster_merge(again, 1, combat, &facts, &e), ERR_INVALID);
	assert_string_equal(e.where, "combat.attacker.units[0].id");
	json_decref(combat);
	json_decref(saved);
	json_decref(result);
	roster_free(again);
	roster_free(r);
}

static void
the_end_of_a_round_rests_units_and_counts_leads_down(void **state)
{
	struct roster *r = imaginations_roster();
	json_t *events;

	(void)state;
	assert_int_equal(roster_set(r, "a", "lead_free", json_integer(1)), 0);
	assert_int_equal(roster_set(r, "d", "fatigue", json_integer(9)), 0);
	assert_int_equal(roster_set_out(r, "d", "destroyed"), 0);
	events = json_array();
	assert_int_equal(roster_upkeep(r, events), 0);
	quoted_is(events,
	    "[{'e':'upkeep','unit':'a','what':'lead_free','lead_free':0},"
	    "{'e':'upkeep','unit':'b','what':'fatigue','fatigue':1}]");
	events = json_array();
	assert_int_equal(roster_upkeep(r, events), 0);
	quoted_is(
	    events, "[{'e':'upkeep','unit':'b','what':'fatigue','fatigue':0}]");
	events = json_array();
	assert_int_equal(roster_upkeep(r, events), 0);
	quoted_is(events, "[]");
	roster_free(r);
}

/*
 * Checks an order of side 1 by some rulings and carries it out with this die
 * of so many sides.
 */
static void
imaginations_order(struct roster *r, const struct rules_settings *by,
    const char *args, uint16_t die, const char *label, unsigned sides,
    const char *want)
{
	json_t *events = json_array(), *order = quoted_json(args);
	struct rules_upkeep_roll roll;
	struct errinfo e = {.text = ""};

	if (imaginations_system.game->upkeep_check(
		r, by, 1, order, &roll, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	assert_string_equal(roll.label, label);
	assert_int_equal(roll.n, sides == 0 ? 0 : 1);
	assert_int_equal(roll.sides, sides);
	assert_int_equal(
	    imaginations_system.game->upkeep_do(r, by, order, &die, events), 0);
	json_decref(order);
	quoted_is(events, want);
}

/* Checks an order of side 1 that is refused. */
static void
imaginations_no_order(struct roster *r, const char *args, const char *text)
{
	json_t *order = quoted_json(args);
	struct rules_upkeep_roll roll;
	struct errinfo e = {.text = ""};

	assert_int_equal(imaginations_system.game->upkeep_check(
			     r, &set, 1, order, &roll, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "args.unit");
	assert_string_equal(e.text, text);
	json_decref(order);
}

static void
orders_between_combats_do_what_they_say(void **state)
{
	struct roster *r = imaginations_roster();

	(void)state;
	imaginations_order(r, &set, "{'unit':'b','do':'rest'}", 1, "rest/b", 3,
	    "[{'e':'upkeep','unit':'b','what':'rest','die':1,'fatigue':1}]");
	imaginations_order(r, &set, "{'unit':'b','do':'rest'}", 3, "rest/b", 3,
	    "[{'e':'upkeep','unit':'b','what':'rest','die':3,'fatigue':0}]");
	imaginations_order(r, &automatic, "{'unit':'b','do':'recover'}", 0, "",
	    0, "[{'e':'upkeep','unit':'b','what':'recover'}]");
	assert_int_equal(roster_set(r, "a", "lead_free", json_integer(1)), 0);
	imaginations_order(r, &set, "{'unit':'a','do':'lead','battalion':'a2'}",
	    0, "", 0,
	    "[{'e':'upkeep','unit':'a','what':'lead','battalion':'a2'}]");
	assert_int_equal(
	    roster_set(r, "a", "battalions",
		quoted_json("[{'id':'a1','quality':'elite','sp':3,'hits':3},"
			    "{'id':'a2','quality':'raw','sp':2,'hits':0}]")),
	    0);
	imaginations_order(r, &automatic,
	    "{'unit':'a','do':'rally','battalion':'a1'}", 0, "", 0,
	    "[{'e':'upkeep','unit':'a','what':'rally','battalion':'a1',"
	    "'hits':2}]");
	imaginations_unit_is(r, "a",
	    "{'id':'a','name':'Artois','arm':'infantry','lead':'a1',"
	    "'battalions':[{'id':'a1','quality':'elite','sp':3,'hits':2},"
	    "{'id':'a2','quality':'raw','sp':2,'hits':0}],'commander':1,"
	    "'fatigue':0,'disordered':false,'morale':4,'lead_free':1,"
	    "'tried':'rally','next_lead':'a2'}");
	imaginations_unit_is(r, "b",
	    "{'id':'b','arm':'cavalry','lead':'b1','battalions':["
	    "{'id':'b1','quality':'trained','sp':1,'hits':0}],'commander':0,"
	    "'fatigue':0,'disordered':false,'morale':3,'lead_free':0,"
	    "'tried':'recover'}");
	roster_free(r);
}

static void
rallying_and_recovering_are_attempts_of_which_a_turn_has_one(void **state)
{
	struct roster *r = imaginations_roster();
	struct rules_settings six = set;

	(void)state;
	six.rulings[IMAGINATIONS_RALLY_TARGET] = 6;
	assert_int_equal(
	    roster_set(r, "b", "battalions",
		quoted_json("[{'id':'b1','quality':'raw','sp':5,'hits':4}]")),
	    0);
	imaginations_order(r, &set,
	    "{'unit':'b','do':'rally','battalion':'b1'}", 3, "rally/b", 6,
	    "[{'e':'upkeep','unit':'b','what':'not-rallied','die':3,"
	    "'target':4,'battalion':'b1'}]");
	imaginations_no_order(r, "{'unit':'b','do':'recover'}",
	    "has tried to rally in this turn, and may try to recover in "
	    "another");
	imaginations_order(r, &set,
	    "{'unit':'b','do':'rally','battalion':'b1'}", 4, "rally/b", 6,
	    "[{'e':'upkeep','unit':'b','what':'rallied','die':4,'target':4,"
	    "'battalion':'b1','hits':3}]");
	imaginations_no_order(r, "{'unit':'b','do':'recover'}",
	    "has tried to rally in this turn, and may try to recover in "
	    "another");
	assert_int_equal(roster_turn_end(r), 0);
	imaginations_order(r, &six, "{'unit':'b','do':'recover'}", 5, "rally/b",
	    6,
	    "[{'e':'upkeep','unit':'b','what':'not-recovered','die':5,"
	    "'target':6}]");
	imaginations_no_order(r, "{'unit':'b','do':'rally','battalion':'b1'}",
	    "has tried to recover in this turn, and may try to rally in "
	    "another");
	imaginations_order(r, &six, "{'unit':'b','do':'recover'}", 6, "rally/b",
	    6,
	    "[{'e':'upkeep','unit':'b','what':'recovered','die':6,"
	    "'target':6}]");
	imaginations_unit_is(r, "b",
	    "{'id':'b','arm':'cavalry','lead':'b1','battalions':["
	    "{'id':'b1','quality':'raw','sp':5,'hits':3}],'commander':0,"
	    "'fatigue':2,'disordered':false,'morale':3,'lead_free':0,"
	    "'tried':'recover'}");
	roster_free(r);
}

/* 13.11: a lead battalion is named now, and leads when the game turn ends. */
static void
a_lead_that_is_named_comes_into_force_at_the_end(void **state)
{
	static const struct {
		const char *named; /* battalions, a letter each */
		const char *hits; /* of a1 and a2 at the end */
		const char *out; /* NULL: in play */
		const char *lead, *events;
	} cases[] = {
	    {"2", "00", NULL, "a2",
		"[{'e':'upkeep','unit':'a','what':'leads','battalion':'a2'},"
		"{'e':'upkeep','unit':'a','what':'lead_free','lead_free':0},"},
	    {"", "00", NULL, "a1",
		"[{'e':'upkeep','unit':'a','what':'lead_free','lead_free':0},"},
	    /* The order is taken back by naming the present one. */
	    {"21", "00", NULL, "a1",
		"[{'e':'upkeep','unit':'a','what':'lead_free','lead_free':0},"},
	    {"22", "00", NULL, "a2",
		"[{'e':'upkeep','unit':'a','what':'leads','battalion':'a2'},"
		"{'e':'upkeep','unit':'a','what':'lead_free','lead_free':0},"},
	    /* It has lost its strength since. */
	    {"2", "02", NULL, "a1",
		"[{'e':'upkeep','unit':'a','what':'lead_free','lead_free':0},"},
	    {"2", "00", "lost", "a1", "["},
	};
	const char *id, *n;
	struct roster *r;
	json_t *events, *list;
	char args[64], want[256];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		r = imaginations_roster();
		assert_int_equal(
		    roster_set(r, "a", "lead_free", json_integer(1)), 0);
		for (n = cases[i].named; *n != '\0'; n++) {
			(void)snprintf(args, sizeof(args),
			    "{'unit':'a','do':'lead','battalion':'a%c'}", *n);
			(void)snprintf(want, sizeof(want),
			    "[{'e':'upkeep','unit':'a','what':'lead',"
			    "'battalion':'a%c'}]",
			    *n);
			imaginations_order(r, &set, args, 0, "", 0, want);
		}
		list = json_pack("[{s:s, s:s, s:i, s:i}, {s:s, s:s, s:i, s:i}]",
		    "id", "a1", "quality", "elite", "sp", 3, "hits",
		    cases[i].hits[0] - '0', "id", "a2", "quality", "raw", "sp",
		    2, "hits", cases[i].hits[1] - '0');
		assert_int_equal(roster_set(r, "a", "battalions", list), 0);
		if (cases[i].out != NULL)
			assert_int_equal(
			    roster_set_out(r, "a", cases[i].out), 0);
		id = json_string_value(
		    json_object_get(roster_find(r, "a", NULL), "lead"));
		assert_string_equal(id, "a1");
		events = json_array();
		assert_int_equal(roster_upkeep(r, events), 0);
		(void)snprintf(want, sizeof(want), "%s%s", cases[i].events,
		    "{'e':'upkeep','unit':'b','what':'fatigue','fatigue':1}]");
		quoted_is(events, want);
		id = json_string_value(
		    json_object_get(roster_find(r, "a", NULL), "lead"));
		assert_string_equal(id, cases[i].lead);
		assert_null(
		    json_object_get(roster_find(r, "a", NULL), "next_lead"));
		roster_free(r);
	}
}

static void
orders_that_cannot_be_are_refused(void **state)
{
	static const struct {
		const char *args;
		const char *where;
	} cases[] = {
	    {"{}", "args.do"},
	    {"[]", "args"},
	    {"{'do':'sleep','unit':'a'}", "args.do"},
	    {"{'do':'rest'}", "args.unit"},
	    {"{'do':'rest','unit':7}", "args.unit"},
	    {"{'do':'rest','unit':'d'}", "args.unit"},
	    {"{'do':'rest','unit':'z'}", "args.unit"},
	    {"{'do':'rest','unit':'b'}", "args.unit"}, /* out of play */
	    {"{'do':'rest','unit':'a'}", "args.unit"}, /* not tired */
	    {"{'do':'rest','unit':'a','battalion':'a1'}", "args.battalion"},
	    {"{'do':'rest','unit':'a','n':1}", "args.n"},
	    {"{'do':'recover','unit':'a'}", "args.unit"}, /* in order */
	    {"{'do':'recover','unit':'a','battalion':'a1'}", "args.battalion"},
	    {"{'do':'rally','unit':'a'}", "args.battalion"},
	    {"{'do':'rally','unit':'a','battalion':1}", "args.battalion"},
	    {"{'do':'rally','unit':'a','battalion':'d1'}", "args.battalion"},
	    {"{'do':'rally','unit':'a','battalion':'a1'}", "args.battalion"},
	    {"{'do':'rally','unit':'a','battalion':'a2'}", "args.battalion"},
	    {"{'do':'lead','unit':'a','battalion':'a2'}", "args.unit"},
	    {"{'do':'lead','unit':'d','battalion':'d2'}", "args.unit"},
	};
	struct roster *r = imaginations_roster();
	struct rules_upkeep_roll roll;
	json_t *args, *after, *before;
	struct errinfo e;
	size_t i;

	(void)state;
	assert_int_equal(roster_set_out(r, "b", "destroyed"), 0);
	before = roster_json(r);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		args = quoted_json(cases[i].args);
		assert_int_equal(imaginations_system.game->upkeep_check(
				     r, &set, 1, args, &roll, &e),
		    ERR_INVALID);
		assert_string_equal(e.where, cases[i].where);
		json_decref(args);
	}
	after = roster_json(r);
	assert_true(json_equal(before, after));
	json_decref(before);
	json_decref(after);
	assert_int_equal(roster_set(r, "a", "lead_free", json_integer(1)), 0);
	args = quoted_json("{'do':'lead','unit':'a','battalion':'a1'}");
	assert_int_equal(
	    imaginations_system.game->upkeep_check(r, &set, 1, args, &roll, &e),
	    ERR_INVALID);
	json_decref(args);
	assert_int_equal(
	    roster_set(r, "a", "battalions",
		quoted_json("[{'id':'a1','quality':'elite','sp':3,'hits':0},"
			    "{'id':'a2','quality':'raw','sp':2,'hits':2}]")),
	    0);
	args = quoted_json("{'do':'lead','unit':'a','battalion':'a2'}");
	assert_int_equal(
	    imaginations_system.game->upkeep_check(r, &set, 1, args, &roll, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "args.battalion");
	json_decref(args);
	roster_free(r);
}

static void
the_place_is_the_least_id_among_the_defenders(void **state)
{
	json_t *combat;

	(void)state;
	combat =
	    quoted_json("{'attacker':{'units':[{'id':'a'}]},"
			"'defender':{'units':[{'id':'d2'},7,{'id':'d10'}]}}");
	assert_string_equal(imaginations_system.game->place_id(combat), "d10");
	json_decref(combat);
	combat = quoted_json("{'defender':[]}");
	assert_null(imaginations_system.game->place_id(combat));
	json_decref(combat);
}

static void
failing_allocations_are_reported(void **state)
{
	const struct js_at at = {.name = "u"};
	struct roster *r = imaginations_roster();
	json_t *args, *events, *unit, *v;
	const uint16_t die = 1;
	long nth;
	int err;

	(void)state;
	unit = quoted_json(UNIT_A "}");
	for (nth = 0;; nth++) {
		v = NULL;
		alloc_start(nth);
		err = imaginations_system.roster_unit(
		    unit, RULES_ROSTER_GIVEN, &at, &v, NULL);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_int_equal(err, ERR_NOMEM);
	}
	assert_int_equal(err, 0);
	json_decref(unit);
	args = quoted_json("{'unit':'b','do':'rest'}");
	for (nth = 0;; nth++) {
		events = json_array();
		alloc_start(nth);
		err = imaginations_system.game->upkeep_do(
		    r, &set, args, &die, events);
		if (!alloc_stop())
			break;
		json_decref(events);
		assert_int_equal(err, ERR_NOMEM);
	}
	json_decref(events);
	json_decref(args);
	roster_free(r);
	for (nth = 0;; nth++) {
		r = imaginations_roster();
		events = json_array();
		assert_int_equal(
		    roster_set(r, "a", "next_lead", json_string("a2")), 0);
		alloc_start(nth);
		err = roster_upkeep(r, events);
		json_decref(events);
		if (!alloc_stop())
			break;
		roster_free(r);
		assert_int_equal(err, ERR_NOMEM);
	}
	assert_int_equal(err, 0);
	roster_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		a_roster_is_written_with_its_defaults_and_restored_the_same),
	    cmocka_unit_test(rosters_refuse_what_is_not_theirs),
	    cmocka_unit_test(a_declaration_is_filled_in_from_the_rosters),
	    cmocka_unit_test(declarations_that_do_not_fit_are_refused),
	    cmocka_unit_test(a_result_is_written_back),
	    cmocka_unit_test(
		the_end_of_a_round_rests_units_and_counts_leads_down),
	    cmocka_unit_test(orders_between_combats_do_what_they_say),
	    cmocka_unit_test(
		rallying_and_recovering_are_attempts_of_which_a_turn_has_one),
	    cmocka_unit_test(a_lead_that_is_named_comes_into_force_at_the_end),
	    cmocka_unit_test(orders_that_cannot_be_are_refused),
	    cmocka_unit_test(the_place_is_the_least_id_among_the_defenders),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
