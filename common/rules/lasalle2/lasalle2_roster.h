/* SPDX-License-Identifier: ISC */
/*
 * lasalle2 within a game (umpire-rules.7, 10.9): declared combats and
 * rosters.
 */
#ifndef UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_ROSTER_H
#define UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_ROSTER_H

#include "common/rules/rules.h"

extern const struct rules_game lasalle2_roster_game;

#endif
