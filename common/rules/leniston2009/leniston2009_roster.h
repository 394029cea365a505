/* SPDX-License-Identifier: ISC */
/*
 * leniston-2009 within a game (umpire-rules.7, 12.8): declared combats and
 * rosters.
 */
#ifndef UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_ROSTER_H
#define UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_ROSTER_H

#include "common/rules/rules.h"

extern const struct rules_game leniston2009_roster_game;

#endif
