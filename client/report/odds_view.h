/* SPDX-License-Identifier: ISC */
/* What the ways of showing odds share: names, figures and words for people. */
#ifndef UMPIRE_CLIENT_REPORT_ODDS_VIEW_H
#define UMPIRE_CLIENT_REPORT_ODDS_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/rules/show/odds.h"

#define ODDS_VIEW_WORD 32 /* space for a figure or a word, with its NUL */

/* Odds that are to be shown; all is borrowed. */
struct odds_view {
	const struct rules_system *sys;
	const struct odds_policy *policy;
	const struct odds *odds;
	const json_t *facts; /* of the combat, for names */
};

/* The name for people of a unit, from the facts; NULL if it has none. */
const char *odds_view_name(const struct odds_view *v, const char *id);

/* How many ends a unit of the system has. */
size_t odds_view_ends(const struct odds_view *v);

/* An end in words: "in-place" becomes "in place"; returns buf. */
const char *odds_view_end(char buf[ODDS_VIEW_WORD], const char *end);

/*
 * A probability in percent without the sign, two decimals; what is neither 0
 * nor 1 is never rounded to it ("<0.01", ">99.99").  Returns buf.
 */
const char *odds_view_percent(char buf[ODDS_VIEW_WORD], double p);

/*
 * How the figures came about: "exact: all 36 outcomes of the dice", or with
 * the sample and its seed; free() frees it.
 */
char *odds_view_method(const struct odds_view *v);

/*
 * The outcomes as a whole, the most probable first: order[0 .. n_whole - 1]
 * are indexes into odds->whole.
 */
void odds_view_order(const struct odds_view *v, size_t order[ODDS_WHOLE_MAX]);

#endif
