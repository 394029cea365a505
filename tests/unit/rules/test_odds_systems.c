/* SPDX-License-Identifier: ISC */
/*
 * The odds of every system (umpire-rules.7, 6): exact figures against sampled
 * ones, every word of every policy, and the balance of the default bag of
 * imagi-nations (13).
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

#include "common/base/buf.h"
#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/show/odds_dice.h"
#include "common/rules/show/rules_show.h"
#include "common/rules/show/scenario.h"
#include "common/rules/show/show_list.h"
#include "common/rules/systems/systems.h"

#include "tests/lib/alloc.h"
#include "tests/lib/facts.h"
#include "tests/lib/quoted.h"

#define ODDS_TEST_NEAR 1e-9 /* of exact figures, which are rounded */
#define ODDS_TEST_WALKS 5 /* combats of a system that are walked */
#define ODDS_TEST_WALKS_LONG 10
#define ODDS_TEST_WALKS_SLOW 2
#define ODDS_TEST_BAG 20000 /* combats for a mean */
#define ODDS_TEST_BAG_LONG 60000
#define ODDS_TEST_BAG_SLOW 500 /* too few to compare */

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

/* A sum of probabilities is one. */
static void
odds_is_one(double sum)
{
	assert_true(sum > 1 - ODDS_TEST_NEAR && sum < 1 + ODDS_TEST_NEAR);
}

/* How many figures were compared, and how many lay outside. */
struct odds_count {
	unsigned all, outside;
};

/* Compares an exact figure with a sampled interval. */
static void
odds_compare(
    struct odds_count *n, double exact, double p, double low, double high)
{
	assert_true(low <= p && p <= high);
	if (low == high)
		return; /* it never varied in the sample */
	n->all++;
	if (exact < low - ODDS_TEST_NEAR || exact > high + ODDS_TEST_NEAR)
		n->outside++;
	/* Two and a half intervals are five standard errors. */
	assert_true(exact > p - 2.6 * (high - low) / 2 - ODDS_TEST_NEAR &&
	    exact < p + 2.6 * (high - low) / 2 + ODDS_TEST_NEAR);
}

/* Compares probabilities; those of an exact walk sum to one. */
static void
odds_compare_shares(struct odds_count *n, const struct odds_share *exact,
    const struct odds_share *sampled, size_t count)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		sum += exact[i].p;
		if (exact[i].p <= 0) {
			assert_true(sampled[i].p <= 0);
			continue;
		}
		odds_compare(n, exact[i].p, sampled[i].p, sampled[i].low,
		    sampled[i].high);
	}
	odds_is_one(sum);
}

/* Compares means. */
static void
odds_compare_mean(struct odds_count *n, const struct odds_mean *exact,
    const struct odds_mean *sampled)
{
	assert_true(exact->variance >= 0 && sampled->variance >= 0);
	odds_compare(
	    n, exact->mean, sampled->mean, sampled->low, sampled->high);
}

/* Compares all figures of one combat. */
static void
odds_compare_all(struct odds_count *n, const struct rules_system *sys,
    const struct odds *exact, const struct odds *sampled)
{
	size_t ends = 0, i;
	double sum = exact->other.p;

	while (sys->ends[ends] != NULL)
		ends++;
	assert_int_equal(exact->n_units, sampled->n_units);
	for (i = 0; i < exact->n_units; i++) {
		odds_compare_shares(
		    n, exact->units[i].ends, sampled->units[i].ends, ends);
		odds_compare_shares(n, exact->units[i].losses,
		    sampled->units[i].losses, ODDS_LOSS_MAX + 2);
		odds_compare_mean(
		    n, &exact->units[i].loss, &sampled->units[i].loss);
	}
	for (i = 0; i < 2; i++) {
		odds_compare_mean(
		    n, &exact->sides[i].loss, &sampled->sides[i].loss);
		odds_compare_mean(
		    n, &exact->sides[i].hits, &sampled->sides[i].hits);
	}
	for (i = 0; i < exact->n_whole; i++)
		sum += exact->whole[i].share.p;
	odds_is_one(sum);
	for (i = 0; i < sampled->n_whole && exact->n_whole < ODDS_WHOLE_MAX;
	     i++)
		odds_compare(n, odds_whole(exact, sampled->whole[i].word),
		    sampled->whole[i].share.p, sampled->whole[i].share.low,
		    sampled->whole[i].share.high);
}

