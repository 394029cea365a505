/* SPDX-License-Identifier: ISC */
/*
 * Lasalle, 2nd edition, chapter 11: combat (umpire-rules.7, 10).  Straight
 * through in the order of the chapter: retire, scores, re-roll, defenders,
 * attackers.  Facts that break the rules were refused when they were read.
 */
#include "common/rules/lasalle2/lasalle2.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/lasalle2/lasalle2_facts.h"
#include "common/rules/lasalle2/lasalle2_roster.h"
#include "common/rules/rulekit.h"

#define LASALLE2_SIDES 6 /* of the one die that the system knows */

/* 10.8. */
enum lasalle2_ruling {
	LASALLE2_SQUARE_NEEDS_ALL_CAVALRY,
	LASALLE2_GARRISON_HAS_FLANKS,
	LASALLE2_BROKEN_CAVALRY_BREAKS,
	LASALLE2_RULINGS,
};

static const struct rules_ruling lasalle2_rulings[] = {
    [LASALLE2_SQUARE_NEEDS_ALL_CAVALRY] = {.name = "square_needs_all_cavalry",
	.question = "must every attacker be cavalry for a square to be a "
		    "strong position?",
	.is_bool = true,
	.fallback = false},
    [LASALLE2_GARRISON_HAS_FLANKS] = {.name = "garrison_has_flanks",
	.question = "can a garrison be hit on its flanks or rear?",
	.is_bool = true,
	.fallback = false},
    [LASALLE2_BROKEN_CAVALRY_BREAKS] = {.name = "broken_cavalry_breaks",
	.question = "does defending cavalry that broke still break an attacker "
		    "that it outscored by three or more?",
	.is_bool = true,
	.fallback = true},
};

/* From best to worst. */
enum lasalle2_end {
	LASALLE2_IN_PLACE,
	LASALLE2_STAGGERED,
	LASALLE2_RETIRED,
	LASALLE2_BROKEN,
	LASALLE2_ENDS,
};

static const char *const lasalle2_ends[] = {
    [LASALLE2_IN_PLACE] = "in-place",
    [LASALLE2_STAGGERED] = "staggered",
    [LASALLE2_RETIRED] = "retired",
    [LASALLE2_BROKEN] = "broken",
    [LASALLE2_ENDS] = NULL,
};

/* 10.3: what changes a score. */
enum lasalle2_modifier {
	LASALLE2_OUTNUMBER,
	LASALLE2_STRONG_POSITION,
	LASALLE2_ENEMY_SHOCK,
	LASALLE2_DIFFICULT,
	LASALLE2_POOR_FORMATION,
	LASALLE2_MODIFIERS,
};

static const struct {
	const char *reason;
	int value;
} lasalle2_modifiers[] = {
    [LASALLE2_OUTNUMBER] = {"outnumber", 1},
    [LASALLE2_STRONG_POSITION] = {"strong-position", 1},
    [LASALLE2_ENEMY_SHOCK] = {"enemy-shock", -1},
    [LASALLE2_DIFFICULT] = {"difficult", -1},
    [LASALLE2_POOR_FORMATION] = {"poor-formation", -4},
};

/* What becomes of a unit. */
struct lasalle2_fate {
	enum lasalle2_end end;
	bool has_tried; /* to retire */
	bool is_engaged; /* with an enemy that did not retire: it rolls */
	bool must_stagger;
	bool has[LASALLE2_MODIFIERS];
	int strength;
	int disr;
	int die;
	int score;
};

struct lasalle2_state {
	struct lasalle2_fate fates[LASALLE2_UNITS_MAX];
	bool is_gone[COMBAT_CONTACTS_MAX]; /* its defender retired */
};

/* A run of the rules: facts, state and the conversation in one place. */
struct lasalle2 {
	struct combat *c;
	const struct lasalle2_facts *f;
	struct lasalle2_state *st;
};

/* Returns unit u's next contact that counts from number k on, or the end. */
static size_t
lasalle2_contact(const struct lasalle2 *l, size_t u, size_t k)
{
	const struct lasalle2_contact *contact;

	for (; k < l->f->n_contacts; k++) {
		contact = &l->f->contacts[k];
		if (!l->st->is_gone[k] &&
		    (contact->attacker == u || contact->defender == u))
			break;
	}
	return (k);
}

/* Returns the enemy that unit u meets in contact k. */
static size_t
lasalle2_enemy(const struct lasalle2 *l, size_t u, size_t k)
{
	const struct lasalle2_contact *contact = &l->f->contacts[k];

	return (contact->attacker == u ? contact->defender : contact->attacker);
}

