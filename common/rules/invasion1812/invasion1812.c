/* SPDX-License-Identifier: ISC */
/*
 * Napoleon's Greatest Gamble: The Invasion of Russia (1812), section 11:
 * combat between stacks (umpire-rules.7, 11).  Straight through in the order
 * of the section: slipping away, values, hits, withdrawal and advance,
 * commanders.  Facts that break the rules were refused when they were read.
 */
#include "common/rules/invasion1812/invasion1812.h"

#include "common/rules/invasion1812/invasion1812_ask.h"
#include "common/rules/invasion1812/invasion1812_facts.h"
#include "common/rules/invasion1812/invasion1812_result.h"
#include "common/rules/invasion1812/invasion1812_roster.h"
#include "common/rules/rulekit.h"

#define INVASION1812_DIE 6 /* sides of the one die that the system knows */

/* umpire-rules.7, 11.8. */
enum invasion1812_ruling {
	INVASION1812_MOUNTAIN_AS_ROUGH,
	INVASION1812_EMPTIED_HEX,
	INVASION1812_RULINGS,
};

enum invasion1812_emptied {
	INVASION1812_ALWAYS,
	INVASION1812_ATTACKER_WON,
};

static const char *const invasion1812_emptied[] = {
    [INVASION1812_ALWAYS] = "always",
    [INVASION1812_ATTACKER_WON] = "attacker-won",
    NULL,
};

static const struct rules_ruling invasion1812_rulings[] = {
    [INVASION1812_MOUNTAIN_AS_ROUGH] = {.name = "mountain_as_rough",
	.question = "do mountains count as rough ground for the attacker?",
	.is_bool = true,
	.fallback = false},
    [INVASION1812_EMPTIED_HEX] = {.name = "advance_into_emptied_hex",
	.question = "when the defender wins but loses the whole stack, may the "
		    "attacker advance?",
	.words = invasion1812_emptied,
	.fallback = INVASION1812_ALWAYS},
};

/* A run of the rules: facts, state and the conversation in one place. */
struct invasion1812 {
	struct combat *c;
	const struct invasion1812_facts *f;
	struct invasion1812_state *st;
};

/* Returns the fighting stack of a side. */
static const struct invasion1812_stack *
invasion1812_stack(const struct invasion1812 *v, enum combat_side side)
{
	return (&v->f->stacks[v->f->sides[side].stacks]);
}

/* Counts the units from first to end - 1 that are in this state now. */
static int
invasion1812_count(const struct invasion1812 *v, size_t first, size_t end,
    enum invasion1812_end in)
{
	int n = 0;
	size_t u;

	for (u = first; u < end; u++)
		n += v->st->ends[u] == in;
	return (n);
}

/* Counts the undisrupted units of a stack as they are now. */
static int
invasion1812_good(
    const struct invasion1812 *v, const struct invasion1812_stack *s)
{
	return (
	    invasion1812_count(v, s->units, s->end_units, INVASION1812_GOOD));
}

/* True if the stack has an undisrupted unit of this type. */
static bool
invasion1812_has(const struct invasion1812 *v,
    const struct invasion1812_stack *s, enum invasion1812_type type)
{
	size_t u;

	for (u = s->units; u < s->end_units; u++) {
		if (v->st->ends[u] == INVASION1812_GOOD &&
		    v->f->units[u].type == type)
			return (true);
	}
	return (false);
}

/* True if the stack has a unit left. */
static bool
invasion1812_is_left(
    const struct invasion1812 *v, const struct invasion1812_stack *s)
{
	return (invasion1812_count(v, s->units, s->end_units,
		    INVASION1812_ELIMINATED) < (int)(s->end_units - s->units));
}

/* Says what became of the unit or commander with this id. */
static void
invasion1812_change(const struct invasion1812 *v, const char *id,
    const char *what, const char *why)
{
	combat_change(v->c, event_text("unit", id), what, why, NULL, 0);
}

