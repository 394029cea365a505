/* SPDX-License-Identifier: ISC */
/*
 * Hits are given one by one, to those that may take the next; so a person
 * cannot go far astray.  What is lawful in the end the rules say.
 */
#include "client/play/form_rule.h"

#include <stdlib.h>
#include <string.h>

#include "client/base/xalloc.h"
#include "client/play/form_say.h"
#include "common/base/err.h"
#include "common/rules/rules.h"

/* True if an array of texts has this one. */
static bool
form_rule_has(const json_t *list, const char *id)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (strcmp(json_string_value(v), id) == 0)
			return (true);
	}
	return (false);
}

/* How often an array of texts has this one. */
static size_t
form_rule_count(const json_t *list, const char *id)
{
	const json_t *v;
	size_t i, n = 0;

	json_array_foreach(list, i, v) n +=
	    strcmp(json_string_value(v), id) == 0;
	return (n);
}

/* Adds those of a list that can take another hit (11.4). */
static void
form_rule_hittable(const struct form_decide *d, const json_t *option,
    const json_t *ids, const json_t *hits, struct form_list *list)
{
	const json_t *disrupted = json_object_get(option, "disrupted"), *v;
	const char *id;
	char *label, *s;
	bool is_last;
	size_t i, taken;

	json_array_foreach(ids, i, v)
	{
		id = json_string_value(v);
		taken = form_rule_count(hits, id);
		is_last = taken == 1 || form_rule_has(disrupted, id);
		if (taken == (form_rule_has(disrupted, id) ? 1 : 2))
			continue;
		s = form_decide_label(d, id);
		label = xalloc_printf("%s (%s)", s,
		    is_last ? "eliminated by it" : "disrupted by it");
		form_list_add(list, label, id);
		free(label);
		free(s);
	}
}

/* Asks who of the list takes hit number i of n. */
static int
form_rule_hit(struct form_decide *d, struct form_list *list, size_t i, size_t n,
    const char *more, size_t *pick)
{
	struct form_choice c;
	char *key, *title;
	int r;

	/* Who alone can take it is not asked. */
	*pick = 0;
	if (list->n == 1)
		return (0);
	key = xalloc_printf("hits:%zu", i);
	title =
	    xalloc_printf("Hit %zu of %zu: who takes it?%s", i + 1, n, more);
	c = form_list_choice(list, key, title);
	r = form_tape_choice(&d->tape, &c, -1, pick);
	free(title);
	free(key);
	return (r);
}

/* Asks for the one more that may be eliminated after an odd number. */
static int
form_rule_extra(struct form_decide *d, const json_t *option, const json_t *hits)
{
	static const char *const lists[] = {"disrupted", "stack", "supports"};
	const json_t *disrupted = json_object_get(option, "disrupted"), *v;
	struct form_list list = {.n = 0};
	struct form_choice c;
	size_t i, k, pick, taken;
	const char *id;
	char *label;
	bool is_disrupted;
	int r;

	form_list_add(&list, "nobody", "?nobody");
	for (k = 0; k < 3; k++) {
		json_array_foreach(json_object_get(option, lists[k]), i, v)
		{
			id = json_string_value(v);
			taken = form_rule_count(hits, id);
			is_disrupted = form_rule_has(disrupted, id);
			if (taken != (is_disrupted ? 0 : 1) ||
			    (k > 0 && is_disrupted))
				continue;
			label = form_decide_label(d, id);
			form_list_add(&list, label, id);
			free(label);
		}
	}
	c = form_list_choice(&list, "extra",
	    "The hits are odd: may one more disrupted unit be eliminated?");
	r = form_tape_choice(&d->tape, &c, 0, &pick);
	if (r == 0 && pick > 0)
		xalloc_set(
		    d->decision, "extra", xalloc_json_str(list.values[pick]));
	form_list_clear(&list);
	return (r);
}

/* 11.4: hits on disrupted and undisrupted units. */
static int
form_rule_hits(struct form_decide *d)
{
	const json_t *option = json_object_get(d->options, "units");
	const json_t *stack = json_object_get(option, "stack");
	struct form_list list;
	size_t count, i, least, pick = 0, taken = 0;
	json_t *hits;
	bool is_bound;
	int r = 0;

	count = (size_t)json_integer_value(json_object_get(option, "count"));
	least =
	    (size_t)json_integer_value(json_object_get(option, "stack_least"));
	hits = xalloc_json(json_array());
	xalloc_set(d->decision, "units", hits);
	for (i = 0; r == 0 && i < count; i++) {
		is_bound = taken + (count - i) <= least;
		memset(&list, 0, sizeof(list));
		form_rule_hittable(d, option, stack, hits, &list);
		if (!is_bound)
			form_rule_hittable(d, option,
			    json_object_get(option, "supports"), hits, &list);
		if (list.n > 0)
			r = form_rule_hit(d, &list, i, count,
			    is_bound ? "  It must be of the fighting stack."
				     : "",
			    &pick);
		if (list.n > 0 && r == 0) {
			taken += form_rule_has(stack, list.values[pick]);
			xalloc_append(hits, xalloc_json_str(list.values[pick]));
		}
		form_list_clear(&list);
	}
	if (r == 0 && json_object_get(d->options, "extra") != NULL)
		r = form_rule_extra(d, option, hits);
	return (r);
}

