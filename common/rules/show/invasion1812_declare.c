/* SPDX-License-Identifier: ISC */
/* What a player is asked who declares an invasion-1812 combat (11.1). */
#include "common/rules/show/declare.h"

#include "common/rules/invasion1812/invasion1812_facts.h"

/* More stacks than could ever be adjacent to a hex. */
#define INVASION1812_INPUT_SUPPORTS 16

static const struct declare_word invasion1812_input_terrains[] = {
    {"clear", "clear", NULL},
    {"forest", "forest", NULL},
    {"marsh", "marsh", NULL},
    {"mountain", "mountains", NULL},
    {"rough", "rough ground", NULL},
    {"city", "city", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_field invasion1812_input_stack[] = {
    {DECLARE_ROW("units", UNITS, "units"),
	.question = "Which units attack (one stack)?", .side = COMBAT_ATTACKER,
	.when = "side=attacker", .only = "disrupted!=true", .lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX},
    {DECLARE_ROW("units", UNITS, "units"),
	.question = "Which enemy units are attacked (none: commanders alone)?",
	.side = COMBAT_DEFENDER, .when = "side=defender",
	.hi = COMBAT_SIDE_UNITS_MAX},
    {DECLARE_ROW("commanders", COMMANDERS, "commanders"),
	.question = "Which commanders are with this stack?",
	.side = COMBAT_ATTACKER, .when = "side=attacker",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX},
    {DECLARE_ROW("commanders", COMMANDERS, "commanders"),
	.question = "Which enemy commanders are with them?",
	.side = COMBAT_DEFENDER, .when = "side=defender",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX},
    {DECLARE_MARK("force_marched", "force marched this turn")},
    {DECLARE_MARK("across_river", "attacks across a river, bridged or not"),
	.when = "side=attacker"},
    {DECLARE_MARK("others_in_hex", "friends that do not fight are in its hex")},
    {.name = NULL},
};

static const struct declare_field invasion1812_input_support[] = {
    {DECLARE_ROW("units", UNITS, "units"),
	.question = "Which units are in the supporting stack?",
	.side = COMBAT_ATTACKER, .when = "side=attacker", .lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX},
    {DECLARE_ROW("units", UNITS, "units"),
	.question = "Which enemy units are in the supporting stack?",
	.side = COMBAT_DEFENDER, .when = "side=defender", .lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX},
    {DECLARE_ROW("commanders", COMMANDERS, "commanders"),
	.question = "Which commanders are with this stack?",
	.side = COMBAT_ATTACKER, .when = "side=attacker",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX},
    {DECLARE_ROW("commanders", COMMANDERS, "commanders"),
	.question = "Which enemy commanders are with this stack?",
	.side = COMBAT_DEFENDER, .when = "side=defender",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX},
    {DECLARE_MARK("force_marched", "force marched this turn")},
    {DECLARE_MARK("across_river", "supports across a river, bridged or not"),
	.when = "side=attacker"},
    {DECLARE_MARK("others_in_hex", "friends that do not fight are in its hex")},
    {.name = NULL},
};

static const struct declare_field invasion1812_input_side[] = {
    {DECLARE_ROW("stack", OBJECT, "the attacking stack"),
	.when = "side=attacker", .members = invasion1812_input_stack},
    {DECLARE_ROW("stack", OBJECT, "the defending stack"),
	.when = "side=defender", .members = invasion1812_input_stack},
    {DECLARE_ROW("supports", LIST, "a stack that supports the attack"),
	.question = "Do other stacks support the attack?",
	.more = "Does another stack support the attack?",
	.when = "side=attacker", .hi = INVASION1812_INPUT_SUPPORTS,
	.members = invasion1812_input_support},
    {DECLARE_ROW("supports", LIST, "a stack that supports the defence"),
	.question = "Do other enemy stacks support the defence?",
	.more = "Does another enemy stack support the defence?",
	.when = "side=defender", .hi = INVASION1812_INPUT_SUPPORTS,
	.members = invasion1812_input_support},
    {.name = NULL},
};

const struct declare_field invasion1812_declare[] = {
    {DECLARE_ROW("attacker", OBJECT, "attacker"),
	.members = invasion1812_input_side},
    {DECLARE_ROW("defender", OBJECT, "defender"), .side = COMBAT_DEFENDER,
	.members = invasion1812_input_side},
    {DECLARE_ROW("terrain", WORD, "the defender's hex"),
	.question = "What is in the defender's hex?",
	.words = invasion1812_input_terrains, .enter = "clear"},
    {DECLARE_MARK("fortified_city", "the defender is in a fortified city")},
    {.name = NULL},
};

const struct declare_member invasion1812_enlist[] = {
    {.name = "type", .label = "type", .question = "Type of {}?"},
    {.name = "cf",
	.label = "combat factors",
	.question = "Combat factors of {}?"},
    {.name = "disrupted", .label = "disrupted", .is_special = true},
    {.name = NULL},
};

const struct declare_member invasion1812_enlist_commander[] = {
    {.name = "cr",
	.label = "command rating",
	.question = "Command rating of {}?"},
    {.name = NULL},
};
