/* SPDX-License-Identifier: ISC */
/*
 * The odds of combats (umpire-rules.7, 6): probabilities of lasalle2 that are
 * worked out by hand, the dice of walks and samples, the budget, policies and
 * memory.  The other systems are tried in test_odds_systems.c.
 */
#include "common/rules/show/odds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/show/odds_dice.h"
#include "common/rules/show/scenario.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/quoted.h"

#define ODDS_TEST_NEAR 1e-12 /* of exact figures, which are rounded */

/* A combat with its settings, and its odds. */
struct odds_test {
	struct rules_settings set;
	struct combat *c;
	struct odds_policy policy;
	struct odds odds;
};

/* Opens a combat of lasalle2: facts without their braces, and a policy. */
static void
odds_open(struct odds_test *t, const char *facts, const char *policy)
{
	struct errinfo e = {.text = ""};
	char text[4096];
	json_t *file;

	(void)snprintf(text, sizeof(text),
	    "{'system':'lasalle2','combat':{%s},'policy':{%s}}", facts, policy);
	file = quoted_json(text);
	memset(t, 0, sizeof(*t));
	if (scenario_open(file, NULL, &t->set, &t->c, &e) != 0 ||
	    odds_policy_parse(t->set.sys, json_object_get(file, "policy"),
		&t->policy, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(file);
}

/* Frees what odds_open() made. */
static void
odds_close(struct odds_test *t)
{
	combat_free(t->c);
	rules_settings_clear(&t->set);
}

/* Opens a combat and walks its dice. */
static void
odds_walk(struct odds_test *t, const char *facts, const char *policy)
{
	struct errinfo e = {.text = ""};

	odds_open(t, facts, policy);
	if (odds_exact(t->c, &t->policy, ODDS_BUDGET, NULL, &t->odds, &e) != 0)
		fail_msg("%s", e.text);
	assert_true(t->odds.is_exact);
}

/* Samples the combat that is open. */
static void
odds_try(struct odds_test *t, uint64_t n, uint64_t seed, struct odds *out)
{
	struct errinfo e = {.text = ""};

	if (odds_sample(t->c, &t->policy, n, seed, NULL, out, &e) != 0)
		fail_msg("%s", e.text);
	assert_false(out->is_exact);
	assert_int_equal(out->runs, n);
	assert_int_equal(out->seed, seed);
}

/* The figure is the fraction top / bottom. */
static void
odds_is(const char *what, double has, double top, double bottom)
{
	double d = has - top / bottom;

	if (d < -ODDS_TEST_NEAR || d > ODDS_TEST_NEAR)
		fail_msg("%s is %.15g, not %g/%g", what, has, top, bottom);
}

/*
 * The unit's four ends (in place, staggered, retired, broken) and its
 * expected loss have these numerators over the bottom.
 */
static void
odds_unit_is(const struct odds_test *t, size_t unit, double bottom,
    const double ends[4], double loss)
{
	const struct odds_unit *u = &t->odds.units[unit];
	double sum = 0;
	size_t i;

	for (i = 0; i < 4; i++) {
		odds_is(t->set.sys->ends[i], u->ends[i].p, ends[i], bottom);
		sum += ends[i];
	}
	assert_true(sum == bottom); /* the test's own arithmetic */
	odds_is("the loss", u->loss.mean, loss, bottom);
}

/* The probability of this outcome of the combat as a whole. */
static double
odds_whole(const struct odds *odds, const char *word)
{
	size_t i;

	for (i = 0; i < odds->n_whole; i++) {
		if (strcmp(odds->whole[i].word, word) == 0)
			return (odds->whole[i].share.p);
	}
	return (0);
}

#define UNIT(id, arm, strength, formation, more)               \
	"{'id':'" id "','arm':'" arm "','strength':" #strength \
	",'formation':'" formation "'" more "}"
#define FACTS(attackers, defenders, contacts)                 \
	"'attackers':[" attackers "],'defenders':[" defenders \
	"],'contacts':[" contacts "]"
#define CONTACT(a, d) "{'attacker':'" a "','defender':'" d "','edge':'front'}"

#define INFANTRY(sa, sd)                             \
	FACTS(UNIT("a", "infantry", sa, "line", ""), \
	    UNIT("d", "infantry", sd, "line", ""), CONTACT("a", "d"))

/*
 * By hand.  Infantry of strength 5 attacks infantry of strength 4, both in
 * line, on its front, in the open: no modifiers (10.3).  Let k be the
 * attacker's die less the defender's; of the 36 outcomes 6 - |k| have this
 * k.  The attacker outscores by 1 + k.
 *
 * The defender (10.5):
 *   k = 2, 3, 4, 5  outscored by 3 or more: broken      4 + 3 + 2 + 1 = 10
 *                   (the upset of 6 against 1 is k = 5)
 *   k = 0, 1        outscored by 1 or 2: DISR, in place         6 + 5 = 11
 *   else            holds                                  36 - 21    = 15
 *   In place: 26.  Loss: 10 x 4 + 11 x 1 = 51.
 *
 * The attacker (10.6): where the defender is in place, a DISR and a stagger:
 * 26.  Where it is broken the attacker stays, and takes a DISR if its score,
 * 5 + die, is odd, so if its die is even: with k >= 2 a 4 meets 1, 2 and a 6
 * meets 1, 2, 3, 4: 2 + 4 = 6.  Loss: 26 + 6 = 32.
 */
static void
odds_of_two_infantry_units_are_those_by_hand(void **state)
{
	static const double a[4] = {10, 26, 0, 0}, d[4] = {26, 0, 0, 10};
	struct odds_test t;

	(void)state;
	odds_walk(&t, INFANTRY(5, 4), "");
	assert_int_equal(t.odds.runs, 36);
	assert_int_equal(t.odds.n_units, 2);
	assert_string_equal(t.odds.units[0].id, "a");
	assert_int_equal(t.odds.units[0].side, COMBAT_ATTACKER);
	assert_string_equal(t.odds.units[1].id, "d");
	assert_int_equal(t.odds.units[1].side, COMBAT_DEFENDER);
	odds_unit_is(&t, 0, 36, a, 32);
	odds_unit_is(&t, 1, 36, d, 51);
	odds_is("loss of 0", t.odds.units[1].losses[0].p, 15, 36);
	odds_is("loss of 1", t.odds.units[1].losses[1].p, 11, 36);
	odds_is("loss of 4", t.odds.units[1].losses[4].p, 10, 36);
	/* E(x^2) = (10 x 16 + 11) / 36 = 171/36; less (51/36)^2. */
	odds_is("variance", t.odds.units[1].loss.variance, 171 * 36 - 51 * 51,
	    36 * 36);
	odds_is("attacker's loss", t.odds.sides[0].loss.mean, 32, 36);
	odds_is("defender's loss", t.odds.sides[1].loss.mean, 51, 36);
	odds_is("attacker's hits", t.odds.sides[0].hits.mean, 32, 36);
	odds_is("defender's hits", t.odds.sides[1].hits.mean, 11, 36);
	odds_is("carried", odds_whole(&t.odds, "carried"), 10, 36);
	odds_is("held", odds_whole(&t.odds, "held"), 26, 36);
	assert_int_equal(t.odds.n_whole, 2);
	odds_is("asked to stagger", t.odds.asked[0][2].p, 26, 36);
	odds_is("asked to retire", t.odds.asked[1][0].p, 0, 36);
	assert_true(t.odds.units[0].loss.low == t.odds.units[0].loss.mean &&
	    t.odds.units[0].loss.high == t.odds.units[0].loss.mean);
	odds_close(&t);
}

/*
 * By hand.  Infantry of strength 13 attacks cavalry of strength 40: -4 for its
 * formation (10.3), so that it is outscored by 26 or more and breaks (10.6)
 * whatever the dice, upsets included.  Every outcome costs it 13.
 */
static void
odds_of_a_sure_loss_have_no_variance(void **state)
{
	static const double a[4] = {0, 0, 0, 36};
	struct odds_test t;

	(void)state;
	odds_walk(&t,
	    FACTS(UNIT("a", "infantry", 13, "line", ""),
		UNIT("d", "cavalry", 40, "line", ""), CONTACT("a", "d")),
	    "");
	odds_unit_is(&t, 0, 36, a, 13 * 36);
	assert_true(t.odds.units[0].loss.mean == 13);
	assert_true(t.odds.units[0].loss.variance == 0);
	assert_true(t.odds.sides[0].loss.variance == 0);
	odds_close(&t);
}

/*
 * By hand.  As above with strength 2 against 6: the attacker outscores by
 * k - 4, never by three, so that the defender breaks only by the upset (10.5)
 * of 6 against 1: 1 of 36.  Nor is it ever outscored by less: k = 5 is that
 * upset.  The attacker loses 1 in the other 35; then it stays, with score
 * 2 + 6, even: no DISR.
 *
 * And 9 against 2: it outscores by 7 + k, by three or more unless k = -5,
 * which is 1 against 6: there the defender is unaffected (10.5).
 * The defender loses 2 x 35; the attacker 1 where it staggers, and where its
 * score, 9 + die, is odd: the dice 2, 4, 6 with any of six: 18.
 */
static void
odds_of_upsets_are_those_by_hand(void **state)
{
	static const double weak[2][4] = {{1, 35, 0, 0}, {35, 0, 0, 1}};
	static const double strong[2][4] = {{35, 1, 0, 0}, {1, 0, 0, 35}};
	struct odds_test t;

	(void)state;
	odds_walk(&t, INFANTRY(2, 6), "");
	odds_unit_is(&t, 0, 36, weak[0], 35);
	odds_unit_is(&t, 1, 36, weak[1], 6);
	odds_close(&t);
	odds_walk(&t, INFANTRY(9, 2), "");
	odds_unit_is(&t, 0, 36, strong[0], 18 + 1);
	odds_unit_is(&t, 1, 36, strong[1], 70);
	odds_close(&t);
}

#define BATTERY                                                           \
	FACTS(UNIT("a", "infantry", 5, "column", ""),                     \
	    UNIT("d", "artillery", 3, "unlimbered", ",'battery':'foot'"), \
	    CONTACT("a", "d"))

/*
 * By hand.  Infantry of strength 5 attacks an unlimbered foot battery of
 * strength 3 that tries to retire (10.2): one die each, and the battery's must
 * not be the lower: 21 of 36.  Then nobody is engaged and nobody loses.
 *
 * In the other 15 of 36 they fight; the attacker outscores by 2 + k:
 *   k >= 1     broken                           5 + 4 + 3 + 2 + 1 = 15
 *   k = -1, 0  DISR, in place                               5 + 6 = 11
 *   else       holds                                              = 10
 * So of 36 x 36 = 1296: retired 21 x 36 = 756, broken 15 x 15 = 225, in place
 * 15 x 21 = 315.  Loss of the battery: 15 x (15 x 3 + 11) = 840.
 * The attacker staggers with a DISR in 315; where it broke the battery it
 * takes one if 5 + die is odd, so for even dice with k >= 1: 1 + 3 + 5 = 9,
 * 15 x 9 = 135.  Loss: 450.
 * The walk meets 21 outcomes that end after two dice and 15 x 36 others.
 */
static void
odds_of_artillery_that_retires_are_those_by_hand(void **state)
{
	static const double a[4] = {981, 315, 0, 0};
	static const double d[4] = {315, 0, 756, 225};
	static const double a_stays[4] = {15, 21, 0, 0};
	static const double d_stays[4] = {21, 0, 0, 15};
	struct odds_test t;

	(void)state;
	odds_walk(&t, BATTERY, "'retire':'all'");
	assert_int_equal(t.odds.runs, 21 + 15 * 36);
	odds_unit_is(&t, 0, 1296, a, 450);
	odds_unit_is(&t, 1, 1296, d, 840);
	odds_is("carried", odds_whole(&t.odds, "carried"), 981, 1296);
	odds_is("asked to retire", t.odds.asked[1][0].p, 1, 1);
	odds_close(&t);

	/* By default it does not try: 36 outcomes, as the second table. */
	odds_walk(&t, BATTERY, "");
	assert_int_equal(t.odds.runs, 36);
	odds_unit_is(&t, 0, 36, a_stays, 21 + 9);
	odds_unit_is(&t, 1, 36, d_stays, 15 * 3 + 11);
	odds_close(&t);
}

#define SQUARE                                                          \
	FACTS(UNIT("a", "cavalry", 4, "line", ",'traits':['lancers']"), \
	    UNIT("d", "infantry", 5, "square", ""), CONTACT("a", "d"))

/*
 * By hand.  Lancers of strength 4 attack a square of strength 5, a strong
 * position (+1, 10.3).  Lancers that rolled 1 or 2 roll again (10.4), so that
 * of 36 their die ends as a 1 or a 2 in 2 x 1 = 2 each, and as a 3, 4, 5 or 6
 * in 6 + 2 = 8 each.  With the defender's die, of 216.  They outscore by
 * k - 2:
 *   k = 5      6 against 1: broken                              8
 *   k = 3, 4   DISR: 4-1, 5-2, 6-3, 5-1, 6-2           5 x 8 = 40
 *   else       holds                                          168
 * The square loses 5 x 8 + 40 = 80.  Cavalry takes a DISR in every case
 * (10.6): the loss is 1, and it staggers unless the square broke.
 * The walk meets 24 outcomes of two dice and 12 x 6 of three.
 */
static void
odds_of_lancers_that_roll_again_are_those_by_hand(void **state)
{
	static const double a[4] = {8, 208, 0, 0}, d[4] = {208, 0, 0, 8};
	static const double a_trapped[4] = {8, 0, 0, 208};
	static const double a_once[4] = {1, 35, 0, 0},
			    d_once[4] = {35, 0, 0, 1};
	struct odds_test t;

	(void)state;
	odds_walk(&t, SQUARE, "");
	assert_int_equal(t.odds.runs, 24 + 12 * 6);
	odds_unit_is(&t, 0, 216, a, 216);
	odds_unit_is(&t, 1, 216, d, 80);
	odds_is("asked to roll again", t.odds.asked[0][1].p, 1, 3);
	odds_close(&t);

	/* Without a path those that must stagger break, and lose all four. */
	odds_walk(&t, SQUARE, "'attacker':{'stagger':'none'}");
	odds_unit_is(&t, 0, 216, a_trapped, 208 * 4 + 8);
	odds_close(&t);

	/* With one roll: 1 of 36 breaks, 3 + 2 others give a DISR. */
	odds_walk(&t, SQUARE, "'reroll':'none'");
	assert_int_equal(t.odds.runs, 36);
	odds_unit_is(&t, 0, 36, a_once, 36);
	odds_unit_is(&t, 1, 36, d_once, 5 + 5);
	odds_close(&t);
}

#define CAVALRY                                    \
	FACTS(UNIT("a", "cavalry", 4, "line", ""), \
	    UNIT("d", "cavalry", 3, "line", ""), CONTACT("a", "d"))

/*
 * By hand.  Cavalry of strength 4 attacks cavalry of strength 3; the attacker
 * outscores by 1 + k.
 *
 * The defender (10.5):
 *   k >= 2      broken                                          10
 *   k = 0, 1    a DISR, and it must stagger                     11
 *   else        in place; cavalry takes a DISR, but for the
 *               upset of 1 against 6, which leaves it alone     15
 *   Loss: 10 x 3 + 11 + 14 = 55.  DISR: 11 + 14 = 25.
 *
 * The attacker (10.6): outscored by three or more, k = -4 or -5, it breaks:
 * 2 + 1 = 3.  Else where the defender is in place, 15 - 3 = 12, it takes a
 * DISR and must stagger.  Else it is cavalry and takes a DISR: 21.
 *   Loss: 3 x 4 + 12 + 21 = 45.
 */
static void
odds_of_cavalry_that_staggers_are_those_by_hand(void **state)
{
	static const double a[4] = {21, 12, 0, 3}, d[4] = {15, 11, 0, 10};
	static const double no_path[4] = {15, 0, 0, 21};
	struct odds_test t;

	(void)state;
	odds_walk(&t, CAVALRY, "");
	odds_unit_is(&t, 0, 36, a, 45);
	odds_unit_is(&t, 1, 36, d, 55);
	odds_is("hits", t.odds.sides[1].hits.mean, 25, 36);
	odds_is("held", odds_whole(&t.odds, "held"), 15, 36);
	odds_close(&t);

	/* Without a path the 11 break too, with a loss of 3 and not of 1. */
	odds_walk(&t, CAVALRY, "'defender':{'stagger':'none'}");
	odds_unit_is(&t, 0, 36, a, 45);
	odds_unit_is(&t, 1, 36, no_path, 55 + 11 * 2);
	odds_close(&t);
}

/* ---- the dice ---- */

/* Walks rolls and draws of a made-up combat. */
static void
odds_dice_walk_meets_every_outcome_once(void **state)
{
	static const char *const ids[] = {"x", "y", "z"};
	struct odds_dice *d = calloc(1, sizeof(*d));
	unsigned seen[2][3][3] = {{{0}}}, n = 0;
	uint16_t dice[2], had[2];
	double sum = 0;

	(void)state;
	assert_non_null(d);
	odds_dice_walk(d);
	do {
		odds_dice_begin(d);
		assert_int_equal(d->source.roll(d, "a", 2, 1, dice, NULL), 0);
		assert_in_range(dice[0], 1, 2);
		/* After a 1 two chits of three; after a 2 two dice. */
		if (dice[0] == 1) {
			assert_int_equal(d->source.draw(d, "b", ids, 3, had, 0,
					     &had[0], NULL),
			    0);
			assert_int_equal(d->source.draw(d, "b", ids, 3, had, 1,
					     &had[1], NULL),
			    0);
			assert_int_not_equal(had[0], had[1]);
			seen[0][had[0]][had[1]]++;
		} else {
			assert_int_equal(
			    d->source.roll(d, "c", 3, 2, dice, NULL), 0);
			seen[1][dice[0] - 1][dice[1] - 1]++;
		}
		sum += 1 / d->count;
		n++;
	} while (odds_dice_next(d));
	assert_int_equal(n, 6 + 9);
	assert_true(sum > 1 - 1e-15L && sum < 1 + 1e-15L);
	for (n = 0; n < 9; n++) {
		assert_int_equal(seen[0][n / 3][n % 3], n / 3 != n % 3);
		assert_int_equal(seen[1][n / 3][n % 3], 1);
	}
	free(d);
}

/* A walk that rolls otherwise the second time is a fault. */
static void
odds_dice_walk_refuses_other_dice_after_the_same(void **state)
{
	struct odds_dice *d = calloc(1, sizeof(*d));
	struct errinfo e = {.text = ""};
	uint16_t die;

	(void)state;
	assert_non_null(d);
	odds_dice_walk(d);
	odds_dice_begin(d);
	assert_int_equal(d->source.roll(d, "a", 6, 1, &die, &e), 0);
	assert_true(odds_dice_next(d));
	odds_dice_begin(d);
	assert_int_equal(d->source.roll(d, "a", 8, 1, &die, &e), ERR_FAULT);
	free(d);
}

/* splitmix64 fills the state; the first numbers of seed 0 are published. */
static void
odds_dice_seed_is_splitmix64(void **state)
{
	struct odds_dice *d = calloc(1, sizeof(*d));

	(void)state;
	assert_non_null(d);
	odds_dice_seed(d, 0);
	assert_true(d->state[0] == 0xe220a8397b1dcdafU);
	assert_true(d->state[1] == 0x6e789e6aa1b965f4U);
	assert_true(d->state[2] == 0x06c45d188009454fU);
	assert_true(d->state[3] == 0xf88bb8a8724c81ecU);
	free(d);
}

/* Every number below n comes, about as often as it should (chi-square). */
static void
odds_dice_pick_is_uniform(void **state)
{
	static const uint32_t sizes[] = {1, 2, 3, 6, 10, 40};
	struct odds_dice *d = calloc(1, sizeof(*d));
	unsigned count[40], i, k;
	double chi, want;

	(void)state;
	assert_non_null(d);
	odds_dice_seed(d, 1815);
	for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		memset(count, 0, sizeof(count));
		for (i = 0; i < 60000; i++)
			count[odds_dice_pick(d, sizes[k])]++;
		want = 60000.0 / sizes[k];
		for (chi = 0, i = 0; i < sizes[k]; i++)
			chi += (count[i] - want) * (count[i] - want) / want;
		/* 99.9 % of chi-square with 39 degrees is 72.1. */
		assert_true(chi < 72.1);
	}
	free(d);
}

/* ---- samples ---- */

/* Three against three of lasalle2, in pairs. */
#define THREE                                                                  \
	FACTS(UNIT("a1", "infantry", 6, "line", "") "," UNIT("a2", "infantry", \
		  7, "column", "") "," UNIT("a3", "cavalry", 5, "line", ""),   \
	    UNIT("d1", "infantry", 6, "line", "") "," UNIT(                    \
		"d2", "infantry", 5, "line", "") "," UNIT("d3", "cavalry", 4,  \
		"line", ",'traits':['shock']"),                                \
	    CONTACT("a1", "d1") "," CONTACT("a2", "d2") "," CONTACT(           \
		"a3", "d3"))

/* Of the same seed the same, bit by bit; of another seed others. */
static void
odds_sample_of_one_seed_is_the_same(void **state)
{
	struct odds *one = calloc(1, sizeof(*one));
	struct odds *two = calloc(1, sizeof(*two));
	struct odds_test t;

	(void)state;
	assert_non_null(one);
	assert_non_null(two);
	odds_open(&t, THREE, "");
	odds_try(&t, 1000, 7, one);
	odds_try(&t, 1000, 7, two);
	assert_memory_equal(one, two, sizeof(*one));
	odds_try(&t, 1000, 8, two);
	assert_true(one->units[0].loss.mean != two->units[0].loss.mean ||
	    one->units[1].loss.mean != two->units[1].loss.mean);
	odds_try(&t, ODDS_SAMPLES_MIN, UINT64_MAX, two);
	odds_close(&t);
	free(one);
	free(two);
}

/* Wilson's interval of 0 of n is 0 to z^2 / (n + z^2), of n of n likewise. */
static void
odds_sample_has_intervals_of_wilson(void **state)
{
	struct odds *odds = calloc(1, sizeof(*odds));
	const double z2 = 1.959963984540054 * 1.959963984540054;
	struct odds_test t;

	(void)state;
	assert_non_null(odds);
	odds_open(&t, INFANTRY(9, 9), "");
	odds_try(&t, 100, 1, odds);
	/* 2: nothing retires. */
	assert_true(odds->units[0].ends[2].p == 0);
	assert_true(odds->units[0].ends[2].low == 0);
	odds_is("high", odds->units[0].ends[2].high, z2, 100 + z2);
	assert_true(odds->other.p == 0);
	odds_close(&t);
	odds_open(&t, BATTERY, "'retire':'all'");
	odds_try(&t, 100, 1, odds);
	assert_true(odds->asked[1][0].p == 1);
	assert_true(odds->asked[1][0].high == 1);
	odds_is("low", odds->asked[1][0].low, 100, 100 + z2);
	odds_close(&t);
	free(odds);
}

/* ---- limits and faults ---- */

/* The budget counts outcomes; one less is refused, and nothing is written. */
static void
odds_exact_keeps_to_its_budget(void **state)
{
	struct errinfo e = {.text = ""};
	struct odds_test t;

	(void)state;
	odds_open(&t, THREE, "");
	t.odds.runs = 7;
	assert_int_equal(
	    odds_exact(t.c, &t.policy, 46655, NULL, &t.odds, &e), ERR_TOOBIG);
	assert_string_equal(e.text, "the dice have more than 46655 outcomes");
	assert_int_equal(t.odds.runs, 7);
	/* So much less that the walk is not begun at all. */
	assert_int_equal(
	    odds_exact(t.c, &t.policy, 36, NULL, &t.odds, &e), ERR_TOOBIG);
	assert_int_equal(
	    odds_exact(t.c, &t.policy, 46656, NULL, &t.odds, &e), 0);
	assert_int_equal(t.odds.runs, 46656);
	assert_int_equal(combat_status(t.c), COMBAT_NEW);
	odds_close(&t);
}

/* What progress was told. */
struct odds_told {
	double last;
	unsigned n, stop; /* stop at call number stop */
};

/* odds_progress: never goes back; stops when it is told to. */
static int
odds_told_cb(void *arg, double done)
{
	struct odds_told *told = arg;

	assert_true(done > told->last && done <= 1 + ODDS_TEST_NEAR);
	told->last = done;
	return (++told->n == told->stop ? ERR_CLOSED : 0);
}

static void
odds_progress_is_told_and_may_stop(void **state)
{
	struct odds_told told = {.stop = 0};
	const struct odds_progress progress = {odds_told_cb, &told};
	struct odds_test t;

	(void)state;
	odds_open(&t, THREE, "");
	assert_int_equal(
	    odds_exact(t.c, &t.policy, ODDS_BUDGET, &progress, &t.odds, NULL),
	    0);
	assert_int_equal(told.n, 46656 / 4096);
	memset(&told, 0, sizeof(told));
	told.stop = 2;
	t.odds.runs = 7;
	assert_int_equal(
	    odds_exact(t.c, &t.policy, ODDS_BUDGET, &progress, &t.odds, NULL),
	    ERR_CLOSED);
	assert_int_equal(told.n, 2);
	told.last = 0;
	told.n = 0;
	assert_int_equal(
	    odds_sample(t.c, &t.policy, 10000, 1, &progress, &t.odds, NULL),
	    ERR_CLOSED);
	assert_int_equal(told.n, 2);
	assert_int_equal(t.odds.runs, 7);
	assert_int_equal(combat_status(t.c), COMBAT_NEW);
	odds_close(&t);
}

/* Two allocations whatever the number of runs; each may fail. */
static void
odds_runs_allocate_nothing(void **state)
{
	struct odds_test t;
	size_t calls;
	int r;

	(void)state;
	odds_open(&t, THREE, "");
	alloc_start(-1);
	r = odds_sample(t.c, &t.policy, 10, 1, NULL, &t.odds, NULL);
	(void)alloc_stop();
	assert_int_equal(r, 0);
	calls = alloc_calls;
	assert_true(calls <= 2);
	alloc_start(-1);
	r = odds_sample(t.c, &t.policy, 5000, 1, NULL, &t.odds, NULL);
	(void)alloc_stop();
	assert_int_equal(r, 0);
	assert_int_equal(alloc_calls, calls);
	alloc_start(-1);
	r = odds_exact(t.c, &t.policy, ODDS_BUDGET, NULL, &t.odds, NULL);
	(void)alloc_stop();
	assert_int_equal(r, 0);
	assert_int_equal(alloc_calls, calls);
#ifndef ALLOC_SANITIZED
	t.odds.runs = 7;
	for (calls = 0; calls < 2; calls++) {
		alloc_start((long)calls);
		r = odds_exact(
		    t.c, &t.policy, ODDS_BUDGET, NULL, &t.odds, NULL);
		assert_true(alloc_stop());
		assert_int_equal(r, ERR_NOMEM);
		assert_int_equal(t.odds.runs, 7);
	}
#endif
	odds_close(&t);
}

/* A walk in steps has the figures of one that is not; it may be given up. */
static void
odds_walk_goes_in_steps(void **state)
{
	struct odds_walk *k;
	struct odds_test t;
	struct odds whole;
	int busy = 0, r;

	(void)state;
	odds_open(&t, THREE, "");
	assert_int_equal(
	    odds_exact(t.c, &t.policy, ODDS_BUDGET, NULL, &whole, NULL), 0);
	assert_int_equal(
	    odds_walk_new(t.c, &t.policy, ODDS_BUDGET, NULL, &k, NULL), 0);
	assert_int_equal(odds_walk_step(k, 7), ERR_BUSY);
	odds_walk_free(k);
	assert_int_equal(
	    odds_walk_new(t.c, &t.policy, ODDS_BUDGET, NULL, &k, NULL), 0);
	while ((r = odds_walk_step(k, 7)) == ERR_BUSY)
		busy++;
	assert_int_equal(r, 0);
	assert_true(busy > 3);
	odds_walk_end(k, &t.odds);
	assert_int_equal(t.odds.runs, whole.runs);
	assert_int_equal(t.odds.walked, whole.walked);
	assert_memory_equal(t.odds.sides, whole.sides, sizeof(whole.sides));
	assert_memory_equal(t.odds.whole, whole.whole, sizeof(whole.whole));
	assert_int_equal(odds_walk_new(t.c, &t.policy, 20, NULL, &k, NULL), 0);
	while ((r = odds_walk_step(k, 7)) == ERR_BUSY)
		continue;
	assert_int_equal(r, ERR_TOOBIG);
	odds_walk_free(k);
	odds_close(&t);
}

/* ---- policies ---- */

/* A policy of lasalle2 is refused at this place. */
static void
odds_refuses(const char *policy, const char *where, const char *text)
{
	struct errinfo e = {.text = ""};
	struct odds_policy made = {.word = {{7}}};
	json_t *v = quoted_json(policy);

	assert_int_equal(
	    odds_policy_parse(systems_find("lasalle2"), v, &made, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, where);
	if (strstr(e.text, text) == NULL)
		fail_msg("%s: \"%s\" says nothing of %s", policy, e.text, text);
	assert_int_equal(made.word[0][0], 7);
	json_decref(v);
}

static void
odds_policy_refuses_what_it_does_not_know(void **state)
{
	(void)state;
	odds_refuses("[]", "policy", "object");
	odds_refuses("7", "policy", "object");
	odds_refuses("{'charge':'all'}", "policy.charge", "");
	odds_refuses(
	    "{'retire':'some'}", "policy.retire", "one of none, all, random");
	odds_refuses("{'retire':''}", "policy.retire", "one of");
	odds_refuses("{'retire':true}", "policy.retire", "one of");
	odds_refuses("{'retire':null}", "policy.retire", "one of");
	odds_refuses(
	    "{'stagger':'all'}", "policy.stagger", "path, none, random");
	odds_refuses("{'umpire':{}}", "policy.umpire", "");
	odds_refuses("{'attacker':'all'}", "policy.attacker", "object");
	odds_refuses("{'attacker':{'retire':'some'}}", "policy.attacker.retire",
	    "one of");
	odds_refuses(
	    "{'defender':{'charge':'all'}}", "policy.defender.charge", "");
	odds_refuses(
	    "{'defender':{'attacker':{}}}", "policy.defender.attacker", "");
}

/* Both forms, one over the other; what is not named is the first word. */
static void
odds_policy_reads_both_forms(void **state)
{
	const struct rules_system *sys = systems_find("lasalle2");
	struct odds_policy p;
	enum combat_side side;
	json_t *v;

	(void)state;
	assert_int_equal(odds_policy_parse(sys, NULL, &p, NULL), 0);
	assert_int_equal(p.word[0][0] + p.word[1][2], 0);
	assert_false(p.is_given[0][0]);
	assert_null(odds_policy_random(sys, &p, &side));
	v = quoted_json("{'defender':{'stagger':'path'},"
			"'stagger':'none','attacker':{'retire':'random'}}");
	assert_int_equal(odds_policy_parse(sys, v, &p, NULL), 0);
	json_decref(v);
	assert_string_equal(odds_policy_word(sys, 2, p.word[0][2]), "none");
	assert_string_equal(odds_policy_word(sys, 2, p.word[1][2]), "path");
	assert_string_equal(odds_policy_word(sys, 0, p.word[0][0]), "random");
	assert_string_equal(odds_policy_word(sys, 0, p.word[1][0]), "none");
	assert_true(p.is_given[0][0] && p.is_given[0][2] && p.is_given[1][2]);
	assert_false(p.is_given[1][0] || p.is_given[0][1]);
	assert_string_equal(odds_policy_random(sys, &p, &side), "retire");
	assert_int_equal(side, COMBAT_ATTACKER);
}

/*
 * "random" is refused by a walk and sampled otherwise: a battery that tries
 * to retire in half of all cases, which is the mean of the two exact answers.
 */
static void
odds_random_answers_are_sampled(void **state)
{
	struct odds *odds = calloc(1, sizeof(*odds));
	struct errinfo e = {.text = ""};
	struct odds_test t;

	(void)state;
	assert_non_null(odds);
	odds_open(&t, BATTERY, "'retire':'random'");
	assert_int_equal(
	    odds_exact(t.c, &t.policy, ODDS_BUDGET, NULL, odds, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "policy.retire");
	odds_try(&t, 20000, 3, odds);
	assert_true(odds->units[1].ends[2].low < 7.0 / 24);
	assert_true(odds->units[1].ends[2].high > 7.0 / 24);
	odds_close(&t);
	odds_open(&t, BATTERY, "'defender':{'retire':'random'}");
	assert_int_equal(
	    odds_exact(t.c, &t.policy, ODDS_BUDGET, NULL, odds, &e),
	    ERR_INVALID);
	assert_string_equal(e.where, "policy.defender.retire");
	odds_close(&t);
	free(odds);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(odds_of_two_infantry_units_are_those_by_hand),
	    cmocka_unit_test(odds_of_a_sure_loss_have_no_variance),
	    cmocka_unit_test(odds_of_upsets_are_those_by_hand),
	    cmocka_unit_test(odds_of_artillery_that_retires_are_those_by_hand),
	    cmocka_unit_test(odds_of_lancers_that_roll_again_are_those_by_hand),
	    cmocka_unit_test(odds_of_cavalry_that_staggers_are_those_by_hand),
	    cmocka_unit_test(odds_dice_walk_meets_every_outcome_once),
	    cmocka_unit_test(odds_dice_walk_refuses_other_dice_after_the_same),
	    cmocka_unit_test(odds_dice_seed_is_splitmix64),
	    cmocka_unit_test(odds_dice_pick_is_uniform),
	    cmocka_unit_test(odds_sample_of_one_seed_is_the_same),
	    cmocka_unit_test(odds_sample_has_intervals_of_wilson),
	    cmocka_unit_test(odds_exact_keeps_to_its_budget),
	    cmocka_unit_test(odds_progress_is_told_and_may_stop),
	    cmocka_unit_test(odds_runs_allocate_nothing),
	    cmocka_unit_test(odds_walk_goes_in_steps),
	    cmocka_unit_test(odds_policy_refuses_what_it_does_not_know),
	    cmocka_unit_test(odds_policy_reads_both_forms),
	    cmocka_unit_test(odds_random_answers_are_sampled),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
