/* SPDX-License-Identifier: ISC */
/*
 * What can be said of dice that fell: how far their mean strays from the
 * even one, and how even their faces are.  Plain mathematics; the formulas
 * are in every textbook (Abramowitz and Stegun, 6.5 and 26.4).
 */
#ifndef UMPIRE_CLIENT_REPORT_STATS_H
#define UMPIRE_CLIENT_REPORT_STATS_H

#include <stdbool.h>
#include <stdint.h>

#define STATS_DICE_MIN 30 /* fewer dice are not judged */
#define STATS_CELL_MIN 5 /* dice that a cell of the test must expect */

/*
 * The regularised upper incomplete gamma function Q(a, x), a > 0, x >= 0, to
 * about ten digits.
 */
double stats_gamma_q(double a, double x);

/* The chance that chi-square with df >= 1 degrees is x or more. */
double stats_chi_square_p(double x, unsigned df);

/* The chance that a normal deviate is z or farther from 0, either way. */
double stats_normal_p(double z);

/* The mean and variance of one fair die: (s + 1) / 2, (s * s - 1) / 12. */
double stats_die_mean(unsigned sides);
double stats_die_variance(unsigned sides);

/* What n dice of one kind came to; numbers of dice without any are 0. */
struct stats_dice {
	uint64_t n;
	uint64_t sum;
	double mean;
	double even; /* the mean of a fair die */
	double error; /* the standard error of the mean of n fair dice */
	double z; /* (mean - even) / error */
	bool is_judged; /* STATS_DICE_MIN or more, with two sides or more */
	/*
	 * If is_judged: of a mean so far from even or farther, by the normal
	 * distribution with the correction for continuity; off by less than
	 * 0.002 from 30 dice on.
	 */
	double p_mean;
	/*
	 * The test of even faces: neighbouring faces are taken together until
	 * each cell expects STATS_CELL_MIN dice.  With fewer than two cells
	 * there is none, nor of two faces, of which the mean says all; cells is
	 * 0 then.
	 */
	unsigned cells;
	double chi_square; /* cells - 1 degrees of freedom */
	double p_faces;
};

/* Judges dice; faces[0 .. sides - 1] says how often each fell. */
void stats_dice(const uint64_t *faces, unsigned sides, struct stats_dice *out);

#endif
