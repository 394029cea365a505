/* SPDX-License-Identifier: ISC */
/*
 * A round paired by FIDE's Dutch system (C.04.3, in force from 1 February
 * 2026), side 1 for white.  The system says of any two pairings which one is
 * better, so there is one result, whatever computes it; its articles are cited
 * by number, its criteria as C1 to C21.
 *
 * Where the text can be read in two ways: the score of whoever gets the bye is
 * fixed before the first bracket (C5); C8 looks one bracket ahead; C9 counts in
 * a bracket that has one downfloater alone, who gets the bye; pairing numbers
 * are given to those who were or are now taken into account.
 */
#ifndef UMPIRE_COMMON_PAIRING_DUTCH_H
#define UMPIRE_COMMON_PAIRING_DUTCH_H

#include <stdbool.h>
#include <stddef.h>

#include "common/pairing/entrant.h"

/* A table: side 1 and side 2, indices of entrants. */
struct dutch_table {
	int a, b;
};

/* What a bracket came to: its criteria, highest first. */
struct dutch_value {
	int row; /* of the criteria: dutch_weigh.h */
	int score; /* whose digit it is; -1: of the whole bracket */
	unsigned long value; /* the more the better */
};

struct dutch_bracket {
	int score; /* of its residents */
	int *members; /* entrants, in the bracket's order; owned */
	size_t n, n_down; /* of them came from above */
	int *mates; /* of each member: an entrant, or -1; owned */
	struct dutch_value *values; /* owned */
	size_t n_values;
};

struct dutch_round {
	struct dutch_table *tables; /* in order; owned */
	size_t n_tables;
	int bye; /* who gets the pairing-allocated bye; -1: nobody */
	int bye_score; /* their score */
	struct dutch_bracket *brackets; /* from the top; owned */
	size_t n_brackets;
};

/*
 * Pairs a round.  `must`, if not NULL, is a pair that has to be made (b is -1:
 * a gets the bye), and the result then the best one that has it.  *round is
 * filled on success (dutch_clear).  ERR_NOTFOUND: no pairing is complete,
 * ERR_TOOBIG, ERR_NOMEM, ERR_INTERNAL: a proof failed.
 */
int dutch_pair(const struct entrant_field *field,
    const struct entrant_apart *must, struct dutch_round *round)
    __attribute__((warn_unused_result));

void dutch_clear(struct dutch_round *round);

/* Why a pairing is not the result. */
struct dutch_reason {
	const char *criterion; /* "C12", "4.2", ... */
	const char *text; /* what it asks for */
	int score; /* of the bracket in which they part; -1: before any */
	unsigned long better, worse; /* what they have of it; 0 and 0: order */
};

/*
 * Pairs the round once more with the pair in it (b is -1: a gets the bye), and
 * says by what that loses against the result.  ERR_EXISTS: the result has the
 * pair; ERR_INVALID: they are not here, or there is no bye; ERR_NOMEM,
 * ERR_TOOBIG, ERR_INTERNAL as dutch_pair().
 */
int dutch_explain(const struct entrant_field *field,
    const struct dutch_round *result, const struct entrant_apart *pair,
    struct dutch_reason *why) __attribute__((warn_unused_result));

#endif
