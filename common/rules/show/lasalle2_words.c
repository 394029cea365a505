/* SPDX-License-Identifier: ISC */
/*
 * What the renderer says of a lasalle2 combat, key by key: see rules_word in
 * common/rules/show/rules_show.h.
 */
#include "common/rules/show/show_list.h"

#include <stddef.h>
#include <string.h>

#include "common/rules/lasalle2/lasalle2.h"
#include "common/rules/show/declare.h"

static const struct rules_word lasalle2_words[] = {
    /* Members that name units. */
    {"unit/attacker", ""},
    {"unit/by", ""},
    {"unit/defender", ""},
    {"unit/enemy", ""},
    {"unit/unit", ""},
    {"unit/units", ""},

    /* Facts. */
    {"list/attackers", "Attackers"},
    {"list/defenders", "Defenders"},
    {"list/contacts", "Contacts"},
    {"item/contacts", "{attacker} on the {edge} of {defender}"},
    {"member/battery", "{} battery"},
    {"member/difficult", "in difficult terrain"},
    {"member/touches", "touching {}"},
    {"member/uphill", "the defender is uphill"},
    {"member/across", "across {}"},
    {"value/formation/march", "march formation"},
    {"value/edge/left", "left flank"},
    {"value/edge/right", "right flank"},
    {"value/touches/left", "left flank"},
    {"value/touches/right", "right flank"},
    {"value/across/wall", "a wall"},

    /* Questions and decisions. */
    {"ask/retire", "which of its engaged artillery tries to retire"},
    {"ask/reroll", "which of its lancers roll again against a square"},
    {"ask/stagger",
	"in what order its units stagger, and whether each "
	"has a path that touches no enemy"},
    {"decision/retire", "The {side} tries to retire: {units}."},
    {"decision/reroll", "The {side} rolls again for: {units}."},
    {"decision/stagger", "The {side} staggers: {order}."},
    {"item/order", "{unit}{possible}"},
    {"value/possible/true", ""},
    {"value/possible/false", " (no path)"},

    /* Scores. */
    {"score/score", "Score of {}"},
    {"against/score", "score"},
    {"part/strength", "strength"},
    {"part/die", "die"},
    {"modifier/outnumber", "outnumbers an enemy"},
    {"modifier/outnumber/together", "outnumbers {enemy} together with {units}"},
    {"modifier/strong-position", "defends a strong position"},
    {"modifier/strong-position/garrison",
	"defends a strong position: it is a garrison"},
    {"modifier/strong-position/cover",
	"defends a strong position: {units} must come across a wall or "
	"earthworks"},
    {"modifier/strong-position/wall-and-earthworks",
	"defends a strong position: {units} must come across a wall and "
	"earthworks"},
    {"modifier/strong-position/wall",
	"defends a strong position: {units} must come across a wall"},
    {"modifier/strong-position/earthworks",
	"defends a strong position: {units} must come across earthworks"},
    {"modifier/strong-position/uphill",
	"defends a strong position: it is uphill from {units}"},
    {"modifier/strong-position/square",
	"defends a strong position: it is in square against {units}"},
    {"modifier/enemy-shock", "cavalry without shock against shock cavalry"},
    {"modifier/difficult", "in difficult terrain"},
    {"modifier/poor-formation", "in a poor formation"},
    {"modifier/poor-formation/march", "in a poor formation: march formation"},
    {"modifier/poor-formation/cavalry",
	"in a poor formation: infantry not in square, against {units}"},
    {"modifier/poor-formation/flank",
	"in a poor formation: {units} on its flank or rear"},
    {"modifier/poor-formation/flank-and-rear",
	"in a poor formation: {units} on its flank and rear"},
    {"modifier/poor-formation/left",
	"in a poor formation: {units} on its left flank"},
    {"modifier/poor-formation/right",
	"in a poor formation: {units} on its right flank"},
    {"modifier/poor-formation/flanks",
	"in a poor formation: {units} on its flanks"},
    {"modifier/poor-formation/rear",
	"in a poor formation: {units} on its rear"},

    /* Retire. */
    {"change/retired/retire",
	"{unit} retires: best die {defender} against {attacker}."},
    {"change/in-place/retire",
	"{unit} fails to retire: best die {defender} against {attacker}."},
    {"change/unengaged/retired",
	"All that {unit} attacked has retired: it is out of the combat."},

    /* Defenders and attackers. */
    {"change/broken/upset",
	"Upset: {unit} rolled {die} and {by} rolled {by_die}. {unit} breaks."},
    {"change/unaffected/upset",
	"Upset: {unit} rolled {die} and {by} rolled {by_die}. {unit} is "
	"unaffected."},
    {"change/broken/outscored",
	"{unit} has {score}, {by} has {by_score}: outscored by {margin}, three "
	"or more. {unit} breaks."},
    {"change/outscored/score",
	"{unit} has {score}, {by} has {by_score}: outscored by {margin}, less "
	"than three."},
    {"change/in-place/score",
	"{unit} has {score}, {by} has {by_score}: {unit} holds its place."},
    {"change/in-place/score-tie",
	"{unit} and {by} both have {score}, a tie: {unit} holds its place."},
    {"change/disr/outscored",
	"{unit} takes a DISR for it: strength {strength}."},
    {"change/disr/cavalry",
	"{unit} is cavalry and takes a DISR: strength {strength}."},
    {"change/spared/cavalry",
	"{unit} is cavalry at strength {strength}: a DISR would break it, so "
	"it takes none."},
    {"change/broken/strength", "{unit} has no strength left and breaks."},
    {"change/broken/trapped",
	"{unit} must stagger, but was hit on its rear or on both flanks: it "
	"breaks."},
    {"change/broken/trapped-flanks",
	"{unit} must stagger, but was hit on both flanks: it breaks."},
    {"change/broken/trapped-rear",
	"{unit} must stagger, but was hit on its rear: it breaks."},
    {"change/broken/no-path",
	"{unit} must stagger, but has no path: it breaks."},
    {"change/staggered/path", "{unit} staggers."},
    {"change/broken/cavalry",
	"{unit} has {score}, the cavalry of {by} has {by_score}: outscored by "
	"{margin}, three or more. {unit} breaks."},
    {"change/engaged/in-place",
	"{by} is still in place before {unit}, which must stagger."},
    {"change/disr/engaged", "{unit} takes a DISR for it: strength {strength}."},
    {"change/disr/odd-score",
	"No enemy is left before {unit}; its score is odd, so it takes a "
	"DISR: strength {strength}."},
    {"change/in-place/even-score",
	"No enemy is left before {unit}; its score of {score} is even, so it "
	"takes no DISR."},

    /* Result. */
    {"result/units",
	"{}: {state}, strength {strength}, {disr} DISR in this combat"},
    {"result/units/broken",
	"{}: broken at strength {strength} and out of play, {disr} DISR in "
	"this combat"},
    {"value/state/in-place", "in place"},
    {NULL, NULL},
};

