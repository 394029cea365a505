/* SPDX-License-Identifier: ISC */
/*
 * An attack of tlnb, straight through in the order of its tables: odds,
 * shifts, combat results table, shock, losses (umpire-rules.7, 14.2 to 14.4).
 */
#include "common/rules/tlnb/tlnb_attack.h"

#include <string.h>

#include "common/rules/rulekit.h"
#include "common/rules/tlnb/tlnb_exchange.h"
#include "common/rules/tlnb/tlnb_step.h"

static const struct tlnb_column tlnb_attack_columns[TLNB_TABLES_CRT_COLUMNS] = {
    {"1:5", 1, 5},
    {"1:4", 1, 4},
    {"1:3", 1, 3},
    {"1:2", 1, 2},
    {"1:1.5", 2, 3},
    {"1:1", 1, 1},
    {"1.5:1", 3, 2},
    {"2:1", 2, 1},
    {"3:1", 3, 1},
    {"4:1", 4, 1},
    {"5:1", 5, 1},
    {"6:1", 6, 1},
};

#define TLNB_ATTACK_3_1 8 /* the column whose shock favours the attacker */
#define TLNB_ATTACK_SHIFTS 6 /* reasons at most */

/* The shifts of an attack, while they are gathered. */
struct tlnb_attack_shifts {
	struct event_field reasons[TLNB_ATTACK_SHIFTS];
	size_t n;
	int sum;
};

/* True if all defenders are demoralized or suppressed. */
static bool
tlnb_attack_is_broken(const struct tlnb *l)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];

	n = tlnb_step_units(l, COMBAT_DEFENDER, units);
	for (i = 0; i < n; i++) {
		if (!tlnb_facts_is_demoralized(&l->f->units[units[i]]))
			return (false);
	}
	return (true);
}

/* True if the attack goes into woods, a town, an orchard or a marsh. */
static bool
tlnb_attack_into_cover(const struct tlnb *l)
{
	return (l->f->terrain != TLNB_CLEAR);
}

/* 14.2: adds a shift and its reason. */
static void
tlnb_attack_shift(struct tlnb_attack_shifts *s, const char *reason, int n)
{
	s->reasons[s->n++] = event_int(reason, n);
	s->sum += n;
}

/* 14.2: true if infantry, cavalry and artillery attack together. */
static bool
tlnb_attack_is_combined(const struct tlnb *l)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];
	bool has[TLNB_VEDETTE + 1] = {false};
	const struct tlnb_unit *u;

	n = tlnb_step_units(l, COMBAT_ATTACKER, units);
	for (i = 0; i < n; i++) {
		u = &l->f->units[units[i]];
		if (u->arm != TLNB_ARTILLERY || !u->flags[TLNB_HAS_BOMBARDED])
			has[u->arm] = true;
	}
	return (has[TLNB_INFANTRY] && has[TLNB_CAVALRY] && has[TLNB_ARTILLERY]);
}

/* 14.2: why combined arms shift nothing; NULL if they do. */
static const char *
tlnb_attack_no_combined(const struct tlnb *l)
{
	if (tlnb_attack_into_cover(l))
		return ("terrain");
	if (l->f->has[TLNB_IMPROVED_POSITION])
		return ("improved-position");
	if (l->f->has[TLNB_CHATEAU] && !tlnb_attack_is_broken(l))
		return ("chateau");
	if (l->f->across == TLNB_BRIDGE || l->f->across == TLNB_DAMAGED_BRIDGE)
		return ("bridge");
	return (NULL);
}

/* 14.2: asks a side whether it takes the shift that `kind` is about. */
static int
tlnb_attack_may_shift(const struct tlnb *l, enum combat_side side,
    const char *kind, const char *reason, struct tlnb_attack_shifts *s)
{
	bool use;
	int r;

	if ((r = combat_decide_bool(l->c, side, kind, "use", &use)) != 0)
		return (r);
	if (use)
		tlnb_attack_shift(s, reason, side == COMBAT_ATTACKER ? 1 : -1);
	return (0);
}

