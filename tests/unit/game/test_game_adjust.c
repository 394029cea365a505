/* SPDX-License-Identifier: ISC */
/*
 * Adjustments (umpire-record.7, S5): what a proposal may set of a unit or a
 * commander in each of the systems, who accepts it, when it lapses, and what
 * the rosters are then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_make.h"
#include "common/game/game_take.h"
#include "common/game/game_undo.h"
#include "tests/lib/agree.h"
#include "tests/lib/quoted.h"

/* args of a proposal of these changes. */
#define UNITS(list) "{'what':'adjust','units':[" list "]}"

#define ROSTER(system, one, two)                                    \
	"{'blob':'roster','system':'" system "','sides':{'1':{" one \
	"},'2':{" two "}}}"
#define INVASION                                       \
	ROSTER("invasion-1812",                        \
	    "'units':[{'id':'u1','type':'infantry'}]," \
	    "'commanders':[{'id':'c1','cr':3}]",       \
	    "'units':[{'id':'v1','type':'cavalry','cf':4}]")
#define IMAGI                                                   \
	ROSTER("imagi-nations",                                 \
	    "'units':[{'id':'u1','arm':'infantry','lead':'b1'," \
	    "'battalions':[{'id':'b1','quality':'raw','sp':4}," \
	    "{'id':'b2','quality':'elite','sp':4}]}]",          \
	    "'units':[{'id':'v1','arm':'infantry','lead':'d1'," \
	    "'battalions':[{'id':'d1','quality':'trained','sp':6}]}]")
#define LENISTON                                                           \
	ROSTER("leniston-2009",                                            \
	    "'units':[{'id':'u1','class':'B','fire':'B','skirmish':'A'}]", \
	    "'units':[{'id':'v1','class':'C','fire':'C','skirmish':'C'}]")
#define TLNB                                                              \
	ROSTER("tlnb",                                                    \
	    "'units':[{'id':'u1','arm':'infantry','sp':5,'reduced_sp':2," \
	    "'initiative':3}]",                                           \
	    "'units':[{'id':'v1','arm':'cavalry','sp':4,'initiative':4}]")

/* A game of a system that has begun, with the options (a text) given. */
static void
begun(struct table *t, const char *roster, const char *options)
{
	json_t *blob = table_json(roster);
	const char *system = json_string_value(json_object_get(blob, "system"));
	char more[512];

	(void)snprintf(more, sizeof(more),
	    "{'system':'%s','rules':'%s/1','options':%s}", system, system,
	    options);
	agree_begun(t, roster, more);
	json_decref(blob);
}

/* One change: what a system says of it, and what it leaves. */
struct change {
	const char *args; /* of the proposal */
	const char *why; /* refused with this; NULL: taken */
	const char *unit; /* then this is the unit's object */
};

