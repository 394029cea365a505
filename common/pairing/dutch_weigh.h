/* SPDX-License-Identifier: ISC */
/*
 * The criteria of the Dutch system as digits of a pair's weight: a row each,
 * the highest first.  Pairings of a bracket are compared by the sums of their
 * pairs' digits, so each digit is as wide as its greatest sum.
 */
#ifndef UMPIRE_COMMON_PAIRING_DUTCH_WEIGH_H
#define UMPIRE_COMMON_PAIRING_DUTCH_WEIGH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/pairing/dutch_int.h"

/* Where in the round a bracket is. */
struct dutch_place {
	const struct dutch *d;
	int group; /* of its residents; the next bracket's is group + 1 */
	const int *members; /* down first, each part by rank */
	size_t n, n_down;
	size_t n_next; /* players of the next group */
	bool one_bye; /* C9: the one downfloater gets the bye */
};

/* A pair, or the bye: high alone. */
struct dutch_pair {
	const struct dutch_player *high, *low; /* low is NULL for the bye */
	bool is_in; /* made in this bracket */
	bool is_next; /* made in the next one */
};

enum dutch_rows {
	DUTCH_ROWS_ALL,
	DUTCH_ROWS_PAIRS, /* C6 alone */
	DUTCH_ROWS_SIDES, /* what is left where nobody goes down: C10 to C13 */
};

#define DUTCH_WEIGH_ROWS 17
#define DUTCH_WEIGH_BYE 4 /* the row of C9 */

/* One digit of the weight. */
struct dutch_digit {
	int row;
	int score; /* -1: of the whole bracket */
	unsigned width;
	size_t at; /* bit */
};

struct dutch_weigh {
	const struct dutch_place *place;
	struct dutch_digit *digits; /* highest first; owned */
	size_t n;
	size_t bits; /* of all, with what was asked for below */
	int first[DUTCH_WEIGH_ROWS]; /* digit of each row; -1: none */
	int rank[ENTRANT_ROUNDS_MAX + 1]; /* C9: of a number of games */
};

/*
 * Lays the digits out, above `below` bits that are the caller's.  *w is cleared
 * by dutch_weigh_clear().  ERR_NOMEM.
 */
int dutch_weigh_plan(struct dutch_weigh *w, const struct dutch_place *place,
    enum dutch_rows rows, size_t below) __attribute__((warn_unused_result));

void dutch_weigh_clear(struct dutch_weigh *w);

/* Adds a pair's digits to a weight of n words; ERR_TOOBIG, one does not fit. */
int dutch_weigh_pair(const struct dutch_weigh *w, const struct dutch_pair *pair,
    uint64_t *weight, size_t n) __attribute__((warn_unused_result));

/* Adds a pair's digits to sums, one for each digit. */
void dutch_weigh_sum(const struct dutch_weigh *w, const struct dutch_pair *pair,
    unsigned long *sums);

/* The name of a row's criterion, and what it asks for. */
const char *dutch_weigh_name(int row);
const char *dutch_weigh_text(int row);

#endif
