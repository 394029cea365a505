/* SPDX-License-Identifier: ISC */
/*
 * Reads and writes the facts of a leniston-2009 combat and the brigades of
 * its rosters.  All that the system refuses is refused here (umpire-rules.7,
 * 12.1), so that the rules can take the structs as they are.
 */
#include "common/rules/leniston2009/leniston2009_facts.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/combat.h"
#include "common/rules/rulekit.h"

static const char *const leniston2009_facts_rules[] = {
    [LENISTON2009_MELEE] = "melee",
    [LENISTON2009_FIREFIGHT] = "firefight",
    [LENISTON2009_INSIDE] = "bua-inside",
    [LENISTON2009_EDGE] = "bua-edge",
    [LENISTON2009_SKIRMISH] = "skirmish",
    NULL,
};

static const char *const leniston2009_facts_arms[] = {"infantry", NULL};

static const char *const leniston2009_facts_grades[] = {"A", "B", "C", NULL};

const char *const leniston2009_facts_states[] = {
    [LENISTON2009_FORMED] = "formed",
    [LENISTON2009_DISORDERED] = "disordered",
    [LENISTON2009_SHAKEN] = "shaken",
    [LENISTON2009_ROUT] = "rout",
    NULL,
};

/* Without those that are not stated. */
static const char *const leniston2009_facts_formations[] = {
    "line", "column", "square", NULL};

const char *const leniston2009_facts_orders[] = {
    "attack", "engage", "hold", "retire", NULL};

static const char *const leniston2009_facts_positions[] = {
    [LENISTON2009_OPEN] = "open",
    [LENISTON2009_BUA] = "bua",
    [LENISTON2009_WOODS] = "woods",
    NULL,
};

const char *const leniston2009_facts_flags[] = {
    [LENISTON2009_GENERAL_ATTACHED] = "general_attached",
    [LENISTON2009_SUPPORTS_WITHIN_4] = "supports_within_4",
    [LENISTON2009_IN_BUA] = "in_bua",
    [LENISTON2009_BEHIND_FORMED_SUPPORTS] = "behind_formed_supports",
    [LENISTON2009_NO_GENERAL_WITHIN_8] = "no_general_within_8",
    [LENISTON2009_NO_SUPPORTS_WITHIN_8] = "no_supports_within_8",
    [LENISTON2009_ROUT_WITHIN_4] = "rout_within_4",
    [LENISTON2009_ROUTED_THROUGH] = "routed_through",
    [LENISTON2009_PURSUIT] = "pursuit",
    NULL,
};

/* 12.1, 12.8. */
#define LENISTON2009_BRIGADE(member, name, type, in) \
	SCHEMA_ROW(leniston2009_brigade, member, name, type, in)
const struct schema_row leniston2009_facts_brigade[] = {
    {LENISTON2009_BRIGADE(name.id, "id", ID, PRINTED)},
    {LENISTON2009_BRIGADE(name.name, "name", TEXT, PRINTED),
	.what = "a name for people, at most 64 bytes"},
    {LENISTON2009_BRIGADE(arm, "arm", WORD, PRINTED),
	.words = leniston2009_facts_arms, .what = "\"infantry\", the only one"},
    {LENISTON2009_BRIGADE(class, "class", WORD, PRINTED),
	.words = leniston2009_facts_grades, .is_required = true,
	.what = "\"A\" (best), \"B\" or \"C\""},
    {LENISTON2009_BRIGADE(fire, "fire", WORD, PRINTED),
	.words = leniston2009_facts_grades, .is_required = true,
	.what = "firepower: \"A\", \"B\" or \"C\""},
    {LENISTON2009_BRIGADE(skirmish, "skirmish", WORD, PRINTED),
	.words = leniston2009_facts_grades, .is_required = true,
	.what = "skirmishers: \"A\", \"B\" or \"C\""},
    {LENISTON2009_BRIGADE(casualties, "casualties", COUNT, PRINTED),
	.hi = RULES_COUNT_MAX,
	.what = "casualties so far, 0 to 5; six rout a brigade"},
    {LENISTON2009_BRIGADE(state, "state", WORD, PRINTED),
	.words = leniston2009_facts_states,
	.what = "\"formed\", \"disordered\" or \"shaken\""},
    {LENISTON2009_BRIGADE(formation, "formation", WORD, STATED),
	.words = leniston2009_facts_formations, .lo = LENISTON2009_LINE},
    {LENISTON2009_BRIGADE(orders, "orders", WORD, STATED),
	.words = leniston2009_facts_orders, .lo = LENISTON2009_ATTACK},
    {LENISTON2009_BRIGADE(position, "position", WORD, STATED),
	.words = leniston2009_facts_positions},
    {LENISTON2009_BRIGADE(is_outnumbered, "outnumbered", BOOL, STATED)},
    {LENISTON2009_BRIGADE(has_skirmished, "skirmished", BOOL, KEPT_STATED)},
    {LENISTON2009_BRIGADE(is_garrison, "garrison", BOOL, STATED)},
    {LENISTON2009_BRIGADE(has_artillery, "deployed_artillery", BOOL, STATED)},
    {LENISTON2009_BRIGADE(morale, "morale", FLAGS, STATED),
	.words = leniston2009_facts_flags},
    {LENISTON2009_BRIGADE(edge_won, "edge_won", TEXT, NOTED)},
    {LENISTON2009_BRIGADE(fought_inside, "fought_inside", TEXT, NOTED)},
    {.name = NULL},
};

