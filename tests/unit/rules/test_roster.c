/* SPDX-License-Identifier: ISC */
/*
 * Rosters: what a blob may hold, what a declared combat may say of a unit,
 * and what results leave (umpire-rules.7, 3 and 10.9; umpire-record.7, S9).
 */
#include "common/rules/roster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

/* A roster with one unit of each arm on side 1, and three on side 2. */
#define ROSTER_SIDES                                                       \
	"{'1':{'name':'French','units':[{'id':'fr-a','name':'1/1st Line'," \
	"'arm':'infantry','strength':6},"                                  \
	"{'id':'fr-b','arm':'cavalry','strength':5,'traits':['lancers',"   \
	"'shock'],'shaken':true}]},'2':{'units':[{'id':'ru-a',"            \
	"'arm':'infantry','strength':5},"                                  \
	"{'id':'ru-b','arm':'artillery','strength':3,'battery':'foot'},"   \
	"{'id':'ru-c','arm':'cavalry','strength':1}]}}"
#define ROSTER_BLOB \
	"{'blob':'roster','system':'lasalle2','sides':" ROSTER_SIDES "}"
/* What becomes of it: the system's order of members, defaults filled in. */
#define ROSTER_PLAIN                                                       \
	"{'1':{'name':'French','units':[{'id':'fr-a','name':'1/1st Line'," \
	"'arm':'infantry','strength':6,'traits':[],'shaken':false},"       \
	"{'id':'fr-b','arm':'cavalry','strength':5,'traits':['shock',"     \
	"'lancers'],'shaken':true}]},'2':{'units':[{'id':'ru-a',"          \
	"'arm':'infantry','strength':5,'traits':[],'shaken':false},"       \
	"{'id':'ru-b','arm':'artillery','strength':3,'battery':'foot',"    \
	"'traits':[],'shaken':false},{'id':'ru-c','arm':'cavalry',"        \
	"'strength':1,'traits':[],'shaken':false}]}}"

/* Reads a blob. */
static int
roster_try(const char *text, struct roster **out, struct errinfo *e)
{
	json_t *blob = quoted_json(text);
	int r;

	memset(e, 0, sizeof(*e));
	r = roster_parse(systems_find("lasalle2"), blob, out, e);
	json_decref(blob);
	return (r);
}

/* Opens the roster of most tests. */
static struct roster *
roster_open(void)
{
	struct roster *r = NULL;
	struct errinfo e;

	assert_int_equal(roster_try(ROSTER_BLOB, &r, &e), 0);
	return (r);
}

/* Merges a declared combat of side 1. */
static int
roster_declare(
    const struct roster *r, const char *text, json_t **facts, struct errinfo *e)
{
	json_t *combat = quoted_json(text), *copy = json_deep_copy(combat);
	int err;

	memset(e, 0, sizeof(*e));
	err = roster_merge(r, 1, combat, facts, e);
	assert_true(json_equal(combat, copy)); /* borrowed, not changed */
	json_decref(combat);
	json_decref(copy);
	return (err);
}

static void
a_blob_gives_units_in_the_systems_form(void **state)
{
	struct roster *r = roster_open();
	int side = 0;

	(void)state;
	quoted_is(roster_json(r), ROSTER_PLAIN);
	assert_non_null(roster_find(r, "fr-a", &side));
	assert_int_equal(side, 1);
	assert_non_null(roster_find(r, "ru-c", &side));
	assert_int_equal(side, 2);
	assert_non_null(roster_find(r, "ru-a", NULL));
	assert_null(roster_find(r, "ru-d", &side));
	assert_int_equal(side, 2);
	roster_free(r);
	roster_free(NULL);
}

