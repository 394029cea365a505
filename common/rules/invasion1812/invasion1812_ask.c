/* SPDX-License-Identifier: ISC */
/*
 * The questions of invasion-1812.  An answer to `hits` holds the units as
 * indexes into the facts and the extra one as its number (-1: none); one to
 * `advance` likewise, commanders behind the units; one to `commander-escape`
 * the length of the name (-1: null) and its bytes packed into the items, so
 * that a plain answer still says all that the player said.
 */
#include "common/rules/invasion1812/invasion1812_ask.h"

#include <assert.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/run.h"

#define INVASION1812_ASK_PACK sizeof(struct question_item)

/* What is wrong with an answer. */
enum invasion1812_ask_fault {
	INVASION1812_ASK_FINE,
	INVASION1812_ASK_COUNT, /* not as many as there are hits */
	INVASION1812_ASK_UNKNOWN, /* a unit that may not be named */
	INVASION1812_ASK_FULL, /* a unit that can take no more */
	INVASION1812_ASK_STACK, /* too few in the fighting stack */
	INVASION1812_ASK_EVEN, /* extra after an even number of hits */
	INVASION1812_ASK_EXTRA, /* extra is no disrupted unit of the side */
	INVASION1812_ASK_TWICE, /* one is named twice */
	INVASION1812_ASK_ALONE, /* commanders without a unit */
};

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

/* The units that hits can be given to, as a range; the stack's come first. */
struct invasion1812_ask_range {
	size_t first, end_stack, end;
};

/* Finds the units of the side that takes hits. */
static struct invasion1812_ask_range
invasion1812_ask_range(const struct combat *c)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_side *of = &f->sides[st->side];
	const struct invasion1812_ask_range g = {
	    .first = of->units,
	    .end_stack = f->stacks[of->stacks].end_units,
	    .end = st->is_stack_only ? f->stacks[of->stacks].end_units
				     : of->end_units,
	};

	return (g);
}

/* Holds an answer to `hits` against the rules; *bad is the item at fault. */
static enum invasion1812_ask_fault
invasion1812_ask_judge_hits(
    const struct combat *c, const struct question_answer *a, size_t *bad)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_side *of = &f->sides[st->side];
	struct invasion1812_ask_range g = invasion1812_ask_range(c);
	enum invasion1812_end ends[INVASION1812_UNITS_MAX];
	int extra = a->number[0], in_stack = 0, u;

	if (a->n_items != (size_t)st->count)
		return (INVASION1812_ASK_COUNT);
	memcpy(ends, st->ends, sizeof(ends));
	for (*bad = 0; *bad < a->n_items; (*bad)++) {
		u = a->items[*bad].id;
		if (u < (int)g.first || u >= (int)g.end)
			return (INVASION1812_ASK_UNKNOWN);
		if (invasion1812_ask_room(ends[u]) == 0)
			return (INVASION1812_ASK_FULL);
		ends[u]++;
		if (u < (int)g.end_stack)
			in_stack++;
	}
	if (in_stack < st->stack_least)
		return (INVASION1812_ASK_STACK);
	if (extra == -1)
		return (INVASION1812_ASK_FINE);
	if (st->count % 2 == 0)
		return (INVASION1812_ASK_EVEN);
	if (extra < (int)of->units || extra >= (int)of->end_units ||
	    ends[extra] != INVASION1812_DISRUPTED)
		return (INVASION1812_ASK_EXTRA);
	return (INVASION1812_ASK_FINE);
}

/* True if an answer to `hits` is lawful. */
static bool
invasion1812_ask_hits_holds(
    const struct combat *c, const struct question_answer *a)
{
	size_t bad;

	return (
	    invasion1812_ask_judge_hits(c, a, &bad) == INVASION1812_ASK_FINE);
}

/*
 * Returns the ids of the units from first to end - 1 that can take at most so
 * many hits as a new array, or NULL.  A side is hit once, so that none of them
 * is eliminated yet.
 */
