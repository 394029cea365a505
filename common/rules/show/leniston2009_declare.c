/* SPDX-License-Identifier: ISC */
/*
 * What a player is asked who declares a leniston-2009 combat (12.1): only
 * what counts under the rule that is chosen first (12.2, 12.5).  Which fight an
 * attacker goes on with inside is not asked: the game knows it (12.8).
 */
#include "common/rules/show/declare.h"

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
    {DECLARE_ROW("formation", WORD, "formation"),
	.question = "Formation of {}?", .when = "rule=melee,firefight,skirmish",
	.words = leniston2009_input_formations, .enter = "line"},
    {DECLARE_ROW("orders", WORD, "orders"), .question = "Orders of {}?",
	.when = "side=attacker", .words = leniston2009_input_attack_orders},
    {DECLARE_ROW("position", WORD, "position"),
	.question = "Where does {} stand?", .when = "side=defender",
	.words = leniston2009_input_positions, .enter = "open",
	.missing = "open"},
    {DECLARE_MARK("garrison", "it garrisons the built-up area"),
	.when = "side=defender rule=bua-edge"},
    {DECLARE_MARK("outnumbered", "outnumbered by two to one"),
	.when = "rule!=bua-inside"},
    {DECLARE_MARK("deployed_artillery", "it has deployed artillery"),
	.when = "rule=skirmish"},
    {DECLARE_ROW("position", WORD, "in a built-up area or in woods"),
	.question = "Where does {} stand?", .is_special = true,
	.when = "side=attacker rule=skirmish",
	.words = leniston2009_input_positions, .enter = "open",
	.missing = "open"},
    {DECLARE_ROW("orders", WORD,
	 "its orders, if not hold (only a skirmish looks at them)"),
	.question = "Orders of {}?", .is_special = true,
	.when = "side=defender", .words = leniston2009_input_defence_orders},
    {DECLARE_ROW("morale", FLAGS, "something that counts for its morale"),
	.question = "What counts for the morale of {}?", .is_special = true,
	.when = "rule=skirmish", .words = leniston2009_input_flags, .lo = 1},
    {.name = NULL},
};

const struct declare_field leniston2009_declare[] = {
    {DECLARE_ROW("rule", WORD, "the kind of combat"),
	.question = "Which kind of combat is it?",
	.words = leniston2009_input_rules},
    {DECLARE_ROW("attacker", UNIT, "the attacker"),
	.question = "Which of your brigades begins it?",
	.side = COMBAT_ATTACKER, .only = "state!=shaken",
	.members = leniston2009_input_brigade},
    {DECLARE_ROW("defender", UNIT, "the defender"),
	.question = "Which enemy brigade is it against?",
	.side = COMBAT_DEFENDER, .members = leniston2009_input_brigade},
    {.name = NULL},
};

const struct declare_member leniston2009_enlist[] = {
    {.name = "arm", .label = "arm", .question = "Arm of {}?"},
    {.name = "class", .label = "class", .question = "Class of {} (A: best)?"},
    {.name = "fire", .label = "firepower", .question = "Firepower of {}?"},
    {.name = "skirmish",
	.label = "skirmishers",
	.question = "Skirmishers of {}?"},
    {.name = "casualties",
	.label = "casualties so far",
	.question = "Casualties of {} so far?",
	.is_special = true},
    {.name = "state",
	.label = "disordered or shaken",
	.question = "State of {}?",
	.is_special = true},
    {.name = NULL},
};