static void
form_is_checked(void **state)
{
	static const struct {
		const char *args;
		int r;
		const char *why;
	} bad[] = {
	    {"{'what':'adjust'}", ERR_ILLEGAL, "order.args.units"},
	    {"{'what':'adjust','units':{}}", ERR_ILLEGAL, "order.args.units"},
	    {UNITS(""), ERR_ILLEGAL, "order.args.units"},
	    {UNITS("1"), ERR_ILLEGAL, "order.args.units[0]"},
	    {UNITS("{'strength':1}"), ERR_ILLEGAL, "order.args.units[0].id"},
	    {UNITS("{'id':7,'strength':1}"), ERR_ILLEGAL,
		"order.args.units[0].id"},
	    {UNITS("{'id':'Fr-1','strength':1}"), ERR_ILLEGAL,
		"order.args.units[0].id"},
	    {UNITS("{'id':'fr-9','strength':1}"), ERR_ILLEGAL, "neither side"},
	    {UNITS("{'id':'fr-1'}"), ERR_ILLEGAL,
		"does not say what is to change"},
	    {UNITS("{'id':'fr-1','strength':1},{'id':'fr-1','shaken':true}"),
		ERR_ILLEGAL, "twice"},
	    {UNITS("{'id':'fr-1','strength':5}"), ERR_ILLEGAL,
		"changes nothing"},
	    {UNITS("{'id':'fr-1','strength':1},"
		   "{'id':'fr-2','strength':4,'shaken':false}"),
		ERR_ILLEGAL, "order.args.units[1]"},
	    {UNITS("{'id':'fr-1','out':null}"), ERR_ILLEGAL, "changes nothing"},
	    {UNITS("{'id':'fr-1','out':true}"), ERR_ILLEGAL,
		"order.args.units[0].out"},
	    {UNITS("{'id':'fr-1','out':''}"), ERR_ILLEGAL,
		"order.args.units[0].out"},
	    {UNITS("{'id':'fr-1','out':'Gone home'}"), ERR_ILLEGAL,
		"order.args.units[0].out"},
	    {"{'what':'adjust','units':[{'id':'fr-1','strength':1}],'why':'x'}",
		ERR_ILLEGAL, "order.args.why"},
	    {"{'what':'adjust','units':[{'id':'fr-1','strength':1}],'from':1}",
		ERR_NEWER, "order.args.from"},
	};
	struct errinfo e = {.text = ""};
	struct table t;
	json_t *args, *list;
	size_t i;

	(void)state;
	begun(&t, table_roster, "{}");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		table_no(
		    &t, 1, ORDER_PROPOSE, bad[i].args, bad[i].r, bad[i].why);
	/* 64 at most, and what a client asks is what the game says. */
	list = json_array();
	for (i = 0; i < 65; i++)
		json_array_append_new(
		    list, json_pack("{s:s, s:i}", "id", "fr-1", "strength", 1));
	assert_int_equal(game_check_adjust(t.game, 1, list, &e), ERR_INVALID);
	assert_string_equal(e.where, "order.args.units");
	args = json_pack("{s:s, s:o}", "what", "adjust", "units", list);
	assert_int_equal(table_make(&t, 1, ORDER_PROPOSE, args), 0);
	table_refuses(&t, 1, ERR_ILLEGAL, "order.args.units");
	list = table_json("[{'id':'ru-1','strength':1}]");
	assert_int_equal(game_check_adjust(t.game, 1, list, &e), 0);
	game_set_rules_off(t.game);
	assert_int_equal(game_check_adjust(t.game, 1, list, &e), ERR_MISSING);
	json_decref(list);
	table_clear(&t);
}

/* Proposes each change by side 1, which side 2 accepts if it is taken. */
static void
changes(const char *roster, const struct change *c, size_t n)
{
	struct table t;
	json_t *args;
	const char *id;
	int64_t to;

	begun(&t, roster, "{}");
	for (; n > 0; n--, c++) {
		if (c->why != NULL) {
			table_no(
			    &t, 1, ORDER_PROPOSE, c->args, ERR_ILLEGAL, c->why);
			continue;
		}
		to = agree_play(&t, 1, ORDER_PROPOSE, "%s", c->args);
		agree_accept(&t, 2, to);
		args = table_json(c->args);
		id = json_string_value(json_object_get(
		    json_array_get(json_object_get(args, "units"), 0), "id"));
		quoted_is(json_deep_copy(roster_find(t.game->roster, id, NULL)),
		    c->unit);
		json_decref(args);
	}
	agree_done(&t);
}

#define CHANGES(roster, list) \
	changes(roster, list, sizeof(list) / sizeof((list)[0]))

static void
lasalle2_units_change(void **state)
{
	static const struct change list[] = {
	    {UNITS("{'id':'fr-1','strength':0}"), "strength", NULL},
	    {UNITS("{'id':'fr-1','strength':'5'}"), "strength", NULL},
	    {UNITS("{'id':'fr-1','battery':'foot'}"), "battery", NULL},
	    {UNITS("{'id':'fr-1','sp':3}"), "sp", NULL},
	    {UNITS("{'id':'fr-1','strength':null}"), "strength", NULL},
	    {UNITS("{'id':'fr-1','strength':3,'shaken':true}"), NULL,
		"{'id':'fr-1','name':'1er Ligne','arm':'infantry',"
		"'strength':3,'traits':[],'shaken':true}"},
	    /* Out with nothing left, renamed there, and back with something. */
	    {UNITS("{'id':'fr-1','strength':0,'out':'left'}"), NULL,
		"{'id':'fr-1','name':'1er Ligne','arm':'infantry',"
		"'strength':0,'traits':[],'shaken':true,'out':'left'}"},
	    {UNITS("{'id':'fr-1','out':'left'}"), "changes nothing", NULL},
	    {UNITS("{'id':'fr-1','out':'broken'}"), NULL,
		"{'id':'fr-1','name':'1er Ligne','arm':'infantry',"
		"'strength':0,'traits':[],'shaken':true,'out':'broken'}"},
	    {UNITS("{'id':'fr-1','out':null}"), "strength", NULL},
	    {UNITS("{'id':'fr-1','out':null,'strength':2}"), NULL,
		"{'id':'fr-1','name':'1er Ligne','arm':'infantry',"
		"'strength':2,'traits':[],'shaken':true}"},
	    /* The other side's, and two at once. */
	    {UNITS("{'id':'ru-a1','strength':1},{'id':'fr-2','out':'left'}"),
		NULL,
		"{'id':'ru-a1','arm':'artillery','strength':1,"
		"'battery':'foot','traits':[],'shaken':false}"},
	};

	(void)state;
	CHANGES(table_roster, list);
}