static json_t *
invasion1812_ask_ids(const struct combat *c, size_t first, size_t end, int most)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	json_t *list;
	size_t u;
	int bad = 0;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (u = first; u < end; u++) {
		if (invasion1812_ask_room(st->ends[u]) <= most)
			bad |= json_array_append_new(
			    list, json_string(f->units[u].name.id));
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Adds the options of `hits`. */
static int
invasion1812_ask_hits_options(const struct combat *c, json_t *options)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_side *of = &f->sides[st->side];
	struct invasion1812_ask_range g = invasion1812_ask_range(c);
	int bad;

	bad = json_object_set_new(options, "units",
	    json_pack("{s:s, s:i, s:i, s:o, s:o, s:o}", "rule",
		INVASION1812_HITS, "count", st->count, "stack_least",
		st->stack_least, "stack",
		invasion1812_ask_ids(c, g.first, g.end_stack, 2), "supports",
		invasion1812_ask_ids(c, g.end_stack, g.end, 2), "disrupted",
		invasion1812_ask_ids(c, of->units, of->end_units, 1)));
	if (st->count % 2 == 1)
		bad |= json_object_set_new(options, "extra",
		    json_pack("{s:s, s:b}", "rule", INVASION1812_HITS,
			"optional", 1));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Finds a unit among those from first to end - 1; -1 if it is not there. */
static int
invasion1812_ask_find(const struct invasion1812_facts *f, size_t first,
    size_t end, const char *id)
{
	size_t u;

	for (u = first; u < end; u++) {
		if (strcmp(f->units[u].name.id, id) == 0)
			return ((int)u);
	}
	return (-1);
}

/* Says what is wrong with an answer to `hits`. */
static int
invasion1812_ask_hits_fail(const struct combat *c,
    enum invasion1812_ask_fault fault, const struct js_at *at,
    const struct js_at *at_i, const char *id, struct errinfo *e)
{
	const struct invasion1812_state *st = combat_state(c);

	switch (fault) {
	case INVASION1812_ASK_COUNT:
		return (js_fail_member(at, "units", e,
		    "must name as many units as there are hits, which is %d",
		    st->count));
	case INVASION1812_ASK_UNKNOWN:
		return (
		    js_fail(at_i, e, "\"%s\" is not among the options", id));
	case INVASION1812_ASK_FULL:
		return (js_fail(at_i, e, "\"%s\" can take no more hits", id));
	case INVASION1812_ASK_STACK:
		return (js_fail_member(at, "units", e,
		    "must give at least %d of the %d hits to the fighting "
		    "stack",
		    st->stack_least, st->count));
	case INVASION1812_ASK_EVEN:
		return (js_fail_member(at, "extra", e,
		    "is only for an odd number of hits, leave it out"));
	default:
		return (js_fail_member(at, "extra", e,
		    "must be a unit of the side that is disrupted after the "
		    "hits"));
	}
}

/*
 * Reads the strings of the list "units" as what find() makes of each, which
 * may be -1; *n is their number.
 */
static int
invasion1812_ask_read_ids(const struct combat *c, const json_t *list,
    const struct js_at *at, int (*find)(const struct combat *c, const char *id),
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	struct js_at at_i = {.up = at};
	const char *id;

	if (json_array_size(list) > n_room)
		return (js_fail(at, e, "has too many elements"));
	for (; at_i.index < json_array_size(list); at_i.index++) {
		id = json_string_value(json_array_get(list, at_i.index));
		if (id == NULL)
			return (js_fail(&at_i, e, "must be a string"));
		room[at_i.index].id = (int16_t)find(c, id);
		room[at_i.index].value = 0;
	}
	return (0);
}

/* Finds a unit of the side that takes hits. */
static int
invasion1812_ask_find_hit(const struct combat *c, const char *id)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);

	return (invasion1812_ask_find(
	    f, f->sides[st->side].units, f->sides[st->side].end_units, id));
}

