/* SPDX-License-Identifier: ISC */
/*
 * Decisions that only a rule of a system can tell, made by questions: what is
 * offered pick by pick, what is refused and asked for again, what comes of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/err.h"
#include "common/game/game_int.h"
#include "common/rules/combat.h"
#include "common/rules/rules.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/form.h"
#include "tests/lib/quoted.h"

#define RULE_K(n)                                                        \
	"{'id':'k" n "','front':{'effects':['A5']},'back':null,'takes':" \
	"'front'},"
#define RULE_BAG                                                          \
	"[" RULE_K("1") RULE_K("2") RULE_K("3") RULE_K("4") RULE_K("5")   \
	    RULE_K("6") RULE_K(                                           \
		"7") "{'id':'k8','front':{'effects':['A5']},'back':null," \
		     "'takes':'front'}]"
#define RULE_ALLOCATE(defender)                                       \
	"{'attacker':{'units':[{'id':'a','lead':'a1','battalions':["  \
	"{'id':'a1','quality':'raw','sp':4}]}]},'defender':{'units':" \
	"[" defender "]},'bag':" RULE_BAG "}"
#define RULE_CARDS                                       \
	{                                                \
		"{'kind':'tactic','tactic':'feint'}",    \
		    "{'kind':'tactic','tactic':'hold'}", \
		    "{'kind':'chits','number':1}",       \
	}
#define RULE_ALONE                                                      \
	"{'terrain':'clear','attacker':{'stack':{'units':["             \
	"{'id':'a','type':'infantry','cf':1}],'commanders':[{'id':'k'," \
	"'cr':1}]}},'defender':{'stack':{'units':[],'commanders':["     \
	"{'id':'p','cr':1}]}}}"

/* Questions that have a rule, each in a combat of its own. */
static const struct {
	const char *system;
	const char *facts; /* with ' for " */
	uint16_t die; /* what all dice show */
	const char *before[4]; /* answers to what is asked before */
	const char *lines[12];
	const char *decision;
	const char *said[5]; /* in this order */
} rule_rules[] = {
    /* Three hits, two of them for the stack, which has one that is hurt. */
    {"invasion-1812",
	"{'terrain':'clear','attacker':{'stack':{'units':["
	"{'id':'a1','type':'infantry','cf':9},{'id':'a2','type':'infantry'},"
	"{'id':'a3','type':'infantry'}]}},'defender':{'stack':{'units':["
	"{'id':'v','type':'infantry','disrupted':true},"
	"{'id':'w','type':'infantry'}]},'supports':[{'units':["
	"{'id':'s','type':'infantry'}]}]}}",
	3, {NULL},
	{"choose", "s", "s", "v", "b", "b", "b", "choose", "s", "w", "v", "s"},
	"{'kind':'hits','units':['s','w','v'],'extra':'s'}",
	{"Hit 1 of 3: who takes it?", "v (eliminated by it)",
	    "s (disrupted by it)",
	    "may lose one more disrupted unit: which is eliminated?",
	    "Your answer: units: s, w, v; extra: s."}},
    {"invasion-1812", RULE_ALONE, 3, {NULL}, {"choose", "k", "choose", "all"},
	"{'kind':'advance','units':['a','k']}",
	{"Who advances (commanders only with a unit)?",
	    "a commander advances along with a unit only",
	    "Your answer: a, k."}},
    {"invasion-1812", RULE_ALONE, 3, {"{'kind':'advance','units':[]}"},
	{"choose", ""}, "{'kind':'commander-escape','to':null}",
	{"does p escape to", "Your answer: none."}},
    {"invasion-1812", RULE_ALONE, 3, {"{'kind':'advance','units':[]}"},
	{"choose", "the reserve"},
	"{'kind':'commander-escape','to':'the reserve'}",
	{"Your answer: the reserve."}},
    /*
     * Five hits: the lead takes the first, and the second before another has
     * two; a unit that was hit may retreat, which takes a hit off.
     */
    {"imagi-nations",
	RULE_ALLOCATE("{'id':'u','lead':'u2','retreat_room':1,'battalions':["
		      "{'id':'u1','quality':'raw','sp':3},"
		      "{'id':'u2','quality':'raw','sp':4}]},"
		      "{'id':'v','lead':'v1','battalions':["
		      "{'id':'v1','quality':'raw','sp':2}]}"),
	3, RULE_CARDS, {"choose", "v1", "v", "v", "u1", "u2", "u1"},
	"{'kind':'allocate','hits':{'u':{'u1':1,'u2':1},'v':{'v1':1}},"
	"'retreat':{'v':2}}",
	{"Hit 1 of 5: who takes it?", "u2 of u: strength 4, leads",
	    "Hit 2 of 5", "v (retreats a space)",
	    "Your answer: hits: u: u1 1, u2 1; v: v1 1; retreat: v 2."}},
    /* The lead takes the first, which is told before the next is asked. */
    {"imagi-nations",
	RULE_ALLOCATE("{'id':'u','lead':'u2','battalions':["
		      "{'id':'u1','quality':'raw','sp':4},"
		      "{'id':'u2','quality':'raw','sp':4}]}"),
	3, RULE_CARDS, {"choose", "u1", "u2", "u1", "u1"},
	"{'kind':'allocate','hits':{'u':{'u1':3,'u2':2}},'retreat':{}}",
	{"Hit 1 of 5 goes to u2: nobody else can take it.  Hit 2 of 5: who"}},
    /* More hits than strength: the rest is lost, and nobody retreats. */
    {"imagi-nations",
	RULE_ALLOCATE("{'id':'u','lead':'u1','retreat_room':1,"
		      "'battalions':["
		      "{'id':'u1','quality':'raw','sp':1,'hits':1},"
		      "{'id':'u2','quality':'raw','sp':2}]}"),
	3, RULE_CARDS, {"choose", "u2", "u2"},
	"{'kind':'allocate','hits':{'u':{'u2':2}},'retreat':{}}",
	{"Your answer: hits: u: u2 2; retreat: none."}},
    /* One who counts too little. */
    {"tlnb",
	"{'kind':'attack','attackers':["
	"{'id':'a','arm':'infantry','sp':4,'initiative':3},"
	"{'id':'h','arm':'cavalry','sp':2,'initiative':3,'overrunning':true},"
	"{'id':'c','arm':'infantry','sp':16,'initiative':3}],'defenders':["
	"{'id':'d','arm':'infantry','sp':5,'initiative':3}]}",
	6, {NULL}, {"choose", "h", "choose", "a", "choose", "h a"},
	"{'kind':'exchange-loss','units':['h','a']}",
	{"Who is eliminated?  At least 3 together.",
	    "h (counts 2, must go before others)",
	    "are worth 2, and must be worth at least 3",
	    "must name \"h\", which overran, before others",
	    "Your answer: h, a."}},
};