/* 14.2: gathers the shifts. */
static int
tlnb_attack_find_shifts(const struct tlnb *l, struct tlnb_attack_shifts *s)
{
	static const char *const guards[] = {
	    "guard-attacker", "guard-defender"};
	enum combat_side side;
	const char *why;
	int r;

	if (l->f->has[TLNB_FAILED_REPULSE]) {
		tlnb_attack_shift(s, "failed-repulse", -2);
		return (0);
	}
	if (l->f->across == TLNB_DAMAGED_BRIDGE)
		tlnb_attack_shift(s, "damaged-bridge", -2);
	if (tlnb_attack_is_combined(l)) {
		if ((why = tlnb_attack_no_combined(l)) == NULL)
			tlnb_attack_shift(s, "combined-arms", 1);
		else
			tlnb_step_change(l, COMBAT_ATTACKER, "no-combined-arms",
			    why, NULL, 0);
	}
	if (l->f->napoleon != -1) {
		side = (enum combat_side)l->f->napoleon;
		if ((r = tlnb_attack_may_shift(
			 l, side, "napoleon-shift", "napoleon", s)) != 0)
			return (r);
	}
	for (side = COMBAT_ATTACKER; side <= COMBAT_DEFENDER; side++) {
		if (!l->f->guard[side])
			continue;
		if ((r = tlnb_attack_may_shift(
			 l, side, "guard-shift", guards[side], s)) != 0)
			return (r);
	}
	return (0);
}

/* 14.2: the column of the odds, shifted and held within the table. */
static int
tlnb_attack_find_column(const struct tlnb *l, size_t *column)
{
	struct tlnb_attack_shifts s = {.n = 0};
	int at, held, r;

	at =
	    (int)tlnb_step_odds(l, tlnb_attack_columns, TLNB_TABLES_CRT_COLUMNS,
		combat_ruling(l->c, TLNB_BOMBARDED_IN_ODDS));
	if ((r = tlnb_attack_find_shifts(l, &s)) != 0)
		return (r);
	l->st->shift = s.sum;
	held = at + s.sum;
	if (held < 0)
		held = 0;
	if (held > TLNB_TABLES_CRT_COLUMNS - 1)
		held = TLNB_TABLES_CRT_COLUMNS - 1;
	*column = (size_t)held;
	if (s.n == 0)
		return (0);
	combat_emit(l->c, "score",
	    EVENT_FIELDS(event_text("side", question_side(COMBAT_ATTACKER)),
		event_text("what", "shift"),
		event_object("modifiers", s.reasons, s.n),
		event_int("score", s.sum)));
	tlnb_step_change(l, COMBAT_ATTACKER, "column",
	    held == at + s.sum ? "shift" : "held",
	    EVENT_FIELDS(event_text("from", tlnb_attack_columns[at].name),
		event_int("shift", s.sum),
		event_text("column", tlnb_attack_columns[held].name)));
	return (0);
}

/* 14.3: turns the code into another one, and says so. */
static void
tlnb_attack_becomes(const struct tlnb *l, enum tlnb_effect effect, int n,
    const char *text, const char *why)
{
	struct tlnb_code code = {.effect = effect, .n = n};

	(void)memcpy(code.text, text, strlen(text) + 1);
	tlnb_step_change(l, COMBAT_ATTACKER, "code", why,
	    EVENT_FIELDS(event_text("from", l->st->code.text),
		event_text("code", code.text)));
	l->st->code = code;
}

/* 14.3: why a starred retreat is a shock; NULL if it is plain. */
static const char *
tlnb_attack_star(const struct tlnb *l)
{
	if (l->f->across == TLNB_DAMAGED_BRIDGE)
		return (NULL);
	if (l->f->weather == TLNB_T_STORM || l->f->weather == TLNB_SNOW_STORM)
		return ("storm");
	if (l->f->across == TLNB_CREST)
		return ("crest");
	if (tlnb_attack_into_cover(l))
		return ("terrain");
	return (NULL);
}

