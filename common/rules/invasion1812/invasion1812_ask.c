/* SPDX-License-Identifier: ISC */
/*
 * The questions of invasion-1812: picks of `hits` are units of the side by
 * their order in the facts, those of `advance` the units that may, and the
 * commanders of the stack behind them.
 */
#include "common/rules/invasion1812/invasion1812_ask.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/rulekit.h"

int
invasion1812_ask_room(enum invasion1812_end end)
{
	switch (end) {
	case INVASION1812_GOOD:
		return (2);
	case INVASION1812_DISRUPTED:
		return (1);
	case INVASION1812_ELIMINATED:
		break;
	}
	return (0);
}

/* What a question about hits is about: a side, and how they stand. */
struct invasion1812_ask {
	const struct invasion1812_facts *f;
	const struct invasion1812_state *st;
	const struct invasion1812_unit *units; /* of the side */
	const enum invasion1812_end *ends; /* of those, before the hits */
	size_t n, n_stack; /* those of the fighting stack come first */
};

/* Finds the units of the side that takes hits. */
static struct invasion1812_ask
invasion1812_ask(const struct combat *c)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_side *of = &f->sides[st->side];
	const struct invasion1812_ask k = {
	    .f = f,
	    .st = st,
	    .units = &f->units[of->units],
	    .ends = &st->ends[of->units],
	    .n = of->end_units - of->units,
	    .n_stack = f->stacks[of->stacks].end_units - of->units,
	};

	return (k);
}

int
invasion1812_ask_left(
    const struct combat *c, const struct question_picks *p, size_t i)
{
	return (invasion1812_ask_room(invasion1812_ask(c).ends[i]) - p->of[i]);
}

/* question_rule's count. */
static size_t
invasion1812_ask_hits_count(const struct combat *c)
{
	return (invasion1812_ask(c).n);
}

/* question_rule's id. */
static const char *
invasion1812_ask_hits_id(const struct combat *c, size_t i)
{
	return (invasion1812_ask(c).units[i].name.id);
}

/* question_rule's goal: hits. */
static int
invasion1812_ask_hits_goal(const struct combat *c)
{
	return (invasion1812_ask(c).st->count);
}

/* Says that the hits are not as many as they must be. */
static bool
invasion1812_ask_hits_short(
    const struct invasion1812_ask *k, struct question_why *why)
{
	return (question_refuse(why, "units", NULL,
	    "must name as many units as there are hits, which is %d",
	    k->st->count));
}

/* Counts the hits, and those besides, that the stack of unit u takes. */
static void
invasion1812_ask_in_stack(const struct invasion1812_ask *k,
    const struct question_picks *p, size_t u, int *hits, int *extras)
{
	const struct invasion1812_side *of = &k->f->sides[k->st->side];
	const struct invasion1812_stack *s = &k->f->stacks[of->stacks];
	size_t i;

	while (of->units + u >= s->end_units)
		s++;
	*hits = *extras = 0;
	for (i = s->units - of->units; i < s->end_units - of->units; i++) {
		*hits += p->of[i];
		*extras += p->of[k->n + i];
	}
}

/* 11.4: one unit more of a stack that takes an odd number of hits. */
static bool
invasion1812_ask_extra_may(const struct invasion1812_ask *k,
    const struct question_picks *p, size_t u, struct question_why *why)
{
	int extras, hits, room = invasion1812_ask_room(k->ends[u]) - p->of[u];

	if (p->n < k->st->count)
		return (invasion1812_ask_hits_short(k, why));
	invasion1812_ask_in_stack(k, p, u, &hits, &extras);
	if (hits % 2 == 0)
		return (question_refuse(why, "extra", NULL,
		    "is only for a stack that takes an odd number of hits; "
		    "\"%s\" is in one that takes %d: leave it out",
		    k->units[u].name.id, hits));
	if (extras > 0)
		return (question_refuse(why, "extra", NULL,
		    "must name at most one unit of a stack, and names another "
		    "of that of \"%s\"",
		    k->units[u].name.id));
	return (room == 1 ||
	    question_refuse(why, "extra", NULL,
		"must be a unit of the side that is disrupted after the "
		"hits"));
}

