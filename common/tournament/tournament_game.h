/* SPDX-License-Identifier: ISC */
/* What a game at hand tells to the tournament that it belongs to. */
#ifndef UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_GAME_H
#define UMPIRE_COMMON_TOURNAMENT_TOURNAMENT_GAME_H

#include "common/tournament/tournament.h"

struct game;

/*
 * Looks at a game as its last line leaves it; resign is that of the terms.
 * ERR_MISSING if its battle points cannot be told, since its rules are not run;
 * the rest of *look is then filled all the same.
 */
int tournament_look_at(const struct game *g, int resign,
    struct tournament_look *look) __attribute__((warn_unused_result));

/* Who joined a game, and with which keys. */
struct tournament_joined {
	int seat;
	char account[ORDER_ACCOUNT_MAX + 1];
	uint8_t key[SIGN_KEY_LEN];
	uint8_t dice_key[VRF_KEY_LEN];
};

/*
 * True if a join of a game that a line names was by somebody of its table, a
 * director or the witness, with keys that were theirs at that line or later.
 * Of a void game nothing is asked.
 */
bool tournament_was_join(const struct tournament *t,
    const uint8_t game[HASH_LEN], const struct tournament_joined *j);

#endif
