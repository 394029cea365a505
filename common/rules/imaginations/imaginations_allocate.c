/* SPDX-License-Identifier: ISC */
/*
 * The question "allocate" of imagi-nations (umpire-rules.7, 13.6).  In a
 * plain answer an item says how many hits a battalion takes, or by how many
 * spaces a unit retreats; what is none has no item.
 */
#include "common/rules/imaginations/imaginations_allocate.h"

#include <assert.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/run.h"

/* Items of units stand behind those of battalions. */
#define IMAGINATIONS_ALLOCATE_UNIT IMAGINATIONS_BATTALIONS_MAX

/* Why an answer is not lawful. */
struct imaginations_fault {
	const char *member; /* of the decision */
	const char *unit; /* an id there, or NULL */
	const char *text;
};

const char *const imaginations_allocate_words[] = {
    "stand", "step-back", "retreat", NULL};

/* Returns what the question is about. */
static const struct imaginations_claim *
imaginations_allocate_claim(const struct combat *c)
{
	return (combat_state(c));
}

int
imaginations_allocate_strength(
    const struct imaginations_facts *f, enum combat_side side)
{
	const struct imaginations_side *s = &f->sides[side];
	size_t b;
	int n = 0;

	for (b = s->first_battalion; b < s->end_battalion; b++)
		n += imaginations_facts_left(&f->battalions[b]);
	return (n);
}

/* Returns the lesser. */
static int
imaginations_allocate_min(int a, int b)
{
	return (a < b ? a : b);
}

/* Returns the hits that unit u takes. */
static int
imaginations_allocate_unit_hits(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, size_t u)
{
	size_t b;
	int n = 0;

	for (b = f->units[u].first; b < f->units[u].end; b++)
		n += toll->taken[b];
	return (n);
}

/* Returns the hits that unit u's lead must have before another has n. */
static int
imaginations_allocate_due(const struct imaginations_facts *f, size_t u, int n)
{
	const struct imaginations_battalion *lead =
	    &f->battalions[f->units[u].lead];

	return (imaginations_allocate_min(
	    imaginations_allocate_min(n, 2), imaginations_facts_left(lead)));
}

/* True if battalion b may take one hit more than it has. */
static bool
imaginations_allocate_may_take(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, size_t b)
{
	size_t u = f->battalions[b].unit, lead = f->units[u].lead;

	if (toll->taken[b] >= imaginations_facts_left(&f->battalions[b]))
		return (false);
	return (b == lead ||
	    toll->taken[lead] >=
		imaginations_allocate_due(f, u, toll->taken[b] + 1));
}

/* True if unit u may retreat one space more, up to most. */
static bool
imaginations_allocate_may_retreat(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, size_t u, int most)
{
	return (toll->spaces[u] <
		imaginations_allocate_min(most, f->units[u].room) &&
	    imaginations_allocate_unit_hits(f, toll, u) > 0);
}

/* Puts the items of an answer into *toll; false if it has no form. */
static bool
imaginations_allocate_gather(const struct combat *c,
    const struct question_answer *a, struct imaginations_toll *toll)
{
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s =
	    &f->sides[imaginations_allocate_claim(c)->side];
	size_t b, i, u;
	int *at;

	memset(toll, 0, sizeof(*toll));
	for (i = 0; i < a->n_items; i++) {
		b = (size_t)a->items[i].id;
		u = b - IMAGINATIONS_ALLOCATE_UNIT;
		if (b >= s->first_battalion && b < s->end_battalion)
			at = &toll->taken[b];
		else if (b >= IMAGINATIONS_ALLOCATE_UNIT && u >= s->first &&
		    u < s->end)
			at = &toll->spaces[u];
		else
			return (false);
		if (*at != 0 || a->items[i].value < 1)
			return (false);
		*at = a->items[i].value;
	}
	return (true);
}