/* question_rule's may (11.4): a hit, or one more behind all hits. */
static bool
invasion1812_ask_hits_may(const struct combat *c,
    const struct question_picks *p, size_t i, struct question_why *why)
{
	const struct invasion1812_ask k = invasion1812_ask(c);
	size_t u = i, s;
	const char *id;
	int room, supports = 0;

	if (i >= k.n)
		return (invasion1812_ask_extra_may(&k, p, i - k.n, why));
	id = k.units[u].name.id;
	room = invasion1812_ask_room(k.ends[u]) - p->of[u];
	if (p->n >= k.st->count)
		return (invasion1812_ask_hits_short(&k, why));
	if (u >= k.n_stack && k.st->is_stack_only)
		return (question_refuse(
		    why, NULL, NULL, "\"%s\" is not among the options", id));
	if (room == 0)
		return (question_refuse(
		    why, NULL, NULL, "\"%s\" can take no more hits", id));
	for (s = k.n_stack; s < k.n; s++)
		supports += p->of[s];
	if (u >= k.n_stack && supports >= k.st->count - k.st->stack_least)
		return (question_refuse(why, "units", NULL,
		    "must give at least %d of the %d hits to the fighting "
		    "stack",
		    k.st->stack_least, k.st->count));
	return (true);
}

/* question_rule's ends. */
static bool
invasion1812_ask_hits_ends(const struct combat *c,
    const struct question_picks *p, struct question_why *why)
{
	const struct invasion1812_ask k = invasion1812_ask(c);

	return (p->n >= k.st->count || invasion1812_ask_hits_short(&k, why));
}

/*
 * Returns the ids of the units from first to end - 1 that can take at most so
 * many hits as a new array, or NULL.  A side is hit once, so that none of them
 * is eliminated yet.
 */
static json_t *
invasion1812_ask_ids(
    const struct invasion1812_ask *k, size_t first, size_t end, int most)
{
	json_t *list;
	size_t u;
	int bad = 0;

	list = json_array();
	for (u = first; u < end; u++) {
		if (invasion1812_ask_room(k->ends[u]) <= most)
			bad |= json_array_append_new(
			    list, json_string(k->units[u].name.id));
	}
	return (js_made(list, bad));
}

/* question_rule's options. */
static int
invasion1812_ask_hits_options(const struct combat *c, json_t *options)
{
	const struct invasion1812_ask k = invasion1812_ask(c);
	int bad;

	bad = json_object_set_new(options, "units",
	    json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}", "rule",
		INVASION1812_HITS, "count", k.st->count, "stack_least",
		k.st->stack_least, "stack",
		invasion1812_ask_ids(&k, 0, k.n_stack, 2), "supports",
		invasion1812_ask_ids(
		    &k, k.n_stack, k.st->is_stack_only ? k.n_stack : k.n, 2),
		"disrupted", invasion1812_ask_ids(&k, 0, k.n, 1)));
	/* An even number can be split into odd ones. */
	if (k.st->count % 2 == 1 || k.n > k.n_stack)
		bad |= json_object_set_new(options, "extra",
		    json_pack("{s:s, s:b}", "rule", INVASION1812_HITS,
			"optional", 1));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/*
 * question_rule's choose: units in good order first (word 0) or disrupted ones,
 * the weakest first, then the first; the stack takes its part before others.
 */