static void
invasion1812_units_and_commanders_change(void **state)
{
	static const struct change list[] = {
	    {UNITS("{'id':'u1','type':'elephant'}"), "type", NULL},
	    {UNITS("{'id':'u1','cf':-1}"), "cf", NULL},
	    {UNITS("{'id':'u1','fought':-1}"), "fought", NULL},
	    {UNITS("{'id':'u1','force_marched':1}"), "force_marched", NULL},
	    {UNITS("{'id':'u1','cr':1}"), "cr", NULL},
	    {UNITS("{'id':'c1','cf':1}"), "cf", NULL},
	    {UNITS("{'id':'c1','cr':-1}"), "cr", NULL},
	    {UNITS("{'id':'v1','cf':2,'fought':1,'force_marched':true}"), NULL,
		"{'id':'v1','type':'cavalry','cf':2,'disrupted':false,"
		"'fought':1,'force_marched':true}"},
	    {UNITS("{'id':'c1','cr':2}"), NULL, "{'id':'c1','cr':2}"},
	    {UNITS("{'id':'c1','out':'eliminated'}"), NULL,
		"{'id':'c1','cr':2,'out':'eliminated'}"},
	    {UNITS("{'id':'c1','cr':4}"), NULL,
		"{'id':'c1','cr':4,'out':'eliminated'}"},
	    {UNITS("{'id':'c1','out':null}"), NULL, "{'id':'c1','cr':4}"},
	};

	(void)state;
	CHANGES(INVASION, list);
}

static void
imaginations_units_change(void **state)
{
	static const struct change list[] = {
	    {UNITS("{'id':'u1','fatigue':-1}"), "fatigue", NULL},
	    {UNITS("{'id':'u1','lead':'b9'}"), "lead", NULL},
	    {UNITS("{'id':'u1','disordered':'yes'}"), "disordered", NULL},
	    {UNITS("{'id':'u1','lead_free':99}"), "lead_free", NULL},
	    {UNITS("{'id':'u1','battalions':[]}"), "battalions", NULL},
	    {UNITS("{'id':'b1','hits':1}"), "neither side", NULL},
	    {UNITS("{'id':'v1','battalions':[{'id':'d1','quality':'trained',"
		   "'sp':6,'hits':6}]}"),
		"strength point left", NULL},
	    {UNITS("{'id':'v1','out':'destroyed','battalions':[{'id':'d1',"
		   "'quality':'trained','sp':6,'hits':6}]}"),
		NULL,
		"{'id':'v1','arm':'infantry','lead':'d1',"
		"'battalions':[{'id':'d1','quality':'trained','sp':6,"
		"'hits':6}],'commander':0,'fatigue':0,'disordered':false,"
		"'morale':4,'lead_free':0,'tried':null,"
		"'out':'destroyed'}"},
	    {UNITS("{'id':'u1','fatigue':2,'disordered':true,'lead':'b2',"
		   "'lead_free':1}"),
		NULL,
		"{'id':'u1','arm':'infantry','lead':'b2',"
		"'battalions':[{'id':'b1','quality':'raw','sp':4,'hits':0},"
		"{'id':'b2','quality':'elite','sp':4,'hits':0}],"
		"'commander':0,'fatigue':2,'disordered':true,'morale':4,"
		"'lead_free':1,'tried':null}"},
	};

	(void)state;
	CHANGES(IMAGI, list);
}