/* Says what became of a side, with n more fields. */
static void
invasion1812_change_side(const struct invasion1812 *v, enum combat_side side,
    const char *what, const char *why, const struct event_field *more, size_t n)
{
	combat_change(
	    v->c, event_text("side", question_side(side)), what, why, more, n);
}

/* Rule 11.17: unit u takes a hit. */
static void
invasion1812_hit(const struct invasion1812 *v, size_t u, const char *why)
{
	enum invasion1812_end *end = &v->st->ends[u];

	*end = *end == INVASION1812_GOOD ? INVASION1812_DISRUPTED
					 : INVASION1812_ELIMINATED;
	invasion1812_change(
	    v, v->f->units[u].name.id, invasion1812_result_ends[*end], why);
}

/*
 * Notes the units of a stack that are in this state, of one type or, with
 * INVASION1812_TYPES, of any, as those that a question may name.
 */
static void
invasion1812_note(const struct invasion1812 *v,
    const struct invasion1812_stack *s, enum invasion1812_end in,
    enum invasion1812_type type)
{
	struct invasion1812_state *st = v->st;
	size_t u;

	st->n_eligible = 0;
	for (u = s->units; u < s->end_units; u++) {
		if (st->ends[u] != in ||
		    (type != INVASION1812_TYPES && v->f->units[u].type != type))
			continue;
		st->ids[st->n_eligible] = v->f->units[u].name.id;
		st->eligible[st->n_eligible++] = u;
	}
}

/*
 * Rule 11.12: undisrupted units of the attacking stack, of one type or of any,
 * may advance, and its commanders along with them.
 */
static int
invasion1812_advance(const struct invasion1812 *v, enum invasion1812_type type)
{
	const struct invasion1812_stack *s =
	    invasion1812_stack(v, COMBAT_ATTACKER);
	struct invasion1812_state *st = v->st;
	struct question_answer a;
	struct question_member m;
	size_t i, id;
	int r;

	invasion1812_note(v, s, INVASION1812_GOOD, type);
	if (st->n_eligible == 0)
		return (0);
	if (s->commanders == s->end_commanders) {
		m = question_some(
		    "units", st->ids, st->n_eligible, 0, (int)st->n_eligible);
		r = combat_decide(
		    v->c, COMBAT_ATTACKER, INVASION1812_ADVANCE, &m, 1, &a);
	} else {
		r = combat_decide_rule(v->c, COMBAT_ATTACKER,
		    INVASION1812_ADVANCE, &invasion1812_ask_advance, &a);
	}
	if (r != 0)
		return (r);
	for (i = 0; i < a.n_items; i++) {
		id = (size_t)a.items[i].id;
		st->advanced[st->n_advanced++] = id < st->n_eligible
		    ? st->eligible[id]
		    : v->f->n_units + s->commanders + id - st->n_eligible;
	}
	return (0);
}

/*
 * Rule 11.1: a stack of cavalry alone may slip away from one without any.
 * *has says whether it did.
 */
static int
invasion1812_slip_away(const struct invasion1812 *v, bool *has)
{
	const struct invasion1812_stack *s =
	    invasion1812_stack(v, COMBAT_DEFENDER);
	size_t u;
	int r;

	*has = false;
	for (u = s->units; u < s->end_units; u++) {
		if (v->f->units[u].type != INVASION1812_CAVALRY)
			return (0);
	}
	if (invasion1812_has(v, invasion1812_stack(v, COMBAT_ATTACKER),
		INVASION1812_CAVALRY))
		return (0);
	if ((r = combat_decide_bool(v->c, COMBAT_DEFENDER,
		 INVASION1812_WITHDRAW_BEFORE, "withdraw", has)) != 0)
		return (r);
	if (!*has)
		return (0);
	v->st->has_withdrawn = true;
	invasion1812_change_side(
	    v, COMBAT_DEFENDER, "withdrawn", "slipped-away", NULL, 0);
	return (0);
}