/* Reads a decision on `hits`. */
static int
invasion1812_ask_hits_read(const struct combat *c, const json_t *decision,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	static const char *const known[] = {"kind", "units", "extra", NULL};
	const struct js_at at_list = {.up = at, .name = "units"};
	struct js_at at_i = {.up = &at_list};
	enum invasion1812_ask_fault fault;
	const char *extra = NULL, *id;
	const json_t *list;
	int r;

	if ((r = js_members(decision, at, known, e)) != 0)
		return (r);
	if ((r = js_get_array(decision, "units", at, &list, e)) != 0)
		return (r);
	if ((r = invasion1812_ask_read_ids(c, list, &at_list,
		 invasion1812_ask_find_hit, room, n_room, e)) != 0)
		return (r);
	a->items = room;
	a->n_items = json_array_size(list);
	if ((r = js_opt_str(decision, "extra", at, &extra, e)) != 0)
		return (r);
	a->number[0] = -1;
	/* A unit that is unknown must not pass for none. */
	if (extra != NULL &&
	    (a->number[0] = invasion1812_ask_find_hit(c, extra)) == -1)
		return (js_fail_member(
		    at, "extra", e, "\"%s\" is not among the options", extra));
	fault = invasion1812_ask_judge_hits(c, a, &at_i.index);
	if (fault == INVASION1812_ASK_FINE)
		return (0);
	id = json_string_value(json_array_get(list, at_i.index));
	return (invasion1812_ask_hits_fail(c, fault, at, &at_i, id, e));
}

/* Adds the members of a decision on `hits`. */
static int
invasion1812_ask_hits_write(
    const struct combat *c, const struct question_answer *a, json_t *decision)
{
	const struct invasion1812_facts *f = combat_facts(c);
	json_t *list = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < a->n_items; i++)
		bad |= json_array_append_new(
		    list, json_string(f->units[a->items[i].id].name.id));
	bad |= json_object_set_new(decision, "units", list);
	if (a->number[0] != -1)
		bad |= json_object_set_new(decision, "extra",
		    json_string(f->units[a->number[0]].name.id));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/*
 * Chooses one of the units from first to end - 1 that still take hits, and
 * gives it one; some unit must be left.
 */
static int16_t
invasion1812_ask_pick(enum invasion1812_end *ends, size_t first, size_t end,
    const struct question_pick *p)
{
	size_t n = 0, u;

	for (u = first; u < end; u++)
		n += invasion1812_ask_room(ends[u]) > 0;
	n = p->pick(p->arg, (uint32_t)n);
	for (u = first;; u++) {
		if (invasion1812_ask_room(ends[u]) > 0 && n-- == 0)
			break;
	}
	ends[u]++;
	return ((int16_t)u);
}

/* Makes a lawful answer to `hits` by chance. */
static int
invasion1812_ask_hits_sample(const struct combat *c,
    const struct question_pick *p, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_side *of = &f->sides[st->side];
	struct invasion1812_ask_range g = invasion1812_ask_range(c);
	enum invasion1812_end ends[INVASION1812_UNITS_MAX];
	struct question_answer made = {.items = room};
	size_t i, u;

	made.n_items = (size_t)st->count;
	made.number[0] = -1;
	if (made.n_items > n_room)
		return (ERR_TOOBIG);
	memcpy(ends, st->ends, sizeof(ends));
	for (i = 0; i < made.n_items; i++) {
		room[i].id = invasion1812_ask_pick(ends, g.first,
		    (int)i < st->stack_least ? g.end_stack : g.end, p);
		room[i].value = 0;
	}
	for (u = of->units; st->count % 2 == 1 && u < of->end_units; u++) {
		if (ends[u] == INVASION1812_DISRUPTED &&
		    p->pick(p->arg, 4) == 0)
			made.number[0] = (int)u;
	}
	*a = made;
	return (0);
}

