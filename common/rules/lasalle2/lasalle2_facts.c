/* SPDX-License-Identifier: ISC */
/*
 * Reads and writes the facts of a lasalle2 combat and the units of its
 * rosters.  All that the system refuses is refused here (umpire-rules.7,
 * 10.1), so that the rules can take the structs as they are.
 */
#include "common/rules/lasalle2/lasalle2_facts.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/rulekit.h"

static const char *const lasalle2_facts_arms[] = {
    [LASALLE2_INFANTRY] = "infantry",
    [LASALLE2_CAVALRY] = "cavalry",
    [LASALLE2_ARTILLERY] = "artillery",
    NULL,
};

static const char *const lasalle2_facts_formations[] = {
    [LASALLE2_LINE] = "line",
    [LASALLE2_COLUMN] = "column",
    [LASALLE2_SQUARE] = "square",
    [LASALLE2_MARCH] = "march",
    [LASALLE2_GARRISON] = "garrison",
    [LASALLE2_LIMBERED] = "limbered",
    [LASALLE2_UNLIMBERED] = "unlimbered",
    NULL,
};

/* Which formations an arm has, as bits. */
static const unsigned lasalle2_facts_allowed[] = {
    [LASALLE2_INFANTRY] = 1U << LASALLE2_LINE | 1U << LASALLE2_COLUMN |
	1U << LASALLE2_SQUARE | 1U << LASALLE2_MARCH | 1U << LASALLE2_GARRISON,
    [LASALLE2_CAVALRY] =
	1U << LASALLE2_LINE | 1U << LASALLE2_COLUMN | 1U << LASALLE2_MARCH,
    [LASALLE2_ARTILLERY] = 1U << LASALLE2_LIMBERED | 1U << LASALLE2_UNLIMBERED,
};

static const char *const lasalle2_facts_batteries[] = {"foot", "horse", NULL};

static const char *const lasalle2_facts_traits[] = {"shock", "lancers", NULL};

static const char *const lasalle2_facts_edges[] = {
    "front", "left", "right", "rear", NULL};

static const char *const lasalle2_facts_acrosses[] = {
    "wall", "earthworks", NULL};

/* 10.1, 10.9. */
#define LASALLE2_UNIT(member, name, type, in) \
	SCHEMA_ROW(lasalle2_unit, member, name, type, in)
const struct schema_row lasalle2_facts_unit[] = {
    {LASALLE2_UNIT(name.id, "id", ID, PRINTED)},
    {LASALLE2_UNIT(name.name, "name", TEXT, PRINTED),
	.what = "a name for people, at most 64 bytes"},
    {LASALLE2_UNIT(arm, "arm", WORD, PRINTED), .words = lasalle2_facts_arms,
	.is_required = true,
	.what = "\"infantry\", \"cavalry\" or \"artillery\""},
    {LASALLE2_UNIT(strength, "strength", COUNT, PRINTED), .lo = 1,
	.hi = RULES_COUNT_MAX, .zero_in = SCHEMA_OUT, .is_required = true,
	.what = "the highest number still showing, 1 to 9999"},
    {LASALLE2_UNIT(formation, "formation", WORD, STATED),
	.words = lasalle2_facts_formations, .is_required = true},
    {LASALLE2_UNIT(battery, "battery", WORD, PRINTED),
	.words = lasalle2_facts_batteries, .lo = LASALLE2_FOOT,
	.what = "\"foot\" or \"horse\": artillery must say, no other may"},
    {LASALLE2_UNIT(traits, "traits", SET, PRINTED),
	.words = lasalle2_facts_traits,
	.what = "some of \"shock\" and \"lancers\""},
    {LASALLE2_UNIT(is_shaken, "shaken", BOOL, PRINTED),
	.what = "true or false"},
    {LASALLE2_UNIT(is_difficult, "difficult", BOOL, STATED)},
    {.name = NULL},
};

#define LASALLE2_CONTACT(member, name, type) \
	SCHEMA_ROW(lasalle2_contact, member, name, type, STATED)
static const struct schema_row lasalle2_facts_contact[] = {
    {LASALLE2_CONTACT(attacker, "attacker", OWN)},
    {LASALLE2_CONTACT(defender, "defender", OWN)},
    {LASALLE2_CONTACT(edge, "edge", OWN)},
    {LASALLE2_CONTACT(touches, "touches", SET), .words = lasalle2_facts_edges},
    {LASALLE2_CONTACT(is_uphill, "uphill", BOOL)},
    {LASALLE2_CONTACT(across, "across", WORD), .words = lasalle2_facts_acrosses,
	.lo = LASALLE2_WALL},
    {.name = NULL},
};

