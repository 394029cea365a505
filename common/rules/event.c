/* SPDX-License-Identifier: ISC */
/*
 * Events as JSON objects (umpire-record.7, S2): "e" first, then the members
 * of the kind.  Sentences for people are the renderer's.
 */
#include "common/rules/event.h"

#include "common/json/js.h"
#include "common/rules/question.h"
#include "common/rules/rules.h"

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

/* Adds n fields to obj; non-zero without memory. */
static int event_put(const struct event_field *fields, size_t n, json_t *obj);

/* Returns a field as a new value, or NULL. */
static json_t *
event_value(const struct event_field *f)
{
	json_t *v;
	size_t i;
	int bad = 0;

	switch (f->type) {
	case EVENT_INT:
		return (json_integer(f->number));
	case EVENT_BOOL:
		return (json_boolean(f->number));
	case EVENT_TEXT:
		return (
		    f->u.text == NULL ? json_null() : json_string(f->u.text));
	case EVENT_OBJECT:
		v = json_object();
		return (js_made(v, event_put(f->u.fields, f->n, v)));
	case EVENT_DICE:
	case EVENT_TEXTS:
		break;
	}
	v = json_array();
	for (i = 0; i < f->n; i++)
		bad |= json_array_append_new(v,
		    f->type == EVENT_DICE ? json_integer(f->u.dice[i])
					  : json_string(f->u.texts[i]));
	return (js_made(v, bad));
}

/* Objects are as deep as the code that makes them. */
static int
event_put(const struct event_field *fields, size_t n, json_t *obj)
{
	size_t i;
	int bad = 0;

	for (i = 0; i < n; i++)
		bad |= json_object_set_new(
		    obj, fields[i].name, event_value(&fields[i]));
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
event_json(const struct rules_system *sys, const struct combat *c,
    const struct event *ev)
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
		bad = event_add_object(sys->facts(c), o);
		break;
	case EVENT_RESULT:
		bad = event_add_object(sys->result(c), o);
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
		bad = event_put(ev->fields, ev->n_fields, o);
	}
	return (js_made(o, bad));
}
