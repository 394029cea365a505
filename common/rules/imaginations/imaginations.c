/* SPDX-License-Identifier: ISC */
/*
 * Imagi-Nations, horse and musket: resolving combat (umpire-rules.7, 13).
 * Straight through in the order of the rules: tactics, combat die rolls,
 * chits, hits, fatigue, morale, advance.  Facts that break the rules were
 * refused when they were read.
 */
#include "common/rules/imaginations/imaginations.h"

#include <stdio.h>
#include <string.h>

#include "common/rules/data.h"
#include "common/rules/imaginations/imaginations_allocate.h"
#include "common/rules/imaginations/imaginations_facts.h"
#include "common/rules/imaginations/imaginations_fate.h"
#include "common/rules/imaginations/imaginations_policy.h"
#include "common/rules/imaginations/imaginations_roster.h"
#include "common/rules/rulekit.h"

#define IMAGINATIONS_CHARGE_MAX 3 /* chits of a cavalry charge */
#define IMAGINATIONS_KINDS_MAX 128 /* of chits that odds tell apart */

enum imaginations_without {
	IMAGINATIONS_ON_BOTH,
	IMAGINATIONS_ON_NONE,
};

static const char *const imaginations_without[] = {
    [IMAGINATIONS_ON_BOTH] = "both",
    [IMAGINATIONS_ON_NONE] = "none",
    NULL,
};

static const char *const imaginations_automatic[] = {
    [IMAGINATIONS_RALLY_AUTOMATIC] = "automatic",
    NULL,
};

static const int imaginations_cdr_dice[] = {6, 8, 10, 12, 20};
static const int imaginations_evade_targets[] = {2, 3, 4, 5, 6};
static const int imaginations_rally_targets[] = {2, 3, 4, 5, 6};
static const int imaginations_morale_dice[] = {6, 8, 10};

static const struct rules_ruling imaginations_rulings[] = {
    [IMAGINATIONS_CDR_DIE] = {.name = "cdr_die",
	.question = "how many sides has the die of the combat die roll?",
	.numbers = imaginations_cdr_dice,
	.n_numbers = 5,
	.fallback = 20},
    [IMAGINATIONS_EVADE_TARGET] = {.name = "evade_target",
	.question = "what must one six-sided die show for a defender to evade?",
	.numbers = imaginations_evade_targets,
	.n_numbers = 5,
	.fallback = 4},
    [IMAGINATIONS_MORALE_DIE] = {.name = "morale_die",
	.question = "how many sides has the die of a morale test?",
	.numbers = imaginations_morale_dice,
	.n_numbers = 3,
	.fallback = 6},
    [IMAGINATIONS_EFFECTS_WITHOUT_HITS] = {.name = "effects_without_hits",
	.question = "on whom do F and M fall when neither side suffered a hit?",
	.words = imaginations_without,
	.fallback = IMAGINATIONS_ON_BOTH},
    [IMAGINATIONS_DISORDERED_COUNTER_ATTACK] = {.name =
						    "disordered_counter_attack",
	.question = "may a defender counter-attack with a disordered unit?",
	.is_bool = true,
	.fallback = false},
    [IMAGINATIONS_CHARGE_FATIGUE] = {.name = "charge_fatigue",
	.question = "does a cavalry-charge tire the units that make it?",
	.is_bool = true,
	.fallback = true},
    [IMAGINATIONS_RALLY_TARGET] = {.name = "rally_target",
	.question = "what must one six-sided die show for a unit to rally or "
		    "to recover?",
	.words = imaginations_automatic,
	.numbers = imaginations_rally_targets,
	.n_numbers = 5,
	.fallback = 4},
};

/* 13.3: what a card asks for and which modifiers count with it. */
static const struct {
	enum combat_side side;
	int chits; /* -1: as many as attacking units, within limits */
	int kind; /* enum imaginations_kind, or -1 for none */
} imaginations_cards[] = {
    [IMAGINATIONS_FEINT] = {COMBAT_ATTACKER, 1, -1},
    [IMAGINATIONS_CAVALRY_CHARGE] = {COMBAT_ATTACKER, -1,
	IMAGINATIONS_OFFENSIVE},
    [IMAGINATIONS_PREPARED_ATTACK] = {COMBAT_ATTACKER, 5,
	IMAGINATIONS_OFFENSIVE},
    [IMAGINATIONS_HASTY_ATTACK] = {COMBAT_ATTACKER, 3, -1},
    [IMAGINATIONS_PINNING_ATTACK] = {COMBAT_ATTACKER, 2, -1},
    [IMAGINATIONS_HOLD] = {COMBAT_DEFENDER, 1, -1},
    [IMAGINATIONS_DEFEND] = {COMBAT_DEFENDER, 2, IMAGINATIONS_DEFENSIVE},
    [IMAGINATIONS_EVADE] = {COMBAT_DEFENDER, 0, -1},
    [IMAGINATIONS_COUNTER_ATTACK] = {COMBAT_DEFENDER, 3,
	IMAGINATIONS_OFFENSIVE},
};

