/* SPDX-License-Identifier: ISC */
/*
 * Reads and writes the facts of a tlnb combat and the units of its rosters.
 * All that the system refuses is refused here (umpire-rules.7, 14.1), so that
 * the rules can take the structs as they are.
 */
#include "common/rules/tlnb/tlnb_facts.h"

#include <stdint.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/rulekit.h"

static const char *const tlnb_facts_kinds[] = {
    "attack", "bombardment", "charge", NULL};

static const char *const tlnb_facts_arms[] = {
    "infantry", "cavalry", "artillery", "vedette", NULL};

static const char *const tlnb_facts_terrains[] = {
    "clear", "town", "woods", "orchard", "marsh", NULL};

static const char *const tlnb_facts_weathers[] = {
    "clear", "heat", "rain", "t-storm", "snow", "snow-storm", NULL};

static const char *const tlnb_facts_acrosses[] = {
    [TLNB_NONE] = "none",
    [TLNB_CREST] = "crest",
    [TLNB_BRIDGE] = "bridge",
    [TLNB_DAMAGED_BRIDGE] = "damaged-bridge",
    [TLNB_FORD] = "ford",
    [TLNB_STREAM] = "stream",
    [TLNB_TRESTLE] = "trestle",
    [TLNB_SLOPE_UP] = "slope-up",
    NULL,
};

static const char *const tlnb_facts_markers[] = {
    [TLNB_CHARGED] = "charge",
    [TLNB_SQUARE] = "square",
    NULL,
};

/* The hexsides that each kind knows, as bits. */
static const unsigned tlnb_facts_allowed[] = {
    [TLNB_ATTACK] = 1U << TLNB_NONE | 1U << TLNB_CREST | 1U << TLNB_BRIDGE |
	1U << TLNB_DAMAGED_BRIDGE,
    [TLNB_CHARGE] = 1U << TLNB_NONE | 1U << TLNB_CREST | 1U << TLNB_BRIDGE |
	1U << TLNB_FORD | 1U << TLNB_STREAM | 1U << TLNB_TRESTLE |
	1U << TLNB_SLOPE_UP,
};

static const char *const tlnb_facts_sides[] = {"attacker", "defender", NULL};

/* 14.1, 14.9. */
#define TLNB_UNIT(member, name, type, in) \
	SCHEMA_ROW(tlnb_unit, member, name, type, in)
#define TLNB_FLAG(flag, name, in) TLNB_UNIT(flags[TLNB_##flag], name, BOOL, in)
const struct schema_row tlnb_facts_unit[] = {
    {TLNB_UNIT(name.id, "id", ID, PRINTED)},
    {TLNB_UNIT(name.name, "name", TEXT, PRINTED),
	.what = "a name for people, at most 64 bytes"},
    {TLNB_UNIT(arm, "arm", WORD, PRINTED), .words = tlnb_facts_arms,
	.is_required = true,
	.what = "\"infantry\", \"cavalry\", \"artillery\" or \"vedette\""},
    {TLNB_UNIT(sp, "sp", COUNT, PRINTED), .lo = 1, .hi = RULES_COUNT_MAX,
	.zero_in = SCHEMA_FACTS, .is_required = true,
	.what = "strength points of the full side, 1 to 9999"},
    {TLNB_UNIT(reduced_sp, "reduced_sp", COUNT, PRINTED), .lo = 1,
	.hi = RULES_COUNT_MAX, .zero_in = SCHEMA_FACTS, .has_null = true,
	.fallback = -1,
	.what = "those of the reduced side, or null if it has none"},
    {TLNB_UNIT(is_reduced, "reduced", BOOL, PRINTED),
	.what = "true or false: on its reduced side"},
    {TLNB_UNIT(initiative, "initiative", COUNT, PRINTED), .hi = RULES_COUNT_MAX,
	.is_required = true, .what = "the printed rating, 0 to 9999"},
    {TLNB_FLAG(IS_DEMORALIZED, "demoralized", PRINTED),
	.what = "true or false"},
    {TLNB_FLAG(IS_SUPPRESSED, "suppressed", PRINTED),
	.what = "true or false; a turn's end clears it"},
    {TLNB_FLAG(IS_HALVED, "halved", STATED)},
    {TLNB_FLAG(HAS_BOMBARDED, "bombarded", KEPT_STATED)},
    {TLNB_FLAG(IS_OVERRUNNING, "overrunning", KEPT_STATED)},
    {TLNB_FLAG(IS_OUT_OF_SUPPLY, "out_of_supply", STATED)},
    {TLNB_FLAG(IS_OUT_OF_COMMAND, "out_of_command", STATED)},
    {TLNB_UNIT(hex, "hex", TEXT, STATED)},
    {TLNB_UNIT(marker, "marker", WORD, NOTED), .words = tlnb_facts_markers,
	.has_null = true, .fallback = -1},
    {TLNB_UNIT(target_move, "target_move", COUNT, NOTED), .hi = 1,
	.has_null = true, .fallback = -1},
    {.name = NULL},
};