/* Settings and policies under which a system's dice can be walked. */
static const char *
odds_rulings(const struct rules_system *sys)
{
	return (strcmp(sys->id, "imagi-nations") == 0 ? "{'cdr_die':6}" : "{}");
}

static const char *
odds_policy(const struct rules_system *sys)
{
	return (strcmp(sys->id, "imagi-nations") == 0 ? "{'tactic':'feint'}"
						      : "{}");
}

/* Opens a combat by chance; false if its facts are refused. */
static bool
odds_open_random(const struct rules_system *sys,
    const struct rules_settings *set, uint64_t *seed, struct combat **c)
{
	json_t *facts = facts_random(sys, seed);
	int r;

	r = combat_new(sys, set, facts, c, NULL);
	json_decref(facts);
	if (r != 0)
		assert_int_equal(r, ERR_INVALID);
	return (r == 0);
}

/* Reads rulings and a policy of a system. */
static void
odds_settings(const struct rules_system *sys, struct rules_settings *set,
    struct odds_policy *policy)
{
	json_t *rulings = quoted_json(odds_rulings(sys));
	json_t *words = quoted_json(odds_policy(sys));

	assert_int_equal(
	    rules_settings_parse(sys, rulings, NULL, set, NULL), 0);
	assert_int_equal(odds_policy_parse(sys, words, policy, NULL), 0);
	json_decref(rulings);
	json_decref(words);
}

/*
 * Combats by chance of every system: where the walk fits a small budget, the
 * sampled figures lie in their intervals, about 5 % of them outside.
 */
static void
odds_exact_and_sampled_agree(void **state)
{
	static struct odds exact, sampled;
	const struct rules_system *const *sys;
	struct errinfo e = {.text = ""};
	struct odds_policy policy;
	struct rules_settings set;
	struct odds_count n;
	struct combat *c;
	uint64_t seed = 10;
	unsigned tries, walked, walks;
	int r;

	(void)state;
	walks = getenv("UMPIRE_SLOW") != NULL ? ODDS_TEST_WALKS_SLOW
	    : getenv("UMPIRE_LONG") != NULL   ? ODDS_TEST_WALKS_LONG
					      : ODDS_TEST_WALKS;
	for (sys = systems_all(); *sys != NULL; sys++) {
		n.all = n.outside = walked = 0;
		odds_settings(*sys, &set, &policy);
		for (tries = 0; tries < 400 && walked < walks; tries++) {
			if (!odds_open_random(*sys, &set, &seed, &c))
				continue;
			r = odds_exact(c, &policy, 20000, NULL, &exact, &e);
			if (r == 0 && exact.runs > 1) {
				r = odds_sample(c, &policy, 10000, seed, NULL,
				    &sampled, &e);
				assert_int_equal(r, 0);
				odds_compare_all(&n, *sys, &exact, &sampled);
				walked++;
			}
			if (r != 0 && r != ERR_TOOBIG)
				fail_msg("%s: %s", (*sys)->id, e.text);
			combat_free(c);
		}
		rules_settings_clear(&set);
		print_message("%s: %u combats walked, %u figures, %u outside "
			      "their interval\n",
		    (*sys)->id, walked, n.all, n.outside);
		assert_int_equal(walked, walks);
		/* Figures of one combat hang together: 5 % on average. */
		assert_true(n.outside * 10 <= n.all);
	}
}

