/* SPDX-License-Identifier: ISC */
/* The incomplete gamma function, and what it says of dice. */
#include "client/report/stats.h"

#include <math.h>
#include <string.h>

#define STATS_STEPS 10000 /* of a series; far more than any needs */
#define STATS_EPSILON 1e-15
#define STATS_TINY 1e-300

/* P(a, x) by its series, for x below a + 1. */
static double
stats_series(double a, double x)
{
	double sum = 1 / a, term = sum;
	int i, sign;

	for (i = 1; i < STATS_STEPS; i++) {
		term *= x / (a + i);
		sum += term;
		if (term < sum * STATS_EPSILON)
			break;
	}
	return (sum * exp(a * log(x) - x - lgamma_r(a, &sign)));
}

/* Q(a, x) by its continued fraction (Lentz), for x from a + 1 on. */
static double
stats_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1 / STATS_TINY, d = 1 / b, h = d, an, step;
	int i, sign;

	for (i = 1; i < STATS_STEPS; i++) {
		an = -i * (i - a);
		b += 2;
		d = an * d + b;
		if (fabs(d) < STATS_TINY)
			d = STATS_TINY;
		c = b + an / c;
		if (fabs(c) < STATS_TINY)
			c = STATS_TINY;
		d = 1 / d;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < STATS_EPSILON)
			break;
	}
	return (h * exp(a * log(x) - x - lgamma_r(a, &sign)));
}

double
stats_gamma_q(double a, double x)
{
	if (x <= 0)
		return (1);
	return (x < a + 1 ? 1 - stats_series(a, x) : stats_fraction(a, x));
}

double
stats_chi_square_p(double x, unsigned df)
{
	return (stats_gamma_q(df / 2.0, x / 2));
}

double
stats_normal_p(double z)
{
	return (erfc(fabs(z) / sqrt(2)));
}

double
stats_die_mean(unsigned sides)
{
	return ((sides + 1.0) / 2);
}

double
stats_die_variance(unsigned sides)
{
	return (((double)sides * sides - 1) / 12);
}

/* The test of even faces. */
static void
stats_faces(const uint64_t *faces, unsigned sides, struct stats_dice *out)
{
	double expected, one = (double)out->n / sides, had;
	unsigned cell, cells, i, per, first, end;

	/* Of two faces the mean says it all. */
	if (sides < 3)
		return;
	/* Faces that one cell takes together; the last takes the rest. */
	per = (unsigned)ceil(STATS_CELL_MIN / one - 1e-9);
	per = per == 0 ? 1 : per;
	cells = sides / per;
	if (cells < 2)
		return;
	for (cell = 0; cell < cells; cell++) {
		first = cell * per;
		end = cell + 1 == cells ? sides : first + per;
		had = 0;
		for (i = first; i < end; i++)
			had += (double)faces[i];
		expected = one * (end - first);
		out->chi_square +=
		    (had - expected) * (had - expected) / expected;
	}
	out->cells = cells;
	out->p_faces = stats_chi_square_p(out->chi_square, cells - 1);
}

void
stats_dice(const uint64_t *faces, unsigned sides, struct stats_dice *out)
{
	double pips;
	unsigned i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < sides; i++) {
		out->n += faces[i];
		out->sum += faces[i] * (i + 1);
	}
	out->even = stats_die_mean(sides);
	if (out->n == 0)
		return;
	out->mean = (double)out->sum / (double)out->n;
	out->error = sqrt(stats_die_variance(sides) / (double)out->n);
	if (sides < 2)
		return;
	out->z = (out->mean - out->even) / out->error;
	if (out->n < STATS_DICE_MIN)
		return;
	out->is_judged = true;
	/*
	 * A sum moves by whole pips: what lies within half a pip of it belongs
	 * to it (the correction for continuity).  Without that 16 heads of 30
	 * would be told as 72 of 100 games, where 86 are true.
	 */
	pips = fabs((double)out->sum - (double)out->n * out->even) - 0.5;
	out->p_mean =
	    stats_normal_p(fmax(pips, 0) / ((double)out->n * out->error));
	stats_faces(faces, sides, out);
}