#define TLNB_BATTERY(member, name, type) \
	SCHEMA_ROW(tlnb_battery, member, name, type, STATED)
static const struct schema_row tlnb_facts_battery[] = {
    {TLNB_BATTERY(name.id, "id", ID)},
    {TLNB_BATTERY(name.name, "name", TEXT)},
    {TLNB_BATTERY(sp, "sp", COUNT), .lo = 1, .hi = RULES_COUNT_MAX,
	.is_required = true},
    {TLNB_BATTERY(range, "range", COUNT), .lo = 1, .hi = 3,
	.is_required = true},
    {.name = NULL},
};

/* The combat as each kind has it. */
#define SCHEMA_A (SCHEMA_KIND << TLNB_ATTACK)
#define SCHEMA_B (SCHEMA_KIND << TLNB_BOMBARDMENT)
#define SCHEMA_C (SCHEMA_KIND << TLNB_CHARGE)
#define SCHEMA_AC (SCHEMA_A | SCHEMA_C)
#define SCHEMA_BC (SCHEMA_B | SCHEMA_C)
#define SCHEMA_ABC (SCHEMA_A | SCHEMA_B | SCHEMA_C)
#define TLNB_COMBAT(member, name, type, in) \
	SCHEMA_ROW(tlnb_facts, member, name, type, in)
#define TLNB_FACT(fact, name, in) TLNB_COMBAT(has[TLNB_##fact], name, BOOL, in)
static const struct schema_row tlnb_facts_combat[] = {
    {TLNB_COMBAT(kind, "kind", WORD, ABC), .words = tlnb_facts_kinds},
    {TLNB_COMBAT(units, "attackers", OWN, A)},
    {TLNB_COMBAT(units, "defenders", OWN, A)},
    {TLNB_COMBAT(batteries, "batteries", OWN, B)},
    {TLNB_COMBAT(units, "cavalry", OWN, C)},
    {TLNB_COMBAT(units, "target", OWN, BC)},
    {TLNB_COMBAT(terrain, "terrain", WORD, AC), .words = tlnb_facts_terrains},
    {TLNB_FACT(CHATEAU, "chateau", AC)},
    {TLNB_FACT(IMPROVED_POSITION, "improved_position", AC)},
    {TLNB_COMBAT(across, "across", WORD, AC), .words = tlnb_facts_acrosses},
    {TLNB_COMBAT(weather, "weather", WORD, ABC), .words = tlnb_facts_weathers},
    {TLNB_FACT(MUD, "mud", ABC)},
    {TLNB_FACT(FAILED_REPULSE, "failed_repulse", A)},
    {TLNB_COMBAT(napoleon, "napoleon", WORD, A), .words = tlnb_facts_sides,
	.fallback = -1},
    {TLNB_COMBAT(guard, "guard", OWN, A)},
    {TLNB_COMBAT(units, "attacker_stacked_artillery", OWN, A)},
    {TLNB_COMBAT(units, "defender_stacked_artillery", OWN, A)},
    {TLNB_FACT(ARF, "arf", B)},
    {TLNB_FACT(ENFILADE, "enfilade", B)},
    {TLNB_FACT(AMMO_SHORTAGE, "ammo_shortage", B)},
    {TLNB_FACT(GRAND_BATTERY, "grand_battery", B)},
    {TLNB_FACT(POINT_BLANK, "point_blank", B)},
    {.name = NULL},
};

static const struct schema_row tlnb_facts_target[] = {
    {TLNB_COMBAT(units, "units", OWN, STATED)},
    {TLNB_COMBAT(terrain, "terrain", WORD, STATED),
	.words = tlnb_facts_terrains},
    {TLNB_FACT(CHATEAU, "chateau", STATED)},
    {.name = NULL},
};