static void
leniston2009_units_change(void **state)
{
	static const struct change list[] = {
	    {UNITS("{'id':'u1','class':'Z'}"), "class", NULL},
	    {UNITS("{'id':'u1','casualties':-1}"), "casualties", NULL},
	    {UNITS("{'id':'u1','skirmished':0}"), "skirmished", NULL},
	    {UNITS("{'id':'u1','state':'rout'}"), "state", NULL},
	    {UNITS("{'id':'u1','strength':3}"), "strength", NULL},
	    {UNITS("{'id':'u1','casualties':2,'skirmished':true}"), NULL,
		"{'id':'u1','arm':'infantry','class':'B','fire':'B',"
		"'skirmish':'A','casualties':2,'state':'formed',"
		"'skirmished':true}"},
	    {UNITS("{'id':'v1','state':'rout','out':'rout'}"), NULL,
		"{'id':'v1','arm':'infantry','class':'C','fire':'C',"
		"'skirmish':'C','casualties':0,'state':'rout',"
		"'skirmished':false,'out':'rout'}"},
	    {UNITS("{'id':'v1','out':null}"), "state", NULL},
	};

	(void)state;
	CHANGES(LENISTON, list);
}

static void
tlnb_units_change(void **state)
{
	static const struct change list[] = {
	    {UNITS("{'id':'u1','sp':0}"), "sp", NULL},
	    {UNITS("{'id':'u1','bombarded':3}"), "bombarded", NULL},
	    {UNITS("{'id':'u1','reduced':'x'}"), "reduced", NULL},
	    {UNITS("{'id':'u1','initiative':-1}"), "initiative", NULL},
	    {UNITS("{'id':'u1','stacked':[]}"), "stacked", NULL},
	    {UNITS("{'id':'u1','reduced':true,'bombarded':true}"), NULL,
		"{'id':'u1','arm':'infantry','sp':5,'reduced_sp':2,"
		"'reduced':true,'initiative':3,'demoralized':false,"
		"'suppressed':false,'bombarded':true,"
		"'overrunning':false,'marker':null,'target_move':null}"},
	    {UNITS("{'id':'v1','out':'eliminated'}"), NULL,
		"{'id':'v1','arm':'cavalry','sp':4,'reduced_sp':null,"
		"'reduced':false,'initiative':4,'demoralized':false,"
		"'suppressed':false,'bombarded':false,"
		"'overrunning':false,'marker':null,'target_move':null,"
		"'out':'eliminated'}"},
	    {UNITS("{'id':'v1','out':null,'sp':1}"), NULL,
		"{'id':'v1','arm':'cavalry','sp':1,'reduced_sp':null,"
		"'reduced':false,'initiative':4,'demoralized':false,"
		"'suppressed':false,'bombarded':false,"
		"'overrunning':false,'marker':null,'target_move':null}"},
	};

	(void)state;
	CHANGES(TLNB, list);
}

static void
owners_set_their_own_fields_alone(void **state)
{
	static const struct {
		const char *units;
		bool is_own;
	} list[] = {
	    {"{'id':'fr-1','strength':4}", true},
	    {"{'id':'fr-1','out':'left'}", true},
	    {"{'id':'fr-1','strength':3,'out':null}", true},
	    {"{'id':'fr-1','shaken':true}", false},
	    {"{'id':'fr-1','strength':2,'shaken':true}", false},
	    {"{'id':'ru-1','strength':4}", false},
	    {"{'id':'fr-1','strength':1},{'id':'ru-1','strength':2}", false},
	};
	struct table t;
	json_t *units;
	char text[256];
	int64_t to;
	const struct game_offer *f;
	size_t i;

	(void)state;
	begun(
	    &t, table_roster, "{'seats':4,'owner_fields':['strength','out']}");
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		(void)snprintf(text, sizeof(text), "[%s]", list[i].units);
		units = table_json(text);
		assert_int_equal(
		    game_is_own_adjust(t.game, 1, units), list[i].is_own);
		assert_false(game_is_own_adjust(t.game, 0, units));
		json_decref(units);
		to = agree_play(&t, 1, ORDER_PROPOSE,
		    "{'what':'adjust','units':[%s]}", list[i].units);
		f = game_offer_find(t.game, to);
		assert_int_equal(game_offer_may(t.game, f, 3),
		    list[i].is_own ? GAME_MAY_ACCEPT | GAME_MAY_WITHDRAW
				   : GAME_MAY_WITHDRAW);
		assert_int_equal(game_offer_may(t.game, f, 4),
		    GAME_MAY_ACCEPT | GAME_MAY_DECLINE);
		assert_int_equal(game_offer_may(t.game, f, 0), 0);
		assert_int_equal(game_offer_may(t.game, f, -1), 0);
		if (!list[i].is_own) {
			agree_accept_no(&t, 3, to, ERR_ILLEGAL, "other side");
			agree_accept(&t, 4, to);
		} else {
			/* A team-mate of his may, too. */
			agree_accept(&t, i == 1 ? 3 : 1, to);
		}
	}
	assert_false(game_is_own_adjust(t.game, 1, NULL));
	/* Nothing but adjustments. */
	to = agree_play(&t, 1, ORDER_OFFER, "{'what':'draw'}");
	agree_accept_no(&t, 1, to, ERR_ILLEGAL, "other side");
	agree_done(&t);
	/* Without the option nobody may. */
	begun(&t, table_roster, "{}");
	to = agree_play(
	    &t, 1, ORDER_PROPOSE, UNITS("{'id':'fr-1','strength':4}"));
	agree_accept_no(&t, 1, to, ERR_ILLEGAL, "other side");
	table_clear(&t);
}

