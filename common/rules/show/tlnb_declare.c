/* SPDX-License-Identifier: ISC */
/*
 * What a player is asked who declares a tlnb combat (14.1): an attack, a
 * bombardment or a cavalry charge, each with what bears on it.  What 14.5 and
 * 14.6 refuse in any case is not offered.
 */
#include "common/rules/show/declare.h"

static const struct declare_word tlnb_input_kinds[] = {
    {"attack", "attack", NULL},
    {"bombardment", "bombardment", NULL},
    {"charge", "charge of cavalry", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_word tlnb_input_terrains[] = {
    {"clear", "clear", NULL},
    {"town", "town", "kind!=charge"},
    {"woods", "woods", "kind=attack"},
    {"orchard", "orchard", "kind=attack"},
    {"marsh", "marsh", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_word tlnb_input_weathers[] = {
    {"clear", "clear", NULL},
    {"heat", "heat", NULL},
    {"rain", "rain", NULL},
    {"t-storm", "thunderstorm", NULL},
    {"snow", "snow", NULL},
    {"snow-storm", "snow storm", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_word tlnb_input_acrosses[] = {
    {"crest", "across a crest", NULL},
    {"bridge", "across a bridge", NULL},
    {"damaged-bridge", "across a damaged bridge", "kind=attack"},
    {NULL, NULL, NULL},
};

static const struct declare_word tlnb_input_sides[] = {
    {"attacker", "attacker", NULL},
    {"defender", "defender", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_field tlnb_input_unit[] = {
    {DECLARE_ROW("hex", TEXT, "hex, if the units are not all in one"),
	.question = "Hex of {}?", .is_special = true},
    {DECLARE_MARK("halved", "its strength is halved"),
	.question = "Which of them are halved?"},
    {DECLARE_MARK("out_of_supply", "out of supply"),
	.question = "Which of them are out of supply?", .when = "arm=cavalry"},
    {DECLARE_MARK("out_of_command", "out of command"),
	.question = "Which of them are out of command?", .when = "arm=cavalry"},
    {.name = NULL},
};

/* Of artillery that takes no part. */
static const struct declare_field tlnb_input_stacked[] = {
    {DECLARE_ROW("hex", TEXT, "hex, if the units are not all in one"),
	.question = "Hex of {}?", .is_special = true},
    {.name = NULL},
};

static const struct declare_field tlnb_input_charging[] = {
    {DECLARE_MARK("halved", "its strength is halved"),
	.question = "Which of them are halved?"},
    {.name = NULL},
};

static const struct declare_field tlnb_input_battery[] = {
    {DECLARE_ROW("range", NUMBER, "range"), .question = "Range in hexes of {}?",
	.lo = 1, .hi = 3},
    {.name = NULL},
};

static const struct declare_field tlnb_input_target[] = {
    {DECLARE_ROW("units", UNITS, "the units in its hex"),
	.question = "Which enemy units are in the target's hex?",
	.side = COMBAT_DEFENDER, .lo = 1, .hi = COMBAT_SIDE_UNITS_MAX},
    {DECLARE_ROW("terrain", WORD, "the target's terrain"),
	.question = "Which terrain is the target in?",
	.words = tlnb_input_terrains, .enter = "clear"},
    {.name = NULL},
};

const struct declare_field tlnb_declare[] = {
    {DECLARE_ROW("kind", WORD, "the kind of combat"),
	.question = "Which kind of combat is it?", .words = tlnb_input_kinds},
    {DECLARE_ROW("attackers", UNITS, "the attackers"),
	.question = "Which of your units attack?", .side = COMBAT_ATTACKER,
	.when = "kind=attack", .lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_unit},
    {DECLARE_ROW("defenders", UNITS, "the defenders"),
	.question = "Which enemy units defend?", .side = COMBAT_DEFENDER,
	.when = "kind=attack", .lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_unit},
    {DECLARE_ROW("cavalry", UNITS, "the charging cavalry"),
	.question = "Which of your cavalry charge?", .side = COMBAT_ATTACKER,
	.when = "kind=charge", .only = "arm=cavalry", .lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX, .members = tlnb_input_charging},
    {DECLARE_ROW("target", UNITS, "the target"),
	.question = "Which enemy units are charged?", .side = COMBAT_DEFENDER,
	.when = "kind=charge", .lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_charging},
    {DECLARE_ROW("batteries", UNITS, "the batteries"),
	.question = "Which of your batteries bombard?", .side = COMBAT_ATTACKER,
	.when = "kind=bombardment", .only = "arm=artillery", .lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX, .members = tlnb_input_battery},
    {DECLARE_ROW("target", OBJECT, "the target"), .when = "kind=bombardment",
	.members = tlnb_input_target},
    {DECLARE_ROW("terrain", WORD, "the defender's terrain"),
	.question = "Which terrain is the defender in?",
	.when = "kind!=bombardment", .words = tlnb_input_terrains,
	.enter = "clear"},
    {DECLARE_ROW("weather", WORD, "the weather"),
	.question = "What is the weather like?", .words = tlnb_input_weathers,
	.enter = "clear", .missing = "clear"},
    {DECLARE_ROW("across", WORD, "across a crest or a bridge"),
	.question = "What do the attackers cross?", .is_special = true,
	.when = "kind!=bombardment", .words = tlnb_input_acrosses},
    {DECLARE_MARK("chateau", "the defender is in a chateau"),
	.when = "kind=attack"},
    {DECLARE_MARK(
	 "improved_position", "the defender is in an improved position"),
	.when = "kind=attack"},
    {DECLARE_MARK("failed_repulse", "the attack follows a repulse that failed"),
	.when = "kind=attack"},
    {DECLARE_ROW("napoleon", WORD, "Napoleon is with a side"),
	.question = "Which side is Napoleon with?", .is_special = true,
	.when = "kind=attack", .words = tlnb_input_sides},
    {DECLARE_ROW("guard", WORDS, "the Guard is staked"),
	.question = "Which sides stake the Guard?", .is_special = true,
	.when = "kind=attack", .words = tlnb_input_sides, .lo = 1},
    {DECLARE_ROW("attacker_stacked_artillery", UNITS,
	 "artillery stacked with the attackers that takes no part"),
	.question = "Which artillery is stacked with the attackers?",
	.is_special = true, .side = COMBAT_ATTACKER, .when = "kind=attack",
	.only = "arm=artillery", .lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_stacked},
    {DECLARE_ROW("defender_stacked_artillery", UNITS,
	 "artillery stacked with the defenders that takes no part"),
	.question = "Which artillery is stacked with the defenders?",
	.is_special = true, .side = COMBAT_DEFENDER, .when = "kind=attack",
	.only = "arm=artillery", .lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_stacked},
    {DECLARE_MARK("mud", "mud"), .when = "kind=bombardment"},
    {DECLARE_MARK("arf", "the target's artillery returns fire"),
	.when = "kind=bombardment"},
    {DECLARE_MARK("enfilade", "enfilade"), .when = "kind=bombardment"},
    {DECLARE_MARK("ammo_shortage", "a shortage of ammunition"),
	.when = "kind=bombardment"},
    {DECLARE_MARK("grand_battery", "a grand battery"),
	.when = "kind=bombardment"},
    {DECLARE_MARK("point_blank", "at point-blank range"),
	.when = "kind=bombardment"},
    {.name = NULL},
};

const struct declare_member tlnb_enlist[] = {
    {.name = "arm", .label = "arm", .question = "Arm of {}?"},
    {.name = "sp",
	.label = "strength points",
	.question = "Strength points of {} (full side)?"},
    {.name = "reduced_sp",
	.label = "reduced strength points",
	.question = "Strength points of {} (reduced)?",
	.whether = "Does {} have a reduced side?"},
    {.name = "initiative",
	.label = "initiative",
	.question = "Initiative of {}?"},
    {.name = "reduced",
	.label = "on its reduced side",
	.when = "reduced_sp!=",
	.is_special = true},
    {.name = "demoralized", .label = "demoralized", .is_special = true},
    {.name = "suppressed", .label = "suppressed", .is_special = true},
    {.name = NULL},
};
