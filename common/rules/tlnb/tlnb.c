/* SPDX-License-Identifier: ISC */
/*
 * The combat tables of the Library of Napoleonic Battles (umpire-rules.7,
 * 14): attack, bombardment and charge.  Each kind has a file of its own; here
 * are what they share with the world, and what came of them.
 */
#include "common/rules/tlnb/tlnb.h"

#include <stddef.h>

#include "common/rules/data.h"
#include "common/rules/run.h"
#include "common/rules/show/tlnb_input.h"
#include "common/rules/show/tlnb_words.h"
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
    [TLNB_DAMAGED_BRIDGE_DR] =
	{
	    .name = "damaged_bridge_dr",
	    .question = "what is a retreat of the defender by the combat "
			"table across a damaged bridge: a shock, hence 1R, or "
			"a retreat?",
	    .words = tlnb_bridge_words,
	    .fallback = 0,
	},
    [TLNB_BOMBARDED_IN_ODDS] =
	{
	    .name = "bombarded_in_odds",
	    .question = "does attacking artillery that bombarded this turn "
			"count in the odds?",
	    .is_bool = true,
	    .fallback = true,
	},
};

/* 14.9. */
static const struct rules_field tlnb_fields[] = {
    {"name", "a name for people, at most 64 bytes", false},
    {"arm", "\"infantry\", \"cavalry\", \"artillery\" or \"vedette\"", true},
    {"sp", "strength points of the full side, 1 to 9999", true},
    {"reduced_sp", "those of the reduced side, or null if it has none", false},
    {"reduced", "true or false: on its reduced side", false},
    {"initiative", "the printed rating, 0 to 9999", true},
    {"demoralized", "true or false", false},
    {"suppressed", "true or false; a turn's end clears it", false},
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

/* What became of the units, as a new object, or NULL. */
static json_t *
tlnb_units_json(const struct tlnb_facts *f, const struct tlnb_state *st)
{
	json_t *o;
	size_t u;
	int bad = 0;

	if ((o = json_object()) == NULL)
		return (NULL);
	for (u = 0; u < f->n_units; u++)
		bad |= json_object_set_new(o, f->units[u].name.id,
		    json_string(tlnb_ends[st->ends[u]]));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* The cavalry that must advance, as a new array, or NULL. */
static json_t *
tlnb_advance_json(const struct tlnb_facts *f, const struct tlnb_state *st)
{
	json_t *list;
	size_t u;
	int bad = 0;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (u = 0; u < f->n_units; u++) {
		if (st->must_advance[u])
			bad |= json_array_append_new(
			    list, json_string(f->units[u].name.id));
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Who retreats how far, as a new value, or NULL. */
static json_t *
tlnb_retreat_json(const struct tlnb_state *st)
{
	if (!st->has_retreat)
		return (json_null());
	return (json_pack("{s:s, s:i}", "side", question_side(st->retreats),
	    "hexes", st->hexes));
}

/* 14.4: the result of an attack; non-zero without memory. */
static int
tlnb_put_attack(
    const struct tlnb_facts *f, const struct tlnb_state *st, json_t *o)
{
	int bad;

	bad = json_object_set_new(o, "column", json_string(st->column));
	bad |= json_object_set_new(o, "shift", json_integer(st->shift));
	bad |= json_object_set_new(o, "table", json_string(st->table.text));
	bad |= json_object_set_new(o, "result", json_string(st->code.text));
	if (st->has_shock)
		bad |= json_object_set_new(o, "shock",
		    json_pack("{s:i, s:i}", "attacker",
			st->shock[COMBAT_ATTACKER], "defender",
			st->shock[COMBAT_DEFENDER]));
	bad |= json_object_set_new(o, "retreat", tlnb_retreat_json(st));
	bad |= json_object_set_new(o, "must_advance", tlnb_advance_json(f, st));
	return (bad);
}

/* 14.5: the result of a bombardment; non-zero without memory. */
static int
tlnb_put_bombardment(const struct tlnb_state *st, json_t *o)
{
	int bad;

	bad = json_object_set_new(o, "strength", json_integer(st->strength));
	bad |= json_object_set_new(o, "column",
	    st->column == NULL ? json_null() : json_string(st->column));
	bad |= json_object_set_new(o, "result", json_string(st->code.text));
	bad |= json_object_set_new(
	    o, "suppressed", json_boolean(st->is_suppressed));
	bad |= json_object_set_new(o, "retreat", tlnb_retreat_json(st));
	return (bad);
}

/* 14.6: the result of a charge; non-zero without memory. */
static int
tlnb_put_charge(const struct tlnb_state *st, json_t *o)
{
	const struct tlnb_code *code = &st->code;
	bool has_move;
	int bad;

	has_move = code->effect == TLNB_ATTACKER_GONE && code->n != -1;
	bad = json_object_set_new(o, "column", json_string(st->column));
	bad |= json_object_set_new(o, "table", json_string(code->text));
	bad |= json_object_set_new(
	    o, "overrun", json_boolean(code->effect == TLNB_OVERRUN));
	bad |= json_object_set_new(
	    o, "target_move", has_move ? json_integer(code->n) : json_null());
	bad |= json_object_set_new(o, "marker",
	    json_string(code->effect == TLNB_REPULSED ? "square" : "charge"));
	return (bad);
}

/* 14.4 to 14.6. */
static json_t *
tlnb_result(const struct combat *c)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	json_t *o;
	int bad;

	if ((o = json_object()) == NULL)
		return (NULL);
	if (f->kind == TLNB_ATTACK)
		bad = tlnb_put_attack(f, st, o);
	else if (f->kind == TLNB_BOMBARDMENT)
		bad = tlnb_put_bombardment(st, o);
	else
		bad = tlnb_put_charge(st, o);
	bad |= json_object_set_new(o, "units", tlnb_units_json(f, st));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

static const struct rules_roll tlnb_rolls[] = {
    {"combat", "combat", RULES_ROLLER_ATTACKER, false},
    {"shock/SIDE", "shock", RULES_ROLLER_LABEL, false},
    {"bombardment", "bombardment", RULES_ROLLER_ATTACKER, false},
    {"initiative", "initiative", RULES_ROLLER_DEFENDER, false},
    {"charge", "charge", RULES_ROLLER_ATTACKER, false},
    {NULL, NULL, RULES_ROLLER_LABEL, false},
};

static const char *const tlnb_gone[] = {"eliminated", NULL};

static const struct rules_left tlnb_left = {
    .what = "strength points",
    .full = "sp",
    .flag = "reduced",
    .flag_full = "reduced_sp",
    .gone = tlnb_gone,
};

const struct rules_system tlnb_system = {
    .id = "tlnb",
    .version = "tlnb/1",
    .name = "Library of Napoleonic Battles",
    .rulings = tlnb_rulings,
    .n_rulings = TLNB_RULINGS,
    .fields = tlnb_fields,
    .n_fields = sizeof(tlnb_fields) / sizeof(tlnb_fields[0]),
    .unit_members = tlnb_facts_members,
    .words = tlnb_words,
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
    .merge = tlnb_roster_merge,
    .apply = tlnb_roster_apply,
    .upkeep = tlnb_roster_upkeep,
    .place_id = tlnb_roster_place_id,
    .template_text = tlnb_words_template,
    .inputs = tlnb_input,
    .ends = tlnb_ends,
    .loss = "strength points",
    .policies = tlnb_policy_list,
    .policy = tlnb_policy_answer,
    .outcome = tlnb_policy_outcome,
    .rolls = tlnb_rolls,
    .left = &tlnb_left,
};