/* The lists of units by kind and side; a bombardment has others. */
static const char *const tlnb_facts_lists[][2] = {
    [TLNB_ATTACK] = {"attackers", "defenders"},
    [TLNB_CHARGE] = {"cavalry", "target"},
};
static const char *const tlnb_facts_stacked[] = {
    "attacker_stacked_artillery", "defender_stacked_artillery"};

int
tlnb_facts_strength(const struct tlnb_unit *u, bool is_reduced)
{
	return (is_reduced ? u->reduced_sp : u->sp);
}

bool
tlnb_facts_is_demoralized(const struct tlnb_unit *u)
{
	return (u->flags[TLNB_IS_DEMORALIZED] || u->flags[TLNB_IS_SUPPRESSED]);
}

int
tlnb_facts_rating(const struct tlnb_unit *u)
{
	return (u->initiative - (tlnb_facts_is_demoralized(u) ? 1 : 0));
}

void
tlnb_facts_halves(
    const struct tlnb_facts *f, bool counts_bombarded, int half[2])
{
	const struct tlnb_unit *u;
	size_t i;
	int strength;

	half[0] = half[1] = 0;
	for (i = 0; i < f->n_units; i++) {
		u = &f->units[i];
		if (u->is_stacked ||
		    (!counts_bombarded && u->side == COMBAT_ATTACKER &&
			u->arm == TLNB_ARTILLERY &&
			u->flags[TLNB_HAS_BOMBARDED]))
			continue;
		strength = tlnb_facts_strength(u, u->is_reduced);
		half[u->side] +=
		    u->flags[TLNB_IS_HALVED] ? strength : 2 * strength;
	}
}

/* Reads a unit as it stands in facts or a roster. */
static int
tlnb_facts_read(struct tlnb_unit *u, unsigned in, const json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	int r;

	if ((r = schema_read(tlnb_facts_unit, in, unit, at, u, e)) != 0)
		return (r);
	if (u->is_reduced && u->reduced_sp == -1)
		return (js_fail_member(at, "reduced", e,
		    "needs the strength of the reduced side, \"reduced_sp\""));
	if (tlnb_facts_strength(u, u->is_reduced) == 0)
		return (js_fail_member(at, u->is_reduced ? "reduced_sp" : "sp",
		    e, "is 0, and a unit without strength fights no combat"));
	return (0);
}

/* True if a unit or a battery that was read already has this id. */
static bool
tlnb_facts_has_id(const struct tlnb_facts *f, const char *id)
{
	return (facts_find(f->units, f->n_units, sizeof(f->units[0]), id) <
		f->n_units ||
	    facts_find(f->batteries, f->n_batteries, sizeof(f->batteries[0]),
		id) < f->n_batteries);
}

/* Refuses a list that stands at `at` and has n elements, had before it. */
static int
tlnb_facts_check_count(
    size_t n, size_t had, const struct js_at *at, struct errinfo *e)
{
	if (n + had == 0)
		return (js_fail(at, e, "must have at least one unit"));
	if (n + had > COMBAT_SIDE_UNITS_MAX)
		return (js_fail(at, e, "a side has at most %d units",
		    COMBAT_SIDE_UNITS_MAX));
	return (0);
}

/*
 * Reads a list of a side's units behind those that were read already; the
 * member `name` of obj, which stands at `up`.
 */
