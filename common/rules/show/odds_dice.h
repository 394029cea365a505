/* SPDX-License-Identifier: ISC */
/*
 * Dice for the odds calculator: every outcome of a combat's dice one after
 * the other, or dice of a seeded generator.  No allocation.
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_ODDS_DICE_H
#define UMPIRE_COMMON_RULES_SHOW_ODDS_DICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/rules/combat.h"
#include "common/rules/rolls.h"

/* Places of one outcome: each die is one, and each chit that is drawn. */
#define ODDS_DICE_PLACES (COMBAT_DICE_MAX + COMBAT_CHITS_MAX)

/*
 * One outcome as the figures of an odometer: a place shows one of so many
 * values; which places follow depends on what the earlier ones show.
 */
struct odds_dice {
	struct combat_dice source; /* hand &source to combat_run() */
	bool is_walk; /* odometer; else the generator */
	uint64_t state[4]; /* of the generator */
	uint16_t shows[ODDS_DICE_PLACES]; /* 0 .. sides - 1 */
	uint16_t sides[ODDS_DICE_PLACES];
	size_t n; /* places that the odometer shows */
	size_t fixed; /* of them, which do not move */
	size_t at; /* places that the run has taken so far */
	/* How many outcomes there would be, were all as likely as this one. */
	double count;
	double ways; /* how many of them this one stands for */
	/* What combat_alike() said behind so many places. */
	uint16_t kinds[ROLLS_BAG_MAX];
	size_t n_kinds; /* 0: nothing */
	size_t kinds_at;
	/*
	 * Called by combat_meet(), unless NULL; the run ends by the code that
	 * it returns.
	 */
	int (*meet)(void *arg, unsigned at, const void *matters, size_t len);
	void *meet_arg;
	bool is_nothing; /* of this outcome there is none: see combat_alike() */
};

/* Sets the odometer to the first outcome, all places at their first value. */
void odds_dice_walk(struct odds_dice *d);

/*
 * Sets it to the first outcome that begins with these n places (at most
 * ODDS_DICE_PLACES), which then stay as they are.
 */
void odds_dice_walk_from(struct odds_dice *d, const uint16_t *shows,
    const uint16_t *sides, size_t n);

/* Seeds the generator. */
void odds_dice_seed(struct odds_dice *d, uint64_t seed);

/* Begins a run: the next die asked for is the outcome's first. */
void odds_dice_begin(struct odds_dice *d);

/*
 * Moves the odometer on after a run that ended: the last place shows its next
 * value, or falls away if it has shown all.  False after the last outcome.  A
 * run that ended early is one of them.
 */
bool odds_dice_next(struct odds_dice *d);

/* A uniform number 0 .. n - 1 (n >= 1) of the generator. */
uint32_t odds_dice_pick(struct odds_dice *d, uint32_t n);

#endif
