/* SPDX-License-Identifier: ISC */
/*
 * Old Wargame Rules (P. Leniston, 2009), rules 9 to 13 and 17: infantry
 * against infantry, one brigade a side (umpire-rules.7, 12).  Facts that
 * break the rules were refused when they were read.
 */
#include "common/rules/leniston2009/leniston2009.h"

#include "common/json/js.h"
#include "common/rules/leniston2009/leniston2009_facts.h"
#include "common/rules/leniston2009/leniston2009_roster.h"
#include "common/rules/rulekit.h"

#define LENISTON2009_SIDES 6 /* of the one die that the rules know */
#define LENISTON2009_RETIRES 4 /* inches */

/* 12.7. */
enum leniston2009_ruling {
	LENISTON2009_FIREFIGHT_SQUARE,
	LENISTON2009_EQUAL_FACTORS,
	LENISTON2009_SKIRMISH_MORALE,
	LENISTON2009_RULINGS,
};

/* Who tests after a skirmish. */
enum leniston2009_morale {
	LENISTON2009_MORALE_ANY,
	LENISTON2009_MORALE_NEW,
};

static const char *const leniston2009_morales[] = {
    [LENISTON2009_MORALE_ANY] = "any",
    [LENISTON2009_MORALE_NEW] = "new",
    NULL,
};

static const int leniston2009_squares[] = {-1, -2, -3};

/* In the order of enum combat_side. */
static const char *const leniston2009_sides[] = {"attacker", "defender", NULL};

static const struct rules_ruling leniston2009_rulings[] = {
    [LENISTON2009_FIREFIGHT_SQUARE] = {.name = "firefight_square",
	.question = "rule 12 lists the square twice, at -2 and at -1: what "
		    "does one count in a firefight?",
	.numbers = leniston2009_squares,
	.n_numbers = 3,
	.fallback = -2},
    [LENISTON2009_EQUAL_FACTORS] = {.name = "equal_factors",
	.question = "which side counts as the higher one, and rolls, where the "
		    "factors are equal?",
	.words = leniston2009_sides,
	.fallback = COMBAT_ATTACKER},
    [LENISTON2009_SKIRMISH_MORALE] = {.name = "skirmish_morale",
	.question = "which brigades test their morale after a skirmish: any "
		    "that has casualties, or those alone that took a new one "
		    "in it?",
	.words = leniston2009_morales,
	.fallback = LENISTON2009_MORALE_ANY},
};

/* 12.2: what changes the factors. */
enum leniston2009_factor {
	LENISTON2009_CLASS_A,
	LENISTON2009_CLASS_C,
	LENISTON2009_FIRE_A,
	LENISTON2009_FIRE_C,
	LENISTON2009_SKIRMISH_A,
	LENISTON2009_SKIRMISH_B,
	LENISTON2009_SKIRMISH_C,
	LENISTON2009_BETTER_SKIRMISHERS,
	LENISTON2009_BETTER_FIREPOWER,
	LENISTON2009_LINE_V_COLUMN,
	LENISTON2009_GARRISON,
	LENISTON2009_OUTNUMBERED,
	LENISTON2009_IN_SQUARE,
	LENISTON2009_ENEMY_ARTILLERY,
	LENISTON2009_ENEMY_IN_COVER,
	LENISTON2009_CASUALTIES,
	LENISTON2009_IS_DISORDERED,
	LENISTON2009_IS_SHAKEN,
	LENISTON2009_FACTORS,
};

/*
 * Values in the order of enum leniston2009_rule: melee, firefight, inside,
 * edge, skirmish; 0 where the rule does not know the factor.
 */