static void
what_was_saved_is_read_back(void **state)
{
	struct roster *r = roster_open(), *back = NULL;
	json_t *again, *saved;
	struct errinfo e;

	(void)state;
	assert_int_equal(roster_set_out(r, "ru-a", "broken"), 0);
	assert_int_equal(roster_set(r, "ru-a", "strength", json_integer(0)), 0);
	saved = roster_json(r);
	assert_int_equal(
	    roster_restore(systems_find("lasalle2"), saved, &back, &e), 0);
	again = roster_json(back);
	assert_true(json_equal(saved, again));
	json_decref(again);
	quoted_is(
	    json_incref(json_object_get(json_object_get(saved, "2"), "units")),
	    "[{'id':'ru-a','arm':'infantry','strength':0,'traits':[],"
	    "'shaken':false,'out':'broken'},"
	    "{'id':'ru-b','arm':'artillery','strength':3,'battery':'foot',"
	    "'traits':[],'shaken':false},{'id':'ru-c','arm':'cavalry',"
	    "'strength':1,'traits':[],'shaken':false}]");
	roster_free(back);
	/* Only a unit that is out of play has no strength. */
	assert_int_equal(roster_set(r, "ru-c", "strength", json_integer(0)), 0);
	json_decref(saved);
	saved = roster_json(r);
	assert_int_equal(
	    roster_restore(systems_find("lasalle2"), saved, &back, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "sides.2.units[2].strength");
	json_decref(saved);
	roster_free(r);
}

/* A blob with these sides is refused at a place. */
static void
roster_refuses(const char *sides, const char *where)
{
	struct roster *r = NULL;
	struct errinfo e;
	char text[2048];

	(void)snprintf(text, sizeof(text),
	    "{'blob':'roster','system':'lasalle2','sides':%s}", sides);
	assert_int_equal(roster_try(text, &r, &e), ERR_INVALID);
	assert_string_equal(e.where, where);
	assert_true(e.text[0] != '\0');
	assert_null(r);
}

/* A blob whose side 1 has this first unit is refused at a place. */
static void
roster_refuses_unit(const char *unit, const char *where)
{
	char text[1024];

	(void)snprintf(text, sizeof(text),
	    "{'1':{'units':[%s]},'2':{'units':[{'id':'x','arm':'infantry',"
	    "'strength':1}]}}",
	    unit);
	roster_refuses(text, where);
}

static void
a_blob_of_another_form_is_refused(void **state)
{
	static const struct {
		const char *text;
		const char *where;
	} bad[] = {
	    {"[]", ""},
	    {"{}", "blob"},
	    {"{'blob':'bag'}", "blob"},
	    {"{'blob':'roster'}", "system"},
	    {"{'blob':'roster','system':'tlnb','sides':{}}", "system"},
	    {"{'blob':'roster','system':'lasalle2'}", "sides"},
	    {"{'blob':'roster','system':'lasalle2','sides':[]}", "sides"},
	    {"{'blob':'roster','system':'lasalle2','sides':" ROSTER_SIDES
	     ",'more':1}",
		"more"},
	};
	struct roster *r = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(roster_try(bad[i].text, &r, &e), ERR_INVALID);
		assert_string_equal(e.where, bad[i].where);
	}
}

static void
sides_of_another_form_are_refused(void **state)
{
	(void)state;
	roster_refuses("{}", "sides.1");
	roster_refuses("{'1':[]}", "sides.1");
	roster_refuses("{'1':{}}", "sides.1.units");
	roster_refuses("{'1':{'units':{}}}", "sides.1.units");
	roster_refuses("{'1':{'units':[]}}", "sides.1.units");
	roster_refuses("{'1':{'units':[1]}}", "sides.1.units[0]");
	roster_refuses("{'1':{'units':[{'id':'a','arm':'infantry',"
		       "'strength':1}]}}",
	    "sides.2");
	roster_refuses("{'1':{},'2':{},'3':{}}", "sides.3");
	roster_refuses(
	    "{'1':{'units':[],'commanders':[]}}", "sides.1.commanders");
	roster_refuses("{'1':{'name':'a\\n"
		       "b','units':[]}}",
	    "sides.1.name");
	roster_refuses("{'1':{'name':7,'units':[]}}", "sides.1.name");
	roster_refuses("{'1':{'name':"
		       "'123456789012345678901234567890123456789012345678901234"
		       "56789012345','units':[]}}",
	    "sides.1.name");
}

