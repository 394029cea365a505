/* SPDX-License-Identifier: ISC */
/* What the parts of the Dutch system share: players, and who may meet whom. */
#ifndef UMPIRE_COMMON_PAIRING_DUTCH_INT_H
#define UMPIRE_COMMON_PAIRING_DUTCH_INT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/pairing/dutch.h"
#include "common/pairing/side.h"

/* Somebody who is to be paired now. */
struct dutch_player {
	int entrant;
	int score;
	int group; /* of the same score, from 0 */
	struct side_past past; /* what sides they had, and want */
	int played; /* games */
	bool may_bye; /* C2 allows them the bye */
	bool is_top; /* 1.8: a topscorer */
	bool down[2], up[2]; /* floats of the last round and the one before */
};

/* A round that is being paired. */
struct dutch {
	const struct entrant_field *field;
	struct dutch_player *players; /* by score, then by pairing number */
	int n;
	uint8_t *may; /* n * n: C1 and C3 let them meet */
	int *groups; /* the first player of each score, and n */
	int n_groups;
	bool has_bye;
	int bye_score; /* C5 */
	int bye_must; /* the player who must have it; -1: whoever should */
	int *mate; /* of a player; -1: not yet */
};

/* Players and who may meet whom.  ERR_NOMEM, ERR_TOOBIG. */
int dutch_enter(struct dutch *d, const struct entrant_field *field,
    const struct entrant_apart *must) __attribute__((warn_unused_result));

void dutch_leave(struct dutch *d);

/* True if the player may get the bye, by C2 and C5. */
bool dutch_may_bye(const struct dutch *d, int player);

/* C3: the same absolute preference, and no topscorer. */
bool dutch_same_wish(
    const struct dutch_player *a, const struct dutch_player *b);

static inline bool
dutch_may_meet(const struct dutch *d, int a, int b)
{
	return (d->may[(size_t)a * (size_t)d->n + (size_t)b] != 0);
}

/*
 * Pairs the bracket of a group: `down` are the players who came from above.
 * Fills mates of players, and *b.  ERR_NOTFOUND, as dutch_pair().
 */
int dutch_bracket_pair(struct dutch *d, int group, const int *down,
    size_t n_down, struct dutch_bracket *b) __attribute__((warn_unused_result));

/*
 * True (1) if the players whose place is `left` can all be paired, one of them
 * by the bye if with_bye; else 0, or a negative ERR_*.  lowest, if not NULL,
 * is then the lowest score that the bye can go to, in place of bye_score.
 */
int dutch_completes(const struct dutch *d, const int *left, size_t n_left,
    bool with_bye, int *lowest) __attribute__((warn_unused_result));

#endif
