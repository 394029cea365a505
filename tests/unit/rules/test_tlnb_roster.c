/* SPDX-License-Identifier: ISC */
/*
 * tlnb within a game: rosters, declared combats, what is written back,
 * upkeep, places, the samples, memory (umpire-rules.7, 14.9).
 */
#include "common/rules/tlnb/tlnb_roster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/rules/combat.h"
#include "common/rules/roster.h"
#include "common/rules/show/show_list.h"
#include "common/rules/tlnb/tlnb.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"
#include "tests/lib/tlnb.h"

/* Side 1 has guns, horse and foot, side 2 as well; two are reduced. */
#define TLNB_ROSTER                                                           \
	"{'blob':'roster','system':'tlnb','sides':{'1':{'units':[{'id':'g',"  \
	"'name':'Grand Battery','arm':'artillery','sp':6,'reduced_sp':3,"     \
	"'reduced':true,'initiative':2},"                                     \
	"{'id':'h','arm':'artillery','sp':4,'initiative':2},"                 \
	"{'id':'c','arm':'cavalry','sp':4,'reduced_sp':2,'initiative':4},"    \
	"{'id':'i','arm':'infantry','sp':5,'reduced_sp':null,'initiative':3," \
	"'suppressed':true}]},'2':{'units':[{'id':'x','arm':'infantry',"      \
	"'sp':5,'reduced_sp':2,'initiative':3},"                              \
	"{'id':'v','arm':'vedette','sp':1,'initiative':2},"                   \
	"{'id':'k','arm':'artillery','sp':3,'initiative':2}]}}}"

/* Opens the roster of most tests. */
static struct roster *
tlnb_roster(void)
{
	json_t *blob = quoted_json(TLNB_ROSTER);
	struct roster *r = NULL;
	struct errinfo e;

	assert_int_equal(roster_parse(&tlnb_system, blob, &r, &e), 0);
	json_decref(blob);
	return (r);
}

/* A unit of the roster has this text. */
static void
tlnb_unit_is(const struct roster *r, const char *id, const char *text)
{
	json_t *unit = json_deep_copy(roster_find(r, id, NULL));

	quoted_is(unit, text);
}

/* Merges a declaration of side 1; the place of what is refused, or "". */
static const char *
tlnb_declare(const struct roster *r, const char *text, json_t **facts)
{
	static struct errinfo e;
	json_t *combat = quoted_json(text);
	int err;

	memset(&e, 0, sizeof(e));
	err = roster_merge(r, 1, combat, facts, &e);
	json_decref(combat);
	assert_true(err == 0 || err == ERR_INVALID);
	if (err != 0)
		assert_string_not_equal(e.text, "");
	return (err == 0 ? "" : e.where);
}

static void
a_roster_unit_has_its_members_in_order(void **state)
{
	struct roster *back = NULL, *r = tlnb_roster();
	struct errinfo e;
	json_t *saved;

	(void)state;
	tlnb_unit_is(r, "g",
	    "{'id':'g','name':'Grand Battery','arm':'artillery','sp':6,"
	    "'reduced_sp':3,'reduced':true,'initiative':2,'demoralized':false,"
	    "'suppressed':false,'bombarded':false,'overrunning':false,"
	    "'marker':null,'target_move':null}");
	saved = roster_json(r);
	assert_int_equal(roster_restore(&tlnb_system, saved, &back, &e), 0);
	json_decref(saved);
	tlnb_unit_is(back, "i",
	    "{'id':'i','arm':'infantry','sp':5,'reduced_sp':null,"
	    "'reduced':false,'initiative':3,'demoralized':false,"
	    "'suppressed':true,'bombarded':false,'overrunning':false,"
	    "'marker':null,'target_move':null}");
	roster_free(back);
	roster_free(r);
}

static void
a_roster_refuses_what_it_does_not_own(void **state)
{
	static const struct {
		const char *members;
		const char *where;
	} bad[] = {
	    {"'sp':4,'bombarded':false", "sides.1.units[0].bombarded"},
	    {"'sp':4,'halved':true", "sides.1.units[0].halved"},
	    {"'sp':4,'hex':'0101'", "sides.1.units[0].hex"},
	    {"'sp':0", "sides.1.units[0].sp"},
	    {"'sp':4,'reduced_sp':0", "sides.1.units[0].reduced_sp"},
	    {"'sp':4,'reduced':true", "sides.1.units[0].reduced"},
	    {"'sp':4,'suppressed':1", "sides.1.units[0].suppressed"},
	};
	struct roster *r = NULL;
	struct errinfo e;
	char text[512];
	json_t *blob;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(text, sizeof(text),
		    "{'blob':'roster','system':'tlnb',"
		    "'sides':{'1':{'units':[{'id':'a','arm':'infantry',"
		    "'initiative':3,%s}]},'2':{'units':[]}}}",
		    bad[i].members);
		blob = quoted_json(text);
		assert_int_equal(
		    roster_parse(&tlnb_system, blob, &r, &e), ERR_INVALID);
		assert_string_equal(e.where, bad[i].where);
		json_decref(blob);
	}
}

