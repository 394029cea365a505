/* SPDX-License-Identifier: ISC */
/* What is asked of somebody who declares an invasion-1812 combat (11.1). */
#include "common/rules/show/invasion1812_declare.h"

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
    {
	.name = "units",
	.label = "units",
	.question = "Which units attack (one stack)?",
	.type = DECLARE_UNITS,
	.side = COMBAT_ATTACKER,
	.when = "side=attacker",
	.only = "disrupted!=true",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
    },
    {
	.name = "units",
	.label = "units",
	.question = "Which enemy units are attacked (none: commanders alone)?",
	.type = DECLARE_UNITS,
	.side = COMBAT_DEFENDER,
	.when = "side=defender",
	.hi = COMBAT_SIDE_UNITS_MAX,
    },
    {
	.name = "commanders",
	.label = "commanders",
	.question = "Which commanders are with this stack?",
	.type = DECLARE_COMMANDERS,
	.side = COMBAT_ATTACKER,
	.when = "side=attacker",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX,
    },
    {
	.name = "commanders",
	.label = "commanders",
	.question = "Which enemy commanders are with them?",
	.type = DECLARE_COMMANDERS,
	.side = COMBAT_DEFENDER,
	.when = "side=defender",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX,
    },
    {
	.name = "force_marched",
	.label = "force marched this turn",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {
	.name = "across_river",
	.label = "attacks across a river, bridged or not",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "side=attacker",
    },
    {
	.name = "others_in_hex",
	.label = "friends that do not fight are in its hex",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {.name = NULL},
};

static const struct declare_field invasion1812_input_support[] = {
    {
	.name = "units",
	.label = "units",
	.question = "Which units are in the supporting stack?",
	.type = DECLARE_UNITS,
	.side = COMBAT_ATTACKER,
	.when = "side=attacker",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
    },
    {
	.name = "units",
	.label = "units",
	.question = "Which enemy units are in the supporting stack?",
	.type = DECLARE_UNITS,
	.side = COMBAT_DEFENDER,
	.when = "side=defender",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
    },
    {
	.name = "commanders",
	.label = "commanders",
	.question = "Which commanders are with this stack?",
	.type = DECLARE_COMMANDERS,
	.side = COMBAT_ATTACKER,
	.when = "side=attacker",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX,
    },
    {
	.name = "commanders",
	.label = "commanders",
	.question = "Which enemy commanders are with this stack?",
	.type = DECLARE_COMMANDERS,
	.side = COMBAT_DEFENDER,
	.when = "side=defender",
	.hi = INVASION1812_SIDE_COMMANDERS_MAX,
    },
    {
	.name = "force_marched",
	.label = "force marched this turn",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {
	.name = "across_river",
	.label = "supports across a river, bridged or not",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "side=attacker",
    },
    {
	.name = "others_in_hex",
	.label = "friends that do not fight are in its hex",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {.name = NULL},
};

static const struct declare_field invasion1812_input_side[] = {
    {
	.name = "stack",
	.label = "the attacking stack",
	.type = DECLARE_OBJECT,
	.when = "side=attacker",
	.members = invasion1812_input_stack,
    },
    {
	.name = "stack",
	.label = "the defending stack",
	.type = DECLARE_OBJECT,
	.when = "side=defender",
	.members = invasion1812_input_stack,
    },
    {
	.name = "supports",
	.label = "a stack that supports the attack",
	.question = "Do other stacks support the attack?",
	.more = "Does another stack support the attack?",
	.type = DECLARE_LIST,
	.when = "side=attacker",
	.hi = INVASION1812_INPUT_SUPPORTS,
	.members = invasion1812_input_support,
    },
    {
	.name = "supports",
	.label = "a stack that supports the defence",
	.question = "Do other enemy stacks support the defence?",
	.more = "Does another enemy stack support the defence?",
	.type = DECLARE_LIST,
	.when = "side=defender",
	.hi = INVASION1812_INPUT_SUPPORTS,
	.members = invasion1812_input_support,
    },
    {.name = NULL},
};

const struct declare_field invasion1812_declare[] = {
    {
	.name = "attacker",
	.label = "attacker",
	.type = DECLARE_OBJECT,
	.members = invasion1812_input_side,
    },
    {
	.name = "defender",
	.label = "defender",
	.type = DECLARE_OBJECT,
	.side = COMBAT_DEFENDER,
	.members = invasion1812_input_side,
    },
    {
	.name = "terrain",
	.label = "the defender's hex",
	.question = "What is in the defender's hex?",
	.type = DECLARE_WORD,
	.words = invasion1812_input_terrains,
	.enter = "clear",
    },
    {
	.name = "fortified_city",
	.label = "the defender is in a fortified city",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {.name = NULL},
};
