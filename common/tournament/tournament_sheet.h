/* SPDX-License-Identifier: ISC */
/*
 * The rounds of a tournament as tie-breaks see them (record S20.2), and as a
 * Tournament Report File of FIDE; of swiss+knockout those of the Swiss.
 */
#ifndef UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_SHEET_H
#define UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_SHEET_H

#include <stdbool.h>
#include <stddef.h>

#include "common/base/err.h"
#include "common/pairing/tiebreak.h"

struct crosstable;
struct standing;
struct tournament;
struct trf;

struct tournament_sheet {
	int *numbers; /* entrants by index, ascending; owned */
	size_t n;
	struct crosstable *table; /* owned */
	struct tiebreak_game *games; /* owned */
	struct tiebreak_in in; /* of the last two, and how many rounds count */
};

/*
 * Makes it, with the rounds up to one alone (0: all that were paired) counting.
 * ERR_NOMEM.
 */
int tournament_sheet_make(const struct tournament *t, int rounds,
    struct tournament_sheet *s) __attribute__((warn_unused_result));
void tournament_sheet_clear(struct tournament_sheet *s);

/*
 * The standings by points and the terms' tie-breaks, with_lots then by lot;
 * rows has room for s->n.  How far a knockout was, is not looked at. ERR_NOMEM.
 */
int tournament_sheet_rank(const struct tournament *t,
    const struct tournament_sheet *s, bool with_lots, struct standing *rows,
    struct errinfo *e) __attribute__((warn_unused_result));

/* The index of a number in a list; -1. */
int tournament_sheet_index(const int *list, size_t n, int number);

/*
 * The same as a TRF file after some rounds (0: all that were paired), players
 * by pairing number; with_next: and who is not there in the next round.  names
 * are what entrants are called, by number less 1 (NULL, or one that is NULL:
 * their accounts).  *out is new; *numbers (NULL: not wanted) too, for free():
 * the entrants by index.  ERR_NOMEM.
 */
int tournament_sheet_trf(const struct tournament *t, int rounds, bool with_next,
    char *const *names, struct trf **out, int **numbers)
    __attribute__((warn_unused_result));

#endif
