/* SPDX-License-Identifier: ISC */
/*
 * Napoleon's Greatest Gamble: The Invasion of Russia (1812), section 11:
 * combat (umpire-rules.7, 11).
 */
#ifndef UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_H
#define UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_H

#include "common/rules/rules.h"

extern const struct rules_system invasion1812_system;

#endif