/* 14.3: what the code of the table means in this place. */
static void
tlnb_attack_settle(const struct tlnb *l)
{
	struct tlnb_code *code = &l->st->code;
	bool is_damaged = l->f->across == TLNB_DAMAGED_BRIDGE;
	const char *why;

	if (code->effect == TLNB_ATTACKER_STAR ||
	    code->effect == TLNB_DEFENDER_STAR) {
		if ((why = tlnb_attack_star(l)) != NULL)
			tlnb_attack_becomes(l, TLNB_SHOCK, 0, "Sk", why);
		else if (code->effect == TLNB_ATTACKER_STAR)
			tlnb_attack_becomes(
			    l, TLNB_ATTACKER_BACK, 1, "Ar", "plain");
		else
			tlnb_attack_becomes(
			    l, TLNB_DEFENDER_BACK, 1, "Dr", "plain");
	}
	if (code->effect == TLNB_DEFENDER_BACK) {
		if (l->f->has[TLNB_CHATEAU] && !tlnb_attack_is_broken(l))
			tlnb_attack_becomes(l, TLNB_SHOCK, 0, "Sk", "chateau");
		/* 14.8 */
		else if (is_damaged &&
		    combat_ruling(l->c, TLNB_DAMAGED_BRIDGE_DR) == 0)
			tlnb_attack_becomes(
			    l, TLNB_SHOCK, 0, "Sk", "bridge-retreat");
	}
	if (code->effect == TLNB_SHOCK && is_damaged)
		tlnb_attack_becomes(l, TLNB_REDUCE, 1, "1R", "bridge-shock");
}

/* 14.3: true if two units of a side share a hex; those without one do. */
static bool
tlnb_attack_share(const struct tlnb_unit *a, const struct tlnb_unit *b)
{
	return (
	    a->hex.has == b->hex.has && strcmp(a->hex.text, b->hex.text) == 0);
}

/*
 * 14.3: true if unit u's hex holds only artillery of its side; units without
 * a hex share one.
 */
static bool
tlnb_attack_is_alone(const struct tlnb *l, size_t u)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];
	const struct tlnb_unit *other, *unit = &l->f->units[u];

	n = tlnb_step_units(l, unit->side, units);
	for (i = 0; i < n; i++) {
		other = &l->f->units[units[i]];
		if (tlnb_attack_share(other, unit) &&
		    other->arm != TLNB_ARTILLERY)
			return (false);
	}
	return (true);
}

/* 14.3: a side names its lead unit. */
static int
tlnb_attack_name_lead(const struct tlnb *l, enum combat_side side, size_t *lead)
{
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	size_t first[COMBAT_SIDE_UNITS_MAX], i, n, n_first = 0;
	size_t units[COMBAT_SIDE_UNITS_MAX];
	const struct tlnb_unit *u;
	struct question_answer a;
	struct question_member m;
	int r;

	n = tlnb_step_units(l, side, units);
	for (i = 0; i < n; i++) {
		u = &l->f->units[units[i]];
		if (u->arm == TLNB_CAVALRY && u->flags[TLNB_IS_OVERRUNNING])
			first[n_first++] = units[i];
	}
	if (n_first > 0) {
		memcpy(units, first, n_first * sizeof(first[0]));
		n = n_first;
	}
	for (i = 0; i < n; i++)
		ids[i] = l->f->units[units[i]].name.id;
	m = question_one_of("unit", ids, n);
	if ((r = combat_decide(l->c, side, "lead", &m, 1, &a)) != 0)
		return (r);
	*lead = units[a.number[0]];
	return (0);
}

