/* SPDX-License-Identifier: ISC */
/* Imagi-Nations, horse and musket (umpire-rules.7, 13): the system's table. */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_H

#include "common/rules/rules.h"

/* 13.10: indexes of the rulings. */
enum imaginations_ruling {
	IMAGINATIONS_CDR_DIE,
	IMAGINATIONS_EVADE_TARGET,
	IMAGINATIONS_MORALE_DIE,
	IMAGINATIONS_EFFECTS_WITHOUT_HITS,
	IMAGINATIONS_DISORDERED_COUNTER_ATTACK,
	IMAGINATIONS_CHARGE_FATIGUE,
	IMAGINATIONS_RALLY_TARGET,
	IMAGINATIONS_RULINGS,
};

#define IMAGINATIONS_RALLY_AUTOMATIC 0 /* of rally_target: no die */

extern const struct rules_system imaginations_system;

#endif
