/* SPDX-License-Identifier: ISC */
/*
 * Units and commanders that join by agreement, and such as are taken away for
 * good (umpire-record.7, S5.2), in each of the systems: what the rosters are
 * then, which ids are taken, what a takeback leaves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/game/game_make.h"
#include "tests/lib/agree.h"
#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

/* args of a proposal of these changes. */
#define UNITS(list) "{'what':'adjust','units':[" list "]}"

#define ROSTER(system, one, two)                                    \
	"{'blob':'roster','system':'" system "','sides':{'1':{" one \
	"},'2':{" two "}}}"

#define FOOT "'arm':'infantry','strength':5"
#define DON "{'id':'don','joins':'units','side':2," FOOT "}"
#define FIGHT_DON                                                      \
	"{'combat':{'attackers':[{'id':'fr-2','formation':'column'}]," \
	"'defenders':[{'id':'don','formation':'line'}],"               \
	"'contacts':[{'attacker':'fr-2','defender':'don','edge':'front'}]}}"

/* A system, a unit that joins it, and what the roster makes of that. */
static const struct joining {
	const char *system;
	const char *roster;
	const char *given; /* members */
	const char *unit; /* the object of the unit z, but for its end */
	const char *bad; /* members that are refused, with this */
	const char *why;
	int worth[2]; /* of side 2 at first, and of the unit */
} systems[] = {
    {"lasalle2",
	ROSTER("lasalle2", "'units':[{'id':'u1'," FOOT "}]",
	    "'units':[{'id':'v1'," FOOT "}]"),
	"'arm':'artillery','battery':'horse','strength':3",
	"{'id':'z','arm':'artillery','strength':3,'battery':'horse',"
	"'traits':[],'shaken':false",
	"'arm':'artillery','strength':3", "battery", {5, 3}},
    {"invasion-1812",
	ROSTER("invasion-1812", "'units':[{'id':'u1','type':'infantry'}]",
	    "'units':[{'id':'v1','type':'cavalry','cf':4}]"),
	"'type':'cavalry','cf':3",
	"{'id':'z','type':'cavalry','cf':3,'disrupted':false,'fought':0,"
	"'force_marched':false",
	"'type':'cavalry','fought':1", "kept", {4, 3}},
    {"leniston-2009",
	ROSTER("leniston-2009",
	    "'units':[{'id':'u1','class':'B','fire':'B','skirmish':'A'}]",
	    "'units':[{'id':'v1','class':'C','fire':'C','skirmish':'C'}]"),
	"'class':'A','fire':'B','skirmish':'C','casualties':2",
	"{'id':'z','arm':'infantry','class':'A','fire':'B','skirmish':'C',"
	"'casualties':2,'state':'formed','skirmished':false",
	"'class':'Z','fire':'B','skirmish':'C'", "class", {6, 4}},
    {"imagi-nations",
	ROSTER("imagi-nations",
	    "'units':[{'id':'u1','lead':'b1','battalions':[{'id':'b1',"
	    "'quality':'raw','sp':4}]}]",
	    "'units':[{'id':'v1','lead':'d1','battalions':[{'id':'d1',"
	    "'quality':'trained','sp':6}]}]"),
	"'lead':'z-1','battalions':[{'id':'z-1','quality':'elite','sp':4,"
	"'hits':1}]",
	"{'id':'z','arm':'infantry','lead':'z-1','battalions':[{'id':'z-1',"
	"'quality':'elite','sp':4,'hits':1}],'commander':0,'fatigue':0,"
	"'disordered':false,'morale':4,'lead_free':0,'tried':null",
	"'lead':'z-2','battalions':[{'id':'z-1','quality':'elite','sp':4}]",
	"lead", {6, 3}},
    {"tlnb",
	ROSTER("tlnb",
	    "'units':[{'id':'u1','arm':'infantry','sp':5,'initiative':3}]",
	    "'units':[{'id':'v1','arm':'cavalry','sp':4,'initiative':4}]"),
	"'arm':'infantry','sp':5,'reduced_sp':2,'reduced':true,'initiative':3",
	"{'id':'z','arm':'infantry','sp':5,'reduced_sp':2,'reduced':true,"
	"'initiative':3,'demoralized':false,'suppressed':false,"
	"'bombarded':false,'overrunning':false,'marker':null,"
	"'target_move':null",
	"'arm':'infantry','sp':0,'initiative':3", "sp", {4, 2}},
};

