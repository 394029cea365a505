/* SPDX-License-Identifier: ISC */
/*
 * Old Wargame Rules (P. Leniston, 2009), infantry combat (umpire-rules.7,
 * 12): the system's table.
 */
#ifndef UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_H
#define UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_H

#include "common/rules/rules.h"

extern const struct rules_system leniston2009_system;

#endif