static void
a_declaration_is_filled_in_from_the_roster(void **state)
{
	struct roster *r = tlnb_roster();
	json_t *facts = NULL;

	(void)state;
	assert_int_equal(roster_set(r, "h", "bombarded", json_true()), 0);
	assert_string_equal(
	    tlnb_declare(r,
		"{'kind':'attack','attackers':[{'hex':'0101','halved':true,"
		"'id':'h'}],'defenders':[{'id':'v','sp':1}],"
		"'attacker_stacked_artillery':[{'id':'g'}],"
		"'defender_stacked_artillery':[{'id':'k'}]}",
		&facts),
	    "");
	quoted_is(facts,
	    "{'kind':'attack','attackers':[{'id':'h','arm':'artillery','sp':4,"
	    "'reduced_sp':null,'reduced':false,'initiative':2,"
	    "'demoralized':false,'suppressed':false,'halved':true,"
	    "'bombarded':true,'overrunning':false,'hex':'0101'}],"
	    "'defenders':[{'id':'v','arm':'vedette','sp':1,'reduced_sp':null,"
	    "'reduced':false,'initiative':2,'demoralized':false,"
	    "'suppressed':false,'bombarded':false,'overrunning':false}],"
	    "'attacker_stacked_artillery':[{'id':'g','name':'Grand Battery',"
	    "'arm':'artillery','sp':6,'reduced_sp':3,'reduced':true,"
	    "'initiative':2,'demoralized':false,'suppressed':false,"
	    "'bombarded':false,'overrunning':false}],'defender_stacked_"
	    "artillery':[{'id':'k',"
	    "'arm':'artillery','sp':3,'reduced_sp':null,'reduced':false,"
	    "'initiative':2,'demoralized':false,'suppressed':false,"
	    "'bombarded':false,'overrunning':false}]}");
	/* A battery has the strength of the side that is up. */
	assert_string_equal(
	    tlnb_declare(r,
		FIRE("{'range':2,'id':'g'},{'id':'h','sp':4,'range':3}",
		    "{'id':'v'}"),
		&facts),
	    "");
	quoted_is(json_incref(json_object_get(facts, "batteries")),
	    "[{'id':'g','name':'Grand Battery','sp':3,'range':2},"
	    "{'id':'h','sp':4,'range':3}]");
	json_decref(facts);
	assert_string_equal(tlnb_declare(r,
				"{'kind':'charge','cavalry':[{'id':'c'}],"
				"'target':[{'id':'x'}]}",
				&facts),
	    "");
	quoted_is(json_incref(json_object_get(facts, "target")),
	    "[{'id':'x','arm':'infantry','sp':5,'reduced_sp':2,"
	    "'reduced':false,'initiative':3,'demoralized':false,"
	    "'suppressed':false,'bombarded':false,'overrunning':false}]");
	json_decref(facts);
	roster_free(r);
}