/* A game of a system that has begun, with the options (a text) given. */
static void
begun(struct table *t, const struct joining *j, const char *options)
{
	char more[512];

	(void)snprintf(more, sizeof(more),
	    "{'system':'%s','rules':'%s/1','options':%s}", j->system, j->system,
	    options);
	agree_begun(t, j->roster, more);
}

/* Side 1 proposes, and side 2 accepts; gives the line of the accept. */
static int64_t agree(struct table *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static int64_t
agree(struct table *t, const char *fmt, ...)
{
	char list[1024];
	va_list ap;

	va_start(ap, fmt);
	assert_true(vsnprintf(list, sizeof(list), fmt, ap) < 1024);
	va_end(ap);
	return (agree_accept(t, 2,
	    agree_play(
		t, 1, ORDER_PROPOSE, "{'what':'adjust','units':[%s]}", list)));
}

/* Takes all back from a line on. */
static void
take_back(struct table *t, int64_t from)
{
	int64_t to = agree_play(t, 1, ORDER_OFFER,
	    "{'what':'takeback','from':%lld}", (long long)from);

	agree_accept(t, 2, to);
}

/* Side 2 must be worth that. */
static void
worth_is(const struct table *t, int worth)
{
	const json_t *side = json_object_get(game_roster(t->game), "2");

	assert_int_equal(
	    roster_worth(t->game->sys, json_object_get(side, "units"), NULL),
	    worth);
}

/* A unit's object must be this one, which `end` goes behind. */
static void
unit_is(
    const struct table *t, const char *id, const char *unit, const char *end)
{
	char text[1024];

	(void)snprintf(text, sizeof(text), "%s%s", unit, end);
	quoted_is(json_deep_copy(roster_find(t->game->roster, id, NULL)), text);
}

static void
units_join_and_go_in_every_system(void **state)
{
	const struct joining *j;
	struct table t;
	int side;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
		j = &systems[i];
		begun(&t, j, "{}");
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, j->why,
		    UNITS("{'id':'z','joins':'units','side':1,%s}"), j->bad);
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "order.args.units",
		    UNITS("{'id':'u1','joins':'units','side':1,%s}"), j->given);
		agree(&t, "{'id':'z','joins':'units','side':2,%s}", j->given);
		unit_is(&t, "z", j->unit, "}");
		worth_is(&t, j->worth[0] + j->worth[1]);
		assert_non_null(roster_find(t.game->roster, "z", &side));
		assert_int_equal(side, 2);
		/* It is adjusted like others, and goes; nothing comes back. */
		agree(&t, "{'id':'z','out':'late'}");
		worth_is(&t, j->worth[0]);
		unit_is(&t, "z", j->unit, ",'out':'late'}");
		agree(&t,
		    "{'id':'z','gone':true},{'id':'u1','gone':true,"
		    "'out':'left'}");
		unit_is(&t, "z", j->unit, ",'out':'late','gone':true}");
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "for good",
		    UNITS("{'id':'z','out':null}"));
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "for good",
		    UNITS("{'id':'u1','gone':true}"));
		agree_no(&t, 2, ORDER_PROPOSE, ERR_ILLEGAL, "is taken",
		    UNITS("{'id':'z','joins':'units','side':1,%s}"), j->given);
		agree_done(&t);
	}
}

static void
a_takeback_undoes_it_and_frees_no_id(void **state)
{
	const struct joining *j;
	struct table t;
	struct buf b, now;
	int64_t from;
	size_t i;

	(void)state;
	buf_init(&b, 0);
	buf_init(&now, 0);
	for (i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
		j = &systems[i];
		begun(&t, j, "{}");
		agree_roster(&t, &b);
		from = agree(&t,
		    "{'id':'z','joins':'units','side':1,%s},"
		    "{'id':'v1','gone':true}",
		    j->given);
		agree(&t, "{'id':'z','out':'late'}");
		take_back(&t, from);
		assert_string_equal(agree_roster(&t, &now), buf_str(&b));
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "taken back",
		    UNITS("{'id':'z','joins':'units','side':2,%s}"), j->given);
		/* What was gone is there, and may go again. */
		from = agree(&t, "{'id':'v1','gone':true,'out':'left'}");
		take_back(&t, from);
		assert_string_equal(agree_roster(&t, &now), buf_str(&b));
		agree(&t, "{'id':'y','joins':'units','side':1,'name':'Y',%s}",
		    j->given);
		agree_done(&t);
	}
	buf_clear(&b);
	buf_clear(&now);
}

