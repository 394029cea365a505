/* SPDX-License-Identifier: ISC */
/*
 * Who met whom in which round, on which side and with which result: what
 * pairings and tie-breaks are worked out of, and what a TRF file holds.
 *
 * Players are told apart by their index, 0 to n_players - 1, in the order of
 * their pairing numbers; rounds count from 1.  Points are half points.
 */
#ifndef UMPIRE_COMMON_PAIRING_CROSSTABLE_H
#define UMPIRE_COMMON_PAIRING_CROSSTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

#define CROSSTABLE_PLAYERS_MAX 9999 /* a pairing number has four digits */
#define CROSSTABLE_ROUNDS_MAX 99
#define CROSSTABLE_POINTS_MAX 199 /* half points; four columns hold 99.5 */

/* What a round was for a player. */
enum cross_result {
	CROSS_NONE, /* nothing: no points, and no bye was asked for */
	CROSS_WIN, /* of a game that was played, as the next two */
	CROSS_DRAW,
	CROSS_LOSS,
	CROSS_FORFEIT_WIN, /* paired, but not played, as the next one */
	CROSS_FORFEIT_LOSS,
	CROSS_BYE, /* allocated by the pairing: nobody was left */
	CROSS_FULL_BYE, /* given on request, as the next two */
	CROSS_HALF_BYE,
	CROSS_ZERO_BYE,
};

/* A player's round. */
struct cross_game {
	int16_t opponent; /* index; -1: nobody */
	int8_t
	    side; /* 1 (White), 2 (Black); 0: none, or not known of a forfeit */
	int8_t result; /* enum cross_result */
	bool is_unrated; /* played, but for less than a move (W, D, L) */
};

/* What results are worth. */
struct cross_points {
	int win; /* also by forfeit, and a full-point bye */
	int draw; /* also a half-point bye */
	int loss; /* of a game that was played */
	int forfeit_loss;
	int absent; /* a zero-point bye, and no entry at all */
	int bye; /* allocated by the pairing */
};

struct cross_player {
	int number; /* pairing number, 1 to 9999, ascending with the index */
	int rating; /* 0: none */
};

/* Players no two of whom may meet. */
struct cross_apart {
	int first; /* round */
	int last;
	size_t n;
	int *players; /* indexes; owned */
};

/* Points that somebody gives or takes; in no result. */
struct cross_correction {
	int player;
	int round; /* counts after it; 0: from the start */
	int half; /* half points, also negative */
};

struct crosstable {
	size_t n_players;
	struct cross_player *players; /* owned, as all below */
	int n_rounds; /* columns of games */
	struct cross_game *games; /* n_rounds of player 0, of player 1, ... */
	int rounds; /* that are to be played; 0: not said */
	int initial; /* initial side, 1 or 2; 0: not said */
	struct cross_points points;
	size_t n_apart;
	struct cross_apart *apart;
	size_t n_corrections;
	struct cross_correction *corrections;
};

/*
 * Makes a table of so many players, numbered 1, 2, ..., and rounds in which
 * nothing has happened; a win is 2, a draw 1, a bye a win.  NULL: no memory.
 */
struct crosstable *crosstable_new(size_t n_players, int n_rounds);

/* Frees it and what it owns. */
void crosstable_free(struct crosstable *t);

/* Gives it columns for so many rounds, if it has fewer.  ERR_NOMEM. */
int crosstable_widen(struct crosstable *t, int n_rounds)
    __attribute__((warn_unused_result));

/* The game of a player in a round of 1 to n_rounds; borrowed. */
struct cross_game *crosstable_game(
    const struct crosstable *t, size_t player, int round);

/* True if the result is that of a game that was played. */
bool crosstable_is_played(enum cross_result result);

/*
 * True if the pairing took the player into account: they have an opponent,
 * there or not, or the bye that it allocates.
 */
bool crosstable_is_paired(const struct cross_game *g);

/* What a result is worth. */
int crosstable_worth(const struct crosstable *t, enum cross_result result);

/* The sum of a player's corrections that count after a round. */
int crosstable_corrected(const struct crosstable *t, size_t player, int round);

/*
 * The points of a player after a round (0: before the first): results and
 * corrections; never below 0.
 */
int crosstable_score(const struct crosstable *t, size_t player, int round);

/*
 * The rounds that are paired: up to the last in which the pairing took
 * somebody into account, and one more if everybody had a bye in it.
 */
int crosstable_paired(const struct crosstable *t);

/* The index of a pairing number; -1: nobody has it. */
int crosstable_find(const struct crosstable *t, int number);

/* Adds a group no two of whom may meet; copies players. */
int crosstable_add_apart(struct crosstable *t, int first, int last,
    const int *players, size_t n) __attribute__((warn_unused_result));

/* Adds points that are in no result. */
int crosstable_add_correction(struct crosstable *t, int player, int round,
    int half) __attribute__((warn_unused_result));

/* True if two players are in a group that may not meet in that round. */
bool crosstable_is_apart(const struct crosstable *t, int a, int b, int round);

/*
 * Checks that what two opponents have of each other agrees: both have the
 * other, on the other side, with a result that can go with theirs.
 * ERR_INVALID names the first who do not, by pairing number; *player is
 * their index.
 */
int crosstable_check(const struct crosstable *t, size_t *player,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