/* Rule 11.2: what a stack's history divides its worth by. */
static int
invasion1812_divisor(const struct invasion1812_stack *s)
{
	int times = s->fought + s->has_marched;

	return (times == 0 ? 1 : times == 1 ? 2 : 4);
}

/* Rules 11.4, 11.5: forest, marsh or rough ground. */
static bool
invasion1812_is_difficult(const struct invasion1812 *v)
{
	switch (v->f->terrain) {
	case INVASION1812_FOREST:
	case INVASION1812_MARSH:
	case INVASION1812_ROUGH:
		return (true);
	case INVASION1812_MOUNTAIN: /* umpire-rules.7, 11.8 */
		return (combat_ruling(v->c, INVASION1812_MOUNTAIN_AS_ROUGH));
	case INVASION1812_CLEAR:
	case INVASION1812_CITY:
		break;
	}
	return (false);
}

/* A score while its steps are added up; at most eight members. */
struct invasion1812_score {
	struct event_field fields[11];
	struct event_field mods[3], commander; /* what fields point to */
	size_t n;
	int score;
};

/* Begins a score of a side, or of the stack of a unit. */
static void
invasion1812_score_begin(struct invasion1812_score *score, const char *of,
    const char *id, const char *what)
{
	score->fields[0] = event_text(of, id);
	score->fields[1] = event_text("what", what);
	score->n = 2;
	score->score = 0;
}

/* Adds a step that is a number. */
static void
invasion1812_score_add(
    struct invasion1812_score *score, const char *name, int value)
{
	score->fields[score->n++] = event_int(name, value);
	score->score += value;
}

/* Adds a step of n reasons, if there are any. */
static void
invasion1812_score_add_all(struct invasion1812_score *score, const char *name,
    const struct event_field *reasons, size_t n)
{
	size_t i;

	if (n == 0)
		return;
	score->fields[score->n++] = event_object(name, reasons, n);
	for (i = 0; i < n; i++)
		score->score += (int)reasons[i].number;
}

/* Divides what stands, which is not negative. */
static void
invasion1812_score_divide(struct invasion1812_score *score, int by)
{
	if (by == 1)
		return;
	score->fields[score->n++] = event_int("divide", by);
	score->score /= by;
}

/* Limits what stands to at most n. */
static void
invasion1812_score_most(struct invasion1812_score *score, int n)
{
	score->fields[score->n++] = event_int("most", n);
	if (score->score > n)
		score->score = n;
}

/* Ends a score and says it. */
static int
invasion1812_score_end(
    const struct invasion1812 *v, struct invasion1812_score *score)
{
	score->fields[score->n++] = event_int("score", score->score);
	combat_emit(v->c, "score", score->fields, score->n);
	return (score->score);
}

/*
 * Rules 11.4, 11.5: what ground and river take from an attacking stack; a
 * support suffers less, and nothing from a fortified city if it has artillery.
 */
static void
invasion1812_ground(const struct invasion1812 *v,
    const struct invasion1812_stack *s, bool is_support,
    struct invasion1812_score *score)
{
	bool has_guns = invasion1812_has(v, s, INVASION1812_ARTILLERY);
	struct event_field *mods = score->mods;
	size_t n = 0;

	if (s->is_across)
		mods[n++] = event_int("river", is_support ? -2 : -3);
	if (invasion1812_is_difficult(v))
		mods[n++] = event_int("ground", is_support ? -1 : -2);
	else if (v->f->is_fortified && !has_guns)
		mods[n++] = event_int("no-artillery", is_support ? -1 : -2);
	if (v->f->is_fortified && has_guns && !is_support)
		mods[n++] = event_int("fortified", -1);
	invasion1812_score_add_all(score, "modifiers", mods, n);
}