/* Samples combats by chance with one word for one kind. */
static void
odds_try_word(const struct rules_system *sys, size_t kind, int word)
{
	static struct odds odds;
	struct errinfo e = {.text = ""};
	struct odds_policy policy;
	struct rules_settings set;
	uint64_t seed = 100 * kind + (uint64_t)(word + 1);
	struct combat *c;
	int tries, tries_max;

	tries_max = getenv("UMPIRE_SLOW") != NULL ? 3 : 60;
	odds_settings(sys, &set, &policy);
	policy.word[0][kind] = policy.word[1][kind] = word;
	for (tries = 0; tries < tries_max; tries++) {
		if (!odds_open_random(sys, &set, &seed, &c))
			continue;
		if (odds_sample(c, &policy, 20, seed, NULL, &odds, &e) != 0)
			fail_msg("%s, %s %s: %s", sys->id,
			    sys->policies[kind].kind,
			    odds_policy_word(sys, kind, word), e.text);
		combat_free(c);
	}
	rules_settings_clear(&set);
}

/* Every word of every kind, and chance, answers whatever comes up. */
static void
odds_every_word_answers(void **state)
{
	const struct rules_system *const *sys;
	size_t kind;
	int word;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		for (kind = 0; (*sys)->policies[kind].kind != NULL; kind++) {
			odds_try_word(*sys, kind, ODDS_RANDOM);
			for (word = 0;
			     (*sys)->policies[kind].words[word] != NULL; word++)
				odds_try_word(*sys, kind, word);
		}
	}
}

/*
 * The mean hits of both sides of imagi-nations in the open, with the default
 * bag and equal sides but for a modifier so large that the die of the combat
 * roll does not change the ratio.
 */