/* True if unit u is engaged with an enemy of that arm. */
static bool
lasalle2_meets(const struct lasalle2 *l, size_t u, enum lasalle2_arm arm)
{
	size_t k;

	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		if (l->f->units[lasalle2_enemy(l, u, k)].arm == arm)
			return (true);
	}
	return (false);
}

/* Says what became of unit u, with n more fields. */
static void
lasalle2_change(const struct lasalle2 *l, size_t u, const char *what,
    const char *why, const struct event_field *more, size_t n)
{
	combat_change(l->c, event_text("unit", l->f->units[u].name.id), what,
	    why, more, n);
}

/* As lasalle2_change(), with both scores of unit u and of the enemy `by`. */
static void
lasalle2_change_by(const struct lasalle2 *l, size_t u, const char *what,
    const char *why, size_t by)
{
	lasalle2_change(l, u, what, why,
	    EVENT_FIELDS(event_int("score", l->st->fates[u].score),
		event_text("by", l->f->units[by].name.id),
		event_int("by_score", l->st->fates[by].score)));
}

/* Breaks unit u. */
static void
lasalle2_break(const struct lasalle2 *l, size_t u, const char *why)
{
	l->st->fates[u].end = LASALLE2_BROKEN;
	lasalle2_change(l, u, "broken", why, NULL, 0);
}

/*
 * 10.5: a DISR lowers strength by one, and a unit without strength is
 * broken.  Returns whether it survives.
 */
static bool
lasalle2_disr(const struct lasalle2 *l, size_t u, const char *why)
{
	struct lasalle2_fate *fate = &l->st->fates[u];

	fate->disr++;
	fate->strength--;
	lasalle2_change(l, u, "disr", why,
	    EVENT_FIELDS(event_int("strength", fate->strength)));
	if (fate->strength > 0)
		return (true);
	lasalle2_break(l, u, "strength");
	return (false);
}

/*
 * 10.2: true if the battery has not tried yet and no two opposite edges of it
 * are touched.
 */
static bool
lasalle2_may_retire(const struct lasalle2 *l, size_t u)
{
	unsigned touched = 0;
	size_t k;

	if (l->f->units[u].arm != LASALLE2_ARTILLERY ||
	    l->st->fates[u].has_tried)
		return (false);
	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1))
		touched |= l->f->contacts[k].touches;
	return ((touched & (LASALLE2_FRONT | LASALLE2_REAR)) !=
		(LASALLE2_FRONT | LASALLE2_REAR) &&
	    (touched & (LASALLE2_LEFT | LASALLE2_RIGHT)) !=
		(LASALLE2_LEFT | LASALLE2_RIGHT));
}

/* Returns the best of one or two dice. */
static int
lasalle2_best(const uint16_t *dice, unsigned n)
{
	return (n == 2 && dice[1] > dice[0] ? dice[1] : dice[0]);
}

/* 10.2: one battery tries to retire. */
static int
lasalle2_retire_one(const struct lasalle2 *l, size_t u)
{
	const struct lasalle2_unit *unit = &l->f->units[u];
	uint16_t theirs[2], own[2];
	unsigned n_theirs, n_own;
	int attacker, defender, r;
	bool has_retired;
	size_t k;

	l->st->fates[u].has_tried = true;
	n_theirs = lasalle2_meets(l, u, LASALLE2_CAVALRY) ? 2 : 1;
	n_own = unit->battery == LASALLE2_HORSE ||
		unit->formation == LASALLE2_LIMBERED
	    ? 2
	    : 1;
	if ((r = combat_roll(l->c, theirs, n_theirs, LASALLE2_SIDES,
		 "retire/%s/attacker", unit->name.id)) != 0)
		return (r);
	if ((r = combat_roll(l->c, own, n_own, LASALLE2_SIDES,
		 "retire/%s/defender", unit->name.id)) != 0)
		return (r);
	attacker = lasalle2_best(theirs, n_theirs);
	defender = lasalle2_best(own, n_own);
	has_retired = defender >= attacker;
	lasalle2_change(l, u, has_retired ? "retired" : "in-place", "retire",
	    EVENT_FIELDS(event_int("attacker", attacker),
		event_int("defender", defender)));
	if (!has_retired)
		return (0);
	l->st->fates[u].end = LASALLE2_RETIRED;
	for (k = 0; k < l->f->n_contacts; k++) {
		if (l->f->contacts[k].defender == u)
			l->st->is_gone[k] = true;
	}
	return (0);
}

