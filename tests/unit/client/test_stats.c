/* SPDX-License-Identifier: ISC */
/*
 * The statistics of dice: the incomplete gamma function against closed forms
 * and tables, and dice against cases worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/report/stats.h"

#define DEGREES_MAX 1200 /* a die has 1000 faces at most */

/* Checks a value to ten digits, or to 1e-12 where it is small. */
static void
near(double got, double wanted, const char *what, double at)
{
	double off = fabs(got - wanted);

	if (!(off <= 1e-10 * fabs(wanted) || off <= 1e-12))
		fail_msg(
		    "%s at %g: %.15g and not %.15g", what, at, got, wanted);
}

/* Checks a value that a table gives to so many places. */
static void
about(double got, double wanted, double places)
{
	if (!(fabs(got - wanted) <= places))
		fail_msg("%.15g and not %.15g", got, wanted);
}

static void
two_degrees_are_an_exponential(void **state)
{
	double x;

	(void)state;
	for (x = 0; x < 60; x += 0.25)
		near(stats_chi_square_p(x, 2), exp(-x / 2), "df 2", x);
}

static void
one_degree_is_the_normal_distribution(void **state)
{
	double x;

	(void)state;
	for (x = 0; x < 60; x += 0.25) {
		near(stats_chi_square_p(x, 1), erfc(sqrt(x / 2)), "df 1", x);
		near(stats_normal_p(-sqrt(x)), stats_chi_square_p(x, 1),
		    "normal", x);
	}
}

/* Q(n, x) of a whole n is a sum of n terms, and so is Q(n + 1/2, x). */
static void
all_degrees_are_sums(void **state)
{
	double at, even, odd, term_even, term_odd, x;
	unsigned n;

	(void)state;
	for (at = 0.5; at < 1.8; at += 0.1) {
		for (n = 1; n <= DEGREES_MAX / 2; n = n * 3 / 2 + 1) {
			x = at * n;
			even = 0;
			odd = erfc(sqrt(x));
			for (unsigned k = 0; k < n; k++) {
				term_even =
				    exp(k * log(x) - x - lgamma(k + 1.0));
				term_odd = exp(
				    (k + 0.5) * log(x) - x - lgamma(k + 1.5));
				even += term_even;
				odd += term_odd;
			}
			about(stats_gamma_q(n, x), even, 1e-10);
			about(stats_gamma_q(n + 0.5, x), odd, 1e-10);
		}
	}
}