static const struct {
	const char *reason;
	int values[LENISTON2009_RULES];
} leniston2009_factors[] = {
    [LENISTON2009_CLASS_A] = {"class-a", {1, 0, 1, 1, 0}},
    [LENISTON2009_CLASS_C] = {"class-c", {-1, 0, -1, -1, 0}},
    [LENISTON2009_FIRE_A] = {"fire-a", {0, 1, 0, 0, 0}},
    [LENISTON2009_FIRE_C] = {"fire-c", {0, -1, 0, 0, 0}},
    [LENISTON2009_SKIRMISH_A] = {"skirmish-a", {0, 0, 1, 0, 3}},
    [LENISTON2009_SKIRMISH_B] = {"skirmish-b", {0, 0, 0, 0, 2}},
    [LENISTON2009_SKIRMISH_C] = {"skirmish-c", {0, 0, -1, 0, 1}},
    [LENISTON2009_BETTER_SKIRMISHERS] = {"better-skirmishers", {1, 1, 0, 0, 0}},
    [LENISTON2009_BETTER_FIREPOWER] = {"better-firepower", {1, 0, 0, 0, 0}},
    [LENISTON2009_LINE_V_COLUMN] = {"line-v-column", {2, 2, 0, 0, 0}},
    [LENISTON2009_GARRISON] = {"garrison", {0, 0, 0, 2, 0}},
    [LENISTON2009_OUTNUMBERED] = {"outnumbered", {-2, -2, 0, -2, -1}},
    /* In a firefight 12.7 says how much. */
    [LENISTON2009_IN_SQUARE] = {"square", {0, -2, 0, 0, -1}},
    [LENISTON2009_ENEMY_ARTILLERY] = {"enemy-artillery", {0, 0, 0, 0, -1}},
    [LENISTON2009_ENEMY_IN_COVER] = {"enemy-in-cover", {0, 0, 0, 0, -1}},
    [LENISTON2009_CASUALTIES] = {"casualties", {-1, -1, -1, -1, -1}},
    [LENISTON2009_IS_DISORDERED] = {"disordered", {-1, -1, -1, -1, -1}},
    [LENISTON2009_IS_SHAKEN] = {"shaken", {-2, -2, -2, -2, -2}},
};

/* Rule 17: what a flag is worth, in the order of enum leniston2009_flag. */
static const int leniston2009_flags[LENISTON2009_FLAGS] = {
    [LENISTON2009_GENERAL_ATTACHED] = 1,
    [LENISTON2009_SUPPORTS_WITHIN_4] = 1,
    [LENISTON2009_IN_BUA] = 1,
    [LENISTON2009_BEHIND_FORMED_SUPPORTS] = 1,
    [LENISTON2009_NO_GENERAL_WITHIN_8] = -1,
    [LENISTON2009_NO_SUPPORTS_WITHIN_8] = -1,
    [LENISTON2009_ROUT_WITHIN_4] = -1,
    [LENISTON2009_ROUTED_THROUGH] = -1,
    [LENISTON2009_PURSUIT] = -1,
};

/* The class, casualties, two states and the flags. */
#define LENISTON2009_MORALE_MAX (4 + LENISTON2009_FLAGS)

/* 12.3: what a row of the table does to one brigade. */
struct leniston2009_effect {
	int casualties;
	enum leniston2009_state state; /* FORMED: the row says none */
	bool retires;
};

/* Rules 9, 10, 12 and 13: the rows, up to a total each. */
static const struct {
	int most; /* the highest total of this row */
	const char *name;
	const char *wholes[2]; /* in a word, by the side that is higher */
	struct leniston2009_effect higher, lower;
} leniston2009_rows[] = {
    {3, "3-or-less", {"attacker routs", "defender routs"},
	{3, LENISTON2009_ROUT, false}, {1, LENISTON2009_FORMED, false}},
    {5, "4-5", {"attacker retires", "defender retires"},
	{2, LENISTON2009_SHAKEN, true}, {1, LENISTON2009_FORMED, false}},
    {7, "6-7", {"both disordered", "both disordered"},
	{1, LENISTON2009_DISORDERED, false},
	{1, LENISTON2009_DISORDERED, false}},
    {9, "8-9", {"defender retires", "attacker retires"},
	{1, LENISTON2009_FORMED, false}, {2, LENISTON2009_SHAKEN, true}},
    {RULES_COUNT_MAX, "10-or-more", {"defender routs", "attacker routs"},
	{1, LENISTON2009_FORMED, false}, {3, LENISTON2009_ROUT, false}},
};

/* 12.4: a skirmish in a word, by who took a casualty. */
static const char *const leniston2009_skirmishes[2][2] = {
    {"no casualty", "defender hit"},
    {"attacker hit", "both hit"},
};