static int
tlnb_facts_read_units(struct tlnb_facts *f, enum combat_side side,
    bool is_stacked, const json_t *obj, const char *name,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = name};
	struct js_at at_i = {.up = &at};
	const json_t *list = NULL;
	struct tlnb_unit *u;
	int r;

	if (is_stacked)
		r = js_opt_array(obj, name, up, &list, e);
	else
		r = js_get_array(obj, name, up, &list, e);
	if (r == 0)
		r = tlnb_facts_check_count(
		    json_array_size(list), f->n_units - f->first[side], &at, e);
	if (r != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		u = &f->units[f->n_units];
		u->side = side;
		u->is_stacked = is_stacked;
		r = tlnb_facts_read(u, SCHEMA_FACTS,
		    json_array_get(list, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
		if (tlnb_facts_has_id(f, u->name.id))
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", u->name.id));
		if (is_stacked && u->arm != TLNB_ARTILLERY)
			return (js_fail_member(
			    &at_i, "arm", e, "must be \"artillery\" here"));
		f->n_units++;
	}
	return (0);
}

/* Reads the batteries of a bombardment. */
static int
tlnb_facts_read_batteries(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "batteries"};
	struct js_at at_i = {.up = &at};
	struct tlnb_battery *b;
	const json_t *list;
	int r;

	if ((r = js_get_array(combat, at.name, up, &list, e)) != 0)
		return (r);
	if ((r = tlnb_facts_check_count(json_array_size(list), 0, &at, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		b = &f->batteries[f->n_batteries];
		r = schema_read(tlnb_facts_battery, SCHEMA_FACTS,
		    json_array_get(list, at_i.index), &at_i, b, e);
		if (r != 0)
			return (r);
		if (tlnb_facts_has_id(f, b->name.id))
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", b->name.id));
		f->n_batteries++;
	}
	return (0);
}

/* Reads who stakes the Guard. */
static int
tlnb_facts_read_guard(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "guard"};
	struct js_at at_i = {.up = &at};
	const json_t *list = NULL;
	const char *text;
	int r, side;

	if ((r = js_opt_array(combat, at.name, up, &list, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		text = json_string_value(json_array_get(list, at_i.index));
		for (side = 0; text != NULL && side < 2; side++) {
			if (strcmp(text, tlnb_facts_sides[side]) == 0)
				break;
		}
		if (text == NULL || side == 2)
			return (js_fail(
			    &at_i, e, "must be \"attacker\" or \"defender\""));
		if (f->guard[side])
			return (
			    js_fail(&at_i, e, "\"%s\" is named twice", text));
		f->guard[side] = true;
	}
	return (0);
}

/* Reads the target of a bombardment. */
static int
tlnb_facts_read_target(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "target"};
	const json_t *target;
	size_t i;
	int r;

	if ((r = js_get_object(combat, at.name, up, &target, e)) != 0)
		return (r);
	if ((r = schema_read(
		 tlnb_facts_target, SCHEMA_FACTS, target, &at, f, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_units(
		 f, COMBAT_DEFENDER, false, target, "units", &at, e)) != 0)
		return (r);
	f->first[2] = f->n_units;
	if (f->has[TLNB_CHATEAU])
		return (js_fail_member(&at, "chateau", e,
		    "no bombardment reaches into a chateau"));
	if (f->terrain == TLNB_WOODS || f->terrain == TLNB_ORCHARD)
		return (js_fail_member(&at, "terrain", e,
		    "no bombardment reaches into \"%s\"",
		    tlnb_facts_terrains[f->terrain]));
	for (i = 0; f->terrain == TLNB_TOWN && i < f->n_batteries; i++) {
		if (f->batteries[i].range == 3)
			return (js_fail_member(&at, "terrain", e,
			    "\"%s\" is too far from a town",
			    f->batteries[i].name.id));
	}
	return (0);
}

/* Refuses what may not be charged. */
static int
tlnb_facts_check_charge(
    const struct tlnb_facts *f, const struct js_at *up, struct errinfo *e)
{
	struct js_at at = {.up = up, .name = "cavalry"}, at_i = {.up = &at};
	static const enum tlnb_fact never[] = {
	    TLNB_MUD, TLNB_CHATEAU, TLNB_IMPROVED_POSITION};
	static const char *const names[] = {
	    "mud", "chateau", "improved_position"};
	int half[2];
	size_t i;

	for (; at_i.index < f->first[COMBAT_DEFENDER]; at_i.index++) {
		if (f->units[at_i.index].arm != TLNB_CAVALRY)
			return (js_fail_member(
			    &at_i, "arm", e, "only cavalry charges"));
	}
	for (i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (f->has[never[i]])
			return (js_fail_member(
			    up, names[i], e, "allows no charge"));
	}
	if (f->terrain != TLNB_CLEAR && f->terrain != TLNB_MARSH)
		return (
		    js_fail_member(up, "terrain", e, "\"%s\" cannot be charged",
			tlnb_facts_terrains[f->terrain]));
	if (f->across == TLNB_FORD || f->across == TLNB_STREAM ||
	    f->across == TLNB_TRESTLE || f->across == TLNB_SLOPE_UP)
		return (js_fail_member(up, "across", e,
		    "no charge goes across \"%s\"",
		    tlnb_facts_acrosses[f->across]));
	tlnb_facts_halves(f, true, half);
	if (4 * half[COMBAT_ATTACKER] < half[COMBAT_DEFENDER])
		return (js_fail(
		    &at, e, "are below 1:4 of the target, and may not charge"));
	return (0);
}

int
tlnb_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	enum combat_side side;
	const struct js_at at = {.name = "combat"};
	struct tlnb_facts *f = facts;
	int kind, r;

	(void)set; /* no ruling bears on what is refused */
	f->napoleon = -1;
	if ((r = js_get_enum(
		 combat, "kind", &at, tlnb_facts_kinds, &kind, e)) != 0)
		return (r);
	if ((r = schema_read(tlnb_facts_combat, SCHEMA_KIND << kind, combat,
		 &at, f, e)) != 0)
		return (r);
	if (f->kind == TLNB_BOMBARDMENT) {
		if ((r = tlnb_facts_read_batteries(f, combat, &at, e)) != 0)
			return (r);
		return (tlnb_facts_read_target(f, combat, &at, e));
	}
	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		f->first[side] = f->n_units;
		r = tlnb_facts_read_units(f, side, false, combat,
		    tlnb_facts_lists[f->kind][side], &at, e);
		if (r == 0 && f->kind == TLNB_ATTACK)
			r = tlnb_facts_read_units(f, side, true, combat,
			    tlnb_facts_stacked[side], &at, e);
		if (r != 0)
			return (r);
	}
	f->first[2] = f->n_units;
	if ((tlnb_facts_allowed[f->kind] & 1U << f->across) == 0)
		return (js_fail_member(&at, "across", e,
		    "\"%s\" is no hexside of this kind of combat",
		    tlnb_facts_acrosses[f->across]));
	if (f->kind == TLNB_ATTACK)
		return (tlnb_facts_read_guard(f, combat, &at, e));
	return (tlnb_facts_check_charge(f, &at, e));
}

/* Returns a side's units, or its stacked artillery, as a new array. */
static json_t *
tlnb_facts_units_json(
    const struct tlnb_facts *f, enum combat_side side, bool is_stacked)
{
	json_t *list;
	size_t i;
	int bad = 0;

	list = json_array();
	for (i = f->first[side]; i < f->first[side + 1]; i++) {
		if (f->units[i].is_stacked == is_stacked)
			bad |= json_array_append_new(list,
			    schema_json(
				tlnb_facts_unit, SCHEMA_FACTS, &f->units[i]));
	}
	return (js_made(list, bad));
}

/* Adds the units of both sides; non-zero without memory. */
static int
tlnb_facts_put_sides(const struct tlnb_facts *f, json_t *o)
{
	enum combat_side side;
	int bad = 0;

	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		bad |= json_object_set_new(o, tlnb_facts_lists[f->kind][side],
		    tlnb_facts_units_json(f, side, false));
		if (f->kind == TLNB_ATTACK)
			bad |= json_object_set_new(o, tlnb_facts_stacked[side],
			    tlnb_facts_units_json(f, side, true));
	}
	if (f->kind == TLNB_ATTACK)
		bad |= json_object_set_new(o, "guard",
		    facts_set_json(tlnb_facts_sides,
			(f->guard[0] ? 1U : 0U) | (f->guard[1] ? 2U : 0U)));
	return (bad);
}

