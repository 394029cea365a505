/* SPDX-License-Identifier: ISC */
/*
 * lasalle2 beyond what scenario files say (tests/rules/lasalle2): the events
 * of each step, all outcomes of the dice counted, places and memory
 * (umpire-rules.7, 10).
 */
#include "common/rules/lasalle2/lasalle2.h"

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
#include "common/rules/question.h"
#include "common/rules/show/scenario.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

/* Runs a scenario: facts and script, without their braces; new. */
static json_t *
lasalle2_run(const char *facts, const char *script)
{
	json_t *file, *out = NULL;
	struct errinfo e = {.text = ""};
	char text[4096];

	(void)snprintf(text, sizeof(text),
	    "{'system':'lasalle2','combat':{%s},'script':{%s}}", facts, script);
	file = quoted_json(text);
	if (scenario_run(file, NULL, NULL, &out, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(file);
	return (out);
}

/* The events of a scenario from number `from` on have this text. */
static void
lasalle2_events_are(
    const char *facts, const char *script, size_t from, const char *want)
{
	json_t *out = lasalle2_run(facts, script);

	quoted_lines_are(json_object_get(out, "events"), from, want);
	json_decref(out);
}

/* The changes of a scenario are these, each "unit what why;". */
static void
lasalle2_changes_are(const char *facts, const char *script, const char *want)
{
	json_t *out = lasalle2_run(facts, script), *event;
	struct buf b;
	size_t i;

	buf_init(&b, 0);
	json_array_foreach(json_object_get(out, "events"), i, event)
	{
		if (strcmp(json_string_value(json_object_get(event, "e")),
			"change") != 0)
			continue;
		buf_printf(&b, "%s %s %s;",
		    json_string_value(json_object_get(event, "unit")),
		    json_string_value(json_object_get(event, "what")),
		    json_string_value(json_object_get(event, "why")));
	}
	assert_string_equal(buf_str(&b), want);
	buf_clear(&b);
	json_decref(out);
}

#define INF(id, strength)                                      \
	"{'id':'" id "','arm':'infantry','strength':" strength \
	",'formation':'line'}"
#define SQUARE(id, strength)                                   \
	"{'id':'" id "','arm':'infantry','strength':" strength \
	",'formation':'square'}"
#define CAV(id, strength)                                     \
	"{'id':'" id "','arm':'cavalry','strength':" strength \
	",'formation':'line'}"
#define LANCERS(id, strength)                                 \
	"{'id':'" id "','arm':'cavalry','strength':" strength \
	",'formation':'line','traits':['lancers']}"
#define GUNS(id, strength)                                      \
	"{'id':'" id "','arm':'artillery','strength':" strength \
	",'formation':'unlimbered','battery':'foot'}"
#define ON(a, d, edge) \
	"{'attacker':'" a "','defender':'" d "','edge':'" edge "'}"
#define FACTS(attackers, defenders, contacts)                 \
	"'attackers':[" attackers "],'defenders':[" defenders \
	"],'contacts':[" contacts "]"
#define DICE(dice) "'dice':{" dice "}"
#define DIE(id, n) "'score/" id "':[" n "]"
#define DECISIONS(list) ",'decisions':[" list "]"
#define STAGGER(unit, possible)                                              \
	"{'kind':'stagger','order':[{'unit':'" unit "','possible':" possible \
	"}]}"

static void
the_system_is_known_by_its_version(void **state)
{
	(void)state;
	assert_string_equal(lasalle2_system.id, "lasalle2");
	assert_string_equal(lasalle2_system.version, "lasalle2/1");
}

static void
events_stand_in_the_order_of_the_rules(void **state)
{
	(void)state;
	lasalle2_events_are(FACTS("{'id':'a','name':'J\xc3\xa4ger',"
				  "'arm':'infantry','strength':5,"
				  "'formation':'line'}",
				GUNS("g", "3"),
				"{'attacker':'a','defender':'g','edge':'left',"
				"'across':'wall'}"),
	    DICE("'retire/g/attacker':[4],'retire/g/defender':[3]," DIE(
		"a", "1") "," DIE("g", "5"))
		DECISIONS(
		    "{'kind':'retire','units':['g']}," STAGGER("a", "true")),
	    0,
	    "{'e':'combat','attackers':[{'id':'a','name':'J\xc3\xa4ger',"
	    "'arm':'infantry','strength':5,'formation':'line','traits':[],"
	    "'shaken':false,'difficult':false}],"
	    "'defenders':[{'id':'g','arm':'artillery','strength':3,"
	    "'formation':'unlimbered','battery':'foot','traits':[],"
	    "'shaken':false,'difficult':false}],"
	    "'contacts':[{'attacker':'a','defender':'g','edge':'left',"
	    "'touches':['left'],'uphill':false,'across':'wall'}]}\n"
	    "{'e':'ask','side':'defender','kind':'retire',"
	    "'options':{'units':{'some':['g']}}}\n"
	    "{'e':'decision','side':'defender','kind':'retire',"
	    "'units':['g']}\n"
	    "{'e':'roll','label':'retire/g/attacker','sides':6,'dice':[4]}\n"
	    "{'e':'roll','label':'retire/g/defender','sides':6,'dice':[3]}\n"
	    "{'e':'change','unit':'g','what':'in-place','why':'retire',"
	    "'attacker':4,'defender':3}\n"
	    "{'e':'roll','label':'score/a','sides':6,'dice':[1]}\n"
	    "{'e':'score','unit':'a','strength':5,'die':1,'modifiers':{},"
	    "'score':6}\n"
	    "{'e':'roll','label':'score/g','sides':6,'dice':[5]}\n"
	    "{'e':'score','unit':'g','strength':3,'die':5,"
	    "'modifiers':{'strong-position':1,'poor-formation':-4},"
	    "'causes':{'strong-position':{'cause':'cover','units':['a']},"
	    "'poor-formation':{'cause':'flank','units':['a']}},'score':5}\n"
	    "{'e':'change','unit':'g','what':'outscored','why':'score',"
	    "'score':5,'by':'a','by_score':6}\n"
	    "{'e':'change','unit':'g','what':'disr','why':'outscored',"
	    "'strength':2}\n"
	    "{'e':'change','unit':'a','what':'engaged','why':'in-place',"
	    "'by':'g'}\n"
	    "{'e':'change','unit':'a','what':'disr','why':'engaged',"
	    "'strength':4}\n"
	    "{'e':'ask','side':'attacker','kind':'stagger',"
	    "'options':{'order':{'order':['a'],"
	    "'each':{'possible':{'one':[true,false]}}}}}\n"
	    "{'e':'decision','side':'attacker','kind':'stagger',"
	    "'order':[{'unit':'a','possible':true}]}\n"
	    "{'e':'change','unit':'a','what':'staggered','why':'path'}\n"
	    "{'e':'result','units':{'a':{'state':'staggered','strength':4,"
	    "'disr':1,'score':6,'die':1,'modifiers':{}},"
	    "'g':{'state':'in-place','strength':2,'disr':1,'score':5,'die':5,"
	    "'modifiers':{'strong-position':1,'poor-formation':-4}}}}\n");
}

/* 10.3: the score of a unit says what brought its modifiers about. */
static void
modifiers_name_their_causes(void **state)
{
	static const struct {
		const char *facts, *unit, *causes;
	} cases[] = {
	    {FACTS(INF("a", "5") "," INF("b", "5") "," INF("c", "5"),
		 INF("d", "5") "," INF("e", "5"),
		 ON("a", "d", "front") "," ON("b", "d", "front") "," ON(
		     "c", "d", "front") "," ON("c", "e", "front")),
		"a",
		"{'outnumber':{'cause':'together','enemy':'d',"
		"'units':['b']}}"},
	    {FACTS(INF("a", "5"), INF("d", "5") "," INF("e", "5"),
		 ON("a", "d", "front") "," ON("a", "e", "front")),
		"e",
		"{'outnumber':{'cause':'together','enemy':'a',"
		"'units':['d']}}"},
	    {FACTS(INF("a", "5"),
		 "{'id':'d','arm':'infantry','strength':5,"
		 "'formation':'garrison'}",
		 ON("a", "d", "rear")),
		"d", "{'strong-position':{'cause':'garrison'}}"},
	    {FACTS(INF("a", "5"), INF("d", "5"),
		 "{'attacker':'a','defender':'d','edge':'front',"
		 "'across':'wall','uphill':true}"),
		"d", "{'strong-position':{'cause':'cover','units':['a']}}"},
	    {FACTS(INF("a", "5"), INF("d", "5"),
		 "{'attacker':'a','defender':'d','edge':'front',"
		 "'uphill':true}"),
		"d", "{'strong-position':{'cause':'uphill','units':['a']}}"},
	    {FACTS(INF("a", "5") "," CAV("b", "5"), SQUARE("d", "5"),
		 ON("a", "d", "left") "," ON("b", "d", "front")),
		"d", "{'strong-position':{'cause':'square','units':['b']}}"},
	    {FACTS("{'id':'a','arm':'infantry','strength':5,"
		   "'formation':'march'}",
		 CAV("d", "5"), ON("a", "d", "front")),
		"a", "{'poor-formation':{'cause':'march'}}"},
	    {FACTS(INF("a", "5") "," CAV("b", "5"), INF("d", "5"),
		 ON("a", "d", "left") "," ON("b", "d", "front")),
		"d", "{'poor-formation':{'cause':'cavalry','units':['b']}}"},
	    {FACTS(INF("a", "5") "," INF("b", "5"), INF("d", "5"),
		 ON("a", "d", "left") "," ON("b", "d", "front")),
		"d", "{'poor-formation':{'cause':'flank','units':['a']}}"},
	};
	json_t *causes, *event, *out;
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		out = lasalle2_run(cases[i].facts,
		    DICE(DIE("a", "3") "," DIE("b", "3") "," DIE(
			"c", "3") "," DIE("d", "3") "," DIE("e", "3")));
		causes = NULL;
		json_array_foreach(json_object_get(out, "events"), k, event)
		{
			if (json_object_get(event, "strength") != NULL &&
			    json_object_get(event, "die") != NULL &&
			    strcmp(json_string_value(
				       json_object_get(event, "unit")),
				cases[i].unit) == 0)
				causes = json_object_get(event, "causes");
		}
		assert_non_null(causes);
		quoted_is(json_incref(causes), cases[i].causes);
		json_decref(out);
	}
}

static void
a_reroll_gives_a_second_score(void **state)
{
	(void)state;
	lasalle2_events_are(
	    FACTS(LANCERS("a", "5"), SQUARE("d", "5"), ON("a", "d", "front")),
	    DICE(DIE("a", "2") "," DIE("d", "1") ",'reroll/a':[6]")
		DECISIONS("{'kind':'reroll','units':['a']}"),
	    5,
	    "{'e':'ask','side':'attacker','kind':'reroll',"
	    "'options':{'units':{'some':['a']}}}\n"
	    "{'e':'decision','side':'attacker','kind':'reroll',"
	    "'units':['a']}\n"
	    "{'e':'roll','label':'reroll/a','sides':6,'dice':[6]}\n"
	    "{'e':'score','unit':'a','strength':5,'die':6,'modifiers':{},"
	    "'score':11}\n"
	    "{'e':'change','unit':'d','what':'broken','why':'upset','die':1,"
	    "'by':'a','by_die':6}\n"
	    "{'e':'change','unit':'a','what':'disr','why':'cavalry',"
	    "'strength':4}\n"
	    "{'e':'result','units':{'a':{'state':'in-place','strength':4,"
	    "'disr':1,'score':11,'die':6,'modifiers':{}},"
	    "'d':{'state':'broken','strength':5,'disr':0,'score':7,'die':1,"
	    "'modifiers':{'strong-position':1}}}}\n");
}

static void
changes_say_what_happens_and_why(void **state)
{
	(void)state;
	/* 10.2 */
	lasalle2_changes_are(
	    FACTS(INF("a", "5"), GUNS("g", "3"), ON("a", "g", "front")),
	    DICE("'retire/g/attacker':[4],'retire/g/defender':[4]")
		DECISIONS("{'kind':'retire','units':['g']}"),
	    "g retired retire;a unengaged retired;");
	/* 10.5 */
	lasalle2_changes_are(
	    FACTS(INF("a", "9"), INF("d", "1"), ON("a", "d", "front")),
	    DICE(DIE("a", "1") "," DIE("d", "6"))
		DECISIONS(STAGGER("a", "false")),
	    "d unaffected upset;a engaged in-place;a disr engaged;"
	    "a broken no-path;");
	lasalle2_changes_are(
	    FACTS(INF("a", "5"), INF("d", "2"), ON("a", "d", "front")),
	    DICE(DIE("a", "3") "," DIE("d", "3")),
	    "d broken outscored;a in-place even-score;");
	lasalle2_changes_are(
	    FACTS(INF("a", "4"), INF("d", "1"), ON("a", "d", "front")),
	    DICE(DIE("a", "3") "," DIE("d", "4")),
	    "d outscored score;d disr outscored;d broken strength;"
	    "a disr odd-score;");
	lasalle2_changes_are(
	    FACTS(CAV("a", "5"), CAV("d", "9"), ON("a", "d", "rear")),
	    DICE(DIE("a", "4") "," DIE("d", "3")),
	    "d outscored score;d disr outscored;d broken trapped;"
	    "a disr cavalry;");
	lasalle2_changes_are(
	    FACTS(CAV("a", "5"), CAV("d", "5"), ON("a", "d", "front")),
	    DICE(DIE("a", "4") "," DIE("d", "3"))
		DECISIONS(STAGGER("d", "true")),
	    "d outscored score;d disr outscored;d staggered path;"
	    "a disr cavalry;");
	lasalle2_changes_are(
	    FACTS(CAV("a", "2"), CAV("d", "1"), ON("a", "d", "front")),
	    DICE(DIE("a", "3") "," DIE("d", "4"))
		DECISIONS(STAGGER("a", "true")),
	    "d in-place score;d spared cavalry;a engaged in-place;"
	    "a disr engaged;a staggered path;");
	/* 10.6 */
	lasalle2_changes_are(
	    FACTS(CAV("a", "2"), CAV("d", "5"), ON("a", "d", "front")),
	    DICE(DIE("a", "3") "," DIE("d", "4")),
	    "d in-place score;d disr cavalry;a broken cavalry;");
}

/* Counts through the faces of the dice: arg is how often it was asked. */
static int
lasalle2_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned *n = arg;

	(void)label;
	(void)e;
	assert_int_equal(sides, 6);
	assert_int_equal(count, 1);
	dice[0] = (uint16_t)(1 + *n % 6);
	*n /= 6;
	return (0);
}