/* What becomes of a brigade. */
struct leniston2009_fate {
	int factors;
	int taken; /* casualties in this combat */
	int casualties; /* in all */
	enum leniston2009_state state;
	bool retires;
	bool has_tested;
	int morale; /* total, if it tested */
	enum leniston2009_state tested; /* FORMED: it passed */
};

struct leniston2009_state_all {
	struct leniston2009_fate fates[2]; /* by enum combat_side */
	enum combat_side higher;
	int total;
	size_t row; /* of leniston2009_rows */
	bool is_back; /* the defender skirmishes back */
};

/* A run of the rules: facts, state and the conversation in one place. */
struct leniston2009 {
	struct combat *c;
	const struct leniston2009_facts *f;
	struct leniston2009_state_all *st;
};

/* Returns the id of a side's brigade. */
static const char *
leniston2009_id(const struct leniston2009 *l, enum combat_side side)
{
	return (l->f->sides[side].name.id);
}

/* 12.2: how often a factor counts for a side. */
static int
leniston2009_count(const struct leniston2009 *l, enum combat_side side,
    enum leniston2009_factor factor)
{
	const struct leniston2009_brigade *own = &l->f->sides[side];
	const struct leniston2009_brigade *enemy =
	    &l->f->sides[question_enemy(side)];

	switch (factor) {
	case LENISTON2009_CLASS_A:
		return (own->class == LENISTON2009_A);
	case LENISTON2009_CLASS_C:
		return (own->class == LENISTON2009_C);
	case LENISTON2009_FIRE_A:
		return (own->fire == LENISTON2009_A);
	case LENISTON2009_FIRE_C:
		return (own->fire == LENISTON2009_C);
	case LENISTON2009_SKIRMISH_A:
		return (own->skirmish == LENISTON2009_A);
	case LENISTON2009_SKIRMISH_B:
		return (own->skirmish == LENISTON2009_B);
	case LENISTON2009_SKIRMISH_C:
		return (own->skirmish == LENISTON2009_C);
	case LENISTON2009_BETTER_SKIRMISHERS:
		return (own->skirmish < enemy->skirmish);
	case LENISTON2009_BETTER_FIREPOWER:
		return (own->fire < enemy->fire);
	case LENISTON2009_LINE_V_COLUMN:
		return (own->formation == LENISTON2009_LINE &&
		    enemy->formation == LENISTON2009_COLUMN);
	case LENISTON2009_GARRISON:
		return (own->is_garrison);
	case LENISTON2009_OUTNUMBERED:
		return (own->is_outnumbered);
	case LENISTON2009_IN_SQUARE:
		return (own->formation == LENISTON2009_SQUARE);
	case LENISTON2009_ENEMY_ARTILLERY:
		return (enemy->has_artillery);
	case LENISTON2009_ENEMY_IN_COVER:
		return (enemy->position != LENISTON2009_OPEN);
	case LENISTON2009_CASUALTIES:
		return (own->casualties);
	case LENISTON2009_IS_DISORDERED:
		return (own->state == LENISTON2009_DISORDERED);
	case LENISTON2009_IS_SHAKEN:
	case LENISTON2009_FACTORS: /* their number, no factor */
		break;
	}
	return (own->state == LENISTON2009_SHAKEN);
}

/* 12.2: adds up the factors of a side; mods gets those that count. */
static size_t
leniston2009_add_factors(const struct leniston2009 *l, enum combat_side side,
    struct event_field mods[LENISTON2009_FACTORS])
{
	struct leniston2009_fate *fate = &l->st->fates[side];
	enum leniston2009_factor i;
	size_t n = 0;
	int value;

	for (i = 0; i < LENISTON2009_FACTORS; i++) {
		value = leniston2009_factors[i].values[l->f->rule];
		if (i == LENISTON2009_IN_SQUARE &&
		    l->f->rule == LENISTON2009_FIREFIGHT)
			value =
			    combat_ruling(l->c, LENISTON2009_FIREFIGHT_SQUARE);
		if (value != 0)
			value *= leniston2009_count(l, side, i);
		if (value == 0)
			continue;
		fate->factors += value;
		mods[n++] = event_int(leniston2009_factors[i].reason, value);
	}
	return (n);
}

