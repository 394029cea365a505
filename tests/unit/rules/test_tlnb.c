/* SPDX-License-Identifier: ISC */
/*
 * tlnb beyond what scenario files say (tests/rules/tlnb): events, policies,
 * outcomes, answers to an exchange, memory (umpire-rules.7, 14).
 */
#include "common/rules/tlnb/tlnb.h"

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
#include "common/rules/tlnb/tlnb_exchange.h"

#include "tests/lib/alloc.h"
#include "tests/lib/facts.h"
#include "tests/lib/facts_tlnb.h"
#include "tests/lib/quoted.h"
#include "tests/lib/tlnb.h"

#define TLNB_COMBATS 1500 /* of a test by chance */

/* The events of a scenario behind the first, least the last, a line each. */
static void
tlnb_events_are(const char *scenario, const char *want)
{
	json_t *file = quoted_json(scenario), *out = NULL, *events;
	struct errinfo e = {.text = ""};

	if (scenario_run(file, NULL, NULL, &out, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	events = json_object_get(out, "events");
	assert_int_equal(
	    json_array_remove(events, json_array_size(events) - 1), 0);
	quoted_lines_are(events, 1, want);
	json_decref(out);
	json_decref(file);
}

/* An attack: a shift, a shock, a retreat. */
static const char tlnb_attack[] =
    "{'system':'tlnb','combat':{'kind':'attack','attackers':[{'id':'a',"
    "'arm':'cavalry','sp':5,'initiative':4,'halved':true},"
    "{'id':'b','arm':'infantry','sp':2,'initiative':2}],"
    "'defenders':[{'id':'d','arm':'infantry','sp':3,'initiative':3,"
    "'suppressed':true}],'terrain':'town','napoleon':'attacker'},"
    "'script':{'dice':{'combat':[6],'shock/attacker':[4],"
    "'shock/defender':[2]},'decisions':[{'kind':'napoleon-shift','use':true},"
    "{'kind':'lead','unit':'a'},{'kind':'lead','unit':'d'},"
    "{'kind':'retreat','eliminated':['d']}]}}";

/* 5/2 + 2 = 9 half points against 6: 1.5:1. */
static const char tlnb_attack_events[] =
    "{'e':'score','side':'attacker','what':'half-points','units':{'b':2},"
    "'halved':{'a':'+5/2'},'modifiers':{'half-points':'x2/1'},'score':9}\n"
    "{'e':'score','side':'defender','what':'half-points','units':{'d':3},"
    "'modifiers':{'half-points':'x2/1'},'score':6}\n"
    "{'e':'change','side':'attacker','what':'column','why':'odds',"
    "'attacker':'4.5','defender':3,'column':'1.5:1'}\n"
    "{'e':'ask','side':'attacker','kind':'napoleon-shift',"
    "'options':{'use':{'one':[true,false]}}}\n"
    "{'e':'decision','side':'attacker','kind':'napoleon-shift','use':true}\n"
    "{'e':'score','side':'attacker','what':'shift','modifiers':{'napoleon':1},"
    "'score':1}\n"
    "{'e':'change','side':'attacker','what':'column','why':'shift',"
    "'from':'1.5:1','shift':1,'column':'2:1'}\n"
    "{'e':'roll','label':'combat','sides':6,'dice':[6]}\n"
    "{'e':'change','side':'attacker','what':'code','why':'combat','row':6,"
    "'column':'2:1','code':'Ar*'}\n"
    "{'e':'change','side':'attacker','what':'code','why':'terrain',"
    "'from':'Ar*','code':'Sk'}\n"
    "{'e':'ask','side':'attacker','kind':'lead','options':{'unit':{'one':['a',"
    "'b']}}}\n"
    "{'e':'decision','side':'attacker','kind':'lead','unit':'a'}\n"
    "{'e':'ask','side':'defender','kind':'lead',"
    "'options':{'unit':{'one':['d']}}}\n"
    "{'e':'decision','side':'defender','kind':'lead','unit':'d'}\n"
    "{'e':'roll','label':'shock/attacker','sides':6,'dice':[4]}\n"
    "{'e':'score','unit':'a','what':'shock','initiative':4,"
    "'modifiers':{'die-3-4':1},'score':5}\n"
    "{'e':'roll','label':'shock/defender','sides':6,'dice':[2]}\n"
    "{'e':'score','unit':'d','what':'shock','initiative':3,"
    "'modifiers':{'suppressed':-1,'die-1-2':0},'score':2}\n"
    "{'e':'change','side':'attacker','what':'code','why':'shock','attacker':5,"
    "'defender':2,'row':3,'code':'Dr3'}\n"
    "{'e':'change','side':'defender','what':'retreat','why':'result',"
    "'hexes':3}\n"
    "{'e':'ask','side':'defender','kind':'retreat',"
    "'options':{'eliminated':{'some':['d']}}}\n"
    "{'e':'decision','side':'defender','kind':'retreat','eliminated':['d']}\n"
    "{'e':'change','unit':'d','what':'eliminated','why':'no-retreat'}\n"
    "{'e':'change','unit':'a','what':'advance','why':'shock'}\n";

static void
events_of_an_attack_stand_in_order(void **state)
{
	(void)state;
	tlnb_events_are(tlnb_attack, tlnb_attack_events);
}

/* A bombardment: all modifiers of its strength, a conversion. */
static const char tlnb_bombardment[] =
    "{'system':'tlnb','combat':{'kind':'bombardment','batteries':[{'id':'b',"
    "'sp':9,'range':3},{'id':'c','sp':6,'range':2}],"
    "'target':{'units':[{'id':'t','arm':'artillery','sp':3,'initiative':4,"
    "'demoralized':true}],'terrain':'marsh'},"
    "'weather':'rain','arf':true,'mud':true,'point_blank':true},"
    "'script':{'dice':{'bombardment':[6],'initiative':[3]},"
    "'decisions':[{'kind':'convert','unit':'t'},"
    "{'kind':'reduce','units':['t']}]}}";

/* (9/2 + 6) / 2 * 3/4 - 3/2 = 39/16. */
static const char tlnb_bombardment_events[] =
    "{'e':'score','side':'attacker','what':'bombardment','units':{'c':6},"
    "'halved':{'b':'+9/2'},'modifiers':{'marsh':'x1/2','weather':'x3/4',"
    "'arf':'-3/2'},'round':true,'score':2}\n"
    "{'e':'roll','label':'bombardment','sides':6,'dice':[6]}\n"
    "{'e':'score','side':'attacker','what':'row','die':6,"
    "'modifiers':{'mud':-2,'point-blank':2},'score':6}\n"
    "{'e':'change','side':'attacker','what':'code','why':'bombardment',"
    "'row':6,'column':'2-3','code':'Dr'}\n"
    "{'e':'ask','side':'defender','kind':'convert',"
    "'options':{'unit':{'one':['t',null]}}}\n"
    "{'e':'decision','side':'defender','kind':'convert','unit':'t'}\n"
    "{'e':'roll','label':'initiative','sides':6,'dice':[3]}\n"
    "{'e':'score','unit':'t','what':'initiative','initiative':4,"
    "'modifiers':{'demoralized':-1},'score':3}\n"
    "{'e':'change','side':'defender','what':'convert','why':'passed','die':3,"
    "'rating':3}\n"
    "{'e':'ask','side':'attacker','kind':'reduce',"
    "'options':{'units':{'some':['t'],'min':1}}}\n"
    "{'e':'decision','side':'attacker','kind':'reduce','units':['t']}\n"
    "{'e':'change','unit':'t','what':'eliminated','why':'no-reduced-side'}\n";

static void
events_of_a_bombardment_stand_in_order(void **state)
{
	(void)state;
	tlnb_events_are(tlnb_bombardment, tlnb_bombardment_events);
}

/* Tables in which every result can be met. */
#define TLNB_TABLES                                                           \
	"{'crt':[['1R','Ex','1R','Ex','1R','Ex','1R','Ex','1R','Ex','1R',"    \
	"'Ex'],['Ex','1R','Ex','1R','Ex','1R','Ex','1R','Ex','1R','Ex',"      \
	"'1R'],['Sk','Sk','Sk','Sk','Sk','Sk','Sk','Sk','Sk','Sk','Sk',"      \
	"'Sk'],['Dr*','Ar*','Dr*','Ar*','Dr*','Ar*','Dr*','Ar*','Dr*','Ar*'," \
	"'Dr*','Ar*'],['Ae','De','Ae','De','Ae','De','Ae','De','Ae','De',"    \
	"'Ae','De'],['Ar2','Dr3','Ar2','Dr3','Ar2','Dr3','Ar2','Dr3','Ar2',"  \
	"'Dr3','Ar2','Dr3']],'bombardment':{'-1':['S','1R','2R','Dr','1E'],"  \
	"'0':['1R','2R','Dr','1E','S'],'1':['2R','Dr','1E','S','1R'],"        \
	"'2':['Dr','1E','S','1R','2R'],'3':['1E','S','1R','2R','Dr'],"        \
	"'4':['S','1R','2R','Dr','1E'],'5':['1R','2R','Dr','1E','-'],"        \
	"'6':['2R','Dr','1E','S','1R'],'7':['Dr','1E','-','1R','2R']},"       \
	"'charge':[['Pr','Pr','Pr','Pr'],['Pr1','Pr1','Pr1','Pr1'],['Pr2',"   \
	"'Pr2','Pr2','Pr2'],['Pr9','Pr9','Pr9','Pr9'],['Ae','Ae0','Ae1',"     \
	"'OR'],['OR','OR','OR','OR']]}"

/* Who plays a combat, and what it was asked. */
struct tlnb_player {
	uint64_t *seed;
	int word; /* -1: any answer */
	int asked[RULES_POLICIES_MAX];
};

/* Dice by chance. */
static int
tlnb_roll_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = (uint16_t)(1 + chance_pick_cb(arg, sides));
	return (0);
}

/* Answers by a policy, and sees that it is lawful. */
static int
tlnb_decide_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct rules_policy *p = tlnb_system.policies;
	struct tlnb_player *player = arg;
	const struct question_pick pick = {chance_pick_cb, player->seed};
	int i, n, word = player->word;

	for (i = 0; p[i].kind != NULL && strcmp(p[i].kind, q->kind) != 0; i++)
		continue;
	assert_non_null(p[i].kind);
	player->asked[i]++;
	if (word == -1)
		return (question_sample(c, q, &pick, a, room, n_room));
	for (n = 0; p[i].words[n] != NULL; n++)
		continue;
	assert_int_equal(
	    tlnb_system.policy(c, q, word % n, a, room, n_room), 0);
	assert_true(question_holds(c, q, a));
	return (0);
}