/* 11.5: units, and commanders along with them. */
static int
form_rule_advance(struct form_decide *d)
{
	const json_t *option = json_object_get(d->options, "units");
	json_t *chosen, *ids;
	int r;

	ids = xalloc_copy(json_object_get(option, "units"));
	if (json_array_extend(ids, json_object_get(option, "commanders")) != 0)
		(void)xalloc_json(NULL);
	r = form_decide_some(d, "units",
	    "Who advances (commanders only with a unit)?", ids, 0,
	    json_array_size(ids), &chosen);
	json_decref(ids);
	if (r == 0)
		xalloc_set(d->decision, "units", chosen);
	return (r);
}

/* 11.6: where a commander escapes to. */
static int
form_rule_escape(struct form_decide *d)
{
	const json_t *option = json_object_get(d->options, "to");
	const char *id;
	char *title, *label, *to;
	int r;

	id = json_string_value(json_object_get(option, "commander"));
	label = form_decide_label(d, id == NULL ? "the commander" : id);
	title = xalloc_printf("Which friendly stack, at most three hexes "
			      "away, does %s escape to (nothing: there is "
			      "none, and he is lost)?",
	    label);
	r = form_tape_text(&d->tape, "to", title, RULES_NAME_MAX, true, &to);
	free(title);
	free(label);
	if (r != 0)
		return (r);
	xalloc_set(
	    d->decision, "to", *to == '\0' ? json_null() : xalloc_json_str(to));
	free(to);
	return (0);
}

/* The strength that is left of an object of battalions. */
static json_int_t
form_rule_strength(const json_t *left)
{
	json_int_t n = 0;
	const char *id;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)left, id, v) n +=
	    json_integer_value(v);
	return (n);
}

/* Hits given so far to a battalion, or to a unit (battalion NULL). */
static json_int_t
form_rule_given(const json_t *hits, const char *unit, const char *battalion)
{
	const json_t *o = json_object_get(hits, unit);

	return (battalion == NULL
		? form_rule_strength(o)
		: json_integer_value(json_object_get(o, battalion)));
}

/*
 * 13.6: true if the battalion may take the unit's next hit: the lead takes
 * the first, and a second one before another has two.
 */
static bool
form_rule_may_take(const json_t *unit, const json_t *given, const char *id)
{
	const json_t *left = json_object_get(unit, "left");
	const char *lead = json_string_value(json_object_get(unit, "lead"));
	json_int_t own, of_lead, room;

	own = json_integer_value(json_object_get(given, id));
	if (own >= json_integer_value(json_object_get(left, id)))
		return (false);
	of_lead = json_integer_value(json_object_get(given, lead));
	room = json_integer_value(json_object_get(left, lead)) - of_lead;
	if (strcmp(id, lead) == 0 || room <= 0)
		return (true);
	return (of_lead > 0 && (own == 0 || of_lead > 1));
}

/* Adds the battalions that may take the next hit. */
static void
form_rule_battalions(const struct form_decide *d, const json_t *hits,
    const json_t *bound, struct form_list *list)
{
	const json_t *units =
	    json_object_get(json_object_get(d->options, "hits"), "units");
	const char *battalion, *unit;
	json_t *left, *o, *v;
	char *label;

	json_object_foreach((json_t *)(uintptr_t)units, unit, o)
	{
		/* Who retreats must have taken a hit. */
		if (bound != NULL &&
		    (json_object_get(bound, unit) == NULL ||
			form_rule_given(hits, unit, NULL) > 0))
			continue;
		left = json_object_get(o, "left");
		json_object_foreach(left, battalion, v)
		{
			if (!form_rule_may_take(
				o, json_object_get(hits, unit), battalion))
				continue;
			label = xalloc_printf(
			    "%s of %s: strength %" JSON_INTEGER_FORMAT "%s",
			    battalion, unit,
			    json_integer_value(v) -
				form_rule_given(hits, unit, battalion),
			    strcmp(battalion,
				json_string_value(
				    json_object_get(o, "lead"))) == 0
				? ", leads"
				: "");
			form_list_add(list, label, battalion);
			free(label);
		}
	}
}

/* Gives a hit to a battalion. */
static void
form_rule_give(const struct form_decide *d, json_t *hits, const char *battalion)
{
	const json_t *units =
	    json_object_get(json_object_get(d->options, "hits"), "units");
	const char *unit;
	json_t *given, *o;

	json_object_foreach((json_t *)(uintptr_t)units, unit, o)
	{
		if (json_object_get(json_object_get(o, "left"), battalion) ==
		    NULL)
			continue;
		if ((given = json_object_get(hits, unit)) == NULL) {
			given = xalloc_json(json_object());
			xalloc_set(hits, unit, given);
		}
		xalloc_set(given, battalion,
		    json_integer(1 +
			json_integer_value(json_object_get(given, battalion))));
		return;
	}
}