/* Rules 11.5, 11.7: the best CR, at most the number of undisrupted units. */
static void
invasion1812_best(const struct invasion1812 *v,
    const struct invasion1812_stack *s, struct invasion1812_score *score)
{
	const struct invasion1812_commander *best = NULL, *m;
	int n = invasion1812_good(v, s);
	size_t k;

	for (k = s->commanders; k < s->end_commanders; k++) {
		m = &v->f->commanders[k];
		if (best == NULL || m->cr > best->cr)
			best = m;
	}
	if (best == NULL)
		return;
	score->commander =
	    event_int(best->name.id, best->cr < n ? best->cr : n);
	invasion1812_score_add_all(score, "commander", &score->commander, 1);
}

/* Rules 11.3 to 11.6: what the fighting stack of a side is worth. */
static int
invasion1812_stack_value(const struct invasion1812 *v, enum combat_side side)
{
	const struct invasion1812_stack *s = invasion1812_stack(v, side);
	struct event_field *cfs = v->st->fields;
	struct invasion1812_score score;
	int type, types = 0;
	size_t n = 0, u;

	for (u = s->units; u < s->end_units; u++) {
		if (v->st->ends[u] == INVASION1812_GOOD)
			cfs[n++] = event_int(
			    v->f->units[u].name.id, v->f->units[u].cf);
	}
	for (type = 0; type < INVASION1812_TYPES; type++)
		types += invasion1812_has(v, s, (enum invasion1812_type)type);
	invasion1812_score_begin(&score, "side", question_side(side), "stack");
	invasion1812_score_add_all(&score, "cf", cfs, n);
	if (types > 1)
		invasion1812_score_add(&score, "types", 2 * (types - 1));
	invasion1812_score_divide(&score, invasion1812_divisor(s));
	if (side == COMBAT_ATTACKER)
		invasion1812_ground(v, s, false, &score);
	invasion1812_best(v, s, &score);
	return (invasion1812_score_end(v, &score));
}

/* Rules 11.5, 11.7: what one supporting stack adds. */
static int
invasion1812_support_value(const struct invasion1812 *v, enum combat_side side,
    const struct invasion1812_stack *s)
{
	struct invasion1812_score score;

	invasion1812_score_begin(
	    &score, "unit", v->f->units[s->units].name.id, "support");
	invasion1812_score_add(&score, "units", invasion1812_good(v, s));
	invasion1812_score_divide(&score, invasion1812_divisor(s));
	if (side == COMBAT_ATTACKER)
		invasion1812_ground(v, s, true, &score);
	if (s->commanders < s->end_commanders)
		invasion1812_score_add(&score, "with-commander", 1);
	return (invasion1812_score_end(v, &score));
}

/* Rules 11.3 to 11.7, 11.18: a side's final value. */
static int
invasion1812_value(const struct invasion1812 *v, enum combat_side side)
{
	const struct invasion1812_side *of = &v->f->sides[side];
	const struct invasion1812_stack *s;
	struct event_field *supports = v->st->fields;
	struct invasion1812_score score;
	bool has_good = invasion1812_good(v, invasion1812_stack(v, side)) > 0;
	int r, stack = 0;
	size_t i, n = 0;
	uint16_t die;

	if (has_good)
		stack = invasion1812_stack_value(v, side);
	else
		invasion1812_change_side(
		    v, side, "die-alone", "disrupted", NULL, 0);
	for (i = of->stacks + 1; has_good && i < of->end_stacks; i++) {
		s = &v->f->stacks[i];
		supports[n++] = event_int(v->f->units[s->units].name.id,
		    invasion1812_support_value(v, side, s));
	}
	if ((r = combat_roll(v->c, &die, 1, INVASION1812_DIE, "combat/%s",
		 question_side(side))) != 0)
		return (r);
	invasion1812_score_begin(&score, "side", question_side(side), "final");
	if (has_good)
		invasion1812_score_add(&score, "stack", stack);
	invasion1812_score_add_all(&score, "supports", supports, n);
	invasion1812_score_add(&score, "die", die);
	v->st->values[side] = invasion1812_score_end(v, &score);
	return (0);
}