static void
units_of_another_form_are_refused(void **state)
{
	(void)state;
	roster_refuses_unit("{}", "sides.1.units[0].id");
	roster_refuses_unit(
	    "{'id':'A','arm':'infantry','strength':1}", "sides.1.units[0].id");
	roster_refuses_unit("{'id':'a','strength':1}", "sides.1.units[0].arm");
	roster_refuses_unit(
	    "{'id':'a','arm':'navy','strength':1}", "sides.1.units[0].arm");
	roster_refuses_unit(
	    "{'id':'a','arm':'infantry'}", "sides.1.units[0].strength");
	roster_refuses_unit("{'id':'a','arm':'infantry','strength':0}",
	    "sides.1.units[0].strength");
	roster_refuses_unit("{'id':'a','arm':'infantry','strength':10000}",
	    "sides.1.units[0].strength");
	roster_refuses_unit("{'id':'a','arm':'artillery','strength':1}",
	    "sides.1.units[0].battery");
	roster_refuses_unit("{'id':'a','arm':'cavalry','strength':1,"
			    "'battery':'foot'}",
	    "sides.1.units[0].battery");
	roster_refuses_unit("{'id':'a','arm':'cavalry','strength':1,"
			    "'traits':['shock','brave']}",
	    "sides.1.units[0].traits[1]");
	roster_refuses_unit("{'id':'a','arm':'cavalry','strength':1,"
			    "'shaken':1}",
	    "sides.1.units[0].shaken");
	/* What a declaration adds, and what the program marks. */
	roster_refuses_unit("{'id':'a','arm':'cavalry','strength':1,"
			    "'formation':'line'}",
	    "sides.1.units[0].formation");
	roster_refuses_unit("{'id':'a','arm':'cavalry','strength':1,"
			    "'out':'broken'}",
	    "sides.1.units[0].out");
	/* Ids are unique over both sides. */
	roster_refuses_unit(
	    "{'id':'x','arm':'cavalry','strength':1}", "sides.2.units[0].id");
	roster_refuses_unit("{'id':'a','arm':'cavalry','strength':1},"
			    "{'id':'a','arm':'cavalry','strength':1}",
	    "sides.1.units[1].id");
}

static void
a_side_has_at_most_400_units(void **state)
{
	json_t *blob, *units;
	struct roster *r = NULL;
	struct errinfo e;
	char id[16];
	int i;

	(void)state;
	blob = quoted_json(ROSTER_BLOB);
	units = json_object_get(
	    json_object_get(json_object_get(blob, "sides"), "2"), "units");
	for (i = 3; i < ROSTER_UNITS_MAX; i++) {
		(void)snprintf(id, sizeof(id), "u%d", i);
		assert_int_equal(json_array_append_new(units,
				     json_pack("{s:s, s:s, s:i}", "id", id,
					 "arm", "infantry", "strength", 9999)),
		    0);
	}
	assert_int_equal(
	    roster_parse(systems_find("lasalle2"), blob, &r, &e), 0);
	roster_free(r);
	assert_int_equal(json_array_append_new(units,
			     json_pack("{s:s, s:s, s:i}", "id", "last", "arm",
				 "infantry", "strength", 1)),
	    0);
	assert_int_equal(
	    roster_parse(systems_find("lasalle2"), blob, &r, &e), ERR_INVALID);
	assert_string_equal(e.where, "sides.2.units");
	json_decref(blob);
}

