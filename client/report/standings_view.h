/* SPDX-License-Identifier: ISC */
/*
 * Standings for people and for programs, and why a player stands where they
 * do: each addend of each value.
 */
#ifndef UMPIRE_CLIENT_REPORT_STANDINGS_VIEW_H
#define UMPIRE_CLIENT_REPORT_STANDINGS_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/pairing/standings.h"
#include "common/pairing/tiebreak.h"

#define STANDINGS_CELL 24 /* bytes of a number */

/* Writes a value of so many parts a unit: "4", "4.5", "4.25"; returns cell. */
const char *standings_view_value(
    char cell[STANDINGS_CELL], int64_t value, int unit);

/* Likewise half points: "4.5". */
const char *standings_view_points(char cell[STANDINGS_CELL], int half);

/* A value for programs: whole where all are, else with its fraction; new. */
json_t *standings_view_json_value(int64_t value, int unit);

/* What is shown; all borrowed. */
struct standings_view {
	const struct tiebreak_in *in;
	const enum tiebreak *ties;
	size_t n_ties;
	const struct standing *rows; /* one a player, best first */
	const char *title; /* of the tournament; "": it has none */
	/* What a player (index) is called. */
	const char *(*name)(const void *arg, size_t player);
	const void *arg;
};

/* A player's number, and where they stand. */
int standings_view_number(const struct standings_view *v, size_t player);
const struct standing *standings_view_row(
    const struct standings_view *v, size_t player);

/* "after 4 of 9 rounds"; free(). */
char *standings_view_when(const struct standings_view *v);

/* A player: "11 Anna"; free(). */
char *standings_view_whom(const struct standings_view *v, int player);

/* Who is told how values come about. */
struct standings_told {
	/* A value follows: its code, itself, its name (NULL: points). */
	void (*value)(
	    void *arg, const char *code, const char *value, const char *name);
	/* One addend of it; is_cut: it does not count. */
	void (*addend)(void *arg, int round, const char *value, bool is_cut,
	    const char *reason);
	/* What is added by rulings, in words; something else to be said. */
	void (*corrected)(void *arg, const char *text);
	void (*note)(void *arg, const char *text);
	void *arg; /* given to each */
};

/* Tells how the values of a player (index) come about, points first. */
void standings_view_why(const struct standings_view *v, size_t player,
    const struct standings_told *to);

/* The standings and that for programs; new. */
json_t *standings_view_json(const struct standings_view *v);
json_t *standings_view_json_why(const struct standings_view *v, size_t player);

#endif