/* Every unit has its path. */
static int
lasalle2_decide_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	size_t i;

	(void)arg;
	(void)c;
	(void)n_room;
	a->n_items = q->members[0].n_ids;
	for (i = 0; i < a->n_items; i++) {
		room[i].id = (int16_t)i;
		room[i].value = 1;
	}
	return (0);
}

static void
all_outcomes_of_an_even_fight_are_as_counted_by_hand(void **state)
{
	const struct combat_policy policy = {.decide = lasalle2_decide_cb};
	unsigned dice, n, broken = 0, hurt = 0, held = 0;
	struct rules_settings set;
	struct combat_dice source = {.roll = lasalle2_roll_cb, .arg = &n};
	json_t *d, *facts, *result;
	struct combat *c;

	(void)state;
	facts = quoted_json(
	    "{" FACTS(INF("a", "5"), INF("d", "5"), ON("a", "d", "front")) "}");
	assert_int_equal(
	    rules_settings_parse(&lasalle2_system, NULL, NULL, &set, NULL), 0);
	assert_int_equal(
	    combat_new(&lasalle2_system, &set, facts, &c, NULL), 0);
	combat_set_policy(c, &policy);
	for (dice = 0; dice < 36; dice++) {
		n = dice;
		combat_reset(c);
		assert_int_equal(combat_run(c, &source, NULL), 0);
		assert_non_null(result = combat_result(c));
		d = json_object_get(json_object_get(result, "units"), "d");
		if (strcmp(json_string_value(json_object_get(d, "state")),
			"broken") == 0)
			broken++;
		else if (json_integer_value(json_object_get(d, "disr")) == 1)
			hurt++;
		else
			held++;
		json_decref(result);
	}
	/* 10.5: by three or more 4-1 5-1 5-2 6-1 6-2 6-3; by one 5, by two 4.
	 */
	assert_int_equal(broken, 6);
	assert_int_equal(hurt, 9);
	assert_int_equal(held, 21);
	combat_free(c);
	json_decref(facts);
}

