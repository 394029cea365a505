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
#include "common/rules/run.h"

static const char *const leniston2009_facts_rules[] = {
    [LENISTON2009_MELEE] = "melee",
    [LENISTON2009_FIREFIGHT] = "firefight",
    [LENISTON2009_INSIDE] = "bua-inside",
    [LENISTON2009_EDGE] = "bua-edge",
    [LENISTON2009_SKIRMISH] = "skirmish",
    NULL,
};

static const char *const leniston2009_facts_arms[] = {"infantry", NULL};

static const char *const leniston2009_facts_grades[] = {
    [LENISTON2009_A] = "A",
    [LENISTON2009_B] = "B",
    [LENISTON2009_C] = "C",
    NULL,
};

const char *const leniston2009_facts_states[] = {
    [LENISTON2009_FORMED] = "formed",
    [LENISTON2009_DISORDERED] = "disordered",
    [LENISTON2009_SHAKEN] = "shaken",
    [LENISTON2009_ROUT] = "rout",
    NULL,
};

static const char *const leniston2009_facts_formations[] = {
    [LENISTON2009_LINE] = "line",
    [LENISTON2009_COLUMN] = "column",
    [LENISTON2009_SQUARE] = "square",
    NULL,
};

/* Without those that are not stated: one less than enum ..._orders. */
static const char *const leniston2009_facts_orders[] = {
    [LENISTON2009_ATTACK - 1] = "attack",
    [LENISTON2009_ENGAGE - 1] = "engage",
    [LENISTON2009_HOLD - 1] = "hold",
    [LENISTON2009_RETIRE - 1] = "retire",
    NULL,
};

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

const char *const leniston2009_facts_members[] = {"id", "name", "arm", "class",
    "fire", "skirmish", "casualties", "state", "formation", "orders",
    "position", "outnumbered", "skirmished", "garrison", "deployed_artillery",
    "morale", NULL};

static const char *const leniston2009_facts_sides[] = {
    [COMBAT_ATTACKER] = "attacker",
    [COMBAT_DEFENDER] = "defender",
};

/* Rules 9 to 13: which orders let a brigade begin it, as bits. */
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

/* Reads a grade, which may not be missing. */
static int
leniston2009_facts_read_grade(const json_t *unit, const char *name,
    const struct js_at *at, enum leniston2009_grade *grade, struct errinfo *e)
{
	int v, r;

	if ((r = js_get_enum(
		 unit, name, at, leniston2009_facts_grades, &v, e)) != 0)
		return (r);
	*grade = (enum leniston2009_grade)v;
	return (0);
}

