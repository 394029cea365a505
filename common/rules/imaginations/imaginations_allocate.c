/* SPDX-License-Identifier: ISC */
/*
 * The question "allocate" of imagi-nations (umpire-rules.7, 13.6).  Its picks
 * are the battalions of the side, of which each takes a hit, and behind them
 * its units, of which each retreats by a space.
 */
#include "common/rules/imaginations/imaginations_allocate.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/rulekit.h"

const char *const imaginations_allocate_words[] = {
    "stand", "step-back", "retreat", NULL};

/* What the question is about. */
struct imaginations_allocate {
	const struct imaginations_facts *f;
	const struct imaginations_side *s;
	int hits;
	size_t n_battalions, n; /* picks */
};

/* Finds what the question is about. */
static struct imaginations_allocate
imaginations_allocate(const struct combat *c)
{
	const struct imaginations_claim *claim = combat_state(c);
	const struct imaginations_facts *f = combat_facts(c);
	const struct imaginations_side *s = &f->sides[claim->side];
	struct imaginations_allocate k = {.f = f, .s = s, .hits = claim->hits};

	k.n_battalions = s->end_battalion - s->first_battalion;
	k.n = k.n_battalions + s->end - s->first;
	return (k);
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

void
imaginations_allocate_toll(const struct combat *c,
    const struct question_answer *a, struct imaginations_toll *toll)
{
	const struct imaginations_allocate k = imaginations_allocate(c);
	size_t i, id;

	memset(toll, 0, sizeof(*toll));
	for (i = 0; i < a->n_items; i++) {
		id = (size_t)a->items[i].id;
		if (id < k.n_battalions)
			toll->taken[k.s->first_battalion + id] +=
			    a->items[i].value;
		else
			toll->spaces[k.s->first + id - k.n_battalions] +=
			    a->items[i].value;
	}
}

/* question_rule's count. */
static size_t
imaginations_allocate_count(const struct combat *c)
{
	return (imaginations_allocate(c).n);
}

/* question_rule's id. */
static const char *
imaginations_allocate_id(const struct combat *c, size_t i)
{
	const struct imaginations_allocate k = imaginations_allocate(c);

	if (i < k.n_battalions)
		return (k.f->battalions[k.s->first_battalion + i].id);
	return (k.f->units[k.s->first + i - k.n_battalions].name.id);
}

/* question_rule's goal: hits. */
static int
imaginations_allocate_goal(const struct combat *c)
{
	return (imaginations_allocate(c).hits);
}

/* Returns what battalion b has left. */
static int
imaginations_allocate_left(const struct imaginations_allocate *k,
    const struct question_picks *p, size_t b)
{
	return (imaginations_facts_left(&k->f->battalions[b]) -
	    p->of[b - k->s->first_battalion]);
}

/* True if a battalion of unit u has taken a hit. */
static bool
imaginations_allocate_is_hit(const struct imaginations_allocate *k,
    const struct question_picks *p, const struct imaginations_unit *unit)
{
	size_t b;

	for (b = unit->first; b < unit->end; b++) {
		if (p->of[b - k->s->first_battalion] > 0)
			return (true);
	}
	return (false);
}

/* Returns what a unit has left. */
static int
imaginations_allocate_unit_left(const struct imaginations_allocate *k,
    const struct question_picks *p, const struct imaginations_unit *unit)
{
	size_t b;
	int n = 0;

	for (b = unit->first; b < unit->end; b++)
		n += imaginations_allocate_left(k, p, b);
	return (n);
}

/* Returns how many spaces unit u retreats. */
static int
imaginations_allocate_spaces(const struct imaginations_allocate *k,
    const struct question_picks *p, size_t u)
{
	return (p->of[k->n_battalions + u - k->s->first]);
}

/* Returns the most hits and spaces that unit u can account for besides. */
static int
imaginations_allocate_most(const struct imaginations_allocate *k,
    const struct question_picks *p, size_t u)
{
	const struct imaginations_unit *unit = &k->f->units[u];
	int left = imaginations_allocate_unit_left(k, p, unit);
	int spaces = imaginations_allocate_spaces(k, p, u);
	int retreating = left - 1 + unit->room - spaces;
	bool may_retreat;

	if (spaces > 0)
		return (retreating);
	may_retreat =
	    left > 1 || (left > 0 && imaginations_allocate_is_hit(k, p, unit));
	return (may_retreat && retreating > left ? retreating : left);
}

/*
 * True if all hits can still be accounted for after pick i.  While nobody
 * retreats they can: what is left when all strength is taken is lost.
 */
static bool
imaginations_allocate_works_out(const struct imaginations_allocate *k,
    const struct question_picks *p, size_t i)
{
	struct question_picks next = *p;
	bool retreats = false;
	size_t u;
	int n;

	next.of[i]++;
	n = ++next.n;
	for (u = k->s->first; u < k->s->end; u++) {
		if (imaginations_allocate_spaces(k, &next, u) > 0)
			retreats = true;
	}
	for (u = k->s->first; retreats && n < k->hits && u < k->s->end; u++)
		n += imaginations_allocate_most(k, &next, u);
	return (!retreats || n >= k->hits);
}

/* Refuses what leaves hits that nobody takes. */
static bool
imaginations_allocate_too_few(
    const struct imaginations_allocate *k, struct question_why *why)
{
	return (question_refuse(why, "hits", NULL,
	    "hits and retreats together are too few: %d must be accounted for",
	    k->hits));
}

/*
 * question_rule's may (13.6): the lead takes the first hit, and a second one
 * before another battalion has two; only a unit that was hit retreats, and
 * one that retreats has strength left.
 */
static bool
imaginations_allocate_may(const struct combat *c,
    const struct question_picks *p, size_t i, struct question_why *why)
{
	const struct imaginations_allocate k = imaginations_allocate(c);
	const struct imaginations_unit *unit;
	size_t b = k.s->first_battalion + i, lead, u;
	int of_lead;

	if (i < k.n_battalions) {
		u = k.f->battalions[b].unit;
		unit = &k.f->units[u];
		lead = unit->lead;
		of_lead = p->of[lead - k.s->first_battalion];
		if (imaginations_allocate_left(&k, p, b) == 0)
			return (question_refuse(why, "hits", unit->name.id,
			    "is more than a battalion has left"));
		if (b != lead && of_lead <= p->of[i] && of_lead < 2 &&
		    imaginations_allocate_left(&k, p, lead) > 0)
			return (question_refuse(why, "hits", unit->name.id,
			    of_lead == 0 ? "the lead battalion takes the first "
					   "hit"
					 : "the lead battalion takes a second "
					   "hit before others"));
		if (imaginations_allocate_spaces(&k, p, u) > 0 &&
		    imaginations_allocate_unit_left(&k, p, unit) == 1)
			return (question_refuse(why, "hits", unit->name.id,
			    "a unit that retreats keeps a strength point"));
	} else {
		unit = &k.f->units[k.s->first + i - k.n_battalions];
		if (p->of[i] >= unit->room)
			return (question_refuse(why, "retreat", unit->name.id,
			    "has no room to retreat so far"));
		if (!imaginations_allocate_is_hit(&k, p, unit))
			return (question_refuse(why, "retreat", unit->name.id,
			    "must take a hit before it retreats"));
		if (imaginations_allocate_unit_left(&k, p, unit) == 0)
			return (question_refuse(why, "retreat", unit->name.id,
			    "has no strength left, and retreats no more"));
	}
	if (p->n == k.hits)
		return (question_refuse(why, "hits", NULL,
		    "hits and retreats together are too many: %d must be "
		    "accounted for",
		    k.hits));
	return (imaginations_allocate_works_out(&k, p, i) ||
	    imaginations_allocate_too_few(&k, why));
}

/* question_rule's ends: all hits, or else all strength, are accounted for. */
static bool
imaginations_allocate_ends(const struct combat *c,
    const struct question_picks *p, struct question_why *why)
{
	const struct imaginations_allocate k = imaginations_allocate(c);
	size_t b, end = k.s->end_battalion;

	for (b = k.s->first_battalion; p->n < k.hits && b < end; b++) {
		if (imaginations_allocate_left(&k, p, b) > 0)
			return (imaginations_allocate_too_few(&k, why));
	}
	return (true);
}

/*
 * question_rule's choose: retreats of up to so many spaces as the word has,
 * else the battalion with most left, the first of equals; else, where units
 * that retreated must go farther, the first of these.
 */
static size_t
imaginations_allocate_choose(const struct combat *c, int word,
    const struct question_picks *p, const int16_t *ids, size_t n)
{
	const struct imaginations_allocate k = imaginations_allocate(c);
	size_t best = 0, i, id;
	int left, most = 0;

	for (i = 0; i < n; i++) {
		id = (size_t)ids[i];
		if (id >= k.n_battalions) {
			if (p->of[id] < word)
				return (i);
			continue;
		}
		left = imaginations_allocate_left(
		    &k, p, k.s->first_battalion + id);
		if (left > most) {
			best = i;
			most = left;
		}
	}
	return (best);
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
	return (json_pack("{s:s, s:o}", "lead", f->battalions[unit->lead].id,
	    "left", js_made(left, bad)));
}

/* question_rule's options. */
static int
imaginations_allocate_options(const struct combat *c, json_t *options)
{
	const struct imaginations_allocate k = imaginations_allocate(c);
	const struct imaginations_unit *unit;
	json_t *room, *units;
	size_t u;
	int bad = 0;

	units = json_object();
	room = json_object();
	for (u = k.s->first; u < k.s->end; u++) {
		unit = &k.f->units[u];
		bad |= json_object_set_new(units, unit->name.id,
		    imaginations_allocate_unit_json(k.f, unit));
		bad |= json_object_set_new(
		    room, unit->name.id, json_integer(unit->room));
	}
	bad |= json_object_set_new(options, "hits",
	    json_pack("{s:s, s:i, s:O}", "rule", "allocate", "count", k.hits,
		"units", units));
	bad |= json_object_set_new(options, "retreat",
	    json_pack("{s:s, s:O}", "rule", "allocate", "room", room));
	json_decref(units);
	json_decref(room);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* A decision while it is read. */
struct imaginations_reader {
	struct question_answer *a;
	struct question_item *room;
	size_t n_room;
	struct errinfo *e;
};

/* Reads how often pick i is made: the member id of obj, or none. */
static int
imaginations_allocate_read_pick(struct imaginations_reader *rd, size_t i,
    const json_t *obj, const char *id, const struct js_at *at, int most)
{
	int64_t n = 0;
	int r;

	if ((r = js_opt_int(obj, id, at, 0, most, &n, rd->e)) != 0 || n == 0)
		return (r);
	if (rd->a->n_items == rd->n_room)
		return (js_fail(at, rd->e, "has too many elements"));
	rd->room[rd->a->n_items++] = (struct question_item){
	    .id = (int16_t)i,
	    .value = (int16_t)n,
	};
	return (0);
}

/* Reads the hits of one unit's battalions. */
static int
imaginations_allocate_read_unit(struct imaginations_reader *rd,
    const struct imaginations_allocate *k, const struct imaginations_unit *unit,
    const json_t *hits, const struct js_at *up)
{
	const char *known[IMAGINATIONS_SIDE_BATTALIONS_MAX + 1] = {NULL};
	const struct js_at at = {.up = up, .name = unit->name.id};
	const json_t *obj = NULL;
	size_t b;
	int r;

	if ((r = js_opt_object(hits, at.name, up, &obj, rd->e)) != 0)
		return (r);
	if (obj == NULL)
		return (0);
	for (b = unit->first; b < unit->end; b++)
		known[b - unit->first] = k->f->battalions[b].id;
	r = js_members(obj, &at, known, rd->e);
	for (b = unit->first; r == 0 && b < unit->end; b++)
		r = imaginations_allocate_read_pick(rd,
		    b - k->s->first_battalion, obj, k->f->battalions[b].id, &at,
		    imaginations_facts_left(&k->f->battalions[b]));
	return (r);
}

/* question_rule's read: "hits", and "retreat", which may be left out. */
static int
imaginations_allocate_read(const struct combat *c, const json_t *decision,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	static const char *const known[] = {"kind", "hits", "retreat", NULL};
	const struct imaginations_allocate k = imaginations_allocate(c);
	const struct js_at at_hits = {.up = at, .name = "hits"};
	const struct js_at at_retreat = {.up = at, .name = "retreat"};
	struct imaginations_reader rd = {a, room, n_room, e};
	const char *units[COMBAT_SIDE_UNITS_MAX + 1] = {NULL};
	const json_t *hits, *retreat = NULL;
	size_t u;
	int r;

	for (u = k.s->first; u < k.s->end; u++)
		units[u - k.s->first] = k.f->units[u].name.id;
	if ((r = js_members(decision, at, known, e)) != 0)
		return (r);
	if ((r = js_get_object(decision, "hits", at, &hits, e)) != 0)
		return (r);
	r = js_members(hits, &at_hits, units, e);
	for (u = k.s->first; r == 0 && u < k.s->end; u++)
		r = imaginations_allocate_read_unit(
		    &rd, &k, &k.f->units[u], hits, &at_hits);
	if (r == 0)
		r = js_opt_object(decision, "retreat", at, &retreat, e);
	if (r != 0 || retreat == NULL)
		return (r);
	r = js_members(retreat, &at_retreat, units, e);
	for (u = 0; r == 0 && units[u] != NULL; u++)
		r = imaginations_allocate_read_pick(&rd, k.n_battalions + u,
		    retreat, units[u], &at_retreat, IMAGINATIONS_ROOM_MAX);
	return (r);
}

/* question_rule's write: zeros are left out. */
static int
imaginations_allocate_write(
    const struct combat *c, const struct question_picks *p, json_t *decision)
{
	const struct imaginations_allocate k = imaginations_allocate(c);
	const struct imaginations_unit *unit;
	json_t *hits, *of, *retreat;
	size_t b, i, u;
	int bad = 0;

	hits = json_object();
	retreat = json_object();
	for (u = k.s->first; u < k.s->end; u++) {
		unit = &k.f->units[u];
		if (imaginations_allocate_is_hit(&k, p, unit)) {
			of = json_object();
			bad |= json_object_set_new(hits, unit->name.id, of);
			for (b = unit->first; b < unit->end; b++) {
				i = b - k.s->first_battalion;
				if (p->of[i] > 0)
					bad |= json_object_set_new(of,
					    k.f->battalions[b].id,
					    json_integer(p->of[i]));
			}
		}
		i = k.n_battalions + u - k.s->first;
		if (p->of[i] > 0)
			bad |= json_object_set_new(
			    retreat, unit->name.id, json_integer(p->of[i]));
	}
	bad |= json_object_set_new(decision, "hits", hits);
	bad |= json_object_set_new(decision, "retreat", retreat);
	return (bad != 0 ? ERR_NOMEM : 0);
}

const struct question_rule imaginations_allocate_rule = {
    .name = "allocate",
    .options = imaginations_allocate_options,
    .count = imaginations_allocate_count,
    .id = imaginations_allocate_id,
    .goal = imaginations_allocate_goal,
    .may = imaginations_allocate_may,
    .ends = imaginations_allocate_ends,
    .choose = imaginations_allocate_choose,
    .read = imaginations_allocate_read,
    .write = imaginations_allocate_write,
};