const struct question_rule invasion1812_ask_hits = {
    .name = INVASION1812_HITS,
    .options = invasion1812_ask_hits_options,
    .read = invasion1812_ask_hits_read,
    .holds = invasion1812_ask_hits_holds,
    .write = invasion1812_ask_hits_write,
    .sample = invasion1812_ask_hits_sample,
};

/* Returns the attacking stack. */
static const struct invasion1812_stack *
invasion1812_ask_stack(const struct combat *c)
{
	const struct invasion1812_facts *f = combat_facts(c);

	return (&f->stacks[f->sides[COMBAT_ATTACKER].stacks]);
}

/* True if number id of an answer to `advance` may be named. */
static bool
invasion1812_ask_may_advance(const struct combat *c, int id)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_stack *s = invasion1812_ask_stack(c);
	int k = id - (int)f->n_units;
	size_t i;

	if (k >= (int)s->commanders && k < (int)s->end_commanders)
		return (true);
	for (i = 0; i < st->n_eligible; i++) {
		if ((int)st->eligible[i] == id)
			return (true);
	}
	return (false);
}

/* Holds an answer to `advance` against the rules. */
static enum invasion1812_ask_fault
invasion1812_ask_judge_advance(
    const struct combat *c, const struct question_answer *a, size_t *bad)
{
	const struct invasion1812_facts *f = combat_facts(c);
	bool has_unit = false;
	size_t i;

	for (*bad = 0; *bad < a->n_items; (*bad)++) {
		if (!invasion1812_ask_may_advance(c, a->items[*bad].id))
			return (INVASION1812_ASK_UNKNOWN);
		for (i = 0; i < *bad; i++) {
			if (a->items[i].id == a->items[*bad].id)
				return (INVASION1812_ASK_TWICE);
		}
		if (a->items[*bad].id < (int)f->n_units)
			has_unit = true;
	}
	if (a->n_items > 0 && !has_unit)
		return (INVASION1812_ASK_ALONE);
	return (INVASION1812_ASK_FINE);
}

/* True if an answer to `advance` is lawful. */
static bool
invasion1812_ask_advance_holds(
    const struct combat *c, const struct question_answer *a)
{
	size_t bad;

	return (invasion1812_ask_judge_advance(c, a, &bad) ==
	    INVASION1812_ASK_FINE);
}

/* Adds the options of `advance`. */
static int
invasion1812_ask_advance_options(const struct combat *c, json_t *options)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_stack *s = invasion1812_ask_stack(c);
	json_t *commanders = json_array(), *units = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < st->n_eligible; i++)
		bad |= json_array_append_new(units, json_string(st->ids[i]));
	for (i = s->commanders; i < s->end_commanders; i++)
		bad |= json_array_append_new(
		    commanders, json_string(f->commanders[i].name.id));
	bad |= json_object_set_new(options, "units",
	    json_pack("{s:s, s:o, s:o}", "rule", INVASION1812_ADVANCE, "units",
		units, "commanders", commanders));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Finds who of the attacking stack might advance; -1 if it is not there. */
static int
invasion1812_ask_find_advance(const struct combat *c, const char *id)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_stack *s = invasion1812_ask_stack(c);
	size_t i;

	for (i = s->commanders; i < s->end_commanders; i++) {
		if (strcmp(f->commanders[i].name.id, id) == 0)
			return ((int)(f->n_units + i));
	}
	return (invasion1812_ask_find(f, s->units, s->end_units, id));
}

