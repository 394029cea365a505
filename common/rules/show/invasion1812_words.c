/* SPDX-License-Identifier: ISC */
/*
 * What the renderer says of an invasion-1812 combat, key by key: see rules_word
 * in common/rules/show/rules_show.h.
 */
#include "common/rules/show/show_list.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/rules/invasion1812/invasion1812.h"
#include "common/rules/invasion1812/invasion1812_ask.h"
#include "common/rules/show/declare.h"

static const struct rules_word invasion1812_words[] = {
    /* Members that name units. */
    {"unit/unit", ""},
    {"unit/units", ""},
    {"unit/extra", ""},
    {"unit/stack", ""},
    {"unit/supports", ""},
    {"unit/disrupted", ""},
    {"unit/commander", ""},
    {"unit/commanders", ""},
    {"unit/advanced", ""},

    /* Facts. */
    {"list/attacker", "Attacker"},
    {"list/defender", "Defender"},
    {"list/stack", "Fighting stack"},
    {"list/supports", "Supporting stacks"},
    {"list/units", "Units"},
    {"list/commanders", "Commanders"},
    {"item/supports", "A supporting stack"},
    {"member/terrain", "The defender's hex is {}"},
    {"value/terrain/mountain", "mountains"},
    {"value/terrain/rough", "rough ground"},
    {"value/terrain/city", "a city"},
    {"member/fortified_city", "with a fortified city"},
    {"member/cf", "CF {}"},
    {"member/cr", "CR {}"},
    {"member/force_marched", "force marched this turn"},
    {"member/fought", "combats already fought this turn: {}"},
    {"member/across_river", "attacks across a river"},
    {"member/others_in_hex", "other friends are in its hex"},

    /* Questions and decisions. */
    {"ask/withdraw-before", "whether its cavalry slips away before the combat"},
    {"ask/hits", "which of its units take its hits"},
    {"ask/withdraw", "whether its stack withdraws"},
    {"ask/forced-withdraw",
	"whether there is a hex to which its stack can withdraw, as it must"},
    {"ask/pursuit-hit", "which disrupted unit the pursuing cavalry eliminates"},
    {"ask/advance", "who advances into the vacated hex"},
    {"ask/commander-escape",
	"to which friendly stack, at most three hexes away, its commander "
	"escapes"},
    {"pick/hits", "Hit {}: who takes it?"},
    {"pick/hits/only", "Hit {pick} goes to {unit}: nobody else can take it."},
    {"pick/hits/more",
	"A stack that takes an odd number of hits may lose one more disrupted "
	"unit: which is eliminated?"},
    {"pick/advance", "Who advances (commanders only with a unit)?"},
    {"pick/commander-escape",
	"Which friendly stack, at most three hexes away, does {} escape to "
	"(nothing: there is none, and the commander is lost)?"},
    {"decision/withdraw-before", "The {side} {withdraw}."},
    {"decision/hits",
	"The {side} gives its hits to: {units}; disrupted and also eliminated "
	"by choice: {extra}."},
    {"decision/withdraw", "The {side} {withdraw}."},
    {"decision/forced-withdraw", "The {side} {possible}."},
    {"decision/pursuit-hit", "The {side} names {unit}."},
    {"decision/advance", "The {side} advances with: {units}."},
    {"decision/commander-escape", "The {side} names the stack: {to}."},
    {"value/withdraw/true", "withdraws"},
    {"value/withdraw/false", "stays where it is"},
    {"value/possible/true", "withdraws, as it must"},
    {"value/possible/false", "has no hex to withdraw to"},

    /* Options of the questions that have a rule. */
    {"member/count", "one unit for each of {} hits"},
    {"member/stack_least", "at least {} of them in the fighting stack"},
    {"member/stack", "fighting stack: {}"},
    {"member/supports", "supports: {}"},
    {"member/disrupted", "disrupted {}"},
    {"member/optional", "may be left out"},
    {"member/units", "units: {}"},
    {"member/commanders", "along with a unit: {}"},
    {"member/commander", "a name for where {} goes"},
    {"member/null", "or null if no stack is near enough"},

    /* Scores. */
    {"score/stack", "Fighting stack of {}"},
    {"score/support", "Supporting stack with {}"},
    {"group/support", ""},
    {"score/final", "Final value of {}"},
    {"against/final", "final values"},
    {"base/cf", ""},
    {"score/hits-on-loser", "Hits by {}, the winner"},
    {"score/hits-on-winner", "Hits by {}, the loser"},
    {"divide/stack", "for what it did before in this turn"},
    {"divide/stack/fought", "fought before in this turn"},
    {"divide/stack/fought-often", "fought more than once before in this turn"},
    {"divide/stack/marched", "force marched in this turn"},
    {"divide/stack/both", "fought before and force marched in this turn"},
    {"divide/support", "for what it did before in this turn"},
    {"divide/support/fought", "fought before in this turn"},
    {"divide/support/fought-often",
	"fought more than once before in this turn"},
    {"divide/support/marched", "force marched in this turn"},
    {"divide/support/both", "fought before and force marched in this turn"},
    {"divide/hits-on-winner", "the winner suffers for half of it"},
    {"most/hits-on-loser",
	"one for each unit that was undisrupted before the combat"},
    {"most/hits-on-winner",
	"one for each unit that was undisrupted before the combat"},
    {"part/die", "die"},
    {"part/types/2", "two types of units"},
    {"part/types/4", "three types of units"},
    {"part/units", "undisrupted units"},
    {"signed/with-commander", "a commander is with it"},
    {"part/stack", "fighting stack"},
    {"part/own", "its final value"},
    {"signed/enemy", "the enemy's final value"},
    {"part/difference", "difference of the final values"},
    {"terms/commander", "(best commander)"},
    {"fact/commander", "cr"},
    {"limited/commander",
	"(best commander, one for each undisrupted unit and no more)"},
    {"terms/supports", "(support)"},
    {"modifier/river", "attacks across a river"},
    {"modifier/ground", "attacks into difficult ground"},
    {"modifier/ground/forest", "attacks into a forest"},
    {"modifier/ground/marsh", "attacks into a marsh"},
    {"modifier/ground/rough", "attacks into rough ground"},
    {"modifier/ground/mountain", "attacks into mountains"},
    {"modifier/no-artillery", "attacks a fortified city without artillery"},
    {"modifier/fortified", "attacks a fortified city with artillery"},
    {"modifier/rolled-low", "rolled 1 or 2"},
    {"modifier/rolled-middle", "rolled 3 or 4"},
    {"modifier/rolled-high", "rolled 5 or 6"},

    /* Before the combat, and who wins it. */
    {"change/no-combat/commanders",
	"The {side} has commanders only: there is no combat."},
    {"change/withdrawn/slipped-away",
	"The cavalry of the {side} slips away: there is no combat."},
    {"change/die-alone/disrupted",
	"No unit of the {side}'s fighting stack is undisrupted: its die alone "
	"counts."},
    {"change/won/values",
	"The attacker has {fav}, the defender {fdv}: the attacker wins by "
	"{difference}."},
    {"change/lost/values",
	"The attacker has {fav}, the defender {fdv}: the defender wins by "
	"{difference}."},
    {"change/tied/values",
	"Both have {fav}: a tie. One unit of the attacking stack takes a hit, "
	"and nobody withdraws or advances."},

    /* Hits. */
    {"change/fewer-hits/units",
	"The {side} suffers {hits} hits, but its units can take only {taken}."},
    {"change/no-hits/disrupted",
	"The {side} had no undisrupted unit before the combat: it inflicts no "
	"hits."},
    {"change/disrupted/hit", "{unit} takes a hit and is disrupted."},
    {"change/eliminated/hit",
	"{unit} is disrupted, takes a hit and is eliminated."},
    {"change/eliminated/extra",
	"{unit} is disrupted and eliminated by its owner's choice."},

    /* Withdrawal and advance. */
    {"change/eliminated/pursuit",
	"{unit} is disrupted, is ridden down by the pursuing cavalry and "
	"eliminated."},
    {"change/eliminated/trapped", "{unit} cannot withdraw and is eliminated."},
    {"change/emptied/eliminated",
	"No unit of the {side}'s fighting stack is left: its hex is open to "
	"all undisrupted units of the attacking stack."},
    {"change/emptied/attacker-lost",
	"No unit of the {side}'s fighting stack is left, but it won: the "
	"attacker does not advance."},

    /* Commanders. */
    {"change/eliminated/commander",
	"{unit} has no units left, rolls a 1 and is eliminated."},
    {"change/eliminated/no-stack",
	"{unit} has no units left and no friendly stack near enough: "
	"eliminated."},
    {"change/escaped/commander",
	"{unit} has no units left and escapes to: {to}."},

    /* Upkeep. */
    {"upkeep/cleared",
	"{unit} rests: combats fought this turn {fought}, force marched: "
	"{force_marched}; both are forgotten."},

    /* Result. */
    {"line/hits", "Hits suffered: attacker {attacker}, defender {defender}"},
    {"line/hits", "Hits suffered: attacker {attacker}, defender {defender}"},
    {"member/fav", "Final attack value {}"},
    {"member/fdv", "final defence value {}"},
    {"member/winner", "winner: {}"},
    {"member/defender_withdrew", "the defender withdrew"},
    {"member/advanced", "advanced: {}"},
    {NULL, NULL},
};

