/* SPDX-License-Identifier: ISC */
/*
 * What the renderer says of a leniston-2009 combat, key by key: see rules_word
 * in common/rules/show/rules_show.h.
 */
#include "common/rules/show/show_list.h"

#include <stddef.h>
#include <string.h>

#include "common/rules/leniston2009/leniston2009.h"
#include "common/rules/leniston2009/leniston2009_facts.h"
#include "common/rules/show/declare.h"

static const struct rules_word leniston2009_words[] = {
    /* Members that name units. */
    {"unit/by", ""},
    {"unit/higher", ""},
    {"unit/unit", ""},

    /* Facts. */
    {"list/attacker", "Attacker"},
    {"list/defender", "Defender"},
    {"list/morale", "For its morale"},
    {"value/rule/melee", "Rule 13: hand to hand in the open"},
    {"value/rule/firefight", "Rule 12: firefight"},
    {"value/rule/skirmish", "Rule 11: skirmish"},
    {"value/rule/bua-inside", "Rule 10: inside a built-up area or woods"},
    {"value/rule/bua-edge", "Rule 9: at the edge of a built-up area"},
    {"member/class", "class {}"},
    {"member/fire", "fire {}"},
    {"member/skirmish", "skirmish {}"},
    {"member/orders", "{} orders"},
    {"member/position", "{}"},
    {"member/follows_edge", "the attacker won at the edge and goes on inside"},
    {"member/follows_inside", "both fought inside and go on"},
    {"member/edge_won", "drove {} from the edge in this round"},
    {"member/fought_inside", "fought {} inside in this round"},
    {"member/skirmished", "has skirmished in this move"},
    {"member/garrison", "garrison"},
    {"member/supports_within_4", "supports within 4 inches"},
    {"member/in_bua", "in a built-up area"},
    {"member/no_general_within_8", "no general within 8 inches"},
    {"member/no_supports_within_8", "no supports within 8 inches"},
    {"member/rout_within_4", "a rout within 4 inches"},
    {"value/position/open", "in the open"},
    {"value/position/bua", "in a built-up area"},
    {"value/position/woods", "in woods"},

    /* The question and its decision. */
    {"ask/skirmish-back", "whether its brigade skirmishes back"},
    {"decision/skirmish-back", "The {side} {accept}."},
    {"value/accept/true", "skirmishes back"},
    {"value/accept/false", "does not skirmish back"},

    /* Scores. */
    {"score/factors", "Factors of {}"},
    {"against/factors", "factors"},
    {"score/total", "Total of {}"},
    {"score/skirmish", "Skirmish fire of {}"},
    {"score/morale", "Morale of {}"},
    {"part/die", "die"},
    {"part/difference", "difference of the factors"},
    {"part/die1", "first die"},
    {"part/die2", "second die"},
    {"modifier/class-a", "class A"},
    {"modifier/class-c", "class C"},
    {"modifier/fire-a", "fire A"},
    {"modifier/fire-c", "fire C"},
    {"modifier/skirmish-a", "skirmish A"},
    {"modifier/skirmish-b", "skirmish B"},
    {"modifier/skirmish-c", "skirmish C"},
    {"modifier/better-skirmishers", "better skirmishers than the enemy"},
    {"modifier/better-firepower", "better firepower than the enemy"},
    {"modifier/line-v-column", "line against a column"},
    {"modifier/garrison", "garrison"},
    {"modifier/outnumbered", "outnumbered two to one"},
    {"modifier/square", "in square"},
    {"modifier/enemy-artillery", "the enemy has deployed artillery"},
    {"modifier/enemy-in-cover", "the enemy is in cover"},
    {"modifier/enemy-in-cover/bua", "the enemy is in a built-up area"},
    {"modifier/enemy-in-cover/woods", "the enemy is in woods"},
    {"modifier/casualties", "for its casualties"},
    {"modifier/disordered", "disordered"},
    {"modifier/shaken", "shaken"},
    {"modifier/general_attached", "a general is attached"},
    {"modifier/supports_within_4", "supports within 4 inches"},
    {"modifier/in_bua", "in a built-up area"},
    {"modifier/behind_formed_supports", "behind formed supports"},
    {"modifier/no_general_within_8", "no general within 8 inches"},
    {"modifier/no_supports_within_8", "no supports within 8 inches"},
    {"modifier/rout_within_4", "a rout within 4 inches"},
    {"modifier/routed_through", "routed through"},
    {"modifier/pursuit", "in pursuit"},

    /* The table. */
    {"change/higher/factors",
	"{unit} has {factors}, {by} has {by_factors}: {unit} is the higher "
	"side and rolls."},
    {"change/higher/ruling",
	"{unit} and {by} both have {factors}, a tie: by the ruling {unit} is "
	"the higher side and rolls."},
    {"change/row/3-or-less",
	"Total {total}, row 3 or less: {unit} takes 3 casualties and routs, "
	"{by} takes 1."},
    {"change/row/4-5",
	"Total {total}, row 4 to 5: {unit} takes 2 casualties and retires 4 "
	"inches shaken, {by} takes 1."},
    {"change/row/6-7",
	"Total {total}, row 6 to 7: {unit} and {by} take 1 casualty each and "
	"are disordered."},
    {"change/row/8-9",
	"Total {total}, row 8 to 9: {unit} takes 1 casualty, {by} takes 2 and "
	"retires 4 inches shaken."},
    {"change/row/10-or-more",
	"Total {total}, row 10 or more: {unit} takes 1 casualty, {by} takes 3 "
	"and routs."},
    {"change/casualties/table",
	"{unit} loses {taken}: it has {casualties} in all."},
    {"change/disordered/table", "{unit} is disordered."},
    {"change/shaken/table", "{unit} is shaken."},
    {"change/rout/table", "{unit} routs."},
    {"change/disordered/hand-to-hand",
	"{unit} is disordered, having fought hand to hand."},
    {"change/rout/casualties", "{unit} has six casualties or more: it routs."},
    {"change/unimproved/table",
	"{unit} is {state} already, and that stays so."},
    {"change/unimproved/hand-to-hand",
	"{unit} fought hand to hand; it is {state} already, and that stays "
	"so."},
    {"change/retires/table", "{unit} retires {inches} inches."},

    /* The skirmish. */
    {"change/not-back/orders",
	"{unit} has {orders} orders, which do not allow it to skirmish back."},
    {"change/missed/skirmish", "{unit} has less than 6: no casualty."},
    {"change/casualties/skirmish",
	"The enemy has 6 or more: {unit} loses {taken}, {casualties} in "
	"all."},
    {"change/passes/morale", "{unit} has {score}, 3 or more: it passes."},
    {"change/shaken/morale", "{unit} has {score}, 1 or 2: it is shaken."},
    {"change/rout/morale", "{unit} has {score}, 0 or less: it routs."},

    /* Result and upkeep. */
    {"entry/factors", "Combat factors of"},
    {"result/units", "{}: {state}, casualties {casualties}"},
    {"value/state/rout", "routed"},
    {"member/higher", "higher side: {}"},
    {"upkeep/formed", "{unit} was disordered and is formed again."},
    {"upkeep/rested", "{unit} no longer counts as having skirmished."},
    {NULL, NULL},
};