static void
a_declaration_that_differs_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *where;
	} bad[] = {
	    {"{}", "combat.kind"},
	    {"{'kind':7}", "combat.kind"},
	    {"{'kind':'melee'}", "combat.kind"},
	    {"{'kind':'attack'}", "combat.attackers"},
	    {"{'kind':'attack','attackers':{}}", "combat.attackers"},
	    {"{'kind':'attack','attackers':[]}", "combat.defenders"},
	    {ATTACK("7", ""), "combat.attackers[0]"},
	    {ATTACK("{}", ""), "combat.attackers[0].id"},
	    {ATTACK("{'id':'x'}", ""), "combat.attackers[0].id"},
	    {ATTACK("{'id':'c','sp':2}", ""), "combat.attackers[0].sp"},
	    {ATTACK("{'id':'c','reduced':true}", ""),
		"combat.attackers[0].reduced"},
	    {ATTACK("{'id':'h','bombarded':true}", ""),
		"combat.attackers[0].bombarded"},
	    {ATTACK("{'id':'i','reduced_sp':2}", ""),
		"combat.attackers[0].reduced_sp"},
	    {ATTACK("{'id':'i','suppressed':false}", ""),
		"combat.attackers[0].suppressed"},
	    {ATTACK("", "{'id':'i'}"), "combat.defenders[0].id"},
	    {"{'kind':'attack','attackers':[],'defenders':[],"
	     "'attacker_stacked_artillery':7}",
		"combat.attacker_stacked_artillery"},
	    {"{'kind':'attack','attackers':[],'defenders':[],"
	     "'defender_stacked_artillery':[{'id':'g'}]}",
		"combat.defender_stacked_artillery[0].id"},
	    {"{'kind':'bombardment'}", "combat.batteries"},
	    {"{'kind':'bombardment','batteries':[]}", "combat.target"},
	    {"{'kind':'bombardment','batteries':[],'target':[]}",
		"combat.target"},
	    {"{'kind':'bombardment','batteries':[],'target':{}}",
		"combat.target.units"},
	    {FIRE("7", ""), "combat.batteries[0]"},
	    {FIRE("{}", ""), "combat.batteries[0].id"},
	    {FIRE("{'id':7}", ""), "combat.batteries[0].id"},
	    {FIRE("{'id':'nobody'}", ""), "combat.batteries[0].id"},
	    {FIRE("{'id':'k'}", ""), "combat.batteries[0].id"},
	    {FIRE("{'id':'c'}", ""), "combat.batteries[0].id"},
	    {FIRE("{'id':'g','sp':6}", ""), "combat.batteries[0].sp"},
	    {FIRE("{'id':'g','name':'G'}", ""), "combat.batteries[0].name"},
	    {FIRE("{'id':'h','name':'H'}", ""), "combat.batteries[0].name"},
	    {FIRE("", "{'id':'i'}"), "combat.target.units[0].id"},
	    {"{'kind':'charge'}", "combat.cavalry"},
	    {"{'kind':'charge','cavalry':[]}", "combat.target"},
	    {"{'kind':'charge','cavalry':[],'target':{}}", "combat.target"},
	    {"{'kind':'charge','cavalry':[{'id':'x'}]}",
		"combat.cavalry[0].id"},
	};
	struct roster *r = tlnb_roster();
	json_t *facts = NULL;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_string_equal(
		    tlnb_declare(r, bad[i].text, &facts), bad[i].where);
	assert_null(facts);
	assert_int_equal(roster_set_out(r, "g", "eliminated"), 0);
	assert_string_equal(tlnb_declare(r, FIRE("{'id':'g'}", ""), &facts),
	    "combat.batteries[0].id");
	/* What a battery may not have is refused by the facts. */
	assert_string_equal(
	    tlnb_declare(r, FIRE("{'arm':7,'id':'h'}", "{'id':'v'}"), &facts),
	    "");
	quoted_is(json_incref(json_object_get(facts, "batteries")),
	    "[{'id':'h','sp':4,'arm':7}]");
	json_decref(facts);
	roster_free(r);
}

/* Applies a result. */
static void
tlnb_apply(struct roster *r, const char *facts, const char *result)
{
	json_t *f = quoted_json(facts), *res = quoted_json(result);

	assert_int_equal(roster_apply(r, f, NULL, res), 0);
	json_decref(f);
	json_decref(res);
}

/* A flag of a unit of the roster. */
static bool
tlnb_flag(const struct roster *r, const char *id, const char *name)
{
	return (json_is_true(json_object_get(roster_find(r, id, NULL), name)));
}

