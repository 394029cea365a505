/* SPDX-License-Identifier: ISC */
/*
 * What pairing needs to know of a tournament: who is in it, in which order, and
 * what each has done in the rounds before.  Points are half points.
 */
#ifndef UMPIRE_COMMON_PAIRING_ENTRANT_H
#define UMPIRE_COMMON_PAIRING_ENTRANT_H

#include <stdbool.h>
#include <stddef.h>

struct crosstable;

#define ENTRANT_MAX 2000
#define ENTRANT_ROUNDS_MAX 99

/* What a round before was for somebody. */
struct entrant_round {
	int opponent; /* whom they were paired with: an index; -1 nobody */
	int side; /* 1 or 2 of a game that was played, else 0 */
	bool played; /* a game was, and not lost or won without one */
	bool paired; /* paired, or given the pairing-allocated bye */
	int points; /* scored in the round */
	int score; /* before it */
};

struct entrant {
	bool is_here; /* is to be paired now */
	int score; /* now */
	struct entrant_round *rounds; /* those before; borrowed */
};

/* Two who must not be paired. */
struct entrant_apart {
	int a, b;
};

/* A tournament before a round is paired. */
struct entrant_field {
	struct entrant *entrants; /* in the order of seeds */
	size_t n;
	size_t rounds; /* that are over */
	size_t rounds_all; /* that the tournament has */
	int win, loss; /* points of a game */
	int first_side; /* 1 or 2: what the draw gave to odd numbers */
	struct entrant_apart *apart;
	size_t n_apart;
	struct entrant_round *store; /* of all rounds, if owned */
};

/*
 * Makes the field before a round (from 1) of a table, which has at least the
 * rounds before it.  Here are, if the round is paired in the table, those who
 * were taken into account, else those who have asked for no bye in it.  What
 * the table leaves open is read from it: the rounds are those it has, the
 * first side is that which round 1 shows (0: it shows none).  *f is cleared by
 * entrant_field_clear().  ERR_TOOBIG: too many players or rounds; ERR_NOMEM.
 */
int entrant_field_load(struct entrant_field *f, const struct crosstable *t,
    int round) __attribute__((warn_unused_result));

/* Frees what entrant_field_load() made. */
void entrant_field_clear(struct entrant_field *f);

/*
 * Numbers those who were or are now taken into account from 1, in the order of
 * seeds (TPN); numbers has an entry for each entrant.
 */
void entrant_number(const struct entrant_field *f, int *numbers);

#endif
