/* SPDX-License-Identifier: ISC */
/*
 * Objects by their rows: what is read, what is refused and where, what is
 * written back, and where members stand.
 */
#include "common/rules/schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/json/js.h"
#include "common/rules/facts.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

enum thing_color {
	THING_PLAIN, /* none stated */
	THING_RED,
	THING_BLUE,
};

struct thing_part {
	bool is_new;
};

struct thing {
	struct facts_name name;
	enum thing_color color;
	int strength, spare, rank;
	unsigned traits;
	bool moods[2];
	int kept;
	struct thing_part part;
};

static const char *const thing_colors[] = {"red", "blue", NULL};
static const char *const thing_ranks[] = {"low", "high", NULL};
static const char *const thing_moods[] = {"glad", "sad", NULL};

static const struct schema_row thing_part_rows[] = {
    {SCHEMA_ROW(thing_part, is_new, "new", BOOL, STATED)},
    {.name = NULL},
};

static const struct schema_row thing_rows[] = {
    {SCHEMA_ROW(thing, name.id, "id", ID, PRINTED)},
    {SCHEMA_ROW(thing, name.name, "name", TEXT, PRINTED)},
    {SCHEMA_ROW(thing, color, "color", WORD, PRINTED), .words = thing_colors,
	.lo = THING_RED},
    {SCHEMA_ROW(thing, strength, "strength", COUNT, PRINTED), .lo = 1, .hi = 9,
	.zero_in = SCHEMA_OUT, .is_required = true},
    {SCHEMA_ROW(thing, spare, "spare", COUNT, PRINTED), .lo = 1, .hi = 9,
	.has_null = true, .fallback = -1},
    {SCHEMA_ROW(thing, rank, "rank", WORD, STATED), .words = thing_ranks,
	.is_required = true},
    {SCHEMA_ROW(thing, traits, "traits", SET, STATED), .words = thing_moods},
    {SCHEMA_ROW(thing, moods, "moods", FLAGS, STATED), .words = thing_moods},
    {SCHEMA_ROW(thing, kept, "kept", COUNT, NOTED), .hi = 3, .fallback = 2},
    {SCHEMA_ROW(thing, name, "own", OWN, STATED)},
    {SCHEMA_ROW(thing, part, "part", OBJECT, STATED), .rows = thing_part_rows},
    {.name = NULL},
};

/* Reads a thing, with ' for ", and writes it back. */
static int
thing_read(const char *text, unsigned in, json_t **back, struct errinfo *e)
{
	const struct js_at at = {.name = "thing"};
	json_t *v = quoted_json(text);
	struct thing t;
	int r;

	memset(&t, 0, sizeof(t));
	r = schema_read(thing_rows, in, v, &at, &t, e);
	if (r == 0)
		*back = schema_json(thing_rows, in, &t);
	json_decref(v);
	return (r);
}

static void
what_is_read_is_written_with_its_defaults(void **state)
{
	static const struct {
		unsigned in;
		const char *text, *back;
	} cases[] = {
	    {SCHEMA_FACTS, "{'id':'a','strength':2,'rank':'low','part':{}}",
		"{'id':'a','strength':2,'spare':null,'rank':'low','traits':[],"
		"'own':null,'part':{'new':false}}"},
	    {SCHEMA_FACTS,
		"{'own':[1],'part':{'new':true},'moods':{'glad':false,'sad':"
		"true},'traits':['sad','sad'],'rank':'high','spare':9,"
		"'strength':1,'color':'blue','name':'','id':'a'}",
		"{'id':'a','name':'','color':'blue','strength':1,'spare':9,"
		"'rank':'high','traits':['sad'],'moods':{'sad':true},'own':"
		"null,'part':{'new':true}}"},
	    {SCHEMA_KEPT, "{'id':'a','strength':9,'spare':null,'kept':0}",
		"{'id':'a','strength':9,'spare':null,'kept':0}"},
	    {SCHEMA_OUT, "{'id':'a','strength':0}",
		"{'id':'a','strength':0,'spare':null,'kept':2}"},
	    {SCHEMA_GIVEN, "{'id':'a','strength':1}",
		"{'id':'a','strength':1,'spare':null}"},
	};
	struct errinfo e;
	json_t *back;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (thing_read(cases[i].text, cases[i].in, &back, &e) != 0)
			fail_msg("%zu: %s: %s", i, e.where, e.text);
		quoted_is(back, cases[i].back);
	}
}