static void
a_declaration_is_filled_in_from_the_roster(void **state)
{
	struct roster *r = roster_open();
	json_t *facts = NULL;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    roster_declare(r,
		"{'contacts':[1],'attackers':[{'difficult':true,"
		"'formation':'line','id':'fr-b'},"
		"{'id':'fr-a','formation':'column'}],"
		"'defenders':[{'formation':'limbered','id':'ru-b'}]}",
		&facts, &e),
	    0);
	quoted_is(facts,
	    "{'contacts':[1],'attackers':[{'id':'fr-b','arm':'cavalry',"
	    "'strength':5,'formation':'line','traits':['shock','lancers'],"
	    "'shaken':true,'difficult':true},"
	    "{'id':'fr-a','name':'1/1st Line','arm':'infantry','strength':6,"
	    "'formation':'column','traits':[],'shaken':false}],"
	    "'defenders':[{'id':'ru-b','arm':'artillery','strength':3,"
	    "'formation':'limbered','battery':'foot','traits':[],"
	    "'shaken':false}]}");
	roster_free(r);
}

/* Declares fr-b with these further members against ru-a. */
static int
roster_declare_with(
    const struct roster *r, const char *more, json_t **facts, struct errinfo *e)
{
	char text[512];

	(void)snprintf(text, sizeof(text),
	    "{'attackers':[{'id':'fr-b'%s}],'defenders':[{'id':'ru-a'}]}",
	    more);
	return (roster_declare(r, text, facts, e));
}

static void
a_declaration_may_say_what_the_roster_says(void **state)
{
	static const char *const good[] = {
	    "",
	    ",'arm':'cavalry','strength':5",
	    ",'traits':['shock','lancers'],'shaken':true",
	    ",'traits':['lancers','shock']",
	};
	struct roster *r = roster_open();
	json_t *facts = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(
		    roster_declare_with(r, good[i], &facts, &e), 0);
		json_decref(facts);
	}
	/* A default that is written out is the same as none. */
	assert_int_equal(roster_declare(r,
			     "{'attackers':[{'id':'fr-a','traits':[],"
			     "'shaken':false,'name':'1/1st Line'}],"
			     "'defenders':[]}",
			     &facts, &e),
	    0);
	json_decref(facts);
	roster_free(r);
}

static void
a_declaration_may_not_say_what_the_roster_does_not(void **state)
{
	static const struct {
		const char *more;
		const char *where;
	} bad[] = {
	    {",'arm':'infantry'", "arm"},
	    {",'arm':7", "arm"},
	    {",'strength':6", "strength"},
	    {",'strength':0", "strength"},
	    {",'strength':'5'", "strength"},
	    {",'shaken':false", "shaken"},
	    {",'shaken':null", "shaken"},
	    {",'traits':['shock']", "traits"},
	    {",'traits':[]", "traits"},
	    {",'traits':['shock','brave']", "traits[1]"},
	    {",'traits':{}", "traits"},
	    {",'battery':'foot'", "battery"},
	    {",'name':'Dragoons'", "name"},
	    {",'name':''", "name"},
	};
	struct roster *r = roster_open();
	json_t *facts = NULL;
	struct errinfo e;
	char where[64];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(
		    roster_declare_with(r, bad[i].more, &facts, &e),
		    ERR_INVALID);
		(void)snprintf(where, sizeof(where), "combat.attackers[0].%s",
		    bad[i].where);
		assert_string_equal(e.where, where);
		assert_null(facts);
	}
	roster_free(r);
}