void
imaginations_allocate_toll(const struct combat *c,
    const struct question_answer *a, struct imaginations_toll *toll)
{
	bool has_form = imaginations_allocate_gather(c, a, toll);

	assert(has_form);
	(void)has_form;
}

/* Judges what one unit takes; false with *fault set. */
static bool
imaginations_allocate_judge_unit(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, size_t u,
    struct imaginations_fault *fault)
{
	const struct imaginations_unit *unit = &f->units[u];
	int due, lead = toll->taken[unit->lead], most = 0;
	size_t b;

	fault->unit = unit->name.id;
	fault->member = "hits";
	for (b = unit->first; b < unit->end; b++) {
		if (toll->taken[b] >
		    imaginations_facts_left(&f->battalions[b])) {
			fault->text = "is more than a battalion has left";
			return (false);
		}
		if (b != unit->lead && toll->taken[b] > most)
			most = toll->taken[b];
	}
	due = imaginations_allocate_due(f, u, most);
	if (lead < due) {
		fault->text = due == 1
		    ? "the lead battalion takes the first hit"
		    : "the lead battalion takes a second hit before others";
		return (false);
	}
	fault->member = "retreat";
	if (toll->spaces[u] > unit->room) {
		fault->text = "has no room to retreat so far";
		return (false);
	}
	if (toll->spaces[u] > 0 &&
	    imaginations_allocate_unit_hits(f, toll, u) == 0) {
		fault->text = "must take a hit before it retreats";
		return (false);
	}
	return (true);
}

/* 13.6: the one judge of answers; false with *fault set. */
static bool
imaginations_allocate_judge(const struct combat *c,
    const struct question_answer *a, struct imaginations_fault *fault)
{
	const struct imaginations_claim *claim = imaginations_allocate_claim(c);
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s = &f->sides[claim->side];
	struct imaginations_toll toll;
	int spaces = 0, taken = 0;
	size_t u;

	memset(fault, 0, sizeof(*fault));
	if (!imaginations_allocate_gather(c, a, &toll))
		return (false);
	for (u = s->first; u < s->end; u++) {
		if (!imaginations_allocate_judge_unit(f, &toll, u, fault))
			return (false);
		taken += imaginations_allocate_unit_hits(f, &toll, u);
		spaces += toll.spaces[u];
	}
	fault->member = "hits";
	fault->unit = NULL;
	fault->text = "hits and retreats together are too many";
	if (taken + spaces > claim->hits)
		return (false);
	fault->text = "hits and retreats together are too few";
	return (taken + spaces == claim->hits ||
	    taken == imaginations_allocate_strength(f, claim->side));
}

/* question_rule's holds. */
static bool
imaginations_allocate_holds(
    const struct combat *c, const struct question_answer *a)
{
	struct imaginations_fault fault;

	return (imaginations_allocate_judge(c, a, &fault));
}

/* Returns lead and strength left of a unit's battalions as a new object. */
static json_t *
imaginations_allocate_unit_json(
    const struct imaginations_facts *f, const struct imaginations_unit *unit)
{
	json_t *left;
	size_t b;
	int bad = 0;

	left = json_object();
	for (b = unit->first; b < unit->end; b++)
		bad |= json_object_set_new(left, f->battalions[b].id,
		    json_integer(imaginations_facts_left(&f->battalions[b])));
	if (bad != 0) {
		json_decref(left);
		return (NULL);
	}
	return (json_pack(
	    "{s:s, s:o}", "lead", f->battalions[unit->lead].id, "left", left));
}