/* Rules 11.3 to 11.8: the final values, and who wins by them. */
static int
invasion1812_values(const struct invasion1812 *v)
{
	static const char *const whats[] = {
	    [INVASION1812_ATTACKER_WINS] = "won",
	    [INVASION1812_DEFENDER_WINS] = "lost",
	    [INVASION1812_TIE] = "tied",
	};
	const int *values = v->st->values;
	struct event_field more[3];
	int margin, r;

	if ((r = invasion1812_value(v, COMBAT_ATTACKER)) != 0)
		return (r);
	if ((r = invasion1812_value(v, COMBAT_DEFENDER)) != 0)
		return (r);
	margin = values[COMBAT_ATTACKER] - values[COMBAT_DEFENDER];
	v->st->whole = margin > 0 ? INVASION1812_ATTACKER_WINS
	    : margin < 0          ? INVASION1812_DEFENDER_WINS
				  : INVASION1812_TIE;
	more[0] = event_int("fav", values[COMBAT_ATTACKER]);
	more[1] = event_int("fdv", values[COMBAT_DEFENDER]);
	more[2] = event_int("difference", margin < 0 ? -margin : margin);
	invasion1812_change_side(v, COMBAT_ATTACKER, whats[v->st->whole],
	    "values", more, margin == 0 ? 2 : 3);
	return (0);
}

/* Counts the hits that units from first to end - 1 can take. */
static int
invasion1812_room(const struct invasion1812 *v, size_t first, size_t end)
{
	int n = 0;
	size_t u;

	for (u = first; u < end; u++)
		n += invasion1812_ask_room(v->st->ends[u]);
	return (n);
}

/* Rules 11.9, 11.17: a side gives the hits that it suffers to its units. */
static int
invasion1812_take_hits(
    const struct invasion1812 *v, enum combat_side side, bool is_stack_only)
{
	const struct invasion1812_side *of = &v->f->sides[side];
	const struct invasion1812_stack *s = invasion1812_stack(v, side);
	struct invasion1812_state *st = v->st;
	struct question_answer a;
	size_t i, n = of->end_units - of->units;
	int in_stack, r, room;

	in_stack = invasion1812_room(v, s->units, s->end_units);
	room = invasion1812_room(v, of->units, of->end_units);
	st->side = side;
	st->is_stack_only = is_stack_only;
	st->count = st->hits[side] < room ? st->hits[side] : room;
	st->stack_least = is_stack_only ? st->count : (st->count + 1) / 2;
	if (st->stack_least > in_stack)
		st->stack_least = in_stack;
	if (st->count < st->hits[side])
		invasion1812_change_side(v, side, "fewer-hits", "units",
		    EVENT_FIELDS(event_int("hits", st->hits[side]),
			event_int("taken", st->count)));
	if (st->count == 0)
		return (0);
	if ((r = combat_decide_rule(v->c, side, INVASION1812_HITS,
		 &invasion1812_ask_hits, &a)) != 0)
		return (r);
	for (i = 0; i < a.n_items; i++)
		invasion1812_hit(v, of->units + (size_t)a.items[i].id % n,
		    (size_t)a.items[i].id < n ? "hit" : "extra");
	return (0);
}

/* Counts a side's undisrupted units before the combat, supports too. */
static int
invasion1812_strength(const struct invasion1812 *v, enum combat_side side)
{
	const struct invasion1812_side *of = &v->f->sides[side];
	int n = 0;
	size_t u;

	for (u = of->units; u < of->end_units; u++)
		n += !v->f->units[u].is_disrupted;
	return (n);
}