static void
units_are_declared_from_their_own_side_and_in_play(void **state)
{
	static const struct {
		const char *text;
		const char *where;
	} bad[] = {
	    {"[]", "combat"},
	    {"{}", "combat.attackers"},
	    {"{'attackers':{},'defenders':[]}", "combat.attackers"},
	    {"{'attackers':[]}", "combat.defenders"},
	    {"{'attackers':['fr-a']}", "combat.attackers[0]"},
	    {"{'attackers':[{}]}", "combat.attackers[0].id"},
	    {"{'attackers':[{'id':'fr-a'},{'id':'fr-z'}]}",
		"combat.attackers[1].id"},
	    {"{'attackers':[{'id':'ru-a'}]}", "combat.attackers[0].id"},
	    {"{'attackers':[],'defenders':[{'id':'fr-a'}]}",
		"combat.defenders[0].id"},
	    {"{'attackers':[],'defenders':[{'id':'ru-a'},{'id':'ru-c'}]}",
		"combat.defenders[1].id"},
	};
	struct roster *r = roster_open();
	json_t *facts = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	assert_int_equal(roster_set_out(r, "ru-c", "retired"), 0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(
		    roster_declare(r, bad[i].text, &facts, &e), ERR_INVALID);
		assert_string_equal(e.where, bad[i].where);
	}
	assert_non_null(strstr(e.text, "retired"));
	roster_free(r);
}

static void
side_2_attacks_side_1_as_well(void **state)
{
	struct roster *r = roster_open();
	json_t *combat, *facts = NULL;
	struct errinfo e;

	(void)state;
	combat = quoted_json("{'attackers':[{'id':'ru-a'}],"
			     "'defenders':[{'id':'fr-a'}]}");
	assert_int_equal(roster_merge(r, 2, combat, &facts, &e), 0);
	json_decref(facts);
	assert_int_equal(roster_merge(r, 1, combat, &facts, &e), ERR_INVALID);
	json_decref(combat);
	roster_free(r);
}

static void
unknown_members_of_a_declaration_stay_for_the_rules_to_refuse(void **state)
{
	struct roster *r = roster_open();
	json_t *facts = NULL;
	struct errinfo e;

	(void)state;
	assert_int_equal(
	    roster_declare_with(r, ",'colour':1,'out':2", &facts, &e), 0);
	quoted_is(json_incref(json_object_get(facts, "attackers")),
	    "[{'id':'fr-b','arm':'cavalry','strength':5,'traits':['shock',"
	    "'lancers'],'shaken':true,'colour':1,'out':2}]");
	json_decref(facts);
	roster_free(r);
}

static void
results_change_strengths_and_take_units_out_of_play(void **state)
{
	struct roster *r = roster_open();
	json_t *facts = json_object(), *result, *events = json_array();

	(void)state;
	result =
	    quoted_json("{'units':{'fr-a':{'state':'staggered','strength':5},"
			"'fr-b':{'state':'in-place','strength':4},"
			"'ru-a':{'state':'broken','strength':4},"
			"'ru-b':{'state':'retired','strength':3},"
			"'ru-c':{'state':'broken','strength':0}}}");
	assert_int_equal(roster_apply(r, facts, NULL, result), 0);
	quoted_is(roster_json(r),
	    "{'1':{'name':'French','units':[{'id':'fr-a','name':'1/1st Line',"
	    "'arm':'infantry','strength':5,'traits':[],'shaken':false},"
	    "{'id':'fr-b','arm':'cavalry','strength':4,'traits':['shock',"
	    "'lancers'],'shaken':true}]},'2':{'units':[{'id':'ru-a',"
	    "'arm':'infantry','strength':4,'traits':[],"
	    "'shaken':false,'out':'broken'},"
	    "{'id':'ru-b','arm':'artillery','strength':3,'battery':'foot',"
	    "'traits':[],'shaken':false,'out':'retired'},"
	    "{'id':'ru-c','arm':'cavalry','strength':0,'traits':[],"
	    "'shaken':false,'out':'broken'}]}}");
	/* lasalle2 has no upkeep. */
	assert_int_equal(roster_upkeep(r, events), 0);
	assert_int_equal(json_array_size(events), 0);
	assert_int_equal(
	    roster_set(r, "nobody", "strength", json_integer(1)), ERR_NOTFOUND);
	assert_int_equal(roster_set_out(r, "nobody", "broken"), ERR_NOTFOUND);
	assert_int_equal(roster_unset(r, "nobody", "shaken"), ERR_NOTFOUND);
	json_decref(events);
	json_decref(result);
	json_decref(facts);
	roster_free(r);
}