static void
odds_bag_hits(
    int attacker, int defender, const char *policy, uint64_t n, double hits[2])
{
	static const char unit[] =
	    "{'units':[{'id':'%c','lead':'%c1','battalions':[{'id':'%c1',"
	    "'quality':'experienced','sp':4},"
	    "{'id':'%c2','quality':'experienced','sp':4}]}],"
	    "'modifiers':[{'reason':'numbers','value':%d,"
	    "'kind':'conditional'}]}";
	static struct odds odds;
	struct errinfo e = {.text = ""};
	struct odds_policy words;
	struct rules_settings set;
	char sides[2][1024], text[4096];
	struct combat *c;
	json_t *file;

	(void)snprintf(
	    sides[0], sizeof(sides[0]), unit, 'a', 'a', 'a', 'a', attacker);
	(void)snprintf(
	    sides[1], sizeof(sides[1]), unit, 'd', 'd', 'd', 'd', defender);
	(void)snprintf(text, sizeof(text),
	    "{'system':'imagi-nations','combat':{'attacker':%s,'defender':%s,"
	    "'terrain':'open'},'policy':%s}",
	    sides[0], sides[1], policy);
	file = quoted_json(text);
	if (scenario_open(file, NULL, &set, &c, &e) != 0 ||
	    odds_policy_parse(
		set.sys, json_object_get(file, "policy"), &words, &e) != 0 ||
	    odds_sample(c, &words, n, 1815, NULL, &odds, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	hits[0] = odds.sides[0].hits.mean;
	hits[1] = odds.sides[1].hits.mean;
	json_decref(file);
	combat_free(c);
	rules_settings_clear(&set);
}

/* How many combats make a mean; the slow number is too small to compare. */
static uint64_t
odds_bag_combats(void)
{
	return (getenv("UMPIRE_SLOW") != NULL   ? ODDS_TEST_BAG_SLOW
		: getenv("UMPIRE_LONG") != NULL ? ODDS_TEST_BAG_LONG
						: ODDS_TEST_BAG);
}

/*
 * At 1:1 neither side has an edge, whatever cards are played: the mean hits
 * differ by at most 5 %.  Both rolls are 1,000 and a die; which of them is the
 * higher is as likely as the other way round.
 */
static void
odds_of_the_bag_are_even_at_one_to_one(void **state)
{
	static const char *const policies[] = {
	    "{}",
	    "{'chits':'most'}",
	    "{'attacker':{'tactic':'feint'},'chits':'most'}",
	    "{'attacker':{'tactic':'pinning-attack'},'chits':'most'}",
	    "{'attacker':{'tactic':'prepared-attack'}}",
	    "{'defender':{'tactic':'counter-attack'},'chits':'most'}",
	    "{'attacker':{'tactic':'prepared-attack'},"
	    "'defender':{'tactic':'counter-attack'}}",
	};
	const uint64_t n = odds_bag_combats();
	double hits[2];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(policies) / sizeof(policies[0]); i++) {
		odds_bag_hits(1000, 1000, policies[i], n, hits);
		print_message("%s: attacker %.3f, defender %.3f\n", policies[i],
		    hits[0], hits[1]);
		assert_true(hits[0] > 0.1);
		if (n == ODDS_TEST_BAG_SLOW)
			continue;
		assert_true(
		    hits[0] < 1.05 * hits[1] && hits[1] < 1.05 * hits[0]);
	}
}

/*
 * From 1:1 to 4:1, the highest ratio that a chit asks for, the weaker side
 * suffers more hits at each step, and more than the stronger; likewise when
 * the defender is the stronger.  n x 1,000 + n x 20 and a die is at least n
 * times 1,000 and a die, and less than n + 1 times.
 */
static void
odds_of_the_bag_rise_with_the_ratio(void **state)
{
	const uint64_t n = odds_bag_combats();
	double difference, hits[2], last[2];
	int ratio;

	(void)state;
	odds_bag_hits(1000, 1000, "{}", n, hits);
	last[0] = hits[0];
	last[1] = hits[1];
	for (ratio = 2; ratio <= 4; ratio++) {
		odds_bag_hits(1020 * ratio, 1000, "{}", n, hits);
		print_message("%d:1: attacker %.3f, defender %.3f\n", ratio,
		    hits[0], hits[1]);
		assert_true(hits[1] > last[1] + 0.02);
		assert_true(hits[1] > hits[0]);
		last[1] = hits[1];
		odds_bag_hits(1000, 1020 * ratio, "{}", n, hits);
		print_message("1:%d: attacker %.3f, defender %.3f\n", ratio,
		    hits[0], hits[1]);
		assert_true(hits[0] > last[0] + 0.02);
		assert_true(hits[0] > hits[1]);
		last[0] = hits[0];
		/* The bag is the same for both. */
		difference = last[0] - last[1];
		assert_true(n == ODDS_TEST_BAG_SLOW ||
		    (difference < 0.05 * last[0] &&
			-difference < 0.05 * last[0]));
	}
}

/* Three battalions against two, chits of which some are alike, small dice. */
static const char odds_alike[] =
    "{'system':'imagi-nations','rulings':{'cdr_die':6},"
    "'combat':{'terrain':'open',"
    "'bag':["
    "{'id':'a1','takes':'front','front':{'effects':['A1']},'back':null},"
    "{'id':'a2','takes':'front','front':{'effects':['A1']},'back':null},"
    "{'id':'d1','takes':'front','front':{'effects':['D1']},'back':null},"
    "{'id':'r','takes':'front','front':{'when':{'ratio':2},'effects':['A1']},"
    "'back':{'when':{'power':'defender'},'effects':['D2','F']}},"
    "{'id':'m','takes':'both','front':{'effects':['M']},"
    "'back':{'when':{'power':'attacker'},'effects':['A-1']}}],"
    "'attacker':{'units':["
    "{'id':'a','lead':'a1','battalions':[{'id':'a1','quality':'experienced',"
    "'sp':2},{'id':'a2','quality':'experienced','sp':1}]}]},"
    "'defender':{'units':[{'id':'d','lead':'d1','battalions':["
    "{'id':'d1','quality':'trained','sp':2}]}]}}}";

/* The same units and few cards; see odds_alike_many(). */
static const char odds_many[] =
    "{'system':'imagi-nations','rulings':{'cdr_die':6},"
    "'policy':{'attacker':{'tactic':'feint'},'defender':{'tactic':'hold'}},"
    "'combat':{'terrain':'open','bag':["
    "{'id':'m','takes':'both','front':{'effects':['M']},'back':null},"
    "%s],"
    "'attacker':{'units':["
    "{'id':'a','lead':'a1','battalions':[{'id':'a1','quality':'experienced',"
    "'sp':2}]}]},"
    "'defender':{'units':[{'id':'d','lead':'d1','battalions':["
    "{'id':'d1','quality':'trained','sp':2}]}]}}}";

/*
 * A bag of more kinds of chits than odds tell apart where the attacker is
 * stronger, and of two where not: what meets there then does not meet here.
 */
static char *
odds_alike_many(void)
{
	static char text[40000];
	struct buf b;
	int i;

	buf_init(&b, 0);
	for (i = 0; i < 180; i++)
		buf_printf(&b,
		    "%s{'id':'c%d','takes':'front','front':{'when':"
		    "{'power':'attacker'},'effects':['D%d'%s]},'back':null}",
		    i == 0 ? "" : ",", i, i % 90 + 1, i < 90 ? "" : ",'F'");
	assert_in_range(snprintf(text, sizeof(text), odds_many, buf_str(&b)), 1,
	    sizeof(text) - 1);
	buf_clear(&b);
	return (text);
}

/* combat_policy: the words of a policy. */
static int
odds_default_cb(void *arg, const struct combat *c, const struct question *q,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct odds_policy *policy = arg;
	const struct rules_system *sys = combat_system(c);
	const struct rules_policy *p = rules_policy_find(sys, q->kind);

	return (sys->policy(
	    c, q, policy->word[q->side][p - sys->policies], a, room, n_room));
}

/* Opens a combat, with the answers that it is to have. */
static struct combat *
odds_open_alike(
    const char *text, struct rules_settings *set, struct odds_policy *policy)
{
	json_t *file = quoted_json(text);
	struct errinfo e = {.text = ""};
	struct combat *c;

	if (scenario_open(file, NULL, set, &c, &e) != 0 ||
	    odds_policy_parse(
		set->sys, json_object_get(file, "policy"), policy, &e) != 0)
		fail_msg("%s: %s", e.where, e.text);
	json_decref(file);
	return (c);
}

/*
 * Outcomes that meet are counted as one by one: each of the dice and chits is
 * walked here, and what became of the units added up.
 */
static void
odds_are_those_of_each(const char *text, uint64_t saves)
{
	double ends[2][ODDS_ENDS_MAX] = {{0}}, hits[2][100] = {{0}};
	struct odds_policy policy;
	const struct combat_policy decider = {
	    .decide = odds_default_cb, .arg = &policy};
	static struct rules_outcome outcome;
	struct errinfo e = {.text = ""};
	static struct odds_dice dice;
	struct rules_settings set;
	static struct odds odds;
	struct combat *c;
	double p, mean;
	uint64_t n = 0;
	size_t i, k;

	c = odds_open_alike(text, &set, &policy);
	if (odds_exact(c, &policy, ODDS_BUDGET, NULL, &odds, &e) != 0)
		fail_msg("%s", e.text);
	combat_set_policy(c, &decider);
	odds_dice_walk(&dice);
	dice.source.alike = NULL;
	dice.source.meet = NULL;
	do {
		combat_reset(c);
		odds_dice_begin(&dice);
		assert_int_equal(combat_run(c, &dice.source, &e), 0);
		assert_int_equal(combat_status(c), COMBAT_RESOLVED);
		set.sys->outcome(c, &outcome);
		p = (double)(1 / dice.count);
		for (i = 0; i < 2; i++) {
			ends[i][outcome.units[i].end] += p;
			hits[i][outcome.hits[i]] += p;
		}
		n++;
	} while (odds_dice_next(&dice));
	print_message("%llu outcomes, %llu runs\n", (unsigned long long)n,
	    (unsigned long long)odds.walked);
	assert_int_equal(odds.runs, n);
	assert_true(odds.walked * saves < n);
	for (i = 0; i < 2; i++) {
		for (k = 0; set.sys->ends[k] != NULL; k++) {
			p = odds.units[i].ends[k].p - ends[i][k];
			assert_true(p < 1e-12 && p > -1e-12);
		}
		for (k = 0, mean = 0; k < 100; k++)
			mean += (double)k * hits[i][k];
		p = odds.sides[i].hits.mean - mean;
		assert_true(p < 1e-12 && p > -1e-12);
	}
	/* Where chits matter most, the unit may end in more than one way. */
	assert_true(saves == 1 || (ends[1][0] > 0.01 && ends[1][3] > 0.01));
	combat_free(c);
	rules_settings_clear(&set);
}

static void
odds_of_outcomes_that_meet_are_those_of_each(void **state)
{
	(void)state;
	odds_are_those_of_each(odds_alike, 10);
	odds_are_those_of_each(odds_alike_many(), 1);
}

/* Where memory ends among outcomes that meet, the odds end, too. */
static void
odds_of_outcomes_that_meet_end_without_memory(void **state)
{
#ifndef ALLOC_SANITIZED
	struct odds_policy policy;
	struct rules_settings set;
	static struct odds odds;
	struct combat *c;
	long n;
	int r;

	c = odds_open_alike(odds_alike, &set, &policy);
	for (n = 0; n < 12; n++) {
		alloc_start(n);
		r = odds_exact(c, &policy, ODDS_BUDGET, NULL, &odds, NULL);
		assert_true(alloc_stop());
		assert_int_equal(r, ERR_NOMEM);
	}
	assert_int_equal(
	    odds_exact(c, &policy, 100, NULL, &odds, NULL), ERR_TOOBIG);
	combat_free(c);
	rules_settings_clear(&set);
#endif
	(void)state;
}

/* Every system has policies, ends and a loss that the calculator can use. */
static void
odds_of_every_system_are_described(void **state)
{
	const struct rules_system *const *sys;
	const struct rules_policy *p;
	size_t i, k;

	(void)state;
	for (sys = systems_all(); *sys != NULL; sys++) {
		assert_non_null((*sys)->ends);
		assert_non_null(show_list_find(*sys)->loss);
		assert_non_null((*sys)->policies);
		for (i = 0; (*sys)->ends[i] != NULL; i++)
			assert_true(strlen((*sys)->ends[i]) > 0);
		assert_in_range(i, 1, ODDS_ENDS_MAX);
		for (i = 0; (*sys)->policies[i].kind != NULL; i++) {
			p = &(*sys)->policies[i];
			assert_string_not_equal(p->kind, "attacker");
			assert_string_not_equal(p->kind, "defender");
			assert_true(p->what != NULL && strlen(p->what) > 0);
			assert_non_null(p->words[0]);
			for (k = 0; p->words[k] != NULL; k++)
				assert_string_not_equal(p->words[k], "random");
		}
		assert_true(i <= RULES_POLICIES_MAX);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(odds_of_every_system_are_described),
	    cmocka_unit_test(odds_exact_and_sampled_agree),
	    cmocka_unit_test(odds_every_word_answers),
	    cmocka_unit_test(odds_of_the_bag_are_even_at_one_to_one),
	    cmocka_unit_test(odds_of_the_bag_rise_with_the_ratio),
	    cmocka_unit_test(odds_of_outcomes_that_meet_are_those_of_each),
	    cmocka_unit_test(odds_of_outcomes_that_meet_end_without_memory),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
