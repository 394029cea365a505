/* SPDX-License-Identifier: ISC */
/*
 * The combat tables of the Library of Napoleonic Battles (umpire-rules.7, 14):
 * attack, bombardment and charge.  Each kind has a file of its own; this one
 * makes a system of them and tells their results.
 */
#include "common/rules/tlnb/tlnb.h"

#include <stddef.h>

#include "common/json/js.h"
#include "common/rules/data.h"
#include "common/rules/rulekit.h"
#include "common/rules/tlnb/tlnb_attack.h"
#include "common/rules/tlnb/tlnb_bombard.h"
#include "common/rules/tlnb/tlnb_charge.h"
#include "common/rules/tlnb/tlnb_facts.h"
#include "common/rules/tlnb/tlnb_policy.h"
#include "common/rules/tlnb/tlnb_roster.h"
#include "common/rules/tlnb/tlnb_step.h"
#include "common/rules/tlnb/tlnb_tables.h"

static const char *const tlnb_bridge_words[] = {"shock", "retreat", NULL};

/* 14.8. */
static const struct rules_ruling tlnb_rulings[] = {
    [TLNB_DAMAGED_BRIDGE_DR] = {.name = "damaged_bridge_dr",
	.question = "what is a retreat of the defender by the combat table "
		    "across a damaged bridge: a shock, hence 1R, or a retreat?",
	.words = tlnb_bridge_words,
	.fallback = 0},
    [TLNB_BOMBARDED_IN_ODDS] = {.name = "bombarded_in_odds",
	.question = "does attacking artillery that bombarded this turn count "
		    "in the odds?",
	.is_bool = true,
	.fallback = true},
    [TLNB_VEDETTES_IN_EXCHANGE] = {.name = "vedettes_in_exchange",
	.question = "do vedettes count in an exchange, and can they be lost "
		    "in it?",
	.is_bool = true,
	.fallback = false},
};

static const char *const tlnb_ends[] = {
    [TLNB_FULL] = "full",
    [TLNB_REDUCED] = "reduced",
    [TLNB_ELIMINATED] = "eliminated",
    NULL,
};

/* 14.2 to 14.6. */
static int
tlnb_run(struct combat *c)
{
	const struct tlnb l = {
	    .c = c,
	    .f = combat_facts(c),
	    .t = combat_data(c),
	    .st = combat_state(c),
	};
	size_t u;

	for (u = 0; u < l.f->n_units; u++) {
		if (l.f->units[u].is_reduced)
			l.st->ends[u] = TLNB_REDUCED;
	}
	switch (l.f->kind) {
	case TLNB_ATTACK:
		return (tlnb_attack_run(&l));
	case TLNB_BOMBARDMENT:
		return (tlnb_bombard_run(&l));
	case TLNB_CHARGE:
		break;
	}
	return (tlnb_charge_run(&l));
}

/* Returns which side retreats how far as a new value, or NULL. */
static json_t *
tlnb_retreat_json(const struct tlnb_state *st)
{
	if (!st->has_retreat)
		return (json_null());
	return (json_pack("{s:s, s:i}", "side", question_side(st->retreats),
	    "hexes", st->hexes));
}

/* 14.4 to 14.6. */
static json_t *
tlnb_result(const struct combat *c)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	const struct tlnb_code *code = &st->code;
	json_t *advance, *o = NULL, *units = json_object();
	size_t u;
	int bad = 0;

	switch (f->kind) {
	case TLNB_ATTACK:
		o = json_pack("{s:s, s:i, s:s, s:s}", "column", st->column,
		    "shift", st->shift, "table", st->table.text, "result",
		    code->text);
		if (st->has_shock)
			bad |= json_object_set_new(o, "shock",
			    json_pack("{s:i, s:i}", "attacker",
				st->shock[COMBAT_ATTACKER], "defender",
				st->shock[COMBAT_DEFENDER]));
		bad |= json_object_set_new(o, "retreat", tlnb_retreat_json(st));
		advance = json_array();
		for (u = 0; u < f->n_units; u++) {
			if (st->must_advance[u])
				bad |= json_array_append_new(
				    advance, json_string(f->units[u].name.id));
		}
		bad |= json_object_set_new(o, "must_advance", advance);
		break;
	case TLNB_BOMBARDMENT:
		o = json_pack("{s:i, s:s?, s:s, s:b, s:o}", "strength",
		    st->strength, "column", st->column, "result", code->text,
		    "suppressed", (int)st->is_suppressed, "retreat",
		    tlnb_retreat_json(st));
		break;
	case TLNB_CHARGE:
		o = json_pack("{s:s, s:s, s:b, s:o, s:s}", "column", st->column,
		    "table", code->text, "overrun",
		    code->effect == TLNB_OVERRUN, "target_move",
		    code->effect == TLNB_ATTACKER_GONE && code->n != -1
			? json_integer(code->n)
			: json_null(),
		    "marker",
		    code->effect == TLNB_REPULSED ? "square" : "charge");
	}
	for (u = 0; u < f->n_units; u++)
		bad |= json_object_set_new(units, f->units[u].name.id,
		    json_string(tlnb_ends[st->ends[u]]));
	bad |= json_object_set_new(o, "units", units);
	return (js_made(o, bad));
}

const struct rules_system tlnb_system = {
    .id = "tlnb",
    .version = "tlnb/1",
    .name = "Library of Napoleonic Battles",
    .rulings = tlnb_rulings,
    .n_rulings = TLNB_RULINGS,
    .unit = tlnb_facts_unit,
    .facts_size = sizeof(struct tlnb_facts),
    .state_size = sizeof(struct tlnb_state),
    .data_name = "tables",
    .data_text = data_tlnb,
    .data_size = sizeof(struct tlnb_tables),
    .data = tlnb_tables_read,
    .parse = tlnb_facts_parse,
    .facts = tlnb_facts_json,
    .run = tlnb_run,
    .result = tlnb_result,
    .roster_unit = tlnb_facts_roster_unit,
    .game = &tlnb_roster_game,
    .ends = tlnb_ends,
    .policies = tlnb_policy_list,
    .policy = tlnb_policy_answer,
    .outcome = tlnb_policy_outcome,
};