/* The outcome says what the result says. */
static void
tlnb_outcome_is(const struct combat *c)
{
	json_t *result = combat_result(c), *units;
	struct rules_outcome out;
	const char *code, *end;
	size_t i;

	memset(&out, 0xff, sizeof(out));
	tlnb_system.outcome(c, &out);
	code = json_string_value(json_object_get(result, "result"));
	if (code == NULL)
		code = json_string_value(json_object_get(result, "table"));
	assert_string_equal(out.whole, code);
	assert_int_equal(out.hits[0], 0);
	assert_int_equal(out.hits[1], 0);
	units = json_object_get(result, "units");
	assert_int_equal(out.n_units, json_object_size(units));
	for (i = 0; i < out.n_units; i++) {
		end =
		    json_string_value(json_object_get(units, out.units[i].id));
		assert_string_equal(end, tlnb_system.ends[out.units[i].end]);
		assert_int_equal(out.units[i].side,
		    strchr("ac", out.units[i].id[0]) != NULL ? COMBAT_ATTACKER
							     : COMBAT_DEFENDER);
		if (strcmp(end, "full") == 0)
			assert_int_equal(out.units[i].loss, 0);
		else if (strcmp(end, "eliminated") == 0)
			assert_true(out.units[i].loss > 0);
		else
			assert_true(out.units[i].loss >= 0);
	}
	json_decref(result);
}