/*
 * Asks a side which of those of its units from first to end - 1 that may do
 * something are to do it, `most` at a time; units receives the chosen ones in
 * the order of the facts.  Nobody is asked if none may.
 */
static int
lasalle2_choose(const struct lasalle2 *l, enum combat_side side,
    const char *kind, size_t first, size_t end, size_t most,
    bool (*may)(const struct lasalle2 *l, size_t u), size_t *units, size_t *n)
{
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	size_t asked[COMBAT_SIDE_UNITS_MAX], i, n_asked = 0, u;
	bool is_chosen[COMBAT_SIDE_UNITS_MAX] = {false};
	struct question_answer a;
	struct question_member m;
	int r;

	*n = 0;
	for (u = first; u < end; u++) {
		if (!may(l, u))
			continue;
		ids[n_asked] = l->f->units[u].name.id;
		asked[n_asked++] = u;
	}
	if (n_asked == 0)
		return (0);
	m = question_some(
	    "units", ids, n_asked, 0, (int)(most < n_asked ? most : n_asked));
	if ((r = combat_decide(l->c, side, kind, &m, 1, &a)) != 0)
		return (r);
	for (i = 0; i < a.n_items; i++)
		is_chosen[a.items[i].id] = true;
	for (i = 0; i < n_asked; i++) {
		if (is_chosen[i])
			units[(*n)++] = asked[i];
	}
	return (0);
}

/* 10.2: the defender's artillery may retire, battery by battery. */
static int
lasalle2_retire(const struct lasalle2 *l)
{
	size_t n, unit;
	int r;

	do {
		if ((r = lasalle2_choose(l, COMBAT_DEFENDER, "retire",
			 l->f->n_attackers, l->f->n_units, 1,
			 lasalle2_may_retire, &unit, &n)) != 0)
			return (r);
		if (n > 0 && (r = lasalle2_retire_one(l, unit)) != 0)
			return (r);
	} while (n > 0);
	return (0);
}

/* Returns the only enemy of unit u; the number of units if it has more. */
static size_t
lasalle2_only_enemy(const struct lasalle2 *l, size_t u)
{
	size_t k = lasalle2_contact(l, u, 0);

	/* No pair is in contact twice, so that a second contact is another. */
	if (lasalle2_contact(l, u, k + 1) < l->f->n_contacts)
		return (l->f->n_units);
	return (lasalle2_enemy(l, u, k));
}

/* 10.3: why a modifier counts, for the reader of its score. */
struct lasalle2_cause {
	const char *name; /* NULL: it does not count */
	const char *enemy; /* whom a unit outnumbers, or NULL */
	const char *units[COMBAT_SIDE_UNITS_MAX]; /* who bring it about */
	size_t n;
};

/* Makes enemies of unit u on these edges a cause, perhaps cavalry alone. */
static void
lasalle2_blame_enemies(const struct lasalle2 *l, size_t u, unsigned edges,
    bool cavalry_only, struct lasalle2_cause *why)
{
	size_t enemy, k;

	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		enemy = lasalle2_enemy(l, u, k);
		if ((l->f->contacts[k].edge & edges) != 0 &&
		    (!cavalry_only ||
			l->f->units[enemy].arm == LASALLE2_CAVALRY))
			why->units[why->n++] = l->f->units[enemy].name.id;
	}
}

/* 10.3: unit u and friends engage one enemy, and no other. */
static void
lasalle2_outnumbers(
    const struct lasalle2 *l, size_t u, struct lasalle2_cause *why)
{
	size_t enemy = lasalle2_only_enemy(l, u), friend, k;

	for (k = lasalle2_contact(l, enemy, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, enemy, k + 1)) {
		friend = lasalle2_enemy(l, enemy, k);
		if (friend != u && lasalle2_only_enemy(l, friend) == enemy)
			why->units[why->n++] = l->f->units[friend].name.id;
	}
	if (why->n == 0)
		return;
	why->name = "together";
	why->enemy = l->f->units[enemy].name.id;
}