/* 13.4: what a battalion adds. */
static const int imaginations_qualities[] = {
    [IMAGINATIONS_ELITE] = 2,
    [IMAGINATIONS_VETERAN] = 1,
    [IMAGINATIONS_EXPERIENCED] = 0,
    [IMAGINATIONS_TRAINED] = -1,
    [IMAGINATIONS_RAW] = -2,
};

/* A run of the rules: facts, state and the conversation in one place. */
struct imaginations {
	struct combat *c;
	const struct imaginations_facts *f;
	struct imaginations_state *st;
};

/* The member of an event that names a side. */
static struct event_field
imaginations_by_side(enum combat_side side)
{
	return (event_text("side", question_side(side)));
}

/* The member of an event that names a unit. */
static struct event_field
imaginations_by_unit(const struct imaginations *m, size_t u)
{
	return (event_text("unit", m->f->units[u].name.id));
}

/* Gives a unit n points of fatigue; a roster holds no more than the most. */
static void
imaginations_fatigue(
    const struct imaginations *m, size_t u, int n, const char *why)
{
	struct imaginations_fate *fate = &m->st->fates[u];

	fate->fatigue += n;
	if (fate->fatigue > RULES_COUNT_MAX)
		fate->fatigue = RULES_COUNT_MAX;
	combat_change(m->c, imaginations_by_unit(m, u), "fatigue", why,
	    EVENT_FIELDS(
		event_int("points", n), event_int("fatigue", fate->fatigue)));
}

/* True if every attacking unit is of this arm. */
static bool
imaginations_all_are(
    const struct imaginations_facts *f, enum imaginations_arm arm)
{
	size_t u;

	for (u = f->sides[COMBAT_ATTACKER].first;
	     u < f->sides[COMBAT_ATTACKER].end; u++) {
		if (f->units[u].arm != arm)
			return (false);
	}
	return (true);
}

/* True if a defending unit is disordered. */
static bool
imaginations_is_in_disorder(const struct imaginations_facts *f)
{
	size_t u;

	for (u = f->sides[COMBAT_DEFENDER].first;
	     u < f->sides[COMBAT_DEFENDER].end; u++) {
		if (f->units[u].is_disordered)
			return (true);
	}
	return (false);
}

/* 13.3: true if a side may play this card. */
static bool
imaginations_may_play(const struct imaginations *m, enum combat_side side,
    enum imaginations_tactic card)
{
	const struct imaginations_facts *f = m->f;
	const struct imaginations_side *defender = &f->sides[COMBAT_DEFENDER];

	if (imaginations_cards[card].side != side)
		return (false);
	if (card == IMAGINATIONS_CAVALRY_CHARGE)
		return (imaginations_all_are(f, IMAGINATIONS_CAVALRY));
	if (card == IMAGINATIONS_DEFEND)
		return (defender->has_objective ||
		    strcmp(f->terrain, IMAGINATIONS_OPEN) != 0);
	if (card == IMAGINATIONS_EVADE)
		return (defender->can_evade);
	if (card == IMAGINATIONS_COUNTER_ATTACK)
		return (!imaginations_is_in_disorder(f) ||
		    combat_ruling(
			m->c, IMAGINATIONS_DISORDERED_COUNTER_ATTACK) != 0);
	return (true);
}

/* 13.3: says which card a side plays and what it asks for. */
static void
imaginations_play(const struct imaginations *m, enum combat_side side)
{
	static const char *const counted[] = {
	    [IMAGINATIONS_OFFENSIVE] = "offensive",
	    [IMAGINATIONS_DEFENSIVE] = "defensive",
	};
	const struct imaginations_side *attacker =
	    &m->f->sides[COMBAT_ATTACKER];
	enum imaginations_tactic card = m->st->cards[side];
	int kind = imaginations_cards[card].kind;
	size_t n;

	m->st->chits[side] = imaginations_cards[card].chits;
	if (m->st->chits[side] == -1) {
		n = attacker->end - attacker->first;
		m->st->chits[side] = n < IMAGINATIONS_CHARGE_MAX
		    ? (int)n
		    : IMAGINATIONS_CHARGE_MAX;
	}
	combat_change(m->c, imaginations_by_side(side), "tactic", "card",
	    EVENT_FIELDS(event_text("tactic", imaginations_bag_tactics[card]),
		event_int("chits", m->st->chits[side]),
		event_text("modifiers", kind == -1 ? "none" : counted[kind])));
}