static void
every_policy_is_lawful_and_outcomes_are_the_results(void **state)
{
	json_t *facts, *tables = quoted_json(TLNB_TABLES);
	uint64_t seed = 1813;
	struct tlnb_player player = {.seed = &seed};
	const struct combat_policy policy = {tlnb_decide_cb, &player};
	const struct combat_dice dice = {.roll = tlnb_roll_cb, .arg = &seed};
	struct rules_settings set;
	struct combat *c;
	struct errinfo e;
	size_t i;
	int n;

	(void)state;
	assert_int_equal(
	    rules_settings_parse(&tlnb_system, NULL, tables, &set, &e), 0);
	for (n = 0; n < TLNB_COMBATS; n++) {
		player.word = n % 4 - 1;
		facts = facts_tlnb(&seed);
		assert_int_equal(
		    combat_new(&tlnb_system, &set, facts, &c, &e), 0);
		combat_set_policy(c, &policy);
		if (combat_run(c, &dice, &e) != 0)
			fail_msg("%s", e.text);
		assert_int_equal(combat_status(c), COMBAT_RESOLVED);
		tlnb_outcome_is(c);
		combat_free(c);
		json_decref(facts);
	}
	for (i = 0; tlnb_system.policies[i].kind != NULL; i++)
		assert_true(player.asked[i] > 20);
	rules_settings_clear(&set);
	json_decref(tables);
}

