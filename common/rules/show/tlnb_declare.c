/* SPDX-License-Identifier: ISC */
/*
 * What is asked of somebody who declares a tlnb combat (14.1): an attack, a
 * bombardment or a cavalry charge, each with what bears on it.  What 14.5 and
 * 14.6 refuse in any case is not offered.
 */
#include "common/rules/show/tlnb_declare.h"

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
    {
	.name = "hex",
	.label = "hex, if the units are not all in one",
	.question = "Hex of {}?",
	.type = DECLARE_TEXT,
	.is_special = true,
    },
    {
	.name = "halved",
	.label = "its strength is halved",
	.question = "Which of them are halved?",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {
	.name = "overrunning",
	.label = "cavalry that overran the defender",
	.question = "Which of them overran the defender?",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "arm=cavalry side=attacker",
    },
    {
	.name = "out_of_supply",
	.label = "out of supply",
	.question = "Which of them are out of supply?",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "arm=cavalry",
    },
    {
	.name = "out_of_command",
	.label = "out of command",
	.question = "Which of them are out of command?",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "arm=cavalry",
    },
    {.name = NULL},
};

/* Of artillery that takes no part. */
static const struct declare_field tlnb_input_stacked[] = {
    {
	.name = "hex",
	.label = "hex, if the units are not all in one",
	.question = "Hex of {}?",
	.type = DECLARE_TEXT,
	.is_special = true,
    },
    {.name = NULL},
};

static const struct declare_field tlnb_input_charging[] = {
    {
	.name = "halved",
	.label = "its strength is halved",
	.question = "Which of them are halved?",
	.type = DECLARE_YES,
	.is_special = true,
    },
    {.name = NULL},
};

static const struct declare_field tlnb_input_battery[] = {
    {
	.name = "range",
	.label = "range",
	.question = "Range in hexes of {}?",
	.type = DECLARE_NUMBER,
	.lo = 1,
	.hi = 3,
    },
    {.name = NULL},
};

static const struct declare_field tlnb_input_target[] = {
    {
	.name = "units",
	.label = "the units in its hex",
	.question = "Which enemy units are in the target's hex?",
	.type = DECLARE_UNITS,
	.side = COMBAT_DEFENDER,
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
    },
    {
	.name = "terrain",
	.label = "the target's terrain",
	.question = "Which terrain is the target in?",
	.type = DECLARE_WORD,
	.words = tlnb_input_terrains,
	.enter = "clear",
    },
    {.name = NULL},
};

const struct declare_field tlnb_declare[] = {
    {
	.name = "kind",
	.label = "the kind of combat",
	.question = "Which kind of combat is it?",
	.type = DECLARE_WORD,
	.words = tlnb_input_kinds,
    },
    {
	.name = "attackers",
	.label = "the attackers",
	.question = "Which of your units attack?",
	.type = DECLARE_UNITS,
	.side = COMBAT_ATTACKER,
	.when = "kind=attack",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_unit,
    },
    {
	.name = "defenders",
	.label = "the defenders",
	.question = "Which enemy units defend?",
	.type = DECLARE_UNITS,
	.side = COMBAT_DEFENDER,
	.when = "kind=attack",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_unit,
    },
    {
	.name = "cavalry",
	.label = "the charging cavalry",
	.question = "Which of your cavalry charge?",
	.type = DECLARE_UNITS,
	.side = COMBAT_ATTACKER,
	.when = "kind=charge",
	.only = "arm=cavalry",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_charging,
    },
    {
	.name = "target",
	.label = "the target",
	.question = "Which enemy units are charged?",
	.type = DECLARE_UNITS,
	.side = COMBAT_DEFENDER,
	.when = "kind=charge",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_charging,
    },
    {
	.name = "batteries",
	.label = "the batteries",
	.question = "Which of your batteries bombard?",
	.type = DECLARE_UNITS,
	.side = COMBAT_ATTACKER,
	.when = "kind=bombardment",
	.only = "arm=artillery",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_battery,
    },
    {
	.name = "target",
	.label = "the target",
	.type = DECLARE_OBJECT,
	.when = "kind=bombardment",
	.members = tlnb_input_target,
    },
    {
	.name = "terrain",
	.label = "the defender's terrain",
	.question = "Which terrain is the defender in?",
	.type = DECLARE_WORD,
	.when = "kind!=bombardment",
	.words = tlnb_input_terrains,
	.enter = "clear",
    },
    {
	.name = "weather",
	.label = "the weather",
	.question = "How is the weather?",
	.type = DECLARE_WORD,
	.words = tlnb_input_weathers,
	.enter = "clear",
	.missing = "clear",
    },
    {
	.name = "across",
	.label = "across a crest or a bridge",
	.question = "What do the attackers come across?",
	.type = DECLARE_WORD,
	.is_special = true,
	.when = "kind!=bombardment",
	.words = tlnb_input_acrosses,
    },
    {
	.name = "chateau",
	.label = "the defender is in a chateau",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=attack",
    },
    {
	.name = "improved_position",
	.label = "the defender is in an improved position",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=attack",
    },
    {
	.name = "failed_repulse",
	.label = "the attack follows a repulse that failed",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=attack",
    },
    {
	.name = "napoleon",
	.label = "Napoleon is with a side",
	.question = "Which side is Napoleon with?",
	.type = DECLARE_WORD,
	.is_special = true,
	.when = "kind=attack",
	.words = tlnb_input_sides,
    },
    {
	.name = "guard",
	.label = "the Guard is staked",
	.question = "Which sides stake the Guard?",
	.type = DECLARE_WORDS,
	.is_special = true,
	.when = "kind=attack",
	.words = tlnb_input_sides,
	.lo = 1,
    },
    {
	.name = "attacker_stacked_artillery",
	.label = "artillery stacked with the attackers that takes no part",
	.question = "Which artillery is stacked with the attackers?",
	.type = DECLARE_UNITS,
	.is_special = true,
	.side = COMBAT_ATTACKER,
	.when = "kind=attack",
	.only = "arm=artillery",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_stacked,
    },
    {
	.name = "defender_stacked_artillery",
	.label = "artillery stacked with the defenders that takes no part",
	.question = "Which artillery is stacked with the defenders?",
	.type = DECLARE_UNITS,
	.is_special = true,
	.side = COMBAT_DEFENDER,
	.when = "kind=attack",
	.only = "arm=artillery",
	.lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX,
	.members = tlnb_input_stacked,
    },
    {
	.name = "mud",
	.label = "mud",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=bombardment",
    },
    {
	.name = "arf",
	.label = "the target's artillery returns fire",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=bombardment",
    },
    {
	.name = "enfilade",
	.label = "enfilade",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=bombardment",
    },
    {
	.name = "ammo_shortage",
	.label = "a shortage of ammunition",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=bombardment",
    },
    {
	.name = "grand_battery",
	.label = "a grand battery",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=bombardment",
    },
    {
	.name = "point_blank",
	.label = "at point-blank range",
	.type = DECLARE_YES,
	.is_special = true,
	.when = "kind=bombardment",
    },
    {.name = NULL},
};