/* Rule 11.14: the hits that the winner inflicts on the other side. */
static int
invasion1812_hits_on_loser(const struct invasion1812 *v, enum combat_side loser)
{
	enum combat_side winner = question_enemy(loser);
	struct invasion1812_score score;

	invasion1812_score_begin(
	    &score, "side", question_side(winner), "hits-on-loser");
	invasion1812_score_add(&score, "own", v->st->values[winner]);
	invasion1812_score_add(&score, "enemy", -v->st->values[loser]);
	invasion1812_score_most(&score, invasion1812_strength(v, winner));
	v->st->hits[loser] = invasion1812_score_end(v, &score);
	return (invasion1812_take_hits(v, loser, false));
}

/* Rule 11.15: the hits that the loser inflicts on the winner. */
static int
invasion1812_hits_on_winner(
    const struct invasion1812 *v, enum combat_side winner)
{
	static const struct {
		const char *reason;
		int value;
	} rolled[] = {
	    {"rolled-low", -1},
	    {"rolled-middle", 0},
	    {"rolled-high", 1},
	};
	enum combat_side loser = question_enemy(winner);
	int most = invasion1812_strength(v, loser), r;
	struct invasion1812_score score;
	uint16_t die;

	if (most == 0) {
		invasion1812_change_side(
		    v, loser, "no-hits", "disrupted", NULL, 0);
		return (0);
	}
	if ((r = combat_roll(
		 v->c, &die, 1, INVASION1812_DIE, "hits-on-winner")) != 0)
		return (r);
	invasion1812_score_begin(
	    &score, "side", question_side(loser), "hits-on-winner");
	invasion1812_score_add(
	    &score, "difference", v->st->values[winner] - v->st->values[loser]);
	invasion1812_score_divide(&score, 2);
	score.mods[0] = event_int(
	    rolled[(die - 1) / 2].reason, rolled[(die - 1) / 2].value);
	invasion1812_score_add_all(&score, "adjustment", score.mods, 1);
	if (score.score < 0) {
		score.fields[score.n++] = event_int("least", 0);
		score.score = 0;
	}
	invasion1812_score_most(&score, most);
	v->st->hits[winner] = invasion1812_score_end(v, &score);
	return (invasion1812_take_hits(v, winner, false));
}

/* Rules 11.9, 11.14 to 11.17: hits. */
static int
invasion1812_hits(const struct invasion1812 *v)
{
	enum combat_side winner;
	int r;

	if (v->st->whole == INVASION1812_TIE) {
		v->st->hits[COMBAT_ATTACKER] = 1;
		return (invasion1812_take_hits(v, COMBAT_ATTACKER, true));
	}
	winner = v->st->whole == INVASION1812_ATTACKER_WINS ? COMBAT_ATTACKER
							    : COMBAT_DEFENDER;
	r = invasion1812_hits_on_loser(v, question_enemy(winner));
	if (r != 0)
		return (r);
	return (invasion1812_hits_on_winner(v, winner));
}

/* Rules 11.10, 11.13: no unit of the defending stack is left. */
static int
invasion1812_emptied_hex(const struct invasion1812 *v)
{
	if (v->st->whole == INVASION1812_DEFENDER_WINS &&
	    combat_ruling(v->c, INVASION1812_EMPTIED_HEX) ==
		INVASION1812_ATTACKER_WON) {
		invasion1812_change_side(
		    v, COMBAT_DEFENDER, "emptied", "attacker-lost", NULL, 0);
		return (0);
	}
	invasion1812_change_side(
	    v, COMBAT_DEFENDER, "emptied", "eliminated", NULL, 0);
	return (invasion1812_advance(v, INVASION1812_TYPES));
}

/*
 * Rule 11.16: cavalry rides down a unit of a stack that withdraws before it and
 * has none of its own.
 */