static const struct rules_roll invasion1812_rolls[] = {
    {"combat/SIDE", "combat", RULES_ROLLER_LABEL, false},
    {"hits-on-winner", "hits on winner", RULES_ROLLER_SCORE, false},
    {"commander/ID", "commander", RULES_ROLLER_LABEL, false},
    {NULL, NULL, RULES_ROLLER_LABEL, false},
};

/* Members that what is left says already. */
static const char *const invasion1812_counted[] = {"cf", NULL};

static const struct rules_losses invasion1812_losses = {
    .what = "combat factors",
    .counted = invasion1812_counted,
    .removes = "It eliminates",
};

/* The stack of a side that the unit is the first of; NULL: there is none. */
static const json_t *
invasion1812_words_stack(const json_t *side, const char *unit)
{
	const json_t *supports = json_object_get(side, "supports"), *id, *s;
	size_t i;

	for (i = 0; i <= json_array_size(supports); i++) {
		s = i == 0 ? json_object_get(side, "stack")
			   : json_array_get(supports, i - 1);
		id = json_object_get(
		    json_array_get(json_object_get(s, "units"), 0), "id");
		if (json_is_string(id) &&
		    strcmp(json_string_value(id), unit) == 0)
			return (s);
	}
	return (NULL);
}

/* rules_show's cause: what a stack did before, and the ground. */
static const char *
invasion1812_words_cause(
    const json_t *facts, const json_t *event, const char *what)
{
	const char *side = json_string_value(json_object_get(event, "side"));
	const char *unit = json_string_value(json_object_get(event, "unit"));
	const json_t *s = NULL;
	json_int_t fought;
	bool has_marched;

	if (strcmp(what, "ground") == 0)
		return (json_string_value(json_object_get(facts, "terrain")));
	if (strcmp(what, "divide") != 0)
		return (NULL);
	if (side != NULL)
		s = json_object_get(json_object_get(facts, side), "stack");
	else if (unit != NULL &&
	    (s = invasion1812_words_stack(
		 json_object_get(facts, "attacker"), unit)) == NULL)
		s = invasion1812_words_stack(
		    json_object_get(facts, "defender"), unit);
	fought = json_integer_value(json_object_get(s, "fought"));
	has_marched = json_is_true(json_object_get(s, "force_marched"));
	if (fought < 1)
		return (has_marched ? "marched" : NULL);
	if (has_marched)
		return ("both");
	return (fought == 1 ? "fought" : "fought-often");
}

/* rules_show's pick: what a hit does. */
static void
invasion1812_words_pick(const struct combat *c, const struct question *q,
    const struct question_picks *p, size_t i, char *note, size_t size)
{
	if (q->rule != &invasion1812_ask_hits || i >= q->rule->count(c))
		return;
	(void)snprintf(note, size, " (%s by it)",
	    invasion1812_ask_left(c, p, i) == 1 ? "eliminated" : "disrupted");
}

const struct rules_show invasion1812_show = {
    .sys = &invasion1812_system,
    .words = invasion1812_words,
    .template_text = invasion1812_template,
    .inputs = invasion1812_declare,
    .enlist = invasion1812_enlist,
    .enlist_commander = invasion1812_enlist_commander,
    .loss = "combat factors",
    .cause = invasion1812_words_cause,
    .rolls = invasion1812_rolls,
    .losses = &invasion1812_losses,
    .pick = invasion1812_words_pick,
    .scene = invasion1812_scene,
};