#define LENISTON2009_FACTS(member, name, type) \
	SCHEMA_ROW(leniston2009_facts, member, name, type, STATED)
static const struct schema_row leniston2009_facts_rows[] = {
    {LENISTON2009_FACTS(rule, "rule", WORD), .words = leniston2009_facts_rules,
	.is_required = true},
    {LENISTON2009_FACTS(sides[COMBAT_ATTACKER], "attacker", OBJECT),
	.rows = leniston2009_facts_brigade},
    {LENISTON2009_FACTS(sides[COMBAT_DEFENDER], "defender", OBJECT),
	.rows = leniston2009_facts_brigade},
    {LENISTON2009_FACTS(follows_edge, "follows_edge", BOOL)},
    {LENISTON2009_FACTS(follows_inside, "follows_inside", BOOL)},
    {.name = NULL},
};

/* Rules 9 to 13: which orders allow it, as bits. */
#define LENISTON2009_FACTS_BIT(orders) (1U << (orders))
static const unsigned leniston2009_facts_allowed[] = {
    [LENISTON2009_MELEE] = LENISTON2009_FACTS_BIT(LENISTON2009_ATTACK),
    [LENISTON2009_FIREFIGHT] = LENISTON2009_FACTS_BIT(LENISTON2009_ENGAGE) |
	LENISTON2009_FACTS_BIT(LENISTON2009_HOLD),
    [LENISTON2009_INSIDE] = LENISTON2009_FACTS_BIT(LENISTON2009_ATTACK) |
	LENISTON2009_FACTS_BIT(LENISTON2009_ENGAGE),
    [LENISTON2009_EDGE] = LENISTON2009_FACTS_BIT(LENISTON2009_ATTACK),
    [LENISTON2009_SKIRMISH] = LENISTON2009_FACTS_BIT(LENISTON2009_ENGAGE) |
	LENISTON2009_FACTS_BIT(LENISTON2009_HOLD),
};

bool
leniston2009_facts_allow(
    enum leniston2009_rule rule, enum leniston2009_orders orders)
{
	return ((leniston2009_facts_allowed[rule] &
		    LENISTON2009_FACTS_BIT(orders)) != 0);
}

/* Refuses a brigade that has routed: it fights no more (rule 17). */
static int
leniston2009_facts_check_rout(const struct leniston2009_brigade *b,
    const struct js_at *at, struct errinfo *e)
{
	if (b->state == LENISTON2009_ROUT)
		return (js_fail_member(
		    at, "state", e, "a routing brigade fights no more"));
	if (b->casualties >= LENISTON2009_CASUALTIES_ROUT)
		return (js_fail_member(at, "casualties", e,
		    "a brigade with %d casualties has routed",
		    LENISTON2009_CASUALTIES_ROUT));
	return (0);
}

/* Whether a factor hangs on the formation of a side's brigade (12.2). */
static bool
leniston2009_facts_has_formed_factors(
    const struct leniston2009_facts *f, enum combat_side side)
{
	if (f->rule == LENISTON2009_SKIRMISH)
		return (side == COMBAT_ATTACKER ||
		    leniston2009_facts_allow(f->rule, f->sides[side].orders));
	return (
	    f->rule == LENISTON2009_MELEE || f->rule == LENISTON2009_FIREFIGHT);
}

/* Refuses a brigade whose formation counts and is not stated. */
static int
leniston2009_facts_check_formation(const struct leniston2009_facts *f,
    enum combat_side side, const struct js_at *at, struct errinfo *e)
{
	if (f->sides[side].formation != LENISTON2009_NO_FORMATION ||
	    !leniston2009_facts_has_formed_factors(f, side))
		return (0);
	return (js_fail_member(at, "formation", e,
	    "is missing, and factors of \"%s\" hang on it; state \"line\", "
	    "\"column\" or \"square\"",
	    leniston2009_facts_rules[f->rule]));
}

