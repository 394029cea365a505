/* SPDX-License-Identifier: ISC */
/*
 * invasion-1812 within a game (umpire-rules.7, 11.9): declared combats,
 * rosters and the end of a round.
 */
#ifndef UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_ROSTER_H
#define UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_ROSTER_H

#include "common/rules/rules.h"

extern const struct rules_game invasion1812_roster_game;

#endif