static void
commanders_join_where_there_are_any(void **state)
{
	struct table t;
	struct buf b, now;
	int64_t from;
	size_t i;

	(void)state;
	buf_init(&b, 0);
	buf_init(&now, 0);
	for (i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
		begun(&t, &systems[i], "{}");
		if (strcmp(systems[i].system, "invasion-1812") != 0) {
			agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL,
			    "no commanders",
			    UNITS("{'id':'ney','joins':'commanders','side':1,"
				  "'cr':3}"));
			table_clear(&t);
			continue;
		}
		/* The first of its side, and none is left behind. */
		agree_roster(&t, &b);
		from = agree(
		    &t, "{'id':'ney','joins':'commanders','side':1,'cr':3}");
		assert_int_equal(
		    json_integer_value(agree_unit(&t, "ney", "cr")), 3);
		take_back(&t, from);
		assert_string_equal(agree_roster(&t, &now), buf_str(&b));
		agree(
		    &t, "{'id':'murat','joins':'commanders','side':1,'cr':4}");
		agree(&t, "{'id':'murat','cr':2}");
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "cf",
		    UNITS("{'id':'murat','cf':2}"));
		agree_no(&t, 1, ORDER_PROPOSE, ERR_ILLEGAL, "is taken",
		    UNITS("{'id':'murat','joins':'units','side':1,"
			  "'type':'infantry'}"));
		agree(&t, "{'id':'murat','gone':true}");
		agree_done(&t);
	}
	buf_clear(&b);
	buf_clear(&now);
}

static void
its_form_is_checked_with_and_without_the_rules(void **state)
{
	static const struct {
		const char *units;
		const char *where;
	} bad[] = {
	    {"{'id':'z','joins':'units'," FOOT "}", "order.args.units[0].side"},
	    {"{'id':'z','joins':'units','side':0," FOOT "}", ".side"},
	    {"{'id':'z','joins':'units','side':3," FOOT "}", ".side"},
	    {"{'id':'z','joins':'units','side':'1'," FOOT "}", ".side"},
	    {"{'id':'z','joins':'guns','side':1," FOOT "}", ".joins"},
	    {"{'id':'z','joins':null,'side':1," FOOT "}", ".joins"},
	    {"{'id':'z','joins':1,'side':1," FOOT "}", ".joins"},
	    {"{'id':'z','joins':'units','side':1,'out':'x'," FOOT "}", ".out"},
	    {"{'id':'z','joins':'units','side':1,'out':null," FOOT "}", ".out"},
	    {DON "," DON, "[1].id"},
	    {"{'id':'fr-1','gone':false}", ".gone"},
	    {"{'id':'fr-1','gone':null}", ".gone"},
	    {"{'id':'fr-1','gone':1}", ".gone"},
	    {"{'id':'fr-1','gone':true,'strength':1}", ".strength"},
	    {"{'id':'fr-1','gone':true,'out':null}", ".out"},
	    {"{'id':'fr-1','gone':true,'out':'Far away'}", ".out"},
	    /* The roster's affair. */
	    {"{'id':'z','joins':'units','side':1,'gone':true," FOOT "}", NULL},
	    {"{'id':'z','gone':true}", NULL},
	    {"{'id':'fr-1','side':2}", NULL},
	    {"{'id':'ru-1','joins':'units','side':1," FOOT "}", NULL},
	};
	struct table t, blind;
	struct errinfo e;
	json_t *units;
	char text[256];
	size_t i;
	int r;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	agree_begun(&blind, table_roster, "{}");
	game_set_rules_off(blind.game);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(text, sizeof(text), "[%s]", bad[i].units);
		units = table_json(text);
		memset(&e, 0, sizeof(e));
		r = game_check_adjust(t.game, 1, units, &e);
		assert_int_equal(r, ERR_INVALID);
		if (bad[i].where != NULL)
			assert_non_null(strstr(e.where, bad[i].where));
		r = game_adjust_check(blind.game, units, &e);
		assert_int_equal(r, bad[i].where != NULL ? ERR_INVALID : 0);
		json_decref(units);
	}
	table_clear(&blind);
	table_clear(&t);
}