/* Answers one kind by a word, keeps the answer's ids; the rest by words 0. */
struct tlnb_words {
	const char *kind;
	int word;
	size_t n_room; /* 0: as it is given */
	char said[128];
};

/* Answers, and writes the last answer to the kind down. */
static int
tlnb_words_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	struct tlnb_words *w = arg;
	json_t *o;
	char *text;
	int r;

	if (strcmp(q->kind, w->kind) != 0)
		return (tlnb_system.policy(c, q, 0, a, room, n_room));
	if (w->n_room != 0)
		n_room = w->n_room - 1;
	if ((r = tlnb_system.policy(c, q, w->word, a, room, n_room)) != 0)
		return (r);
	o = json_object();
	assert_int_equal(question_write(c, q, a, o), 0);
	(void)json_object_del(o, "kind");
	text = json_dumps(o, JSON_COMPACT);
	(void)snprintf(w->said, sizeof(w->said), "%s", text);
	free(text);
	json_decref(o);
	return (0);
}

/* Every die shows arg's number. */
static int
tlnb_same_cb(void *arg, const char *label, unsigned sides, unsigned count,
    uint16_t *dice, struct errinfo *e)
{
	unsigned i;

	(void)label;
	(void)sides;
	(void)e;
	for (i = 0; i < count; i++)
		dice[i] = *(uint16_t *)arg;
	return (0);
}

/* Runs a combat in which every die shows `die`; the code of its end. */
static int
tlnb_play(
    struct tlnb_words *w, const char *combat, const char *tables, uint16_t die)
{
	const struct combat_policy policy = {tlnb_words_cb, w};
	const struct combat_dice dice = {.roll = tlnb_same_cb, .arg = &die};
	json_t *facts = quoted_json(combat), *own = quoted_json(tables);
	struct rules_settings set;
	struct errinfo e = {.text = ""};
	struct combat *c;
	int r;