static const struct rules_roll lasalle2_rolls[] = {
    {"score/ID", "score", RULES_ROLLER_LABEL, false},
    {"reroll/ID", "re-roll", RULES_ROLLER_LABEL, false},
    {"retire/ID/SIDE", "retiring guns", RULES_ROLLER_LABEL, false},
    {NULL, NULL, RULES_ROLLER_LABEL, false},
};

/*
 * The word that all contacts of a defender have as a member, but for those of
 * one word (skip; NULL: none), borrowed; NULL if there are several.
 */
static const char *
lasalle2_words_all(const json_t *facts, const char *defender,
    const char *member, const char *skip)
{
	const json_t *contact;
	const char *found = NULL, *of, *word;
	size_t i;

	json_array_foreach(json_object_get(facts, "contacts"), i, contact)
	{
		of = json_string_value(json_object_get(contact, "defender"));
		word = json_string_value(json_object_get(contact, member));
		if (of == NULL || word == NULL || strcmp(of, defender) != 0 ||
		    (skip != NULL && strcmp(word, skip) == 0))
			continue;
		if (found != NULL && strcmp(found, word) != 0)
			return (NULL);
		found = word;
	}
	return (found);
}

/* True if some contact of a defender is on this edge. */
static bool
lasalle2_words_is_hit(
    const json_t *facts, const char *defender, const char *edge)
{
	const json_t *contact;
	const char *of, *word;
	size_t i;

	json_array_foreach(json_object_get(facts, "contacts"), i, contact)
	{
		of = json_string_value(json_object_get(contact, "defender"));
		word = json_string_value(json_object_get(contact, "edge"));
		if (of != NULL && word != NULL && strcmp(of, defender) == 0 &&
		    strcmp(word, edge) == 0)
			return (true);
	}
	return (false);
}

/* rules_show's cause: what was crossed, and on which edges a unit is hit. */
static const char *
lasalle2_words_cause(const json_t *facts, const json_t *event, const char *what)
{
	const char *unit = json_string_value(json_object_get(event, "unit"));
	const char *word;
	bool is_rear;

	if (unit == NULL)
		return (NULL);
	if (strcmp(what, "cover") == 0) {
		word = lasalle2_words_all(facts, unit, "across", NULL);
		return (word != NULL ? word : "wall-and-earthworks");
	}
	is_rear = lasalle2_words_is_hit(facts, unit, "rear");
	if (strcmp(what, "trapped") == 0)
		return (is_rear ? "trapped-rear" : "trapped-flanks");
	if (strcmp(what, "flank") != 0)
		return (NULL);
	if (!is_rear && lasalle2_words_is_hit(facts, unit, "left") &&
	    lasalle2_words_is_hit(facts, unit, "right"))
		return ("flanks");
	word = lasalle2_words_all(facts, unit, "edge", "front");
	return (word != NULL ? word : "flank-and-rear");
}

/* Members that what is left says already. */
static const char *const lasalle2_counted[] = {"strength", NULL};

static const struct rules_losses lasalle2_losses = {
    .what = "strength points",
    .counted = lasalle2_counted,
    .removes = "It breaks",
};

const struct rules_show lasalle2_show = {
    .sys = &lasalle2_system,
    .words = lasalle2_words,
    .template_text = lasalle2_template,
    .inputs = lasalle2_declare,
    .enlist = lasalle2_enlist,
    .loss = "strength points",
    .cause = lasalle2_words_cause,
    .rolls = lasalle2_rolls,
    .losses = &lasalle2_losses,
    .scene = lasalle2_scene,
};
