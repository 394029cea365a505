/* SPDX-License-Identifier: ISC */
/* What is asked of somebody who declares an imagi-nations combat (13.1). */
#include "common/rules/show/imaginations_declare.h"

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
    {
	.name = "retreat_room",
	.label = "less than two spaces to retreat",
	.question = "How many spaces can {} retreat?",
	.type = DECLARE_NUMBER,
	.is_special = true,
	.lo = 0,
	.hi = 2,
	.missing = "2",
    },
    {.name = NULL},
};

static const struct declare_field imaginations_input_modifier[] = {
    {
	.name = "reason",
	.label = "reason",
	.question = "What is it for?",
	.type = DECLARE_TEXT,
    },
    {
	.name = "value",
	.label = "value",
	.question = "How much is it, such as 2 or -1?",
	.type = DECLARE_NUMBER,
	.lo = -RULES_COUNT_MAX,
	.hi = RULES_COUNT_MAX,
    },
    {
	.name = "kind",
	.label = "kind",
	.question = "When does it count?",
	.type = DECLARE_WORD,
	.words = imaginations_input_kinds,
    },
    {.name = NULL},
};

static const struct declare_field imaginations_input_attacker[] = {
    {
	.name = "units",
	.label = "the attackers",
	.question = "Which of your units attack?",
	.type = DECLARE_UNITS,
	.side = COMBAT_ATTACKER,
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = imaginations_input_unit,
    },
    {
	.name = "modifiers",
	.label = "a modifier for the attack",
	.question = "Does a modifier count for the attackers' combat die?",
	.more = "Another modifier for the attackers?",
	.type = DECLARE_LIST,
	.hi = IMAGINATIONS_MODIFIERS_MAX,
	.members = imaginations_input_modifier,
    },
    {.name = NULL},
};

static const struct declare_field imaginations_input_defender[] = {
    {
	.name = "units",
	.label = "the defenders",
	.question = "Which enemy units are attacked?",
	.type = DECLARE_UNITS,
	.side = COMBAT_DEFENDER,
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = imaginations_input_unit,
    },
    {
	.name = "modifiers",
	.label = "a modifier for the defence",
	.question = "Does a modifier count for the defenders' combat die?",
	.more = "Another modifier for the defenders?",
	.type = DECLARE_LIST,
	.hi = IMAGINATIONS_MODIFIERS_MAX,
	.members = imaginations_input_modifier,
    },
    {
	.name = "objective",
	.label = "they hold an objective (so may defend in the open)",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {
	.name = "can_evade",
	.label = "they are able to evade",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {.name = NULL},
};

const struct declare_field imaginations_declare[] = {
    {
	.name = "attacker",
	.label = "the attack",
	.type = DECLARE_OBJECT,
	.members = imaginations_input_attacker,
    },
    {
	.name = "defender",
	.label = "the defence",
	.type = DECLARE_OBJECT,
	.members = imaginations_input_defender,
    },
    {
	.name = "terrain",
	.label = "the defenders' terrain",
	.question = "Which terrain are the defenders in?",
	.type = DECLARE_WORD,
	.is_open = true,
	.words = imaginations_input_terrains,
	.enter = "open",
    },
    {.name = NULL},
};
