/* SPDX-License-Identifier: ISC */
/*
 * Reads, judges, writes and makes answers to "exchange-loss": units of the
 * stronger side, stacked artillery too, that are worth enough; overrunning
 * cavalry before anybody else.  More than enough is lawful.  The state of the
 * run says whose question it is and what is enough.
 */
#include "common/rules/tlnb/tlnb_exchange.h"

#include <string.h>

#include "common/json/js.h"
#include "common/rules/run.h"
#include "common/rules/tlnb/tlnb_step.h"

#define TLNB_EXCHANGE_UNITS "units"

/* True for cavalry that overran: it is lost before anybody else. */
static bool
tlnb_exchange_is_first(const struct tlnb_unit *u)
{
	return (u->arm == TLNB_CAVALRY && u->flags[TLNB_IS_OVERRUNNING]);
}

/*
 * True if the chosen units (by index) may be lost; *worth is their strength
 * and *spared an overrunning unit that another was named before, or the
 * number of units.
 */
static bool
tlnb_exchange_judge(
    const struct combat *c, const bool *chosen, int *worth, size_t *spared)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	bool has_other = false;
	size_t u;

	*worth = 0;
	*spared = f->n_units;
	for (u = f->first[st->stronger]; u < f->first[st->stronger + 1]; u++) {
		if (chosen[u]) {
			*worth += tlnb_facts_strength(
			    &f->units[u], f->units[u].is_reduced);
			if (!tlnb_exchange_is_first(&f->units[u]))
				has_other = true;
		} else if (tlnb_exchange_is_first(&f->units[u])) {
			*spared = u;
		}
	}
	if (!has_other)
		*spared = f->n_units;
	return (*worth >= st->least && *spared == f->n_units);
}

/* Marks the units that an answer names; false if it is not a lawful list. */
static bool
tlnb_exchange_mark(
    const struct combat *c, const struct question_answer *a, bool *chosen)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	size_t i, u;

	for (i = 0; i < a->n_items; i++) {
		if (a->items[i].id < 0)
			return (false);
		u = (size_t)a->items[i].id;
		if (u < f->first[st->stronger] ||
		    u >= f->first[st->stronger + 1] || chosen[u])
			return (false);
		chosen[u] = true;
	}
	return (true);
}

/* question_rule's holds. */
static bool
tlnb_exchange_holds(const struct combat *c, const struct question_answer *a)
{
	bool chosen[TLNB_UNITS_MAX] = {false};
	size_t spared;
	int worth;

	return (tlnb_exchange_mark(c, a, chosen) &&
	    tlnb_exchange_judge(c, chosen, &worth, &spared));
}

/* question_rule's options. */
static int
tlnb_exchange_options(const struct combat *c, json_t *options)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	const struct tlnb_unit *u;
	json_t *first, *units;
	size_t i;
	int bad = 0;

	units = json_object();
	first = json_array();
	for (i = f->first[st->stronger]; i < f->first[st->stronger + 1]; i++) {
		u = &f->units[i];
		bad |= json_object_set_new(units, u->name.id,
		    json_integer(tlnb_facts_strength(u, u->is_reduced)));
		if (tlnb_exchange_is_first(u))
			bad |= json_array_append_new(
			    first, json_string(u->name.id));
	}
	if (bad != 0) {
		json_decref(units);
		json_decref(first);
		return (ERR_NOMEM);
	}
	if (json_object_set_new(options, TLNB_EXCHANGE_UNITS,
		json_pack("{s:s, s:o, s:i, s:o}", "rule", "exchange-loss",
		    "units", units, "least", st->least, "first", first)) != 0)
		return (ERR_NOMEM);
	return (0);
}

/* Finds the unit of the stronger side that v names. */
static int
tlnb_exchange_find(const struct combat *c, const json_t *v,
    const struct js_at *at, size_t *unit, struct errinfo *e)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	const char *id = json_string_value(v);
	size_t u;

	if (id == NULL)
		return (js_fail(at, e, "must be a string"));
	for (u = f->first[st->stronger]; u < f->first[st->stronger + 1]; u++) {
		if (strcmp(f->units[u].name.id, id) == 0) {
			*unit = u;
			return (0);
		}
	}
	return (js_fail(at, e, "\"%s\" is not among the options", id));
}