/* 10.3: a defender in a strong position: the first that there is. */
static void
lasalle2_find_strong(
    const struct lasalle2 *l, size_t u, struct lasalle2_cause *why)
{
	const struct lasalle2_unit *unit = &l->f->units[u];
	bool all_across = true, all_cavalry = true, all_uphill = true;
	const struct lasalle2_contact *contact;
	size_t k;

	if (unit->is_attacker || unit->is_shaken)
		return;
	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		contact = &l->f->contacts[k];
		if (contact->across == LASALLE2_OPEN)
			all_across = false;
		if (!contact->is_uphill)
			all_uphill = false;
		if (l->f->units[contact->attacker].arm != LASALLE2_CAVALRY)
			all_cavalry = false;
	}
	if (unit->formation == LASALLE2_GARRISON) {
		why->name = "garrison";
	} else if (all_across) {
		why->name = "cover";
		lasalle2_blame_enemies(l, u, ~0U, false, why);
	} else if (all_uphill) {
		why->name = "uphill";
		lasalle2_blame_enemies(l, u, ~0U, false, why);
	} else if (unit->formation == LASALLE2_SQUARE) {
		/* 10.8 */
		if (all_cavalry ||
		    !combat_ruling(l->c, LASALLE2_SQUARE_NEEDS_ALL_CAVALRY))
			lasalle2_blame_enemies(l, u, ~0U, true, why);
		why->name = why->n > 0 ? "square" : NULL;
	}
}

/* 10.3: cavalry without shock against cavalry that has it. */
static bool
lasalle2_is_shocked(const struct lasalle2 *l, size_t u)
{
	const struct lasalle2_unit *unit = &l->f->units[u], *enemy;
	size_t k;

	if (unit->arm != LASALLE2_CAVALRY ||
	    (unit->traits & LASALLE2_SHOCK) != 0)
		return (false);
	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		enemy = &l->f->units[lasalle2_enemy(l, u, k)];
		if (enemy->arm == LASALLE2_CAVALRY &&
		    (enemy->traits & LASALLE2_SHOCK) != 0)
			return (true);
	}
	return (false);
}

/* 10.3: the edges on which a defender is hit, by the half-the-bases test. */
static unsigned
lasalle2_hit_edges(const struct lasalle2 *l, size_t u)
{
	unsigned edges = 0;
	size_t k;

	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1))
		edges |= l->f->contacts[k].edge;
	return (edges);
}

/* 10.3: a unit in a poor formation: the first that there is. */
static void
lasalle2_find_poor(
    const struct lasalle2 *l, size_t u, struct lasalle2_cause *why)
{
	const struct lasalle2_unit *unit = &l->f->units[u];
	bool has_flanks;

	if (unit->formation == LASALLE2_MARCH)
		why->name = "march";
	else if (unit->arm == LASALLE2_INFANTRY &&
	    unit->formation != LASALLE2_SQUARE)
		lasalle2_blame_enemies(l, u, ~0U, true, why);
	if (why->n > 0)
		why->name = "cavalry";
	if (why->name != NULL)
		return;
	/* A square has no flanks; whether a garrison has: 10.8. */
	has_flanks = unit->formation != LASALLE2_SQUARE &&
	    (unit->formation != LASALLE2_GARRISON ||
		combat_ruling(l->c, LASALLE2_GARRISON_HAS_FLANKS));
	if (unit->is_attacker || !has_flanks)
		return;
	lasalle2_blame_enemies(l, u, ~LASALLE2_FRONT, false, why);
	why->name = why->n > 0 ? "flank" : NULL;
}

/* 10.3: finds the modifiers of unit u, and why those of more than one cause. */
static void
lasalle2_modify(const struct lasalle2 *l, size_t u,
    struct lasalle2_cause causes[LASALLE2_MODIFIERS])
{
	bool *has = l->st->fates[u].has;
	size_t i;

	for (i = 0; i < LASALLE2_MODIFIERS; i++) {
		causes[i].name = causes[i].enemy = NULL;
		causes[i].n = 0;
	}
	lasalle2_outnumbers(l, u, &causes[LASALLE2_OUTNUMBER]);
	lasalle2_find_strong(l, u, &causes[LASALLE2_STRONG_POSITION]);
	lasalle2_find_poor(l, u, &causes[LASALLE2_POOR_FORMATION]);
	for (i = 0; i < LASALLE2_MODIFIERS; i++)
		has[i] = causes[i].name != NULL;
	has[LASALLE2_ENEMY_SHOCK] = lasalle2_is_shocked(l, u);
	has[LASALLE2_DIFFICULT] = l->f->units[u].is_difficult;
}