static void
nobody_lets_units_join_alone(void **state)
{
	static const char all[] = "{'owner_fields':['arm','strength','joins',"
				  "'side','gone','out']}";
	static const char *const list[] = {
	    "{'id':'z','joins':'units','side':1," FOOT "}",
	    "{'id':'u1','gone':true}",
	    "{'id':'u1','strength':2},{'id':'z','joins':'units','side':1," FOOT
	    "}",
	};
	struct table t;
	json_t *units;
	char text[256];
	int64_t to;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		begun(&t, &systems[0], all);
		(void)snprintf(text, sizeof(text), "[%s]", list[i]);
		units = table_json(text);
		assert_false(game_is_own_adjust(t.game, 1, units));
		to = agree_play(
		    &t, 1, ORDER_PROPOSE, "{'what':'adjust','units':%s}", text);
		agree_accept_no(&t, 1, to, ERR_ILLEGAL, "other side");
		agree_accept(&t, 2, to);
		agree_verify(&t);
		game_set_rules_off(t.game);
		assert_false(game_is_own_adjust(t.game, 1, units));
		json_decref(units);
		table_clear(&t);
	}
}

static void
what_joins_fights_and_is_lost(void **state)
{
	struct table t;
	int64_t to, other;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	table_no(&t, 1, ORDER_DECLARE, FIGHT_DON, ERR_ILLEGAL, "don");
	to = agree_play(&t, 1, ORDER_PROPOSE, UNITS(DON));
	/* Proposed is not there. */
	table_no(&t, 1, ORDER_DECLARE, FIGHT_DON, ERR_ILLEGAL, "don");
	other = agree_play(&t, 2, ORDER_PROPOSE,
	    UNITS("{'id':'don','joins':'units','side':1," FOOT "}"));
	agree_accept(&t, 2, to);
	/* Of two that give the same id the second has lapsed. */
	assert_false(agree_is_offered(&t, other));
	to =
	    agree_play(&t, 1, ORDER_PROPOSE, UNITS("{'id':'don','gone':true}"));
	agree_play(&t, 1, ORDER_DECLARE, FIGHT_DON);
	if (t.game->combat.is_open)
		agree_accept_no(&t, 2, to, ERR_ILLEGAL, "combat is open");
	table_settle(&t);
	table_reload(&t);
	/* What it lost it has lost, and an old proposal of it has lapsed. */
	assert_true(json_integer_value(agree_unit(&t, "don", "strength")) < 5 ||
	    json_integer_value(agree_unit(&t, "fr-2", "strength")) < 4);
	if (!agree_is_offered(&t, to))
		to = agree_play(
		    &t, 1, ORDER_PROPOSE, UNITS("{'id':'don','gone':true}"));
	agree_accept(&t, 2, to);
	table_no(&t, 1, ORDER_DECLARE, FIGHT_DON, ERR_ILLEGAL, "out of play");
	agree_done(&t);
}

static void
no_unit_joins_or_goes_while_a_combat_is_open(void **state)
{
	struct table t;
	int64_t one, two;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	agree_play(&t, 1, ORDER_DECLARE, TABLE_GUNS);
	assert_true(t.game->combat.is_open);
	one = agree_play(&t, 1, ORDER_PROPOSE, UNITS(DON));
	two = agree_play(
	    &t, 1, ORDER_PROPOSE, UNITS("{'id':'ru-a1','gone':true}"));
	agree_accept_no(&t, 2, one, ERR_ILLEGAL, "combat is open");
	agree_accept_no(&t, 2, two, ERR_ILLEGAL, "combat is open");
	table_settle(&t);
	table_reload(&t);
	agree_accept(&t, 2, one);
	agree_done(&t);
}

/* Lets n units join side 1, whose ids begin with a letter; the answer. */
static int
many(struct table *t, char letter, size_t n, const char *name)
{
	json_t *list = json_array(), *args;
	char id[16];
	size_t i;
	int r;

	for (i = 0; i < n; i++) {
		(void)snprintf(id, sizeof(id), "%c-%zu", letter, i);
		json_array_append_new(list,
		    json_pack("{s:s, s:s, s:i, s:s, s:s, s:i}", "id", id,
			"joins", "units", "side", 1, "name", name, "arm",
			"cavalry", "strength", 1));
	}
	args = json_pack("{s:s, s:o}", "what", "adjust", "units", list);
	if ((r = table_try(t, 1, ORDER_PROPOSE, args)) != 0)
		return (r);
	agree_accept(t, 2, game_seq(t->game));
	return (0);
}