/* 13.3: both sides choose their cards in secret. */
static int
imaginations_tactics(const struct imaginations *m)
{
	const char *ids[IMAGINATIONS_SIDES][IMAGINATIONS_TACTICS];
	enum imaginations_tactic cards[IMAGINATIONS_SIDES]
				      [IMAGINATIONS_TACTICS];
	struct question_member members[IMAGINATIONS_SIDES];
	struct question_answer answers[IMAGINATIONS_SIDES];
	enum imaginations_tactic card;
	enum combat_side side;
	int most = 0, r;
	size_t n;

	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		n = 0;
		for (card = 0; card < IMAGINATIONS_TACTICS; card++) {
			if (!imaginations_may_play(m, side, card))
				continue;
			ids[side][n] = imaginations_bag_tactics[card];
			cards[side][n++] = card;
		}
		members[side] = question_one_of("tactic", ids[side], n);
	}
	if ((r = combat_decide_secret(m->c, "tactic", members, answers)) != 0)
		return (r);
	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		m->st->cards[side] = cards[side][answers[side].number[0]];
		imaginations_play(m, side);
		most += m->st->chits[side];
	}
	/* 13.2 */
	if (m->f->bag.n < (size_t)most)
		return (combat_refuse(m->c, "combat.bag",
		    "must have at least %d chits, which the cards ask for "
		    "together",
		    most));
	return (0);
}

/* 13.7: after a cavalry charge every attacking unit is more tired. */
static void
imaginations_charge(const struct imaginations *m)
{
	const struct imaginations_side *s = &m->f->sides[COMBAT_ATTACKER];
	size_t u;

	if (m->st->cards[COMBAT_ATTACKER] != IMAGINATIONS_CAVALRY_CHARGE ||
	    combat_ruling(m->c, IMAGINATIONS_CHARGE_FATIGUE) == 0)
		return;
	for (u = s->first; u < s->end; u++)
		imaginations_fatigue(m, u, 1, "charge");
}

/* 13.3: a defender that evades may be gone. */
static int
imaginations_evade(const struct imaginations *m)
{
	int target = combat_ruling(m->c, IMAGINATIONS_EVADE_TARGET);
	uint16_t die;
	int r;

	if (m->st->cards[COMBAT_DEFENDER] != IMAGINATIONS_EVADE)
		return (0);
	if ((r = combat_roll(m->c, &die, 1, 6, "evade")) != 0)
		return (r);
	m->st->has_evaded = die >= target;
	combat_change(m->c, imaginations_by_side(COMBAT_DEFENDER),
	    m->st->has_evaded ? "evaded" : "caught", "evade",
	    EVENT_FIELDS(event_int("die", die), event_int("target", target)));
	return (0);
}

/* 13.4: adds what each quality of a side's battalions is worth together. */
static size_t
imaginations_add_qualities(const struct imaginations *m, enum combat_side side,
    struct event_field *fields)
{
	const struct imaginations_side *s = &m->f->sides[side];
	int count[IMAGINATIONS_QUALITIES] = {0};
	size_t b, n = 0, q;

	for (b = s->first_battalion; b < s->end_battalion; b++) {
		if (imaginations_fate_left(m->f, m->st, b) > 0)
			count[m->f->battalions[b].quality]++;
	}
	for (q = 0; q < IMAGINATIONS_QUALITIES; q++) {
		if (count[q] == 0)
			continue;
		m->st->cdr[side] += count[q] * imaginations_qualities[q];
		fields[n++] = event_int(imaginations_facts_qualities[q],
		    count[q] * imaginations_qualities[q]);
	}
	return (n);
}

/* 13.4: adds the commanders of a side. */
static size_t
imaginations_add_commanders(const struct imaginations *m, enum combat_side side,
    struct event_field *fields)
{
	const struct imaginations_unit *unit;
	size_t n = 0, u;

	for (u = m->f->sides[side].first; u < m->f->sides[side].end; u++) {
		unit = &m->f->units[u];
		if (unit->commander == 0)
			continue;
		m->st->cdr[side] += unit->commander;
		fields[n++] = event_int(unit->name.id, unit->commander);
	}
	return (n);
}

/* 13.4: adds the modifiers of a side that count with its card. */
static size_t
imaginations_add_modifiers(const struct imaginations *m, enum combat_side side,
    struct event_field *fields)
{
	int kind = imaginations_cards[m->st->cards[side]].kind;
	const struct imaginations_side *s = &m->f->sides[side];
	const struct imaginations_modifier *mod;
	size_t i, n = 0;