/* Reads a decision on `advance`. */
static int
invasion1812_ask_advance_read(const struct combat *c, const json_t *decision,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	static const char *const known[] = {"kind", "units", NULL};
	const struct js_at at_list = {.up = at, .name = "units"};
	struct js_at at_i = {.up = &at_list};
	const json_t *list;
	const char *id;
	int r;

	if ((r = js_members(decision, at, known, e)) != 0)
		return (r);
	if ((r = js_get_array(decision, "units", at, &list, e)) != 0)
		return (r);
	if ((r = invasion1812_ask_read_ids(c, list, &at_list,
		 invasion1812_ask_find_advance, room, n_room, e)) != 0)
		return (r);
	a->items = room;
	a->n_items = json_array_size(list);
	switch (invasion1812_ask_judge_advance(c, a, &at_i.index)) {
	case INVASION1812_ASK_FINE:
		return (0);
	case INVASION1812_ASK_ALONE:
		return (js_fail(&at_list, e,
		    "a commander advances along with a unit only"));
	case INVASION1812_ASK_TWICE:
		id = json_string_value(json_array_get(list, at_i.index));
		return (js_fail(&at_i, e, "\"%s\" is named twice", id));
	default:
		id = json_string_value(json_array_get(list, at_i.index));
		return (
		    js_fail(&at_i, e, "\"%s\" is not among the options", id));
	}
}

/* Adds the member of a decision on `advance`. */
static int
invasion1812_ask_advance_write(
    const struct combat *c, const struct question_answer *a, json_t *decision)
{
	const struct invasion1812_facts *f = combat_facts(c);
	json_t *list = json_array();
	size_t i, id;
	int bad = 0;

	for (i = 0; i < a->n_items; i++) {
		id = (size_t)a->items[i].id;
		bad |= json_array_append_new(list,
		    json_string(id < f->n_units
			    ? f->units[id].name.id
			    : f->commanders[id - f->n_units].name.id));
	}
	bad |= json_object_set_new(decision, "units", list);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/*
 * Takes who may advance, each by chance or, with p NULL, all; commanders only
 * along with a unit.
 */
static int
invasion1812_ask_advance_take(const struct combat *c,
    const struct question_pick *p, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	const struct invasion1812_stack *s = invasion1812_ask_stack(c);
	struct question_answer made = {.items = room};
	size_t i;

	if (st->n_eligible + s->end_commanders - s->commanders > n_room)
		return (ERR_TOOBIG);
	for (i = 0; i < st->n_eligible; i++) {
		if (p == NULL || p->pick(p->arg, 2) == 1)
			room[made.n_items++].id = (int16_t)st->eligible[i];
	}
	for (i = s->commanders; made.n_items > 0 && i < s->end_commanders;
	     i++) {
		if (p == NULL || p->pick(p->arg, 2) == 1)
			room[made.n_items++].id = (int16_t)(f->n_units + i);
	}
	for (i = 0; i < made.n_items; i++)
		room[i].value = 0;
	*a = made;
	return (0);
}

const struct question_rule invasion1812_ask_advance = {
    .name = INVASION1812_ADVANCE,
    .options = invasion1812_ask_advance_options,
    .read = invasion1812_ask_advance_read,
    .holds = invasion1812_ask_advance_holds,
    .write = invasion1812_ask_advance_write,
    .sample = invasion1812_ask_advance_take,
};

const char *
invasion1812_ask_name(
    const struct question_answer *a, char out[RULES_NAME_MAX + 1])
{
	int len = a->number[0];

	if (len == -1)
		return (NULL);
	memcpy(out, a->items, (size_t)len);
	out[len] = '\0';
	return (out);
}

/* Packs a name into items; n_room must do. */
static void
invasion1812_ask_pack(
    const char *name, struct question_answer *a, struct question_item *room)
{
	size_t len = strlen(name);

	a->number[0] = (int)len;
	a->n_items = (len + INVASION1812_ASK_PACK - 1) / INVASION1812_ASK_PACK;
	a->items = room;
	memset(room, 0, a->n_items * sizeof(*room));
	memcpy(room, name, len);
}

/* True if an answer to `commander-escape` is lawful. */
static bool
invasion1812_ask_escape_holds(
    const struct combat *c, const struct question_answer *a)
{
	char name[RULES_NAME_MAX + 1];
	int len = a->number[0];

	(void)c;
	if (len == -1)
		return (a->n_items == 0);
	if (len < 1 || len > RULES_NAME_MAX ||
	    a->n_items !=
		((size_t)len + INVASION1812_ASK_PACK - 1) /
		    INVASION1812_ASK_PACK)
		return (false);
	(void)invasion1812_ask_name(a, name);
	return (strlen(name) == (size_t)len && rules_is_name(name));
}

/* Adds the option of `commander-escape`. */
static int
invasion1812_ask_escape_options(const struct combat *c, json_t *options)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);

	if (json_object_set_new(options, "to",
		json_pack("{s:s, s:s, s:b}", "rule",
		    INVASION1812_COMMANDER_ESCAPE, "commander",
		    f->commanders[st->commander].name.id, "null", 1)) != 0)
		return (ERR_NOMEM);
	return (0);
}

