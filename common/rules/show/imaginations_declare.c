/* SPDX-License-Identifier: ISC */
/* What a player is asked who declares an imagi-nations combat (13.1). */
#include "common/rules/show/declare.h"

#include "common/rules/imaginations/imaginations_facts.h"
#include "common/rules/rules.h"

static const struct declare_word imaginations_input_kinds[] = {
    {"offensive", "offensive: with a charge, prepared attack or counter-attack",
	NULL},
    {"defensive", "defensive: with the card \"defend\"", NULL},
    {"conditional", "conditional: with every card", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_word imaginations_input_terrains[] = {
    {"open", "open", NULL},
    {"village", "village", NULL},
    {"woods", "woods", NULL},
    {"hill", "hill", NULL},
    {"works", "works", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_field imaginations_input_unit[] = {
    {DECLARE_ROW("retreat_room", NUMBER, "fewer than two spaces to retreat"),
	.question = "How many spaces can {} retreat?", .is_special = true,
	.lo = 0, .hi = 2, .missing = "2"},
    {.name = NULL},
};

static const struct declare_field imaginations_input_modifier[] = {
    {DECLARE_ROW("reason", TEXT, "reason"), .question = "What is it for?"},
    {DECLARE_ROW("value", NUMBER, "value"),
	.question = "How much is it, such as 2 or -1?", .lo = -RULES_COUNT_MAX,
	.hi = RULES_COUNT_MAX},
    {DECLARE_ROW("kind", WORD, "kind"), .question = "When does it count?",
	.words = imaginations_input_kinds},
    {.name = NULL},
};

static const struct declare_field imaginations_input_attacker[] = {
    {DECLARE_ROW("units", UNITS, "the attackers"),
	.question = "Which of your units attack?", .side = COMBAT_ATTACKER,
	.lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = imaginations_input_unit},
    {DECLARE_ROW("modifiers", LIST, "a modifier for the attack"),
	.question = "Does a modifier count for the attackers' combat die?",
	.more = "Another modifier for the attackers?",
	.hi = IMAGINATIONS_MODIFIERS_MAX,
	.members = imaginations_input_modifier},
    {.name = NULL},
};

static const struct declare_field imaginations_input_defender[] = {
    {DECLARE_ROW("units", UNITS, "the defenders"),
	.question = "Which enemy units are attacked?", .side = COMBAT_DEFENDER,
	.lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = imaginations_input_unit},
    {DECLARE_ROW("modifiers", LIST, "a modifier for the defence"),
	.question = "Does a modifier count for the defenders' combat die?",
	.more = "Another modifier for the defenders?",
	.hi = IMAGINATIONS_MODIFIERS_MAX,
	.members = imaginations_input_modifier},
    {DECLARE_MARK(
	"objective", "they hold an objective (so may defend in the open)")},
    {DECLARE_MARK("can_evade", "they are able to evade (cavalry only)")},
    {.name = NULL},
};

const struct declare_field imaginations_declare[] = {
    {DECLARE_ROW("attacker", OBJECT, "the attack"),
	.members = imaginations_input_attacker},
    {DECLARE_ROW("defender", OBJECT, "the defence"),
	.members = imaginations_input_defender},
    {DECLARE_ROW("terrain", WORD, "the defenders' terrain"),
	.question = "Which terrain are the defenders in?", .is_open = true,
	.words = imaginations_input_terrains, .enter = "open"},
    {.name = NULL},
};

static const struct declare_member imaginations_enlist_battalion[] = {
    {.name = "quality", .label = "quality", .question = "Quality of {}?"},
    {.name = "sp",
	.label = "strength points",
	.question = "Strength points of {}?"},
    {.name = "hits",
	.label = "hits so far",
	.question = "Hits of {} so far?",
	.is_special = true},
    {.name = NULL},
};

const struct declare_member imaginations_enlist[] = {
    {.name = "arm", .label = "arm", .question = "Arm of {}?"},
    {.name = "battalions",
	.label = "battalions",
	.question = "How many battalions or squadrons has {}?",
	.parts = imaginations_enlist_battalion},
    {.name = "lead",
	.label = "lead battalion",
	.question = "Which of them leads {}?"},
    {.name = "commander", .label = "commander", .question = "Commander of {}?"},
    {.name = "morale", .label = "morale", .question = "Morale of {}?"},
    {.name = "fatigue",
	.label = "fatigue",
	.question = "Fatigue of {}?",
	.is_special = true},
    {.name = "disordered", .label = "disordered", .is_special = true},
    {.name = NULL},
};