static void
the_place_is_the_least_id_among_the_defenders(void **state)
{
	static const struct {
		const char *combat;
		const char *id;
	} cases[] = {
	    {"{'attackers':[{'id':'a'}],'defenders':[{'id':'d2'},{'id':'d10'},"
	     "{'id':'d9'}]}",
		"d10"},
	    {"{'defenders':[{'id':'a.b'},{'id':'a-b'},{'id':'a_b'},"
	     "{'id':'a0b'}]}",
		"a-b"},
	    {"{'defenders':[{'id':'only'}]}", "only"},
	    {"{'defenders':[7,{},{'id':7},{'id':'x'}]}", "x"},
	    {"{'defenders':[]}", NULL},
	    {"{'defenders':{'id':'x'}}", NULL},
	    {"{}", NULL},
	    {"[]", NULL},
	};
	const char *id;
	json_t *combat;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		combat = quoted_json(cases[i].combat);
		id = lasalle2_system.game->place_id(combat);
		if (cases[i].id == NULL)
			assert_null(id);
		else
			assert_string_equal(id, cases[i].id);
		json_decref(combat);
	}
}

static void
failing_allocations_are_reported(void **state)
{
	const struct combat_policy policy = {.decide = lasalle2_decide_cb};
	struct rules_settings set;
	unsigned n = 7;
	const struct combat_dice source = {.roll = lasalle2_roll_cb, .arg = &n};
	json_t *facts, *v;
	struct combat *c;
	long nth;
	int r;

	(void)state;
	facts = quoted_json("{" FACTS(LANCERS("a", "5"), GUNS("d", "5"),
	    "{'attacker':'a','defender':'d','edge':'rear','touches':['front',"
	    "'rear'],'across':'wall'}") "}");
	assert_int_equal(
	    rules_settings_parse(&lasalle2_system, NULL, NULL, &set, NULL), 0);
	assert_int_equal(
	    combat_new(&lasalle2_system, &set, facts, &c, NULL), 0);
	combat_set_policy(c, &policy);
	assert_int_equal(combat_run(c, &source, NULL), 0);
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
	assert_true(nth > 50);
	combat_free(c);
	json_decref(facts);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_system_is_known_by_its_version),
	    cmocka_unit_test(events_stand_in_the_order_of_the_rules),
	    cmocka_unit_test(modifiers_name_their_causes),
	    cmocka_unit_test(a_reroll_gives_a_second_score),
	    cmocka_unit_test(changes_say_what_happens_and_why),
	    cmocka_unit_test(
		all_outcomes_of_an_even_fight_are_as_counted_by_hand),
	    cmocka_unit_test(the_place_is_the_least_id_among_the_defenders),
	    cmocka_unit_test(failing_allocations_are_reported),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
