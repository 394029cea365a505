/* SPDX-License-Identifier: ISC */
/*
 * Events as JSON objects (umpire-record.7, S2): "e" first, then the members
 * of the kind.  Sentences for people are the renderer's.
 */
#include "common/rules/event.h"

#include "common/rules/combat.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"
#include "common/rules/run.h"

struct event_field
event_int(const char *name, int64_t value)
{
	const struct event_field f = {
	    .name = name,
	    .type = EVENT_INT,
	    .number = value,
	};

	return (f);
}

struct event_field
event_text(const char *name, const char *value)
{
	const struct event_field f = {
	    .name = name,
	    .type = EVENT_TEXT,
	    .u.text = value,
	};

	return (f);
}

struct event_field
event_bool(const char *name, bool value)
{
	const struct event_field f = {
	    .name = name,
	    .type = EVENT_BOOL,
	    .number = value,
	};

	return (f);
}

struct event_field
event_object(const char *name, const struct event_field *fields, size_t n)
{
	const struct event_field f = {
	    .name = name,
	    .type = EVENT_OBJECT,
	    .n = n,
	    .u.fields = fields,
	};

	return (f);
}

struct event_field
event_dice(const char *name, const uint16_t *dice, size_t n)
{
	const struct event_field f = {
	    .name = name,
	    .type = EVENT_DICE,
	    .n = n,
	    .u.dice = dice,
	};

	return (f);
}

struct event_field
event_texts(const char *name, const char *const *texts, size_t n)
{
	const struct event_field f = {
	    .name = name,
	    .type = EVENT_TEXTS,
	    .n = n,
	    .u.texts = texts,
	};

	return (f);
}

/* Returns the list of a field as a new array, or NULL. */
static json_t *
event_list(const struct event_field *f)
{
	json_t *list;
	size_t i;
	int bad = 0;

	if ((list = json_array()) == NULL)
		return (NULL);
	for (i = 0; i < f->n; i++) {
		if (f->type == EVENT_DICE)
			bad |= json_array_append_new(
			    list, json_integer(f->u.dice[i]));
		else
			bad |= json_array_append_new(
			    list, json_string(f->u.texts[i]));
	}
	if (bad != 0) {
		json_decref(list);
		return (NULL);
	}
	return (list);
}

/* Returns a field that is no object as a new value, or NULL. */
static json_t *
event_value(const struct event_field *f)
{
	switch (f->type) {
	case EVENT_INT:
		return (json_integer(f->number));
	case EVENT_BOOL:
		return (json_boolean(f->number));
	case EVENT_TEXT:
		return (
		    f->u.text == NULL ? json_null() : json_string(f->u.text));
	case EVENT_OBJECT:
	case EVENT_DICE:
	case EVENT_TEXTS:
		break;
	}
	return (event_list(f));
}

/* Returns an object's fields as a new object, or NULL. */
static json_t *
event_members(const struct event_field *f)
{
	json_t *o;
	size_t i;
	int bad = 0;

	if ((o = json_object()) == NULL)
		return (NULL);
	for (i = 0; i < f->n; i++)
		bad |= json_object_set_new(
		    o, f->u.fields[i].name, event_value(&f->u.fields[i]));
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}

/* Adds the fields of an event to obj; non-zero without memory. */
static int
event_add_fields(const struct event *ev, json_t *obj)
{
	const struct event_field *f;
	size_t i;
	int bad = 0;

	for (i = 0; i < ev->n_fields; i++) {
		f = &ev->fields[i];
		bad |= json_object_set_new(obj, f->name,
		    f->type == EVENT_OBJECT ? event_members(f)
					    : event_value(f));
	}
	return (bad);
}

/* Adds the members of `from` (stolen) to obj; non-zero without memory. */
static int
event_add_object(json_t *from, json_t *obj)
{
	int bad;

	bad = json_object_update(obj, from);
	json_decref(from);
	return (bad);
}

json_t *
event_json(const struct combat *c, const struct event *ev)
{
	static const char *const names[] = {
	    [EVENT_COMBAT] = "combat",
	    [EVENT_RESULT] = "result",
	    [EVENT_ASK] = "ask",
	    [EVENT_DECISION] = "decision",
	};
	json_t *o;
	int bad = 0;

	o = json_pack(
	    "{s:s}", "e", ev->kind == EVENT_OTHER ? ev->e : names[ev->kind]);
	if (o == NULL)
		return (NULL);
	switch (ev->kind) {
	case EVENT_COMBAT:
		bad = event_add_object(combat_system(c)->facts(c), o);
		break;
	case EVENT_RESULT:
		bad = event_add_object(combat_system(c)->result(c), o);
		break;
	case EVENT_ASK:
		bad = question_ask(c, ev->question, o);
		break;
	case EVENT_DECISION:
		bad = json_object_set_new(
		    o, "side", json_string(question_side(ev->question->side)));
		bad |= question_write(c, ev->question, ev->answer, o);
		break;
	case EVENT_OTHER:
		bad = event_add_fields(ev, o);
	}
	if (bad != 0) {
		json_decref(o);
		return (NULL);
	}
	return (o);
}