	w->said[0] = '\0';
	assert_int_equal(
	    rules_settings_parse(&tlnb_system, NULL, own, &set, &e), 0);
	if (combat_new(&tlnb_system, &set, facts, &c, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	combat_set_policy(c, &policy);
	r = combat_run(c, &dice, &e);
	combat_free(c);
	rules_settings_clear(&set);
	json_decref(facts);
	json_decref(own);
	return (r);
}

/* What was decided is this quoted_text(). */
static void
tlnb_said(const struct tlnb_words *w, const char *want)
{
	char *text = quoted_text(want);

	assert_string_equal(w->said, text);
	free(text);
}

static void
policies_do_what_their_words_say(void **state)
{
	/* Dice of 1 give 1R or Ex by the column, dice of 3 a shock. */
	static const char *const reduce =
	    ATTACK(UNIT("a", "infantry", "4", "3", "") "," UNIT(
		       "b", "infantry", "5", "2", ""),
		UNIT("d", "infantry", "3", "3", ""));
	static const char *const exchange =
	    ATTACK(UNIT("a", "infantry", "4", "3", "") "," UNIT(
		       "b", "infantry", "5", "2", "") "," UNIT("c", "infantry",
		       "3", "2", "") "," UNIT("e", "infantry", "1", "2", ""),
		UNIT("d", "infantry", "6", "3", ""));
	static const char *const overrun =
	    ATTACK(UNIT("a", "infantry", "1", "3", "") "," UNIT("b", "cavalry",
		       "9", "2", ",'overrunning':true") "," UNIT("c",
		       "infantry", "10", "2", ""),
		UNIT("d", "infantry", "10", "3", ""));
	static const char *const fire = FIRE("{'id':'g','sp':4,'range':1}",
	    UNIT("t", "infantry", "4", "2", "") "," UNIT("u", "infantry", "5",
		"4",
		"") "," UNIT("v", "vedette", "1", "5", ",'demoralized':true"));
	static const struct {
		const char *kind;
		const char *combat;
		int word;
		uint16_t die;
		const char *said;
	} cases[] = {
	    /* 9 to 3 is 3:1, 1R by die 1; 13 to 6 is 2:1, Ex by it. */
	    {"reduce", reduce, 0, 1, "{'unit':'d'}"},
	    {"exchange-loss", exchange, 0, 1, "{'units':['c']}"},
	    {"exchange-loss", exchange, 1, 1, "{'units':['b']}"},
	    {"exchange-loss", overrun, 0, 1, "{'units':['b']}"},
	    {"lead", reduce, 0, 3, "{'unit':'d'}"},
	    {"retreat", reduce, 0, 6, "{'eliminated':[]}"},
	    {"retreat", reduce, 1, 6, "{'eliminated':['a','b']}"},
	    /* Strength 4, die 1: 1E. Die 2: S. Die 3: 1R. Die 4: 2R. */
	    {"reduce", fire, 0, 1, "{'units':['u']}"},
	    {"reduce", fire, 1, 1, "{'units':['t']}"},
	    {"reduce", fire, 2, 1, "{'units':['u']}"},
	    {"reduce", fire, 0, 4, "{'units':['u','t']}"},
	    {"reduce", fire, 1, 4, "{'units':['v','t']}"},
	    {"retreat-option", fire, 0, 3, "{'use':false}"},
	    {"retreat-option", fire, 1, 3, "{'use':true}"},
	    {"convert", fire, 0, 5, "{'unit':null}"},
	    {"convert", fire, 1, 5, "{'unit':'u'}"},
	};
	struct tlnb_words w;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&w, 0, sizeof(w));
		w.kind = cases[i].kind;
		w.word = cases[i].word;
		assert_int_equal(
		    tlnb_play(&w, cases[i].combat, TLNB_TABLES, cases[i].die),
		    0);
		tlnb_said(&w, cases[i].said);
		if (strstr(cases[i].said, "['") == NULL)
			continue;
		/* Without room for the list it says so. */
		w.n_room = 1;
		assert_int_equal(
		    tlnb_play(&w, cases[i].combat, TLNB_TABLES, cases[i].die),
		    ERR_TOOBIG);
	}
}

