/* SPDX-License-Identifier: ISC */
/*
 * What the renderer says of a tlnb combat, key by key: see rules_word in
 * common/rules/show/rules_show.h.
 */
#include "common/rules/show/show_list.h"

#include <stddef.h>
#include <stdio.h>

#include "common/rules/show/declare.h"
#include "common/rules/tlnb/tlnb.h"
#include "common/rules/tlnb/tlnb_exchange.h"

static const struct rules_word tlnb_words[] = {
    /* Members that name units. */
    {"unit/unit", ""},
    {"unit/units", ""},
    {"unit/eliminated", ""},
    {"unit/must_advance", ""},

    /* Facts. */
    {"list/attackers", "Attackers"},
    {"list/defenders", "Defenders"},
    {"list/attacker_stacked_artillery", "Artillery stacked with the attackers"},
    {"list/defender_stacked_artillery", "Artillery stacked with the defenders"},
    {"list/batteries", "Batteries"},
    {"list/target", "Target"},
    {"list/units", "Units"},
    {"list/cavalry", "Charging cavalry"},
    {"value/kind/attack", "an attack"},
    {"value/code/-", "- (no effect)"},
    {"value/code/Sk", "Sk (shock)"},
    {"value/result/-", "- (no effect)"},
    {"value/kind/bombardment", "a bombardment"},
    {"value/kind/charge", "a cavalry charge"},
    {"member/sp", "SP {}"},
    {"member/reduced_sp", "reduced side SP {}"},
    {"member/reduced", "on its reduced side"},
    {"member/halved", "halved"},
    {"member/bombarded", "bombarded this turn"},
    {"member/hex", "in hex {}"},
    {"member/terrain", "defender in {} terrain"},
    {"member/across", "across {}"},
    {"value/across/none", "open ground"},
    {"value/across/crest", "a crest"},
    {"value/across/bridge", "a bridge"},
    {"value/across/damaged-bridge", "a damaged bridge"},
    {"value/retreat/attacker", "the attacker retreats"},
    {"value/retreat/defender", "the defender retreats"},
    {"member/weather", "weather: {}"},
    {"member/range", "range {}"},
    {"member/failed_repulse", "failed repulse"},
    {"member/napoleon", "Napoleon with the {}"},
    {"member/guard", "the Guard is staked by: {}"},
    {"member/arf", "artillery returns fire"},
    {"member/ammo_shortage", "ammunition shortage"},
    {"member/chateau", "in a chateau"},

    /* Questions and decisions. */
    {"ask/napoleon-shift", "whether Napoleon shifts the odds by a column"},
    {"ask/guard-shift", "whether its Guard shifts the odds by a column"},
    {"ask/lead", "which unit leads in the shock"},
    {"ask/reduce", "which units are reduced or eliminated"},
    {"ask/retreat",
	"whether all its units retreat, or which cannot and are eliminated"},
    {"pick/retreat", "Which cannot retreat, and are eliminated?"},
    {"pick/retreat/all", "All of them retreat; nobody is eliminated"},
    {"pick/retreat/lost", "Some cannot retreat, and are eliminated"},
    {"pick/exchange-loss", "Who is eliminated?  At least {} together."},
    {"ask/exchange-loss",
	"which units of its own are eliminated in the exchange"},
    {"ask/convert", "whether a unit tries to turn the retreat into a loss"},
    {"ask/retreat-option", "whether what is left retreats a hex"},
    {"decision/napoleon-shift", "Napoleon shifts a column: {use}."},
    {"decision/guard-shift", "The Guard of the {side} shifts a column: {use}."},
    {"decision/lead", "The {side} leads with {unit}."},
    {"decision/reduce/unit",
	"The {side} names {unit}, to be reduced or eliminated."},
    {"decision/reduce/units",
	"The {side} names, to be reduced or eliminated: {units}."},
    {"decision/retreat/none",
	"All units of the {side} retreat; nobody is eliminated."},
    {"decision/retreat/eliminated",
	"The {side} retreats; unable to, and eliminated: {eliminated}."},
    {"decision/exchange-loss",
	"Eliminated in the exchange, as the {side} says: {units}."},
    {"decision/convert",
	"The {side} tries to turn the retreat into a loss with: {unit}."},
    {"decision/retreat-option", "The {side} retreats by choice: {use}."},

    /* Scores. */
    {"score/strength", "Strength of {}"},
    {"against/strength", "odds"},
    {"score/half-points", "Strength of {}"},
    {"against/half-points", "odds"},
    {"against/shock", "shock value"},
    {"base/units", ""},
    {"base/halved", ""},
    {"halves/half-points", ""},
    {"doubled/half-points", ""},
    {"score/face", "Printed strength of {}"},
    {"score/shift", "Shift of the column"},
    {"score/shock", "Shock value of {}"},
    {"score/bombardment", "Strength of the fire"},
    {"score/row", "Row of the table"},
    {"score/initiative", "Initiative of {}"},
    {"terms/halved", "(halved)"},
    {"least/row", "the first row of the table"},
    {"most/row", "the last row of the table"},
    {"part/die", "die"},
    {"part/initiative", "initiative"},
    {"part/alone", "artillery alone in its hex"},
    {"modifier/failed-repulse", "failed repulse"},
    {"modifier/damaged-bridge", "across a damaged bridge"},
    {"modifier/combined-arms", "infantry, cavalry and artillery together"},
    {"modifier/napoleon", "Napoleon"},
    {"modifier/guard-attacker", "the attacker's Guard"},
    {"modifier/guard-defender", "the defender's Guard"},
    {"modifier/suppressed", "suppressed"},
    {"modifier/demoralized", "demoralized"},
    {"modifier/die-1-2", "rolled 1 or 2"},
    {"modifier/die-3-4", "rolled 3 or 4"},
    {"modifier/die-5-6", "rolled 5 or 6"},
    {"modifier/column-3-1", "attacker in the column 3:1"},
    {"modifier/weather", "the weather"},
    {"modifier/marsh", "target in a marsh"},
    {"modifier/town", "target in a town"},
    {"modifier/arf", "return fire by the target's artillery"},
    {"modifier/ammo-shortage", "ammunition shortage"},
    {"modifier/mud", "mud"},
    {"modifier/enfilade", "enfilade"},
    {"modifier/grand-battery", "grand battery"},
    {"modifier/point-blank", "point blank"},

    /* Columns and codes. */
    {"change/left-out/bombarded",
	"{unit} bombarded this turn and does not count in the odds."},
    {"change/left-out/vedette",
	"{unit} is a vedette, and takes no part in the exchange."},
    {"change/column/odds",
	"Odds of {attacker} to {defender}: column {column}."},
    {"change/no-combined-arms/terrain",
	"All three arms attack, but the defender's terrain allows no shift "
	"for it."},
    {"change/no-combined-arms/improved-position",
	"All three arms attack, but the improved position allows no shift for "
	"it."},
    {"change/no-combined-arms/chateau",
	"All three arms attack, but a chateau that is not all demoralized "
	"allows no shift for it."},
    {"change/no-combined-arms/bridge",
	"All three arms attack, but across a bridge there is no shift for it."},
    {"change/column/shift", "Column {from}, shifted by {shift}: {column}."},
    {"change/column/held",
	"Column {from}, shifted by {shift} as far as the table goes: "
	"{column}."},
    {"change/code/combat", "Combat table, row {row}, column {column}: {code}."},
    {"change/code/bombardment",
	"Bombardment table, row {row}, column {column}: {code}."},
    {"change/code/charge", "Charge table, row {row}, column {column}: {code}."},
    {"change/code/storm", "{from} in a storm becomes {code}."},
    {"change/code/crest", "{from} across a crest becomes {code}."},
    {"change/code/terrain", "{from} in the defender's terrain becomes {code}."},
    {"change/code/plain", "{from} is a plain {code} here."},
    {"change/code/chateau",
	"{from} in a chateau that is not all demoralized becomes {code}."},
    {"change/code/bridge-retreat",
	"{from} across a damaged bridge becomes {code}."},
    {"change/code/bridge-shock",
	"{from} across a damaged bridge is not fought out: {code}."},
    {"change/code/shock",
	"Shock, {attacker} against {defender}: row {row} of its table, "
	"{code}."},

    /* Losses and retreats. */
    {"change/reduced/chosen", "{unit} is turned to its reduced side."},
    {"change/eliminated/reduced",
	"{unit} is on its reduced side already and is eliminated."},
    {"change/eliminated/no-reduced-side",
	"{unit} has no reduced side and is eliminated."},
    {"change/eliminated/result", "{unit} is eliminated by the result."},
    {"change/eliminated/exchange", "{unit} is eliminated in the exchange."},
    {"change/eliminated/no-retreat",
	"{unit} cannot retreat and is eliminated."},
    {"change/eliminated/fire", "{unit} is eliminated by the bombardment."},
    {"change/retreat/result", "The {side} retreats; hexes: {hexes}."},
    {"change/retreat/chosen", "The {side} retreats by choice; hexes: {hexes}."},
    {"change/exchange/equal",
	"{attacker} against {defender}, a tie: both sides lose all that "
	"fought."},
    {"change/exchange/weaker",
	"{attacker} against {defender}: the {side} is weaker and loses all "
	"that fought; the other side loses {least} points at least."},
    {"change/advance/shock", "{unit} won the shock and must advance."},

    /* Bombardment and charge. */
    {"change/no-fire/strength",
	"The fire is below a strength of 1: nothing is rolled."},
    {"change/suppressed/result", "The target is suppressed."},
    {"change/convert/passed",
	"Die {die} is not above {rating}: the retreat becomes 1R."},
    {"change/convert/failed",
	"Die {die} is above {rating}: the retreat stands."},
    {"change/spared/vedettes",
	"Only vedettes are in the target hex: nobody is lost."},
    {"change/overrun/result",
	"The target is overrun, and the cavalry stays on it: it is overrunning "
	"until the turn ends."},
    {"change/target-move/result",
	"Movement points that the target has left: {points}."},
    {"change/marker/charge", "The target has a charge marker this turn."},
    {"change/marker/square", "The target has a square marker this turn."},
    {"change/repulsed/result",
	"The charge fails: the cavalry goes back where it came from."},

    /* Upkeep. */
    {"upkeep/cleared/suppressed", "{unit} is no longer suppressed."},
    {"upkeep/cleared/bombarded", "{unit} may bombard again."},
    {"upkeep/cleared/overrunning", "{unit} is overrunning no longer."},
    {"upkeep/cleared/marker", "The marker on {unit} is taken off."},
    {"upkeep/cleared/target_move", "{unit} moves as usual again."},

    /* Result. */
    {"line/shock", "Shock values: attacker {attacker}, defender {defender}"},
    {"line/retreat", "The {side} retreats, hexes: {hexes}"},
    {"member/column", "column {}"},
    {"member/table", "table {}"},
    {"member/result", "result {}"},
    {"member/code", "result {}"},
    {"member/overrun", "overrun"},
    {"member/target_move", "movement points of the target: {}"},
    {"member/marker", "{} marker"},
    {"member/must_advance", "must advance: {}"},
    {NULL, NULL},
};