	for (i = 0; i < s->n_modifiers; i++) {
		mod = &s->modifiers[i];
		if (mod->kind != IMAGINATIONS_CONDITIONAL &&
		    (int)mod->kind != kind)
			continue;
		m->st->cdr[side] += mod->value;
		fields[n++] = event_int(mod->key, mod->value);
	}
	return (n);
}

/* 13.4: works out the combat die roll of a side from its die. */
static void
imaginations_score(const struct imaginations *m, enum combat_side side, int die)
{
	struct event_field commanders[COMBAT_SIDE_UNITS_MAX];
	struct event_field modifiers[IMAGINATIONS_MODIFIERS_MAX];
	struct event_field qualities[IMAGINATIONS_QUALITIES];
	size_t n_commanders, n_modifiers, n_qualities;

	m->st->cdr[side] = die;
	n_qualities = imaginations_add_qualities(m, side, qualities);
	n_commanders = imaginations_add_commanders(m, side, commanders);
	n_modifiers = imaginations_add_modifiers(m, side, modifiers);
	if (m->st->cdr[side] < 1)
		m->st->cdr[side] = 1;
	combat_emit(m->c, "score",
	    EVENT_FIELDS(imaginations_by_side(side), event_text("what", "cdr"),
		event_int("die", die),
		event_object("battalions", qualities, n_qualities),
		event_object("commanders", commanders, n_commanders),
		event_object("modifiers", modifiers, n_modifiers),
		event_int("least", 1), event_int("score", m->st->cdr[side])));
}

/* 13.4: combat die rolls and their ratio. */
static int
imaginations_cdr(const struct imaginations *m)
{
	unsigned sides = (unsigned)combat_ruling(m->c, IMAGINATIONS_CDR_DIE);
	int *cdr = m->st->cdr, r;
	enum combat_side side;
	uint16_t die;

	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		if ((r = combat_roll(m->c, &die, 1, sides, "cdr/%s",
			 question_side(side))) != 0)
			return (r);
		imaginations_score(m, side, die);
	}
	if (cdr[COMBAT_ATTACKER] >= cdr[COMBAT_DEFENDER])
		(void)snprintf(m->st->ratio, sizeof(m->st->ratio), "%d:1",
		    cdr[COMBAT_ATTACKER] / cdr[COMBAT_DEFENDER]);
	else
		(void)snprintf(m->st->ratio, sizeof(m->st->ratio), "1:%d",
		    cdr[COMBAT_DEFENDER] / cdr[COMBAT_ATTACKER]);
	combat_change(m->c, imaginations_by_side(COMBAT_ATTACKER), "ratio",
	    "cdr",
	    EVENT_FIELDS(event_int("attacker", cdr[COMBAT_ATTACKER]),
		event_int("defender", cdr[COMBAT_DEFENDER]),
		event_text("ratio", m->st->ratio)));
	return (0);
}

/* 13.5: how many chits are drawn. */
static int
imaginations_number(const struct imaginations *m, int *number)
{
	const struct question_member member = {
	    .name = "number",
	    .shape = QUESTION_INT,
	    .lo = m->st->chits[COMBAT_ATTACKER],
	    .hi = m->st->chits[COMBAT_ATTACKER] + m->st->chits[COMBAT_DEFENDER],
	};
	struct question_answer a = {.number = {member.lo}};
	int r;

	if (member.lo != member.hi &&
	    (r = combat_decide(
		 m->c, COMBAT_ATTACKER, "chits", &member, 1, &a)) != 0)
		return (r);
	*number = a.number[0];
	combat_change(m->c, imaginations_by_side(COMBAT_ATTACKER), "number",
	    "cards",
	    EVENT_FIELDS(event_int("least", member.lo),
		event_int("most", member.hi), event_int("number", *number)));
	return (0);
}

/* 13.5: true if a face is there and all its conditions hold. */
static bool
imaginations_holds(
    const struct imaginations *m, const struct imaginations_face *face)
{
	int a = m->st->cdr[COMBAT_ATTACKER], d = m->st->cdr[COMBAT_DEFENDER];
	int tactic = face->tactic - 1;

	if (!face->is_there)
		return (false);
	if (face->ratio > 0 && a < (int64_t)face->ratio * d)
		return (false);
	if (face->ratio_against > 0 && d < (int64_t)face->ratio_against * a)
		return (false);
	if (strcmp(face->terrain, "cover") == 0) {
		if (strcmp(m->f->terrain, IMAGINATIONS_OPEN) == 0)
			return (false);
	} else if (face->terrain[0] != '\0' &&
	    strcmp(face->terrain, m->f->terrain) != 0) {
		return (false);
	}
	if (face->power == 1 + COMBAT_ATTACKER && a <= d)
		return (false);
	if (face->power == 1 + COMBAT_DEFENDER && d <= a)
		return (false);
	if (tactic >= 0 && (int)m->st->cards[COMBAT_ATTACKER] != tactic &&
	    (int)m->st->cards[COMBAT_DEFENDER] != tactic)
		return (false);
	return (face->arm == 0 ||
	    imaginations_all_are(m->f, (enum imaginations_arm)(face->arm - 1)));
}