/*
 * Asks how far units retreat: *count is what is left of the hits then.  A
 * unit that retreats must take a hit as well.
 */
static int
form_rule_retreat(struct form_decide *d, json_int_t *count, json_t *retreat)
{
	const json_t *units =
	    json_object_get(json_object_get(d->options, "hits"), "units");
	json_t *room =
	    json_object_get(json_object_get(d->options, "retreat"), "room");
	char *key, *title;
	const char *unit;
	const int64_t none = 0;
	int64_t most, spaces;
	json_t *v;
	int r = 0;

	json_object_foreach(room, unit, v)
	{
		most = *count - (json_int_t)json_object_size(retreat) - 1;
		if (most > json_integer_value(v))
			most = json_integer_value(v);
		if (most <= 0 ||
		    form_rule_strength(json_object_get(
			json_object_get(units, unit), "left")) == 0)
			continue;
		key = xalloc_printf("retreat:%s", unit);
		title = xalloc_printf(
		    "How many spaces does %s retreat (a hit less for each)?",
		    unit);
		r = form_tape_number(
		    &d->tape, key, title, 0, most, &none, &spaces);
		free(title);
		free(key);
		if (r != 0)
			return (r);
		*count -= spaces;
		if (spaces > 0)
			xalloc_set(retreat, unit, json_integer(spaces));
	}
	return (0);
}

/* How many of those that retreat have taken no hit yet. */
static json_int_t
form_rule_unhit(const json_t *retreat, const json_t *hits)
{
	const char *unit;
	json_int_t n = 0;
	json_t *v;

	json_object_foreach((json_t *)(uintptr_t)retreat, unit, v) n +=
	    json_object_get(hits, unit) == NULL;
	return (n);
}

/* 13.6: hits on battalions, and retreats. */
static int
form_rule_allocate(struct form_decide *d)
{
	const json_t *option = json_object_get(d->options, "hits");
	struct form_list list;
	json_t *hits, *retreat;
	json_int_t count, i;
	size_t pick;
	bool is_bound;
	int r;

	count = json_integer_value(json_object_get(option, "count"));
	hits = xalloc_json(json_object());
	xalloc_set(d->decision, "hits", hits);
	retreat = xalloc_json(json_object());
	r = form_rule_retreat(d, &count, retreat);
	for (i = 0; r == 0 && i < count; i++) {
		memset(&list, 0, sizeof(list));
		is_bound = form_rule_unhit(retreat, hits) >= count - i;
		form_rule_battalions(d, hits, is_bound ? retreat : NULL, &list);
		/* All strength is taken: the rest is lost. */
		if (list.n == 0)
			break;
		r = form_rule_hit(d, &list, (size_t)i, (size_t)count,
		    is_bound ? "  Those who retreat must take one." : "",
		    &pick);
		if (r == 0)
			form_rule_give(d, hits, list.values[pick]);
		form_list_clear(&list);
	}
	if (r == 0 && json_object_size(retreat) > 0)
		xalloc_set(d->decision, "retreat", json_incref(retreat));
	json_decref(retreat);
	return (r);
}

/* 14.4: units of so much strength together. */
static int
form_rule_exchange(struct form_decide *d)
{
	const json_t *option = json_object_get(d->options, "units");
	json_t *units = json_object_get(option, "units"), *v;
	json_t *chosen, *ids;
	const char *id;
	char *s, *title;
	int r;

	ids = xalloc_json(json_array());
	json_object_foreach(units, id, v)
	{
		xalloc_append(ids, xalloc_json_str(id));
		s = xalloc_printf("  %s counts %" JSON_INTEGER_FORMAT "%s", id,
		    json_integer_value(v),
		    form_rule_has(json_object_get(option, "first"), id)
			? ", and must go before others"
			: "");
		form_decide_say(d, s);
		free(s);
	}
	title = xalloc_printf("Who is lost?  At least %" JSON_INTEGER_FORMAT
			      " together.",
	    json_integer_value(json_object_get(option, "least")));
	r = form_decide_some(
	    d, "units", title, ids, 1, json_array_size(ids), &chosen);
	free(title);
	json_decref(ids);
	if (r == 0)
		xalloc_set(d->decision, "units", chosen);
	return (r);
}

int
form_rule(struct form_decide *d, const char *name)
{
	static const struct {
		const char *name;
		int (*ask)(struct form_decide *d);
	} rules[] = {
	    {"hits", form_rule_hits},
	    {"advance", form_rule_advance},
	    {"commander-escape", form_rule_escape},
	    {"allocate", form_rule_allocate},
	    {"exchange-loss", form_rule_exchange},
	};
	size_t i;

	for (i = 0; name != NULL && i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rules[i].name, name) == 0)
			return (rules[i].ask(d));
	}
	return (ERR_NEWER);
}