/* Reads a decision on `commander-escape`. */
static int
invasion1812_ask_escape_read(const struct combat *c, const json_t *decision,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	static const char *const known[] = {"kind", "to", NULL};
	const json_t *to;
	size_t len;
	int r;

	if ((r = js_members(decision, at, known, e)) != 0)
		return (r);
	if ((to = json_object_get(decision, "to")) == NULL)
		return (js_fail_member(at, "to", e, "is missing"));
	a->number[0] = -1;
	if (json_is_null(to))
		return (0);
	if (!json_is_string(to))
		return (js_fail_member(
		    at, "to", e, "must be the name of a stack or null"));
	len = json_string_length(to);
	if (len <= RULES_NAME_MAX && n_room * INVASION1812_ASK_PACK >= len) {
		invasion1812_ask_pack(json_string_value(to), a, room);
		if (invasion1812_ask_escape_holds(c, a))
			return (0);
	}
	return (js_fail_member(at, "to", e,
	    "must have 1 to %d bytes and no control characters",
	    RULES_NAME_MAX));
}

/* Adds the member of a decision on `commander-escape`. */
static int
invasion1812_ask_escape_write(
    const struct combat *c, const struct question_answer *a, json_t *decision)
{
	char text[RULES_NAME_MAX + 1];
	const char *name;
	int bad;

	(void)c;
	name = invasion1812_ask_name(a, text);
	bad = json_object_set_new(
	    decision, "to", name == NULL ? json_null() : json_string(name));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Answers with a name, or with null if it is NULL. */
static int
invasion1812_ask_escape_to(const char *name, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const struct question_answer none = {.number = {-1}};

	*a = none;
	if (name == NULL)
		return (0);
	if (strlen(name) > n_room * INVASION1812_ASK_PACK)
		return (ERR_TOOBIG);
	invasion1812_ask_pack(name, a, room);
	return (0);
}

/* Makes an answer to `commander-escape` by chance. */
static int
invasion1812_ask_escape_sample(const struct combat *c,
    const struct question_pick *p, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	static const char *const names[] = {
	    NULL, "the reserve", "the nearest stack", "Garde imp\xc3\xa9riale"};

	(void)c;
	return (invasion1812_ask_escape_to(
	    names[p->pick(p->arg, sizeof(names) / sizeof(names[0]))], a, room,
	    n_room));
}

const struct question_rule invasion1812_ask_escape = {
    .name = INVASION1812_COMMANDER_ESCAPE,
    .options = invasion1812_ask_escape_options,
    .read = invasion1812_ask_escape_read,
    .holds = invasion1812_ask_escape_holds,
    .write = invasion1812_ask_escape_write,
    .sample = invasion1812_ask_escape_sample,
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
	"whether cavalry slips away before the combat"},
    {INVASION1812_HITS, invasion1812_ask_take,
	"hits go to units in good order first, the weakest of them first "
	"(spread), or to disrupted units first (concentrate)"},
    {INVASION1812_WITHDRAW, invasion1812_ask_stay,
	"whether the defender withdraws where he may choose"},
    {INVASION1812_FORCED_WITHDRAW, invasion1812_ask_path,
	"whether there is a hex to withdraw to"},
    {INVASION1812_PURSUIT_HIT, invasion1812_ask_rear,
	"the disrupted unit with the fewest or the most combat factors"},
    {INVASION1812_ADVANCE, invasion1812_ask_follow,
	"all that may advance do so, commanders too; or units only; or "
	"nobody"},
    {INVASION1812_COMMANDER_ESCAPE, invasion1812_ask_flee,
	"whether a friendly stack is near enough"},
    {NULL, NULL, NULL},
};

