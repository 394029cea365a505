/* SPDX-License-Identifier: ISC */
/*
 * What is asked of somebody who declares a leniston-2009 combat (12.1): only
 * what counts under the rule that is chosen first (12.2, 12.5).
 */
#include "common/rules/show/leniston2009_declare.h"

static const struct declare_word leniston2009_input_rules[] = {
    {"melee", "melee: hand to hand in the open (rule 13)", NULL},
    {"firefight", "firefight (rule 12)", NULL},
    {"skirmish", "skirmish (rule 11)", NULL},
    {"bua-inside", "bua-inside: in a built-up area or woods (rule 10)", NULL},
    {"bua-edge", "bua-edge: at the edge of a built-up area (rule 9)", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_word leniston2009_input_formations[] = {
    {"line", "line", NULL},
    {"column", "column", NULL},
    {"square", "square", NULL},
    {NULL, NULL, NULL},
};

/* An attacker has one that allows the rule. */
static const struct declare_word leniston2009_input_attack_orders[] = {
    {"attack", "attack", "rule=melee,bua-edge,bua-inside"},
    {"engage", "engage", "rule=firefight,skirmish,bua-inside"},
    {"hold", "hold", "rule=firefight,skirmish"},
    {NULL, NULL, NULL},
};

static const struct declare_word leniston2009_input_defence_orders[] = {
    {"attack", "attack", NULL},
    {"engage", "engage", NULL},
    {"hold", "hold", NULL},
    {"retire", "retire", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_word leniston2009_input_positions[] = {
    {"open", "in the open", "rule=melee,firefight,skirmish"},
    {"bua", "in a built-up area", "rule=skirmish,bua-inside,bua-edge"},
    {"woods", "in woods", "rule=skirmish,bua-inside"},
    {NULL, NULL, NULL},
};

static const struct declare_word leniston2009_input_flags[] = {
    {"general_attached", "a general is attached", NULL},
    {"supports_within_4", "supports are within 4 inches", NULL},
    {"in_bua", "it is in a built-up area", NULL},
    {"behind_formed_supports", "it is behind formed supports", NULL},
    {"no_general_within_8", "no general is within 8 inches", NULL},
    {"no_supports_within_8", "no supports are within 8 inches", NULL},
    {"rout_within_4", "friends rout within 4 inches", NULL},
    {"routed_through", "friends have routed through it", NULL},
    {"pursuit", "it is in pursuit", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_field leniston2009_input_brigade[] = {
    {
	.name = "formation",
	.label = "formation",
	.question = "Formation of {}?",
	.type = DECLARE_WORD,
	.words = leniston2009_input_formations,
	.enter = "line",
	.missing = "line",
    },
    {
	.name = "orders",
	.label = "orders",
	.question = "Orders of {}?",
	.type = DECLARE_WORD,
	.when = "side=attacker",
	.words = leniston2009_input_attack_orders,
    },
    {
	.name = "position",
	.label = "position",
	.question = "Where does {} stand?",
	.type = DECLARE_WORD,
	.when = "side=defender",
	.words = leniston2009_input_positions,
	.enter = "open",
	.missing = "open",
    },
    {
	.name = "garrison",
	.label = "it garrisons the built-up area",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "side=defender rule=bua-edge",
    },
    {
	.name = "outnumbered",
	.label = "outnumbered by two to one",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "rule!=bua-inside",
    },
    {
	.name = "deployed_artillery",
	.label = "it has deployed artillery",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "rule=skirmish",
    },
    {
	.name = "position",
	.label = "in a built-up area or in woods",
	.question = "Where does {} stand?",
	.type = DECLARE_WORD,
	.is_special = true,
	.when = "side=attacker rule=skirmish",
	.words = leniston2009_input_positions,
	.enter = "open",
	.missing = "open",
    },
    {
	.name = "orders",
	.label = "its orders, for the record (they count nothing)",
	.question = "Orders of {}?",
	.type = DECLARE_WORD,
	.is_special = true,
	.when = "side=defender",
	.words = leniston2009_input_defence_orders,
    },
    {
	.name = "morale",
	.label = "something that counts for its morale",
	.question = "What counts for the morale of {}?",
	.type = DECLARE_FLAGS,
	.is_special = true,
	.when = "rule=skirmish",
	.words = leniston2009_input_flags,
	.lo = 1,
    },
    {.name = NULL},
};

const struct declare_field leniston2009_declare[] = {
    {
	.name = "rule",
	.label = "the kind of combat",
	.question = "Which kind of combat is it?",
	.type = DECLARE_WORD,
	.words = leniston2009_input_rules,
    },
    {
	.name = "follows_edge",
	.label = "goes on from the edge",
	.question = "Has the attacker just won at the edge, and goes on "
		    "inside?",
	.type = DECLARE_YES,
	.when = "rule=bua-inside",
    },
    {
	.name = "attacker",
	.label = "the attacker",
	.question = "Which of your brigades begins it?",
	.type = DECLARE_UNIT,
	.side = COMBAT_ATTACKER,
	.only = "state!=shaken",
	.members = leniston2009_input_brigade,
    },
    {
	.name = "defender",
	.label = "the defender",
	.question = "Which enemy brigade is it against?",
	.type = DECLARE_UNIT,
	.side = COMBAT_DEFENDER,
	.members = leniston2009_input_brigade,
    },
    {.name = NULL},
};
