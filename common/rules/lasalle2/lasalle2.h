/* SPDX-License-Identifier: ISC */
/* Lasalle, 2nd edition, combat (umpire-rules.7, 10): the system's table. */
#ifndef UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_H
#define UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_H

#include "common/rules/rules.h"

extern const struct rules_system lasalle2_system;

#endif