/* 14.3: a side rolls for its lead unit. */
static int
tlnb_attack_roll_lead(const struct tlnb *l, size_t lead, size_t column)
{
	static const char *const bonus[] = {"die-1-2", "die-3-4", "die-5-6"};
	const struct tlnb_unit *u = &l->f->units[lead];
	struct event_field base, mods[3];
	int r, score;
	size_t n = 0;
	uint16_t die;

	if ((r = combat_roll(l->c, &die, 1, TLNB_STEP_SIDES, "shock/%s",
		 question_side(u->side))) != 0)
		return (r);
	if (tlnb_attack_is_alone(l, lead)) {
		score = 1;
		base = event_int("alone", score);
	} else {
		score = u->initiative;
		base = event_int("initiative", score);
		if (tlnb_facts_is_demoralized(u)) {
			score--;
			mods[n++] = event_int(u->flags[TLNB_IS_DEMORALIZED]
				? "demoralized"
				: "suppressed",
			    -1);
		}
	}
	score += (die - 1) / 2;
	mods[n++] = event_int(bonus[(die - 1) / 2], (die - 1) / 2);
	if (u->side == COMBAT_ATTACKER && column == TLNB_ATTACK_3_1) {
		score++;
		mods[n++] = event_int("column-3-1", 1);
	}
	l->st->shock[u->side] = score;
	combat_emit(l->c, "score",
	    EVENT_FIELDS(event_text("unit", u->name.id),
		event_text("what", "shock"), base,
		event_object("modifiers", mods, n), event_int("score", score)));
	return (0);
}

/* 14.3: the shock. */
static int
tlnb_attack_shock(const struct tlnb *l, size_t column)
{
	size_t leads[2];
	int by, r, side;

	for (side = 0; side < 2; side++) {
		if ((r = tlnb_attack_name_lead(
			 l, (enum combat_side)side, &leads[side])) != 0)
			return (r);
	}
	for (side = 0; side < 2; side++) {
		if ((r = tlnb_attack_roll_lead(l, leads[side], column)) != 0)
			return (r);
	}
	l->st->has_shock = true;
	by = l->st->shock[COMBAT_ATTACKER] - l->st->shock[COMBAT_DEFENDER];
	if (by < TLNB_TABLES_SHOCK_LEAST)
		by = TLNB_TABLES_SHOCK_LEAST;
	if (by > -TLNB_TABLES_SHOCK_LEAST)
		by = -TLNB_TABLES_SHOCK_LEAST;
	l->st->code = l->t->shock[by - TLNB_TABLES_SHOCK_LEAST];
	tlnb_step_change(l, COMBAT_ATTACKER, "code", "shock",
	    EVENT_FIELDS(event_int("attacker", l->st->shock[COMBAT_ATTACKER]),
		event_int("defender", l->st->shock[COMBAT_DEFENDER]),
		event_int("row", by), event_text("code", l->st->code.text)));
	return (0);
}

/* 14.4: a side reduces its strongest unit or its best in initiative. */
static int
tlnb_attack_reduce(const struct tlnb *l, enum combat_side side)
{
	const char *ids[COMBAT_SIDE_UNITS_MAX];
	size_t i, may[COMBAT_SIDE_UNITS_MAX], n, n_may = 0;
	size_t units[COMBAT_SIDE_UNITS_MAX];
	int best = 0, r, rating = -1, strength;
	const struct tlnb_unit *u;
	struct question_answer a;
	struct question_member m;

	n = tlnb_step_units(l, side, units);
	for (i = 0; i < n; i++) {
		u = &l->f->units[units[i]];
		strength = tlnb_step_strength(l->f, l->st, units[i]);
		if (strength > best)
			best = strength;
		if (tlnb_facts_rating(u) > rating)
			rating = tlnb_facts_rating(u);
	}
	tlnb_step_spare(l, units, n);
	for (i = 0; i < n; i++) {
		u = &l->f->units[units[i]];
		if (tlnb_step_strength(l->f, l->st, units[i]) < best &&
		    tlnb_facts_rating(u) < rating)
			continue;
		may[n_may] = units[i];
		ids[n_may++] = u->name.id;
	}
	m = question_one_of("unit", ids, n_may);
	if ((r = combat_decide(l->c, side, "reduce", &m, 1, &a)) != 0)
		return (r);
	tlnb_step_reduce(l, may[a.number[0]]);
	return (0);
}