/* Reads the members of a brigade that a roster owns. */
static int
leniston2009_facts_read_printed(struct leniston2009_brigade *b,
    const json_t *unit, const struct js_at *at, struct errinfo *e)
{
	int64_t casualties = 0;
	int arm = 0, r, state = LENISTON2009_FORMED;

	if ((r = facts_name(unit, at, &b->name, e)) != 0)
		return (r);
	if ((r = js_opt_enum(
		 unit, "arm", at, leniston2009_facts_arms, &arm, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_read_grade(
		 unit, "class", at, &b->class, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_read_grade(
		 unit, "fire", at, &b->fire, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_read_grade(
		 unit, "skirmish", at, &b->skirmish, e)) != 0)
		return (r);
	if ((r = js_opt_int(unit, "casualties", at, 0, RULES_COUNT_MAX,
		 &casualties, e)) != 0)
		return (r);
	b->casualties = (int)casualties;
	if ((r = js_opt_enum(
		 unit, "state", at, leniston2009_facts_states, &state, e)) != 0)
		return (r);
	b->state = (enum leniston2009_state)state;
	return (0);
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

/* Reads what is said of a brigade for its morale. */
static int
leniston2009_facts_read_morale(struct leniston2009_brigade *b,
    const json_t *unit, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "morale"};
	const json_t *flags = NULL;
	size_t i;
	int r;

	if ((r = js_opt_object(unit, "morale", up, &flags, e)) != 0)
		return (r);
	if (flags == NULL)
		return (0);
	if ((r = js_members(flags, &at, leniston2009_facts_flags, e)) != 0)
		return (r);
	for (i = 0; i < LENISTON2009_FLAGS; i++) {
		if ((r = js_opt_bool(flags, leniston2009_facts_flags[i], &at,
			 &b->morale[i], e)) != 0)
			return (r);
	}
	return (0);
}

/* Reads the words that say where and how a brigade stands. */
static int
leniston2009_facts_read_stand(struct leniston2009_brigade *b,
    const json_t *unit, const struct js_at *at, struct errinfo *e)
{
	int formation = LENISTON2009_LINE, orders = -1,
	    position = LENISTON2009_OPEN, r;

	if ((r = js_opt_enum(unit, "formation", at,
		 leniston2009_facts_formations, &formation, e)) != 0)
		return (r);
	b->formation = (enum leniston2009_formation)formation;
	if ((r = js_opt_enum(unit, "orders", at, leniston2009_facts_orders,
		 &orders, e)) != 0)
		return (r);
	b->orders = (enum leniston2009_orders)(orders + 1);
	if ((r = js_opt_enum(unit, "position", at, leniston2009_facts_positions,
		 &position, e)) != 0)
		return (r);
	b->position = (enum leniston2009_position)position;
	return (0);
}

/* Reads the brigade of one side. */
static int
leniston2009_facts_read_side(struct leniston2009_facts *f,
    enum combat_side side, const json_t *combat, const struct js_at *up,
    struct errinfo *e)
{
	const struct js_at at = {
	    .up = up,
	    .name = leniston2009_facts_sides[side],
	};
	struct leniston2009_brigade *b = &f->sides[side];
	const json_t *unit;
	int r;

	if ((r = js_get_object(combat, at.name, up, &unit, e)) != 0)
		return (r);
	if ((r = js_members(unit, &at, leniston2009_facts_members, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_read_printed(b, unit, &at, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_check_rout(b, &at, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_read_stand(b, unit, &at, e)) != 0)
		return (r);
	if ((r = js_opt_bool(
		 unit, "outnumbered", &at, &b->is_outnumbered, e)) != 0)
		return (r);
	if ((r = js_opt_bool(unit, "skirmished", &at, &b->has_skirmished, e)) !=
	    0)
		return (r);
	if ((r = js_opt_bool(unit, "garrison", &at, &b->is_garrison, e)) != 0)
		return (r);
	if ((r = js_opt_bool(
		 unit, "deployed_artillery", &at, &b->has_artillery, e)) != 0)
		return (r);
	return (leniston2009_facts_read_morale(b, unit, &at, e));
}

/* Refuses an attacker that may not begin this combat. */
static int
leniston2009_facts_check_attacker(const struct leniston2009_facts *f,
    const struct js_at *up, struct errinfo *e)
{
	const struct leniston2009_brigade *b = &f->sides[COMBAT_ATTACKER];
	const struct js_at at = {.up = up, .name = "attacker"};
	const char *rule = leniston2009_facts_rules[f->rule];

	/* Rule 18, and rule 10 after a fight at the edge. */
	if (b->state != LENISTON2009_FORMED &&
	    (b->state != LENISTON2009_DISORDERED ||
		f->rule != LENISTON2009_INSIDE || !f->follows_edge))
		return (js_fail_member(&at, "state", e,
		    "an attacker must be formed; only a disordered one that "
		    "won at the edge goes on inside, with \"follows_edge\""));
	if (b->is_garrison)
		return (js_fail_member(
		    &at, "garrison", e, "a garrison cannot be the attacker"));
	if (b->orders == LENISTON2009_NO_ORDERS)
		return (js_fail_member(&at, "orders", e,
		    "is missing, as only some orders allow \"%s\"", rule));
	if ((leniston2009_facts_allowed[f->rule] &
		LENISTON2009_FACTS_BIT(b->orders)) == 0)
		return (js_fail_member(&at, "orders", e,
		    "\"%s\" orders do not allow \"%s\"",
		    leniston2009_facts_orders[b->orders - 1], rule));
	if (f->rule == LENISTON2009_FIREFIGHT && b->has_skirmished)
		return (js_fail_member(&at, "skirmished", e,
		    "a brigade that skirmished in this move cannot begin a "
		    "firefight"));
	if (f->rule == LENISTON2009_SKIRMISH &&
	    b->skirmish >= f->sides[COMBAT_DEFENDER].skirmish)
		return (js_fail_member(&at, "skirmish", e,
		    "only the side with the better grade can begin a "
		    "skirmish"));
	return (0);
}

/* Refuses a defender that stands where this combat cannot be. */
static int
leniston2009_facts_check_defender(const struct leniston2009_facts *f,
    const struct js_at *up, struct errinfo *e)
{
	const struct leniston2009_brigade *b = &f->sides[COMBAT_DEFENDER];
	const struct js_at at = {.up = up, .name = "defender"};
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
		    js_fail_member(&at, "position", e, "must be %s for \"%s\"",
			must, leniston2009_facts_rules[f->rule]));
	if (b->is_outnumbered && f->sides[COMBAT_ATTACKER].is_outnumbered)
		return (js_fail_member(
		    &at, "outnumbered", e, "both sides cannot be outnumbered"));
	return (0);
}

int
leniston2009_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	static const char *const known[] = {
	    "rule", "attacker", "defender", "follows_edge", NULL};
	const struct js_at at = {.name = "combat"};
	const struct js_at at_defender = {.up = &at, .name = "defender"};
	struct leniston2009_facts *f = facts;
	int r, rule;

	(void)set; /* no ruling bears on what is refused */
	if ((r = js_members(combat, &at, known, e)) != 0)
		return (r);
	if ((r = js_get_enum(
		 combat, "rule", &at, leniston2009_facts_rules, &rule, e)) != 0)
		return (r);
	f->rule = (enum leniston2009_rule)rule;
	if ((r = leniston2009_facts_read_side(
		 f, COMBAT_ATTACKER, combat, &at, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_read_side(
		 f, COMBAT_DEFENDER, combat, &at, e)) != 0)
		return (r);
	if (strcmp(f->sides[0].name.id, f->sides[1].name.id) == 0)
		return (js_fail_member(&at_defender, "id", e,
		    "\"%s\" is used twice", f->sides[1].name.id));
	if ((r = js_opt_bool(
		 combat, "follows_edge", &at, &f->follows_edge, e)) != 0)
		return (r);
	if ((r = leniston2009_facts_check_attacker(f, &at, e)) != 0)
		return (r);
	return (leniston2009_facts_check_defender(f, &at, e));
}

/* Begins a brigade's object with what a roster owns; new, or NULL. */
static json_t *
leniston2009_facts_printed_json(const struct leniston2009_brigade *b)
{
	json_t *o;
	int bad;

	if ((o = facts_name_json(&b->name)) == NULL)
		return (NULL);
	bad = json_object_set_new(o, "arm", json_string("infantry"));
	bad |= json_object_set_new(
	    o, "class", json_string(leniston2009_facts_grades[b->class]));
	bad |= json_object_set_new(
	    o, "fire", json_string(leniston2009_facts_grades[b->fire]));
	bad |= json_object_set_new(
	    o, "skirmish", json_string(leniston2009_facts_grades[b->skirmish]));
	bad |=
	    json_object_set_new(o, "casualties", json_integer(b->casualties));
	bad |= json_object_set_new(
	    o, "state", json_string(leniston2009_facts_states[b->state]));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Adds the flags for morale that are set, if any. */
static int
leniston2009_facts_morale_json(
    const struct leniston2009_brigade *b, json_t *brigade)
{
	json_t *o;
	size_t i;
	int bad = 0;

	if ((o = json_object()) == NULL)
		return (-1);
	for (i = 0; i < LENISTON2009_FLAGS; i++) {
		if (b->morale[i])
			bad |= json_object_set_new(
			    o, leniston2009_facts_flags[i], json_true());
	}
	if (json_object_size(o) > 0)
		bad |= json_object_set(brigade, "morale", o);
	json_decref(o);
	return (bad);
}

/* Returns a brigade of the facts as a new object, or NULL. */
static json_t *
leniston2009_facts_brigade_json(const struct leniston2009_brigade *b)
{
	json_t *o;
	int bad = 0;

	if ((o = leniston2009_facts_printed_json(b)) == NULL)
		return (NULL);
	bad |= json_object_set_new(o, "formation",
	    json_string(leniston2009_facts_formations[b->formation]));
	if (b->orders != LENISTON2009_NO_ORDERS)
		bad |= json_object_set_new(o, "orders",
		    json_string(leniston2009_facts_orders[b->orders - 1]));
	bad |= json_object_set_new(o, "position",
	    json_string(leniston2009_facts_positions[b->position]));
	bad |= json_object_set_new(
	    o, "outnumbered", json_boolean(b->is_outnumbered));
	bad |= json_object_set_new(
	    o, "skirmished", json_boolean(b->has_skirmished));
	bad |= json_object_set_new(o, "garrison", json_boolean(b->is_garrison));
	bad |= json_object_set_new(
	    o, "deployed_artillery", json_boolean(b->has_artillery));
	bad |= leniston2009_facts_morale_json(b, o);
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

json_t *
leniston2009_facts_json(const struct combat *c)
{
	const struct leniston2009_facts *f = combat_facts(c);

	return (json_pack("{s:s, s:o, s:o, s:b}", "rule",
	    leniston2009_facts_rules[f->rule], "attacker",
	    leniston2009_facts_brigade_json(&f->sides[COMBAT_ATTACKER]),
	    "defender",
	    leniston2009_facts_brigade_json(&f->sides[COMBAT_DEFENDER]),
	    "follows_edge", (int)f->follows_edge));
}

int
leniston2009_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	static const char *const known[] = {"id", "name", "arm", "class",
	    "fire", "skirmish", "casualties", "state", "skirmished", NULL};
	struct leniston2009_brigade b = {.state = LENISTON2009_FORMED};
	json_t *made;
	int r;

	if ((r = js_members(unit, at, known, e)) != 0)
		return (r);
	if (how == RULES_ROSTER_GIVEN &&
	    json_object_get(unit, "skirmished") != NULL)
		return (
		    js_fail_member(at, "skirmished", e, "is kept by the game"));
	if ((r = leniston2009_facts_read_printed(&b, unit, at, e)) != 0)
		return (r);
	if (how != RULES_ROSTER_OUT &&
	    (r = leniston2009_facts_check_rout(&b, at, e)) != 0)
		return (r);
	if ((r = js_opt_bool(unit, "skirmished", at, &b.has_skirmished, e)) !=
	    0)
		return (r);
	made = leniston2009_facts_printed_json(&b);
	if (json_object_set_new(
		made, "skirmished", json_boolean(b.has_skirmished)) != 0) {
		json_decref(made);
		return (ERR_NOMEM);
	}
	*out = made;
	return (0);
}
