/* SPDX-License-Identifier: ISC */
/*
 * The combat tables of the Library of Napoleonic Battles (umpire-rules.7,
 * 14): the system's table.
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_H

#include "common/rules/rules.h"

extern const struct rules_system tlnb_system;

#endif