/* Reads the members of a unit; artillery alone has a battery. */
static int
lasalle2_facts_read(struct lasalle2_unit *u, unsigned in, const json_t *unit,
    const struct js_at *at, struct errinfo *e)
{
	int r;

	if ((r = schema_read(lasalle2_facts_unit, in, unit, at, u, e)) != 0)
		return (r);
	if (u->arm == LASALLE2_ARTILLERY && u->battery == LASALLE2_NO_BATTERY)
		return (js_fail_member(
		    at, "battery", e, "is missing, as artillery needs it"));
	if (u->arm != LASALLE2_ARTILLERY && u->battery != LASALLE2_NO_BATTERY)
		return (
		    js_fail_member(at, "battery", e, "is for artillery only"));
	return (0);
}

/* Finds a unit by its id; f->n_units if there is none. */
static size_t
lasalle2_facts_find(const struct lasalle2_facts *f, const char *id)
{
	return (facts_find(f->units, f->n_units, sizeof(f->units[0]), id));
}

/* Reads the units of one side behind those that were read already. */
static int
lasalle2_facts_read_side(struct lasalle2_facts *f, const json_t *combat,
    bool is_attacker, const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {
	    .up = up,
	    .name = is_attacker ? "attackers" : "defenders",
	};
	struct js_at at_i = {.up = &at};
	struct lasalle2_unit *u;
	const json_t *list;
	int r;

	if ((r = js_get_array(combat, at.name, up, &list, e)) != 0)
		return (r);
	if (json_array_size(list) > COMBAT_SIDE_UNITS_MAX)
		return (js_fail(&at, e, "must have at most %d units",
		    COMBAT_SIDE_UNITS_MAX));
	for (; at_i.index < json_array_size(list); at_i.index++) {
		u = &f->units[f->n_units];
		u->is_attacker = is_attacker;
		r = lasalle2_facts_read(u, SCHEMA_FACTS,
		    json_array_get(list, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
		if ((lasalle2_facts_allowed[u->arm] & 1U << u->formation) == 0)
			return (js_fail_member(&at_i, "formation", e,
			    "\"%s\" is no formation of %s",
			    lasalle2_facts_formations[u->formation],
			    lasalle2_facts_arms[u->arm]));
		if (u->is_attacker && u->arm == LASALLE2_ARTILLERY)
			return (js_fail_member(&at_i, "arm", e,
			    "artillery cannot be an attacker"));
		if (u->is_attacker && u->formation == LASALLE2_GARRISON)
			return (js_fail_member(&at_i, "formation", e,
			    "a garrison cannot be an attacker"));
		if (u->is_attacker && u->strength == 1)
			return (js_fail_member(&at_i, "strength", e,
			    "a unit of strength 1 cannot be an attacker"));
		if (lasalle2_facts_find(f, u->name.id) < f->n_units)
			return (js_fail_member(&at_i, "id", e,
			    "\"%s\" is used twice", u->name.id));
		f->n_units++;
	}
	return (0);
}

/* Reads the attacker or the defender of a contact. */
static int
lasalle2_facts_read_end(const struct lasalle2_facts *f, const json_t *contact,
    const char *name, const struct js_at *at, size_t *unit, struct errinfo *e)
{
	char id[FACTS_ID_MAX + 1];
	size_t i;
	int r;

	if ((r = facts_id(contact, name, at, id, e)) != 0)
		return (r);
	i = lasalle2_facts_find(f, id);
	if (i == f->n_units ||
	    f->units[i].is_attacker != (strcmp(name, "attacker") == 0))
		return (js_fail_member(
		    at, name, e, "\"%s\" is not among the %ss", id, name));
	*unit = i;
	return (0);
}

/* Reads one contact. */
static int
lasalle2_facts_read_contact(struct lasalle2_facts *f,
    struct lasalle2_contact *k, const json_t *contact, const struct js_at *at,
    struct errinfo *e)
{
	int edge, r;

	if ((r = schema_read(
		 lasalle2_facts_contact, SCHEMA_FACTS, contact, at, k, e)) != 0)
		return (r);
	if ((r = lasalle2_facts_read_end(
		 f, contact, "attacker", at, &k->attacker, e)) != 0)
		return (r);
	if ((r = lasalle2_facts_read_end(
		 f, contact, "defender", at, &k->defender, e)) != 0)
		return (r);
	if ((r = js_get_enum(
		 contact, "edge", at, lasalle2_facts_edges, &edge, e)) != 0)
		return (r);
	k->edge = 1U << edge;
	if (json_object_get(contact, "touches") == NULL)
		k->touches = k->edge;
	return (0);
}

/* Reads the contacts; no pair may stand twice. */
static int
lasalle2_facts_read_contacts(struct lasalle2_facts *f, const json_t *combat,
    const struct js_at *up, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "contacts"};
	struct js_at at_i = {.up = &at};
	struct lasalle2_contact *k;
	const json_t *list;
	size_t i, n;
	int r;

	if ((r = js_get_array(combat, "contacts", up, &list, e)) != 0)
		return (r);
	n = json_array_size(list);
	if (n == 0 || n > COMBAT_CONTACTS_MAX)
		return (js_fail(
		    &at, e, "must have 1 to %d contacts", COMBAT_CONTACTS_MAX));
	for (; at_i.index < n; at_i.index++) {
		k = &f->contacts[at_i.index];
		r = lasalle2_facts_read_contact(
		    f, k, json_array_get(list, at_i.index), &at_i, e);
		if (r != 0)
			return (r);
		for (i = 0; i < at_i.index; i++) {
			if (f->contacts[i].attacker == k->attacker &&
			    f->contacts[i].defender == k->defender)
				return (js_fail(&at_i, e,
				    "this pair is in contact already"));
		}
	}
	f->n_contacts = n;
	return (0);
}

/* Refuses a unit that is in no contact. */
static int
lasalle2_facts_check(
    const struct lasalle2_facts *f, const struct js_at *up, struct errinfo *e)
{
	struct js_at at = {.up = up}, at_i = {.up = &at};
	bool is_engaged[LASALLE2_UNITS_MAX] = {false};
	size_t i;

	for (i = 0; i < f->n_contacts; i++) {
		is_engaged[f->contacts[i].attacker] = true;
		is_engaged[f->contacts[i].defender] = true;
	}
	for (i = 0; i < f->n_units; i++) {
		if (is_engaged[i])
			continue;
		at.name = i < f->n_attackers ? "attackers" : "defenders";
		at_i.index = i < f->n_attackers ? i : i - f->n_attackers;
		return (js_fail(
		    &at_i, e, "\"%s\" is in no contact", f->units[i].name.id));
	}
	return (0);
}

int
lasalle2_facts_parse(const json_t *combat, const struct rules_settings *set,
    void *facts, struct errinfo *e)
{
	static const char *const known[] = {
	    "attackers", "defenders", "contacts", NULL};
	const struct js_at at = {.name = "combat"};
	struct lasalle2_facts *f = facts;
	int r;

	(void)set; /* no ruling bears on what is refused */
	if ((r = js_members(combat, &at, known, e)) != 0)
		return (r);
	if ((r = lasalle2_facts_read_side(f, combat, true, &at, e)) != 0)
		return (r);
	f->n_attackers = f->n_units;
	if ((r = lasalle2_facts_read_side(f, combat, false, &at, e)) != 0)
		return (r);
	if ((r = lasalle2_facts_read_contacts(f, combat, &at, e)) != 0)
		return (r);
	return (lasalle2_facts_check(f, &at, e));
}

/* Returns a contact as a new object, or NULL. */
static json_t *
lasalle2_facts_contact_json(
    const struct lasalle2_facts *f, const struct lasalle2_contact *k)
{
	json_t *edge, *o;
	int bad;

	/* A set of one edge gives that edge's word. */
	edge = facts_set_json(lasalle2_facts_edges, k->edge);
	o = schema_json(lasalle2_facts_contact, SCHEMA_FACTS, k);
	bad = json_object_set_new(
	    o, "attacker", json_string(f->units[k->attacker].name.id));
	bad |= json_object_set_new(
	    o, "defender", json_string(f->units[k->defender].name.id));
	bad |= json_object_set(o, "edge", json_array_get(edge, 0));
	json_decref(edge);
	return (js_made(o, bad));
}

json_t *
lasalle2_facts_json(const struct combat *c)
{
	const struct lasalle2_facts *f = combat_facts(c);
	json_t *contacts = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < f->n_contacts; i++)
		bad |= json_array_append_new(
		    contacts, lasalle2_facts_contact_json(f, &f->contacts[i]));
	return (json_pack("{s:o, s:o, s:o}", "attackers",
	    schema_list(lasalle2_facts_unit, SCHEMA_FACTS, f->units,
		f->n_attackers, sizeof(f->units[0])),
	    "defenders",
	    schema_list(lasalle2_facts_unit, SCHEMA_FACTS,
		&f->units[f->n_attackers], f->n_units - f->n_attackers,
		sizeof(f->units[0])),
	    "contacts", js_made(contacts, bad)));
}

int
lasalle2_facts_roster_unit(const json_t *unit, enum rules_roster how,
    const struct js_at *at, json_t **out, struct errinfo *e)
{
	struct lasalle2_unit u = {.arm = LASALLE2_INFANTRY};
	int r;

	r = lasalle2_facts_read(&u, SCHEMA_ROSTER(how), unit, at, e);
	return (r != 0 ? r : schema_roster(lasalle2_facts_unit, &u, out));
}