static void
shifts_and_leads_follow_the_policy(void **state)
{
	static const char *const combat =
	    "{'kind':'attack','napoleon':'attacker','guard':['defender'],"
	    "'attackers':[" UNIT("a", "infantry", "4", "3",
		"") "],'defenders':[" UNIT("d", "infantry", "4", "3",
		",'demoralized':true") "," UNIT("e", "infantry", "1", "3",
		"") "," UNIT("f", "infantry", "2", "1", "") "]}";
	static const struct {
		const char *kind;
		int word;
		const char *said;
	} cases[] = {
	    {"napoleon-shift", 0, "{'use':true}"},
	    {"napoleon-shift", 1, "{'use':false}"},
	    {"guard-shift", 0, "{'use':true}"},
	    {"guard-shift", 1, "{'use':false}"},
	    {"lead", 0, "{'unit':'e'}"},
	    {"lead", 1, "{'unit':'f'}"},
	};
	struct tlnb_words w;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memset(&w, 0, sizeof(w));
		w.kind = cases[i].kind;
		w.word = cases[i].word;
		assert_int_equal(tlnb_play(&w, combat, TLNB_TABLES, 3), 0);
		tlnb_said(&w, cases[i].said);
	}
}

/* Opens a combat, takes its events, result and question. */
static int
tlnb_tell(const struct rules_settings *set, const json_t *facts, uint16_t die)
{
	const struct combat_dice dice = {.roll = tlnb_same_cb, .arg = &die};
	json_t *asked = NULL, *events = NULL, *result = NULL;
	struct combat *c = NULL;
	struct errinfo e;
	int r;

	if ((r = combat_new(&tlnb_system, set, facts, &c, &e)) != 0)
		return (r);
	r = combat_run(c, &dice, &e);
	if (r == 0)
		r = combat_events(c, 0, &events);
	if (r == 0 && combat_status(c) == COMBAT_PENDING &&
	    (asked = combat_asked(c)) == NULL)
		r = ERR_NOMEM;
	if (r == 0 && combat_status(c) == COMBAT_RESOLVED &&
	    (result = combat_result(c)) == NULL)
		r = ERR_NOMEM;
	json_decref(asked);
	json_decref(events);
	json_decref(result);
	combat_free(c);
	return (r);
}

static void
failing_allocations_of_a_combat_are_reported(void **state)
{
	static const char *const files[] = {
	    ATTACK(UNIT("a", "cavalry", "4", "3",
		       ",'overrunning':true,'hex':'0101'"),
		UNIT("d", "infantry", "1", "3", "")),
	    ATTACK(UNIT("a", "cavalry", "1", "3", ""),
		UNIT("d", "infantry", "1", "3", "")),
	    FIRE("{'id':'g','sp':3,'range':2}",
		UNIT("t", "infantry", "3", "3", "")),
	    "{'kind':'charge','cavalry':[" UNIT("c", "cavalry", "4", "3",
		"") "],'target':[" UNIT("t", "infantry", "3", "3", "") "]}",
	};
	json_t *facts, *tables;
	struct rules_settings set;
	struct errinfo e;
	size_t i;
	long nth;
	int r;

	(void)state;
	/*
	 * Die 2: 4:1 is Ex, which asks; 1:1 is De; the fire has no effect,
	 * and the charge overruns.
	 */
	tables = quoted_json("{'crt':[['Ex','Ex','Ex','Ex','Ex','Ex','Ex','Ex',"
			     "'Ex','Ex','Ex','Ex'],['Ex','Ex','Ex','Ex','Ex',"
			     "'De','Ex','Ex','Ex','Ex','Ex','Ex'],['Ex','Ex',"
			     "'Ex','Ex','Ex','Ex','Ex','Ex','Ex','Ex','Ex',"
			     "'Ex'],['Ex','Ex','Ex','Ex','Ex','Ex','Ex','Ex',"
			     "'Ex','Ex','Ex','Ex'],['Ex','Ex','Ex','Ex','Ex',"
			     "'Ex','Ex','Ex','Ex','Ex','Ex','Ex'],['Ex','Ex',"
			     "'Ex','Ex','Ex','Ex','Ex','Ex','Ex','Ex','Ex',"
			     "'Ex']]}");
	assert_int_equal(
	    rules_settings_parse(&tlnb_system, NULL, tables, &set, &e), 0);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		facts = quoted_json(files[i]);
		for (nth = 0;; nth++) {
			alloc_start(nth);
			r = tlnb_tell(&set, facts, 2);
			if (!alloc_stop())
				break;
			assert_int_equal(r, ERR_NOMEM);
		}
		assert_int_equal(r, 0);
		assert_true(nth > 20);
		json_decref(facts);
	}
	rules_settings_clear(&set);
	json_decref(tables);
}

