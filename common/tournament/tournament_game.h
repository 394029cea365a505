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

/*
 * True if a join of a game that a line names, by the args of its order, was by
 * somebody of its table, a director or the witness, with keys that are or were
 * theirs.
 */
bool tournament_was_join(const struct tournament *t,
    const uint8_t game[HASH_LEN], const json_t *args);

#endif
