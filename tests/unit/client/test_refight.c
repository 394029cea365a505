/* SPDX-License-Identifier: ISC */
/*
 * Combats of played records fought again, and their odds.  reader.py of
 * tests/web holds them against umpire odds.
 */
#include "client/report/refight.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "client/base/xalloc.h"
#include "client/replica/recordfile.h"
#include "client/report/battle.h"
#include "client/report/odds_json.h"
#include "client/report/odds_view.h"
#include "common/base/err.h"

#define MANY 2000000 /* runs: no combat of the played records takes more */

/* A played record; recordfile_close() ends it. */
static struct recordfile *
played(const char *system)
{
	struct recordfile *pa;
	char *path;

	path =
	    xalloc_printf("%s/tests/rules/%s/played.jsonl", TOP_SRCDIR, system);
	assert_int_equal(recordfile_open(path, &pa), 0);
	assert_int_equal(recordfile_status(pa), 0);
	free(path);
	return (pa);
}

/* The line that declares the combat after line seq; -1: there is none. */
static int64_t
next_combat(const struct battle *b, int64_t seq)
{
	const struct game_entry *en;

	for (seq++; seq < battle_lines(b); seq++) {
		en = battle_entry(b, seq);
		if (en->kind == ORDER_DECLARE && en->combat == seq)
			return (seq);
	}
	return (-1);
}

/* The sum of all outcomes. */
static double
sum(const struct odds *odds)
{
	double p = odds->other.p;
	size_t i;

	for (i = 0; i < odds->n_whole; i++)
		p += odds->whole[i].share.p;
	return (p);
}

static void
a_combat_is_walked_or_sampled_with_the_same_chances(void **state)
{
	struct odds *exact = xalloc(sizeof(*exact));
	struct odds *sampled = xalloc(sizeof(*sampled));
	struct odds_view v;
	struct recordfile *pa = played("lasalle2");
	struct refight *rf;
	int64_t seq = next_combat(pa->b, -1);
	size_t i;

	(void)state;
	rf = refight_new(pa->b, seq);
	assert_non_null(rf);
	assert_int_equal(refight_view(rf, MANY, exact, &v), 0);
	assert_true(exact->is_exact);
	assert_true(fabs(sum(exact) - 1) < 1e-9);
	/* It knows its units by name. */
	assert_non_null(odds_view_name(&v, exact->units[0].id));
	refight_free(rf);

	rf = refight_new(pa->b, seq);
	assert_int_equal(refight_odds(rf, 1, sampled), ERR_TOOBIG);
	refight_free(rf);
	rf = refight_new(pa->b, seq);
	assert_int_equal(refight_view(rf, 1, sampled, &v), 0);
	assert_false(sampled->is_exact);
	assert_int_equal(sampled->runs, ODDS_SAMPLES);
	for (i = 0; i < exact->n_units; i++)
		assert_true(fabs(exact->units[i].ends[0].p -
				sampled->units[i].ends[0].p) < 0.01);
	refight_free(rf);
	recordfile_close(pa);
	free(exact);
	free(sampled);
}

static void
answers_that_no_word_gives_are_said_to_be_given(void **state)
{
	struct odds *odds = xalloc(sizeof(*odds));
	struct odds_view v;
	struct recordfile *pa = played("imagi-nations");
	struct refight *rf;
	int64_t seq;
	json_t *o;
	char *s;
	int n = 0, given = 0;

	(void)state;
	for (seq = next_combat(pa->b, -1); seq >= 0;
	     seq = next_combat(pa->b, seq)) {
		rf = refight_new(pa->b, seq);
		assert_non_null(rf);
		assert_int_equal(refight_view(rf, MANY, odds, &v), 0);
		o = odds_json(&v);
		s = json_dumps(o, JSON_COMPACT);
		json_decref(o);
		n++;
		given += strstr(s, "\"word\":\"as given\"") != NULL;
		free(s);
		refight_free(rf);
	}
	assert_int_equal(n, 10);
	assert_true(given > 0 && given < n);
	recordfile_close(pa);
	free(odds);
}

static void
what_is_no_combat_is_not_fought(void **state)
{
	struct recordfile *pa = played("lasalle2");

	(void)state;
	assert_null(refight_new(pa->b, 0));
	assert_null(refight_new(pa->b, battle_lines(pa->b)));
	recordfile_close(pa);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		a_combat_is_walked_or_sampled_with_the_same_chances),
	    cmocka_unit_test(answers_that_no_word_gives_are_said_to_be_given),
	    cmocka_unit_test(what_is_no_combat_is_not_fought),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