static void
tabled_quantiles_come_out(void **state)
{
	/* Abramowitz and Stegun, table 26.8. */
	static const struct {
		double x;
		unsigned df;
		double p;
	} table[] = {
	    {3.84146, 1, 0.05},
	    {6.63490, 1, 0.01},
	    {5.99147, 2, 0.05},
	    {7.81473, 3, 0.05},
	    {1.14548, 5, 0.95},
	    {11.0705, 5, 0.05},
	    {15.0863, 5, 0.01},
	    {20.515, 5, 0.001},
	    {30.1435, 19, 0.05},
	    {10.1170, 19, 0.95},
	    {43.7729, 30, 0.05},
	    {67.3276, 100, 0.995},
	    {124.342, 100, 0.05},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		about(stats_chi_square_p(table[i].x, table[i].df), table[i].p,
		    table[i].p * 1e-4);
	about(stats_normal_p(1.959963984540054), 0.05, 1e-12);
	about(stats_normal_p(-2.5758293035489), 0.01, 1e-12);
}

static void
values_of_more_digits_come_out(void **state)
{
	/* Worked out with 30 digits. */
	static const struct {
		double a, x, q;
	} table[] = {
	    {0.5, 0.1, 0.65472084601857702},
	    {2.5, 1, 0.84914503608460964},
	    {2.5, 5.5, 0.051379983483069532},
	    {9.5, 30.1435, 3.485428398368181e-6},
	    {50, 49.9, 0.48682963696767226},
	    {50, 51.1, 0.42014818645763604},
	    {499.5, 450, 0.98862118708341889},
	    {499.5, 500, 0.48513148927490147},
	    {499.5, 560, 0.0044016352787609946},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		near(stats_gamma_q(table[i].a, table[i].x), table[i].q, "Q",
		    table[i].x);
}

static void
the_ends_are_0_and_1(void **state)
{
	(void)state;
	assert_true(stats_gamma_q(0.5, 0) == 1);
	assert_true(stats_gamma_q(499.5, 0) == 1);
	assert_true(stats_gamma_q(2.5, 1e-300) == 1);
	assert_true(stats_gamma_q(2.5, 1e6) == 0);
	assert_true(stats_gamma_q(0.5, 1e300) == 0);
	assert_true(stats_normal_p(0) == 1);
	assert_true(stats_normal_p(1e300) == 0);
}

static void
one_die_has_its_mean_and_variance(void **state)
{
	double mean, square;
	unsigned i, s;

	(void)state;
	for (s = 1; s <= 1000; s++) {
		mean = square = 0;
		for (i = 1; i <= s; i++) {
			mean += (double)i / s;
			square += (double)i * i / s;
		}
		about(stats_die_mean(s), mean, 1e-9);
		about(stats_die_variance(s), square - mean * mean, 1e-6);
	}
}

static void
sixty_dice_are_judged(void **state)
{
	static const uint64_t faces[] = {5, 8, 9, 8, 10, 20};
	struct stats_dice st;

	(void)state;
	stats_dice(faces, 6, &st);
	assert_int_equal(st.n, 60);
	assert_int_equal(st.sum, 250);
	about(st.mean, 250.0 / 60, 1e-12);
	about(st.even, 3.5, 1e-12);
	/* 35/12 over 60. */
	about(st.error * st.error, 35.0 / 720, 1e-12);
	about(st.z, 3.0237, 1e-4);
	assert_true(st.is_judged);
	/* 40 pips above 210, less the half: 39.5 / sqrt(60 * 35 / 12). */
	about(st.p_mean, 0.0028276, 1e-6);
	/* 25 + 4 + 1 + 4 + 0 + 100 over 10. */
	assert_int_equal(st.cells, 6);
	about(st.chi_square, 13.4, 1e-12);
	about(st.p_faces, 0.019905, 1e-6);
}

static void
few_dice_are_not_judged(void **state)
{
	uint64_t faces[6] = {5, 5, 5, 5, 5, 4};
	struct stats_dice st;

	(void)state;
	stats_dice(faces, 6, &st);
	assert_int_equal(st.n, 29);
	assert_false(st.is_judged);
	assert_int_equal(st.cells, 0);
	about(st.mean, 99.0 / 29, 1e-12);
	about(st.error, sqrt(35.0 / 12 / 29), 1e-12);
	faces[5]++;
	stats_dice(faces, 6, &st);
	assert_true(st.is_judged);
	assert_int_equal(st.cells, 6);
	about(st.chi_square, 0, 1e-12);
	about(st.p_faces, 1, 1e-12);
	about(st.p_mean, 1, 1e-12);
}

static void
faces_are_merged_until_each_cell_expects_five(void **state)
{
	uint64_t faces[20] = {0};
	struct stats_dice st;
	unsigned i;

	(void)state;
	/*
	 * 30 d20 expect 1.5 of a face: four faces are a cell of 6.  The
	 * first two of five cells have 10 and 20.
	 */
	faces[0] = 4;
	faces[3] = 6;
	faces[4] = 19;
	faces[7] = 1;
	stats_dice(faces, 20, &st);
	assert_int_equal(st.n, 30);
	assert_int_equal(st.cells, 5);
	about(st.chi_square, (16 + 196 + 3 * 36) / 6.0, 1e-12);
	about(st.p_faces, stats_chi_square_p(320 / 6.0, 4), 1e-12);
	/* 35 expect 1.75: three faces are a cell, and the last has five. */
	memset(faces, 0, sizeof(faces));
	for (i = 0; i < 5; i++)
		faces[15 + i] = 7;
	stats_dice(faces, 20, &st);
	assert_int_equal(st.cells, 6);
	/* Five cells of 5.25 without any, one of 8.75 with 35. */
	about(
	    st.chi_square, 5 * 5.25 + (35 - 8.75) * (35 - 8.75) / 8.75, 1e-12);
	/* 100 expect 5: each face is a cell. */
	memset(faces, 0, sizeof(faces));
	faces[0] = 100;
	stats_dice(faces, 20, &st);
	assert_int_equal(st.cells, 20);
	about(st.chi_square, 95.0 * 95 / 5 + 19 * 5, 1e-9);
}

/* The chance of a sum so far from n * even or farther: all sums counted. */
static double
counted(unsigned n, unsigned sides, double pips)
{
	double *p, *next, even = n * (sides + 1) / 2.0, sum = 0;
	unsigned i, k, face, most = n * sides;

	p = calloc(most + 1, sizeof(*p));
	next = calloc(most + 1, sizeof(*next));
	assert_non_null(p);
	assert_non_null(next);
	p[0] = 1;
	for (i = 0; i < n; i++) {
		memset(next, 0, (most + 1) * sizeof(*next));
		for (k = 0; k + sides <= most; k++) {
			for (face = 1; face <= sides; face++)
				next[k + face] += p[k] / sides;
		}
		memcpy(p, next, (most + 1) * sizeof(*p));
	}
	for (k = 0; k <= most; k++) {
		if (fabs(k - even) >= pips - 1e-9)
			sum += p[k];
	}
	free(p);
	free(next);
	return (sum);
}

/* Before sums were told in whole pips a coin's chance was off by 0.14. */
static void
a_mean_is_as_rare_as_all_sums_counted_say(void **state)
{
	static const struct {
		unsigned n, sides;
	} table[] = {{30, 2}, {31, 2}, {30, 3}, {30, 6}, {31, 6}, {60, 10}};
	uint64_t faces[10];
	struct stats_dice st;
	unsigned high;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		for (high = 0; high <= table[i].n; high++) {
			memset(faces, 0, sizeof(faces));
			faces[0] = table[i].n - high;
			faces[table[i].sides / 2] += high;
			stats_dice(faces, table[i].sides, &st);
			about(st.p_mean,
			    counted(table[i].n, table[i].sides,
				fabs((double)st.sum - st.n * st.even)),
			    0.002);
		}
	}
}

static void
odd_dice_break_nothing(void **state)
{
	uint64_t coin[2] = {20, 10}, one[1] = {50}, none[6] = {0};
	uint64_t *big = calloc(1000, sizeof(*big));
	struct stats_dice st;
	unsigned i;

	(void)state;
	assert_non_null(big);
	stats_dice(none, 6, &st);
	assert_int_equal(st.n, 0);
	assert_false(st.is_judged);
	/* A die of one side can but show it. */
	stats_dice(one, 1, &st);
	assert_int_equal(st.n, 50);
	assert_false(st.is_judged);
	assert_true(st.z == 0 && st.mean == 1 && st.even == 1);
	stats_dice(coin, 2, &st);
	/* Of two faces the mean says it all. */
	assert_true(st.is_judged);
	assert_int_equal(st.cells, 0);
	/* 30 of 1000 sides: cells of 167 faces, the last of 165 more. */
	for (i = 0; i < 30; i++)
		big[i * 33] = 1;
	stats_dice(big, 1000, &st);
	assert_true(st.is_judged);
	assert_int_equal(st.cells, 5);
	assert_true(st.p_faces > 0 && st.p_faces <= 1);
	free(big);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_degrees_are_an_exponential),
	    cmocka_unit_test(one_degree_is_the_normal_distribution),
	    cmocka_unit_test(all_degrees_are_sums),
	    cmocka_unit_test(tabled_quantiles_come_out),
	    cmocka_unit_test(values_of_more_digits_come_out),
	    cmocka_unit_test(the_ends_are_0_and_1),
	    cmocka_unit_test(one_die_has_its_mean_and_variance),
	    cmocka_unit_test(sixty_dice_are_judged),
	    cmocka_unit_test(few_dice_are_not_judged),
	    cmocka_unit_test(faces_are_merged_until_each_cell_expects_five),
	    cmocka_unit_test(a_mean_is_as_rare_as_all_sums_counted_say),
	    cmocka_unit_test(odd_dice_break_nothing),
	};

	return (cmocka_run_group_tests(tests, NULL, NULL));
}
