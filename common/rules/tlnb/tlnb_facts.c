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
#include "common/rules/run.h"

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

static const char *const tlnb_facts_flags[TLNB_FLAGS] = {
    [TLNB_IS_DEMORALIZED] = "demoralized",
    [TLNB_IS_SUPPRESSED] = "suppressed",
    [TLNB_IS_HALVED] = "halved",
    [TLNB_HAS_BOMBARDED] = "bombarded",
    [TLNB_IS_OVERRUNNING] = "overrunning",
    [TLNB_IS_OUT_OF_SUPPLY] = "out_of_supply",
    [TLNB_IS_OUT_OF_COMMAND] = "out_of_command",
};

static const char *const tlnb_facts_facts[TLNB_FACTS] = {
    [TLNB_CHATEAU] = "chateau",
    [TLNB_IMPROVED_POSITION] = "improved_position",
    [TLNB_MUD] = "mud",
    [TLNB_FAILED_REPULSE] = "failed_repulse",
    [TLNB_ARF] = "arf",
    [TLNB_ENFILADE] = "enfilade",
    [TLNB_AMMO_SHORTAGE] = "ammo_shortage",
    [TLNB_GRAND_BATTERY] = "grand_battery",
    [TLNB_POINT_BLANK] = "point_blank",
};

/* The hexsides that each kind knows, as bits. */
static const unsigned tlnb_facts_allowed[] = {
    [TLNB_ATTACK] = 1U << TLNB_NONE | 1U << TLNB_CREST | 1U << TLNB_BRIDGE |
	1U << TLNB_DAMAGED_BRIDGE,
    [TLNB_CHARGE] = 1U << TLNB_NONE | 1U << TLNB_CREST | 1U << TLNB_BRIDGE |
	1U << TLNB_FORD | 1U << TLNB_STREAM | 1U << TLNB_TRESTLE |
	1U << TLNB_SLOPE_UP,
};

const char *const tlnb_facts_members[] = {"id", "name", "arm", "sp",
    "reduced_sp", "reduced", "initiative", "demoralized", "suppressed",
    "halved", "bombarded", "overrunning", "out_of_supply", "out_of_command",
    "hex", NULL};

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

/* Reads a number of strength points. */
static int
tlnb_facts_read_sp(const json_t *unit, const char *name, const struct js_at *at,
    int least, int *sp, struct errinfo *e)
{
	int64_t n;
	int r;

	r = js_get_int(unit, name, at, least, RULES_COUNT_MAX, &n, e);
	if (r == 0)
		*sp = (int)n;
	return (r);
}

/*
 * Reads the members of a unit that a roster owns or keeps; no side of it is
 * worth less than `least`.
 */
static int
tlnb_facts_read_printed(struct tlnb_unit *u, const json_t *unit,
    const struct js_at *at, int least, struct errinfo *e)
{
	const json_t *v = json_object_get(unit, "reduced_sp");
	int64_t initiative;
	int arm, r;

	if ((r = facts_name(unit, at, &u->name, e)) != 0)
		return (r);
	if ((r = js_get_enum(unit, "arm", at, tlnb_facts_arms, &arm, e)) != 0)
		return (r);
	u->arm = (enum tlnb_arm)arm;
	if ((r = tlnb_facts_read_sp(unit, "sp", at, least, &u->sp, e)) != 0)
		return (r);
	u->reduced_sp = -1;
	if (v != NULL && !json_is_null(v) &&
	    (r = tlnb_facts_read_sp(
		 unit, "reduced_sp", at, least, &u->reduced_sp, e)) != 0)
		return (r);
	if ((r = js_opt_bool(unit, "reduced", at, &u->is_reduced, e)) != 0)
		return (r);
	if (u->is_reduced && u->reduced_sp == -1)
		return (js_fail_member(at, "reduced", e,
		    "needs the strength of the reduced side, \"reduced_sp\""));
	if ((r = js_get_int(unit, "initiative", at, 0, RULES_COUNT_MAX,
		 &initiative, e)) != 0)
		return (r);
	u->initiative = (int)initiative;
	if ((r = js_opt_bool(unit, "demoralized", at,
		 &u->flags[TLNB_IS_DEMORALIZED], e)) != 0)
		return (r);
	if ((r = js_opt_bool(unit, "suppressed", at,
		 &u->flags[TLNB_IS_SUPPRESSED], e)) != 0)
		return (r);
	return (js_opt_bool(
	    unit, "bombarded", at, &u->flags[TLNB_HAS_BOMBARDED], e));
}