static void
failing_allocations_are_reported(void **state)
{
	json_t *blob = quoted_json(ROSTER_BLOB), *saved, *combat, *v, *result;
	const struct rules_system *sys = systems_find("lasalle2");
	struct roster *r, *d;
	long nth;
	int err;

	(void)state;
	for (nth = 0;; nth++) {
		d = NULL;
		alloc_start(nth);
		err = roster_parse(sys, blob, &d, NULL);
		roster_free(d);
		if (!alloc_stop())
			break;
		assert_int_equal(err, ERR_NOMEM);
	}
	r = roster_open();
	assert_int_equal(roster_set_out(r, "ru-c", "broken"), 0);
	saved = roster_json(r);
	for (nth = 0;; nth++) {
		d = NULL;
		alloc_start(nth);
		err = roster_restore(sys, saved, &d, NULL);
		roster_free(d);
		if (!alloc_stop())
			break;
		assert_int_equal(err, ERR_NOMEM);
	}
	combat = quoted_json("{'attackers':[{'id':'fr-b','traits':['lancers',"
			     "'shock']}],'defenders':[{'id':'ru-a'}]}");
	for (nth = 0;; nth++) {
		v = NULL;
		alloc_start(nth);
		err = roster_merge(r, 1, combat, &v, NULL);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_int_equal(err, ERR_NOMEM);
	}
	result =
	    quoted_json("{'units':{'ru-b':{'state':'retired','strength':3},"
			"'ru-a':{'state':'broken','strength':4}}}");
	for (nth = 0;; nth++) {
		assert_int_equal(roster_restore(sys, saved, &d, NULL), 0);
		alloc_start(nth);
		err = roster_apply(d, NULL, NULL, result);
		roster_free(d);
		if (!alloc_stop())
			break;
		assert_int_equal(err, ERR_NOMEM);
	}
	json_decref(result);
	result = quoted_json("{'id':'ru-a','strength':1,'out':'x'}");
	for (nth = 0;; nth++) {
		assert_int_equal(roster_restore(sys, saved, &d, NULL), 0);
		v = NULL;
		alloc_start(nth);
		err = roster_change(d, result, NULL, &v, NULL);
		if (err == 0)
			err = roster_put(d, "ru-a", v);
		json_decref(v);
		roster_free(d);
		if (!alloc_stop())
			break;
		assert_int_equal(err, ERR_NOMEM);
	}
	json_decref(result);
	json_decref(combat);
	json_decref(saved);
	json_decref(blob);
	roster_free(r);
}

static void
the_journal_has_what_was_there_before_the_first_change(void **state)
{
	struct roster *r = roster_open();
	json_t *journal, *former;
	const char *id;

	(void)state;
	assert_null(roster_journal_take(r));
	assert_int_equal(roster_set(r, "fr-a", "strength", json_integer(3)), 0);
	assert_int_equal(roster_set(r, "fr-a", "strength", json_integer(2)), 0);
	assert_int_equal(roster_set_out(r, "ru-c", "broken"), 0);
	/* What is set to what it was is there, too. */
	assert_int_equal(roster_set(r, "ru-a", "strength", json_integer(5)), 0);
	assert_int_equal(
	    roster_set(r, "xx", "strength", json_integer(5)), ERR_NOTFOUND);
	journal = roster_journal_take(r);
	assert_int_equal(json_object_size(journal), 3);
	quoted_is(json_incref(json_object_get(journal, "fr-a")),
	    "{'id':'fr-a','name':'1/1st Line','arm':'infantry','strength':6,"
	    "'traits':[],'shaken':false}");
	assert_null(roster_journal_take(r));
	/* Put back, all is as it was, byte by byte; that is a change, too. */
	json_object_foreach(journal, id, former)
	    assert_int_equal(roster_put(r, id, former), 0);
	quoted_is(roster_json(r), ROSTER_PLAIN);
	assert_int_equal(roster_put(r, "xx", json_object_get(journal, "fr-a")),
	    ERR_NOTFOUND);
	json_decref(journal);
	journal = roster_journal_take(r);
	assert_int_equal(json_object_size(journal), 3);
	assert_string_equal(
	    roster_out(json_object_get(journal, "ru-c")), "broken");
	json_decref(journal);
	roster_free(r);
}