static void
results_are_written_back_and_upkeep_clears(void **state)
{
	struct roster *r = tlnb_roster();
	json_t *events = json_array(), *saved;
	struct roster *back = NULL;
	struct errinfo e;
	char *text;

	(void)state;
	tlnb_apply(r, "{'kind':'attack'}",
	    "{'units':{'c':'reduced','i':'full','x':'eliminated'}}");
	assert_true(tlnb_flag(r, "c", "reduced"));
	assert_false(tlnb_flag(r, "i", "reduced"));
	assert_string_equal(
	    roster_out(roster_find(r, "x", NULL)), "eliminated");
	tlnb_apply(r,
	    "{'kind':'bombardment','batteries':[{'id':'g'},{'id':'h'}]}",
	    "{'suppressed':true,'units':{'v':'full'}}");
	assert_true(tlnb_flag(r, "g", "bombarded"));
	assert_true(tlnb_flag(r, "h", "bombarded"));
	assert_false(tlnb_flag(r, "v", "bombarded"));
	assert_true(tlnb_flag(r, "v", "suppressed"));
	/* No effect: they bombarded all the same. */
	tlnb_apply(r, "{'kind':'bombardment','batteries':[{'id':'k'}]}",
	    "{'suppressed':false,'units':{'c':'reduced'}}");
	assert_true(tlnb_flag(r, "k", "bombarded"));
	assert_false(tlnb_flag(r, "c", "suppressed"));
	saved = roster_json(r);
	assert_int_equal(roster_restore(&tlnb_system, saved, &back, &e), 0);
	text = json_dumps(saved, JSON_COMPACT);
	quoted_is(roster_json(back), text);
	free(text);
	json_decref(saved);
	roster_free(back);

	assert_int_equal(roster_upkeep(r, events), 0);
	quoted_is(json_incref(events),
	    "[{'e':'upkeep','unit':'g','what':'cleared','why':'bombarded'},"
	    "{'e':'upkeep','unit':'h','what':'cleared','why':'bombarded'},"
	    "{'e':'upkeep','unit':'i','what':'cleared','why':'suppressed'},"
	    "{'e':'upkeep','unit':'v','what':'cleared','why':'suppressed'},"
	    "{'e':'upkeep','unit':'k','what':'cleared','why':'bombarded'}]");
	assert_false(tlnb_flag(r, "g", "bombarded"));
	assert_false(tlnb_flag(r, "i", "suppressed"));
	assert_true(tlnb_flag(r, "c", "reduced"));
	(void)json_array_clear(events);
	assert_int_equal(roster_upkeep(r, events), 0);
	assert_int_equal(json_array_size(events), 0);
	json_decref(events);
	roster_free(r);
}

/* What a charge leaves stands until the turn ends. */
static void
charges_leave_markers_for_the_turn(void **state)
{
	struct roster *r = tlnb_roster();
	json_t *events = json_array();

	(void)state;
	tlnb_apply(r,
	    "{'kind':'charge','cavalry':[{'id':'c'}],'target':[{'id':'x'}]}",
	    "{'overrun':true,'target_move':null,'marker':'charge',"
	    "'units':{'c':'full','x':'full'}}");
	assert_true(tlnb_flag(r, "c", "overrunning"));
	tlnb_unit_is(r, "x",
	    "{'id':'x','arm':'infantry','sp':5,'reduced_sp':2,"
	    "'reduced':false,'initiative':3,'demoralized':false,"
	    "'suppressed':false,'bombarded':false,'overrunning':false,"
	    "'marker':'charge','target_move':null}");
	/* A failed one. */
	tlnb_apply(r,
	    "{'kind':'charge','cavalry':[{'id':'c'}],'target':[{'id':'v'}]}",
	    "{'overrun':false,'target_move':0,'marker':'charge',"
	    "'units':{'c':'eliminated','v':'full'}}");
	tlnb_apply(r,
	    "{'kind':'charge','cavalry':[{'id':'c'}],'target':[{'id':'k'}]}",
	    "{'overrun':false,'target_move':null,'marker':'square',"
	    "'units':{'k':'full'}}");
	assert_int_equal(roster_upkeep(r, events), 0);
	quoted_is(events,
	    "[{'e':'upkeep','unit':'c','what':'cleared',"
	    "'why':'overrunning'},"
	    "{'e':'upkeep','unit':'i','what':'cleared','why':'suppressed'},"
	    "{'e':'upkeep','unit':'x','what':'cleared','why':'marker'},"
	    "{'e':'upkeep','unit':'v','what':'cleared','why':'marker'},"
	    "{'e':'upkeep','unit':'v','what':'cleared',"
	    "'why':'target_move'},"
	    "{'e':'upkeep','unit':'k','what':'cleared','why':'marker'}]");
	assert_false(tlnb_flag(r, "c", "overrunning"));
	tlnb_unit_is(r, "x",
	    "{'id':'x','arm':'infantry','sp':5,'reduced_sp':2,"
	    "'reduced':false,'initiative':3,'demoralized':false,"
	    "'suppressed':false,'bombarded':false,'overrunning':false,"
	    "'marker':null,'target_move':null}");
	roster_free(r);
}

static void
the_place_is_named_by_the_least_defender(void **state)
{
	static const struct {
		const char *text;
		const char *id; /* "": none */
	} places[] = {
	    {ATTACK("{'id':'a'}", "{'id':'k'},{'id':'d'}"), "d"},
	    {FIRE("{'id':'a'}", "{'id':'t'},{'id':'s'}"), "s"},
	    {"{'cavalry':[{'id':'a'}],'target':[{'id':'z'},{'id':'y'}]}", "y"},
	    {"{}", ""},
	    {"{'defenders':7,'target':'x'}", ""},
	    {"{'defenders':[7,{'id':7}],'target':{'units':{}}}", ""},
	    {"[]", ""},
	};
	const char *id;
	json_t *combat;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		combat = quoted_json(places[i].text);
		id = tlnb_system.game->place_id(combat);
		assert_string_equal(id == NULL ? "" : id, places[i].id);
		json_decref(combat);
	}
}

