/* SPDX-License-Identifier: ISC */
/* What a player is asked who declares a lasalle2 combat (10.1). */
#include "common/rules/show/declare.h"

static const struct declare_word lasalle2_input_formations[] = {
    {"line", "line", "arm!=artillery"},
    {"column", "column", "arm!=artillery"},
    {"square", "square", "arm=infantry"},
    {"march", "march formation", "arm!=artillery"},
    {"garrison", "garrison of a built-up area", "arm=infantry side=defender"},
    {"unlimbered", "unlimbered", "arm=artillery"},
    {"limbered", "limbered", "arm=artillery"},
    {NULL, NULL, NULL},
};

static const struct declare_word lasalle2_input_edges[] = {
    {"front", "front of the defender", NULL},
    {"left", "left flank of the defender", NULL},
    {"right", "right flank of the defender", NULL},
    {"rear", "rear of the defender", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_word lasalle2_input_acrosses[] = {
    {"wall", "a wall", NULL},
    {"earthworks", "earthworks", NULL},
    {NULL, NULL, NULL},
};

static const struct declare_field lasalle2_input_unit[] = {
    {DECLARE_ROW("formation", WORD, "formation"),
	.question = "Formation of {}?", .words = lasalle2_input_formations},
    {DECLARE_MARK("difficult", "in terrain that is difficult for it"),
	.question = "Which of them are partly in difficult terrain?"},
    {.name = NULL},
};

static const struct declare_field lasalle2_input_contact[] = {
    {DECLARE_ROW("edge", WORD, "edge"),
	.question = "On which edge (by half of the bases): {}?",
	.words = lasalle2_input_edges, .enter = "front"},
    {DECLARE_ROW("touches", WORDS, "also touches another edge"),
	.question = "Which edges does the attacker touch: {}?",
	.is_special = true, .words = lasalle2_input_edges, .lo = 1,
	.besides = "edge"},
    {DECLARE_MARK("uphill", "the defender is uphill"),
	.question = "In which of them is the defender uphill?"},
    {DECLARE_ROW("across", WORD, "across a wall or earthworks"),
	.question = "What does the attack cross: {}?", .is_special = true,
	.words = lasalle2_input_acrosses},
    {.name = NULL},
};

static const struct declare_ends lasalle2_input_ends = {
    .lists = {"attackers", "defenders"},
    .members = {"attacker", "defender"},
    .question = "Which enemies is {} in contact with?",
};

const struct declare_field lasalle2_declare[] = {
    {DECLARE_ROW("attackers", UNITS, "the attackers"),
	.question = "Which of your units attack?", .side = COMBAT_ATTACKER,
	.only = "arm!=artillery strength!=1", .lo = 1,
	.hi = COMBAT_SIDE_UNITS_MAX, .members = lasalle2_input_unit},
    {DECLARE_ROW("defenders", UNITS, "the defenders"),
	.question = "Which enemy units are they in contact with?",
	.side = COMBAT_DEFENDER, .lo = 1, .hi = COMBAT_SIDE_UNITS_MAX,
	.members = lasalle2_input_unit},
    {DECLARE_ROW("contacts", PAIRS, "the contacts"),
	.ends = &lasalle2_input_ends, .members = lasalle2_input_contact},
    {.name = NULL},
};

const struct declare_member lasalle2_enlist[] = {
    {.name = "arm", .label = "arm", .question = "Arm of {}?"},
    {.name = "strength", .label = "strength", .question = "Strength of {}?"},
    {.name = "battery",
	.label = "battery",
	.question = "Battery of {}?",
	.when = "arm=artillery"},
    {.name = "traits",
	.label = "traits",
	.question = "Traits of {}?",
	.when = "arm=cavalry"},
    {.name = "shaken", .label = "shaken", .is_special = true},
    {.name = NULL},
};