static void
the_limits_of_a_roster_hold_for_the_whole(void **state)
{
	static const char name[] =
	    "A regiment whose name takes nearly all the room "
	    "that it can";
	struct table t;
	char c;

	(void)state;
	begun(&t, &systems[0], "{}");
	for (c = 'a'; c < 'g'; c++)
		assert_int_equal(many(&t, c, 64, ""), 0);
	/* 385: what is gone counts, too. */
	agree(&t, "{'id':'a-1','gone':true}");
	assert_int_equal(many(&t, 'g', 16, ""), ERR_ILLEGAL);
	assert_non_null(strstr(t.e.text, "no room"));
	assert_int_equal(many(&t, 'h', 15, ""), 0);
	assert_int_equal(many(&t, 'i', 1, ""), ERR_ILLEGAL);
	/* The other side's list has room. */
	agree(&t, "{'id':'zz','joins':'units','side':2," FOOT "}");
	agree_done(&t);
	/* And all that joins is as much as one roster at most. */
	begun(&t, &systems[0], "{}");
	for (c = 'a'; many(&t, c, 64, name) == 0; c++)
		assert_true(c < 'g');
	assert_non_null(strstr(t.e.text, "is the most"));
	assert_true(t.game->joined > 30000);
	agree_done(&t);
}

static void
what_is_gone_is_out_of_play_in_a_kept_roster(void **state)
{
	static const struct {
		const char *marks;
		int r;
	} list[] = {
	    {"{'out':'left','gone':true}", 0},
	    {"{'out':'left','gone':false}", 0},
	    {"{'gone':true}", ERR_INVALID},
	    {"{'out':'left','gone':1}", ERR_INVALID},
	    {"{'out':'left','gone':null}", ERR_INVALID},
	};
	struct roster *r;
	json_t *marks, *saved, *unit;
	struct errinfo e;
	struct table t;
	size_t i;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		saved = roster_json(t.game->roster);
		unit = json_array_get(
		    json_object_get(json_object_get(saved, "1"), "units"), 0);
		marks = table_json(list[i].marks);
		assert_int_equal(json_object_update(unit, marks), 0);
		r = NULL;
		assert_int_equal(
		    roster_restore(t.game->sys, saved, &r, &e), list[i].r);
		roster_free(r);
		json_decref(marks);
		json_decref(saved);
	}
	table_clear(&t);
}

static void
memory_may_run_out(void **state)
{
	struct table t;
	struct roster *r;
	json_t *change, *unit, *saved;
	long nth;
	int err;

	(void)state;
	agree_begun(&t, table_roster, "{}");
	saved = roster_json(t.game->roster);
	change = table_json(DON);
	for (nth = 0;; nth++) {
		assert_int_equal(
		    roster_restore(t.game->sys, saved, &r, NULL), 0);
		unit = NULL;
		alloc_start(nth);
		err = roster_join(r, change, 0, NULL, &unit, NULL);
		if (err == 0)
			err = roster_add(r, change, unit);
		json_decref(unit);
		roster_free(r);
		if (!alloc_stop())
			break;
		assert_int_equal(err, ERR_NOMEM);
	}
	assert_int_equal(err, 0);
	assert_true(nth > 4);
	json_decref(change);
	json_decref(saved);
	table_clear(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(units_join_and_go_in_every_system),
	    cmocka_unit_test(a_takeback_undoes_it_and_frees_no_id),
	    cmocka_unit_test(commanders_join_where_there_are_any),
	    cmocka_unit_test(its_form_is_checked_with_and_without_the_rules),
	    cmocka_unit_test(nobody_lets_units_join_alone),
	    cmocka_unit_test(what_joins_fights_and_is_lost),
	    cmocka_unit_test(no_unit_joins_or_goes_while_a_combat_is_open),
	    cmocka_unit_test(the_limits_of_a_roster_hold_for_the_whole),
	    cmocka_unit_test(what_is_gone_is_out_of_play_in_a_kept_roster),
	    cmocka_unit_test(memory_may_run_out),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
