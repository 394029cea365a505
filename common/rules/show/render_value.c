/* SPDX-License-Identifier: ISC */
/*
 * Values, lists and sentences with holes.  A member that is missing or
 * strange is shown as it is; nothing here trusts an event.
 */
#include "common/rules/show/render_value.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/rules/rules.h"
#include "common/rules/show/rules_show.h"

#define RENDER_VALUE_KEY 128 /* bytes of a key of the table of words */

const char *
render_value_word(
    const struct render *rd, const char *a, const char *b, const char *c)
{
	const struct rules_word *w;
	char key[RENDER_VALUE_KEY];
	int n;

	n = snprintf(key, sizeof(key), "%s/%s%s%s", a, b, c == NULL ? "" : "/",
	    c == NULL ? "" : c);
	if (n < 0 || (size_t)n >= sizeof(key))
		return (NULL);
	for (w = rd->show->words; w->key != NULL; w++) {
		/* Some hundred times a row of a sheet: most begin otherwise. */
		if (w->key[0] == key[0] && strcmp(w->key, key) == 0)
			return (w->text);
	}
	return (NULL);
}

const char *
render_value_cause(const struct render *rd, const json_t *event, const char *a,
    const char *b, const char *c, const char *what)
{
	const char *cause = NULL, *text = NULL;

	if (rd->show->cause != NULL && rd->combat != NULL)
		cause =
		    rd->show->cause(rd->combat, event, c != NULL ? c : what);
	if (cause != NULL)
		text = render_value_word(rd, a, b, cause);
	return (text != NULL ? text : render_value_word(rd, a, b, c));
}

const char *
render_value_name(const struct render *rd, const char *id)
{
	const char *name;

	name = json_string_value(json_object_get(rd->names, id));
	return (name != NULL ? name : id);
}

/*
 * Finds the next {member} of a template: adds the text before it and copies
 * its name.  Returns where the template goes on, or NULL at its end.
 */
static const char *
render_value_next(const char *text, char name[RENDER_VALUE_KEY], struct buf *b)
{
	const char *open, *close;
	size_t n;

	if ((open = strchr(text, '{')) == NULL ||
	    (close = strchr(open, '}')) == NULL ||
	    (n = (size_t)(close - open) - 1) >= RENDER_VALUE_KEY) {
		buf_puts(b, text);
		return (NULL);
	}
	buf_add(b, text, (size_t)(open - text));
	memcpy(name, open + 1, n);
	name[n] = '\0';
	return (close + 1);
}

/*
 * Adds the words for all values that are this text with another number at its
 * end; false if there are none.
 */
static bool
render_value_numbered(
    const struct render *rd, const char *name, const char *text, struct buf *b)
{
	char key[RENDER_VALUE_KEY];
	const char *end = text + strlen(text), *word;
	int n;

	while (end > text && end[-1] >= '0' && end[-1] <= '9')
		end--;
	if (*end == '\0')
		return (false);
	n = snprintf(key, sizeof(key), "%.*s#", (int)(end - text), text);
	if (n < 0 || (size_t)n >= sizeof(key) ||
	    (word = render_value_word(rd, "value", name, key)) == NULL)
		return (false);
	while ((word = render_value_next(word, key, b)) != NULL)
		buf_puts(b, end);
	return (true);
}

