/* SPDX-License-Identifier: ISC */
/*
 * What units and sides are worth (umpire-rules.7, 3), in each of the systems:
 * of units as a player gives them and as the game keeps them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/rules/roster.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"
#include "tests/lib/quoted.h"

static void
a_unit_is_worth_what_it_has_left(void **state)
{
	static const struct {
		const char *system;
		const char *unit;
		int worth;
	} list[] = {
	    {"lasalle2", "{'arm':'infantry','strength':6}", 6},
	    {"lasalle2", "{'arm':'artillery','strength':1,'shaken':true}", 1},
	    {"lasalle2", "{'arm':'infantry','strength':4,'out':'broken'}", 0},
	    {"lasalle2", "{'arm':'infantry','strength':0,'out':'broken'}", 0},
	    {"lasalle2", "{'strength':3,'out':'left','gone':true}", 0},
	    {"invasion-1812", "{'type':'infantry'}", 1},
	    {"invasion-1812", "{'type':'cavalry','cf':4}", 4},
	    {"invasion-1812", "{'type':'cavalry','cf':0}", 0},
	    /* A disrupted unit still fights with its factors. */
	    {"invasion-1812",
		"{'type':'infantry','cf':3,'disrupted':true,'fought':1}", 3},
	    {"invasion-1812", "{'cf':3,'out':'eliminated'}", 0},
	    {"leniston-2009", "{'class':'A','state':'formed'}", 6},
	    {"leniston-2009", "{'class':'B','casualties':2}", 4},
	    {"leniston-2009", "{'class':'B','casualties':6}", 0},
	    {"leniston-2009", "{'class':'B','casualties':9}", 0},
	    {"leniston-2009",
		"{'class':'B','casualties':1,'state':'rout','out':'rout'}", 0},
	    {"imagi-nations",
		"{'lead':'a','battalions':[{'id':'a','sp':4},"
		"{'id':'b','sp':6,'hits':1}]}",
		9},
	    {"imagi-nations",
		"{'lead':'a','battalions':[{'id':'a','sp':4,'hits':4},"
		"{'id':'b','sp':6,'hits':5}],'fatigue':3}",
		1},
	    {"imagi-nations",
		"{'lead':'a','battalions':[{'id':'a','sp':4,'hits':0}],"
		"'out':'destroyed'}",
		0},
	    {"tlnb", "{'arm':'infantry','sp':5,'reduced_sp':2}", 5},
	    {"tlnb", "{'arm':'infantry','sp':5,'reduced_sp':2,'reduced':true}",
		2},
	    {"tlnb",
		"{'arm':'infantry','sp':5,'reduced_sp':null,'reduced':false}",
		5},
	    {"tlnb", "{'sp':5,'suppressed':true,'demoralized':true}", 5},
	    {"tlnb", "{'sp':5,'out':'eliminated'}", 0},
	};
	const struct rules_system *sys;
	json_t *unit;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		sys = systems_find(list[i].system);
		assert_non_null(sys);
		unit = quoted_json(list[i].unit);
		assert_int_equal(roster_unit_worth(sys, unit), list[i].worth);
		json_decref(unit);
	}
}

static void
a_side_is_worth_its_units_in_play(void **state)
{
	static const struct {
		const char *units;
		const char *first; /* NULL: no bound */
		int worth;
	} list[] = {
	    {"[]", NULL, 0},
	    {"[{'id':'a','strength':6},{'id':'b','strength':3,'out':'broken'},"
	     "{'id':'c','strength':2}]",
		NULL, 8},
	    /* None counts for more than it had, one that joined, too. */
	    {"[{'id':'a','strength':6},{'id':'b','strength':9}]",
		"{'a':{'id':'a','strength':4},'b':{'id':'b','strength':9}}",
		13},
	    {"[{'id':'a','strength':2},{'id':'j','strength':7}]",
		"{'a':{'id':'a','strength':4},"
		"'j':{'id':'j','joins':'units','side':1,'strength':5}}",
		7},
	    {"[{'id':'a','strength':2},{'id':'j','strength':7,'out':'left',"
	     "'gone':true}]",
		"{'a':{'id':'a','strength':4},"
		"'j':{'id':'j','joins':'units','side':1,'strength':5}}",
		2},
	    /* One of which that is not known is as it is. */
	    {"[{'id':'a','strength':2}]", "{}", 2},
	};
	const struct rules_system *sys = systems_find("lasalle2");
	json_t *first, *units;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		units = quoted_json(list[i].units);
		first =
		    list[i].first == NULL ? NULL : quoted_json(list[i].first);
		assert_int_equal(
		    roster_worth(sys, units, first), list[i].worth);
		json_decref(units);
		json_decref(first);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_unit_is_worth_what_it_has_left),
	    cmocka_unit_test(a_side_is_worth_its_units_in_play),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