/*
 * A commander's fields are the owner's as a unit's are: one rule, whatever
 * the roster calls the thing that a change names.
 */
static void
owners_set_the_fields_of_their_commanders(void **state)
{
	static const struct {
		const char *units;
		bool is_first, is_second; /* own to seat 1, to seat 2 */
	} list[] = {
	    {"{'id':'ney','cr':2}", true, false},
	    {"{'id':'ney','out':'eliminated'}", true, false},
	    {"{'id':'ney','cr':4,'out':null}", true, false},
	    {"{'id':'ney','cr':3},{'id':'u1','out':'left'}", true, false},
	    {"{'id':'kutuzov','cr':1}", false, true},
	    /* One of each side is nobody's own, whichever comes first. */
	    {"{'id':'ney','cr':2},{'id':'kutuzov','cr':2}", false, false},
	    {"{'id':'v1','out':'left'},{'id':'ney','cr':1}", false, false},
	    /* A unit's member that the options do not give to its owner. */
	    {"{'id':'ney','cr':3},{'id':'u1','cf':2,'out':null}", false, false},
	    /* Nobody of this name, a wrong form, nothing at all. */
	    {"{'id':'murat','cr':2}", false, false},
	    {"{'id':'Ney','cr':2}", false, false},
	    {"{'id':7,'cr':2}", false, false},
	    {"{'cr':2}", false, false},
	    {"", false, false},
	};
	struct errinfo e;
	struct table t;
	json_t *units;
	char text[256];
	int64_t to;
	size_t i;

	(void)state;
	begun(&t,
	    ROSTER("invasion-1812",
		"'units':[{'id':'u1','type':'infantry','cf':3}],"
		"'commanders':[{'id':'ney','cr':3}]",
		"'units':[{'id':'v1','type':'cavalry','cf':4}],"
		"'commanders':[{'id':'kutuzov','cr':3}]"),
	    "{'seats':4,'owner_fields':['cr','out']}");
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		(void)snprintf(text, sizeof(text), "[%s]", list[i].units);
		units = table_json(text);
		assert_int_equal(
		    game_is_own_adjust(t.game, 1, units), list[i].is_first);
		assert_int_equal(
		    game_is_own_adjust(t.game, 3, units), list[i].is_first);
		assert_int_equal(
		    game_is_own_adjust(t.game, 2, units), list[i].is_second);
		assert_false(game_is_own_adjust(t.game, 0, units));
		json_decref(units);
		if (!list[i].is_first && !list[i].is_second)
			continue;
		/* Who proposes it accepts it, and so may a team-mate. */
		to = agree_play(&t, list[i].is_first ? 1 : 2, ORDER_PROPOSE,
		    "{'what':'adjust','units':%s}", text);
		agree_accept_no(&t, 0, to, ERR_ILLEGAL, "seat 0");
		agree_accept(&t, list[i].is_first ? 1 + 2 * (i == 1) : 4, to);
	}
	assert_int_equal(json_integer_value(agree_unit(&t, "ney", "cr")), 3);
	assert_null(agree_unit(&t, "ney", "out"));
	assert_string_equal(
	    json_string_value(agree_unit(&t, "u1", "out")), "left");
	assert_int_equal(
	    json_integer_value(agree_unit(&t, "kutuzov", "cr")), 1);
	/* What nobody may have alone is the other side's to accept. */
	to = agree_play(&t, 1, ORDER_PROPOSE,
	    UNITS("{'id':'ney','cr':1},{'id':'kutuzov','cr':2}"));
	agree_accept_no(&t, 3, to, ERR_ILLEGAL, "other side");
	agree_accept(&t, 2, to);
	assert_int_equal(json_integer_value(agree_unit(&t, "ney", "cr")), 1);
	/* The roster has the last word on what a commander has. */
	units = table_json("[{'id':'ney','strength':2}]");
	assert_int_equal(game_check_adjust(t.game, 1, units, &e), ERR_INVALID);
	assert_string_equal(e.where, "order.args.units[0].strength");
	json_decref(units);
	units = table_json("[{'id':'murat','cr':2}]");
	assert_int_equal(game_check_adjust(t.game, 1, units, &e), ERR_INVALID);
	assert_string_equal(e.where, "order.args.units[0].id");
	json_decref(units);
	agree_done(&t);
}