static void
a_change_is_worked_out_and_nothing_is_changed(void **state)
{
	static const struct {
		const char *change;
		const char *where; /* refused there; NULL: not */
		const char *unit;
	} list[] = {
	    {"{'id':'fr-b','traits':['lancers']}", NULL,
		"{'id':'fr-b','arm':'cavalry','strength':5,"
		"'traits':['lancers'],'shaken':true}"},
	    {"{'id':'ru-c','out':'left','strength':0}", NULL,
		"{'id':'ru-c','arm':'cavalry','strength':0,'traits':[],"
		"'shaken':false,'out':'left'}"},
	    /* A set in another order is the same. */
	    {"{'id':'fr-b','traits':['lancers','shock']}", "units", NULL},
	    {"[]", "units", NULL},
	    {"{'strength':1}", "units.id", NULL},
	    {"{'id':'xx','strength':1}", "units.id", NULL},
	    {"{'id':'ru-c','strength':0}", "units.strength", NULL},
	    {"{'id':'ru-c','out':3}", "units.out", NULL},
	    {"{'id':'ru-c','out':'Far away'}", "units.out", NULL},
	    {"{'id':'ru-c','out':null}", "units", NULL},
	    {"{'id':'ru-c','morale':1}", "units.morale", NULL},
	};
	const struct js_at at = {.name = "units"};
	struct roster *r = roster_open();
	json_t *change, *unit;
	struct errinfo e;
	size_t i;
	int err;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		change = quoted_json(list[i].change);
		unit = NULL;
		e.where[0] = '\0';
		err = roster_change(r, change, &at, &unit, &e);
		json_decref(change);
		quoted_is(roster_json(r), ROSTER_PLAIN);
		if (list[i].where != NULL) {
			assert_int_equal(err, ERR_INVALID);
			assert_null(unit);
			assert_string_equal(e.where, list[i].where);
			continue;
		}
		assert_int_equal(err, 0);
		quoted_is(unit, list[i].unit);
	}
	assert_null(roster_journal_take(r));
	roster_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_blob_gives_units_in_the_systems_form),
	    cmocka_unit_test(what_was_saved_is_read_back),
	    cmocka_unit_test(a_blob_of_another_form_is_refused),
	    cmocka_unit_test(sides_of_another_form_are_refused),
	    cmocka_unit_test(units_of_another_form_are_refused),
	    cmocka_unit_test(a_side_has_at_most_400_units),
	    cmocka_unit_test(a_declaration_is_filled_in_from_the_roster),
	    cmocka_unit_test(a_declaration_may_say_what_the_roster_says),
	    cmocka_unit_test(
		a_declaration_may_not_say_what_the_roster_does_not),
	    cmocka_unit_test(
		units_are_declared_from_their_own_side_and_in_play),
	    cmocka_unit_test(side_2_attacks_side_1_as_well),
	    cmocka_unit_test(
		unknown_members_of_a_declaration_stay_for_the_rules_to_refuse),
	    cmocka_unit_test(
		results_change_strengths_and_take_units_out_of_play),
	    cmocka_unit_test(failing_allocations_are_reported),
	    cmocka_unit_test(
		the_journal_has_what_was_there_before_the_first_change),
	    cmocka_unit_test(a_change_is_worked_out_and_nothing_is_changed),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