/* Says a score of a side's brigade: what it is, a die if any, the rest. */
static void
leniston2009_say_score(const struct leniston2009 *l, enum combat_side side,
    const char *what, int die, const struct event_field *mods, size_t n_mods,
    int score)
{
	struct event_field fields[5];
	size_t n = 0;

	fields[n++] = event_text("unit", leniston2009_id(l, side));
	fields[n++] = event_text("what", what);
	if (die != 0)
		fields[n++] = event_int("die", die);
	fields[n++] = event_object("modifiers", mods, n_mods);
	fields[n++] = event_int("score", score);
	combat_emit(l->c, "score", fields, n);
}

/* Says what became of a side's brigade, with n more members. */
static void
leniston2009_change(const struct leniston2009 *l, enum combat_side side,
    const char *what, const char *why, const struct event_field *more, size_t n)
{
	combat_change(l->c, event_text("unit", leniston2009_id(l, side)), what,
	    why, more, n);
}

/* Puts a brigade into a state, unless it is in that or a worse one. */
static void
leniston2009_worsen(const struct leniston2009 *l, enum combat_side side,
    enum leniston2009_state state, const char *why)
{
	struct leniston2009_fate *fate = &l->st->fates[side];

	if (fate->state < state) {
		fate->state = state;
		leniston2009_change(
		    l, side, leniston2009_facts_states[state], why, NULL, 0);
		return;
	}
	leniston2009_change(l, side, "unimproved", why,
	    EVENT_FIELDS(
		event_text("state", leniston2009_facts_states[fate->state])));
}

/* Rule 17: adds casualties; the sixth routs infantry. */
static void
leniston2009_lose(
    const struct leniston2009 *l, enum combat_side side, int n, const char *why)
{
	struct leniston2009_fate *fate = &l->st->fates[side];

	fate->taken += n;
	fate->casualties += n;
	leniston2009_change(l, side, "casualties", why,
	    EVENT_FIELDS(event_int("taken", n),
		event_int("casualties", fate->casualties)));
}

/* Rule 17: routs a brigade that has six casualties. */
static void
leniston2009_check_losses(const struct leniston2009 *l, enum combat_side side)
{
	const struct leniston2009_fate *fate = &l->st->fates[side];

	if (fate->casualties >= LENISTON2009_CASUALTIES_ROUT &&
	    fate->state != LENISTON2009_ROUT)
		leniston2009_worsen(l, side, LENISTON2009_ROUT, "casualties");
}

/* 12.3: finds the side with the higher factors, and says which it is. */
static void
leniston2009_find_higher(const struct leniston2009 *l)
{
	struct event_field mods[LENISTON2009_FACTORS];
	const struct leniston2009_fate *fates = l->st->fates;
	enum combat_side lower, side;
	const char *why = "factors";
	size_t n;

	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		n = leniston2009_add_factors(l, side, mods);
		leniston2009_say_score(
		    l, side, "factors", 0, mods, n, fates[side].factors);
	}
	if (fates[COMBAT_ATTACKER].factors == fates[COMBAT_DEFENDER].factors) {
		/* 12.7 */
		l->st->higher =
		    combat_ruling(l->c, LENISTON2009_EQUAL_FACTORS) == 0
		    ? COMBAT_ATTACKER
		    : COMBAT_DEFENDER;
		why = "ruling";
	} else {
		l->st->higher = fates[COMBAT_ATTACKER].factors >
			fates[COMBAT_DEFENDER].factors
		    ? COMBAT_ATTACKER
		    : COMBAT_DEFENDER;
	}
	lower = question_enemy(l->st->higher);
	leniston2009_change(l, l->st->higher, "higher", why,
	    EVENT_FIELDS(event_int("factors", fates[l->st->higher].factors),
		event_text("by", leniston2009_id(l, lower)),
		event_int("by_factors", fates[lower].factors)));
}

