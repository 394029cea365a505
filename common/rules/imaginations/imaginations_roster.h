/* SPDX-License-Identifier: ISC */
/*
 * imagi-nations within a game (umpire-rules.7, 13.11): declared combats,
 * rosters and upkeep orders.
 */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_ROSTER_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_ROSTER_H

#include "common/rules/rules.h"

extern const struct rules_game imaginations_roster_game;

#endif
