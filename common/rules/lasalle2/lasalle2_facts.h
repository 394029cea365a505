/* SPDX-License-Identifier: ISC */
/*
 * The facts of a lasalle2 combat as plain structs, read from JSON and
 * written back with their defaults (umpire-rules.7, 10.1).
 */
#ifndef UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_FACTS_H
#define UMPIRE_COMMON_RULES_LASALLE2_LASALLE2_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/combat.h"
#include "common/rules/facts.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

struct js_at;

#define LASALLE2_UNITS_MAX (2 * COMBAT_SIDE_UNITS_MAX)

enum lasalle2_arm {
	LASALLE2_INFANTRY,
	LASALLE2_CAVALRY,
	LASALLE2_ARTILLERY,
};

enum lasalle2_formation {
	LASALLE2_LINE,
	LASALLE2_COLUMN,
	LASALLE2_SQUARE,
	LASALLE2_MARCH,
	LASALLE2_GARRISON,
	LASALLE2_LIMBERED,
	LASALLE2_UNLIMBERED,
};

enum lasalle2_battery {
	LASALLE2_NO_BATTERY,
	LASALLE2_FOOT,
	LASALLE2_HORSE,
};

#define LASALLE2_SHOCK 0x1U
#define LASALLE2_LANCERS 0x2U

/* Edges of a defender, as bits of a set. */
#define LASALLE2_FRONT 0x1U
#define LASALLE2_LEFT 0x2U
#define LASALLE2_RIGHT 0x4U
#define LASALLE2_REAR 0x8U

enum lasalle2_across {
	LASALLE2_OPEN,
	LASALLE2_WALL,
	LASALLE2_EARTHWORKS,
};

struct lasalle2_unit {
	struct facts_name name;
	bool is_attacker;
	enum lasalle2_arm arm;
	int strength;
	enum lasalle2_formation formation;
	enum lasalle2_battery battery; /* artillery alone has one */
	unsigned traits; /* set of LASALLE2_SHOCK, ..._LANCERS */
	bool is_shaken;
	bool is_difficult;
};

/* An attacker in contact with a defender, as indexes into the units. */
struct lasalle2_contact {
	size_t attacker;
	size_t defender;
	unsigned edge; /* one bit */
	unsigned touches; /* set of edges */
	bool is_uphill;
	enum lasalle2_across across;
};

/* Units: the attackers, then the defenders, each as given. */
struct lasalle2_facts {
	struct lasalle2_unit units[LASALLE2_UNITS_MAX];
	size_t n_attackers;
	size_t n_units;
	struct lasalle2_contact contacts[COMBAT_CONTACTS_MAX];
	size_t n_contacts;
};

/* The members of a unit. */
extern const struct schema_row lasalle2_facts_unit[];

/* rules_system's parse: facts is a struct lasalle2_facts, zeroed. */
int lasalle2_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e) __attribute__((warn_unused_result));

/* rules_system's facts: with defaults written out; new or NULL. */
json_t *lasalle2_facts_json(const struct combat *c);

/* rules_system's roster_unit: what a roster says of a unit (10.9). */
int lasalle2_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