/* 10.3: works out unit u's score from its die, and says so. */
static void
lasalle2_score(const struct lasalle2 *l, size_t u)
{
	struct lasalle2_fate *fate = &l->st->fates[u];
	struct event_field fields[6], mods[LASALLE2_MODIFIERS];
	struct event_field whys[LASALLE2_MODIFIERS];
	struct event_field parts[LASALLE2_MODIFIERS][3];
	struct lasalle2_cause causes[LASALLE2_MODIFIERS];
	size_t i, n = 0, n_fields = 0, n_parts, n_whys = 0;

	lasalle2_modify(l, u, causes);
	fate->score = fate->strength + fate->die;
	for (i = 0; i < LASALLE2_MODIFIERS; i++) {
		if (!fate->has[i])
			continue;
		fate->score += lasalle2_modifiers[i].value;
		mods[n++] = event_int(
		    lasalle2_modifiers[i].reason, lasalle2_modifiers[i].value);
		if (causes[i].name == NULL)
			continue;
		n_parts = 0;
		parts[i][n_parts++] = event_text("cause", causes[i].name);
		if (causes[i].enemy != NULL)
			parts[i][n_parts++] =
			    event_text("enemy", causes[i].enemy);
		if (causes[i].n > 0)
			parts[i][n_parts++] =
			    event_texts("units", causes[i].units, causes[i].n);
		whys[n_whys++] = event_object(
		    lasalle2_modifiers[i].reason, parts[i], n_parts);
	}
	if (fate->score < 1)
		fate->score = 1;
	fields[n_fields++] = event_text("unit", l->f->units[u].name.id);
	fields[n_fields++] = event_int("strength", fate->strength);
	fields[n_fields++] = event_int("die", fate->die);
	fields[n_fields++] = event_object("modifiers", mods, n);
	if (n_whys > 0)
		fields[n_fields++] = event_object("causes", whys, n_whys);
	fields[n_fields++] = event_int("score", fate->score);
	combat_emit(l->c, "score", fields, n_fields);
}

/* 10.2: finds who is still engaged, and says which attackers are not. */
static void
lasalle2_engage(const struct lasalle2 *l)
{
	struct lasalle2_fate *fate;
	size_t u;

	for (u = 0; u < l->f->n_units; u++) {
		fate = &l->st->fates[u];
		fate->is_engaged = lasalle2_contact(l, u, 0) < l->f->n_contacts;
		if (!fate->is_engaged && l->f->units[u].is_attacker)
			lasalle2_change(l, u, "unengaged", "retired", NULL, 0);
	}
}

/* 10.3: every unit that is still engaged rolls. */
static int
lasalle2_scores(const struct lasalle2 *l)
{
	struct lasalle2_fate *fate;
	uint16_t die;
	size_t u;
	int r;

	for (u = 0; u < l->f->n_units; u++) {
		fate = &l->st->fates[u];
		if (!fate->is_engaged)
			continue;
		if ((r = combat_roll(l->c, &die, 1, LASALLE2_SIDES, "score/%s",
			 l->f->units[u].name.id)) != 0)
			return (r);
		fate->die = die;
		lasalle2_score(l, u);
	}
	return (0);
}

/* 10.4: true if attacking lancers that rolled low have a square before them. */
static bool
lasalle2_may_reroll(const struct lasalle2 *l, size_t u)
{
	const struct lasalle2_unit *unit = &l->f->units[u];
	size_t k;

	if (unit->arm != LASALLE2_CAVALRY ||
	    (unit->traits & LASALLE2_LANCERS) == 0 || l->st->fates[u].die > 2)
		return (false);
	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		if (l->f->units[l->f->contacts[k].defender].formation ==
		    LASALLE2_SQUARE)
			return (true);
	}
	return (false);
}

/* 10.4: the attacker's lancers may roll again. */
static int
lasalle2_reroll(const struct lasalle2 *l)
{
	size_t units[COMBAT_SIDE_UNITS_MAX], i, n, u;
	uint16_t die;
	int r;

	if ((r = lasalle2_choose(l, COMBAT_ATTACKER, "reroll", 0,
		 l->f->n_attackers, COMBAT_SIDE_UNITS_MAX, lasalle2_may_reroll,
		 units, &n)) != 0)
		return (r);
	for (i = 0; i < n; i++) {
		u = units[i];
		if ((r = combat_roll(l->c, &die, 1, LASALLE2_SIDES, "reroll/%s",
			 l->f->units[u].name.id)) != 0)
			return (r);
		l->st->fates[u].die = die;
		lasalle2_score(l, u);
	}
	return (0);
}

/*
 * 10.5, 10.6: the units of one side that must stagger do so, in the order of
 * their player; where there is no path they break.
 */
