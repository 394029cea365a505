/* SPDX-License-Identifier: ISC */
/*
 * Questions and answers: options as JSON, answers read against them, written
 * back and made by chance (umpire-rules.7, 4).  The rules decide when a
 * question is asked and what its answer does.
 */
#include "common/rules/question.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/json/js.h"
#include "common/rules/rules.h"

#define QUESTION_UNIT "unit" /* the id in an element of an order */

struct question_member
question_one_of(const char *name, const char *const *ids, size_t n)
{
	const struct question_member m = {
	    .name = name,
	    .shape = QUESTION_ONE,
	    .ids = ids,
	    .n_ids = n,
	};

	return (m);
}

struct question_member
question_some(
    const char *name, const char *const *ids, size_t n, int lo, int hi)
{
	const struct question_member m = {
	    .name = name,
	    .shape = QUESTION_SOME,
	    .ids = ids,
	    .n_ids = n,
	    .lo = lo,
	    .hi = hi,
	};

	return (m);
}

struct question_member
question_order(
    const char *name, const char *const *ids, size_t n, const char *each)
{
	const struct question_member m = {
	    .name = name,
	    .shape = QUESTION_ORDER,
	    .ids = ids,
	    .n_ids = n,
	    .each = each,
	};

	return (m);
}

const char *
question_side(enum combat_side side)
{
	return (side == COMBAT_ATTACKER ? "attacker" : "defender");
}

enum combat_side
question_enemy(enum combat_side side)
{
	return (side == COMBAT_ATTACKER ? COMBAT_DEFENDER : COMBAT_ATTACKER);
}

/* Returns the ids as a new array, or NULL. */
static json_t *
question_ids(const struct question_member *m)
{
	json_t *list = json_array();
	size_t i;
	int bad = 0;

	for (i = 0; i < m->n_ids; i++)
		bad |= json_array_append_new(list, json_string(m->ids[i]));
	return (js_made(list, bad));
}

/* Returns the options of one member as a new object, or NULL. */
static json_t *
question_option(const struct question_member *m, const char *kind)
{
	json_t *list, *o = NULL;
	int bad = 0;

	switch (m->shape) {
	case QUESTION_ONE:
		list = m->is_bool ? json_pack("[b, b]", 1, 0) : question_ids(m);
		if (m->has_null && list != NULL)
			bad = json_array_append_new(list, json_null());
		return (json_pack("{s:o}", "one", js_made(list, bad)));
	case QUESTION_INT:
		return (json_pack("{s:[i, i]}", "int", m->lo, m->hi));
	case QUESTION_TEXT:
		return (json_pack("{s:s, s:s, s:b}", "rule", kind, m->each,
		    m->ids[0], "null", m->has_null));
	case QUESTION_ORDER:
		return (json_pack("{s:o, s:{s:{s:[b, b]}}}", "order",
		    question_ids(m), "each", m->each, "one", 1, 0));
	case QUESTION_SOME:
		o = json_pack("{s:o}", "some", question_ids(m));
		if (o != NULL && m->lo > 0)
			bad |=
			    json_object_set_new(o, "min", json_integer(m->lo));
		if (o != NULL && m->hi < (int)m->n_ids)
			bad |=
			    json_object_set_new(o, "max", json_integer(m->hi));
	}
	return (js_made(o, bad));
}