/* 14.4, 14.8: true if a unit takes part in an exchange. */
static bool
tlnb_attack_exchanges(const struct tlnb *l, size_t u)
{
	return (l->f->units[u].arm != TLNB_VEDETTE ||
	    combat_ruling(l->c, TLNB_VEDETTES_IN_EXCHANGE));
}

/* 14.4: a side's strength at face value. */
static int
tlnb_attack_face(const struct tlnb *l, enum combat_side side)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];
	int strength, sum = 0;

	tlnb_step_begin(l);
	n = tlnb_step_units(l, side, units);
	for (i = 0; i < n; i++) {
		if (!tlnb_attack_exchanges(l, units[i])) {
			tlnb_step_unit_change(
			    l, units[i], "left-out", "vedette");
			continue;
		}
		strength = tlnb_step_strength(l->f, l->st, units[i]);
		sum += strength;
		tlnb_step_add(
		    l, l->f->units[units[i]].name.id, strength, false);
	}
	tlnb_step_end(l, side, "face", EVENT_FIELDS(event_int("score", sum)));
	return (sum);
}

/* 14.4: a side loses all that take part in an exchange. */
static void
tlnb_attack_lose_exchange(const struct tlnb *l, enum combat_side side)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];

	n = tlnb_step_units(l, side, units);
	for (i = 0; i < n; i++) {
		if (tlnb_attack_exchanges(l, units[i]))
			tlnb_step_eliminate(l, units[i], "exchange");
	}
}

/* 14.4: the stronger side says what it loses, stacked artillery too. */
static int
tlnb_attack_pay(const struct tlnb *l)
{
	const enum combat_side side = l->st->stronger;
	struct tlnb_state *st = l->st;
	struct question_answer a;
	size_t i, u;
	int r;

	for (u = l->f->first[side]; u < l->f->first[side + 1]; u++) {
		if (tlnb_attack_exchanges(l, u))
			st->payers[st->n_payers++] = u;
	}
	/* A weaker side of vedettes alone takes nobody with it. */
	if (st->least == 0)
		return (0);
	if ((r = combat_decide_rule(
		 l->c, side, "exchange-loss", &tlnb_exchange_rule, &a)) != 0)
		return (r);
	for (i = 0; i < a.n_items; i++)
		tlnb_step_eliminate(
		    l, st->payers[(size_t)a.items[i].id], "exchange");
	return (0);
}

/* 14.4: an exchange. */
static int
tlnb_attack_exchange(const struct tlnb *l)
{
	enum combat_side stronger, weaker;
	struct event_field more[3];
	int face[2];

	face[0] = tlnb_attack_face(l, COMBAT_ATTACKER);
	face[1] = tlnb_attack_face(l, COMBAT_DEFENDER);
	more[0] = event_int("attacker", face[0]);
	more[1] = event_int("defender", face[1]);
	if (face[0] == face[1]) {
		tlnb_step_change(
		    l, COMBAT_ATTACKER, "exchange", "equal", more, 2);
		tlnb_attack_lose_exchange(l, COMBAT_ATTACKER);
		tlnb_attack_lose_exchange(l, COMBAT_DEFENDER);
		return (0);
	}
	stronger = face[0] > face[1] ? COMBAT_ATTACKER : COMBAT_DEFENDER;
	weaker = question_enemy(stronger);
	l->st->stronger = stronger;
	l->st->least = (face[weaker] + 1) / 2;
	more[2] = event_int("least", l->st->least);
	tlnb_step_change(l, weaker, "exchange", "weaker", more, 3);
	tlnb_attack_lose_exchange(l, weaker);
	return (tlnb_attack_pay(l));
}