static int
lasalle2_stagger(
    const struct lasalle2 *l, enum combat_side side, size_t first, size_t end)
{
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	size_t units[COMBAT_SIDE_UNITS_MAX], i, n = 0, u;
	struct question_answer a;
	struct question_member m;
	int r;

	for (u = first; u < end; u++) {
		if (!l->st->fates[u].must_stagger)
			continue;
		ids[n] = l->f->units[u].name.id;
		units[n++] = u;
	}
	if (n == 0)
		return (0);
	m = question_order("order", ids, n, "possible");
	if ((r = combat_decide(l->c, side, "stagger", &m, 1, &a)) != 0)
		return (r);
	for (i = 0; i < n; i++) {
		u = units[a.items[i].id];
		if (!a.items[i].value) {
			lasalle2_break(l, u, "no-path");
			continue;
		}
		l->st->fates[u].end = LASALLE2_STAGGERED;
		lasalle2_change(l, u, "staggered", "path", NULL, 0);
	}
	return (0);
}

/*
 * 10.5: an upset, if unit u rolled own and an enemy of it rolled theirs.
 * Returns whether it happened.
 */
static bool
lasalle2_is_upset(
    const struct lasalle2 *l, size_t u, int own, int theirs, const char *what)
{
	size_t enemy, k;

	if (l->st->fates[u].die != own)
		return (false);
	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		enemy = lasalle2_enemy(l, u, k);
		if (l->st->fates[enemy].die != theirs)
			continue;
		lasalle2_change(l, u, what, "upset",
		    EVENT_FIELDS(event_int("die", own),
			event_text("by", l->f->units[enemy].name.id),
			event_int("by_die", theirs)));
		return (true);
	}
	return (false);
}

/* Returns the attacker with the highest score on defender u, the first. */
static size_t
lasalle2_best_attacker(const struct lasalle2 *l, size_t u)
{
	size_t best, enemy, k;

	k = lasalle2_contact(l, u, 0);
	best = lasalle2_enemy(l, u, k);
	for (; k < l->f->n_contacts; k = lasalle2_contact(l, u, k + 1)) {
		enemy = lasalle2_enemy(l, u, k);
		if (l->st->fates[enemy].score > l->st->fates[best].score)
			best = enemy;
	}
	return (best);
}

/* 10.5: a defender that was hit on its rear or on both flanks is trapped. */
static bool
lasalle2_is_trapped(const struct lasalle2 *l, size_t u)
{
	unsigned edges = lasalle2_hit_edges(l, u);

	return ((edges & LASALLE2_REAR) != 0 ||
	    (edges & (LASALLE2_LEFT | LASALLE2_RIGHT)) ==
		(LASALLE2_LEFT | LASALLE2_RIGHT));
}

/* 10.5: what the scores do to one defender. */
static void
lasalle2_defender(const struct lasalle2 *l, size_t u)
{
	struct lasalle2_fate *fate = &l->st->fates[u];
	bool is_cavalry = l->f->units[u].arm == LASALLE2_CAVALRY;
	size_t by;
	int margin;

	if (lasalle2_is_upset(l, u, 1, LASALLE2_SIDES, "broken")) {
		fate->end = LASALLE2_BROKEN;
		return;
	}
	if (lasalle2_is_upset(l, u, LASALLE2_SIDES, 1, "unaffected"))
		return;
	by = lasalle2_best_attacker(l, u);
	margin = l->st->fates[by].score - fate->score;
	if (margin >= 3) {
		fate->end = LASALLE2_BROKEN;
		lasalle2_change_by(l, u, "broken", "outscored", by);
		return;
	}
	if (margin >= 1) {
		lasalle2_change_by(l, u, "outscored", "score", by);
		if (!lasalle2_disr(l, u, "outscored") || !is_cavalry)
			return;
		if (lasalle2_is_trapped(l, u))
			lasalle2_break(l, u, "trapped");
		else
			fate->must_stagger = true;
		return;
	}
	lasalle2_change_by(l, u, "in-place", "score", by);
	if (!is_cavalry)
		return;
	if (fate->strength > 1) {
		(void)lasalle2_disr(l, u, "cavalry"); /* it survives that */
		return;
	}
	lasalle2_change(l, u, "spared", "cavalry",
	    EVENT_FIELDS(event_int("strength", fate->strength)));
}

/* 10.5: the defenders' fates. */
static int
lasalle2_defenders(const struct lasalle2 *l)
{
	size_t u;

	for (u = l->f->n_attackers; u < l->f->n_units; u++) {
		if (l->st->fates[u].is_engaged)
			lasalle2_defender(l, u);
	}
	return (lasalle2_stagger(
	    l, COMBAT_DEFENDER, l->f->n_attackers, l->f->n_units));
}

