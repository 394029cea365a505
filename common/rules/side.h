/* SPDX-License-Identifier: ISC */
/* The sides of a combat, and its limits. */
#ifndef UMPIRE_COMMON_RULES_SIDE_H
#define UMPIRE_COMMON_RULES_SIDE_H

#define COMBAT_SIDE_UNITS_MAX 64 /* units of one side */
#define COMBAT_CONTACTS_MAX 256
#define COMBAT_LABEL_MAX 96
#define COMBAT_ROLLS_MAX 512 /* rolls and draws together */
#define COMBAT_DICE_MAX 1024 /* dice of all rolls together */
#define COMBAT_CHITS_MAX 64 /* chits of all draws together */
#define COMBAT_GIVEN_MAX 128 /* decisions */
#define COMBAT_ITEMS_MAX 1024 /* list elements of all decisions together */

enum combat_side {
	COMBAT_ATTACKER,
	COMBAT_DEFENDER,
};

#endif
