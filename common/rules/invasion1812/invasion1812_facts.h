/* SPDX-License-Identifier: ISC */
/*
 * The facts of an invasion-1812 combat as plain structs, read from JSON and
 * written back with their defaults (umpire-rules.7, 11.1), and the units and
 * commanders of its rosters (11.9).
 */
#ifndef UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_FACTS_H
#define UMPIRE_COMMON_RULES_INVASION1812_INVASION1812_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/combat.h"
#include "common/rules/facts.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

struct js_at;

#define INVASION1812_UNITS_MAX (2 * COMBAT_SIDE_UNITS_MAX)
#define INVASION1812_SIDE_COMMANDERS_MAX 16 /* of one side */
#define INVASION1812_COMMANDERS_MAX (2 * INVASION1812_SIDE_COMMANDERS_MAX)
/* A stack has a unit, but for a defending one and one that is refused. */
#define INVASION1812_STACKS_MAX (INVASION1812_UNITS_MAX + 2)

enum invasion1812_type {
	INVASION1812_INFANTRY,
	INVASION1812_CAVALRY,
	INVASION1812_ARTILLERY,
	INVASION1812_TYPES,
};

enum invasion1812_terrain {
	INVASION1812_CLEAR,
	INVASION1812_FOREST,
	INVASION1812_MARSH,
	INVASION1812_MOUNTAIN,
	INVASION1812_ROUGH,
	INVASION1812_CITY,
};

struct invasion1812_unit {
	struct facts_name name;
	enum invasion1812_type type;
	int cf;
	bool is_disrupted;
	/* In a roster, of this turn: combats, and whether it force marched. */
	int fought;
	bool has_marched;
};

struct invasion1812_commander {
	struct facts_name name;
	int cr;
};

/* Units and commanders are ranges: the first, and one behind the last. */
struct invasion1812_stack {
	size_t units, end_units;
	size_t commanders, end_commanders;
	bool has_marched; /* force marched this turn */
	int fought; /* combats that it has been in this turn */
	bool is_across; /* attacks across a river */
	bool has_others; /* friends that take no part share its hex */
};

/* What a side has: its fighting stack is the first of its stacks. */
struct invasion1812_side {
	size_t stacks, end_stacks;
	size_t units, end_units;
	size_t commanders, end_commanders;
};

/* All lists: the attacker's, then the defender's, each as given. */
struct invasion1812_facts {
	struct invasion1812_unit units[INVASION1812_UNITS_MAX];
	size_t n_units;
	struct invasion1812_commander commanders[INVASION1812_COMMANDERS_MAX];
	size_t n_commanders;
	struct invasion1812_stack stacks[INVASION1812_STACKS_MAX];
	size_t n_stacks;
	struct invasion1812_side sides[2]; /* by enum combat_side */
	enum invasion1812_terrain terrain; /* of the defender's hex */
	bool is_fortified;
};

/* The members of a unit, and of a commander. */
extern const struct schema_row invasion1812_facts_unit[];
extern const struct schema_row invasion1812_facts_commander[];

/* rules_system's parse: facts is a struct invasion1812_facts, zeroed. */
int invasion1812_facts_parse(const json_t *combat,
    const struct rules_settings *set, void *facts, struct errinfo *e)
    __attribute__((warn_unused_result));

/* rules_system's facts: with defaults written out; new or NULL. */
json_t *invasion1812_facts_json(const struct combat *c);

/* rules_system's roster_unit: what a roster says of a unit (11.9). */
int invasion1812_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/* rules_system's roster_commander. */
int invasion1812_facts_roster_commander(const json_t *commander,
    enum rules_roster how, const struct js_at *at, json_t **out,
    struct errinfo *e) __attribute__((warn_unused_result));

#endif