static void
what_the_rows_refuse_is_named(void **state)
{
	static const struct {
		unsigned in;
		const char *text, *where;
	} cases[] = {
	    {SCHEMA_FACTS, "[]", "thing"},
	    {SCHEMA_FACTS, "{'strength':1,'rank':'low','part':{}}", "thing.id"},
	    {SCHEMA_FACTS, "{'id':'a','rank':'low','part':{}}",
		"thing.strength"},
	    {SCHEMA_FACTS, "{'id':'a','strength':1,'part':{}}", "thing.rank"},
	    {SCHEMA_FACTS, "{'id':'a','strength':1,'rank':'low'}",
		"thing.part"},
	    {SCHEMA_FACTS,
		"{'id':'a','strength':1,'rank':'low','part':{'old':true}}",
		"thing.part.old"},
	    {SCHEMA_FACTS,
		"{'id':'a','strength':1,'rank':'low','part':{},'moods':"
		"{'sad':1}}",
		"thing.moods.sad"},
	    {SCHEMA_FACTS,
		"{'id':'a','strength':1,'rank':'low','part':{},'kept':1}",
		"thing.kept"},
	    {SCHEMA_GIVEN, "{'id':'a','strength':0}", "thing.strength"},
	    {SCHEMA_GIVEN, "{'id':'a','strength':null}", "thing.strength"},
	    {SCHEMA_GIVEN, "{'id':'a','strength':1,'spare':0}", "thing.spare"},
	    {SCHEMA_GIVEN, "{'id':'a','strength':1,'color':'green'}",
		"thing.color"},
	    {SCHEMA_GIVEN, "{'id':'a','strength':1,'rank':'low'}",
		"thing.rank"},
	    {SCHEMA_GIVEN, "{'id':'a','strength':1,'kept':1}", "thing.kept"},
	    {SCHEMA_KEPT, "{'id':'a','strength':1,'kept':4}", "thing.kept"},
	};
	json_t *back = NULL;
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(
		    thing_read(cases[i].text, cases[i].in, &back, &e),
		    ERR_INVALID);
		assert_string_equal(e.where, cases[i].where);
	}
	assert_int_equal(thing_read("{'id':'a','strength':1,'kept':1}",
			     SCHEMA_GIVEN, &back, &e),
	    ERR_INVALID);
	assert_string_equal(e.text, "is kept by the game");
	assert_null(back);
}

static void
members_are_found_by_name(void **state)
{
	const struct rules_system *sys = systems_find("invasion-1812");

	(void)state;
	assert_null(schema_find(NULL, "id"));
	assert_null(schema_find(thing_rows, "i"));
	assert_ptr_equal(schema_find(thing_rows, "name"), &thing_rows[1]);
	/* Neither the id nor what the game keeps is a roster's to say. */
	assert_string_equal(schema_field(sys->unit, 0)->name, "name");
	assert_string_equal(schema_field(sys->unit, 3)->name, "disrupted");
	assert_null(schema_field(sys->unit, 4));
}

static void
failing_allocations_are_reported(void **state)
{
	struct thing t = {.name = {.id = "a", .name = {.has = true}},
	    .color = THING_RED,
	    .traits = 1,
	    .moods = {true, false}};
	json_t *v;
	long nth;
	int r;

	(void)state;
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = schema_json(thing_rows, SCHEMA_FACTS, &t);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_null(v);
	}
	assert_true(nth > 10);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = NULL;
		r = schema_roster(thing_rows, &t, &v);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(r, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_read_is_written_with_its_defaults),
	    cmocka_unit_test(what_the_rows_refuse_is_named),
	    cmocka_unit_test(members_are_found_by_name),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