static void
a_proposal_lapses_when_its_units_change(void **state)
{
	struct table t;
	int64_t one, two, both, other;

	(void)state;
	begun(&t, table_roster, "{}");
	one = agree_play(
	    &t, 1, ORDER_PROPOSE, UNITS("{'id':'ru-2','strength':3}"));
	two = agree_play(
	    &t, 2, ORDER_PROPOSE, UNITS("{'id':'ru-2','shaken':true}"));
	both = agree_play(&t, 2, ORDER_PROPOSE,
	    UNITS("{'id':'fr-2','strength':3},{'id':'ru-2','strength':1}"));
	other = agree_play(
	    &t, 2, ORDER_PROPOSE, UNITS("{'id':'fr-2','strength':3}"));
	agree_accept(&t, 2, one);
	assert_false(agree_is_offered(&t, two));
	assert_false(agree_is_offered(&t, both));
	assert_true(agree_is_offered(&t, other));
	agree_accept_no(&t, 1, two, ERR_STALE, "open offer");
	/* What a line sets to what it was is no change. */
	assert_int_equal(
	    roster_set(t.game->roster, "fr-2", "strength", json_integer(4)), 0);
	assert_int_equal(game_undo_note(t.game), 0);
	assert_true(agree_is_offered(&t, other));
	/* A combat that costs them something ends the proposal, too. */
	one = agree_play(&t, 2, ORDER_PROPOSE,
	    UNITS("{'id':'fr-1','shaken':true},{'id':'ru-1','shaken':true}"));
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	table_reload(&t);
	assert_true(
	    json_integer_value(agree_unit(&t, "fr-1", "strength")) < 5 ||
	    json_integer_value(agree_unit(&t, "ru-1", "strength")) < 5);
	assert_false(agree_is_offered(&t, one));
	assert_true(agree_is_offered(&t, other));
	agree_done(&t);
}

static void
no_unit_is_adjusted_while_a_combat_is_open(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	begun(&t, table_roster, "{}");
	agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	to = agree_play(
	    &t, 1, ORDER_PROPOSE, UNITS("{'id':'fr-1','strength':1}"));
	agree_accept_no(&t, 2, to, ERR_ILLEGAL, "combat is open");
	table_settle(&t);
	table_reload(&t);
	/* The answers were side 2's, who may accept behind them. */
	agree_accept(&t, 2, to);
	assert_int_equal(
	    json_integer_value(agree_unit(&t, "fr-1", "strength")), 1);
	agree_done(&t);
}

static void
what_is_out_of_play_fights_again_when_it_comes_back(void **state)
{
	struct table t;
	int64_t to;

	(void)state;
	begun(&t, table_roster, "{}");
	to = agree_play(
	    &t, 1, ORDER_PROPOSE, UNITS("{'id':'fr-1','out':'left'}"));
	agree_accept(&t, 2, to);
	table_no(&t, 1, ORDER_DECLARE, TABLE_FIGHT, ERR_ILLEGAL, "left");
	to =
	    agree_play(&t, 2, ORDER_PROPOSE, UNITS("{'id':'fr-1','out':null}"));
	agree_accept(&t, 1, to);
	table_play(&t, 1, ORDER_DECLARE, TABLE_FIGHT);
	table_settle(&t);
	agree_done(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(form_is_checked),
	    cmocka_unit_test(lasalle2_units_change),
	    cmocka_unit_test(invasion1812_units_and_commanders_change),
	    cmocka_unit_test(imaginations_units_change),
	    cmocka_unit_test(leniston2009_units_change),
	    cmocka_unit_test(tlnb_units_change),
	    cmocka_unit_test(owners_set_their_own_fields_alone),
	    cmocka_unit_test(owners_set_the_fields_of_their_commanders),
	    cmocka_unit_test(a_proposal_lapses_when_its_units_change),
	    cmocka_unit_test(no_unit_is_adjusted_while_a_combat_is_open),
	    cmocka_unit_test(
		what_is_out_of_play_fights_again_when_it_comes_back),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