/* Adds the batteries and the target; non-zero without memory. */
static int
tlnb_facts_put_bombardment(const struct tlnb_facts *f, json_t *o)
{
	json_t *target;
	int bad;

	target = schema_json(tlnb_facts_target, SCHEMA_FACTS, f);
	bad = json_object_set_new(
	    target, "units", tlnb_facts_units_json(f, COMBAT_DEFENDER, false));
	bad |= json_object_set_new(o, "target", target);
	return (bad |
	    json_object_set_new(o, "batteries",
		schema_list(tlnb_facts_battery, SCHEMA_FACTS, f->batteries,
		    f->n_batteries, sizeof(f->batteries[0]))));
}

json_t *
tlnb_facts_json(const struct combat *c)
{
	const struct tlnb_facts *f = combat_facts(c);
	json_t *o;
	int bad;

	o = schema_json(tlnb_facts_combat, SCHEMA_KIND << f->kind, f);
	if (o == NULL)
		return (NULL);
	bad = f->kind == TLNB_BOMBARDMENT ? tlnb_facts_put_bombardment(f, o)
					  : tlnb_facts_put_sides(f, o);
	return (js_made(o, bad));
}

int
tlnb_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	struct tlnb_unit u = {
	    .arm = TLNB_INFANTRY, .marker = -1, .target_move = -1};
	int r;

	r = tlnb_facts_read(&u, SCHEMA_ROSTER(how), unit, at, e);
	return (r != 0 ? r : schema_roster(tlnb_facts_unit, &u, out));
}