/* Says why the chosen units may not be lost. */
static int
tlnb_exchange_fail(const struct combat *c, const bool *chosen,
    const struct js_at *at, struct errinfo *e)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	size_t spared;
	int worth;

	(void)tlnb_exchange_judge(c, chosen, &worth, &spared);
	if (spared < f->n_units)
		return (js_fail(at, e,
		    "must name \"%s\", which overran, before others",
		    f->units[spared].name.id));
	return (js_fail(at, e, "are worth %d, and must be worth at least %d",
	    worth, st->least));
}

/* question_rule's read. */
static int
tlnb_exchange_read(const struct combat *c, const json_t *decision,
    const struct js_at *up, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	static const char *const known[] = {"kind", TLNB_EXCHANGE_UNITS, NULL};
	const struct js_at at = {.up = up, .name = TLNB_EXCHANGE_UNITS};
	struct js_at at_i = {.up = &at};
	bool chosen[TLNB_UNITS_MAX] = {false};
	const json_t *list;
	size_t u = 0;
	int r;

	if ((r = js_members(decision, up, known, e)) != 0)
		return (r);
	if ((r = js_get_array(decision, at.name, up, &list, e)) != 0)
		return (r);
	for (; at_i.index < json_array_size(list); at_i.index++) {
		if (at_i.index >= n_room)
			return (js_fail(&at, e, "has too many elements"));
		r = tlnb_exchange_find(
		    c, json_array_get(list, at_i.index), &at_i, &u, e);
		if (r != 0)
			return (r);
		if (chosen[u])
			return (js_fail(&at_i, e, "is named twice"));
		chosen[u] = true;
		room[at_i.index].id = (int16_t)u;
		room[at_i.index].value = 0;
	}
	a->items = room;
	a->n_items = json_array_size(list);
	if (!tlnb_exchange_holds(c, a))
		return (tlnb_exchange_fail(c, chosen, &at, e));
	return (0);
}

/* question_rule's write. */
static int
tlnb_exchange_write(
    const struct combat *c, const struct question_answer *a, json_t *decision)
{
	const struct tlnb_facts *f = combat_facts(c);
	json_t *list;
	size_t i;
	int bad = 0;

	if ((list = json_array()) == NULL)
		return (ERR_NOMEM);
	for (i = 0; i < a->n_items; i++)
		bad |= json_array_append_new(
		    list, json_string(f->units[a->items[i].id].name.id));
	if (bad != 0) {
		json_decref(list);
		return (ERR_NOMEM);
	}
	return (json_object_set_new(decision, TLNB_EXCHANGE_UNITS, list) != 0
		? ERR_NOMEM
		: 0);
}

/*
 * question_rule's sample: the units in an order by chance, overrunning
 * cavalry first, until they are enough, and at times more.
 */
static int
tlnb_exchange_sample(const struct combat *c, const struct question_pick *p,
    struct question_answer *a, struct question_item *room, size_t n_room)
{
	const struct tlnb_facts *f = combat_facts(c);
	const struct tlnb_state *st = combat_state(c);
	struct question_answer made = {.items = room};
	size_t first = f->first[st->stronger], i, j, k, n, n_first = 0;
	struct question_item item;

	n = f->first[st->stronger + 1] - first;
	if (n > n_room)
		return (ERR_TOOBIG);
	for (i = 0; i < n; i++) {
		j = p->pick(p->arg, (uint32_t)(i + 1));
		if (j != i)
			room[i] = room[j];
		room[j].id = (int16_t)(first + i);
		room[j].value = 0;
	}
	for (i = 0; i < n; i++) {
		if (!tlnb_exchange_is_first(&f->units[room[i].id]))
			continue;
		item = room[i];
		for (k = i; k > n_first; k--)
			room[k] = room[k - 1];
		room[n_first++] = item;
	}
	while (!tlnb_exchange_holds(c, &made))
		made.n_items++;
	if (p->pick(p->arg, 4) == 0)
		made.n_items +=
		    p->pick(p->arg, (uint32_t)(n - made.n_items + 1));
	*a = made;
	return (0);
}

const struct question_rule tlnb_exchange_rule = {
    .name = "exchange-loss",
    .options = tlnb_exchange_options,
    .read = tlnb_exchange_read,
    .holds = tlnb_exchange_holds,
    .write = tlnb_exchange_write,
    .sample = tlnb_exchange_sample,
};