static void
answers_to_an_exchange_are_judged(void **state)
{
	/* Units 0 to 2 fight, 3 is stacked, 4 is the enemy; 3 are needed. */
	static const char *const combat = "{'kind':'attack','attackers':[" UNIT(
	    "a", "infantry", "3", "3", "") "," UNIT("b", "cavalry", "1", "3",
	    ",'overrunning':true") "," UNIT("c", "infantry", "4", "3",
	    "") "],'attacker_stacked_artillery':[" UNIT("g", "artillery", "2",
	    "3", "") "],'defenders':[" UNIT("d", "infantry", "5", "3", "") "]}";
	static const struct {
		struct question_item items[3];
		size_t n;
		bool holds;
	} cases[] = {
	    {{{1, 1}, {3, 1}}, 2, true},
	    {{{1, 1}, {3, 1}, {0, 1}}, 3, true},
	    {{{1, 1}, {1, 1}, {0, 1}}, 3, false},
	    {{{1, 1}, {-1, 1}, {0, 1}}, 3, false},
	    {{{1, 1}, {0, 1}, {4, 1}}, 3, false},
	    {{{1, 1}, {0, 1}, {500, 1}}, 3, false},
	    {{{0, 1}, {2, 1}}, 2, false},
	    {{{1, 1}}, 1, false},
	    {{{0, 1}}, 0, false},
	};
	json_t *decision = quoted_json("{'kind':'exchange-loss','units':['b',"
				       "'g']}");
	json_t *facts = quoted_json(combat), *v;
	uint16_t die = 5;
	const struct combat_dice dice = {.roll = tlnb_same_cb, .arg = &die};
	struct question_answer a = {.items = NULL};
	struct question_item room[1];
	struct rules_settings set;
	struct combat *c = NULL;
	struct errinfo e;
	size_t i;
	long nth;
	int r;

	(void)state;
	v = json_pack("[s, s, s, s, s, s, s, s, s, s, s, s]", "Ex", "Ex", "Ex",
	    "Ex", "Ex", "Ex", "Ex", "Ex", "Ex", "Ex", "Ex", "Ex");
	v = json_pack("{s:[O, O, O, O, O, o]}", "crt", v, v, v, v, v, v);
	assert_int_equal(
	    rules_settings_parse(&tlnb_system, NULL, v, &set, &e), 0);
	json_decref(v);
	assert_int_equal(combat_new(&tlnb_system, &set, facts, &c, &e), 0);
	assert_int_equal(combat_run(c, &dice, &e), 0);
	assert_int_equal(combat_status(c), COMBAT_PENDING);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		a.items = cases[i].items;
		a.n_items = cases[i].n;
		assert_int_equal(
		    question_holds(c, combat_question(c), &a), cases[i].holds);
	}
	assert_int_equal(
	    question_read(c, combat_question(c), decision, &a, room, 1, &e),
	    ERR_INVALID);
	for (nth = 0;; nth++) {
		alloc_start(nth);
		v = combat_asked(c);
		json_decref(v);
		if (!alloc_stop())
			break;
		assert_null(v);
	}
	assert_true(nth > 10);
	assert_int_equal(combat_answer(c, decision, &e), 0);
	assert_int_equal(combat_run(c, &dice, &e), 0);
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
	combat_free(c);
	rules_settings_clear(&set);
	json_decref(facts);
	json_decref(decision);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(events_of_an_attack_stand_in_order),
	    cmocka_unit_test(events_of_a_bombardment_stand_in_order),
	    cmocka_unit_test(
		every_policy_is_lawful_and_outcomes_are_the_results),
	    cmocka_unit_test(policies_do_what_their_words_say),
	    cmocka_unit_test(shifts_and_leads_follow_the_policy),
	    cmocka_unit_test(failing_allocations_of_a_combat_are_reported),
	    cmocka_unit_test(answers_to_an_exchange_are_judged),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