/* 13.5: adds what an effect does. */
static void
imaginations_effect(const struct imaginations *m, struct imaginations_drawn *k,
    const struct imaginations_effect *effect)
{
	enum combat_side by =
	    effect->what == IMAGINATIONS_A ? COMBAT_ATTACKER : COMBAT_DEFENDER;

	if (effect->what == IMAGINATIONS_F)
		m->st->fatigue++;
	else if (effect->what == IMAGINATIONS_M)
		m->st->morale++;
	else if (effect->n > 0)
		k->scored[1 - by] += effect->n;
	else
		k->fewer[by] -= effect->n;
}

/* 13.5: says which faces of a chit count. */
static void
imaginations_faces(const struct imaginations *m,
    const struct imaginations_chit *chit, bool counts[2])
{
	size_t i;

	for (i = 0; i < 2; i++)
		counts[i] = imaginations_holds(m, &chit->faces[i]);
	if (chit->takes != IMAGINATIONS_BOTH && counts[chit->takes])
		counts[1 - chit->takes] = false;
}

/* 13.5: settles one chit, and says what it says and what counts. */
static void
imaginations_settle(const struct imaginations *m, struct imaginations_drawn *k)
{
	static const char *const whys[] = {"nothing", "front", "back", "both"};
	const struct imaginations_chit *chit = &m->f->bag.chits[k->chit];
	char faces[2][IMAGINATIONS_FACE_TEXT];
	char texts[2 * IMAGINATIONS_EFFECTS_MAX][IMAGINATIONS_EFFECT_TEXT];
	const char *effects[2 * IMAGINATIONS_EFFECTS_MAX];
	const struct imaginations_face *face;
	const char *said[2];
	bool counts[2];
	size_t i, j, n = 0;

	imaginations_faces(m, chit, counts);
	for (i = 0; i < 2; i++) {
		face = &chit->faces[i];
		for (j = 0; counts[i] && j < face->n_effects; j++)
			imaginations_effect(m, k, &face->effects[j]);
	}
	if (!combat_is_told(m->c))
		return;
	for (i = 0; i < 2; i++) {
		face = &chit->faces[i];
		imaginations_bag_face(face, faces[i]);
		said[i] = face->is_there ? faces[i] : NULL;
		for (j = 0; counts[i] && j < face->n_effects; j++) {
			imaginations_bag_effect(&face->effects[j], texts[n]);
			effects[n] = texts[n];
			n++;
		}
	}
	combat_change(m->c, imaginations_by_side(COMBAT_ATTACKER), "chit",
	    whys[(counts[0] ? 1 : 0) + (counts[1] ? 2 : 0)],
	    EVENT_FIELDS(event_text("chit", chit->id),
		event_text("takes", imaginations_bag_takes[chit->takes]),
		event_text("front", said[0]), event_text("back", said[1]),
		event_texts("effects", effects, n)));
}

/* What a chit does: hits on each side together, F and M. */
struct imaginations_does {
	int16_t hits[IMAGINATIONS_SIDES];
	int16_t fatigue, morale;
};

/* Chits that do the same, and how many they are. */
struct imaginations_likes {
	struct imaginations_does does;
	uint16_t n;
};

/* 13.5: what a chit does after these cards and combat die rolls. */
static struct imaginations_does
imaginations_weigh(
    const struct imaginations *m, const struct imaginations_chit *chit)
{
	struct imaginations_does does = {.fatigue = 0};
	const struct imaginations_effect *effect;
	enum combat_side by;
	bool counts[2];
	size_t i, j;

	imaginations_faces(m, chit, counts);
	for (i = 0; i < 2; i++) {
		for (j = 0; counts[i] && j < chit->faces[i].n_effects; j++) {
			effect = &chit->faces[i].effects[j];
			if (effect->what == IMAGINATIONS_F) {
				does.fatigue++;
				continue;
			}
			if (effect->what == IMAGINATIONS_M) {
				does.morale++;
				continue;
			}
			by = effect->what == IMAGINATIONS_A ? COMBAT_ATTACKER
							    : COMBAT_DEFENDER;
			if (effect->n > 0)
				by = question_enemy(by);
			does.hits[by] = (int16_t)(does.hits[by] + effect->n);
		}
	}
	return (does);
}

/*
 * 13.5: for odds: of the combat die rolls only what the chits do after them
 * matters from here on, and chits that do the same are alike.
 */