/* 14.4: carries out the final code. */
static int
tlnb_attack_apply(const struct tlnb *l)
{
	const struct tlnb_code *code = &l->st->code;
	int r;

	switch (code->effect) {
	case TLNB_REDUCE:
		if ((r = tlnb_attack_reduce(l, COMBAT_ATTACKER)) != 0)
			return (r);
		return (tlnb_attack_reduce(l, COMBAT_DEFENDER));
	case TLNB_ATTACKER_GONE:
		tlnb_step_eliminate_all(l, COMBAT_ATTACKER, "result");
		return (0);
	case TLNB_DEFENDER_GONE:
		tlnb_step_eliminate_all(l, COMBAT_DEFENDER, "result");
		return (0);
	case TLNB_ATTACKER_BACK:
		return (
		    tlnb_step_retreat_by_result(l, COMBAT_ATTACKER, code->n));
	case TLNB_DEFENDER_BACK:
		return (
		    tlnb_step_retreat_by_result(l, COMBAT_DEFENDER, code->n));
	case TLNB_EXCHANGE:
		return (tlnb_attack_exchange(l));
	default:
		return (combat_fault(
		    l->c, "no result of an attack: \"%s\"", code->text));
	}
}

/* 14.4: true if nobody of its side is left in the hex that u fought in. */
static bool
tlnb_attack_is_empty(const struct tlnb *l, size_t u)
{
	const struct tlnb_unit *unit = &l->f->units[u];
	size_t i;

	for (i = l->f->first[unit->side]; i < l->f->first[unit->side + 1];
	     i++) {
		if (l->st->ends[i] != TLNB_ELIMINATED &&
		    tlnb_attack_share(&l->f->units[i], unit))
			return (false);
	}
	return (true);
}

/*
 * 14.4: true if a side has nobody left who fought, and has vacated a hex of
 * theirs by that: stacked artillery may still stand in it.
 */
static bool
tlnb_attack_vacates(const struct tlnb *l, enum combat_side side)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];
	bool is_empty = false;

	n = tlnb_step_units(l, side, units);
	for (i = 0; i < n; i++) {
		if (l->st->ends[units[i]] != TLNB_ELIMINATED)
			return (false);
		is_empty = is_empty || tlnb_attack_is_empty(l, units[i]);
	}
	return (is_empty);
}

/*
 * 14.4: the cavalry that won a shock must advance into a hex that the shock
 * vacated: by a retreat, or since nobody is left in it.
 */
static void
tlnb_attack_advance(const struct tlnb *l)
{
	size_t i, n, units[COMBAT_SIDE_UNITS_MAX];
	enum combat_side loser;
	const struct tlnb_unit *u;

	if (!l->st->has_shock)
		return;
	if (l->st->has_retreat)
		loser = l->st->retreats;
	else if (tlnb_attack_vacates(l, COMBAT_DEFENDER))
		loser = COMBAT_DEFENDER;
	else if (tlnb_attack_vacates(l, COMBAT_ATTACKER))
		loser = COMBAT_ATTACKER;
	else
		return;
	n = tlnb_step_units(l, question_enemy(loser), units);
	for (i = 0; i < n; i++) {
		u = &l->f->units[units[i]];
		if (l->st->ends[units[i]] == TLNB_ELIMINATED)
			continue;
		if (u->arm != TLNB_CAVALRY || tlnb_facts_is_demoralized(u) ||
		    u->flags[TLNB_IS_OUT_OF_SUPPLY] ||
		    u->flags[TLNB_IS_OUT_OF_COMMAND])
			continue;
		l->st->must_advance[units[i]] = true;
		tlnb_step_unit_change(l, units[i], "advance", "shock");
	}
}

int
tlnb_attack_run(const struct tlnb *l)
{
	size_t column;
	uint16_t die;
	int r;

	if ((r = tlnb_attack_find_column(l, &column)) != 0)
		return (r);
	if ((r = combat_roll(l->c, &die, 1, TLNB_STEP_SIDES, "combat")) != 0)
		return (r);
	tlnb_step_look_up(l, "combat", die, tlnb_attack_columns[column].name,
	    &l->t->crt[die - 1][column]);
	tlnb_attack_settle(l);
	if (l->st->code.effect == TLNB_SHOCK &&
	    (r = tlnb_attack_shock(l, column)) != 0)
		return (r);
	if ((r = tlnb_attack_apply(l)) != 0)
		return (r);
	tlnb_attack_advance(l);
	return (0);
}
