/* SPDX-License-Identifier: ISC */
/*
 * The dice and chits of a game, counted by kind of roll and by side.  All
 * that the record says fell is counted, also what was taken back later.
 */
#ifndef UMPIRE_CLIENT_REPORT_LUCK_H
#define UMPIRE_CLIENT_REPORT_LUCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "client/report/stats.h"

struct battle;

#define LUCK_SIDES 3 /* side 1 and side 2; 0: the director's */

/* What dice were rolled for. */
enum luck_for {
	LUCK_COMBAT,
	LUCK_UPKEEP,
	LUCK_FREE, /* whatever the player wanted them for */
};

/* Dice with the same number of sides that were rolled for the same thing. */
struct luck_kind {
	enum luck_for what_for;
	size_t at; /* place among the system's kinds */
	char *what; /* owned: for people, plain text */
	unsigned sides;
	uint64_t *faces[LUCK_SIDES]; /* owned: `sides` counts each */
	struct stats_dice stats[LUCK_SIDES];
};

/* Chits drawn under one label, or from one cup. */
struct luck_draw {
	bool is_cup; /* a cup of the players'; else the system's bag */
	char *what; /* owned: the cup's name or the label; plain text */
	int64_t draws;
	int64_t chits; /* of all draws together */
	int64_t bag_least, bag_most; /* how many chits were there to draw */
	double expected; /* times that a chit which always lay there comes */
	json_t *ids; /* owned: id -> times drawn */
};

/* A side's dice of all kinds but free rolls. */
struct luck_all {
	uint64_t n;
	double pips; /* more than even, below 0: less */
	double variance; /* that fair dice would give to the pips */
	double deviates; /* sum over the dice of (die - even) / deviation */
};

struct luck {
	struct luck_kind *kinds; /* owned; in the order to be told */
	size_t n_kinds;
	struct luck_draw *draws; /* owned */
	size_t n_draws;
	struct luck_all all[LUCK_SIDES];
	uint64_t n; /* dice of all kinds and sides */
	uint64_t taken_back; /* of these, in lines that were taken back */
	/*
	 * The chance that two sides' fair dice differ so much or more, all
	 * kinds but free rolls taken together; -1: too few dice.
	 */
	double p_between;
	unsigned tests; /* p-values that are told of kinds */
	double p_least; /* the least of them; 1 if there are none */
};

/* Counts what a battle holds; new. */
struct luck *luck_new(const struct battle *b);

/* Frees it; NULL is allowed. */
void luck_free(struct luck *l);

/*
 * For programs, new: {"dice","taken_back","kinds":[...],"all":{...},
 * "draws":[...],"tests","p_least"}, see umpire(1).
 */
json_t *luck_json(const struct luck *l);

#endif
