/* SPDX-License-Identifier: ISC */
/*
 * Standings for people and for programs, and why a player stands where they
 * do: each addend of each value.
 */
#ifndef UMPIRE_CLIENT_TOURNAMENT_STANDINGS_VIEW_H
#define UMPIRE_CLIENT_TOURNAMENT_STANDINGS_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/pairing/standings.h"
#include "common/pairing/tiebreak.h"

struct out;

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

/* Prints the table. */
void standings_view_print(struct out *o, const struct standings_view *v);

/* Prints how the values of a player (index) come about. */
void standings_view_print_why(
    struct out *o, const struct standings_view *v, size_t player);

/* The same two for programs; new. */
json_t *standings_view_json(const struct standings_view *v);
json_t *standings_view_json_why(const struct standings_view *v, size_t player);

#endif