static size_t
invasion1812_ask_hits_choose(const struct combat *c, int word,
    const struct question_picks *p, const int16_t *ids, size_t n)
{
	const struct invasion1812_ask k = invasion1812_ask(c);
	size_t best = n, i, u, v;
	int room, wanted = word == 0 ? 2 : 1, with = 0;

	for (i = 0; i < n; i++) {
		u = (size_t)ids[i];
		if (u >= (p->n < k.st->stack_least ? k.n_stack : k.n))
			break;
		room = invasion1812_ask_room(k.ends[u]) - p->of[u];
		v = best == n ? u : (size_t)ids[best];
		if (best == n || (room == wanted && with != wanted) ||
		    (room == with && k.units[u].cf < k.units[v].cf)) {
			best = i;
			with = room;
		}
	}
	return (best);
}

const struct question_rule invasion1812_ask_hits = {
    .name = INVASION1812_HITS,
    .list = "units",
    .last = "extra",
    .options = invasion1812_ask_hits_options,
    .count = invasion1812_ask_hits_count,
    .id = invasion1812_ask_hits_id,
    .goal = invasion1812_ask_hits_goal,
    .may = invasion1812_ask_hits_may,
    .ends = invasion1812_ask_hits_ends,
    .choose = invasion1812_ask_hits_choose,
};

/* Returns the attacking stack. */
static const struct invasion1812_stack *
invasion1812_ask_stack(const struct combat *c)
{
	const struct invasion1812_facts *f = combat_facts(c);

	return (&f->stacks[f->sides[COMBAT_ATTACKER].stacks]);
}

/* question_rule's count. */
static size_t
invasion1812_ask_advance_count(const struct combat *c)
{
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_stack *s = invasion1812_ask_stack(c);

	return (st->n_eligible + s->end_commanders - s->commanders);
}

/* question_rule's id. */
static const char *
invasion1812_ask_advance_id(const struct combat *c, size_t i)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);

	if (i < st->n_eligible)
		return (st->ids[i]);
	i += invasion1812_ask_stack(c)->commanders - st->n_eligible;
	return (f->commanders[i].name.id);
}

/* question_rule's may (11.5): a commander only along with a unit. */
static bool
invasion1812_ask_advance_may(const struct combat *c,
    const struct question_picks *p, size_t i, struct question_why *why)
{
	const struct invasion1812_state *st = combat_state(c);
	bool has_unit = i < st->n_eligible;
	size_t u;

	if (p->of[i] > 0)
		return (
		    question_refuse(why, NULL, NULL, "\"%s\" is named twice",
			invasion1812_ask_advance_id(c, i)));
	for (u = 0; u < st->n_eligible; u++)
		has_unit = has_unit || p->of[u] > 0;
	return (has_unit ||
	    question_refuse(why, "units", NULL,
		"a commander advances along with a unit only"));
}

/* question_rule's ends. */
static bool
invasion1812_ask_advance_ends(const struct combat *c,
    const struct question_picks *p, struct question_why *why)
{
	(void)c;
	(void)p;
	(void)why;
	return (true);
}