/* 12.3: rolls for the higher side and finds the row of the table. */
static int
leniston2009_find_row(const struct leniston2009 *l)
{
	const enum combat_side higher = l->st->higher;
	const enum combat_side lower = question_enemy(higher);
	uint16_t dice[2];
	int difference, r;

	if ((r = combat_roll(l->c, dice, 2, LENISTON2009_SIDES, "combat")) != 0)
		return (r);
	difference = l->st->fates[higher].factors - l->st->fates[lower].factors;
	l->st->total = difference + dice[0] + dice[1];
	combat_emit(l->c, "score",
	    EVENT_FIELDS(event_text("unit", leniston2009_id(l, higher)),
		event_text("what", "total"),
		event_int("difference", difference), event_int("die1", dice[0]),
		event_int("die2", dice[1]), event_int("score", l->st->total)));
	while (l->st->total > leniston2009_rows[l->st->row].most)
		l->st->row++;
	leniston2009_change(l, higher, "row",
	    leniston2009_rows[l->st->row].name,
	    EVENT_FIELDS(event_int("total", l->st->total),
		event_text("by", leniston2009_id(l, lower))));
	return (0);
}

/* 12.3: what the row of the table does to one brigade. */
static void
leniston2009_suffer(const struct leniston2009 *l, enum combat_side side)
{
	const struct leniston2009_effect *effect = side == l->st->higher
	    ? &leniston2009_rows[l->st->row].higher
	    : &leniston2009_rows[l->st->row].lower;

	leniston2009_lose(l, side, effect->casualties, "table");
	if (effect->state != LENISTON2009_FORMED)
		leniston2009_worsen(l, side, effect->state, "table");
	else if (l->f->rule != LENISTON2009_FIREFIGHT)
		leniston2009_worsen(
		    l, side, LENISTON2009_DISORDERED, "hand-to-hand");
	leniston2009_check_losses(l, side);
	if (!effect->retires || l->st->fates[side].state == LENISTON2009_ROUT)
		return;
	l->st->fates[side].retires = true;
	leniston2009_change(l, side, "retires", "table",
	    EVENT_FIELDS(event_int("inches", LENISTON2009_RETIRES)));
}

/* 12.4: a side skirmishes; *hits is whether it hit. */
static int
leniston2009_shoot(
    const struct leniston2009 *l, enum combat_side side, bool *hits)
{
	struct event_field mods[LENISTON2009_FACTORS];
	uint16_t die;
	size_t n;
	int r, total;

	if ((r = combat_roll(l->c, &die, 1, LENISTON2009_SIDES, "skirmish/%s",
		 leniston2009_id(l, side))) != 0)
		return (r);
	n = leniston2009_add_factors(l, side, mods);
	total = die + l->st->fates[side].factors;
	leniston2009_say_score(l, side, "skirmish", die, mods, n, total);
	*hits = total >= 6;
	return (0);
}

/* 12.4: says what a side's skirmishing did to its enemy. */
static void
leniston2009_hit(const struct leniston2009 *l, enum combat_side side, bool hits)
{
	if (!hits)
		leniston2009_change(l, side, "missed", "skirmish", NULL, 0);
	else
		leniston2009_lose(l, question_enemy(side), 1, "skirmish");
}

/* 12.5: what a brigade's morale is made of; *total begins with its die. */
static size_t
leniston2009_add_morale(const struct leniston2009 *l, enum combat_side side,
    struct event_field mods[LENISTON2009_MORALE_MAX], int *total)
{
	const struct leniston2009_brigade *b = &l->f->sides[side];
	const struct leniston2009_fate *fate = &l->st->fates[side];
	size_t i, n = 0, sum;

	if (b->class == LENISTON2009_A)
		mods[n++] = event_int("class-a", 1);
	if (b->class == LENISTON2009_C)
		mods[n++] = event_int("class-c", -1);
	mods[n++] = event_int("casualties", -fate->casualties);
	if (fate->state == LENISTON2009_DISORDERED)
		mods[n++] = event_int("disordered", -1);
	if (fate->state == LENISTON2009_SHAKEN)
		mods[n++] = event_int("shaken", -2);
	for (i = 0; i < LENISTON2009_FLAGS; i++) {
		if (!b->morale[i])
			continue;
		/* Pursuit is not counted on top of disorder. */
		if (i == LENISTON2009_PURSUIT &&
		    fate->state == LENISTON2009_DISORDERED)
			continue;
		mods[n++] = event_int(
		    leniston2009_facts_flags[i], leniston2009_flags[i]);
	}
	for (sum = 0; sum < n; sum++)
		*total += (int)mods[sum].number;
	return (n);
}