/* All dice show arg's number. */
static int
rule_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)sides;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = *(const uint16_t *)arg;
	return (0);
}

/* Draws the first chit that is there. */
static int
rule_draw_cb(void *arg, const char *label, const char *const *ids, unsigned n,
    const uint16_t *had, unsigned nhad, uint16_t *pick, struct errinfo *e)
{
	(void)arg;
	(void)label;
	(void)ids;
	(void)n;
	(void)had;
	(void)e;
	*pick = (uint16_t)nhad;
	return (0);
}

/* Puts combat number i of rule_rules in the place of the table's. */
static void
rule_put(struct table *t, size_t i, struct rules_settings *set)
{
	const struct rules_system *sys = systems_find(rule_rules[i].system);
	uint16_t die = rule_rules[i].die;
	const struct combat_dice dice = {
	    .roll = rule_roll_cb, .draw = rule_draw_cb, .arg = &die};
	json_t *answer, *facts = quoted_json(rule_rules[i].facts);
	struct combat *c = NULL;
	struct errinfo e = {.text = ""};
	size_t k;

	assert_int_equal(rules_settings_parse(sys, NULL, NULL, set, NULL), 0);
	if (combat_new(sys, set, facts, &c, &e) != 0)
		fail_msg("%zu: %s: %s", i, e.where, e.text);
	json_decref(facts);
	assert_int_equal(combat_run(c, &dice, &e), 0);
	for (k = 0; rule_rules[i].before[k] != NULL; k++) {
		answer = quoted_json(rule_rules[i].before[k]);
		if (combat_answer(c, answer, &e) != 0)
			fail_msg("%zu: %s: %s", i, e.where, e.text);
		json_decref(answer);
		assert_int_equal(combat_run(c, &dice, &e), 0);
	}
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	combat_free(t->game->combat.run);
	t->game->combat.run = c;
	t->game->set.system = sys->id;
	t->game->combat.side = combat_asked_side(c) == COMBAT_ATTACKER ? 2 : 1;
}

static void
what_a_rule_offers_is_asked_for(void **state)
{
	struct rules_settings set;
	json_t *asked, *decision, *v;
	const char *at, *const *said;
	struct person p;
	struct ask_io io;
	struct table t;
	size_t i;
	int r;

	(void)state;
	for (i = 0; i < sizeof(rule_rules) / sizeof(rule_rules[0]); i++) {
		table_begun(&t);
		table_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
		rule_put(&t, i, &set);
		asked = combat_asked(t.game->combat.run);
		io = form_person_init(&p, rule_rules[i].lines, 0);
		decision = NULL;
		r = form_decide(&io, t.game, 2, asked, NULL, &decision);
		if (r != 0)
			fail_msg("%zu: %d %s", i, r, buf_str(&p.said));
		v = quoted_json(rule_rules[i].decision);
		if (!json_equal(v, decision))
			fail_msg("%zu: %s: %s", i,
			    json_dumps(decision, JSON_COMPACT),
			    buf_str(&p.said));
		at = buf_str(&p.said);
		for (said = rule_rules[i].said;
		     said < rule_rules[i].said + 5 && *said != NULL; said++) {
			if ((at = strstr(at, *said)) == NULL)
				fail_msg("%zu: no \"%s\" in %s", i, *said,
				    buf_str(&p.said));
		}
		json_decref(v);
		json_decref(decision);
		json_decref(asked);
		buf_clear(&p.said);
		table_clear(&t);
		rules_settings_clear(&set);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_a_rule_offers_is_asked_for),
	};

	return (cmocka_run_group_tests_name("form_rule", tests, NULL, NULL));
}