/* question_rule's options. */
static int
invasion1812_ask_advance_options(const struct combat *c, json_t *options)
{
	const struct invasion1812_state *st = combat_state(c);
	size_t end = invasion1812_ask_advance_count(c), i;
	json_t *commanders = json_array(), *units = json_array();
	int bad = 0;

	for (i = 0; i < end; i++)
		bad |= json_array_append_new(
		    i < st->n_eligible ? units : commanders,
		    json_string(invasion1812_ask_advance_id(c, i)));
	bad |= json_object_set_new(options, "units",
	    json_pack("{s:s, s:o, s:o}", "rule", INVASION1812_ADVANCE, "units",
		units, "commanders", commanders));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* question_rule's choose: word 0 takes all, 1 units, 2 nobody. */
static size_t
invasion1812_ask_advance_choose(const struct combat *c, int word,
    const struct question_picks *p, const int16_t *ids, size_t n)
{
	const struct invasion1812_state *st = combat_state(c);

	(void)p;
	if (word == 2 || (word == 1 && (size_t)ids[0] >= st->n_eligible))
		return (n);
	return (0);
}

const struct question_rule invasion1812_ask_advance = {
    .name = INVASION1812_ADVANCE,
    .list = "units",
    .is_set = true,
    .options = invasion1812_ask_advance_options,
    .count = invasion1812_ask_advance_count,
    .id = invasion1812_ask_advance_id,
    .may = invasion1812_ask_advance_may,
    .ends = invasion1812_ask_advance_ends,
    .choose = invasion1812_ask_advance_choose,
};

static const char *const invasion1812_ask_stay[] = {"stay", "withdraw", NULL};
static const char *const invasion1812_ask_take[] = {
    "spread", "concentrate", NULL};
static const char *const invasion1812_ask_path[] = {
    "possible", "impossible", NULL};
static const char *const invasion1812_ask_rear[] = {
    "weakest", "strongest", NULL};
static const char *const invasion1812_ask_follow[] = {
    "all", "units", "none", NULL};
static const char *const invasion1812_ask_flee[] = {
    "escapes", "eliminated", NULL};

const struct rules_policy invasion1812_ask_policies[] = {
    {INVASION1812_WITHDRAW_BEFORE, invasion1812_ask_stay,
	"whether cavalry slips away before the combat", RULES_FACT_YES},
    {INVASION1812_HITS, invasion1812_ask_take,
	"hits go to units in good order first, the weakest of them first "
	"(spread), or to disrupted units first (concentrate)",
	RULES_FACT_NO},
    {INVASION1812_WITHDRAW, invasion1812_ask_stay,
	"whether the defender withdraws where it may choose", RULES_FACT_YES},
    {INVASION1812_FORCED_WITHDRAW, invasion1812_ask_path,
	"whether there is a hex to withdraw to", RULES_FACT_YES},
    {INVASION1812_PURSUIT_HIT, invasion1812_ask_rear,
	"the disrupted unit with the fewest or the most combat factors",
	RULES_FACT_NO},
    {INVASION1812_ADVANCE, invasion1812_ask_follow,
	"all that may advance do so, commanders too; or units only; or "
	"nobody",
	RULES_FACT_NO},
    {INVASION1812_COMMANDER_ESCAPE, invasion1812_ask_flee,
	"whether a friendly stack is near enough", RULES_FACT_YES},
    {.kind = NULL},
};

/* Names the weakest or the strongest of the units that may be named. */
static void
invasion1812_ask_policy_pursuit(
    const struct combat *c, int word, struct question_answer *a)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	int best, cf;
	size_t i;

	a->number[0] = 0;
	best = f->units[st->eligible[0]].cf;
	for (i = 1; i < st->n_eligible; i++) {
		cf = f->units[st->eligible[i]].cf;
		if (word == 0 ? cf >= best : cf <= best)
			continue;
		best = cf;
		a->number[0] = (int)i;
	}
}

int
invasion1812_ask_policy(const struct combat *c, const struct question *q,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room)
{
	const struct question_answer none = {.items = room};
	size_t i;

	*a = none;
	if (q->rule != NULL)
		return (question_choose(c, q->rule, word, a, room, n_room));
	if (strcmp(q->kind, INVASION1812_ADVANCE) == 0) {
		a->n_items = word == 2 ? 0 : q->members[0].n_ids;
		if (a->n_items > n_room)
			return (ERR_TOOBIG);
		for (i = 0; i < a->n_items; i++)
			room[i] = (struct question_item){.id = (int16_t)i};
	} else if (strcmp(q->kind, INVASION1812_COMMANDER_ESCAPE) == 0) {
		a->text = word == 0 ? "friends" : NULL;
	} else if (strcmp(q->kind, INVASION1812_PURSUIT_HIT) == 0) {
		invasion1812_ask_policy_pursuit(c, word, a);
	} else if (strcmp(q->kind, INVASION1812_FORCED_WITHDRAW) == 0) {
		a->number[0] = word == 0;
	} else {
		a->number[0] = word;
	}
	return (0);
}
