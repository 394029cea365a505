/* SPDX-License-Identifier: ISC */
/*
 * The facts of an imagi-nations combat as plain structs, read from JSON and
 * written back with their defaults (umpire-rules.7, 13.1).
 */
#ifndef UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_FACTS_H
#define UMPIRE_COMMON_RULES_IMAGINATIONS_IMAGINATIONS_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/combat.h"
#include "common/rules/facts.h"
#include "common/rules/imaginations/imaginations_bag.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

struct js_at;

#define IMAGINATIONS_UNITS_MAX (2 * COMBAT_SIDE_UNITS_MAX)
#define IMAGINATIONS_SIDE_BATTALIONS_MAX 256
#define IMAGINATIONS_BATTALIONS_MAX (2 * IMAGINATIONS_SIDE_BATTALIONS_MAX)
#define IMAGINATIONS_MODIFIERS_MAX 64 /* of a side */
#define IMAGINATIONS_MORALE_MAX 6
#define IMAGINATIONS_ROOM_MAX 2 /* spaces that a unit may retreat */
#define IMAGINATIONS_LEAD_FREE 1 /* this game turn */

/* The most chits that lawful cards ask for together (13.3). */
#define IMAGINATIONS_CHITS_MAX 8

enum imaginations_quality {
	IMAGINATIONS_ELITE,
	IMAGINATIONS_VETERAN,
	IMAGINATIONS_EXPERIENCED,
	IMAGINATIONS_TRAINED,
	IMAGINATIONS_RAW,
	IMAGINATIONS_QUALITIES,
};

enum imaginations_kind {
	IMAGINATIONS_OFFENSIVE,
	IMAGINATIONS_DEFENSIVE,
	IMAGINATIONS_CONDITIONAL,
};

/* What a unit has tried in its side's turn, -1 for nothing; not both. */
enum imaginations_tried {
	IMAGINATIONS_RALLIED,
	IMAGINATIONS_RECOVERED,
};

struct imaginations_battalion {
	char id[FACTS_ID_MAX + 1];
	size_t unit; /* index into the units */
	enum imaginations_quality quality;
	int sp;
	int hits; /* before this combat */
};

struct imaginations_unit {
	struct facts_name name;
	enum combat_side side;
	enum imaginations_arm arm;
	size_t first, end; /* its battalions: first .. end - 1 */
	size_t lead; /* index into the battalions */
	int commander;
	int fatigue;
	bool is_disordered;
	int morale;
	int room; /* spaces that it may retreat */
	int lead_free; /* in a roster: IMAGINATIONS_LEAD_FREE at most */
	struct facts_text next_lead; /* in a roster: the id of a battalion */
	int tried; /* enum imaginations_tried; -1; in a roster */
};

struct imaginations_modifier {
	struct facts_text reason;
	char key[RULES_NAME_MAX + 16]; /* "REASON (modifier N)", N from 1 */
	int value;
	enum imaginations_kind kind;
};

struct imaginations_side {
	size_t first, end; /* its units */
	size_t first_battalion, end_battalion;
	struct imaginations_modifier modifiers[IMAGINATIONS_MODIFIERS_MAX];
	size_t n_modifiers;
	bool has_objective;
	bool can_evade; /* defender */
};

/*
 * Units and battalions: the attacker's, then the defender's, each as given.
 */
struct imaginations_facts {
	struct imaginations_unit units[IMAGINATIONS_UNITS_MAX];
	size_t n_units;
	struct imaginations_battalion battalions[IMAGINATIONS_BATTALIONS_MAX];
	size_t n_battalions;
	struct imaginations_side sides[2]; /* by enum combat_side */
	char terrain[IMAGINATIONS_TERRAIN_MAX + 1];
	struct imaginations_bag bag;
	const char *chits[IMAGINATIONS_BAG_MAX]; /* ids, in the bag */
};

/* The members of a unit. */
extern const struct schema_row imaginations_facts_unit[];

/* Words of enum imaginations_quality. */
extern const char *const imaginations_facts_qualities[];

/* Words of enum imaginations_tried. */
extern const char *const imaginations_facts_tried[];

/* The strength points that a battalion had left before the combat. */
int imaginations_facts_left(const struct imaginations_battalion *battalion);

/*
 * rules_system's data: a game's bag, from which any two cards can be served.
 * ERR_INVALID, ERR_NOMEM.
 */
int imaginations_facts_bag(const json_t *value, const struct js_at *at,
    void *bag, struct errinfo *e) __attribute__((warn_unused_result));

/* rules_system's parse: facts is a struct imaginations_facts, zeroed. */
int imaginations_facts_parse(const json_t *combat,
    const struct rules_settings *set, void *facts, struct errinfo *e)
    __attribute__((warn_unused_result));

/* rules_system's facts: with defaults and the bag written out; new or NULL. */
json_t *imaginations_facts_json(const struct combat *c);

/* rules_system's roster_unit: what a roster says of a unit (13.11). */
int imaginations_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
