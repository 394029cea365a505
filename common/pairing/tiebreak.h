/* SPDX-License-Identifier: ISC */
/*
 * Tie-breaks by FIDE's C.07 in force since 2026-03-01, and two of battle
 * points.  All in integers; a value is the sum of the addends that stand
 * behind it, which are to be had, too, so that everybody can add them up.
 */
#ifndef UMPIRE_COMMON_PAIRING_TIEBREAK_H
#define UMPIRE_COMMON_PAIRING_TIEBREAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct crosstable;

enum tiebreak {
	TIEBREAK_DE, /* direct encounter: within a group (tiebreak_direct.h) */
	TIEBREAK_BH, /* Buchholz */
	TIEBREAK_BH_C1, /* without the least */
	TIEBREAK_BH_C2, /* without the two least */
	TIEBREAK_BH_M1, /* without the least and the greatest */
	TIEBREAK_SB, /* Sonneborn-Berger */
	TIEBREAK_WIN, /* rounds with a win's points */
	TIEBREAK_WON, /* games won */
	TIEBREAK_PS, /* progressive score, as all without corrections */
	TIEBREAK_FB, /* fore Buchholz: the last round drawn */
	TIEBREAK_REP, /* rounds one elected to play */
	TIEBREAK_BPG, /* games played on side 2 */
	TIEBREAK_BP, /* battle points */
	TIEBREAK_BPA, /* battle points above those of the others there */
	TIEBREAK_N,
};

/* What there is to say of a tie-break. */
struct tiebreak_def {
	const char *code; /* as in TRF's 202 */
	const char *name; /* for people */
	int unit; /* 2: values are half points, 4: quarters, 1: as they are */
	bool is_low_better;
	bool is_of_swiss; /* refused in a round robin */
};

/* A game that was played, and the battle points of side 1 in it. */
struct tiebreak_game {
	int round;
	int leg;
	int player[2]; /* index of side 1's, of side 2's */
	int bp; /* permille; side 2 has the opposite */
};

/* What values are worked out of; borrowed. */
struct tiebreak_in {
	const struct crosstable *table;
	int rounds; /* that count */
	bool is_roundrobin; /* forfeits are games */
	const struct tiebreak_game *games; /* NULL: nobody has battle points */
	size_t n_games;
};

/* Why an addend is what it is. */
enum tiebreak_why {
	TIEBREAK_MET, /* an opponent's score */
	TIEBREAK_DUMMY_OWN, /* nobody met: one's own score */
	TIEBREAK_DUMMY_OPPONENT, /* held to that of who was to be met */
	TIEBREAK_DUMMY_DRAWS, /* held to a draw in each round */
	TIEBREAK_ROUND, /* something of one's own in that round */
};

struct tiebreak_addend {
	int round;
	int leg; /* of battle points; else 0 */
	int opponent; /* index; -1: nobody */
	enum tiebreak_why why;
	int score; /* half points: of the opponent, or the dummy */
	int points; /* half points that one scored in that round */
	int64_t value; /* in the tie-break's unit */
	bool is_cut; /* not in the sum */
};

/* The definition; never NULL for one of the list. */
const struct tiebreak_def *tiebreak_def(enum tiebreak tie);

/* Finds a code, in any case; ERR_NOTFOUND. */
int tiebreak_find(const char *code, size_t len, enum tiebreak *tie)
    __attribute__((warn_unused_result));

/*
 * The addends of a player's value, in the order of rounds: none for direct
 * encounter.  *out is new, for free(); *n may be 0.  ERR_NOMEM.
 */
int tiebreak_addends(const struct tiebreak_in *in, enum tiebreak tie,
    size_t player, struct tiebreak_addend **out, size_t *n)
    __attribute__((warn_unused_result));

/* Their sum. */
int tiebreak_value(const struct tiebreak_in *in, enum tiebreak tie,
    size_t player, int64_t *value) __attribute__((warn_unused_result));

/* Those of all players of the table, by their indices. */
int tiebreak_values(const struct tiebreak_in *in, enum tiebreak tie,
    int64_t *out) __attribute__((warn_unused_result));

/*
 * A player's score as their opponents' tie-breaks see it, half points: a bye
 * that was asked for, and after which they played no more, counts as a draw.
 * With is_fore a game of the last round is drawn.
 */
int tiebreak_adjusted(
    const struct tiebreak_in *in, size_t player, bool is_fore);

#endif