static int
imaginations_alike(const struct imaginations *m)
{
	struct imaginations_likes kinds[IMAGINATIONS_KINDS_MAX];
	uint16_t of[IMAGINATIONS_BAG_MAX];
	const struct imaginations_bag *bag = &m->f->bag;
	struct imaginations_does does;
	size_t i, k, n = 0;

	if (combat_knows_alike(m->c))
		return (combat_meet(m->c, 0, NULL, 0));
	for (i = 0; i < bag->n; i++) {
		does = imaginations_weigh(m, &bag->chits[i]);
		for (k = 0; k < n; k++) {
			if (memcmp(&kinds[k].does, &does, sizeof(does)) == 0)
				break;
		}
		if (k == IMAGINATIONS_KINDS_MAX)
			return (0); /* few are alike */
		if (k == n)
			kinds[n++] = (struct imaginations_likes){.does = does};
		kinds[k].n++;
		of[i] = (uint16_t)k;
	}
	combat_alike(m->c, of, bag->n);
	return (combat_meet(m->c, 0, kinds, n * sizeof(kinds[0])));
}

/*
 * 13.6: for odds: what of the dice and chits so far matters from here on, after
 * so many of the units may have tested their morale.
 */
static int
imaginations_meet(const struct imaginations *m, size_t tested)
{
	const size_t n_units = m->f->n_units, n_battalions = m->f->n_battalions;
	uint16_t matters[4 + 2 * IMAGINATIONS_UNITS_MAX +
	    IMAGINATIONS_BATTALIONS_MAX];
	size_t i, n = 0;

	matters[n++] = (uint16_t)m->st->hits[COMBAT_ATTACKER];
	matters[n++] = (uint16_t)m->st->hits[COMBAT_DEFENDER];
	matters[n++] = (uint16_t)m->st->fatigue;
	matters[n++] = (uint16_t)m->st->morale;
	for (i = 0; i < n_units; i++) {
		matters[n++] = (uint16_t)m->st->fates[i].retreated;
		matters[n++] = m->st->fates[i].has_failed;
	}
	for (i = 0; i < n_battalions; i++)
		matters[n++] = (uint16_t)m->st->taken[i];
	return (combat_meet(
	    m->c, (unsigned)tested + 1, matters, n * sizeof(matters[0])));
}

/* 13.5: draws the chits one by one. */
static int
imaginations_draw(const struct imaginations *m, int number)
{
	struct imaginations_drawn *k;
	int i, r;

	if (combat_is_walked(m->c) && (r = imaginations_alike(m)) != 0)
		return (r);
	for (i = 0; i < number; i++) {
		k = &m->st->drawn[i];
		if ((r = combat_draw(m->c, "chits", m->f->chits,
			 (unsigned)m->f->bag.n, &k->chit)) != 0)
			return (r);
		imaginations_settle(m, k);
		m->st->n_drawn++;
	}
	return (0);
}

/* 13.6: adds up the hits that a side suffers. */
static void
imaginations_suffer(const struct imaginations *m, enum combat_side side)
{
	struct event_field fewer[IMAGINATIONS_CHITS_MAX];
	struct event_field hits[IMAGINATIONS_CHITS_MAX];
	const struct imaginations_drawn *k;
	size_t i, n_fewer = 0, n_hits = 0;
	int sum = 0;

	for (i = 0; i < m->st->n_drawn; i++) {
		k = &m->st->drawn[i];
		sum += k->scored[side] - k->fewer[side];
		if (k->scored[side] > 0)
			hits[n_hits++] =
			    event_int(m->f->chits[k->chit], k->scored[side]);
		if (k->fewer[side] > 0)
			fewer[n_fewer++] =
			    event_int(m->f->chits[k->chit], -k->fewer[side]);
	}
	m->st->hits[side] = sum > 0 ? sum : 0;
	combat_emit(m->c, "score",
	    EVENT_FIELDS(imaginations_by_side(side), event_text("what", "hits"),
		event_object("suffered", hits, n_hits),
		event_object("spared", fewer, n_fewer), event_int("least", 0),
		event_int("score", m->st->hits[side])));
}