/*
 * Chooses the next unit to be hit among those from first to end - 1: in good
 * order or disrupted ones first, the weakest first, then the first.
 */
static size_t
invasion1812_ask_victim(const struct invasion1812_facts *f,
    const enum invasion1812_end *ends, size_t first, size_t end,
    enum invasion1812_end wanted)
{
	size_t best = end, u;

	for (u = first; u < end; u++) {
		if (invasion1812_ask_room(ends[u]) == 0)
			continue;
		if (best == end ||
		    (ends[u] == wanted && ends[best] != wanted) ||
		    (ends[u] == ends[best] &&
			f->units[u].cf < f->units[best].cf))
			best = u;
	}
	return (best);
}

/* Gives hits by policy, first those that the fighting stack must take. */
static int
invasion1812_ask_policy_hits(const struct combat *c, int word,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct invasion1812_facts *f = combat_facts(c);
	const struct invasion1812_state *st = combat_state(c);
	struct invasion1812_ask_range g = invasion1812_ask_range(c);
	enum invasion1812_end ends[INVASION1812_UNITS_MAX];
	struct question_answer made = {.items = room, .number = {-1}};
	size_t i, u;

	made.n_items = (size_t)st->count;
	if (made.n_items > n_room)
		return (ERR_TOOBIG);
	memcpy(ends, st->ends, sizeof(ends));
	for (i = 0; i < made.n_items; i++) {
		u = invasion1812_ask_victim(f, ends, g.first,
		    (int)i < st->stack_least ? g.end_stack : g.end,
		    word == 0 ? INVASION1812_GOOD : INVASION1812_DISRUPTED);
		ends[u]++;
		room[i].id = (int16_t)u;
		room[i].value = 0;
	}
	*a = made;
	return (0);
}

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

/* Names who advances: word 0 all, 1 units, 2 nobody. */
static int
invasion1812_ask_policy_advance(const struct combat *c,
    const struct question *q, int word, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const struct invasion1812_state *st = combat_state(c);
	size_t i;

	if (word == 0 && q->rule != NULL)
		return (
		    invasion1812_ask_advance_take(c, NULL, a, room, n_room));
	a->items = room;
	a->n_items = word == 2 ? 0 : st->n_eligible;
	if (a->n_items > n_room)
		return (ERR_TOOBIG);
	for (i = 0; i < a->n_items; i++) {
		room[i].id = (int16_t)(q->rule != NULL ? st->eligible[i] : i);
		room[i].value = 0;
	}
	return (0);
}

int
invasion1812_ask_policy(const struct combat *c, const struct question *q,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room)
{
	const struct question_answer none = {.items = room};

	*a = none;
	if (strcmp(q->kind, INVASION1812_HITS) == 0)
		return (invasion1812_ask_policy_hits(c, word, a, room, n_room));
	if (strcmp(q->kind, INVASION1812_ADVANCE) == 0)
		return (invasion1812_ask_policy_advance(
		    c, q, word, a, room, n_room));
	if (strcmp(q->kind, INVASION1812_COMMANDER_ESCAPE) == 0)
		return (invasion1812_ask_escape_to(
		    word == 0 ? "friends" : NULL, a, room, n_room));
	if (strcmp(q->kind, INVASION1812_PURSUIT_HIT) == 0)
		invasion1812_ask_policy_pursuit(c, word, a);
	else if (strcmp(q->kind, INVASION1812_FORCED_WITHDRAW) == 0)
		a->number[0] = word == 0;
	else
		a->number[0] = word;
	return (0);
}