int
question_ask(const struct combat *c, const struct question *q, json_t *obj)
{
	json_t *options;
	size_t i;
	int bad = 0, r;

	if ((options = json_object()) == NULL)
		return (ERR_NOMEM);
	if (q->rule != NULL && (r = q->rule->options(c, options)) != 0) {
		json_decref(options);
		return (r);
	}
	for (i = 0; i < q->n_members; i++)
		bad |= json_object_set_new(options, q->members[i].name,
		    question_option(&q->members[i], q->kind));
	bad |= json_object_set_new(
	    obj, "side", json_string(question_side(q->side)));
	bad |= json_object_set_new(obj, "kind", json_string(q->kind));
	bad |= json_object_set_new(obj, "options", options);
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Finds an id among the member's; -1 if it is not there. */
static int
question_find(const struct question_member *m, const char *id)
{
	size_t i;

	for (i = 0; i < m->n_ids; i++) {
		if (strcmp(m->ids[i], id) == 0)
			return ((int)i);
	}
	return (-1);
}

/*
 * Reads v, which must be an id of the member that seen does not have yet,
 * and marks it there.
 */
static int
question_read_id(const struct question_member *m, const json_t *v,
    const struct js_at *at, bool *seen, int16_t *id, struct errinfo *e)
{
	int i;

	if (!json_is_string(v))
		return (js_fail(at, e, "must be a string"));
	if ((i = question_find(m, json_string_value(v))) == -1)
		return (js_fail(at, e, "\"%s\" is not among the options",
		    json_string_value(v)));
	if (seen[i])
		return (js_fail(
		    at, e, "\"%s\" is named twice", json_string_value(v)));
	seen[i] = true;
	*id = (int16_t)i;
	return (0);
}

/* Reads one element of an order. */
static int
question_read_element(const struct question_member *m, const json_t *v,
    const struct js_at *at, bool *seen, struct question_item *item,
    struct errinfo *e)
{
	const char *const known[] = {QUESTION_UNIT, m->each, NULL};
	const struct js_at at_unit = {.up = at, .name = QUESTION_UNIT};
	const char *id;
	bool value;
	int r;

	if ((r = js_members(v, at, known, e)) != 0)
		return (r);
	if ((r = js_get_str(v, QUESTION_UNIT, at, &id, e)) != 0)
		return (r);
	if ((r = question_read_id(m, json_object_get(v, QUESTION_UNIT),
		 &at_unit, seen, &item->id, e)) != 0)
		return (r);
	if ((r = js_get_bool(v, m->each, at, &value, e)) != 0)
		return (r);
	item->value = value;
	return (0);
}

/* True if a list names ids of the member, none twice, as many as it must. */
static bool
question_holds_list(
    const struct question_member *m, const struct question_answer *a)
{
	bool seen[QUESTION_IDS_MAX] = {false};
	size_t i;
	int id;

	if (m->shape == QUESTION_ORDER && a->n_items != m->n_ids)
		return (false);
	if (m->shape == QUESTION_SOME &&
	    ((int)a->n_items < m->lo || (int)a->n_items > m->hi))
		return (false);
	for (i = 0; i < a->n_items; i++) {
		id = a->items[i].id;
		if (id < 0 || id >= (int)m->n_ids || seen[id])
			return (false);
		seen[id] = true;
	}
	return (true);
}

bool
question_refuse(struct question_why *why, const char *member, const char *id,
    const char *fmt, ...)
{
	va_list ap;

	if (why == NULL)
		return (false);
	why->member = member;
	why->id = id;
	va_start(ap, fmt);
	(void)vsnprintf(why->text, sizeof(why->text), fmt, ap);
	va_end(ap);
	return (false);
}

/* How many numbers the picks of a rule have. */
static size_t
question_numbers(const struct combat *c, const struct question_rule *rule)
{
	size_t n = rule->count(c) * (rule->last != NULL ? 2 : 1);

	assert(n <= QUESTION_PICKS_MAX);
	return (n);
}

size_t
question_next(const struct combat *c, const struct question_rule *rule,
    const struct question_picks *p, int16_t *ids)
{
	size_t end = question_numbers(c, rule), i, n = 0;

	for (i = 0; i < end; i++) {
		if (rule->may(c, p, i, NULL))
			ids[n++] = (int16_t)i;
	}
	return (n);
}

/*
 * Picks what an answer says, each as soon as it may be.  Returns the index of
 * the first item that never may, or the number of items; *why then says why
 * the answer may not end so, or has no text if it may.
 */
static size_t
question_judge(const struct combat *c, const struct question_rule *rule,
    const struct question_answer *a, struct question_picks *p,
    struct question_why *why)
{
	size_t bad, end = question_numbers(c, rule), i;
	int16_t left[COMBAT_ITEMS_MAX];
	const struct question_item *item;
	bool has_moved;

	memset(p, 0, sizeof(*p));
	memset(why, 0, sizeof(*why));
	for (i = 0; i < a->n_items; i++) {
		item = &a->items[i];
		if (item->id < 0 || (size_t)item->id >= end ||
		    item->value < 1) {
			(void)question_refuse(
			    why, NULL, NULL, "there is no such pick");
			return (i);
		}
		left[i] = item->value;
	}
	do {
		has_moved = false;
		for (i = 0, bad = a->n_items; i < a->n_items; i++) {
			item = &a->items[i];
			for (; left[i] > 0 &&
			     rule->may(c, p, (size_t)item->id, NULL);
			     left[i]--) {
				p->of[item->id]++;
				p->n++;
				has_moved = true;
			}
			if (left[i] > 0 && bad == a->n_items)
				bad = i;
		}
	} while (has_moved && bad < a->n_items);
	if (bad < a->n_items)
		(void)rule->may(c, p, (size_t)a->items[bad].id, why);
	else
		(void)rule->ends(c, p, why);
	return (bad);
}

bool
question_picks(const struct combat *c, const struct question_rule *rule,
    const struct question_answer *a, struct question_picks *p)
{
	struct question_why why;

	(void)question_judge(c, rule, a, p, &why);
	return (why.text[0] == '\0');
}

int
question_add(const struct question_rule *rule, int16_t id,
    struct question_answer *a, struct question_picks *p,
    struct question_item *room, size_t n_room)
{
	size_t i = a->n_items;

	/* A list repeats a pick that is made again. */
	for (i = 0; i < a->n_items; i++) {
		if (rule->list == NULL && room[i].id == id)
			break;
	}
	if (i == n_room)
		return (ERR_TOOBIG);
	if (i == a->n_items) {
		room[a->n_items++] = (struct question_item){.id = id};
		a->items = room;
	}
	room[i].value++;
	p->of[id]++;
	p->n++;
	return (0);
}

int
question_choose(const struct combat *c, const struct question_rule *rule,
    int word, struct question_answer *a, struct question_item *room,
    size_t n_room)
{
	struct question_answer made = {.items = room};
	struct question_picks p = {.n = 0};
	int16_t ids[QUESTION_PICKS_MAX];
	size_t i, n;
	int r;

	while ((n = question_next(c, rule, &p, ids)) > 0 &&
	    (i = rule->choose(c, word, &p, ids, n)) < n) {
		r = question_add(rule, ids[i], &made, &p, room, n_room);
		if (r != 0)
			return (r);
	}
	*a = made;
	return (0);
}

bool
question_holds(const struct combat *c, const struct question *q,
    const struct question_answer *a)
{
	const struct question_member *m;
	struct question_picks p;
	size_t i;
	int n;

	if (q->rule != NULL)
		return (question_picks(c, q->rule, a, &p));
	for (i = 0; i < q->n_members; i++) {
		m = &q->members[i];
		n = a->number[i];
		switch (m->shape) {
		case QUESTION_ONE:
			if (n < (m->has_null ? -1 : 0) ||
			    n >= (m->is_bool ? 2 : (int)m->n_ids))
				return (false);
			break;
		case QUESTION_INT:
			if (n < m->lo || n > m->hi)
				return (false);
			break;
		case QUESTION_TEXT:
			if (a->text == NULL
				? !m->has_null
				: *a->text == '\0' || !rules_is_name(a->text))
				return (false);
			break;
		case QUESTION_SOME:
		case QUESTION_ORDER:
			if (!question_holds_list(m, a))
				return (false);
		}
	}
	return (true);
}

/* Says that a list is too short or too long; names a missing one. */
static int
question_fail_count(const struct question_member *m, const struct js_at *at,
    const bool *seen, struct errinfo *e)
{
	size_t i;

	for (i = 0; m->shape == QUESTION_ORDER && i < m->n_ids; i++) {
		if (!seen[i])
			return (js_fail(at, e, "\"%s\" is missing", m->ids[i]));
	}
	return (
	    js_fail(at, e, "must name %d to %d of the options", m->lo, m->hi));
}

/* Reads a list member into room. */
static int
question_read_list(const struct question_member *m, const json_t *decision,
    const struct js_at *up, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const struct js_at at = {.up = up, .name = m->name};
	struct js_at at_i = {.up = &at};
	bool seen[QUESTION_IDS_MAX] = {false};
	const json_t *list, *v;
	size_t i, n;
	int r;

	if ((r = js_get_array(decision, m->name, up, &list, e)) != 0)
		return (r);
	/* Nothing is named twice, so that n_ids elements are the most. */
	n = json_array_size(list);
	for (i = 0; i < n; i++) {
		at_i.index = i;
		v = json_array_get(list, i);
		if (i >= n_room)
			return (js_fail(&at, e, "has too many elements"));
		if (m->shape == QUESTION_ORDER)
			r = question_read_element(
			    m, v, &at_i, seen, &room[i], e);
		else
			r = question_read_id(m, v, &at_i, seen, &room[i].id, e);
		if (r != 0)
			return (r);
		if (m->shape != QUESTION_ORDER)
			room[i].value = 0;
	}
	a->items = room;
	a->n_items = n;
	if (!question_holds_list(m, a))
		return (question_fail_count(m, &at, seen, e));
	return (0);
}

/* Reads a member that is one of some values. */
static int
question_read_one(const struct question_member *m, const json_t *decision,
    const struct js_at *at, int *number, struct errinfo *e)
{
	const json_t *v;
	int i = -1;

	if ((v = json_object_get(decision, m->name)) == NULL)
		return (js_fail_member(at, m->name, e, "is missing"));
	if (json_is_null(v) && m->has_null) {
		*number = -1;
		return (0);
	}
	if (m->is_bool) {
		if (!json_is_boolean(v))
			return (js_fail_member(
			    at, m->name, e, "must be true or false"));
		*number = json_is_true(v);
		return (0);
	}
	if (json_is_string(v))
		i = question_find(m, json_string_value(v));
	if (i == -1)
		return (js_fail_member(
		    at, m->name, e, "is not one of the options"));
	*number = i;
	return (0);
}

/* Reads a member that is a text. */
static int
question_read_text(const struct question_member *m, const json_t *decision,
    const struct js_at *at, const char **text, struct errinfo *e)
{
	const json_t *v;
	size_t len;

	if ((v = json_object_get(decision, m->name)) == NULL)
		return (js_fail_member(at, m->name, e, "is missing"));
	if (json_is_null(v) && m->has_null) {
		*text = NULL;
		return (0);
	}
	if (!json_is_string(v))
		return (js_fail_member(
		    at, m->name, e, "must be the name of %s or null", m->what));
	len = json_string_length(v);
	*text = json_string_value(v);
	if (len == 0 || len != strlen(*text) || !rules_is_name(*text))
		return (js_fail_member(at, m->name, e,
		    "must have 1 to %d bytes and no control characters",
		    RULES_NAME_MAX));
	return (0);
}

/* Reads the members of a decision on a question without a rule. */
static int
question_read_members(const struct question *q, const json_t *decision,
    const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const char *known[QUESTION_MEMBERS_MAX + 2] = {"kind"};
	const struct question_member *m;
	int64_t number;
	size_t i;
	int r;

	for (i = 0; i < q->n_members; i++)
		known[i + 1] = q->members[i].name;
	if ((r = js_members(decision, at, known, e)) != 0)
		return (r);
	for (i = 0; i < q->n_members; i++) {
		m = &q->members[i];
		switch (m->shape) {
		case QUESTION_ONE:
			r = question_read_one(
			    m, decision, at, &a->number[i], e);
			break;
		case QUESTION_INT:
			r = js_get_int(
			    decision, m->name, at, m->lo, m->hi, &number, e);
			if (r == 0)
				a->number[i] = (int)number;
			break;
		case QUESTION_TEXT:
			r = question_read_text(m, decision, at, &a->text, e);
			break;
		case QUESTION_SOME:
		case QUESTION_ORDER:
			r = question_read_list(
			    m, decision, at, a, room, n_room, e);
		}
		if (r != 0)
			return (r);
	}
	return (0);
}

/*
 * Finds what a decision names by the rule's `last`: a string, or a list of what
 * should be some.  *n is how many, *last NULL if none.
 */
static int
question_find_last(const struct question_rule *rule, const json_t *decision,
    const struct js_at *at, const json_t **last, size_t *n, struct errinfo *e)
{
	*last =
	    rule->last == NULL ? NULL : json_object_get(decision, rule->last);
	*n = json_is_array(*last) ? json_array_size(*last) : *last != NULL;
	if (*last != NULL && !json_is_string(*last) && *n == 0)
		return (js_fail_member(
		    at, rule->last, e, "must not be empty; leave it out"));
	if (*last != NULL && !json_is_string(*last) && !json_is_array(*last))
		return (js_fail_member(at, rule->last, e,
		    "must be a string, or a list of strings"));
	return (0);
}

/* Reads the picks that a decision lists, each by its id. */
static int
question_read_listed(const struct combat *c, const struct question_rule *rule,
    const json_t *decision, const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const char *const known[] = {"kind", rule->list, rule->last, NULL};
	const struct js_at at_list = {.up = at, .name = rule->list};
	const struct js_at at_last = {.up = at, .name = rule->last};
	struct js_at at_i = {.up = &at_list};
	size_t count = rule->count(c), i, n, n_last, number;
	const json_t *last, *list;
	const char *id;
	int r;

	if ((r = js_members(decision, at, known, e)) != 0)
		return (r);
	if ((r = js_get_array(decision, rule->list, at, &list, e)) != 0)
		return (r);
	if ((r = question_find_last(rule, decision, at, &last, &n_last, e)) !=
	    0)
		return (r);
	n = json_array_size(list);
	if (n + n_last > n_room)
		return (js_fail(&at_list, e, "has too many elements"));
	a->n_items = n + n_last;
	for (i = 0; i < a->n_items; i++) {
		at_i.up = i < n ? &at_list : &at_last;
		at_i.index = i < n ? i : i - n;
		if (i < n)
			id = json_string_value(json_array_get(list, i));
		else if (json_is_array(last))
			id = json_string_value(json_array_get(last, i - n));
		else
			id = json_string_value(last);
		if (id == NULL)
			return (js_fail(&at_i, e, "must be a string"));
		for (number = 0; number < count; number++) {
			if (strcmp(rule->id(c, number), id) == 0)
				break;
		}
		if (number == count)
			return (js_fail(
			    i < n || json_is_array(last) ? &at_i : &at_last, e,
			    "\"%s\" is not among the options", id));
		room[i].id = (int16_t)(i < n ? number : count + number);
		room[i].value = 1;
	}
	return (0);
}

/* Reads a decision on a question that has a rule, and judges it. */
static int
question_read_picks(const struct combat *c, const struct question_rule *rule,
    const json_t *decision, const struct js_at *at, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	struct js_at at_member = {.up = at}, at_i = {.up = &at_member};
	struct question_picks p;
	struct question_why why;
	int r;

	r = (rule->list != NULL
		? question_read_listed(
		      c, rule, decision, at, a, room, n_room, e)
		: rule->read(c, decision, at, a, room, n_room, e));
	if (r != 0)
		return (r);
	at_i.index = question_judge(c, rule, a, &p, &why);
	if (why.text[0] == '\0')
		return (0);
	at_member.name = why.member == NULL ? rule->list : why.member;
	at_i.name = why.id;
	return (
	    js_fail(why.member != NULL && why.id == NULL ? &at_member : &at_i,
		e, "%s", why.text));
}

int
question_read(const struct combat *c, const struct question *q,
    const json_t *decision, struct question_answer *a,
    struct question_item *room, size_t n_room, struct errinfo *e)
{
	const struct js_at at = {.name = "decision"};
	struct question_answer read = {.items = room};
	const char *kind;
	int r;

	if ((r = js_get_str(decision, "kind", &at, &kind, e)) != 0)
		return (r);
	if (strcmp(kind, q->kind) != 0)
		return (js_fail_member(&at, "kind", e,
		    "must be \"%s\", which the %s owes", q->kind,
		    question_side(q->side)));
	if (q->rule != NULL)
		r = question_read_picks(
		    c, q->rule, decision, &at, &read, room, n_room, e);
	else
		r = question_read_members(
		    q, decision, &at, &read, room, n_room, e);
	if (r == 0)
		*a = read;
	return (r);
}

/* Returns one member's answer as a new value, or NULL. */
static json_t *
question_write_member(const struct question_member *m,
    const struct question_answer *a, int number)
{
	const struct question_item *item;
	json_t *list;
	size_t i;
	int bad = 0;

	if (m->shape == QUESTION_INT)
		return (json_integer(number));
	if (m->shape == QUESTION_TEXT)
		return (a->text == NULL ? json_null() : json_string(a->text));
	if (m->shape == QUESTION_ONE && m->is_bool)
		return (json_boolean(number));
	if (m->shape == QUESTION_ONE)
		return (
		    number == -1 ? json_null() : json_string(m->ids[number]));
	list = json_array();
	for (i = 0; i < a->n_items; i++) {
		item = &a->items[i];
		if (m->shape == QUESTION_SOME)
			bad |= json_array_append_new(
			    list, json_string(m->ids[item->id]));
		else
			bad |= json_array_append_new(list,
			    json_pack("{s:s, s:b}", QUESTION_UNIT,
				m->ids[item->id], m->each, item->value));
	}
	return (js_made(list, bad));
}

/* Adds the members of a decision that lists picks; non-zero without memory. */
static int
question_write_picks(const struct combat *c, const struct question_rule *rule,
    const struct question_answer *a, json_t *obj)
{
	size_t count = rule->count(c), i;
	struct question_picks p;
	json_t *last, *list;
	int bad = 0;

	if (rule->list == NULL) {
		(void)question_picks(c, rule, a, &p);
		return (rule->write(c, &p, obj));
	}
	list = json_array();
	for (i = 0; i < a->n_items && (size_t)a->items[i].id < count; i++)
		bad |= json_array_append_new(
		    list, json_string(rule->id(c, (size_t)a->items[i].id)));
	bad |= json_object_set_new(obj, rule->list, list);
	if (i == a->n_items)
		return (bad);
	/* One is a string, as there mostly is no more. */
	if (i + 1 == a->n_items)
		return (bad |
		    json_object_set_new(obj, rule->last,
			json_string(
			    rule->id(c, (size_t)a->items[i].id - count))));
	last = json_array();
	for (; i < a->n_items; i++)
		bad |= json_array_append_new(last,
		    json_string(rule->id(c, (size_t)a->items[i].id - count)));
	return (bad | json_object_set_new(obj, rule->last, last));
}

int
question_write(const struct combat *c, const struct question *q,
    const struct question_answer *a, json_t *obj)
{
	size_t i;
	int bad;

	bad = json_object_set_new(obj, "kind", json_string(q->kind));
	if (q->rule != NULL)
		bad |= question_write_picks(c, q->rule, a, obj);
	for (i = 0; i < q->n_members; i++)
		bad |= json_object_set_new(obj, q->members[i].name,
		    question_write_member(&q->members[i], a, a->number[i]));
	return (bad != 0 ? ERR_NOMEM : 0);
}

/* Picks n of the member's ids in a random order, each with a coin's word. */
static void
question_sample_list(const struct question_member *m,
    const struct question_pick *p, size_t n, struct question_item *room)
{
	int16_t left[QUESTION_IDS_MAX];
	size_t i, j;

	for (i = 0; i < m->n_ids; i++)
		left[i] = (int16_t)i;
	for (i = 0; i < n; i++) {
		j = i + p->pick(p->arg, (uint32_t)(m->n_ids - i));
		room[i].id = left[j];
		room[i].value = 0;
		if (m->shape == QUESTION_ORDER)
			room[i].value = (int16_t)p->pick(p->arg, 2);
		left[j] = left[i];
	}
}

/* Picks by chance what may be next, and goes on or not where it may end. */
static int
question_sample_picks(const struct combat *c, const struct question_rule *rule,
    const struct question_pick *p, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	struct question_answer made = {.items = room};
	struct question_picks picks = {.n = 0};
	int16_t ids[QUESTION_PICKS_MAX];
	size_t n;
	int r;

	while ((n = question_next(c, rule, &picks, ids)) > 0) {
		if (rule->ends(c, &picks, NULL) && p->pick(p->arg, 2) == 0)
			break;
		n = p->pick(p->arg, (uint32_t)n);
		if ((r = question_add(
			 rule, ids[n], &made, &picks, room, n_room)) != 0)
			return (r);
	}
	*a = made;
	return (0);
}

int
question_sample(const struct combat *c, const struct question *q,
    const struct question_pick *p, struct question_answer *a,
    struct question_item *room, size_t n_room)
{
	struct question_answer made = {.items = room};
	const struct question_member *m;
	size_t i;
	int lo, hi;

	if (q->rule != NULL)
		return (question_sample_picks(c, q->rule, p, a, room, n_room));
	for (i = 0; i < q->n_members; i++) {
		m = &q->members[i];
		lo = m->lo;
		hi = m->hi;
		if (m->shape == QUESTION_ORDER)
			lo = hi = (int)m->n_ids;
		if (m->shape == QUESTION_ONE || m->shape == QUESTION_TEXT) {
			lo = m->has_null ? -1 : 0;
			hi = m->is_bool ? 1 : (int)m->n_ids - 1;
		}
		made.number[i] =
		    lo + (int)p->pick(p->arg, (uint32_t)(hi - lo + 1));
		if (m->shape == QUESTION_TEXT)
			made.text = made.number[i] == -1 ? NULL
							 : "Garde "
							   "imp\xc3\xa9riale";
		if (m->shape != QUESTION_SOME && m->shape != QUESTION_ORDER)
			continue;
		made.n_items = (size_t)made.number[i];
		if (made.n_items > n_room)
			return (ERR_TOOBIG);
		question_sample_list(m, p, made.n_items, room);
	}
	*a = made;
	return (0);
}
