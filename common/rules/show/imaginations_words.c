/* SPDX-License-Identifier: ISC */
/*
 * What the renderer says of an imagi-nations combat, key by key: see rules_word
 * in common/rules/show/rules_show.h.
 */
#include "common/rules/show/show_list.h"

#include <stddef.h>
#include <stdio.h>

#include "common/rules/imaginations/imaginations.h"
#include "common/rules/imaginations/imaginations_allocate.h"
#include "common/rules/rulekit.h"
#include "common/rules/show/declare.h"

static const struct rules_word imaginations_words[] = {
    /* Members that name units. */
    {"unit/unit", ""},
    {"unit/units", ""},
    {"unit/advanced", ""},

    /* Facts. */
    {"list/attacker", "Attacker"},
    {"list/defender", "Defender"},
    {"list/units", "Units"},
    {"list/battalions", "Battalions"},
    {"list/modifiers", "Modifiers"},
    {"count/bag", "A bag of {} chits"},
    {"list/front", "Front"},
    {"list/back", "Back"},
    {"list/when", "Counts if"},
    {"item/battalions", "{id}: {quality}, {sp} SP, hits {hits}"},
    {"item/modifiers", "{reason}: {value}, {kind}"},
    {"sign/value", ""},
    {"member/lead", "led by {}"},
    {"member/next_lead", "led by {} from the end of the round on"},
    {"member/objective", "holds an objective"},
    {"member/can_evade", "can evade"},
    {"member/terrain", "terrain: {}"},
    {"member/retreat_room", "room to retreat {}"},
    {"member/power", "power {}"},
    {"member/tactic", "tactic {}"},
    {"member/takes", "takes {}"},
    {"member/effects", "effects {}"},

    /* Questions and decisions. */
    {"ask/tactic", "which card it plays, in secret"},
    {"ask/chits", "how many chits are drawn"},
    {"ask/allocate",
	"which battalions take its hits, and who retreats to cancel one"},
    {"pick/allocate", "Hit {}: who takes it?"},
    {"pick/allocate/only",
	"Hit {pick} goes to {unit}: nobody else can take it."},
    {"choice/tactic/feint", "1 chit"},
    {"choice/tactic/cavalry-charge",
	"a chit for each unit, at most 3; offensive modifiers count"},
    {"choice/tactic/prepared-attack", "5 chits; offensive modifiers count"},
    {"choice/tactic/hasty-attack", "3 chits"},
    {"choice/tactic/pinning-attack", "2 chits"},
    {"choice/tactic/hold", "1 chit"},
    {"choice/tactic/defend", "2 chits; defensive modifiers count"},
    {"choice/tactic/evade", "no chits; whether it gets away is rolled for"},
    {"choice/tactic/counter-attack", "3 chits; offensive modifiers count"},
    {"value/effects/A1", "A1 (a hit on the defender)"},
    {"value/effects/A#", "A{} ({} hits on the defender)"},
    {"value/effects/A-1", "A-1 (one hit fewer on the attacker)"},
    {"value/effects/A-#", "A-{} ({} hits fewer on the attacker)"},
    {"value/effects/D1", "D1 (a hit on the attacker)"},
    {"value/effects/D#", "D{} ({} hits on the attacker)"},
    {"value/effects/D-1", "D-1 (one hit fewer on the defender)"},
    {"value/effects/D-#", "D-{} ({} hits fewer on the defender)"},
    {"value/effects/F", "F (fatigue)"},
    {"value/effects/M", "M (a test of morale)"},
    {"ask/advance", "which units advance"},
    {"decision/tactic", "The {side} plays {tactic}."},
    {"decision/chits", "The {side} asks for {number} chits."},
    {"decision/allocate", "The {side} has said how it takes its hits."},
    {"decision/advance", "The {side} advances with: {units}."},

    /* Tactics. */
    {"change/tactic/card",
	"The {side}'s {tactic}: chits asked for {chits}; conditional modifiers "
	"count{modifiers}."},
    {"value/modifiers/none", ", no others"},
    {"value/modifiers/offensive", ", and offensive ones"},
    {"value/modifiers/defensive", ", and defensive ones"},
    {"change/evaded/evade",
	"The {side} rolls {die} and needs {target}: it evades, and there is "
	"no combat."},
    {"change/caught/evade",
	"The {side} rolls {die} and needs {target}: it cannot get away."},

    /* Combat die rolls. */
    {"score/cdr", "Combat die roll of {}"},
    {"against/cdr", "combat die rolls"},
    {"part/die", "die"},
    {"terms/battalions", "battalions with strength left"},
    {"terms/commanders", "(its commander)"},
    {"change/ratio/cdr",
	"{attacker} for the attacker against {defender}: the ratio is "
	"{ratio}."},

    /* Chits. */
    {"change/number/cards",
	"Chits: at least {least}, at most {most} by the cards; drawn: "
	"{number}."},
    {"change/chit/front",
	"Chit {chit} takes {takes}. Front, {front}. Back, {back}. The front "
	"counts: {effects}."},
    {"change/chit/back",
	"Chit {chit} takes {takes}. Front, {front}. Back, {back}. The back "
	"counts: {effects}."},
    {"change/chit/both",
	"Chit {chit} takes {takes}. Front, {front}. Back, {back}. Both "
	"count: {effects}."},
    {"change/chit/nothing",
	"Chit {chit} takes {takes}. Front, {front}. Back, {back}. Nothing "
	"counts."},

    /* Hits. */
    {"score/hits", "Hits on {}"},
    {"terms/suffered", "(chit)"},
    {"terms/spared", "(chit)"},
    {"change/hits/chits",
	"{unit}: {battalion} takes {taken} (hits {hits}, SP left {left})."},
    {"change/retreated/hits",
	"{unit} retreats (spaces: {spaces}); each space cancels a hit."},
    {"change/disordered/retreat",
	"{unit} is disordered by its second retreat."},
    {"change/destroyed/hits", "{unit} has no strength left."},
    {"change/lost/no-strength",
	"The {side} has no strength left; hits that are lost: {hits}."},

    /* Fatigue and morale. */
    {"change/fatigue/retreat", "{unit} retreats: fatigue is now {fatigue}."},
    {"change/fatigue/charge", "{unit} charged: fatigue is now {fatigue}."},
    {"change/fatigue/chits",
	"{unit} gains {points} fatigue by chits: it is now {fatigue}."},
    {"change/affected/more",
	"Hits suffered: attacker {attacker}, defender {defender}. F (fatigue) "
	"and M (morale) fall on the {side}."},
    {"change/affected/equal",
	"Both sides suffered as many hits ({attacker}), a tie: F and M fall on "
	"the {side} too."},
    {"change/affected/no-hits",
	"Neither side suffered a hit: F and M fall on the {side} too."},
    {"change/unaffected/no-hits",
	"Neither side suffered a hit: F and M do not fall on the {side}."},
    {"change/passed/morale",
	"{unit} passes its test: {die} against morale {morale}."},
    {"change/failed/morale",
	"{unit} fails its test: {die} against morale {morale}, which is now "
	"{now}."},
    {"change/in-order/morale", "{unit} is no longer disordered."},

    /* Result. */
    {"result/units",
	"{}: hits {hits}; fatigue {fatigue}, disordered {disordered}, morale "
	"{morale}, retreated {retreated}"},
    {"line/cdr", "Combat die rolls: attacker {attacker}, defender {defender}"},
    {"line/hits", "Hits suffered: attacker {attacker}, defender {defender}"},
    {"member/evaded", "the defender evaded"},
    {"member/ratio", "ratio {}"},
    {"member/chits", "chits {}"},
    {"member/advanced", "advanced: {}"},

    /* Between combats. */
    {"upkeep/fatigue", "{unit}: the round ends, fatigue is now {fatigue}."},
    {"member/lead_free", "its lead battalion may change"},
    {"member/tried", "has tried to {} this turn"},
    {"upkeep/lead_free",
	"{unit} keeps its lead battalion until it takes hits again."},
    {"upkeep/rest", "{unit} rests: die {die}, fatigue is now {fatigue}."},
    {"upkeep/rally",
	"{unit} rallies: {battalion} takes one hit back and has {hits}."},
    {"upkeep/recover", "{unit} recovers: it is no longer disordered."},
    {"upkeep/rallied",
	"{unit} rallies: die {die}, {target} needed; {battalion} takes one hit "
	"back and has {hits}."},
    {"upkeep/not-rallied",
	"{unit} fails to rally: die {die}, {target} needed; {battalion} keeps "
	"its hits."},
    {"upkeep/recovered",
	"{unit} recovers: die {die}, {target} needed; it is no longer "
	"disordered."},
    {"upkeep/not-recovered",
	"{unit} fails to recover: die {die}, {target} needed; it stays "
	"disordered."},
    {"upkeep/lead",
	"{unit} will be led by {battalion} from the end of the round on."},
    {"upkeep/leads", "{unit} is now led by {battalion}."},
    {NULL, NULL},
};