/* Refuses an attacker that may not begin this combat. */
static int
leniston2009_facts_check_attacker(const struct leniston2009_facts *f,
    const struct js_at *at, struct errinfo *e)
{
	const struct leniston2009_brigade *b = &f->sides[COMBAT_ATTACKER];
	const char *rule = leniston2009_facts_rules[f->rule];

	/* Rule 18, and rule 10 after a fight at the edge or inside. */
	if (b->state != LENISTON2009_FORMED &&
	    (b->state != LENISTON2009_DISORDERED ||
		f->rule != LENISTON2009_INSIDE ||
		!(f->follows_edge || f->follows_inside)))
		return (js_fail_member(at, "state", e,
		    "an attacker must be formed; one that is disordered can "
		    "only go on inside, after it won at the edge or against "
		    "an enemy that it has already fought inside"));
	if (b->is_garrison)
		return (js_fail_member(
		    at, "garrison", e, "a garrison cannot be the attacker"));
	if (b->orders == LENISTON2009_NO_ORDERS)
		return (js_fail_member(at, "orders", e,
		    "is missing, as only some orders allow \"%s\"", rule));
	if (!leniston2009_facts_allow(f->rule, b->orders))
		return (js_fail_member(at, "orders", e,
		    "\"%s\" orders do not allow \"%s\"",
		    leniston2009_facts_orders[b->orders - LENISTON2009_ATTACK],
		    rule));
	if (f->rule == LENISTON2009_FIREFIGHT && b->has_skirmished)
		return (js_fail_member(at, "skirmished", e,
		    "a brigade that skirmished in this move cannot begin a "
		    "firefight"));
	if (f->rule == LENISTON2009_SKIRMISH &&
	    b->skirmish >= f->sides[COMBAT_DEFENDER].skirmish)
		return (js_fail_member(at, "skirmish", e,
		    "only the side with the better grade can begin a "
		    "skirmish"));
	return (0);
}

/* Refuses a defender that stands where this combat cannot be. */
static int
leniston2009_facts_check_defender(const struct leniston2009_facts *f,
    const struct js_at *at, struct errinfo *e)
{
	const struct leniston2009_brigade *b = &f->sides[COMBAT_DEFENDER];
	const char *must = NULL;

	if ((f->rule == LENISTON2009_MELEE ||
		f->rule == LENISTON2009_FIREFIGHT) &&
	    b->position != LENISTON2009_OPEN)
		must = "\"open\"";
	if (f->rule == LENISTON2009_INSIDE && b->position == LENISTON2009_OPEN)
		must = "\"bua\" or \"woods\"";
	if (f->rule == LENISTON2009_EDGE && b->position != LENISTON2009_BUA)
		must = "\"bua\"";
	if (must != NULL)
		return (
		    js_fail_member(at, "position", e, "must be %s for \"%s\"",
			must, leniston2009_facts_rules[f->rule]));
	if (b->is_outnumbered && f->sides[COMBAT_ATTACKER].is_outnumbered)
		return (js_fail_member(
		    at, "outnumbered", e, "both sides cannot be outnumbered"));
	return (0);
}

int
leniston2009_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	const struct js_at at = {.name = "combat"};
	const struct js_at ats[2] = {
	    {.up = &at, .name = "attacker"},
	    {.up = &at, .name = "defender"},
	};
	struct leniston2009_facts *f = facts;
	int i, r;

	(void)set; /* no ruling bears on what is refused */
	r = schema_read(
	    leniston2009_facts_rows, SCHEMA_FACTS, combat, &at, f, e);
	for (i = 0; r == 0 && i < 2; i++)
		r = leniston2009_facts_check_rout(&f->sides[i], &ats[i], e);
	if (r != 0)
		return (r);
	if (strcmp(f->sides[0].name.id, f->sides[1].name.id) == 0)
		return (js_fail_member(&ats[1], "id", e, "\"%s\" is used twice",
		    f->sides[1].name.id));
	if (f->follows_edge && f->follows_inside)
		return (js_fail_member(&at, "follows_inside", e,
		    "cannot stand beside \"follows_edge\": the last fight was "
		    "at the edge or inside"));
	if ((r = leniston2009_facts_check_attacker(f, &ats[0], e)) != 0)
		return (r);
	if ((r = leniston2009_facts_check_defender(f, &ats[1], e)) != 0)
		return (r);
	/* They say whether it may skirmish back. */
	if (f->rule == LENISTON2009_SKIRMISH &&
	    f->sides[COMBAT_DEFENDER].orders == LENISTON2009_NO_ORDERS)
		f->sides[COMBAT_DEFENDER].orders = LENISTON2009_HOLD;
	for (i = 0; r == 0 && i < 2; i++)
		r = leniston2009_facts_check_formation(
		    f, (enum combat_side)i, &ats[i], e);
	return (r);
}

json_t *
leniston2009_facts_json(const struct combat *c)
{
	const struct leniston2009_facts *f = combat_facts(c);
	json_t *o;

	o = schema_json(leniston2009_facts_rows, SCHEMA_FACTS, f);
	/* It is told only where it is so. */
	if (o != NULL && !f->follows_inside)
		(void)json_object_del(o, "follows_inside");
	return (o);
}

int
leniston2009_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	struct leniston2009_brigade b = {.state = LENISTON2009_FORMED};
	int r;

	r = schema_read(
	    leniston2009_facts_brigade, SCHEMA_ROSTER(how), unit, at, &b, e);
	if (r == 0 && how != RULES_ROSTER_OUT)
		r = leniston2009_facts_check_rout(&b, at, e);
	return (
	    r != 0 ? r : schema_roster(leniston2009_facts_brigade, &b, out));
}