/* 12.5: rule 17, for a brigade that has a casualty, or a new one (12.7). */
static int
leniston2009_test(const struct leniston2009 *l, enum combat_side side)
{
	struct event_field mods[LENISTON2009_MORALE_MAX];
	struct leniston2009_fate *fate = &l->st->fates[side];
	const char *what = "passes";
	uint16_t die;
	size_t n;
	int r;

	if (fate->casualties == 0 ||
	    (fate->taken == 0 &&
		combat_ruling(l->c, LENISTON2009_SKIRMISH_MORALE) ==
		    LENISTON2009_MORALE_NEW))
		return (0);
	if (fate->casualties >= LENISTON2009_CASUALTIES_ROUT) {
		leniston2009_check_losses(l, side);
		return (0);
	}
	if ((r = combat_roll(l->c, &die, 1, LENISTON2009_SIDES, "morale/%s",
		 leniston2009_id(l, side))) != 0)
		return (r);
	fate->morale = die;
	n = leniston2009_add_morale(l, side, mods, &fate->morale);
	leniston2009_say_score(l, side, "morale", die, mods, n, fate->morale);
	fate->has_tested = true;
	fate->tested = LENISTON2009_FORMED;
	if (fate->morale <= 0)
		fate->tested = LENISTON2009_ROUT;
	else if (fate->morale <= 2)
		fate->tested = LENISTON2009_SHAKEN;
	if (fate->tested != LENISTON2009_FORMED)
		what = leniston2009_facts_states[fate->tested];
	if (fate->state < fate->tested)
		fate->state = fate->tested;
	leniston2009_change(l, side, what, "morale",
	    EVENT_FIELDS(event_int("score", fate->morale)));
	return (0);
}

/* 12.4: whether the defender skirmishes back, which only some orders allow. */
static int
leniston2009_ask_back(const struct leniston2009 *l)
{
	const enum leniston2009_orders orders =
	    l->f->sides[COMBAT_DEFENDER].orders;

	if (leniston2009_facts_allow(LENISTON2009_SKIRMISH, orders))
		return (combat_decide_bool(l->c, COMBAT_DEFENDER,
		    "skirmish-back", "accept", &l->st->is_back));
	leniston2009_change(l, COMBAT_DEFENDER, "not-back", "orders",
	    EVENT_FIELDS(event_text("orders",
		leniston2009_facts_orders[orders - LENISTON2009_ATTACK])));
	return (0);
}

/* 12.4: rule 11. */
static int
leniston2009_skirmish(const struct leniston2009 *l)
{
	bool hits[2] = {false, false};
	int r;

	if ((r = leniston2009_ask_back(l)) != 0)
		return (r);
	if ((r = leniston2009_shoot(
		 l, COMBAT_ATTACKER, &hits[COMBAT_ATTACKER])) != 0)
		return (r);
	if (l->st->is_back &&
	    (r = leniston2009_shoot(
		 l, COMBAT_DEFENDER, &hits[COMBAT_DEFENDER])) != 0)
		return (r);
	leniston2009_hit(l, COMBAT_ATTACKER, hits[COMBAT_ATTACKER]);
	if (l->st->is_back)
		leniston2009_hit(l, COMBAT_DEFENDER, hits[COMBAT_DEFENDER]);
	if ((r = leniston2009_test(l, COMBAT_ATTACKER)) != 0)
		return (r);
	return (leniston2009_test(l, COMBAT_DEFENDER));
}

/* 12.2 to 12.5. */
static int
leniston2009_run(struct combat *c)
{
	int r;
	const struct leniston2009 l = {
	    .c = c,
	    .f = combat_facts(c),
	    .st = combat_state(c),
	};
	size_t i;

	for (i = 0; i < 2; i++) {
		l.st->fates[i].casualties = l.f->sides[i].casualties;
		l.st->fates[i].state = l.f->sides[i].state;
	}
	if (l.f->rule == LENISTON2009_SKIRMISH)
		return (leniston2009_skirmish(&l));
	leniston2009_find_higher(&l);
	if ((r = leniston2009_find_row(&l)) != 0)
		return (r);
	leniston2009_suffer(&l, COMBAT_ATTACKER);
	leniston2009_suffer(&l, COMBAT_DEFENDER);
	return (0);
}