static const struct rules_roll imaginations_rolls[] = {
    {"cdr/SIDE", "combat die roll", RULES_ROLLER_LABEL, false},
    {"evade", "evading", RULES_ROLLER_DEFENDER, false},
    {"morale/ID", "morale", RULES_ROLLER_LABEL, false},
    {"rally/ID", "rally/recover", RULES_ROLLER_LABEL, true},
    {"rest/ID", "rest", RULES_ROLLER_LABEL, true},
    {NULL, NULL, RULES_ROLLER_LABEL, false},
};

static const struct rules_losses imaginations_losses = {
    .what = "strength points",
    .parts = "battalions",
    .removes = "It destroys",
};

/* rules_show's pick: what a battalion has left, or that a unit retreats. */
static void
imaginations_words_pick(const struct combat *c, const struct question *q,
    const struct question_picks *p, size_t i, char *note, size_t size)
{
	const struct imaginations_claim *claim = combat_state(c);
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s = &f->sides[claim->side];
	size_t b = s->first_battalion + i;
	const struct imaginations_unit *unit;

	(void)q;
	if (b >= s->end_battalion) {
		(void)snprintf(note, size, " (retreats a space)");
		return;
	}
	unit = &f->units[f->battalions[b].unit];
	(void)snprintf(note, size, " of %s: strength %d%s", unit->name.id,
	    imaginations_facts_left(&f->battalions[b]) - p->of[i],
	    b == unit->lead ? ", leads" : "");
}

const struct rules_show imaginations_show = {
    .sys = &imaginations_system,
    .words = imaginations_words,
    .template_text = imaginations_template,
    .inputs = imaginations_declare,
    .reason_mark = " (modifier ",
    .enlist = imaginations_enlist,
    .loss = "strength points",
    .rolls = imaginations_rolls,
    .losses = &imaginations_losses,
    .pick = imaginations_words_pick,
    .scene = imaginations_scene,
};
