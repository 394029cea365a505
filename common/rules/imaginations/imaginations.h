/* SPDX-License-Identifier: ISC */
/* Imagi-Nations, horse and musket (umpire-rules.7, 13): the system's table. */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_H

#include "common/rules/rules.h"

extern const struct rules_system imaginations_system;

#endif