/* 13.6: carries out what one unit takes. */
static void
imaginations_take(const struct imaginations *m,
    const struct imaginations_toll *toll, size_t u)
{
	const struct imaginations_unit *unit = &m->f->units[u];
	const struct event_field who = imaginations_by_unit(m, u);
	struct imaginations_fate *fate = &m->st->fates[u];
	int taken = 0;
	size_t b;

	for (b = unit->first; b < unit->end; b++) {
		if (toll->taken[b] == 0)
			continue;
		taken += toll->taken[b];
		m->st->taken[b] = toll->taken[b];
		combat_change(m->c, who, "hits", "chits",
		    EVENT_FIELDS(
			event_text("battalion", m->f->battalions[b].id),
			event_int("taken", toll->taken[b]),
			event_int(
			    "hits", m->f->battalions[b].hits + toll->taken[b]),
			event_int(
			    "left", imaginations_fate_left(m->f, m->st, b))));
	}
	fate->retreated = toll->spaces[u];
	if (fate->retreated > 0) {
		combat_change(m->c, who, "retreated", "hits",
		    EVENT_FIELDS(event_int("spaces", fate->retreated)));
		imaginations_fatigue(m, u, 1, "retreat");
	}
	if (fate->retreated > 1) {
		fate->is_disordered = true;
		combat_change(m->c, who, "disordered", "retreat", NULL, 0);
	}
	if (taken > 0 && imaginations_fate_unit_left(m->f, m->st, u) == 0)
		combat_change(m->c, who, "destroyed", "hits", NULL, 0);
}

/* 13.6: a side takes its hits. */
static int
imaginations_allocate(const struct imaginations *m, enum combat_side side)
{
	const struct imaginations_side *s = &m->f->sides[side];
	int lost = m->st->hits[side], r;
	struct imaginations_toll toll;
	struct question_answer a;
	size_t b, u;

	if (lost == 0)
		return (0);
	m->st->claim.side = side;
	m->st->claim.hits = lost;
	if (imaginations_allocate_strength(m->f, side) > 0) {
		if ((r = combat_decide_rule(m->c, side, "allocate",
			 &imaginations_allocate_rule, &a)) != 0)
			return (r);
		imaginations_allocate_toll(m->c, &a, &toll);
		for (b = s->first_battalion; b < s->end_battalion; b++)
			lost -= toll.taken[b];
		for (u = s->first; u < s->end; u++) {
			imaginations_take(m, &toll, u);
			lost -= toll.spaces[u];
		}
	}
	if (lost > 0)
		combat_change(m->c, imaginations_by_side(side), "lost",
		    "no-strength", EVENT_FIELDS(event_int("hits", lost)));
	return (0);
}

/* 13.7: true if F and M fall on this side. */
static bool
imaginations_is_worse(const struct imaginations *m, enum combat_side side)
{
	const int *hits = m->st->hits;

	if (hits[0] == 0 && hits[1] == 0)
		return (
		    combat_ruling(m->c, IMAGINATIONS_EFFECTS_WITHOUT_HITS) ==
		    IMAGINATIONS_ON_BOTH);
	return (hits[side] >= hits[1 - side]);
}

/* 13.7: says on whom F and M fall; fatigue, then that of a charge. */
static void
imaginations_tire(const struct imaginations *m)
{
	const int *hits = m->st->hits;
	const char *why = "more";
	bool is_worse;
	size_t u;
	int i;

	if (hits[0] == hits[1])
		why = hits[0] == 0 ? "no-hits" : "equal";
	for (i = COMBAT_DEFENDER; i >= COMBAT_ATTACKER; i--) {
		is_worse = imaginations_is_worse(m, (enum combat_side)i);
		if (m->st->fatigue == 0 && m->st->morale == 0)
			break;
		if (is_worse || hits[0] == hits[1])
			combat_change(m->c,
			    imaginations_by_side((enum combat_side)i),
			    is_worse ? "affected" : "unaffected", why,
			    EVENT_FIELDS(
				event_int("attacker", hits[COMBAT_ATTACKER]),
				event_int("defender", hits[COMBAT_DEFENDER])));
		if (!is_worse || m->st->fatigue == 0)
			continue;
		for (u = m->f->sides[i].first; u < m->f->sides[i].end; u++)
			imaginations_fatigue(m, u, m->st->fatigue, "chits");
	}
	imaginations_charge(m);
}

/* 13.8: one unit tests its morale. */
static int
imaginations_test(const struct imaginations *m, size_t u)
{
	unsigned sides = (unsigned)combat_ruling(m->c, IMAGINATIONS_MORALE_DIE);
	const struct event_field who = imaginations_by_unit(m, u);
	struct imaginations_fate *fate = &m->st->fates[u];
	int morale = fate->morale;
	uint16_t die;
	int r;

	if ((r = combat_roll(m->c, &die, 1, sides, "morale/%s",
		 m->f->units[u].name.id)) != 0)
		return (r);
	if (die > morale) {
		fate->has_failed = true;
		if (morale > 0)
			fate->morale--;
		combat_change(m->c, who, "failed", "morale",
		    EVENT_FIELDS(event_int("die", die),
			event_int("morale", morale),
			event_int("now", fate->morale)));
		return (0);
	}
	combat_change(m->c, who, "passed", "morale",
	    EVENT_FIELDS(event_int("die", die), event_int("morale", morale)));
	if (fate->is_disordered)
		combat_change(m->c, who, "in-order", "morale", NULL, 0);
	fate->is_disordered = false;
	return (0);
}