/* Reads one unit of the facts. */
static int
tlnb_facts_read_unit(struct tlnb_unit *u, const json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	const char *hex = NULL;
	size_t i;
	int r;

	if ((r = js_members(unit, at, tlnb_facts_members, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_printed(u, unit, at, 0, e)) != 0)
		return (r);
	if (tlnb_facts_strength(u, u->is_reduced) == 0)
		return (js_fail_member(at, u->is_reduced ? "reduced_sp" : "sp",
		    e, "is 0, and a unit without strength fights no combat"));
	for (i = 0; i < TLNB_FLAGS; i++) {
		r = js_opt_bool(unit, tlnb_facts_flags[i], at, &u->flags[i], e);
		if (r != 0)
			return (r);
	}
	if ((r = facts_opt_text(unit, "hex", at, &hex, e)) != 0)
		return (r);
	if (hex != NULL) {
		memcpy(u->hex, hex, strlen(hex) + 1);
		u->has_hex = true;
	}
	return (0);
}

/* True if a unit or a battery that was read already has this id. */
static bool
tlnb_facts_has_id(const struct tlnb_facts *f, const char *id)
{
	size_t i;

	for (i = 0; i < f->n_units; i++) {
		if (strcmp(f->units[i].name.id, id) == 0)
			return (true);
	}
	for (i = 0; i < f->n_batteries; i++) {
		if (strcmp(f->batteries[i].name.id, id) == 0)
			return (true);
	}
	return (false);
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
		r = tlnb_facts_read_unit(
		    u, json_array_get(list, at_i.index), &at_i, e);
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
	static const char *const known[] = {"id", "name", "sp", "range", NULL};
	const struct js_at at = {.up = up, .name = "batteries"};
	struct js_at at_i = {.up = &at};
	struct tlnb_battery *b;
	const json_t *list, *v;
	int64_t range;
	int r;

	if ((r = js_get_array(combat, at.name, up, &list, e)) != 0)
		return (r);
	if ((r = tlnb_facts_check_count(json_array_size(list), 0, &at, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		v = json_array_get(list, at_i.index);
		b = &f->batteries[f->n_batteries];
		if ((r = js_members(v, &at_i, known, e)) != 0)
			return (r);
		if ((r = facts_name(v, &at_i, &b->name, e)) != 0)
			return (r);
		if (tlnb_facts_has_id(f, b->name.id))
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", b->name.id));
		if ((r = tlnb_facts_read_sp(v, "sp", &at_i, 1, &b->sp, e)) != 0)
			return (r);
		if ((r = js_get_int(v, "range", &at_i, 1, 3, &range, e)) != 0)
			return (r);
		b->range = (int)range;
		f->n_batteries++;
	}
	return (0);
}

/* Reads those of the n facts that obj, which stands at `at`, may state. */
static int
tlnb_facts_read_bools(struct tlnb_facts *f, const enum tlnb_fact *which,
    size_t n, const json_t *obj, const struct js_at *at, struct errinfo *e)
{
	size_t i;
	int r;

	for (i = 0; i < n; i++) {
		r = js_opt_bool(
		    obj, tlnb_facts_facts[which[i]], at, &f->has[which[i]], e);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Reads the terrain of the defender, a member of obj. */
static int
tlnb_facts_read_terrain(struct tlnb_facts *f, const json_t *obj,
    const struct js_at *at, struct errinfo *e)
{
	int r, terrain = TLNB_CLEAR;

	r = js_opt_enum(obj, "terrain", at, tlnb_facts_terrains, &terrain, e);
	if (r == 0)
		f->terrain = (enum tlnb_terrain)terrain;
	return (r);
}

/* Reads the weather. */
static int
tlnb_facts_read_weather(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *at, struct errinfo *e)
{
	int r, weather = TLNB_FAIR;

	r = js_opt_enum(
	    combat, "weather", at, tlnb_facts_weathers, &weather, e);
	if (r == 0)
		f->weather = (enum tlnb_weather)weather;
	return (r);
}

/* Reads the hexside that is crossed. */
static int
tlnb_facts_read_across(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *at, struct errinfo *e)
{
	int across = TLNB_NONE, r;

	r = js_opt_enum(combat, "across", at, tlnb_facts_acrosses, &across, e);
	if (r != 0)
		return (r);
	if ((tlnb_facts_allowed[f->kind] & 1U << across) == 0)
		return (js_fail_member(at, "across", e,
		    "\"%s\" is no hexside of this kind of combat",
		    tlnb_facts_acrosses[across]));
	f->across = (enum tlnb_across)across;
	return (0);
}

/* Reads where Napoleon is and who stakes the Guard. */
static int
tlnb_facts_read_stakes(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *up, struct errinfo *e)
{
	static const char *const sides[] = {"attacker", "defender", NULL};
	const struct js_at at = {.up = up, .name = "guard"};
	struct js_at at_i = {.up = &at};
	const json_t *list = NULL;
	const char *text;
	int r, side;

	f->napoleon = -1;
	if ((r = js_opt_enum(combat, "napoleon", up, sides, &f->napoleon, e)) !=
	    0)
		return (r);
	if ((r = js_opt_array(combat, at.name, up, &list, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		text = json_string_value(json_array_get(list, at_i.index));
		for (side = 0; text != NULL && side < 2; side++) {
			if (strcmp(text, sides[side]) == 0)
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

/* Reads the units of both sides, by the lists of the combat's kind. */
static int
tlnb_facts_read_sides(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *at, struct errinfo *e)
{
	enum combat_side side;
	int r;

	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		f->first[side] = f->n_units;
		r = tlnb_facts_read_units(f, side, false, combat,
		    tlnb_facts_lists[f->kind][side], at, e);
		if (r == 0 && f->kind == TLNB_ATTACK)
			r = tlnb_facts_read_units(f, side, true, combat,
			    tlnb_facts_stacked[side], at, e);
		if (r != 0)
			return (r);
	}
	f->first[2] = f->n_units;
	return (0);
}

/* Reads an attack. */
static int
tlnb_facts_read_attack(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"kind", "attackers", "defenders",
	    "terrain", "chateau", "improved_position", "across", "weather",
	    "mud", "failed_repulse", "napoleon", "guard",
	    "attacker_stacked_artillery", "defender_stacked_artillery", NULL};
	static const enum tlnb_fact bools[] = {TLNB_CHATEAU,
	    TLNB_IMPROVED_POSITION, TLNB_MUD, TLNB_FAILED_REPULSE};
	int r;

	if ((r = js_members(combat, at, known, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_sides(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_terrain(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_across(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_weather(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_bools(f, bools,
		 sizeof(bools) / sizeof(bools[0]), combat, at, e)) != 0)
		return (r);
	return (tlnb_facts_read_stakes(f, combat, at, e));
}

/* Reads the target of a bombardment. */
static int
tlnb_facts_read_target(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *up, struct errinfo *e)
{
	static const char *const known[] = {
	    "units", "terrain", "chateau", NULL};
	static const enum tlnb_fact bools[] = {TLNB_CHATEAU};
	const struct js_at at = {.up = up, .name = "target"};
	const json_t *target;
	size_t i;
	int r;

	if ((r = js_get_object(combat, at.name, up, &target, e)) != 0)
		return (r);
	if ((r = js_members(target, &at, known, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_units(
		 f, COMBAT_DEFENDER, false, target, "units", &at, e)) != 0)
		return (r);
	f->first[2] = f->n_units;
	if ((r = tlnb_facts_read_terrain(f, target, &at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_bools(f, bools, 1, target, &at, e)) != 0)
		return (r);
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

/* Reads a bombardment. */
static int
tlnb_facts_read_bombardment(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"kind", "batteries", "target",
	    "weather", "mud", "arf", "enfilade", "ammo_shortage",
	    "grand_battery", "point_blank", NULL};
	static const enum tlnb_fact bools[] = {TLNB_MUD, TLNB_ARF,
	    TLNB_ENFILADE, TLNB_AMMO_SHORTAGE, TLNB_GRAND_BATTERY,
	    TLNB_POINT_BLANK};
	int r;

	f->napoleon = -1;
	if ((r = js_members(combat, at, known, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_batteries(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_target(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_weather(f, combat, at, e)) != 0)
		return (r);
	return (tlnb_facts_read_bools(
	    f, bools, sizeof(bools) / sizeof(bools[0]), combat, at, e));
}

/* Refuses what may not be charged. */
static int
tlnb_facts_check_charge(
    const struct tlnb_facts *f, const struct js_at *up, struct errinfo *e)
{
	struct js_at at = {.up = up, .name = "cavalry"}, at_i = {.up = &at};
	static const enum tlnb_fact never[] = {
	    TLNB_MUD, TLNB_CHATEAU, TLNB_IMPROVED_POSITION};
	int half[2];
	size_t i;

	for (; at_i.index < f->first[COMBAT_DEFENDER]; at_i.index++) {
		if (f->units[at_i.index].arm != TLNB_CAVALRY)
			return (js_fail_member(
			    &at_i, "arm", e, "only cavalry charges"));
	}
	for (i = 0; i < sizeof(never) / sizeof(never[0]); i++) {
		if (f->has[never[i]])
			return (js_fail_member(up, tlnb_facts_facts[never[i]],
			    e, "allows no charge"));
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

/* Reads a charge. */
static int
tlnb_facts_read_charge(struct tlnb_facts *f, const json_t *combat,
    const struct js_at *at, struct errinfo *e)
{
	static const char *const known[] = {"kind", "cavalry", "target",
	    "terrain", "chateau", "improved_position", "across", "weather",
	    "mud", NULL};
	static const enum tlnb_fact bools[] = {
	    TLNB_CHATEAU, TLNB_IMPROVED_POSITION, TLNB_MUD};
	int r;

	f->napoleon = -1;
	if ((r = js_members(combat, at, known, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_sides(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_terrain(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_across(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_weather(f, combat, at, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_bools(f, bools,
		 sizeof(bools) / sizeof(bools[0]), combat, at, e)) != 0)
		return (r);
	return (tlnb_facts_check_charge(f, at, e));
}

int
tlnb_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	const struct js_at at = {.name = "combat"};
	struct tlnb_facts *f = facts;
	int kind, r;

	(void)set; /* no ruling bears on what is refused */
	if ((r = js_get_enum(
		 combat, "kind", &at, tlnb_facts_kinds, &kind, e)) != 0)
		return (r);
	f->kind = (enum tlnb_kind)kind;
	switch (f->kind) {
	case TLNB_ATTACK:
		return (tlnb_facts_read_attack(f, combat, &at, e));
	case TLNB_BOMBARDMENT:
		return (tlnb_facts_read_bombardment(f, combat, &at, e));
	case TLNB_CHARGE:
		break;
	}
	return (tlnb_facts_read_charge(f, combat, &at, e));
}

/* Sets a boolean member. */
static int
tlnb_facts_put_bool(json_t *o, const char *name, bool value)
{
	return (json_object_set_new(o, name, json_boolean(value)));
}

/* Begins a unit's object with what a roster owns; new or NULL. */
static json_t *
tlnb_facts_printed_json(const struct tlnb_unit *u)
{
	json_t *o;
	int bad;

	if ((o = facts_name_json(&u->name)) == NULL)
		return (NULL);
	bad =
	    json_object_set_new(o, "arm", json_string(tlnb_facts_arms[u->arm]));
	bad |= json_object_set_new(o, "sp", json_integer(u->sp));
	bad |= json_object_set_new(o, "reduced_sp",
	    u->reduced_sp == -1 ? json_null() : json_integer(u->reduced_sp));
	bad |= tlnb_facts_put_bool(o, "reduced", u->is_reduced);
	bad |=
	    json_object_set_new(o, "initiative", json_integer(u->initiative));
	bad |= tlnb_facts_put_bool(
	    o, "demoralized", u->flags[TLNB_IS_DEMORALIZED]);
	bad |=
	    tlnb_facts_put_bool(o, "suppressed", u->flags[TLNB_IS_SUPPRESSED]);
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Returns a unit of the facts as a new object, or NULL. */
static json_t *
tlnb_facts_unit_json(const struct tlnb_unit *u)
{
	json_t *o;
	int bad = 0;
	size_t i;

	if ((o = tlnb_facts_printed_json(u)) == NULL)
		return (NULL);
	for (i = TLNB_IS_HALVED; i < TLNB_FLAGS; i++)
		bad |= tlnb_facts_put_bool(o, tlnb_facts_flags[i], u->flags[i]);
	if (u->has_hex)
		bad |= json_object_set_new(o, "hex", json_string(u->hex));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Returns a side's units, or its stacked artillery, as a new array. */
static json_t *
tlnb_facts_units_json(
    const struct tlnb_facts *f, enum combat_side side, bool is_stacked)
{
	json_t *list;
	size_t i;
	int bad = 0;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (i = f->first[side]; i < f->first[side + 1]; i++) {
		if (f->units[i].is_stacked == is_stacked)
			bad |= json_array_append_new(
			    list, tlnb_facts_unit_json(&f->units[i]));
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Returns the batteries as a new array, or NULL. */
static json_t *
tlnb_facts_batteries_json(const struct tlnb_facts *f)
{
	json_t *list, *o;
	int bad = 0;
	size_t i;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (i = 0; i < f->n_batteries; i++) {
		o = facts_name_json(&f->batteries[i].name);
		bad |= json_object_set_new(
		    o, "sp", json_integer(f->batteries[i].sp));
		bad |= json_object_set_new(
		    o, "range", json_integer(f->batteries[i].range));
		bad |= json_array_append_new(list, o);
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Returns the sides that stake the Guard as a new array. */
static json_t *
tlnb_facts_guard_json(const struct tlnb_facts *f)
{
	static const char *const sides[] = {"attacker", "defender", NULL};

	return (facts_set_json(
	    sides, (f->guard[0] ? 1U : 0U) | (f->guard[1] ? 2U : 0U)));
}

/* Adds the members of an attack or a charge; non-zero without memory. */
static int
tlnb_facts_put_fight(const struct tlnb_facts *f, json_t *o)
{
	bool is_attack = f->kind == TLNB_ATTACK;
	enum combat_side side;
	int bad = 0;

	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++)
		bad |= json_object_set_new(o, tlnb_facts_lists[f->kind][side],
		    tlnb_facts_units_json(f, side, false));
	bad |= json_object_set_new(
	    o, "terrain", json_string(tlnb_facts_terrains[f->terrain]));
	bad |= tlnb_facts_put_bool(o, "chateau", f->has[TLNB_CHATEAU]);
	bad |= tlnb_facts_put_bool(
	    o, "improved_position", f->has[TLNB_IMPROVED_POSITION]);
	bad |= json_object_set_new(
	    o, "across", json_string(tlnb_facts_acrosses[f->across]));
	bad |= json_object_set_new(
	    o, "weather", json_string(tlnb_facts_weathers[f->weather]));
	bad |= tlnb_facts_put_bool(o, "mud", f->has[TLNB_MUD]);
	if (!is_attack)
		return (bad);
	bad |= tlnb_facts_put_bool(
	    o, "failed_repulse", f->has[TLNB_FAILED_REPULSE]);
	if (f->napoleon != -1)
		bad |= json_object_set_new(o, "napoleon",
		    json_string(question_side((enum combat_side)f->napoleon)));
	bad |= json_object_set_new(o, "guard", tlnb_facts_guard_json(f));
	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++)
		bad |= json_object_set_new(o, tlnb_facts_stacked[side],
		    tlnb_facts_units_json(f, side, true));
	return (bad);
}

/* Adds the members of a bombardment; non-zero without memory. */
static int
tlnb_facts_put_bombardment(const struct tlnb_facts *f, json_t *o)
{
	int bad;
	size_t i;

	bad = json_object_set_new(o, "batteries", tlnb_facts_batteries_json(f));
	bad |= json_object_set_new(o, "target",
	    json_pack("{s:o, s:s, s:b}", "units",
		tlnb_facts_units_json(f, COMBAT_DEFENDER, false), "terrain",
		tlnb_facts_terrains[f->terrain], "chateau",
		(int)f->has[TLNB_CHATEAU]));
	bad |= json_object_set_new(
	    o, "weather", json_string(tlnb_facts_weathers[f->weather]));
	bad |= tlnb_facts_put_bool(o, "mud", f->has[TLNB_MUD]);
	for (i = TLNB_ARF; i < TLNB_FACTS; i++)
		bad |= tlnb_facts_put_bool(o, tlnb_facts_facts[i], f->has[i]);
	return (bad);
}

json_t *
tlnb_facts_json(const struct combat *c)
{
	const struct tlnb_facts *f = combat_facts(c);
	json_t *o;
	int bad;

	if ((o = json_pack("{s:s}", "kind", tlnb_facts_kinds[f->kind])) == NULL)
		return (NULL);
	if (f->kind == TLNB_BOMBARDMENT)
		bad = tlnb_facts_put_bombardment(f, o);
	else
		bad = tlnb_facts_put_fight(f, o);
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

int
tlnb_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	static const char *const given[] = {"id", "name", "arm", "sp",
	    "reduced_sp", "reduced", "initiative", "demoralized", "suppressed",
	    NULL};
	static const char *const kept[] = {"id", "name", "arm", "sp",
	    "reduced_sp", "reduced", "initiative", "demoralized", "suppressed",
	    "bombarded", NULL};
	struct tlnb_unit u = {.arm = TLNB_INFANTRY};
	json_t *made;
	int r;

	if ((r = js_members(
		 unit, at, how == RULES_ROSTER_GIVEN ? given : kept, e)) != 0)
		return (r);
	if ((r = tlnb_facts_read_printed(&u, unit, at, 1, e)) != 0)
		return (r);
	if ((made = tlnb_facts_printed_json(&u)) == NULL)
		return (ERR_NOMEM);
	if (tlnb_facts_put_bool(
		made, "bombarded", u.flags[TLNB_HAS_BOMBARDED]) != 0) {
		json_decref(made);
		return (ERR_NOMEM);
	}
	*out = made;
	return (0);
}