/* 10.6: breaks attacker u if cavalry that it attacked outscored it by three. */
static bool
lasalle2_is_ridden_down(const struct lasalle2 *l, size_t u)
{
	const struct lasalle2_fate *fate;
	size_t enemy, k;

	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		enemy = lasalle2_enemy(l, u, k);
		fate = &l->st->fates[enemy];
		if (l->f->units[enemy].arm != LASALLE2_CAVALRY ||
		    fate->score - l->st->fates[u].score < 3)
			continue;
		/* 10.8 */
		if (fate->end == LASALLE2_BROKEN &&
		    !combat_ruling(l->c, LASALLE2_BROKEN_CAVALRY_BREAKS))
			continue;
		l->st->fates[u].end = LASALLE2_BROKEN;
		lasalle2_change_by(l, u, "broken", "cavalry", enemy);
		return (true);
	}
	return (false);
}

/* 10.6: what is left of the enemy does to one attacker. */
static void
lasalle2_attacker(const struct lasalle2 *l, size_t u)
{
	struct lasalle2_fate *fate = &l->st->fates[u];
	size_t enemy, k;

	if (lasalle2_is_ridden_down(l, u))
		return;
	for (k = lasalle2_contact(l, u, 0); k < l->f->n_contacts;
	     k = lasalle2_contact(l, u, k + 1)) {
		enemy = lasalle2_enemy(l, u, k);
		if (l->st->fates[enemy].end != LASALLE2_IN_PLACE)
			continue;
		lasalle2_change(l, u, "engaged", "in-place",
		    EVENT_FIELDS(event_text("by", l->f->units[enemy].name.id)));
		fate->must_stagger = lasalle2_disr(l, u, "engaged");
		return;
	}
	if (l->f->units[u].arm == LASALLE2_CAVALRY)
		(void)lasalle2_disr(l, u, "cavalry"); /* 10.1: survives */
	else if (fate->score % 2 == 0)
		lasalle2_change(l, u, "in-place", "even-score",
		    EVENT_FIELDS(event_int("score", fate->score)));
	else
		(void)lasalle2_disr(l, u, "odd-score"); /* likewise */
}

/* 10.6: the attackers' fates. */
static int
lasalle2_attackers(const struct lasalle2 *l)
{
	size_t u;

	for (u = 0; u < l->f->n_attackers; u++) {
		if (l->st->fates[u].is_engaged)
			lasalle2_attacker(l, u);
	}
	return (lasalle2_stagger(l, COMBAT_ATTACKER, 0, l->f->n_attackers));
}

/* 10.2 to 10.6. */
static int
lasalle2_run(struct combat *c)
{
	const struct lasalle2 l = {
	    .c = c,
	    .f = combat_facts(c),
	    .st = combat_state(c),
	};
	size_t u;
	int r;

	for (u = 0; u < l.f->n_units; u++)
		l.st->fates[u].strength = l.f->units[u].strength;
	if ((r = lasalle2_retire(&l)) != 0)
		return (r);
	lasalle2_engage(&l);
	if ((r = lasalle2_scores(&l)) != 0)
		return (r);
	if ((r = lasalle2_reroll(&l)) != 0)
		return (r);
	if ((r = lasalle2_defenders(&l)) != 0)
		return (r);
	return (lasalle2_attackers(&l));
}

/* Returns what became of a unit as a new object, or NULL (10.7). */
static json_t *
lasalle2_fate_json(const struct lasalle2_fate *fate)
{
	json_t *mods;
	size_t i;
	int bad = 0;

	if (!fate->is_engaged)
		return (json_pack("{s:s, s:i, s:i, s:n, s:n, s:n}", "state",
		    lasalle2_ends[fate->end], "strength", fate->strength,
		    "disr", fate->disr, "score", "die", "modifiers"));
	mods = json_object();
	for (i = 0; i < LASALLE2_MODIFIERS; i++) {
		if (fate->has[i])
			bad |= json_object_set_new(mods,
			    lasalle2_modifiers[i].reason,
			    json_integer(lasalle2_modifiers[i].value));
	}
	return (json_pack("{s:s, s:i, s:i, s:i, s:i, s:o}", "state",
	    lasalle2_ends[fate->end], "strength", fate->strength, "disr",
	    fate->disr, "score", fate->score, "die", fate->die, "modifiers",
	    js_made(mods, bad)));
}

