/* SPDX-License-Identifier: ISC */
/*
 * Questions and answers: options as JSON, answers read against them, written
 * back and made by chance (umpire-rules.7, 4).  Whether a question is asked
 * is the rules' business; what an answer does, too.
 */
#include "common/rules/question.h"

#include <string.h>

#include "common/json/js.h"

#define QUESTION_UNIT "unit" /* the id in an element of an order */

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

/* Returns the ids as a new array, or NULL. */
static json_t *
question_ids(const struct question_member *m)
{
	json_t *list;
	size_t i;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (i = 0; i < m->n_ids; i++) {
		if (json_array_append_new(list, json_string(m->ids[i])) != 0) {
			json_decref(list);
			return (NULL);
		}
	}
	return (list);
}

/* Returns the values of a member that is ONE as a new array, or NULL. */
static json_t *
question_values(const struct question_member *m)
{
	json_t *list;
	int bad = 0;

	if (m->is_bool)
		list = json_pack("[b, b]", 1, 0);
	else
		list = question_ids(m);
	if (m->has_null && list != NULL)
		bad = json_array_append_new(list, json_null());
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Returns the options of one member as a new object, or NULL. */
static json_t *
question_option(const struct question_member *m)
{
	json_t *o = NULL;
	int bad = 0;

	switch (m->shape) {
	case QUESTION_ONE:
		return (json_pack("{s:o}", "one", question_values(m)));
	case QUESTION_INT:
		return (json_pack("{s:[i, i]}", "int", m->lo, m->hi));
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
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
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
		    question_option(&q->members[i]));
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
question_holds(const struct combat *c, const struct question *q,
    const struct question_answer *a)
{
	const struct question_member *m;
	size_t i;
	int n;

	if (q->rule != NULL)
		return (q->rule->holds(c, a));
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
		r = q->rule->read(c, decision, &at, &read, room, n_room, e);
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
	if (m->shape == QUESTION_ONE && m->is_bool)
		return (json_boolean(number));
	if (m->shape == QUESTION_ONE)
		return (
		    number == -1 ? json_null() : json_string(m->ids[number]));
	if ((list = json_array()) == NULL)
		return (NULL);
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
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

int
question_write(const struct combat *c, const struct question *q,
    const struct question_answer *a, json_t *obj)
{
	size_t i;
	int bad;

	bad = json_object_set_new(obj, "kind", json_string(q->kind));
	if (q->rule != NULL)
		bad |= q->rule->write(c, a, obj);
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
		return (q->rule->sample(c, p, a, room, n_room));
	for (i = 0; i < q->n_members; i++) {
		m = &q->members[i];
		lo = m->lo;
		hi = m->hi;
		if (m->shape == QUESTION_ORDER)
			lo = hi = (int)m->n_ids;
		if (m->shape == QUESTION_ONE) {
			lo = m->has_null ? -1 : 0;
			hi = m->is_bool ? 1 : (int)m->n_ids - 1;
		}
		made.number[i] =
		    lo + (int)p->pick(p->arg, (uint32_t)(hi - lo + 1));
		if (m->shape == QUESTION_ONE || m->shape == QUESTION_INT)
			continue;
		made.n_items = (size_t)made.number[i];
		if (made.n_items > n_room)
			return (ERR_TOOBIG);
		question_sample_list(m, p, made.n_items, room);
	}
	*a = made;
	return (0);
}