/* Merges, applies and clears; returns the first failure. */
static int
tlnb_live(const json_t *blob, const json_t *combat, const json_t *result)
{
	json_t *events = json_array(), *facts = NULL;
	struct roster *r = NULL;
	struct errinfo e;
	int err;

	if (events == NULL)
		return (ERR_NOMEM);
	err = roster_parse(&tlnb_system, blob, &r, &e);
	if (err == 0)
		err = roster_merge(r, 1, combat, &facts, &e);
	if (err == 0)
		err = roster_apply(r, facts, NULL, result);
	if (err == 0)
		err = roster_upkeep(r, events);
	roster_free(r);
	json_decref(facts);
	json_decref(events);
	return (err);
}

static void
failing_allocations_are_reported(void **state)
{
	static const char *const files[][2] = {
	    {FIRE("{'id':'g','range':1}", "{'id':'x'}"),
		"{'suppressed':true,'units':{'x':'reduced'}}"},
	    {"{'kind':'attack','attackers':[{'id':'h'}],"
	     "'defenders':[{'id':'x'}],'attacker_stacked_artillery':[{'id':"
	     "'g'}],'defender_stacked_artillery':[{'id':'k'}]}",
		"{'units':{'x':'eliminated'}}"},
	    {"{'kind':'charge','cavalry':[{'id':'c'}],'target':[{'id':'x'}]}",
		"{'overrun':true,'target_move':1,'marker':'charge',"
		"'units':{'c':'full'}}"},
	};
	json_t *blob = quoted_json(TLNB_ROSTER), *combat, *result;
	size_t i;
	long nth;
	int err;

	(void)state;
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		combat = quoted_json(files[i][0]);
		result = quoted_json(files[i][1]);
		for (nth = 0;; nth++) {
			alloc_start(nth);
			err = tlnb_live(blob, combat, result);
			if (!alloc_stop())
				break;
			assert_int_equal(err, ERR_NOMEM);
		}
		assert_int_equal(err, 0);
		assert_true(nth > 20);
		json_decref(combat);
		json_decref(result);
	}
	json_decref(blob);
}

/* Reads a sample of etc/samples. */
static json_t *
tlnb_sample(const char *name)
{
	char path[512];
	json_t *v;

	(void)snprintf(
	    path, sizeof(path), "%s/etc/samples/%s", TOP_SRCDIR, name);
	if ((v = json_load_file(path, 0, NULL)) == NULL)
		fail_msg("%s is no JSON", path);
	return (v);
}

static void
the_samples_go_together(void **state)
{
	json_t *blob = tlnb_sample("tlnb-evening.json"), *facts = NULL;
	json_t *declared = tlnb_sample("tlnb-evening-declare.json");
	struct rules_settings set;
	struct roster *r = NULL;
	struct combat *c = NULL;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&tlnb_system, NULL, NULL, &set, &e), 0);
	assert_int_equal(roster_parse(&tlnb_system, blob, &r, &e), 0);
	if (roster_merge(
		r, 1, json_object_get(declared, "combat"), &facts, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	if (combat_new(&tlnb_system, &set, facts, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	combat_free(c);
	/* And what people are given to fill in is lawful. */
	json_decref(facts);
	facts = quoted_json(tlnb_show.template_text);
	if (combat_new(&tlnb_system, &set, facts, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	combat_free(c);
	json_decref(facts);
	roster_free(r);
	rules_settings_clear(&set);
	json_decref(blob);
	json_decref(declared);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_roster_unit_has_its_members_in_order),
	    cmocka_unit_test(a_roster_refuses_what_it_does_not_own),
	    cmocka_unit_test(a_declaration_is_filled_in_from_the_roster),
	    cmocka_unit_test(a_declaration_that_differs_is_refused),
	    cmocka_unit_test(results_are_written_back_and_upkeep_clears),
	    cmocka_unit_test(charges_leave_markers_for_the_turn),
	    cmocka_unit_test(the_place_is_named_by_the_least_defender),
	    cmocka_unit_test(failing_allocations_are_reported),
	    cmocka_unit_test(the_samples_go_together),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