/* 10.7. */
static json_t *
lasalle2_result(const struct combat *c)
{
	const struct lasalle2_facts *f = combat_facts(c);
	const struct lasalle2_state *st = combat_state(c);
	json_t *units;
	size_t u;
	int bad = 0;

	units = json_object();
	for (u = 0; u < f->n_units; u++)
		bad |= json_object_set_new(units, f->units[u].name.id,
		    lasalle2_fate_json(&st->fates[u]));
	return (json_pack("{s:o}", "units", js_made(units, bad)));
}

/* 10.10. */
static const char *const lasalle2_policy_retire[] = {"none", "all", NULL};
static const char *const lasalle2_policy_reroll[] = {"all", "none", NULL};
static const char *const lasalle2_policy_stagger[] = {"path", "none", NULL};

static const struct rules_policy lasalle2_policies[] = {
    {"retire", lasalle2_policy_retire,
	"which of the engaged artillery tries to retire", RULES_FACT_NO},
    {"reroll", lasalle2_policy_reroll,
	"which lancers that may roll again do so", RULES_FACT_NO},
    {"stagger", lasalle2_policy_stagger,
	"whether units that stagger have a path", RULES_FACT_YES},
    {.kind = NULL},
};

/*
 * 10.10: answers as the policy says, by the question alone, not by the dice.
 */
static int
lasalle2_policy(const struct combat *c, const struct question *q, int word,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct question_member *m = &q->members[0];
	bool is_all = word == 0;
	size_t i;

	(void)c;
	if (strcmp(q->kind, "retire") == 0)
		is_all = word == 1;
	/* They are named in the order of the facts; a stagger must name all. */
	a->items = room;
	a->n_items = is_all ? (size_t)m->hi : 0;
	if (m->shape == QUESTION_ORDER)
		a->n_items = m->n_ids;
	if (a->n_items > n_room)
		return (ERR_TOOBIG);
	for (i = 0; i < a->n_items; i++) {
		room[i].id = (int16_t)i;
		room[i].value = m->shape == QUESTION_ORDER && is_all;
	}
	return (0);
}

/*
 * 10.10: what a run came to.  A unit that is broken has lost all its strength,
 * and a hit is a DISR.
 */
static void
lasalle2_outcome(const struct combat *c, struct rules_outcome *out)
{
	const struct lasalle2_facts *f = combat_facts(c);
	const struct lasalle2_state *st = combat_state(c);
	size_t in_place[2] = {0, 0}, u;
	enum combat_side side;

	out->hits[COMBAT_ATTACKER] = out->hits[COMBAT_DEFENDER] = 0;
	for (u = 0; u < f->n_units; u++) {
		side =
		    f->units[u].is_attacker ? COMBAT_ATTACKER : COMBAT_DEFENDER;
		out->units[u].id = f->units[u].name.id;
		out->units[u].side = side;
		out->units[u].end = (int)st->fates[u].end;
		out->units[u].loss = st->fates[u].disr;
		if (st->fates[u].end == LASALLE2_BROKEN)
			out->units[u].loss = f->units[u].strength;
		if (st->fates[u].end == LASALLE2_IN_PLACE)
			in_place[side]++;
		out->hits[side] += st->fates[u].disr;
	}
	out->n_units = f->n_units;
	if (in_place[COMBAT_DEFENDER] == f->n_units - f->n_attackers)
		out->whole = "held";
	else if (in_place[COMBAT_DEFENDER] > 0)
		out->whole = "held in part";
	else if (in_place[COMBAT_ATTACKER] > 0)
		out->whole = "carried";
	else
		out->whole = "left empty";
}

const struct rules_system lasalle2_system = {
    .id = "lasalle2",
    .version = "lasalle2/1",
    .name = "Lasalle, 2nd edition",
    .rulings = lasalle2_rulings,
    .n_rulings = LASALLE2_RULINGS,
    .unit = lasalle2_facts_unit,
    .facts_size = sizeof(struct lasalle2_facts),
    .state_size = sizeof(struct lasalle2_state),
    .parse = lasalle2_facts_parse,
    .facts = lasalle2_facts_json,
    .run = lasalle2_run,
    .result = lasalle2_result,
    .roster_unit = lasalle2_facts_roster_unit,
    .game = &lasalle2_roster_game,
    .ends = lasalle2_ends,
    .policies = lasalle2_policies,
    .policy = lasalle2_policy,
    .outcome = lasalle2_outcome,
};
