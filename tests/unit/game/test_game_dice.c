/* SPDX-License-Identifier: ISC */
/*
 * Dice of a line: what the rules draw from its beta, and what a verifier
 * without the rules makes of what is written (umpire-record.7, S6.4, S7).
 * The values are those of the format's own table.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/base/hex.h"
#include "common/game/game_dice.h"
#include "common/game/game_int.h"
#include "common/rules/combat.h"
#include "tests/lib/quoted.h"

/* A throw with the beta of RFC 9381, example 10. */
static struct game_throw
b1(void)
{
	static const char beta[] = "a3ad7b0ef73d8fc6655053ea22f9bede"
				   "8c743f08bbed3d38821f0e16474b505e";
	struct game_throw t = {.place = "c/1/x/1/1"};

	assert_int_equal(hex_parse(t.beta, VRF_BETA_LEN, beta, 64), 0);
	return (t);
}

/* Checks {"rolls":text}; r is what must come of it. */
static void
again_gives(const char *text, int r, const char *why)
{
	const struct game_throw t = b1();
	json_t *dice, *list = quoted_json(text), *rolls = NULL;
	struct errinfo e = {0};
	int got;

	dice = json_pack("{s:o}", "rolls", list);
	got = game_dice_again(&t, dice, &rolls, &e);
	if (got != r || strstr(e.text, why) == NULL)
		fail_msg("%d %s for %s", got, e.text, text);
	if (r == 0)
		assert_true(json_equal(rolls, list));
	else
		assert_null(rolls);
	json_decref(rolls);
	json_decref(dice);
}

static void
rolls_are_made_again_without_the_rules(void **state)
{
	const struct game_throw t = b1();
	json_t *dice, *rolls = NULL;
	struct errinfo e;

	(void)state;
	again_gives(
	    "[{'label':'score/fr-a','sides':6,'dice':[4,3,3,1,2,1,1,3,4,1]},"
	    "{'label':'f30','sides':1000,'dice':[341,775,738]}]",
	    0, "");
	/* What is written there says how many, not which. */
	dice = json_pack("{s:[{s:s, s:i, s:[i, i]}]}", "rolls", "label",
	    "score/fr-a", "sides", 6, "dice", 1, 1);
	assert_int_equal(game_dice_again(&t, dice, &rolls, &e), 0);
	assert_int_equal(
	    json_integer_value(json_array_get(
		json_object_get(json_array_get(rolls, 0), "dice"), 0)),
	    4);
	json_decref(dice);
	json_decref(rolls);
}

static void
rolls_that_cannot_be_are_bad(void **state)
{
	static const char *const bad[] = {
	    "[]",
	    "{}",
	    "[1]",
	    "[{}]",
	    "[{'label':1,'sides':6,'dice':[1]}]",
	    "[{'sides':6,'dice':[1]}]",
	    "[{'label':'x','dice':[1]}]",
	    "[{'label':'x','sides':1,'dice':[1]}]",
	    "[{'label':'x','sides':1001,'dice':[1]}]",
	    "[{'label':'x','sides':6}]",
	    "[{'label':'x','sides':6,'dice':[]}]",
	    "[{'label':'x','sides':6,'dice':[1],'y':1}]",
	    "[{'label':'x','sides':6,'dice':[1]},{'label':'x','sides':6,"
	    "'dice':[1]}]",
	    "[{'label':'x','sides':6,'dice':[1]},{'label':'x','bag':1,"
	    "'chits':['a']}]",
	    "[{'label':'0012345678901234567890123456789012345678901234567890"
	    "123456789012345678901234567890123456789012345','sides':6,"
	    "'dice':[1]}]",
	    "[{'label':'x','bag':0,'chits':['a']}]",
	    "[{'label':'x','bag':1001,'chits':['a']}]",
	    "[{'label':'x','bag':1,'chits':[]}]",
	    "[{'label':'x','bag':1,'chits':['a','b']}]",
	    "[{'label':'x','bag':1}]",
	    "[{'label':'x','bag':2,'chits':['A']}]",
	    "[{'label':'x','bag':2,'chits':[7]}]",
	    "[{'label':'x','bag':2,'chits':['a'],'y':1}]",
	};
	json_t *dice, *list, *rolls = NULL;
	const struct game_throw t = b1();
	struct errinfo e;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		again_gives(bad[i], ERR_BAD, "");
	/* One die more than there can be. */
	list = json_array();
	for (i = 0; i < 1001; i++)
		json_array_append_new(list, json_integer(1));
	dice = json_pack("{s:[{s:s, s:i, s:o}]}", "rolls", "label", "x",
	    "sides", 6, "dice", list);
	assert_int_equal(game_dice_again(&t, dice, &rolls, &e), ERR_BAD);
	json_decref(dice);
}

/* A bag is not in the record: its chits must only stand in their order. */
static void
draws_are_checked_by_their_ranks(void **state)
{
	(void)state;
	again_gives("[{'label':'chits','bag':40,'chits':['c11','c03','c33',"
		    "'c20','c32']}]",
	    0, "");
	again_gives("[{'label':'chits','bag':40,'chits':['k','b','z','m',"
		    "'y']}]",
	    0, "");
	again_gives("[{'label':'chits','bag':4,'chits':['a','c2','c10',"
		    "'c1']}]",
	    0, "");
	again_gives("[{'label':'chits','bag':40,'chits':['c11','c33','c03',"
		    "'c20','c32']}]",
	    ERR_BAD, "in this order");
	again_gives("[{'label':'chits','bag':40,'chits':['c11','c03','c33',"
		    "'c20','c20']}]",
	    ERR_BAD, "in this order");
	again_gives("[{'label':'chits','bag':40,'chits':['c11','c11']}]",
	    ERR_BAD, "in this order");
}

static void
the_rules_draw_chit_by_chit_from_one_stream(void **state)
{
	static const char *const ids[] = {"c10", "c2", "a", "c1"};
	static const char *const drawn[] = {"a", "c2", "c10", "c1"};
	const struct game_throw t = b1();
	struct combat_dice src;
	uint16_t had[4], pick, dice[3];
	struct errinfo e;
	unsigned i;

	(void)state;
	game_dice_source(&t, &src);
	for (i = 0; i < 4; i++) {
		assert_int_equal(
		    src.draw(src.arg, "chits", ids, 4, had, i, &pick, &e), 0);
		assert_string_equal(ids[pick], drawn[i]);
		had[i] = pick;
	}
	assert_int_equal(
	    src.draw(src.arg, "chits", ids, 4, had, 4, &pick, &e), ERR_FAULT);
	assert_int_equal(src.roll(src.arg, "rest/fr-1", 3, 3, dice, &e), 0);
	assert_int_equal(dice[0], 2);
	assert_int_equal(
	    src.roll(src.arg, "rest/fr-1", 1, 3, dice, &e), ERR_FAULT);
	assert_non_null(strstr(e.text, "rest/fr-1"));
	/* A bag that holds a chit twice is the rules' fault. */
	assert_int_equal(
	    src.draw(src.arg, "chits", (const char *const[]){"a", "a"}, 2, had,
		0, &pick, &e),
	    ERR_FAULT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rolls_are_made_again_without_the_rules),
	    cmocka_unit_test(rolls_that_cannot_be_are_bad),
	    cmocka_unit_test(draws_are_checked_by_their_ranks),
	    cmocka_unit_test(the_rules_draw_chit_by_chit_from_one_stream),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