/* question_rule's options. */
static int
imaginations_allocate_options(const struct combat *c, json_t *options)
{
	const struct imaginations_claim *claim = imaginations_allocate_claim(c);
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s = &f->sides[claim->side];
	json_t *room, *units;
	size_t u;
	int bad = 0;

	units = json_object();
	room = json_object();
	for (u = s->first; u < s->end; u++) {
		bad |= json_object_set_new(units, f->units[u].name.id,
		    imaginations_allocate_unit_json(f, &f->units[u]));
		bad |= json_object_set_new(
		    room, f->units[u].name.id, json_integer(f->units[u].room));
	}
	bad |= json_object_set_new(options, "hits",
	    json_pack("{s:s, s:i, s:O}", "rule", "allocate", "count",
		claim->hits, "units", units));
	bad |= json_object_set_new(options, "retreat",
	    json_pack("{s:s, s:O}", "rule", "allocate", "room", room));
	json_decref(units);
	json_decref(room);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Adds an item to an answer; false without room. */
static bool
imaginations_allocate_add(struct question_answer *a, struct question_item *room,
    size_t n_room, size_t id, int value)
{
	if (a->n_items == n_room)
		return (false);
	room[a->n_items].id = (int16_t)id;
	room[a->n_items].value = (int16_t)value;
	a->n_items++;
	return (true);
}

/* Sees that every member of obj names one of a side's units. */
static int
imaginations_allocate_known(const struct imaginations_facts *f,
    const struct imaginations_side *s, const json_t *obj,
    const struct js_at *at, struct errinfo *e)
{
	const char *known[COMBAT_SIDE_UNITS_MAX + 1] = {NULL};
	size_t u;

	for (u = s->first; u < s->end; u++)
		known[u - s->first] = f->units[u].name.id;
	return (js_members(obj, at, known, e));
}

/* Reads the hits of one unit's battalions. */
static int
imaginations_allocate_read_unit(const struct imaginations_facts *f,
    const struct imaginations_unit *unit, const json_t *obj,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const char *known[IMAGINATIONS_SIDE_BATTALIONS_MAX + 1] = {NULL};
	int64_t n;
	size_t b;
	int r;

	for (b = unit->first; b < unit->end; b++)
		known[b - unit->first] = f->battalions[b].id;
	if ((r = js_members(obj, at, known, e)) != 0)
		return (r);
	for (b = unit->first; b < unit->end; b++) {
		n = 0;
		if ((r = js_opt_int(obj, f->battalions[b].id, at, 0,
			 imaginations_facts_left(&f->battalions[b]), &n, e)) !=
		    0)
			return (r);
		if (n > 0 &&
		    !imaginations_allocate_add(a, room, n_room, b, (int)n))
			return (js_fail(at, e, "has too many elements"));
	}
	return (0);
}

/* Reads the member "hits". */
static int
imaginations_allocate_read_hits(const struct imaginations_facts *f,
    const struct imaginations_side *s, const json_t *decision,
    const struct js_at *up, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "hits"};
	struct js_at at_unit = {.up = &at};
	const json_t *obj, *of;
	size_t u;
	int r;

	if ((r = js_get_object(decision, "hits", up, &obj, e)) != 0)
		return (r);
	if ((r = imaginations_allocate_known(f, s, obj, &at, e)) != 0)
		return (r);
	for (u = s->first; u < s->end; u++) {
		at_unit.name = f->units[u].name.id;
		of = NULL;
		if ((r = js_opt_object(obj, at_unit.name, &at, &of, e)) != 0)
			return (r);
		if (of == NULL)
			continue;
		r = imaginations_allocate_read_unit(
		    f, &f->units[u], of, &at_unit, a, room, n_room, e);
		if (r != 0)
			return (r);
	}
	return (0);
}

/* Reads the member "retreat", which may be left out. */
static int
imaginations_allocate_read_retreat(const struct imaginations_facts *f,
    const struct imaginations_side *s, const json_t *decision,
    const struct js_at *up, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = "retreat"};
	const json_t *obj = NULL;
	int64_t n;
	size_t u;
	int r;

	if ((r = js_opt_object(decision, "retreat", up, &obj, e)) != 0)
		return (r);
	if (obj == NULL)
		return (0);
	if ((r = imaginations_allocate_known(f, s, obj, &at, e)) != 0)
		return (r);
	for (u = s->first; u < s->end; u++) {
		n = 0;
		if ((r = js_opt_int(obj, f->units[u].name.id, &at, 0,
			 IMAGINATIONS_ROOM_MAX, &n, e)) != 0)
			return (r);
		if (n > 0 &&
		    !imaginations_allocate_add(a, room, n_room,
			IMAGINATIONS_ALLOCATE_UNIT + u, (int)n))
			return (js_fail(&at, e, "has too many elements"));
	}
	return (0);
}

