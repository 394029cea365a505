/* SPDX-License-Identifier: ISC */
/*
 * The facts of a tlnb combat of any of its three kinds as plain structs,
 * read from JSON and written back with their defaults (umpire-rules.7, 14.1).
 */
#ifndef UMPIRE_COMMON_RULES_TLNB_TLNB_FACTS_H
#define UMPIRE_COMMON_RULES_TLNB_TLNB_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/combat.h"
#include "common/rules/facts.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

struct js_at;

#define TLNB_UNITS_MAX (2 * COMBAT_SIDE_UNITS_MAX)

enum tlnb_kind {
	TLNB_ATTACK,
	TLNB_BOMBARDMENT,
	TLNB_CHARGE,
};

enum tlnb_arm {
	TLNB_INFANTRY,
	TLNB_CAVALRY,
	TLNB_ARTILLERY,
	TLNB_VEDETTE,
};

enum tlnb_terrain {
	TLNB_CLEAR,
	TLNB_TOWN,
	TLNB_WOODS,
	TLNB_ORCHARD,
	TLNB_MARSH,
};

enum tlnb_across {
	TLNB_NONE,
	TLNB_CREST,
	TLNB_BRIDGE,
	TLNB_DAMAGED_BRIDGE,
	TLNB_FORD,
	TLNB_STREAM,
	TLNB_TRESTLE,
	TLNB_SLOPE_UP,
};

enum tlnb_weather {
	TLNB_FAIR, /* "clear" */
	TLNB_HEAT,
	TLNB_RAIN,
	TLNB_T_STORM,
	TLNB_SNOW,
	TLNB_SNOW_STORM,
};

/* What may be true of a unit. */
enum tlnb_flag {
	TLNB_IS_DEMORALIZED,
	TLNB_IS_SUPPRESSED,
	TLNB_IS_HALVED,
	TLNB_HAS_BOMBARDED,
	TLNB_IS_OVERRUNNING,
	TLNB_IS_OUT_OF_SUPPLY,
	TLNB_IS_OUT_OF_COMMAND,
	TLNB_FLAGS,
};

/* What may be true of a combat. */
enum tlnb_fact {
	TLNB_CHATEAU,
	TLNB_IMPROVED_POSITION,
	TLNB_MUD,
	TLNB_FAILED_REPULSE,
	TLNB_ARF,
	TLNB_ENFILADE,
	TLNB_AMMO_SHORTAGE,
	TLNB_GRAND_BATTERY,
	TLNB_POINT_BLANK,
	TLNB_FACTS,
};

/* What a charge leaves on its target until the turn ends. */
enum tlnb_marker {
	TLNB_CHARGED,
	TLNB_SQUARE,
};

struct tlnb_unit {
	struct facts_name name;
	enum combat_side side;
	enum tlnb_arm arm;
	int sp;
	int reduced_sp; /* -1: it has no reduced side */
	int initiative;
	bool is_reduced;
	bool flags[TLNB_FLAGS];
	bool is_stacked; /* artillery that takes no part */
	struct facts_text hex;
	int marker; /* enum tlnb_marker, of the roster; -1: none */
	int target_move; /* movement points left, likewise; -1: all */
};

struct tlnb_battery {
	struct facts_name name;
	int sp;
	int range; /* hexes */
};

/*
 * Units: those of the attacker, its stacked artillery, those of the
 * defender, its stacked artillery, each as given.  The attackers of a charge
 * are the cavalry; a bombardment has batteries instead.  The defenders of
 * both are the target.
 */
struct tlnb_facts {
	enum tlnb_kind kind;
	struct tlnb_unit units[TLNB_UNITS_MAX];
	size_t first[3]; /* of each side, then the end of all */
	size_t n_units; /* as first[2] */
	struct tlnb_battery batteries[COMBAT_SIDE_UNITS_MAX];
	size_t n_batteries;
	enum tlnb_terrain terrain;
	enum tlnb_across across;
	enum tlnb_weather weather;
	bool has[TLNB_FACTS];
	int napoleon; /* side; -1: not present */
	bool guard[2]; /* by side: staked */
};

/* The members of a unit. */
extern const struct schema_row tlnb_facts_unit[];

/* rules_system's parse: facts is a struct tlnb_facts, zeroed. */
int tlnb_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e) __attribute__((warn_unused_result));

/* rules_system's facts: with defaults written out; new or NULL. */
json_t *tlnb_facts_json(const struct combat *c);

/* rules_system's roster_unit: what a roster says of a unit (14.9). */
int tlnb_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
    __attribute__((warn_unused_result));

/*
 * The strength of a unit on its full or its reduced side: what stands on the
 * counter, not halved.
 */
int tlnb_facts_strength(const struct tlnb_unit *u, bool is_reduced);

/* True if a unit counts as demoralized. */
bool tlnb_facts_is_demoralized(const struct tlnb_unit *u);

/* The initiative as it now is: one less for the demoralized. */
int tlnb_facts_rating(const struct tlnb_unit *u);

/*
 * Compares the strengths of both sides for odds, in half points; *half
 * receives them by side.  Artillery of the attacker that bombarded is left
 * out if counts_bombarded is false.
 */
void tlnb_facts_halves(
    const struct tlnb_facts *f, bool counts_bombarded, int half[2]);

#endif