/* 13.8: morale tests, the defender's first. */
static int
imaginations_morale(const struct imaginations *m)
{
	size_t u;
	int i, r;

	if (m->st->morale == 0)
		return (0);
	for (i = COMBAT_DEFENDER; i >= COMBAT_ATTACKER; i--) {
		if (!imaginations_is_worse(m, (enum combat_side)i))
			continue;
		for (u = m->f->sides[i].first; u < m->f->sides[i].end; u++) {
			if ((r = imaginations_test(m, u)) != 0 ||
			    (r = imaginations_meet(m, u + 1)) != 0)
				return (r);
		}
	}
	return (0);
}

/* 13.8: the attacker may follow when no defender is left in place. */
static int
imaginations_advance(const struct imaginations *m)
{
	const struct imaginations_side *s = &m->f->sides[COMBAT_DEFENDER];
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	size_t asked[COMBAT_SIDE_UNITS_MAX], i, n = 0, u;
	struct question_member member;
	struct question_answer a;
	int r;

	for (u = s->first; u < s->end; u++) {
		if (m->st->fates[u].retreated == 0 &&
		    imaginations_fate_unit_left(m->f, m->st, u) > 0)
			return (0);
	}
	s = &m->f->sides[COMBAT_ATTACKER];
	for (u = s->first; u < s->end; u++) {
		if (imaginations_fate_unit_left(m->f, m->st, u) == 0 ||
		    m->st->fates[u].retreated > 0 || m->st->fates[u].has_failed)
			continue;
		ids[n] = m->f->units[u].name.id;
		asked[n++] = u;
	}
	if (n == 0)
		return (0);
	member = question_some("units", ids, n, 0, (int)n);
	if ((r = combat_decide(
		 m->c, COMBAT_ATTACKER, "advance", &member, 1, &a)) != 0)
		return (r);
	for (i = 0; i < a.n_items; i++)
		m->st->advanced[m->st->n_advanced++] = asked[a.items[i].id];
	return (0);
}

/* 13.3 to 13.8. */
static int
imaginations_run(struct combat *c)
{
	const struct imaginations m = {
	    .c = c,
	    .f = combat_facts(c),
	    .st = combat_state(c),
	};
	int number, r;
	size_t u;

	for (u = 0; u < m.f->n_units; u++) {
		m.st->fates[u].fatigue = m.f->units[u].fatigue;
		m.st->fates[u].is_disordered = m.f->units[u].is_disordered;
		m.st->fates[u].morale = m.f->units[u].morale;
	}
	if ((r = imaginations_tactics(&m)) != 0)
		return (r);
	if ((r = imaginations_evade(&m)) != 0)
		return (r);
	if (m.st->has_evaded) {
		imaginations_charge(&m);
		return (0);
	}
	if ((r = imaginations_cdr(&m)) != 0)
		return (r);
	if ((r = imaginations_number(&m, &number)) != 0)
		return (r);
	if ((r = imaginations_draw(&m, number)) != 0)
		return (r);
	imaginations_suffer(&m, COMBAT_DEFENDER);
	imaginations_suffer(&m, COMBAT_ATTACKER);
	if ((r = imaginations_meet(&m, 0)) != 0)
		return (r);
	if ((r = imaginations_allocate(&m, COMBAT_DEFENDER)) != 0)
		return (r);
	if ((r = imaginations_allocate(&m, COMBAT_ATTACKER)) != 0)
		return (r);
	imaginations_tire(&m);
	if ((r = imaginations_morale(&m)) != 0)
		return (r);
	return (imaginations_advance(&m));
}

const struct rules_system imaginations_system = {
    .id = "imagi-nations",
    .version = "imagi-nations/1",
    .name = "Imagi-Nations, horse and musket",
    .rulings = imaginations_rulings,
    .n_rulings = IMAGINATIONS_RULINGS,
    .unit = imaginations_facts_unit,
    .facts_size = sizeof(struct imaginations_facts),
    .state_size = sizeof(struct imaginations_state),
    .data_name = "bag",
    .data_text = data_imagi_nations,
    .data_size = sizeof(struct imaginations_bag),
    .data = imaginations_facts_bag,
    .parse = imaginations_facts_parse,
    .facts = imaginations_facts_json,
    .run = imaginations_run,
    .result = imaginations_fate_result,
    .roster_unit = imaginations_facts_roster_unit,
    .game = &imaginations_roster_game,
    .ends = imaginations_fate_ends,
    .policies = imaginations_policy_table,
    .policy = imaginations_policy_answer,
    .secret_kinds = imaginations_policy_secret,
    .outcome = imaginations_fate_outcome,
};