/* question_rule's read. */
static int
imaginations_allocate_read(const struct combat *c, const json_t *decision,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	static const char *const known[] = {"kind", "hits", "retreat", NULL};
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s =
	    &f->sides[imaginations_allocate_claim(c)->side];
	struct question_answer made = {.items = room};
	struct imaginations_fault fault;
	struct js_at at_member = {.up = at};
	int r;

	if ((r = js_members(decision, at, known, e)) != 0)
		return (r);
	if ((r = imaginations_allocate_read_hits(
		 f, s, decision, at, &made, room, n_room, e)) != 0)
		return (r);
	if ((r = imaginations_allocate_read_retreat(
		 f, s, decision, at, &made, room, n_room, e)) != 0)
		return (r);
	if (!imaginations_allocate_judge(c, &made, &fault)) {
		at_member.name = fault.member;
		if (fault.unit != NULL)
			return (js_fail_member(
			    &at_member, fault.unit, e, "%s", fault.text));
		return (js_fail(&at_member, e, "%s: %d must be accounted for",
		    fault.text, imaginations_allocate_claim(c)->hits));
	}
	*a = made;
	return (0);
}

/* Returns the hits of one unit's battalions as a new object, or NULL. */
static json_t *
imaginations_allocate_write_unit(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, const struct imaginations_unit *unit)
{
	json_t *o;
	size_t b;
	int bad = 0;

	if ((o = json_object()) == NULL)
		return (NULL);
	for (b = unit->first; b < unit->end; b++) {
		if (toll->taken[b] > 0)
			bad |= json_object_set_new(o, f->battalions[b].id,
			    json_integer(toll->taken[b]));
	}
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* question_rule's write: only what is not none is named. */
static int
imaginations_allocate_write(
    const struct combat *c, const struct question_answer *a, json_t *decision)
{
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s =
	    &f->sides[imaginations_allocate_claim(c)->side];
	struct imaginations_toll toll;
	json_t *hits, *retreat;
	size_t u;
	int bad = 0;

	imaginations_allocate_toll(c, a, &toll);
	hits = json_object();
	retreat = json_object();
	for (u = s->first; u < s->end; u++) {
		if (imaginations_allocate_unit_hits(f, &toll, u) > 0)
			bad |= json_object_set_new(hits, f->units[u].name.id,
			    imaginations_allocate_write_unit(
				f, &toll, &f->units[u]));
		if (toll.spaces[u] > 0)
			bad |= json_object_set_new(retreat, f->units[u].name.id,
			    json_integer(toll.spaces[u]));
	}
	bad |= json_object_set_new(decision, "hits", hits);
	bad |= json_object_set_new(decision, "retreat", retreat);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Makes items of *toll. */
static int
imaginations_allocate_items(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	struct question_answer made = {.items = room};
	size_t b, u;

	for (b = 0; b < f->n_battalions; b++) {
		if (toll->taken[b] > 0 &&
		    !imaginations_allocate_add(
			&made, room, n_room, b, toll->taken[b]))
			return (ERR_TOOBIG);
	}
	for (u = 0; u < f->n_units; u++) {
		if (toll->spaces[u] > 0 &&
		    !imaginations_allocate_add(&made, room, n_room,
			IMAGINATIONS_ALLOCATE_UNIT + u, toll->spaces[u]))
			return (ERR_TOOBIG);
	}
	*a = made;
	return (0);
}

/*
 * Lists all that may take the next hit: battalions, and units that may
 * retreat, as ids of items.  Returns how many.
 */
static size_t
imaginations_allocate_next(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, const struct imaginations_side *s,
    size_t *ids)
{
	size_t b, n = 0, u;

	for (b = s->first_battalion; b < s->end_battalion; b++) {
		if (imaginations_allocate_may_take(f, toll, b))
			ids[n++] = b;
	}
	for (u = s->first; u < s->end; u++) {
		if (imaginations_allocate_may_retreat(
			f, toll, u, IMAGINATIONS_ROOM_MAX))
			ids[n++] = IMAGINATIONS_ALLOCATE_UNIT + u;
	}
	return (n);
}

/* question_rule's sample: one hit after the other. */
static int
imaginations_allocate_sample(const struct combat *c,
    const struct question_pick *p, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	const struct imaginations_claim *claim = imaginations_allocate_claim(c);
	const struct imaginations_facts *f = combat_facts(c);
	size_t ids[IMAGINATIONS_SIDE_BATTALIONS_MAX + COMBAT_SIDE_UNITS_MAX];
	int left = imaginations_allocate_strength(f, claim->side), i;
	struct imaginations_toll toll;
	size_t id, n;

	memset(&toll, 0, sizeof(toll));
	for (i = 0; i < claim->hits; i++) {
		n = imaginations_allocate_next(
		    f, &toll, &f->sides[claim->side], ids);
		/* Without strength the rest may be lost. */
		if (n == 0 || (left == 0 && p->pick(p->arg, 2) == 0))
			break;
		id = ids[p->pick(p->arg, (uint32_t)n)];
		if (id >= IMAGINATIONS_ALLOCATE_UNIT) {
			toll.spaces[id - IMAGINATIONS_ALLOCATE_UNIT]++;
		} else {
			toll.taken[id]++;
			left--;
		}
	}
	return (imaginations_allocate_items(f, &toll, a, room, n_room));
}

/* Finds a unit that may retreat by one of at most `most` spaces. */
static size_t
imaginations_allocate_retreater(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, const struct imaginations_side *s,
    int most)
{
	size_t u;

	for (u = s->first; u < s->end; u++) {
		if (imaginations_allocate_may_retreat(f, toll, u, most))
			break;
	}
	return (u);
}

/* Finds the battalion with most left, the first of equals, that may take. */
static size_t
imaginations_allocate_taker(const struct imaginations_facts *f,
    const struct imaginations_toll *toll, const struct imaginations_side *s)
{
	size_t b, best = s->end_battalion;
	int left, most = 0;

	for (b = s->first_battalion; b < s->end_battalion; b++) {
		left =
		    imaginations_facts_left(&f->battalions[b]) - toll->taken[b];
		if (left > most && imaginations_allocate_may_take(f, toll, b)) {
			best = b;
			most = left;
		}
	}
	return (best);
}

int
imaginations_allocate_policy(const struct combat *c, int word,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct imaginations_claim *claim = imaginations_allocate_claim(c);
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s = &f->sides[claim->side];
	struct imaginations_toll toll;
	size_t b, u;
	int i;

	memset(&toll, 0, sizeof(toll));
	for (i = 0; i < claim->hits; i++) {
		u = imaginations_allocate_retreater(f, &toll, s, word);
		if (u < s->end) {
			toll.spaces[u]++;
			continue;
		}
		b = imaginations_allocate_taker(f, &toll, s);
		if (b == s->end_battalion)
			break;
		toll.taken[b]++;
	}
	return (imaginations_allocate_items(f, &toll, a, room, n_room));
}

const struct question_rule imaginations_allocate_rule = {
    .name = "allocate",
    .options = imaginations_allocate_options,
    .read = imaginations_allocate_read,
    .holds = imaginations_allocate_holds,
    .write = imaginations_allocate_write,
    .sample = imaginations_allocate_sample,
};
