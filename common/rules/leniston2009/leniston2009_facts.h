/* SPDX-License-Identifier: ISC */
/*
 * The facts of a leniston-2009 combat as plain structs, read from JSON and
 * written back with their defaults (umpire-rules.7, 12.1).
 */
#ifndef UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_FACTS_H
#define UMPIRE_COMMON_RULES_LENISTON2009_LENISTON2009_FACTS_H

#include <stdbool.h>

#include <jansson.h>

#include "common/base/err.h"
#include "common/rules/facts.h"
#include "common/rules/rules.h"
#include "common/rules/schema.h"

struct combat;
struct js_at;

#define LENISTON2009_CASUALTIES_ROUT 6 /* rule 17: so many rout infantry */

/* The ways to fight; each is a column of the factors. */
enum leniston2009_rule {
	LENISTON2009_MELEE, /* rule 13 */
	LENISTON2009_FIREFIGHT, /* rule 12 */
	LENISTON2009_INSIDE, /* rule 10 */
	LENISTON2009_EDGE, /* rule 9 */
	LENISTON2009_SKIRMISH, /* rule 11 */
	LENISTON2009_RULES,
};

/* From best to worst. */
enum leniston2009_grade {
	LENISTON2009_A,
	LENISTON2009_B,
	LENISTON2009_C,
};

/* From best to worst: a state never improves in a combat. */
enum leniston2009_state {
	LENISTON2009_FORMED,
	LENISTON2009_DISORDERED,
	LENISTON2009_SHAKEN,
	LENISTON2009_ROUT,
};

enum leniston2009_formation {
	LENISTON2009_NO_FORMATION, /* none stated: no factor hangs on it */
	LENISTON2009_LINE,
	LENISTON2009_COLUMN,
	LENISTON2009_SQUARE,
};

enum leniston2009_orders {
	LENISTON2009_NO_ORDERS, /* none stated */
	LENISTON2009_ATTACK,
	LENISTON2009_ENGAGE,
	LENISTON2009_HOLD,
	LENISTON2009_RETIRE,
};

enum leniston2009_position {
	LENISTON2009_OPEN,
	LENISTON2009_BUA,
	LENISTON2009_WOODS,
};

/* What is said of a brigade for its morale (rule 17). */
enum leniston2009_flag {
	LENISTON2009_GENERAL_ATTACHED,
	LENISTON2009_SUPPORTS_WITHIN_4,
	LENISTON2009_IN_BUA,
	LENISTON2009_BEHIND_FORMED_SUPPORTS,
	LENISTON2009_NO_GENERAL_WITHIN_8,
	LENISTON2009_NO_SUPPORTS_WITHIN_8,
	LENISTON2009_ROUT_WITHIN_4,
	LENISTON2009_ROUTED_THROUGH,
	LENISTON2009_PURSUIT,
	LENISTON2009_FLAGS,
};

struct leniston2009_brigade {
	struct facts_name name;
	int arm; /* 0: infantry, the only one */
	enum leniston2009_grade class, fire, skirmish;
	int casualties;
	enum leniston2009_state state;
	enum leniston2009_formation formation;
	enum leniston2009_orders orders;
	enum leniston2009_position position;
	bool is_outnumbered;
	bool has_skirmished; /* in this move already */
	bool is_garrison;
	bool has_artillery; /* deployed */
	bool morale[LENISTON2009_FLAGS];
	/* In a roster, of this round: ids of enemies. */
	struct facts_text edge_won; /* drove it from the edge */
	struct facts_text fought_inside; /* fought it inside last */
};

struct leniston2009_facts {
	enum leniston2009_rule rule;
	struct leniston2009_brigade sides[2]; /* by enum combat_side */
	bool follows_edge; /* the attacker won at the edge and goes on */
	bool follows_inside; /* both have fought inside and go on */
};

/*
 * Words of the states, of the orders that can be stated (from
 * LENISTON2009_ATTACK) and of the flags, ended by NULL.
 */
extern const char *const leniston2009_facts_states[];
extern const char *const leniston2009_facts_orders[];
extern const char *const leniston2009_facts_flags[];

/* The members of a brigade. */
extern const struct schema_row leniston2009_facts_brigade[];

/* Whether a brigade with these orders may fight by a rule (12.1, 12.4). */
bool leniston2009_facts_allow(
    enum leniston2009_rule rule, enum leniston2009_orders orders);

/* rules_system's parse: facts is a struct leniston2009_facts, zeroed. */
int leniston2009_facts_parse(const json_t *combat,
    const struct rules_settings *set, void *facts, struct errinfo *e)
    __attribute__((warn_unused_result));

/* rules_system's facts: with defaults written out; new or NULL. */
json_t *leniston2009_facts_json(const struct combat *c);

/* rules_system's roster_unit: what a roster says of a brigade (12.8). */
int leniston2009_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
    __attribute__((warn_unused_result));

#endif
