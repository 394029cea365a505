/* SPDX-License-Identifier: ISC */
/*
 * The upkeep orders of each rule system, for help and documents.  Whether
 * one is lawful is the system's to say (rules_game's upkeep_check).
 */
#ifndef UMPIRE_COMMON_RULES_SHOW_UPKEEP_H
#define UMPIRE_COMMON_RULES_SHOW_UPKEEP_H

#include <stdbool.h>

struct rules_system;

/* One order; a list of them ends with name NULL. */
struct upkeep_order {
	const char *name; /* args.do */
	bool has_battalion; /* args.battalion must be named */
	const char *what; /* for people */
};

/* The orders of a system; an empty list where it has none. */
const struct upkeep_order *upkeep_orders(const struct rules_system *sys);

#endif