static const struct rules_roll tlnb_rolls[] = {
    {"combat", "combat", RULES_ROLLER_ATTACKER, false},
    {"shock/SIDE", "shock", RULES_ROLLER_LABEL, false},
    {"bombardment", "bombardment", RULES_ROLLER_ATTACKER, false},
    {"initiative", "initiative", RULES_ROLLER_DEFENDER, false},
    {"charge", "charge", RULES_ROLLER_ATTACKER, false},
    {NULL, NULL, RULES_ROLLER_LABEL, false},
};

/* Members that what is left says already. */
static const char *const tlnb_counted[] = {"sp", NULL};

static const struct rules_losses tlnb_losses = {
    .what = "strength points",
    .counted = tlnb_counted,
    .removes = "It eliminates",
};

/* rules_show's pick: what a unit counts in an exchange. */
static void
tlnb_words_pick(const struct combat *c, const struct question *q,
    const struct question_picks *p, size_t i, char *note, size_t size)
{
	(void)q;
	(void)p;
	(void)snprintf(note, size, " (counts %d%s)", tlnb_exchange_worth(c, i),
	    tlnb_exchange_is_first(c, i) ? ", must go before others" : "");
}

const struct rules_show tlnb_show = {
    .sys = &tlnb_system,
    .words = tlnb_words,
    .template_text = tlnb_template,
    .inputs = tlnb_declare,
    .enlist = tlnb_enlist,
    .loss = "strength points",
    .rolls = tlnb_rolls,
    .losses = &tlnb_losses,
    .pick = tlnb_words_pick,
    .scene = tlnb_scene,
};