static int
invasion1812_pursuit(const struct invasion1812 *v)
{
	const struct invasion1812_stack *s =
	    invasion1812_stack(v, COMBAT_DEFENDER);
	struct question_answer a;
	struct question_member m;
	int r;

	if (!invasion1812_has(v, invasion1812_stack(v, COMBAT_ATTACKER),
		INVASION1812_CAVALRY) ||
	    invasion1812_has(v, s, INVASION1812_CAVALRY))
		return (0);
	invasion1812_note(v, s, INVASION1812_DISRUPTED, INVASION1812_TYPES);
	if (v->st->n_eligible == 0)
		return (0);
	m = question_one_of("unit", v->st->ids, v->st->n_eligible);
	if ((r = combat_decide(v->c, COMBAT_DEFENDER, INVASION1812_PURSUIT_HIT,
		 &m, 1, &a)) != 0)
		return (r);
	invasion1812_hit(v, v->st->eligible[a.number[0]], "pursuit");
	return (0);
}

/* Rule 11.12: a stack that must withdraw and cannot is lost. */
static void
invasion1812_trap(const struct invasion1812 *v)
{
	const struct invasion1812_stack *s =
	    invasion1812_stack(v, COMBAT_DEFENDER);
	size_t u;

	for (u = s->units; u < s->end_units; u++) {
		if (v->st->ends[u] == INVASION1812_ELIMINATED)
			continue;
		v->st->ends[u] = INVASION1812_ELIMINATED;
		invasion1812_change(v, v->f->units[u].name.id,
		    invasion1812_result_ends[INVASION1812_ELIMINATED],
		    "trapped");
	}
}

/* Rules 11.10 to 11.13, 11.16: withdrawal and advance. */
static int
invasion1812_withdrawal(const struct invasion1812 *v)
{
	const struct invasion1812_stack *s =
	    invasion1812_stack(v, COMBAT_DEFENDER);
	int margin, r;
	bool withdraws;

	if (!invasion1812_is_left(v, s))
		return (invasion1812_emptied_hex(v));
	margin =
	    v->st->values[COMBAT_ATTACKER] - v->st->values[COMBAT_DEFENDER];
	if (margin >= 3)
		r = combat_decide_bool(v->c, COMBAT_DEFENDER,
		    INVASION1812_FORCED_WITHDRAW, "possible", &withdraws);
	else
		r = combat_decide_bool(v->c, COMBAT_DEFENDER,
		    INVASION1812_WITHDRAW, "withdraw", &withdraws);
	if (r != 0)
		return (r);
	if (!withdraws && margin < 3)
		return (0);
	if (!withdraws) {
		invasion1812_trap(v);
		return (invasion1812_emptied_hex(v));
	}
	v->st->has_withdrawn = true;
	if ((r = invasion1812_pursuit(v)) != 0)
		return (r);
	if (!invasion1812_is_left(v, s))
		return (invasion1812_emptied_hex(v));
	if (margin >= 3)
		return (invasion1812_advance(v, INVASION1812_TYPES));
	if (margin >= 1)
		return (invasion1812_advance(v, INVASION1812_CAVALRY));
	return (0);
}

/* Rule 11.19: one commander whose units are gone. */
static int
invasion1812_commander(
    const struct invasion1812 *v, enum combat_side side, size_t k)
{
	const char *id = v->f->commanders[k].name.id;
	const struct question_member to = {
	    .name = "to",
	    .shape = QUESTION_TEXT,
	    .ids = &id,
	    .n_ids = 1,
	    .has_null = true,
	    .each = "commander",
	    .what = "a stack",
	};
	struct question_answer a;
	uint16_t die;
	int r;

	v->st->tests[k] = INVASION1812_LOST;
	if ((r = combat_roll(
		 v->c, &die, 1, INVASION1812_DIE, "commander/%s", id)) != 0)
		return (r);
	if (die == 1) {
		invasion1812_change(v, id, "eliminated", "commander");
		return (0);
	}
	if ((r = combat_decide(
		 v->c, side, INVASION1812_COMMANDER_ESCAPE, &to, 1, &a)) != 0)
		return (r);
	if (a.text == NULL) {
		invasion1812_change(v, id, "eliminated", "no-stack");
		return (0);
	}
	v->st->tests[k] = INVASION1812_ESCAPED;
	combat_change(v->c, event_text("unit", id), "escaped", "commander",
	    EVENT_FIELDS(event_text("to", a.text)));
	return (0);
}