static const struct rules_roll leniston2009_rolls[] = {
    {"combat", "combat", RULES_ROLLER_SCORE, false},
    {"skirmish/ID", "skirmish", RULES_ROLLER_LABEL, false},
    {"morale/ID", "morale", RULES_ROLLER_LABEL, false},
    {NULL, NULL, RULES_ROLLER_LABEL, false},
};

/* Members that what is left says already. */
static const char *const leniston2009_counted[] = {"casualties", NULL};

static const struct rules_losses leniston2009_losses = {
    .what = "casualties to take",
    .counted = leniston2009_counted,
    .removes = "It routs",
};

/* rules_show's cause: where the enemy stands. */
static const char *
leniston2009_words_cause(
    const json_t *facts, const json_t *event, const char *what)
{
	const json_t *attacker = json_object_get(facts, "attacker");
	const json_t *defender = json_object_get(facts, "defender");

	if (strcmp(what, "enemy-in-cover") != 0)
		return (NULL);
	return (json_string_value(
	    json_object_get(json_equal(json_object_get(attacker, "id"),
				json_object_get(event, "unit"))
		    ? defender
		    : attacker,
		"position")));
}

const struct rules_show leniston2009_show = {
    .sys = &leniston2009_system,
    .words = leniston2009_words,
    .template_text = leniston2009_template,
    .inputs = leniston2009_declare,
    .enlist = leniston2009_enlist,
    .loss = "casualties",
    .cause = leniston2009_words_cause,
    .rolls = leniston2009_rolls,
    .losses = &leniston2009_losses,
    .scene = leniston2009_scene,
};
