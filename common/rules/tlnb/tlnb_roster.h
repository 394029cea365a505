/* SPDX-License-Identifier: ISC */
/* tlnb within a game (umpire-rules.7, 14.9): declared combats and rosters. */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_ROSTER_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_ROSTER_H

#include "common/rules/rules.h"

extern const struct rules_game tlnb_roster_game;

#endif