/* Rule 11.19: commanders whose stack has no unit left, by the facts. */
static int
invasion1812_commanders(const struct invasion1812 *v)
{
	const struct invasion1812_stack *s;
	enum combat_side side;
	size_t i, k;
	int r;

	for (i = 0; i < v->f->n_stacks; i++) {
		s = &v->f->stacks[i];
		if (s->has_others || invasion1812_is_left(v, s))
			continue;
		side = i < v->f->sides[COMBAT_DEFENDER].stacks
		    ? COMBAT_ATTACKER
		    : COMBAT_DEFENDER;
		for (k = s->commanders; k < s->end_commanders; k++) {
			if ((r = invasion1812_commander(v, side, k)) != 0)
				return (r);
		}
	}
	return (0);
}

/* The combat proper: values, hits, withdrawal and advance, commanders. */
static int
invasion1812_fight(const struct invasion1812 *v)
{
	int r;

	if ((r = invasion1812_values(v)) != 0)
		return (r);
	if ((r = invasion1812_hits(v)) != 0)
		return (r);
	if (v->st->whole != INVASION1812_TIE &&
	    (r = invasion1812_withdrawal(v)) != 0)
		return (r);
	return (invasion1812_commanders(v));
}

/* Rules 11.1 to 11.19. */
static int
invasion1812_run(struct combat *c)
{
	const struct invasion1812 v = {
	    .c = c,
	    .f = combat_facts(c),
	    .st = combat_state(c),
	};
	const struct invasion1812_stack *s =
	    invasion1812_stack(&v, COMBAT_DEFENDER);
	bool has_slipped;
	size_t u;
	int r;

	for (u = 0; u < v.f->n_units; u++)
		v.st->ends[u] = v.f->units[u].is_disrupted
		    ? INVASION1812_DISRUPTED
		    : INVASION1812_GOOD;
	if (s->units == s->end_units) {
		v.st->whole = INVASION1812_COMMANDERS_ALONE;
		invasion1812_change_side(
		    &v, COMBAT_DEFENDER, "no-combat", "commanders", NULL, 0);
		if ((r = invasion1812_advance(&v, INVASION1812_TYPES)) != 0)
			return (r);
		return (invasion1812_commanders(&v));
	}
	if ((r = invasion1812_slip_away(&v, &has_slipped)) != 0)
		return (r);
	if (has_slipped) {
		v.st->whole = INVASION1812_SLIPPED_AWAY;
		return (invasion1812_advance(&v, INVASION1812_TYPES));
	}
	return (invasion1812_fight(&v));
}

const struct rules_system invasion1812_system = {
    .id = "invasion-1812",
    .version = "invasion-1812/1",
    .name = "Napoleon's Greatest Gamble (1812)",
    .rulings = invasion1812_rulings,
    .n_rulings = INVASION1812_RULINGS,
    .unit = invasion1812_facts_unit,
    .commander = invasion1812_facts_commander,
    .facts_size = sizeof(struct invasion1812_facts),
    .state_size = sizeof(struct invasion1812_state),
    .parse = invasion1812_facts_parse,
    .facts = invasion1812_facts_json,
    .run = invasion1812_run,
    .result = invasion1812_result_json,
    .roster_unit = invasion1812_facts_roster_unit,
    .roster_commander = invasion1812_facts_roster_commander,
    .game = &invasion1812_roster_game,
    .ends = invasion1812_result_ends,
    .policies = invasion1812_ask_policies,
    .policy = invasion1812_ask_policy,
    .outcome = invasion1812_result_outcome,
};