void
render_value_scalar(
    const struct render *rd, const char *name, const json_t *v, struct buf *b)
{
	const char *text = NULL, *word;

	if (json_is_string(v))
		text = json_string_value(v);
	else if (json_is_boolean(v))
		text = json_is_true(v) ? "true" : "false";
	if (text != NULL &&
	    (word = render_value_word(rd, "value", name, text)) != NULL)
		buf_puts(b, word);
	else if (json_is_string(v) && render_value_numbered(rd, name, text, b))
		return;
	else if (json_is_string(v))
		buf_puts(b,
		    render_value_word(rd, "unit", name, NULL) != NULL
			? render_value_name(rd, text)
			: text);
	else if (json_is_boolean(v))
		buf_puts(b, json_is_true(v) ? "yes" : "no");
	else if (json_is_integer(v) &&
	    render_value_word(rd, "sign", name, NULL) != NULL)
		buf_printf(b, "%+" JSON_INTEGER_FORMAT, json_integer_value(v));
	else if (json_is_integer(v))
		buf_printf(b, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
	else if (v == NULL || json_is_null(v))
		buf_puts(b, "none");
	else
		buf_puts(b, "...");
}

/* Adds the members of an object, each by its unit's name and its value. */
static void
render_value_pairs(
    const struct render *rd, const char *name, const json_t *v, struct buf *b)
{
	json_t *o = (json_t *)(uintptr_t)v, *item; /* only read */
	const char *id, *joint = "";

	if (json_object_size(v) == 0)
		buf_puts(b, "none");
	json_object_foreach(o, id, item)
	{
		buf_printf(b, "%s%s ", joint, render_value_name(rd, id));
		render_value_scalar(rd, name, item, b);
		joint = ", ";
	}
}

/* What stands between the values of a list: names may have commas. */
static const char *
render_value_joint(const struct render *rd, const json_t *list)
{
	const json_t *item;
	const char *id;
	size_t i;

	json_array_foreach(list, i, item)
	{
		if ((id = json_string_value(item)) != NULL &&
		    strchr(render_value_name(rd, id), ',') != NULL)
			return ("; ");
	}
	return (", ");
}

void
render_value_any(
    const struct render *rd, const char *name, const json_t *v, struct buf *b)
{
	char member[RENDER_VALUE_KEY];
	const char *joint, *text;
	const json_t *item;
	size_t i;

	if (json_is_object(v)) {
		render_value_pairs(rd, name, v, b);
		return;
	}
	if (!json_is_array(v)) {
		render_value_scalar(rd, name, v, b);
		return;
	}
	if (json_array_size(v) == 0)
		buf_puts(b, "none");
	joint = render_value_joint(rd, v);
	for (i = 0; i < json_array_size(v); i++) {
		item = json_array_get(v, i);
		if (i > 0)
			buf_puts(b, joint);
		text = render_value_word(rd, "item", name, NULL);
		if (!json_is_object(item) || text == NULL) {
			render_value_scalar(rd, name, item, b);
			continue;
		}
		/* Its members are not lists. */
		while ((text = render_value_next(text, member, b)) != NULL)
			render_value_scalar(
			    rd, member, json_object_get(item, member), b);
	}
}

void
render_value_template(const struct render *rd, const char *text,
    const json_t *obj, const char *self, struct buf *b)
{
	char name[RENDER_VALUE_KEY];

	while ((text = render_value_next(text, name, b)) != NULL) {
		if (name[0] == '\0')
			buf_puts(b, self);
		else
			render_value_any(
			    rd, name, json_object_get(obj, name), b);
	}
}

/* True if the template has {name}. */
static bool
render_value_has(const char *text, const char *name)
{
	const char *p;
	size_t n = strlen(name);

	for (p = strchr(text, '{'); p != NULL; p = strchr(p + 1, '{')) {
		if (strncmp(p + 1, name, n) == 0 && p[1 + n] == '}')
			return (true);
	}
	return (false);
}

bool
render_value_is_container(const json_t *v)
{
	const json_t *first = json_array_get(v, 0);

	return (
	    json_is_object(v) || json_is_object(first) || json_is_array(first));
}

/* True for a list of one value that another member of obj has as well. */
static bool
render_value_is_repeated(const json_t *obj, const json_t *list)
{
	json_t *o = (json_t *)(uintptr_t)obj, *v; /* only read */
	const char *name;

	if (json_array_size(list) != 1)
		return (false);
	json_object_foreach(o, name, v)
	{
		if (json_equal(v, json_array_get(list, 0)))
			return (true);
	}
	return (false);
}

/* The bytes of a text before a hole at its end; 0 if it has none there. */
static size_t
render_value_before(const char *text)
{
	const char *hole = strstr(text, " {}");

	return (hole == NULL || hole[strlen(" {}")] != '\0'
		? 0
		: (size_t)(hole - text));
}

/*
 * Adds one member of obj behind others, `joint` before it; returns false,
 * and adds nothing, where the member says nothing.
 */
static bool
render_value_member(const struct render *rd, const json_t *obj,
    const char *name, const json_t *v, const char *joint, struct buf *b)
{
	const char *text;
	struct buf value;

	if (json_is_false(v) || json_is_null(v) ||
	    render_value_is_container(v) ||
	    (json_is_array(v) && json_array_size(v) == 0) ||
	    render_value_is_repeated(obj, v))
		return (false);
	buf_puts(b, joint);
	buf_init(&value, 0);
	if (!json_is_true(v))
		render_value_any(rd, name, v, &value);
	text = render_value_word(rd, "member", name, NULL);
	if (text != NULL && json_is_true(v) && render_value_before(text) > 0) {
		/* True has no value to show. */
		buf_add(b, text, render_value_before(text));
	} else if (text != NULL) {
		render_value_template(rd, text, obj, buf_str(&value), b);
	} else {
		if (!json_is_string(v) && !json_is_array(v)) {
			for (; *name != '\0'; name++)
				buf_putc(b, *name == '_' ? ' ' : *name);
		}
		if (json_is_integer(v))
			buf_putc(b, ' ');
		buf_puts(b, buf_str(&value));
	}
	buf_clear(&value);
	return (true);
}

void
render_value_members(const struct render *rd, const json_t *v, const char *said,
    const char *joint, struct buf *b)
{
	json_t *obj = (json_t *)(uintptr_t)v, *value; /* only read */
	const char *name;

	json_object_foreach(obj, name, value)
	{
		if (!render_value_has(said, name) && strcmp(name, "e") != 0 &&
		    render_value_member(rd, obj, name, value, joint, b))
			joint = ", ";
	}
}