/* Returns what became of a brigade as a new object, or NULL (12.6). */
static json_t *
leniston2009_fate_json(
    const struct leniston2009_fate *fate, enum leniston2009_rule rule)
{
	const char *tested = fate->tested == LENISTON2009_FORMED
	    ? "pass"
	    : leniston2009_facts_states[fate->tested];
	json_t *o;
	int bad = 0;

	o = json_pack("{s:i, s:s}", "casualties", fate->casualties, "state",
	    leniston2009_facts_states[fate->state]);
	if (rule != LENISTON2009_SKIRMISH)
		bad |= json_object_set_new(o, "retires",
		    json_integer(fate->retires ? LENISTON2009_RETIRES : 0));
	if (fate->has_tested)
		bad |= json_object_set_new(o, "morale",
		    json_pack(
			"{s:i, s:s}", "total", fate->morale, "result", tested));
	return (js_made(o, bad));
}

/* 12.6. */
static json_t *
leniston2009_result(const struct combat *c)
{
	const struct leniston2009_facts *f = combat_facts(c);
	const struct leniston2009_state_all *st = combat_state(c);
	const char *ids[2] = {f->sides[0].name.id, f->sides[1].name.id};
	json_t *units;

	units = json_pack("{s:o, s:o}", ids[0],
	    leniston2009_fate_json(&st->fates[0], f->rule), ids[1],
	    leniston2009_fate_json(&st->fates[1], f->rule));
	if (f->rule == LENISTON2009_SKIRMISH)
		return (json_pack("{s:o}", "units", units));
	return (json_pack("{s:o, s:i, s:s, s:{s:i, s:i}}", "units", units,
	    "total", st->total, "higher", ids[st->higher], "factors", ids[0],
	    st->fates[0].factors, ids[1], st->fates[1].factors));
}

/* 12.9. */
static const char *const leniston2009_policy_back[] = {"yes", "no", NULL};

static const struct rules_policy leniston2009_policies[] = {
    {"skirmish-back", leniston2009_policy_back,
	"whether a brigade that is skirmished with skirmishes back",
	RULES_FACT_NO},
    {.kind = NULL},
};

/* 12.9: answers as the policy says. */
static int
leniston2009_policy(const struct combat *c, const struct question *q, int word,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	(void)c;
	(void)q; /* there is but one kind */
	(void)room;
	(void)n_room;
	a->number[0] = word == 0;
	a->n_items = 0;
	return (0);
}

/* 12.9: what a run came to. */
static void
leniston2009_outcome(const struct combat *c, struct rules_outcome *out)
{
	const struct leniston2009_facts *f = combat_facts(c);
	const struct leniston2009_state_all *st = combat_state(c);
	enum combat_side side;

	if (f->rule == LENISTON2009_SKIRMISH)
		out->whole =
		    leniston2009_skirmishes[st->fates[COMBAT_ATTACKER].taken]
					   [st->fates[COMBAT_DEFENDER].taken];
	else
		out->whole = leniston2009_rows[st->row].wholes[st->higher];
	out->n_units = 2;
	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		out->hits[side] = st->fates[side].taken;
		out->units[side].id = f->sides[side].name.id;
		out->units[side].side = side;
		out->units[side].end = (int)st->fates[side].state;
		out->units[side].loss = st->fates[side].taken;
	}
}

const struct rules_system leniston2009_system = {
    .id = "leniston-2009",
    .version = "leniston-2009/1",
    .name = "Old Wargame Rules (2009)",
    .rulings = leniston2009_rulings,
    .n_rulings = LENISTON2009_RULINGS,
    .unit = leniston2009_facts_brigade,
    .facts_size = sizeof(struct leniston2009_facts),
    .state_size = sizeof(struct leniston2009_state_all),
    .parse = leniston2009_facts_parse,
    .facts = leniston2009_facts_json,
    .run = leniston2009_run,
    .result = leniston2009_result,
    .roster_unit = leniston2009_facts_roster_unit,
    .game = &leniston2009_roster_game,
    .ends = leniston2009_facts_states,
    .policies = leniston2009_policies,
    .policy = leniston2009_policy,
    .outcome = leniston2009_outcome,
};
